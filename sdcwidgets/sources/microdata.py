"""Files of records: CSV, Parquet, Stata and SPSS in, `Microdata` out, with what was decided on the way."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sdcwidgets.errors import InputError
from sdcwidgets.formats.base import file_bytes
from sdcwidgets.formats.delimited import DelimitedText
from sdcwidgets.formats.layout.doubts import holds_no_counts
from sdcwidgets.formats.layout.row_labels import marks_in_words
from sdcwidgets.formats.layout.weights import usual_weight
from sdcwidgets.labels import quoted
from sdcwidgets.microdata import Microdata
from sdcwidgets.sources.no_value import doubts, texts_of

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

__all__ = [
    "MOST_RECORDS",
    "MicrodataReading",
    "read_microdata",
    "read_microdata_bytes",
    "read_records",
]

#: The most records that a dashboard takes, and the most variables of a file.
MOST_RECORDS, MOST_VARIABLES = 2_000_000, 2_000

#: What the household is often called; a variable of such a name is taken for it and told.
_HOUSEHOLDS = ("household", "household id", "household_id", "hid", "db030")

#: What each optional package reads.
_READERS = {"pyarrow": "Parquet", "pyreadstat": "Stata (.dta) or SPSS (.sav)"}


class NotRead(InputError):
    """A format whose reader isn't installed where this runs: a visitor of a page can't install it."""


@dataclass(frozen=True)
class MicrodataReading:
    """Records that were read, and what a person should know of how: one sentence a note."""

    file: Microdata
    notes: tuple[str, ...] = ()


def read_microdata(
    source: str | PathLike[str],
    *,
    weight: str | None = None,
    household: str | None = None,
    limit: int | None = None,
) -> MicrodataReading:
    """Read the file at a path; see `read_microdata_bytes`."""
    name, content = Path(source).name, file_bytes(source)
    try:
        return read_microdata_bytes(name, content, weight=weight, household=household, limit=limit)
    except NotRead as error:  # whoever names a path can install what reads it
        raise InputError(f"{str(error)[:-1]}, or install sdcwidgets[microdata].") from None


def _check_variables(name: str, number: int) -> None:
    """Refuse more variables than there are in any census."""
    if number > MOST_VARIABLES:
        raise InputError(f"{quoted(name)} has {number:,} variables; at most {MOST_VARIABLES:,} fit here.")


def _right() -> str:
    """Say what is read where this runs."""
    read = ["CSV text", *(what for module, what in _READERS.items() if find_spec(module))]
    return f"load records as {', '.join(read)}"


def read_microdata_bytes(
    name: str,
    content: bytes,
    *,
    weight: str | None = None,
    household: str | None = None,
    limit: int | None = MOST_RECORDS,
) -> MicrodataReading:
    r"""Read an uploaded file of records; its content decides what it is.

    Parameters
    ----------
    name : str
        The name of the file, for sentences.
    content : bytes
        CSV text with names in its first line, Parquet, Stata or SPSS.
    weight, household : str, optional
        The variables of the sampling weight and of the household. If not given, one with a usual name is taken and
        a note says so.
    limit : int or None
        The most records.

    Raises
    ------
    InputError
        If the content is none of these or is damaged, has too many records, or a weight is below 1.

    Examples
    --------
    >>> reading = read_microdata_bytes("a.csv", b"sex,age,weight\nm,30,12\nw,,15\n")
    >>> reading.file.weight, reading.notes
    ('weight', ('"weight" is taken for the sampling weight.', '"age" is missing in 1 of 2 records.'))
    """
    content = bytes(content)
    what, read = _kind(content)
    notes: list[str] = []
    try:
        frame = read(name, content, notes)
        _check_variables(name, len(frame.columns))
        frame, marks = _without_marks(frame, notes)
    except InputError:
        raise
    except ImportError:
        raise NotRead(f"{quoted(name)} is {what}, which is not read here; {_right()}.") from None
    except Exception:  # a damaged file fails inside its reader in many ways
        raise InputError(
            f"{quoted(name)} begins like {what} but cannot be read, it may be damaged; {_right()}."
        ) from None
    if limit is not None and len(frame) > limit:
        raise InputError(f"{quoted(name)} has {len(frame):,} records; at most {limit:,} fit here.")
    names = {str(column).strip().lower(): str(column) for column in frame.columns}
    if weight is None and (found := usual_weight(names.values())) is not None:
        weight = found
        notes.append(f"{quoted(found)} is taken for the sampling weight.")
    if (
        household is None
        and (found := next((names[one] for one in _HOUSEHOLDS if one in names), None)) is not None
    ):
        household = found
        notes.append(f"{quoted(found)} is taken for the number of the household.")
    file = Microdata.from_frame(frame, weight=weight, household=household)
    notes += [
        f"{quoted(one.name)} is missing in {one.missing:,} of {file.records:,} records"
        f"{marks_in_words(marks.get(one.name, set()))}"
        f"{': each of them counts as a household of its own' if one.name == household else ''}."
        for one in file.variables.values()
        if one.missing
    ]
    if counts := _counts(frame, {weight, household}):
        notes.append(
            f"Each row is there once, and one person: if {quoted(counts)} holds counts, this is a table, which Explore "
            "reads."
        )
    return MicrodataReading(file, tuple(notes))


def _without_marks(frame: pd.DataFrame, notes: list[str]) -> tuple[pd.DataFrame, dict[str, set[str]]]:
    """Return the records with blanks off and nothing where a mark stands for no value, and the marks of each column.

    A column that is left with numbers is one of numbers.
    """
    decimal = frame.attrs.get("decimal", ".")
    frame = frame.rename(columns=lambda name: str(name).strip())
    if frame.columns.duplicated().any():
        return frame, {}  # told where names are checked
    found = {name: one for name in frame.columns if (one := texts_of(frame[name])) is not None}
    for name, one in found.items():
        if one.gone or one.blanks:
            frame[name] = _numbers_or_texts(one.texts, one.gone, decimal).reindex(one.codes).to_numpy()
    notes += doubts(found)
    return frame, {name: one.marks for name, one in found.items() if one.gone}


def _numbers_or_texts(texts: list[str], gone: set[str], decimal: str) -> pd.Series:
    """Return the values of a column without those that stand for none, as numbers where all are."""
    import pandas as pd

    kept = pd.Series([None if text in gone else text for text in texts], dtype=object)
    try:
        return pd.to_numeric(kept.str.replace(decimal, ".", regex=False) if len(gone) < len(texts) else kept)
    except (ValueError, TypeError):
        return kept


def _counts(frame: pd.DataFrame, apart: set[str | None]) -> str | None:
    """Return the only column of whole numbers, if the others are labels of which no two rows have the same."""
    from pandas.api.types import is_integer_dtype, is_numeric_dtype

    numbers = [
        str(name) for name in frame.columns if is_numeric_dtype(frame[name]) and str(name) not in apart
    ]
    labels = [name for name in frame.columns if not is_numeric_dtype(frame[name])]
    if len(numbers) != 1 or not labels or len(frame) < 2 or frame.duplicated(labels).any():
        return None
    (name,) = numbers
    return name if is_integer_dtype(frame[name]) and not holds_no_counts(name) else None


Reader = Callable[[str, bytes, list[str]], "pd.DataFrame"]


def _kind(content: bytes) -> tuple[str, Reader]:
    """Return what the content is, by how it begins, and what reads it."""
    if content.startswith(b"PAR1"):
        return "a Parquet file", _parquet
    if content.startswith((b"$FL2", b"$FL3")):
        return "an SPSS file", _spss
    if content.startswith(b"<stata_dta>") or (content[:1] in b"lnoqrs" and content[1:4] in _OLD_STATA):
        return "a Stata file", _stata
    return "CSV text", _csv


# Byte order, file type and a byte that is always 0, after the number of the version.
_OLD_STATA = (b"\x01\x01\x00", b"\x02\x01\x00")


def _parquet(_: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    from pyarrow import BufferReader, parquet

    frame: pd.DataFrame = parquet.read_table(BufferReader(content)).to_pandas()
    return frame


def _spss(_: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    return _readstat("read_sav", content)


def _stata(_: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    return _readstat("read_dta", content)


def _readstat(reader: str, content: bytes) -> pd.DataFrame:
    """Read with value labels in the place of codes, in the order of the codes."""
    import pandas as pd
    import pyreadstat

    read: pd.DataFrame
    read, told = getattr(pyreadstat, reader)(io.BytesIO(content))
    for name, labels in told.variable_value_labels.items():
        # The reader's own labels fail where a value is missing; a code without a label keeps its number.
        codes = sorted(read[name].dropna().unique())
        words = {
            code: str(labels.get(code, f"{code:g}" if isinstance(code, float) else code)) for code in codes
        }
        named = read[name].map(words, na_action="ignore").astype(object)
        read[name] = pd.Categorical(named, categories=list(dict.fromkeys(words.values())))
    return read


def read_records(source: str | PathLike[str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read the records of a CSV file as the texts that stand in it, an empty one as missing, and what was noticed."""
    notes: list[str] = []
    frame = _csv(Path(source).name, file_bytes(source), notes, dtype=str)
    return frame, tuple(notes)


def _csv(name: str, content: bytes, notes: list[str], **how: Any) -> pd.DataFrame:
    import pandas as pd

    try:
        found = DelimitedText(content, quoted(name))
    except InputError as error:
        raise InputError(str(error).rpartition(";")[0] + f"; {_right()}.") from None
    if found.is_guessed:
        notes.append("The text is not UTF-8; it was read as Latin-1, so look whether its letters are right.")
    text, mark = content.decode(found.encoding).removeprefix("\ufeff"), found.mark
    _check_variables(name, text[: text.find("\n")].count(mark) + 1)
    if "\n" not in text.strip():
        raise InputError(
            f"{quoted(name)} has one line; a file has names in the first line and a record in each below."
        )
    decimal = "," if mark != "," and _decimal_commas(text, mark) else "."
    try:
        frame: pd.DataFrame = pd.read_csv(
            io.StringIO(text),
            sep=mark,
            decimal=decimal,
            skipinitialspace=True,
            low_memory=False,
            keep_default_na=False,
            na_values=[""],
            **how,
        )
    except pd.errors.ParserError as error:
        line = str(error).rpartition("line ")[2].partition(",")[0]
        where = f"line {line}" if line.isdigit() else "a line"
        raise InputError(
            f"{quoted(name)}, {where} has more values than there are names; each record has one for each name."
        ) from None
    if any(str(column).startswith("Unnamed: ") for column in frame.columns):
        place = next(k for k, column in enumerate(frame.columns) if str(column).startswith("Unnamed: "))
        raise InputError(
            f"Column {place + 1} of {quoted(name)} has no name; give each column one in the first line."
        )
    frame.attrs["decimal"] = decimal
    return frame


def _decimal_commas(text: str, mark: str) -> bool:
    """Return whether numbers in the first lines have a comma where others have a point."""
    import re

    cells = [cell.strip() for line in text.splitlines()[1:200] for cell in line.split(mark)]
    return any(re.fullmatch(r"-?\d+,\d+", cell) for cell in cells) and not any(
        re.fullmatch(r"-?\d+\.\d+", cell) for cell in cells
    )
