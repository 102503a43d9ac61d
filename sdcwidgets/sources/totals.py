"""Find the totals that a table carries inside any of its axes, check that they add up, and drop them.

Totals are found by adding up, not by their names. A label is taken for a total if in every line of the table
its count is the sum of at least two others: of those right after it, of those right before it, or of all
others that are no totals themselves. That this is no accident is sure if its counts together are so large
that numbers of that size would hardly ever meet by chance, or if its label says so too ("Total", "All ages",
"Both"). What adds up with less than that may be a total, and a person is asked; so it is about several sums that
are hardly all by chance, about a label that names what it adds up ("North and East"), and about one that says that
it is a part of another one ("of which 80+"). A label that can be nothing but a total ("Total", "All", "Summe")
tells what the others are, where it is the sum of all of them or of all but those; where it adds up with neither,
a person is asked too.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.labels import place, quoted, shortened
from sdcwidgets.sources.how import LEFT_OUT, Choice, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

__all__ = ["TOTALS", "is_total", "kept_totals", "without_totals"]

#: Labels that can be nothing but totals.
_TOTAL = frozenset(
    word.strip()
    for line in (
        "total, totals, grand total, sum, sums, all, all people, all persons, all categories, overall",
        "gesamt, insgesamt, summe, ensemble, somme, totale, somma, suma, soma, totaal, totalt, summa, i alt",
        "yhteensä, kokku, kopā, iš viso, razem, ogółem, celkem, spolu, összesen, mindösszesen, skupaj",
        "ukupno, toplam, σύνολο, всего, итого, разом, общо, 合计, 合計, 总计, 総数, 계",
    )
    for word in line.split(",")
)

#: Words that say so if the numbers do too.
_SAYS = re.compile(r"\b(total|totals|all|both|sum|any|every\w*|sub-?total|usual residents)\b", re.IGNORECASE)

#: Words with which the label of a part of another category begins.
_PART = re.compile(
    r"\W*(of which|of whom|thereof|including|darunter|davon|dont|di cui|waarvan|varav|heraf|w tym)\b",
    re.IGNORECASE,
)

#: An accident of so many bits is taken for none: numbers like these meet by chance once in a million tables.
_SURE = 20.0

#: With less than this, sums of small numbers are everywhere and mean nothing.
_MAYBE = 4.0

#: Runs of labels are tried on axes of at most so many labels; on longer ones only the sum of all.
_MOST_LABELS = 2_000

#: What can be chosen, for one question.
TOTALS = Choice("margins", dict(LEFT_OUT))


@dataclass
class _Found:
    """What was found on one axis: labels by their positions."""

    sure: list[int] = field(default_factory=list)
    maybe: dict[int, list[int]] = field(default_factory=dict)
    """Each with what it is the sum of."""
    parts: list[int] = field(default_factory=list)
    """Those that say that they are parts of others."""


def is_total(label: str) -> bool:
    """Return whether a label can be nothing but a total.

    >>> is_total("Grand total:"), is_total("Total war")
    (True, False)
    """
    return label.strip(" :").casefold() in _TOTAL


def without_totals(
    counts: Counts, axes: Sequence[Axis], *, ask: bool = True, doubts: bool = True
) -> tuple[Counts, tuple[Axis, ...], tuple[str, ...]]:
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

    Raises
    ------
    Question
        If something may be a total, or can be nothing but a total and doesn't add up, and `ask`.

    Examples
    --------
    >>> counts = np.array([[302, 161, 141], [199, 105, 94]])
    >>> axes = [Axis("Area", ("Area 1", "Area 2")), Axis("Sex", ("Both", "Male", "Female"))]
    >>> without_totals(counts, axes)[2]
    ('I left out the totals column "Both": it adds up.',)
    """
    found = [_search(_lines(counts, k), axis, ask, doubts) for k, axis in enumerate(axes)]
    for k, one in enumerate(found):
        for i, summed in one.maybe.items():
            parts = [quoted(axes[k].labels[part]) for part in summed]
            parts = [*parts[:3], f"{len(parts) - 3} more"] if len(parts) > 3 else parts
            said = f"{_named(axes, k, i)} is the sum of {', '.join(parts[:-1])} and {parts[-1]}"
            raise Question(
                f"{said[0].upper()}{said[1:]}: choose whether to leave it out as a total (margins: drop or keep).",
                TOTALS,
            )
        if ask and one.parts:
            said = _named(axes, k, one.parts[0])
            raise Question(
                f"{said[0].upper()}{said[1:]} says that it is a part of others, whose people would be counted twice: "
                "choose whether to leave it out (margins: drop or keep).",
                TOTALS,
            )
    kept = [np.ones(len(axis), dtype=np.bool_) for axis in axes]
    for k, axis in enumerate(axes):
        kept[k][[*found[k].sure, *found[k].parts]] = False
        named = np.array([is_total(label) for label in axis])
        if (kept[k] & ~named).any():
            kept[k] &= ~named
    wrong: list[tuple[tuple[int, int], str]] = []
    for inside in (True, False):  # the totals of single lines first: they tell best where an error is
        for k in range(len(axes)):
            wrong += _wrong(counts, axes, kept, k, inside)
    if wrong and ask:
        raise Question(
            f"{wrong[0][1]}; correct it or, where totals were protected by themselves, choose what becomes of them "
            "(margins: drop or keep).",
            TOTALS,
        )
    untrue, words = {at for at, _ in wrong}, {(k, i) for k, one in enumerate(found) for i in one.parts}
    dropped = [(k, int(i)) for k in range(len(axes)) for i in np.flatnonzero(~kept[k])]
    notes = _notes([_named(axes, *at) for at in dropped if at not in untrue and at not in words])
    notes += tuple(
        f"I left out the {_named(axes, *at)}: it says that it is a part of others." for at in sorted(words)
    )
    if wrong:
        told = _and([_named(axes, *at) for at in sorted(untrue)])
        notes += (f"I left out the totals {told} although not all adds up: {wrong[0][1]}.",)
    left = tuple(
        Axis(axis.name, tuple(itertools.compress(axis, keep))) for axis, keep in zip(axes, kept, strict=True)
    )
    return counts[np.ix_(*kept)], left, notes


def kept_totals(counts: Counts, axes: Sequence[Axis]) -> tuple[str, ...]:
    """Return a note where totals, or parts of other categories, are kept: their people are counted several times.

    >>> kept_totals(np.array([302, 161, 141]), [Axis("Sex", ("Total", "Male", "Female"))])
    ('I kept row "Total": people in it are counted more than once.',)
    """
    found = [_search(_lines(counts, k), axis, ask=False, doubts=False) for k, axis in enumerate(axes)]
    kept = [
        _named(axes, k, i)
        for k, axis in enumerate(axes)
        for i, label in enumerate(axis)
        if i in found[k].sure or _PART.match(label) or (is_total(label) and len(axis) > 2)
    ]
    doubtful = [_search(_lines(counts, k), axis, ask=True, doubts=True).maybe for k, axis in enumerate(axes)]
    sums = [_named(axes, k, i) for k, one in enumerate(doubtful) for i in sorted(one)]
    sums = [one for one in sums if one not in kept]
    many = len(sums) > 1
    why = f", {'sums' if many else 'a sum'} of others: if {'they are totals' if many else 'it is a total'}, "
    return tuple(
        f"I kept {_and(names)}{words}people in {'it' if len(names) == 1 else 'them'} are counted more than once."
        for words, names in ((": ", kept), (why, sums))
        if names
    )


def _lines(counts: Counts, k: int) -> Counts:
    """Return the counts with a row for each label of axis k."""
    return np.moveaxis(counts, k, 0).reshape(counts.shape[k], -1)


def _search(lines: Counts, axis: Axis, ask: bool, doubts: bool) -> _Found:
    """Find the labels of an axis that are sums of others, the smallest sums first."""
    found = _Found()
    named = np.array([is_total(label) for label in axis])
    parts = np.array([_PART.match(label) is not None for label in axis])
    if named.any() and _add_up(lines, named, ~named):
        found.sure = np.flatnonzero(named).tolist()  # so all the others are categories, whatever else adds up
        return found
    if parts.any() and not parts.all():
        found.parts = np.flatnonzero(parts).tolist()
        if named.any() and _add_up(lines, named, ~named & ~parts):
            found.sure, found.parts = np.flatnonzero(named | parts).tolist(), []
            return found
    if len(lines) < 3:
        return found
    # Lines become one number each, modulo 2^64: where sums of lines agree, so do sums of these numbers.
    weights = np.random.default_rng(1).integers(2**63, size=lines.shape[1], dtype=np.uint64) * np.uint64(2)
    keys = (lines.astype(np.uint64) * (weights + np.uint64(1))).sum(axis=1, dtype=np.uint64)
    people = lines.sum(axis=1)
    bits = np.log2(1.0 + lines).sum(axis=1)
    passed: dict[int, NDArray[np.intp]] = {}
    while (active := np.setdiff1d(np.arange(len(lines)), found.sure)).size >= 3:
        candidate = next(_candidates(keys, lines, people, active, passed), None)
        if candidate is None:
            several = _several(passed, bits) if doubts else {}
            found.maybe |= several if ask else {}
            if ask or not several:
                break
            found.sure += several
            passed = {total: parts for total, parts in passed.items() if total not in several}
            continue
        total, parts, whole = candidate
        chance = 0.0 if whole else 2 * np.log2(len(lines))
        busy = np.count_nonzero(lines[total])
        says = is_total(axis.labels[total]) or _SAYS.search(axis.labels[total]) is not None
        sure = says or bits[total] >= _SURE + chance
        at_end = whole and total in (active[0], active[-1]) and len(parts) > 2
        likely = bits[total] >= _MAYBE + chance and (busy > 1 or at_end)
        names = [axis.labels[part] for part in parts if people[part]]
        if not sure and ((doubts and likely) or _is_made_of(axis.labels[total], names)):
            sure = not ask
            if ask:
                found.maybe[int(total)] = parts.tolist()
        if sure:
            found.sure.append(int(total))
        else:
            passed[int(total)] = parts
    rest = np.ones(len(lines), dtype=np.bool_)
    rest[[*found.sure, *passed, *found.parts]] = False
    if passed and named.any() and _add_up(lines, named, rest & ~named):
        found.sure, found.maybe = [*found.sure, *passed], {}  # only without them the totals agree
    elif named.any() and (one := _too_much(lines, keys, bits, named, rest & ~named)) is not None:
        found.sure.append(one)
    return found


def _too_much(
    lines: Counts,
    keys: NDArray[np.uint64],
    bits: NDArray[np.float64],
    totals: NDArray[np.bool_],
    others: NDArray[np.bool_],
) -> int | None:
    """Return the one label by which the others are more than each of the totals, if it is the sum of two of them.

    Numbers so small that both may be an accident tell nothing.
    """
    excess = lines[others].sum(axis=0) - lines[totals]
    equal = np.flatnonzero(others & (lines == excess[0]).all(axis=1))
    if len(equal) != 1 or not excess.any() or (excess != excess[0]).any():
        return None
    one = int(equal[0])
    rest = others & lines.any(axis=1)
    rest[one] = False
    number = np.count_nonzero(rest)
    if number < 2 or 2 * bits[one] < _MAYBE + np.log2((number + 1) * math.comb(number, 2)):
        return None
    parts, times = np.unique(keys[rest], return_counts=True)
    beside = keys[one] - parts
    pairs = np.isin(beside, parts) & ((beside != parts) | (times > 1))
    return one if pairs.any() else None


def _is_made_of(label: str, parts: Sequence[str]) -> bool:
    """Return whether a label names all of its parts, as "North and East" does."""
    return all(re.search(rf"(?<!\w){re.escape(part)}(?!\w)", label, re.IGNORECASE) for part in parts)


def _several(passed: Mapping[int, NDArray[np.intp]], bits: NDArray[np.float64]) -> dict[int, list[int]]:
    """Return the sums that have no label in common, if they are too many to be an accident all together."""
    taken: set[int] = set()
    apart: dict[int, list[int]] = {}
    for total in sorted(passed, key=lambda one: -bits[one]):
        labels = {total, *passed[total].tolist()}
        if not labels & taken:
            taken |= labels
            apart[total] = passed[total].tolist()
    ways = np.log2((len(bits) - 1) * (len(bits) - 2)) * len(apart) - np.log2(math.factorial(len(apart)))
    return apart if len(apart) > 1 and bits[list(apart)].sum() >= _MAYBE + ways else {}


def _add_up(lines: Counts, totals: NDArray[np.bool_], others: NDArray[np.bool_]) -> bool:
    """Return whether each of the totals is the sum of two or more others."""
    return int(others.sum()) > 1 and bool((lines[totals] == lines[others].sum(axis=0)).all())


def _candidates(
    keys: NDArray[np.uint64],
    lines: Counts,
    people: Counts,
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


def _wrong(
    counts: Counts, axes: Sequence[Axis], kept: list[NDArray[np.bool_]], k: int, inside: bool
) -> list[tuple[tuple[int, int], str]]:
    """Return the dropped totals along axis k that are not the sums, in lines that are (no) totals, and where."""
    across = np.moveaxis(counts, k, 0)
    others = [keep for j, keep in enumerate(kept) if j != k]
    lines = np.ones(across.shape[1:], dtype=np.bool_)
    for j, keep in enumerate(others):
        lines &= keep.reshape([-1 if j == a else 1 for a in range(lines.ndim)])
    lines = lines if inside else ~lines
    sums = across[kept[k]].sum(axis=0)
    found = []
    for i in np.flatnonzero(~kept[k]).tolist():
        if not is_total(axes[k].labels[i]):
            continue  # it was found by adding up
        wrong = np.argwhere((across[i] != sums) & lines)
        if len(wrong):
            line = tuple(wrong[0].tolist())
            off = int(across[(i, *line)] - sums[line])
            left = [axis for j, axis in enumerate(axes) if j != k]
            labels = [axis.labels[j] for axis, j in zip(left, line, strict=True)]
            said = (
                f"{_line(axes, k, left, labels)} sums to {sums[line]:,} but the totals {_named(axes, k, i)} says "
                f"{across[(i, *line)]:,}, {abs(off):,} too {'many' if off > 0 else 'few'}"
            )
            found.append(((k, i), said))
    return found


def _line(axes: Sequence[Axis], k: int, left: Sequence[Axis], labels: Sequence[str]) -> str:
    """Return which line of the table it is, in words, from its labels on the axes but k."""
    if len(axes) == 1:
        return f"Axis {quoted(axes[0].name)}"
    if len(axes) == 2:
        return f"{('Column', 'Row')[k]} {quoted(labels[0])}"
    if len(axes) == 3:
        return ", ".join(
            f"{shortened(a.name)} {quoted(label)}" for a, label in zip(left, labels, strict=True)
        )
    return place(labels, [axis.name for axis in left])


def _named(axes: Sequence[Axis], k: int, i: int) -> str:
    """Return a label of axis k in words: a row or column of a table of two axes, else with its axis."""
    word = ("row", "column")[k] if len(axes) < 3 else shortened(axes[k].name)
    return f"{word} {quoted(axes[k].labels[i])}"


def _notes(dropped: list[str]) -> tuple[str, ...]:
    if not dropped:
        return ()
    return (f"I left out the totals {_and(dropped)}: {'they add' if len(dropped) > 1 else 'it adds'} up.",)


def _and(named: list[str]) -> str:
    """Return the first six in words."""
    shown = named[:6] + ([f"{len(named) - 6} more"] if len(named) > 6 else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
