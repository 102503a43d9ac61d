"""Record swapping: pairs of people exchange their areas."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import AxisNames, Help, Label, Range
from sdcwidgets.core.followed import PersonTransition
from sdcwidgets.core.margins import MarginAxes, every_margin
from sdcwidgets.core.possible_originals import Origins, equal_pairs, most_pairs, of_swaps
from sdcwidgets.core.streams import uniform
from sdcwidgets.methods.base import register
from sdcwidgets.methods.tabular import PreTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of attempts to find a free partner. If at most half of the people move, this almost always
#: succeeds unless very few candidates exist.
TRIES = 64

#: With fewer pairs, respondents can use their number, so that the constraints of all pairs are needed.
FEW_PAIRS = 3

#: Limitation of a large table in which too few people can exchange their areas without an effect.
UNKNOWN_PAIRS = (
    "Data users know the number of swapped pairs, and only a few people of different areas agree in all "
    "other variables. Data users may therefore infer narrower intervals than the published ones. Merge "
    "categories, or use another method."
)

#: Maximum number of people for methods that process each person separately.
MOST_RECORDS = 100_000_000


def check_people(table: FrequencyTable, method: str, most: int = MOST_RECORDS) -> None:
    """Raise InputError if a table has too many people for a method that processes each person.

    Parameters
    ----------
    table : FrequencyTable
        The table.
    method : str
        Beginning of the message, for example "PRAM processes each person".
    most : int
        Maximum number of people.

    Raises
    ------
    InputError
        If the table has more people.
    """
    if table.total > most:
        raise InputError(
            f"{method}; the table has {table.total:,} people, more than the maximum of {most:,}."
        )


@register
@dataclass(frozen=True)
class RecordSwapping(PreTabular):
    """Exchanges the category of one variable, such as the area, between pairs of people before the table is counted.

    Half of the swap rate's share of the people is drawn. Each of them is paired with a person who was neither
    drawn nor paired before, lives in another area and has the same control variables (strata). Both exchange
    their areas. The number of people in each area and all margins without the swapped axis are unchanged.
    People without a possible partner are not moved.

    References
    ----------
    Antal, Shlomo, Elliot 2014, sections 3 and 5.1: 5 % drawn, 10 % moved; Shlomo, Antal, Elliot 2015,
    section 3.1 for the control variables.

    Examples
    --------
    >>> import numpy as np
    >>> table = FrequencyTable([[4, 0], [0, 4]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    >>> RecordSwapping(rate=0.25).apply(table, np.random.default_rng(1)).counts
    array([[3, 1],
           [1, 3]])
    """

    rate: Annotated[
        float,
        Range(0, 0.5, 0.01),
        Label("Swap rate"),
        Help(
            "Share of people whose area is exchanged. Half of these people are drawn, and the other half "
            "are their partners."
        ),
    ] = 0.1
    axis: Annotated[
        str,
        AxisNames(),
        Label("Swapped axis"),
        Help("Variable whose values two people exchange, usually the area."),
    ] = "rows"
    strata: Annotated[
        tuple[str, ...],
        AxisNames(several=True),
        Label("Control variables (strata)"),
        Help("Two people exchange their areas only if they have equal values of these variables."),
    ] = ()

    def unchanged_margins(self, table: FrequencyTable) -> list[MarginAxes]:
        """Return the margins without the swapped axis, or with it and only control variables."""
        axis, strata = self._positions(table)
        fixed = {axis, *strata}
        return [margin for margin in every_margin(table.ndim) if axis not in margin or fixed >= set(margin)]

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return the reason why nobody can be swapped, or why a swap does not change counts."""
        axis, strata = self._positions(table)
        name = quoted(table.axes[axis].name)
        reason = self._crossed(table)
        if reason:
            return reason
        if np.count_nonzero(table.counts.sum(axis=tuple(k for k in range(table.ndim) if k != axis))) < 2:
            return f"Nobody can be swapped, because all people are in one category of {name}."
        reason = self.nobody(table)
        if reason:
            return reason
        others = [k for k in range(table.ndim) if k != axis and k not in strata]
        sizes = (-1, table.shape[axis], math.prod(table.shape[k] for k in others))
        populated = table.counts.transpose([*strata, axis, *others]).reshape(sizes) > 0
        # A swap changes counts if the two people differ in the swapped axis and in another variable.
        if not ((populated.any(axis=2).sum(axis=1) > 1) & (populated.any(axis=1).sum(axis=1) > 1)).any():
            return (
                f"Swapping does not change counts, because people who exchange {name} agree in all other variables. "
                "Swap another axis, or use fewer control variables."
            )
        return ""

    def placed(self, table: FrequencyTable) -> tuple[int, list[int]]:
        """Return the positions of the swapped axis and of the control variables.

        Raises
        ------
        InputError
            If the swapped axis is also a control variable, or an axis does not exist.
        """
        reason = self._crossed(table)
        if reason:
            raise InputError(reason)
        return self._positions(table)

    def _positions(self, table: FrequencyTable) -> tuple[int, list[int]]:
        return table.axis_along(self.axis), [table.axis_along(name) for name in self.strata]

    def _crossed(self, table: FrequencyTable) -> str:
        """Return a sentence if the swapped axis is also a control variable, otherwise ""."""
        axis, strata = self._positions(table)
        if axis not in strata:
            return ""
        name = quoted(table.axes[axis].name)
        return (
            f"Axis {name} is both the swapped axis and a control variable; an axis can have only one of "
            f"these roles."
        )

    def nobody(self, table: FrequencyTable) -> str:
        """Return the reason why nobody is drawn, or ""."""
        if self.wanted(table) == 0:
            return (
                f"No people are swapped: a swap rate of {self.rate:g} is less than one pair of "
                f"{table.total:,} people."
            )
        return ""

    def wanted(self, table: FrequencyTable) -> int:
        """Return the number of people that the swap rate requires."""
        return 2 * round(self.rate / 2 * table.total)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release; a data user knows the number of pairs, by the swap rate and the number of people.

        Each pair changes a cell by at most 1. In a small table, the constraints of all pairs together are used.

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
            Cells, margins and bounds.
        """
        release = super().release_from_cells(table, cells, rng)
        axis, strata = self.placed(table)
        return known_pairs(release, axis, strata, self.wanted(table) // 2)

    def person_transition(self, table: FrequencyTable) -> PersonTransition | None:
        """Return the expected share of the people of each area who move to each other area.

        Drawn people select partners among the free people of other areas. If an area has too few free people, the
        drawn people without a partner select again, as in `replicate`. In strata with few people, the result is an
        approximation.

        Parameters
        ----------
        table : FrequencyTable
            The original table.

        Returns
        -------
        PersonTransition or None
            None for a table without people.
        """
        if table.total == 0:
            return None
        axis, strata = self.placed(table)
        others = [k for k in range(table.ndim) if k != axis]
        remaining = tuple(k for k in others if k not in strata)
        # One row per stratum, one column per area; the shape of the strata broadcasts to the other axes.
        areas = np.moveaxis(table.counts, axis, -1).sum(
            axis=tuple(others.index(k) for k in remaining), keepdims=True, dtype=np.float64
        )
        drawn = self.wanted(table) / 2 / table.total
        shares = np.stack([_expected_moves(people, drawn) for people in areas.reshape(-1, areas.shape[-1])])
        shares = shares.reshape(*areas.shape, areas.shape[-1])
        if strata:
            sizes = [table.shape[k] for k in others]
            shares = np.broadcast_to(shares, (*sizes, *shares.shape[-2:]))
        return PersonTransition(axis, shares.reshape(-1, *shares.shape[-2:]))

    def private_note(self, table: FrequencyTable, stayed: Whole | None = None) -> str:
        """Return the number of moved people, if it is below the swap rate.

        Examples
        --------
        >>> table = FrequencyTable([[8, 0], [0, 1]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
        >>> RecordSwapping(rate=0.5).private_note(table, np.array([[7, 0], [0, 0]]))
        'Not enough partners: 2 of the 4 people that the swap rate requires are moved.'
        """
        if stayed is None:
            return ""
        moved, wanted = table.total - int(stayed.sum()), self.wanted(table)
        if moved >= wanted:
            return ""
        return (
            f"Not enough partners: {moved:,} of the {wanted:,} people that the swap rate requires are moved."
        )

    def moves(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Whole, Whole]:
        """Return the cells before and after of both people of each pair, shape (size, 2 pairs).

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
        origins, destinations : ndarray of int64, shape (size, 2 pairs)
        """
        check_people(table, "Swapping processes each person")
        people = _People.of(table, *self.placed(table))
        pairs = self.wanted(table) // 2
        # Each drawn person, and each partner, has a separate stream of random numbers.
        return _swap(people, rng.integers(2**64, size=(size, 2, pairs), dtype=np.uint64))


def known_pairs(release: Release, axis: int, strata: list[int], pairs: int) -> Release:
    """Return a release of swapped people with what follows from the number of pairs.

    Parameters
    ----------
    release : Release
        Published cells, with exact margins.
    axis : int
        Position of the swapped axis.
    strata : list of int
        Positions of the control variables.
    pairs : int
        Number of pairs that the swap rate requires.

    Returns
    -------
    Release
        If the constraints of all pairs are needed and there are too many of them, it has a limitation.
    """
    cells = release.cells.astype(np.int64)
    others = [k for k in range(cells.ndim) if k != axis and k not in strata]
    order = [*strata, axis, *others]
    shape = (-1, cells.shape[axis], math.prod(cells.shape[k] for k in others))
    published = cells.transpose(order).reshape(shape)
    places = np.arange(cells.size).reshape(cells.shape).transpose(order).reshape(shape)
    most = min(pairs, most_pairs(published))
    bounds = {release.every: (np.maximum(cells - most, 0), cells + most)}
    release = release.narrowed(bounds)
    if most == 0 or (most >= FEW_PAIRS and equal_pairs(published) >= 2 * pairs):
        return release
    certain = of_swaps(published, places, most, most)
    if certain is None:
        return replace(release, limitation=UNKNOWN_PAIRS)
    possible = of_swaps(published, places, 0, most) if _may_lack_partners(published, pairs) else certain
    return replace(release, origins=Origins(possible, certain))


def _may_lack_partners(published: Whole, pairs: int) -> bool:
    """Return whether a drawn person may find no free partner, so that fewer pairs exchange their areas."""
    areas = published.sum(axis=2)
    elsewhere = areas.sum(axis=1, keepdims=True) - areas
    # With a quarter of the candidates free, all attempts fail with a probability below 1e-7.
    return bool((elsewhere[areas > 0] < 8 / 3 * pairs).any())


def _expected_moves(people: Floats, drawn: float) -> Floats:
    """Return the expected share of the people of each area who move to each area, within one stratum.

    Parameters
    ----------
    people : ndarray of float, shape (areas,)
        Number of people.
    drawn : float
        Share of people who are drawn and need a partner.

    Returns
    -------
    ndarray of float, shape (areas, areas)
        Each row has the sum 1.
    """
    waiting, free = drawn * people, (1 - drawn) * people
    pairs = np.zeros((people.size, people.size))
    for _ in range(TRIES):
        candidates = free.sum() - free
        per_candidate = np.divide(waiting, candidates, out=np.zeros_like(free), where=candidates > 1e-9)
        selected = per_candidate[:, np.newaxis] * free
        np.fill_diagonal(selected, 0.0)
        demand = selected.sum(axis=0)
        selected *= np.minimum(1.0, np.divide(free, demand, out=np.ones_like(free), where=demand > 0))
        pairs += selected
        waiting, free = waiting - selected.sum(axis=1), free - selected.sum(axis=0)
        if selected.sum() < 1e-9 * people.sum():
            break
    shares = np.divide(
        pairs + pairs.T, people[:, np.newaxis], out=np.zeros_like(pairs), where=people[:, np.newaxis] > 0
    )
    np.fill_diagonal(shares, 1 - shares.sum(axis=1))
    return shares


class _People(NamedTuple):
    """Records of a table, sorted so that strata, and areas within strata, are contiguous."""

    cell: Whole  # per person: position in the flattened table
    group: Whole  # per person: stratum and area
    area: Whole  # per group: offset of the area in the flattened table
    first: Whole  # per group: its first person
    length: Whole  # per group: number of people
    stratum_first: Whole
    stratum_length: Whole

    @classmethod
    def of(cls, table: FrequencyTable, axis: int, strata: list[int]) -> _People:
        others = [k for k in range(table.ndim) if k != axis and k not in strata]
        order = [*strata, axis, *others]
        n_areas = table.shape[axis]
        cells = np.arange(table.cells).reshape(table.shape).transpose(order).ravel()
        counts = table.counts.transpose(order).ravel()
        length = counts.reshape(-1, math.prod(table.shape[k] for k in others)).sum(axis=1)
        in_stratum = length.reshape(-1, n_areas).sum(axis=1)
        return cls(
            cell=np.repeat(cells, counts),
            group=np.repeat(np.arange(length.size), length),
            area=np.tile(np.arange(n_areas) * math.prod(table.shape[axis + 1 :]), in_stratum.size),
            first=np.cumsum(length) - length,
            length=length,
            stratum_first=np.repeat(np.cumsum(in_stratum) - in_stratum, n_areas),
            stratum_length=np.repeat(in_stratum, n_areas),
        )


def _swap(people: _People, streams: NDArray[np.uint64]) -> tuple[Whole, Whole]:
    """Return the cells before and after of the pairs, determined by the streams of random numbers."""
    size, _, pairs = streams.shape
    n_people = people.cell.size
    taken = np.full(size * n_people, -1, dtype=np.int32)
    base = np.repeat(np.arange(size) * n_people, pairs)
    slots = np.arange(size * pairs, dtype=np.int32)
    anyone = np.zeros_like(base)
    drawn = _pick(taken, base, slots, streams[:, 0].ravel(), (anyone, anyone + n_people, anyone, anyone))
    group = people.group[drawn]
    elsewhere = (people.stratum_first, people.stratum_length, people.first, people.length)
    partner = _pick(
        taken,
        base,
        slots + np.int32(slots.size),
        streams[:, 1].ravel(),
        tuple(run[group] for run in elsewhere),
    )
    has_partner = partner >= 0
    partner = np.where(has_partner, partner, drawn)
    here, there = people.area[group], people.area[people.group[partner]]
    before = np.stack([people.cell[drawn], people.cell[partner]])
    after = before + np.stack([there - here, here - there])
    return _by_replication(before, size), _by_replication(after, size)


def _by_replication(cells: Whole, size: int) -> Whole:
    """Convert cells from shape (2, size * pairs), drawn people and partners, to (size, 2 * pairs)."""
    return cells.reshape(2, size, -1).transpose(1, 0, 2).reshape(size, -1)


def _pick(
    taken: NDArray[np.int32],
    base: Whole,
    slots: NDArray[np.int32],
    streams: NDArray[np.uint64],
    runs: tuple[Whole, ...],
) -> Whole:
    """Assign a random person to each slot that no other slot of its replicate has, or -1.

    In each turn all slots without a person select one at the same time. If the person is free, the last slot
    that selected them gets them; the other slots try again. Each slot has a separate stream of random numbers,
    so its choices do not depend on the number of attempts in other replicates.

    Parameters
    ----------
    taken : ndarray of int32, shape (replications * people,)
        Slot of each person, -1 for none; changed in place.
    base : ndarray
        Position in `taken` of the first person of each slot's replicate.
    runs : tuple of four ndarrays
        For each slot: first and length of the run of people to choose from, and of the run within it to exclude.
    """
    picked = np.full(slots.size, -1, dtype=np.int64)
    first, length, out_first, out_length = runs
    asking = np.flatnonzero(length > out_length)
    for turn in range(TRIES):
        if not asking.size:
            break
        share = uniform(streams[asking], turn)
        person = first[asking] + (share * (length - out_length)[asking]).astype(np.int64)
        person += np.where(person >= out_first[asking], out_length[asking], 0)
        slot = base[asking] + person
        free = taken[slot] < 0
        taken[slot[free]] = slots[asking[free]]
        won = taken[slot] == slots[asking]
        picked[asking[won]] = person[won]
        asking = asking[~won]
    return picked
