"""State of the page Who: original and published counts, and the place in the sequence of Y variables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.widgets.page_state import whole_counts
from sdcwidgets.widgets.page_state.links import Linked

#: Maximum number of people in a cell.
MOST = 10_000

#: Range of the number of cells.
CELLS = Range(2, 8)


@dataclass(frozen=True)
class Search(Declared):
    """Set of Y variables, and their order."""

    among: Annotated[
        str,
        Choices({"closest": "Possibilities with fewest moves, Ω*", "all": "All possibilities, Ω"}),
        Label("Possibilities that are considered"),
    ] = "closest"
    order: Annotated[
        str,
        Choices({"listed": "In the order of a list", "drawn": "Random draws"}),
        Label("Order of the possibilities"),
        Help(
            "In a list, each possibility occurs once. In random draws, all possibilities are equally likely."
        ),
    ] = "listed"

    @property
    def closest(self) -> bool:
        """Whether only Y variables in Ω* are considered."""
        return self.among == "closest"


@dataclass(frozen=True)
class WhoState(Linked):
    """Original and published counts of the same cells, and the place in the sequence of Y variables.

    Attributes
    ----------
    before, after : tuple of int
        F and G, 2 to 8 cells with 0 to 10,000 people, not all of them empty.
    settings : Search
    position : int
        Index of the current Y variable, from 0.
    """

    before: tuple[int, ...] = (0, 2, 4)
    after: tuple[int, ...] = (0, 3, 3)
    settings: Search = field(default_factory=Search)
    position: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "before", whole_counts(self.before, "F", MOST))
        object.__setattr__(self, "after", whole_counts(self.after, "G", MOST))
        size = len(self.before)
        if size != len(self.after) or not CELLS.low <= size <= CELLS.high:
            raise InputError(
                f"The original row F has {size} cells and the published row G has {len(self.after)}; both "
                "must have the same number of cells, from 2 to 8."
            )
        if type(self.position) is not int or self.position < 0:
            raise InputError(
                f"There is no possibility with the number {self.position}; the first possibility has the "
                "number 0."
            )

    def set(self, **changes: object) -> Self:
        """Return the state with other settings, at the first possibility."""
        return replace(self, settings=with_fields(self.settings, **changes), position=0)

    def recounted(self, before: tuple[int, ...], after: tuple[int, ...]) -> Self:
        """Return the state with other counts, at the first possibility."""
        return replace(self, before=before, after=after, position=0)

    def resized(self, size: int) -> Self:
        """Return the state with cells removed or empty cells added at the end."""
        more = (0,) * size
        return self.recounted((self.before + more)[:size], (self.after + more)[:size])
