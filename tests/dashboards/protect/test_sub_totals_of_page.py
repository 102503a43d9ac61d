"""Sub-totals of a file that the import omits: the verdict names them, and one button protects them, too."""

import io
import json
from html import unescape

import numpy as np
import pytest
from ipywidgets import VBox
from openpyxl import load_workbook
from scipy.sparse import csr_array

from screens import ask, button, control, inside
from sdcwidgets import methods
from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets.assessment.verdict import ReleaseLimits, load
from sdcwidgets.core.fixed_sums import fixed_sums
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.nested import follow_from_counts, omitted_words, sub_totals_beside
from sdcwidgets.dashboards.protect.page import OMIT_SUB_TOTALS, OPEN, PUBLISH_SUB_TOTALS
from sdcwidgets.dashboards.protect.release import ReleaseCard
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState, with_secret_seed
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page import Page, Text
from sdcwidgets.widgets.source import SourceBar

PROVINCES = {
    "North": {"Aster": [301, 3, 31, 98], "Birk": [122, 1, 8, 64], "Colm": [76, 9, 20, 51]},
    "South": {
        "Dorn": [212, 11, 5, 77],
        "Elm": [98, 4, 30, 28],
        "Fern": [366, 7, 18, 141],
        "Gale": [54, 0, 12, 33],
    },
    "West": {"Hay": [145, 1, 22, 87], "Ivy": [187, 6, 9, 40]},
}
NAMES = ["Area", "Employed", "Unemployed", "Students", "Retired", "Total"]


def content():
    """Return the file of a table with provinces above their municipalities, and the country above all."""
    every = [row for part in PROVINCES.values() for row in part.values()]
    lines = [NAMES, ["Country", *_summed(every)]]
    for province, parts in PROVINCES.items():
        lines.append([province, *_summed(parts.values())])
        lines += [[name, *row, sum(row)] for name, row in parts.items()]
    return csv_text(lines).encode()


def _summed(rows):
    sums = np.sum(list(rows), axis=0).tolist()
    return [*sums, sum(sums)]


def read(**choices):
    source = File.from_input(content(), "areas.csv").choose(**choices)
    reading = source.read()
    return reading.table, source.light(reading)


def state_of(**choices):
    rule = load("minimum-frequency")
    start = ProtectState.of_example("religion").with_table(*read(**choices))
    return with_secret_seed(start.changed(limits=rule.limits, required=rule.method, method=rule.method))


def recalculated(lines):
    """Return the suppressed entries of a written table that its equations determine."""
    head, *rows = lines
    names, columns = [row[0] for row in rows], head[1:]
    cells = [(name, column) for part in PROVINCES.values() for name in part for column in NAMES[1:-1]]

    def members(name, column):
        below = {name} if name != "Country" and name not in PROVINCES else None
        below = below or {one for part, own in PROVINCES.items() if name in (part, "Country") for one in own}
        return [cell[0] in below and column in (cell[1], "Total") for cell in cells]

    published, hidden = [], []
    for name, row in zip(names, rows, strict=True):
        for column, value in zip(columns, row[1:], strict=True):
            (hidden if value == "c" else published).append((members(name, column), value))
    matrix = csr_array(np.array([sums for sums, _ in published], dtype=float))
    numbers = np.array([float(value) for _, value in published])
    wanted = csr_array(np.array([sums for sums, _ in hidden], dtype=float))
    low, high = np.zeros(len(cells)), np.full(len(cells), np.inf)
    return int(fixed_sums(matrix, numbers, numbers, low, high, wanted).sum()), len(hidden)


def test_the_source_knows_the_sub_totals_that_the_import_omits():
    _, source = read()
    area, column = source.sub_totals
    assert area.labels == tuple(PROVINCES)
    assert area.total == "Country"
    assert dict(area.parents) | dict.fromkeys(PROVINCES, "") == {
        label: province for province, part in PROVINCES.items() for label in part
    } | dict.fromkeys(PROVINCES, "")
    assert (column.labels, column.total) == ((), "Total")


def test_the_decision_names_the_sub_totals_that_it_does_not_include():
    state = state_of()
    result = compute(state)
    assert not state.nested
    assert all(province in omitted_words(state) for province in PROVINCES)
    assert omitted_words(state) in headline.because(result)
    assert "without the sub-totals" in headline.answer(result)
    nested = state.changed(nested=True)
    assert omitted_words(nested) == ""
    assert omitted_words(ProtectState.of_example("religion")) == ""


def test_cell_suppression_with_sub_totals_is_what_the_command_line_makes():
    state = state_of().changed(nested=True)
    result = compute(state)
    parents = {axis: dict(pairs) for axis, pairs in state.parents}
    plain = methods.get("cell-suppression")(threshold=state.method.threshold)
    made = plain.suppress(state.table, hierarchies=parents, seed=state.settings.seed)
    hidden = {label for label, kind in zip(made.to_frame().index, made.kinds, strict=True) if kind}
    total = result.lines[0].index("Total")
    written = {
        (row[0] if row[0] != "Country" else "Total", column)
        for row in result.lines[1:]
        for column, value in zip(result.lines[0][1:], row[1:], strict=True)
        if value == "c"
    }
    assert total == 5
    assert written == hidden
    assert result.release.method == state_of().method


def test_no_count_follows_from_the_sub_totals_that_the_page_saves():
    # With one secret of twenty, the pattern without sub-totals holds against the exact sub-totals, too.
    state = state_of().set(seed=3**33)
    flat, nested = compute(state), compute(state.changed(nested=True))
    open_, suppressed = recalculated(nested.lines)
    assert suppressed > 0
    assert open_ == 0
    assert nested.deciding.answer == "release"
    # Without the protection of sub-totals, the sub-totals of the file disclose suppressed counts.
    labels = nested.lines[0][1:]
    exact = {"Country": _summed([row for part in PROVINCES.values() for row in part.values()])}
    exact |= {province: _summed(part.values()) for province, part in PROVINCES.items()}
    own = {name: row for name, *row in flat.release.lines()}
    lines = [nested.lines[0]] + [[name, *exact.get(name, own.get(name))] for name, *_ in nested.lines[1:]]
    assert len(labels) == 5
    assert recalculated(lines)[0] > 0


@pytest.mark.parametrize("name", ["random-rounding", "cell-key", "record-swapping"])
def test_sub_totals_of_other_methods_are_sums_of_the_published_counts(name):
    state = state_of().changed(required=None, method=methods.get(name)(), nested=True)
    result = compute(state)
    rows = {row[0]: row[1:5] for row in result.lines[1:]}
    for province, parts in PROVINCES.items():
        assert rows[province] == np.sum([rows[part] for part in parts], axis=0).tolist()


def test_a_table_with_all_its_lines_becomes_a_table_of_categories_with_sub_totals():
    table, source = read(margins="keep")
    assert "North" in table.axes[0].labels
    state = ProtectState.of_example("religion").with_table(table, source)
    assert state.nested
    assert state.table == read()[0]
    again = ProtectState.from_state(json.loads(json.dumps(state.to_state())))
    assert (again.nested, again.table, again.parents) == (True, state.table, state.parents)
    assert state.with_method("cell-suppression").method.hierarchies.keys() == {"Area"}
    assert not state.with_table(*read()).nested


def test_an_axis_that_looks_hierarchical_is_decided_on_the_page():
    axes = {"Activity": ["Employed", "Full-time", "Part-time", "Other"], "Sex": ["m", "f"]}
    table = FrequencyTable([[330, 387], [314, 202], [16, 185], [275, 2]], axes)
    screen = protect.app(table)
    (page,) = inside(screen, Page)
    study, start = page._study, page._study.state
    sums, disjoint = (button(screen, words)[0] for words in ("as sub-totals", "are disjoint"))
    assert (sums.layout.display, disjoint.layout.display) == (None, None)
    disjoint._press(0)
    assert (study.state.method.name, study.state.method.non_hierarchical) == (
        "cell-suppression",
        ("Activity",),
    )
    study.put(start)
    sums._press(0)
    assert study.state.nested
    assert study.state.table.axes[0].labels == ("Full-time", "Part-time", "Other")
    assert (sums.layout.display, disjoint.layout.display) == ("none", "none")
    ask(control(screen, "Method"), "cell-suppression")
    assert study.state.method.hierarchies.keys() == {"Activity"}
    assert [row[0] for row in study.result.lines[1:]] == list(table.axes[0].labels)


def test_notes_of_the_reading_are_shown_beside_the_table_while_the_sources_are_closed():
    screen = protect.app()
    (page,) = inside(screen, Page)
    page._study.load(page._study.state.with_table(*read()))
    shown = [text for text in inside(screen, Text) if "import omitted" in text.value]
    assert [text.layout.display for text in shown] == [None]
    open_, place = button(screen, OPEN)
    open_._press(place)
    assert shown[0].layout.display == "none"
    (bar,) = inside(screen, SourceBar)
    panel = next(box for box in inside(screen, VBox) if bar in box.children)
    assert panel.layout.display is None
    page._study.load(ProtectState.of_example("sex"))  # another table closes the panel
    assert panel.layout.display == "none"


def test_the_button_protects_the_sub_totals_and_the_files_have_them():
    screen = protect.app()
    (page,) = inside(screen, Page)
    study = page._study
    study.load(study.state.with_table(*read()))
    ask(control(screen, "Rule"), "minimum-frequency")
    on, off = (button(screen, label) for label in (PUBLISH_SUB_TOTALS, OMIT_SUB_TOTALS))
    assert (on[0].layout.display, off[0].layout.display) == (None, "none")
    on[0]._press(on[1])
    assert study.state.nested
    assert (on[0].layout.display, off[0].layout.display) == ("none", None)
    study.put(with_secret_seed(study.state))
    card = ReleaseCard(study, list)
    book = load_workbook(io.BytesIO(card.report().workbook()))
    rows = [row for row in book["Table"].iter_rows(values_only=True) if row[0] in PROVINCES]
    assert [row[0] for row in rows] == list(PROVINCES)
    assert "hierarchies" in card.report(internal=True).code


def test_sub_totals_of_released_original_counts_are_no_condition():
    """Anybody can add up original counts, but nobody knows the sum of an unknown count."""
    limits = ReleaseLimits("Panel, May 2026", no_risk_limit="the counts are public", one_cell=0)
    state = ProtectState.of_example("religion").with_table(*read()).changed(limits=limits)
    result = compute(state)
    assert result.is_original
    assert "Yes, without" not in headline.answer(result)
    assert "sub-totals" not in headline.because(result)
    text = sub_totals_beside(state, is_original=True)
    assert "sums of its counts" in text
    protected = compute(state.changed(protects=True))
    assert protected.deciding.answer != "release" or "without the sub-totals" in headline.answer(protected)
    zeros = state.table.counts == 0
    assert follow_from_counts(state)
    assert not follow_from_counts(state.changed(table=state.table.with_unknown(zeros)))


def test_page_states_where_the_sub_totals_are_and_how_they_are_treated():
    state = state_of()
    omitted, nested = (sub_totals_beside(state.changed(nested=nested)) for nested in (False, True))
    assert omitted != nested
    for name in PROVINCES:
        assert name in omitted
        assert name in nested
    assert "suppress" in nested
    rounded = state.changed(nested=True, required=None, method=methods.get("random-rounding")())
    assert "suppress" not in sub_totals_beside(rounded)
    screen = protect.app()
    (page,) = inside(screen, Page)
    page._study.load(state.changed(nested=True))
    assert nested in [unescape(text.value) for text in inside(screen, Text)]
