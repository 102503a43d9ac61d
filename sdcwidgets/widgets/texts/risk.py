"""Disclosure risk in words: formulas with the values of a table, and a summary of the table.

A formula is a list of lines. A line is a list of pieces, and a piece is a text with a role, which sets its colour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.formula_lines import Line, Piece, signed, text_lines
from sdcwidgets._util.labels import PEOPLE, counted, counted_units, shortened, singular
from sdcwidgets.assessment.assessment import TERMS, Assessment, Slices
from sdcwidgets.measures import Batch
from sdcwidgets.measures.risk import R1, R1Star
from sdcwidgets.tables.table import FrequencyTable


@dataclass(frozen=True)
class MeasureRow:
    """One row of a list of measures.

    Attributes
    ----------
    name, value, error : str
        Name, value and standard error of the mean (or of the value); the error is "" if there is none.
    lines : callable
        Returns the formula with the numbers inserted. It is called on request.
    strong : bool
        Whether the row is emphasised.
    mean : str
        Mean over replicates, "" if there is none.
    """

    name: str
    value: str
    error: str
    lines: Callable[[], list[Line]]
    strong: bool = False
    mean: str = ""


class Quantity(NamedTuple):
    """A quantity of a table with a bar.

    Attributes
    ----------
    label, text : str
        Name and value.
    parts : tuple of (share, role)
        Segments of the bar: share of its full length, and the role that sets the colour.
    formula : list of Piece
        Formula of the value with the numbers inserted.
    """

    label: str
    text: str
    parts: tuple[tuple[float, str], ...]
    formula: Line


def reading(label: str, text: str, note: str | Line) -> Quantity:
    """Return a quantity without a bar; `note` is its explanation, as a sentence or a formula."""
    return Quantity(label, text, (), [Piece(note)] if isinstance(note, str) else note)


def changed_cells(before: FrequencyTable, after: FrequencyTable) -> str:
    """Return the change of a count between two tables; "" if no count or an axis changed.

    Examples
    --------
    >>> old = FrequencyTable([[1, 0], [2, 5]], {"Area": ["a", "b"], "Sex": ["m", "f"]})
    >>> changed_cells(old, old.with_counts([[1, 3], [2, 5]]))
    'a, f: 0 → 3'
    """
    if before.axes != after.axes:
        return ""
    where = np.argwhere(before.counts != after.counts)
    if len(where) != 1:
        return f"{len(where):,} counts were changed" if len(where) else ""
    cell = tuple(where[0])
    cell_label = ", ".join(shortened(axis.labels[i]) for axis, i in zip(after.axes, cell, strict=True))
    return f"{cell_label}: {before.counts[cell]:,} → {after.counts[cell]:,}"


def people(count: int, unit: str = "people") -> str:
    """Return a number with its unit, such as "1 person" or "2,449 people".

    Examples
    --------
    >>> people(1), people(20139, "of turnover")
    ('1 person', '20,139 of turnover')
    """
    return counted_units(count, unit)


def difference(number: float, other: float, digits: int = 4) -> float:
    """Return the difference of two rounded numbers, which equals the difference of the numbers as displayed.

    Examples
    --------
    >>> f"{difference(0.23027, 0.16443):.4f}"
    '0.0659'
    """
    return round(round(number, digits) - round(other, digits), digits)


def existence(exists: bool | None) -> str:
    """Return whether a log-linear model has a maximum likelihood estimate; None means that this is not known."""
    if exists is None:
        return "whether a maximum likelihood estimate exists is unknown"
    return (
        "a maximum likelihood estimate exists"
        if exists
        else "no maximum likelihood estimate exists, so its limit is used"
    )


def entropy_of(part: Slices, index: int) -> float:
    """Return the entropy H of one slice, in nats."""
    return float((1 - part.terms[index, 1]) * np.log(part.cells))


def formula(assessment: Assessment, part: Slices, index: int = 0) -> Line:
    """Return the formula of R1 of one slice on one line, with the numbers inserted."""
    return R1.of(assessment.settings).formula(_batch(assessment, part, index))


def explain(assessment: Assessment, part: Slices, index: int = 0) -> list[Line]:
    """Return the formulas of R1 and R1* of one slice, one line per step."""
    batch = _batch(assessment, part, index)
    lines = R1.of(assessment.settings).explain(batch)
    return lines if len(lines) == 1 else [*lines, R1Star.of(assessment.settings).formula(batch)]


def _batch(assessment: Assessment, part: Slices, index: int) -> Batch:
    table = assessment.table
    if part is assessment.whole_slice:
        return Batch(table)
    return Batch(FrequencyTable(np.take(table.counts, index, axis=table.axis(part.name)).ravel()))


def notice(assessment: Assessment) -> str:
    """Return a summary of the most disclosive row, column or slice of a table."""
    whole = assessment.whole_slice
    if np.isnan(whole.r1[0]):
        return "The table is empty, so there is nothing to disclose."
    highest = most_disclosive(assessment)
    if highest is None:
        share = TERMS[int(np.argmax(whole.terms[0] * assessment.settings.weights))].lower()
        empty = _empty_words(int(whole.zeros[0]), assessment.table.unknown_cells, whole.cells)
        return f"The largest part of the table's disclosure risk comes from its {share}: {empty}."
    part, index, kind = highest
    sentences = " ".join(_spread(assessment, part, index))
    return f"{shortened(part.labels[index])} is the {kind} with the highest disclosure risk: {sentences}"


def lead(assessment: Assessment) -> tuple[str, str]:
    """Return the answer of Explore and a reason, which separates attribute disclosure from identity disclosure."""
    risk = f"{assessment.whole_slice.r1[0]:.4f}"
    highest = most_disclosive(assessment)
    if highest is None:
        reason = f"{notice(assessment)} {_identity(assessment)}".strip()
        return f"No row or column stands out. The disclosure risk of the table is {risk}.", reason
    part, index, kind = highest
    spread, _ = _spread(assessment, part, index)
    label = shortened(part.labels[index])
    return (
        f"{label} is the {kind} with the highest risk: {part.r1[index]:.3f} (whole table: {risk}).",
        "The risk ranges from 0 (lowest) to 1. The whole table has the risk for an intruder who does not know the "
        f"{kind}. Attribute disclosure: {spread} {_identity(assessment)}".strip(),
    )


def _identity(assessment: Assessment) -> str:
    """Return the number of small counts of the table, "" if there are none."""
    counts = assessment.table.counts
    small = int(((counts > 0) & (counts <= SMALL)).sum())
    if not small:
        return ""
    return f"Identity disclosure: the table has {counted(small, 'count')} of 1 or 2."


def in_words(assessment: Assessment, part: Slices, index: int = 0) -> tuple[str, ...]:
    """Return sentences on the risk of a slice: its people, the largest term of the risk, and the inference."""
    if np.isnan(part.r1[index]):
        return ("This part of the table is empty, so there is nothing to disclose.",)
    spread, ending = _spread(assessment, part, index)
    weighed = part.terms[index] * assessment.settings.weights
    most = int(np.argmax(weighed))
    return (
        spread[0].upper() + spread[1:],
        f"The largest part of the risk of {part.r1[index]:.3f} comes from {TERMS[most].lower()}: {weighed[most]:.3f}. "
        f"{_WHY[most]}",
        ending,
    )


#: Largest count whose people can be easy to find; the grid frames these counts.
SMALL = 2

#: Reason why each term contributes to the risk.
_WHY = (
    "A zero cell reveals that nobody has this combination of attributes.",
    "The larger the share of people in one cell, the more can be inferred about each of them.",
    "In a small group, each of them is easier to identify.",
)


def _spread(assessment: Assessment, part: Slices, index: int) -> tuple[str, str]:
    """Return how the people of a slice are distributed over its cells, and what membership of the slice reveals."""
    table = assessment.table
    axis = None if part is assessment.whole_slice else table.axis(part.name)
    counts = table.counts if axis is None else np.take(table.counts, index, axis=axis)
    count, largest = int(part.people[index]), int(counts.max())
    zeros = int(part.zeros[index])
    unit = table.unit
    ending = _learnt(float(part.terms[index, 1]), unit)
    if largest == count:
        spread = (
            f"all {people(count, unit)} are in one cell"
            if count > 1
            else f"the only {singular(unit)} of this group is in one cell"
        )
        ending = "Anyone known to be in this group is then known to be in that cell."
    else:
        spread = f"{largest:,} of its {people(count, unit)} are in one cell"
    unknown = table.unknown
    if unknown is not None and axis is not None:
        unknown = np.take(unknown, index, axis=axis)
    number = 0 if unknown is None else int(unknown.sum())
    separator = ", " if number else " and "
    return f"{spread}{separator}{_empty_words(zeros, number, part.cells)}.", ending


def _empty_words(zeros: int, unknown: int, cells: int) -> str:
    """Return how many cells are empty, apart from cells with unknown counts, which are 0 in the table.

    Examples
    --------
    >>> _empty_words(0, 0, 8), _empty_words(2, 0, 8)
    ('no cell is empty', '2 of 8 cells are empty')
    >>> _empty_words(1, 1, 8)
    '1 of 8 counts is unknown, and no other cell is empty'
    >>> _empty_words(3, 2, 8)
    '2 of 8 counts are unknown, and 1 other cell is empty'
    """
    empty = zeros - unknown
    if not unknown:
        return f"{empty} of {cells} cells are empty" if empty else "no cell is empty"
    others = counted(empty, "other cell") if empty else "no other cell"
    return (
        f"{unknown} of {cells} counts {'is' if unknown == 1 else 'are'} unknown, and {others} "
        f"{'is' if empty <= 1 else 'are'} empty"
    )


#: Unevenness, 1 − H/log K, is the share of the uncertainty about a person's cell that is removed by knowing the slice.
#: Below `LITTLE` it is described as little, from `MUCH` on as much.
LITTLE, MUCH = 0.1, 0.4


def _learnt(unevenness: float, unit: str = PEOPLE) -> str:
    """Return how much knowing the slice of a person reveals about the cell.

    >>> _learnt(0.06)
    'The people of this group are spread almost evenly, so membership reveals little.'
    """
    if unevenness < LITTLE:
        how = "evenly" if unevenness < LITTLE / 10 else "almost evenly"
        return f"The {unit} of this group are spread {how}, so membership reveals little."
    return f"Membership reveals {'much' if unevenness >= MUCH else 'something'} about the cell of a {singular(unit)}."


def what_if(assessment: Assessment, step: int) -> tuple[tuple[int, ...] | None, str]:
    """Return the cell in which a change by one lowers the table's risk most, and a sentence about it."""
    change = assessment.change_by_one[step]
    unit = singular(assessment.table.unit)
    words = f"one additional {unit}" if step > 0 else f"one {unit} fewer"
    if np.isnan(change).all():
        return None, f"No cell can have {words}."
    best = tuple(int(i) for i in np.unravel_index(np.nanargmin(change), change.shape))
    label = ", ".join(shortened(axis.labels[i]) for axis, i in zip(assessment.table.axes, best, strict=True))
    value = float(change[best])
    if value >= 0:
        return None, f"No change of one cell by {words} lowers the table's risk."
    ties = int((change <= value + 1e-12).sum()) - 1
    same = ""
    if ties:
        cells = "other cells have" if ties > 1 else "other cell has"
        same = f"; {ties} {cells} the same effect"
    before = float(assessment.whole_slice.r1[0])
    digits = digits_apart(before, before + value)
    return best, (
        f"Largest reduction: {words} in {label} lowers the table's risk from {before:.{digits}f} to "
        f"{before + value:.{digits}f}{same}."
    )


def digits_apart(first: float, second: float, least: int = 4, most: int = 10) -> int:
    """Return the number of decimal places at which two numbers differ, between `least` and `most`.

    Examples
    --------
    >>> digits_apart(0.19261, 0.19262), digits_apart(0.2, 0.3)
    (5, 4)
    """
    enough = (digits for digits in range(least, most) if f"{first:.{digits}f}" != f"{second:.{digits}f}")
    return next(enough, most)


def explain_change(assessment: Assessment, step: int, cell: tuple[int, ...]) -> list[Line]:
    """Return the formulas of the table's risk before and after a change of one cell by one."""
    table = assessment.table
    count = int(table.counts[cell]) + step
    if count < 0:
        return text_lines("The count of this cell is 0 and cannot be reduced.")
    changed = table.with_count(cell, count)
    if changed.total == 0:
        unit = singular(table.unit)
        return text_lines(
            f"Without this {unit}, the table would be empty, and its risk would not be defined."
        )
    after = Assessment.of(changed, assessment.settings)
    difference = float(after.whole_slice.r1[0] - assessment.whole_slice.r1[0])
    return [
        *text_lines(f"Current count, {people(count - step, table.unit)}:"),
        formula(assessment, assessment.whole_slice),
        *text_lines(f"Changed count, {people(count, table.unit)}:"),
        formula(after, after.whole_slice),
        *text_lines(
            f"The difference is {signed(difference, 6)}, or {signed(1e4 * difference, 1)} ten-thousandths."
        ),
    ]


def most_disclosive(assessment: Assessment) -> tuple[Slices, int, str] | None:
    """Return the slice with the highest risk, its index and its kind, along the first axis with a defined risk."""
    kinds = ("row", "column") if assessment.table.ndim == 2 else ("slice",) * assessment.table.ndim
    for part, kind in zip(assessment.slices.values(), kinds, strict=False):
        index = part.highest
        if index is not None:
            return part, index, kind
    return None
