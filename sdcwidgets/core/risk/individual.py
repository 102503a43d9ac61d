r"""Risk of a record and of a household, from sampling weights of the records with the same key.

References: Benedetti and Franconi 1998; Franconi and Polettini 2004 (μ-Argus); Templ, Kowarik and Meindl 2014.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Floats, as_counts

# Above this number of records with the same key the series of the risk converges fast.
_SERIES_FROM = 30


def individual_risk(frequencies: ArrayLike, weighted_frequencies: ArrayLike) -> Floats:
    r"""Return the probability of a correct match by an intruder who knows the key of a sampled person.

    .. math::
        r = E\Bigl(\frac1F \,\Big|\, f\Bigr) = \frac{p}{f}\; {}_2F_1(1, 1; f+1; 1-p), \qquad
        p = \frac{f}{\hat F},

    where F given f is f plus a negative binomial number of people outside the sample. For f = 1 the risk is
    :math:`-p \log p/(1-p)`.

    Parameters
    ----------
    frequencies : array_like
        Number f of records with the key, 1 or more.
    weighted_frequencies : array_like
        Sum of their sampling weights, f or more.

    Returns
    -------
    ndarray
        From 0 to 1; 1 if the record is unique and has the weight 1.

    Raises
    ------
    ValueError
        If an f is below 1, or a sum of weights is below f.

    References
    ----------
    Benedetti and Franconi 1998; Euler's transformation of the formula of Franconi and Polettini 2004.

    Examples
    --------
    A sample unique with the weight 100:

    >>> round(float(individual_risk(1, 100)), 5)
    0.04652
    """
    from scipy.special import hyp2f1

    f, F = (
        np.asarray(as_counts(numbers), dtype=np.float64) for numbers in (frequencies, weighted_frequencies)
    )
    if (f < 1).any():
        raise ValueError("A frequency must be at least 1, because the record itself has the key.")
    if (f * (1 - 1e-12) > F).any():
        raise ValueError("The sum of the weights of records with one key must be at least their number.")
    p = np.minimum(f / F, 1)
    many = f > _SERIES_FROM
    factor = np.where(many, _series(np.where(many, f, _SERIES_FROM), 1 - p), 1.0)
    return p / f * np.where(many, factor, hyp2f1(1, 1, np.where(many, 1, f) + 1, 1 - p))


def _series(f: Floats, q: Floats) -> Floats:
    """Return 2F1(1, 1; f+1; q) from its series, because scipy 1.17 returns infinity for f of 100 or more."""
    term = np.ones(np.broadcast_shapes(f.shape, q.shape))
    total = term.copy()
    for n in range(40):  # for f above 30 the terms are below 1e-20 by then
        term = term * (n + 1) * q / (f + 1 + n)
        total += term
    return total


def household_risk(risk: ArrayLike, household: ArrayLike) -> Floats:
    r"""Return the probability that at least one person of the record's household is re-identified.

    .. math:: r^{(h)} = 1 - \prod_{i \in h} (1 - r_i)

    Parameters
    ----------
    risk : array_like, shape (n,)
        Individual risks, from 0 to 1.
    household : array_like of int, shape (n,)
        Number of each record's household, from 0.

    Returns
    -------
    ndarray, shape (n,)
        The same for all records of a household, and not below the individual risk.

    Raises
    ------
    ValueError
        If the arrays have different shapes, or a risk is not in [0, 1].

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
        raise ValueError(
            f"There are {risks.size} risks but {number.size} households; the numbers must be equal."
        )
    if ((risks < 0) | (risks > 1)).any():
        raise ValueError("A risk must be from 0 to 1.")
    # A risk of 1 makes the household's risk 1; for the others the logarithms of 1 - risk are added.
    sure = np.bincount(number, risks == 1) > 0
    log_missed = np.bincount(number, np.log1p(-np.minimum(risks, np.nextafter(1.0, 0.0))))
    at_least_one: Floats = np.where(sure, 1.0, -np.expm1(log_missed))[number]
    return at_least_one
