"""Results of the page Divergences: distances between two distributions, and inequalities between them.

References: thesis, sections 3.3 and 3.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets.core import information
from sdcwidgets.dashboards.divergences.state import DivergencesState


@dataclass(frozen=True)
class Inequality:
    """One inequality between two quantities, with their values.

    Attributes
    ----------
    name : str
        Title of the inequality.
    about : {"pair", "one"}
        "pair" for P and Q, "one" for P alone.
    lesser, greater : (symbol, value)
        The two sides.
    full : float
        Value of a bar of full length; finite, even if the greater side is infinite.
    """

    name: str
    about: str
    lesser: tuple[str, float]
    greater: tuple[str, float]
    full: float

    @property
    def slack(self) -> float:
        """Difference between the two sides; rounding errors of equal sides count as 0."""
        slack = self.greater[1] - self.lesser[1]
        return 0.0 if abs(slack) < 1e-12 * max(1.0, self.full) else slack


@dataclass(frozen=True)
class Approach:
    """Divergences divided by χ² as P approaches Q on a straight line.

    Attributes
    ----------
    steps : ndarray
        Share of the original difference between P and Q, decreasing from 1.
    ratios : dict of str to ndarray
        D(P‖Q)/χ², D(Q‖P)/χ² and HD²/χ² at each step; infinite if the divergence is infinite.
    limits : dict of str to float
        Limit f''(1)/2 of each ratio.
    """

    steps: Floats
    ratios: Mapping[str, Floats]
    limits: Mapping[str, float]


@dataclass(frozen=True)
class DivergencesResult:
    """All numbers about one pair; the object is immutable.

    Attributes
    ----------
    state : DivergencesState
    p, q : ndarray
        The distributions P = F/N and Q = G/M.
    distances : dict of str to float
        By symbol: D(P‖Q), D(Q‖P), χ², HD², HD, TV, Lp and Lmax.
    entropies : dict of str to float
        H(P), H(Q) and H(X|Y).
    counts : float
        HD(F, G), the Hellinger distance of the counts themselves.
    inequalities : tuple of Inequality
    approach : Approach or None
        None if P equals Q, or if χ² is infinite.
    """

    state: DivergencesState
    p: Floats
    q: Floats
    distances: Mapping[str, float]
    entropies: Mapping[str, float]
    counts: float
    inequalities: tuple[Inequality, ...]
    approach: Approach | None

    @property
    def unseen(self) -> tuple[int, ...]:
        """Categories that are empty in Q but not in P; they make D(P‖Q) and χ² infinite."""
        return tuple(np.flatnonzero((self.p > 0) & (self.q == 0)).tolist())


def compute(state: DivergencesState) -> DivergencesResult:
    """Return all numbers about a pair.

    Examples
    --------
    >>> result = compute(DivergencesState((0, 2, 4), (0, 3, 3)))
    >>> round(result.counts, 4), round(result.entropies["H(P)"], 4)
    (0.294, 0.6365)
    """
    F, G = np.array(state.before, dtype=float), np.array(state.after, dtype=float)
    p, q = F / F.sum(), G / G.sum()
    HD = float(information.hellinger_distance(p, q))
    distances = {
        "D(P‖Q)": float(information.relative_entropy(p, q)),
        "D(Q‖P)": float(information.relative_entropy(q, p)),
        "χ²": float(information.chi_squared(p, q)),
        "HD²": HD**2,
        "HD": HD,
        "TV": float(information.total_variation(p, q)),
        "Lp": float(information.lp_distance(p, q, state.settings.order)),
        "Lmax": float(information.lp_distance(p, q, np.inf)),
    }
    entropies = {
        "H(P)": float(information.entropy(F)),
        "H(Q)": float(information.entropy(G)),
        "H(X|Y)": float(information.conditional_entropy(F, G)),
    }
    counts = float(information.hellinger(F, G))
    ties = _of_two(F, G, distances, entropies, counts, state.settings.order)
    ties += _of_one(p, entropies["H(P)"], state.settings.order)
    return DivergencesResult(
        state, p, q, distances, entropies, counts, ties, _approach(p, q, distances["χ²"])
    )


def move_one(sizes: Whole, people: int = 1, total: int = 1_000_000) -> dict[str, Floats]:
    """Return three distances of counts if people move into a cell of each size.

    They move from the rest of the table, so that its total does not change.

    Parameters
    ----------
    sizes : ndarray of int
        The counts of the cell before.
    people : int
        Number of people who move.
    total : int
        N, the number of people in the table.

    Returns
    -------
    dict of str to ndarray
        "people" (the sum of absolute differences, N times the total variation), "chi squared" (N χ², the
        statistic of Pearson's test) and "hellinger" (HD of the counts).

    References
    ----------
    Thesis, section 3.3: the Hellinger distance "provides larger impact when cell counts are small".

    Examples
    --------
    >>> move_one(np.array([1, 100]))["hellinger"].round(3).tolist()
    [0.293, 0.035]
    """
    F = np.stack([sizes, total - sizes], axis=-1).astype(float)
    G = F + np.array([people, -people])
    p, q = F / total, G / total
    return {
        "people": total * information.total_variation(p, q, -1),
        "chi squared": total * information.chi_squared(p, q, -1),
        "hellinger": information.hellinger(F, G, -1),
    }


def _of_two(
    F: Floats,
    G: Floats,
    distances: Mapping[str, float],
    entropies: Mapping[str, float],
    counts: float,
    order: float,
) -> tuple[Inequality, ...]:
    """Return the inequalities about P and Q, and about F and G."""
    N, M, K = F.sum(), G.sum(), len(F)
    p, q, even = F / N, G / M, np.full(K, 1 / K)
    HD2, known = distances["HD²"], entropies["H(P)"]
    detour = float(information.lp_distance(p, even, order) + information.lp_distance(even, q, order))
    seen = G > 0
    squares = float(np.sum((F - G)[seen] ** 2 / G[seen])) if not F[~seen].any() else np.inf
    together, most = float((N - M) ** 2 / M), float(np.sqrt((N + M) / 2))
    rows = [
        ("Relative entropy", ("2·HD²", 2 * HD2), ("D(P‖Q)", distances["D(P‖Q)"]), 2.0),
        ("Bound on the reversed relative entropy", ("2·HD²", 2 * HD2), ("D(Q‖P)", distances["D(Q‖P)"]), 2.0),
        ("Maximum Hellinger distance", ("HD(P, Q)", distances["HD"]), ("1", 1.0), 1.0),
        ("Triangle inequality", ("‖P − Q‖ₚ", distances["Lp"]), ("‖P − U‖ₚ + ‖U − Q‖ₚ", detour), 0.0),
        ("Conditional entropy", ("H(X|Y)", entropies["H(X|Y)"]), ("H(X)", known), float(np.log(K))),
        ("Hellinger distance of counts", ("HD(F, G)", counts), ("√((N + M)/2)", most), 0.0),
        ("Merged categories (3.3.4)", ("(N − M)²/M", together), ("Σ (F − G)²/G", squares), 1.0),
    ]
    return tuple(
        Inequality(name, "pair", lesser, greater, _full(lesser[1], greater[1], full))
        for name, lesser, greater, full in rows
    )


def _of_one(p: Floats, entropy: float, order: float) -> tuple[Inequality, ...]:
    """Return the inequalities about P alone."""
    K, surest, squares = len(p), float(p.max()), float(np.sum(p**2))
    most = float(np.log(K))
    # p/(p − 1)·log(1/‖P‖ₚ) is the Rényi entropy of order p, which for p → 1 is the entropy itself.
    renyi = entropy if order == 1 else float(np.log(np.sum(p**order)) / (1 - order))
    rows = [
        ("Maximum entropy", ("H(P)", entropy), ("log K", most), most),
        (
            "Entropy and probability of the most likely category",
            ("log(1/max p)", -np.log(surest)),
            ("H(P)", entropy),
            most,
        ),
        ("Entropy and Lp norm", ("p/(p−1)·log(1/‖P‖ₚ)", max(renyi, 0.0)), ("H(P)", entropy), most),
        ("Minimum of the sum of squares", ("1/K", 1 / K), ("‖P‖₂²", squares), 1.0),
        ("Maximum of the sum of squares", ("‖P‖₂²", squares), ("1", 1.0), 1.0),
    ]
    return tuple(
        Inequality(name, "one", (lesser[0], float(lesser[1])), greater, _full(lesser[1], greater[1], full))
        for name, lesser, greater, full in rows
    )


def _full(lesser: float, greater: float, full: float) -> float:
    """Return the value of a bar of full length: the maximum of `full` and the finite sides."""
    finite = max([full, *(float(side) for side in (lesser, greater) if np.isfinite(side))]) or 1.0
    # An infinite side is drawn at full length, so the finite side must be shorter.
    return finite if np.isfinite(greater) else 1.25 * finite


def _approach(p: Floats, q: Floats, chi_squared: float) -> Approach | None:
    if not np.isfinite(chi_squared) or np.allclose(p, q, rtol=0, atol=1e-12):
        return None
    # Below 1/1,000 the divergences are too small to be exact in floating point.
    steps = np.geomspace(1, 1e-3, 31)
    near = q + steps[:, None] * (p - q)
    near /= near.sum(axis=1, keepdims=True)
    by = information.chi_squared(near, q, -1)
    ratios = {
        "D(P‖Q)/χ²": information.relative_entropy(near, q, -1) / by,
        "D(Q‖P)/χ²": information.relative_entropy(q, near, -1) / by,
        "HD²/χ²": information.squared_hellinger(near, q, -1) / by,
    }
    return Approach(steps, ratios, {"D(P‖Q)/χ²": 1 / 2, "D(Q‖P)/χ²": 1 / 2, "HD²/χ²": 1 / 8})
