"""P-tables in files and as settings: files of ptable, of τ-ARGUS, and of the ONS package cell-key-perturbation."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets._util.arguments import check_flag, check_frame, check_kind
from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.core.key_noise import LAST_REPEATED, rows_of
from sdcwidgets.methods.cellkey.designing import COLUMNS, check_p_table
from sdcwidgets.methods.cellkey.keys import number_of_keys

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


#: Columns of a p-table of the package cell-key-perturbation: count, whole cell key and noise.
WHOLE_KEY_COLUMNS = ("pcv", "ckey", "pvalue")


def handbook_example() -> pd.DataFrame:
    """Return Table 5.16 of the handbook: noise of at most 1, and no published counts of 1.

    Examples
    --------
    >>> handbook_example().tail(3)["v"].tolist()
    [-1, 0, 1]
    """
    import pandas as pd

    lines = [
        (0, 0, 1.0, 0, 0.0, 1.0),
        (1, 0, 0.5, -1, 0.0, 0.5),
        (1, 2, 0.5, 1, 0.5, 1.0),
        (2, 2, 0.8, 0, 0.0, 0.8),
        (2, 3, 0.2, 1, 0.8, 1.0),
        (3, 2, 0.3, -1, 0.0, 0.3),
        (3, 3, 0.4, 0, 0.3, 0.7),
        (3, 4, 0.3, 1, 0.7, 1.0),
    ]
    return pd.DataFrame(lines, columns=list(COLUMNS))


def to_csv(table: pd.DataFrame) -> str:
    """Return a p-table as CSV in the format of the R package ptable, including further columns.

    Examples
    --------
    >>> print(to_csv(handbook_example()).splitlines()[1])
    0,0,1.0,0,0.0,1.0
    """
    check_p_table("table", table, ("i", "v"))
    return str(table.to_csv(index=False, lineterminator="\n"))


def to_argus(table: pd.DataFrame, *, lower: bool = False) -> str:
    """Return a p-table for τ-ARGUS, identical to the output of `pt_export` of the R package ptable.

    The columns i, j, p, v and p_int_ub are separated by semicolons, and formatted like R's `format` with eight
    digits. With `lower` the column p_int_lb is included, as in the format for SAS.

    Examples
    --------
    >>> print(to_argus(handbook_example()).splitlines()[1:3])
    ['0;0;1.0; 0;1.0', '1;0;0.5;-1;0.5']
    """
    check_flag("lower", lower)
    check_p_table("table", table, [name for name in COLUMNS if lower or name != "p_int_lb"])
    names = [name for name in COLUMNS if lower or name != "p_int_lb"]
    columns = [_formatted(table[name].to_numpy(dtype=np.float64)) for name in names]
    return "\n".join([";".join(names), *(";".join(line) for line in zip(*columns, strict=True))]) + "\n"


def to_whole_keys(table: pd.DataFrame, largest_key: int = 255) -> str:
    """Return a p-table as CSV for the ONS package cell-key-perturbation, with one row per count and cell key.

    The columns are pcv, ckey and pvalue, and the counts are 1 to 750, because the package repeats the rows 501 to 750
    for larger counts. The probability of each noise value is rounded to a multiple of 1 / (largest_key + 1).

    Parameters
    ----------
    table : DataFrame
        A p-table, for example from `p_table`.
    largest_key : int
        Largest record key, 255 or 4095 in the p-tables of the ONS.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the table is not a p-table, changes a count of 0, or has more than 750 counts.

    Examples
    --------
    >>> print(to_whole_keys(handbook_example()).splitlines()[:2])
    ['pcv,ckey,pvalue', '1,0,-1']
    """
    import pandas as pd

    check_frame("table", table, "a p-table, such as cellkey.p_table(D=3, V=1)")
    table = checked_p_table(table)
    _check_zeros(table)
    counts, upper = table["i"].to_numpy(), table["p_int_ub"].to_numpy(dtype=np.float64)
    last = int(counts[-1])
    if last > LAST_REPEATED:
        raise InputError(
            f"The p-table has the count {last}; in this format the largest count is {LAST_REPEATED}."
        )
    number = number_of_keys(largest_key)
    pcv, ckey = np.repeat(np.arange(1, LAST_REPEATED + 1), number), np.tile(np.arange(number), LAST_REPEATED)
    rows = rows_of(pcv, last)
    at = np.searchsorted(counts + upper, rows + (ckey + 0.5) / number, side="right")
    noise = table["v"].to_numpy()[at]
    written = pd.DataFrame(dict(zip(WHOLE_KEY_COLUMNS, (pcv, ckey, noise), strict=True)))
    return str(written.to_csv(index=False, lineterminator="\n"))


def with_intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Return a p-table with intervals of cell keys, converted from whole cell keys if necessary.

    Parameters
    ----------
    table : DataFrame
        The columns pcv, ckey and pvalue of the package cell-key-perturbation. Any other table is returned unchanged.

    Returns
    -------
    DataFrame
        The columns i, j, p, v, p_int_lb and p_int_ub. A key k of n keys has the interval from k/n to (k + 1)/n, and
        adjacent keys with equal noise share an interval.

    Raises
    ------
    InputError
        If a value is not a whole number, the counts are not 1 to 750, or a count does not have each key once.

    Examples
    --------
    >>> table = parse_p_table(to_whole_keys(handbook_example()))
    >>> table[table.i == 1].values.tolist()
    [[1.0, 0.0, 0.5, -1.0, 0.0, 0.5], [1.0, 2.0, 0.5, 1.0, 0.5, 1.0]]
    """
    is_frame = hasattr(table, "columns") and hasattr(table, "iloc") and not isinstance(table, type)
    if not is_frame or not set(WHOLE_KEY_COLUMNS) & set(table.columns):
        return table
    import pandas as pd

    missing = [name for name in WHOLE_KEY_COLUMNS if name not in table]
    if missing:
        raise InputError(f"The p-table has no column {listed(missing)}; it needs pcv, ckey and pvalue.")
    columns = []
    for name in WHOLE_KEY_COLUMNS:
        values = pd.to_numeric(table[name], errors="coerce").to_numpy(dtype=np.float64)
        wrong = np.flatnonzero(~(np.isfinite(values) & (values == np.floor(values))))
        if wrong.size:
            text = str(table[name].iloc[wrong[0]])
            raise InputError(
                f"The column {name} of the p-table contains {quoted(text)}; it must contain whole numbers."
            )
        columns.append(values.astype(np.int64))
    order = np.lexsort((columns[1], columns[0]))
    counts, keys, noise = (values[order] for values in columns)
    if not len(counts) or sorted(set(counts[counts != 0].tolist())) != list(range(1, LAST_REPEATED + 1)):
        largest = int(counts[-1]) if len(counts) else 0
        raise InputError(
            f"The column pcv of the p-table ends at {largest} or is incomplete; it must have the counts 1 to "
            f"{LAST_REPEATED}, because the rows 501 to {LAST_REPEATED} are repeated for larger counts."
        )
    number = int(keys.max()) + 1
    if number > len(keys) or not np.array_equal(keys, np.tile(np.arange(number), len(keys) // number)):
        raise InputError(
            f"The p-table does not have each cell key from 0 to {number - 1} once for each count; complete the column "
            "ckey."
        )
    is_first = np.ones(len(counts), dtype=bool)
    is_first[1:] = (np.diff(counts) != 0) | (np.diff(noise) != 0)
    first = np.flatnonzero(is_first)
    last = np.append(first[1:], len(counts)) - 1
    lower, upper = keys[first] / number, (keys[last] + 1) / number
    i, v = counts[first], noise[first]
    intervals = pd.DataFrame(dict(zip(COLUMNS, (i, i + v, upper - lower, v, lower, upper), strict=True)))
    if i[0] == 0:
        return intervals
    return pd.concat(
        [pd.DataFrame([(0, 0, 1.0, 0, 0.0, 1.0)], columns=list(COLUMNS)), intervals], ignore_index=True
    )


def _check_zeros(table: pd.DataFrame) -> None:
    """Raise InputError if a p-table changes a count of 0."""
    if table["v"][table["i"] == 0].tolist() != [0]:
        raise InputError("The p-table changes a count of 0; for the count 0 the only noise must be 0.")


def _formatted(values: NDArray[np.float64]) -> list[str]:
    """Format numbers like a column in R: with common digits, as few as show each number to eight digits.

    >>> _formatted(np.array([1, 0.5, 0.07394667793]))
    ['1.000000000', '0.500000000', '0.073946678']
    >>> _formatted(np.array([0.5, 0.0000012345]))
    ['5.0000e-01', '1.2345e-06']
    >>> _formatted(np.array([-1, 0, 10]))
    ['-1', ' 0', '10']
    >>> _formatted(np.array([10_000.0])), _formatted(np.array([100_000.0]))
    (['10000'], ['1e+05'])
    """
    parts = [f"{value:.7e}".split("e") for value in values.tolist()]
    digits = [len(number.lstrip("-").replace(".", "").rstrip("0")) or 1 for number, _ in parts]
    places = max(max(0, digit - 1 - int(power)) for digit, (_, power) in zip(digits, parts, strict=True))
    fixed = [f"{value:.{places}f}" for value in values.tolist()]
    written = [f"{value:.{max(digits) - 1}e}" for value in values.tolist()]
    # R uses the shorter notation, and fixed notation if both have the same width.
    shorter = fixed if max(map(len, fixed)) <= max(map(len, written)) else written
    width = max(map(len, shorter))
    return [text.rjust(width) for text in shorter]


def _number(text: str) -> float:
    """Parse a number exactly, which pandas does only since version 3; return nan for other texts."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_p_table(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a p-table from a file of ptable, of tau-ARGUS or of cell-key-perturbation.

    Parameters
    ----------
    path : str or path-like
        A CSV file with the columns i, j, p, v and p_int_ub, or with the columns pcv, ckey and pvalue, separated by
        commas or semicolons.

    Returns
    -------
    DataFrame
        The columns i, j, p, v, p_int_lb and p_int_ub, one row per interval of cell keys.

    Raises
    ------
    InputError
        If the file cannot be read, or does not contain a p-table.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ptable.csv"
    ...     _ = file.write_text(to_csv(handbook_example()))
    ...     read_p_table(file).query("i == 1").p.tolist()
    [0.5, 0.5]
    """
    if not isinstance(path, str | PathLike):
        raise InputError(f"The p-table is {type_with_article(path)}; give the path of a CSV file.")
    name = Path(path).name
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "not a text file in UTF-8"
        raise InputError(
            f"The p-table {quoted(str(path))} cannot be read: {why.lower()}; give the path of a CSV file."
        ) from None
    try:
        return parse_p_table(text)
    except InputError as error:
        raise InputError(f"{quoted(name)}: {error}") from None


def parse_p_table(text: str) -> pd.DataFrame:
    """Parse a p-table from a text in each format, and add lower bounds if they are missing.

    Raises
    ------
    InputError
        If a column is missing, a value is not a number, the counts are not 0, 1, 2 and so on, or the
        probabilities of a count do not have the sum 1 and agree with its bounds.

    Notes
    -----
    The intervals of a count are used in the given order, and a noise value may have several intervals, as in
    the results of `cellkey.modify` and of `modify_cnt_ptable` of the R package.

    Examples
    --------
    >>> parse_p_table(to_argus(handbook_example())).equals(handbook_example())
    True
    """
    check_kind("text", text, str, "the text of a p-table")
    import pandas as pd

    separator = ";" if ";" in text.partition("\n")[0] else ","
    try:
        with warnings.catch_warnings():
            # A line with more values than names would lose them.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(
                io.StringIO(text),
                sep=separator,
                index_col=False,
                skipinitialspace=True,
                converters=dict.fromkeys(("p", "p_int_lb", "p_int_ub"), _number),
            )
    except (pd.errors.ParserError, pd.errors.ParserWarning, pd.errors.EmptyDataError):
        raise InputError(
            "The text is not a p-table; it must be a CSV with the columns i, j, p, v and p_int_ub, or pcv, ckey and "
            "pvalue."
        ) from None
    # R writes row numbers to a first column without a name.
    table = table.loc[:, [not str(name).startswith("Unnamed") for name in table.columns]]
    return checked_p_table(table)


def checked_p_table(table: pd.DataFrame) -> pd.DataFrame:
    """Sort a p-table by count and interval, check it, and add lower bounds if they are missing.

    Parameters
    ----------
    table : DataFrame
        The columns i, j, p, v and p_int_ub, one row per interval of cell keys. Other columns stay. Or the columns pcv,
        ckey and pvalue, one row per count and whole cell key.

    Returns
    -------
    DataFrame

    Raises
    ------
    InputError
        If a column is missing, a value is not a number, the counts are not 0, 1, 2 and so on, or the probabilities of
        a count do not sum to 1 and agree with its bounds.

    Examples
    --------
    >>> checked_p_table(handbook_example().iloc[::-1]).equals(handbook_example())
    True
    """
    import pandas as pd

    table = with_intervals(table)
    missing = [name for name in COLUMNS if name not in table and name != "p_int_lb"]
    if missing:
        raise InputError(f"The p-table has no column {listed(missing)}; it needs i, j, p, v and p_int_ub.")
    for name in COLUMNS:
        if name in table and (not pd.api.types.is_numeric_dtype(table[name]) or table[name].isna().any()):
            raise InputError(f"The column {name} of the p-table contains a value that is not a number.")
    order = ["i", "p_int_ub", *(name for name in ("p_int_lb",) if name in table)]
    table = table.sort_values(order, kind="stable", ignore_index=True)
    i, upper = table["i"].to_numpy(), table["p_int_ub"].to_numpy(dtype=np.float64)
    if sorted(set(i)) != list(range(len(set(i)))):
        raise InputError("The counts i of the p-table are incomplete; they must be 0, 1, 2 and so on.")
    lower = np.where(np.diff(i, prepend=-1) > 0, 0.0, np.roll(upper, 1))
    if "p_int_lb" not in table:
        table.insert(list(table.columns).index("p_int_ub"), "p_int_lb", lower)
    if np.any(table["j"] < 0):
        raise InputError("The p-table publishes a count below 0; the column j must be 0 or more.")
    if np.any(table["j"] - table["i"] != table["v"]):
        raise InputError("The noise v of the p-table must equal j - i in every row.")
    sums = table.groupby("i")["p"].sum()
    if np.any(np.abs(sums - 1) > 1e-6):
        row = int(sums.index[np.abs(sums - 1) > 1e-6][0])
        raise InputError(f"The probabilities of the count {row} have the sum {sums[row]:.8g}; it must be 1.")
    if np.any(np.abs(upper - lower - table["p"]) > 1e-6) or np.any(np.abs(table["p_int_lb"] - lower) > 1e-6):
        raise InputError("The bounds p_int_lb and p_int_ub must be the cumulative sums of p.")
    return table


#: Rows of a p-table as a setting: a count, its noise, and the upper bound of the interval of cell keys.
Rows = tuple[tuple[int, int, float], ...]


@dataclass(frozen=True)
class PTable:
    """Setting that is a p-table of the agency, or empty.

    The command line passes a file path. In Python the value is a data frame, a `pathlib.Path`, or rows. A plain
    text is rejected: links to pages of a server contain texts, and must not open files there.
    """

    @property
    def expected(self) -> str:
        """Valid values, as the end of a sentence."""
        return (
            "a p-table: a data frame with the columns i, j, p, v and p_int_ub, or pcv, ckey and pvalue, "
            "or the path of a file with these columns (in Python, a pathlib.Path)"
        )

    def check(self, value: Any) -> Rows:
        """Return the rows of the p-table; an empty tuple means that there is no p-table.

        Parameters
        ----------
        value : DataFrame, pathlib.Path, or sequence of (count, noise, upper bound)

        Returns
        -------
        tuple of (int, int, float)

        Raises
        ------
        InputError
            If the p-table is not complete or not consistent, or a count of 0 may change.
        ValueError
            If the value has another type.
        """
        # No p-table is the default, also where pandas is not needed, and importing pandas takes a second.
        if isinstance(value, tuple | list) and not value:
            return ()
        import pandas as pd

        if isinstance(value, str):
            raise InputError(
                f"The p-table is the text {quoted(value)}; pass a frame, such as "
                f"cellkey.read_p_table({value!r}), or a pathlib.Path."
            )
        if isinstance(value, PathLike):
            value = read_p_table(value)
        elif isinstance(value, pd.DataFrame):
            value = checked_p_table(value)
        else:
            rows = list(value)
            if not rows:
                return ()
            value = checked_p_table(_frame(rows))
        _check_zeros(value)
        counts, noise, upper = (value[name].tolist() for name in ("i", "v", "p_int_ub"))
        return tuple(
            (int(count), int(change), float(end))
            for count, change, end in zip(counts, noise, upper, strict=True)
        )

    def parse(self, text: str) -> Rows:
        """Return the p-table from the file with this path, or an empty tuple for an empty text."""
        return self.check(read_p_table(text)) if text.strip() else ()


def _frame(rows: Iterable[tuple[int, int, float]]) -> pd.DataFrame:
    """Return rows of (count, noise, upper bound) as a p-table."""
    import pandas as pd

    table = pd.DataFrame(
        [(int(count), int(change), float(end)) for count, change, end in rows], columns=["i", "v", "p_int_ub"]
    )
    lower = table.groupby("i")["p_int_ub"].shift(fill_value=0.0)
    table["j"] = table["i"] + table["v"]
    table["p"] = (table["p_int_ub"] - lower).round(12)
    table["p_int_lb"] = lower
    return table[list(COLUMNS)]


def p_table_of(rows: Rows) -> pd.DataFrame:
    """Return the p-table with these rows, which `PTable.check` returned.

    Parameters
    ----------
    rows : tuple of (int, int, float)

    Returns
    -------
    DataFrame
    """
    return _frame(rows)
