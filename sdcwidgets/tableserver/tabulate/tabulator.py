"""Query microdata or a hypercube through Ibis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arguments import check_frame
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.extras import need
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tableserver.tabulate.query import Query
from sdcwidgets.tableserver.tabulate.tabulation import KEYS, WEIGHT_PARTS, Tabulation, merged
from sdcwidgets.tableserver.tabulate.variable import SpanningVariable, variable_of

if TYPE_CHECKING:
    import ibis
    import pandas as pd
    import pyarrow as pa

#: Maximum number of categories of a variable; a column with more contains names or numbers.
MOST_CATEGORIES = 1_000

#: Maximum number of rows for which keys are generated, and the name of their column.
MOST_DRAWN, DRAWN = 5_000_000, "record key (random number)"

#: Packages whose exceptions are programming errors.
_OF_PROGRAMS = ("builtins", "ibis", "sdcwidgets", "numpy", "pandas")

_COUNT, _KEY, _WEIGHT = "sdc_count", "sdc_key", "sdc_weight"

#: Upper bound of weights.
MOST_WEIGHT = 10**6


class Tabulator:
    """Microdata, or the cells of a hypercube, as a source of tables.

    Parameters
    ----------
    rows : ibis Table
        One row per person or per cell.
    count : str, optional
        Column with the number of people of each row; without it, each row is one person.
    key : str, optional
        Column of record keys: integers from 0 to 999,999,999, or numbers in [0, 1).
    labels : mapping of str to sequence of str, optional
        Ordered categories of some variables. Categories of other variables are read from the data and sorted.
    weight : str, optional
        Column of sampling weights from 0 to 1,000,000; six decimals are used.

    Raises
    ------
    InputError
        If a column does not exist, or if counts, keys or weights are invalid.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"Area": ["A", "A", "B"], "Sex": ["f", "m", "f"], "Key": [7, 8, 9]})
    >>> data = Tabulator.open(people, key="Key")
    >>> found = data.tabulate(Query(["Area", "Sex"]))
    >>> found.table.counts.tolist(), found.cell_keys.tolist()
    ([[1, 1], [1, 0]], [[7, 8], [9, 0]])
    """

    def __init__(
        self,
        rows: ibis.Table,
        *,
        count: str | None = None,
        key: str | None = None,
        labels: Mapping[str, Sequence[str]] | None = None,
        name: str = "the data",
        weight: str | None = None,
    ) -> None:
        self._rows, self._count, self._key, self._name, self._weight = rows, count, key, name, weight
        if count and weight:
            raise InputError(
                "A source has counts or weights, not both. Leave out the column of counts or the column of weights."
            )
        self._label_order = dict(labels or {})
        self._known: dict[str, SpanningVariable] = {}
        for column in filter(None, (count, key, weight)):
            if column not in rows.columns:
                raise InputError(
                    f"There is no column {quoted(column)}. The columns are {listed(rows.columns)}."
                )
        self._check()

    @classmethod
    def open(
        cls,
        source: str | PathLike[str] | pd.DataFrame | ibis.Table,
        *,
        count: str | None = None,
        key: str | None = None,
        labels: Mapping[str, Sequence[str]] | None = None,
        weight: str | None = None,
    ) -> Tabulator:
        """Open a Parquet or CSV file, a DataFrame, an Ibis table or a database table.

        A database table is written as the Ibis URL of the database, ``#`` and the name of the table, for
        example ``duckdb://census.db#people``, ``sqlite://census.sqlite#people``,
        ``postgres://me@host/census#people`` or ``spark://#people``, which is a table or view in the catalogue
        of the configured Spark session. Files are not loaded: each request reads the columns that it needs.
        Categorical columns of a DataFrame keep the order of their categories.

        Parameters
        ----------
        source : str, path, DataFrame or ibis.Table
            The records: one row per person, or per combination with its number of persons.
        count : str, optional
            Column with the number of persons of each row.
        key : str, optional
            Column with the record keys.
        labels : mapping of str to sequence of str, optional
            Categories of columns, in their order.
        weight : str, optional
            Column with the weights.

        Returns
        -------
        Tabulator

        Raises
        ------
        InputError
            If the file does not exist or has another format.
        """
        columns: dict[str, Any] = {"count": count, "key": key, "weight": weight}
        if isinstance(source, str) and "://" in source:
            source, name = _of_database(source), source.partition("://")[0]
            return cls(source, name=name, labels=labels, **columns)
        need("tables", subject="A table generator")
        import duckdb
        import ibis

        if isinstance(source, ibis.Table):
            return cls(source, labels=labels, **columns)
        if not isinstance(source, str | PathLike):
            check_frame("source", source, "a file, a DataFrame or an ibis table")
            if not len(source.columns):
                raise InputError(
                    "The argument source is a DataFrame without columns; pass one row per person."
                )
        # Data in memory must not be written to disk: without a temporary folder, DuckDB raises an error if
        # the memory is insufficient.
        connection = duckdb.connect()
        if not isinstance(source, str | PathLike):
            connection.execute("SET temp_directory = ''")
        backend = ibis.duckdb.from_connection(connection)
        if isinstance(source, str | PathLike):
            path = Path(source)
            readers: dict[str, Callable[[Path], ibis.Table]] = {
                ".parquet": backend.read_parquet,
                ".csv": backend.read_csv,
            }
            if not path.is_file():
                raise InputError(f"There is no file {quoted(path.name)}; name a Parquet or CSV file.")
            if path.suffix.lower() not in readers:
                raise InputError(
                    f"The file {quoted(path.name)} is neither .parquet nor .csv. Save the "
                    "file in one of these formats."
                )
            with _source_errors(path.name):
                rows = readers[path.suffix.lower()](path)
            return cls(rows, name=path.name, labels=labels, **columns)
        ordered = {
            str(name): [str(label) for label in column.cat.categories]
            for name, column in source.items()
            if column.dtype == "category"
        }
        connection.register("given", source)
        connection.execute("CREATE TABLE records AS FROM given")
        connection.unregister("given")
        return cls(backend.table("records"), labels={**ordered, **(labels or {})}, **columns)

    def with_weight(self, name: str) -> Tabulator:
        """Return the same rows with the weights of a column."""
        columns: dict[str, Any] = {"count": self._count, "key": self._key, "weight": name}
        return type(self)(self._rows, labels=self._label_order, name=self._name, **columns)

    def with_keys(self, keys_of: Callable[[pd.DataFrame], NDArray[np.float64]]) -> Tabulator:
        """Return the same rows in memory, with record keys.

        Parameters
        ----------
        keys_of : callable
            Function that returns a key in [0, 1) for each row of the data.

        Raises
        ------
        InputError
            If there are too many rows, or the source cannot be read.
        """
        rows = self.rows()
        if rows > MOST_DRAWN:
            raise InputError(
                f"{quoted(self._name)} has {rows:,} rows. Record keys can be generated for at most {MOST_DRAWN:,}"
                " rows, so name a column of record keys."
            )
        with _source_errors(self._name):
            frame = self._rows.to_pyarrow().to_pandas()
        return type(self).open(
            frame.assign(**{DRAWN: np.rint(keys_of(frame) * KEYS).astype(np.int64)}),
            count=self._count,
            key=DRAWN,
            labels=self._label_order,
            weight=self._weight,
        )

    def rows(self) -> int:
        """Return the number of rows."""
        with _source_errors(self._name):
            return int(self._rows.aggregate(rows=self._rows.count()).to_pyarrow()["rows"][0].as_py())

    def save(self, path: Path) -> dict[str, object]:
        """Write the rows to a Parquet file, and return the other arguments of `open`."""
        with _source_errors(self._name):
            self._rows.to_parquet(path)
        return {"count": self._count, "key": self._key, "labels": self._label_order, "weight": self._weight}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variables, without the columns of counts, keys and weights."""
        own = (self._count, self._key, self._weight)
        return tuple(name for name in self._rows.columns if name not in own)

    @property
    def weight(self) -> str:
        """Name of the column of weights, or ""."""
        return self._weight or ""

    @property
    def has_keys(self) -> bool:
        """Whether the data have record keys."""
        return self._key is not None

    def variable(self, name: str) -> SpanningVariable:
        """Return a variable with its categories; raise InputError if it does not exist."""
        if name not in self.names:
            raise InputError(f"There is no variable {quoted(name)}. The variables are {listed(self.names)}.")
        if name not in self._known:
            with _source_errors(self._name):
                labels = self._rows.select(name).distinct().limit(MOST_CATEGORIES + 1).to_pyarrow()
            values = labels[name].to_pylist()
            if len(values) > MOST_CATEGORIES:
                raise InputError(
                    f"{quoted(name)} has more than {MOST_CATEGORIES:,} categories. Group its values first."
                )
            self._known[name] = variable_of(name, values, self._label_order.get(name))
        return self._known[name]

    def values(self, name: str) -> dict[object, int]:
        """Return the number of rows of each stored value of a column; None is missing."""
        with _source_errors(self._name):
            counts = self._rows.group_by(name).aggregate(**{_COUNT: self._rows.count()}).to_pyarrow()
        return dict(zip(counts[name].to_pylist(), counts[_COUNT].to_pylist(), strict=True))

    def tabulate(self, query: Query) -> Tabulation:
        """Return the populated cells of a table and their keys, by a single query.

        Raises
        ------
        InputError
            If a variable or a category does not exist, or the source cannot be read.
        """
        spanning = [self.variable(name) for name in query.by]
        rows = self._rows
        for name, labels in query.where.items():
            variable = self.variable(name)
            rows = rows.filter(_chosen(rows[name], variable, labels))
        counted = rows[self._count].sum() if self._count else rows.count()
        totals = {_COUNT: counted.cast("int64")}
        if self._key is not None:
            totals[_KEY] = (self._as_whole(rows).sum() % KEYS).cast("int64")
        if self._weight is not None:
            parts = (rows[self._weight] * WEIGHT_PARTS).round().cast("int64")
            totals[_WEIGHT] = parts.sum().cast("int64")
        with _source_errors(self._name):
            cells = rows.group_by(list(query.by)).aggregate(**totals).to_pyarrow()
        axes, codes = [], []
        for variable in spanning:
            axis, new = _grouped(variable, query)
            axes.append(axis)
            codes.append(new[_codes(cells[variable.name], variable)])
        places = np.ravel_multi_index(codes, tuple(map(len, axes))).astype(np.int64)
        keys = cells[_KEY].to_numpy() if self._key is not None else None
        sums = cells[_WEIGHT].to_numpy() if self._weight is not None else None
        return Tabulation(tuple(axes), *merged(places, cells[_COUNT].to_numpy(), keys, sums))

    def _as_whole(self, rows: ibis.Table) -> ibis.Column:
        """Return the record keys as integers."""
        key = rows[self._key]
        return (key * KEYS).round().cast("int64") if key.type().is_floating() else key.cast("int64")

    def _check(self) -> None:
        """Raise InputError if counts, keys or weights are missing or out of range."""
        limits: list[tuple[str | None, int, int | None]] = [
            (self._count, 0, None),
            (self._weight, 0, MOST_WEIGHT),
        ]
        if self._key is not None:
            limits.append((self._key, 0, 1 if self._rows[self._key].type().is_floating() else KEYS))
        for name, low, high in limits:
            if name is None:
                continue
            column = self._rows[name]
            if not column.type().is_numeric():
                raise InputError(f"Column {quoted(name)} does not contain numbers.")
            parts = {
                "low": column.min(),
                "high": column.max(),
                "missing": self._rows.count() - column.count(),
            }
            if high is None and not column.type().is_integer():
                parts["broken"] = (column % 1 != 0).any()
            with _source_errors(self._name):
                ends = self._rows.aggregate(**parts).to_pyarrow()
            least, most, missing = (ends[part][0].as_py() for part in ("low", "high", "missing"))
            if "broken" in parts and (ends["broken"][0].as_py() or not isfinite(most or 0)):
                raise InputError(
                    f"Column {quoted(name)} must contain whole numbers of people. If it contains sampling weights,"
                    " name it as the column of weights."
                )
            if missing or (least is not None and not (least >= low and (high is None or most < high))):
                right = "0 or more" if high is None else f"from 0 to below {high:,}"
                raise InputError(f"Column {quoted(name)} must have a number in each row: {right}.")


def _of_database(url: str) -> ibis.Table:
    """Return a table of a database.

    Error messages do not repeat the address, because it may contain a password.
    """
    is_spark = url.startswith("spark://")
    if is_spark:
        need("spark", "ibis", "pyspark", subject="A database")
    else:
        need("tables", "ibis", subject="A database")
    import ibis

    address, _, table = url.rpartition("#")
    kind = url.partition("://")[0]
    if not address or not table:
        raise InputError(
            f"The place or the table is missing. Name a table of a database as {kind}://PLACE#TABLE."
        )
    if kind in ("duckdb", "sqlite") and not Path(address.partition("://")[2].partition("?")[0]).is_file():
        raise InputError(f"The {kind} database file does not exist. Check its path.")
    try:
        # The database is opened for reading only. Ibis registers Spark under the name pyspark.
        options = {"read_only": True} if kind == "duckdb" else {}
        connection = ibis.connect(f"py{address}" if kind == "spark" else address, **options)
        return connection.table(table)
    except Exception as error:
        raise InputError(
            f"The table {quoted(table)} cannot be opened by {kind} ({type(error).__name__}). Check the place and the "
            f"table, and whether ibis-framework[{kind}] is installed."
        ) from None


def _chosen(column: ibis.Column, variable: SpanningVariable, labels: tuple[str, ...]) -> ibis.Value:
    """Return the condition that a row has one of these categories."""
    values = variable.stored_as(labels)
    there = column.isin([value for value in values if value is not None])
    return there | column.isnull() if None in values else there  # noqa: PD003  (Ibis has no isna)


def _grouped(variable: SpanningVariable, query: Query) -> tuple[Axis, NDArray[np.int64]]:
    """Return the axis of a variable in a table, and the index of each category in it."""
    chosen = query.where.get(variable.name, variable.labels)
    group_of = {old: new for new, part in query.groups.get(variable.name, {}).items() for old in part}
    for old in group_of:
        variable.position(old)
    if len(group_of) < sum(map(len, query.groups.get(variable.name, {}).values())):
        raise InputError(
            f"A category of the variable {quoted(variable.name)} is in two "
            "groups. Each category must be in one group."
        )
    new_labels = [group_of.get(label, label) for label in variable.labels if label in chosen]
    axis = Axis(variable.name, tuple(dict.fromkeys(new_labels)))
    order = {label: k for k, label in enumerate(axis)}
    return axis, np.array([order.get(group_of.get(label, label), 0) for label in variable.labels])


def _codes(column: pa.ChunkedArray, variable: SpanningVariable) -> NDArray[np.int64]:
    """Return the index of the category of each value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    stored = pa.array(variable.stored, type=column.type)
    codes = pc.index_in(column, value_set=stored)
    if codes.null_count:
        raise InputError(
            f"The variable {quoted(variable.name)} has new categories that were added after "
            "the data were opened. Open the data again."
        )
    places: NDArray[np.int64] = np.array(variable.places)[codes.to_numpy().astype(np.int64)]
    return places


@contextmanager
def _source_errors(name: str) -> Iterator[None]:
    """Convert errors of a database to InputError.

    Databases have no common base class of errors. Errors of Python, Ibis or this package are programming
    errors and are not converted.
    """
    try:
        yield
    except OSError as error:
        raise _unreadable(name) from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] in _OF_PROGRAMS:
            raise
        raise _unreadable(name) from error


def _unreadable(name: str) -> InputError:
    return InputError(f"{quoted(name)} cannot be read. Check that it exists and is complete.")
