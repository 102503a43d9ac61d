"""Table of all published figures that can be recomputed, with verdicts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sdcwidgets.teaching.reproduction import (
    linked_tables,
    others,
    psd2014,
    thesis,
    totter,
    worked_examples,
)
from sdcwidgets.teaching.reproduction.figure import VERDICTS, Figure

if TYPE_CHECKING:
    import pandas as pd

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
    others.table_generator_risk,
    worked_examples.marginal_tables,
    worked_examples.differenced_tables,
    worked_examples.random_rounding,
    linked_tables.ranks,
    linked_tables.internal_intruder,
    totter.designs,
    totter.toy_file,
    totter.anonymity,
    totter.simulations,
)


@cache
def figures() -> tuple[Figure, ...]:
    """Return every published figure with its recomputed value.

    Examples
    --------
    PSD 2014, Table 5:

    >>> next(x for x in figures() if x.quantity == "R1" and x.subject == "religion, whole table").verdict
    'reproduces'
    """
    return tuple(figure for group in GROUPS for figure in group())


def check() -> pd.DataFrame:
    """Return one row per figure: published value, recomputed value and verdict.

    If two formulas are published for a quantity, the column "other formula" contains the value of the second
    one; otherwise it is nan. The column "digits" is the number of published decimals.
    """
    import pandas as pd

    return pd.DataFrame(
        {
            "source": figure.source,
            "location": figure.location,
            "quantity": figure.quantity,
            "subject": figure.subject,
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
    """Return one row per published table: the number of its figures by verdict."""
    figures = check()
    # The reason of an erratum follows a colon.
    kind = figures["verdict"].str.partition(":")[0]
    counts = {verdict: kind == verdict for verdict in VERDICTS}
    lines = figures[["source", "location"]].assign(figures=1, **counts)
    return lines.groupby(["source", "location"], sort=False).sum()


def as_table(figures: pd.DataFrame) -> pd.DataFrame:
    """Return rows of `check` as text, with as many decimals as are published.

    Examples
    --------
    >>> figures = check()
    >>> as_table(figures[figures["location"] == "Table 5.19"].tail(2))["print"].tolist()
    ['25', '40']
    """
    texts = figures.drop(columns="digits").astype(object)
    for name in figures.select_dtypes("float").columns:
        # Differences are small, so they have one decimal more.
        digits = figures["digits"] + (name == "difference")
        texts[name] = [_number(figure, places) for figure, places in zip(figures[name], digits, strict=True)]
    return texts


def _number(value: float, digits: int) -> str:
    if value != value:
        return ""
    # Adding 0 turns a negative zero into zero.
    return f"{round(value, digits) + 0.0:,.{digits}f}"
