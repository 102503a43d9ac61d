"""What every dashboard needs, imported once: in the process that kernels are forked from, or in a kernel itself."""

from __future__ import annotations

import gc
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec

from sdcwidgets._util.registry import load_added
from sdcwidgets.server import skip_unused

#: What is imported at first use elsewhere, and used by some dashboard sooner or later.
_LATER = ("scipy.optimize", "scipy.special", "scipy.stats", "pandas", "plotly.graph_objects", "openpyxl")

#: What a kernel imports when it starts; one that is not there with some version is left to the kernel.
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
    """Import what the dashboards use."""
    skip_unused()
    from ipykernel import ipkernel, kernelapp, zmqshell  # noqa: F401

    from sdcwidgets.dashboards.heads import DASHBOARDS

    for dashboard in DASHBOARDS:
        module = f"sdcwidgets.dashboards.{dashboard.name}.page"
        if find_spec(module) is not None:  # what another package adds is a module of its own
            import_module(module)
    load_added()
    for name in _LATER:
        import_module(name)
    for name in _OF_KERNELS:
        with suppress(ImportError):
            import_module(name)
    _build_a_page()
    # What is here now stays; a collection in a fork then leaves these pages shared.
    gc.collect()
    gc.freeze()


def _build_a_page() -> None:
    """Build a page and forget it: what code does when it first runs is done, and shared by all forks."""
    from ipywidgets import Widget

    from sdcwidgets.dashboards.explore.page import app

    app()
    Widget.close_all()


if __name__ != "__main__":
    everything()
