"""Who is here: a visit is one session, from the moment its page is asked for until its kernel has ended."""

from __future__ import annotations

import time
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import psutil

#: What a visit takes of the memory, in bytes, for the default number of them, with some to spare: where kernels
#: are forked and share what they import, and where each imports for itself. benchmarks/thirty.py measures it.
EACH, EACH_ALONE = 40 * 1024 * 1024, 170 * 1024 * 1024

#: The control groups that this process belongs to.
GROUPS = Path("/proc/self/cgroup")

#: Where a control group says how many bytes it may have and has: of the second kind, and of the first for memory.
_LIMITS = {
    "": ("/sys/fs/cgroup", "memory.max", "memory.current"),
    "memory": ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
}


class TooManyVisitors(Exception):
    """One visitor too many."""


@dataclass(eq=False)
class Visit:
    """A session of one visitor.

    Attributes
    ----------
    address : str
        Where the visitor comes from.
    kernel : str or None
        The id of the kernel, once there is one.
    since : float or None
        When the whole page was sent, by the monotonic clock; from then on it may connect.
    came : bool
        Whether the page ever connected to its kernel.
    disconnected : float or None
        Since when nothing is connected to the kernel.
    last : object
        What tells the last touch from the one before.
    touched : float
        When that was noted.
    """

    address: str
    kernel: str | None = None
    since: float | None = None
    came: bool = False
    disconnected: float | None = None
    last: object = None
    touched: float = 0.0

    def sent(self) -> None:
        """Note that the page was sent, or that nobody waited for it."""
        self.since = time.monotonic()

    def seen(self, connected: bool) -> None:
        """Note whether the page is connected now."""
        self.came = self.came or connected
        if connected:
            self.disconnected = None
        elif self.disconnected is None:
            self.disconnected = time.monotonic() if self.came else self.since

    def away(self) -> float:
        """Return for how many seconds nothing has been connected."""
        return 0.0 if self.disconnected is None else time.monotonic() - self.disconnected

    def untouched(self, last: object) -> float:
        """Return for how many seconds this has been the last touch; a clock that is set changes nothing."""
        if last != self.last:
            self.last, self.touched = last, time.monotonic()
        return time.monotonic() - self.touched


#: The visit that the present request belongs to.
here: ContextVar[Visit | None] = ContextVar("here", default=None)


class Visits:
    """The visits at one time, at most so many in all and from one address.

    Parameters
    ----------
    most : int
        At most so many in all.
    from_one : int or None
        At most so many from one address, if there is a limit.
    """

    def __init__(self, most: int, from_one: int | None = None) -> None:
        self.most, self.from_one = most, from_one
        self._visits: set[Visit] = set()

    def __len__(self) -> int:
        return len(self._visits)

    def begin(self, address: str) -> Visit:
        """Return a new visit, or raise TooManyVisitors."""
        alike = sum(visit.address == address for visit in self._visits)
        if len(self._visits) >= self.most or (self.from_one is not None and alike >= self.from_one):
            raise TooManyVisitors
        visit = Visit(address)
        self._visits.add(visit)
        return visit

    def end(self, visit: Visit) -> None:
        """Forget a visit."""
        self._visits.discard(visit)

    def of(self, kernel: str) -> Visit | None:
        """Return the visit that a kernel belongs to."""
        return next((visit for visit in self._visits if visit.kernel == kernel), None)


def memory() -> int:
    """Return the bytes that this process may still use: of the machine, or of its control group."""
    free = int(psutil.virtual_memory().available)
    try:
        lines = GROUPS.read_text("utf-8").splitlines()
    except OSError:
        return free
    for _, kind, group in (line.split(":", 2) for line in lines):
        if kind not in _LIMITS:
            continue
        mounted, most, now = _LIMITS[kind]
        folder = Path(mounted) / group.lstrip("/")
        for directory in (folder, *folder.parents):
            with suppress(OSError, ValueError):  # no such file, or "max"
                limit = int((directory / most).read_text("utf-8"))
                free = min(free, limit - int((directory / now).read_text("utf-8")))
    return max(free, 0)


def default_most(each: int = EACH) -> int:
    """Return how many visits of so many bytes four fifths of the memory are enough for, at least 1 and at most 500."""
    return max(1, min(500, int(0.8 * memory() / each)))


def default_memory() -> int:
    """Return the megabytes that one session may hold: a quarter of the memory, at least 300 and at most 1,024."""
    return max(300, min(1024, memory() // 4 // 2**20))
