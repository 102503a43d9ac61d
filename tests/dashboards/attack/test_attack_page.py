import ipywidgets
from stating import stating

from screens import button
from sdcwidgets.dashboards import attack
from sdcwidgets.dashboards.attack import subtraction
from sdcwidgets.dashboards.attack.cases import CASES
from sdcwidgets.dashboards.attack.state import AttackState
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.source import SourceBar


def within(part):
    yield part
    for child in getattr(part, "children", ()):
        yield from within(child)


class Lab:
    def __init__(self, state=None):
        # The page opens with one subtraction; most tests begin without.
        self.parts = list(within(attack.app(AttackState() if state is None else state)))
        self.answer = next(part for part in self.parts if isinstance(part, Answer))
        self.lead = next(part for part in self.parts if isinstance(part, Lead))

    def board(self, title):
        return next(part for part in self.parts if isinstance(part, Board) and title in part.title)

    def ahead(self, words):
        assert words in self.lead.ahead
        self.lead._hear(self.lead, {"type": "next"}, [])

    def press(self, words):
        actions, place = button(self.parts[0], words)
        actions._press(place)
        return actions.status


def test_a_trainee_finds_her():
    lab = Lab()
    old, new = lab.board("1991"), lab.board("2001")
    for row in range(3):
        old.press(row, 1)
        new.press(row, 1)
        lab.ahead("combination")
    wanted = lab.board("Unpublished counts")
    assert [row[1]["text"] for row in wanted.spots] == ["1", "0", "0"]
    assert [row[0]["text"] for row in wanted.spots] == ["0 to 52", "0 to 130", "0 to 39"]
    assert old.spots[0][1]["badge"] == "✓"
    lab.press("More than 30")
    assert lab.answer.value == "100"
    assert "combinations prove" in lab.answer.sentence
    notes = lab.board("Saved combinations")
    assert [[spot["text"] for spot in row] for row in notes.spots] == [
        ["", "0 to 55", "0 to 140", "0 to 49"],
        ["1", "1", "0 to 140", "0 to 49"],
        ["0", "1", "0", "0 to 49"],
        ["0", "1", "0", "0"],
    ]
    notes.press(1, 0)  # a kept line is a number too
    assert notes.spots[1][0]["badge"] == "+"


def test_the_lead_says_what_is_still_possible_and_what_comes_next():
    lab = Lab()
    assert lab.lead.answer == 'Still possible: "More than 30", "16-30", "15 or less".'
    old, new = lab.board("1991"), lab.board("2001")
    old.press(0, 1)
    new.press(0, 1)
    assert lab.lead.answer == "55 − 54 = 1. More than 30: 1; 16-30: 0 to 140; 15 or less: 0 to 49."
    lab.ahead("combination")
    lab.press("16-30")
    assert (lab.lead.tone, lab.lead.why.endswith("80 points.")) == ("stop", True)
    for row in (1, 2):
        old.press(row, 1)
        new.press(row, 1)
        lab.ahead("combination")
    lab.press("More than 30")
    assert lab.lead.tone == "good"
    lab.ahead("base 5")
    assert lab.lead.answer.startswith("Still possible: ")


def test_no_hint_is_left_to_give():
    lab = Lab()
    for _ in CASES["boundaries"].hints:
        assert lab.press("Show a hint (10 points)") == ""
    assert lab.press("Show a hint (10 points)") == stating("no more hints")
    assert lab.answer.value == f"{100 - 10 * len(CASES['boundaries'].hints)}"


def test_hints_and_the_machine_cost():
    lab = Lab()
    lab.press("Show a hint (10 points)")
    assert lab.answer.value == "90"
    lab.press("automated attack")
    assert lab.answer.value == "60"
    assert [spot["text"] for spot in lab.board("Combinations of").spots[0]] == [
        "55 − 54 = 1",
        "1",
    ]
    assert lab.answer.sentence == stating("1, 0, 0")
    assert "0 of 3 counts" in str(lab.answer.caption)
    lab.press("More than 30")
    assert lab.answer.sentence == stating("is correct", "not", "1, 0, 0")
    assert "guess" not in lab.answer.sentence


def test_a_mark_of_what_is_not_told_yet_is_explained():
    lab = Lab()
    board = lab.board("by protection")
    assert board.spots[0][1]["text"] == "?"
    assert board.frame["note"].startswith("? = ")
    lab.press("automated attack")
    assert (board.spots[0][1]["text"], board.frame["note"]) == ("1", "")


def test_the_machine_has_every_attack_that_can_work():
    lab = Lab(AttackState(case="classes", automated=True))
    choice = next(part for part in lab.parts if isinstance(part, Control) and part.parameter.name == "attack")
    assert {"differencing", "linking"} <= set(choice.parameter.choices)
    assert not {"means", "averaging"} & set(choice.parameter.choices)


def test_another_attack_is_chosen():
    lab = Lab(AttackState(case="linked", automated=True, attack="differencing"))
    lines = [[spot["text"] for spot in row] for row in lab.board("Combinations of").spots]
    own = Lab(AttackState(case="linked", automated=True)).board("Combinations of").spots
    assert [row[1]["text"] for row in own] == ["1", "5"]
    assert lines[1][1] != "5"  # no number less another leaves one count only


def test_ones_own_table():
    lab = Lab()
    lab.press("Show a hint (10 points)")
    source = next(part for part in lab.parts if isinstance(part, SourceBar))
    assert source.layout.display == "none"
    case = next(part for part in lab.parts if isinstance(part, Control) and part.parameter.name == "case")
    case.request = {"value": "own", "turn": 1}
    assert source.layout.display is None
    table = lab.board("Your table")
    assert table.spots[2][1]["text"] == stating("suppressed value")
    table.press(2, 2)
    table.press(2, 0)
    lab.ahead("combination")
    lab.parts = list(within(lab.parts[0]))
    lab.press("1")
    assert "combinations prove" in lab.answer.sentence
    lab.press("automated attack")
    steps = lab.board("Intervals of")
    assert steps.spots[-1][0]["text"] == "1"


def test_labels_of_ones_own_table_are_no_markup():
    table = FrequencyTable([[1, 7], [6, 9]], {"<b>A</b>": ["<i>x", "y"], "B": ["p", "q"]})
    lab = Lab(table)
    assert lab.lead.question == stating("many", "“<i>x, p”")
    asked = [part.value for part in lab.parts if isinstance(part, ipywidgets.HTML)]
    assert not any("<i>" in text or "<b>" in text for text in asked)


def test_every_case_and_protection_is_shown():
    for name, case in CASES.items():
        for protection in case.protections:
            lab = Lab(AttackState(case=name, protection=protection, automated=True))
            assert lab.board("by protection").spots


def test_the_page_opens_with_one_subtraction_and_two_empty_places():
    lab = Lab(subtraction.opening())
    assert [row[1]["text"] for row in lab.board("Unpublished counts").spots] == ["0 to 55", "0 to 140", "0"]
    texts = [part.value for part in lab.parts if isinstance(part, ipywidgets.HTML)]
    [saved] = [text for text in texts if "49 − 49 = 0" in text]
    assert "15 or less, Female, strip" in saved
    [places] = [text for text in texts if "sdc-places" in text]
    assert places.count("class='sdc-place'") == len(subtraction.PLACES)
    lab.board("1991").press(1, 1)
    [places] = [
        part.value for part in lab.parts if isinstance(part, ipywidgets.HTML) and "sdc-places" in part.value
    ]
    assert places.count("class='sdc-place'") == 1
    assert places.count("sdc-filled") == 1
    assert places.endswith("= <strong>?</strong></p>"), "one number is no subtraction yet"


def test_the_score_is_visible_on_the_first_view_and_falls_with_a_hint():
    lab = Lab()

    def scores():
        return [part.value for part in lab.parts if isinstance(part, Text) and "100 points" in part.value]

    before = scores()
    lab.press("Show a hint (10 points)")
    assert ["100" in text.partition("of")[0] for text in before] == [True]
    assert ["90" in text.partition("of")[0] for text in scores()] == [True]


def test_only_the_case_of_two_boundaries_has_areas():
    for name in CASES:
        texts = [
            part.value for part in Lab(AttackState(case=name)).parts if isinstance(part, ipywidgets.HTML)
        ]
        assert any("sdc-areas" in text for text in texts) == (name == "boundaries")
