from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.parameters import Label, Range
from sdcwidgets.tables.io.sources import File
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.page_state.links import decode, encode
from sdcwidgets.widgets.page_state.table_state import TableState


@dataclass(frozen=True)
class ThresholdState(TableState):
    threshold: Annotated[int, Range(1, 20), Label("Threshold")] = 3


def test_a_link_keeps_a_further_setting():
    state = ThresholdState.of_example("religion").set(threshold=9, epsilon=0.2)
    assert (state.threshold, state.settings.epsilon) == (9, 0.2)
    assert ThresholdState.from_state(decode(encode(state))) == state


def test_a_further_setting_is_checked():
    state = ThresholdState.of_example("religion")
    for change in (state.set, state.changed):
        with pytest.raises(InputError, match="from 1 to 20"):
            change(threshold=99)
    damaged = state.to_state() | {"threshold": "many"}
    with pytest.raises(InputError):
        ThresholdState.from_state(damaged)


#: A file with a title, totals, a source and a note, as offices write it.
WITH_TEXTS = (
    "Table 4. Accidents by district,,,\n,,,\nDistrict,Fatal,Slight,Total\nValley,0,36,36\nHarbour,2,50,52\n"
    "All districts,2,86,88\n,,,\nSource: Labour Inspectorate,,,\nNote: Accidents on the way are excluded.,,,\n"
)


def test_a_release_of_a_restored_state_has_the_title_and_notes_of_its_file():
    source = File.from_input(WITH_TEXTS.encode(), "accidents.csv")
    reading = source.read(1000)
    source = source.began(reading.table) if source.start is None else source
    source = replace(source, as_read=reading.as_read)
    state = TableState(reading.table, source)
    again = TableState.from_state(decode(encode(state)))
    release = Release.of(again.table)
    text = release.to_csv(as_read=again.source.as_read)
    assert text == release.to_csv(as_read=reading.as_read)
    assert text.startswith("Table 4. Accidents by district")
    assert "Source: Labour Inspectorate" in text
    assert "All districts,2,86,88" in text
    # A second page keeps it, too.
    last = TableState.from_state(decode(encode(again)))
    assert last.source.as_read == again.source.as_read


@pytest.mark.parametrize("damaged", [3, {"corner": "x"}, {"above": 3}, [1]])
def test_a_damaged_layout_of_a_file_is_a_damaged_link(damaged):
    state = TableState(FrequencyTable([[1, 2], [3, 4]]))
    saved = state.to_state() | {"as_read": damaged}
    with pytest.raises(InputError):
        TableState.from_state(saved)
