"""Files of SPSS, Stata and SAS: the names of their variables, and a row for each record."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets.tables.io.formats.base import RIGHT, Format, Row, SheetCells, most_cells, register
from sdcwidgets.tables.io.formats.cube import readable

if TYPE_CHECKING:
    import pandas as pd

#: Functions of pyreadstat, with a noun phrase for their files in messages.
TITLES = {
    "read_sav": "an SPSS file",
    "read_dta": "a Stata file",
    "read_sas7bdat": "a SAS file",
    "read_xport": "a SAS transport file",
}

#: Byte order, file type, and a byte that is always 0; they follow the version number.
_OLD_STATA = (b"\x01\x01\x00", b"\x02\x01\x00")

#: First bytes of every .sas7bdat file.
_SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")


def reader_of(content: bytes) -> str:
    """Return the function of pyreadstat that reads the content, detected from its first bytes; "" for none."""
    if content.startswith((b"$FL2", b"$FL3")):
        return "read_sav"
    if content.startswith(b"<stata_dta>") or (content[:1] in b"lnoqrs" and content[1:4] in _OLD_STATA):
        return "read_dta"
    if content.startswith(_SAS):
        return "read_sas7bdat"
    if content.startswith(b"HEADER RECORD*******"):
        return "read_xport"
    return ""


def labelled_records(content: bytes) -> pd.DataFrame:
    """Return the records of a file; value labels replace the codes, in the order of the codes."""
    import pandas as pd
    import pyreadstat

    read: pd.DataFrame
    read, about = getattr(pyreadstat, reader_of(content))(io.BytesIO(content))
    for name, labels in about.variable_value_labels.items():
        # The labels applied by pyreadstat fail for missing values. A code without a label is kept as a number.
        codes = sorted(read[name].dropna().unique())
        words = {
            code: str(labels.get(code, f"{code:g}" if isinstance(code, float) else code)) for code in codes
        }
        named = read[name].map(words, na_action="ignore").astype(object)
        read[name] = pd.Categorical(named, categories=list(dict.fromkeys(words.values())))
    return read


@register
@dataclass(frozen=True)
class StatisticalFile(Format):
    """The variables of a file of SPSS, Stata or SAS, with value labels in place of codes."""

    content: bytes
    called: str
    limit: int | None = None
    name: ClassVar[str] = "statistical"
    title: ClassVar[str] = "a file of SPSS, Stata or SAS"
    suffixes: ClassVar[tuple[str, ...]] = (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt")

    @classmethod
    def knows(cls, content: bytes) -> bool:
        """Return whether pyreadstat reads files that begin with these bytes."""
        return bool(reader_of(content))

    @classmethod
    def opened(cls, content: bytes, name: str, limit: int | None) -> Self:
        """Return the file in these bytes."""
        need("microdata", "pyreadstat", subject=f"{TITLES[reader_of(content)]}, {name},", alternative=RIGHT)
        return cls(content, name, limit)

    def sheet(self, name: str = "") -> SheetCells:
        """Return the cells."""
        return SheetCells(self._rows(), typed=True)

    def _rows(self) -> Iterator[Row]:
        with readable(TITLES[reader_of(self.content)], self.called):
            frame = labelled_records(self.content)
        most = most_cells(self.limit)
        if frame.size > most:
            raise InputError(f"The file has more than {int(most):,} cells; choose one with fewer.")
        yield [str(name) for name in frame.columns]
        for row in frame.astype(object).itertuples(index=False, name=None):
            yield [_cell(value) for value in row]


def _cell(value: Any) -> Any:
    """Return a value as a cell: None for a missing value, and a whole number without decimals."""
    if value is None or value != value:  # only missing numbers differ from themselves
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, str | int | float) else str(value)
