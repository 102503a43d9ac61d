"""The addresses that this server answers by itself: pages, what their kernels are doing, and its own health."""

from __future__ import annotations

import asyncio
import ipaddress
import json
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
from sdcwidgets.server.first_view import FirstViews
from sdcwidgets.server.kernels import KERNEL, PageKernels
from sdcwidgets.server.key import RequiresKeyMixin, network
from sdcwidgets.server.policy import policy
from sdcwidgets.server.refusals import ErrorPageMixin
from sdcwidgets.server.rendering import PageRenderer, with_signs_of_life
from sdcwidgets.server.visits import TooManyVisitors, here

#: Seconds until a visitor who found no place tries again.
AGAIN = 10

#: The address of whoever is told to have none.
_NOWHERE = "0.0.0.0"


class NoTransform(OutputTransform):
    """Answers that do not say what answers."""

    def transform_first_chunk(
        self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Leave out the name of the server."""
        headers.pop("Server", None)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        return status_code, headers, chunk


class ServedPage(RequiresKeyMixin, BaseVoilaHandler):
    """What pages have in common."""

    @property
    def kernels(self) -> PageKernels:
        """The kernels of this server."""
        return cast(PageKernels, self.kernel_manager)

    async def head(self, *_: object, **__: object) -> None:
        """Say that the page is there; nothing is started for it."""
        self.set_header("Content-Type", "text/html; charset=utf-8")

    def check_asked_for(self) -> None:
        """Refuse a page that is not going to be looked at: in the background of another, or ahead of its time."""
        headers = self.request.headers
        # Over plain http browsers do not say what for; but who opens a page asks for HTML, and from no other page.
        asks = "text/html" in headers.get("Accept", "") or "Mozilla" not in headers.get("User-Agent", "")
        unsaid = "document" if asks and "Origin" not in headers else ""
        looked_at = headers.get("Sec-Fetch-Dest", unsaid) == "document"
        ahead = " ".join(headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"))
        if not looked_at or "prefetch" in ahead or "preview" in ahead:
            raise HTTPError(403)


class LandingHandler(ServedPage):
    """The landing page, which needs no kernel."""

    @authenticated
    async def get(self) -> None:
        """Show the ways to the dashboards."""
        word = secrets.token_urlsafe(16)
        self.set_header("Content-Security-Policy", policy(word))
        self.set_header("Cache-Control", "no-cache")
        self.write(self.render_template("landing.html", content=content(), nonce=word))


class PageHandler(ServedPage):
    """A dashboard or a lesson: a notebook that is run for one visitor."""

    def initialize(self, rendering: dict[str, Any], first_views: FirstViews, **settings: object) -> None:
        """Note what renders pages, and what they show at first."""
        super().initialize(**settings)
        self._rendering, self._first_views = rendering, first_views

    @authenticated
    async def get(self, path: str) -> None:
        """Render the notebook at `path`, if there is a place for one more visitor."""
        self.check_asked_for()
        visits = self.kernels.visits
        try:
            visit = visits.begin(network(self.request.remote_ip or ""))
        except TooManyVisitors:
            self._full()
            return
        # Asking for the token sets the cookie that the page needs to end its kernel when it is closed.
        _ = self.xsrf_token
        here.set(visit)
        word = secrets.token_urlsafe(16)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-cache, no-store, must-revalidate")
        self.set_header("Content-Security-Policy", policy(word))
        try:
            await self._render(path, word)
        except StreamClosedError:
            # The visitor did not wait.
            if visit.kernel is not None and visit.kernel in self.kernels:
                await self.kernels.shutdown_kernel(visit.kernel, now=True)
        finally:
            visit.sent()
            if visit.kernel is None:
                visits.end(visit)

    async def _render(self, path: str, word: str) -> None:
        """Send the page piece by piece, while its notebook runs."""
        of_all = self._rendering["page_config"]
        own = {"nonce": word, "sdcwidgets": notebook_pages.neighbours(Path(path).stem)}
        # An address, or a course, may ask for another beginning.
        if not self.request.query and "course" not in of_all:
            own["first"] = self._first_views.get(path, "")
        renderer = PageRenderer(
            **self._rendering | {"page_config": of_all | own},
            request_handler=self,
            voila_configuration=self.voila_configuration,
            notebook_path=path,
            contents_manager=self.contents_manager,
            kernel_spec_manager=self.kernel_spec_manager,
            base_url=self.base_url,
        )
        await renderer.initialize()
        kernel_id = await self.kernels.start_kernel(kernel_name=KERNEL, path="")
        try:
            pieces = renderer.pieces(self.kernels, kernel_id)
            # Who hangs up ends what is run for the page, before what it runs in is let go.
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
    """The answer to every other address."""

    @allow_unauthenticated
    async def prepare(self) -> None:
        """Refuse, whatever is asked and how."""
        self.current_user = self._jupyter_current_user = None
        raise HTTPError(404)


class HostMismatch(Matcher):
    """Whether a request asks for another name than those of this machine and of its reverse proxy.

    A name elsewhere can be made to lead here (DNS rebinding), and a page under that name would be taken for one
    of ours.

    Parameters
    ----------
    proxy : str
        The name under which a reverse proxy shows this server, if there is one.
    """

    def __init__(self, proxy: str = "") -> None:
        self._proxy = proxy.lower()

    def match(self, request: HTTPServerRequest) -> dict[str, object] | None:
        """Return an empty dictionary if so, else None."""
        name = request.host_name.strip("[]").lower()
        known = is_loopback(name) or (name == self._proxy != "")
        return None if known else {}


class PublicAddress(Matcher):
    """What a reverse proxy says of visitors: it has the last word, and a visitor's own words are nobody's."""

    def match(self, request: HTTPServerRequest) -> None:
        """Note it; no request is answered here."""
        address, scheme = (
            request.headers.get(f"X-Forwarded-{name}", "").rpartition(",")[2].strip()
            for name in ("For", "Proto")
        )
        if "X-Forwarded-For" in request.headers:
            request.remote_ip = _without_port(address)
        if scheme.lower() in ("http", "https"):
            request.protocol = scheme.lower()


def _without_port(forwarded: str) -> str:
    """Return the address that a proxy tells, some of them with a port.

    >>> _without_port("203.0.113.5:443"), _without_port("[2001:db8::5]:443"), _without_port("2001:db8::5")
    ('203.0.113.5', '2001:db8::5', '2001:db8::5')
    """
    bare = forwarded[1:].partition("]")[0] if forwarded.startswith("[") else forwarded
    try:
        return str(ipaddress.ip_address(bare.partition(":")[0] if bare.count(":") == 1 else bare))
    except ValueError:
        return _NOWHERE


class NotByThisName(ServedPage):
    """The answer to whoever asks for another name."""

    @allow_unauthenticated
    async def prepare(self) -> None:
        """Refuse, whatever is asked and how."""
        raise HTTPError(403)


class KernelState(RequiresKeyMixin, ErrorPageMixin, KernelHandler):
    """What a page asks about its kernel, again and again: whether it is there, and else why not."""

    @authenticated
    async def get(self, kernel_id: str) -> None:
        """Answer with the kernel's state and how long its page has been waiting, or with 404 and the reason."""
        kernels = cast(PageKernels, self.kernel_manager)
        if kernel_id in kernels:
            model = kernels.kernel_model(kernel_id) | {"waiting": round(kernels.waiting(kernel_id), 1)}
            self.finish(json.dumps(model, default=json_default))
            return
        self.set_status(404)
        self.finish({"message": kernels.end_reasons.get(kernel_id, "")})


class Interrupt(RequiresKeyMixin, ErrorPageMixin, KernelHandler):
    """What a person asks who no longer wants to wait."""

    @authenticated
    async def post(self, kernel_id: str) -> None:
        """Interrupt what the kernel does for its page, if it does something."""
        kernels = cast(PageKernels, self.kernel_manager)
        if kernel_id not in kernels:
            raise HTTPError(404)
        if kernels.waiting(kernel_id) > 0:
            interrupt: Any = kernels.interrupt_kernel
            await interrupt(kernel_id)
        self.set_status(204)
        self.finish()


class Shutdown(RequiresKeyMixin, ErrorPageMixin, VoilaShutdownKernelHandler):
    """The goodbye of a page that is closed."""

    async def post(self, kernel_id: str) -> None:
        """End its kernel, if it is still there."""
        if kernel_id not in self.kernel_manager:
            raise HTTPError(404)
        await super().post(kernel_id)


class RelativeRedirect(ErrorPageMixin, RedirectHandler):
    """A link of the landing page at the root to its neighbour, which is one folder below."""


class Health(ServedPage):
    """What a monitor asks: from this machine, or with the key."""

    @allow_unauthenticated
    async def get(self) -> None:
        """Answer with numbers of sessions, of the processes that there are for them, of memory, and the version."""
        near = ipaddress.ip_address(self.request.remote_ip or _NOWHERE).is_loopback
        with_key = self.identity_provider.auth_enabled and self.current_user is not None
        if not (near or with_key):
            raise HTTPError(403)
        kernels = self.kernels
        processes, held = await asyncio.to_thread(_processes)
        self.set_header("Cache-Control", "no-store")
        self.finish(
            {
                "status": "full" if len(kernels.visits) >= kernels.visits.most else "ok",
                "sessions": len(kernels.visits),
                "most_sessions": kernels.visits.most,
                "ready": len(kernels.ready),
                "processes": processes,
                "memory_mb": round(held / 2**20),
                "version": version("sdcwidgets"),
            }
        )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach what listens at `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _processes() -> tuple[int, int]:
    """Return how many processes of sessions there are, and the bytes that the server and all below it hold.

    They are counted as the system knows them, whatever the server knows. What forks share is counted once.
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
    """Return whether a process is a kernel that runs as a program."""
    try:
        return kernel.__name__ in process.cmdline()
    except psutil.Error:
        return False


def _below(process: psutil.Process) -> list[psutil.Process]:
    """Return the processes that a process has started, and that are no more than names of those that have ended."""
    try:
        return [child for child in process.children() if child.status() != psutil.STATUS_ZOMBIE]
    except psutil.Error:
        return []
