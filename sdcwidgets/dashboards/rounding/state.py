"""State of the page Rounding: a table, the settings of four rounding methods, and a published value.

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
from sdcwidgets.widgets.page_state.table_state import TableState

#: The methods by their names in links, in the order of the page.
METHODS = ("conventional", "random", "semi-controlled", "controlled")


@dataclass(frozen=True)
class RoundingSettings(Declared):
    """The settings of the page's controls."""

    base: Base = 5
    steps: Steps = 0
    draw: Annotated[
        int,
        Range(1, 1_000_000),
        Label("Replicate number"),
        Help("Each number selects another replicate of random and of semi-controlled rounding."),
    ] = 1
    count: Annotated[
        int,
        Range(0, 60),
        Label("Original count z"),
        Help("Original count for which the chart shows the possible published values of each method."),
    ] = 4
    published: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Published value a"),
        Help(
            "Published value for which the page computes the possible original counts. You can also select "
            "a value in a table."
        ),
    ] = 15


@dataclass(frozen=True)
class RoundingState(TableState):
    """A table, its rounding settings, and the chosen published value.

    Attributes
    ----------
    rounding : RoundingSettings
    method : str
        The method of the published value, one of METHODS.
    secret : int
        Seed of the controlled rounding for publication; links do not contain it.
    """

    rounding: RoundingSettings = field(default_factory=RoundingSettings)
    method: str = "controlled"
    secret: int = field(default_factory=partial(secrets.randbits, 128), compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise InputError(
                f"There is no rounding method {self.method!r}; choose one of {', '.join(METHODS)}."
            )

    def rounded(self, **changes: object) -> Self:
        """Return a copy with changed settings of the rounding."""
        return replace(self, rounding=with_fields(self.rounding, **changes))

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
        return super().saved() | {"rounding": asdict(self.rounding), "method": self.method}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state that has these plain values."""
        base = TableState.restored(saved)
        rounding = RoundingSettings(**saved["rounding"])
        return cls(base.table, base.source, base.settings, base.arrangement, rounding, str(saved["method"]))
