"""What the risk-utility map shows: a point a setting, its cloud of draws, the Pareto front and the limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.search import pareto_front
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.methods.describing import describe_all
from sdcwidgets.plots.marks import Frame

#: Maximum number of dots of one cloud; more hide each other.
DOTS = 60

#: Maximum number of dots of all clouds; more take long to draw.
ALL_DOTS = 480

#: Maximum number of settings that pass and are named in the summary.
LISTED = 5

#: Maximum number of settings that are named on the map, besides the chosen one.
NAMED = 5


@dataclass(frozen=True)
class Map:
    """What the map shows.

    Attributes
    ----------
    points : tuple of Replications
        One a setting.
    names : tuple of str
        The methods with their settings, in words.
    risk, loss : ndarray, shape (n,)
        The means of the measures that decide.
    clouds : tuple of ndarray, shape (dots, 2)
        Loss and risk of the first draws of each.
    best : ndarray of bool, shape (n,)
        The Pareto front: no other point has less risk and not more loss, or the other way round.
    current : int
        The point of the setting that is chosen.
    replicate : int or None
        Which of its replicates is shown.
    original : tuple of float
        Loss and risk of the table as it is.
    limits : (float or None, float or None)
        What is asked of the risk left and of the loss; None where nothing is.
    axes : tuple of Measure
        What goes upwards, and across.
    """

    points: tuple[Replications, ...]
    names: tuple[str, ...]
    risk: NDArray[np.float64]
    loss: NDArray[np.float64]
    clouds: tuple[NDArray[np.float64], ...]
    best: NDArray[np.bool_]
    current: int
    replicate: int | None
    original: tuple[float, float]
    limits: tuple[float | None, float | None]
    axes: tuple[Measure, Measure]

    @property
    def methods(self) -> tuple[Method, ...]:
        """The method with its settings of each point."""
        return tuple([point.method for point in self.points])

    @property
    def means(self) -> NDArray[np.float64]:
        """Loss and risk of each setting, shape (n, 2)."""
        return np.stack([self.loss, self.risk], axis=1)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Which settings keep the limits on average."""
        within_limits = ~np.isnan(self.risk + self.loss)
        for measure, values, limit in zip(self.axes, (self.risk, self.loss), self.limits, strict=True):
            if limit is not None:
                within_limits &= measure.within(values, limit)
        return within_limits

    @property
    def named(self) -> list[int]:
        """The settings that are named beside the chosen one: of each method one that nothing beats, within the limits.

        Where no setting keeps the limits, they are of those that nothing beats; where there are many, spread out.
        """
        best = self.best & ~np.isnan(self.risk + self.loss)
        inside = best & self.allowed
        which = np.flatnonzero(inside if inside.any() else best)
        which = which[np.argsort(self.loss[which], kind="stable")]
        methods = self.methods
        groups: dict[type[Method], list[int]] = {}
        for i in which.tolist():
            groups.setdefault(type(methods[i]), []).append(i)
        if self.current in which:
            del groups[type(methods[self.current])]
        representatives = sorted(
            (group[len(group) // 2] for group in groups.values()), key=lambda i: self.loss[i]
        )
        chosen = np.linspace(0, len(representatives) - 1, min(NAMED, len(representatives)))
        return [representatives[int(k)] for k in chosen]

    @property
    def summary(self) -> str:
        """What the map says, in words."""
        risk, loss = self.axes
        here = (
            "Large: nothing beats it; small: something does; strokes: single draws. "
            f"{self.names[self.current]}, on average: {risk.symbol or risk.label} "
            f"{risk.format_value(self.risk[self.current])}, "
            f"{loss.symbol or loss.label} {loss.format_value(self.loss[self.current])}."
        )
        if not self.allowed.any():
            return f"{here} {self._to_give()}"
        if len(self.names) == 1:
            return f"{here} Try other settings, or sweep all methods, to see what else there is."
        which = np.flatnonzero(self.allowed if self._limited else self.best)
        order = np.argsort(loss.worse(1.0) * np.nan_to_num(self.loss[which]), kind="stable")
        least = "; ".join(self.names[i] for i in which[order][:LISTED])
        statement = f"keep {self._limited} on average" if self._limited else "are beaten by nothing"
        return (
            f"{here} {which.size} of {len(self.names)} settings {statement}. "
            f"{'Of these, least is lost by' if which.size > 1 else 'It is'} {least}."
        )

    @property
    def _limited(self) -> str:
        """What the limits are called, "" where there is none."""
        return {0: "", 1: "the limit", 2: "both limits"}[sum(limit is not None for limit in self.limits)]

    def _to_give(self) -> str:
        """Return what would have to give so that a setting passes, on average."""
        risk, loss = self.axes
        tried = (
            "This setting does not pass"
            if len(self.names) == 1
            else f"None of {len(self.names)} settings passes"
        )
        relaxations = []
        risk_limit, loss_limit = self.limits
        without_risk_limit = replace(self, limits=(None, loss_limit)).allowed
        without_loss_limit = replace(self, limits=(risk_limit, None)).allowed
        if without_risk_limit.any():
            best = np.flatnonzero(without_risk_limit)[
                np.argmin(risk.worse(1.0) * self.risk[without_risk_limit])
            ]
            relaxations.append(
                "the limit of the risk would have to be above "
                f"{risk.format_value(self.risk[best])} ({self.names[best]})"
            )
        if without_loss_limit.any():
            best = np.flatnonzero(without_loss_limit)[
                np.argmin(loss.worse(1.0) * self.loss[without_loss_limit])
            ]
            word = "at most" if loss.more_is_better else "at least"
            relaxations.append(
                f"that of the loss {word} {loss.format_value(self.loss[best])} ({self.names[best]})"
            )
        if not relaxations:
            relaxations.append("both limits would have to give")
        return f"{tried}: {', or '.join(relaxations)}. Or try other methods, or publish less detail."

    def to_frame(self) -> Frame:
        """Return the numbers as a table, a line a setting: the measures of the axes, their errors, what they decide.

        Settings that keep the limits come first, each group with the least loss first.
        """
        import pandas as pd

        lines = []
        for i in np.lexsort((self.axes[1].worse(1.0) * self.loss, ~self.allowed)).tolist():
            point = self.points[i]
            line: dict[str, object] = {"method": self.names[i], "draws": point.size}
            for measure, (mean, error) in point.whole_slice.estimates.items():
                if measure in self.axes:
                    line |= {measure.title: mean[0], f"± {measure.title}": error[0]}
            line["on the Pareto front"] = "yes" if self.best[i] else "no"
            if self._limited:
                line[f"keeps {self._limited} on average"] = "yes" if self.allowed[i] else "no"
            lines.append(line)
        return pd.DataFrame(lines)

    def every_draw(self) -> Frame:
        """Return a line a draw of each setting, with every measure of the whole table, both variants of R2."""
        import pandas as pd

        frames = []
        for name, point in zip(self.names, self.points, strict=True):
            columns: dict[str, object] = {"method": name, "seed": point.settings.seed}
            columns |= {"draw": np.arange(1, point.size + 1)}
            columns |= {measure.column: point.draws[measure] for measure in point.whole_slice.estimates}
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def every_mean(self) -> Frame:
        """Return a line a setting, with the mean of every measure and its error."""
        import pandas as pd

        lines = [
            {"method": name, "draws": point.size}
            | {key: values[0] for key, values in point.whole_slice.columns().items()}
            for name, point in zip(self.names, self.points, strict=True)
        ]
        return pd.DataFrame(lines)


def prepare(
    points: Sequence[Replications],
    axes: tuple[Measure, Measure],
    limits: tuple[float | None, float | None],
    current: int,
    replicate: int | None = None,
) -> Map:
    """Return the map of what several methods and settings do to one table; `axes` and `limits` are of risk and loss.

    Parameters
    ----------
    points : sequence of Replications
        Draws of one table with each method and setting, at least one.
    axes : pair of Measure
        Of risk and of loss.
    limits : pair of float, optional each
        The limits of risk and of loss; None: there is none.
    current : int
        Which of the points is chosen.
    replicate : int, optional
        Which of its replicates is on the screen.

    Returns
    -------
    Map
    """
    dots = max(6, min(DOTS, ALL_DOTS // len(points)))
    risk, loss = axes
    table = points[0].table
    means = [np.array([point.whole_slice[measure].mean[0] for point in points]) for measure in axes]
    original = (loss.before(table), risk.before(table))
    up, across = (
        np.nan_to_num(measure.worse(1.0) * values) for measure, values in zip(axes, means, strict=True)
    )
    start = np.nan_to_num([risk.worse(original[1]), loss.worse(original[0])])
    return Map(
        points=tuple(points),
        names=describe_all([point.method for point in points]),
        risk=means[0],
        loss=means[1],
        clouds=tuple([np.stack([point.draws[loss], point.draws[risk]], axis=1)[:dots] for point in points]),
        best=pareto_front(np.append(up, start[0]), np.append(across, start[1]))[:-1],
        current=current,
        replicate=replicate,
        original=original,
        limits=limits,
        axes=axes,
    )
