"""What one can choose on the microdata page: keys, a model, recodings, PRAM, and whether values are blanked."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Choices, Declared, Help, Label, Range, StochasticMatrix
from sdcwidgets._util.values import with_fields
from sdcwidgets.microdata import Microdata
from sdcwidgets.microdata.data import Variable
from sdcwidgets.microdata.recoding import bottom_code, group, intervals, quantiles, top_code
from sdcwidgets.microdata.sampling import DESIGN_TITLES
from sdcwidgets.widgets.studies.links import Linked

Matrix = tuple[tuple[float, ...], ...]
T = TypeVar("T")

#: People of the known population from which the page draws its samples.
PEOPLE = 100_000

#: Number of random bits of the secret that PRAM draws from.
SECRET_BITS = 128

#: What the page begins with.
START = ("household size", "age", "sex", "citizenship")

SCALING_TITLES = {"formula": "λ = μ/π", "sdcmicro": "λ = μ, as sdcMicro"}

MODEL_TITLES = {
    "standard": "Standard",
    "clogg-eliason": "Clogg–Eliason",
    "pseudo-likelihood": "Pseudo maximum likelihood",
    "weighted": "Weighted",
}


@dataclass(frozen=True)
class MicrodataSettings(Declared):
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
    ] = "main"
    scaling: Annotated[
        str,
        Choices(SCALING_TITLES),
        Label("Scaling"),
        Help("μ is the expected count of the sample. The formula needs that of the population, λ = μ/π."),
    ] = "formula"
    order: Annotated[
        str,
        Choices({"individual": "Individual risk", "dis-suda": "DIS-SUDA score"}),
        Label("Order"),
        Help(
            "Individual risk knows the weights; the DIS-SUDA score knows how few of the values make a record unique."
        ),
    ] = "individual"
    k: Annotated[
        int,
        Range(2, 20),
        Label("k"),
        Help("Each record must be in a group of at least so many with the same key, itself included."),
    ] = 3
    blanks: Annotated[
        str,
        Choices({"share": "its share", "any": "any value, as sdcMicro"}),
        Label("A blank counts as"),
        Help(
            "An intruder knows how frequent each value is: a blank that counts as any value hides nearly nobody."
        ),
    ] = "share"
    keep: Annotated[
        str,
        Choices(
            {
                "fewest": "as many values as can be",
                "order": "the keys chosen first",
                "costs": "what costs most",
            }
        ),
        Label("Keep"),
    ] = "fewest"
    costs: Annotated[
        str,
        Label("What a blank costs"),
        Help("A key and a number above 0 for each, between commas: age 4, sex 1; others cost 1."),
    ] = ""
    pram_within: Annotated[
        bool,
        Label("Draw values anew (PRAM) within the strata"),
        Help("Each stratum keeps the shares of its own values on average."),
    ] = False
    known: Annotated[
        int,
        Range(0, 12),
        Label("Keys that an intruder knows at once"),
        Help("Each set of so many keys is hidden; 0 for all of them."),
    ] = 0
    threshold: Annotated[
        float,
        Range(0, 1, 0.001),
        Label("Blank only above a risk of"),
        Help(
            "Only records whose individual risk is higher lose values; 0 for all that are hidden by fewer than k."
        ),
    ] = 0.0
    keep_household: Annotated[
        bool,
        Label("Keep the number of the household in the saved file"),
        Help("It tells who lives together, and with that what was blanked; else it is left out."),
    ] = False


class RecodingKind(NamedTuple):
    """A kind of recoding.

    Attributes
    ----------
    title, asks : str
        What it is called in a list, and what is asked for where it needs a number or a category.
    sentence : str
        What it did, for the end of a sentence.
    recode : callable
        What does it, from a variable and what `Recode.argument` returns.
    """

    title: str
    asks: str
    sentence: str
    recode: Callable[[Variable, Any], Variable]


#: The kinds of recodings by their names in links.
KINDS = {
    "intervals": RecodingKind(
        "intervals of equal width", "Number of intervals", "into {} intervals of equal width", intervals
    ),
    "quantiles": RecodingKind(
        "intervals of as many records",
        "Number of intervals",
        "into {} intervals with about as many records each",
        quantiles,
    ),
    "cuts": RecodingKind(
        "intervals of my own", "They begin at", "into intervals that begin at {}", intervals
    ),
    "top": RecodingKind("the top as one", "Top begins at", "its top put together from {} on", top_code),
    "bottom": RecodingKind(
        "the bottom as one", "Bottom ends at", "its bottom put together up to {}", bottom_code
    ),
    "groups": RecodingKind("categories put together", "", "these put together: {}", group),
}


@dataclass(frozen=True)
class Recode:
    """A recoding of one variable: intervals, an end that is put together, or groups of categories.

    Attributes
    ----------
    how : str
        One of `KINDS`.
    at : int or str
        How many intervals, where they begin as "18, 35, 65", or where the end begins: a number, or a category.
    groups : tuple of tuple of str
        The labels that become one category each.
    """

    how: str
    at: int | str = 0
    groups: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        kinds = {"intervals": (int,), "quantiles": (int,), "cuts": (str,)}.get(self.how, (int, str))
        if self.how not in KINDS or type(self.at) not in kinds:
            raise InputError(
                "A recoding is into a number of intervals, into groups, or puts the top or the bottom together at a"
                " number or a category."
            )

    @property
    def argument(self) -> Any:
        """What the function of its kind takes: numbers where intervals of one's own begin, groups by name, or `at`."""
        if self.how == "groups":
            return self.named
        if self.how != "cuts":
            return self.at
        try:
            return [float(part) for part in str(self.at).replace(";", ",").split(",") if part.strip()]
        except ValueError:
            raise InputError(
                f"The cuts are {quoted(str(self.at))}; give numbers that rise, such as 18, 35, 65."
            ) from None

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        """The groups by the names that they get: their labels with a plus between them."""
        return {" + ".join(labels): labels for labels in self.groups}


def _with(pairs: tuple[tuple[str, T], ...], name: str, value: T | None) -> tuple[tuple[str, T], ...]:
    """Return pairs with this value last instead of what the name had, or without the name where there is none."""
    others = tuple(pair for pair in pairs if pair[0] != name)
    return (*others, (name, value)) if value else others


@dataclass(frozen=True)
class MicrodataState(Linked):
    """A file, what an intruder may know of it, and how it is protected.

    Attributes
    ----------
    keys : tuple of str
        The key variables, in the order in which they were chosen.
    settings : MicrodataSettings
    off : frozenset of frozenset of str
        The interactions that were switched off; the model has the others where its terms are "chosen".
    recodes : tuple of (str, Recode)
    pram : tuple of (str, float or tuple of tuple of float)
        Variables to which post-randomisation is applied, and the share of their values that is drawn anew, or a matrix
        of one's own.
    suppress : bool
        Whether values are blanked until the file is k-anonymous.
    own : Microdata or None
        A file that was opened; None for a sample of the known population.
    title : str
    secret : int
        The seed of PRAM. Each file that is opened gets a new one. It is never written into links, reports, scripts or
        code: anyone who knows the seed can undo PRAM.
    """

    keys: tuple[str, ...] = START
    settings: MicrodataSettings = field(default_factory=MicrodataSettings)
    off: frozenset[frozenset[str]] = frozenset()
    recodes: tuple[tuple[str, Recode], ...] = ()
    pram: tuple[tuple[str, float | Matrix], ...] = ()
    suppress: bool = False
    own: Microdata | None = None
    title: str = "Sample of a known population"
    secret: int = field(default_factory=partial(secrets.randbits, SECRET_BITS), repr=False, compare=False)

    def set(self, **changes: object) -> Self:
        """Return the state under other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def switched(self, key: str, on: bool) -> Self:
        """Return the state with a key variable added at the end, or without it."""
        others = tuple(name for name in self.keys if name != key)
        return replace(self, keys=(*others, key) if on else others)

    def paired(self, first: str, second: str, on: bool) -> Self:
        """Return the state with an interaction in the model, or without it."""
        pair = frozenset((first, second))
        return replace(self, off=self.off - {pair} if on else self.off | {pair})

    def recoded(self, name: str, recode: Recode | None) -> Self:
        """Return the state with another recoding of a variable, or without one."""
        return replace(self, recodes=_with(self.recodes, name, recode))

    def grouped(self, name: str, labels: Sequence[str]) -> Self:
        """Return the state in which these categories of a variable, groups among them, are put together.

        Raises
        ------
        InputError
            If there are fewer than two.
        """
        if len(labels) < 2:
            raise InputError("Tick two categories or more, and then put them together.")
        before = dict(self.recodes).get(name)
        named = before.named if before is not None and before.how == "groups" else {}
        together = tuple(part for label in labels for part in named.get(label, (label,)))
        others = tuple(parts for label, parts in named.items() if label not in labels)
        return self.recoded(name, Recode("groups", groups=(*others, together)))

    def randomised(self, name: str, share: float | Matrix) -> Self:
        """Return the state in which this share of a variable's values is drawn anew, or by a matrix of one's own."""
        return replace(self, pram=_with(self.pram, name, share))

    def with_role(self, name: str, role: str) -> Self:
        """Return the state in which a variable of one's own file has another role; it is no key if it can't be one."""
        if self.own is None:
            raise InputError("The roles of the sample are known; open a file of your own to say who is what.")
        own = self.own.with_roles(self.own.roles.with_role(name, role))
        keys = tuple(key for key in self.keys if key not in (own.weight, own.household, *own.left_out))
        if not keys:
            raise InputError(f"{quoted(name)} is the only key; choose another key first.")
        return replace(self, own=own, keys=keys)

    @property
    def costs(self) -> dict[str, float]:
        """What a blank of each key costs, as the settings say.

        >>> MicrodataState().set(keep="costs", costs="age 4, household size 0.5").costs
        {'age': 4.0, 'household size': 0.5}
        """
        costs = {}
        for part in self.settings.costs.replace("=", " ").split(",") if self.settings.keep == "costs" else ():
            name, _, cost = part.strip().rpartition(" ")
            try:
                costs[name.strip()] = float(cost)
            except ValueError:
                name = ""
            if part.strip() and not (name and 0 < costs[name.strip()] < math.inf):
                raise InputError(
                    f"The costs have {quoted(part.strip())}; give a key and a number above 0, such as age 4."
                )
        return costs

    @property
    def suppression(self) -> dict[str, Any]:
        """What `suppressed` is told beside the file, the keys and k."""
        settings, strata = self.settings, () if self.own is None else self.own.strata
        options: dict[str, Any] = {
            "importance": list(self.keys) if settings.keep == "order" else (),
            "costs": self.costs,
        }
        if settings.blanks == "any":
            options["alpha"] = 1
        else:
            options |= {"strata": strata, "known": settings.known, "threshold": settings.threshold}
        return {name: value for name, value in options.items() if value}

    @property
    def margins(self) -> tuple[tuple[int, int], ...]:
        """The interactions of the model, as places of the keys."""
        if self.settings.terms == "main":
            return ()
        off = () if self.settings.terms == "two-way" else self.off
        pairs = combinations(range(len(self.keys)), 2)
        return tuple((i, j) for i, j in pairs if frozenset((self.keys[i], self.keys[j])) not in off)

    def to_state(self) -> dict[str, object]:
        """Return plain values for a link; records of a file of one's own are never in it."""
        if self.own is not None:
            raise InputError(
                "A link can't hold the records of a file; save the protected file and send that."
            )
        return super().to_state()

    def saved(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "keys": list(self.keys),
            "settings": asdict(self.settings),
            "off": sorted(sorted(pair) for pair in self.off),
            "recodes": [[name, recode.how, recode.at, recode.groups] for name, recode in self.recodes],
            "pram": self.pram,
            "suppress": self.suppress,
        }

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the state of such values."""
        matrix = StochasticMatrix()
        return cls(
            tuple(str(name) for name in saved["keys"]),
            MicrodataSettings(**saved["settings"]),
            frozenset(frozenset(map(str, pair)) for pair in saved["off"]),
            tuple(
                (str(name), Recode(how, at, tuple(tuple(map(str, labels)) for labels in groups)))
                for name, how, at, groups in saved["recodes"]
            ),
            tuple(
                (str(name), matrix.check(share) if isinstance(share, list | tuple) else float(share))
                for name, share in saved["pram"]
            ),
            saved["suppress"] is True,
        )
