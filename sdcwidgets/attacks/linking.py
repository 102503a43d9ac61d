"""Attacks by combining published values: differencing, linking, undoing rounding, and estimating suppressed values.

Each published value is a linear constraint on the counts of the target table. Differencing subtracts pairs of
values. The other attacks use all constraints in linear programs. The dual solutions of the programs prove a
bound by values, such as 55 − 54 = 1.

Source: handbook chapter 5, sections 5.2 (Tables 5.4 to 5.13) and 5.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks.base import Combination, Finding, Step, register
from sdcwidgets.attacks.knowledge import (
    Knowledge,
    PublishedSystem,
    as_releases,
    check_knowledge,
    system,
    wanted_counts,
)
from sdcwidgets.core.bound_proofs import extremes, proof
from sdcwidgets.tables.release import Release

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Flags, Floats, Whole


#: Error message if no table of counts is possible.
CONTRADICTION = (
    "No table of counts agrees with all published values and with the stated knowledge of the intruder."
)

#: Maximum number of counts for which combinations are computed; bounds are computed for all.
MOST_LINES = 60


@register("differencing")
def differencing(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Subtract pairs of published values that differ by one count.

    If all counts that contribute to one published value also contribute to another, and the latter has exactly
    one more, their difference is the additional count. This applies to nested areas, subpopulations and
    classes.

    Parameters
    ----------
    releases : Release or sequence of Release
    knowledge : Knowledge, optional
        Placement of the releases in the target table.

    Returns
    -------
    Finding

    References
    ----------
    Handbook chapter 5, Tables 5.4 to 5.6 (geographic differencing) and 5.11 to 5.13 (subpopulations).

    Examples
    --------
    >>> from sdcwidgets.attacks import TablePlacement
    >>> from sdcwidgets.tables.table import Axis, FrequencyTable
    >>> work = Axis("Hours", ("more", "less"))
    >>> parts = Axis("Part", ("core", "strip"))
    >>> releases = [Release.of(FrequencyTable(counts, [work])) for counts in ([55, 140], [54, 140])]
    >>> places = [TablePlacement("1991"), TablePlacement("2001", within={"Part": ["core"]})]
    >>> finding = differencing(releases, Knowledge([work, parts], places))
    >>> finding.line("more", "strip").text, finding.at("less", "strip")
    ('55 − 54 = 1', (0.0, 0.0))
    """
    check_knowledge(knowledge)
    published = system(as_releases(releases), knowledge)
    before = single_bounds(published)
    lower, upper = (side.ravel().copy() for side in before)
    sets = published.matrix.toarray() > 0
    sizes = sets.sum(axis=1)
    shared = sets.astype(np.int64) @ sets.T.astype(np.int64)
    inside = (shared == sizes[None, :]) & (sizes[:, None] == sizes[None, :] + 1)
    best: dict[int, Combination] = {}
    for large, small in np.argwhere(inside):
        cell = int(np.flatnonzero(sets[large] & ~sets[small])[0])
        low = max(lower[cell], published.low[large] - published.high[small])
        high = min(upper[cell], published.high[large] - published.low[small])
        if low > high:
            raise InputError(
                "The releases contradict each other: a part is larger than its total; check the releases."
            )
        if low > lower[cell] or high < upper[cell]:
            start = max(0.0, float(published.least[cell])), float(published.numbers[large].upper)
            steps = (
                Step(1.0, published.numbers[large], *start),
                Step(-1.0, published.numbers[small], float(low), float(high)),
            )
            best[cell] = Combination(_labels(published, cell), steps, float(low), float(high))
            lower[cell], upper[cell] = low, high
    lines = [best[cell] for cell in sorted(best)]
    shape = published.shape
    return Finding.of(
        "differencing", published.axes, (lower.reshape(shape), upper.reshape(shape)), before, lines
    )


@register("linking")
def linking(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Bound the counts by linear programming over all published values of all tables.

    Parameters
    ----------
    releases : Release or sequence of Release
    knowledge : Knowledge, optional
        Placement of the releases in the target table, and known counts.

    Returns
    -------
    Finding
        Bounds are the sharpest that the linear constraints imply, rounded inwards to integers.

    Raises
    ------
    InputError
        If no table of counts satisfies the published values and the prior knowledge.

    References
    ----------
    Handbook chapter 5, Tables 5.7 to 5.10; O&DF, section 4.4.

    Examples
    --------
    >>> from sdcwidgets import attacks, examples, protect
    >>> release = protect(examples.load("sex"), "conventional-rounding", base=5)
    >>> finding = attacks.linking(release)
    >>> low, high = finding.lower[0, 0], finding.upper[0, 0]
    >>> bool(low <= examples.load("sex").counts[0, 0] <= high)
    True
    """
    check_knowledge(knowledge)
    return _closing("linking", releases, knowledge)


@register("unpicking")
def unpicking(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Undo rounding or perturbation if the published margins are not the sums of the cells.

    Each published value gives an interval for the true value. The bounds of a cell are the minimum and maximum
    over all tables within the intervals of cells and margins.

    References
    ----------
    Handbook chapter 5, section 5.5.

    Examples
    --------
    Two counts and their total, published as 0, 0 and 3. The bounds are 0 to 1 for each count and 2 to 4 for the
    total:

    >>> from sdcwidgets.tables.axis import Axis
    >>> release = Release([Axis("Sex", ("m", "f"))], {(0,): [0, 0], (): 3}, {(): 2}, {(0,): [1, 1], (): 4})
    >>> unpicking(release).lower.tolist()
    [1.0, 1.0]
    """
    check_knowledge(knowledge)
    return _closing("unpicking", releases, knowledge)


@register("suppression")
def suppression(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    """Bound suppressed values by linear programming over margins, other bounds, and other tables.

    References
    ----------
    Handbook chapter 5, section 5.3; O&DF, section 4.1.

    Examples
    --------
    >>> from sdcwidgets import attacks, examples, protect
    >>> release = protect(examples.load("religion"), "threshold-suppression", threshold=3)
    >>> attacks.suppression(release).to_frame().shape[0] > 0
    True
    """
    check_knowledge(knowledge)
    return _closing("suppression", releases, knowledge)


def _closing(name: str, releases: Release | Sequence[Release], knowledge: Knowledge | None) -> Finding:
    published = system(as_releases(releases), knowledge)
    before = single_bounds(published)
    wanted = wanted_counts(published.axes, knowledge)
    if wanted is None:
        lower, upper = _bounds(published)
    else:
        lower, upper = (side.ravel().copy() for side in before)
        lower[wanted], upper[wanted] = _bounds(published, wanted)
    closer = (lower > before[0].ravel()) | (upper < before[1].ravel())
    order = np.flatnonzero(closer)
    # If there are too many counts, the list contains the counts with the narrowest intervals.
    order = order[np.argsort((upper - lower)[order], kind="stable")][:MOST_LINES]
    lines = _lines(published, order, (lower, upper), (before[0].ravel(), before[1].ravel()))
    shape = published.shape
    bounds = _with_keys(as_releases(releases), knowledge, wanted, lower.reshape(shape), upper.reshape(shape))
    return Finding.of(name, published.axes, bounds, before, lines)


def _with_keys(
    releases: Sequence[Release],
    knowledge: Knowledge | None,
    wanted: Whole | None,
    lower: Floats,
    upper: Floats,
) -> tuple[Floats, Floats]:
    """Return the bounds after intersection with the bounds from cell keys of each release."""
    if all(release.key_noise is None for release in releases):
        return lower, upper
    if knowledge is None and len(releases) == 1:
        own = releases[0].cell_bounds()
        return np.maximum(lower, own.lower), np.minimum(upper, own.upper)
    published = system([_narrowed(release) for release in releases], knowledge)
    chosen = np.arange(lower.size) if wanted is None else wanted
    own_lower, own_upper = _bounds(published, chosen)
    lower, upper = lower.copy(), upper.copy()
    lower.flat[chosen] = np.maximum(lower.flat[chosen], own_lower)
    upper.flat[chosen] = np.minimum(upper.flat[chosen], own_upper)
    return lower, upper


def _narrowed(release: Release) -> Release:
    """Return the release with the cell bounds that its cell keys imply."""
    if release.key_noise is None:
        return release
    cells = tuple(range(release.ndim))
    own = release.cell_bounds()
    return replace(
        release,
        lower={**release.lower, cells: own.lower},
        upper={**release.upper, cells: own.upper},
    )


def _bounds(published: PublishedSystem, targets: Whole | None = None) -> tuple[Floats, Floats]:
    """Return the minimum and maximum of each target count, rounded inwards to integers; default: all counts."""
    wanted = np.arange(published.matrix.shape[1]) if targets is None else targets
    least, most, single = _single_totals(published)
    known = least == most
    matrix = published.matrix[np.flatnonzero(~single)]
    taken = matrix @ np.where(known, least, 0.0)
    low, high = published.low[~single] - taken, published.high[~single] - taken
    unknown_part = matrix[:, np.flatnonzero(~known)]
    tied = np.diff(unknown_part.indptr) > 0
    lower, upper = least[wanted], most[wanted]
    open_ = np.flatnonzero(~known[wanted])
    position = np.cumsum(~known) - 1
    try:
        if np.any(least > most) or np.any((low > 0)[~tied]) or np.any((high < 0)[~tied]):
            raise ValueError
        if len(open_):
            lower[open_], upper[open_] = extremes(
                unknown_part[np.flatnonzero(tied)],
                (low[tied], high[tied]),
                least[~known],
                most[~known],
                targets=position[wanted[open_]],
            )
    except ValueError:
        raise InputError(CONTRADICTION) from None
    lower, upper = np.ceil(lower - 1e-6) + 0.0, np.floor(upper + 1e-6) + 0.0
    if np.any(lower > upper):
        raise InputError(CONTRADICTION)
    return lower, upper


def _single_totals(published: PublishedSystem) -> tuple[Floats, Floats, Flags]:
    """Return the bounds of each count from prior knowledge and single-count rows, and the mask of these rows."""
    single = np.diff(published.matrix.indptr) == 1
    least, most = published.least.copy(), published.most.copy()
    cells = published.matrix[np.flatnonzero(single)].indices
    np.maximum.at(least, cells, published.low[single])
    np.minimum.at(most, cells, published.high[single])
    return least, most, single


def single_bounds(published: PublishedSystem) -> tuple[Floats, Floats]:
    """Return the bounds of each count from single published values, in the shape of the target table."""
    sets = published.matrix.toarray() > 0
    single = sets.sum(axis=1) == 1
    upper = np.minimum(published.most, np.where(sets, published.high[:, None], np.inf).min(axis=0))
    lower = np.maximum(
        published.least, np.where(sets & single[:, None], published.low[:, None], 0).max(axis=0, initial=0)
    )
    return lower.reshape(published.shape), upper.reshape(published.shape)


def _lines(
    published: PublishedSystem, cells: Whole, bounds: tuple[Floats, Floats], single: tuple[Floats, Floats]
) -> list[Combination]:
    """Return, for each cell with such a proof, the shortest combination that proves one of its bounds."""
    lines = []
    for cell in cells.tolist():
        times = _shortest(published, cell, *(float(side[cell]) for side in (*bounds, *single)))
        if times is None:
            continue
        used = sorted(np.flatnonzero(times).tolist(), key=lambda row: (times[row] < 0, row))
        closing = zip(used, *_closed_in(published, cell, used), strict=True)
        steps = tuple(
            Step(float(times[row]), published.numbers[row], low, high) for row, low, high in closing
        )
        lines.append(
            Combination(_labels(published, cell), steps, float(bounds[0][cell]), float(bounds[1][cell]))
        )
    return lines


def _shortest(
    published: PublishedSystem, cell: int, lower: float, upper: float, low: float, high: float
) -> Floats | None:
    """Return the multipliers of the shortest proof of an improved bound, or None."""
    proofs = []
    for bound, above, new in ((upper, True, upper < high), (lower, False, lower > low)):
        if new and np.isfinite(bound):
            times = proof(published.matrix, published.low, published.high, cell, bound, upper=above)
            if times is not None and np.any(times):
                proofs.append(times)
    return min(proofs, key=lambda proof_times: float(np.abs(proof_times).sum())) if proofs else None


def _closed_in(published: PublishedSystem, cell: int, used: list[int]) -> tuple[list[float], list[float]]:
    """Return the bounds of a count from the first value, the first two values, and so on.

    The constraint systems of all stages form one block-diagonal system, so that two linear programs solve all
    of them.
    """
    from scipy import sparse

    stages = [used[: k + 1] for k in range(len(used))]
    counted = [np.union1d(published.matrix[rows].indices, [cell]) for rows in stages]
    starts = np.cumsum([0, *map(len, counted)])[:-1]
    rows, columns = np.concatenate(stages), np.concatenate(counted)
    subsystem = published._replace(
        matrix=sparse.block_diag(
            [published.matrix[rows][:, inside] for rows, inside in zip(stages, counted, strict=True)],
            format="csr",
        ),
        low=published.low[rows],
        high=published.high[rows],
        least=published.least[columns],
        most=published.most[columns],
    )
    targets = [
        start + int(np.searchsorted(inside, cell)) for start, inside in zip(starts, counted, strict=True)
    ]
    low, high = _bounds(subsystem, np.array(targets))
    return low.tolist(), high.tolist()


def _labels(published: PublishedSystem, cell: int) -> tuple[str, ...]:
    position = np.unravel_index(cell, published.shape)
    return tuple(axis.labels[int(i)] for axis, i in zip(published.axes, position, strict=True))
