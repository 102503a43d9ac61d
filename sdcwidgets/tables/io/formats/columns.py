"""Read named columns of texts and amounts from a file of any format, with the line number of each value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import Row, file_bytes, of
from sdcwidgets.tables.io.layout.cells import label_of

#: Meanings of a point or comma before three digits if no other amount of the column settles it. "ask" raises an error.
MARKS = ("ask", "thousands", "decimals")

#: Blanks and apostrophes that separate groups of three digits.
_BLANKS = re.compile(r"(?<=\d)['’ \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_WRITTEN = re.compile(r"(?P<sign>[+\-−]?)(?P<body>\d[\d.,]*|[.,]\d+)(?P<power>[eE][+\-]?\d+)?")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?P<mark>[.,])\d{3}(?:(?P=mark)\d{3})*")
_OTHER = {".": ",", ",": "."}
_CALLED = {".": "point", ",": "comma"}


@dataclass(frozen=True)
class Columns:
    """The lines of a file below its header row.

    Attributes
    ----------
    name : str
        Name of the file.
    names : tuple of str
        Names of the columns.
    lines : tuple of (int, list)
        The line number, from 1, and the cells of each line that is not blank.
    """

    name: str
    names: tuple[str, ...]
    lines: tuple[tuple[int, Row], ...]

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The line numbers."""
        return tuple(number for number, _ in self.lines)

    def texts(self, name: str) -> list[str]:
        """Return a column as texts without blanks at their ends; raise InputError if there is no such column."""
        return [label_of(cell).strip() for cell in self._cells(name)]

    def amounts(self, name: str, marks: str = "ask") -> tuple[list[float], tuple[str, ...]]:
        """Return a column as amounts of 0 or more, and notes on decimal marks; see the function `amounts`."""
        where = (f"Line {number} of {quoted(self.name)}" for number in self.numbers)
        return amounts(list(zip(where, self._cells(name), strict=True)), name, marks)

    @property
    def trimmed(self) -> int:
        """Number of cells with blanks at their ends."""
        return sum(
            isinstance(cell, str) and cell != cell.strip() for _, cells in self.lines for cell in cells
        )

    def _cells(self, name: str) -> list[object]:
        if name not in self.names:
            raise InputError(
                f"{quoted(self.name)} has no column {quoted(name)}; it has {', '.join(map(quoted, self.names))}."
            )
        position = self.names.index(name)
        return [cells[position] for _, cells in self.lines]


def read_columns(path: str | Path, content: bytes | None = None) -> Columns:
    """Read a file with a header row; its content determines its format.

    Parameters
    ----------
    path : str or Path
    content : bytes, optional
        The content of the file; by default, the file is read.

    Raises
    ------
    InputError
        If the file has no header row with unique names, or a line has more values than the header has names.
    """
    file, content = Path(path).name, file_bytes(path) if content is None else content
    book = of(content).opened(content, quoted(file), None)
    rows = ((number, row) for number, row in enumerate(book.sheet(book.names()[0]).rows, 1) if row)
    _, head = next(rows, (0, []))
    names = tuple(label_of(cell).strip() for cell in head)
    if len(names) == 0 or "" in names or len(set(names)) < len(names):
        raise InputError(
            f"{quoted(file)} has no header row with unique column names. Add a header row above the values."
        )
    lines = []
    for number, row in rows:
        cells = list(row) + [None] * (len(names) - len(row))
        if len(row) > len(names) and any(label_of(cell).strip() for cell in row[len(names) :]):
            raise InputError(
                f"Line {number} of {quoted(file)} has {len(row)} values, but the header has "
                f"{len(names)} names. Put quotes around values that contain a comma."
            )
        lines.append((number, cells[: len(names)]))
    return Columns(file, names, tuple(lines))


def amounts(
    cells: Sequence[tuple[str, object]], name: str, marks: str = "ask"
) -> tuple[list[float], tuple[str, ...]]:
    """Convert texts to amounts, and return a note if a point or comma was ambiguous.

    The text "1,000" is one thousand if another amount of the column is "1,234.5" or "2,000,000", and one if another
    amount is "12,5". If no amount of the column settles the meaning, the parameter `marks` does.

    Parameters
    ----------
    cells : sequence of (str, object)
        The place of each cell, for messages, and its value.
    name : str
        Name of the column.
    marks : {"ask", "thousands", "decimals"}
        Meaning of an ambiguous point or comma; "ask" raises an error.

    Raises
    ------
    InputError
        If a cell is not a number of 0 or more, if the column has both decimal points and decimal commas, or if a mark
        is ambiguous and `marks` is "ask".

    Examples
    --------
    >>> amounts([("", "1,000"), ("", "12,5")], "turnover")
    ([1.0, 12.5], ('"1,000" in "turnover" was read as 1: the comma separates the decimals.',))
    >>> amounts([("", "1,000"), ("", "950.5")], "turnover")[0]
    [1000.0, 950.5]
    """
    bodies = [_body(where, cell, name) for where, cell in cells]
    decimal = _proven(cells, bodies, name)
    values, notes = list[float](), list[str]()
    for (where, cell), body in zip(cells, bodies, strict=True):
        if not isinstance(body, str):
            values.append(body)
            continue
        sign = _GROUPS.fullmatch(_plain(body))
        text, mark = f"{quoted(label_of(cell))} in {quoted(name)}", decimal
        if sign and not mark and _plain(body).count(sign["mark"]) == 1:
            mark = _chosen(body, sign["mark"], marks, f"{where}: {text}")
        values.append(_read(body, mark or "."))
        if sign and not notes:
            role = "separates the decimals" if sign["mark"] == mark else "separates thousands"
            notes.append(f"{text} was read as {values[-1]:g}: the {_CALLED[sign['mark']]} {role}.")
    for (where, cell), value in zip(cells, values, strict=True):
        if not 0 <= value < math.inf:
            raise InputError(
                f"{where} has {quoted(label_of(cell))} as {quoted(name)}; an amount must be 0 or more."
            )
    return values, tuple(notes)


def _proven(cells: Sequence[tuple[str, object]], bodies: Sequence[float | str], name: str) -> str:
    """Return the decimal mark that an unambiguous number of the column proves; "" if there is no such number."""
    proof: dict[str, tuple[str, str]] = {}
    for (where, cell), body in zip(cells, bodies, strict=True):
        mark = _decimal(body) if isinstance(body, str) else ""
        if mark:
            proof.setdefault(mark, (where, label_of(cell)))
    if len(proof) == 2:
        (first, text), (second, other) = proof.values()
        raise InputError(
            f"{first} has {quoted(text)} and {second[0].lower() + second[1:]} has "
            f"{quoted(other)} in {quoted(name)}: both a point and a comma are used as decimal "
            "marks; use only one of them."
        )
    return next(iter(proof), "")


def _chosen(body: str, sign: str, marks: str, amount: str) -> str:
    """Return the decimal mark for an ambiguous amount such as "1,000" according to `marks`, or raise InputError."""
    if marks == "ask":
        either = " or ".join(f"{_read(body, mark):g}" for mark in (_OTHER[sign], sign))
        raise InputError(
            f"{amount} may be {either}. Choose the meaning of the {_CALLED[sign]} (marks: "
            "thousands or decimals)."
        )
    return sign if marks == "decimals" else _OTHER[sign]


def _body(where: str, cell: object, name: str) -> float | str:
    """Return a cell as a number, or as a text without blanks between groups of three digits."""
    if isinstance(cell, int | float) and not isinstance(cell, bool) and not math.isnan(cell):
        return float(cell)
    text = label_of(cell).strip()
    if not text:
        raise InputError(f"{where} has no {quoted(name)}. Write 0 if the amount is zero.")
    body = _BLANKS.sub("", text)
    match = _WRITTEN.fullmatch(body)
    if match is None or not _holds(match["body"]):
        raise InputError(f"{where} has {quoted(text)} as {quoted(name)}, which is not a number.")
    return body


def _plain(body: str) -> str:
    return re.split("[eE]", body.lstrip("+-−"))[0]


def _holds(body: str) -> bool:
    """Return whether points and commas are at valid positions: between groups of three digits, or before decimals."""
    for decimal in ".,":
        whole, _, rest = body.partition(decimal) if body.count(decimal) == 1 else (body, "", "")
        other = _OTHER[decimal]
        grouped = rf"[1-9]\d{{0,2}}(?:\{other}\d{{3}})+|\d*"
        if re.fullmatch(grouped, whole) and re.fullmatch(r"\d*", rest):
            return True
    return False


def _decimal(body: str) -> str:
    """Return the decimal mark that one number proves; "" if the number has no mark or is ambiguous."""
    plain = _plain(body)
    signs: Iterable[str] = [sign for sign in plain if sign in ".,"]
    kinds = list(dict.fromkeys(signs))
    if not kinds:
        return ""
    if len(kinds) == 2:
        return kinds[1]
    if plain.count(kinds[0]) > 1:
        return _OTHER[kinds[0]]  # A mark that occurs twice separates thousands.
    return "" if _GROUPS.fullmatch(plain) else kinds[0]


def _read(body: str, decimal: str) -> float:
    return float(body.replace("−", "-").replace(_OTHER[decimal], "").replace(decimal, "."))
