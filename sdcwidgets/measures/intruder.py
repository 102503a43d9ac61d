"""Measures of what an intruder learns who knows some of the people: subtraction, Frank's scenarios, coalitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arrays import Flags, Floats
from sdcwidgets._util.lines import Line, text_lines
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
    """Chance that an intruder who knows some of the people empties a cell by subtracting them.

    References
    ----------
    Smith and Elliot 2008; thesis, section 2.3.2.2.1.
    """

    known: Annotated[
        int, Range(0, 20), Label("People the intruder knows"), Help("Any of the people, each as likely.")
    ] = 2

    label = "Subtraction empties a cell"
    symbol = "SAP"
    direction: ClassVar[Direction] = "risk"
    source = "Smith and Elliot 2008; thesis, section 2.3.2.2.1"
    needs: ClassVar[tuple[Need, ...]] = ("before",)
    nothing = "fewer people than the intruder knows"

    def particulars(self) -> list[str]:
        """Return how many people are known."""
        return [f"{self.known} known"]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the chance for each slice of the true table."""
        return sap_slices(batch.cells(axis)[0], self.known)[np.newaxis]

    def explain(self, batch: Batch) -> list[Line]:
        """Return what empties a cell here."""
        counts = batch.table.counts
        value = float(self.values(batch)[0, 0])
        if np.isnan(value):
            return text_lines(
                f"There are only {batch.table.total} people and {self.known} are known, so there is no share."
            )
        zeros = int((counts == 0).sum())
        small = int(((counts > 0) & (counts <= self.known)).sum())
        why = (
            f"{zeros} cells are empty as it is: no subtraction is needed."
            if zeros
            else f"{small} cells hold no more than {self.known} people and can be emptied."
        )
        return text_lines(
            f"An intruder knows {self.known} of the {batch.table.total:,} people, each set as likely, and subtracts "
            "them. Where a cell is empty then, everyone else is known not to be there.",
            why,
            f"SAP = {value:.4f}.",
        )


@register
@dataclass(frozen=True)
class FrankBound(Measure):
    """Greatest entropy that the table takes away from what an intruder did not know.

    References
    ----------
    Frank 1978; thesis, section 2.3.2.2.1.
    """

    label = "Frank’s bound"
    unit = "nats"
    high = np.inf
    direction: ClassVar[Direction] = "risk"
    source = "Frank 1978; thesis, section 2.3.2.2.1"
    needs: ClassVar[tuple[Need, ...]] = ("before",)

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the bound for each slice of the true table."""
        return np.atleast_1d(census.frank_bound(batch.cells(axis)[0], -1))[np.newaxis]

    def greatest(self, table: FrequencyTable) -> float:
        """Return N log 2, where all people are in one cell."""
        return float(table.total * np.log(2))

    def explain(self, batch: Batch) -> list[Line]:
        """Return the formula with the number."""
        value = float(self.values(batch)[0, 0])
        most = self.greatest(batch.table)
        return text_lines(
            "log(1 + Σ(2^F − 1)): the number of sets of people that the table completes, as a logarithm.",
            f"Here {value:.4f} nats, of at most N log 2 = {most:.4f}.",
        )


@register
@dataclass(frozen=True)
class FrankScenario(_Disclosed):
    """Share of the slices of one of Frank's three scenarios that are still published so.

    A slice of the axis is one or is none: its own value is 1 where it is one and is published so, 0 where it no longer
    is, and not defined where it never was. The table's value is the mean of those. Slices of another axis have none.

    References
    ----------
    Frank 1976; thesis, section 2.3.2.2.1.
    """

    along: Along = "rows"
    scenario: Annotated[
        str,
        Choices({"1": "one person", "2": "two people in two cells", "3": "two cells, one of them a 1"}),
        Label("Scenario"),
    ] = "3"

    label = "Frank’s scenario still seen"
    symbol = ""
    source: ClassVar[str] = "Frank 1976; thesis, section 2.3.2.2.1"
    order: ClassVar[float] = 99
    usual: ClassVar[bool] = False
    sliced: ClassVar[bool] = True

    def particulars(self) -> list[str]:
        """Return the scenario and the axis."""
        return [f"scenario {self.scenario}", *super().particulars()]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the slices of the table in each draw, or whether each of them is still seen."""
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
        """Return what is counted, and how many of how many."""
        subject = {
            "1": "Scenario 1: one person is in the slice; who identifies them learns their cell.",
            "2": "Scenario 2: two people are in the slice, in different cells; each learns the other’s.",
            "3": "Scenario 3: two cells are populated and one is a 1; its person learns where all others are.",
        }[self.scenario]
        cases = int(self._seen(batch.table.counts, batch.along(self.position(batch.table))).sum())
        if cases == 0:
            return text_lines(subject, f"No slice of {self.along} is one, so there is no share.")
        still = round(float(self.values(batch)[0, 0]) * cases)
        return text_lines(
            subject, f"In this draw: {still} of the {cases} such slices of {self.along} are published so."
        )

    def _seen(self, counts: NDArray[np.number], along: tuple[int, ...]) -> Flags:
        """Return for each slice whether it shows the scenario; one with a gap doesn't."""
        values = np.asarray(counts, dtype=np.float64)
        gaps = np.isnan(values)
        scenarios = census.frank_scenarios(np.where(gaps, 9.0, values), along)
        return scenarios[..., int(self.scenario) - 1] & ~gaps.any(axis=along)


@register
@dataclass(frozen=True)
class Coalition(Measure):
    """Share of the cells that truly tell a coalition where all others are.

    A cell is directly disclosive if all but k of the people of a row (or a line along another axis) are in it. A line
    counts only if it holds more people than the coalition: an empty line discloses nothing about anybody. The cell
    counts if it is so before and after protection: then what the coalition reads is right.

    Whether it can be sure is another matter, which a table alone does not tell: a rounded 0 may stand for up to
    b − 1 people. So stronger rounding can raise this share. Of a line of 1 and 40 a coalition of one reads, rightly,
    that all others are in the second cell if the 1 is rounded down: with probability 1/2 to base 2 and 19/20 to base
    20. `Release.intervals` says what is sure.

    References
    ----------
    Lupp and Langsrud 2021; handbook, chapter 5, section 5.9.
    """

    known: Annotated[
        int, Range(0, 20), Label("Size of the coalition k"), Help("How many people share what they know.")
    ] = 1

    label = "Cells that disclose to a coalition"
    direction: ClassVar[Direction] = "risk"
    source = "Lupp and Langsrud 2021; handbook, section 5.9"

    def particulars(self) -> list[str]:
        """Return the size of the coalition."""
        return [f"k = {self.known}"]

    def values(self, batch: Batch, axis: int | None = None) -> Floats:
        """Return the share of the cells of each slice in each draw."""
        flags = self._flags(batch)
        others = tuple(k + 1 for k in batch.along(axis))
        return np.reshape(flags.mean(axis=others), (batch.size, -1))

    def explain(self, batch: Batch) -> list[Line]:
        """Return how many of how many."""
        flags = self._flags(batch)[0]
        return text_lines(
            f"A cell c tells a coalition of k = {self.known} where all others are if |p| − k ≤ |c| and |p| > k, with "
            "p the people of its line along an axis.",
            f"In this draw: {int(flags.sum())} of {flags.size} cells, {flags.mean():.4f}.",
        )

    def _flags(self, batch: Batch) -> Flags:
        counts, filled = batch.table.counts, batch.filled
        before = census.directly_disclosive(counts, self.known)
        after = census.directly_disclosive(filled, self.known, sensitive=tuple(range(1, filled.ndim)))
        return before & after
