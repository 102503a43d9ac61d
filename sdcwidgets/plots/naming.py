"""Names beside the things that they name: placed so that none covers another, with a line to what is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["apart", "named", "ties"]

#: The plot is about this large, in pixels; a letter is about this wide, and a line this high.
WIDTH, HEIGHT, LETTER, LINE = 800.0, 370.0, 7.0, 17.0

#: A line from a name ends so many pixels before the middle of what it names.
GAP = 9.0

#: Where a name may stand, as the distance of its middle from what it names; near and above first.
PLACES = np.array(
    [
        (reach * dx, reach * dy)
        for reach in (1.0, 1.6, 2.3, 3.2, 4.4)
        for dx, dy in ((70, -26), (-70, -26), (70, 26), (-70, 26), (0, -34), (0, 34), (95, 0), (-95, 0))
    ]
)


def named(
    anchors: Sequence[NDArray[np.float64]],
    texts: Sequence[str],
    colours: Sequence[str],
    kept_free: NDArray[np.float64],
    wide: tuple[float, float],
    high: tuple[float, float],
    notes: Sequence[dict[str, Any]] = (),
    avoided: Sequence[NDArray[np.float64] | None] = (),
) -> list[dict[str, Any]]:
    """Return annotations for a plotly layout.

    Parameters
    ----------
    anchors : sequence of (x, y)
        What is named.
    kept_free : ndarray, shape (n, 2)
        Points that no name should cover.
    wide, high : (low, high)
        What the axes reach over.
    notes : sequence of dict
        Annotations that are there before: at the upper or the right edge, or names; no name covers them.
    avoided : sequence of ndarray, shape (2, 2), or None
        For each name two opposite corners of a part of the plot that it keeps out of where there is other room,
        as a name there would tell what is not so.
    """
    corner, scale = _pixels(wide, high)
    points = (kept_free - corner) * scale
    taken = np.array([_box(note, corner, scale) for note in notes]).reshape(-1, 4)
    found = []
    parts = avoided or [None] * len(texts)
    for anchor, text, colour, part in sorted(
        zip(anchors, texts, colours, parts, strict=True), key=lambda one: float(one[0][0])
    ):
        half = np.array([LETTER * len(text) / 2 + 4, LINE / 2 + 1])
        middles = (anchor - corner) * scale + PLACES
        boxes = np.concatenate([middles - half, middles + half], axis=1)
        cost = _cost(boxes, taken, points) + np.hypot(*PLACES.T)
        if part is not None:
            ends = (part - corner) * scale
            cost += 0.5 * _upon(boxes, np.array([[*ends.min(axis=0), *ends.max(axis=0)]])).sum(axis=1)
        best = int(np.argmin(cost))
        taken = np.vstack([taken, boxes[best]])
        dx, dy = PLACES[best].tolist()
        found.append(
            {
                "x": float(anchor[0]),
                "y": float(anchor[1]),
                "text": text,
                "showarrow": False,
                "xanchor": "center",
                "yanchor": "middle",
                "xshift": dx,
                "yshift": -dy,  # plotly shifts upwards
                "font": {"color": colour, "size": 13},
                "bgcolor": "var(--sdc-card)",
                "borderpad": 1,
            }
        )
    return found


def ties(
    names: Sequence[dict[str, Any]], wide: tuple[float, float], high: tuple[float, float]
) -> tuple[list[float | None], list[float | None]]:
    """Return the ends of a line from each name to what it names, as x and y of one trace with breaks.

    Arrows of annotations would say the same; plotly measures each of them on the page, which takes milliseconds.
    """
    _, scale = _pixels(wide, high)
    x: list[float | None] = []
    y: list[float | None] = []
    for name in names:
        away = np.array([name["xshift"], -name["yshift"]])
        near = GAP * away / np.hypot(*away)
        for ends, at, to, unit in zip((x, y), near, away, scale, strict=True):
            start = name["x" if ends is x else "y"]
            ends += [start + float(at / unit), start + float(to / unit), None]
    return x, y


def apart(
    notes: Sequence[dict[str, Any]], wide: tuple[float, float], high: tuple[float, float]
) -> list[dict[str, Any]]:
    """Return annotations with those that would cover an earlier one moved by lines, towards the middle."""
    corner, scale = _pixels(wide, high)
    found: list[dict[str, Any]] = []
    for note in notes:
        taken = np.array([_box(one, corner, scale) for one in found]).reshape(-1, 4)
        box = np.array([_box(note, corner, scale)])
        step = -LINE if box[0, 1] < HEIGHT / 2 else LINE  # plotly shifts upwards
        shift = next(
            by for by in range(len(notes)) if not _upon(box - [0, by * step, 0, by * step], taken).any()
        )
        found.append(note | {"yshift": shift * step} if shift else dict(note))
    return found


def _pixels(
    wide: tuple[float, float], high: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what of the axes is at the upper left, and the pixels that one of their units is."""
    scale = np.array([WIDTH / (wide[1] - wide[0]), -HEIGHT / (high[1] - high[0])])
    return np.array([wide[0], high[1]]), scale


def _box(note: dict[str, Any], corner: NDArray[np.float64], scale: NDArray[np.float64]) -> list[float]:
    """Return where an annotation stands: left, top, right, bottom, in pixels."""
    x, y = (np.array([note["x"], note["y"]]) - corner) * scale
    if "xshift" in note:
        x, y = x + note["xshift"] + LETTER * len(note["text"]) / 2 + 4, y - note["yshift"] - LINE / 2
        return [x - LETTER * len(note["text"]) - 8, y, x, y + LINE]
    right = WIDTH * note["x"] if note.get("xref") == "paper" else x
    upper = HEIGHT * (1 - note["y"]) if note.get("yref") == "paper" else y
    if note.get("yanchor") == "bottom":
        upper -= LINE
    upper -= note.get("yshift", 0)
    return [right - LETTER * len(note["text"]) - 4, upper, right, upper + LINE]


def _cost(
    boxes: NDArray[np.float64], taken: NDArray[np.float64], points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what is bad about a name in each box (left, top, right, bottom): outside, on names, on points."""
    low, high = boxes[:, np.newaxis, :2], boxes[:, np.newaxis, 2:]
    out = np.maximum(-low, 0) + np.maximum(high - (WIDTH, HEIGHT), 0)
    inside = ((points > low - 6) & (points < high + 6)).all(axis=2)
    cost: NDArray[np.float64] = (
        50 * out.sum(axis=(1, 2)) + 5 * _upon(boxes, taken).sum(axis=1) + 90 * inside.sum(axis=1)
    )
    return cost


def _upon(boxes: NDArray[np.float64], taken: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much of each taken box each box covers, in square pixels."""
    low, high = boxes[:, np.newaxis, :2], boxes[:, np.newaxis, 2:]
    covered: NDArray[np.float64] = np.maximum(
        np.minimum(high, taken[:, 2:]) - np.maximum(low, taken[:, :2]), 0
    ).prod(axis=2)
    return covered
