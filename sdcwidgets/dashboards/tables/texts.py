"""Texts of the page Tables; texts in the view of data users contain only published information."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sdcwidgets._util.formula_lines import Line, text_lines
from sdcwidgets._util.labels import percent, quoted
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

#: Name of each rule in refusals.
RULES = {rule.name: f"{rule.label[0].lower()}{rule.label[1:]}" for rule in declared(Rules)} | {
    "apart": "variables that must not be in one table",
    "groups": "permitted groups of categories",
}


#: Note on the public seed, which links need to give the same tables of the hypercube.
PUBLIC = (
    f"For learning only: the noise depends on a public seed, {SEED}. Anyone who knows the seed can remove the "
    "noise."
)

#: Note on the tables of a user's file: a session forgets its secret and its tables.
OF_A_SESSION = (
    "For learning only: the noise depends on a secret of this session. Another session draws other noise, and the "
    "average of several tables is close to the original counts."
)


def describe_query(query: Query) -> str:
    """Return a request in words.

    Examples
    --------
    >>> describe_query(Query(["Age", "Sex"], {"Region": ["Region 1"]}))
    'Age by Sex. Population: Region: Region 1.'
    """
    chosen = [
        f"{name}: {', '.join(labels) if len(labels) < 4 else f'{len(labels)} categories'}"
        for name, labels in query.where.items()
        if name not in query.by
    ]
    partly = [f"{len(query.where[name])} of {name}" for name in query.by if name in query.where]
    summary = f"{' by '.join(query.by)}. Population: {'; '.join(chosen) or 'all people'}."
    return f"{summary} Categories: {'; '.join(partly)}." if partly else summary


def unweighted(weight: str | None) -> str:
    """Return a note on an unused sampling weight, because tables count records.

    Examples
    --------
    >>> unweighted("w")
    'The sampling weight "w" is not used, so each record counts as one person.'
    """
    if weight is None:
        return ""
    return f"The sampling weight {quoted(weight)} is not used, so each record counts as one person."


def lead(result: TablesResult) -> tuple[str, str]:
    """Return the answer of the page, and its reason."""
    request = result.request
    if not result.current or request is None:
        before = "" if request is None else " The table below belongs to another request."
        return (
            "The selected table was not requested yet.",
            f"Selected request: {describe_query(result.state.query)}{before}",
        )
    if isinstance(request.answer, Refusal):
        reason, ends = request.answer.reason, f"{request.answer.required} {request.answer.advice}".strip()
        return f"No: {reason[0].lower()}{reason[1:]}", ends
    if request.exact:
        return (
            "Yes, the table is released with original counts.",
            "No protection method has changed the counts.",
        )
    return (
        "Yes, the table is released with protected counts.",
        "The same cell has the same count in every table.",
    )


def answered(result: TablesResult) -> str:
    """Return the answer for data users in one or two sentences."""
    request = result.request
    if request is None:
        return "No table was requested yet. Select a population and variables."
    if isinstance(request.answer, Refusal):
        return f"Refused by the rule “{RULES[request.answer.rule]}”. {request.answer}"
    if request.exact:
        return "Released: the counts are the original counts."
    return "Released: the counts are protected. The same cell has the same count in every table."


def caption(result: TablesResult) -> str:
    """Return the caption of the utility."""
    if result.request is None:
        return ""
    if isinstance(result.request.answer, Refusal):
        return (
            "The table is not released, so it has no utility. The figures that led to the refusal are not "
            "shown, because these figures would disclose counts."
        )
    if result.request.exact:
        return "Utility of the table, 1 − HD/√N: the table has no information loss."
    return (
        f"{utility_note(result.request.read.utility)} It is 1 only if no count is changed. The estimate uses "
        "only published counts."
    )


def narration(result: TablesResult) -> Narration:
    """Return the answer to the request, and the utility of the table."""
    request = result.request
    if request is None:
        return Narration("–", "", answered(result), explain=lambda: ("Utility", explain_utility(result)))
    refused = isinstance(request.answer, Refusal)
    return Narration(
        "Refused" if refused else "Released",
        caption(result),
        "" if refused else answered(result),
        parts=[] if refused else [("kept", _below_one(request))],
        ends=() if refused else ("no utility", "unchanged"),
        explain=lambda: ("Refusal" if refused else "Utility", explain_utility(result)),
        subject=Subject((result.state.own, request.query), " by ".join(request.query.by)),
    )


def _below_one(request: Request) -> float:
    """Return the estimated utility. It is below 1 if counts are changed, also if the estimate is 1."""
    return request.read.utility if request.exact else min(request.read.utility, 0.9999)


def explain_utility(result: TablesResult) -> list[Line]:
    """Return the computation of the utility, which does not need original counts."""
    if result.request is not None and isinstance(result.request.answer, Refusal):
        return text_lines(*_refused(result.request.answer))
    lines = [
        "HD = √(½ Σ (√F − √G)²) is the Hellinger distance between original counts F and published counts G; N = Σ F.",
        "The original counts F are confidential. HD is also confidential, because HD of a table with one "
        "small cell would disclose this cell.",
        "Therefore, F is estimated from the published counts, the properties of the method, and the frequencies of the "
        "published values. Anyone who has the table can compute the same estimate.",
    ]
    if result.release is not None and result.request is not None:
        if result.request.exact:
            lines.append("The counts of this table are unchanged, so HD is 0 and the utility is 1.")
        else:
            N, utility = float(np.nansum(result.release.cells)), result.request.read.utility
            HD = f"{(1 - utility) * np.sqrt(N):.3f}"
            lines.append(f"Here N ≈ {N:,.0f} and HD ≈ {HD}: 1 − {HD}/√{N:,.0f} = {utility:.4f}.")
    return text_lines(*lines)


def _refused(refusal: Refusal) -> list[str]:
    help_text = next((rule.help for rule in declared(Rules) if rule.name == refusal.rule), "")
    how_far = (
        "The distance of this table from the threshold is not shown, because it would disclose counts to anyone who "
        "varies the request. The release rule uses only published counts, so that a refusal discloses no "
        "more than these counts."
    )
    return [
        f"The rule is “{RULES[refusal.rule]}”. {help_text}".strip(),
        f"{refusal.reason} {refusal.required}".strip(),
        refusal.advice,
        "This release rule does not depend on counts." if refusal.rule in OF_THE_QUESTION else how_far,
    ]


def refusal(result: TablesResult) -> list[str]:
    """Return the rule that refused the selected request, with its help; empty if there is a table."""
    answer = None if result.request is None else result.request.answer
    if not isinstance(answer, Refusal):
        return []
    rule, _, _, note = _refused(answer)  # the headline states the reason and the advice
    return [line for line in (rule, answer.required, note) if line]


def metadata(result: TablesResult) -> Iterator[tuple[str, str]]:
    """Yield the metadata of a downloaded table: names and texts."""
    request, release = result.request, result.release
    assert request is not None
    assert release is not None
    yield "Data", result.state.title
    yield "Table", " by ".join(request.query.by)
    for name, labels in request.query.where.items():
        yield ("Categories: " if name in request.query.by else "Population: ") + name, "; ".join(labels)
    for name, parts in request.query.groups.items():
        for new, old in parts.items():
            yield f"{name}, {new}", "; ".join(old)
    for note in release.notes:
        yield "Note", note
    yield from result.method_lines
    if result.state.own is not None and result.state.own.weight is not None:
        yield "Note", unweighted(result.state.own.weight)
    if not request.exact:
        yield "Note", "The utility is estimated from the published counts."
        if result.state.generator is None:
            yield "Note", PUBLIC if result.state.own is None else OF_A_SESSION


def verdict(result: TablesResult) -> str:
    """Return a summary of the answer for the agency."""
    request = result.request
    if request is None:
        return "No table was requested yet. Use the view of data users."
    true, read = request.true, request.read
    summary = f"Request {result.position + 1} was {_was(request)}."
    if np.isnan(true.before):
        return f"{summary} The release rule that refused the table does not depend on its counts."
    if np.isnan(true.after) or request.exact:
        return f"{summary} Its risk is {true.before:.3f}."
    taken = (
        "The published formula gives a residual risk above the risk before protection, which can happen with few "
        "small counts. In this case, protection does not lower the risk."
    )
    if true.after < true.before:
        taken = f"Protection lowers the risk by {percent(1 - true.after / true.before)}."
    return (
        f"{summary} {taken} The rules use the residual risk that data users can compute, {read.after:.3f}; "
        f"the residual risk by the original counts is {true.after:.3f}.{_apart(request)}"
    )


#: Minimum difference between two risks, by original counts and by data users, that is explained.
APART = 0.1


def _apart(request: Request) -> str:
    """Return why the risks by data users and by original counts differ much, "" if they do not."""
    true, read = request.true, request.read
    if max(abs(true.before - read.before), abs(true.after - read.after)) <= APART:
        return ""
    return (
        " The two residual risks differ because data users must estimate the original counts "
        f"from the published counts. The small counts (up to {flexible.SPLIT}) have the "
        "largest weight. If a table has few small counts, one wrong estimate changes the risk "
        "considerably."
    )


def _was(request: Request) -> str:
    if isinstance(request.answer, Refusal):
        return f"refused by “{RULES[request.answer.rule]}”"
    return "released unchanged" if request.exact else "table released with protection"


def risks(result: TablesResult) -> list[Quantity]:
    """Return risk and utility of the selected request: true values, and estimates by data users."""
    request = result.request
    if request is None or np.isnan(request.true.before):
        return []
    readings = []
    for name, value, estimate in (
        ("Disclosure risk of the table before protection", request.true.before, request.read.before),
        ("Residual risk", request.true.after, request.read.after),
        ("Utility, 1 − HD/√N", request.true.utility, request.read.utility),
    ):
        text = "–" if np.isnan(value) else f"{value:.4f}"
        note = "not measured" if np.isnan(estimate) else f"estimate by data users: {estimate:.4f}"
        readings.append(reading(name, text, note))
    return readings


def explain_risk(result: TablesResult) -> list[Line]:
    """Return the computation of the risk before protection, with the numbers of the table."""
    request = result.request
    if request is None or np.isnan(request.true.before):
        return text_lines("The disclosure risk was not measured for this request.")
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
    """Return one line per request; the selected one is marked."""
    readings = []
    for number, request in enumerate(result.server.log):
        mark = "▸ " if number == result.position else ""
        parts = [] if np.isnan(request.true.after) else [f"residual risk {request.true.after:.3f}"]
        parts += [] if np.isnan(request.true.utility) else [f"utility {request.true.utility:.3f}"]
        if request.singled:
            group = request.singled[0]
            parts.append(
                f"without protection, a group of {people(group.people)} would be disclosed: {group.words}"
            )
        query = describe_query(request.query).removesuffix(".")
        readings.append(reading(f"{mark}{number + 1}. {query}", request.words, ", ".join(parts)))
    return readings


def learnt(result: TablesResult) -> list[Quantity]:
    """Return one line per small group that two releases single out."""
    readings = []
    for group in result.learnt[:12]:
        most = "any number" if np.isinf(group.high) else f"{group.high:,.0f}"
        interval = f"{group.low:,.0f}" if group.certain else f"{group.low:,.0f} to {most}"
        note = f"published difference {group.difference:,}, original difference {group.people}"
        readings.append(reading(f"({group.around}) minus ({group.within})", interval, note))
    return readings


def learnt_summary(result: TablesResult) -> str:
    """Return a summary of what data users could infer by differencing."""
    groups = result.learnt
    if not groups:
        return "No difference of two released tables gives the count of a small group."
    sure = sum(group.certain for group in groups)
    if sure:
        return (
            f"{sure} of {len(groups)} small groups are disclosed exactly, so the release rules or the "
            f"protection method are too weak."
        )
    closest = min(group.high - group.low for group in groups)
    possible = (
        "an unlimited number of values is" if np.isinf(closest) else f"at least {closest + 1:,.0f} values are"
    )
    return (
        f"{len(groups)} small groups are differences of published counts. None is disclosed exactly: {possible} "
        "possible for each."
    )


def as_code(state: TablesState) -> str:
    """Return Python code for the selected answer, from the folder of the generator if there is one.

    Examples
    --------
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
    options = "key='Key'"  # without a seed, a new secret is drawn
    if state.own is None:
        lines = ["records = hypercube.hypercube()"]
        lines += ["groups = {name: [dict(one)] for name, one in hypercube.GROUPS.items()}"]
        options = f"seed={SEED}, groups=groups, count='Count', {options}"
    return script(
        "from sdcwidgets.tableserver import hypercube",
        "from sdcwidgets import methods",
        "from sdcwidgets.tableserver import Rules, TableServer",
        "",
        *lines,
        f"rules = Rules({arguments(state.rules, changed=True)})",
        f"method = {method}",
        f"server = TableServer(records, rules, method, stage={state.settings.stage!r},",
        f"                     mixed_keys=False, {options})",
        f"server.request({arguments_of_query})",
    )


def release_lines(result: TablesResult) -> list[list[str | float]]:
    """Return the metadata and the table as rows of a CSV file."""
    release = result.release
    assert isinstance(release, Release)
    lines: list[list[str | float]] = [list(line) for line in metadata(result)]
    return [*lines, [""], *release.lines()]
