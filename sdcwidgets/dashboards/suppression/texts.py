"""Suppression in words: which gaps are too narrow and why, the equations of a gap, and two patterns compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdcwidgets._util.labels import counted, holds_for
from sdcwidgets._util.lines import Piece, text_lines
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.suppression.optimiser import InsiderDisclosure
from sdcwidgets.dashboards.suppression.result import SuppressionResult
from sdcwidgets.dashboards.suppression.sheet import READERS, Remaining, SheetLine
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.texts import Line
from sdcwidgets.widgets.texts.narration import Narration

#: A bound below this share of what a pattern costs says little of it.
FAR = 0.7

#: By what two patterns are compared.
MEASURES = (
    "Hidden beside what is marked",
    "Gaps beside it",
    "Fewest values of what is marked",
    "Highest risk of a gap, 1/log₂ m",
    "Expected risk of a gap, each looked for alike",
    "Left free: unknowns − rank",
)


def values_text(values: float) -> str:
    """Return how many values are left, in words."""
    return "known" if values == 1 else "no limit" if np.isinf(values) else f"{values:,.0f} values"


def risk(value: float) -> str:
    """Return a risk as it is shown."""
    return "–" if np.isnan(value) else "∞" if np.isinf(value) else f"{value:.3f}"


def weakest(result: SuppressionResult) -> str:
    """Return what a person should notice of the pattern."""
    state = result.state
    if not state.hidden:
        return "Nothing is suppressed: every number is in print, and nothing is left to compute."
    width, cell = state.requirements.width, result.narrowest
    if known := result.known:
        others = f", and {len(known) - 1} more, hide" if len(known) > 1 else " hides"
        return f"The gap in {state.sheet.called(known[0])}{others} nothing {_read(result)}"
    if cell is None:
        cells = _required(result)
        return f"{cells} keeps at least {_fewest(result)}; {width:,} are required. That is {_read(result)}"
    gaps = [other for other in state.hidden if other[0] == cell[0]]
    hidden = int(sum(state.sheet.full[gap] for gap in gaps))
    row, column = state.sheet.row(cell[0]), state.sheet.columns[cell[1]]
    kind = _required(result).removeprefix("Every ")
    few = f"{int(result.narrow.sum())} of {counted(int(result.required.sum()), kind)}"
    narrow = f"{few} keep fewer than {width:,} values. {row} hides {hidden:,} in {counted(len(gaps), 'gap')}"
    return f"{narrow}; the one in {column} keeps {result.values[cell]:,.0f} values {_read(result)}"


def lead(result: SuppressionResult) -> tuple[str, str, str]:
    """Return whether what is hidden is hidden, for whom and why, and the tone of it."""
    state = result.state
    if not state.hidden:
        return "Nothing is hidden: every number is in print.", "Press a number to hide it.", ""
    reason = f"{state.requirements.width:,} are asked. {_whom(result)}"
    if known := result.known:
        recalculated = f"{state.sheet.called(known[0])} is found again, {state.sheet.full[known[0]]:,}"
        return f"No: {recalculated}.", f"The sums in print leave it no other value. {_whom(result)}", "stop"
    if (cell := result.narrowest) is not None:
        narrowest = f"{state.sheet.called(cell)} keeps {values_text(result.values[cell])}"
        return f"Not enough: {narrowest}.", reason, "stop"
    if hierarchy := state.possible_hierarchy:
        return "Not decided: a hierarchy is possible.", hierarchy, "stop"
    if result.insider is not None:
        insider = insider_sentence(result, result.insider)
        return f"Not for everyone in the table: {insider}", "Outsiders know less.", "stop"
    cells = _required(result)
    return f"Yes: {cells[0].lower()}{cells[1:]} keeps at least {_fewest(result)}.", reason, "good"


def _whom(result: SuppressionResult) -> str:
    """Return for whom what is said of the gaps holds."""
    state = result.state
    # From inside only what is marked as sensitive is looked at.
    if state.source.unit != "people" or not state.coalition or not set(state.sensitive) & set(state.hidden):
        return "This holds for outsiders; who is in the table knows more."
    inside = "everyone" if state.coalition == 1 else f"any {state.coalition} together"
    return f"This holds for outsiders; what is marked, for {inside} in the table too."


def _required(result: SuppressionResult) -> str:
    """Return the name of the cells that must keep the required number of values."""
    return "Every suppressed cell" if result.required is result.mask else "Every sensitive cell"


def _fewest(result: SuppressionResult) -> str:
    return values_text(result.fewest) if np.isfinite(result.fewest) else "any number of values"


def _knows(result: SuppressionResult, reader: str) -> str:
    """Return what a reader knows of gaps beside the sums in print."""
    floor, ceiling = replace(result.state.sheet, reader=reader).beforehand(result.mask)
    if result.unknowns and np.isfinite(ceiling).all():
        return "that gaps are ones and twos"
    return "that gaps are 1 or more" if floor[result.mask].all() else "only that numbers are 0 or more"


def _read(result: SuppressionResult) -> str:
    """Return who reads this from a pattern, and what one computes who knows more or less."""
    mine = result.state.requirements.reader
    other = next(reader for reader in READERS if reader != mine)
    by_other = int((result.others.values[result.mask] == 1).sum())
    by_mine = int((result.values[result.mask] == 1).sum())
    more = ""
    if by_other != by_mine:
        more = f" One who knows {_knows(result, other)} computes {by_other} of {result.unknowns}."
    return f"for a reader who knows {_knows(result, mine)}.{more}"


def _equation(result: SuppressionResult, line: SheetLine) -> str:
    """Return one sum with this table's numbers: its gaps on the left, what is in print on the right."""
    state, full = result.state, result.state.sheet.full
    gaps = [cell for cell in line.parts if cell in state.hidden]
    published = [int(full[cell]) for cell in line.parts if cell not in state.hidden]
    if line.total in state.hidden:
        parts = [result.symbol(gap) for gap in gaps] + [f"{value:,}" for value in published if value]
        return f"{line.name}: {result.symbol(line.total)} = {' + '.join(parts) or '0'}"
    total = int(full[line.total])
    unknown = " + ".join(result.symbol(gap) for gap in gaps)
    difference = " − ".join([f"{total:,}", *(f"{value:,}" for value in published if value)])
    rest = f" = {total - sum(published):,}" if any(published) else ""
    return f"{line.name}: {unknown} = {difference}{rest}"


def equations(result: SuppressionResult) -> list[Line]:
    """Return the equations of the row and the column of the chosen gap, with this table's numbers."""
    state = result.state
    cell = state.chosen
    if cell not in state.hidden:
        return text_lines("Press a gap to see the sums that it stands in; press a number to suppress it.")
    lines: list[Line] = [
        [Piece(_equation(result, line), "zeros" if line.axis else "size")]
        for line in state.sheet.through(cell)
    ]
    x, values = result.symbol(cell), result.values[cell]
    low, high = f"{result.lower[cell]:,.0f}", f"{result.upper[cell]:,.0f}"
    if values == 1:
        return lines + text_lines(f"so {x} = {low}: exact disclosure, risk ∞")
    if np.isinf(values):
        return lines + text_lines(f"so {x} ≥ {low}, and nothing bounds it from above")
    values_and_risk = f"{values:,.0f} values, risk 1/log₂ m = {risk(result.risk[cell])}"
    return lines + text_lines(f"so {low} ≤ {x} ≤ {high}: {values_and_risk}")


def explain(result: SuppressionResult) -> list[Line]:
    """Return how bounds and risk come about, a line a step."""
    return [
        *text_lines("Each gap is an unknown, and each sum with a gap an equation."),
        *text_lines(f"The reader knows {_knows(result, result.state.requirements.reader)}."),
        *equations(result),
        *text_lines(
            "The lowest and the highest value of each gap come from two linear programs over all equations.",
            "m values are left, all as likely: the risk is 1/log₂ m; 1 for two values, ∞ for one (O&DF, (3)).",
        ),
    ]


def supposition(result: SuppressionResult) -> str:
    """Return what follows for the other gaps if the chosen one is what is supposed."""
    state = result.state
    if result.supposed is None:
        return "Press a gap that is not known to see what follows from a value of it."
    others = result.mask.copy()
    others[state.chosen] = False
    moved = others & ((result.then_lower != result.lower) | (result.then_upper != result.upper))
    known, more = int((moved & (result.then_lower == result.then_upper)).sum()), int(moved.sum())
    condition, number = f"If {result.symbol(state.chosen)} is {result.supposed:,}, ", int(others.sum())
    if not more:
        return condition + "no other gap can be said to be more than before."
    if known == number:
        return condition + f"all {number} other gaps are known too. Nothing in print changes as it moves."
    return condition + f"{known} of {number} other gaps are known, and {more - known} narrower."


def degrees_of_freedom(result: SuppressionResult) -> str:
    """Return how many unknowns the equations leave free."""
    free = result.unknowns - result.rank
    if not result.unknowns:
        return "No gap, so no unknown."
    loops = "nothing moves" if not free else f"{free} can be chosen, and the others follow"
    unknowns, equations = counted(result.unknowns, "unknown"), counted(result.equations, "equation")
    return f"{unknowns}, {equations} of rank {result.rank}: {loops}."


def compared(result: SuppressionResult) -> list[tuple[str, str, str]]:
    """Return measures of one's own pattern and of the optimiser's: the name of each, and the two numbers."""
    best, theirs = result.best, result.best.remaining
    marked = [float(result.values[cell]) for cell in result.state.sensitive]
    mine = _measured(result, sum(result.secondary_counts), len(result.secondary_counts), marked)
    others = _measured(theirs, best.people, best.cells, [best.narrowest]) if theirs else ["–"] * len(mine)
    return list(zip(MEASURES, mine, others, strict=True))


def _measured(remaining: Remaining, people: int, cells: int, marked: list[float]) -> list[str]:
    fewest = min(marked, default=np.nan)
    return [
        f"{people:,}",
        f"{cells}",
        "–" if np.isnan(fewest) else "no limit" if np.isinf(fewest) else f"{fewest:,.0f}",
        risk(remaining.highest),
        risk(remaining.expected),
        f"{remaining.unknowns} − {remaining.rank} = {remaining.unknowns - remaining.rank}",
    ]


def protects_more(result: SuppressionResult) -> str:
    """Return which of the two patterns protects more, and what that costs."""
    state, best = result.state, result.best
    if best.remaining is None:
        return best.problem
    required = f"{state.requirements.width:,} values"
    if any(cell not in state.hidden for cell in state.sensitive):
        return f"Yours leaves something marked in print. The optimiser’s keeps {required} for it."
    fewest = min(float(result.values[cell]) for cell in state.sensitive)
    if fewest < state.requirements.width:
        weakness = "it can be computed" if fewest == 1 else f"{fewest:,.0f} values are left"
        return (
            f"Yours does not protect what is marked: {weakness}, {required} are asked. The optimiser’s does."
        )
    if (union := state.sheet.small_union(result.mask)) is not None:
        line, people = union
        alone = (
            f"{line.name}: the gaps of yours hold {people} in all, so who is in one of them knows the rest."
        )
        return f"{alone} The optimiser’s leaves no such sum."
    if result.insider is not None:
        return f"Yours: {insider_sentence(result, result.insider)} The optimiser’s holds for them too."
    mine, other = result.expected, best.remaining.expected
    more = f"Both protect alike, with an expected risk of {risk(mine)}"
    if abs(mine - other) >= 5e-4:
        better, risks = "Yours" if mine < other else "The optimiser’s", sorted((mine, other))
        more = f"{better} protects more: an expected risk of {risk(risks[0])} instead of {risk(risks[1])}"
    return f"{more}. Yours hides {sum(result.secondary_counts):,}, the optimiser’s {best.people:,}."


def proof(result: SuppressionResult) -> str:
    """Return what is proved of the optimiser's pattern, and for whom its gaps hold."""
    best = result.best
    if best.hidden is None:
        return best.problem
    margins = int((best.hidden & ~result.state.sheet.leaf).sum())
    summary = "No cheaper pattern protects as asked."
    if not best.optimal:
        few, least = result.state.requirements.cost == "cell", np.ceil(best.least - 1e-6)
        verb, bound = "hides", f"hides less than {least:,.0f}"
        if few:
            verb, bound = "needs", f"needs fewer than {least:,.0f} more gaps"
        if result.state.costs:
            verb, bound = "costs", f"costs less than {best.least:,.6g}"
        worth = "A cheaper one may exist."
        if best.least < FAR * best.cost:
            worth = "So a cheaper one may exist; so low a bound says little of that."
        bound = f"no pattern that protects {bound}; this one {verb} {best.cost:,.10g}"
        summary = f"It is proved that {bound}. {worth}"
    if margins:
        summary += f" {counted(margins, 'total')} must be {'a gap' if margins == 1 else 'gaps'} too."
    if result.state.source.unit != "people":
        return f"{summary} Who gave these amounts is not known here: the gaps hold for outsiders only."
    return f"{summary} {holds_for(result.state.coalition, 'in the table who knows their own counts')}"


def insider_sentence(result: SuppressionResult, insider: InsiderDisclosure) -> str:
    """Return who in the table knows too much of which number."""
    sheet = result.state.sheet
    who = " and ".join(sheet.name(cell) for cell in insider.who)
    width = result.state.requirements.width
    return f"who is in {who} knows their own, and leaves fewer than {width:,} values for {sheet.name(insider.cell)}."


def linked_comparison(result: SuppressionResult) -> str:
    """Return which of two patterns of linked tables protects more."""
    state, both = result.state, result.linked_ranks
    first, second = (pattern.full_ranks[-1] - pattern.ranks[-1] for pattern in both)
    gaps = len(state.pattern_a), len(state.pattern_b)
    number = f"with {gaps[0]} gaps each" if gaps[0] == gaps[1] else f"with {gaps[0]} and {gaps[1]} gaps"
    summary = (
        f"All three tables are released, {number}: pattern A lowers the rank by {first}, pattern B by {second}, "
        f"and the expected risk of a turnover is {' and '.join(risk(pattern.risk[-1]) for pattern in both)}. "
    )
    if first == second:
        return summary + "Both leave equally much free."
    return summary + f"Pattern {'A' if first > second else 'B'} protects more."


def why(result: SuppressionResult) -> list[Line]:
    """Return why nothing cheaper holds, as far as a person can follow: each gap is needed, cheaper boxes fail."""
    state, best, boxes = result.state, result.best, result.boxes
    if best.hidden is None:
        return text_lines(best.problem)
    sheet, width = state.sheet, state.requirements.width
    must = f"What is marked must keep {width:,} values"
    lines: list[Line] = text_lines(f"{must}. The optimiser hides {best.people:,} beside it.")
    for effect in result.gap_effects:
        then = f"{sheet.name(effect.weakest)} {_keeps(effect.values)}."
        if effect.together and effect.values >= width:
            then = f"then the gaps of a sum hold {effect.together} in all, and who is in them knows the rest."
        elif effect.insider is not None:
            then = f"then {insider_sentence(result, effect.insider)}"
        lines.append([Piece(f"Free {sheet.full[effect.cell]:,} ({sheet.name(effect.cell)}): "), Piece(then)])
    if boxes is not None and state.requirements.cost == "value" and len(state.sensitive) == 1:
        cheaper = boxes.values[boxes.people < best.people]
        comparison = f"None of {len(boxes.values)} boxes of {boxes.size} gaps hides less."
        if len(cheaper):
            most = f"the best of them keeps {cheaper.max():,.0f} values, fewer than {width:,}"
            comparison = f"{len(cheaper)} of {len(boxes.values)} boxes hide less; {most}."
        lines += text_lines(comparison)
    lines += text_lines(
        "Of all other shapes the solver proves it: each pattern that fails gives an inequality that every "
        "protecting one fulfils, and the cheapest that fulfils all of them is this one."
        if best.optimal
        else "The solver had no time to prove it: a cheaper pattern may exist."
    )
    return lines


def narration(result: SuppressionResult) -> Narration:
    """Return how many values the weakest gap keeps."""
    values, width = result.fewest, result.state.requirements.width
    if np.isnan(values):
        value, formula, share = "–", [], 0.0
    else:
        value, share = "∞" if np.isinf(values) else f"{values:,.0f}", min(values / width, 1.0)
        how = f"1/log₂ {values:,.0f} = " if np.isfinite(values) and values > 1 else ""
        over = f"expected over {counted(result.unknowns, 'gap')} {risk(result.expected)}"
        formula = [Piece(f"risk {how}{risk(result.highest)}; {over}")]
    return Narration(
        value,
        f"values are left, of {width:,} that are asked.",
        weakest(result),
        formula,
        parts=[("kept", share)],
        ends=("exactly known", "as asked"),
        explain=lambda: ("Bounds and risk", explain(result)),
        of=result.state,
    )


def as_code(state: SuppressionState) -> str:
    """Return Python code that computes the bounds that are shown.

    >>> print(as_code(SuppressionState()).splitlines()[-1])
    a_posteriori(bounds)
    """
    sheet = state.sheet
    floor, ceiling = (side[sheet.mask(state.hidden)] for side in sheet.beforehand(sheet.mask(state.hidden)))
    known, beforehand = list[str](), ""
    if floor.any():
        most = f"np.where(hidden, {ceiling.max():.0f}, full)" if np.isfinite(ceiling).all() else "np.inf"
        known = [f"floor, ceiling = np.where(hidden, 1, full), {most}  # what a reader knows of gaps"]
        beforehand = ", floor=floor, ceiling=ceiling"
    return script(
        "import numpy as np",
        "from sdcwidgets.core.risk.cell import a_posteriori",
        "from sdcwidgets.core.suppression import Tree, audit, of_trees, with_margins",
        "",
        f"trees = [{', '.join(f'Tree({list(tree.parents)})' for tree in sheet.trees)}]",
        f"full = with_margins({sheet.table.counts.tolist()}, trees)  # totals last",
        "hidden = np.zeros(full.shape, dtype=bool)",
        f"for cell in [{', '.join(map(str, map(sheet.position, state.hidden)))}]:",
        "    hidden[cell] = True",
        *known,
        f"lower, upper = audit(of_trees(trees), full, hidden{beforehand})",
        "bounds = np.ceil(lower - 1e-6).reshape(full.shape), np.floor(upper + 1e-6).reshape(full.shape)",
        "a_posteriori(bounds)",
    )


def _keeps(values: float) -> str:
    return "is known" if values == 1 else f"keeps {values:,.0f} values"
