"""The recipes of CONTRIBUTING: what a package adds is on the screens, in the command line and under the tests of laws.

The package is `office`, beside this file. It is installed into a folder of its own, as pip would, and asked for in
another process, so that nothing of it stays; no list of this project names it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

OFFICE = Path(__file__).parent / "office"
ROOT = Path(__file__).parents[2]

#: What a page of protection makes of a measure's own setting: its control, a link, the code, the report.
OWN = """
import json
from dataclasses import replace
from sdcwidgets import methods
from sdcwidgets.dashboards.protect.texts import protect_code
from sdcwidgets.dashboards.protect.map import RiskMap
from sdcwidgets.dashboards.protect.result import compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.assessment.report.html import html
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import report_on
from sdcwidgets.widgets.measure_controls import MeasureControls

method = methods.get("top-coding")(limit=30)
study = Study(replace(ProtectState.of_example("sex"), method=method), compute)
page = RiskMap(study, lambda: None)
controls = next(one for one in page.children if isinstance(one, MeasureControls))
hidden = [len(controls.children), controls.layout.display]
study.change(loss="most_moved")
(control,) = controls.children
first = study.result.verdict.loss
control.request = {"value": 2, "turn": 1}
state, result = study.state, study.result
report = report_on(state, result.published, state.method, verdict=result.verdict)
print(json.dumps({
    "hidden": hidden,
    "label": control.spec["label"],
    "losses": [first, result.verdict.loss],
    "link": ProtectState.from_state(json.loads(json.dumps(state.to_state()))).settings == state.settings,
    "code": protect_code(state),
    "report": html(replace(report, internal=True, table=state.table)),
}))
"""

#: What each screen offers, as it offers it.
SCREENS = """
import json
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.attack import page as attack
from sdcwidgets.dashboards.index import page as index
from sdcwidgets.dashboards.protect import page as protect
from sdcwidgets.dashboards import explore
from sdcwidgets.dashboards.page_heads import page_for
from sdcwidgets.dashboards.attack.state import AttackState
from sdcwidgets.dashboards.protect.measured import axis_names
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.tabs import Tabs

def below(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from below(child)

every = list(below(protect.app()))
specs = [one.spec for one in every if hasattr(one, "spec")]
from office import wards
shown = list(below(wards.app()))
screen = attack.app(AttackState(case="margins", automated=True))
next(one for one in below(screen) if isinstance(one, Tabs)).turn_to(2)
lab = below(screen)
print(json.dumps({
    "controls": specs + [one.spec for one in lab if hasattr(one, "spec")],
    "sources": [kind for one in every if hasattr(one, "kinds") for kind in one.kinds],
    "landing": index.content(),
    "links": page_for("explore").links,
    "lessons": page_for("wards").lessons,
    "neighbours": notebook_pages.neighbours("90-wards"),
    "pictures": [
        [one.summary, one._table()["share"].tolist()] for one in shown if getattr(one, "summary", "")
    ],
    "wards": [one.value for one in shown if isinstance(getattr(one, "value", None), str)],
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The environment of a process in which the package is installed."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(OFFICE, site / "office", ignore=shutil.ignore_patterns("__pycache__"))
    told = site / "office-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: office\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[sdcwidgets]\noffice = office\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}


@pytest.fixture(scope="module")
def run(installed):
    def go(*command):
        done = subprocess.run(
            [sys.executable, *command],
            env=installed,
            cwd=ROOT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    return go


@pytest.fixture(scope="module")
def cli(run):
    return lambda *words: run("-m", "sdcwidgets.cli", *words)


@pytest.fixture(scope="module")
def screens(run):
    return json.loads(run("-c", SCREENS))


def offered(screens, label):
    """What the control of this name offers."""
    return next(spec["options"] for spec in screens["controls"] if spec["label"] == label)


def test_nothing_of_it_is_here_without_it():
    from sdcwidgets import attacks, measures, methods
    from sdcwidgets.tables.io import sources

    for room in (attacks, measures, methods, sources):
        assert not {"top-coding", "most_moved", "reading", "invented"} & set(room.available())


class TestMethod:
    def test_it_is_on_the_screen(self, screens):
        assert offered(screens, "Method")["top-coding"] == "Top coding"

    def test_it_is_in_the_command_line_with_its_flags(self, cli):
        text = cli("protect", "example:sex", "--method", "top-coding", "--limit", "30")
        numbers = [int(n) for line in text.splitlines()[1:] for n in line.split(",")[1:] if n.isdigit()]
        assert max(numbers) == 30


class TestMeasure:
    def test_it_is_an_axis_of_the_map(self, screens):
        offers = [spec["options"] for spec in screens["controls"] if "most_moved" in spec.get("options", {})]
        assert [options["most_moved"] for options in offers]
        assert all("Most moved" in options["most_moved"] for options in offers)

    def test_it_is_in_the_command_line(self, cli):
        text = cli(
            "assess", "example:sex", "--method", "top-coding", "--limit", "30", "--measure", "most_moved"
        )
        assert "most_moved" in text

    def test_its_setting_has_a_control_and_a_place_in_links_code_and_report(self, run):
        told = json.loads(run("-c", OWN))
        assert told["hidden"] == [0, "none"]
        assert told["label"] == "Cells left out"
        assert told["losses"][1] < told["losses"][0]
        assert told["link"]
        assert "of_measures=(('most_moved', 'left_out', 2),)" in told["code"]
        assert "Cells left out: 2" in told["report"]

    def test_its_setting_is_a_flag(self, cli, tmp_path):
        ask = ("assess", "example:sex", "--method", "top-coding", "--limit", "30", "--measure", "most_moved")
        moved = [
            json.loads(cli(*ask, "--format", "json", *flags))["after"]["table"]["most_moved"]
            for flags in ((), ("--most-moved-left-out", "2"))
        ]
        assert moved[1] < moved[0]
        rule, report = tmp_path / "rule.toml", tmp_path / "internal.html"
        rule.write_text(
            '[rule]\nname = "Ours"\nsource = "Panel"\n[limits]\nloss = 1000\nloss-measure = "most_moved"\n'
            "[stops]\none-cell = 0\n"
        )
        cli(
            *("protect", "example:sex", "--method", "top-coding", "--limit", "30", "--rules", str(rule)),
            *("--most-moved-left-out", "2", "--internal-report", str(report)),
        )
        assert "Cells left out: 2" in report.read_text("utf-8")


class TestAttack:
    def test_it_is_in_the_lab(self, screens):
        attacks = offered(screens, "Attack")
        assert attacks["reading"] == "Reading"
        assert "linking" in attacks

    def test_it_is_in_the_command_line(self, cli):
        text = cli("attack", "example:sex", "--method", "random-rounding", "--attack", "reading")
        assert "contain the original count" in text


class TestSource:
    def test_it_is_in_the_bar_of_sources(self, screens):
        kind = next(kind for kind in screens["sources"] if kind["kind"] == "invented")
        assert "Everywhere the same" in json.dumps(kind)

    def test_it_is_in_the_command_line(self, cli):
        assert json.loads(cli("assess", "invented:even", "--format", "json"))["table"]["people"] == 84


WIKI = "{|\n|-\n! Area !! m !! f\n|-\n| A || 3 || 1\n|-\n| B || 0 || 5\n|}\n".replace("!!", "!").replace(
    "||", "|"
)


class TestFormat:
    def test_a_file_of_it_is_opened_by_what_is_in_it(self, cli, tmp_path):
        (tmp_path / "areas.txt").write_text(WIKI)
        table = json.loads(cli("assess", str(tmp_path / "areas.txt"), "--format", "json"))["table"]
        assert table["people"] == 9

    def test_the_file_picker_has_its_ending(self, run):
        code = "from sdcwidgets.tables.io import formats, sources\nsources.available()\nprint(*formats.suffixes())"
        assert ".wiki" in run("-c", code).split()


class TestDashboard:
    def test_a_way_leads_there_from_the_landing_page_and_from_every_page(self, screens):
        assert "href='wards.ipynb'" in screens["landing"]
        assert "Wards &lt;of the office&gt;" in screens["landing"]
        assert ["Wards <of the office>", "wards.ipynb"] in dict(screens["links"])["Measure disclosure risk"]

    def test_it_shows_what_follows_from_its_state(self, screens):
        assert "A ward has 25% of the people on average." in screens["wards"]

    def test_its_picture_is_said_in_words_and_numbers(self, screens):
        assert screens["pictures"] == [["4 wards of the same size.", [0.25] * 4]]

    def test_the_server_has_it(self, run):
        code = (
            "from sdcwidgets.dashboards.notebook_pages import gathered\n"
            "with gathered() as place:\n print(*place.iterdir())"
        )
        assert "wards.ipynb" in run("-c", code)


class TestLesson:
    def test_a_way_leads_there_and_on(self, screens):
        assert "href='90-wards.ipynb'" in screens["landing"]
        assert screens["lessons"] == [["How many people has a ward?", "90-wards.ipynb"]]
        assert screens["neighbours"]["tools"] == [["Wards <of the office>", "wards.ipynb"]]

    def test_it_is_copied_with_the_others(self, cli, tmp_path):
        cli("lessons", str(tmp_path / "course"))
        assert (tmp_path / "course" / "90-wards.ipynb").is_file()


def test_the_laws_are_checked_of_all(run):
    """Takes more than 10 s of processor time, because pytest runs again with the four recipes installed."""
    laws = {"methods": "top-coding", "measures": "most_moved", "attacks": "reading", "sources": "invented"}
    folders = {name: name for name in laws} | {"sources": "tables/io"}
    files = [f"tests/{folders[name]}/test_{name.removesuffix('s')}_laws.py" for name in laws]
    told = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA", *files, "-k", " or ".join(laws.values())
    )
    for name in laws.values():
        assert f"[{name}]" in told
