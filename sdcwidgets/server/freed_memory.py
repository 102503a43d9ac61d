"""Memory of large messages, given back to the system by a session."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

#: Bytes by which a process grows before it gives memory back.
_GROWTH = 20 * 2**20

#: Seconds without a message before memory is given back.
_PAUSE = 0.5


class FreedMemory:
    """Gives the memory of large messages back to the system.

    ipykernel keeps the last message until the next one, and the allocator of the system keeps freed memory.
    Without this class, a session held up to 171 MB after eight messages of 17 MB.

    Parameters
    ----------
    message : callable
        Returns the message that the kernel has just handled.
    """

    def __init__(self, message: Callable[[], dict[str, Any]]) -> None:
        self._message = message
        self._held = resident()
        self._timer: asyncio.TimerHandle | None = None

    def give_back_later(self) -> None:
        """Return memory to the system after the last of several messages, if the process has grown."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if resident() > self._held + _GROWTH:
            self._message().update(content={}, buffers=[])
            self._timer = asyncio.get_running_loop().call_later(_PAUSE, self.give_back)

    def give_back(self) -> None:
        """Return freed memory to the system now."""
        gc.collect()
        with suppress(OSError, AttributeError):  # only the GNU library has this function
            ctypes.CDLL(None).malloc_trim(0)
        self._held = resident()


def resident() -> int:
    """Return the bytes of memory of this process, or 0 if the system does not report them."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
