"""The smaller widgets: what their messages do, and that no message breaks them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets._util.memory_limit import MEMORY
from sdcwidgets.assessment.verdict import ReleaseLimits
from sdcwidgets.dashboards.protect.map import RiskMap
from sdcwidgets.dashboards.protect.result import ProtectResult, compute, improve
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.measures import Measures
from sdcwidgets.widgets.method_controls import MethodControls
from sdcwidgets.widgets.method_parts import thousandths
from sdcwidgets.widgets.page import Page, Text, heading
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.source import LARGEST_BINARY, LARGEST_FILE, SourceBar
from sdcwidgets.widgets.texts import MeasureRow, Piece

MARKUP = "<img src=x onerror=alert(1)>"


def say(widget, buffers=(), **message):
    """Say what a browser would say."""
    widget._hear(widget, message, list(buffers))


def heard(widget, monkeypatch):
    """Collect what a widget sends to its browser side."""
    sent = []
    monkeypatch.setattr(
        type(widget), "send", lambda self, content, buffers=None: sent.append((content, buffers))
    )
    return sent


def tables(table=None):
    start = TableState.of_example("religion") if table is None else TableState(table)
    return Study(start, lambda state: state.table.total)


@pytest.fixture
def study():
    return Study(ProtectState.of_example("sex").set(replications=30), compute, improve)


class TestPage:
    def page(self, study):
        page = Page(title="t", links=[], here="explore.ipynb")
        page.bind(study, TableState.from_state, lambda state: f"code for {state.title}")
        return page

    def test_undo_redo_and_reset(self):
        study = tables()
        page = self.page(study)
        study.change(table=study.state.table.with_count((0, 0), 0))
        assert page.can_undo
        say(page, type="undo")
        assert (study.result, page.can_undo, page.can_redo) == (2449, False, True)
        say(page, type="redo")
        say(page, type="reset")
        assert study.result == 2449

    def test_a_link_leads_back_to_the_state(self, monkeypatch):
        study = tables()
        page = self.page(study)
        sent = heard(page, monkeypatch)
        study.change(table=study.state.table.with_count((0, 0), 0))
        shared = study.state
        say(page, type="link")
        study.reset()
        say(page, type="state", state=sent[-1][0]["state"])
        assert study.state == shared

    @pytest.mark.parametrize("state", ["", "%%%", None, 7, "AAAA", {"a": 1}])
    def test_a_damaged_link_says_so_and_changes_nothing(self, state):
        study = tables()
        page = self.page(study)
        say(page, type="state", state=state)
        assert "link" in page.problem
        assert study.result == 2449

    def test_code_and_formulas_are_shown(self, monkeypatch):
        study = tables()
        page = self.page(study)
        sent = heard(page, monkeypatch)
        say(page, type="code")
        page.explain("Risk of x", [[Piece("1 + 1", "zeros")]])
        assert sent[0][0] == {"type": "code", "text": "code for Religion by output area"}
        assert sent[1][0]["lines"] == [[["1 + 1", "zeros"]]]

    def test_words_are_never_markup(self):
        text = Text(MARKUP)
        assert "<img" not in text.value
        text.show(MARKUP)
        assert "<img" not in text.value
        assert "<img" not in heading(MARKUP).value


class TestSource:
    def test_an_example_is_loaded(self):
        study = tables()
        source = SourceBar(study)
        say(source, type="given", kind="example", what="sex")
        assert (study.state.title, source.chosen, source.size) == (
            "Sex by output area",
            "sex",
            "2,449 people in 20 cells",
        )

    def test_a_file_is_read_and_its_totals_are_told(self):
        study = tables()
        source = SourceBar(study)
        say(
            source,
            [b"Area,a,b,Total\nx,1,2,3\ny,3,4,7\nTotal,4,6,10\n"],
            type="given",
            kind="file",
            name="mine.csv",
        )
        say(source, type="use")
        assert study.state.table.counts.tolist() == [[1, 2], [3, 4]]
        assert (source.chosen, source.title) == ("", "mine.csv")
        assert "Total" in source.notes
        say(source, type="given", kind="example", what="sex")
        assert source.notes == ""
        study.undo()
        assert "Total" in source.notes

    def test_what_was_read_is_said_after_a_reload_too(self):
        study = tables()
        opened = SourceBar(study)
        say(opened, type="given", kind="paste", what="x\ta\tb\tTotal\ny\t1\t2\t3\nz\t5\t4\t9")
        say(opened, type="use")
        again = tables()
        source = SourceBar(again)
        again.put(TableState.from_state(study.state.to_state()))
        assert "Total" in source.notes

    @pytest.mark.parametrize(
        "content", [b"", b"%PDF-1.7 ...", b"\x89PNG\r\n\x1a\n", b"a,b\nx,-1\n", b"\x00" * 50]
    )
    def test_what_is_no_table_is_told_and_nothing_is_lost(self, content):
        study = tables()
        source = SourceBar(study)
        say(source, [content], type="given", kind="file", name="mine.bin")
        assert source.problem
        assert study.result == 2449

    def test_a_file_that_is_too_large_is_told(self):
        source = SourceBar(tables())
        say(source, [b"a" * (LARGEST_FILE + 1)], type="given", kind="file", name="big.csv")
        assert "larger than 100 MB" in source.problem
        say(source, [b"PAR1".ljust(LARGEST_BINARY + 1)], type="given", kind="file", name="big.parquet")
        assert "larger than 20 MB" in source.problem

    def test_the_limit_of_a_file_follows_the_memory_of_the_session(self, monkeypatch):
        for memory, megabytes in ((0, 100), (250, 31), (100, 20), (2000, 100)):
            monkeypatch.setenv(MEMORY, str(memory * 2**20))
            assert SourceBar(tables()).limit >> 20 == megabytes

    def test_a_file_is_received_in_parts(self):
        study = tables()
        source = SourceBar(study)
        text = b"Area,Yes,No\nNorth,5,7\nSouth,1,9\n"
        # A part of an earlier file that was never completed is forgotten.
        for start, end in ((0, 9), (0, 10), (10, 20)):
            say(source, [text[start:end]], type="part", start=start)
        say(source, [text[20:]], type="given", kind="file", name="parts.csv", start=20)
        say(source, type="use")
        assert study.state.table.counts.tolist() == [[5, 7], [1, 9]]
        assert source.problem == ""

    @pytest.mark.parametrize("start", [10, 21, -1, "20", None])
    def test_a_file_without_one_of_its_parts_is_no_table(self, start):
        study = tables()
        source = SourceBar(study)
        say(source, [b"Area,Yes,No\nNorth,5,"], type="part", start=0)
        say(source, [b"7\nSouth,1,9\n"], type="given", kind="file", name="parts.csv", start=start)
        assert "all parts" in source.problem
        assert study.result == 2449

    def test_parts_above_the_limit_are_not_stored(self):
        source = SourceBar(tables())
        half = bytes(LARGEST_FILE // 2 + 1)
        say(source, [half], type="part", start=0)
        say(source, [half], type="part", start=len(half))
        say(source, [b"1"], type="given", kind="file", name="big.csv", start=2 * len(half))
        assert "all parts" in source.problem

    def test_a_pasted_block_is_read(self):
        study = tables()
        source = SourceBar(study)
        say(source, type="given", kind="paste", what="Area\tYes\tNo\nNorth\t5\t7\nSouth\t1\t9")
        say(source, type="use")
        assert study.state.table.counts.tolist() == [[5, 7], [1, 9]]

    def test_a_new_table_keeps_the_settings(self):
        study = tables()
        study.put(study.state.set(epsilon=0.9))
        source = SourceBar(study)
        say(source, type="given", kind="paste", what="Area\tYes\tNo\nNorth\t5\t7\nSouth\t1\t9")
        say(source, type="use")
        assert study.state.settings.epsilon == 0.9

    @given(st.one_of(st.none(), st.text(), st.integers(), st.lists(st.integers())))
    def test_no_message_breaks_it(self, value):
        study = tables()
        source = SourceBar(study)
        for kind in ("example", "paste", "file", "given", "records", value):
            say(source, type="given", kind=kind, what=value, name=value)
        say(source, type="choose", choices=value)
        say(source, type="place", axis=value, where=value)
        assert study.result == 2449

    def test_people_without_a_value_get_a_name_and_the_ticks_stay(self):
        study = tables()
        source = SourceBar(study)
        content = b"id,sex,region\n1,m,North\n2,w,\n3,w,South\n"
        say(source, [content], type="given", kind="file", name="people.csv")
        ticked = {"by": ["sex", "region"], "count": "rows"}
        say(source, type="choose", choices=ticked)
        assert "no value" in source.problem
        by, _, missing = source.choices
        assert by["chosen"] == ["sex", "region"]
        assert (missing["label"], missing["options"]) == (stating("missing values"), [])
        say(source, type="choose", choices=ticked | {"missing": ""})
        assert "no value" in source.problem
        say(source, type="choose", choices=ticked | {"missing": "Unknown"})
        assert source.problem == ""
        assert study.state.table.axes[1].labels == ("North", "South", "Unknown")

    def test_repeated_labels_are_a_decision_of_the_preview(self):
        source = SourceBar(tables())
        say(source, [b"Area,Persons\nA (by),3\nA (by),4\nB,1\n"], type="given", kind="file", name="a.csv")
        assert stating("a.csv", 'Area "A (by)" twice') == source.problem
        (decision,) = source.preview["decisions"]
        changes = [answer["change"]["name"] for answer in decision["answers"]]
        assert changes == ["counts-in:rows", "counts-in:Persons"]
        say(source, type="role", confirmed=decision["text"])
        say(source, type="use")
        assert (source.problem, source.size) == ("", "8 people in 2 cells")
        assert "open" not in source.notes

    def test_what_was_ticked_stays_where_it_is_refused(self):
        source = SourceBar(tables())
        content = b"id,sex,region\n1,m,North\n2,w,East\n3,w,South\n"
        say(source, [content], type="given", kind="file", name="people.csv")
        say(source, type="choose", choices={"by": ["sex"], "count": "region"})
        assert "is text" in source.problem
        assert [choice["chosen"] for choice in source.choices] == [["sex"], ["region"]]

    def test_what_marks_separate_is_chosen_and_a_refusal_leaves_what_was_read(self):
        study = tables()
        source = SourceBar(study)
        text = "Area\tM\tF\nA\t1.000\t1.234\nB\t2.000\t17"
        say(source, type="given", kind="paste", what=text)
        say(source, type="use")
        assert source.choices[0]["name"] == "marks"
        say(source, type="choose", choices={"marks": "decimals"})
        assert "1.234 is not a whole number" in source.problem
        assert source.choices[0]["chosen"] == ["thousands"]
        assert study.state.table.counts.tolist() == [[1000, 1234], [2000, 17]]

    def test_the_table_is_saved_as_it_is_shown(self, monkeypatch):
        study = tables()
        source = SourceBar(study)
        sent = heard(source, monkeypatch)
        say(source, type="save")
        assert FrequencyTable.from_csv(sent[0][0]["text"]) == study.state.table


class TestActions:
    def test_a_button_does_its_action(self):
        pressed = []
        actions = Actions({"a": lambda: pressed.append("a"), "b": lambda: pressed.append("b")})
        say(actions, type="press", index=1)
        for index in (None, 2, -1, "0", True, [0]):
            say(actions, type="press", index=index)
        assert pressed == ["b"]

    def test_a_refusal_is_told_beside_the_buttons(self):
        def refuse():
            raise InputError("Not now.")

        actions = Actions({"a": refuse})
        say(actions, type="press", index=0)
        assert actions.status == "Not now."

    def test_work_is_done_step_by_step_and_can_be_stopped(self):
        seen, ended = [], []
        actions = Actions({})
        actions.work(iter([1, None, 2]), seen.append, lambda: ended.append(1), 2)
        assert (seen, ended, actions.working) == ([1, 2], [1], False)
        actions.work(iter([1, 2, 3]), lambda _: actions.stop(), lambda: ended.append(2), 3)
        assert ended == [1]

    def test_a_file_says_what_it_is(self, monkeypatch):
        actions = Actions({})
        sent = heard(actions, monkeypatch)
        actions.file("a.csv", b"x")
        assert sent[0] == ({"type": "file", "name": "a.csv", "kind": "text/csv;charset=utf-8"}, [b"x"])
        actions.file("a.csv", "ä")
        assert sent[1][1] == ["ä".encode("utf-8-sig")]


def test_a_measure_opens_its_formula():
    opened = []
    measures = Measures("Numbers")
    measures.on_explain(lambda name, lines: opened.append((name, lines)))
    measures.show(lambda: [MeasureRow("R1", "0.2", "", lambda: [[Piece("1 + 1")]])])
    say(measures, type="explain", index=0)
    for index in (1, -1, None, "0", True):
        say(measures, type="explain", index=index)
    assert opened == [("R1", [[Piece("1 + 1")]])]


class TestMethodControls:
    def test_choosing_a_method_brings_its_controls(self, study):
        controls = MethodControls(study)
        for name in methods.available():
            controls._selector.request = {"value": name, "turn": name}
            assert study.state.method.name == name
            assert len(controls.children) == 2 + len(controls._controls)

    def test_a_method_added_in_ten_lines_is_on_the_screen(self, study, shift):
        controls = MethodControls(study)
        assert controls._selector.spec["options"]["shift"] == "Shift"
        controls._selector.request = {"value": "shift", "turn": 1}
        controls._controls["by"].request = {"value": 4, "turn": 2}
        assert study.result.published.marginal() == study.state.table.total + 4 * 20

    def test_a_parameter_is_set_and_refused_at_its_control(self, study):
        controls = MethodControls(study)
        controls._controls["base"].request = {"value": 7, "turn": 1}
        assert study.state.method.base == 7
        controls._controls["base"].request = {"value": 70, "turn": 2}
        assert (study.state.method.base, controls._controls["base"].value) == (7, 7)

    def test_an_axis_is_chosen_by_its_name(self, study):
        study.put(study.state.with_method("record-swapping"))
        controls = MethodControls(study)
        assert controls._controls["axis"].spec["options"] == {"rows": "Area", "columns": "Sex"}
        controls._controls["strata"].request = {"value": "columns", "turn": 1}
        assert study.state.method.strata == ("columns",)
        controls._controls["axis"].request = {"value": "columns", "turn": 1}
        assert "only one of these roles" in controls._controls["axis"].problem
        assert study.state.method.axis == "rows"

    def test_a_chance_that_is_typed_is_taken_from_the_diagonal(self, study):
        study.put(study.state.with_method("stochastic-perturbation"))
        grid = MethodControls(study)._controls["matrix"]._grid
        assert (grid.counts.sum(axis=1) == 1000).all()
        grid.edit([(1, 2, "225")])
        assert study.state.method.matrix[1][1:3] == pytest.approx((0.4, 0.225))
        assert grid.counts[1, 1:3].tolist() == [400, 225]
        grid.edit([(1, 1, "100")])  # what the diagonal loses the others gain, in their proportions
        assert study.state.method.matrix[1][2] == pytest.approx(0.225 * 0.9 / 0.6)
        before = study.state
        for cells, sentence in [
            ([(0, 0, "0")], "other probabilities"),
            ([(1, 2, "700"), (1, 3, "700")], "must not exceed 1,000"),
            ([(2, 2, "600"), (2, 3, "300")], "must sum to 1,000"),
            ([(2, 2, "2000")], "must not exceed 1,000"),
        ]:
            grid.edit(cells)
            assert sentence in grid.problems[0][2]
            assert study.state == before
        assert (np.sum(study.state.method.matrix, axis=1) == pytest.approx(1)) is True

    def test_the_matrix_of_pram_is_shown_edited_and_made_invariant(self, study):
        study.put(study.state.with_method("post-randomisation"))
        controls = MethodControls(study)
        shown = controls._controls["matrix"]
        t = study.state.table.counts.sum(axis=0)
        assert shown._grid.rows == shown._grid.columns == study.state.table.columns.labels
        assert len(shown.children) == 2
        shown._grid.edit([(0, 1, "500")])
        P = np.array(study.state.method.matrix)
        assert P[0].tolist() == pytest.approx([0.5, 0.5])
        assert len(shown.children) == 4  # P, and R that is drawn from
        R = study.state.method.channel(study.state.table)
        np.testing.assert_allclose(t @ R, t)
        np.testing.assert_array_equal(shown._used.counts, thousandths(R))
        controls._controls["redrawn"].request = {"value": 0.3, "turn": 1}
        assert study.state.method.matrix == ()
        assert len(shown.children) == 2

    @given(st.lists(st.lists(st.integers(0, 99), min_size=3, max_size=3).filter(any), min_size=1, max_size=4))
    def test_thousandths_keep_the_sum_of_each_row(self, rows):
        weights = np.array(rows, dtype=float)
        matrix = weights / weights.sum(axis=1, keepdims=True)
        assert (thousandths(matrix).sum(axis=1) == 1000).all()
        np.testing.assert_allclose(thousandths(matrix) / 1000, matrix, atol=1e-3)

    def test_categories_are_ticked_and_put_together(self, study):
        study.put(study.state.with_method("redesign").with_parameter("axis", "rows"))
        controls = MethodControls(study)
        shown = controls._controls["together"]
        first, second, third, *_ = study.state.table.rows.labels
        say(shown._actions, type="press", index=0)
        assert "least two" in shown._actions.status
        for label in (first, third):
            shown._ticks._boxes[label].request = {"value": True, "turn": 1}
        say(shown._actions, type="press", index=0)
        assert study.state.method.together == ((first, third),)
        assert study.result.published.axes[0].labels[:2] == (f"{first} + {third}", second)
        assert first not in shown._ticks._boxes
        controls._controls["smallest"].request = {"value": 5, "turn": 1}
        assert study.state.method.together == ()
        assert first in shown._ticks._boxes


class TestRiskMap:
    def test_points_stay_until_cleared_and_a_click_goes_back(self, study):
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        study.put(study.state.with_parameter("base", 5))
        assert len(shown._points) == 2
        say(shown._chart, type="click", points=[[0, 0]])
        assert study.state.method.base == 3
        say(shown._actions, type="press", index=1)
        assert list(shown._points) == [study.state.method]

    @pytest.mark.slow
    @given(
        st.one_of(st.none(), st.integers(), st.lists(st.lists(st.integers(-5, 99), max_size=3), max_size=3))
    )
    def test_no_click_breaks_it(self, points):
        study = Study(ProtectState.of_example("thesis-3-6-1").set(replications=2), compute)
        shown = RiskMap(study, lambda: None)
        shown.show(study.result)
        say(shown._chart, type="click", points=points)
        assert study.state.method.base == 3

    def test_a_drag_and_arrow_keys_follow_the_front(self, study):
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        for base in (4, 5, 7):
            study.put(study.state.with_parameter("base", base))
        drawn = shown._map()
        assert len(drawn.front) >= 2
        assert drawn.loss[drawn.front].tolist() == sorted(drawn.loss[drawn.front])
        for index in reversed(drawn.front):
            say(shown._chart, type="drag", x=float(drawn.loss[index]), y=float(drawn.risk[index]))
            assert study.state.method == drawn.methods[index]
            assert study.state.shown == 0
        met = []
        for _ in range(len(drawn.front) + 1):
            met.append(study.state.method)
            say(shown._chart, type="step", by=1)
        assert met == [*[drawn.methods[index] for index in drawn.front], met[-2]]
        say(shown._chart, type="step", by=-1)
        assert study.state.method == drawn.methods[drawn.front[-2]]
        turn = study.turn
        for strange in ({"type": "step", "by": 5}, {"type": "step"}, {"type": "drag", "x": "a", "y": 1}):
            say(shown._chart, **strange)
        assert study.turn == turn

    def test_another_table_begins_another_map(self, study):
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        study.put(study.state.with_parameter("base", 5))
        study.change(table=study.state.table.with_count((0, 0), 99))
        assert len(shown._points) == 1

    def test_the_list_of_settings_keeps_its_word_until_it_is_made_anew(self, study, monkeypatch):
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        for base in (5, 4):
            study.put(study.state.with_parameter("base", base))
        listed = shown._settings
        told = dict(listed.spec["options"])
        assert listed.value == "at 2"
        with monkeypatch.context() as sweeping:
            sweeping.setattr(Actions, "working", True)
            study.put(study.state.with_parameter("base", 5))
            assert told[listed.value].endswith("base 5")
        with monkeypatch.context() as drawing:
            drawing.setattr(ProtectResult, "settled", False)
            study.change(table=study.state.table.with_count((0, 0), 99))
            assert listed.spec["options"] == told
            for key, words in told.items():
                listed.request = {"value": key, "turn": 1}
                assert words.endswith(f"base {study.state.method.base}")

    @pytest.mark.slow
    def test_a_sweep_brings_all_methods(self, study):
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        say(shown._actions, type="press", index=0)
        assert {method.name for method in shown._points} == set(methods.available())
        assert f"of {len(shown._points)} settings are Pareto-optimal" in shown._chart.summary

    def test_a_dragged_line_is_a_limit_within_its_bounds(self, study):
        limits = ReleaseLimits("Panel, May 2026", risk=0.2, loss=2.5)
        study.change(limits=limits, rule="Panel")
        shown = RiskMap(study, lambda: None)
        study.observe(lambda _: shown.show(study.result), "turn")
        shown.show(study.result)
        say(
            shown._chart,
            type="shapes",
            shapes={"shapes[0].y0": 0.1234, "shapes[0].x0": 0.3, "shapes[1].x0": -4},
        )
        moved = study.state.limits
        assert (moved.risk, moved.loss) == (pytest.approx(0.123), 0)
        assert "Panel, May 2026, changed" in moved.source
        for strange in (None, [], {"shapes[0].y0": "x"}, {"shapes[9].y0": 1}):
            say(shown._chart, type="shapes", shapes=strange)
        assert study.state.limits == moved
        study.change(limits=replace(limits, loss=None))
        say(shown._chart, type="shapes", shapes={"shapes[1].x0": 3})
        assert study.state.limits.loss is None

    def test_the_points_are_saved_in_both_formats(self, study, monkeypatch):
        shown = RiskMap(study, lambda: None)
        shown.show(study.result)
        sent = heard(shown._actions, monkeypatch)
        say(shown._actions, type="press", index=2)
        say(shown._actions, type="press", index=3)
        assert b"Random rounding, base 3" in sent[0][1][0]
        assert sent[1][1][0].startswith(b"PK")


def test_a_workbook_holds_labels_as_text():
    table = FrequencyTable([[1, 2], [3, 4]], {"A": ["=1+1", MARKUP], "B": ["+x", "-y"]})
    assert FrequencyTable.from_excel(workbook({"t": table.to_frame()})) == table
