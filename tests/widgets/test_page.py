"""The head of a page says what was wrong until something else is done."""

from sdcwidgets import InputError
from sdcwidgets.tables.examples import load
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState


def test_a_problem_is_said_until_the_state_changes():
    """A page that still computes better numbers for the same state does not take the sentence away."""

    def refuse():
        raise InputError("This link is damaged; copy it again from the page that made it.")

    table = load("sex")
    study = Study(TableState(table), lambda state: state.table.total)
    page = Page(title="A page", about="", here="", links=[])
    page.bind(study, TableState.from_state, lambda state: "")
    page.attempt(refuse)
    assert page.problem.startswith("This link is damaged")
    study.turn += 1
    assert page.problem.startswith("This link is damaged")
    study.change(table=table.with_counts(table.counts + 1))
    assert page.problem == ""


def test_what_is_wrong_is_told_in_two_hundred_characters_at_most():
    def refuse():
        raise InputError(f"The link names {', '.join(f'Area {n}' for n in range(100))}; copy it again.")

    page = Page(title="A page", about="", here="", links=[])
    page.attempt(refuse)
    assert page.problem.startswith("The link names Area 0, Area 1")
    assert len(page.problem) <= 200


def test_a_word_of_the_glossary_is_explained():
    page = Page(title="A page", about="", here="", links=[])
    sent = []
    page.send = sent.append
    page.numbers(lambda: [[("R₁ = 0.2", "")]], "H(X)")
    for word in ("H(X)", "no such word"):
        page._hear(page, {"type": "word", "word": word}, [])
    (message,) = sent
    assert message["title"] == "H(X)"
    assert message["lines"][-1] == [["R₁ = 0.2", ""]]
