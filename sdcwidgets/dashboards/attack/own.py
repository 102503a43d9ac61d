"""The case of one's own table: small counts are left out, and the intruder looks for one of them."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

import numpy as np

from sdcwidgets._util.arrays import Flags
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets.attacks import TablePlacement
from sdcwidgets.dashboards.attack.case import Case, noisy, rounded
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.hiding import ThresholdSuppression
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.studies.base import SMALLER

#: A table of more cells is not attacked by hand.
MOST_CELLS = 400

#: Counts from 1 to below this are left out.
SMALL = 3

PROTECTIONS = {
    "published": "Small counts left out",
    "rounded": "Rounded to base 5",
    "noise": "Noise tied to the cell",
    "secondary": "Other counts left out too",
}


@lru_cache(maxsize=8)
def own_case(table: FrequencyTable, title: str = "", intruder: str = "external") -> Case:
    """Return the case of a table; sums of every set of its axes are published.

    Wanted is the first small count that a machine finds if small counts alone are left out, or the first small
    count if it finds none. `title` is what a refusal calls the table. The intruder is "external", or a "respondent"
    who knows that the own cell holds at least one person.

    Raises
    ------
    InputError
        If the table is too large to point at, or has no small count.

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
            f"{named} shows {table.cells:,} cells; at most {MOST_CELLS} are attacked by hand. {SMALLER}"
        )
    if not small.any():
        raise InputError("This table has no count of one or two, so there is nobody to find in it.")
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
    with suppress(InputError):  # else no pattern of gaps protects this table, and none is offered
        publish["secondary"] = ((placement, CellSuppression(threshold=SMALL).release(table, rng)),)
    hidden = int(small.sum())
    own = _own_cell(table, tuple(at), np.isnan(left_out.cells)) if intruder == "respondent" else ()
    inside = f" You are counted in “{', '.join(own)}”, so at least one person is there." if own else ""
    return Case(
        "Your own table",
        "Your table; the counts in it are the agency’s truth",
        f"{hidden} {'count' if hidden == 1 else 'counts'} of one or two in your table {'is' if hidden == 1 else 'are'} "
        f"left out, totals below three too; all else is in print.{inside}",
        f"How many people are in “{', '.join(target)}”?",
        "suppression",
        table,
        (target,),
        ("1", "2", "3 or more"),
        str(int(table.counts[tuple(at)])),
        (
            "Look for a row or a column with one gap only."
            if table.ndim == 2
            else "Look for a sum with one gap only: along a row, or over one of the axes that go down.",
            "Press its total, and then all that is in print beside the gap.",
        ),
        {name: title for name, title in PROTECTIONS.items() if name in publish},
        publish,
        own=own,
    )


def _own_cell(table: FrequencyTable, target: tuple[int, ...], hidden: Flags) -> tuple[str, ...]:
    """Return the cell of a respondent: not the wanted one, if possible suppressed and in a line with it."""
    occupied = [tuple(at) for at in np.argwhere(table.counts).tolist() if tuple(at) != target]
    if not occupied:
        return ()

    def distance(at: tuple[int, ...]) -> tuple[bool, int]:
        return not hidden[at], sum(i != k for i, k in zip(at, target, strict=True))

    own = min(occupied, key=distance)
    return tuple(axis.labels[i] for axis, i in zip(table.axes, own, strict=True))
