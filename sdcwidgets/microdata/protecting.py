"""Protection of a file as steps, each with what it did; the steps are the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.microdata.pram import invariant_transition, post_randomise
from sdcwidgets.core.microdata.suppression import suppress
from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted
from sdcwidgets.microdata.data import Microdata, Variable

__all__ = ["SuppressedFile", "post_randomised", "suppressed"]


@dataclass(frozen=True)
class SuppressedFile:
    """A file after local suppression.

    Attributes
    ----------
    file : Microdata
    blanked : dict of str to int
        How many values of each key variable were blanked.
    records : int
        How many records lost a value.
    """

    file: Microdata
    blanked: dict[str, int]
    records: int


def suppressed(
    file: Microdata, keys: Sequence[str], k: int, importance: Sequence[str] = ()
) -> SuppressedFile:
    """Blank few values of the key variables until each record may share its key with k records.

    Parameters
    ----------
    file : Microdata
    keys : sequence of str
    k : int
        At least 2.
    importance : sequence of str
        Key variables from the most important, of which values are kept if others will do.

    Raises
    ------
    InputError
        If a key isn't one, or k is below 2 or above the number of records.

    Examples
    --------
    >>> import pandas as pd
    >>> file = Microdata.from_frame(pd.DataFrame({"sex": list("mmww"), "job": list("aabc")}))
    >>> suppressed(file, ["sex", "job"], 2).blanked
    {'sex': 0, 'job': 1}
    """
    codes = file.codes(keys)
    if not 2 <= k <= file.records:
        raise InputError(f"k is {k}; it must be from 2 to {file.records:,}, the number of records.")
    order = None
    if importance:
        ranked = [*importance, *(name for name in keys if name not in importance)]
        order = [list(keys).index(name) for name in ranked if name in keys]
    after = suppress(codes, k, order)
    gone = (after == MISSING) & (codes != MISSING)
    variables = [
        replace(file[name], codes=after[:, place].astype(file[name].codes.dtype))
        for place, name in enumerate(keys)
    ]
    blanked = dict(zip(keys, gone.sum(axis=0).tolist(), strict=True))
    return SuppressedFile(file.put(*variables), blanked, int(gone.any(axis=1).sum()))


def post_randomised(variable: Variable, redrawn: float, seed: int | np.random.Generator = 1) -> Variable:
    """Return the variable after invariant PRAM: with probability `redrawn` a value is drawn anew from the file.

    Raises
    ------
    InputError
        If the probability is none, or every value is missing.

    References
    ----------
    Totter 2014, section 1.2.3.
    """
    counts = np.bincount(variable.codes[variable.codes != MISSING], minlength=len(variable.categories))
    if not counts.any():
        raise InputError(
            f"Every value of {quoted(variable.name)} is missing, so there is nothing to draw from."
        )
    try:
        matrix = invariant_transition(counts, redrawn)
    except ValueError as error:
        raise InputError(str(error)) from None
    return replace(variable, codes=post_randomise(variable.codes, matrix, np.random.default_rng(seed)))
