"""Drawings in lessons: from record keys to noise, from original to published cells, an urn, and keys by frequency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from string import ascii_uppercase

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.errors import InputError
from sdcwidgets.core.assignment import expected_channel

#: Width of a drawing, and the margin around it, in pixels. A phone shows it without scaling.
WIDTH, MARGIN = 310, 12

#: Radius of the largest circle in a drawing of frequencies.
LARGEST_CIRCLE = 17

#: Colours of lines and texts, of people who stay and who move, and of circles and selected boxes, on white.
_INK, _STAY, _MOVE, _TINT = "#1b2228", "#0b5cad", "#a14b00", "#dbe7f5"


@dataclass(frozen=True)
class LessonPicture:
    """SVG drawing on a white background, with a description for readers who do not see it.

    Attributes
    ----------
    shapes : str
        SVG elements.
    height : int
        Height in units of the coordinates.
    description : str
        Content of the drawing in words.
    """

    shapes: str
    height: int
    description: str

    def _repr_svg_(self) -> str:
        width, height = WIDTH + 2 * MARGIN, self.height + 2 * MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(self.description)}" '
            f'viewBox="{-MARGIN} {-MARGIN} {width} {height}" width="{width}" height="{height}" font-size="14" '
            f'font-family="sans-serif" fill="{_INK}"><rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" '
            f'height="{height}" rx="8" fill="#fff"/>{self.shapes}</svg>'
        )

    def __repr__(self) -> str:
        return self.description


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, width: float = 1.5, color: str = _INK) -> str:
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{color}" stroke-width="{width:g}"/>'
    )


def _arrow(x1: float, y1: float, x2: float, y2: float, width: float = 1.5, color: str = _INK) -> str:
    """Return a line with a head of two short lines at its end."""
    direction = np.array([x2 - x1, y2 - y1]) / np.hypot(x2 - x1, y2 - y1)
    across = np.array([-direction[1], direction[0]])
    size = 6 + width / 2
    heads = [np.array([x2, y2]) - size * direction + side * size * 0.6 * across for side in (-1, 1)]
    lines = [_line(float(x), float(y), x2, y2, max(1.5, width / 2), color) for x, y in heads]
    return _line(x1, y1, x2, y2, width, color) + "".join(lines)


def _box(x: float, y: float, width: float, height: float, fill: str = "none") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" '
        f'stroke="{_INK}" stroke-width="1.5"/>'
    )


def _circle(x: float, y: float, radius: float, fill: str = _TINT) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{_INK}" stroke-width="1.5"/>'


def cell_key_steps(record_keys: Mapping[str, float], noise: Sequence[tuple[int, float]]) -> LessonPicture:
    """Draw how a cell key is computed from record keys, and how it selects the noise of a count.

    Parameters
    ----------
    record_keys : mapping of float
        Record keys from 0 to below 1, by the names of the people in the cell.
    noise : sequence of (int, float)
        Noise values of the p-table for this count, each with the upper limit of its cell keys; the last limit is 1.

    Raises
    ------
    InputError
        If there is no person, or if the last limit is not 1.

    Examples
    --------
    >>> cell_key_steps({"A": 0.9, "B": 0.3, "C": 0.6}, [(-1, 0.3), (0, 0.7), (1, 1.0)])
    Record keys: A 0.9, B 0.3, C 0.6. Sum 1.8, cell key 0.8. Noise +1, so the count 3 is published as 4.
    """
    if not record_keys or not noise or noise[-1][1] != 1:
        raise InputError("A drawing of cell keys needs a person, and noise values up to the cell key 1.")
    count, total = len(record_keys), sum(record_keys.values())
    key = round(total % 1, 9)
    step = next(value for value, limit in noise if key < limit)
    shapes = [_text(0, 16, "Record keys", "start")]
    for index, (name, record_key) in enumerate(record_keys.items()):
        x = (index + 0.5) * WIDTH / count
        shapes += [_circle(x, 44, 16), _text(x, 49, name), _text(x, 80, f"{record_key:g}")]
        shapes.append(_arrow(x, 86, WIDTH / 2 + (x - WIDTH / 2) / 4, 112))
    shapes += [_box(60, 116, WIDTH - 120, 30), _text(WIDTH / 2, 136, f"sum {total:g}, cell key {key:g}")]
    start_x, end_x, top = 20, WIDTH - 20, 196
    at = start_x + key * (end_x - start_x)
    shapes += [_arrow(WIDTH / 2, 146, at, top - 4), _text(0, top - 18, "Noise by cell key", "start")]
    lower = 0.0
    for value, limit in noise:
        start, end = (start_x + edge * (end_x - start_x) for edge in (lower, limit))
        shapes.append(_box(start, top, end - start, 30, _TINT if value == step else "none"))
        shapes += [_text((start + end) / 2, top + 20, _signed(value)), _text(start, top + 48, f"{lower:g}")]
        lower = limit
    shapes += [_text(end_x, top + 48, "1"), _arrow(WIDTH / 2, top + 54, WIDTH / 2, top + 72)]
    result = f"{count} {'−' if step < 0 else '+'} {abs(step)} = {count + step} is published"
    shapes += [_box(60, top + 76, WIDTH - 120, 30, _TINT), _text(WIDTH / 2, top + 96, result)]
    keys = ", ".join(f"{name} {record_key:g}" for name, record_key in record_keys.items())
    return LessonPicture(
        "".join(shapes),
        top + 110,
        f"Record keys: {keys}. Sum {total:g}, cell key {key:g}. Noise {_signed(step)}, so the count {count} is "
        f"published as {count + step}.",
    )


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def moves(before: Sequence[int], after: Sequence[int]) -> LessonPicture:
    """Draw arrows from original to published cells, as wide as the expected number of people.

    Parameters
    ----------
    before : sequence of int
        Original counts.
    after : sequence of int
        Published counts of the same cells, with the same total.

    Raises
    ------
    InputError
        If the numbers of cells or the totals differ.

    Examples
    --------
    >>> moves([0, 2, 4], [0, 3, 3])
    From B: 2 to B. From C: 1 to B, 3 to C.
    """
    if len(before) != len(after) or sum(before) != sum(after):
        raise InputError("The original and the published counts need the same cells and the same total.")
    people = np.asarray(before)[:, None] * expected_channel(before, after)
    names, gap = ascii_uppercase[: len(before)], 66
    shapes = [_text(56, 16, "original"), _text(WIDTH - 56, 16, "published")]
    for index, name in enumerate(names):
        y = 46 + index * gap
        for x, count in ((20, before[index]), (WIDTH - 92, after[index])):
            shapes += [_box(x, y - 18, 72, 36), _text(x + 36, y + 5, f"{name}: {count}")]
    sentences = []
    for source, name in enumerate(names):
        targets = [(target, float(number)) for target, number in enumerate(people[source]) if number > 1e-9]
        for target, number in targets:
            y1, y2 = 46 + source * gap, 46 + target * gap
            color = _STAY if source == target else _MOVE
            shapes.append(_arrow(96, y1, WIDTH - 98, y2, 1.5 + 2 * number, color))
            if source == target:
                # Arrows to upper cells begin at the left of this arrow, so the number is at the right.
                x = 196 if targets[0][0] < source else 128
                shapes.append(_text(x, y1 - 9, f"{number:.3g}"))
            else:
                below = 16 if y2 < y1 else -6
                shapes.append(_text(WIDTH / 2 + 20, (y1 + y2) / 2 + below, f"{number:.3g}"))
        if targets:
            listed = ", ".join(f"{number:.3g} to {names[target]}" for target, number in targets)
            sentences.append(f"From {name}: {listed}.")
    return LessonPicture("".join(shapes), 46 + len(names) * gap - 30, " ".join(sentences))


def urn_steps(coloured: str, black: int) -> LessonPicture:
    """Draw a Pólya urn, and what happens after a coloured and after a black ball.

    Parameters
    ----------
    coloured : str
        Letters of the colours, one per coloured ball.
    black : int
        Number of black balls.

    Raises
    ------
    InputError
        If there is no coloured or no black ball.

    Examples
    --------
    >>> urn_steps("AAB", 1)
    Urn: A, A, B and 1 black. After a ball A: A, A, A, B and 1 black. After a black ball: A, A, B, C and 1 black.
    """
    if not coloured or black < 1:
        raise InputError("The drawing needs at least one coloured and one black ball.")
    first = "".join(sorted(coloured))
    new = ascii_uppercase[ascii_uppercase.index(max(first)) + 1]
    rows = (
        ("Urn", first),
        (f"After a ball {first[0]}", "".join(sorted(first + first[0]))),
        ("After a black ball", first + new),
    )
    shapes, sentences = [], []
    for index, (title, balls) in enumerate(rows):
        y = 16 + index * 78
        shapes += [_text(0, y, title, "start"), _box(1, y + 10, WIDTH - 22, 44)]
        for number, ball in enumerate(balls + "•" * black):
            x = 26 + number * 40
            if ball == "•":
                shapes.append(_circle(x, y + 32, 15, "#000"))
            else:
                shapes += [_circle(x, y + 32, 15), _text(x, y + 37, ball)]
        sentences.append(f"{title}: {', '.join(balls)} and {black} black.")
    return LessonPicture("".join(shapes), 16 + 3 * 78 - 16, " ".join(sentences))


def keys_by_frequency(sample: ArrayLike, population: ArrayLike) -> LessonPicture:
    """Draw the number of keys by their frequency in a sample (f) and in the population (F).

    Parameters
    ----------
    sample : array_like of int
        Number of records with each key, at least 1.
    population : array_like of int
        Number of people with each key, at least the number of records.

    Raises
    ------
    InputError
        If a key has no record, or fewer people than records.

    Examples
    --------
    >>> keys_by_frequency([1, 1, 2], [1, 8, 2]).description
    'f = 1: 1 keys with F = 1, 1 keys with F = 6 to 20. f = 2: 1 keys with F = 2 to 5.'
    """
    f, F = np.asarray(sample), np.asarray(population)
    if f.shape != F.shape or (f < 1).any() or (f > F).any():
        raise InputError("Each key needs at least one record, and at least as many people as records.")
    columns = (("f = 1", f == 1), ("f = 2", f == 2), ("f = 3 or more", f >= 3))
    rows = (
        ("F = 1", F == 1),
        ("F = 2 to 5", (F > 1) & (F <= 5)),
        ("F = 6 to 20", (F > 5) & (F <= 20)),
        ("F > 20", F > 20),
    )
    numbers = np.array([[int((across & down).sum()) for _, down in columns] for _, across in rows])
    largest = max(1, numbers.max())
    shapes, sentences = [], []
    for j, (name, _) in enumerate(columns):
        x = 118 + j * 74
        shapes.append(_text(x, 16, name))
        for i, (label, _) in enumerate(rows):
            y = 54 + i * 62
            if j == 0:
                shapes.append(_text(0, y + 5, label, "start"))
            if numbers[i, j]:
                radius = max(2.0, LARGEST_CIRCLE * float(np.sqrt(numbers[i, j] / largest)))
                shapes.append(_circle(x - 14, y, radius))
            shapes.append(_text(x + 14, y + 5, f"{numbers[i, j]:,}", "start"))
        listed = ", ".join(
            f"{number:,} keys with {label}"
            for number, (label, _) in zip(numbers[:, j], rows, strict=True)
            if number
        )
        if listed:
            sentences.append(f"{name}: {listed}.")
    return LessonPicture("".join(shapes), 54 + 4 * 62 - 26, " ".join(sentences))
