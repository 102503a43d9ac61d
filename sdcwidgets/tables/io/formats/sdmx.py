"""SDMX-CSV 1.0 and 2.0, and the TSV files of Eurostat: rows of codes with a value, which may carry a flag."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from sdcwidgets.tables.io.formats.base import Format, Row, SheetCells, register
from sdcwidgets.tables.io.formats.cube import readable, value_beside
from sdcwidgets.tables.io.layout.cells import flag_beside

#: Columns that identify the dataset or the purpose of the file, and are not dimensions.
_ABOUT = ("DATAFLOW", "STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION")

#: Dimensions over which counts must not be summed.
_APART = ("TIME_PERIOD", "TIME", "MEASURE", "INDICATOR", "INDIC", "UNIT", "UNIT_MEASURE", "UNIT_MULT", "FREQ")

_HEAD = re.compile(rb'(\xef\xbb\xbf)?"?(DATAFLOW|STRUCTURE)"?[,;]')
_TSV = re.compile(rb"(\xef\xbb\xbf)?[\w,]{1,2000}\\(TIME_PERIOD|time)\t", re.IGNORECASE)


#: Statuses of the SDMX list CL_OBS_STATUS, with the usual texts in place of a count: suppressed, and missing.
_GAPS = {"Q": "c", "M": "..", "L": "..", "O": ".."}


@register
@dataclass(frozen=True)
class SdmxCsv(Format):
    """SDMX-CSV: dimensions are to the left of the column OBS_VALUE, and attributes to the right."""

    text: str
    called: str
    name: ClassVar[str] = "sdmx-csv"
    title: ClassVar[str] = "SDMX-CSV"
    suffixes: ClassVar[tuple[str, ...]] = (".csv",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether the first column is DATAFLOW or STRUCTURE, and the header contains OBS_VALUE."""
        return _HEAD.match(content) is not None and b"OBS_VALUE" in content.partition(b"\n")[0]

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return "", because the format does not state its encoding."""
        return ""

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the text in these bytes."""
        return cls(content.decode("utf-8-sig", "replace"), name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value."""
        with readable(self.title, self.called):
            mark = (
                ";"
                if self.text.partition("\n")[0].count(";") > self.text.partition("\n")[0].count(",")
                else ","
            )
            rows = csv.reader(io.StringIO(self.text, newline=""), delimiter=mark)
            head = [cell.partition(":")[0].strip() for cell in next(rows)]
            return observations(head, rows)


def observations(head: list[str], rows: Iterator[list[str]], remarks: tuple[str, ...] = ()) -> SheetCells:
    """Return a sheet with one row per value of rows whose columns are in the order of SDMX-CSV."""
    value = head.index("OBS_VALUE")
    by = [j for j in range(value) if head[j] not in _ABOUT]
    names = tuple(head[j] for j in by)
    by += [j for j in range(value, len(head)) if head[j] == "UNIT_MULT"]
    return SheetCells(
        _values(head, rows, by, value),
        by=names,
        count=value_beside(names),
        apart=_apart(tuple(head[j] for j in by)),
        remarks=lambda: remarks,
    )


def _values(head: list[str], rows: Iterator[list[str]], by: list[int], value: int) -> Iterator[Row]:
    yield [*(head[j] for j in by), value_beside([head[j] for j in by])]
    status = head.index("OBS_STATUS") if "OBS_STATUS" in head else None
    for row in rows:
        if not any(row):
            continue
        cells: Row = list(row) + [""] * (len(head) - len(row))
        why = cells[status] if status is not None and cells[status] not in ("", "A") else ".."
        why = _GAPS.get(why, why)
        text = cells[value].strip()
        yield [*(cells[j] for j in by), why if text in ("", "NaN") else text]


@register
@dataclass(frozen=True)
class EurostatTsv(Format):
    """A TSV file of Eurostat: the first column has codes separated by commas, and each other column is a time."""

    text: str
    called: str
    name: ClassVar[str] = "eurostat-tsv"
    title: ClassVar[str] = "Eurostat's TSV"
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    @classmethod
    def knows(cls, content: bytes) -> bool:
        r"""Return whether the first cell ends in \TIME_PERIOD."""
        return _TSV.match(content) is not None

    @classmethod
    def stated_encoding(cls, content: bytes) -> str:
        """Return "", because the format does not state its encoding."""
        return ""

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the text in these bytes."""
        return cls(content.decode("utf-8-sig", "replace"), name)

    def sheet(self, name: str) -> SheetCells:
        """Return a row for each value, without its flag."""
        with readable(self.title, self.called):
            first, *times = self.text.partition("\n")[0].rstrip("\r").split("\t")
            codes, _, time = first.partition("\\")
            names = (*codes.split(","), time)
            flags: set[str] = set()
            return SheetCells(
                self._rows(names, [time.strip() for time in times], flags),
                by=names,
                count=value_beside(names),
                apart=_apart(names),
                remarks=lambda: (
                    (f"Flags next to counts ({', '.join(sorted(flags))}) were removed.",) if flags else ()
                ),
            )

    def _rows(self, names: tuple[str, ...], times: list[str], flags: set[str]) -> Iterator[Row]:
        yield [*names, value_beside(names)]
        for line in self.text.split("\n")[1:]:
            first, *cells = line.rstrip("\r").split("\t")
            for time, cell in zip(times, cells, strict=False):
                value: str = cell.strip()
                flagged = flag_beside(value)
                if flagged:
                    value = flagged[0]
                    flags.add(flagged[1])
                yield [*first.split(","), time, value.partition(" ")[0] if value[:1] == ":" else value or ":"]


def _apart(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name.upper() in _APART)
