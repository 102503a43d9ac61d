"""Suppression in words: which gaps are too narrow and why, the equations of a gap, and two patterns compared."""

from __future__ import annotations

import numpy as np

from sdcwidgets.lines import Piece
from sdcwidgets.studies.suppression import Suppressed, Suppressing
from sdcwidgets.studies.suppression_best import Freed
from sdcwidgets.studies.suppression_sheet import Cell, SheetLine
from sdcwidgets.words import Line, Quantity

__all__ = [
    "as_code",
    "best_told",
    "compared",
    "equations",
    "explain",
    "free_told",
    "supposed_told",
    "values_told",
    "weakest",
    "why",
]


def values_told(values: float) -> str:
    """Return how many values are left, in words."""
    return "known" if values == 1 else "no limit" if np.isinf(values) else f"{values:,.0f} values"


def risk(value: float) -> str:
    """Return a risk as it is shown."""
    return "∞" if np.isinf(value) else f"{value:.3f}"


def weakest(result: Suppressed) -> str:
    """Return what a person should notice of the pattern."""
    state = result.state
    if not state.hidden:
        return "Nothing is suppressed: every number is in print, and nothing is left to compute."
    known = [cell for cell in state.hidden if result.values[cell] == 1]
    if known:
        row, column = _labels(result, known[0])
        more = f", and {len(known) - 1} more," if len(known) > 1 else ""
        return f"The gap in {row}, {column}{more} hides nothing: subtract what is in print from its totals."
    narrow = [cell for cell in state.hidden if result.narrow[cell]]
    asked = state.asked.width
    if not narrow:
        left = values_told(result.weakest) if np.isfinite(result.weakest) else "any number of values"
        return f"Every gap keeps at least {left}; {asked:,} are asked."
    cell = min(narrow, key=lambda one: float(result.values[one]))
    row, column = _labels(result, cell)
    inside = [other for other in state.hidden if other[0] == cell[0]]
    hidden = int(sum(state.sheet.full[other] for other in inside))
    told = f"{len(narrow)} of {len(state.hidden)} gaps keep fewer than {asked:,} values."
    left = f"the one in {column} keeps {result.values[cell]:,.0f} values"
    return f"{told} {row} hides {hidden:,} in {len(inside)} gaps; {left}."


def _equation(result: Suppressed, line: SheetLine) -> str:
    """Return one sum with this table's numbers: its gaps on the left, what is in print on the right."""
    state, full = result.state, result.state.sheet.full
    gaps = [one for one in line.parts if one in state.hidden]
    printed = [int(full[one]) for one in line.parts if one not in state.hidden]
    if line.total in state.hidden:
        parts = [result.symbol(one) for one in gaps] + [f"{value:,}" for value in printed if value]
        return f"{line.name}: {result.symbol(line.total)} = {' + '.join(parts) or '0'}"
    total = int(full[line.total])
    unknown = " + ".join(result.symbol(one) for one in gaps)
    left = " − ".join([f"{total:,}", *(f"{value:,}" for value in printed if value)])
    rest = f" = {total - sum(printed):,}" if any(printed) else ""
    return f"{line.name}: {unknown} = {left}{rest}"


def equations(result: Suppressed) -> list[Line]:
    """Return the equations of the row and the column of the chosen gap, with this table's numbers."""
    state = result.state
    cell = state.chosen
    if cell not in state.hidden:
        return [[Piece("Press a gap to see the sums that it stands in; press a number to suppress it.")]]
    lines: list[Line] = [
        [Piece(_equation(result, line), "zeros" if line.axis else "size")]
        for line in state.sheet.through(cell)
    ]
    x, values = result.symbol(cell), result.values[cell]
    if values == 1:
        lines.append([Piece(f"so {x} = {result.lower[cell]:,.0f}: exact disclosure, risk ∞")])
    elif np.isinf(values):
        lines.append([Piece(f"so {x} ≥ {result.lower[cell]:,.0f}, and nothing bounds it from above")])
    else:
        lines.append(
            [
                Piece(
                    f"so {result.lower[cell]:,.0f} ≤ {x} ≤ {result.upper[cell]:,.0f}: "
                    f"{values:,.0f} values, risk 1/log₂ m = {risk(result.risk[cell])}"
                )
            ]
        )
    return lines


def explain(result: Suppressed) -> list[Line]:
    """Return how bounds and risk come about, a line a step."""
    return [
        [Piece("Each gap is an unknown of at least 0; each sum with a gap is an equation.")],
        *equations(result),
        [
            Piece(
                "The lowest and the highest value of each gap come from two linear programs over all equations."
            )
        ],
        [
            Piece(
                "m values are left, all as likely: the risk is 1/log₂ m; 1 for two values, ∞ for one (O&DF, (3))."
            )
        ],
    ]


def supposed_told(result: Suppressed) -> str:
    """Return what follows for the other gaps if the chosen one is what is supposed."""
    state = result.state
    if result.supposed is None:
        return "Press a gap that is not known to see what follows from a value of it."
    others = [cell for cell in state.hidden if cell != state.chosen]
    same = (result.then_lower == result.lower) & (result.then_upper == result.upper)
    moved = [cell for cell in others if not same[cell]]
    fixed = [cell for cell in moved if result.then_lower[cell] == result.then_upper[cell]]
    told = f"If {result.symbol(state.chosen)} is {result.supposed:,}, "
    if not moved:
        return told + "no other gap can be said to be more than before."
    if len(fixed) == len(others):
        return told + f"all {len(others)} other gaps are known too. Nothing in print changes as it moves."
    return (
        told + f"{len(fixed)} of {len(others)} other gaps are known, and {len(moved) - len(fixed)} narrower."
    )


def free_told(result: Suppressed) -> str:
    """Return how many unknowns the equations leave free."""
    free = result.unknowns - result.rank
    if not result.unknowns:
        return "No gap, so no unknown."
    loops = "nothing moves" if not free else f"{free} can be chosen, and the others follow"
    return f"{result.unknowns} unknowns, {result.equations} equations of rank {result.rank}: {loops}."


def compared(result: Suppressed) -> list[Quantity]:
    """Return one's own pattern beside the optimiser's, a line each."""
    state, best = result.state, result.best
    full = state.sheet.full
    own = [cell for cell in state.hidden if cell not in state.sensitive]
    uncovered = [cell for cell in state.sensitive if cell not in state.hidden]
    asked = state.asked.width
    kept = [float(result.values[cell]) for cell in state.sensitive]
    holds = bool(kept) and not uncovered and min(kept) >= asked
    yours = Quantity(
        f"Yours {'protects' if holds else 'does not protect'} what is marked",
        f"{sum(int(full[cell]) for cell in own):,} in {len(own)} more gaps",
        (),
        [
            Piece(
                ("no limit" if np.isinf(min(kept)) else f"{min(kept):,.0f} values at least")
                if kept and not uncovered
                else "something marked is in print"
                if kept
                else "nothing is marked"
            )
        ],
    )
    if best.hidden is None:
        return [yours, Quantity("The optimiser’s", "–", (), [Piece(best.problem)])]
    theirs = Quantity(
        "The optimiser’s protects it",
        f"{best.people:,} in {best.cells} more gaps",
        (),
        [Piece("no limit" if np.isinf(best.narrowest) else f"{best.narrowest:,.0f} values at least")],
    )
    return [yours, theirs]


def best_told(result: Suppressed) -> str:
    """Return what the optimiser's pattern is, in a sentence."""
    best = result.best
    if best.hidden is None:
        return best.problem
    rows, columns = result.state.sheet.inner
    margins = int(best.hidden.sum() - best.hidden[:rows, :columns].sum())
    told = "No cheaper pattern protects as asked." if best.optimal else "It is good; a cheaper one may exist."
    return told + (f" {margins} totals must be gaps too." if margins else "")


def why(result: Suppressed, freed: list[Freed]) -> list[Line]:
    """Return why nothing cheaper holds, as far as a person can follow: each gap is needed, cheaper boxes fail."""
    state, best, boxes = result.state, result.best, result.boxes
    if best.hidden is None:
        return [[Piece(best.problem)]]
    sheet, asked = state.sheet, state.asked.width
    lines: list[Line] = [
        [Piece(f"What is marked must keep {asked:,} values. The optimiser hides {best.people:,} beside it.")]
    ]
    lines += [
        [
            Piece(f"Free {sheet.full[one.cell]:,} ({sheet.name(one.cell)}): "),
            Piece(f"{sheet.name(one.weakest)} {_left(one.left)}."),
        ]
        for one in freed
    ]
    if boxes is not None and state.asked.cost == "value" and len(state.sensitive) == 1:
        cheaper = boxes.people < best.people
        if cheaper.any():
            most = boxes.left[cheaper].max()
            lines.append(
                [
                    Piece(
                        f"{int(cheaper.sum())} of {len(boxes.left)} boxes hide less; the best of them keeps "
                        f"{most:,.0f} values, fewer than {asked:,}."
                    )
                ]
            )
        else:
            lines.append([Piece(f"None of {len(boxes.left)} boxes of four gaps hides less.")])
    lines.append(
        [
            Piece(
                "Of all other shapes the solver proves it: each pattern that fails gives an inequality that every "
                "protecting one fulfils, and the cheapest that fulfils all of them is this one."
                if best.optimal
                else "The solver had no time to prove it: a cheaper pattern may exist."
            )
        ]
    )
    return lines


def as_code(state: Suppressing) -> str:
    """Return Python code that computes the bounds that are shown.

    >>> print(as_code(Suppressing()).splitlines()[-1])
    a_posteriori(bounds)
    """
    sheet = state.sheet
    return "\n".join(
        [
            "import numpy as np",
            "from sdcwidgets.core.risk.cell import a_posteriori",
            "from sdcwidgets.core.suppression import Tree, audit, of_trees, with_margins",
            "",
            f"trees = [Tree({list(sheet.trees[0].parents)}), Tree({list(sheet.trees[1].parents)})]",
            f"full = with_margins({sheet.table.counts.tolist()}, trees)  # totals last",
            "hidden = np.zeros(full.shape, dtype=bool)",
            f"for cell in [{', '.join(map(str, state.hidden))}]:",
            "    hidden[cell] = True",
            "lower, upper = audit(of_trees(trees), full, hidden)",
            "bounds = np.ceil(lower - 1e-6).reshape(full.shape), np.floor(upper + 1e-6).reshape(full.shape)",
            "a_posteriori(bounds)",
        ]
    )


def _labels(result: Suppressed, cell: Cell) -> tuple[str, str]:
    sheet = result.state.sheet
    row = (
        f"{sheet.table.rows.name} {sheet.rows[cell[0]]}" if cell[0] < sheet.inner[0] else sheet.rows[cell[0]]
    )
    return row, sheet.columns[cell[1]]


def _left(values: float) -> str:
    return "is known" if values == 1 else f"keeps {values:,.0f} values"
