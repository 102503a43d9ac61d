"""A few records of the file, with the values that k-anonymity suppresses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sdcwidgets._util.labels import shortened
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.widgets.board import Spot

#: Number of records with, and of records without a suppressed value.
EACH = 2


class Strip(NamedTuple):
    """Records of the file: their key values, and the number of records with the same key."""

    records: tuple[int, ...]
    columns: tuple[str, ...]
    spots: tuple[tuple[Spot, ...], ...]
    note: str


def strip(result: MicrodataResult) -> Strip:
    """Return the first records with and without a suppressed value, in the order of the file."""
    state, keys = result.state, result.state.keys
    suppressed_file = result.planned_suppression
    before = result.protected_before_suppression
    codes = before.codes(keys)
    gaps = np.zeros(codes.shape, dtype=bool)
    if suppressed_file is not None:
        gaps = (suppressed_file.file.codes(keys) == MISSING) & (codes != MISSING)
    some = gaps.any(axis=1)
    records = sorted([*np.flatnonzero(some)[:EACH], *np.flatnonzero(~some)[: 2 * EACH]][: 2 * EACH])
    labels = [[before[key].label(record) for key in keys] for record in records]
    spots = tuple(
        (
            *(
                _value(key, label, bool(gap), state.suppress)
                for key, label, gap in zip(keys, values, gaps[record], strict=True)
            ),
            _class_size(float(result.f[record]), state.settings.k),
        )
        for record, values in zip(records, labels, strict=True)
    )
    k = state.settings.k
    effect = (
        "Striped = suppressed value" if state.suppress else f"Striped = value to suppress for {k}-anonymity"
    )
    note = f"{effect}. " if gaps.any() else ""
    choice = "These are the first records of the file."
    if gaps.any():
        words = "a suppressed value" if state.suppress else "a value to suppress"
        choice = f"These are the first records with and without {words}."
    partial = ""
    if any(size != round(size) for size in result.f[records].tolist()):
        partial = (
            "A record with a missing or suppressed value counts in part, so class sizes can have decimals. "
        )
    return Strip(
        tuple(int(record) + 1 for record in records),
        (*keys, "Class size"),
        spots,
        f"{note}Orange frame = record with a class size below {k}. {partial}{choice}",
    )


def _value(key: str, label: str, gap: bool, suppress: bool) -> Spot:
    if not gap:
        return Spot(shortened(label), f"{key}: {label}")
    if suppress:
        return Spot("–", f"{key}: suppressed", look="zero")
    return Spot(shortened(label), f"{key}: {label}, value to suppress", look="zero")


def _class_size(size: float, k: int) -> Spot:
    text = f"{size:,.0f}" if size == round(size) else f"{size:,.1f}"
    return Spot(text, f"Class size: {text}", look="narrow" if size < k - 1e-9 else "total")
