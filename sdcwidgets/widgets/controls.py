"""Controls made from declared parameters; what they send is checked by the same declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar

import ipywidgets
import traitlets

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, Shares
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.texts import ROLES

#: A slider with more steps than this cannot be set by hand; the number gets a box only.
MOST_STEPS = 10_000

K = TypeVar("K")


class Control(Widget):
    """The control of one declared parameter.

    Parameters
    ----------
    parameter : Parameter
        Its kind, bounds, label and help decide what the control looks like.
    value : optional
        What it shows first; the parameter's default if not given.
    look : {"", "buttons"}
        Whether a choice is a row of buttons instead of a list.
    show_help : bool
        Whether the help stands below the control, or only in its tooltip.
    """

    _esm = STATIC / "controls.js"
    _css = STATIC / "controls.css"

    asks = ("request",)

    spec = traitlets.Dict().tag(sync=True)
    value = traitlets.Any().tag(sync=True)
    request = traitlets.Dict().tag(sync=True, echo_update=False)  # a browser waits for what is answered
    locked = traitlets.Int(None, allow_none=True).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, parameter: Parameter, value: object = None, *, look: str = "", show_help: bool = False
    ) -> None:
        start = parameter.default if value is None else value
        super().__init__(spec=_spec(parameter) | {"look": look, "show_help": show_help}, value=start)
        self.parameter = parameter
        self._changed: list[Callable[[object], None]] = []
        self.observe(lambda change: self._ask(change.new), "request")
        self.hear("lock", lambda message, _: self._lock(message.get("index")))

    def become(self, parameter: Parameter, value: object) -> None:
        """Control another parameter from now on, such as one with other choices; what it does with it stays.

        A browser takes far longer for a new widget than for other words in one that is there.
        """
        self.parameter = parameter
        with self.hold_sync():
            self.spec = _spec(parameter) | {name: self.spec[name] for name in ("look", "show_help")}
            self._put(value)

    def offer(self, value: object, **others: Any) -> None:
        """Show a value; of a parameter with other choices, range or label from now on, if these are `others`."""
        parameter = replace(self.parameter, **others)
        if parameter != self.parameter:
            self.become(parameter, value)
        else:
            self.show(value)

    def on_change(self, handler: Callable[[Any], None]) -> None:
        """Call `handler(value)` when a person chose a valid value; an InputError it raises is shown here."""
        self._changed.append(handler)

    def show(self, value: object) -> None:
        """Show a value that was set elsewhere; as long as it is the one shown, what was refused is said."""
        if value != self.value:
            self._put(value)

    def _put(self, value: object) -> None:
        with self.hold_sync():
            self.value, self.problem = value, ""

    def _ask(self, request: dict[str, Any]) -> None:
        """Take over a value, or say why not; the browser shows it once its latest question is answered."""
        if "value" not in request:
            return
        with self.hold_sync():
            try:
                value = request["value"]
                if isinstance(self.parameter.kind, Shares):
                    value = self._rescale(value)
                value = self.parameter.check(value)
                for handler in self._changed:
                    handler(value)
            except InputError as error:
                self.problem = str(error)
            else:
                self._put(value)
            finally:
                if type(request.get("turn")) is int:
                    self.answered = request["turn"]

    def _rescale(self, moved: object) -> tuple[float, ...]:
        assert isinstance(self.parameter.kind, Shares)  # only shares are scaled
        names = self.parameter.kind.names
        if not isinstance(moved, list) or len(moved) != 2 or not _is_index(moved[0], names):
            raise InputError(f"{self.parameter.label} must be {self.parameter.expected}.")
        index, share = moved
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
            raise InputError(f"{names[index]} is {share}; it must be a number from 0 to 1.")
        return rescale(self.value, index, share, self.locked)

    def _lock(self, index: Any) -> None:
        if isinstance(self.parameter.kind, Shares) and _is_index(index, self.parameter.kind.names):
            self.locked = None if self.locked == index else index


class Controls(ipywidgets.VBox, Generic[K]):
    """Controls of several parameters, each with a key; `change(key, value)` does what a person asks for."""

    def __init__(self, change: Callable[[K, Any], None], **traits: object) -> None:
        super().__init__(**traits)
        self._change = change
        self._controls: dict[K, Control] = {}

    def show(self, parameters: Mapping[K, Parameter], value: Callable[[K], object]) -> None:
        """Show the value of each; where others are offered than before, their controls are made."""
        if [*parameters.items()] != [(key, control.parameter) for key, control in self._controls.items()]:
            self._controls = {key: Control(parameter) for key, parameter in parameters.items()}
            for key, control in self._controls.items():
                control.on_change(partial(self._change, key))
            self.children = tuple(self._controls.values())
        for key, control in self._controls.items():
            control.show(value(key))


def rescale(
    shares: Sequence[float], index: int, share: float, locked: int | None = None
) -> tuple[float, ...]:
    """Return shares that sum to 1 with one of them changed, the others keeping their proportions.

    Parameters
    ----------
    shares : sequence of float
        The present shares; they sum to 1.
    index, share
        Which one is moved, and to what, from 0 to 1.
    locked : int, optional
        A share that must not change; moving it changes nothing.

    Examples
    --------
    >>> rescale((0.1, 0.8, 0.1), 1, 0.5)
    (0.25, 0.5, 0.25)
    >>> rescale((0.1, 0.8, 0.1), 1, 0.5, locked=0)
    (0.1, 0.5, 0.4)
    """
    if index == locked:
        return tuple(shares)
    held = 0.0 if locked is None else shares[locked]
    share = min(share, 1 - held)
    rest = 1 - held - share
    others = [i for i in range(len(shares)) if i not in (index, locked)]
    before = sum(shares[i] for i in others)
    changed = list(shares)
    changed[index] = share
    for i in others:
        changed[i] = rest * (shares[i] / before if before > 0 else 1 / len(others))
    # Without this the dust of many drags would be shown.
    return tuple(round(value, 12) for value in changed)


def _is_index(value: object, names: Sequence[str]) -> bool:
    return type(value) is int and 0 <= value < len(names)


def _spec(parameter: Parameter) -> dict[str, object]:
    """Return what the browser needs to build the control."""
    spec: dict[str, object] = {"label": parameter.label, "help": parameter.help}
    if isinstance(parameter.kind, Shares):
        return spec | {"kind": "shares", "names": list(parameter.kind.names), "roles": list(ROLES)}
    if parameter.choices:
        return spec | {"kind": "choice", "options": dict(parameter.choices)}
    if parameter.type is bool:
        return spec | {"kind": "switch"}
    if parameter.type is str:
        return spec | {"kind": "text"}
    if parameter.range is None:
        raise TypeError(
            f"{parameter.name} has no range and no choices, is no switch and no text: there is no control for it"
        )
    low, high, step = parameter.range.low, parameter.range.high, parameter.step
    return spec | {
        "kind": "number",
        "low": low,
        "high": high,
        "step": step,
        "unlimited": parameter.unlimited,
        "slider": high - low <= MOST_STEPS * step,
    }
