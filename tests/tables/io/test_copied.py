"""Texts of a source that its published files repeat are listed in one caution, wherever a file is written."""

import io
import re

import pytest
from openpyxl import load_workbook

from screens import inside
from sdcwidgets import FrequencyTable, Release, protect
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.assessment.report import Report, write
from sdcwidgets.assessment.verdict import ReleaseLimits
from sdcwidgets.cli import main
from sdcwidgets.dashboards import protect as protect_page
from sdcwidgets.dashboards import suppression as suppression_page
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.tables import examples
from sdcwidgets.tables.io import sources
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.io.writers.copied import copied_text_caution, copied_texts
from sdcwidgets.tables.io.writers.workbook import release_workbook
from sdcwidgets.widgets.page import Text

TITLE = "Table of people, of whom two moved"
NOTE = "Note: one of the nine in North is a judge."
LABEL = "West (n = 41)"
TABLE = f'"{TITLE}"\nArea,a,b,c\nNorth,20,31,8\n{LABEL},14,25,2\nSouth,30,17,9\n\n{NOTE}\n'
COPIED = (TITLE, NOTE, LABEL)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "Areas.csv"
    path.write_text(TABLE, "utf-8")
    return path


def listed(text):
    """Return which of the copied texts a text names."""
    return [one for one in COPIED if one in text]


def test_the_texts_that_can_contain_a_count():
    assert copied_texts(["Table of two people"], [], []) == ["Table of two people"]
    assert copied_texts(["Areas", ""], [], ["North", "16 to 24", "2011", "100 and over"]) == []
    assert copied_texts([], ["Source: office"], ["North [37]", "North [37]"]) == [
        "Source: office",
        "North [37]",
    ]
    assert copied_text_caution([], [], []) == ""
    for copied, more in ((6, ""), (7, "1 more text"), (8, "2 more texts")):
        caution = copied_text_caution([f"Title {name}: 5 people" for name in "ABCDEFGH"[:copied]], [], [])
        assert ("Title F" in caution, "Title G" in caution) == (True, False)
        assert more in caution
        assert ("more text" in caution) == bool(more)
    for name, example in examples.available().items():
        report = Report(
            Release.of(examples.load(name)), title=example.title, source=example.source, internal=True
        )
        assert report.cautions == ()


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_the_command_lists_what_the_file_repeats(table, tmp_path, capsys, ending):
    out, report, internal = (tmp_path / name for name in (f"out.{ending}", "report.html", "internal.html"))
    command = ["protect", str(table), "--method", "random-rounding", "-o", str(out)]
    assert main([*command, "--report", str(report), "--internal-report", str(internal)]) == 0
    assert listed(capsys.readouterr().err) == [*COPIED]
    assert "Text copied from the input" in internal.read_text("utf-8")
    assert "Text copied from the input" not in report.read_text("utf-8")
    assert "Text copied from the input" not in out.read_bytes().decode("utf-8", "replace")


def test_the_command_lists_labels_of_a_table_with_sub_totals(tmp_path, capsys):
    source, parents, out = tmp_path / "37 people.csv", tmp_path / "areas.csv", tmp_path / "out.xlsx"
    source.write_text("Area,x,y\na,4,9\nb (n=27),7,20\nc,6,8\nd,9,12\n", "utf-8")
    parents.write_text("Area,Parent\na,north\nb (n=27),north\nc,south\nd,south\n", "utf-8")
    command = ["protect", str(source), "--method", "cell-suppression", "--hierarchy", f"Area={parents}"]
    assert main([*command, "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert '"b (n=27)"' in said
    # The workbook does not contain the name of the input file.
    assert "37 people" not in next(line for line in said.splitlines() if '"b (n=27)"' in line)


def test_python_has_the_same_caution(table, tmp_path):
    reading = sources.read_csv(table)
    release = protect(reading.table, "conventional-rounding", base=5)
    assert listed(" ".join(release.cautions)) == []
    # The lines are named although they are withheld, because the counts of 2 and 9 are rounded.
    assert listed(" ".join(release.cautions_on_files(title="Areas", as_read=reading.as_read))) == [*COPIED]
    assert listed(release.to_csv(as_read=reading.as_read)) == [LABEL]
    layout = reading.as_read.with_text(TITLE, TITLE).with_text(NOTE, NOTE)
    assert listed(release.to_csv(as_read=layout)) == [*COPIED]
    book = load_workbook(io.BytesIO(release_workbook(release, as_read=layout)))["Table"]
    assert listed(" ".join(str(value) for line in book.values for value in line)) == [*COPIED]


def test_a_caution_on_a_seed_is_not_in_the_report_for_data_users(tmp_path):
    """It would tell data users that the seed can be guessed."""
    table = FrequencyTable([[1, 5], [7, 9]])
    release = protect(table, "random-rounding", seed=42)
    for internal in (True, False):
        path = tmp_path / f"internal-{internal}.html"
        write(Report(release, table=table, internal=internal), path)
        text = path.read_text("utf-8")
        assert (FIRST_LINE in text) is internal
        assert ("guess" in text) is internal


def words(screen):
    """Return the words of a screen without tags."""
    return re.sub(r"<[^>]*>", "", " ".join(part.value for part in inside(screen, Text))).replace(
        "&quot;", '"'
    )


def test_the_pages_list_what_their_files_repeat(table):
    source = File.from_input(str(table))
    reading = source.read()
    screen = protect_page.app()
    state = ProtectState(reading.table, source.light(reading))
    limits = ReleaseLimits("Panel, May 2026", no_risk_limit="all counts are public")
    screen._study.put(state.changed(limits=limits))
    (text,) = [part for part in inside(screen, Text) if "Text copied from the input" in part.value]
    assert listed(text.value.replace("&quot;", '"')) == [*COPIED]
    assert "Text copied" not in words(protect_page.app())
    screen = suppression_page.app(SuppressionState(reading.table, source.light(reading)))
    assert listed(words(screen)) == [LABEL]
    assert "Text copied" not in words(suppression_page.app())
