"""Inference of suppressed values from other variables of the released file and from household sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata.data import Microdata, Variable


def given_back(file: Microdata, keys: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return how many suppressed values of each key variable can be inferred from each other variable.

    For example, weights of a stratified sample reveal the stratum, a county reveals the state, and a household
    number reveals the household size. A variable reveals a key in two cases. First, records with the same value
    of the variable never differ in the key, and more than half of the records share their value with another
    one. Second, the key is the number of records with the same value of the variable.

    Parameters
    ----------
    file : Microdata
        File as it would be released.
    keys : sequence of str
        Key variables, with suppressed values.

    Returns
    -------
    dict of (str, str) to int
        Number of inferred values by variable and key, only if above 0.

    References
    ----------
    de Waal and Willenborg 1997, on information in sampling weights.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"state": ["a", "a", None, "b", "b"], "county": [1, 1, 1, 2, 2]})
    >>> given_back(Microdata.from_frame(frame), ["state"])
    {('county', 'state'): 1}
    """
    numbers = {}
    for key in keys:
        blank = file[key].codes == MISSING
        if not blank.any() or len(np.unique(file[key].codes[~blank])) < 2:
            continue
        for name, other in file.variables.items():
            number = 0 if name in keys else max(_followed(other, file[key]), _counted(other, file[key]))
            if number:
                numbers[name, key] = number
    return numbers


def told_by_whole_households(
    original: Microdata, published: Microdata, keys: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """Return how many suppressed household sizes can be inferred because households are complete.

    The number of records in households of size 7 is a multiple of 7. If 60 records have the value 7, at least
    three suppressed values are 7. The result has for each such key this minimum and the number of suppressed
    values.

    Parameters
    ----------
    original : Microdata
        File with household numbers.
    published : Microdata
        Same records with suppressed values.
    keys : sequence of str
        Key variables; only those equal to the household size are considered.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"home": [1, 1, 1, 2, 2], "size": [3, 3, 3, 2, 2]})
    >>> blanked = Microdata.from_frame(frame.assign(size=[3, 3, None, 2, 2]))
    >>> told_by_whole_households(Microdata.from_frame(frame, household="home"), blanked, ["size"])
    {'size': (1, 1)}
    """
    if original.household is None:
        return {}
    home, lacking = original[original.household], {}
    for key in keys:
        before, after = original[key], published[key]
        if not after.missing or before.labels != after.labels or not _are_counts(home, before):
            continue
        counts = np.bincount(after.codes[after.codes != MISSING], minlength=len(after.labels))
        lack = -counts % np.array([max(int(label), 1) for label in after.labels])
        if lack.sum():
            lacking[key] = int(lack.sum()), after.missing
    return lacking


def _followed(other: Variable, key: Variable) -> int:
    """Return how many suppressed values of the key follow from records with the same value of the other variable."""
    known = (key.codes != MISSING) & (other.codes != MISSING)
    blank = (key.codes == MISSING) & (other.codes != MISSING)
    codes = np.full(len(other.categories), MISSING, dtype=np.int64)
    codes[other.codes[known]] = key.codes[known]
    shared = np.bincount(other.codes[known], minlength=len(codes))
    follows = bool((codes[other.codes[known]] == key.codes[known]).all())
    if not follows or 2 * shared[shared > 1].sum() <= known.sum():
        return 0
    return int((codes[other.codes[blank]] != MISSING).sum())


def _counted(other: Variable, key: Variable) -> int:
    """Return how many suppressed values of the key follow from the number of records with the same other value."""
    blank = (key.codes == MISSING) & (other.codes != MISSING)
    return int(blank.sum()) if _are_counts(other, key) else 0


def _are_counts(other: Variable, key: Variable) -> bool:
    """Return whether each key value is the number of records with the same value of the other variable."""
    if not all(label.isdecimal() for label in key.labels):
        return False
    known = (key.codes != MISSING) & (other.codes != MISSING)
    size = np.bincount(other.codes[other.codes != MISSING], minlength=len(other.categories))
    values = np.array([int(label) for label in key.labels])
    return bool(known.any() and (size[other.codes[known]] == values[key.codes[known]]).all())
