"""What protection did to a table, in words: each number with its formula, the decision, and why two formulas differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.labels import quoted
from sdcwidgets.lines import ROLES, Line, Piece, said
from sdcwidgets.measures import Measure
from sdcwidgets.measures.risk import R2
from sdcwidgets.pages.protect.state import OneCell, Protected, in_one_cell
from sdcwidgets.release import Release
from sdcwidgets.search import STEPS, Thresholds, kept
from sdcwidgets.table import FrequencyTable
from sdcwidgets.words import Stage, people

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "answer",
    "before_deciding",
    "beside",
    "moved",
    "next_act",
    "notice_after",
    "revealed",
    "stages",
    "steps",
    "what_is_shown",
    "where_next",
    "why_two",
]

#: Whose the thresholds are.
YOURS = "T₁, T₂ and T₃ are yours to set, below the map."

#: A seed below this is found by trying at once.
GUESSED = 1_000_000


def answer(result: Protected) -> tuple[list[tuple[str, float]], Line]:
    """Return the parts of the risk of the shown draw, and the risk as their sum; none where it has no such parts."""
    one = result.risk_measure
    if not isinstance(one, R2):
        return [], [Piece(f"{one.title} = {one.told(result.risk)}")]
    terms = result.shown.after(None, one.third, one.epsilon).terms(one.variant)[0, 0]
    parts = [float(w * x) for w, x in zip(one.weights, terms, strict=True)]
    pieces: Line = [Piece("R₂ = ")]
    for k, role in enumerate(ROLES):
        pieces += [Piece(f"{one.weights[k]:.3g} · {terms[k]:.4f}", role), Piece(" + " if k < 2 else "")]
    names = ("zeros", "unevenness", "small size")
    return list(zip(names, parts, strict=True)), [*pieces, Piece(f" = {result.risk:.4f}")]


def beside(result: Protected) -> str:
    """Return what stands beside the answer: before, the loss, and the means."""
    risk, loss = result.risk_measure, result.loss_measure
    told = f"Before: {risk.told(result.risk_before)}. {loss.label}: {loss.told(result.loss)}."
    if result.after.method.deterministic:
        return f"{told} Nothing is left to chance: every draw is the same."
    so_far = "" if result.run.done else " so far"
    return (
        f"{told} Mean of {result.after.size:,} draws{so_far}: "
        f"{risk.told(result.mean_risk)}, {loss.told(result.mean_loss)}."
    )


def what_is_shown(
    release: Release,
    table: FrequencyTable,
    index: int,
    wanted: int,
    seed: int,
    *,
    totals: bool = False,
    aside: str = "",
) -> str:
    """Return what the marks of a published table mean, what was done to its cells, and what to beware of.

    `totals` says whether the table was read with totals, so that its files have some, too; `aside` is what the
    method says of the draw to the one who protects.

    >>> table = FrequencyTable([1, 5])
    >>> what_is_shown(Release.of(table), table, 0, 9, seed=1).partition(" The seed")[2]
    ' is 1: whoever tries it finds the true counts out; type a long secret one before you publish.'
    """
    hidden = release.hidden
    true = release.regroup(table)
    apart = np.abs(release.cells - true.counts)[~hidden]
    changed, by = int(np.count_nonzero(apart)), f"{round(float(apart.sum()), 4):,.15g}"
    told = "Striped: zero. Framed: one or two people. ▴ or ▾: changed."
    if hidden.any():
        told += f" Hatched, c: a gap. {int(hidden.sum())} of {table.cells:,} cells are gaps; the measures"
        told += " fill each with the mean of all that is hidden."
    if not release.additive:
        told += " ≠: not the sum of its cells."
    draw = "Every draw is the same" if wanted == 1 else f"Draw {index + 1} of {wanted:,} is shown"
    beware = [*filter(None, [aside]), *release.cautions]
    if wanted > 1 and seed < GUESSED:
        beware.append(
            f"The seed is {seed}: whoever tries it finds the true counts out; type a long secret one before you "
            "publish."
        )
    merged = [
        f"{quoted(axis.name)} has {len(axis)} categories instead of {len(old)}"
        for axis, old in zip(true.axes, table.axes, strict=True)
        if len(axis) < len(old)
    ]
    return " ".join(
        [
            f"{told} {draw}; it changes {changed:,} of {true.cells:,} cells, by {by} in all, of {people(table.total)}"
            f"{'; ' if merged else ''}{', '.join(merged)}.",
            "The protected table's files hold what is published and nothing else.",
            *(
                [f"{' '.join(release.notes)} Its files say so below the table."]
                if release.fraction < 1
                else []
            ),
            *(["Their totals are the sums of what is published."] if totals and release.plain else []),
            *beware,
        ]
    )


#: So many lines of a report of who moved are shown; a file has them all.
SHOWN_MOVES = 25


def moved(report: pd.DataFrame, what: str) -> list[Line]:
    """Return who moved in a draw and why, people of one cell with one fate in one line.

    >>> import pandas as pd
    >>> report = pd.DataFrame({"Area": ["A", "B"], "Sex": ["f", "m"], "to": ["B", "A"], "why": ["risk", "donor"]})
    >>> for line in moved(report.assign(alike=[1, 8]), "Draw 1"):
    ...     print(line[0].text)  # doctest: +ELLIPSIS
    Draw 1: 2 people exchange places in pairs: 1 at risk, 0 for the swap rate, 1 as partners who were not asked for. ...
    "A, f" to "B": 1 at risk (of 1 there)
    "B, m" to "A": 1 as partner (of 8 there)
    """
    number = report["why"].value_counts()
    risk, rate, donors, left = (int(number.get(why, 0)) for why in FATES)
    told = f"{what}: {risk + rate + donors:,} people exchange places in pairs: {risk:,} at risk, {rate:,} for the swap "
    told += f"rate, {donors:,} as partners who were not asked for. "
    if left:
        told += f"For {left:,} at risk no donor was left; they stay. "
    keys = [*report.columns[:-3], "to", "why", "alike"]
    groups = report.groupby(keys, sort=False).size().reset_index(name="people")
    groups = groups.sort_values("why", key=lambda one: one.map(list(FATES).index), kind="stable")
    lines = []
    for *labels, to, why, alike, moving in groups.head(SHOWN_MOVES).itertuples(index=False):
        there = "stays" if why == "no donor" else f"to {quoted(to)}"
        lines.append(f"{quoted(', '.join(labels))} {there}: {moving:,} {FATES[why]} (of {alike:,} there)")
    if (more := len(groups) - SHOWN_MOVES) > 0:
        lines.append(f"And {more:,} lines more; the file has every person.")
    return said(f"{told}Keep this list secret.", *lines)


#: Why somebody moved, in the order in which it is told.
FATES = {
    "risk": "at risk",
    "rate": "for the swap rate",
    "donor": "as partner",
    "no donor": "at risk, no donor left",
}


def notice_after(result: Protected, thresholds: Thresholds, *, own: bool = True) -> str:
    """Return the decision on the shown draw, its step, and how many of the draws would pass.

    `own` says whether somebody moved the thresholds.
    """
    step, words = result.decided(thresholds)
    if step != 4 and result.still_in_one_cell:
        words = f"{' '.join(revealed(result))} {words}"
    told = f"Step {step} of 15. {words}"
    idle = result.after.method.idle(result.before.table)
    if idle:
        told = f"{idle} {told}"
    if step == 4:
        return " ".join([told, *_sure(in_one_cell(result.before.table)), YOURS])
    if step == 15:
        told = f"{told} {_ended(result, own)}"
    if not result.still_in_one_cell:
        told = " ".join([told, *revealed(result)])
    if not result.after.method.deterministic:
        passing = int(result.passing(thresholds).sum())
        told = f"{told} {passing:,} of {result.after.size:,} draws keep T₂ and T₃."
        if step != 15 and passing:
            told += " Who picks a draw because it passes changes what the method promises; turn a setting instead."
    return f"{told} {YOURS}"


def revealed(result: Protected) -> list[str]:
    """Return a sentence about a category whose people the shown draw still shows in one cell; none if none ever was."""
    before, still = in_one_cell(result.before.table), result.still_in_one_cell
    if before and not still:
        others = ", nor does any other that did" if len(before) > 1 else ""
        return [f"{_category(before[0])} no longer shows everyone in one cell{others}."]
    return _sure(still, "still ")


def _sure(found: Sequence[OneCell], still: str = "") -> list[str]:
    """Return a sentence about the first of these categories, and how many more there are."""
    if not found:
        return []
    one, more = found[0], len(found) - 1
    others = f" So {'does' if more == 1 else 'do'} {more:,} more." if more else ""
    return [
        f"{_category(one)} {still}shows everyone in one cell, {', '.join(map(quoted, one.cell))}: who knows that "
        f"a person is there, knows the cell.{others}"
    ]


def _category(one: OneCell) -> str:
    return f"{one.axis} {quoted(one.label)}"


def _ended(result: Protected, own: bool) -> str:
    """Return that the search may end here, with what is left and what was lost."""
    risk, loss = result.risk_measure, result.loss_measure
    word = "kept" if loss.more_is_better else "lost"
    whose = "your thresholds" if own else "the thresholds that the page begins with"
    return (
        f"By {whose} you are done: of the risk, {risk.told(result.risk_before)} before, "
        f"{risk.told(result.risk)} is left; {loss.told(result.loss)} is {word}."
    )


def before_deciding(result: Protected, thresholds: Thresholds) -> str:
    """Return what is to be done before anything was chosen, judged or released."""
    decided = result.decided(thresholds)
    if decided.step == 4:
        return notice_after(result, thresholds)
    risk = result.risk_measure
    return (
        f"Step 5 of 15. The risk before protection, {risk.told(result.risk_before)}, is not {kept(risk)} "
        f"T₁ = {thresholds.before:g}. {''.join(f'{one} ' for one in _sure(in_one_cell(result.before.table)))}"
        f"So the table is protected first: choose a method and its settings, then judge what is left. {YOURS}"
    )


def stages(result: Protected, thresholds: Thresholds, *, judged: bool) -> list[Stage]:
    """Return the five stages of the 15 steps, and where the decision on the shown draw stands."""
    step = result.decided(thresholds).step
    if step != 4 and not judged:
        step = 5
    risk, loss, T = result.risk_measure, result.loss_measure, thresholds
    what = "the table" if result.after.method.deterministic else f"draw {result.index + 1}"
    first = f"{risk.told(result.risk_before)}, {_stands(step == 4, risk)} T₁ = {T.before:g}"
    left = f"{risk.told(result.risk)}, {_stands(risk.within(result.risk, T.after), risk)} T₂ = {T.after:g}"
    lost = f"{loss.told(result.loss)}, {_stands(loss.within(result.loss, T.loss), loss)} T₃ = {T.loss:g}"
    waits = f"waits for {what}" if step == 5 else "not needed" if step == 4 else "not reached"
    released = {4: "the true table can be released as it is", 15: f"{what} may be released"}.get(
        step, "not yet"
    )
    if shown := {4: in_one_cell(result.before.table), 15: result.still_in_one_cell}.get(step):
        released = f"look first: {quoted(shown[0].label)} {'still ' * (step == 15)}shows everyone in one cell"
    told = (
        ("Measure", 1, 4, first, "measure"),
        ("Protect", 5, 5, "not needed" if step == 4 else result.after.method.title, "protect"),
        ("Judge the risk left", 6, 8, left if step > 5 else waits, "judge"),
        ("Judge the loss", 9, 12, lost if step > 8 else waits, "lose"),
        ("Choose and release", 13, 15, released, "release"),
    )
    found = []
    for title, low, high, words, place in told:
        steps = f"step {low}" if low == high else f"{low}–{high}"
        state = "done" if step > high else "todo" if step < low else "stop" if step in (8, 12) else "now"
        found.append(Stage(title, steps, words, state, place))
    return found


def _stands(keeps: bool | np.bool_, measure: Measure) -> str:
    return kept(measure) if keeps else f"not {kept(measure)}"


def next_act(result: Protected, thresholds: Thresholds, *, judged: bool) -> tuple[str, str]:
    """Return what comes next, and the place on the page that it leads to; "" for a place is to judge."""
    step = result.decided(thresholds).step
    if step == 4:
        return "", ""
    if not judged:
        what = "the table" if result.after.method.deterministic else f"draw {result.index + 1}"
        return f"Next: judge {what}", ""
    if step == 15 and result.still_in_one_cell:
        return "Next: look at what it still shows", "judge"
    if step == 15:
        return "Next: save what is published", "release"
    return "Next: choose another setting", "protect"


def where_next(result: Protected, thresholds: Thresholds, *, judged: bool) -> str:
    """Return what is to be done where the method is chosen, once the shown draw was judged; "" for nothing."""
    if not judged or result.decided(thresholds).step not in (8, 12):
        return ""
    return "Not good enough yet: choose another method or setting here, or sweep all methods on the map and press one."


def _certain(result: Protected) -> list[str]:
    """Return a sentence about slices whose people are all in one cell, where the ratio of R2 is 0/0."""
    found = {
        part.name: int(((part.people > 0) & (part.zeros == part.cells - 1)).sum())
        for part in (result.before.whole, *result.before.slices.values())
        if part.cells > 1
    }
    told = [f"{number} of {name}" for name, number in found.items() if number]
    if not told:
        return []
    return [
        f"All people are in one cell in {', '.join(told)}: there H(X) = 0, and the second term of R₂ is that of "
        "before while it is published as it is, and 0 once it is changed."
    ]


def steps(result: Protected, thresholds: Thresholds, *, judged: bool = True) -> list[Line]:
    """Return the 15 steps of a data protector, the one that is reached marked."""
    reached = result.decided(thresholds).step
    if reached != 4 and not judged:
        reached = 5
    return [
        [
            Piece(
                f"{'→ ' if number == reached else ''}{number}. {words}",
                "unevenness" if number == reached else "",
            )
        ]
        for number, words in enumerate(STEPS, start=1)
    ]


def why_two(result: Protected) -> list[Line]:
    """Return why two formulas of R2 are in print, and what each of them claims."""
    whole = result.after.whole
    reveals, unknown = (float(whole.r2[name].mean[0]) for name in ("information", "uncertainty"))
    return said(
        "Both begin with the unevenness before protection, 1 − H(X)/log K, and both use H(X|Y): what the intruder "
        "still does not know about a person after seeing the published table.",
        "Thesis (3.6.6): (1 − H(X)/log K) · (1 − H(X|Y)/H(X)). It counts what the table reveals: "
        f"R₂ = {reveals:.4f}.",
        "If nothing is changed, H(X|Y) = 0 and this is the risk before. More noise lowers it. It is the default here.",
        f"PSD 2014 (5): (1 − H(X)/log K) · H(X|Y)/H(X). It counts what is still unknown: R₂ = {unknown:.4f}.",
        "If nothing is changed this is 0, and more noise raises it. "
        "Not all printed tables of PSD 2014 follow it: some of their figures fit neither formula.",
        *_certain(result),
    )
