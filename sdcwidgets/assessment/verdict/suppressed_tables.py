"""Disclosure of suppressed values by other published tables, for tables with sub-totals and linked tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.judge import Verdict
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.violations import Stop, named
from sdcwidgets.attacks.knowledge import Knowledge, TablePlacement, system
from sdcwidgets.core.fixed_sums import fixed_sums
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods.suppressing import SuppressedTable
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable


def judge_suppressed(
    table: FrequencyTable,
    gaps: SuppressedTable,
    hierarchies: Mapping[str, Mapping[str, str]],
    others: Sequence[Release],
    limits: ReleaseLimits,
    accepted: Mapping[str, str] | None = None,
) -> Verdict:
    """Judge the suppressed values of a table together with other tables of the same population.

    Only disclosure by the other tables is judged; risk and information loss are nan.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    gaps : SuppressedTable
        Released table with suppressed values.
    hierarchies : mapping of str to mapping of str to str
        Parent of each label, for each axis with sub-totals.
    others : sequence of Release
        The other tables.
    limits : ReleaseLimits
    accepted : mapping of str to str, optional
        As in `judge`.

    Returns
    -------
    Verdict

    Raises
    ------
    InputError
        If the tables contradict each other, or have different labels.
    """
    risk, loss = limits.measured(table, Settings())
    stops = tuple(filled_entries(table, gaps, hierarchies, others))
    nan = float("nan")
    verdict = Verdict(limits, stops, (), (), {}, nan, nan, nan, risk, loss)
    return verdict.accepting(accepted) if accepted else verdict


def filled_entries(
    table: FrequencyTable,
    gaps: SuppressedTable,
    hierarchies: Mapping[str, Mapping[str, str]],
    others: Sequence[Release],
) -> list[Stop]:
    """Return the suppressed values that are determined by all tables together, as violations.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    gaps : SuppressedTable
        Released table with suppressed values.
    hierarchies : mapping of str to mapping of str to str
        Parent of each label, for each axis with sub-totals.
    others : sequence of Release
        The other tables.
    """
    shape = tuple(map(len, gaps.labels))
    every = tuple(range(len(shape)))
    values, high = np.full(shape, np.nan), np.full(shape, np.inf)
    hidden = gaps.pattern.suppressed
    values.flat[gaps.numbers] = np.where(hidden, np.nan, gaps.counts)
    # A known upper bound keeps the suppressed values among the constraints.
    high.flat[gaps.numbers] = np.where(hidden, table.total, gaps.counts)
    low = np.nan_to_num(values)
    axes = [Axis(name, labels) for name, labels in zip(gaps.names, gaps.labels, strict=True)]
    published = Release(tuple(axes), {every: values}, {every: low}, {every: high})
    groups = {
        axis.name: (axis.name, _parts(axis, labels, hierarchies.get(axis.name, {})))
        for axis, labels in zip(table.axes, gaps.labels, strict=True)
    }
    own = "the protected table"
    wanted = list(table.axes)
    for other in others:
        wanted += [axis for axis in other.axes if axis.name not in [known.name for known in wanted]]
    placed = [
        TablePlacement(own, groups),
        *(TablePlacement(f"table {k + 1}", groups) for k in range(len(others))),
    ]
    known = system([published, *others], Knowledge(tuple(wanted), tuple(placed)))
    rows = [k for k, number in enumerate(known.numbers) if number.source == own and np.isnan(number.value)]
    if not rows:
        return []
    try:
        fixed = fixed_sums(known.matrix, known.low, known.high, known.least, known.most, known.matrix[rows])
    except ValueError as error:
        raise InputError(str(error)) from None
    stops = []
    for k in np.array(rows)[fixed].tolist():
        where = tuple(zip(gaps.names, known.numbers[k].labels, strict=True))
        words = f"The suppressed count of {named(where)} can be recalculated with another table"
        why = "Together, the published tables determine the original count."
        stops.append(Stop("linked", f"linked: {named(where)}", words, why, where))
    return stops


def _parts(axis: Axis, labels: Sequence[str], parents: Mapping[str, str]) -> dict[str, list[str]]:
    """Return for each label, sub-total and total the labels of the axis that it contains."""
    parts: dict[str, list[str]] = {label: [] for label in labels}
    for label in axis:
        above: str | None = label
        while above and above in parts:
            parts[above].append(label)
            above = parents.get(above)
    parts[labels[-1]] = list(axis)
    return parts
