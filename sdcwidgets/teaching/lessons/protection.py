"""Protection in a lesson: published values of one count, and a risk-utility map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import ipywidgets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, Range
from sdcwidgets._util.values import with_fields
from sdcwidgets.assessment.replications import Replications, replicate
from sdcwidgets.assessment.search import Thresholds
from sdcwidgets.measures.loss import Hellinger
from sdcwidgets.measures.risk import R2
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import Method, get
from sdcwidgets.plots import risk_utility
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.teaching.lessons.loss import DRAWS
from sdcwidgets.teaching.lessons.quantities import count_readings
from sdcwidgets.teaching.lessons.row import Readout
from sdcwidgets.teaching.lessons.stored_state import store_inputs
from sdcwidgets.widgets.binding import follow, parameter_of
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page_state.recomputation import Study

#: Maximum count of the slider.
LARGEST = 20


@dataclass(frozen=True)
class Chosen:
    """The current method and the limits on the map."""

    method: Method
    thresholds: Thresholds = field(default_factory=Thresholds)


def live_count(
    method: str,
    parameter: str,
    count: int,
    value: float | None = None,
    *,
    most: float | None = None,
    **settings: object,
) -> ipywidgets.VBox:
    """Return sliders for a count and a setting, and published-count probabilities.

    Parameters
    ----------
    method : str
        Name of a method that perturbs each cell independently.
    parameter : str
        Name of a parameter of the method.
    count : int
        Initial count, from 0 to 20.
    value : float, optional
        Initial value of the parameter; default: that of the method.
    most : float, optional
        Maximum of the slider of the parameter; default: that of the method.
    **settings
        Values of other parameters of the method, which have no slider.

    Raises
    ------
    InputError
        If the method does not exist, or if it does not perturb cells independently.

    Examples
    --------
    >>> count, base, readout = live_count("random-rounding", "base", 2).children
    >>> [(reading["label"], reading["text"]) for reading in readout.readings]
    [('Published as 0', '0.3333'), ('Published as 3', '0.6667'), ('On average', '2.0000')]
    """
    start = get(method)(**settings)
    if value is not None:
        start = with_fields(start, **{parameter: value})
    if start.transition(0) is None:
        raise InputError(f"{start.title} does not perturb cells independently. Choose another method.")
    number = Control(Parameter("count", int, count, "True count", range=Range(0, LARGEST, 1)))
    slider = parameter_of(type(start), parameter)
    if most is not None and slider.range is not None:
        slider = replace(slider, range=replace(slider.range, high=most))
    setting, readout = Control(slider, getattr(start, parameter)), Readout()

    def show(_: object = None) -> None:
        readout.show(count_readings(replace(start, **{parameter: setting.value}), number.value))

    for control in (number, setting):
        control.observe(show, "value")
    show()
    store_inputs(readout, f"count {method} {parameter} {count} {value or ''}".strip(), [number, setting])
    return ipywidgets.VBox([number, setting, readout]).add_class("sdc-lesson")


def live_map(table: FrequencyTable, turn: Mapping[Method, str]) -> ipywidgets.VBox:
    """Return sliders for methods and the limits T2 and T3, and a risk-utility map.

    The map keeps the points of earlier settings.

    Parameters
    ----------
    table : FrequencyTable
    turn : dict of str
        Parameter with a slider, by method with its initial settings.

    Examples
    --------
    >>> from sdcwidgets.tables import examples
    >>> start = get("random-rounding")(base=5)
    >>> base, after, loss, chart = live_map(examples.load("sex"), {start: "base"}).children
    >>> base.request = {"value": 10}
    >>> len(chart.arrays["data/0/x"])
    2
    """
    points = dict[Method, Replications]()

    def compute_map(state: Chosen) -> risk_utility.Map:
        if state.method not in points:
            points[state.method] = replicate(table, state.method, Settings(replications=DRAWS))
        current = list(points).index(state.method)
        limits = state.thresholds.after, state.thresholds.loss
        return risk_utility.prepare(list(points.values()), (R2(), Hellinger()), limits, current)

    for start in turn:
        compute_map(Chosen(start))
    study, controls = Study(Chosen(next(iter(turn))), compute_map), list[Control]()

    def control(parameter: Parameter, value: object, state: Callable[[object], Chosen]) -> None:
        controls.append(Control(parameter, value))
        controls[-1].on_change(lambda value: study.put(state(value)))

    for start, name in turn.items():
        control(parameter_of(type(start), name), getattr(start, name), partial(_turned, study, start, name))
    for name in ("after", "loss"):
        control(parameter_of(Thresholds, name), None, partial(_moved, study, name))
    chart = Chart("Risk-utility map")
    follow(study, lambda drawn: chart.show(risk_utility.draw, drawn))
    return ipywidgets.VBox([*controls, chart]).add_class("sdc-lesson")


def _turned(study: Study[Chosen, Any], method: Method, name: str, value: object) -> Chosen:
    return replace(study.state, method=with_fields(method, **{name: value}))


def _moved(study: Study[Chosen, Any], name: str, value: float) -> Chosen:
    return replace(study.state, thresholds=with_fields(study.state.thresholds, **{name: value}))
