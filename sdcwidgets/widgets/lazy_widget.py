"""Widgets that are computed only when they are visible or the browser is idle."""

from __future__ import annotations

from collections.abc import Callable

import traitlets

from sdcwidgets.widgets.base import Widget

#: Maximum number of visible views that a widget remembers; one is enough to compute it.
MOST_VIEWS = 20


class LazyWidget(Widget):
    """A widget that is computed when it is visible; its browser side uses `lazy_widget.js`.

    Attributes
    ----------
    old : bool
        Whether the browser has outdated content, which it hides.
    """

    old = traitlets.Bool(False).tag(sync=True)

    def __init__(self, **traits: object) -> None:
        super().__init__(**traits)
        self._wanted: Callable[[], None] | None = None
        # Visible views, once any of them has reported.
        self._in_sight: set[str] | None = None
        self.hear("draw", lambda *_: self._make())
        self.hear("seen", lambda message, _: self._look(message.get("view"), message.get("seen") is True))

    def make(self, draw: Callable[[], None]) -> None:
        """Set the traits by calling `draw`: at once if the widget is visible, otherwise later."""
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
        """Record whether a view is visible; outdated content is computed now."""
        if not isinstance(view, str):
            return
        self._in_sight = self._in_sight or set()
        if not seen:
            self._in_sight.discard(view)
            return
        if len(self._in_sight) < MOST_VIEWS:
            self._in_sight.add(view)
        self._make()
