"""Records without a value: a file, a frame, microdata and swapping say the same of the same people."""

import io

import numpy as np
import pandas as pd
import pytest
from stating import stating

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets._util.labels import NO_VALUE
from sdcwidgets.methods.targeted import swap
from sdcwidgets.microdata.reading import read_microdata_bytes
from sdcwidgets.tables.io.sources import ReadOptions, read_csv

#: Of six in work, three are farmers and three have no value, as far as each way to read knows.
PEOPLE = "Area,Job,Age\nN,farmer ,23\nN,{0},24\nN,farmer,{0}\nS,{0} ,{0}\nS,farmer,41\nS,,\n"


def of_frame(text, name):
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    return FrequencyTable.from_records(frame, [name], missing="Unknown")


def of_dicts(text, name):
    head, *rows = [line.split(",") for line in text.splitlines()]
    # Numbers as numbers, as a list written in Python has them, among texts.
    records = [{key: int(x) if x.isdigit() else x for key, x in zip(head, row, strict=True)} for row in rows]
    return FrequencyTable.from_records(records, [name], missing="Unknown")


def of_file(text, name):
    return read_csv(text, how=ReadOptions(by=("Area", name), count="rows", missing="Unknown")).table.marginal(
        name
    )


def of_microdata(text, name):
    variable = read_microdata_bytes("a.csv", text.encode()).file[name]
    counts = [int((variable.codes == k).sum()) for k in range(len(variable.labels))]
    return FrequencyTable([*counts, variable.missing], {name: [*variable.labels, "Unknown"]})


@pytest.mark.parametrize("mark", [*NO_VALUE, "-", "?"])
@pytest.mark.parametrize("name", ["Job", "Age"])
@pytest.mark.parametrize("read", [of_frame, of_dicts, of_microdata])
def test_the_same_records_have_the_same_values(read, name, mark):
    text = PEOPLE.format(mark)
    assert read(text, name) == of_file(text, name)


def test_swapping_takes_all_who_have_no_value_as_alike():
    read = pd.read_csv(io.StringIO(PEOPLE.format("NA")), dtype=str, keep_default_na=False)

    def at_risk(records):
        done = swap(records, ["Area"], ["Job"], k=1, rate=0, rng=np.random.default_rng(1))
        # A farmer or not: in N one has no value, in S one is a farmer, and both exchange their areas.
        assert {*done.moves["unit"], *done.moves["donor"]} == {1, 4}
        return done.records

    after = at_risk(read)
    pd.testing.assert_frame_equal(after[["Job", "Age"]], read[["Job", "Age"]])  # as they were written
    at_risk(read.assign(Job=["farmer", None, "farmer", None, "farmer", None]))


def test_swapping_refuses_a_mark_where_an_area_or_a_household_must_be():
    people = pd.DataFrame({"area": ["N", "NA", "S"], "home": ["1", "2", "."], "job": list("aab")})
    with pytest.raises(InputError, match='Record 2 has no "area"'):
        swap(people, ["area"], ["job"], rng=np.random.default_rng(1))
    people["area"] = ["N", "N", "S"]
    with pytest.raises(InputError, match='Record 3 has no "home"; each record needs a household'):
        swap(people, ["area"], ["job"], household="home", rng=np.random.default_rng(1))


def test_a_mark_is_refused_by_name_and_told_where_it_is_counted(caplog):
    people = [{"Job": "a"}, {"Job": "NA"}, {"Job": None}, {"Job": "a "}]
    with pytest.raises(InputError) as refused:
        FrequencyTable.from_records(people, ["Job"])
    assert str(refused.value) == (stating('Column "Job"', '2 records ("NA"', "(missing)"))
    FrequencyTable.from_records(people, ["Job"], missing="Unknown")
    assert caplog.messages == [
        stating('"Job"', '2 records ("NA"', '"Unknown"'),
        stating("Blanks", "1 value"),
    ]


def test_categories_that_somebody_named_stay():
    people = pd.DataFrame({"Country": pd.Categorical(["NA", "AO", "NA"], categories=["NA", "AO"])})
    assert FrequencyTable.from_records(people, ["Country"]) == FrequencyTable(
        [2, 1], {"Country": ["NA", "AO"]}
    )


#: Cells that are suppressed: one, a rectangle, and one in each of three columns.
PATTERNS = ([(0, 1)], [(0, 1), (0, 2), (1, 1), (1, 2)], [(0, 1), (1, 0), (2, 1)], [(0, 1), (1, 1), (2, 1)])


@pytest.mark.parametrize("mark", ["c", ":", "x", "..", "*", "n/a", "-", ""])
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("totals", [False, True])
def test_a_suppressed_cell_gets_no_number_from_other_answers(mark, pattern, totals):
    """No answer but one on the mark itself reads a suppressed cell: other rows are read with their counts."""
    counts = np.array([[20, 3, 7], [4, 15, 6], [9, 5, 12], [8, 14, 11]])
    lines = [
        [f"{area}", *map(str, row)]
        for area, row in zip(["North", "South", "East", "West"], counts, strict=True)
    ]
    for i, j in pattern:
        lines[i][j + 1] = mark
    if totals:
        lines = [[*line, str(row.sum())] for line, row in zip(lines, counts, strict=True)]
        lines.append(["Total", *map(str, counts.sum(axis=0)), str(counts.sum())])
    header = ["Area", "A", "B", "C", *(["Total"] if totals else [])]
    text = "\n".join(",".join(line) for line in [header, *lines])
    complete = [i for i in range(4) if i not in {row for row, _ in pattern}]
    for margins in ("ask", "drop"):
        for doubts in ("ask", "accept"):
            for flags in ("ask", "off", "out"):
                how = ReadOptions(margins=margins, doubts=doubts, flags=flags)
                try:
                    table = read_csv(text, how=how).table
                except InputError:
                    continue
                assert flags == "out"
                assert table.counts.tolist() == counts[complete].tolist()
