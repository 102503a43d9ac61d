"""Page Explore: view and edit a frequency table, and see its disclosure risk."""

from __future__ import annotations

from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets._util.labels import shortened
from sdcwidgets.assessment.assessment import TERMS
from sdcwidgets.dashboards.as_code import assess_code
from sdcwidgets.dashboards.explore import charts as plots
from sdcwidgets.dashboards.explore import texts
from sdcwidgets.dashboards.explore.result import ExploreResult, compute
from sdcwidgets.dashboards.explore.state import ExploreState
from sdcwidgets.dashboards.page_heads import YOURS, page_for
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.slice_bars import SliceBars, explain_part, explain_slice, explanation
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.texts import explain, lead, most_disclosive
from sdcwidgets.widgets.texts.caption import is_own
from sdcwidgets.widgets.texts.narration import Narration
from sdcwidgets.widgets.what_if import WhatIf

__all__ = ["app"]


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial table (default: the religion table of PSD 2014).
    """
    study = Study(ExploreState.of_example("religion") if table is None else ExploreState(table), compute)
    page = page_for("explore", led=True)
    page.bind(study, ExploreState.from_state, assess_code)
    page.hand_over(lambda: report_on(study.state))
    # These symbols share one explanation: all steps from the counts to the risk.
    whole = ("R₁", "R₁*", "x₁", "x₂", "x₃", "h₁", "h₂", "h₃", "ε", "Weights", "H(X)")
    page.numbers(lambda: explain(study.result.assessment, study.result.assessment.whole_slice), *whole)
    grid, show_grid = _table(study, page)
    follow(study, show_grid)

    def headline(result: ExploreResult) -> Headline:
        answer, reason = lead(result.assessment)
        reason = f"{reason} {texts.unknown_counts(study.state.table.unknown_cells)}".strip()
        easiest = most_disclosive(result.assessment)
        act, label = None, ""
        if easiest is not None:
            part, index, _ = easiest
            act, label = partial(explain_part, page, result.assessment, part, index), part.labels[index]
        if is_own(study.state):
            second = f"Explain {shortened(label)}" if label else ""
            return Headline(answer, reason, texts.PROTECT, act, notebook="protect.ipynb", second=second)
        return Headline(answer, reason, f"Next: explain {shortened(label)}" if label else "", act)

    source = SourceBar(study)
    third = settings_control(study, "third", look="buttons")
    return page.answering(
        study,
        "Which row has the highest disclosure risk?",
        headline,
        controls=(
            card("Weights of the three terms", settings_control(study, "weights")),
            card("Function of the third term", third, settings_control(study, "epsilon")),
        ),
        stage=(card("Counts", source, *grid),),
        tabs={
            "Risk by row and column": partial(_bars, study, page),
            "Computation of the disclosure risk": partial(_answer, page),
            "Effect of changing one count on the risk": partial(_change, study, page),
            "Effect of the size of the table": _curve,
        },
        foot=texts.FOOT,
        note=YOURS,
        source=source,
    )


def _table(study: Study[ExploreState, ExploreResult], page: Page) -> Part[ExploreResult]:
    grid = Grid(title="Table with disclosure risks")
    edit_table(grid, study)
    note = Text()
    grid.on_explain(lambda kind, index: explain_slice(page, study.result.on_screen, kind, index))

    def show(result: ExploreResult) -> None:
        weights = np.asarray(result.assessment.settings.weights)
        arrangement, part = result.state.arrangement, result.on_screen
        rows, columns, whole = part.rows, part.columns, part.whole_slice
        assert rows is not None  # the table on the screen has two axes
        assert columns is not None
        note.show(
            f"Only this part of the table is shown: {arrangement.words}. The risks in "
            "the margins refer to this part."
            if arrangement.words
            else ""
        )
        grid.show(
            part.table,
            result.state.unchanged(study.start),
            row_margin=texts.margin("Row risk", rows) | {"parts": rows.terms * weights, "part_labels": TERMS},
            column_margin=texts.margin("Column risk", columns),
            corner={
                "text": "–" if np.isnan(whole.r1[0]) else f"{whole.r1[0]:.4f}",
                "parts": np.nan_to_num(whole.terms[0] * weights).tolist(),
            },
        )

    return (note, grid, ipywidgets.HTML(texts.ONWARD).add_class("sdc-text").add_class("sdc-onward")), show


def _answer(page: Page) -> Part[ExploreResult]:
    last: list[ExploreResult] = []

    def narration(result: ExploreResult) -> Narration:
        before = last.pop() if last else result
        last.append(result)
        whole = result.assessment.whole_slice
        return texts.narration(result, before, lambda: explanation(result.assessment, whole, 0))

    return showing((Answer("Disclosure risk of the table", page), narration))


def _bars(study: Study[ExploreState, ExploreResult], page: Page) -> Part[ExploreResult]:
    bars = SliceBars(lambda: study.result.assessment, page)

    def show(result: ExploreResult) -> None:
        bars.show(result.assessment)

    return (bars,), show


def _change(study: Study[ExploreState, ExploreResult], page: Page) -> Part[ExploreResult]:
    change = WhatIf(lambda: study.state, lambda: study.result.assessment, page)

    def show(result: ExploreResult) -> None:
        change.show(result.assessment)

    return (change,), show


def _curve() -> Part[ExploreResult]:
    chart = Chart("Third term by size of the table")

    def prepare(result: ExploreResult) -> plots.SizeCurve:
        return plots.prepare(result.assessment)

    return showing((chart, plots.draw, prepare))
