"""Declaration of parameters, from which controls, command-line options, checks and help are generated.

Examples
--------
A parameter is a field of a dataclass, annotated with its range or choices, its label and its help:

>>> @dataclass(frozen=True)
... class Rounding(Declared):
...     base: Annotated[int, Range(2, 20), Label("Rounding base b"), Help("Counts become multiples.")] = 3
>>> Rounding(base=5)
Rounding(base=5)
>>> Rounding(base=1)
Traceback (most recent call last):
    ...
sdcwidgets.InputError: Rounding base b is 1; it must be a whole number from 2 to 20.
>>> [parameter.flag for parameter in declared(Rounding)]
['--base']
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from numbers import Integral, Real
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Protocol,
    Self,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from sdcwidgets._util.arguments import check_number, wrong
from sdcwidgets._util.errors import InputError, described, unknown_name
from sdcwidgets._util.seeds import reject_pattern

if TYPE_CHECKING:
    from numpy.random import Generator


def generator(seed: int | Generator | None) -> Generator:
    """Return a random number generator for a seed.

    Raises
    ------
    InputError
        If the seed is invalid.
    """
    from numpy.random import default_rng

    try:
        return default_rng(seed)
    except (TypeError, ValueError):
        # The text can be the secret, which an error message does not repeat.
        if isinstance(seed, str):
            raise InputError(
                "Seed is a text; convert it to a whole number of at least 0 with int(...)."
            ) from None
        raise InputError(f"Seed is {described(seed)}; it must be a whole number of at least 0.") from None


def secret_of(seed: int | Generator | None) -> int:
    """Return the 128-bit secret of a method: from a seed or a generator, or a new one.

    Parameters
    ----------
    seed : int, Generator or None
        Seed of the secret. A generator has the same secret before and after random numbers are drawn from it.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If the seed is not a whole number of at least 0.

    Examples
    --------
    >>> rng = generator(7)
    >>> _ = rng.random(5)
    >>> secret_of(rng), secret_of(7), secret_of(None) == secret_of(None)
    (7, 7, False)
    """
    import numpy as np

    sequence: Any = generator(seed).bit_generator.seed_seq
    if isinstance(sequence.entropy, int | np.integer) and not sequence.spawn_key:
        return int(sequence.entropy)
    return int.from_bytes(sequence.generate_state(4, np.uint32).tobytes(), "little")


def check_secret(name: str, secret: object) -> int:
    """Return the secret of an argument, after the checks of the seed of `protect`.

    Parameters
    ----------
    name : str
        Name of the argument.
    secret : object
        Value of the argument.

    Returns
    -------
    int

    Raises
    ------
    InputError
        If the secret is not a whole number of at least 0, or is a long number with a pattern.

    Examples
    --------
    >>> check_secret("secret", 2**64)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: The argument secret is a number with a pattern, such as 2^64 or 123123123, that can be \
guessed; use a random number of 128 bits.
    """
    check_number(name, secret, whole=True)
    number: int = int(secret)  # type: ignore[call-overload]
    if number < 0:
        raise wrong(name, number, "a whole number of at least 0")
    reject_pattern(number, f"The argument {name}")
    return number


def chosen_by(choice: str, seed: int | Generator | None) -> int | None:
    """Return the secret that selects a pattern, or None for the cheapest pattern.

    Raises
    ------
    InputError
        If the choice is not "secret" or "optimal".
    """
    if not isinstance(choice, str):
        raise InputError(f'The setting "choice" is {described(choice)}; it must be "secret" or "optimal".')
    if choice not in ("secret", "optimal"):
        raise InputError(f'The setting "choice" is {choice!r}; it must be "secret" or "optimal".')
    return secret_of(seed) if choice == "secret" else None


@dataclass(frozen=True)
class Range:
    """Bounds of a number (both included), and the step of its slider."""

    low: float
    high: float
    step: float | None = None


@dataclass(frozen=True)
class Choices:
    """Possible values of a parameter, each with its label."""

    options: Mapping[str, str]


@runtime_checkable
class Kind(Protocol):
    """A structured value, for example three weights or a matrix."""

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""

    def check(self, value: object) -> object:
        """Return the value in its normal form, or raise ValueError, or InputError with a sentence."""

    def parse(self, text: str) -> Any:
        """Return the value of a text, or raise ValueError."""


@dataclass(frozen=True)
class Shares:
    """Numbers of 0 or more with the sum 1, one per name."""

    names: tuple[str, ...]

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        return f"{len(self.names)} numbers, each 0 or more, whose sum is 1"

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
        """Return the shares from a text with commas between the numbers."""
        return self.check([float(part) for part in text.split(",")])


@dataclass(frozen=True)
class StochasticMatrix:
    """Matrix of probabilities whose rows have the sum 1; may be empty if it is `optional`."""

    optional: bool = False

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        return "a matrix of numbers, each 0 or more, with the sum 1 in each row"

    def check(self, value: Any) -> tuple[tuple[float, ...], ...]:
        """Return the matrix as a tuple of rows; the error names the invalid row."""
        if self.optional and len(value) == 0:
            return ()
        rows = [[_number(item, whole=False) for item in row] for row in value]
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise InputError(f"The matrix is not complete; it must be {self.expected}.")
        matrix = [tuple(number for number in row if number is not None and number >= 0) for row in rows]
        for i, (row, label) in enumerate(zip(matrix, rows, strict=True)):
            if len(row) != len(label):
                raise InputError(f"Row {i} of the matrix has a value that is not a number of at least 0.")
            if abs(math.fsum(row) - 1) > 1e-9:
                raise InputError(f"Row {i} of the matrix sums to {math.fsum(row):.10g}; it must sum to 1.")
        return tuple(matrix)

    def parse(self, text: str) -> tuple[tuple[float, ...], ...]:
        """Return the matrix from a text with commas between numbers and semicolons between rows."""
        if self.optional and not text.strip():
            return ()
        return self.check([[float(part) for part in row.split(",")] for row in text.split(";")])


@dataclass(frozen=True)
class AxisNames:
    """One or several axes of the current table; "rows" is the first axis and "columns" the last.

    If `stated` is True, the value is a fact about the table that only the user knows, so that a search never
    varies it.
    """

    several: bool = False
    stated: bool = False

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        names = "names of axes of the table" if self.several else "the name of an axis of the table"
        return f"{names}, or rows, or columns"

    def check(self, value: Any) -> str | tuple[str, ...]:
        """Return the name or a tuple of names; they are compared with the table only when it is known."""
        names = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(name, str) and name for name in names) or not (
            self.several or names == (value,)
        ):
            raise ValueError(value)
        return names if self.several else names[0]

    def named(self, value: str | tuple[str, ...]) -> tuple[str, ...]:
        """Return the names in a value as a tuple."""
        return (value,) if isinstance(value, str) else value

    def parse(self, text: str) -> str | tuple[str, ...]:
        """Return the name, or the names from a text with commas between them."""
        return self.check(
            [name.strip() for name in text.split(",") if name.strip()] if self.several else text
        )


@dataclass(frozen=True)
class Groups:
    """Groups of labels to merge, each of two or more labels; a label is in at most one group."""

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        return "groups of two or more labels to merge, such as 0-4 + 5-9; 80-84 + 85+"

    def check(self, value: Any) -> tuple[tuple[str, ...], ...]:
        """Return the groups as tuples."""
        if isinstance(value, str) or any(isinstance(group, str) for group in value):
            raise ValueError(value)
        groups = tuple(tuple(group) for group in value)
        labels = [label for group in groups for label in group]
        if any(len(group) < 2 for group in groups) or not all(isinstance(label, str) for label in labels):
            raise ValueError(value)
        if len(set(labels)) < len(labels):
            raise InputError("A label occurs twice in the groups; each label can be merged only once.")
        return groups

    def parse(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the groups from a text with " + " between labels and semicolons between groups."""
        groups = [[label.strip() for label in group.split(" + ")] for group in text.split(";")]
        return self.check([group for group in groups if group != [""]])


@dataclass(frozen=True)
class Label:
    """Label of a control: a noun phrase, with the symbol if there is one."""

    text: str


@dataclass(frozen=True)
class Help:
    """Help text of a control: one sentence on the effect of the parameter."""

    text: str


@dataclass(frozen=True)
class Parameter:
    """A declared parameter, with the properties of its control, option and check."""

    name: str
    type: type
    default: Any
    label: str
    help: str = ""
    range: Range | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    kind: Kind | None = None
    #: Value without a limit, which a control shows as "no limit"; None if there is no such value.
    unlimited: float | None = None

    @property
    def flag(self) -> str:
        """Option of the parameter on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def step(self) -> float:
        """Step of the parameter's slider."""
        if self.range is None or self.range.step is None:
            return 1 if self.type is int else 0.01
        return self.range.step

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        if self.kind is not None:
            return self.kind.expected
        if self.choices:
            return "one of " + ", ".join(choice for choice in self.choices if choice)
        kind = {int: "a whole number", float: "a number", bool: "true or false"}.get(self.type, "text")
        if self.range is None:
            return kind
        high = self.range.high
        bits = high.bit_length() if isinstance(high, int) else 0
        most = f"2^{bits} - 1" if bits > 50 and high == 2**bits - 1 else f"{high:.15g}"
        return f"{kind} from {self.range.low:.15g} to {most}"

    def check(self, value: object) -> object:
        """Return `value` with the type of this parameter, or raise InputError."""
        if self.kind is not None:
            try:
                return self.kind.check(value)
            except InputError:
                raise
            except (ValueError, TypeError):
                pass
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
        raise InputError(f"{self.label} is {self._described(value)}; it must be {self.expected}.")

    def _described(self, value: object) -> str:
        """Return a value in a message: a text has quotes, so that "5" differs from 5."""
        is_number = self.type in (int, float, bool) and not self.choices and self.kind is None
        return f'the text "{value}"' if isinstance(value, str) and is_number else described(value)

    def parse(self, text: str) -> Any:
        """Return the value of a text from the command line or a link.

        Raises
        ------
        InputError
            If the text is not a valid value.
        """
        if self.type is bool and not self.choices:
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            return self.check(words.get(text.strip().lower(), text))
        if self.kind is not None or self.type in (int, float):
            try:
                if self.kind is not None:
                    return self.check(self.kind.parse(text))
                digits = text.strip().removeprefix("-")
                return self.check(int(text) if digits.isdecimal() else float(text))
            except InputError:
                raise
            except ValueError:
                raise InputError(f"{self.label} is {text}; it must be {self.expected}.") from None
        return self.check(text)


@dataclass(frozen=True)
class Declared:
    """Base class of frozen dataclasses whose fields are checked against their declarations."""

    def __new__(cls, *_: object, **settings: object) -> Self:
        """Raise InputError for a name that is not a field."""
        kind: type = cls
        names = _setting_names(kind)
        for name in settings.keys() - names.keys():
            raise unknown_name("setting", name, names)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for parameter in declared(type(self)):
            object.__setattr__(self, parameter.name, parameter.check(getattr(self, parameter.name)))


@cache
def _setting_names(cls: type) -> dict[str, None]:
    """Return the names of the fields that can be passed, in their order."""
    return {item.name: None for item in fields(cls) if item.init}


def declared(cls: type) -> tuple[Parameter, ...]:
    """Return the declared parameters of a dataclass, in the order of its fields.

    A field without a `Label` is not a parameter and is omitted.
    """
    return _declared(cls)


@cache
def _declared(cls: type) -> tuple[Parameter, ...]:
    hints = get_type_hints(cls, include_extras=True)
    parameters = []
    for item in fields(cls):
        hint = hints[item.name]
        if get_origin(hint) is not Annotated:
            continue
        kind, *notes = get_args(hint)
        noted = {type(note): note for note in notes}
        if Label not in noted:
            continue
        default = item.default if item.default_factory is MISSING else item.default_factory()
        parameters.append(
            Parameter(
                name=item.name,
                type=get_origin(kind) or kind,
                default=default,
                label=noted[Label].text,
                help=noted[Help].text if Help in noted else "",
                range=noted.get(Range),
                choices=noted[Choices].options if Choices in noted else {},
                kind=next((note for note in notes if isinstance(note, Kind)), None),
            )
        )
    return tuple(parameters)


def check_names(cls: type, base: type) -> None:
    """Check that no field of a dataclass hides an attribute of its base class.

    Raises
    ------
    InputError
        If a field does; the message contains its name.
    """
    hidden = next((item.name for item in fields(cls) if hasattr(base, item.name)), None)
    if hidden is not None:
        raise InputError(
            f"{cls.__module__}.{cls.__qualname__} has a setting {hidden!r}, which hides an attribute of every"
            f" {base.__name__.lower()}. Rename the setting."
        )


def check_registered(cls: object, base: type, decorator: str) -> None:
    """Raise InputError if a plug-in class is incomplete, and name the missing part.

    Parameters
    ----------
    cls : object
        The decorated object.
    base : type
        The class that it must derive from.
    decorator : str
        The decorator as it is written, for the sentence.

    Raises
    ------
    InputError
        If it is not a class of this family, not a frozen dataclass, has a setting without a default, lacks a method,
        or has a method with other parameters than its base class.
    """
    if not isinstance(cls, type) or not issubclass(cls, base):
        name = getattr(cls, "__name__", cls)
        raise InputError(f"@{decorator} decorates {name}, which is not a class derived from {base.__name__}.")
    parameters = cls.__dict__.get("__dataclass_params__")
    if parameters is None or not parameters.frozen:
        raise InputError(
            f"{cls.__name__} is not a frozen dataclass; write @dataclass(frozen=True) below @{decorator}."
        )
    check_names(cls, base)
    missing = sorted(getattr(cls, "__abstractmethods__", ()))
    if missing:
        signature = inspect.signature(getattr(cls, missing[0]))
        raise InputError(
            f"{cls.__name__} has no method {missing[0]}; define {missing[0]}({', '.join(signature.parameters)}) in it."
        )
    _check_signatures(cls, base)
    settings: Any = fields(cls)  # type: ignore[arg-type]  # it is a dataclass, as was checked
    for item in settings:
        if item.init and item.default is MISSING and item.default_factory is MISSING:
            raise InputError(f"The setting {item.name!r} of {cls.__name__} has no default; give it one.")


def _check_signatures(cls: type, base: type) -> None:
    """Raise InputError if a function of a plug-in class does not accept the arguments of the base class."""
    bases = [parent for parent in cls.__mro__[1:] if issubclass(parent, base)]
    for name, own in cls.__dict__.items():
        inherited = next((vars(parent)[name] for parent in bases if name in vars(parent)), None)
        if name.startswith("__") or not inspect.isfunction(own) or not inspect.isfunction(inherited):
            continue
        expected = inspect.signature(inherited)
        try:
            inspect.signature(own).bind(*expected.parameters)
        except TypeError:
            raise InputError(
                f"{cls.__name__}.{name} has the parameters ({', '.join(inspect.signature(own).parameters)}); "
                f"define {name}({', '.join(expected.parameters)})."
            ) from None


def _number(value: object, *, whole: bool) -> int | float | None:
    """Return a finite int or float, or None if `value` is not such a number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        return None
    if not whole:
        return float(value)
    if isinstance(value, Integral):
        return int(value)
    return int(float(value)) if float(value).is_integer() else None
