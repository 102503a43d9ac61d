"""How fast a page may speak: a visitor who sends without end slows down itself, and nobody else."""

from __future__ import annotations

import asyncio
import time
from typing import Any

#: Frames a second, and at once: pings, and the parts that a browser cuts a file into.
FRAMES, FRAMES_AT_ONCE = 2000, 4000


class Pace:
    """So many messages a second on average, after so many at once.

    A slider that is dragged sends 60 a second at the most.

    Parameters
    ----------
    rate : float
        Messages a second.
    burst : float
        Messages at once, after a pause.

    Examples
    --------
    >>> pace = Pace(rate=200, burst=400)
    >>> [pace.wait(at=0) for _ in range(400)] == [0] * 400
    True
    >>> pace.wait(at=0), pace.wait(at=10)
    (0.005, 0.0)
    """

    def __init__(self, rate: float = 300, burst: float = 600) -> None:
        self._rate, self._burst = rate, burst
        # When the last message that was let through would have been due, were all sent evenly.
        self._due = float("-inf")

    def wait(self, at: float) -> float:
        """Return for how many seconds a message that comes at this time must wait."""
        self._due = max(self._due, at - self._burst / self._rate) + 1 / self._rate
        return round(max(0.0, self._due - at), 9)

    async def turn(self) -> None:
        """Wait until the next message may pass."""
        if seconds := self.wait(time.monotonic()):
            await asyncio.sleep(seconds)


def throttle(connection: Any) -> None:
    """Let the frames of a Tornado websocket wait for their turn; no handler is asked about a ping or half a message."""
    # Tornado has no public way to delay the next frame. Without this private method, pings and parts of messages are
    # not delayed; whole messages still are (`Channels.on_message`).
    receive = getattr(connection, "_receive_frame", None)
    if receive is None:
        return
    pace = Pace(FRAMES, FRAMES_AT_ONCE)

    async def receive_in_turn() -> None:
        await pace.turn()
        await receive()

    connection._receive_frame = receive_in_turn
