"""Texts of the page Suppression: the answer, the equations of a suppressed cell, and the comparison of two patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sdcwidgets._util.formula_lines import Piece, text_lines
from sdcwidgets._util.labels import counted, holds_for
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.suppression import by_hand
from sdcwidgets.dashboards.suppression.optimiser import InsiderDisclosure
from sdcwidgets.dashboards.suppression.result import SuppressionResult
from sdcwidgets.dashboards.suppression.sheet import READERS, Cell, Remaining, SheetLine
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.widgets.texts import Line, people
from sdcwidgets.widgets.texts.narration import Narration

#: A proved lower bound below this share of the cost of a pattern is called weak.
FAR = 0.7

#: Names of the figures by which two patterns are compared.
MEASURES = (
    "Sum of the counts in secondary cells",
    "Number of secondary cells",
    "Minimum number of possible values of a sensitive cell",
    "Highest risk of a suppressed cell, 1/log₂ m",
    "Mean risk of suppressed cells",
    "Degrees of freedom: suppressed cells − rank of the equations",
)


def values_text(values: float) -> str:
    """Return the number of possible values in words."""
    if values == 1:
        return "known"
    return "no limit" if np.isinf(values) else f"{values:,.0f} values"


def risk(value: float) -> str:
    """Return a risk as text."""
    if np.isnan(value):
        return "–"
    return "∞" if np.isinf(value) else f"{value:.3f}"


def weakest(result: SuppressionResult) -> str:
    """Return a summary of the weakest suppressed cells."""
    state = result.state
    if not state.hidden:
        return "No cell is suppressed: all counts are published."
    width, cell = state.requirements.width, result.narrowest
    known = result.known
    if known:
        others = len(known) - 1
        more = f" and {counted(others, 'other suppressed cell')}" if others else ""
        return f"A data user can recalculate the suppressed cell {state.sheet.called(known[0])}{more} {_read(result)}"
    if cell is None:
        cells = _required(result)
        return f"{cells} has at least {_fewest(result)} (required: {width:,} possible values) {_read(result)}"
    gaps = [other for other in state.hidden if other[0] == cell[0]]
    hidden = int(sum(state.sheet.full[gap] for gap in gaps))
    row, column = state.sheet.row(cell[0]), state.sheet.columns[cell[1]]
    kind = _required(result).removeprefix("Each ")
    few = f"{int(result.narrow.sum())} of {counted(int(result.required.sum()), kind)}"
    narrow = (
        f"{few} have fewer than {width:,} possible values. {row} has {counted(len(gaps), 'suppressed cell')} with a "
        f"sum of {hidden:,}."
    )
    return f"{narrow} The cell in {column} has {result.values[cell]:,.0f} possible values {_read(result)}"


def lead(result: SuppressionResult) -> tuple[str, str, str]:
    """Return the answer of the page, its reason, and its tone."""
    state = result.state
    if not state.hidden:
        return "No cell is suppressed: all counts are published.", "Select a cell to suppress it.", ""
    reason = f"Required: {state.requirements.width:,} possible values per cell. {_whom(result)}"
    known = result.known
    if known:
        shown = state.chosen if state.chosen in known else known[0]
        count = f"the count {state.sheet.full[shown]:,} of {state.sheet.called(shown)}"
        words = f"{_disclosing(result, shown)} {reason}"
        return f"No: data users can recalculate {count}.", words, "stop"
    cell = result.narrowest
    if cell is not None:
        narrowest = f"{state.sheet.called(cell)}: {values_text(result.values[cell])}"
        needed = f"{state.requirements.width:,} required"
        return f"No, the interval is too narrow for the cell {narrowest}, {needed}.", reason, "stop"
    hierarchy = state.possible_hierarchy
    if hierarchy:
        return "The protection is not decided: the categories may be hierarchical.", hierarchy, "stop"
    if result.insider is not None:
        insider = insider_sentence(result, result.insider)
        return (
            f"Not against respondents in the table: {insider}",
            "The pattern protects against external intruders, who know less than respondents in the table.",
            "stop",
        )
    cells = _required(result)
    if by_hand.is_rectangle(result) and result.best.people < sum(result.secondary_counts):
        mine, other = sum(result.secondary_counts), result.best.people
        reason = (
            f"The suppressed total of secondary cells is {mine:,}, and {other:,} with the optimal "
            f"pattern. {reason}"
        )
    return (
        f"Yes: {cells[0].lower()}{cells[1:]} has at least {_fewest(result)}, {state.requirements.width:,} required.",
        reason,
        "good",
    )


def _disclosing(result: SuppressionResult, cell: Cell) -> str:
    """Return the totals that disclose a recalculable cell."""
    lines = by_hand.single_unknown(result, cell, set())
    if not lines:
        return "The published totals allow no other value of this cell."
    names = " or ".join(line.name for line in lines)
    if len(lines) > 1:
        return f"No other cell in {names} is suppressed, so each of these totals discloses the count."
    return f"No other cell in {names} is suppressed, so the published total discloses the count."


def equation(result: SuppressionResult) -> list[str]:
    """Return the equations that recalculate the selected cell; otherwise the equation of its row with the unknowns."""
    cell = result.state.chosen
    if cell not in result.state.hidden:
        return []
    sequence = by_hand.recalculations(result, cell) if result.values[cell] == 1 else []
    if sequence:
        return [step.text for step in sequence]
    return [_equation(result, result.state.sheet.through(cell)[0])]


def _whom(result: SuppressionResult) -> str:
    """Return the kinds of intruders to which the answer applies."""
    state = result.state
    # Protection against respondents is checked for sensitive cells only.
    if state.source.unit != "people" or not state.coalition or not set(state.sensitive) & set(state.hidden):
        return "This result applies to external intruders. Respondents in the table know more."
    inside = "each respondent" if state.coalition == 1 else f"any {state.coalition} colluding respondents"
    return (
        f"This result applies to external intruders and, for sensitive cells, also to {inside} in the table."
    )


def _required(result: SuppressionResult) -> str:
    """Return the name of the cells that must keep the required number of values."""
    return "Each suppressed cell" if result.required is result.mask else "Each sensitive cell"


def _fewest(result: SuppressionResult) -> str:
    if not np.isfinite(result.fewest):
        return "infinitely many possible values"
    return "one possible value" if result.fewest == 1 else f"{result.fewest:,.0f} possible values"


def _knows(result: SuppressionResult, reader: str) -> str:
    """Return the knowledge of a data user on suppressed cells, in addition to the published totals."""
    floor, ceiling = replace(result.state.sheet, reader=reader).beforehand(result.mask)
    if result.unknowns and np.isfinite(ceiling).all():
        return "that suppressed counts are 1 or 2"
    return (
        "that suppressed counts are at least 1"
        if floor[result.mask].all()
        else "only that counts are not negative"
    )


def _read(result: SuppressionResult) -> str:
    """Return the assumed knowledge of data users, and the effect of the other assumption."""
    mine = result.state.requirements.reader
    other = next(reader for reader in READERS if reader != mine)
    by_other = int((result.others.values[result.mask] == 1).sum())
    by_mine = int((result.values[result.mask] == 1).sum())
    more = ""
    if by_other != by_mine:
        more = (
            f" A data user who knows {_knows(result, other)} can recalculate {by_other} of {result.unknowns} "
            "suppressed cells."
        )
    return f"if the data user knows {_knows(result, mine)}.{more}"


def _equation(result: SuppressionResult, line: SheetLine) -> str:
    """Return one equation with the numbers of the table: suppressed cells on the left, published ones on the right."""
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
    """Return the equations of the row and the column of the selected cell, with the numbers of the table."""
    state = result.state
    cell = state.chosen
    if cell not in state.hidden:
        return text_lines("Select a suppressed cell to see its equations.")
    lines: list[Line] = [
        [Piece(_equation(result, line), "zeros" if line.axis else "size")]
        for line in state.sheet.through(cell)
    ]
    x, values = result.symbol(cell), result.values[cell]
    low, high = f"{result.lower[cell]:,.0f}", f"{result.upper[cell]:,.0f}"
    if values == 1:
        return lines + text_lines(f"Therefore {x} = {low}. This is exact disclosure, and the risk is ∞.")
    if np.isinf(values):
        return lines + text_lines(f"Therefore {x} ≥ {low}; the count has no upper bound.")
    values_and_risk = (
        f"m = {values:,.0f} possible values, disclosure risk 1/log₂ m = {risk(result.risk[cell])}"
    )
    return lines + text_lines(f"Therefore {low} ≤ {x} ≤ {high}: {values_and_risk}")


def explain(result: SuppressionResult) -> list[Line]:
    """Return the computation of bounds and risk, one line per step."""
    return [
        *text_lines(
            "Each suppressed cell is an unknown, and each total with suppressed cells gives an equation."
        ),
        *text_lines(f"A data user knows {_knows(result, result.state.requirements.reader)}."),
        *equations(result),
        *text_lines(
            "Two linear programs over all equations give the smallest and the largest value of each suppressed cell.",
            "If a cell has m equally likely values, its disclosure risk is 1/log₂ m: 1 for two values, ∞ for one value "
            "(Oganian and Domingo-Ferrer 2003, equation 3).",
        ),
    ]


def supposition(result: SuppressionResult) -> str:
    """Return the effect of the assumed value on the other suppressed cells."""
    state = result.state
    if result.supposed is None:
        return "Select a suppressed cell with more than one possible value to assume one of them."
    others = result.mask.copy()
    others[state.chosen] = False
    moved = others & ((result.then_lower != result.lower) | (result.then_upper != result.upper))
    known, more = int((moved & (result.then_lower == result.then_upper)).sum()), int(moved.sum())
    condition, number = f"If {result.symbol(state.chosen)} is {result.supposed:,}, ", int(others.sum())
    if not more:
        return condition + "the intervals of the other suppressed cells do not change."
    if known == number:
        return (
            condition
            + f"all {number} other suppressed cells are known. The published counts are the same for each such value."
        )
    return (
        condition
        + f"{known} of {number} other suppressed cells are known, and {more - known} others have narrower intervals."
    )


def degrees_of_freedom(result: SuppressionResult) -> str:
    """Return the degrees of freedom of the equations in words."""
    free = result.unknowns - result.rank
    if not result.unknowns:
        return "No cell is suppressed, so the equations have no unknown."
    unknowns, equations = counted(result.unknowns, "unknown"), counted(result.equations, "equation")
    rank = f"The totals give {equations} of rank {result.rank} for {unknowns}."
    if not free:
        return f"{rank} The equations determine all suppressed cells."
    return (
        f"{rank} If {counted(free, 'suppressed cell')} {'is' if free == 1 else 'are'} known, all are known."
    )


def compared(result: SuppressionResult) -> list[tuple[str, str, str]]:
    """Return figures of the user's pattern and of the optimal one: name and two values of each."""
    best, theirs = result.best, result.best.remaining
    marked = [float(result.values[cell]) for cell in result.state.sensitive]
    mine = _measured(result, sum(result.secondary_counts), len(result.secondary_counts), marked)
    others = _measured(theirs, best.people, best.cells, [best.narrowest]) if theirs else ["–"] * len(mine)
    return list(zip(MEASURES, mine, others, strict=True))


def _measured(remaining: Remaining, people: int, cells: int, marked: list[float]) -> list[str]:
    fewest = min(marked, default=np.nan)
    if np.isnan(fewest):
        fewest_values = "–"
    elif np.isinf(fewest):
        fewest_values = "no limit"
    else:
        fewest_values = f"{fewest:,.0f}"
    return [
        f"{people:,}",
        f"{cells}",
        fewest_values,
        risk(remaining.highest),
        risk(remaining.expected),
        f"{remaining.unknowns} − {remaining.rank} = {remaining.unknowns - remaining.rank}",
    ]


def protects_more(result: SuppressionResult) -> str:
    """Return which of the two patterns protects more, and at what cost."""
    state, best = result.state, result.best
    if best.remaining is None:
        return best.problem
    required = f"{state.requirements.width:,} possible values"
    if any(cell not in state.hidden for cell in state.sensitive):
        return f"Your pattern publishes a sensitive cell. With the optimal pattern, this cell has {required}."
    fewest = min(float(result.values[cell]) for cell in state.sensitive)
    if fewest < state.requirements.width:
        weakness = "one possible value" if fewest == 1 else f"{fewest:,.0f} possible values"
        return (
            f"With your pattern, a sensitive cell has {weakness} (required: {required}). The optimal pattern protects "
            "all sensitive cells."
        )
    union = state.sheet.small_union(result.mask)
    if union is not None:
        line, number = union
        total = f"In {line.name}, the suppressed cells of your pattern have a total of {people(number, state.unit)}"
        # A small amount says nothing about the number of its contributors.
        if state.source.unit != "people":
            return f"{total}. The optimal pattern prevents such a total."
        return (
            f"{total}, so each of these {state.unit} can infer the cells of the others. The optimal pattern prevents "
            "this inference."
        )
    if result.insider is not None:
        return (
            f"With your pattern, {insider_sentence(result, result.insider)} The optimal pattern also protects against "
            "these respondents."
        )
    mine, other = result.expected, best.remaining.expected
    more = "Both patterns protect equally well."
    if abs(mine - other) >= 5e-4:
        more = "Your pattern protects more." if mine < other else "The optimal pattern protects more."
    return (
        f"{more} The mean risk of a suppressed cell is {risk(mine)} with your pattern and {risk(other)} with the "
        f"optimal pattern. The suppressed total of secondary cells is {sum(result.secondary_counts):,} and "
        f"{best.people:,}."
    )


def proof(result: SuppressionResult) -> str:
    """Return the proved properties of the optimal pattern, and the intruders against whom it protects."""
    best = result.best
    if best.hidden is None:
        return best.problem
    margins = int((best.hidden & ~result.state.sheet.leaf).sum())
    summary = "No suppression pattern with a lower cost meets the requirements."
    if not best.optimal:
        few, least = result.state.requirements.cost == "cell", np.ceil(best.least - 1e-6)
        cost, bound = "suppressed total of secondary cells", f"{least:,.0f}"
        if few:
            cost = "number of secondary cells"
        if result.state.costs:
            cost, bound = "cost", f"{best.least:,.6g}"
        summary = (
            f"The {cost} of this pattern is {best.cost:,.10g}. The solver has proved a lower bound of {bound} for all "
            "patterns that meet the requirements, so a pattern with a lower cost may exist."
        )
        if best.least < FAR * best.cost:
            summary += " This lower bound is weak."
    if margins:
        summary += f" {counted(margins, 'total')} {'is' if margins == 1 else 'are'} also suppressed."
    if result.state.source.unit != "people":
        return (
            f"{summary} The contributors of these amounts are unknown, so the pattern protects only against external "
            "intruders."
        )
    return f"{summary} {holds_for(result.state.coalition, 'in the table who knows their own category')}"


def insider_sentence(result: SuppressionResult, insider: InsiderDisclosure) -> str:
    """Return the respondents who can estimate a sensitive count too precisely, and this count."""
    sheet = result.state.sheet
    who = " and ".join(sheet.name(cell) for cell in insider.who)
    width = result.state.requirements.width
    return (
        f"respondents in {who} know their own data, so for them {sheet.name(insider.cell)} has fewer than {width:,} "
        "possible values."
    )


def linked_comparison(result: SuppressionResult) -> str:
    """Return which of two patterns of linked tables protects more."""
    state, both = result.state, result.linked_ranks
    first, second = (pattern.full_ranks[-1] - pattern.ranks[-1] for pattern in both)
    gaps = len(state.pattern_a), len(state.pattern_b)
    summary = (
        f"If all three tables are released, pattern A with {counted(gaps[0], 'suppressed cell')} lowers "
        f"the rank of the "
        f"equations by {first}, and pattern B with {counted(gaps[1], 'suppressed cell')} lowers the rank by {second}. "
        f"The expected risk of a turnover is {risk(both[0].risk[-1])} with A and {risk(both[1].risk[-1])} with B. "
    )
    if first == second:
        return summary + "Both patterns leave the same number of degrees of freedom."
    return summary + f"Pattern {'A' if first > second else 'B'} protects more."


def why(result: SuppressionResult) -> list[Line]:
    """Return reasons why no cheaper pattern protects: each suppressed cell is needed, and cheaper rectangles fail."""
    state, best, boxes = result.state, result.best, result.boxes
    if best.hidden is None:
        return text_lines(best.problem)
    sheet, width = state.sheet, state.requirements.width
    lines: list[Line] = text_lines(
        f"Each sensitive cell must have at least {width:,} possible values. The suppressed total of the secondary "
        f"cells is {best.people:,} with the optimal pattern."
    )
    for effect in result.cell_effects:
        then = f"{sheet.name(effect.weakest)} {_keeps(effect.values)}."
        if effect.together and effect.values >= width:
            then = (
                f"the suppressed cells of one published total have only {people(effect.together, state.unit)}"
            )
            then += ", who can infer each other’s cell." if state.source.unit == "people" else "."
        elif effect.insider is not None:
            then = insider_sentence(result, effect.insider)
        lines.append(
            [
                Piece(f"If {sheet.full[effect.cell]:,} ({sheet.name(effect.cell)}) were not suppressed: "),
                Piece(then),
            ]
        )
    if boxes is not None and state.requirements.cost == "value" and len(state.sensitive) == 1:
        cheaper = boxes.values[boxes.people < best.people]
        comparison = (
            f"None of {len(boxes.values)} rectangle patterns of {boxes.size} cells has a smaller suppressed "
            "total."
        )
        if len(cheaper):
            comparison = (
                f"{len(cheaper)} of {len(boxes.values)} rectangle patterns have a smaller suppressed total. The best "
                f"of these patterns leaves {cheaper.max():,.0f} possible values, fewer than the required {width:,}."
            )
        lines += text_lines(comparison)
    lines += text_lines(
        "The solver proves that no pattern of another shape is better. Each pattern that does not protect gives an "
        "inequality that every protecting pattern satisfies. The optimal pattern has the lowest cost "
        "among all patterns "
        "that satisfy these inequalities."
        if best.optimal
        else "The time limit of the solver was reached, so a pattern with a lower cost may exist."
    )
    return lines


def narration(result: SuppressionResult) -> Narration:
    """Return the number of possible values of the weakest suppressed cell, with an explanation."""
    values, width = result.fewest, result.state.requirements.width
    if np.isnan(values):
        value, formula = "–", []
    else:
        value = "∞" if np.isinf(values) else f"{values:,.0f}"
        how = f"1/log₂ {values:,.0f} = " if np.isfinite(values) and values > 1 else ""
        over = f"mean over {counted(result.unknowns, 'suppressed cell')} {risk(result.expected)}"
        formula = [Piece(f"risk {how}{risk(result.highest)}; {over}")]
    return Narration(
        value,
        f"possible values of the weakest suppressed cell ({width:,} required).",
        weakest(result),
        formula,
        explain=lambda: ("Bounds and risk of a suppressed cell", explain(result)),
        of=result.state,
    )


def as_code(state: SuppressionState) -> str:
    """Return Python code that computes the bounds and risks on the page.

    Examples
    --------
    >>> print(as_code(SuppressionState()).splitlines()[-1])
    a_posteriori(bounds)
    """
    sheet = state.sheet
    floor, ceiling = (side[sheet.mask(state.hidden)] for side in sheet.beforehand(sheet.mask(state.hidden)))
    known, beforehand = list[str](), ""
    if floor.any():
        most = f"np.where(hidden, {ceiling.max():.0f}, full)" if np.isfinite(ceiling).all() else "np.inf"
        known = [f"floor, ceiling = np.where(hidden, 1, full), {most}  # known to data users"]
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
    return "could be recalculated" if values == 1 else f"would have only {values:,.0f} possible values"
