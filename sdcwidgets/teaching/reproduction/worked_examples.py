"""Recompute the handbook's examples of differencing, linking and random rounding by arithmetic alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from sdcwidgets.tables import examples
from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure

HANDBOOK = "handbook"


def marginal_tables() -> Iterator[Figure]:
    """Table 5.2: its totals, and its sums over the hours worked, which are Table 5.1."""
    figure = partial(Figure, HANDBOOK, "Table 5.2", digits=0)
    printed, table = load("handbook")["Table 5.2"], examples.load("handbook-5-2")
    rows = table.counts.reshape(len(table.counts), -1)
    for k, value in enumerate(printed["rows"]):
        yield figure("total", f"row {k + 1}", value, recomputed=int(rows[k].sum()))
    for k, value in enumerate(printed["columns"]):
        yield figure("total", f"column {k + 1}", value, recomputed=int(rows[:, k].sum()))
    yield figure("total", "whole table", printed["total"], recomputed=int(rows.sum()))
    two_way = examples.load("handbook-5-1").counts
    for status, sex in np.ndindex(two_way.shape):
        subject = f"Table 5.1, row {status + 1}, column {sex + 1}"
        total = int(sum(table.counts[status, sex]))
        yield figure("sum over hours worked", subject, int(two_way[status, sex]), recomputed=total)


def differenced_tables() -> Iterator[Figure]:
    """Tables 5.6, 5.10 and 5.13: the counts that follow from two or three published tables."""
    yield from _geographical()
    yield from _linked()
    yield from _sub_populations()


def _geographical() -> Iterator[Figure]:
    district, output_area, printed = (examples.load(f"handbook-5-{k}").counts for k in (5, 4, 6))
    for row, column in np.ndindex(printed.shape):
        difference = int(district[row, column]) - int(output_area[row, column])
        subject = f"row {row + 1}, column {column + 1}"
        location = "Tables 5.4 to 5.6"
        yield Figure(
            HANDBOOK, location, "difference", subject, int(printed[row, column]), difference, digits=0
        )


def _linked() -> Iterator[Figure]:
    figure = partial(Figure, HANDBOOK, "Tables 5.7 to 5.10", digits=0)
    status, groups, males, linked = (examples.load(f"handbook-5-{k}").counts.tolist() for k in (7, 8, 9, 10))
    employed, not_employed = status
    working, living, both = groups
    yield figure("people living in area", "Table 5.8", living, recomputed=employed + not_employed)
    # People who live in the area and work elsewhere are employed, but do not work in the area.
    people = [both, employed - both, working - both]
    names = ("living and working in area", "working elsewhere", "living elsewhere")
    for k, name in enumerate(names):
        yield figure("males", name, linked[0][k], recomputed=males[k])
        yield figure("females", name, linked[1][k], recomputed=people[k] - males[k])


def _sub_populations() -> Iterator[Figure]:
    figure = partial(Figure, HANDBOOK, "Tables 5.11 to 5.13", digits=0)
    first, second, printed = (examples.load(f"handbook-5-{k}").counts.tolist() for k in (11, 12, 13))
    for row, sex in enumerate(("male", "female")):
        below_20, from_20, *older = first[row]
        below_25 = second[row][0]
        differenced = [below_20, below_25 - below_20, from_20 - (below_25 - below_20), *older]
        yield figure("sum", f"{sex}, Table 5.12", sum(second[row]), recomputed=sum(first[row]))
        for k, value in enumerate(printed[row]):
            yield figure("count", f"{sex}, hours {k + 1}", value, recomputed=differenced[k])


def random_rounding() -> Iterator[Figure]:
    """Table 5.20 and the list for base 3: the multiples that random rounding can publish."""
    printed = load("handbook")
    yield from _possible_values(printed["Table 5.20"])
    for count, probabilities in printed["list for base 3"].items():
        lower = int(count) // 3 * 3
        up = Fraction(int(count) - lower, 3)
        for value, probability in probabilities.items():
            recomputed = float(up if int(value) > lower else 1 - up)
            subject = f"{count} to {value}"
            yield Figure(
                HANDBOOK, "list for base 3", "probability", subject, float(Fraction(probability)), recomputed
            )


def _possible_values(printed: dict[str, Any]) -> Iterator[Figure]:
    """Compare each rounded value of Table 5.20 with the nearest value that is possible."""
    counts, base = examples.load("handbook-5-18").counts, printed["base"]
    figure = partial(Figure, HANDBOOK, "Table 5.20", "nearest possible value", digits=0)

    def nearest(count: int, value: int) -> int:
        """Return the multiple next to the count that is nearest to the published value."""
        lower: int = count // base * base
        upper = lower if count == lower else lower + base
        return upper if abs(upper - value) < abs(lower - value) else lower

    for row, column in np.ndindex(counts.shape):
        value = printed["cells"][row][column]
        subject = f"row {row + 1}, column {column + 1}"
        yield figure(subject, value, recomputed=nearest(int(counts[row, column]), value))
    for part, sums in (("rows", counts.sum(axis=1)), ("columns", counts.sum(axis=0))):
        for k, value in enumerate(printed[part]):
            yield figure(f"{part.removesuffix('s')} {k + 1}", value, recomputed=nearest(int(sums[k]), value))
    yield figure("whole table", printed["total"], recomputed=nearest(int(counts.sum()), printed["total"]))
