"""Tables in the values of JSON: lists of records, lists of rows, and columns, also inside of other values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.formats.base import RIGHT, Row, Rows

#: Maximum depth at which tables are searched, and number of values of a list that are searched.
_DEEPEST, _MOST_VALUES = 6, 20

#: Minimum number of numbers of an object whose keys are labels on several levels.
_LEAST_NUMBERS = 8

#: Minimum number of records without numbers.
_LEAST_RECORDS = 20

#: Maximum number of tables of a file, and of keys and cells of a table.
_MOST_TABLES, _MOST_KEYS, _MOST_CELLS = 200, 20_000, 5_000_000

Record = Mapping[str, Any]

K = TypeVar("K")

#: Name of a column: the key, or the key and the key of an object in the record.
Name = tuple[str, ...]


class NestedRecords(ValueError):
    """A record has lists that are no single list of records."""


def tables_in(value: object) -> dict[str, Rows]:
    """Return the tables with numbers in a JSON value, by the keys that lead to them.

    Examples
    --------
    >>> tables_in({"status": "ok", "result": {"rows": [{"Sex": "m", "n": 3}, {"Sex": "f", "n": 4}]}})
    {'result.rows': [['Sex', 'n'], ['m', 3], ['f', 4]]}
    >>> tables_in({"columns": ["Sex", "n"], "data": [["m", 3], ["f", 4]]})
    {'data': [['Sex', 'n'], ['m', 3], ['f', 4]]}
    """
    tables, names = dict[str, Rows](), dict[str, Sequence[str]]()
    for path, part, rows in _parts(value):
        if rows:
            tables[path] = rows
        heading = _heading(part)
        if heading:
            names[path] = heading
        if len(tables) > _MOST_TABLES or len(names) > _MOST_TABLES:
            raise InputError(
                f"The file has more than {_MOST_TABLES} lists or objects that may be tables; {RIGHT}."
            )
    headings = set[str]()
    for path, rows in tables.items():
        if not _has_heading(rows):
            at = next((at for at, of in names.items() if at != path and len(of) == len(rows[0])), None)
            if at is not None:
                headings.add(at)
                tables[path] = [list(names[at]), *rows]
    tables = {path: rows for path, rows in tables.items() if path not in headings}
    with_numbers = {path: rows for path, rows in tables.items() if any(map(_is_number, chain(*rows[1:])))}
    # A long list of records without numbers may have one record per person.
    return with_numbers or {path: rows for path, rows in tables.items() if len(rows) > _LEAST_RECORDS}


def _parts(value: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, object, Rows]]:
    """Yield a value and the values inside of it that are no part of a table, each with its rows if it is a table."""
    rows = _table(value)
    yield path, value, rows
    if depth == _DEEPEST or rows:
        return
    if isinstance(value, dict):
        inside: Iterable[tuple[object, object]] = value.items()
    elif isinstance(value, list):
        inside = enumerate(value[:_MOST_VALUES])
    else:
        return
    for key, part in inside:
        if isinstance(part, dict | list):
            yield from _parts(part, f"{path}.{key}".lstrip("."), depth + 1)


def _table(value: object) -> Rows:
    """Return the rows of a value that is a table; otherwise an empty list."""
    if isinstance(value, list) and len(value) > 1:
        if all(isinstance(record, dict) for record in value):
            return _of_records(value)
        if all(isinstance(row, list) for row in value) and len({*map(len, value)}) == 1 and len(value[0]) > 1:
            return [list(map(_cell, row)) for row in value] if _are_plain(chain(*value)) else []
    if isinstance(value, dict) and len(value) > 1:
        return _of_columns(value) or _of_mapping(value) or _of_levels(value)
    return []


def _of_columns(value: Record) -> Rows:
    """Return the rows of an object with a list of the same length per column, or with an object with row numbers."""
    columns = dict[str, list[Any]]()
    for name, part in value.items():
        if isinstance(part, list):
            columns[name] = part
        elif isinstance(part, dict) and _are_row_numbers(part):
            columns[name] = list(part.values())
        elif isinstance(part, dict):
            return []
    lengths = {*map(len, columns.values())}
    if len(columns) < 2 or len(lengths) > 1 or lengths <= {0, 1} or not _are_plain(chain(*columns.values())):
        return []
    return [list(columns), *([_cell(cell) for cell in row] for row in zip(*columns.values(), strict=True))]


def _of_mapping(value: Record) -> Rows:
    """Return the rows of an object with a record, or a list of records, per key; the key is a label."""
    if all(isinstance(part, list) for part in value.values()):
        inside = list(chain(*value.values()))
        if len(inside) < 2 or not all(isinstance(record, dict) for record in inside):
            return []
        if len({frozenset(record) for record in inside}) > 1:
            return []
        return _of_records([{"": key, **record} for key, part in value.items() for record in part])
    if not all(isinstance(part, dict) and part and _are_plain(part.values()) for part in value.values()):
        return []
    if len({frozenset(part) for part in value.values()}) > 1:
        return []
    if _are_row_numbers(value):
        return _of_records(list(value.values()))
    return _of_records([{"": key, **part} for key, part in value.items()])


def _of_levels(value: Record) -> Rows:
    """Return a row for each number of an object whose keys are labels on three or more levels.

    A number beside objects is omitted if it is the sum of the numbers in them.

    Examples
    --------
    >>> numbers = {"m": {"0-14": 3, "15+": 4}, "f": {"0-14": 5, "15+": 6}}
    >>> _of_levels({"Bath": {**numbers, "all": 18}, "Hull": numbers})[:3]
    [['Level 1', 'Level 2', 'Level 3', 'Number'], ['Bath', 'm', '0-14', 3], ['Bath', 'm', '15+', 4]]
    """
    rows = _numbers_in(value, 1)
    depths = {*map(len, rows)}
    if len(depths) != 1 or depths <= {2, 3} or len(rows) < _LEAST_NUMBERS:
        return []
    depth = depths.pop() - 1
    labels = [len({row[k] for row in rows}) for k in range(depth)]
    if 2 * len(rows) < math.prod(labels):
        return []  # The keys are no labels of the same axes.
    return [[*(f"Level {k}" for k in range(1, depth + 1)), "Number"], *rows]


def _numbers_in(value: Record, level: int) -> list[list[object]]:
    """Return the numbers in an object with the keys that lead to each; an empty list if a value is no number."""
    inside = {key: part for key, part in value.items() if isinstance(part, dict)}
    others = {key: part for key, part in value.items() if key not in inside}
    if level > _DEEPEST or not all(type(number) is int for number in others.values()):
        return []
    rows = list[list[object]]()
    for key, part in inside.items():
        below = _numbers_in(part, level + 1)
        if not below:
            return []
        rows += [[key, *row] for row in below]
    if not inside:
        return [[key, number] for key, number in others.items()]
    total = sum(row[-1] for row in rows if isinstance(row[-1], int))
    return rows if all(number == total for number in others.values()) else []


def _of_records(records: Sequence[Record]) -> Rows:
    """Return the names and a row for each record; the names may be the first record."""
    records = _without_frames(records)
    has_lists = any(map(_has_lists, records))
    if all(_are_plain(record.values()) for record in records):
        names = _filled(records)
        _check_size(len(records), len(names))
        head, rows = names, [[_cell(record.get(name)) for name in names] for record in records]
    else:
        flat = [cells for record in records for cells in _flat(record)]
        keys = _filled(flat)
        _check_size(len(flat), len(keys))
        keys = _short(keys, flat)
        last = Counter(key[-1] for key in keys)
        head = [key[-1] if last[key[-1]] == 1 else " ".join(key) for key in keys]
        rows = [[_cell(cells.get(key)) for key in keys] for cells in flat]
    if not rows or not head:
        return []
    if len(rows) > 2 and not has_lists and _is_heading(rows[0], rows[1:]):
        # Some interfaces return the names of the columns as the first record, and codes as keys.
        return [[str(cell) for cell in rows[0]], *rows[1:]]
    return _parted([head, *rows]) if has_lists else _without_numbering([head, *rows])


def _check_size(records: int, keys: int) -> None:
    if keys > _MOST_KEYS or records * keys > _MOST_CELLS:
        raise InputError(
            f"The file has {records:,} records with {keys:,} keys; at most {_MOST_KEYS:,} keys and "
            f"{_MOST_CELLS:,} cells are read."
        )


def _filled(rows: Sequence[Mapping[K, object]]) -> list[K]:
    """Return the names of the columns with a value in a row."""
    filled = {name for cells in rows for name, cell in cells.items() if cell not in (None, "")}
    return [name for name in dict.fromkeys(chain(*rows)) if name in filled]


def _has_lists(record: Record) -> bool:
    return any(isinstance(value, list) for value in record.values())


def _without_frames(records: Sequence[Record]) -> Sequence[Record]:
    """Return the properties of areas of GeoJSON and TopoJSON, and what rows of CSV on the web describe."""
    if all("type" in record and isinstance(record.get("properties"), dict) for record in records):
        return [record["properties"] for record in records]
    if all("rownum" in record and isinstance(record.get("describes"), list) for record in records):
        return [part for record in records for part in record["describes"] if isinstance(part, dict)]
    return records


def _flat(record: Record) -> Iterator[dict[Name, object]]:
    """Yield the cells of a record; one row per record of its only list of records."""
    cells, lists = dict[Name, object](), list[tuple[str, list[Any]]]()
    for name, value in record.items():
        if isinstance(value, list):
            lists.append((name, value))
        elif isinstance(value, dict):
            cells |= {(name, inner): part for inner, part in value.items()}
        else:
            cells[name,] = value
    lists = [
        (name, part) for name, part in lists if any(isinstance(inner, dict) for inner in part) or not part
    ]
    if not _has_lists(record):
        yield cells
        return
    if len(lists) != 1 or any(isinstance(part, list | dict) for part in cells.values()):
        raise NestedRecords
    for inner in lists[0][1]:
        if not isinstance(inner, dict):
            raise NestedRecords
        yield cells | {
            ((lists[0][0], name) if (name,) in cells else (name,)): part for name, part in inner.items()
        }


def _short(names: Sequence[Name], rows: Sequence[Mapping[Name, object]]) -> list[Name]:
    """Return the names of columns without the codes of objects that have a code and a label.

    Examples
    --------
    >>> _short([("area", "id"), ("area", "value"), ("n",)], [{("area", "id"): "1", ("area", "value"): "Bath"}])
    [('area', 'value'), ('n',)]
    """
    of = dict[str, list[Name]]()
    for name in names:
        of.setdefault(name[0], []).append(name)
    codes = set[Name]()
    for pair in of.values():
        texts = [[row.get(name) for row in rows] for name in pair]
        if len(pair) != 2 or not all(isinstance(text, str) for text in chain(*texts)):
            continue
        if len({*zip(*texts, strict=True)}) == len({*texts[0]}) == len({*texts[1]}):
            codes.add(min(pair, key=lambda name: sum(len(str(row[name])) for row in rows)))
    return [name for name in names if name not in codes]


def _without_numbering(rows: Rows) -> Rows:
    """Return rows without a first column of row numbers, if texts identify the rows and some of them occur again."""
    first = rows[1][0] if rows[1] else ""
    numbers = [row[0] for row in rows[1:]]
    if not isinstance(first, int) or numbers != list(range(first, first + len(numbers))):
        return rows
    texts = [j for j, cell in enumerate(rows[1]) if isinstance(cell, str)]
    labels = [tuple(row[j] for j in texts) for row in rows[1:]]
    repeated = any(len({row[j] for row in rows[1:]}) < len(labels) for j in texts)
    return [row[1:] for row in rows] if repeated and len({*labels}) == len(labels) else rows


def _parted(rows: Rows) -> Rows:
    """Return rows with several columns in place of names of series such as "Bath. Men. Persons".

    Examples
    --------
    >>> _parted([["Name", "n"], ["Bath. Men.", 3], ["Bath. Women.", 4]])
    [['Name 1', 'Name 2', 'n'], ['Bath', 'Men', 3], ['Bath', 'Women', 4]]
    """
    made: list[list[object]] = []
    for column in zip(*rows, strict=True):
        parts = [str(cell).strip().removesuffix(".").split(". ") for cell in column[1:]]
        number = len(parts[0])
        if {*map(len, parts)} != {number} or number == 1 or len({*map(tuple, parts)}) < 2:
            made.append(list(column))
            continue
        made += [[f"{column[0]} {j + 1}", *(part[j] for part in parts)] for j in range(number)]
    return [list(row) for row in zip(*made, strict=True)]


def _heading(value: object) -> Sequence[str]:
    """Return the names of columns in a list of names, or in a list of objects that describe columns."""
    if not isinstance(value, list) or len(value) < 2:
        return ()
    lists = [value]
    if all(isinstance(part, dict) for part in value):
        lists = [[part.get(key) for part in value] for key in value[0]]
    for names in lists:
        if all(isinstance(name, str) for name in names) and len({*names}) == len(names):
            return names
    return ()


def _has_heading(rows: Rows) -> bool:
    """Return whether the first row has texts only, and another row has a number."""
    return all(isinstance(cell, str) for cell in rows[0]) and _is_heading(rows[0], rows[1:])


def _is_heading(first: Row, others: Rows) -> bool:
    """Return whether the first row has a text where all other rows have numbers."""
    return any(
        isinstance(cell, str) and not _is_number(cell) and all(_is_number(row[j]) for row in others)
        for j, cell in enumerate(first)
    )


def _are_row_numbers(value: Record) -> bool:
    return all(key == str(number) for number, key in enumerate(value))


def _are_plain(cells: Iterable[object]) -> bool:
    return not any(isinstance(cell, list | dict) for cell in cells)


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        return value.replace(".", "", 1).isdecimal()
    return isinstance(value, int | float)


def _cell(value: object) -> object:
    """Return a value as the cell of a sheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value
