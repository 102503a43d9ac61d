"""Checks of arguments: what they accept, and what they reject with an InputError that names the argument."""

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError
from sdcwidgets._util import arguments


def is_accepted(check, value, **more):
    try:
        check("size", value, **more)
    except InputError as error:
        return "size" not in str(error)
    return True


@pytest.mark.parametrize(
    ("check", "accepted", "rejected"),
    [
        (
            arguments.check_number,
            [0, -1, 2.5, np.int64(3), np.float64(0.5), float("inf")],
            [True, False, "1", "", None, [1], np.array([1]), float("nan"), 1j],
        ),
        (arguments.check_flag, [True, False, np.True_], [0, 1, "True", None]),
        (
            arguments.check_texts,
            [[], ["a"], ("a", "b"), iter(["a"]), np.array(["a", "b"])],
            ["a", b"a", [1], ["a", None], 3, None, np.array([["a"]]), pd.DataFrame({"a": ["b"]})],
        ),
        (arguments.check_frame, [pd.DataFrame()], [pd.DataFrame, [], {}, np.zeros((2, 2)), None]),
        (
            arguments.numbers_of,
            [1, [0.1, 0.2], np.arange(3), [[1, 2], [3, 4]]],
            ["a", [1, "b"], [[1], [2, 3]], {"a": 1}],
        ),
    ],
)
def test_what_is_accepted_and_rejected(check, accepted, rejected):
    assert [value for value in accepted if not is_accepted(check, value)] == []
    assert [repr(value) for value in rejected if is_accepted(check, value)] == []


def test_whole_numbers_have_a_whole_type():
    assert is_accepted(arguments.check_number, 3, whole=True)
    assert is_accepted(arguments.check_number, np.int32(3), whole=True)
    assert not is_accepted(arguments.check_number, 3.0, whole=True)
    assert not is_accepted(arguments.check_number, True, whole=True)


def test_kinds_are_checked_for_one_value_and_for_each_of_several():
    assert is_accepted(arguments.check_kind, 3, kinds=int, expected="a whole number")
    assert not is_accepted(arguments.check_kind, "3", kinds=int, expected="a whole number")
    for values, accepted in (
        ([1, 2], True),
        ((1,), True),
        ([], True),
        ([1, "2"], False),
        ({1}, False),
        (1, False),
    ):
        assert is_accepted(arguments.check_kinds, values, kinds=int, expected="whole numbers") == accepted
