"""The code of the README does what it says, and the names it lists are there."""

import re
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets import FrequencyTable, assess, protect

README = Path(sdcwidgets.__path__[0]).parent / "README.md"
TABLE = "Area,Female,Male\nArea 1,181,12\nArea 2,17,1\nArea 3,83,30\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE, encoding="utf-8")
    return FrequencyTable.from_csv("table.csv")


def test_the_code_runs(table):
    code, notebook = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    found = {}
    exec(code, found)
    exec(notebook, found)
    assert found["app"].result.assessment.settings.epsilon == 0.25
    assert (found["release"].cells % 5 == 0).all()
    assert FrequencyTable.from_excel("protected.xlsx").total % 5 == 0


def test_the_listed_names_are_there(table):
    things = {
        "FrequencyTable": table,
        "assess(table, method)": assess(table, "random-rounding", replications=10),
        "protect(table, method)": protect(table, "random-rounding"),
        "examples": sdcwidgets.examples,
    }
    for name, thing in things.items():
        (line,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", README.read_text("utf-8"), re.MULTILINE)
        used = re.findall(r"`(\.[^`]+)`", line)
        assert len(used) > 1
        for one in used:
            eval(f"thing{one}" if "from_" not in one else f"type(thing){one}", {"thing": thing})
