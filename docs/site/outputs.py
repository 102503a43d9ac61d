"""Output of the commands and of the Python code that how-to pages print, made while the documentation is built."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from sdcwidgets._util.registry import Registry
from sdcwidgets.cli import main

__all__ = ["with_outputs"]

FILES = Path(__file__).parents[1] / "how" / "files"

#: Commands that wait for visitors or write into the home of a person.
NOT_RUN = ("serve", "lessons")

#: Number of lines of an output that are shown.
MOST_LINES = 24

#: Number of characters of a line of an output; longer sentences are wrapped, and longer rows of tables are cut.
WIDTH = 120

_BLOCK = re.compile(r"```(sh|python)\n(.*?)```\n?", re.DOTALL)


class _EndOfPage(Exception):
    """Raised after all code of a page has run, so that methods and measures of the page are removed."""


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
    """Return Markdown in which each block of commands or code is followed by its output."""
    names: dict[str, object] = {}

    def shown(block: re.Match[str]) -> str:
        printed = _commands(block[2]) if block[1] == "sh" else _code(block[2], names)
        lines = [part for line in printed.strip("\n").splitlines() for part in _fitted(line)]
        if not any(lines):
            return block[0]
        more = len(lines) - MOST_LINES
        if more > 0:
            lines = [*lines[:MOST_LINES], f"… ({more:,} more {'line' if more == 1 else 'lines'})"]
        output = "\n".join(lines)
        return f'{block[0]}\n```text title="Output"\n{output}\n```\n'

    result = markdown
    # Methods and measures that a page registers are removed again.
    with _folder(), contextlib.suppress(_EndOfPage), Registry.all_or_nothing():
        result = _BLOCK.sub(shown, markdown)
        raise _EndOfPage
    return result


def _fitted(line: str) -> list[str]:
    """Return a line as lines of at most `WIDTH` characters; a row of a table ends in "…" if it is longer."""
    line = line.rstrip()
    if len(line) <= WIDTH:
        return [line]
    # Lines of `help` begin with vertical bars.
    text = line.lstrip(" |")
    if "  " in text:
        return [f"{line[: WIDTH - 1].rstrip()}…"]
    indent = line[: len(line) - len(text)]
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


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
    # A frame has the width of a line here, instead of 80 characters.
    wide = pd.option_context("display.width", WIDTH, "display.max_columns", 20, "display.max_colwidth", 70)
    with wide, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(block, "page", "exec", dont_inherit=True), names)
    return printed.getvalue()
