"""The search for a release: many methods and settings tried on one table, and the best of them.

The steps are those of the thesis, section 5.2: measure the risk, and while it is above a threshold try a method
with some settings, measure what risk is left and what information is lost, and keep what no other setting beats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets import methods
from sdcwidgets.errors import InputError
from sdcwidgets.methods import Method
from sdcwidgets.parameters import Declared, Help, Label, Parameter, Range, declared
from sdcwidgets.replications import Replications, Run
from sdcwidgets.settings import Settings
from sdcwidgets.table import FrequencyTable

__all__ = ["STEPS", "Thresholds", "candidates", "pareto_front", "sweep", "verdict"]

#: The steps of a data protector (thesis, section 5.2), in plain words.
STEPS = (
    "Select a disclosure risk measure.",
    "Set a threshold T₁ for it.",
    "Measure the disclosure risk of the table.",
    "If it is below T₁, the table can be released as it is.",
    "Otherwise apply a protection method with certain settings.",
    "Set a threshold T₂ for the protected table.",
    "Measure the disclosure risk of the protected table.",
    "If it is below T₂, the protected table may be released.",
    "Then select an information loss measure.",
    "Set a threshold T₃ for it.",
    "Measure the information loss.",
    "If it is above T₃, better do not release this table.",
    "Repeat steps 5 to 12 for more methods and settings.",
    "Find the best method and its best settings.",
    "Release the table if possible.",
)

#: Long work is done in parts that take about this long, in seconds, so that a person can step in between.
MOMENT = 0.04

#: How many values of a numeric parameter are tried.
TRIED = 6


@dataclass(frozen=True)
class Thresholds(Declared):
    """The highest risk to release before and after protection, and the highest information loss."""

    before: Annotated[
        float,
        Range(0, 1, 0.001),
        Label("Risk before, T₁ (step 2)"),
        Help("A table whose risk is below this is released as it is."),
    ] = 0.1
    after: Annotated[
        float,
        Range(0, 1, 0.001),
        Label("Risk left, T₂ (step 6)"),
        Help("A protected table is released only if the risk left is below this."),
    ] = 0.215
    loss: Annotated[
        float,
        Range(0, 100, 0.1),
        Label("Loss, T₃ (step 10)"),
        Help("A protected table that has lost more information than this is not worth releasing."),
    ] = 4.0


def verdict(thresholds: Thresholds, before: float, after: float, loss: float) -> tuple[int, str]:
    """Return at which step a decision falls, and what it is.

    Parameters
    ----------
    thresholds : Thresholds
    before, after : float
        R1 and expected R2 of the table.
    loss : float
        Expected Hellinger distance.

    References
    ----------
    Antal 2016, section 5.2, steps 4, 8 and 12.

    Examples
    --------
    >>> verdict(Thresholds(0.3, 0.2, 4), 0.2315, 0.21, 3.0)
    (4, 'The risk before protection, 0.2315, is below T₁: the table can be released as it is.')
    """
    if before < thresholds.before:
        return (
            4,
            f"The risk before protection, {before:.4f}, is below T₁: the table can be released as it is.",
        )
    if after >= thresholds.after:
        return 8, f"The risk left, {after:.4f}, is not below T₂: try other settings or another method."
    if loss > thresholds.loss:
        return (
            12,
            f"The risk left is below T₂, but the information lost, {loss:.2f}, is above T₃: do not release it.",
        )
    return 15, "The risk left is below T₂ and the information lost is at most T₃: this table may be released."


def candidates(names: Sequence[str] | None = None) -> list[Method]:
    """Return the methods with the settings that a search tries, made from what each method declares.

    A number is tried at a few values over its range, close together where it is small; a choice at every option.
    Only one parameter is turned at a time, the others stay at their defaults.

    Examples
    --------
    >>> [method.base for method in candidates(["semi-controlled-rounding"])]
    [3, 2, 5, 8, 13, 20, 3, 3]
    """
    found: list[Method] = []
    for name in methods.available() if names is None else names:
        cls = methods.get(name)
        settings = [{}, *({one.name: value} for one in declared(cls) for value in _values(one))]
        for changed in settings:
            # Two parameters may bound each other; a pair that does not fit is no candidate.
            with suppress(InputError):
                method = cls(**changed)
                if method not in found:
                    found.append(method)
    return found


def sweep(
    table: FrequencyTable, settings: Settings, tried: Sequence[Method]
) -> Iterator[Replications | None]:
    """Yield what each method does to the table, the quickest first, and all of them sharing the time.

    Each method in turn gets a moment until it has made all of its draws. A method is yielded after its first
    moment, with the draws that it made by then, and again when it has all; None is yielded after each other
    moment, so that the caller can do other things and may stop at any time.
    """
    runs = [Run(table, method, settings) for method in tried]
    new = True
    while runs:
        for run in runs:
            run.draw_for(MOMENT)
            yield run.result() if new or run.done else None
        runs, new = [run for run in runs if not run.done], False


def pareto_front(risk: ArrayLike, loss: ArrayLike) -> NDArray[np.bool_]:
    """Return which points no other point beats: none has less of one and not more of the other.

    Parameters
    ----------
    risk, loss : array-like of float, shape (n,)

    References
    ----------
    Antal 2016, section 5.2, step 14.

    Examples
    --------
    >>> pareto_front([0.3, 0.2, 0.25, 0.1], [0.0, 2.0, 3.0, 4.0])
    array([ True,  True, False,  True])
    """
    points = np.stack([np.asarray(risk, dtype=float), np.asarray(loss, dtype=float)], axis=1)
    no_worse = (points[:, np.newaxis] <= points).all(axis=2)
    better = (points[:, np.newaxis] < points).any(axis=2)
    best: NDArray[np.bool_] = np.logical_not((no_worse & better).any(axis=0))
    return best


def _values(parameter: Parameter) -> list[object]:
    """Return the values of a parameter that a search tries; none where only a person can choose."""
    if parameter.choices:
        return list(parameter.choices)
    if parameter.range is None:
        return []
    low, high = parameter.range.low, parameter.range.high
    spread = np.geomspace(low, high, TRIED) if low > 0 else np.linspace(low, high, TRIED + 1)[1:]
    steps = np.clip(np.round(spread / parameter.step) * parameter.step, low, high)
    return [parameter.check(round(float(value), 10)) for value in np.unique(steps)]
