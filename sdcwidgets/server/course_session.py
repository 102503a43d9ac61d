"""A course session of this server: trainees, checks of goals, and connections."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Protocol

from nbconvert.filters.markdown_mistune import markdown2html_mistune
from tornado.ioloop import IOLoop

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.server.cached_files import OwnScript
from sdcwidgets.server.checker import Checker
from sdcwidgets.teaching.course.addresses import address_of
from sdcwidgets.teaching.course.course import Course
from sdcwidgets.teaching.course.goals import conditions, meaning
from sdcwidgets.teaching.course.progress import MOST_TRAINEES, CourseProgress
from sdcwidgets.teaching.course.qr_codes import qr, terminal

#: Minimum seconds between two updates of the trainer view.
DRAWN_AGAIN = 0.25

#: Maximum number of trainee websockets, three per trainee; half of them from one address.
MOST_SOCKETS = 3 * MOST_TRAINEES

#: Folder of the scripts of a course, which `npm run build` bundles from `js/course`.
SCRIPTS = Path(__file__).parents[1] / "static" / "course"


@cache
def guide() -> str:
    """Return the teaching guide of the documentation as HTML, without pictures, because the server has no copies."""
    text = (notebook_pages.folder("docs") / "teaching.md").read_text("utf-8")
    return markdown2html_mistune(re.sub(r"^!\[.*\]\(.*\)\n", "", text, flags=re.MULTILINE))


class CourseSide(Protocol):
    """Websocket of a trainee or of a trainer view."""

    @property
    def address(self) -> str:
        """Network of the client."""

    def say(self, **message: object) -> None:
        """Send a message."""

    def draw(self) -> None:
        """Send the trainer view if this is its connection."""


class CourseSession:
    """A running course: its progress, the checker of goals, and all connections.

    Parameters
    ----------
    course : Course
    key : str
        Access key of the trainer.
    address : str
        URL of the join page.
    """

    def __init__(self, course: Course, key: str, address: str) -> None:
        self.progress, self.key, self.address = CourseProgress(course), key, address
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
        """URL of the join page as a QR code in SVG."""
        return qr(self.address)

    @property
    def terminal(self) -> str:
        """URL of the join page as a QR code for a terminal."""
        return terminal(self.address)

    def bar(self, base: str) -> dict[str, str]:
        """Return the data of the course bar of each page: id, base URL and script."""
        script = f"{base}course/static/bar.js?v={self.scripts['bar.js'].version()}"
        return {"id": self.id, "base": base, "script": script}

    def steps(self, base: str) -> list[dict[str, object]]:
        """Return the steps as trainees receive them, without notes and answers."""
        return [
            {
                "title": step.title,
                "kind": step.kind,
                "minutes": step.minutes,
                "text": step.text,
                "hint": step.hint,
                "options": list(step.options),
                "goal": conditions(step.goal, step.opening.page) if step.opening else [],
                "meaning": meaning(step.goal, step.opening.page) if step.opening else "",
                "page": step.opening.page if step.opening and step.kind != "lesson" else "",
                "href": address_of(step, number, base),
            }
            for number, step in enumerate(self.progress.course.steps)
        ]

    def is_full(self, address: str) -> bool:
        """Return whether one more trainee connection from this address is too many."""
        alike = sum(trainee.address == address for trainee in self.trainees)
        return len(self.trainees) >= MOST_SOCKETS or alike >= MOST_SOCKETS // 2

    def changed(self) -> None:
        """Schedule an update of the trainer views."""
        if self._drawing is None and self.boards:
            self._drawing = IOLoop.current().call_later(DRAWN_AGAIN, self._draw)

    def _draw(self) -> None:
        self._drawing = None
        for board in list(self.boards):
            board.draw()
