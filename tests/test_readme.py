"""What the README prints runs as it is printed, and the names it lists are there."""

import re
import shlex
from pathlib import Path

import pytest

import sdcwidgets
from sdcwidgets import FrequencyTable, assess, protect
from sdcwidgets.cli import main

README = Path(sdcwidgets.__path__[0]).parent / "README.md"
PEOPLE = "region,town,age,job,sex\n" + "".join(
    f"{region},{region}{town},{age},{job},{sex}\n"
    for region in "NS"
    for town in (1, 2)
    for age, job, sex in (("old", "x", "m"), ("young", "y", "f"), ("young", "y", "f"), ("old", "y", "m"))
)
FIRMS = (
    "Area,Kind,firm,turnover\na,x,1,90\na,x,2,9\na,y,3,80\na,y,4,70\nb,x,5,60\nb,x,6,50\nb,y,7,40\nb,y,8,30\n"
)
TABLE = "Area,Female,Male\nArea 1,181,12\nArea 2,17,1\nArea 3,83,30\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE, encoding="utf-8")
    return FrequencyTable.from_csv("table.csv")


def test_the_commands_without_a_screen_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("firms.csv").write_text(FIRMS, encoding="utf-8")
    Path("people.csv").write_text(PEOPLE, encoding="utf-8")
    text = README.read_text("utf-8").partition("## Numbers without a screen")[2]
    commands = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1].splitlines()
    assert len(commands) > 3
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "sdcwidgets"
        assert main(words) == 0, capsys.readouterr().err
        assert capsys.readouterr().out or "-o" in words


def test_the_code_runs(table):
    code, notebook = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    found = {}
    exec(code, found)
    exec(notebook, found)
    assert found["app"].result.settings.epsilon == 0.25
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
