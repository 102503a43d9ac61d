"""The frame of a dashboard: head, cards, foot, and the actions of its buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakSet

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import file_name
from sdcwidgets._util.publication import internal_name, internal_text
from sdcwidgets.widgets.actions import KINDS
from sdcwidgets.widgets.answer import drawn_parts
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.batch_sender import batch_sender
from sdcwidgets.widgets.binding import Part, follow, followed
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.message_batch import BatchedWidget
from sdcwidgets.widgets.page_state.links import State, decode, encode
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.source import NEXT_OF_FILE, SourceBar
from sdcwidgets.widgets.tab_storage import TabStorage
from sdcwidgets.widgets.tabs import Tabs
from sdcwidgets.widgets.texts import Line, Piece
from sdcwidgets.widgets.texts.caption import caption_of, is_own
from sdcwidgets.widgets.texts.glossary import all_words, entry, markup

if TYPE_CHECKING:
    from sdcwidgets.assessment.report import Report
    from sdcwidgets.assessment.report.html import Notes

__all__ = ["Headline", "Page", "Text", "card", "column", "heading"]

S = TypeVar("S", bound=State)
R = TypeVar("R")

#: Maximum length of an error message about a link or a change, in characters.
MOST_TOLD = 200


class Headline(NamedTuple):
    """Headline of a result, and the action of the primary button.

    Attributes
    ----------
    answer, why : str
        Answer to the question of the page, and its reason in one line.
    ahead : str
        Text of the primary button; "" for none.
    act : callable, optional
        Action of the primary button.
    tone : {"", "good", "stop"}
    question : str
        Question of the page, if it depends on the result.
    steps : sequence of (name, state)
        Steps of a procedure; a state is done, now, stop or todo.
    notebook : str
        Notebook of the page that the primary button opens; `act` is then the action of a second button.
    second : str
        Text of the second button.
    """

    answer: str
    why: str = ""
    ahead: str = ""
    act: Callable[[], None] | None = None
    tone: str = ""
    question: str = ""
    steps: Sequence[tuple[str, str]] = ()
    notebook: str = ""
    second: str = ""


class Page(Widget):
    """The head of a page, connected to the study of the page.

    Parameters
    ----------
    title : str
        Window title of a served page.
    about : str
        Purpose of the page in one sentence.
    links : list of (group, list of (text, notebook))
        Dashboards; `here` is the notebook of this one.
    lessons : list of (text, notebook)
        Lessons about this page.

    Attributes
    ----------
    nth : int
        Number of this page among equal pages of the notebook, from 1; each stores its own state.
    led : bool
        Whether the page has a headline; other buttons are then in two menus.
    came : str
        Table that was restored from the browser tab, while the page shows it.
    internal : bool
        Whether the page shows a user's own table, so that its links, pictures, prints and code are internal.
    """

    _esm = STATIC / "page.js"
    _css = STATIC / "page.css"

    title = traitlets.Unicode().tag(sync=True)
    about = traitlets.Unicode().tag(sync=True)
    lessons = traitlets.List(traitlets.Any()).tag(sync=True)
    links = traitlets.List(traitlets.Any()).tag(sync=True)
    here = traitlets.Unicode().tag(sync=True)
    nth = traitlets.Int(1).tag(sync=True)
    plain = traitlets.Bool(False).tag(sync=True)
    led = traitlets.Bool(False).tag(sync=True)
    reports = traitlets.Bool(False).tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)
    can_redo = traitlets.Bool(False).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    came = traitlets.Unicode("").tag(sync=True)
    internal = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        alike = [page for page in _PAGES if page.comm is not None and page.here == traits.get("here")]
        super().__init__(nth=1 + len(alike), **traits)
        _PAGES.add(self)
        batch_sender()
        self._study: Study[Any, Any] | None = None
        self._followed: object = None
        self._tabs: Tabs | None = None
        self._numbers: dict[str, Callable[[], list[Line]]] = {}
        self.hear("words", lambda message, _: self._words(message.get("here")))
        self.hear("word", lambda message, _: self._word(str(message.get("word"))))

    def numbers(self, lines: Callable[[], list[Line]], *words: str) -> None:
        """Show formulas with the numbers of the page in the glossary entries of these words."""
        self._numbers |= dict.fromkeys(words, lines)

    def _word(self, word: str) -> None:
        glossary_entry = entry(word)
        if glossary_entry is not None:
            numbers = self._numbers.get(glossary_entry.word)
            lines = list(glossary_entry.lines())
            if numbers:
                lines += numbers()
            self.explain(glossary_entry.word, lines)

    def bind(
        self, study: Study[S, R], restore: Callable[[dict[str, object]], S], code: Callable[[S], str]
    ) -> None:
        """Connect the buttons to `study`.

        Parameters
        ----------
        restore : callable
            Function from the dict of a link to a state.
        code : callable
            Function from a state to Python code that computes the numbers of the page.
        """
        self._study = study
        self.hear("undo", lambda *_: self.attempt(study.undo))
        self.hear("redo", lambda *_: self.attempt(study.redo))
        self.hear("reset", lambda *_: self.attempt(study.reset))

        def show_code() -> None:
            text = code(study.state)
            self.send({"type": "code", "text": internal_text(text, ".py") if is_own(study.state) else text})

        self.hear("code", lambda *_: show_code())
        self.hear("link", lambda *_: self.attempt(lambda: self._link(study)))
        self.hear(
            "state",
            lambda message, _: self.attempt(lambda: study.begin(restore(decode(str(message.get("state")))))),
        )
        TabStorage(self, study, restore)
        self.hear("tab", lambda message, _: self._turn(message.get("index")))
        study.observe(lambda _: self._follow(study), "turn")
        self._follow(study)

    def hand_over(self, make: Callable[[], Report | Notes]) -> None:
        """Add a button that saves the report that `make` returns; errors are shown on the page."""
        self.reports = True

        def save() -> None:
            from sdcwidgets.assessment.report.html import written

            report = make()
            name = file_name(internal_name("report.html") if report.internal else "report.html", report.title)
            self.send({"type": "file", "name": name, "kind": KINDS["html"]}, [written(report).encode()])

        self.hear("report", lambda *_: self.attempt(save))

    def attempt(self, action: Callable[[], None]) -> None:
        """Run an action; an InputError is shown on the page."""
        try:
            action()
            self.problem = ""
        except InputError as error:
            # The beginning of a message has the reason; the rest may be a long list.
            why = str(error)
            self.problem = why if len(why) <= MOST_TOLD else f"{why[: MOST_TOLD - 4]} ..."

    def explain(
        self,
        title: str,
        lines: Iterable[Sequence[Piece]],
        sentences: Sequence[str] = (),
        parts: Sequence[tuple[str, float]] = (),
        *,
        search: bool = False,
    ) -> None:
        """Open the dialog with the computation of a number.

        Parameters
        ----------
        lines
            Formulas with numbers, or sentences.
        sentences : sequence of str
            Explanation in words; the formulas are then collapsed.
        parts : sequence of (str, float)
            Name and share of each part of the number, for a bar in the colours of their roles.
        search : bool
            Whether the dialog has a search box for the lines.
        """
        pieces = [[list(piece) for piece in line] for line in lines]
        more = {"sentences": list(sentences), "parts": drawn_parts(parts), "search": search}
        self.send({"type": "explain", "title": title, "lines": pieces} | more)

    def _words(self, here: object) -> None:
        words = here if isinstance(here, list) else []
        mine = [*map(str, words), *self._numbers]
        self.explain("Glossary", all_words(mine), search=True)

    def _link(self, study: Study[S, R]) -> None:
        opened = self._tabs.opened if self._tabs else 0
        self.send({"type": "link", "state": encode(study.state), "tab": opened})

    def _turn(self, index: object) -> None:
        """Open the tab in a link."""
        if self._tabs and type(index) is int and 0 <= index < self._tabs.count:
            self._tabs.turn_to(index)

    def _follow(self, study: Study[S, R]) -> None:
        with self.hold_sync():
            self.can_undo, self.can_redo = study.can_undo, study.can_redo
            self.internal = is_own(study.state)
            # An error message stays while only the result of the same state is refined.
            if study.state is not self._followed:
                self._followed, self.problem = study.state, ""

    def answering(
        self,
        study: Study[S, R],
        question: str,
        headline_of: Callable[[R], Headline],
        *,
        controls: Sequence[ipywidgets.Widget],
        stage: Sequence[ipywidgets.Widget],
        tabs: Mapping[str, Callable[[], Part[R]]],
        foot: str,
        note: str = "",
        source: SourceBar | None = None,
        tab_of_source: str = "",
    ) -> Dashboard:
        """Return a page with one question: its answer, controls and a stage, and tabs with details.

        Parameters
        ----------
        headline_of : callable
            Function from a result to its headline.
        controls : sequence of widgets
            Cards on the left, which are connected to the study.
        stage : sequence of widgets
            The stage on the right, which is connected to the study.
        tabs : mapping of str to callable
            Functions that create the part of each tab, called when the tab is first opened.
        source : SourceBar, optional
            While a file waits in it, the headline names this file instead of the answer about another table.
        tab_of_source : str
            Name of the tab that contains the source; "" if no tab does.
        """
        lead = Lead(question)

        def lead_to_file() -> None:
            if tab_of_source:
                self.turn_to(list(tabs).index(tab_of_source))
            lead.lead_to("file")

        def current_headline(result: R) -> Headline:
            if source is None or not source.waiting:
                return headline_of(result)
            is_ready = source.next_step == "use"
            step = source.use_table if is_ready else lead_to_file
            return Headline(*source.waiting_sentences(), NEXT_OF_FILE[source.next_step], step, "stop")

        def show(result: R) -> None:
            headline = current_headline(result)
            lead.show(
                headline.answer,
                headline.why,
                headline.ahead,
                tone=headline.tone,
                notebook=headline.notebook,
                second=headline.second,
                steps=headline.steps,
                question=headline.question,
                of=study.state,
            )

        def act() -> None:
            step = current_headline(study.result).act
            if step is not None:
                step()

        def build(part: Callable[[], Part[R]]) -> ipywidgets.Widget:
            box = ipywidgets.VBox(followed(study, part()))
            self._caption((box,), foot)
            return box

        lead.hear("next", lambda *_: self.attempt(act))
        lead.hear("second", lambda *_: self.attempt(act))
        follow(study, show)
        if source is not None:
            source.add_class("sdc-at-file").observe(lambda _: show(study.result), ["waiting", "next_step"])
        self._tabs = Tabs({name: partial(build, part) for name, part in tabs.items()})
        return self.around(
            column(*controls),
            column(*stage),
            shape="stage",
            foot=foot,
            note=note,
            above=(lead,),
            below=(self._tabs,),
        )

    def turn_to(self, index: int) -> None:
        """Open a tab of the page."""
        if self._tabs:
            self._tabs.turn_to(index)

    def lead_to(self, index: int) -> None:
        """Open a tab of the page, and scroll to it."""
        if self._tabs:
            self._tabs.lead_to(index)

    def offer_tabs(self, count: int) -> None:
        """Show only the first `count` tabs of the page."""
        if self._tabs:
            self._tabs.offer(count)

    def around(
        self,
        *columns: ipywidgets.Widget,
        shape: str,
        foot: str,
        note: str = "",
        above: Sequence[ipywidgets.Widget] = (),
        below: Sequence[ipywidgets.Widget] = (),
    ) -> Dashboard:
        """Return the whole page: head, top widgets, columns, bottom widgets, and foot.

        The foot has the sources, which captions of saved images include, and a note on the page.
        """
        self._caption(columns, foot)
        main = ipywidgets.Box(columns).add_class("sdc-main").add_class(f"sdc-{shape}")
        below = (*below, Text(" ".join(filter(None, (foot, note)))).add_class("sdc-foot"))
        dashboard = Dashboard(self, self._study, [self, *above, main, *below])
        dashboard.add_class("sdc-page")
        return dashboard

    def _caption(self, columns: Iterable[ipywidgets.Widget], source: str) -> None:
        """Set the captions of saved images, except for charts that set their own."""
        charts = [chart for chart in _inside(columns, Chart) if not chart.caption]

        def show() -> None:
            state = self._study.state if self._study else None
            controlled = {control.parameter.name for control in _inside(columns, Control)}
            about = " ".join(
                filter(None, (caption_of(state, controlled), f"sdcwidgets, {self.title}.", source))
            )
            for chart in charts:
                chart.caption = about

        if self._study is not None:
            self._study.observe(lambda _: show(), "turn")
        show()


#: All existing pages.
_PAGES: WeakSet[Page] = WeakSet()


W = TypeVar("W", bound=ipywidgets.Widget)


def _inside(widgets: Iterable[ipywidgets.Widget], kind: type[W]) -> list[W]:
    """Return all widgets of a kind among these and their children, in the order of the page."""
    inside = []
    waiting = list(widgets)[::-1]
    while waiting:
        widget = waiting.pop()
        if isinstance(widget, kind):
            inside.append(widget)
        waiting += reversed(getattr(widget, "children", ()))
    return inside


def card(title: str, *children: ipywidgets.Widget) -> ipywidgets.VBox:
    """Return a white card with a heading."""
    return ipywidgets.VBox([heading(title, 2), *children]).add_class("sdc-card")


def column(*cards: ipywidgets.Widget) -> ipywidgets.VBox:
    """Return cards below each other."""
    return ipywidgets.VBox(cards).add_class("sdc-column")


def heading(words: str, level: int = 3) -> ipywidgets.HTML:
    """Return a heading; the text is escaped."""
    return ipywidgets.HTML(f"<h{level}>{escape(words)}</h{level}>").add_class("sdc-title")


class Text(BatchedWidget, ipywidgets.HTML):
    """A paragraph of escaped text with buttons for glossary terms."""

    def __init__(self, words: str = "") -> None:
        super().__init__(markup(words))
        self.add_class("sdc-text")

    def show(self, words: str) -> None:
        """Show another text."""
        self.value = markup(words)
