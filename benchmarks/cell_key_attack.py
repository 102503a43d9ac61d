"""What enumerating tables and keys discloses of releases by cell keys: `python benchmarks/cell_key_attack.py`.

Two attacks, each on mixed keys (the default) and on plain keys. The intruder knows the p-table and all published cells
and margins, and enumerates all counts and keys that agree with them (`tests/key_attack.py`, which shares no code with
the package).

- 400 columns of 40 tables of 2 x 10 with D = 2, one of whose two cells is empty. Attacked are the columns whose table
  the rule `census-cell-key` releases, each by its two cells and its total.
- 60 tables of 2 x 2 by default settings (D = 3, V = 1). Attacked are the tables that the rule releases, and the
  intervals that all releases state.

"Each value by itself" are plain keys whose verdict and intervals regard each published value by itself, as the package
did before November 2026. Measured 2026-11:

===========================  ================  ================  ==================  ===================  ============
keys                         columns released  certain columns   2 x 2 released      certain lines        narrower
===========================  ================  ================  ==================  ===================  ============
mixed                        400 of 400        0                 60 of 60            0                    0 of 240
plain                        0 of 400          0                 40 of 60            0                    0 of 240
plain, each value by itself  400 of 400        265               60 of 60            45                   232 of 240
===========================  ================  ================  ==================  ===================  ============
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from key_attack import certain_lines, possible_lines, possible_tables

from sdcwidgets import FrequencyTable, methods
from sdcwidgets.assessment.verdict import judge, rule_file

CellKey = methods.get("cell-key")


def released(table: FrequencyTable, release) -> bool:
    """Return whether the rule census-cell-key releases it, whatever its loss."""
    limits = replace(rule_file.load("census-cell-key").limits, loss=None, no_risk_limit="the attack decides")
    return judge(table, release, limits).answer == "release"


def alone(release):
    """Return a release of which each published value is regarded by itself."""
    return replace(release, key_noise=None)


def columns(keys: str, view=lambda release: release) -> tuple[int, int]:
    """Return of how many released columns the intruder knows the category, and how many were released."""
    certain = number = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        counts = rng.integers(1, 8, 10) * (np.arange(2)[:, None] == rng.integers(0, 2, 10))
        table, method = FrequencyTable(counts), CellKey(D=2, cell_keys=keys)
        release = method.release(table, rng)
        if not released(table, view(release)):
            continue
        number += 10
        totals = release.values[1,].astype(int)
        for k, pair in enumerate(release.cells.T.astype(int)):
            pairs = possible_lines(method.noise_table(), *pair, totals[k], plain=keys == "plain")
            certain += int((pairs > 0).any(axis=0).sum() == 1)
    return certain, number


def tables(keys: str, view=lambda release: release) -> tuple[int, int, int]:
    """Return how many tables of 2 x 2 are released, their certain lines, and cells that are narrower than stated."""
    number = certain = narrower = 0
    method = CellKey(cell_keys=keys)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = FrequencyTable(rng.integers(0, 4, (2, 2)))
        release = method.release(table, rng)
        cells, rows, across, total = (release.values[kept].astype(int) for kept in ((0, 1), (0,), (1,), ()))
        possible = possible_tables(
            method.noise_table(), cells, rows, across, int(total), plain=keys == "plain"
        )
        lower, upper = view(release).cell_bounds()
        narrower += int(((possible.min(axis=0) > lower) | (possible.max(axis=0) < upper)).sum())
        if released(table, view(release)):
            number += 1
            certain += certain_lines(possible, table.counts)
    return number, certain, narrower


def main() -> None:
    for words, keys, view in (
        ("mixed", "mixed", lambda release: release),
        ("plain", "plain", lambda release: release),
        ("plain, each value by itself", "plain", alone),
    ):
        certain, number = columns(keys, view)
        print(f"{words}: {certain} of {number} released columns (of 400) have a certain category")
        number, certain, narrower = tables(keys, view)
        print(
            f"{words}: {number} of 60 tables of 2 x 2 released, {certain} of their lines certain, "
            f"{narrower} of 240 cells narrower than stated"
        )


if __name__ == "__main__":
    main()
