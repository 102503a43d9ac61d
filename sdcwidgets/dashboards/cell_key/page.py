"""The page Cell key: a p-table, and the source of the noise of each count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.lines import signed
from sdcwidgets.dashboards.cell_key import charts as plots
from sdcwidgets.dashboards.cell_key import texts
from sdcwidgets.dashboards.cell_key.result import CellKeyResult, compute
from sdcwidgets.dashboards.cell_key.state import MOST_ASKED, CellKeyState
from sdcwidgets.dashboards.heads import YOURS, page_for
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
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.studies.base import Study
from sdcwidgets.widgets.studies.reporting import report_on

__all__ = ["app"]

FOOT = (
    "Handbook on statistical disclosure control, chapter 5, section 5.4, Tables 5.16 and 5.17; Giessing 2016 (most "
    "entropy); Thompson, Broadfoot and Elazar 2013. A key belongs to the noise whose interval it is in, lower end "
    "included, as in the R package cellKey. The keys on this page are unmixed, as in the handbook; for publication, "
    "Protect mixes each key with a secret. In a cell of more than 50 people one key stands for those from the 51st "
    "on. Table 5.17 prints A’s key as 0.9 and the sentence after it 0.5; the arithmetic uses 0.9."
)

#: The part of a large table that can be pressed.
MOST_ROWS, MOST_COLUMNS = 40, 16


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        The true counts it begins with; the religion table if not given.
    """
    start = CellKeyState.of_example("religion") if table is None else CellKeyState(table)
    study = Study(start, compute)
    page = page_for("cell_key", led=True)
    page.bind(study, CellKeyState.from_state, texts.as_code)
    page.hand_over(lambda: report_on(study.state, study.result.release, study.state.noise))
    chain, show_chain = _chain(study)
    follow(study, show_chain)

    def ask() -> None:
        _ask(study, 20)
        page.lead_to(1)

    return page.answering(
        study,
        "Why is a count published as another, each time the same?",
        lambda result: Headline(*texts.headline(result), "Next: ask 20 times", ask),
        controls=(
            card("Whose count?", _whose(study)),
            card("How strong is the noise?", *(_control(study, name) for name in ("D", "V"))),
        ),
        stage=(card("From the keys of people to a published count", *chain),),
        tabs={
            "What is published?": partial(_published, study),
            "What if somebody asks again?": partial(_answers, study),
            "Do totals still add up?": partial(_person, study, page),
            "Can I make my own noise?": partial(_p_table_tab, study, page),
        },
        foot=FOOT,
        note=YOURS,
    )


def _whose(study: Study[CellKeyState, CellKeyResult]) -> Actions:
    def another() -> None:
        people = max(study.result.people, 1)
        study.change(person=(study.state.person + 1) % people)

    def again() -> None:
        study.change(seed=study.state.seed % 1_000_000 + 1)

    return Actions({"Another person of this cell": another, "New record keys for everybody": again})


def _chain(study: Study[CellKeyState, CellKeyResult]) -> Part[CellKeyResult]:
    keys, published = (ipywidgets.HTML().add_class("sdc-chain") for _ in range(2))
    line = Chart("The row of the p-table as a line of keys")

    def show(result: CellKeyResult) -> None:
        keys.value, published.value = texts.chain(result), texts.sum_markup(result)
        line.show(plots.draw_keys, plots.prepare_keys(result))

    return (keys, line, published), show


def _control(study: Study[CellKeyState, CellKeyResult], name: str) -> Control:
    """Return the control of one setting of the p-table, bound both ways."""
    control = Control(parameter_of(CellKey, name), getattr(study.state.noise, name))
    control.on_change(lambda value: study.put(study.state.noised(**{name: value}), gesture=name))
    study.observe(lambda _: control.show(getattr(study.state.noise, name)), "turn")
    return control


def _p_table_tab(study: Study[CellKeyState, CellKeyResult], page: Page) -> Part[CellKeyResult]:
    controls = [_control(study, name) for name in ("js", "pstay", "monotone")]
    dots = Text(
        "A dot is a noise, its area the chance. Blue: the row of the cell that is followed; ◆: its noise."
    )
    checks = Readings("Checks of the p-table")
    checks.on_explain(lambda _: page.explain("A row of the p-table", texts.explain_check(study.result)))

    def save(name: str, write: Callable[[Any], str]) -> Callable[[], None]:
        return lambda: files.file(name, write(study.result.p_table).encode())

    def shuffle() -> None:
        study.change(p_table_text=to_csv(modify(study.result.p_table, 0.2, study.state.seed)))

    def take(name: str, content: bytes) -> None:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{name} is no text; a p-table is a CSV with the columns i, j, p, v.") from None
        parse_p_table(text)
        study.change(p_table_text=text)

    files = Actions(
        {
            "Save as CSV": save("p-table.csv", to_csv),
            "Save for τ-ARGUS": save("p-table-tau-argus.txt", to_argus),
            "Save for SAS": save("p-table-sas.csv", partial(to_argus, lower=True)),
            "Shuffle intervals": shuffle,
            "Handbook’s Table 5.16": lambda: study.change(p_table_text=to_csv(handbook_example())),
        },
        {"Open a p-table": take},
    )

    def rule(result: CellKeyResult) -> str:
        if result.state.p_table_text:
            return "This p-table comes from a file; moving a slider makes one again."
        return texts.rule(result.state.noise)

    return showing(
        *controls,
        heading("Is it possible?"),
        (Text(), rule),
        (checks, texts.checked),
        files,
        dots,
        (Chart("The noise of each count"), plots.draw_noise, plots.prepare_noise),
    )


def _person(study: Study[CellKeyState, CellKeyResult], page: Page) -> Part[CellKeyResult]:
    answer = Answer("True and published count of the cell that is followed", page)
    margins = Readings("The same person in the totals")
    margins.on_explain(lambda _: page.explain("A published count", texts.explain(study.result)))
    return showing((answer, texts.narration), (margins, texts.margin_readings))


def _published(study: Study[CellKeyState, CellKeyResult]) -> Part[CellKeyResult]:
    grid = Grid(title="Table", hint="Change a true count and press Enter.")
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
        heading("The true counts, which only the office knows"),
        SourceBar(study),
        grid,
    ), show


def _show_board(board: Board, result: CellKeyResult) -> None:
    """Show the published table, its totals that are not additive, and their differences."""
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
        part = f" Shown: {height} of {len(rows):,} rows and {width} of {len(columns):,} columns."
    note = f"Press a count to follow a person of it. ≠: not the sum of its cells, which is in small.{part}"
    board.show(
        rows.name, [*rows.labels[:height], "Total"], [*columns.labels[:width], "Total"], spots, note=note
    )


def _spot(name: str, original: int, published: int, chosen: bool) -> Spot:
    change = signed(published - original) if published != original else ""
    return Spot(
        f"{published:,}",
        f"{name}: published {', '.join(filter(None, (f'{published:,}', change)))}, true {original:,}",
        small=change,
        look=f"{'zero' if original == 0 else ''} {'chosen' if chosen else ''}".strip(),
        pressed=chosen,
    )


def _total(value: int, off: int) -> Spot:
    return Spot(f"{value:,}{' ≠' if off else ''}", small=f"{value - off:,}" if off else "", look="total")


def _ask(study: Study[CellKeyState, CellKeyResult], times: int) -> None:
    study.put(replace(study.state, asks=min(MOST_ASKED, study.state.asks + times)), gesture="asks")


def _answers(study: Study[CellKeyState, CellKeyResult]) -> Part[CellKeyResult]:
    chart = (Chart("Answers to asking again"), plots.draw_answers, plots.prepare_answers)
    buttons = Actions({"Ask again": lambda: _ask(study, 1), "Forget": lambda: study.change(asks=1)})
    return showing((Text(), texts.repeated_answers), buttons, chart)
