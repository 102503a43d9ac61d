"""Tables by area: areas that fail a rule are suppressed, and the other areas are released.

Reference: Office for National Statistics, Create a custom dataset (Census 2021). Its rules apply to each area.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import listed
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.protecting import Prepared
from sdcwidgets.tableserver.rules import Rules, check_areas

HIDDEN = "Suppressed areas (c), because their numbers are too small: {}."


def failing(rules: Rules, table: Prepared) -> list[str | None]:
    """Return the rule that suppresses each area, or None for an area that passes all rules.

    The list is empty if the area variable is not an axis of the table. With a method, the rules are applied to the
    protected counts, so that a suppressed area discloses nothing about the original counts.
    """
    if rules.area not in table.query.by:
        return []
    k = table.query.by.index(rules.area)
    counts = np.moveaxis(table.taken, k, 0).reshape(table.taken.shape[k], -1)
    people = counts.sum(axis=1)
    if table.counted is not None and (k,) in table.counted.lower:
        people = table.counted.marginal(rules.area).astype(np.int64)
    return check_areas(rules, counts, people)


def without(release: Release, area: str, rules: list[str | None]) -> Release:
    """Return a release in which the failing areas are suppressed.

    Parameters
    ----------
    release : Release
    area : str
        The axis of the areas.
    rules : list of str or None
        The rule that suppresses each area, or None; see `failing`.

    Returns
    -------
    Release
        Values of suppressed areas are nan, with bounds from 0 to infinity; a footnote names these areas.
    """
    k = release.axis(area)
    gone = np.array([rule is not None for rule in rules])

    def part(
        arrays: dict[MarginAxes, NDArray[np.float64]], instead: float
    ) -> dict[MarginAxes, NDArray[np.float64]]:
        hidden = {margin: np.array(array, dtype=np.float64) for margin, array in arrays.items()}
        for margin, array in hidden.items():
            if k in margin:
                np.moveaxis(array, margin.index(k), 0)[gone] = instead
        return hidden

    hidden = listed([label for label, out in zip(release.axes[k].labels, gone, strict=True) if out])
    return Release(
        release.axes,
        part(dict(release.values), np.nan),
        part(dict(release.lower), 0.0),
        part(dict(release.upper), np.inf),
        notes=(*release.notes, HIDDEN.format(hidden)),
    )
