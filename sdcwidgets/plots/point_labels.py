"""Labels of points on separate lines, so that labels do not overlap at any width of the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Approximate width of a letter, in pixels.
LETTER = 7.2

#: Height of a line of names, in pixels.
LINE = 18.0

#: Minimum width, in pixels, at which a chart with labels is drawn; the browser omits labels in narrower charts.
NARROW = 440.0

#: Horizontal distance of a name from its dot, in pixels.
SIDEWAYS = 14.0

#: Preferred vertical distance of a name from its dot, in pixels.
BELOW = 22.0


class Anchor(NamedTuple):
    """Position of a point: fraction of the plot width from the left, and pixels from the top."""

    across: float
    down: float


def free_lines(
    wanted: Sequence[float], taken: Sequence[float], height: float, costs: NDArray[np.float64] | None = None
) -> list[float]:
    """Return the upper ends of non-overlapping text lines, in pixels from the top of the plot.

    Parameters
    ----------
    wanted : sequence of float
        Preferred upper end of each line.
    taken : sequence of float
        Upper ends of the lines that are already occupied.
    height : float
        Height of the plot.
    costs : ndarray, shape (len(wanted), int(height - LINE) + 1), optional
        Additional cost of a line at each pixel, in pixels of distance from the preferred position.

    Returns
    -------
    list of float
        One value per preferred position, in the same order, from 0 to height - LINE.

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
    """Return the positions of labels: below left of the point if there is space, otherwise above right.

    Parameters
    ----------
    spots : sequence of Anchor
        Points to be labelled.
    names : sequence of str
        One label per point.
    obstacles : sequence of Anchor
        Points that labels should not cover.
    taken : sequence of float
        Upper ends of the lines that are already occupied, in pixels from the top.
    height : float
        Height of the plot, in pixels.

    Returns
    -------
    list of dict
        For each label the anchor and shift of a plotly annotation, and its `line`, in pixels from the top.
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
            "yshift": spot.down - line - LINE / 2,  # In plotly, positive shifts go up.
            "line": line,
        }
        for spot, is_left, line in zip(spots, to_left, lines, strict=True)
    ]


def ties(names: Sequence[dict[str, Any]], up: float) -> tuple[list[float | None], list[float | None]]:
    """Return the vertical lines from points to their labels, as x and y of one trace with breaks.

    `up` is the length of one pixel in units of the vertical axis.
    """
    x: list[float | None] = []
    y: list[float | None] = []
    for name in names:
        x += [name["x"], name["x"], None]
        y += [name["y"], name["y"] + name["yshift"] * up, None]
    return x, y
