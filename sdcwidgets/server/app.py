"""Configure Voila to serve the pages of this project and nothing else.

`Dashboards.init_handlers` lists every route. Other addresses return 404: there are no files, directory
listings, terminals or login pages. Voila's configuration files are ignored, so no file on the machine can
weaken the settings.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.ioloop import IOLoop
from tornado.routing import Rule
from tornado.web import GZipContentEncoding, HTTPError
from traitlets.config import Config
from voila.app import Voila
from voila.static_file_handler import MultiStaticFileHandler, TemplateStaticFileHandler
from voila.utils import get_page_config

from sdcwidgets._util.errors import InputError
from sdcwidgets.server import docs, extension, fork_server, frontend, logs
from sdcwidgets.server.access_key import KeyPage, Keys, RequiresKeyMixin, new_key
from sdcwidgets.server.cached_files import CachedFileHandler
from sdcwidgets.server.channels import Channels, Connection
from sdcwidgets.server.compressed_files import PrecompressedFileHandler
from sdcwidgets.server.content_security_policy import policy
from sdcwidgets.server.course_handlers import handlers as course_handlers
from sdcwidgets.server.course_session import CourseSession
from sdcwidgets.server.kernels import OneKernelSpec, PageKernels
from sdcwidgets.server.listening import check_address, public_host
from sdcwidgets.server.pages import (
    Health,
    HostMismatch,
    Interrupt,
    KernelState,
    LandingHandler,
    Metrics,
    NotByThisName,
    NotFoundHandler,
    NoTransform,
    PageHandler,
    PublicAddress,
    RelativeRedirect,
    Shutdown,
    is_loopback,
)
from sdcwidgets.server.rendering import exporter
from sdcwidgets.server.visits import default_memory
from sdcwidgets.teaching.course import Course
from sdcwidgets.widgets import plotlyjs

TEMPLATES = Path(__file__).parent / "templates"
LANDING = "index.ipynb"

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

#: Maximum size of a websocket message in bytes: a table of a million cells, as text, with overhead.
MESSAGE_LIMIT = 64 * 1024 * 1024

#: Limits of an HTTP request: bytes of its body, bytes of the read buffer, and seconds until its headers and
#: its body have arrived. The longest regular body is a typed access key.
BODY_LIMIT, READ_LIMIT, REQUEST_SECONDS = 64 * 1024, 256 * 1024, 10

#: Maximum number of open files and connections; a visit needs five.
MOST_FILES = 65_536


class TemplateFiles(PrecompressedFileHandler, TemplateStaticFileHandler):
    """The style sheets of a page."""

    @classmethod
    def get_absolute_path(cls, root: str, path: str) -> str:
        """Return the path of the file; raise 404 for paths outside of the folder."""
        try:
            return str(super().get_absolute_path(root, path))
        except (ValueError, AssertionError):
            raise HTTPError(404) from None


class ScriptFiles(PrecompressedFileHandler, MultiStaticFileHandler):
    """The scripts of a page."""


class ExtensionFiles(RequiresKeyMixin, PrecompressedFileHandler, FileFindHandler):
    """The scripts that draw widgets."""


class ThemeFiles(RequiresKeyMixin, ThemesHandler):
    """The colours of Jupyter."""


def _page_config(app: Voila) -> dict[str, object]:
    """Return the configuration of every page: front-end extensions and file URLs."""
    mathjax = {"mathjax_config": app.mathjax_config, "mathjax_url": app.mathjax_url}
    config: dict[str, Any] = get_page_config(app.base_url, mathjax, app.log, app.voila_configuration)
    # Voila's front end, which pages with widgets of other packages need, cannot load extensions of Notebook.
    config["federated_extensions"] = [
        item for item in config["federated_extensions"] if not item["name"].startswith("@jupyter-notebook/")
    ]
    for name, route, file in (
        ("frontEndUrl", frontend.ROUTE, frontend.script()),
        ("frontEndStyleUrl", frontend.STYLE_ROUTE, frontend.style()),
    ):
        config[name] = f"{url_path_join(app.base_url, route)}?v={file.version()}"
    return config


def configuration(*, preheat: int = 0, memory: int = 0, dev: bool = False) -> Config:
    """Return the settings of Voila for a public server."""
    config = Config()
    config.VoilaConfiguration.update(
        allow_template_override="NO",
        allow_theme_override="NO",
        strip_sources=True,
        show_tracebacks=dev,
        file_allowlist=[],
        http_keep_alive_timeout=50,
        multi_kernel_manager_class=PageKernels,
        kernel_spec_manager_class=OneKernelSpec,
    )
    config.PageKernels.update(
        buffer_offline_messages=False,
        allow_tracebacks=dev,
        preheat=preheat,
        memory_limit=memory,
    )
    # The numbers on a page come from its old kernel, so a new and empty kernel must not replace it.
    config.KernelManager.autorestart = False
    # The size of the send buffer is limited instead. A limit of the rate would block quick slider movements.
    config.Connection.update(limit_rate=False, show_output=dev)
    config.VoilaExecutor.timeout = 120
    if sys.platform == "linux" and fork_server.sockets_fit():
        # Kernels that start at the same time cannot collide on Unix sockets, and other programs cannot find
        # open ports.
        config.KernelManager.transport = "ipc"
    return config


class Dashboards(Voila):
    """A Voila server that is restricted to the pages and files of this project."""

    limits: Limits
    proxy: str = ""
    course_session: CourseSession | None = None

    def welcome(self) -> None:
        """Set the limits, and start spare kernels."""
        visits = self.kernel_manager.visits
        visits.most, visits.from_one = self.limits.visitors or visits.most, self.limits.per_address
        self.kernel_manager.fill(delay=0)

    def load_config_file(self, *_: object, **__: object) -> None:
        """Ignore configuration files; this module sets all options."""

    def setup_template_dirs(self) -> None:
        """Look for templates in this package first."""
        super().setup_template_dirs()
        self.template_paths: list[str] = [str(TEMPLATES), *self.template_paths]

    def init_settings(self) -> dict[str, object]:
        """Return the settings of the Tornado application."""
        settings: dict[str, Any] = super().init_settings()
        settings["voila_jinja2_env"].globals["docs_built"] = docs.built()
        settings.update(
            # Jupyter's error pages refer to files that this server does not offer.
            jinja2_env=settings["voila_jinja2_env"],
            log_function=logs.record,
            headers={"Content-Security-Policy": policy(), "Referrer-Policy": "same-origin"},
            transforms=[NoTransform, GZipContentEncoding],
            websocket_max_message_size=MESSAGE_LIMIT,
            default_handler_class=NotFoundHandler,
            default_handler_args={"voila_configuration": self.voila_configuration},
        )
        return settings

    def init_handlers(self) -> list[Rule | tuple[object, ...]]:
        """Return the routes of all addresses that the server answers."""
        kernel = rf"api/kernels/(?P<kernel_id>{_UUID})"
        pages = (path.name for path in Path(self.root_dir).glob("*.ipynb") if path.name != LANDING)
        names, settings = "|".join(map(re.escape, pages)), {"voila_configuration": self.voila_configuration}
        rendering = {
            "app": self,
            "exporter": exporter(self),
            "page_config": _page_config(self)
            | ({"course": self.course_session.bar(self.base_url)} if self.course_session else {}),
        }
        themes = {
            "themes_url": "/voila/api/themes",
            "path": self.themes_dir,
            "labextensions_path": self.labextensions_path,
            "no_cache_paths": ["/"],
        }
        labextensions = {"path": self.labextensions_path, "no_cache_paths": ["/"]}
        routes: list[tuple[Any, ...]] = [
            ("", LandingHandler, settings),
            (rf"voila/render/{re.escape(LANDING)}", LandingHandler, settings),
            (
                rf"voila/render/({names})",
                PageHandler,
                settings | {"rendering": rendering},
            ),
            (
                rf"({names})",
                RelativeRedirect,
                {"url": f"{self.base_url}voila/render/{{0}}", "permanent": False},
            ),
            (kernel, KernelState),
            (rf"{kernel}/interrupt", Interrupt),
            (rf"{kernel}/channels", Channels),
            (rf"voila/api/shutdown/({_UUID})", Shutdown),
            ("health", Health, settings),
            ("metrics", Metrics, settings),
            (r"voila/api/themes/(.*)", ThemeFiles, themes),
            (r"voila/templates/(lab/static/.*)", TemplateFiles),
            (r"voila/static/(.*)", ScriptFiles, {"paths": self.static_paths}),
            (r"voila/labextensions/(.*)", ExtensionFiles, labextensions),
            (frontend.ROUTE, CachedFileHandler, {"script": frontend.script()}),
            (frontend.STYLE_ROUTE, CachedFileHandler, {"script": frontend.style(), "kind": "text/css"}),
            *docs.handlers(self.base_url, settings),
        ]
        if self.identity_provider.auth_enabled:
            routes.append(("login", KeyPage))
        if self.course_session:
            routes += course_handlers(self.course_session, settings)
        return [
            *self._rules(),
            *((url_path_join(self.base_url, route), *rest) for route, *rest in routes),
            *extension.handlers(self.base_url),
        ]

    def _rules(self) -> list[Rule]:
        """Return rules that apply before the routes: client addresses behind a proxy, and foreign host names."""
        refused = {"voila_configuration": self.voila_configuration}
        rules = []
        if self.proxy:
            # Tornado's xheaders option would also trust headers that a proxy does not overwrite.
            rules.append(Rule(PublicAddress(), NotFoundHandler, refused))
        if is_loopback(self.ip) and not self.identity_provider.auth_enabled:
            rules.append(Rule(HostMismatch(self.proxy), NotByThisName, refused))
        return rules

    def listen(self) -> None:
        """Listen for requests, within limits of their size and time."""
        self.app.listen = partial(
            self.app.listen,
            max_body_size=BODY_LIMIT,
            max_buffer_size=READ_LIMIT,
            # This is also the maximum idle time of a connection.
            idle_connection_timeout=REQUEST_SECONDS,
            body_timeout=REQUEST_SECONDS,
        )
        super().listen()

    def launch_browser(self) -> None:
        """Open the start address in a browser if a display is available."""
        if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(self.custom_display_url)


@dataclass(frozen=True)
class Limits:
    """Limits of a server.

    Attributes
    ----------
    visitors : int or None
        Maximum number of simultaneous sessions; derived from the memory if None.
    per_address : int or None
        Maximum number of simultaneous sessions per client address; no limit if None.
    memory : int or None
        Maximum memory per session, in megabytes; derived from the memory if None.
    preheat : int
        Number of spare sessions.
    """

    visitors: int | None = None
    per_address: int | None = None
    memory: int | None = None
    preheat: int = 0

    def __post_init__(self) -> None:
        for name, least in (("visitors", 1), ("per_address", 1), ("memory", 200), ("preheat", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise InputError(f"--{name.replace('_', '-')} is {value}; it must be {least} or more.")


def serve(
    notebooks: Path,
    *,
    host: str,
    port: int,
    limits: Limits | None = None,
    key: str = "",
    proxy: str = "",
    dev: bool = False,
    browser: bool = False,
    course: Course | None = None,
    trainer: str = "",
) -> None:
    """Serve the notebooks of a folder until interrupted.

    Parameters
    ----------
    notebooks : Path
        Folder of the notebooks.
    host : str
        Address to listen on.
    port : int
        Port to listen on.
    limits : Limits, optional
        Limits of sessions; the defaults of `Limits` if None.
    key : str, default ""
        Access key of the server; no key is required if empty.
    proxy : str, default ""
        Host name of a reverse proxy. If set, the server trusts its X-Forwarded headers; otherwise it ignores them.
    dev : bool, default False
        Show tracebacks on pages, log debug messages and restart when code changes.
    browser : bool, default False
        Open the landing page, or the trainer view of a course, in a browser.
    course : Course, optional
        Course to serve.
    trainer : str, default ""
        Access key of the trainer; generated if empty.

    Raises
    ------
    InputError
        If the server cannot listen on this address and port.
    """
    limits = limits or Limits()
    check_address(host, port)
    _allow_files()
    logs.start(dev=dev)
    root, query = f"http://{public_host(host)}:{port}/", f"?key={key}" if key else ""
    course_session = CourseSession(course, trainer or new_key(), f"{root}course{query}") if course else None
    address = f"{root}course/board?trainer={course_session.key}" if course_session else root + query
    each = limits.memory or default_memory()
    config = configuration(preheat=limits.preheat, memory=each * 2**20, dev=dev)
    config.Keys.key = key
    app = Dashboards(
        config=config,
        kernel_websocket_connection_class=Connection,
        identity_provider_class=Keys,
        root_dir=str(notebooks),
        ip=host,
        port=port,
        port_retries=0,
        autoreload=dev,
        open_browser=browser,
        custom_display_url=address,
        log_level=logging.DEBUG if dev else logging.CRITICAL,
    )
    app.limits, app.proxy, app.course_session = limits, proxy, course_session
    app.initialize(argv=[])
    for script in (frontend.script(), plotlyjs):
        # Compression begins now, so that the first visitor does not wait for it.
        IOLoop.current().run_in_executor(None, script.compressed)
    # The callback runs when the server listens. The address is printed with --quiet too, because it contains
    # the access key.
    message = f"The dashboards are at {address} (Ctrl+C stops the server)."
    if course_session:
        message = (
            f"{course_session.terminal}Participants: {course_session.address}\n"
            f"Trainer: {address} (Ctrl+C stops both)."
        )
    IOLoop.current().add_callback(print, message, file=sys.__stderr__, flush=True)
    IOLoop.current().add_callback(app.welcome)
    if course_session:
        IOLoop.current().add_callback(course_session.checker.warm, course_session.progress.course.steps)
    app.start()


def _allow_files() -> None:
    """Raise the limit of open files to the hard limit; the default is often 1,024."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
