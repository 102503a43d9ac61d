"""Kernels of pages: how they start, which visit they belong to, and when they end."""

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

from sdcwidgets._util.memory_limit import MEMORY
from sdcwidgets.server import fork_server, logs
from sdcwidgets.server.kernel import WARM
from sdcwidgets.server.logs import log
from sdcwidgets.server.rate_limit import Pace
from sdcwidgets.server.visits import EACH, EACH_ALONE, Visits, default_most, here

#: Name of the only kernel.
KERNEL = "python3"

#: Message types that a page may send to its kernel. A page that is closed sends its shutdown request to the
#: server instead, which then knows the end of the kernel.
ALLOWED_MESSAGES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]

#: Close code of an endpoint that goes away (RFC 6455, section 7.4.1).
_GONE = 1001

#: Milliseconds between attempts to connect to a kernel that is not listening yet.
_TRY_AGAIN = 10

#: Seconds before the request is repeated if only one of the two channels has delivered a message.
_ASK_AGAIN = 0.1

#: Maximum number of reasons that are kept for the pages of ended kernels.
_MAX_END_REASONS = 1000

#: Maximum number of unanswered messages that are recorded per kernel.
_WAITING = 1000

DIED = "This session ended unexpectedly."
STOPPED = "This session stopped responding, so it was ended."
UNUSED = "Nothing was connected to this session, so it was ended."
FORGOTTEN = "This page was inactive for a long time, so its session was ended."


class OneKernelSpec(KernelSpecManager):
    """Offer one kernel specification, this Python, whatever else is installed."""

    def find_kernel_specs(self) -> dict[str, str]:
        """Return the name of the only kernel; it has no resource folder."""
        return {KERNEL: ""}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel specification, or raise NoSuchKernel."""
        if kernel_name != KERNEL:
            raise NoSuchKernel(kernel_name)
        fork = {"kernel_provisioner": {"provisioner_name": fork_server.NAME, "config": {}}}
        return KernelSpec(
            argv=[sys.executable, "-m", "sdcwidgets.server.kernel", "-f", "{connection_file}"],
            display_name="Python 3",
            language="python",
            metadata=fork if fork_server.available() else {},
        )


class KernelManagerWithoutEvents(ServerKernelManager):
    """A kernel manager that emits no events and uses a secret connection file.

    For each kernel, Jupyter's events would parse their schemas (1 ms of processor time) and keep 13 kB. The name of the
    connection file is random and not the kernel id, because anyone who lists files or processes could
    otherwise join the session.
    """

    def __init__(self, **settings: object) -> None:
        path = Path(tempfile.gettempdir()) / secrets.token_hex(4)
        super().__init__(**settings | {"connection_file": f"{path}.json"})

    def emit(self, *_: object, **__: object) -> None:
        """Emit no event."""


class PageKernels(AsyncMappingKernelManager):
    """Kernel manager that keeps spare kernels and ends unused or too large ones.

    A page that is closed ends its kernel at once. `away_timeout` applies to pages that could not do so.
    Jupyter's own culling counts from the last message instead of the time of the disconnection.
    """

    open_timeout = Float(
        12 * 3600,
        config=True,
        help="Seconds without any message after which the kernel of an open page is ended.",
    )
    away_timeout = Float(300, config=True, help="Seconds after which a kernel without a connection is ended.")
    connect_timeout = Float(60, config=True, help="Seconds in which a page must connect to its new kernel.")
    busy_timeout = Float(
        30, config=True, help="Seconds after which a busy kernel without a connection is ended."
    )
    memory_limit = Integer(0, config=True, help="Maximum memory of a kernel in bytes; 0 for no limit.")
    preheat = Integer(0, config=True, help="Number of spare kernels.")
    fill_delay = Float(
        2, config=True, help="Seconds between a page request and the start of a new spare kernel."
    )
    watch_interval = Float(1, config=True, help="Seconds between two checks of all kernels.")

    def __init__(self, **settings: object) -> None:
        kernel = f"{__name__}.{KernelManagerWithoutEvents.__name__}"
        super().__init__(
            **settings | {"allowed_message_types": ALLOWED_MESSAGES, "kernel_manager_class": kernel}
        )
        shared = fork_server.available()
        if shared:
            fork_server.register()
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
        # Kernels get an empty IPython folder: a user's profile must not affect pages, and a service may have
        # no home folder.
        self._folder = tempfile.TemporaryDirectory(prefix="sdcwidgets_", ignore_cleanup_errors=True)
        self._watching: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def start_kernel(self, **settings: Any) -> str:  # type: ignore[override]
        """Return a kernel for the current visit: a spare one or a new one."""
        self.begin_to_watch()
        kernel_id = self._take() or await self._new(**settings)
        visit = here.get()
        if visit is not None:
            visit.kernel = kernel_id
        self.fill()
        return kernel_id

    def _take(self) -> str | None:
        """Remove and return a spare kernel, or None if there is none."""
        while self.ready:
            kernel_id = self.ready.pop(0)
            if kernel_id in self:
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
        """Start spare kernels in the background until there are `preheat`."""
        if self.preheat and (self._filling is None or self._filling.done()):
            wait = self.fill_delay if delay is None else delay
            self._filling = asyncio.get_running_loop().create_task(self._fill(wait))

    async def _fill(self, delay: float) -> None:
        await asyncio.sleep(delay)
        while len(self.ready) < self.preheat:
            try:
                kernel_id = await self._new(warm=True, kernel_name=KERNEL)
            except Exception:
                log.exception("A spare kernel did not start.")
                return
            client: Any = self.get_kernel(kernel_id).client()
            try:
                await listening(client, self.kernel_info_timeout)
                self.ready.append(kernel_id)
            except RuntimeError:
                log.error("A spare kernel did not respond.")
                await self.end(kernel_id, DIED)
                return
            finally:
                client.stop_channels()

    async def shutdown_all(self, now: bool = False) -> None:  # type: ignore[override]
        """End all kernels, even if they are already ending."""
        self._closing.set()
        self.preheat = 0
        if self._filling is not None:
            self._filling.cancel()
        for kernel_id in self.list_kernel_ids():
            with suppress(KeyError, HTTPError):
                await self.shutdown_kernel(kernel_id, now=True)
        self._folder.cleanup()

    async def shutdown_kernel(self, kernel_id: str, *rest: Any, **options: Any) -> None:  # type: ignore[override]
        """End a kernel; meanwhile, it is not watched."""
        self._watched.discard(kernel_id)
        try:
            shut_down: Any = super().shutdown_kernel
            await shut_down(kernel_id, *rest, **options)
        finally:
            if kernel_id in self:
                self._watched.add(kernel_id)

    def start_watching_activity(self, kernel_id: str) -> None:
        """Record the activity of a kernel without reading the messages for its page."""
        super().start_watching_activity(kernel_id)
        # The attribute is private. Without it, the server also receives all messages of the kernel to its page,
        # which takes 1.2 times its processor time for each step of a slider.
        activity = getattr(self.get_kernel(kernel_id), "_activity_stream", None)
        if activity is not None:
            activity.setsockopt(zmq.UNSUBSCRIBE, b"")
            activity.setsockopt(zmq.SUBSCRIBE, b"kernel.")

    def remove_kernel(self, kernel_id: str) -> Any:
        """Remove an ended kernel with its visit, websockets and temporary files."""
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
        directory = self._places.pop(kernel_id, "")
        if directory:
            rmtree(directory, ignore_errors=True)
        return super().remove_kernel(kernel_id)

    def connected(self, kernel_id: str, channel: WebSocketHandler) -> None:
        """Register a websocket of a kernel, to be closed when the kernel ends."""
        visit = self.visits.of(kernel_id)
        if visit is not None:
            visit.seen(True)
        if kernel_id in self:
            self._channels.setdefault(kernel_id, WeakSet()).add(channel)
        else:
            channel.close(_GONE, "The session has ended.")

    def pace(self, kernel_id: str) -> Pace:
        """Return the rate limit that all connections of a kernel's page share."""
        return self._paces.setdefault(kernel_id, Pace())

    def ask(self, kernel_id: str, message: str) -> None:
        """Record the id of a message that a page sent to its kernel."""
        waiting = self.unanswered.setdefault(kernel_id, OrderedDict())
        waiting[message] = time.monotonic()
        if len(waiting) > _WAITING:
            waiting.popitem(last=False)

    def answered(self, kernel_id: str, message: str) -> None:
        """Record that a kernel has handled a message."""
        self.unanswered.get(kernel_id, OrderedDict()).pop(message, None)

    def waiting(self, kernel_id: str) -> float:
        """Return for how many seconds the oldest unanswered message has been waiting."""
        first = next(iter(self.unanswered.get(kernel_id, {}).values()), None)
        return 0.0 if first is None else time.monotonic() - first

    async def end(self, kernel_id: str, why: str) -> None:
        """End a kernel at once and keep the reason for its page."""
        self.end_reasons[kernel_id] = why
        while len(self.end_reasons) > _MAX_END_REASONS:
            self.end_reasons.popitem(last=False)
        log.info("A session was ended: %s", why)
        with suppress(KeyError, HTTPError):  # the kernel may have ended meanwhile
            await self.shutdown_kernel(kernel_id, now=True)

    def begin_to_watch(self) -> None:
        """Start the regular check of all kernels, outside of the context of a visit."""
        if self._watching is None or self._watching.done():
            watching = self._keep_watching()
            self._watching = asyncio.get_running_loop().create_task(watching, context=Context())

    async def _keep_watching(self) -> None:
        """Check all kernels at intervals of the monotonic clock.

        Tornado's timer uses the system clock, and would pause for an hour after the clock was set back by an
        hour.
        """
        while not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), self.watch_interval)
                return
            try:
                await self.watch()
            except Exception:
                log.exception("The sessions could not be checked.")

    async def watch(self) -> None:
        """Check every started kernel and end it if it exceeds a limit."""
        for kernel_id in list(self._watched):
            with suppress(KeyError, HTTPError, psutil.Error):  # the kernel may have ended meanwhile
                why = await self._reason_to_end(kernel_id)
                if why and kernel_id in self._watched:
                    await self.end(kernel_id, why)

    async def _reason_to_end(self, kernel_id: str) -> str | None:
        kernel: Any = self.get_kernel(kernel_id)
        provisioner = kernel.provisioner
        if provisioner is None or not provisioner.has_process:
            return None
        if await provisioner.poll() is not None:
            return DIED
        process = psutil.Process(provisioner.pid)
        # A stopped process never answers, unlike a busy one. A stop is reported only if two consecutive
        # checks find it.
        if process.status() != psutil.STATUS_STOPPED:
            self._stopped.discard(kernel_id)
        elif kernel_id in self._stopped:
            return STOPPED
        else:
            self._stopped.add(kernel_id)
        # Shared pages of a fork do not count. Measuring unshared memory is slow, so it is done only above the
        # limit.
        if (
            0 < self.memory_limit < process.memory_info().rss
            and process.memory_full_info().uss > self.memory_limit
        ):
            return (
                f"This session used more than {self.memory_limit // 2**20:,} MB of memory, so it was ended."
            )
        visit = self.visits.of(kernel_id)
        if visit is None:
            return None
        visit.seen(self.kernel_model(kernel_id)["connections"] > 0)
        gone = self.busy_timeout if kernel.execution_state == "busy" else self.away_timeout
        if visit.away() > (gone if visit.came else self.connect_timeout):
            return UNUSED
        return FORGOTTEN if visit.untouched(kernel.last_activity) > self.open_timeout else None


async def listening(client: Any, seconds: float) -> None:
    """Connect to a kernel and return when it replies; raise RuntimeError on timeout.

    Jupyter's own method waits a fifth of a second longer, until no message arrives.
    """
    client.start_channels(stdin=False, hb=False, control=False)
    end = time.monotonic() + seconds
    while time.monotonic() < end and await client.parent.is_alive():
        client.kernel_info()
        with suppress(Empty):
            await client.shell_channel.get_msg(timeout=1)
            # The kernel also reports its status on this channel, unless it replied before the subscription
            # was active.
            await client.iopub_channel.get_msg(timeout=_ASK_AGAIN)
            return
    raise RuntimeError("The process of the session does not respond.")
