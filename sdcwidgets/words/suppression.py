"""Suppression in words: which gaps are too narrow and why, the equations of a gap, and two patterns compared."""

from __future__ import annotations

import numpy as np

from sdcwidgets.lines import Piece
from sdcwidgets.studies.suppression import Suppressed, Suppressing
from sdcwidgets.words import Line, Reading

__all__ = [
    "as_code",
    "best_told",
    "compared",
    "equations",
    "explain",
    "free_told",
    "spread",
    "symbol",
    "weakest",
]

_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def symbol(result: Suppressed, cell: tuple[int, int]) -> str:
    """Return what a gap is called in equations: x₁, x₂, ... in the order of the table."""
    return f"x{str(result.state.hidden.index(cell) + 1).translate(_DIGITS)}"


def spread(result: Suppressed, cell: tuple[int, int]) -> str:
    """Return what a count can be, in words."""
    low, high = result.lower[cell], result.upper[cell]
    return f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"


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
    asked = state.settings.width
    if not narrow:
        return f"Every gap keeps at least {result.weakest:,.0f} values; {asked:,} are asked."
    cell = min(narrow, key=lambda one: float(result.values[one]))
    row, column = _labels(result, cell)
    inside = [other for other in state.hidden if other[0] == cell[0]]
    hidden = int(sum(result.state.table.counts[other] for other in inside))
    told = f"{len(narrow)} of {len(state.hidden)} gaps keep fewer than {asked:,} values."
    left = f"the one in {column} keeps {result.values[cell]:,.0f} values"
    return f"{told} {row} hides {hidden:,} in {len(inside)} gaps; {left}."


def equations(result: Suppressed) -> list[Line]:
    """Return the equations of the row and the column of the chosen gap, with this table's numbers."""
    state = result.state
    cell = state.chosen
    if cell not in state.hidden:
        return [[Piece("Press a gap to see the sums that it stands in; press a number to suppress it.")]]
    counts = state.table.counts
    lines: list[Line] = []
    for axis, name in enumerate(_labels(result, cell)):
        line = [(cell[0], k) if axis == 0 else (k, cell[1]) for k in range(counts.shape[1 - axis])]
        gaps = [one for one in line if one in state.hidden]
        printed = [int(counts[one]) for one in line if one not in state.hidden]
        total = sum(int(counts[one]) for one in line)
        left = " − ".join([f"{total:,}", *(f"{value:,}" for value in printed if value)])
        names = " + ".join(symbol(result, one) for one in gaps)
        lines.append(
            [Piece(f"{name}: {names} = {left} = {total - sum(printed):,}", "zeros" if axis == 0 else "size")]
        )
    x = symbol(result, cell)
    if result.values[cell] == 1:
        lines.append([Piece(f"so {x} = {result.lower[cell]:,.0f}: exact disclosure, risk ∞")])
    else:
        lines.append(
            [
                Piece(
                    f"so {result.lower[cell]:,.0f} ≤ {x} ≤ {result.upper[cell]:,.0f}: "
                    f"{result.values[cell]:,.0f} values, risk 1/log₂ m = {risk(result.risk[cell])}"
                )
            ]
        )
    return lines


def explain(result: Suppressed) -> list[Line]:
    """Return how bounds and risk come about, a line a step."""
    return [
        [Piece("Each gap is an unknown of at least 0; each row and column with a gap is an equation.")],
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


def free_told(result: Suppressed) -> str:
    """Return how many unknowns the equations leave free."""
    free = result.unknowns - result.rank
    if not result.unknowns:
        return "No gap, so no unknown."
    loops = "nothing moves" if not free else f"{free} can be chosen, and the others follow"
    return f"{result.unknowns} unknowns, {result.equations} equations of rank {result.rank}: {loops}."


def compared(result: Suppressed) -> list[Reading]:
    """Return one's own pattern beside the optimiser's, a line each."""
    state, best = result.state, result.best
    counts = state.table.counts
    own = [cell for cell in state.hidden if cell not in state.sensitive]
    uncovered = [cell for cell in state.sensitive if cell not in state.hidden]
    asked = state.settings.width
    kept = [float(result.values[cell]) for cell in state.sensitive]
    holds = bool(kept) and not uncovered and min(kept) >= asked
    yours = Reading(
        f"Yours {'protects' if holds else 'does not protect'} what is marked",
        f"{sum(int(counts[cell]) for cell in own):,} in {len(own)} more gaps",
        (),
        [
            Piece(
                f"{min(kept):,.0f} values at least"
                if kept and not uncovered
                else "something marked is in print"
            )
        ],
    )
    if best.hidden is None:
        return [yours, Reading("The optimiser’s", "–", (), [Piece(best.problem)])]
    theirs = Reading(
        "The optimiser’s protects it",
        f"{best.people:,} in {best.cells} more gaps",
        (),
        [Piece(f"{best.narrowest:,.0f} values at least")],
    )
    return [yours, theirs]


def best_told(result: Suppressed) -> str:
    """Return what the optimiser's pattern is, in a sentence."""
    best = result.best
    if best.hidden is None:
        return best.problem
    margins = int(best.hidden[-1].sum() + best.hidden[:-1, -1].sum())
    told = "No cheaper pattern protects as asked." if best.optimal else "It is good; a cheaper one may exist."
    return told + (f" {margins} totals must be gaps too." if margins else "")


def as_code(state: Suppressing) -> str:
    """Return Python code that computes the bounds that are shown.

    >>> print(as_code(Suppressing()).splitlines()[-1])
    a_posteriori(bounds)
    """
    gaps = f"[{', '.join(map(str, state.hidden))}]"
    return "\n".join(
        [
            "import numpy as np",
            "from sdcwidgets.core.bounds import intervals",
            "from sdcwidgets.core.risk.cell import a_posteriori",
            "",
            f"counts = np.array({state.table.counts.tolist()})",
            "cells = counts.astype(float)",
            f"for cell in {gaps}:",
            "    cells[cell] = np.nan",
            "bounds = intervals({(0, 1): cells, (0,): counts.sum(axis=1), (1,): counts.sum(axis=0)})",
            "a_posteriori(bounds)",
        ]
    )


def _labels(result: Suppressed, cell: tuple[int, int]) -> tuple[str, str]:
    row, column = result.state.table.axes
    return f"{row.name} {row.labels[cell[0]]}", column.labels[cell[1]]
