"""Start a server for a test and stop it again."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import psutil


def memory(served: str) -> int:
    """Return the bytes that the server at this address holds."""
    port = urlsplit(served).port
    at_port = (one for one in psutil.net_connections("tcp") if one.laddr and one.laddr.port == port)
    listening = next(one.pid for one in at_port if one.status == psutil.CONN_LISTEN)
    return int(psutil.Process(listening).memory_info().rss)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


#: Where the servers write that serve more than one test, by their addresses.
LOGS: dict[str, Path] = {}


class Log:
    """What a server that serves more than one test writes from now on, which capfd does not see."""

    def __init__(self, served: str) -> None:
        self._file = LOGS[served]
        self._read = self._file.stat().st_size

    def text(self) -> str:
        """Return what was written since."""
        return self._file.read_bytes()[self._read :].decode()


@contextmanager
def logged(command: list[str], url: str, file: Path) -> Iterator[str]:
    """Run a server that writes its log into a file, and give its address."""
    served = "{0.scheme}://{0.netloc}/".format(urlsplit(url))
    with file.open("wb") as log, running(command, url, stderr=log):
        LOGS[served] = file
        yield served


#: A server whose documentation is in the folder that is named.
_WITH_DOCS = """
import sys
from pathlib import Path
from sdcwidgets.cli import main
from sdcwidgets.server import docs
docs.SITE = Path(sys.argv.pop(1) or docs.SITE)
sys.exit(main(sys.argv[1:]))
"""


def serve(port: int, *options: str, docs: Path | str = "") -> list[str]:
    """Return the command of a server, with the documentation in a folder of its own if one is named."""
    command = [sys.executable, "-c", _WITH_DOCS, str(docs), "serve", "--no-browser", "--port", str(port)]
    return [*command, *options]


@contextmanager
def serving_docs(folder: Path, *options: str) -> Iterator[str]:
    """Run a server whose documentation is in this folder, and give its address."""
    port = free_port()
    with running(
        serve(port, *options, docs=folder), f"http://127.0.0.1:{port}/sdcwidgets/static/plotly.min.js"
    ):
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def running(
    command: list[str],
    url: str,
    seconds: float = 180,
    env: dict[str, str] | None = None,
    stderr: IO[bytes] | int | None = None,
    cwd: Path | None = None,
) -> Iterator[str]:
    """Run a server until the block is left; `url` is what answers once it is there, with whatever status."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, env=env, stderr=stderr, cwd=cwd) as process:
        try:
            deadline = time.monotonic() + seconds
            while True:
                try:
                    urllib.request.urlopen(url, timeout=seconds).close()
                    break
                except urllib.error.HTTPError as answer:
                    answer.close()
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() > deadline:
                        raise
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
