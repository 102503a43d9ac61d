"""Handlers of a course session: the pages of trainees and the trainer view.

The trainer has a separate access key.
"""

from __future__ import annotations

import hmac
import json
import secrets
from contextlib import suppress
from typing import Any, cast

from jupyter_server.auth.decorator import allow_unauthenticated, ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, authenticated
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from sdcwidgets._util.errors import InputError
from sdcwidgets.server.access_key import Keys, RequiresKeyMixin, network
from sdcwidgets.server.cached_files import CachedFileHandler
from sdcwidgets.server.content_security_policy import policy
from sdcwidgets.server.course_session import CourseSession, guide
from sdcwidgets.server.pages import ServedPage
from sdcwidgets.server.rate_limit import Pace, throttle
from sdcwidgets.teaching.course.addresses import page_of
from sdcwidgets.teaching.course.goals import conditions, judged_with, meaning, title
from sdcwidgets.teaching.course.handout import handout

#: Maximum length of a message in bytes, messages per second, and maximum number of messages at once.
LONGEST, RATE, BURST = 256 * 1024, 5, 60

#: Name of the cookie with the token of a trainee. A page sets this cookie for the handout only.
PARTICIPANT = "sdcwidgets-participant"


class _OfCourse:
    """Mixin of handlers that belong to the course."""

    def initialize(self, course_session: CourseSession, **settings: object) -> None:
        """Set the course session."""
        self.course_session = course_session
        super().initialize(**settings)  # type: ignore[misc]


class _OfTrainer(_OfCourse):
    """Mixin of handlers for the trainer, identified by the key in the URL or a cookie."""

    async def check_trainer(self) -> None:
        """Raise 403 unless the visitor is the trainer.

        A wrong key causes the same delay as a wrong access key of the server.
        """
        handler, name = cast(Any, self), "sdcwidgets-trainer"
        cookie = handler.get_secure_cookie(name)
        if cookie is not None and hmac.compare_digest(cookie, self.course_session.cookie):
            return
        typed = handler.get_query_argument("trainer", "")
        keys = cast(Keys, handler.identity_provider)
        if not typed or not await keys.fits(handler, typed, self.course_session.key):
            raise HTTPError(403)
        handler.set_secure_cookie(
            name,
            self.course_session.cookie,
            expires_days=None,
            httponly=True,
            samesite="Strict",
            path=f"{handler.base_url}course/board",
        )
        if keys.auth_enabled:
            keys.let_in(handler)


class JoinPage(_OfCourse, ServedPage):
    """Join page, which also shows steps without a dashboard or lesson."""

    @authenticated
    async def get(self) -> None:
        """Show the page; its content arrives through the websocket."""
        word = secrets.token_urlsafe(16)
        self.set_header("Content-Security-Policy", policy(word))
        self.set_header("Cache-Control", "no-store")
        self.write(
            self.render_template(
                "course.html",
                course=self.course_session.progress.course,
                shown=self.course_session.bar(self.base_url),
            )
        )


class BoardPage(_OfTrainer, ServedPage):
    """Trainer view."""

    @allow_unauthenticated
    async def get(self) -> None:
        """Show the trainer view."""
        await self.check_trainer()
        self.set_header("Content-Security-Policy", policy())
        self.set_header("Cache-Control", "no-store")
        course_session = self.course_session
        script = f"{self.base_url}course/static/board.js?v={course_session.scripts['board.js'].version()}"
        self.write(
            self.render_template(
                "board.html",
                course=course_session.progress.course,
                qr=course_session.qr,
                address=course_session.address,
                script=script,
                base=self.base_url,
            )
        )


class BoardFile(_OfTrainer, ServedPage):
    """Downloads of the trainer: results as CSV, handouts, and the teaching guide."""

    @allow_unauthenticated
    async def get(self, name: str) -> None:
        """Send the file."""
        await self.check_trainer()
        self.set_header("Cache-Control", "no-store")
        course_session = self.course_session
        if name == "teaching.html":
            self.set_header("Content-Security-Policy", policy())
            page = guide()
            self.finish(
                self.render_template(
                    "teaching.html", course=course_session.progress.course, guide=page, base=self.base_url
                )
            )
            return
        if name == "board.csv":
            self.set_header("Content-Type", "text/csv; charset=utf-8")
            self.set_header("Content-Disposition", 'attachment; filename="board.csv"')
            self.finish(course_session.progress.csv().encode())
            return
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Content-Security-Policy", policy())
        root = course_session.address.partition("course")[0]
        self.finish(handout(course_session.progress.course, solutions=name == "solutions.html", address=root))


class HandoutPage(_OfCourse, ServedPage):
    """Handout without solutions, with the results of the trainee whose token is in a cookie."""

    @authenticated
    async def get(self) -> None:
        """Send the handout."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Content-Security-Policy", policy())
        root = self.course_session.address.partition("course")[0]
        progress = self.course_session.progress
        token = self.get_cookie(PARTICIPANT) or ""
        name = progress.trainees[token].name if token in progress.trainees else ""
        results = progress.results(token)
        self.finish(handout(progress.course, address=root, results=results, participant=name))


class _Socket(RequiresKeyMixin, WebSocketMixin, WebSocketHandler, JupyterHandler):
    """Websocket of the course with short JSON messages and a rate limit."""

    ping_interval, ping_timeout = 45, 45
    max_message_size = LONGEST

    @property
    def address(self) -> str:
        """Network of the visitor."""
        return network(self.request.remote_ip or "")

    def set_default_headers(self) -> None:
        """Set no headers; the default headers are for pages."""

    def send_ping(self) -> None:
        """Stop Jupyter's pings; Tornado sends pings."""
        if self.ping_callback is not None:
            self.ping_callback.stop()

    async def get(self, *args: object, **kwargs: object) -> None:
        """Accept a websocket request, and raise 400 for others."""
        if self.request.headers.get("Upgrade", "").lower() != "websocket":
            raise HTTPError(400)
        await super().get(*args, **kwargs)

    def open(self, *_: object, **__: object) -> None:
        """Set the rate limit and the options of the connection."""
        self._pace = Pace(RATE, BURST)
        self.set_nodelay(True)
        if self.ws_connection is not None and cast(Any, self.ws_connection).stream is not None:
            throttle(self.ws_connection)
            cast(Any, self.ws_connection).stream.max_write_buffer_size = 4 * LONGEST

    async def on_message(self, message: str | bytes) -> None:
        """Handle a message in turn if it is a JSON object; close on invalid JSON."""
        await self._pace.turn()
        try:
            data = _json(message)
        except (ValueError, RecursionError):
            self.close(1002, "no message")
            return
        if isinstance(data, dict):
            await self.hear(data)

    async def hear(self, message: dict[str, object]) -> None:
        """Handle a message; subclasses override this method."""

    def draw(self) -> None:
        """Do nothing; only the trainer view is drawn."""

    def say(self, **message: object) -> None:
        """Send a message; close the connection if the page no longer reads."""
        with suppress(WebSocketClosedError):
            try:
                sent = self.write_message(json.dumps(message))
                sent.add_done_callback(lambda done: done.cancelled() or done.exception())
            except BufferError:
                self.close()


def _json(message: str | bytes) -> object:
    """Return the value of a JSON text; raise ValueError for bytes or NaN."""
    if isinstance(message, bytes):
        raise ValueError("bytes")

    def refused(constant: str) -> object:
        raise ValueError(constant)

    return json.loads(message, parse_constant=refused)


def _shown(value: float) -> str:
    """Return a whole number with all its digits, and another number with four digits."""
    return f"{value:,.0f}" if value.is_integer() else f"{value:.4g}"


class TraineeSocket(_OfCourse, _Socket):
    """Websocket of a trainee's page; it sends no data of other trainees."""

    @ws_authenticated
    async def get(self, *args: object, **kwargs: object) -> None:
        """Connect unless the maximum number of connections is reached."""
        if self.course_session.is_full(self.address):
            raise HTTPError(429)
        await super().get(*args, **kwargs)

    def open(self, *_: object, **__: object) -> None:
        """Send the course to the page."""
        super().open()
        self._token, self._waiting, self._checking = "", cast(dict[int, str], {}), False
        course_session = self.course_session
        course_session.trainees.add(self)
        course = course_session.progress.course
        self.say(
            type="course",
            title=course.title,
            language=course.language,
            steps=course_session.steps(self.base_url),
            names=course_session.progress.free(),
            server=course_session.begun,
        )

    def on_close(self) -> None:
        """Record that the page has disconnected."""
        self.course_session.trainees.discard(self)
        if self._token in self.course_session.progress.trainees:
            self.course_session.progress.trainees[self._token].here -= 1
        self._waiting.clear()
        self.course_session.changed()

    async def hear(self, message: dict[str, Any]) -> None:
        """Handle a message of a trainee."""
        progress, kind, step = self.course_session.progress, message.get("type"), message.get("step")
        if kind == "hello":
            self._hello(message)
        elif not self._token or self._token not in progress.trainees:
            return
        elif kind == "step":
            progress.go(self._token, step)
        elif kind == "finish":
            progress.finish(self._token)
        elif kind == "answer" and type(step) is int:
            right, words = progress.answer(self._token, step, message.get("answer"))
            trainee = progress.trainees[self._token]
            late, first = step in trainee.late, trainee.first.get(step, "")
            self.say(type="answered", step=step, right=right, words=words, late=late, first=first)
        elif kind == "state" and type(step) is int and isinstance(message.get("state"), str):
            self._state(step, message["state"])
        self.course_session.changed()

    def _hello(self, message: dict[str, object]) -> None:
        progress, token = self.course_session.progress, message.get("token")
        try:
            trainee = progress.join(
                token,
                message.get("name"),
                message.get("step"),
                message.get("answers"),
                self.address,
                message.get("late"),
                message.get("first"),
            )
        except InputError as error:
            self.say(type="sorry", words=str(error), names=progress.free())
            return
        if self._token != token:
            if self._token in progress.trainees:
                progress.trainees[self._token].here -= 1
            self._token = cast(str, token)
            trainee.here += 1
        self.say(
            type="welcome",
            name=trainee.name,
            feedback={
                number: progress.feedback(number, answer) for number, answer in trainee.answers.items()
            },
            solutions=progress.solutions(),
            at=progress.step,
        )
        if message.get("finished") is True:
            progress.finish(self._token)
        states = message.get("states")
        for number, state in (states if isinstance(states, dict) else {}).items():
            if isinstance(number, str) and number.isdecimal() and len(number) < 3 and isinstance(state, str):
                self._state(int(number), state)

    def _state(self, step: int, state: str) -> None:
        """Queue a state for its check; a newer state of the same task replaces it."""
        steps = self.course_session.progress.course.steps
        if 0 <= step < len(steps) and steps[step].goal:
            self._waiting[step] = state
            if not self._checking:
                self._checking = True
                IOLoop.current().add_callback(self._check)

    async def _check(self) -> None:
        course_session = self.course_session
        try:
            while self._waiting:
                step = next(iter(self._waiting))
                state = self._waiting.pop(step)
                try:
                    met, values, setting = await course_session.checker.check(
                        course_session.progress.course.steps[step], state
                    )
                except InputError as error:
                    self.say(type="checked", step=step, met=False, words=str(error))
                    continue
                course_session.progress.checked(self._token, step, met, values, setting)
                task = course_session.progress.course.steps[step]
                goal, opening = task.goal, task.opening
                assert opening is not None  # the check has raised an error otherwise
                goals = {condition.quantity for condition in goal}
                words = ", ".join(
                    f"{title(name, opening.page)} {_shown(values[name])}" for name in values if name in goals
                )
                if goals & {"risk", "highest row"} and (judged := judged_with(opening, state)):
                    words += f" ({judged})"
                self.say(
                    type="checked",
                    step=step,
                    met=met,
                    goals=[condition.met(values) for condition in goal],
                    words=words,
                    state=state if met else "",
                    **({"why": task.why} if met else {}),
                )
                course_session.changed()
        finally:
            self._checking = False


class BoardSocket(_OfTrainer, _Socket):
    """Websocket of the trainer view."""

    @allow_unauthenticated
    async def get(self, *args: object, **kwargs: object) -> None:
        """Connect the trainer."""
        await self.check_trainer()
        await super().get(*args, **kwargs)

    def open(self, *_: object, **__: object) -> None:
        """Send the current trainer view."""
        super().open()
        self.course_session.boards.add(self)
        self.draw()

    def on_close(self) -> None:
        """Remove the connection from the session."""
        self.course_session.boards.discard(self)

    async def hear(self, message: dict[str, object]) -> None:
        """Handle a command of the trainer."""
        course_session, progress, kind = (
            self.course_session,
            self.course_session.progress,
            message.get("type"),
        )
        if kind == "show":
            progress.show(message.get("step"))
            for trainee in list(course_session.trainees):
                trainee.say(type="class", step=progress.step)
        elif kind == "begin":
            progress.begin()
        elif kind == "reveal":
            step = progress.course.steps[progress.step]
            if step.can_be_revealed and progress.reveal() and step.kind != "text":
                for trainee in list(course_session.trainees):
                    trainee.say(type="solution", **progress.solution(progress.step))
        elif kind == "remove":
            progress.remove_absent()
        elif kind == "everybody":
            progress.move_all()
            for trainee in list(course_session.trainees):
                trainee.say(type="go", step=progress.step)
        course_session.changed()

    def draw(self) -> None:
        """Send the trainer view."""
        progress = self.course_session.progress
        step = progress.course.steps[progress.step]
        people = progress.people()
        html = self.render_template(
            "board_now.html",
            course=progress.course,
            number=progress.step,
            step=step,
            goals=conditions(step.goal, step.opening.page) if step.opening else [],
            page=page_of(step, cast(str, self.settings["base_url"])),
            steps=people,
            everybody=len(progress.trainees),
            here=sum(trainee.here > 0 for trainee in progress.trainees.values()),
            answers=progress.answers() if step.kind == "question" else [],
            texts=progress.texts() if step.kind == "text" else [],
            late=progress.late() if step.kind == "question" else 0,
            corrected=progress.corrected() if step.kind == "question" else 0,
            revealed=progress.step in progress.revealed,
            map=progress.map(),
            meaning=meaning(step.goal, step.opening.page) if step.opening else "",
        )
        self.say(type="board", html=html, step=progress.step, minutes=step.minutes, since=progress.seconds)

    def render_template(self, name: str, **values: object) -> str:
        """Return a rendered template; values are escaped."""
        return str(self.settings["voila_jinja2_env"].get_template(name).render(**values))


def handlers(course_session: CourseSession, settings: dict[str, object]) -> list[tuple[object, ...]]:
    """Return the routes of a course below the base URL."""
    of_course = {"course_session": course_session}
    page = of_course | settings
    return [
        ("course", JoinPage, page),
        ("course/socket", TraineeSocket, of_course),
        (r"course/handout\.html", HandoutPage, page),
        ("course/board", BoardPage, page),
        ("course/board/socket", BoardSocket, of_course),
        (r"course/board/(board\.csv|handout\.html|solutions\.html|teaching\.html)", BoardFile, page),
        *(
            (f"course/static/{name}", CachedFileHandler, {"script": script})
            for name, script in course_session.scripts.items()
        ),
    ]
