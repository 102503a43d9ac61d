"""Targeted record swapping: records at risk exchange their areas with similar records."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import generator
from sdcwidgets.methods.pairing import fill, fill_each_area, is_at_risk, pair
from sdcwidgets.methods.swapped import Swapped, codes_of, codes_of_pairs, follows_areas, shows_area
from sdcwidgets.microdata import Microdata, Variable

if TYPE_CHECKING:
    import pandas as pd


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
    below: bool = False,
    spread: bool = False,
    along: Sequence[str] = (),
    rng: np.random.Generator | int,
) -> Swapped:
    r"""Apply targeted record swapping to records.

    The algorithm processes the levels of the hierarchy from the largest areas to the smallest. A unit is at
    risk if at most k records of its area have its combination of the risk variables. It is paired with a unit
    of another area that has the same similar variables and no partner yet. Donors are drawn by their risk
    :math:`r = 1/c`, where c is the number of records in their area with their combination. Both units exchange
    all columns of the hierarchy. At the last level, random units are added until the swap rate is reached.
    Large areas come first: a record that is rare in a large area is also rare in the small area inside. If it
    has left the large area, it need not move again.

    Every unit at risk that has a possible partner moves. So whoever sees a record with a unique combination of the
    risk variables in the released file knows that it probably comes from another area; with two areas, this is the
    other one. Use at least three areas at each level, or a `rate` that moves many other records as well.

    Publish only `for_release` of the result. Its attribute `records` is internal: it keeps the order and the
    identifiers of the input, for comparison with the original records, and both show who moved.

    Parameters
    ----------
    records : DataFrame
        One row per person. Missing values are those of microdata files, for example NA; two missing values
        agree.
    hierarchy : sequence of str
        Columns of the areas, from the largest to the smallest.
    risk_variables : sequence of str
        Key variables: columns that an intruder may know.
    similar : sequence of str, or of such sequences
        Columns in which both units must agree. If there are several profiles, the next one is used if the
        previous one has no donor. Households always agree in their size.
    k : int
        A unit is at risk if its combination occurs at most k times in its area (or less often, see `below`).
    rate : float
        Minimum share of units to move, from 0 to 1.
    household : str, optional
        Column that identifies households. Households move as a whole, with the risk of the member at highest
        risk and the similar variables of the first member.
    forced : array_like of bool, optional
        Records that must move, whatever their risk.
    below : bool
        Whether a unit is at risk if its combination occurs fewer than k times, as in sdcMicro, instead of at
        most k times.
    spread : bool
        Whether each of the smallest areas should reach the swap rate, as far as donors are available.
    along : sequence of str
        Other geographies: columns that move with the areas. Other columns that depend on an area or are nested
        in it are listed in `behind`.
    rng : numpy.random.Generator or int
        Source of random numbers, or a secret seed.

    Returns
    -------
    Swapped
        Internal records, moves and units without a donor; `for_release` returns the records to publish.

    Raises
    ------
    InputError
        If a column is missing, a value of the hierarchy is missing, or a number is out of range.

    References
    ----------
    Handbook, chapter 5, section 5.6.1, steps 1 to 7.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"area": list("AAABBB"), "age": ["old", "young", "young"] * 2, "job": list("xyyzyy")})
    >>> done = swap(people, ["area"], ["job"], ["age"], k=1, rate=0, rng=np.random.default_rng(1))
    >>> done.moves["why"].tolist()
    ['risk']

    The records to publish, sorted by their values:

    >>> print(done.for_release(np.random.default_rng(2)).to_csv(index=False).strip())
    area,age,job
    A,old,z
    A,young,y
    A,young,y
    B,old,x
    B,young,y
    B,young,y
    """
    rng = generator(rng)
    profiles = _profiles(similar)
    known = _checked(records, hierarchy, risk_variables, profiles, household, k, rate)
    _check_columns(records, along)
    member = np.arange(len(records)) if household is None else codes_of(known, [household])
    units, first, size = np.unique(member, return_index=True, return_counts=True)
    n = len(units)
    must = _forced(forced, member, n)
    heads = known.iloc[first]
    groups = [codes_of_pairs(codes_of(heads, part), size) for part in profiles]
    partner = np.full(n, -1, dtype=np.int64)
    rounds: list[tuple[Whole, Whole, int, str, Floats]] = []
    unmatched = np.zeros(0, dtype=np.int64)
    risk = np.zeros(n)

    def uniform(units: Whole, _: int) -> Floats:
        return rng.random(units.size)

    for level in range(len(hierarchy)):
        area = codes_of(heads, hierarchy[: level + 1])
        alike = codes_of(known, [*hierarchy[: level + 1], *risk_variables])
        times = np.bincount(alike)[alike]
        risk = np.zeros(n)
        np.maximum.at(risk, member, 1 / times)
        for why, wanted in (("forced", must), ("risk", is_at_risk(1 / risk, k, below))):
            asking = np.flatnonzero(wanted & (partner < 0))
            pair(asking, partner, groups, area, risk, uniform)
            _note(rounds, asking[partner[asking] >= 0], partner, level, why, risk)
            if level == len(hierarchy) - 1:
                unmatched = np.union1d(unmatched, asking[partner[asking] < 0])
    asks = math.ceil(rate * n)
    more = fill_each_area(partner, rate, groups, area, risk, uniform, rng) if spread else ()
    for done in itertools.chain(more, fill(partner, np.array([asks]), groups, area, risk, lambda _: uniform)):
        _note(rounds, done, partner, len(hierarchy) - 1, "rate", risk)
    names = units if household is None else records[household].to_numpy()[first]
    moves = _moves(rounds, hierarchy)
    for column in ("unit", "donor"):
        moves[column] = names[moves[column].to_numpy(dtype=np.int64)]
    used = {*hierarchy, *along, *risk_variables, *itertools.chain(*profiles)}
    if household:
        used.add(household)
    apart = [name for name in map(str, records) if name not in used]
    area = codes_of(known, hierarchy)
    behind = tuple(name for name in apart if follows_areas(records[name], known, hierarchy))
    return Swapped(
        _exchanged(records, [*hierarchy, *along], member, first, partner),
        moves,
        names[unmatched],
        asks,
        behind,
        household,
        tuple(name for name in apart if name not in behind and shows_area(records[name], area)),
    )


def _profiles(similar: Sequence[str] | Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the profiles of similar columns; a sequence of columns is a single profile."""
    if similar and not isinstance(similar[0], str):
        return [list(profile) for profile in similar]
    return [[str(column) for column in similar]]


def _check_columns(records: pd.DataFrame, along: Sequence[str]) -> None:
    """Raise InputError if a column that should move with the areas is missing."""
    missing = [name for name in along if name not in records]
    if missing:
        raise InputError(
            f"The records have no column {listed(missing)}; name existing columns to move with the areas."
        )


def _forced(forced: ArrayLike | None, member: Whole, n: int) -> Flags:
    """Return the units that must move because one of their records must."""
    must = np.zeros(n, dtype=bool)
    marks = np.zeros(len(member), dtype=bool) if forced is None else np.asarray(forced, dtype=bool)
    if marks.shape != member.shape:
        raise InputError(f"There are {len(member):,} records, but {marks.size:,} marks of forced moves.")
    must[member[marks]] = True
    return must


def swap_file(
    file: Microdata,
    hierarchy: Sequence[str],
    risk_variables: Sequence[str],
    similar: Sequence[str] | Sequence[Sequence[str]] = (),
    *,
    k: int = 3,
    rate: float = 0.05,
    forced: ArrayLike | None = None,
    below: bool = False,
    spread: bool = False,
    along: Sequence[str] = (),
    rng: np.random.Generator | int,
) -> tuple[Microdata, Swapped]:
    """Apply targeted record swapping to a microdata file; its households move as a whole.

    Parameters
    ----------
    file : Microdata
        The original file.
    hierarchy : sequence of str
        Columns of the areas, from the largest to the smallest.
    risk_variables : sequence of str
        Key variables: columns that an intruder may know.
    similar : sequence of str, or of such sequences
        Columns in which both units must agree. If there are several profiles, the next one is used if the previous
        one has no donor. Households always agree in their size.
    k : int
        A unit is at risk if its combination occurs at most k times in its area (or less often, see `below`).
    rate : float
        Minimum share of units to move, from 0 to 1.
    forced : array_like of bool, optional
        Records that must move, whatever their risk.
    below : bool
        Whether a unit is at risk if its combination occurs fewer than k times, as in sdcMicro, instead of at most k
        times.
    spread : bool
        Whether each of the smallest areas should reach the swap rate, as far as donors are available.
    along : sequence of str
        Other geographies: columns that move with the areas. Other columns that depend on an area or are nested in it
        are listed in `behind`.
    rng : numpy.random.Generator or int
        Source of random numbers, or a secret seed.

    Returns
    -------
    file : Microdata
        The file with exchanged columns in the original order: internal. `microdata.protecting.for_release`
        returns the file to publish.
    swapped : Swapped
        Moves and their reasons.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"area": list("AAABBB"), "age": ["old", "young", "young"] * 2, "job": list("xyyzyy")})
    >>> file = Microdata.from_frame(people)
    >>> after, done = swap_file(file, ["area"], ["job"], ["age"], k=1, rate=0, rng=np.random.default_rng(1))
    >>> after.to_frame()["area"].tolist(), len(done.moves)
    (['B', 'A', 'A', 'A', 'B', 'B'], 1)
    """
    frame, houses = file.to_frame(), file.households
    if houses is not None:
        frame[file.household] = houses  # people without a household are one-person households
    done = swap(
        frame,
        hierarchy,
        risk_variables,
        similar,
        k=k,
        rate=rate,
        household=None if houses is None else file.household,
        forced=forced,
        below=below,
        spread=spread,
        along=along,
        rng=rng,
    )
    moved = [name for name in frame if not done.records[name].equals(frame[name])]
    return file.put(*(Variable.of(str(name), done.records[name]) for name in moved)), done


def _note(
    rounds: list[tuple[Whole, Whole, int, str, Floats]],
    done: Whole,
    partner: Whole,
    level: int,
    why: str,
    risk: Floats,
) -> None:
    """Add the new pairs, each once."""
    others = partner[done]
    once = ~(np.isin(others, done) & (others < done))
    rounds.append((done[once], others[once], level, why, risk[done[once]]))


def _moves(rounds: Sequence[tuple[Whole, Whole, int, str, Floats]], hierarchy: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    frames = [
        pd.DataFrame({"unit": unit, "donor": donor, "level": hierarchy[level], "why": why, "risk": risk})
        for unit, donor, level, why, risk in rounds
        if len(unit)
    ]
    columns = ["unit", "donor", "level", "why", "risk"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=columns)


def _exchanged(
    records: pd.DataFrame, hierarchy: Sequence[str], member: Whole, first: Whole, partner: Whole
) -> pd.DataFrame:
    """Return the records, with the areas of the first member of the partner for units that moved."""
    moved = np.flatnonzero(partner[member] >= 0)
    source = first[partner[member[moved]]]
    after = records.copy()
    for name in hierarchy:
        column = records[name].to_numpy(copy=True)
        column[moved] = records[name].to_numpy()[source]
        after[name] = column
    return after


def _checked(
    records: pd.DataFrame,
    hierarchy: Sequence[str],
    risk_variables: Sequence[str],
    profiles: Sequence[Sequence[str]],
    household: str | None,
    k: int,
    rate: float,
) -> pd.DataFrame:
    """Return the required columns with missing values as NaN, or raise InputError."""
    import pandas as pd

    from sdcwidgets.tables.io.sources.missing_values import cleaned

    if not hierarchy or not risk_variables:
        raise InputError("Targeted swapping needs a column of areas and at least one risk variable.")
    wanted = [*hierarchy, *risk_variables, *itertools.chain(*profiles)]
    if household:
        wanted.append(household)
    unknown = [name for name in dict.fromkeys(wanted) if name not in records]
    if unknown:
        raise InputError(
            f"The records have no column {listed(unknown)}; they have {listed(list(map(str, records)))}."
        )
    known = pd.DataFrame({name: cleaned(records[name]) for name in dict.fromkeys(wanted)})
    alone = "each record needs a household number, also if the person lives alone"
    whole = dict.fromkeys(hierarchy, "each record needs an area at every level of the hierarchy")
    if household is not None:
        whole[household] = alone
    for name, rule in whole.items():
        if known[name].isna().any():
            row = int(np.argmax(known[name].isna().to_numpy()))
            raise InputError(f"Record {row + 1} has no {quoted(name)}; {rule}.")
    if (
        household is not None
        and codes_of(known, [household]).max() < codes_of(known, [household, *hierarchy]).max()
    ):
        raise InputError(f"A household of {quoted(household)} is in two areas; each must be in one area.")
    if k < 1 or not 0 <= rate <= 1:
        raise InputError(
            f"k is {k} and the swap rate is {rate:g}; k must be at least 1, and the rate from 0 to 1."
        )
    return known
