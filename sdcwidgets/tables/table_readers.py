"""How a table is made of a file, a frame or records: what may be said, and who does it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from sdcwidgets.tables.table import FrequencyTable


class ReadingWays(TypedDict, total=False):
    """What a file does not say: the fields of `sources.How`, and whether totals are looked for, or their label."""

    totals: bool | str
    by: str | Sequence[str]
    count: str
    weight: str
    only: str | Sequence[str]
    missing: str
    first_line: str
    margins: str
    flags: str
    empty: str
    marks: str


_USUAL: ReadingWays = {"totals": True, "by": (), "count": "", "weight": "", "only": (), "missing": ""}
_USUAL |= {"first_line": "ask", "margins": "ask", "flags": "ask", "empty": "ask", "marks": "ask"}

_Reader = TypeVar("_Reader", bound=Callable[..., "FrequencyTable"])


def _with_ways(reader: _Reader) -> _Reader:
    """Name the ways of reading one by one in what a notebook shows of a reader."""
    (*own, _), kind = inspect.signature(reader).parameters.values(), inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(name, kind, default=usual) for name, usual in _USUAL.items()]
    reader.__signature__ = inspect.Signature([*own, *named])  # type: ignore[attr-defined]
    return reader


class Readers:
    """The part of `FrequencyTable` that reads."""

    @classmethod
    @_with_ways
    def from_frame(cls, frame: pd.DataFrame, **ways: Unpack[ReadingWays]) -> FrequencyTable:
        """Make a table of a DataFrame: index and columns are the axes. See `from_csv`, `sources.read_frame`."""
        return _reader("frame")(frame, **ways)

    @classmethod
    @_with_ways
    def from_csv(cls, source: str | bytes | PathLike[str], **ways: Unpack[ReadingWays]) -> FrequencyTable:
        r"""Make a table of CSV text, or of the file at a path. See `sources.read_csv`.

        What was decided, such as totals that are left out, is logged as a warning.

        Parameters
        ----------
        source : str, bytes or path
        totals : bool or str
            Whether totals are looked for, or their label.
        by, count, weight, only, missing, first_line, margins, flags, empty, marks
            What the file does not say: the fields of `sources.How`, such as the columns of a long table to count
            `by` and the one that holds the `count`.

        Examples
        --------
        >>> from sdcwidgets.tables.table import FrequencyTable
        >>> FrequencyTable.from_csv("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
        FrequencyTable(Area: 2, Column: 2; total 501)
        >>> long = "Area,Sex,Persons\nArea 1,Male,161\nArea 1,Female,141\nArea 2,Male,105\nArea 2,Female,94\n"
        >>> FrequencyTable.from_csv(long, by="Area", count="Persons").counts
        array([302, 199])
        """
        return _reader("csv")(source, **ways)

    @classmethod
    @_with_ways
    def from_excel(
        cls, source: str | bytes | PathLike[str], sheet: str | None = None, **ways: Unpack[ReadingWays]
    ) -> FrequencyTable:
        """Make a table of a sheet of an .xlsx workbook, by default the first with one. See `from_csv`."""
        return _reader("excel")(source, sheet, **ways)

    @classmethod
    def from_records(
        cls,
        records: pd.DataFrame | Sequence[Mapping[str, object]],
        columns: Sequence[str],
        *,
        missing: str | None = None,
    ) -> FrequencyTable:
        """Count records, one row a person, by the chosen columns. See `sources.tabulate`.

        `missing` names the category of missing values; without it a missing value is an InputError.
        """
        return _reader("records")(records, columns, missing=missing)


#: What makes tables of files, frames and records. A table knows no files, so `sources` puts its readers here.
_READERS: dict[str, Callable[..., FrequencyTable]] = {}


def made_by(kind: str) -> Callable[[_Reader], _Reader]:
    """Make a function the one that `FrequencyTable.from_<kind>` calls; a decorator."""

    def keep(reader: _Reader) -> _Reader:
        _READERS[kind] = reader
        return reader

    return keep


def _reader(kind: str) -> Callable[..., FrequencyTable]:
    if kind not in _READERS:
        import_module("sdcwidgets.tables.io.sources")
    return _READERS[kind]
