"""Rule files, courses and table generators of the first development version still load.

The files in `data/first_files` were written by the code of November 2026 before package and parameters were renamed.
They are never written again: a file of an agency does not change either.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sdcwidgets.assessment import verdict
from sdcwidgets.cli import main

FILES = Path(__file__).parent / "data" / "first_files"


@pytest.mark.parametrize("path", sorted((FILES / "rules").glob("*.toml")), ids=lambda path: path.stem)
def test_a_rule_file_says_what_it_said(path):
    old, today = verdict.load(path), verdict.load(path.stem)
    assert old.method == today.method
    assert replace(old.limits, source=today.limits.source) == today.limits


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((FILES / "courses").glob("*.toml")), ids=lambda path: path.stem)
def test_a_course_is_valid(path):
    assert main(["course", "check", str(path)]) == 0


@pytest.fixture
def generator(request, tmp_path):
    folder = tmp_path / request.param
    shutil.copytree(FILES / request.param, folder)
    return folder


@pytest.mark.parametrize("generator", ["public", "study"], indirect=True)
def test_a_table_generator_gives_the_same_answer(generator, capsys):
    """The answer of the log and a new one: with the stored secret, the noise of a count is the same."""
    assert main(["tables", str(generator), "--by", "Area,Sex"]) == 0
    first = (FILES / f"{generator.name}.csv").read_text("utf-8").splitlines()
    assert capsys.readouterr().out.splitlines()[:5] == first[:5]
    assert main(["tables", str(generator), "--by", "Sex"]) == 0
    totals = dict(zip(first[0].split(",")[1:], first[4].split(",")[1:], strict=True))
    assert dict(line.split(",") for line in capsys.readouterr().out.splitlines()[1:4]) == totals
    assert main(["tables", "users", str(generator)]) == 0
    assert capsys.readouterr().out.split() == ["ann"]
