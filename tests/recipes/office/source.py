"""A source."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io.sources import Code, Reading, Source, register
from sdcwidgets.tables.io.sources.base import written

TITLES = {"even": "Everywhere the same", "steps": "One more in each cell"}


@register
@dataclass(frozen=True)
class Invented(Source):
    """A table that the office invented to teach with."""

    name: str
    asks: ClassVar[str] = "name"

    @classmethod
    def names(cls) -> Mapping[str, str]:
        """Return what was invented."""
        return TITLES

    @classmethod
    def from_input(cls, content: str | bytes, name: str = "") -> Self:
        """Return the table of a name."""
        return cls(str(content))

    @property
    def title(self) -> str:
        """Its title."""
        return TITLES[self.name]

    def read(self, limit: int | None = None) -> Reading:
        """Make the table."""
        counts = np.full((3, 4), 7) if self.name == "even" else np.arange(12).reshape(3, 4)
        return Reading(FrequencyTable(counts))

    def to_state(self) -> dict[str, Any]:
        """Return the name."""
        return {"invented": self.name}

    @classmethod
    def from_state(cls, saved: Mapping[str, Any]) -> Self | None:
        """Return what a link names."""
        return cls(saved["invented"]) if saved.get("invented") in TITLES else None

    def code(self, table: FrequencyTable) -> Code:
        """Return the table written out."""
        return written(table)
