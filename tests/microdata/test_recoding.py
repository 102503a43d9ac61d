"""Recoding: Totter's example, and laws of categories."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError
from sdcwidgets.core.microdata.keys import frequencies
from sdcwidgets.microdata import Microdata, Variable
from sdcwidgets.microdata.protecting import post_randomised, suppressed
from sdcwidgets.microdata.recoding import bottom_code, group, intervals, top_code

AGES = [14, 15, 23, 28, 32, 33, 39, 39, 42, 52, 58, 59, 59, 63, 70, 71, 80, 82, 84, 86, 86, 94, 96, 97, 99]


def counts(variable):
    return np.bincount(variable.codes, minlength=len(variable.categories)).tolist()


def test_example_1_4_ages_in_ten_intervals():
    assert counts(intervals(Variable.of("age", AGES), 10)) == [2, 2, 4, 1, 1, 4, 2, 2, 3, 4]


def test_intervals_say_what_is_in_them():
    age = Variable.of("age", AGES)
    assert intervals(age, [18, 65]).labels == ("17 or less", "18 to 64", "65 or more")
    assert intervals(age, 2).labels == ("14 to 52", "58 to 99")
    assert intervals(Variable.of("x", [0.5, 1.5, 2.5]), [1, 2]).labels == ("below 1", "1 to 2", "2 or more")


def test_ends_put_together_keep_the_others_and_missing_values():
    size = Variable.of("size", [1, 2, None, 3, 9])
    assert top_code(size, 3).labels == ("1", "2", "3 or more")
    assert bottom_code(size, 2).labels == ("2 or less", "3", "9")
    assert top_code(size, 4).labels == ("1", "2", "3", "4 or more")
    assert bottom_code(size, 4).labels == ("4 or less", "9")
    assert top_code(size, 3).codes.tolist() == [0, 1, -1, 2, 2]
    school = Variable.of("school", pd.Categorical(["low", "high"], categories=["low", "middle", "high"]))
    assert top_code(school, "middle").labels == ("low", "middle or more")


def test_recoding_never_makes_a_record_rarer():
    rng = np.random.default_rng(1)
    file = Microdata.from_frame(
        pd.DataFrame({"age": rng.integers(0, 60, 300), "sex": rng.choice(["m", "w"], 300)})
    )
    before = frequencies(file.codes(["age", "sex"]))
    for recoded in (intervals(file["age"], 7), top_code(file["age"], 40), bottom_code(file["age"], 20)):
        assert (frequencies(file.put(recoded).codes(["age", "sex"])) >= before).all()


def test_groups_take_the_place_of_their_first_category():
    country = Variable.of("country", ["AT", "DE", "IT", "US", None])
    assert group(country, {"EU": ["DE", "IT"]}).labels == ("AT", "EU", "US")
    assert group(country, {"DE": ["DE", "IT"]}).labels == ("AT", "DE", "US")
    assert group(country, {"EU": ["DE", "IT"]}).codes.tolist() == [0, 1, 1, 2, -1]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda v: group(v["land"], {"EU": ["FR"]}), 'no category "FR"; it has "AT", "DE"'),
        (lambda v: group(v["land"], {"a": ["AT"], "b": ["AT"]}), '"AT" is in two groups'),
        (lambda v: group(v["land"], {"AT": ["DE"]}), '"AT" is already a category'),
        (lambda v: intervals(v["land"], 3), "not numeric"),
        (lambda v: intervals(v["age"], 1), "at least 2"),
        (lambda v: intervals(v["age"], [5, 5]), "increasing numbers"),
        (lambda v: top_code(v["age"], 200), "numbers from 1 to 9"),
        (lambda v: top_code(v["age"], "old"), "numbers from 1 to 9"),
        (lambda v: bottom_code(v["land"], "FR"), 'no category "FR"'),
    ],
)
def test_recoding_that_makes_no_sense_is_refused_in_a_sentence(call, told):
    file = Microdata.from_frame(pd.DataFrame({"land": ["AT", "DE"], "age": [1, 9]}))
    with pytest.raises(InputError, match=told):
        call(file)


def test_texts_among_numbers_are_named():
    age = Variable.of("Age", ["23", "41", "k.A.", "17", "k.A."])
    with pytest.raises(
        InputError, match=r'^2 records have "k\.A\." in "Age", and all other values are numbers: leave'
    ):
        intervals(age, 2)


def test_suppression_tells_what_was_lost_and_keeps_the_rest():
    file = Microdata.from_frame(
        pd.DataFrame({"sex": list("mmwwmm"), "job": list("aabcab"), "age": [1, 2, 3, 4, 5, 6]})
    )
    found = suppressed(file, ["sex", "job"], 2)
    assert frequencies(found.file.codes(["sex", "job"])).min() >= 2
    assert sum(found.blanked.values()) >= found.records > 0
    assert found.file["age"].codes.tolist() == file["age"].codes.tolist()
    with pytest.raises(InputError, match="from 2 to 6"):
        suppressed(file, ["sex"], 7)
    with pytest.raises(InputError, match="no variable"):
        suppressed(file, ["sexx"], 2)


def test_post_randomised_values_keep_their_shares_about():
    before = Variable.of("sex", ["m"] * 6000 + ["w"] * 4000)
    after = post_randomised(before, 0.5, seed=np.random.default_rng(3))
    assert 0.4 < (after.codes != before.codes).mean() / (0.5 * 2 * 0.6 * 0.4) < 1.2
    assert abs((after.codes == 0).mean() - 0.6) < 0.02
    with pytest.raises(InputError, match="from 0 to 1"):
        post_randomised(before, 2)
    with pytest.raises(InputError, match="missing"):
        post_randomised(Variable.of("x", [None, None]), 0.5)
