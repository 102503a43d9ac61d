"""Which properties several measures have: a table of verdicts, each with the values that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.studies import Property, vector


class Properties(Grid):
    """A line a property, a column a measure; what is not kept is marked and shaded.

    Parameters
    ----------
    title : str
        What screen readers call the table.
    names : dict of str to str
        The measures, and what they are called.
    hint : str
        The line below the table.
    """

    def __init__(self, title: str, names: Mapping[str, str], hint: str) -> None:
        super().__init__(title=title, editable=False, hint=f"✗, shaded: not kept. {hint}")
        self.add_class("sdc-labels")
        self._names = names

    def show_properties(self, properties: Sequence[Property]) -> None:
        """Show what each measure says on the tables that a property is tried on."""
        self.update(
            rows=tuple(tested.wish for tested in properties),
            columns=tuple(self._names.values()),
            texts=[[verdict(tested, name) for name in self._names] for tested in properties],
            shade=[[0.0 if tested.holds[name] else 0.6 for name in self._names] for tested in properties],
            row_margin={
                "title": "Tried on",
                "values": [" → ".join(map(vector, tested.tables)) for tested in properties],
            },
        )


def verdict(wish: Property, name: str) -> str:
    """Return whether a measure keeps a property, and its values.

    Examples
    --------
    >>> verdict(Property("falls", ((1, 1), (9, 9)), {"h": (0.5, 0.25)}, {"h": True}), "h").split()
    ['✓', '0.500', '→', '0.250']
    """
    # Where there is little room, a line ends before an arrow only.
    values = " →\u00a0".join(f"{value:.3f}" for value in wish.values[name])
    return f"{'✓' if wish.holds[name] else '✗'}\u00a0{values}"
