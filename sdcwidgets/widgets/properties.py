"""A table of the properties of several measures, with the values that each verdict is based on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.page_state import Property, vector


class Properties(Grid):
    """A table with one row per property and one column per measure; properties that do not hold are shaded.

    Parameters
    ----------
    title : str
        Accessible name of the table.
    names : dict of str to str
        Measures and their labels.
    hint : str
        Line below the table.
    """

    def __init__(self, title: str, names: Mapping[str, str], hint: str) -> None:
        super().__init__(title=title, editable=False, hint=f"✗ and shaded = does not hold. {hint}")
        self.add_class("sdc-labels")
        self._names = names

    def show_properties(self, properties: Sequence[Property]) -> None:
        """Show the values of each measure for the tables of each property."""
        self.update(
            rows=tuple(tested.wish for tested in properties),
            columns=tuple(self._names.values()),
            texts=[[verdict(tested, name) for name in self._names] for tested in properties],
            shade=[[0.0 if tested.holds[name] else 0.6 for name in self._names] for tested in properties],
            row_margin={
                "title": "Tested on",
                "values": [" → ".join(map(vector, tested.tables)) for tested in properties],
            },
        )


def verdict(wish: Property, name: str) -> str:
    """Return whether a property holds for a measure, and the values.

    Examples
    --------
    >>> verdict(Property("falls", ((1, 1), (9, 9)), {"h": (0.5, 0.25)}, {"h": True}), "h").split()
    ['✓', '0.500', '→', '0.250']
    """
    # Lines may break only before an arrow.
    values = " →\u00a0".join(f"{value:.3f}" for value in wish.values[name])
    return f"{'✓' if wish.holds[name] else '✗'}\u00a0{values}"
