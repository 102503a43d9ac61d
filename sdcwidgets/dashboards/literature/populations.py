"""Cards for tables of a population: Frank's scenarios, SAP, and bounds from published margins."""

from __future__ import annotations

from itertools import pairwise
from math import comb, log

import numpy as np

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets.core.bounds import dobra_fienberg, frechet, intervals, margins_of, shuttle
from sdcwidgets.core.risk.census import frank_bound, frank_scenarios, sap
from sdcwidgets.core.risk.frank import entropy_lost
from sdcwidgets.dashboards.literature.card import CardSettings, Cells, Computed, Marks, cells_of
from sdcwidgets.dashboards.literature.picture import prepare
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.texts import people

PAIRS = [(0, 1), (0, 2), (1, 2)]
#: Letters of the axes of a three-way table in the names of published margins.
LETTERS = "ABC"


def _frank_1976(table: FrequencyTable, settings: CardSettings) -> Computed:
    kind = settings.slices
    rows = kind == "rows"
    axis = table.rows if rows else table.columns
    flags = frank_scenarios(table.counts, axis=int(rows))
    any_holds = flags.any(axis=1)
    holds = flags.sum(axis=0)
    scenarios = [", ".join(str(k + 1) for k in np.flatnonzero(flag)) or "none" for flag in flags]
    disclosed = [
        f"{label} ({which})" for label, which in zip(axis, scenarios, strict=True) if which != "none"
    ]
    marks: Marks = {"title": "Scenario", "values": scenarios}
    return Computed(
        int(any_holds.sum()) / len(axis),
        {
            "kind": kind,
            "Kind": kind.capitalize(),
            "axis": int(rows),
            "count": any_holds.sum(),
            "most": len(axis),
            "sum": " + ".join(map(str, any_holds.astype(int))),
            "each": "\n".join(f"{label}: {which}" for label, which in zip(axis, scenarios, strict=True)),
            "holds": holds,
            "disclosed": f"Disclosed: {', '.join(disclosed)}."
            if disclosed
            else f"None of the {kind} meets a disclosure scenario.",
        },
        row_marks=marks if rows else None,
        column_marks=None if rows else marks,
        picture=prepare((1, 2, 3), bars={kind: holds}),
    )


def _frank_1978(table: FrequencyTable, settings: CardSettings) -> Computed:
    counts, q = table.counts, settings.chance
    bound, most = float(frank_bound(counts)), table.total * log(2)
    chances = np.linspace(0, 1, 51)
    losses = entropy_lost(counts, chances)
    here = float(entropy_lost(counts, q))
    short = counts.size <= 6 and counts.max() <= 20
    return Computed(
        bound / most,
        {
            "q": q,
            "bound": bound,
            "most": most,
            "here": here,
            "sums": " + ".join(str(2**count - 1) for count in counts.tolist()) if short else "…",
            "greatest": losses.max(),
            "at": chances[losses.argmax()],
        },
        picture=prepare(chances, lines={"Entropy loss": losses, "Upper bound": bound}, mark=(q, here)),
    )


def _sap(table: FrequencyTable, settings: CardSettings) -> Computed:
    N, m = table.total, settings.known
    if m > N:
        raise InputError(
            f"The number of known people is {m}, but the table has {N} people. Set the number of known "
            f"people to {N} or less."
        )
    chances = [sap(table.counts, known) for known in range(min(N, 20) + 1)]
    chance, ways = chances[m], comb(N, m)
    harmless = _many((1 - chance) * ways)
    return Computed(
        chance,
        {
            "m": m,
            "known": people(m),
            "ways": _many(ways),
            "sap": "The table has a zero cell, so the probability (SAP) is 1"
            if (table.counts == 0).any()
            else f"SAP = 1 − {harmless}/C({N}, {m}) = 1 − {harmless}/{_many(ways)} = {chance:.4f}",
            "chance": chance,
            "chances": chances,
            "last": chances[-1],
            "all_known": people(len(chances) - 1),
        },
        picture=prepare(range(len(chances)), lines={"SAP": chances}, mark=(m, chance)),
    )


def _frechet(table: FrequencyTable, settings: CardSettings) -> Computed:
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    lower, upper = frechet(rows, columns)
    i, j = _surest(lower, upper)
    words = {"row": rows[i], "column": columns[j], "rows": rows.tolist(), "columns": columns.tolist()}
    return _bounded(table, lower, upper, words)._replace(
        row_marks={"title": "Total", "values": list(map(str, rows))},
        column_marks={"title": "Total", "values": list(map(str, columns))},
    )


def _dobra_fienberg(table: FrequencyTable, settings: CardSettings) -> Computed:
    names = [name.split("×") for name in settings.margins.split(", ")]
    cliques = [tuple(map(LETTERS.index, letters)) for letters in names]
    # The bounds of a decomposable graph need the margins that successive cliques have in common.
    shared = [tuple(axis for axis in clique if axis in following) for clique, following in pairwise(cliques)]
    published = margins_of(table.counts, [*cliques, *shared])
    lower, upper = dobra_fienberg({axes: published[axes] for axes in cliques})
    cell = _surest(lower, upper)

    def counts_at_cell(sets: list[tuple[int, ...]]) -> list[str]:
        return [str(published[axes][tuple(cell[axis] for axis in axes)]) for axes in sets]

    inside = counts_at_cell(cliques)
    return _bounded(
        table,
        lower,
        upper,
        {
            "names": ", ".join("n" + "".join(letters) for letters in names),
            "cliques": cliques,
            "inside": ", ".join(inside),
            "sums": " − ".join([" + ".join(inside), *counts_at_cell(shared)]),
        },
    )


def _shuttle(table: FrequencyTable, settings: CardSettings) -> Computed:
    published = margins_of(table.counts, PAIRS)
    whole = shuttle(published)
    stopped = shuttle(published, settings.rounds)
    sharp = intervals(published)
    sharp_width = int((sharp.upper - sharp.lower).sum())
    start = int(whole.widths[0])
    now = int(stopped.widths[-1])
    end = int(whole.widths[-1])
    done = len(stopped.widths) - 1
    needed = len(whole.widths) - 1
    early = done < needed
    return Computed(
        now / start if start else 0.0,
        {
            "pairs": PAIRS,
            "start": start,
            "now": now,
            "end": end,
            "left": sharp_width,
            "done": done,
            "needed": needed,
            "widths": " → ".join(map(str, stopped.widths)),
            "each": "\n".join(
                f"After round {k}: Σ(upper − lower) = {width}" for k, width in enumerate(stopped.widths)
            ),
            "reached": f"After {done} of {needed} rounds"
            if early
            else f"After {needed} rounds, when the intervals no longer change",
            "then": f"; after all rounds it is {end}" if early else "",
            "ending": "Linear programming gives the same total width of all intervals."
            if now == end == sharp_width
            else f"Linear programming gives a total width of {sharp_width}.",
        },
        _intervals(table, stopped.lower, stopped.upper),
        prepare(
            range(needed + 1),
            bars={"Shuttle algorithm": whole.widths},
            lines={"Linear programming": sharp_width},
            mark=(done, now),
        ),
    )


def _bounded(table: FrequencyTable, lower: Whole, upper: Whole, words: dict[str, object]) -> Computed:
    """Return the values of the cards with closed-form bounds."""
    cell, values = _surest(lower, upper), upper - lower + 1
    least, most = lower[cell], upper[cell]
    words |= {
        "least": least,
        "most": most,
        "cell": ", ".join(axis.labels[i] for axis, i in zip(table.axes, cell, strict=True)),
        "found": f"exactly {least}" if least == most else f"from {least} to {most}",
        "mean": values.mean(),
        "values": values.sum(),
        "size": values.size,
    }
    return Computed(int((values == 1).sum()) / values.size, words, _intervals(table, lower, upper))


def _intervals(table: FrequencyTable, lower: Whole, upper: Whole) -> Cells:
    """Return the intervals in the layout of the table; narrower intervals are darker."""
    pairs = zip(lower.ravel(), upper.ravel(), strict=True)
    return cells_of(
        table,
        [f"{least}" if least == greatest else f"{least}–{greatest}" for least, greatest in pairs],
        1 / (upper - lower + 1),
    )


def _surest(lower: Whole, upper: Whole) -> tuple[int, ...]:
    """Return the cell with the largest lower bound; if there are several, the one with the narrowest interval."""
    worth = lower * (int(upper.max()) + 1) - (upper - lower)
    return tuple(int(i) for i in np.unravel_index(worth.argmax(), worth.shape))


def _many(number: float) -> str:
    """Return a number of sets as text, as a power of ten if it has many digits."""
    return f"{round(number):,}" if number < 1e9 else f"{float(number):.3e}"


#: Functions that compute the cards, by name.
WORK = {
    "frank-1976": _frank_1976,
    "frank-1978": _frank_1978,
    "sap": _sap,
    "frechet": _frechet,
    "dobra-fienberg": _dobra_fienberg,
    "shuttle": _shuttle,
}
