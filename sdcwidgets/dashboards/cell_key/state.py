"""The cell key lab: a p-table, the noise that it gives to a table, and one person followed into it.

A table brings no records, so each person in it is given a record key by cell and number, as an office gives one to
each of its records once. The keys are unmixed, as in the handbook.

References: handbook, chapter 5, section 5.4; Giessing 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import with_fields
from sdcwidgets.methods import cellkey
from sdcwidgets.widgets.studies.base import TableState

#: The greatest size of a p-table file.
MOST_LETTERS = 300_000

#: The greatest number of repeated queries.
MOST_ASKED = 200

Cell = tuple[int, int]


@dataclass(frozen=True)
class CellKeyState(TableState):
    """A table, the p-table of its noise, and who is followed.

    Attributes
    ----------
    noise : CellKey
        What the p-table is made for.
    p_table_text : str
        A p-table from a file, as text; "" where it is made for `noise`.
    cell : (row, column), optional
        The cell that is looked at, as the screen shows the table; the first with a few people if not given.
    person : int
        Who of its people is followed, from 0.
    seed : int
        Another seed is other record keys for everybody.
    asks : int
        How often the count of the cell was asked for.
    """

    noise: cellkey.CellKey = field(default_factory=partial(cellkey.CellKey, cell_keys="plain"))
    p_table_text: str = ""
    cell: Cell | None = None
    person: int = 0
    seed: int = 1
    asks: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.p_table_text) > MOST_LETTERS:
            raise InputError(
                f"The p-table has {len(self.p_table_text):,} letters; at most {MOST_LETTERS:,} are read."
            )
        for name, value, most in (("seed", self.seed, 10**6), ("number of asks", self.asks, MOST_ASKED)):
            if type(value) is not int or not 1 <= value <= most:
                raise InputError(f"The {name} is {value}; it must be a whole number from 1 to {most:,}.")
        if type(self.person) is not int or self.person < 0:
            raise InputError(f"There is no person {self.person}; they are counted from 0.")
        if self.cell is not None:
            object.__setattr__(self, "cell", (int(self.cell[0]), int(self.cell[1])))

    def noised(self, **changes: object) -> Self:
        """Return the same table with a p-table that is made for other settings."""
        return replace(self, noise=with_fields(self.noise, **changes), p_table_text="")

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {
            "noise": asdict(self.noise),
            "given": self.p_table_text,
            "cell": self.cell,
            "person": self.person,
            "seed": self.seed,
            "asks": self.asks,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        cell = None if saved["cell"] is None else (saved["cell"][0], saved["cell"][1])
        # The page shows the unmixed keys of the handbook; a link without this setting must not change that.
        noise = cellkey.CellKey(**{**saved["noise"], "cell_keys": "plain"})
        return cls(
            **vars(base),
            noise=noise,
            p_table_text=str(saved["given"]),
            cell=cell,
            person=saved["person"],
            seed=saved["seed"],
            asks=saved["asks"],
        )
