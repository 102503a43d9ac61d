from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stating import stating

from sdcwidgets import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range, Shares, declared


@dataclass(frozen=True)
class Sample(Declared):
    base: Annotated[int, Range(2, 20), Label("Base"), Help("What it does.")] = 3
    rate: Annotated[float, Range(0, 1, 0.05), Label("Swap rate")] = 0.1
    totals: Annotated[str, Choices({"table": "table", "rows": "row"}), Label("Totals kept")] = "table"
    fair: Annotated[bool, Label("Unbiased")] = True
    weights: Annotated[tuple[float, ...], Shares(("a", "b")), Label("Weights")] = (0.5, 0.5)
    hidden: int = 7


def test_only_labelled_fields_are_parameters():
    assert [one.name for one in declared(Sample)] == ["base", "rate", "totals", "fair", "weights"]


def test_a_parameter_knows_its_flag_step_and_help():
    base, rate, *_ = declared(Sample)
    assert (base.flag, base.step, base.help) == ("--base", 1, "What it does.")
    assert rate.step == 0.05


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("base", 1, stating("Base is 1", "2 to 20")),
        ("base", 2.5, stating("Base is 2.5", "2 to 20")),
        ("base", True, stating("Base is True", "2 to 20")),
        ("rate", float("nan"), "Swap rate is nan; it must be a number from 0 to 1."),
        ("rate", "0.1", 'Swap rate is the text "0.1"; it must be a number from 0 to 1.'),
        ("totals", "cells", 'Totals kept is "cells"; it must be one of table, rows.'),
        ("totals", ["table"], "Totals kept is ['table']; it must be one of table, rows."),
        ("fair", 1, "Unbiased is 1; it must be true or false."),
        (
            "weights",
            (0.5, 0.6),
            stating("Weights is (0.5, 0.6)", "2 numbers", "0", "1"),
        ),
        (
            "weights",
            (1.5, -0.5),
            stating("Weights is (1.5, -0.5)", "2 numbers", "0", "1"),
        ),
        ("weights", 3, stating("Weights is 3", "2 numbers", "0", "1")),
    ],
)
def test_a_wrong_value_gets_one_sentence(name, value, sentence):
    with pytest.raises(InputError) as caught:
        Sample(**{name: value})
    assert str(caught.value) == sentence


def test_a_value_becomes_the_declared_type():
    made = Sample(base=5.0, rate=1, weights=[1, 0])
    assert (made.base, made.rate, made.weights) == (5, 1.0, (1.0, 0.0))
    assert isinstance(made.base, int)
    assert isinstance(made.rate, float)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("base", "7", 7),
        ("rate", "0.25", 0.25),
        ("fair", "no", False),
        ("totals", "rows", "rows"),
        ("weights", "0.25,0.75", (0.25, 0.75)),
    ],
)
def test_text_from_the_command_line_is_read(name, text, value):
    parameter = next(one for one in declared(Sample) if one.name == name)
    assert parameter.parse(text) == value


@given(st.sampled_from([one.name for one in declared(Sample)]), st.text())
def test_any_text_is_read_or_refused_with_a_sentence(name, text):
    parameter = next(one for one in declared(Sample) if one.name == name)
    try:
        value = parameter.parse(text)
    except InputError as error:
        told = str(error)
    else:
        assert parameter.check(value) == value
        return
    assert told.startswith(parameter.label)
