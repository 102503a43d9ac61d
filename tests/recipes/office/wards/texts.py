"""The sentences of the page."""

from office.wards.result import WardsResult


def answer(result: WardsResult) -> str:
    """Return the answer at the top of the page."""
    return f"A ward has {result.shares[0]:.0%} of the people on average."
