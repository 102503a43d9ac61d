"""Lines of a table for which a respondent can infer where all others are.

A respondent knows more than an external intruder: the respondent's own cell has at least one person.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.lines import CandidateLines, PublishedNumbers, cells_of
from sdcwidgets.core.respondents import certain_pairs
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of pairs of a respondent and a line that are checked together.
MOST_PAIRS = 5_000_000


class _Question(NamedTuple):
    """A line for which a respondent may be able to infer where all others are."""

    lines: CandidateLines
    position: tuple[int, ...]
    cells: Whole
    """Cells that the respondent must know to contain nobody else."""
    alone: int
    """Cell of the respondent who is the only one in it; -1 if any respondent is considered."""
    turned: bool
    """Whether this is the second of two respondents who are both alone in their cells."""


def seen_by_respondents(
    true: FrequencyTable,
    numbers: PublishedNumbers,
    alone: list[CandidateLines],
    whole: list[CandidateLines],
    *,
    sure_only: bool,
) -> list[CandidateLines]:
    """Return the lines with all people, except at most the respondent, in one cell, if a respondent can infer this.

    Lines with all people in one cell are included even if only a respondent can infer it and an external
    intruder cannot.

    Parameters
    ----------
    true : FrequencyTable
        Original counts in the categories of the release.
    numbers : PublishedNumbers, optional
        Constraints known to a reader; default: the published values of the release.
    sure_only : bool
        Whether only lines of which a reader can be certain count; otherwise also lines that the release shows truly.
    alone : list of CandidateLines
        Lines with one person who is alone in a cell.
    whole : list of CandidateLines
        Lines with all people in one cell.
    """
    people = (true.respondents or true).counts.ravel()
    every, questions = [], list[_Question]()
    for single, full in zip(alone, whole, strict=True):
        every.append(
            CandidateLines(
                single.known,
                single.axis,
                single.true,
                np.where(single.open, single.at, full.at),
                single.alone,
                single.open | full.open,
                single.visible,
                single.sure,
                np.full(single.open.shape, -1),
            )
        )
        done = single.sure if sure_only else single.visible | single.sure
        for index in map(tuple, np.argwhere(single.open & ~done).tolist()):
            line = cells_of(true.shape, single, index)
            ends = [(int(single.at[index]), int(single.alone[index]))]
            if single.true[index][single.at[index]] == 1:
                ends.append(ends[0][::-1])
            for turned, (at, mine) in enumerate(ends):
                own = int(line[mine][people[line[mine]] > 0][0])
                cells = np.delete(line, at, axis=0).ravel()
                questions.append(_Question(every[-1], index, cells, own, bool(turned)))
        done = full.sure if sure_only else full.visible | full.sure
        for index in map(tuple, np.argwhere(full.open & ~done).tolist()):
            line = cells_of(true.shape, full, index)
            cells = np.delete(line, full.at[index], axis=0).ravel()
            questions.append(_Question(every[-1], index, cells, -1, turned=False))
    members = np.flatnonzero(people)
    step = max(1, MOST_PAIRS // (1 + len(members)))
    for first in range(0, len(questions), step):
        _ask(true, numbers, members, questions[first : first + step])
    return every


def _ask(
    true: FrequencyTable, numbers: PublishedNumbers, members: NDArray[np.intp], questions: list[_Question]
) -> None:
    """Find the lines that a respondent can infer; the first of the members is an external intruder."""
    counts, people = true.counts.ravel(), (true.respondents or true).counts.ravel()
    # A respondent alone in a cell of weighted counts knows the whole weight.
    needed = np.where(people == 1, counts, np.minimum(counts, 1))[members]
    rows = [np.zeros(0, dtype=np.int64), *members[:, None]]
    pairs = np.zeros((1 + len(members), len(questions)), dtype=bool)
    for k, question in enumerate(questions):
        if question.alone >= 0:
            pairs[1 + np.searchsorted(members, question.alone), k] = True
            continue
        pairs[:, k] = True
        # The only person of a line learns nothing about others.
        if question.lines.true[question.position].sum() == 1:
            line = cells_of(true.shape, question.lines, question.position)[
                question.lines.at[question.position]
            ]
            pairs[1 + np.flatnonzero(np.isin(members, line)), k] = False
    try:
        certain = certain_pairs(
            numbers.unknowns(),
            numbers.over(rows),
            np.concatenate([[0.0], needed]),
            numbers.over([question.cells for question in questions]),
            np.array([float(counts[question.cells].sum()) for question in questions]),
            pairs,
            counts.astype(np.float64) if numbers.counted else None,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    for k, question in enumerate(questions):
        if not certain[:, k].any() or certain[0, k]:
            continue
        lines, index = question.lines, question.position
        if question.alone < 0:
            lines.respondent[index] = members[int(certain[1:, k].argmax())]
        elif question.turned and not lines.sure[index]:
            lines.at[index], lines.alone[index] = lines.alone[index], lines.at[index]
        lines.sure[index] = True
