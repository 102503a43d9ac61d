"""A frequency table: counts of people by named, labelled axes; it never changes, one makes a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets.errors import InputError


@dataclass(frozen=True)
class Axis:
    """One axis of a table: its name and the label of each of its categories."""

    name: str
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.labels)


class FrequencyTable:
    """A table of counts with named, labelled axes."""

    def __init__(self, counts: ArrayLike, axes: Sequence[Axis]) -> None:
        array = np.array(counts, dtype=np.int64)
        if array.shape != tuple(len(axis) for axis in axes):
            raise InputError("The counts and the axes do not have the same shape.")
        array.flags.writeable = False
        self.counts: NDArray[np.int64] = array
        self.axes = tuple(axes)
