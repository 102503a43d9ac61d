"""Editable row of counts in a lesson, with the quantities that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase
from typing import Annotated, Any, Self

import ipywidgets
import numpy as np
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.assessment.assessment import Assessment, Settings, assess
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons import STATIC
from sdcwidgets.teaching.lessons.quantities import READINGS
from sdcwidgets.teaching.lessons.stored_state import StoredState, store_inputs
from sdcwidgets.widgets.binding import TYPED, edit_table, follow, settings_control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.texts import Quantity


@dataclass(frozen=True)
class RowSettings(Settings):
    """Settings of a row of counts."""

    times: Annotated[
        int,
        Range(1, 100),
        Label("Number of copies of each person"),
        Help("Number by which every count of the row is multiplied."),
    ] = 1
    empty: Annotated[
        int,
        Range(0, 20),
        Label("Number of added empty cells"),
        Help("Number of empty cells that are added at the end of the row."),
    ] = 0


@dataclass(frozen=True)
class TypedRow:
    """Typed counts and the settings that are applied to them."""

    typed: FrequencyTable
    settings: RowSettings = field(default_factory=RowSettings)

    @property
    def table(self) -> FrequencyTable:
        """The row that is shown and measured."""
        axis = self.typed.columns
        size = len(axis) + self.settings.empty
        labels = [*axis.labels, *(f"cell {k + 1}" for k in range(len(axis), size))]
        counts = np.zeros(size, dtype=np.int64)
        counts[: len(axis)] = self.typed.counts * self.settings.times
        return FrequencyTable(counts, {axis.name: labels})

    def set(self, **changes: object) -> Self:
        """Return the same counts with other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def retyped(self, counts: np.ndarray) -> Self:
        """Return the row with new typed counts and default settings."""
        typed = self.table.with_counts(counts)
        return replace(self, typed=typed).set(times=1, empty=0)


class Readout(StoredState):
    """List of quantities, each with a bar, a number and a formula."""

    _esm = STATIC / "readout.js"
    _css = STATIC / "readout.css"

    cells: traitlets.List[Any] = traitlets.List().tag(sync=True)
    readings: traitlets.List[object] = traitlets.List().tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def show(self, readings: Sequence[Quantity], cells: Sequence[tuple[str, int]] = ()) -> None:
        """Show quantities, and above them the cells of a row by label and count."""
        highest = max((count for _, count in cells), default=0)
        with self.hold_sync():
            self.cells = [[label, count, count / highest] for label, count in cells]
            self.readings = [reading._asdict() for reading in readings]
            self.turn += 1


def live_row(
    row: Sequence[int] | FrequencyTable, show: Sequence[str] = ("guess",), turn: Sequence[str] = ()
) -> ipywidgets.VBox:
    """Return an editable row of counts with quantities and sliders.

    Parameters
    ----------
    row : sequence of int or FrequencyTable
        Counts, whose cells are named A, B, C ..., or a table with one axis.
    show : sequence of str
        Quantities: "guess", "entropy", "zeros", "unevenness", "size", "risk", "weight-free".
    turn : sequence of str
        Sliders: "times", "empty", "weights".

    Raises
    ------
    InputError
        If the row has fewer than two cells, or if all counts are zero.

    Examples
    --------
    >>> lesson = live_row([0, 2, 4], show=["entropy"])
    >>> grid, readout, *sliders = lesson.children
    >>> readout.readings[0]["text"]
    '0.6365'
    >>> grid.edit([(0, 0, "3"), (0, 1, "3"), (0, 2, "3")])
    >>> readout.readings[0]["text"]
    '1.0986'
    """
    if not isinstance(row, FrequencyTable):
        row = FrequencyTable(row, {"Cell": list(ascii_uppercase[: len(row)])})
    if row.ndim != 1 or row.cells < 2:
        raise InputError(f"The table must be one row with at least two cells, not {row!r}.")
    study = Study(TypedRow(row), _assess)
    grid, readout = Grid(title="Row of counts"), Readout()
    edit_table(grid, study, lambda counts: study.state.retyped(counts[0]))

    def show_row(result: Assessment) -> None:
        grid.update(
            column_name=result.table.columns.name,
            columns=result.table.columns.labels,
            rows=("People",),
            counts=result.table.counts[None, :],
            hint=TYPED,
        )

    def show_readings(result: Assessment) -> None:
        cells = list(zip(result.table.columns, result.table.counts.tolist(), strict=True))
        readout.show([READINGS[name](result) for name in show], cells)

    follow(study, show_row, show_readings)
    sliders = [settings_control(study, name, show_help=name != "weights") for name in turn]
    name = f"row {row.counts.tolist()} {show} {turn}"
    store_inputs(readout, name, sliders, grid, lambda: study.state.typed.counts[None, :])
    return ipywidgets.VBox([grid, readout, *sliders]).add_class("sdc-lesson")


def _assess(row: TypedRow) -> Assessment:
    if row.table.total == 0:
        raise InputError("All counts would be zero. At least one person must be counted.")
    return assess(row.table, weights=row.settings.weights)
