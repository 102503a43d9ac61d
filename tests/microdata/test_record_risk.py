"""Risk of records: the numbers of the definitions, of a frame, a file and a Microdata alike."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError, microdata
from sdcwidgets.core.microdata.class_sizes import hiding
from sdcwidgets.core.risk.individual import household_risk, individual_risk
from sdcwidgets.core.risk.sample import MODELS, modelled_tau

RNG = np.random.default_rng(3)
PEOPLE = pd.DataFrame(
    {
        "region": RNG.choice(["N", "S"], 60),
        "age": RNG.choice(["0-14", "15-64", "65+"], 60),
        "home": np.arange(60) // 3,
        "weight": RNG.integers(5, 40, 60),
    }
)
KEYS = ["region", "age"]


def test_the_columns_follow_their_definitions():
    frame = microdata.risk(PEOPLE, KEYS, weight="weight", household="home")
    alike = PEOPLE.groupby(KEYS)["weight"].transform("size")
    weighted = PEOPLE.groupby(KEYS)["weight"].transform("sum")
    assert frame["frequency"].tolist() == alike.tolist()
    np.testing.assert_allclose(frame["weighted_frequency"], weighted)
    np.testing.assert_allclose(frame["risk"], individual_risk(alike, weighted))
    np.testing.assert_allclose(frame["household_risk"], household_risk(frame["risk"], PEOPLE["home"]))
    assert frame[KEYS].astype(str).equals(PEOPLE[KEYS])


def test_records_with_missing_values_count_in_part():
    people = PEOPLE.assign(age=PEOPLE["age"].where(np.arange(60) > 5))
    file = microdata.Microdata.from_frame(people)
    assert microdata.risk(file, KEYS)["frequency"].tolist() == hiding(file.codes(KEYS)).alike.tolist()


def test_a_file_is_read(tmp_path):
    PEOPLE.to_csv(tmp_path / "people.csv", index=False)
    frame = microdata.risk(tmp_path / "people.csv", KEYS, weight="weight", household="home")
    np.testing.assert_allclose(
        frame["risk"], microdata.risk(PEOPLE, KEYS, weight="weight", household="home")["risk"]
    )


#: A sample whose uniques are not in the order of their keys, with a weight per record.
SAMPLE = pd.DataFrame(
    {
        "region": ["S", "N", "W", "N", "N", "S", "S", "W", "W", "W"],
        "age": ["65+", "0-14", "15-64", "15-64", "15-64", "0-14", "0-14", "0-14", "65+", "65+"],
        "weight": [9, 4, 25, 10, 10, 8, 8, 16, 5, 5],
    }
)


def test_the_modelled_risk_is_that_of_the_record_in_this_row():
    frame = microdata.modelled_risk(SAMPLE, KEYS, ["standard", "pseudo-likelihood"], weight="weight")
    assert frame["record"].tolist() == list(range(1, 11))
    assert frame["sample_unique"].tolist() == [True, True, True, *[False] * 4, True, False, False]
    # Independence: the expected count is the product of the margins divided by the size of the sample.
    region, age = (SAMPLE.groupby(key)["weight"].transform("size") for key in KEYS)
    pi = 1 / SAMPLE["weight"]
    hidden = region * age / len(SAMPLE) / pi * (1 - pi)
    unique = frame["sample_unique"]
    np.testing.assert_allclose(
        frame.loc[unique, "population_unique_standard"], np.exp(-hidden)[unique], rtol=1e-5
    )
    np.testing.assert_allclose(
        frame.loc[unique, "match_standard"], ((1 - np.exp(-hidden)) / hidden)[unique], rtol=1e-5
    )
    assert (frame.loc[~unique, "population_unique_standard"] == 0).all()
    assert frame.loc[~unique, "match_standard"].isna().all()


@pytest.mark.parametrize("model", MODELS)
def test_the_modelled_risks_follow_the_records_and_sum_to_the_estimates(model):
    frame = microdata.modelled_risk(SAMPLE, KEYS, model, weight="weight")
    file = microdata.Microdata.from_frame(SAMPLE, weight="weight")
    tau = modelled_tau(file.codes(KEYS), file.weights, model=model)
    columns = [f"{name}_{model.replace('-', '_')}" for name in ("population_unique", "match")]
    np.testing.assert_allclose(frame[columns].sum(), [tau.tau1, tau.tau2])
    turned = microdata.modelled_risk(SAMPLE[::-1], KEYS, model, weight="weight")
    np.testing.assert_allclose(turned[columns].to_numpy()[::-1], frame[columns])


def test_the_modelled_risk_has_interactions_and_leaves_out_missing_keys():
    saturated = microdata.modelled_risk(SAMPLE, KEYS, interactions=[KEYS], weight="weight")
    hidden = SAMPLE["weight"] - 1  # the expected count of a sample unique is 1
    unique = saturated["sample_unique"]
    np.testing.assert_allclose(
        saturated["population_unique_standard"][unique], np.exp(-hidden)[unique], rtol=1e-4
    )
    lacking = SAMPLE.assign(age=SAMPLE["age"].mask(SAMPLE.index == 4))
    frame = microdata.modelled_risk(lacking, KEYS, weight="weight")
    assert frame["population_unique_standard"].isna().tolist() == [number == 4 for number in range(10)]
    assert frame["sample_unique"].tolist() == [*[True] * 4, *[False] * 3, True, False, False]


@pytest.mark.parametrize(
    "call",
    [
        lambda: microdata.modelled_risk(PEOPLE, []),
        lambda: microdata.modelled_risk(PEOPLE, KEYS, "standart"),
        lambda: microdata.modelled_risk(PEOPLE, KEYS, scaling="none"),
        lambda: microdata.modelled_risk(PEOPLE, KEYS, interactions=["region", "age"]),
        lambda: microdata.modelled_risk(PEOPLE, KEYS, interactions=[("region", "shoe")]),
        lambda: microdata.modelled_risk(PEOPLE, KEYS, interactions=3),
        lambda: microdata.modelled_risk(PEOPLE.assign(age=None), KEYS),
        lambda: microdata.modelled_risk(PEOPLE.rename(columns={"age": "record"}), ["region", "record"]),
        lambda: microdata.risk(PEOPLE, []),
        lambda: microdata.risk(PEOPLE, ["region", "shoe"]),
        lambda: microdata.risk(PEOPLE, KEYS, weight="shoe"),
        lambda: microdata.risk("missing.csv", KEYS),
        lambda: microdata.risk(3, KEYS),
        lambda: microdata.risk(microdata.Microdata.from_frame(PEOPLE), KEYS, weight="weight"),
    ],
)
def test_wrong_arguments_are_refused(call):
    with pytest.raises(InputError):
        call()


def test_the_cells_of_the_models_are_those_of_the_core():
    people = microdata.population(20_000).to_frame()
    sample = people.iloc[::20].assign(weight=20.0)
    keys = ["region", "age", "sex"]
    for cells, known in (("crossing", None), ("occurring", people)):
        frame = microdata.modelled_risk(
            sample, keys, numeric="age", cells=cells, population=known, weight="weight"
        )
        joint = pd.concat([sample[keys], people[keys]]).astype(object)
        codes = np.column_stack([pd.factorize(joint[key], sort=True)[0] for key in keys])
        ages = np.unique(joint["age"].astype(float))
        expected = modelled_tau(
            codes[: len(sample)],
            np.full(len(sample), 20.0),
            cells=cells,
            numeric={1: ages},
            population=None if known is None else codes[len(sample) :],
        )
        assert frame["population_unique_standard"].sum() == pytest.approx(expected.tau1)
        assert frame["match_standard"].sum() == pytest.approx(expected.tau2)


@pytest.mark.parametrize(
    "arguments",
    [
        {"cells": "occurring"},
        {"population": SAMPLE},
        {"numeric": ["region"]},
        {"numeric": ["nobody"]},
        {"cells": "occurring", "population": SAMPLE.iloc[:1]},
        {"cells": "occurring", "population": SAMPLE[["region"]]},
    ],
)
def test_wrong_cells_are_refused(arguments):
    with pytest.raises(InputError):
        microdata.modelled_risk(SAMPLE, KEYS, weight="weight", **arguments)
