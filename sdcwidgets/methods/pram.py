"""Post-randomisation (PRAM): random replacement of the values of one variable with known probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats, Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import AxisNames, Help, Label, Range, StochasticMatrix
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.followed import PersonTransition
from sdcwidgets.core.margins import MarginAxes, every_margin
from sdcwidgets.core.microdata.pram import invariant_transition, made_invariant
from sdcwidgets.core.possible_originals import Origins, of_replaced_values
from sdcwidgets.core.pram import pram_distribution
from sdcwidgets.methods.base import Chances, register
from sdcwidgets.methods.perturbation import invert
from sdcwidgets.methods.swapping import check_people
from sdcwidgets.methods.tabular import PreTabular
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

#: Limitation of a large table if the probabilities exclude changes of some values.
UNKNOWN_VALUES = (
    "Changes between some values have the probability 0, and the table is too large to compute what data "
    "users can infer from this. They may infer narrower intervals than the published ones."
)

#: Maximum number of categories for a display of the matrix.
MOST_SHOWN = 100


@register
@dataclass(frozen=True)
class PostRandomisation(PreTabular):
    """Replaces each person's value of one variable at random before the table is counted (PRAM).

    With probability a, a value is drawn again. The invariant version draws from the values of all people, which
    keeps the expected number of each value (tP = t); otherwise all categories have the same probability.
    Alternatively, a matrix P contains the probability of each new value for an original value i. Its invariant
    version has a second draw among the people who got the same value: R = P Q with tR = t. Every margin without
    the variable is unchanged.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg and de Wolf 1998; thesis, section 6.3; handbook, chapter 5.

    Examples
    --------
    >>> table = FrequencyTable([[6, 2], [3, 5]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    >>> method = PostRandomisation(redrawn=0.5)
    >>> method.channel(table).tolist(), (np.array([9, 7]) @ method.channel(table)).round(10).tolist()
    ([[0.78125, 0.21875], [0.28125, 0.71875]], [9.0, 7.0])
    >>> own = PostRandomisation(matrix=[[1, 0], [0.5, 0.5]], invariant=False)
    >>> own.channel(table).tolist(), (np.array([9, 7]) @ own.channel(table)).tolist()
    ([[1.0, 0.0], [0.5, 0.5]], [12.5, 3.5])
    >>> method.apply(table, np.random.default_rng(1)).marginal("Area").counts.tolist()
    [8, 8]
    """

    title = "Post-randomisation (PRAM)"

    redrawn: Annotated[
        float,
        Range(0, 1, 0.05),
        Label("Redrawing probability"),
        Help(
            "Probability that the value of a person is replaced by a random value. The random value may "
            "equal the old value."
        ),
    ] = 0.2
    axis: Annotated[
        str,
        AxisNames(),
        Label("Variable"),
        Help("Variable whose values the method replaces."),
    ] = "columns"
    invariant: Annotated[
        bool,
        Label("Invariant"),
        Help(
            "If this option is on, new values are drawn from the values of all people, so that the expected "
            "count of each value does not change (tP = t)."
        ),
    ] = True
    matrix: Annotated[
        tuple[tuple[float, ...], ...],
        StochasticMatrix(optional=True),
        Label("Probabilities P"),
        Help(
            "Each row of the matrix is an original value, and each column a new value. If no matrix is "
            "given, it is computed from the redrawing probability."
        ),
    ] = ()

    def changed(self, name: str, value: object) -> Self:
        """Return the method with another setting; a new probability or variable removes the custom matrix."""
        changes = {name: value}
        if name in ("redrawn", "axis"):
            changes["matrix"] = ()
        return with_fields(self, **changes)

    def with_valid_axes(self, table: FrequencyTable) -> Self:
        """Return the method, without a matrix that has other categories than this table."""
        method = super().with_valid_axes(table)
        fits = {len(method.matrix), *map(len, method.matrix)} <= {
            0,
            table.shape[table.axis_along(method.axis)],
        }
        return method if fits else replace(method, matrix=())

    def unchanged_margins(self, table: FrequencyTable) -> list[MarginAxes]:
        """Return the margins without the variable."""
        axis = table.axis_along(self.axis)
        return [margin for margin in every_margin(table.ndim) if axis not in margin]

    def no_effect_reason(self, table: FrequencyTable) -> str:
        """Return the reason why no value can change."""
        axis = table.axis_along(self.axis)
        name = quoted(table.axes[axis].name)
        if self.matrix:
            unchanged = (
                np.array_equal(self.channel(table), np.eye(table.shape[axis])) if table.total else False
            )
            return "No count changes, because the transition matrix keeps every value." if unchanged else ""
        if self.redrawn == 0:
            return "No count changes, because the redrawing probability is 0."
        others = tuple(k for k in range(table.ndim) if k != axis)
        if table.shape[axis] < 2 or (self.invariant and np.count_nonzero(table.counts.sum(axis=others)) < 2):
            return f"Nothing changes, because the values of {name} can only be replaced by the same value."
        return ""

    def channel(self, table: FrequencyTable) -> Floats:
        """Return P: row i has the probability of each new value for an original value i.

        Raises
        ------
        InputError
            If the table has no people, or the matrix does not match the categories.
        """
        if table.total == 0:
            raise InputError("The table has no people, so there are no values to draw from.")
        answers = self._answers(table)
        if not self.matrix:
            return invariant_transition(answers if self.invariant else np.ones(len(answers)), self.redrawn)
        P = np.asarray(self.matrix)
        if P.shape != (len(answers), len(answers)):
            name = quoted(table.axes[table.axis_along(self.axis)].name)
            raise InputError(
                f"The matrix has {P.shape[0]} rows and {P.shape[1]} columns, but {name} has {len(answers)} categories. "
                "The matrix needs one row and one column per category."
            )
        return made_invariant(P, answers) if self.invariant else P

    def chances(self, table: FrequencyTable) -> tuple[Chances, Chances | None] | None:
        """Return P, and R if a custom matrix is made invariant; None if there are too many categories."""
        labels = table.axes[table.axis_along(self.axis)].labels
        if len(labels) > MOST_SHOWN:
            return None
        used = Chances(self.channel(table), labels, labels)
        if not self.matrix:
            return used, None
        return Chances(np.asarray(self.matrix), labels, labels), used if self.invariant else None

    def distribution(self, table: FrequencyTable, limit: int = 100_000) -> tuple[Whole, Floats]:
        """Return every table that the method can publish, with its probability Pr(G | F).

        Parameters
        ----------
        table : FrequencyTable
            The original table, with one axis.
        limit : int
            Maximum number of tables.

        Returns
        -------
        published : ndarray of int64, shape (n, *shape)
        probabilities : ndarray of float, shape (n,)
            Probabilities with the sum 1.

        Raises
        ------
        InputError
            If the table has several axes, or there are more than `limit` tables; use `replicate` then.

        Examples
        --------
        >>> published, probabilities = PostRandomisation(redrawn=0.5).distribution(FrequencyTable([0, 2, 1]))
        >>> published[probabilities > 0.1].tolist(), probabilities[probabilities > 0.1].round(4).tolist()
        ([[0, 1, 2], [0, 2, 1], [0, 3, 0]], [0.1944, 0.5556, 0.2315])
        """
        if table.ndim > 1:
            raise InputError(
                f"The table has {table.ndim} axes; all tables of {self.title} are listed for tables with one axis "
                "only. Call replicate() instead."
            )
        try:
            published, probabilities = pram_distribution(table.counts, self.channel(table))
        except ValueError as error:
            raise InputError(str(error)) from None
        if len(published) > limit:
            raise InputError(
                f"The method can publish {len(published):,} different tables, more than the limit of {limit:,}. Call "
                "replicate() instead."
            )
        return published, probabilities

    def person_transition(self, table: FrequencyTable) -> PersonTransition | None:
        """Return the probabilities of `channel`; None for a table without people."""
        if table.total == 0:
            return None
        return PersonTransition(table.axis_along(self.axis), self.channel(table)[np.newaxis])

    def _answers(self, table: FrequencyTable) -> Whole:
        """Return the number of people with each value."""
        axis = table.axis_along(self.axis)
        answers: Whole = table.counts.sum(axis=tuple(k for k in range(table.ndim) if k != axis))
        return answers

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release; a data user knows which values can become which.

        In the invariant version every published value occurs among the original ones.

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        cells : ndarray, of the shape of the table
            One replicate of `replicate`.
        rng : numpy.random.Generator
            Source of further random numbers, for example for margins.

        Returns
        -------
        Release
            Cells, margins and bounds.
        """
        release = super().release_from_cells(table, cells, rng)
        axis, counts = table.axis_along(self.axis), release.cells.astype(np.int64)
        if self.invariant:
            people = counts.sum(axis=tuple(k for k in range(counts.ndim) if k != axis))
            occurs = np.minimum(people, 1)
            release = release.narrowed({(axis,): (occurs, np.full(len(people), np.inf))})
        leads = self._leads(counts.shape[axis])
        if leads.all():
            return release
        published = np.moveaxis(counts, axis, -1).reshape(-1, len(leads))
        places = np.moveaxis(np.arange(counts.size).reshape(counts.shape), axis, -1).reshape(published.shape)
        system = of_replaced_values(published, places, leads)
        if system is None:
            return replace(release, limitation=UNKNOWN_VALUES)
        return replace(release, origins=Origins(system, system))

    def _leads(self, values: int) -> Flags:
        """Return whether each value can become each other value that occurs."""
        if not self.matrix:
            return np.full((values, values), self.redrawn > 0) | np.eye(values, dtype=bool)
        possible = np.asarray(self.matrix) > 0
        shared: Flags = possible @ possible.T if self.invariant else possible
        return shared

    def moves(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> tuple[Whole, Whole]:
        """Return the cell of each person before and after, shape (size, people).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        origins, destinations : ndarray of int64, shape (size, people)
        """
        check_people(table, "PRAM follows each person")
        axis = table.axis_along(self.axis)
        stride, length = math.prod(table.shape[axis + 1 :]), table.shape[axis]
        cells = np.repeat(np.arange(table.cells), table.counts.ravel())
        before = cells // stride % length
        if self.matrix:
            drawn = invert(self.channel(table), before, rng.random((size, cells.size)))
            return np.broadcast_to(cells, drawn.shape), cells + (drawn - before) * stride
        answers = self._answers(table)
        weights = answers if self.invariant else np.ones(length)
        ends = np.cumsum(weights) / max(float(np.sum(weights)), 1.0)
        draws = rng.random((size, 2, cells.size))
        drawn = np.searchsorted(ends, draws[:, 1], side="right")
        # The last cumulative sum may be slightly below 1; then the last value that occurs is used.
        last = int(np.flatnonzero(weights)[-1]) if np.any(weights) else 0
        after = np.where(draws[:, 0] < self.redrawn, np.minimum(drawn, last), before)
        return np.broadcast_to(cells, after.shape), cells + (after - before) * stride
