"""Suppression by hand: the equations that recalculate a cell, and the steps from one suppressed cell to a pattern."""

from __future__ import annotations

from typing import NamedTuple

from sdcwidgets.dashboards.suppression.result import SuppressionResult
from sdcwidgets.dashboards.suppression.sheet import Cell, SheetLine
from sdcwidgets.dashboards.suppression.state import ODF, ODF_PATTERN, SuppressionState

#: Names of the steps, in their order.
STEPS = ("Suppress one cell", "A second cell", "A rectangle", "Optimal pattern")


class Recalculation(NamedTuple):
    """A total with one unknown cell, which therefore discloses the value of this cell."""

    line: SheetLine
    cell: Cell
    text: str
    """The equation, such as 3,898 − 592 − 329 − 1,437 − 1,440 = 100."""


def opening() -> SuppressionState:
    """Return the state in which the page opens: one suppressed cell, which is recalculable."""
    return SuppressionState(hidden=ODF_PATTERN[:1])


def single_unknown(result: SuppressionResult, cell: Cell, known: set[Cell]) -> list[SheetLine]:
    """Return the totals in which this cell is the only unknown one, its row first."""
    hidden = set(result.state.hidden) - known
    return [line for line in result.state.sheet.through(cell) if hidden.intersection(line.cells) == {cell}]


def recalculations(result: SuppressionResult, cell: Cell) -> list[Recalculation]:
    """Return a sequence of equations with one unknown each; the last one has the value of this cell.

    An equation may contain values of earlier equations. The list is empty if no such sequence exists.
    """
    sequence: list[Recalculation] = []
    known: set[Cell] = set()
    while cell not in known:
        unknown = sorted(set(result.state.hidden) - known, key=lambda other: other != cell)
        lines = {other: single_unknown(result, other, known) for other in unknown}
        following = next((other for other in unknown if lines[other]), None)
        if following is None:
            return []
        line = lines[following][0]
        sequence.append(Recalculation(line, following, _equation(result, following, line)))
        known.add(following)
    return _needed(sequence)


def _needed(sequence: list[Recalculation]) -> list[Recalculation]:
    """Return the equations on which the last one depends, and the last one."""
    needed = {sequence[-1].cell}
    kept = list[Recalculation]()
    for equation in reversed(sequence):
        if equation.cell in needed:
            kept.insert(0, equation)
            needed.update(equation.line.cells)
    return kept


def _equation(result: SuppressionResult, cell: Cell, line: SheetLine) -> str:
    full = result.state.sheet.full
    parts = [f"{full[part]:,}" for part in line.parts if part != cell and full[part]]
    if cell == line.total:
        return f"{' + '.join(parts) or '0'} = {full[cell]:,}"
    return f"{' − '.join([f'{full[line.total]:,}', *parts])} = {full[cell]:,}"


def next_cell(result: SuppressionResult) -> Cell | None:
    """Return the cell of the published pattern of O&DF Table 1 that is suppressed next; None outside this example."""
    state = result.state
    missing = [cell for cell in ODF_PATTERN if cell not in state.hidden]
    if state.seen != ODF or ODF_PATTERN[0] in missing or not set(state.hidden) < set(ODF_PATTERN):
        return None
    return missing[0]


def is_rectangle(result: SuppressionResult) -> bool:
    """Return whether exactly the published pattern of O&DF Table 1 is suppressed."""
    return result.state.seen == ODF and set(result.state.hidden) == set(ODF_PATTERN)


def steps(result: SuppressionResult) -> list[tuple[str, str]]:
    """Return the steps of the example with their status: done, now, stop or todo; none for other tables."""
    state = result.state
    if state.seen != ODF:
        return []
    number = len(state.hidden)
    if result.known:
        position, status = min(number, 3) - 1, "stop"
    elif result.narrowest is not None:
        position, status = 2, "stop"
    else:
        position, status = (3, "now") if number else (0, "now")
    after = len(STEPS) - position - 1
    return list(zip(STEPS, ["done"] * position + [status] + ["todo"] * after, strict=True))
