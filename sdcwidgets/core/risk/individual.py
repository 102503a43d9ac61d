r"""The risk of a record and of a household, from how many people the weights say have the same key.

References: Benedetti and Franconi 1998; Franconi and Polettini 2004 (μ-Argus); Templ, Kowarik and Meindl 2014.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, as_counts

# With more records of one key than this the series of the risk is short.
_SERIES_FROM = 30


def individual_risk(frequencies: ArrayLike, weighted_frequencies: ArrayLike) -> Floats:
    r"""Probability that an intruder who knows a record's key, and that it is in the sample, finds the person.

    .. math::
        r = E\Bigl(\frac1F \,\Big|\, f\Bigr) = \frac{p}{f}\; {}_2F_1(1, 1; f+1; 1-p), \qquad
        p = \frac{f}{\hat F},

    where F given f is f plus a negative binomial number of people who are not in the sample. For f = 1 it is
    :math:`-p \log p/(1-p)`.

    Parameters
    ----------
    frequencies : array_like
        f, how many records have the key, at least 1.
    weighted_frequencies : array_like
        The sum of their weights, at least f.

    Returns
    -------
    ndarray
        From 0 to 1; 1 where the record is unique and stands for itself alone.

    Raises
    ------
    ValueError
        If an f is below 1, or a sum of weights below its f.

    References
    ----------
    Benedetti and Franconi 1998; Euler's transformation of the form that Franconi and Polettini 2004 print.

    Examples
    --------
    A sample unique whose weight is 100:

    >>> round(float(individual_risk(1, 100)), 5)
    0.04652
    """
    from scipy.special import hyp2f1

    f, F = (np.asarray(as_counts(x), dtype=np.float64) for x in (frequencies, weighted_frequencies))
    if (f < 1).any():
        raise ValueError("A frequency must be at least 1: the record itself has the key.")
    if (f * (1 - 1e-12) > F).any():
        raise ValueError("The weights of the records with one key must add up to at least their number.")
    p = np.minimum(f / F, 1)
    many = f > _SERIES_FROM
    factor = np.where(many, _series(np.where(many, f, _SERIES_FROM), 1 - p), 1.0)
    return p / f * np.where(many, factor, hyp2f1(1, 1, np.where(many, 1, f) + 1, 1 - p))


def _series(f: Floats, q: Floats) -> Floats:
    """Return 2F1(1, 1; f+1; q) from its series; scipy 1.17 returns infinity for f of 100 or more."""
    term = np.ones(np.broadcast_shapes(f.shape, q.shape))
    total = term.copy()
    for n in range(40):  # for f above 30 the terms are below 1e-20 by then
        term = term * (n + 1) * q / (f + 1 + n)
        total += term
    return total


def household_risk(risk: ArrayLike, household: ArrayLike) -> Floats:
    r"""Probability that at least one person of the record's household is found.

    .. math:: r^{(h)} = 1 - \prod_{i \in h} (1 - r_i)

    Parameters
    ----------
    risk : array_like, shape (n,)
        The individual risks, from 0 to 1.
    household : array_like of int, shape (n,)
        The number of each record's household, from 0 on.

    Returns
    -------
    ndarray, shape (n,)
        The same for all records of a household, and at least the individual risk.

    References
    ----------
    Templ, Kowarik and Meindl 2014, section 3.6.

    Examples
    --------
    >>> household_risk([0.5, 0.5, 0.1], [0, 0, 1]).round(12).tolist()
    [0.75, 0.75, 0.1]
    """
    risks = np.asarray(risk, dtype=np.float64)
    number = np.asarray(household)
    if risks.shape != number.shape or risks.ndim != 1:
        raise ValueError(f"There are {risks.size} risks and {number.size} households; each record has one.")
    if ((risks < 0) | (risks > 1)).any():
        raise ValueError("A risk must be from 0 to 1.")
    # Certain people make their household certain; the logarithm of the others' chances adds up.
    sure = np.bincount(number, risks == 1) > 0
    log_missed = np.bincount(number, np.log1p(-np.minimum(risks, np.nextafter(1.0, 0.0))))
    at_least_one: Floats = np.where(sure, 1.0, -np.expm1(log_missed))[number]
    return at_least_one
