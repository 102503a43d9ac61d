"""How each protection method looks and what its settings are called: the same in every chart, always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from sdcwidgets.methods import Method
from sdcwidgets.parameters import AxisNames, Groups, Parameter, StochasticMatrix, declared

__all__ = ["Look", "describe", "described", "look"]


class Look(NamedTuple):
    """A colour, and a shape for those who do not see all colours."""

    colour: str
    shape: str


#: The looks of methods by their names; no two share a shape.
LOOKS = {
    "random-rounding": Look("#3F51B5", "circle"),
    "conventional-rounding": Look("#9C27B0", "triangle-up"),
    "semi-controlled-rounding": Look("#607D8B", "square"),
    "controlled-rounding": Look("#A63A12", "diamond"),
    "small-cell-adjustment": Look("#8A6D0B", "triangle-down"),
    "barnardisation": Look("#00796B", "pentagon"),
    "stochastic-perturbation": Look("#D81B60", "cross"),
    "record-swapping": Look("#4C7D0F", "x"),
    "targeted-record-swapping": Look("#8D9C00", "hourglass"),
    "cell-key": Look("#7C4DFF", "hexagon"),
    "post-randomisation": Look("#B71C1C", "star"),
    "threshold-suppression": Look("#37474F", "circle-x"),
    "cell-suppression": Look("#6D4C41", "square-x"),
    "redesign": Look("#00838F", "star-triangle-up"),
    "simple-random-sampling": Look("#0072B2", "diamond-cross"),
    "stratified-sampling": Look("#B0508C", "circle-cross"),
}

#: For methods that others add: a shape that none of the above has, and a colour, by the name alone.
SHAPES = ("bowtie", "star-square", "star-diamond", "diamond-tall", "diamond-wide", "hexagram", "octagon")
COLOURS = ("#0072B2", "#B34700", "#00876C", "#B0508C", "#2A8FC7", "#9A7200", "#6A4FB0", "#6D5A2E")


def look(name: str) -> Look:
    """Return the look of the method of that name; it does not depend on what other methods there are.

    >>> look("random-rounding").shape
    'circle'
    """
    if name in LOOKS:
        return LOOKS[name]
    number = crc32(name.encode())
    return Look(COLOURS[number % len(COLOURS)], SHAPES[number // len(COLOURS) % len(SHAPES)])


def describe(method: Method) -> str:
    """Return a method with the settings that matter, in a few words.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> describe(methods.get("random-rounding")(base=5))
    'Random rounding, base 5'
    >>> describe(methods.get("redesign")(together=[["Jewish", "Sikh"]]))
    'Redesign, smallest 3, empty cells may stay, Jewish + Sikh'
    """
    told = [_setting(one, getattr(method, one.name)) for one in declared(type(method))]
    return ", ".join([method.title, *(words for words in told if words)])


def described(several: Sequence[Method]) -> tuple[str, ...]:
    """Return the descriptions of several methods, no two of them the same."""
    names = [describe(method) for method in several]
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            names[i] = f"{name} ({seen[name]})"
    return tuple(names)


def _setting(parameter: Parameter, value: object) -> str:
    """Return a setting in words, "" for one that is off or stands at its default without a number."""
    if isinstance(parameter.kind, StochasticMatrix):
        if value == parameter.default:
            return ""
        return f"matrix that keeps {np.asarray(value).diagonal().mean():.1%}"
    if isinstance(parameter.kind, AxisNames):
        if value == parameter.default:
            return ""
        return f"within {', '.join(value)}" if isinstance(value, tuple) else f"by {value}"
    if isinstance(parameter.kind, Groups):
        return "; ".join(" + ".join(group) for group in parameter.kind.check(value))
    if parameter.kind is not None:
        return "" if value == parameter.default else f"{parameter.name.replace('_', ' ')} {value}"
    if parameter.choices:
        return "" if value == parameter.default else parameter.choices[str(value)]
    if isinstance(value, bool):
        return parameter.label.lower() if value else ""
    word = parameter.name.replace("_", " ")
    if parameter.range is not None and parameter.range.high <= 1:
        return f"{word} {value:.0%}" if round(float(str(value)), 2) == value else f"{word} {value:.2%}"
    return f"{word} {value:g}"
