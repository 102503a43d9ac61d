"""What each extra adds: the wheel in an empty environment runs what the extra promises and refuses the rest."""

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from format_files import FILES

from pins import ROOT
from sdcwidgets import FrequencyTable, InputError
from sdcwidgets._util.extras import install_command, need
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.index.page import content
from serving import free_port, running

#: The base has at most this number of packages.
MOST_PACKAGES = 40

#: Imports every module of the base; prints those that fail, with the reason.
_IMPORT_BASE = """
import importlib, pkgutil, sdcwidgets
failed = {}
def skip(name):
    failed[name] = "walk"
names = [module.name for module in pkgutil.walk_packages(sdcwidgets.__path__, "sdcwidgets.", onerror=skip)]
others = ("sdcwidgets.server.", "sdcwidgets.tableserver.service", "sdcwidgets.cli.__main__")
assert len(names) > 400
for name in names:
    if not name.startswith(others):
        try:
            importlib.import_module(name)
        except Exception as error:
            failed[name] = repr(error)
print(failed)
"""

_WIDGETS = """
from sdcwidgets import FrequencyTable, assess, examples
from sdcwidgets.dashboards import explore, index, microdata, notebook_pages, protect
table = examples.load("religion")
app = explore.app(table)
app.settings = {"epsilon": 0.25}
assert app.result.assessment.whole.r1 == assess(table, epsilon=0.25).whole.r1
protect.app(table), microdata.app()
needed = [page.needs for page in (*notebook_pages.dashboards(), *notebook_pages.lessons())].count("tables")
assert needed > 1
assert index.app().value.count("sdcwidgets[tables]") == needed
print(assess(table).whole.r1 > 0)
"""

_REFUSED = """
from sdcwidgets import InputError
from sdcwidgets.microdata import reading
from sdcwidgets.tableserver.tabulate import Tabulator
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.io.sources.database import Database
from sdcwidgets.teaching.course.qr_codes import qr
import pathlib
pathlib.Path("a.duckdb").write_bytes(b"")
for extra, work in (
    ("tables", lambda: Tabulator.open("people.csv")),
    ("tables", lambda: Database.from_input("a.duckdb#people").choose(by=("a",)).read()),
    ("microdata", lambda: read_bytes("a.parquet", b"PAR1")),
    ("serve", lambda: qr("http://a/")),
):
    try:
        work()
    except InputError as error:
        assert f'pip install "sdcwidgets[{extra}]"' in str(error), error
    else:
        raise AssertionError(extra)
print("True")
"""

_TABLES = """
import pandas as pd
from sdcwidgets.dashboards import tables
from sdcwidgets.tableserver.tabulate import Query, Tabulator
tables.app()
people = pd.DataFrame({"Area": ["A", "A", "B"], "Sex": ["m", "f", "f"]})
people.to_csv("people.csv", index=False)
print(Tabulator.open("people.csv").tabulate(Query(("Area",))).table.counts.tolist() == [2, 1])
"""

_MICRODATA = """
from sdcwidgets.microdata.reading import read_microdata, read_microdata_bytes
file = read_microdata_bytes("a.csv", b"sex,age\\nm,30\\nw,31\\n").file
file.to_parquet("a.parquet")
print(read_microdata("a.parquet").file.to_frame().shape == (2, 2))
"""

_SDMX = """
import sys
from sdcwidgets.tables.io.reading import read_bytes
content = open(sys.argv[1], "rb").read()
print(read_bytes("a.xml", content).table.total == 9)
"""

_SERVICE = """
import sys
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.service import application
import uvicorn
print(bool(application))
"""


def test_a_missing_module_is_named_with_the_command_that_installs_it(monkeypatch):
    need("tables", "duckdb")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(InputError, match="duckdb") as refused:
        need("tables", "duckdb")
    assert install_command("tables") in str(refused.value)
    assert "ibis" not in str(refused.value)


def test_serve_is_refused_before_it_prints_an_address(monkeypatch, capsys):
    from sdcwidgets.cli import main

    monkeypatch.setitem(sys.modules, "ipykernel", None)
    assert main(["serve", "--no-browser", "--port", str(free_port())]) == 2
    printed = capsys.readouterr()
    assert 'pip install "sdcwidgets[serve]"' in printed.err
    assert "http" not in printed.err + printed.out


def test_pages_whose_extra_is_missing_are_not_offered(monkeypatch):
    assert "sdcwidgets[" not in content()
    with notebook_pages.gathered() as folder:
        before = {file.name for file in folder.iterdir()}
    monkeypatch.setitem(sys.modules, "duckdb", None)
    page = content()
    missing = {"tables.ipynb", "14-a-table-generator.ipynb", "14b-choose-a-release-policy.ipynb"}
    assert page.count("pip install &quot;sdcwidgets[tables]&quot;") == len(missing)
    assert [name for name in missing if f"href='{name}'" in page] == []
    with notebook_pages.gathered() as folder:
        assert {file.name for file in folder.iterdir()} == before - missing


@pytest.fixture(scope="module")
def uv(missing: Callable[[str], None]) -> str:
    program = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        missing("uv is missing; install the development group.")
    return str(program)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, uv: str) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([uv, "build", "--quiet", "--wheel", "--out-dir", folder, ROOT], check=True)
    (file,) = folder.glob("*.whl")
    return file


class Bare:
    """An environment that has the wheel with some extras, and nothing else."""

    def __init__(self, folder: Path, uv: str, wheel: Path, extras: str) -> None:
        self.folder, self.uv = folder, uv
        self.program("venv", "--python", sys.executable, folder)
        self.add(f"sdcwidgets[{extras}] @ {wheel.as_uri()}" if extras else str(wheel))

    def program(self, *words: object) -> str:
        command = [self.uv, *map(str, words), "--quiet", "--no-config"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def add(self, *requirements: str) -> None:
        self.program("pip", "install", "--python", self.folder, *requirements)

    def packages(self) -> list[str]:
        return sorted(self.program("pip", "freeze", "--python", self.folder).splitlines())

    def run(self, code: str, *arguments: str) -> str:
        """Return the last line that a program prints in the environment."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [self.folder / "bin/python", "-c", code, *arguments]
        ran = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory, uv: str, wheel: Path) -> Iterator[Callable[[str], Bare]]:
    """Make an environment with some extras."""

    def make(extras: str) -> Bare:
        return Bare(tmp_path_factory.mktemp("bare") / "environment", uv, wheel, extras)

    return make


@pytest.mark.slow
def test_the_base_is_small_and_runs_without_extras(bare):
    """Takes more than 10 s of processor time, because an environment without extras is used."""
    base = bare("")
    packages = base.packages()
    assert len(packages) <= MOST_PACKAGES, packages
    assert base.run(_IMPORT_BASE) == "{}"
    assert base.run(_WIDGETS) == "True"
    assert base.run(_REFUSED) == "True"
    command = [base.folder / "bin/sdcwidgets", "serve", "--no-browser", "--port", str(free_port())]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 2
    assert 'pip install "sdcwidgets[serve]"' in ran.stderr
    assert "http" not in ran.stderr


@pytest.mark.slow
def test_serve_shows_pages_without_the_table_generator(bare):
    """Takes more than 10 s of processor time, because a server starts in an environment of its own."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    served = bare("serve")
    command = [str(served.folder / "bin/sdcwidgets"), "serve", "--no-browser", "--port", str(port)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with running(command, f"{address}health", env=environment):
        with urllib.request.urlopen(address, timeout=60) as answer:
            page = answer.read().decode()
        assert "sdcwidgets[tables]" in page
        assert "href='explore.ipynb'" in page
        request = urllib.request.Request(
            f"{address}voila/render/explore.ipynb", headers={"Sec-Fetch-Dest": "document"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert "application/vnd.jupyter.widget-view+json" in answer.read().decode()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{address}voila/render/tables.ipynb", timeout=60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "code"),
    [("tables", _TABLES), ("microdata", _MICRODATA), ("sdmx", _SDMX), ("service", _SERVICE)],
)
def test_an_extra_runs_what_it_promises(bare, extra, code, tmp_path):
    """Takes more than 10 s of processor time, because an environment is made for each extra."""
    file = tmp_path / "a.xml"
    file.write_bytes(
        FILES["sdmx-ml"](FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]}))
    )
    assert bare(extra).run(code, str(file)) == "True"


@pytest.mark.slow
def test_completion_answers_a_shell(bare, tmp_path):
    answered = tmp_path / "answered"
    shell = {"COMP_LINE": "sdcwidgets ass", "COMP_POINT": "14", "_ARGCOMPLETE": "1", "COMP_TYPE": "9"}
    program = bare("completion").folder / "bin/sdcwidgets"
    environment = {"PATH": os.environ["PATH"], "_ARGCOMPLETE_STDOUT_FILENAME": str(answered), **shell}
    subprocess.run([program], env=environment, check=True, timeout=60)
    assert answered.read_text("utf-8").split() == ["assess"]
