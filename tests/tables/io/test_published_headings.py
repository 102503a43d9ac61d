"""A published heading belongs to the numbers below or beside it, for every method and format."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets.tables.io.options import Reading, ReadOptions
from sdcwidgets.tables.io.sources import read_csv
from sdcwidgets.tables.io.writers import exchange
from sdcwidgets.tables.io.writers.workbook import release_workbook
from sdcwidgets.tables.release import Release

AREAS, SEXES = ("North", "South", "East", "West"), ("Men", "Women", "Others")

#: Columns that hold no counts of people, each with its cells.
NO_COUNTS = {
    "Median age": ["40", "51", "33", "45"],
    "Rank": ["2", "3", "1", "4"],
    "Men %": ["80", "88", "4", "31"],
    "Code": ["E06000001", "E06000002", "E06000003", "E06000004"],
}

#: The label of a total that a writer adds.
TOTAL = "Total"


@st.composite
def office_tables(draw: Any) -> tuple[str, set[str]]:
    """Return a file with other columns and totals in any place, and the names of its totals."""
    counts = np.random.default_rng(draw(st.integers(0, 2**32))).integers(0, 900, (len(AREAS), len(SEXES)))
    columns = {sex: list(map(str, counts[:, j])) for j, sex in enumerate(SEXES)}
    lines = [list(AREAS), *columns.values()]
    header = ["Area", *columns]
    totals = set()
    if draw(st.booleans()):
        at = draw(st.sampled_from([1, len(header)]))
        header.insert(at, "All people")
        lines.insert(at, list(map(str, counts.sum(axis=1))))
        totals.add("All people")
    if draw(st.booleans()):
        lines[0].append("England")
        sums = {name: counts[:, j].sum() for j, name in enumerate(SEXES)} | {"All people": counts.sum()}
        for name, line in zip(header[1:], lines[1:], strict=True):
            line.append(str(sums[name]))
        totals.add("England")
    extras = draw(st.lists(st.sampled_from(sorted(NO_COUNTS)), max_size=2, unique=True))
    for name in sorted(extras, key="Code".__eq__):
        at = draw(st.sampled_from([0, 1] if name == "Code" else [1, len(header)]))
        header.insert(at, name)
        rest = ["E92000001" if name == "Code" else "7"] * (len(lines[0]) - len(AREAS))
        lines.insert(at, NO_COUNTS[name] + rest)
    out = io.StringIO()
    csv.writer(out).writerows([header, *zip(*lines, strict=True)])
    return out.getvalue(), totals


Cells = Iterator[tuple[str, str, float | str]]


def of_lines(lines: list[list[Any]]) -> Cells:
    """Yield row heading, column heading and value of each published number."""
    head = next(
        i for i, line in enumerate(lines) if len([cell for cell in line if cell not in (None, "")]) > 2
    )
    for line in lines[head + 1 :]:
        if len(line) < 2 or line[1] in (None, ""):
            break
        for name, value in zip(lines[head][1:], line[1:], strict=True):
            yield str(line[0]), str(name), value


def published(release: Release, reading: Reading, margins: bool, form: str) -> Cells:
    """Yield what a file of a release shows."""
    if form == "csv":
        text = release.to_csv(margins=margins, as_read=reading.as_read)
        yield from of_lines(list(csv.reader(io.StringIO(text))))
    elif form == "xlsx":
        book = load_workbook(io.BytesIO(release_workbook(release, as_read=reading.as_read)))
        yield from of_lines([list(row) for row in book["Table"].iter_rows(values_only=True)])
    elif form == "px":
        text = exchange.px(release, margins=margins)
        labels = [
            re.findall('"([^"]*)"', part.partition("=")[2]) for part in text.split(";\n") if "VALUES(" in part
        ]
        values = re.findall(r'"[.]+"|[\d.]+', text.partition("DATA=")[2])
        yield from ((*key, value) for key, value in zip(itertools.product(*labels), values, strict=True))
    elif form == "json":
        data = json.loads(exchange.json_stat(release, margins=margins))
        sets = [list(data["dimension"][name]["category"]["index"]) for name in data["id"]]
        for key, value in zip(itertools.product(*sets), data["value"], strict=True):
            yield (*key, "" if value is None else value)
    else:
        for line in csv.DictReader(io.StringIO(exchange.sdmx_csv(release, margins=margins))):
            keys = list(line.values())
            yield keys[1], keys[2], keys[3]


@pytest.mark.parametrize("method", methods.available())
@settings(max_examples=6, deadline=None)
@given(source=office_tables())
def test_each_published_number_has_the_heading_of_its_original(method, source):
    text, totals = source
    reading = read_csv(text, how=ReadOptions(margins="drop", doubts="accept"))
    assert reading.table.axes[0].name == "Area"
    assert (reading.table.axes[0].labels, reading.table.axes[1].labels) == (AREAS, SEXES)
    try:
        release = methods.get(method)().release(reading.table, 1)
    except InputError:
        assume(False)
    rows, columns = ({label: i for i, label in enumerate(axis)} for axis in release.axes)
    for form in ("csv", "xlsx", "px", "json", "sdmx.csv"):
        for row, column, value in published(release, reading, reading.totals or not release.plain, form):
            place = rows.get(row), columns.get(column)
            for label, at in ((row, place[0]), (column, place[1])):
                assert at is not None or label in {TOTAL, *totals}
            margin = tuple(k for k, at in enumerate(place) if at is not None)
            index = tuple(at for at in place if at is not None)
            shown = float(value) if re.fullmatch(r"[\d.]*\d", str(value)) else np.nan
            wanted = release.values[margin][index] if margin in release.values else np.nan
            assert shown == wanted or (np.isnan(shown) and np.isnan(wanted))


def test_a_category_with_the_label_of_another_total_keeps_its_label():
    table = FrequencyTable([[1, 2], [3, 4]], {"Area": ["Total", "B"], "Sex": ["f", "m"]})
    content = release_workbook(Release.of(table), total="All areas")
    rows = [row for row in load_workbook(io.BytesIO(content))["Table"].iter_rows(values_only=True)][2:]
    assert rows == [
        ("Area \\ Sex", "f", "m", "All areas"),
        ("Total", 1, 2, 3),
        ("B", 3, 4, 7),
        ("All areas", 4, 6, 10),
    ]
