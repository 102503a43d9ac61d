"""Lines of a table with all people, or all but one, in one cell that remain visible in a release.

A line consists of known categories (an area, or an area and an age group) and the cells along another axis. If
all people of a line are in one cell, anyone who knows that a person is in the line can infer the category.
Lines of all margins are checked.

The additional knowledge of respondents is considered in `verdict.respondents`.
"""

from __future__ import annotations

import itertools
from typing import Literal, NamedTuple

import numpy as np

from sdcwidgets._util.arrays import Flags, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.lines import CandidateLines, PublishedNumbers, cells_of
from sdcwidgets.assessment.verdict.respondents import seen_by_respondents
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.core.ranges import cells_within
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.release_intervals import has_keys_of_sums
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of lines in the list, which begins with the fewest people.
MOST_TOLD = 1000

Form = Literal["one-cell", "all-but-one"]


class Line(NamedTuple):
    """A line that discloses a category.

    Attributes
    ----------
    known : tuple of (axis, label)
        Known categories; empty for the whole table.
    learnt : tuple of (axis, label)
        Categories that can be inferred.
    people : int
    sure : bool
        Whether a reader can be certain; otherwise the published table shows it and it is true.
    respondent : tuple of (axis, label)
        Cell of the respondent who can infer where all others of the line are. Empty for an external intruder,
        and for a person who is alone in a cell of the line.
    """

    known: tuple[tuple[str, str], ...]
    learnt: tuple[tuple[str, str], ...]
    people: int
    sure: bool
    respondent: tuple[tuple[str, str], ...] = ()


class Seen(NamedTuple):
    """The first visible lines of a kind, and their total number."""

    lines: tuple[Line, ...]
    number: int


class _Learnt(NamedTuple):
    """Category inferred along one axis of a line."""

    axis: int
    at: int
    people: int
    sure: bool
    respondent: int


def seen(
    true: FrequencyTable,
    release: Release | None,
    form: Form = "one-cell",
    *,
    sure_only: bool = False,
    numbers: PublishedNumbers | None = None,
    closely: bool = True,
) -> Seen:
    """Return the lines with all people (or all but one) in one cell that remain visible in a release.

    Parameters
    ----------
    true : FrequencyTable
        Original counts in the categories of the release.
    release : Release, optional
        Release; default: the original table.
    form : {"one-cell", "all-but-one"}
    sure_only : bool
        Whether only lines of which a reader can be certain count; otherwise also lines that the release shows
        truly.
    numbers : PublishedNumbers, optional
        Constraints known to a reader; default: the published values of the release.
    closely : bool
        Whether to combine all published values; otherwise only the bounds of each cell are used.

    Notes
    -----
    Lines that follow from lines with fewer known categories are not listed: if all people of Area 7 are in
    care, so are those of Area 7 aged 30.

    Examples
    --------
    >>> table = FrequencyTable([[0, 0, 1], [9, 1, 2]], {"Age": ["25", "30"], "Does": ["Work", "Study", "Look"]})
    >>> [(line.known, line.learnt, line.people) for line in seen(table, None).lines][:2]
    [((('Age', '25'),), (('Does', 'Look'),), 1), ((('Does', 'Study'),), (('Age', '30'),), 1)]
    >>> [line.known for line in seen(FrequencyTable([[2, 1], [1, 9]]), None, "all-but-one").lines]
    [(('Row', 'Row 1'),), (('Column', 'Column 1'),), (('Row', 'Row 2'),), (('Column', 'Column 2'),)]
    """
    release = Release.of(true) if release is None else release
    numbers = numbers or PublishedNumbers(release)
    every = _candidates(true, release, form)
    if closely and form == "one-cell":
        _look_closer(true.shape, numbers, every, sure_only=sure_only)
    elif closely:
        whole = _candidates(true, release, "one-cell")
        every = seen_by_respondents(true, numbers, every, whole, sure_only=sure_only)
        if has_keys_of_sums(release):
            # Inference of respondents from sums of keys is not computed, so every such line counts as certain.
            for lines in every:
                lines.sure |= lines.open & (lines.true.sum(axis=-1) > 1)
    learnt: dict[tuple[MarginAxes, tuple[int, ...]], list[_Learnt]] = {}
    flags_of: dict[tuple[MarginAxes, int], Flags] = {}
    for lines in every:
        flags = lines.sure if sure_only else lines.visible | lines.sure
        implied = _implied(flags_of, lines)
        flags_of[lines.known, lines.axis] = flags | implied
        for index in map(tuple, np.argwhere(flags & ~implied).tolist()):
            respondent = int(lines.respondent[index])
            people, sure = int(lines.true[index].sum()), bool(lines.sure[index])
            part = _Learnt(lines.axis, int(lines.at[index]), people, sure, respondent)
            learnt.setdefault((lines.known, index), []).append(part)
    order = sorted(learnt, key=lambda key: (len(key[0]), learnt[key][0].people))
    return Seen(tuple(_line(true, key, learnt[key]) for key in order[:MOST_TOLD]), len(learnt))


def _line(true: FrequencyTable, key: tuple[MarginAxes, tuple[int, ...]], parts: list[_Learnt]) -> Line:
    known = tuple((true.axes[k].name, true.axes[k].labels[i]) for k, i in zip(*key, strict=True))
    # A person alone in a cell takes precedence over a respondent of another cell.
    parts = [part for part in parts if part.respondent == min(part.respondent for part in parts)]
    learnt = tuple(
        (true.axes[part.axis].name, true.axes[part.axis].labels[part.at]) for part in sorted(parts)
    )
    respondent: tuple[tuple[str, str], ...] = ()
    if parts[0].respondent >= 0:
        own = np.unravel_index(parts[0].respondent, true.shape)
        respondent = tuple((axis.name, axis.labels[int(i)]) for axis, i in zip(true.axes, own, strict=True))
    return Line(known, learnt, parts[0].people, any(part.sure for part in parts), respondent)


def _candidates(true: FrequencyTable, release: Release, form: Form) -> list[CandidateLines]:
    """Return all lines of the given form, fewest known categories first, and how they are published."""
    # In weighted counts no value of 1 is known; a person alone in a cell knows this and the published value.
    weighted = true.respondents is not None
    counts, printed = margins((true.respondents or true).counts), margins(release.cells)
    weights = margins(true.counts)
    try:
        _, high = cells_within(release.shape, release.ranges(), sharp=False)
    except ValueError as error:
        raise InputError(str(error)) from None
    tops = margins(high)
    candidates: list[CandidateLines] = []
    full = tuple(range(true.ndim))
    every = range(true.ndim)
    for size in every:
        for known in itertools.combinations(every, size):
            for axis in every:
                if axis in known or counts[full].shape[axis] < 2:
                    continue
                margin = tuple(sorted((*known, axis)))
                turn = margin.index(axis)
                cells = np.moveaxis(counts[margin], turn, -1)
                values = np.moveaxis(release.values.get(margin, printed[margin]), turn, -1)
                top = np.minimum(tops[margin], release.upper.get(margin, np.inf))
                top = np.moveaxis(np.broadcast_to(top, counts[margin].shape), turn, -1)
                at = np.asarray(cells.argmax(axis=-1))
                here = np.arange(cells.shape[-1]) == at[..., None]
                rest = np.where(here, -1, cells)
                alone = np.asarray(rest.argmax(axis=-1))
                filled = np.count_nonzero(cells, axis=-1)
                if form == "one-cell":
                    open_ = filled == 1
                    others = ~here
                    reads = certain = np.ones_like(open_)
                else:
                    # If both counts are 1, each person can infer the other; if one is larger, only the single
                    # person can.
                    open_ = (filled == 2) & (rest.max(axis=-1) == 1)
                    only = np.arange(cells.shape[-1]) == alone[..., None]
                    others = ~here & ~only
                    # If both counts are 1, either person may know that they are alone.
                    ones = (cells == 1) & ~others
                    # Whatever is published, the respondent knows that the own cell has at least this person.
                    readable = ones & (np.where(np.isnan(values), top, values) <= 1)
                    alike = ones & (top == 1)
                    if weighted:
                        readable, alike = (
                            ones & (values > 0),
                            ones & (top == np.moveaxis(weights[margin], turn, -1)),
                        )
                    reads, certain = readable.any(axis=-1), alike.any(axis=-1)
                    first = np.where(certain[..., None], alike, readable)
                    other = (first & here).any(axis=-1) & ~(first & only).any(axis=-1)
                    at, alone = np.where(other, alone, at), np.where(other, at, alone)
                    here = here ^ (other[..., None] & ~others)
                empty = (values == 0) | (np.isnan(values) & (top == 0))
                visible = open_ & reads & (empty | ~others).all(axis=-1) & ~(empty & here).any(axis=-1)
                sure = visible & certain & ((top == 0) | ~others).all(axis=-1)
                nobody = np.full(open_.shape, -1)
                lines = CandidateLines(
                    known, axis, cells, at, alone, np.array(open_), np.array(visible), np.array(sure), nobody
                )
                candidates.append(lines)
    return candidates


def _implied(flags_of: dict[tuple[MarginAxes, int], Flags], lines: CandidateLines) -> Flags:
    """Return which lines follow from a line of the same axis with fewer known categories."""
    implied = np.zeros(lines.open.shape, dtype=bool)
    for k, known in enumerate(lines.known):
        less = flags_of.get((tuple(axis for axis in lines.known if axis != known), lines.axis))
        if less is not None:
            implied |= np.expand_dims(less, k)
    return implied


def _look_closer(
    shape: tuple[int, ...], numbers: PublishedNumbers, every: list[CandidateLines], *, sure_only: bool
) -> None:
    """Mark the lines of which a reader can be certain in view of all published values.

    Lines that are visible are violations anyway; they are only checked if certainty is required.
    """
    sums: list[Whole] = []
    where: list[tuple[CandidateLines, tuple[int, ...]]] = []
    for lines in every:
        wanted = lines.open & ~lines.sure if sure_only else lines.open & ~lines.visible
        for index in map(tuple, np.argwhere(wanted).tolist()):
            where.append((lines, index))
            line = cells_of(shape, lines, index)
            sums.append(np.delete(line, lines.at[index], axis=0).ravel())
    if not sums:
        return
    try:
        known = numbers(sums)
    except ValueError as error:
        raise InputError(str(error)) from None
    for (lines, index), sure in zip(where, known.tolist(), strict=True):
        lines.sure[index] = sure
