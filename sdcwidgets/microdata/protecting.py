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

__all__ = [
    "SuppressedFile",
    "for_release",
    "given_back",
    "names_in",
    "post_randomised",
    "suppressed",
    "told_by_whole_households",
]


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
    """Blank few values of the key variables until each record is one of k or more that may have its key.

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


def names_in(file: Microdata) -> tuple[str, ...]:
    """Return the variables of text that tell people apart, such as names; nobody publishes them."""
    roles = (file.weight, file.household)
    return tuple(name for name, one in file.variables.items() if one.identifies and name not in roles)


def for_release(file: Microdata, *, keep_household: bool = False) -> Microdata:
    """Return the file as it may be given away: without names and households, in the order of its values.

    The number of a household tells who lives together, and with it most of what was blanked: how many records have
    it is the size of the household, and the others have the same region. So does the order of a file in which
    households stand together, or which was sorted by a variable before values of it were blanked.

    Parameters
    ----------
    file : Microdata
    keep_household : bool
        Whether the number of the household stays, for those who need it and know what it tells.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"home": [1, 1, 2], "job": ["b", "a", "b"]})
    >>> print(for_release(Microdata.from_frame(frame, household="home")).to_frame().to_csv(index=False).strip())
    job
    a
    b
    b
    """
    gone = set(names_in(file))
    if file.household is not None and not keep_household:
        gone.add(file.household)
    kept = file.without(gone)
    order = np.lexsort([one.codes for one in list(kept.variables.values())[::-1]])
    return kept.take(order)


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
    found = {}
    for key in keys:
        blank = file[key].codes == MISSING
        if not blank.any() or len(np.unique(file[key].codes[~blank])) < 2:
            continue
        for name, other in file.variables.items():
            number = 0 if name in keys else max(_followed(other, file[key]), _counted(other, file[key]))
            if number:
                found[name, key] = number
    return found


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
    home, found = original[original.household], {}
    for key in keys:
        before, after = original[key], published[key]
        if not after.missing or before.labels != after.labels or not _are_counts(home, before):
            continue
        shown = np.bincount(after.codes[after.codes != MISSING], minlength=len(after.labels))
        lack = -shown % np.array([max(int(label), 1) for label in after.labels])
        if lack.sum():
            found[key] = int(lack.sum()), after.missing
    return found


def _followed(other: Variable, key: Variable) -> int:
    """Return how many blanks of the key are told by the records that have the same value of the other variable."""
    known = (key.codes != MISSING) & (other.codes != MISSING)
    blank = (key.codes == MISSING) & (other.codes != MISSING)
    told = np.full(len(other.categories), MISSING, dtype=np.int64)
    told[other.codes[known]] = key.codes[known]
    shared = np.bincount(other.codes[known], minlength=len(told))
    follows = bool((told[other.codes[known]] == key.codes[known]).all())
    if not follows or 2 * shared[shared > 1].sum() <= known.sum():
        return 0
    return int((told[other.codes[blank]] != MISSING).sum())


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
