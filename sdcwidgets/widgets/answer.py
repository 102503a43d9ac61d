"""The answer of a screen: one large number, its parts, its formula and what to notice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from sdcwidgets.widgets.base import Widget, browser_side, style
from sdcwidgets.words import ROLES, Piece

__all__ = ["Answer"]


class Answer(Widget):
    """A large number; pressing it sends "explain"."""

    _esm = browser_side("answer")
    _css = style("answer")

    label = traitlets.Unicode().tag(sync=True)
    value = traitlets.Unicode().tag(sync=True)
    caption = traitlets.Unicode().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    parts: traitlets.List[Any] = traitlets.List().tag(sync=True)
    formula: traitlets.List[Any] = traitlets.List().tag(sync=True)
    ends = traitlets.List(traitlets.Unicode()).tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)

    def show(
        self,
        value: str,
        parts: Sequence[tuple[str, float]],
        formula: Sequence[Piece],
        caption: str,
        sentence: str,
        ends: Sequence[str] = (),
    ) -> None:
        """Show a number; `parts` are the (name, share of the bar), one for each role, `ends` what its ends mean."""
        with self.hold_sync():
            self.value, self.caption, self.sentence = value, caption, sentence
            self.parts = [
                {"label": name, "share": share, "text": f"{share:.3f}", "role": role}
                for (name, share), role in zip(parts, ROLES, strict=False)
            ]
            self.formula, self.ends = [list(piece) for piece in formula], list(ends)
            self.turn += 1
