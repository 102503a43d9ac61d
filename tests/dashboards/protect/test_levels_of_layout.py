"""Totals of a level that a layout states: one button publishes them, and they disclose no suppressed cell."""

import json
from io import BytesIO

import numpy as np
import pytest
from openpyxl import load_workbook
from scipy.optimize import linprog

from screens import button, control, inside
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets.assessment.verdict import ReleaseLimits, load
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.nested import omitted_words, sub_totals_beside
from sdcwidgets.dashboards.protect.page import OMIT_SUB_TOTALS, PUBLISH_SUB_TOTALS
from sdcwidgets.dashboards.protect.release import ReleaseCard
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods import get
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layouts import FileLayout, LayoutColumn, LayoutHeading
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.io.writers.nested import nested_lines
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.sub_totals import MOST_LABELS, SubTotals, sums_of_levels
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page import Page

NAMES = ["Region", "Province", "Area", "Employed", "Unemployed", "Students", "Retired"]

#: Province of each area, and region of each province; Island has only one area.
PROVINCES = dict(zip("ABCDEFGHIJ", ["North"] * 3 + ["South"] * 4 + ["West"] * 2 + ["Island"], strict=True))
REGIONS = {"North": "Main", "South": "Main", "West": "Coast", "Island": "Coast"}

LAYOUT = FileLayout(
    (
        LayoutColumn(1, "level", "Region", of=3),
        LayoutColumn(2, "level", "Province", of=3),
        LayoutColumn(3, "label", "Area"),
        *(LayoutColumn(k, "count", name) for k, name in enumerate(NAMES[3:], start=4)),
    ),
    first=2,
    header=1,
    headings=(LayoutHeading("Status", 1),),
)


def text_of(counts):
    rows = [
        [REGIONS[PROVINCES[area]], PROVINCES[area], area, *row]
        for area, row in zip(PROVINCES, counts.tolist(), strict=True)
    ]
    return csv_text([NAMES, *rows])


def drawn(number):
    """Return counts of ten areas by four statuses, of which about a third are small."""
    rng = np.random.default_rng((45, number))
    counts = rng.integers(10, 300, (len(PROVINCES), 4))
    small = rng.random(counts.shape) < 0.3
    return np.where(small, rng.integers(0, 5, counts.shape), counts)


def source_of(text, layout=LAYOUT):
    source = File.from_input(text.encode(), "areas.csv").with_layout(layout)
    reading = source.read()
    return reading.table, source.light(reading)


def state_of(counts, seed=3**33):
    rule = load("minimum-frequency")
    start = ProtectState.of_example("religion").with_table(*source_of(text_of(counts)))
    return start.changed(limits=rule.limits, required=rule.method, method=rule.method).set(seed=seed)


def members(label):
    """Return which areas an entry of the published table contains."""
    areas = list(PROVINCES)
    if label == "":
        return [True] * len(areas)
    return [label in (area, PROVINCES[area], REGIONS[PROVINCES[area]]) for area in areas]


def label_of(row):
    """Return the label of a row of a file with a column per level: the lowest one that is no total."""
    return [label for label in row[:-4] if label != "Total"][-1]


def entries_of(lines, release):
    """Return the areas, the statuses and the published value of each entry: rows of a file, and totals."""
    head, *rows = lines
    entries = [
        (members(label_of(row)), [status == column for status in NAMES[3:]], value)
        for row in rows
        for column, value in zip(head[-4:], row[-4:], strict=True)
    ]
    areas, statuses = release.axes
    every = [True] * len(statuses)
    values = {margin: np.ravel(release.values[margin]) for margin in [(0,), (1,), ()]}
    entries += [(members(area), every, value) for area, value in zip(areas, values[0,], strict=True)]
    entries += [
        (members(""), [status == column for column in statuses], value)
        for status, value in zip(statuses, values[1,], strict=True)
    ]
    return [*entries, (members(""), every, values[()][0])]


def is_suppressed(value):
    return isinstance(value, str) or np.isnan(value)


def attacked(entries):
    """Return the number of suppressed entries that linear programs over all published values recalculate."""
    rows = np.array([np.outer(areas, statuses).ravel() for areas, statuses, _ in entries], dtype=float)
    suppressed = np.array([is_suppressed(value) for _, _, value in entries])
    published = np.array([float(value) for _, _, value in entries if not is_suppressed(value)])
    recalculated = 0
    for wanted in rows[suppressed]:
        least, most = (
            linprog(sign * wanted, A_eq=rows[~suppressed], b_eq=published, method="highs") for sign in (1, -1)
        )
        assert least.status == most.status == 0
        recalculated += -most.fun - least.fun < 0.5
    return recalculated, int(suppressed.sum())


@pytest.mark.parametrize("number", range(3))
def test_published_totals_of_levels_recalculate_no_suppressed_cell(number):
    nested = state_of(drawn(number)).changed(nested=True)
    result = compute(nested)
    labels = {label_of(row) for row in result.lines[1:]}
    assert set(PROVINCES) | set(PROVINCES.values()) | set(REGIONS.values()) == labels
    recalculated, suppressed = attacked(entries_of(result.lines, result.release))
    assert suppressed > 0
    assert recalculated == 0
    assert "recalculable" not in {stop.kind for stop in result.deciding.stops}


def test_the_attack_recalculates_suppressed_cells_if_the_totals_were_not_protected():
    counts = drawn(0)
    state = state_of(counts)
    release = compute(state).release
    lines = list(release.lines())
    exact = [
        [
            name,
            *counts[[name in (PROVINCES[area], REGIONS[PROVINCES[area]]) for area in PROVINCES]].sum(axis=0),
        ]
        for name in dict.fromkeys([*PROVINCES.values(), *REGIONS.values()])
    ]
    own = [line[:5] for line in lines if line[0] in PROVINCES]
    recalculated, _ = attacked(entries_of([["", *NAMES[3:]], *own, *exact], release))
    assert recalculated > 0


def test_the_verdict_has_the_condition_until_the_totals_are_protected():
    flat = state_of(drawn(1))
    assert flat.unpublished_levels == ("Region", "Province")
    assert compute(flat).deciding.unpublished == ("Region", "Province")
    assert omitted_words(flat) == ""  # the verdict states the condition
    nested = compute(flat.changed(nested=True))
    assert nested.deciding.unpublished == ()
    assert nested.deciding.answer == "release"
    assert nested.deciding.condition == ""
    assert nested.as_it_is.unpublished == ()
    assert "unpublished" not in headline.because(nested)
    assert "North" in sub_totals_beside(nested.state)
    again = ProtectState.from_state(json.loads(json.dumps(nested.state.to_state())))
    assert (again.nested, again.unpublished_levels, again.method) == (True, (), nested.state.method)


def test_a_level_that_is_not_nested_stays_a_condition():
    text = text_of(drawn(1)).replace("Coast,West,H", "Main,West,H")
    start = ProtectState.of_example("religion").with_table(*source_of(text))
    nested = start.changed(nested=True)
    assert nested.nested
    assert nested.unpublished_levels == ("Region",)


def test_totals_of_levels_are_no_condition_if_original_counts_are_released():
    limits = ReleaseLimits("Panel, May 2026", no_risk_limit="the counts are public", one_cell=0)
    state = state_of(drawn(1)).changed(required=None, limits=limits)
    result = compute(state)
    assert result.is_original
    assert state.unpublished_levels
    assert result.deciding.condition == ""
    unknown = state.changed(table=state.table.with_unknown(state.table.counts == 0))
    assert compute(unknown).as_it_is.condition != ""


def test_the_button_publishes_the_totals_of_a_level_and_the_files_have_them():
    screen = protect.app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(state_of(drawn(1)))
    on, off = (button(screen, label) for label in (PUBLISH_SUB_TOTALS, OMIT_SUB_TOTALS))
    assert (on[0].layout.display, off[0].layout.display) == (None, "none")
    on[0]._press(on[1])
    assert study.state.nested
    assert (on[0].layout.display, off[0].layout.display) == ("none", None)
    assert control(screen, "Method").value == "cell-suppression"  # protected sub-totals are no other method
    report = ReleaseCard(study, list).report()
    assert {"Main", "Coast", "North"} <= {label_of(row) for row in report.nested_lines[1:]}
    off[0]._press(off[1])
    assert study.state.unpublished_levels == ("Region", "Province")


def test_the_report_repeats_the_verdict_and_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = text_of(drawn(1))
    (tmp_path / "areas.csv").write_text(text)
    screen = protect.app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(state_of(drawn(1)).changed(nested=True))
    report = ReleaseCard(study, list).report(internal=True)
    exec(report.code.replace("seed = None", f"seed = {study.state.settings.seed}"), {})
    assert capsys.readouterr().out.strip() == study.result.verdict.sentence


def test_other_methods_publish_sums_of_published_counts():
    state = state_of(drawn(1)).changed(required=None, method=get("random-rounding")(), nested=True)
    lines = compute(state).lines
    rows = {label_of(row): row[3:] for row in lines[1:]}
    for name in ("North", "Main"):
        areas = [area for area in PROVINCES if name in (PROVINCES[area], REGIONS[PROVINCES[area]])]
        assert rows[name] == np.sum([rows[area] for area in areas], axis=0).tolist()
    assert compute(state).deciding.unpublished == ()


def test_levels_become_a_hierarchy_with_unique_labels():
    axis = Axis("Town", ("a", "b", "c", "d"))
    levels = {"Country": ["X"] * 4, "District": ["a", "S", "a", ""], "Region": ["N", "N", "N", "O"]}
    sums = sums_of_levels(axis, levels)
    assert sums.order == ("N", "a (District)", "a", "c", "S", "b", "O", "d")
    assert dict(sums.parents) == {
        "a": "a (District)",
        "c": "a (District)",
        "a (District)": "N",
        "b": "S",
        "S": "N",
        "d": "O",
        "N": "",
        "O": "",
    }
    assert set(sums.levels) == set(levels)
    assert SubTotals.from_state(sums.to_state()) == sums
    assert SubTotals.from_state(sums.to_state()[:5]).levels == ()
    assert sums_of_levels(axis, {"Country": ["X"] * 4}) is None
    long = Axis("Town", tuple(map(str, range(MOST_LABELS))))
    assert sums_of_levels(long, {"District": ["N", "S"] * (MOST_LABELS // 2)}) is None
    crossing = {"District": ["N", "N", "S", "S"], "Kind": ["u", "r", "u", "r"]}
    assert sums_of_levels(axis, crossing).levels == ("District",)


def test_rows_with_the_totals_of_a_level_are_these_totals():
    rows = ["District,Town,m,f", "Coast,A,20,30", "Coast,B,1,5", "Inland,C,9,8", "Inland,D,7,6"]
    layout = FileLayout(
        (
            LayoutColumn(1, "level", "District", of=2),
            LayoutColumn(2, "label", "Town", left_out=("All",)),
            LayoutColumn(3, "count", "m"),
            LayoutColumn(4, "count", "f"),
        ),
        first=2,
        header=1,
        headings=(LayoutHeading("Sex", 1),),
    )
    text = "\n".join([*rows, "All,All,37,49"]) + "\n"
    table, source = source_of(text, layout)
    sums, by_sex = source.sub_totals
    assert table.axes[0].labels == ("A", "B", "C", "D")
    assert (by_sex.labels, by_sex.total) == ((), "Total")
    assert (sums.labels, sums.levels) == (("Coast", "Inland"), ("District",))


REGIONAL = [
    ["District", "Town", "m", "f", "Total"],
    ["Coast", "A", 20, 30, 50],
    ["Coast", "B", 1, 5, 6],
    ["Coast", "Total", 21, 35, 56],
    ["Inland", "C", 9, 8, 17],
    ["Inland", "D", 7, 6, 13],
    ["Inland", "Total", 16, 14, 30],
    ["Total", "Total", 37, 49, 86],
]

REGIONAL_LAYOUT = FileLayout(
    (
        LayoutColumn(1, "level", "District", of=2),
        LayoutColumn(2, "label", "Town", left_out=("Total",)),
        LayoutColumn(3, "count", "m"),
        LayoutColumn(4, "count", "f"),
        LayoutColumn(5, "total", "Total"),
    ),
    first=2,
    header=1,
    headings=(LayoutHeading("Sex", 1),),
)


def regional_state(**changes):
    source = source_of(csv_text(REGIONAL), REGIONAL_LAYOUT)
    return ProtectState.of_example("religion").with_table(*source).changed(nested=True, **changes)


def saved_by(state):
    """Return the rows of a workbook that the page saves."""
    screen = protect.app()
    (page,) = inside(screen, Page)
    page._study.load(state)
    report = ReleaseCard(page._study, list).report()
    sheet = load_workbook(BytesIO(report.workbook())).worksheets[0]
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    assert [[str(cell) for cell in row] for row in rows[2:10]] == report.lines
    return rows[2:10]


def test_the_workbook_has_the_levels_and_the_totals_of_the_file():
    limits = ReleaseLimits("Panel", no_risk_limit="The register is public.")
    head, *rows = saved_by(regional_state(limits=limits))
    assert head == ["District", "Town \\ Sex", "m", "f", "Total"]
    assert sorted(map(str, rows)) == sorted(map(str, REGIONAL[1:]))
    assert rows[0] == ["Coast", "Total", 21, 35, 56]
    assert rows[-1] == REGIONAL[-1]


def test_the_workbook_of_a_protected_table_has_the_totals_of_the_file():
    state = regional_state(method=get("cell-suppression")(), protects=True).set(seed=3**33)
    _, *rows = saved_by(state)
    assert rows[0] == ["Coast", "Total", 21, 35, 56]
    assert rows[-1] == REGIONAL[-1]
    assert sum(value == "c" for row in rows for value in row) >= 4


def test_without_a_column_per_level_labels_are_indented():
    axis = Axis("Town", ("a", "b", "c"))
    sums = sums_of_levels(axis, {"District": ["N", "N", ""]})
    release = Release.of(FrequencyTable([[1], [2], [3]], [axis, Axis("Sex", ("m",))]))
    assert [row[0] for row in nested_lines(release, [sums])] == ["Town \\ Sex", "N", "  a", "  b", "c"]
