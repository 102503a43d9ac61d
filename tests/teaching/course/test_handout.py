"""A handout prints what a course says, and nothing that it says is markup."""

import re

import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.cli import main
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.teaching.course import parse, read, ready
from sdcwidgets.teaching.course.handout import handout, used_words
from sdcwidgets.teaching.course.progress import CourseProgress
from sdcwidgets.widgets.page_state.links import encode


@pytest.mark.parametrize("name", ready())
def test_answers_stand_in_the_one_with_solutions_alone(name):
    course = read(name)
    plain, solved = (handout(course, solutions=one, address="http://room:8866/") for one in (False, True))
    for step in course.steps:
        assert step.note not in solved or not step.note
        if step.why:
            assert step.why.replace("&", "&amp;") not in plain
    # Each step with a page has a code, and each task one more for a solution.
    places = sum(step.opening is not None for step in course.steps)
    tasks = sum(step.kind == "task" for step in course.steps)
    assert (plain.count("<svg"), solved.count("<svg")) == (places, places + tasks)
    assert handout(course).count("<svg") == 0
    # On a screen, each code has a link, and so has the address of the course.
    for page, number in ((plain, places), (solved, places + tasks)):
        links = re.findall(r'<a [^>]*href="([^"]+)"', page)
        assert len(links) == number + 1
        assert links[0] == "http://room:8866/course"
        assert all(link.startswith("http://room:8866/voila/render/") for link in links[1:])
    assert "<a " not in handout(course)
    # A code without its own coordinates would be cut, not made smaller, where the page gives it a size.
    assert all("viewBox" in head and "width" not in head for head in re.findall(r"<svg[^>]*>", solved))
    assert "<script" not in solved
    assert "@page" in plain


def test_words_that_are_used_are_explained_once():
    words = [one.word for one in used_words(read("protecting-census-tables"))]
    assert len(words) == len(set(words)) > 2
    assert {"R₂", "HD", "replicate", "Record swapping", "Random rounding", "Cell key"} <= {*words}
    assert "x₁" not in words  # the lesson calls four gaps x₁ to x₄
    samples = {one.word for one in used_words(read("from-samples-to-servers"))}
    assert {"sampling fraction", "F̂", "key variables", "log-linear model", "τ₂"} <= samples
    assert "H(X)" in [one.word for one in used_words(read("frequency-tables-and-entropy"))]


def test_an_entry_states_its_term_once_and_a_wide_table_takes_the_keyboard():
    page = handout(read("frequency-tables-and-entropy"))
    for entry in used_words(read("frequency-tables-and-entropy")):
        parts = entry.meaning.split(": ")
        assert parts[0] not in parts[1:]
    assert page.count('<div class="scroll" tabindex="0" role="region"') == page.count("<table>") > 0


def test_there_is_space_to_write_wherever_something_is_asked():
    course = read("from-samples-to-servers")
    asked = sum(step.kind != "talk" or "?" in step.text for step in course.steps)
    assert handout(course).count('<div class="space">') == 2 * asked
    assert course.steps[-1].kind == "text"


def test_what_a_course_says_is_no_markup():
    nasty = "<script>alert(1)</script>"
    text = f"""title = "{nasty}"
about = "{nasty}"
minutes = 9
[[step]]
title = "{nasty}"
minutes = 9
text = "{nasty}"
options = ["{nasty}", "b"]
answer = 1
why = "{nasty}"
"""
    for solutions in (False, True):
        page = handout(parse(text), solutions=solutions)
        assert "<script" not in page
        assert len(re.findall("&lt;script", page)) >= 4


def test_the_command_writes_and_checks(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name = "frequency-tables-and-entropy"
    assert main(["course", "list"]) == 0
    assert name in capsys.readouterr().out
    assert main(["course", "copy", name, "--dry-run"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["course", "copy", name]) == 0
    assert read(f"{name}.toml") == read(name)
    assert main(["course", "copy", name]) == 2
    assert "exists" in capsys.readouterr().err
    assert main(["course", "handout", f"{name}.toml", "--solutions", "--address", "http://room:8866"]) == 0
    assert "1.3863" in (tmp_path / f"{name}-solutions.html").read_text("utf-8")
    assert main(["course", "handout", name, "--address", "javascript:"]) == 2
    wrong = (tmp_path / f"{name}.toml").read_text("utf-8").replace("assignments >= 4", "assignments >= 5")
    (tmp_path / "wrong.toml").write_text(wrong, "utf-8")
    assert main(["course", "check", "wrong.toml"]) == 2
    assert "the goal" in capsys.readouterr().err
    # The server does not start with such a course.
    assert main(["serve", "--no-browser", "--course", "wrong.toml"]) == 2
    assert "the goal" in capsys.readouterr().err


def test_a_check_reports_a_link_with_the_counts_of_a_table(tmp_path, capsys):
    state = encode(ProtectState(FrequencyTable([[181, 12], [17, 1]])))
    step = f'[[step]]\ntitle = "One"\nminutes = 5\npage = "http://localhost:8866/voila/render/protect.ipynb?state={state}"\n'
    (tmp_path / "own.toml").write_text(f'title = "T"\nminutes = 60\n{step}', "utf-8")
    assert main(["course", "check", str(tmp_path / "own.toml")]) == 0
    assert "Step 1, One" in capsys.readouterr().out
    assert main(["course", "check", "frequency-tables-and-entropy"]) == 0
    assert "Step" not in capsys.readouterr().out


def test_a_handout_contains_the_results_of_one_participant():
    course = read("frequency-tables-and-entropy")
    progress = CourseProgress(course)
    question, task = (
        next(k for k, one in enumerate(course.steps) if one.kind == kind) for kind in ("question", "task")
    )
    last = len(course.steps) - 1
    for number, name in enumerate(("fox", "owl")):
        progress.join(f"{number:032x}", name)
    right = str(int(course.steps[question].answer))
    progress.answer(f"{0:032x}", question, right)
    progress.answer(f"{0:032x}", last, "<b>Zeros</b> matter.")
    progress.answer(f"{1:032x}", last, "Another text.")
    progress.checked(f"{0:032x}", task, True, {"risk": 0.2213, "moved": 15, "people": 2449}, "a setting")
    results = progress.results(f"{0:032x}")
    assert set(results) == {question, task, last}
    page = handout(course, address="http://room:8866/", results=results)
    plain = handout(course, address="http://room:8866/")
    assert page.count('<div class="space">') == plain.count('<div class="space">') - 6
    for words in (course.steps[question].why, "0.221", "a setting", "&lt;b&gt;Zeros"):
        assert words in page
        assert words not in plain
    assert "Another text." not in page
    assert progress.results("unknown") == {}
