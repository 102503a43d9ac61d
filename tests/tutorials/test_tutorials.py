"""Every tutorial: it can be read, its questions know right from wrong, its numbers stand there as text."""

import ast
import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

import sdcwidgets
from sdcwidgets.teaching.lessons.exercise import Exercise

ROOT = Path(sdcwidgets.__file__).parent.parent
TUTORIALS = sorted((ROOT / "tutorials").glob("*.ipynb"))
SILENT = "nbval-ignore-output"

every_tutorial = pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)


@cache
def read(path):
    return nbformat.read(path, nbformat.NO_CONVERT)


@cache
def run(path):
    """Run a tutorial from its first cell to its last; what each code cell shows, by its id."""
    names, shown = {"display": lambda *_: None}, {}
    for cell in read(path).cells:
        if cell.cell_type == "code":
            tree = ast.parse(cell.source)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, cell.id, "exec"), names)
            shown[cell.id] = last and eval(compile(ast.Expression(last.value), cell.id, "eval"), names)
    return shown


def code(path, tag=None):
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    return [cell for cell in cells if tag is None or tag in cell.metadata.get("tags", ())]


def test_there_is_a_first_lesson():
    assert TUTORIALS[0].name.startswith("01-")


@every_tutorial
def test_it_can_be_read(path):
    notebook = read(path)
    nbformat.validate(notebook)
    words = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert re.match(r"# Lesson \d+(\.5)?: .+", words[0])
    assert sum(source.startswith("# ") for source in words) == 1
    assert len(words) >= len(code(path)) / 2
    assert "What you can do now" in "\n".join(words)


@every_tutorial
def test_its_links_lead_to_files(path):
    words = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^)]+)\)", words)
    assert links
    assert [link for link in links if not (path.parent / link).is_file()] == []


@pytest.mark.slow
@every_tutorial
def test_its_questions_know_right_from_wrong(path):
    """Takes more than 10 s of processor time, because each lesson is run, and each of its questions is answered."""
    questions = code(path, "exercise")
    assert len(questions) >= 5
    assert {cell.id for cell in questions} == {
        name for name, shown in run(path).items() if isinstance(shown, Exercise)
    }
    for cell in questions:
        exercise, answers = run(path)[cell.id], cell.metadata["answers"]
        assert not exercise.answer(answers["wrong"]), cell.id
        hint = exercise.feedback
        assert exercise.answer(answers["right"]), cell.id
        assert hint != exercise.feedback, cell.id
        assert not exercise.answer(""), cell.id
        if exercise.options:
            right = [exercise.answer(str(option)) for option in range(len(exercise.options))]
            assert sum(right) == 1, cell.id


@every_tutorial
def test_the_source_of_a_question_is_closed_because_the_answer_is_in_it(path):
    for cell in code(path, "exercise"):
        assert cell.metadata["jupyter"]["source_hidden"], cell.id


@every_tutorial
def test_a_widget_cell_is_short_and_saves_nothing(path):
    assert "widgets" not in read(path).metadata
    assert "widget-view" not in json.dumps(read(path))
    for cell in code(path, "widget"):
        assert SILENT in cell.metadata.tags, cell.id
        assert "NBVAL" not in cell.source, cell.id
        assert cell.outputs == [], cell.id
        assert len(re.findall(r"^(?:from|import) ", cell.source, re.MULTILINE)) <= 1, cell.id


@every_tutorial
def test_its_numbers_are_there_as_text(path):
    numbers = [cell for cell in code(path) if SILENT not in cell.metadata.get("tags", ())]
    assert len(numbers) >= 5
    for cell in numbers:
        kinds = {output.output_type for output in cell.outputs}
        assert kinds - {"stream", "display_data", "execute_result"} == set(), cell.id
        assert kinds, cell.id
        printed = "".join(output.get("text", "") for output in cell.outputs)
        assert re.search(r"\d", printed) or kinds != {"stream"}, cell.id
        # A table is a table, with heads that a screen reader says, not spaces or brackets.
        assert "[[" not in printed, cell.id
        assert not re.search(r"(?m)^(?:.*\S {2,}\S.*\S {2,}\S.*\n){4}", printed), cell.id


@every_tutorial
def test_in_a_notebook_what_follows_a_question_is_folded(path):
    cells = read(path).cells
    for question, after in pairwise(cells):
        if "exercise" in question.metadata.get("tags", ()):
            assert after.metadata.get("jp-MarkdownHeadingCollapsed"), question.id


@every_tutorial
def test_the_first_cell_states_the_minutes_of_the_landing_page(path):
    notebook = read(path)
    stated = re.search(r"about (\d+) minutes", notebook.cells[0].source)
    assert stated
    assert int(stated[1]) == notebook.metadata["sdcwidgets"]["minutes"]


@every_tutorial
def test_numbers_of_exercises_can_be_checked_before_the_answer(path):
    (section,) = (cell.source for cell in read(path).cells if cell.source.startswith("## Three exercises"))
    for exercise in ("- *Exercise 1.* ", "- *Exercise 2.* "):
        assert exercise in section


def test_each_lesson_leads_to_the_next_one():
    order = sorted(TUTORIALS, key=lambda path: read(path).metadata["sdcwidgets"]["order"])
    for path, after in pairwise(order):
        words = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
        (target,) = re.findall(r"Next: \[[^\]]+\]\(([^)]+)\)", words)
        assert target == after.name


def test_each_lesson_takes_20_to_40_minutes():
    minutes = {path.stem: read(path).metadata["sdcwidgets"]["minutes"] for path in TUTORIALS}
    assert all(20 <= stated <= 40 for stated in minutes.values()), minutes
