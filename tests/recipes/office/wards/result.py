"""What the page computes from its state."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WardsResult:
    """The share of the people in each ward."""

    shares: tuple


def compute(state):
    """Return the result of a state."""
    return WardsResult((1 / state.wards,) * state.wards)
