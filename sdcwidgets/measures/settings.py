"""Settings of an assessment: weights and functions of the risk, number of replicates, seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Self

from sdcwidgets import measures
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets.measures.risk import Epsilon, Third, Variant, Weights
from sdcwidgets.measures.suppressed_cells import Suppressed


@dataclass(frozen=True)
class Settings(Declared):
    """Settings for all measures; a measure uses the settings with the names of its parameters.

    Examples
    --------
    >>> settings = Settings().with_own("subtraction", known=3)
    >>> settings.of_measures, measures.get("subtraction").of(settings).known
    ((('subtraction', 'known', 3),), 3)
    """

    weights: Weights = (0.1, 0.8, 0.1)
    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"
    replications: Annotated[
        int,
        Range(1, 100_000),
        Label("Replications"),
        Help("Number of replicates of a random method over which the results are averaged."),
    ] = 1000
    seed: Annotated[
        int,
        Range(0, 2**53 - 1),
        Label("Seed"),
        Help("Start of the random numbers. The same seed gives the same replicates."),
    ] = 1
    of_measures: tuple[tuple[str, str, object], ...] = ()
    """Settings of single measures that differ from their defaults: measure, setting, value."""
    suppressed: Suppressed = "interval"

    def __post_init__(self) -> None:
        super().__post_init__()
        for entry in self.of_measures:
            if not isinstance(entry, tuple | list) or len(entry) != 3:
                raise InputError(
                    f"A setting of a measure is {entry!r}; it must be the measure, the setting and its value, such as "
                    '("subtraction", "known", 3).'
                )
        own = {
            (measures.get(measure).name, name): _checked(measure, name, value)
            for measure, name, value in self.of_measures
        }
        turned = ((*key, value) for key, (value, default) in sorted(own.items()) if value != default)
        object.__setattr__(self, "of_measures", tuple(turned))

    def with_own(self, measure: str, **changes: object) -> Self:
        """Return the settings with changed parameters of one measure."""
        own = tuple((measure, name, value) for name, value in changes.items())
        return replace(self, of_measures=(*self.of_measures, *own))


def _checked(measure: str, name: str, value: object) -> tuple[object, object]:
    """Return the value of a measure's parameter, and its default."""
    own = {item.name: item for item in measures.get(measure).own_settings()}
    if name not in own:
        raise InputError(f"The measure {measure} has no setting {name!r}; it has {', '.join(own) or 'none'}.")
    return own[name].check(value), own[name].default
