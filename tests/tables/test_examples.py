import csv
import io

import pytest

from sdcwidgets import InputError, examples
from sdcwidgets.tables.io.sources import read_csv
from sdcwidgets.tables.table import FrequencyTable

# The handbook's tables as it prints them with their totals; the examples hold the counts only.
PRINTED = {
    "handbook-5-1": "Marital status \\ Sex,Male,Female,Total\n"
    "Married,38,17,55\nDivorced,7,4,11\nSingle,3,1,4\nTotal,48,22,70\n",
    "handbook-5-3": "Marital status \\ Hours worked,Full time,Part time,Total\n"
    "Married,6,0,6\nDivorced,5,1,6\nSingle,2,2,4\nTotal,13,3,16\n",
    "handbook-5-7": "Employment status,Number of Persons\nEmployed,85\nNot employed,17\nTotal,102\n",
    "handbook-5-10": "Sex \\ Residence and workplace,Living and working in Area A,"
    "Living in Area A and working elsewhere,Working in Area A and living elsewhere\n"
    "Males,21,58,23\nFemales,1,5,4\nTotal,22,63,27\n",
    "handbook-5-18": "Area \\ Sex,Male,Female,Total\n"
    "Area A,1,0,1\nArea B,3,3,6\nArea C,12,20,32\nTotal,16,23,39\n",
    "handbook-5-21": "Area \\ Sex,Male,Female,Total\n"
    "Area A,5,0,5\nArea B,0,5,5\nArea C,10,20,30\nTotal,15,25,40\n",
}

# Printed with totals that are rounded by themselves.
NOT_ADDITIVE = {
    "handbook-5-19": "Area \\ Sex,Male,Female,Total\n"
    "Area A,0,0,0\nArea B,5,5,5\nArea C,10,20,35\nTotal,15,25,40\n",
    "handbook-5-20": "Area \\ Sex,Male,Female,Total\n"
    "Area A,0,0,0\nArea B,5,0,5\nArea C,10,20,35\nTotal,15,20,40\n",
}


def counts(name):
    return examples.load(name).counts


@pytest.mark.parametrize("name", examples.available())
def test_every_example_says_what_it_is(name):
    example = examples.get(name)
    assert example.name == name
    assert example.table is examples.load(name)
    assert isinstance(example.table, FrequencyTable)
    assert example.table.total > 0
    assert example.kind in ("census", "worked example")
    assert all((example.title, example.source, example.licence))


def test_titles_differ():
    titles = [example.title for example in examples.available().values()]
    assert len(set(titles)) == len(titles)


def test_an_unknown_name():
    with pytest.raises(InputError, match=r"no example 'age'; there are religion, travel, sex"):
        examples.load("age")


def test_the_list_cannot_be_changed():
    with pytest.raises(TypeError):
        examples.available()["mine"] = None


def test_psd_2014():
    # Section 5 gives N = 2449; the travel table holds those aged 16 to 74 only.
    shapes = {
        name: (examples.load(name).shape, examples.load(name).total) for name in ("religion", "travel", "sex")
    }
    assert shapes == {"religion": ((10, 9), 2449), "travel": ((10, 11), 1885), "sex": ((10, 2), 2449)}
    # Religion and sex are of the same people, so their areas have the same sizes.
    assert examples.load("religion").marginal("Area") == examples.load("sex").marginal("Area")
    # The last rows, as printed.
    assert counts("religion")[9].tolist() == [136, 1, 2, 0, 13, 0, 0, 55, 16]
    assert counts("travel")[9].tolist() == [17, 9, 5, 1, 96, 3, 1, 2, 17, 4, 52]


def test_the_worked_example_of_the_thesis():
    assert counts("thesis-3-6-1").tolist() == [0, 2, 4]


@pytest.mark.parametrize("name", PRINTED)
def test_printed_totals_add_up(name):
    reading = read_csv(PRINTED[name])
    assert reading.table == examples.load(name)
    assert "sums of other lines" in reading.notes[0]


@pytest.mark.parametrize("name", NOT_ADDITIVE)
def test_totals_of_rounded_tables_do_not_add_up(name):
    printed = list(csv.reader(io.StringIO(NOT_ADDITIVE[name])))
    cells = [[int(cell) for cell in row[1:3]] for row in printed[1:4]]
    assert cells == counts(name).tolist()
    with pytest.raises(InputError, match=r'"Area [BC]" sums to'):
        read_csv(NOT_ADDITIVE[name])


def test_hours_worked_are_hidden_in_the_three_dimensions_of_5_2():
    table = examples.load("handbook-5-2")
    assert table.marginal("Marital status", "Sex") == examples.load("handbook-5-1")
    assert table.marginal("Sex", "Hours worked").counts.tolist() == [[35, 10, 3], [16, 5, 1]]
    assert table.slice({"Marital status": "Single"}, Sex="Female").counts.tolist() == [0, 0, 1]


def test_differencing():
    assert (counts("handbook-5-5") - counts("handbook-5-4")).tolist() == counts("handbook-5-6").tolist()
    fine = counts("handbook-5-13")
    assert (fine[:, 0] + fine[:, 1]).tolist() == counts("handbook-5-12")[:, 0].tolist()
    assert (fine[:, 1] + fine[:, 2]).tolist() == counts("handbook-5-11")[:, 1].tolist()
    assert fine[:, [0, 3, 4, 5]].tolist() == counts("handbook-5-11")[:, [0, 2, 3, 4]].tolist()
    assert fine[:, 2:].tolist() == counts("handbook-5-12")[:, 1:].tolist()


def test_linking():
    employed = int(counts("handbook-5-7")[0])
    working, living, both = counts("handbook-5-8").tolist()
    everyone = [both, employed - both, working - both]
    assert counts("handbook-5-7").sum() == living
    assert counts("handbook-5-10").sum(axis=0).tolist() == everyone
    assert counts("handbook-5-10")[0].tolist() == counts("handbook-5-9").tolist()


def test_rounded_tables_are_multiples_of_five_near_the_counts():
    for name in ("handbook-5-19", "handbook-5-20", "handbook-5-21"):
        assert not (counts(name) % 5).any()
        assert (abs(counts(name) - counts("handbook-5-18")) < 5).all()
