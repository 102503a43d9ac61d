"""`protect`: a release that is the original table has an internal caution, and its files do not reveal it."""

import pytest

from sdcwidgets import FrequencyTable, protect
from sdcwidgets.assessment.report import Report, write
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods import get
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
