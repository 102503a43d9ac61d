"""Swapped records, and what of them may be published: nothing that shows where a record was before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed
from sdcwidgets.microdata import Variable
from sdcwidgets.microdata.roles import tells_apart

if TYPE_CHECKING:
    import pandas as pd

#: Fewest records in which values that all differ and go up with the file count as an identifier.
_FEWEST = 5


class Swapped(NamedTuple):
    """Records after targeted swapping, and who moved and why."""

    records: pd.DataFrame
    """The records in their order, with exchanged areas: for the agency only. `for_release` returns those to publish."""
    moves: pd.DataFrame
    """A line a pair: `unit` and `donor`, their positions or the labels of their households; `level`, the column of
    the hierarchy at which they were paired; `why`: "forced", "risk" or "rate"; `risk`, of the unit at that level."""
    unmatched: NDArray[np.number]
    """The units at risk, or forced, for whom no donor was left."""
    wanted: int = 0
    """How many units the swap rate asks for."""
    behind: tuple[str, ...] = ()
    """Columns that follow from the areas, or lie within them, and did not move along."""
    household: str | None = None
    """The column that tells households apart."""
    identifying: tuple[str, ...] = ()
    """Other columns that show in which area a record was: identifiers, and numbers in the order of the areas."""

    def for_release(
        self, rng: np.random.Generator, *, leave_out: Sequence[str] = (), keep: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Return the swapped records without anything that shows who moved, in the order of their values.

        The order of a file that is sorted by area shows who moved, and so do columns whose values go up with it. The
        columns of `behind` and `identifying` are left out, and households get new numbers in random order.

        Parameters
        ----------
        rng : numpy.random.Generator
            Draws the new numbers of the households. Use a secret seed.
        leave_out : sequence of str
            Further columns to leave out, such as the marks of forced moves.
        keep : sequence of str
            Columns to keep although they may show who moved.

        Returns
        -------
        DataFrame
            One line per person.

        Raises
        ------
        InputError
            If there is no such column.
        """
        unknown = [name for name in (*leave_out, *keep) if name not in self.records]
        if unknown:
            raise InputError(
                f"The records have no column {listed(unknown)}; they have {listed([*map(str, self.records)])}."
            )
        gone = self.left_out(leave_out=leave_out, keep=keep)
        released = self.records.drop(columns=list(gone))
        if self.household is not None and self.household not in keep:
            number = codes_of(self.records, [self.household])
            released[self.household] = 1 + rng.permutation(int(number.max()) + 1)[number]
        codes = [_codes_in_order(released[name]) for name in released]
        return released.iloc[np.lexsort(codes[::-1])].reset_index(drop=True)

    def left_out(self, *, leave_out: Sequence[str] = (), keep: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the columns that `for_release` leaves out."""
        gone = {*self.behind, *self.identifying, *leave_out} - {*keep}
        return tuple(name for name in map(str, self.records) if name in gone)

    @property
    def note(self) -> str:
        """What happened: who moved, who found no donor, a rate that was not reached, what stayed behind."""
        moved = 2 * len(self.moves)
        sentences = [f"{moved:,} units exchanged their areas."]
        if self.unmatched.size:
            sentences.append(
                f"Donors ran out for {self.unmatched.size:,}; take fewer variables that must agree."
            )
        if moved < self.wanted:
            sentences.append(
                f"The swap rate asks for {self.wanted:,}: it was not reached, since nobody else has a donor."
            )
        if moved and self.behind:
            names = listed(list(self.behind))
            sentences.append(f"{names} belongs to the area and stayed behind; name it with what moves along.")
        return " ".join(sentences)

    @property
    def report(self) -> pd.DataFrame:
        """The moves, and a line with the why "no donor" for each unit at risk, or forced, that stays."""
        import pandas as pd

        unmatched = pd.DataFrame({"unit": self.unmatched, "why": "no donor"})
        return pd.concat([self.moves, unmatched], ignore_index=True) if len(unmatched) else self.moves


def follows_areas(column: pd.Series, known: pd.DataFrame, hierarchy: Sequence[str]) -> bool:
    """Return whether a column shows where a person lives.

    It does if each area has one value of it, or if each value is in one area. If a value occurs in one record only,
    the second condition is not used, because that value is in one area by chance.

    Parameters
    ----------
    column : Series
        One value per record.
    known : DataFrame
        The records, with the columns of the areas.
    hierarchy : sequence of str
        Columns of the areas, from the largest to the smallest.

    Returns
    -------
    bool
    """
    import pandas as pd

    areas, values = (
        codes_of(known, hierarchy),
        pd.factorize(column, use_na_sentinel=False)[0].astype(np.int64),
    )
    both = len(np.unique(codes_of_pairs(areas, values)))
    kinds, places = len(np.unique(values)), len(np.unique(areas))
    often = np.bincount(values).min(initial=2) > 1
    return kinds > 1 and places > 1 and (both == places or (often and both == kinds))


def shows_area(column: pd.Series, area: Whole) -> bool:
    """Return whether a column shows in which area each record is.

    An identifier does, since it can be looked up or goes up with the file, and so do values in whose order the areas
    follow each other, such as the numbers of dwellings.
    """
    variable = Variable.of(str(column.name), _as_numbers(column))
    codes, records = variable.codes.astype(np.int64), len(variable.codes)
    if tells_apart(variable):
        return True
    kinds, places = len(variable.categories), int(area.max()) + 1
    steps = np.diff(codes)
    counted = variable.categories.dtype.kind != "f"
    if counted and kinds == records >= _FEWEST and ((steps > 0).all() or (steps < 0).all()):
        return True
    if not (records >= 2 * _FEWEST and kinds >= places > 1) or variable.missing:
        return False
    runs = 1 + int((np.diff(area[np.lexsort((area, codes))]) != 0).sum())
    return runs <= places + kinds // 20


def _as_numbers(column: pd.Series) -> pd.Series:
    """Return a column of text as numbers where all of it are numbers."""
    import pandas as pd

    try:
        return pd.to_numeric(column)
    except (TypeError, ValueError):
        return column


def _codes_in_order(column: pd.Series) -> Whole:
    """Return a number for each value, in the order of the values; it depends on no order of the records."""
    import pandas as pd

    return pd.factorize(column.astype(str).where(column.notna()), sort=True)[0].astype(np.int64)


def codes_of(records: pd.DataFrame, columns: Sequence[str]) -> Whole:
    """Return a number for each combination of the columns, from 0."""
    import pandas as pd

    joined = np.zeros(len(records), dtype=np.int64)
    for name in columns:
        codes = pd.factorize(records[name], use_na_sentinel=False)[0]
        joined = codes_of_pairs(joined, codes)
    return joined


def codes_of_pairs(first: Whole, second: Whole) -> Whole:
    """Return a number for each pair of two numbers, from 0 without a gap."""
    import pandas as pd

    return pd.factorize(first * (int(second.max(initial=0)) + 1) + second)[0].astype(np.int64)
