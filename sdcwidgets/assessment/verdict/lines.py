"""Lines of a table with all people in one cell, and the constraints known to a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Whole
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.core.respondents import Unknowns
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.release_intervals import constraints


@dataclass
class CandidateLines:
    """All lines of one margin along one axis; `known` are the axes with fixed categories, `axis` is inferred."""

    known: MarginAxes
    axis: int
    true: Whole
    at: NDArray[np.intp]
    alone: NDArray[np.intp]
    open: Flags
    visible: Flags
    sure: Flags
    respondent: NDArray[np.intp]


def cells_of(shape: tuple[int, ...], lines: CandidateLines, line_index: tuple[int, ...]) -> Whole:
    """Return the flat indices of the cells of a line, with one row per category of its axis."""
    cells = np.arange(int(np.prod(shape))).reshape(shape)
    index: list[int | slice] = [slice(None)] * len(shape)
    for k, i in zip(lines.known, line_index, strict=True):
        index[k] = i
    before = sum(k < lines.axis for k in range(len(shape)) if k not in lines.known)
    line = np.moveaxis(cells[tuple(index)], before, 0)
    return line.reshape(len(line), -1)


class PublishedNumbers:
    """Constraints on the cells of a table that a reader knows: the published values of one release.

    Attributes
    ----------
    counted : bool
        Whether the unknowns are the cells of the table.
    """

    counted: bool = True

    def __init__(self, release: Release) -> None:
        self.release = release
        cells = int(np.prod(release.shape))
        #: Number of unknowns after the cells.
        self.further = 0 if release.origins is None else len(release.origins.certain.lower) - cells
        self.counted = self.further == 0

    def __call__(self, sums: Sequence[Whole]) -> Flags:
        """Return which sums of cells, given by flat indices, are determined by the published values."""
        return self.release.fixed_sums(sums)

    def unknowns(self) -> Unknowns:
        """Return the published values as linear constraints on unknown counts."""
        return constraints(self.release)

    def over(self, sums: Sequence[Whole]) -> Any:
        """Return sums of cells as a sparse matrix with one column per unknown."""
        return sparse_sums(sums, int(np.prod(self.release.shape)) + self.further)


def sparse_sums(sums: Sequence[Whole], size: int) -> Any:
    """Return sums of cells, given by flat indices, as a sparse matrix of ones."""
    from scipy import sparse

    ends = np.cumsum([0, *map(len, sums)])
    places = np.concatenate([*sums, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    return sparse.csr_array((np.ones(len(places)), places, ends), shape=(len(sums), size))
