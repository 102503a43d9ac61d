r"""Primary suppression rules: sensitive entries, and the protection that each needs.

A rule examines one entry: its count, or the contributions of which it is the sum. The protection of a sensitive
entry is large enough if the rule would hold for a value with that error.

References: Hundepool et al. 2012, Statistical Disclosure Control, chapter 4; O&DF, section 2; handbook, chapter
5, section 5.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Flags, Floats, Whole


class Sensitive(NamedTuple):
    """Result of a rule, one element per entry."""

    flags: Flags
    """Whether the entry is sensitive."""
    needed: Floats
    """Minimum distance of the computable upper bound from the value; 0 for an entry that is not sensitive."""


@dataclass(frozen=True, eq=False)
class Contributions:
    """Contributions to entries, each with its contributor.

    A contributor may contribute several times, to one entry or to several. Contributions of one contributor to
    the same entry are added.

    Attributes
    ----------
    entries : ndarray of int, shape (n,)
        Entry of each contribution.
    values : ndarray of float, shape (n,)
        Amount of each contribution, 0 or more.
    holders : ndarray of int, shape (n,)
        Number of the contributor: a person, a company, or a group with shared knowledge.
    """

    entries: Whole
    values: Floats
    holders: Whole

    def __post_init__(self) -> None:
        sizes = {len(self.entries), len(self.values), len(self.holders)}
        if len(sizes) != 1:
            raise ValueError("The arrays of cells, values and contributors must have the same length.")
        if not np.all(np.asarray(self.values) >= 0):
            raise ValueError("A contribution is negative or not a number; dominance rules need 0 or more.")

    def merged(self) -> Contributions:
        """Return one contribution per holder and entry, in descending order within an entry."""
        order = np.lexsort((self.holders, self.entries))
        entries, holders = self.entries[order], self.holders[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (np.diff(entries) != 0) | (np.diff(holders) != 0)
        starts = np.flatnonzero(new)
        values = np.add.reduceat(self.values[order], starts) if len(order) else self.values
        entries, holders = entries[new], holders[new]
        order = np.lexsort((-values, entries))
        return Contributions(entries[order], values[order], holders[order])

    def totals(self, size: int) -> Floats:
        """Return the sum of each of `size` entries."""
        return np.bincount(self.entries, self.values, minlength=size).astype(np.float64)

    def largest(self, size: int, number: int) -> Floats:
        """Return the largest contributions of each entry, shape (size, number), padded with 0."""
        merged = self.merged()
        top = np.zeros((size, number))
        counts = np.bincount(merged.entries, minlength=size)
        within = np.arange(len(merged.entries)) - np.repeat(np.cumsum(counts) - counts, counts)
        within_limit = within < number
        top[merged.entries[within_limit], within[within_limit]] = merged.values[within_limit]
        return top

    def within(self, numbers: Whole) -> Contributions:
        """Return the contributions to these entries only, renumbered from 0 in the given order."""
        target = np.full(max(int(numbers.max()), int(self.entries.max(initial=0))) + 1, -1)
        target[numbers] = np.arange(len(numbers))
        return self.relabelled(target)

    def relabelled(self, target: Whole) -> Contributions:
        """Return the contributions with renumbered entries; `target` is the new number of each, -1 to drop it."""
        entries = target[self.entries]
        has_entry = entries >= 0
        return Contributions(entries[has_entry], self.values[has_entry], self.holders[has_entry])


#: Primary rule: a function of contributions and the number of entries.
Rule = Callable[[Contributions, int], Sensitive]


def threshold(counts: ArrayLike, least: int = 3) -> Flags:
    """Return a mask of counts in (0, least).

    Raises
    ------
    ValueError
        If `least` is below 1.

    Examples
    --------
    >>> threshold([0, 1, 2, 3], 3).tolist()
    [False, True, True, False]
    """
    if least < 1:
        raise ValueError(f"The threshold must be at least 1, not {least}.")
    counted = np.asarray(counts)
    return (counted > 0) & (counted < least)


def dominance(contributions: Contributions, size: int, n: int = 1, k: float = 75) -> Sensitive:
    r"""Apply the (n, k) dominance rule: the n largest contributions exceed k % of the value.

    .. math:: x_1 + \dots + x_n > \frac{k}{100} X, \qquad
              \text{needed: } \frac{100}{k} (x_1 + \dots + x_n) - X

    Raises
    ------
    ValueError
        If n is below 1, or k is not in (0, 100).

    Examples
    --------
    >>> import numpy as np
    >>> given = Contributions(np.array([0, 0, 1, 1]), np.array([80.0, 20, 60, 40]), np.array([1, 2, 3, 4]))
    >>> dominance(given, 2, n=1, k=75)
    Sensitive(flags=array([ True, False]), needed=array([6.66666667, 0.        ]))
    """
    if n < 1 or not 0 < k < 100:
        raise ValueError(f"The dominance rule needs n >= 1 and 0 < k < 100, not n = {n} and k = {k}.")
    top = contributions.largest(size, n).sum(axis=1)
    needed = 100 / k * top - contributions.totals(size)
    return _sensitive(needed, contributions, size)


def p_percent(contributions: Contributions, size: int, p: float = 10) -> Sensitive:
    r"""Apply the p % rule: the second largest contributor can estimate the largest to within p %.

    .. math:: X - x_1 - x_2 < \frac{p}{100} x_1, \qquad
              \text{needed: } \frac{p}{100} x_1 - (X - x_1 - x_2)

    Examples
    --------
    >>> import numpy as np
    >>> given = Contributions(np.zeros(3, int), np.array([100.0, 50, 5]), np.arange(3))
    >>> p_percent(given, 1, p=10)
    Sensitive(flags=array([ True]), needed=array([5.]))
    """
    return pq(contributions, size, p, 100)


def pq(contributions: Contributions, size: int, p: float = 10, q: float = 100) -> Sensitive:
    r"""Apply the pq rule: bounds within q % before publication become bounds within p % for the largest.

    .. math:: \frac{q}{100} (X - x_1 - x_2) < \frac{p}{100} x_1, \qquad
              \text{needed: } \frac{p}{q} x_1 - (X - x_1 - x_2)

    Raises
    ------
    ValueError
        Unless 0 < p < q <= 100.

    Examples
    --------
    >>> import numpy as np
    >>> given = Contributions(np.zeros(3, int), np.array([100.0, 50, 15]), np.arange(3))
    >>> pq(given, 1, p=10, q=100).flags, pq(given, 1, p=10, q=50).flags
    (array([False]), array([ True]))
    """
    if not 0 < p < q <= 100:
        raise ValueError(f"The pq rule needs 0 < p < q <= 100, not p = {p} and q = {q}.")
    top = contributions.largest(size, 2)
    rest = contributions.totals(size) - top.sum(axis=1)
    return _sensitive(p / q * top[:, 0] - rest, contributions, size)


def entropy_rule(contributions: Contributions, size: int, t: float = 0.5) -> Sensitive:
    r"""Apply the entropy rule: contributions are too unequal, :math:`H(x_i / X) / \log_2 N < t`.

    A single contributor has entropy 0 and is sensitive. The rule does not define the required protection; here
    it is the value of the entry.

    Raises
    ------
    ValueError
        If t is not in [0, 1].

    References
    ----------
    O&DF, equation (1).

    Examples
    --------
    >>> import numpy as np
    >>> given = Contributions(np.array([0, 0, 1, 1]), np.array([99.0, 1, 60, 40]), np.array([1, 2, 3, 4]))
    >>> entropy_rule(given, 2, t=0.5).flags.tolist()
    [True, False]
    """
    if not 0 <= t <= 1:
        raise ValueError(f"The limit t of the entropy rule must be from 0 to 1, not {t}.")
    merged = contributions.merged()
    totals = merged.totals(size)
    share = merged.values / np.where(totals > 0, totals, 1)[merged.entries]
    bits = np.bincount(merged.entries, -share * np.log2(np.where(share > 0, share, 1)), minlength=size)
    number = np.bincount(merged.entries, merged.values > 0, minlength=size)
    relative = np.where(number > 1, bits / np.log2(np.maximum(number, 2)), 0)
    flags: Flags = (totals > 0) & (relative < t)
    return Sensitive(flags, np.where(flags, totals, 0))


def _sensitive(needed: Floats, contributions: Contributions, size: int) -> Sensitive:
    totals = contributions.totals(size)
    flags: Flags = (needed > 1e-9 * np.maximum(totals, 1)) & (totals > 0)
    return Sensitive(flags, np.where(flags, needed, 0.0))
