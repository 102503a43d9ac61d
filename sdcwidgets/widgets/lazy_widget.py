"""What is made only when somebody sees it, or when the browser has nothing else to do."""

from __future__ import annotations

from collections.abc import Callable

import traitlets

from sdcwidgets.widgets.base import Widget

#: Of so many views in sight a widget takes note; one is enough to make it.
MOST_VIEWS = 20


class LazyWidget(Widget):
    """A widget that knows whether it is in sight; its browser side uses `lazy_widget.js`.

    Attributes
    ----------
    old : bool
        Whether what the browser has is not yet what was shown last; the browser leaves its place blank.
    """

    old = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._wanted: Callable[[], None] | None = None
        # The views that are in sight, once any of them has said so.
        self._in_sight: set[str] | None = None
        self.hear("draw", lambda *_: self._make())
        self.hear("seen", lambda message, _: self._look(message.get("view"), message.get("seen") is True))

    def make(self, draw: Callable[[], None]) -> None:
        """Set the traits that show something, by calling `draw`: now if it is seen, or as soon as it is."""
        self._wanted = draw
        if self._in_sight is None or self._in_sight:
            self._make()
        else:
            self.old = True

    def _make(self) -> None:
        if self._wanted is None:
            return
        with self.hold_sync():
            self._wanted()
            self._wanted, self.old = None, False

    def _look(self, view: object, seen: bool) -> None:
        """Note that a view came into sight or left it; what it missed is made now."""
        if not isinstance(view, str):
            return
        self._in_sight = self._in_sight or set()
        if not seen:
            self._in_sight.discard(view)
            return
        if len(self._in_sight) < MOST_VIEWS:
            self._in_sight.add(view)
        self._make()
