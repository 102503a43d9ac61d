"""Search over methods and settings for a table, and the Pareto front.

The steps follow the thesis, section 5.2: measure the risk; while it is above a threshold, apply a method with
some settings, measure residual risk and information loss, and keep the Pareto-optimal settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets import methods
from sdcwidgets._util.arguments import check_kind, check_texts, numbers_of, wrong
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import (
    AxisNames,
    Declared,
    Help,
    Label,
    Parameter,
    Range,
    StochasticMatrix,
    declared,
)
from sdcwidgets.assessment.replications import Replications, Run
from sdcwidgets.measures import Measure
from sdcwidgets.measures.loss import Hellinger
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method
from sdcwidgets.tables.table import FrequencyTable, table_of

__all__ = [
    "STEPS",
    "Thresholds",
    "candidates",
    "changes_nothing",
    "most_loss",
    "pareto_front",
    "step_of",
    "sweep",
]

#: Steps of a data protector according to the thesis, section 5.2.
STEPS = (
    "Select a disclosure risk measure.",
    "Set a threshold T₁ for the disclosure risk of the original table.",
    "Measure the disclosure risk of the original table.",
    "If the disclosure risk is below T₁, the original table can be released without protection.",
    "Otherwise, apply a protection method with chosen settings.",
    "Set a threshold T₂ for the disclosure risk of the protected table.",
    "Measure the disclosure risk of the protected table.",
    "If the residual disclosure risk is below T₂, the protected table may be released.",
    "Select a measure of information loss.",
    "Set a threshold T₃ for the information loss.",
    "Measure the information loss of the protected table.",
    "If the information loss is above T₃, the protected table should not be released.",
    "Repeat steps 5 to 12 for other protection methods and settings.",
    "Find the best protection method and its best settings.",
    "Release the protected table if the thresholds allow it.",
)

#: Approximate duration in seconds of one step of a long computation, which can be interrupted between steps.
MOMENT = 0.04

#: Approximate duration in seconds of the first step of each method, so that a comparison soon has all of them.
FIRST_MOMENT = 0.01

#: The measure that shows whether a setting changes counts.
_HELLINGER = Hellinger()

#: Upper bound of a limit of information loss.
MOST_LOSS = 1e6

#: Number of values tried per numeric parameter.
TRIED = 6


def step_of(threshold: str) -> int:
    """Return the number of the step in which a threshold is set.

    Examples
    --------
    >>> [step_of(one) for one in ("T₁", "T₂", "T₃")]
    [2, 6, 10]
    """
    check_kind("threshold", threshold, str, "T₁, T₂ or T₃")
    if threshold not in ("T₁", "T₂", "T₃"):
        raise wrong("threshold", threshold, "T₁, T₂ or T₃")
    return next(number for number, words in enumerate(STEPS, start=1) if threshold in words)


@dataclass(frozen=True)
class Thresholds(Declared):
    """Thresholds of the risk before and after protection, and of information loss."""

    before: Annotated[
        float,
        Range(0, 1, 0.001),
        Label(f"Maximum risk before protection, T₁ (step {step_of('T₁')})"),
        Help("A table with a disclosure risk below this threshold is released without protection."),
    ] = 0.1
    after: Annotated[
        float,
        Range(0, 1, 0.001),
        Label(f"Maximum residual risk, T₂ (step {step_of('T₂')})"),
        Help(
            "A protected table is released only if its residual risk is below this "
            "threshold. T₂ can be above T₁, because the counts of a protected table are "
            "uncertain."
        ),
    ] = 0.215
    loss: Annotated[
        float,
        Range(0, MOST_LOSS, 0.1),
        Label(f"Maximum information loss, T₃ (step {step_of('T₃')})"),
        Help("A protected table with an information loss above this threshold is not released."),
    ] = 4.0


def most_loss(table: FrequencyTable, loss: Measure) -> float:
    """Return the largest useful limit of a loss measure: the maximum possible loss for this table."""
    table_of(table)
    check_kind("loss", loss, Measure, "a measure, such as measures.get('hellinger')()")
    most = loss.greatest(table)
    return min(max(most, 0.01), MOST_LOSS) if np.isfinite(most) else MOST_LOSS


def candidates(names: Sequence[str] | None = None, table: FrequencyTable | None = None) -> list[Method]:
    """Return methods with the settings that a search compares.

    Numeric parameters have several values over their range, denser for small values. Choices and booleans have
    each option, and matrices are also mixed with the identity. With a table, axis parameters have each axis,
    and settings that cannot change the table are left out. Only one parameter differs from its default at a
    time.

    Examples
    --------
    >>> [method.base for method in candidates(["semi-controlled-rounding"])]
    [3, 2, 5, 8, 13, 20, 3, 3]
    """
    if names is not None:
        check_texts("names", names)
    if table is not None:
        table_of(table)
    candidate_methods: list[Method] = []
    for name in methods.available() if names is None else names:
        cls = methods.get(name)
        settings: list[dict[str, object]] = [{}]
        for setting in declared(cls):
            settings += [{setting.name: value} for value in _values(setting, table)]
        for changed in settings:
            # Parameters can restrict each other; invalid combinations are left out.
            with suppress(InputError):
                method = cls(**changed)
                if method not in candidate_methods and not (
                    changed and table is not None and method.no_effect_reason(table)
                ):
                    candidate_methods.append(method)
    return candidate_methods


def sweep(
    table: FrequencyTable, settings: Settings, tried: Sequence[Method], more: Sequence[Measure] = ()
) -> Iterator[Replications | None]:
    """Yield the results of each method, fastest first; computing time is divided among the methods.

    Each method in turn computes for one short step until all its replicates are finished; slow methods come last
    in each turn. Results are yielded after its first step and after its last; None is yielded after each other
    step, so that the caller can interrupt. `more` lists additional measures of the whole table. Methods that
    cannot protect the table, such as cell suppression without a feasible pattern, are left out.
    """
    in_order = sorted(tried, key=lambda method: method.is_slow_for(table))
    runs = [Run(table, method, settings, more=more) for method in in_order]
    new = True
    while runs:
        refused: list[Run] = []
        for run in runs:
            try:
                run.draw_for(FIRST_MOMENT if new else MOMENT)
            except InputError:
                refused.append(run)
                yield None
            else:
                yield run.result() if new or run.done else None
        runs, new = [run for run in runs if not run.done and run not in refused], False


def pareto_front(risk: ArrayLike, loss: ArrayLike) -> NDArray[np.bool_]:
    """Return which points are Pareto-optimal: no other point is lower in one value and not higher in the other.

    Parameters
    ----------
    risk : array-like of float, shape (n,)
        Risk of each point.
    loss : array-like of float, shape (n,)
        Information loss of each point.

    References
    ----------
    Antal 2016, section 5.2, step 14.

    Examples
    --------
    >>> pareto_front([0.3, 0.2, 0.25, 0.1], [0.0, 2.0, 3.0, 4.0])
    array([ True,  True, False,  True])
    """
    risks, losses = numbers_of("risk", risk), numbers_of("loss", loss)
    if risks.ndim != 1 or risks.shape != losses.shape:
        raise InputError(
            f"The arguments risk and loss have the shapes {risks.shape} and {losses.shape}; they must have one number "
            "per setting."
        )
    points = np.stack([risks, losses], axis=1)
    no_worse = (points[:, np.newaxis] <= points).all(axis=2)
    better = (points[:, np.newaxis] < points).any(axis=2)
    return np.logical_not((no_worse & better).any(axis=0))


def changes_nothing(point: Replications) -> bool:
    """Return whether a data user infers all original counts from each replicate of a setting.

    Examples are a sample of all people, and suppressed cells that can all be recalculated.

    Parameters
    ----------
    point : Replications

    Returns
    -------
    bool

    Examples
    --------
    >>> from sdcwidgets import FrequencyTable, assess
    >>> multiples_of_3 = FrequencyTable([[3, 6], [9, 3]])
    >>> [changes_nothing(assess(multiples_of_3, "conventional-rounding", base=base).after) for base in (3, 5)]
    [True, False]
    """
    check_kind(
        "point", point, Replications, "the replicates of a setting, such as assess(table, method).after"
    )
    distance = point.whole_slice.estimates.get(_HELLINGER)
    if distance is None or distance.mean[0] != 0:
        return False
    # The counts of merged categories are spread evenly, so that equal counts have no distance.
    return not point.method.merges or point.first.axes == point.table.axes


def _values(parameter: Parameter, table: FrequencyTable | None) -> list[object]:
    """Return the values of a parameter that a search compares; empty if only a person can choose."""
    if parameter.choices:
        return list(parameter.choices)
    if parameter.type is bool:
        return [False, True]
    if isinstance(parameter.kind, AxisNames):
        if table is None or table.ndim < 2 or parameter.kind.stated:
            return []
        names = [axis.name for axis in table.axes]
        if parameter.kind.several:
            return [(name,) for name in names]
        ends = {names[0]: "rows", names[-1]: "columns"}
        return [ends.get(name, name) for name in names]
    if isinstance(parameter.kind, StochasticMatrix):
        if parameter.kind.optional:
            return []
        matrix = np.asarray(parameter.default)
        return [(part * matrix + (1 - part) * np.eye(*matrix.shape)).tolist() for part in (0.5, 0.25)]
    if parameter.range is None:
        return []
    low, high = parameter.range.low, parameter.range.high
    spread = np.geomspace(low, high, TRIED) if low > 0 else np.linspace(low, high, TRIED + 1)[1:]
    steps = np.clip(np.round(spread / parameter.step) * parameter.step, low, high)
    return [parameter.check(round(float(value), 10)) for value in np.unique(steps)]
