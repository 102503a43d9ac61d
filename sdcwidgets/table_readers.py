"""How a table is made of a file, a frame or records: what may be said, and who does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from sdcwidgets.table import FrequencyTable

__all__ = ["Readers", "made_by"]


class Readers:
    """The part of `FrequencyTable` that reads."""

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        marks: str = "ask",
    ) -> FrequencyTable:
        """Make a table of a DataFrame: index and columns are the axes. See `from_csv`, `sources.read_frame`."""
        return _reader("frame")(
            frame, totals, by, count, weight, only, missing, first_line, margins, flags, marks
        )

    @classmethod
    def from_csv(
        cls,
        source: str | bytes | PathLike[str],
        *,
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        marks: str = "ask",
    ) -> FrequencyTable:
        r"""Make a table of CSV text, or of the file at a path. See `sources.read_csv`.

        What was decided, such as totals that are left out, is logged as a warning.

        Parameters
        ----------
        source : str, bytes or path
        totals : bool or str
            Whether totals are looked for, or their label.
        by, count, weight, only, missing, first_line, margins, flags, marks
            What the file does not say: the fields of `sources.How`, such as the columns of a long table to count
            `by` and the one that holds the `count`.

        Examples
        --------
        >>> from sdcwidgets import FrequencyTable
        >>> FrequencyTable.from_csv("Area;Male;Female;Total\nArea 1;161;141;302\nArea 2;105;94;199\n")
        FrequencyTable(Area: 2, Column: 2; total 501)
        >>> long = "Area,Sex,Persons\nArea 1,Male,161\nArea 1,Female,141\nArea 2,Male,105\nArea 2,Female,94\n"
        >>> FrequencyTable.from_csv(long, by="Area", count="Persons").counts
        array([302, 199])
        """
        return _reader("csv")(
            source, totals, by, count, weight, only, missing, first_line, margins, flags, marks
        )

    @classmethod
    def from_excel(
        cls,
        source: str | bytes | PathLike[str],
        sheet: str | None = None,
        *,
        totals: bool | str = True,
        by: str | Sequence[str] = (),
        count: str = "",
        weight: str = "",
        only: str | Sequence[str] = (),
        missing: str = "",
        first_line: str = "ask",
        margins: str = "ask",
        flags: str = "ask",
        marks: str = "ask",
    ) -> FrequencyTable:
        """Make a table of a sheet of an .xlsx workbook, by default the first with one. See `from_csv`."""
        return _reader("excel")(
            source, sheet, totals, by, count, weight, only, missing, first_line, margins, flags, marks
        )

    @classmethod
    def from_records(
        cls,
        records: pd.DataFrame | Sequence[Mapping[str, Any]],
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

_Reader = TypeVar("_Reader", bound=Callable[..., "FrequencyTable"])


def made_by(kind: str) -> Callable[[_Reader], _Reader]:
    """Make a function the one that `FrequencyTable.from_<kind>` calls; a decorator."""

    def keep(reader: _Reader) -> _Reader:
        _READERS[kind] = reader
        return reader

    return keep


def _reader(kind: str) -> Callable[..., FrequencyTable]:
    if kind not in _READERS:
        import_module("sdcwidgets.sources")
    return _READERS[kind]
