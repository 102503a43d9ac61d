"""State of the page Cell key: a table, a p-table, and the selected cell and person.

A table of counts has no records, so each person gets a record key that depends on the cell and a number, as an agency
assigns one to each record. The cell keys are unmixed, as in the handbook.

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
from sdcwidgets.widgets.page_state.table_state import TableState

#: Maximum size of a p-table file, in characters.
MOST_LETTERS = 300_000

#: Maximum number of repeated requests.
MOST_ASKED = 200

Cell = tuple[int, int]


@dataclass(frozen=True)
class CellKeyState(TableState):
    """A table, the p-table of its noise, and the selected person.

    Attributes
    ----------
    noise : CellKey
        Settings of the p-table.
    p_table_text : str
        A p-table from a file, as text; "" if it is computed from `noise`.
    cell : (row, column), optional
        Selected cell, in the arrangement of the screen; default is the first cell with a few people.
    person : int
        Number of the selected person in the cell, from 0.
    seed : int
        Seed of the record keys.
    asks : int
        Number of requests of the cell's count.
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
                f"The p-table has {len(self.p_table_text):,} characters; at most {MOST_LETTERS:,} are allowed."
            )
        for name, value, most in (
            ("seed", self.seed, 10**6),
            ("number of requests for the count", self.asks, MOST_ASKED),
        ):
            if type(value) is not int or not 1 <= value <= most:
                raise InputError(f"The {name} is {value}; it must be a whole number from 1 to {most:,}.")
        if type(self.person) is not int or self.person < 0:
            raise InputError(
                f"The number of the selected person is {self.person}; it must be a whole number of at "
                "least 0."
            )
        if self.cell is not None:
            object.__setattr__(self, "cell", (int(self.cell[0]), int(self.cell[1])))

    def noised(self, **changes: object) -> Self:
        """Return a copy with changed settings of the p-table, which is then computed."""
        return replace(self, noise=with_fields(self.noise, **changes), p_table_text="")

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
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
        """Return the state that has these plain values."""
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
