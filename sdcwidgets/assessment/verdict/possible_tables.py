"""Lines in which somebody is certain for at least one original table that a release allows.

With the reading "sure", a verdict must not depend on the original counts, because the fact of release would otherwise
disclose them. Every cell that can have people counts as the cell of a respondent, and every line that can have people
as a line with people.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.lines import PublishedNumbers
from sdcwidgets.core.respondents import Unknowns, certain_pairs
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.release_intervals import certain_bounds

#: Maximum number of cells for which all possible respondents are checked.
MOST_CELLS = 100


class PossibleLine(NamedTuple):
    """A line in which a data user can be certain of a category, as pairs of axis and category positions.

    Attributes
    ----------
    known : tuple of (int, int)
        Known categories.
    learnt : (int, int)
        Category that can be inferred.
    respondent : int
        Position of the respondent's cell in the flattened table, -1 for an external intruder.
    """

    known: tuple[tuple[int, int], ...]
    learnt: tuple[int, int]
    respondent: int


def possible_lines(release: Release, least: int, *, respondents: bool) -> list[PossibleLine]:
    """Return the lines in which a data user would be certain, and which can have at least `least` people.

    Parameters
    ----------
    release : Release
        Release of at most `MOST_CELLS` cells.
    least : int
        Minimum number of people of a line, including the respondent.
    respondents : bool
        Whether respondents are considered, instead of external intruders.

    Raises
    ------
    InputError
        If no table of counts agrees with the release.

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, Release
    >>> release = Release.of(FrequencyTable([[1, 0], [3, 3]]))
    >>> [line.known for line in possible_lines(release, 1, respondents=False)]
    [((0, 0),), ((1, 1),)]
    """
    lower, upper = certain_bounds(release)
    if not respondents:
        filled = [(-1, upper > 0)]
    else:
        try:
            empty, alone = _given_respondent(release, lower.ravel(), upper.ravel())
        except ValueError as error:
            raise InputError(str(error)) from None
        filled = []
        for own in np.flatnonzero(upper.ravel() > 0).tolist():
            others = ~empty[own]
            others[own] = not alone[own]
            filled.append((own, others.reshape(upper.shape)))
    lines = list[PossibleLine]()
    for known, axis, room in _lines_of(release, upper):
        found: dict[tuple[int, ...], PossibleLine] = {}
        for own, others in filled:
            gone = tuple(k for k in range(release.ndim) if k != axis and k not in known)
            categories = np.moveaxis(np.asarray(others.any(axis=gone, keepdims=True)), axis, -1)
            certain = np.count_nonzero(categories, axis=-1) == 1
            certain &= room >= _needed(own, least)
            for at in map(tuple, np.argwhere(certain).tolist()):
                if at not in found:
                    places = tuple(np.insert(np.array(at), axis, 0).tolist())
                    at_known = tuple((k, places[k]) for k in known)
                    found[at] = PossibleLine(at_known, (axis, int(categories[at].argmax())), own)
        lines += found.values()
    return lines


def _needed(own: int, least: int) -> int:
    """Return the minimum number of people of a line; next to a respondent there must be somebody else."""
    return max(least, 1 if own < 0 else 2)


def _lines_of(release: Release, upper: Floats) -> Iterator[tuple[tuple[int, ...], int, Floats]]:
    """Yield known axes, inferred axis, and the maximum number of people of each line (without the inferred axis)."""
    every = range(release.ndim)
    for size in every:
        for known in itertools.combinations(every, size):
            gone = tuple(k for k in every if k not in known)
            most = upper.sum(axis=gone, keepdims=True)
            if known in release.upper:
                most = np.minimum(most, release.upper[known].reshape(most.shape))
            for axis in gone:
                if release.shape[axis] > 1:
                    yield known, axis, np.squeeze(most, axis=axis)


def _given_respondent(release: Release, lower: Floats, upper: Floats) -> tuple[Flags, Flags]:
    """Return which cells must be empty if another cell has a person, and which have no further person.

    Returns
    -------
    empty : ndarray of bool, shape (cells, cells)
        By the respondent's cell and the other cell.
    alone : ndarray of bool, shape (cells,)
    """
    from scipy import sparse

    size = len(lower)
    numbers = PublishedNumbers(release)
    known = numbers.unknowns()
    empty = np.broadcast_to(upper == 0, (size, size)).copy()
    alone = upper <= 1
    if not known.matrix.shape[0]:
        return empty, alone
    possible = np.flatnonzero(upper > 0)
    # Only cells that can be empty and can have people need a linear program.
    open_ = np.flatnonzero((lower == 0) & (upper > 0))
    more = np.flatnonzero((lower <= 1) & (upper > 1))
    cells = numbers.over([np.array([cell]) for cell in (*open_, *more)])
    true = np.repeat([0.0, 1.0], [len(open_), len(more)])
    pairs = np.zeros((len(possible), len(true)), dtype=bool)
    pairs[:, : len(open_)] = possible[:, None] != open_[None, :]
    pairs[:, len(open_) :] = possible[:, None] == more[None, :]
    members = sparse.csr_array(numbers.over([np.array([cell]) for cell in possible]))
    certain = certain_pairs(
        _within(known, lower, upper), members, np.ones(len(possible)), sparse.csr_array(cells), true, pairs
    )
    empty[np.ix_(possible, open_)] |= certain[:, : len(open_)]
    alone[more] |= certain[:, len(open_) :].any(axis=0)
    return empty, alone


def _within(known: Unknowns, lower: Floats, upper: Floats) -> Unknowns:
    """Return the constraints with narrower bounds of the cells."""
    size = len(lower)
    return known._replace(
        lower=np.concatenate([np.maximum(known.lower[:size], lower), known.lower[size:]]),
        upper=np.concatenate([np.minimum(known.upper[:size], upper), known.upper[size:]]),
    )
