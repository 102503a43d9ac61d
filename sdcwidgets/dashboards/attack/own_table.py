"""The case of the user's table: small counts are suppressed, and the question asks for one of them."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Flags
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import counted, quoted
from sdcwidgets.attacks import TablePlacement
from sdcwidgets.dashboards.attack.case import Case, noisy, rounded
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.threshold_suppression import ThresholdSuppression
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.table_state import SMALLER

#: Maximum number of cells of a table on the page.
MOST_CELLS = 400

#: Counts from 1 to below this value are suppressed.
SMALL = 3

PROTECTIONS = {
    "published": "Suppression of small counts",
    "rounded": "Rounded to base 5",
    "noise": "Noise by cell",
    "secondary": "Secondary suppression",
}


@lru_cache(maxsize=8)
def own_case(table: FrequencyTable, title: str = "", intruder: str = "external") -> Case:
    """Return the case of a table; the totals over every subset of its axes are published.

    The question asks for the first small count that an automated attack determines if only small counts are
    suppressed, or for the first small count if there is none. `title` is the name of the table in error messages.
    The intruder is "external", or a "respondent" who knows that the own cell has at least one person.

    Raises
    ------
    InputError
        If the table has too many cells, or no small count.

    Examples
    --------
    The handbook's Table 5.1: one single woman.

    >>> from sdcwidgets.tables import examples
    >>> case = own_case(examples.load("handbook-5-1"))
    >>> case.targets, case.right
    ((('Single', 'Female'),), '1')
    >>> own_case(FrequencyTable([[1, 1, 7], [8, 9, 6]]), intruder="respondent").own
    ('Row 1', 'Column 2')
    """
    small = (table.counts > 0) & (table.counts < SMALL)
    if table.cells > MOST_CELLS:
        named = quoted(title) if title else "This table"
        raise InputError(
            f"{named} has {table.cells:,} cells; the page accepts at most {MOST_CELLS}. {SMALLER}"
        )
    if not small.any():
        raise InputError("This table has no small count (1 or 2), so there is nothing to attack.")
    rng = np.random.default_rng(1)
    left_out = ThresholdSuppression(threshold=SMALL).release(table, rng)
    lower, upper = left_out.cell_bounds()
    recalculable = (lower == upper) & small
    at = np.argwhere(recalculable if recalculable.any() else small)[0]
    target = tuple(axis.labels[int(i)] for axis, i in zip(table.axes, at, strict=True))
    placement, whole = TablePlacement("Your table"), Release.of(table)
    publish = {
        "published": ((placement, left_out),),
        "rounded": ((placement, rounded(whole, 5)),),
        "noise": noisy(((placement, whole),), table),
    }
    with suppress(InputError):  # omitted if no suppression pattern protects this table
        publish["secondary"] = ((placement, CellSuppression(threshold=SMALL).release(table, rng)),)
    hidden = int(small.sum())
    own = _own_cell(table, tuple(at), np.isnan(left_out.cells)) if intruder == "respondent" else ()
    inside = (
        f" You are counted in the cell “{', '.join(own)}”, so this cell has at least one person."
        if own
        else ""
    )
    return Case(
        "Your own table",
        "Your table; the page uses its counts as the original counts of the agency",
        f"The agency suppressed {counted(hidden, 'small count')} (1 or 2) of your table, and all totals below 3. All "
        f"other counts are published.{inside}",
        f"How many people are in “{', '.join(target)}”?",
        "suppression",
        table,
        (target,),
        ("1", "2", "3 or more"),
        str(int(table.counts[tuple(at)])),
        (
            "Look for a row or a column with only one suppressed cell."
            if table.ndim == 2
            else "Look for a total with only one suppressed cell: the total of a row, or a total over one axis.",
            "Select its total, and then all published numbers of the same row or column.",
        ),
        {name: title for name, title in PROTECTIONS.items() if name in publish},
        publish,
        own=own,
    )


def _own_cell(table: FrequencyTable, target: tuple[int, ...], hidden: Flags) -> tuple[str, ...]:
    """Return the cell of a respondent: not the one of the question, preferably suppressed and in the same line."""
    occupied = [tuple(at) for at in np.argwhere(table.counts).tolist() if tuple(at) != target]
    if not occupied:
        return ()

    def distance(at: tuple[int, ...]) -> tuple[bool, int]:
        return not hidden[at], sum(i != k for i, k in zip(at, target, strict=True))

    own = min(occupied, key=distance)
    return tuple(axis.labels[i] for axis, i in zip(table.axes, own, strict=True))
