"""Two distributions, how far apart they are, and the inequalities that tie the distances together.

References: thesis, sections 3.3 and 3.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.widgets.studies import whole_counts
from sdcwidgets.widgets.studies.links import Linked

#: A category holds at most this many people.
MOST = 10_000

#: How many categories two distributions may have.
CATEGORIES = Range(2, 8)


@dataclass(frozen=True)
class DistanceSettings(Declared):
    """The controls beside the counts."""

    order: Annotated[
        float,
        Range(1, 20, 0.5),
        Label("Order p of Lp"),
        Help("1 is total variation, 2 the distance of school geometry, 20 almost the greatest difference."),
    ] = 2.0


@dataclass(frozen=True)
class DivergencesState(Linked):
    """Counts before and after, of the same categories, which stand for the distributions P and Q.

    Attributes
    ----------
    before, after : tuple of int
        F and G, 2 to 8 categories of 0 to 10,000 people, not all of them empty.
    settings : DistanceSettings
    """

    before: tuple[int, ...] = (0, 2, 4)
    after: tuple[int, ...] = (0, 3, 3)
    settings: DistanceSettings = field(default_factory=DistanceSettings)

    def __post_init__(self) -> None:
        object.__setattr__(self, "before", whole_counts(self.before, "P", MOST))
        object.__setattr__(self, "after", whole_counts(self.after, "Q", MOST))
        size = len(self.before)
        if size != len(self.after) or not CATEGORIES.low <= size <= CATEGORIES.high:
            raise InputError(
                f"P has {size} categories and Q {len(self.after)}; both must have the same, from 2 to 8."
            )

    def set(self, **changes: object) -> Self:
        """Return the same counts under other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def resized(self, size: int) -> Self:
        """Return the pair with categories left out at the end, or empty ones added there."""
        more = (0,) * size
        return replace(self, before=(self.before + more)[:size], after=(self.after + more)[:size])

    def like(self, name: str) -> Self:
        """Return one of the `PRESETS` under the same settings; this pair for any other name."""
        preset = PRESETS.get(name, self)
        return replace(self, before=preset.before, after=preset.after)


#: Pairs to begin with, by name; the first is the worked example of the thesis, Table 3.6.1.
PRESETS: Mapping[str, DivergencesState] = MappingProxyType(
    {
        "thesis": DivergencesState(),
        "equal": DivergencesState((10, 20, 30, 40), (10, 20, 30, 40)),
        "near": DivergencesState((100, 200, 300, 400), (104, 198, 302, 396)),
        "one": DivergencesState((12, 0, 0, 0), (3, 3, 3, 3)),
        "opposite": DivergencesState((8, 4, 0, 0), (0, 0, 4, 8)),
    }
)


def beginning(pair: DivergencesState) -> str:
    """Return which of the `PRESETS` a pair is; "own" for none of them."""
    for name, preset in PRESETS.items():
        if (preset.before, preset.after) == (pair.before, pair.after):
            return name
    return "own"


def following(pair: DivergencesState) -> str:
    """Return which of the `PRESETS` comes after a pair; the first after the last, and after a pair of one's own.

    >>> following(DivergencesState()), following(PRESETS["opposite"]), following(DivergencesState((1, 2), (2, 1)))
    ('equal', 'thesis', 'thesis')
    """
    names = ["own", *PRESETS, next(iter(PRESETS))]
    return names[names.index(beginning(pair)) + 1]
