r"""Populations that a sample may have come from, drawn in batches from a model of the cells.

Each begins with the people of the sample and adds N − n others: multinomial or Poisson, with the cell
probabilities of a log-linear model, or from a Pólya urn. References: thesis, sections 4.6.1 and 4.6.2; sample
paper, section 5.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._arrays import Axis, Floats, Whole, as_counts, axes_of, plain
from .matches import main_effects

#: Populations are drawn in blocks with about this many new people or cells: larger ones wait for memory.
BLOCK = 2**16


def sample_multinomial(
    counts: ArrayLike, probabilities: ArrayLike, people: int, size: int, rng: np.random.Generator
) -> Whole:
    r"""Draw populations of which a sample is known and the others are multinomial.

    .. math:: \hat F = f + \text{Mult}(N - n;\, \hat p_1, \dots, \hat p_K)

    Parameters
    ----------
    counts : array_like, shape (*table)
        The sample f, whole numbers, n in all.
    probabilities : array_like, shape (*table)
        Cell probabilities, 0 or more with the sum 1, as `LogLinearFit.probabilities` has them.
    people : int
        N, at least n.
    size : int
        How many populations.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (size, *table)
        No cell below the sample's, each with the sum N.

    Raises
    ------
    ValueError
        If N is below n, or the probabilities are not those of this table.

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
    r"""Draw populations of which a sample is known and the others are Poisson, so that N varies.

    .. math:: \hat F_i = f_i + Po\bigl((1 - n/N) \lambda_i\bigr), \qquad \lambda_i = N \hat p_i

    Parameters and errors are those of `sample_multinomial`; N is the expected number of people.

    Returns
    -------
    ndarray of int64, shape (size, *table)

    Notes
    -----
    Section 4.6.1.2 of the thesis adds :math:`Po(\lambda_i)`, which would give n + N people on average; by
    (2.3.4) it is :math:`Po((1 - p) \lambda_i)`, as here.

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
    r"""Draw populations from a Pólya urn, without drawing it ball by ball.

    The urn begins with f_i balls of each colour seen and θ black ones. A coloured ball that is drawn goes back
    with another of its colour, a black one with a ball of a colour that was not there: a cell that was empty,
    each as likely as any other. After N − n draws the colours are the population.

    The shares that the seen colours and all new ones get are Dirichlet, the counts given them multinomial, and
    the balls of new colours sit down as in a Chinese restaurant process with parameter θ. That is the same
    distribution as `urn_balls`, thousands of times faster. When every empty cell has its colour, a black ball
    stands for one of the new colours, each as likely as it has balls.

    Parameters
    ----------
    counts : array_like, shape (*table)
        The sample f, whole numbers, with someone in it.
    theta : float
        The number of black balls, 0 or more, not necessarily whole.
    people, size, rng
        As for `sample_multinomial`.

    Returns
    -------
    ndarray of int64, shape (size, *table)
        No cell below the sample's, each with the sum N.

    Raises
    ------
    ValueError
        If N is below n, nobody is in the sample, or θ is negative.

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
        # So many new people at a time, however many there are in each population.
        parts = np.unique(np.cumsum(groups[:, -1]) // BLOCK, return_index=True)[1]
        for first, last in zip(parts, [*parts[1:], len(block)], strict=True):
            _seat(block[first:last], groups[first:last, -1], black, empty, rng)
    return f + drawn.reshape(size, *f.shape)


def urn_balls(counts: ArrayLike, theta: float, people: int, size: int, rng: np.random.Generator) -> Whole:
    """Draw from the Pólya urn ball by ball, for many populations at once.

    Parameters, errors and the urn are those of `sample_urn`.

    Returns
    -------
    ndarray of int64, shape (N − n, size)
        The cell, an index into ``counts.ravel()``, that the ball of each draw adds a person to. The first ball
        of a cell that is empty in the sample was put in for a black one.

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
    # The cell of each coloured ball in the urn; those of the sample are the same in every population.
    balls = np.empty((people, size), dtype=np.int64)
    balls[:n] = np.repeat(np.arange(f.size), f.ravel())[:, np.newaxis]
    # The cells of the balls of new colours, and how many there are of these balls and colours.
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
            # With no empty cell left a black ball is one of the new colours.
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
        The probability of each cell.
    people : int
        N.
    axis : int, tuple of int or None
        The axes that a table consists of; the others are a batch.

    Returns
    -------
    ndarray
        From 0 to the number of cells, of the batch's shape.

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
    r"""Return the number of black balls θ with which the urn fills as many empty cells as expected.

    .. math:: |E| - |D| = \sum_{z=1}^{N-n} \frac{\theta}{n + \theta + z - 1}
              = \theta \bigl(\psi(N + \theta) - \psi(n + \theta)\bigr)

    with E the empty cells of the sample and D those of the population. Where D is not known,
    :math:`|\hat D| = \sum (1 - \hat p_i)^N` stands for it.

    Parameters
    ----------
    counts : array_like
        The sample f.
    people : int
        N.
    zeros : array_like, optional
        The number of empty cells \|D\| of the population, equation (5). Without it, it is estimated, equation (6).
    probabilities : array_like, optional
        Cell probabilities for the estimate; by default those of the model of main effects.
    axis : int, tuple of int or None
        The axes that a table consists of; the others are a batch of samples.

    Returns
    -------
    ndarray
        θ, 0 or more, of the batch's shape; 0 where no empty cell of the sample is expected to be filled.

    Raises
    ------
    ValueError
        If N is below n, or there are as many cells to fill as people to fill them.

    References
    ----------
    Sample paper, (5) and (6).

    Examples
    --------
    Two of three balls are black draws:

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
    """Return θ by Newton's method: the sum is concave in θ, so the steps from the left never go too far."""
    from scipy.special import polygamma, psi

    if np.any((new > 0) & (new >= people - sampled)):
        raise ValueError(
            "The urn cannot fill as many empty cells as there are people to add; N is too small."
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
    """Seat the people of new colours at the empty cells of each population, as in a Chinese restaurant.

    Whoever does not open a table follows someone who came before, each as likely. All follow at once: who is
    followed by whom is drawn first, and then everyone asks the one he follows until all sit.
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
    # A random number below 1 times the turn is, rounding aside, below the turn: someone who came before.
    follows = first + np.minimum((rng.random(total) * turn).astype(np.int64), np.maximum(turn - 1, 0))
    seat = np.where(opens, everyone, follows)
    asking = np.flatnonzero(~opens)
    while (asking := asking[~opens[seat[asking]]]).size:
        seat[asking] = seat[seat[asking]]
    order = rng.permuted(np.broadcast_to(empty, (len(people), len(empty))), axis=1)
    n_cells = drawn.shape[1]
    cells = (order + n_cells * np.arange(len(people))[:, np.newaxis]).ravel()
    places = cells[len(empty) * population + table[seat]]
    drawn += np.bincount(places, minlength=drawn.size).reshape(drawn.shape)


def _sample(counts: ArrayLike, people: int, size: int) -> Whole:
    """Return the sample as whole counts, or raise ValueError."""
    f = as_counts(counts, "the sample")
    if f.dtype.kind == "f" and not np.array_equal(f, np.floor(f)):
        raise ValueError("The counts of the sample must be whole numbers.")
    _check_people(float(f.sum()), people)
    if size < 1:
        raise ValueError(f"The number of populations is {size}; it must be at least 1.")
    return f.astype(np.int64)


def _urn(counts: ArrayLike, theta: float, people: int, size: int) -> tuple[Whole, float]:
    """Return the sample and the number of black balls, 0 where there is no empty cell for their colours."""
    f = _sample(counts, people, size)
    if not f.any():
        raise ValueError("The urn is empty: nobody is in the sample.")
    if not (0 <= theta < np.inf):
        raise ValueError(f"The number of black balls is {theta}; it must be 0 or more.")
    return f, float(theta) if (f == 0).any() else 0.0


def _check_people(sampled: float, people: int) -> None:
    if not people >= sampled:
        raise ValueError(f"The sample has {sampled:,.0f} people, more than the population's {people:,}.")


def _probabilities(counts: ArrayLike, probabilities: ArrayLike) -> Floats:
    p = as_counts(probabilities, "the probabilities").astype(np.float64)
    if p.shape != np.shape(counts):
        raise ValueError(f"The probabilities have the shape {p.shape}, the sample {np.shape(counts)}.")
    total = p.sum()
    if not abs(total - 1) <= 1e-9:
        raise ValueError(f"The probabilities sum to {total:.10g}; they must sum to 1.")
    scaled: Floats = p / total
    return scaled
