"""Visits and their limits; a visit lasts from page request to kernel end."""

from __future__ import annotations

import time
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import psutil

#: Bytes of memory per visit, rounded up, for the default number of visits: of forked kernels, which share
#: their imports, and of separate kernels. Measured by benchmarks/thirty.py.
EACH, EACH_ALONE = 40 * 1024 * 1024, 170 * 1024 * 1024

#: File that lists the control groups of this process.
GROUPS = Path("/proc/self/cgroup")

#: Mount point and file names of the memory limit and usage: control groups v2 ("") and v1 ("memory").
_LIMITS = {
    "": ("/sys/fs/cgroup", "memory.max", "memory.current"),
    "memory": ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
}


class TooManyVisitors(Exception):
    """Raised when the maximum number of visits is reached."""


@dataclass(eq=False)
class Visit:
    """Session of one visitor.

    Attributes
    ----------
    address : str
        Network of the client.
    kernel : str or None
        Id of the kernel, or None before it starts.
    since : float or None
        Time of the monotonic clock at which the page was completely sent.
    came : bool
        Whether the page has ever connected to its kernel.
    disconnected : float or None
        Time since which the kernel has had no connection; None if connected.
    last : object
        Last activity that was recorded.
    touched : float
        Time at which `last` was recorded.
    """

    address: str
    kernel: str | None = None
    since: float | None = None
    came: bool = False
    disconnected: float | None = None
    last: object = None
    touched: float = 0.0

    def sent(self) -> None:
        """Record that the page was sent or its request was cancelled."""
        self.since = time.monotonic()

    def seen(self, connected: bool) -> None:
        """Record whether the page is connected."""
        self.came = self.came or connected
        if connected:
            self.disconnected = None
        elif self.disconnected is None:
            self.disconnected = time.monotonic() if self.came else self.since

    def away(self) -> float:
        """Return for how many seconds the kernel has had no connection."""
        return 0.0 if self.disconnected is None else time.monotonic() - self.disconnected

    def untouched(self, last: object) -> float:
        """Return the seconds since the last new activity, by the monotonic clock."""
        if last != self.last:
            self.last, self.touched = last, time.monotonic()
        return time.monotonic() - self.touched


#: Visit of the current request.
here: ContextVar[Visit | None] = ContextVar("here", default=None)


class Visits:
    """The current visits, with a maximum in total and per address.

    Parameters
    ----------
    most : int
        Maximum number of visits.
    from_one : int or None
        Maximum number of visits per address; no limit if None.
    """

    def __init__(self, most: int, from_one: int | None = None) -> None:
        self.most, self.from_one = most, from_one
        self._visits: set[Visit] = set()

    def __len__(self) -> int:
        return len(self._visits)

    def begin(self, address: str) -> Visit:
        """Add and return a new visit, or raise TooManyVisitors."""
        alike = sum(visit.address == address for visit in self._visits)
        if len(self._visits) >= self.most or (self.from_one is not None and alike >= self.from_one):
            raise TooManyVisitors
        visit = Visit(address)
        self._visits.add(visit)
        return visit

    def end(self, visit: Visit) -> None:
        """Remove a visit."""
        self._visits.discard(visit)

    def of(self, kernel: str) -> Visit | None:
        """Return the visit of a kernel, or None."""
        return next((visit for visit in self._visits if visit.kernel == kernel), None)


def memory() -> int:
    """Return the available bytes of the machine or of the control group."""
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
            with suppress(OSError, ValueError):  # the file is missing or contains "max"
                limit = int((directory / most).read_text("utf-8"))
                free = min(free, limit - int((directory / now).read_text("utf-8")))
    return max(free, 0)


def default_most(each: int = EACH) -> int:
    """Return the number of visits that fit into 80 % of the available memory.

    The result is between 1 and 500; `each` is the memory of a visit in bytes.
    """
    return max(1, min(500, int(0.8 * memory() / each)))


def default_memory() -> int:
    """Return the default memory limit of a session: a quarter of the available memory.

    The result is in megabytes, between 300 and 1,024.
    """
    return max(300, min(1024, memory() // 4 // 2**20))
