"""Averaging attack on a table generator: estimate cells from many published tables.

The same people have the same noise in every table. However, a cell is also the difference of a total and other cells,
which have other noise. The least squares estimate from all published numbers is the best linear unbiased estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.arrays import Floats, Whole
from sdcwidgets._util.parameters import generator
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver.server import TableServer
from sdcwidgets.tableserver.tabulate import Query

if TYPE_CHECKING:
    import pandas as pd


#: Numbers of requests after which the estimate is evaluated.
REQUESTS = (1, 3, 10, 30, 100)

#: Maximum number of cells of the cross-classification of all variables of the user.
MOST_CELLS = 4_000

#: Smallest large count.
LARGE = 10


def averaged(server: TableServer, requests: Sequence[int] = REQUESTS, seed: int = 1) -> pd.DataFrame:
    """Return the error of a user's estimate of one table after a number of requests.

    Parameters
    ----------
    server : TableServer
        A server without previous requests. Its log and its memory grow.
    requests : sequence of int
        Numbers of answered requests after which the estimate is evaluated.
    seed : int
        Seed of the random order of the requests.

    Returns
    -------
    DataFrame
        One row per number of requests. `rmse` is the root mean square error of the estimates of non-empty cells;
        `small` and `large` are the shares of counts of 1 and 2, and of 10 and more, that equal the rounded estimate.
    """
    import pandas as pd

    names = _variables(server)
    data = server.data
    shape = tuple(len(data.variable(name).labels) for name in names)
    first = names[: server.rules.dimensions]
    answers: list[tuple[Query, Release]] = []
    lines = {}
    found_first = data.tabulate(Query(first))
    people, truth = found_first.table.counts, found_first.weighted
    for query in _questions(server, names, first, generator(seed)):
        answer = server.request(query)
        server.log.clear()
        if isinstance(answer, Release):
            answers.append((query, answer))
            if len(answers) in requests:
                lines[len(answers)] = _closeness(_estimated(server, names, shape, answers), truth, people)
        if len(answers) == max(requests):
            break
    if answers and len(answers) not in lines:
        lines[len(answers)] = _closeness(_estimated(server, names, shape, answers), truth, people)
    return pd.DataFrame.from_dict(lines, orient="index", columns=["rmse", "small", "large"]).rename_axis(
        "requests"
    )


def _variables(server: TableServer) -> tuple[str, ...]:
    """Return the variables with the fewest categories whose cross-classification has at most MOST_CELLS cells."""
    sizes = {name: len(server.data.variable(name).labels) for name in server.data.names}
    names: list[str] = []
    for name in sorted(sizes, key=lambda name: sizes[name]):
        if np.prod([sizes[variable] for variable in names], initial=sizes[name]) <= MOST_CELLS:
            names.append(name)
    # The variables with most categories come first, so that the estimated table has small counts.
    return tuple(reversed(names))


def _questions(
    server: TableServer, names: tuple[str, ...], first: tuple[str, ...], rng: np.random.Generator
) -> list[Query]:
    """Return all requests in random order, after the request for the estimated table."""
    most = min(server.rules.dimensions, len(names))
    every = []
    for size in range(1, most + 1):
        for by in combinations(names, size):
            every.append(Query(by))
            for name in names if server.rules.selections else ():
                if name not in by:
                    every += [Query(by, {name: (label,)}) for label in server.data.variable(name).labels]
    rest = [query for query in every if query.key != Query(first).key]
    return [Query(first), *(rest[k] for k in rng.permutation(len(rest)))]


def _estimated(
    server: TableServer, names: tuple[str, ...], shape: tuple[int, ...], answers: list[tuple[Query, Release]]
) -> Floats:
    """Return the least squares estimate of the first table from all published numbers."""
    from scipy.sparse.linalg import LinearOperator, lsqr

    numbers: list[Floats] = []
    views: list[tuple[tuple[slice | int, ...], tuple[int, ...], tuple[int, ...]]] = []
    for query, release in answers:
        at: tuple[slice | int, ...] = tuple(
            slice(server.data.variable(name).position(query.where[name][0]), None)
            if name in query.where
            else slice(None)
            for name in names
        )
        at = tuple(
            slice(cut.start, cut.start + 1) if isinstance(cut, slice) and cut.start is not None else cut
            for cut in at
        )
        for margin, values in release.values.items():  # noqa: PD011
            places = [names.index(query.by[k]) for k in margin]
            gone = tuple(k for k in range(len(names)) if k not in places)
            # The sums below have their axes in the order of the names.
            numbers.append(np.transpose(values, np.argsort(places)).ravel())
            views.append((at, gone, np.shape(np.zeros(shape)[at].sum(axis=gone))))
    ends = np.cumsum([0, *map(len, numbers)])
    published = np.concatenate(numbers)
    there = ~np.isnan(published)  # a suppressed number gives no equation

    def forward(x: Floats) -> Floats:
        cells = x.reshape(shape)
        seen: Floats = np.concatenate([np.ravel(cells[at].sum(axis=gone)) for at, gone, _ in views])
        return seen * there

    def back(y: Floats) -> Floats:
        cells = np.zeros(shape)
        for k, (at, gone, small) in enumerate(views):
            cells[at] += np.expand_dims((there * y)[ends[k] : ends[k + 1]].reshape(small), gone)
        return cells.ravel()

    size = int(np.prod(shape))
    operator = LinearOperator((int(ends[-1]), size), matvec=forward, rmatvec=back, dtype=np.float64)
    x: Floats = lsqr(operator, np.where(there, published, 0), iter_lim=200, atol=1e-10, btol=1e-10)[0]
    over = tuple(k for k, name in enumerate(names) if name not in answers[0][0].by)
    estimate: Floats = x.reshape(shape).sum(axis=over)
    return estimate


def _closeness(estimate: Floats, truth: Floats, people: Whole) -> tuple[float, float, float]:
    there = people > 0
    hit = np.rint(estimate) == np.rint(truth)
    error = float(np.sqrt(np.mean((estimate - truth)[there] ** 2)))
    shares = [
        float(np.mean(hit[some])) if some.any() else np.nan
        for some in (there & (people <= 2), people >= LARGE)
    ]
    return error, shares[0], shares[1]
