"""What a file tells of a sensitive variable, whoever's a record is: l-diversity and t-closeness by key."""

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

#: A sensitive variable of more values is not looked at: cut it into intervals.
MOST_VALUES = 100


@dataclass(frozen=True)
class AttributeRisk:
    """What an intruder learns of a sensitive variable without knowing which record is the person's.

    Attributes
    ----------
    name : str
    disclosed : int
        Records of whose key all have one value: it is told to whoever knows the key.
    distinct, recursive : int
        The least number of values of a key, and the least l for which each key is recursively (1, l)-diverse.
    entropy : float
        The least exponential of the entropy.
    closeness : float
        The largest distance of a key's distribution from the file's, from 0 to 1; by order where there is one.
    """

    name: str
    disclosed: int
    distinct: int
    recursive: int
    entropy: float
    closeness: float

    @classmethod
    def of(cls, name: str, codes: Codes, file: Microdata) -> AttributeRisk:
        """Return the measures of one variable."""
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
