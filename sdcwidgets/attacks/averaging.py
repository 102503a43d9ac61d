"""The same query again and again, where noise is drawn anew each time: it averages out.

Reference: handbook chapter 5, section 5.4, which ties the noise to the cell for this reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.errors import InputError
from sdcwidgets.attacks.base import Finding, register
from sdcwidgets.attacks.knowledge import Knowledge, as_releases
from sdcwidgets.tables.release import Release


@register("averaging")
def averaging(releases: Release | Sequence[Release], knowledge: Knowledge | None = None) -> Finding:
    r"""Put several answers to one query together, cell by cell.

    What is certain is what all answers allow. Where the chances of the method are known, how likely each
    count is, all being as likely before, is

    .. math:: \Pr(F = i \mid g_1, \dots, g_k) \propto \prod_k p(g_k \mid i)

    over the answers that differ; an answer that is always the same was given once, and repeating it tells
    nothing more.

    Parameters
    ----------
    releases : sequence of Release
        Answers for the same table.
    knowledge : Knowledge, optional
        With the chances of the method.

    Returns
    -------
    Finding
        `likely` and `chance` say which count is most likely and how sure that is.

    Raises
    ------
    InputError
        If the releases are of different tables, or contradict each other.

    Examples
    --------
    A count of 4 rounded at random to base 3, five times:

    >>> from sdcwidgets.tables.axis import Axis
    >>> from sdcwidgets import methods
    >>> answers = [Release([Axis("Area", ("A",))], {(0,): [value]}) for value in (3, 6, 3, 3, 3)]
    >>> chances = methods.get("random-rounding")(base=3).transition(9)
    >>> finding = averaging(answers, Knowledge(chances=chances))
    >>> finding.likely.tolist(), finding.chance.round(2).tolist(), finding.lower.tolist(), finding.upper.tolist()
    ([4.0], [0.89], [4.0], [5.0])
    """
    answers = as_releases(releases)
    first = answers[0]
    if any(other.axes != first.axes for other in answers):
        raise InputError("The answers are for different tables; averaging needs the same query each time.")
    names = [axis.name for axis in first.axes]
    bounds = [answer.bounds(*names) for answer in answers]
    before = bounds[0]
    lower = np.max([low for low, _ in bounds], axis=0)
    upper = np.min([high for _, high in bounds], axis=0)
    values = np.stack([answer.cells for answer in answers])
    if np.isnan(values).any():
        raise InputError("An answer has a gap; averaging needs a number each time.")
    tied = bool(np.all(values == values[0]))
    chances = None if knowledge is None or knowledge.chances is None else np.asarray(knowledge.chances)
    likely, chance = np.where(lower == upper, lower, np.nan), (lower == upper).astype(float)
    if chances is not None:
        drawn = (values[:1] if tied else values).astype(np.int64)
        if np.any(drawn < 0) or np.any(drawn >= chances.shape[1]):
            raise InputError("An answer is outside of what the chances of the method tell about.")
        with np.errstate(divide="ignore"):
            logs = np.log(chances[:, drawn]).sum(axis=1)  # counts, then the table
        best = logs.max(axis=0)
        if np.isneginf(best).any():
            raise InputError("No count gives these answers by the chances of the method; they contradict it.")
        posterior = np.exp(logs - best)
        posterior /= posterior.sum(axis=0)
        possible = posterior > 0
        counts = np.arange(len(chances), dtype=np.float64).reshape(-1, *(1,) * first.ndim)
        lower = np.maximum(lower, np.where(possible, counts, np.inf).min(axis=0))
        upper = np.minimum(upper, np.where(possible, counts, -np.inf).max(axis=0))
        likely, chance = posterior.argmax(axis=0).astype(np.float64), posterior.max(axis=0)
    if np.any(lower > upper):
        raise InputError("The answers contradict each other; no count gives all of them.")
    note = (
        "There is one answer only, so there is nothing to average."
        if len(answers) == 1
        else f"All {len(answers)} answers are the same: the noise is tied to the cell, and asking again tells nothing."
        if tied
        else f"{len(answers)} answers; their mean is off by {_spread(values):.2f} on average where they vary."
    )
    return Finding("averaging", first.axes, lower, upper, before, likely, chance, (), (note,))


def _spread(values: NDArray[np.float64]) -> float:
    """Return the standard error of the mean, over cells that vary; some do."""
    errors = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return float(errors[errors > 0].mean())
