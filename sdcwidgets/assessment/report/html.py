"""A report as one self-contained HTML file without scripts, for screen and paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import TYPE_CHECKING

from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.files import put
from sdcwidgets._util.publication import FIRST_LINE, check_internal
from sdcwidgets.assessment.report.report import Report

if TYPE_CHECKING:
    from jinja2 import Template


@cache
def template(name: str, *rooms: str) -> Template:
    """Return a template of the report, or of other packages that include parts of it."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    # Labels and course files are untrusted data, so everything inserted into the page is escaped.
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(room) for room in (*rooms, "sdcwidgets.assessment.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def html(report: Report) -> str:
    """Return the HTML of a report.

    Raises
    ------
    InputError
        If the report is internal and has no original table.

    Examples
    --------
    >>> from sdcwidgets.tables import examples
    >>> from sdcwidgets import methods
    >>> table = examples.load("religion")
    >>> page = html(Report(methods.get("conventional-rounding")().release(table, 1), title="<b>Religion</b>"))
    >>> "<b>" in page, "script" in page, page.count("<h1>")
    (False, False, 1)
    """
    if report.internal and report.table is None:
        raise InputError("An internal report needs the original counts; pass the table as well.")
    return template("report.html").render(report=report, verdict=report.verdict, first_line=FIRST_LINE)


@dataclass(frozen=True)
class Notes:
    """Internal report on protected microdata: parts with a heading each; the last part is code."""

    title: str
    text: str
    internal = True

    @property
    def parts(self) -> list[tuple[str, list[str]]]:
        r"""Headings with their lines; the first part has an empty heading.

        Examples
        --------
        >>> Notes("File", "2 records.\n\nWhat was done\nNothing.").parts
        [('', ['2 records.']), ('What was done', ['Nothing.'])]
        """
        first, *others = self.text.strip().split("\n\n")
        parts = [note.split("\n") for note in others]
        return [("", first.split("\n")), *((heading, lines) for heading, *lines in parts)]


def written(report: Report | Notes) -> str:
    """Return the HTML of a report or of notes.

    Examples
    --------
    >>> "<b>" in written(Notes("<b>File</b>", "2 records."))
    False
    """
    return (
        html(report)
        if isinstance(report, Report)
        else template("notes.html").render(notes=report, first_line=FIRST_LINE)
    )


def write(report: Report, path: str | PathLike[str]) -> None:
    """Write a report to an HTML file.

    Raises
    ------
    InputError
        If the file cannot be written or its name does not end in .html, or the report is internal and the name
        does not contain "internal".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sdcwidgets import examples, protect
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "report.html"
    ...     write(Report(protect(examples.load("religion"), "random-rounding")), path)
    ...     path.exists()
    True
    """
    check_kind("report", report, Report, "a Report, such as Report(release)")
    check_kind("path", path, (str, PathLike), "the path of a file that ends in .html")
    if not str(path).lower().endswith((".html", ".htm")):
        raise InputError(f"{path} cannot contain a report; choose a file name that ends in .html.")
    if report.internal:
        check_internal(path)
    put(html(report), path)
