"""Draw a category for each record from a distribution that depends on the record."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from .._arrays import Floats


def drawn(table: Floats, rows: NDArray[np.signedinteger], rng: Generator) -> NDArray[np.int8]:
    """Return for each record a column of its row of a table; each row is a distribution of at most 127 columns."""
    cumulative = table.cumsum(axis=1)
    # From the last column with a probability on the sum is 1, whatever was lost in adding up.
    cumulative[table[:, ::-1].cumsum(axis=1)[:, ::-1] - table <= 0] = 1
    draw = rng.random(len(rows), dtype=np.float32)
    code = np.zeros(len(rows), dtype=np.int8)
    for column in cumulative.astype(np.float32).T[:-1]:
        code += draw >= column[rows]
    return code
