"""Base class of all widgets, with checked messages from the browser.

Messages from a browser are untrusted. A message is a dict with a "type". Each type has handlers, and a handler ignores
messages with invalid content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from sdcwidgets._util.errors import unknown_name
from sdcwidgets.widgets.message_batch import BatchedWidget, batched

#: Folder of the scripts and style sheets of widgets, which `npm run build` bundles from `js/widgets`.
STATIC = Path(__file__).parents[1] / "static" / "widgets"

#: Maximum number of numbers, texts and containers in one request; a longer one would stay in memory with its widget.
MOST_PARTS = 10_000

#: Maximum number of characters of one text in a request.
MOST_CHARACTERS = 100_000

Handler = Callable[[dict[str, object], list[memoryview]], None]


def check_traits(widget: type[traitlets.HasTraits], names: Iterable[str]) -> None:
    """Raise InputError for a name that is not a trait of a widget; traitlets would ignore it."""
    known = widget.class_trait_names()
    for name in names:
        if name not in known and not name.startswith("_"):
            own = [trait for trait in known if not trait.startswith("_")]
            raise unknown_name("argument", name, own, f" (see help({widget.__name__}))")


class Widget(BatchedWidget, anywidget.AnyWidget):
    """A widget that receives messages from its browser side.

    The kernel owns its traits: the browser can set only those named in `asks`.
    """

    #: Traits by which a browser can send requests.
    asks: ClassVar[tuple[str, ...]] = ()

    def __init__(self, **traits: object) -> None:
        check_traits(type(self), traits)
        super().__init__(**traits)
        self._handlers: dict[str, list[Handler]] = {}
        self.on_msg(self._hear)

    def set_state(self, sync_data: dict[str, object]) -> None:
        """Set the requested traits; all other traits, invalid values and very long requests are ignored."""
        with batched():
            for name in self.asks:
                if name in sync_data and _is_short(sync_data[name]):
                    with suppress(traitlets.TraitError):
                        super().set_state({name: sync_data[name]})

    def hear(self, kind: str, handler: Handler) -> None:
        """Call `handler(message, buffers)` for each message of this type."""
        self._handlers.setdefault(kind, []).append(handler)

    def _hear(self, _: object, message: Any, buffers: list[memoryview]) -> None:
        kind = message.get("type") if isinstance(message, dict) else None
        with batched():
            for handler in self._handlers.get(kind, ()) if isinstance(kind, str) else ():
                handler(message, buffers)


def _is_short(request: object) -> bool:
    """Whether a decoded request has at most `MOST_PARTS` parts and no text above `MOST_CHARACTERS`."""
    waiting = [request]
    seen = 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, str) and len(part) > MOST_CHARACTERS:
            return False
        if isinstance(part, dict):
            inner = [*part.keys(), *part.values()]
        elif isinstance(part, list):
            inner = part
        else:
            continue
        seen += len(inner)
        if seen > MOST_PARTS:
            return False
        waiting.extend(inner)
    return True


class Labelled(Widget):
    """A widget with a name for screen readers.

    Parameters
    ----------
    label : str
        Accessible name.
    """

    label = traitlets.Unicode().tag(sync=True)

    def __init__(self, label: str) -> None:
        super().__init__(label=label)
