"""Record keys on the command line, which determine the noise of the cell key method in tables of microdata."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.cli._parser import METHOD, Parser

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from sdcwidgets.methods import Method
    from sdcwidgets.tables.release import Release
    from sdcwidgets.tables.table import FrequencyTable


def add_keys(parser: Parser) -> None:
    """Add the options for record keys and the p-table."""
    group = parser.group(METHOD)
    group.add_argument(
        "--record-key",
        metavar="COLUMN",
        help="column of record keys from 0 to below 1, for example of `sdcwidgets microdata keys` (cell-key)",
    )
    group.add_argument(
        "--largest-record-key",
        metavar="N",
        type=int,
        help="largest record key if the record keys are whole numbers from 0, for example 255 or 4095 (cell-key)",
    )
    group.add_argument(
        "--identity",
        metavar="COLUMN",
        help="column that identifies a record; the record key is computed from this column "
        "(cell-key; default: all columns)",
    )


def has_record_keys(options: argparse.Namespace, method: Method, table: FrequencyTable) -> bool:
    """Whether the records of a table determine its noise, so that all tables of the same people share one secret."""
    return method.name == "cell-key" and _records(options, table) is not None


def keyed_release(
    options: argparse.Namespace, method: Method, table: FrequencyTable, secret: int
) -> Release | None:
    """Return the release with noise that the records determine; None for another method or a table of counts.

    Raises
    ------
    InputError
        If the options for record keys do not fit the method or the file.
    """
    from sdcwidgets.methods import cellkey
    from sdcwidgets.methods.cellkey.keys import derived_record_keys
    from sdcwidgets.methods.cellkey.lookup import PLAIN, SAME_NOISE

    wanted = options.record_key or options.identity
    largest = options.largest_record_key
    if largest is not None and not options.record_key:
        raise InputError(
            "--largest-record-key has no effect without --record-key; name the column of record keys."
        )
    if options.record_key and options.identity:
        raise InputError("--record-key and --identity exclude each other; use one of them.")
    if not isinstance(method, cellkey.CellKey):
        if wanted:
            raise InputError(
                f"--record-key and --identity are options of the method cell-key; the method is {method.name}."
            )
        return None
    counted = _records(options, table)
    if counted is None:
        if wanted:
            raise InputError(
                f"Record keys need microdata with one row per person; {options.file} was read as a table of counts."
            )
        return None
    records, cells, weights = counted
    if options.record_key:
        keys = _column(records, options.record_key, largest)
    else:
        keys = derived_record_keys(records, secret, options.identity or "")
    there = cells >= 0
    cell_keys = cellkey.cell_keys(keys[there], cells[there], table.cells, largest_key=largest).reshape(
        table.shape
    )
    people = table.with_counts(np.bincount(cells[there], minlength=table.cells).reshape(table.shape))
    release = cellkey.release(
        people,
        cell_keys,
        method.noise_table(),
        secret=secret if method.cell_keys == "mixed" else None,
        margins_own=method.margins == "own",
        notes=(method.note(), SAME_NOISE)
        if method.cell_keys == "mixed"
        else (method.note(), PLAIN, SAME_NOISE),
        weights=weights,
        largest_key=largest,
    )
    # The command prints the warning about a guessable seed for all methods.
    return replace(release, internal_cautions=())


def _records(
    options: argparse.Namespace, table: FrequencyTable
) -> tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.float64] | None] | None:
    """Return the records of a file, the cell of each record, and the weight of each cell if there are weights.

    Return None if the file holds no records, or if the counts of the records differ from the table. Records that
    `only` leaves out are in the cell -1: they keep their keys, which do not count.
    """
    from sdcwidgets.tables.io.layout.records import weight_in

    records, weight = _read(options), getattr(options, "weight", None)
    labels = [label.strip() for label in (getattr(options, "only", None) or "").split(",")]
    only = dict(label.split("=", 1) for label in labels if "=" in label and not label.endswith("=*"))
    needed = {axis.name for axis in table.axes} | set(only)
    if weight:
        needed.add(weight)
    if records is None or not needed <= set(records):
        return None
    there = np.ones(len(records), dtype=bool)
    for name, label in only.items():
        there &= (records[name].astype(str).str.strip() == label).to_numpy()
    cells = np.full(len(records), -1)
    places = _cells(records, there, table, getattr(options, "missing", None) or "")
    if places is None:
        return None
    cells[there] = places
    weights = None
    if weight:
        weighing = enumerate(records[weight][there], 1)
        weights = np.array([weight_in(cell, row, weight) for row, cell in weighing])
    counts = np.bincount(places, weights, minlength=table.cells).reshape(table.shape)
    # A table holds sums of weights, rounded to whole people.
    if np.abs(counts - table.counts).max(initial=0) > (0 if weights is None else 1):
        return None
    return records, cells, None if weights is None else counts.astype(np.float64)


def _read(options: argparse.Namespace) -> pd.DataFrame | None:
    """Return the records of the file; None if it holds a table."""
    from sdcwidgets.microdata.reading import read_records
    from sdcwidgets.tables.io.sources.kinds import standard_input

    piped = options.file == "-"
    if getattr(options, "count", None) or not (piped or Path(options.file).is_file()):
        return None
    try:
        return read_records(options.file, standard_input() if piped else None)[0]
    except InputError:
        return None


def _cells(
    records: pd.DataFrame, there: NDArray[np.bool_], table: FrequencyTable, missing: str
) -> NDArray[np.int64] | None:
    """Return the cell of each record; None if a label of a record is not in the table."""
    from sdcwidgets.tables.io.sources.missing_values import cleaned

    codes = []
    for axis in table.axes:
        texts = cleaned(records[axis.name]).fillna(missing)[there].astype(str).str.strip()
        code = texts.map({label: index for index, label in enumerate(axis.labels)})
        if code.isna().any():
            return None
        codes.append(code.to_numpy(dtype=np.int64))
    return np.ravel_multi_index(tuple(codes), table.shape)


def _column(records: pd.DataFrame, name: str, largest: int | None) -> NDArray[np.float64]:
    """Return a column of record keys as numbers, which are whole if there is a largest one."""
    import pandas as pd

    from sdcwidgets.methods.cellkey.keys import is_key, number_of_keys, range_of_keys

    number_of_keys(largest)  # raises InputError for a wrong largest key

    if name not in records:
        raise InputError(
            f"The file has no column {quoted(name)}; --record-key must be one of {', '.join(map(quoted, records))}."
        )
    keys = pd.to_numeric(records[name], errors="coerce").to_numpy(dtype=np.float64)
    wrong = ~is_key(keys, largest)
    if wrong.any():
        row = int(np.argmax(wrong))
        is_whole = largest is None and bool((keys == np.floor(keys)).all())
        advice = (
            ". If record keys are whole numbers, state the largest one with --largest-record-key"
            if is_whole
            else ""
        )
        raise InputError(
            f"Record {row + 1} has {quoted(str(records[name].iloc[row]))} as {quoted(name)}; a record key must be "
            f"{'a number ' if largest is None else ''}{range_of_keys(largest)}{advice}."
        )
    return keys
