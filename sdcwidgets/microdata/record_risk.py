"""Disclosure risk of each record of a microdata file."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import names_of
from sdcwidgets.core.microdata.class_sizes import hiding
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.reading import read_microdata

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["risk"]


def risk(
    file: Microdata | pd.DataFrame | str | PathLike[str],
    keys: Sequence[str],
    *,
    weight: str | None = None,
    household: str | None = None,
) -> pd.DataFrame:
    """Return the disclosure risk of each record of a microdata file.

    Parameters
    ----------
    file : Microdata, DataFrame, or path
        One row per person. A path names a CSV, XLSX, Parquet, Stata, SPSS or SAS file.
    keys : sequence of str
        Key variables, which an intruder may know.
    weight, household : str, optional
        Columns with the sampling weight and the household number; not allowed with a `Microdata`, which already
        has roles.

    Returns
    -------
    DataFrame
        One row per record: the key variables; `frequency`, the number of records in the file with the same key;
        `weighted_frequency`, their sum of weights, an estimate of the number of people in the population with
        this key; `risk`, the individual risk from 0 to 1; and with households `household_risk`, the probability
        that at least one member is identified. Records with missing values contribute the probability that they
        have this key.

    Raises
    ------
    InputError
        If the file cannot be read, or a key variable does not exist or has too many categories.

    References
    ----------
    Handbook, section 3.3; Templ, Kowarik and Meindl 2014, section 3.6.

    Examples
    --------
    >>> import pandas as pd
    >>> from sdcwidgets import microdata
    >>> people = pd.DataFrame({"region": ["N", "N", "S"], "age": ["0-14", "0-14", "65+"], "weight": [10, 10, 10]})
    >>> microdata.risk(people, ["region", "age"], weight="weight")[["frequency", "weighted_frequency"]].values.tolist()
    [[2.0, 20.0], [2.0, 20.0], [1.0, 10.0]]
    """
    import pandas as pd

    if isinstance(file, Microdata):
        if weight is not None or household is not None:
            raise InputError("The Microdata object already has roles; leave out weight and household.")
        records = file
    elif isinstance(file, pd.DataFrame):
        records = Microdata.from_frame(file, weight=weight, household=household)
    elif isinstance(file, str | PathLike):
        records = read_microdata(file, weight=weight, household=household).file
    else:
        raise InputError(
            f"The microdata file is a {type(file).__name__}; pass a Microdata, a DataFrame or the path of a file."
        )
    names = names_of(keys, "The key variables")
    matched = hiding(records.codes(names), weights=records.weights)
    weighted = np.maximum(matched.weighted, matched.alike)
    columns: dict[str, object] = {name: records[name].values() for name in names}
    columns |= {"frequency": matched.alike, "weighted_frequency": weighted}
    individual = individual_risk(matched.alike, weighted)
    columns["risk"] = individual
    homes = records.households
    if homes is not None:
        columns["household_risk"] = household_risk(individual, homes)
    return pd.DataFrame(columns)
