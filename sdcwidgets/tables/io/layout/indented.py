"""Which labels stand under others, as parts of them: by blanks, dashes, dots or other marks before them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Whole


#: A single dash, star or ">" may begin a label ("-1", "> 65"), or frame it ("- unknown -").
_MARKS = re.compile(
    r"(?:\s|[·•‣▪◦»›→└├─…_]|\.{2,}|>{2,}|-*>(?=\s*[^\W\d])|[-–—*+]+(?=\s|[^\W\d])(?!.*[-–—*]\s*$))+"
)


def indent(label: str) -> int:
    """Return how far a label is indented.

    Examples
    --------
    >>> [indent(label) for label in ("Boys", "  Boys", "- Boys", ">> 0-4", "..5", "-5", "> 65", "...")]
    [0, 2, 2, 3, 2, 0, 0, 0]
    """
    marks = _MARKS.match(label)
    return marks.end() if marks and marks.end() < len(label) else 0


def blanks_before(label: str) -> int:
    """Return how many blanks a label begins with."""
    return len(label) - len(label.lstrip())


def parents(depths: Sequence[int], totals: Sequence[bool]) -> list[int | None]:
    """Return for each label the nearest one above it that is indented less; nothing is a part of a total.

    Where the first label is indented more than the last one, sums stand below their parts.

    Examples
    --------
    >>> parents([0, 2, 2, 4, 0], [False] * 5), parents([0, 2, 4], [True, False, False])
    ([None, 0, 0, 2, None], [None, None, 1])
    >>> parents([2, 2, 0, 2, 0], [False] * 5)
    [2, 2, None, 4, None]
    """
    others = [depth for depth, total in zip(depths, totals, strict=True) if not total]
    if others and others[0] > others[-1]:
        last = len(depths) - 1
        return [None if at is None else last - at for at in parents(depths[::-1], totals[::-1])][::-1]
    over, nearest = list[tuple[int, int]](), list[int | None]()
    for i, depth in enumerate(depths):
        while over and over[-1][0] >= depth:
            over.pop()
        nearest.append(over[-1][1] if over else None)
        if not totals[i]:
            over.append((depth, i))
    return nearest


def told_apart(labels: Sequence[str], depths: Sequence[int], totals: Sequence[bool]) -> list[str]:
    """Return labels with those that they stand under, where they are there more than once.

    Examples
    --------
    >>> told_apart(["Male:", "0-4", "Female:", "0-4"], [0, 2, 0, 2], [False] * 4)
    ['Male:', 'Male: 0-4', 'Female:', 'Female: 0-4']
    """
    times, apart, over = Counter(labels), list(labels), parents(depths, totals)
    for i in sorted(range(len(labels)), key=depths.__getitem__):
        parent = over[i]
        if times[labels[i]] > 1 and parent is not None:
            apart[i] = f"{apart[parent].rstrip(' :')}: {labels[i]}"
    return apart


def subdivisions(
    lines: Whole,
    labels: Sequence[str],
    blanks: Mapping[str, int],
    totals: Flags,
    parts: Flags,
) -> tuple[list[int], dict[int, int]]:
    """Return the labels that are the sums of those under them, and parts of others that are not, with those.

    Where under all others stands a label with more people, being indented means nothing; nor where blanks put the ends
    of all labels below each other.
    """
    before = [blanks.get(label, 0) for label in labels]
    if any(before) and len({many + len(label) for many, label in zip(before, labels, strict=True)}) == 1:
        return [], {}
    depths = [many + indent(label) for many, label in zip(before, labels, strict=True)]
    above = enumerate(parents(depths, totals.tolist()))
    over = {i: parent for i, parent in above if parent is not None and not totals[i]}
    under = dict[int, list[int]]()
    for i, parent in over.items():
        under.setdefault(parent, []).append(i)
    sums = [i for i, below in under.items() if _adds_up(lines, i, below, parts)]
    people, incomplete = lines.sum(axis=1), dict[int, int]()
    if any((people[under[i]] <= people[i]).all() for i in under.keys() - sums):
        for i, parent in over.items():
            if parent not in sums or parent in incomplete:
                incomplete[i] = parent
    return [i for i in sums if i not in incomplete], incomplete


def _adds_up(lines: Whole, whole: int, below: Sequence[int], parts: Flags) -> bool:
    """Return whether a line is the sum of several below it, or nobody is in it; parts of others are not added."""
    added = [i for i in below if not parts[i]]
    several = len(added) > 1 or not lines[whole].any()
    return several and np.array_equal(lines[added].sum(axis=0), lines[whole])
