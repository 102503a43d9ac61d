r"""Disclosure by cell-key noise through relations between several published values.

The noise of a count is a function of its cell key, and the cell key is a function of the people in the cell.
This relates published values in two ways. First, two published values of the same people have the same noise:
if a total and one of its cells differ, the rest of the total contains at least one person. Second, if cell keys
are not mixed with a secret, the cell key of a total is the fractional part of the sum of the cell keys of its
parts. The noise of the parts then bounds the noise of the total.

Reference: handbook, chapter 5, section 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats, Whole
from ._linear import CONTRADICTION
from .bounds import Bounds
from .margins import MarginAxes, margins
from .ranges import Ranges

__all__ = ["LAST_REPEATED", "MOST_SOURCES", "MOST_VALUES", "KeyNoise", "KeySystem", "occupied", "rows_of"]

#: First and last row of a p-table that repeat for larger counts, in p-tables with exactly this last row. This is the
#: convention of the Office for National Statistics. Other p-tables use their last row for all larger counts.
FIRST_REPEATED, LAST_REPEATED = 501, 750

#: Maximum number of published values for which sums of cell keys are analysed.
MOST_VALUES = 40

#: Maximum number of counts and intervals of whole cell keys of all published values for the same analysis, because
#: p-tables of whole keys have an interval for almost every key.
MOST_SOURCES = 500

#: Maximum number of nodes of one search; a sum that is still open then counts as determined.
MOST_NODES = 4000

#: Key intervals are half-open. The solver's intervals end earlier by this amount, which exceeds its tolerance.
OPEN_END = 1e-5


def rows_of(counts: Whole, last: int) -> Whole:
    """Return the row of a p-table that applies to each count.

    Parameters
    ----------
    counts : ndarray of int
        Counts of 0 or more.
    last : int
        Last row of the p-table. If it is 750, the rows 501 to 750 are repeated for larger counts. Otherwise the last
        row applies to all larger counts.

    Returns
    -------
    ndarray of int, of the shape of the counts

    Examples
    --------
    >>> rows_of(np.array([2, 750, 751, 1000, 1001]), 750).tolist()
    [2, 750, 501, 750, 501]
    >>> rows_of(np.array([2, 751]), 5).tolist()
    [2, 5]
    """
    if last != LAST_REPEATED:
        return np.minimum(counts, last)
    repeated = FIRST_REPEATED + (counts - FIRST_REPEATED) % (LAST_REPEATED - FIRST_REPEATED + 1)
    return np.where(counts > last, repeated, counts)


class KeyNoise(NamedTuple):
    """Noise distribution (p-table) of a release, with one interval of cell keys per entry.

    Attributes
    ----------
    row : ndarray of int
        The count; `rows_of` is the row of a larger count.
    v : ndarray of int
        The noise.
    low, high : ndarray of float
        The interval of cell keys with this noise, low <= key < high.
    mixed : bool
        Whether cell keys are mixed with a secret before the look-up.
    threshold : int
        Published counts below it are suppressed, which a nan states; 0: no count is suppressed.
    step : float
        Distance of adjacent keys if keys are whole numbers, divided by their number; otherwise 0.
    """

    row: Whole
    v: Whole
    low: Floats
    high: Floats
    mixed: bool
    threshold: int = 0
    step: float = 0.0

    def sources(self, value: float) -> list[tuple[int, float, float]]:
        """Return the counts that can be published as this value, each with its interval of cell keys."""
        if np.isnan(value):
            return self._sources_of_suppressed()
        last = int(self.row[-1])
        counts = np.rint(value).astype(np.int64) - self.v
        fits = (counts > 0) & (rows_of(np.maximum(counts, 0), last) == self.row) & (self.high > self.low)
        ranges = [
            (int(counts[k]), float(self.low[k]), float(self.high[k])) for k in np.flatnonzero(fits).tolist()
        ]
        # An empty cell has the cell key 0 and no noise.
        return [(0, 0.0, 0.0), *ranges] if value == 0 else ranges

    def _sources_of_suppressed(self) -> list[tuple[int, float, float]]:
        """Return the counts that can be published below the threshold; adjacent intervals of cell keys are joined."""
        joined = [(0, 0.0, 0.0)]
        used = rows_of(np.arange(self.threshold - int(self.v.min())), int(self.row[-1]))
        for count in range(1, len(used)):
            fits = (self.row == used[count]) & (self.v < self.threshold - count) & (self.high > self.low)
            for low, high in zip(self.low[fits].tolist(), self.high[fits].tolist(), strict=True):
                last = joined[-1]
                if last[0] == count and low <= last[2] + self.step:
                    joined[-1] = (count, last[1], high)
                else:
                    joined.append((count, low, high))
        return joined


def occupied(values: Mapping[MarginAxes, Floats], lower: Mapping[MarginAxes, Floats]) -> list[Whole]:
    """Return groups of cells with at least one person, derived from pairs of different values.

    Parameters
    ----------
    values : mapping of tuple of int to ndarray
        Published values for each set of axes that a margin keeps, including the cells.
    lower : mapping of tuple of int to ndarray
        Lower bound of the count behind each value.

    Returns
    -------
    list of ndarray of int
        Positions in the flattened table. Groups that contain people by the lower bounds of their cells are
        omitted.

    Examples
    --------
    A cell is published as 3 and its row as 4, so the other cell of the row contains at least one person:

    >>> values = {(0, 1): np.array([[3.0, 0.0]]), (0,): np.array([4.0])}
    >>> lower = {(0, 1): np.array([[1.0, 0.0]]), (0,): np.array([2.0])}
    >>> [group.tolist() for group in occupied(values, lower)]
    [[1]]
    """
    every = max(values, key=len)
    shape = values[every].shape
    # A suppressed value is below every published one, and two suppressed values may be equal.
    values = {margin: np.where(np.isnan(array), -1.0, array) for margin, array in values.items()}
    places = np.arange(int(np.prod(shape))).reshape(shape)
    least = margins(lower[every])
    groups = []
    for whole in values:
        for axis in (k for k in range(len(shape)) if k not in whole):
            part = tuple(sorted((*whole, axis)))
            if part not in values:
                continue
            at = part.index(axis)
            differ = values[part] != np.expand_dims(values[whole], at)
            open_ = np.expand_dims(least[whole], at) - least[part] < 1
            for index in map(tuple, np.argwhere(differ & open_).tolist()):
                taken: list[int | slice] = [slice(None)] * len(shape)
                for k, i in zip(part, index, strict=True):
                    taken[k] = i
                taken[axis] = slice(None)
                line = np.moveaxis(
                    places[tuple(taken)], sum(k < axis for k in range(len(shape)) if k not in part), 0
                )
                groups.append(np.delete(line, index[at], axis=0).ravel())
    return groups


class KeySystem:
    r"""Mixed-integer program of all tables and cell keys that agree with a release with unmixed keys.

    Each published value has exactly one source: a count and an interval of cell keys. The count of a margin is
    the sum of the counts of its cells. Its cell key is the sum of their cell keys minus a whole number.

    Parameters
    ----------
    shape : tuple of int
        Shape of the table.
    values : mapping of tuple of int to ndarray
        Published values for each set of axes that a margin keeps.
    known : mapping of tuple of int to pair of array_like
        Lower and upper bound of the count behind each value, as for `core.ranges.cells_within`.
    noise : KeyNoise
        Noise distribution of the release.

    Raises
    ------
    ValueError
        If one of the values has no possible source.
    """

    def __init__(
        self, shape: tuple[int, ...], values: Mapping[MarginAxes, Floats], known: Ranges, noise: KeyNoise
    ) -> None:
        from scipy import sparse
        from scipy.optimize import Bounds as Box
        from scipy.optimize import LinearConstraint

        cells = np.arange(int(np.prod(shape))).reshape(shape)
        members: list[Whole] = []
        sources: list[list[tuple[int, float, float]]] = []
        for margin in sorted(values, key=len, reverse=True):
            spread = np.moveaxis(cells, margin, range(len(margin))).reshape(*values[margin].shape, -1)
            low, high = (np.broadcast_to(np.asarray(side), values[margin].shape) for side in known[margin])
            for index in np.ndindex(values[margin].shape):
                fits = [
                    source
                    for source in noise.sources(float(values[margin][index]))
                    if low[index] <= source[0] <= high[index]
                ]
                if not fits:
                    raise ValueError(CONTRADICTION)
                members.append(spread[index])
                sources.append(fits)
        number, sizes = len(members), np.array([len(each) for each in sources])
        owner = np.repeat(np.arange(number), sizes)
        count, start, end = np.concatenate([np.array(each, dtype=float) for each in sources]).T
        end = np.where(count > 0, np.maximum(end - OPEN_END, start), 0.0)
        chosen = sparse.csr_array(
            (np.ones(len(owner)), (owner, np.arange(len(owner)))), shape=(number, len(owner))
        )
        # Values of cells come first, so the number of a cell's value is its position in the flattened table.
        margin_rows = np.arange(cells.size, number)
        sums = sparse.csr_array(
            (
                np.ones(sum(len(members[k]) for k in margin_rows)),
                (
                    np.repeat(np.arange(len(margin_rows)), [len(members[k]) for k in margin_rows]),
                    np.concatenate([np.zeros(0, dtype=np.int64), *(members[k] for k in margin_rows)]),
                ),
            ),
            shape=(len(margin_rows), number),
        )
        less = sums - sparse.eye_array(number, format="csr")[margin_rows]
        counts = chosen * count
        none_of_keys = sparse.csr_array((number, number))
        none_of_turns = sparse.csr_array((number, len(margin_rows)))
        identity = sparse.eye_array(number, format="csr")
        blocks = [
            ([chosen, none_of_keys, none_of_turns], 1.0, 1.0),
            ([chosen * -start, identity, none_of_turns], 0.0, np.inf),
            ([chosen * -end, identity, none_of_turns], -np.inf, 0.0),
        ]
        if len(margin_rows):
            turns = sparse.eye_array(len(margin_rows), format="csr")
            no_keys = sparse.csr_array((len(margin_rows), number))
            no_turns = sparse.csr_array((len(margin_rows), len(margin_rows)))
            no_counts = sparse.csr_array((len(margin_rows), len(owner)))
            blocks += [([less @ counts, no_keys, no_turns], 0.0, 0.0), ([no_counts, less, -turns], 0.0, 0.0)]
        self._rules = []
        for parts, low_side, high_side in blocks:
            block = sparse.hstack(parts, format="csr")
            # SciPy before 1.15 accepts only 32-bit indices.
            block.indices, block.indptr = block.indices.astype(np.int32), block.indptr.astype(np.int32)
            self._rules.append(LinearConstraint(block, low_side, high_side))
        others = number + len(margin_rows)
        self._whole = np.concatenate([np.ones(len(owner)), np.zeros(number), np.ones(len(margin_rows))])
        most = [len(members[k]) for k in margin_rows]
        self._box = Box(np.zeros(len(owner) + others), np.concatenate([np.ones(len(owner) + number), most]))
        # SciPy before 1.15 returns a matrix format here that cannot be sliced by rows.
        self._counts = sparse.csr_array(counts)[: cells.size]
        self._range = [(min(fits)[0], max(fits)[0]) for fits in sources[: cells.size]]
        self._others = others
        self._shape = shape

    def _end(self, cells: Whole, sign: int, gap: float = 0.0) -> tuple[float, Floats | None]:
        """Return the least (sign 1) or greatest (sign -1) sum of cells, and a table with it or None."""
        from scipy.optimize import milp

        cost = np.concatenate([self._counts[cells].sum(axis=0), np.zeros(self._others)])
        solved: Any = milp(
            sign * cost,
            integrality=self._whole,
            bounds=self._box,
            constraints=self._rules,
            options={"node_limit": MOST_NODES, "mip_rel_gap": gap},
        )
        if solved.status == 2:
            raise ValueError(CONTRADICTION)
        choice = None if solved.x is None else np.rint(solved.x[: self._counts.shape[1]])
        table = None if choice is None else np.rint(self._counts @ choice)
        if solved.status == 0 and table is not None:
            return float(table[cells].sum()), table
        bound = solved.mip_dual_bound
        return float(sign * (-np.inf if bound is None else np.ceil(bound - 1e-6))), table

    def bounds(self) -> Bounds:
        """Return the least and the greatest count of each cell over all tables and keys that agree."""
        ends = np.array(self._range, dtype=float).T
        for side, sign in enumerate((1, -1)):
            # If a table attains the limit of a cell's own range, the cell needs no further search.
            open_ = np.ones(ends.shape[1], dtype=bool)
            moved = True
            while moved and open_.any():
                # Any table with many cells at their limits is sufficient, so the gap may be large.
                table = self._end(np.flatnonzero(open_), sign, 0.2)[1]
                hit = np.zeros_like(open_) if table is None else open_ & (table == ends[side])
                moved, open_ = bool(hit.any()), open_ & ~hit
            for cell in range(len(open_)):
                if not open_[cell]:
                    continue
                end, table = self._end(np.array([cell]), sign)
                ends[side, cell] = max(end, ends[0, cell]) if sign > 0 else min(end, ends[1, cell])
                if table is not None:
                    open_ &= table != ends[side]
        return Bounds(ends[0].reshape(self._shape), ends[1].reshape(self._shape))

    def fixed_sums(self, sums: Sequence[Whole]) -> NDArray[np.bool_]:
        """Return which sums of cells are constant over all tables and keys that agree.

        A sum also counts as determined if the search finds no second value within its limit.
        """
        fixed = np.ones(len(sums), dtype=bool)
        seen: list[Floats] = []
        for k, cells in enumerate(np.asarray(places, dtype=np.int64).ravel() for places in sums):
            for sign in (1, -1):
                if len({float(table[cells].sum()) for table in seen}) > 1:
                    break
                table = self._end(cells, sign)[1]
                if table is not None:
                    seen.append(table)
            fixed[k] = len({float(table[cells].sum()) for table in seen}) < 2
        return fixed
