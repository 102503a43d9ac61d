"""Targeted record swapping of the people of a table: people in small cells exchange their areas."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Whole
from sdcwidgets._util.labels import listed
from sdcwidgets._util.parameters import Choices, Help, Label, Range
from sdcwidgets.core.streams import uniform
from sdcwidgets.methods.base import register
from sdcwidgets.methods.pairing import TURNS, Uniform, fill, is_at_risk, pair
from sdcwidgets.methods.swapping import RecordSwapping, check_people
from sdcwidgets.methods.tabular import PreTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd


#: Maximum number of people; the search for partners needs more memory than other methods.
MOST_RECORDS = 10_000_000

#: Limitation of every release.
LIMITATION = (
    "Targeted record swapping moves all people at risk if they have partners. Data users who apply the "
    "method to possible original tables may therefore infer original counts, most of all in small tables."
)

#: Reasons for a move; a donor is a partner that was not selected for another reason.
NOT_MOVED, AT_RISK, FOR_THE_RATE, DONOR = range(4)


@register
@dataclass(frozen=True)
class TargetedRecordSwapping(RecordSwapping):
    """Exchanges the category of one variable, such as the area, between people in small cells and similar people.

    A person is at risk if at most k people of their area (or fewer than k) agree in all variables of the table,
    that is if the count of their cell is at most k. Each person at risk is paired with a person of another area
    who has the same control variables (strata) and no partner yet, drawn by the risk 1 / (count of the cell).
    Random pairs are then added until the swap rate is reached. People without a donor are not moved.

    A table contains neither households nor nested areas. For records, `methods.targeted.swap` moves whole
    households, level by level of a hierarchy.

    References
    ----------
    Handbook, chapter 5, section 5.6.1.

    Examples
    --------
    >>> table = FrequencyTable([[1, 9], [8, 0]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    >>> TargetedRecordSwapping(rate=0, k=1).apply(table, np.random.default_rng(1)).marginal("Area").counts
    array([10,  8])
    """

    rate: Annotated[
        float,
        Range(0, 0.5, 0.01),
        Label("Minimum swap rate"),
        Help("Minimum share of people whose area is exchanged, including people at risk and their partners."),
    ] = 0.05
    k: Annotated[
        int,
        Range(1, 20),
        Label("Risk threshold k"),
        Help("People in cells with at most this count are swapped if a partner exists."),
    ] = 3
    at_risk: Annotated[
        str,
        Choices({"most": "at most k", "below": "fewer than k"}),
        Label("Risk rule"),
        Help(
            "If this option is on, people in cells with exactly k people are also at risk. In sdcMicro, "
            "these people are not at risk."
        ),
    ] = "most"

    def nobody(self, table: FrequencyTable) -> str:
        """Return the reason why nobody is drawn, or ""."""
        if not ((table.counts > 0) & self.risky(table.counts)).any() and not self.wanted(table):
            least = self.k - (self.at_risk == "below")
            return f"Nobody is swapped, because no cell has 1 to {least} people and the swap rate is 0."
        return ""

    def risky(self, alike: NDArray[np.number]) -> Flags:
        """Return a mask of the counts at risk."""
        return is_at_risk(alike, self.k, self.at_risk == "below")

    def moves(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Whole, Whole]:
        """Return the cell of each person before and after, shape (size, people).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        origins, destinations : ndarray of int64, shape (size, people)
        """
        paired = _paired(self, table, size, rng)
        return paired.before, paired.after

    def person_transition(self, table: FrequencyTable) -> None:
        """Return None, because the probabilities depend on the partners that people at risk find."""

    reports = True

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release, with a limitation: it is not known what data users infer by running the method.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins, bounds and the limitation.
        """
        release = PreTabular.release_from_cells(self, table, cells, rng)
        return replace(release, limitation=LIMITATION)

    def wanted(self, table: FrequencyTable) -> int:
        """Return the number of people that the swap rate requires, including those at risk."""
        return math.ceil(self.rate * table.total)

    def private_note(self, table: FrequencyTable, stayed: Whole | None = None) -> str:
        """Return the number and cells of people at risk without a donor, and a swap rate that was not reached.

        Examples
        --------
        >>> table = FrequencyTable([[1, 5], [0, 0]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
        >>> TargetedRecordSwapping(rate=0, k=1).private_note(table, table.counts).partition(". Use")[0]
        'People at risk without a possible partner: 1 of 1. They stay in their cells: "A, f"'
        """
        if stayed is None:
            return ""
        at_risk = (table.counts > 0) & self.risky(table.counts)
        unmatched = np.argwhere(at_risk & (stayed > 0))
        short = super().private_note(table, stayed)
        if not len(unmatched):
            return short
        where = listed(
            [
                ", ".join(axis.labels[i] for axis, i in zip(table.axes, cell, strict=True))
                for cell in unmatched
            ]
        )
        shortage = (
            f"People at risk without a possible partner: {stayed[at_risk].sum():,} of "
            f"{table.counts[at_risk].sum():,}. They "
            f"stay in their cells: {where}. Use fewer control variables, or merge categories."
        )
        return f"{shortage} {short}".rstrip()

    def report(self, table: FrequencyTable, rng: np.random.Generator | int, draw: int = 0) -> pd.DataFrame:
        """Return the people who move in a replicate with this seed and the reason, one row per person.

        The columns are the axes of the table with the original labels; "to" with the new area; "why" ("risk",
        "rate", "donor" for a partner, or "no donor" for a person at risk who stays); and "alike", the original
        count of the person's cell. Replicate 0 is the table of `apply`.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        rng : numpy.random.Generator or int
            A generator, or the seed of the replicates.
        draw : int
            Number of the replicate, from 0; `apply` and `release` return replicate 0.

        Returns
        -------
        DataFrame
            One row per person.

        Examples
        --------
        >>> table = FrequencyTable([[1, 9], [8, 0]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
        >>> TargetedRecordSwapping(rate=0, k=1).report(table, 1)["why"].tolist()
        ['risk', 'donor']
        """
        import pandas as pd

        rng = self.random_numbers(table, rng)
        for _ in range(draw):
            _starts(table, 1, rng)
        paired = _paired(self, table, 1, rng)
        at_risk = self.risky(table.counts.ravel()[paired.before[0]])
        moved = np.flatnonzero((paired.why[0] != NOT_MOVED) | at_risk)
        before, after = (cells[0, moved] for cells in (paired.before, paired.after))
        axis = table.axis_along(self.axis)
        labels = {
            own_axis.name: np.array(own_axis.labels, dtype=object)[index]
            for own_axis, index in zip(table.axes, np.unravel_index(before, table.shape), strict=True)
        }
        to = np.array(table.axes[axis].labels, dtype=object)[np.unravel_index(after, table.shape)[axis]]
        why = np.array(["no donor", "risk", "rate", "donor"], dtype=object)[paired.why[0, moved]]
        return pd.DataFrame({**labels, "to": to, "why": why, "alike": table.counts.ravel()[before]})


class _Paired(NamedTuple):
    """Cells of the people before and after, and the reason of each move; shape (size, people)."""

    before: Whole
    after: Whole
    why: NDArray[np.int8]


def _starts(table: FrequencyTable, size: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return the seed of each person's random numbers, which do not depend on other people."""
    return rng.integers(2**64, size=size * table.total, dtype=np.uint64)


def _paired(
    method: TargetedRecordSwapping, table: FrequencyTable, size: int, rng: np.random.Generator
) -> _Paired:
    """Pair the people of a table in all replicates at once."""
    axis, strata = method.placed(table)
    check_people(table, "Targeted swapping searches a partner for each person", MOST_RECORDS)
    n = table.total
    cell = np.repeat(np.arange(table.cells), table.counts.ravel())
    position = np.unravel_index(cell, table.shape)
    group = np.zeros(n, dtype=np.int64)
    for k in strata:
        group = group * table.shape[k] + position[k]
    groups = (group + np.arange(size)[:, np.newaxis] * (group.max(initial=0) + 1)).ravel()
    areas = np.tile(position[axis].astype(np.int64), size)
    alike = table.counts.ravel()[cell]
    risk = np.tile(1 / np.maximum(alike, 1), size)
    starts = _starts(table, size, rng)

    def numbers(turn: int) -> Uniform:
        return lambda units, number: uniform(starts[units], turn * 2 * TURNS + number)

    partner = np.full(size * n, -1, dtype=np.int64)
    why = np.full(size * n, NOT_MOVED, dtype=np.int8)
    asking = np.flatnonzero(np.tile(method.risky(alike), size))
    pair(asking, partner, [groups], areas, risk, numbers(0))
    why[asking[partner[asking] >= 0]] = AT_RISK
    wanted = np.full(size, method.wanted(table))
    for done in fill(partner, wanted, [groups], areas, risk, lambda turn: numbers(1 + turn)):
        why[done] = FOR_THE_RATE
    has_partner = partner >= 0
    why[has_partner & (why == NOT_MOVED)] = DONOR
    after = np.tile(cell, size)
    after[has_partner] += (areas[partner[has_partner]] - areas[has_partner]) * math.prod(
        table.shape[axis + 1 :]
    )
    return _Paired(
        np.broadcast_to(cell, (size, n)),
        after.reshape(size, n),
        why.reshape(size, n),
    )
