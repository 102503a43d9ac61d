"""Chart of the risk before and after protection by slice, with the formulas of R2."""

from __future__ import annotations

import numpy as np

from sdcwidgets.assessment.assessment import Slices
from sdcwidgets.assessment.replications import SlicesAfter
from sdcwidgets.measures.risk import R2, R2Followed, R2Uncertainty
from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Plotted
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MOST_SLICES, Plain, figure, literal, slice_axis

NAMES = {
    "information": "residual risk, thesis (3.6.6)",
    "uncertainty": "residual risk, PSD 2014 (5)",
    "followed": "residual risk, people followed",
}


def prepare(
    before: Slices, after: SlicesAfter, whole: Slices, whole_after: SlicesAfter
) -> Plotted[list[str]]:
    """Return the risk before and after protection of the slices of one axis and of the whole table.

    R1 and the expected R2 according to both published formulas are included, the latter with Monte Carlo standard
    errors. R2 with people followed is included if it was computed.

    Parameters
    ----------
    before : Slices
        The slices of one axis before protection.
    after : SlicesAfter
        The same slices after protection.
    whole : Slices
        The whole table before protection.
    whole_after : SlicesAfter
        The whole table after protection.

    Returns
    -------
    Plotted
        The labels of the bars, with a summary and the data by column.
    """
    riskiest = before.riskiest(MOST_SLICES)
    labels = [*(before.labels[i] for i in riskiest), "Table"]
    r1 = np.append(before.r1[riskiest], whole.r1)
    columns: dict[str, object] = {before.name: labels, "risk before": r1}
    computed = {measure.name for measure in after.estimates}
    for measure in (R2, R2Uncertainty, R2Followed):
        if measure is R2Followed and measure.name not in computed:
            continue
        name = NAMES[measure.variant]
        slices, table = after[measure.name], whole_after[measure.name]
        columns[name] = np.append(slices.mean[riskiest], table.mean)
        columns[f"± {name}"] = np.append(slices.error[riskiest], table.error)
    columns["Hellinger distance"] = np.append(after.hellinger.mean[riskiest], whole_after.hellinger.mean)
    residual = np.append(after.r2.mean[riskiest], whole_after.r2.mean)
    verb = "rises" if residual[-1] > r1[-1] else "falls"
    summary = f"The table's risk {verb} from {r1[-1]:.4f} to {residual[-1]:.4f}."
    if len(residual) > 1 and not np.isnan(residual[:-1]).all():
        worst = int(np.nanargmax(residual[:-1]))
        summary += (
            f" Highest residual risk: {labels[worst]}, {residual[worst]:.3f} (before: {r1[worst]:.3f})."
        )
    return Plotted(labels, summary, columns)


@figure
def draw(picture: Plotted[list[str]]) -> Plain:
    """Return the figure: R1 as open bars, and R2 by each formula as points with error bars."""
    labels, numbers = picture.of, picture.numbers
    positions = [float(i) for i in range(len(labels))]
    if len(positions) > 1:
        positions[-1] += 0.6
    hover_data: Plain = {"customdata": [literal(label) for label in labels]}
    open_bars: Plain = {"name": "risk before", "edge": (INK, 1), "width": 0.68}
    open_bars["hover"] = "%{customdata}<br>risk before: %{y:.4f}"
    traces = [
        marks.bars(
            positions, marks.numbers(numbers["risk before"]), "rgba(0,0,0,0)", **open_bars, **hover_data
        )
    ]
    looks = {
        "information": (ACCENT, 10, "circle"),
        "uncertainty": (COLOURS[1], 10, "diamond"),
        "followed": (COLOURS[2], 10, "square"),
    }
    for variant, look in looks.items():
        name = NAMES[variant]
        if name not in numbers:
            continue
        mean = marks.numbers(numbers[name])
        error: Plain = {"type": "data", "array": marks.numbers(numbers[f"± {name}"])}
        error |= {"color": look[0], "thickness": 1}
        hover = f"%{{customdata}}<br>{name}: %{{y:.4f}}"
        traces.append(marks.dots(positions, mean, *look, name=name, error_y=error, hover=hover, **hover_data))
    return marks.plot(
        traces,
        290 if len(positions) < 15 else 340,
        xaxis=slice_axis(positions, labels),
        yaxis={"rangemode": "tozero", "title": "disclosure risk (from 0 to 1)"},
        legend=True,
        margin={"l": 54, "r": 8, "t": 34, "b": 40},
    )
