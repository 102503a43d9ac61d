"""A release that adds up: its cells and margins adjusted after the fact, and what that costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.additive import adjusted
from sdcwidgets.core.margins import margins
from sdcwidgets.tables.release.base import Release


def made_additive(release: Release, base: int = 1) -> Release:
    """Return the release that adds up and is nearest to this one.

    Each value moves by at most what a note says, so that a reader's bounds are wider by as much. What was right on
    average need not be so any more.

    Parameters
    ----------
    release : Release
    base : int
        What all published values are multiples of; 1 for cell keys.

    Raises
    ------
    InputError
        If there is a gap, a margin is not published, or a value is no multiple of the base.

    Examples
    --------
    >>> import numpy as np
    >>> from sdcwidgets.tables.axis import Axis
    >>> values = {(0,): np.array([5.0, 5.0]), (): np.array(15.0)}
    >>> release = Release.by_value([Axis("Sex", ("f", "m"))], values, lambda v: (v - 4, v + 4))
    >>> found = made_additive(release, base=5)
    >>> found.margin().item(), found.notes[0]
    (10.0, 'Adjusted to add up: each figure was moved by 5 at most.')
    """
    if release.additive and not release.hidden.any():
        return release
    every = margins(np.zeros(release.shape))
    whole = all(
        margin in release.values and not (np.nan_to_num(release.values[margin], nan=0.5) % base).any()
        for margin in every
    )
    if not whole:
        raise InputError(
            f"Only a table with all its margins, without gaps and in multiples of {base}, is adjusted to add up."
        )
    result = adjusted(release.values, base)
    sums = {margin: array.astype(np.float64) for margin, array in margins(result.cells).items()}
    moved = {margin: np.abs(sums[margin] - release.values[margin]) for margin in sums}
    most = max(float(array.max()) for array in moved.values())
    # How many figures moved, and by how much in all, follows from values that are not published. The largest movement
    # is published because the stated intervals need it.
    sentence = f"Adjusted to add up: each figure was moved by {most:,.0f} at most."
    # Every value that a published one may come from is so far away at most, and its truth in its own bounds.
    apart = {
        side: max(float(np.max(np.abs(bound[margin] - release.values[margin]))) for margin in sums)
        for side, bound in (("lower", release.lower), ("upper", release.upper))
    }
    return replace(
        release,
        values=sums,
        lower={margin: np.maximum(array - most - apart["lower"], 0) for margin, array in sums.items()},
        upper={margin: array + most + apart["upper"] for margin, array in sums.items()},
        key_noise=None,
        notes=(sentence, *(note for note in release.notes if "may not add up" not in note)),
    )
