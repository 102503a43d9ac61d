"""The look that all charts share. Colours are names of the page's own, so that a chart follows light and dark."""

from __future__ import annotations

from typing import Any

__all__ = ["ACCENT", "COLOURS", "GRID", "INK", "MUTE", "layout", "literal", "shorten"]

INK = "var(--sdc-ink)"
MUTE = "var(--sdc-mute)"
GRID = "var(--sdc-line)"
ACCENT = "var(--sdc-accent)"

#: One colour for each term of the risk measure, the same on every screen.
COLOURS = ("var(--sdc-zeros)", "var(--sdc-unevenness)", "var(--sdc-size)")


def layout(height: int, **more: Any) -> dict[str, Any]:
    """Return a layout with the axes and letters of the house; `more` adds to it or replaces parts of it."""
    axis = {"gridcolor": GRID, "linecolor": GRID, "zeroline": False, "automargin": True, "fixedrange": True}
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


def _titled(axis: dict[str, Any]) -> dict[str, Any]:
    """Return an axis whose title, if it has one, is written as small as its numbers."""
    return axis | ({"title": {"font": {"size": 13}} | axis["title"]} if "title" in axis else {})


def literal(label: str) -> str:
    """Return a label as plotly shows it letter by letter: plotly reads a few tags and would hide them."""
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shorten(label: str, longest: int = 18) -> str:
    """Return a label that fits under a bar."""
    return label if len(label) <= longest else label[: longest - 1] + "…"
