"""Numbers in words: formulas with a table's own values in them, and the one sentence that says what to notice.

A formula is a list of lines, a line a list of pieces, a piece a text and the role that colours it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sdcwidgets._util.labels import counted, shortened
from sdcwidgets._util.lines import Line, Piece, signed, text_lines
from sdcwidgets.assessment.assessment import TERMS, Assessment, Slices
from sdcwidgets.measures import Batch
from sdcwidgets.measures.risk import R1, R1Star
from sdcwidgets.tables.table import FrequencyTable


@dataclass(frozen=True)
class MeasureRow:
    """A number in words.

    Attributes
    ----------
    name, value, error : str
        What it is called, what it is, and the standard error of its mean (or of itself), "" if it has none.
    lines : callable
        Makes the formula that shows how it comes about; called only when somebody asks.
    strong : bool
        Whether it is the one that matters most.
    mean : str
        Its mean over draws, "" where there are none.
    """

    name: str
    value: str
    error: str
    lines: Callable[[], list[Line]]
    strong: bool = False
    mean: str = ""


class Quantity(NamedTuple):
    """A quantity of a table.

    Attributes
    ----------
    label, text : str
        Its name and its value.
    parts : tuple of (share, role)
        The bar: what part of its full length each piece takes, and the role that colours it.
    formula : list of Piece
        How the value comes about, with the numbers put in.
    """

    label: str
    text: str
    parts: tuple[tuple[float, str], ...]
    formula: Line


def reading(label: str, text: str, note: str | Line) -> Quantity:
    """Return a quantity without a bar, with how it comes about in words or as a formula."""
    return Quantity(label, text, (), [Piece(note)] if isinstance(note, str) else note)


def changed_cells(before: FrequencyTable, after: FrequencyTable) -> str:
    """Return which counts of a table were changed, and "" if none was, or it is another table.

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
    """Return "1 person" or "2,449 people", or a number of another unit.

    >>> people(1), people(20139, "of turnover")
    ('1 person', '20,139 of turnover')
    """
    if unit != "people":
        return f"{count:,} {unit}"
    return counted(count, "person", "people")


def difference(number: float, other: float, digits: int = 4) -> float:
    """Return how far apart two numbers are as they are printed, so that a reader who subtracts them finds the same.

    >>> f"{difference(0.23027, 0.16443):.4f}"
    '0.0659'
    """
    return round(round(number, digits) - round(other, digits), digits)


def existence(exists: bool | None) -> str:
    """Return whether a log-linear model has a maximum likelihood estimate; None: not known."""
    if exists is None:
        return "whether an estimate exists is not known"
    return "an estimate exists" if exists else "no maximum likelihood estimate exists; this is its limit"


def entropy_of(part: Slices, index: int) -> float:
    """Return H, in nats, of one slice."""
    return float((1 - part.terms[index, 1]) * np.log(part.cells))


def formula(assessment: Assessment, part: Slices, index: int = 0) -> Line:
    """Return R1 of one slice on one line, with its numbers put in."""
    return R1.of(assessment.settings).formula(_batch(assessment, part, index))


def explain(assessment: Assessment, part: Slices, index: int = 0) -> list[Line]:
    """Return how R1 and R1* of one slice come about, a line a step."""
    batch = _batch(assessment, part, index)
    lines = R1.of(assessment.settings).explain(batch)
    return lines if len(lines) == 1 else [*lines, R1Star.of(assessment.settings).formula(batch)]


def _batch(assessment: Assessment, part: Slices, index: int) -> Batch:
    """Return one slice as a table of its own."""
    table = assessment.table
    if part is assessment.whole:
        return Batch(table)
    return Batch(FrequencyTable(np.take(table.counts, index, axis=table.axis(part.name)).ravel()))


def notice(assessment: Assessment) -> str:
    """Return one or two sentences that say what a person should notice about this table."""
    whole = assessment.whole
    if np.isnan(whole.r1[0]):
        return "Nobody is counted in this table, so there is nothing to disclose."
    highest = most_disclosive(assessment)
    if highest is None:
        share = TERMS[int(np.argmax(whole.terms[0] * assessment.settings.weights))].lower()
        empty = f"{int(whole.zeros[0])} of {whole.cells} cells are empty"
        return f"Most of this table's risk comes from its {share}: {empty}."
    part, index, kind = highest
    sentences = " ".join(_spread(assessment, part, index))
    return f"{shortened(part.labels[index])} is the most disclosive {kind}: {sentences}"


def lead(assessment: Assessment) -> tuple[str, str]:
    """Return whose row, column or slice gives most away, beside the whole table, and what it gives away."""
    risk = f"{assessment.whole.r1[0]:.4f}"
    highest = most_disclosive(assessment)
    if highest is None:
        return f"Nobody stands out: the table’s risk is {risk}.", notice(assessment)
    part, index, _ = highest
    spread, _ = _spread(assessment, part, index)
    label = shortened(part.labels[index])
    return f"Whoever is in {label}: risk {part.r1[index]:.3f}, the table {risk}.", spread[0].upper() + spread[
        1:
    ]


def in_words(assessment: Assessment, part: Slices, index: int = 0) -> tuple[str, ...]:
    """Return the risk of a slice in sentences, without a formula: its people, what one learns, where it comes from."""
    if np.isnan(part.r1[index]):
        return ("Nobody is counted there, so there is nothing to disclose.",)
    spread, ending = _spread(assessment, part, index)
    weighed = part.terms[index] * assessment.settings.weights
    most = int(np.argmax(weighed))
    return (
        spread[0].upper() + spread[1:],
        f"Of the risk, {part.r1[index]:.3f}, most comes from {TERMS[most].lower()}: {weighed[most]:.3f}. {_WHY[most]}",
        ending,
    )


#: Why each part of the risk is a risk.
_WHY = (
    "Where nobody is, everyone is known not to be.",
    "The more people share one cell, the more one knows of each.",
    "Among few people each one stands out.",
)


def _spread(assessment: Assessment, part: Slices, index: int) -> tuple[str, str]:
    """Return how the people of a slice are spread over its cells, and what belonging to it tells."""
    table = assessment.table
    axis = None if part is assessment.whole else table.axis(part.name)
    counts = table.counts if axis is None else np.take(table.counts, index, axis=axis)
    count, largest = int(part.people[index]), int(counts.max())
    zeros = int(part.zeros[index])
    ending = _learnt(float(part.terms[index, 1]))
    if largest == count:
        spread = (
            f"all {people(count)} are in one cell" if count > 1 else "the only person there is in one cell"
        )
        ending = "Whoever knows that someone is there learns everything."
    else:
        spread = f"{largest:,} of its {people(count)} are in one cell"
    empty_words = "no cell is empty" if zeros == 0 else f"{zeros} of {part.cells} cells are empty"
    return f"{spread} and {empty_words}.", ending


#: Unevenness, 1 − H/log K, is the share of all that there is to know of a person's cell that belonging to the slice
#: tells already: below a tenth of it is little, from two fifths on it is much.
LITTLE, MUCH = 0.1, 0.4


def _learnt(unevenness: float) -> str:
    """Return what knowing that someone is in a slice tells.

    >>> _learnt(0.06)
    'Its people are spread almost evenly, so belonging to it tells little.'
    """
    if unevenness < LITTLE:
        how = "evenly" if unevenness < LITTLE / 10 else "almost evenly"
        return f"Its people are spread {how}, so belonging to it tells little."
    return f"Whoever knows that someone is there learns {'much' if unevenness >= MUCH else 'something'}."


def what_if(assessment: Assessment, step: int) -> tuple[tuple[int, ...] | None, str]:
    """Return the cell whose change by one lowers the table's risk most, and a sentence about it."""
    change = assessment.change_by_one[step]
    words = "one more person" if step > 0 else "one person fewer"
    if np.isnan(change).all():
        return None, f"No cell can be counted with {words}."
    best = tuple(int(i) for i in np.unravel_index(np.nanargmin(change), change.shape))
    label = ", ".join(shortened(axis.labels[i]) for axis, i in zip(assessment.table.axes, best, strict=True))
    value = float(change[best])
    if value >= 0:
        return None, f"No cell lowers the table's risk when {words} is counted there."
    ties = int((change <= value + 1e-12).sum()) - 1
    same = f", and the same in {ties} other cell{'s' if ties > 1 else ''}" if ties else ""
    before = float(assessment.whole.r1[0])
    digits = digits_apart(before, before + value)
    return best, (
        f"Best: {words} in {label} lowers the table's risk from {before:.{digits}f} to "
        f"{before + value:.{digits}f}{same}."
    )


def digits_apart(first: float, second: float, least: int = 4, most: int = 10) -> int:
    """Return how many digits after the point tell two numbers apart.

    >>> digits_apart(0.19261, 0.19262), digits_apart(0.2, 0.3)
    (5, 4)
    """
    enough = (digits for digits in range(least, most) if f"{first:.{digits}f}" != f"{second:.{digits}f}")
    return next(enough, most)


def explain_change(assessment: Assessment, step: int, cell: tuple[int, ...]) -> list[Line]:
    """Return what the table's risk is before and after one cell is changed by one."""
    table = assessment.table
    count = int(table.counts[cell]) + step
    if count < 0:
        return text_lines("Nobody is counted there, so nobody can be taken away.")
    changed = table.with_count(cell, count)
    if changed.total == 0:
        return text_lines("The table would be empty, so there would be no risk to measure.")
    after = Assessment.of(changed, assessment.settings)
    difference = float(after.whole.r1[0] - assessment.whole.r1[0])
    return [
        *text_lines(f"With {people(count - step)} there, as it is:"),
        formula(assessment, assessment.whole),
        *text_lines(f"With {people(count)}:"),
        formula(after, after.whole),
        *text_lines(
            f"The difference is {signed(difference, 6)}, in ten-thousandths {signed(1e4 * difference, 1)}."
        ),
    ]


def most_disclosive(assessment: Assessment) -> tuple[Slices, int, str] | None:
    """Return the slice with the highest risk along the first axis that has one: it, its place and its kind."""
    kinds = ("row", "column") if assessment.table.ndim == 2 else ("slice",) * assessment.table.ndim
    for part, kind in zip(assessment.slices.values(), kinds, strict=False):
        if (index := part.highest) is not None:
            return part, index, kind
    return None
