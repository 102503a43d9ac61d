"""Charts of the page Cell key: the p-table, one row as intervals of cell keys, and repeated requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.arrays import Floats
from sdcwidgets._util.formula_lines import signed
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, GRID, INK, MUTE, Plain, figure

if TYPE_CHECKING:
    from sdcwidgets.dashboards.cell_key.result import CellKeyResult


@dataclass(frozen=True, eq=False)
class Noise:
    """The distributions of a p-table; `line` and `drawn` are the row and the noise of the selected cell."""

    p_table: marks.Frame
    checks: marks.Frame
    line: int | None
    drawn: int

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        last = int(self.p_table["i"].iloc[-1])
        return (
            f"Noise distributions of the counts 0 to {last}; larger counts use the distribution of {last}. The "
            "maximum noise "
            f"is {int(self.p_table['v'].abs().max())}, and the maximum variance {self.checks['variance'].max():.3g}."
        )

    def to_frame(self) -> marks.Frame:
        """Return one line per row of the p-table: sum, mean, variance, probability of no change, and entropy."""
        return self.checks.reset_index().rename(columns={"i": "count"})


def prepare_noise(result: CellKeyResult) -> Noise:
    """Return the p-table and its checks."""
    step = result.path[0] if result.path else None
    return Noise(result.p_table, result.checks, step.line if step else None, step.noise if step else 0)


@figure
def draw_noise(picture: Noise) -> Plain:
    """Return a dot per noise value and count; its area is the probability."""
    table = picture.p_table[picture.p_table["p"] > 0].groupby(["i", "v"], as_index=False)["p"].sum()
    i, v, p = (table[name].to_numpy() for name in ("i", "v", "p"))
    here = (i == picture.line) if picture.line is not None else np.zeros(len(i), dtype=bool)
    drawn = here & (v == picture.drawn)
    rows = int(i.max()) + 1
    row = 20 if rows <= 14 else 13
    widest = min(row * 1.5, 560 / (2 * int(np.abs(v).max()) + 1))
    colours = np.where(drawn, COLOURS[1], np.where(here, ACCENT, MUTE)).tolist()
    sizes = np.maximum(2.0, widest * np.sqrt(p)).round(2).tolist()
    symbols = np.where(drawn, "diamond", "circle").tolist()
    plain = {"line": {"width": 0}, "opacity": 1}
    hover = "count %{y}, noise %{x}<br>probability %{customdata}"
    chances = np.round(p, 6).tolist()
    return marks.plot(
        [marks.dots(v, i, colours, sizes, symbols, marker=plain, customdata=chances, hover=hover)],
        90 + row * rows,
        xaxis={"title": "noise v", "dtick": 1 if np.abs(v).max() <= 12 else 5, "showgrid": False},
        yaxis={"title": "original count i", "dtick": 1 if rows <= 14 else 5, "range": [-0.8, rows - 0.2]},
        margin={"l": 48, "r": 12, "t": 8, "b": 44},
    )


@dataclass(frozen=True)
class KeyIntervals:
    """One row of a p-table as intervals of cell keys, and the cell key in one of them."""

    line: int
    v: tuple[int, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    key: float
    drawn: int

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        if not self.v:
            return "The selected cell is empty, so the cell has no cell key and no noise."
        return f"In row {self.line} of the p-table, the cell key {self.key:.9f} has the noise {signed(self.drawn)}."

    def to_frame(self) -> marks.Frame:
        """Return one row per noise value."""
        return marks.frame({"noise": self.v, "cell keys from": self.low, "to": self.high})


def prepare_keys(result: CellKeyResult) -> KeyIntervals:
    """Return the row of the p-table for the selected cell."""
    if not result.path:
        return KeyIntervals(0, (), (), (), 0.0, 0)
    step = result.path[0]
    rows = result.p_table[(result.p_table["i"] == step.line) & (result.p_table["p"] > 0)]
    return KeyIntervals(
        step.line,
        tuple(rows["v"].astype(int).tolist()),
        tuple(rows["p_int_lb"].tolist()),
        tuple(rows["p_int_ub"].tolist()),
        step.key,
        step.noise,
    )


@figure
def draw_keys(picture: KeyIntervals) -> Plain:
    """Return the line from 0 to 1 with one interval per noise value, and a mark at the cell key."""
    low, high = np.array(picture.low), np.array(picture.high)
    wide = high - low
    chosen = [from_ <= picture.key < to for from_, to in zip(picture.low, picture.high, strict=True)]
    pieces = marks.bars(
        wide,
        [0] * len(wide),
        ["#b3470b" if is_chosen else "var(--sdc-stripe)" for is_chosen in chosen],
        across=True,
        edge=("var(--sdc-card)", 2),
        base=low.tolist(),
        width=0.9,
        text=[signed(v) if share > 0.03 else "" for v, share in zip(picture.v, wide, strict=True)],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        constraintext="none",
        insidetextfont={"color": ["#ffffff" if is_chosen else INK for is_chosen in chosen], "size": 14},
        customdata=[signed(v) for v in picture.v],
        hover="noise %{customdata}<br>probability %{x:.6f}",
    )
    key, above = ([picture.key], [0.62]) if picture.v else ([], [])
    return marks.plot(
        [pieces, marks.dots(key, above, COLOURS[0], 14, "triangle-down", hover="cell key %{x:.6f}")],
        104,
        xaxis={"range": [0, 1], "title": "cell key", "showgrid": False},
        yaxis={"visible": False, "range": [-0.5, 0.9]},
        margin={"l": 12, "r": 16, "t": 2, "b": 40},
    )


@dataclass(frozen=True, eq=False)
class RepeatedAnswers:
    """Results of repeated requests: with the cell key, and with independent noise."""

    count: int
    published: int
    fresh: Floats

    @property
    def means(self) -> Floats:
        """Running mean of the results with independent noise."""
        return np.cumsum(self.fresh) / np.arange(1, len(self.fresh) + 1)

    @property
    def summary(self) -> str:
        """Text alternative of the chart."""
        if len(self.fresh) == 1:
            return f"One request returned {self.published:,}; the original count is {self.count:,}."
        return (
            f"{len(self.fresh)} requests each returned {self.published:,}. With independent noise, the mean is "
            f"{self.means[-1]:.2f}. The original count is {self.count:,}."
        )

    def to_frame(self) -> marks.Frame:
        """Return one row per request."""
        asks = np.arange(1, len(self.fresh) + 1)
        return marks.frame(
            {
                "request": asks,
                "cell key": [self.published] * len(asks),
                "independent noise": self.fresh,
                "running mean": self.means,
            }
        )


def prepare_answers(result: CellKeyResult) -> RepeatedAnswers:
    """Return the results of the requests so far."""
    count = int(result.original.counts[result.cell])
    published = result.path[0].published if result.path else 0
    return RepeatedAnswers(count, published, np.asarray(result.fresh, dtype=np.float64))


@figure
def draw_answers(picture: RepeatedAnswers) -> Plain:
    """Return the results with independent noise as dots with their mean, and the results with cell keys as a line."""
    asks = list(range(1, len(picture.fresh) + 1))
    ends = [0.5, max(len(asks), 10) + 0.5]
    values = [*picture.fresh.tolist(), picture.count, picture.published]
    same = [picture.published] * len(asks)
    hover, mean = "request %{x}: %{y}", "mean of %{x} requests: %{y:.3f}"
    return marks.plot(
        [
            marks.line(
                ends, [picture.count] * 2, INK, 1.5, "dot", name="Original count", hover="original count %{y}"
            ),
            marks.dots(asks, picture.fresh, MUTE, 7, "circle-open", name="Independent noise", hover=hover),
            marks.line(asks, picture.means, COLOURS[1], 2.5, name="Running mean", hover=mean),
            marks.line(asks, same, COLOURS[0], 2.5, name="Cell key", marker={"size": 7}, hover=hover),
        ],
        250,
        xaxis={"title": "request", "range": ends, "showgrid": False},
        yaxis={
            "title": "published count",
            "range": [min(values) - 0.7, max(values) + 0.7],
            "gridcolor": GRID,
        },
        legend=True,
        margin={"l": 48, "r": 12, "t": 30, "b": 44},
    )
