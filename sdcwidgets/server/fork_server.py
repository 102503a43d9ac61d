"""Start kernels by forking a process that has imported everything.

Forked kernels share the memory of that process and start at once. Python's fork server does the work; this
module lets it start Jupyter kernels. On systems other than Linux, forking a process with system libraries is
unsafe, so kernels start as programs there.
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

from sdcwidgets.server import logs, temporary_folder

#: Name of the provisioner in a kernel specification.
NAME = "sdcwidgets-forked"

#: Maximum length of the path of a Unix socket in bytes, and an example of its last part.
_LONGEST_SOCKET, _SOCKET = 107, "/12345678-ipc-99999"

#: Modules that the fork server imports. `with_server` is the first, so that the process ends with its server
#: even during the slow imports.
_PRELOADED = ["sdcwidgets.server.with_server", "sdcwidgets.server.preload", "sdcwidgets.server.fork_server"]

#: Environment variables with the process id of the server and the path of its log pipe.
SERVER, PRINTED = "SDCWIDGETS_SERVER", "SDCWIDGETS_PRINTED"

#: Seconds between attempts to fork. A killed fork server refuses connections before the system reports its
#: end, which may take long on a busy machine.
_PAUSES = [0.01 * 2**turn for turn in range(9)]


def available() -> bool:
    """Return whether kernels can be forked on this system."""
    return sys.platform == "linux" and sockets_fit()


def sockets_fit() -> bool:
    """Return whether the paths of kernel sockets fit into the limit of the system."""
    return len(os.fsencode(tempfile.gettempdir())) + len(_SOCKET) <= _LONGEST_SOCKET


def register() -> None:
    """Register the provisioner with Jupyter and start the fork server."""
    factory = KernelProvisionerFactory.instance()
    entry = f"{ForkedKernel.__module__}:{ForkedKernel.__name__}"
    factory.provisioners[NAME] = EntryPoint(NAME, entry, KernelProvisionerFactory.GROUP_NAME)
    multiprocessing.get_context("forkserver").set_forkserver_preload(_PRELOADED)
    _ensure_running()


def _ensure_running() -> None:
    """Start the fork server if it is not running, and redirect its output to the log.

    The fork server ends with the thread that starts it, so the main thread should call this function.
    """
    os.environ[SERVER] = str(os.getpid())
    os.environ[PRINTED] = f"/proc/{os.getpid()}/fd/{logs.printed()}"
    forkserver.ensure_running()


def _kernel(arguments: list[str], environment: dict[str, str], directory: str | None) -> None:
    """Run a kernel in a forked process."""
    from sdcwidgets.server.with_server import FORKED_FROM

    temporary_folder.end_with(FORKED_FROM)
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
    """A forked process with the part of the interface of Popen that provisioners use."""

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
    """Return a new forked process; retry if the fork server has just ended."""
    for pause in _PAUSES:
        _ensure_running()
        with suppress(OSError, EOFError):
            return await asyncio.to_thread(_Process, *arguments)
        await asyncio.sleep(pause)
    return await asyncio.to_thread(_Process, *arguments)


class ForkedKernel(LocalProvisioner):
    """Jupyter provisioner that starts a kernel as a fork."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Fork a kernel and return its connection data.

        `cmd` is the command that would start the kernel as a program; only its arguments are used.
        """
        arguments = cmd[cmd.index("-f") :]
        environment = dict(kwargs.get("env") or os.environ)
        directory = str(kwargs["cwd"]) if kwargs.get("cwd") else None
        process = await _started(arguments, environment, directory)
        self.process = process  # type: ignore[assignment]
        # The fork calls setsid() first, so its process id is also its group id.
        self.pid = self.pgid = process.pid
        return self.connection_info
