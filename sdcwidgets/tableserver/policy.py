"""Policy of a table generator: release rules with a section `[generator]`.

```toml
[rule]
name = "Census tables"
source = "Disclosure panel, May 2026"

[method]                   # optional; cell-key with D = 10 and V = 3 for a public generator
name = "cell-key"
D = 10
V = 3

[generator]                # all optional but the first
policy = "public"          # each count gets noise, which may be 0; or "study"
dimensions = 3             # the rules of `Rules`, with dashes
area = "Region"            # rules apply to each area; only areas that violate a rule are suppressed
area-people = 100
apart = [["Religion", "Ethnic group"]]
rate = 60                  # maximum requests per minute and user
weight = "W"               # publish sums of this column: people with noise times their mean weight
weighted-people = 10       # weighted counts of fewer people (with noise) are suppressed

[generator.groups]         # groups of categories: a CSV file "label,parent", or lists by group name
Region = "regions.csv"
Age = { "0-14" = ["0-4", "5-9", "10-14"] }
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets._util.parameters import declared
from sdcwidgets.assessment.verdict import rule_file
from sdcwidgets.methods import Method, get
from sdcwidgets.methods.cellkey import CellKey
from sdcwidgets.tableserver.geography import read_levels
from sdcwidgets.tableserver.rules import Groupings, Rules

#: Guarantee of each policy.
KINDS = {
    "public": "Each count of a table gets noise, which may be 0. The same group of people always gets the same noise. "
    "No released table depends on earlier requests.",
    "study": "Tables with a low risk are released with original counts. Each table is "
    "checked together with all tables released before.",
}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _are_lists(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(names, list) and len(names) > 1 for names in value)


def _from_to(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and least <= value <= most


@dataclass(frozen=True)
class PolicyKey:
    """A key of the section `[generator]` of a policy.

    Attributes
    ----------
    name : str
    allowed : str
        Allowed values, in words.
    default : object
        Value if the policy does not contain the key; None if the key is required.
    help : str
        Effect of the key, one sentence or more.
    """

    name: str
    allowed: str
    default: object
    help: str


#: Keys other than rules: default, check of a value, allowed values and effect.
_OTHERS: dict[str, tuple[object, Callable[[Any], bool], str, str]] = {
    "area": (
        "",
        _is_text,
        "the name of a variable of the data",
        "Variable of areas. The rules apply to each area, and only areas that fail a rule are suppressed.",
    ),
    "apart": (
        [],
        _are_lists,
        'lists of two or more variables, such as [["Religion", "Ethnic group"]]',
        "Variables that cannot be combined in one table.",
    ),
    "rate": (
        60,
        _from_to(0, 1_000_000),
        "a whole number of requests per minute (0 = no limit)",
        "Maximum number of requests per minute and user.",
    ),
    "weight": (
        "",
        _is_text,
        "the name of a column of the data",
        "Column of weights. The generator publishes numbers of people with noise, times their mean weight.",
    ),
    "weighted-people": (
        10,
        _from_to(1, 1_000),
        "a whole number of people from 1 to 1,000",
        "Weighted numbers of fewer people, counted with noise, are suppressed.",
    ),
    "groups": (
        {},
        _is_table,
        "a section with one key per variable",
        "Groups of categories of each variable: a CSV file with a label and its parent per row, or lists of "
        "categories by the name of their group.",
    ),
}

_KEYS = ("policy", *_OTHERS)


@dataclass(frozen=True)
class Policy:
    """Policy of a generator.

    Attributes
    ----------
    kind : {"public", "study"}
    rules : Rules
    method : Method
    groups : mapping of str to list of groupings
        Broader categories of each variable, finest level first.
    rate : int
        Maximum number of requests per minute and user; 0 for no limit.
    name, source : str
        Name of the policy, and its author.
    weight : str
        Column of weights. Each published number is then a number of people with noise, times their mean weight.
    weighted_people : int
        Weighted numbers of fewer people (with noise) are suppressed. Rules apply to unweighted numbers of people.
    """

    kind: Literal["public", "study"] = "public"
    rules: Rules = field(default_factory=lambda: Rules(after=1.0))
    method: Method = field(default_factory=lambda: CellKey(D=10, V=3))
    groups: Groupings = field(default_factory=dict)
    rate: int = 60
    name: str = "Default policy"
    source: str = ""
    weight: str = ""
    weighted_people: int = 10

    @classmethod
    def load(cls, path: Path, labels_of: Callable[[str], Sequence[str]]) -> Self:
        """Return the policy of a file.

        Parameters
        ----------
        path : Path
        labels_of : callable
            Function that returns the categories of a variable; it raises InputError for an unknown variable.

        Raises
        ------
        InputError
            If the file cannot be read, or has an unknown key or a wrong value. The message names file and key.
        """
        rule = rule_file.load(path)
        section = rule.others.get("generator", {})

        def wrong(key: str, problem: str) -> InputError:
            return InputError(f"{path.name}, [generator] {key}: {problem.rstrip('.')}.")

        kind = section.get("policy")
        if kind not in KINDS:
            raise wrong("policy", f"the value must be {' or '.join(KINDS)}")
        known = {rule.name.replace("_", "-"): rule for rule in declared(Rules)}
        start = cls()
        settings: dict[str, Any] = {"after": 1.0 if kind == "public" else Rules().after}
        for key, value in section.items():
            if key not in known and key not in _KEYS:
                raise wrong(
                    key, f"a policy file has no key of this name; the keys are {listed([*known, *_KEYS])}"
                )
            if key in known:
                try:
                    settings[known[key].name] = known[key].check(value)
                except InputError as error:
                    raise wrong(key, str(error)) from None
        values = {key: section.get(key, default) for key, (default, *_) in _OTHERS.items()}
        for key, (_, fits, must, _) in _OTHERS.items():
            if not fits(values[key]):
                raise wrong(key, f"the value must be {must}")
        levels = {}
        for name, value in values["groups"].items():
            try:
                levels[name] = _levels(value, labels_of(name), path.parent)
            except InputError as error:
                raise wrong(f"groups {quoted(name)}", str(error)) from None
        method = rule.method or (start.method if kind == "public" else get("random-rounding")())
        rules = Rules(**settings, area=values["area"], apart=tuple(map(tuple, values["apart"])))
        more = values["weight"], values["weighted-people"]
        return cls(kind, rules, method, levels, values["rate"], rule.name, rule.limits.source, *more)

    def saved(self) -> dict[str, object]:
        """Return plain values for `restored`."""
        method = [
            self.method.name,
            {rule.name: getattr(self.method, rule.name) for rule in declared(type(self.method))},
        ]
        return {**vars(self), "rules": vars(self.rules), "method": method}

    @classmethod
    def restored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the policy of values from `saved`."""
        name, settings = saved["method"]
        groups = {
            name: [{new: tuple(old) for new, old in level.items()} for level in levels]
            for name, levels in saved["groups"].items()
        }
        more = {"rules": Rules(**saved["rules"]), "method": get(name)(**settings), "groups": groups}
        return cls(**{**saved, **more})


def policy_keys() -> tuple[PolicyKey, ...]:
    """Return the keys of the section `[generator]` of a policy, with their defaults in a public policy.

    Examples
    --------
    >>> [key.name for key in policy_keys()][:3]
    ['policy', 'dimensions', 'selections']
    """
    kind = PolicyKey(
        "policy",
        " or ".join(map(quoted, KINDS)),
        None,
        " ".join(f"{name}: {text}" for name, text in KINDS.items()),
    )
    start = Policy().rules
    study = f" The default of a study policy is {Rules().after}."
    rules = [
        PolicyKey(
            rule.name.replace("_", "-"),
            rule.expected,
            getattr(start, rule.name),
            rule.help + (study if rule.name == "after" else ""),
        )
        for rule in declared(Rules)
    ]
    others = [
        PolicyKey(name, allowed, default, text) for name, (default, _, allowed, text) in _OTHERS.items()
    ]
    return (kind, *rules, *others)


def _levels(value: object, labels: Sequence[str], folder: Path) -> list[dict[str, tuple[str, ...]]]:
    """Return the levels of a variable from a file, or from groups by name."""
    if isinstance(value, str):
        return read_levels(folder / value, labels)
    if not (isinstance(value, dict) and all(isinstance(part, list) and part for part in value.values())):
        raise InputError(
            "it must be a CSV file with the columns label and parent, or lists of categories by group name."
        )
    for part in value.values():
        for label in part:
            if label not in labels:
                raise InputError(
                    f"the category {quoted(str(label))} does not exist; the categories are "
                    f"{listed(labels[:12])}."
                )
    return [{str(new): tuple(part) for new, part in value.items()}]
