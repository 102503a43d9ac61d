"""Disclosure risk of each record of a microdata file, from frequencies or from log-linear models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arguments import wrong
from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError, type_with_article, unknown_name
from sdcwidgets._util.labels import names_of, quoted
from sdcwidgets.core.microdata.class_sizes import hiding
from sdcwidgets.core.microdata.keys import MISSING, distinct
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.core.risk.sample import MODELS, modelled_taus
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.reading import read_microdata

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["modelled_risk", "risk"]


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
    weight : str, optional
        Column with the sampling weight; not allowed with a `Microdata`, which already has roles.
    household : str, optional
        Column with the household number; not allowed with a `Microdata`, which already has roles.

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

    records = _records(file, weight, household)
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


def modelled_risk(
    file: Microdata | pd.DataFrame | str | PathLike[str],
    keys: Sequence[str],
    models: str | Sequence[str] = "standard",
    *,
    interactions: Iterable[Sequence[str]] = (),
    scaling: str = "formula",
    cells: str = "crossing",
    numeric: str | Sequence[str] | None = None,
    population: Microdata | pd.DataFrame | str | PathLike[str] | None = None,
    weight: str | None = None,
    household: str | None = None,
) -> pd.DataFrame:
    """Estimate by log-linear models whether each sample unique is a population unique.

    Parameters
    ----------
    file : Microdata, DataFrame, or path
        Sample with one row per person. A path names a CSV, XLSX, Parquet, Stata, SPSS or SAS file.
    keys : sequence of str
        Key variables, which an intruder may know.
    models : str or sequence of str
        One or several of "standard", "clogg-eliason", "pseudo-likelihood" and "weighted"; see
        `core.risk.sample.modelled_tau`.
    interactions : iterable of sequences of str
        Interactions of the models, each as a sequence of key variables. All main effects are included.
    scaling : {"formula", "sdcmicro"}
        Rate of the population, see `core.risk.sample.modelled_tau`.
    cells : {"crossing", "occurring"}
        Cells of the models: all combinations of the categories, or only the keys that occur in the population.
    numeric : str or sequence of str, optional
        Key variables that enter the models as numbers, with one coefficient each, for example age.
    population : Microdata, DataFrame, or path, optional
        The population with the same key variables; needed for the occurring cells, and only its keys are used.
    weight : str, optional
        Column with the sampling weight; not allowed with a `Microdata`, which already has roles. If the
        file is read from a path, a column with a name such as "weight" is used by default, but not in a DataFrame.
        Without weights, the sample is the whole population.
    household : str, optional
        Column with the household number; not allowed with a `Microdata`, which already has roles.

    Returns
    -------
    DataFrame
        One row per record, in the order of the file: `record`, the number of the record from 1; the key
        variables; `sample_unique`, whether no other record has the same key; and two columns per model. The
        column `population_unique_standard` contains the probability that the record is a population unique, and
        `match_standard` the expected value of 1/F, where F is the number of people in the population with this
        key. Records that are not sample uniques have the probability 0 and no expected value (NaN). The sums of
        the two columns are the estimates of tau1 and tau2. The models leave out records with a missing key value,
        which have NaN in both columns.

    Raises
    ------
    InputError
        If the file cannot be read, a key variable, model or interaction is unknown, no record has all key
        values, a numeric key variable has values that are no numbers, or the sample has a key that does not occur in
        the population.

    References
    ----------
    Skinner and Shlomo 2008; Totter 2014, (19) and (20).

    Examples
    --------
    >>> import pandas as pd
    >>> from sdcwidgets import microdata
    >>> people = pd.DataFrame({"region": ["S", "N", "N", "N", "S"], "age": ["0-14", "65+", "0-14", "0-14", "0-14"]})
    >>> frame = microdata.modelled_risk(people.assign(weight=10), ["region", "age"], weight="weight")
    >>> frame[["record", "sample_unique", "population_unique_standard", "match_standard"]].round(3).values.tolist()
    [[1, False, 0.0, nan], [2, True, 0.005, 0.184], [3, False, 0.0, nan], [4, False, 0.0, nan], [5, False, 0.0, nan]]
    """
    import pandas as pd

    records = _records(file, weight, household)
    names = names_of(keys, "The key variables")
    chosen = names_of(models, "The models")
    for model in chosen:
        if model not in MODELS:
            raise unknown_name("model", model, MODELS)
    generators = _generators(interactions, names)
    codes, keys_of_population, categories = _joint_codes(records, names, population)
    is_complete = (codes != MISSING).all(axis=1)
    if not is_complete.any():
        raise InputError("Each record has a missing key value, so that no model can be fitted.")
    try:
        taus = modelled_taus(
            codes[is_complete],
            records.weights[is_complete],
            generators,
            models=chosen,
            scalings=(scaling,),
            cells=cells,
            numeric=_numbers(numeric, names, categories),
            population=keys_of_population,
        )
    except ValueError as error:
        raise InputError(str(error)) from None

    # The cells of a model have the order of `distinct`, not the order of the file.
    _, cell_of_record, count = distinct(codes[is_complete])
    is_unique = np.zeros(len(codes), dtype=bool)
    is_unique[is_complete] = count[cell_of_record] == 1
    position_among_uniques = np.cumsum(count == 1) - 1
    positions = position_among_uniques[cell_of_record[count[cell_of_record] == 1]]
    columns: dict[str, object] = {"record": np.arange(1, len(codes) + 1)}
    columns |= {name: records[name].values() for name in names}
    computed: dict[str, object] = {"sample_unique": is_unique}
    for model in chosen:
        tau = taus[model, scaling]
        population_unique = np.where(is_complete, 0.0, np.nan)
        population_unique[is_unique] = tau.unique[positions]
        match = np.full(len(codes), np.nan)
        match[is_unique] = tau.match[positions]
        suffix = model.replace("-", "_")
        computed |= {f"population_unique_{suffix}": population_unique, f"match_{suffix}": match}
    for name in names:
        if name == "record" or name in computed:
            raise InputError(
                f"The key variable {quoted(name)} has the name of a column of the result; rename the variable."
            )
    return pd.DataFrame(columns | computed)


def _records(
    file: Microdata | pd.DataFrame | str | PathLike[str], weight: str | None, household: str | None
) -> Microdata:
    """Return the microdata file of an argument, or raise InputError."""
    import pandas as pd

    if isinstance(file, Microdata):
        if weight is not None or household is not None:
            raise InputError("The Microdata object already has roles; leave out weight and household.")
        return file
    if isinstance(file, pd.DataFrame):
        return Microdata.from_frame(file, weight=weight, household=household)
    if isinstance(file, str | PathLike):
        return read_microdata(file, weight=weight, household=household).file
    raise InputError(
        f"The microdata file is {type_with_article(file)}; pass a Microdata, a DataFrame or the path of a file."
    )


def _joint_codes(
    records: Microdata,
    names: tuple[str, ...],
    population: Microdata | pd.DataFrame | str | PathLike[str] | None,
) -> tuple[Whole, Whole | None, list[NDArray[Any]]]:
    """Return the codes of the sample and of the complete keys of the population, and the categories of the codes."""
    import pandas as pd

    if population is None:
        return records.codes(names), None, [records[name].categories for name in names]
    people = _records(population, None, None)
    people.codes(names)  # raises InputError for a key variable that the population does not have
    columns, categories = [], []
    for name in names:
        values = [file[name].values().astype(object) for file in (records, people)]
        codes, found = pd.factorize(pd.concat(values))
        columns.append(codes)
        categories.append(np.asarray(found))
    joint = np.column_stack(columns)
    known = joint[records.records :]
    return joint[: records.records], known[(known != MISSING).all(axis=1)], categories


def _numbers(
    numeric: str | Sequence[str] | None, names: tuple[str, ...], categories: list[NDArray[Any]]
) -> dict[int, Floats]:
    """Return the number of each code of the numeric key variables, by the position of the variable."""
    numbers = {}
    for name in () if numeric is None else names_of(numeric, "The numeric key variables"):
        if name not in names:
            raise unknown_name("key variable", name, names)
        position = names.index(name)
        try:
            numbers[position] = np.asarray(categories[position], dtype=np.float64)
        except ValueError:
            raise InputError(
                f"The key variable {quoted(name)} has values that are no numbers. Leave it out of numeric."
            ) from None
    return numbers


def _generators(interactions: Iterable[Sequence[str]], names: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Return the positions of the key variables of each interaction, or raise InputError."""
    if isinstance(interactions, str) or not isinstance(interactions, Iterable):
        raise wrong(
            "interactions", interactions, 'a list of sequences of key variables, such as [("age", "job")]'
        )
    generators = []
    for interaction in interactions:
        if isinstance(interaction, str):
            raise wrong(
                "interactions", interactions, 'a list of sequences of key variables, such as [("age", "job")]'
            )
        variables = names_of(interaction, "The variables of an interaction")
        for name in variables:
            if name not in names:
                raise unknown_name("key variable", name, names)
        generators.append(tuple(names.index(name) for name in variables))
    return generators
