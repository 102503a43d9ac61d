"""The state of the screen that protects a table, and what is computed from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from sdcwidgets import methods
from sdcwidgets.assess import Assessment, assess
from sdcwidgets.errors import InputError
from sdcwidgets.methods import Method
from sdcwidgets.parameters import declared
from sdcwidgets.pipeline import MOMENT, Thresholds, verdict
from sdcwidgets.replications import Replications, Run
from sdcwidgets.studies.base import TableState
from sdcwidgets.table import FrequencyTable

__all__ = ["ProtectState", "Protected", "improve", "protect"]

#: The first result is shown after this time, in seconds; what draws are still missing follow.
FIRST_LOOK = 0.05

#: Only so many of the draws can be looked at one by one.
MOST_SHOWN = 100


@dataclass(frozen=True)
class ProtectState(TableState):
    """A table, a method with its settings, and the thresholds of a release.

    Attributes
    ----------
    method : Method
    shown : int
        Which of the draws is shown, from 0.
    thresholds : Thresholds
    """

    method: Method = field(default_factory=lambda: methods.get("random-rounding")())
    shown: int = 0
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.shown < MOST_SHOWN:
            raise InputError(f"Draw {self.shown + 1} cannot be shown; the first {MOST_SHOWN} can.")

    def with_method(self, name: str) -> Self:
        """Return the state with another method, at its defaults."""
        return replace(self, method=methods.get(name)(), shown=0)

    def with_parameter(self, name: str, value: Any) -> Self:
        """Return the state with one parameter of the method changed."""
        return replace(self, method=replace(self.method, **{name: value}), shown=0)

    def to_state(self) -> dict[str, Any]:
        """Return plain values from which `from_state` makes an equal state."""
        parameters = {one.name: getattr(self.method, one.name) for one in declared(type(self.method))}
        limits = [self.thresholds.before, self.thresholds.after, self.thresholds.loss]
        return super().to_state() | {
            "method": self.method.name,
            "parameters": parameters,
            "shown": self.shown,
            "thresholds": limits,
        }

    @classmethod
    def from_state(cls, saved: dict[str, Any]) -> Self:
        """Return the state that `to_state` wrote, or raise InputError."""
        base = TableState.from_state(saved)
        try:
            method = methods.get(str(saved["method"]))(**saved["parameters"])
            limits = Thresholds(*(float(limit) for limit in saved["thresholds"]))
            shown = int(saved["shown"])
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError("This link is damaged; copy it again from the page that made it.") from error
        return cls(base.table, base.source, base.title, base.settings, method, shown, limits)


@dataclass(frozen=True)
class Protected:
    """Everything that the screen shows about one state.

    Attributes
    ----------
    before : Assessment
        The table before protection.
    after : Replications
        What the draws say that were made so far.
    published : FrequencyTable
        The draw that is shown.
    run : Run
        Makes the draws that are still missing.
    """

    before: Assessment
    after: Replications
    published: FrequencyTable
    run: Run

    @property
    def risk(self) -> float:
        """Expected R2 of the table, in the variant of the settings."""
        return float(self.after.whole.r2[self.before.settings.variant].mean[0])

    @property
    def loss(self) -> float:
        """Expected Hellinger distance of the table."""
        return float(self.after.whole.hellinger.mean[0])

    def decided(self, thresholds: Thresholds) -> tuple[int, str]:
        """Return at which of the data protector's steps a decision falls, and what it is."""
        return verdict(thresholds, float(self.before.whole.r1[0]), self.risk, self.loss)


def protect(state: ProtectState) -> Protected:
    """Assess a table before and after protection, with as many draws as a moment allows."""
    settings = state.settings
    if state.table.total == 0:
        raise InputError("Every count would be zero; at least one person must be counted.")
    before = assess(
        state.table,
        weights=settings.weights,
        third=settings.third,
        epsilon=settings.epsilon,
        variant=settings.variant,
        replications=settings.replications,
        seed=settings.seed,
    )
    run = Run(
        state.table,
        state.method,
        settings.seed,
        weights=settings.weights,
        third=settings.third,
        epsilon=settings.epsilon,
    )
    run.draw_for(FIRST_LOOK, settings.replications)
    draws = state.method.replicate(state.table, state.shown + 1, np.random.default_rng(settings.seed))
    return Protected(before, run.result(), state.table.with_counts(draws[-1]), run)


def improve(state: ProtectState, first: Protected) -> Iterator[Protected]:
    """Yield the same with more and more draws, until all that were asked for are made."""
    while first.run.size < state.settings.replications:
        first.run.draw_for(MOMENT, state.settings.replications)
        yield replace(first, after=first.run.result())
