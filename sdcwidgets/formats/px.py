"""PX files of statistical offices (PxWeb): keywords with texts, and values in the order of STUB and HEADING."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import Format, SheetCells, register
from sdcwidgets.formats.cube import Cube, distinct, readable, shape_fits

__all__ = ["PxFile"]

_BEGINS = re.compile(
    rb"(\xef\xbb\xbf)?\s*(CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGE|CREATION-DATE|MATRIX|TITLE)[\[=(]"
)
_CODEPAGE = re.compile(rb'CODEPAGE="([\w-]{1,20})"')
_KEYWORD = re.compile(r'\s*([A-Z][A-Z0-9-]*)(?:\[\w+\])?(?:\(((?:"[^"]*"[\s,]*)+)\))?\s*=\s*')
_TEXTS = re.compile(r'"([^"]*)"')
_VALUES = re.compile(r'"[^"]*"|[^\s,;"]+')


@register
@dataclass(frozen=True)
class PxFile(Format):
    """A PX file; of several languages the first is read."""

    content: bytes
    called: str
    name: ClassVar[str] = "px"
    title: ClassVar[str] = "a PX file"
    suffixes: ClassVar[tuple[str, ...]] = (".px",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether a keyword stands at the beginning, and DATA below."""
        return _BEGINS.match(content) is not None and b"DATA=" in content

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file in these bytes."""
        return cls(content, name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            words, data = self._keywords()
            names = words.get(("STUB", ""), []) + words.get(("HEADING", ""), [])
            if not names:
                raise InputError(f"{self.called} names no STUB or HEADING; a PX file needs one.")
            dimensions = []
            for one in names:
                labels = words.get(("VALUES", one)) or words[("CODES", one)]
                dimensions.append((one, distinct(labels, words.get(("CODES", one), labels))))
            symbols = {"." * k: "".join(words.get((f"DATASYMBOL{k}", ""), ["." * k])) for k in range(1, 7)}
            values = [symbols.get(value := _value(text), value) for text in _VALUES.findall(data)]
            shape_fits(len(values), dimensions, self.called)
            apart = [one for one in names if ("TIMEVAL", one) in words]
            apart += words.get(("CONTVARIABLE", ""), [])
            return Cube(tuple(dimensions), values.__getitem__, tuple(apart)).sheet()

    def _keywords(self) -> tuple[dict[tuple[str, str], list[str]], str]:
        """Return the texts of each keyword and of what it is about, and all that stands behind DATA."""
        found = _CODEPAGE.search(self.content[:5000])
        try:
            text = self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = self.content.decode(
                found[1].decode() if found and found[1] != b"utf-8" else "cp1252", "replace"
            )
        words: dict[tuple[str, str], list[str]] = {}
        at = 0
        while keyword := _KEYWORD.match(text, at):
            if keyword[1] == "DATA":
                return words, text[keyword.end() :].rstrip().removesuffix(";")
            about = _TEXTS.findall(keyword[2] or "")
            texts, at = _texts(text, keyword.end())
            words.setdefault((keyword[1], about[0] if about else ""), texts)
        raise ValueError(at)


def _texts(text: str, at: int) -> tuple[list[str], int]:
    """Return the texts up to a semicolon; those without a comma between them are one."""
    texts: list[str] = []
    joined = False
    while text[at] != ";":
        if text[at] == '"':
            end = text.index('"', at + 1)
            part, at = text[at + 1 : end], end + 1
            if joined:
                texts[-1] += part
            else:
                texts.append(part)
            joined = True
            continue
        joined = joined and text[at] != ","
        at += 1
    return texts, at + 1


def _value(text: str) -> Any:
    """Return a number, or the text that stands in place of one."""
    return float(text) if text[0] not in '".-' or text[1:2].isdigit() else text.strip('"')
