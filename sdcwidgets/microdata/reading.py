"""Reading of microdata from CSV, XLSX, Parquet, Stata, SPSS and SAS files and from databases."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.extras import install_command
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.microdata.data import Microdata
from sdcwidgets.microdata.roles import ROLE_TITLES, Roles, guessed, weights_below
from sdcwidgets.tables.io.encodings import NAMES
from sdcwidgets.tables.io.formats.base import file_bytes
from sdcwidgets.tables.io.formats.delimited import DelimitedText
from sdcwidgets.tables.io.formats.old_workbook import OldWorkbook
from sdcwidgets.tables.io.formats.statistical import TITLES, labelled_records, reader_of
from sdcwidgets.tables.io.formats.workbook import Workbook
from sdcwidgets.tables.io.layout.cells import holds_no_counts, label_of
from sdcwidgets.tables.io.layout.records import marks_in_words
from sdcwidgets.tables.io.sources.missing_values import doubts, texts_of

if TYPE_CHECKING:
    import pandas as pd

#: Maximum numbers of records in the interface, and of variables of a file.
MOST_RECORDS, MOST_VARIABLES = 2_000_000, 2_000

#: File formats that need an optional package.
_READERS = {"pyarrow": "Parquet", "pyreadstat": "Stata (.dta), SPSS (.sav) or SAS (.sas7bdat, .xpt)"}


class NotRead(InputError):
    """Error for a format whose reading package is not installed."""


@dataclass(frozen=True)
class MicrodataReading:
    """Microdata that were read, and notes on decisions made while reading."""

    file: Microdata
    notes: tuple[str, ...] = ()


def read_microdata(
    source: str | PathLike[str],
    *,
    weight: str | None = None,
    household: str | None = None,
    limit: int | None = None,
) -> MicrodataReading:
    r"""Read a file, or a database table such as `census.duckdb#people`; see `read_microdata_bytes`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sdcwidgets.microdata import read_microdata
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "people.csv").write_text("sex,age\nm,30\nf,41\nm,30\n")
    ...     read_microdata(Path(folder) / "people.csv").file.records
    3
    """
    if not isinstance(source, str | PathLike):
        raise InputError(
            f"Microdata cannot be read from {type_with_article(source)}; give the path of a file."
        )
    if "#" in str(source) and not Path(source).exists():
        from sdcwidgets.tables.io.sources.database import Database

        database = Database.from_input(str(source))
        return _described(database.title, database.records(limit), [], weight, household, limit)
    name, content = Path(source).name, file_bytes(source)
    try:
        return read_microdata_bytes(name, content, weight=weight, household=household, limit=limit)
    except NotRead as error:  # A user with access to the file system can install the package.
        raise InputError(f"{str(error)[:-1]}, or run {install_command('microdata')}.") from None


def _check_variables(name: str, number: int) -> None:
    """Raise InputError if there are more than `MOST_VARIABLES` variables."""
    if number > MOST_VARIABLES:
        raise InputError(f"{quoted(name)} has {number:,} variables; the maximum is {MOST_VARIABLES:,}.")


def _right() -> str:
    """Return the formats that can be read with the installed packages, as text."""
    read = ["CSV text", "XLSX", *(kind for module, kind in _READERS.items() if find_spec(module))]
    return f"load records as {', '.join(read)}"


def read_microdata_bytes(
    name: str,
    content: bytes,
    *,
    weight: str | None = None,
    household: str | None = None,
    limit: int | None = MOST_RECORDS,
) -> MicrodataReading:
    r"""Read microdata from the bytes of a file; the format is detected from the content.

    Parameters
    ----------
    name : str
        File name for messages.
    content : bytes
        CSV text or a workbook with variable names in the first line, or a Parquet, Stata, SPSS or SAS file.
    weight : str, optional
        Variable with the sampling weight. By default this variable, strata, sensitive variables and variables to be
        excluded are guessed from their names and values; a note lists the guesses.
    household : str, optional
        Variable with the household number; guessed by default.
    limit : int or None
        Maximum number of records; None for no limit.

    Raises
    ------
    InputError
        If the format is unknown or not supported, the file is damaged or has too many records, or a given
        weight is below 1.

    Examples
    --------
    >>> reading = read_microdata_bytes("a.csv", b"sex,age,weight\nm,30,12\nw,,15\n")
    >>> reading.file.weight, reading.notes
    ('weight', ('"weight" is used as the sampling weight.', '"age" is missing in 1 of 2 records.'))
    """
    content = bytes(content)
    kind, read = _kind(content)
    notes: list[str] = []
    try:
        frame = read(name, content, notes)
        _check_variables(name, len(frame.columns))
        frame, marks = _without_marks(frame, notes)
    except InputError:
        raise
    except ImportError:
        raise NotRead(f"{quoted(name)} is {kind}, which this installation cannot read; {_right()}.") from None
    except Exception:  # Readers raise many different errors for damaged files.
        raise InputError(
            f"{quoted(name)} begins like {kind} but cannot be read and may be damaged; {_right()}."
        ) from None
    return _described(name, frame, notes, weight, household, limit, marks)


def _described(
    name: str,
    frame: pd.DataFrame,
    notes: list[str],
    weight: str | None,
    household: str | None,
    limit: int | None,
    marks: Mapping[str, set[str]] = MappingProxyType({}),
) -> MicrodataReading:
    """Return the records with given and guessed roles, and the notes."""
    if limit is not None and len(frame) > limit:
        raise InputError(f"{quoted(name)} has {len(frame):,} records; the maximum is {limit:,}.")
    file = Microdata.from_frame(frame)
    roles = guessed(file.variables)
    if weight is not None:
        roles = roles.with_role(weight, "weight")
    if household is not None:
        roles = roles.with_role(household, "household")
    notes += guesses(roles, {weight, household})
    low = weights_below(file.variables)
    if roles.weight is None and low:
        notes.append(
            f"{quoted(low[0])} is named like a sampling weight but has missing values or values below 1, so "
            f"the variable is not used as a weight. A weight is the number of people that a record represents."
        )
    file, household = file.with_roles(roles), roles.household
    notes += [
        f"{quoted(variable.name)} is missing in {variable.missing:,} of {file.records:,} records"
        f"{marks_in_words(marks.get(variable.name, set()))}"
        f"{'; each of them is treated as a separate household' if variable.name == household else ''}."
        for variable in file.variables.values()
        if variable.missing
    ]
    counts = _counts(frame, {roles.weight, household})
    if counts:
        notes.append(
            f"Each row is read as one person. If {quoted(counts)} contains counts, the file is a table; "
            f"open the file in Explore instead."
        )
    return MicrodataReading(file, tuple(notes))


def guesses(roles: Roles, named: Collection[str | None] = ()) -> list[str]:
    """Return notes on guessed roles; `named` are the weight and household that were given."""
    notes = [
        f"{quoted(name)} is used as the {ROLE_TITLES[role]}."
        for role, name in (("weight", roles.weight), ("household", roles.household))
        if name is not None and name not in named
    ]
    several = [
        (roles.strata, "used as a stratification variable", "used as stratification variables"),
        (roles.sensitive, "treated as sensitive", "treated as sensitive variables"),
        (roles.left_out, "not included in the saved file", "not included in the saved file"),
    ]
    return notes + [
        f"{listed(list(names))} {f'is {single}' if len(names) == 1 else f'are {many}'}."
        for names, single, many in several
        if names
    ]


def _without_marks(frame: pd.DataFrame, notes: list[str]) -> tuple[pd.DataFrame, dict[str, set[str]]]:
    """Return the records without surrounding spaces and marks for missing values, and these marks by column.

    A column whose other values are all numbers becomes numeric.
    """
    decimal = frame.attrs.get("decimal", ".")
    frame = frame.rename(columns=lambda name: str(name).strip())
    if frame.columns.duplicated().any():
        return frame, {}  # Names are checked later, with an error message.
    columns = {}
    for name in frame.columns:
        column = texts_of(frame[name])
        if column is not None:
            columns[name] = column
    for name, texts in columns.items():
        if texts.gone or texts.blanks:
            frame[name] = _numbers_or_texts(texts.texts, texts.gone, decimal).reindex(texts.codes).to_numpy()
    notes += doubts(columns)
    return frame, {name: texts.marks for name, texts in columns.items() if texts.gone}


def _numbers_or_texts(texts: list[str], gone: set[str], decimal: str) -> pd.Series:
    """Return the values of a column with missing values removed; numeric if all others are numbers."""
    import pandas as pd

    data = pd.Series([None if text in gone else text for text in texts], dtype=object)
    try:
        return pd.to_numeric(data.str.replace(decimal, ".", regex=False) if len(gone) < len(texts) else data)
    except (ValueError, TypeError):
        return data


def _counts(frame: pd.DataFrame, apart: set[str | None]) -> str | None:
    """Return the only integer column if the other columns are labels without repeated combinations, else None."""
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
    """Return the format of the content, detected from its first bytes, and its reader."""
    if content.startswith(b"PAR1"):
        return "a Parquet file", _parquet
    if reader_of(content):
        return TITLES[reader_of(content)], _labelled
    if Workbook.knows(content) or OldWorkbook.knows(content):
        return "a workbook", _xlsx
    return "CSV text", _csv


def _parquet(_: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    from pyarrow import BufferReader, parquet

    # Threads of Arrow that still run when Python ends abort the process (apache/arrow#34314), after its results.
    table = parquet.ParquetFile(BufferReader(content), pre_buffer=False).read(use_threads=False)
    frame: pd.DataFrame = table.to_pandas(use_threads=False)
    return frame


def _xlsx(name: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    """Read the first sheet of a workbook, with variable names in the first row and one record per further row."""
    import pandas as pd

    book = OldWorkbook(content) if OldWorkbook.knows(content) else Workbook(content)
    sheet = book.names()[0]
    rows = [row for row in book.rows(sheet) if row]
    if len(rows) < 2:
        raise InputError(
            f"The sheet {quoted(sheet)} of {quoted(name)} has fewer than two rows; put variable names in the first row."
        )
    if len(book.names()) > 1:
        notes.append(
            f"Only the first sheet, {quoted(sheet)}, was read; the workbook has {len(book.names())}."
        )
    width = max(map(len, rows))
    cells = [list(row) + [None] * (width - len(row)) for row in rows]
    unnamed = next((column for column, cell in enumerate(cells[0], 1) if cell is None), None)
    if unnamed is not None:
        raise InputError(f"Column {unnamed} of {quoted(name)} has no name; add one in the first line.")
    return pd.DataFrame(cells[1:], columns=[str(cell) for cell in cells[0]]).infer_objects()


def _labelled(_: str, content: bytes, notes: list[str]) -> pd.DataFrame:
    return labelled_records(content)


def read_records(
    source: str | PathLike[str], content: bytes | None = None
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read records as text from a file of any supported format; empty cells become missing values.

    If `content` is given, it is used instead of reading the file. Notes are returned with the records.
    """
    name, notes = Path(source).name, list[str]()
    content = file_bytes(source) if content is None else content
    kind, read = _kind(content)
    if read is _csv:
        return _csv(name, content, notes, dtype=str), tuple(notes)
    try:
        frame = read(name, content, notes)
    except InputError:
        raise
    except Exception:  # Readers raise many different errors for damaged files.
        raise InputError(f"{quoted(name)} begins like {kind} but cannot be read; {_right()}.") from None
    return frame.astype(object).map(lambda cell: label_of(cell) or None), tuple(notes)


def _csv(name: str, content: bytes, notes: list[str], **how: Any) -> pd.DataFrame:
    import pandas as pd

    try:
        delimited = DelimitedText(content, quoted(name))
    except InputError as error:
        raise InputError(str(error).rpartition(";")[0] + f"; {_right()}.") from None
    if delimited.is_guessed:
        encoding = NAMES[delimited.encoding]
        notes.append(f"The text is not UTF-8 and was read as {encoding}; check its special characters.")
    text, mark = content.decode(delimited.encoding).removeprefix("\ufeff"), delimited.mark
    _check_variables(name, text[: text.find("\n")].count(mark) + 1)
    if "\n" not in text.strip():
        raise InputError(
            f"{quoted(name)} has only one line; it needs variable names in the first line and one record per "
            "further line."
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
            f"{quoted(name)}, {where} has more values than the first line has names; delete the additional values."
        ) from None
    if any(str(column).startswith("Unnamed: ") for column in frame.columns):
        unnamed = next(k for k, column in enumerate(frame.columns) if str(column).startswith("Unnamed: "))
        raise InputError(f"Column {unnamed + 1} of {quoted(name)} has no name; add one in the first line.")
    frame.attrs["decimal"] = decimal
    return frame


def _decimal_commas(text: str, mark: str) -> bool:
    """Return whether numbers in the first lines use a comma and not a point as the decimal mark."""
    import re

    cells = [cell.strip() for line in text.splitlines()[1:200] for cell in line.split(mark)]
    return any(re.fullmatch(r"-?\d+,\d+", cell) for cell in cells) and not any(
        re.fullmatch(r"-?\d+\.\d+", cell) for cell in cells
    )
