"""Record swapping: pairs of people exchange the area that they are counted in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import AxisNames, Help, Label, Range
from sdcwidgets.core.margins import MarginAxes, every_margin
from sdcwidgets.core.streams import uniform
from sdcwidgets.methods.base import register
from sdcwidgets.methods.tabular import PreTabular
from sdcwidgets.tables.table import FrequencyTable

#: How often a person who was drawn looks for a partner before it is given up. With at most half of the
#: people moved, somebody free is found by then unless hardly anybody is left.
TRIES = 64

#: A method that follows each person makes a list of them, and one of more than this many is too long.
MOST_RECORDS = 100_000_000


def check_people(table: FrequencyTable, method: str, most: int = MOST_RECORDS) -> None:
    """Raise InputError if a table has too many people for what a method does with each: "PRAM follows each person".

    Parameters
    ----------
    table : FrequencyTable
    method : str
        The sentence begins with it.
    most : int
        So many people are allowed.

    Raises
    ------
    InputError
        If there are more.
    """
    if table.total > most:
        raise InputError(f"{method}; {table.total:,} people are too many, it takes at most {most:,}.")


@register
@dataclass(frozen=True)
class RecordSwapping(PreTabular):
    """Pairs of people from different areas exchange their areas before the table is counted.

    Half of the swap rate's share of the people is drawn, and each of them is paired with a person who was
    neither drawn nor paired yet, lives in another area and has the same control variables (strata). The two
    exchange areas. The number of people in each area, and every margin without the swapped axis, stay as
    they are. A person for whom nobody is found is not moved.

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
        Help("The share of people whose area is exchanged; half of them are drawn, half are their partners."),
    ] = 0.1
    axis: Annotated[
        str,
        AxisNames(),
        Label("Swapped axis"),
        Help("The variable that two people exchange, as a rule the area."),
    ] = "rows"
    strata: Annotated[
        tuple[str, ...],
        AxisNames(several=True),
        Label("Control variables (strata)"),
        Help("Only people who agree in these axes exchange their areas."),
    ] = ()

    def unchanged_margins(self, table: FrequencyTable) -> list[MarginAxes]:
        """Return the margins without the swapped axis, and those of it with control variables only."""
        axis, strata = self._positions(table)
        fixed = {axis, *strata}
        return [margin for margin in every_margin(table.ndim) if axis not in margin or fixed >= set(margin)]

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return why nobody can be swapped, or why swapping them changes no count."""
        axis, strata = self._positions(table)
        name = quoted(table.axes[axis].name)
        if reason := self._crossed(table):
            return reason
        if np.count_nonzero(table.counts.sum(axis=tuple(k for k in range(table.ndim) if k != axis))) < 2:
            return f"Nobody can be swapped: all people are in one category of {name}."
        if reason := self.nobody(table):
            return reason
        others = [k for k in range(table.ndim) if k != axis and k not in strata]
        sizes = (-1, table.shape[axis], math.prod(table.shape[k] for k in others))
        populated = table.counts.transpose([*strata, axis, *others]).reshape(sizes) > 0
        # A swap changes counts if the two differ in what is swapped and in something that is not.
        if not ((populated.any(axis=2).sum(axis=1) > 1) & (populated.any(axis=1).sum(axis=1) > 1)).any():
            return (
                f"Swapping changes no count: people who exchange {name} agree in everything else; "
                "swap another axis, or take fewer control variables."
            )
        return ""

    def placed(self, table: FrequencyTable) -> tuple[int, list[int]]:
        """Return the axis that is swapped and the control variables, by their positions.

        Raises
        ------
        InputError
            If the axis is one of them, or there is no such axis.
        """
        if reason := self._crossed(table):
            raise InputError(reason)
        return self._positions(table)

    def _positions(self, table: FrequencyTable) -> tuple[int, list[int]]:
        return table.axis_along(self.axis), [table.axis_along(name) for name in self.strata]

    def _crossed(self, table: FrequencyTable) -> str:
        """Return why axis and control variables do not go together, "" where they do."""
        axis, strata = self._positions(table)
        if axis not in strata:
            return ""
        name = quoted(table.axes[axis].name)
        return f"Axis {name} is both swapped and a control variable; it can be only one of them."

    def nobody(self, table: FrequencyTable) -> str:
        """Return why nobody is drawn, "" where somebody is."""
        if self.wanted(table) == 0:
            return f"Nobody is swapped: a swap rate of {self.rate:g} is less than a pair of {table.total:,} people."
        return ""

    def wanted(self, table: FrequencyTable) -> int:
        """Return how many people the swap rate asks for."""
        return 2 * round(self.rate / 2 * table.total)

    def private_note(self, table: FrequencyTable, stayed: Whole | None = None) -> str:
        """Return how many people are moved, where the swap rate asks for more.

        Examples
        --------
        >>> table = FrequencyTable([[8, 0], [0, 1]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
        >>> RecordSwapping(rate=0.5).private_note(table, np.array([[7, 0], [0, 0]]))
        'Partners ran out: 2 of the 4 people that the swap rate asks for are moved.'
        """
        if stayed is None:
            return ""
        moved, wanted = table.total - int(stayed.sum()), self.wanted(table)
        if moved >= wanted:
            return ""
        return f"Partners ran out: {moved:,} of the {wanted:,} people that the swap rate asks for are moved."

    def moves(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Whole, Whole]:
        """Return the cells, before and after, of both people of each pair, shape (size, 2 pairs).

        Parameters
        ----------
        table, size, rng : as of `PreTabular.moves`

        Returns
        -------
        origins, destinations : ndarray of int64, shape (size, 2 pairs)
        """
        check_people(table, "Swapping follows each person")
        people = _People.of(table, *self.placed(table))
        pairs = self.wanted(table) // 2
        # One random number starts a stream of its own for each drawn person, and one for the partner.
        return _swap(people, rng.integers(2**64, size=(size, 2, pairs), dtype=np.uint64))


class _People(NamedTuple):
    """The records behind a table, in an order in which strata, and areas within them, are runs."""

    cell: Whole  # of each person, in the flattened table
    group: Whole  # of each person: the stratum and area
    area: Whole  # of each group: the cells from the first area on to this one
    first: Whole  # of each group: its first person
    length: Whole  # of each group: its people
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
    """Return the cells before and after of the pairs that the streams of random numbers make."""
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
    """Return the cells of the drawn and of their partners, (2, size * pairs), as (size, 2 * pairs)."""
    return cells.reshape(2, size, -1).transpose(1, 0, 2).reshape(size, -1)


def _pick(
    taken: NDArray[np.int32],
    base: Whole,
    slots: NDArray[np.int32],
    streams: NDArray[np.uint64],
    runs: tuple[Whole, ...],
) -> Whole:
    """Give each slot a random person whom no other slot of its replication has, or -1.

    All slots ask at once; who asks for somebody who is free gets them (of several, the last), the others ask
    again. What a slot asks for comes from a stream of its own, so that it does not depend on how often the
    slots of another replication had to ask.

    Parameters
    ----------
    taken : ndarray of int32, shape (replications * people,)
        The slot that has each person, -1 for nobody; changed here.
    base : ndarray
        Where the replication of each slot begins in `taken`.
    runs : tuple of four ndarrays
        For each slot: first and length of the run of people to choose from, and first and length of the run
        within it to leave out.
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
