"""Texts that several pages share: formulas with the numbers of a table, and statements about its risk.

Each page has its own `texts` module for all other texts.
"""

from sdcwidgets._util.formula_lines import ROLES, Line, Piece
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
