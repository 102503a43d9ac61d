"""Whatever a person does, the sentence, the stops, the blue button, the files and the report of the page agree."""

import json
import re

import numpy as np
import pytest

from screens import ask, control, inside
from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.protect import headline
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.offers import Offer
from sdcwidgets.widgets.page import Page

#: Everyone of Area 2 is in one cell.
TABLE = FrequencyTable(
    [[20, 31, 44], [0, 0, 7], [14, 5, 9]],
    {"Area": ["Area 1", "Area 2", "Area 3"], "Does": ["Work", "Study", "In care"]},
)
SECRET = 2**52 + 3
ROUNDING, HIDING = methods.get("conventional-rounding"), methods.get("threshold-suppression")


class Screen:
    """The page, and what a person does on it."""

    def __init__(self, table=TABLE):
        self.app = protect.app(table)
        (self.page,), (self.lead,) = inside(self.app, Page), inside(self.app, Lead)
        self.files = next(
            one
            for one in inside(self.app, Actions)
            if one.labels == ["Save table (XLSX)", "Save table (CSV)"]
        )
        self.saved = {}
        for one in inside(self.app, Actions):
            one.send = self._keep
        self.study = self.page._study

    def _keep(self, message, buffers=None):
        if buffers:
            self.saved[message["name"].rpartition(".")[2]] = bytes(buffers[0])

    def press(self):
        self.lead._hear(self.lead, {"type": "next"}, [])

    def accept(self, *, accepted=True):
        self.lead._hear(self.lead, {"type": "accept", "accepted": accepted, "reason": "it is known"}, [])

    def agree(self):
        """Assert that all that is said of what is shown agrees, and with what Python says; return the answer."""
        result, state, lead = self.study.result, self.study.state, self.lead
        verdict = result.deciding
        stops = [stop.kind for stop in verdict.stops]
        # Without a decision, the headline states first what is missing for one.
        limits = verdict.limits
        is_limited = limits.has_limit or bool(limits.no_risk_limit.strip())
        missing = "The source of the limits is not stated yet. " if is_limited else "No limit is set yet. "
        assert lead.answer == f"{missing if verdict.answer == 'compare only' else ''}{verdict.sentence}"
        assert lead.answer.startswith("Yes") == (verdict.answer == "release")
        assert (
            lead.answer.startswith("Not yet")
            == (verdict.answer == "not yet")
            == bool(stops and state.limits.decides)
        )
        words = (headline.NEXT["save"], headline.NEXT["unnamed"])
        assert (lead.ahead in words) == (verdict.answer == "release")
        requests = {headline.NEXT[kind] for kind in ("limits", "source", "limit", "reason")}
        assert (lead.ahead in requests) == (verdict.answer == "compare only")
        blocked = verdict.answer == "not yet" or (
            verdict.answer == "compare only"
            and (not isinstance(state.source, Example) or bool(headline.for_learning(result)))
        )
        assert (self.files.layout.display == "none") == blocked
        last = lead.steps[-1][1]
        assert (last == "now") == (verdict.answer == "release")
        release = None if verdict.as_it_is else result.published
        seed = state.settings.seed if state.method.seeded and not verdict.as_it_is else None
        exact = judge(state.table, release, state.applied_limits, settings=state.settings, seed=seed)
        reasons = {name: why for name, why in state.accepted if not verdict.as_it_is}
        assert {*reasons} <= {stop.name for stop in exact.stops} | {*exact.more}
        exact = exact.accepting(reasons)
        assert [stop.name for stop in exact.stops] == [stop.name for stop in verdict.stops]
        assert exact.answer == verdict.answer
        self.saved.clear()
        for one in inside(self.app, Actions):
            for wanted in ("Save internal report (HTML)", "Save table (CSV)"):
                if wanted in one.labels:
                    one._press(one.labels.index(wanted))
        (said,) = re.findall(r'<p class="answer">(.*?)</p>', self.saved["html"].decode())
        assert said.startswith("Yes") == (verdict.answer == "release")
        assert said.startswith("Not yet") == (verdict.answer == "not yet")
        if verdict.answer == "release" and release is not None:
            hidden = np.isnan(release.cells)
            assert (b"c" in self.saved["csv"].splitlines()[1]) >= bool(hidden[0].any())
        return verdict.answer


@pytest.fixture
def screen():
    made = Screen()
    made.study.put(ProtectState(TABLE, method=ROUNDING(base=5)).set(replications=3, seed=SECRET))
    made.agree()
    return made


def test_what_was_accepted_comes_back_with_undo_and_falls_with_table_method_and_setting(screen):
    study, lead = screen.study, screen.lead
    assert screen.agree() == "compare only"
    study.change(limits=ReleaseLimits("Panel, May 2026", no_risk_limit="a test of stops"))
    assert screen.agree() == "not yet"
    assert lead.answer == "Not yet: Area 2 still shows all people in one cell."
    screen.accept()
    assert screen.agree() == "release"
    assert "it is known" in lead.why
    study.undo()
    assert screen.agree() == "not yet"
    study.redo()
    assert screen.agree() == "release"
    for change in (
        {"method": HIDING()},
        {"method": ROUNDING(base=3)},
        {"table": TABLE.with_count((0, 0), 21)},
        {"shown": 1, "method": methods.get("random-rounding")(base=2)},
    ):
        study.change(**change)
        assert "Accepted" not in lead.why
        assert screen.agree() == "not yet"
        study.undo()
        assert screen.agree() == "release"
    screen.accept(accepted=False)
    assert screen.agree() == "not yet"
    assert "Area 2" in lead.answer


def test_a_kind_that_was_accepted_is_asked_again_where_the_limits_change(screen):
    """Of 1,100 counts below 3 only all can be accepted; by another limit they are others."""
    table = FrequencyTable(np.tile([2, 2, 4, 20], (275, 2)))
    limits = ReleaseLimits("Panel, May 2026", smallest_count=3)
    study = screen.study
    study.put(ProtectState(table, method=ROUNDING(base=2), limits=limits).set(replications=1))
    screen.accept()
    assert screen.agree() == "release"
    assert study.state.accepted == (("small-count", "it is known"),)
    study.change(limits=ReleaseLimits("Panel, May 2026", smallest_count=5))
    assert screen.agree() == "not yet"
    study.undo()
    assert screen.agree() == "release"


def test_a_table_that_may_go_out_as_it_is_is_what_is_handed_over(screen):
    """The page says it of the true table, so that is what its files hold, and none of them says not yet."""
    study = screen.study
    table = FrequencyTable([[20, 31], [14, 9]], {"Area": ["A", "B"], "Does": ["Work", "Study"]})
    study.put(ProtectState(table, method=ROUNDING(base=5)).set(replications=3, seed=SECRET))
    study.change(limits=ReleaseLimits("Panel, May 2026", loss=0.0))
    assert study.result.verdict.answer == "not yet"
    assert screen.agree() == "release"
    assert study.result.release == Release.of(study.state.table)
    screen.press()
    assert b"xlsx" not in screen.saved.get("csv", b"")
    assert "Not yet" not in screen.saved["html"].decode()
    assert b'"A",20,31' in screen.saved["csv"]


def test_where_nothing_passes_the_blue_button_leads_to_the_limits(screen):
    study = screen.study
    study.change(limits=ReleaseLimits("Panel, May 2026", risk=0.0))
    said = []
    offers = [leading_offer(ROUNDING(base=base), headline.violations_of(study.result)) for base in (3, 7)]
    for _ in range(4):
        act = headline.next_step(study.result, 200, offers, 16)
        said.append(act.kind)
        if act.kind != "take":
            break
        study.change(method=headline.offered(study.result, offers).method)
        assert screen.agree() == "not yet"
    assert said == ["review"]


def leading_offer(method, violations):
    from sdcwidgets.dashboards.protect.recommended import Recommendation

    return Recommendation(method, Offer("Least lost", str(method), "", "Risk left: always", ""), violations)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_after_any_walk_all_that_is_said_agrees(screen, seed):
    rng = np.random.default_rng(seed)
    study, answers = screen.study, set()
    steps = [
        "edit",
        "method",
        "setting",
        "limits",
        "limits",
        "accept",
        "accept",
        "undo",
        "redo",
        "seed",
        "draw",
    ]
    for _ in range(40):
        state = study.state
        try:
            match steps[rng.integers(len(steps))]:
                case "edit":
                    at = tuple(int(rng.integers(n)) for n in state.table.shape)
                    study.change(table=state.table.with_count(at, int(rng.choice([0, 1, 2, 5, 40]))))
                case "method":
                    study.put(state.with_method(str(rng.choice(methods.available()))))
                case "setting":
                    ask(control(screen.app, "Rounding base b"), int(rng.integers(2, 12)))
                case "limits":
                    risk = [None, 0.01, 0.2, 1.0][rng.integers(4)]
                    loss = [None, 0.0, 2.0][rng.integers(3)]
                    source = ["", "Panel, May 2026", "Panel, May 2026"][rng.integers(3)]
                    small, one = int(rng.choice([0, 3])), int(rng.choice([0, 1, 9]))
                    study.change(
                        limits=ReleaseLimits(source, smallest_count=small, risk=risk, loss=loss, one_cell=one)
                    )
                case "accept":
                    screen.accept(accepted=bool(rng.random() < 0.8))
                case "undo":
                    study.undo()
                case "redo":
                    study.redo()
                case "seed":
                    study.put(state.set(seed=int(rng.choice([1, SECRET]))))
                case "draw":
                    study.change(shown=int(rng.integers(3)))
        except (InputError, StopIteration):
            continue
        answers.add(screen.agree())
    assert answers == {"release", "not yet", "compare only"}


def margins_of(name):
    """Return how the margins of a method can be published."""
    return ["sums", "own"] if "margins" in {one.name for one in declared(methods.get(name))} else ["sums"]


@pytest.mark.parametrize(
    ("name", "margins"), [(name, one) for name in methods.available() for one in margins_of(name)]
)
def test_the_first_draw_is_what_python_and_the_command_line_publish(name, margins):
    """Cells, margins of their own and gaps: the code in a report makes the same numbers again."""
    cls = methods.get(name)
    method = cls() if margins == "sums" else cls(margins="own")
    page = Screen()
    page.study.put(ProtectState(TABLE, method=method).set(replications=50, seed=SECRET))
    release = method.release(TABLE, SECRET)
    published = page.study.result.published
    assert {*published.values} == {*release.values}
    for kept, values in release.values.items():
        np.testing.assert_array_equal(published.values[kept], values)


def test_the_command_line_says_the_same_after_each_change(tmp_path, capsys):
    """New table, another method, a stop accepted: page, Python and command line give one answer."""
    path, rule = tmp_path / "table.csv", tmp_path / "rule.toml"
    text = '[rule]\nsource = "Panel, May 2026"\n[limits]\nno-risk-limit = "a test of stops"\n[method]\nname = "{}"\n'
    screen = Screen()
    for table in (TABLE, TABLE.with_count((1, 0), 40)):
        for name in ("conventional-rounding", "threshold-suppression", "redesign"):
            path.write_text(table.to_csv(), "utf-8")
            rule.write_text(text.format(name), "utf-8")
            limits = ReleaseLimits("Panel, May 2026", no_risk_limit="a test of stops")
            state = ProtectState(table, method=methods.get(name)(), limits=limits)
            screen.study.put(state.set(replications=1, seed=SECRET))
            screen.agree()
            page = screen.study.result.verdict
            for accept in ((), ("--accept", "one-cell=known", "--accept", "recalculable=known")):
                given = ["assess", str(path), "--rules", str(rule), "--format", "json", "--method", name]
                code = main([*given, *accept])
                said = capsys.readouterr()
                if code == 2:  # nothing stands that could be accepted
                    assert "There is no violation" in said.err
                    continue
                told = json.loads(said.out)["verdict"]
                here = page.accepting(
                    {kind: "known" for kind in {stop.kind for stop in page.stops}} if accept else {}
                )
                assert told["sentence"] == here.sentence
                assert (code == 3) == (here.answer == "not yet")


def test_a_table_of_one_axis_is_told_as_in_python_on_a_page():
    """A page shows it as one row, whose totals are the same numbers."""
    table = FrequencyTable([2, 9, 1, 30], {"Area": "abcd"})
    method, limits = (
        methods.get("threshold-suppression")(threshold=2),
        ReleaseLimits("an office", smallest_count=3),
    )
    verdict = judge(table, method.release(table, 1), limits)
    page = compute(ProtectState(table).changed(method=method, limits=limits)).verdict
    assert [stop.words for stop in page.stops] == [stop.words for stop in verdict.stops] != []
    assert [stop.name for stop in page.stops] == [stop.name for stop in verdict.stops]
