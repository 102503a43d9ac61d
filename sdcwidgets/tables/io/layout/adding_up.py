"""Which labels of an axis are sums of others.

Totals are found by adding up, not by their names. A label is taken for a total if in every line of the table
its count is the sum of at least two others: of those right after it, of those right before it, or of all
others that are no totals themselves. That this is no accident is sure if its counts together are so large
that numbers of that size would hardly ever meet by chance, or if its label says so too ("Total", "All ages",
"Both"). What adds up with less than that may be a total, and a person is asked; so it is about several sums that
are hardly all by chance, about a label that names what it adds up ("North and East") or with which all of that begins
("North town", "North village"), and about one that says that it is a part of another one ("of which 80+"). A label
that can be nothing but a total ("Total", "All", "Summe") tells what the others are, where it is the sum of all of
them or of all but those; where it adds up with neither, a person is asked too.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.indented import subdivisions
from sdcwidgets.tables.io.layout.words import begins, has, says

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: An accident of so many bits is taken for none: numbers like these meet by chance once in a million tables.
_SURE = 20.0

#: With less than this, sums of small numbers are everywhere and mean nothing.
_MAYBE = 4.0

#: Pairs of runs are tried on axes of at most so many labels.
_MOST_RUNS = 150

#: Runs of labels are tried on axes of at most so many labels; on longer ones only the sum of all.
_MOST_LABELS = 2_000


@dataclass
class AxisSums:
    """What was found on one axis: labels by their positions."""

    sure: list[int] = field(default_factory=list)
    maybe: dict[int, list[int]] = field(default_factory=dict)
    """Each with what it is the sum of."""
    parts: list[int] = field(default_factory=list)
    """Those that say that they are parts of others, or are indented below them."""
    under: dict[int, int] = field(default_factory=dict)
    """Those that are indented below one which they do not add up to, with it."""
    again: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    """Those that begin a run with the same sum as the run right before: both runs."""
    claimed: list[int] = field(default_factory=list)
    """Those that say that they are totals, and are nowhere less than the others nor their sum."""

    @property
    def twice(self) -> list[int]:
        """Those that count people again."""
        return list(itertools.chain(*(run for _, run in self.again.values())))


def is_total(label: str) -> bool:
    """Return whether a label can be nothing but a total.

    Examples
    --------
    >>> is_total("Grand total:"), is_total("Total war")
    (True, False)
    """
    return says("total", label)


def is_part(label: str) -> bool:
    """Return whether a label says that it is a part of another one.

    Examples
    --------
    >>> is_part("of which 80+"), is_part("80+")
    (True, False)
    """
    return begins("part", label)


def find_sums(
    lines: Whole, axis: Axis, ask: bool, doubts: bool, blanks: Mapping[str, int] | None = None
) -> AxisSums:
    """Find the labels of an axis that are sums of others, the smallest sums first; some had blanks before them."""
    named = np.array([is_total(label) for label in axis])
    parts = np.array([is_part(label) for label in axis])
    if _add_up(lines, named, ~named):
        return AxisSums(np.flatnonzero(named).tolist())  # so all others are categories, whatever else adds up
    sums, under = subdivisions(lines, axis.labels, blanks or {}, named, parts)
    parts[list(under)] = True
    out = parts.copy()
    out[sums] = True
    some = out.any() and not out.all()
    if some and _add_up(lines, named, ~named & ~out):
        return AxisSums(np.flatnonzero(named | out).tolist(), under=under)
    taken = AxisSums(sums, parts=np.flatnonzero(parts).tolist() if some else [], under=under)
    search = _Search(lines, axis)
    passed = search.into(taken, ask, doubts)
    if doubts and not taken.maybe:
        taken.again = search.again([*taken.sure, *taken.parts])
    if doubts or not ask:
        known = [*taken.sure, *taken.maybe, *taken.parts] if len(lines) > 2 else []
        taken.claimed = _claimed(lines, axis, [*known, *np.flatnonzero(named)])
    rest = np.ones(len(lines), dtype=np.bool_)
    rest[[*taken.sure, *passed, *taken.parts]] = False
    if passed and _add_up(lines, named, rest & ~named):
        taken.sure, taken.maybe = [*taken.sure, *passed], {}  # only without them the totals agree
    elif named.any():
        excess = _too_much(lines, search.keys, search.bits, named, rest & ~named)
        if excess is not None:
            taken.sure.append(excess)
    return taken


class _Search:
    """The lines of an axis, and what tells quickly which of them add up.

    Attributes
    ----------
    keys : ndarray of uint64
        Each line as one number, modulo 2^64: where sums of lines agree, so do sums of these numbers.
    people : ndarray of int64
    bits : ndarray of float64
        How unlikely it is that a line agrees with another by chance.
    """

    def __init__(self, lines: Whole, axis: Axis) -> None:
        self._lines, self._labels = lines, axis.labels
        weights = np.random.default_rng(1).integers(2**63, size=lines.shape[1], dtype=np.uint64) * np.uint64(
            2
        )
        self.keys = (lines.astype(np.uint64) * (weights + np.uint64(1))).sum(axis=1, dtype=np.uint64)
        self.people = lines.sum(axis=1)
        self.bits = np.log2(1.0 + lines).sum(axis=1)

    def into(self, sums: AxisSums, ask: bool, doubts: bool) -> dict[int, NDArray[np.intp]]:
        """Write down what is sure or asked about, and return the sums that may be an accident."""
        passed: dict[int, NDArray[np.intp]] = {}
        while True:
            active = np.setdiff1d(np.arange(len(self._lines)), [*sums.sure, *sums.under])
            if active.size < 3:
                break
            candidate = next(_candidates(self.keys, self._lines, self.people, active, passed), None)
            if candidate is None:
                several = _several(passed, self.bits) if doubts else {}
                if ask or not several:
                    sums.maybe |= several
                    break
                sums.sure += several
                passed = {total: parts for total, parts in passed.items() if total not in several}
                continue
            total, parts, whole = int(candidate[0]), *candidate[1:]
            sure = self._is_sure(total, whole)
            maybe = not sure and self._is_likely(
                total, parts, whole and total in (active[0], active[-1]), whole, doubts
            )
            if maybe and ask:
                sums.maybe[total] = parts.tolist()
            if sure or (maybe and not ask):
                sums.sure.append(total)
            else:
                passed[total] = parts
        return passed

    def again(self, out: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        """Return runs of two or more lines that add up to the same as those right before: people by something else."""
        remaining = np.setdiff1d(np.arange(len(self._lines)), out)
        n, twice, start = len(remaining), dict[int, tuple[list[int], list[int]]](), 0
        if n > _MOST_RUNS:
            return twice
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(self.keys[remaining], dtype=np.uint64)])
        between = (sums[None, :] - sums[:, None]).tolist()
        before = {(between[i][j], j): i for i in range(n - 1) for j in range(i + 2, n - 1)}
        for middle, stop in itertools.product(range(2, n - 1), range(4, n + 1)):
            i = before.get((between[middle][stop], middle)) if stop > middle + 1 else None
            if i is None or i < start:
                continue
            runs = remaining[i:middle].tolist(), remaining[middle:stop].tolist()
            if self._both(*runs):
                twice[runs[1][0]], start = runs, middle
        return twice

    def _both(self, run: Sequence[int], other: Sequence[int]) -> bool:
        """Return whether two runs of other lines add up to the same, and that is no accident."""
        whole = self._lines[run].sum(axis=0)
        bits = float(np.log2(1.0 + whole).sum()) - 3 * math.log2(len(self._lines))
        same = set(self.keys[run].tolist()) & set(self.keys[other].tolist())
        return not same and bits >= _SURE and np.array_equal(whole, self._lines[other].sum(axis=0))

    def _chance(self, whole: bool) -> float:
        return 0.0 if whole else 2 * float(np.log2(len(self._lines)))

    def _is_sure(self, total: int, whole: bool) -> bool:
        """Return whether a sum is no accident: its label says so, or its numbers are large."""
        label = self._labels[total]
        return is_total(label) or has("says_total", label) or self.bits[total] >= _SURE + self._chance(whole)

    def _is_likely(
        self, total: int, parts: NDArray[np.intp], at_end: bool, whole: bool, doubts: bool
    ) -> bool:
        """Return whether a sum may be no accident, or its label is made of those of its parts."""
        busy = np.count_nonzero(self._lines[total]) > 1 or (at_end and len(parts) > 2)
        if doubts and busy and self.bits[total] >= _MAYBE + self._chance(whole):
            return True
        return _is_made_of(self._labels[total], [self._labels[part] for part in parts if self.people[part]])


def _claimed(lines: Whole, axis: Axis, known: ArrayLike) -> list[int]:
    """Return the labels that begin as totals do, and whose counts are nowhere less than those of any other label."""
    others = np.setdiff1d(np.arange(len(lines)), known)
    if len(others) < 2:
        return []
    most = lines[others].max(axis=0)
    texts = [axis.labels[i].split("!!") for i in others.tolist()]  # as the US Census Bureau writes them
    shared = set(texts[0]).intersection(*texts)
    labels = {
        i: "!!".join(part for part in text if part not in shared)
        for i, text in zip(others.tolist(), texts, strict=True)
    }
    claimed = [
        i
        for i, label in labels.items()
        if begins("all", label) and not (has("others", label) or "!!" in label)
    ]
    return claimed if len(claimed) == 1 and most.any() and (lines[claimed[0]] == most).all() else []


def _too_much(
    lines: Whole,
    keys: NDArray[np.uint64],
    bits: Floats,
    totals: Flags,
    others: Flags,
) -> int | None:
    """Return the one label by which the others are more than each of the totals, if it is the sum of two of them.

    Numbers so small that both may be an accident tell nothing.
    """
    excess = lines[others].sum(axis=0) - lines[totals]
    equal = np.flatnonzero(others & (lines == excess[0]).all(axis=1))
    if len(equal) != 1 or not excess.any() or (excess != excess[0]).any():
        return None
    extra = int(equal[0])
    rest = others & lines.any(axis=1)
    rest[extra] = False
    number = np.count_nonzero(rest)
    if number < 2 or 2 * bits[extra] < _MAYBE + np.log2((number + 1) * math.comb(number, 2)):
        return None
    parts, times = np.unique(keys[rest], return_counts=True)
    differences = keys[extra] - parts
    pairs = np.isin(differences, parts) & ((differences != parts) | (times > 1))
    return extra if pairs.any() else None


def _is_made_of(label: str, parts: Sequence[str]) -> bool:
    """Return whether a label names all of its parts, as "North and East" does, or all of them begin with it."""
    named = all(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", label, re.IGNORECASE) for part in parts)
    return named or all(re.match(rf"{re.escape(label)}\b", part, re.IGNORECASE) for part in parts)


def _several(passed: Mapping[int, NDArray[np.intp]], bits: Floats) -> dict[int, list[int]]:
    """Return the sums that have no label in common, if they are too many to be an accident all together."""
    taken: set[int] = set()
    apart: dict[int, list[int]] = {}
    for total in sorted(passed, key=lambda total: -bits[total]):
        labels = {total, *passed[total].tolist()}
        if not labels & taken:
            taken |= labels
            apart[total] = passed[total].tolist()
    ways = np.log2((len(bits) - 1) * (len(bits) - 2)) * len(apart) - np.log2(math.factorial(len(apart)))
    return apart if len(apart) > 1 and bits[list(apart)].sum() >= _MAYBE + ways else {}


def _add_up(lines: Whole, totals: Flags, others: Flags) -> bool:
    """Return whether there are totals, each of them the sum of two or more others."""
    several = totals.any() and np.count_nonzero(others) > 1
    return bool(several and (lines[totals] == lines[others].sum(axis=0)).all())


def _candidates(
    keys: NDArray[np.uint64],
    lines: Whole,
    people: Whole,
    active: NDArray[np.intp],
    passed: Collection[int],
) -> Iterator[tuple[int, NDArray[np.intp], bool]]:
    """Yield a label that is the sum of others, those others, and whether they are all that are left."""
    values = keys[active]
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(values, dtype=np.uint64)])
    n = len(active)

    def adds_up(i: int, parts: NDArray[np.intp]) -> bool:
        return (
            int(np.count_nonzero(people[parts])) > 1
            and active[i] not in passed
            and np.array_equal(lines[parts].sum(axis=0), lines[active[i]])
        )

    if len(lines) <= _MOST_LABELS:
        after, before = (sums[1:] + values).tolist(), (sums[:-1] - values).tolist()
        people_at = people[active] > 0
        runs: list[tuple[int, int, int, int]] = []
        where: dict[int, int] = {}  # the nearest place on this side that has this sum
        for i in range(2, n):
            where[int(sums[i - 2])] = i - 2
            if people_at[i] and before[i] in where:
                runs.append((i - where[before[i]], i, where[before[i]], i))
        where = {}
        for i in range(n - 1, -1, -1):
            if i + 3 <= n:
                where[int(sums[i + 3])] = i + 3
            if people_at[i] and after[i] in where:
                runs.append((where[after[i]] - i - 1, i, i + 1, where[after[i]]))
        for _, i, start, stop in sorted(runs):
            if adds_up(i, active[start:stop]):
                yield active[i], active[start:stop], stop - start == n - 1
    for i in np.flatnonzero(values + values == sums[-1]).tolist():
        others = np.delete(active, i)
        if people[active[i]] and adds_up(i, others):
            yield active[i], others, True
