"""Attack on perturbed or rounded counts that are published with the original means.

Source: handbook chapter 5, section 5.7, Tables 5.23 and 5.24.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import Knowledge, as_releases, check_knowledge
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: Maximum number of combinations of counts.
MOST_COMBINATIONS = 5_000_000


class Candidates(NamedTuple):
    """Combinations of true counts within the bounds, and whether they agree with the published means."""

    counts: Whole
    """Counts, shape (combinations, cells)."""
    totals: Whole
    estimates: Floats
    """Count times mean of each cell, shape (combinations, cells)."""
    sums: Floats
    """Sum of the estimates over the cells."""
    margin: Floats
    """Total count times the mean of the total."""
    fits: Flags
    """Whether `sums` and `margin` agree within the rounding error of the means."""


def candidates(release: Release, knowledge: Knowledge) -> Candidates:
    """Return the combinations of true counts within the bounds of a one-way table.

    Parameters
    ----------
    release : Release
        One axis, with its total; each value has bounds.
    knowledge : Knowledge
        With the published mean of each cell and, with the key (), of the total.

    Raises
    ------
    InputError
        If the release has several axes or no total, a mean is missing, or there are more than
        `MOST_COMBINATIONS`.

    Examples
    --------
    Tables 5.23 and 5.24: noise of at most 2, published counts 9 and 14, and total 19.

    >>> from sdcwidgets.tables.axis import Axis
    >>> release = Release([Axis("Cell", ("1", "2"))], {(0,): [9, 14], (): 19}, {(0,): [7, 12], (): 17},
    ...                   {(0,): [11, 16], (): 21})
    >>> known = Knowledge(means={("1",): 11.25, ("2",): 7.9167, (): 9.25})
    >>> found = candidates(release, known)
    >>> found.counts.tolist()
    [[7, 12], [7, 13], [7, 14], [8, 12], [8, 13], [9, 12]]
    >>> found.counts[found.fits].tolist()
    [[8, 12]]
    """
    if release.ndim != 1 or (0,) not in release.values or () not in release.values:
        raise InputError("This attack needs one axis and its total; pass one row of the table.")
    labels = release.axes[0].labels
    missing = [label for label in labels if (label,) not in knowledge.means]
    if missing or () not in knowledge.means:
        raise InputError(
            f"The mean of {missing[0] if missing else 'the total'} is missing; pass one mean per count and "
            "one for the total."
        )
    lower, upper = release.bounds(release.axes[0].name)
    low, high = (float(side) for side in release.bounds())
    lower, upper = np.maximum(np.ceil(lower), 0), np.floor(np.minimum(upper, high))
    if np.isinf(upper).any() or np.prod(np.maximum(upper - lower + 1, 0)) > MOST_COMBINATIONS:
        raise InputError(
            f"There are more than {MOST_COMBINATIONS:,} combinations; use fewer counts or narrower bounds."
        )
    sides = [
        np.arange(least, greatest + 1, dtype=np.int64) for least, greatest in zip(lower, upper, strict=True)
    ]
    counts = np.stack([side.ravel() for side in np.meshgrid(*sides, indexing="ij")], axis=1)
    totals = counts.sum(axis=1)
    counts = counts[(totals >= low) & (totals <= high)]
    totals = counts.sum(axis=1)
    mean = np.array([knowledge.means[(label,)] for label in labels])
    estimates = counts * mean
    sums, margin = estimates.sum(axis=1), totals * knowledge.means[()]
    # Each mean has a rounding error of at most half a unit of its last decimal, multiplied by the number of
    # people.
    slack = totals * 10.0**-knowledge.decimals + 1e-9
    return Candidates(counts, totals, estimates, sums, margin, np.abs(sums - margin) <= slack)


@register("means")
def means(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Find the true counts that agree with the original means.

    Parameters
    ----------
    releases : Release
        One release with one axis, its total, and bounds from the noise distribution.
    knowledge : Knowledge
        The published means; required.

    Returns
    -------
    Finding

    Raises
    ------
    InputError
        If there are no means, or no combination of counts agrees with them.

    References
    ----------
    Handbook chapter 5, section 5.7.

    Examples
    --------
    >>> from sdcwidgets import Axis, Release, attacks
    >>> cells = [Axis("Cell", ("Cell 1", "Cell 2"))]
    >>> low, high = {(0,): [7, 12], (): 17}, {(0,): [11, 16], (): 21}
    >>> release = Release(cells, {(0,): [9, 14], (): 19}, low, high)
    >>> known = attacks.Knowledge(means={("Cell 1",): 11.25, ("Cell 2",): 7.9167, (): 9.25})
    >>> attacks.means(release, known).lower.tolist()
    [8.0, 12.0]
    """
    check_knowledge(knowledge)
    (release,) = as_releases(releases)[:1]
    if knowledge is None or not knowledge.means:
        raise InputError("There are no means to compare with; pass them in Knowledge(means=...).")
    combinations = candidates(release, knowledge)
    if not combinations.fits.any():
        raise InputError("No counts within the bounds agree with the means; check the bounds and the means.")
    fitting = combinations.counts[combinations.fits]
    lower, upper = fitting.min(axis=0).astype(float), fitting.max(axis=0).astype(float)
    before = release.bounds(release.axes[0].name)
    note = (
        f"Of {len(combinations.counts)} combinations within the noise bounds, {len(fitting)} "
        f"{'agrees' if len(fitting) == 1 else 'agree'} with the means."
    )
    return Finding.of("means", release.axes, (lower, upper), before, (), [note])
