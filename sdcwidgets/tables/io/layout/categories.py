"""Decide by numbers and the form of labels whether lines are categories of one variable, whose people can be added.

Columns such as residents, commuters and households have no common heading, and no total is their sum. Columns with such
a heading or total, and ranges of numbers, are categories. Other columns probably are categories of one variable if none
of them can be a part of another one; two columns also if their counts are similar in each line, as those of men and
women are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.labels import and_more, count_in, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.options import choice_of
from sdcwidgets.tables.io.plausibility import range_of
from sdcwidgets.tables.io.questions import Doubt, doubt

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole

#: Maximum ratio of two counts of a line that are similar, and standard deviations by which small counts exceed it.
_SIMILAR, _DEVIATIONS = 2.0, 3.0

#: Maximum ratio of the sums of two similar columns.
_SIMILAR_SUMS = 1.5

#: Minimum number of lines among which a column that is nowhere larger than another one may be a part of it, and the
#: minimum number for two columns.
_LEAST_LINES, _LEAST_OF_TWO = 4, 5

#: Numbers of digits of codes, such as postal codes, which all have equally many.
_DIGITS_OF_CODES = (4, 5)

#: Minimum correlation of the logarithms of two columns of counts, of which one may be codes.
_CORRELATED = 0.3

#: Maximum number of columns that are compared with each other, and of labels that a doubt names.
_MOST_COMPARED, _MOST_NAMED = 100, 6

#: Minimum number of ranges that adjoin, which is more than the number of ends of a range.
_LEAST_ADJOINING = 3

#: Maximum number of rows that may be measures, with areas as columns.
_MOST_MEASURES = 8


def are_categories(lines: Whole, labels: Sequence[str]) -> bool:
    """Return whether lines are probably categories of one variable, by their labels or by their numbers.

    Parameters
    ----------
    lines : ndarray of int64
        Counts with a row for each label.
    labels : sequence of str

    Examples
    --------
    Commuters may be a part of the residents, but neither women nor men are a part of the others:

    >>> are_categories(np.array([[310, 75, 1204, 88, 31], [290, 80, 1150, 96, 33]]), ["Women", "Men"])
    True
    >>> are_categories(np.array([[310, 75, 1204, 88, 31], [140, 22, 590, 31, 9]]), ["Residents", "Commuters"])
    False
    """
    least = _LEAST_OF_TWO if len(labels) == 2 else _LEAST_LINES
    if len(labels) < 2 or are_alike(labels) or np.count_nonzero(lines.any(axis=0)) < least:
        return True
    if len(labels) > 2:
        return len(labels) <= _MOST_COMPARED and not _has_part(lines)
    return _are_similar(lines[0], lines[1]) or not (_has_part(lines) or _has_codes(lines))


def are_alike(labels: Sequence[str]) -> bool:
    """Return whether labels are ranges of numbers, numbers, single characters, or differ by one of these only.

    Labels of the US Census Bureau, which have a common heading before "!!", are also alike.

    Examples
    --------
    >>> are_alike(["0-14", "15-64", "65+"]), are_alike(["Group a", "Group b"]), are_alike(["Men", "Women"])
    (True, True, False)
    """
    if 2 * sum(range_of(label) is not None for label in labels) >= len(labels):
        return True
    if _are_adjoining(labels):
        return True
    if len({label.rpartition("!!")[0] for label in labels} - {""}) == 1 and all(
        "!!" in label for label in labels
    ):
        return True
    words = [label.split() for label in labels]
    if not all(words) or len(set(map(len, words))) > 1:
        return False
    differ = [len(set(place)) > 1 for place in zip(*words, strict=True)]
    return all(
        len(word) == 1 or not isinstance(count_in(word), str)
        for line in words
        for word, is_different in zip(line, differ, strict=True)
        if is_different
    )


def _are_adjoining(labels: Sequence[str]) -> bool:
    """Return whether each label begins with the number at which the label before it ends, or with the next number.

    Examples
    --------
    >>> _are_adjoining(["under 15", "15 to 64", "65 and over"]), _are_adjoining(["Men 2020", "Women 2020"])
    (True, False)
    """
    digits = ["".join(sign if sign.isdecimal() else " " for sign in label) for label in labels]
    numbers = [list(map(int, text.split())) for text in digits]
    if len(labels) < _LEAST_ADJOINING or not all(0 < len(ends) < _LEAST_ADJOINING for ends in numbers):
        return False
    return any(len(ends) > 1 for ends in numbers) and all(
        after[0] - before[-1] in (0, 1) for before, after in itertools.pairwise(numbers)
    )


def _are_similar(first: Whole, second: Whole) -> bool:
    """Return whether two counts are similar in each line, and in total, apart from chance."""
    allowed = math.log(_SIMILAR) + _DEVIATIONS * np.sqrt(1 / (first + 1) + 1 / (second + 1))
    is_similar = np.abs(np.log((first + 0.5) / (second + 0.5))) <= allowed
    sums = int(first.sum()), int(second.sum())
    noise = _DEVIATIONS * math.sqrt(1 / (sums[0] + 1) + 1 / (sums[1] + 1))
    ratio = abs(math.log((sums[0] + 0.5) / (sums[1] + 0.5)))
    return bool(is_similar.all()) and ratio <= math.log(_SIMILAR_SUMS) + noise


def _has_part(lines: Whole) -> bool:
    """Return whether a line can be a part of another one, because it is nowhere larger."""
    order = np.argsort(lines.sum(axis=1))
    for n, i in enumerate(order.tolist()):
        larger = order[n + 1 :]
        if len(larger) and (lines[larger] >= lines[i]).all(axis=1).any():
            return True
    return False


def _has_codes(lines: Whole) -> bool:
    """Return whether one of two lines may be codes: different numbers with equally many digits, not correlated."""
    for line in lines.tolist():
        digits = {len(str(number)) for number in line}
        if len(digits) == 1 and max(digits) in _DIGITS_OF_CODES and len(set(line)) == len(line):
            logs = np.log(lines + 1.0)
            return not logs.std(axis=1).all() or float(np.corrcoef(logs)[0, 1]) < _CORRELATED
    return False


def added_doubts(
    counts: Whole, axes: Sequence[Axis], named: tuple[bool, bool], sums: Sequence[bool]
) -> list[Doubt]:
    """Return the doubt whether columns, or a few rows, are categories of one variable, if nothing shows it.

    Parameters
    ----------
    counts : ndarray of int64
        Counts with one dimension per axis; the last axis has the headings of columns.
    axes : sequence of Axis
    named : tuple of bool
        Whether the file has a name for the first axis, and for the last axis.
    sums : sequence of bool
        Whether a total of the file is the sum of all labels, per axis.

    Examples
    --------
    >>> counts = np.array([[310, 140], [75, 22], [1204, 590], [88, 31], [31, 9]])
    >>> axes = [Axis("Area", tuple("ABCDE")), Axis("Column", ("Residents", "Commuters"))]
    >>> [one.facts["label"] for one in added_doubts(counts, axes, (True, False), (False, False))]
    ['Residents']
    """
    if len(axes) < 2 or named[1] or sums[-1] or are_alike(axes[-1].labels):
        return []
    rows, columns = axes[0], axes[-1]
    few = len(axes) == 2 and len(rows) <= min(_MOST_MEASURES, len(columns) - 1)
    if few and not (named[0] or sums[0] or are_categories(counts, rows.labels)):
        return [_added_doubt("Rows", rows)]
    across = np.moveaxis(counts, -1, 0).reshape(len(columns), -1)
    return [] if are_categories(across, columns.labels) else [_added_doubt("Columns", columns)]


def _added_doubt(word: str, axis: Axis) -> Doubt:
    those = and_more([quoted(label) for label in axis.labels], _MOST_NAMED)
    facts = {"line": f"{word} {those}", "named": those, "axis": axis.name, "label": axis.labels[0]}
    return doubt("added", choice_of("doubts"), **facts)
