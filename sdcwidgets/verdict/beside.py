"""What other published tables of the same people give away of this one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.attacks.knowledge import Knowledge, system
from sdcwidgets.core.determined import among_tables, determined
from sdcwidgets.errors import InputError
from sdcwidgets.release import Release
from sdcwidgets.table import FrequencyTable
from sdcwidgets.verdict.seen import seen
from sdcwidgets.verdict.stops import Stop, named

__all__ = ["given_away"]


def given_away(true: FrequencyTable, release: Release, beside: Sequence[Release]) -> tuple[list[Stop], int]:
    """Return the lines and gaps that are hidden in a release, and known with other ones.

    Axes of the same name are the same, and so are their labels; a release with further axes tells sums over them.

    Raises
    ------
    InputError
        If a release has a category that this table does not have, or contradicts it.

    Examples
    --------
    A row of two gaps leaves a choice; the column totals of another table do not:

    >>> nan, table = float("nan"), FrequencyTable([[0, 3], [5, 4]])
    >>> values, most = [[nan, nan], [5, 4]], [[3, 3], [5, 4]]
    >>> least, rows = [[0, 0], [5, 4]], [3, 9]
    >>> own = Release(table.axes, {(0, 1): values, (0,): rows}, {(0, 1): least, (0,): rows}, {(0, 1): most, (0,): rows})
    >>> other = Release.of(FrequencyTable([5, 7], {"Column": ["Column 1", "Column 2"]}))
    >>> for stop in given_away(table, own, [other])[0]:
    ...     print(stop.words)
    Row 1 shows everyone in one cell by another table
    Column 1 shows everyone in one cell by another table
    Row 1, Column 1 is a gap that another table fills
    Row 1, Column 2 is a gap that another table fills
    """
    fixed = _Joint(release, beside)
    own = {line.known for line in seen(true, release, sure_only=True).lines}
    stops: list[Stop] = []
    for line in seen(true, release, sure_only=True, fixed=fixed).lines:
        if line.known not in own:
            place = named(line.known)
            words = f"{place} shows everyone in one cell by another table"
            why = "Together both tables leave one cell only."
            stops.append(Stop("linked", f"linked: {place}", words, why, line.known, line.people))
    gaps = np.flatnonzero(release.hidden)
    sums = [np.array([place]) for place in gaps]
    if sums:
        alone = among_tables(release.shape, release.ranges(), sums)
        for place in gaps[fixed(sums) & ~alone].tolist():
            at = np.unravel_index(place, release.shape)
            where = tuple((axis.name, axis.labels[int(i)]) for axis, i in zip(release.axes, at, strict=True))
            words = f"{named(where)} is a gap that another table fills"
            stops.append(
                Stop("linked", f"linked: {named(where)}", words, "Together both tables give it.", where)
            )
    return stops, len(stops)


class _Joint:
    """Which sums of cells of a release are known from all releases together."""

    def __init__(self, release: Release, beside: Sequence[Release]) -> None:
        from scipy import sparse

        axes = list(release.axes)
        for other in beside:
            axes += [axis for axis in other.axes if axis.name not in [one.name for one in axes]]
        self.system = system([release, *beside], Knowledge(tuple(axes)))
        size = int(np.prod(release.shape))
        # The axes of the release come first: each of its cells is a run of cells of the joint table.
        run = len(self.system.least) // size
        self.parts = sparse.kron(sparse.eye_array(size), np.ones((1, run)), format="csr")
        self.size = size

    def __call__(self, sums: Sequence[NDArray[np.int64]]) -> NDArray[np.bool_]:
        from scipy import sparse

        rows = np.repeat(np.arange(len(sums)), [len(one) for one in sums])
        places = np.concatenate([*sums])
        wanted = sparse.csr_array((np.ones(len(places)), (rows, places)), shape=(len(sums), self.size))
        known = self.system
        try:
            return determined(
                known.matrix, known.low, known.high, known.least, known.most, wanted @ self.parts
            )
        except ValueError as error:
            raise InputError(str(error)) from None
