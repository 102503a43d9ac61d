"""Files of records in four formats, and what is said of those that are none."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from stating import stating

from sdcwidgets import InputError
from sdcwidgets.dashboards.microdata.result import compute
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata import population, sample
from sdcwidgets.microdata.reading import read_microdata, read_microdata_bytes


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "sex": ["m", "w", "w", None],
            "age": [30.0, np.nan, 41, 5],
            "weight": [10.5, 2, 3, 4],
            "city": list("äöüß"),
        }
    )


def written(frame, kind, path):
    if kind == "csv":
        frame.to_csv(path, index=False)
    elif kind == "parquet":
        frame.to_parquet(path)
    elif kind == "dta":
        pyreadstat.write_dta(frame, str(path))
    else:
        codes = frame.assign(sex=frame["sex"].map({"m": 1.0, "w": 2.0}))
        pyreadstat.write_sav(codes, str(path), variable_value_labels={"sex": {1.0: "m", 2.0: "w"}})
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet", "dta", "sav"])
def test_every_format_gives_the_same_records(frame, kind, tmp_path):
    reading = read_microdata(written(frame, kind, tmp_path / f"file.{kind}"))
    file = reading.file
    assert file.records == 4
    assert file["sex"].labels[:2] == ("m", "w") or kind == "dta"
    assert [file["age"].label(record) for record in range(4)] == ["30", "missing", "41", "5"]
    assert file.weight == "weight"
    assert file["city"].label(0) == "ä"
    assert '"weight" is used as the sampling weight.' in reading.notes
    assert '"age" is missing in 1 of 4 records.' in reading.notes


def test_a_file_that_sas_wrote_is_one_of_people():
    path = Path(__file__).parents[1] / "data" / "airline.sas7bdat"
    reading = read_microdata(path)
    other = pd.read_sas(path)
    assert (reading.file.records, tuple(reading.file.variables)) == (32, ("YEAR", "Y", "W", "R", "L", "K"))
    np.testing.assert_allclose(reading.file.to_frame(), other, rtol=1e-12)
    assert reading.file["YEAR"].label(0) == "1948"
    with pytest.raises(InputError, match="SAS file"):
        read_microdata_bytes("cut.sas7bdat", path.read_bytes()[:900])


@pytest.mark.parametrize(
    "text", ["a;b\n1,5;x\n2,5;y\n", "a\tb\n1,5\tx\n2,5\ty\n", '"a","b"\n1.5,"x"\n2.5,y\n']
)
def test_separators_and_decimal_commas_are_found(text):
    file = read_microdata_bytes("a.csv", text.encode()).file
    assert file["a"].categories.tolist() == [1.5, 2.5]


def test_a_table_of_counts_is_told_to_be_none_of_people():
    (note,) = read_microdata_bytes("a.csv", b"Area,Sex,Persons\nNorth,f,4\nNorth,m,2\nSouth,f,1\n").notes
    assert 'If "Persons" contains counts' in note
    for people in (b"Area,Sex,Persons\nNorth,f,4\nNorth,f,2\n", b"Area,Sex,Age\nNorth,f,40\nNorth,m,20\n"):
        assert read_microdata_bytes("a.csv", people).notes == ()


def test_marks_of_missing_values_are_those_of_a_counted_file():
    rows = ["Nord,23,a", "Nord ,.,b ", "Süd,NA,NULL", "Süd,41,-", "Süd,-,None"]
    reading = read_microdata_bytes("a.csv", "\n".join(["Region,Age,Job ", *rows]).encode())
    file = reading.file
    assert file["Region"].labels == ("Nord", "Süd")
    assert (file["Age"].labels, file["Age"].numeric) == (("23", "41"), True)
    # None may be a category, and so may a dash among texts.
    assert set(file["Job"].labels) == {"-", "None", "a", "b"}
    assert reading.notes == (
        stating("Blanks", "2 values"),
        stating('"-" in "Job" (1 row)', "category", "NA"),
        '"Age" is missing in 3 of 5 records ("-" or "." or "NA").',
        '"Job" is missing in 1 of 5 records ("NULL").',
    )


def test_a_column_of_marks_only_and_decimal_commas_beside_marks():
    file = read_microdata_bytes("a.csv", b"a;b;c\n.;1,5;x\nNA;.;y\n;2;\n").file
    assert (file["a"].missing, file["a"].labels) == (3, ())
    assert file["b"].categories.tolist() == [1.5, 2.0]
    assert file["c"].missing == 1


def test_records_without_a_household_are_told_to_be_alone():
    reading = read_microdata_bytes("a.csv", b"household,sex\n1,m\n1,w\n-,m\n2,w\n")
    assert reading.notes[1] == (
        '"household" is missing in 1 of 4 records ("-"); each of them is treated as a separate household.'
    )
    result = compute(MicrodataState(keys=("sex",), own=reading.file, title="a"))
    assert result.together is not None
    assert result.together[2] == pytest.approx(result.risk[2])
    assert result.together[0] > result.risk[0]


def test_latin_1_is_read_and_told():
    reading = read_microdata_bytes("a.csv", "ort\nKöln\nWien\n".encode("latin-1"))
    assert reading.file["ort"].labels == ("Köln", "Wien")
    assert "not UTF-8" in reading.notes[0]


def test_a_sample_written_as_parquet_comes_back(tmp_path):
    drawn = sample(population(5000), "equal", 90, seed=1)
    drawn.to_parquet(tmp_path / "sample.parquet")
    back = read_microdata(tmp_path / "sample.parquet").file
    assert (back.weight, back.household) == ("weight", "household")
    assert back.weights.sum() == pytest.approx(drawn.weights.sum())
    assert back["region"].labels == drawn["region"].labels
    assert back["region"].codes.tolist() == drawn["region"].codes.tolist()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"%PDF-1.7", "PDF document"),
        (b"PAR1 but no more", "Parquet file"),
        (b"$FL2 but no more", "an SPSS file"),
        (b"<stata_dta> but no more", "Stata file"),
        (b"\x00\x01\x02\x03", "not text"),
        (b"just one line", "has only one line"),
        (b"a,b\n1,2\n1,2,3\n", "line 3 has more values"),
        (b"a,,c\n1,2,3\n", "Column 2 of"),
        (b"a,b\n", "has only one line"),
    ],
)
def test_what_is_no_file_of_records_is_refused_in_a_sentence(content, told):
    with pytest.raises(InputError, match=told) as caught:
        read_microdata_bytes("file", content)
    assert "\n" not in str(caught.value)


def test_too_many_records_and_a_path_that_is_none(tmp_path):
    with pytest.raises(InputError, match="has 3 records; the maximum is 2"):
        read_microdata_bytes("a.csv", b"a\n1\n2\n3\n", limit=2)
    with pytest.raises(InputError, match="be read"):
        read_microdata(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match='no variable "ww"'):
        read_microdata_bytes("a.csv", b"a\n1\n2\n", weight="ww")


def test_a_visitor_is_told_what_is_read_and_not_what_to_install(monkeypatch, tmp_path):
    for name in ("pyarrow", "pyreadstat"):
        monkeypatch.setitem(sys.modules, name, None)
    (tmp_path / "a.sav").write_bytes(b"$FL2" + bytes(100))
    with pytest.raises(InputError) as refused:
        read_microdata_bytes("a.sav", b"$FL2" + bytes(100))
    assert str(refused.value) == stating('"a.sav"', "SPSS")
    with pytest.raises(InputError, match=r'pip install "sdcwidgets\[microdata\]"\.$'):
        read_microdata(tmp_path / "a.sav")


def test_a_file_of_very_many_variables_is_not_called_damaged():
    line = b",".join(b"v%d" % i for i in range(50_000))
    with pytest.raises(InputError, match=r"has 50,000 variables; the maximum is 2,000\.$"):
        read_microdata_bytes("a.csv", line + b"\n" + line)


def test_a_weight_below_1_is_told_and_refused_where_it_is_asked_for():
    content = b"sex,weight\nm,2\nw,0.5\n"
    reading = read_microdata_bytes("a.csv", content)
    assert reading.file.weight is None
    assert '"weight" is named like a sampling weight' in reading.notes[0]
    with pytest.raises(InputError, match=r'weight "weight" of record 2 is 0.5; .* at least 1'):
        read_microdata_bytes("a.csv", content, weight="weight")


def test_a_text_far_below_numbers_makes_texts_of_all_values():
    """The parser of pandas reads long files in parts, whose types may differ."""
    content = b"code,size\n" + b"1,2\n" * 600_000 + b"x,3\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        file = read_microdata_bytes("long.csv", content).file
    assert file["code"].labels == ("1", "x")


@pytest.mark.parametrize("sheets", [1, 2, 3])
def test_a_workbook_with_further_sheets_says_that_they_were_not_read(frame, tmp_path, sheets):
    path = tmp_path / "people.xlsx"
    with pd.ExcelWriter(path) as book:
        for sheet in range(sheets):
            frame.to_excel(book, sheet_name=f"Part {sheet + 1}", index=False)
    reading = read_microdata(path)
    assert reading.file.records == 4
    noted = [note for note in reading.notes if "Part 1" in note]
    assert len(noted) == (sheets > 1)
    assert all(str(sheets) in note for note in noted)


def test_parquet_files_are_read_without_threads_that_end_after_python(tmp_path):
    path = tmp_path / "a.parquet"
    read_microdata_bytes("a.csv", b"sex,age\nm,30\nw,31\n").file.to_parquet(path)
    code = f"""
import psutil
from sdcwidgets import FrequencyTable
from sdcwidgets.microdata.reading import read_microdata
import pandas, pyarrow.parquet
before = psutil.Process().num_threads()
assert read_microdata({str(path)!r}).file.to_frame().shape == (2, 2)
assert FrequencyTable.from_csv({str(path)!r}, by=["sex", "age"]).total == 2
print(psutil.Process().num_threads() - before)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "0\n", ran.stderr
