"""Which labels of an axis are totals or parts of others; totals are checked and left out.

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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.labels import and_more, cell_name, quoted, shortened
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.cells import begins, has, indent, is_part, is_total
from sdcwidgets.tables.io.layout.contents import TOTALS
from sdcwidgets.tables.io.layout.parts import Decisions, parents
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.io.questions import ask as ask_first

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: Labels of totals for each axis.
TotalLabels = Sequence[Sequence[str]]

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
                # Parts of the first run are finer than the first run, which then is the one that counts again.
                kept, again = reversed(runs) if self._refines(*runs) else runs
                twice[again[0]], start = (kept, again), middle
        return twice

    def _refines(self, run: Sequence[int], parts: Sequence[int]) -> bool:
        """Return whether each line of a run is the sum of others of the parts, in the order of the run."""
        wanted, sums, n = self.keys[run], np.cumsum(self.keys[parts], dtype=np.uint64), len(run)
        in_turn = [self.keys[parts[k::n]].sum(dtype=np.uint64) for k in range(n)]
        in_order = np.isin(np.cumsum(wanted, dtype=np.uint64), sums).all()
        return len(parts) > n and bool(in_order or (wanted == in_turn).all())

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
        return is_total(label) or has("total", label) or self.bits[total] >= _SURE + self._chance(whole)

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
    claimed = [i for i, label in labels.items() if begins("total", label) and "!!" not in label]
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
    words = [f" {''.join(c if c.isalnum() else ' ' for c in text.lower())} " for text in (label, *parts)]
    return all(part in words[0] for part in words[1:]) or all(part.startswith(words[0]) for part in words[1:])


def _several(passed: Mapping[int, NDArray[np.intp]], bits: Floats) -> dict[int, list[int]]:
    """Return the sums that have no label in common, if they are too many to be an accident all together."""
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


def without_totals(
    counts: Whole,
    axes: Sequence[Axis],
    *,
    ask: bool = True,
    doubts: bool = True,
    blanks: Mapping[str, int] | None = None,
) -> tuple[Whole, tuple[Axis, ...], tuple[str, ...]]:
    """Return a table without its totals, and notes on what was dropped.

    Parameters
    ----------
    counts : ndarray of int64
        One dimension an axis.
    axes : sequence of Axis
    ask : bool
        Whether to ask about what may be a total; otherwise it is dropped.
    doubts : bool
        Whether to look for what may be a total but isn't sure.
    blanks : mapping of str to int, optional
        How many blanks stood before a label.

    Raises
    ------
    Question
        If something may be a total, or can be nothing but a total and doesn't add up, and `ask`.

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
    counts: Whole, axes: Sequence[Axis], *, ask: bool, doubts: bool, blanks: Mapping[str, int] | None = None
) -> tuple[Whole, tuple[Axis, ...], Decisions]:
    """Return a table without its totals, and what is not sure of them; see `without_totals`."""
    every = [find_sums(_lines(counts, k), axis, ask, doubts, blanks) for k, axis in enumerate(axes)]
    open_ = list(itertools.chain(*(_doubts(axes, k, sums) for k, sums in enumerate(every) if ask)))
    if open_:
        return counts, tuple(axes), Decisions(doubts=open_)
    stay = [_that_stay(axis, sums) for axis, sums in zip(axes, every, strict=True)]
    if ask and doubts:
        open_ = [
            doubt("outside", TOTALS, **_facts(axes, k, i), total=quoted(axes[k].labels[total]))
            for k in range(len(axes))
            for i, total in _outside(_lines(counts, k), stay[k], axes[k].labels)
        ]
        if open_:
            return counts, tuple(axes), Decisions(doubts=open_)
    elif not ask:
        for k in range(len(axes)):
            stay[k][[i for i, _ in _outside(_lines(counts, k), stay[k], axes[k].labels)]] = False
    wrong: list[tuple[tuple[int, int], str]] = []
    for inside in (True, False):  # the totals of single lines first: they tell best where an error is
        for k in range(len(axes)):
            wrong += _wrong(counts, axes, stay, k, inside)
    if wrong and ask:
        return counts, tuple(axes), Decisions(doubts=[doubt("wrong total", TOTALS, error=wrong[0][1])])
    notes = _notes(axes, stay, wrong, every)
    remaining = (
        Axis(axis.name, tuple(itertools.compress(axis, keep))) for axis, keep in zip(axes, stay, strict=True)
    )
    return counts[np.ix_(*stay)], tuple(remaining), Decisions(notes)


def _outside(lines: Whole, stay: Flags, labels: Sequence[str]) -> list[tuple[int, int]]:
    """Return one or two lines at an end that a total of all others does not include, each with the total.

    Such a line is a part of the others, as one that begins with "of which" in any language.
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


def _notes(
    axes: Sequence[Axis],
    stay: Sequence[Flags],
    wrong: Sequence[tuple[tuple[int, int], str]],
    every: Sequence[AxisSums],
) -> list[str]:
    """Say which totals and parts are left out, and which of them are not the sums."""
    dropped = {
        (k, int(i)): _named(axes, k, int(i)) for k, keep in enumerate(stay) for i in np.flatnonzero(~keep)
    }
    groups = [(sums.parts, sums.claimed, sums.under, sums.twice) for sums in every]
    parts, claimed, indented, twice = (
        {at: name for at, name in dropped.items() if at[1] in groups[at[0]][k]} for k in range(4)
    )
    untrue = {at: dropped[at] for at in sorted({at for at, _ in wrong})}
    notes = []
    right = dropped.keys() - {*untrue, *parts, *indented, *claimed, *twice}
    if right:
        names = _six([dropped[at] for at in sorted(right)])
        notes.append(f"The import omitted the totals {names} as sums of other lines.")
    stated = [name for at, name in parts.items() if at not in indented]
    notes += [
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
    if twice:
        same = "because these lines have the same sum as other lines and count the same people again"
        notes.append(f"The import omitted {_six(twice.values())}, {same}.")
    if wrong:
        total = f"The import omitted the totals {_six(untrue.values())}"
        notes.append(
            f"{total} although some of these totals differ from the sum of their parts: {wrong[0][1]}."
        )
    return notes


def _six(names: Iterable[str]) -> str:
    return and_more(list(names), 6)


def _doubts(axes: Sequence[Axis], k: int, sums: AxisSums) -> Iterator[Doubt]:
    """Yield what may be a total, or a part, on an axis."""
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
        if over is not None and not is_part(axes[k].labels[i]):
            yield doubt("indented", TOTALS, **_facts(axes, k, i), over=quoted(axes[k].labels[over]))
        else:
            yield doubt("part", TOTALS, **_facts(axes, k, i))
    for i in sums.claimed:
        yield doubt("all", TOTALS, **_facts(axes, k, i))


def _that_stay(axis: Axis, sums: AxisSums) -> Flags:
    """Return which labels of an axis are no totals and no parts of others."""
    stay = np.ones(len(axis), dtype=np.bool_)
    stay[[*sums.sure, *sums.parts, *sums.claimed, *sums.twice]] = False
    named = np.array([is_total(label) for label in axis])
    return stay & ~named if (stay & ~named).any() else stay


def kept_totals(
    counts: Whole, axes: Sequence[Axis], blanks: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    """Return a note where totals, or parts of other categories, are kept: their people are counted several times.

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


def _wrong(
    counts: Whole, axes: Sequence[Axis], stay: list[Flags], k: int, inside: bool
) -> list[tuple[tuple[int, int], str]]:
    """Return the dropped totals along axis k that are not the sums, in lines that are (no) totals, and where."""
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
            continue  # it was found by adding up
        wrong = np.argwhere((across[i] != sums) & lines)
        if len(wrong):
            line = tuple(wrong[0].tolist())
            off = int(across[(i, *line)] - sums[line])
            remaining = [axis for j, axis in enumerate(axes) if j != k]
            labels = [axis.labels[j] for axis, j in zip(remaining, line, strict=True)]
            sentence = (
                f"{_line(axes, k, remaining, labels)} sums to {sums[line]:,}, but the total in {_named(axes, k, i)} is "
                f"{across[(i, *line)]:,}, {abs(off):,} too {'many' if off > 0 else 'few'}"
            )
            errors.append(((k, i), sentence))
    return errors


def _line(axes: Sequence[Axis], k: int, others: Sequence[Axis], labels: Sequence[str]) -> str:
    """Return which line of the table it is, in words, from its labels on the axes but k."""
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
    """Return a label of axis k in words: a row or column of a table of two axes, else with its axis."""
    word = ("row", "column")[k] if len(axes) < 3 else shortened(axes[k].name)
    return f"{word} {quoted(axes[k].labels[i])}"


def _facts(axes: Sequence[Axis], k: int, i: int) -> dict[str, object]:
    """Return the facts of a doubt about a label."""
    return {"line": _begun(axes, k, i), "axis": axes[k].name, "label": axes[k].labels[i]}


def _begun(axes: Sequence[Axis], k: int, i: int) -> str:
    """Return a label in words at the beginning of a sentence."""
    named = _named(axes, k, i)
    return f"{named[0].upper()}{named[1:]}"


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
    several = len(added) > 1 or not lines[whole].any() or np.count_nonzero(lines[whole]) > 1
    return bool(several and np.array_equal(lines[added].sum(axis=0), lines[whole]))


def grand_totals(counts: Whole, axes: Sequence[Axis], remaining: Sequence[Axis]) -> TotalLabels:
    """Return for each axis the labels of totals over the whole axis, among the labels that the reader left out.

    A sub-total, a rank or a mean was left out too, but the sum of all published counts does not belong to its label.

    Parameters
    ----------
    counts : ndarray of int64
        Counts before totals were left out.
    axes : sequence of Axis
        Axes with the labels that were left out.
    remaining : sequence of Axis
        Axes without these labels.

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
