"""Descriptions of methods with their settings, the same in every chart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sdcwidgets._util.parameters import AxisNames, Groups, Parameter, StochasticMatrix, declared
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.cellkey.files import PTable


@lru_cache(maxsize=1024)
def describe(method: Method) -> str:
    """Return a short description of a method with its relevant settings.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> describe(methods.get("random-rounding")(base=5))
    'Random rounding, base 5'
    >>> describe(methods.get("redesign")(together=[["Jewish", "Sikh"]]))
    'Redesign, minimum count 3, allow empty cells, Jewish + Sikh'
    >>> describe(methods.get("controlled-rounding")(steps=2))
    'Controlled rounding, base 3, steps 2'
    """
    settings = [_setting(parameter, getattr(method, parameter.name)) for parameter in declared(type(method))]
    return ", ".join([method.title, *(setting for setting in settings if setting)])


def describe_all(methods: Sequence[Method]) -> tuple[str, ...]:
    """Return distinct descriptions of several methods."""
    names = [describe(method) for method in methods]
    occurrences: dict[str, int] = {}
    for index, name in enumerate(names):
        occurrences[name] = occurrences.get(name, 0) + 1
        if occurrences[name] > 1:
            names[index] = f"{name} ({occurrences[name]})"
    return tuple(names)


#: Numbers that a description states only if they differ from their defaults.
_USUAL = ("coalition", "effort", "group")


def _word(parameter: Parameter) -> str:
    """Return the name of a number: its name in Python if the label has this word, and otherwise its label."""
    label = re.sub(r" \([^)]*\)", "", parameter.label)
    name = parameter.name.replace("_", " ")
    return name if len(name) > 1 and name in label.lower() else f"{label[:1].lower()}{label[1:]}"


def _setting(parameter: Parameter, value: object) -> str:
    """Return a setting in words, or "" if it is off or a default without a number."""
    if isinstance(parameter.kind, StochasticMatrix):
        if value == parameter.default:
            return ""
        return f"transition matrix that keeps {np.asarray(value).diagonal().mean():.1%}"
    if isinstance(parameter.kind, AxisNames):
        if value == parameter.default:
            return ""
        if parameter.kind.stated:
            return (
                f"{parameter.label.lower()}: {', '.join(parameter.kind.named(parameter.kind.check(value)))}"
            )
        return f"within {', '.join(value)}" if isinstance(value, tuple) else f"by {value}"
    if isinstance(parameter.kind, Groups):
        return "; ".join(" + ".join(group) for group in parameter.kind.check(value))
    if isinstance(parameter.kind, PTable):
        return parameter.label.lower() if value else ""
    if parameter.kind is not None:
        return "" if value == parameter.default else f"{parameter.name.replace('_', ' ')} {value}"
    if parameter.choices:
        return "" if value == parameter.default else parameter.choices[str(value)]
    if isinstance(value, bool):
        return parameter.label.lower() if value else ""
    return _number(parameter, value)


def _number(parameter: Parameter, value: Any) -> str:
    """Return a number in words, or "" if it is off or one of `_USUAL` with its default."""
    if value == parameter.default and (value == 0 or parameter.name in _USUAL):
        return ""
    word = _word(parameter)
    if parameter.range is not None and parameter.range.high <= 1:
        return f"{word} {value:.0%}" if round(float(str(value)), 2) == value else f"{word} {value:.2%}"
    return f"{word} {value:g}"
