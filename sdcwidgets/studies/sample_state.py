"""What one can choose in the sample lab: a table, what it is taken for, and how its population is estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, Self

from sdcwidgets.core.estimate.formula import Margins
from sdcwidgets.errors import InputError
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.studies.base import TableState

__all__ = ["MODELS", "SampleSettings", "SampleState"]

#: The log-linear models of a table of two axes, by what they are called in a link.
MODELS: Mapping[str, Margins] = MappingProxyType(
    {"none": [()], "rows": [(0,)], "columns": [(1,)], "main": [(0,), (1,)], "saturated": [(0, 1)]}
)


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
    ] = 1
    terms: Annotated[
        str,
        Choices(
            {
                "none": "None",
                "rows": "Rows",
                "columns": "Columns",
                "main": "Rows + columns",
                "saturated": "Rows × columns",
            }
        ),
        Label("Terms of the log-linear model"),
        Help("Which margins of the sample the model keeps; the two together are those of the sample paper."),
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

    def sampled(self, **changes: Any) -> Self:
        """Return the same table under other settings of the sample, the urn as it was at the start."""
        return replace(self, sampling=replace(self.sampling, **changes), ball=0)

    def saved(self) -> dict[str, Any]:
        """Return plain values."""
        return super().saved() | {"sampling": asdict(self.sampling), "ball": self.ball}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        base = TableState.restored(saved)
        sampling = SampleSettings(**saved["sampling"])
        return cls(base.table, base.source, base.settings, base.arrangement, sampling, saved["ball"])
