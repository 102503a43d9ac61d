"""Design of p-tables: the probability of each noise value per count, and its interval of cell keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util.arguments import check_flag, check_frame, check_number
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import generator
from sdcwidgets.core.ptable import Design, noise_distributions

if TYPE_CHECKING:
    import pandas as pd

#: Columns of a p-table, with the names of the R package ptable.
COLUMNS = ("i", "j", "p", "v", "p_int_lb", "p_int_ub")

#: Maximum value of a setting of a p-table; tables with larger noise would take minutes.
MOST_NOISE = 1000


def p_table(
    D: int,
    V: float,
    js: int = 0,
    pstay: float | None = None,
    monotone: bool = True,
    equality: bool = False,
) -> pd.DataFrame:
    """Return the maximum-entropy p-table: the probability of each published count j for each count i.

    Parameters
    ----------
    D : int
        Maximum absolute noise, 1 or more.
    V : float
        Maximum variance of the noise; the exact variance if `equality` is True. With js > 0 it must be at least
        k (js + 1 - k) for each k = 1..js, the least variance without published counts from 1 to js.
    js : int
        Counts from 1 to js are never published.
    pstay : float, optional
        Minimum probability of no change, in [0, 1).
    monotone : bool
        Require that the probability does not decrease from the lowest noise to 0, as in the R package ptable.
    equality : bool
        Require a variance of exactly V.

    Returns
    -------
    DataFrame
        Columns i, j, p, v = j - i, p_int_lb and p_int_ub: the interval of cell keys with this noise, with eight
        decimals; p is its length. The last i applies to all larger counts.

    Raises
    ------
    InputError
        If there is no such p-table; the message names a possible setting.

    References
    ----------
    Handbook, chapter 5, section 5.4; Giessing 2016. See `core.ptable`.

    Examples
    --------
    >>> table = p_table(D=1, V=0.5)
    >>> table[table.i == 1].round(4).to_dict("list")["p"]
    [0.25, 0.5, 0.25]
    """
    check_flag("monotone", monotone)
    check_flag("equality", equality)
    import pandas as pd

    for name, value in (("D", D), ("V", V), ("js", js), ("pstay", 0 if pstay is None else pstay)):
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise InputError(f"{name} is {value!r}; it must be a number.")
        if name in ("D", "js") and not isinstance(value, int | np.integer):
            raise InputError(f"{name} is {value!r}; it must be a whole number.")
        if not abs(value) <= MOST_NOISE:
            raise InputError(f"{name} is {value!r}; it must be a number of at most {MOST_NOISE:,}.")
    designed = design(D, V, js, pstay, monotone, equality)
    i, column = np.nonzero(designed.allowed)
    v = designed.v[column]
    upper = np.cumsum(designed.p, axis=1).round(8)
    last = len(designed.v) - 1 - designed.allowed[:, ::-1].argmax(axis=1)
    upper[np.arange(len(upper)), last] = 1.0
    ends = upper[i, column]
    lower = np.where(np.diff(i, prepend=-1) > 0, 0.0, np.roll(ends, 1))
    columns = i, i + v, (ends - lower).round(8), v, lower, ends
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


def check_p_table(name: str, table: Any, columns: Sequence[str] = COLUMNS) -> None:
    """Raise InputError if a value is not a frame with the columns of a p-table.

    Parameters
    ----------
    name : str
        Name of the argument, for the message.
    table : object
        Value of the argument.
    columns : sequence of str
        Required columns.

    Raises
    ------
    InputError
        If the value is not a DataFrame, has no rows, or lacks a column.
    """
    check_frame(name, table, "a p-table, such as cellkey.p_table(D=3, V=1)")
    missing = [column for column in columns if column not in table.columns]
    if missing or not len(table):
        problem = f"has no column {missing[0]}" if missing else "has no rows"
        raise InputError(
            f"The argument {name} {problem}; it must be a p-table, such as cellkey.p_table(D=3, V=1)."
        )


def modify(table: pd.DataFrame, threshold: float, rng: np.random.Generator | int) -> pd.DataFrame:
    """Return a p-table with its intervals in random order, so that noise does not increase with the cell key.

    Intervals longer than the threshold are divided into equal parts, and the parts of each count are shuffled.
    The probabilities are unchanged. This corresponds to `modify_cnt_ptable` of the R package ptable, with other
    random numbers.

    Parameters
    ----------
    table : DataFrame
        A p-table, for example from `p_table`.
    threshold : float
        Maximum length of an interval, in (0, 1].
    rng : numpy.random.Generator or int
        Source of random numbers, or a seed.

    Returns
    -------
    DataFrame
        The same columns, with one row per interval.

    Raises
    ------
    InputError
        If the threshold is not in (0, 1].

    Examples
    --------
    >>> cut = modify(p_table(D=1, V=0.5), 0.25, 1)
    >>> cut[cut.i == 1].v.tolist(), cut[cut.i == 1].p.round(4).tolist()
    ([0, 1, 0, -1], [0.25, 0.25, 0.25, 0.25])
    """
    check_p_table("table", table)
    check_number("threshold", threshold)
    if not 0 < threshold <= 1:
        raise InputError(f"The threshold is {threshold:g}; it must be above 0 and at most 1.")
    rng = generator(rng)
    # Bounds have eight decimals, so they are converted to whole numbers.
    length = np.rint((table["p_int_ub"] - table["p_int_lb"]).to_numpy() * 1e8).astype(np.int64)
    i = table["i"].to_numpy()
    parts = np.where(i > 0, np.maximum(np.ceil(length / (threshold * 1e8)), 1), 1).astype(np.int64)
    cut = table.loc[table.index.repeat(parts)].reset_index(drop=True)
    each = np.repeat(length // parts, parts)
    number = np.arange(len(each)) - np.repeat(np.cumsum(parts) - parts, parts)
    each += number < np.repeat(length % parts, parts)
    order = np.lexsort((rng.random(len(each)), cut["i"].to_numpy()))
    cut, each = cut.loc[order].reset_index(drop=True), each[order]
    whole = np.cumsum(each) - 10**8 * cut["i"].to_numpy()
    return cut.assign(p=each / 1e8, p_int_lb=(whole - each) / 1e8, p_int_ub=whole / 1e8)


def checks(table: pd.DataFrame) -> pd.DataFrame:
    """Return properties of the noise for each count of a p-table.

    Returns
    -------
    DataFrame
        One row per i: `total`, the sum of p (1); `mean` (0) and `variance` of the noise; `stay`, the
        probability of no change; `entropy` in nats.

    Examples
    --------
    >>> checks(p_table(D=2, V=1)).round(6).loc[2].to_dict()
    {'total': 1.0, 'mean': 0.0, 'variance': 1.0, 'stay': 0.382963, 'entropy': 1.407757}
    """
    check_p_table("table", table, ("i", "v", "p"))
    parts = {
        "total": table["p"],
        "mean": table["p"] * table["v"],
        "variance": table["p"] * table["v"] ** 2,
        "stay": table["p"] * (table["v"] == 0),
        "entropy": -table["p"] * np.log(table["p"].where(table["p"] > 0, 1)),
    }
    moments = table[["i"]].assign(**parts).groupby("i").sum()
    return moments.assign(variance=moments["variance"] - moments["mean"] ** 2)


@lru_cache(maxsize=256)
def design(D: int, V: float, js: int, pstay: float | None, monotone: bool, equality: bool) -> Design:
    """Return the noise distributions from a cache, or raise InputError.

    Parameters
    ----------
    D : int
        Maximum absolute noise, 1 or more.
    V : float
        Maximum variance of the noise; the exact variance if `equality` is True. With js > 0 it must be at least k (js
        + 1 - k) for each k = 1..js, the least variance without published counts from 1 to js.
    js : int
        Counts from 1 to js are never published.
    pstay : float, optional
        Minimum probability of no change, in [0, 1).
    monotone : bool
        Require that the probability does not decrease from the lowest noise to 0, as in the R package ptable.
    equality : bool
        Require a variance of exactly V.

    Returns
    -------
    Design
        Distributions of the noise, one row per count.

    Raises
    ------
    InputError
        If a setting is out of range, or there is no such p-table.
    """
    if pstay is not None and not 0 <= pstay < 1:
        raise InputError(f"The minimum probability of no change is {pstay:g}; it must be from 0 to below 1.")
    if D < 1 or js < 0:
        raise InputError(
            f"The maximum noise D is {D} and the threshold js is {js}; D must be "
            "at least 1 and js at least 0."
        )
    try:
        return noise_distributions(D, V, js, pstay, monotone=monotone, equality=equality)
    except ValueError as error:
        raise InputError(str(error)) from None
