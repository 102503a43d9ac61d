"""Find the totals that a table carries inside any of its axes, check that they add up, and leave them out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.labels import and_more, cell_name, quoted, shortened
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.adding_up import AxisSums, find_sums, is_part, is_total
from sdcwidgets.tables.io.layout.sheet import Decisions
from sdcwidgets.tables.io.options import choice_of
from sdcwidgets.tables.io.questions import Doubt, doubt
from sdcwidgets.tables.io.questions import ask as ask_first

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Whole


#: What can be chosen, for one question.
TOTALS = choice_of("margins")


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
        yield doubt("sum", TOTALS, line=_begun(axes, k, i), parts=and_more(parts, 3))
    for i, (before, run) in sums.again.items():
        those, parts = ([quoted(axes[k].labels[part]) for part in some] for some in (before, run[1:]))
        yield doubt(
            "again", TOTALS, line=_begun(axes, k, i), parts=and_more(parts, 3), before=and_more(those, 3)
        )
    for i in sums.parts:
        over = sums.under.get(i)
        if over is not None and not is_part(axes[k].labels[i]):
            yield doubt("indented", TOTALS, line=_begun(axes, k, i), over=quoted(axes[k].labels[over]))
        else:
            yield doubt("part", TOTALS, line=_begun(axes, k, i))
    for i in sums.claimed:
        yield doubt("all", TOTALS, line=_begun(axes, k, i))


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


def _begun(axes: Sequence[Axis], k: int, i: int) -> str:
    """Return a label in words at the beginning of a sentence."""
    named = _named(axes, k, i)
    return f"{named[0].upper()}{named[1:]}"
