"""The table generator in words; what is told at the user's door is what a user may know, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdcwidgets._util.labels import percent, quoted
from sdcwidgets._util.lines import Line, text_lines
from sdcwidgets._util.parameters import declared
from sdcwidgets.core.risk import flexible
from sdcwidgets.dashboards.as_code import arguments, script
from sdcwidgets.dashboards.tables.result import SEED, TablesResult
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.tables.release import Release
from sdcwidgets.tableserver import Refusal, Request, Rules
from sdcwidgets.tableserver.protecting import utility_note
from sdcwidgets.tableserver.refusing import OF_THE_QUESTION
from sdcwidgets.tableserver.tabulate import Query
from sdcwidgets.widgets.texts import Quantity, people, reading
from sdcwidgets.widgets.texts.narration import Narration, Subject

#: What each rule is called where a refusal names it.
RULES = {rule.name: f"{rule.label[0].lower()}{rule.label[1:]}" for rule in declared(Rules)} | {
    "apart": "variables that may not stand together",
    "groups": "groups that are offered",
}


#: The page is for learning, so that its links bring back the same tables.
PUBLIC = (
    f"For learning only: the noise follows from a public seed, {SEED}, and whoever knows it can take it off."
)


def describe_query(query: Query) -> str:
    """Return in words what a query counts.

    >>> describe_query(Query(["Age", "Sex"], {"Region": ["Region 1"]}))
    'Age by Sex. People: Region: Region 1.'
    """
    chosen = [
        f"{name}: {', '.join(labels) if len(labels) < 4 else f'{len(labels)} categories'}"
        for name, labels in query.where.items()
        if name not in query.by
    ]
    partly = [f"{len(query.where[name])} of {name}" for name in query.by if name in query.where]
    summary = f"{' by '.join(query.by)}. People: {'; '.join(chosen) or 'everybody'}."
    return f"{summary} Shown: {'; '.join(partly)}." if partly else summary


def unweighted(weight: str | None) -> str:
    """Return what is said where the records have a sampling weight: tables here count records.

    >>> unweighted("w")
    'The sampling weight "w" is not used: each record counts as one person.'
    """
    if weight is None:
        return ""
    return f"The sampling weight {quoted(weight)} is not used: each record counts as one person."


def lead(result: TablesResult) -> tuple[str, str]:
    """Return whether the table that is chosen may be made, and why."""
    request = result.request
    if not result.current or request is None:
        before = "" if request is None else " Below is another answer."
        return (
            "Ask, and the rules decide.",
            f"You would ask for: {describe_query(result.state.query)}{before}",
        )
    if isinstance(request.answer, Refusal):
        reason, ends = request.answer.reason, f"{request.answer.required} {request.answer.advice}".strip()
        return f"No: {reason[0].lower()}{reason[1:]}", ends
    if request.exact:
        return "Yes, as it is.", "These are the counts, and no method changed them."
    return "Yes, with protected counts.", "The same cell has the same number in every table."


def answered(result: TablesResult) -> str:
    """Return what a user is told of the answer, in a sentence or two."""
    request = result.request
    if request is None:
        return "Nothing was asked yet. Choose a population and variables, then ask."
    if isinstance(request.answer, Refusal):
        return f"Refused by the rule “{RULES[request.answer.rule]}”. {request.answer}"
    if request.exact:
        return "Released: these are the counts as they are."
    return "Released: the counts are protected. The same cell has the same number in every table."


def caption(result: TablesResult) -> str:
    """Return the line below the utility."""
    if result.request is None:
        return ""
    if isinstance(result.request.answer, Refusal):
        return "No table, so no utility. What is lacking is not said in numbers: they would tell the counts."
    if result.request.exact:
        return "Utility, 1 − HD/√N: nothing is lost."
    return f"{utility_note(result.request.read.utility)} 1 is the table as it is. Estimated from what is published."


def narration(result: TablesResult) -> Narration:
    """Return what became of the question, and how much of the table is left."""
    request = result.request
    if request is None:
        return Narration("–", "", answered(result), explain=lambda: ("Utility", explain_utility(result)))
    refused = isinstance(request.answer, Refusal)
    return Narration(
        "Refused" if refused else "Released",
        caption(result),
        answered(result),
        parts=[] if refused else [("kept", request.read.utility)],
        ends=() if refused else ("nothing is left", "as it is"),
        explain=lambda: ("Refusal" if refused else "Utility", explain_utility(result)),
        subject=Subject((result.state.own, request.query), " by ".join(request.query.by)),
    )


def explain_utility(result: TablesResult) -> list[Line]:
    """Return how the utility comes about; nothing of it needs the true counts."""
    if result.request is not None and isinstance(result.request.answer, Refusal):
        return text_lines(*_refused(result.request.answer))
    lines = [
        "HD = √(½ Σ (√F − √G)²) is the Hellinger distance of the true counts F and the published ones G; N = Σ F.",
        "F is secret, and with it HD: of a table with one small cell it would tell that cell.",
        "So F is estimated: which counts are likely behind each published one, by how the method works and by how "
        "often each value is published. Anyone who has the table can compute the same.",
    ]
    if result.release is not None and result.request is not None:
        if result.request.exact:
            lines.append("This table is published as it is: HD = 0, so that the utility is 1.")
        else:
            N, utility = float(np.nansum(result.release.cells)), result.request.read.utility
            HD = f"{(1 - utility) * np.sqrt(N):.3f}"
            lines.append(f"Here N ≈ {N:,.0f} and HD ≈ {HD}: 1 − {HD}/√{N:,.0f} = {utility:.4f}.")
    return text_lines(*lines)


def _refused(refusal: Refusal) -> list[str]:
    help_text = next((rule.help for rule in declared(Rules) if rule.name == refusal.rule), "")
    how_far = (
        "How far this table is from the threshold is not said: who chooses the table could work out a count from it. "
        "The rule looks at what would be published, so that the refusal tells no more than that."
    )
    return [
        f"The rule is “{RULES[refusal.rule]}”. {help_text}".strip(),
        f"{refusal.reason} {refusal.required}".strip(),
        refusal.advice,
        "No count was looked at." if refusal.rule in OF_THE_QUESTION else how_far,
    ]


def metadata(result: TablesResult) -> Iterator[tuple[str, str]]:
    """Yield what stands with a table that is downloaded: a name and a text each."""
    request, release = result.request, result.release
    assert request is not None
    assert release is not None
    yield "Data", result.state.title
    yield "Table", " by ".join(request.query.by)
    for name, labels in request.query.where.items():
        yield ("Shown of " if name in request.query.by else "Population: ") + name, "; ".join(labels)
    for name, parts in request.query.groups.items():
        for new, old in parts.items():
            yield f"{name}, {new}", "; ".join(old)
    for note in release.notes:
        yield "Note", note
    if result.state.own is not None and result.state.own.weight is not None:
        yield "Note", unweighted(result.state.own.weight)
    if not request.exact:
        yield "Note", "The utility is estimated from the published counts."
        if result.state.generator is None:
            yield "Note", PUBLIC


def verdict(result: TablesResult) -> str:
    """Return what the agency should notice of the answer."""
    request = result.request
    if request is None:
        return "Nothing was asked yet; ask at the user’s door."
    true, read = request.true, request.read
    summary = f"Request {result.position + 1} was {_was(request)}."
    if np.isnan(true.before):
        return f"{summary} No count was looked at."
    if np.isnan(true.after) or request.exact:
        return f"{summary} Its risk is {true.before:.3f}."
    taken = (
        "By the printed formula protection leaves more risk than there was, as it can where few counts are small: "
        "read it as none taken away."
    )
    if true.after < true.before:
        taken = f"Protection takes {percent(1 - true.after / true.before)} of the risk away."
    return (
        f"{summary} {taken} The rules decide on what a reader can compute, a risk left of {read.after:.3f}; "
        f"from the true counts it is {true.after:.3f}.{_apart(request)}"
    )


#: Risks of the true counts and of what a reader takes them to be that are further apart are explained.
APART = 0.1


def _apart(request: Request) -> str:
    """Return why the reader's risks are far from the true ones, if they are."""
    true, read = request.true, request.read
    if max(abs(true.before - read.before), abs(true.after - read.after)) <= APART:
        return ""
    return (
        " The two are far apart because a reader does not know the counts: they are estimated from the published ones, "
        f"and with few small ones (up to {flexible.SPLIT}), which weigh most, one wrong guess moves the risk much."
    )


def _was(request: Request) -> str:
    if isinstance(request.answer, Refusal):
        return f"refused by “{RULES[request.answer.rule]}”"
    return "released as it is" if request.exact else "released protected"


def risks(result: TablesResult) -> list[Quantity]:
    """Return risk and utility of the request that is looked at, the true figure and the reader's."""
    request = result.request
    if request is None or np.isnan(request.true.before):
        return []
    readings = []
    for name, value, estimate in (
        ("Risk before protection", request.true.before, request.read.before),
        ("Risk left", request.true.after, request.read.after),
        ("Utility, 1 − HD/√N", request.true.utility, request.read.utility),
    ):
        text = "–" if np.isnan(value) else f"{value:.4f}"
        note = "not measured" if np.isnan(estimate) else f"as a reader can compute it: {estimate:.4f}"
        readings.append(reading(name, text, note))
    return readings


def explain_risk(result: TablesResult) -> list[Line]:
    """Return how the risk before protection comes about, with this table's numbers."""
    request = result.request
    if request is None or np.isnan(request.true.before):
        return text_lines("No risk was measured for this request.")
    counts = result.server.original(request).counts
    zeros, small = int((counts == 0).sum()), int((counts <= flexible.SPLIT).sum())
    terms = flexible.terms(counts)
    weighted = " + ".join(f"{w:g}·{term:.4f}" for w, term in zip(result.server.weights, terms, strict=True))
    return text_lines(
        f"K = {counts.size:,} cells, {people(int(counts.sum()))}; {zeros:,} cells are empty.",
        f"Zeros: {zeros:,}/{counts.size:,} = {terms[0]:.4f}",
        f"Small counts, up to {flexible.SPLIT}: {small:,} cells, unevenness 1 − H/log K = {terms[1]:.4f}",
        f"Large counts: {counts.size - small:,} cells, unevenness {terms[2]:.4f}",
        f"Small size: −log(1/(e√N))/√N = {terms[3]:.4f}",
        f"{weighted} = {request.true.before:.4f}",
    )


def log(result: TablesResult) -> list[Quantity]:
    """Return a line a request; the one that is looked at is marked."""
    readings = []
    for number, request in enumerate(result.server.log):
        mark = "▸ " if number == result.position else ""
        parts = [] if np.isnan(request.true.after) else [f"risk left {request.true.after:.3f}"]
        parts += [] if np.isnan(request.true.utility) else [f"utility {request.true.utility:.3f}"]
        if request.singled:
            group = request.singled[0]
            parts.append(f"would have singled out {people(group.people)}: {group.words}")
        query = describe_query(request.query).removesuffix(".")
        readings.append(reading(f"{mark}{number + 1}. {query}", request.words, ", ".join(parts)))
    return readings


def learnt(result: TablesResult) -> list[Quantity]:
    """Return a line for each small group that two releases single out."""
    readings = []
    for group in result.learnt[:12]:
        most = "any number" if np.isinf(group.high) else f"{group.high:,.0f}"
        interval = f"{group.low:,.0f}" if group.certain else f"{group.low:,.0f} to {most}"
        note = f"published numbers leave {group.difference:,}; the truth is {group.people}"
        readings.append(reading(f"({group.around}) less ({group.within})", interval, note))
    return readings


def learnt_summary(result: TablesResult) -> str:
    """Return what a user who takes numbers off each other could have learnt."""
    groups = result.learnt
    if not groups:
        return "No two releases so far single out a group that small."
    sure = sum(group.certain for group in groups)
    if sure:
        return f"{sure} of {len(groups)} small groups are known for certain: the rules or the method are too weak."
    closest = min(group.high - group.low for group in groups)
    possible = "nothing certain" if np.isinf(closest) else f"at least {closest + 1:,.0f} values"
    return f"{len(groups)} small groups can be singled out, none for certain: {possible} remain possible for each."


def as_code(state: TablesState) -> str:
    """Return Python code that gives the last answer, from the folder of the generator where there is one.

    >>> print(as_code(TablesState().with_request()).splitlines()[-1])
    server.request(('Age', 'Citizenship'), {'Region': ('Region 1',)}, {})
    """
    method = "None"
    if state.method is not None:
        method = f"methods.get({state.method.name!r})({arguments(state.method)})"
    query = state.requests[state.looked] if state.requests else state.query
    arguments_of_query = f"{query.by!r}, {dict(query.where)!r}, {dict(query.groups)!r}"
    if state.generator is not None:
        return script(
            "from sdcwidgets.tableserver.generator import TableGenerator",
            "",
            f"generator = TableGenerator({state.generator.folder.name!r})",
            f"generator.ask({arguments_of_query}).answer",
        )
    lines = ["records = ...  # a frame of your file with a column Key: record keys from 0 to 999,999,999"]
    options = "key='Key'"
    if state.own is None:
        lines = ["records = hypercube.hypercube()"]
        lines += ["groups = {name: [dict(one)] for name, one in hypercube.GROUPS.items()}"]
        options = f"groups=groups, count='Count', {options}"
    return script(
        "from sdcwidgets.tableserver import hypercube",
        "from sdcwidgets import methods",
        "from sdcwidgets.tableserver import Rules, TableServer",
        "",
        *lines,
        f"rules = Rules({arguments(state.rules, changed=True)})",
        f"method = {method}",
        f"server = TableServer(records, rules, method, stage={state.settings.stage!r}, seed={SEED}, {options})",
        f"server.request({arguments_of_query})",
    )


def release_lines(result: TablesResult) -> list[list[str | float]]:
    """Return the metadata and the table as lines, for a CSV file."""
    release = result.release
    assert isinstance(release, Release)
    lines: list[list[str | float]] = [[*line] for line in metadata(result)]
    return [*lines, [""], *release.lines()]
