"""Settings of methods with special controls: transition matrices, and groups of categories."""

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
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.ticks import MOST_TICKED, Ticks

#: Function that changes a parameter, given its name and the new value.
Change = Callable[[str, Any], None]

#: Probabilities are shown in thousandths.
WHOLE = 1000

HINT = (
    "The transition probabilities are in thousandths, and each row sums to 1,000. If you change a "
    "probability, the diagonal of its row is adjusted; if you change a diagonal value, the rest of the row "
    "is adjusted."
)


class MatrixGrid(ipywidgets.VBox):
    """A transition matrix in thousandths; each row keeps its sum when a cell is edited."""

    def __init__(self, parameter: Parameter, study: Study[Any, Any], change: Change) -> None:
        self._study = study
        self._name, self._label = parameter.name, parameter.label
        self._chances: Chances | None = None
        self._grid = Grid(title=parameter.label, hint=f"{parameter.help} {HINT}")
        self._used = Grid(title="Transition matrix for drawing new values", hint="", editable=False)
        for grid in (self._grid, self._used):
            grid.add_class("sdc-compact").add_class("sdc-unmarked")
        self._grid.on_edit(lambda counts: change(self._name, self._edited(counts)))
        super().__init__()
        self.show(None)

    def show(self, _: object) -> None:
        """Show the matrix of the selected method for the current table."""
        matrices = self._study.state.method.chances(self._study.state.table)
        if matrices is None:
            self.children = (Text(f"{self._label}: the table has too many categories to show the matrix."),)
            return
        self._chances, used = matrices
        _fill(self._grid, self._chances)
        children = [heading(f"{self._label}, in thousandths"), self._grid]
        if used is not None:
            _fill(self._used, used)
            children += [
                heading("Transition matrix for drawing new values: R = P Q, with tR = t"),
                self._used,
            ]
        if len(children) != len(self.children):
            self.children = tuple(children)

    def _edited(self, counts: NDArray[np.int64]) -> list[list[float]]:
        assert self._chances is not None  # the grid is shown only with a matrix
        matrix = self._chances.matrix.copy()
        for row in np.flatnonzero((counts != self._grid.counts).any(axis=1)).tolist():
            label = self._chances.rows[row]
            matrix[row] = edited_row(matrix[row], self._grid.counts[row], counts[row], row, label)
        changed: list[list[float]] = matrix.tolist()
        return changed


def _fill(grid: Grid, chances: Chances) -> None:
    whole = thousandths(chances.matrix)
    grid.update(
        row_name="original",
        column_name="published",
        rows=chances.rows,
        columns=chances.columns,
        counts=whole,
        row_margin={"title": "Sum", "values": [f"{total:,}" for total in whole.sum(axis=1).tolist()]},
    )


def thousandths(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return each row as integers that sum to 1,000, by the largest remainders.

    Examples
    --------
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
        Probabilities before the edit.
    before : ndarray of int
        Thousandths before the edit.
    after : ndarray of int
        Thousandths after the edit.
    diagonal : int
        Column of the diagonal; the last one if the row has none.
    label : str
        Label of the row, for error messages.

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
            f"Row {quoted(label)} has a probability of {after.max():,} thousandths; it must not exceed {WHOLE:,}."
        )
    result = np.where(changed, after / WHOLE, row)
    others = np.arange(len(row)) != diagonal
    if not changed[diagonal]:
        rest = float(result[others].sum())
        if rest > 1 + 1e-9:
            raise InputError(
                f"The other probabilities of row {quoted(label)} sum to {rest * WHOLE:,.0f} thousandths; "
                f"their sum must not exceed {WHOLE:,}."
            )
        result[diagonal] = max(0.0, 1 - rest)
    elif not changed[others].any():
        rest = float(row[others].sum())
        if rest <= 0 and after[diagonal] < WHOLE:
            raise InputError(
                f"All other probabilities of row {quoted(label)} are 0. Change one of them instead of the diagonal."
            )
        result[others] = row[others] * ((1 - result[diagonal]) / rest if rest > 0 else 0)
    elif after.sum() != WHOLE:
        raise InputError(
            f"Row {quoted(label)} sums to {after.sum():,} thousandths; it must sum to {WHOLE:,}."
        )
    # Rounding errors are added to the largest probability.
    result[result.argmax()] += 1 - result.sum()
    return result


class GroupTicks(ipywidgets.VBox):
    """Tick boxes for categories of the variable of a method, which can be merged and separated again."""

    def __init__(self, parameter: Parameter, study: Study[Any, Any], change: Change) -> None:
        self._study, self._name, self._change = study, parameter.name, change
        self._ticks = Ticks()
        self._groups = Text()
        self._actions = Actions({"Merge selected": self._together, "Undo merge": self._apart})
        super().__init__(
            [heading(parameter.label), Text(parameter.help), self._ticks, self._actions, self._groups]
        )
        self.show(getattr(study.state.method, parameter.name))

    def show(self, groups: Any) -> None:
        """Show tick boxes for the categories that are in no group, and list the groups."""
        table, method = self._study.state.table, self._study.state.method
        labels = table.axes[table.axis_along(method.axis)].labels
        taken = {label for group in groups for label in group}
        self._ticks.show([label for label in labels if label not in taken])
        many = len(labels) - len(taken) > MOST_TICKED
        self._groups.show(
            f"The variable has {len(labels):,} categories, which are too many to select. Set a minimum "
            f"count instead."
            if many
            else " ".join(f"Merged: {', '.join(group)}." for group in groups)
        )

    def _together(self) -> None:
        chosen = self._ticks.ticked
        if len(chosen) < 2:
            raise InputError(f"{len(chosen)} categories are selected. Select at least two to merge them.")
        groups = getattr(self._study.state.method, self._name)
        self._change(self._name, (*groups, tuple(chosen)))

    def _apart(self) -> None:
        self._change(self._name, ())
