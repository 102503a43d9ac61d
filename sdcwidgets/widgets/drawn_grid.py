"""A grid as HTML without scripts, as `grid_table.js` and `grid_paint.js` draw it."""

from __future__ import annotations

from typing import Any

from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.markup import Html, tag


def drawn_grid(grid: Grid) -> Html:
    """Return the table of a grid, and the line below it."""
    frame, shown = grid.frame, _texts(grid)
    width = max([3, *(len(text) for row in shown for text in row)])
    edited, becomes = frame["editable"], frame["becomes"]
    right, bottom = grid.margins["row"], grid.margins["column"]
    rows_hit, columns_hit = grid.hits
    roles = frame["roles"]
    head = [_head(label, "col", column in columns_hit) for column, label in enumerate(frame["columns"])]
    names = " by ".join(filter(None, (frame["row_name"], frame["column_name"])))
    corner = tag(
        "th" if frame["row_name"] else "td", frame["row_name"], class_="sdc-corner sdc-mute", title=names
    )
    title = right and tag("th", frame["row_title"], scope="col", class_="sdc-right")
    rows = []
    for row, label in enumerate(frame["rows"]):
        cells = [_cell(grid, row, column, text) for column, text in enumerate(shown[row])]
        side = right and _margin(right, row, "right", roles)
        rows.append(
            tag("tr", _head(label, "row", False), *cells, side, class_="sdc-hit" if row in rows_hit else "")
        )
    foot = None
    if bottom:
        sums = [_margin(bottom, column, "bottom", roles) for column in range(len(frame["columns"]))]
        corner_of = (
            {"values": [grid.margins["corner"]["text"]], "parts": [grid.margins["corner"].get("parts")]}
            if grid.margins["corner"]
            else {"values": [""]}
        )
        whole = right and _margin(corner_of, 0, "right sdc-whole", roles)
        foot = tag("tfoot", tag("tr", _head(frame["column_title"], "row", False), *sums, whole))
    table = tag(
        "table",
        tag("caption", frame["title"], class_="sdc-hidden"),
        tag("thead", tag("tr", corner, *head, title)),
        tag("tbody", *rows),
        foot,
        class_=("sdc-fields" if edited else "sdc-texts") + (" sdc-becoming" if becomes else ""),
    )
    scroller = tag("div", rows and table, class_="sdc-scroll", style=f"--digits: {width}")
    pager = frame["where"] and tag("div", frame["where"], class_="sdc-pager")
    return Html(
        scroller + (pager or "") + (frame["hint"] and tag("p", frame["hint"], class_="sdc-mute sdc-hint"))
    )


def _head(label: str, scope: str, hit: bool) -> Html:
    return tag(
        "th",
        tag("span", label),
        scope=scope,
        title=label if len(label) > 6 else "",
        class_="sdc-hit" if hit else "",
    )


def _texts(grid: Grid) -> list[list[str]]:
    frame = grid.frame
    size = range(len(frame["rows"])), range(len(frame["columns"]))

    def text(row: int, column: int) -> str:
        if grid.gaps is not None and grid.gaps[row, column]:
            return str(grid.gaps[row, column])
        if grid.texts is not None:
            return str(grid.texts[row, column])
        if grid.counts is None:
            return ""
        return f"{grid.counts[row, column]:{'' if frame['editable'] else ','}}"

    return [[text(row, column) for column in size[1]] for row in size[0]]


def _cell(grid: Grid, row: int, column: int, text: str) -> Html:
    at = row, column
    after = "" if grid.after is None else str(grid.after[at])
    look = {
        "class_": " ".join(filter(None, (*_looks(grid, at), after and "sdc-became", *_shades(grid, at)))),
        "style": "" if grid.shade is None else f"--share: {min(1, abs(grid.shade[at])):.0%}",
    }
    if not grid.frame["editable"]:
        return tag("td", text, **look)
    becomes = tag("span", after and f" → {after}", class_="sdc-after") if grid.frame["becomes"] else None
    label = f"{grid.frame['rows'][row]}, {grid.frame['columns'][column]}"
    field = tag("input", size=1, value=text, disabled=True, aria_label=label)
    return tag("td", field, becomes, **look)


def _looks(grid: Grid, at: tuple[int, int]) -> list[str]:
    """Return the classes of a cell: suppressed, zero or small, and increased or decreased."""
    if grid.gaps is not None and grid.gaps[at]:
        return ["sdc-gap"]
    if grid.counts is None:
        return []
    names, count = list[str](), grid.counts[at]
    if grid.texts is None and count < 3:
        names.append("sdc-small" if count else "sdc-zero")
    if grid.reference is not None and grid.reference[at] != count:
        names.append("sdc-up" if grid.reference[at] < count else "sdc-down")
    return names


def _shades(grid: Grid, at: tuple[int, int]) -> list[str]:
    shade = [] if grid.shade is None else ["sdc-low" if grid.shade[at] < 0 else "sdc-high"]
    return shade + (["sdc-best"] if grid.best is not None and grid.best[:2] == at else [])


def _margin(margin: dict[str, Any], index: int, kind: str, roles: list[str]) -> Html:
    parts = (margin.get("parts") or {index: None})[index]
    fills = [
        tag("i", class_=f"sdc-{role}", style=f"width: calc(var(--bar) * {part})")
        for role, part in zip(roles, parts or (), strict=False)
    ]
    bar = fills and tag("span", *fills, class_="sdc-bar", aria_hidden="true")
    value = tag("span", bar, tag("span", margin["values"][index]), class_="sdc-value")
    return tag("td", value, class_=f"sdc-margin sdc-{kind}")
