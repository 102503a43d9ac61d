"""Page Sample: estimate the disclosure risk of a table from a sample."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import ipywidgets
import numpy as np

from sdcwidgets.assessment.report import Report
from sdcwidgets.dashboards.page_heads import YOURS, page_for
from sdcwidgets.dashboards.sample import charts as plots
from sdcwidgets.dashboards.sample import texts
from sdcwidgets.dashboards.sample.result import MOST_BALLS, SampleResult, compute, improve, method_of
from sdcwidgets.dashboards.sample.state import SampleState
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.binding import Part, edit_table, followed, reveal, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card, heading
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.readings import Readings
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.two_grids import TwoGrids

__all__ = ["app"]

FOOT = (
    "Antal, Shlomo and Elliot 2015, equations (4) to (6), and Table 2, where the risk of small samples is "
    "also overestimated; "
    "Antal 2016 (thesis), chapter 4."
)

#: Legend of the heat map of zeros.
ZEROS = (
    "Each number is the share of estimated populations in which the cell is empty. A dot (·) marks a cell "
    "that is not empty in the sample."
)

#: Numbers of balls that the buttons draw.
LEAPS = (1, 10, 100)


def _report(study: Study[SampleState, SampleResult]) -> Report:
    """Return the report on the sample, or on the table if the table is a sample."""
    result = study.result
    if result.population is None:
        return report_on(study.state)
    method = method_of(study.state, study.state.sampling.fraction)
    release = method.release_from_cells(result.population, result.sample.counts, np.random.default_rng(0))
    return report_on(study.state, release, method, seed=study.state.sampling.draw)


def app(table: FrequencyTable | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    table : FrequencyTable, optional
        Initial population (default: the religion table of the sample paper).
    """
    start = SampleState.of_example("religion") if table is None else SampleState(table)
    study = Study(start, compute, improve)
    page = page_for("sample", led=True)
    page.bind(study, SampleState.from_state, texts.sample_code)
    page.hand_over(lambda: _report(study))
    needed = showing((Text(), texts.empty_told))

    def again() -> None:
        study.put(study.state.sampled(draw=study.state.sampling.draw % 1_000_000 + 1))

    def headline(result: SampleResult) -> Headline:
        answer, reason = texts.lead(result)
        if result.population is None:
            return Headline(answer, reason)
        return Headline(answer, reason, "Next: draw another sample", again)

    source = SourceBar(study)
    return page.answering(
        study,
        "How accurately does a sample estimate the risk?",
        headline,
        controls=(
            card("Sample", *followed(study, _sample(study))),
            card("Empty cells of sample and population", *followed(study, needed)),
        ),
        stage=(card("Estimated risk", *followed(study, _clouds(study))),),
        tabs={
            "Risk by sampling fraction": partial(_curve, study),
            "Error of the second term": partial(_errors, study),
            "Frequencies of frequencies": partial(_sizes, study),
            "Empty cells": partial(_zeros, study),
            "Population and sample": partial(_tables, study, source),
            "Pólya urn": partial(_urn, study),
            "Model choice": partial(_models, study, page),
        },
        foot=FOOT,
        note=YOURS,
        source=source,
        tab_of_source="Population and sample",
    )


def _sample(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    known, summary = settings_control(study, "known", "sampling", look="buttons"), Text()
    people, design, draw = (
        settings_control(study, name, "sampling") for name in ("people", "design", "draw")
    )

    def show(result: SampleResult) -> None:
        summary.show(texts.drawn(result))
        design.offer(result.state.sampling.design, choices=texts.designs(result))
        reveal(result.population is not None, design, draw)
        reveal(result.population is None, people)

    return (summary, known, people, design, draw), show


def _clouds(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    chart, caption, fraction = (
        Chart("Disclosure risk of the sample, by estimated population"),
        Text(),
        settings_control(study, "fraction", "sampling"),
    )

    def show(result: SampleResult) -> None:
        reveal(result.population is not None, fraction)
        chart.show(plots.draw_clouds, plots.prepare_clouds(result))
        caption.show(texts.clouds_caption(result))

    return (fraction, chart, caption), show


def _tables(study: Study[SampleState, SampleResult], source: SourceBar) -> Part[SampleResult]:
    truth, sample = Grid(title="Table", hint=""), Grid(title="Sample", editable=False, hint="")
    for grid in (truth, sample):
        grid.add_class("sdc-compact")
    edit_table(truth, study)
    drawn = ipywidgets.VBox([Text("Sample, f."), sample])
    name = Text()

    def forget() -> None:
        """Keep the sample, and remove the population."""
        state = study.state.sampled(known="sample", people=study.result.people)
        study.load(
            replace(state, table=study.result.sample, source=InMemorySource(f"Sample of {state.title}"))
        )

    forgetting = Actions({"Use the table as a sample only": forget})
    pair = TwoGrids(ipywidgets.VBox([name, truth]), drawn)

    def show(result: SampleResult) -> None:
        known = result.population is not None
        state = result.state
        truth.show(state.seen, state.unchanged(study.start))
        name.show(
            f"{'Population, F' if known else 'Sample, f'}. To edit a count, type a number and press Enter."
        )
        reveal(known, drawn, forgetting)
        pair.fit(state.seen)
        if known:
            sample.show(state.arrangement.seen(result.sample))

    return (source, pair, forgetting), show


def _models(study: Study[SampleState, SampleResult], page: Page) -> Part[SampleResult]:
    terms = settings_control(study, "terms", "sampling")

    def show(result: SampleResult) -> None:
        terms.offer(result.state.sampling.terms, choices=texts.models(result))

    return showing(
        (Answer("Estimated disclosure risk of the sample", page), texts.narration),
        ((terms,), show),
        settings_control(study, "others", "sampling"),
        heading("Estimated disclosure risk by log-linear model"),
        (Readings("Log-linear models with fit and estimated risk"), texts.fits),
        (Text(), texts.fits_note),
    )


def _zeros(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    grid, summary = (
        Grid(title="Share of estimated populations in which a cell is empty", editable=False),
        Text(),
    )
    grid.add_class("sdc-compact").add_class("sdc-unmarked")

    def show(result: SampleResult) -> None:
        summary.show(texts.where_zeros_go(result))
        # Index of the cell at each visible position.
        numbers = np.arange(result.sample.cells).reshape(result.sample.shape)
        seen = result.state.arrangement.seen(FrequencyTable(numbers, result.sample.axes))
        rows, columns = seen.axes
        grid.update(
            row_name=rows.name,
            column_name=columns.name,
            rows=rows.labels,
            columns=columns.labels,
            texts=texts.zeros_texts(result).ravel()[seen.counts],
            shade=-result.guess.empty.ravel()[seen.counts],
            hint=f"{ZEROS} ○ = empty in the population." if result.population is not None else ZEROS,
        )

    return (summary, grid), show


def _curve(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    chart, summary = Chart("Disclosure risk by sampling fraction"), Text()

    def show(result: SampleResult) -> None:
        known = result.population is not None
        reveal(known, chart)
        summary.show(
            "This chart needs a known population, because the chart compares estimates with true risks."
        )
        if known:
            summary.show(texts.curve_notice(result.curve))
            chart.show(plots.draw_curve, plots.prepare_curve(result))

    return (chart, summary), show


def _errors(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    chart, summary = Chart("Error of the second term, and its bound"), Text()

    def show(result: SampleResult) -> None:
        picture = plots.prepare_errors(result)
        reveal(bool(picture.of), chart)
        summary.show(texts.bound_told(picture.of))
        if picture.of:
            chart.show(plots.draw_errors, picture)

    return (chart, summary), show


def _sizes(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    chart, entropies = (
        Chart("Number of cells by count"),
        Readings("Entropy H(X) of the population"),
    )
    meaning = Text(
        "The frequencies of frequencies are the numbers of cells with the counts 0, 1, 2, …. The models estimate them "
        "for the population from the sample. The entropy H(X) follows from them by equation (4.5.1) of the thesis."
    )

    def show(result: SampleResult) -> None:
        picture = plots.prepare_sizes(result)
        chart.show(plots.draw_sizes, picture)
        entropies.show(texts.entropies_told(result, picture.of))

    return (meaning, chart, heading("Entropy H(X) of the population, in nats"), entropies), show


def _urn(study: Study[SampleState, SampleResult]) -> Part[SampleResult]:
    urn, compared = Chart("Pólya urn"), Chart("Number of new cells filled by two kinds of urns")
    theta, summary, same = Text(), Text(), Text()

    def leap(by: int) -> None:
        study.change(ball=min(study.result.unseen, study.state.ball + by), gesture="ball")

    leaps = Actions(
        {f"Draw {by}": partial(leap, by) for by in LEAPS}
        | {"Draw all": partial(leap, MOST_BALLS), "Remove the added balls": partial(study.change, ball=0)}
    )

    def show(result: SampleResult) -> None:
        possible = result.theta is not None and 0 < result.unseen <= MOST_BALLS
        theta.show(texts.black_balls(result))
        summary.show(texts.urn_told(result))
        reveal(possible, urn, leaps)
        if possible:
            urn.show(plots.draw_urn, plots.prepare_urn(result))
        reveal(result.new_cells is not None, compared, same)
        if result.new_cells is not None:
            picture = plots.prepare_new_cells(result)
            same.show(f"The fast urn gives the same results as drawing ball by ball. {picture.summary}")
            compared.show(plots.draw_new_cells, picture)

    return (theta, leaps, summary, urn, same, compared), show
