"""State of the page Divergences: two distributions, given as counts.

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
from sdcwidgets.widgets.page_state import whole_counts
from sdcwidgets.widgets.page_state.links import Linked

#: Maximum count of a category.
MOST = 10_000

#: Permitted numbers of categories.
CATEGORIES = Range(2, 8)


@dataclass(frozen=True)
class DistanceSettings(Declared):
    """Settings of the distances."""

    order: Annotated[
        float,
        Range(1, 20, 0.5),
        Label("Order p of the Lp distance"),
        Help(
            "With p = 1, the Lp distance is the total variation; with p = 2, the Euclidean distance; with p "
            "= 20, almost the maximum difference."
        ),
    ] = 2.0


@dataclass(frozen=True)
class DivergencesState(Linked):
    """Counts of the same categories before and after a change, with the distributions P and Q.

    Attributes
    ----------
    before, after : tuple of int
        F and G, 2 to 8 categories of 0 to 10,000 people, at least one of them above 0.
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
                f"The distribution P has {size} categories and the distribution Q has {len(self.after)}; "
                "both must have the same number, from 2 to 8."
            )

    def set(self, **changes: object) -> Self:
        """Return a copy with changed settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def resized(self, size: int) -> Self:
        """Return a copy in which categories are removed, or empty categories added, at the end."""
        more = (0,) * size
        return replace(self, before=(self.before + more)[:size], after=(self.after + more)[:size])

    def like(self, name: str) -> Self:
        """Return a copy with the counts of one of the `PRESETS`; for any other name, the counts do not change."""
        preset = PRESETS.get(name, self)
        return replace(self, before=preset.before, after=preset.after)


#: Example pairs by name; the first is the worked example of the thesis, Table 3.6.1. The page opens with
#: "rounded", a row of a table before and after rounding to base 5.
PRESETS: Mapping[str, DivergencesState] = MappingProxyType(
    {
        "thesis": DivergencesState(),
        "equal": DivergencesState((10, 20, 30, 40), (10, 20, 30, 40)),
        "near": DivergencesState((100, 200, 300, 400), (104, 198, 302, 396)),
        "one": DivergencesState((12, 0, 0, 0), (3, 3, 3, 3)),
        "rounded": DivergencesState((13, 22, 8, 41), (15, 20, 10, 40)),
        "opposite": DivergencesState((8, 4, 0, 0), (0, 0, 4, 8)),
    }
)


def beginning(pair: DivergencesState) -> str:
    """Return the name of the pair in `PRESETS`, or "own"."""
    for name, preset in PRESETS.items():
        if (preset.before, preset.after) == (pair.before, pair.after):
            return name
    return "own"


def following(pair: DivergencesState) -> str:
    """Return the name of the next pair in `PRESETS`; the first one follows the last one and "own".

    Examples
    --------
    >>> following(DivergencesState()), following(PRESETS["opposite"]), following(DivergencesState((1, 2), (2, 1)))
    ('equal', 'thesis', 'thesis')
    """
    names = ["own", *PRESETS, next(iter(PRESETS))]
    return names[names.index(beginning(pair)) + 1]
