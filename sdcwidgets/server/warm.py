"""What every dashboard needs, imported once: in the process that kernels are forked from, or in a kernel itself."""

from __future__ import annotations

import gc
from importlib import import_module
from importlib.util import find_spec

from sdcwidgets.registry import load_added
from sdcwidgets.server import skip_url_grammar

__all__ = ["everything"]

#: What is imported at first use elsewhere, and used by some dashboard sooner or later.
_LATER = ("scipy.optimize", "scipy.special", "plotly.graph_objects", "openpyxl")


def everything() -> None:
    """Import what the dashboards use."""
    skip_url_grammar()
    from ipykernel import ipkernel, kernelapp, zmqshell  # noqa: F401

    from sdcwidgets.dashboards import DASHBOARDS

    for dashboard in DASHBOARDS:
        module = f"sdcwidgets.dashboards.{dashboard.name}"
        if find_spec(module) is not None:  # what another package adds is a module of its own
            import_module(module)
    load_added()
    for name in _LATER:
        import_module(name)
    # What is here now stays; a collection in a fork then leaves these pages shared.
    gc.collect()
    gc.freeze()


if __name__ != "__main__":
    everything()
