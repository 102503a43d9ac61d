"""The lead of a page: its question, the answer, why, the blue button that does the next thing, and a line of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets.widgets.base import STATIC, Widget

#: A reason is at most so long, in letters.
LONGEST_REASON = 300


class Lead(Widget):
    """What a page is about and what it says now; it announces its answer.

    Parameters
    ----------
    question : str

    Attributes
    ----------
    news : str
        What is read aloud besides the answer: why, where something was changed and the answer stayed; else "".
    tone : {"", "good", "stop"}
        Whether the answer is a yes, a no, or neither.
    tick : str
        What can be accepted, with a reason; "" for nothing.
    ticked : bool
    reasons : list of str
        Reasons that are offered; others can be typed.
    steps : list of (name, state)
        Where there is a procedure; a state is done, now, stop or todo.
    """

    _esm = STATIC / "leading.js"
    _css = STATIC / "leading.css"

    question = traitlets.Unicode().tag(sync=True)
    answer = traitlets.Unicode().tag(sync=True)
    why = traitlets.Unicode().tag(sync=True)
    news = traitlets.Unicode().tag(sync=True)
    tone = traitlets.Unicode().tag(sync=True)
    ahead = traitlets.Unicode().tag(sync=True)
    tick = traitlets.Unicode().tag(sync=True)
    ticked = traitlets.Bool(False).tag(sync=True)
    reasons = traitlets.List(traitlets.Unicode()).tag(sync=True)
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
        tick: str = "",
        ticked: bool = False,
        steps: Sequence[tuple[str, str]] = (),
        question: str = "",
        of: object = None,
    ) -> None:
        """Show another answer and what comes next, to another question if one is given.

        What it is the answer `of`, a state, tells a change that somebody made from a better answer to the same.
        """
        changed = self._of is not None and self._of is not of
        with self.hold_sync():
            self.news = why if changed and answer == self.answer and why != self.why else ""
            self._of = of
            self.question = question or self.question
            self.answer, self.why, self.ahead, self.tone = answer, why, ahead, tone
            self.tick, self.ticked, self.steps = tick, ticked, [list(step) for step in steps]

    def lead_to(self, part: str) -> None:
        """Bring a part of the page into sight and focus its first control; the part has the class `sdc-at-PART`."""
        self.send({"type": "lead", "place": part})

    def reason_in(self, message: dict[str, object]) -> str:
        """Return the reason that a browser sent with a tick."""
        reason = message.get("reason")
        return reason.strip()[:LONGEST_REASON] if isinstance(reason, str) else ""
