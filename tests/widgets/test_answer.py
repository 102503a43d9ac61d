"""The line of what changed: only numbers of one table are compared, and a weight is not a part that grew."""

from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.texts.narration import Narration, Subject

FIRST = TableState(FrequencyTable([[1, 2], [3, 4]]), InMemorySource("First"))


def told(*shown):
    answer = Answer(label="Risk")
    for value, part, of in shown:
        answer.show(Narration(value, parts=[("zeros", part)], of=of))
    return answer.changed


def test_two_tables_are_not_compared():
    other = TableState(FrequencyTable([[1, 2], [3, 9]]), InMemorySource("Mine"))
    wider = TableState(FrequencyTable([[1, 2, 0], [3, 4, 1]]), InMemorySource("First"))
    assert told(("0.2", 0.1, FIRST), ("0.4", 0.3, other)) == "Now: Mine"
    assert told(("0.2", 0.1, FIRST), ("0.2", 0.1, other)) == "Now: Mine"
    assert told(("0.2", 0.1, FIRST), ("0.4", 0.3, wider)) == "Now: First"
    assert told(("0.2", 0.1, other)) == ""


def test_an_edit_of_the_same_table_is_compared():
    edited = FIRST.edited([[0, 2], [3, 4]])
    assert told(("0.2", 0.1, FIRST), ("0.4", 0.3, edited)) == "0.2 → 0.4 ▲ zeros rose"


def test_with_another_weight_a_part_weighs_more():
    weighed = FIRST.set(weights=(0.3, 0.6, 0.1))
    assert told(("0.2", 0.1, FIRST), ("0.4", 0.3, weighed)) == "0.2 → 0.4 ▲ zeros weigh more"
    assert told(("0.4", 0.3, weighed), ("0.2", 0.1, FIRST)) == "0.4 → 0.2 ▼ zeros weigh less"


def test_numbers_of_two_places_are_not_compared():
    answer = Answer(label="Measure")
    shown = []
    for value, place in (("3 of 4", "One"), ("2.9444", "Two"), ("2.9512", "Two"), ("2.9512", "One")):
        answer.show(Narration(value, subject=Subject(place, place)))
        shown.append(answer.changed)
    assert shown == ["", "Now: Two", "2.9444 → 2.9512 ▲", "Now: One"]
