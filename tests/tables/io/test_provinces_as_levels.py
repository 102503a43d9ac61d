"""Files with a column of provinces and a column of regions, and with lines for provinces and the country."""

import io
import itertools

import openpyxl
import pytest

from sdcwidgets.cli import main
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import accepted_reading
from sdcwidgets.tables.io.sources import Question, ReadOptions, read_csv

CELLS = {
    ("North", "Ald"): (40, 17, 23),
    ("North", "Bex"): (34, 2, 30),
    ("South", "Cor"): (16, 4, 11),
    ("South", "Dun"): (8, 24, 31),
    ("South", "Elm"): (16, 25, 35),
}
COUNTS = [list(counts) for counts in CELLS.values()]
PARENTS = {region: province for province, region in CELLS}


def sums(lines):
    return [sum(counts) for counts in zip(*lines, strict=True)]


def rows(totals, country, label, repeated):
    """Return the rows of a file; `totals` and `country` are "", "above" or "below"."""
    lines = []
    for province, cells in itertools.groupby(CELLS, key=lambda cell: cell[0]):
        part = [[*cell, *CELLS[cell]] for cell in cells]
        total = [province, label, *sums(line[2:] for line in part)]
        part = [total, *part] if totals == "above" else [*part, total] if totals else part
        for line in part[1:] if not repeated else ():
            line[0] = "" if line[1] in PARENTS else line[0]
        lines += part
    whole = ["Country", label, *sums(COUNTS)]
    lines = [whole, *lines] if country == "above" else [*lines, whole] if country else lines
    return [["Province", "Region", "Men", "Women", "Children", "Total"], *([*x, sum(x[2:])] for x in lines)]


def as_text(lines):
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def as_workbook(lines):
    book, content = openpyxl.Workbook(), io.BytesIO()
    for line in lines:
        book.active.append([None if cell == "" else cell for cell in line])
    book.save(content)
    return content.getvalue()


VARIANTS = list(
    itertools.product(["", "above", "below"], ["", "above", "below"], ["", "All", "Total"], [True, False])
)


@pytest.mark.parametrize(("totals", "country", "label", "repeated"), VARIANTS)
def test_provinces_are_a_higher_level_of_regions(totals, country, label, repeated):
    lines = rows(totals, country, label, repeated)
    for source in (as_text(lines), as_workbook(lines)):
        proposal = propose_layout(source)
        assert proposal.doubts == ()
        reading = read(source, proposal.layout)
        assert reading.table == proposal.reading.table
        assert reading.table.counts.tolist() == COUNTS
        (of_regions,) = reading.sub_totals
        assert {region: parent for region, parent in of_regions.parents if region in PARENTS} == PARENTS
        assert accepted_reading(source, ReadOptions(doubts="accept")).levels == ("Province",)


@pytest.mark.parametrize(("totals", "label"), [("above", "All"), ("below", "Total"), ("below", "")])
def test_the_reader_reads_the_table_of_the_layout(totals, label):
    text = as_text(rows(totals, "below", label, repeated=True))
    reading = read_csv(text, how=ReadOptions(doubts="accept"))
    assert reading.table == propose_layout(text).reading.table


def test_a_country_with_a_correct_total_leads_to_no_doubt_about_totals():
    with pytest.raises(Question) as raised:
        read_csv(as_text(rows("above", "below", "All", repeated=True)))
    assert raised.value.doubt.question == "determined"


def test_a_country_with_a_wrong_total_leads_to_a_doubt_about_totals():
    lines = rows("above", "below", "All", repeated=True)
    lines[-1][2] += 1
    with pytest.raises(Question) as raised:
        read_csv(as_text(lines))
    assert raised.value.doubt.question == "wrong total"


@pytest.mark.parametrize("texts", ["urban rural urban rural urban", "1 1 2 2 2", "a b c d e"])
def test_other_columns_are_no_higher_levels(texts):
    lines = [["Kind", "Region", "Men", "Women", "Total"]]
    for kind, (_, region), counts in zip(texts.split(), CELLS, COUNTS, strict=True):
        lines.append([kind, region, *counts[:2], sum(counts[:2])])
    layout = propose_layout(as_text(lines)).layout
    assert not layout.of_role("level")


def test_commands_name_the_higher_level(tmp_path, capsys):
    file = tmp_path / "regions.csv"
    file.write_text(as_text(rows("above", "below", "All", repeated=True)))
    main(["assess", str(file), "--yes"])
    assert 'higher level "Province"' in capsys.readouterr().err
