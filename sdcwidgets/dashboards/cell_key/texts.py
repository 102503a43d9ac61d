"""Texts of the page Cell key: the p-table's conditions, the chosen person, and totals that are not additive."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.lines import signed, text_lines
from sdcwidgets.core.ptable import least_variance
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.cell_key.result import CellKeyResult, NoiseStep
from sdcwidgets.dashboards.cell_key.state import CellKeyState
from sdcwidgets.methods.cellkey import CellKey
from sdcwidgets.widgets.texts import Line, Piece, Quantity, reading
from sdcwidgets.widgets.texts.narration import Narration, Subject

#: A mean or a variance that is off by less than this is right: the files have eight decimals.
NEAR = 5e-7


def rule(noise: CellKey) -> str:
    """Return why V can or cannot be smaller, with these numbers.

    >>> print(rule(CellKey(D=5, V=3, js=2)))
    1 and 2 are never published, so a 1 becomes 0 or at least 3. Right on average, that alone needs a variance of \
1·(3 − 1) = 2. V is 3: possible.
    """
    js, V = noise.js, noise.V
    if js == 0:
        return f"No count is left out, so every variance V above 0 is possible. V is {V:g}."
    hardest, least = (js + 1) // 2, least_variance(js)
    unpublished = "1 is" if js == 1 else "1 and 2 are" if js == 2 else f"1 to {js} are"
    return (
        f"{unpublished} never published, so a {hardest} becomes 0 or at least {js + 1}. Right on average, that alone "
        f"needs a variance of {hardest}·({js + 1} − {hardest}) = {least}. V is {V:g}: {'just ' * (least == V)}possible."
        f" {noise.stuck}".rstrip()
    )


def checked(result: CellKeyResult) -> list[Quantity]:
    """Return what of a p-table can be checked, a line each."""
    checks, state = result.checks, result.state
    away = float((checks["total"] - 1).abs().max())
    bias = checks["mean"].abs()
    worst = int(bias.to_numpy().argmax())
    wide = int(checks["variance"].to_numpy().round(6).argmax())  # p has eight decimals
    stays = checks["stay"][1:]
    smallest = result.p_table.loc[(result.p_table["j"] > 0) & (result.p_table["p"] > 0), "j"].min()
    limit = "" if state.p_table_text else f" ≤ V = {state.noise.V:g}"
    stay_least = (
        f"; at least {state.noise.pstay:g} was asked" if state.noise.pstay and not state.p_table_text else ""
    )
    left_out = "none" if smallest == 1 else "1" if smallest == 2 else f"1 to {smallest - 1}"
    return [
        reading("Sum of each row", "1" if away < NEAR else f"off by {away:.2g}", "Σ p = 1"),
        reading(
            "Noise on average",
            "0" if bias[worst] < NEAR else f"{signed(checks['mean'][worst], 3)} at {worst}",
            [
                Piece("Σ v·p = 0: right on average")
                if bias[worst] < NEAR
                else Piece(f"not 0 in {_rows(int((bias >= NEAR).sum()))}: counts are biased")
            ],
        ),
        reading(
            "Greatest variance", f"{checks['variance'][wide]:.4g}", f"Σ v²·p{limit}, in the row of {wide}"
        ),
        reading(
            "Chance of no change",
            f"{stays.min():.3f} to {stays.max():.3f}" if len(stays) else "–",
            f"p(0) of the rows from 1 on{stay_least}",
        ),
        reading("Counts never published", left_out, "0 always stays 0"),
    ]


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def explain_check(result: CellKeyResult) -> list[Line]:
    """Return the p-table's row for the chosen cell, one line per noise value."""
    line = result.path[0].line if result.path else 1
    rows = result.p_table[result.p_table["i"] == line]
    more = ", which serves all larger counts too" if _last(result, line) else ""
    sentences = [f"The row of the count {line} of the p-table{more}:"]
    sentences += [
        f"{signed(int(v))}: chance {p:.6f}, keys from {low:.6f} to {high:.6f}"
        for v, p, low, high in zip(rows["v"], rows["p"], rows["p_int_lb"], rows["p_int_ub"], strict=True)
    ]
    check = result.checks.loc[line].round(6) + 0.0  # not −0
    sentences.append(
        f"Σ p = {check['total']:.6f}, Σ v·p = {check['mean']:.6f}, Σ v²·p = {check['variance']:.6f}"
    )
    return text_lines(*sentences)


def where(result: CellKeyResult) -> str:
    """Return the cell that is looked at, by its labels."""
    row, column = result.original.axes
    return f"{row.labels[result.cell[0]]}, {column.labels[result.cell[1]]}"


def followed(step: NoiseStep) -> str:
    """Return what becomes of a count, as it is written large.

    >>> followed(NoiseStep("cell", 3, 0.8, 3, 0.7, 1.0, 1, 4))
    '3 → 4'
    """
    return f"{step.count:,} → {step.published:,}"


def formula(result: CellKeyResult) -> Line:
    """Return the way from a record key to a published count, with its numbers."""
    if not result.path:
        return [Piece("nobody, so no key and no noise")]
    step = result.path[0]
    total = result.record_key + result.others_key
    return [
        Piece(f"{result.record_key:.9f}", "unevenness"),
        Piece(f" + {result.others_key:.9f} = {total:.9f}; "),
        Piece(f"cell key {step.key:.9f}", "zeros"),
        Piece(f"; row {step.line}: {signed(step.noise)}"),
    ]


def caption(result: CellKeyResult) -> str:
    """Return the label of the large number."""
    return f"{where(result)}: the true count, and what is published of it."


def notice(result: CellKeyResult) -> str:
    """Return how the noise of the cell comes about, in words."""
    if not result.path:
        return f"Nobody is in {where(result)}. An empty cell has no keys: it stays 0 in every table."
    step = result.path[0]
    others = step.count - 1
    serves = " (larger counts share it)" if step.count > step.line else ""
    rule = (
        f"Row {step.line} of the p-table{serves} gives {signed(step.noise)} to keys from {step.low:.4f} to "
        f"{step.high:.4f}."
    )
    if not others:
        return f"The only person has the record key {result.record_key:.9f}: it is the cell key too. {rule}"
    person = result.state.person % result.people + 1
    of_others = "the key of the other one" if others == 1 else f"the keys of the other {others:,}"
    return (
        f"Person {person:,} has the record key {result.record_key:.9f}. Add {of_others} and leave out whole numbers: "
        f"the cell key is {step.key:.9f}. {rule}"
    )


def headline(result: CellKeyResult) -> tuple[str, str]:
    """Return the answer to why a count is published as another, and what that promises."""
    if not result.path:
        return "Nobody is there, so there is no key: 0 stays 0.", "An empty cell is 0 in every table."
    step = result.path[0]
    whose = "One person’s key is" if step.count == 1 else f"The {step.count:,} people’s keys make"
    noise = "no change" if not step.noise else signed(step.noise)
    return (
        f"{whose} {step.key:.3f}, and {step.key:.3f} means {noise}.",
        f"{where(result)}: {step.count:,} is published as {step.published:,}. Same people, same keys, same answer.",
    )


def chain(result: CellKeyResult) -> str:
    """Return the way from the keys of the people to the key of the cell, as markup of numbers."""
    if not result.path:
        return "<p>0 people, no key</p>"
    step, person = result.path[0], result.state.person % max(result.people, 1)
    if result.keys:
        parts = [(f"{k + 1}", key) for k, key in enumerate(result.keys)]
        total = sum(result.keys)
    else:
        others = f"the other {step.count - 1:,}"
        parts = [(f"{person + 1:,}", result.record_key), (others, result.others_key)]
        total = result.record_key + result.others_key
    keys = "<b>+</b>".join(
        f"<span{' class=sdc-followed' * (k == person and bool(result.keys))}><i>{name}</i>{key:.3f}</span>"
        for k, (name, key) in enumerate(parts)
    )
    whole = f"<b>=</b><span>{total:.3f}</span><b>→</b>" if len(parts) > 1 else "<b>→</b>"
    return f"<p>{keys}{whole}<span><strong>{step.key:.3f}</strong></span></p>"


def sum_markup(result: CellKeyResult) -> str:
    """Return the true count, its noise and what is published, as markup of numbers."""
    if not result.path:
        return "<p><strong>0</strong></p>"
    step = result.path[0]
    sign = "−" if step.noise < 0 else "+"
    return f"<p>{step.count:,} {sign} {abs(step.noise):,} = <strong>{step.published:,}</strong></p>"


def margin_readings(result: CellKeyResult) -> list[Quantity]:
    """Return the margins that the same person is counted in, a line each."""
    row, column = result.original.axes
    names = {
        "row": f"{row.labels[result.cell[0]]}, whole row",
        "column": f"{column.labels[result.cell[1]]}, whole column",
        "total": "Everybody",
    }
    return [
        reading(
            names[step.level], followed(step), f"key {step.key:.9f}, row {step.line}: {signed(step.noise)}"
        )
        for step in result.path[1:]
    ]


def additivity(result: CellKeyResult) -> str:
    """Return which published totals are not the sums of what is published, and how far off sums would be."""
    discrepancies = result.margin_discrepancies
    number = sum(int(np.count_nonzero(array)) for array in discrepancies.values())
    of = sum(int(np.size(array)) for array in discrepancies.values())
    if not number:
        return f"All {of} totals are the sums of the published cells this time. That is luck: each has its own noise."
    rows, columns = result.original.axes
    totals = [
        *zip(
            (f"{rows.name} {label}" for label in rows),
            result.release.marginal(rows.name),
            discrepancies[0,],
            strict=True,
        ),
        *zip(columns, result.release.marginal(columns.name), discrepancies[1,], strict=True),
        ("the total of all", result.release.marginal(), discrepancies[()]),
    ]
    name, published, value = max(totals, key=lambda total: abs(total[2]))
    noise = int(result.release.marginal()) - result.original.total
    off = int(result.release.cells.sum()) - result.original.total
    return (
        f"{number} of {of} totals are not the sums of their cells. Most: {name}, published {published:,.0f}, its cells "
        f"add up to {published - value:,.0f}. The total of all is off by {abs(noise)}; the sum of the cells would be "
        f"off by {abs(off)}."
    )


def repeated_answers(result: CellKeyResult) -> str:
    """Return what asking again has given."""
    if not result.path:
        return "An empty cell is answered with 0 each time."
    asks, step = result.state.asks, result.path[0]
    if asks == 1:
        return f"Asked once: {step.published:,}. Ask again: the same people have the same key."
    mean = float(result.fresh.mean())
    return (
        f"Asked {asks} times, in whatever table: {step.published:,} each time. If the noise were drawn anew, the mean "
        f"of the {asks} answers would be {mean:.2f}, and it comes ever closer to the true {step.count:,}."
    )


def explain(result: CellKeyResult) -> list[Line]:
    """Return the derivation of the published count, one line per step."""
    if not result.path:
        return text_lines(notice(result))
    step = result.path[0]
    return [
        *text_lines(
            "Every record has a key, drawn once, from 0 to below 1. The key of a cell is the sum of the keys of its "
            "people without the whole number."
        ),
        formula(result),
        *text_lines(
            "It is again uniform, and the same for the same people, in whatever table they are counted.",
            f"The count {step.count:,} uses row {step.line} of the p-table. Its noise {signed(step.noise)} has the "
            f"keys from {step.low:.6f} to below {step.high:.6f}, a chance of {step.high - step.low:.6f}.",
            f"So {step.count:,} {'−' if step.noise < 0 else '+'} {abs(step.noise)} = {step.published:,} is published.",
        ),
    ]


def narration(result: CellKeyResult) -> Narration:
    """Return the true and the published count of the chosen cell."""
    return Narration(
        followed(result.path[0]) if result.path else "0 → 0",
        caption(result),
        notice(result),
        formula(result),
        explain=lambda: ("A published count", explain(result)),
        subject=Subject(result.cell, where(result)),
        of=result.state,
    )


def as_code(state: CellKeyState) -> str:
    """Return Python code that computes the release that is shown.

    >>> print(as_code(CellKeyState.of_example("religion")).splitlines()[-1])
    cellkey.release(table, keys, p, secret=None).to_frame()
    """
    code = state.source.code(state.table)
    noise = state.noise
    p_table = [
        f"p = cellkey.p_table(D={noise.D}, V={noise.V:g}, js={noise.js}, pstay={noise.pstay or None},"
        f" monotone={noise.monotone})"
    ]
    if state.p_table_text:
        p_table = [
            'p = cellkey.read_p_table("p-table.csv")  # the file that "Save as CSV" writes',
        ]
    return script(
        f"from sdcwidgets import {', '.join(sorted(code.imports, key=str.swapcase))}",
        "from sdcwidgets.methods import cellkey",
        "",
        *code.lines,
        *p_table,
        f"keys = cellkey.table_keys(table.counts, seed={state.seed})",
        "# The unmixed keys of the handbook. For publication, mix them: secret=... keeps totals independent.",
        "cellkey.release(table, keys, p, secret=None).to_frame()",
    )


def _last(result: CellKeyResult, line: int) -> bool:
    return line == int(result.p_table["i"].iloc[-1])
