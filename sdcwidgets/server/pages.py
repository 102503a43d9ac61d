"""Handlers of pages, of kernel states and of the server's health."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import secrets
from contextlib import aclosing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import psutil
from jupyter_client.jsonutil import json_default
from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.routing import Matcher
from tornado.web import HTTPError, OutputTransform, RedirectHandler, authenticated
from voila.handler import BaseVoilaHandler
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler

from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.index.page import content
from sdcwidgets.server import kernel
from sdcwidgets.server.access_key import RequiresKeyMixin, network
from sdcwidgets.server.content_security_policy import policy
from sdcwidgets.server.error_pages import ErrorPageMixin
from sdcwidgets.server.kernels import KERNEL, PageKernels
from sdcwidgets.server.rendering import PageRenderer, with_signs_of_life
from sdcwidgets.server.snapshots import snapshot
from sdcwidgets.server.visits import TooManyVisitors, here

#: Seconds after which a rejected visitor may try again.
AGAIN = 10

#: Page whose content depends on the table generator of the server, and the variable that names the generator.
GENERATOR_PAGE, GENERATOR = "tables.ipynb", "SDCWIDGETS_GENERATOR"

#: Client address if a proxy sends none that is valid.
_NOWHERE = "0.0.0.0"


class NoTransform(OutputTransform):
    """Output transform that removes the Server header."""

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Remove the name of the server and forbid content sniffing."""
        headers.pop("Server", None)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        return status_code, headers, chunk


class ServedPage(RequiresKeyMixin, BaseVoilaHandler):
    """Base class of page handlers."""

    @property
    def kernels(self) -> PageKernels:
        """The kernels of this server."""
        return cast(PageKernels, self.kernel_manager)

    async def head(self, *_: object, **__: object) -> None:
        """Send the headers of a page without starting a kernel."""
        self.set_header("Content-Type", "text/html; charset=utf-8")

    def check_asked_for(self) -> None:
        """Raise 403 for requests that are not a navigation, such as prefetches."""
        headers = self.request.headers
        # Without TLS, browsers send no Sec-Fetch-Dest. Then a request that accepts HTML and has no Origin
        # counts as a navigation.
        asks = "text/html" in headers.get("Accept", "") or "Mozilla" not in headers.get("User-Agent", "")
        unsaid = "document" if asks and "Origin" not in headers else ""
        looked_at = headers.get("Sec-Fetch-Dest", unsaid) == "document"
        ahead = " ".join(headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"))
        if not looked_at or "prefetch" in ahead or "preview" in ahead:
            raise HTTPError(403)


class LandingHandler(ServedPage):
    """Landing page, which needs no kernel."""

    @authenticated
    async def get(self) -> None:
        """Show the links to all dashboards."""
        word = secrets.token_urlsafe(16)
        self.set_header("Content-Security-Policy", policy(word))
        self.set_header("Cache-Control", "no-cache")
        self.write(self.render_template("landing.html", content=content(), nonce=word))


class PageHandler(ServedPage):
    """Dashboard or lesson: a notebook that is run for one visitor."""

    def initialize(self, rendering: dict[str, Any], **settings: object) -> None:
        """Set the options of the renderer."""
        super().initialize(**settings)
        self._rendering = rendering

    @authenticated
    async def get(self, path: str) -> None:
        """Render the notebook at `path`, unless the maximum number of visits is reached."""
        self.check_asked_for()
        visits = self.kernels.visits
        try:
            visit = visits.begin(network(self.request.remote_ip or ""))
        except TooManyVisitors:
            self._full()
            return
        # Reading the token sets the cookie that the page needs to end its kernel when it is closed.
        _ = self.xsrf_token
        here.set(visit)
        word = secrets.token_urlsafe(16)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-cache, no-store, must-revalidate")
        self.set_header("Content-Security-Policy", policy(word))
        try:
            await self._render(path, word)
        except StreamClosedError:
            # The visitor has closed the page.
            if visit.kernel is not None and visit.kernel in self.kernels:
                await self.kernels.shutdown_kernel(visit.kernel, now=True)
        finally:
            visit.sent()
            if visit.kernel is None:
                visits.end(visit)

    async def _render(self, path: str, word: str) -> None:
        """Send the page in pieces while its notebook runs."""
        of_all = self._rendering["page_config"]
        own: dict[str, object] = {"nonce": word, "sdcwidgets": notebook_pages.neighbours(Path(path).stem)}
        # A query, a course or a table generator may change the initial state of the page.
        generator = path == GENERATOR_PAGE and os.environ.get(GENERATOR)
        has_usual_state = not (self.request.query or "course" in of_all or generator)
        own |= {"first": snapshot(path, whole=has_usual_state), "is_frame": not has_usual_state}
        renderer = PageRenderer(**self._rendering | {"notebook_path": path, "page_config": of_all | own})
        kernel_id = await self.kernels.start_kernel(kernel_name=KERNEL, path="")
        try:
            pieces = renderer.pieces(self.kernels, kernel_id)
            # If the visitor disconnects, the execution must stop before the renderer releases its kernel
            # client.
            async with aclosing(with_signs_of_life(pieces)) as come:
                async for piece in come:
                    self.write(piece)
                    await self.flush()
        finally:
            await renderer.close()

    def _full(self) -> None:
        word = secrets.token_urlsafe(16)
        self.set_status(503)
        self.set_header("Content-Security-Policy", policy(word))
        self.set_header("Retry-After", str(AGAIN))
        self.set_header("Cache-Control", "no-store")
        self.write(self.render_template("full.html", again=AGAIN, nonce=word))


class NotFoundHandler(ServedPage):
    """Handler of all other addresses."""

    @allow_unauthenticated
    async def prepare(self) -> None:
        """Raise 404 for any request."""
        self.current_user = None
        raise HTTPError(404)


class HostMismatch(Matcher):
    """Matcher of requests for a host name that is not this machine or its proxy.

    A foreign domain can be pointed at this server (DNS rebinding). Browsers would then treat a page of that
    domain as a page of this server.

    Parameters
    ----------
    proxy : str
        Host name of the reverse proxy, or "" without one.
    """

    def __init__(self, proxy: str = "") -> None:
        self._proxy = proxy.lower()

    def match(self, request: HTTPServerRequest) -> dict[str, object] | None:
        """Return an empty dictionary if the host name is foreign, else None."""
        name = request.host_name.strip("[]").lower()
        known = is_loopback(name) or (name == self._proxy != "")
        return None if known else {}


class PublicAddress(Matcher):
    """Matcher that applies the X-Forwarded headers of a reverse proxy.

    Only the last value of a header comes from the proxy; the client may have sent the others.
    """

    def match(self, request: HTTPServerRequest) -> None:
        """Set the client address and the scheme of a request; return None."""
        address, scheme = (
            request.headers.get(f"X-Forwarded-{name}", "").rpartition(",")[2].strip()
            for name in ("For", "Proto")
        )
        if "X-Forwarded-For" in request.headers:
            request.remote_ip = _without_port(address)
        if scheme.lower() in ("http", "https"):
            request.protocol = scheme.lower()


def _without_port(forwarded: str) -> str:
    """Return a forwarded address without its port.

    >>> _without_port("203.0.113.5:443"), _without_port("[2001:db8::5]:443"), _without_port("2001:db8::5")
    ('203.0.113.5', '2001:db8::5', '2001:db8::5')
    """
    bare = forwarded[1:].partition("]")[0] if forwarded.startswith("[") else forwarded
    try:
        return str(ipaddress.ip_address(bare.partition(":")[0] if bare.count(":") == 1 else bare))
    except ValueError:
        return _NOWHERE


class NotByThisName(ServedPage):
    """Handler of requests for a foreign host name."""

    @allow_unauthenticated
    async def prepare(self) -> None:
        """Raise 403 for any request."""
        raise HTTPError(403)


class KernelState(RequiresKeyMixin, ErrorPageMixin, KernelHandler):
    """State of a kernel, which its page polls."""

    @authenticated
    async def get(self, kernel_id: str) -> None:
        """Return the state and the waiting time, or 404 and the reason of the end."""
        kernels = cast(PageKernels, self.kernel_manager)
        if kernel_id in kernels:
            model = kernels.kernel_model(kernel_id) | {"waiting": round(kernels.waiting(kernel_id), 1)}
            self.finish(json.dumps(model, default=json_default))
            return
        self.set_status(404)
        self.finish({"message": kernels.end_reasons.get(kernel_id, "")})


class Interrupt(RequiresKeyMixin, ErrorPageMixin, KernelHandler):
    """Request of a page to cancel running work."""

    @authenticated
    async def post(self, kernel_id: str) -> None:
        """Interrupt the kernel if it is handling a message."""
        kernels = cast(PageKernels, self.kernel_manager)
        if kernel_id not in kernels:
            raise HTTPError(404)
        if kernels.waiting(kernel_id) > 0:
            interrupt: Any = kernels.interrupt_kernel
            await interrupt(kernel_id)
        self.set_status(204)
        self.finish()


class Shutdown(RequiresKeyMixin, ErrorPageMixin, VoilaShutdownKernelHandler):
    """Request of a closed page to end its kernel."""

    async def post(self, kernel_id: str) -> None:
        """End the kernel, or raise 404 if it has ended."""
        if kernel_id not in self.kernel_manager:
            raise HTTPError(404)
        await super().post(kernel_id)


class RelativeRedirect(ErrorPageMixin, RedirectHandler):
    """Redirect from a link of the landing page to the folder of the pages."""


class Health(ServedPage):
    """Health report for monitoring, from this machine or with the access key."""

    @allow_unauthenticated
    async def get(self) -> None:
        """Return numbers of sessions and processes, the memory in use, and the version."""
        self.finish(await self.report())

    async def report(self) -> dict[str, str | int]:
        """Return the numbers, or raise 403 for other machines without the access key."""
        near = ipaddress.ip_address(self.request.remote_ip or _NOWHERE).is_loopback
        with_key = self.identity_provider.auth_enabled and self.current_user is not None
        if not (near or with_key):
            raise HTTPError(403)
        kernels = self.kernels
        processes, held = await asyncio.to_thread(_processes)
        self.set_header("Cache-Control", "no-store")
        return {
            "status": "full" if len(kernels.visits) >= kernels.visits.most else "ok",
            "sessions": len(kernels.visits),
            "most_sessions": kernels.visits.most,
            "ready": len(kernels.ready),
            "processes": processes,
            "memory_mb": round(held / 2**20),
            "version": version("sdcwidgets"),
        }


#: Numbers of the health report as metrics: key of the report, name of the metric with its unit, and description.
METRICS = (
    ("sessions", "sdcwidgets_sessions", "Number of sessions."),
    ("most_sessions", "sdcwidgets_sessions_max", "Maximum number of sessions."),
    ("ready", "sdcwidgets_sessions_prepared", "Number of prepared sessions."),
    ("processes", "sdcwidgets_processes", "Number of processes of sessions and of prepared sessions."),
    ("memory_mb", "sdcwidgets_memory_megabytes", "Memory of the server and of its processes."),
)


class Metrics(Health):
    """Numbers of the health report in the text format of Prometheus."""

    @allow_unauthenticated
    async def get(self) -> None:
        """Return one metric per number, and one with the version."""
        report = await self.report()
        lines = []
        for key, name, description in METRICS:
            lines += [f"# HELP {name} {description}", f"# TYPE {name} gauge", f"{name} {report[key]}"]
        name = "sdcwidgets_info"
        lines += [f"# HELP {name} Version of sdcwidgets.", f"# TYPE {name} gauge"]
        lines.append(f'{name}{{version="{report["version"]}"}} 1')
        self.set_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.finish("\n".join(lines) + "\n")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that listens on `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _processes() -> tuple[int, int]:
    """Return the number of session processes, and the bytes that the server holds.

    The processes are counted by the system, independently of the kernel manager. Memory that forks share is
    counted once.
    """
    server, held = psutil.Process(), 0
    children = server.children()
    programs = [child for child in children if _is_kernel(child)]
    forks = [grandchild for child in children if child not in programs for grandchild in _below(child)]
    for process in (server, *children, *forks):
        with suppress(psutil.Error):
            memory = process.memory_full_info()
            held += int(getattr(memory, "pss", memory.uss))
    return len(programs) + len(forks), held


def _is_kernel(process: psutil.Process) -> bool:
    """Return whether a process is a kernel that was started as a program."""
    try:
        return kernel.__name__ in process.cmdline()
    except psutil.Error:
        return False


def _below(process: psutil.Process) -> list[psutil.Process]:
    """Return the child processes of a process, without zombies."""
    try:
        return [child for child in process.children() if child.status() != psutil.STATUS_ZOMBIE]
    except psutil.Error:
        return []
