"""Which box protects a count best, and which number leads to which along the sums that gaps share."""

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

#: How far a tie bends around a gap, in rows or columns.
BENT = 0.3

#: A chain of more gaps is not drawn; the nearest ones are.
MOST_NODES = 12


#: The numbers behind the boxes.
BOX = ("corner across", "hidden beside it", "values left")


def prepare(result: SuppressionResult) -> Plotted[int]:
    """Return a dot for each box around the first sensitive count, of how many values are asked."""
    sheet, boxes = result.state.sheet, result.boxes
    width = result.state.requirements.width
    if boxes is None or not boxes.corners:
        summary = "There is no box of four counts above 0 around what is marked."
        return Plotted(width, summary, {name: [] for name in BOX})
    names, wanted = [sheet.name(cell) for cell in boxes.corners], sheet.called(boxes.around)
    good = np.flatnonzero(boxes.values >= width)
    summary = f"No box alone leaves {width:,} values for {wanted}."
    if len(good):
        cheapest = good[np.argmin(boxes.people[good])]
        summary = (
            f"{len(good)} of {len(names)} boxes leave at least {width:,} values for {wanted}; the "
            f"cheapest, with {names[cheapest]} across, hides {boxes.people[cheapest]:,.0f} more."
        )
    return Plotted(width, summary, dict(zip(BOX, (names, boxes.people, boxes.values), strict=True)))


@figure
def draw(picture: Plotted[int]) -> Plain:
    """Return the dots and the line of what is asked."""
    names, people, values = picture.numbers.values()
    ends = [min(people, default=1.0) * 0.8, max(people, default=1.0) * 1.25]
    enough = [value >= picture.of for value in values]
    colours = [ACCENT if good else MUTE for good in enough]
    symbols = ["circle" if good else "x" for good in enough]
    labels: Plain = {"text": [literal(name) for name in names]}
    labels["hover"] = "%{text} across<br>%{x:,} hidden beside it<br>%{y:,} values left"
    return marks.plot(
        [
            marks.line(ends, [picture.of] * 2, COLOURS[1], 2, "dash"),
            marks.dots(people, values, colours, 10, symbols, **labels),
        ],
        280,
        xaxis={"type": "log", "title": "hidden beside it"},
        yaxis={"rangemode": "tozero", "title": "values left"},
        margin={"l": 54, "r": 12, "t": 12, "b": 44},
    )


class Chain(NamedTuple):
    """The gaps that the chosen one leads to, what each is then, and the sums that tie them."""

    cells: tuple[str, ...]
    symbols: tuple[str, ...]
    then: tuple[str, ...]
    can_be: tuple[str, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    chosen: int
    links: tuple[tuple[int, int, int, str], ...]
    """From, to, 1 along a row and 0 along a column, and what the sum is."""
    summary: str

    def to_frame(self) -> marks.Frame:
        """Return a line a gap."""
        return marks.frame(
            {"gap": self.symbols, "cell": self.cells, "if so it is": self.then, "can be": self.can_be}
        )


def chain(result: SuppressionResult, summary: str) -> Chain:
    """Return the chain of the chosen gap; `summary` says it in words."""
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
        # A sum of several gaps is told once, at the first step along it.
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
    """Return the gaps that sums lead to, the nearest first, and the steps between neighbours in a sum."""
    near, ties = [start], []
    lines: list[SheetLine] = []
    for cell in near:
        for line in sheet.through(cell):
            if line in lines:
                continue
            lines.append(line)
            gaps = [gap for gap in line.cells if gap in hidden]
            near += [gap for gap in gaps if gap not in near][: MOST_NODES - len(near)]
            ties += [(line, a, b) for a, b in itertools.pairwise(gaps)]
    return near, [(line, a, b) for line, a, b in ties if a in near and b in near]


def _middle(picture: Chain, link: tuple[int, int, int, str]) -> tuple[tuple[float, float], bool]:
    """Return the middle of a tie, and whether it is bent around gaps that lie between its ends."""
    # Along a row its column changes, and along a column its row.
    along, across = (picture.x, picture.y) if link[2] else (picture.y, picture.x)
    low, high = sorted(along[end] for end in link[:2])
    here = across[link[0]]
    bent = any(low < x < high and y == here for x, y in zip(along, across, strict=True))
    # Outwards, where no other tie is.
    outwards = BENT if 2 * here > max(across) + min(across) else -BENT
    middle, level = (low + high) / 2, here + (outwards if bent else 0)
    return ((middle, level) if link[2] else (level, middle)), bent


@figure
def draw_chain(picture: Chain) -> Plain:
    """Return the gaps as they lie in the table, and lines along the sums that they share."""
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
            (x, y), bent = _middle(picture, link)
            xs += [picture.x[link[0]], *([x] if bent else []), picture.x[link[1]], None]
            ys += [picture.y[link[0]], *([y] if bent else []), picture.y[link[1]], None]
    return marks.line(xs, ys, colour, shape="spline")


def _sums(picture: Chain, along: int) -> Plain:
    links = [link for link in picture.links if link[2] == along and link[3]]
    middles = [_middle(picture, link)[0] for link in links]
    # The names of the gaps are above the first line, and below the others.
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
        marker={"opacity": 0},  # room between a line and its sum
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
        # The first line of the chain has nothing above it.
        at=["bottom center" if y else "top center" for y in picture.y],
        textfont={"color": INK, "size": 14},
        customdata=[f"{literal(cell)}: {spread}" for cell, spread in cells],
        hover="%{customdata}",
    )
