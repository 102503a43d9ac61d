"""Accepting the doubts about a file reads what its preview shows, and states what is assumed."""

import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.cli import main
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.proposed_questions import ProposedReading, accepted_reading

PRICES = "Median sale price ($),2024,2025\nAuckland,985000,1010000\nOtago,640000,655000\n"
PIVOT = "Region,F,M\nEast,47,59\n 2020,9,12\n 2021,38,47\nWest,52,53\n 2020,28,24\n 2021,24,29\n"
GREEK = "Περιοχή;Άρρενες;Θήλεις\nΑττική;44;51\nΚρήτη;21;16\n".encode("iso8859_7")


def _stated(path, capsys, *options):
    """Return the exit status of `assess`, and the lines on stderr."""
    status = main(["assess", str(path), *options])
    return status, capsys.readouterr().err


def test_yes_states_a_unit_that_may_be_no_count(tmp_path, capsys):
    path = tmp_path / "prices.csv"
    path.write_text(PRICES, "utf-8")
    assert _stated(path, capsys)[0] == 2
    for options in (["--yes"], ["--only", "Column=*", "--yes"]):
        status, stated = _stated(path, capsys, *options)
        assert status == 0
        assert "Median sale price ($)" in "".join(line for line in stated.splitlines() if "unit" in line)


@pytest.mark.parametrize("text", [PRICES.encode(), PIVOT.encode(), GREEK])
def test_accepting_reads_the_table_of_the_proposed_layout(text):
    proposal, accepted = propose_layout(text), accepted_reading(text, ReadOptions(doubts="accept"))
    assert proposal.doubts
    assert accepted.table == proposal.reading.table
    assert len(accepted.notes) > len(proposal.doubts)


def test_columns_that_are_not_read_are_stated(tmp_path, capsys):
    path = tmp_path / "areas.csv"
    path.write_text(
        "Area,Code,m,f\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n", "utf-8"
    )
    status, stated = _stated(path, capsys, "--yes")
    assert status == 0
    assert "Code" in stated


def test_doubts_about_people_counted_twice_are_never_accepted():
    ages = b"Age,m,f\n15-24,312,275\n20-29,290,301\n30-39,410,388\n"
    assert accepted_reading(ages, ReadOptions(doubts="accept")) is None


def test_all_checks_run_on_a_table_that_is_read_with_a_layout():
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "label", "Code"),
        LayoutColumn(3, "count", "n"),
    )
    layout = FileLayout(columns, header=1, first=2)
    rows = [f"Area {number},{number % 3},{57 + 3 * number}" for number in range(9)]
    stated = read("\n".join(["Area,Code,n", *rows]), layout)
    assert any("Code" in note for note in stated.notes)


def test_a_table_with_columns_of_texts_is_no_file_of_people(tmp_path, capsys):
    path = tmp_path / "long.csv"
    rows = [f"{k},{500 + 97 * k * k % 331},2025-12-31,{'mf'[k % 2]},{'ABC'[k // 2]}" for k in range(6)]
    path.write_text("\n".join(["id,value,day,sex,area", *rows]), "utf-8")
    status, stated = _stated(path, capsys)
    assert status == 2
    assert "day" not in stated.splitlines()[0]
    assert "--yes" in stated.splitlines()[0]
    assert _stated(path, capsys, "--yes")[0] == 0
    with pytest.raises(ProposedReading):
        FrequencyTable.from_csv(path)
