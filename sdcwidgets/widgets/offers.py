"""A few offers in cards, each with its figures and a button that takes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import traitlets

from sdcwidgets.widgets.base import STATIC, Labelled


class Offer(NamedTuple):
    """An offer: why it is made, what it is, its figures, what stands against it, and what it promises."""

    title: str
    name: str
    figures: str
    against: str
    promise: str


class Offers(Labelled):
    """Offers below each other; taking one calls what `on_take` was given with its place.

    Parameters
    ----------
    label : str
        What a screen reader calls the list.
    """

    _esm = STATIC / "offers.js"
    _css = STATIC / "offers.css"

    offers: traitlets.List[object] = traitlets.List().tag(sync=True)

    def show(self, offers: Sequence[Offer]) -> None:
        """Show other offers."""
        self.offers = [offer._asdict() for offer in offers]

    def on_take(self, handler: Callable[[int], None]) -> None:
        """Call `handler(place)` when one is taken."""

        def take(index: object) -> None:
            if type(index) is int and 0 <= index < len(self.offers):
                handler(index)

        self.hear("take", lambda message, _: take(message.get("place")))
