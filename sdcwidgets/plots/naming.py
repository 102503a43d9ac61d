"""Names beside the things that they name: placed so that none covers another, with a line to what is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["named"]

#: The plot is about this large, in pixels; a letter is about this wide, and a line this high.
WIDTH, HEIGHT, LETTER, LINE = 800.0, 370.0, 7.0, 17.0

#: Where a name may stand, as the distance of its middle from what it names; near and above first.
PLACES = [
    (reach * dx, reach * dy)
    for reach in (1.0, 1.6, 2.3, 3.2, 4.4)
    for dx, dy in ((70, -26), (-70, -26), (70, 26), (-70, 26), (0, -34), (0, 34), (95, 0), (-95, 0))
]


def named(
    anchors: Sequence[NDArray[np.float64]],
    texts: Sequence[str],
    colours: Sequence[str],
    kept_free: NDArray[np.float64],
    wide: tuple[float, float],
    high: tuple[float, float],
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
    """
    scale = np.array([WIDTH / (wide[1] - wide[0]), -HEIGHT / (high[1] - high[0])])
    corner = np.array([wide[0], high[1]])
    points = (kept_free - corner) * scale
    taken: list[tuple[float, float, float, float]] = []
    found = []
    for anchor, text, colour in sorted(
        zip(anchors, texts, colours, strict=True), key=lambda one: float(one[0][0])
    ):
        x, y = (anchor - corner) * scale
        half, tall = LETTER * len(text) / 2 + 4, LINE / 2 + 1

        def cost(
            place: tuple[float, float], x: float = x, y: float = y, half: float = half, tall: float = tall
        ) -> float:
            left, right = x + place[0] - half, x + place[0] + half
            top, low = y + place[1] - tall, y + place[1] + tall
            out = max(0.0, -left) + max(0.0, right - WIDTH) + max(0.0, -top) + max(0.0, low - HEIGHT)
            upon = sum(
                max(0.0, min(right, r) - max(left, a)) * max(0.0, min(low, b) - max(top, t))
                for a, r, t, b in taken
            )
            inside = (points[:, 0] > left - 6) & (points[:, 0] < right + 6)
            inside &= (points[:, 1] > top - 6) & (points[:, 1] < low + 6)
            return 50 * out + 5 * upon + 90 * float(inside.sum()) + float(np.hypot(*place))

        dx, dy = min(PLACES, key=cost)
        taken.append((x + dx - half, x + dx + half, y + dy - tall, y + dy + tall))
        found.append(
            {
                "x": float(anchor[0]),
                "y": float(anchor[1]),
                "text": text,
                "ax": dx,
                "ay": dy,
                "showarrow": True,
                "arrowhead": 0,
                "arrowwidth": 1,
                "arrowcolor": colour,
                "standoff": 7,
                "font": {"color": colour, "size": 13},
                "bgcolor": "var(--sdc-card)",
                "borderpad": 1,
            }
        )
    return found
