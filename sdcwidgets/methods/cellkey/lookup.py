"""Look-up of the noise for counts and cell keys, and the resulting release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arguments import check_flag, check_frame, check_kind, check_number, numbers_of, wrong
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import names_of, quoted
from sdcwidgets._util.parameters import check_secret
from sdcwidgets._util.seeds import seed_caution
from sdcwidgets.core.key_noise import OPEN_END, KeyNoise, rows_of
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.methods.base import Counts, Matrix, get
from sdcwidgets.methods.cellkey.designing import check_p_table
from sdcwidgets.methods.cellkey.files import with_intervals
from sdcwidgets.methods.cellkey.keys import GRID, cell_keys, check_keys, mixed_keys, number_of_keys
from sdcwidgets.tables.release import SUMS_NOTE, Release
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    import pandas as pd

#: Footnotes of weighted counts, and of margins with independent noise.
WEIGHTED = (
    "Each published figure is a number of records with noise, multiplied by the mean weight of these records."
)
OWN = "Each total has its own noise, so the table may not be additive."

#: Footnote of a table whose cell keys are not mixed with a secret.
PLAIN = (
    "Cell keys are not mixed with a secret, so the cell key of a total is the sum of the cell keys of "
    "its cells."
)

#: Footnote of a table whose noise is determined by record keys.
SAME_NOISE = "A cell with the same people has the same noise in every table of these records."

#: Internal caution on the noise of a table whose records are not available.
NO_RECORDS = (
    "The cell keys were generated for this table only. The mean of n tables of the same people therefore has 1/n of "
    "the variance of the noise. Use microdata with one row per person, and one secret for all tables."
)

#: Largest threshold below which counts are suppressed.
MOST_THRESHOLD = 1_000_000

#: Values of `bound`.
BOUNDS = ("lower", "upper")


def noise(
    counts: ArrayLike, cell_keys: ArrayLike, p_table: pd.DataFrame, *, bound: str = "lower"
) -> NDArray[np.int64]:
    """Return the noise of each count and its cell key from a p-table.

    Parameters
    ----------
    counts : array_like
        Counts, of a shape that broadcasts with `cell_keys`. Counts above the last row of the p-table use the last
        row. If the last row is 750, the rows 501 to 750 are repeated. A count of 0 does not change.
    cell_keys : array_like
        Cell keys in [0, 1).
    p_table : DataFrame
        Columns i, v and p_int_ub, in ascending order of i and p_int_ub. The noise may be in any order and in
        several intervals, as in the result of `modify`. Or the columns pcv, ckey and pvalue.
    bound : {"lower", "upper"}
        Bound that belongs to an interval: lower <= key < upper, or lower < key <= upper as in the handbook.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    InputError
        If a count is negative or not whole, a key is not in [0, 1), or the shapes do not match.

    Examples
    --------
    Tables 5.16 and 5.17 of the handbook: a count of 3 with the cell key 0.8 becomes 4.

    >>> from sdcwidgets.methods.cellkey import handbook_example
    >>> noise([3], [0.8], handbook_example(), bound="upper")
    array([1])
    """
    check_kind("bound", bound, str, "lower or upper")
    if bound not in BOUNDS:
        raise wrong("bound", bound, "lower or upper")
    whole, keys = numbers_of("counts", counts), numbers_of("cell_keys", cell_keys)
    broken = whole[~((whole >= 0) & (whole == np.floor(whole)) & (whole < 2**53))]
    if broken.size:
        raise InputError(f"A count is {broken[0]:g}; counts must be whole numbers of 0 or more.")
    check_keys(keys, "cell")
    try:
        whole, keys = np.broadcast_arrays(whole, keys)
    except ValueError:
        raise InputError(
            f"The counts have the shape {whole.shape}, but the cell keys {keys.shape}; each count needs one key."
        ) from None
    p_table = with_intervals(p_table)
    check_p_table("p_table", p_table, ("i", "v", "p_int_ub"))
    return Lookup.of(p_table).noise(whole.astype(np.int64), keys, bound)


def weighted(published: ArrayLike, counts: ArrayLike, sums: ArrayLike) -> NDArray[np.float64]:
    """Return weighted counts with noise: the published counts times the mean weight of their records.

    Parameters
    ----------
    published : array_like
        Published counts.
    counts : array_like
        Original counts, of a shape that broadcasts.
    sums : array_like
        Sums of the weights of the records of each cell.

    Returns
    -------
    ndarray of float
        Weighted counts; 0 if the original count is 0.

    Raises
    ------
    InputError
        If an argument is not numeric, or if the shapes do not broadcast.

    Examples
    --------
    Three people with a total weight of 36 are published as four:

    >>> weighted([4, 0], [3, 0], [36.0, 0.0])
    array([48.,  0.])
    """
    parts = [
        numbers_of(name, value)
        for name, value in (("published", published), ("counts", counts), ("sums", sums))
    ]
    try:
        parts = list(np.broadcast_arrays(*parts))
    except ValueError:
        shapes = ", ".join(str(part.shape) for part in parts)
        raise InputError(
            f"The arguments published, counts and sums have the shapes {shapes}; they must fit."
        ) from None
    published, counts, sums = parts
    before = np.asarray(counts, dtype=np.float64)
    mean = np.divide(np.asarray(sums, dtype=np.float64), before, out=np.zeros(before.shape), where=before > 0)
    return np.asarray(published) * mean


def release(
    table: FrequencyTable,
    keys: ArrayLike,
    p_table: pd.DataFrame,
    *,
    secret: int | None,
    margins_own: bool = True,
    notes: tuple[str, ...] | None = None,
    weights: ArrayLike | None = None,
    largest_key: int | None = None,
    threshold: int = 0,
) -> Release:
    """Return the release of a table with given cell keys.

    The cell key of a margin is the fractional part of the sum of the keys of its cells, or equally of its
    records.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    keys : array_like of float, of the shape of the table
        Cell keys in [0, 1), or whole numbers from 0 to `largest_key`.
    p_table : DataFrame
        As for `noise`.
    secret : int or None
        Secret that is mixed with each cell key before the look-up, the same for all tables of the same records.
        With None the keys are not mixed, as in the handbook and the R package cellKey. Then the noise of the
        parts of a total bounds the noise of the total, and `Release.intervals` and the verdict take this into
        account. A secret below 2^48 can be found by trying. It adds a caution to `cautions`, and release rules block
        the release.
    margins_own : bool
        Whether margins have independent noise; otherwise they are the sums of the published cells.
    notes : tuple of str, optional
        Footnotes that precede those on weights and totals. By default, the footnotes describe the method and
        unmixed cell keys.
    weights : array_like of float, of the shape of the table, optional
        Sum of the weights of each cell's records; weighted counts are then published, see `weighted`. Only the
        agency knows the number of records behind a weighted count, so the release has no bounds.
    largest_key : int, optional
        Largest cell key if cell keys are whole numbers, such as 255 or 4095; default: keys in [0, 1).
    threshold : int
        Counts with noise below it are suppressed, including zeros and totals; 0 publishes all counts.

    Returns
    -------
    Release
        Cells, margins and bounds.

    Raises
    ------
    InputError
        If an argument has the wrong type, if the keys or weights have another shape than the table, if the secret
        is negative, or is a long number with a pattern, such as 2^64, or if a threshold is combined with weights or
        with margins that are sums.

    Examples
    --------
    >>> from sdcwidgets import examples
    >>> from sdcwidgets.methods import cellkey
    >>> table = examples.load("sex")
    >>> keys = cellkey.table_keys(table.counts, seed=1)
    >>> release = cellkey.release(table, keys, cellkey.p_table(D=3, V=1), secret=3**60)
    >>> bool(abs(release.cells - table.counts).max() <= 3)
    True
    """
    table_of(table)
    _check_threshold(threshold, 0)
    p_table = with_intervals(p_table)
    check_p_table("p_table", p_table, ("i", "v", "p_int_ub"))
    check_flag("margins_own", margins_own)
    caution = "" if secret is None else seed_caution(check_secret("secret", secret))
    if notes is None:
        description = get("cell-key")().note()
        notes = (description, PLAIN) if secret is None else (description,)
    if not isinstance(notes, tuple | list):
        raise wrong("notes", notes, "a list of sentences")
    grid, cell = number_of_keys(largest_key), _of_shape("keys", keys, table)
    check_keys(cell, "cell", largest_key)
    if largest_key is None:
        cell = np.rint(cell * GRID)
    lookup = Lookup.of(p_table)
    noisy = _noisy(table, cell, lookup, secret, grid)
    if weights is None:
        released = publish(table, lookup, noisy, margins_own, tuple(notes), secret is not None, grid)
        if threshold:
            released = without_small_counts(released, lookup, threshold)
    elif threshold:
        raise InputError(
            "A threshold applies to numbers of people, not to weighted counts; leave out one of threshold and weights."
        )
    else:
        sums = _of_shape("weights", weights, table)
        released = _weighted_release(table, noisy, sums, margins_own, tuple(notes))
    if caution:
        return replace(released, internal_cautions=(caution,), has_guessable_seed=True)
    return released


def release_of_records(
    records: pd.DataFrame,
    columns: Sequence[str],
    keys: ArrayLike | str,
    p_table: pd.DataFrame,
    *,
    secret: int | None,
    margins_own: bool = True,
    weights: ArrayLike | None = None,
    missing: str | None = None,
    largest_key: int | None = None,
    threshold: int = 0,
) -> Release:
    """Count records by some columns, and return the table with the noise of their record keys.

    The command ``sdcwidgets protect --record-key`` publishes the same counts for the same records, keys, p-table and
    secret.

    Parameters
    ----------
    records : DataFrame
        One row per person.
    columns : sequence of str
        The variables that become the axes.
    keys : str or array_like of float, shape (records,)
        Record keys in [0, 1), for example of `keys_of_records`, or whole numbers from 0 to `largest_key`, or the name
        of their column.
    p_table : DataFrame
        As for `noise`.
    secret : int or None
        As for `release`; use the same secret for all tables of these records.
    margins_own : bool
        Whether margins have independent noise; otherwise they are the sums of the published cells.
    weights : array_like of float, shape (records,), optional
        Weights of the records; weighted counts are then published, see `release`.
    missing : str, optional
        The category of missing values. Without it a missing value raises `InputError`.
    largest_key : int, optional
        Largest record key if record keys are whole numbers, such as 255 or 4095; default: keys in [0, 1).
    threshold : int
        Counts with noise below it are suppressed, including zeros and totals; 0 publishes all counts.

    Returns
    -------
    Release
        Cells, margins and bounds.

    Raises
    ------
    InputError
        If a column does not exist or has a missing value, a key is outside its range, the keys or weights are not one
        per record, or as for `release`.

    Examples
    --------
    >>> import secrets
    >>> import pandas as pd
    >>> from sdcwidgets.methods import cellkey
    >>> secret = secrets.randbits(128)  # keep it, and use it for all tables of these people
    >>> people = pd.DataFrame({"Area": ["A", "A", "B"] * 20, "Sex": ["m", "f"] * 30})
    >>> keys = cellkey.keys_of_records(people, secret)
    >>> p_table = cellkey.p_table(D=3, V=1)
    >>> release = cellkey.release_of_records(people, ["Area", "Sex"], keys, p_table, secret=secret)
    >>> areas = cellkey.release_of_records(people, ["Area"], keys, p_table, secret=secret)
    >>> bool((release.marginal("Area") == areas.cells).all())
    True
    """
    check_frame("records", records)
    if isinstance(keys, str):
        if keys not in records:
            raise InputError(f"The records have no column {quoted(keys)} with record keys.")
        keys = records[keys].to_numpy()
    # The readers of files are imported only if records are counted.
    from sdcwidgets.tables.io.sources.people import count_with_cells

    table, cells = count_with_cells(records, names_of(columns, "The columns"), missing=missing)
    keys_of_cells = cell_keys(keys, cells, table.cells, largest_key=largest_key).reshape(table.shape)
    sums = None
    if weights is not None:
        weight = numbers_of("weights", weights)
        if weight.shape != cells.shape or not np.isfinite(weight).all():
            raise wrong("weights", weights, "an array with one number per record")
        sums = np.bincount(cells, weight, table.cells).reshape(table.shape)
    description = get("cell-key")().note()
    notes = (description, PLAIN, SAME_NOISE) if secret is None else (description, SAME_NOISE)
    return release(
        table,
        keys_of_cells,
        p_table,
        secret=secret,
        margins_own=margins_own,
        notes=notes,
        weights=sums,
        largest_key=largest_key,
        threshold=threshold,
    )


def _weighted_release(
    table: FrequencyTable,
    noisy: Mapping[MarginAxes, Counts],
    weights: NDArray[np.float64],
    margins_own: bool,
    notes: tuple[str, ...],
) -> Release:
    """Return the release of weighted counts, which has no bounds."""
    sums, counts = margins(weights), margins(table.counts)
    values = {margin: np.rint(weighted(noisy[margin], counts[margin], sums[margin])) for margin in counts}
    if not margins_own:
        values = margins(values[max(values, key=len)])

    def anything(published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        return np.zeros(published.shape), np.full(published.shape, np.inf)

    own = (OWN,) if margins_own else ()
    return Release.by_value(table.axes, values, anything, (*notes, WEIGHTED, *own))


def _of_shape(name: str, value: ArrayLike, table: FrequencyTable) -> NDArray[np.float64]:
    """Return an argument as numbers of the shape of the table, or raise InputError."""
    array = numbers_of(name, value)
    if array.shape != table.shape or not np.isfinite(array).all():
        raise InputError(
            f"The argument {name} must be an array of numbers of the shape {table.shape} of the table."
        )
    return array


def publish(
    table: FrequencyTable,
    lookup: Lookup,
    noisy: Mapping[MarginAxes, Counts],
    own: bool,
    notes: tuple[str, ...],
    mixed: bool,
    grid: int = GRID,
) -> Release:
    """Build the release of a table from counts with noise.

    Parameters
    ----------
    table : FrequencyTable
        The original table.
    lookup : Lookup
        The p-table.
    noisy : mapping of tuple of int to ndarray of int64
        Cells and margins with noise.
    own : bool
        Whether margins have independent noise; otherwise they are the sums of the published cells.
    notes : tuple of str
        Footnotes.
    mixed : bool
        Whether the cell keys are mixed with a secret.
    grid : int
        Number of different keys.

    Returns
    -------
    Release
        Cells, margins and bounds.
    """
    cells = noisy[tuple(range(table.ndim))]
    if not own:
        bounds = lookup.conclusions(cells)
        return Release.of(FrequencyTable(cells, table.axes), *bounds, notes=[*notes, SUMS_NOTE])
    release = Release.by_value(table.axes, noisy, lookup.conclusions, (*notes, OWN))
    return replace(release, key_noise=lookup.key_noise(mixed=mixed, grid=grid))


def without_small_counts(release: Release, lookup: Lookup, threshold: int) -> Release:
    """Suppress the published counts below a threshold, including zeros and totals.

    Parameters
    ----------
    release : Release
        Release with cell-key noise and independently perturbed margins.
    lookup : Lookup
        The p-table of the noise.
    threshold : int
        Smallest count that is published.

    Returns
    -------
    Release

    Raises
    ------
    InputError
        If the threshold is not a whole number of at least 1, or the margins are sums, which would disclose the
        suppressed counts.
    """
    _check_threshold(threshold, 1)
    if release.key_noise is None:
        raise InputError(
            "The margins are sums of the published cells, which would disclose counts below the threshold; perturb "
            "the margins independently."
        )
    least, most = lookup.conclusions(np.arange(threshold))
    # A count that the p-table never publishes has no upper bound.
    is_possible = np.isfinite(most)
    lowest, highest = least[is_possible].min(), most[is_possible].max()
    values, lower, upper = {}, {}, {}
    for margin, published in release.values.items():  # noqa: PD011
        small = published < threshold
        values[margin] = np.where(small, np.nan, published)
        lower[margin] = np.where(small, lowest, release.lower[margin])
        upper[margin] = np.where(small, highest, release.upper[margin])
    notes = release.notes
    if any(np.isnan(array).any() for array in values.values()):
        notes = (*notes, f"Counts below {threshold} after perturbation are suppressed.", "c: confidential.")
    noise = release.key_noise._replace(threshold=threshold)
    return replace(release, values=values, lower=lower, upper=upper, symbols={}, key_noise=noise, notes=notes)


def _check_threshold(threshold: int, least: int) -> None:
    """Raise InputError unless the threshold is a whole number from `least` to `MOST_THRESHOLD`."""
    check_number("threshold", threshold, whole=True)
    if not least <= threshold <= MOST_THRESHOLD:
        raise InputError(f"The threshold is {threshold}; it must be from {least} to {MOST_THRESHOLD:,}.")


def _noisy(
    table: FrequencyTable, cell: NDArray[np.float64], lookup: Lookup, secret: int | None, grid: int
) -> dict[MarginAxes, Counts]:
    """Return the cells and margins, each with independent noise."""
    keys_of = margins(cell)
    noisy = {}
    for margin, sums in margins(table.counts).items():
        keys = np.remainder(keys_of[margin], grid)
        if secret is not None:
            keys = mixed_keys(keys, secret)
        elif grid == GRID:
            keys = keys / GRID
        else:
            # The middle of the interval of a whole key, because a bound of the p-table may be rounded.
            keys = (keys + 0.5) / grid
        noisy[margin] = sums + lookup.noise(sums, keys)
    return noisy


@dataclass(frozen=True)
class Lookup:
    """A p-table as arrays; the intervals of row i are shifted to the range from i to i + 1."""

    line: NDArray[np.float64]
    row: Counts
    v: Counts
    first: Counts
    last: Counts
    width: NDArray[np.float64]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Lookup:
        """Build the arrays of a p-table with rows in ascending order."""
        table = with_intervals(table)
        i, upper = table["i"].to_numpy(), table["p_int_ub"].to_numpy(dtype=np.float64)
        v = table["v"].to_numpy().astype(np.int64)
        rows = int(i[-1]) + 1
        first, last = (
            np.searchsorted(i, np.arange(rows)),
            np.searchsorted(i, np.arange(rows), side="right") - 1,
        )
        before = np.where(np.arange(len(i)) == first[i], 0, np.roll(upper, 1))
        return cls(upper + i, i.astype(np.int64), v, first, last, upper - before)

    def key_noise(self, *, mixed: bool, grid: int = GRID) -> KeyNoise:
        """Return the p-table in the form that `Release` needs, with the bounds of the key intervals.

        Parameters
        ----------
        mixed : bool
            Whether cell keys are mixed with a secret before the look-up.
        grid : int
            Number of different keys. The bounds of an interval of few whole keys are its first and last key.
        """
        high = self.line - self.row
        low = np.maximum(high - self.width, 0)
        if grid * OPEN_END < 1:
            # A whole key k is looked up at (k + 1/2) / grid, and the end of an interval is open.
            low, high = np.ceil(low * grid - 0.5) / grid, np.ceil(high * grid - 0.5) / grid
            high = np.where(high > low, high - 1 / grid + OPEN_END, low)
            return KeyNoise(self.row, self.v, low, high, mixed, step=1 / grid)
        return KeyNoise(self.row, self.v, low, high, mixed)

    def noise(self, counts: Counts, keys: NDArray[np.float64], bound: str = "lower") -> Counts:
        """Return the noise of each count and its cell key; see the function `noise`.

        Parameters
        ----------
        counts : ndarray of int64
            Counts.
        keys : ndarray of float, of the same shape
            Cell keys in [0, 1).
        bound : {"lower", "upper"}
            As for the function `noise`.

        Returns
        -------
        ndarray of int64, of the same shape
            Noise; 0 for a count of 0.
        """
        return np.where(counts > 0, self.v[self._index(counts, keys, bound)], 0)

    def interval(self, counts: Counts, keys: NDArray[np.float64]) -> tuple[Matrix, Matrix]:
        """Return the bounds of the interval that contains each count's cell key."""
        index = self._index(counts, keys, "lower")
        upper = self.line[index] - self.row[index]
        return np.maximum(upper - self.width[index], 0), upper  # rounding errors could make it negative

    def _index(self, counts: Counts, keys: NDArray[np.float64], bound: str) -> Counts:
        rows = rows_of(counts, len(self.first) - 1)
        index = np.searchsorted(self.line, keys + rows, side="right" if bound == "lower" else "left")
        # Because of rounding, a sum like 29 + 0.99999999999999999 is in the next row.
        return np.clip(index, self.first[rows], self.last[rows])

    def keys_with_noise(self, counts: Counts, noise: Counts, draws: Matrix, grid: int) -> Matrix:
        """Return random cell keys with this noise, as whole numbers in [0, grid).

        A noise value can have several intervals of keys in a row of the p-table; all keys in them are equally
        probable.

        Parameters
        ----------
        counts : ndarray of int64
            Counts.
        noise : ndarray of int64
            Noise of each count.
        draws : ndarray of float, of the same shape
            Uniform random numbers in [0, 1).
        grid : int
            Number of different keys.

        Returns
        -------
        ndarray of float, of the same shape
            Cell keys.
        """
        upper = np.rint((self.line - self.row) * grid).astype(np.int64)
        width = np.rint(self.width * grid).astype(np.int64)
        least, span = int(self.v.min()), int(np.ptp(self.v)) + 1
        # The offset keeps negative noise out of the group of the count below.
        group = self.row * span + self.v - least
        order = np.argsort(group, kind="stable")
        ends = np.cumsum(width[order])
        wanted = rows_of(counts, len(self.first) - 1) * span + noise - least
        first = np.searchsorted(group[order], wanted, side="left")
        last = np.searchsorted(group[order], wanted, side="right") - 1
        # A count of 0 has no noise, whatever its row of the p-table contains.
        first, last = np.clip(first, 0, len(order) - 1), np.clip(last, 0, len(order) - 1)
        start = ends[first] - width[order][first]
        place = start + np.floor(draws * (ends[last] - start)).astype(np.int64)
        interval = np.searchsorted(ends, place, side="right")
        interval = np.clip(interval, first, last)
        line = order[interval]
        keys: Matrix = (upper[line] - (ends[interval] - place)).astype(np.float64)
        return keys

    def conclusions(self, published: NDArray[np.number]) -> tuple[Matrix, Matrix]:
        """Return the least and the greatest count that the p-table can change to each published count."""
        values, member = np.unique(np.asarray(published), return_inverse=True)
        v, row = np.unique(self.v), np.arange(len(self.first))
        possible = np.zeros((len(row), len(v)), dtype=bool)
        there = self.width > 0
        possible[self.row[there], np.searchsorted(v, self.v[there])] = True
        counts = values[:, np.newaxis] - v
        there = (counts >= 0) & ((counts > 0) | (v == 0))
        used = rows_of(np.maximum(counts, 0).astype(np.int64), len(row) - 1)
        there &= possible[used, np.arange(len(v))]
        low = np.where(there, counts, np.inf).min(axis=1)
        high = np.where(there, counts, -np.inf).max(axis=1)
        none = ~there.any(axis=1)
        low, high = np.where(none, 0, low), np.where(none, np.inf, high)
        return low[member].reshape(np.shape(published)), high[member].reshape(np.shape(published))
