"""Output of the commands and of the Python code that how-to pages print, made while the documentation is built."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdcwidgets._util.registry import Registry
from sdcwidgets.cli import main

__all__ = ["with_outputs"]

FILES = Path(__file__).parents[1] / "how" / "files"

#: Commands that wait for visitors or write into the home of a person.
NOT_RUN = ("serve", "lessons")

#: Number of lines of an output that are shown.
MOST_LINES = 24

_BLOCK = re.compile(r"```(sh|python)\n(.*?)```\n?", re.DOTALL)


class _EndOfPage(Exception):
    """All code of a page has run."""


@contextmanager
def _folder() -> Iterator[None]:
    """Work in an empty folder that has the example files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for file in FILES.iterdir():
            shutil.copy(file, folder)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def with_outputs(markdown: str) -> str:
    """Return Markdown in which each block of commands or code is followed by what it prints."""
    names: dict[str, object] = {}

    def shown(block: re.Match[str]) -> str:
        printed = _commands(block[2]) if block[1] == "sh" else _code(block[2], names)
        lines = printed.strip("\n").splitlines()
        if not any(lines):
            return block[0]
        if len(lines) > MOST_LINES:
            lines = [*lines[:MOST_LINES], "..."]
        output = "\n".join(line.rstrip()[:160] for line in lines)
        return f'{block[0]}\n```text title="Output"\n{output}\n```\n'

    result = markdown
    # Methods and measures that a page registers are removed again.
    with _folder(), contextlib.suppress(_EndOfPage), Registry.all_or_nothing():
        result = _BLOCK.sub(shown, markdown)
        raise _EndOfPage
    return result


def _commands(block: str) -> str:
    printed = io.StringIO()
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["sdcwidgets"] and words[1] not in NOT_RUN:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
                status = main(words[1:])
            if status:
                raise RuntimeError(f"{line} ends with status {status}:\n{printed.getvalue()}")
    return printed.getvalue()


def _code(block: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(block, "page", "exec", dont_inherit=True), names)
    return printed.getvalue()
