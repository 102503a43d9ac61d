"""Buttons in a row: some do something, some bring a file, one may start long work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import file_name
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.studies.base import background
from sdcwidgets.widgets.studies.stopping import stoppable

T = TypeVar("T")

#: The largest file that a button opens, in bytes.
LARGEST_FILE = 2_000_000

#: What is said where something failed that nobody foresaw.
FAILED = "This did not work, and nothing was changed; please tell whoever runs this page."

#: What a browser is told that a file is, by the ending of its name.
KINDS = {
    "csv": "text/csv;charset=utf-8",
    "html": "text/html;charset=utf-8",
    "txt": "text/plain;charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Actions(Widget):
    """Buttons and what they do, in the order of `actions`; what goes wrong is told beside them.

    Parameters
    ----------
    actions : dict of str to callable
    opens : dict of str to callable, optional
        Buttons after these that open a file: each is called with its name and its content.
    """

    _esm = STATIC / "actions.js"
    _css = STATIC / "actions.css"

    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    opening = traitlets.Int(0).tag(sync=True)  # how many of the last buttons open a file
    limit = traitlets.Int(LARGEST_FILE).tag(sync=True)
    progress = traitlets.Tuple(traitlets.Int(), traitlets.Int(), default_value=(0, 0)).tag(sync=True)
    counted = traitlets.Unicode("").tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)
    unfolded = traitlets.Bool(None, allow_none=True).tag(sync=True)  # of what the first button unfolds

    def __init__(
        self,
        actions: dict[str, Callable[[], None]],
        opens: dict[str, Callable[[str, bytes], None]] | None = None,
    ) -> None:
        opens = opens or {}
        super().__init__(labels=[*actions, *opens], opening=len(opens))
        self._actions = list(actions.values())
        self._opens = list(opens.values())
        self._running = 0
        self.hear("press", lambda message, _: self._press(message.get("index")))
        self.hear("opened", self._opened)

    def file(self, name: str, content: bytes | str, title: str = "") -> None:
        """Hand a file to the person; its ending says what it is, and the title of its table joins its name.

        A text is marked as UTF-8, as a spreadsheet wants it.
        """
        name = file_name(name, title)
        if isinstance(content, str):
            content = content.encode("utf-8-sig")
        self.send({"type": "file", "name": name, "kind": KINDS[name.rpartition(".")[2]]}, [content])

    def relabel(self, index: int, label: str) -> None:
        """Write something else on a button."""
        self.labels = [*self.labels[:index], label, *self.labels[index + 1 :]]

    def work(
        self,
        steps: Iterator[T | None],
        each: Callable[[T], None],
        done: Callable[[], None],
        total: int,
        counted: str = "",
    ) -> None:
        """Do the steps between the messages of the kernel; `each` gets what a step gives, unless it is None.

        Newer work, or `stop`, ends older work. Beside the bar stands how many of the `total` are done; `counted`
        is what they are, such as "settings".
        """
        self.stop()
        self.progress, self.counted = (0, total), counted
        background(partial(self._work, steps, each, done, self._running))

    def stop(self) -> None:
        """End the work that is going on."""
        self._running += 1
        self.progress = (0, 0)

    @property
    def working(self) -> bool:
        """Whether work is going on."""
        return bool(self.progress[1] > 0)

    async def _work(
        self, steps: Iterator[T | None], each: Callable[[T], None], done: Callable[[], None], mine: int
    ) -> None:
        for step in steps:
            if step is not None:
                self.progress = (self.progress[0] + 1, self.progress[1])
                each(step)
            await asyncio.sleep(0.001)
            if mine != self._running:
                return
        self.stop()
        done()

    def _press(self, index: object) -> None:
        if type(index) is not int or not 0 <= index < len(self._actions):
            return
        try:
            self.status = ""
            with stoppable():
                self._actions[index]()
        except InputError as error:
            self.status = str(error)
        except Exception:
            self.status = FAILED
            raise

    def _opened(self, message: dict[str, object], buffers: list[memoryview]) -> None:
        index, name = message.get("index"), message.get("name")
        if type(index) is not int or not isinstance(name, str) or len(buffers) != 1:
            return
        position = index - len(self._actions)
        if not 0 <= position < len(self._opens):
            return
        try:
            self.status = ""
            if len(buffers[0]) > LARGEST_FILE:
                raise InputError(f"The file is larger than {LARGEST_FILE // 10**6} MB; choose a smaller one.")
            with stoppable():
                self._opens[position](name[:200], bytes(buffers[0]))
        except InputError as error:
            self.status = str(error)
        except Exception:
            self.status = FAILED
            raise


class Fold(ipywidgets.VBox):
    """A button that unfolds widgets below it, and folds them again.

    Parameters
    ----------
    label : str
        What the button says.
    widgets : widget
    leading : sequence of widgets
        Widgets before the button, in its line.
    """

    def __init__(
        self, label: str, *widgets: ipywidgets.Widget, leading: Sequence[ipywidgets.Widget] = ()
    ) -> None:
        folded = ipywidgets.VBox(widgets)

        def turn() -> None:
            button.unfolded = not button.unfolded
            folded.layout.display = None if button.unfolded else "none"

        button = Actions({label: turn})
        button.unfolded, folded.layout.display = False, "none"
        super().__init__([ipywidgets.Box([*leading, button]).add_class("sdc-bar-of-table"), folded])
