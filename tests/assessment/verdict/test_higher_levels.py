"""A release of a table with a higher level depends on the totals of this level, which the verdict states."""

import json

import numpy as np

from sdcwidgets import protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.methods import get
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading
from sdcwidgets.tables.io.sources import File, from_state

TEXT = """District,Town,m,f
Coast,A,200,310
Coast,B,2,24
Coast,C,180,190
Inland,D,14,12
Inland,E,15,33
Inland,F,27,16
"""

DISTRICTS = [[0, 1, 2], [3, 4, 5]]


def layout(role="level"):
    columns = (
        LayoutColumn(1, role, "District", of=2 if role == "level" else ""),
        LayoutColumn(2, "label", "Town"),
        LayoutColumn(3, "count", "m"),
        LayoutColumn(4, "count", "f"),
    )
    return FileLayout(columns, first=2, header=1, headings=(LayoutHeading("Sex", 1),))


LIMITS = ReleaseLimits("Panel", smallest_count=3, seed=False)


def release_of(table):
    return protect(table, "cell-suppression", seed=2**60 + 12345)


def subtracted(table, release):
    """Return the suppressed counts that published totals of the districts give back, by their place."""
    computed = {}
    for rows in DISTRICTS:
        for column, total in enumerate(table.counts[rows].sum(axis=0)):
            published = release.cells[rows, column]
            suppressed = np.isnan(published)
            if suppressed.sum() == 1:
                place = rows[int(suppressed.argmax())], column
                computed[place] = total - np.nansum(published)
    return computed


def test_published_totals_of_districts_give_back_a_suppressed_count():
    reading = read(TEXT, layout())
    release = release_of(reading.table)
    computed = subtracted(reading.table, release)
    assert computed
    assert all(count == reading.table.counts[place] for place, count in computed.items())
    verdict = judge(reading.table, release, LIMITS, unpublished=reading.levels)
    assert verdict.answer == "release"
    assert verdict.to_dict()["unpublished"] == ["District"]
    assert verdict.condition in verdict.sentence.partition(" – ")[0]
    assert '"District"' in verdict.condition


def test_without_a_higher_level_there_is_no_condition():
    reading = read(TEXT, layout("other"))
    assert reading.levels == ()
    verdict = judge(reading.table, release_of(reading.table), LIMITS, unpublished=reading.levels)
    assert verdict.answer == "release"
    assert verdict.condition == ""
    assert verdict.sentence.startswith("Yes – ")


def test_accepted_violations_and_the_original_table_have_the_condition_too():
    table = read(TEXT, layout()).table
    accepted = judge(table, None, LIMITS, accepted={"small-count": "public"}, unpublished=("District",))
    assert accepted.condition in accepted.sentence
    changed = protect(table, "random-rounding", base=5, seed=2**60 + 12345)
    limits = ReleaseLimits("Panel", loss=0, one_cell=0, all_but_one=0, recalculable=False, seed=False)
    verdict = judge(table, changed, limits, accepted={"loss": "agreed"}, unpublished=("District",))
    assert verdict.answer == "release"
    assert verdict.condition in verdict.sentence


def test_the_page_states_the_condition_also_after_a_link():
    source = File.from_input(TEXT.encode(), "towns.csv").with_layout(layout())
    reading = source.read()
    light = source.light(reading)
    for carried in (light, from_state(light.to_state()).began(reading.table)):
        state = ProtectState(reading.table, method=get("cell-suppression")())
        state = state.changed(source=carried, limits=LIMITS, protects=True)
        result = compute(with_secret_seed(state))
        assert result.deciding.answer == "release"
        assert result.deciding.condition in headline.answer(result)
        # Totals of districts are sums of original counts, so original counts have no condition.
        assert result.as_it_is.unpublished == ()


def test_the_command_line_prints_the_condition(tmp_path, capsys):
    file, toml, rules = tmp_path / "towns.csv", tmp_path / "layout.toml", tmp_path / "rules.toml"
    file.write_text(TEXT)
    toml.write_text(layout().to_toml())
    rules.write_text('[rule]\nname = "Rule"\nsource = "Panel"\n\n[limits]\nsmallest-count = 3\n')
    options = ["--layout", str(toml), "--method", "cell-suppression", "--rules", str(rules)]
    assert main(["assess", str(file), *options, "--format", "json"]) == 0
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert verdict["unpublished"] == ["District"]
    internal = tmp_path / "internal.html"
    outputs = ["-o", str(tmp_path / "out.csv"), "--internal-report", str(internal)]
    assert main(["protect", str(file), *options, *outputs]) == 0
    assert 'if the totals of "District" are not published' in capsys.readouterr().err
    assert "if the totals of" in internal.read_text()


REGIONS = """\
Province,Region,Under 1,1 to 2,3 to 5,6 and more,Total
Westland,Ardmoor,8,10,4,13,35
Westland,Bryn,16,5,3,3,27
Westland,Cale,1,13,18,10,42
Middelland,Dunster,2,8,17,18,45
Middelland,Eskdale,12,9,6,4,31
Middelland,Farrow,9,7,1,9,26
Sudria,Holm,9,7,6,10,32
Sudria,Irving,10,12,3,20,45
Sudria,Jarrow,11,13,17,8,49
"""


def test_provinces_of_a_file_without_a_question_are_a_condition(tmp_path, capsys):
    """Cell suppression without the totals of provinces is safe only if nobody publishes these totals."""
    file, rules = tmp_path / "regions.csv", tmp_path / "rules.toml"
    file.write_text(REGIONS)
    rules.write_text('[rule]\nname = "Rule"\nsource = "Panel"\n\n[limits]\nsmallest-count = 3\n')
    options = ["--method", "cell-suppression", "--rules", str(rules)]
    assert main(["assess", str(file), *options, "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["verdict"]["unpublished"] == ["Province"]
    assert '"Province"' in printed.err
