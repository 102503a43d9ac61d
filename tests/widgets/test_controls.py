import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets._util.parameters import Parameter, declared
from sdcwidgets.assessment.assessment import Settings
from sdcwidgets.widgets.controls import Control, rescale

OF = {parameter.name: parameter for parameter in declared(Settings)}


def asked(control, value, turn=1):
    """Say what a browser would say."""
    control.request = {"value": value, "turn": turn}


def shares():
    parts = st.lists(st.integers(0, 1000), min_size=3, max_size=3).filter(any)
    return parts.map(lambda numbers: tuple(number / sum(numbers) for number in numbers))


@given(shares(), st.integers(0, 2), st.floats(0, 1), st.sampled_from([None, 0, 1, 2]))
def test_shares_always_sum_to_one(before, index, share, locked):
    after = rescale(before, index, share, locked)
    assert sum(after) == pytest.approx(1, abs=1e-9)
    assert min(after) >= 0
    if locked is not None:
        assert after[locked] == pytest.approx(before[locked], abs=1e-9)


@given(shares(), st.integers(0, 2), st.floats(0, 0.99))
def test_the_others_keep_their_proportions(before, index, share):
    after = rescale(before, index, share)
    left, right = (i for i in range(3) if i != index)
    assert after[left] * before[right] == pytest.approx(after[right] * before[left], abs=1e-9)


def test_a_locked_share_does_not_move_by_hand():
    assert rescale((0.1, 0.8, 0.1), 1, 0.2, locked=1) == (0.1, 0.8, 0.1)


def test_a_valid_value_is_handed_on_and_shown():
    control, seen = Control(OF["epsilon"]), []
    control.on_change(seen.append)
    asked(control, 0.75)
    assert (seen, control.value, control.problem) == ([0.75], 0.75, "")


@pytest.mark.parametrize("value", [7, "x", None, [], {"a": 1}, float("nan"), True])
def test_a_wrong_value_says_why_and_changes_nothing(value):
    control, seen = Control(OF["epsilon"]), []
    control.on_change(seen.append)
    asked(control, value)
    assert (seen, control.value) == ([], 0.5)
    assert control.problem.startswith("Exponent of table size (ε) is ")


@pytest.mark.parametrize(
    "value", [None, [0], [3, 0.5], [0, 2], [0, "x"], [True, 0.5], ["0", 0.5], [0, float("nan")]]
)
def test_wrong_weights_say_why_and_change_nothing(value):
    control, seen = Control(OF["weights"]), []
    control.on_change(seen.append)
    asked(control, value)
    assert (seen, control.value) == ([], (0.1, 0.8, 0.1))
    assert control.problem


def test_a_value_that_the_owner_replaces_is_not_shown():
    control = Control(OF["replications"], 100)
    control.on_change(lambda value: control.show(min(value, 500)))
    for value, shown in ((900, 500), (800, 500), (300, 300)):
        asked(control, value)
        assert control.value == shown


def test_a_refusal_by_the_owner_is_shown_at_the_control():
    def refuse(_):
        raise InputError("Not now.")

    control = Control(OF["third"])
    control.on_change(refuse)
    asked(control, "h1")
    assert (control.value, control.problem) == ("h2", "Not now.")


def test_a_lock_is_set_and_taken_off():
    control = Control(OF["weights"])
    control._hear(control, {"type": "lock", "index": 1}, [])
    assert control.locked == 1
    asked(control, [0, 0.15])
    assert control.value == pytest.approx((0.15, 0.8, 0.05))
    control._hear(control, {"type": "lock", "index": 1}, [])
    assert control.locked is None


@pytest.mark.parametrize(
    "message", [None, [], "lock", {"type": []}, {"type": "lock"}, {"type": "lock", "index": "0"}]
)
def test_a_strange_message_is_dropped(message):
    control = Control(OF["weights"])
    control._hear(control, message, [])
    assert control.locked is None


def test_a_parameter_without_bounds_has_no_control():
    with pytest.raises(TypeError, match="no control"):
        Control(Parameter("free", float, 1.0, "Free"))


@pytest.mark.parametrize("value", [0.75, 7])
def test_each_question_is_answered_by_its_turn_kept_or_refused(value):
    control = Control(OF["epsilon"])
    asked(control, value, turn=5)
    assert control.answered == 5
    asked(control, value, turn="x")
    assert control.answered == 5


def test_what_was_refused_is_said_until_there_is_another_value():
    """A better result of the same state shows the same value again."""
    control = Control(OF["epsilon"], 0.5)
    asked(control, 7)
    refused = control.problem
    control.show(0.5)
    assert control.problem == refused != ""
    control.show(0.6)
    assert control.problem == ""
    for right in (0.6, 0.7):
        asked(control, 7)
        asked(control, right)
        assert control.problem == ""


def test_a_control_that_becomes_another_checks_by_the_new_declaration_and_keeps_what_it_does():
    heard = []
    control = Control(Parameter("place", str, "a", "Place", choices={"a": "a"}), look="buttons")
    control.on_change(heard.append)
    control.become(Parameter("place", str, "b", "Place", choices={"b": "b", "c": "c"}), "b")
    assert control.value == "b"
    assert control.spec["options"] == {"b": "b", "c": "c"}
    assert control.spec["look"] == "buttons"
    asked(control, "c")
    assert heard == [control.value] == ["c"]
    asked(control, "a", turn=2)
    assert control.value == "c"
    assert "Place" in control.problem
