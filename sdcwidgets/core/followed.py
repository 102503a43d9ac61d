"""Remaining uncertainty about people's original cells if a method moves people with known probabilities.

Record swapping and post-randomisation change the value of one variable. The method then defines the channel from
the original to the published cells, which replaces the assumption of `channel.expected_channel`. References:
thesis, section 3.6.5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Floats, as_counts

#: Maximum number of probabilities, cells times categories of the changed variable; more need too much time.
MOST_PROBABILITIES = 50_000_000


class PersonTransition(NamedTuple):
    """Probabilities with which a method changes the value of one variable of a person."""

    axis: int
    """Position of the variable among the axes of the table."""
    probabilities: Floats
    """Probability of each new value for each original value, shape (1 or combinations of the other axes, n, n)."""


class Followed(NamedTuple):
    """Information about original cells in the published cells of the same people; one value per slice, or nan."""

    entropy_left: Floats
    """H(X|Y), in nats."""
    stayed: Floats
    """Expected share of people who stay in their cell."""


def followed_people(F: ArrayLike, transition: PersonTransition, axis: int | None = None) -> Followed:
    r"""Return H(X|Y) if X and Y are the original and the published cell of the same person.

    With the probability :math:`p_{ij}` of a move from cell i to cell j and :math:`M_{ij} = F_i p_{ij}`,

    .. math:: H(X|Y) = \frac{1}{N} \Bigl(\sum_j M_{\cdot j} \log M_{\cdot j} - \sum_{ij} M_{ij} \log M_{ij}\Bigr) .

    The people who leave a slice have one common value of Y, because the published slice contains nothing about
    them.

    Parameters
    ----------
    F : array_like
        Counts before protection.
    transition : PersonTransition
        Probabilities of the method.
    axis : int, optional
        Axis whose slices are assessed; default: the whole table.

    Returns
    -------
    Followed

    Raises
    ------
    ValueError
        If the probabilities do not belong to the table, or there are too many of them.

    References
    ----------
    Thesis, (3.6.3) and section 3.6.5.

    Examples
    --------
    Two areas, of which one in ten people is swapped to the other one:

    >>> swap = PersonTransition(0, np.array([[[0.9, 0.1], [0.1, 0.9]]]))
    >>> people = followed_people([[10, 30], [20, 40]], swap)
    >>> people.entropy_left.round(4).tolist(), people.stayed.round(4).tolist()
    ([0.3163], [0.9])
    """
    counts = as_counts(F).astype(np.float64)
    changed, n = transition.axis, counts.shape[transition.axis]
    lines = np.moveaxis(counts, changed, -1).reshape(-1, n)
    if transition.probabilities.shape not in {(1, n, n), (len(lines), n, n)}:
        raise ValueError(
            f"The probabilities have the shape {transition.probabilities.shape}; they must have the shape "
            f"{(1, n, n)} or {(len(lines), n, n)}."
        )
    if counts.size * n > MOST_PROBABILITIES:
        raise ValueError(
            f"The table has {counts.size * n:,} probabilities of moves, more than the maximum of "
            f"{MOST_PROBABILITIES:,}."
        )
    unchanged = np.diagonal(transition.probabilities, axis1=1, axis2=2)
    if axis == changed:
        left = lines * (1 - unchanged)
        uncertainty = _weighted_logs(left.sum(axis=0)) - _weighted_logs(left).sum(axis=0)
        stayed, people = (lines * unchanged).sum(axis=0), lines.sum(axis=0)
    else:
        moved = lines[:, :, np.newaxis] * transition.probabilities
        of_lines = _weighted_logs(moved.sum(axis=1)).sum(axis=1) - _weighted_logs(moved).sum(axis=(1, 2))
        uncertainty, stayed, people = (
            _sums(values, counts.shape, changed, axis)
            for values in (of_lines, (lines * unchanged).sum(axis=1), lines.sum(axis=1))
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        return Followed(np.maximum(uncertainty / people, 0.0), stayed / people)


def _sums(values: Floats, shape: tuple[int, ...], changed: int, axis: int | None) -> Floats:
    """Return sums over the lines along the changed axis for each slice of another axis, or for the whole table."""
    if axis is None:
        return np.atleast_1d(values.sum())
    others = [k for k in range(len(shape)) if k != changed]
    by_axis = values.reshape([shape[k] for k in others])
    return np.asarray(by_axis.sum(axis=tuple(k for k, other in enumerate(others) if other != axis)))


def _weighted_logs(values: Floats) -> Floats:
    """Return x log x, with 0 for x = 0."""
    weighted: Floats = values * np.log(np.where(values > 0, values, 1.0))
    return weighted
