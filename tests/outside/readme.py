"""Run the examples of the README with an installed wheel, by `make outside`: `python readme.py REPOSITORY EXTRA`.

The code and the commands run with each extra. `serve` and `all` also start the server and open a page of it.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

#: Extras that contain `sdcwidgets serve`.
WITH_SERVER = ("serve", "all")

#: Number of seconds that a server may need until it answers.
LONGEST_START = 180

PROGRAM = Path(sys.executable).with_name("sdcwidgets")


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def commands(text: str) -> list[list[str]]:
    """Return the words of each command of the program, except those that start a server."""
    lines = "".join(blocks(text, "sh")).splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    return [line for line in words if line[:1] == ["sdcwidgets"] and line[1] != "serve"]


def run_code(text: str) -> None:
    """Run all blocks of Python, which share their names."""
    names: dict[str, object] = {}
    for code in blocks(text, "python"):
        exec(compile(code, "README.md", "exec", dont_inherit=True), names)
    assert {"table", "release", "app"} <= names.keys()


def run_commands(text: str) -> int:
    """Run all commands, and return their number."""
    found = commands(text)
    for words in found:
        done = subprocess.run([str(PROGRAM), *words[1:]], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stderr)
    return len(found)


def open_page() -> None:
    """Start the server and open the page Explore."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([str(PROGRAM), "serve", "--no-browser", "--port", str(port)])
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server)
        page = urllib.request.Request(
            f"http://127.0.0.1:{port}/voila/render/explore.ipynb", headers={"Sec-Fetch-Dest": "document"}
        )
        with urllib.request.urlopen(page, timeout=LONGEST_START) as answer:
            assert "application/vnd.jupyter.widget-view+json" in answer.read().decode()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/docs/index.html", timeout=60) as answer:
            assert answer.status == 200  # the site is in the wheel
    finally:
        server.terminate()
        server.wait(60)


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    end = time.monotonic() + LONGEST_START
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{address} did not answer; the server ended with {server.poll()}.")


def main(repository: str, extra: str) -> None:
    """Run the examples in a folder that has the example files of the how-to pages."""
    text = (Path(repository) / "README.md").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(repository) / "docs/how/files", folder, dirs_exist_ok=True)
        os.chdir(folder)
        run_code(text)
        count = run_commands(text)
        if extra in WITH_SERVER:
            open_page()
        os.chdir(repository)
    print(f"README: Python code, {count} commands{' and a page' if extra in WITH_SERVER else ''}: passed.")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
