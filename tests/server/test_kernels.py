"""The kernels behind the pages end when nobody needs them."""

import asyncio
import gc
import logging
import os
import random
import signal
import socket
import tempfile
import time
import weakref
from ast import literal_eval
from contextlib import suppress
from pathlib import Path

import pytest

from sdcwidgets.server.fork_server import sockets_fit
from sdcwidgets.server.kernels import (
    DIED,
    FORGOTTEN,
    KERNEL,
    STOPPED,
    UNUSED,
    OneKernelSpec,
    PageKernels,
    listening,
)
from sdcwidgets.server.visits import here

LOOP = "while True: pass"
SIGNS = {"killed": signal.SIGKILL, "stopped": signal.SIGSTOP}
GROW = "kept = []\nimport time\nwhile True:\n    kept.append(b'x' * 10_000_000)\n    time.sleep(0.01)"


async def told(seconds, code="", seen=None, **settings):
    """What the page of a kernel is told that was watched for a while, after it ran some code."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec(), watch_interval=0.2, **settings)
    visit = kernels.visits.begin("127.0.0.1")
    here.set(visit)
    kernel_id = await kernels.start_kernel(kernel_name=KERNEL)
    visit.sent()
    try:
        if code:
            client = kernels.get_kernel(kernel_id).client()
            client.start_channels(hb=False)
            await client.wait_for_ready(60)
            client.execute(code)
            client.stop_channels()
        if seen:
            kernels.notify_connect(kernel_id)
            await kernels.watch()
            if seen == "left":
                kernels.notify_disconnect(kernel_id)
        end = time.monotonic() + seconds
        while kernel_id in kernels and time.monotonic() < end:
            if seen == "again":  # without a word
                kernels.connected(kernel_id, lambda: None)
            if sign := SIGNS.get(seen):
                with suppress(ProcessLookupError):
                    os.kill(kernels.get_kernel(kernel_id).provisioner.pid, sign)
            await asyncio.sleep(0.2)
        assert len(kernels.visits) == (kernel_id in kernels)
        return kernels.end_reasons.get(kernel_id)
    finally:
        await kernels.shutdown_all(now=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"connect_timeout": 3}, UNUSED),
        ({"seen": "open", "connect_timeout": 3}, None),
        ({"seen": "left", "code": LOOP, "busy_timeout": 3}, UNUSED),
        ({"seen": "open", "code": LOOP, "busy_timeout": 3}, None),
        ({"seen": "left", "busy_timeout": 3}, None),
        ({"seen": "left", "away_timeout": 2}, UNUSED),
        ({"seen": "again", "away_timeout": 3}, None),
        ({"seen": "open", "away_timeout": 2}, None),
        ({"seen": "open", "open_timeout": 3}, FORGOTTEN),
        ({"seen": "killed"}, DIED),
        ({"seen": "stopped"}, STOPPED),
        ({"seen": "open", "code": GROW, "memory_limit": 300 * 2**20}, "more than 300 MB"),
    ],
    ids=[
        "nobody connects",
        "somebody does",
        "busy after its page has gone",
        "busy while its page is open",
        "idle after its page has gone",
        "its page has gone for long",
        "its page comes again and again",
        "its page is open",
        "its page is open since long",
        "killed",
        "stopped",
        "more memory than it may",
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_kernel_that_must_end_does_and_its_page_is_told_why(settings, why):
    sentence = asyncio.run(told(30 if why else 5, **settings))
    assert (why in sentence) if why else (sentence is None)


async def made_by_a_session(end):
    """A folder of temporary files of a kernel, seen while it lives and when it has ended."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec(), watch_interval=0.2)
    try:
        here.set(kernels.visits.begin("127.0.0.1"))
        kernel_id = await kernels.start_kernel(kernel_name=KERNEL)
        client = kernels.get_kernel(kernel_id).client()
        await listening(client, 60)
        code, asked = "import tempfile; place = tempfile.mkdtemp()", {"place": "place"}
        answer = await client.execute_interactive(code, user_expressions=asked, output_hook=print)
        client.stop_channels()
        told = answer["content"]["user_expressions"]["place"]["data"]["text/plain"]
        folder = Path(literal_eval(told))
        meanwhile = folder.is_dir()
        if end == "killed":
            os.kill(kernels.get_kernel(kernel_id).provisioner.pid, signal.SIGKILL)
            while kernel_id in kernels:
                await asyncio.sleep(0.1)
        else:
            await kernels.shutdown_kernel(kernel_id)
        return meanwhile, folder.exists()
    finally:
        await kernels.shutdown_all(now=True)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["killed", "said goodbye"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_temporary_files_of_a_session_go_with_it(end):
    assert asyncio.run(made_by_a_session(end)) == (True, False)


WARN = """
import logging, os, sys
logging.basicConfig(stream=sys.__stderr__)
logging.getLogger("tornado.general").warning("Got events for closed stream")
os.write(2, b"ValueError: Zwiebelkuchenhausen\\n")
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_session_tells_the_log_its_errors_and_no_warnings(caplog):
    assert asyncio.run(told(2, WARN)) is None
    assert caplog.messages == ["An error in a session (ValueError)."]


async def race(ready, visitors):
    """The kernels that there are, and that belong to somebody, after visitors came while more were made ready."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec(), preheat=ready, fill_delay=0)
    given = []

    async def new(*, warm=False, **_):
        await asyncio.sleep(0.01)
        kernel_id = f"kernel {len(kernels._kernels)}"
        kernels._kernels[kernel_id] = None
        return kernel_id

    async def come(after):
        await asyncio.sleep(after)
        given.append(await kernels.start_kernel())

    class Heard:
        def client(self):
            return self

        def stop_channels(self):
            pass

    async def answers(*_):
        await asyncio.sleep(0.003)

    kernels._new, kernels.get_kernel = new, lambda _: Heard()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sdcwidgets.server.kernels.listening", answers)
        draw = random.Random(visitors)
        await asyncio.gather(*(come(draw.uniform(0, 0.2)) for _ in range(visitors)))
        await kernels._filling
    kernels._closing.set()
    known = (given, list(kernels.ready))
    every = set(kernels._kernels)
    kernels._kernels.clear()
    await kernels.shutdown_all(now=True)
    return every, *known


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_every_kernel_is_a_visitors_or_ready_however_they_come():
    every, given, ready = asyncio.run(race(3, 60))
    assert len(given) == len(set(given)) == 60
    assert len(ready) == 3
    assert every == {*given, *ready}


async def visited(visitors):
    """What there still is of visits that are over, and the loggers that came with them."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec())
    before = set(logging.root.manager.loggerDict)

    async def new(**_):
        kernels.kernel_manager_factory(parent=kernels).emit(schema_id="started", data={})
        return "a kernel"

    async def come():
        visit = kernels.visits.begin("127.0.0.1")
        here.set(visit)
        await kernels.start_kernel()
        kernels.visits.end(visit)
        return weakref.ref(visit)

    kernels._new = new
    # Each comes in a context of its own, as requests do.
    visits = [await asyncio.create_task(come()) for _ in range(visitors)]
    await asyncio.sleep(0.01)  # until the loop has done with the last of them
    gc.collect()
    try:
        return [one() for one in visits], set(logging.root.manager.loggerDict) - before
    finally:
        await kernels.shutdown_all(now=True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_nothing_in_the_server_keeps_a_visit_that_is_over():
    assert asyncio.run(visited(3)) == ([None] * 3, set())


async def started_dead(monkeypatch):
    """A kernel that is killed when it has begun, and looked at before it has started."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec())

    async def finish(kernel_id):
        provisioner = kernels.get_kernel(kernel_id).provisioner
        os.kill(provisioner.pid, signal.SIGKILL)
        while await provisioner.poll() is None:
            await asyncio.sleep(0.01)
        await kernels.watch()
        kernels.start_watching_activity(kernel_id)

    monkeypatch.setattr(kernels, "_finish_kernel_start", finish)
    kernel_id = await kernels.start_kernel(kernel_name=KERNEL)
    await kernels.watch()
    gone = kernel_id not in kernels
    await kernels.shutdown_all(now=True)
    return gone, kernels.end_reasons[kernel_id]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_kernel_that_dies_while_it_starts_is_ended_when_it_has_started(monkeypatch):
    assert asyncio.run(started_dead(monkeypatch)) == (True, DIED)


async def filled():
    """How many kernels are ready after one of those that were has ended."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec(), preheat=1, fill_delay=0, watch_interval=0.2)
    kernels.fill()
    kernels.begin_to_watch()
    try:
        await kernels._filling
        (first,) = kernels.ready
        os.kill(kernels.get_kernel(first).provisioner.pid, signal.SIGKILL)
        while kernels.ready in ([first], []):
            await asyncio.sleep(0.1)
        return first in kernels, len(kernels.ready)
    finally:
        await kernels.shutdown_all(now=True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_another_kernel_is_made_ready_for_one_that_has_ended():
    assert asyncio.run(filled()) == (False, 1)


async def heard(stopped):
    """Whether a kernel, stopped or not, is heard within some seconds."""
    kernels = PageKernels(kernel_spec_manager=OneKernelSpec())
    kernel = kernels.get_kernel(await kernels.start_kernel(kernel_name=KERNEL))
    client = kernel.client()
    try:
        if stopped:
            os.kill(kernel.provisioner.pid, signal.SIGSTOP)
        await listening(client, 2 if stopped else 60)
    except RuntimeError:
        return False
    finally:
        client.stop_channels()
        await kernels.shutdown_all(now=True)
    return True


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_kernel_is_waited_for_until_it_answers_but_not_for_ever(stopped):
    assert asyncio.run(heard(stopped)) != stopped


@pytest.mark.parametrize("letter", ["x", "ä", "表"])
def test_forks_ask_whether_sockets_fit_into_the_folder_as_the_system_counts(monkeypatch, letter):
    """Linux binds a path of at most 107 bytes, and a name of Asia's letters has three times as many as letters."""
    bound = {}
    for length in range(5, 90):
        monkeypatch.setattr(tempfile, "tempdir", f"/{letter * length}")
        path = f"{tempfile.gettempdir()}/12345678-ipc-99999"
        with socket.socket(socket.AF_UNIX) as listener:
            try:
                listener.bind(path)
            except FileNotFoundError:
                bound[length] = True
            except OSError:
                bound[length] = False
        assert sockets_fit() is bound[length], length
    assert set(bound.values()) == {True, False}
