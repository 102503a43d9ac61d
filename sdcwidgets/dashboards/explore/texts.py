"""Texts of the page Explore: source, margins of the table, and the risk in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sdcwidgets._util.labels import counted
from sdcwidgets.assessment.assessment import Slices
from sdcwidgets.dashboards.explore.result import ExploreResult
from sdcwidgets.widgets.texts import changed_cells, formula, notice
from sdcwidgets.widgets.texts.narration import Narration

FOOT = "Antal, Shlomo and Elliot 2014, section 2; Antal 2016 (thesis), equations (3.5.2) and (3.5.4)."

#: Primary button for a user's own table, which opens the page Protect.
PROTECT = "Next: protect this table"

#: Link to the next page, which opens the table that is stored in the browser tab.
ONWARD = "Is this risk acceptable? <a href='protect.ipynb'>Open this table in Protect</a>."


def unknown_counts(number: int) -> str:
    """Return a sentence on counts that the file does not contain, "" if there are none.

    Examples
    --------
    >>> unknown_counts(2), unknown_counts(0)
    ('2 counts are not in the file and are read as 0, so this risk is not that of the original table.', '')
    """
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'count')} {verb} not in the file and {verb} read as 0, so this risk is not that of the "
        "original table."
    )


def margin(title: str, part: Slices) -> dict[str, object]:
    """Return the risks of all rows or columns for the margin of a grid."""
    return {"title": title, "values": ["–" if np.isnan(risk) else f"{risk:.3f}" for risk in part.r1]}


def narration(
    result: ExploreResult, before: ExploreResult, explain: Callable[[], tuple[Any, ...]]
) -> Narration:
    """Return the risk of the table in words, and the changed counts since another result.

    Parameters
    ----------
    result : ExploreResult
        The current result.
    before : ExploreResult
        The result before the change.
    explain : callable
        Returns title and content of the explanation that the number opens.
    """
    assessment = result.assessment
    whole = assessment.whole_slice
    parts = (whole.terms[0] * assessment.settings.weights).tolist()
    return Narration(
        f"{whole.r1[0]:.4f}",
        f"Weight-free risk R₁* = {whole.r1_star[0]:.4f}. Select a number to see its computation.",
        notice(assessment),
        formula(assessment, whole),
        list(zip(("zeros", "unevenness", "small size"), parts, strict=True)),
        explain=explain,
        of=result.state,
        cause=changed_cells(before.assessment.table, assessment.table),
    )
