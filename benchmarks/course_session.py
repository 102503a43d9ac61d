"""Thirty trainees of a course session: what they add to the latency of a slider, and the memory of the server.

Run by hand: `python benchmarks/course_session.py [--trainees 30] [--seconds 8] [--rounds 3]`. One visitor moves a
slider of Explore, without and with the trainees in turns. Each trainee answers a question about every second, and
sends a state of a task about every five seconds. A trainer view is open.

Measured on two cores at loads of 9 and 15, 2026-11, five rounds each: a change in 17 and 13 ms, p95 43 and 50 ms, with
no trainee; in 18 and 13 ms, p95 83 and 74 ms, with thirty: 40 and 24 ms more at p95, where 50 are allowed.
The server held 132 MB, and less than 1 MB more for them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent))
from thirty import PAGE, told
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from sdcwidgets.teaching.course import read
from serving import free_port, memory, running
from visiting import Visitor, connected, get, kernel_of

NAME, TRAINER = "frequency-tables-and-entropy", "other-word"


async def sit(address: str, trainees: int, there: threading.Event, end: threading.Event) -> None:
    """Let a board and trainees come, do what people in a room do, and leave."""
    course = read(NAME)
    question = next(k for k, step in enumerate(course.steps) if step.kind == "question" and step.options)
    task = next(k for k, step in enumerate(course.steps) if step.goal and step.opening.page == "who")
    state = course.steps[task].solution.state

    async def socket(where: str, heard: Callable[[str | bytes | None], None] = lambda message: None):  # type: ignore[no-untyped-def]
        asked = HTTPRequest(
            f"ws://{urlsplit(address).netloc}/{where}", headers={"Origin": address.rstrip("/")}
        )
        return await websocket_connect(asked, on_message_callback=heard)

    boards: list[str] = []
    board = await socket(
        f"course/board/socket?trainer={TRAINER}", lambda message: boards.append(str(message))
    )
    await board.write_message(json.dumps({"type": "show", "step": question}))

    async def trainee(number: int) -> None:
        channel, draw = await socket("course/socket"), random.Random(number)
        hello = {"type": "hello", "token": f"{number:032x}", "name": str(number), "step": question}
        await channel.write_message(json.dumps(hello))
        while not end.is_set():
            answer = {"type": "answer", "step": question, "answer": str(draw.randint(1, 3))}
            done = {"type": "state", "step": task, "state": state}
            await channel.write_message(json.dumps(done if draw.random() < 0.2 else answer))
            await asyncio.sleep(draw.uniform(0.5, 1.5))
        channel.close()

    sitting = [asyncio.create_task(trainee(number)) for number in range(1, trainees + 1)]
    while not boards or f"{trainees} of {trainees} are here" not in boards[-1]:
        await asyncio.sleep(0.1)
    there.set()
    await asyncio.gather(*sitting)
    board.close()
    await asyncio.sleep(0.5)


def moves(visitor: Visitor, slider: str, seconds: float) -> list[float]:
    """Move a slider for some seconds; how long each change took."""
    times, draw, end = [], random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        times.append(visitor.move(slider, round(draw.uniform(0.1, 0.9), 2)))
        time.sleep(draw.uniform(0.05, 0.2))
    return times


def main() -> None:
    """Serve a course, measure changes with no trainee and full in turns, and print both."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--trainees", type=int, default=30)
    options.add_argument("--seconds", type=float, default=8)
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port)]
    command += ["--course", NAME, "--trainer", TRAINER]
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with (
        running(command, f"{address}health"),
        connected(address, kernel_of(get(address + PAGE)[2])) as channel,
    ):
        visitor = Visitor(channel)
        slider = visitor.slider("ε")
        moves(visitor, slider, 2)
        alone: list[float] = []
        beside: list[float] = []
        held = {"empty": memory(address)}
        for _ in range(asked.rounds):
            alone += moves(visitor, slider, asked.seconds)
            there, end = threading.Event(), threading.Event()
            work = sit(address, asked.trainees, there, end)
            session = threading.Thread(target=asyncio.run, args=(work,))
            session.start()
            there.wait(60)
            beside += moves(visitor, slider, asked.seconds)
            held["full"] = memory(address)
            end.set()
            session.join()
        told("a change, no trainee", alone, 1000, "ms")
        told(f"a change, {asked.trainees} trainees", beside, 1000, "ms")
        more = (held["full"] - held["empty"]) / 2**20
        print(f"{'memory of the server':28} {held['empty'] / 2**20:.0f} MB, {more:+.0f} MB with all trainees")


if __name__ == "__main__":
    main()
