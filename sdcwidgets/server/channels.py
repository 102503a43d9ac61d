"""The websocket between a page and its kernel."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, cast

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler
from tornado.iostream import StreamBufferFullError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketProtocol
from traitlets import Bool

from sdcwidgets.server.frames import PROTOCOL, BadFrame, check, header_of
from sdcwidgets.server.kernels import PageKernels
from sdcwidgets.server.key import RequiresKeyMixin
from sdcwidgets.server.logs import log
from sdcwidgets.server.pace import throttle

#: As many websockets one kernel has: its page's, and one that the page opens while the server still waits for the last.
MOST_CONNECTIONS = 4

#: As many bytes wait for a page that does not take them.
MOST_UNSENT = 64 * 1024 * 1024

#: Seconds between two questions whether the page is still there, and until the answer, which waits behind an upload.
PING, PONG = 45, 45

#: The websocket's words for what breaks its protocol, and for a message that is too long (RFC 6455, section 7.4.1).
_BROKEN, _TOO_LONG = 1002, 1009

#: Seconds between two looks whether the session is still there that a page connects to.
_LOOK = 0.1

_SESSION = re.compile(r"[\w-]{1,64}", re.ASCII)


class Connection(ZMQChannelsWebsocketConnection):
    """What the server passes on between a page and its kernel."""

    show_output = Bool(False, config=True, help="Whether what a kernel prints reaches the page.")

    def create_stream(self) -> None:
        """Connect to the kernel, but for its questions: nobody here is asked for input."""
        super().create_stream()
        self.channels.pop("stdin").close()

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Pass on what a page asks, and note since when it waits."""
        header = header_of(incoming_msg)
        if header["msg_type"] in self.multi_kernel_manager.allowed_message_types:
            self.multi_kernel_manager.ask(self.kernel_id, str(header.get("msg_id")))
        super().handle_incoming_message(incoming_msg)

    def handle_outgoing_message(self, stream: Any, outgoing_msg: list[Any]) -> None:
        """Pass on what a page draws; code, prints and tracebacks, which name paths of the server, stay here."""
        _, parts = self.session.feed_identities(outgoing_msg)
        kind = self.session.unpack(parts[1])["msg_type"]
        if kind == "status" and self.session.unpack(parts[4])["execution_state"] == "idle":
            request = self.session.unpack(parts[2]).get("msg_id")
            self.multi_kernel_manager.answered(self.kernel_id, str(request))
        if kind == "execute_input" or (kind in ("stream", "error") and not self.show_output):
            return
        super().handle_outgoing_message(stream, outgoing_msg)


class Channels(RequiresKeyMixin, KernelWebsocketHandler):
    """A websocket that speaks one protocol, and is closed when something else comes."""

    # Tornado's pings, in seconds. Jupyter's own are counted in milliseconds under the same names.
    ping_interval = PING
    ping_timeout = PONG

    def send_ping(self) -> None:
        """Leave the pings to Tornado."""
        if self.ping_callback is not None:
            self.ping_callback.stop()

    async def pre_get(self) -> None:
        """Refuse what is no page of ours before a kernel hears of it."""
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            self._refuse("another protocol")
            raise HTTPError(400)
        if not _SESSION.fullmatch(self.get_query_argument("session_id", "none")):
            self._refuse("a session that is no name")
            raise HTTPError(400)
        if self.kernel_manager.kernel_model(self.kernel_id)["connections"] >= MOST_CONNECTIONS:
            self._refuse("one connection too many")
            raise HTTPError(429)
        await self._while_there(super().pre_get())

    async def open(self, kernel_id: str) -> None:
        """Connect the page with its kernel."""
        if self.ws_connection is not None and self.ws_connection.stream is not None:
            # Many short messages answer one change; each would wait for the last one's receipt, 40 ms long.
            self.set_nodelay(True)
            throttle(self.ws_connection)
            self.ws_connection.stream.max_write_buffer_size = MOST_UNSENT
            # What the server reads of other requests is far less than a message may be.
            self.ws_connection.stream.max_buffer_size = self.max_message_size + 2**20
            self._note_what_is_too_long(self.ws_connection)
        # What was asked before the connection broke is not answered to this one.
        kernels = cast(PageKernels, self.kernel_manager)
        kernels.unanswered.pop(self.kernel_id, None)
        await super().open(kernel_id)
        kernels.connected(kernel_id, self)

    async def _while_there(self, work: Coroutine[object, object, None]) -> None:
        """Wait for what a session has a part in; Jupyter waits for a minute for one that has ended."""
        waiting = asyncio.ensure_future(work)
        while not waiting.done() and self.kernel_id in self.kernel_manager:
            await asyncio.wait([waiting], timeout=_LOOK)
        if self.kernel_id in self.kernel_manager:
            await waiting
            return
        waiting.cancel()
        with suppress(asyncio.CancelledError, HTTPError):
            await waiting
        self.connection.disconnect()
        raise HTTPError(404)

    def _note_what_is_too_long(self, connection: WebSocketProtocol) -> None:
        """Log a message that Tornado refuses by itself; it tells the page alone."""
        close = connection.close

        def closed(code: int | None = None, reason: str | None = None) -> None:
            if code == _TOO_LONG:
                self._refuse(f"more than {self.max_message_size:,} bytes in a message")
            close(code, reason)

        setattr(connection, "close", closed)  # noqa: B010, a method for this one alone

    async def on_message(self, ws_message: str | bytes) -> None:
        """Pass a message on to the kernel when it is its turn, or close the connection."""
        if self.ws_connection is None:
            return  # closed; a frame that was on its way would be taken for one of the old protocol
        try:
            check(ws_message)
        except BadFrame as problem:
            self._refuse(f"a bad frame ({problem})")
            self.close(_BROKEN, "bad frame")
            return
        # The next frame is read when this is done.
        await cast(PageKernels, self.kernel_manager).pace(self.kernel_id).turn()
        if self.ws_connection is not None:
            super().on_message(ws_message)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        """Send a message, or give up a page that takes nothing any more."""
        try:
            sent = super().write_message(message, binary)
            # Nobody waits until it is sent, and a page that has gone is no error.
            sent.add_done_callback(lambda done: done.cancelled() or done.exception())
            return sent
        except WebSocketClosedError:
            pass
        except StreamBufferFullError:
            self._refuse(f"{MOST_UNSENT:,} bytes that it does not take")
            if self.ws_connection is not None and self.ws_connection.stream is not None:
                self.ws_connection.stream.close()

    def _refuse(self, why: str) -> None:
        log.warning("A websocket from %s was closed: %s.", self.request.remote_ip, why)
