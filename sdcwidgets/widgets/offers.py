"""Cards with recommended settings, each with figures and a button that applies it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import traitlets

from sdcwidgets.widgets.base import STATIC, Labelled


class Offer(NamedTuple):
    """A recommendation: its title, name, figures, violations, and properties."""

    title: str
    name: str
    figures: str
    against: str
    promise: str


class Offers(Labelled):
    """A list of recommendations; applying one calls the handler of `on_take` with its index.

    Parameters
    ----------
    label : str
        Accessible name of the list.
    """

    _esm = STATIC / "offers.js"
    _css = STATIC / "offers.css"

    offers: traitlets.List[object] = traitlets.List().tag(sync=True)

    def show(self, offers: Sequence[Offer]) -> None:
        """Show other recommendations."""
        self.offers = [offer._asdict() for offer in offers]

    def on_take(self, handler: Callable[[int], None]) -> None:
        """Call `handler(index)` when a recommendation is applied."""

        def take(index: object) -> None:
            if type(index) is int and 0 <= index < len(self.offers):
                handler(index)

        self.hear("take", lambda message, _: take(message.get("place")))
