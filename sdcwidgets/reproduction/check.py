"""Every printed figure that can be recomputed: print, recomputed, difference and verdict."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sdcwidgets.reproduction import others, psd2014, thesis
from sdcwidgets.reproduction.figure import VERDICTS, Figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_text", "check", "figures", "summary"]

GROUPS = (
    psd2014.worked_example,
    psd2014.before_protection,
    psd2014.after_protection,
    psd2014.small_cells,
    thesis.y_variables,
    thesis.third_terms,
    thesis.samples,
    thesis.estimated,
    others.hypercube,
    others.totals,
    others.cell_keys,
    others.means,
    others.suppressed,
    others.combined,
)


@cache
def figures() -> tuple[Figure, ...]:
    """Return every printed figure with what its formula gives, in the order of the publications.

    Examples
    --------
    PSD 2014, Table 5:

    >>> next(x for x in figures() if x.quantity == "R1" and x.what == "religion, whole table").verdict
    'reproduces'
    """
    return tuple(figure for group in GROUPS for figure in group())


def check() -> pd.DataFrame:
    """Return one line a figure: source, place, quantity, what, print, recomputed, difference, verdict.

    Where two formulas are in print for the same quantity, "other formula" has what the second one gives;
    elsewhere it is nan. "digits" is the number of printed decimals.
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "source": figure.source,
            "place": figure.place,
            "quantity": figure.quantity,
            "what": figure.what,
            "print": figure.printed,
            "recomputed": figure.recomputed,
            "other formula": figure.other,
            "difference": figure.difference,
            "digits": figure.digits,
            "verdict": figure.verdict,
        }
        for figure in figures()
    )


def summary() -> pd.DataFrame:
    """Return one line a printed table: how many of its figures have which verdict."""
    found = check()
    # Why a print is wrong stands behind a colon.
    kind = found["verdict"].str.partition(":")[0]
    counts = {verdict: kind == verdict for verdict in VERDICTS}
    lines = found[["source", "place"]].assign(figures=1, **counts)
    return lines.groupby(["source", "place"], sort=False).sum()


def as_text(found: pd.DataFrame) -> str:
    """Return lines of `check` as text, each figure with as many decimals as are printed of it.

    Examples
    --------
    >>> found = check()
    >>> print(as_text(found[found["place"] == "Table 5.19"].tail(3)))
    source   place      quantity       what        print recomputed other formula difference verdict
    handbook Table 5.19 total, rounded column 1       15         15                      0.0 reproduces
    handbook Table 5.19 total, rounded column 2       25         25                      0.0 reproduces
    handbook Table 5.19 total, rounded whole table    40         40                      0.0 reproduces
    """
    columns = []
    for name in found.columns.drop("digits"):
        if found[name].dtype == float:
            # A difference is small, so it is told with one decimal more.
            digits = found["digits"] + (name == "difference")
            cells = [_number(x, d) for x, d in zip(found[name], digits, strict=True)]
        else:
            cells = found[name].tolist()
        width = max(map(len, [name, *cells]))
        columns.append(
            [x.rjust(width) if found[name].dtype == float else x.ljust(width) for x in [name, *cells]]
        )
    return "\n".join(" ".join(line).rstrip() for line in zip(*columns, strict=True))


def _number(value: float, digits: int) -> str:
    if value != value:
        return ""
    # Adding 0 turns a negative zero into zero.
    return f"{round(value, digits) + 0.0:,.{digits}f}"
