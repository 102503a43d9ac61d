"""Limits of an organisation for a release, and kinds of rule violations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from sdcwidgets import measures
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.measures import Measure
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.table import FrequencyTable

#: Kinds of violations in order of severity, with descriptions.
KINDS: Mapping[str, str] = {
    "unknown": "counts that the input does not contain",
    "empty": "only zeros and suppressed counts",
    "one-cell": "all people of a group in one cell",
    "all-but-one": "all people of a group but one in one cell",
    "linked": "disclosure by another published table",
    "inference": "inference of intervals narrower than the published ones",
    "recalculable": "a suppressed count that can be recalculated",
    "small-count": "a count below the minimum that is published or can be computed",
    "small-cells": "the share of cells with small counts",
    "cell-size": "the mean number of people per cell",
    "risk": "residual risk",
    "loss": "information loss",
    "seed": "a guessable random seed",
    "method": "no evidence that the required method was applied",
    "unchecked": "a disclosure check that is not finished",
}


@dataclass(frozen=True)
class _Number:
    """A number within a range, or None for no limit."""

    low: float
    high: float

    @property
    def expected(self) -> str:
        """Description of allowed values."""
        return f"a number from {self.low:g} to {self.high:g}" if self.high < 1e9 else "a number, 0 or more"

    def check(self, value: Any) -> float | None:
        """Return the number after checking its range."""
        if value is None:
            return None
        if isinstance(value, bool) or not self.low <= float(value) <= self.high:
            raise ValueError(value)
        return float(value)

    def parse(self, text: str) -> float | None:
        """Return the number in a text; None for an empty text."""
        return self.check(float(text)) if text.strip() else None


def no_limit(direction: str, highest: float) -> float:
    """Return the limit that excludes nothing: 0 if higher values are better, otherwise the highest value.

    Parameters
    ----------
    direction : str
        Direction of the measure.
    highest : float
        Highest value of the measure.

    Returns
    -------
    float

    Examples
    --------
    >>> no_limit("risk", 1.0), no_limit("utility", 1.0)
    (1.0, 0.0)
    """
    return 0.0 if direction in ("utility", "protection") else highest


@dataclass(frozen=True)
class ReleaseLimits(Declared):
    """Limits of an organisation for the release of a table, with their source.

    Without a source and at least one limit there is no decision: the table is only compared. A reason for
    having no risk limit can replace the limit.

    Attributes
    ----------
    source : str
        Who set the limits, and when.
    smallest_count : int
        Minimum of counts above 0 that are published, or that published values determine; 0 for no limit.
    small_cells : float or None
        Maximum share of cells with a published count of 1 or 2.
    mean_cell_size : float or None
        Minimum number of people divided by the number of cells, N/K.
    risk, risk_before : float or None
        Limits of the residual risk and of the risk of an unprotected table; the risk must be below. Without
        `risk_before`, `risk` applies to both.
    loss : float or None
        Maximum information loss.
    risk_measure, loss_measure : str
        Names of the measures of risk and of information loss.
    one_cell, all_but_one : int
        Minimum number of people for which it is a violation that all of them (or all but one) are in one cell
        of a row, column or other line; 0 to report it only.
    recalculable, linked, seed : bool
        Whether recalculable suppressed values, disclosure by other tables, and guessable seeds are violations.
    reading : {"shown", "sure"}
        Whether a disclosure counts if the published table shows it and it is true, or if a reader can be certain
        for any original counts that the release allows.

    Examples
    --------
    >>> ReleaseLimits("Disclosure panel, May 2026", risk=0.17, loss=2.5).decides
    True
    >>> ReleaseLimits(risk=1.7)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: Maximum residual risk is 1.7; it must be a number from 0 to 1.
    """

    source: Annotated[
        str,
        Label("Source of the limits"),
        Help("Who set the limits, and when. Without a source there is no release decision."),
    ] = ""
    smallest_count: Annotated[
        int,
        Range(0, 1000),
        Label("Minimum published count"),
        Help(
            "Counts from 1 to below this minimum must not be published, and published values must not determine "
            "them. 0 turns the check off."
        ),
    ] = 0
    small_cells: Annotated[
        float | None,
        _Number(0, 1),
        Label("Maximum share of cells with small counts"),
        Help(
            "The share is the number of cells with a published count of 1 or 2, divided by the number of all cells. A "
            "table with a larger share is not released."
        ),
    ] = None
    mean_cell_size: Annotated[
        float | None,
        _Number(0, 1e9),
        Label("Minimum mean number of people per cell"),
        Help(
            "The mean number of people per cell (N/K) is the number of people divided by the number of cells, "
            "including empty cells. A table with a smaller mean is not released."
        ),
    ] = None
    risk: Annotated[
        float | None,
        _Number(0, 1),
        Label("Maximum residual risk"),
        Help("A table is released only if its disclosure risk is below this limit."),
    ] = None
    risk_before: Annotated[
        float | None,
        _Number(0, 1),
        Label("Maximum risk of an unprotected table"),
        Help("An original table with a disclosure risk below this limit can be released without protection."),
    ] = None
    loss: Annotated[
        float | None,
        _Number(0, 1e9),
        Label("Maximum information loss"),
        Help("A table with an information loss above this limit is not released."),
    ] = None
    no_risk_limit: Annotated[
        str,
        Label("Reason why no limit applies"),
        Help("A release decision needs a limit, or this reason."),
    ] = ""
    risk_measure: Annotated[str, Label("Risk measure"), Help("Name of the measure of disclosure risk.")] = (
        "r2"
    )
    loss_measure: Annotated[
        str, Label("Information loss measure"), Help("Name of the measure of information loss.")
    ] = "hellinger"
    one_cell: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Minimum number of people for group disclosure"),
        Help(
            "A row with at least this number of people blocks the release if all people of the row are in one cell. "
            "Anyone known to be in the row is then known to be in this cell. 0: such rows are only reported."
        ),
    ] = 1
    all_but_one: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Minimum number of people for within-group disclosure"),
        Help(
            "A row with at least this number of people blocks the release if all people but "
            "one are in one cell. This one person can infer the cell of all others. 0: such "
            "rows are only reported, and respondents can be certain of the category of others."
        ),
    ] = 0
    recalculable: Annotated[
        bool,
        Label("Block releases with recalculable suppressed cells"),
        Help(
            "The release is blocked if a suppressed cell can be recalculated from published values. The minimum "
            "published count covers rounded and perturbed cells."
        ),
    ] = True
    linked: Annotated[
        bool,
        Label("Block releases with disclosure by other tables"),
        Help("The release is blocked if this table and other published tables together disclose a cell."),
    ] = True
    seed: Annotated[
        bool,
        Label("Block releases with a guessable seed"),
        Help(
            "The release is blocked if the random seed is guessable. An "
            "intruder who guesses the seed can undo the protection."
        ),
    ] = True
    reading: Annotated[
        str,
        Choices({"shown": "Inference that is true", "sure": "Inference that is certain"}),
        Label("Inference that counts as disclosure"),
        Help(
            "A published zero can be a rounded count, so an inference from the zero can be true without being certain."
        ),
    ] = "shown"

    def __post_init__(self) -> None:
        super().__post_init__()
        for quantity, wanted in (("risk", ("risk", "protection")), ("loss", ("loss", "utility"))):
            name = getattr(self, f"{quantity}_measure")
            cls = measures.get(name)
            object.__setattr__(self, f"{quantity}_measure", cls.name)
            if set(cls.needs) != {"before", "after"} or cls.direction not in wanted:
                raise InputError(
                    f"{name} is not a measure of {quantity} that applies to all methods. "
                    "Choose another, such as r2 or hellinger."
                )

    @cached_property
    def has_source(self) -> bool:
        """Whether the source of the limits is given."""
        return bool(self.source.strip())

    @cached_property
    def has_limit(self) -> bool:
        """Whether a count, a risk or a loss is limited; a limit that excludes nothing does not count.

        Examples
        --------
        >>> ReleaseLimits("Panel", risk=0.2).has_limit, ReleaseLimits("Panel", risk=1.0).has_limit
        (True, False)
        """
        risk, loss = measures.get(self.risk_measure), measures.get(self.loss_measure)
        no_risk = no_limit(risk.direction, 1.0)
        risks = [limit for limit in (self.risk, self.risk_before) if limit is not None and limit != no_risk]
        is_loss_limited = self.loss is not None and self.loss != no_limit(loss.direction, float("inf"))
        are_cells_limited = self.small_cells not in (None, 1.0) or bool(self.mean_cell_size)
        return self.smallest_count > 1 or are_cells_limited or bool(risks) or is_loss_limited

    @cached_property
    def decides(self) -> bool:
        """Whether a decision is possible: there is a source, and a limit or a reason for no risk limit.

        Examples
        --------
        >>> ReleaseLimits("Panel").decides, ReleaseLimits("Panel", smallest_count=3).decides
        (False, True)
        >>> ReleaseLimits("Panel", no_risk_limit="the counts are public").decides
        True
        """
        return self.has_source and (self.has_limit or bool(self.no_risk_limit.strip()))

    @property
    def missing(self) -> str:
        """Missing requirement for a decision, as a sentence; "" if nothing is missing."""
        if self.decides:
            return ""
        if self.has_source:
            return "For a release decision, set at least one limit, or state the reason why no limit applies."
        if self.has_limit or self.no_risk_limit.strip():
            return "For a release decision, state the source of the limits: who set the limits, and when."
        return (
            "For a release decision, state the source of the limits. Then set at least one limit, or state the reason "
            "why no limit applies."
        )

    def most_risk(self, *, as_it_is: bool) -> float | None:
        """Return the risk limit of an original table or of a protected one."""
        return self.risk_before if as_it_is and self.risk_before is not None else self.risk

    def measured(self, table: FrequencyTable, settings: Settings) -> tuple[Measure, Measure]:
        """Return the measures of risk and of information loss for a table with these settings."""
        risk, loss = (
            measures.get(name).lines(table, settings) for name in (self.risk_measure, self.loss_measure)
        )
        if not risk or not loss:
            raise InputError(
                "The measures of the limits need a table with at least two axes; choose other measures."
            )
        return risk[0], loss[0]

    def people(self, kind: str) -> int:
        """Return the minimum number of people for which a kind is a violation; 0 if it is only reported.

        Examples
        --------
        >>> [ReleaseLimits().people(kind) for kind in ("one-cell", "all-but-one", "recalculable")]
        [1, 0, 1]
        """
        least: dict[str, int] = {
            "one-cell": self.one_cell,
            "all-but-one": self.all_but_one,
            "recalculable": int(self.recalculable),
            "small-count": int(self.smallest_count > 1),
            "linked": int(self.linked),
            "seed": int(self.seed),
        }
        return least.get(kind, 1)
