"""Result of the page Literature: the measure of the open card for its table."""

from __future__ import annotations

from dataclasses import dataclass

from sdcwidgets._util.errors import InputError
from sdcwidgets.dashboards.literature.card import WorkedExample
from sdcwidgets.dashboards.literature.state import LiteratureState
from sdcwidgets.widgets.texts import people


@dataclass(frozen=True, eq=False)
class LiteratureResult:
    """The results of the open card.

    Attributes
    ----------
    state : LiteratureState
    worked : WorkedExample
    """

    state: LiteratureState
    worked: WorkedExample


def compute(state: LiteratureState) -> LiteratureResult:
    """Compute the results of a card.

    Raises
    ------
    InputError
        If the card cannot use the table or the settings.

    Examples
    --------
    >>> compute(LiteratureState("frank-1978")).worked.value
    '2.9444'
    """
    total, card = state.table.total, state.card
    if total == 0:
        raise InputError("Every count would be zero; at least one count must be above 0.")
    if total > card.most:
        raise InputError(f"The example would have {people(total)}; this card allows at most {card.most:,}.")
    return LiteratureResult(state, card.worked(state.table, state.settings))
