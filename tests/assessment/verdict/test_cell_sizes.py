"""Limits on the sizes of all cells: the share of cells with small counts, and the mean number of people per cell."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, examples, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.assessment.verdict.rule_file import read, to_toml
from sdcwidgets.cli import main

#: Kinds that are only reported, so that the limits on cell sizes decide.
REPORTED = {"one_cell": 0, "recalculable": False, "linked": False, "seed": False}


def kinds(table, release=None, **limits):
    return {stop.kind for stop in judge(table, release, ReleaseLimits("Panel", **limits, **REPORTED)).stops}


@given(
    counts=st.lists(st.lists(st.integers(0, 8), min_size=3, max_size=3), min_size=2, max_size=4),
    share=st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.99]),
    mean=st.sampled_from([0.5, 2.0, 3.5, 7.0]),
)
def test_both_limits_agree_with_counting(counts, share, mean):
    counts = np.array(counts)
    stops = kinds(FrequencyTable(counts), small_cells=share, mean_cell_size=mean)
    assert ("small-cells" in stops) == (np.isin(counts, (1, 2)).sum() > share * counts.size)
    assert ("cell-size" in stops) == (counts.sum() < mean * counts.size)


def test_rounding_removes_small_counts_but_keeps_the_mean():
    table = examples.load("religion")
    rounded = protect(table, "random-rounding", base=3, seed=1)
    limits = {"small_cells": 0.1, "mean_cell_size": 27.5}
    assert {"small-cells", "cell-size"} <= kinds(table, **limits)
    assert kinds(table, rounded, **limits) & {"small-cells", "cell-size"} == {"cell-size"}


def test_suppressed_small_counts_are_not_published():
    table = examples.load("religion")
    suppressed = protect(table, "cell-suppression", threshold=3, seed=3**60)
    assert "small-cells" not in kinds(table, suppressed, small_cells=0.0)


def test_a_limit_that_excludes_nothing_does_not_decide():
    assert not ReleaseLimits("Panel", small_cells=1.0).decides
    assert not ReleaseLimits("Panel", mean_cell_size=0).decides
    assert ReleaseLimits("Panel", small_cells=0.2).decides
    assert ReleaseLimits("Panel", mean_cell_size=5).decides


def test_kept_limits_are_listed_with_their_values():
    table = FrequencyTable([[10, 20], [30, 1]])
    kept = judge(
        table, limits=ReleaseLimits("Panel", small_cells=0.25, mean_cell_size=15, **REPORTED)
    ).limits_kept
    assert any("0.25" in line for line in kept)
    assert any("15.2" in line for line in kept)


def test_respondents_count_if_counts_are_weighted():
    weighted = FrequencyTable([[100, 200], [300, 400]]).with_respondents([[1, 2], [3, 4]])
    assert kinds(weighted, small_cells=0.4, mean_cell_size=3) == {"small-cells", "cell-size"}
    assert kinds(weighted, small_cells=0.5, mean_cell_size=2.5) == set()


def test_rule_files_and_the_command_line_have_both_limits(tmp_path, capsys):
    rules = '[rule]\nsource = "Panel"\n[limits]\nsmall-cells = 0.2\nmean-cell-size = 5\n'
    rule = read(rules)
    assert (rule.limits.small_cells, rule.limits.mean_cell_size) == (0.2, 5)
    assert read(to_toml(rule)).limits == rule.limits
    file = tmp_path / "rules.toml"
    file.write_text(rules + "[stops]\none-cell = 0\n")
    assert main(["assess", "example:religion", "--rules", str(file), "--json"]) == 3
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert [stop["kind"] for stop in verdict["stops"]] == ["small-cells"]
    with pytest.raises(ValueError, match="cell-size"):
        read(rules.replace("mean-cell-size = 5", "mean-cell-size = -1"))
