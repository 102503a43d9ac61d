"""Information loss in a lesson: two editable rows, and a method with a slider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import ipywidgets
import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.assessment.replications import replicate
from sdcwidgets.core.risk.population import r1
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method, get
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons.pairs import two_rows
from sdcwidgets.teaching.lessons.quantities import loss_readings, method_readings
from sdcwidgets.teaching.lessons.row import Readout
from sdcwidgets.teaching.lessons.stored_state import store_inputs
from sdcwidgets.widgets.binding import edit_table, follow, parameter_of
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.texts import Quantity

#: Number of replicates per mean: sufficient for two digits, and fast enough for a slider.
DRAWS = 200


def live_loss(before: Sequence[int], after: Sequence[int]) -> ipywidgets.VBox:
    """Return editable counts before and after protection with four loss measures.

    Parameters
    ----------
    before : sequence of int
        F, at least two cells.
    after : sequence of int
        G, with the same cells; its total may differ.

    Raises
    ------
    InputError
        If the rows differ in length, or if the first row is empty.

    Examples
    --------
    PSD 2014, section 2.3:

    >>> grid, readout = live_loss([0, 2, 4], [0, 3, 3]).children
    >>> readout.readings[2]["label"], readout.readings[2]["text"]
    ('Hellinger distance HD', '0.2940')
    """
    study = Study(two_rows(before, after), _loss_quantities)
    grid, readout = Grid(title="Counts before and after protection"), Readout()
    edit_table(grid, study, lambda counts: study.state.with_counts(counts))

    def show(result: tuple[FrequencyTable, list[Quantity]]) -> None:
        table, readings = result
        grid.show(table, hint="To change a count, type a number in the cell and press Enter.")
        readout.show(readings)

    follow(study, show)
    store_inputs(readout, f"loss {before} {after}", grid=grid)
    return ipywidgets.VBox([grid, readout]).add_class("sdc-lesson")


def _loss_quantities(table: FrequencyTable) -> tuple[FrequencyTable, list[Quantity]]:
    before, after = table.counts
    if not before.any():
        raise InputError("The row before protection must have at least one person.")
    return table, loss_readings(before, after)


@dataclass(frozen=True)
class Turned:
    """A method with its settings, and the number of the displayed replicate."""

    method: Method
    draw: int = 1


@dataclass(frozen=True)
class Result:
    """A protected table, and the average effects of its method."""

    protected: FrequencyTable
    readings: tuple[Quantity, ...]


def turn_method(table: FrequencyTable, method: str, parameter: str) -> ipywidgets.VBox:
    """Return a slider for a method setting, a protected table, and average effects.

    Parameters
    ----------
    table : FrequencyTable
        Table with two axes.
    method : str
        Name of a method.
    parameter : str
        Name of a parameter of the method with a range.

    Raises
    ------
    InputError
        If the method does not exist, or if the table does not have two axes.

    Examples
    --------
    >>> from sdcwidgets.tables import examples
    >>> base, draw, grid, readout = turn_method(examples.load("sex"), "random-rounding", "base").children
    >>> base.value, bool((grid.counts % 3).any())
    (3, False)
    >>> base.request = {"value": 10}
    >>> bool((grid.counts % 10).any())
    False
    """
    start = get(method)()
    risk = float(r1(table.counts))

    def draw(state: Turned) -> Result:
        after = replicate(table, state.method, Settings(replications=DRAWS))
        protected = state.method.apply(table, np.random.default_rng(state.draw))
        return Result(protected, tuple(method_readings(risk, after)))

    study = Study(Turned(start), draw)
    setting = Control(parameter_of(type(start), parameter), getattr(start, parameter), show_help=True)
    number = Control(Parameter("draw", int, 1, "Replicate shown", range=Range(1, 20, 1)))
    grid, readout = Grid(title=f"Protected table: {start.title}", editable=False), Readout()

    def turn(**changes: object) -> None:
        study.put(with_fields(study.state, **changes))

    setting.on_change(lambda value: turn(method=with_fields(study.state.method, **{parameter: value})))
    number.on_change(lambda value: turn(draw=value))

    def show(result: Result) -> None:
        grid.show(result.protected, table)
        readout.show(result.readings)

    follow(study, show)
    store_inputs(readout, f"method {method} {parameter} {table.shape}", [setting, number])
    return ipywidgets.VBox([setting, number, grid, readout]).add_class("sdc-lesson")
