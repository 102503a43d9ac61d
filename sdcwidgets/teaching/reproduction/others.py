"""Recompute figures of the handbook, the 2015 table generator paper and O&DF."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from sdcwidgets.core.bounds import intervals
from sdcwidgets.methods.rounding import ConventionalRounding
from sdcwidgets.tables import examples
from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure


def totals() -> Iterator[Figure]:
    """Totals of the handbook's examples, and its table by conventional rounding."""
    handbook = load("handbook")
    for name, printed in handbook["totals"].items():
        location = f"Table {name.removeprefix('handbook-').replace('-', '.')}"
        yield from _sums("handbook", location, printed, examples.load(name).counts)
    yield from _conventional(handbook["Table 5.19"])


def _sums(source: str, location: str, printed: dict[str, Any], counts: np.ndarray) -> Iterator[Figure]:
    """Compare printed totals with the sums of the cells."""
    for part, sums in (("rows", counts.sum(axis=-1)), ("columns", counts.sum(axis=0))):
        for k, value in enumerate(printed.get(part, [])):
            erratum = printed.get("errata", {}).get(f"{part} {k + 1}", "")
            subject = f"{part.removesuffix('s')} {k + 1}"
            yield Figure(source, location, "total", subject, value, int(sums[k]), 0, erratum=erratum)
    if "total" in printed:
        yield Figure(source, location, "total", "whole table", printed["total"], int(counts.sum()), 0)


def _conventional(printed: dict[str, Any]) -> Iterator[Figure]:
    """Table 5.19: conventional rounding of each cell and total of Table 5.18."""
    table = examples.load("handbook-5-18")
    rounded = ConventionalRounding(base=printed["base"])
    rng = np.random.default_rng(0)
    figure = partial(Figure, "handbook", "Table 5.19", digits=0)
    cells = rounded.apply(table, rng).counts
    for row, column in np.ndindex(cells.shape):
        value = printed["cells"][row][column]
        subject = f"row {row + 1}, column {column + 1}"
        yield figure("count, rounded", subject, value, recomputed=int(cells[row, column]))
    for part, axis in (("rows", "Area"), ("columns", "Sex")):
        sums = rounded.apply(table.marginal(axis), rng).counts
        for k, value in enumerate(printed[part]):
            erratum = printed["errata"].get(f"{part} {k + 1}", "")
            subject = f"{part.removesuffix('s')} {k + 1}"
            yield figure("total, rounded", subject, value, recomputed=int(sums[k]), erratum=erratum)
    total = printed["base"] * round(table.total / printed["base"])
    yield figure("total, rounded", "whole table", printed["total"], recomputed=total)


def cell_keys() -> Iterator[Figure]:
    """Tables 5.16 and 5.17 of the handbook: probabilities that sum to 1, and the sum of the record keys."""
    printed = load("handbook")
    table, records = printed["Table 5.16"], printed["Table 5.17"]
    for original in sorted({row[0] for row in table}):
        share = sum(p for i, _, p in table if i == original)
        yield Figure("handbook", "Table 5.16", "sum of p", f"original value {original}", 1, share, 1)
    key = sum(records["record keys"])
    figure = partial(Figure, "handbook", "Table 5.17", digits=1)
    yield figure("sum of keys", "A, B, C", records["sum"], recomputed=key)
    yield figure("cell key", "A, B, C", records["cell key"], recomputed=key % 1)
    erratum = records["erratum"]
    for person, value, true in zip("ABC", records["in the text"], records["record keys"], strict=True):
        yield figure("key in the text", person, value, recomputed=true, erratum=erratum)


def means() -> Iterator[Figure]:
    """Tables 5.23 and 5.24 of the handbook: means of perturbed counts, and an attack."""
    printed = load("handbook")
    example = printed["Table 5.23"]
    whole = example["whole"]
    figure = partial(Figure, "handbook")
    exact = [total / count for total, count in zip(example["sums"], example["counts"], strict=True)]
    for k, (value, mean) in enumerate(zip(example["means"], exact, strict=True)):
        yield figure("Table 5.23", "mean", f"cell {k + 1}", value, mean)
    yield figure("Table 5.23", "mean", "marginal", whole["mean"], whole["sum"] / whole["count"])
    for *counts, first, second, added, marginal in printed["Table 5.24"]:
        count_1, count_2, both = counts
        estimates = [count_1 * exact[0], count_2 * exact[1]]
        estimates += [sum(estimates), both * whole["mean"]]
        names = ("cell 1", "cell 2", "sum of cells", "marginal")
        for name, value, estimate in zip(names, (first, second, added, marginal), estimates, strict=True):
            subject = f"{count_1} and {count_2} of {both}"
            yield figure("Table 5.24", f"estimate, {name}", subject, value, estimate, 3)


def hypercube() -> Iterator[Figure]:
    """Tables 1 to 4 of the paper on flexible table generators, if computable."""
    printed = load("flexible2015")
    figure = partial(Figure, "FTG 2015")
    first, third = printed["Table 1"], printed["Table 3"]
    yield figure("Table 1", "cells", "all", first["total"], sum(first["cells"]), 0)
    for value, cells, percent in zip(first["values"], first["cells"], first["percent"], strict=True):
        yield figure("Table 1", "% of cells", value, percent, 100 * cells / first["total"], 1)
    for k, table in enumerate(printed["Table 2"]):
        of = f"output table {k + 1}"
        yield figure("Table 2", "cells", of, table["cells"], sum(table["counts"]), 0)
        yield figure("Table 2", "average", of, table["average"], table["people"] / table["cells"], 1)
        rows = zip(printed["values"], table["counts"], table["percent"], strict=True)
        for value, cells, percent in rows:
            subject = f"{of}, {value.lower()}"
            erratum = table.get("errata", {}).get(value, "")
            share = 100 * cells / table["cells"]
            yield figure("Table 2", "% of cells", subject, percent, share, 1, erratum=erratum)
    for row, shares in third["rows"].items():
        # Seven shares are rounded to 4 decimals, so their sum is known to 3.
        erratum = third["errata"].get(row, "")
        yield figure("Table 3", "sum of row", f"count {row}", sum(shares), 1, 3, erratum=erratum)
    ones_and_twos = [sum(first["cells"][1:3]), *(sum(table["counts"][1:3]) for table in printed["Table 2"])]
    for k, value in enumerate(printed["Table 4"]["ones and twos"]):
        subject = f"output table {k}" if k else "hypercube"
        yield figure("Table 4", "ones and twos", subject, value, ones_and_twos[k], 0)


def table_generator_risk() -> Iterator[Figure]:
    """Sections 4.2 and 5.4 of the paper on flexible table generators: the first term and the multipliers."""
    printed = load("flexible2015")
    example = printed["section 4.2"]
    # All zeros of the original table stay zeros, so the union is the larger set of zeros.
    exponent = example["zeros after"] / example["zeros before"]
    first_term = example["zeros before"] ** exponent
    yield Figure("FTG 2015", "section 4.2", "first term", "10 % zeros", example["first term"], first_term, 2)
    multipliers = printed["section 5.4"]
    figure = partial(Figure, "FTG 2015", "section 5.4", "mean diagonal", digits=2)
    unchanged = [count % 3 == 0 for count in range(1, 13)]
    value = multipliers["rounding to base 3"]
    yield figure("rounding to base 3", value, recomputed=sum(unchanged) / len(unchanged))
    noise, rows = multipliers["stochastic perturbation"], printed["Table 3"]["rows"]
    diagonal = [max(shares) for shares in rows.values()]
    small, large = diagonal[:6], diagonal[6:]
    subject = "stochastic perturbation"
    erratum = noise["erratum"]
    yield figure(f"{subject}, small", noise["small"], recomputed=sum(small) / 6, erratum=erratum)
    yield figure(f"{subject}, large", noise["large"], recomputed=sum(large) / len(large))


def suppressed() -> Iterator[Figure]:
    """Table 1 of O&DF: the intervals of four suppressed cells, and their a posteriori risk."""
    printed = load("oganian2003")["Table 1"]
    bounds = intervals({(0,): printed["rows"], (1,): printed["columns"]})
    lower, upper = (bound.ravel().tolist() for bound in bounds)
    figure = partial(Figure, "O&DF", "Table 1")
    for k in range(4):
        subject, values = f"x{k + 1}", upper[k] - lower[k] + 1
        yield figure("lowest", subject, printed["lower"][k], lower[k], 0)
        yield figure("highest", subject, printed["upper"][k], upper[k], 0)
        yield figure("values", subject, printed["values"], values, 0)
        yield figure("DR", subject, printed["DR"], 1 / float(np.log2(values)), 3)


def combined() -> Iterator[Figure]:
    """Table 2 of O&DF: the totals of a table with two rows combined."""
    printed = load("oganian2003")["Table 2"]
    yield from _sums("O&DF", "Table 2", printed, np.array(printed["cells"]))
