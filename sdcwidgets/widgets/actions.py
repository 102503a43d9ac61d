"""A row of buttons that run actions, open files, or start long computations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import file_name
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.page_state.recomputation import background
from sdcwidgets.widgets.page_state.stopping import stoppable

T = TypeVar("T")

#: Maximum size of a file that a button opens, in bytes.
LARGEST_FILE = 2_000_000

#: Message after an unexpected error.
FAILED = (
    "An error of the program occurred, and nothing was changed. Please contact the administrator of "
    "this server."
)

#: Media type of a file by the suffix of its name.
KINDS = {
    "csv": "text/csv;charset=utf-8",
    "html": "text/html;charset=utf-8",
    "txt": "text/plain;charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Actions(Widget):
    """Buttons in the order of `actions`; error messages are shown next to them.

    Parameters
    ----------
    actions : mapping of str to callable
    opens : mapping of str to callable, optional
        Further buttons that open a file; each is called with the name and the content of the file.
    """

    _esm = STATIC / "actions.js"
    _css = STATIC / "actions.css"

    labels = traitlets.List(traitlets.Unicode()).tag(sync=True)
    opening = traitlets.Int(0).tag(sync=True)  # number of the last buttons that open a file
    limit = traitlets.Int(LARGEST_FILE).tag(sync=True)
    progress = traitlets.Tuple(traitlets.Int(), traitlets.Int(), default_value=(0, 0)).tag(sync=True)
    counted = traitlets.Unicode("").tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)
    unfolded = traitlets.Bool(None, allow_none=True).tag(
        sync=True
    )  # whether the widgets of the first button are expanded

    def __init__(
        self,
        actions: Mapping[str, Callable[[], None]],
        opens: Mapping[str, Callable[[str, bytes], None]] | None = None,
    ) -> None:
        opens = opens or {}
        super().__init__(labels=[*actions, *opens], opening=len(opens))
        self._actions = list(actions.values())
        self._opens = list(opens.values())
        self._running = 0
        self.hear("press", lambda message, _: self._press(message.get("index")))
        self.hear("opened", self._opened)

    def file(self, name: str, content: bytes | str, title: str = "") -> None:
        """Send a file to the browser; the title of the table is added to its name.

        Texts are marked as UTF-8, which spreadsheets need.
        """
        name = file_name(name, title)
        if isinstance(content, str):
            content = content.encode("utf-8-sig")
        self.send({"type": "file", "name": name, "kind": KINDS[name.rpartition(".")[2]]}, [content])

    def relabel(self, index: int, label: str) -> None:
        """Change the label of a button."""
        self.labels = [*self.labels[:index], label, *self.labels[index + 1 :]]

    def work(
        self,
        steps: Iterator[T | None],
        each: Callable[[T], None],
        done: Callable[[], None],
        total: int,
        counted: str = "",
    ) -> None:
        """Run steps in the background; `each` is called with the value of each step that is not None.

        New work, or `stop`, ends previous work. The progress bar shows the number of completed steps of `total`;
        `counted` is their noun, such as "settings".
        """
        self.stop()
        self.progress, self.counted = (0, total), counted
        background(partial(self._work, steps, each, done, self._running))

    def stop(self) -> None:
        """Stop the running work."""
        self._running += 1
        self.progress = (0, 0)

    @property
    def working(self) -> bool:
        """Whether work is running."""
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
                raise InputError(
                    f"The file is larger than {LARGEST_FILE // 10**6} MB. Choose a smaller file."
                )
            with stoppable():
                self._opens[position](name[:200], bytes(buffers[0]))
        except InputError as error:
            self.status = str(error)
        except Exception:
            self.status = FAILED
            raise


class Fold(ipywidgets.VBox):
    """A button that expands and collapses the widgets below it.

    Parameters
    ----------
    label : str
        Text of the button.
    widgets : widget
    leading : sequence of widgets
        Widgets before the button, on the same line.
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
