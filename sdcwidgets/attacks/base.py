"""What an attack found: bounds of counts that nobody published, and the lines of numbers that gave them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util import html_table
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import number_text
from sdcwidgets._util.registry import Registry
from sdcwidgets.attacks.number import Number
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets._util.arrays import Flags, Floats
    from sdcwidgets.attacks.knowledge import Knowledge


class Step(NamedTuple):
    """A published number in a line, and what the count can be once it is known."""

    times: float
    number: Number
    lower: float
    upper: float


@dataclass(frozen=True)
class Combination:
    """Published numbers that, added and subtracted, bound a count.

    Attributes
    ----------
    cell : tuple of str
        The labels of the count.
    steps : tuple of Step
        The numbers in their order, and how the bounds close in.
    lower, upper : float
        What the count can be at the end.
    """

    cell: tuple[str, ...]
    steps: tuple[Step, ...]
    lower: float
    upper: float

    @property
    def text(self) -> str:
        """The line as one writes it: 55 − 54 = 1."""
        words = []
        for k, step in enumerate(self.steps):
            sign = "−" if step.times < 0 else "+"
            times = "" if abs(step.times) == 1 else f"{abs(step.times):.3g} × "
            words.append(f"{sign} {times}{step.number}" if k or sign == "−" else f"{times}{step.number}")
        return f"{' '.join(words)} = {interval(self.lower, self.upper)}" if words else ""


class Score(NamedTuple):
    """An attack compared with the truth, which only the agency can do."""

    cells: int
    """Counts that were attacked."""
    claimed: int
    """Counts of which one value was left, or one was held most likely."""
    right: int
    """Claims that are true."""
    contained: int
    """Counts that are within the bounds found."""

    @property
    def wrong(self) -> int:
        """Claims that are not true."""
        return self.claimed - self.right


@dataclass(frozen=True, eq=False)
class Finding:
    """What an intruder learnt.

    Attributes
    ----------
    attack : str
        The name of the attack.
    axes : tuple of Axis
        The axes of the counts that were attacked.
    lower, upper : ndarray of float
        What each count can be.
    before : tuple of two ndarray of float
        What each published number by itself left it.
    likely : ndarray of float
        The value held most likely; nan where none is.
    chance : ndarray of float
        How sure that is, given what is published: 1 where it is certain.
    lines : tuple of Combination
        The numbers that gave each bound that is better than before.
    notes : tuple of str
        What else is to be said, in sentences.
    """

    attack: str
    axes: tuple[Axis, ...]
    lower: Floats
    upper: Floats
    before: tuple[Floats, Floats]
    likely: Floats
    chance: Floats
    lines: tuple[Combination, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def of(
        cls,
        attack: str,
        axes: Sequence[Axis],
        bounds: tuple[Floats, Floats],
        before: tuple[Floats, Floats],
        lines: Sequence[Combination] = (),
        notes: Sequence[str] = (),
    ) -> Finding:
        """Make a finding of bounds that are certain."""
        lower, upper = bounds
        exact = lower == upper
        likely = np.where(exact, lower, np.nan)
        return cls(
            attack, tuple(axes), lower, upper, before, likely, exact.astype(float), tuple(lines), tuple(notes)
        )

    @property
    def exact(self) -> Flags:
        """The counts that are known exactly."""
        is_exact: Flags = self.lower == self.upper
        return is_exact

    @property
    def learnt(self) -> Flags:
        """The counts of which more is known than each published number tells by itself."""
        closer = (self.lower > self.before[0]) | (self.upper < self.before[1])
        return closer | (self.chance > 0) & (self.before[0] < self.before[1])

    @property
    def recovered(self) -> int:
        """How many counts that no number told by itself are known exactly."""
        return int((self.exact & (self.before[0] < self.before[1])).sum())

    def line(self, *labels: str) -> Combination | None:
        """Return the line that bounds the count with these labels, None if there is none."""
        self._index(labels)
        return next((line for line in self.lines if line.cell == labels), None)

    def at(self, *labels: str) -> tuple[float, float]:
        """Return the bounds of the count with these labels."""
        index = self._index(labels)
        return float(self.lower[index]), float(self.upper[index])

    def score(self, truth: FrequencyTable) -> Score:
        """Compare with the truth, a table of the counts that were attacked.

        Raises
        ------
        InputError
            If the table has other axes.
        """
        if truth.axes != self.axes:
            raise InputError("The truth has other axes than the finding; it must have the same ones.")
        counts = truth.counts
        claimed = ~np.isnan(self.likely)
        within = (self.lower <= counts) & (counts <= self.upper)
        return Score(
            counts.size, int(claimed.sum()), int((claimed & (self.likely == counts)).sum()), int(within.sum())
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one line a count: its labels, bounds, most likely value, chance and line of numbers."""
        import pandas as pd

        index = pd.MultiIndex.from_product(
            [axis.labels for axis in self.axes], names=[axis.name for axis in self.axes]
        )
        texts = {line.cell: line.text for line in self.lines}
        return pd.DataFrame(
            {
                "lower": self.lower.ravel(),
                "upper": self.upper.ravel(),
                "likely": self.likely.ravel(),
                "chance": self.chance.ravel(),
                "line": [texts.get(tuple(map(str, cell)), "") for cell in index],
            },
            index=index,
        )

    def __repr__(self) -> str:
        sizes = ", ".join(f"{axis.name}: {len(axis)}" for axis in self.axes)
        return f"Finding({self.attack}; {sizes}; {int(self.exact.sum())} counts known exactly)"

    def _repr_html_(self) -> str:
        def bounds_cell(lower: float, upper: float) -> html_table.Cell:
            return html_table.Cell(interval(lower, upper), "known exactly" if lower == upper else "")

        return html_table.of_arrays(
            repr(self), self.axes, (self.lower, self.upper), bounds_cell, notes=self.notes
        )

    def _index(self, labels: Sequence[str]) -> tuple[int, ...]:
        if len(labels) != len(self.axes):
            raise InputError(f"A count needs a label on each of the {len(self.axes)} axes.")
        return tuple(axis.position(label) for axis, label in zip(self.axes, labels, strict=True))


#: Releases and what the intruder knows in, a finding out.
Attack = Callable[[Sequence[Release], "Knowledge | None"], Finding]

_ATTACKS = Registry[Attack]("attack")


def register(name: str) -> Callable[[Callable[..., Finding]], Callable[..., Finding]]:
    """Make an attack known by its name; a decorator."""

    def keep(attack: Callable[..., Finding]) -> Callable[..., Finding]:
        _ATTACKS.add(name, attack)
        return attack

    return keep


def available() -> tuple[str, ...]:
    """Return the names of all attacks.

    >>> "differencing" in available()
    True
    """
    return _ATTACKS.names()


def get(name: str) -> Attack:
    """Return the attack of that name.

    Raises
    ------
    InputError
        If there is none.
    """
    return _ATTACKS.get(name)


def interval(lower: float, upper: float) -> str:
    """Return bounds in words: 1, or 0 to 4.

    >>> interval(1, 1), interval(0, 4), interval(2, float("inf"))
    ('1', '0 to 4', '2 or more')
    """
    if lower == upper:
        return number_text(lower)
    return (
        f"{number_text(lower)} or more"
        if np.isinf(upper)
        else f"{number_text(lower)} to {number_text(upper)}"
    )
