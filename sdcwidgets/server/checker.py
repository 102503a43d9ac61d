"""Goals of a course are checked beside the server, one at a time, by a process of its own.

A process that takes too long is ended, and the next check starts another one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from typing import Any, TypeVar

import psutil

from sdcwidgets._util.errors import InputError
from sdcwidgets.teaching.course import checking
from sdcwidgets.teaching.course.course import CourseStep

T = TypeVar("T")

#: A state is at most so long, in characters, and its check takes at most so many seconds of a processor.
MOST_STATE, SECONDS = 200_000, 15

#: The process gives way to all others, so a check may take so many times as long by the clock.
WAIT = 4

#: Seconds in which the process must be there; on a busy machine what it imports takes long.
START = 90


class Checker:
    """Asks the process, and starts it when it is needed."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    async def check(self, step: CourseStep, state: str) -> tuple[bool, dict[str, float], str]:
        """Return whether a state meets the goal of a step, its quantities, and its setting in words.

        Raises
        ------
        InputError
            If it cannot be checked: a damaged link, another table, or too much work.
        """
        assert step.opening is not None
        if len(state) > MOST_STATE:
            raise InputError("This table is too large to be checked.")
        request = {"page": step.opening.page, "start": step.opening.state, "state": state}
        async with self._turn:
            try:
                process = await asyncio.wait_for(self._started(), START)
                reply = await _within(process, _ask(process, json.dumps(request).encode() + b"\n"))
            except (TimeoutError, OSError, ValueError, psutil.Error):
                self.close()
                raise InputError(
                    "This could not be checked in time; change something, and it is checked again."
                ) from None
        if "problem" in reply:
            raise InputError(reply["problem"])
        return all(goal.met(reply["values"]) for goal in step.goal), reply["values"], reply["setting"]

    async def warm(self, steps: Iterable[CourseStep]) -> None:
        """Check how the tasks begin, one of each page, so that nobody waits for what their checks import."""
        for step in {step.opening.page: step for step in steps if step.opening and step.goal}.values():
            with suppress(InputError):
                await self.check(step, step.opening.state if step.opening else "")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", checking.__name__),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=1 << 20,
            )
            assert self._process.stdout is not None
            await self._process.stdout.readline()  # it is there
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            self._process = None


async def _ask(process: asyncio.subprocess.Process, line: bytes) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    await process.stdin.drain()
    return json.loads(await process.stdout.readline())


async def _within(process: asyncio.subprocess.Process, exchange: Coroutine[object, None, T]) -> T:
    """Return what is answered; or end it when the process worked too long for it."""
    work, measured = asyncio.ensure_future(exchange), psutil.Process(process.pid)
    used, begun = sum(measured.cpu_times()[:2]), time.monotonic()
    try:
        while not (await asyncio.wait({work}, timeout=min(SECONDS, 0.5)))[0]:
            late = time.monotonic() - begun > WAIT * SECONDS
            if late or sum(measured.cpu_times()[:2]) - used > SECONDS:
                raise TimeoutError
        return work.result()
    finally:
        work.cancel()
