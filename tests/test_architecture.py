"""The shape of the house: who may import whom, and what importing costs."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports
from sampling import one_of

import sdcwidgets
from sdcwidgets.dashboards.page_heads import DASHBOARDS

HEAVY = ("anywidget", "ipywidgets", "pandas", "plotly", "scipy", "traitlets")

#: Refuses every import that is not Python's own, numpy, scipy or this package.
ONLY_NUMPY_AND_SCIPY = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {"lazy_loader", "numpy", "scipy", "sdcwidgets"} | sys.stdlib_module_names:
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, Refuse())
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_imports_keep_the_contracts(capsys):
    status = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


@cache
def modules() -> list[tuple[Path, list[ast.AST]]]:
    """Each module of the package, by its path in the package, with the nodes of its code; parsed once for all laws."""
    root = Path(sdcwidgets.__path__[0])
    return [
        (path.relative_to(root), [*ast.walk(ast.parse(path.read_text("utf-8")))])
        for path in sorted(root.rglob("*.py"))
    ]


#: Dataclasses that change after they are made.
CHANGING = {"AxisSums", "CandidateLines", "SampleStudy", "Trainee", "Visit"}


def test_dataclasses_are_frozen():
    changing = set()
    for _, nodes in modules():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
                if any("dataclass" in text and "frozen=True" not in text for text in decorators):
                    changing.add(node.name)
    assert changing == CHANGING


def test_importing_the_package_loads_nothing_heavy():
    loaded = run("import sys, sdcwidgets; print(*sys.modules)").split()
    assert "sdcwidgets" in loaded
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)


def test_assess_and_protect_load_no_readers_of_files():
    loaded = run("import sys; from sdcwidgets import assess, protect; print(*sys.modules)").split()
    assert "sdcwidgets.methods.protecting" in loaded
    assert [name for name in loaded if name.startswith("sdcwidgets.tables.io.formats")] == []


@pytest.mark.parametrize("name", one_of(2, ["explore", "protect"]))
def test_a_page_with_a_table_starts_without_pandas(name):
    code = f"""
import sys
from sdcwidgets import examples
from sdcwidgets.dashboards import {name}
{name}.app(examples.load("religion"))
print(*sys.modules)
"""
    loaded = run(code).split()
    assert "ipywidgets" in loaded
    assert "pandas" not in loaded


def test_explore_and_reading_start_without_scipy():
    code = """
import sys
import sdcwidgets.tables.io.sources
from sdcwidgets import examples
from sdcwidgets.dashboards import explore
explore.app(examples.load("religion"))
print(*sys.modules)
"""
    assert "scipy.special" not in run(code).split()


def test_the_core_needs_numpy_and_scipy_only():
    code = """
import importlib, pkgutil, sdcwidgets.core
for module in pkgutil.walk_packages(sdcwidgets.core.__path__, "sdcwidgets.core."):
    importlib.import_module(module.name)
    print(module.name)
"""
    assert "sdcwidgets.core.information" in run(ONLY_NUMPY_AND_SCIPY + code).split()


@pytest.mark.parametrize("name", HEAVY[:3])
def test_the_refusal_of_other_packages_refuses(name):
    with pytest.raises(AssertionError, match=f"{name} is not installed"):
        run(f"{ONLY_NUMPY_AND_SCIPY}\nimport {name}")


def test_contributing_names_every_floor():
    root = Path(sdcwidgets.__path__[0]).parent
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    rooms = [room for floor in contracts[0]["layers"] for room in floor.split(" | ")]
    floors = re.findall(r"^\| (`.*?) \| ", (root / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    told = re.findall(r"`(\w+)`", " ".join(floors))
    assert sorted(told) == sorted(rooms)


def test_a_class_name_means_one_thing():
    homes = defaultdict(list)
    for path, nodes in modules():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path))
    assert homes["FrequencyTable"] == ["tables/table.py"]
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_settings_are_handed_on_as_one():
    """No call names field after field of one object, each for the parameter of the same name."""
    handed = []
    for path, nodes in modules():
        for node in nodes:
            if isinstance(node, ast.Call):
                fields = {
                    keyword.arg
                    for keyword in node.keywords
                    if isinstance(keyword.value, ast.Attribute) and keyword.value.attr == keyword.arg
                }
                if {"weights", "third", "epsilon"} <= fields:
                    handed.append(f"{path}:{node.lineno}")
    assert handed == []


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.name)
def test_a_page_is_a_folder_of_the_name_that_callers_use(dashboard):
    page = import_module(f"sdcwidgets.dashboards.{dashboard.name}.page")
    package = import_module(f"sdcwidgets.dashboards.{dashboard.name}")
    assert getattr(sdcwidgets.dashboards, dashboard.name) is package
    assert package.app is page.app


def test_a_page_that_is_not_there_is_an_import_error():
    with pytest.raises(ModuleNotFoundError, match=r"sdcwidgets\.dashboards\.nowhere"):
        import_module("sdcwidgets.dashboards.nowhere")


def test_what_only_one_page_uses_lies_in_its_folder():
    root = Path(sdcwidgets.__path__[0])
    users = defaultdict(set)
    for path, nodes in modules():
        parts = path.parts
        user = parts[1] if parts[0] == "dashboards" and len(parts) > 2 else ".".join(parts)
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sdcwidgets."):
                named = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                for name in named:
                    users[name].add(user)
    stems = {dashboard.name for dashboard in DASHBOARDS}
    shared = [
        path.relative_to(root).with_suffix("")
        for package in ("widgets/page_state", "widgets/texts", "plots")
        for path in (root / package).rglob("*.py")
    ]
    lonely = {
        str(path): who
        for path in shared
        if len(who := users[".".join(("sdcwidgets", *path.parts))]) == 1 and who <= stems
    }
    assert lonely == {}


def test_no_two_files_of_tests_have_one_name():
    # pytest imports them by name alone, and refuses the second.
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_no_module_hides_the_function_assess(seed):
    """Takes more than 10 s of processor time, because every module is imported."""
    code = f"""
import importlib, pkgutil, random, sdcwidgets
names = [module.name for module in pkgutil.walk_packages(sdcwidgets.__path__, "sdcwidgets.")]
names = [name for name in names if not name.endswith(("__main__", "server.warm"))]
random.Random({seed}).shuffle(names)
for name in names:
    importlib.import_module(name)
print(sdcwidgets.assess(sdcwidgets.FrequencyTable([[1, 2], [3, 4]])).whole.people)
"""
    assert run(code).split() == ["10"]


def test_the_package_has_few_entries_at_its_top():
    root = Path(sdcwidgets.__path__[0])
    entries = [
        path.name
        for path in root.iterdir()
        if path.name not in {"__pycache__", "site", "notebooks", "tutorials", "docs"}
    ]
    assert len(entries) <= 20, sorted(entries)


@pytest.mark.parametrize(
    "module", ["sdcwidgets.tables.io.layout.cells", "sdcwidgets.tables.io.formats.columns"]
)
def test_formats_and_layout_are_imported_first_or_second(module):
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
