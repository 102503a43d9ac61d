"""What tables can be asked of: microdata or the cells of a hypercube, behind any database of Ibis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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

#: A variable of a table has at most this many categories; more are names or numbers, not categories.
MOST_CATEGORIES = 1_000

#: Keys are drawn for so many rows at most; the column that holds them.
MOST_DRAWN, DRAWN = 5_000_000, "record key (drawn)"

#: Whose errors are mistakes in a program.
_OF_PROGRAMS = ("builtins", "ibis", "sdcwidgets", "numpy", "pandas")

_COUNT, _KEY, _WEIGHT = "sdc_count", "sdc_key", "sdc_weight"

#: No weight is larger.
MOST_WEIGHT = 10**6


class Tabulator:
    """Microdata, or the cells of a hypercube, that tables can be asked of.

    Parameters
    ----------
    rows : ibis Table
        One row a person, or one a cell.
    count : str, optional
        The column with the people of each row; without it every row is one person.
    key : str, optional
        The column of record keys: whole numbers from 0 to 999,999,999, or numbers from 0 to below 1.
    labels : mapping of str to sequence of str, optional
        The categories of some variables in their order; others are found in the data, and sorted.
    weight : str, optional
        The column of weights, numbers from 0 to 1,000,000 that say for how many people each row stands; six decimals
        are used.

    Raises
    ------
    InputError
        If a column is not there, or counts, keys or weights are not what they should be.

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
                "Rows are weighted or counted; leave out the column of people or that of weights."
            )
        self._label_order = dict(labels or {})
        self._known: dict[str, SpanningVariable] = {}
        for column in filter(None, (count, key, weight)):
            if column not in rows.columns:
                raise InputError(f"There is no column {quoted(column)}; there are {listed(rows.columns)}.")
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
        """Return what tables can be asked of: a Parquet or CSV file, a DataFrame, or any table of Ibis.

        A table of a database is named by the URL that Ibis knows it by and ``#``, such as
        ``duckdb://census.db#people``, ``sqlite://census.sqlite#people``, ``postgres://me@host/census#people`` or
        ``spark://#people``, a table or view of the catalogue of Spark as its own files set it up.
        Files are not loaded: each question reads the columns that it needs. Categorical columns of a DataFrame
        keep the order of their categories.

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
            If there is no such file, or it is of another kind.
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
        # What is in memory stays there; what does not fit is told, not written to a file beside where one works.
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
                    f"{quoted(path.name)} is neither .parquet nor .csv; save it as one of these."
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
        """Return the same rows, each with the weight that a column holds."""
        columns: dict[str, Any] = {"count": self._count, "key": self._key, "weight": name}
        return type(self)(self._rows, labels=self._label_order, name=self._name, **columns)

    def with_keys(self, keys_of: Callable[[pd.DataFrame], NDArray[np.float64]]) -> Tabulator:
        """Return the same rows, in memory, with record keys.

        Parameters
        ----------
        keys_of : callable
            Returns a key from 0 to below 1 for each row of the data.

        Raises
        ------
        InputError
            If there are too many rows, or the source can no longer be read.
        """
        if (rows := self.rows()) > MOST_DRAWN:
            raise InputError(
                f"{quoted(self._name)} has {rows:,} rows; record keys are drawn for at most {MOST_DRAWN:,},"
                " so name a column that holds them."
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
        """Return how many rows the data have."""
        with _source_errors(self._name):
            return int(self._rows.aggregate(rows=self._rows.count()).to_pyarrow()["rows"][0].as_py())

    def save(self, path: Path) -> dict[str, object]:
        """Write the rows to a Parquet file, and return what `open` needs besides it."""
        with _source_errors(self._name):
            self._rows.to_parquet(path)
        return {"count": self._count, "key": self._key, "labels": self._label_order, "weight": self._weight}

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that tables can be made by."""
        own = (self._count, self._key, self._weight)
        return tuple(name for name in self._rows.columns if name not in own)

    @property
    def weight(self) -> str:
        """The column of weights; empty where there is none."""
        return self._weight or ""

    @property
    def has_keys(self) -> bool:
        """Whether cells have keys."""
        return self._key is not None

    def variable(self, name: str) -> SpanningVariable:
        """Return a variable with its categories, or raise InputError."""
        if name not in self.names:
            raise InputError(f"There is no variable {quoted(name)}; there are {listed(self.names)}.")
        if name not in self._known:
            with _source_errors(self._name):
                labels = self._rows.select(name).distinct().limit(MOST_CATEGORIES + 1).to_pyarrow()
            values = labels[name].to_pylist()
            if len(values) > MOST_CATEGORIES:
                raise InputError(
                    f"{quoted(name)} has more than {MOST_CATEGORIES:,} categories; put them into bands first."
                )
            self._known[name] = variable_of(name, values, self._label_order.get(name))
        return self._known[name]

    def values(self, name: str) -> dict[object, int]:
        """Return how many rows have each value of a column, as the data have it; None is a missing one."""
        with _source_errors(self._name):
            counts = self._rows.group_by(name).aggregate(**{_COUNT: self._rows.count()}).to_pyarrow()
        return dict(zip(counts[name].to_pylist(), counts[_COUNT].to_pylist(), strict=True))

    def tabulate(self, query: Query) -> Tabulation:
        """Return the populated cells of a table and their keys, found by one query.

        Raises
        ------
        InputError
            If a variable or a category is not there, or the source can no longer be read.
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
        """Return the record keys as whole numbers."""
        key = rows[self._key]
        return (key * KEYS).round().cast("int64") if key.type().is_floating() else key.cast("int64")

    def _check(self) -> None:
        """Raise InputError unless counts are 0 or more, and keys are in their range."""
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
                raise InputError(f"Column {quoted(name)} holds no numbers.")
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
                    f"Column {quoted(name)} must have whole numbers of people; tables are not weighted, so leave out"
                    " sampling weights and count each record as one."
                )
            if missing or (least is not None and not (least >= low and (high is None or most < high))):
                right = "0 or more" if high is None else f"from 0 to below {high:,}"
                raise InputError(f"Column {quoted(name)} must have a number in each row, {right}.")


def _of_database(url: str) -> ibis.Table:
    """Return a table of a database; what stands between :// and # may hold a password, and is not repeated."""
    is_spark = url.startswith("spark://")
    need(*(("spark", "ibis", "pyspark") if is_spark else ("tables", "ibis")), subject="A database")
    import ibis

    address, _, table = url.rpartition("#")
    kind = url.partition("://")[0]
    if not address or not table:
        raise InputError(
            f"A table of a database is named as {kind}://PLACE#TABLE; here one of both is missing."
        )
    if kind in ("duckdb", "sqlite") and not Path(address.partition("://")[2].partition("?")[0]).is_file():
        raise InputError(f"There is no database at that place of {kind}; name a file that is there.")
    try:
        # It is asked, never written to.
        # Ibis calls Spark by the name of its package.
        connection = ibis.connect(
            f"py{address}" if kind == "spark" else address,
            **({"read_only": True} if kind == "duckdb" else {}),
        )
        return connection.table(table)
    except Exception as error:
        raise InputError(
            f"The table {quoted(table)} cannot be opened by {kind} ({type(error).__name__}); are place and table "
            f"right, and is ibis-framework[{kind}] installed?"
        ) from None


def _chosen(column: ibis.Column, variable: SpanningVariable, labels: tuple[str, ...]) -> ibis.Value:
    """Return the condition that a row has one of these categories."""
    values = variable.stored_as(labels)
    there = column.isin([value for value in values if value is not None])
    return there | column.isnull() if None in values else there  # noqa: PD003  (Ibis has no isna)


def _grouped(variable: SpanningVariable, query: Query) -> tuple[Axis, NDArray[np.int64]]:
    """Return the axis of a variable in a table, and where each of its categories goes in it."""
    chosen = query.where.get(variable.name, variable.labels)
    group_of = {old: new for new, part in query.groups.get(variable.name, {}).items() for old in part}
    for old in group_of:
        variable.position(old)
    if len(group_of) < sum(map(len, query.groups.get(variable.name, {}).values())):
        raise InputError(f"A category of {quoted(variable.name)} is in two groups; it must be in one.")
    new_labels = [group_of.get(label, label) for label in variable.labels if label in chosen]
    axis = Axis(variable.name, tuple(dict.fromkeys(new_labels)))
    order = {label: k for k, label in enumerate(axis)}
    return axis, np.array([order.get(group_of.get(label, label), 0) for label in variable.labels])


def _codes(column: pa.ChunkedArray, variable: SpanningVariable) -> NDArray[np.int64]:
    """Return the position of each value among the categories of its variable."""
    import pyarrow as pa
    import pyarrow.compute as pc

    stored = pa.array(variable.stored, type=column.type)
    codes = pc.index_in(column, value_set=stored)
    if codes.null_count:
        raise InputError(f"{quoted(variable.name)} has new categories since it was opened; open it again.")
    places: NDArray[np.int64] = np.array(variable.places)[codes.to_numpy().astype(np.int64)]
    return places


@contextmanager
def _source_errors(name: str) -> Iterator[None]:
    """Raise InputError, in one sentence, where a source cannot be read.

    Each database has errors of its own and no common one. What Python itself, Ibis or this package raises is no news
    from a database but a mistake in a program, and is not hidden.
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
    return InputError(f"{quoted(name)} cannot be read; is it still there, and complete?")
