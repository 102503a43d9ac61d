"""What one can choose in the sample lab: a table, what it is taken for, and how its population is estimated."""

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
from sdcwidgets.widgets.studies.base import TableState

#: What the first two axes are called in a link; the others are called by their number.
_SINGLE = ("rows", "columns")


@cache
def models(ndim: int) -> Mapping[str, Margins]:
    """Return the log-linear models of a table of so many axes, by what they are called in a link.

    >>> dict(models(3))["main"], list(models(3))
    ([(0,), (1,), (2,)], ['none', 'rows', 'columns', 'axis-3', 'main', 'saturated'])
    """
    names = [*_SINGLE, *(f"axis-{axis}" for axis in range(3, ndim + 1))]
    single: dict[str, Margins] = {name: [(axis,)] for axis, name in enumerate(names[:ndim])}
    every: Margins = [(axis,) for axis in range(ndim)]
    return MappingProxyType({"none": [()], **single, "main": every, "saturated": [tuple(range(ndim))]})


@dataclass(frozen=True)
class SampleSettings(Declared):
    """What can be turned beside the table."""

    known: Annotated[
        str,
        Choices({"population": "The population", "sample": "Only a sample"}),
        Label("The table is"),
        Help("Of a population samples are drawn; of a sample the population is estimated."),
    ] = "population"
    fraction: Annotated[
        float,
        Range(0.01, 1.0, 0.01),
        Label("Sampling fraction n/N"),
        Help("The share of people who are counted."),
    ] = 0.1
    people: Annotated[
        int,
        Range(1, 1_000_000_000),
        Label("People in the population, N"),
        Help("It must be known, and is at least the number of people in the sample."),
    ] = 10_000
    design: Annotated[
        str,
        Choices({"simple-random-sampling": "Simple random", "stratified-sampling": "From each row"}),
        Label("Design"),
        Help(
            "Simple random: everyone as likely as any other. From each row: its share of the people, always."
        ),
    ] = "simple-random-sampling"
    draw: Annotated[
        int, Range(1, 1_000_000), Label("Sample number"), Help("Each number is another sample.")
    ] = 18  # in the example its estimates are as near the truth as most are; those of sample 1 are one in 400
    terms: Annotated[
        str,
        Label("Terms of the log-linear model"),
        Help("Which margins of the sample the model keeps; one of each axis is what the sample paper takes."),
    ] = "main"
    others: Annotated[
        str,
        Choices({"multinomial": "multinomial, N fixed", "poisson": "Poisson, N varies"}),
        Label("People not seen"),
        Help("How the people who were not sampled fall into the cells of the log-linear model."),
    ] = "multinomial"


@dataclass(frozen=True)
class SampleState(TableState):
    """A table, what it is taken for, and how its risk is measured.

    Attributes
    ----------
    sampling : SampleSettings
    ball : int
        How many balls were drawn from the urn that is shown.
    """

    sampling: SampleSettings = field(default_factory=SampleSettings)
    ball: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.ball) is not int or self.ball < 0:
            raise InputError(f"Ball {self.ball} does not exist; they are counted from 0.")
        if self.sampling.terms not in self.models:
            raise InputError(
                f"There is no model {quoted(self.sampling.terms)} of this table; there are {listed(list(self.models))}."
            )

    @property
    def models(self) -> Mapping[str, Margins]:
        """The log-linear models of this table."""
        return models(self.table.ndim)

    def with_table(self, table: FrequencyTable, source: Source) -> Self:
        """Return the state with a table from another source; a term that it has no axis for gives way to all axes."""
        known = self.sampling.terms in models(max(table.ndim, 2))
        start = self if known else self.sampled(terms="main")
        return super(SampleState, start).with_table(table, source)

    def sampled(self, **changes: object) -> Self:
        """Return the same table under other settings of the sample."""
        return self.changed(sampling=with_fields(self.sampling, **changes))

    def changed(self, **changes: object) -> Self:
        """Return the state with other fields; another sample has the urn as it was at the start."""
        return super().changed(**({"ball": 0} if "sampling" in changes else {}) | changes)

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return super().saved() | {"sampling": asdict(self.sampling), "ball": self.ball}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        sampling = SampleSettings(**saved["sampling"])
        return cls(**vars(TableState.restored(saved)), sampling=sampling, ball=saved["ball"])
