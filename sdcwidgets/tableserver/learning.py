"""What a user who takes published numbers off each other learns of small groups, and what is left in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.differencing import CountedTable, Number, singled_out
from sdcwidgets.tableserver.server import Request, TableServer

#: The last releases are looked at, each with each, and so many groups are told.
LAST, MOST = 12, 60


@dataclass(frozen=True)
class Inference:
    """A small group that two published numbers single out.

    Attributes
    ----------
    around, within : str
        Whom the two numbers count, in words.
    people : int
        How many the group has, which the agency knows.
    difference : int
        What the published numbers leave for it.
    low, high : float
        The least and the greatest number that a user can be sure of, from what each number can stand for.
    """

    around: str
    within: str
    people: int
    difference: int
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the user knows the number for certain."""
        return self.low == self.high


def inferences(server: TableServer, most: int | None = None) -> list[Inference]:
    """Return what the tables released so far tell of groups of 1 to `most` people, what is surest first.

    Parameters
    ----------
    server : TableServer
    most : int, optional
        The largest group that counts as small; the rule `difference` if not given, and 2 if that is switched off.
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
    """Return the true numbers of a release, those that are published."""
    release = request.answer
    assert isinstance(release, Release)
    counted = CountedTable.of(server.data, request.query, server.original(request).counts)
    counts = {margin: sums for margin, sums in counted.counts.items() if margin in release.values}
    return replace(counted, counts=counts)


def _number(request: Request, number: Number) -> Sequence[float]:
    """Return a published number, and the least and the greatest that it can stand for."""
    margin, cell = number
    release = request.answer
    assert isinstance(release, Release)
    return [float(np.asarray(part[margin])[cell]) for part in (release.values, release.lower, release.upper)]
