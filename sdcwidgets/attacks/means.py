"""Means published beside perturbed or rounded counts: which true counts fit them all.

Reference: handbook chapter 5, section 5.7, Tables 5.23 and 5.24.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import Knowledge, as_releases
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: More combinations of counts than this are not tried.
MOST_COMBINATIONS = 5_000_000


class Candidates(NamedTuple):
    """Every combination of true counts that the noise allows, and what the means say about it."""

    counts: Whole
    """Shape (combinations, cells)."""
    totals: Whole
    estimates: Floats
    """Count times mean, for each cell."""
    sums: Floats
    """The sum of these."""
    margin: Floats
    """The total times its mean."""
    fits: Flags
    """Whether the two agree, as far as the means' decimals tell."""


def candidates(release: Release, knowledge: Knowledge) -> Candidates:
    """Return the combinations of true counts of one line of a table that the noise allows.

    Parameters
    ----------
    release : Release
        Counts along one axis, and their total, each with its bounds.
    knowledge : Knowledge
        With the published mean of each cell and, under (), of all.

    Raises
    ------
    InputError
        If the release has more than one axis, a mean is missing, or there are too many combinations.

    Examples
    --------
    Tables 5.23 and 5.24: noise of at most 2 on 9, 14 and their total 19.

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
        raise InputError("Means are compared along one axis with its total; take one row of the table.")
    labels = release.axes[0].labels
    missing = [label for label in labels if (label,) not in knowledge.means]
    if missing or () not in knowledge.means:
        raise InputError(
            f"The mean of {missing[0] if missing else 'the total'} is missing; each count needs one."
        )
    lower, upper = release.bounds(*[release.axes[0].name])
    low, high = (float(side) for side in release.bounds())
    lower, upper = np.maximum(np.ceil(lower), 0), np.floor(np.minimum(upper, high))
    if np.isinf(upper).any() or np.prod(np.maximum(upper - lower + 1, 0)) > MOST_COMBINATIONS:
        raise InputError(
            f"There are more than {MOST_COMBINATIONS:,} combinations; take fewer or closer counts."
        )
    sides = [np.arange(a, b + 1, dtype=np.int64) for a, b in zip(lower, upper, strict=True)]
    counts = np.stack([side.ravel() for side in np.meshgrid(*sides, indexing="ij")], axis=1)
    totals = counts.sum(axis=1)
    counts = counts[(totals >= low) & (totals <= high)]
    totals = counts.sum(axis=1)
    mean = np.array([knowledge.means[(label,)] for label in labels])
    estimates = counts * mean
    sums, margin = estimates.sum(axis=1), totals * knowledge.means[()]
    # Each mean may be wrong by half of its last decimal, for each person.
    slack = totals * 10.0**-knowledge.decimals + 1e-9
    return Candidates(counts, totals, estimates, sums, margin, np.abs(sums - margin) <= slack)


@register("means")
def means(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Find true counts behind noise from original means that are published beside them.

    Parameters
    ----------
    releases : Release
        One, of one axis with its total, with bounds that the known noise gives.
    knowledge : Knowledge
        With the means.

    Returns
    -------
    Finding

    Raises
    ------
    InputError
        If there are no means, or no combination of counts fits them.

    References
    ----------
    Handbook chapter 5, section 5.7.
    """
    (release,) = as_releases(releases)[:1]
    if knowledge is None or not knowledge.means:
        raise InputError("There are no means to compare with; say them in the knowledge.")
    combinations = candidates(release, knowledge)
    if not combinations.fits.any():
        raise InputError("No counts within the noise fit the means; the release contradicts itself.")
    fitting = combinations.counts[combinations.fits]
    lower, upper = fitting.min(axis=0).astype(float), fitting.max(axis=0).astype(float)
    before = release.bounds(release.axes[0].name)
    note = (
        f"Of {len(combinations.counts)} combinations that the noise allows, {len(fitting)} "
        f"{'fits' if len(fitting) == 1 else 'fit'} the means."
    )
    return Finding.of("means", release.axes, (lower, upper), before, (), [note])
