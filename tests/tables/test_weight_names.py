"""Sampling weights are recognised by one function, for tables and for microdata."""

import pandas as pd
import pytest

from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.roles import guessed
from sdcwidgets.tables.io.layout.records import usual_weight
from sdcwidgets.tables.weight_names import is_weight_name

NAMES = [
    "weight",
    "Weights",
    "Sampling weight",
    "w",
    "wt",
    "WGT",
    "RB050",
    "HV005",
    "PERWT",
    "pwgtp",
    "Gewicht",
]


@pytest.mark.parametrize("name", NAMES)
def test_tables_and_microdata_recognise_the_same_names(name):
    assert is_weight_name(name)
    assert usual_weight(["Area", name]) == name
    frame = pd.DataFrame({"age": [3, 40, 7], name: [80.5, 90.0, 71.2]})
    assert guessed(Microdata.from_frame(frame).variables).weight == name


@pytest.mark.parametrize("name", ["Area", "Body weight", "weighting area", "Women", "", "Wert"])
def test_other_names_are_no_weights(name):
    assert not is_weight_name(name, with_ambiguous=True)


def test_an_ambiguous_name_needs_values():
    assert usual_weight(["Area", "factor"]) is None
    frame = pd.DataFrame({"age": [3, 40, 7], "factor": [80.5, 90.0, 71.2]})
    assert guessed(Microdata.from_frame(frame).variables).weight == "factor"
