"""A page as one widget for notebooks, with traits that can be observed and set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets.methods import Method, method_of
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import table_of
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.message_batch import BatchedWidget
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.tabs import Tabs

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from sdcwidgets.widgets.page import Page

#: Maximum number of cells of a table whose state is sent to the browser with each change.
MOST_CELLS = 5_000


def _plain(state: Any) -> dict[str, object]:
    """Return a state as plain values, empty for large tables and for microdata, which links do not contain."""
    if isinstance(state, TableState) and state.table.cells > MOST_CELLS:
        return {}
    try:
        plain: dict[str, object] = json.loads(json.dumps(state.to_state()))
    except InputError:
        return {}
    return plain


def _charts(widget: ipywidgets.Widget) -> Iterator[Chart]:
    """Yield the charts in a widget and in the widgets below it, after creating the content of all tabs."""
    if isinstance(widget, Chart):
        yield widget
    if isinstance(widget, Tabs):
        for index in range(widget.count):
            widget.create(index)
    for child in getattr(widget, "children", ()):
        yield from _charts(child)


class Dashboard(BatchedWidget, ipywidgets.VBox):
    """The value of `app()` of a dashboard.

    Its traits follow changes on the page and in Python. A value that is set can be undone like a change by a
    control. An invalid value raises InputError and changes nothing.

    Attributes
    ----------
    table : FrequencyTable or None
        Original counts; None on a page without a table.
    method : Method, str or None
        Protection method, which can also be set by name; None on a page without one.
    settings : object
        Frozen dataclass; a dict sets some of its fields.
    result : object
        Result of the page, such as an `Assessment`; read-only.
    release : Release or None
        Release of the page; read-only.
    value : dict
        State of the page as plain values, for frameworks that store widgets by value, such as Panel and Solara.
        Empty for tables with more than 5,000 cells and for microdata.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets.dashboards import explore
    >>> app = explore.app(FrequencyTable([[3, 0], [4, 1]]))
    >>> app.observe(lambda change: print(change.new.total), "table")
    >>> app.table = FrequencyTable([[5, 0], [4, 1]])
    10
    >>> app.settings = {"epsilon": 0.2}
    >>> app.settings.epsilon, round(app.result.assessment.whole.r1, 4)
    (0.2, 0.3728)
    """

    table = traitlets.Any(None)
    method = traitlets.Any(None)
    settings = traitlets.Any(None)
    result = traitlets.Any(None, read_only=True)
    release = traitlets.Any(None, read_only=True)
    value = traitlets.Dict().tag(sync=True)

    def __init__(self, page: Page, study: Study[Any, Any] | None, children: Sequence[ipywidgets.Widget]):
        self._page = page
        self._study = study
        self._follows = False
        self._displayed: object = None
        super().__init__(children)
        if study is not None:
            study.observe(lambda _: self._follow(study), "turn")
            self._follow(study)

    def figures(self) -> dict[str, go.Figure]:
        """Return the charts of the page as plotly figures, also those in tabs that are not open.

        Returns
        -------
        dict of str to plotly.graph_objects.Figure
            The figures by the names of the charts, in the order of the page. They show the data of the screen, and
            `show()` and `write_html("chart.html")` need no notebook.

        Examples
        --------
        >>> from sdcwidgets import dashboards, examples
        >>> figures = dashboards.explore.app(examples.load("sex")).figures()
        >>> list(figures)
        ['Weighted terms of the disclosure risk by row or column', 'Third term by size of the table']
        >>> type(figures["Third term by size of the table"]).__name__
        'Figure'
        """
        figures: dict[str, go.Figure] = {}
        numbers = Counter[str]()
        for chart in _charts(self):
            figure = chart.figure()
            if figure is not None:
                numbers[chart.label] += 1
                number = numbers[chart.label]
                figures[chart.label if number == 1 else f"{chart.label} ({number})"] = figure
        return figures

    def __dir__(self) -> list[str]:
        """Return the names that completion offers: the traits, and how to observe them."""
        return [
            "close",
            "figures",
            "layout",
            "method",
            "observe",
            "release",
            "result",
            "settings",
            "table",
            "unobserve",
            "value",
        ]

    def __repr__(self) -> str:
        return f"Dashboard({self._page.title!r}; {self.table!r})"

    def _follow(self, study: Study[Any, Any]) -> None:
        """Update all traits at once from the state of the study and its result."""
        state, result = study.state, study.result
        release = getattr(result, "release", None)
        follows, self._follows = self._follows, True
        try:
            with self.hold_sync(), self.hold_trait_notifications():
                for name in ("table", "method", "settings"):
                    setattr(self, name, getattr(state, name, None))
                if result is not self.result:
                    self.set_trait("result", result)
                if release is not self.release:
                    self.set_trait("release", release if isinstance(release, Release) else None)
                if state is not self._displayed:  # a refined result has the same state
                    self.value, self._displayed = _plain(state), state
        finally:
            self._follows = follows

    @traitlets.validate("table", "method", "settings", "value")
    def _put(self, proposal: Any) -> object:
        """Apply a value that is set to the study, and return the resulting value."""
        name, value, study = proposal.trait.name, proposal.value, self._study
        if self._follows:
            return value
        if study is None or not (name == "value" or hasattr(study.state, name)):
            raise InputError(f"This page has no {name}, so it cannot be set.")
        getattr(self, f"_put_{name}")(study, value)
        return getattr(self, name)

    def _put_table(self, study: Study[Any, Any], table: object) -> None:
        if not isinstance(study.state, TableState):
            raise InputError("The table of this page is fixed and cannot be set.")
        study.load(study.state.with_table(table_of(table), InMemorySource()))

    def _put_method(self, study: Study[Any, Any], method: Method | str) -> None:
        study.change(method=method if isinstance(study.state.method, str) else method_of(method))

    def _put_settings(self, study: Study[Any, Any], settings: object) -> None:
        before = study.state.settings
        if not isinstance(settings, Mapping | type(before)):
            raise InputError(f"settings must be {type_with_article(before)} or a dict of some of its fields.")
        study.change(settings=replace(before, **settings) if isinstance(settings, Mapping) else settings)

    def _put_value(self, study: Study[Any, Any], value: dict[str, object]) -> None:
        study.put(type(study.state).from_state(value))

    def set_state(self, sync_data: dict[str, object]) -> None:
        """Apply a state that a browser sets; an error is shown on the page."""
        if "value" in sync_data:
            value = sync_data.pop("value")
            self._page.attempt(lambda: self.set_trait("value", value))
        super().set_state(sync_data)
