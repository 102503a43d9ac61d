"""Cell suppression of a table whose sub-totals are published, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.parameters import declared, secret_of
from sdcwidgets.core.suppression import Pattern
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.suppressing import SuppressedTable
from sdcwidgets.tables.table import FrequencyTable

#: Axes with sub-totals, each with pairs of a label and its parent; "" is the total.
Parents: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


@dataclass(frozen=True)
class NestedSuppression(CellSuppression):
    """Suppresses counts so that small ones cannot be computed, even from sub-totals.

    Attributes
    ----------
    parents : tuple
        Axes with sub-totals, each with pairs of a label and its parent; "" is the total.

    Examples
    --------
    >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]], {"Area": "abcd", "Age": "xyz"})
    >>> sides = (("a", "north"), ("b", "north"), ("c", "south"), ("d", "south"), ("north", ""), ("south", ""))
    >>> method = NestedSuppression(parents=(("Area", sides),))
    >>> hidden = np.isnan(method.cells(table, 3**60))
    >>> bool(hidden[0, 0]), int(hidden[:2].sum()) >= 4
    (True, True)
    """

    name: ClassVar[str] = CellSuppression.name
    title: ClassVar[str] = CellSuppression.title

    parents: Parents = ()

    @property
    def hierarchies(self) -> dict[str, Mapping[str, str]]:
        """Parent of each label, by axis."""
        return {axis: dict(pairs) for axis, pairs in self.parents}

    def pattern(self, table: FrequencyTable, seed: int | np.random.Generator | None = None) -> Pattern:
        """Return the suppressed cells and totals, without the sub-totals; see `CellSuppression.pattern`."""
        entries = self.entries(table, seed)
        shape = tuple(map(len, entries.labels))
        chosen = np.ix_(*([*range(size), -1] for size in table.shape))

        def of_cells(values: Flags | Floats) -> Any:
            every = np.zeros(shape, dtype=values.dtype)
            every.ravel()[entries.numbers] = values
            return every[chosen].ravel()

        own = entries.pattern
        return replace(
            own,
            suppressed=of_cells(own.suppressed),
            secondary=of_cells(own.secondary),
            lower=of_cells(own.lower),
            upper=of_cells(own.upper),
        )

    def entries(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> SuppressedTable:
        """Return the published and suppressed cells, sub-totals and totals.

        Parameters
        ----------
        table : FrequencyTable
            The original table without sub-totals.
        seed : int or Generator, optional
            The secret; default: a new one.

        Returns
        -------
        SuppressedTable

        Raises
        ------
        InputError
            If no pattern gives the required protection, or the sub-totals do not fit the table.
        """
        return _entries(self, table, secret_of(seed) if self.seeded else None)

    def published_entries(
        self, table: FrequencyTable, seed: int | np.random.Generator | None = None
    ) -> dict[tuple[str, ...], float]:
        """Return the published value of each entry by its labels, with "" for a total; nan if suppressed.

        Parameters
        ----------
        table : FrequencyTable
        seed : int or Generator, optional
            As for `entries`.
        """
        entries = self.entries(table, seed)
        labels = [(*own[:-1], "") for own in entries.labels]
        places = np.stack(np.unravel_index(entries.numbers, tuple(map(len, labels))), axis=1).tolist()
        values = np.where(entries.pattern.suppressed, np.nan, entries.counts).tolist()
        keys = (tuple(own[k] for own, k in zip(labels, index, strict=True)) for index in places)
        return dict(zip(keys, values, strict=True))


@lru_cache(maxsize=32)
def _entries(method: NestedSuppression, table: FrequencyTable, secret: int | None) -> SuppressedTable:
    """Return the entries from a cache, because a page requests them several times."""
    return method.suppress(table, hierarchies=method.hierarchies, audited=False, seed=secret)


def with_sub_totals(method: Method, parents: Parents) -> Method:
    """Return the method that also protects sub-totals; without sub-totals, the plain method.

    Only cell suppression differs. For methods that publish a count for each cell, sub-totals are sums of these counts.

    Examples
    --------
    >>> plain = CellSuppression(threshold=5)
    >>> nested = with_sub_totals(plain, (("Area", (("a", ""),)),))
    >>> nested.threshold, with_sub_totals(nested, ()) == plain
    (5, True)
    """
    if not isinstance(method, CellSuppression):
        return method
    settings = {setting.name: getattr(method, setting.name) for setting in declared(CellSuppression)}
    return NestedSuppression(**settings, parents=parents) if parents else CellSuppression(**settings)


def parents_of(hierarchies: Mapping[str, Sequence[tuple[str, str]]]) -> Parents:
    """Return hierarchies as a hashable value."""
    return tuple((axis, tuple(pairs)) for axis, pairs in hierarchies.items() if pairs)
