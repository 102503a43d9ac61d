"""What a protected file still tells: attacks on it with what stays beside the keys, by pandas alone."""

import itertools
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sdcwidgets.cli import main
from sdcwidgets.dashboards.microdata import protection
from sdcwidgets.dashboards.microdata.report import as_code, report
from sdcwidgets.dashboards.microdata.result import as_it_came, compute
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata import Microdata, Variable, population, sample
from sdcwidgets.microdata.inferred_values import given_back
from sdcwidgets.microdata.protecting import for_release

STATE = MicrodataState(keys=("region", "household size", "age", "sex"))
KEYS = list(STATE.keys)


def values_that_fit(released: list[str], categories: list[str]) -> list[set[str]]:
    """Return the original values of each record that can lead to the values released by PRAM in one stratum.

    A new value is a value of the stratum, so that every released value is among the original ones.
    """
    originals = [
        values
        for values in itertools.product(categories, repeat=len(released))
        if set(released) <= set(values)
    ]
    return [set(values) for values in zip(*originals, strict=True)]


def test_pram_within_strata_discloses_values_of_records_that_are_alone_only(tmp_path):
    alone = 0
    for number in range(4):
        rng = np.random.default_rng(77000 + number)
        size = int(rng.integers(6, 16))
        frame = pd.DataFrame({"area": rng.choice(list("abcde"), size), "job": rng.choice(list("xyz"), size)})
        source, output = tmp_path / f"source{number}.csv", tmp_path / f"output{number}.csv"
        frame.to_csv(source, index=False)
        arguments = ["--strata", "area", "--pram", "job=0.5", "--pram-within", "--sensitive", ""]
        assert main(["microdata", str(source), "--keys", "area,job", *arguments, "-o", str(output)]) == 0
        for area, group in pd.read_csv(output).groupby("area"):
            if len(group) > 6:
                continue
            original = frame.loc[frame["area"] == area, "job"].tolist()
            for possible in values_that_fit(group["job"].tolist(), list("xyz")):
                assert (len(possible) == 1) == (len(group) == 1)
            if len(group) == 1:
                alone += 1
                assert group["job"].tolist() == original
    assert alone


def attacked(saved: pd.DataFrame) -> pd.DataFrame:
    """Return the file with the blanks filled in that the household of a record tells."""
    filled = saved.copy()
    home = filled.groupby("household")
    size = home["household"].transform("size")
    filled["household size"] = filled["household size"].astype(object).fillna(size.astype(str))
    known = home["region"].transform(lambda values: values.dropna().astype(str).min())
    filled["region"] = filled["region"].astype(object).fillna(known)
    return filled


@pytest.fixture(scope="module")
def protected():
    return compute(replace(STATE, suppress=True))


def right(filled, protected, name):
    """Return how many blanked values are found, of how many; records are paired by their place."""
    blank = protected.file[name].codes < 0
    truth = np.array(protected.original[name].labels)[protected.original[name].codes]
    return int((filled[name].astype(str).to_numpy() == truth)[blank].sum()), int(blank.sum())


def test_the_number_of_the_household_would_give_all_blanks_back(protected):
    kept = for_release(protected.file, keep_household=True).to_frame()
    filled = attacked(protected.file.to_frame())
    for name in ("household size", "region"):
        found, blanked = right(filled, protected, name)
        assert found == blanked > 0
    assert "household" in kept


def test_the_saved_file_has_neither_households_nor_their_order(protected):
    saved = protected.released.to_frame()
    assert "household" not in saved
    assert len(saved) == len(protected.f)
    # The order tells nothing: however the records stood before, the same file is saved.
    order = np.random.default_rng(5).permutation(len(saved))
    pd.testing.assert_frame_equal(for_release(protected.file.take(order)).to_frame(), saved)
    held = protected.file.without(["household"]).to_frame().astype(str)
    by = list(held.columns)
    pd.testing.assert_frame_equal(
        saved.astype(str).sort_values(by, ignore_index=True), held.sort_values(by, ignore_index=True)
    )


def test_screen_and_report_say_that_households_are_left_out(protected):
    assert "household number" in protection.left_out(protected)
    assert "3-anonymous" in protection.suppression_summary(protected)
    told = report(protected, as_it_came(protected.state))
    assert "household number" in told
    assert "by their" in told
    assert "Sampling weights, households and" not in told


def test_a_file_that_keeps_its_households_is_not_called_k_anonymous(protected):
    kept = compute(protected.state.set(keep_household=True))
    assert "household" in kept.released.variables
    for told in (protection.suppression_summary(kept), report(kept, as_it_came(kept.state))):
        assert "is 3-anonymous" not in told
        assert told.count("lives together") == 1
    assert protection.left_out(kept) == ""
    unprotected = compute(replace(kept.state, suppress=False))
    assert "household" in protection.left_out(unprotected)


def test_blanked_sizes_of_households_that_whole_households_tell_are_told(protected):
    """A reader of the saved file counts its sizes: what lacks to a multiple of 7 are people in households of 7."""
    shown = protected.released.to_frame()["household size"].astype("Int64").value_counts()
    sizes = range(1, int(shown.index.max()) + 1)
    lack = {size: -int(shown.get(size, 0)) % size for size in sizes}
    blanked = protected.file["household size"].codes < 0
    true = pd.Series(protected.original["household size"].values()[blanked]).astype(int).value_counts()
    assert all(true.get(size, 0) >= lack[size] for size in sizes)
    assert sum(lack.values()) > 0
    inference = f"at least {sum(lack.values())} of {blanked.sum()} suppressed values of household size"
    assert inference in protection.suppression_summary(protected)
    assert inference in report(protected, as_it_came(protected.state))
    # With household numbers in the file, they disclose every size.
    kept = compute(protected.state.set(keep_household=True))
    assert "values of household size" not in protection.suppression_summary(kept)
    moved = compute(replace(protected.state, pram=(("household size", 0.2),)))
    assert "values of household size" not in protection.suppression_summary(moved)
    without = compute(replace(protected.state, keys=("region", "age", "sex")))
    assert "values of household size" not in protection.suppression_summary(without)


def test_weights_that_tell_the_region_are_found():
    state = replace(STATE.set(design="equal", households=300), suppress=True)
    result = compute(state)
    saved = result.released.to_frame()
    by_weight = saved.dropna(subset="region").groupby("weight", observed=True)["region"]
    assert by_weight.agg(lambda values: len(set(values)) == 1).all()
    blank = int(saved["region"].isna().sum())
    assert blank
    assert result.undone == {("weight", "region"): blank}
    told = protection.suppression_summary(result)
    assert "is 3-anonymous" not in told
    assert f"weight reveals {blank:,} suppressed value" in told


def test_what_no_other_variable_tells_is_not_called_given_back(protected):
    """The weights of a simple random sample are all alike, and income or occupation tell no region."""
    assert protected.released["region"].missing > 0
    assert {"income", "weight"} <= set(protected.released.variables)
    assert protected.undone == {}
    # Values that are nearly all different follow for chance alone.
    numbered = protected.released.put(
        Variable("number", np.arange(protected.released.records), np.arange(protected.released.records))
    )
    assert given_back(numbered, KEYS) == {}


def test_a_variable_that_goes_with_a_key_gives_it_back():
    county = np.random.default_rng(3).integers(0, 12, 400)
    state = pd.Series([f"s{n // 4}" for n in county])
    frame = pd.DataFrame({"state": state.where(state.index % 40 > 0), "county": county})
    rule = frame.dropna(subset="state").groupby("county")["state"].first()
    blank = frame["state"].isna()
    assert (frame["county"].map(rule) == state)[blank].sum() == 10
    assert given_back(Microdata.from_frame(frame), ["state"]) == {("county", "state"): 10}


def test_a_household_of_another_name_is_found_by_the_number_of_its_records(protected):
    home = protected.original["household"]
    file = protected.file.without(["household"]).put(replace(home, name="dwelling"))
    found = given_back(file, KEYS)
    assert found["dwelling", "household size"] == file["household size"].missing > 0
    assert 0 < found["dwelling", "region"] <= file["region"].missing


def test_the_code_of_the_screen_makes_the_saved_file():
    for state in (STATE.set(households=200), STATE.set(households=200, keep_household=True)):
        space = {}
        exec(as_code(replace(state, suppress=True)), space)
        expected = compute(replace(state, suppress=True)).released
        assert space["safe"].to_csv() == expected.to_csv()


def test_a_file_without_households_loses_none_of_its_variables():
    file = sample(population(5_000), households=100, seed=1).without(["household"])
    assert list(for_release(file).variables) == list(file.variables)


def test_a_number_of_the_records_is_reported_before_release():
    """The released records are sorted by their values, so such a number restores the original order."""
    frame = pd.DataFrame({"id": np.arange(60), "job": ["a", "b", "c"] * 20, "age": [20, 30, 40, 50] * 15})
    with pytest.warns(UserWarning, match='"id"'):
        for_release(Microdata.from_frame(frame))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        released = for_release(Microdata.from_frame(frame, left_out=["id"])).to_frame()
    assert list(released.columns) == ["job", "age"]
    assert released["job"].is_monotonic_increasing
