"""Kernel of a dashboard: `python -m sdcwidgets.server.kernel -f CONNECTION_FILE`.

It is an ipykernel without parts that pages never use: a grammar of URLs, the input history, and the start-up
files of the user who runs the server.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

from sdcwidgets._util.memory_limit import memory_limit
from sdcwidgets.server import skip_unused
from sdcwidgets.server.freed_memory import FreedMemory
from sdcwidgets.server.temporary_folder import end_with

#: Environment variable that makes a kernel import everything before it starts.
WARM = "SDCWIDGETS_WARM"

#: Bytes of address space for the stacks of future threads, 8 MB each.
_STACKS = 512 * 2**20

#: Value of oom_score_adj: the system ranks the process as if it held another half of the memory.
_FIRST = "500"


def main() -> None:
    """Start the kernel and serve until it is shut down."""
    if os.environ.get(WARM):
        from sdcwidgets.server import preload  # noqa: F401
    parent = int(os.environ.get("JPY_PARENT_PID") or os.getppid())
    end_with(parent)
    run(sys.argv[1:], parent)


def run(arguments: list[str], parent: int) -> None:
    """Start the kernel; it ends with its parent process."""
    skip_unused()
    _limit_memory()
    _go_first()
    # Warnings concern only the server, for example late messages at the end of a session.
    logging.getLogger().setLevel(logging.ERROR)
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShellApp.exec_PYTHONSTARTUP = False
    config.IPKernelApp.matplotlib = None
    # The log of ipykernel would repeat messages that it cannot parse, including data of visitors.
    config.IPKernelApp.log_level = logging.CRITICAL
    config.IPKernelApp.parent_handle = parent
    app = IPKernelApp.instance(config=config)
    app.initialize(arguments)
    # Only long work can be interrupted (widgets/page_state/stopping.py). By default, ipykernel lets an interrupt
    # end any message.
    app.kernel.pre_handler_hook = _nothing
    app.kernel.post_handler_hook = FreedMemory(app.kernel.get_parent).give_back_later
    # ipywidgets registers its comm targets during import, so the kernel must exist before.
    from sdcwidgets.server import comms

    comms.install()
    app.start()


def _nothing() -> None:
    """Replace the hook that would make every message interruptible."""


def _limit_memory() -> None:
    """Limit the data segment, so that one very large allocation fails.

    The server ends a kernel whose memory grows slowly.
    """
    limit = memory_limit()
    if not limit:
        return
    with suppress(ImportError, ValueError, OSError):
        import resource

        import psutil

        held = psutil.Process().memory_info().data  # memory in use, including the stacks of threads
        most = held + 2 * limit + _STACKS
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _go_first() -> None:
    """Make the system end this process before the server if memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST, "utf-8")


if __name__ == "__main__":
    main()
