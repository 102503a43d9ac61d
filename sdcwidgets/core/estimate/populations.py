r"""Simulate populations, given a sample and a model of the cells.

Each population consists of the sample and N − n further people. The models are multinomial or Poisson, with the
cell probabilities of a log-linear model, or a Pólya urn. References: thesis, sections 4.6.1 and 4.6.2; sample
paper, section 5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Axis, Floats, Whole, as_counts, axes_of, plain
from .matches import main_effects

#: Approximate number of added people or cells per block of populations; larger blocks wait for memory.
BLOCK = 2**16


def sample_multinomial(
    counts: ArrayLike, probabilities: ArrayLike, people: int, size: int, rng: np.random.Generator
) -> Whole:
    r"""Simulate populations by adding multinomial counts to a sample.

    .. math:: \hat F = f + \text{Mult}(N - n;\, \hat p_1, \dots, \hat p_K)

    Parameters
    ----------
    counts : array_like, shape (*table)
        The sample f: whole numbers with the sum n.
    probabilities : array_like, shape (*table)
        Cell probabilities, 0 or more with the sum 1, for example `LogLinearFit.probabilities`.
    people : int
        Population size N, at least n.
    size : int
        Number of populations.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of int64, shape (size, *table)
        Counts of each population: at least the sample counts, with the sum N.

    Raises
    ------
    ValueError
        If N is below n, the counts are not whole, `size` is below 1, or the probabilities do not fit the table.

    References
    ----------
    Thesis, (4.6.1); sample paper, section 6.2.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sample_multinomial([2, 0, 1], [0.5, 0.0, 0.5], people=10, size=2, rng=rng).tolist()
    [[6, 0, 4], [8, 0, 2]]
    """
    f, p = _sample(counts, people, size), _probabilities(counts, probabilities)
    added = rng.multinomial(people - int(f.sum()), p.ravel(), size=size)
    return f + added.reshape(size, *f.shape)


def sample_poisson(
    counts: ArrayLike, probabilities: ArrayLike, people: int, size: int, rng: np.random.Generator
) -> Whole:
    r"""Simulate populations by adding Poisson counts to a sample, so that N varies.

    .. math:: \hat F_i = f_i + Po\bigl((1 - n/N) \lambda_i\bigr), \qquad \lambda_i = N \hat p_i

    Parameters and errors are those of `sample_multinomial`; here N is the expected number of people.

    Returns
    -------
    ndarray of int64, shape (size, *table)

    Notes
    -----
    Section 4.6.1.2 of the thesis adds :math:`Po(\lambda_i)`, which gives n + N people on average. This function
    adds
    :math:`Po((1 - p) \lambda_i)`, as (2.3.4) requires.

    References
    ----------
    Thesis, (2.3.4) and section 4.6.1.2.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> drawn = sample_poisson([2, 0, 1], [0.5, 0.0, 0.5], people=10, size=1000, rng=rng)
    >>> drawn.mean(axis=0).round(1).tolist()
    [5.5, 0.0, 4.6]
    """
    f, p = _sample(counts, people, size), _probabilities(counts, probabilities)
    return f + rng.poisson((people - int(f.sum())) * p, size=(size, *f.shape))


def sample_urn(counts: ArrayLike, theta: float, people: int, size: int, rng: np.random.Generator) -> Whole:
    r"""Simulate populations from a Pólya urn without drawing single balls.

    The urn starts with f_i balls in the colour of each populated cell, and θ black balls. A coloured ball is
    returned with another of its colour. A black ball is returned with a ball in a new colour: an empty cell,
    chosen with equal probability. After N − n draws the numbers of coloured balls are the population.

    The shares of the colours in the sample and of all new colours are Dirichlet, and the counts given the
    shares are multinomial. The balls in new colours follow a Chinese restaurant process with parameter θ. This
    is the distribution of `urn_balls`, but thousands of times faster to draw. If no empty cell is left, a black
    ball represents a new colour, chosen in proportion to its balls.

    Parameters
    ----------
    counts : array_like, shape (*table)
        The sample f: whole numbers, not all 0.
    theta : float
        Number of black balls, 0 or more; fractions are allowed.
    people : int
        Population size N, at least n.
    size : int
        Number of populations.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    ndarray of int64, shape (size, *table)
        Counts of each population: at least the sample counts, with the sum N.

    Raises
    ------
    ValueError
        If N is below n, the sample is empty, the counts are not whole, `size` is below 1, or θ is negative or
        infinite.

    References
    ----------
    Sample paper, section 5.2; Blackwell and MacQueen 1973; Pitman 2006, chapter 3.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sample_urn([3, 0, 2, 0], theta=1.0, people=20, size=2, rng=rng).sum(axis=1).tolist()
    [20, 20]
    """
    f, black = _urn(counts, theta, people, size)
    cells, empty = np.flatnonzero(f), np.flatnonzero(f == 0)
    drawn = np.zeros((size, f.size), dtype=np.int64)
    balls = people - int(f.sum())
    step = max(1, BLOCK // f.size)
    for start in range(0, size, step):
        block = drawn[start : start + step]
        shares = rng.standard_gamma(np.append(f.ravel()[cells], black), size=(len(block), len(cells) + 1))
        shares /= shares.sum(axis=1, keepdims=True)
        groups = rng.multinomial(balls, shares)
        block[:, cells] = groups[:, :-1]
        # Each part has about BLOCK new people, whatever their number in each population.
        parts = np.unique(np.cumsum(groups[:, -1]) // BLOCK, return_index=True)[1]
        for first, last in zip(parts, [*parts[1:], len(block)], strict=True):
            _seat(block[first:last], groups[first:last, -1], black, empty, rng)
    return f + drawn.reshape(size, *f.shape)


def urn_balls(counts: ArrayLike, theta: float, people: int, size: int, rng: np.random.Generator) -> Whole:
    """Simulate the Pólya urn ball by ball, for many populations at the same time.

    Parameters, errors and the urn are those of `sample_urn`.

    Returns
    -------
    ndarray of int64, shape (N − n, size)
        The cell that gets a person in each draw, as an index into ``counts.ravel()``. The first person of a
        cell that is empty in the sample comes from a black ball.

    References
    ----------
    Sample paper, section 5.2.

    Examples
    --------
    >>> urn_balls([3, 0, 2, 0], theta=1.0, people=10, size=3, rng=np.random.default_rng(1)).shape
    (5, 3)
    """
    f, black = _urn(counts, theta, people, size)
    n, draws, each = int(f.sum()), people - int(f.sum()), np.arange(size)
    empty = np.flatnonzero(f == 0)
    order = rng.permuted(np.broadcast_to(empty, (size, len(empty))), axis=1)
    is_new = f.ravel() == 0
    # Cell of each coloured ball in the urn; the balls of the sample are the same in every population.
    balls = np.empty((people, size), dtype=np.int64)
    balls[:n] = np.repeat(np.arange(f.size), f.ravel())[:, np.newaxis]
    # Cells of the balls in new colours, the number of these balls, and the number of new colours.
    newer = np.empty((max(draws, 1), size), dtype=np.int64)
    among_new, colours = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    for draw in range(draws):
        position = rng.random(size) * (n + draw + black) - black
        is_black = position < 0
        cell = balls[np.minimum(np.maximum(position, 0).astype(np.int64), n + draw - 1), each]
        if is_black.any():
            fills_empty = is_black & (colours < len(empty))
            cell[fills_empty] = order[fills_empty, colours[fills_empty]]
            colours[fills_empty] += 1
            # If no empty cell is left, a black ball represents one of the new colours.
            none = is_black & ~fills_empty
            if none.any():
                picked = (rng.random(int(none.sum())) * among_new[none]).astype(np.int64)
                cell[none] = newer[picked, each[none]]
        balls[n + draw] = cell
        fresh = is_new[cell]
        newer[among_new[fresh], each[fresh]] = cell[fresh]
        among_new += fresh
    return balls[n:]


def expected_zeros(probabilities: ArrayLike, people: int, axis: Axis = None) -> Floats:
    r"""Return the expected number of empty cells of a population, :math:`|\hat D| = \sum_i (1 - \hat p_i)^N`.

    Parameters
    ----------
    probabilities : array_like
        Probability of each cell.
    people : int
        Population size N.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch.

    Returns
    -------
    ndarray
        From 0 to the number of cells, with the batch's shape.

    References
    ----------
    Sample paper, section 5.2.

    Examples
    --------
    >>> float(expected_zeros([0.5, 0.5, 0.0], 2))
    1.5
    """
    p = as_counts(probabilities, "the probabilities").astype(np.float64)
    with np.errstate(divide="ignore"):
        alone = np.exp(people * np.log1p(-np.minimum(p, 1.0)))
    return plain(np.asarray(alone.sum(axis=axes_of(axis, p.ndim))))


def urn_theta(
    counts: ArrayLike,
    people: int,
    zeros: ArrayLike | None = None,
    *,
    probabilities: ArrayLike | None = None,
    axis: Axis = None,
) -> Floats:
    r"""Return the number of black balls θ for which the urn fills the expected number of empty cells.

    .. math:: |E| - |D| = \sum_{z=1}^{N-n} \frac{\theta}{n + \theta + z - 1}
              = \theta \bigl(\psi(N + \theta) - \psi(n + \theta)\bigr)

    where E are the empty cells of the sample and D the empty cells of the population. An unknown D is replaced by
    :math:`|\hat D| = \sum (1 - \hat p_i)^N`.

    Parameters
    ----------
    counts : array_like
        The sample f.
    people : int
        Population size N.
    zeros : array_like, optional
        Number \|D\| of empty cells of the population, equation (5). Default: an estimate, equation (6).
    probabilities : array_like, optional
        Cell probabilities for the estimate; default: those of the model of main effects.
    axis : int, tuple of int or None
        The axes of the table; the other axes are a batch of samples.

    Returns
    -------
    ndarray
        θ, 0 or more, with the batch's shape; 0 if no empty cell is expected to be filled.

    Raises
    ------
    ValueError
        If N is below n, or the people to add are not more than the empty cells to fill.

    References
    ----------
    Sample paper, (5) and (6).

    Examples
    --------
    With this θ, two of three draws are expected to be black balls:

    >>> theta = urn_theta([4, 0, 0, 0], people=7, zeros=1)
    >>> round(float(theta), 4)
    9.9104
    >>> round(float(sum(theta / (4 + theta + z - 1) for z in (1, 2, 3))), 10)
    2.0
    """
    f = as_counts(counts, "the sample")
    axes = axes_of(axis, f.ndim)
    n = f.sum(axis=axes, dtype=np.float64)
    _check_people(float(n.max()), people)
    if zeros is None:
        p = main_effects(f, axis) / np.expand_dims(n, axes) if probabilities is None else probabilities
        zeros = expected_zeros(p, people, axis)
    new = np.maximum(np.sum(f == 0, axis=axes) - np.asarray(zeros, dtype=np.float64), 0.0)
    return _solve(new, n, people)


def _solve(new: Floats, sampled: Floats, people: int) -> Floats:
    """Return θ by Newton's method; the sum is concave in θ, so steps from the left do not overshoot."""
    from scipy.special import polygamma, psi

    if np.any((new > 0) & (new >= people - sampled)):
        raise ValueError(
            "The population size N is too small to fill the empty cells of the sample. Increase N."
        )
    n, N = sampled, float(people)
    theta = new / np.maximum(psi(N) - psi(np.maximum(n, 1.0)), 1e-300)
    for _ in range(200):
        span = psi(N + theta) - psi(n + theta)
        slope = span + theta * (polygamma(1, N + theta) - polygamma(1, n + theta))
        step = (new - theta * span) / np.where(new > 0, slope, 1.0)
        theta = np.where(new > 0, theta + step, 0.0)
        if np.all(np.abs(step) <= 1e-13 * (1 + theta)):
            break
    return plain(np.asarray(theta))


def _seat(
    drawn: Whole, people: Whole, theta: float, empty: NDArray[np.intp], rng: np.random.Generator
) -> None:
    """Assign the people in new colours to empty cells, as in a Chinese restaurant process.

    Each person either opens a new cell or follows a random predecessor into the predecessor's cell. All
    predecessors are drawn first. Then the links are followed until every person has a cell.
    """
    total = int(people.sum())
    if not total:
        return
    population = np.repeat(np.arange(len(people)), people)
    everyone, first = np.arange(total), np.repeat(np.cumsum(people) - people, people)
    turn = everyone - first
    opens = rng.random(total) * (theta + turn) < theta
    opens |= turn == 0
    opened = np.cumsum(opens)
    table: Whole = opened - opened[first]
    opens &= table < len(empty)
    # The product is below `turn` except for rounding errors, so the index is that of an earlier person.
    follows = first + np.minimum((rng.random(total) * turn).astype(np.int64), np.maximum(turn - 1, 0))
    seat = np.where(opens, everyone, follows)
    asking = np.flatnonzero(~opens)
    asking = asking[~opens[seat[asking]]]
    while asking.size:
        seat[asking] = seat[seat[asking]]
        asking = asking[~opens[seat[asking]]]
    order = rng.permuted(np.broadcast_to(empty, (len(people), len(empty))), axis=1)
    n_cells = drawn.shape[1]
    cells = (order + n_cells * np.arange(len(people))[:, np.newaxis]).ravel()
    places = cells[len(empty) * population + table[seat]]
    drawn += np.bincount(places, minlength=drawn.size).reshape(drawn.shape)


def _sample(counts: ArrayLike, people: int, size: int) -> Whole:
    f = as_counts(counts, "the sample")
    if f.dtype.kind == "f" and not np.array_equal(f, np.floor(f)):
        raise ValueError("The counts of the sample must be whole numbers.")
    _check_people(float(f.sum()), people)
    if size < 1:
        raise ValueError(f"The number of populations is {size}; it must be at least 1.")
    return f.astype(np.int64)


def _urn(counts: ArrayLike, theta: float, people: int, size: int) -> tuple[Whole, float]:
    """Return the sample and the number of black balls, which is 0 if the sample has no empty cell."""
    f = _sample(counts, people, size)
    if not f.any():
        raise ValueError("The sample has no people; the urn model needs a sample of at least one person.")
    if not (0 <= theta < np.inf):
        raise ValueError(f"The number of black balls is {theta}; it must be 0 or more.")
    return f, float(theta) if (f == 0).any() else 0.0


def _check_people(sampled: float, people: int) -> None:
    if not people >= sampled:
        raise ValueError(f"The sample has {sampled:,.0f} people, more than the {people:,} of the population.")


def _probabilities(counts: ArrayLike, probabilities: ArrayLike) -> Floats:
    p = as_counts(probabilities, "the probabilities").astype(np.float64)
    if p.shape != np.shape(counts):
        raise ValueError(
            f"The cell probabilities have the shape {p.shape} and the sample has the shape "
            f"{np.shape(counts)}; both must be equal."
        )
    total = p.sum()
    if not abs(total - 1) <= 1e-9:
        raise ValueError(f"The cell probabilities sum to {total:.10g}; the sum must be 1.")
    scaled: Floats = p / total
    return scaled
