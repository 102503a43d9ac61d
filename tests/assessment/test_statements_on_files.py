"""Statements of a report on suppressed values are true for the saved file, by independent integer programs."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.release import Release, completed
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.page_state.table_state import TableState

SEED = 3**33

ON_TOTALS = "also those that the saved table does not contain"


def long_file(seed):
    """Return a long file of counts without totals, which is written back in its layout."""
    rng = np.random.default_rng(seed)
    lines = [
        f"Area {area},{sex},{age},{rng.poisson(4)}"
        for area in "ABCD"
        for sex in ("m", "f")
        for age in ("0-17", "18-64", "65+")
    ]
    return "\n".join(["Area,Sex,Age,Persons", *lines, ""]).encode()


def suppressed_report(seed):
    source = File.from_input(long_file(seed), "persons.csv")
    reading = source.read()
    state = TableState(reading.table).with_table(reading.table, source.light(reading))
    method = methods.get("cell-suppression")(threshold=3)
    return report_on(state, method.release(reading.table, SEED), method, seed=SEED)


def possible_counts(release, margins):
    """Return the number of possible counts of each suppressed cell, by an integer program with some sums."""
    shape, places = release.shape, np.arange(release.cells.size).reshape(release.shape)
    rows, sums = [], []
    for margin in margins:
        for index in np.ndindex(*[shape[k] for k in margin]):
            value = float(release.values[margin][index])
            if np.isnan(value):
                continue
            inside = [slice(None)] * len(shape)
            for k, at in zip(margin, index, strict=True):
                inside[k] = at
            row = np.zeros(places.size)
            row[places[tuple(inside)].ravel()] = 1
            rows.append(row)
            sums.append(value)
    widths = {}
    # The method suppresses no zero.
    least = np.where(release.suppressed.ravel(), 1, 0)
    equations = LinearConstraint(np.array(rows), sums, sums)
    for cell in np.flatnonzero(release.suppressed):
        ends = []
        for sign in (1, -1):
            cost = np.zeros(places.size)
            cost[cell] = sign
            solved = milp(
                cost, constraints=equations, bounds=Bounds(least, np.inf), integrality=np.ones(places.size)
            )
            ends.append(np.inf if solved.x is None else round(float(solved.x[cell])))
        widths[int(cell)] = ends[1] - ends[0] + 1
    return widths


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_intervals_are_those_of_integer_programs_with_all_totals(seed):
    report = suppressed_report(seed)
    release = report.release
    margins = [margin for size in range(4) for margin in combinations(range(3), size)]
    with_totals = possible_counts(release, margins)
    [sentence] = [text for text in report.conclusions if "possible counts" in text]
    stated = [int(number) for number in re.search(r"with ([\d to]+) possible", sentence)[1].split(" to ")]
    widths = set(with_totals.values())
    assert set(stated) == {min(widths), max(widths)}
    # With the values of the saved table only, no interval is narrower.
    of_file = possible_counts(release, report.margins_of_file)
    assert all(of_file[cell] >= with_totals[cell] for cell in with_totals)


def test_suppressed_totals_that_the_file_lacks_are_not_counted():
    nan = float("nan")
    values = {(0, 1): [[nan, 4], [nan, 6]], (0,): [nan, nan], (1,): [nan, 10], (): nan}
    table = FrequencyTable([[1, 4], [2, 6]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
    low = {margin: np.zeros(np.shape(array)) for margin, array in values.items()}
    high = {margin: np.full(np.shape(array), np.inf) for margin, array in values.items()}
    release = Release(table.axes, values, low, high)
    state = TableState(table)
    with_totals = report_on(state, release)
    without = replace(with_totals, totals=False)
    assert with_totals.conclusions[-1].startswith("2 of 4 cells and 4 totals are suppressed")
    assert without.conclusions[-2].startswith("2 of 4 cells are suppressed")
    assert ON_TOTALS in without.conclusions[-1]
    assert not any(ON_TOTALS in sentence for sentence in with_totals.conclusions)


def test_unknown_counts_are_not_suppressed():
    table = FrequencyTable([[12, 14], [0, 16]]).with_unknown([[False, False], [True, False]])
    report = report_on(TableState(table), completed(Release.of(table), table))
    assert not any("suppressed" in sentence for sentence in report.conclusions)
