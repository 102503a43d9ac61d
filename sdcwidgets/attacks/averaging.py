"""Averaging attack: repeated answers to one query, when the noise is drawn independently for each answer.

Source: handbook chapter 5, section 5.4, which recommends one fixed perturbation per cell for this reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import Knowledge, as_releases, check_knowledge
from sdcwidgets.tables.release import Release


@register("averaging")
def averaging(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    r"""Combine several answers to one query, cell by cell.

    The bounds of a cell are the intersection of the bounds in all answers. If the transition probabilities of
    the method are known, the posterior distribution of the count under a uniform prior is

    .. math:: \Pr(F = i \mid g_1, \dots, g_k) \propto \prod_k p(g_k \mid i).

    If all answers are identical in every cell, they are treated as one answer.

    Parameters
    ----------
    releases : sequence of Release
        Answers to the same query.
    knowledge : Knowledge, optional
        With the transition probabilities of the method in `chances`.

    Returns
    -------
    Finding
        `likely` is the count with the highest posterior probability, and `chance` is this probability.

    Raises
    ------
    InputError
        If the axes of the releases differ, a release has a suppressed value, or the releases are incompatible
        with each other or with the transition probabilities.

    Examples
    --------
    A count of 4, randomly rounded to base 3 five times:

    >>> from sdcwidgets.tables.axis import Axis
    >>> from sdcwidgets import methods
    >>> answers = [Release([Axis("Area", ("A",))], {(0,): [value]}) for value in (3, 6, 3, 3, 3)]
    >>> chances = methods.get("random-rounding")(base=3).transition(9)
    >>> finding = averaging(answers, Knowledge(chances=chances))
    >>> finding.likely.tolist(), finding.chance.round(2).tolist(), finding.lower.tolist(), finding.upper.tolist()
    ([4.0], [0.89], [4.0], [5.0])
    """
    check_knowledge(knowledge)
    answers = as_releases(releases)
    first = answers[0]
    if any(other.axes != first.axes for other in answers):
        raise InputError("The releases have different axes; pass releases of the same table.")
    names = [axis.name for axis in first.axes]
    bounds = [answer.bounds(*names) for answer in answers]
    before = bounds[0]
    lower = np.max([low for low, _ in bounds], axis=0)
    upper = np.min([high for _, high in bounds], axis=0)
    values = np.stack([answer.cells for answer in answers])
    if np.isnan(values).any():
        raise InputError("A release has a suppressed value; pass releases with a number in each cell.")
    tied = bool(np.all(values == values[0]))
    chances = None if knowledge is None or knowledge.chances is None else np.asarray(knowledge.chances)
    likely, chance = np.where(lower == upper, lower, np.nan), (lower == upper).astype(float)
    if chances is not None:
        drawn = (values[:1] if tied else values).astype(np.int64)
        if np.any(drawn < 0) or np.any(drawn >= chances.shape[1]):
            raise InputError(
                "A published count has no column in the transition matrix; add columns up to the largest count."
            )
        with np.errstate(divide="ignore"):
            logs = np.log(chances[:, drawn]).sum(axis=1)  # counts, then the table
        best = logs.max(axis=0)
        if np.isneginf(best).any():
            raise InputError(
                "No original count can give these releases according to the transition matrix; check the matrix and "
                "the releases."
            )
        posterior = np.exp(logs - best)
        posterior /= posterior.sum(axis=0)
        possible = posterior > 0
        counts = np.expand_dims(np.arange(len(chances), dtype=np.float64), tuple(range(1, first.ndim + 1)))
        lower = np.maximum(lower, np.where(possible, counts, np.inf).min(axis=0))
        upper = np.minimum(upper, np.where(possible, counts, -np.inf).max(axis=0))
        likely, chance = posterior.argmax(axis=0).astype(np.float64), posterior.max(axis=0)
    if np.any(lower > upper):
        raise InputError("The releases contradict each other: no count is within the bounds of all releases.")
    if len(answers) == 1:
        note = "The attack has only one answer to the query, so it cannot compute a mean of several answers."
    elif tied:
        note = (
            f"All {len(answers)} answers are identical: the noise of a cell is fixed, so a repeated query "
            "gives no further information."
        )
    else:
        note = (
            f"{len(answers)} answers were averaged; the mean standard error of the averages is "
            f"{_spread(values):.2f} in the cells that vary."
        )
    return Finding("averaging", first.axes, lower, upper, before, likely, chance, (), (note,))


def _spread(values: NDArray[np.float64]) -> float:
    """Return the mean standard error of the cell means, over the cells whose answers differ."""
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return float(errors[errors > 0].mean())
