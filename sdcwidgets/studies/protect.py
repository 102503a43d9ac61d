"""The state of the screen that protects a table, and what is computed from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from sdcwidgets import methods
from sdcwidgets.assess import Assessment
from sdcwidgets.errors import InputError
from sdcwidgets.measures import Batch
from sdcwidgets.methods import Method
from sdcwidgets.parameters import declared
from sdcwidgets.release import Release
from sdcwidgets.replications import KEPT, Replications, Run
from sdcwidgets.search import MOMENT, Thresholds, verdict
from sdcwidgets.studies.base import TableState

__all__ = ["ProtectState", "Protected", "improve", "protect"]

#: The first result is shown after this time, in seconds; what draws are still missing follow.
FIRST_LOOK = 0.05


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
        if not 0 <= self.shown < KEPT:
            raise InputError(f"Draw {self.shown + 1} cannot be shown; the first {KEPT} can.")

    def with_method(self, name: str) -> Self:
        """Return the state with another method, at its defaults."""
        return replace(self, method=methods.get(name)(), shown=0)

    def with_parameter(self, name: str, value: Any) -> Self:
        """Return the state with one parameter of the method changed."""
        return replace(self, method=replace(self.method, **{name: value}), shown=0)

    def saved(self) -> dict[str, Any]:
        """Return plain values."""
        parameters = {one.name: getattr(self.method, one.name) for one in declared(type(self.method))}
        limits = [self.thresholds.before, self.thresholds.after, self.thresholds.loss]
        return super().saved() | {
            "method": self.method.name,
            "parameters": parameters,
            "shown": self.shown,
            "thresholds": limits,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        method = methods.get(str(saved["method"]))(**saved["parameters"])
        limits = Thresholds(*(float(limit) for limit in saved["thresholds"]))
        return cls(
            base.table, base.source, base.settings, base.arrangement, method, int(saved["shown"]), limits
        )


@dataclass(frozen=True)
class Protected:
    """Everything that the screen shows about one state.

    Attributes
    ----------
    before : Assessment
        The table before protection.
    after : Replications
        What the draws say that were made so far.
    shown : Batch
        The draw that is shown.
    index : int
        Which one it is, from 0; the last that was made where the one that was asked for is not made yet.
    run : Run
        Makes the draws that are still missing.
    """

    before: Assessment
    after: Replications
    shown: Batch
    index: int
    run: Run

    @property
    def published(self) -> Release:
        """What the draw that is shown publishes: cells, margins and gaps."""
        rng = np.random.default_rng((self.before.settings.seed, self.index))
        return self.run.method.around(self.before.table, self.shown.published[0], rng)

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
    run = Run(state.table, state.method, settings)
    run.draw_for(FIRST_LOOK)
    return _look(state, Assessment.of(state.table, settings), run)


def improve(state: ProtectState, first: Protected) -> Iterator[Protected]:
    """Yield the same with more and more draws, until all that were asked for are made."""
    while not first.run.done:
        first.run.draw_for(MOMENT)
        yield _look(state, first.before, first.run)


def _look(state: ProtectState, before: Assessment, run: Run) -> Protected:
    """Return what the draws say that were made by now."""
    index = min(state.shown, run.size - 1)
    shown = run.kept(index)
    assert shown is not None  # there is a draw, and all that can be shown are kept
    return Protected(before, run.result(), shown, index, run)
