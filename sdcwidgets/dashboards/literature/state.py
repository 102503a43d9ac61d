"""State of the page Literature: the open card, its table and its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.values import turned, with_fields
from sdcwidgets.dashboards.literature import populations, samples
from sdcwidgets.dashboards.literature.card import DATA, EXAMPLES, Card, CardSettings
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.links import Linked


def _cards() -> Iterator[tuple[str, Card]]:
    """Yield the name and the card of each entry, in the order of cards.toml."""
    work, cards = populations.WORK | samples.WORK, DATA["cards"]
    for name, own in cards.items():
        cards[name] = written = {**cards.get(own.pop("like", ""), {}), **own}
        yield name, Card(name, work[name], **{**written, "example": EXAMPLES[written["example"]]})


CARDS: Mapping[str, Card] = MappingProxyType(dict(_cards()))


@dataclass(frozen=True)
class LiteratureState(Linked):
    """The open card, its table and its settings.

    Attributes
    ----------
    name : str
        Name of the card.
    table : FrequencyTable
        The example of the card, possibly with changed counts; default is the example.
    settings : CardSettings
        They are kept if another card is opened.
    origin : str
        Name of the card whose example the table is; default is the open card.
    """

    name: str = next(iter(CARDS))
    table: FrequencyTable = None  # type: ignore[assignment]  # filled in below
    settings: CardSettings = field(default_factory=CardSettings)
    origin: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", self.origin or self.name)
        for name in (self.name, self.origin):
            if name not in CARDS:
                raise InputError(f"There is no card {name!r}; choose one of {', '.join(CARDS)}.")
        if self.table is None:
            object.__setattr__(self, "table", self.example)

    @property
    def card(self) -> Card:
        """The open card."""
        return CARDS[self.name]

    @property
    def example(self) -> FrequencyTable:
        """The table before any change of its counts."""
        return CARDS[self.origin].example

    @property
    def following(self) -> Card:
        """The next card; the first card follows the last one."""
        names = [*CARDS, next(iter(CARDS))]
        return CARDS[names[names.index(self.name) + 1]]

    def set(self, **changes: object) -> Self:
        """Return the same card under other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def saved(self) -> dict[str, Any]:
        """Return plain values, without default values."""
        saved = {"card": self.name, "settings": turned(self.settings)}
        if self.origin != self.name:
            saved["example"] = self.origin
        return saved if self.table == self.example else saved | {"counts": self.table.counts.tolist()}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state that has these plain values."""
        state = cls(
            saved["card"],
            settings=CardSettings(**saved["settings"]),
            origin=saved.get("example", saved["card"]),
        )
        return replace(state, table=state.table.with_counts(saved.get("counts", state.table.counts)))
