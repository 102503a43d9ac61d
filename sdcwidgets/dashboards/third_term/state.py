"""The third term of the risk: three functions of how small a table is, and their printed values.

References: thesis, section 3.5.1 and Tables A.1.1 and A.1.2.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.widgets.studies import whole_counts
from sdcwidgets.widgets.studies.links import Linked

#: The largest table whose values are marked.
LARGEST = 10_000

#: A cell holds at most this many people.
MOST = 1_000_000


@dataclass(frozen=True)
class ThirdTermSettings(Declared):
    """What can be turned beside the counts."""

    epsilon: Annotated[
        float, Range(0, 1, 0.05), Label("ε"), Help("How fast a larger table counts as safer; 0: not at all.")
    ] = 0.5
    people: Annotated[
        int, Range(1, LARGEST), Label("People N"), Help("The size of table whose values are marked.")
    ] = 100
    fan: Annotated[
        str,
        Choices({"h1": "h₁", "h2": "h₂"}),
        Label("Other ε for"),
        Help("The thin lines show this function for ε = 0.1, 0.3, 0.5, 0.8 and 1."),
    ] = "h2"


@dataclass(frozen=True)
class ThirdTermState(Linked):
    """A row of counts and the settings of the third term.

    Attributes
    ----------
    counts : tuple of int
        F, 2 to 20 cells, not all of them empty.
    settings : ThirdTermSettings
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0, 1, 1, 1, 2, 3)
    settings: ThirdTermSettings = field(default_factory=ThirdTermSettings)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", whole_counts(self.counts, "F", MOST))
        if not 2 <= len(self.counts) <= 20:
            raise InputError(f"F has {len(self.counts)} cells; it must have from 2 to 20.")

    def set(self, **changes: object) -> Self:
        """Return the same counts under other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))
