"""The literature gallery: the measures and models of the thesis' chapter 2, each a short card.

A card is data: what it answers, its formula, an example to change, its limits and its reference.

>>> CARDS["frank-1978"].question
"How much of an intruder's uncertainty about who is known can a table take away?"
"""

from sdcwidgets.literature.card import Card, CardSettings, Cells, Worked
from sdcwidgets.literature.gallery import CARDS, Gallery, Shown, show

__all__ = ["CARDS", "Card", "CardSettings", "Cells", "Gallery", "Shown", "Worked", "show"]
