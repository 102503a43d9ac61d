"""A course that is served: two keys, a board that trainees never see, thirty of them, and a server that comes again."""

import asyncio
import json
import random
import time
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest
from stating import stating
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClosedError, websocket_connect

from sdcwidgets.assessment.assessment import assess
from sdcwidgets.teaching.course import read
from sdcwidgets.teaching.course.reading import text_of
from sdcwidgets.widgets.page_state.links import encode
from sdcwidgets.widgets.page_state.table_state import TableState
from serving import free_port, running, serve
from visiting import get

pytestmark = pytest.mark.slow

NAME = "frequency-tables-and-entropy"
KEY, TRAINER = "room-word", "trainer-word"
COURSE = read(NAME)
TASK = next(k for k, step in enumerate(COURSE.steps) if step.kind == "task" and step.opening.page == "who")
QUESTION = next(k for k, step in enumerate(COURSE.steps) if step.kind == "question")


@contextmanager
def taught(port, key=KEY, course=NAME):
    command = serve(port)
    command += ["--course", str(course), "--trainer", TRAINER, *(["--key", key] if key else [])]
    with running(command, f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def server():
    with taught(free_port()) as served:
        yield served


SOCKETS = []


async def connected(served, where):
    """Open a websocket as a page of this server does."""
    address = f"ws://{urlsplit(served).netloc}/{where}"
    SOCKETS.append(await websocket_connect(HTTPRequest(address, headers={"Origin": served.rstrip("/")})))
    return SOCKETS[-1]


async def ended(socket):
    """Close a websocket and its connection; a message that nobody reads would keep the answer to that waiting."""
    stream = socket.protocol.stream if socket.protocol else None
    socket.close()
    while stream and not stream.closed():
        with suppress(TimeoutError):
            await asyncio.wait_for(socket.read_message(), 0.05)


def driven(work):
    """Run what opens websockets, and close them."""

    async def whole():
        try:
            return await work
        finally:
            await asyncio.gather(*map(ended, SOCKETS))
            SOCKETS.clear()

    return asyncio.run(whole())


class Trainee:
    """A trainee's page, without a browser."""

    def __init__(self, name, number):
        self.kept = {"token": f"{number:032x}", "name": name, "step": 0, "answers": {}, "states": {}}
        self.heard = []

    async def come(self, served, where="course/socket"):
        self.socket = await connected(served, where)
        await self.hear("course")
        await self.say(type="hello", **self.kept)
        return await self.hear("welcome", "sorry")

    async def say(self, **told):
        await self.socket.write_message(json.dumps(told))

    async def hear(self, *kinds):
        while True:
            message = await asyncio.wait_for(self.socket.read_message(), 60)
            assert message is not None, "closed"
            told = json.loads(message)
            self.heard.append(told)
            if told["type"] in kinds:
                return told

    async def answer(self, step, given):
        self.kept["answers"][str(step)] = given
        await self.say(type="answer", step=step, answer=given)
        return await self.hear("answered")

    async def solve(self, step, state):
        await self.say(type="state", step=step, state=state)
        told = await self.hear("checked")
        if told["met"]:
            self.kept["states"][str(step)] = told["state"]
        return told


async def board(served):
    return await connected(served, f"course/board/socket?trainer={TRAINER}")


async def seen(socket, *words, without=()):
    """Read the board until it shows these words."""
    html = ""
    try:
        while not all(word in html for word in words) or any(word in html for word in without):
            html = json.loads(await asyncio.wait_for(socket.read_message(), 60))["html"]
    except TimeoutError:
        raise AssertionError(html) from None
    return html


def test_the_two_keys_open_what_they_are_for(server):
    """Takes more than 10 s of processor time, because a server starts."""
    assert get(f"{server}course?key={KEY}")[0] == 200
    assert "Enter the access key" in get(f"{server}course")[2]
    for place in (
        "course/board",
        "course/board/board.csv",
        "course/board/solutions.html",
        "course/board/teaching.html",
    ):
        assert get(f"{server}{place}")[0] == 403
        assert get(f"{server}{place}?key={KEY}")[0] == 403
        assert get(f"{server}{place}?trainer={KEY}")[0] == 403
        assert get(f"{server}{place}?trainer={TRAINER}")[0] == 200
    # The trainer's word is no key of the server where trainees type theirs.
    assert "Enter the access key" in get(f"{server}course?key={TRAINER}")[2]


@pytest.mark.parametrize(
    "place", ["course/socket", f"course/socket?trainer={TRAINER}", f"course/board/socket?key={KEY}"]
)
def test_a_websocket_needs_its_own_key_and_a_page_of_this_server(server, place):
    async def refused(address, origin):
        with pytest.raises(HTTPClientError) as told:
            await websocket_connect(HTTPRequest(address, headers={"Origin": origin}))
        return told.value.code

    address = server.replace("http", "ws") + place
    assert asyncio.run(refused(address, server.rstrip("/"))) == 403
    with_key = f"{server.replace('http', 'ws')}course/socket?key={KEY}"
    assert asyncio.run(refused(with_key, "http://elsewhere.example")) == 403


def test_a_page_has_the_bar_and_no_answer_of_the_course(server):
    text = get(f"{server}course?key={KEY}")[2]
    assert "bar.js" in text
    wrong = [step.note for step in COURSE.steps if step.note] + [
        step.why for step in COURSE.steps if step.why
    ]
    assert not any(one in text for one in wrong)


def test_the_bar_states_the_weights_of_the_task_where_the_page_has_others(server):
    task = next(
        k for k, step in enumerate(COURSE.steps) if step.kind == "task" and step.opening.page == "explore"
    )
    shown = "weights of the task: 0.1, 0.8, 0.1"

    async def work():
        fox = Trainee("fox", 1)
        await fox.come(server, f"course/socket?key={KEY}")
        page = TableState.of_example("religion")
        assert shown not in (await fox.solve(task, encode(page)))["words"]
        other = await fox.solve(task, encode(page.set(weights=(0.2, 0.5, 0.3))))
        assert shown in other["words"]
        assert f"disclosure risk R₁ {assess(page.table).whole_slice.r1[0]:.4g}" in other["words"]

    driven(work())


def test_trainees_hear_of_themselves_alone(server):
    async def work():
        fox, owl, trainer = Trainee("fox", 1), Trainee("owl", 2), await board(server)
        where = f"course/socket?key={KEY}"
        assert (await fox.come(server, where))["type"] == "welcome"
        assert (await owl.come(server, where))["type"] == "welcome"
        await trainer.write_message(json.dumps({"type": "show", "step": QUESTION}))
        # Participants learn where the class is, also those who join late.
        assert (await fox.hear("class"))["step"] == QUESTION
        bee = Trainee("bee", 7)
        assert (await bee.come(server, where))["at"] == QUESTION
        assert (await fox.answer(QUESTION, "1"))["right"] is False
        assert (await owl.answer(QUESTION, "3"))["right"] is True
        assert await seen(trainer, "fox", "owl", "2 answers received", without=["class=&#34;bars"])
        await trainer.write_message(json.dumps({"type": "reveal"}))
        await seen(trainer, 'aria-label="Answers"', "1 ✓")
        step = COURSE.steps[TASK]
        solved = await fox.solve(TASK, step.solution.state)
        assert (solved["met"], solved["why"]) == (True, step.why)
        assert "why" not in await owl.solve(TASK, step.opening.state)
        assert (await owl.solve(TASK, "damaged!"))["words"].startswith("This link is damaged")
        await trainer.write_message(json.dumps({"type": "show", "step": TASK}))
        assert step.why not in await seen(trainer, 'class="dot met"')
        await trainer.write_message(json.dumps({"type": "reveal"}))
        while (shown := await owl.hear("solution"))["step"] != TASK:
            pass
        assert (shown["answer"], shown["why"]) == ("", step.why)
        await seen(trainer, step.why)
        await trainer.write_message(json.dumps({"type": "everybody"}))
        assert (await owl.hear("go"))["step"] == TASK
        told = json.dumps(owl.heard[1:])
        assert "fox" not in told
        assert step.solution.state not in told
        first = json.dumps(owl.heard[0])
        assert not any(one.note in first for one in COURSE.steps if one.note)
        assert not any(one.why in first for one in COURSE.steps if one.why)

    driven(work())


@pytest.mark.parametrize(
    "message",
    [
        "x",
        "[" * 10_000,
        '{"type": "answer", "step": 0, "answer": "' + 1_000_000 * "x" + '"}',
        '{"type": "answer", "step": NaN}',
        b"\xff\xfe",
        '{"type": "answer", "step": 0}'.encode("utf-16"),
    ],
    ids=["no JSON", "deep", "1 MB", "NaN", "bytes", "UTF-16"],
)
def test_what_is_no_message_ends_its_own_connection(server, message):
    async def work():
        cat = Trainee("cat", 3)
        await cat.come(server, f"course/socket?key={KEY}")
        await cat.socket.write_message(message, binary=isinstance(message, bytes))
        while (said := await asyncio.wait_for(cat.socket.read_message(), 10)) is not None:
            assert json.loads(said)["type"] != "answered"

    driven(work())
    assert get(f"{server}health?key={KEY}")[0] == 200


@pytest.mark.parametrize("place", [f"course/socket?key={KEY}", f"course/board/socket?trainer={TRAINER}"])
def test_what_asks_for_no_websocket_gets_a_page(server, place):
    status, _, html = get(f"{server}{place}")
    assert status == 400
    assert "<h1" in html


def test_half_a_character_is_answered_in_a_sentence_and_loses_nothing(server):
    async def work():
        cow = Trainee("\ud800", 5)
        assert "is taken" in (await cow.come(server, f"course/socket?key={KEY}"))["words"]
        cow.kept |= {"name": "crow", "answers": {str(QUESTION): "\ud800"}}
        await cow.say(type="hello", **cow.kept)
        assert (await cow.hear("welcome"))["feedback"] == {}
        assert (await cow.answer(QUESTION, "\ud800"))["words"] == stating("the options")
        assert "damaged" in (await cow.solve(TASK, "\ud800"))["words"]
        await cow.say(type="\ud800", step="\ud800")
        assert (await cow.answer(QUESTION, "3"))["right"] is True

    driven(work())


HOSTILE = [
    "<img src=x onerror=alert(1)>", "=1+1", "\ud800", "\u202e", "\0", "9" * 99_999, "1/0", "²", None, True, -1, 10**30,
    1e300, [[]], {"0": {"0": 1}}, {"²": "x"}, {str(TASK): "\udfff"}, {str(TASK): "x" * 99_999},
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_whatever_hostile_pages_say_harms_themselves_alone(server, seed):
    kinds = ["hello", "answer", "state", "show", "reveal", "everybody", "begin", "board", "welcome", [], None]
    fields = ["token", "name", "step", "answer", "answers", "state", "states"]

    async def work():
        draw, where = random.Random(seed), f"course/socket?key={KEY}"
        lynx, trainer, hostile = Trainee("lynx", 90), await board(server), Trainee(str(20 + seed), 20 + seed)
        await lynx.come(server, where)
        await lynx.answer(QUESTION, "3")
        await hostile.come(server, where)
        for _ in range(50):
            said = {"type": draw.choice(kinds), "step": draw.choice([QUESTION, TASK, *HOSTILE])}
            said |= {field: draw.choice(HOSTILE) for field in draw.sample(fields, 3) if field not in said}
            with suppress(WebSocketClosedError):
                await hostile.say(**said)
        with suppress(AssertionError, WebSocketClosedError):
            await hostile.say(type="hello", **hostile.kept)
            await hostile.hear("welcome")
        assert "lynx" not in json.dumps(hostile.heard[1:])
        await trainer.write_message(json.dumps({"type": "show", "step": QUESTION}))
        html = await seen(trainer, "lynx", "A certain intruder")
        assert "<img" not in html
        assert (await lynx.answer(QUESTION, "3"))["right"] is True

    driven(work())


def test_who_speaks_without_end_waits(server):
    async def work():
        bat = Trainee("bat", 4)
        await bat.come(server, f"course/socket?key={KEY}")
        start = time.monotonic()
        for _ in range(75):
            await bat.say(type="answer", step=QUESTION, answer="1")
        for _ in range(75):
            await bat.hear("answered")
        return time.monotonic() - start

    assert driven(work()) > 2  # 60 at once, then 5 a second


def test_thirty_trainees_a_board_and_a_server_that_comes_again(tmp_path):
    """Takes 22 s, because the server starts twice and thirty participants answer."""
    # Two steps of the course, so that its other pages need not be there to check one.
    head, *steps = text_of(NAME).split("[[step]]")
    file = tmp_path / "short.toml"
    file.write_text("[[step]]".join([head, steps[QUESTION], steps[TASK]]), "utf-8")
    question, task, port = 0, 1, free_port()
    everybody = [Trainee(str(number), number) for number in range(1, 31)]

    async def first(served):
        trainer = await board(served)
        await trainer.write_message(json.dumps({"type": "show", "step": question}))
        await asyncio.gather(*(one.come(served) for one in everybody))
        await asyncio.gather(
            *(one.answer(question, "3" if number % 2 else "1") for number, one in enumerate(everybody))
        )
        await seen(trainer, "30 of 30 participants online", "30 answers received", "15 completed")
        # One leaves, and returns.
        everybody[0].socket.close()
        await seen(trainer, "29 of 30 participants online", "30 answers received")
        ((number, (right, words)),) = (await everybody[0].come(served))["feedback"].items()
        assert (number, right) == (str(question), False)
        assert COURSE.steps[question].hint in words
        await seen(trainer, "30 of 30 participants online")
        state = COURSE.steps[TASK].solution.state
        for one in everybody[:3]:
            assert (await one.solve(task, state))["met"]

    async def second(served):
        trainer = await board(served)
        await trainer.write_message(json.dumps({"type": "show", "step": question}))
        await asyncio.gather(*(one.come(served) for one in everybody))
        await seen(trainer, "30 of 30 participants online", "30 answers received", "15 completed")
        await trainer.write_message(json.dumps({"type": "show", "step": task}))
        await seen(trainer, "3 of 3 meet the goal")

    with taught(port, key="", course=file) as served:
        driven(first(served))
    with taught(port, key="", course=file) as served:
        driven(second(served))
