"""Information loss of a protected microdata file: changes of its tables and of its variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arguments import check_texts
from sdcwidgets.core.information import hellinger
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.core.risk.population import r1, r2
from sdcwidgets.core.utility import utility
from sdcwidgets.microdata.data import Codes, Microdata, microdata_of

#: Maximum number of cells of a table; larger ones are skipped.
MOST_CELLS = 1_000_000


@dataclass(frozen=True)
class TableLoss:
    """Comparison of one frequency table of the file before and after protection.

    Attributes
    ----------
    names : tuple of str
        Names of one or two key variables.
    cells : int
    before, after : int
        Number of records in the table; records with a missing value of one of its variables are excluded.
    hellinger : float
        Hellinger distance between the counts before and after protection, at least 0.
    utility : float
        Utility: 1 minus the Hellinger distance divided by the square root of the records before; 1 if the
        counts are equal.
    r1, r2 : float
        Disclosure risk before and after protection; nan for a table with one cell or without records.
    """

    names: tuple[str, ...]
    cells: int
    before: int
    after: int
    hellinger: float
    utility: float
    r1: float
    r2: float


@dataclass(frozen=True)
class VariableChange:
    """Changes of one variable: number of categories before and after, and of suppressed and of changed values."""

    name: str
    categories: tuple[int, int]
    blanked: int
    changed: int


def table_losses(before: Microdata, after: Microdata, keys: Sequence[str]) -> list[TableLoss]:
    """Return the information loss of each table of one or two key variables.

    Parameters
    ----------
    before : Microdata
        File after recoding and before other changes, with the same categories as `after`.
    after : Microdata
        Protected file with the same records.
    keys : sequence of str

    Examples
    --------
    >>> import pandas as pd
    >>> one = Microdata.from_frame(pd.DataFrame({"a": [1, 1, 2, 2], "b": [1, 2, 1, 2]}))
    >>> [(loss.names, loss.hellinger, loss.utility) for loss in table_losses(one, one, ["a", "b"])]
    [(('a',), 0.0, 1.0), (('b',), 0.0, 1.0), (('a', 'b'), 0.0, 1.0)]
    """
    check_texts("keys", keys)
    for file in (before, after):
        microdata_of(file)
    losses = []
    for names in [*((key,) for key in keys), *combinations(keys, 2)]:
        shape = tuple(max(len(file[name].categories) for file in (before, after)) for name in names)
        if np.prod(shape, dtype=np.float64) > MOST_CELLS:
            continue
        F, G = (_table([file[name].codes for name in names], shape) for file in (before, after))
        losses.append(
            TableLoss(
                names,
                F.size,
                int(F.sum()),
                int(G.sum()),
                float(hellinger(F, G)),
                float(utility(F, G)),
                float(r1(F)) if F.size > 1 and F.any() else float("nan"),
                float(r2(F, G)) if F.size > 1 and G.any() else float("nan"),
            )
        )
    return losses


def variable_changes(
    original: Microdata, before: Microdata, after: Microdata, keys: Sequence[str]
) -> list[VariableChange]:
    """Return the changes of each key variable: recoded categories, suppressed values and changed values."""
    losses = []
    for name in keys:
        was, now = before[name].codes, after[name].codes
        losses.append(
            VariableChange(
                name,
                (len(original[name].categories), len(after[name].categories)),
                int(((now == MISSING) & (was != MISSING)).sum()),
                int(((now != was) & (now != MISSING)).sum()),
            )
        )
    return losses


def _table(columns: Sequence[Codes], shape: tuple[int, ...]) -> NDArray[np.int64]:
    whole = np.logical_and.reduce([column != MISSING for column in columns])
    index = np.ravel_multi_index(tuple(column[whole].astype(np.int64) for column in columns), shape)
    return np.bincount(index, minlength=int(np.prod(shape))).reshape(shape)
