"""A doubt about a file stops a command with a preview, the doubt at its place, and ways that lead to a table."""

import re
import shlex

import pytest
from doubtful_files import FILES

from sdcwidgets.cli import main
from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.questions import QUESTIONS

#: Beginning of the outcome of an answer that leads to another question.
NEXT = "The next question is: "

#: Maximum number of questions about one file.
MOST_QUESTIONS = 3


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stopped(capsys, *words):
    """Return the lines on stderr of a command that stops with a doubt."""
    assert main(["assess", *words]) == 2
    return capsys.readouterr().err.splitlines()


def answers_in(lines):
    """Return the answers that a message offers, each with its outcome."""
    offered = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in lines if line.startswith("  --")]
    return {tuple(shlex.split(flags)): outcome for flags, outcome in offered}


def totals_by_answers(capsys, name, lines, given=()):
    """Yield the total of each table that the answers of a message lead to."""
    assert len(given) < 8 * MOST_QUESTIONS
    for flags, outcome in answers_in(lines).items():
        words = (*given, *flags)
        if outcome.startswith(NEXT):
            following = stopped(capsys, name, *words)
            assert following[0].startswith(outcome.removeprefix(NEXT).rstrip("."))
            yield from totals_by_answers(capsys, name, following, words)
        else:
            assert summary_with(capsys, name, *words).startswith(outcome)
            yield total_in(outcome)


def total_in(summary):
    return int(summary.split()[0].replace(",", ""))


def summary_with(capsys, name, *words):
    """Return the first line on stderr of a command that reads a file."""
    assert main(["assess", name, *words]) == 0
    return capsys.readouterr().err.splitlines()[0]


def total_by_layout(capsys, folder, name, sentence):
    """Return the total of the table that the printed layout reads, after the corrections that a sentence states."""
    assert main(["assess", name, "--show-layout"]) == 0
    text = capsys.readouterr().out
    stated = re.search(r"texts = \{.*?\}", sentence)
    if stated and "\ntexts" not in text:
        text = text.replace("version = 1\n", f"version = 1\n{stated[0]}\n")
    omitted = re.search(r"\^ column (\d+):", sentence)
    if omitted and "omit it with a layout" in sentence:
        text = re.sub(rf'(number = {omitted[1]}\nrole = )"count"', r'\1"other"', text)
    (folder / "table.toml").write_text(text, encoding="utf-8")
    return total_in(summary_with(capsys, name, "--layout", "table.toml"))


@pytest.mark.parametrize("name", FILES)
def test_a_doubt_stops_with_a_preview_and_ways_that_lead_to_a_table(name, folder, capsys):
    file = FILES[name]
    (folder / name).write_bytes(file.content)
    lines = stopped(capsys, name)
    shown = [line for line in lines if " | " in line]
    assert len(shown) >= 3
    assert any(role in shown[0] for role in ("label", "count", "other"))
    assert all(any(text in line for line in shown) for text in file.texts)
    if file.place:
        place = next(line for line in shown if file.place in line)
        assert lines[lines.index(place) + 1].strip().startswith("^")
    totals = list(totals_by_answers(capsys, name, lines))
    if any("--show-layout" in line for line in lines):
        sentence = " ".join(lines)
        totals.append(total_by_layout(capsys, folder, name, sentence))
    assert totals
    assert file.total in totals


def test_most_kinds_of_questions_are_asked():
    kinds = set()
    for file in FILES.values():
        kinds |= {doubt.question for doubt in propose_layout(file.content).questions.values()}
    assert kinds <= set(QUESTIONS)
    assert len(kinds) >= 40


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Area,Men,Women,Total\nBath,31,40,71\nHull,59,61,120\nTotal,90,101,191\n", 1),
        ("Area;Men;Women\nBath;1,302;2,450\nHull;3,199;1,777\n", 1),
        ("People of 2024\nArea,Men,Women\nBath,31,40\nHull,59,61\n", 1),
        ("Area,Sex,n\nBath,m,31\n,f,40\nHull,m,59\n,f,61\n", 1),
        # A label alone says that the column has no counts, so that the line is necessary.
        ("Area,Men,Women,Share\nBath,31,40,12.2\nHull,59,61,33.3\n", 2),
    ],
)
def test_a_confident_reading_prints_one_line(text, number, folder, capsys):
    (folder / "table.csv").write_text(text, encoding="utf-8")
    assert main(["assess", "table.csv"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == number
    assert lines[0] == FilePreview(text.encode()).summary
