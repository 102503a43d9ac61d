"""What drives the page: what is small enough here, and the method with its settings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import ipywidgets

from sdcwidgets import methods
from sdcwidgets.pages.protect.recommended import USUAL
from sdcwidgets.pages.protect.state import ProtectStudy
from sdcwidgets.parameters import Parameter, Range
from sdcwidgets.search import most_loss
from sdcwidgets.values import with_fields
from sdcwidgets.verdict import ReleaseLimits, available, load
from sdcwidgets.verdict.house import Rule, read
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import follow, parameter_of, reveal, settings_control
from sdcwidgets.widgets.method_controls import MethodControls
from sdcwidgets.widgets.page import card

#: Where nobody changes them, own limits ask for no count of one or two, and for what always stops.
SMALLEST = 3

#: Where limits were set or changed by hand.
HERE = "on this page"


def own_limits() -> ReleaseLimits:
    """Return the limits that somebody who sets their own begins with."""
    return ReleaseLimits(f"whoever set it {HERE}, {date.today().isoformat()}", smallest_count=SMALLEST)


def take_rule(study: ProtectStudy, rule: Rule) -> None:
    """Go by a rule of the house: its limits and measures, and its method where it names one."""
    limits = rule.limits
    changes: dict[str, Any] = {"limits": limits, "risk": limits.risk_measure, "loss": limits.loss_measure}
    if rule.method is not None:
        changes |= {"method": rule.method, "shown": 0}
    study.change(**changes)


def set_limit(study: ProtectStudy, **changes: object) -> None:
    """Change a limit; whose limits were changed here is no longer said to have set them so."""
    limits = with_fields(study.state.limits, **changes)
    if "source" not in changes and HERE not in limits.source:
        limits = replace(limits, source=f"{limits.source}, changed {HERE}, {date.today().isoformat()}")
    study.change(gesture=f"limit {', '.join(changes)}", limits=limits)


def limits_card(study: ProtectStudy) -> ipywidgets.VBox:
    """Return the card that asks what is small enough here."""
    ways = {"none": "Compare only", "own": "Our limits"} | {name: load(name).name for name in available()}
    way = Control(Parameter("way", str, "none", "Rule", choices=ways))
    smallest = Control(replace(parameter_of(ReleaseLimits, "smallest_count"), range=Range(0, 20)), 0)
    risk = Control(Parameter("limit_risk", float, 1.0, "Risk left, at most", range=Range(0, 1, 0.001)))
    loss = Control(Parameter("limit_loss", float, 1.0, "Information lost, at most", range=Range(0, 1, 0.1)))
    source = ipywidgets.Text(description="Says who", continuous_update=False).add_class("sdc-says")
    files = Actions(
        {}, {"Rule file": lambda name, content: take_rule(study, read(content.decode("utf-8"), name))}
    )

    def choose(value: str) -> None:
        if value in available():
            take_rule(study, load(value))
        else:
            study.change(limits=own_limits() if value == "own" else ReleaseLimits())

    def greatest() -> float:
        return float(f"{most_loss(study.state.table, study.state.loss_measure):.6g}")

    way.on_change(choose)
    smallest.on_change(lambda value: set_limit(study, smallest_count=value))
    risk.on_change(lambda value: set_limit(study, risk=None if value >= 1 else value))
    loss.on_change(lambda value: set_limit(study, loss=None if value >= greatest() else value))

    def name(change: Any) -> None:
        if change.new.strip() and change.new != study.state.limits.source:
            set_limit(study, source=change.new.strip())

    source.observe(name, "value")

    def show(_: object = None) -> None:
        limits = study.state.limits
        known = {load(one).limits: one for one in available()}
        way.show(known.get(limits, "own" if limits.decides else "none"))
        reveal(limits.decides, smallest, risk, loss, source)
        smallest.show(limits.smallest_count)
        risk.show(1.0 if limits.risk is None else limits.risk)
        most = greatest()
        if loss.parameter.range is None or loss.parameter.range.high != most:
            step = float(f"{most / 1000:.0e}")
            loss.become(replace(loss.parameter, range=Range(0, most, step)), most)
        loss.show(most if limits.loss is None else min(limits.loss, most))
        source.value = limits.source

    follow(study, show)
    return card("What is small enough here?", way, smallest, risk, loss, source, files)


def method_card(study: ProtectStudy) -> ipywidgets.VBox:
    """Return the card of the method: the four usual ones, its settings, and the others on demand."""
    rest = len(methods.available()) - len(USUAL)
    usual = Control(Parameter("usual", str, "", "Usual methods", choices=USUAL), look="buttons")
    usual.on_change(lambda name: study.put(study.state.with_method(name)))
    controls = MethodControls(study)
    more = ipywidgets.VBox([settings_control(study, "replications"), settings_control(study, "seed")])
    opened = [False]

    def toggle() -> None:
        opened[0] = not opened[0]
        show()

    button = Actions({f"{rest} more methods": toggle})

    def show(_: object = None) -> None:
        name = study.state.method.name
        usual.show(name if name in USUAL else "")
        wide = opened[0] or name not in USUAL
        controls.narrow(not wide)
        reveal(wide and not study.state.method.deterministic, more)
        button.relabel(0, "Fewer" if wide else f"{rest} more methods")

    follow(study, show)
    return card("Method", usual, controls, more, button)
