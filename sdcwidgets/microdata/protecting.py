"""Protection of a file as steps, each with what it did; the steps are the report."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.microdata.blanking import blank_out
from sdcwidgets.core.microdata.hiding import Hiding, hiding, shares_of
from sdcwidgets.core.microdata.keys import MISSING, distinct, frequencies
from sdcwidgets.core.microdata.pram import invariant_transition, post_randomise
from sdcwidgets.core.microdata.suppression import suppress
from sdcwidgets.core.risk.individual import individual_risk
from sdcwidgets.microdata.data import Codes, Microdata, Variable

#: Choice by a secret: the standard deviation of the logarithm of the random factors of costs, the probability that
#: there are decoys, and the highest probability that a combination of values is one.
COST_SPREAD, WITH_DECOYS, DECOYS = 0.2, 0.5, 0.3


@dataclass(frozen=True)
class SuppressedFile:
    """A file after local suppression.

    Attributes
    ----------
    file : Microdata
    blanked : dict of str to int
        How many values of each key variable were blanked.
    records : int
        How many records lost a value.
    before, after : Hiding
        Who hides whom from an intruder who knows the shares of the categories.
    matching : int
        The least number of records that may have one key, where a blank matches every value: how sdcMicro counts.
    """

    file: Microdata
    blanked: dict[str, int]
    records: int
    before: Hiding
    after: Hiding
    matching: int


def suppressed(
    file: Microdata,
    keys: Sequence[str],
    k: int,
    importance: Sequence[str] = (),
    *,
    costs: Mapping[str, float] | None = None,
    strata: Sequence[str] = (),
    known: int | None = None,
    threshold: float | None = None,
    alpha: float | None = None,
    seed: int | None = None,
) -> SuppressedFile:
    """Blank few values of the key variables until each record is hidden by k of the file.

    Parameters
    ----------
    file : Microdata
    keys : sequence of str
    k : int
        At least 2.
    importance : sequence of str
        Key variables from the most important; each costs twice the next one to blank, those not named cost least.
    costs : mapping of str to float, optional
        What a blank of each key costs, above 0, instead of an importance; 1 where it is not named.
    strata : sequence of str
        Variables within whose values each record is to be hidden; they are not blanked.
    known : int, optional
        How many of the keys an intruder knows at once; all if not given.
    threshold : float, optional
        Blank only records whose individual risk is above it.
    alpha : float, optional
        Count another record with a blank as alpha, 1 for sdcMicro's default, instead of the share of the categories.
        Such a file hides nearly nobody from who knows the shares. Strata, `known` and `threshold` need the shares.
    seed : int, optional
        A secret that chooses among suppressions that cost about as little, in whatever order the records are. Without
        it the cheapest is taken, for teaching only: a data user who runs the program can infer suppressed values.

    Raises
    ------
    InputError
        If a key isn't one, or k is below 2 or above the number of records, or a stratum has fewer than k.

    Examples
    --------
    >>> import pandas as pd
    >>> file = Microdata.from_frame(pd.DataFrame({"sex": list("mmww"), "job": list("aabc")}))
    >>> suppressed(file, ["sex", "job"], 2).blanked
    {'sex': 0, 'job': 2}
    >>> suppressed(file, ["sex", "job"], 2, alpha=1).blanked
    {'sex': 0, 'job': 1}
    """
    codes = file.codes(keys)
    if not 2 <= k <= file.records:
        raise InputError(f"k is {k}; it must be from 2 to {file.records:,}, the number of records.")
    for names, setting in ((importance, "importance"), (costs or {}, "cost")):
        if unknown := [name for name in names if name not in keys]:
            raise InputError(
                f"{quoted(unknown[0])} is no key variable, so it has no {setting}; the keys are {listed(keys)}."
            )
    if importance and costs:
        raise InputError("Give the importance of the keys or what their blanks cost, not both.")
    if costs and alpha is not None:
        importance = sorted(costs, key=lambda name: -costs[name])
    if alpha is not None and (strata or known is not None or threshold is not None):
        raise InputError(
            "Strata, a number of known keys and a threshold need blanks that count their share: leave alpha."
        )
    before = hiding(codes, weights=file.weights)
    cost, ranking, order, decoys = _costs(keys, importance, costs), _ranking(keys, importance), None, None
    if seed is not None:
        order, factors, decoys = _secret_choice(file, codes, k, seed)
        cost = (np.array(cost) * factors).tolist()
        if ranking is None:
            ranking = np.argsort(-factors, kind="stable").tolist()
    try:
        if alpha is not None:
            after = _in_order(codes, order, partial(suppress, k=k, importance=ranking, alpha=alpha))
        else:
            after = _blanked(file, keys, codes, k, cost, strata, known, threshold, before, order, decoys)
    except ValueError as error:
        raise InputError(str(error)) from None
    gone = (after == MISSING) & (codes != MISSING)
    variables = [
        replace(file[name], codes=after[:, column].astype(file[name].codes.dtype))
        for column, name in enumerate(keys)
    ]
    blanked = dict(zip(keys, gone.sum(axis=0).tolist(), strict=True))
    hidden = hiding(after, codes, weights=file.weights)
    records = int(gone.any(axis=1).sum())
    return SuppressedFile(
        file.put(*variables), blanked, records, before, hidden, int(frequencies(after).min())
    )


def _ranking(keys: Sequence[str], importance: Sequence[str]) -> list[int] | None:
    """Return the places of the keys from the most important; None where none is."""
    ranked = [*importance, *(name for name in keys if name not in importance)]
    return [list(keys).index(name) for name in ranked] if importance else None


def _costs(keys: Sequence[str], importance: Sequence[str], costs: Mapping[str, float] | None) -> list[float]:
    """Return what a blank of each key costs: twice that of the next important one, if nothing is said."""
    costs = costs or {name: 2.0**rank for rank, name in enumerate(reversed(importance), 1)}
    return [costs.get(name, 1.0) for name in keys]


def _blanked(
    file: Microdata,
    keys: Sequence[str],
    codes: Codes,
    k: int,
    cost: Sequence[float],
    strata: Sequence[str],
    known: int | None,
    threshold: float | None,
    before: Hiding,
    order: NDArray[np.intp] | None,
    decoys: Flags | None,
) -> Codes:
    """Return the codes of the keys after `blank_out`, with the strata as variables that stay."""
    apart = [name for name in strata if name not in keys]
    if gaps := [name for name in strata if file[name].missing]:
        raise InputError(f"{quoted(gaps[0])} is missing in some records; each must be in a stratum.")
    fixed = [*range(len(apart)), *(len(apart) + list(keys).index(name) for name in strata if name in keys)]
    whole = np.column_stack([*(file[name].codes for name in apart), codes])
    only = None
    if threshold is not None:
        if not 0 < threshold <= 1:
            raise InputError(f"The threshold of the risk is {threshold:g}; it must be above 0 and at most 1.")
        only = individual_risk(before.alike, np.maximum(before.weighted, before.alike)) > threshold
    rows = np.arange(len(whole)) if order is None else order
    blank = partial(
        blank_out,
        k=k,
        costs=[*[1.0] * len(apart), *cost],
        fixed=fixed,
        known=known,
        only=None if only is None else only[rows],
        shares=shares_of(whole),
        decoys=None if decoys is None else decoys[rows],
    )
    return _in_order(whole, order, blank)[:, len(apart) :]


def _in_order(codes: Codes, order: NDArray[np.intp] | None, blank: Callable[[Codes], Codes]) -> Codes:
    """Return the codes after a suppression that looks at the records in this order."""
    if order is None:
        return blank(codes)
    after = np.empty_like(codes)
    after[order] = blank(codes[order])
    return after


def _secret_choice(
    file: Microdata, codes: Codes, k: int, seed: int
) -> tuple[NDArray[np.intp], Floats, Flags]:
    """Return an order of the records, factors of the costs of the keys, and records that are blanked without need.

    The same secret gives the same result for the same records in another order. Without records that need no
    suppression (decoys), each suppressed value would show that its record was rare.
    """
    rng = np.random.default_rng(seed)
    every = [file[name].codes for name in sorted(file.variables)]
    order = np.lexsort(every)[rng.permutation(file.records)]
    factors = np.exp(COST_SPREAD * rng.standard_normal(codes.shape[1]))
    decoys = np.zeros(file.records, dtype=bool)
    if rng.random() < WITH_DECOYS:
        _, member, amount = distinct(codes)
        # All records of a combination are decoys or none, so that no few of them remain. Rare ones are likely.
        chosen = rng.random(len(amount)) < DECOYS * np.minimum(1, k / amount) ** 2
        decoys = chosen[member]
    return order, factors, decoys


def transition_matrix(variable: Variable, rows: ArrayLike) -> Floats:
    """Return a matrix of one's own for PRAM, checked: row i says what a value of category i becomes.

    Raises
    ------
    InputError
        If it isn't square with a row a category, a probability is below 0, or a row does not add up to 1.

    Examples
    --------
    >>> transition_matrix(Variable.of("sex", ["m", "w"]), [[0.9, 0.1], [0.1, 0.9]]).tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    """
    matrix = np.asarray(rows, dtype=np.float64)
    number = len(variable.categories)
    if matrix.shape != (number, number):
        raise InputError(
            f"{quoted(variable.name)} has {number:,} categories, so its matrix has {number:,} rows and columns,"
            f" not {' x '.join(map(str, matrix.shape))}."
        )
    for label, row in zip(variable.labels, matrix, strict=True):
        if not (np.isfinite(row).all() and (row >= 0).all() and abs(row.sum() - 1) <= 1e-9):
            raise InputError(
                f"The row of {quoted(label)} in the matrix of {quoted(variable.name)} adds up to {row.sum():.10g};"
                " its probabilities must be 0 or more and add up to 1."
            )
    return matrix


def post_randomised(
    variable: Variable,
    redrawn: float = 0.0,
    seed: int | np.random.Generator | None = None,
    *,
    matrix: ArrayLike | None = None,
    strata: Sequence[Variable] = (),
) -> Variable:
    """Return the variable after PRAM: invariant, or by a matrix of one's own.

    Parameters
    ----------
    variable : Variable
    redrawn : float
        With this probability a value is drawn anew from those of the file, or of its stratum.
    seed : int or numpy.random.Generator, optional
        A new secret if not given. Anyone who knows the seed can undo PRAM.
    matrix : array_like, optional
        The probabilities of one's own, as for `transition_matrix`; `redrawn` is not used then.
    strata : sequence of Variable
        Within each combination of these values are drawn anew from the values there; a missing one is a stratum too.

    Raises
    ------
    InputError
        If the probability or the matrix is none, or every value is missing.

    References
    ----------
    Totter 2014, section 1.2.3; Gouweleeuw, Kooiman, Willenborg and de Wolf 1998.
    """
    if variable.missing == len(variable.codes):
        raise InputError(
            f"Every value of {quoted(variable.name)} is missing, so there is nothing to draw from."
        )
    rng = generator(secrets.randbits(128) if seed is None else seed)
    after = variable.codes.copy()
    for rows, _, transition in _transitions(variable, redrawn, matrix, strata):
        after[rows] = post_randomise(variable.codes[rows], transition, rng)
    return replace(variable, codes=after)


def chance_kept(
    variable: Variable,
    after: Variable,
    redrawn: float = 0.0,
    *,
    matrix: ArrayLike | None = None,
    strata: Sequence[Variable] = (),
) -> Floats:
    r"""Return for each record how likely its value after PRAM is the one before it, as `post_randomised` was called.

    .. math:: t_j P_{jj} / \sum_i t_i P_{ij}

    for the value j that is seen, where t are the counts before it, of the stratum; 1 for a missing value.

    Examples
    --------
    >>> sex = Variable.of("sex", ["m", "m", "m", "w"])
    >>> chance_kept(sex, sex, matrix=[[1, 0], [0.5, 0.5]]).round(3).tolist()
    [0.857, 0.857, 0.857, 1.0]
    """
    chances = np.ones(len(variable.codes))
    for rows, counts, transition in _transitions(variable, redrawn, matrix, strata):
        seen = after.codes[rows]
        stays = counts * transition.diagonal()
        chance = np.divide(stays, counts @ transition, out=np.ones_like(stays), where=stays > 0)
        chances[rows] = np.where(seen == MISSING, 1.0, chance[seen])
    return chances


def _transitions(
    variable: Variable, redrawn: float, matrix: ArrayLike | None, strata: Sequence[Variable]
) -> Iterator[tuple[NDArray[np.intp], Floats, Floats]]:
    """Yield the records of each stratum, the counts of their values, and the matrix for them."""
    own = None if matrix is None else transition_matrix(variable, matrix)
    member = np.zeros(len(variable.codes), dtype=np.int64)
    if strata:
        _, member, _ = distinct(np.column_stack([stratum.codes for stratum in strata]))
    for stratum in range(int(member.max()) + 1):
        rows = np.flatnonzero(member == stratum)
        codes = variable.codes[rows]
        counts = np.bincount(codes[codes != MISSING], minlength=len(variable.categories)).astype(np.float64)
        if counts.any():
            try:
                yield rows, counts, invariant_transition(counts, redrawn) if own is None else own
            except ValueError as error:
                raise InputError(str(error)) from None


def names_in(file: Microdata) -> tuple[str, ...]:
    """Return the variables of text that tell people apart, such as names; nobody publishes them."""
    roles = (file.weight, file.household)
    return tuple(name for name, var in file.variables.items() if var.identifies and name not in roles)


def for_release(file: Microdata, *, keep_household: bool = False) -> Microdata:
    """Return the file as it may be given away: without names and households, in the order of its values.

    The number of a household tells who lives together, and with it most of what was blanked: how many records have
    it is the size of the household, and the others have the same region. So does the order of a file in which
    households stand together, or which was sorted by a variable before values of it were blanked.

    Parameters
    ----------
    file : Microdata
    keep_household : bool
        Whether the number of the household stays, for those who need it and know what it tells.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"home": [1, 1, 2], "job": ["b", "a", "b"]})
    >>> print(for_release(Microdata.from_frame(frame, household="home")).to_frame().to_csv(index=False).strip())
    job
    a
    b
    b
    """
    gone = {*names_in(file), *file.left_out}
    if file.household is not None and not keep_household:
        gone.add(file.household)
    rest = file.without(gone)
    order = np.lexsort([var.codes for var in list(rest.variables.values())[::-1]])
    return rest.take(order)
