"""Goals of tasks: which values meet them."""

import pytest

from sdcwidgets.teaching.lessons.goal import Goal


@pytest.mark.parametrize(
    ("compared", "met"),
    [
        ("<", [True, False, False, False]),
        ("<=", [True, True, False, False]),
        ("=", [False, True, False, False]),
        (">=", [False, True, True, True]),
        (">", [False, False, True, True]),
    ],
)
def test_values_near_the_number_of_a_goal(compared, met):
    goal = Goal.parse(f"risk {compared} 0.2")
    assert [goal.met({"risk": value}) for value in (0.1999, 0.2, 0.2004, 0.3)] == met


def test_a_sum_of_rounded_terms_is_equal():
    assert Goal.parse("risk = 0.3").met({"risk": 0.1 + 0.2})
    assert not Goal.parse("risk = 0.3").met({"risk": 0.3001})
