"""Risk of records: the numbers of the definitions, of a frame, a file and a Microdata alike."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError, microdata
from sdcwidgets.core.microdata.class_sizes import hiding
from sdcwidgets.core.risk.individual import household_risk, individual_risk

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


@pytest.mark.parametrize(
    "call",
    [
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
