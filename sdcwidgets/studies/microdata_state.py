"""What one can choose on the microdata page: keys, a model, recodings, and whether values are blanked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Self

from sdcwidgets.errors import InputError
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.sampling import DESIGN_TITLES
from sdcwidgets.parameters import Choices, Declared, Help, Label, Range
from sdcwidgets.studies.links import Linked

__all__ = ["MODEL_TITLES", "PEOPLE", "FileSettings", "FileState", "Recode"]

#: People of the known population from which the page draws its samples.
PEOPLE = 100_000

#: What the page begins with.
START = ("region", "household size", "age", "sex")

MODEL_TITLES = {
    "standard": "Standard",
    "clogg-eliason": "Clogg–Eliason",
    "pseudo-likelihood": "Pseudo maximum likelihood",
    "weighted": "Weighted",
}


@dataclass(frozen=True)
class FileSettings(Declared):
    """What can be turned beside the keys."""

    design: Annotated[
        str,
        Choices(DESIGN_TITLES),
        Label("Sample"),
        Help("How whole households are drawn from a known population of 100,000 people."),
    ] = "srs"
    households: Annotated[int, Range(50, 5000, 50), Label("Households in the sample")] = 1000
    seed: Annotated[int, Range(0, 2**32 - 1), Label("Seed")] = 1
    model: Annotated[str, Choices(MODEL_TITLES), Label("Model")] = "standard"
    terms: Annotated[
        str,
        Choices({"main": "Main effects", "chosen": "Some pairs", "two-way": "All pairs"}),
        Label("Terms of the model"),
        Help("Main effects take the keys for independent; a pair lets two of them go together."),
    ] = "two-way"
    scaling: Annotated[
        str,
        Choices({"formula": "λ = μ/π", "sdcmicro": "λ = μ, as sdcMicro"}),
        Label("Scaling"),
        Help("μ is the expected count of the sample. The formula needs that of the population, λ = μ/π."),
    ] = "formula"
    k: Annotated[
        int,
        Range(2, 20),
        Label("k"),
        Help("Each record must share its key with so many records of the file."),
    ] = 3


@dataclass(frozen=True)
class Recode:
    """A recoding of one variable: into `number` intervals, or its end put together at `number`."""

    how: str
    number: int

    def __post_init__(self) -> None:
        if self.how not in ("intervals", "top", "bottom") or type(self.number) is not int:
            raise InputError(
                "A recoding is into intervals, or puts the top or the bottom together, at a whole number."
            )


@dataclass(frozen=True)
class FileState(Linked):
    """A file, what an intruder may know of it, and how it is protected.

    Attributes
    ----------
    keys : tuple of str
        The key variables, in the order in which they were chosen.
    settings : FileSettings
    off : frozenset of frozenset of str
        The interactions that were switched off; the model has the others where its terms are "chosen".
    recodes : tuple of (str, Recode)
    suppress : bool
        Whether values are blanked until the file is k-anonymous.
    own : Microdata or None
        A file that was opened; None for a sample of the known population.
    title : str
    """

    keys: tuple[str, ...] = START
    settings: FileSettings = field(default_factory=FileSettings)
    off: frozenset[frozenset[str]] = frozenset()
    recodes: tuple[tuple[str, Recode], ...] = ()
    suppress: bool = False
    own: Microdata | None = None
    title: str = "Sample of a known population"

    def set(self, **changes: Any) -> Self:
        """Return the state under other settings."""
        return replace(self, settings=replace(self.settings, **changes))

    def switched(self, key: str, on: bool) -> Self:
        """Return the state with a key variable added at the end, or without it."""
        kept = tuple(name for name in self.keys if name != key)
        return replace(self, keys=(*kept, key) if on else kept)

    def paired(self, one: str, other: str, on: bool) -> Self:
        """Return the state with an interaction in the model, or without it."""
        pair = frozenset((one, other))
        return replace(self, off=self.off - {pair} if on else self.off | {pair})

    def recoded(self, name: str, recode: Recode | None) -> Self:
        """Return the state with another recoding of a variable, or without one."""
        kept = tuple(item for item in self.recodes if item[0] != name)
        return replace(self, recodes=kept if recode is None else (*kept, (name, recode)))

    @property
    def margins(self) -> tuple[tuple[int, int], ...]:
        """The interactions of the model, as places of the keys."""
        if self.settings.terms == "main":
            return ()
        number = len(self.keys)
        pairs = [(i, j) for i in range(number) for j in range(i + 1, number)]
        if self.settings.terms == "two-way":
            return tuple(pairs)
        return tuple((i, j) for i, j in pairs if frozenset((self.keys[i], self.keys[j])) not in self.off)

    def to_state(self) -> dict[str, Any]:
        """Return plain values for a link; records of a file of one's own are never in it."""
        if self.own is not None:
            raise InputError(
                "A link can't hold the records of a file; save the protected file and send that."
            )
        return super().to_state()

    def saved(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "keys": list(self.keys),
            "settings": asdict(self.settings),
            "off": sorted(sorted(pair) for pair in self.off),
            "recodes": [[name, one.how, one.number] for name, one in self.recodes],
            "suppress": self.suppress,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        return cls(
            tuple(str(name) for name in saved["keys"]),
            FileSettings(**saved["settings"]),
            frozenset(frozenset(map(str, pair)) for pair in saved["off"]),
            tuple((str(name), Recode(how, number)) for name, how, number in saved["recodes"]),
            saved["suppress"] is True,
        )
