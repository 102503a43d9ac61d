"""The risk-utility map of a study: points that stay, thresholds that can be moved, and the sweep of all methods."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

import ipywidgets

from sdcwidgets.parameters import declared
from sdcwidgets.plots import risk_utility
from sdcwidgets.replications import Replications
from sdcwidgets.search import Thresholds, candidates, sweep
from sdcwidgets.studies.base import Study
from sdcwidgets.studies.protect import Protected, ProtectState
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.writing import workbook

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RiskMap"]

SWEEP, STOP = "Sweep all methods", "Stop the sweep"

#: While a sweep goes on, the map is drawn again no sooner than after this time, in seconds.
REDRAWN = 0.4


class RiskMap(ipywidgets.VBox):
    """The map, bound to a study of protection; what is clicked there becomes the state."""

    def __init__(self, study: Study[ProtectState, Protected]) -> None:
        self._study = study
        self._points: dict[Any, Replications] = {}
        self._of: tuple[Any, ...] = ()
        self._drawn = 0.0
        self._chart = Chart("Risk-utility map", config={"edits": {"shapePosition": True}})
        self._chart.hear("click", lambda message, _: self._choose(message.get("points")))
        self._chart.hear("shapes", lambda message, _: self._move(message.get("shapes")))
        self._actions = Actions(
            {
                "Clear": self._clear,
                SWEEP: self._sweep,
                "Points as CSV": lambda: self._actions.file(
                    "points.csv", self._table().to_csv(index=False).encode()
                ),
                "Points as XLSX": lambda: self._actions.file(
                    "points.xlsx", workbook({"points": self._table().set_index("method")})
                ),
            }
        )
        self._limits = {one.name: Control(one) for one in declared(Thresholds)}
        for name, control in self._limits.items():
            control.on_change(partial(self._limit, name))
        limits = ipywidgets.Box(list(self._limits.values())).add_class("sdc-thirds")
        super().__init__([self._chart, self._actions, limits])

    def show(self, result: Protected) -> None:
        """Show the result as the chosen point, and the points of before if they belong to the same table."""
        settings = result.before.settings
        of = (result.before.table, settings.weights, settings.third, settings.epsilon)
        if of != self._of:
            self._points, self._of = {}, of
            self._actions.stop()
        self._points[result.after.method] = result.after
        for name, control in self._limits.items():
            control.show(getattr(self._study.state.thresholds, name))
        self._draw()

    def _draw(self) -> None:
        self._drawn = monotonic()
        self._chart.show(risk_utility.draw, self._map())
        self._actions.relabel(1, STOP if self._actions.working else SWEEP)

    def _map(self) -> risk_utility.Map:
        before = self._study.result.before
        return risk_utility.prepare(
            list(self._points.values()),
            before.settings.variant,
            float(before.whole.r1[0]),
            self._study.state.thresholds,
            list(self._points).index(self._study.state.method),
        )

    def _table(self) -> pd.DataFrame:
        return self._map().to_frame()

    def _clear(self) -> None:
        self._actions.stop()
        self._points = {}
        self.show(self._study.result)

    def _sweep(self) -> None:
        if self._actions.working:
            self._actions.stop()
            self._draw()
            return
        tried = [method for method in candidates() if method not in self._points]
        work = sweep(self._study.state.table, self._study.state.settings, tried)
        self._actions.work(work, self._add, self._draw, len(tried))
        self._draw()

    def _add(self, point: Replications) -> None:
        self._points[point.method] = point
        if monotonic() - self._drawn > REDRAWN:
            self._draw()

    def _choose(self, points: Any) -> None:
        """Go back to the setting of a point of the means, trace 0."""
        methods = list(self._points)
        for point in points if isinstance(points, list) else ():
            if isinstance(point, list) and len(point) == 2 and point[0] == 0 and type(point[1]) is int:
                if 0 <= point[1] < len(methods):
                    self._study.change(method=methods[point[1]], shown=0)
                return

    def _move(self, shapes: Any) -> None:
        """Take over a line that was dragged; a line is only moved along its own axis."""
        if not isinstance(shapes, dict):
            return
        for index, name in enumerate(risk_utility.LINES):
            value = shapes.get(f"shapes[{index}].{'x0' if name == 'loss' else 'y0'}")
            if isinstance(value, int | float):
                parameter = self._limits[name].parameter
                assert parameter.range is not None  # each threshold is declared with one
                low, high, step = parameter.range.low, parameter.range.high, parameter.step
                self._limit(name, min(max(round(value / step) * step, low), high))
        self._draw()

    def _limit(self, name: str, value: float) -> None:
        thresholds = replace(self._study.state.thresholds, **{name: value})
        self._study.change(gesture=f"threshold {name}", thresholds=thresholds)
