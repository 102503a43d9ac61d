"""Texts of the page Rounding: possible original counts, additivity, and the values of the handbook."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.formula_lines import text_lines
from sdcwidgets.core.margins import margins
from sdcwidgets.core.risk.cell import a_posteriori, from_distribution
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
    "conventional": "Each cell and each total is rounded to the nearest multiple of the base.",
    "random": "Each cell and each total is rounded up or down to a multiple of the base at random, without "
    "bias.",
    "semi-controlled": "Cells are rounded at random, without bias. The grand total changes by less than the base; the "
    "other totals are sums of the rounded cells.",
    "controlled": "Cells and totals are rounded to multiples that are additive, with a small distance. A secret "
    "selects this rounded table, which a report contains.",
}


def headline(result: RoundingResult) -> tuple[str, str]:
    """Return the published values of the chosen count, and the conclusions of a data user."""
    z, base, steps = (getattr(result.state.rounding, name) for name in ("count", "base", "steps"))
    nearest, up = next(iter(result.ways["conventional"])), z % base
    if not up:
        free = f" Controlled rounding may change {z} by up to {steps * base}." if steps else ""
        return (
            f"The count {z} is not changed, because {z} is a multiple of {base}.",
            f"Rounding changes only counts that are not multiples of {base}.{free}",
        )
    low, high = protection_interval(nearest, base, 0)
    return (
        f"Random rounding changes {z} to {z - up + base} with probability {up}/{base}, otherwise to {z - up}.",
        f"Random rounding is unbiased. Conventional rounding always changes {z} to {nearest}. After random rounding, "
        f"the original count of a published {nearest} can be from {int(low)} to {int(high)}.",
    )


def note(result: RoundingResult, rounding: RoundedTable) -> str:
    """Return a short description of a rounding, and whether it is additive."""
    meant = MEANT[rounding.name]
    if rounding.name == "controlled" and result.chosen_by_secret is None:
        meant = "A secret has not selected a controlled rounding yet, so the page cannot save a report. "
        if result.rapid:
            meant += (
                "The page shows RAPID, which rounds cells to the nearest multiple and sums the rounded cells."
            )
        else:
            meant += "The page shows the additive rounding with the smallest distance so far."
    if rounding.nonadditive:
        return (
            f"{meant} Published totals that are not the sums of their cells: {rounding.nonadditive} of "
            f"{rounding.totals}."
        )
    return f"{meant} All {rounding.totals} published totals are the sums of their cells."


def caption(result: RoundingResult) -> str:
    """Return the label of the large number."""
    base, steps = result.state.rounding.base, result.state.rounding.steps
    more = f", K = {steps}" if result.state.method == "controlled" else ""
    return (
        f"Original counts that can be published as {result.published:,}. Method: {NAMES[result.state.method]} rounding "
        f"to base b = {base}{more}."
    )


def selected(result: RoundingResult) -> str:
    """Return the selected published value with its possible original counts, and where their probabilities are."""
    low, high = result.interval
    return (
        f"Selected: {result.published:,}, {NAMES[result.state.method]}. The original count is from {low:,} to "
        f"{high:,}. The tab “Original counts and probabilities” shows how likely each count is."
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
        f"For a data user who knows the base{' and K' if result.state.method == 'controlled' else ''}, "
        f"{high - low + 1} original counts are possible, from {low:,} to {high:,}."
    )
    if low == 0 and a > 0:
        sentence += " The original cell may be empty."
    if result.state.method == "controlled" and 0 < a < (K + 1) * b:
        end = int(protection_interval(a, b, K, printed=True)[1])
        if end < high:
            sentence += (
                f" The formula of the SDC handbook gives {end} as the upper bound of the original count, but an "
                f"original count of {high} can also be published as {a}."
            )
    return sentence


def a_posteriori_risk(result: RoundingResult) -> str:
    """Return the a posteriori risk of the published value, for equally likely counts and for rounding at random."""
    a = result.published
    low, high = result.interval
    m = high - low + 1
    text = (
        f"A posteriori risk of this value (O&DF): 1/log₂ {m} = {_risk(a_posteriori(([low], [high]))[0])} if all {m} "
        "counts are equally likely."
    )
    if result.state.method not in ("random", "semi-controlled"):
        return text
    return (
        f"{text} {NAMES[result.state.method]} rounding publishes {a:,} more often for counts near {a:,}. With these "
        "probabilities, the risk is 1 divided by their entropy in bits: "
        f"{_risk(float(from_distribution(result.likely)))}."
    )


def _risk(value: float) -> str:
    return "∞" if np.isinf(value) else f"{value:.3f}"


def explain(result: RoundingResult) -> list[Line]:
    """Return the derivation of the interval, one line per step."""
    b, K = result.state.rounding.base, result.state.rounding.steps
    lines = text_lines("z = u·b + r is the original count, and a is the published multiple of b.")
    if result.state.method == "conventional":
        lines += text_lines(
            "a is the multiple of b that is nearest to z; if two multiples are equally near, a is the larger one. "
            "Therefore, |z − a| is at most b/2."
        )
    elif result.state.method == "controlled" and K:
        lines += text_lines(
            f"With K = {K}, z can be rounded to one of the {K} multiples beyond the two adjacent multiples, on both "
            f"sides. Therefore, |z − a| is below (K + 1)·b = {(K + 1) * b} (SDC handbook, section 5.5.1.2)."
        )
    else:
        lines += text_lines(
            f"a is one of the two multiples of b that are adjacent to z. Therefore, |z − a| is below b = "
            f"{b}. Counts are not negative."
        )
    return [*lines, formula(result), *text_lines(notice(result))]


def narration(result: RoundingResult) -> Narration:
    """Return the original counts that are possible for a published value."""
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
    """Return the roundings side by side, one line per rounding."""
    return [
        reading(
            NAMES[rounded.name],
            f"{rounded.distance:,.0f}",
            [
                Piece(
                    f"{rounded.nonadditive} of {rounded.totals} totals are not the sums of their cells"
                    if rounded.nonadditive
                    else "all totals are the sums of their cells"
                ),
                Piece(f"; maximum change {rounded.furthest:,}"),
            ],
        )
        for rounded in result.roundings
    ]


def explain_rounding(result: RoundingResult, index: int) -> list[Line]:
    """Return the distance of one rounding, with cells and totals separately."""
    rounded = result.roundings[index]
    truth = margins(result.state.table.counts)
    cells = tuple(range(result.state.table.ndim))
    away = {axes: float(np.abs(rounded.release.values[axes] - truth[axes]).sum()) for axes in truth}
    rest = rounded.distance - away[cells]
    meant = (
        MEANT[rounded.name]
        if rounded.name != "controlled"
        else "This additive rounding has the smallest distance of all additive roundings that were found."
    )
    return text_lines(
        meant,
        "The distance is Σ |z − a| over all cells and totals. Controlled rounding minimises this distance.",
        f"Cells {away[cells]:,.0f} + totals {rest:,.0f} = {rounded.distance:,.0f}.",
        f"The largest change of one cell or total is {rounded.furthest:,}.",
    )


def solver_report(result: RoundingResult) -> str:
    """Return the solver's result so far."""
    if not result.runs:
        return (
            "The page shows RAPID, because no controlled rounding was found in the available time, or because the "
            "table "
            "is too large. In Python, controlled() can search longer with a larger effort."
        )
    last, first = result.runs[-1], result.runs[0]
    best = min(run.distance for run in result.runs)
    if last.gap <= 1e-9:
        sentence = (
            f"The distance {best:,.0f} is optimal: the solver has proved that no additive rounding has a smaller "
            "distance."
        )
    else:
        sentence = (
            f"The smallest distance so far is {best:,.0f}. The lower bound of the distance is {last.bound:,.0f}, which "
            f"is an optimality gap of {last.gap:.1%}."
        )
    if len(result.runs) > 1:
        sentence += f" The first additive rounding had a distance of {first.distance:,.0f}."
    return sentence


def has_published_figures(state: RoundingState) -> bool:
    """Return whether the handbook has roundings of this table to this base."""
    return state.rounding.base == 5 and state.table == examples.load("handbook-5-18")


def published_comparison(result: RoundingResult) -> list[str]:
    """Return a comparison of the handbook's roundings of its Table 5.18 with computed ones, one sentence per table."""
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
        f"Table 5.19 of the handbook, conventional rounding: {same} of {len(ours)} numbers equal the numbers of this "
        f"page. The handbook has {printed['rows'][2]} as the total of Area C, but the multiple of 5 nearest to 32 is "
        f"{int(mine.marginal('Area')[2])}.",
        f"Table 5.20 of the handbook, random rounding: each cell {'is' if near else 'is not'} one of the two multiples "
        "adjacent to the original count. The totals are 0, 5, 35; 15, 20; 40.",
        f"Table 5.21 of the handbook, controlled rounding: the table is additive, with a distance of {away:,.0f}. The "
        f"smallest distance of an additive rounding is {result.roundings[-1].distance:,.0f}.",
    ]


def as_code(state: RoundingState) -> str:
    """Return Python code that computes the roundings; the controlled one is the closest, because code has no secret.

    Examples
    --------
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
