import numpy as np
import pytest
from refusing import sentence
from stating import stating

from sdcwidgets.tables.io.layout.totals import without_totals
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.sources import Question, Reading, ReadOptions, read_csv
from sdcwidgets.tables.table import Axis, FrequencyTable

SEX = FrequencyTable([[161, 141], [105, 94]], {"Area": ["Area 1", "Area 2"], "Column": ["Male", "Female"]})
TOTALS = "Area,Male,Female,All\nArea 1,161,141,302\nArea 2,105,94,199\nTotal,266,235,501\n"


def test_totals_are_dropped_and_said():
    said = (stating("omitted", 'row "Total"', 'column "All" as sums'),)
    assert read_csv(TOTALS) == Reading(SEX, said)
    first = "Area,All,Male,Female\nTotal,501,266,235\nArea 1,302,161,141\nArea 2,199,105,94\n"
    assert read_csv(first) == Reading(SEX, said)
    assert read_csv(TOTALS, totals=False).table.shape == (3, 3)


@pytest.mark.parametrize("first", ["Age", "Sex"])
def test_totals_of_each_column_that_is_not_read_are_dropped(first):
    lines = ["Area,Age,Sex,n" if first == "Age" else "Area,Sex,Age,n"]
    for area, age, counts in (("A", "young", (3, 4, 7)), ("A", "old", (1, 1, 2)), ("B", "old", (2, 6, 8))):
        for sex, count in zip(("m", "f", "Total"), counts, strict=True):
            labels = (age, sex) if first == "Age" else (sex, age)
            lines.append(",".join([area, *labels, str(count)]))
    reading = read_csv("\n".join(lines) + "\n", how=ReadOptions(by=("Area",), count="n"))
    assert reading.table.counts.tolist() == [9, 8]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (TOTALS, ReadOptions()),
        (SEX.to_csv(), None),
        (
            "Area,Sex,n\nA,m,1\nA,f,5\nA,Total,6\nB,m,7\nB,f,4\nB,Total,11\n",
            ReadOptions(by=("Area", "Sex"), count="n"),
        ),
        ("Area,Sex,n\nA,m,1\nA,f,5\nB,m,7\nB,f,4\n", None),
    ],
)
def test_a_reading_says_whether_there_were_totals(text, how):
    reading = read_csv(text, how=how or ReadOptions())
    assert (reading.totals, reading.table.shape) == (how is not None, (2, 2))


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
        ("266,235", "268,235", ('Column "Male"', "266", 'row "Total"', "268", "2 too many")),
        ("94,199", "94,198", ('Row "Area 2"', "199", 'column "All"', "198", "1 too few")),
        ("235,501", "235,500", ('Column "All"', "501", 'row "Total"', "500", "1 too few")),
    ],
)
def test_totals_that_do_not_add_up(old, new, said):
    text = TOTALS.replace(old, new)
    assert sentence(read_csv, text) == stating(*said, "(margins: drop or keep)")
    dropped = read_csv(text, totals="drop")
    assert dropped.table == SEX
    assert dropped.notes[-1] == stating(*said)
    kept = read_csv(text, totals="keep")
    assert kept.notes == (stating('import kept row "Total"', 'column "All"'),)


@pytest.mark.parametrize(
    "totals", ["Total,Total,295\n", "A,Total,15\nB,Total,40\nC,Total,240\nTotal,Total,295\n"]
)
def test_a_file_can_have_some_totals_only(totals):
    """A total that the file does not contain is not a total of 0."""
    text = "Municipality,Sex,Births\nA,f,12\nA,m,3\nB,f,31\nB,m,9\nC,f,90\nC,m,150\n" + totals
    for read in (read_csv(text, totals="ask"), read_csv(text, totals="drop")):
        assert read.table.counts.tolist() == [[12, 3], [31, 9], [90, 150]]
        assert not any("too few" in note for note in read.notes)
    wrong = text.replace("Total,Total,295", "Total,Total,300")
    assert "300, 5 too many" in sentence(read_csv, wrong)


def test_regions_within_provinces_can_have_totals_of_provinces_only():
    text = "Province,Region,Arable,Dairy,Total\nWest,W1,33,16,49\nWest,W2,12,7,19\nWest,Total,45,23,68\n"
    text += "East,E1,20,26,46\nEast,E2,7,10,17\nEast,Total,27,36,63\nTotal,Total,72,59,131\n"
    with pytest.raises(Question) as asked:
        read_csv(text, totals="ask")
    assert asked.value.doubt.question == "determined"
    read = propose_layout(text.encode()).reading
    assert read.table.counts.tolist() == [[33, 16], [12, 7], [20, 26], [7, 10]]


def test_what_a_labelled_total_counts_as_a_category_is_none():
    """C is by accident the sum of A and B; the total counts it too."""
    text = "Area,M,F,Total\nA,1,2,3\nB,3,4,7\nC,4,6,10\nTotal,8,12,20\n"
    for totals in ("ask", "drop"):
        reading = read_csv(text, totals=totals)
        assert reading.table.counts.tolist() == [[1, 2], [3, 4], [4, 6]]
        assert reading.notes == (stating("omitted", 'row "Total"', 'column "Total" as sums'),)
    assert read_csv(text, totals="keep").table.total == 80
    assert "than once" in read_csv(text, totals="keep").notes[0]
    across = "Sex,A,B,C,Total\nM,1,3,4,8\nF,2,4,6,12\n"
    assert read_csv(across).table.total == 20
    town = "Area,M,F\nA,1,2\nB,3,4\nTown,4,6\nTotal,4,6\n"
    assert list(read_csv(town).table.rows) == ["A", "B"]


def test_a_part_of_a_category_is_known_by_its_words():
    text = "Area,60-79,80+,of which 90+\nA,20,14,3\nB,30,11,4\n"
    with pytest.raises(Question, match=r'^Column "of which 90\+" is a part of other lines'):
        read_csv(text)
    dropped = read_csv(text, totals="drop")
    assert dropped.table.total == 75
    assert dropped.notes == (stating("omitted", 'column "of which 90+"'),)
    kept = read_csv(text, totals="keep")
    assert kept.table.total == 82
    assert len(kept.notes) == 1
    assert 'import kept column "of which 90+"' in kept.notes[0]
    without = "Area,60-79,80+,of which 90+,Total\nA,20,14,3,34\nB,30,11,4,41\n"
    assert read_csv(without).table.total == 75
    parts = "Area,davon m,davon f,Insgesamt\nA,20,14,34\nB,30,11,41\n"
    assert read_csv(parts).table.total == 75


def test_what_may_be_a_total_is_asked():
    text = "Area,Male,Female\nA,1,2\nB,3,4\nTown,4,6\n"
    with pytest.raises(Question, match=r'^Row "Town" is the sum of "A" and "B": choose') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["margins"]
    assert list(read_csv(text, totals="drop").table.rows) == ["A", "B"]
    assert list(read_csv(text, totals="keep").table.rows) == ["A", "B", "Town"]
    both = read_csv(",a,b,x\nA,1,2,3\nB,3,4,7\ny,4,6,10\n", totals="drop")
    assert both.table.counts.tolist() == [[1, 2], [3, 4]]
    assert both.notes == (stating("omitted", 'row "y"', 'column "x" as sums'),)


@pytest.mark.parametrize(
    "text",
    [
        "x,a,b\nA,1,2\nB,1,2\n",  # two equal rows are no totals
        "x,a,b\nA,1,0\nB,3,0\nC,4,0\n",  # one sum above 0 says too little
        "x,n\nA,1\nB,2\nC,3\n",  # one dimension
        "x \\ y,a,b\nA,1,2\nB,3,4\nC,4,6\n",  # both axes are named
        "x,a,b\nA,1,2\nB,3,4\nC,4,7\n",
        "x,Total\nA,1\nB,5\n",  # nothing to add up
    ],
)
def test_what_is_not_taken_for_totals(text):
    reading = read_csv(text)
    assert reading.notes == ()
    assert reading.table.total == sum(
        int(cell) for cell in text.replace("\n", ",").split(",") if cell.isdigit()
    )


SUBTOTALS = "Region,A,B\nNorth,5,7\nEast,1,2\n{},6,9\nSouth,4,8\nWest,3,3\n{},7,11\n"


def test_two_sums_in_one_small_table_are_asked_about():
    """One of them alone may be an accident among so small numbers."""
    text = SUBTOTALS.format("Old", "New")
    with pytest.raises(Question, match=r'^Row "New" is the sum of "South" and "West": choose') as asked:
        read_csv(text)
    assert [choice.name for choice in asked.value.choices] == ["margins"]
    dropped = read_csv(text, totals="drop")
    assert (list(dropped.table.rows), dropped.table.total) == (["North", "East", "South", "West"], 33)
    assert dropped.notes == (stating("omitted", 'row "Old"', 'row "New" as sums'),)
    assert read_csv(text, totals="keep").table.total == 66
    one = text.replace("7,11", "7,12")
    assert read_csv(one).table.total == 67


def test_what_is_kept_though_it_may_be_a_total_is_told():
    kept = read_csv(SUBTOTALS.format("Old", "New"), totals="keep")
    assert kept.notes == (stating("kept", 'row "Old"', 'row "New"', "sums", "than once"),)


APART = "Region,m,f\nNorth,5,7\nSouth,1,3\nEast,4,2\nOld states,6,10\nAll,{},12\n"


def test_a_sub_total_apart_from_its_parts_is_found_by_the_total_that_is_right_without_it():
    reading = read_csv(APART.format(10))
    assert (list(reading.table.rows), reading.table.total) == (["North", "South", "East"], 22)
    assert reading.notes == (stating("omitted", 'row "Old states"', 'row "All" as sums'),)
    with pytest.raises(Question, match=r"sums to 16|not included"):
        read_csv(APART.format(9))
    # A category that a total leaves out is no sub-total of others.
    with pytest.raises(Question, match=r"sums to 16|not included"):
        read_csv(APART.format(10).replace("North,5,7", "North,5,6").replace("East,4,2", "East,4,3"))


@pytest.mark.parametrize(
    "rows",
    [
        "North,5\nSouth,5\nWest,0\nTotal,5",  # nobody in the West makes no North of the South
        "East,2\nMid,1\nNorth,5\nSouth,3\nWest,5\nTotal,11",  # North or West
        "East,9\nNorth,14\nSouth,5\nWest,8\nMid,30\nTotal,52",  # one number alone may be a slip
    ],
)
def test_a_category_is_not_left_out_as_a_sub_total_where_that_may_be_chance(rows):
    with pytest.raises(Question, match="the total"):
        read_csv(f"Region,n\n{rows}\n")


def test_sums_with_whose_label_all_that_they_add_up_begins_are_asked_about():
    areas = ("North", "North town", "North village", "South", "South town", "South village")
    counts = np.array([[4, 7], [3, 5], [1, 2], [9, 3], [7, 1], [2, 2]])
    axes = [Axis("Area", areas), Axis("Sex", ("Men", "Women"))]
    with pytest.raises(Question, match=r'"(North|South)" is the sum of "(North|South) town" and'):
        without_totals(counts, axes)
    left, _, notes = without_totals(counts, axes, ask=False)
    assert left.sum() == 23
    assert notes == (stating("omitted", 'row "North"', 'row "South" as sums'),)


@pytest.mark.parametrize("name", ["North and East", "NORTH & EAST", "East/North"])
@pytest.mark.parametrize("columns", [1, 2])
def test_a_sum_that_names_its_parts_is_asked_about(name, columns):
    lines = [line.split(",")[: columns + 1] for line in SUBTOTALS.format(name, "Other").splitlines()]
    text = "\n".join(",".join(line) for line in lines).replace("Other,7", "Other,8") + "\n"
    with pytest.raises(Question, match=rf'^Row "{name}" is the sum of "North" and "East": choose'):
        read_csv(text)
    assert list(read_csv(text, totals="drop").table.rows) == ["North", "East", "South", "West", "Other"]


def test_small_tables_of_chance_are_seldom_asked_about():
    rng = np.random.default_rng(3)
    asked = 0
    for _ in range(400):
        counts = rng.poisson(rng.gamma(1.0, 6.0, size=(rng.integers(4, 9), 2)))
        axes = [Axis(name, tuple(map(str, range(n)))) for name, n in zip("xy", counts.shape, strict=True)]
        try:
            without_totals(counts, axes)
        except Question:
            asked += 1
    assert asked <= 4
