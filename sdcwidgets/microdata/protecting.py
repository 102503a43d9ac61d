"""Protection of a microdata file by local suppression and PRAM, and preparation for release."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arguments import check_kind, check_kinds, check_number, check_texts, numbers_of
from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.errors import InputError, described
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import check_secret, generator, secret_of
from sdcwidgets._util.seeds import mixed_seed, seed_caution
from sdcwidgets.core.microdata.class_sizes import Hiding, hiding, shares_of
from sdcwidgets.core.microdata.grouped_suppression import blank_out
from sdcwidgets.core.microdata.keys import MISSING, distinct, frequencies
from sdcwidgets.core.microdata.pram import invariant_transition, post_randomise
from sdcwidgets.core.microdata.suppression import suppress
from sdcwidgets.core.risk.individual import individual_risk
from sdcwidgets.microdata.data import Codes, Microdata, Variable, microdata_of, variable_of
from sdcwidgets.microdata.roles import NO_ROLE, tells_apart

#: Parameters of the secret choice: standard deviation of the logarithm of the random cost factors, probability
#: that there are decoys, and maximum probability that a combination of values is a decoy.
COST_SPREAD, WITH_DECOYS, DECOYS = 0.2, 0.5, 0.3


@dataclass(frozen=True)
class SuppressedFile:
    """Result of local suppression.

    Attributes
    ----------
    file : Microdata
    blanked : dict of str to int
        Number of suppressed values per key variable.
    records : int
        Number of records with a suppressed value.
    before, after : Hiding
        Number of records that protect each record, for an intruder who knows the distribution of the categories.
    matching : int
        Minimum number of records with matching keys if a missing value matches every value, as counted by
        sdcMicro.
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
    seed: int | np.random.Generator | None = None,
) -> SuppressedFile:
    """Suppress few values of the key variables so that every record is protected by k records.

    Parameters
    ----------
    file : Microdata
    keys : sequence of str
    k : int
        Required number of records, at least 2.
    importance : sequence of str
        Key variables in decreasing order of importance. A suppression in each costs twice as much as in the
        next; variables not listed have the lowest cost.
    costs : mapping of str to float, optional
        Cost of one suppression per key variable, above 0, instead of `importance`; default 1.
    strata : sequence of str
        Variables within whose categories each record must be protected; they are not suppressed.
    known : int, optional
        Number of key variables that an intruder knows at the same time; default: all.
    threshold : float, optional
        Suppress values only in records whose individual risk exceeds this.
    alpha : float, optional
        Weight of a record with a missing value as a match, 1 in sdcMicro by default; without it, the share of
        the category is used. The result gives almost no protection from an intruder who knows the shares. It
        cannot be combined with `strata`, `known` or `threshold`.
    seed : int or numpy.random.Generator, optional
        Secret for a random choice among suppressions of similar cost; the result does not depend on the order
        of the records. A long number with a pattern is rejected, and a guessable number causes a warning. The seed
        of a generator is not checked. Without a seed, the suppression of lowest cost is used. This is for teaching
        only, because a data user can repeat the computation and infer suppressed values.

    Raises
    ------
    InputError
        If a key or the seed is invalid, k is below 2 or above the number of records, or a stratum has fewer than k
        records.

    Examples
    --------
    >>> import pandas as pd
    >>> file = Microdata.from_frame(pd.DataFrame({"sex": list("mmww"), "job": list("aabc")}))
    >>> suppressed(file, ["sex", "job"], 2).blanked
    {'sex': 0, 'job': 2}
    >>> suppressed(file, ["sex", "job"], 2, alpha=1).blanked
    {'sex': 0, 'job': 1}
    """
    check_texts("importance", importance)
    check_texts("strata", strata)
    if known is not None:
        check_number("known", known, whole=True)
    for name, value in (("threshold", threshold), ("alpha", alpha)):
        if value is not None:
            check_number(name, value)
    codes = microdata_of(file).codes(keys)
    _check_class_size(k, file.records)
    _check_costs(keys, importance, costs)
    if costs and alpha is not None:
        importance = sorted(costs, key=lambda name: -costs[name])
    if alpha is not None and (strata or known is not None or threshold is not None):
        raise InputError(
            "The argument alpha cannot be combined with strata, known or threshold. Leave "
            "out alpha, or leave out the other three arguments."
        )
    before = hiding(codes, weights=file.weights)
    cost, ranking, order, decoys = _costs(keys, importance, costs), _ranking(keys, importance), None, None
    if seed is not None:
        _check_seed(seed)
        seed = secret_of(seed)
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


def _check_seed(seed: object) -> None:
    """Reject a seed with a pattern, and warn the caller of the public function about a guessable seed.

    A generator is not checked, because `random_numbers` may have mixed its secret with the records.
    """
    if isinstance(seed, np.random.Generator):
        return
    caution = seed_caution(check_secret("seed", seed))
    if caution:
        warnings.warn(caution, UserWarning, stacklevel=3)


def _ranking(keys: Sequence[str], importance: Sequence[str]) -> list[int] | None:
    """Return the indices of the key variables in decreasing importance, or None if no importance is given."""
    ranked = [*importance, *(name for name in keys if name not in importance)]
    return [list(keys).index(name) for name in ranked] if importance else None


def _check_class_size(k: object, records: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int | np.integer):
        raise InputError(f"The class size k is {described(k)}; it must be a whole number of at least 2.")
    if not 2 <= k <= records:
        raise InputError(f"The class size k is {k}; it must be from 2 to {records:,}, the number of records.")


def _check_costs(keys: Sequence[str], importance: Sequence[str], costs: Mapping[str, float] | None) -> None:
    check_texts("importance", importance)
    if costs is not None:
        check_kind("costs", costs, Mapping, "a mapping of key variables to costs")
        for cost in costs.values():
            check_number("costs", cost)
    for names, setting in ((importance, "importance"), (costs or {}, "cost")):
        unknown = [name for name in names if name not in keys]
        if unknown:
            raise InputError(
                f"{quoted(unknown[0])} is not a key variable, so it cannot have an {setting}; the key "
                f"variables are {listed(keys)}."
            )
    if importance and costs:
        raise InputError("Both importance and costs are given; use only one of them.")


def _costs(keys: Sequence[str], importance: Sequence[str], costs: Mapping[str, float] | None) -> list[float]:
    """Return the cost of one suppression per key variable, by default from the importance."""
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
    """Return the codes after `blank_out`; the strata are included as variables that cannot be suppressed."""
    apart = [name for name in strata if name not in keys]
    gaps = [name for name in strata if file[name].missing]
    if gaps:
        raise InputError(f"{quoted(gaps[0])} has missing values; a stratum needs a value in every record.")
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
        costs=[1.0] * len(apart) + list(cost),
        fixed=fixed,
        known=known,
        only=None if only is None else only[rows],
        shares=shares_of(whole),
        decoys=None if decoys is None else decoys[rows],
    )
    return _in_order(whole, order, blank)[:, len(apart) :]


def _in_order(codes: Codes, order: NDArray[np.intp] | None, blank: Callable[[Codes], Codes]) -> Codes:
    """Return the codes after a suppression that processes the records in this order."""
    if order is None:
        return blank(codes)
    after = np.empty_like(codes)
    after[order] = blank(codes[order])
    return after


def _secret_choice(
    file: Microdata, codes: Codes, k: int, seed: int
) -> tuple[NDArray[np.intp], Floats, Flags]:
    """Return a random order of the records, random cost factors of the keys, and the decoys.

    The result does not depend on the order of the records in the file. Decoys are records with a suppression
    that is not needed; without them, each suppressed value would reveal that its record was rare.
    """
    rng = np.random.default_rng(seed)
    every = [file[name].codes for name in sorted(file.variables)]
    order = np.lexsort(every)[rng.permutation(file.records)]
    factors = np.exp(COST_SPREAD * rng.standard_normal(codes.shape[1]))
    decoys = np.zeros(file.records, dtype=bool)
    if rng.random() < WITH_DECOYS:
        _, member, amount = distinct(codes)
        # A combination is a decoy as a whole, so that no rare remainder is left. Rare combinations are
        # preferred.
        chosen = rng.random(len(amount)) < DECOYS * np.minimum(1, k / amount) ** 2
        decoys = chosen[member]
    return order, factors, decoys


def transition_matrix(variable: Variable, rows: ArrayLike) -> Floats:
    """Return a transition matrix for PRAM after checking it; row i has the probabilities for category i.

    Raises
    ------
    InputError
        If the matrix does not have one row and column per category, or a row is not a probability distribution.

    Examples
    --------
    >>> transition_matrix(Variable.of("sex", ["m", "w"]), [[0.9, 0.1], [0.1, 0.9]]).tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    """
    matrix = numbers_of("matrix", rows)
    number = len(variable.categories)
    if matrix.shape != (number, number):
        raise InputError(
            f"{quoted(variable.name)} has {number:,} categories, so its matrix must have {number:,} rows and columns,"
            f" not {' x '.join(map(str, matrix.shape))}."
        )
    for label, row in zip(variable.labels, matrix, strict=True):
        if not (np.isfinite(row).all() and (row >= 0).all() and abs(row.sum() - 1) <= 1e-9):
            raise InputError(
                f"The row of {quoted(label)} in the matrix of {quoted(variable.name)} adds up to {row.sum():.10g};"
                " its probabilities must be at least 0 and add up to 1."
            )
    return matrix


def random_numbers(file: Microdata, secret: int) -> np.random.Generator:
    """Return the generator of the random numbers for a file: a secret is mixed with the records.

    Two files with one secret have independent random numbers. The same records in the same order and the same
    secret give the same random numbers.

    Parameters
    ----------
    file : Microdata
        The original records.
    secret : int
        A seed below 2^48 is for teaching and is not mixed.

    Returns
    -------
    Generator

    Raises
    ------
    InputError
        If the secret is not a whole number of at least 0.

    Examples
    --------
    >>> from sdcwidgets.microdata import Variable
    >>> last, this = (Microdata({"sex": Variable.of("sex", list(text))}) for text in ("mmw", "mww"))
    >>> random_numbers(last, 3**60).random() == random_numbers(this, 3**60).random()
    False
    """
    check_number("secret", secret, whole=True)
    content = [
        repr((name, variable.categories.tolist())).encode()
        + np.asarray(variable.codes, dtype="<i8").tobytes()
        for name, variable in microdata_of(file).variables.items()
    ]
    return generator(mixed_seed(int(secret), b"".join(content)))


def post_randomised(
    variable: Variable,
    redrawn: float = 0.0,
    seed: int | np.random.Generator | None = None,
    *,
    matrix: ArrayLike | None = None,
    strata: Sequence[Variable] = (),
) -> Variable:
    """Return the variable after PRAM, with an invariant matrix or with a given one.

    Parameters
    ----------
    variable : Variable
    redrawn : float
        Probability that a value is replaced by a random value of the file, or of its stratum.
    seed : int or numpy.random.Generator, optional
        Seed; default: a new random seed. Anyone who knows the seed can repeat the random numbers. A long number with
        a pattern is rejected, and a guessable number causes a warning. The seed of a generator is not checked.
    matrix : array_like, optional
        Transition matrix as in `transition_matrix`; then `redrawn` is not used.
    strata : sequence of Variable
        Variables whose combinations define strata; values are replaced by values of the same stratum. Missing
        values are a stratum of their own. The value of a record that is alone in its stratum does not change, so a
        data user is certain of it.

    Raises
    ------
    InputError
        If the probability, the matrix or the seed is invalid, or all values are missing.

    References
    ----------
    Totter 2014, section 1.2.3; Gouweleeuw, Kooiman, Willenborg and de Wolf 1998.

    Examples
    --------
    >>> from sdcwidgets.microdata import Variable
    >>> variable = Variable.of("job", list("aaabbbccc"))
    >>> post_randomised(variable, 0.0).codes.tolist() == variable.codes.tolist()
    True
    """
    check_number("redrawn", redrawn)
    check_kinds("strata", strata, Variable, "a list of variables, such as [file['region']]")
    if variable_of(variable).missing == len(variable.codes):
        raise InputError(
            f"All values of {quoted(variable.name)} are missing, so PRAM has no values to use; choose another variable."
        )
    if seed is not None:
        _check_seed(seed)
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
    r"""Return for each record the probability that its value was unchanged by PRAM, given the value after it.

    .. math:: t_j P_{jj} / \sum_i t_i P_{ij}

    Here j is the value after PRAM, t are the counts before it in the stratum, and P is the transition matrix;
    the result is 1 for missing values. The parameters are those of `post_randomised`.

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
    """Yield for each stratum its record indices, the counts of the values, and the transition matrix."""
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
    """Return the text variables that identify people directly, such as names."""
    roles = (file.weight, file.household)
    return tuple(name for name, var in file.variables.items() if var.identifies and name not in roles)


def for_release(file: Microdata, *, keep_household: bool = False) -> Microdata:
    """Return the file for release: without direct identifiers and household numbers, and sorted by its values.

    Household numbers reveal most suppressed values: the number of records with the same household number is the
    household size, and members of a household live in the same region. The original order reveals values in the
    same way if households are adjacent or the file was sorted before suppression.

    A number of the records, such as a column "id", also shows the original order. `read_microdata` excludes such a
    column; for other files, name it in `left_out` of the file. A column that differs for nearly all records and stays
    in the file raises a warning.

    Parameters
    ----------
    file : Microdata
    keep_household : bool
        Whether to keep the household number in spite of this risk.

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
    gone = {*names_in(microdata_of(file)), *file.left_out}
    if file.household is not None and not keep_household:
        gone.add(file.household)
    rest = file.without(gone)
    numbers = [
        name
        for name, variable in rest.variables.items()
        if rest.roles.of(name) == NO_ROLE and tells_apart(variable)
    ]
    if numbers:
        warnings.warn(
            f"{listed(numbers)} has a different value for nearly each record and is published, so the "
            f"variable may identify people. To exclude the variable, name it in left_out of the file.",
            UserWarning,
            stacklevel=2,
        )
    order = np.lexsort([var.codes for var in list(rest.variables.values())[::-1]])
    return rest.take(order)
