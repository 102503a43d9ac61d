"""Kernels that are forked from a process which has imported everything: they share its memory and start at once.

Python's own fork server does the work; here it learns to start a Jupyter kernel. It is for Linux; elsewhere
a fork of a process with libraries of the system in it is not safe, and kernels start as programs.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import EntryPoint
from multiprocessing import forkserver
from typing import Any

from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from sdcwidgets.server import folder, logs

#: What a kernel specification calls this way of starting.
NAME = "sdcwidgets-forked"

#: The path of a Unix socket has at most so many bytes; its name looks like this.
_LONGEST_SOCKET, _SOCKET = 107, "/12345678-ipc-99999"

#: The first lets the process end with the server, before it spends seconds on the others.
_PRELOADED = ["sdcwidgets.server.with_server", "sdcwidgets.server.warm", "sdcwidgets.server.forked"]

#: The variables that tell this process who its server is, and where to print.
SERVER, PRINTED = "SDCWIDGETS_SERVER", "SDCWIDGETS_PRINTED"

#: Seconds between attempts to fork. A process that was killed refuses connections before the system calls it ended,
#: and where others work, it may take long in between.
_PAUSES = [0.01 * 2**turn for turn in range(9)]

#: The socket of the process that kernels are forked from; if it is killed, nobody else unlinks it.
_listener = ""


def available() -> bool:
    """Return whether kernels can be forked here."""
    return sys.platform == "linux" and sockets_fit()


def sockets_fit() -> bool:
    """Return whether the sockets of kernels have a place in the folder of temporary files."""
    return len(os.fsencode(tempfile.gettempdir())) + len(_SOCKET) <= _LONGEST_SOCKET


def register() -> None:
    """Make the way known to Jupyter, and start the process that kernels are forked from."""
    factory = KernelProvisionerFactory.instance()
    entry = f"{ForkedKernel.__module__}:{ForkedKernel.__name__}"
    factory.provisioners[NAME] = EntryPoint(NAME, entry, KernelProvisionerFactory.GROUP_NAME)
    multiprocessing.get_context("forkserver").set_forkserver_preload(_PRELOADED)
    _ensure_running()


def _ensure_running() -> None:
    """Start the process that kernels are forked from, if there is none; what all of them print goes to the log.

    It ends with the thread that starts it, so this should be the main one.
    """
    os.environ[SERVER] = str(os.getpid())
    os.environ[PRINTED] = f"/proc/{os.getpid()}/fd/{logs.printed()}"
    global _listener
    forkserver.ensure_running()
    # A private attribute of Python. Without it, the socket of a fork server that was killed stays until this server
    # ends.
    address = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_address", None) or ""
    if _listener and _listener != address:
        with suppress(OSError):
            os.unlink(_listener)
    _listener = address


def _kernel(arguments: list[str], environment: dict[str, str], directory: str | None) -> None:
    """Be a kernel, in a fork."""
    from sdcwidgets.server.with_server import FORKED_FROM

    folder.end_with(FORKED_FROM)
    # What holds this keeps the process that it was forked from, which must go when the server does.
    # Without this private attribute of Python it ends all the same, since `end_with` watches the server.
    alive = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_alive_fd", None)
    if alive is not None:
        os.close(alive)
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    if directory is not None:
        os.chdir(directory)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.argv = ["sdcwidgets-kernel", *arguments]
    from sdcwidgets.server.kernel import run

    run(arguments, FORKED_FROM)


class _Process:
    """A forked process with the manners of subprocess.Popen, as far as a provisioner asks for them."""

    stdin = stdout = stderr = None

    def __init__(self, *arguments: object) -> None:
        context = multiprocessing.get_context("forkserver")
        self._process = context.Process(target=_kernel, args=arguments, daemon=True)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int:
        self._process.join()
        return self._process.exitcode or 0

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


async def _started(*arguments: object) -> _Process:
    """Return a new fork; where what it was to be forked from has just ended, of the next one."""
    for pause in _PAUSES:
        _ensure_running()
        with suppress(OSError, EOFError):
            return await asyncio.to_thread(_Process, *arguments)
        await asyncio.sleep(pause)
    return await asyncio.to_thread(_Process, *arguments)


class ForkedKernel(LocalProvisioner):
    """Starts a kernel as a fork; all else is as for any kernel of this machine."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Fork, and return how to connect; `cmd` is the program that would be run instead."""
        arguments = cmd[cmd.index("-f") :]
        environment = dict(kwargs.get("env") or os.environ)
        directory = str(kwargs["cwd"]) if kwargs.get("cwd") else None
        process = await _started(arguments, environment, directory)
        self.process = process  # type: ignore[assignment]
        # The fork begins a session of its own with its first line.
        self.pid = self.pgid = process.pid
        return self.connection_info
