import pytest
from refusing import sentence

from sdcwidgets.sources import Question, Reading, read_csv
from sdcwidgets.table import FrequencyTable

SEX = FrequencyTable([[161, 141], [105, 94]], {"Area": ["Area 1", "Area 2"], "Column": ["Male", "Female"]})
TOTALS = "Area,Male,Female,All\nArea 1,161,141,302\nArea 2,105,94,199\nTotal,266,235,501\n"


def test_totals_are_dropped_and_said():
    said = ('I dropped the totals row "Total" and column "All": they add up.',)
    assert read_csv(TOTALS) == Reading(SEX, said)
    first = "Area,All,Male,Female\nTotal,501,266,235\nArea 1,302,161,141\nArea 2,199,105,94\n"
    assert read_csv(first) == Reading(SEX, said)
    assert read_csv(TOTALS, totals=False).table.shape == (3, 3)


@pytest.mark.parametrize(
    "word", ["Total", "TOTAL:", "all", "Summe", "Összesen", "合计", "Grand total", "Total people"]
)
def test_words_for_totals(word):
    reading = read_csv(f"x \\ y,a,b\nA,1,2\nB,3,4\n{word},4,6\n")
    assert list(reading.table.rows) == ["A", "B"]
    assert word in reading.notes[0]


def test_totals_of_one_dimension():
    assert read_csv("Cell,Total\nc1,1\nc2,2\nTotal,3\n").table == FrequencyTable(
        [1, 2], {"Cell": ["c1", "c2"]}
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("266,235", "268,235", 'Column "Male" sums to 266 but the totals row "Total" says 268, 2 too many'),
        ("94,199", "94,198", 'Row "Area 2" sums to 199 but the totals column "All" says 198, 1 too few'),
        ("235,501", "235,500", 'Column "All" sums to 501 but the totals row "Total" says 500, 1 too few'),
    ],
)
def test_totals_that_do_not_add_up(old, new, said):
    assert sentence(read_csv, TOTALS.replace(old, new)) == f"{said}; correct it or remove the totals."


def test_what_may_be_a_total_is_asked():
    text = "Area,Male,Female\nA,1,2\nB,3,4\nTown,4,6\n"
    with pytest.raises(Question, match=r'^Row "Town" is the sum of "A" and "B": choose') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["margins"]
    assert list(read_csv(text, totals="drop").table.rows) == ["A", "B"]
    assert list(read_csv(text, totals="keep").table.rows) == ["A", "B", "Town"]
    both = read_csv(",a,b,x\nA,1,2,3\nB,3,4,7\ny,4,6,10\n", totals="drop")
    assert both.table.counts.tolist() == [[1, 2], [3, 4]]
    assert both.notes == ('I dropped the totals row "y" and column "x": they add up.',)


@pytest.mark.parametrize(
    "text",
    [
        "x,a,b\nA,1,2\nB,1,2\n",  # two equal rows are no totals
        "x,a,b\nA,1,0\nB,3,0\nC,4,0\n",  # one sum above 0 says too little
        "x,n\nA,1\nB,2\nC,3\n",  # one dimension
        "x \\ y,a,b\nA,1,2\nB,3,4\nC,4,6\n",  # both axes are named
        "x,a,b\nA,1,2\nB,3,4\nC,4,7\n",
        "x,Total\nA,1\nB,5\n",  # nothing to add up
        "x,a,b,Total others\nA,1,2,9\nB,3,4,9\n",
    ],
)
def test_what_is_not_taken_for_totals(text):
    reading = read_csv(text)
    assert reading.notes == ()
    assert reading.table.total == sum(
        int(cell) for cell in text.replace("\n", ",").split(",") if cell.isdigit()
    )
