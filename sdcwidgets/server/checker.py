"""Check goals of a course in a separate process, one at a time.

A process that exceeds its time limit is killed. The next check starts a new one.
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

#: Maximum length of a state in characters, and maximum processor time of a check in seconds.
MOST_STATE, SECONDS = 200_000, 15

#: Maximum elapsed time of a check, as a multiple of its processor time. The process has a low priority.
WAIT = 4

#: Maximum seconds to start the process; its imports take long on a busy machine.
START = 90


class Checker:
    """Client of the checking process, which it starts when necessary."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    async def check(self, step: CourseStep, state: str) -> tuple[bool, dict[str, float], str]:
        """Return whether a state meets the goal of a step, its quantities and its setting.

        Raises
        ------
        InputError
            If the state cannot be checked: the link is damaged, the table has changed, or the check takes too long.
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
                raise InputError("The check took too long. Change the table to start a new check.") from None
        if "problem" in reply:
            raise InputError(reply["problem"])
        return all(goal.met(reply["values"]) for goal in step.goal), reply["values"], reply["setting"]

    async def warm(self, steps: Iterable[CourseStep]) -> None:
        """Check the initial state of one task per page, to load the modules in advance."""
        for step in {step.opening.page: step for step in steps if step.opening and step.goal}.values():
            with suppress(InputError):
                await self.check(step, step.opening.state if step.opening else "")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                checking.__name__,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=1 << 20,
            )
            assert self._process.stdout is not None
            await self._process.stdout.readline()  # the first line reports that the process is ready
        return self._process

    def close(self) -> None:
        """Kill the process."""
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
    """Return the reply; raise TimeoutError if the process uses too much time."""
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
