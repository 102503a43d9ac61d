"""The result of the page: the measure of the open card for its table."""

from __future__ import annotations

from dataclasses import dataclass

from sdcwidgets._util.errors import InputError
from sdcwidgets.dashboards.literature.card import WorkedExample
from sdcwidgets.dashboards.literature.state import LiteratureState
from sdcwidgets.widgets.texts import people


@dataclass(frozen=True, eq=False)
class LiteratureResult:
    """The example of the open card, worked out.

    Attributes
    ----------
    state : LiteratureState
    worked : WorkedExample
    """

    state: LiteratureState
    worked: WorkedExample


def compute(state: LiteratureState) -> LiteratureResult:
    """Work out a card.

    Raises
    ------
    InputError
        If the table or the settings do not suit the card.

    Examples
    --------
    >>> compute(LiteratureState("frank-1978")).worked.value
    '2.9444'
    """
    total, card = state.table.total, state.card
    if total == 0:
        raise InputError("Every count would be zero; at least one must be above it.")
    if total > card.most:
        raise InputError(f"The example would have {people(total)}; this card takes at most {card.most:,}.")
    return LiteratureResult(state, card.worked(state.table, state.settings))
