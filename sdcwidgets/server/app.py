"""Voila as this project serves it: a few pages, and nothing else.

Everything that is not listed in `Dashboards.init_handlers` is not there: no files, no listing, no query
socket, no login page. Voila's own configuration files are not read, so nothing on the machine loosens it.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from jupyter_server.utils import url_path_join
from jupyterlab_server.themes_handler import ThemesHandler
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RedirectHandler
from traitlets.config import Config
from voila.app import Voila
from voila.handler import BaseVoilaHandler
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.static_file_handler import MultiStaticFileHandler, TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from sdcwidgets import plotlyjs
from sdcwidgets.errors import InputError
from sdcwidgets.server import extension, frontend, logs
from sdcwidgets.server.channels import Channels, Connection
from sdcwidgets.server.kept import KeptHandler
from sdcwidgets.server.kernels import OneKernelSpec, PageKernels
from sdcwidgets.server.packed import Packed

TEMPLATES = Path(__file__).parent / "templates"
LANDING = "index.ipynb"

#: The only front-end extensions a page loads: what draws ipywidgets, and what draws anywidgets.
EXTENSIONS = {"@voila-dashboards/widgets-manager8", "@jupyter-widgets/jupyterlab-manager", "anywidget"}

#: A table of a million cells, as text, with the overhead of a message.
MESSAGE_LIMIT = 64 * 1024 * 1024

#: Own scripts only, no handlers in markup (a label with `onerror=` stays dead), and nowhere to send data to.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self' blob: 'unsafe-inline' 'unsafe-eval'",
        "script-src-attr 'none'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    ]
)


class TemplateFiles(Packed, TemplateStaticFileHandler):
    """The style sheets of a page."""


class ScriptFiles(Packed, MultiStaticFileHandler):
    """The scripts of a page."""


class ExtensionFiles(Packed, FileFindHandler):
    """The scripts that draw widgets."""


class PageHandler(TornadoVoilaHandler):
    """A dashboard: a notebook that is run for one visitor."""

    async def get(self, path: str | None = None) -> None:
        """Render the notebook at `path`, or the landing page."""
        # Asking for the token sets the cookie that the page needs to end its kernel when it is closed.
        _ = self.xsrf_token
        await super().get(path or LANDING)


class NotHere(BaseVoilaHandler):
    """The answer to every other address."""

    async def prepare(self) -> None:
        """Refuse, whatever is asked and how."""
        await super().prepare()
        raise HTTPError(404)


def _page_config(page_config: dict[str, Any], base_url: str, **_: Any) -> dict[str, Any]:
    """Leave only the needed front-end extensions in a page, and tell it where its scripts are."""
    found = page_config["federated_extensions"]
    page_config["federated_extensions"] = [item for item in found if item["name"] in EXTENSIONS]
    scripts: dict[str, tuple[str, Any]] = {
        "plotlyUrl": (plotlyjs.ROUTE, plotlyjs),
        "frontEndUrl": (frontend.ROUTE, frontend.installed()),
    }
    for name, (route, script) in scripts.items():
        page_config[name] = f"{url_path_join(base_url, route)}?v={script.version()}"
    return page_config


def configuration(*, preheat: int = 0, dev: bool = False) -> Config:
    """Return the settings of Voila that make it safe to show to strangers."""
    config = Config()
    config.VoilaConfiguration.update(
        allow_template_override="NO",
        allow_theme_override="NO",
        strip_sources=True,
        show_tracebacks=dev,
        file_allowlist=[],
        preheat_kernel=preheat > 0,
        default_pool_size=preheat,
        multi_kernel_manager_class=PageKernels,
        kernel_spec_manager_class=OneKernelSpec,
        page_config_hook=_page_config,
    )
    config.PageKernels.update(
        cull_idle_timeout=15 * 60, cull_interval=60, buffer_offline_messages=False, allow_tracebacks=dev
    )
    # What is sent is bounded by what waits to be sent, not by how fast sliders move.
    config.Connection.update(limit_rate=False, show_output=dev)
    # A new kernel is made ready after the page that took one has started, not while.
    config.VoilaKernelManager.fill_delay = 5
    config.VoilaExecutor.timeout = 120
    if sys.platform == "linux":
        # Unix sockets: no ports for kernels that start at the same time to fight over, or for others to find.
        config.KernelManager.transport = "ipc"
    return config


class Dashboards(Voila):
    """Voila, with the pages and files of this project and no others."""

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """Read no configuration files: the settings are the ones in this module."""

    def setup_template_dirs(self) -> None:
        """Look for templates in this package first."""
        super().setup_template_dirs()
        self.template_paths: list[str] = [str(TEMPLATES), *self.template_paths]

    def init_settings(self) -> dict[str, Any]:
        """Add what Tornado wants to know from the start."""
        settings: dict[str, Any] = super().init_settings()
        settings.update(
            # Jupyter's own error pages need files that are not served here.
            jinja2_env=settings["voila_jinja2_env"],
            log_function=logs.record,
            compress_response=True,
            headers={
                "Content-Security-Policy": CONTENT_SECURITY_POLICY,
                "Referrer-Policy": "same-origin",
            },
            websocket_max_message_size=MESSAGE_LIMIT,
            default_handler_class=NotHere,
            default_handler_args={"voila_configuration": self.voila_configuration},
        )
        return settings

    def init_handlers(self) -> list[tuple[Any, ...]]:
        """Return every address that is answered."""
        kernel = r"api/kernels/(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"
        names = "|".join(re.escape(path.name) for path in Path(self.root_dir).glob("*.ipynb"))
        page = {
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        themes = {
            "themes_url": "/voila/api/themes",
            "path": self.themes_dir,
            "labextensions_path": self.labextensions_path,
            "no_cache_paths": ["/"],
        }
        labextensions = {"path": self.labextensions_path, "no_cache_paths": ["/"]}
        routes: list[tuple[Any, ...]] = [
            ("", PageHandler, page),
            (rf"voila/render/({names})", PageHandler, page),
            # From the landing page at the root, links to its neighbours lead here.
            (
                rf"({names})",
                RedirectHandler,
                {"url": f"{self.base_url}voila/render/{{0}}", "permanent": False},
            ),
            (kernel, KernelHandler),
            (rf"{kernel}/channels", Channels),
            (r"voila/api/shutdown/(.*)", VoilaShutdownKernelHandler),
            (r"voila/api/themes/(.*)", ThemesHandler, themes),
            (r"voila/templates/(lab/static/.*)", TemplateFiles),
            (r"voila/static/(.*)", ScriptFiles, {"paths": self.static_paths}),
            (r"voila/labextensions/(.*)", ExtensionFiles, labextensions),
            (frontend.ROUTE, KeptHandler, {"script": frontend.installed()}),
        ]
        return [
            *((url_path_join(self.base_url, route), *rest) for route, *rest in routes),
            *extension.handlers(self.base_url),
        ]

    def launch_browser(self) -> None:
        """Open the landing page, where there is a screen for it."""
        if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(self.display_url)


def serve(
    notebooks: Path, *, host: str, port: int, preheat: int = 0, dev: bool = False, browser: bool = False
) -> None:
    """Serve the notebooks of a folder until interrupted.

    Parameters
    ----------
    notebooks
        The folder; `index.ipynb` in it is the landing page.
    host, port
        Where to listen.
    preheat
        How many kernels to keep ready for each notebook.
    dev
        Show tracebacks on the page, log what happens and reload when code changes.
    browser
        Open the landing page in the person's browser.

    Raises
    ------
    InputError
        If nothing can listen there.
    """
    _check_address(host, port)
    logs.start(dev=dev)
    address = f"http://{'localhost' if host == '127.0.0.1' else host}:{port}/"
    app = Dashboards(
        config=configuration(preheat=preheat, dev=dev),
        kernel_websocket_connection_class=Connection,
        root_dir=str(notebooks),
        ip=host,
        port=port,
        port_retries=0,
        autoreload=dev,
        open_browser=browser,
        custom_display_url=address,
        log_level=logging.DEBUG if dev else logging.ERROR,
    )
    app.initialize(argv=[])
    for script in (frontend.installed(), plotlyjs):
        # The first visitor does not wait until they are packed.
        IOLoop.current().run_in_executor(None, script.compressed)
    # Said once the server listens, since only then does its loop run.
    message = f"The dashboards are at {address} (Ctrl+C stops them)."
    IOLoop.current().add_callback(print, message, file=sys.stderr, flush=True)
    app.start()


def _check_address(host: str, port: int) -> None:
    """Raise InputError if nothing can listen at this address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = "in use" if error.errno == errno.EADDRINUSE else f"not to be had ({error.strerror})"
            raise InputError(f"Port {port} of {host} is {reason}; choose another with --port.") from None
