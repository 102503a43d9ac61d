"""Import all modules that dashboards need, in the fork server or in a kernel."""

from __future__ import annotations

import gc
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec

from sdcwidgets._util.registry import load_added
from sdcwidgets.server import skip_unused

#: Modules that are otherwise imported at first use.
_LATER = ("scipy.optimize", "scipy.special", "scipy.stats", "pandas", "plotly.graph_objects", "openpyxl")

#: Modules that a kernel imports when it starts; modules that a version lacks are skipped.
_OF_KERNELS = (
    "IPython.core.completerlib",
    "IPython.core.debugger",
    "IPython.core.logger",
    "IPython.core.oinspect",
    "IPython.extensions.storemagic",
    "encodings.idna",
    "encodings.latin_1",
    "ipykernel.debugger",
    "psutil",
    "resource",
    "sdcwidgets.server.comms",
    "sdcwidgets.server.kernel",
    "tornado.locks",
    "tornado.platform.asyncio",
    "tornado.queues",
    "zmq.utils.garbage",
)


def everything() -> None:
    """Import the modules and build one page."""
    skip_unused()
    from ipykernel import ipkernel, kernelapp, zmqshell  # noqa: F401

    from sdcwidgets.dashboards.page_heads import DASHBOARDS

    for dashboard in DASHBOARDS:
        module = f"sdcwidgets.dashboards.{dashboard.name}.page"
        # dashboards of other packages have their own modules, which load_added imports
        if find_spec(module) is not None:
            import_module(module)
    load_added()
    for name in _LATER:
        import_module(name)
    for name in _OF_KERNELS:
        with suppress(ImportError):
            import_module(name)
    _build_a_page()
    # The imported objects are permanent. A garbage collection in a fork would otherwise copy their memory
    # pages.
    gc.collect()
    gc.freeze()


def _build_a_page() -> None:
    """Build a page and discard it, so that forks share the results of first calls."""
    from ipywidgets import Widget

    from sdcwidgets.dashboards.explore.page import app

    app()
    Widget.close_all()


if __name__ != "__main__":
    everything()
