"""Counts that a source does not contain are not published as 0, by no method and in no format."""

import json
from io import BytesIO

import numpy as np
import pytest
from openpyxl import load_workbook

from sdcwidgets import FrequencyTable, InputError, Release, methods, protect
from sdcwidgets._util.labels import NOT_AVAILABLE
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.tables.arrangement import two_way
from sdcwidgets.tables.io.layout_release import read_for_release
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.io.writers.nested import nested_lines
from sdcwidgets.tables.sub_totals import SubTotals

AXES = {"Area": ["A", "B", "C"], "Sex": ["m", "f", "d"]}
MASK = [[False, False, False], [True, False, False], [False, False, False]]
TABLE = FrequencyTable([[12, 31, 15], [0, 25, 16], [14, 18, 17]], AXES).with_unknown(MASK)
SEED = 3**90

WIDE = "Area,m,f,d,Total\nA,12,31,15,58\nB,c,25,16,43\nC,14,18,17,49\n"
LONG = b"Area,Sex,People\nA,m,12\nA,f,31\nB,m,..\nB,f,25\n"


def layout_of_wide(**more: object) -> FileLayout:
    columns = (
        LayoutColumn(1, "label", "Area"),
        *(LayoutColumn(k, "count", name) for k, name in enumerate("mfd", start=2)),
        LayoutColumn(5, "total", "Total"),
    )
    return FileLayout(columns, (LayoutHeading("Sex", 1),), header=1, first=2, texts={"c": "unknown"}, **more)


def layout_of_long(**more: object) -> FileLayout:
    columns = (
        LayoutColumn(1, "label", "Area"),
        LayoutColumn(2, "label", "Sex"),
        LayoutColumn(3, "count", "People"),
    )
    return FileLayout(columns, first=2, header=1, **more)


@pytest.mark.parametrize(
    ("content", "layout", "cells"),
    [
        (WIDE, layout_of_wide(), [(1, 0)]),
        (LONG, layout_of_long(texts={"..": "unknown"}), [(1, 0)]),
        (LONG, layout_of_long(texts={"..": "leave out"}), [(1, 0)]),
        (LONG.replace(b"B,m,..\n", b""), layout_of_long(absent="unknown"), [(1, 0)]),
        (LONG.replace(b"B,m,..\n", b""), layout_of_long(absent="zero"), []),
        (LONG.replace(b"..", b"3"), layout_of_long(), []),
    ],
)
def test_the_reader_states_which_counts_are_unknown(content, layout, cells):
    table = read_for_release(content, layout).table
    named = [] if table.unknown is None else [tuple(at) for at in np.argwhere(table.unknown).tolist()]
    labels = [(table.axes[0].labels[i], table.axes[1].labels[j]) for i, j in named]
    assert labels == [("B", "m")] * len(cells)
    assert table.unknown_cells == len(cells)


def test_a_table_keeps_its_unknown_counts():
    assert TABLE.slice(Area=["B", "C"]).unknown.tolist() == MASK[1:]
    assert TABLE.marginal("Sex").unknown.tolist() == [True, False, False]
    assert TABLE.rename(Area="Place").with_unit("households").unknown.tolist() == MASK
    assert TABLE.with_respondents(TABLE.counts).unknown.tolist() == MASK
    assert two_way(TABLE.marginal("Area")).unknown.tolist() == [[False, True, False]]
    assert TABLE.with_unknown(None) != TABLE
    with pytest.raises(InputError, match="shape"):
        TABLE.with_unknown([True])


def test_another_count_settles_an_unknown_count():
    assert TABLE.with_count((1, 0), 7).unknown is None
    assert TABLE.with_count((0, 0), 7).unknown_cells == 1


@pytest.mark.parametrize("name", [name for name in methods.available() if name != "sampling"])
def test_no_method_publishes_a_number_for_an_unknown_count(name):
    release = protect(TABLE, name, seed=SEED)
    places = release.regroup(TABLE).unknown
    assert np.isnan(release.cells[places]).all()
    assert set(release.symbols[release.every][places]) == {NOT_AVAILABLE}
    area = release.marginal("Area")
    assert np.isnan(area[places.any(axis=1)]).all()
    assert np.isnan(release.marginal())
    assert any(NOT_AVAILABLE in note for note in release.notes)


def test_an_original_table_has_no_number_for_an_unknown_count():
    release = Release.of(TABLE)
    assert np.argwhere(release.suppressed).tolist() == [[1, 0]]
    assert [[np.isnan(value) for value in release.marginal(name)] for name in AXES] == [
        [False, True, False],
        [True, False, False],
    ]
    assert release.marginal("Area")[0] == 58


@pytest.mark.parametrize("totals", [True, False])
def test_each_file_of_a_release_marks_unknown_counts(totals):
    release = protect(TABLE, "conventional-rounding", base=5, seed=SEED)
    lines = release.to_csv(margins=totals).splitlines()
    assert lines[2].split(",")[:3] == ["B", NOT_AVAILABLE, "25"]
    assert ("Total" in lines[0]) == totals
    px = release.to_px(margins=totals)
    assert f'DATASYMBOL1="{NOT_AVAILABLE}"' in px
    assert '"." 25 15' in px
    data = json.loads(release.to_json_stat(margins=totals))
    assert data["value"][3 + totals] is None
    assert data["status"][str(3 + totals)] == NOT_AVAILABLE
    (line,) = (line for line in release.to_sdmx_csv(margins=totals).splitlines() if ",B,m," in line)
    assert line.endswith(",B,m,,O,F")


def test_a_file_in_the_layout_of_its_source_marks_unknown_counts():
    source = File.from_input(WIDE.encode(), "areas.csv").with_layout(layout_of_wide())
    reading = source.read()
    release = protect(reading.table, "conventional-rounding", base=5, seed=SEED)
    assert f"B,{NOT_AVAILABLE},25,15,{NOT_AVAILABLE}" in release.to_csv(as_read=reading.as_read)
    book = load_workbook(BytesIO(Report(release, as_read=reading.as_read).workbook()))
    rows = [[cell.value for cell in row] for row in book["Table"].iter_rows()]
    assert ["B", NOT_AVAILABLE, 25, 15, NOT_AVAILABLE] in [row[:5] for row in rows]


def test_the_command_line_marks_unknown_counts(tmp_path, capsys):
    (tmp_path / "areas.csv").write_text(WIDE)
    (tmp_path / "layout.toml").write_text(layout_of_wide().to_toml())
    call = ["protect", str(tmp_path / "areas.csv"), "--layout", str(tmp_path / "layout.toml")]
    call += ["--method", "cell-suppression", "--rules", "minimum-frequency"]
    assert main(call) != 0
    assert main([*call, "--accept", "unknown=agreed with the data source"]) == 0
    assert f"B,{NOT_AVAILABLE},25,16,{NOT_AVAILABLE}" in capsys.readouterr().out


def test_sub_totals_with_an_unknown_count_are_marked():
    parents = (("A", "North"), ("B", "North"), ("C", ""), ("North", ""))
    sums = [SubTotals("Area", ("North", "A", "B", "C", "All"), parents, "All")]
    lines = {line[0]: line[1:] for line in nested_lines(Release.of(TABLE), sums, {("North", "m"): 12.0})}
    assert lines["North"] == [NOT_AVAILABLE, 56, 31]
    assert lines["All"] == [NOT_AVAILABLE, 74, 48]


def test_a_release_with_hierarchies_rejects_unknown_counts():
    with pytest.raises(InputError, match="1 unknown count"):
        protect(
            TABLE, "cell-suppression", hierarchies={"Area": {"A": "North", "B": "North", "C": ""}}, seed=SEED
        )


def test_a_verdict_counts_the_unknown_counts_of_its_table():
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    release = protect(TABLE, "conventional-rounding", base=5, seed=SEED)
    verdict = judge(TABLE, release, limits)
    assert [stop.kind for stop in verdict.stops] == ["unknown"]
    accepted = judge(TABLE, release, limits, accepted={"unknown": "agreed"})
    assert accepted.answer == "release"
    assert accepted.method_effect.words.startswith("changed 6 of 8 counts")
    known = FrequencyTable(TABLE.counts, AXES)
    assert accepted.loss == pytest.approx(
        judge(known, protect(known, release.method, seed=SEED), limits).loss
    )
    assert judge(TABLE.with_count((1, 0), 9), None, limits).answer == "release"


def test_an_original_table_with_unknown_counts_is_judged():
    verdict = judge(TABLE, None, ReleaseLimits("Panel, May 2026", smallest_count=3))
    assert [stop.kind for stop in verdict.stops] == ["unknown"]
