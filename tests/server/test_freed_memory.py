"""A session gives the memory of large messages back."""

import asyncio
import sys
import time

import psutil
import pytest

from sdcwidgets.server import freed_memory
from visiting import Visitor, connected, get, kernel_of, message, packed

EXPLORE = "voila/render/explore.ipynb"

#: Maximum growth of a session in bytes after a flood of large messages.
GROWTH = 100 * 2**20


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of forks")
@pytest.mark.parametrize("kind", ["comm_open", "comm_msg"])
def test_a_session_gives_the_memory_of_large_messages_back(served, kind):
    """Eight messages of 17 MB."""
    kernel = kernel_of(get(served + EXPLORE)[2])
    session = max(psutil.Process().children(recursive=True), key=psutil.Process.create_time)
    with connected(served, kernel, timeout=120) as channel:
        visitor = Visitor(channel)
        slider = visitor.slider("ε")
        visitor.move(slider, 0.3)
        before = session.memory_full_info().uss
        state = {"request": {"value": list(range(2_000_000)), "turn": 1}}
        content = {
            "comm_id": slider,
            "target_name": "jupyter.widget",
            "data": {"method": "update", "state": state},
        }
        flood = packed(message(kind, content))
        for _ in range(8):
            channel.send_binary(flood)
        visitor.move(slider, 0.4)
        until = time.monotonic() + 60
        while (growth := session.memory_full_info().uss - before) > GROWTH and time.monotonic() < until:
            time.sleep(0.2)
        assert growth < GROWTH


@pytest.mark.parametrize(("growth", "is_due"), [(-1, False), (1, True)])
def test_memory_is_given_back_after_growth_only(monkeypatch, growth, is_due):
    async def handle():
        message = {"content": "large", "buffers": ["large"]}
        memory = freed_memory.FreedMemory(lambda: message)
        memory._held = 0
        monkeypatch.setattr(freed_memory, "resident", lambda: freed_memory._GROWTH + growth)
        memory.give_back_later()
        timer = memory._timer
        if timer is not None:
            timer.cancel()
        return timer is not None, message["content"]

    assert asyncio.run(handle()) == (is_due, {} if is_due else "large")


def test_memory_is_kept_where_the_system_cannot_take_it_back(monkeypatch):
    monkeypatch.setattr(freed_memory.ctypes, "CDLL", lambda name: object())
    memory = freed_memory.FreedMemory(dict)
    memory.give_back()
    assert memory._held == pytest.approx(freed_memory.resident(), rel=0.5)
