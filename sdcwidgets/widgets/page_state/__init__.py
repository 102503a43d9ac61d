"""States of pages: all settings of a page, and the numbers that follow from them.

`recomputation` computes the result anew after each change, `history` keeps the steps of undo, and `links` writes
states as links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from sdcwidgets._util.errors import InputError

__all__ = ["Property", "vector", "whole_counts"]


@dataclass(frozen=True)
class Property:
    """A desirable property of measures, with the values of several measures for test tables.

    Attributes
    ----------
    wish : str
        The property in words.
    tables : tuple of tuple of int
        Test tables.
    values : dict of str to tuple of float
        Values of each measure for the tables.
    holds : dict of str to bool
        Whether the property holds for each measure on these tables.
    """

    wish: str
    tables: tuple[tuple[int, ...], ...]
    values: Mapping[str, tuple[float, ...]]
    holds: Mapping[str, bool]


def whole_counts(counts: Iterable[int], name: str, most: int) -> tuple[int, ...]:
    """Return counts as a tuple of int.

    Raises
    ------
    InputError
        If a count is not a whole number from 0 to `most`, or all counts are 0.

    Examples
    --------
    >>> whole_counts([0, -1], "P", 100)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: P, category 2 is -1; it must be a whole number from 0 to 100.
    """
    values = tuple(counts)
    for index, count in enumerate(values):
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= most:
            raise InputError(
                f"{name}, category {index + 1} is {count}; it must be a whole number from 0 to {most:,}."
            )
    if not any(values):
        raise InputError(f"Every count of {name} would be zero; at least one person must be counted.")
    return values


def vector(counts: Sequence[int]) -> str:
    """Return counts on one line, with runs of equal counts abbreviated.

    Examples
    --------
    >>> vector([0, 0, 0, 1, 2]), vector([0, 5])
    ('(0 × 3, 1, 2)', '(0, 5)')
    """
    runs = [(count, len(list(run))) for count, run in groupby(counts)]
    parts = [f"{count:,} × {size}" if size > 2 else ", ".join([f"{count:,}"] * size) for count, size in runs]
    return f"({', '.join(parts)})"
