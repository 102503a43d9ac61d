"""The first view of a page as HTML without scripts, from the current state of its widgets.

The HTML is shown until the widgets are ready, with the same classes and style sheets. It is in a shadow tree, so
it does not interfere with the widgets, and it is removed as a whole. Its controls are visible but inactive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Any

import ipywidgets

from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.base import STATIC
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.dashboard import Dashboard
from sdcwidgets.widgets.distribution import Distribution
from sdcwidgets.widgets.drawn_grid import drawn_grid
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.markup import Html, tag
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.people import PeopleRow
from sdcwidgets.widgets.source import SourceBar
from sdcwidgets.widgets.steps import Steps

#: Rules of Jupyter's style sheets for boxes and texts, as far as pages do not override them.
_BOXES = """
:host { display: block; overflow-wrap: anywhere; }
.lm-Widget { position: relative; box-sizing: border-box; overflow: hidden; }
.jupyter-widgets { margin: 2px; overflow: visible; }
.widget-box { display: flex; margin: 0; }
.widget-vbox { flex-direction: column; }
.widget-html { display: flex; font-size: 13px; }
.widget-html-content { flex: 1 1 auto; align-self: stretch; line-height: 28px; }
::slotted(*) { position: absolute; z-index: 30; top: 14px; left: 50%; margin: 0; color: var(--sdc-mute); }
@media (max-width: 900px), print { ::slotted(*) { clip-path: inset(50%); } }
"""


def drawn(dashboard: Dashboard) -> str:
    """Return headline and stage of a page with their style sheets, as the content of a shadow tree.

    >>> from sdcwidgets.dashboards import explore
    >>> text = drawn(explore.app())
    >>> "<h1>Which group has the highest disclosure risk?</h1>" in text, "<script" in text
    (True, False)
    """
    parts = [
        part
        for part in dashboard.children
        if isinstance(part, Page | Lead) or "sdc-stage" in part._dom_classes
    ]
    inside = [_draw(part) for part in parts]
    theme = (STATIC / "theme.css").read_text("utf-8").rstrip()
    sheets = dict.fromkeys(one._css.removeprefix(theme) for one in _all(parts) if hasattr(one, "_css"))
    return f"<style>{_BOXES}{_of_host(theme + ''.join(sheets))}</style>{_box(dashboard, *inside)}"


def _all(widgets: Iterable[object]) -> Iterator[object]:
    for one in widgets:
        yield one
        yield from _all(getattr(one, "children", ()))


def _of_host(sheet: str) -> str:
    """Return a style sheet of a page for a shadow tree, whose root is a host."""
    return re.sub(r":root(\[[^\]]*\])", r":host(\1)", sheet).replace(":root{", ":host{")


def _classes(widget: ipywidgets.Widget, *more: str) -> str:
    return " ".join(["lm-Widget", *more, *widget._dom_classes])


@singledispatch
def _shape(widget: object) -> Html:
    """Return the HTML of a widget; it is empty for unknown kinds."""
    return Html("")


def _draw(widget: ipywidgets.Widget) -> Html:
    return Html("") if widget.layout.display == "none" else _shape(widget)


def _own(widget: object, name: str, *inside: object, **attributes: object) -> Html:
    """Return the root element of a widget of this project."""
    return tag("div", *inside, class_=_classes(widget, "sdc", name), **attributes)


def _box(widget: ipywidgets.Widget, *inside: Html) -> Html:
    kinds = ["widget-box", "widget-vbox"] if isinstance(widget, ipywidgets.VBox) else ["widget-box"]
    layout = {
        name: getattr(widget.layout, name)
        for name in ("flex_flow", "grid_gap", "align_items", "grid_template_columns")
    }
    css = "; ".join(f"{name.replace('_', '-')}: {value}" for name, value in layout.items() if value)
    return tag("div", *inside, class_=_classes(widget, "jupyter-widgets", *kinds), style=css)


@_shape.register
def _(widget: ipywidgets.Box) -> Html:
    return _box(widget, *map(_draw, widget.children))


@_shape.register
def _(widget: ipywidgets.HTML) -> Html:
    value = widget.value.replace('<button type="button"', '<button type="button" tabindex="-1"')
    content = tag("div", Html(value), class_="widget-html-content")
    return tag("div", content, class_=_classes(widget, "jupyter-widgets", "widget-html"))


@_shape.register
def _(page: Page) -> Html:
    links: list[Any] = page.links
    ways = [
        tag("div", tag("b", group), *(tag("a", text, href=name) for text, name in pages))
        for group, pages in links
    ]
    menu = tag(
        "details", tag("summary", "All tools"), tag("nav", *ways, aria_label="Dashboards"), class_="sdc-menu"
    )
    names = [
        tag("details", tag("summary", name), class_="sdc-menu sdc-menu-right") for name in ("Share", "…")
    ]
    steps = [tag("button", name, disabled=True) for name in ("Undo", "Redo")]
    actions = tag("div", *steps, tag("i"), *names, class_="sdc-actions", inert=True)
    brand = tag("a", "sdcwidgets", class_="sdc-brand", href="index.ipynb")
    return _own(page, "", tag("header", brand, menu, actions, class_="sdc-header"), Html("<slot></slot>"))


@_shape.register
def _(lead: Lead) -> Html:
    answer = tag("div", tag("p", lead.answer, class_="sdc-lead-answer sdc-big"))
    why = tag("p", lead.why, class_="sdc-lead-why")
    box = tag("label", tag("input", type="checkbox", disabled=True), tag("span", lead.tick))
    tick = lead.tick and tag("div", box, class_="sdc-lead-tick")
    text = tag("div", tag("h1", lead.question), answer, why, tick, class_=f"sdc-lead-{lead.tone or 'plain'}")
    ahead = lead.ahead and tag("button", lead.ahead, class_="sdc-primary sdc-lead-ahead", inert=True)
    steps = [tag("li", name, class_=f"sdc-step-{state}") for name, state in lead.steps]
    line = steps and tag("ol", *steps, class_="sdc-lead-steps", aria_label="Steps")
    return _own(lead, "sdc-lead", tag("div", text, ahead, class_="sdc-lead-top"), line)


@_shape.register
def _(grid: Grid) -> Html:
    return _own(grid, "sdc-grid", drawn_grid(grid))


@_shape.register
def _(chart: Chart) -> Html:
    height = chart.frame["layout"].get("height") or 300
    words = tag("p", f"{chart.label}. {chart.summary}")
    plot = tag("div", words, class_="sdc-plot sdc-empty", style=f"height: {height}px")
    buttons = (tag("button", name, class_="sdc-link") for name in ("Show numbers as a table", "Picture"))
    ways = tag("span", *buttons, class_="sdc-ways")
    chart._toggle(is_open=True)
    rows = [tag("tr", *(tag("td", cell) for cell in row)) for row in chart.numbers.get("rows", ())]
    head = tag("tr", *(tag("th", name) for name in chart.numbers.get("columns", ())))
    under = tag("div", tag("p", chart.summary), ways, class_="sdc-under", inert=True)
    return _own(
        chart, "sdc-chart", plot, under, tag("noscript", tag("table", head, *rows, class_="sdc-numbers"))
    )


@_shape.register
def _(actions: Actions) -> Html:
    row = (*(tag("button", label) for label in actions.labels), tag("span"), tag("span"))
    return _own(actions, "", tag("div", *row, class_="sdc-actions-row"), inert=True)


@_shape.register
def _(bar: SourceBar) -> Html:
    names = {name: title for kind in bar.kinds for name, title in kind["names"]}
    options = [tag("option", title, selected=name == bar.chosen) for name, title in names.items()]
    buttons = [tag("button", kind["button"]) for kind in bar.kinds if kind["asks"] in ("file", "text")]
    size = tag("span", bar.size, class_="sdc-mute sdc-size-note")
    row = tag(
        "div",
        tag("select", *options),
        *buttons,
        tag("button", bar.saves),
        size,
        class_="sdc-source",
        inert=True,
    )
    return _own(bar, "", row, tag("p", class_="sdc-wrong"), tag("p", bar.notes, class_="sdc-mute"))


@_shape.register
def _(row: PeopleRow) -> Html:
    cells = [
        tag(
            "li",
            tag("span", cell["name"], class_="sdc-name", aria_hidden="true"),
            tag("span", cell["words"], class_="sdc-hidden"),
            tag(
                "span",
                *(
                    tag("i", str(who) if row.numbered else "", class_="sdc-moved" if came else "")
                    for _, who, came, _ in cell["dots"]
                ),
                class_="sdc-dots",
                aria_hidden="true",
            ),
        )
        for cell in row.cells
    ]
    threads = row.threads and row.numbered and tag("svg", aria_hidden="true")
    return _own(
        row, "sdc-people", threads, tag("ul", *cells, aria_label=row.label, style=f"--cells: {len(cells)}")
    )


@_shape.register
def _(steps: Steps) -> Html:
    options = (
        tag("label", tag("input", type="radio", name=steps.model_id, checked=value == steps.chosen), words)
        for value, words in steps.options
    )
    field = tag(
        "input", type="number", value=steps.position + 1, style=f"width: {len(str(steps.length)) + 5}ch"
    )
    count = tag("span", f"of {steps.length:,}", class_="sdc-mute")
    ends = {"|‹": 0, "‹": 0, "›": steps.length - 1, "›|": steps.length - 1}
    ways = (tag("button", text, aria_disabled=end == steps.position and "true") for text, end in ends.items())
    play = steps.plays and tag("button", "Play")
    speed = tag("select", *(tag("option", words) for words in ("calm", "quick", "fast")))
    name = tag("label", tag("b", "Y"), " ", tag("span", steps.noun), " ", field)
    row = tag("div", name, count, *ways, play, speed, class_="sdc-steps-row", hidden=not steps.length)
    sets = tag("fieldset", tag("span", *options, class_="sdc-segment"))
    said = tag("p", steps.announcement), tag("p", steps.problem, role="alert")
    return _own(steps, "sdc-steps", sets, row, *said, inert=True)


@_shape.register
def _(board: Board) -> Html:
    if not board.frame:
        return _own(board, "sdc-board")
    frame, many = board.frame, board.brief and len(board.frame["columns"]) > 9
    head = [tag("th", tag("span", label), scope="col") for label in frame["columns"]]
    corner = tag("th" if frame["row_name"] else "td", frame["row_name"], class_="sdc-corner sdc-mute")
    rows = [
        tag("tr", tag("th", tag("span", label), scope="row"), *map(_spot, row))
        for label, row in zip(frame["rows"], board.spots, strict=True)
    ]
    table = tag(
        "table", tag("thead", tag("tr", corner, *head)), tag("tbody", *rows), style=f"--columns: {len(head)}"
    )
    title = tag("h3", board.title, class_="sdc-board-title", hidden=not board.show_title)
    note = frame["note"] and tag("p", frame["note"], class_="sdc-mute")
    return _own(
        board,
        f"sdc-board {'sdc-board-many' if many else ''}",
        title,
        note,
        tag("div", table, class_="sdc-scroll"),
    )


def _spot(spot: dict[str, Any]) -> Html:
    badge = spot["badge"] and tag("span", spot["badge"], class_="sdc-badge")
    line = tag("span", badge, " ", tag("span", spot["text"], class_="sdc-number"), class_="sdc-line")
    start, end = spot["bar"] or (0, 0)
    inner = tag("i", style=f"left: {start:%}; width: {end - start:%}")
    track = spot["bar"] and tag("span", inner, class_=f"sdc-track {'sdc-dot' if start == end else ''}")
    fine = (spot["small"] or spot["end"]) and tag(
        "span", tag("span", spot["small"]), " ", tag("span", spot["end"]), class_="sdc-fine"
    )
    look = " ".join(f"sdc-is-{name}" for name in spot["look"].split())
    inside = (line, " ", track, fine)
    if spot["pressed"] is None:
        return tag("td", tag("div", *inside, title=spot["name"]), class_=look)
    return tag(
        "td", tag("button", *inside, tabindex=-1, aria_label=spot["name"] or spot["text"]), class_=look
    )


@_shape.register
def _(bars: Distribution) -> Html:
    chips = (
        tag("span", tag("span", class_=f"sdc-chip sdc-row-{row}"), name)
        for row, name in enumerate(bars.names)
    )
    axis = tag(
        "div", *(tag("span", f"{round(part * bars.ceiling, 3):g}") for part in (1, 0.5, 0)), class_="sdc-axis"
    )
    categories = []
    for index, (counts, shares) in enumerate(
        zip(zip(*bars.counts, strict=True), zip(*bars.shares, strict=True), strict=True)
    ):
        tracks = [
            tag(
                "div",
                tag(
                    "div", class_=f"sdc-fill sdc-row-{row}", style=f"height: {min(1, share / bars.ceiling):%}"
                ),
                class_="sdc-track",
            )
            for row, share in enumerate(shares)
        ]
        entries = [
            tag(
                "div",
                tag("span", name),
                tag("input", type="number", value=str(count), disabled=True),
                tag("span", f"{share:.3f}", class_="sdc-share"),
                class_="sdc-entry",
            )
            for name, count, share in zip(bars.names, counts, shares, strict=True)
        ]
        number = tag("strong", str(index + 1))
        categories.append(
            tag("div", tag("div", *tracks, class_="sdc-tracks"), number, *entries, class_="sdc-category")
        )
    picture = tag("div", axis, tag("div", *categories, class_="sdc-bars"), class_="sdc-with-axis")
    return _own(
        bars, "sdc-distribution", tag("div", *chips, class_="sdc-key"), picture, tag("p", class_="sdc-wrong")
    )


@_shape.register
def _(control: Control) -> Html:
    spec, value = control.spec, control.value
    help_ = spec["show_help"] and spec["help"] and tag("p", spec["help"], class_="sdc-help sdc-mute")
    match spec["kind"]:
        case "number":
            shown = _slider(
                spec["label"],
                value,
                spec["low"],
                spec["high"],
                spec["step"],
                boxed=not spec["slider"],
                unlimited=value == spec["unlimited"],
            )
        case "shares":
            shown = Html(
                "".join(
                    _slider(name, share, 0, 1, 0.01, role=role)
                    for name, role, share in zip(spec["names"], spec["roles"], value, strict=True)
                )
            )
        case "choice" if spec["look"] == "buttons":
            buttons = (
                tag("label", tag("input", type="radio", name=control.model_id, checked=key == value), words)
                for key, words in spec["options"].items()
            )
            shown = tag("fieldset", tag("legend", spec["label"]), tag("span", *buttons, class_="sdc-segment"))
        case "choice":
            options = (tag("option", words, selected=key == value) for key, words in spec["options"].items())
            shown = Html(tag("label", spec["label"]) + " " + tag("select", *options))
        case "switch":
            shown = tag("label", tag("input", type="checkbox", checked=bool(value)), " ", spec["label"])
        case _:
            shown = Html(tag("label", spec["label"]) + " " + tag("input", type="text", value=str(value)))
    return _own(control, "sdc-control", shown, help_, tag("p", class_="sdc-wrong"), inert=True)


def _slider(
    label: str,
    value: float,
    low: float,
    high: float,
    step: float,
    *,
    boxed: bool = False,
    role: str = "",
    unlimited: bool = False,
) -> Html:
    places = len(str(step).partition(".")[2]) if step != int(step) else 0
    text = max(f"{value:.{places}f}", f"{round(value, 4):g}", key=len)
    name = tag("span", role and tag("span", class_=f"sdc-chip sdc-{role}"), label)
    slider = tag("input", type="range", min=low, max=high, step=step, value=value, hidden=boxed)
    box = tag(
        "input",
        type="number",
        value="" if unlimited else text,
        placeholder=unlimited and "no limit",
        step="any",
    )
    kind = "sdc-boxed" if boxed else "sdc-lockable" if role else ""
    return tag("div", name, slider, box, role and tag("button", "lock"), class_=f"sdc-row {kind}")
