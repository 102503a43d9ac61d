"""What a person can turn before a table is assessed: the settings of the risk, and how much is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sdcwidgets.measures.risk import Epsilon, Third, Variant, Weights
from sdcwidgets.parameters import Declared, Help, Label, Range

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings(Declared):
    """Settings handed on as one; a measure takes those that have the names of its own parameters."""

    weights: Weights = (0.1, 0.8, 0.1)
    third: Third = "h2"
    epsilon: Epsilon = 0.5
    variant: Variant = "information"
    replications: Annotated[
        int,
        Range(1, 100_000),
        Label("Replications"),
        Help("How often the method is run to average over chance."),
    ] = 1000
    seed: Annotated[int, Range(0, 2**53 - 1), Label("Seed"), Help("The same seed gives the same draws.")] = 1
