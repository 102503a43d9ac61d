"""What the websockets of a course answer, without a server."""

import asyncio
from types import SimpleNamespace

import pytest

from sdcwidgets import InputError
from sdcwidgets.server import course_handlers, course_session
from sdcwidgets.server.course_handlers import BoardSocket, TraineeSocket
from sdcwidgets.server.course_session import CourseSession
from sdcwidgets.teaching.course import read

COURSE = read("frequency-tables-and-entropy")
QUESTION = next(k for k, step in enumerate(COURSE.steps) if step.kind == "question")
TASK = next(k for k, step in enumerate(COURSE.steps) if step.goal)
TOKEN = f"{7:032x}"


class Trainee(TraineeSocket):
    """A websocket that keeps what it would send."""

    base_url = "/base/"

    def __init__(self, session, address="net"):
        self.course_session, self.sent, self.net = session, [], address
        self.open()

    @property
    def address(self):
        return self.net

    def say(self, **message):
        self.sent.append(message)

    def hears(self, **message):
        """Return what is sent after a message."""
        self.sent.clear()
        asyncio.run(self.hear(message))
        return self.sent

    def joins(self, number=7, **more):
        self.names = getattr(self, "names", None) or self.course_session.progress.free()
        name = self.names[number]
        return self.hears(type="hello", token=f"{number:032x}", name=name, step=0, answers={}, **more)


class Board(BoardSocket):
    def __init__(self, session):
        self.course_session, self.drawn = session, 0
        session.boards.add(self)

    def draw(self):
        self.drawn += 1


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(course_handlers._Socket, "open", lambda *_: None)
    return CourseSession(COURSE, "key", "http://address/")


def test_a_trainee_gets_the_course_joins_and_leaves(session):
    trainee = Trainee(session)
    [course] = trainee.sent
    assert (course["type"], course["title"], len(course["steps"])) == (
        "course",
        COURSE.title,
        len(COURSE.steps),
    )
    assert course["server"] == session.begun
    assert session.trainees == {trainee}
    [welcome] = trainee.joins()
    assert (welcome["type"], welcome["feedback"]) == ("welcome", {})
    assert session.progress.trainees[TOKEN].here == 1
    assert trainee.joins()[0]["name"] == welcome["name"]
    assert session.progress.trainees[TOKEN].here == 1
    trainee.joins(8)
    assert [session.progress.trainees[f"{number:032x}"].here for number in (7, 8)] == [0, 1]
    trainee.on_close()
    assert session.progress.trainees[f"{8:032x}"].here == 0
    assert not session.trainees


def test_messages_before_joining_are_ignored(session):
    trainee = Trainee(session)
    assert trainee.hears(type="answer", step=QUESTION, answer="1") == []
    assert trainee.hears(type="hello", token="x", name="", step=0, answers={})[0]["type"] == "sorry"


def test_answers_are_judged(session):
    trainee = Trainee(session)
    trainee.joins()
    [answered] = trainee.hears(type="answer", step=QUESTION, answer="no such answer")
    assert (answered["type"], answered["step"], answered["right"]) == ("answered", QUESTION, False)
    assert trainee.hears(type="answer", step=str(QUESTION), answer="1") == []
    trainee.hears(type="step", step=TASK)
    assert session.progress.trainees[TOKEN].step == TASK
    trainee.hears(type="finish")
    assert session.progress.trainees[TOKEN].finished


@pytest.mark.parametrize("option", ["1", "3"])
def test_a_participant_who_returns_gets_the_same_feedback(session, option):
    trainee = Trainee(session)
    trainee.joins()
    [answered] = trainee.hears(type="answer", step=QUESTION, answer=option)
    step = COURSE.steps[QUESTION]
    assert (step.why if answered["right"] else step.hint) in answered["words"]
    [welcome] = Trainee(session).joins()
    assert welcome["feedback"] == {QUESTION: (answered["right"], answered["words"])}


@pytest.mark.parametrize("met", [True, False])
def test_a_state_is_checked_and_its_goals_are_reported(session, met, monkeypatch):
    monkeypatch.setattr(course_handlers, "judged_with", lambda *_: "judged")
    trainee = Trainee(session)
    trainee.joins()
    values = {goal.quantity: 0.12345 for goal in COURSE.steps[TASK].goal}

    async def check(step, state):
        if state == "wrong":
            raise InputError("A sentence.")
        return met, values, "setting"

    session.checker = SimpleNamespace(check=check)

    async def sends(*states):
        trainee.sent.clear()
        for state in states:
            await trainee.hear({"type": "state", "step": TASK, "state": state})
        await asyncio.sleep(0.05)
        return list(trainee.sent)

    [checked] = asyncio.run(sends("first", "state"))
    assert (checked["type"], checked["step"], checked["met"]) == ("checked", TASK, met)
    assert checked["state"] == ("state" if met else "")
    assert ("why" in checked) is met
    assert "0.1235" in checked["words"]
    assert checked["goals"] == [goal.met(values) for goal in COURSE.steps[TASK].goal]
    assert session.progress.trainees[TOKEN].values[TASK][:2] == (met, values)
    [refused] = asyncio.run(sends("wrong"))
    assert (refused["met"], refused["words"]) == (False, "A sentence.")
    assert asyncio.run(trainee.hear({"type": "state", "step": QUESTION, "state": "state"})) is None
    assert not trainee._waiting


def test_the_trainer_shows_reveals_and_leads(session, monkeypatch):
    delays = []
    loop = SimpleNamespace(call_later=lambda *delay: delays.append(delay) or delay)
    monkeypatch.setattr(course_session.IOLoop, "current", lambda: loop)
    board, trainee = Board(session), Trainee(session)
    trainee.joins()

    def tells(**message):
        trainee.sent.clear()
        asyncio.run(board.hear(message))
        return [sent["type"] for sent in trainee.sent]

    assert tells(type="show", step=QUESTION) == ["class"]
    assert session.progress.step == QUESTION
    assert tells(type="everybody") == ["go"]
    assert trainee.sent[0]["step"] == QUESTION
    assert tells(type="reveal") == ["solution"]
    assert tells(type="reveal") == []
    trainee.on_close()
    assert tells(type="remove") == []
    assert not session.progress.trainees
    assert [seconds for seconds, _ in delays] == [course_session.DRAWN_AGAIN]
    delays[0][1]()
    assert board.drawn == 1
    session.changed()
    assert len(delays) == 2
    board.on_close()
    assert not session.boards


def test_connections_are_limited_in_total_and_per_address(session, monkeypatch):
    monkeypatch.setattr(course_session, "MOST_SOCKETS", 4)
    Trainee(session, "a")
    assert not session.is_full("a")
    Trainee(session, "a")
    assert (session.is_full("a"), session.is_full("b")) == (True, False)
    for address in "bc":
        Trainee(session, address)
    assert session.is_full("d")


@pytest.mark.parametrize(
    ("message", "value"), [('{"a": 1}', {"a": 1}), ("[1]", [1]), (b"{}", None), ("NaN", None), ("{", None)]
)
def test_messages_are_json_texts(message, value):
    if value is None:
        with pytest.raises(ValueError):  # noqa: PT011  # the message is no sentence for users
            course_handlers._json(message)
    else:
        assert course_handlers._json(message) == value


@pytest.mark.parametrize(
    ("value", "text"), [(1234567.0, "1,234,567"), (0.123456, "0.1235"), (12345.6, "1.235e+04")]
)
def test_numbers_of_a_check(value, text):
    assert course_handlers._shown(value) == text
