"""Sampling as a protection method: an intruder cannot be sure that a person is counted, or that a zero is true."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.parameters import AxisNames, Choices, Help, Label, Range
from sdcwidgets.core.estimate.draws import allocate, simple_random_samples, stratified_samples
from sdcwidgets.core.margins import MarginAxes
from sdcwidgets.methods.base import Counts, Method, check_size, register
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

Fraction = Annotated[
    float,
    Range(0.01, 1.0),
    Label("Sampling fraction (sample size / population size)"),
    Help(
        "Share of the people who are counted. A smaller share gives more protection and less information. "
        "HD and utility compare the counts of the sample without weights; click one of these values to see "
        "the value for weighted counts."
    ),
]


class Sampling(Method):
    """Base class of sampling methods, which publish sample counts and the fraction; N is known."""

    samples = True
    fraction: float

    @abstractmethod
    def sampled(self, table: FrequencyTable) -> dict[MarginAxes, Counts]:
        """Return the sample sizes that the design fixes, for each set of axes: {axes: numbers}."""

    def people(self, table: FrequencyTable) -> int:
        """Return the sample size n: the fraction of N, rounded, and at least one person."""
        return min(table.total, max(1, round(self.fraction * table.total)))

    def release_from_cells(
        self, table: FrequencyTable, cells: NDArray[np.number], rng: np.random.Generator
    ) -> Release:
        """Return the release of the sample; a data user knows N, and that nobody is counted twice.

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
            Cells, margins, bounds and the sampling fraction.
        """
        sample, n = FrequencyTable(cells, table.axes), self.people(table)
        missed = np.full(table.shape, table.total - n)
        known: dict[MarginAxes, tuple[Counts, Counts]] = {(): (np.array(table.total), np.array(table.total))}
        for margin, taken in self.sampled(table).items():
            others = tuple(axis for axis in range(table.ndim) if axis not in margin)
            whole = np.asarray(table.counts.sum(axis=others))
            missed = np.minimum(missed, np.expand_dims(whole - taken, others))
            known[margin] = (whole, whole)
        share = n / table.total if table.total else self.fraction
        note = f"A sample of {n:,} of {table.total:,} people."
        strata = self._strata_note(table)
        scale = f"Divided by {share:.4g}, a count estimates the number of people in the population."
        released = Release.of(
            sample,
            sample.counts,
            sample.counts + missed,
            notes=[self.note(), note, *strata, scale],
            fraction=share,
        )
        return released.narrowed(known)

    def _strata_note(self, table: FrequencyTable) -> list[str]:
        """Return a note with the sampled and all people of each stratum, because the intervals use the sizes."""
        notes = []
        for (axis,), taken in self.sampled(table).items():
            whole = table.counts.sum(axis=tuple(k for k in range(table.ndim) if k != axis))
            parts = zip(table.axes[axis].labels, taken.tolist(), whole.tolist(), strict=True)
            sizes = "; ".join(f"{label}: {drawn:,} of {size:,}" for label, drawn, size in parts)
            notes.append(f"Sampled people of each stratum: {sizes}.")
        return notes


@register
@dataclass(frozen=True)
class SimpleRandomSampling(Sampling):
    """Counts a simple random sample of the people, drawn without replacement.

    The sample size is the rounded fraction of all people. The published counts are sample counts; divided by
    the fraction they estimate the counts of the table.

    References
    ----------
    Antal 2016 (thesis), section 4.3; Antal, Shlomo, Elliot 2015, section 4.2.

    Examples
    --------
    >>> table = FrequencyTable([0, 20, 40])
    >>> SimpleRandomSampling(fraction=0.5).replicate(table, 2, np.random.default_rng(1)).sum(axis=1)
    array([30, 30])
    """

    fraction: Fraction = 0.1

    def sampled(self, table: FrequencyTable) -> dict[MarginAxes, Counts]:
        """Return an empty mapping, because only the total sample size is fixed."""
        return {}

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent samples, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        ndarray of int64, shape (size, *shape)
        """
        check_size(size)
        return simple_random_samples(table.counts, self.people(table), size, rng)


@register
@dataclass(frozen=True)
class StratifiedSampling(Sampling):
    """Counts a stratified sample: a fixed number of people from each category of one axis.

    References
    ----------
    Cochran 1977, chapter 5.

    Examples
    --------
    >>> table = FrequencyTable([[30, 10], [6, 2]])
    >>> StratifiedSampling(fraction=0.25).replicate(table, 1, np.random.default_rng(1)).sum(axis=2)
    array([[10,  2]])
    """

    fraction: Fraction = 0.1
    strata: Annotated[
        str, AxisNames(), Label("Strata"), Help("Axis of the table whose categories are the strata.")
    ] = "rows"
    allocation: Annotated[
        str,
        Choices({"proportional": "proportional to stratum size", "equal": "equal numbers"}),
        Label("Allocation"),
        Help(
            "Equal numbers of people per stratum give more information about small strata, and less "
            "protection of these strata."
        ),
    ] = "proportional"

    def sampled(self, table: FrequencyTable) -> dict[MarginAxes, Counts]:
        """Return the sample size of each stratum."""
        axis = table.axis_along(self.strata)
        others = tuple(k for k in range(table.ndim) if k != axis)
        whole = table.counts.sum(axis=others)
        return {(axis,): allocate(whole, self.people(table), self.allocation)}

    def replicate(self, table: FrequencyTable, size: int, rng: np.random.Generator) -> Counts:
        """Return `size` independent samples, shape (size, *shape).

        Parameters
        ----------
        table : FrequencyTable
            The original table.
        size : int
            Number of replicates, 1 or more.
        rng : numpy.random.Generator
            Source of random numbers.

        Returns
        -------
        ndarray of int64, shape (size, *shape)
        """
        check_size(size)
        ((axis,), taken) = next(iter(self.sampled(table).items()))
        return stratified_samples(table.counts, taken, size, rng, axis)
