"""Find the totals that a table carries inside any of its axes, check that they add up, and leave them out."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.axis import Axis
from sdcwidgets.formats.how import LEFT_OUT, Choice, Question
from sdcwidgets.formats.layout.adding_up import find_sums, is_part, is_total
from sdcwidgets.labels import place, quoted, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

__all__ = ["TOTALS", "kept_totals", "without_totals"]

#: What can be chosen, for one question.
TOTALS = Choice("margins", dict(LEFT_OUT))


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
    found = [find_sums(_lines(counts, k), axis, ask, doubts) for k, axis in enumerate(axes)]
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
    found = [find_sums(_lines(counts, k), axis, ask=False, doubts=False) for k, axis in enumerate(axes)]
    kept = [
        _named(axes, k, i)
        for k, axis in enumerate(axes)
        for i, label in enumerate(axis)
        if i in found[k].sure or is_part(label) or (is_total(label) and len(axis) > 2)
    ]
    doubtful = [
        find_sums(_lines(counts, k), axis, ask=True, doubts=True).maybe for k, axis in enumerate(axes)
    ]
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
