"""A page as one widget of a notebook of one's own: what it shows can be observed and set."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets.methods import Method, method_of
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import table_of
from sdcwidgets.widgets.message_batch import BatchedWidget
from sdcwidgets.widgets.studies.base import Study, TableState

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

#: What a browser is given of a state: tables of at most so many cells, as each change sends it again.
MOST_CELLS = 5_000


def _plain(state: Any) -> dict[str, object]:
    """Return a state as plain values; nothing of a large table, or of a file of records, which no link holds."""
    if isinstance(state, TableState) and state.table.cells > MOST_CELLS:
        return {}
    try:
        plain: dict[str, object] = json.loads(json.dumps(state.to_state()))
    except InputError:
        return {}
    return plain


class Dashboard(BatchedWidget, ipywidgets.VBox):
    """What `app()` of a dashboard returns.

    Its traits follow what is done on the screen and in Python; `observe` tells of each change. What is set takes the
    way of every control: it can be undone, and what is wrong with it raises InputError and changes nothing.

    Attributes
    ----------
    table : FrequencyTable or None
        The true counts; None on a page that is about no table.
    method : Method, str or None
        How it is protected; set by a name, too. None on a page without one.
    settings : object
        A frozen dataclass; a dict of some of its fields sets these.
    result : object
        What was computed, such as an `Assessment`; it follows, and cannot be set.
    release : Release or None
        What the page would publish; it follows, and cannot be set.
    value : dict
        All that was chosen, as plain values; what holds widgets by their value, as Panel and Solara do, can keep it and
        set it. Empty for tables of more than 5,000 cells, and for a file of records.

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
    (0.2, 0.1)
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

    def __repr__(self) -> str:
        return f"Dashboard({self._page.title!r}; {self.table!r})"

    def _follow(self, study: Study[Any, Any]) -> None:
        """Show the state of the study and its result, all at once."""
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
                if state is not self._displayed:  # better numbers of the same state change nothing of it
                    self.value, self._displayed = _plain(state), state
        finally:
            self._follows = follows

    @traitlets.validate("table", "method", "settings", "value")
    def _put(self, proposal: Any) -> object:
        """Let the study go to what is set, and return what became of it."""
        name, value, study = proposal.trait.name, proposal.value, self._study
        if self._follows:
            return value
        if study is None or not (name == "value" or hasattr(study.state, name)):
            raise InputError(f"This page has no {name}; it cannot be set.")
        getattr(self, f"_put_{name}")(study, value)
        return getattr(self, name)

    def _put_table(self, study: Study[Any, Any], table: object) -> None:
        if not isinstance(study.state, TableState):
            raise InputError("This page has a table of its own; it cannot be set.")
        study.load(study.state.with_table(table_of(table), InMemorySource()))

    def _put_method(self, study: Study[Any, Any], method: Method | str) -> None:
        study.change(method=method if isinstance(study.state.method, str) else method_of(method))

    def _put_settings(self, study: Study[Any, Any], settings: object) -> None:
        before = study.state.settings
        if not isinstance(settings, Mapping | type(before)):
            raise InputError(f"Settings are a {type(before).__name__}, or a dict of some of its fields.")
        study.change(settings=replace(before, **settings) if isinstance(settings, Mapping) else settings)

    def _put_value(self, study: Study[Any, Any], value: dict[str, object]) -> None:
        study.put(type(study.state).from_state(value))

    def set_state(self, sync_data: dict[str, object]) -> None:
        """Take what a browser sets; a value that is wrong is told on the page."""
        if "value" in sync_data:
            value = sync_data.pop("value")
            self._page.attempt(lambda: self.set_trait("value", value))
        super().set_state(sync_data)
