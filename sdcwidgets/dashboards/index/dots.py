"""The people of the story as dots, sorted by age until one person is left, and scattered again by rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from html import escape

from sdcwidgets.dashboards.story import ANNA, VILLAGE
from sdcwidgets.methods.protecting import protect
from sdcwidgets.tables.release import Release

#: Size of the picture in pixels.
WIDTH, HEIGHT = 560, 104

#: Vertical position of the labels of the age groups, in pixels.
LABELS = 96

#: Vertical position of the rings in Anna's group, and of the middle of the rounded groups, in pixels.
RINGS = 36

#: Angle between two dots of a spiral that fills a disc evenly, in radians.
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))

#: A step between the dots of a spiral that has no common divisor with 40, so that the age groups are mixed.
STRIDE = 7

#: Rounding base of the protected table.
BASE = 3


@cache
def dots() -> str:
    """Return the picture with its four states, as markup that needs no script."""
    groups = VILLAGE.counts.sum(axis=1).tolist()
    ages = VILLAGE.rows.labels
    circles: list[str] = []
    for group, places in enumerate(_rounded_places()):
        for position, place in enumerate(places):
            column, line = position % 5 - 2, position // 5
            by_age = (_centre(group) + 14 * column, 26 + 16 * line)
            scattered = _spiral(
                STRIDE * len(circles) % VILLAGE.total, VILLAGE.total, (WIDTH / 2, 42), (266, 36)
            )
            circles.append(_circle(group, (scattered, by_age, place)))
    states = (
        ("everyone", "Not sorted", f"Each dot is one of the {VILLAGE.total} people."),
        ("ages", "By age", f"By age, the dots form {len(groups)} groups."),
        ("known", "By Anna’s age", f"One dot is left: the only person aged {ages[ANNA]} is Anna."),
        ("rounded", "Rounded counts", _rounded()),
    )
    controls = "".join(
        f"<input type='radio' name='known' id='dots-{name}'{' checked' if name == 'everyone' else ''}>"
        f"<label for='dots-{name}'>{escape(label)}</label>"
        for name, label, _ in states
    )
    captions = "".join(f"<p class='{name}'>{escape(text)}</p>" for name, _, text in states)
    return f"""<div class="dots"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
aria-label="{VILLAGE.total} people as dots, sorted by age">{"".join(circles)}
<g class="age-labels">{_labels(groups)}</g><g class="rounded-labels">{_labels(_rounded_groups())}</g>
<g class="possible">{_rings()}</g></svg>
<fieldset><legend>Sort the dots</legend>{controls}</fieldset>
<div class="caption" aria-live="polite">{captions}</div></div>"""


def _centre(group: int) -> float:
    """Return the horizontal position of an age group."""
    return WIDTH * (2 * group + 1) / (2 * len(VILLAGE.rows))


def _labels(sizes: Sequence[int]) -> str:
    """Return the labels of the age groups, with their numbers of people."""
    return "".join(
        f"<text x='{_centre(group):g}' y='{LABELS}'>{escape(label)}: {size}</text>"
        for group, (size, label) in enumerate(zip(sizes, VILLAGE.rows.labels, strict=True))
    )


def _circle(group: int, places: Sequence[tuple[float, float]]) -> str:
    """Return a dot with its positions in the picture: not sorted, by age, and by rounded counts."""
    style = "".join(
        f"--{axis}{number}:{value:.0f}px;"
        for number, point in enumerate(places)
        for axis, value in zip("xy", point, strict=True)
    )
    kind = "anna-dot" if group == ANNA else "dot"
    return f"<circle r='5' class='{kind}' style='{style}'/>"


def _spiral(
    index: int, number: int, centre: tuple[float, float], radii: tuple[float, float]
) -> tuple[float, float]:
    """Return the position of a dot in an ellipse that `number` dots fill evenly."""
    distance = math.sqrt((index + 0.5) / number)
    angle = GOLDEN_ANGLE * index
    across, down = distance * math.cos(angle), distance * math.sin(angle)
    return centre[0] + radii[0] * across, centre[1] + radii[1] * down


def _rounded_groups() -> list[int]:
    """Return the number of people of each age group in the rounded table."""
    return [sum(row) for row in published_counts()]


def _rounded_places() -> list[list[tuple[float, float]]]:
    """Return the positions of the dots of each age group in the rounded table.

    Dots that a rounded group does not contain move to a group with more people than before; if there is no such group,
    they stay in the middle of their group, and the style sheet hides Anna's dot.
    """
    rounded = _rounded_groups()
    groups = VILLAGE.counts.sum(axis=1).tolist()
    remaining = [max(after - before, 0) for before, after in zip(groups, rounded, strict=True)]
    places = []
    for group, (before, after) in enumerate(zip(groups, rounded, strict=True)):
        points = [_rounded_place(group, position) for position in range(min(before, after))]
        while len(points) < before:
            other = next((index for index, number in enumerate(remaining) if number), None)
            if other is None or group == ANNA:
                points.append((_centre(group), RINGS))
            else:
                points.append(_rounded_place(other, rounded[other] - remaining[other]))
                remaining[other] -= 1
        places.append(points)
    return places


def _rounded_place(group: int, position: int) -> tuple[float, float]:
    return _spiral(position, _rounded_groups()[group], (_centre(group), RINGS), (57, 28))


def _rings() -> str:
    """Return a ring for each cell in which Anna can be after rounding."""
    number = _possible_cells()
    return "".join(
        f"<circle r='7' class='ring' cx='{_centre(ANNA) + 30 * (index - (number - 1) / 2):g}' cy='{RINGS}'/>"
        for index in range(number)
    )


@cache
def _release() -> Release:
    return protect(VILLAGE, "conventional-rounding", base=BASE)


def published_counts() -> list[list[int]]:
    """Return the counts of the village after conventional rounding, by row."""
    return [[round(count) for count in row] for row in _release().cells.tolist()]


def _possible_cells() -> int:
    """Return the number of cells in which Anna can be, by the bounds of the rounded counts of her row."""
    return int((_release().upper[0, 1][ANNA] > 0).sum())


def _rounded() -> str:
    """Return the caption of the rounded counts, with the row of Anna."""
    shown = ", ".join(map(str, published_counts()[ANNA]))
    original = ", ".join(map(str, VILLAGE.counts[ANNA].tolist()))
    return (
        f"All counts are rounded to base {BASE}, and the dots are the {sum(_rounded_groups())} people of the rounded "
        f"table. The row {VILLAGE.rows.labels[ANNA]} shows {shown} instead of {original}. Each dashed ring is a cell "
        f"in which Anna can be. Anna can be in any of {_possible_cells()} cells, so her activity is not disclosed."
    )
