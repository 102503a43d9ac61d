"""The page Third term: three functions of a table's size, their properties, and their published values."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from sdcwidgets._util.parameters import Parameter
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.third_term import charts as plots
from sdcwidgets.dashboards.third_term.result import FUNCTIONS, ThirdTermResult, compute, published_tables
from sdcwidgets.dashboards.third_term.state import LARGEST, ThirdTermState
from sdcwidgets.dashboards.third_term.texts import (
    SYMBOLS,
    as_code,
    at_size,
    erratum,
    explain,
    explain_published,
    headline,
    notice,
    published_texts,
    readings,
)
from sdcwidgets.widgets.binding import TYPED, Part, edit_table, follow, settings_control, showing
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page import Headline, Page, Text, card
from sdcwidgets.widgets.page_state import vector
from sdcwidgets.widgets.page_state.recomputation import Study, begin_with
from sdcwidgets.widgets.properties import Properties
from sdcwidgets.widgets.readings import Readings

__all__ = ["app"]

FOOT = "Antal 2016 (thesis), section 3.5.1 and Tables A.1.1 and A.1.2. PSD 2014 uses h₂ with ε = ½."


VECTORS = {vector(counts): counts for counts in published_tables().vectors}
ROW = Parameter(
    "row", str, "own", "Example row", choices={"own": "Your own"} | {name: name for name in VECTORS}
)
NUMBERS = Parameter(
    "numbers",
    str,
    "formula",
    "Values",
    choices={"formula": "Recomputed", "print": "Published", "difference": "Difference"},
)


def app(state: ThirdTermState | None = None) -> Dashboard:
    """Return the dashboard.

    Parameters
    ----------
    state : ThirdTermState, optional
        Initial row of counts; default is a row of the thesis' Table A.1.1.
    """
    study = Study(begin_with(ThirdTermState, state), compute)
    page = page_for("third_term", led=True)
    page.bind(study, ThirdTermState.from_state, as_code)

    def headline_of(result: ThirdTermResult) -> Headline:
        people = result.state.settings.people
        following, label = 10 * people, "multiply the number of people by ten"
        if following > LARGEST:
            following, label = 1, "set the number of people to one"
        return Headline(
            *headline(result), f"Next: {label}", lambda: study.put(study.state.set(people=following))
        )

    curve, show_curve = _curve()
    follow(study, show_curve)
    epsilon, people = (settings_control(study, name) for name in ("epsilon", "people"))
    fan = settings_control(study, "fan", look="buttons")
    return page.answering(
        study,
        "How does table size affect the disclosure risk?",
        headline_of,
        controls=(card("Exponent and number of people", epsilon, people, fan),),
        stage=(card("Third term by number of people in the table", *curve),),
        tabs={
            "Third term of one row of counts": partial(_row, study, page),
            "Required properties": _wishes,
            "Check of published third terms": partial(_published, page),
        },
        foot=FOOT,
    )


def _row(study: Study[ThirdTermState, ThirdTermResult], page: Page) -> Part[ThirdTermResult]:
    chosen = Control(ROW)
    grid = Grid(title="Row of counts", hint=TYPED).add_class("sdc-compact")

    def choose(name: str) -> None:
        """Show an example row, and its number of people in the headline."""
        if name in VECTORS:
            people = sum(VECTORS[name])
            study.put(study.state.changed(counts=VECTORS[name]).set(people=people))

    chosen.on_change(choose)
    edit_table(grid, study, lambda counts: study.state.changed(counts=tuple(counts[0].tolist())))
    terms = Readings("Three functions of the third term for this row")

    def explain_term(index: int) -> None:
        name = FUNCTIONS[index]
        page.explain(f"{SYMBOLS[name]} of this row", explain(study.result, name))

    terms.on_explain(explain_term)

    def show(result: ThirdTermResult) -> None:
        counts = result.state.counts
        example = next((name for name, vector_counts in VECTORS.items() if vector_counts == counts), "own")
        # The choice of an own row has no effect, so it is offered only while an own row is shown.
        choices = {name: text for name, text in ROW.choices.items() if name != "own" or example == "own"}
        if chosen.parameter.choices != choices:
            chosen.become(replace(ROW, choices=choices, default=example), example)
        chosen.show(example)
        columns = tuple(str(index + 1) for index in range(len(counts)))
        grid.update(column_name="Cell", columns=columns, rows=("F",), counts=np.array([counts]))

    return showing(((chosen, grid), show), (Text(), notice), (terms, readings))


def _curve() -> Part[ThirdTermResult]:
    chart = Chart("Third term by number of people in the table")
    return showing((chart, plots.draw, plots.prepare), (Text(), at_size))


def _wishes() -> Part[ThirdTermResult]:
    hint = "→ separates the values of the tables, in the order of the last column."
    table = Properties("Properties of the three functions of small size", SYMBOLS, hint)

    def show(result: ThirdTermResult) -> None:
        table.show_properties(result.properties)

    return (table,), show


def _published(page: Page) -> Part[ThirdTermResult]:
    tables = published_tables()
    numbers = Control(NUMBERS, look="buttons")
    grid = Grid(title="Tables A.1.1 and A.1.2 of the thesis", editable=False)
    grid.add_class("sdc-compact").add_class("sdc-labels")
    grid.on_explain(
        lambda _, row: page.explain(
            "Published and recomputed third terms of one row", explain_published(tables, row)
        )
    )
    wrong = np.argwhere(tables.differs)[0]

    def show() -> None:
        grid.update(
            row_name="F",
            rows=tuple(map(vector, tables.vectors)),
            columns=tuple(f"{SYMBOLS[name]}, ε = {epsilon:g}" for name, epsilon in tables.columns),
            texts=published_texts(tables, numbers.value),
            shade=np.where(tables.differs, 1.0, 0.0),
            best=(*wrong.tolist(), "published and recomputed values differ"),
            row_margin={"title": "N", "values": [f"{sum(row):,}" for row in tables.vectors]},
            hint="Shaded and outlined = published and recomputed values differ. Select a number in the last column "
            "to compare the values of the row.",
        )

    numbers.observe(lambda _: show(), "value")
    show()
    return showing(Text(erratum(tables)), numbers, grid)
