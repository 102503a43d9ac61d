"""Numbers in words: formulas with a screen's own numbers in them, and the sentence that says what to notice.

One module a screen; what all of them use, and the words about risk before protection, are here.
"""

from sdcwidgets._util.lines import ROLES, Line, Piece
from sdcwidgets.widgets.texts.risk import (
    MeasureRow,
    Quantity,
    changed_cells,
    difference,
    entropy_of,
    existence,
    explain,
    explain_change,
    formula,
    in_words,
    lead,
    most_disclosive,
    notice,
    people,
    reading,
    what_if,
)

__all__ = [
    "ROLES",
    "Line",
    "MeasureRow",
    "Piece",
    "Quantity",
    "changed_cells",
    "difference",
    "entropy_of",
    "existence",
    "explain",
    "explain_change",
    "formula",
    "in_words",
    "lead",
    "most_disclosive",
    "notice",
    "people",
    "reading",
    "what_if",
]
