"""Verdict on a table whose sub-totals are published, too."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.verdict.judge import Verdict, judge
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.suppressed_tables import filled_entries
from sdcwidgets.assessment.verdict.violations import Stop
from sdcwidgets.core.margins import margins
from sdcwidgets.methods.nested_suppression import NestedSuppression
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


def judge_with_sub_totals(
    table: FrequencyTable,
    method: NestedSuppression,
    limits: ReleaseLimits,
    *,
    seed: int,
    accepted: Mapping[str, str] | None = None,
    unpublished: Sequence[str] = (),
) -> Verdict:
    """Judge a table and its sub-totals, which cell suppression protects together.

    Parameters
    ----------
    table : FrequencyTable
        The original counts without sub-totals.
    method : NestedSuppression
        Method with the hierarchies of the sub-totals.
    limits : ReleaseLimits
        Risk and information loss are those of the table without sub-totals.
    seed : int
        Seed of the release.
    accepted : mapping of str to str, optional
        As in `judge`.
    unpublished : sequence of str
        Names of higher levels whose totals the method does not protect, as in `judge`.

    Examples
    --------
    >>> table = FrequencyTable([[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]], {"Area": "abcd", "Age": "xyz"})
    >>> sides = (("a", "north"), ("b", "north"), ("c", "south"), ("d", "south"), ("north", ""), ("south", ""))
    >>> method = NestedSuppression(parents=(("Area", sides),))
    >>> limits = ReleaseLimits("Panel", smallest_count=3)
    >>> judge_with_sub_totals(table, method, limits, seed=3**60).number("small-count")
    0
    """
    own_seed = seed if method.seeded else None
    release = method.release(table, seed).with_facts_of(table)
    verdict = judge(table, release, limits, seed=own_seed, unpublished=unpublished)
    more = judged_sub_totals(table, method, limits, seed, closely=True)
    verdict = replace(verdict, stops=(*verdict.stops, *more))
    return verdict.accepting(accepted) if accepted else verdict


def judged_sub_totals(
    table: FrequencyTable, method: NestedSuppression, limits: ReleaseLimits, seed: int, *, closely: bool
) -> list[Stop]:
    """Return the violations by the published sub-totals of a table, which its cells do not show.

    Parameters
    ----------
    table : FrequencyTable
        The original counts without sub-totals.
    method : NestedSuppression
    limits : ReleaseLimits
    seed : int
        Seed of the release.
    closely : bool
        Whether the suppressed values are checked for recalculation, which takes long.
    """
    stops = [
        stop
        for levels in _tables_of_levels(table, method)
        for stop in _stops_of_table(table, method, levels, limits, seed)
    ]
    if closely:
        entries = method.entries(table, seed)
        for stop in filled_entries(table, entries, method.hierarchies, []):
            words = stop.words.replace("with another table", "with the sub-totals")
            stops.append(replace(stop, words=words))
    return list({stop.name: stop for stop in stops}.values())


def _tables_of_levels(table: FrequencyTable, method: NestedSuppression) -> list[tuple[tuple[str, ...], ...]]:
    """Return the tables with sub-totals in place of categories, each by the label of every category per axis."""
    by_axis = method.hierarchies
    choices = [_levels(axis, by_axis.get(axis.name, {})) for axis in table.axes]
    return list(itertools.product(*choices))[1:]


def _levels(axis: Axis, parents: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return the categories of an axis, and for each level above the label that contains each category."""
    levels = [axis.labels]
    while (above := tuple(parents.get(label, "") or label for label in levels[-1])) != levels[-1]:
        levels.append(above)
    return levels


@lru_cache(maxsize=64)
def _stops_of_table(
    table: FrequencyTable,
    method: NestedSuppression,
    levels: tuple[tuple[str, ...], ...],
    limits: ReleaseLimits,
    seed: int,
) -> tuple[Stop, ...]:
    """Return the violations of a table in which sub-totals replace categories."""
    axes = tuple(
        Axis(axis.name, tuple(dict.fromkeys(labels))) for axis, labels in zip(table.axes, levels, strict=True)
    )
    places = [
        [axis.labels.index(label) for label in labels] for axis, labels in zip(axes, levels, strict=True)
    ]

    def summed(counts: NDArray[np.int64]) -> NDArray[np.int64]:
        sums = np.zeros([len(axis) for axis in axes], dtype=np.int64)
        np.add.at(sums, np.ix_(*places), counts)
        return sums

    own_table = table.rearranged(axes, summed)
    entries, values = method.published_entries(table, seed), {}
    for margin, sums in margins(own_table.counts).items():
        keys = itertools.product(*(axis.labels if k in margin else ("",) for k, axis in enumerate(axes)))
        values[margin] = np.array([entries[key] for key in keys], dtype=np.float64).reshape(np.shape(sums))
    release = Release.by_value(axes, values, method.conclusions, method.notes()).with_facts_of(own_table)
    # Risk and information loss are those of the categories.
    own = replace(limits, risk=None, risk_before=None, loss=None, small_cells=None, mean_cell_size=None)
    verdict = judge(own_table, release, own, values=(0.0, 0.0), closely=False, unknown=0)
    return tuple(stop for stop in verdict.stops if stop.kind not in ("unchecked", "recalculable"))
