"""What stays in a protected file and tells what was blanked: weights, counties, whole households."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.microdata.data import Microdata, Variable


def given_back(file: Microdata, keys: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return how many blanked values of a key each other variable tells: those of which one key value follows.

    Weights of a stratified sample tell the stratum, a county tells the state, and the number of a household the size
    of it. A variable tells a key if no two records with one value of it differ in the key, and more than half of the
    records share its value with another; or if the key is the number of records with its value.

    Parameters
    ----------
    file : Microdata
        The file as it would be given away.
    keys : sequence of str
        The key variables, with blanks.

    Returns
    -------
    dict of (str, str) to int
        By variable and key, where any is given back.

    References
    ----------
    de Waal and Willenborg 1997, on what sampling weights tell.

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
    """Return of which keys the blanks can be told in part since households are whole: how many at least, of how many.

    Of people in households of 7 there are 7, 14 ... in a file: where 60 have the value 7, three blanks at least are it.

    Parameters
    ----------
    original : Microdata
        The file with its households.
    published : Microdata
        The same records with blanks.
    keys : sequence of str
        The key variables; of interest are those that hold the size of the household.

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
    """Return how many blanks of the key are told by the records that have the same value of the other variable."""
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
    """Return how many blanks of the key are told by how many records have the same value of the other variable."""
    blank = (key.codes == MISSING) & (other.codes != MISSING)
    return int(blank.sum()) if _are_counts(other, key) else 0


def _are_counts(other: Variable, key: Variable) -> bool:
    """Return whether the values of the key are the numbers of records with the same value of the other variable."""
    if not all(label.isdecimal() for label in key.labels):
        return False
    known = (key.codes != MISSING) & (other.codes != MISSING)
    size = np.bincount(other.codes[other.codes != MISSING], minlength=len(other.categories))
    values = np.array([int(label) for label in key.labels])
    return bool(known.any() and (size[other.codes[known]] == values[key.codes[known]]).all())
