"""Temporary folder of a server and its sessions, and its removal.

A killed server cannot remove its folder. Three mechanisms do: a shell waits for the end of the server and
removes the folder, the server's processes end with it (`end_with`), and the next server sweeps what remains.
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

#: Prefix of the folder names. It is short because the paths of sockets are limited. Older versions used
#: "sdcw-" with another kind of lock.
PREFIX = "sdcd-"

#: Environment variable with the path of the folder, for the server's processes.
OWNER = "SDCWIDGETS_FOLDER"

#: A line on stdin means that the server cleans up. The end of stdin means that the server has ended: the
#: shell waits a second for its processes and removes the folder.
_REMOVE = 'read _ && exit; sleep 1; rm -rf -- "$1"'

#: Option PR_SET_PDEATHSIG of prctl(2): the signal that a process receives when its parent ends.
_PARENT_ENDS = 1


@contextmanager
def own() -> Iterator[Path]:
    """Create the folder for all temporary files of this process and its children.

    The folder and the child processes are removed at the end, however the process ends.
    """
    sweep()
    # multiprocessing has no public way to choose its folder. Without this private attribute, the socket of the fork
    # server is elsewhere, and a server that is killed leaves it there.
    of_process: dict[str, object] = getattr(multiprocessing.current_process(), "_config", {})
    before, before_of_process = tempfile.tempdir, of_process.get("tempdir")
    folder = Path(tempfile.gettempdir()) / f"{PREFIX}{secrets.token_hex(4)}"
    with _without_cores(), _removed(folder):
        tempfile.tempdir, os.environ[OWNER] = str(folder), str(folder)
        # Otherwise Python would try to use its own folder for the socket of the fork server after this one is
        # removed.
        of_process["tempdir"] = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir, of_process["tempdir"] = before, before_of_process
            del os.environ[OWNER]


@contextmanager
def _without_cores() -> Iterator[None]:
    """Disable core dumps: a dump of the memory would contain confidential tables."""
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
    """Create a folder and ensure its removal when this process ends."""
    shell = None
    with suppress(OSError):  # without a shell, the next server removes the folder
        shell = subprocess.Popen(
            ["/bin/sh", "-c", _REMOVE, "sdcwidgets", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    # The folder is locked before it gets the name that other servers search for.
    unnamed = folder.with_name(f".{folder.name}")
    unnamed.mkdir(mode=0o700)
    try:
        with _locked(unnamed):
            unnamed.rename(folder)
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if shell is not None:
            with suppress(OSError):  # the shell has ended already
                shell.communicate(b"\n")


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Lock a folder if it is free, and yield whether it was free.

    The lock is of the kind that systemd-tmpfiles(8) respects.
    """
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
    """Remove the folders and end the processes of servers that have ended."""
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
    """Kill every process of the server that owns a folder."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.pid != os.getpid() and process.environ().get(OWNER) == folder:
                process.kill()


def end_with(parent: int) -> None:
    """Kill this process when its parent ends, even if it is busy or stopped (Linux)."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PARENT_ENDS, signal.SIGKILL)
    if os.getppid() != parent:  # the parent has ended already
        os._exit(1)
