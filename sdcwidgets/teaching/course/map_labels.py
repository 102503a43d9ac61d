"""Places of the labels beside the dots of a map of solutions, so that labels do not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

#: Width of a letter and height of a line in units of the map, whose labels have the size 29.
LETTER, LINE = 16.0, 29.0

#: Horizontal limits of the drawing, and vertical limits of labels.
_X_LIMITS, _Y_LIMITS = (-60.0, 760.0), (-14.0, 262.0)

#: Left, upper, right and lower end.
_Box = tuple[float, float, float, float]


class MapLabel(NamedTuple):
    """Text beside a dot, with the end of the text that is at x: "start" or "end"."""

    x: float
    y: float
    anchor: str
    text: str


def labels(dots: Sequence[tuple[float, float, float, str]]) -> list[MapLabel | None]:
    """Return the labels of dots, given as x, y, radius and text; None if there is no space for a label.

    Examples
    --------
    >>> [label.anchor for label in labels([(100, 100, 7, "bear"), (103, 101, 7, "beaver")])]
    ['start', 'end']
    """
    placed: list[MapLabel] = []
    result: list[MapLabel | None] = []
    for x, y, radius, text in dots:
        candidates = (
            MapLabel(x + sign * (radius + 4), y + 9 + lines * LINE, anchor, text)
            for lines in (0, -0.5, 0.5, -1, 1, -1.5, 1.5)
            for sign, anchor in ((1, "start"), (-1, "end"))
        )
        free = [
            label for label in candidates if _is_inside(label) and not _overlaps(label, map(_box, placed))
        ]
        # A label may cover another dot only if there is no other space.
        circles = [(a - r, b - r, a + r, b + r) for a, b, r, _ in dots if (a, b) != (x, y)]
        label = next((label for label in free if not _overlaps(label, circles)), free[0] if free else None)
        result.append(label)
        if label is not None:
            placed.append(label)
    return result


def _box(label: MapLabel) -> _Box:
    width = LETTER * len(label.text)
    start = label.x - (width if label.anchor == "end" else 0)
    return start, label.y - LINE, start + width, label.y


def _is_inside(label: MapLabel) -> bool:
    start, top, end, bottom = _box(label)
    is_within = start >= _X_LIMITS[0] and end <= _X_LIMITS[1]
    return is_within and top >= _Y_LIMITS[0] and bottom <= _Y_LIMITS[1]


def _overlaps(label: MapLabel, boxes: Iterable[_Box]) -> bool:
    start, top, end, bottom = _box(label)
    return any(start < box[2] and box[0] < end and top < box[3] and box[1] < bottom for box in boxes)
