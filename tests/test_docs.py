"""What README and the how-to pages print runs as it is printed."""

import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from sampling import one_of

import sdcwidgets
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.registry import Registry
from sdcwidgets.assessment.verdict import ReleaseLimits
from sdcwidgets.cli import main

ROOT = Path(sdcwidgets.__path__[0]).parent
PAGES = [ROOT / "README.md", ROOT / "docs/index.md", *sorted((ROOT / "docs/how").glob("*.md"))]
#: Pages whose commands compare all methods, which takes 10 s of processor time.
LONG = ("choose-a-method",)
#: Files that the pages use; the site offers them to readers.
FILES = sorted((ROOT / "docs/how/files").iterdir())
#: What waits for visitors, and what writes into the home of a person.
ELSEWHERE = ("serve", "lessons")


class EndOfPage(Exception):
    """All code of a page has run."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in FILES:
        shutil.copy(file, tmp_path)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] * (page.stem in LONG), id=page.stem) for page in PAGES],
)
def test_the_commands_run(page, folder, capsys):
    lines = [shlex.split(line) for block in blocks(page, "sh") for line in block.splitlines()]
    commands = [words[1:] for words in lines if words[0] == "sdcwidgets" and words[1] not in ELSEWHERE]
    for words in commands:
        assert main(words) == 0, capsys.readouterr().err
        assert capsys.readouterr().out or "-o" in words
    assert commands or blocks(page, "python") or page.stem == "try-online"  # it only starts a server


@pytest.mark.parametrize("page", one_of(2, PAGES), ids=lambda page: page.stem)
def test_the_code_runs(page, folder):
    names = {}
    # Methods and measures that a page registers are removed again, because other tests list what is registered.
    with suppress(EndOfPage), Registry.all_or_nothing():
        for code in blocks(page, "python"):
            exec(code, names)
        raise EndOfPage


def test_each_how_to_has_a_title_of_its_own():
    titles = [page.read_text("utf-8").partition("\n")[0] for page in PAGES[1:]]
    assert all(title.startswith("# ") for title in titles)
    assert len(set(titles)) == len(titles) >= 11


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)#]+)", PAGES[0].read_text("utf-8"))
    assert len(links) > 5
    files = [link for link in links if not link.startswith("https:")]
    assert [link for link in files if not (ROOT / link).exists()] == []


def test_each_key_of_rule_files_is_explained():
    rows = [
        line for line in (ROOT / "docs/how/office-rule.md").read_text("utf-8").splitlines() if line[:1] == "|"
    ]
    for limit in declared(ReleaseLimits):
        assert [row for row in rows if f"`{limit.name.replace('_', '-')}`" in row], limit.name
        if limit.choices:
            assert [row for row in rows if all(choice in row for choice in limit.choices)]
