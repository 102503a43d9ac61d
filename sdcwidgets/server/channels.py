"""Websocket between a page and its kernel."""

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

from sdcwidgets.server.access_key import RequiresKeyMixin
from sdcwidgets.server.frames import PROTOCOL, BadFrame, check, header_of
from sdcwidgets.server.kernels import PageKernels
from sdcwidgets.server.logs import log
from sdcwidgets.server.rate_limit import throttle

#: Maximum number of websockets per kernel. A page may open a new one while the server still waits for the old
#: one.
MOST_CONNECTIONS = 4

#: Maximum number of unsent bytes per connection.
MOST_UNSENT = 64 * 1024 * 1024

#: Seconds between two pings, and until the reply is due; a reply waits behind a running upload.
PING, PONG = 45, 45

#: Close codes for a protocol error and for a message that is too big (RFC 6455, section 7.4.1).
_BROKEN, _TOO_LONG = 1002, 1009

#: Seconds between two checks that the kernel still exists.
_LOOK = 0.1

_SESSION = re.compile(r"[\w-]{1,64}", re.ASCII)


class Connection(ZMQChannelsWebsocketConnection):
    """Relay between the websocket of a page and the channels of its kernel."""

    show_output = Bool(False, config=True, help="Whether what a kernel prints reaches the page.")

    def create_stream(self) -> None:
        """Connect to all channels of the kernel except stdin."""
        super().create_stream()
        self.channels.pop("stdin").close()

    def handle_incoming_message(self, incoming_msg: Any) -> None:
        """Pass a message to the kernel and record when it was sent."""
        header = header_of(incoming_msg)
        if header["msg_type"] in self.multi_kernel_manager.allowed_message_types:
            self.multi_kernel_manager.ask(self.kernel_id, str(header.get("msg_id")))
        super().handle_incoming_message(incoming_msg)

    def handle_outgoing_message(self, stream: Any, outgoing_msg: list[Any]) -> None:
        """Pass a message of the kernel to the page, except code, prints and tracebacks.

        Tracebacks contain paths of the server, so they reach the page only if `show_output` is set.
        """
        _, parts = self.session.feed_identities(outgoing_msg)
        kind = self.session.unpack(parts[1])["msg_type"]
        if kind == "status" and self.session.unpack(parts[4])["execution_state"] == "idle":
            request = self.session.unpack(parts[2]).get("msg_id")
            self.multi_kernel_manager.answered(self.kernel_id, str(request))
        if kind == "execute_input" or (kind in ("stream", "error") and not self.show_output):
            return
        super().handle_outgoing_message(stream, outgoing_msg)


class Channels(RequiresKeyMixin, KernelWebsocketHandler):
    """Websocket handler that accepts one protocol and closes on invalid frames."""

    # Tornado's pings are set in seconds; Jupyter's attributes of the same names are in milliseconds.
    ping_interval = PING
    ping_timeout = PONG

    def send_ping(self) -> None:
        """Stop Jupyter's pings; Tornado sends pings."""
        if self.ping_callback is not None:
            self.ping_callback.stop()

    async def pre_get(self) -> None:
        """Reject invalid requests before they reach a kernel."""
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            self._refuse("unsupported protocol")
            raise HTTPError(400)
        if not _SESSION.fullmatch(self.get_query_argument("session_id", "none")):
            self._refuse("invalid session id")
            raise HTTPError(400)
        if self.kernel_manager.kernel_model(self.kernel_id)["connections"] >= MOST_CONNECTIONS:
            self._refuse("too many connections")
            raise HTTPError(429)
        await self._while_there(super().pre_get())

    async def open(self, kernel_id: str) -> None:
        """Connect the page with its kernel."""
        if self.ws_connection is not None and self.ws_connection.stream is not None:
            # One change causes many short messages. With Nagle's algorithm, each would wait 40 ms for the
            # acknowledgement of the last one.
            self.set_nodelay(True)
            throttle(self.ws_connection)
            self.ws_connection.stream.max_write_buffer_size = MOST_UNSENT
            # The limit for HTTP requests is much lower than the maximum size of a message.
            self.ws_connection.stream.max_buffer_size = self.max_message_size + 2**20
            self._note_what_is_too_long(self.ws_connection)
        # Replies to messages of the previous connection are not delivered to this one.
        kernels = cast(PageKernels, self.kernel_manager)
        kernels.unanswered.pop(self.kernel_id, None)
        await super().open(kernel_id)
        kernels.connected(kernel_id, self)

    async def _while_there(self, work: Coroutine[object, object, None]) -> None:
        """Await a task and cancel it when the kernel ends; Jupyter would wait a minute."""
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
        """Log messages that Tornado rejects because of their length."""
        close = connection.close

        def closed(code: int | None = None, reason: str | None = None) -> None:
            if code == _TOO_LONG:
                self._refuse(f"more than {self.max_message_size:,} bytes in a message")
            close(code, reason)

        setattr(connection, "close", closed)  # noqa: B010, replace the method of this instance only

    async def on_message(self, ws_message: str | bytes) -> None:
        """Pass a message to the kernel in turn, or close the connection if it is invalid."""
        if self.ws_connection is None:
            return  # the connection is closed, and Jupyter would parse a late frame by an older protocol
        try:
            check(ws_message)
        except BadFrame as problem:
            self._refuse(f"a bad frame ({problem})")
            self.close(_BROKEN, "bad frame")
            return
        # Tornado reads the next frame when this coroutine returns.
        await cast(PageKernels, self.kernel_manager).pace(self.kernel_id).turn()
        if self.ws_connection is not None:
            super().on_message(ws_message)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        """Send a message; close the connection if the page no longer reads."""
        try:
            sent = super().write_message(message, binary)
            # Nothing awaits this future. Its exception is read here, so that asyncio logs no warning about a
            # closed page.
            sent.add_done_callback(lambda done: done.cancelled() or done.exception())
            return sent
        except WebSocketClosedError:
            pass
        except StreamBufferFullError:
            self._refuse(f"{MOST_UNSENT:,} bytes that the page does not read")
            if self.ws_connection is not None and self.ws_connection.stream is not None:
                self.ws_connection.stream.close()

    def _refuse(self, why: str) -> None:
        log.warning("A websocket from %s was closed: %s.", self.request.remote_ip, why)
