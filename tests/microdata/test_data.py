"""Files of records: categories, missing values, weights, keys, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError
from sdcwidgets.core.microdata.keys import frequencies
from sdcwidgets.microdata import Microdata, population, sample


@pytest.fixture
def file():
    return Microdata.from_frame(
        pd.DataFrame(
            {
                "name": [f"person {k}" for k in range(12)],
                "sex": pd.Categorical(["m", "w"] * 6, categories=["w", "m"]),
                "age": [30, 41, None, 30, 30, 41, 41, 30, 5, 41, 30, 41],
                "income": np.linspace(1000.5, 9000.25, 12),
                "weight": [1, 2.5] * 6,
                "home": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6],
            }
        ),
        weight="weight",
        household="home",
    )


def test_categories_keep_their_order_and_whole_numbers_are_whole(file):
    assert file["sex"].labels == ("w", "m")
    assert file["age"].labels == ("5", "30", "41")
    assert file["age"].missing == 1
    assert file["age"].kind == "3 numbers, 1 missing"
    assert file["age"].label(2) == "missing"


def test_codes_of_keys_are_what_frequencies_takes(file):
    assert frequencies(file.codes(["sex"])).tolist() == [6] * 12
    assert frequencies(file.codes(["sex", "age"]))[2] == 6


def test_a_frame_comes_back_as_it_was(file):
    back = file.to_frame()
    assert back["age"].isna().sum() == 1
    assert back["age"].dtype == "Int64"
    assert back["sex"].tolist() == ["m", "w"] * 6
    np.testing.assert_allclose(back["income"], np.linspace(1000.5, 9000.25, 12))
    assert back["weight"].tolist() == [1, 2.5] * 6


def test_weights_and_households(file):
    assert file.weights.sum() == 21
    assert len(set(file.households.tolist())) == 6
    assert Microdata.from_frame(pd.DataFrame({"a": [1, 2]})).weights.tolist() == [1, 1]


def test_a_record_without_a_household_is_one_of_its_own(file):
    frame = file.to_frame().assign(home=[1, 1, None, None, 3, 3, 4, 4, 5, 5, 6, None])
    homes = Microdata.from_frame(frame, household="home").households
    assert [int((homes == one).sum()) for one in homes] == [2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1]
    assert homes.min() == 0


def test_parquet_holds_the_same(file, tmp_path):
    file.to_parquet(tmp_path / "file.parquet")
    back = pd.read_parquet(tmp_path / "file.parquet")
    assert back["sex"].tolist() == ["m", "w"] * 6
    assert back["age"].isna().sum() == 1
    assert list(back.columns) == list(file.variables)


def test_text_that_a_spreadsheet_takes_for_a_formula_is_written_as_text():
    text = Microdata.from_frame(pd.DataFrame({"a": ["=1+1", None, "x"]})).to_csv()
    assert text.splitlines() == ["a", "'=1+1", '""', "x"]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ([], "No key variable is selected"),
        (["sexx"], 'The file has no variable "sexx"; it has "name"'),
        (["name"], '"name" has 12 different texts in 12 records'),
        (["sex", "sex"], "named twice"),
        (["weight"], '"weight" is the sampling weight'),
        (["home"], '"home" is the household number'),
    ],
)
def test_keys_that_are_none_are_refused_in_a_sentence(file, keys, told):
    with pytest.raises(InputError, match=told):
        file.codes(keys)


def test_a_key_of_thousands_of_numbers_is_refused():
    wide = Microdata.from_frame(pd.DataFrame({"income": np.arange(5000) / 7}))
    with pytest.raises(
        InputError, match="5,000 different values; a key variable can have at most 2,000, so recode"
    ):
        wide.codes(["income"])


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ([1, 0.5, 2], "of record 2 is 0.5"),
        ([1, 2, None], "of record 3 is missing"),
        ([1, float("inf"), 2], "of record 2 is inf"),
        (["a", "b", "c"], "is text"),
    ],
)
def test_weights_that_are_none_are_refused_in_a_sentence(weights, told):
    with pytest.raises(InputError, match=told):
        Microdata.from_frame(pd.DataFrame({"w": weights}), weight="w")


def test_two_columns_of_one_name_and_a_file_of_nobody_are_refused():
    with pytest.raises(InputError, match='Two columns have the name "a"'):
        Microdata.from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(InputError, match="no records"):
        Microdata.from_frame(pd.DataFrame({"a": []}))


def test_a_sample_has_whole_households_and_weights_that_estimate_the_population():
    people = population(20_000, seed=3)
    drawn = sample(people, "proportional", 400, seed=2)
    assert drawn.records == sum(
        (people.households == number).sum() for number in set(drawn.households.tolist())
    )
    assert drawn.weights.sum() == pytest.approx(20_000, rel=0.1)
    assert sample(people, "proportional", 400, seed=2)["age"].codes.tolist() == drawn["age"].codes.tolist()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"design": "snow"}, "'snow'.* srs, proportional"),
        ({"households": 10**6}, "sample size must be from 1 to"),
        ({"design": "equal", "stratum": "county"}, 'no variable "county"'),
        ({"design": "equal", "stratum": "age"}, "different strata"),
    ],
)
def test_samples_that_cannot_be_drawn_are_refused_in_a_sentence(how, told):
    with pytest.raises(InputError, match=told):
        sample(population(2000), **{"design": "srs", "households": 10, **how})
