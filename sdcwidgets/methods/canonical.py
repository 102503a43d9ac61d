"""A table in an order of its axes and categories that does not depend on how the file was arranged.

A method that chooses one result by a secret must choose the same one for the same counts in another order: two
different results disclose counts by their difference.
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
    """A table with its axes sorted by name and its categories by label.

    Attributes
    ----------
    table : FrequencyTable
        In the sorted order.
    axes : tuple of int
        For each sorted axis its number in the original table.
    categories : tuple of ndarray of int
        For each axis of the original table the original positions of its sorted categories.
    """

    table: FrequencyTable
    axes: tuple[int, ...]
    categories: tuple[NDArray[np.intp], ...]

    @classmethod
    def unchanged(cls, table: FrequencyTable) -> CanonicalTable:
        """Return a table in its own order."""
        return cls(table, tuple(range(table.ndim)), tuple(np.arange(size) for size in table.shape))

    def restore(self, array: NDArray[Element]) -> NDArray[Element]:
        """Return an array of the sorted table in the order of the original table.

        Parameters
        ----------
        array : ndarray
            One dimension per axis; with one entry more than categories, that entry is a total and stays last.

        Returns
        -------
        ndarray
        """
        restored = array.transpose(np.argsort(self.axes))
        for number, order in enumerate(self.categories):
            positions = np.argsort(order)
            if restored.shape[number] > len(order):
                positions = np.append(positions, len(order))
            restored = restored.take(positions, axis=number)
        return restored


def canonical(table: FrequencyTable) -> CanonicalTable:
    """Return a table with its axes and categories sorted, and the way back.

    Parameters
    ----------
    table : FrequencyTable

    Returns
    -------
    CanonicalTable

    Examples
    --------
    >>> table = FrequencyTable([[1, 2], [3, 4]], {"Sex": ["male", "female"], "Area": ["B", "A"]})
    >>> in_order = canonical(table)
    >>> in_order.table.counts
    array([[4, 2],
           [3, 1]])
    >>> bool((in_order.restore(in_order.table.counts) == table.counts).all())
    True
    """
    names = [axis.name for axis in table.axes]
    axes = tuple(sorted(range(table.ndim), key=names.__getitem__))
    categories = tuple(np.argsort(np.array(axis.labels, dtype=object)) for axis in table.axes)

    def in_order(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        return counts[np.ix_(*categories)].transpose(axes)

    sorted_axes = [Axis(names[number], tuple(sorted(table.axes[number].labels))) for number in axes]
    ordered = FrequencyTable(in_order(table.counts), sorted_axes)
    if table.respondents is not None:
        ordered = ordered.with_respondents(in_order(table.respondents.counts))
    return CanonicalTable(ordered, axes, categories)
