"""Kill a server, or a process of its, at a random moment, and look what is left of it."""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from serving import free_port
from visiting import Visitor, connected, get, kernel_of

#: Seconds until nothing is left of what was killed.
GONE = 5


def processes(folder: Path) -> list[psutil.Process]:
    """Return every process that was told to put its temporary files there."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("TMPDIR") == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def fork_servers(folder: Path) -> list[psutil.Process]:
    """Return the processes that sessions are forked from, but not those sessions."""
    forks, above = [], {}
    for process in processes(folder):
        with suppress(psutil.Error):  # it may end at any time
            if "forkserver" in " ".join(process.cmdline()):
                above[process.pid] = process.ppid()
                forks.append(process)
    return [one for one in forks if above.get(one.pid) not in above]


def described(process: psutil.Process) -> str:
    """Return what can be said of a process."""
    with suppress(psutil.Error):
        return (
            f"{process.pid} below {process.ppid()}, {process.status()}: {' '.join(process.cmdline())[:200]}"
        )
    return f"{process.pid}, which has just ended"


def left(folder: Path) -> list[object]:
    """Return the processes and files that are left after as long as it may take until there are none."""
    until = time.monotonic() + GONE
    while True:
        here, there = processes(folder), sorted(folder.iterdir())
        if (not here and not there) or time.monotonic() > until:
            return [*map(described, here), *there]
        time.sleep(0.05)


@contextmanager
def short_folder() -> Iterator[Path]:
    """Give a folder of temporary files whose name leaves room for those of sockets, so that sessions are forks."""
    with TemporaryDirectory(prefix="k", dir="/tmp") as name:
        yield Path(name)


@contextmanager
def visited(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen, str]]:
    """Run a server whose temporary files go into a folder, with a visitor who comes as soon as there is a page."""
    port = free_port()
    command = [sys.executable, "-m", "sdcwidgets.cli", "serve", "--no-browser", "--port", str(port), *options]
    stopped = threading.Event()
    with subprocess.Popen(
        command,
        env=os.environ | {"TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        address = f"http://127.0.0.1:{port}/"

        def visit() -> None:
            while not stopped.is_set():
                with suppress(Exception):  # it is not there yet, or no more
                    kernel = kernel_of(get(f"{address}voila/render/explore.ipynb")[2])
                    with connected(address, kernel, timeout=30) as channel:
                        visitor = Visitor(channel)
                        while not stopped.is_set():
                            visitor.move(visitor.slider("ε"), random.random())
                time.sleep(0.05)

        visitor = threading.Thread(target=visit, daemon=True)
        visitor.start()
        try:
            yield server, address
        finally:
            server.kill()
            stopped.set()
            visitor.join(30)


def kill_server(folder: Path, seconds: float) -> list[object]:
    """Kill a server so many seconds after its start, and return what is left of it."""
    with visited(folder, "--preheat", "2") as (server, _):
        time.sleep(seconds)
        server.kill()
        server.wait()
        return left(folder)
