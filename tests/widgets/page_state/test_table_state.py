from dataclasses import dataclass
from typing import Annotated

import pytest

from sdcwidgets import InputError
from sdcwidgets.parameters import Label, Range
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
