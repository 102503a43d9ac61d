"""Tables by area: the areas whose numbers are too small are hidden, and the rest is released.

Reference: Office for National Statistics, Create a custom dataset (Census 2021), whose rules are asked of each area.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import listed
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.protecting import Prepared
from sdcwidgets.tableserver.rules import Rules, check_areas

HIDDEN = "Not shown (c), since numbers there are too small: {}."


def failing(rules: Rules, table: Prepared) -> list[str | None]:
    """Return for each area of a table the rule that hides it, or None; nothing where areas do not span the table.

    With a method it looks at what would be published, so that a gap tells no more than that.
    """
    if rules.area not in table.query.by:
        return []
    k = table.query.by.index(rules.area)
    counts = np.moveaxis(table.taken, k, 0).reshape(table.taken.shape[k], -1)
    people = counts.sum(axis=1)
    if table.counted is not None and (k,) in table.counted.lower:
        people = table.counted.margin(rules.area).astype(np.int64)
    return check_areas(rules, counts, people)


def without(release: Release, area: str, rules: list[str | None]) -> Release:
    """Return a release without the numbers of the areas that a rule hides.

    Parameters
    ----------
    release : Release
    area : str
        The axis of the areas.
    rules : list of str or None
        The rule that hides each of them, None for none; see `failing`.

    Returns
    -------
    Release
        With nan, and nothing concluded, for each number of a hidden area, and a note that names them.
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
