"""The page Cell key: a p-table, and the computation of the noise of each count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.formula_lines import signed
from sdcwidgets._util.labels import singular
from sdcwidgets.dashboards.cell_key import charts as plots
from sdcwidgets.dashboards.cell_key import texts
from sdcwidgets.dashboards.cell_key.result import CellKeyResult, compute
from sdcwidgets.dashboards.cell_key.state import MOST_ASKED, CellKeyState
from sdcwidgets.dashboards.page_heads import YOURS, page_for
from sdcwidgets.methods.cellkey import CellKey, handbook_example, modify, parse_p_table, to_argus, to_csv
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, parameter_of, showing
from sdcwidgets.widgets.board import Board, Spot
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import SourceBar

__all__ = ["app"]

FOOT = (
    "Handbook on statistical disclosure control, chapter 5, section 5.4, Tables 5.16 and 5.17; Giessing 2016 (maximum "
    "entropy); Thompson, Broadfoot and Elazar 2013. Each noise value has an interval of cell keys, which includes its "
    "lower end, as in the R package cellKey. This page uses unmixed cell keys, as in the handbook. For publication, "
    "Protect mixes each cell key with a secret. In a cell with a count above 50, all records after the 50th "
    "share one record key. In the handbook, the key of person A is 0.9 in Table 5.17 and 0.5 in the sentence after "
    "the table; the handbook computes with 0.9."
)

#: Maximum numbers of rows and columns that are shown.
MOST_ROWS, MOST_COLUMNS = 40, 16


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial table; default is the religion table.
    """
    start = CellKeyState.of_example("religion") if table is None else CellKeyState(table)
    study = Study(start, compute)
    page = page_for("cell_key", led=True)
    page.bind(study, CellKeyState.from_state, texts.as_code)
    page.hand_over(
        lambda: report_on(study.state, study.result.release, study.state.noise, seed=study.state.seed)
    )
    chain, show_chain = _chain(study)
    follow(study, show_chain)

    def ask() -> None:
        _ask(study, 20)
        page.lead_to(1)

    source = SourceBar(study)
    return page.answering(
        study,
        "How do record keys determine the noise of a count?",
        lambda result: Headline(*texts.headline(result), "Next: request the count 20 times", ask),
        controls=(
            card("Record keys and cell key", _whose(study)),
            card("Settings of the noise", *(_control(study, name) for name in ("D", "V"))),
        ),
        stage=(card("From record keys to a published count", *chain),),
        tabs={
            "Published table": partial(_published, study, source),
            "Repeated requests": partial(_answers, study),
            "Totals that contain the selected cell": partial(_person, study, page),
            "P-table": partial(_p_table_tab, study, page),
        },
        foot=FOOT,
        note=YOURS,
        source=source,
        tab_of_source="Published table",
    )


def _whose(study: Study[CellKeyState, CellKeyResult]) -> Actions:
    def another() -> None:
        people = max(study.result.people, 1)
        study.change(person=(study.state.person + 1) % people)

    def again() -> None:
        study.change(seed=study.state.seed % 1_000_000 + 1)

    buttons = Actions({_next_words(study.state.unit): another, "Draw new record keys": again})
    follow(study, lambda result: buttons.relabel(0, _next_words(result.state.unit)))
    return buttons


def _next_words(unit: str) -> str:
    return f"Select next {singular(unit)} in this cell"


def _chain(study: Study[CellKeyState, CellKeyResult]) -> Part[CellKeyResult]:
    keys, published = (ipywidgets.HTML().add_class("sdc-chain") for _ in range(2))
    line, caption = Chart("Cell-key intervals of one row of the p-table"), Text()

    def show(result: CellKeyResult) -> None:
        keys.value, published.value = texts.chain(result), texts.sum_markup(result)
        line.show(plots.draw_keys, plots.prepare_keys(result))
        caption.show(texts.intervals_caption(result))

    return (keys, line, caption, published), show


def _control(study: Study[CellKeyState, CellKeyResult], name: str) -> Control:
    """Return a control that shows and changes one setting of the p-table."""
    control = Control(parameter_of(CellKey, name), getattr(study.state.noise, name))
    control.on_change(lambda value: study.put(study.state.noised(**{name: value}), gesture=name))
    study.observe(lambda _: control.show(getattr(study.state.noise, name)), "turn")
    return control


def _p_table_tab(study: Study[CellKeyState, CellKeyResult], page: Page) -> Part[CellKeyResult]:
    controls = [_control(study, name) for name in ("js", "pstay", "monotone")]
    dots = Text(
        "Each dot is a noise value, and the area of the dot is the probability. Blue = row of the selected "
        "cell. ◆ = noise of the selected cell."
    )
    checks = Readings("Checks of the p-table")
    checks.on_explain(
        lambda _: page.explain("Noise values in one row of the p-table", texts.explain_check(study.result))
    )

    def save(name: str, write: Callable[[Any], str]) -> Callable[[], None]:
        return lambda: files.file(name, write(study.result.p_table).encode())

    def shuffle() -> None:
        study.change(p_table_text=to_csv(modify(study.result.p_table, 0.2, study.state.seed)))

    def load_handbook_p_table() -> None:
        study.change(p_table_text=to_csv(handbook_example()))

    def take(name: str, content: bytes) -> None:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(
                f"{name} is not a text file. A p-table must be a CSV file with the columns i, j, p and v."
            ) from None
        parse_p_table(text)
        study.change(p_table_text=text)

    files = Actions(
        {
            "Export p-table (CSV)": save("p-table.csv", to_csv),
            "Export p-table for τ-ARGUS": save("p-table-tau-argus.txt", to_argus),
            "Export p-table for SAS": save("p-table-sas.csv", partial(to_argus, lower=True)),
            "Shuffle intervals": shuffle,
            "Load p-table of the handbook": load_handbook_p_table,
        },
        {"Open p-table": take},
    )

    def rule(result: CellKeyResult) -> str:
        if result.state.p_table_text:
            return "This p-table is from a file. If you move a slider, a new p-table is computed."
        return texts.rule(result.state.noise)

    return showing(
        *controls,
        heading("Conditions that the p-table meets"),
        (Text(), rule),
        (checks, texts.checked),
        files,
        dots,
        (Chart("Noise distribution by count"), plots.draw_noise, plots.prepare_noise),
    )


def _person(study: Study[CellKeyState, CellKeyResult], page: Page) -> Part[CellKeyResult]:
    answer = Answer("Original and published count of the selected cell", page)
    margins = Readings("Totals that contain the selected cell")
    margins.on_explain(
        lambda _: page.explain("Computation of a published count", texts.explain(study.result))
    )
    return showing((answer, texts.narration), (margins, texts.margin_readings))


def _published(study: Study[CellKeyState, CellKeyResult], source: SourceBar) -> Part[CellKeyResult]:
    grid = Grid(title="Original table", hint="To edit a count, type a number and press Enter.")
    grid.add_class("sdc-compact")
    edit_table(grid, study)
    board = Board("Published", show_title=False, brief=True)
    totals = Text()
    board.on_press(lambda row, column: study.change(cell=(row, column), person=0, asks=1))

    def show(result: CellKeyResult) -> None:
        state = result.state
        grid.show(state.seen, state.unchanged(study.start))
        totals.show(texts.additivity(result))
        _show_board(board, result)

    return (
        board,
        totals,
        heading("Original counts (confidential)"),
        source,
        grid,
    ), show


def _show_board(board: Board, result: CellKeyResult) -> None:
    """Show the published table, its non-additive totals, and their differences."""
    rows, columns = result.original.axes
    height, width = min(len(rows), MOST_ROWS), min(len(columns), MOST_COLUMNS)
    original = result.original.counts
    cells = result.release.cells.astype(int)
    spots = []
    for i in range(height):
        line = [
            _spot(
                f"{rows.labels[i]}, {columns.labels[j]}",
                int(original[i, j]),
                int(cells[i, j]),
                (i, j) == result.cell,
            )
            for j in range(width)
        ]
        spots.append(
            [
                *line,
                _total(int(result.release.marginal(rows.name)[i]), int(result.margin_discrepancies[0,][i])),
            ]
        )
    bottom = [
        _total(int(value), int(off))
        for value, off in zip(
            result.release.marginal(columns.name)[:width],
            result.margin_discrepancies[1,][:width],
            strict=True,
        )
    ]
    spots.append([*bottom, _total(int(result.release.marginal()), int(result.margin_discrepancies[()]))])
    part = ""
    if (height, width) != original.shape:
        part = f" The first {height} of {len(rows):,} rows and {width} of {len(columns):,} columns are shown."
    note = (
        f"Select a count to trace one {singular(result.state.unit)} in that cell. ≠ = not equal to the sum of its "
        f"cells, which is in small print.{part}"
    )
    board.show(
        rows.name, [*rows.labels[:height], "Total"], [*columns.labels[:width], "Total"], spots, note=note
    )


def _spot(name: str, original: int, published: int, chosen: bool) -> Spot:
    change = signed(published - original) if published != original else ""
    return Spot(
        f"{published:,}",
        f"{name}: published {', '.join(filter(None, (f'{published:,}', change)))}, original {original:,}",
        small=change,
        look=f"{'zero' if original == 0 else ''} {'chosen' if chosen else ''}".strip(),
        pressed=chosen,
    )


def _total(value: int, off: int) -> Spot:
    return Spot(f"{value:,}{' ≠' if off else ''}", small=f"{value - off:,}" if off else "", look="total")


def _ask(study: Study[CellKeyState, CellKeyResult], times: int) -> None:
    study.put(replace(study.state, asks=min(MOST_ASKED, study.state.asks + times)), gesture="asks")


def _answers(study: Study[CellKeyState, CellKeyResult]) -> Part[CellKeyResult]:
    chart = (Chart("Results of repeated requests for one count"), plots.draw_answers, plots.prepare_answers)
    buttons = Actions(
        {"Request again": partial(_ask, study, 1), "Clear results": partial(study.change, asks=1)}
    )
    return showing((Text(), texts.repeated_answers), buttons, chart)
