"""Tables from microdata or a hypercube, made by a database: DuckDB in this process, or any other behind Ibis.

The rows are people, or cells with a column of counts. What is asked for, variables and a selection, is one Ibis
expression, so that the same tables come from a file that is larger than memory, from DuckDB or from Spark. Record
keys are summed in the same query, as whole numbers, so that a cell has the same key in whatever order they came.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.axis import Axis
from sdcwidgets.core.risk import population
from sdcwidgets.errors import InputError
from sdcwidgets.labels import listed, quoted
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    import ibis
    import pandas as pd
    import pyarrow as pa

__all__ = ["KEYS", "MISSING", "Query", "Tabulation", "Tabulator", "Variable", "selection"]

#: Record keys are whole numbers below this, or numbers below 1 with nine decimals; so are cell keys.
KEYS = 10**9

#: What the category of missing values is called.
MISSING = "(missing)"

#: A variable of a table has at most this many categories; more are names or numbers, not categories.
MOST_CATEGORIES = 1_000

#: A whole table is made of at most this many cells; a larger one is assessed from its populated cells.
MOST_CELLS = 5_000_000


@dataclass(frozen=True)
class Variable:
    """A column that tables can be made by.

    Attributes
    ----------
    name : str
    labels : tuple of str
        Its categories in order, as people read them.
    stored : tuple
        The same as the data have them; None is a missing value.
    """

    name: str
    labels: tuple[str, ...]
    stored: tuple[Any, ...]

    def position(self, label: str) -> int:
        """Return where a label stands, or raise InputError."""
        if label not in self.labels:
            raise InputError(
                f"{quoted(self.name)} has no category {quoted(label)}; it has {listed(self.labels[:12])}."
            )
        return self.labels.index(label)


@dataclass(frozen=True)
class Query:
    """What a table is asked for by.

    Parameters
    ----------
    by : sequence of str
        The variables that span the table.
    where : mapping of str to sequence of str
        The people who are counted: for each variable the categories that they may have.
    groups : mapping of str to mapping of str to sequence of str
        For each variable new categories, each made of old ones. A category that is in none stays as it is.

    Raises
    ------
    InputError
        If no variable spans the table, one does twice, or a selection is empty.
    """

    by: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by = (self.by,) if isinstance(self.by, str) else tuple(self.by)
        where = {name: _texts(labels) for name, labels in self.where.items()}
        groups = {
            name: {new: _texts(old) for new, old in parts.items()} for name, parts in self.groups.items()
        }
        for name, value in (("by", by), ("where", where), ("groups", groups)):
            object.__setattr__(self, name, value)
        if not by or len(set(by)) < len(by):
            raise InputError("A table needs one or more different variables; name them, such as Age, Sex.")
        for name, labels in where.items():
            if not labels:
                raise InputError(f"No category of {quoted(name)} is selected; select at least one.")
        for name in groups:
            if name not in by:
                raise InputError(f"{quoted(name)} is grouped but does not span the table; leave it out.")

    @property
    def words(self) -> str:
        """The query in words."""
        chosen = [f"{name}: {listed(labels)}" for name, labels in self.where.items()]
        return f"{' × '.join(self.by)}, {'; '.join(chosen) if chosen else 'everybody'}"


@dataclass(frozen=True, eq=False)
class Tabulation:
    """A table as its populated cells.

    Attributes
    ----------
    axes : tuple of Axis
    places : ndarray of int64, shape (n,)
        The position of each populated cell in the table laid out flat, rising.
    counts : ndarray of int64, shape (n,)
        Its people, at least 1.
    keys : ndarray of int64, shape (n,), or None
        Its cell key, from 0 to 999,999,999; None where the source has no record keys.
    """

    axes: tuple[Axis, ...]
    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    keys: NDArray[np.int64] | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of categories of each axis."""
        return tuple(map(len, self.axes))

    @property
    def cells(self) -> int:
        """The number of cells of the table, empty ones too."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def people(self) -> int:
        """The number of people in the table."""
        return int(self.counts.sum())

    @cached_property
    def table(self) -> FrequencyTable:
        """The table with all its cells, or InputError where they are more than 5,000,000."""
        return FrequencyTable(self._spread(self.counts), self.axes)

    @cached_property
    def cell_keys(self) -> NDArray[np.int64]:
        """The key of every cell, 0 where nobody is, or InputError where there are no record keys."""
        if self.keys is None:
            raise InputError("The data have no record keys; name the column that holds them.")
        return self._spread(self.keys)

    def terms(self) -> NDArray[np.float64]:
        """Return the three terms of the risk before protection, from the populated cells only."""
        return population.terms(self.counts, cells=self.cells, undefined="nan")

    def _spread(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        if self.cells > MOST_CELLS:
            raise InputError(
                f"The table would have {self.cells:,} cells; at most {MOST_CELLS:,} can be laid out."
                " Leave a variable out, or select fewer categories."
            )
        dense = np.zeros(self.cells, dtype=np.int64)
        dense[self.places] = values
        return dense.reshape(self.shape)


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

    Raises
    ------
    InputError
        If a column is not there, or counts or keys are not what they should be.

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
    ) -> None:
        self._rows, self._count, self._key, self._name = rows, count, key, name
        self._given = dict(labels or {})
        self._known: dict[str, Variable] = {}
        for column in filter(None, (count, key)):
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
    ) -> Tabulator:
        """Return what tables can be asked of: a Parquet or CSV file, a DataFrame, or any table of Ibis.

        Files are not loaded: each question reads the columns that it needs. Categorical columns of a DataFrame
        keep the order of their categories.

        Raises
        ------
        InputError
            If there is no such file, or it is of another kind.
        """
        import duckdb
        import ibis

        if isinstance(source, ibis.Table):
            return cls(source, count=count, key=key, labels=labels)
        connection = duckdb.connect()
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
            with _told(path.name):
                rows = readers[path.suffix.lower()](path)
            return cls(rows, count=count, key=key, labels=labels, name=path.name)
        ordered = {
            str(name): [str(label) for label in column.cat.categories]
            for name, column in source.items()
            if column.dtype == "category"
        }
        connection.register("given", source)
        connection.execute("CREATE TABLE records AS FROM given")
        connection.unregister("given")
        return cls(backend.table("records"), count=count, key=key, labels={**ordered, **(labels or {})})

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that tables can be made by."""
        return tuple(name for name in self._rows.columns if name not in (self._count, self._key))

    @property
    def has_keys(self) -> bool:
        """Whether cells have keys."""
        return self._key is not None

    def variable(self, name: str) -> Variable:
        """Return a variable with its categories, or raise InputError."""
        if name not in self.names:
            raise InputError(f"There is no variable {quoted(name)}; there are {listed(self.names)}.")
        if name not in self._known:
            with _told(self._name):
                found = self._rows.select(name).distinct().limit(MOST_CATEGORIES + 1).to_pyarrow()
            values = found[name].to_pylist()
            if len(values) > MOST_CATEGORIES:
                raise InputError(
                    f"{quoted(name)} has more than {MOST_CATEGORIES:,} categories; put them into bands first."
                )
            self._known[name] = _variable(name, values, self._given.get(name))
        return self._known[name]

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
        with _told(self._name):
            found = rows.group_by(list(query.by)).aggregate(**totals).to_pyarrow()
        axes, codes = [], []
        for variable in spanning:
            axis, new = _grouped(variable, query)
            axes.append(axis)
            codes.append(new[_codes(found[variable.name], variable)])
        places = np.ravel_multi_index(codes, tuple(map(len, axes))).astype(np.int64)
        keys = found[_KEY].to_numpy() if self._key is not None else None
        return Tabulation(tuple(axes), *_merged(places, found[_COUNT].to_numpy(), keys))

    def _as_whole(self, rows: ibis.Table) -> ibis.Column:
        """Return the record keys as whole numbers."""
        key = rows[self._key]
        return (key * KEYS).round().cast("int64") if key.type().is_floating() else key.cast("int64")

    def _check(self) -> None:
        """Raise InputError unless counts are 0 or more, and keys are in their range."""
        limits: list[tuple[str | None, int, int | None]] = [(self._count, 0, None)]
        if self._key is not None:
            limits.append((self._key, 0, 1 if self._rows[self._key].type().is_floating() else KEYS))
        for name, low, high in limits:
            if name is None:
                continue
            column = self._rows[name]
            if not column.type().is_numeric():
                raise InputError(f"Column {quoted(name)} holds no numbers.")
            with _told(self._name):
                found = self._rows.aggregate(
                    low=column.min(), high=column.max(), missing=self._rows.count() - column.count()
                ).to_pyarrow()
            least, most, missing = (found[part][0].as_py() for part in ("low", "high", "missing"))
            if missing or (least is not None and (least < low or (high is not None and most >= high))):
                right = "0 or more" if high is None else f"from 0 to below {high:,}"
                raise InputError(f"Column {quoted(name)} must have a number in each row, {right}.")


def selection(text: str) -> dict[str, tuple[str, ...]]:
    """Return the selection that a text stands for: ``Region=Region 1; Age=0-4|5-9``.

    Names and labels that hold one of ``; = |`` stand in double quotes.

    Raises
    ------
    InputError
        If the text is not of this form.

    Examples
    --------
    >>> selection('Region=Region 1; Age=0-4|5-9')
    {'Region': ('Region 1',), 'Age': ('0-4', '5-9')}
    """
    chosen: dict[str, tuple[str, ...]] = {}
    for part in _split(text, ";"):
        name, *labels = _split(part, "=")
        if len(labels) != 1 or not name or name in chosen:
            raise InputError(
                f"{quoted(part)} is no selection; write a variable and its categories, such as Age=0-4|5-9."
            )
        chosen[name] = tuple(_unquoted(label) for label in _split(labels[0], "|"))
    return {_unquoted(name): labels for name, labels in chosen.items()}


_COUNT, _KEY = "sdc_count", "sdc_key"

_DIGITS = re.compile(r"(\d+)")


def _texts(labels: str | Sequence[str]) -> tuple[str, ...]:
    return (labels,) if isinstance(labels, str) else tuple(map(str, labels))


def _split(text: str, mark: str) -> list[str]:
    """Return the parts of a text between marks that stand outside of double quotes."""
    parts = re.findall(rf'((?:"(?:[^"]|"")*"|[^{re.escape(mark)}"])+)', text)
    return [part.strip() for part in parts if part.strip()]


def _unquoted(text: str) -> str:
    return next(csv.reader([text]))[0] if text.startswith('"') else text


def _variable(name: str, values: list[Any], given: Sequence[str] | None) -> Variable:
    """Return a variable of the values that were found, in the order given or in a natural one."""
    by_label = {MISSING if value is None else str(value): value for value in values}
    if given is not None:
        for label in given:
            by_label.setdefault(label, label)
        order = {label: k for k, label in enumerate(given)}
        labels = sorted(by_label, key=lambda label: order.get(label, len(order)))
    else:
        labels = sorted(by_label, key=lambda label: (label == MISSING, _natural(label)))
    if not labels:
        raise InputError(f"{quoted(name)} has no categories, since there are no rows.")
    return Variable(name, tuple(labels), tuple(by_label[label] for label in labels))


def _natural(label: str) -> list[tuple[int, float, str]]:
    """Return a key that sorts 5-9 before 10-14."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _DIGITS.split(label) if part]


def _chosen(column: ibis.Column, variable: Variable, labels: tuple[str, ...]) -> ibis.Value:
    """Return the condition that a row has one of these categories."""
    values = [variable.stored[variable.position(label)] for label in labels]
    there = column.isin([value for value in values if value is not None])
    return there | column.isnull() if None in values else there  # noqa: PD003  (Ibis has no isna)


def _grouped(variable: Variable, query: Query) -> tuple[Axis, NDArray[np.int64]]:
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


def _codes(column: pa.ChunkedArray, variable: Variable) -> NDArray[np.int64]:
    """Return the position of each value among the categories of its variable."""
    import pyarrow as pa
    import pyarrow.compute as pc

    stored = pa.array(variable.stored, type=column.type)
    codes = pc.index_in(column, value_set=stored)
    if codes.null_count:
        raise InputError(f"{quoted(variable.name)} has new categories since it was opened; open it again.")
    found: NDArray[np.int64] = codes.to_numpy().astype(np.int64)
    return found


def _merged(
    places: NDArray[np.int64], counts: NDArray[np.int64], keys: NDArray[np.int64] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the populated cells in order, those that fall together as one."""
    order = np.argsort(places)
    places, counts = places[order], counts[order]
    first = np.flatnonzero(np.diff(places, prepend=-1))
    if not first.size:
        return places, counts, keys
    counts = np.add.reduceat(counts, first)
    some = counts > 0
    merged = None if keys is None else (np.add.reduceat(keys[order], first) % KEYS)[some]
    return places[first][some], counts[some], merged


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell in one sentence that a source cannot be read; each database has errors of its own."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{quoted(name)} cannot be read; is it still there, and complete?") from error
