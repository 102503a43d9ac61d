"""Axes whose categories have an order, such as ages, size classes, years and degrees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from sdcwidgets.tables.io.layout.contents import are_times

#: First number of a category, such as "15-24", "under 15" or "2,000".
_NUMBER = re.compile(r"\d+(?:,\d{3})*")

#: Begin of a class, except for the lowest and the highest class; "01" is a code.
_BEGIN = re.compile(r"(?:ages?\s|aged\s)?(?:0|[1-9]\d*)(?!\d)")

#: Text between the two numbers of a class, such as " to ".
_BETWEEN = re.compile(r"(?<=\d)\D+(?=\d)")

#: Degrees in their order; a category can have further words that all categories have.
_SCALES = (
    (
        "none",
        "very low",
        "low",
        "lower",
        "middle",
        "medium",
        "moderate",
        "upper",
        "high",
        "higher",
        "very high",
    ),
    ("very small", "small", "medium", "large", "very large"),
    ("very bad", "bad", "poor", "fair", "good", "very good", "excellent"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("primary", "secondary", "tertiary"),
)


def is_ordered(labels: Sequence[str]) -> bool:
    """Return whether the categories of an axis have an order: times, classes of a number, or degrees.

    Examples
    --------
    >>> is_ordered(("under 15", "15-24", "25+")), is_ordered(("Positive", "Not determined"))
    (True, False)
    >>> is_ordered(("1", "2", "3")), is_ordered(("1", "2", "11")), is_ordered(("1 Farming", "2 Trade", "3 Other"))
    (True, False, False)
    >>> is_ordered(("Low income", "Middle income", "High income"))
    True
    """
    texts = [" ".join(label.lower().split()) for label in labels]
    if len(texts) < 2:
        return False
    return are_times(labels) or _are_classes(texts) or _are_degrees(texts)


def _are_classes(texts: Sequence[str]) -> bool:
    """Return whether texts are classes of a number in their order; the first and the last one can have other words."""
    numbers = [_NUMBER.search(text) for text in texts]
    first = [int(number[0].replace(",", "")) for number in numbers if number is not None]
    if len(first) < len(texts) or not _is_monotone(first):
        return False
    if all(text.isdecimal() for text in texts):
        # Codes of areas and classifications usually have gaps, or begin with 0.
        has_codes = any(text.startswith("0") and text != "0" for text in texts)
        return not has_codes and len({second - before for before, second in pairwise(first)}) == 1
    words = [set(re.findall(r"[^\W\d_]+", _BETWEEN.sub("-", text))) for text in texts]
    if len(texts) == 2:
        return first[0] == first[1] or not all(words)
    # Names with a code differ in their words.
    inner = words[1:-1]
    has_common_words = all(of_class == inner[0] for of_class in inner) and inner[0] <= words[0] | words[-1]
    return has_common_words and all(_BEGIN.match(text) for text in texts[1:-1])


def _are_degrees(texts: Sequence[str]) -> bool:
    """Return whether texts are degrees of one scale in their order."""
    common = set.intersection(*(set(text.split()) for text in texts))
    degrees = [" ".join(word for word in text.split() if word not in common) for text in texts]
    return any(
        set(degrees) <= set(scale) and _is_monotone([scale.index(degree) for degree in degrees])
        for scale in _SCALES
    )


def _is_monotone(numbers: Sequence[int]) -> bool:
    """Return whether numbers never decrease, or never increase."""
    steps = [second - first for first, second in pairwise(numbers)]
    return all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
