"""Checks of a table that was read, by its numbers and ranges alone; no check needs a list of words.

Each check returns doubts. A doubt is a reading that is possible but improbable, such as a total that is counted as a
category.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from sdcwidgets._util.labels import and_more, crossed_labels, quoted, shortened
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.options import LEFT_OUT, Choice, choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole

#: More people than this number do not live on Earth.
WORLD_POPULATION = 9_000_000_000

#: Minimum evidence in bits that a pattern of numbers is not due to chance.
ENOUGH_BITS = 14.0

#: Minimum evidence in bits that a line is the sum of others, in addition to log2 of the number of comparisons.
SUM_BITS = 9.0

#: Standard deviations by which a rounded or perturbed total may differ from the sum of its parts.
MOST_DEVIATIONS = 2.5

#: Standard deviation of the noise of a perturbed count, at most, where the counts have no common rounding base.
MOST_NOISE = 4

#: Bases to which a total may be rounded although the counts are not rounded.
ROUNDING_BASES = (1000, 100, 50, 10, 5)

#: Maximum number of labels of an axis on which sums of neighbouring labels are compared, and of compared numbers.
MOST_LABELS, MOST_NUMBERS = 60, 10_000_000

#: Maximum number of labels of an axis on which sums of any labels are compared.
_MOST_SUBSETS = 10

#: Minimum number of cells with the same number of rows, and the numbers of rows that may be measures of a cell.
_LEAST_EQUAL, _EQUAL = 6, range(2, 10)

#: Minimum number of lines among which one that hardly varies is noticed, and the minimum of its mean count.
LEAST_LINES, LEAST_MEAN = 4, 20

#: Maximum coefficient of variation of a line that hardly varies.
MOST_VARIATION = 0.03

#: Ratio of the coefficients of variation of the other lines and of one that hardly varies, at least: for a line that
#: varies less than counts of people do by chance, and for any other line, such as one of postal codes.
TIMES_BELOW_CHANCE, TIMES = 6.0, 20.0

#: Minimum numbers of labels of an axis, and of cells of a label, for the doubt about a label larger than all others.
_LEAST_LABELS, _LEAST_CELLS = 4, 2

#: Minimum number of labels of which the order is not examined.
_MANY_LABELS = 6

#: Maximum ratio of the shares of such a label in different lines, because a total has similar shares in all of them.
_MOST_SPREAD = 2.0

#: Number of cells above which a check first reads a sample of the lines, and minimum number of lines of the sample.
_MOST_CHECKED, _LEAST_SAMPLE = 1_000_000, 20

#: Maximum number of labels of an axis whose ranges are compared.
_MOST_RANGES = 100_000

#: The choice that each label is a category, which alone answers a doubt about ranges.
KEPT = Choice("margins", {"keep": LEFT_OUT["keep"]})

#: A range of numbers with the text around it: "15-24", "Age 15 to 24 years", "1,000-1,999".
_NUMBER = r"(?:\d{1,3}(?:[ ,.'’\u00a0\u202f]\d{3})+|\d+)"
_RANGE = re.compile(
    rf"(\D*?)({_NUMBER})(?:\s*[-–—−~‐‑]\s*|\s+[^\W\d_]{{1,3}}\.?\s+)({_NUMBER})(\D*)",
)
_OPEN = re.compile(rf"(\D*?)({_NUMBER})\s*\+(\D*)")


T = TypeVar("T")


#: Minimum of different numbers among the labels of an axis that may be counts.
_LEAST_NUMBERS = 5

#: At least one in so many labels is a part of several groups, if groups and parts may be two axes.
_PARTS_AGAIN = 3

#: Number of digits between two separators of thousands.
_DIGITS_OF_GROUPS = 3

#: Numbers that all have more digits than this, and equally many, are codes.
_MOST_DIGITS_OF_COUNTS = 2


def alarms(table: FrequencyTable) -> list[Doubt]:
    """Return the doubts about a table that all checks raise.

    Parameters
    ----------
    table : FrequencyTable

    Returns
    -------
    list of Doubt

    Examples
    --------
    >>> table = FrequencyTable([[3120, 4075], [2810, 2590], [5930, 6665]], {"Area": ["A", "B", "A+B"], "Sex": "mf"})
    >>> [doubt.question for doubt in alarms(table)]
    ['near sum']
    """
    checks = (
        more_than_world,
        near_sums,
        outsized_labels,
        overlapping_ranges,
        determined_axes,
        mostly_empty,
        even_lines,
        same_people,
        combined_sums,
        combined_axes,
        groups_and_parts,
        joined_columns,
        counts_as_labels,
    )
    return list(itertools.chain.from_iterable(check(table) for check in checks))


def equal_rows(table: FrequencyTable) -> list[Doubt]:
    """Return the doubt whether rows that were counted are people, if each combination of categories has equally many.

    Examples
    --------
    >>> table = FrequencyTable([[2, 2], [2, 2], [2, 2]], {"Country": ["A", "B", "C"], "Sex": ["f", "m"]})
    >>> [doubt.question for doubt in equal_rows(table)]
    ['equal']
    """
    number = int(table.counts.max())
    if table.cells < _LEAST_EQUAL or number not in _EQUAL or (table.counts != number).any():
        return []
    return [doubt("equal", choice_of("doubts"), number=number, named=number)]


def more_than_world(table: FrequencyTable) -> list[Doubt]:
    """Return the doubt about a table with more people than the world has, such as one of amounts of money.

    Examples
    --------
    >>> table = FrequencyTable([24_310_000_000, 31_200_000], {"Industry": ["Trade", "Mining"]})
    >>> [doubt.question for doubt in more_than_world(table)]
    ['world']
    """
    total = table.total
    return [doubt("world", total=total, named=f"{total:,}")] if total > WORLD_POPULATION else []


def near_sums(table: FrequencyTable) -> list[Doubt]:
    """Return the labels that are within rounding of the sum of others in every line.

    A total that was rounded or perturbed is not the exact sum of its parts, so that its people are counted twice.
    The others are all other labels of the axis, or those directly before or after the label. Lines in which all
    others are 0 are not compared, such as the line of a country without its sexes. Before such a total, the doubts
    about labels that it does not include are returned, because they may be its parts.

    Parameters
    ----------
    table : FrequencyTable

    Returns
    -------
    list of Doubt

    Examples
    --------
    The parts sum to 5,930 and 6,665:

    >>> table = FrequencyTable([[3120, 4075], [2810, 2590], [5929, 6667]], {"Area": "ABC", "Sex": "mf"})
    >>> near_sums(table)[0].facts["label"]
    'C'
    """
    doubts = []
    for k, axis in enumerate(table.axes):
        sums = near_sums_of(table, k)
        if sums:
            stay = np.array([i not in sums for i in range(len(axis))])
            summed = {i: parts for i, (parts, _) in sums.items()}
            outside = outside_sums(_lines(table, k), stay, summed, next(iter(sums.values()))[1])
            doubts += [_outside_doubt(table, k, i, total) for i, total in outside.items()]
        for i, parts in [(i, parts) for i, (parts, _) in sums.items()] or _sums_in_one_line(table, k):
            doubts.append(
                doubt(
                    "near sum",
                    choice_of("margins"),
                    axis=axis.name,
                    label=axis.labels[i],
                    named=quoted(axis.labels[i]),
                    of=quoted(axis.name),
                    parts=and_more([quoted(axis.labels[part]) for part in parts], 3),
                )
            )
    return doubts


def outside_sums(
    lines: Whole, stay: Flags, summed: Mapping[int, Sequence[int]], tolerance: int = 0
) -> dict[int, int]:
    """Return labels that no sum includes, although they can be parts of it, each with the sum.

    The result is empty if a label that does not stay is the sum of all labels that stay, or if the sums include no more
    labels than they leave out: these are sub-totals of some labels.

    Parameters
    ----------
    lines : ndarray of int64
        Counts with one row per label.
    stay : ndarray of bool
        The labels that are not omitted.
    summed : mapping of int to sequence of int
        Labels that are sums, each with the labels that it sums.
    tolerance : int
        Difference of a total and the sum of its parts, because the counts are rounded or perturbed.

    Examples
    --------
    >>> lines = np.array([[60, 75], [30, 41], [20, 24], [10, 10], [5, 8]])
    >>> outside_sums(lines, np.array([False, True, True, True, True]), {0: [1, 2, 3]})
    {4: 0}
    """
    inside, gone = np.flatnonzero(stay), np.flatnonzero(~stay)
    difference = np.abs(lines[gone] - lines[inside].sum(axis=0))
    if not summed or (difference <= tolerance).all(axis=1).any():
        return {}
    included = {*summed, *itertools.chain.from_iterable(summed.values())}
    outside = dict[int, int]()
    for i in inside.tolist():
        over = (total for total in summed if (lines[i] <= lines[total] + tolerance).all())
        total = next(over, None) if i not in included and lines[i].any() else None
        if total is not None:
            outside[i] = total
    return outside if len(outside) < len(included - summed.keys()) else {}


def _outside_doubt(table: FrequencyTable, k: int, i: int, total: int) -> Doubt:
    """Return the doubt about a label of axis k that may be a part of a total that does not include it."""
    axis = table.axes[k]
    word = ("Row", "Column")[k] if table.ndim < 3 else shortened(axis.name)
    named = quoted(axis.labels[i])
    facts = {"line": f"{word} {named}", "axis": axis.name, "label": axis.labels[i], "named": named}
    return doubt("outside", choice_of("margins"), **facts, total=quoted(axis.labels[total]))


def near_sums_of(table: FrequencyTable, k: int) -> dict[int, tuple[list[int], int]]:
    """Return the labels of axis k that are near the sum of others, each with these labels and the allowed difference.

    Examples
    --------
    >>> table = FrequencyTable([[3120, 4075], [2810, 2590], [5929, 6667]], {"Area": ["A", "B", "C"], "Sex": ["m", "f"]})
    >>> near_sums_of(table, 0)
    {2: ([0, 1], 10)}
    """
    base = _rounding_base(table.counts)
    allowed = int(MOST_DEVIATIONS * max(base, MOST_NOISE))
    sums = _checked_lines(table, k, lambda lines: list(_near_sums_of(lines, base)))
    return {i: (parts, allowed) for i, parts in sums}


def _sums_in_one_line(table: FrequencyTable, k: int) -> list[tuple[int, list[int]]]:
    """Return the first or last label of axis k with people in one line only, if these are the sums of all lines.

    The grand total below the last block of a table seems to be a label of this block. The parts of the total are
    all other labels of the axis, summed over the blocks.
    """
    last = len(table.axes[k]) - 1
    for over in range(table.ndim) if last > 1 else ():
        if over == k or len(table.axes[over]) < 2:
            continue
        others = tuple(j for j in range(table.ndim) if j not in (k, over))
        lines = np.moveaxis(table.counts.sum(axis=over), k - (over < k), 0).reshape(last + 1, -1)
        everything = lines.sum(axis=0)
        for i in (0, last):
            if (2 * lines[i] != everything).any() or not lines[i].any():
                continue
            people = table.counts.take(i, axis=k)
            where = people.sum(axis=tuple(j - (j > k) for j in others))
            bits = _bits(lines[i], everything - lines[i], 0)
            if np.count_nonzero(where) == 1 and bits >= ENOUGH_BITS / 2:
                return [(i, [part for part in range(last + 1) if part != i])]
    return []


def outsized_labels(table: FrequencyTable) -> list[Doubt]:
    """Return the first or last labels that are larger than all other labels together in every line.

    A file often has the total of a country beside a part of its areas, so that the total is not the sum of the areas.
    With few labels, such a label must also be outside the alphabetical order of the others.

    Parameters
    ----------
    table : FrequencyTable

    Returns
    -------
    list of Doubt

    Examples
    --------
    >>> counts = [[310, 290], [245, 265], [180, 171], [402, 398], [97, 103], [2950, 2874]]
    >>> outsized_labels(FrequencyTable(counts, {"Area": "ABCDEF", "Sex": "mf"}))[0].facts["label"]
    'F'
    """
    doubts = []
    for k, axis in enumerate(table.axes):
        for i in _checked_lines(table, k, _outsized):
            if len(axis) < _MANY_LABELS and not _is_out_of_order(axis.labels, i):
                continue
            facts = {"axis": axis.name, "label": axis.labels[i]}
            named = {"named": quoted(axis.labels[i]), "of": quoted(axis.name)}
            doubts.append(doubt("outsized", choice_of("largest"), **facts, **named))
    return doubts


def _outsized(lines: Whole) -> list[int]:
    """Return the first or last line that is larger than the sum of the others everywhere, with similar shares."""
    lines = lines[:, lines.any(axis=0)]
    if len(lines) < _LEAST_LABELS or lines.shape[1] < _LEAST_CELLS:
        return []
    everything = lines.sum(axis=0)
    for i in (0, len(lines) - 1):
        rest = everything - lines[i]
        if (rest > 0).all() and (lines[i] > rest).all():
            times = lines[i] / rest
            if times.max() < _MOST_SPREAD * times.min():
                return [i]
    return []


def _is_out_of_order(labels: Sequence[str], i: int) -> bool:
    """Return whether labels are in alphabetical order only without one of them."""
    others = [label.casefold() for k, label in enumerate(labels) if k != i]
    every = [label.casefold() for label in labels]
    return others == sorted(others) and every != sorted(every)


def joined_columns(table: FrequencyTable) -> list[Doubt]:
    """Return the axes whose labels are mostly several numbers with blanks between them.

    They are columns of counts that were not separated, or times such as "15 35 55".

    Examples
    --------
    >>> table = FrequencyTable([646, 728], {"Area": ["216   200   230", "236   257   235"]})
    >>> joined_columns(table)[0].facts["named"]
    '"216 200 230"'
    """
    doubts = []
    for axis in table.axes:
        joined = [label for label in axis.labels if _numbers_in(label) > 1 or _is_list_of_numbers(label)]
        if 2 * len(joined) >= len(axis):
            facts = {"named": quoted(joined[0]), "of": quoted(axis.name)}
            doubts.append(doubt("joined columns", choice_of("doubts"), **facts))
    return doubts


def _numbers_in(label: str) -> int:
    """Return the number of numbers in a label between two or more blanks."""
    return sum(part.strip()[:1].isdigit() for part in label.split("  ")) if "  " in label else 0


def _is_list_of_numbers(label: str) -> bool:
    """Return whether a label is three or more whole numbers between blanks, but not one number of several groups."""
    parts = label.split()
    is_one_number = all(len(part) == _DIGITS_OF_GROUPS for part in parts[1:])
    return len(parts) > 2 and all(map(str.isdecimal, parts)) and not is_one_number


def counts_as_labels(table: FrequencyTable) -> list[Doubt]:
    """Return the axes whose labels are one word and whole numbers with gaps, as some unpublished counts give.

    Ages and numbers of rooms have few gaps, and codes have equal numbers of digits.

    Examples
    --------
    >>> labels = ["11", "4", "19", "126", "23", "Suppressed"]
    >>> table = FrequencyTable(np.full((2, 6), 9), {"Area": ["A", "B"], "Deaths": labels})
    >>> counts_as_labels(table)[0].facts["of"]
    '"Deaths"'
    """
    doubts = []
    for axis in table.axes:
        numbers = [label for label in axis.labels if label.isdecimal()]
        words = [label for label in axis.labels if not any(map(str.isdigit, label))]
        values = {int(label) for label in numbers}
        is_code = any(label[0] == "0" and len(label) > 1 for label in numbers)
        is_code = is_code or (len(set(map(len, numbers))) == 1 and len(numbers[0]) > _MOST_DIGITS_OF_COUNTS)
        has_gaps = len(values) >= _LEAST_NUMBERS and max(values) - min(values) + 1 >= 2 * len(values)
        if len(words) == 1 and len(words) + len(numbers) == len(axis) and has_gaps and not is_code:
            facts = {"named": quoted(words[0]), "of": quoted(axis.name)}
            doubts.append(doubt("numbers as labels", choice_of("doubts"), **facts))
    return doubts


def overlapping_ranges(table: FrequencyTable) -> list[Doubt]:
    """Return the axes with ranges of numbers that overlap, so that the same people may be counted twice.

    Ranges with a common end, such as "0-5" and "5-10", do not overlap. Ranges with different texts around them,
    such as "men 15-24" and "women 15-24", are not compared.

    Examples
    --------
    >>> table = FrequencyTable([31, 25, 40], {"Age": ["15-24", "20-29", "30-39"]})
    >>> overlapping_ranges(table)[0].facts["label"], overlapping_ranges(table)[0].facts["other"]
    ('15-24', '20-29')
    """
    doubts = []
    for axis in table.axes:
        pair = _overlap(axis.labels[:_MOST_RANGES])
        if pair:
            label, other = pair
            doubts.append(
                doubt(
                    "overlap",
                    KEPT,
                    axis=axis.name,
                    label=label,
                    other=other,
                    of=quoted(axis.name),
                    named=quoted(label),
                    second=quoted(other),
                )
            )
    return doubts


def mostly_empty(table: FrequencyTable) -> list[Doubt]:
    """Return the doubt whether all axes are axes, if there are three or more and most cells are empty.

    A column of codes or of a hierarchy level that is taken for an axis leaves such a table.

    Examples
    --------
    >>> counts = np.zeros((3, 3, 2), dtype=int)
    >>> counts[[0, 1, 2], [0, 1, 2]] = [[5, 6], [7, 4], [3, 9]]
    >>> mostly_empty(FrequencyTable(counts))[0].facts["empty"]
    12
    """
    empty = int((table.counts == 0).sum())
    if table.ndim < 3 or 2 * empty <= table.cells:
        return []
    names = and_more([quoted(axis.name) for axis in table.axes], 4)
    return [doubt("mostly empty", empty=empty, cells=table.cells, named=names)]


def even_lines(table: FrequencyTable) -> list[Doubt]:
    """Return doubts about lines of nearly equal numbers, which may be codes or years, if other lines vary.

    Examples
    --------
    >>> counts = [[2021, 310], [2022, 75], [2021, 1204], [2020, 88]]
    >>> table = FrequencyTable(counts, {"Area": "abcd", "Column": ["Year", "People"]})
    >>> even_lines(table)[0].facts["label"]
    'Year'
    """
    doubts = []
    base = _rounding_base(table.counts)
    for k, axis in enumerate(table.axes):
        if len(axis) < 2 or table.ndim < 2:
            continue
        for i in _checked_lines(table, k, partial(_even, base=base)):
            label = axis.labels[i]
            doubts.append(
                doubt("even", axis=axis.name, label=label, named=quoted(label), of=quoted(axis.name))
            )
    return doubts


def same_people(table: FrequencyTable) -> list[Doubt]:
    """Return doubts about two labels that have the same sums over another axis, as first and second votes have.

    Examples
    --------
    >>> counts = [[[310, 290], [245, 265]], [[120, 88], [97, 129]], [[801, 777], [93, 117]]]
    >>> axes = {"Area": "ABC", "Party": ["Red", "Blue"], "Vote": ["first", "second"]}
    >>> same_people(FrequencyTable(counts, axes))[0].facts["of"]
    '"Vote"'
    """
    doubts = []
    base = _rounding_base(table.counts)
    for k, over in itertools.permutations(range(table.ndim), 2):
        axis = table.axes[k]
        if table.ndim < 3 or len(axis) > MOST_LABELS:
            continue
        sums = np.moveaxis(table.counts.sum(axis=over), k - (over < k), 0).reshape(len(axis), -1)
        for i, j in itertools.combinations(range(len(axis)), 2):
            # Equal numbers in all lines are no sign, for example if each row is counted as a person once.
            is_same = (sums[i] == sums[j]).all() and np.count_nonzero(sums[i]) > 1 and np.ptp(sums[i]) > 0
            if is_same and np.log2(np.sqrt(2 * (sums[i] // base) + 1.0)).sum() >= ENOUGH_BITS:
                facts = {"named": quoted(axis.labels[i]), "second": quoted(axis.labels[j])}
                facts |= {"of": quoted(axis.name), "over": quoted(table.axes[over].name), "axis": axis.name}
                doubts.append(doubt("same", **facts))
                break
    return doubts


def determined_axes(table: FrequencyTable) -> list[Doubt]:
    """Return the pairs of axes of which the first determines the second, as codes determine names.

    Examples
    --------
    >>> table = FrequencyTable(np.diag([40, 31, 57]), {"Code": ["A1", "A2", "B1"], "Area": ["Bath", "Hull", "York"]})
    >>> determined_axes(table)[0].facts["axis"], determined_axes(table)[0].facts["other"]
    ('Code', 'Area')
    """
    doubts = list[Doubt]()
    if 2 * np.count_nonzero(table.counts) > table.cells:
        return doubts  # If an axis determines another one, at most half of the cells have people.
    base = _rounding_base(table.counts)
    for k, other in itertools.combinations(range(table.ndim), 2):
        others = tuple(j for j in range(table.ndim) if j not in (k, other))
        pairs: Whole = table.counts.sum(axis=others)
        # The longer axis can determine the shorter one: a code has one name, and an area one region.
        first, second = (k, other) if len(table.axes[k]) >= len(table.axes[other]) else (other, k)
        if _determines((pairs if first == k else pairs.T) // base):
            doubts.append(
                doubt(
                    "determined",
                    axis=table.axes[first].name,
                    other=table.axes[second].name,
                    named=quoted(table.axes[first].name),
                    second=quoted(table.axes[second].name),
                )
            )
    return doubts


def combined_axes(table: FrequencyTable) -> list[Doubt]:
    """Return the axes whose labels are all combinations of the parts of two or more axes.

    Examples
    --------
    >>> table = FrequencyTable([3, 4, 5, 6], {"Column": ["Men 2022", "Men 2023", "Women 2022", "Women 2023"]})
    >>> combined_axes(table)[0].facts["number"]
    2
    """
    doubts = []
    for axis in table.axes:
        parts = crossed_labels(axis.labels)
        if parts:
            named = " and ".join(map(quoted, parts[0]))
            facts = {"axis": axis.name, "of": quoted(axis.name), "number": len(parts[0]), "named": named}
            doubts.append(doubt("combined", **facts))
    return doubts


def groups_and_parts(table: FrequencyTable) -> list[Doubt]:
    """Return the axes of parts of groups, of which at least a third are in several groups.

    The parts have the group before a colon, because their labels in the file are there several times.

    Examples
    --------
    >>> labels = ["Cataract", "Day: Hernia", "Stay: Hernia", "Hip"]
    >>> groups_and_parts(FrequencyTable([3, 4, 5, 6], {"Row": labels}))[0].facts["named"]
    '"Day: Hernia" and "Stay: Hernia"'
    """
    doubts = []
    for axis in table.axes:
        again = Counter(label.rpartition(": ")[2] for label in axis.labels if ": " in label)
        repeated = [label for label in axis.labels if ": " in label and again[label.rpartition(": ")[2]] > 1]
        if repeated and _PARTS_AGAIN * len(repeated) >= len(axis) and not crossed_labels(axis.labels):
            part = repeated[0].rpartition(": ")[2]
            named = [label for label in repeated if label.rpartition(": ")[2] == part]
            facts = {
                "axis": axis.name,
                "of": quoted(axis.name),
                "named": and_more(list(map(quoted, named)), 2),
            }
            doubts.append(doubt("groups", choice_of("doubts"), **facts))
    return doubts


def combined_sums(table: FrequencyTable) -> list[Doubt]:
    """Return the parts of combined labels that are the sum of other parts, so that people are counted twice.

    Examples
    --------
    >>> labels = [f"{area};{sex}" for area in ("Town", "Rural", "Both") for sex in ("m", "f")]
    >>> table = FrequencyTable([[3120, 2075, 2810, 2590, 5930, 4665]], {"All": ["A"], "Column": labels})
    >>> combined_sums(table)[0].facts["named"]
    '"Both"'
    """
    doubts = []
    for k, axis in enumerate(table.axes):
        parts = crossed_labels(axis.labels)
        levels = [list(dict.fromkeys(level)) for level in zip(*parts, strict=True)]
        if math.prod(map(len, levels)) != len(parts):
            continue  # also if no axis is combined
        split = np.zeros([*map(len, levels), table.cells // len(axis)], dtype=table.counts.dtype)
        for key, line in zip(parts, _lines(table, k), strict=True):
            split[tuple(map(list.index, levels, key))] = line
        for level, labels in enumerate(levels):
            lines = np.moveaxis(split, level, 0).reshape(len(labels), -1)
            for i, others in _near_sums_of(lines, _rounding_base(table.counts)):
                named = and_more([quoted(labels[other]) for other in others], 3)
                facts = {"of": quoted(axis.name), "named": quoted(labels[i]), "parts": named}
                doubts.append(doubt("combined sum", KEPT, **facts))
    return doubts


def _lines(table: FrequencyTable, k: int) -> Whole:
    """Return the counts with a row for each label of axis k."""
    return np.moveaxis(table.counts, k, 0).reshape(table.shape[k], -1)


def _checked_lines(table: FrequencyTable, k: int, check: Callable[[Whole], list[T]]) -> list[T]:
    """Return what a check finds in the counts with a row for each label of axis k.

    In a large table, the check first reads a sample of the lines, because most tables lead to no doubt.
    """
    number = table.cells // table.shape[k]
    if table.cells > _MOST_CHECKED and number > _LEAST_SAMPLE:
        size = max(_LEAST_SAMPLE, _MOST_CHECKED // table.shape[k])
        columns = np.sort(np.random.default_rng(0).choice(number, min(size, number), replace=False))
        across = np.moveaxis(table.counts, k, 0)
        at: tuple[Any, ...] = (slice(None), *np.unravel_index(columns, across.shape[1:]))
        if not check(across[at]):
            return []
    return check(_lines(table, k))


def _rounding_base(counts: Whole) -> int:
    """Return the number of which all counts are multiples, at least 1."""
    return max(int(np.gcd.reduce(counts, axis=None)), 1)


def _near_sums_of(lines: Whole, base: int) -> Iterator[tuple[int, list[int]]]:
    """Yield each label that is near the sum of others, with those others; a label with all others first."""
    n = len(lines)
    if n < 3:
        return
    held = np.flatnonzero(lines.any(axis=1)).tolist()
    everything = lines.sum(axis=0)
    deviation = MOST_DEVIATIONS * max(base, MOST_NOISE)
    reported: set[int] = set()
    # A label has to be about half of each line to be near the sum of all others.
    near_half = np.abs(2 * lines - everything) <= deviation * math.sqrt(n)
    halves = np.flatnonzero((near_half | (lines == everything)).all(axis=1))
    for i in halves.tolist():
        parts = [part for part in held if part != i]
        # A total is usually the first or last label. Therefore, a label in the middle needs more evidence.
        needed = SUM_BITS + (1.0 if i in (0, n - 1) else math.log2(n))
        if _is_sum(lines, i, parts, everything - lines[i], deviation * math.sqrt(n), needed):
            reported.add(i)
            yield i, parts
    if reported or n > MOST_LABELS or n * n * lines.shape[1] > MOST_NUMBERS:
        return
    needed = SUM_BITS + 2 * math.log2(n)
    sums = np.concatenate([np.zeros((1, lines.shape[1]), np.int64), np.cumsum(lines, axis=0)])
    for i in range(n):
        runs = [(i + 1, stop) for stop in range(i + 3, n + 1)] + [(start, i) for start in range(i - 1)]
        for start, stop in runs:
            tolerance = deviation * math.sqrt(stop - start + 1)
            parts = [part for part in range(start, stop) if part in held]
            if _is_sum(lines, i, parts, sums[stop] - sums[start], tolerance, needed):
                reported.add(i)
                yield i, parts
                break
    if not reported:
        yield from _near_sum_apart(lines, held, deviation)


def _near_sum_apart(lines: Whole, held: Sequence[int], deviation: float) -> Iterator[tuple[int, list[int]]]:
    """Yield the first of a few labels that is near the sum of others which are not next to it, with those others."""
    n = len(held)
    if not 3 < n <= _MOST_SUBSETS or 2**n * lines.shape[1] > MOST_NUMBERS:
        return
    subsets = np.arange(2**n)[:, None] >> np.arange(n) & 1
    sums, sizes = subsets @ lines[list(held)], subsets.sum(axis=1)
    for k, i in enumerate(held):
        difference = np.abs(sums - lines[i]).max(axis=1)
        is_near = (difference <= deviation * np.sqrt(sizes + 1)) & (sizes > 1) & (subsets[:, k] == 0)
        for row in sorted(np.flatnonzero(is_near).tolist(), key=lambda row: int(difference[row]))[:1]:
            parts = [held[part] for part in np.flatnonzero(subsets[row]).tolist()]
            tolerance = deviation * math.sqrt(len(parts) + 1)
            if _is_sum(lines, i, parts, sums[row], tolerance, SUM_BITS + n + math.log2(n)):
                yield i, parts
                return


def _is_sum(lines: Whole, i: int, parts: Sequence[int], sums: Whole, tolerance: float, needed: float) -> bool:
    """Return whether a line is near the sums of several parts, and not of the largest part alone."""
    if len(parts) < 2:
        return False
    if not sums.all():
        compared = sums > 0
        if 2 * np.count_nonzero(compared) < np.count_nonzero(lines[i]):
            return False
        lines, sums = lines[:, compared], sums[compared]
    bits = _bits(lines[i], sums, tolerance) if sums.size else 0.0
    if bits > 0 and bits < needed:
        bits += _rounded_bits(lines, i, sums)
    if bits < needed:
        return False
    largest = max(parts, key=lambda part: int(lines[part].sum()))
    return bool(np.abs(lines[i] - lines[largest]).max() > 2 * tolerance)


def _rounded_bits(lines: Whole, i: int, sums: Whole) -> float:
    """Return the evidence that a line is rounded, and is so to the sums of others that are not rounded, in bits."""
    own, others = int(np.gcd.reduce(lines[i])), int(np.gcd.reduce(np.delete(lines, i, axis=0), axis=None))
    base = next((base for base in ROUNDING_BASES if own % base == 0 and others % base), 0)
    if not base or not lines[i].any() or 2 * np.abs(lines[i] - sums).max() > base:
        return 0.0
    return float(np.count_nonzero(lines[i]) * math.log2(base / math.gcd(base, others)))


def _bits(line: Whole, sums: Whole, tolerance: float) -> float:
    """Return how improbable it is that a line is so near to the sums by chance, in bits; 0 if it is not near."""
    difference = int(np.abs(line - sums).max())
    if difference > tolerance:
        return 0.0
    # The alternative is a line that is proportional to the sums by chance. Then, each count differs from its sum by
    # about its square root, and the totals of both lines by any number.
    per_count = np.log2(np.maximum(np.sqrt(2 * line + 1.0) / (2 * difference + 1.0), 1.0)).sum()
    return float(per_count + 0.5 * np.log2(line.sum() + 1.0))


def _overlap(labels: Sequence[str]) -> tuple[str, str] | None:
    """Return the first two labels whose ranges overlap; None if there are none, or few labels are ranges."""
    ranges: dict[tuple[str, str], list[tuple[int, float, str]]] = {}
    around, last = ("", ""), (0, 0.0)
    with_digits = [label for label in labels if any(map(str.isdecimal, label))]
    for label in with_digits:
        parsed = range_of(label)
        open_end = _open_end(label) if parsed is None and around in ranges else None
        if parsed is not None:
            around, *ends = parsed
            last = int(ends[0]), ends[1]
            ranges.setdefault(around, []).append((*last, label))
        elif open_end is not None and last[0] < open_end and label == with_digits[-1]:
            ranges[around].append((open_end, math.inf, label))
    number = sum(map(len, ranges.values()))
    if number < 2 or 2 * number < len(labels):
        return None
    for members in ranges.values():
        ordered = sorted(members, key=lambda item: (item[0], -item[1]))
        widest = ordered[0]
        for item in ordered[1:]:
            if item[0] < widest[1]:
                return widest[2], item[2]
            widest = max(widest, item, key=lambda item: item[1])
    return None


def _open_end(label: str) -> int | None:
    """Return the number of a label that starts with its only number, as "18 and over" does in many languages."""
    number = re.fullmatch(rf"({_NUMBER})\s+[^\W\d_]\D*", label.strip())
    return _digits(number[1]) if number else None


def range_of(label: str) -> tuple[tuple[str, str], int, float] | None:
    """Return the text around a range, its lower and its upper end; None if a label is not a range.

    Examples
    --------
    >>> range_of("15-24"), range_of("Age 15 to 24"), range_of("65+"), range_of("2011-12"), range_of("00-950")
    ((('', ''), 15, 24), (('age', ''), 15, 24), (('', ''), 65, inf), None, None)
    """
    text = label.strip()
    if match := _RANGE.fullmatch(text):
        before, low, high, after = match.groups()
    elif match := _OPEN.fullmatch(text):
        before, low, after = match.groups()
        high = ""
    else:
        return None
    if any(len(number) > 1 and number.startswith("0") for number in (low, high)):
        return None  # a code
    ends = _digits(low), _digits(high) if high else math.inf
    return None if ends[1] <= ends[0] else ((before.strip().lower(), after.strip().lower()), *ends)


def _digits(text: str) -> int:
    """Return the number of the digits of a text."""
    return int("".join(filter(str.isdecimal, text)))


def _even(lines: Whole, base: int) -> list[int]:
    """Return the lines that hardly vary, if all others vary."""
    if lines.shape[1] < LEAST_LINES:
        return []
    means: Floats = lines.mean(axis=1)
    held = means > 0
    variation = np.full(len(lines), np.inf)
    variation[held] = lines[held].std(axis=1) / means[held]
    steady = (means >= LEAST_MEAN * base) & (variation <= MOST_VARIATION)
    # Empty lines are ignored. If all lines are nearly constant, then none of them is unusual.
    others = variation[~steady & held]
    if not steady.any() or not others.size or np.median(others) < 2 * MOST_VARIATION:
        return []
    from scipy.special import gammainc  # slow to import, and rarely needed

    # The variance of counts of people is about their mean, or larger.
    dispersion = lines.shape[1] * lines.var(axis=1) / np.maximum(means, 1e-9)
    below_chance = gammainc((lines.shape[1] - 1) / 2, dispersion / 2) * len(lines) < 2.0**-ENOUGH_BITS
    times = np.where(below_chance, TIMES_BELOW_CHANCE, TIMES)
    steady[steady] = times[steady] * variation[steady] <= np.median(others)
    return np.flatnonzero(steady).tolist()


def _determines(pairs: Whole) -> bool:
    """Return whether each row has people in one column only, in several columns, and not by chance."""
    people = pairs.sum(axis=1)
    rows = pairs[people > 0]
    if len(rows) < 3 or ((rows > 0).sum(axis=1) > 1).any():
        return False
    shares = rows.sum(axis=0) / rows.sum()
    shares = shares[shares > 0]
    if len(shares) < 2:
        return False
    # The probability that n people, each in a column with these shares, are in the same column.
    numbers = np.minimum(rows.sum(axis=1), 1_000)
    chances = np.array([(shares**number).sum() for number in numbers])
    return float(-np.log2(np.maximum(chances, 1e-300)).sum()) >= ENOUGH_BITS + math.log2(pairs.size)


class OmittedTotal(NamedTuple):
    """A label that is omitted as a probable total, with its axis and a note."""

    axis: Axis
    label: str
    note: str


def without_near_sums(table: FrequencyTable) -> tuple[FrequencyTable, list[OmittedTotal]]:
    """Return a table without the labels that equal the sum of others except for rounding, and those labels."""
    whole, gone = table, list[OmittedTotal]()
    summed: list[dict[str, list[str]]] = [{} for _ in table.axes]
    while doubts := [found for found in near_sums(table) if found.question == "near sum"]:
        k = table.axis(str(doubts[0].facts["axis"]))
        labels, label = table.axes[k].labels, str(doubts[0].facts["label"])
        others = [i for i in range(len(labels)) if labels[i] != label]
        parts, _ = near_sums_of(table, k).get(labels.index(label), (others, 0))
        summed[k][label] = [labels[part] for part in parts]
        table = _without_label(
            table, doubts[0], gone, "it equals the sum of other lines, except for rounding"
        )
    for k, sums in enumerate(summed):
        for doubted, total in _outside_doubts(whole, k, sums, table.axes[k]):
            table = _without_label(table, doubted, gone, f"the total {total} does not include it")
    return table, gone


def _outside_doubts(
    table: FrequencyTable, k: int, sums: Mapping[str, Sequence[str]], rest: Axis
) -> list[tuple[Doubt, str]]:
    """Return a doubt about each label of the rest of axis k that no omitted sum includes, and the name of the sum."""
    places = {label: i for i, label in enumerate(table.axes[k].labels)}
    stay = np.array([label in rest.labels for label in places])
    summed = {places[label]: [places[part] for part in parts] for label, parts in sums.items()}
    allowed = int(MOST_DEVIATIONS * max(_rounding_base(table.counts), MOST_NOISE))
    outside = outside_sums(_lines(table, k), stay, summed, allowed)
    return [
        (_outside_doubt(table, k, i, total), quoted(table.axes[k].labels[total]))
        for i, total in outside.items()
    ]


def without_largest(
    table: FrequencyTable, has_total: Sequence[str]
) -> tuple[FrequencyTable, list[OmittedTotal]]:
    """Return a table without labels that are larger than all others of their axis together, and those labels.

    Parameters
    ----------
    table : FrequencyTable
    has_total : sequence of str
        Axes whose totals are already omitted, so that only a category can be larger than all others together.
    """
    gone: list[OmittedTotal] = []
    for doubted in outsized_labels(table):
        if doubted.facts["axis"] not in has_total:
            table = _without_label(table, doubted, gone, "it is larger than all other lines together")
    return table, gone


def without_determined_axes(table: FrequencyTable) -> tuple[FrequencyTable, list[str]]:
    """Return a table without the axes that another axis determines, and a note on each.

    Examples
    --------
    >>> table = FrequencyTable(np.diag([40, 31, 57]), {"Code": ["A1", "A2", "B1"], "Area": ["Bath", "Hull", "York"]})
    >>> without_determined_axes(table)[0].axes[0].name
    'Code'
    """
    notes = list[str]()
    while doubts := determined_axes(table):
        axis, other = str(doubts[0].facts["axis"]), str(doubts[0].facts["other"])
        notes.append(f"The import omitted the axis {quoted(other)}, because {quoted(axis)} determines it.")
        k = table.axis(other)
        axes = [*table.axes[:k], *table.axes[k + 1 :]]
        smaller = FrequencyTable(table.counts.sum(axis=k), axes)
        behind = table.respondents
        table = smaller if behind is None else smaller.with_respondents(behind.counts.sum(axis=k))
    return table, notes


def _without_label(
    table: FrequencyTable, doubted: Doubt, gone: list[OmittedTotal], reason: str
) -> FrequencyTable:
    """Return a table without the label of a doubt, and append the label to `gone`.

    A label of another axis that only has counts of the omitted label, such as a country without its sexes, is a total
    too.
    """
    k = table.axis(str(doubted.facts["axis"]))
    axis = table.axes[k]
    i = axis.position(str(doubted.facts["label"]))
    note = f"The import omitted {quoted(axis.labels[i])} of {quoted(axis.name)}: {reason}."
    gone.append(OmittedTotal(axis, axis.labels[i], note))
    had_counts = [
        {own.labels[p] for p in np.flatnonzero(_lines(table, j).any(axis=1)).tolist()}
        for j, own in enumerate(table.axes)
    ]
    table = _without_positions(table, k, [i])
    for j, other in enumerate(table.axes):
        empty = np.flatnonzero(~_lines(table, j).any(axis=1)).tolist() if j != k else []
        only = [label for label in (other.labels[p] for p in empty) if label in had_counts[j]]
        for label in only:
            why = f"it only has counts of {quoted(axis.labels[i])}"
            gone.append(
                OmittedTotal(
                    other, label, f"The import omitted {quoted(label)} of {quoted(other.name)}: {why}."
                )
            )
        table = _without_positions(table, j, [other.position(label) for label in only]) if only else table
    return table


def _without_positions(table: FrequencyTable, k: int, out: Sequence[int]) -> FrequencyTable:
    """Return a table without some labels of axis k."""
    axes = list(table.axes)
    labels = tuple(label for i, label in enumerate(axes[k].labels) if i not in out)
    axes[k] = Axis(axes[k].name, labels)
    smaller = FrequencyTable(np.delete(table.counts, out, axis=k), axes)
    behind = table.respondents
    return smaller if behind is None else smaller.with_respondents(np.delete(behind.counts, out, axis=k))
