"""The page around a dashboard: head, cards, foot, and what its buttons do with the study."""

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
from sdcwidgets.widgets.studies.base import Study
from sdcwidgets.widgets.studies.links import State, decode, encode
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

#: So many characters say at most what is wrong with a link or a change.
MOST_TOLD = 200


class Headline(NamedTuple):
    """What a page says of a result, and what its blue button does.

    Attributes
    ----------
    answer, why : str
        The answer to the question of the page, and why, in one line.
    ahead : str
        What the button says; "" for none.
    act : callable, optional
        What the button does.
    tone : {"", "good", "stop"}
    question : str
        The question of the page where it is another one for each result.
    """

    answer: str
    why: str = ""
    ahead: str = ""
    act: Callable[[], None] | None = None
    tone: str = ""
    question: str = ""


class Page(Widget):
    """The head of a page, bound to the study that the page shows.

    Parameters
    ----------
    title : str
        What the window of a served page is called.
    about : str
        What one can do here, in one sentence.
    links : list of (group, list of (text, notebook))
        The dashboards one can go to; `here` is the notebook of this one.
    lessons : list of (text, notebook)
        The lessons that teach what is shown here.

    Attributes
    ----------
    nth : int
        Which of the pages of its kind in its notebook it is, from 1: each keeps its own state.
    led : bool
        Whether a `Lead` says what the page is for; then the buttons that are not for its answer are in two menus.
    came : str
        Which table the tab had kept, as long as the page shows it.
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
        """Let the entries of these words show their formula with the numbers of the page, too."""
        self._numbers |= dict.fromkeys(words, lines)

    def _word(self, word: str) -> None:
        glossary_entry = entry(word)
        if glossary_entry is not None:
            numbers = self._numbers.get(glossary_entry.word)
            self.explain(glossary_entry.word, [*glossary_entry.lines(), *(numbers() if numbers else [])])

    def bind(
        self, study: Study[S, R], restore: Callable[[dict[str, object]], S], code: Callable[[S], str]
    ) -> None:
        """Let the buttons work on `study`.

        Parameters
        ----------
        restore : callable
            From the dict of a link to a state.
        code : callable
            From a state to Python code that computes the numbers shown.
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
        """Let a button save the report that `make` returns; what it refuses is told."""
        self.reports = True

        def save() -> None:
            from sdcwidgets.assessment.report.html import written

            report = make()
            name = file_name(internal_name("report.html") if report.internal else "report.html", report.title)
            self.send({"type": "file", "name": name, "kind": KINDS["html"]}, [written(report).encode()])

        self.hear("report", lambda *_: self.attempt(save))

    def attempt(self, action: Callable[[], None]) -> None:
        """Do something that input may forbid; then say why, and leave everything as it was."""
        try:
            action()
            self.problem = ""
        except InputError as error:
            # What is wrong stands at the beginning; a link may name much.
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
        """Open the dialog that shows how a number comes about.

        Parameters
        ----------
        lines
            A formula with numbers, or words.
        sentences : sequence of str
            What it says in words: then the lines are folded.
        parts : sequence of (str, float)
            Name and share, from 0 to 1, of each part of the number: a bar in the colours of their roles.
        search : bool
            Whether one can look for a line.
        """
        pieces = [[list(piece) for piece in line] for line in lines]
        more = {"sentences": list(sentences), "parts": drawn_parts(parts), "search": search}
        self.send({"type": "explain", "title": title, "lines": pieces} | more)

    def _words(self, here: object) -> None:
        words = here if isinstance(here, list) else []
        mine = [*map(str, words), *self._numbers]
        self.explain("What the words mean", all_words(mine), search=True)

    def _link(self, study: Study[S, R]) -> None:
        opened = self._tabs.opened if self._tabs else 0
        self.send({"type": "link", "state": encode(study.state), "tab": opened})

    def _turn(self, index: object) -> None:
        """Open the tab that a link names."""
        if self._tabs and type(index) is int and 0 <= index < self._tabs.count:
            self._tabs.turn_to(index)

    def _follow(self, study: Study[S, R]) -> None:
        with self.hold_sync():
            self.can_undo, self.can_redo = study.can_undo, study.can_redo
            self.internal = is_own(study.state)
            # Better numbers for the same state are no answer to what was wrong.
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
    ) -> Dashboard:
        """Return a page that asks one question: its answer, one stage with what drives it, and tabs for the rest.

        Parameters
        ----------
        headline_of : callable
            From a result to the answer and what the blue button does next.
        controls, stage : sequence of widgets
            Cards at the left, and the stage at the right; they follow the study by themselves.
        tabs : mapping of str to callable
            What makes the part under each question, when it is first opened.
        """
        lead = Lead(question)

        def show(result: R) -> None:
            headline = headline_of(result)
            lead.show(
                headline.answer,
                headline.why,
                headline.ahead,
                tone=headline.tone,
                question=headline.question,
                of=study.state,
            )

        def act() -> None:
            if (step := headline_of(study.result).act) is not None:
                step()

        def build(part: Callable[[], Part[R]]) -> ipywidgets.Widget:
            box = ipywidgets.VBox(followed(study, part()))
            self._caption((box,), foot)
            return box

        lead.hear("next", lambda *_: self.attempt(act))
        follow(study, show)
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
        """Open a tab of the page, and go there."""
        if self._tabs:
            self._tabs.lead_to(index)

    def offer_tabs(self, count: int) -> None:
        """Offer the first so many tabs of the page only."""
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
        """Return the whole page: this head, what is above all, the columns side by side, what is below, and a foot.

        The foot has the sources, which saved pictures name too, and a note of the page alone.
        """
        self._caption(columns, foot)
        main = ipywidgets.Box(columns).add_class("sdc-main").add_class(f"sdc-{shape}")
        below = (*below, Text(" ".join(filter(None, (foot, note)))).add_class("sdc-foot"))
        dashboard = Dashboard(self, self._study, [self, *above, main, *below])
        dashboard.add_class("sdc-page")
        return dashboard

    def _caption(self, columns: Iterable[ipywidgets.Widget], source: str) -> None:
        """Let each picture that is saved say what it was made from, unless its chart says that itself."""
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


#: The pages that there are.
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
    """Return a heading; the words are data, not markup."""
    return ipywidgets.HTML(f"<h{level}>{escape(words)}</h{level}>").add_class("sdc-title")


class Text(BatchedWidget, ipywidgets.HTML):
    """A paragraph; the words are data, not markup, and those of the glossary open their entry."""

    def __init__(self, words: str = "") -> None:
        super().__init__(markup(words))
        self.add_class("sdc-text")

    def show(self, words: str) -> None:
        """Show other words."""
        self.value = markup(words)
