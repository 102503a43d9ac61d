"""The people of the story as dots, which are sorted by age until one person is left."""

from __future__ import annotations

import math
from functools import cache
from html import escape

from sdcwidgets.dashboards.story import ANNA, VILLAGE
from sdcwidgets.methods.protecting import protect
from sdcwidgets.tables.release import Release

#: Size of the picture in pixels.
WIDTH, HEIGHT = 560, 104

#: Vertical position of the labels of the age groups, in pixels.
LABELS = 96

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
    labels = []
    for group, (size, label) in enumerate(zip(groups, ages, strict=True)):
        centre = WIDTH * (2 * group + 1) / (2 * len(groups))
        labels.append(f"<text x='{centre:g}' y='{LABELS}'>{escape(label)}: {size}</text>")
        for position in range(size):
            circles.append(_circle(len(circles), group, (centre, position)))
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
<g class="age-labels">{"".join(labels)}</g></svg>
<fieldset><legend>Sort the dots</legend>{controls}</fieldset>
<div class="caption" aria-live="polite">{captions}</div></div>"""


def _circle(index: int, group: int, place: tuple[float, int]) -> str:
    """Return a dot with its positions in the picture: scattered, and by age."""
    centre, position = place
    column, row = position % 5 - 2, position // 5
    first = _spiral(STRIDE * index % VILLAGE.total)
    second = (centre + 14 * column, 26 + 16 * row)
    places = "".join(
        f"--{axis}{number}:{value:.0f}px;"
        for number, point in enumerate((first, second))
        for axis, value in zip("xy", point, strict=True)
    )
    kind = "anna-dot" if group == ANNA else "dot"
    return f"<circle r='5' class='{kind}' style='{places}'/>"


def _spiral(index: int) -> tuple[float, float]:
    radius = math.sqrt((index + 0.5) / VILLAGE.total)
    angle = GOLDEN_ANGLE * index
    return WIDTH / 2 * (1 + 0.95 * radius * math.cos(angle)), 42 * (1 + 0.85 * radius * math.sin(angle))


@cache
def _release() -> Release:
    return protect(VILLAGE, "conventional-rounding", base=BASE)


def published_counts() -> list[list[int]]:
    """Return the counts of the village after conventional rounding, by row."""
    return [[round(count) for count in row] for row in _release().cells.tolist()]


def _rounded() -> str:
    """Return the row of Anna after conventional rounding, as a sentence."""
    possible = int((_release().upper[0, 1][ANNA] > 0).sum())
    shown = ", ".join(map(str, published_counts()[ANNA]))
    original = ", ".join(map(str, VILLAGE.counts[ANNA].tolist()))
    return (
        f"If all counts are rounded to base {BASE}, the row {VILLAGE.rows.labels[ANNA]} shows {shown} instead of "
        f"{original}, so Anna’s dot is not visible. Anna can be in any of {possible} cells, and her activity is not "
        "disclosed. The table below shows the rounded counts."
    )
