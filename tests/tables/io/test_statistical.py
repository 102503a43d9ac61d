"""Files of SPSS, Stata and SAS as tables of people."""

import pandas as pd
import pyreadstat
import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io.formats.statistical import StatisticalFile
from sdcwidgets.tables.io.reading import read_bytes

PEOPLE = pd.DataFrame(
    {"sex": [1.0, 2.0, 2.0, 9.0], "age": [3.0, 3.0, 4.0, 4.0], "town": ["a", "a", "b", "b"]}
)
LABELS = {"sex": {1: "Man", 2: "Woman"}}


def write_sav(path):
    pyreadstat.write_sav(PEOPLE, path, variable_value_labels=LABELS)


def write_dta(path):
    pyreadstat.write_dta(PEOPLE, path, variable_value_labels=LABELS)


def write_xpt(path):
    pyreadstat.write_xport(PEOPLE.assign(sex=PEOPLE["sex"].map({1: "Man", 2: "Woman", 9: "9"})), path)


@pytest.mark.parametrize(("ending", "write"), [("sav", write_sav), ("dta", write_dta), ("xpt", write_xpt)])
def test_people_are_counted_by_labels(tmp_path, ending, write):
    path = tmp_path / f"people.{ending}"
    write(path)
    table = FrequencyTable.from_csv(path, by=("sex", "town"))
    frame = table.to_frame()
    assert [frame.loc["Man", "a"], frame.loc["Woman", "a"], frame.loc["Woman", "b"], frame.loc["9", "b"]] == [
        1
    ] * 4
    assert table.total == 4
    assert FrequencyTable.from_csv(path, by=("age",)).axes[0].labels == ("3", "4")


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_a_missing_value_is_an_empty_cell(tmp_path, ending):
    path = tmp_path / f"gaps.{ending}"
    frame = pd.DataFrame({"age": [3.0, None, 4.5], "town": ["a", "b", "c"]})
    getattr(pyreadstat, f"write_{ending}")(frame, path)
    rows = StatisticalFile.opened(path.read_bytes(), path.name, None).sheet().rows
    assert [list(row) for row in rows] == [["age", "town"], [3, "a"], [None, "b"], [4.5, "c"]]


def test_a_damaged_file_is_refused_in_one_sentence():
    with pytest.raises(InputError, match="may be damaged"):
        read_bytes("a.sav", b"$FL2" + bytes(200))
