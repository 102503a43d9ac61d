"""The steps of a study that can be undone: as many as fit into some memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Generic, TypeVar

import numpy as np

from sdcwidgets.tables.table import FrequencyTable

#: The steps of one study may hold about so many bytes.
MOST_BYTES = 20_000_000

#: What the smallest part of a state takes.
_LEAST = 64

S = TypeVar("S")


class History(Generic[S]):
    """Steps, of which the oldest are forgotten when all together hold too much; the last is always kept.

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
        """The step that was pushed last."""
        return self._steps[-1][0]

    def push(self, state: S) -> None:
        """Add a step, and forget the oldest ones if there is no room for them."""
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
        """Forget all."""
        self._steps.clear()
        self._held = 0


def size(value: object) -> int:
    """Return about how many bytes a state holds: its arrays, texts and collections.

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
