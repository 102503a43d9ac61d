"""A course that this server teaches: its room, who checks goals, and what each side of it is told."""

from __future__ import annotations

import hashlib
import json
import secrets
from functools import cache
from pathlib import Path
from typing import Protocol

from nbconvert.filters.markdown_mistune import markdown2html_mistune
from tornado.ioloop import IOLoop

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server.checker import Checker
from sdcwidgets.server.kept import OwnScript
from sdcwidgets.teaching.course.addresses import address_of
from sdcwidgets.teaching.course.course import Course
from sdcwidgets.teaching.course.goals import meaning
from sdcwidgets.teaching.course.qr_codes import qr, terminal
from sdcwidgets.teaching.course.room import MOST_TRAINEES, Room

#: Seconds until the board is drawn again.
DRAWN_AGAIN = 0.25

#: So many websockets trainees have together, and half as many from one address: three pages for each place in the room.
MOST_SOCKETS = 3 * MOST_TRAINEES

#: Folder of the scripts of a course, which `npm run build` bundles from `js/course`.
SCRIPTS = Path(__file__).parents[1] / "static" / "course"


@cache
def guide() -> str:
    """Return how to teach, as HTML: the page of the documentation."""
    return markdown2html_mistune((notebook_pages.folder("docs") / "teaching.md").read_text("utf-8"))


class CourseSide(Protocol):
    """A websocket of a trainee or a board."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    def say(self, **message: object) -> None:
        """Send a message."""

    def draw(self) -> None:
        """Send the board, if it is one."""


class CourseSession:
    """A course that this server teaches: its room, who checks goals, and the sockets of both sides.

    Parameters
    ----------
    course : Course
    key : str
        What the trainer must know.
    address : str
        Where the room is.
    """

    def __init__(self, course: Course, key: str, address: str) -> None:
        self.room, self.key, self.address = Room(course), key, address
        self.checker = Checker()
        self.trainees: set[CourseSide] = set()
        self.boards: set[CourseSide] = set()
        self.cookie, self.begun = secrets.token_bytes(32), secrets.token_hex(8)
        self.scripts = {name: OwnScript(SCRIPTS / name) for name in ("bar.js", "board.js")}
        outline = json.dumps([course.title, [step.title for step in course.steps]])
        self.id = hashlib.sha256(outline.encode()).hexdigest()[:12]
        self._drawing: object = None

    @property
    def qr(self) -> str:
        """The room's address as a picture."""
        return qr(self.address)

    @property
    def terminal(self) -> str:
        """The same for a terminal."""
        return terminal(self.address)

    def bar(self, base: str) -> dict[str, str]:
        """Return what each page is told: where the room is, and its script."""
        script = f"{base}course/static/bar.js?v={self.scripts['bar.js'].version()}"
        return {"id": self.id, "base": base, "script": script}

    def steps(self, base: str) -> list[dict[str, object]]:
        """Return what trainees are told of the steps; neither notes nor answers."""
        return [
            {
                "title": step.title,
                "kind": step.kind,
                "minutes": step.minutes,
                "text": step.text,
                "hint": step.hint,
                "options": list(step.options),
                "goal": [str(goal) for goal in step.goal],
                "meaning": meaning(step.goal, step.opening.page) if step.opening else "",
                "page": step.opening.page if step.opening and step.kind != "lesson" else "",
                "href": address_of(step, number, base),
            }
            for number, step in enumerate(self.room.course.steps)
        ]

    def is_full(self, address: str) -> bool:
        """Return whether one more websocket of a trainee at this address would be too many."""
        alike = sum(trainee.address == address for trainee in self.trainees)
        return len(self.trainees) >= MOST_SOCKETS or alike >= MOST_SOCKETS // 2

    def changed(self) -> None:
        """Let the boards be drawn again, soon."""
        if self._drawing is None and self.boards:
            self._drawing = IOLoop.current().call_later(DRAWN_AGAIN, self._draw)

    def _draw(self) -> None:
        self._drawing = None
        for board in list(self.boards):
            board.draw()
