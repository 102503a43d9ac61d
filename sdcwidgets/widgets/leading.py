"""Headline of a page: its question, the answer, the reason, the primary button, and the steps of a procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets.widgets.base import STATIC, Widget

#: Maximum length of a reason, in characters.
LONGEST_REASON = 300


class Lead(Widget):
    """Headline of a page, which announces its answer to screen readers.

    Parameters
    ----------
    question : str

    Attributes
    ----------
    news : str
        Text that is announced in addition to the answer: the reason, if only the reason has changed; otherwise "".
    tone : {"", "good", "stop"}
        Whether the answer is positive, negative or neither.
    notebook : str
        Notebook of the page that the primary button opens; "" if the button runs an action.
    second : str
        Text of a second button; it needs a `notebook`.
    tick : str
        Label of the tick box that accepts a violation; "" if there is nothing to accept.
    ticked : bool
    reasons : list of str
        Suggested reasons; users can type others.
    table : int
        Number of the table on the page; a new table empties the text field of the reason.
    steps : list of (name, state)
        Steps of a procedure; a state is done, now, stop or todo.
    """

    _esm = STATIC / "leading.js"
    _css = STATIC / "leading.css"

    question = traitlets.Unicode().tag(sync=True)
    answer = traitlets.Unicode().tag(sync=True)
    why = traitlets.Unicode().tag(sync=True)
    news = traitlets.Unicode().tag(sync=True)
    tone = traitlets.Unicode().tag(sync=True)
    ahead = traitlets.Unicode().tag(sync=True)
    notebook = traitlets.Unicode().tag(sync=True)
    second = traitlets.Unicode().tag(sync=True)
    tick = traitlets.Unicode().tag(sync=True)
    ticked = traitlets.Bool(False).tag(sync=True)
    reasons = traitlets.List(traitlets.Unicode()).tag(sync=True)
    table = traitlets.Int(0).tag(sync=True)
    steps: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, question: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(question=question, reasons=list(reasons))
        self._of: object = None

    def show(
        self,
        answer: str,
        why: str,
        ahead: str,
        *,
        tone: str = "",
        notebook: str = "",
        second: str = "",
        tick: str = "",
        ticked: bool = False,
        steps: Sequence[tuple[str, str]] = (),
        question: str = "",
        of: object = None,
    ) -> None:
        """Show another answer, reason and primary button, and another question if one is given.

        `of` is the state of the answer. It distinguishes a change by the user from a refined result.
        """
        changed = self._of is not None and self._of is not of
        with self.hold_sync():
            self.news = why if changed and answer == self.answer and why != self.why else ""
            self._of = of
            self.question = question or self.question
            self.answer, self.why, self.ahead, self.tone = answer, why, ahead, tone
            self.notebook, self.second = notebook, second
            self.tick, self.ticked, self.steps = tick, ticked, [list(step) for step in steps]

    def lead_to(self, part: str) -> None:
        """Scroll to the part of the page with the class `sdc-at-PART`, and focus and mark its first control."""
        self.send({"type": "lead", "place": part})

    def reason_in(self, message: dict[str, object]) -> str:
        """Return the reason of an accepted violation in a message from the browser; "" if it is of another table."""
        if message.get("table", self.table) != self.table:
            return ""
        reason = message.get("reason")
        return reason.strip()[:LONGEST_REASON] if isinstance(reason, str) else ""
