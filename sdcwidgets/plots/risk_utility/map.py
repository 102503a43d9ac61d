"""Data of the risk-utility map: means and replicates of each setting, Pareto front and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.search import changes_nothing, pareto_front
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.methods.describing import describe_all
from sdcwidgets.plots.marks import Frame

#: Maximum number of replicates drawn per setting; further ones would overlap.
DOTS = 60

#: Maximum number of replicates drawn in total; more slow the browser down.
ALL_DOTS = 480

#: First word of the names of measures that begin with the name of a person.
PROPER_NAMES = ("Hellinger",)

#: Maximum number of acceptable settings listed in the summary.
LISTED = 5

#: Maximum number of labelled settings besides the selected one.
NAMED = 5

#: Maximum number of settings of a complete map in which each setting has a label.
ALL_NAMED = 8


@dataclass(frozen=True)
class Map:
    """Data of the risk-utility map.

    Attributes
    ----------
    points : tuple of Replications
        One element per setting.
    names : tuple of str
        Method and parameters of each setting, as text.
    risk, loss : ndarray, shape (n,)
        Mean of the risk measure and of the loss measure.
    clouds : tuple of ndarray, shape (dots, 2)
        Loss and risk of the first replicates of each setting.
    best : ndarray of bool, shape (n,)
        Whether a setting is Pareto-optimal: it changes the table, and no other setting nor the original table is
        better in one of risk and loss and at least as good in the other.
    current : int
        Index of the selected setting.
    replicate : int or None
        Index of the shown replicate.
    original : tuple of float
        Loss and risk of the original table.
    limits : (float or None, float or None)
        Limits of risk and of loss; None for no limit.
    axes : tuple of Measure
        Measures of risk (vertical axis) and of loss (horizontal axis).
    is_complete : bool
        Whether the axes include all drawn points, and each of a few settings has a label. Otherwise the axes leave out
        settings far beyond the limit of the loss, and replicates of settings that are not selected.
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
    is_complete: bool = False

    @property
    def methods(self) -> tuple[Method, ...]:
        """Method with its parameters, for each setting."""
        return tuple([point.method for point in self.points])

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean loss and risk of each setting, shape (n, 2)."""
        return np.stack([self.loss, self.risk], axis=1)

    @cached_property
    def front(self) -> list[int]:
        """Indices of the Pareto-optimal settings, from the smallest to the largest loss."""
        order = np.argsort(self.axes[1].worse(1.0) * np.nan_to_num(self.loss), kind="stable")
        return [int(index) for index in order if self.best[index]]

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """Mask of the settings whose means are within the limits."""
        within_limits = ~np.isnan(self.risk + self.loss)
        for measure, values, limit in zip(self.axes, (self.risk, self.loss), self.limits, strict=True):
            if limit is not None:
                within_limits &= measure.within(values, limit)
        return within_limits

    @cached_property
    def is_fully_named(self) -> bool:
        """Whether each setting has a label at its point."""
        return self.is_complete and len(self.points) <= ALL_NAMED

    @cached_property
    def named(self) -> list[int]:
        """Settings that are labelled besides the selected one: at most one Pareto-optimal setting per method.

        A complete map of few settings labels all of them. Otherwise, settings within the limits are used if there are
        any. At most `NAMED` are chosen, spread evenly over the loss.
        """
        if self.is_fully_named:
            which = np.flatnonzero(~np.isnan(self.risk + self.loss))
            return [int(i) for i in which[np.argsort(self.loss[which], kind="stable")]]
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
        """Summary of the map in words."""
        risk, loss = self.axes
        here = (
            "Large dots: Pareto-optimal settings; small dots: dominated settings; dashes: individual replicates. "
            f"{self.names[self.current]}, on average: {_in_sentence(risk)} "
            f"{risk.format_value(self.risk[self.current])}, "
            f"{_in_sentence(loss)} {loss.format_value(self.loss[self.current])}."
        )
        if not self.allowed.any():
            return f"{here} {self._to_give()}"
        if len(self.names) == 1:
            return f"{here} To compare settings, select other settings or methods."
        which = np.flatnonzero(self.allowed if self._limited else self.best)
        order = np.argsort(loss.worse(1.0) * np.nan_to_num(self.loss[which]), kind="stable")
        least = "; ".join([self.names[i] for i in which[order][:LISTED]])
        statement = f"meet {self._limited} on average" if self._limited else "are Pareto-optimal"
        return (
            f"{here} {which.size} of {len(self.names)} settings {statement}. "
            f"{'Lowest loss:' if which.size > 1 else 'Setting:'} {least}."
        )

    @property
    def _limited(self) -> str:
        """Name of the limits in the summary; "" if there are none."""
        return {0: "", 1: "the limit", 2: "both limits"}[sum([limit is not None for limit in self.limits])]

    def _to_give(self) -> str:
        """Return which limits would have to be relaxed so that a setting meets them on average."""
        risk, loss = self.axes
        tried = (
            "This setting does not meet the limits"
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
                "the risk limit would have to be above "
                f"{risk.format_value(self.risk[best])} ({self.names[best]})"
            )
        if without_loss_limit.any():
            best = np.flatnonzero(without_loss_limit)[
                np.argmin(loss.worse(1.0) * self.loss[without_loss_limit])
            ]
            word = "at most" if loss.more_is_better else "at least"
            relaxations.append(
                f"the loss limit would have to be {word} {loss.format_value(self.loss[best])} ({self.names[best]})"
            )
        if not relaxations:
            relaxations.append("the limits of risk and of information loss would both have to be less strict")
        return (
            f"{tried}: {', or '.join(relaxations)}. Alternatives are other methods, or a table with "
            f"fewer categories."
        )

    def to_frame(self) -> Frame:
        """Return one row per setting: the measures of both axes, their standard errors, and limits met.

        Rows within the limits come first; each group is sorted by increasing loss.
        """
        import pandas as pd

        lines = []
        for i in np.lexsort((self.axes[1].worse(1.0) * self.loss, ~self.allowed)).tolist():
            point = self.points[i]
            line: dict[str, object] = {"method": self.names[i], "draws": point.size}
            for measure, (mean, error) in point.whole_slice.estimates.items():
                if measure in self.axes:
                    line |= {measure.title: mean[0], f"± {measure.title}": error[0]}
            line["Pareto-optimal setting"] = "yes" if self.best[i] else "no"
            if self._limited:
                line[f"keeps {self._limited} on average"] = "yes" if self.allowed[i] else "no"
            lines.append(line)
        return pd.DataFrame(lines)

    def every_draw(self) -> Frame:
        """Return one row per replicate and setting, with each measure of the whole table and both variants of R2."""
        import pandas as pd

        frames = []
        for name, point in zip(self.names, self.points, strict=True):
            columns: dict[str, object] = {"method": name, "seed": point.settings.seed}
            columns |= {"draw": np.arange(1, point.size + 1)}
            columns |= {measure.column: point.draws[measure] for measure in point.whole_slice.estimates}
            frames.append(pd.DataFrame(columns))
        return pd.concat(frames, ignore_index=True)

    def every_mean(self) -> Frame:
        """Return one row per setting, with the mean and standard error of each measure."""
        import pandas as pd

        lines = [
            {"method": name, "draws": point.size}
            | {key: values[0] for key, values in point.whole_slice.columns().items()}
            for name, point in zip(self.names, self.points, strict=True)
        ]
        return pd.DataFrame(lines)


def _in_sentence(measure: Measure) -> str:
    """Return the name of a measure within a sentence."""
    label = measure.label
    return label if label.startswith(PROPER_NAMES) else f"{label[:1].lower()}{label[1:]}"


def prepare(
    points: Sequence[Replications],
    axes: tuple[Measure, Measure],
    limits: tuple[float | None, float | None],
    current: int,
    replicate: int | None = None,
) -> Map:
    """Return the data of the risk-utility map for several settings applied to one table.

    Parameters
    ----------
    points : sequence of Replications
        Replications of one table, one element per setting, at least one.
    axes : pair of Measure
        Measures of risk and of loss.
    limits : pair of float, optional each
        Limits of risk and of loss; None for no limit.
    current : int
        Index of the selected setting.
    replicate : int, optional
        Index of the shown replicate.

    Returns
    -------
    Map
    """
    dots = max(6, min(DOTS, ALL_DOTS // len(points)))
    risk, loss = axes
    table = points[0].table
    means = [np.array([point.whole_slice.estimates[measure].mean[0] for point in points]) for measure in axes]
    original = (loss.before(table), risk.before(table))
    up, across = (
        np.nan_to_num(measure.worse(1.0) * values) for measure, values in zip(axes, means, strict=True)
    )
    start = np.nan_to_num([risk.worse(original[1]), loss.worse(original[0])])
    is_best = pareto_front(np.append(up, start[0]), np.append(across, start[1]))[:-1]
    for i in np.flatnonzero(is_best).tolist():
        is_best[i] = not changes_nothing(points[i])
    return Map(
        points=tuple(points),
        names=describe_all([point.method for point in points]),
        risk=means[0],
        loss=means[1],
        clouds=tuple([np.stack([point.draws[loss], point.draws[risk]], axis=1)[:dots] for point in points]),
        best=is_best,
        current=current,
        replicate=replicate,
        original=original,
        limits=limits,
        axes=axes,
    )
