"""PX files of statistical offices (PxWeb): keywords with texts, and values in the order of STUB and HEADING."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.tables.io.formats.base import Format, SheetCells, register
from sdcwidgets.tables.io.formats.cube import Cube, distinct, readable, shape_fits

_BEGINS = re.compile(
    rb"(\xef\xbb\xbf)?\s*(CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGE|CREATION-DATE|MATRIX|TITLE)[\[=(]"
)
_CODEPAGE = re.compile(rb'CODEPAGE="([\w-]{1,20})"')
_KEYWORD = re.compile(r'\s*([A-Z][A-Z0-9-]*)(\[[\w-]+\])?(?:\(((?:"[^"]*"[\s,]*)+)\))?\s*=\s*')
_TEXTS = re.compile(r'"([^"]*)"')
_VALUES = re.compile(r'"[^"]*"|[^\s,;"]+')

#: Keywords with footnotes.
_NOTES = ("NOTE", "NOTEX")


@register
@dataclass(frozen=True)
class PxFile(Format):
    """A PX file; if the file has several languages, the first is read."""

    content: bytes
    called: str
    name: ClassVar[str] = "px"
    title: ClassVar[str] = "a PX file"
    suffixes: ClassVar[tuple[str, ...]] = (".px",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the content begins with a keyword of PX files and contains the keyword DATA."""
        return _BEGINS.match(content) is not None and b"DATA=" in content

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return the code page that the file states."""
        codepage = _CODEPAGE.search(content[:5000])
        return codepage[1].decode() if codepage else ""

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file in these bytes."""
        return cls(content, name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            words, data = self._keywords()
            stub, heading = (
                [name for name in words.get((key, ""), []) if name] for key in ("STUB", "HEADING")
            )
            names = stub + heading
            if not names:
                raise InputError(
                    f"{self.called} has no STUB and no HEADING. A PX file needs at least one of them."
                )
            dimensions, codes_by_axis = [], {}
            for axis in names:
                labels = words.get(("VALUES", axis)) or words[("CODES", axis)]
                codes = words.get(("CODES", axis), labels)
                dimensions.append((axis, distinct(labels, codes)))
                codes_by_axis[axis] = dict(zip(dimensions[-1][1], codes, strict=False))
            symbols = {"." * k: "".join(words.get((f"DATASYMBOL{k}", ""), ["." * k])) for k in range(1, 7)}
            apart = [axis for axis in names if ("TIMEVAL", axis) in words]
            # Without an axis of contents, the file has one kind of figures.
            axes = {axis for axis, _ in dimensions}
            apart += [axis for axis in words.get(("CONTVARIABLE", ""), []) if axis in axes]
            most = 2 * math.prod(len(labels) for _, labels in dimensions) * (1 + len(names))
            texts = [match[0] for match in islice(_VALUES.finditer(data), most)]
            keys = [_keys(words, axis) for axis in stub if ("KEYS", axis) in words]
            there = _with_keys(texts, keys, dimensions, self.called) if keys else dict(enumerate(texts))
            values = {}
            for at, text in there.items():
                value = self._value(text, data)
                values[at] = symbols.get(value, value)
            if not keys:
                shape_fits(len(values), dimensions, self.called)
            unit = " ".join(words.get(("UNITS", ""), []))
            cube = Cube(tuple(dimensions), lambda at: values.get(at, 0), tuple(apart), unit, codes_by_axis)
            above, below = _texts_around(words)
            contents = _contents(words)
            return replace(cube.sheet(), across=len(heading), above=above, below=below, contents=contents)

    def _value(self, text: str, data: str) -> Any:
        """Return a value after DATA, or raise InputError with its line."""
        try:
            return _value(text)
        except ValueError:
            raise self._no_number(text, data) from None

    def _no_number(self, text: str, data: str) -> InputError:
        """Return the error about a value after DATA that is no number, with its line."""
        before = self.content.decode("utf-8-sig", "replace").rstrip().removesuffix(";").removesuffix(data)
        at = next(match.start() for match in _VALUES.finditer(data) if match[0] == text)
        line = before.count("\n") + data.count("\n", 0, at) + 1
        return InputError(
            f"{self.called} has {quoted(text)} in line {line:,}, which is not a number; correct the value."
        )

    def _keywords(self) -> tuple[dict[tuple[str, str], list[str]], str]:
        """Return the texts of each keyword, by keyword and subject such as an axis, and the values after DATA."""
        text = self.content.decode("utf-8-sig", "replace")
        words: dict[tuple[str, str], list[str]] = {}
        translated: dict[tuple[str, str], list[str]] = {}
        at = 0
        while keyword := _KEYWORD.match(text, at):
            if keyword[1] == "DATA":
                return translated | words, text[keyword.end() :].rstrip().removesuffix(";")
            about = _TEXTS.findall(keyword[3] or "")
            start = keyword.end()
            texts, at = _texts(text, start)
            texts = texts or [text[start : at - 1].strip()]
            # Texts without a language are in the language of the file, which may state other languages before.
            (translated if keyword[2] else words).setdefault((keyword[1], about[0] if about else ""), texts)
        raise ValueError(at)


def _texts_around(words: dict[tuple[str, str], list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the title of the file, and its source and footnotes."""
    title, source = (" ".join(words.get((key, ""), [])) for key in ("TITLE", "SOURCE"))
    notes = [" ".join(texts) for (key, _), texts in words.items() if key in _NOTES]
    source = f"Source: {source}" if source else ""
    return tuple(filter(None, [title])), tuple(filter(None, [source, *notes]))


def _contents(words: dict[tuple[str, str], list[str]]) -> tuple[str, ...]:
    """Return the unit of the values if there is one, and their contents, or else the title of the file."""
    units = {" ".join(texts) for (key, _), texts in words.items() if key == "UNITS"}
    title = words.get(("CONTENTS", "")) or words.get(("TITLE", ""), [])
    return tuple(filter(None, [*(units if len(units) == 1 else ()), " ".join(title)]))


def _texts(text: str, at: int) -> tuple[list[str], int]:
    """Return the quoted texts up to a semicolon and the position after it; texts without a comma are joined."""
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


def _keys(words: dict[tuple[str, str], list[str]], name: str) -> list[str]:
    """Return the keys of the rows of a dimension, which are its codes or its labels."""
    kind = "CODES" if words["KEYS", name] == ["CODES"] else "VALUES"
    return words.get((kind, name)) or words["VALUES", name]


def _with_keys(
    texts: Sequence[str],
    keys: Sequence[Sequence[str]],
    dimensions: Sequence[tuple[str, tuple[str, ...]]],
    called: str,
) -> dict[int, str]:
    """Return the values by position for a file with keys before each row; rows of zeros are not in the file."""
    rows = math.prod(map(len, keys))
    wide = math.prod(len(labels) for _, labels in dimensions) // max(rows, 1)
    many = len(keys) + wide
    if len(texts) % many or math.prod(len(labels) for _, labels in dimensions[: len(keys)]) != rows:
        raise InputError(f"{called} has rows whose number of keys differs from its STUB and HEADING.")
    values: dict[int, str] = {}
    for start in range(0, len(texts), many):
        at = 0
        for known, text in zip(keys, texts[start:], strict=False):
            at = at * len(known) + known.index(text.strip('"'))
        values |= dict(enumerate(texts[start + len(keys) : start + many], at * wide))
    return values


def _value(text: str) -> Any:
    """Convert a value to a number, or return the text that replaces a missing number, without quotes."""
    return float(text) if text[0] not in '".-' or text[1:2].isdigit() else text.strip('"')
