"""Settings of methods that are more than a number: a matrix of probabilities, and groups of categories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.methods.base import Chances
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Text, heading
from sdcwidgets.widgets.studies.base import Study
from sdcwidgets.widgets.ticks import MOST_TICKED, Ticks

#: What a parameter is changed with: its name and the new value.
Change = Callable[[str, Any], None]

#: Probabilities are shown and typed as whole numbers of this.
WHOLE = 1000

HINT = (
    "In thousandths. A chance that you type is taken from the diagonal of its row, and one on the diagonal from the "
    "rest of its row: each row keeps its sum."
)


class MatrixGrid(ipywidgets.VBox):
    """A matrix of probabilities in thousandths, of which each row keeps its sum when a cell is edited."""

    def __init__(self, parameter: Parameter, study: Study[Any, Any], change: Change) -> None:
        self._study = study
        self._name, self._label = parameter.name, parameter.label
        self._chances: Chances | None = None
        self._grid = Grid(title=parameter.label, hint=f"{parameter.help} {HINT}")
        self._used = Grid(title="What is drawn from", hint="", editable=False)
        for grid in (self._grid, self._used):
            grid.add_class("sdc-compact").add_class("sdc-unmarked")
        self._grid.on_edit(lambda counts: change(self._name, self._edited(counts)))
        super().__init__()
        self.show(None)

    def show(self, _: object) -> None:
        """Show the matrix of the method that is chosen, on the table at hand."""
        matrices = self._study.state.method.chances(self._study.state.table)
        if matrices is None:
            self.children = (Text(f"{self._label}: too many categories to show the matrix."),)
            return
        self._chances, used = matrices
        _fill(self._grid, self._chances)
        children = [heading(f"{self._label}, in thousandths"), self._grid]
        if used is not None:
            _fill(self._used, used)
            children += [heading("R = P Q, what is drawn from: tR = t"), self._used]
        if len(children) != len(self.children):
            self.children = tuple(children)

    def _edited(self, counts: NDArray[np.int64]) -> list[list[float]]:
        assert self._chances is not None  # the grid is shown with it
        matrix = self._chances.matrix.copy()
        for row in np.flatnonzero((counts != self._grid.counts).any(axis=1)).tolist():
            label = self._chances.rows[row]
            matrix[row] = edited_row(matrix[row], self._grid.counts[row], counts[row], row, label)
        changed: list[list[float]] = matrix.tolist()
        return changed


def _fill(grid: Grid, chances: Chances) -> None:
    whole = thousandths(chances.matrix)
    grid.update(
        row_name="true",
        column_name="published",
        rows=chances.rows,
        columns=chances.columns,
        counts=whole,
        row_margin={"title": "Sum", "values": [f"{total:,}" for total in whole.sum(axis=1).tolist()]},
    )


def thousandths(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return each row as whole numbers that sum to 1,000: those nearest to the next one go up.

    >>> thousandths(np.array([[0.5, 0.5, 0], [0.9, 1 / 60, 1 / 12]]))
    array([[500, 500,   0],
           [900,  17,  83]])
    """
    exact = np.asarray(matrix, dtype=np.float64) * WHOLE
    whole = np.floor(exact + 1e-9).astype(np.int64)
    rank = np.argsort(np.argsort(whole - exact, axis=1, kind="stable"), axis=1)
    rounded: NDArray[np.int64] = whole + (rank < (WHOLE - whole.sum(axis=1))[:, np.newaxis])
    return rounded


def edited_row(
    row: NDArray[np.float64], before: NDArray[np.int64], after: NDArray[np.int64], diagonal: int, label: str
) -> NDArray[np.float64]:
    """Return a row of probabilities after an edit of its thousandths; it keeps its sum.

    Parameters
    ----------
    row : ndarray of float
        The probabilities before.
    before, after : ndarray of int
        What was shown, and what was typed.
    diagonal : int
        The column of the diagonal; the last one where the row has none.
    label : str
        Of the row, for the sentence that refuses the edit.

    Examples
    --------
    >>> row, shown = np.array([0.8, 0.1, 0.1]), np.array([800, 100, 100])
    >>> edited_row(row, shown, np.array([800, 300, 100]), 0, "A").round(6).tolist()
    [0.6, 0.3, 0.1]
    >>> edited_row(row, shown, np.array([400, 100, 100]), 0, "A").round(6).tolist()
    [0.4, 0.3, 0.3]
    """
    diagonal = min(diagonal, len(row) - 1)
    changed = before != after
    if after.max() > WHOLE:
        raise InputError(
            f"Row {quoted(label)} has a chance of {after.max():,} thousandths; one is at most {WHOLE:,}."
        )
    result = np.where(changed, after / WHOLE, row)
    others = np.arange(len(row)) != diagonal
    if not changed[diagonal]:
        rest = float(result[others].sum())
        if rest > 1 + 1e-9:
            raise InputError(
                f"The chances beside the diagonal of row {quoted(label)} sum to {rest * WHOLE:,.0f} thousandths; they "
                f"may sum to {WHOLE:,} at most."
            )
        result[diagonal] = max(0.0, 1 - rest)
    elif not changed[others].any():
        rest = float(row[others].sum())
        if rest <= 0 and after[diagonal] < WHOLE:
            raise InputError(
                f"Row {quoted(label)} has no other chance that could grow; type it there, and the diagonal follows."
            )
        result[others] = row[others] * ((1 - result[diagonal]) / rest if rest > 0 else 0)
    elif after.sum() != WHOLE:
        raise InputError(
            f"Row {quoted(label)} sums to {after.sum():,} thousandths; it must sum to {WHOLE:,}."
        )
    # All in it was typed, or summed up to 1; what is lost in adding up goes to the greatest.
    result[result.argmax()] += 1 - result.sum()
    return result


class GroupTicks(ipywidgets.VBox):
    """Categories of the variable of a method to tick and put together, and to take apart again."""

    def __init__(self, parameter: Parameter, study: Study[Any, Any], change: Change) -> None:
        self._study, self._name, self._change = study, parameter.name, change
        self._ticks = Ticks()
        self._groups = Text()
        self._actions = Actions({"Put the ticked together": self._together, "Take them apart": self._apart})
        super().__init__(
            [heading(parameter.label), Text(parameter.help), self._ticks, self._actions, self._groups]
        )
        self.show(getattr(study.state.method, parameter.name))

    def show(self, groups: Any) -> None:
        """Offer the categories that are in no group yet, and tell the groups."""
        table, method = self._study.state.table, self._study.state.method
        labels = table.axes[table.axis_along(method.axis)].labels
        taken = {label for group in groups for label in group}
        self._ticks.show([label for label in labels if label not in taken])
        many = len(labels) - len(taken) > MOST_TICKED
        self._groups.show(
            f"{len(labels):,} categories are too many to tick: choose a smallest count."
            if many
            else " ".join(f"Together: {', '.join(group)}." for group in groups)
        )

    def _together(self) -> None:
        chosen = self._ticks.ticked
        if len(chosen) < 2:
            raise InputError(f"{len(chosen)} categories are ticked; tick at least two to put them together.")
        groups = getattr(self._study.state.method, self._name)
        self._change(self._name, (*groups, tuple(chosen)))

    def _apart(self) -> None:
        self._change(self._name, ())
