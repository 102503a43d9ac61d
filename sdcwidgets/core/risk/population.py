"""Public functions of the disclosure risk of a population-based frequency table.

References: PSD 2014, section 2; thesis, sections 3.5 and 3.6.
"""

from __future__ import annotations

from .entropy_risk import DEFAULT_WEIGHTS, change_by_one, r1, r1_star, terms
from .residual_entropy_risk import VARIANTS, After, after_slices, r2, r2_star, terms_after
from .third_term import THIRD_TERMS, h1, h2, h3

__all__ = [
    "DEFAULT_WEIGHTS",
    "THIRD_TERMS",
    "VARIANTS",
    "After",
    "after_slices",
    "change_by_one",
    "h1",
    "h2",
    "h3",
    "r1",
    "r1_star",
    "r2",
    "r2_star",
    "terms",
    "terms_after",
]
