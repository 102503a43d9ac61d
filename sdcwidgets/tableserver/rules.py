"""What may be asked of a table generator: rules with thresholds, each with its reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sdcwidgets.parameters import Declared, Help, Label, Range
from sdcwidgets.tabulate import Query, Tabulation

__all__ = ["Refusal", "Rules", "check_query", "check_table"]


@dataclass(frozen=True)
class Refusal:
    """Why a table is not released: the rule by its name, and a sentence that tells no count.

    >>> bool(Refusal("people", "Too few people are selected."))
    False
    """

    rule: str
    reason: str

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Rules(Declared):
    """The thresholds of a table generator.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 2.3 (the rules before any protection) and section 5.1 (three
    dimensions, one more variable for the population); thesis, section 5.2 (T1, T2, T3).
    """

    dimensions: Annotated[
        int, Range(1, 6), Label("Most variables of a table"), Help("More variables make smaller cells.")
    ] = 3
    selections: Annotated[
        int,
        Range(0, 6),
        Label("Most variables that select people"),
        Help("Variables besides those of the table by which a population may be chosen."),
    ] = 1
    people: Annotated[
        int, Range(1, 100_000), Label("Fewest people"), Help("A smaller population gets no table.")
    ] = 1000
    mean: Annotated[
        float,
        Range(0, 1000, 0.5),
        Label("Least mean cell size"),
        Help("People per cell, empty cells counted too."),
    ] = 5.0
    small: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Largest share of small cells"),
        Help("The share of all cells that hold one or two people."),
    ] = 0.2
    difference: Annotated[
        int,
        Range(0, 20),
        Label("Largest group two tables must not single out"),
        Help("Tables released as they are must not differ by so few people; 0: not checked."),
    ] = 2
    before: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Risk before, T₁"),
        Help("A table with a risk below this is released as it is."),
    ] = 0.05
    after: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Risk left, T₂"),
        Help("A protected table with a higher risk is refused."),
    ] = 0.2
    utility: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Least utility, T₃"),
        Help("A protected table that keeps less than this of the information, 1 − HD/√N, is refused."),
    ] = 0.9


def check_query(
    rules: Rules, query: Query, allowed: dict[str, list[dict[str, tuple[str, ...]]]]
) -> Refusal | None:
    """Return why a query is refused, or None; no data are looked at.

    Parameters
    ----------
    allowed : dict
        For each variable the groupings that users may choose, nested in each other, so that no two of them
        single out a part of a group.
    """
    if len(query.by) > rules.dimensions:
        return Refusal("dimensions", f"A table may have at most {rules.dimensions} variables; leave one out.")
    besides = [name for name in query.where if name not in query.by]
    if len(besides) > rules.selections:
        return Refusal(
            "selections",
            f"People may be selected by at most {rules.selections} variables besides those of the table.",
        )
    for name, groups in query.groups.items():
        if groups not in allowed.get(name, []):
            return Refusal(
                "groups",
                f"{name} may only be put into the groups that are offered, so that tables fit together.",
            )
    return None


def check_table(rules: Rules, found: Tabulation) -> Refusal | None:
    """Return why a table is refused before its risk is measured, or None."""
    if found.people < rules.people:
        return Refusal("people", "Too few people are selected; choose a larger population.")
    if found.people < rules.mean * found.cells:
        return Refusal(
            "mean", "The table has too many cells for its people; choose fewer or wider categories."
        )
    small = int(np.count_nonzero(found.counts <= 2))
    if small > rules.small * found.cells:
        return Refusal("small", "Too many cells would hold one or two people; choose wider categories.")
    return None
