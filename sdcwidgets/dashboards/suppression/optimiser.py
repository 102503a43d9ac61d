"""Optimal suppression: requirements, optimal pattern, rectangle patterns, and the effect of each cell."""

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
    Insiders,
    Problem,
    Unprotectable,
    failures,
    find_pattern,
    small_union,
    tightened,
    weigh,
)
from sdcwidgets.dashboards.suppression.sheet import SMALL, Cell, Remaining, Sheet, remaining_by
from sdcwidgets.tables.io.sources.contributions import entries_in

#: Cells with their costs of suppression.
Costs: TypeAlias = tuple[tuple[Cell, float], ...]

#: Problem of a pattern without secondary cells, which protects only if data users cannot recognise it.
_RECOGNISABLE = (
    "All suppressed cells would be counts of 1 to {}. A data user who knows the rule could infer that. Mark "
    "another cell."
)


@dataclass(frozen=True, eq=False)
class OptimalPattern:
    """Optimal suppression pattern for the sensitive cells, or the reason why there is none."""

    hidden: Flags | None
    """Mask in the shape of the sheet."""
    cost: float = 0.0
    """Cost of the secondary cells."""
    people: int = 0
    cells: int = 0
    narrowest: float = 0.0
    optimal: bool = True
    least: float = 0.0
    """Lower bound of the cost of every pattern that protects."""
    problem: str = ""
    remaining: Remaining | None = None
    """Result of an audit of the pattern, None if there is no pattern."""


class Boxes(NamedTuple):
    """Rectangle patterns for the first sensitive count: one secondary cell at each of the other corners."""

    around: Cell
    """The sensitive count."""
    corners: tuple[Cell, ...]
    """Opposite corner of each rectangle."""
    people: Floats
    values: Floats
    """Number of possible values of the sensitive count."""
    size: int
    """Number of suppressed cells: 4 in a two-way table, 8 in a three-way table."""


class CellEffect(NamedTuple):
    """Effect of publishing one cell of the optimal pattern on the sensitive cells."""

    cell: Cell
    weakest: Cell
    values: float
    together: int = 0
    """Number of people in the suppressed cells of a total, if it is 1 or 2: each of them knows the other."""
    insider: InsiderDisclosure | None = None
    """Respondents who would know too much although external intruders do not."""


class InsiderDisclosure(NamedTuple):
    """Respondents who can estimate a sensitive count more precisely than allowed."""

    cell: Cell
    who: tuple[Cell, ...]
    """Cells of the respondents; empty for an external intruder."""


class PatternRequest(NamedTuple):
    """Requirements of a suppression pattern.

    Attributes
    ----------
    sensitive : tuple of (row, column)
        Cells that must keep at least `width` possible values.
    width : int
    cost : {"value", "cell"}
        Default cost of a suppressed cell: its value, or 1.
    coalition : int
        Number of respondents who may share their knowledge; 0 protects against external intruders only.
    frozen : tuple of (row, column)
        Cells that must be published.
    costs : tuple of ((row, column), float)
        Costs of single cells, which replace the default.
    disjoint : bool
        Whether the user confirmed that no category is part of another one.
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
    """Return the optimal pattern, or the reason why there is none."""
    if not request.sensitive:
        return OptimalPattern(None, problem="No cell is marked as sensitive, so no suppression is necessary.")
    if not request.disjoint and sheet.possible_hierarchy:
        return OptimalPattern(None, problem=sheet.possible_hierarchy)
    both = set(request.frozen) & set(request.sensitive)
    if both:
        name = sheet.name(min(both))
        return OptimalPattern(
            None,
            problem=f"The cell {name} is marked as sensitive and as kept published. Remove one of the two marks.",
        )
    values, primary = sheet.full.ravel(), sheet.mask(request.sensitive)
    # If there are secondary cells, a data user does not know which suppressed cells are small.
    problem = _problem(sheet, request, np.minimum(values, sheet.reader == "rule"), np.inf)
    try:
        pattern = tightened(problem, find_pattern(problem))
    except Unprotectable as error:
        against = " against respondents in the table" if error.inside else ""
        possible = {
            "the required width": True,
            "the coalition": error.inside,
            "the number of cells that are kept published": request.frozen,
        }
        changes = " or ".join(name for name, applies in possible.items() if applies)
        return OptimalPattern(
            None,
            problem=f"No suppression pattern gives the sensitive cells the required interval width{against}. "
            f"Reduce {changes}.",
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
    """Return a pattern for publication, chosen with a secret among patterns close to the optimal one.

    See `core.suppression` for the method.

    Parameters
    ----------
    sheet : Sheet
    request : PatternRequest
        Requirements that `optimise` can meet.
    secret : int

    Returns
    -------
    ndarray of bool
        Mask in the shape of the sheet.
    """
    values = sheet.full.ravel()
    problem = _problem(sheet, request, np.minimum(values, sheet.reader == "rule"), np.inf)
    return find_pattern(problem, audited=False, secret=secret).suppressed.reshape(sheet.full.shape)


def _problem(sheet: Sheet, request: PatternRequest, floor: ArrayLike, ceiling: ArrayLike) -> Problem:
    """Return the problem for the solver, given the bounds that data users know without any total."""
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
        insiders=Insiders.of_counts(sheet.table.counts, sheet.trees, coalition) if coalition else None,
    )


def costs_in(sheet: Sheet, name: str, content: bytes) -> Costs:
    """Return the costs in a file with one column per axis and a column named cost; an empty label means the total.

    Raises
    ------
    InputError
        If a label is not in its axis, or a cost is not positive.
    """
    axes = {axis.name: names for axis, names in zip(sheet.table.axes, sheet.names, strict=True)}
    positions, costs = entries_in(name, axes, "cost", content=content)
    if (costs <= 0).any():
        raise InputError(
            f"{quoted(Path(name).name)} contains a cost of {costs.min():g}; costs must be positive."
        )
    cells = (sheet.cell(tuple(position)) for position in positions.tolist())
    return tuple(zip(cells, costs.tolist(), strict=True))


def insider_disclosure(sheet: Sheet, hidden: Flags, request: PatternRequest) -> InsiderDisclosure | None:
    """Return respondents who can estimate a sensitive count more precisely than allowed, None if there are none.

    Examples
    --------
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
    assert problem.insiders is not None
    people = problem.insiders.contributions
    # Cells have lower numbers than their totals.
    who = [int(people.entries[people.holders == holder].min()) for holder in sorted(failing[0].who)]
    width = sheet.full.shape[1]
    entry, *cells = (divmod(int(number), width) for number in (failing[0].entry, *who))
    return InsiderDisclosure(entry, tuple(cells))


def cell_effects(sheet: Sheet, request: PatternRequest, best: OptimalPattern) -> list[CellEffect]:
    """Return the effect of publishing each secondary cell of the optimal pattern.

    The solver proves that no cheaper pattern exists. These effects show users that each secondary cell is necessary.
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
        effects.append(CellEffect((i, j), weakest, remaining_values, together, insider))
    return effects


def boxes_around(sheet: Sheet, sensitive: tuple[Cell, ...]) -> Boxes | None:
    """Return the rectangle patterns of the first sensitive count that is not a total.

    Adding and subtracting an amount alternately at the corners changes no total. The smallest count among those that
    decrease limits the amount.
    """
    marked = [cell for cell in sensitive if sheet.leaf[cell]]
    if not marked:
        return None
    around, above = sheet.position(marked[0]), sheet.trees[0].parents
    # A data user who knows the rule knows that suppressed counts are not 0.
    least = int(sheet.reader == "rule")
    corners, people, values = list[Cell](), list[float](), list[float]()
    for across in np.ndindex(sheet.table.shape):
        # A rectangle must not change a sub-total; along an axis with one category nothing changes.
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
    """Return the corners of the rectangle between two counts: 4 in a two-way table, 8 in a three-way table.

    Examples
    --------
    >>> from sdcwidgets.dashboards.suppression.sheet import sheet_of
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> box(sheet_of(FrequencyTable([[1, 2], [3, 4]])), (0, 0), (1, 1))
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """
    ends = zip(sheet.position(first), sheet.position(second), strict=True)
    corners = itertools.product(*(dict.fromkeys(pair) for pair in ends))
    return tuple(sheet.cell(corner) for corner in corners)
