"""Everyday tests of some parameters, and slow tests of the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_of(every: int, values: Iterable[Any]) -> list[Any]:
    """Return parameters of a test, of which the first of each `every` is tested every day, and the others are slow."""
    parameters = []
    for number, value in enumerate(values):
        arguments = value if isinstance(value, tuple) else (value,)
        marks = [pytest.mark.slow] if number % every else []
        parameters.append(pytest.param(*arguments, marks=marks))
    return parameters
