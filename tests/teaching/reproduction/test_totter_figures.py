"""Figures of Totter's thesis: a wrong number among the published ones is noticed."""

import copy

import pytest

from sdcwidgets.teaching.reproduction import load, totter
from sdcwidgets.teaching.reproduction.figure import DIFFERS, REPRODUCES

GROUPS = {totter.designs: 10, totter.toy_file: 44, totter.anonymity: 30, totter.simulations: 22}


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_every_figure_reproduces(group):
    verdicts = [figure.verdict for figure in group()]
    assert verdicts == [REPRODUCES] * GROUPS[group]


@pytest.mark.parametrize(
    ("group", "path"),
    [
        (totter.designs, ("Example 1.10", "people", "1")),
        (totter.toy_file, ("Table 6", "counts", 0)),
        (totter.anonymity, ("Table 5", "counts", 3)),
        (totter.simulations, ("section 4.2", "unique people", "scenario 2")),
    ],
)
def test_a_changed_number_differs(group, path, monkeypatch):
    changed = copy.deepcopy(load("totter2014"))
    *outer, last = path
    part = changed
    for key in outer:
        part = part[key]
    part[last] += 1
    monkeypatch.setattr(totter, "load", lambda name: changed)
    assert DIFFERS in [figure.verdict for figure in group()]


def test_a_suppressed_value_agrees_with_all_values():
    sizes = {
        figure.subject: figure.recomputed for figure in totter.anonymity() if figure.location == "Table 5"
    }
    # Record 4 has only its gender, and 7 of 12 records are of men.
    assert sizes["record 4"] == 7


def test_records_are_numbered_from_1_as_they_are_printed():
    names = [figure.subject for figure in totter.anonymity() if figure.location == "Table 4"]
    records = [name for name in names if name.startswith("record ")]
    assert records == [f"record {number}" for number in range(1, len(records) + 1)]
    assert len(records) == 12
