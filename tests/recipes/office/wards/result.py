"""What the page computes from its state."""

from dataclasses import dataclass

from office.wards.state import WardsState


@dataclass(frozen=True)
class WardsResult:
    """The share of the people in each ward."""

    shares: tuple[float, ...]


def compute(state: WardsState) -> WardsResult:
    """Return the result of a state."""
    return WardsResult((1 / state.wards,) * state.wards)
