"""Risk-utility map of a study: compared settings, limits that can be dragged, and the comparison of all methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any

import ipywidgets
import numpy as np

from sdcwidgets import measures
from sdcwidgets._util.csv_writing import csv_text, lines_of
from sdcwidgets._util.labels import counted
from sdcwidgets._util.parameters import Parameter
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.search import candidates, most_loss, sweep
from sdcwidgets.assessment.verdict.limits import no_limit
from sdcwidgets.dashboards.protect.controls import set_limit
from sdcwidgets.dashboards.protect.measured import axis_names, besides, complete
from sdcwidgets.dashboards.protect.recommended import of_limits
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy
from sdcwidgets.dashboards.protect.threads import in_thread
from sdcwidgets.measures import Measure
from sdcwidgets.methods import Method
from sdcwidgets.plots import risk_utility
from sdcwidgets.tables.io.writers.workbook import workbook
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.measure_controls import MeasureControls
from sdcwidgets.widgets.texts import people

SWEEP, STOP = "Compare all methods", "Stop comparing methods"

#: While methods are compared, the map is redrawn at most every `REDRAWN` seconds and at most every `APART` times the
#: time that drawing takes.
REDRAWN, APART = 0.4, 8

#: Time after a change of the page in which the comparison of all methods pauses, in seconds.
PAUSE = 0.3

#: Maximum number of tables and settings whose points are kept for undo.
KEPT_MAPS = 8

#: Maximum distance of a click from the dot that it selects, as a share of the map's width and height.
NEAR = 0.015

#: How to use the map: with several settings on the Pareto front, and before there are several.
ALONG_FRONT = (
    "To select a setting of the dotted Pareto front, drag in the map, or press the left and right arrow keys there. "
    "The table above follows."
)
COMPARE_FIRST = (
    f"Select “{SWEEP}” first. Then drag in the map, or press its arrow keys, to go along the Pareto front."
)

SOURCE = (
    "Sources: Antal 2016, section 5.2 (search for a method) and equation (3.6.6) (residual risk); "
    "Antal, Shlomo and Elliot 2014, section 2.3 (Hellinger distance)."
)


class RiskMap(ipywidgets.VBox):
    """The map, connected to a study of protection; a selected point becomes the state.

    `swept` is called when all settings were compared, and when the map is cleared. During a comparison, the steps of
    `recommend` run as soon as the quick methods were compared.
    """

    def __init__(
        self,
        study: ProtectStudy,
        swept: Callable[[], None],
        recommend: Callable[[], Iterator[None]] = lambda: iter(()),
    ) -> None:
        self._study, self._on_swept, self._recommend = study, swept, recommend
        self._points: dict[Method, Replications] = {}
        self._maps: dict[tuple[object, ...], dict[Method, Replications]] = {}
        self.was_stopped = False  # whether the user stopped the last comparison
        self._again = 0.0  # earliest time of the next drawing
        self._drawn: risk_utility.Map | None = None  # the map that the chart shows
        self._chart = Chart("Risk-utility map", config={"edits": {"shapePosition": True}}, places=True)
        self._chart.hear("click", lambda message, _: self._choose(message.get("points")))
        self._chart.hear("place", lambda message, _: self._choose_near(message.get("x"), message.get("y")))
        self._chart.hear("drag", lambda message, _: self._follow(message.get("x"), message.get("y")))
        self._chart.hear("step", lambda message, _: self._step(message.get("by")))
        self._chart.hear("shapes", lambda message, _: self._move(message.get("shapes")))
        self._actions = Actions(
            {
                SWEEP: self.sweep,
                "Clear map": self._clear,
                "Export compared settings (CSV), internal": self._csv_of_settings,
                "Export compared settings (XLSX), internal": self._xlsx,
                "Export replicates (CSV), internal": self._csv_of_replicates,
            }
        )
        self._actions.add_class("sdc-at-sweep")
        self._settings = Control(
            Parameter(
                "setting",
                str,
                "at 0",
                "Selected setting on the map",
                choices={"at 0": ""},
            )
        )
        self._settings.on_change(lambda value: self._go(self._listed[int(value[3:])], 0))
        self._listed: tuple[Replications, ...] = ()  # settings of the list, which may be older than the map
        self._axes = {
            name: self._axis(name, offered)
            for name, offered in zip(("risk", "loss"), axis_names(), strict=True)
        }
        below = ipywidgets.Box([*self._axes.values(), self._settings]).add_class("sdc-thirds")
        own = MeasureControls(self._study, lambda: (self._study.state.risk, self._study.state.loss))
        super().__init__([self._chart, self._actions, below, own.add_class("sdc-thirds")])

    def _axis(self, name: str, offered: tuple[str, ...]) -> Control:
        label = {"risk": "Risk axis", "loss": "Loss axis"}[name]
        measured = {measure: measures.get(measure) for measure in offered}
        choices = {measure: f"{kind.label}, {kind.symbol}".rstrip(", ") for measure, kind in measured.items()}
        control = Control(Parameter(name, str, getattr(self._study.state, name), label, choices=choices))
        control.on_change(lambda value: self._study.change(**{name: value}))
        return control

    def show(self, result: ProtectResult) -> None:
        """Show the result as the selected point, with all points of the same table and settings."""
        state, of = self._study.state, self._of(result)
        if self._maps.get(of) is not self._points:
            self._actions.stop()
        # The dictionary is ordered by last use, so the oldest map is removed first.
        self._points = self._maps[of] = self._maps.pop(of, {})
        for old in list(self._maps)[:-KEPT_MAPS]:
            del self._maps[old]
        self._points[result.after.method] = result.after
        for name, control in self._axes.items():
            control.show(getattr(state, name))
        # While methods are compared, the table answers first; the map follows with the settled result.
        if not self._actions.working or result.settled or monotonic() > self._again:
            self._draw(only_if_changed=True)

    def _draw(self, *, only_if_changed: bool = False) -> None:
        start = monotonic()
        state = self._study.state
        self._chart.caption = (
            f"{state.title}, {people(state.table.total, state.unit)} in {state.table.cells:,} cells. "
            f"{counted(self._study.result.after.size, 'replicate')} with the seed {state.settings.seed}. "
            f"Weights of the three risk terms: {', '.join(f'{weight:g}' for weight in state.settings.weights)}. "
            f"{SOURCE}"
        )
        drawn = self._map()
        # A refined result often has the same risk and loss as the first one.
        if not (only_if_changed and self._drawn is not None and _is_same(drawn, self._drawn)):
            self._drawn = drawn
            self._chart.show(risk_utility.draw, drawn)
            self._chart.summary += f" {ALONG_FRONT if len(drawn.front) > 1 else COMPARE_FIRST}"
        # A browser renders the list slowly, so it is updated only when the computation has ended.
        if self._study.result.settled and not self._actions.working:
            self._offer(drawn)
        elif self._actions.working or f"at {drawn.current}" in (self._settings.parameter.choices or {}):
            # The old list must not select another setting until the comparison has ended, and follows the table.
            self._settings.show(f"at {drawn.current}")
        self._actions.relabel(0, STOP if self._actions.working else SWEEP)
        end = monotonic()
        self._again = end + max(REDRAWN, APART * (end - start))

    def _offer(self, drawn: risk_utility.Map) -> None:
        """List the settings of the map for keyboard users, those within the limits first."""
        order = sorted(range(len(drawn.names)), key=lambda i: not drawn.allowed[i])
        limited = any(limit is not None for limit in drawn.limits)
        # A browser would sort plain numbers, so each key has a prefix.
        choices = {
            f"at {i}": f"{'meets the limits: ' if limited and drawn.allowed[i] else ''}{drawn.names[i]}"
            for i in order
        }
        self._listed = drawn.points
        reveal(len(order) > 1, self._settings)
        self._settings.become(replace(self._settings.parameter, choices=choices), f"at {drawn.current}")

    def _whole_map(self) -> risk_utility.Map:
        """Return the map with all measures of all points."""
        state = self._study.state
        return self._map(besides(state.table, state.settings))

    def _map(self, wanted: Sequence[Measure] = ()) -> risk_utility.Map:
        result, limits_of_state = self._study.result, self._study.state.limits
        axes = result.risk_measure, result.loss_measure
        limits = limits_of_state.risk, limits_of_state.loss
        for method, point in self._points.items():
            if wanted or not set(axes) <= point.draws.keys():
                self._points[method] = complete(point, (*axes, *wanted))
        chosen = list(self._points).index(self._study.state.method)
        return risk_utility.prepare(list(self._points.values()), axes, limits, chosen, result.index)

    def _csv(self, name: str, frame: Any) -> None:
        self._actions.file(name, csv_text(lines_of(frame), internal=True), self._study.state.title)

    def _csv_of_settings(self) -> None:
        self._csv("internal-settings.csv", self._whole_map().every_mean())

    def _csv_of_replicates(self) -> None:
        self._csv("internal-replicates.csv", self._whole_map().every_draw())

    def _xlsx(self) -> None:
        settings = {"settings": self._whole_map().every_mean().set_index("method")}
        self._actions.file(
            "internal-settings.xlsx", workbook(settings, internal=True), self._study.state.title
        )

    def _clear(self) -> None:
        self._actions.stop()
        self._points.clear()
        self.show(self._study.result)
        self._on_swept()

    def points(self) -> list[Replications]:
        """Return the settings on the map with the means of the two deciding measures."""
        result = self._study.result
        axes = result.risk_measure, result.loss_measure
        return [complete(point, axes) for point in self._maps.get(self._of(result), {}).values()]

    @staticmethod
    def _of(result: ProtectResult) -> tuple[object, ...]:
        """Return the values that all points of a map have in common."""
        settings = result.before.settings
        parents = result.state.parents
        return (
            result.before.table,
            parents,
            settings.weights,
            settings.third,
            settings.epsilon,
            settings.suppressed,
        )

    def stop(self) -> None:
        """Stop the comparison of all methods, if it is running."""
        if self._actions.working:
            self._actions.stop()
            self._draw()

    @property
    def is_comparing(self) -> bool:
        """Whether the page is comparing all settings of all methods."""
        return self._actions.working

    def sweep(self) -> None:
        """Compare all settings of all methods, or stop the comparison."""
        if self._actions.working:
            self.was_stopped = True
            self.stop()
            self._on_swept()
            return
        self.was_stopped = False
        state, points = self._study.state, self._points
        compared = dict.fromkeys((*of_limits(state), *map(state.fitted, candidates(table=state.table))))
        tried = [method for method in compared if method not in points]
        work = sweep(state.table, state.settings, tried, besides(state.table, state.settings))

        def add(point: Replications) -> None:
            # The points belong to the table that was compared, even if another one is shown by now.
            points[point.method] = point
            self._actions.progress = (sum(method in points for method in tried), len(tried))
            if points is self._points and monotonic() > self._again:
                self._draw()

        def done() -> None:
            self._draw()
            self._on_swept()

        def recommending() -> Iterator[Replications | None]:
            # The first steps of the quick methods come first, so settings are recommended after a few seconds.
            quick = sum(not method.is_slow_for(state.table) for method in tried)
            for step in in_thread(enumerate(work, start=1), partial(self._study.changed_within, PAUSE)):
                yield None if step is None else step[1]
                if step is not None and step[0] == quick and points is self._points:
                    self._draw()
                    yield from self._recommend()

        self._actions.work(recommending(), add, done, len(tried), "settings")
        self._draw()

    def _choose(self, points: object) -> None:
        """Select the setting of a clicked mean, which is in trace 0."""
        known = list(self._points.values())
        for point in points if isinstance(points, list) else ():
            match point:
                case [0, int(place)]:
                    if 0 <= place < len(known):
                        self._go(known[place], 0)
                    return

    def _choose_near(self, x: object, y: object) -> None:
        """Show the replicate whose dot is nearest to a clicked position, if it is near enough."""
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            return
        drawn = self._map()
        spans = _spans(drawn)
        best, nearest = NEAR, None
        # Means come first: a setting's mean is drawn above the dots of its replicates.
        means = [np.array([mean]) for mean in zip(drawn.loss, drawn.risk, strict=True)]
        for point, dots in zip(drawn.points * 2, [*means, *drawn.clouds], strict=True):
            away = np.hypot(*((dots - (x, y)) / spans).T)
            if not np.isnan(away).all() and np.nanmin(away) < best:
                best, nearest = float(np.nanmin(away)), (point, int(np.nanargmin(away)))
        if nearest is not None:
            self._go(*nearest)

    def _follow(self, x: object, y: object) -> None:
        """Select the setting of the Pareto front that is nearest to a dragged pointer."""
        if not isinstance(x, int | float) or not isinstance(y, int | float):
            return
        drawn = self._map()
        front = drawn.front
        if not front:
            return
        distances = np.hypot(*((drawn.means[front] - (x, y)) / _spans(drawn)).T)
        self._select(drawn, front[int(np.argmin(distances))])

    def _step(self, by: object) -> None:
        """Select the next setting of the Pareto front: 1 for more protection, -1 for less."""
        if by not in (1, -1):
            return
        drawn = self._map()
        front = drawn.front
        if not front:
            return
        if drawn.current in front:
            position = min(max(front.index(drawn.current) + int(by), 0), len(front) - 1)
        else:
            distances = np.hypot(*((drawn.means[front] - drawn.means[drawn.current]) / _spans(drawn)).T)
            position = int(np.argmin(distances))
        self._select(drawn, front[position])

    def _select(self, drawn: risk_utility.Map, index: int) -> None:
        """Select a setting by its mean; the shown replicate stays the first one."""
        if index != drawn.current:
            self._go(drawn.points[index], 0)

    def _go(self, point: Replications, draw: int) -> None:
        state = self._study.state
        settings = replace(state.settings, seed=point.settings.seed)
        self._study.change(method=point.method, shown=draw, settings=settings)

    def _move(self, shapes: object) -> None:
        """Apply a limit whose line was dragged along its axis."""
        if not isinstance(shapes, dict):
            return
        result = self._study.result
        for index, name in enumerate(risk_utility.LINES):
            value = shapes.get(f"shapes[{index}].{'x0' if name == 'loss' else 'y0'}")
            if isinstance(value, int | float) and getattr(self._study.state.limits, name) is not None:
                measure = result.risk_measure if name == "risk" else result.loss_measure
                most = 1.0 if name == "risk" else most_loss(result.state.table, measure)
                limit: float | None = min(max(float(f"{value:.3g}"), 0.0), most)
                if limit == no_limit(measure.direction, most):
                    limit = None
                set_limit(self._study, **{name: limit})
        self._draw()


def _spans(drawn: risk_utility.Map) -> list[float]:
    """Return the lengths of both axes, in units of loss and of risk."""
    return [end - start for start, end in risk_utility.ranges(drawn)]


def _is_same(first: risk_utility.Map, second: risk_utility.Map) -> bool:
    """Return whether two maps look alike."""
    words, others = (
        (
            drawn.names,
            [point.size for point in drawn.points],
            drawn.current,
            drawn.replicate,
            drawn.limits,
            drawn.axes,
            drawn.original,
            drawn.is_complete,
        )
        for drawn in (first, second)
    )
    if words != others:
        return False
    pairs = zip(
        (*first.clouds, first.risk, first.loss, first.best),
        (*second.clouds, second.risk, second.loss, second.best),
        strict=True,
    )
    return all(np.array_equal(one, other) for one, other in pairs)
