"""What is asked of a pattern, the optimiser's for a sheet, which boxes would do, and why each of its gaps is needed."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.core.risk.cell import values_left
from sdcwidgets.core.suppression import (
    Problem,
    Seats,
    Unprotectable,
    failures,
    find_pattern,
    small_union,
    tightened,
    weigh,
)
from sdcwidgets.dashboards.suppression.sheet import SMALL, Cell, Remaining, Sheet, remaining_by
from sdcwidgets.tables.io.sources.contributions import entries_in

#: Numbers, each with what it costs as a gap.
Costs: TypeAlias = tuple[tuple[Cell, float], ...]

#: Said of a pattern that needs no secondary gap only as long as the reader does not notice that.
_RECOGNISABLE = (
    "All gaps would be counts of 1 to {}, and who knows the rule could tell; mark another number too."
)


@dataclass(frozen=True, eq=False)
class OptimalPattern:
    """The optimiser's pattern for the sensitive numbers, or why there is none."""

    hidden: Flags | None
    """In the shape of the sheet."""
    cost: float = 0.0
    """What the gaps beside those marked cost."""
    people: int = 0
    cells: int = 0
    narrowest: float = 0.0
    optimal: bool = True
    least: float = 0.0
    """No pattern that protects costs less, in what is saved."""
    problem: str = ""
    remaining: Remaining | None = None
    """What it leaves; None if there is none."""


class Boxes(NamedTuple):
    """Each box that protects the first sensitive count: a gap more at each of its other corners."""

    around: Cell
    """The count."""
    corners: tuple[Cell, ...]
    """The corner across."""
    people: Floats
    values: Floats
    """How many values it leaves."""
    size: int
    """How many gaps it has: 4 in a table of two axes, 8 in one of three."""


class GapEffect(NamedTuple):
    """What is left for a sensitive number if one gap of the optimiser's is freed."""

    cell: Cell
    weakest: Cell
    values: float
    together: int = 0
    """The people in the gaps of a sum, where there would be one or two: each knows the other."""
    insider: InsiderDisclosure | None = None
    """Who in the table would know too much, where an outsider does not."""


class InsiderDisclosure(NamedTuple):
    """People of the table who know a sensitive number better than is asked."""

    cell: Cell
    who: tuple[Cell, ...]
    """The counts that they are in; of nobody for an outsider."""


class PatternRequest(NamedTuple):
    """What is asked of a pattern: each of these numbers keeps `width` values at least.

    They do for any `coalition` people of the table who share what they know of their own counts; with 0 for outsiders.
    `cost` is what is saved, "value" or "cell", where `costs` tell nothing else; what is `frozen` stays in print.
    With `disjoint` somebody says that no category is part of another one.
    """

    sensitive: tuple[Cell, ...]
    width: int
    cost: str = "value"
    coalition: int = 0
    frozen: tuple[Cell, ...] = ()
    costs: Costs = ()
    disjoint: bool = False


@lru_cache(maxsize=32)
def optimise(sheet: Sheet, request: PatternRequest) -> OptimalPattern:
    """Return the pattern of the optimiser."""
    if not request.sensitive:
        return OptimalPattern(
            None, problem="No number is marked as sensitive, so nothing needs to be suppressed."
        )
    if not request.disjoint and (hierarchy := sheet.possible_hierarchy):
        return OptimalPattern(None, problem=hierarchy)
    if both := set(request.frozen) & set(request.sensitive):
        both_ways = f"{sheet.name(min(both))} is marked as sensitive and kept in print"
        return OptimalPattern(None, problem=f"{both_ways}; it can be only one of them.")
    values, primary = sheet.full.ravel(), sheet.mask(request.sensitive)
    # With secondary gaps a reader knows of none that it is small.
    problem = _problem(sheet, request, np.minimum(values, sheet.reader == "rule"), np.inf)
    try:
        pattern = tightened(problem, find_pattern(problem))
    except Unprotectable as error:
        inside = " from everyone in the table; let fewer share what they know, or" if error.inside else ";"
        fewer = "keep less in print, or ask for fewer." if request.frozen else "ask for fewer."
        return OptimalPattern(
            None, problem=f"No pattern keeps so many values for what is marked{inside} {fewer}"
        )
    hidden = pattern.suppressed.reshape(sheet.full.shape)
    remaining = remaining_by(sheet, hidden)
    narrowest = float(remaining.values[primary].min())
    if narrowest < request.width:
        return OptimalPattern(None, problem=_RECOGNISABLE.format(SMALL - 1))
    return OptimalPattern(
        hidden,
        cost=pattern.cost,
        people=int(values[pattern.secondary].sum()),
        cells=int(pattern.secondary.sum()),
        narrowest=narrowest,
        optimal=pattern.optimal,
        least=pattern.least,
        remaining=remaining,
    )


def chosen(sheet: Sheet, request: PatternRequest, secret: int) -> Flags:
    """Return a pattern for publication, which the secret chooses close to the optimiser's; see `core.suppression`.

    Parameters
    ----------
    sheet : Sheet
    request : PatternRequest
        With a pattern, as `optimise` found.
    secret : int

    Returns
    -------
    ndarray of bool
        In the shape of the sheet.
    """
    values = sheet.full.ravel()
    problem = _problem(sheet, request, np.minimum(values, sheet.reader == "rule"), np.inf)
    return find_pattern(problem, audited=False, secret=secret).suppressed.reshape(sheet.full.shape)


def _problem(sheet: Sheet, request: PatternRequest, floor: ArrayLike, ceiling: ArrayLike) -> Problem:
    """Return what the solver is asked, of a reader who knows so much of each number beforehand."""
    values = sheet.full.ravel().astype(np.float64)
    usable = (values > 0) & ~sheet.mask(request.frozen).ravel()
    usable[-1] = False
    weights = weigh(values, request.cost).reshape(sheet.full.shape)
    for cell, own in request.costs:
        weights[cell] = own
    coalition = request.coalition
    return Problem.of(
        sheet.relations,
        values,
        sheet.mask(request.sensitive),
        width=request.width - 1.0,
        weights=weights,
        usual=weigh(values, request.cost),
        usable=usable,
        floor=floor,
        ceiling=ceiling,
        union=small_union(values, SMALL),
        seats=Seats.of_counts(sheet.table.counts, sheet.trees, coalition) if coalition else None,
    )


def costs_in(sheet: Sheet, name: str, content: bytes) -> Costs:
    """Return the costs that a file tells: a column for each axis, in which a blank is its total, and one named cost.

    Raises
    ------
    InputError
        If a label is none of its axis, or a cost is not above 0.
    """
    axes = {axis.name: names for axis, names in zip(sheet.table.axes, sheet.names, strict=True)}
    positions, costs = entries_in(name, axes, "cost", content=content)
    if (costs <= 0).any():
        raise InputError(f"A cost in {quoted(Path(name).name)} is {costs.min():g}; it must be above 0.")
    cells = (sheet.cell(tuple(position)) for position in positions.tolist())
    return tuple(zip(cells, costs.tolist(), strict=True))


def insider_disclosure(sheet: Sheet, hidden: Flags, request: PatternRequest) -> InsiderDisclosure | None:
    """Return people of the table who know one of the numbers better than is asked; None if nobody does.

    >>> from sdcwidgets.dashboards.suppression.sheet import sheet_of
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> sheet = sheet_of(FrequencyTable([[1, 5, 20], [6, 1, 20], [20, 20, 20]]))
    >>> square, ones = sheet.mask(((0, 0), (0, 1), (1, 0), (1, 1))), PatternRequest(((0, 0), (1, 1)), 3)
    >>> insider_disclosure(sheet, square, ones), insider_disclosure(sheet, square, ones._replace(coalition=1))
    (None, InsiderDisclosure(cell=(0, 0), who=((1, 1),)))
    """
    if not request.coalition or not request.sensitive:
        return None
    problem = _problem(sheet, request._replace(frozen=()), *sheet.beforehand(hidden))
    failing = failures(problem, hidden.ravel())
    if not failing:
        return None
    assert problem.seats is not None
    people = problem.seats.contributions
    # Cells are numbered before the totals that they are in.
    who = [int(people.entries[people.holders == holder].min()) for holder in sorted(failing[0].who)]
    width = sheet.full.shape[1]
    entry, *cells = (divmod(int(number), width) for number in (failing[0].entry, *who))
    return InsiderDisclosure(entry, tuple(cells))


def gap_effects(sheet: Sheet, request: PatternRequest, best: OptimalPattern) -> list[GapEffect]:
    """Return, for each gap that the optimiser adds, what is left for a sensitive number without it.

    That no pattern of any shape is cheaper is proved by the solver; this is what a person can follow of it: each
    gap is needed.
    """
    if best.hidden is None:
        return []
    effects = []
    for i, j in np.argwhere(best.hidden & ~sheet.mask(request.sensitive)).tolist():
        hidden = best.hidden.copy()
        hidden[i, j] = False
        values = values_left(sheet.bounds(hidden))
        weakest = min(request.sensitive, key=lambda cell: float(values[cell]))
        union = sheet.small_union(hidden)
        together = union[1] if union is not None else 0
        remaining_values = float(values[weakest])
        insider = None
        if remaining_values >= request.width and union is None:
            insider = insider_disclosure(sheet, hidden, request)
        effects.append(GapEffect((i, j), weakest, remaining_values, together, insider))
    return effects


def boxes_around(sheet: Sheet, sensitive: tuple[Cell, ...]) -> Boxes | None:
    """Return the boxes of the first of these counts that is no total.

    Along the edges of a box counts rise and fall by turns, and no sum changes: by the least of those that fall.
    """
    marked = [cell for cell in sensitive if sheet.leaf[cell]]
    if not marked:
        return None
    around, above = sheet.position(marked[0]), sheet.trees[0].parents
    # The rule tells a reader that no corner is less than 1, since no zero is hidden by it.
    least = int(sheet.reader == "rule")
    corners, people, values = list[Cell](), list[float](), list[float]()
    for across in np.ndindex(sheet.table.shape):
        # A box must not change a sub-total; along an axis of one category nothing moves.
        apart = all(i != j or size == 1 for i, j, size in zip(around, across, sheet.table.shape, strict=True))
        if not apart or above[across[0]] != above[around[0]]:
            continue
        cells = box(sheet, marked[0], sheet.cell(across))
        counts = np.array([sheet.full[cell] for cell in cells])
        turned = np.array([np.not_equal(around, sheet.position(cell)).sum() % 2 for cell in cells])
        rising, falling = (int(counts[turned == side].min()) for side in (0, 1))
        if min(rising, falling) >= least and rising + falling > 2 * least:
            corners.append(sheet.cell(across))
            people.append(float(counts.sum() - sheet.full[marked[0]]))
            values.append(float(rising + falling + 1 - 2 * least))
    size = 2 ** sum(categories > 1 for categories in sheet.table.shape)
    return Boxes(marked[0], tuple(corners), np.array(people), np.array(values), size)


def box(sheet: Sheet, first: Cell, second: Cell) -> tuple[Cell, ...]:
    """Return the corners of the box between two counts: 4 in a table of two axes, 8 in one of three.

    >>> from sdcwidgets.dashboards.suppression.sheet import sheet_of
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> box(sheet_of(FrequencyTable([[1, 2], [3, 4]])), (0, 0), (1, 1))
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """
    ends = zip(sheet.position(first), sheet.position(second), strict=True)
    corners = itertools.product(*(dict.fromkeys(pair) for pair in ends))
    return tuple(sheet.cell(corner) for corner in corners)
