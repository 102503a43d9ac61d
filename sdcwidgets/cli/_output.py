"""Output files of a command: options, checks before any work, and the report of a dry run."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli._parser import Parser

#: Reason why commands for microdata have no option --report.
NO_PUBLIC_REPORT = "the report on microdata is internal, so its option is --internal-report"


def add_output(parser: Parser, about: str, *, required: bool = False) -> None:
    """Add `--output`, `--force` and `--dry-run`.

    Parameters
    ----------
    parser : Parser
    about : str
        Help of `--output`.
    required : bool
        Whether the command writes nothing without `--output`.
    """
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, required=required, help=about)
    add_force(
        parser,
        "overwrite existing files; do not publish two protected versions of the same data, because averaging removes "
        "the noise",
    )
    add_dry_run(parser)


def add_dry_run(parser: Parser) -> None:
    """Add `--dry-run`."""
    parser.add_argument(
        "-n",
        "--dry-run",
        action="store_true",
        help="compute the result without writing it, list the files that would be written, and end with the same exit "
        "status",
    )


def add_force(parser: Parser, about: str) -> None:
    """Add `--force` with a help."""
    parser.add_argument("-f", "--force", action="store_true", help=about)


def check_outputs(
    paths: Iterable[Path | None], inputs: Sequence[str | Path], *, force: bool, folder: Path | None = None
) -> None:
    """Check, before any work, that all output files can be written and that no file is lost.

    Parameters
    ----------
    paths : iterable of path or None
        Output files; None for an output that the command line does not name.
    inputs : sequence of str or path
        Files that are read.
    force : bool
        Whether existing output files may be overwritten.
    folder : path, optional
        Folder that the command creates if it does not exist.

    Raises
    ------
    InputError
        If an output is an input, a folder, in a folder that does not exist, named twice, or exists without `force`.
    """
    seen: set[Path] = set()
    for path in paths:
        if path is None:
            continue
        if any(_same(path, file) for file in inputs):
            raise InputError(f"{path} is the input file and is not overwritten; name another output file.")
        if path.resolve() in seen:
            raise InputError(f"{path} is named for two outputs; name a different file for each.")
        seen.add(path.resolve())
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a file in it.")
        parent = path.parent.parent if path.parent == folder and not path.parent.exists() else path.parent
        if not parent.is_dir():
            raise InputError(
                f"{path} cannot be written: no such file or directory; name a file in an existing folder."
            )
        checked = path if path.exists() else parent
        if checked.exists() and not os.access(checked, os.W_OK):
            raise InputError(
                f"{path} cannot be written: permission denied; name a file in a folder in which you may write."
            )
        if path.is_file() and not force:
            raise InputError(f"{path} exists; name another output file, or overwrite it with --force.")


def _same(path: Path, file: str | Path) -> bool:
    """Return whether an output is an input, also by another name."""
    if str(file) == "-":
        return False
    try:
        return path.samefile(file)
    except (OSError, ValueError):
        return path.resolve() == Path(file).resolve()


class QuietStream(io.StringIO):
    """Stream in place of stderr with `--quiet`.

    Attributes
    ----------
    stream : text stream
        Stream for what is printed in any case.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream = stream


def print_always(*lines: str) -> None:
    """Print lines on stderr, also with `--quiet`, for example the reasons why the rules block a release."""
    stream = sys.stderr.stream if isinstance(sys.stderr, QuietStream) else sys.stderr
    for line in lines:
        print(line, file=stream)


def print_written(*paths: Path | None) -> None:
    """Print the names of the files that were written on stderr."""
    for path in paths:
        if path is not None:
            print(f"Written: {path}", file=sys.stderr)


def print_dry_run(
    actions: Sequence[str], paths: Iterable[Path | None], otherwise: str = "", *, status: int = 0
) -> int:
    """Print the steps and the files of a command that has computed its result but writes nothing.

    Parameters
    ----------
    actions : sequence of str
        One sentence for each step.
    paths : iterable of path or None
        Files that would be written.
    otherwise : str
        Sentence for a command that would write no file.
    status : int
        Exit status of the command without `--dry-run`.

    Returns
    -------
    int
        The exit status.
    """
    names = [str(path) for path in paths if path is not None]
    written = f"Without --dry-run, the command would write {', '.join(names)}." if names else otherwise
    outcome = "the command would succeed" if status == 0 else f"the exit status would be {status}"
    print(f"Dry run: {outcome}, and no file is written.", *filter(None, [*actions, written]), sep="\n")
    return status
