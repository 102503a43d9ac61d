"""The kernel behind a dashboard: `python -m sdcwidgets.server.kernel -f CONNECTION_FILE`.

An ipykernel that leaves out what a page never uses: a grammar of URLs, the history of what was typed, and
the start-up files of the person who happens to run the server.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

from sdcwidgets.server import skip_unused
from sdcwidgets.server.folder import end_with

#: The variable that says how many bytes of data a kernel may hold.
MEMORY = "SDCWIDGETS_MEMORY"

#: The variable that asks a kernel to import everything before it answers.
WARM = "SDCWIDGETS_WARM"

#: Bytes that threads yet to come may set aside for their stacks, 8 MB each, without holding them.
_STACKS = 512 * 2**20

#: A process with this score counts as if it held half of the memory more, when one must end.
_FIRST = "500"


def main() -> None:
    """Start the kernel and serve until it is shut down."""
    if os.environ.get(WARM):
        from sdcwidgets.server import warm  # noqa: F401
    parent = int(os.environ.get("JPY_PARENT_PID") or os.getppid())
    end_with(parent)
    run(sys.argv[1:], parent)


def run(arguments: list[str], parent: int) -> None:
    """Start the kernel; it ends when its parent does."""
    skip_unused()
    _limit_memory()
    _go_first()
    # Warnings, as of what still comes for a session that ends, are for nobody who visits.
    logging.getLogger().setLevel(logging.ERROR)
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShellApp.exec_PYTHONSTARTUP = False
    config.IPKernelApp.matplotlib = None
    # What it says of a message that it cannot read would repeat what a visitor sent.
    config.IPKernelApp.log_level = logging.CRITICAL
    config.IPKernelApp.parent_handle = parent
    app = IPKernelApp.instance(config=config)
    app.initialize(arguments)
    # An interrupt ends long work (widgets/studies/stopping.py) and nothing else.
    # ipykernel would let it end any message.
    app.kernel.pre_handler_hook = app.kernel.post_handler_hook = _nothing
    # Imported before there is a kernel, ipywidgets would not tell it that it hears messages of widgets.
    from sdcwidgets.server import comms

    comms.install()
    app.start()


def _nothing() -> None:
    """Leave interrupts as they are: ignored, but where long work lets them in."""


def _limit_memory() -> None:
    """Let a request for far too much memory fail; the server ends a kernel that grows little by little."""
    limit = int(os.environ.get(MEMORY) or 0)
    if not limit:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        import psutil

        held = psutil.Process().memory_info().data  # what is there already, threads' stacks included
        most = held + 2 * limit + _STACKS
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _go_first() -> None:
    """Let the system end this process before the server, where memory ends."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST, "utf-8")


if __name__ == "__main__":
    main()
