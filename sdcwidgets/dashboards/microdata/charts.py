"""Charts of the page Microdata: unique records, class sizes, and estimates compared with true values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdcwidgets._util.labels import counted
from sdcwidgets.dashboards.microdata.result import KeyStep, MicrodataResult
from sdcwidgets.plots import marks
from sdcwidgets.plots.style import ACCENT, COLOURS, INK, MUTE, Plain, figure, layout, literal, shorten

#: Possible ends of the percentage axis.
TOPS = (14, 28, 56, 112)


@dataclass(frozen=True)
class Falling:
    """Unique records as key variables are added.

    Attributes
    ----------
    records, k : int
    steps : tuple of KeyStep
    after : tuple of (int, int)
        Unique records and records with a class size below k in the protected file; empty without protection.
    """

    records: int
    k: int
    steps: tuple[KeyStep, ...]
    after: tuple[tuple[int, int], ...] = ()

    @property
    def summary(self) -> str:
        """Summary of the chart in one sentence."""
        last = self.steps[-1]
        keys = counted(len(self.steps), "key variable")
        if self.after:
            alone, below = self.after[-1]
            return (
                f"With {keys}, {last.uniques:,} of {self.records:,} records are unique in the original file, and "
                f"{last.below:,} records have a class size below {self.k}. In the protected file, {alone:,} records "
                f"are unique, and {below:,} records have a class size below {self.k}."
            )
        if last.both is None:
            return (
                f"With {keys}, {last.uniques:,} of {self.records:,} records are unique in the sample, and "
                f"{last.below:,} records have a class size below {self.k}."
            )
        return (
            f"With {keys}, {last.uniques:,} of {self.records:,} records are unique in the sample, and {last.both:,} of "
            "these records are also unique in the population."
        )

    @property
    def caption(self) -> str:
        """What to notice in the chart, for the text below it."""
        first, uniques, number = self.steps[0], self.steps[-1].uniques, len(self.steps)
        original = f"{counted(uniques, 'record')} {_are(uniques)}"
        if self.after:
            alone = self.after[-1][0]
            return (
                f"By {counted(number, 'key variable')}, {original} unique in the original file, and "
                f"{counted(alone, 'record')} in the protected file."
            )
        if number == 1:
            return f"{original} unique by {first.key} alone."
        return (
            f"Each group of bars adds one key variable. {counted(first.uniques, 'record')} {_are(first.uniques)} "
            f"unique by {first.key} alone, and {uniques:,} by all {number} key variables together."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers of the chart, one row per key variable."""
        names = [
            "added key variable",
            "combinations of key values in the file",
            "records unique in the sample",
            f"records with a class size below {self.k}",
            "people unique in the population",
            "records unique in file and population",
        ]
        rows: list[list[object]] = [
            [step.key, step.cells, step.uniques, step.below, step.population, step.both]
            for step in self.steps
        ]
        if self.after:
            names += [
                "records unique in the protected file",
                f"records with a class size below {self.k} in the protected file",
            ]
            rows = [[*row, *after] for row, after in zip(rows, self.after, strict=True)]
        numbers = marks.frame(rows, columns=names).astype(object)
        return numbers.where(numbers.notna(), "not known")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def falling(result: MicrodataResult) -> Falling:
    """Return the chart of the key variables."""
    is_protected = result.state.suppress or bool(result.changed.any())
    after = result.protected_steps if is_protected else ()
    return Falling(len(result.f), result.state.settings.k, result.steps, after)


#: Maximum number of characters of a name on one line below a group of bars.
WIDE = 10


@figure
def draw_falling(picture: Falling) -> Plain:
    """Return the figure: bars of the shares of records, one group per key variable."""
    keys = [("" if number == 0 else "+ ") + step.key for number, step in enumerate(picture.steps)]
    # Names of two words continue in the next line, which is needed in narrow charts.
    names = [
        "<br>".join(literal(key).rsplit(" ", 1)) if len(key) > WIDE else literal(key) for key in shorten(keys)
    ]
    series = _series(picture)
    # By default, plotly shrinks the numbers to the width of their bars, which is below 8 px in narrow charts.
    look: Plain = {"textposition": "outside", "cliponaxis": False, "constraintext": "none"}
    look["hover"] = "%{x}: %{text} records, %{y:.1f} %"
    traces = []
    largest = max((max(counts) for _, counts, _ in series if counts), default=0) * 100 / picture.records
    # The numbers of records above the bars need a ninth of the height.
    top = next(limit for limit in TOPS if limit >= min(1.12 * largest, TOPS[-1]))
    for name, counts, colour in series:
        shares = [round(count * (100 / picture.records), 3) for count in counts]
        text = [f"{count:,}" for count in counts]
        traces.append(marks.bars(names, shares, colour, name=name, text=text, **look))
    return marks.plot(
        traces,
        290,
        barmode="group",
        bargap=0.1,
        yaxis={"title": f"% of {picture.records:,} records", "range": [0, top]},
        xaxis={"type": "category"},
        legend=True,
        margin={"l": 54, "r": 8, "t": 30, "b": 48},
    )


def _series(picture: Falling) -> list[tuple[str, list[int], str]]:
    """Return name, counts and colour of each bar of a group; the original file is next to the protected file."""
    few = f"records with a class size below {picture.k}"
    below, alone = [step.below for step in picture.steps], [step.uniques for step in picture.steps]
    if picture.after:
        return [
            (f"{few}: original", below, MUTE),
            (f"{few}: protected", [after[1] for after in picture.after], COLOURS[2]),
            ("unique records: original", alone, COLOURS[0]),
            ("unique records: protected", [after[0] for after in picture.after], COLOURS[1]),
        ]
    series = [(few, below, MUTE), ("records unique in the sample", alone, COLOURS[0])]
    if picture.steps[-1].both is not None:
        series.append(
            ("records unique in file and population", [step.both or 0 for step in picture.steps], COLOURS[1])
        )
    return series


@dataclass(frozen=True)
class ClassSizes:
    """Number of combinations of key values by class size.

    Attributes
    ----------
    sizes : tuple of (str, int, int or None)
        Class size, number of combinations in the file, and number of combinations in the population, None if the
        population is unknown.
    """

    sizes: tuple[tuple[str, int, int | None], ...]

    @property
    def summary(self) -> str:
        """Summary of the chart in words."""
        keys = sum(number for _, number, _ in self.sizes)
        _, alone, alone_in_population = self.sizes[0]
        text = f"Of {counted(keys, 'combination')} of key values in the file, {alone:,} have one record."
        if alone_in_population is None:
            return text
        people = sum(number or 0 for _, _, number in self.sizes)
        return f"{text} Of {counted(people, 'combination')} in the population, {alone_in_population:,} have one person."

    def to_frame(self) -> marks.Frame:
        """Return the numbers of the chart, one row per class size."""
        names = ["class size", "combinations in the file", "combinations in the population"]
        numbers = marks.frame([list(row) for row in self.sizes], columns=names).astype(object)
        return numbers.where(numbers.notna(), "not known")


def class_sizes(result: MicrodataResult) -> ClassSizes:
    """Return the chart of the class sizes."""
    return ClassSizes(tuple(result.cell_sizes))


@figure
def draw_class_sizes(picture: ClassSizes) -> Plain:
    """Return the figure: bars of the numbers of combinations, one group per class size."""
    sizes = [size for size, _, _ in picture.sizes]
    hover = "class size %{x}: %{y:,} combinations"
    in_file = [number for _, number, _ in picture.sizes]
    traces = [marks.bars(sizes, in_file, COLOURS[0], name="in the file", hover=hover)]
    if picture.sizes[0][2] is not None:
        in_population = [number or 0 for _, _, number in picture.sizes]
        traces.append(marks.bars(sizes, in_population, COLOURS[1], name="in the population", hover=hover))
    return marks.plot(
        traces,
        300,
        barmode="group",
        yaxis={"title": "combinations of key values"},
        # Narrow charts turn the labels, so the title needs a place below them.
        xaxis={"type": "category", "title": {"text": "class size", "standoff": 8}},
        legend=True,
        margin={"l": 64, "r": 8, "t": 30, "b": 44},
    )


@dataclass(frozen=True)
class Repeated:
    """True values and estimates of repeated samples.

    Attributes
    ----------
    samples : ndarray, shape (samples, 6)
        τ1, τ2, their estimates with λ = μ/π, and their estimates with λ = μ.
    model : str
    """

    samples: NDArray[np.float64]
    model: str

    @property
    def summary(self) -> str:
        """Summary of the chart in words."""
        if not len(self.samples):
            return "No samples are drawn yet. Draw samples to compare estimates of τ₁ and τ₂ with the true values."
        mean = self.samples.mean(axis=0)
        return (
            f"Means of {len(self.samples)} samples: the true τ₂ is {mean[1]:.1f}, and the {self.model} model estimates "
            f"{mean[3]:.1f} with λ = μ/π and {mean[5]:.1f} with λ = μ. The true τ₁ is {mean[0]:.1f}, and the model "
            f"estimates {mean[2]:.1f} and {mean[4]:.1f}."
        )

    def to_frame(self) -> marks.Frame:
        """Return the numbers of the chart, one row per sample."""
        return marks.frame(self.samples, columns=["τ₁", "τ₂", "τ̂₁, μ/π", "τ̂₂, μ/π", "τ̂₁, μ", "τ̂₂, μ"])


def repeated(values: Sequence[tuple[float, ...]], model: str) -> Repeated:
    """Return the chart of the samples."""
    return Repeated(np.array(values, dtype=np.float64).reshape(-1, 6), model)


@figure
def draw_repeated(picture: Repeated) -> Plain:
    """Return the figure: estimates of τ2 against true values, one panel per scaling, with the line of equality."""
    values, traces, axes = picture.samples, [], {}
    truth, size = values[:, 1], {"size": 13}
    least, most = (float(truth.min() * 0.95), float(truth.max() * 1.05)) if len(values) else (0.0, 1.0)
    ends = [least, most]
    plain = layout(260)["xaxis"]
    panels = (("λ = μ/π", 3, ACCENT, [0, 0.44]), ("λ = μ (sdcMicro)", 5, COLOURS[1], [0.56, 1]))
    for (name, column, colour, domain), nth in zip(panels, ("", "2"), strict=True):
        panel_axes: Plain = {"xaxis": f"x{nth}", "yaxis": f"y{nth}"}
        hover = f"{name}: τ₂ %{{x}}, estimate %{{y}}"
        estimates = values[:, column].round(2)
        traces.append(marks.line(ends, ends, INK, 1, name="equal", **panel_axes))
        traces.append(marks.dots(truth.round(2), estimates, colour, 8, name=name, hover=hover, **panel_axes))
        across = {"title": {"text": f"true τ₂; {name}", "font": size}, "domain": domain, "range": ends}
        upwards = {"title": {"text": "" if nth else "estimate", "font": size}}
        axes[f"xaxis{nth}"] = plain | across | {"anchor": f"y{nth}"}
        axes[f"yaxis{nth}"] = plain | upwards | {"anchor": f"x{nth}"}
    return marks.plot(traces, 260, margin={"l": 54, "r": 8, "t": 12, "b": 44}, **axes)
