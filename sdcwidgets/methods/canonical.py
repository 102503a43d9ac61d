"""Canonical order of the axes and categories of a table, independent of the arrangement in the file.

A method with a random choice by a secret must give the same result for the same counts in another order,
because two different results disclose counts by their difference. The names of axes have no influence either, since a
user can rename an axis at any time. Only axes with the same labels are sorted by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

Element = TypeVar("Element", bound=np.generic)


@dataclass(frozen=True)
class CanonicalTable:
    """A table with its categories sorted by label, and its axes by their sorted labels.

    Attributes
    ----------
    table : FrequencyTable
        The table in the sorted order.
    axes : tuple of int
        Number of each sorted axis in the original table.
    categories : tuple of ndarray of int
        For each axis of the original table, the original positions of its sorted categories.
    """

    table: FrequencyTable
    axes: tuple[int, ...]
    categories: tuple[NDArray[np.intp], ...]

    @classmethod
    def unchanged(cls, table: FrequencyTable) -> CanonicalTable:
        """Return the table in its original order."""
        return cls(table, tuple(range(table.ndim)), tuple(np.arange(size) for size in table.shape))

    def restore(self, array: NDArray[Element]) -> NDArray[Element]:
        """Return an array in the order of the original table.

        Parameters
        ----------
        array : ndarray
            Array of the sorted table. If an axis has one entry more than categories, this entry is a total and
            stays last.

        Returns
        -------
        ndarray
            Array with the axes and categories of the original table.
        """
        restored = array.transpose(np.argsort(self.axes))
        for number, order in enumerate(self.categories):
            positions = np.argsort(order)
            if restored.shape[number] > len(order):
                positions = np.append(positions, len(order))
            restored = restored.take(positions, axis=number)
        return restored


def canonical(table: FrequencyTable) -> CanonicalTable:
    """Return a table with its axes and categories sorted, and the information to restore the order.

    Parameters
    ----------
    table : FrequencyTable
        The original table.

    Returns
    -------
    CanonicalTable
        The sorted table and the original order.

    Examples
    --------
    >>> table = FrequencyTable([[1, 2], [3, 4]], {"Sex": ["male", "female"], "Area": ["B", "A"]})
    >>> in_order = canonical(table)
    >>> in_order.table.counts
    array([[4, 2],
           [3, 1]])
    >>> canonical(table.rename({"Sex": "Gender", "Area": "Town"})).axes == in_order.axes
    True
    >>> bool((in_order.restore(in_order.table.counts) == table.counts).all())
    True
    """
    sorted_labels = [tuple(sorted(axis.labels)) for axis in table.axes]
    names = [axis.name for axis in table.axes]
    axes = tuple(sorted(range(table.ndim), key=lambda number: (sorted_labels[number], names[number])))
    categories = tuple(np.argsort(np.array(axis.labels, dtype=object)) for axis in table.axes)

    def in_order(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        return counts[np.ix_(*categories)].transpose(axes)

    sorted_axes = [Axis(names[number], sorted_labels[number]) for number in axes]
    return CanonicalTable(table.rearranged(sorted_axes, in_order), axes, categories)
