"""Find, check and omit the labels of an axis that are totals, or parts of other labels.

Totals are found mainly by their counts. A label may be a total if in every line of the table its count is the sum of at
least two other labels: the labels directly after it, the labels directly before it, or all labels that are not totals.

- The label is certainly a total if its counts are so large that the sum is hardly due to chance, or if its name is that
  of a total, such as "Total", "All ages" or "Both".
- The import raises a question about other sums that are unlikely to be due to chance. It also does if a label names its
  parts ("North and East"), if all parts begin with the label ("North town", "North village"), or if a label marks a
  part of other labels ("of which 80+").
- A label such as "Total", "All" or "Summe" can only be a total. If it is the sum of all other labels, or of all labels
  except sub-totals and parts, the search ends. If it is not, the import raises a question.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.labels import and_more, cell_name, listed, quoted, shortened
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.cells import begins, has, indent, is_part, is_total
from sdcwidgets.tables.io.layout.contents import OMITTED, TOTALS
from sdcwidgets.tables.io.layout.parts import Decisions, parents
from sdcwidgets.tables.io.options import Remark
from sdcwidgets.tables.io.plausibility import outside_sums
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.io.questions import ask as ask_first

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: Labels of totals for each axis.
TotalLabels = Sequence[Sequence[str]]

#: Evidence in bits from which a sum is certain. Such numbers agree by chance in about one of a million tables.
_SURE = 20.0

#: Minimum evidence in bits for a doubt, because small numbers are often sums of others by chance.
_MAYBE = 4.0

#: Maximum number of labels of an axis on which pairs of runs with equal sums are searched.
_MOST_RUNS = 150

#: Minimum evidence in bits that a label without the name of a total is the sum of labels that are not next to it, in
#: addition to log2 of the number of comparisons.
_APART = 10.0

#: Maximum number of labels of an axis on which sums of any labels are searched. On a longer axis, a sum lacks only
#: neighbouring labels.
_MOST_SUBSETS = 13

#: Maximum number of labels of an axis on which sums of runs are searched. On a longer axis, only the sum of all is.
_MOST_LABELS = 2_000


@dataclass
class AxisSums:
    """Totals and parts of one axis, as positions of labels."""

    sure: list[int] = field(default_factory=list)
    """Labels that are certainly totals."""
    maybe: dict[int, list[int]] = field(default_factory=dict)
    """Labels that may be totals, each with the labels that it sums."""
    parts: list[int] = field(default_factory=list)
    """Labels that mark a part of others, as in "of which", or are indented below a label without being its sum."""
    under: dict[int, int] = field(default_factory=dict)
    """Labels that are indented below a label of which they are not all parts, each with that label."""
    again: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    """First label of a run that has the same sum as the run directly before or after it, with both runs."""
    claimed: list[int] = field(default_factory=list)
    """Labels that begin like a total and have the largest count in every line, but are not a sum."""
    inside: dict[int, int] = field(default_factory=dict)
    """Labels that are the only part of a total, without a label for the other people, each with the total."""
    summed: dict[int, list[int]] = field(default_factory=dict)
    """Labels that are sums of other labels by their counts, each with these labels."""
    outside: dict[int, int] = field(default_factory=dict)
    """Labels that may be parts of a sum that does not include them, each with the sum, or -1 if it is not known."""

    @property
    def twice(self) -> list[int]:
        """Labels of runs that count the people of another run again."""
        return list(itertools.chain(*(run for _, run in self.again.values())))


def find_sums(
    lines: Whole, axis: Axis, ask: bool, doubts: bool, blanks: Mapping[str, int] | None = None
) -> AxisSums:
    """Find the labels of an axis that are sums or parts of other labels.

    Parameters
    ----------
    lines : ndarray of int64
        Counts with one row per label.
    axis : Axis
    ask : bool
        Whether doubtful sums are returned as `maybe`; otherwise they are `sure`.
    doubts : bool
        Whether to search for doubtful sums.
    blanks : mapping of str to int, optional
        Number of blanks before a label in the file.
    """
    named = np.array([is_total(label) for label in axis])
    parts = np.array([is_part(label) for label in axis])
    inside = _only_part(lines, axis.labels) if doubts or not ask else {}
    if inside:
        return AxisSums(parts=list(inside), inside=inside)
    if _add_up(lines, named, ~named):
        # All other labels are categories.
        summed = dict.fromkeys(np.flatnonzero(named).tolist(), np.flatnonzero(~named).tolist())
        return AxisSums(list(summed), summed=summed)
    return _searched_sums(lines, axis, ask, doubts, blanks or {}, named, parts)


def _searched_sums(
    lines: Whole,
    axis: Axis,
    ask: bool,
    doubts: bool,
    blanks: Mapping[str, int],
    named: Flags,
    parts: Flags,
) -> AxisSums:
    """Return the sums and parts of an axis whose named totals are not simply the sums of all other labels."""
    sums, under = subdivisions(lines, axis.labels, blanks, named, parts)
    parts[list(under)] = True
    out = parts.copy()
    out[sums] = True
    some = out.any() and not out.all()
    if some and _add_up(lines, named, ~named & ~out):
        return AxisSums(np.flatnonzero(named | out).tolist(), under=under)
    taken = AxisSums(sums, parts=np.flatnonzero(parts).tolist() if some else [], under=under)
    search = _Search(lines, axis)
    passed = search.into(taken, ask, doubts)
    if doubts:
        search.add_apart(taken, ask, named)
    if doubts or not ask:
        known = [*taken.sure, *taken.maybe, *taken.parts] if len(lines) > 2 else []
        taken.claimed = _claimed(lines, axis, [*known, *np.flatnonzero(named)])
    rest = np.ones(len(lines), dtype=np.bool_)
    rest[[*taken.sure, *passed, *taken.parts]] = False
    if passed and _add_up(lines, named, rest & ~named):
        # The totals are correct only without these sums.
        taken.sure, taken.maybe = [*taken.sure, *passed], {}
    elif named.any():
        excess = _too_much(lines, search.keys, search.bits, named, rest & ~named)
        if excess is not None:
            taken.sure.append(excess)
        elif doubts:
            taken.summed |= search.named([*taken.sure, *taken.parts], named)
    return taken


def outside_doubts(axes: Sequence[Axis], k: int, outside: Mapping[int, int]) -> list[Doubt]:
    """Return the doubts about labels of axis k, each of which may be a part of a total that does not include it."""
    labels = axes[k].labels
    return [
        doubt("outside", OMITTED, **_facts(axes, k, i), named=quoted(labels[i]), total=quoted(labels[total]))
        for i, total in outside.items()
    ]


def sums_of_totals(lines: Whole, axis: Axis, totals: Flags) -> dict[int, list[int]]:
    """Return the labels of known totals that are the sums of some other labels, each with these labels.

    Examples
    --------
    >>> lines = np.array([[118, 91], [9, 13], [33, 25], [34, 43], [51, 23]])
    >>> sums_of_totals(lines, Axis("Status", tuple("TxSMW")), np.array([True, False, False, False, False]))
    {0: [2, 3, 4]}
    """
    return _Search(lines, axis).named([], totals)


def _only_part(lines: Whole, labels: Sequence[str]) -> dict[int, int]:
    """Return the smaller one of two labels, with the larger one that is a total by its label; empty without one.

    Examples
    --------
    >>> _only_part(np.array([[31, 25, 40], [14, 13, 22]]), ["Total", "Women"])
    {1: 0}
    """
    totals = [i for i, label in enumerate(labels) if begins("total", label)]
    if len(labels) != 2 or len(totals) != 1 or any(map(is_part, labels)):
        return {}
    part = 1 - totals[0]
    is_smaller = (lines[part] <= lines[totals[0]]).all() and (lines[part] < lines[totals[0]]).any()
    return {part: totals[0]} if is_smaller and lines[part].any() else {}


class _Search:
    """Search for sums among the lines of an axis, by a hash of each line.

    Attributes
    ----------
    keys : ndarray of uint64
        Hash of each line, modulo 2^64. If sums of lines are equal, the sums of their hashes are equal.
    people : ndarray of int64
        Sum of each line.
    bits : ndarray of float64
        Evidence in bits that a line does not equal another one by chance.
    """

    def __init__(self, lines: Whole, axis: Axis) -> None:
        self._lines, self._labels = lines, axis.labels
        weights = np.random.default_rng(1).integers(2**63, size=lines.shape[1], dtype=np.uint64) * np.uint64(
            2
        )
        self.keys = (lines.astype(np.uint64) * (weights + np.uint64(1))).sum(axis=1, dtype=np.uint64)
        self.people = lines.sum(axis=1)
        self.bits = np.log2(1.0 + np.abs(lines)).sum(axis=1)  # amounts in a file can be negative

    def into(self, sums: AxisSums, ask: bool, doubts: bool) -> dict[int, NDArray[np.intp]]:
        """Add certain and doubtful sums to `sums`, and return the other sums, which may be due to chance."""
        passed: dict[int, NDArray[np.intp]] = {}
        while True:
            active = np.setdiff1d(np.arange(len(self._lines)), [*sums.sure, *sums.under])
            if active.size < 3:
                break
            candidate = next(_candidates(self.keys, self._lines, self.people, active, passed), None)
            if candidate is None:
                several = _several(passed, self.bits) if doubts else {}
                sums.summed |= several
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
            if (sure or maybe) and not self._is_made_of(total, parts):
                sums.summed[total] = parts.tolist()
            if maybe and ask:
                sums.maybe[total] = parts.tolist()
            if sure or (maybe and not ask):
                sums.sure.append(total)
            else:
                passed[total] = parts
        return passed

    def again(self, out: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        """Return pairs of neighbouring runs of lines with the same sum, which count the same people twice."""
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
                # If the second run divides the lines of the first run, then the first run is omitted.
                kept, again = reversed(runs) if self._refines(*runs) else runs
                twice[again[0]], start = (kept, again), middle
        return twice

    def add_apart(self, sums: AxisSums, ask: bool, totals: Flags) -> None:
        """Add runs with the same sum to `sums`, and a sum of labels that are not next to it."""
        out = [*sums.sure, *sums.parts]
        if not sums.maybe:
            sums.again = self.again(out)
        if not (sums.maybe or sums.again or sums.under):
            apart = self.apart([*out, *np.flatnonzero(totals)], _APART)
            sums.summed |= apart
            sums.maybe |= apart if ask else {}
            sums.sure += [] if ask else [*apart]

    def named(self, out: Sequence[int], totals: Flags) -> dict[int, list[int]]:
        """Return the labels that are totals by their names and are the sums of some labels, with these labels."""
        sums = dict[int, list[int]]()
        for total in np.flatnonzero(totals).tolist():
            others = [*out, *(other for other in np.flatnonzero(totals).tolist() if other != total)]
            sums |= {i: parts for i, parts in self.apart(others, _MAYBE).items() if i == total}
        return sums

    def apart(self, out: Sequence[int], evidence: float) -> dict[int, list[int]]:
        """Return a label that is the sum of labels which are not next to it, with these labels; empty without one.

        The evidence is in bits, in addition to log2 of the number of comparisons.
        """
        held = np.setdiff1d(np.flatnonzero(self.people), out)
        n = len(held)
        if not 3 < n <= _MOST_RUNS:
            return {}
        columns = self._subsets(n) if n <= _MOST_SUBSETS else self._all_but_a_run(n)
        needed = evidence + math.log2(len(columns)) + math.log2(n)
        sums = (columns.astype(np.uint64) * self.keys[held]).sum(axis=1, dtype=np.uint64)
        for i in np.flatnonzero(self.bits[held] >= needed).tolist():
            # Without its own line, the labels of a subset are counted; those of `_all_but_a_run` include the label.
            for row in np.flatnonzero(
                sums - self.keys[held[i]] * columns[:, i] == self.keys[held[i]]
            ).tolist():
                parts = [int(held[k]) for k in np.flatnonzero(columns[row]).tolist() if k != i]
                if len(parts) > 1 and np.array_equal(self._lines[parts].sum(axis=0), self._lines[held[i]]):
                    return {int(held[i]): parts}
        return {}

    @staticmethod
    def _subsets(n: int) -> Flags:
        """Return a mask of each set of n labels."""
        return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(np.bool_)

    @staticmethod
    def _all_but_a_run(n: int) -> Flags:
        """Return a mask of all n labels without each run of labels."""
        starts, stops = np.triu_indices(n)
        places = np.arange(n)
        return (places < starts[:, None]) | (places > stops[:, None])

    def _refines(self, run: Sequence[int], parts: Sequence[int]) -> bool:
        """Return whether the lines of a run are, in their order, sums of consecutive or of alternating parts."""
        wanted, sums, n = self.keys[run], np.cumsum(self.keys[parts], dtype=np.uint64), len(run)
        in_turn = [self.keys[parts[k::n]].sum(dtype=np.uint64) for k in range(n)]
        in_order = np.isin(np.cumsum(wanted, dtype=np.uint64), sums).all()
        return len(parts) > n and bool(in_order or (wanted == in_turn).all())

    def _both(self, run: Sequence[int], other: Sequence[int]) -> bool:
        """Return whether two runs of different lines have the same sum, which is not due to chance."""
        whole = self._lines[run].sum(axis=0)
        bits = float(np.log2(1.0 + np.abs(whole)).sum()) - 3 * math.log2(len(self._lines))
        same = set(self.keys[run].tolist()) & set(self.keys[other].tolist())
        return not same and bits >= _SURE and np.array_equal(whole, self._lines[other].sum(axis=0))

    def _chance(self, whole: bool) -> float:
        return 0.0 if whole else 2 * float(np.log2(len(self._lines)))

    def _is_sure(self, total: int, whole: bool) -> bool:
        """Return whether a sum is certain, because its label names a total or its counts are large."""
        label = self._labels[total]
        return is_total(label) or has("total", label) or self.bits[total] >= _SURE + self._chance(whole)

    def _is_likely(
        self, total: int, parts: NDArray[np.intp], at_end: bool, whole: bool, doubts: bool
    ) -> bool:
        """Return whether a sum is unlikely to be due to chance, or its label combines the labels of its parts."""
        busy = np.count_nonzero(self._lines[total]) > 1 or (at_end and len(parts) > 2)
        if doubts and busy and self.bits[total] >= _MAYBE + self._chance(whole):
            return True
        return self._is_made_of(total, parts)

    def _is_made_of(self, total: int, parts: NDArray[np.intp]) -> bool:
        """Return whether a label combines the labels of its parts."""
        return _is_made_of(self._labels[total], [self._labels[part] for part in parts if self.people[part]])


def _claimed(lines: Whole, axis: Axis, known: ArrayLike) -> list[int]:
    """Return the label that begins like a total and has the largest count in every line, if there is one."""
    others = np.setdiff1d(np.arange(len(lines)), known)
    if len(others) < 2:
        return []
    most = lines[others].max(axis=0)
    # The US Census Bureau separates the levels of labels by "!!".
    texts = [axis.labels[i].split("!!") for i in others.tolist()]
    shared = set(texts[0]).intersection(*texts)
    labels = {
        i: "!!".join(part for part in text if part not in shared)
        for i, text in zip(others.tolist(), texts, strict=True)
    }
    claimed = [i for i, label in labels.items() if begins("total", label) and "!!" not in label]
    return claimed if len(claimed) == 1 and most.any() and (lines[claimed[0]] == most).all() else []


def _too_much(
    lines: Whole,
    keys: NDArray[np.uint64],
    bits: Floats,
    totals: Flags,
    others: Flags,
) -> int | None:
    """Return the only label by which the sum of the others exceeds each total, if it is the sum of two others.

    The label is then a sub-total. Counts that are so small that both equalities may be due to chance are ignored.
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
    """Return whether a label names all its parts, such as "North and East", or all parts begin with the label."""
    words = [f" {''.join(c if c.isalnum() else ' ' for c in text.lower())} " for text in (label, *parts)]
    return all(part in words[0] for part in words[1:]) or all(part.startswith(words[0]) for part in words[1:])


def _several(passed: Mapping[int, NDArray[np.intp]], bits: Floats) -> dict[int, list[int]]:
    """Return sums without common labels, if they are so many that not all of them are due to chance."""
    taken: set[int] = set()
    apart: dict[int, list[int]] = {}
    for total in sorted(passed, key=lambda total: -bits[total]):
        labels = {total, *passed[total].tolist()}
        if not labels & taken:
            taken |= labels
            apart[total] = passed[total].tolist()
    ways = math.log2((len(bits) - 1) * (len(bits) - 2)) * len(apart) - math.log2(math.factorial(len(apart)))
    return apart if len(apart) > 1 and bits[list(apart)].sum() >= _MAYBE + ways else {}


def _add_up(lines: Whole, totals: Flags, others: Flags) -> bool:
    """Return whether there are totals, and each of them is the sum of all `others`, which are at least two."""
    several = totals.any() and np.count_nonzero(others) > 1
    return bool(several and (lines[totals] == lines[others].sum(axis=0)).all())


def _candidates(
    keys: NDArray[np.uint64],
    lines: Whole,
    people: Whole,
    active: NDArray[np.intp],
    passed: Collection[int],
) -> Iterator[tuple[int, NDArray[np.intp], bool]]:
    """Yield each label that is a sum of others, these others, and whether they are all other active labels."""
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
        where: dict[int, int] = {}  # nearest position on this side with a given cumulative sum
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


def without_totals(
    counts: Whole,
    axes: Sequence[Axis],
    *,
    ask: bool = True,
    doubts: bool = True,
    blanks: Mapping[str, int] | None = None,
) -> tuple[Whole, tuple[Axis, ...], tuple[str, ...]]:
    """Return a table without its totals, the remaining axes, and notes on omitted totals.

    Parameters
    ----------
    counts : ndarray of int64
        Counts with one dimension per axis.
    axes : sequence of Axis
    ask : bool
        Whether to raise a question about doubtful totals; otherwise they are omitted.
    doubts : bool
        Whether to search for doubtful totals.
    blanks : mapping of str to int, optional
        Number of blanks before a label in the file.

    Raises
    ------
    Question
        If `ask` is true, and a label may be a total, or a label such as "Total" is not the sum of the others.

    Examples
    --------
    >>> counts = np.array([[302, 161, 141], [199, 105, 94]])
    >>> axes = [Axis("Area", ("Area 1", "Area 2")), Axis("Sex", ("Both", "Male", "Female"))]
    >>> without_totals(counts, axes)[2]
    ('The import omitted the totals column "Both" as sums of other lines.',)
    """
    counts, remaining, decided = totals_out(counts, axes, ask=ask, doubts=doubts, blanks=blanks)
    ask_first(decided.doubts)
    return counts, remaining, tuple(decided.notes)


def totals_out(
    counts: Whole,
    axes: Sequence[Axis],
    *,
    ask: bool,
    doubts: bool,
    blanks: Mapping[str, int] | None = None,
    is_structure: bool = False,
) -> tuple[Whole, tuple[Axis, ...], Decisions]:
    """Return a table without its totals, the remaining axes, and notes or doubts; see `without_totals`.

    If `is_structure` is true, labels that an omitted sum does not include stay, because a doubt about the proposed
    layout asks about them.
    """
    every = _sums_of_axes(counts, axes, ask, doubts, blanks)
    stay = [_that_stay(axis, sums) for axis, sums in zip(axes, every, strict=True)]
    if doubts and not is_structure:
        _add_outside(counts, every, stay)
    open_ = list(itertools.chain(*(_doubts(axes, k, sums) for k, sums in enumerate(every) if ask)))
    if open_:
        return counts, tuple(axes), Decisions(doubts=open_)
    not_included = [_not_included(counts, axes, k, stay[k]) for k in range(len(axes))]
    if ask and doubts and any(not_included):
        return counts, tuple(axes), Decisions(doubts=list(itertools.chain(*not_included)))
    if not ask:
        _omit_outside(axes, every, stay, not_included)
    wrong = _wrong_totals(counts, axes, stay)
    if wrong and ask:
        return counts, tuple(axes), Decisions(doubts=[_doubt_about_wrong(wrong)])
    only = _only_in_totals(counts, stay)
    for keep, out in zip(stay, only, strict=True):
        keep &= ~out
    notes = _notes(axes, stay, wrong, every, only)
    remaining = (
        Axis(axis.name, tuple(itertools.compress(axis, keep))) for axis, keep in zip(axes, stay, strict=True)
    )
    return counts[np.ix_(*stay)], tuple(remaining), Decisions(notes)


def _sums_of_axes(
    counts: Whole, axes: Sequence[Axis], ask: bool, doubts: bool, blanks: Mapping[str, int] | None
) -> list[AxisSums]:
    """Return the totals and parts of each axis; see `find_sums`.

    If an axis has no sum in all lines, only its lines without totals and parts of the other axes are compared, because
    the total of a part, or a total that was perturbed, can differ from the sum of the others.
    """
    every = [find_sums(_lines(counts, k), axis, ask, doubts, blanks) for k, axis in enumerate(axes)]
    stay = [_that_stay(axis, sums) for axis, sums in zip(axes, every, strict=True)]
    for k, axis in enumerate(axes):
        others = [np.ones_like(mask) if j == k else mask for j, mask in enumerate(stay)]
        if every[k].summed or every[k].maybe or all(mask.all() for mask in others) or not doubts:
            continue
        inside = _lines(counts[np.ix_(*others)], k)
        sums = find_sums(inside, axis, ask, doubts, blanks) if inside.any() else every[k]
        every[k] = sums if sums.summed else every[k]
    return every


def _add_outside(counts: Whole, every: Sequence[AxisSums], stay: Sequence[Flags]) -> None:
    """Add the labels that no sum includes to the sums of each axis; labels of doubtful sums do not stay."""
    for k, sums in enumerate(every):
        certain = stay[k].copy()
        certain[list(sums.maybe)] = False
        sums.outside = outside_sums(_lines(counts, k), certain, sums.summed)


def _omit_outside(
    axes: Sequence[Axis],
    every: Sequence[AxisSums],
    stay: Sequence[Flags],
    not_included: Sequence[Sequence[Doubt]],
) -> None:
    """Omit the labels that no total includes."""
    for axis, sums, keep, doubts in zip(axes, every, stay, not_included, strict=True):
        labels = {one.facts["label"] for one in doubts}
        sums.outside |= {i: -1 for i, label in enumerate(axis.labels) if label in labels}
        keep[list(sums.outside)] = False


class WrongTotal(NamedTuple):
    """An omitted total that differs from the sums of its parts.

    Attributes
    ----------
    axis, label : int
        Position of the axis, and of the total on this axis.
    sentence : str
        The first difference.
    differences : dict of tuple to tuple
        Each total that differs and the sum of its parts, by the axis, the total and the position on the other axes.
    """

    axis: int
    label: int
    sentence: str
    differences: dict[tuple[int, ...], tuple[int, int]]


def _wrong_totals(counts: Whole, axes: Sequence[Axis], stay: list[Flags]) -> list[WrongTotal]:
    """Return the omitted totals that differ from the sums; the totals of single cells locate an error best."""
    sums = _sums_only_in_totals(counts, stay)
    stay = [keep & ~out for keep, out in zip(stay, sums, strict=True)]
    wrong = list[WrongTotal]()
    for inside in (True, False):
        for k in range(len(axes)):
            wrong += _wrong(counts, axes, stay, k, inside)
    return wrong or _wrong_grand_total(counts, axes, stay)


def _doubt_about_wrong(wrong: Sequence[WrongTotal]) -> Doubt:
    """Return the doubt about the first wrong total, with the differences of all of them."""
    differences = {line: pair for total in wrong for line, pair in total.differences.items()}
    return doubt("wrong total", TOTALS, error=wrong[0].sentence, differences=differences)


def _wrong_grand_total(counts: Whole, axes: Sequence[Axis], stay: Sequence[Flags]) -> list[WrongTotal]:
    """Return the total of all axes if it differs from the sum of all counts; a file can have this total alone."""
    if len(axes) < 2 or any(keep.all() for keep in stay):
        return []
    summed = int(counts[np.ix_(*stay)].sum())
    for place in itertools.product(*(np.flatnonzero(~keep).tolist() for keep in stay)):
        off = int(counts[place]) - summed
        if counts[place] and off and all(is_total(axes[k].labels[i]) for k, i in enumerate(place)):
            named = listed([_named(axes, k, i) for k, i in enumerate(place)])
            sentence = (
                f"The table sums to {summed:,}, but the total in {named} is {int(counts[place]):,}, {abs(off):,} too "
                f"{'many' if off > 0 else 'few'}"
            )
            return [WrongTotal(0, place[0], sentence, {(-1, *place): (int(counts[place]), summed)})]
    return []


def _only_in_totals(counts: Whole, stay: Sequence[Flags]) -> list[Flags]:
    """Return for each axis the labels with counts that are all omitted totals, such as a country without its sexes.

    Examples
    --------
    >>> counts = np.array([[302, 0, 0], [199, 105, 94], [103, 56, 47]])
    >>> _only_in_totals(counts, [np.array([True, True, True]), np.array([False, True, True])])[0].tolist()
    [True, False, False]
    """
    only = []
    for k, keep in enumerate(stay):
        others = [np.ones_like(keep) if j == k else mask for j, mask in enumerate(stay)]
        has_counts: Flags = np.asarray(_lines(counts[np.ix_(*others)], k).any(axis=1))
        out: Flags = keep & ~has_counts & np.asarray(_lines(counts, k).any(axis=1))
        only.append(out if has_counts[keep].any() else np.zeros_like(keep))
    return only


def _sums_only_in_totals(counts: Whole, stay: Sequence[Flags]) -> list[Flags]:
    """Return for each axis the labels of `_only_in_totals` whose counts are the sums of the labels that stay.

    Examples
    --------
    >>> counts = np.array([[302, 0, 0], [199, 105, 94], [103, 56, 47]])
    >>> stay = [np.array([True, True, True]), np.array([False, True, True])]
    >>> _sums_only_in_totals(counts, stay)[0].tolist()
    [True, False, False]
    """
    sums = _only_in_totals(counts, stay)
    for k, out in enumerate(sums):
        lines = _lines(counts, k)
        summed = lines[stay[k] & ~out].sum(axis=0)
        for i in np.flatnonzero(out).tolist():
            out[i] = bool((lines[i] == summed)[lines[i] > 0].all())
    return sums


def _outside(lines: Whole, stay: Flags, labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return one or two lines at an end that a total of all other lines does not include, each with the total.

    Such a line is a part of the others, such as a line that begins with "of which" in any language.
    """
    inside = np.flatnonzero(stay)
    for total in np.flatnonzero(~stay).tolist():
        whole = lines[total]
        is_largest = (lines.sum(axis=1) <= whole.sum()).all()
        if not is_largest or not has("total", labels[total]) or (lines[inside].sum(axis=0) == whole).all():
            continue
        for start, stop in ((0, -1), (0, -2), (1, None), (2, None)):
            part = inside[start:stop]
            out = np.setdiff1d(inside, part)
            is_part = (lines[out] <= whole).all() and lines[out].any()
            if len(part) > len(out) and is_part and (lines[part].sum(axis=0) == whole).all():
                return [(i, total) for i in out.tolist()]
    return []


def _not_included(counts: Whole, axes: Sequence[Axis], k: int, stay: Flags) -> list[Doubt]:
    """Return doubts about labels of an axis that an omitted total does not include."""
    outside = dict(_outside(_lines(counts, k), stay, axes[k].labels))
    return outside_doubts(axes, k, outside) or larger_doubts(counts, axes, k, stay)


def larger_doubts(counts: Whole, axes: Sequence[Axis], k: int, stay: Flags) -> list[Doubt]:
    """Return doubts about labels that an omitted total does not include although they are at least as large everywhere.

    Such labels count something else than the other ones, as electors do beside votes.

    Parameters
    ----------
    counts : ndarray of int64
        Counts including totals.
    axes : sequence of Axis
    k : int
        Number of the axis.
    stay : ndarray of bool
        The labels of the axis that are not omitted.

    Examples
    --------
    >>> counts = np.array([[90, 60, 20, 40], [75, 50, 35, 15], [81, 44, 30, 14]])
    >>> axes = [Axis("Area", ("A", "B", "C")), Axis("Column", ("Electors", "Votes", "Red", "Blue"))]
    >>> [one.facts["label"] for one in larger_doubts(counts, axes, 1, np.array([True, False, True, True]))]
    ['Electors']
    """
    lines, inside = _lines(counts, k), np.flatnonzero(stay)
    totals = [total for total in np.flatnonzero(~stay).tolist() if lines[total].any()]
    if any((lines[inside].sum(axis=0) == lines[total]).all() for total in totals):
        return []
    for total in totals:
        larger = inside[(lines[inside] >= lines[total]).all(axis=1)]
        parts = np.setdiff1d(inside, larger)
        is_few = 0 < len(larger) < len(parts) + 1 and np.count_nonzero(lines[parts].any(axis=1)) > 1
        if is_few and (lines[parts].sum(axis=0) == lines[total]).all():
            named = quoted(axes[k].labels[total])
            return [doubt("larger", TOTALS, **_facts(axes, k, i), total=named) for i in larger.tolist()]
    return []


def _notes(
    axes: Sequence[Axis],
    stay: Sequence[Flags],
    wrong: Sequence[WrongTotal],
    every: Sequence[AxisSums],
    only: Sequence[Flags],
) -> list[str]:
    """Return notes on omitted totals and parts, and on totals that differ from the sum of their parts."""
    dropped = {
        (k, int(i)): _named(axes, k, int(i)) for k, keep in enumerate(stay) for i in np.flatnonzero(~keep)
    }
    groups = [(sums.parts, sums.claimed, sums.under, sums.twice, sums.outside) for sums in every]
    parts, claimed, indented, twice, outside = (
        {at: name for at, name in dropped.items() if at[1] in groups[at[0]][k]} for k in range(5)
    )
    bare = {at: dropped[at] for at in _places_of(only)}
    untrue = {at: dropped[at] for at in sorted({(total.axis, total.label) for total in wrong})}
    notes = list[str]()
    right = dropped.keys() - {*untrue, *parts, *indented, *claimed, *twice, *bare, *outside}
    if right:
        names = _six([dropped[at] for at in sorted(right)])
        notes.append(Remark(f"The import omitted the totals {names} as sums of other lines."))
    notes += _notes_on_parts(parts, indented, claimed, outside)
    if twice:
        same = "because these lines have the same sum as other lines and count the same people again"
        notes.append(f"The import omitted {_six(twice.values())}, {same}.")
    if bare:
        notes.append(
            f"The import omitted {_six(bare.values())}, because all counts of these lines are omitted totals."
        )
    if wrong:
        total = f"The import omitted the totals {_six(untrue.values())}"
        notes.append(
            f"{total} although some of these totals differ from the sum of their parts: {wrong[0].sentence}."
        )
    return notes


#: Descriptions of lines by the axis and the position of their labels.
_Lines = Mapping[tuple[int, int], str]


def _notes_on_parts(parts: _Lines, indented: _Lines, claimed: _Lines, outside: _Lines) -> list[str]:
    """Return notes on omitted parts of other lines, and on totals that are omitted by their labels only."""
    stated = [name for at, name in parts.items() if at not in indented]
    notes = [
        f"The import omitted the {name}, because the label marks this line as a part of other lines."
        for name in stated
    ]
    if indented:
        notes.append(
            f"The import omitted {_six(indented.values())}, because the labels of these lines are indented "
            f"as parts of other lines."
        )
    notes += [
        f"The import omitted the {name}, because the label marks this line as a total."
        for name in claimed.values()
    ]
    if outside:
        names = _six(outside.values())
        notes.append(f"The import omitted {names}, because no omitted total includes these lines.")
    return notes


def _places_of(masks: Sequence[Flags]) -> list[tuple[int, int]]:
    """Return the axis and the position of each label of masks, one mask per axis."""
    return [(k, i) for k, mask in enumerate(masks) for i in np.flatnonzero(mask).tolist()]


def _six(names: Iterable[str]) -> str:
    return and_more(list(names), 6)


def _doubts(axes: Sequence[Axis], k: int, sums: AxisSums) -> Iterator[Doubt]:
    """Yield the doubts about labels of an axis that may be totals or parts."""
    yield from outside_doubts(axes, k, sums.outside)
    for i, summed in sums.maybe.items():
        parts = [quoted(axes[k].labels[part]) for part in summed]
        yield doubt("sum", TOTALS, **_facts(axes, k, i), parts=and_more(parts, 3))
    for i, (before, run) in sums.again.items():
        those, parts = ([quoted(axes[k].labels[part]) for part in some] for some in (before, run[1:]))
        yield doubt(
            "again", TOTALS, **_facts(axes, k, i), parts=and_more(parts, 3), before=and_more(those, 3)
        )
    for i in sums.parts:
        over = sums.under.get(i)
        if i in sums.inside:
            yield doubt("inside", TOTALS, **_facts(axes, k, i), total=quoted(axes[k].labels[sums.inside[i]]))
        elif over is not None and not is_part(axes[k].labels[i]):
            yield doubt("indented", TOTALS, **_facts(axes, k, i), over=quoted(axes[k].labels[over]))
        else:
            yield doubt("part", TOTALS, **_facts(axes, k, i))
    for i in sums.claimed:
        yield doubt("all", TOTALS, **_facts(axes, k, i))


def _that_stay(axis: Axis, sums: AxisSums) -> Flags:
    """Return a mask of the labels of an axis that are neither totals nor parts of other labels."""
    stay = np.ones(len(axis), dtype=np.bool_)
    stay[[*sums.sure, *sums.parts, *sums.claimed, *sums.twice]] = False
    named = np.array([is_total(label) for label in axis])
    return stay & ~named if (stay & ~named).any() else stay


def kept_totals(
    counts: Whole, axes: Sequence[Axis], blanks: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    """Return notes on totals and parts of other categories that are kept, so that people are counted several times.

    Examples
    --------
    >>> kept_totals(np.array([302, 161, 141]), [Axis("Sex", ("Total", "Male", "Female"))])
    ('The import kept row "Total", as totals or parts of other lines, so people are counted more than once.',)
    """
    every = [find_sums(_lines(counts, k), axis, False, False, blanks) for k, axis in enumerate(axes)]
    totals = [
        _named(axes, k, i)
        for k, axis in enumerate(axes)
        for i, label in enumerate(axis)
        if i in every[k].sure or i in every[k].parts or is_part(label) or (is_total(label) and len(axis) > 2)
    ]
    doubtful = [find_sums(_lines(counts, k), axis, True, True, blanks) for k, axis in enumerate(axes)]
    sums = [_named(axes, k, i) for k, sums in enumerate(doubtful) for i in sorted([*sums.maybe, *sums.again])]
    sums = [name for name in sums if name not in totals]
    errors = []
    if totals:
        errors.append(
            f"The import kept {and_more(totals, 6)}, as totals or parts of other lines, so people are counted "
            "more than once."
        )
    if sums:
        errors.append(
            f"The import kept {and_more(sums, 6)}, which may be totals, because the counts are sums of other lines. "
            "If so, people are counted more than once."
        )
    return tuple(errors)


def _lines(counts: Whole, k: int) -> Whole:
    """Return the counts with a row for each label of axis k."""
    return np.moveaxis(counts, k, 0).reshape(counts.shape[k], -1)


def _wrong(counts: Whole, axes: Sequence[Axis], stay: list[Flags], k: int, inside: bool) -> list[WrongTotal]:
    """Return the omitted totals along axis k that differ from the sums, each with a sentence on the first difference.

    If `inside` is true, only lines without totals of other axes are compared; otherwise only the other lines. Totals
    that the file does not contain, as a file with a grand total only, are not compared.
    """
    across = np.moveaxis(counts, k, 0)
    others = [keep for j, keep in enumerate(stay) if j != k]
    lines = np.ones(across.shape[1:], dtype=np.bool_)
    for j, keep in enumerate(others):
        lines &= keep.reshape([-1 if j == axis else 1 for axis in range(lines.ndim)])
    lines = lines if inside else ~lines
    sums = across[stay[k]].sum(axis=0)
    errors = []
    for i in np.flatnonzero(~stay[k]).tolist():
        if not is_total(axes[k].labels[i]):
            continue  # The label was omitted because it is a sum or a part.
        if inside and not across[i][lines].any() and across[i][~lines].any():
            continue  # The file has this total only together with totals of other axes.
        is_there = inside | ((sums > 0) & (across[i] > 0))
        wrong = np.argwhere((across[i] != sums) & lines & is_there)
        if len(wrong):
            line = tuple(wrong[0].tolist())
            off = int(across[(i, *line)] - sums[line])
            remaining = [axis for j, axis in enumerate(axes) if j != k]
            labels = [axis.labels[j] for axis, j in zip(remaining, line, strict=True)]
            sentence = (
                f"{_line(axes, k, remaining, labels)} sums to {sums[line]:,}, but the total in {_named(axes, k, i)} is "
                f"{across[(i, *line)]:,}, {abs(off):,} too {'many' if off > 0 else 'few'}"
            )
            places = map(tuple, wrong.tolist())
            differences = {(k, i, *place): (int(across[(i, *place)]), int(sums[place])) for place in places}
            errors.append(WrongTotal(k, i, sentence, differences))
    return errors


def _line(axes: Sequence[Axis], k: int, others: Sequence[Axis], labels: Sequence[str]) -> str:
    """Return a description of a line along axis k, from its labels on the other axes."""
    if len(axes) == 1:
        return f"Axis {quoted(axes[0].name)}"
    if len(axes) == 2:
        return f"{('Column', 'Row')[k]} {quoted(labels[0])}"
    if len(axes) == 3:
        return ", ".join(
            f"{shortened(axis.name)} {quoted(label)}" for axis, label in zip(others, labels, strict=True)
        )
    return cell_name(labels, [axis.name for axis in others])


def _named(axes: Sequence[Axis], k: int, i: int) -> str:
    """Return a description of a label of axis k: as a row or column if there are two axes, else with its axis."""
    word = ("row", "column")[k] if len(axes) < 3 else shortened(axes[k].name)
    return f"{word} {quoted(axes[k].labels[i])}"


def _facts(axes: Sequence[Axis], k: int, i: int) -> dict[str, object]:
    """Return the values in a doubt about a label."""
    return {"line": _begun(axes, k, i), "axis": axes[k].name, "label": axes[k].labels[i]}


def _begun(axes: Sequence[Axis], k: int, i: int) -> str:
    """Return a description of a label for the beginning of a sentence."""
    named = _named(axes, k, i)
    return f"{named[0].upper()}{named[1:]}"


def subdivisions(
    lines: Whole,
    labels: Sequence[str],
    blanks: Mapping[str, int],
    totals: Flags,
    parts: Flags,
) -> tuple[list[int], dict[int, int]]:
    """Return the labels that are sums of the labels indented below them, and labels that are parts of other labels.

    The second result maps each part to the label above it that is not the sum of its parts. Indentation is ignored if
    each such label has fewer people than one of its parts, or if blanks align the labels on the right.
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
    """Return whether a line is the sum of the lines below it without parts of others.

    A single line below counts only if the line is empty or has several cells with people.
    """
    added = [i for i in below if not parts[i]]
    several = len(added) > 1 or not lines[whole].any() or np.count_nonzero(lines[whole]) > 1
    return bool(several and np.array_equal(lines[added].sum(axis=0), lines[whole]))


def grand_totals(counts: Whole, axes: Sequence[Axis], remaining: Sequence[Axis]) -> TotalLabels:
    """Return the omitted labels that are totals over a whole axis, per axis.

    The import also omits sub-totals, ranks or means, but their labels cannot be used for the sum of all counts.

    Parameters
    ----------
    counts : ndarray of int64
        Counts including totals.
    axes : sequence of Axis
        Axes including the omitted labels.
    remaining : sequence of Axis
        Axes without the omitted labels.

    Examples
    --------
    >>> counts = np.array([[9, 3, 6, 3], [7, 3, 4, 3]])
    >>> axes = [Axis("Area", ("A", "B")), Axis("Sex", ("Both", "m", "f", "of which m"))]
    >>> grand_totals(counts, axes, [axes[0], Axis("Sex", ("m", "f"))])
    ((), ('Both',))
    """
    positions = [[axis.position(label) for label in left] for axis, left in zip(axes, remaining, strict=True)]
    totals = []
    for k, axis in enumerate(axes):
        lines = np.moveaxis(counts, k, 0)[np.ix_(range(len(axis)), *positions[:k], *positions[k + 1 :])]
        sums, left_out = lines[positions[k]].sum(axis=0), set(range(len(axis))) - set(positions[k])
        labels = [
            axis.labels[i]
            for i in sorted(left_out)
            if is_total(axis.labels[i]) or np.array_equal(lines[i], sums)
        ]
        totals.append(tuple(labels))
    return tuple(totals)
