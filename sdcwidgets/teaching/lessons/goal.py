"""Goal of a task: a condition on a named quantity, for example "risk < 0.2"."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sdcwidgets._util.errors import InputError


def _is_equal(value: float, other: float) -> bool:
    return math.isclose(value, other, abs_tol=1e-9)


_COMPARED = {
    "<": operator.lt,
    "<=": operator.le,
    "=": _is_equal,
    ">=": operator.ge,
    ">": operator.gt,
}

_WORDS = {"<": "below", "<=": "at most", "=": "exactly", ">=": "at least", ">": "above"}

_GOAL = re.compile(r"\s*([a-z][a-z ]*?)\s*(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True)
class Goal:
    """Condition that compares a named quantity with a number.

    Examples
    --------
    >>> goal = Goal.parse("risk < 0.2")
    >>> goal.met({"risk": 0.17}), goal.met({"risk": 0.2}), str(goal)
    (True, False, 'risk < 0.2')
    >>> Goal.parse("risk is small")
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: 'risk is small' is not a goal; write a name, <, <=, =, >= or >, and a number: risk < 0.2.
    """

    quantity: str
    compared: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Goal:
        """Parse a goal.

        Raises
        ------
        InputError
            If the text is not a goal.
        """
        match = _GOAL.fullmatch(text)
        if not match:
            raise InputError(
                f"{text!r} is not a goal; write a name, <, <=, =, >= or >, and a number: risk < 0.2."
            )
        return cls(match[1], match[2], float(match[3]))

    def met(self, values: Mapping[str, float]) -> bool:
        """Return whether quantities meet the goal; a missing quantity does not."""
        value = values.get(self.quantity, math.nan)
        return bool(_COMPARED[self.compared](value, self.number))

    @property
    def words(self) -> str:
        """The condition in words.

        Examples
        --------
        >>> Goal.parse("people moved <= 20").words
        'people moved at most 20'
        >>> Goal.parse("people = 2449").words
        'people exactly 2,449'
        """
        return f"{self.quantity} {self.condition}"

    @property
    def condition(self) -> str:
        """The condition in words, without the name of the quantity.

        Examples
        --------
        >>> Goal.parse("people = 2449").condition
        'exactly 2,449'
        """
        return f"{_WORDS[self.compared]} {self.number:,g}"

    def __str__(self) -> str:
        return f"{self.quantity} {self.compared} {self.number:g}"
