"""The one folder into which a server and its sessions write, and what is left of a server that was killed.

A server that is killed cannot clear up. So a shell waits beside it until it is no longer there, and removes its folder;
each of its processes ends with it (`end_with`); and what is left all the same is swept when the next server starts.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

#: How folders of servers begin: short, as sockets in them have names. Those of "sdcw-" were locked in another way.
PREFIX = "sdcd-"

#: The variable that names the folder to the server's processes.
OWNER = "SDCWIDGETS_FOLDER"

#: A line says that the server clears up itself; the end of all lines, that it is no longer there. Its processes have
#: their last moment then.
_REMOVE = 'read _ && exit; sleep 1; rm -rf -- "$1"'

#: What Linux calls the signal that a process gets when its parent ends (prctl(2)).
_PARENT_ENDS = 1


@contextmanager
def own() -> Iterator[Path]:
    """Give a folder for all that this process and those it starts write; it goes with them, however they end."""
    sweep()
    # multiprocessing has no public way to choose its folder. Without this private attribute, the socket of the fork
    # server is elsewhere, and a server that is killed leaves it there.
    of_process: dict[str, object] = getattr(multiprocessing.current_process(), "_config", {})
    before, before_of_process = tempfile.tempdir, of_process.get("tempdir")
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    with _without_cores(), _removed(folder):
        tempfile.tempdir, os.environ[OWNER] = str(folder), str(folder)
        # Or Python's own folder for the socket of its fork server would be missed when this one is gone.
        of_process["tempdir"] = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir, of_process["tempdir"] = before, before_of_process
            del os.environ[OWNER]


@contextmanager
def _without_cores() -> Iterator[None]:
    """Let no process write its memory, with its table, into a file when it crashes."""
    if sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, before)


@contextmanager
def _removed(folder: Path) -> Iterator[None]:
    """Make a folder, and have it removed when this process ends, whatever ends it."""
    shell = None
    with suppress(OSError):  # where there is none, the next server sweeps
        shell = subprocess.Popen(
            ["/bin/sh", "-c", _REMOVE, "sdcwidgets", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    # Locked before it has the name by which others find and sweep it.
    unnamed = folder.with_name(f".{folder.name}")
    unnamed.mkdir(mode=0o700)
    try:
        with _locked(unnamed):
            unnamed.rename(folder)
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if shell is not None:
            with suppress(OSError):  # it was ended
                shell.communicate(b"\n")


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Tell whether no server has locked a folder; if so, it is locked, which systemd-tmpfiles(8) respects, too."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        except OSError:
            free = False
        yield free
    finally:
        os.close(lock)


def sweep() -> None:
    """Remove the folders, and end the processes, of servers that are there no more."""
    if sys.platform == "win32":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.lstat().st_uid != os.getuid():
                continue
            with _locked(folder) as free:
                if free:
                    _end_processes(str(folder))
                    shutil.rmtree(folder, ignore_errors=True)


def _end_processes(folder: str) -> None:
    """End every process of the server of a folder."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get(OWNER) == folder:
                process.kill()


def end_with(parent: int) -> None:
    """Let this process end at once when its parent does, even if it is busy or stopped; on Linux only."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PARENT_ENDS, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)
