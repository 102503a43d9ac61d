"""The large number of a page, with its parts, its formula and a remark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import traitlets

from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts import ROLES
from sdcwidgets.widgets.texts.glossary import linked
from sdcwidgets.widgets.texts.narration import Narration, Subject

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["Answer", "Subject", "drawn_parts"]


class DisplayedNumber(NamedTuple):
    """A number on the page, with its table and subject."""

    value: str
    parts: Mapping[str, float]
    of: TableState | None
    subject: Subject | None

    def change_to(self, now: DisplayedNumber, cause: str) -> str:
        """Return one line about the change to another number, or about its new table or subject."""
        old, of = self.of, now.of
        if of is not None and old is not None and _another(old, of):
            return f"Now: {of.title}"
        if now.subject is not None and self.subject is not None and now.subject.key != self.subject.key:
            return f"Now: {now.subject.title}"
        weighed = of is not None and old is not None and old.settings.weights != of.settings.weights
        return describe_change((self.value, self.parts), (now.value, now.parts), cause, weighed=weighed)


class Answer(Widget):
    """A large number; selecting it opens its explanation."""

    _esm = STATIC / "answer.js"
    _css = STATIC / "answer.css"

    label = traitlets.Unicode().tag(sync=True)
    value = traitlets.Unicode().tag(sync=True)
    caption: traitlets.List[object] = traitlets.List().tag(sync=True)
    sentence = traitlets.Unicode().tag(sync=True)
    parts: traitlets.List[dict[str, object]] = traitlets.List().tag(sync=True)
    formula: traitlets.List[list[object]] = traitlets.List().tag(sync=True)
    ends = traitlets.List(traitlets.Unicode()).tag(sync=True)
    changed = traitlets.Unicode().tag(sync=True)

    _before: DisplayedNumber | None = None
    _now: DisplayedNumber | None = None
    _act: object = None

    def __init__(self, label: str = "", page: Page | None = None) -> None:
        super().__init__(label=label)
        self._page = page
        self._narration: Narration | None = None
        self.hear("explain", lambda *_: self._explain())

    def show(self, narration: Narration) -> None:
        """Show a number, and its change since the last action."""
        self._narration = narration
        with self.hold_sync():
            if narration.act is None or narration.act != self._act:
                self._before, self._act = self._now, narration.act
            self._now = DisplayedNumber(
                narration.value, dict(narration.parts), narration.of, narration.subject
            )
            self.changed = "" if self._before is None else self._before.change_to(self._now, narration.cause)
            self.value, self.sentence = narration.value, narration.notice
            self.caption = [list(piece) for piece in linked(narration.caption)]
            self.parts = drawn_parts(narration.parts)
            self.formula, self.ends = [list(piece) for piece in narration.formula], list(narration.ends)

    def _explain(self) -> None:
        if self._page and self._narration and self._narration.explain:
            self._page.explain(*self._narration.explain())


def drawn_parts(parts: Sequence[tuple[str, float]]) -> list[dict[str, object]]:
    """Return the parts of a bar for the browser: name and share, one per role.

    Examples
    --------
    >>> drawn_parts([("zeros", 0.25)])
    [{'label': 'zeros', 'share': 0.25, 'text': '0.250', 'role': 'zeros'}]
    >>> [part["text"] for share in (0.9994, 0.9996, 1.0) for part in drawn_parts([("zeros", share)])]
    ['0.999', 'above 0.999', '1.000']
    """
    return [
        {
            "label": name,
            "share": share,
            "text": "above 0.999" if 0.9995 <= share < 1 else f"{share:.3f}",
            "role": role,
        }
        for (name, share), role in zip(parts, ROLES, strict=False)
    ]


def _another(before: TableState, after: TableState) -> bool:
    """Return whether two states have different tables, and not only different counts."""
    return before.source != after.source or before.table.axes != after.table.axes


def describe_change(
    before: tuple[str, Mapping[str, float]],
    after: tuple[str, Mapping[str, float]],
    cause: str = "",
    *,
    weighed: bool = False,
) -> str:
    """Return one line about a change, "" if nothing has changed.

    Each side is the number as text, and the share of each part. With `weighed`, the weights were changed, so a
    part may have a larger share although it is unchanged.

    Examples
    --------
    >>> describe_change(("0.2315", {"unevenness": 0.194}), ("0.2275", {"unevenness": 0.191}), "Area 6, Muslim: 0 → 14")
    '0.2315 → 0.2275 ▼ unevenness fell (Area 6, Muslim: 0 → 14)'
    >>> describe_change(("0.2315", {"zeros": 0.02}), ("0.2616", {"zeros": 0.07}), weighed=True)
    '0.2315 → 0.2616 ▲ zeros weigh more'
    >>> describe_change(("0.2315", {"unevenness": 0.194}), ("0.2315", {"unevenness": 0.194}))
    ''

    Numbers that contain an arrow are not joined by another arrow:

    >>> describe_change(("4 → 4", {}), ("4 → 3", {}))
    'before 4 → 4, now 4 → 3'

    A part that changed in the opposite direction is not named:

    >>> describe_change(("0.3022", {"still unknown": 0.298}), ("0.0561", {"still unknown": 0.857}))
    '0.3022 → 0.0561 ▼'
    """
    if before == after:
        return ""
    (old, old_parts), (new, new_parts) = before, after
    try:
        rises = float(new) - float(old)
    except ValueError:
        rises = None
    # Only parts that changed in the same direction as the number can explain its change.
    moves = {name: new_parts[name] - old_parts[name] for name in new_parts if name in old_parts}
    moves = {name: by for name, by in moves.items() if not rises or by * rises > 0}
    # If several parts qualify, the one with the largest change is named.
    most = max(moves, key=lambda name: abs(moves[name]), default="")
    moved = ""
    if most and abs(moves[most]) >= 5e-4:
        up = moves[most] > 0
        verb = "rose" if up else "fell"
        if weighed:
            verb = f"weigh{'' if most.endswith('zeros') else 's'} {'more' if up else 'less'}"
        moved = f"{most} {verb}"
    ending = " ".join(filter(None, (moved, cause and f"({cause})")))
    if "→" in old + new:
        return " ".join(filter(None, (f"before {old}, now {new}", ending)))
    if rises is None:
        return " ".join(filter(None, (f"{old} → {new}", ending)))
    if rises == 0:
        return f"{new}, as before: {ending}" if ending else ""
    return " ".join(filter(None, (f"{old} → {new} {'▲' if rises > 0 else '▼'}", ending)))
