"""Assignments by their rank in dictionary order, so that any part of the list can be computed directly."""

from __future__ import annotations

import numpy as np

from ._arrays import Whole


def ranked(G: Whole, ranks: Whole, total: int) -> Whole:
    """Return the assignments of these ranks, each as the cell of every person.

    Among the assignments with the same beginning, the share that sends the next person to a cell equals
    the cell's share of the remaining places.
    """
    N, cells = int(G.sum()), np.flatnonzero(G)
    Y = np.empty((N, len(ranks)), dtype=np.int64)
    remaining = np.repeat(G[cells][:, None], len(ranks), axis=1)
    rest, ways = ranks.copy(), np.full(len(ranks), total)
    every = np.arange(len(ranks))
    for person in range(N):
        choice, rest, ways = _choose(remaining * ways // (N - person), rest)
        remaining[choice, every] -= 1
        Y[person] = cells[choice]
    return Y.T


def closest_ranked(F: Whole, G: Whole, ranks: Whole, total: int) -> Whole:
    """Return the assignments in Ω* of these ranks, each as the cell of every person.

    Only people of cells with G < F have a choice: they stay, or they move to a cell with G > F.
    """
    stay = np.minimum(F, G)
    gains = np.flatnonzero(G > F)
    Y = np.repeat(np.repeat(np.arange(len(F)), F)[:, None], len(ranks), axis=1)
    remaining = np.repeat((G - stay)[gains][:, None], len(ranks), axis=1)
    to_leave = np.full(len(ranks), int((F - stay).sum()))
    rest, ways = ranks.copy(), np.full(len(ranks), total)
    starts = np.cumsum(F) - F
    for cell in np.flatnonzero(F > G):
        # Dictionary order: the person's own cell comes between the gaining cells of lower and of higher
        # number.
        own = int(np.searchsorted(gains, cell))
        options = np.insert(gains, own, cell)
        staying = np.full(len(ranks), stay[cell])
        for person in range(F[cell]):
            here = F[cell] - person
            leaving = ways * (here - staying) // here
            shares = remaining * leaving // np.maximum(to_leave, 1)
            choice, rest, ways = _choose(np.insert(shares, own, ways - leaving, axis=0), rest)
            Y[starts[cell] + person] = options[choice]
            stays = choice == own
            staying -= stays
            to_leave -= ~stays
            filled = np.flatnonzero(~stays)
            remaining[choice[filled] - (choice[filled] > own), filled] -= 1
    return Y.T


def _choose(shares: Whole, rest: Whole) -> tuple[Whole, Whole, Whole]:
    """Split ranks among options in order; return the option, the rank within it and the option's size."""
    ends = np.cumsum(shares, axis=0)
    choice = np.sum(rest >= ends, axis=0)
    ways = np.take_along_axis(shares, choice[None], axis=0)[0]
    return choice, rest - np.take_along_axis(ends, choice[None], axis=0)[0] + ways, ways
