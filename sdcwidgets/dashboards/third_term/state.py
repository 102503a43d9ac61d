"""State of the page Third term: a row of counts, and the settings of the third term of the disclosure risk.

References: thesis, section 3.5.1 and Tables A.1.1 and A.1.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.widgets.page_state import whole_counts
from sdcwidgets.widgets.page_state.links import Linked

#: Maximum number of people of the setting `people`.
LARGEST = 10_000

#: Maximum count of a cell.
MOST = 1_000_000


@dataclass(frozen=True)
class ThirdTermSettings(Declared):
    """Settings of the third term and its chart."""

    epsilon: Annotated[
        float,
        Range(0, 1, 0.05),
        Label("Exponent of the number of people (ε)"),
        Help(
            "With a larger ε, the third term decreases faster with the number of people. "
            "With ε = 0, the third term does not decrease."
        ),
    ] = 0.5
    people: Annotated[
        int,
        Range(1, LARGEST),
        Label("Number of people (N)"),
        Help("The chart marks the values of h₁ and h₂ for a table of this size."),
    ] = 100
    fan: Annotated[
        str,
        Choices({"h1": "Power function (h₁)", "h2": "Entropy function (h₂)"}),
        Label("Function in the headline and the thin lines"),
        Help(
            "The headline states the value of this function. "
            "The thin lines of the chart show this function for ε = 0.1, 0.3, 0.5, 0.8 and 1."
        ),
    ] = "h2"


@dataclass(frozen=True)
class ThirdTermState(Linked):
    """A row of counts and the settings of the third term.

    Attributes
    ----------
    counts : tuple of int
        F, 2 to 20 cells, at least one of them above 0.
    settings : ThirdTermSettings
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0, 1, 1, 1, 2, 3)
    settings: ThirdTermSettings = field(default_factory=ThirdTermSettings)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", whole_counts(self.counts, "F", MOST))
        if not 2 <= len(self.counts) <= 20:
            raise InputError(f"The row F has {len(self.counts)} cells; it must have 2 to 20 cells.")

    def set(self, **changes: object) -> Self:
        """Return a copy with changed settings."""
        return replace(self, settings=with_fields(self.settings, **changes))
