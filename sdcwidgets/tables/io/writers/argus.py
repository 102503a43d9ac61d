"""Internal files about suppressed cells: a CSV with a status column, and a priori files of τ-ARGUS (.hst)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.files import check_ending, put_too
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.publication import check_internal

if TYPE_CHECKING:
    import pandas as pd

#: Status of τ-ARGUS of each kind of cell: safe, unsafe (primary), and secondary.
STATUSES = {"": "S", "primary": "U", "secondary": "M"}

#: Code of a total in files of τ-ARGUS.
TOTAL = "Total"


def apriori_text(
    labels: Iterable[Sequence[str]],
    kinds: Iterable[str],
    totals: Sequence[str],
    path: str | PathLike[str] | None = None,
    separator: str = ",",
) -> str:
    r"""Return an a priori file of τ-ARGUS with the suppressed cells, and write it to a path if given.

    Parameters
    ----------
    labels : iterable of sequence of str
        Label of each cell on each axis.
    kinds : iterable of str
        Kind of each cell: "primary", "secondary" or "".
    totals : sequence of str
        Label of the total of each axis, which is written as "Total".
    path : str or path, optional
        File whose name contains "internal", because the file tells small counts from other suppressed cells.
    separator : str
        Separator of the codes, one character.

    Returns
    -------
    str
        A line for each suppressed cell: its codes, and u (primary) or m (secondary).

    Raises
    ------
    InputError
        If a label contains the separator, or the name of the file does not contain "internal".

    Examples
    --------
    >>> apriori_text([("a", "x"), ("b", "Total"), ("b", "x")], ["primary", "secondary", ""], ["Total", "Total"])
    'a,x,u\nb,Total,m\n'
    """
    if not isinstance(separator, str) or len(separator) != 1:
        raise InputError(
            f"The separator is {separator!r}; it must be one character, such as a comma or a semicolon."
        )
    if path is not None and not isinstance(path, str | PathLike):
        raise InputError(f"The path is {type_with_article(path)}; pass a file name or a Path.")
    check_internal(path)
    check_ending(path, (".hst",))
    lines = []
    for cell, kind in zip(labels, kinds, strict=True):
        if not kind:
            continue
        codes = [TOTAL if label == total else label for label, total in zip(cell, totals, strict=True)]
        for code, label, total in zip(codes, cell, totals, strict=True):
            if label != total and label.lower() == TOTAL.lower():
                raise InputError(
                    f"The category {quoted(label)} has the code of a total in τ-ARGUS; rename it."
                )
            if separator in code:
                raise InputError(
                    f"The label {quoted(code)} contains the separator {quoted(separator)}; choose another separator."
                )
        lines.append(separator.join([*codes, STATUSES[kind].lower()]))
    return put_too("".join(f"{line}\n" for line in lines), path)


def write_status(
    frame: pd.DataFrame, value: str, totals: Sequence[str], path: str | PathLike[str], separator: str = ","
) -> None:
    """Write the status of each cell to an internal file.

    Parameters
    ----------
    frame : DataFrame
        One row per cell and total: its label on each axis, the column named by `value`, and the column "status" with
        the kind of suppression.
    value : str
        Column with the original count or amount.
    totals : sequence of str
        Label of the total of each axis.
    path : str or path
        A .csv file with the columns of the axes, the original value and the status S (published), U (primary) or M
        (secondary); or an .hst file.
    separator : str
        Separator of the codes in an .hst file.

    Raises
    ------
    InputError
        If the name of the file does not contain "internal", or has another ending.
    """
    check_internal(path)
    check_ending(path, (".csv", ".hst"))
    names = [name for name in frame.columns if name not in (value, "status")]
    cells = list(frame[names].itertuples(index=False, name=None))
    kinds = frame["status"].tolist()
    if PurePath(path).suffix.lower() == ".hst":
        apriori_text(cells, kinds, totals, path, separator)
        return
    rows = [
        [*cell, number, STATUSES[kind]]
        for cell, number, kind in zip(cells, frame[value].tolist(), kinds, strict=True)
    ]
    csv_text([[*names, value, "status"], *rows], path, internal=True)
