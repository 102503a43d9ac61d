"""What a dashboard lets a person choose, and every number that follows from it: one module each, no pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sdcwidgets.errors import InputError

__all__ = ["whole_counts"]


def whole_counts(counts: Iterable[Any], name: str, most: int) -> tuple[int, ...]:
    """Return counts as a tuple of int.

    Raises
    ------
    InputError
        If one is not a whole number from 0 to `most`, or all are 0.

    Examples
    --------
    >>> whole_counts([0, -1], "P", 100)
    Traceback (most recent call last):
        ...
    sdcwidgets.errors.InputError: P, category 2 is -1; it must be a whole number from 0 to 100.
    """
    found = tuple(counts)
    for index, count in enumerate(found):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
            raise InputError(
                f"{name}, category {index + 1} is {count}; it must be a whole number from 0 to {most:,}."
            )
    if not any(found):
        raise InputError(f"Every count of {name} would be zero; at least one person must be counted.")
    return found
