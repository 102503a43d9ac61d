"""Suppressed cells and sums of a table with sub-totals, or of linked tables, that other published tables give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.judge import Verdict
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.stops import Stop, named
from sdcwidgets.attacks.knowledge import Knowledge, TablePlacement, system
from sdcwidgets.core.determined import determined
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
    """Judge suppressed cells and sums together with other tables of the same people.

    Only what the other tables disclose is judged. The numbers of risk and information loss are nan.

    Parameters
    ----------
    table : FrequencyTable
        The original counts.
    gaps : SuppressedTable
        What is published of the table.
    hierarchies : mapping of str to mapping of str to str
        The parent of each label of an axis with sub-totals.
    others : sequence of Release
        The other tables.
    limits : ReleaseLimits
    accepted : mapping of str to str, optional
        As `judge` takes it.

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
    """Return the suppressed entries whose value follows from all tables together, as violations.

    Parameters
    ----------
    table, gaps, hierarchies, others
        As of `judge_suppressed`.
    """
    shape = tuple(map(len, gaps.labels))
    every = tuple(range(len(shape)))
    values, high = np.full(shape, np.nan), np.full(shape, np.inf)
    hidden = gaps.pattern.suppressed
    values.flat[gaps.numbers] = np.where(hidden, np.nan, gaps.counts)
    # A bound that everybody knows keeps the suppressed entries among the numbers.
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
        fixed = determined(known.matrix, known.low, known.high, known.least, known.most, known.matrix[rows])
    except ValueError as error:
        raise InputError(str(error)) from None
    stops = []
    for k in np.array(rows)[fixed].tolist():
        where = tuple(zip(gaps.names, known.numbers[k].labels, strict=True))
        words = f"{named(where)} is a gap that another table fills"
        stops.append(Stop("linked", f"linked: {named(where)}", words, "Together the tables give it.", where))
    return stops


def _parts(axis: Axis, labels: Sequence[str], parents: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the labels of an axis that each label, sub-total and the total stand for."""
    parts: dict[str, list[str]] = {label: [] for label in labels}
    for label in axis:
        above: str | None = label
        while above and above in parts:
            parts[above].append(label)
            above = parents.get(above)
    parts[labels[-1]] = list(axis)
    return parts
