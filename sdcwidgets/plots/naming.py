"""Names beside the dots that they name: each on a line of its own, so that none covers another at any width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Approximate width of a letter, in pixels.
LETTER = 7.2

#: Height of a line of names, in pixels.
LINE = 18.0

#: A plot with names is at least about this wide, in pixels; in a narrower one the browser leaves them out.
NARROW = 440.0

#: Horizontal distance of a name from its dot, in pixels.
SIDEWAYS = 14.0

#: Preferred vertical distance of a name from its dot, in pixels.
BELOW = 22.0


class Anchor(NamedTuple):
    """Where a dot is: parts of the plot's width from its left, pixels from its top."""

    across: float
    down: float


def free_lines(
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
    >>> free_lines([50, 52, 300], [40], 300)
    [58.0, 76.0, 282.0]
    """
    pixels = np.arange(int(height - LINE) + 1, dtype=float)
    lines: list[float] = []
    for k, best in enumerate(wanted):
        cost = np.abs(pixels - best) + (0 if costs is None else costs[k])
        for line in (*taken, *lines):
            cost += np.where(np.abs(pixels - line) < LINE, 1e6, 0)
        lines.append(float(pixels[int(np.argmin(cost))]))
    return lines


def place_names(
    spots: Sequence[Anchor],
    names: Sequence[str],
    obstacles: Sequence[Anchor],
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
    obstacles : sequence of Anchor
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
    to_left = [
        spot.across * NARROW > LETTER * len(name) + SIDEWAYS for spot, name in zip(spots, names, strict=True)
    ]
    wanted = [
        spot.down - LINE / 2 + (BELOW if is_left else -BELOW)
        for spot, is_left in zip(spots, to_left, strict=True)
    ]
    pixels = np.arange(int(height - LINE) + 1, dtype=float)
    costs = np.zeros((len(spots), pixels.size))
    for k, (spot, name, is_left) in enumerate(zip(spots, names, to_left, strict=True)):
        width = (LETTER * len(name) + SIDEWAYS) / (2 * NARROW)
        start = spot.across - width if is_left else spot.across
        end = start + width
        for dot in obstacles:
            if start < dot.across < end:
                costs[k] += np.where((dot.down > pixels - 6) & (dot.down < pixels + LINE + 6), 25, 0)
    lines = free_lines(wanted, taken, height, costs)
    return [
        {
            "xanchor": "right" if is_left else "left",
            "xshift": -SIDEWAYS if is_left else SIDEWAYS,
            "yshift": spot.down - line - LINE / 2,  # plotly shifts upwards
            "line": line,
        }
        for spot, is_left, line in zip(spots, to_left, lines, strict=True)
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
