"""Checks of the arguments of public functions: one sentence names the argument, its value, and a valid value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.errors import InputError, described


def wrong(name: str, value: object, expected: str) -> InputError:
    """Return the error for an argument of another type.

    Examples
    --------
    >>> print(wrong("table", 3, "a FrequencyTable"))
    The argument table is 3; it must be a FrequencyTable.
    """
    return InputError(f"The argument {name} is {described(value)}; it must be {expected}.")


def check_kind(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise InputError if a value has another type."""
    if not isinstance(value, kinds):
        raise wrong(name, value, expected)


def check_kinds(name: str, values: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise InputError if a value is not a list or tuple of values of a type."""
    if not isinstance(values, list | tuple) or not all(isinstance(value, kinds) for value in values):
        raise wrong(name, values, expected)


def check_flag(name: str, value: object) -> None:
    """Raise InputError if a value is not True or False."""
    check_kind(name, value, (bool, np.bool_), "True or False")


def check_texts(name: str, value: object) -> None:
    """Raise InputError if a value is not an iterable of texts; a single text does not count as a list of texts."""
    is_array = np.ndim(value) != 1 if isinstance(value, np.ndarray) else hasattr(value, "columns")
    if isinstance(value, str | bytes) or is_array or not isinstance(value, Iterable):
        raise wrong(name, value, "a list of texts")
    if not all([isinstance(item, str) for item in value]):
        raise wrong(name, value, "a list of texts")


def check_number(name: str, value: object, *, whole: bool = False) -> None:
    """Raise InputError if a value is not a number, or is nan, or is not whole although it must be."""
    expected = "a whole number" if whole else "a number"
    kinds = (int, np.integer) if whole else (int, float, np.number)
    if isinstance(value, bool) or not isinstance(value, kinds) or value != value:
        raise wrong(name, value, expected)


def check_frame(name: str, value: object, expected: str = "a DataFrame") -> None:
    """Raise InputError if a value is not a frame of pandas."""
    if isinstance(value, type) or not hasattr(value, "iloc"):
        raise wrong(name, value, expected)


def numbers_of(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return a value as an array of numbers, or raise InputError.

    Examples
    --------
    >>> numbers_of("risk", [0.1, 0.2]).tolist()
    [0.1, 0.2]
    """
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise wrong(name, value, "an array of numbers") from None


def whole_numbers_of(name: str, value: ArrayLike) -> NDArray[Any]:
    """Return a value as an array of whole numbers of at least 0, or raise InputError."""
    numbers = numbers_of(name, value)
    if not (np.isfinite(numbers).all() and (numbers >= 0).all() and (numbers == np.floor(numbers)).all()):
        raise wrong(name, value, "an array of whole numbers of at least 0")
    if (numbers >= 2**63).any():
        raise wrong(name, value, "an array of whole numbers below 2^63")
    return np.asarray(value)
