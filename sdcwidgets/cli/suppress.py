"""Suppress amounts such as turnover: what a rule calls sensitive, and what else must be a gap with it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sdcwidgets.cli._options import unwritable
from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from sdcwidgets.magnitude import MagnitudeTable

__all__ = ["add", "run"]

#: The settings of the rules, and what each is.
SETTINGS = {
    "n": (int, "dominance: of so many contributors the sum is looked at"),
    "k": (float, "dominance: their greatest part of the amount, in percent"),
    "p": (float, "p-percent and pq: how closely nobody may estimate a contribution, in percent"),
    "q": (float, "pq: how closely everybody can estimate it beforehand, in percent"),
    "t": (float, "entropy: the least evenness of contributions, 0 to 1"),
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the file of contributions, its columns, the rule and the costs."""
    from sdcwidgets.magnitude import RULES

    parser.add_argument("file", metavar="FILE", type=Path, help="CSV with a line a contribution")
    parser.add_argument("--by", required=True, help="the columns that become axes, with commas between them")
    parser.add_argument("--holder", required=True, help="the column that says who contributed")
    parser.add_argument("--amount", required=True, help="the column of amounts")
    parser.add_argument(
        "--rule", choices=tuple(RULES), default="p-percent", help="what is sensitive (default: p-percent)"
    )
    for name, (kind, about) in SETTINGS.items():
        parser.add_argument(f"--{name}", type=kind, help=about)
    parser.add_argument(
        "--hierarchy",
        metavar="AXIS=FILE",
        action="append",
        default=[],
        help="sub-totals of an axis: CSV with a label and its parent in each line",
    )
    parser.add_argument(
        "--cost",
        choices=("value", "cell"),
        default="value",
        help="what other gaps should cost least of (default: value)",
    )
    parser.add_argument(
        "--costs", metavar="FILE", type=Path, help="costs of one's own: CSV with the axes and a column cost"
    )
    parser.add_argument(
        "--published", metavar="FILE", type=Path, help="amounts that the contributions must add up to: CSV"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help='CSV of what may be published, "c" in each gap'
    )


def run(options: argparse.Namespace) -> None:
    """Print each cell and total, and whether and why it is a gap; write what may be published."""
    from sdcwidgets.magnitude import MagnitudeTable
    from sdcwidgets.release import CONFIDENTIAL

    names = [name.strip() for name in options.by.split(",")]
    frame = _read(options.file)
    if options.amount in frame.columns:
        frame[options.amount] = _numbers(frame[options.amount])
    hierarchies = dict(_hierarchy(text) for text in options.hierarchy)
    table = MagnitudeTable.of_frame(frame, names, options.holder, options.amount, hierarchies)
    if options.published is not None:
        table.check(_long(table, options.published, options.amount, table.values, 0.0))
    costs = None if options.costs is None else _costs(table, options.costs)
    given = {name: getattr(options, name) for name in SETTINGS if getattr(options, name) is not None}
    pattern = table.suppress(options.rule, cost=options.cost, costs=costs, **given)
    found = table.to_frame(pattern)
    print(found.reset_index().to_string(index=False, float_format=lambda number: f"{number:,.6g}"))
    primary = int((pattern.suppressed & ~pattern.secondary).sum())
    hidden = float(table.full.ravel()[pattern.secondary].sum())
    print(
        "",
        f"Gaps: {primary} sensitive, {int(pattern.secondary.sum())} more that protect them and hide {hidden:,.6g}.",
        "No pattern costs less." if pattern.optimal else f"No pattern costs less than {pattern.least:,.6g}.",
        sep="\n",
    )
    if options.output is not None:
        public = found.assign(amount=found["amount"].where(found["gap"] == ""))[["amount"]]
        try:
            public.reset_index().to_csv(options.output, index=False, na_rep=CONFIDENTIAL)
        except OSError as error:
            raise unwritable(options.output, error) from None


def _read(path: Path) -> pd.DataFrame:
    """Return a CSV file with every field as text."""
    import pandas as pd

    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except ValueError as error:
        raise InputError(f"{path} is no CSV file with a line of names: {str(error).strip()}.") from None


def _numbers(column: pd.Series[str]) -> list[Any]:
    """Return what is written as numbers; what is none stays, and is told where it stands."""

    def number(text: str) -> Any:
        try:
            return float(text)
        except ValueError:
            return text

    return [number(text) for text in column]


def _hierarchy(text: str) -> tuple[str, dict[str, str]]:
    axis, _, path = text.partition("=")
    if not path:
        raise InputError(f"The hierarchy {quoted(text)} names no file; write --hierarchy AXIS=FILE.")
    frame = _read(Path(path))
    if frame.shape[1] != 2:
        raise InputError(f"{path} has {frame.shape[1]} columns; a hierarchy has two, a label and its parent.")
    return axis, dict(frame.itertuples(index=False, name=None))


def _long(
    table: MagnitudeTable, path: Path, column: str, like: NDArray[Any], otherwise: float
) -> NDArray[Any]:
    """Return the numbers of a long table in the shape of `like`; `otherwise` where it has none."""
    frame = _read(path)
    names = [axis.name for axis in table.axes]
    missing = [name for name in (*names, column) if name not in frame.columns]
    if missing:
        raise InputError(f"{path} has no column {quoted(missing[0])}.")
    labels = [one[:size] for one, size in zip(table.labels, like.shape, strict=True)]
    found = np.full(like.shape, otherwise)
    for line, number in zip(frame[names].to_numpy(), _numbers(frame[column]), strict=True):
        unknown = [label for label, known in zip(line, labels, strict=True) if label not in known]
        if unknown or not isinstance(number, float):
            wrong = unknown[0] if unknown else str(number)
            raise InputError(f"{path} has {quoted(wrong)}, which is no {'label' if unknown else 'number'}.")
        found[tuple(known.index(label) for label, known in zip(line, labels, strict=True))] = number
    return found


def _costs(table: MagnitudeTable, path: Path) -> NDArray[Any]:
    """Return costs of one's own; what has none costs its amount."""
    own = _long(table, path, "cost", table.full, np.nan)
    return np.where(np.isnan(own), np.maximum(table.full, 1), own)
