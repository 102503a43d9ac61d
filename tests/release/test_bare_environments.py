"""The Pythons in which the wheel of a release is tested."""

import re
import sys
import tomllib

import bare_environments
from pins import ROOT


def test_pyenv_has_a_version_by_its_first_two_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    program = tmp_path / "versions" / "3.98.1" / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.touch()
    assert bare_environments.interpreter("3.98") == str(program)
    assert bare_environments.interpreter("3.9") == "3.9"
    assert bare_environments.interpreter(sys.executable) == sys.executable


def test_a_python_that_is_nowhere_is_an_error_but_not_in_a_rehearsal(tmp_path, capsys):
    absent = str(tmp_path / "python3")
    assert bare_environments.missing([sys.executable, absent]) == [absent]
    assert bare_environments.main(tmp_path / "none.whl", [absent]) == 1
    assert bare_environments.main(tmp_path / "none.whl", [absent], rehearsal=True) == 0
    assert absent in capsys.readouterr().out


def test_make_tests_the_wheel_with_the_oldest_and_the_newest_supported_python():
    (pythons,) = re.findall(r"^PYTHONS \?= (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = [mark.rpartition(" ")[2] for mark in project["classifiers"] if "Python :: 3." in mark]
    assert pythons.split() == [supported[0], supported[-1]]
