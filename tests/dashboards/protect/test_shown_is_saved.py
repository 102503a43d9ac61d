"""One law: the saved table is the table that the screen shows, and the one that the verdict judged."""

import csv
import io
import json

import numpy as np
import pytest
from sampling import one_of

from screens import ask, control, inside
from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets.assessment.verdict import ReleaseLimits, Rule, available, judge, load
from sdcwidgets.cli import main
from sdcwidgets.dashboards import protect
from sdcwidgets.dashboards.protect import result as results
from sdcwidgets.dashboards.protect.controls import set_limit, take_rule
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page

SECRET = 2**52 + 3

#: Small tables, some of which need no protection.
TABLES = [
    FrequencyTable(counts)
    for counts in (
        [[20, 31], [14, 9]],
        [[1, 0], [0, 5]],
        [[3, 3, 3], [3, 3, 3]],
        [[0, 0, 7], [9, 4, 2]],
        [[5000, 5100], [4900, 5050]],
        [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        [[12, 1, 0, 8], [30, 0, 2, 9]],
        [[50, 40], [60, 30], [20, 70]],
        [[2, 2], [2, 2]],
        [[100, 1], [1, 100]],
    )
]

#: Rules with and without a method, and limits that allow most tables as they are.
OWN = Rule("Own", ReleaseLimits("Panel, May 2026", risk=0.99, one_cell=0, reading="sure"))
LAX = Rule(
    "Lax",
    ReleaseLimits("Panel, May 2026", loss=1000.0, one_cell=0, all_but_one=0, recalculable=False, seed=False),
)
NONE = Rule("None", ReleaseLimits())
RULES = {**{name: load(name) for name in available()}, "own": OWN, "lax": LAX, "none": NONE}


class Screen:
    """The page, what a person does on it, and what it saves and shows."""

    def __init__(self, table=None):
        self.app = protect.app(table)
        (self.page,), (self.lead,) = inside(self.app, Page), inside(self.app, Lead)
        self.grid = next(iter(inside(self.app, Grid)))
        self.saved = {}
        for one in inside(self.app, Actions):
            one.send = self._keep
        self.study = self.page._study
        self.files = next(
            one
            for one in inside(self.app, Actions)
            if one.labels == ["Save table (XLSX)", "Save table (CSV)"]
        )

    def _keep(self, message, buffers=None):
        if buffers:
            self.saved[message["name"].rpartition(".")[2]] = bytes(buffers[0])

    def press(self):
        self.lead._hear(self.lead, {"type": "next"}, [])

    def saved_cells(self):
        """The texts of the cells in the file that the button saves."""
        self.files._press(self.files.labels.index("Save table (CSV)"))
        lines = list(csv.reader(io.StringIO(self.saved["csv"].decode("utf-8-sig"))))
        shape = self.study.result.release.shape
        return [
            [text.replace(",", "") for text in line[1 : 1 + shape[1]]] for line in lines[1 : 1 + shape[0]]
        ]

    def shown_cells(self, look):
        """The texts of the cells on the screen: what is published of each."""
        ask(control(self.app, "Show"), look)
        grid = self.grid
        counts, rows = np.asarray(grid.counts), []
        for i in range(len(grid.rows)):
            row = []
            for j in range(len(grid.columns)):
                after = "" if grid.after is None else str(grid.after[i][j])
                gap = "" if grid.suppressed is None else str(grid.suppressed[i][j])
                row.append((after or gap or f"{counts[i, j]}").replace(",", ""))
            rows.append(row)
        return rows


def texts(release):
    names = [axis.name for axis in release.axes]
    return [[str(cell).replace(",", "") for cell in row] for row in release.display_texts(*names)]


def go(screen, table, method, rule):
    """Choose a rule and a method on the page, for a table; the state, where the method takes the table."""
    start = ProtectState(table).set(replications=1, seed=SECRET)
    screen.study.begin(start)
    take_rule(screen.study, rule)
    if method is not None:
        screen.study.change(method=method)
    return screen.study.result


def agree(screen, judged):
    """Assert that file, screen and judged table are one, and return the answer."""
    result = screen.study.result
    verdict = result.deciding
    source = verdict.limits.source.strip()
    assert screen.lead.answer in (verdict.sentence, verdict.sentence.replace(f" of {source}", "", 1))
    assert verdict.answer != "release" or source in screen.lead.answer + screen.lead.why
    expected = texts(result.release)
    for look in ("after", "change"):
        assert screen.shown_cells(look) == expected
    assert screen.saved_cells() == expected
    # Of this very table the verdict was made.
    public = judged[-1] if verdict.as_it_is is False else None
    if public is not None:
        assert texts(public) == expected
    else:
        assert expected == texts(results.Release.of(result.state.table))
    return verdict.answer


@pytest.fixture
def judged(monkeypatch):
    """The protected tables that were judged."""
    seen = []

    def spy(table, release=None, *rest, **more):
        if release is not None:
            seen.append(release)
        return judge(table, release, *rest, **more)

    monkeypatch.setattr(results, "judge", spy)
    return seen


@pytest.fixture(scope="module")
def screen():
    return Screen()


def the_law(screen, judged, name, tables, rules):
    answers = set()
    for table in tables:
        for rule in rules:
            # The method of the rule is there first; then somebody chooses another one.
            for method in (None, methods.get(name)()):
                try:
                    go(screen, table, method, RULES[rule])
                except InputError:
                    continue  # the method does not take this table
                answer = agree(screen, judged)
                answers.add(answer)
                if RULES[rule].method is not None:
                    assert "as it is" not in screen.lead.answer
    return answers


@pytest.mark.parametrize("name", one_of(3, methods.available()))
def test_what_is_saved_is_what_is_shown_and_judged(screen, judged, name):
    """A rule with and one without a method, on two tables; the benchmark takes all rules and ten tables."""
    index = methods.available().index(name)
    tables = [TABLES[index % len(TABLES)], TABLES[4]]
    assert the_law(screen, judged, name, tables, ["census-cell-key", "lax"])


@pytest.mark.parametrize("name", one_of(3, methods.available()))
def test_page_command_and_python_publish_the_same_cells(screen, name, tmp_path, capsys):
    index = methods.available().index(name)
    for k, rule in enumerate(("census-cell-key", "lax")):
        table = TABLES[(index + k) % len(TABLES)]
        method = methods.get(name)()
        path, out, toml = tmp_path / "table.csv", tmp_path / "out.csv", tmp_path / "rule.toml"
        path.write_text(table.to_csv(), "utf-8")
        toml.write_text(
            '[rule]\nsource = "Panel, May 2026"\n[limits]\nloss = 1000\n'
            "[stops]\none-cell = 0\ngaps = false\nseed = false\n",
            "utf-8",
        )
        try:
            go(screen, table, method, RULES[rule])
        except InputError:
            continue
        screen.study.change(protects=True)  # the command protects, whatever the limits allow
        result = screen.study.result
        release = method.release(table, SECRET)
        assert texts(result.release) == texts(release) == screen.shown_cells("after") == screen.saved_cells()
        out.unlink(missing_ok=True)
        rules = rule if rule in available() else str(toml)
        asked = [str(path), "--method", name, "--seed", str(SECRET), "--rules", rules, "-o", str(out)]
        code = main(["protect", *asked])
        capsys.readouterr()
        assert (code == 0) == (result.deciding.answer == "release") == out.exists()
        required = RULES[rule].method
        if required is not None and required.name != name:
            assert "method" in {stop.kind for stop in result.deciding.stops}
            assert "method" in {stop.kind for stop in judge(table, release, required=required).stops}
        if out.exists():
            lines = list(csv.reader(io.StringIO(out.read_text("utf-8-sig"))))
            shape = release.shape
            cells = [line[1 : 1 + shape[1]] for line in lines[1 : 1 + shape[0]]]
            assert [[cell.replace(",", "") for cell in row] for row in cells] == texts(release)


def test_the_census_rule_saves_what_it_shows():
    """The attack of the report: the perturbed table was shown, and the file held the fourteen ones."""
    page = Screen(examples.load("religion"))
    ask(control(page.app, "Rule"), "census-cell-key")
    result = page.study.result
    assert not result.deciding.as_it_is
    assert "as it is" not in page.lead.answer
    original = texts(results.Release.of(result.state.table))
    assert page.shown_cells("after") == page.saved_cells() != original
    # Judged by the same rule as another method's, the table says whose method it is not.
    page.study.put(page.study.state.set(seed=SECRET).with_method("random-rounding"))
    deciding = page.study.result.deciding
    assert "but without the required method" in deciding.limits.source
    assert "method" in {stop.kind for stop in deciding.stops}


def test_the_original_table_is_shown_where_it_is_proposed_and_a_method_is_seen_once_it_is_chosen():
    table = TABLES[4]
    page = Screen(table)
    study = page.study
    study.put(study.state.set(seed=SECRET, replications=1))
    study.change(limits=ReleaseLimits("Panel, May 2026", risk=0.5, one_cell=0))
    original = texts(results.Release.of(table))
    assert study.result.deciding.as_it_is
    assert page.shown_cells("change") == page.saved_cells() == original
    ask(control(page.app, "Common methods"), "conventional-rounding")
    ask(control(page.app, "Rounding base b"), 7)
    assert not study.result.deciding.as_it_is
    assert page.shown_cells("change") == page.saved_cells() != original
    ask(control(page.app, "Publish the protected table"), False)
    assert study.result.deciding.as_it_is
    assert page.shown_cells("after") == page.saved_cells() == original
    page.press()
    assert set(page.saved) >= {"xlsx", "html", "csv"}
    assert ProtectState.from_state(json.loads(json.dumps(study.state.to_state()))) == study.state


def test_a_rule_with_a_method_is_kept_in_a_link_and_by_changed_limits():
    page = Screen(TABLES[4])
    take_rule(page.study, load("census-cell-key"))
    state = page.study.state
    assert state.required == load("census-cell-key").method
    assert ProtectState.from_state(json.loads(json.dumps(state.to_state()))) == state
    set_limit(page.study, risk=0.9)
    assert not page.study.result.deciding.as_it_is
    assert "changed on the page Protect" in page.study.state.limits.source
    ask(control(page.app, "Rule"), "none")
    assert page.study.state.required is None
