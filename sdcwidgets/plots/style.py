"""Common style of all charts. Colours are CSS variables of the page, so charts follow the light and dark themes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Figure for plotly.js: a dictionary with the keys "data" and "layout".
Plain: TypeAlias = dict[str, Any]

P = TypeVar("P")

INK = "var(--sdc-ink)"
MUTE = "var(--sdc-mute)"
GRID = "var(--sdc-line)"
ACCENT = "var(--sdc-accent)"

#: Maximum number of slices in a chart. With more slices, the chart shows the slices with the highest risk.
MOST_SLICES = 60

#: One colour per term of the risk measure, the same in all charts.
COLOURS = ("var(--sdc-zeros)", "var(--sdc-unevenness)", "var(--sdc-size)")


#: Colours of the light theme; a figure outside the page has no style sheet for the CSS variables.
LIGHT = {
    "accent": "#0b5cad",
    "card": "#ffffff",
    "field": "#87919b",
    "high": "#f08c42",
    "ink": "#1b1f24",
    "line": "#d9dee3",
    "low": "#4a9fd8",
    "mute": "#5b6570",
    "note": "#fff8ec",
    "on-accent": "#ffffff",
    "size": "#009e73",
    "soft": "#f5f7f9",
    "stripe": "#e9edf1",
    "tint": "#e8f1fb",
    "unevenness": "#d55e00",
    "warn": "#b45309",
    "wrong": "#b3261e",
    "zeros": "#0072b2",
}

_COLOUR = re.compile(r"var\(--sdc-([a-z-]+)\)")


def resolved(value: Any) -> Any:
    """Return a figure, or part of it, with CSS variables replaced by the colours of the light theme.

    Examples
    --------
    >>> resolved({"color": ["var(--sdc-ink)", 3]})
    {'color': ['#1b1f24', 3]}
    """
    if isinstance(value, str):
        return _COLOUR.sub(lambda match: LIGHT.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {key: resolved(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolved(item) for item in value]
    return value


class Drawing(Generic[P]):
    """A function that draws results; calling it returns a plotly Figure.

    Attributes
    ----------
    plain : callable
        Function that returns the same figure as plain dictionaries. The interface sends this to the browser,
        because validation by plotly takes several times as long as the other steps of an update.
    """

    def __init__(self, plain: Callable[[P], Plain]) -> None:
        self.plain = plain
        update_wrapper(self, plain)

    def __call__(self, picture: P) -> go.Figure:
        """Return the figure, validated by plotly."""
        import plotly.graph_objects as go

        return go.Figure(resolved(self.plain(picture)))


def figure(plain: Callable[[P], Plain]) -> Drawing[P]:
    """Return a `Drawing` for a function that returns a figure as plain dictionaries; used as a decorator."""
    return Drawing(plain)


#: Legend in one line above the plot.
LEGEND: dict[str, object] = {
    "showlegend": True,
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
}


def layout(height: int, **more: Any) -> dict[str, Any]:
    """Return a layout with the common axes and fonts; `more` adds or replaces properties."""
    axis = {"gridcolor": GRID, "linecolor": GRID, "zeroline": False, "automargin": True, "fixedrange": True}
    axis |= {"separatethousands": True, "exponentformat": "none"}
    axis |= {"ticklabeloverflow": "allow"}  # Otherwise plotly measures each label once per drawn label.
    return {
        "height": height,
        "margin": {"l": 48, "r": 12, "t": 12, "b": 36},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {
            "family": "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif",
            "size": 13,
            "color": MUTE,
        },
        "hoverlabel": {"bgcolor": "var(--sdc-card)", "font": {"color": INK}},
        "showlegend": False,
        "template": None,
        "xaxis": axis | _titled(more.pop("xaxis", {})),
        "yaxis": axis | _titled(more.pop("yaxis", {})),
    } | more


def _titled(axis: dict[str, object]) -> dict[str, object]:
    """Return the axis with a title, if it has one, in the font size of its tick labels."""
    if "title" not in axis:
        return axis
    title = axis["title"]
    return axis | {"title": {"font": {"size": 13}} | (title if isinstance(title, dict) else {"text": title})}


def literal(label: str) -> str:
    """Return a label with escaped markup, since plotly interprets some HTML tags."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shorten(labels: Sequence[str], longest: int = 18) -> list[str]:
    """Return labels of at most about `longest` characters, shortened in the middle and numbered if ambiguous.

    Examples
    --------
    >>> shorten(["Harbour North, east of the line", "Harbour North, west of the line", "Hill"], 14)
    ['Harbo… (1)', 'Harbo… (2)', 'Hill']
    >>> shorten(["E00001234001 Upper Common", "E00001234002 The hamlets", "E00001234003 Hill and down"], 14)
    ['…1…Common', '…2 The hamlets', '…3 Hill…down']
    """
    begin = _beginning(labels) if len(labels) > 2 and min(map(len, labels)) > longest else ""
    rest = [f"…{label[len(begin) :]}" for label in labels] if len(begin) >= 4 else labels
    cut = [_middle(label, longest) for label in rest]
    if len(set(labels)) < len(labels):
        return cut
    return [
        f"{_middle(label, longest)[: longest - 9]}… ({index})" if cut.count(text) > 1 else text
        for index, (label, text) in enumerate(zip(rest, cut, strict=True), start=1)
    ]


def slice_axis(positions: Sequence[float], labels: Sequence[str]) -> dict[str, object]:
    """Return the axis below the bars of slices and the whole table; labels are horizontal or vertical.

    Oblique labels are excluded because plotly omits labels that would extend over the right end.

    Examples
    --------
    >>> slice_axis([0, 1, 2.6], ["Area 1", "<b>", "Table"])["ticktext"]
    ['Area 1', '&lt;b&gt;', 'Table']
    """
    *slices, whole = labels
    texts = [literal(label) for label in (*shorten(slices, 14 if len(slices) < 14 else 20), whole)]
    return {"tickvals": list(positions), "ticktext": texts, "showgrid": False, "autotickangles": [0, 90]}


def _beginning(labels: Sequence[str]) -> str:
    """Return the longest common prefix of all labels."""
    first, last = min(labels), max(labels)
    same = next(
        (i for i, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first)
    )
    return first[:same]


def _middle(text: str, longest: int) -> str:
    """Return a text shortened in the middle, between words if possible."""
    if len(text) <= longest:
        return text
    half = longest // 2
    space = text.rfind(" ", 0, half + 1)
    head = text[: space if space > 1 else half]
    start = len(text) - (longest - 1 - len(head))
    word = text.find(" ", start - 1) + 1
    return f"{head}…{text[word if 0 < word < len(text) else start :]}"
