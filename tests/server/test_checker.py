"""Goals are checked beside the server, and nothing that is asked keeps it from the next question."""

import asyncio

import pytest

from sdcwidgets import InputError
from sdcwidgets.server import checker as module
from sdcwidgets.teaching.course import read

STEP = next(
    step for step in read("frequency-tables-and-entropy").steps if step.opening and step.opening.page == "who"
)


def test_a_check_that_takes_too_long_is_given_up(monkeypatch):
    async def work():
        checker = module.Checker()
        monkeypatch.setattr(module, "SECONDS", 0.001)
        with pytest.raises(InputError, match="too long"):
            await checker.check(STEP, STEP.solution.state)
        assert checker._process is None
        # Another process takes its place.
        monkeypatch.setattr(module, "SECONDS", 60)
        met, values, setting = await checker.check(STEP, STEP.solution.state)
        with pytest.raises(InputError, match="damaged"):
            await checker.check(STEP, "x")
        with pytest.raises(InputError, match="too large"):
            await checker.check(STEP, "x" * 1_000_000)
        process = checker._process
        await checker.warm([STEP, STEP])  # in the process that is there
        assert checker._process is process
        checker.close()
        await process.wait()
        return met, values, setting

    met, values, setting = asyncio.run(work())
    assert (met, values["assignments"], setting) == (True, 4.0, "published (0, 3, 3)")
