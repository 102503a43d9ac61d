"""The risk explorer: see and edit a frequency table and its disclosure risk, live."""

from __future__ import annotations

from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import shortened
from sdcwidgets.assessment.assessment import TERMS, Assessment, Slices
from sdcwidgets.dashboards.as_code import assess_code
from sdcwidgets.dashboards.explore import charts as plots
from sdcwidgets.dashboards.heads import YOURS, page_for
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.slice_bars import SliceBars, explain_part, explain_slice, explanation
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.studies.base import Study, TableState
from sdcwidgets.widgets.studies.reporting import report_on
from sdcwidgets.widgets.texts import changed_cells, explain, formula, lead, most_disclosive, notice
from sdcwidgets.widgets.texts.narration import Narration
from sdcwidgets.widgets.what_if import WhatIf

__all__ = ["app"]

FOOT = "Antal, Shlomo and Elliot 2014, section 2; Antal 2016 (thesis), equations (3.5.2) and (3.5.4)."

#: The way on; the table goes along in the tab.
ONWARD = "Is that little enough? <a href='protect.ipynb'>Open this table in Protect</a>."


def app(table: FrequencyTable | None = None) -> ipywidgets.VBox:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        The table it begins with; the religion table of PSD 2014 if not given.
    """
    study = Study(TableState.of_example("religion") if table is None else TableState(table), _assess)
    page = page_for("explore", led=True)
    page.bind(study, TableState.from_state, assess_code)
    page.hand_over(lambda: report_on(study.state))
    # One explanation holds every step from the counts to the risk.
    whole = ("R₁", "R₁*", "x₁", "x₂", "x₃", "h₁", "h₂", "h₃", "ε", "Weights", "H(X)")
    page.numbers(lambda: explain(study.result, study.result.whole), *whole)
    grid, show_grid = _table(study, page)
    follow(study, show_grid)

    def says(result: Assessment) -> Headline:
        easiest = most_disclosive(result)
        if easiest is None:
            return Headline(*lead(result))
        part, index, _ = easiest
        why = partial(explain_part, page, result, part, index)
        return Headline(*lead(result), f"Next: see why {shortened(part.labels[index])}", why)

    third = settings_control(study, "third", look="buttons")
    return page.answering(
        study,
        "Who is easiest to find?",
        says,
        controls=(
            card("How much does each part count?", settings_control(study, "weights")),
            card("When is a table small?", third, settings_control(study, "epsilon")),
        ),
        stage=(card("Counts", SourceBar(study), *grid),),
        tabs={
            "Where does the risk come from?": partial(_bars, study, page),
            "How is it computed?": partial(_answer, study, page),
            "What if one count were different?": partial(_change, study, page),
            "How does size count?": _curve,
        },
        foot=FOOT,
        note=YOURS,
    )


def _assess(state: TableState) -> Assessment:
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    return Assessment.of(state.table, state.settings)


def _table(study: Study[TableState, Assessment], page: Page) -> Part[Assessment]:
    grid = Grid(title="The table")
    edit_table(grid, study)
    note = Text()
    grid.on_explain(lambda kind, index: explain_slice(page, _seen(study), kind, index))

    def show(result: Assessment) -> None:
        weights = np.asarray(result.settings.weights)
        arrangement, part = study.state.arrangement, _seen(study)
        rows, columns, whole = part.rows, part.columns, part.whole
        assert rows is not None  # what is seen has two axes
        assert columns is not None
        note.show(f"Shown: {arrangement.words}. Its margins are of this part." if arrangement.words else "")
        grid.show(
            part.table,
            study.state.unchanged(study.start),
            row_margin=_margin("Row risk", rows) | {"parts": rows.terms * weights, "part_labels": TERMS},
            column_margin=_margin("Column risk", columns),
            corner={
                "text": "–" if np.isnan(whole.r1[0]) else f"{whole.r1[0]:.4f}",
                "parts": np.nan_to_num(whole.terms[0] * weights).tolist(),
            },
        )

    return (note, grid, ipywidgets.HTML(ONWARD).add_class("sdc-text").add_class("sdc-onward")), show


def _seen(study: Study[TableState, Assessment]) -> Assessment:
    """Return the numbers of what the screen shows: the whole table, or one laid out or cut otherwise."""
    seen = study.state.seen
    return study.result if seen is study.result.table else Assessment.of(seen, study.result.settings)


def _answer(study: Study[TableState, Assessment], page: Page) -> Part[Assessment]:
    last: list[Assessment] = []

    def narration(result: Assessment) -> Narration:
        before = last.pop() if last else result
        last.append(result)
        parts = (result.whole.terms[0] * result.settings.weights).tolist()
        return Narration(
            f"{result.whole.r1[0]:.4f}",
            f"Weight-free risk R₁* = {result.whole.r1_star[0]:.4f}. Press a number to see how it comes about.",
            notice(result),
            formula(result, result.whole),
            list(zip(("zeros", "unevenness", "small size"), parts, strict=True)),
            explain=lambda: explanation(result, result.whole, 0),
            of=study.state,
            cause=changed_cells(before.table, result.table),
        )

    return showing((Answer("Disclosure risk of the table", page), narration))


def _bars(study: Study[TableState, Assessment], page: Page) -> Part[Assessment]:
    bars = SliceBars(study, page)
    return (bars,), bars.show


def _change(study: Study[TableState, Assessment], page: Page) -> Part[Assessment]:
    change = WhatIf(study, page)
    return (change,), change.show


def _curve() -> Part[Assessment]:
    return showing((Chart("Third term against the size of a table"), plots.draw, plots.prepare))


def _margin(title: str, part: Slices) -> dict[str, object]:
    return {"title": title, "values": ["–" if np.isnan(risk) else f"{risk:.3f}" for risk in part.r1]}
