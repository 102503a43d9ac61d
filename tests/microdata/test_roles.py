"""Who is what: guessed in files made in the shape of EU-SILC, the LFS and a DHS household file, in four formats."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pyreadstat
import pytest
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.dashboards.microdata import texts
from sdcwidgets.dashboards.microdata.report import report
from sdcwidgets.dashboards.microdata.result import as_it_came, compute
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata import Microdata, Roles
from sdcwidgets.microdata.reading import read_microdata, read_microdata_bytes
from sdcwidgets.microdata.roles import guessed, weights_below


def silc(rng):
    home = np.repeat(np.arange(1, 101), 3)
    return pd.DataFrame(
        {
            "DB030": home,
            "RB030": home * 100 + np.tile([1, 2, 3], 100),
            "DB040": rng.choice(["AT11", "AT12", "AT13"], 100)[home - 1],
            "RB090": rng.choice([1.0, 2.0], 300),
            "age": rng.integers(0, 90, 300),
            "PL031": rng.choice([1.0, 2.0, 5.0, 6.0], 300),
            "PY010G": rng.integers(0, 60_000, 300),
            "RB050": rng.uniform(300, 900, 300).round(3),
        }
    )


def lfs(rng):
    return pd.DataFrame(
        {
            "HHNUM": np.repeat(np.arange(1, 151), 2),
            "SEX": rng.choice([1.0, 2.0], 300),
            "AGE": rng.integers(15, 75, 300),
            "ILOSTAT": rng.choice([1.0, 2.0, 3.0], 300),
            "STRATUM": np.repeat(rng.choice(["urban", "rural"], 150), 2),
            "INCDECIL": rng.integers(1, 11, 300),
            "COEFFY": rng.uniform(50, 200, 300).round(2),
        }
    )


def dhs(rng):
    return pd.DataFrame(
        {
            "HHID": np.repeat(np.arange(1, 61), 5),
            "HV001": np.repeat(np.arange(1, 21), 15),
            "HV005": np.repeat(rng.integers(500_000, 2_000_000, 60), 5),
            "HV022": np.repeat(np.arange(1, 5), 75),
            "HVIDX": np.tile(np.arange(1, 6), 60),
            "HV104": rng.choice([1.0, 2.0], 300),
            "HV105": rng.integers(0, 95, 300),
            "HV106": rng.choice([0.0, 1.0, 2.0, 3.0], 300),
            "hivstatus": rng.choice([0.0, 1.0], 300, p=[0.9, 0.1]),
        }
    )


FILES = {
    "silc": (silc, Roles("RB050", "DB030", (), ("PY010G",), ("RB030",)), ("DB040", "RB090", "age")),
    "lfs": (lfs, Roles("COEFFY", "HHNUM", ("STRATUM",), ("INCDECIL",), ()), ("SEX", "AGE", "ILOSTAT")),
    "dhs": (
        dhs,
        Roles("HV005", "HHID", ("HV022",), ("hivstatus",), ("HV001", "HVIDX")),
        ("HV104", "HV105", "HV106"),
    ),
}


def written(frame, kind, path):
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "sav":
        pyreadstat.write_sav(frame, str(path))
    elif kind == "xpt":
        pyreadstat.write_xport(frame, str(path))
    else:
        frame.to_excel(path, index=False)
    return path


@pytest.mark.parametrize("kind", ["csv", "sav", "xpt", "xlsx"])
@pytest.mark.parametrize("which", FILES)
def test_files_of_real_life_are_described_right_in_every_format(which, kind, tmp_path):
    make, roles, keys = FILES[which]
    frame = make(np.random.default_rng(1))
    reading = read_microdata(written(frame, kind, tmp_path / f"file.{kind}"))
    file = reading.file
    assert file.records == 300
    assert file.roles == roles
    assert f'"{roles.weight}" is used as the sampling weight.' in reading.notes
    assert stating("household number") in reading.notes
    state = MicrodataState(keys=keys, own=file, title=which, suppress=True)
    result = compute(state)
    unique = int((frame.groupby(list(keys)).size() == 1).sum())
    told = report(result, as_it_came(state))
    assert f"{unique:,}, 0" in told
    assert f"weight: {roles.weight} · household: {roles.household}" in told
    assert ("HV005 looks like a DHS weight" in told) == (which == "dhs")
    plain = file.with_roles(roles.with_role(roles.weight, "none"))
    assert "DHS weight" not in texts.roles(compute(replace(state, own=plain)))
    gone = {roles.household, *roles.left_out}
    assert set(result.released.variables) == set(frame.columns) - gone
    counts = frame[list(roles.strata)].astype(str).agg("".join, axis=1) if roles.strata else None
    if counts is not None:  # hidden within the stratum: nobody of another one counts
        for stratum in counts.unique():
            rows = np.flatnonzero(counts == stratum)
            codes, published = (x.codes(keys)[rows] for x in (result.recoded, result.file))
            alike = [
                ((published == codes[row]) | ((published == -1) & (published[row] == -1))).all(axis=1).sum()
                for row in range(len(rows))
            ]
            assert min(alike) >= 3


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_table_of_a_database_is_a_file_too(kind, tmp_path):
    path = tmp_path / f"survey.{kind}"
    people = silc(np.random.default_rng(2))
    if kind == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.register("frame", people)
            connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    else:
        with closing(sqlite3.connect(path)) as connection:
            people.to_sql("people", connection, index=False)
    file = read_microdata(f"{path}#people").file
    assert file.records == 300
    assert file.roles == FILES["silc"][1]
    with pytest.raises(InputError, match='no table "cats"; it has "people"'):
        read_microdata(f"{path}#cats")


def test_what_is_called_a_weight_and_is_none_has_no_role():
    told = read_microdata_bytes("a.csv", b"wgt,sex\n0.2,m\n1.4,w\n")
    assert told.file.weight is None
    low = guessed(Microdata.from_frame(pd.DataFrame({"weight": ["a", "b"], "home": ["x", "x"]})).variables)
    assert (low.weight, low.household) == (None, "home")


def test_gross_income_of_the_lfs_and_health_of_eu_silc_are_sensitive():
    rng = np.random.default_rng(4)
    people = pd.DataFrame({"INCGROSS": rng.permutation(9_000)[:300], "PH010": rng.integers(1, 6, 300)})
    assert Roles(sensitive=("INCGROSS", "PH010")) == guessed(Microdata.from_frame(people).variables)


def test_a_role_is_given_and_taken():
    roles = Roles(weight="w", sensitive=("a", "b"))
    assert roles.with_role("a", "none") == Roles(weight="w", sensitive=("b",))
    assert roles.with_role("a", "weight") == Roles(weight="a", sensitive=("b",))
    assert roles.with_role("w", "strata") == Roles(strata=("w",), sensitive=("a", "b"))
    assert [roles.of(name) for name in "wac"] == ["weight", "sensitive", "none"]
    with pytest.raises(InputError, match='no role "boss"'):
        roles.with_role("a", "boss")


def test_a_frame_is_described_by_its_owner():
    frame = silc(np.random.default_rng(3))
    file = Microdata.from_frame(
        frame, weight="RB050", household="DB030", strata=["DB040"], sensitive=["PY010G"], left_out=["RB030"]
    )
    assert file.roles == Roles("RB050", "DB030", ("DB040",), ("PY010G",), ("RB030",))
    with pytest.raises(InputError, match='no variable "cats"'):
        Microdata.from_frame(frame, sensitive=["cats"])
    with pytest.raises(InputError, match="excluded from the saved file and cannot be a key"):
        file.codes(["RB030"])


@pytest.mark.parametrize(("least", "is_weight"), [(1.0, True), (0.9, False)])
def test_a_weight_is_at_least_1(least, is_weight):
    variables = Microdata.from_frame(pd.DataFrame({"weight": [least, 2.5, 40.0]})).variables
    assert guessed(variables).weight == ("weight" if is_weight else None)
    assert weights_below(variables) == ([] if is_weight else ["weight"])
