"""History of a study: the steps that can be undone, within a memory limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Generic, TypeVar

import numpy as np

from sdcwidgets.tables.table import FrequencyTable

#: Approximate memory limit of the steps of one study, in bytes.
MOST_BYTES = 20_000_000

#: Assumed size of the smallest part of a state, in bytes.
_LEAST = 64

S = TypeVar("S")


class History(Generic[S]):
    """Steps within a memory limit; the oldest are removed first, and the last one is always kept.

    Examples
    --------
    >>> steps = History(most=300)
    >>> for step in ("a" * 200, "b" * 200, "c"):
    ...     steps.push(step)
    >>> len(steps), steps.last
    (2, 'c')
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._steps: deque[tuple[S, int]] = deque()
        self._held = 0

    def __len__(self) -> int:
        return len(self._steps)

    @property
    def last(self) -> S:
        """The last step."""
        return self._steps[-1][0]

    def push(self, state: S) -> None:
        """Add a step, and remove the oldest ones if the limit is exceeded."""
        held = size(state)
        self._steps.append((state, held))
        self._held += held
        while self._held > self.most and len(self._steps) > 1:
            self._held -= self._steps.popleft()[1]

    def pop(self) -> S:
        """Remove the last step and return it."""
        state, held = self._steps.pop()
        self._held -= held
        return state

    def clear(self) -> None:
        """Remove all steps."""
        self._steps.clear()
        self._held = 0


def size(value: object) -> int:
    """Return the approximate size of a state in bytes, from its arrays, texts and collections.

    Examples
    --------
    >>> size(np.zeros(1000)), size("x" * 500)
    (8000, 500)
    """
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, str | bytes):
        return max(_LEAST, len(value))
    if isinstance(value, FrequencyTable):
        return size(value.counts) + sum(size(axis.labels) for axis in value.axes)
    if isinstance(value, Mapping):
        return _LEAST + sum(size(key) + size(item) for key, item in value.items())
    if isinstance(value, tuple | list | set | frozenset):
        return _LEAST + sum(map(size, value))
    if is_dataclass(value):
        return _LEAST + sum(size(getattr(value, item.name)) for item in fields(value))
    return _LEAST
