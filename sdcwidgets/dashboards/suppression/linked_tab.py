"""Linked tables on the page Suppression: tables of the user, and the three tables of O&DF, section 4.5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import ipywidgets

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.suppression import texts
from sdcwidgets.dashboards.suppression.files import linked_csv
from sdcwidgets.dashboards.suppression.linked_tables import (
    LETTERS,
    LINKED,
    SHAPE,
    Pair,
    linked_pattern,
    pairs_of,
)
from sdcwidgets.dashboards.suppression.result import SuppressionResult, SuppressionStudy
from sdcwidgets.methods.suppressing import SuppressedTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part, reveal, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.controls import Controls
from sdcwidgets.widgets.page import Text, heading
from sdcwidgets.widgets.page_state.reporting import title_of


def linked_tables(study: SuppressionStudy) -> Part[SuppressionResult]:
    """Return the tab of linked tables: tables of the user, and tables of O&DF."""
    return showing(_own(study), _of_paper(study))


def _own(study: SuppressionStudy) -> Part[SuppressionResult]:
    layout = {"flex_flow": "row wrap", "grid_gap": "2px 20px"}
    message, boards = Text(), ipywidgets.Box(layout=layout)
    switches = Controls[Pair](lambda pair, on: study.put(study.state.with_pair(pair, on)), layout=layout)
    drawn: list[object] = []

    def save() -> None:
        gaps = study.result.own_linked_tables.suppressed
        if gaps is not None:
            files.file("linked.csv", linked_csv(gaps, title_of(study.state)), study.state.title)

    files = Actions({"Export linked tables (CSV)": save})

    def show(result: SuppressionResult) -> None:
        state, tables = result.state, result.own_linked_tables
        pairs = {pair: Parameter("table", bool, False, " by ".join(pair)) for pair in pairs_of(state.table)}
        switches.show(pairs, lambda pair: pair in state.tables)
        if drawn == [tables]:
            return
        drawn[:] = [tables]
        message.show(tables.sentence)
        reveal(tables.suppressed, files)
        boards.children = () if tables.suppressed is None else _published(tables.suppressed, state.tables)

    return (heading("Linked two-way tables of your data"), message, switches, boards, files), show


def _published(gaps: SuppressedTable, tables: Sequence[Pair]) -> tuple[ipywidgets.Widget, ...]:
    """Return boards of the published tables with their suppressed cells."""
    boards = []
    for pair in tables:
        (rows, columns), counts, kinds = gaps.table(*pair)
        board = Board(" by ".join(pair), brief=True).add_class("sdc-board-narrow")
        spots = [
            [_own_spot(f"{row}, {column}", counts[i, j], kinds[i, j]) for j, column in enumerate(columns)]
            for i, row in enumerate(rows)
        ]
        board.show(" × ".join(pair), rows, columns, spots)
        boards.append(board)
    return tuple(boards)


def _own_spot(name: str, count: int, kind: str) -> Spot:
    if not kind:
        return Spot(f"{count:,}", f"{name}: {count:,}")
    small = kind == "primary"
    description = f"{name}: {count:,}, suppressed, {'small count' if small else 'secondary suppression'}"
    return Spot("×", description, look="hidden", badge="⚑" * small)


def _of_paper(study: SuppressionStudy) -> Part[SuppressionResult]:
    intro = Text(
        "Turnover by activity a, size s and region r. The three-way table is not published; its three two-way tables "
        "are published without totals. The suppression of a cell has an effect only if it lowers the rank of the "
        "equations. Select a cell to suppress it (×)."
    )
    ranks = Board("Rank of the released equations, and expected risk of a turnover", show_title=False)
    pattern_a, show_a = _linked_pattern(study, "pattern_a", "A")
    pattern_b, show_b = _linked_pattern(study, "pattern_b", "B")

    def show(result: SuppressionResult) -> None:
        show_a(result)
        show_b(result)
        first, second = result.linked_ranks
        columns = [
            "Equations",
            "Rank of the equations without suppression",
            "Rank, A",
            "Degrees of freedom, A",
            "Risk, A",
            "Rank, B",
            "Degrees of freedom, B",
            "Risk, B",
        ]
        lines = [
            [
                first.equations[k],
                first.full_ranks[k],
                first.ranks[k],
                first.unknowns - first.ranks[k],
                texts.risk(first.risk[k]),
                second.ranks[k],
                second.unknowns - second.ranks[k],
                texts.risk(second.risk[k]),
            ]
            for k in range(len(first.names))
        ]
        spots = [[Spot(str(number)) for number in line] for line in lines]
        ranks.show("Released tables", first.names, columns, spots)

    patterns = ipywidgets.Box(
        [pattern_a, pattern_b], layout={"flex_flow": "row wrap", "grid_gap": "12px 44px"}
    )
    law = Text(
        "The rank of the equations falls most if the same rows and columns are suppressed in all tables: by 7 with 12 "
        "suppressed cells, compared with 4 for cells in different rows and columns (O&DF, Propositions 1 to 3). The "
        "risk is 1/log₂ m, averaged over all 36 turnovers, which are not from the paper."
    )
    first = (heading("Effect of suppression in linked tables"), intro, (Text(), texts.linked_comparison))
    return showing(*first, patterns, ((ranks,), show), law)


def _linked_pattern(
    study: SuppressionStudy, pattern: str, letter: str
) -> tuple[ipywidgets.Widget, Callable[[SuppressionResult], None]]:
    """Return the three linked tables with one pattern of suppressed cells."""
    boards = {name: Board(name).add_class("sdc-board-narrow") for name in LINKED}

    def free_or_hide(name: str, i: int, j: int) -> None:
        study.put(study.state.linked_pressed((name, i, j), pattern))

    for name, board in boards.items():
        board.on_press(partial(free_or_hide, name))
    put = {
        "Suppress cells in the same rows": linked_pattern(True),
        "Suppress cells in different rows": linked_pattern(False),
        "Publish all cells of the tables": (),
    }
    actions = Actions(
        {label: partial(study.change, **{pattern: gaps}) for label, gaps in put.items()}  # type: ignore[arg-type]
    )

    def show(result: SuppressionResult) -> None:
        hidden = getattr(result.state, pattern)
        for name, axes in LINKED.items():
            rows, columns = ([f"{LETTERS[axis]}{k + 1}" for k in range(SHAPE[axis])] for axis in axes)
            spots = [
                [
                    _linked_spot(f"{name}, {row}, {column}", (name, i, j) in hidden)
                    for j, column in enumerate(columns)
                ]
                for i, row in enumerate(rows)
            ]
            boards[name].show("", rows, columns, spots, title=f"{name}, pattern {letter}")

    tables = ipywidgets.Box(list(boards.values()), layout={"flex_flow": "row wrap", "grid_gap": "0 20px"})
    return ipywidgets.VBox([heading(f"Pattern {letter}"), actions, tables]), show


def _linked_spot(name: str, gap: bool) -> Spot:
    description = f"{name}: {'suppressed' if gap else 'published'}"
    return Spot("×" if gap else "·", description, look="hidden" if gap else "", pressed=gap)
