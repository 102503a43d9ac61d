"""Build refusals: reason, requirement and suggestion, without any counts.

Thresholds are public policy. Suggestions follow from the request and from the public lists of variables and
groups.
"""

from __future__ import annotations

from sdcwidgets._util.labels import listed
from sdcwidgets.tableserver.rules import Groupings, Refusal, Rules
from sdcwidgets.tableserver.tabulate import Query, Tabulator

REASONS = {
    "dimensions": "The table has too many variables.",
    "selections": "People are selected by too many variables besides those of the table.",
    "apart": "These variables may not stand in one question.",
    "groups": "These groups are not among those that are offered.",
    "nested": "This population is not in the lists.",
    "people": "Too few people are selected.",
    "mean": "The table has too many cells for its people.",
    "small": "Too many cells would hold one or two people.",
    "dominance": "Nearly all people would be in one cell.",
    "area_people": "Every area has too few people.",
    "difference": "A very small group could become known from this table, alone or with tables released before.",
    "before": "The risk of this table is too high, and no protection is chosen.",
    "after": "The risk that is left after protection is too high.",
    "utility": "Protection would change this table too much to be of use.",
}

#: Rules that depend on the request alone.
OF_THE_QUESTION = ("dimensions", "selections", "apart", "groups", "nested")

#: Suggestions that do not depend on the request. The other rules concern small counts, for which a coarser
#: table helps.
ADVICE = {
    "dimensions": "Leave a variable out.",
    "selections": "Select people by fewer variables.",
    "groups": "Choose the groups from the lists, so that tables fit together.",
    "nested": "Choose one category, or one group that is offered; show a group as a whole, or leave it out.",
    "people": "Choose a larger population.",
    "apart": "Ask for them in different tables.",
    "area_people": "Choose larger areas, or fewer variables that select people.",
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
    It needs at least 5 people per cell on average, empty cells counted too.
    >>> print(answer.advice)
    Try one of these: put Age into broad groups; leave out Age, which has most categories; count everybody.
    """
    advice = ADVICE.get(rule) or _coarser(query, data, offered)
    return Refusal(rule, REASONS[rule], _required(rule, rules), advice)


def _required(rule: str, rules: Rules) -> str:
    match rule:
        case "dimensions":
            return f"A table may have at most {_number(rules.dimensions, 'variable', 'variables')}."
        case "selections":
            return f"At most {_number(rules.selections, 'variable', 'variables')} may select people."
        case "people":
            return f"A table needs at least {_number(rules.people, 'person', 'people')}."
        case "mean":
            return f"It needs at least {rules.mean:g} people per cell on average, empty cells counted too."
        case "small":
            return f"At most {rules.small:.0%} of all cells may hold one or two people."
        case "apart":
            return f"Not together: {'; '.join(listed(names) for names in rules.apart)}."
        case "dominance":
            return f"One cell may hold at most {rules.dominance:.0%} of the people."
        case "area_people":
            return f"An area needs at least {_number(max(1, rules.area_people), 'person', 'people')}."
        case "difference":
            return f"No group of 1 to {rules.difference} may become known."
        case "before":
            return f"Without protection a table needs a risk below T₁ = {rules.before:g}."
        case "after":
            return f"At most T₂ = {rules.after:g} may be left."
        case "utility":
            return f"A table must keep a utility, 1 − HD/√N, of at least T₃ = {rules.utility:g}."
    return ""


def _coarser(query: Query, data: Tabulator, offered: Groupings) -> str:
    """Return suggestions for a coarser table."""
    ways = []
    if finer := [name for name in query.by if offered.get(name) and name not in query.groups]:
        ways.append(f"put {' and '.join(finer)} into broad groups")
    if len(query.by) > 1:
        sizes = {name: categories(query, data, name) for name in query.by}
        ways.append(f"leave out {max(sizes, key=lambda name: sizes[name])}, which has most categories")
    if any(name not in query.by for name in query.where):
        ways.append("count everybody")
    if not ways:
        return "Ask for another variable, with fewer categories."
    return f"Try {'one of these: ' if len(ways) > 1 else 'this: '}{'; '.join(ways)}."


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
