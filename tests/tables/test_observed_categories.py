"""Data users know that each category has people if the categories were read from records, and enumerate the tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import Axis, FrequencyTable, InputError, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main

LIMITS = ReleaseLimits("Panel", no_risk_limit="the data user decides", all_but_one=1, reading="sure")

METHODS = (
    methods.get("conventional-rounding")(base=3),
    methods.get("conventional-rounding")(base=3, margins="own"),
    methods.get("random-rounding")(base=3),
    methods.get("small-cell-adjustment")(),
)


@st.composite
def counted(draw):
    """Return a small table of records in which each category occurs."""
    shape = draw(st.sampled_from([(3,), (2, 2), (2, 3)]))
    cells = draw(st.lists(st.integers(0, 3), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    counts = np.array(cells).reshape(shape)
    for k, size in enumerate(shape):
        for i in range(size):
            if not counts.take(i, axis=k).any():
                counts[(0,) * k + (i,) + (0,) * (len(shape) - k - 1)] = 1
    places = [place for place, count in np.ndenumerate(counts) for _ in range(count)]
    names = [f"X{k}" for k in range(len(shape))]
    records = pd.DataFrame([[f"{k}{i}" for k, i in enumerate(place)] for place in places], columns=names)
    return FrequencyTable.from_records(records, names)


def possible(release):
    """Return all tables that agree with each published value, and have people in each category."""
    low, high = release.bounds(*(axis.name for axis in release.axes))
    ranges = [range(int(a), int(b) + 1) for a, b in zip(low.ravel(), high.ravel(), strict=True)]
    tables = np.array(list(itertools.product(*ranges))).reshape(-1, *release.shape)
    every = range(release.ndim)
    for margin in dict(release.values):
        sums = tables.sum(axis=tuple(k + 1 for k in every if k not in margin))
        fits = (sums >= release.lower[margin]) & (sums <= release.upper[margin])
        tables = tables[fits.reshape(len(tables), -1).all(axis=1)]
    for k in every:
        occupied = tables.sum(axis=tuple(j + 1 for j in every if j != k)) > 0
        tables = tables[occupied.all(axis=1)]
    return tables


@settings(max_examples=25)
@given(counted(), st.sampled_from(METHODS), st.integers(0, 5))
def test_intervals_and_verdict_are_those_of_an_enumeration_that_fills_each_category(table, method, seed):
    release = method.release(table, seed)
    tables = possible(release)
    assert (tables == table.counts).reshape(len(tables), -1).all(axis=1).any()
    lower, upper = release.cell_bounds()
    assert lower.tolist() == tables.min(axis=0).tolist()
    assert upper.tolist() == tables.max(axis=0).tolist()
    if table.ndim == 2 and judge(table, release, LIMITS).answer == "release":
        for axis in (0, 1):
            is_certain = (tables > 0).any(axis=0).sum(axis=axis) == 1
            assert not is_certain.any()


def test_a_count_of_one_that_was_rounded_to_zero_is_stated_as_exact():
    table = FrequencyTable.from_records(pd.DataFrame({"Area": ["A"] * 6 + ["B"]}), ["Area"])
    assert protect(table, "conventional-rounding").intervals()["lower"].tolist() == [5, 1]
    assert protect(table, "conventional-rounding").intervals()["upper"].tolist() == [7, 1]
    # A table of counts can have empty categories, and so can a categorical column.
    counts = FrequencyTable(table.counts, {"Area": ["A", "B"]})
    assert protect(counts, "conventional-rounding").intervals()["lower"].tolist() == [5, 0]
    column = pd.Categorical(["A"] * 6 + ["B"], ["A", "B", "C"])
    listed = FrequencyTable.from_records(pd.DataFrame({"Area": column}), ["Area"])
    assert protect(listed, "conventional-rounding").intervals()["lower"].tolist() == [5, 0, 0]


@pytest.mark.parametrize("of", ["file", "frame"])
def test_the_fact_is_kept_when_records_are_read_and_lost_when_counts_change(of):
    text = "Area,Sex\nA,m\nA,f\nA,f\nB,m\n"
    if of == "file":
        table = FrequencyTable.from_csv(text, by=["Area", "Sex"], count="rows")
    else:
        table = FrequencyTable.from_records(
            pd.DataFrame([line.split(",") for line in text.split()[1:]], columns=["Area", "Sex"]),
            ["Area", "Sex"],
        )
    assert [axis.observed for axis in table.axes] == [True, True]
    assert [axis.observed for axis in table.marginal("Sex").axes] == [True]
    assert [axis.observed for axis in table.rename(Sex="Gender").axes] == [True, True]
    assert [axis.observed for axis in table.with_count((1, 1), 0).axes] == [False, True]
    assert [axis.observed for axis in table.slice(Area="A").axes] == [False]
    assert table.axes == (Axis("Area", ("A", "B")), Axis("Sex", tuple(table.axes[1].labels)))


def test_a_report_for_data_users_states_the_exact_count(tmp_path, capsys):
    source, report = tmp_path / "people.csv", tmp_path / "report.html"
    source.write_text("Area\n" + "A\n" * 6 + "B\n")
    options = ["--by", "Area", "--count", "rows", "--method", "conventional-rounding"]
    assert (
        main(["protect", str(source), *options, "-o", str(tmp_path / "o.csv"), "--report", str(report)]) == 0
    )
    assert "exact counts of 1 of 2 cells" in report.read_text("utf-8")


def test_unused_categories_of_a_categorical_are_kept_and_logged(caplog):
    area = pd.Categorical(["a", "b", "a"], categories=["a", "b", "z"])
    frame = pd.DataFrame({"Area": area, "Sex": ["m", "f", "f"]})
    table = FrequencyTable.from_records(frame, ["Area", "Sex"])
    assert table.axes[0].labels == ("a", "b", "z")
    (line,) = [record.getMessage() for record in caplog.records]
    assert '"z"' in line
    assert "Area" in line
    caplog.clear()
    FrequencyTable.from_records(frame.assign(Area=area.remove_unused_categories()), ["Area", "Sex"])
    assert not caplog.records


def test_records_without_columns_have_a_message_with_the_argument_and_the_columns():
    frame = pd.DataFrame({"Area": ["a"], "Sex": ["m"]})
    with pytest.raises(InputError) as error:
        FrequencyTable.from_records(frame)
    for word in ("columns", "Area", "Sex"):
        assert word in str(error.value)
    with pytest.raises(InputError, match="no records"):
        FrequencyTable.from_records(frame[:0], ["Area"])
