"""Count people, or sum counts, in a table or view of a database.

This source is available only in Python and on the command line. Pages and links cannot create it, so that visitors of
a server cannot read its files or connect to other computers.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self
from urllib.parse import urlsplit

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.values import with_fields
from sdcwidgets.tables.io.layout.cells import check_size
from sdcwidgets.tables.io.layout.long import count_by, natural
from sdcwidgets.tables.io.options import Choice, Question, Reading, ReadOptions
from sdcwidgets.tables.io.sources.base import Code, Source, read_again, register
from sdcwidgets.tables.table import Axis, FrequencyTable

if TYPE_CHECKING:
    import ibis
    import pandas as pd

#: Name of the column of sums, which differs from the names of columns in databases.
_SUM = "sdcwidgets sum"

#: Maximum number of combinations of categories that are read from a database.
MOST_ROWS = 10**6


# First bytes of SQLite files.
_SQLITE = b"SQLite format 3\0"


@register
@dataclass(frozen=True)
class Database(Source):
    """Table or view of a database: a DuckDB or SQLite file, or an address of Ibis such as `postgres://host/census`.

    Parameters
    ----------
    address : str
        The file or the address. Titles and exported code do not contain the password of the address.
    relation : str
        The table or view.
    how : ReadOptions
        The field `by` names the columns to count by. If a row is not one person, `count` names the column of counts.

    Examples
    --------
    >>> import duckdb, tempfile
    >>> file = tempfile.mkdtemp() + "/census.duckdb"
    >>> with duckdb.connect(file) as connection:
    ...     _ = connection.execute("CREATE TABLE people (area VARCHAR, sex VARCHAR)")
    ...     _ = connection.execute("INSERT INTO people VALUES ('A', 'm'), ('A', 'f'), ('B', 'f')")
    >>> source = Database.from_input(f"{file}#people").choose(by=("area", "sex"))
    >>> source.read().table.counts.tolist()
    [[1, 1], [1, 0]]
    """

    address: str = field(repr=False)
    relation: str
    how: ReadOptions = field(default_factory=ReadOptions)
    start: FrequencyTable | None = field(default=None, compare=False, repr=False)
    order: ClassVar[float] = 60

    @classmethod
    def from_input(cls, address: str | bytes, name: str = "") -> Self:
        """Return the table that `FILE#TABLE` or `ADDRESS#TABLE` names."""
        path, hash_, relation = str(address).rpartition("#")
        if not (path and hash_ and relation):
            raise InputError("Name a database with its table, for example database:census.duckdb#people.")
        return cls(path, relation)

    @property
    def title(self) -> str:
        """The name of the table or view."""
        return self.relation

    @property
    def original(self) -> FrequencyTable | None:
        """The table as it was read."""
        return self.start

    def choose(self, **choices: object) -> Self:
        """Return the source with other options for reading."""
        return replace(self, how=with_fields(self.how, **choices), start=None)

    def read(self, limit: int | None = None) -> Reading:
        """Count in the database, and read the sums.

        Raises
        ------
        Question
            If there are no columns to count by.
        InputError
            If the database cannot be opened, or a table or column does not exist.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of drivers, about each other
            connection = self._connect()
            try:
                header, rows = self._sums(connection)
            finally:
                connection.disconnect()
        if len(rows) > MOST_ROWS:
            raise InputError(
                f"The data have more than {MOST_ROWS:,} combinations of "
                f"{listed(self.how.by)}. Choose fewer columns."
            )
        check_size([len({row[k] for row in rows}) for k in range(len(self.how.by))], limit)
        reading = count_by([header, *rows], replace(self.how, count=header[-1]), limit, summed=True)
        return replace(reading, table=_sorted(reading.table, observed=not self.how.column))

    def light(self, reading: Reading) -> Source:
        """Return the source with the table that was read."""
        return replace(self, start=reading.table)

    def to_state(self) -> dict[str, object]:
        """Return the title; a link contains the table, but not the address of the database."""
        return {"title": self.title}

    def code(self, table: FrequencyTable) -> Code:
        """Return the line that counts in the database again, without a password, and one line per changed cell."""
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.how.changed().items())
        address = f"{_open(self.address)}#{self.relation}"
        line = f'table = sources.get("database").from_input({address!r}).choose({chosen}).read().table'
        return read_again(self.start, table, self.title, line, "sources")

    def records(self, limit: int | None = None) -> pd.DataFrame:
        """Return the rows of the table; with a limit, up to one row more than the limit, so that excess is visible."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of drivers, about each other
            connection = self._connect()
            try:
                names = connection.list_tables()
                if self.relation not in names:
                    raise InputError(
                        f"The database has no table {quoted(self.relation)}; it has {listed(names)}."
                    )
                table = connection.table(self.relation)
                frame: pd.DataFrame = (table if limit is None else table.limit(limit + 1)).to_pandas()
            finally:
                connection.disconnect()
        return frame

    def _connect(self) -> ibis.BaseBackend:
        need("tables", subject="A database")
        import ibis

        is_file = "://" not in self.address
        if is_file and not Path(self.address).is_file():
            raise InputError(
                f"The file {quoted(self.address)} does not exist. Name a DuckDB or SQLite "
                "file, or an address."
            )
        try:
            if not is_file:
                return ibis.connect(self.address)
            with open(self.address, "rb") as file:
                lite = file.read(len(_SQLITE)) == _SQLITE
            return (
                ibis.sqlite.connect(self.address)
                if lite
                else ibis.duckdb.connect(self.address, read_only=True)
            )
        except Exception as error:  # Each database raises other classes of errors.
            why = str(error).strip().partition("\n")[0].replace(self.address, _open(self.address))
            raise InputError(f"The database {quoted(_open(self.address))} cannot be opened: {why}.") from None

    def _sums(self, connection: ibis.BaseBackend) -> tuple[list[Any], list[list[Any]]]:
        """Return the header and a row for each combination of categories: the categories and their sum."""
        names = connection.list_tables()
        if self.relation not in names:
            raise InputError(f"The database has no table {quoted(self.relation)}; it has {listed(names)}.")
        table = connection.table(self.relation)
        columns = list(table.columns)
        if not self.how.by:
            raise Question(
                f"Choose the columns of {quoted(self.relation)} to count by (by): {listed(columns)}.",
                Choice("by", {name: name for name in columns}, several=True),
            )
        names = (*self.how.by, self.how.column) if self.how.column else self.how.by
        for name in names:
            if name not in columns:
                raise InputError(
                    f"{quoted(self.relation)} has no column {quoted(name)}; it has {listed(columns)}."
                )
        if self.how.column and not table[self.how.column].type().is_numeric():
            raise InputError(
                f"The column {quoted(self.how.column)} does not contain numbers. Name a column of counts."
            )
        sums = table[self.how.column].sum() if self.how.column else table.count()
        grouped = table.group_by(list(self.how.by)).aggregate(**{_SUM: sums})
        frame = grouped.order_by(list(self.how.by)).limit(MOST_ROWS + 1).to_pandas()
        rows = [[None if value != value else value for value in row] for row in frame.itertuples(index=False)]
        return [*self.how.by, _SUM], rows


def _sorted(table: FrequencyTable, *, observed: bool) -> FrequencyTable:
    """Return the table with sorted labels, because the rows of a database have no order."""
    import numpy as np

    axes = [Axis(axis.name, tuple(sorted(axis.labels, key=natural)), observed) for axis in table.axes]
    orders = [[old.position(label) for label in new] for old, new in zip(table.axes, axes, strict=True)]
    return FrequencyTable(table.counts[np.ix_(*orders)], axes)


def _open(address: str) -> str:
    """Return an address without its password."""
    try:
        password = urlsplit(address).password
    except ValueError:
        return address
    return address.replace(f":{password}@", "@") if password else address
