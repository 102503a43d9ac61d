"""State of the page Sample: a table, whether it is a population or a sample, and the estimation of the population."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.core.estimate.formula import Margins
from sdcwidgets.tables.io.sources import Source
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.page_state.table_state import TableState

#: Names of the first two axes in links; other axes are numbered.
_SINGLE = ("rows", "columns")


@cache
def models(ndim: int) -> Mapping[str, Margins]:
    """Return the log-linear models of a table with this number of axes, by their names in links.

    Examples
    --------
    >>> dict(models(3))["main"], list(models(3))
    ([(0,), (1,), (2,)], ['none', 'rows', 'columns', 'axis-3', 'main', 'saturated'])
    """
    names = [*_SINGLE, *(f"axis-{axis}" for axis in range(3, ndim + 1))]
    single: dict[str, Margins] = {name: [(axis,)] for axis, name in enumerate(names[:ndim])}
    every: Margins = [(axis,) for axis in range(ndim)]
    return MappingProxyType({"none": [()], **single, "main": every, "saturated": [tuple(range(ndim))]})


@dataclass(frozen=True)
class SampleSettings(Declared):
    """Settings of the page in addition to the table."""

    known: Annotated[
        str,
        Choices({"population": "A population", "sample": "A sample"}),
        Label("The table is"),
        Help(
            "If the table is a population, the page draws samples from it. If the table is a sample, the "
            "page estimates the population."
        ),
    ] = "population"
    fraction: Annotated[
        float,
        Range(0.01, 1.0, 0.01),
        Label("Sampling fraction (sample size / population size)"),
        Help("Share of the people of the population who are in the sample."),
    ] = 0.1
    people: Annotated[
        int,
        Range(1, 1_000_000_000),
        Label("People in the population, N"),
        Help("Known size of the population, at least the number of people in the sample."),
    ] = 10_000
    design: Annotated[
        str,
        Choices({"simple-random-sampling": "Simple random", "stratified-sampling": "From each row"}),
        Label("Design"),
        Help(
            "In simple random sampling, all people are equally likely to be drawn. With “From each row”, "
            "the sample contains the same share of the people of each row."
        ),
    ] = "simple-random-sampling"
    draw: Annotated[
        int,
        Range(1, 1_000_000),
        Label("Sample number"),
        Help("Each number gives a different random sample."),
    ] = 18  # the error of its estimates in the example is typical; that of sample 1 is very large
    terms: Annotated[
        str,
        Label("Terms of the log-linear model"),
        Help(
            "Margins of the sample that the log-linear model preserves. Antal, Shlomo and Elliot 2015 use "
            "one margin per axis."
        ),
    ] = "main"
    others: Annotated[
        str,
        Choices({"multinomial": "multinomial, N fixed", "poisson": "Poisson, N varies"}),
        Label("Model of the people who are not in the sample"),
        Help("How the people who are not in the sample are distributed over the cells."),
    ] = "multinomial"


@dataclass(frozen=True)
class SampleState(TableState):
    """A table, whether it is a population or a sample, and the settings of its risk.

    Attributes
    ----------
    sampling : SampleSettings
    ball : int
        Number of balls drawn from the urn.
    """

    sampling: SampleSettings = field(default_factory=SampleSettings)
    ball: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.ball) is not int or self.ball < 0:
            raise InputError(
                f"The urn has no ball with the number {self.ball}; the first ball has the number 0."
            )
        if self.sampling.terms not in self.models:
            raise InputError(
                f"There is no model {quoted(self.sampling.terms)} for this table; choose one of "
                f"{listed(list(self.models))}."
            )

    @property
    def models(self) -> Mapping[str, Margins]:
        """Log-linear models of this table."""
        return models(self.table.ndim)

    def with_table(self, table: FrequencyTable, source: Source) -> Self:
        """Return the state with a table from another source; a model that does not fit its axes is replaced."""
        known = self.sampling.terms in models(max(table.ndim, 2))
        start = self if known else self.sampled(terms="main")
        return super(SampleState, start).with_table(table, source)

    def sampled(self, **changes: object) -> Self:
        """Return the state with other settings of the sample."""
        return self.changed(sampling=with_fields(self.sampling, **changes))

    def changed(self, **changes: object) -> Self:
        """Return the state with other fields; a change of the sample empties the urn."""
        if "sampling" in changes:
            changes.setdefault("ball", 0)
        return super().changed(**changes)

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
        return super().saved() | {"sampling": asdict(self.sampling), "ball": self.ball}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state from plain values."""
        sampling = SampleSettings(**saved["sampling"])
        return cls(**vars(TableState.restored(saved)), sampling=sampling, ball=saved["ball"])
