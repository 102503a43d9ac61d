"""Texts of the page Cell key: conditions of the p-table, noise of the selected cell, and non-additive totals."""

from __future__ import annotations

import numpy as np

from sdcwidgets._util.formula_lines import signed, text_lines
from sdcwidgets._util.labels import singular
from sdcwidgets.core.ptable import least_variance
from sdcwidgets.dashboards.as_code import script
from sdcwidgets.dashboards.cell_key.result import CellKeyResult, NoiseStep
from sdcwidgets.dashboards.cell_key.state import CellKeyState
from sdcwidgets.methods.cellkey import CellKey
from sdcwidgets.widgets.texts import Line, Piece, Quantity, reading
from sdcwidgets.widgets.texts.narration import Narration, Subject

#: Tolerance of means and variances of a p-table; files have eight decimals.
NEAR = 5e-7


def rule(noise: CellKey) -> str:
    """Return the minimum variance of unbiased noise, and whether V is large enough.

    Examples
    --------
    >>> print(rule(CellKey(D=5, V=3, js=2)))
    No count from 1 to 2 is published, so the count 1 is changed to 0 or to at least 3. Unbiased noise then has a \
variance of at least 1·(3 − 1) = 2. The variance V is 3, which is large enough.
    """
    js, V = noise.js, noise.V
    if js == 0:
        return (
            f"Every count can be published, so every variance V above 0 is possible. The variance V is {V:g}."
        )
    hardest, least = (js + 1) // 2, least_variance(js)
    return (
        f"No count from 1 to {js} is published, so the count {hardest} is changed to 0 or to at least {js + 1}. "
        f"Unbiased noise then has a variance of at least {hardest}·({js + 1} − {hardest}) = {least}. "
        f"The variance V is {V:g}, which is large enough. {noise.stuck}".rstrip()
    )


def checked(result: CellKeyResult) -> list[Quantity]:
    """Return the checks of a p-table, one line per check."""
    checks, state = result.checks, result.state
    away = float((checks["total"] - 1).abs().max())
    bias = checks["mean"].abs()
    worst = int(bias.to_numpy().argmax())
    wide = int(checks["variance"].to_numpy().round(6).argmax())  # p has eight decimals
    stays = checks["stay"][1:]
    smallest = result.p_table.loc[(result.p_table["j"] > 0) & (result.p_table["p"] > 0), "j"].min()
    limit = "" if state.p_table_text else f" ≤ V = {state.noise.V:g}"
    stay_least = (
        f"; required minimum {state.noise.pstay:g}" if state.noise.pstay and not state.p_table_text else ""
    )
    if smallest == 1:
        left_out = "none"
    elif smallest == 2:
        left_out = "1"
    else:
        left_out = f"1 to {smallest - 1}"
    return [
        reading(
            "Sum of the probabilities of each row",
            "1" if away < NEAR else f"sums differ from 1 by up to {away:.2g}",
            "Σ p = 1",
        ),
        reading(
            "Mean noise",
            "0" if bias[worst] < NEAR else f"{signed(checks['mean'][worst], 3)} at {worst}",
            [
                Piece("Σ v·p = 0: unbiased")
                if bias[worst] < NEAR
                else Piece(f"mean noise is not 0 in {_rows(int((bias >= NEAR).sum()))}: biased")
            ],
        ),
        reading("Maximum variance", f"{checks['variance'][wide]:.4g}", f"Σ v²·p{limit}, in row {wide}"),
        reading(
            "Probability that a count is unchanged",
            f"{stays.min():.3f} to {stays.max():.3f}" if len(stays) else "–",
            f"p(0) in rows 1 and above{stay_least}",
        ),
        reading("Counts that are never published", left_out, "a count of 0 is always published as 0"),
    ]


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def explain_check(result: CellKeyResult) -> list[Line]:
    """Return the p-table's row for the selected cell, one line per noise value."""
    line = result.path[0].line if result.path else 1
    rows = result.p_table[result.p_table["i"] == line]
    more = ", which is also used for all larger counts" if _last(result, line) else ""
    sentences = [f"Row {line} of the p-table{more}:"]
    sentences += [
        f"Noise {signed(int(v))}: probability {p:.6f}, cell keys from {low:.6f} to {high:.6f}"
        for v, p, low, high in zip(rows["v"], rows["p"], rows["p_int_lb"], rows["p_int_ub"], strict=True)
    ]
    check = result.checks.loc[line].round(6) + 0.0  # not −0
    sentences.append(
        f"Σ p = {check['total']:.6f}, Σ v·p = {check['mean']:.6f}, Σ v²·p = {check['variance']:.6f}"
    )
    return text_lines(*sentences)


def where(result: CellKeyResult) -> str:
    """Return the labels of the selected cell."""
    row, column = result.original.axes
    return f"{row.labels[result.cell[0]]}, {column.labels[result.cell[1]]}"


def followed(step: NoiseStep) -> str:
    """Return an original count with its published value.

    Examples
    --------
    >>> followed(NoiseStep("cell", 3, 0.8, 3, 0.7, 1.0, 1, 4))
    '3 → 4'
    """
    return f"{step.count:,} → {step.published:,}"


def formula(result: CellKeyResult) -> Line:
    """Return the computation of the noise from the record keys, with its numbers."""
    if not result.path:
        return [Piece("An empty cell has no cell key and no noise.")]
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
    return f"Original count → published count of {where(result)}."


def notice(result: CellKeyResult) -> str:
    """Return the origin of the cell's noise, in words."""
    if not result.path:
        return f"The cell {where(result)} is empty. An empty cell has no cell key and is published as 0 in every table."
    step = result.path[0]
    others = step.count - 1
    serves = " (used for this and all larger counts)" if step.count > step.line else ""
    rule = (
        f"In row {step.line} of the p-table{serves}, cell keys from {step.low:.4f} to {step.high:.4f} have the noise "
        f"{signed(step.noise)}."
    )
    unit, record_key = result.state.unit, f"{result.record_key:.9f}"
    if not others:
        return (
            f"The cell has one {singular(unit)}, whose record key {record_key} is also the cell key. {rule}"
        )
    person = result.state.person % result.people + 1
    of_others = (
        f"record key of the other {singular(unit)}"
        if others == 1
        else f"record keys of the other {others:,} {unit}"
    )
    return (
        f"{singular(unit).capitalize()} {person:,} has the record key {record_key}. The cell key is the "
        f"fractional part of the sum of this key and the {of_others}: {step.key:.9f}. {rule}"
    )


def headline(result: CellKeyResult) -> tuple[str, str]:
    """Return the cell key with its noise, and the published count."""
    if not result.path:
        return (
            "The selected cell is empty, so no noise is added.",
            "An empty cell is published as 0 in every table.",
        )
    step, unit = result.path[0], result.state.unit
    if step.count == 1:
        key = f"The only {singular(unit)} in the cell has the record key {step.key:.3f}, which is also the cell key"
    else:
        key = f"The record keys of the {step.count:,} {unit} in the cell give the cell key {step.key:.3f}"
    noise = "the noise is 0" if not step.noise else f"the noise is {signed(step.noise)}"
    return (
        f"{key}, so {noise}.",
        f"The count {step.count:,} of {where(result)} is published as {step.published:,}.{_noise_settings(result)} "
        f"A cell with the same {unit} always has the same cell key, and so the same noise.",
    )


def _noise_settings(result: CellKeyResult) -> str:
    """Return the maximum and the variance of the noise, "" for a p-table that is not computed from them."""
    noise = result.state.noise
    if result.state.p_table_text:
        return ""
    return f" Noise is at most {noise.D:,} in size, and its variance is {noise.V:g}."


def chain(result: CellKeyResult) -> str:
    """Return the computation of the cell key from the record keys, as markup of numbers."""
    if not result.path:
        return f"<p>0 {result.state.unit}, no cell key</p>"
    step, person = result.path[0], result.state.person % max(result.people, 1)
    if result.keys:
        parts = [(f"{k + 1}", key) for k, key in enumerate(result.keys)]
        total = sum(result.keys)
    else:
        others = f"{step.count - 1:,} others"
        parts = [(f"{person + 1:,}", result.record_key), (others, result.others_key)]
        total = result.record_key + result.others_key
    keys = "<b>+</b>".join(
        f"<span{' class=sdc-followed' * (k == person and bool(result.keys))}><i>{name}</i>{key:.3f}</span>"
        for k, (name, key) in enumerate(parts)
    )
    whole = f"<b>=</b><span>{total:.3f}</span><b>→</b>" if len(parts) > 1 else "<b>→</b>"
    return f"<p>{keys}{whole}<span><strong>{step.key:.3f}</strong></span></p>"


def intervals_caption(result: CellKeyResult) -> str:
    """Return a caption of the chart of the cell-key intervals; "" if the selected cell is empty."""
    if not result.path:
        return ""
    return (
        "Each interval is a noise value, and its width is the probability of this value. The cell key ▼ is in the "
        f"interval of the noise {signed(result.path[0].noise)}."
    )


def sum_markup(result: CellKeyResult) -> str:
    """Return the original count, its noise and the published count, as markup of numbers."""
    if not result.path:
        return "<p><strong>0</strong></p>"
    step = result.path[0]
    sign = "−" if step.noise < 0 else "+"
    return f"<p>{step.count:,} {sign} {abs(step.noise):,} = <strong>{step.published:,}</strong></p>"


def margin_readings(result: CellKeyResult) -> list[Quantity]:
    """Return the margins that contain the selected cell, one line per margin."""
    row, column = result.original.axes
    names = {
        "row": f"Row total, {row.labels[result.cell[0]]}",
        "column": f"Column total, {column.labels[result.cell[1]]}",
        "total": "Grand total",
    }
    return [
        reading(
            names[step.level],
            followed(step),
            f"cell key {step.key:.9f}, row {step.line} of the p-table: noise {signed(step.noise)}",
        )
        for step in result.path[1:]
    ]


def additivity(result: CellKeyResult) -> str:
    """Return the number of non-additive totals and the largest discrepancy, in words."""
    discrepancies = result.margin_discrepancies
    number = sum(int(np.count_nonzero(array)) for array in discrepancies.values())
    of = sum(int(np.size(array)) for array in discrepancies.values())
    if not number:
        return (
            f"All {of} totals are the sums of their published cells. The sums agree by chance, because the "
            f"noise of a total depends on the cell key of the total."
        )
    rows, columns = result.original.axes
    totals = [
        *zip(
            (f"{rows.name} {label}" for label in rows),
            result.release.marginal(rows.name),
            discrepancies[0,],
            strict=True,
        ),
        *zip(columns, result.release.marginal(columns.name), discrepancies[1,], strict=True),
        ("the grand total", result.release.marginal(), discrepancies[()]),
    ]
    name, published, value = max(totals, key=lambda total: abs(total[2]))
    noise = int(result.release.marginal()) - result.original.total
    off = int(result.release.cells.sum()) - result.original.total
    return (
        f"{number} of {of} published totals are not the sums of their cells. The largest difference is in {name}: "
        f"{published:,.0f} is published, but the cells sum to {published - value:,.0f}. The published grand total "
        f"differs from the original grand total by {abs(noise)}; the sum of all published cells differs from the "
        f"original grand total by {abs(off)}."
    )


def repeated_answers(result: CellKeyResult) -> str:
    """Return the results of repeated requests, in words."""
    if not result.path:
        return "Every request for an empty cell returns 0."
    asks, step = result.state.asks, result.path[0]
    if asks == 1:
        return (
            f"One request returned {step.published:,}. Another request returns the same count, because a cell with the "
            f"same {result.state.unit} has the same cell key."
        )
    mean = float(result.fresh.mean())
    return (
        f"All {asks} requests returned {step.published:,}. With independent noise in each request, the mean of the "
        f"{asks} results would be {mean:.2f}. With more requests, this mean would approach the original count "
        f"{step.count:,}."
    )


def explain(result: CellKeyResult) -> list[Line]:
    """Return the derivation of the published count, one line per step."""
    if not result.path:
        return text_lines(notice(result))
    step = result.path[0]
    return [
        *text_lines(
            "Every record has a record key, a random number from 0 to below 1 that never changes. The cell key is the "
            "fractional part of the sum of the record keys in the cell."
        ),
        formula(result),
        *text_lines(
            f"Like the record keys, the cell key is uniformly distributed. A cell with the same {result.state.unit} "
            "has the same cell key in "
            "every table.",
            f"The count {step.count:,} uses row {step.line} of the p-table. In this row, cell keys from "
            f"{step.low:.6f} to "
            f"below {step.high:.6f} have the noise {signed(step.noise)}, which has the probability "
            f"{step.high - step.low:.6f}.",
            f"Published count: {step.count:,} {'−' if step.noise < 0 else '+'} {abs(step.noise)} = {step.published:,}.",
        ),
    ]


def narration(result: CellKeyResult) -> Narration:
    """Return the original and the published count of the selected cell."""
    return Narration(
        followed(result.path[0]) if result.path else "0 → 0",
        caption(result),
        notice(result),
        formula(result),
        explain=lambda: ("Computation of a published count", explain(result)),
        subject=Subject(result.cell, where(result)),
        of=result.state,
    )


def as_code(state: CellKeyState) -> str:
    """Return Python code that computes the release that is shown.

    Examples
    --------
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
            'p = cellkey.read_p_table("p-table.csv")  # saved by "Export p-table (CSV)"',
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
