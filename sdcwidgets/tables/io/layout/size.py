"""How large a table may be that is read."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sdcwidgets._util.errors import InputError

#: The most axes of a table, as numpy has it.
MOST_AXES = 64


def check_axes(axes: int) -> None:
    """Refuse a table of too many axes."""
    if axes > MOST_AXES:
        raise InputError(f"The table has {axes:,} axes; the maximum is {MOST_AXES}.")


def check_size(shape: Sequence[int], limit: int | None) -> None:
    """Refuse a table of too many cells."""
    cells = math.prod(shape)
    if limit is not None and cells > limit:
        many = f"{cells:,}" if cells < 10**15 else "too many"
        raise InputError(f"The table has {many} cells; the maximum is {limit:,}.")
