"""Result of record swapping, and its release without information on the original areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed
from sdcwidgets._util.parameters import generator
from sdcwidgets.microdata import Variable
from sdcwidgets.microdata.roles import tells_apart

if TYPE_CHECKING:
    import pandas as pd

#: Minimum number of records for the test whether distinct, ascending values are an identifier.
_FEWEST = 5

#: Minimum share of repeated values within one area for numbers that people of one area share. Files have errors.
_MOSTLY = 0.9

#: Maximum decimal logarithm of the probability that repeated values are within one area by chance.
_BY_CHANCE = -6.0


class Swapped(NamedTuple):
    """Result of targeted swapping: `for_release` returns the records to publish, all attributes are internal."""

    records: pd.DataFrame
    """Internal records: exchanged areas, but the original order and identifiers, for comparison with the original
    file. Both show who moved, so publish `for_release` instead."""
    moves: pd.DataFrame
    """One row per pair: `unit` and `donor`, their positions or the labels of their households; `level`, the column of
    the hierarchy at which they were paired; `why`: "forced", "risk" or "rate"; `risk` of the unit at that
    level."""
    unmatched: NDArray[np.number]
    """Units at risk, or forced to move, without a donor."""
    wanted: int = 0
    """Number of units that the swap rate requires."""
    behind: tuple[str, ...] = ()
    """Columns that depend on the areas or are nested in them, and were not exchanged."""
    household: str | None = None
    """Column that identifies households."""
    identifying: tuple[str, ...] = ()
    """Other columns that disclose the original area: identifiers, and numbers in the order of the areas."""

    def for_release(
        self, rng: np.random.Generator | int, *, leave_out: Sequence[str] = (), keep: Sequence[str] = ()
    ) -> pd.DataFrame:
        """Return the swapped records for publication, without information on who moved, sorted by their values.

        The order of a file sorted by area discloses who moved, and so do columns whose values increase with the
        position. The columns of `behind` and `identifying` are dropped, and households get new numbers in
        random order.

        Parameters
        ----------
        rng : numpy.random.Generator or int
            Random order of the new household numbers: a generator, or a secret seed.
        leave_out : sequence of str
            Further columns to drop, for example the marks of forced moves.
        keep : sequence of str
            Columns to keep although they may disclose who moved.

        Returns
        -------
        DataFrame
            One row per person.

        Raises
        ------
        InputError
            If a column does not exist.

        Examples
        --------
        >>> import pandas as pd
        >>> from sdcwidgets.methods import targeted
        >>> people = pd.DataFrame({"home": [1, 2, 3, 4], "area": list("AABB"), "job": list("xyyy")})
        >>> swapped = targeted.swap(people, ["area"], ["job"], k=1, rate=0, household="home", rng=3**60)
        >>> sorted(swapped.for_release(3**61)["home"])
        [1, 2, 3, 4]
        """
        rng = generator(rng)
        unknown = [name for name in (*leave_out, *keep) if name not in self.records]
        if unknown:
            raise InputError(
                f"The records have no column {listed(unknown)}; they have {listed(list(map(str, self.records)))}."
            )
        gone = self.left_out(leave_out=leave_out, keep=keep)
        released = self.records.drop(columns=list(gone))
        if self.household is not None and self.household not in keep:
            number = codes_of(self.records, [self.household])
            released[self.household] = 1 + rng.permutation(int(number.max()) + 1)[number]
        codes = [_codes_in_order(released[name]) for name in released]
        return released.iloc[np.lexsort(codes[::-1])].reset_index(drop=True)

    def left_out(self, *, leave_out: Sequence[str] = (), keep: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the columns that `for_release` drops."""
        gone = {*self.behind, *self.identifying, *leave_out} - set(keep)
        return tuple(name for name in map(str, self.records) if name in gone)

    @property
    def note(self) -> str:
        """Summary: moves, units without a donor, an unreached rate, columns not exchanged, levels with two values."""
        moved = 2 * len(self.moves)
        sentences = [f"{moved:,} units exchanged their areas."]
        if self.unmatched.size:
            sentences.append(
                f"Units without a possible partner: {self.unmatched.size:,}. Require fewer variables to "
                f"agree."
            )
        if moved < self.wanted:
            sentences.append(
                f"The swap rate requires {self.wanted:,} units; this number was not reached, because no "
                f"other unit has a possible partner."
            )
        if moved and self.behind:
            names = listed(list(self.behind))
            sentences.append(
                f"{names} depends on the area, but was not exchanged with the area. Add this column to the "
                f"columns that are exchanged."
            )
        sentences += [
            f"{level} has only two values. An intruder can infer that a record with a unique combination of the risk "
            "variables comes from the other one."
            for level in self.moves["level"].unique()
            if self.records[level].nunique() == 2
        ]
        return " ".join(sentences)

    @property
    def report(self) -> pd.DataFrame:
        """Moves, and one row with the reason "no donor" for each unit at risk or forced that did not move."""
        import pandas as pd

        unmatched = pd.DataFrame({"unit": self.unmatched, "why": "no donor"})
        return pd.concat([self.moves, unmatched], ignore_index=True) if len(unmatched) else self.moves


def follows_areas(column: pd.Series, known: pd.DataFrame, hierarchy: Sequence[str]) -> bool:
    """Return whether a column discloses where a person lives.

    This is the case if each area has one value of it, or each value occurs in one area. The second condition is
    not used if a value occurs only once, because such a value is in one area by chance.

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
    """Return whether a column discloses the area of each record.

    This is the case for identifiers, which can be looked up or increase with the position, for values whose order
    follows the areas, for example numbers of dwellings, and for numbers that people of one area share, for example
    household numbers: after the swap, a household in two areas has a member that moved.
    """
    variable = Variable.of(str(column.name), _as_numbers(column))
    codes, records = variable.codes.astype(np.int64), len(variable.codes)
    if tells_apart(variable) or _is_shared_in_areas(codes, area):
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


def _is_shared_in_areas(codes: Whole, area: Whole) -> bool:
    """Return whether records with the same value nearly always are in the same area, and not by chance.

    Values that only one record has, such as the numbers of one-person households, are ignored.
    """
    known = codes >= 0
    codes, area = codes[known], area[known]
    records = np.bincount(codes)
    pairs = np.unique(np.stack([codes, area]), axis=1)[0]
    areas = np.bincount(pairs, minlength=len(records))
    is_repeated = records > 1
    is_inside = is_repeated & (areas == 1)
    if not is_repeated.any() or is_inside.sum() < _MOSTLY * is_repeated.sum():
        return False
    shares = np.unique(area, return_counts=True)[1] / len(area)
    sizes, times = np.unique(records[is_inside], return_counts=True)
    chances = [float(np.log10((shares**size).sum())) for size in sizes]
    return float(np.dot(chances, times)) < _BY_CHANCE


def _as_numbers(column: pd.Series) -> pd.Series:
    """Return a text column as numbers if all its values are numbers."""
    import pandas as pd

    try:
        return pd.to_numeric(column)
    except (TypeError, ValueError):
        return column


def _codes_in_order(column: pd.Series) -> Whole:
    """Return codes of the values in their sorted order, independent of the order of the records."""
    import pandas as pd

    return pd.factorize(column.astype(str).where(column.notna()), sort=True)[0].astype(np.int64)


def codes_of(records: pd.DataFrame, columns: Sequence[str]) -> Whole:
    """Return a code for each combination of the columns, from 0."""
    import pandas as pd

    joined = np.zeros(len(records), dtype=np.int64)
    for name in columns:
        codes = pd.factorize(records[name], use_na_sentinel=False)[0]
        joined = codes_of_pairs(joined, codes)
    return joined


def codes_of_pairs(first: Whole, second: Whole) -> Whole:
    """Return a code for each pair of two codes, from 0 without missing numbers."""
    import pandas as pd

    return pd.factorize(first * (int(second.max(initial=0)) + 1) + second)[0].astype(np.int64)
