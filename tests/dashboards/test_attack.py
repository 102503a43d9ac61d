from sdcwidgets.dashboards import attack
from sdcwidgets.studies.attack import Intrusion
from sdcwidgets.studies.attack_cases import CASES
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board


def within(part):
    yield part
    for child in getattr(part, "children", ()):
        yield from within(child)


class Lab:
    def __init__(self, state=None):
        self.parts = list(within(attack.app(state)))
        self.answer = next(part for part in self.parts if isinstance(part, Answer))

    def board(self, title):
        return next(part for part in self.parts if isinstance(part, Board) and title in part.title)

    def press(self, label):
        actions = next(part for part in self.parts if isinstance(part, Actions) and label in part.labels)
        actions._press(actions.labels.index(label))
        return actions.status


def test_a_trainee_finds_her():
    lab = Lab()
    old, new = lab.board("1991"), lab.board("2001")
    for row in range(3):
        old.press(row, 1)
        new.press(row, 1)
        assert lab.press("Keep the line") == ""
    wanted = lab.board("Published by nobody")
    assert [row[1]["text"] for row in wanted.spots] == ["1", "0", "0"]
    assert [row[0]["text"] for row in wanted.spots] == ["0 to 52", "0 to 130", "0 to 39"]
    assert old.spots[0][1]["badge"] == "✓"
    lab.press("More than 30")
    assert lab.answer.value == "100"
    assert "your lines prove it" in lab.answer.sentence
    notes = lab.board("Your notes")
    assert len(notes.spots) == 3


def test_a_line_without_numbers_is_not_kept():
    assert "no line to keep" in Lab().press("Keep the line")


def test_hints_and_the_machine_cost():
    lab = Lab()
    lab.press("Hint")
    assert lab.answer.value == "90"
    lab.press("Let the machine attack")
    assert lab.answer.value == "60"
    assert [spot["text"] for spot in lab.board("Lines of the machine").spots[0]] == ["55 − 54 = 1", "1"]


def test_every_case_and_protection_is_shown():
    for name, case in CASES.items():
        for protection in case.protections:
            lab = Lab(Intrusion(name, protection, machine=True))
            assert lab.board("under each protection").spots
