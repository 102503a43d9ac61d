"""Disclosure of a table in combination with other published tables of the same population."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.assessment.verdict.disclosed_lines import Form, seen
from sdcwidgets.assessment.verdict.lines import PublishedNumbers, sparse_sums
from sdcwidgets.assessment.verdict.violations import Stop, named
from sdcwidgets.attacks.knowledge import Knowledge, system
from sdcwidgets.core.fixed_sums import always_zero, fixed_sums
from sdcwidgets.core.margins import MarginAxes, margins
from sdcwidgets.core.ranges import cells_within
from sdcwidgets.core.respondents import Unknowns
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.release_intervals import occupied_groups, suppressed_sums
from sdcwidgets.tables.table import FrequencyTable

#: Maximum number of cells of the joint table over all axes.
MOST_JOINT = 5_000


_FORMS: tuple[Form, ...] = ("one-cell", "all-but-one")


def given_away(
    true: FrequencyTable, release: Release, others: Sequence[Release], *, all_but_one: bool = False
) -> tuple[list[Stop], int]:
    """Return disclosures that are protected in one release but follow from several releases.

    These are lines with all people in one cell, and suppressed values. Lines with all but one person in one
    cell are included with `all_but_one`. Axes and labels with equal names are the same; a release with
    additional axes gives sums over them.

    Raises
    ------
    InputError
        If a release has a category that this table does not have, or the releases contradict each other.

    Examples
    --------
    Two suppressed counts in one row are uncertain, but the column totals of another table determine them:

    >>> nan, table = float("nan"), FrequencyTable([[0, 3], [5, 4]])
    >>> values, most = [[nan, nan], [5, 4]], [[3, 3], [5, 4]]
    >>> least, rows = [[0, 0], [5, 4]], [3, 9]
    >>> own = Release(table.axes, {(0, 1): values, (0,): rows}, {(0, 1): least, (0,): rows}, {(0, 1): most, (0,): rows})
    >>> other = Release.of(FrequencyTable([5, 7], {"Column": ["Column 1", "Column 2"]}))
    >>> for stop in given_away(table, own, [other])[0]:
    ...     print(stop.words)
    Another table reveals that all people of Row 1 are in one cell
    Another table reveals that all people of Column 1 are in one cell
    The suppressed count of Row 1, Column 1 can be recalculated with another table
    The suppressed count of Row 1, Column 2 can be recalculated with another table
    """
    joint = _Joint(release, others)
    stops: list[Stop] = []
    for form in _FORMS if all_but_one else _FORMS[:1]:
        own = {line.known for line in seen(true, release, form, sure_only=True).lines}
        for line in seen(true, release, form, sure_only=True, numbers=joint).lines:
            if line.known not in own:
                cell = named(line.known)
                words, name = (
                    f"Another table reveals that all {true.unit} of {cell} are in one cell",
                    f"linked: {cell}",
                )
                if form == "all-but-one":
                    words = f"Another table reveals that all {true.unit} of {cell} but one are in one cell"
                    name += ", all but one person"
                why = f"Together, the published tables leave only one possible cell for these {true.unit}."
                stops.append(Stop("linked", name, words, why, line.known, line.people))
    gaps = suppressed_sums(release)
    if gaps:
        sums = [cells for *_, cells in gaps]
        filled = joint(sums) & ~release.fixed_sums(sums)
        for margin, at, _ in itertools.compress(gaps, filled):
            where = tuple(
                (release.axes[k].name, release.axes[k].labels[i]) for k, i in zip(margin, at, strict=True)
            )
            cell = named(where) + ("" if len(margin) == release.ndim else ", total")
            words, why = (
                f"The suppressed count of {cell} can be recalculated with another table",
                "Together, the published tables determine the original count.",
            )
            stops.append(Stop("linked", f"linked: {cell}", words, why, where))
    stops += _protected_cells(release, joint)
    stops += _across(true, release, others, joint)
    return stops, len(stops)


def _protected_cells(release: Release, joint: _Joint) -> Iterator[Stop]:
    """Yield the perturbed cells and intervals whose original count follows from other tables."""
    low, high = release.bounds(*(axis.name for axis in release.axes))
    protected = np.flatnonzero((low < high).ravel() & ~np.isnan(release.cells).ravel())
    if not len(protected):
        return
    cells = list(protected[:, None])
    determined_by_all = joint(cells) & ~release.fixed_sums(cells)
    for cell in protected[determined_by_all].tolist():
        at = np.unravel_index(cell, release.shape)
        where = tuple((axis.name, axis.labels[int(i)]) for axis, i in zip(release.axes, at, strict=True))
        words = f"The original count of {named(where)} can be recalculated with another table"
        yield Stop(
            "linked",
            f"linked: {named(where)}",
            words,
            "Together, the published tables determine the original count.",
            where,
        )


def _across(
    true: FrequencyTable, release: Release, others: Sequence[Release], joint: _Joint
) -> Iterator[Stop]:
    """Yield the lines across axes of several tables for which all tables together allow only one category.

    Lines that follow from a single table are not included.
    """
    axes = joint.axes
    shape = tuple(len(axis) for axis in axes)
    nobody, open_ = (flags.reshape(shape) for flags in joint.nobody())
    room, settled = margins(~nobody), margins(~nobody & ~open_)
    flags_of: dict[tuple[MarginAxes, int], Flags] = {}
    for size in range(len(axes)):
        for known, axis in itertools.product(
            itertools.combinations(range(len(axes)), size), range(len(axes))
        ):
            if axis in known or len(axes[axis]) < 2:
                continue
            margin = tuple(sorted((*known, axis)))
            filled, sure = (np.moveaxis(of[margin], margin.index(axis), -1) > 0 for of in (room, settled))
            # If it is undecided whether other categories are possible, only this one may be.
            flags = filled.any(axis=-1) & (np.count_nonzero(sure, axis=-1) <= 1)
            flags_of[known, axis] = flags
            implied = np.zeros_like(flags)
            for k in range(size):
                implied |= np.expand_dims(flags_of[known[:k] + known[k + 1 :], axis], k)
            names = {axes[k].name for k in margin}
            if _has(release, names):
                continue
            for other in others:
                if _has(other, names):
                    own = np.moveaxis(_room(other, [axes[k] for k in margin]), margin.index(axis), -1)
                    implied |= np.count_nonzero(own, axis=-1) == 1
            people = _people(true, others, [axes[k] for k in known])
            for index in map(tuple, np.argwhere(flags & ~implied).tolist()):
                certain = np.count_nonzero(filled[index]) == 1
                at = int((filled if certain or not sure[index].any() else sure)[index].argmax())
                where = tuple((axes[k].name, axes[k].labels[i]) for k, i in zip(known, index, strict=True))
                learnt = f"{axes[axis].name} {axes[axis].labels[at]}"
                yield _everyone(where, learnt, int(people[index]), certain, true.unit)


def _everyone(where: tuple[tuple[str, str], ...], learnt: str, people: int, certain: bool, unit: str) -> Stop:
    """Return the violation that all tables together place all people of a line in one category."""
    line = f"Together, the published tables show that all {unit} of {named(where)} are in {learnt}"
    why = f"With the published counts, no other category is possible for these {unit}."
    if not certain:
        line = f"Together, the published tables may show that all {unit} of {named(where)} are in {learnt}"
        why = (
            f"The program cannot decide whether the published counts allow other categories for these {unit}."
        )
    return Stop("linked", f"linked: {named(where)}, {learnt}", line, why, where, people, certain)


def _has(release: Release, names: Collection[str]) -> bool:
    """Return whether a release has all of these axes."""
    return {axis.name for axis in release.axes}.issuperset(names)


def _people(true: FrequencyTable, others: Sequence[Release], axes: Sequence[Axis]) -> Floats:
    """Return an upper bound of the people in each line of these axes; 0 if no table has all axes."""
    names = [axis.name for axis in axes]
    tables = [_room(release, axes) for release in (Release.of(true), *others) if _has(release, names)]
    return np.min(tables, axis=0) if tables else np.zeros([len(axis) for axis in axes])


def _room(release: Release, axes: Sequence[Axis]) -> Floats:
    """Return the maximum number of people in each cell of the margin over these axes, in their order."""
    _, high = cells_within(release.shape, release.ranges(), sharp=False)
    names = [axis.name for axis in release.axes]
    turn = [names.index(axis.name) for axis in axes]
    cells = margins(high)[tuple(sorted(turn))].transpose(np.argsort(np.argsort(turn)))
    places = [release.axes[k].labels for k in turn]
    order = [
        [labels.index(label) for label in axis.labels] for axis, labels in zip(axes, places, strict=True)
    ]
    return np.asarray(cells[np.ix_(*order)])


class _Joint(PublishedNumbers):
    """Published values of several releases, as constraints on the joint table over all axes."""

    # The counts of the joint table are not given.
    counted = False

    def __init__(self, release: Release, others: Sequence[Release]) -> None:
        from scipy import sparse

        axes = list(release.axes)
        for other in others:
            axes += [axis for axis in other.axes if axis.name not in [own.name for own in axes]]
        self.axes = tuple(axes)
        self.system = system([release, *others], Knowledge(self.axes))
        size = int(np.prod(release.shape))
        # The axes of the release come first, so each of its cells is a contiguous range of the joint table.
        run = len(self.system.least) // size
        self.parts = sparse.kron(sparse.eye_array(size), np.ones((1, run)), format="csr")
        self.size = size
        groups = self.over(occupied_groups(release))
        if groups.shape[0]:
            known, number = self.system, groups.shape[0]
            self.system = known._replace(
                matrix=sparse.vstack([known.matrix, groups], format="csr"),
                low=np.concatenate([known.low, np.ones(number)]),
                high=np.concatenate([known.high, np.full(number, np.inf)]),
            )

    def nobody(self) -> tuple[Flags, Flags]:
        """Return which cells of the joint table must be empty, and for which this is undecided."""
        known = self.system
        if len(known.least) > MOST_JOINT:
            raise InputError(
                f"The tables have {len(known.least):,} combinations of categories, and their joint check is limited to "
                f"{MOST_JOINT:,}; leave out a table, or merge categories."
            )
        try:
            return always_zero(known.matrix, known.low, known.high, known.least, known.most)
        except ValueError as error:
            raise InputError(str(error)) from None

    def unknowns(self) -> Unknowns:
        """Return the published values as linear constraints on the counts of the joint table."""
        known = self.system
        return Unknowns(known.matrix, known.low, known.high, known.least, known.most)

    def over(self, sums: Sequence[Whole]) -> Any:
        """Return sums of cells of the release as a sparse matrix with one column per unknown."""
        return sparse_sums(sums, self.size) @ self.parts

    def __call__(self, sums: Sequence[Whole]) -> Flags:
        known = self.system
        try:
            return fixed_sums(known.matrix, known.low, known.high, known.least, known.most, self.over(sums))
        except ValueError as error:
            raise InputError(str(error)) from None
