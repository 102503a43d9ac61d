"""The cell key method for tables whose records are not available."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.parameters import Choices, Help, Label, Range
from sdcwidgets.core.key_noise import rows_of
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.core.ptable import Design
from sdcwidgets.methods.base import Counts, Matrix, largest_count, register
from sdcwidgets.methods.cellkey.designing import design, p_table
from sdcwidgets.methods.cellkey.files import PTable, Rows, p_table_of
from sdcwidgets.methods.cellkey.keys import GRID, mixed_keys
from sdcwidgets.methods.cellkey.lookup import PLAIN, Lookup, publish
from sdcwidgets.methods.tabular import PostTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    #: Types that the setting accepts; the value is converted to rows.
    AnyPTable: TypeAlias = Rows | pd.DataFrame | Path
else:
    AnyPTable = Rows

#: Maximum of the setting js.
MOST_JS = 8


@register
@dataclass(frozen=True)
class CellKey(PostTabular):
    """Adds noise determined by the sum of the record keys in the cell (cell key method).

    With record keys (`cellkey.keys_of_records`, `cellkey.release_of_records`), the same people have
    the same noise in every table. This method is for a table without records: the record keys are drawn for
    each table. If several such tables contain the same people, the noise can be averaged away. Zeros do not
    change.

    The cell key of a margin is the fractional part of the sum of the keys of its cells. By default each key is
    mixed with a secret before the look-up, so that the noise of a margin is independent of the noise of its
    cells. A margin whose people are all in one cell has the noise of that cell. With unmixed keys, the noise of
    the cells bounds the noise of the margin. In releases of up to 40 published values, `Release.intervals` and
    the verdict analyse these sums of keys. In larger releases the verdict treats every group disclosure of the
    original table as certain.

    References
    ----------
    Handbook, chapter 5, section 5.4; Thompson, Broadfoot and Elazar 2013.

    Examples
    --------
    Counts of 1 and 2 are never published:

    >>> table = FrequencyTable([[1, 2], [3, 14]])
    >>> drawn = CellKey(D=5, V=3, js=2).replicate(table, 100, np.random.default_rng(1))
    >>> bool(np.isin(drawn, [1, 2]).any())
    False

    Table 5.16 of the handbook as the p-table of an agency:

    >>> from sdcwidgets.methods.cellkey import handbook_example
    >>> method = CellKey(p_table=handbook_example())
    >>> method.D, method.js
    (1, 1)
    """

    D: Annotated[
        int,
        Range(1, 25),
        Label("Maximum noise D"),
        Help("Largest possible change of a count. A larger D gives more protection."),
    ] = 3
    V: Annotated[
        float,
        Range(0.05, 100, 0.05),
        Label("Variance V"),
        Help("Variance of the noise. A larger V gives more protection."),
    ] = 1.0
    js: Annotated[
        int,
        Range(0, MOST_JS),
        Label("Largest count that is never published (js)"),
        Help(
            "Counts from 1 to js are never published, which needs a larger variance of the noise. 0 allows "
            "all counts."
        ),
    ] = 0
    pstay: Annotated[
        float,
        Range(0, 0.95, 0.05),
        Label("Minimum probability of no change"),
        Help("Lower bound of the probability that a count is unchanged. 0 sets no lower bound."),
    ] = 0.0
    monotone: Annotated[
        bool,
        Label("Monotone probabilities"),
        Help(
            "If this option is on, the probability of a noise value does not decrease from the lowest "
            "noise value up to 0."
        ),
    ] = True
    margins: Annotated[
        str,
        Choices({"own": "perturbed independently", "sums": "sums of the published cells"}),
        Label("Margins"),
        Help(
            "Independently perturbed totals are closer to the original totals, but may differ from the sums "
            "of their cells."
        ),
    ] = "own"

    cell_keys: Annotated[
        str,
        Choices(
            {
                "mixed": "cell keys mixed with a secret",
                "plain": "unmixed cell keys, as in the handbook and in cellKey",
            }
        ),
        Label("Cell keys"),
        Help(
            "Unmixed cell keys are additive: the noise of the cells then bounds the noise of their total, "
            "and data users can infer narrower intervals of counts."
        ),
    ] = "mixed"

    p_table: Annotated[
        AnyPTable,
        PTable(),
        Label("Custom p-table"),
        Help(
            "File of the agency with the noise distributions. The p-table determines D, V and js; the "
            "settings pstay and monotone have no effect."
        ),
    ] = ()

    unbiased = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._rows:
            for name, value in _properties(self._rows).items():
                object.__setattr__(self, name, value)
            super().__post_init__()
        else:
            self._design()

    @property
    def _rows(self) -> Rows:
        # The field is converted to rows when it is set.
        return cast("Rows", self.p_table)

    def _design(self) -> Design:
        return design(self.D, self.V, self.js, self.pstay or None, self.monotone, False)

    def _lookup(self) -> Lookup:
        if self._rows:
            return _own_lookup(self._rows)
        return _lookup(self.D, self.V, self.js, self.pstay or None, self.monotone)

    def noise_table(self) -> pd.DataFrame:
        """Return the p-table of the noise.

        Returns
        -------
        DataFrame
            The custom p-table if there is one, otherwise the result of `cellkey.p_table` with these settings.

        Examples
        --------
        >>> CellKey(D=1, V=0.5).noise_table().query("i == 1").p.round(4).tolist()
        [0.25, 0.5, 0.25]
        """
        if self._rows:
            return p_table_of(self._rows)
        return p_table(self.D, self.V, self.js, self.pstay or None, self.monotone)

    def perturb(self, counts: Counts, draws: Matrix, where: tuple[NDArray[np.int64], ...]) -> Counts:
        """Return the counts with noise; each random number is the cell key of a cell.

        Parameters
        ----------
        counts : ndarray of int64, shape (cells,)
            Original counts of these cells.
        draws : ndarray of float, shape (size, cells)
            Uniform random numbers in [0, 1), one per cell and replicate.
        where : tuple of ndarray
            Index of the cells along each axis of the table.

        Returns
        -------
        ndarray of int64, shape (size, cells)
        """
        return counts + self._lookup().noise(np.broadcast_to(counts, draws.shape), draws)

    def conclusions(self, published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count that the p-table can change to the published count."""
        return self._lookup().conclusions(published)

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[Any], rng: np.random.Generator
    ) -> Release:
        """Return the cells, and margins with noise from the keys of their people.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins and bounds.
        """
        lookup, mixed = self._lookup(), self.cell_keys == "mixed"
        every = tuple(range(table.ndim))
        noisy: dict[MarginAxes, Counts] = {every: np.asarray(cells, dtype=np.int64)}
        if self.margins == "own":
            counts, noise = margins(table.counts), margins(noisy[every] - table.counts)
            keys, filled = margins(self._keys(table.counts, cells, rng)), margins(table.counts > 0)
            secret = int(rng.integers(2**63)) if mixed else 0
            for margin in (margin for margin in counts if margin != every):
                own = np.remainder(keys[margin], GRID)
                own_noise = lookup.noise(counts[margin], mixed_keys(own, secret) if mixed else own / GRID)
                # A margin with all its people in one cell has the key of that cell.
                noisy[margin] = counts[margin] + np.where(filled[margin] == 1, noise[margin], own_noise)
        notes = (self.note(),) if mixed else (self.note(), PLAIN)
        return publish(table, lookup, noisy, self.margins == "own", notes, mixed)

    def published_margin(
        self,
        table: FrequencyTable,
        published: NDArray[Any],
        margin_axes: MarginAxes,
        rng: np.random.Generator,
    ) -> NDArray[np.number] | None:
        """Return margins with independent noise, or None if margins are sums.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        published : ndarray, shape (size, *shape)
            Replicates of `replicate`.
        margin_axes : tuple of int
            The axes that the margin keeps.
        rng : numpy.random.Generator
            Source of further random numbers.

        Returns
        -------
        ndarray of int64, shape (size, *margin), or None
        """
        if self.margins != "own":
            return None
        counts = np.broadcast_to(table.counts, published.shape)
        others = tuple(k + 1 for k in range(table.ndim) if k not in margin_axes)
        sums = counts.sum(axis=others)
        if self.cell_keys == "mixed":
            keys = rng.random(sums.shape)
        else:
            keys = np.remainder(self._keys(counts, published, rng).sum(axis=others), GRID) / GRID
        # A margin with all its people in one cell has the key of that cell.
        single = np.count_nonzero(counts, axis=others) == 1
        noise = np.where(single, (published - counts).sum(axis=others), self._lookup().noise(sums, keys))
        noisy_sums: Counts = sums + noise.astype(np.int64)
        return noisy_sums

    def _keys(self, counts: Counts, published: Counts, rng: np.random.Generator) -> Matrix:
        """Return random cell keys that agree with the noise, as whole numbers below GRID; 0 for empty cells.

        Given the noise, the key is uniform over the intervals of that noise.
        """
        keys = self._lookup().keys_with_noise(counts, published - counts, rng.random(counts.shape), GRID)
        return np.where(counts > 0, keys, 0)

    def private_note(self, table: FrequencyTable, stayed: Counts | None = None) -> str:
        """Return warnings if a count of js + 1 can never change, or D limits the variance; otherwise ""."""
        return " ".join(filter(None, [self.stuck, self.limited_variance]))

    @property
    def limited_variance(self) -> str:
        """Warning if the maximum noise D allows only a variance below V; otherwise "".

        Examples
        --------
        >>> CellKey(D=2, V=50).limited_variance
        'With a maximum noise D of 2, the variance is at most 2, not V = 50. Use a larger D, or V of 2 or less.'
        >>> CellKey(D=3, V=1).limited_variance
        ''
        """
        if self._rows:
            return ""
        designed = self._design()
        largest = float((designed.p * designed.v**2).sum(axis=1).max())
        if largest > self.V * (1 - 1e-6):
            return ""
        return (
            f"With a maximum noise D of {self.D}, the variance is at most {largest:.3g}, not V = {self.V:g}. Use a "
            f"larger D, or V of {largest:.3g} or less."
        )

    @property
    def stuck(self) -> str:
        """Warning if a count of js + 1 can never change because D is not above js; otherwise "".

        Examples
        --------
        >>> CellKey(D=2, V=2, js=2).stuck
        'The maximum noise D is 2, not above js = 2, so a count of 3 never changes. Use D of 3 or more.'
        """
        if not 0 < self.js >= self.D:
            return ""
        return (
            f"The maximum noise D is {self.D}, not above js = {self.js}, so a count of {self.js + 1} never changes. "
            f"Use D of {self.js + 1} or more."
        )

    def transition(self, table: FrequencyTable | int) -> Matrix:
        """Return the probability of each published count for each original count."""
        largest = largest_count(table)
        if self._rows:
            return _own_transition(self._rows, largest)
        designed = self._design()
        counts = np.arange(largest + 1)
        rows = np.minimum(counts, len(designed.p) - 1)
        matrix = np.zeros((largest + 1, largest + 1 + 2 * self.D))
        np.put_along_axis(matrix, counts[:, np.newaxis] + np.arange(2 * self.D + 1), designed.p[rows], axis=1)
        return matrix[:, self.D :]


def _properties(rows: Rows) -> dict[str, object]:
    """Return the settings that a custom p-table determines."""
    from sdcwidgets.methods.cellkey.designing import checks

    table = p_table_of(rows)
    possible = table[(table["p"] > 0) & (table["i"] > 0)]
    published = set(possible["j"])
    js = next(j for j in range(len(published) + 1) if j + 1 in published) if published else 0
    variance = round(float(checks(table)["variance"].max()), 6)
    largest_noise = int(possible["v"].abs().max()) if len(possible) else 1
    return {
        "D": max(largest_noise, 1),
        "V": min(max(variance, 0.05), 100.0),
        # Counts from 1 to the largest value of the setting are not published either.
        "js": min(js, MOST_JS),
        "pstay": 0.0,
        "monotone": True,
    }


def _own_transition(rows: Rows, largest: int) -> Matrix:
    """Return the transition matrix of a custom p-table."""
    table = p_table_of(rows)
    distributions = table.pivot_table(index="i", columns="v", values="p", aggfunc="sum", fill_value=0)
    noise = distributions.columns.to_numpy()
    reach = max(int(noise.max()), 0)
    matrix = np.zeros((largest + 1, largest + 1 + reach))
    numbers = rows_of(np.arange(largest + 1), len(distributions) - 1)
    for count, row in enumerate(numbers.tolist()):
        p = distributions.to_numpy()[row]
        possible = p > 0
        matrix[count, count + noise[possible]] = p[possible]
    return matrix


@lru_cache(maxsize=16)
def _own_lookup(rows: Rows) -> Lookup:
    """Return a custom p-table as arrays, from a cache."""
    return Lookup.of(p_table_of(rows))


@lru_cache(maxsize=64)
def _lookup(D: int, V: float, js: int, pstay: float | None, monotone: bool) -> Lookup:
    """Return the p-table of these settings as arrays, from a cache."""
    return Lookup.of(p_table(D, V, js, pstay, monotone))
