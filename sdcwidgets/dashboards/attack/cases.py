"""Cases of the attack lab, from cases.toml: published tables by protection, questions, and original counts.

Attacks receive only releases and knowledge, never the original counts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeAlias

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets.attacks import TablePlacement
from sdcwidgets.dashboards.attack.case import Case, noisy, rounded
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.tables import examples
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

Written: TypeAlias = dict[str, Any]


def _case(truth: Written, published: dict[str, list[Written]], **written: Any) -> Case:
    """Return a case from its TOML; published means are listed by the label of their count, "" for all people."""
    table = examples.load(truth["example"]) if "example" in truth else FrequencyTable(**truth)
    publish = {
        protection: tuple(
            (
                TablePlacement(entry["title"], entry.get("groups", {}), entry.get("within", {})),
                _release(table, entry),
            )
            for entry in entries
        )
        for protection, entries in published.items()
    }
    first = publish["published"]
    if "noise" in written["protections"]:
        publish["rounded"] = tuple((placement, rounded(release, 5)) for placement, release in first)
        publish |= {"noise": noisy(first, table), "withheld": first[:-1]}
    means: dict[str, dict[tuple[str, ...], float]] = {
        protection: {(label,) if label else (): mean for label, mean in by_label.items()}
        for protection, by_label in written.pop("means", {}).items()
    }
    targets = tuple(tuple(target) for target in written.pop("targets"))
    return Case(truth=table, publish=publish, means=means, targets=targets, **written)


def _release(truth: FrequencyTable, written: Written) -> Release:
    """Return a published table from its TOML."""
    if "coalition" in written:
        method = CellSuppression(coalition=written["coalition"], choice="optimal")
        return method.release(truth, np.random.default_rng(0))
    if "rounding" in written:
        return rounded(Release.of(truth), written["rounding"])
    table = (
        FrequencyTable(written["counts"], written.get("axes", truth.axes)) if "counts" in written else truth
    )
    cells, counts = tuple(range(table.ndim)), table.counts.astype(np.float64)
    for gap in written.get("gaps", ()):
        counts[tuple(gap)] = np.nan
    values = dict(Release.of(table).values) if "summed" in written else {}
    values[cells] = counts
    if "total" in written:
        values[()] = np.array(written["total"])
    of_cell, of_sum = written.get("off", (0, 0))

    def conclusions(published: Floats) -> tuple[Floats, Floats]:
        off = of_cell if published.shape == table.shape else of_sum
        return np.fmax(published - off, 0), np.where(np.isnan(published), np.inf, published + off)

    return Release.by_value(table.axes, values, conclusions)


#: Cases by name, in the order of the list on the page.
CASES: Mapping[str, Case] = {
    name: _case(**written)
    for name, written in tomllib.loads(files(__package__).joinpath("cases.toml").read_text("utf-8")).items()
}
