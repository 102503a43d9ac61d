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
    wanted: Sequence[float],
    taken: Sequence[float],
    height: float,
    costs: NDArray[np.float64] | None = None,
    spans: Sequence[tuple[float, float]] | None = None,
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
    spans : sequence of (float, float), optional
        Left and right end of each text. Texts that do not overlap may share a line; by default none share a line.

    Returns
    -------
    list of float
        One value per preferred position, in the same order, from 0 to height - LINE.

    Examples
    --------
    >>> free_lines([50, 52, 300], [40], 300)
    [58.0, 76.0, 282.0]
    >>> free_lines([50, 50, 50], [], 300, spans=[(0, 2), (1, 3), (4, 5)])
    [50.0, 32.0, 50.0]
    """
    pixels = np.arange(int(height - LINE) + 1, dtype=float)
    lines: list[float] = []
    for k, best in enumerate(wanted):
        cost = np.abs(pixels - best) + (0 if costs is None else costs[k])
        crossing = [
            line for other, line in enumerate(lines) if spans is None or _overlap(spans[k], spans[other])
        ]
        for line in (*taken, *crossing):
            cost += np.where(np.abs(pixels - line) < LINE, 1e6, 0)
        lines.append(float(pixels[int(np.argmin(cost))]))
    return lines


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two intervals overlap."""
    return one[0] < other[1] and other[0] < one[1]


def _span(spot: Anchor, length: float, is_left: bool) -> tuple[float, float]:
    """Return the ends of a label on one side of its point, as fractions of the plot width."""
    return (spot.across - length, spot.across) if is_left else (spot.across, spot.across + length)


def _half(span: tuple[float, float], is_left: bool) -> tuple[float, float]:
    """Return the half of a label that is next to its point; the rest covers points only in narrow charts."""
    middle = (span[0] + span[1]) / 2
    return (middle, span[1]) if is_left else (span[0], middle)


def place_names(
    spots: Sequence[Anchor],
    names: Sequence[str],
    obstacles: Sequence[Anchor],
    taken: Sequence[float],
    height: float,
    width: float | None = None,
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
    width : float, optional
        Minimum width of the plot, in pixels. Labels that do not overlap at this width may share a line, and are
        nearer to their points. By default each label has a line of its own.

    Returns
    -------
    list of dict
        For each label the anchor and shift of a plotly annotation, and its `line`, in pixels from the top.
    """
    least = NARROW if width is None else width
    to_left = [
        spot.across * least > LETTER * len(name) + SIDEWAYS or (width is not None and spot.across > 0.5)
        for spot, name in zip(spots, names, strict=True)
    ]
    wanted = [
        spot.down - LINE / 2 + (BELOW if is_left else -BELOW)
        for spot, is_left in zip(spots, to_left, strict=True)
    ]
    pixels = np.arange(int(height - LINE) + 1, dtype=float)
    costs = np.zeros((len(spots), pixels.size))
    spans = [
        _span(spot, (LETTER * len(name) + SIDEWAYS) / least, is_left)
        for spot, name, is_left in zip(spots, names, to_left, strict=True)
    ]
    for k, (start, end) in enumerate(
        _half(span, is_left) for span, is_left in zip(spans, to_left, strict=True)
    ):
        for dot in obstacles:
            if start < dot.across < end:
                costs[k] += np.where((dot.down > pixels - 6) & (dot.down < pixels + LINE + 6), 25, 0)
    lines = free_lines(wanted, taken, height, costs, None if width is None else spans)
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


#: Positions of short labels around their points, in the order of preference, as steps across and down.
AROUND = {
    "top center": (0, -1),
    "bottom center": (0, 1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
    "top right": (1, -1),
    "bottom right": (1, 1),
    "top left": (-1, -1),
    "bottom left": (-1, 1),
}

#: Half of the width and of the height of a short label, and of a mark, in pixels.
HALF_LABEL, HALF_MARK = (9.0, 9.0), (6.0, 6.0)

#: Number of times that each short label is placed.
ROUNDS = 4

#: Plot widths for which short labels are placed, with the weights of overlaps.
WIDTHS = {600.0: 10, 290.0: 1}


def place_around(spots: Sequence[Anchor]) -> list[str]:
    """Return the position of a short label around each point, so that few labels cover others or points.

    Parameters
    ----------
    spots : sequence of Anchor
        Points: across as fractions of the plot width, and down in pixels.

    Examples
    --------
    >>> place_around([Anchor(0.5, 50), Anchor(0.5, 30), Anchor(0.5, 70)])
    ['middle right', 'top center', 'bottom center']
    """
    centres = {width: np.array([(spot.across * width, spot.down) for spot in spots]) for width in WIDTHS}
    positions: dict[int, str] = {}
    # In later rounds, labels that were placed first give way to labels that have fewer free positions.
    for k in [*range(len(spots))] * ROUNDS:
        others = [(j, AROUND[position]) for j, position in positions.items() if j != k]
        costs = dict.fromkeys(AROUND, 0)
        for width, weight in WIDTHS.items():
            labels = [centres[width][j] + _shift(step) for j, step in others]
            for name, step in AROUND.items():
                costs[name] += weight * _covered(centres[width][k] + _shift(step), centres[width], labels)
        positions[k] = min(costs, key=lambda name: costs[name])
    return [positions[k] for k in range(len(spots))]


def _shift(step: tuple[int, int]) -> Any:
    """Return the distance from a point to the middle of its label, in pixels."""
    return np.array(step) * (np.array(HALF_LABEL) + HALF_MARK)


def _covered(middle: Any, marks: Any, labels: Sequence[Any]) -> int:
    """Return how many marks and labels a label with this middle covers; a label counts twice."""
    number = int((np.abs(marks - middle) < np.add(HALF_LABEL, HALF_MARK) - 0.5).all(axis=1).sum())
    if labels:
        number += 2 * int((np.abs(np.array(labels) - middle) < 2 * np.array(HALF_LABEL)).all(axis=1).sum())
    return number
