"""Result of an attack: bounds for unpublished counts, and the combinations of published values that prove them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util import html_table
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, number_text
from sdcwidgets._util.registry import Registry
from sdcwidgets.attacks.number import Number
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    import pandas as pd

    from sdcwidgets._util.arrays import Flags, Floats
    from sdcwidgets.attacks.knowledge import Knowledge


class Step(NamedTuple):
    """A published value in a combination, and the bounds of the count after it is used."""

    times: float
    number: Number
    lower: float
    upper: float


@dataclass(frozen=True)
class Combination:
    """A linear combination of published values that bounds a count.

    Attributes
    ----------
    cell : tuple of str
        Labels of the count, one per axis.
    steps : tuple of Step
        Published values in the order of use, with the bounds after each.
    lower, upper : float
        Bounds of the count from all steps.
    """

    cell: tuple[str, ...]
    steps: tuple[Step, ...]
    lower: float
    upper: float

    @property
    def text(self) -> str:
        """Combination as an equation, such as 55 − 54 = 1."""
        words = []
        for k, step in enumerate(self.steps):
            sign = "−" if step.times < 0 else "+"
            times = "" if abs(step.times) == 1 else f"{abs(step.times):.3g} × "
            words.append(f"{sign} {times}{step.number}" if k or sign == "−" else f"{times}{step.number}")
        return f"{' '.join(words)} = {interval(self.lower, self.upper)}" if words else ""


class Score(NamedTuple):
    """Comparison of an attack with the true counts, for the data provider."""

    cells: int
    """Number of counts in the target table."""
    claimed: int
    """Number of counts with a claimed value: an exact bound or a most likely value."""
    right: int
    """Number of claims that equal the true count."""
    contained: int
    """Number of true counts within the bounds."""

    @property
    def wrong(self) -> int:
        """Number of claims that differ from the true count."""
        return self.claimed - self.right


@dataclass(frozen=True, eq=False)
class Finding:
    """Result of an attack on releases.

    Attributes
    ----------
    attack : str
        Registered name of the attack.
    axes : tuple of Axis
        Axes of the target table.
    lower, upper : ndarray of float
        Bounds of each count after the attack.
    before : tuple of two ndarray of float
        Bounds of each count from single published values, without combining them.
    likely : ndarray of float
        Most likely value of each count; nan if there is none.
    chance : ndarray of float
        Probability of the most likely value given the published values; 1 if the bounds are equal.
    lines : tuple of Combination
        Combinations that prove bounds better than `before`.
    notes : tuple of str
        Further results as sentences.
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
        """Return a finding with bounds and without probabilities.

        Examples
        --------
        >>> import numpy as np
        >>> from sdcwidgets import Axis, attacks
        >>> bounds = np.array([5.0, 0.0]), np.array([5.0, 2.0])
        >>> attacks.Finding.of("own", [Axis("Area", ("A", "B"))], bounds, bounds).at("A")
        (5.0, 5.0)
        """
        lower, upper = bounds
        exact = lower == upper
        likely = np.where(exact, lower, np.nan)
        return cls(
            attack, tuple(axes), lower, upper, before, likely, exact.astype(float), tuple(lines), tuple(notes)
        )

    @property
    def exact(self) -> Flags:
        """Mask of counts whose bounds are equal."""
        is_exact: Flags = self.lower == self.upper
        return is_exact

    @property
    def learnt(self) -> Flags:
        """Mask of counts about which the attack gives more information than single published values."""
        closer = (self.lower > self.before[0]) | (self.upper < self.before[1])
        return closer | (self.chance > 0) & (self.before[0] < self.before[1])

    @property
    def recovered(self) -> int:
        """Number of counts that become exact by the attack."""
        return int((self.exact & (self.before[0] < self.before[1])).sum())

    def line(self, *labels: str) -> Combination | None:
        """Return the combination for the count with these labels, or None.

        Examples
        --------
        >>> from sdcwidgets import attacks, examples, protect
        >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
        >>> area, sex = (axis.labels[0] for axis in release.axes)
        >>> combination = attacks.linking(release).line(area, sex)
        >>> combination is None or combination.cell == (area, sex)
        True
        """
        self._index(labels)
        return next((line for line in self.lines if line.cell == labels), None)

    def at(self, *labels: str) -> tuple[float, float]:
        """Return the bounds of the count with these labels.

        Examples
        --------
        >>> from sdcwidgets import attacks, examples, protect
        >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
        >>> area, sex = (axis.labels[0] for axis in release.axes)
        >>> low, high = attacks.linking(release).at(area, sex)
        >>> low <= examples.load("sex").counts[0, 0] <= high
        np.True_
        """
        index = self._index(labels)
        return float(self.lower[index]), float(self.upper[index])

    def score(self, truth: FrequencyTable) -> Score:
        """Compare the finding with the true counts.

        Raises
        ------
        InputError
            If the axes of the table differ from those of the finding.

        Examples
        --------
        >>> from sdcwidgets import attacks, examples, protect
        >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
        >>> attacks.linking(release).score(examples.load("sex")).__class__.__name__
        'Score'
        """
        table_of(truth)
        if truth.axes != self.axes:
            raise InputError(
                "The table of original counts has other axes than the result of the attack; pass the "
                "table whose counts were attacked."
            )
        counts = truth.counts
        claimed = ~np.isnan(self.likely)
        within = (self.lower <= counts) & (counts <= self.upper)
        return Score(
            counts.size, int(claimed.sum()), int((claimed & (self.likely == counts)).sum()), int(within.sum())
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row per count: labels, bounds, most likely value, its probability, and the combination.

        Examples
        --------
        >>> from sdcwidgets import attacks, examples, protect
        >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
        >>> attacks.linking(release).to_frame().shape
        (20, 5)
        """
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
            raise InputError(
                f"A count needs one label per axis, that is {len(self.axes)} ({listed([a.name for a in self.axes])}); "
                f"{len(labels)} {'was' if len(labels) == 1 else 'were'} given."
            )
        return tuple(axis.position(label) for axis, label in zip(self.axes, labels, strict=True))


#: Attack: takes releases and prior knowledge, returns a finding.
Attack = Callable[[Sequence[Release], "Knowledge | None"], Finding]

_ATTACKS = Registry[Attack]("attack")


def register(name: str) -> Callable[[Callable[..., Finding]], Callable[..., Finding]]:
    """Return a decorator that registers an attack under a name."""

    def keep(attack: Callable[..., Finding]) -> Callable[..., Finding]:
        _ATTACKS.add(name, attack)
        return attack

    return keep


def available() -> tuple[str, ...]:
    """Return the names of all registered attacks.

    Examples
    --------
    >>> "differencing" in available()
    True
    """
    return _ATTACKS.names()


def get(name: str) -> Attack:
    """Return the attack with this name.

    Raises
    ------
    InputError
        If no attack has this name.

    Examples
    --------
    >>> from sdcwidgets import attacks
    >>> attacks.get("linking").__name__
    'linking'
    """
    return _ATTACKS.get(name)


def interval(lower: float, upper: float) -> str:
    """Return bounds as text: one value, a range, or a minimum.

    Examples
    --------
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
