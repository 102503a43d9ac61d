"""A table, a protection method and settings in, every number that a screen shows out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.core.risk import population
from sdcwidgets.methods import Method, get
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range, Shares
from sdcwidgets.replications import Replications, replicate
from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TERMS", "Assessment", "Settings", "Slices", "assess"]

#: The three terms of the risk measure, in the order of their weights, in plain words.
TERMS = ("Zeros", "Unevenness", "Small size")


@dataclass(frozen=True)
class Settings(Declared):
    """What a person can turn before a table is assessed."""

    weights: Annotated[
        tuple[float, ...],
        Shares(("Zeros w₁", "Unevenness w₂", "Small size w₃")),
        Label("Weights"),
        Help("How much each of the three terms counts; they sum to 1."),
    ] = (0.1, 0.8, 0.1)
    third: Annotated[
        str,
        Choices({"h1": "h₁", "h2": "h₂", "h3": "h₃"}),
        Label("Small size measured by"),
        Help("The function of the third term: h₁ falls fastest with size, h₂ slowly, h₃ looks at each cell."),
    ] = "h2"
    epsilon: Annotated[
        float, Range(0, 1, 0.05), Label("ε"), Help("How fast a larger table counts as safer; 0: not at all.")
    ] = 0.5
    variant: Annotated[
        str,
        Choices({"information": "thesis (3.6.6)", "uncertainty": "PSD 2014 (5)"}),
        Label("Second term after protection"),
        Help("Two formulas are in print: what the intruder has learned, or what is still unknown."),
    ] = "information"
    replications: Annotated[
        int,
        Range(1, 100_000),
        Label("Replications"),
        Help("How often the method is run to average over chance."),
    ] = 1000
    seed: Annotated[int, Range(0, 2**32 - 1), Label("Seed"), Help("The same seed gives the same draws.")] = 1


@dataclass(frozen=True)
class Slices:
    """The risk of every slice of a table along one axis, or of the whole table as its only slice.

    Attributes
    ----------
    name : str
        The axis, or "Table".
    labels : tuple of str
        One label a slice.
    people : ndarray of int64, shape (n,)
        N, the people in each slice.
    cells : int
        K, the cells of each slice.
    zeros, small : ndarray of int64, shape (n,)
        The empty cells, and the cells of one or two people, of each slice.
    terms : ndarray of float, shape (n, 3)
        x1, x2 and x3, each from 0 to 1; nan where they are not defined (nobody there, or one cell only).
    r1, r1_star : ndarray of float, shape (n,)
        The weighted risk (3.5.2) and the weight-free one (3.5.4), from 0 to 1.
    """

    name: str
    labels: tuple[str, ...]
    people: NDArray[np.int64]
    cells: int
    zeros: NDArray[np.int64]
    small: NDArray[np.int64]
    terms: NDArray[np.float64]
    r1: NDArray[np.float64]
    r1_star: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def highest(self) -> int | None:
        """The index of the slice with the highest risk, None where no slice has one."""
        return None if np.isnan(self.r1).all() else int(np.nanargmax(self.r1))


@dataclass(frozen=True)
class Assessment:
    """Every number about one table under one choice of settings; it never changes."""

    table: FrequencyTable
    settings: Settings
    slices: Mapping[str, Slices]
    whole: Slices
    after: Replications | None = None

    @property
    def rows(self) -> Slices | None:
        """The risk of each row (first axis), None for a table of one dimension."""
        return self.slices.get(self.table.axes[0].name)

    @property
    def columns(self) -> Slices | None:
        """The risk of each column (last axis), None for a table of one dimension."""
        return self.slices.get(self.table.axes[-1].name)

    @cached_property
    def change_by_one(self) -> dict[int, NDArray[np.float64]]:
        """How the table's risk changes when each cell has one person more (+1) or fewer (-1).

        Shape of the table; nan where there is nobody to take away. Computed at first use.
        """
        options: dict[str, Any] = {
            "weights": self.settings.weights,
            "third": self.settings.third,
            "epsilon": self.settings.epsilon,
        }
        before = self.whole.r1[0]
        return {
            step: population.change_by_one(self.table.counts, step=step, **options) - before
            for step in (1, -1)
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one line a slice: what it is, its size, its three terms and its risks.

        With a method, each number after protection follows, in both variants, with its standard error.
        """
        import pandas as pd

        frames = []
        for part in (self.whole, *self.slices.values()):
            columns: dict[str, Any] = {"slice": part.name, "label": part.labels, "people": part.people}
            columns |= {"cells": part.cells, "zeros": part.zeros, "ones_and_twos": part.small}
            columns |= {f"x{k + 1}": part.terms[:, k] for k in range(3)}
            columns |= {"r1": part.r1, "r1_star": part.r1_star}
            if self.after is not None:
                after = self.after.whole if part is self.whole else self.after.slices[part.name]
                columns |= after.columns()
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, ready for JSON; None stands where a number is not defined."""
        settings = {item.name: getattr(self.settings, item.name) for item in fields(self.settings)}
        told = {
            "settings": settings | {"weights": list(self.settings.weights)},
            "table": _plain(self.whole)[0],
            "slices": {name: _plain(part) for name, part in self.slices.items()},
        }
        return told if self.after is None else told | {"after": self.after.to_dict()}


def assess(
    table: FrequencyTable,
    method: Method | str | None = None,
    *,
    weights: tuple[float, ...] = (0.1, 0.8, 0.1),
    third: str = "h2",
    epsilon: float = 0.5,
    variant: str = "information",
    replications: int = 1000,
    seed: int = 1,
) -> Assessment:
    """Assess the disclosure risk of a table, of each of its rows and of each of its columns.

    With a method, also what is left of the risk and what is lost in many draws of the protected table.

    Parameters
    ----------
    table : FrequencyTable
        Counts of people; any number of dimensions.
    method : Method or str, optional
        A protection method with its settings, or the name of one, which then has its defaults.
    weights : three floats
        w1, w2, w3 of the terms, at least 0, summing to 1.
    third : {"h2", "h1", "h3"}
        The function of the third term.
    epsilon : float
        Its ε, from 0 to 1.
    variant : {"information", "uncertainty"}
        The second term after protection that is shown first; both are computed.
    replications, seed : int
        How many protected tables are drawn, and where the random numbers begin.

    Returns
    -------
    Assessment
        Risks from 0 to 1; `after` holds what is after protection, with standard errors.

    Raises
    ------
    InputError
        If a setting is out of its range, or there is no such method.

    References
    ----------
    Antal 2016, section 3.5, equations (3.5.2) and (3.5.4); section 3.6, equation (3.6.6); section 3.8.

    Examples
    --------
    PSD 2014, Table 5, prints 0.2315 for the risk of the religion table and 0.5460 for its Area 6:

    >>> from sdcwidgets import assess, examples
    >>> assessment = assess(examples.load("religion"))
    >>> round(float(assessment.whole.r1[0]), 4), round(float(assessment.rows.r1[5]), 4)
    (0.2315, 0.546)

    and, after random rounding to base 3, 2.9751 for the Hellinger distance:

    >>> after = assess(examples.load("religion"), "random-rounding").after
    >>> round(float(after.whole.hellinger.mean[0]), 1), bool(after.whole.hellinger.error[0] < 0.01)
    (3.0, True)
    """
    settings = Settings(weights, third, epsilon, variant, replications, seed)
    slices = {}
    if table.ndim > 1:
        for position, axis in enumerate(table.axes):
            slices[axis.name] = _slices(table, settings, axis.name, axis.labels, position)
    after = None
    if method is not None:
        chosen = get(method)() if isinstance(method, str) else method
        after = replicate(
            table,
            chosen,
            settings.replications,
            settings.seed,
            weights=settings.weights,
            third=settings.third,
            epsilon=settings.epsilon,
        )
    return Assessment(table, settings, slices, _slices(table, settings, "Table", ("Table",), None), after)


def _slices(
    table: FrequencyTable, settings: Settings, name: str, labels: tuple[str, ...], position: int | None
) -> Slices:
    """Assess the slices along the axis at `position`, or the whole table where it is None."""
    counts = table.counts.reshape(1, -1) if position is None else np.moveaxis(table.counts, position, 0)
    counts = counts.reshape(len(labels), -1)
    terms = population.terms(counts, third=settings.third, epsilon=settings.epsilon, axis=1, undefined="nan")
    return Slices(
        name=name,
        labels=labels,
        people=counts.sum(axis=1),
        cells=counts.shape[1],
        zeros=(counts == 0).sum(axis=1),
        small=((counts == 1) | (counts == 2)).sum(axis=1),
        terms=terms,
        r1=terms @ np.asarray(settings.weights),
        r1_star=np.sqrt((terms**2).sum(axis=1) / 3),
    )


def _plain(part: Slices) -> list[dict[str, Any]]:
    """Return the numbers of each slice as a dict of plain values."""
    terms = [[None if np.isnan(x) else float(x) for x in row] for row in part.terms]
    return [
        {
            "label": part.labels[i],
            "people": int(part.people[i]),
            "cells": part.cells,
            "zeros": int(part.zeros[i]),
            "ones_and_twos": int(part.small[i]),
            "terms": terms[i],
            "r1": None if np.isnan(part.r1[i]) else float(part.r1[i]),
            "r1_star": None if np.isnan(part.r1_star[i]) else float(part.r1_star[i]),
        }
        for i in range(len(part))
    ]
