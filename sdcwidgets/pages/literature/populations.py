"""Cards for tables of a whole population: Frank, SAP, and what published margins give away."""

from __future__ import annotations

from math import comb, log
from typing import Any

import numpy as np

from sdcwidgets.arrays import Whole
from sdcwidgets.core.bounds import dobra_fienberg, frechet, intervals, margins_of, shuttle
from sdcwidgets.core.risk.census import frank_bound, frank_scenarios, sap
from sdcwidgets.core.risk.frank import entropy_lost
from sdcwidgets.errors import InputError
from sdcwidgets.pages.literature.card import MARGINS, Card, CardSettings, Cells, Worked, line
from sdcwidgets.pages.literature.picture import prepare
from sdcwidgets.table import FrequencyTable
from sdcwidgets.words import Line, people

GROUP = "Tables of a population"
PAIRS = ((0, 1), (0, 2), (1, 2))
#: The axes of a table with three of them, as the names of published margins call them.
LETTERS = "ABC"

HEALTH = FrequencyTable(
    [[0, 1, 0], [1, 1, 0], [6, 1, 0], [2, 2, 3]],
    {"Area": ["North", "East", "South", "West"], "Health": ["Good", "Fair", "Poor"]},
)
TOWNS = FrequencyTable([3, 5, 2, 4, 7], {"Town": ["Ash", "Birch", "Cedar", "Elm", "Fir"]})
THESIS = FrequencyTable([0, 2, 4], {"Cell": ["c1", "c2", "c3"]})
WORK = FrequencyTable(
    [[12, 0, 1], [2, 1, 0], [1, 0, 0]],
    {"Age": ["Young", "Middle", "Old"], "Work": ["Works", "Seeks work", "Neither"]},
)
THREE_WAY = FrequencyTable(
    [[[4, 0, 1], [1, 2, 0]], [[0, 1, 0], [5, 0, 2]]],
    {"A Sex": ["Man", "Woman"], "B Work": ["Works", "Does not"], "C Health": ["Good", "Fair", "Poor"]},
)


def _frank_1976(table: FrequencyTable, settings: CardSettings) -> Worked:
    rows = settings.slices == "rows"
    axis = table.rows if rows else table.columns
    flags = frank_scenarios(table.counts, axis=1 if rows else 0)
    told = tuple(", ".join(str(k + 1) for k in np.flatnonzero(flag)) or "none" for flag in flags)
    count, most = int(flags.any(axis=1).sum()), len(axis)
    disclosed = [f"{label} ({which})" for label, which in zip(axis, told, strict=True) if which != "none"]
    kind = settings.slices
    return Worked(
        name=f"{kind.capitalize()} in which a scenario holds",
        value=f"{count} of {most}",
        share=(f"share of all {kind}", count / most),
        formula=line(" + ".join(str(int(any(flag))) for flag in flags) + f" = {count}"),
        steps=(
            line("Scenario 1: one person is in the slice."),
            line("Scenario 2: two people are in it, in different cells."),
            line("Scenario 3: two cells are populated, and one of them holds one person."),
            *(line(f"{label}: {which}") for label, which in zip(axis, told, strict=True)),
        ),
        notice=f"Disclosed: {', '.join(disclosed)}." if disclosed else f"No scenario holds in these {kind}.",
        code=_code("sdcwidgets.core.risk.census", f"frank_scenarios({_list(table)}, axis={int(rows)})"),
        row_marks=("Scenario", told) if rows else None,
        column_marks=None if rows else ("Scenario", told),
        picture=prepare(
            (1, 2, 3),
            ("scenario", kind),
            bars={kind: flags.sum(axis=0)},
            summary=f"Of {most} {kind}, scenario 1 holds in {flags[:, 0].sum()}, "
            f"scenario 2 in {flags[:, 1].sum()}, scenario 3 in {flags[:, 2].sum()}.",
        ),
    )


def _frank_1978(table: FrequencyTable, settings: CardSettings) -> Worked:
    counts, N, q = table.counts, table.total, settings.chance
    bound, most = float(frank_bound(counts)), N * log(2)
    chances = np.linspace(0, 1, 51)
    lost, here = entropy_lost(counts, chances), float(entropy_lost(counts, q))
    short = counts.size <= 6 and counts.max() <= 20
    sums = " + ".join(str(2**count - 1) for count in counts.tolist()) if short else "…"
    return Worked(
        name="At most this much entropy is lost, in nats",
        value=f"{bound:.4f}",
        share=("share of N log 2", bound / most),
        formula=line(f"0 ≤ H(A) − H(B) ≤ log(1 + {sums}) = {bound:.4f}"),
        steps=(
            line("A is the set of people whom the intruder knows before, B the set known after the release."),
            line("If all others are in one cell, the release tells everybody; else nobody new."),
            line(
                f"Bound: log(1 + Σ(2^F − 1)) = log(1 + {sums}) = {bound:.4f}; if all were in one cell, {most:.4f}"
            ),
            line(f"Each known by chance q = {q:g}: H(A) − H(B) = P log P − Σ Pr(A) log Pr(A) = {here:.4f}"),
        ),
        notice=f"If each of the {people(N)} is known with chance {q:g}, the table takes {here:.4f} nats of the "
        "intruder's uncertainty.",
        code=_code("sdcwidgets.core.risk.census", f"frank_bound({_list(table)})"),
        picture=prepare(
            chances,
            ("chance to be known, q", "nats"),
            lines={"entropy lost": lost, "bound": bound},
            mark=(q, here),
            summary=f"The loss is greatest, {lost.max():.4f}, at q = {chances[lost.argmax()]:g}; "
            f"the bound is {bound:.4f}.",
        ),
    )


def _sap(table: FrequencyTable, settings: CardSettings) -> Worked:
    N, m = table.total, settings.known
    if m > N:
        raise InputError(f"The intruder knows {m} people, but the table has {N}; let them know fewer.")
    chances = [sap(table.counts, known) for known in range(min(N, 20) + 1)]
    chance, ways = chances[m], comb(N, m)
    if (table.counts == 0).any():
        formula = "A cell is empty already: SAP = 1"
    else:
        harmless = _many((1 - chance) * ways)
        formula = f"SAP = 1 − {harmless}/C({N}, {m}) = 1 − {harmless}/{_many(ways)} = {chance:.4f}"
    return Worked(
        name="Subtraction–attribution probability",
        value=f"{chance:.4f}",
        share=("chance that a cell is emptied", chance),
        formula=line(formula),
        steps=(
            line("The intruder subtracts the people they know. Where nobody is left, nobody else is."),
            line(f"There are C({N}, {m}) = {_many(ways)} sets of {people(m)} that they may know."),
            line("Sets that empty no cell: the coefficient of x^m in the product of (1 + x)^F − x^F."),
            line(formula),
        ),
        notice=f"Whoever knows {m} of the {people(N)} can empty a cell with chance {chance:.1%}.",
        code=_code("sdcwidgets.core.risk.census", f"sap({_list(table)}, known={m})"),
        picture=prepare(
            range(len(chances)),
            ("people known, m", "SAP"),
            lines={"SAP": chances},
            mark=(m, chance),
            summary=f"The probability grows from {chances[0]:.3f} with nobody known to {chances[-1]:.3f} with "
            f"{people(len(chances) - 1)} known.",
        ),
    )


def _frechet(table: FrequencyTable, settings: CardSettings) -> Worked:
    rows, columns = table.counts.sum(axis=1), table.counts.sum(axis=0)
    lower, upper = frechet(rows, columns)
    i, j = _surest(lower, upper)
    formula = line(
        f"min{{{rows[i]}, {columns[j]}}} = {upper[i, j]} ≥ n({table.rows.labels[i]}, {table.columns.labels[j]}) ≥ "
        f"max{{{rows[i]} + {columns[j]} − {table.total}, 0}} = {lower[i, j]}"
    )
    call = f"frechet({rows.tolist()}, {columns.tolist()})"
    return _bounded(
        table,
        lower,
        upper,
        formula,
        code=_code("sdcwidgets.core.bounds", call),
        row_marks=("Total", tuple(map(str, rows))),
        column_marks=("Total", tuple(map(str, columns))),
    )


def _dobra_fienberg(table: FrequencyTable, settings: CardSettings) -> Worked:
    cliques, separators = MARGINS[settings.margins]
    published = margins_of(table.counts, (*cliques, *separators))
    lower, upper = dobra_fienberg({axes: published[axes] for axes in cliques})
    cell = _surest(lower, upper)

    def at(axes: tuple[int, ...]) -> int:
        return int(published[axes][tuple(cell[a] for a in axes)])

    inside, shared = [at(axes) for axes in cliques], [at(axes) for axes in separators]
    names = ", ".join("n" + "".join(LETTERS[a] for a in axes) for axes in cliques)
    sums = " + ".join(map(str, inside)) + "".join(f" − {value}" for value in shared)
    formula = line(
        f"min{{{names}}} = min{{{', '.join(map(str, inside))}}} = {upper[cell]} ≥ n({_label(table, cell)}) ≥ "
        f"max{{{sums}, 0}} = {lower[cell]}"
    )
    call = f"dobra_fienberg(margins_of({_list(table)}, {list(cliques)}))"
    return _bounded(
        table, lower, upper, formula, code=_code("sdcwidgets.core.bounds", call, "dobra_fienberg, margins_of")
    )


def _shuttle(table: FrequencyTable, settings: CardSettings) -> Worked:
    published = margins_of(table.counts, PAIRS)
    whole, found = shuttle(published), shuttle(published, settings.rounds)
    sharp = intervals(published)
    left = int((sharp.upper - sharp.lower).sum())
    start, now, end = (int(w) for w in (whole.widths[0], found.widths[-1], whole.widths[-1]))
    done, needed = len(found.widths) - 1, len(whole.widths) - 1
    ending = "as sharp as linear programming" if end == left else f"linear programming leaves {left}"
    if done < needed:
        told = f"After {done} of {needed} rounds the intervals are {now} wide together; at the end {end}, {ending}."
    else:
        told = f"After {needed} rounds nothing changes: the intervals are {end} wide together, {ending}."
    call = f"shuttle(margins_of({_list(table)}, {list(PAIRS)}), rounds={settings.rounds})"
    return Worked(
        name="Width of all intervals together",
        value=f"{now}",
        share=("share of the width at the start", now / start if start else 0.0),
        formula=line(" → ".join(map(str, found.widths)) + f" (Σ upper − lower, in {done} rounds)"),
        steps=(
            line("Start: lower = 0, upper = the least of the cell's margins."),
            line("Upper: at most each margin minus the lower bounds of the other cells in it."),
            line("Lower: at least each margin minus the upper bounds of the other cells in it."),
            *(line(f"After round {k}: Σ(upper − lower) = {width}") for k, width in enumerate(found.widths)),
        ),
        notice=told,
        code=_code("sdcwidgets.core.bounds", call, "margins_of, shuttle"),
        cells=_interval_cells(table, found.lower, found.upper),
        picture=prepare(
            range(len(whole.widths)),
            ("round", "width together"),
            bars={"shuttle": whole.widths},
            lines={"linear programming": left},
            mark=(done, now),
            summary=f"The width falls from {start} to {end} in {needed} rounds; linear programming leaves {left}.",
        ),
    )


def _bounded(
    table: FrequencyTable, lower: Whole, upper: Whole, formula: Line, code: str, **more: Any
) -> Worked:
    """Return what the Fréchet and the decomposable bounds have in common on a screen."""
    exact, cells = int((lower == upper).sum()), lower.size
    cell = _surest(lower, upper)
    least, most = int(lower[cell]), int(upper[cell])
    told = f"exactly {least}" if least == most else f"from {least} to {most}"
    return Worked(
        name="Values that a cell can still have, on average",
        value=f"{(upper - lower + 1).mean():.2f}",
        share=("share of cells known exactly", exact / cells),
        formula=formula,
        steps=(
            line("Upper: no cell holds more people than any margin that it is in."),
            line("Lower: the margins overlap; what does not fit elsewhere must be in the cell."),
            formula,
            line(f"Values left: mean of upper − lower + 1 = {int((upper - lower + 1).sum())}/{cells}"),
        ),
        notice=f"Without a single cell being published, {_label(table, cell)} is known to be {told}.",
        code=code,
        cells=_interval_cells(table, lower, upper),
        **more,
    )


def _interval_cells(table: FrequencyTable, lower: Whole, upper: Whole) -> Cells:
    """Return the intervals in the layout of the table, the narrower the darker."""
    across = table.columns
    down = table.axes[:-1]
    rows = [", ".join(labels) for labels in _products([axis.labels for axis in down])]
    low, high = (array.reshape(len(rows), len(across)) for array in (lower, upper))
    return Cells(
        title="What the intruder can tell of each cell",
        names=(" × ".join(axis.name for axis in down), across.name),
        rows=tuple(rows),
        columns=tuple(across),
        texts=tuple(
            tuple(f"{a}" if a == b else f"{a}–{b}" for a, b in zip(x, y, strict=True))
            for x, y in zip(low.tolist(), high.tolist(), strict=True)
        ),
        shades=tuple(map(tuple, (1 / (high - low + 1)).tolist())),
        hint="The lowest and the highest count that the margins allow. Darker: fewer values are left.",
    )


def _products(labels: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    if not labels:
        return [()]
    return [(*before, last) for before in _products(labels[:-1]) for last in labels[-1]]


def _surest(lower: Whole, upper: Whole) -> tuple[int, ...]:
    """Return the cell with the most people for sure; among equals the one known best."""
    worth = lower * (int(upper.max()) + 1) - (upper - lower)
    return tuple(int(i) for i in np.unravel_index(worth.argmax(), worth.shape))


def _many(number: float) -> str:
    """Return a number of sets, in powers of ten where it has more digits than one reads."""
    return f"{round(number):,}" if number < 1e9 else f"{float(number):.3e}"


def _label(table: FrequencyTable, cell: tuple[int, ...]) -> str:
    return ", ".join(axis.labels[i] for axis, i in zip(table.axes, cell, strict=True))


def _list(table: FrequencyTable) -> str:
    return repr(table.counts.tolist())


def _code(module: str, call: str, names: str = "") -> str:
    return f"from {module} import {names or call.partition('(')[0]}\n\n{call}"


CARDS = (
    Card(
        name="frank-1976",
        title="Frank 1976: three scenarios",
        group=GROUP,
        question="In which rows can someone learn something about somebody else?",
        general="1: N = 1.   2: F = (1, 1).   3: F = (1, x), x ≥ 1.   Elsewhere in the slice 0.",
        limits="It sees a slice by itself: what an intruder has from other sources is not in it. Scenario 2 is a "
        "case of scenario 3, and a slice with all people in one cell is not counted unless there is one person.",
        reference="Frank 1976; thesis, section 2.3.2.2.1.",
        example=HEALTH,
        about="Invented: three of four areas have a scenario, counts that give somebody away.",
        work=_frank_1976,
        controls=("slices",),
    ),
    Card(
        name="frank-1978",
        title="Frank 1978: entropy lost",
        group=GROUP,
        question="How much of an intruder's uncertainty about who is known can a table take away?",
        general="0 ≤ H(A) − H(B) ≤ log(1 + Σ(2^F − 1))",
        limits="Everything hangs on what is assumed of the intruder's prior knowledge, which nobody knows. "
        "The bound grows with the largest cell, so it says little of large tables.",
        reference="Frank 1978; thesis, section 2.3.2.2.1.",
        example=THESIS,
        about="The worked example of the thesis, Table 3.6.1.",
        work=_frank_1978,
        controls=("chance",),
        most=1_000,
    ),
    Card(
        name="sap",
        title="Smith & Elliot 2008: SAP",
        group=GROUP,
        question="How likely is it that an intruder who knows some of the people can empty a cell by subtraction?",
        general="SAP(m) = 1 − [x^m] Π((1 + x)^F − x^F) / C(N, m)",
        limits="The people known are a random set, though friends and families are known together. With a zero "
        "in the table it is 1 at once, however harmless the zero.",
        reference="Smith and Elliot 2008; thesis, section 2.3.2.2.1.",
        example=TOWNS,
        about="Invented: 21 people in five towns.",
        work=_sap,
        controls=("known",),
        most=100_000,
    ),
    Card(
        name="frechet",
        title="Fréchet bounds",
        group=GROUP,
        question="Only the row and column totals are published: what do they say about the cells?",
        general="min{n(i+), n(+j)} ≥ n(ij) ≥ max{n(i+) + n(+j) − n, 0}",
        limits="They are sharp, each value is that of some table. But they use totals of one variable each; "
        "finer margins need the next two cards.",
        reference="Fienberg 1999; thesis, section 2.3.2.2.1.",
        example=WORK,
        about="Invented. The intruder sees the totals, not the cells.",
        work=_frechet,
    ),
    Card(
        name="dobra-fienberg",
        title="Dobra & Fienberg 2000",
        group=GROUP,
        question="Several tables of the same people are published: what do they say together about the full one?",
        general="min over C of n_C ≥ n ≥ max{Σ n_C − Σ n_S, 0}; C: published margins, S: what neighbours share",
        limits="Only margins that form a decomposable graph have this closed form; the three pairs A×B, A×C, B×C "
        "do not. For those there is the shuttle algorithm, or linear programming.",
        reference="Dobra and Fienberg 2000; thesis, section 2.3.2.2.1.",
        example=THREE_WAY,
        about="Invented: A sex, B work, C health. The intruder sees the chosen margins.",
        work=_dobra_fienberg,
        controls=("margins",),
    ),
    Card(
        name="shuttle",
        title="Shuttle algorithm",
        group=GROUP,
        question="All three tables of two variables are published: what do they say about the table of three?",
        general="upper ← min(margin − Σ other lower), lower ← max(margin − Σ other upper), until nothing changes",
        limits="Quick, but it looks at one margin at a time, so that its intervals can be wider than need be. "
        "Linear programming joins all margins; on a table this small the two mostly agree.",
        reference="Buzzigoli and Giusti 1999, 2006; thesis, section 2.3.2.2.1.",
        example=THREE_WAY,
        about="Invented: A sex, B work, C health. The intruder sees A×B, A×C and B×C.",
        work=_shuttle,
        controls=("rounds",),
    ),
)
