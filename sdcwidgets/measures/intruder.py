"""Measures of disclosure to an intruder who knows some people: subtraction, scenarios, coalitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.formula_lines import Line, text_lines
from sdcwidgets._util.labels import counted
from sdcwidgets._util.parameters import Choices, Help, Label, Range
from sdcwidgets.core.risk import census
from sdcwidgets.core.risk.intruder import sap_slices
from sdcwidgets.measures.base import Direction, Measure, Need, register
from sdcwidgets.measures.batch import Batch
from sdcwidgets.measures.census import Along, _Disclosed
from sdcwidgets.tables.table import FrequencyTable


@register
@dataclass(frozen=True)
class Subtraction(Measure):
    """Probability that an intruder who knows some of the people empties a cell by subtracting them.

    References
    ----------
    Smith and Elliot 2008; thesis, section 2.3.2.2.1.
    """

    known: Annotated[
        int,
        Range(0, 20),
        Label("Number of people known to the intruder"),
        Help("The people who are known to the intruder are a random subset."),
    ] = 2

    label = "Subtraction-attribution probability"
    symbol = "SAP"
    direction: ClassVar[Direction] = "risk"
    source = "Smith and Elliot 2008; Antal 2016, section 2.3.2.2.1"
    needs: ClassVar[tuple[Need, ...]] = ("before",)
    nothing = "fewer people in the table than the intruder knows"

    def particulars(self) -> list[str]:
        """Return the number of known people."""
        return [f"{self.known} known"]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the probability for each slice of the original table."""
        return sap_slices(batch.cells(axis)[0], self.known)[np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return the cells that can be emptied, and the probability."""
        counts = batch.table.counts
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return text_lines(
                f"The table has {counted(batch.table.total, 'person', 'people')}, so the probability is undefined "
                f"for {counted(self.known, 'known person', 'known people')}."
            )
        zeros = int((counts == 0).sum())
        small = int(((counts > 0) & (counts <= self.known)).sum())
        why = (
            f"The table already has {counted(zeros, 'empty cell')}, so the intruder needs no subtraction."
            if zeros
            else f"By subtraction, the intruder can empty {counted(small, 'cell')} with at most {self.known} people."
        )
        return text_lines(
            f"An intruder knows a random set of {self.known} of the {batch.table.total:,} people and subtracts them. "
            "If a cell becomes empty, the intruder learns that none of the other people is in this cell.",
            why,
            f"SAP = {value:.4f}.",
        )


@register
@dataclass(frozen=True)
class FrankBound(Measure):
    """Upper bound of the entropy that the table removes from the intruder's uncertainty (Frank).

    References
    ----------
    Frank 1978; thesis, section 2.3.2.2.1.
    """

    label = "Frank’s bound"
    unit = "nats"
    high = np.inf
    direction: ClassVar[Direction] = "risk"
    source = "Frank 1978; Antal 2016, section 2.3.2.2.1"
    needs: ClassVar[tuple[Need, ...]] = ("before",)

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the bound for each slice of the original table."""
        return np.atleast_1d(census.frank_bound(batch.cells(axis)[0], -1))[np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return N log 2, the value if all people are in one cell."""
        return float(table.total * np.log(2))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula with its value."""
        value = float(self.values(batch)[0, 0])
        most = self.greatest(batch.table)
        return text_lines(
            "The entropy loss is at most log(1 + Σ(2^F − 1)), where F are the counts of the table.",
            f"For this table, the bound is {value:.4f} nats; its maximum is N log 2 = {most:.4f}.",
        )


@register
@dataclass(frozen=True)
class FrankScenario(_Disclosed):
    """Share of the slices with one of Frank's scenarios in which the published table still shows it.

    The value of a slice of the axis is 1 if the published slice still shows the scenario, 0 if it does not, and
    undefined if the original slice does not have it. The value of the table is the mean. Slices of other axes
    have no value.

    References
    ----------
    Frank 1976; thesis, section 2.3.2.2.1.
    """

    along: Along = "rows"
    scenario: Annotated[
        str,
        Choices(
            {
                "1": "one person",
                "2": "two people in different cells",
                "3": "two populated cells, one with a count of 1",
            }
        ),
        Label("Scenario"),
    ] = "3"

    label = "Slices with a disclosure scenario of Frank"
    symbol = ""
    source: ClassVar[str] = "Frank 1976; Antal 2016, section 2.3.2.2.1"
    nothing: ClassVar[str] = "no slice with this scenario before protection"
    order: ClassVar[float] = 99
    usual: ClassVar[bool] = False
    sliced: ClassVar[bool] = True

    def particulars(self) -> list[str]:
        """Return the scenario and the axis."""
        return [f"scenario {self.scenario}", *super().particulars()]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the table's slices, or whether each slice still shows the scenario."""
        position = self.position(batch.table)
        if axis not in (None, position):
            return np.full((batch.size, batch.table.shape[axis or 0]), np.nan)
        along = batch.along(position)
        before = self._seen(batch.table.counts, along)
        after = self._seen(batch.published, tuple(k + 1 for k in along))
        if axis is not None:
            return np.where(before, after, np.nan)
        cases = before.sum()
        share: Floats = (before & after).sum(axis=1, keepdims=True) / (cases or np.nan)
        return share

    def explain(self, batch: Batch) -> list[Line]:
        """Return the definition, and the number of slices that still show the scenario."""
        subject = {
            "1": "Scenario 1: the slice has one person. Anyone who identifies this person learns the "
            "person’s cell.",
            "2": "Scenario 2: the slice has two people in different cells. Each of these two people learns "
            "the other’s cell.",
            "3": "Scenario 3: two cells are populated, one of them with one person. This person can infer "
            "the cell of all others.",
        }[self.scenario]
        cases = int(self._seen(batch.table.counts, batch.along(self.position(batch.table))).sum())
        if cases == 0:
            return text_lines(
                subject, f"No slice of {self.along} has this scenario, so the share is undefined."
            )
        still = round(float(self.values(batch)[0, 0]) * cases)
        return text_lines(
            subject, f"In this replicate: {still} of the {cases} such slices of {self.along} still show it."
        )

    def _seen(self, counts: NDArray[np.number], along: tuple[int, ...]) -> Flags:
        """Return whether each slice shows the scenario; a slice with a suppressed cell does not."""
        values = np.asarray(counts, dtype=np.float64)
        gaps = np.isnan(values)
        scenarios = census.frank_scenarios(np.where(gaps, 9.0, values), along)
        return scenarios[..., int(self.scenario) - 1] & ~gaps.any(axis=along)


@register
@dataclass(frozen=True)
class Coalition(Measure):
    """Share of the cells from which a coalition correctly infers the cell of all other people.

    A cell is directly disclosive if all but k of the people of a row (or of a line along another axis) are in
    it. The line must have more people than the coalition, because otherwise there is nobody to disclose. A cell
    counts only if it is directly disclosive before and after protection: the coalition's inference is then
    correct.

    The measure does not show whether the coalition can be certain. For example, a rounded 0 may be a count of
    up to b − 1, so stronger rounding can increase the share. In a line with the counts 1 and 40, a coalition of
    one infers correctly that all others are in the second cell if the 1 is rounded to 0. The probability is 1/2
    for base 2 and 19/20 for base 20. `Release.intervals` shows which counts are certain.

    References
    ----------
    Lupp and Langsrud 2021; handbook, chapter 5, section 5.9.
    """

    known: Annotated[
        int,
        Range(0, 20),
        Label("Size of the coalition k"),
        Help("Number of people in the table who share their knowledge."),
    ] = 1

    label = "Directly disclosive cells"
    direction: ClassVar[Direction] = "risk"
    source = "Lupp and Langsrud 2021; SDC handbook, section 5.9"

    def particulars(self) -> list[str]:
        """Return the size of the coalition."""
        return [f"k = {self.known}"]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the cells of each slice in each replicate."""
        flags = self._flags(batch)
        others = tuple(k + 1 for k in batch.along(axis))
        return np.reshape(flags.mean(axis=others), (batch.size, -1))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the definition, and the number of directly disclosive cells."""
        flags = self._flags(batch)[0]
        return text_lines(
            f"A cell c discloses the others to a coalition of k = {self.known} if |p| − k ≤ |c| and |p| > k, where "
            "p are the people of its line along an axis.",
            f"In this replicate: {int(flags.sum())} of {flags.size} cells, {flags.mean():.4f}.",
        )

    def _flags(self, batch: Batch) -> Flags:
        counts, filled = batch.table.counts, batch.filled
        before = census.directly_disclosive(counts, self.known)
        after = census.directly_disclosive(filled, self.known, sensitive=tuple(range(1, filled.ndim)))
        return before & after
