"""Tables of HTML pages, which many programs save under a name that ends in .xls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells, most_cells, register

_BEGINS = re.compile(
    rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]{0,200}>\s*)?<(!doctype html|html|table|head|meta|body)", re.IGNORECASE
)
_CHARSET = re.compile(rb"charset=[\"']?([\w-]{1,20})", re.IGNORECASE)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@register
@dataclass(frozen=True)
class HtmlPage(Format):
    """A page with tables, each of which is a sheet."""

    tables: tuple[list[Row], ...]
    name: ClassVar[str] = "html"
    title: ClassVar[str] = "a web page with a table"
    suffixes: ClassVar[tuple[str, ...]] = (".html", ".htm", ".xls")

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins like an HTML page and contains a tag of a table."""
        start, tags = content[:200].removeprefix(b"\xef\xbb\xbf").lstrip(), content.lower()
        if start.startswith(b"<") and not start.startswith(b"<?") and b"<table" in tags and b"<tr" in tags:
            return True  # a part of a page
        return _BEGINS.match(content) is not None and b"<t" in tags

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return the character set that the head of the page states."""
        charset = _CHARSET.search(content[:2000])
        return charset[1].decode() if charset else ""

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the page in these bytes."""
        text = content.decode("utf-8-sig", "replace")
        parser = _Tables(limit)
        parser.feed(text)
        parser.close()
        if not parser.tables:
            raise InputError(f"{name} is a web page without a table. Load a page with a table.")
        return cls(tuple(parser.tables))

    def names(self) -> tuple[str, ...]:
        """Return names such as "Table 1" for the tables."""
        return ("",) if len(self.tables) == 1 else tuple(f"Table {k}" for k in range(1, len(self.tables) + 1))

    def tried(self) -> Iterator[str]:
        """Yield the names of the tables; the table with the most numbers is first, and small summaries are last."""
        if len(self.tables) == 1:
            yield from self.names()
            return
        numbers = {
            name: sum(any(letter.isdigit() for letter in str(cell)) for row in table for cell in row)
            for name, table in zip(self.names(), self.tables, strict=True)
        }
        yield from sorted(numbers, key=lambda name: -numbers[name])

    def sheet(self, name: str) -> SheetCells:
        """Return the cells of a table."""
        if name not in self.names():
            raise InputError(f"The page has no {name!r}; it has Table 1 to {len(self.tables)}.")
        return SheetCells(list(self.tables[self.names().index(name)]))


class _Tables(HTMLParser):
    """Parser of the cells of all tables.

    The text of a cell that spans several columns or rows is in its first column and row, as in a spreadsheet.
    """

    def __init__(self, limit: int | None) -> None:
        super().__init__()
        self.tables: list[list[Row]] = []
        self._most, self._cells = most_cells(limit), 0
        self._below: dict[int, int] = {}
        self._span = (1, 1)
        self._text: list[str] | None = None
        self._is_raised = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br" and self._text is not None:
            self._text.append(" ")
        self._is_raised = tag == "sup" or (self._is_raised and tag not in ("td", "th"))
        if tag in ("table", "tr", "td", "th"):
            self.handle_endtag("td")  # HTML does not require the end tag of a cell.
        if tag == "table":
            self.tables.append([])
            self._below = {}
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
            self._skip()
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            known = dict(attrs)
            self._span = _number(known.get("colspan")), _number(known.get("rowspan"))
            self._text = []

    def handle_endtag(self, tag: str) -> None:
        self._is_raised = self._is_raised and tag != "sup"
        if tag not in ("td", "th", "tr", "table") or self._text is None or not self.tables[-1]:
            return
        row, (wide, high) = self.tables[-1][-1], self._span
        self._cells += wide
        if self._cells > self._most:
            raise InputError(f"There are more than {int(self._most):,} cells; choose a table with fewer.")
        for j in range(len(row), len(row) + wide) if high > 1 else ():
            self._below[j] = high - 1
        text = "".join(self._text)
        indentation = " " * (len(text) - len(text.lstrip("\u00a0")))
        row.append(indentation + " ".join(text.split()))
        row += [""] * (wide - 1)
        self._text = None
        self._skip()

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            # The mark of a footnote must not become a digit of a count.
            self._text.append(data.translate(_RAISED) if self._is_raised else data)

    def _skip(self) -> None:
        """Add blank cells at positions that a cell of a row above spans."""
        row = self.tables[-1][-1]
        while self._below.get(len(row), 0) > 0:
            self._below[len(row)] -= 1
            row.append("")


def _number(text: str | None) -> int:
    return min(int(text), 1_000) if text and text.isdigit() and int(text) > 0 else 1
