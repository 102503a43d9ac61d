"""Rate limit of messages: a page that sends too fast is slowed down."""

from __future__ import annotations

import asyncio
import time
from typing import Any

#: Frames per second, and maximum number of frames at once. Pings and fragments of a file are frames.
FRAMES, FRAMES_AT_ONCE = 2000, 4000


class Pace:
    """Token bucket: an average rate of messages, and a burst after a pause.

    A dragged slider sends at most 60 messages per second.

    Parameters
    ----------
    rate : float
        Messages per second.
    burst : float
        Maximum number of messages at once, after a pause.

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
        # Time at which the last message would have been due at a constant rate.
        self._due = float("-inf")

    def wait(self, at: float) -> float:
        """Return the delay in seconds of a message that arrives at time `at`."""
        self._due = max(self._due, at - self._burst / self._rate) + 1 / self._rate
        return round(max(0.0, self._due - at), 9)

    async def turn(self) -> None:
        """Wait until the next message may pass."""
        seconds = self.wait(time.monotonic())
        if seconds:
            await asyncio.sleep(seconds)


def throttle(connection: Any) -> None:
    """Limit the rate of frames of a Tornado websocket.

    Pings and fragments of messages reach no handler, so only this limit applies to them.
    """
    # The method is private; Tornado has no public way to delay a frame. Without it, pings and fragments are
    # not delayed, but `Channels.on_message` still delays messages.
    receive = getattr(connection, "_receive_frame", None)
    if receive is None:
        return
    pace = Pace(FRAMES, FRAMES_AT_ONCE)

    async def receive_in_turn() -> None:
        await pace.turn()
        await receive()

    connection._receive_frame = receive_in_turn
