"""Headline of the page: the answer, its reason, the steps to a release, and the action of the primary button."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from sdcwidgets._util.labels import counted, quoted
from sdcwidgets._util.seeds import GUESSED
from sdcwidgets.assessment.recommending import is_for_teaching
from sdcwidgets.assessment.verdict import Stop, Verdict
from sdcwidgets.dashboards.protect.nested import follow_from_counts, omitted_words
from sdcwidgets.dashboards.protect.recommended import Recommendation
from sdcwidgets.dashboards.protect.result import ProtectResult
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.methods.effect import changed_counts
from sdcwidgets.widgets.page_state.reporting import SMALL_SEED

QUESTION = "May I release this table?"

#: Text of the primary button by its action.
NEXT = {
    "wait": "Continue after the disclosure check",
    "waiting": "Waiting for the disclosure check",
    "limits": "Next: set your limits",
    "source": "Next: enter the source",
    "limit": "Next: set at least one limit",
    "reason": "Next: state why no limit applies",
    "review": "Next: change your limits",
    "required": "Next: apply the required method",
    "depart": "Next: compare other methods",
    "sweep": "Next: compare {0} methods",
    "first": "Next: compare {0} methods, apply one that passes",
    "comparing": "Comparing {0} methods, please wait",
    "recommending": "Computing recommendations, please wait",
    "take": "Next: apply {1}",
    "choose": "Next: look at the recommended settings",
    "seed": "Next: generate a secret seed",
    "tick": "Next: give a reason for the missing counts",
    "violation": "Next: give a reason for the first violation",
    "unnamed": "Next: save 3 files with an unnamed axis",
    "save": "Next: save 2 public files, 1 internal report",
    "saved": "Save the public files and the internal report again",
}

#: Maximum number of characters of a source in the headline. The reason below the headline names a longer one.
LONGEST_SOURCE = 30

#: Reason why a table with the best result of a method is for learning only.
BEST_RESULT = (
    "For learning only, not for publication: a data user who runs this program can infer original counts from the "
    "best result. Choose the random result in the settings of the method."
)

#: Reason why the primary button compares methods that the rules do not require.
AGAINST_REQUIRED = (
    "The method that the rules require does not meet their limits for this table. Accept the violations, or compare "
    "other methods; the source of the limits then states that the required method was not applied."
)

#: Kinds of rule violations that can be accepted on the page, with a reason; others require another setting.
ACCEPTED = ("unknown", "one-cell", "all-but-one", "linked", "inference", "recalculable", "small-count")

#: Kinds of violations on which an expert decides, and the largest number of them that the primary button proposes to
#: accept for a chosen method. For other violations, it proposes another setting.
JUDGED_BY_EXPERTS, FEW_VIOLATIONS = frozenset({"unknown", "one-cell", "all-but-one", "inference"}), 3

#: Kinds of violations that no other setting of a method removes.
UNAFFECTED = frozenset({"seed", "unchecked", "unknown"})


class NextStep(NamedTuple):
    """Action of the primary button, and its text."""

    kind: str
    words: str


def waiting(file: str, table: str) -> tuple[str, str]:
    """Return the headline and its reason while a file waits for answers.

    Parameters
    ----------
    file : str
        Title of the file.
    table : str
        Title of the table on the page.

    Examples
    --------
    >>> waiting("births.csv", "deaths.csv")[1]
    'The page still shows "deaths.csv". Its decision and files come back if you select “Cancel” below the file.'
    """
    return (
        f"There is no decision yet, because the table in {quoted(file)} is not used yet.",
        f"The page still shows {quoted(table)}. Its decision and files come back if you select “Cancel” below the "
        "file.",
    )


def answer(result: ProtectResult) -> str:
    """Return the decision, with the conditions on which it depends."""
    verdict = result.deciding
    # The reason names the source, which would fill several lines of the headline.
    sentence = verdict.sentence
    if _has_long_source(verdict):
        source = verdict.limits.source.strip()
        sentence = sentence.replace(f"the limits of {source}", "the limits", 1)
        sentence = sentence.replace(f"no limit according to {source}", "no limit", 1)
    if verdict.answer == "compare only":
        return f"{_missing(verdict)} {sentence}"
    if verdict.answer != "release" or not _omitted(result):
        return sentence
    if verdict.condition:
        return sentence.replace("Yes, if ", "Yes, without the sub-totals and if ", 1)
    if verdict.has_only_totals:
        return sentence.replace("Yes, but ", "Yes, without the sub-totals, but ", 1)
    if verdict.accepted:
        return sentence.replace("Yes, with ", "Yes, without the sub-totals and with ", 1)
    return sentence.replace("Yes – ", "Yes, without the sub-totals – ", 1)


def _omitted(result: ProtectResult) -> str:
    """Return a sentence on omitted lines of the file, "" if they follow from the original counts that are released."""
    if result.is_original and follow_from_counts(result.state):
        return ""
    return omitted_words(result.state)


def _missing(verdict: Verdict) -> str:
    """Return what is missing for a decision, as a short sentence."""
    limits = verdict.limits
    if limits.has_limit or limits.no_risk_limit.strip():
        return "The source of the limits is not stated yet."
    return "No limit is set yet."


def _has_long_source(verdict: Verdict) -> bool:
    """Return whether the source of the limits is too long for the headline of a permitted release."""
    return verdict.answer == "release" and len(verdict.limits.source.strip()) > LONGEST_SOURCE


def tick_words(verdict: Verdict) -> str:
    """Return the label of the tick box that accepts violations, "" if there are none to accept."""
    stops = to_accept(verdict)
    if not stops:
        return "Accepted" if verdict.accepted else ""
    number = verdict.number(stops[0].kind)
    if number == 1:
        return "Accept this violation for this reason"
    return f"Accept all {number:,} violations of this kind for this reason"


def _loss_text(result: ProtectResult) -> str:
    """Return the information loss with its limit, or else with the largest value that this table allows."""
    verdict = result.deciding
    loss, limit = verdict.loss_measure, verdict.limits.loss
    name = "Utility" if loss.more_is_better else "Information loss"
    value = f"{name}: {loss.format_value(verdict.loss, limit)}"
    if limit is not None:
        return f"{value}; the limit is {limit:.15g}."
    greatest = loss.greatest(result.before.table)
    # Values in place of suppressed counts can sum to more than the original total.
    if not isfinite(greatest) or verdict.loss > greatest:
        return f"{value}."
    unit = result.before.table.unit
    root = f", the square root of the number of {unit}" if loss.name == "hellinger" else ""
    return f"{value} on a scale from 0 to {loss.format_value(greatest)}{root}."


def because(result: ProtectResult, *, compared: int = 0, methods: int = 1) -> str:
    """Return the reason of the answer in one line: disclosure, effect of protection on the risk, information loss.

    Parameters
    ----------
    result : ProtectResult
    compared : int
        Number of settings on the map.
    methods : int
        Number of available methods; with as many settings, all methods are compared.
    """
    verdict = result.deciding
    loss_text = _loss_text(result)
    reasons = [_omitted(result), *(stop.why for stop in verdict.stops[:1])]
    numbers = f"{verdict.effect} {loss_text}"
    if verdict.as_it_is:
        numbers = "The page shows the original counts, because your limits do not require protection."
    elif verdict.answer == "compare only":
        scale = "The risk ranges from 0 to 1. " if verdict.risk_measure.high == 1 else ""
        number = f"The page compares {compared:,} settings below. " if compared >= methods > 1 else ""
        numbers = f"{scale}{loss_text} {number}{verdict.limits.missing}"
        disclosed = [stop for stop in (*verdict.stops, *verdict.reported) if stop.kind == "one-cell"]
        reasons = [f"{stop.words[:1].upper()}{stop.words[1:]}." for stop in disclosed[:1]]
        reasons.insert(0, _omitted(result))
    else:
        reasons += _further_violations(verdict)
        if is_against_required(result):
            reasons.append(AGAINST_REQUIRED)
    reasons += [f"Accepted: {stop.words} (reason: {reason})." for stop, reason in verdict.accepted[:1]]
    more = len(verdict.accepted) - 1
    if more > 0:
        reasons.append(f"Also accepted: {counted(more, 'other violation')}.")
    if verdict.answer == "release" and not verdict.as_it_is and verdict.is_hardly_protected:
        numbers = (
            f"The protection meets your limits, although it hardly changes the risk measure "
            f"({_risk_change(verdict)}). {loss_text}"
        )
    if verdict.answer == "release":
        reasons.insert(0, for_learning(result))
        source = (
            f"Source of the limits: {verdict.limits.source.strip()}." if _has_long_source(verdict) else ""
        )
        numbers = " ".join(filter(None, [numbers, _published_small_counts(result), source]))
    idle = result.after.method.no_effect_reason(result.before.table)
    return " ".join(filter(None, ["" if verdict.as_it_is else idle, *reasons, _changes(result), numbers]))


def _changes(result: ProtectResult) -> str:
    """Return what the method did to the table, as far as the headline does not state it."""
    verdict = result.deciding
    if verdict.answer != "release":
        return verdict.protection
    if result.release.moved is None or verdict.as_it_is:
        return ""
    return f"The method {changed_counts(result.state.table, result.release)}."


def for_learning(result: ProtectResult) -> str:
    """Return why the shown table is for learning only, "" if its settings can be used for a publication."""
    method = result.state.method
    if result.deciding.as_it_is:
        return ""
    if method.seeded and result.state.settings.seed < GUESSED and not result.release.exact:
        return SMALL_SEED
    return BEST_RESULT if is_for_teaching(method) else ""


def _published_small_counts(result: ProtectResult) -> str:
    """Return a sentence on published counts of 1 and 2 if the limits state no minimum count."""
    # The file also has totals, which can be small, too.
    release, as_read = result.release, result.state.as_read
    is_as_read = as_read is not None and as_read.fits(release)
    lines = result.lines or list(
        as_read.lines(release) if as_read is not None and is_as_read else release.lines()
    )
    number = sum(value in (1, 2) for line in lines for value in line if not isinstance(value, str))
    verdict = result.deciding
    if verdict.limits.smallest_count > 1:
        return ""
    if result.state.table.respondents is not None:
        few = counted(verdict.number("small-count"), "count")
        verb = "is" if verdict.number("small-count") == 1 else "are"
        why = ", because the limits state no minimum count" if verdict.number("small-count") else ""
        return f"{few} based on 1 or 2 respondents {verb} published{why}."
    if not number:
        return "No published count is 1 or 2." if result.deciding.is_hardly_protected else ""
    verb = "is" if number == 1 else "are"
    return (
        f"{counted(number, 'count')} of 1 or 2 {verb} published, because the limits state no minimum count."
    )


def _risk_change(verdict: Verdict) -> str:
    """Return the risk before and after protection as text."""
    measure = verdict.risk_measure
    return f"{measure.format_value(verdict.before)} before, {measure.format_value(verdict.residual)} after"


def _further_violations(verdict: Verdict) -> list[str]:
    """Return a sentence with the first violation of each further kind, and the number of others of this kind."""
    words: dict[str, str] = {}
    for stop in verdict.stops:
        number = verdict.number(stop.kind) - 1
        more = f", and {counted(number, 'other')}" if number > 0 else ""
        words.setdefault(stop.kind, f"{stop.words}{more}")
    others = list(words.values())[1:]
    return [f"Also: {'; '.join(others)}."] if others else []


def next_step(
    result: ProtectResult,
    tried: int,
    offers: list[Recommendation],
    methods: int,
    *,
    comparing: bool = False,
    recommending: bool = False,
    missing: str = "limits",
) -> NextStep:
    """Return the action of the primary button.

    Parameters
    ----------
    result : ProtectResult
    tried : int
        Number of settings on the map.
    offers : list of Recommendation
        Recommended settings after a comparison of all methods, the best first.
    methods : int
        Number of available methods.
    comparing : bool
        Whether the page is comparing all methods.
    recommending : bool
        Whether the page is computing recommended settings.
    missing : str
        What the card of the limits requires next: limits, source, limit or reason.
    """
    verdict = result.deciding
    kinds = {stop.kind for stop in verdict.stops}
    offer = offered(result, offers)
    if verdict.answer == "compare only":
        kind = missing
    elif verdict.answer == "release":
        kind = "save"
    elif kinds <= {"seed", "unchecked"}:
        # A new seed gives another replicate, whose suppressed cells are checked again.
        kind = "seed" if "seed" in kinds else "wait"
    elif kinds <= UNAFFECTED:
        # No method adds a count that the file does not contain.
        kind = "tick"
    elif needs_only_reasons(result):
        # A chosen method stays; a new seed comes first, because accepted violations belong to one replicate.
        kind = "seed" if "seed" in kinds else "wait" if "unchecked" in kinds else "tick"
    elif offer is not None and (not offer.violations or not comparing):
        kind = "take"
    elif comparing:
        kind = "comparing"
    elif recommending:
        kind = "recommending"
    elif any(removing.removed for removing in _with_fewer_violations(result, offers)):
        kind = "choose"
    elif result.state.required is not None:
        kind = "depart" if is_against_required(result) else "required"
    else:
        kind = "sweep" if tried < methods else "review"
    return NextStep(kind, _words_of_step(kind, result, offer, methods))


def _words_of_step(kind: str, result: ProtectResult, offer: Recommendation | None, methods: int) -> str:
    """Return the text of the primary button for an action."""
    if kind == "save" and result.state.unnamed_axes:
        return NEXT["unnamed"]
    if kind == "tick" and result.deciding.stops[0].kind != "unknown":
        return NEXT["violation"]
    if kind == "sweep" and not is_chosen(result.state):
        kind = "first"
    name = "" if offer is None else offer.offer.name
    return NEXT[kind].format(methods, name)


def is_against_required(result: ProtectResult) -> bool:
    """Return whether the shown table was made by the method that the rules require, and violates their limits."""
    state, kinds = result.state, {stop.kind for stop in result.deciding.stops}
    is_required = state.required is not None and state.required_instead(state.method) is None
    return is_required and not kinds <= UNAFFECTED


def is_chosen(state: ProtectState) -> bool:
    """Return whether a person or the rules chose the method, and it is not the one with which the page begins."""
    if state.required is not None:
        return state.required_instead(state.method) is None
    return state.method != state.fitted(ProtectState(state.table).method)


def needs_only_reasons(result: ProtectResult) -> bool:
    """Return whether a chosen method needs at most a secret seed, and a few reasons of an expert."""
    verdict = result.deciding
    kinds = {stop.kind for stop in verdict.stops} - {"seed", "unchecked"}
    number = sum(verdict.number(kind) for kind in kinds)
    return is_chosen(result.state) and kinds <= JUDGED_BY_EXPERTS and number <= FEW_VIOLATIONS


def offered(result: ProtectResult, offers: list[Recommendation]) -> Recommendation | None:
    """Return the recommended setting to apply next: the one with the fewest violations, fewer than the shown table.

    None: no recommended setting has fewer violations and keeps all variables. A variable can be the subject of a
    table, so that only the list of recommended settings offers to remove it.
    """
    keeping = [offer for offer in _with_fewer_violations(result, offers) if not offer.removed]
    return min(keeping, key=lambda offer: offer.violations, default=None)


def _with_fewer_violations(result: ProtectResult, offers: list[Recommendation]) -> list[Recommendation]:
    """Return the recommended settings other than the shown one that have fewer violations than the shown table."""
    number = violations_of(result)
    return [offer for offer in offers if offer.method != result.state.method and offer.violations < number]


def violations_of(result: ProtectResult) -> int:
    """Return the number of violations of the shown table, without those that another setting cannot remove."""
    verdict = result.deciding
    return sum(verdict.number(kind) for kind in {stop.kind for stop in verdict.stops} - UNAFFECTED)


def no_worse(result: ProtectResult, offers: list[Recommendation]) -> list[Recommendation]:
    """Return the recommended settings that have no more violations than the shown table."""
    number = violations_of(result)
    return [offer for offer in offers if offer.violations <= number]


def to_accept(verdict: Verdict) -> list[Stop]:
    """Return the violations that the tick box accepts: all of the kind of the first one, if it can be accepted."""
    if not verdict.limits.decides or not verdict.stops or verdict.stops[0].kind not in ACCEPTED:
        return []
    return [stop for stop in verdict.stops if stop.kind == verdict.stops[0].kind]


def steps_of_way(result: ProtectResult) -> list[tuple[str, str]]:
    """Return the steps to a release, each with its status: done, now, stop or todo."""
    verdict = result.deciding
    stops = counted(sum(verdict.number(kind) for kind in {stop.kind for stop in verdict.stops}), "violation")
    first, judged, last, judge = {
        "compare only": ("now", "todo", "todo", "Check"),
        "release": ("done", "done", "now", "Check"),
    }.get(verdict.answer, ("done", "stop", "todo", f"Check: {stops}"))
    steps = ("Set limits", "Measure", "Protect", judge, "Release")
    return list(zip(steps, (first, "done", "done", judged, last), strict=True))
