"""Recompute the figures of PSD 2014: its worked example, and Tables 3 to 6."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from sdcwidgets import methods
from sdcwidgets.assessment.replications import Estimate, Replications, SlicesAfter, replicate
from sdcwidgets.core.information import entropy, hellinger
from sdcwidgets.core.risk.population import r1, terms
from sdcwidgets.measures import Measure
from sdcwidgets.measures.census import DR, GAD, WGAD, GADStar, WGADStar
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods.rounding import RandomRounding
from sdcwidgets.methods.swapping import RecordSwapping
from sdcwidgets.tables import examples
from sdcwidgets.tables.examples.figures import load
from sdcwidgets.teaching.reproduction.figure import Figure

SOURCE = "PSD 2014"

#: Number of replicates, as in the paper.
REPLICATIONS = 1000
SEED = 2014

#: Parts of a table with published figures.
PARTS = ("rows", "columns", "table")

#: Names of the paper's methods in the data and in labels.
METHODS = {"random_rounding": "rounded", "record_swapping": "swapped"}


def worked_example() -> Iterator[Figure]:
    """Section 2: the tables (0, 2, 4) and (0, 3, 3)."""
    data = load("psd2014")
    example = data["worked example"]
    F, G = example["F"], example["G"]

    def figure(quantity: str, printed: float, recomputed: Any, digits: int = 4) -> Figure:
        return Figure(SOURCE, "section 2", quantity, "(0, 2, 4)", printed, float(recomputed), digits)

    yield figure("H(X)", example["H"], entropy(F))
    for name, printed, recomputed in zip(("x1", "x2", "x3"), example["terms"], terms(F), strict=True):
        yield figure(name, printed, recomputed)
    yield figure("HD to (0, 3, 3)", example["HD"], hellinger(F, G))
    people = examples.load("religion").total
    yield Figure(SOURCE, "section 5.1", "N", "religion", data["N"], people, digits=0)


def before_protection() -> Iterator[Figure]:
    """Tables 3 to 5: R1 of every row, column and table."""
    for name, printed in load("psd2014")["tables"].items():
        F = examples.load(name).counts
        risks = dict(zip(PARTS, (r1(F, axis=1), r1(F, axis=0), np.atleast_1d(r1(F))), strict=True))
        for part, subject, index, value in _slices(name, printed["R1"]):
            yield Figure(
                SOURCE, f"Table {printed['number']}", "R1", subject, value, float(risks[part][index])
            )


def after_protection() -> Iterator[Figure]:
    """Tables 3 to 5: HD and R2 of every row, column and table under both methods.

    The recomputed R2 uses the second term of the paper, and `other` the second term of the thesis.
    """
    for name, printed in load("psd2014")["tables"].items():
        for method, word in METHODS.items():
            after = protected(name, method)
            for quantity, recomputed in (("HD", _distance), ("R2", _risk)):
                chosen = {part: value[method] for part, value in printed[quantity].items()}
                for part, subject, index, value in _slices(name, chosen):
                    slices = dict(zip(PARTS, (*after.slices.values(), after.whole_slice), strict=True))[part]
                    yield Figure(
                        SOURCE,
                        f"Table {printed['number']}",
                        f"{quantity}, {word}",
                        subject,
                        value,
                        **recomputed(slices, index),
                    )


def _distance(slices: SlicesAfter, index: int) -> dict[str, Any]:
    mean, error = _at(slices.hellinger, index)
    return {"recomputed": mean, "error": error}


def _risk(slices: SlicesAfter, index: int) -> dict[str, Any]:
    mean, error = _at(slices["r2_uncertainty"], index)
    other, other_error = _at(slices.r2, index)
    return {"recomputed": mean, "error": error, "other": other, "other_error": other_error}


def small_cells() -> Iterator[Figure]:
    """Table 6: GAD, WGAD (numbers of groups only, for rounding) and DR.

    The paper does not publish the table by country of birth.
    """
    for name, printed in load("psd2014")["tables"].items():
        for method, word in METHODS.items():
            after = protected(name, method)
            for measure, kinds in (("GAD", (GADStar, GAD)), ("WGAD", (WGADStar, WGAD))):
                for part, axis in zip(("rows", "columns"), after.first.axes, strict=True):
                    kind: type[Measure] = kinds[word == "swapped"]
                    share, error = _share(after.whole_slice[kind.of(None, along=axis.name)])
                    value, label = printed[measure][method][part], f"{measure}, {word}"
                    yield Figure(SOURCE, "Table 6", label, f"{name}, {part}", value, share, error=error)
            share, error = _share(after.whole_slice[DR()])
            value = printed["DR"][method]
            yield Figure(SOURCE, "Table 6", f"DR, {word}", name, value, share, error=error)


@cache
def protected(name: str, method: str) -> Replications:
    """Return replicates of one of the paper's methods applied to one of its tables."""
    settings: dict[str, methods.Method] = {
        "random_rounding": RandomRounding(base=3),
        "record_swapping": RecordSwapping(rate=0.1, axis="Area"),
    }
    return replicate(examples.load(name), settings[method], Settings(replications=REPLICATIONS, seed=SEED))


def _slices(name: str, printed: dict[str, Any]) -> Iterator[tuple[str, str, int, float]]:
    """Yield part, subject, index and published value of each row, column and table."""
    for part, word in (("rows", "area"), ("columns", "column")):
        for index, value in enumerate(printed[part]):
            yield part, f"{name}, {word} {index + 1}", index, value
    yield "table", f"{name}, whole table", 0, printed["table"]


def _at(estimate: Estimate, index: int = 0) -> tuple[float, float]:
    """Return a mean and the standard error of its difference from the published mean.

    The published mean is based on the same number of replicates.
    """
    mean, error = (float(np.ravel(part)[index]) for part in estimate)
    # Such small errors are rounding errors of constant values.
    return mean, 0.0 if error < 1e-12 else error * float(np.sqrt(2))


def _share(estimate: Estimate) -> tuple[float, float]:
    """Return a proportion as published, which is 0 if its denominator is 0."""
    return _at(Estimate(*map(np.nan_to_num, estimate)))
