"""`protect`: a release that is the original table has an internal caution, and its files do not reveal it."""

import pytest
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, protect
from sdcwidgets.assessment.report import Report, write
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods import get
from sdcwidgets.methods.cellkey.lookup import NO_RECORDS
from sdcwidgets.tables.release import UNCHANGED

#: No count is small, and all are multiples of 5.
LARGE = FrequencyTable([[10, 20], [15, 25]])

#: Methods that change no count of `LARGE`, whatever the seed.
IDLE = ["threshold-suppression", "cell-suppression", "random-rounding", "conventional-rounding"]


def settings(method):
    return {"base": 5} if "rounding" in method else {}


@pytest.mark.parametrize("method", IDLE)
def test_a_method_that_changes_no_count_is_an_internal_caution(method, tmp_path):
    release = protect(LARGE, method, seed=3**60, **settings(method))
    assert UNCHANGED in release.cautions
    assert UNCHANGED not in " ".join((*release.public_cautions, *release.notes)) + release.to_csv()
    for internal in (True, False):
        path = tmp_path / f"internal-{internal}.html"
        write(Report(release, table=LARGE, internal=internal), path)
        assert (UNCHANGED in path.read_text("utf-8")) is internal


@pytest.mark.parametrize("method", IDLE)
def test_a_method_that_changes_a_count_has_no_such_caution(method):
    small = FrequencyTable([[1, 2, 30], [11, 12, 13], [14, 16, 17]])
    assert UNCHANGED not in protect(small, method, seed=3**60, **settings(method)).cautions


@pytest.mark.parametrize("method", ["threshold-suppression", "cell-suppression"])
def test_the_symbol_of_suppressed_cells_is_explained_only_if_it_occurs(method):
    small = FrequencyTable([[1, 2, 30], [11, 12, 13], [14, 16, 17]])
    assert "c: confidential." not in protect(LARGE, method, seed=3**60).notes
    assert "c: confidential." in protect(small, method, seed=3**60).notes
    linked = {"tables": [["Row"], ["Column"]], "seed": 3**60}
    if method == "cell-suppression":
        assert "c: confidential." not in protect(LARGE, method, **linked).notes


def test_the_command_and_the_page_have_the_caution(tmp_path, capsys):
    LARGE.to_csv(tmp_path / "table.csv")
    output = tmp_path / "out.csv"
    assert (
        main(["protect", str(tmp_path / "table.csv"), "--method", "cell-suppression", "-o", str(output)]) == 0
    )
    assert UNCHANGED in capsys.readouterr().err
    assert UNCHANGED not in output.read_text("utf-8")
    state = ProtectState(LARGE).changed(method=get("conventional-rounding")(base=5))
    result = compute(state)
    assert UNCHANGED in result.published.cautions


@pytest.mark.parametrize(
    ("method", "settings", "public", "internal"),
    [
        ("random-rounding", {"base": 5}, ["5"], []),
        ("record-swapping", {"rate": 0.37}, [], ["0.37", "37"]),
        ("cell-suppression", {"threshold": 4, "width": 7}, ["4"], ["7"]),
    ],
)
def test_a_workbook_names_the_method_of_the_release_and_its_public_settings_alone(
    method, settings, public, internal, tmp_path
):
    table = FrequencyTable([[1, 2, 30], [11, 12, 13], [14, 16, 17]], {"Area": "abc", "Age": "xyz"})
    sides = {"Area": {"a": "north", "b": "north", "c": "south"}}
    releases = [protect(table, method, seed=3**60, **settings)]
    if method == "cell-suppression":
        releases.append(protect(table, method, seed=3**60, hierarchies=sides, **settings))
        assert releases[1].part("Area", "Age").method == releases[1].method
    for release in releases:
        assert release.method == get(method)(**settings)
        release.to_excel(tmp_path / "published.xlsx")
        book = load_workbook(tmp_path / "published.xlsx")
        texts = [str(row[1]) for row in book["Method"].values]
        assert texts[0] == release.method.title
        assert set(public) <= set(texts)
        assert not {*internal, str(3**60)} & set(texts)
        # A stated method has priority.
        release.to_excel(tmp_path / "other.xlsx", method=get("redesign")())
        assert load_workbook(tmp_path / "other.xlsx")["Method"]["B1"].value == get("redesign").title
    releases[0].made_by(None).to_excel(tmp_path / "unknown.xlsx")
    assert load_workbook(tmp_path / "unknown.xlsx")["Method"]["A1"].value == "Made"


def test_cell_keys_without_records_have_an_internal_caution_about_averaging(tmp_path, capsys):
    table = FrequencyTable([[30, 4], [7, 9]])
    release = protect(table, "cell-key")
    assert release.cautions.count(NO_RECORDS) == 1
    assert NO_RECORDS not in " ".join((*release.public_cautions, *release.notes)) + release.to_csv()
    assert NO_RECORDS not in protect(table, "random-rounding").cautions
    path = tmp_path / "table.csv"
    table.to_csv(path)
    assert main(["protect", str(path), "--method", "cell-key", "--seed", "5"]) == 0
    assert capsys.readouterr().err.count(NO_RECORDS.split(".")[0]) == 1
