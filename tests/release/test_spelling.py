"""Texts of the project are British English: no American spelling in prose of documents."""

import re

import pytest

from pins import ROOT

DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "paper" / "paper.md",
]

AMERICAN = re.compile(
    r"\b(behaviors?|colors?|colored|centers?|centered|neighbors?|neighboring|favorites?|honors?|labeled|labeling|modeled|"
    r"modeling|canceled|canceling|analyz\w+|organiz\w+|recogniz\w+|minimiz\w+|maximiz\w+|optimiz\w+|randomiz\w+|"
    r"anonymiz\w+|summariz\w+|generaliz\w+|sanitiz\w+|catalogs?|defense|fulfills|artifacts?|gray|"
    r"licens(?=e is|e of|e text|e file))\b",
    re.IGNORECASE,
)


def prose(text: str) -> str:
    """Return a document without code, addresses and names of files."""
    text = re.sub(r"```.*?```|~~~.*?~~~", "", text, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|https?://\S+", "", text)
    return re.sub(r"\{.*?\}", "", text)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_prose_is_british(document):
    assert AMERICAN.findall(prose(document.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "words"), [("the color", ["color"]), ("`color` and colour", []), ("we analyze", ["analyze"])]
)
def test_american_words_are_found_in_prose_only(text, words):
    assert AMERICAN.findall(prose(text)) == words
