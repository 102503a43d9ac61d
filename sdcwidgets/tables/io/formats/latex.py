r"""Tables of LaTeX: `tabular` and similar environments, with `&` between cells and `\\` after rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import Format, Row, Rows, SheetCells, most_cells, register

#: First part of the file in which a table must begin.
_FIRST = 100_000

#: Maximum number of bytes of a file. Reading one million takes about half a second.
_MOST_BYTES = 4_000_000

#: Maximum number of columns of a table.
_MOST_COLUMNS = 50_000

_CLOSING = {"{": "}", "[": "]", "(": ")"}

#: Beginnings of the names of environments with a table.
_ENVIRONMENTS = ("tabular", "longtable", "tabulary", "tblr")


@register
@dataclass(frozen=True)
class LatexTable(Format):
    """A text of LaTeX; each environment `tabular` or `longtable` is a sheet."""

    tables: tuple[Rows, ...]
    name: ClassVar[str] = "latex"
    title: ClassVar[str] = "a LaTeX table"
    suffixes: ClassVar[tuple[str, ...]] = (".tex",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether a table begins in the first part of the content."""
        start = content[:_FIRST]
        return any(b"\\begin{" + name.encode() in start for name in _ENVIRONMENTS)

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return "", because the format does not state its encoding."""
        return ""

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the tables in these bytes."""
        if len(content) > _MOST_BYTES:
            raise InputError(
                f"{name} has {len(content):,} bytes; a LaTeX file can have at most {_MOST_BYTES:,}."
            )
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{name} is a LaTeX table that is not in UTF-8; save it in UTF-8.") from None
        most = most_cells(limit)
        if text.count("&") + text.count("\\\\") > most:
            raise _too_many(most)
        tables = tuple(filter(None, (_rows(body, most) for body in _bodies(text))))
        if not tables:
            raise InputError(f"{name} is LaTeX without rows of a table; load a table.")
        return cls(tables)

    def names(self) -> tuple[str, ...]:
        """Return names such as "Table 1" for the tables."""
        number = len(self.tables)
        return ("",) if number == 1 else tuple(f"Table {k}" for k in range(1, number + 1))

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a table."""
        if name not in self.names():
            raise InputError(f"The file has no {name!r}; it has Table 1 to {len(self.tables)}.")
        return SheetCells([list(row) for row in self.tables[self.names().index(name)]])


def _bodies(text: str) -> Iterator[str]:
    """Yield the text between the begin and the end of each environment with a table."""
    lines = "\n".join(_without_comment(line) for line in text.split("\n"))
    at = 0
    while (begin := lines.find("\\begin{", at)) >= 0:
        name, _, _ = lines[begin + 7 : begin + 40].partition("}")
        at = begin + 7
        end = lines.find(f"\\end{{{name}}}", at)
        if end >= 0 and name.startswith(_ENVIRONMENTS):
            yield lines[at + len(name) + 1 : end]
            at = end


def _without_comment(line: str) -> str:
    """Return a line up to a per cent sign that begins a comment; a backslash before the sign makes it a text."""
    parts = line.split("%")
    for number, part in enumerate(parts[:-1], 1):
        if (len(part) - len(part.rstrip("\\"))) % 2 == 0:
            return "%".join(parts[:number])
    return line


def _rows(body: str, most: float = _MOST_COLUMNS) -> Rows:
    r"""Return the cells of the rows of a table with at most `most` cells.

    Examples
    --------
    >>> _rows(r"{lr} & \multicolumn{2}{c}{Sex} \\ \hline Area & \textbf{m} & f \\ A \& B & 1{,}234 & 5 \\")
    [['', 'Sex', ''], ['Area', 'm', 'f'], ['A & B', '1,234', '5']]
    """
    rows, cells, text = Rows(), 0, _Text(body)
    while text.next_is("[") or text.next_is("{"):
        text.skip_argument()  # arguments of the environment, such as the columns {lrr}
    while not text.at_end:
        row = text.row()
        cells += len(row)
        if cells > most:
            raise _too_many(most)
        if any(row):
            rows.append(row)
    return rows


def _too_many(most: float) -> InputError:
    return InputError(f"There are more than {int(most):,} cells; choose a table with fewer.")


class _Text:
    """Reader of the cells of a table from left to right."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def next_is(self, mark: str) -> bool:
        """Return whether the next character other than a blank is the mark, and skip the blanks before it."""
        at = self._at
        while self._text[at : at + 1].isspace():
            at += 1
        if self._text[at : at + 1] == mark:
            self._at = at
            return True
        return False

    def skip_argument(self) -> str:
        """Go behind an argument in braces, brackets or parentheses, and return its text."""
        opening, start = self._text[self._at], self._at
        closing, depth = _CLOSING[opening], 0
        for at in range(start, len(self._text)):
            depth += (self._text[at] == opening) - (self._text[at] == closing)
            if not depth:
                self._at = at + 1
                return self._text[start + 1 : at]
        self._at = len(self._text)
        return ""

    def row(self) -> Row:
        """Return the cells up to the end of the row."""
        cells: list[list[str]] = [[]]
        blank = 0
        while not self.at_end:
            sign = self._text[self._at]
            if sign == "\\":
                wide, words = self._command()
                if not wide:
                    break
                cells[-1].append(words)
                blank += wide - 1
                continue
            self._at += 1
            if sign == "&":
                cells += [[] for _ in range(blank + 1)]
                blank = 0
            elif sign not in "{}$":
                cells[-1].append(" " if sign == "~" else sign)
            if len(cells) + blank > _MOST_COLUMNS:
                raise _too_many(_MOST_COLUMNS)
        return [" ".join("".join(cell).split()) for cell in cells] + [""] * blank

    def _command(self) -> tuple[int, str]:
        """Go behind a command, and return its number of columns and its text; 0 columns end the row."""
        sign = self._text[self._at + 1 : self._at + 2]
        if not sign.isalpha():
            self._at += 2
            if sign == "\\" and self.next_is("["):
                self.skip_argument()
            return int(sign != "\\"), " " if sign in " ," else sign if sign in "&%_#${}" else ""
        start = self._at = self._at + 1
        while self._text[self._at : self._at + 1].isalpha():
            self._at += 1
        return self._named(self._text[start : self._at])

    def _named(self, name: str) -> tuple[int, str]:
        """Go behind the arguments of a command that are no text, and return its number of columns and its text."""
        if name == "tabularnewline":
            return 0, ""
        while self.next_is("["):
            self.skip_argument()
        if name.startswith("multi"):  # a cell that spans several columns or rows, before its text
            parts = [self.skip_argument() for _ in range(2) if self.next_is("{")]
            is_wide = name == "multicolumn" and parts and parts[0].strip().isdecimal()
            return (max(1, min(int(parts[0]), _MOST_COLUMNS)) if is_wide else 1), ""
        while name.endswith(("rule", "line")) and any(map(self.next_is, "({")):
            self.skip_argument()
        if name.endswith(("color", "space")) and self.next_is("{"):
            self.skip_argument()
        return 1, ""
