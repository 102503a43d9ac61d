"""Draw a category for each record from a distribution that depends on the record."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .._arrays import Floats


def drawn(table: Floats, rows: NDArray[np.signedinteger], rng: Generator) -> NDArray[np.int8]:
    """Draw a column for each record from its row of a table of distributions with at most 127 columns."""
    cumulative = table.cumsum(axis=1)
    # The cumulative sum is 1 from the last column with positive probability, despite rounding errors.
    cumulative[table[:, ::-1].cumsum(axis=1)[:, ::-1] - table <= 0] = 1
    draw = rng.random(len(rows), dtype=np.float32)
    code = np.zeros(len(rows), dtype=np.int8)
    for column in cumulative.astype(np.float32).T[:-1]:
        code += draw >= column[rows]
    return code
