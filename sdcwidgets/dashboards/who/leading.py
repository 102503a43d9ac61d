"""What the lead of the page says: how many ways fit, who moved, and what that keeps hidden."""

from __future__ import annotations

from sdcwidgets._util.labels import and_more
from sdcwidgets.dashboards.who.state import Whereabouts
from sdcwidgets.dashboards.who.texts import cells, dots, how_many


def lead(result: Whereabouts) -> tuple[str, str]:
    """Return the answer to who moved, and what that keeps hidden."""
    ways = how_many(result.size)
    fit = "1 way fits" if ways == "1" else f"{ways} ways fit"
    if result.entropy == 0:
        return f"{fit}, and everyone was in one cell.", "There was nothing to find out even before."
    if not result.state.settings.closest:
        return f"{fit}: anyone may be anywhere.", "So the published table says nothing about anyone."
    if not result.fewest:
        return f"{fit}: nobody had to move.", "Whoever sees the table can take it for the truth."
    left = result.people[0] - result.people[1]
    losing = [name for name, lost in zip(cells(result), left.tolist(), strict=True) if lost > 0]
    kept = f"That keeps {result.unknown:.0%} of what there was to find out hidden."
    whose = (
        "The published table does not say who."
        if result.copies == 1
        else f"Each person counts as {result.copies:,} copies, and the table does not say whose."
    )
    return f"{fit}: {dots(result, result.fewest)} left {and_more(losing, len(losing))}.", f"{whose} {kept}"
