"""Comparison study of flexible table generators, with the published figures.

The study has four tables of different size. Three methods protect the hypercube before tabulation, and one method
protects each table after it. The census hypercube of the paper is not public, so the figures can differ. The
conclusions of the paper are tested on the synthetic hypercube.

References: Shlomo, Antal and Elliot 2015, section 5 (thesis, section 5.3).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.parameters import generator
from sdcwidgets.core import utility
from sdcwidgets.core.risk import flexible
from sdcwidgets.methods.base import Method
from sdcwidgets.methods.perturbation import StochasticPerturbation
from sdcwidgets.methods.rounding import SemiControlledRounding
from sdcwidgets.methods.swapping import RecordSwapping
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.tableserver.hypercube import hypercube
from sdcwidgets.tableserver.noise import spread_of
from sdcwidgets.tableserver.tabulate import Query, Tabulator

if TYPE_CHECKING:
    import pandas as pd

#: The four tables of section 5.1; the tenth age group is 45-49.
QUERIES = (
    Query(("Age", "Education", "Occupation"), {"Region": ("Region 1",)}),
    Query(("Sex", "Age", "Citizenship"), {"Region": ("Region 2",)}),
    Query(("Employment", "Occupation", "Education"), {"Sex": ("Male",)}),
    Query(("Region", "Occupation", "Education"), {"Age": ("45-49",)}),
)

#: The methods in the order of Table 5: swapping, rounding and perturbation before tabulation, rounding after it.
METHODS = ("RS", "RR", "SP", "RRP")

#: Table 5: risk of the original table and under each method, and utility under each method.
PRINTED: Mapping[int, tuple[tuple[float, ...], tuple[float, ...]]] = MappingProxyType(
    {
        1: ((0.318, 0.282, 0.137, 0.239, 0.135), (0.988, 0.991, 0.995, 0.993)),
        2: ((0.248, 0.191, 0.070, 0.210, 0.072), (0.972, 0.996, 0.998, 0.996)),
        3: ((0.339, 0.295, 0.130, 0.254, 0.127), (1.000, 0.994, 0.996, 0.996)),
        4: ((0.298, 0.271, 0.105, 0.229, 0.105), (0.987, 0.991, 0.994, 0.992)),
    }
)

#: Multipliers of small and large counts, as published in section 5.2.
_MULTIPLIERS = {"RS": (0.9, 0.9), "RR": (0.33, 0.33), "SP": (0.75, 0.9), "RRP": (0.33, 0.33)}


def _methods() -> dict[str, Method]:
    rounding = SemiControlledRounding(base=3)
    perturbation = StochasticPerturbation(residual_base=5, invariant=True)
    return {
        "RS": RecordSwapping(rate=0.1, axis="Region"),
        "RR": rounding,
        "SP": perturbation,
        "RRP": rounding,
    }


def compare(seed: int = 1, *, conditional: bool = False) -> pd.DataFrame:
    """Return risk and utility of the four tables under the four methods, with the published figures.

    Parameters
    ----------
    seed : int
        Seed of the hypercube and the methods.
    conditional : bool
        Whether the expected original count of a published count is a conditional expectation instead of the published
        formula; see `core.risk.flexible.expected_counts`. With the published formula, "Every method leaves less
        risk" does not hold for the hypercubes of seeds 2, 3 and 5. With conditional expectations it holds for seeds 1
        to 6.

    Returns
    -------
    DataFrame
        One row per table and method ("original" first): risk, utility, and the published values or nan.

    References
    ----------
    Shlomo, Antal and Elliot 2015, Table 5.
    """
    import pandas as pd

    lines = []
    for number, (original, protected) in _tables(seed).items():
        printed_risk, printed_utility = PRINTED[number]
        F = original.counts
        lines.append((number, "original", _risk(flexible.terms(F)), np.nan, printed_risk[0], np.nan))
        for k, (name, table) in enumerate(protected.items()):
            risk = _risk(
                flexible.terms_after(
                    F,
                    table.counts,
                    spread_of(_methods()[name], F, table.counts),
                    multipliers=_MULTIPLIERS[name],
                    conditional=conditional,
                )
            )
            similarity = float(utility.utility(F, table.counts))
            lines.append((number, name, risk, similarity, printed_risk[k + 1], printed_utility[k]))
    columns = ["table", "method", "risk", "utility", "risk printed", "utility printed"]
    return pd.DataFrame(lines, columns=columns).set_index(["table", "method"])


def shapes(seed: int = 1) -> pd.DataFrame:
    """Return people, cells and frequencies of counts of each original table, with the published numbers.

    References
    ----------
    Shlomo, Antal and Elliot 2015, Table 2.
    """
    import pandas as pd

    names = ["people", "cells", "0", "1", "2", "3", "4", "5", "6 and over"]
    lines = {}
    for (number, (original, _)), printed in zip(_tables(seed).items(), _printed("Table 2"), strict=True):
        cells = np.bincount(np.minimum(original.counts.ravel(), 6), minlength=7)
        lines[number, "here"] = [original.total, original.cells, *cells.tolist()]
        lines[number, "printed"] = [printed["people"], printed["cells"], *printed["counts"]]
    return pd.DataFrame.from_dict(lines, orient="index", columns=names)


def small_cells(seed: int = 1) -> pd.DataFrame:
    """Return the number of cells of 1 or 2 of each table, and the share that each method changed.

    References
    ----------
    Shlomo, Antal and Elliot 2015, Table 4.
    """
    import pandas as pd

    lines = {}
    # The first published number belongs to the whole hypercube.
    numbers = _printed("Table 4")["ones and twos"][1:]
    for (number, (original, protected)), printed in zip(_tables(seed).items(), numbers, strict=True):
        small = (original.counts == 1) | (original.counts == 2)
        changed = {
            name: float(np.mean(table.counts[small] != original.counts[small]))
            for name, table in protected.items()
        }
        lines[number] = {"cells of 1 and 2": int(small.sum()), "printed": printed, **changed}
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("table")


@dataclass(frozen=True)
class Conclusion:
    """Statement of the paper, with the number of tables for which it holds and the number of tables."""

    statement: str
    holds_for: int
    of: int

    @property
    def holds(self) -> bool:
        """Whether it holds for all tables."""
        return self.holds_for == self.of


def conclusions(frame: pd.DataFrame) -> list[Conclusion]:
    """Test the conclusions of section 5.2 of the paper on a result of `compare`."""
    risk, utilities = (frame[name].unstack() for name in ("risk", "utility"))  # noqa: PD010  (nothing to aggregate)
    swapped = utilities["RS"].to_numpy()
    claims = [
        (
            "Every method reduces the risk.",
            (risk[list(METHODS)].max(axis=1) < risk["original"]),
        ),
        (
            "Record swapping reduces the risk least.",
            risk["RS"] > risk[["RR", "SP", "RRP"]].max(axis=1),
        ),
        (
            "Rounding has the lowest residual risk.",
            risk[["RR", "RRP"]].max(axis=1) < risk[["RS", "SP"]].min(axis=1),
        ),
        (
            "Stochastic perturbation of the table has a lower information loss than rounding "
            "of the hypercube before tabulation.",
            utilities["SP"] > utilities["RR"],
        ),
        (
            "Rounding the table has a lower information loss than rounding the hypercube.",
            utilities["RRP"] >= utilities["RR"],
        ),
        (
            "Rounding before and rounding after tabulation have nearly the same residual "
            "risk (within 0.005).",
            (risk["RR"] - risk["RRP"]).abs() < 0.005,
        ),
    ]
    answers = [Conclusion(words, int(np.sum(holds)), len(holds)) for words, holds in claims]
    answers.append(
        Conclusion("Swapping regions does not change a table without regions.", int(swapped[2] == 1.0), 1)
    )
    answers.append(
        Conclusion(
            "Swapping has the highest information loss if the region selects the population "
            "(tables 1 and 2).",
            int(np.sum(utilities.loc[[1, 2], "RS"] == utilities.loc[[1, 2]].min(axis=1))),
            2,
        )
    )
    return answers


def _printed(table: str) -> Any:
    """Return a published table of the paper."""
    text = files("sdcwidgets.tables.examples.figures").joinpath("flexible2015.json").read_text("utf-8")
    return json.loads(text)[table]


@lru_cache(maxsize=1)
def _tables(seed: int) -> dict[int, tuple[FrequencyTable, dict[str, FrequencyTable]]]:
    """Return the four original tables, each with its protected tables by method."""
    data = Tabulator.open(hypercube(seed=seed), count="Count", key="Key")
    whole = data.tabulate(Query(data.names)).table
    chosen = _methods()
    rng = generator(seed)
    cubes = {name: chosen[name].apply(whole, rng) for name in METHODS if name != "RRP"}
    tables = {}
    for number, query in enumerate(QUERIES, start=1):
        original = _part(whole, query)
        protected = {name: _part(cube, query) for name, cube in cubes.items()}
        protected["RRP"] = chosen["RRP"].apply(original, rng)
        tables[number] = original, protected
    return tables


def _part(cube: FrequencyTable, query: Query) -> FrequencyTable:
    """Return the table of a query from a hypercube with all its cells."""
    return cube.slice(dict(query.where)).marginal(*query.by)


def _risk(terms: NDArray[np.float64]) -> float:
    return float(flexible.risk(terms))
