"""Targeted record swapping: records that are at risk where they live exchange their areas with similar ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets.errors import InputError
from sdcwidgets.labels import listed, quoted
from sdcwidgets.sources.no_value import cleaned

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Swapped", "fill", "pair", "swap"]

Whole = NDArray[np.int64]

#: Random numbers from 0 to below 1 of some units; each number of a unit is another one.
Uniform = Callable[[Whole, int], NDArray[np.float64]]

#: How often those who are left ask again for a donor whom somebody else took.
TURNS = 60


class Swapped(NamedTuple):
    """Records after targeted swapping, and who moved and why."""

    records: pd.DataFrame
    """The records in their order, with exchanged areas."""
    moves: pd.DataFrame
    """A line a pair: `unit` and `donor`, their positions or the labels of their households; `level`, the column of
    the hierarchy at which they were paired; `why`: "forced", "risk" or "rate"; `risk`, of the unit at that level."""
    unmatched: NDArray[Any]
    """The units at risk, or forced, for whom no donor was left."""

    @property
    def note(self) -> str:
        """What happened, in a sentence."""
        told = f"{2 * len(self.moves):,} units exchanged their areas."
        if not self.unmatched.size:
            return told
        return f"{told} Donors ran out for {self.unmatched.size:,}; take fewer variables that must agree."

    @property
    def report(self) -> pd.DataFrame:
        """The moves, and a line with the why "no donor" for each unit at risk, or forced, that stays."""
        import pandas as pd

        left = pd.DataFrame({"unit": self.unmatched, "why": "no donor"})
        return pd.concat([self.moves, left], ignore_index=True) if len(left) else self.moves


def swap(
    records: pd.DataFrame,
    hierarchy: Sequence[str],
    risk_variables: Sequence[str],
    similar: Sequence[str] | Sequence[Sequence[str]] = (),
    *,
    k: int = 3,
    rate: float = 0.05,
    household: str | None = None,
    forced: ArrayLike | None = None,
    rng: np.random.Generator,
) -> Swapped:
    r"""Return the records after targeted record swapping.

    At each level of the hierarchy, from the largest areas on, every unit whose combination of the risk variables
    at most k records of its area have is paired with a unit of another area that agrees in the similar
    variables and was not paired yet. Donors are drawn by their own risk :math:`r = 1/c`, with c the records of
    their area with their combination. The two exchange all columns of the hierarchy. At the last level, units
    are added at random until the swap rate is reached.

    Parameters
    ----------
    records : DataFrame
        One line a person. What stands for no value is that of a file of people, such as NA; those without one agree.
    hierarchy : sequence of str
        Columns of the areas, from the largest to the smallest.
    risk_variables : sequence of str
        The columns that an intruder may know.
    similar : sequence of str, or of such sequences
        Columns in which the two must agree. Of several profiles, the next is tried where the one before leaves
        no donor. Households always agree in their size.
    k : int
        A unit is at risk if its combination is in its area at most k times.
    rate : float
        The share of units to move at least, from 0 to 1.
    household : str, optional
        A column that tells households apart: they move whole, with the risk of the member at most risk and
        the similar variables of their first member.
    forced : array_like of bool, optional
        Records that must move, whatever their risk.
    rng : numpy.random.Generator

    Returns
    -------
    Swapped

    Raises
    ------
    InputError
        If a column is missing, a level of the hierarchy has a gap, or a number is out of its range.

    References
    ----------
    Handbook, chapter 5, section 5.6.1, steps 1 to 7.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"area": list("AAABBB"), "age": ["old", "young", "young"] * 2, "job": list("xyyzyy")})
    >>> done = swap(people, ["area"], ["job"], ["age"], k=1, rate=0, rng=np.random.default_rng(1))
    >>> done.records["area"].tolist(), done.moves["why"].tolist()
    (['B', 'A', 'A', 'A', 'B', 'B'], ['risk'])
    """
    profiles = [[*part] for part in similar] if similar and not isinstance(similar[0], str) else [[*similar]]
    known = _checked(records, hierarchy, risk_variables, profiles, household, k, rate)
    member = np.arange(len(records)) if household is None else _codes(known, [household])
    units, first, size = np.unique(member, return_index=True, return_counts=True)
    n = len(units)
    must = np.zeros(n, dtype=bool)
    if forced is not None:
        chosen = np.asarray(forced, dtype=bool)
        if chosen.shape != (len(records),):
            raise InputError(
                f"There are {len(records):,} records, but {chosen.size:,} marks of forced moves."
            )
        must[member[chosen]] = True
    heads = known.iloc[first]
    groups = [_joined(_codes(heads, part), size) for part in profiles]
    partner = np.full(n, -1, dtype=np.int64)
    found: list[tuple[Whole, Whole, int, str, NDArray[np.float64]]] = []
    unmatched = np.zeros(0, dtype=np.int64)
    risk = np.zeros(n)

    def uniform(units: Whole, _: int) -> NDArray[np.float64]:
        return rng.random(units.size)

    for level in range(len(hierarchy)):
        area = _codes(heads, hierarchy[: level + 1])
        alike = _codes(known, [*hierarchy[: level + 1], *risk_variables])
        times = np.bincount(alike)[alike]
        risk = np.zeros(n)
        np.maximum.at(risk, member, 1 / times)
        for why, wanted in (("forced", must), ("risk", risk >= 1 / k)):
            asking = np.flatnonzero(wanted & (partner < 0))
            pair(asking, partner, groups, area, risk, uniform)
            _note(found, asking[partner[asking] >= 0], partner, level, why, risk)
            if level == len(hierarchy) - 1:
                unmatched = np.union1d(unmatched, asking[partner[asking] < 0])
    for done in fill(partner, np.array([math.ceil(rate * n)]), groups, area, risk, lambda _: uniform):
        _note(found, done, partner, len(hierarchy) - 1, "rate", risk)
    names = units if household is None else records[household].to_numpy()[first]
    moves = _moves(found, hierarchy)
    for column in ("unit", "donor"):
        moves[column] = names[moves[column].to_numpy(dtype=np.int64)]
    return Swapped(_exchanged(records, hierarchy, member, first, partner), moves, names[unmatched])


def pair(
    asking: Whole,
    partner: Whole,
    groups: Sequence[Whole],
    area: Whole,
    risk: NDArray[np.float64],
    uniform: Uniform,
) -> None:
    """Pair those who ask with free units of other areas that agree with them, drawn by their risk.

    Parameters
    ----------
    asking : ndarray of int
        Units; who has a partner does not ask.
    partner : ndarray of int, shape (units,)
        The partner of each unit, -1 for none; changed here.
    groups : sequence of ndarray of int, shape (units,)
        Two units agree if their groups are the same; the next groups serve those who found nobody by the ones before.
    area, risk : ndarray, shape (units,)
    uniform : callable
    """
    for number, group in enumerate(groups):
        _pair(asking[partner[asking] < 0], partner, group, area, risk, uniform, 2 * TURNS * number)


def fill(
    partner: Whole,
    wanted: Whole,
    groups: Sequence[Whole],
    area: Whole,
    risk: NDArray[np.float64],
    uniform: Callable[[int], Uniform],
) -> Iterator[Whole]:
    """Pair units in a random order until so many have a partner, or nobody is left; yield those of each turn.

    Units are of as many replications as there are numbers in `wanted`, one behind the other. `uniform` gives the
    random numbers of each turn.
    """
    n = len(partner) // max(len(wanted), 1)
    free = np.flatnonzero(partner < 0)
    of = free // max(n, 1)
    order = np.lexsort((uniform(0)(free, 0), of))
    free, of = free[order], of[order]
    rank = np.arange(free.size) - np.searchsorted(of, np.arange(len(wanted)))[of]
    asked, turn = np.zeros(len(wanted), dtype=np.int64), 1
    while True:
        moved = (partner >= 0).reshape(len(wanted), n).sum(axis=1)
        need = np.maximum(-(-(wanted - moved) // 2), 0)
        now = (rank >= asked[of]) & (rank < (asked + need)[of])
        if not now.any():
            return
        asked += need
        asking = free[now]
        asking = asking[partner[asking] < 0]
        pair(asking, partner, groups, area, risk, uniform(turn))
        yield asking[partner[asking] >= 0]
        turn += 1


def _pair(
    asking: Whole,
    partner: Whole,
    group: Whole,
    area: Whole,
    risk: NDArray[np.float64],
    uniform: Uniform,
    number: int,
) -> None:
    """Pair those who ask with free units of their group; `number` is that of the first random number."""
    for turn in range(number, number + 2 * TURNS, 2):
        if not asking.size:
            return
        free = np.flatnonzero(partner < 0)
        # Sorted by group and area, the units of a group are a run, and those of its areas are runs within it.
        free = free[np.lexsort((area[free], group[free]))]
        mass = np.concatenate([[0.0], np.cumsum(risk[free])])
        low, high = (
            np.searchsorted(group[free], group[asking]),
            np.searchsorted(group[free], group[asking], "right"),
        )
        place = group[free].astype(np.float64) * (area.max() + 1) + area[free]
        mine = group[asking].astype(np.float64) * (area.max() + 1) + area[asking]
        own_low, own_high = np.searchsorted(place, mine), np.searchsorted(place, mine, "right")
        possible = (high - low) > (own_high - own_low)
        asking, low, own_low, own_high, high = (x[possible] for x in (asking, low, own_low, own_high, high))
        if not asking.size:
            return
        before, after = mass[own_low] - mass[low], mass[high] - mass[own_high]
        drawn = uniform(asking, turn) * (before + after)
        target = np.where(drawn < before, mass[low] + drawn, mass[own_high] + drawn - before)
        at = np.searchsorted(mass, target, side="right") - 1
        # Rounding may end at the edge of a run.
        at = np.where(drawn < before, np.clip(at, low, own_low - 1), np.clip(at, own_high, high - 1))
        donor = free[at]
        # Of all pairs that want the same unit, the one with the first number in a random order gets it.
        place_in_line = np.empty(asking.size, dtype=np.int64)
        place_in_line[np.argsort(uniform(asking, turn + 1))] = np.arange(asking.size)
        best = np.full(len(partner), asking.size, dtype=np.int64)
        np.minimum.at(best, asking, place_in_line)
        np.minimum.at(best, donor, place_in_line)
        won = (best[asking] == place_in_line) & (best[donor] == place_in_line)
        partner[asking[won]], partner[donor[won]] = donor[won], asking[won]
        asking = asking[partner[asking] < 0]


def _note(
    found: list[tuple[Whole, Whole, int, str, NDArray[np.float64]]],
    done: Whole,
    partner: Whole,
    level: int,
    why: str,
    risk: NDArray[np.float64],
) -> None:
    """Keep the pairs that were just made, each once."""
    others = partner[done]
    once = ~(np.isin(others, done) & (others < done))
    found.append((done[once], others[once], level, why, risk[done[once]]))


def _moves(
    found: Sequence[tuple[Whole, Whole, int, str, NDArray[np.float64]]], hierarchy: Sequence[str]
) -> pd.DataFrame:
    import pandas as pd

    frames = [
        pd.DataFrame({"unit": unit, "donor": donor, "level": hierarchy[level], "why": why, "risk": risk})
        for unit, donor, level, why, risk in found
        if len(unit)
    ]
    columns = ["unit", "donor", "level", "why", "risk"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _exchanged(
    records: pd.DataFrame, hierarchy: Sequence[str], member: Whole, first: Whole, partner: Whole
) -> pd.DataFrame:
    """Return the records, each with the areas of the first member of its unit's partner."""
    moved = np.flatnonzero(partner[member] >= 0)
    source = first[partner[member[moved]]]
    after = records.copy()
    for name in hierarchy:
        column = records[name].to_numpy(copy=True)
        column[moved] = records[name].to_numpy()[source]
        after[name] = column
    return after


def _codes(records: pd.DataFrame, columns: Sequence[str]) -> Whole:
    """Return a number for each combination of the columns, from 0."""
    import pandas as pd

    joined = np.zeros(len(records), dtype=np.int64)
    for name in columns:
        codes = pd.factorize(records[name], use_na_sentinel=False)[0]
        joined = _joined(joined, codes)
    return joined


def _joined(one: Whole, other: Whole) -> Whole:
    """Return a number for each pair of two numbers, from 0 without a gap."""
    import pandas as pd

    codes: Whole = pd.factorize(one * (int(other.max(initial=0)) + 1) + other)[0].astype(np.int64)
    return codes


def _checked(
    records: pd.DataFrame,
    hierarchy: Sequence[str],
    risk_variables: Sequence[str],
    profiles: Sequence[Sequence[str]],
    household: str | None,
    k: int,
    rate: float,
) -> pd.DataFrame:
    """Return the columns that are used with nothing where there is no value, or raise InputError."""
    import pandas as pd

    if not hierarchy or not risk_variables:
        raise InputError(
            "Targeted swapping needs a column of areas, and a variable that makes a record risky."
        )
    wanted = [
        *hierarchy,
        *risk_variables,
        *(name for part in profiles for name in part),
        *filter(None, [household]),
    ]
    unknown = [name for name in dict.fromkeys(wanted) if name not in records]
    if unknown:
        raise InputError(
            f"The records have no column {listed(unknown)}; they have {listed([*map(str, records)])}."
        )
    known = pd.DataFrame({name: cleaned(records[name]) for name in dict.fromkeys(wanted)})
    alone = "each record needs a household, also who lives alone"
    whole = dict.fromkeys(hierarchy, "the hierarchy of areas must have no gap")
    for name, rule in {**whole, **({household: alone} if household is not None else {})}.items():
        if known[name].isna().any():
            row = int(np.argmax(known[name].isna().to_numpy()))
            raise InputError(f"Record {row + 1} has no {quoted(name)}; {rule}.")
    if (
        household is not None
        and _codes(known, [household]).max() < _codes(known, [household, *hierarchy]).max()
    ):
        raise InputError(f"A household of {quoted(household)} lives in two areas; each must be in one.")
    if k < 1 or not 0 <= rate <= 1:
        raise InputError(f"k is {k} and the swap rate {rate:g}; k must be at least 1, the rate from 0 to 1.")
    return known
