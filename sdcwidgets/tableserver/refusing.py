"""Build refusals: reason, requirement and suggestion, without any counts.

Thresholds are public policy. Suggestions follow from the request and from the public lists of variables and
groups.
"""

from __future__ import annotations

from sdcwidgets._util.labels import listed
from sdcwidgets.tableserver.rules import Groupings, Refusal, Rules
from sdcwidgets.tableserver.tabulate import Query, Tabulator

REASONS = {
    "dimensions": "The requested table has too many variables.",
    "selections": "The population is selected by too many variables.",
    "apart": "These variables must not be combined in one request.",
    "groups": "The requested groups of categories are not in the list of permitted groups.",
    "nested": "The requested population is not in the list of permitted populations.",
    "people": "Too few people are selected.",
    "mean": "The requested table has too few people per cell.",
    "small": "Too many cells of the requested table have a count of 1 or 2.",
    "dominance": "Nearly all people of the requested table are in one cell.",
    "area_people": "Every area of the requested table has too few people.",
    "difference": "The requested table could disclose a very small group of people, alone or in combination "
    "with tables released before.",
    "before": "The disclosure risk of the requested table is too high, and no protection method is selected.",
    "after": "The disclosure risk of the requested table is too high after protection.",
    "utility": "Protection would change the requested table so much that its utility is too low.",
}

#: Rules that depend on the request alone.
OF_THE_QUESTION = ("dimensions", "selections", "apart", "groups", "nested")

#: Suggestions that do not depend on the request. The other rules concern small counts, for which a coarser
#: table helps.
ADVICE = {
    "dimensions": "Remove a variable from the requested table.",
    "selections": "Use fewer variables to select the population.",
    "groups": "Select groups from the list.",
    "nested": "Select one category or one listed group. A group must be included or excluded as a whole.",
    "people": "Select a larger population.",
    "apart": "Request these variables in separate tables.",
    "area_people": "Select larger areas, or use fewer variables to select the population.",
}


def refusal(rule: str, rules: Rules, query: Query, data: Tabulator, offered: Groupings) -> Refusal:
    """Return the refusal of a query by a rule.

    Parameters
    ----------
    rule : str
        A key of `REASONS`.
    rules : Rules
    query : Query
    data : Tabulator
    offered : Groupings
        Available groups, by variable.

    Returns
    -------
    Refusal

    Examples
    --------
    >>> from sdcwidgets.tableserver.hypercube import GROUPS, hypercube
    >>> data = Tabulator.open(hypercube(), count="Count", key="Key")
    >>> offered = {name: [dict(one)] for name, one in GROUPS.items()}
    >>> asked = Query(["Age", "Sex"], {"Region": ["Region 1"]})
    >>> answer = refusal("mean", Rules(), asked, data, offered)
    >>> print(answer.required)
    A table needs a mean of at least 5 people per cell, including empty cells.
    >>> print(answer.advice.partition(";")[0])
    Use one of these changes: use broader groups of Age
    """
    advice = ADVICE.get(rule) or _coarser(query, data, offered)
    return Refusal(rule, REASONS[rule], _required(rule, rules), advice)


def _required(rule: str, rules: Rules) -> str:
    match rule:
        case "dimensions":
            return f"A table must have at most {_number(rules.dimensions, 'variable', 'variables')}."
        case "selections":
            return (
                "At most "
                f"{_number(rules.selections, 'additional variable', 'additional variables')} "
                "can select the population."
            )
        case "people":
            return f"A table needs at least {_number(rules.people, 'person', 'people')}."
        case "mean":
            return f"A table needs a mean of at least {rules.mean:g} people per cell, including empty cells."
        case "small":
            return f"At most {rules.small:.0%} of the cells can have a count of 1 or 2."
        case "apart":
            return (
                f"Variables that must not be combined: {'; '.join(listed(names) for names in rules.apart)}."
            )
        case "dominance":
            return f"One cell can contain at most {rules.dominance:.0%} of the people."
        case "area_people":
            return f"An area needs at least {_number(max(1, rules.area_people), 'person', 'people')}."
        case "difference":
            return f"Tables must not disclose a group of 1 to {rules.difference} people."
        case "before":
            return f"Without protection, the disclosure risk of a table must be below T₁ = {rules.before:g}."
        case "after":
            return f"The residual disclosure risk of a table must be at most T₂ = {rules.after:g}."
        case "utility":
            return f"The utility of a table, 1 − HD/√N, must be at least T₃ = {rules.utility:g}."
    return ""


def _coarser(query: Query, data: Tabulator, offered: Groupings) -> str:
    """Return suggestions for a coarser table."""
    ways = []
    finer = [name for name in query.by if offered.get(name) and name not in query.groups]
    if finer:
        ways.append(f"use broader groups of {' and '.join(finer)}")
    if len(query.by) > 1:
        sizes = {name: categories(query, data, name) for name in query.by}
        ways.append(f"remove {max(sizes, key=lambda name: sizes[name])}, which has the most categories")
    if any(name not in query.by for name in query.where):
        ways.append("select all people as the population")
    if not ways:
        return "Request a variable with fewer categories."
    return f"{'Use one of these changes' if len(ways) > 1 else 'Change the request'}: {'; '.join(ways)}."


def categories(query: Query, data: Tabulator, name: str) -> int:
    """Return the number of categories of a variable in the table of a query.

    Parameters
    ----------
    query : Query
    data : Tabulator
    name : str
        Name of the variable.

    Returns
    -------
    int
        Number of selected categories, where a group counts as one.
    """
    group_of = {old: new for new, part in query.groups.get(name, {}).items() for old in part}
    labels = query.where.get(name, data.variable(name).labels)
    return len({group_of.get(label, label) for label in labels})


def _number(count: int, single: str, more: str) -> str:
    return f"{count:,} {single if count == 1 else more}"
