"""Two editable rows of counts in a lesson, before and after protection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import ipywidgets
import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets.core.assignment import count, enumerate_assignments, expected_channel, people
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons.quantities import pair_readings, stay_reading
from sdcwidgets.teaching.lessons.row import Readout
from sdcwidgets.teaching.lessons.stored_state import store_inputs
from sdcwidgets.widgets.binding import edit_table, follow
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.texts import Quantity

#: Maximum number of Y variables for a slider.
MOST_STEPS = 1_000


@dataclass(frozen=True)
class TwoRows:
    """Two rows of counts with their quantities and the expected channel."""

    table: FrequencyTable
    readings: tuple[Quantity, ...]
    channel: np.ndarray


def live_pair(before: Sequence[int], after: Sequence[int]) -> ipywidgets.VBox:
    """Return editable counts before and after protection, their channel and entropies.

    Parameters
    ----------
    before : sequence of int
        F, at least two cells.
    after : sequence of int
        G, with the same cells; its total may differ.

    Raises
    ------
    InputError
        If the rows differ in length, or if one of them is empty.

    Examples
    --------
    >>> lesson = live_pair([0, 2, 4], [0, 3, 3])
    >>> grid, channel, readout = lesson.children
    >>> readout.readings[1]["text"], channel.texts[2].tolist()
    ('0.3183', ['0', '0.25', '0.75'])
    """
    study = Study(two_rows(before, after), _pair)
    grid = Grid(title="Counts before and after protection")
    channel = Grid(title="Expected channel", editable=False)
    readout = Readout()
    edit_table(grid, study, lambda counts: study.state.with_counts(counts))

    def show(pair: TwoRows) -> None:
        grid.show(pair.table, hint="To change a count, type a number in the cell and press Enter.")
        labels = pair.table.columns.labels
        stays = np.eye(len(labels), dtype=bool)
        channel.update(
            row_name="",
            rows=tuple(f"from {label}" for label in labels),
            columns=tuple(f"to {label}" for label in labels),
            texts=[[f"{share:.4g}" for share in row] for row in pair.channel.tolist()],
            shade=np.where(stays, -pair.channel, pair.channel),
            hint="Each row shows the expected shares of the people of one original cell in "
            "the published cells. Blue = people who stay in their cell. Orange = people who move.",
        )
        readout.show(pair.readings)

    follow(study, show)
    store_inputs(readout, f"pair {before} {after}", grid=grid)
    return ipywidgets.VBox([grid, channel, readout]).add_class("sdc-lesson")


def step_through(before: Sequence[int], after: Sequence[int]) -> ipywidgets.VBox:
    """Return a slider through all Y variables.

    Each shows the cell of every person before and after, and how many people stay.

    Raises
    ------
    InputError
        If the rows differ in length or total, or if there are more than 1,000 Y variables.

    Examples
    --------
    >>> slider, grid, readout = step_through([0, 2, 4], [0, 3, 3]).children
    >>> grid.texts.tolist()
    [['B', 'B', 'C', 'C', 'C', 'C'], ['B', 'B', 'B', 'C', 'C', 'C']]
    >>> readout.readings[0]["text"]
    '5 of 6'
    """
    table = two_rows(before, after)
    F, G = table.counts
    if F.sum() != G.sum():
        raise InputError(f"There are {F.sum()} people before and {G.sum()} after; the totals must be equal.")
    size = count(F, G)
    if not 1 < size <= MOST_STEPS:
        raise InputError(f"These rows have {size:,} Y variables; choose rows with 2 to {MOST_STEPS:,}.")
    labels, X = np.array(table.columns.labels), people(F)
    every = np.array(list(enumerate_assignments(F, G)))
    slider = Control(Parameter("number", int, 1, f"Which of the {size} ways", range=Range(1, size, 1)))
    grid, readout = Grid(title="Original and published cell of each person", editable=False), Readout()

    def show(_: object = None) -> None:
        Y = every[slider.value - 1]
        grid.update(
            rows=("Before", "After"),
            columns=tuple(f"a{k + 1}" for k in range(len(X))),
            texts=[labels[X].tolist(), labels[Y].tolist()],
            shade=np.stack([np.zeros(len(X)), np.where(X == Y, 0.0, 1.0)]),
            hint="Orange = a person whose cell after protection differs from the original cell.",
        )
        readout.show([stay_reading(int((X == Y).sum()), len(X), int(np.minimum(F, G).sum()))])

    slider.observe(show, "value")
    show()
    store_inputs(readout, f"steps {before} {after}", [slider])
    return ipywidgets.VBox([slider, grid, readout]).add_class("sdc-lesson")


def two_rows(before: Sequence[int], after: Sequence[int]) -> FrequencyTable:
    """Return counts before and after as a table of two rows with cells A, B, C ...

    Raises
    ------
    InputError
        If the rows differ in length or have fewer than two cells.
    """
    cells = list(ascii_uppercase[: len(before)])
    table = FrequencyTable([before, after], {"Counts": ["Before, F", "After, G"], "Cell": cells})
    if len(cells) < 2:
        raise InputError("A row must have at least two cells.")
    return table


def _pair(table: FrequencyTable) -> TwoRows:
    F, G = table.counts
    if not (F.any() and G.any()):
        raise InputError("Each row must have at least one person.")
    return TwoRows(table, tuple(pair_readings(F, G)), expected_channel(F, G))
