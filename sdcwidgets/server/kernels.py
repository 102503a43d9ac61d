"""The kernels behind the pages: which program they run, who has them, and when they are ended."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import tempfile
import time
from collections import OrderedDict
from contextlib import suppress
from contextvars import Context
from pathlib import Path
from queue import Empty
from shutil import rmtree
from typing import Any
from weakref import WeakSet

import psutil
import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager, ServerKernelManager
from tornado.web import HTTPError
from tornado.websocket import WebSocketHandler
from traitlets import Float, Integer

from sdcwidgets.server import forked, logs
from sdcwidgets.server.kernel import MEMORY, WARM
from sdcwidgets.server.logs import log
from sdcwidgets.server.pace import Pace
from sdcwidgets.server.visits import EACH, EACH_ALONE, Visits, default_most, here

#: The one kernel there is.
KERNEL = "python3"

#: What a page may say to its kernel: to its widgets, and whether it is there. It says goodbye to the server, which
#: knows then that the kernel has ended.
ALLOWED_MESSAGES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]

#: A websocket's word for an end that goes away (RFC 6455, section 7.4.1).
_GONE = 1001

#: Milliseconds after which a socket tries again to reach a kernel that does not listen yet.
_TRY_AGAIN = 10

#: Seconds after which a kernel that answered, but was not heard, is asked again.
_ASK_AGAIN = 0.1

#: So many sentences about kernels that ended are kept for their pages.
_MAX_END_REASONS = 1000

#: So many messages that are not answered yet are remembered for each session.
_WAITING = 1000

DIED = "This session ended unexpectedly."
STOPPED = "This session no longer answered, so it was ended."
UNUSED = "Nothing was connected to this session, so it was ended."
FORGOTTEN = "This page was left alone for very long, so its session was ended."


class OneKernelSpec(KernelSpecManager):
    """Offer one kernel: this Python with this project's start-up, whatever else is installed."""

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the one name; it has no folder of resources."""
        return {KERNEL: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the one kernel, or raise NoSuchKernel."""
        if kernel_name != KERNEL:
            raise NoSuchKernel(kernel_name)
        fork = {"kernel_provisioner": {"provisioner_name": forked.NAME, "config": {}}}
        return KernelSpec(
            argv=[sys.executable, "-m", "sdcwidgets.server.kernel", "-f", "{connection_file}"],
            display_name="Python 3",
            language="python",
            metadata=fork if forked.available() else {},
        )


class KernelManagerWithoutEvents(ServerKernelManager):
    """A kernel whose start and end are no events: each would read their schemas, and leave a logger behind for good.

    Its file and sockets are not named after it, or who lists files or processes could join the session.
    """

    def __init__(self, **settings: object) -> None:
        path = Path(tempfile.gettempdir()) / secrets.token_hex(4)
        super().__init__(**settings | {"connection_file": f"{path}.json"})

    def emit(self, *_: object, **__: object) -> None:
        """Say nothing."""


class PageKernels(AsyncMappingKernelManager):
    """Kernels that are ready before a page is asked for, and end when their page is gone or takes too much.

    A page says goodbye when it is closed and its kernel ends at once; `away_timeout` is for pages that could not.
    Jupyter's own way would count from the last message and not from the moment that the page went away.
    """

    open_timeout = Float(
        12 * 3600, config=True, help="Seconds without any message after which an open page loses its kernel."
    )
    away_timeout = Float(300, config=True, help="Seconds that a kernel waits for a page that has gone.")
    connect_timeout = Float(60, config=True, help="Seconds in which a page must connect to its new kernel.")
    busy_timeout = Float(30, config=True, help="Seconds that a kernel may be busy after its page has gone.")
    memory_limit = Integer(0, config=True, help="Bytes that a kernel may hold; 0 for no limit.")
    preheat = Integer(0, config=True, help="Kernels to keep ready for whichever page is asked for next.")
    fill_delay = Float(2, config=True, help="Seconds after a page was asked for until another is made ready.")
    watch_interval = Float(1, config=True, help="Seconds between two looks at all kernels.")

    def __init__(self, **settings: object) -> None:
        kernel = f"{__name__}.{KernelManagerWithoutEvents.__name__}"
        super().__init__(
            **settings | {"allowed_message_types": ALLOWED_MESSAGES, "kernel_manager_class": kernel}
        )
        shared = forked.available()
        if shared:
            forked.register()
        self.context.setsockopt(zmq.RECONNECT_IVL, _TRY_AGAIN)
        self.visits = Visits(default_most(EACH if shared else EACH_ALONE))
        self.ready: list[str] = []
        self.end_reasons: OrderedDict[str, str] = OrderedDict()
        self.unanswered: dict[str, OrderedDict[str, float]] = {}
        self._paces: dict[str, Pace] = {}
        self._filling: asyncio.Task[None] | None = None
        self._places: dict[str, str] = {}
        self._channels: dict[str, WeakSet[WebSocketHandler]] = {}
        self._watched: set[str] = set()
        self._stopped: set[str] = set()
        # What IPython finds and leaves in a home is not for pages; a service may have no home at all.
        self._folder = tempfile.TemporaryDirectory(prefix="sdcwidgets_", ignore_cleanup_errors=True)
        self._watching: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def start_kernel(self, **settings: Any) -> str:  # type: ignore[override]
        """Return a kernel for the present visit: one that is ready, or a new one."""
        self.begin_to_watch()
        kernel_id = self._take() or await self._new(**settings)
        visit = here.get()
        if visit is not None:
            visit.kernel = kernel_id
        self.fill()
        return kernel_id

    def _take(self) -> str | None:
        """Return a kernel that was ready, if there is one; nobody else gets it."""
        while self.ready:
            if (kernel_id := self.ready.pop(0)) in self:
                return kernel_id
        return None

    async def _new(self, *, warm: bool = False, **settings: Any) -> str:
        directory = tempfile.mkdtemp()
        environment = dict(os.environ)
        environment["TMPDIR"] = directory
        environment[MEMORY] = str(self.memory_limit)
        environment["IPYTHONDIR"] = self._folder.name
        if warm:
            environment[WARM] = "yes"
        start: Any = super().start_kernel
        printed = logs.printed()
        try:
            kernel_id: str = await start(env=environment, stdout=printed, stderr=printed, **settings)
        except BaseException:
            rmtree(directory, ignore_errors=True)
            raise
        self._places[kernel_id] = directory
        self._watched.add(kernel_id)
        return kernel_id

    def fill(self, delay: float | None = None) -> None:
        """Begin to make kernels ready, as many as are kept, one after another."""
        if self.preheat and (self._filling is None or self._filling.done()):
            wait = self.fill_delay if delay is None else delay
            self._filling = asyncio.get_running_loop().create_task(self._fill(wait))

    async def _fill(self, delay: float) -> None:
        await asyncio.sleep(delay)
        while len(self.ready) < self.preheat:
            try:
                kernel_id = await self._new(warm=True, kernel_name=KERNEL)
            except Exception:
                log.exception("A kernel that was to be kept ready did not start.")
                return
            client: Any = self.get_kernel(kernel_id).client()
            try:
                await listening(client, self.kernel_info_timeout)
                self.ready.append(kernel_id)
            except RuntimeError:
                log.error("A kernel that was to be kept ready did not answer.")
                await self.end(kernel_id, DIED)
                return
            finally:
                client.stop_channels()

    async def shutdown_all(self, now: bool = False) -> None:  # type: ignore[override]
        """End all kernels, whichever of them are ending already."""
        self._closing.set()
        self.preheat = 0
        if self._filling is not None:
            self._filling.cancel()
        for kernel_id in list(self._kernels):
            with suppress(KeyError, HTTPError):
                await self.shutdown_kernel(kernel_id, now=True)
        self._folder.cleanup()

    async def shutdown_kernel(self, kernel_id: str, *rest: Any, **options: Any) -> None:  # type: ignore[override]
        """End a kernel; until it has ended, nobody wonders that its process is no longer there."""
        self._watched.discard(kernel_id)
        try:
            shut_down: Any = super().shutdown_kernel
            await shut_down(kernel_id, *rest, **options)
        finally:
            if kernel_id in self:
                self._watched.add(kernel_id)

    def start_watching_activity(self, kernel_id: str) -> None:
        """Note what a kernel is doing; what it tells its page is read once, on its way there."""
        super().start_watching_activity(kernel_id)
        # Jupyter keeps the socket to itself. Without it the server also reads what the kernel tells its page.
        activity = getattr(self._kernels[kernel_id], "_activity_stream", None)
        if activity is not None:
            activity.setsockopt(zmq.UNSUBSCRIBE, b"")
            activity.setsockopt(zmq.SUBSCRIBE, b"kernel.")

    def remove_kernel(self, kernel_id: str) -> Any:
        """Forget a kernel that has ended, the visit that it belonged to, its websockets and temporary files."""
        visit = self.visits.of(kernel_id)
        if visit is not None:
            self.visits.end(visit)
        if kernel_id in self.ready:
            self.ready.remove(kernel_id)
            self.fill()
        self._watched.discard(kernel_id)
        self._stopped.discard(kernel_id)
        self.unanswered.pop(kernel_id, None)
        self._paces.pop(kernel_id, None)
        for channel in self._channels.pop(kernel_id, ()):
            channel.close(_GONE, "The session has ended.")
        if directory := self._places.pop(kernel_id, ""):
            rmtree(directory, ignore_errors=True)
        return super().remove_kernel(kernel_id)

    def connected(self, kernel_id: str, channel: WebSocketHandler) -> None:
        """Note a websocket of a kernel, which is closed when the kernel has ended."""
        if (visit := self.visits.of(kernel_id)) is not None:
            visit.seen(True)
        if kernel_id in self:
            self._channels.setdefault(kernel_id, WeakSet()).add(channel)
        else:
            channel.close(_GONE, "The session has ended.")

    def pace(self, kernel_id: str) -> Pace:
        """Return how fast the page of a kernel may speak, through however many connections."""
        return self._paces.setdefault(kernel_id, Pace())

    def ask(self, kernel_id: str, message: str) -> None:
        """Note that a page sent its session a message, by the id of the message."""
        waiting = self.unanswered.setdefault(kernel_id, OrderedDict())
        waiting[message] = time.monotonic()
        if len(waiting) > _WAITING:
            waiting.popitem(last=False)

    def answered(self, kernel_id: str, message: str) -> None:
        """Note that a session is done with a message."""
        self.unanswered.get(kernel_id, OrderedDict()).pop(message, None)

    def waiting(self, kernel_id: str) -> float:
        """Return for how many seconds a page has been waiting for the oldest of its answers."""
        first = next(iter(self.unanswered.get(kernel_id, {}).values()), None)
        return 0.0 if first is None else time.monotonic() - first

    async def end(self, kernel_id: str, why: str) -> None:
        """End a kernel at once, and remember what its page is told."""
        self.end_reasons[kernel_id] = why
        while len(self.end_reasons) > _MAX_END_REASONS:
            self.end_reasons.popitem(last=False)
        log.info("A session was ended: %s", why)
        with suppress(KeyError, HTTPError):  # it has ended meanwhile
            await self.shutdown_kernel(kernel_id, now=True)

    def begin_to_watch(self) -> None:
        """Look at all kernels again and again from now on; it keeps nothing of the visit that is here."""
        if self._watching is None or self._watching.done():
            watching = self._keep_watching()
            self._watching = asyncio.get_running_loop().create_task(watching, context=Context())

    async def _keep_watching(self) -> None:
        """Look by a clock that nobody sets; Tornado's timer would wait for an hour after one that was set back."""
        while not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), self.watch_interval)
                return
            try:
                await self.watch()
            except Exception:
                log.exception("The sessions could not be looked at.")

    async def watch(self) -> None:
        """Look at every kernel that has started, and end those that must."""
        for kernel_id in list(self._watched):
            with suppress(KeyError, psutil.Error):
                why = await self._reason_to_end(kernel_id)
                if why and kernel_id in self._watched:
                    await self.end(kernel_id, why)

    async def _reason_to_end(self, kernel_id: str) -> str | None:
        kernel = self._kernels[kernel_id]
        provisioner = kernel.provisioner
        if provisioner is None or not provisioner.has_process:
            return None
        if await provisioner.poll() is not None:
            return DIED
        process = psutil.Process(provisioner.pid)
        # A busy kernel answers late, a stopped one never; a stop as short as from one look to the next is none.
        if process.status() != psutil.STATUS_STOPPED:
            self._stopped.discard(kernel_id)
        elif kernel_id in self._stopped:
            return STOPPED
        else:
            self._stopped.add(kernel_id)
        # What a fork shares is nobody's; it takes time to leave it out, so that is done where it matters.
        if (
            0 < self.memory_limit < process.memory_info().rss
            and process.memory_full_info().uss > self.memory_limit
        ):
            return (
                f"This session needed more than {self.memory_limit // 2**20:,} MB of memory, so it was ended."
            )
        visit = self.visits.of(kernel_id)
        if visit is None:
            return None
        visit.seen(self._kernel_connections.get(kernel_id, 0) > 0)
        gone = self.busy_timeout if kernel.execution_state == "busy" else self.away_timeout
        if visit.away() > (gone if visit.came else self.connect_timeout):
            return UNUSED
        return FORGOTTEN if visit.untouched(kernel.last_activity) > self.open_timeout else None


async def listening(client: Any, seconds: float) -> None:
    """Connect to a kernel, and return when it answers and is heard; RuntimeError if it does not in so many seconds.

    Jupyter's own way waits, once all is well, for a fifth of a second in which nothing is heard.
    """
    client.start_channels(stdin=False, hb=False, control=False)
    end = time.monotonic() + seconds
    while time.monotonic() < end and await client.parent.is_alive():
        client.kernel_info()
        with suppress(Empty):
            await client.shell_channel.get_msg(timeout=1)
            # It says so on this channel too, unless it answered before anybody listened there.
            await client.iopub_channel.get_msg(timeout=_ASK_AGAIN)
            return
    raise RuntimeError("The kernel does not answer.")
