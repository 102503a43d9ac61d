"""Names beside the dots that they name: each on a line of its own, so that none covers another at any width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: A letter is about this wide, and a line of names this high, in pixels.
LETTER, LINE = 7.2, 18.0

#: A plot with names is at least about this wide, in pixels; in a narrower one the browser leaves them out.
NARROW = 440.0

#: A name begins so many pixels beside the dot, and its line would best be so many below it.
ASIDE, BELOW = 14.0, 22.0


class Anchor(NamedTuple):
    """Where a dot is: parts of the plot's width from its left, pixels from its top."""

    across: float
    down: float


def lines_of_their_own(
    wanted: Sequence[float], taken: Sequence[float], height: float, costs: NDArray[np.float64] | None = None
) -> list[float]:
    """Return the upper ends of lines of text, in pixels from the top, no two of which overlap.

    Parameters
    ----------
    wanted : sequence of float
        Where each would best be.
    taken : sequence of float
        Lines that are there before.
    height : float
        Of the plot.
    costs : ndarray, shape (len(wanted), int(height - LINE) + 1), optional
        What else is bad about a line at each pixel, in pixels that one would go to avoid it.

    Returns
    -------
    list of float
        One for each wanted place, in their order, from 0 to height - LINE.

    Examples
    --------
    >>> lines_of_their_own([50, 52, 300], [40], 300)
    [58.0, 76.0, 282.0]
    """
    places = np.arange(int(height - LINE) + 1, dtype=float)
    used, found = list(taken), []
    for k, best in enumerate(wanted):
        cost = np.abs(places - best) + (0 if costs is None else costs[k])
        for one in used:
            cost += np.where(np.abs(places - one) < LINE, 1e6, 0)
        found.append(float(places[int(np.argmin(cost))]))
        used.append(found[-1])
    return found


def beside(
    spots: Sequence[Anchor],
    names: Sequence[str],
    kept_free: Sequence[Anchor],
    taken: Sequence[float],
    height: float,
) -> list[dict[str, Any]]:
    """Return where the name of each dot stands: below at its left where there is room, or else at its right, above.

    Parameters
    ----------
    spots : sequence of Anchor
        The dots.
    names : sequence of str
        One for each.
    kept_free : sequence of Anchor
        Dots that a name goes out of the way for.
    taken : sequence of float
        Lines that are there before, in pixels from the top.
    height : float
        Of the plot, in pixels.

    Returns
    -------
    list of dict
        Of each name the anchor and the shift of an annotation of plotly, and its `line`, in pixels from the top.
    """
    lefts = [
        spot.across * NARROW > LETTER * len(name) + ASIDE for spot, name in zip(spots, names, strict=True)
    ]
    wanted = [
        spot.down - LINE / 2 + (BELOW if left else -BELOW) for spot, left in zip(spots, lefts, strict=True)
    ]
    places = np.arange(int(height - LINE) + 1, dtype=float)
    costs = np.zeros((len(spots), places.size))
    for k, (spot, name, left) in enumerate(zip(spots, names, lefts, strict=True)):
        long = (LETTER * len(name) + ASIDE) / (2 * NARROW)
        start, end = (spot.across - long, spot.across) if left else (spot.across, spot.across + long)
        for one in kept_free:
            if start < one.across < end:
                costs[k] += np.where((one.down > places - 6) & (one.down < places + LINE + 6), 25, 0)
    lines = lines_of_their_own(wanted, taken, height, costs)
    return [
        {
            "xanchor": "right" if left else "left",
            "xshift": -ASIDE if left else ASIDE,
            "yshift": spot.down - line - LINE / 2,  # plotly shifts upwards
            "line": line,
        }
        for spot, left, line in zip(spots, lefts, lines, strict=True)
    ]


def ties(names: Sequence[dict[str, Any]], up: float) -> tuple[list[float | None], list[float | None]]:
    """Return a line from each dot to the height of its name, as x and y of one trace with breaks.

    `up` is how much of the axis upwards a pixel is.
    """
    x: list[float | None] = []
    y: list[float | None] = []
    for name in names:
        x += [name["x"], name["x"], None]
        y += [name["y"], name["y"] + name["yshift"] * up, None]
    return x, y
