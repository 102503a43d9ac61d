"""Inferences on small groups from differences of published numbers, and their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.differencing import CountedTable, Number, singled_out
from sdcwidgets.tableserver.server import Request, TableServer

#: Number of most recent releases that are compared pairwise, and maximum number of reported groups.
LAST, MOST = 12, 60


@dataclass(frozen=True)
class Inference:
    """Small group that two published numbers single out.

    Attributes
    ----------
    around, within : str
        Descriptions of the people of both numbers.
    people : int
        Original count of the group, known to the agency.
    difference : int
        Difference of the published numbers.
    low, high : float
        Bounds of the count of the group that a user can compute.
    """

    around: str
    within: str
    people: int
    difference: int
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the bounds are equal."""
        return self.low == self.high


def inferences(server: TableServer, most: int | None = None) -> list[Inference]:
    """Return inferences on groups of 1 to `most` people from all released tables, most certain first.

    Parameters
    ----------
    server : TableServer
    most : int, optional
        Largest small group (default: the rule `difference`, or 2 if this rule is off).
    """
    most = most or server.rules.difference or 2
    last: dict[tuple[object, ...], Request] = {}
    for line in server.log:
        if isinstance(line.answer, Release):
            last[line.query.key] = line
    released = list(last.values())[-LAST:]
    known = [_counted(server, request) for request in released]
    groups: dict[tuple[str, str], Inference] = {}
    for i, new in enumerate(known):
        for j in range(i):
            for group in singled_out(new, known[j], most):
                assert group.numbers is not None
                outer, inner = (i, j) if group.new_around else (j, i)
                around = _number(released[outer], group.numbers[0])
                within = _number(released[inner], group.numbers[1])
                groups[group.around, group.within] = Inference(
                    group.around,
                    group.within,
                    group.people,
                    round(around[0] - within[0]),
                    max(0.0, around[1] - within[2]),
                    around[2] - within[1],
                )
    return sorted(groups.values(), key=lambda group: group.high - group.low)[:MOST]


def _counted(server: TableServer, request: Request) -> CountedTable:
    """Return the original counts of the published numbers of a release."""
    release = request.answer
    assert isinstance(release, Release)
    counted = CountedTable.of(server.data, request.query, server.original(request).counts)
    counts = {margin: sums for margin, sums in counted.counts.items() if margin in release.values}
    return replace(counted, counts=counts)


def _number(request: Request, number: Number) -> Sequence[float]:
    """Return a published number and the bounds of its original count."""
    margin, cell = number
    release = request.answer
    assert isinstance(release, Release)
    return [float(np.asarray(part[margin])[cell]) for part in (release.values, release.lower, release.upper)]
