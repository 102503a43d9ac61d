"""Attribute disclosure in a microdata file: l-diversity and t-closeness of a sensitive variable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sdcwidgets.core.microdata.diversity import (
    closeness,
    distinct_diversity,
    entropy_diversity,
    recursive_diversity,
)
from sdcwidgets.microdata.data import Codes, Microdata

#: Maximum number of categories of a sensitive variable; with more, recode it into intervals first.
MOST_VALUES = 100


@dataclass(frozen=True)
class AttributeRisk:
    """Attribute disclosure risk of a sensitive variable; an intruder knows the key of a person but not the record.

    Attributes
    ----------
    name : str
    disclosed : int
        Number of records whose equivalence class (records with the same key) has only one value of the variable.
    distinct, recursive : int
        Minimum over all equivalence classes of the number of distinct values, and of the l of recursive (1,
        l)-diversity.
    entropy : float
        Minimum over all equivalence classes of the exponential of the entropy.
    closeness : float
        Maximum distance between the distribution in an equivalence class and in the file, from 0 to 1. Numeric
        values are treated as ordered.
    """

    name: str
    disclosed: int
    distinct: int
    recursive: int
    entropy: float
    closeness: float

    @classmethod
    def of(cls, name: str, codes: Codes, file: Microdata) -> AttributeRisk:
        """Return the measures of one variable; `codes` are those of the key variables."""
        values = file[name].codes
        count = distinct_diversity(codes, values)
        positions = file[name].categories.astype(np.float64).tolist() if file[name].numeric else None
        return cls(
            name,
            int((count == 1).sum()),
            int(count.min()),
            int(recursive_diversity(codes, values).min()),
            float(entropy_diversity(codes, values).min()),
            float(closeness(codes, values, positions).max()),
        )
