"""Charts of rectangle patterns around a sensitive count, and of the equations that connect suppressed cells."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets.dashboards.suppression.sheet import Cell, Sheet, SheetLine, spread
from sdcwidgets.plots import marks
from sdcwidgets.plots.marks import Plotted
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, literal

if TYPE_CHECKING:
    from sdcwidgets.dashboards.suppression.result import SuppressionResult

#: Distance by which a connecting line bends around a suppressed cell, in rows or columns.
BENT = 0.3

#: Maximum number of suppressed cells in the chart of equations; the nearest ones are drawn.
MOST_NODES = 12


#: Columns of the data behind the chart of rectangles.
BOX = ("opposite corner", "sum of the other suppressed counts", "possible values")


def prepare(result: SuppressionResult) -> Plotted[int]:
    """Return the points of the rectangle patterns around the first sensitive count, and the required interval width."""
    sheet, boxes = result.state.sheet, result.boxes
    width = result.state.requirements.width
    if boxes is None or not boxes.corners:
        summary = "The sensitive cell is not a corner of any rectangle of positive counts."
        return Plotted(width, summary, {name: [] for name in BOX})
    names, wanted = [sheet.name(cell) for cell in boxes.corners], sheet.called(boxes.around)
    good = np.flatnonzero(boxes.values >= width)
    summary = f"No pattern of one rectangle leaves {width:,} possible values for the sensitive cell {wanted}."
    if len(good):
        cheapest = good[np.argmin(boxes.people[good])]
        summary = (
            f"{len(good)} of {len(names)} rectangles leave at least {width:,} possible values for the sensitive cell "
            f"{wanted}. The rectangle with the opposite corner {names[cheapest]} has the lowest cost: its other "
            f"suppressed counts sum to {boxes.people[cheapest]:,.0f}."
        )
    return Plotted(width, summary, dict(zip(BOX, (names, boxes.people, boxes.values), strict=True)))


@figure
def draw(picture: Plotted[int]) -> Plain:
    """Return the figure: dots, and a line at the required interval width."""
    names, people, values = picture.numbers.values()
    ends = [min(people, default=1.0) * 0.8, max(people, default=1.0) * 1.25]
    enough = [value >= picture.of for value in values]
    colours = [ACCENT if good else MUTE for good in enough]
    symbols = ["circle" if good else "x" for good in enough]
    labels: Plain = {"text": [literal(name) for name in names]}
    labels["hover"] = (
        "opposite corner %{text}<br>sum of the other suppressed counts %{x:,}<br>%{y:,} possible values"
    )
    # Plotly writes its own digits between powers of ten in a smaller font.
    ticks = [digit * 10**power for power in range(9) for digit in (1, 2, 5)]
    return marks.plot(
        [
            marks.line(ends, [picture.of] * 2, COLOURS[1], 2, "dash"),
            marks.dots(people, values, colours, 10, symbols, **labels),
        ],
        280,
        xaxis={
            "type": "log",
            "title": "sum of the other suppressed counts",
            "tickvals": ticks,
            "ticktext": [f"{tick:,}" for tick in ticks],
        },
        yaxis={"rangemode": "tozero", "title": "possible values"},
        margin={"l": 54, "r": 12, "t": 12, "b": 44},
    )


class Chain(NamedTuple):
    """Suppressed cells that depend on the selected one, their values under an assumption, and the connecting totals."""

    cells: tuple[str, ...]
    symbols: tuple[str, ...]
    then: tuple[str, ...]
    can_be: tuple[str, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    chosen: int
    links: tuple[tuple[int, int, int, str], ...]
    """From, to, 1 along a row or 0 along a column, and the remaining total."""
    summary: str

    def to_frame(self) -> marks.Frame:
        """Return one row per suppressed cell."""
        return marks.frame(
            {
                "symbol": self.symbols,
                "cell": self.cells,
                "value under the assumption": self.then,
                "interval": self.can_be,
            }
        )


def chain(result: SuppressionResult, summary: str) -> Chain:
    """Return the chart of the selected suppressed cell, with its description."""
    state, sheet = result.state, result.state.sheet
    near, ties = _walk(sheet, state.chosen, set(state.hidden)) if state.chosen in state.hidden else ([], [])
    order = {row: position for position, row in enumerate(sheet.order)}
    rows = sorted({order[i] for i, _ in near})
    columns = sorted({j for _, j in near})
    node = {cell: k for k, cell in enumerate(near)}
    published = sheet.full.astype(float)
    published[result.mask] = 0
    links, labelled = [], list[SheetLine]()
    for line, first, second in ties:
        rest = published[line.total] - sum(published[cell] for cell in line.parts)
        gaps = [cell for cell in line.cells if cell in state.hidden]
        # The total of several suppressed cells is labelled once, at the first link along it.
        is_new = line.total not in state.hidden and line not in labelled
        known = is_new and all(cell in node for cell in gaps)
        labelled.append(line)
        links.append((node[first], node[second], line.axis, f"{rest:,.0f}" if known else ""))
    return Chain(
        tuple(sheet.name(cell) for cell in near),
        tuple(result.symbol(cell) for cell in near),
        tuple(spread(result.then_lower[cell], result.then_upper[cell]) for cell in near),
        tuple(spread(result.lower[cell], result.upper[cell]) for cell in near),
        tuple(columns.index(j) for _, j in near),
        tuple(-rows.index(order[i]) for i, _ in near),
        node.get(state.chosen, -1),
        tuple(links),
        summary,
    )


def _walk(
    sheet: Sheet, start: Cell, hidden: set[Cell]
) -> tuple[list[Cell], list[tuple[SheetLine, Cell, Cell]]]:
    """Return the suppressed cells connected by totals, nearest first, and links between neighbours."""
    near, ties = [start], []
    lines: list[SheetLine] = []
    for cell in near:
        for line in sheet.through(cell):
            if line in lines:
                continue
            lines.append(line)
            gaps = [gap for gap in line.cells if gap in hidden]
            near += [gap for gap in gaps if gap not in near][: MOST_NODES - len(near)]
            ties += [(line, first, second) for first, second in itertools.pairwise(gaps)]
    return near, [(line, first, second) for line, first, second in ties if first in near and second in near]


def _middle(picture: Chain, link: tuple[int, int, int, str]) -> tuple[tuple[float, float], bool]:
    """Return the midpoint of a link, and whether the link bends around suppressed cells between its ends."""
    # A link along a row changes the column, and a link along a column changes the row.
    along, across = (picture.x, picture.y) if link[2] else (picture.y, picture.x)
    low, high = sorted(along[end] for end in link[:2])
    here = across[link[0]]
    bent = any(low < x < high and y == here for x, y in zip(along, across, strict=True))
    # Bend away from the centre, where other links are.
    outwards = BENT if 2 * here > max(across) + min(across) else -BENT
    middle, level = (low + high) / 2, here + (outwards if bent else 0)
    return ((middle, level) if link[2] else (level, middle)), bent


@figure
def draw_chain(picture: Chain) -> Plain:
    """Return the figure: suppressed cells at their positions in the table, and lines along their common totals."""
    wide, deep = max(picture.x, default=0), -min(picture.y, default=0)
    bare = {"visible": False, "fixedrange": True}
    return marks.plot(
        [
            *(_ties(picture, along, colour) for along, colour in ((1, COLOURS[0]), (0, COLOURS[2]))),
            *(_sums(picture, along) for along in (1, 0)),
            _gaps(picture),
        ],
        90 + 90 * max(deep, 1),
        xaxis=bare | {"range": [-0.6, wide + 0.6]},
        yaxis=bare | {"range": [-deep - 0.5, 0.5]},
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
    )


def _ties(picture: Chain, along: int, colour: str) -> Plain:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for link in picture.links:
        if link[2] == along:
            first, second = link[0], link[1]
            (x, y), bent = _middle(picture, link)
            if bent:
                xs += [picture.x[first], x, picture.x[second], None]
                ys += [picture.y[first], y, picture.y[second], None]
            else:
                xs += [picture.x[first], picture.x[second], None]
                ys += [picture.y[first], picture.y[second], None]
    return marks.line(xs, ys, colour, shape="spline")


def _sums(picture: Chain, along: int) -> Plain:
    links = [link for link in picture.links if link[2] == along and link[3]]
    middles = [_middle(picture, link)[0] for link in links]
    # Names of suppressed cells are above the first row and below all other rows.
    at = ["top center" if picture.y[link[0]] else "bottom center" for link in links]
    if not along:
        to_the_left = [x < picture.x[link[0]] for link, (x, _) in zip(links, middles, strict=True)]
        at = ["middle left" if is_left else "middle right" for is_left in to_the_left]
    return marks.dots(
        [x for x, _ in middles],
        [y for _, y in middles],
        INK,
        10,
        text=[f"sum {text}" for *_, text in links],
        at=at,
        textfont={"color": INK, "size": 13},
        marker={"opacity": 0},  # an invisible marker separates a line from its label
    )


def _gaps(picture: Chain) -> Plain:
    looks = [
        (ACCENT, 18, "diamond") if k == picture.chosen else (MUTE, 12, "square")
        for k in range(len(picture.x))
    ]
    colours, sizes, symbols = ([look[part] for look in looks] for part in range(3))
    cells = zip(picture.cells, picture.can_be, strict=True)
    return marks.dots(
        picture.x,
        picture.y,
        colours,
        sizes,
        symbols,
        text=[f"{name} = {then}" for name, then in zip(picture.symbols, picture.then, strict=True)],
        # No link is above the first row, so its labels are above the cells.
        at=["bottom center" if height else "top center" for height in picture.y],
        textfont={"color": INK, "size": 14},
        customdata=[f"{literal(cell)}: {spread}" for cell, spread in cells],
        hover="%{customdata}",
    )
