"""Named columns of a file of lines, in any format: texts and amounts, each with the line that it stands in."""

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

#: What a point or comma in an amount may separate, where nothing in its column tells.
MARKS = ("ask", "thousands", "decimals")

#: What separates groups of three digits and nothing else.
_BLANKS = re.compile(r"(?<=\d)['’ \u00a0\u2009\u202f](?=\d{3}(?!\d))")
_WRITTEN = re.compile(r"(?P<sign>[+\-−]?)(?P<body>\d[\d.,]*|[.,]\d+)(?P<power>[eE][+\-]?\d+)?")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?P<mark>[.,])\d{3}(?:(?P=mark)\d{3})*")
_OTHER = {".": ",", ",": "."}
_CALLED = {".": "point", ",": "comma"}


@dataclass(frozen=True)
class Columns:
    """The lines of a file below its names.

    Attributes
    ----------
    name : str
        Of the file.
    names : tuple of str
    lines : tuple of (int, list)
        The number of each line that is not blank, from 1, and its cells.
    """

    name: str
    names: tuple[str, ...]
    lines: tuple[tuple[int, Row], ...]

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The number of each line."""
        return tuple(number for number, _ in self.lines)

    def texts(self, name: str) -> list[str]:
        """Return a column as texts, with blanks at their ends off, or raise InputError if there is none."""
        return [label_of(cell).strip() for cell in self._cells(name)]

    def amounts(self, name: str, marks: str = "ask") -> tuple[list[float], tuple[str, ...]]:
        """Return a column as amounts of at least 0, and how they were read; see `amounts`."""
        where = (f"Line {number} of {quoted(self.name)}" for number in self.numbers)
        return amounts(list(zip(where, self._cells(name), strict=True)), name, marks)

    @property
    def trimmed(self) -> int:
        """From how many cells blanks are taken off."""
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
    """Read a file, or its content, with names in its first line; what it is, is found out as of all other files.

    Raises
    ------
    InputError
        If it is none, or a line has more or fewer values than there are names.
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
    """Return amounts that people wrote, and how they were read where a mark may separate two things.

    "1,000" is a thousand where the same column has "1,234.5" or "2,000,000", and one where it has "12,5"; where nothing
    tells, it is asked.

    Parameters
    ----------
    cells : sequence of (str, object)
        Where each cell is, in words, and what stands in it.
    name : str
        Of the column.
    marks : {"ask", "thousands", "decimals"}

    Raises
    ------
    InputError
        If a cell is no amount of at least 0, the column has both marks before decimals, or a mark is not sure.

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
    """Return the mark that some number shows to stand before decimals; "" if none does."""
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
    """Return the mark before decimals where the only one, `sign`, stands before three digits: it is chosen or asked."""
    if marks == "ask":
        either = " or ".join(f"{_read(body, mark):g}" for mark in (_OTHER[sign], sign))
        raise InputError(
            f"{amount} may be {either}. Choose the meaning of the {_CALLED[sign]} (marks: "
            "thousands or decimals)."
        )
    return sign if marks == "decimals" else _OTHER[sign]


def _body(where: str, cell: object, name: str) -> float | str:
    """Return a number, or what is written without blanks between groups of three digits."""
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
    """Return whether points and commas stand where they may: groups of three, then one mark and decimals."""
    for decimal in ".,":
        whole, _, rest = body.partition(decimal) if body.count(decimal) == 1 else (body, "", "")
        other = _OTHER[decimal]
        grouped = rf"[1-9]\d{{0,2}}(?:\{other}\d{{3}})+|\d*"
        if re.fullmatch(grouped, whole) and re.fullmatch(r"\d*", rest):
            return True
    return False


def _decimal(body: str) -> str:
    """Return which mark of a number must stand before decimals; "" if none need to."""
    plain = _plain(body)
    signs: Iterable[str] = [sign for sign in plain if sign in ".,"]
    kinds = list(dict.fromkeys(signs))
    if not kinds:
        return ""
    if len(kinds) == 2:
        return kinds[1]
    if plain.count(kinds[0]) > 1:
        return _OTHER[kinds[0]]  # groups of three, so the other one would stand before decimals
    return "" if _GROUPS.fullmatch(plain) else kinds[0]


def _read(body: str, decimal: str) -> float:
    return float(body.replace("−", "-").replace(_OTHER[decimal], "").replace(decimal, "."))
