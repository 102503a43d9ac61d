"""Charts of tables and assessments as plotly figures, each in one call.

The charts in the interface use the same data. The figures also work alone: `fig.show()` opens them in a browser
or below a notebook cell, and `fig.write_html("chart.html")` writes a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sdcwidgets import measures
from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.errors import InputError, type_with_article
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.assessment.assessment import Assessment, Slices
from sdcwidgets.assessment.comparison import Comparison, compare
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.methods.describing import describe
from sdcwidgets.plots import residual, size_curve, term_bars
from sdcwidgets.plots.risk_utility import draw as draw_map
from sdcwidgets.plots.risk_utility import prepare as prepare_map
from sdcwidgets.plots.risk_utility.drawing import FEW
from sdcwidgets.plots.style import ACCENT, COLOURS, MUTE, literal, resolved
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from sdcwidgets.plots.risk_utility import Map

#: Height of the title and the legend of the risk-utility map, in pixels.
LEGEND = 110

#: Height of the title of a chart of terms, in pixels.
TITLE = 40

__all__ = ["residual_risk", "risk_utility_map", "terms", "third_term"]


def risk_utility_map(
    table: FrequencyTable | Comparison,
    methods: Sequence[Method | str] | None = None,
    *,
    risk: str = "r2",
    loss: str = "hellinger",
    highlighted: int = 0,
    max_risk: float | None = None,
    max_loss: float | None = None,
    replications: int = 1000,
    seed: int = 1,
) -> go.Figure:
    """Draw the risk-utility map: residual risk against information loss.

    Parameters
    ----------
    table : FrequencyTable or Comparison
        The original counts, or the result of `compare`.
    methods : sequence of Method or str, optional
        Methods with their settings, as for `compare`; only with a table.
    risk : str
        The name of the measure of risk, on the vertical axis.
    loss : str
        The name of the measure of information loss, on the horizontal axis.
    highlighted : int
        Index of the setting whose replicates are drawn in colour, from 0.
    max_risk : float, optional
        Limit of the risk, drawn as a line.
    max_loss : float, optional
        Limit of the information loss, drawn as a line.
    replications : int
        The number of replicates of each setting, as for `compare`; only with a table.
    seed : int
        The seed of the random numbers, as for `compare`; only with a table.

    Returns
    -------
    plotly.graph_objects.Figure
        The first trace contains the means of all settings, in the order of the comparison. A legend explains the
        marks. Up to eight settings are all labelled; of more settings, the highlighted one and some Pareto-optimal
        ones are.

    Raises
    ------
    InputError
        If a method or measure does not exist, the measure was not computed, or `highlighted` is out of range.

    Examples
    --------
    >>> from sdcwidgets import examples, plots
    >>> figure = plots.risk_utility_map(examples.load("sex"), ["random-rounding", "record-swapping"], replications=20)
    >>> len(figure.data[0].x)
    2
    """
    if isinstance(table, Comparison):
        if methods is not None:
            raise InputError(
                "A comparison already contains its methods; pass either a comparison, or a table and methods."
            )
        comparison = table
    else:
        comparison = compare(table, methods, replications=replications, seed=seed, measures=[risk, loss])
    axes = _axis(comparison, risk, ("risk", "protection")), _axis(comparison, loss, ("loss", "utility"))
    for name, limit in (("max_risk", max_risk), ("max_loss", max_loss)):
        if limit is not None and not isinstance(limit, int | float):
            raise InputError(f"{name} is {limit!r}; it must be a number, or None for no limit.")
    if not isinstance(highlighted, int) or not 0 <= highlighted < len(comparison):
        raise InputError(
            f"The highlighted setting is {highlighted}; it must be a whole number from 0 to {len(comparison) - 1}."
        )
    drawn = replace(prepare_map(comparison.points, axes, (max_risk, max_loss), highlighted), is_complete=True)
    figure = draw_map(drawn)
    # In the interface the highlighted setting is the selected one, and a click selects another setting.
    figure.for_each_annotation(lambda note: note.update(text=(note.text or "").replace("selected: ", "")))
    figure.for_each_trace(lambda trace: trace.update(name="highlighted"), {"name": "selected"})
    hover = figure.data[0].hovertemplate.replace("<br>click to select it", "")
    figure.update_traces(hovertemplate=hover, selector=0)
    _add_legend(figure, drawn)
    return figure


def _add_legend(figure: go.Figure, drawn: Map) -> None:
    """Add a title, and a legend of all marks above the plot."""
    accent, mute, limit = resolved((ACCENT, MUTE, COLOURS[2]))
    nowhere = {"x": [None], "y": [None], "hoverinfo": "skip"}
    dashes = {"mode": "markers", **nowhere}
    figure.update_traces(showlegend=False)
    figure.add_scatter(name="Pareto-optimal setting, mean", marker={"color": accent, "size": 10}, **dashes)
    figure.add_scatter(
        name="dominated setting, mean", marker={"color": mute, "size": 7, "opacity": 0.6}, **dashes
    )
    for name, colour, is_drawn in (
        ("replicate of the highlighted setting", accent, True),
        ("replicate of another setting", mute, 1 < len(drawn.points) <= FEW),
    ):
        if is_drawn:
            stroke = {"symbol": "line-ew", "size": 8, "opacity": 0.35, "line": {"color": colour, "width": 4}}
            figure.add_scatter(name=name, marker=stroke, **dashes)
    if drawn.limits != (None, None):
        dashed = {"color": limit, "width": 2, "dash": "dash"}
        figure.add_scatter(name="limit", mode="lines", line=dashed, **nowhere)
    for name, text in (
        ("highlighted", "highlighted setting"),
        ("original table", "original table"),
        ("Pareto front", "Pareto front"),
    ):
        figure.update_traces(name=text, showlegend=True, selector={"name": name})
    figure.update_layout(
        title={"text": "Risk-utility map", "x": 0.01, "y": 0.98, "yanchor": "top"},
        showlegend=True,
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        height=figure.layout.height + LEGEND,
        margin={"t": figure.layout.margin.t + LEGEND},
    )


def terms(assessment: Assessment, axis: str = "rows") -> go.Figure:
    """Draw the three weighted terms of the risk of each slice, and of the table.

    Parameters
    ----------
    assessment : Assessment
        The result of `assess`.
    axis : str
        Name of the axis whose categories are the bars; "rows" and "columns" are the first and the last axis.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per term, and the unweighted risk R1* as diamonds. At most 60 slices are drawn, those with the
        highest risk. For an assessment with a method, further traces show the mean terms of the residual risk R2 and
        R2*, on the right of the terms of the original table.

    Raises
    ------
    InputError
        If the table has no axis with this name.

    Notes
    -----
    A term of R2 measures what data users still know about the original row after protection. It is not a term of the
    protected table. For example, protection changes the row (0, 2, 9, 0) to (0, 0, 10, 0). The protected row is more
    uneven than the original row, but data users no longer know how the people are distributed over the cells.
    Therefore, the unevenness that is still known is 0. ``assessment.after.to_frame()`` returns the terms of R2 without
    weights, as y1, y2 and y3. For the terms of a protected table, assess the table itself, as in
    ``assess(release.table())``.

    Examples
    --------
    >>> from sdcwidgets import assess, examples, plots
    >>> figure = plots.terms(assess(examples.load("religion")), axis="Area")
    >>> round(sum(float(trace.y[-1]) for trace in figure.data[:3]), 4)
    0.2315
    """
    slices = _slices(assessment, axis)
    bars = term_bars.prepare(_assessed(assessment), slices)
    after, title = assessment.after_protection, "Terms of the disclosure risk"
    if after is not None:
        bars = term_bars.with_residual(bars, assessment, slices)
        title = f"{title} R₁, and terms of the residual risk R₂ after {literal(describe(after.method))}"
    figure = term_bars.draw(bars)
    figure.update_layout(
        title={"text": title, "x": 0.01, "y": 0.98, "yanchor": "top"},
        height=figure.layout.height + TITLE,
        margin={"t": figure.layout.margin.t + TITLE},
    )
    return figure


def residual_risk(assessment: Assessment, axis: str = "rows") -> go.Figure:
    """Draw the disclosure risk of each slice before and after protection.

    Parameters
    ----------
    assessment : Assessment
        The result of `assess` with a method.
    axis : str
        Name of the axis whose categories are the bars; "rows" and "columns" are the first and the last axis.

    Returns
    -------
    plotly.graph_objects.Figure
        R1 as bars, and R2 according to both published formulas with standard errors.

    Raises
    ------
    InputError
        If the assessment has no method or does not contain r2, or the table has one axis or no axis with this
        name.

    Examples
    --------
    >>> from sdcwidgets import assess, examples, plots
    >>> after = assess(examples.load("religion"), "random-rounding", replications=50)
    >>> len(plots.residual_risk(after, axis="Area").data[0].y)
    11
    """
    after, before = _assessed(assessment).after_protection, _slices(assessment, axis)
    if after is None:
        raise InputError('The assessment has no method; name one, as in assess(table, "random-rounding").')
    if before is None:
        raise InputError("The table has only one axis, so there are no slices to compare; use plots.terms.")
    if "r2" not in after.whole.estimates or "r2_uncertainty" not in after.whole.estimates:
        raise InputError("The assessment does not contain r2; call assess without measures=.")
    picture = residual.prepare(before, after.slices[before.name], assessment.whole_slice, after.whole_slice)
    return residual.draw(picture)


def third_term(assessment: Assessment) -> go.Figure:
    """Draw the third term of the risk as a function of the table total, with this table as a point.

    Parameters
    ----------
    assessment : Assessment
        The result of `assess`.

    Returns
    -------
    plotly.graph_objects.Figure
        The functions h1 and h2 for the epsilon of the assessment, and the third term of this table.

    Raises
    ------
    InputError
        If the argument is not an assessment.

    Examples
    --------
    >>> from sdcwidgets import assess, examples, plots
    >>> len(plots.third_term(assess(examples.load("religion"), epsilon=0.3)).data) >= 2
    True
    """
    return size_curve.draw(size_curve.prepare(_assessed(assessment)))


def _assessed(assessment: object) -> Assessment:
    if not isinstance(assessment, Assessment):
        raise InputError(
            f"This chart needs an assessment, not {type_with_article(assessment)}; call assess(table) first."
        )
    return assessment


def _slices(assessment: Assessment, axis: str) -> Slices | None:
    """Return the slices along an axis, or None for a table with one axis."""
    table = _assessed(assessment).table
    if table.ndim == 1:
        return None
    names = [item.name for item in table.axes]
    check_kind("axis", axis, str, "the name of an axis, rows or columns")
    if axis not in names and axis not in ("rows", "columns"):
        raise InputError(f"The table has no axis {quoted(axis)}; it has {listed(names)}.")
    return assessment.slices[names[table.axis_along(axis)]]


def _axis(comparison: Comparison, name: str, directions: tuple[str, ...]) -> Measure:
    """Return the measure for an axis of the map, after checking its direction and that it was computed."""
    measure = measures.select(comparison.table, comparison.settings, names=(name,))[0]
    if measure.direction not in directions:
        kind = "risk" if "risk" in directions else "loss"
        raise InputError(
            f"{name} is not a measure of {kind}; choose another, such as r2 for risk or hellinger for loss."
        )
    for point in comparison.points:
        _ = point.whole[measure]
    return measure
