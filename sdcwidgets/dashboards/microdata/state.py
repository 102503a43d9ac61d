"""State of the page Microdata: key variables, model, recodings, PRAM, and suppression."""

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
from sdcwidgets.widgets.page_state.links import Linked

Matrix = tuple[tuple[float, ...], ...]
T = TypeVar("T")

#: Number of people in the known population from which samples are drawn.
PEOPLE = 100_000

#: Number of random bits of the seed of PRAM.
SECRET_BITS = 128

#: Initial key variables.
START = ("household size", "age", "sex", "citizenship")

SCALING_TITLES = {"formula": "λ = μ/π", "sdcmicro": "λ = μ (sdcMicro)"}

MODEL_TITLES = {
    "standard": "Standard",
    "clogg-eliason": "Clogg–Eliason",
    "pseudo-likelihood": "Pseudo maximum likelihood",
    "weighted": "Weighted",
}


@dataclass(frozen=True)
class MicrodataSettings(Declared):
    """Settings of the page in addition to the key variables."""

    design: Annotated[
        str,
        Choices(DESIGN_TITLES),
        Label("Sample"),
        Help("Design by which whole households are drawn from a known population of 100,000 people."),
    ] = "srs"
    households: Annotated[int, Range(50, 5000, 50), Label("Number of households in the sample")] = 1000
    seed: Annotated[int, Range(0, 2**32 - 1), Label("Seed")] = 1
    model: Annotated[str, Choices(MODEL_TITLES), Label("Model")] = "standard"
    terms: Annotated[
        str,
        Choices({"main": "Main effects", "chosen": "Selected pairs", "two-way": "All pairs"}),
        Label("Terms of the log-linear model"),
        Help(
            "A model with main effects assumes independent key variables. Each added pair is the "
            "interaction of two key variables."
        ),
    ] = "main"
    cells: Annotated[
        str,
        Choices({"crossing": "All combinations", "occurring": "Combinations in the population"}),
        Label("Combinations of key values in the model"),
        Help(
            "The model contains all combinations of key values, even if nobody has them, or only the "
            "combinations in a known population. The choice changes the estimates."
        ),
    ] = "crossing"
    numbers: Annotated[
        bool,
        Label("Treat numeric key variables as numbers"),
        Help(
            "In the model, a numeric key variable such as age has one coefficient instead of one "
            "coefficient per category."
        ),
    ] = False
    scaling: Annotated[
        str,
        Choices(SCALING_TITLES),
        Label("Scaling"),
        Help(
            "μ is the expected count in the sample. The formula uses the expected count in the population, λ = μ/π."
        ),
    ] = "formula"
    order: Annotated[
        str,
        Choices({"individual": "Individual risk", "dis-suda": "DIS-SUDA score"}),
        Label("Order"),
        Help(
            "Individual risk uses the sampling weights. The DIS-SUDA score is higher if a record is unique "
            "by fewer key values."
        ),
    ] = "individual"
    k: Annotated[
        int,
        Range(2, 20),
        Label("Minimum class size k"),
        Help("Minimum number of records with the same key values, including the record itself."),
    ] = 3
    blanks: Annotated[
        str,
        Choices({"share": "Each value, with its share", "any": "Any value (as in sdcMicro)"}),
        Label("Values that a suppressed value matches"),
        Help(
            "If a suppressed value matches any value, the class size is overestimated, because an intruder "
            "knows how frequent each value is."
        ),
    ] = "share"
    keep: Annotated[
        str,
        Choices(
            {
                "fewest": "Fewest suppressed values",
                "order": "Fewest in the first key variables",
                "costs": "Lowest total suppression cost",
            }
        ),
        Label("Suppression priority"),
    ] = "fewest"
    costs: Annotated[
        str,
        Label("Costs of suppressed values"),
        Help(
            "A positive cost for each key variable, separated by commas, such as age 4, sex 1. A key "
            "variable without a number has the cost 1."
        ),
    ] = ""
    pram_within: Annotated[
        bool,
        Label("Apply PRAM within strata"),
        Help("The shares of the values in each stratum are preserved on average."),
    ] = False
    known: Annotated[
        int,
        Range(0, 12),
        Label("Number of key variables known to an intruder"),
        Help(
            "Every set of this number of key variables is made k-anonymous. 0 means all key variables together."
        ),
    ] = 0
    threshold: Annotated[
        float,
        Range(0, 1, 0.001),
        Label("Minimum individual risk for suppression"),
        Help(
            "Values are suppressed only in records whose individual risk is above this minimum. 0 includes "
            "all records with a class size below k."
        ),
    ] = 0.0
    keep_household: Annotated[
        bool,
        Label("Keep the household number in the saved file"),
        Help(
            "The household number shows who lives together, which can reveal suppressed "
            "values. If this option is off, the saved file does not contain the household number."
        ),
    ] = False


class RecodingKind(NamedTuple):
    """A kind of recoding.

    Attributes
    ----------
    title, asks : str
        Name in the list of recodings, and label of its number or category.
    sentence : str
        Description for the end of a sentence.
    recode : callable
        Function of a variable and the value of `Recode.argument`.
    """

    title: str
    asks: str
    sentence: str
    recode: Callable[[Variable, Any], Variable]


#: Kinds of recodings by their names in links.
KINDS = {
    "intervals": RecodingKind(
        "classes of equal width", "Number of classes", "into {} classes of equal width", intervals
    ),
    "quantiles": RecodingKind(
        "classes with equal numbers of records",
        "Number of classes",
        "into {} classes with about equal numbers of records",
        quantiles,
    ),
    "cuts": RecodingKind(
        "classes with custom boundaries",
        "Lower boundaries of the classes",
        "into classes that begin at {}",
        intervals,
    ),
    "top": RecodingKind("top coding", "Lower bound of the top category", "with top coding from {}", top_code),
    "bottom": RecodingKind(
        "bottom coding", "Upper bound of the bottom category", "with bottom coding up to {}", bottom_code
    ),
    "groups": RecodingKind("merged categories", "", "with merged categories: {}", group),
}


@dataclass(frozen=True)
class Recode:
    """A recoding of one variable: classes, top or bottom coding, or merged categories.

    Attributes
    ----------
    how : str
        One of `KINDS`.
    at : int or str
        Number of classes, class boundaries such as "18, 35, 65", or the boundary of top or bottom coding.
    groups : tuple of tuple of str
        Labels that are merged into one category each.
    """

    how: str
    at: int | str = 0
    groups: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        kinds = {"intervals": (int,), "quantiles": (int,), "cuts": (str,)}.get(self.how, (int, str))
        if self.how not in KINDS or type(self.at) not in kinds:
            raise InputError(
                "A recoding must have a number of classes, class boundaries, a boundary of top or bottom coding, or"
                " groups of categories."
            )

    @property
    def argument(self) -> Any:
        """Second argument of the function of its kind: class boundaries, groups by name, or `at`."""
        if self.how == "groups":
            return self.named
        if self.how != "cuts":
            return self.at
        try:
            return [float(part) for part in str(self.at).replace(";", ",").split(",") if part.strip()]
        except ValueError:
            raise InputError(
                f"The class boundaries are {quoted(str(self.at))}; they must be increasing numbers, such as 18, 35, 65."
            ) from None

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        """Groups by their names, which are their labels separated by plus signs."""
        return {" + ".join(labels): labels for labels in self.groups}


def _with(pairs: tuple[tuple[str, T], ...], name: str, value: T | None) -> tuple[tuple[str, T], ...]:
    """Return pairs with a value of a name, placed last; a false value removes the name."""
    others = tuple(pair for pair in pairs if pair[0] != name)
    return (*others, (name, value)) if value else others


@dataclass(frozen=True)
class MicrodataState(Linked):
    """A file, its key variables, and its protection.

    Attributes
    ----------
    keys : tuple of str
        Key variables, in the order of their selection.
    settings : MicrodataSettings
    off : frozenset of frozenset of str
        Interactions that are excluded from the model if its terms are "chosen".
    recodes : tuple of (str, Recode)
    pram : tuple of (str, float or tuple of tuple of float)
        Variables with post-randomisation, each with the probability that a value is replaced, or a transition matrix.
    suppress : bool
        Whether values are suppressed until the file is k-anonymous.
    own : Microdata or None
        A file of the user, None for a sample of the known population.
    title : str
    secret : int
        The seed of PRAM and of local suppression. Each file that is opened gets a new one. It is never written into
        links, reports, scripts or code: anyone who knows the seed can undo PRAM.
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
        """Return the state with other settings."""
        return replace(self, settings=with_fields(self.settings, **changes))

    def switched(self, key: str, on: bool) -> Self:
        """Return the state with a key variable added at the end, or removed."""
        others = tuple(name for name in self.keys if name != key)
        return replace(self, keys=(*others, key) if on else others)

    def paired(self, first: str, second: str, on: bool) -> Self:
        """Return the state with an interaction included in the model or not."""
        pair = frozenset((first, second))
        return replace(self, off=self.off - {pair} if on else self.off | {pair})

    def recoded(self, name: str, recode: Recode | None) -> Self:
        """Return the state with another recoding of a variable, or without one."""
        return replace(self, recodes=_with(self.recodes, name, recode))

    def grouped(self, name: str, labels: Sequence[str]) -> Self:
        """Return the state with these categories of a variable merged; they may include merged ones.

        Raises
        ------
        InputError
            If there are fewer than two categories.
        """
        if len(labels) < 2:
            raise InputError("Select at least two categories to merge.")
        before = dict(self.recodes).get(name)
        named = before.named if before is not None and before.how == "groups" else {}
        together = tuple(part for label in labels for part in named.get(label, (label,)))
        others = tuple(parts for label, parts in named.items() if label not in labels)
        return self.recoded(name, Recode("groups", groups=(*others, together)))

    def randomised(self, name: str, share: float | Matrix) -> Self:
        """Return the state with PRAM applied to a variable, by a probability or a transition matrix."""
        return replace(self, pram=_with(self.pram, name, share))

    def with_role(self, name: str, role: str) -> Self:
        """Return the state with another role of a variable of the user's file; key variables may become invalid."""
        if self.own is None:
            raise InputError("The roles of the sample are fixed. Open your own file to set roles.")
        own = self.own.with_roles(self.own.roles.with_role(name, role))
        keys = tuple(key for key in self.keys if key not in (own.weight, own.household, *own.left_out))
        if not keys:
            raise InputError(f"{quoted(name)} is the only key variable. Select another key variable first.")
        return replace(self, own=own, keys=keys)

    @property
    def costs(self) -> dict[str, float]:
        """Cost of a suppressed value by key variable, from the settings.

        Examples
        --------
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
                    f"The costs include {quoted(part.strip())}; use a key variable and a positive number, such "
                    "as age 4."
                )
        return costs

    @property
    def suppression(self) -> dict[str, Any]:
        """Optional arguments of `suppressed`."""
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
        """Interactions of the model, as pairs of indices of key variables."""
        if self.settings.terms == "main":
            return ()
        off = () if self.settings.terms == "two-way" else self.off
        pairs = combinations(range(len(self.keys)), 2)
        return tuple((i, j) for i, j in pairs if frozenset((self.keys[i], self.keys[j])) not in off)

    def to_state(self) -> dict[str, object]:
        """Return the state as plain values for a link.

        Raises
        ------
        InputError
            If the state has a file of the user, whose records are never in a link.
        """
        if self.own is not None:
            raise InputError(
                "Links cannot contain the records of a file. Save the protected file and send it instead."
            )
        return super().to_state()

    def saved(self) -> dict[str, object]:
        """Return the state as plain values."""
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
        """Return the state from plain values."""
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
