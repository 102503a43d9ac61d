"""Release rules of a table generator and their thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.arguments import check_kind, check_texts
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Declared, Help, Label, Range
from sdcwidgets.tableserver.tabulate import Query, Tabulator

#: Available groupings of each variable: new categories, each a set of old ones.
Groupings = Mapping[str, list[dict[str, tuple[str, ...]]]]


@dataclass(frozen=True)
class Refusal:
    """Reason why a table is not released; its texts contain no counts.

    Attributes
    ----------
    rule : str
        Name of the violated rule.
    reason : str
        What is wrong with the request.
    required : str
        Requirement of the rule with its threshold, which is public.
    advice : str
        Suggested change of the request, derived from the request alone and not from the data.

    Examples
    --------
    >>> refusal = Refusal("people", "Too few people are selected.", "A table needs at least 1,000 people.")
    >>> bool(refusal), str(refusal)
    (False, 'Too few people are selected. A table needs at least 1,000 people.')
    """

    rule: str
    reason: str
    required: str = ""
    advice: str = ""

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return " ".join(filter(None, (self.reason, self.required, self.advice)))


@dataclass(frozen=True)
class Rules(Declared):
    """Release rules of a table generator.

    Attributes
    ----------
    area : str
        Variable whose categories are areas. If a table contains this variable, the rules on people, mean,
        small cells and the largest share apply to each area, and only areas that violate one are suppressed,
        as at the Office for National Statistics.
    apart : tuple of tuple of str
        Sets of variables that must not occur together in one request.

    References
    ----------
    Shlomo, Antal and Elliot 2015, section 2.3 (the rules before any protection) and section 5.1 (three
    dimensions, one more variable for the population); thesis, section 5.2 (T1, T2, T3).
    """

    dimensions: Annotated[
        int,
        Range(1, 6),
        Label("Maximum number of table variables"),
        Help("With each additional variable, the cells of a table contain fewer people."),
    ] = 3
    selections: Annotated[
        int,
        Range(0, 6),
        Label("Maximum number of selection variables"),
        Help(
            "Maximum number of variables that select the population of a table and are not variables of "
            "the table."
        ),
    ] = 1
    nested: Annotated[
        bool,
        Label("Permit only listed populations"),
        Help(
            "If this option is on, users can select one category or one listed group as the population. If "
            "this option is off, users can combine categories freely, and average out the noise."
        ),
    ] = True
    people: Annotated[
        int,
        Range(1, 100_000),
        Label("Minimum number of people in a table"),
        Help("Requests for a smaller population are refused."),
    ] = 1000
    mean: Annotated[
        float,
        Range(0, 1000, 0.5),
        Label("Minimum mean number of people per cell"),
        Help("Number of people in a table divided by the number of its cells, including empty cells."),
    ] = 5.0
    small: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Maximum share of cells with small counts"),
        Help("Share of the cells of a table that have a count of 1 or 2."),
    ] = 0.2
    difference: Annotated[
        int,
        Range(0, 20),
        Label("Maximum size of a group that must not be disclosed"),
        Help(
            "Unprotected counts and differences of released tables must not disclose a group "
            "of 1 to this number of people. 0 turns the check off."
        ),
    ] = 2
    before: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Maximum risk before protection, T₁"),
        Help("A table whose disclosure risk is below this limit is released without protection."),
    ] = 0.05
    after: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Maximum residual risk, T₂"),
        Help("A protected table with a disclosure risk above this limit is not released."),
    ] = 0.2
    utility: Annotated[
        float,
        Range(0, 1, 0.005),
        Label("Minimum utility, T₃"),
        Help("A protected table whose utility, 1 − HD/√N, is below this limit is not released."),
    ] = 0.9
    area_people: Annotated[
        int,
        Range(0, 100_000),
        Label("Minimum number of people per area"),
        Help(
            "Areas with fewer people than this minimum are suppressed. The other areas of the table are "
            "released."
        ),
    ] = 0
    dominance: Annotated[
        float,
        Range(0, 1, 0.01),
        Label("Maximum share of people in one cell"),
        Help(
            "If nearly all people of an area are in one cell, anyone known to be in the "
            "area is probably in that cell. 1 turns the check off."
        ),
    ] = 1.0
    area: str = ""
    apart: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        check_kind("apart", self.apart, (list, tuple), "a list of lists of variables")
        for names in self.apart:
            check_texts("apart", names)
        super().__post_init__()
        object.__setattr__(self, "apart", tuple(tuple(map(str, names)) for names in self.apart))


def check_query(rules: Rules, query: Query, data: Tabulator, offered: Groupings) -> str | None:
    """Return the rule that a query violates, or None, without using any counts.

    Parameters
    ----------
    rules : Rules
    query : Query
    data : Tabulator
    offered : Groupings
        Available groups, by variable.

    Returns
    -------
    str or None
        One of `refusing.OF_THE_QUESTION`.
    """
    if len(query.by) > rules.dimensions:
        return "dimensions"
    if sum(name not in query.by for name in query.where) > rules.selections:
        return "selections"
    variables = {*query.by, *query.where}
    if any(variables >= set(names) for names in rules.apart):
        return "apart"
    if any(groups not in offered.get(name, []) for name, groups in query.groups.items()):
        return "groups"
    if rules.nested:
        for name, labels in query.where.items():
            chosen = frozenset(labels)
            if name not in query.by:
                allowed = {frozenset(part) for level in offered.get(name, []) for part in level.values()}
                if len(chosen) > 1 and chosen not in allowed | {frozenset(data.variable(name).labels)}:
                    return "nested"
            elif any(0 < len(chosen & set(part)) < len(part) for part in query.groups.get(name, {}).values()):
                return "nested"
    return None


def check_table(rules: Rules, counts: NDArray[np.int64], people: int) -> str | None:
    """Return the rule that a table or an area violates, apart from risk, or None.

    Parameters
    ----------
    rules : Rules
    counts : ndarray
        Counts that a data user would infer.
    people : int
        Total, as it would be published.

    Returns
    -------
    str or None
    """
    if people < rules.people or not counts.any():
        return "people"
    if people < rules.mean * counts.size:
        return "mean"
    if np.count_nonzero((counts == 1) | (counts == 2)) > rules.small * counts.size:
        return "small"
    if counts.size > 1 and counts.max() > rules.dominance * counts.sum():
        return "dominance"
    return None


def check_areas(rules: Rules, counts: NDArray[np.int64], people: NDArray[np.int64]) -> list[str | None]:
    """Return the rule that each area of a table violates, or None.

    Parameters
    ----------
    rules : Rules
    counts : ndarray, shape (areas, ...)
        Counts that a data user would infer; the first axis contains the areas.
    people : ndarray of int64, shape (areas,)
        Total of each area.

    Returns
    -------
    list of str or None
        One item per area.

    Examples
    --------
    >>> check_areas(Rules(area_people=10, mean=0), np.array([[9, 9], [9, 0]]), np.array([18, 9]))
    [None, 'area_people']
    """
    each = replace(rules, people=max(1, rules.area_people))
    broken = [check_table(each, cells, int(number)) for cells, number in zip(counts, people, strict=True)]
    return ["area_people" if rule == "people" else rule for rule in broken]


def check_groupings(offered: Groupings) -> None:
    """Raise InputError if two groups of a variable overlap without being nested.

    The difference of overlapping groups would reveal the counts of their intersection.
    """
    for name, groupings in offered.items():
        groups: Iterable[tuple[str, ...]] = (part for level in groupings for part in level.values())
        for group, other in combinations(map(frozenset, groups), 2):
            if group & other and not (group <= other or other <= group):
                raise InputError(
                    f"Groups of {quoted(name)} overlap at {quoted(min(group & other))}. "
                    "Two groups must be nested or disjoint."
                )
