"""What is small enough: the limits of an office, and what stops a release whatever the numbers are."""

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

#: The kinds of stops in their order, each with what it is.
KINDS: Mapping[str, str] = {
    "empty": "nothing is left",
    "one-cell": "everyone in one cell",
    "all-but-one": "everyone but one person in one cell",
    "linked": "given away by another table",
    "recalculable": "a gap that can be computed",
    "small-count": "a count that is too small",
    "risk": "risk left",
    "loss": "information lost",
    "seed": "a seed that can be guessed",
    "method": "a required method that is not shown",
    "unchecked": "not checked yet",
}


@dataclass(frozen=True)
class _Number:
    """A number within bounds, or None where nothing is asked."""

    low: float
    high: float

    @property
    def expected(self) -> str:
        """What would be right, as the end of a sentence."""
        return f"a number from {self.low:g} to {self.high:g}" if self.high < 1e9 else "a number of at least 0"

    def check(self, value: Any) -> float | None:
        """Return the number."""
        if value is None:
            return None
        if isinstance(value, bool) or not self.low <= float(value) <= self.high:
            raise ValueError(value)
        return float(value)

    def parse(self, text: str) -> float | None:
        """Return the number in a text; none in an empty one."""
        return self.check(float(text)) if text.strip() else None


def no_limit(direction: str, highest: float) -> float:
    """Return the end of a scale that limits nothing: 0 where more is better, else the highest value.

    Parameters
    ----------
    direction : str
        The direction of the measure.
    highest : float
        The highest value of the measure.

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
    """What an office asks of a table before it is released, and who says so.

    Without a source and a limit nothing is decided: a table is only compared with another one. Instead of a limit,
    a reason for setting none on the risk can be given.

    Attributes
    ----------
    source : str
        Who set the limits, and when.
    smallest_count : int
        No count from 1 to below this is published; 0 for no such limit.
    risk, risk_before : float or None
        What is left of the risk is below the first; a true table may go out as it is where its risk is below the
        second, or the first if there is no second.
    loss : float or None
        The information lost is at most this.
    risk_measure, loss_measure : str
        How both are measured.
    one_cell, all_but_one : int
        From how many people on it stops a release that everyone (but one) of a row, a column or a line of them is in
        one cell; 0: it is told only.
    recalculable, linked, seed : bool
        Whether a gap that can be computed, one that another table gives away, and a seed that can be guessed are stops.
    reading : {"shown", "sure"}
        Whether it is enough that the published table reads so and it is true, or a reader must be able to be sure.

    Examples
    --------
    >>> ReleaseLimits("Disclosure panel, May 2026", risk=0.17, loss=2.5).decides
    True
    >>> ReleaseLimits(risk=1.7)
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: Risk left, at most is 1.7; it must be a number from 0 to 1.
    """

    source: Annotated[
        str,
        Label("Source of the limits"),
        Help("Who set the limits, and when. Without a source there is no verdict."),
    ] = ""
    smallest_count: Annotated[
        int,
        Range(0, 1000),
        Label("Smallest count"),
        Help("No count from 1 to below this is published; 0: any."),
    ] = 0
    risk: Annotated[
        float | None,
        _Number(0, 1),
        Label("Risk left, at most"),
        Help("What is left of the risk is below this."),
    ] = None
    risk_before: Annotated[
        float | None,
        _Number(0, 1),
        Label("Risk of a table that goes out as it is, at most"),
        Help("A true table with a lower risk needs no protection."),
    ] = None
    loss: Annotated[
        float | None,
        _Number(0, 1e9),
        Label("Information lost, at most"),
        Help("A table that has lost more is not worth releasing."),
    ] = None
    no_risk_limit: Annotated[
        str,
        Label("Reason for setting no limit on risk"),
        Help("A verdict without any limit needs this reason."),
    ] = ""
    risk_measure: Annotated[str, Label("Measure of risk"), Help("The name of a measure.")] = "r2"
    loss_measure: Annotated[str, Label("Measure of loss"), Help("The name of a measure.")] = "hellinger"
    one_cell: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Everyone in one cell stops, from so many people on"),
        Help("Whoever knows that a person is in the row knows the rest; 0: it is told only."),
    ] = 1
    all_but_one: Annotated[
        int,
        Range(0, 1_000_000),
        Label("Everyone but one stops, from so many people on"),
        Help(
            "A respondent knows that the own cell holds at least one person and may infer where all others are. "
            "0 reports it only."
        ),
    ] = 0
    recalculable: Annotated[
        bool, Label("Gaps that can be computed stop"), Help("From all that is published.")
    ] = True
    linked: Annotated[bool, Label("Other tables count"), Help("What they give away stops, too.")] = True
    seed: Annotated[bool, Label("A seed that can be guessed stops"), Help("Who guesses it undoes it.")] = True
    reading: Annotated[
        str,
        Choices({"shown": "what reads so and is true", "sure": "what a reader can be sure of"}),
        Label("What counts as published"),
        Help("A rounded zero reads as nobody, and nobody can be sure of it."),
    ] = "shown"

    def __post_init__(self) -> None:
        super().__post_init__()
        for quantity, wanted in (("risk", ("risk", "protection")), ("loss", ("loss", "utility"))):
            name = getattr(self, f"{quantity}_measure")
            cls = measures.get(name)
            object.__setattr__(self, f"{quantity}_measure", cls.name)
            if set(cls.needs) != {"before", "after"} or cls.direction not in wanted:
                raise InputError(
                    f"{name} is no measure of {quantity} that every method has; r2 and hellinger are."
                )

    @cached_property
    def has_source(self) -> bool:
        """Whether somebody is named who set the limits."""
        return bool(self.source.strip())

    @cached_property
    def has_limit(self) -> bool:
        """Whether a count, a risk or a loss is limited; a limit at the end of its scale limits nothing.

        Examples
        --------
        >>> ReleaseLimits("Panel", risk=0.2).has_limit, ReleaseLimits("Panel", risk=1.0).has_limit
        (True, False)
        """
        risk, loss = measures.get(self.risk_measure), measures.get(self.loss_measure)
        no_risk = no_limit(risk.direction, 1.0)
        risks = [limit for limit in (self.risk, self.risk_before) if limit is not None and limit != no_risk]
        is_loss_limited = self.loss is not None and self.loss != no_limit(loss.direction, float("inf"))
        return self.smallest_count > 1 or bool(risks) or is_loss_limited

    @cached_property
    def decides(self) -> bool:
        """Whether a verdict follows: a source is named, and a limit or the reason for setting none on risk.

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
        """What a verdict still needs, in a sentence; "" where nothing is missing."""
        if self.decides:
            return ""
        limit = "at least one limit, or a reason for setting no limit on risk"
        if self.has_source:
            return f"A verdict needs {limit}."
        if self.has_limit or self.no_risk_limit.strip():
            return "A verdict needs the source of the limits: who set them, and when."
        return f"A verdict needs the source of the limits and {limit}."

    def most_risk(self, *, as_it_is: bool) -> float | None:
        """Return below what the risk is, of a true table that goes out as it is or of what is left."""
        return self.risk_before if as_it_is and self.risk_before is not None else self.risk

    def measured(self, table: FrequencyTable, settings: Settings) -> tuple[Measure, Measure]:
        """Return the measures of risk and of loss, of a table, with these settings."""
        risk, loss = (
            measures.get(name).lines(table, settings) for name in (self.risk_measure, self.loss_measure)
        )
        if not risk or not loss:
            raise InputError("The measures of the limits need a table of two axes or more; name others.")
        return risk[0], loss[0]

    def people(self, kind: str) -> int:
        """Return from how many people on this kind stops a release; 0 where it is told only.

        >>> [ReleaseLimits().people(kind) for kind in ("one-cell", "all-but-one", "recalculable")]
        [1, 0, 1]
        """
        least: dict[str, int] = {
            "one-cell": self.one_cell,
            "all-but-one": self.all_but_one,
            "recalculable": int(self.recalculable),
            "linked": int(self.linked),
            "seed": int(self.seed),
        }
        return least.get(kind, 1)
