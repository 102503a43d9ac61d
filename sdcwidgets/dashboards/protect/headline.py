"""What the lead of the page says: the answer, why, how far one is, and what the blue button does next."""

from __future__ import annotations

from typing import NamedTuple

from sdcwidgets._util.labels import counted
from sdcwidgets.assessment.verdict import Stop, Verdict
from sdcwidgets.dashboards.protect.recommended import Recommendation
from sdcwidgets.dashboards.protect.result import ProtectResult

QUESTION = "May I release this table?"

#: What the blue button says, by what it does.
NEXT = {
    "wait": "Go on once it is checked",
    "waiting": "Waits for the check, then goes on",
    "limits": "Next: set your limits",
    "sweep": "Next: try all {0} methods",
    "take": "Next: take {1}",
    "seed": "Next: make a secret seed",
    "report": "Next: save an internal report of why not",
    "save": "Next: save table and reports",
}

#: Stops that a person may accept on the page, with a reason; the others are numbers that one would change.
ACCEPTED = ("one-cell", "all-but-one", "linked", "gap", "small-count")


class NextStep(NamedTuple):
    """What the blue button does, and what it says."""

    kind: str
    words: str


def because(result: ProtectResult) -> str:
    """Return why, in one line: what is disclosed, what protection does to the risk, and what is lost."""
    verdict = result.deciding
    loss = verdict.loss_measure
    loss_text = (
        f"{'Utility' if loss.more_is_better else 'Information loss'}: {loss.format_value(verdict.loss)}."
    )
    reasons = [stop.why for stop in verdict.stops[:1]]
    numbers = f"{verdict.effect} {loss_text}"
    if verdict.as_it_is:
        numbers = "The original counts are shown, because these limits require no protection."
    elif verdict.answer == "compare only":
        numbers = f"{loss_text} {verdict.limits.missing}"
        disclosed = [stop for stop in (*verdict.stops, *verdict.reported) if stop.kind == "one-cell"]
        reasons = [f"{stop.words[:1].upper()}{stop.words[1:]}." for stop in disclosed[:1]]
    reasons += [f"Accepted: {stop.words}, because {reason}." for stop, reason in verdict.accepted[:1]]
    if (more := len(verdict.accepted) - 1) > 0:
        reasons.append(f"So {counted(more, 'other')}.")
    idle = result.after.method.no_effect_reason(result.before.table)
    return " ".join(filter(None, ["" if verdict.as_it_is else idle, *reasons, numbers]))


def next_step(result: ProtectResult, tried: int, offers: list[Recommendation], methods: int) -> NextStep:
    """Return what the blue button does next.

    Parameters
    ----------
    result : ProtectResult
    tried : int
        How many settings are on the map.
    offers : list of Recommendation
        What is recommended after a sweep, the best first.
    methods : int
        How many methods there are to try.
    """
    verdict = result.deciding
    kinds = {stop.kind for stop in verdict.stops}
    offer = offered(result, offers)
    if verdict.answer == "compare only":
        kind = "limits"
    elif verdict.answer == "release":
        kind = "save"
    elif kinds <= {"seed", "unchecked"}:
        # A new seed is another draw, whose gaps are checked anew.
        kind = "seed" if "seed" in kinds else "wait"
    elif tried < methods or not offers:
        kind = "sweep"
    else:
        kind = "report" if offer is None else "take"
    return NextStep(kind, NEXT[kind].format(methods, "" if offer is None else offer.offer.name))


def offered(result: ProtectResult, offers: list[Recommendation]) -> Recommendation | None:
    """Return the setting to take next: one against which nothing stands, else the best once; None when it was taken."""
    others = [offer for offer in offers if offer.method != result.state.method]
    free = [offer for offer in others if not offer.offer.against]
    return next(iter(free or (others if len(others) == len(offers) else [])), None)


def to_accept(verdict: Verdict) -> list[Stop]:
    """Return the stops that the tick accepts: all of the kind of the first one, where that can be accepted."""
    if not verdict.limits.decides or not verdict.stops or verdict.stops[0].kind not in ACCEPTED:
        return []
    return [stop for stop in verdict.stops if stop.kind == verdict.stops[0].kind]


def steps_of_way(result: ProtectResult) -> list[tuple[str, str]]:
    """Return the steps to a release, each with how it stands: done, now, stop or todo."""
    verdict = result.deciding
    stops = counted(sum(verdict.number(kind) for kind in {stop.kind for stop in verdict.stops}), "stop")
    first, judged, last, judge = {
        "compare only": ("now", "todo", "todo", "Judge"),
        "release": ("done", "done", "now", "Judge"),
    }.get(verdict.answer, ("done", "stop", "todo", f"Judge: {stops}"))
    steps = ("Set limits", "Measure", "Protect", judge, "Release")
    return list(zip(steps, (first, "done", "done", judged, last), strict=True))
