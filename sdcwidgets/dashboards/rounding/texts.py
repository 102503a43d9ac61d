"""Texts of the page Rounding: possible true counts, additivity, and the values of the handbook."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.lines import text_lines
from sdcwidgets.core.margins import margins
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.rounding.result import RoundedTable, RoundingResult
from sdcwidgets.dashboards.rounding.state import METHODS, RoundingState
from sdcwidgets.methods.rounding import protection_interval
from sdcwidgets.tables import examples
from sdcwidgets.tables.examples import figures as published_figures
from sdcwidgets.widgets.texts import Line, Piece, Quantity, reading
from sdcwidgets.widgets.texts.narration import Narration

NAMES = dict(zip(METHODS, ("Conventional", "Random", "Semi-controlled", "Controlled"), strict=True))

#: A short description of each method.
MEANT = {
    "conventional": "Each to its nearest multiple, totals too.",
    "random": "Each up or down by chance, right on average, totals too.",
    "semi-controlled": "By chance, right on average; the total of all is less than a base away, others are sums.",
    "controlled": "The closest that adds up, for teaching. A saved file has another rounding, chosen by a secret.",
}


def headline(result: RoundingResult) -> tuple[str, str]:
    """Return the published value of the chosen count, and a reader's knowledge of it."""
    z, base, steps = (getattr(result.state.rounding, name) for name in ("count", "base", "steps"))
    nearest, up = next(iter(result.ways["conventional"])), z % base
    if not up:
        free = f" Controlled rounding may move it by {steps} × {base}." if steps else ""
        return f"{z} stays {z}: it is a multiple of {base}.", f"Rounding moves other counts only.{free}"
    low, high = protection_interval(nearest, base, 0)
    return (
        f"{z} becomes {z - up + base} in {up} of {base} draws, otherwise {z - up}.",
        f"By chance that is right on average; to the nearest multiple it is always {nearest}. "
        f"By chance {nearest} may be {int(low)} to {int(high)}.",
    )


def note(result: RoundingResult, rounding: RoundedTable) -> str:
    """Return a short description of a rounding, and whether it is additive."""
    meant = MEANT[rounding.name]
    if rounding.name == "controlled" and result.rapid:
        meant = (
            "RAPID stands in, nothing better was found yet: cells to the nearest multiple, totals their sums."
        )
    elif rounding.name == "controlled" and (not result.runs or result.runs[-1].gap > 1e-9):
        meant = "Adds up; the closest so far. A saved file has another rounding, chosen by a secret."
    if rounding.nonadditive:
        return f"{meant} {rounding.nonadditive} of {rounding.totals} totals are not sums."
    return f"{meant} All {rounding.totals} totals are sums."


def caption(result: RoundingResult) -> str:
    """Return the label of the large number."""
    base, steps = result.state.rounding.base, result.state.rounding.steps
    more = f", K = {steps}" if result.state.method == "controlled" else ""
    return (
        f"is the true count behind a published a = {result.published:,}. "
        f"{NAMES[result.state.method]} rounding, b = {base}{more}."
    )


def formula(result: RoundingResult) -> Line:
    """Return the ends of the interval with their numbers."""
    a, b, K = result.published, result.state.rounding.base, result.state.rounding.steps
    _, high = result.interval
    if result.state.method == "conventional":
        return [Piece(f"a − {b // 2} = {a - b // 2}, a + {(b - 1) // 2} = {high}")]
    if result.state.method != "controlled":
        K = 0
    reach = (K + 1) * b
    first = f"a − (K + 1)·b + 1 = {a} − {reach} + 1 = {a - reach + 1}"
    return [
        Piece(first, "zeros"),
        Piece("; "),
        Piece(f"a + (K + 1)·b − 1 = {a} + {reach} − 1 = {high}", "size"),
    ]


def notice(result: RoundingResult) -> str:
    """Return the most important fact about the interval."""
    a, b, K = result.published, result.state.rounding.base, result.state.rounding.steps
    low, high = result.interval
    sentence = (
        f"A reader who knows the base {'and K ' if result.state.method == 'controlled' else ''}is left with "
    )
    sentence += f"{high - low + 1} counts, {low:,} to {high:,}."
    if low == 0 and a > 0:
        sentence += " Nobody may be there."
    if result.state.method == "controlled" and 0 < a < (K + 1) * b:
        end = int(protection_interval(a, b, K, printed=True)[1])
        if end < high:
            sentence += (
                f" The handbook’s formula ends at {end} here; "
                f"but a count of {high} may be published as {a} too."
            )
    return sentence


def explain(result: RoundingResult) -> list[Line]:
    """Return the derivation of the interval, one line per step."""
    b, K = result.state.rounding.base, result.state.rounding.steps
    lines = text_lines("z = u·b + r is the true count, a the published multiple of b.")
    if result.state.method == "conventional":
        lines += text_lines(
            "a is the multiple nearest to z, a tie goes up; so z is at most half a base away."
        )
    elif result.state.method == "controlled" and K:
        lines += text_lines(
            f"With K = {K}, z may go {K} multiples further than the two next to it, so |z − a| is below (K + 1)·b = "
            f"{(K + 1) * b} (handbook, section 5.5.1.2)."
        )
    else:
        lines += text_lines(
            f"a is one of the two multiples next to z, so |z − a| is below b = {b}; no count is below 0."
        )
    return [*lines, formula(result), *text_lines(notice(result))]


def narration(result: RoundingResult) -> Narration:
    """Return which true counts a published number may stand for."""
    low, high = result.interval
    return Narration(
        f"{low:,} to {high:,}",
        caption(result),
        notice(result),
        formula(result),
        explain=lambda: ("Protection interval", explain(result)),
        of=result.state,
    )


def compared(result: RoundingResult) -> list[Quantity]:
    """Return the roundings side by side, a line each."""
    return [
        reading(
            NAMES[rounded.name],
            f"{rounded.distance:,.0f}",
            [
                Piece(
                    f"{rounded.nonadditive} of {rounded.totals} totals not sums"
                    if rounded.nonadditive
                    else "adds up"
                ),
                Piece(f"; at most {rounded.furthest:,} away"),
            ],
        )
        for rounded in result.roundings
    ]


def explain_rounding(result: RoundingResult, index: int) -> list[Line]:
    """Return the distance of one rounding, cells and totals apart."""
    rounded = result.roundings[index]
    truth = margins(result.state.table.counts)
    cells = tuple(range(result.state.table.ndim))
    away = {axes: float(np.abs(rounded.release.values[axes] - truth[axes]).sum()) for axes in truth}
    rest = rounded.distance - away[cells]
    return text_lines(
        MEANT[rounded.name],
        "Σ |z − a| over all cells and totals: what controlled rounding makes as small as it can.",
        f"Cells {away[cells]:,.0f} + totals {rest:,.0f} = {rounded.distance:,.0f}.",
        f"The furthest is {rounded.furthest:,} away from its true value.",
    )


def solver_report(result: RoundingResult) -> str:
    """Return the solver's result so far."""
    if not result.runs:
        return (
            "No controlled rounding was found in this time, or the table is too large for it while one looks: RAPID is "
            "shown. In Python, controlled() takes the time it needs."
        )
    last, first = result.runs[-1], result.runs[0]
    best = min(run.distance for run in result.runs)
    if last.gap <= 1e-9:
        sentence = f"The distance {best:,.0f} is the least: the solver has proved that no rounding is closer."
    else:
        sentence = (
            f"The distance is {best:,.0f}, and none is below {last.bound:,.0f}: a gap of {last.gap:.1%}."
        )
    if len(result.runs) > 1:
        sentence += f" The first rounding found had {first.distance:,.0f}."
    return sentence


def has_published_figures(state: RoundingState) -> bool:
    """Return whether the handbook prints roundings of this table in this base."""
    return state.rounding.base == 5 and state.table == examples.load("handbook-5-18")


def published_comparison(result: RoundingResult) -> list[str]:
    """Return what the handbook prints for its Table 5.18, and what the formulas give, a sentence a table."""
    printed = published_figures.load("handbook")["Table 5.19"]
    mine = result.roundings[0].release
    ours = [
        int(value)
        for value in (*mine.cells.ravel(), *mine.marginal("Area"), *mine.marginal("Sex"), mine.marginal())
    ]
    theirs = [*np.ravel(printed["cells"]), *printed["rows"], *printed["columns"], printed["total"]]
    same = sum(int(value == published) for value, published in zip(ours, theirs, strict=True))
    table = result.state.table
    random, controlled = (examples.load(f"handbook-5-{k}").counts for k in (20, 21))
    near = bool((np.abs(random - table.counts) < 5).all())
    away = sum(
        float(np.abs(sums - margins(table.counts)[axes]).sum()) for axes, sums in margins(controlled).items()
    )
    return [
        f"Table 5.19, conventional: {same} of {len(ours)} printed numbers are those above. Area C’s total is printed "
        f"{printed['rows'][2]}; the nearest multiple of 5 to 32 is {int(mine.marginal('Area')[2])}.",
        f"Table 5.20, random: each printed cell {'is' if near else 'is not'} one of the two multiples next to the true "
        "one, so it is one of the draws; totals are printed 0, 5, 35; 15, 20; 40.",
        f"Table 5.21, controlled: it adds up, and its distance is {away:,.0f}; the closest has "
        f"{result.roundings[-1].distance:,.0f}.",
    ]


def as_code(state: RoundingState) -> str:
    """Return Python code that computes the roundings that are shown.

    >>> print(as_code(RoundingState.of_example("handbook-5-18")).splitlines()[-1])
    controlled(table, base=5, steps=0).to_frame()
    """
    code = state.source.code(state.table)
    base, steps, draw = state.rounding.base, state.rounding.steps, state.rounding.draw
    return script(
        "import numpy as np",
        f"from sdcwidgets import {', '.join(sorted([*code.imports, 'methods'], key=str.swapcase))}",
        "from sdcwidgets.methods.rounding import controlled",
        "",
        *code.lines,
        f"rng = np.random.default_rng([{draw}, 0])",
        f"methods.get('conventional-rounding')(base={base}, margins='own').release(table, rng).to_frame()",
        f"methods.get('random-rounding')(base={base}, margins='own').release(table, rng).to_frame()",
        f"methods.get('semi-controlled-rounding')(base={base}).release(table, np.random.default_rng([{draw}, 1]))"
        ".to_frame()",
        f"controlled(table, base={base}, steps={steps}).to_frame()",
    )
