"""Declare a parameter once; its control, its flag, its check and its help all come from that.

A parameter is a field of a dataclass, annotated with its range or choices, its label and its help:

>>> @dataclass(frozen=True)
... class Rounding(Declared):
...     base: Annotated[int, Range(2, 20), Label("Rounding base b"), Help("Counts become multiples of b.")] = 3
>>> Rounding(base=5)
Rounding(base=5)
>>> Rounding(base=1)
Traceback (most recent call last):
    ...
sdcwidgets.errors.InputError: Rounding base b is 1; it must be a whole number from 2 to 20.
>>> [parameter.flag for parameter in declared(Rounding)]
['--base']
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from numbers import Integral, Real
from typing import Annotated, Any, Protocol, get_args, get_origin, get_type_hints, runtime_checkable

from sdcwidgets.errors import InputError

__all__ = ["Choices", "Declared", "Help", "Kind", "Label", "Parameter", "Range", "Shares", "declared"]


@dataclass(frozen=True)
class Range:
    """The bounds of a number, both included, and the step of its slider."""

    low: float
    high: float
    step: float | None = None


@dataclass(frozen=True)
class Choices:
    """The values a parameter may take, each with the words a person sees."""

    options: Mapping[str, str]


@runtime_checkable
class Kind(Protocol):
    """A value with a structure of its own, such as three weights or a matrix."""

    @property
    def expected(self) -> str:
        """What would be right, as the end of a sentence."""

    def check(self, value: Any) -> Any:
        """Return the value in its one true form, or raise ValueError."""

    def parse(self, text: str) -> Any:
        """Return the value that a text stands for, or raise ValueError."""


@dataclass(frozen=True)
class Shares:
    """Numbers that are at least 0 and sum to 1, one for each name."""

    names: tuple[str, ...]

    @property
    def expected(self) -> str:
        """What would be right, as the end of a sentence."""
        return f"{len(self.names)} numbers of at least 0 that sum to 1"

    def check(self, value: Any) -> tuple[float, ...]:
        """Return the shares as a tuple of floats."""
        if isinstance(value, str):
            raise ValueError(value)
        numbers = [_number(item, whole=False) for item in value]
        shares = tuple(number for number in numbers if number is not None and number >= 0)
        if len(shares) != len(numbers) or len(shares) != len(self.names) or abs(sum(shares) - 1) > 1e-9:
            raise ValueError(value)
        return shares

    def parse(self, text: str) -> tuple[float, ...]:
        """Return the shares written with commas between them."""
        return self.check([float(part) for part in text.split(",")])


@dataclass(frozen=True)
class Label:
    """The words that stand beside the control: plain words first, the symbol with them."""

    text: str


@dataclass(frozen=True)
class Help:
    """One sentence that says what turning this does."""

    text: str


@dataclass(frozen=True)
class Parameter:
    """One declared parameter: all that a control, a flag or a check needs to know of it."""

    name: str
    type: type
    default: Any
    label: str
    help: str = ""
    range: Range | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    kind: Kind | None = None

    @property
    def flag(self) -> str:
        """The parameter's name on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def step(self) -> float:
        """The step of the parameter's slider."""
        if self.range is None or self.range.step is None:
            return 1 if self.type is int else 0.01
        return self.range.step

    @property
    def expected(self) -> str:
        """What would be right, as the end of a sentence."""
        if self.kind is not None:
            return self.kind.expected
        if self.choices:
            return "one of " + ", ".join(self.choices)
        kind = {int: "a whole number", float: "a number", bool: "true or false"}.get(self.type, "text")
        if self.range is None:
            return kind
        return f"{kind} from {self.range.low:g} to {self.range.high:g}"

    def check(self, value: Any) -> Any:
        """Return `value` as this parameter's type, or raise InputError with one sentence."""
        if self.kind is not None:
            with suppress(ValueError, TypeError):
                return self.kind.check(value)
        elif self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
        elif self.type is bool:
            if isinstance(value, bool):
                return value
        elif self.type in (int, float):
            number = _number(value, whole=self.type is int)
            if number is not None and (self.range is None or self.range.low <= number <= self.range.high):
                return number
        elif isinstance(value, self.type):
            return value
        raise InputError(f"{self.label} is {value}; it must be {self.expected}.")

    def parse(self, text: str) -> Any:
        """Return the value that `text`, from the command line or a link, stands for.

        Raises
        ------
        InputError
            If the text is not such a value.
        """
        if self.type is bool and not self.choices:
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            return self.check(words.get(text.strip().lower(), text))
        if self.kind is not None or self.type in (int, float):
            try:
                return self.check(self.kind.parse(text) if self.kind is not None else float(text))
            except InputError:
                raise
            except ValueError:
                raise InputError(f"{self.label} is {text}; it must be {self.expected}.") from None
        return self.check(text)


class Declared:
    """A base for frozen dataclasses whose fields are checked against their declarations."""

    def __post_init__(self) -> None:
        for parameter in declared(type(self)):
            object.__setattr__(self, parameter.name, parameter.check(getattr(self, parameter.name)))


@cache
def declared(cls: type) -> tuple[Parameter, ...]:
    """Return the declared parameters of a dataclass, in the order of its fields.

    A field without a `Label` is not a parameter that a person sets, and is left out.
    """
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for item in fields(cls):
        hint = hints[item.name]
        if get_origin(hint) is not Annotated:
            continue
        kind, *notes = get_args(hint)
        told = {type(note): note for note in notes}
        if Label not in told:
            continue
        default = item.default if item.default is not MISSING else item.default_factory()  # type: ignore[misc]
        found.append(
            Parameter(
                name=item.name,
                type=get_origin(kind) or kind,
                default=default,
                label=told[Label].text,
                help=told[Help].text if Help in told else "",
                range=told.get(Range),
                choices=told[Choices].options if Choices in told else {},
                kind=next((note for note in notes if isinstance(note, Kind)), None),
            )
        )
    return tuple(found)


def _number(value: Any, *, whole: bool) -> int | float | None:
    """Return a finite int or float, or None where `value` is no such number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        return None
    if not whole:
        return float(value)
    return int(value) if isinstance(value, Integral) or float(value).is_integer() else None
