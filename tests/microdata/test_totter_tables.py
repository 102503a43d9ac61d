"""Totter's file of fourteen people, his Table 3, opened as a file; his Tables 4 to 6 follow from it as printed."""

import io

import pandas as pd

from sdcwidgets.core.microdata.keys import frequencies, weighted_frequencies
from sdcwidgets.microdata.protecting import suppressed
from sdcwidgets.microdata.reading import read_microdata_bytes

#: Totter 2014, Table 3, and the same weights in Table 6.
TABLE_3 = """\
Name,Year of birth,Gender,Citizenship,Occupation,Income,Weight
Max Mustermann,1978,m,AUT,Worker,35000,110.00
Josef Meier,1945,m,AUT,Pensioner,23500,70.00
Sabine Schnuller,1991,w,AUT,Student,7000,80.00
John Doe,1966,m,US,Employee,41200,120.00
Susan Rose,1989,w,AUT,Student,0,130.00
Markus Roller,1972,m,AUT,Employee,31100,90.00
Christoph Valon,1944,m,AUT,Pensioner,21400,150.00
Ulrike Mayer,1932,w,D,Pensioner,17600,150.00
Stefan Fuchs,1992,m,AUT,Worker,27500,130.00
Rainer Thomas,1950,m,AUT,Pensioner,25700,150.00
Julia Gross,1976,w,AUT,Employee,37000,140.00
Nadine Glatz,1987,w,AUT,Student,0,120.00
Makro Dilic,1990,m,AUT,Worker,21050,90.00
Sandra Stadler,1941,w,AUT,Pensioner,28500,80.00
"""
THREE, TWO = ["Gender", "Citizenship", "Occupation"], ["Gender", "Occupation"]


def opened(records):
    """Return the first records of the file, read as any file is."""
    content = "".join(TABLE_3.splitlines(keepends=True)[: records + 1]).encode()
    return read_microdata_bytes("example.csv", content).file


def test_table_3_is_read_as_printed():
    file = opened(14)
    assert file.records == 14
    assert list(file.variables) == TABLE_3.splitlines()[0].split(",")
    assert file.weight == "Weight"
    printed = pd.read_csv(io.StringIO(TABLE_3))
    for name in file.variables:
        assert file.to_frame()[name].tolist() == printed[name].tolist()
    assert file.weights.tolist() == printed["Weight"].tolist()


def test_the_counts_and_weighted_counts_that_the_text_makes_of_table_3():
    frame = opened(14).to_frame()
    counts = pd.crosstab(frame["Gender"], frame["Occupation"])
    weights = pd.crosstab(frame["Gender"], frame["Occupation"], frame["Weight"], aggfunc="sum").fillna(0)
    assert list(counts.columns) == ["Employee", "Pensioner", "Student", "Worker"]
    assert counts.to_numpy().tolist() == [[2, 3, 0, 3], [1, 2, 3, 0]]
    assert weights.to_numpy().tolist() == [[210, 370, 0, 330], [140, 230, 330, 0]]


def test_table_4_follows_from_the_first_twelve_records():
    assert frequencies(opened(12).codes(THREE)).tolist() == [2, 3, 3, 1, 3, 1, 3, 1, 2, 3, 1, 3]


def test_table_5_follows_with_the_same_blanks():
    done = suppressed(opened(12), THREE, 3, alpha=1)
    assert done.blanked == {"Gender": 0, "Citizenship": 2, "Occupation": 4}
    assert frequencies(done.file.codes(THREE)).tolist() == [4, 5, 5, 7, 5, 7, 5, 5, 4, 5, 5, 5]


def test_table_6_follows_from_all_fourteen():
    file = opened(14)
    printed = [330, 370, 330, 210, 330, 210, 370, 230, 330, 370, 140, 330, 330, 230]
    assert frequencies(file.codes(TWO)).tolist() == [3, 3, 3, 2, 3, 2, 3, 2, 3, 3, 1, 3, 3, 2]
    assert weighted_frequencies(file.codes(TWO), file.weights).tolist() == printed
