"""The rounding lab: four ways to round one table side by side, what a reader concludes, and the solver at work.

References: handbook, chapter 5, section 5.5, Tables 5.18 to 5.22.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.methods.rounding.controlled import Steps
from sdcwidgets.methods.rounding.single import Base
from sdcwidgets.widgets.studies.base import TableState

#: The methods by their names in links, in the order of the page.
METHODS = ("conventional", "random", "semi-controlled", "controlled")


@dataclass(frozen=True)
class RoundingSettings(Declared):
    """The controls beside the table."""

    base: Base = 5
    steps: Steps = 0
    draw: Annotated[
        int,
        Range(1, 1_000_000),
        Label("Draw number"),
        Help("Each number is another draw of the two methods that use chance."),
    ] = 1
    count: Annotated[
        int,
        Range(0, 60),
        Label("True count z"),
        Help("The count that is followed: where each rounding may put it."),
    ] = 4
    published: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Published value a"),
        Help("The number that a reader sees; press one in a table, or type it."),
    ] = 15


@dataclass(frozen=True)
class RoundingState(TableState):
    """A table, its rounding methods, and the chosen published number.

    Attributes
    ----------
    rounding : RoundingSettings
    method : str
        The method that the number was published by, one of METHODS.
    secret : int
        What a controlled rounding for publication is chosen by; a link does not hold it.
    """

    rounding: RoundingSettings = field(default_factory=RoundingSettings)
    method: str = "controlled"
    secret: int = field(default_factory=partial(secrets.randbits, 128), compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise InputError(f"There is no rounding {self.method!r}; there are {', '.join(METHODS)}.")

    def rounded(self, **changes: object) -> Self:
        """Return the same table under other settings of the rounding."""
        return replace(self, rounding=with_fields(self.rounding, **changes))

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {"rounding": asdict(self.rounding), "method": self.method}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        rounding = RoundingSettings(**saved["rounding"])
        return cls(base.table, base.source, base.settings, base.arrangement, rounding, str(saved["method"]))
