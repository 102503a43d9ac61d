"""Slow steps in another thread, so that a page handles the events of its user meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")

#: Time that the loop of a page waits at once for a step in another thread, in seconds.
BREATH = 0.002

#: A step of an abandoned comparison may still run, so that a new comparison needs another thread.
_STEPS = ThreadPoolExecutor(3)


def in_thread(steps: Iterator[T], pauses: Callable[[], bool] = lambda: False) -> Iterator[T | None]:
    """Yield the values of steps that run one after the other in another thread, and None while a step runs.

    While `pauses` returns True, no step begins, and None is yielded.

    Examples
    --------
    >>> [value for value in in_thread(iter("ab")) if value is not None]
    ['a', 'b']
    """
    end = object()
    while True:
        while pauses():
            yield None
        step = _STEPS.submit(next, steps, end)
        while wait([step], BREATH).not_done:
            yield None
        value = step.result()
        if value is end:
            return
        yield value  # type: ignore[misc]  # the end is never yielded
