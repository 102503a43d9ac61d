"""Controls of declared parameters; their values are checked by the declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeVar

import ipywidgets
import traitlets

from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import Parameter, Shares
from sdcwidgets.widgets.base import STATIC, Widget
from sdcwidgets.widgets.texts import ROLES

#: Maximum number of steps of a slider; a parameter with more steps has a number box only.
MOST_STEPS = 10_000

K = TypeVar("K")


class Control(Widget):
    """The control of one declared parameter.

    Parameters
    ----------
    parameter : Parameter
        Declaration with type, range, label and help, which determine the look of the control.
    value : optional
        Initial value (default: that of the parameter).
    look : {"", "buttons"}
        Whether a choice is a row of buttons instead of a list.
    show_help : bool
        Whether the help is shown below the control, or only in its tooltip.
    """

    _esm = STATIC / "controls.js"
    _css = STATIC / "controls.css"

    asks = ("request",)

    spec = traitlets.Dict().tag(sync=True)
    value = traitlets.Any().tag(sync=True)
    request = traitlets.Dict().tag(
        sync=True, echo_update=False
    )  # the browser waits for the answer of the kernel
    locked = traitlets.Int(None, allow_none=True).tag(sync=True)
    answered = traitlets.Int(0).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self, parameter: Parameter, value: object = None, *, look: str = "", show_help: bool = False
    ) -> None:
        check_kind("parameter", parameter, Parameter, "a declared parameter of a method or of settings")
        start = parameter.default if value is None else value
        super().__init__(spec=_spec(parameter) | {"look": look, "show_help": show_help}, value=start)
        self.parameter = parameter
        self._changed: list[Callable[[object], None]] = []
        self._is_shown = False
        self.observe(lambda change: self._ask(change.new), "request")
        self.hear("lock", lambda message, _: self._lock(message.get("index")))

    def become(self, parameter: Parameter, value: object) -> None:
        """Control another parameter from now on, such as one with other choices; handlers are kept.

        Browsers take much longer for a new widget than for a change of an existing one.
        """
        self.parameter, self._is_shown = parameter, True
        with self.hold_sync():
            self.spec = _spec(parameter) | {name: self.spec[name] for name in ("look", "show_help")}
            self._put(value)

    def offer(self, value: object, **others: Any) -> None:
        """Show a value; `others` are changed properties of the parameter, such as choices, range or label."""
        parameter = replace(self.parameter, **others)
        if parameter != self.parameter:
            self.become(parameter, value)
        else:
            self.show(value)

    def on_change(self, handler: Callable[[Any], None]) -> None:
        """Call `handler(value)` when the user enters a valid value; the control shows an InputError of the handler."""
        self._changed.append(handler)

    def enter(self, value: object) -> None:
        """Apply a value as if the user had entered it; an invalid value raises an InputError."""
        value = self.parameter.check(value)
        self._is_shown = False
        for handler in self._changed:
            handler(value)
        # A handler may have shown the nearest value that the table allows.
        self._put(self.value if self._is_shown else value)

    def show(self, value: object) -> None:
        """Display a value set elsewhere; the error message stays until the value changes."""
        self._is_shown = True
        if value != self.value:
            self._put(value)

    def _put(self, value: object) -> None:
        with self.hold_sync():
            self.value, self.problem = value, ""

    def _ask(self, request: dict[str, Any]) -> None:
        """Apply a requested value or show an error; the browser shows the value after its last request is answered."""
        if "value" not in request:
            return
        with self.hold_sync():
            try:
                value = request["value"]
                if isinstance(self.parameter.kind, Shares):
                    value = self._rescale(value)
                self.enter(value)
            except InputError as error:
                self.problem = str(error)
            finally:
                if type(request.get("turn")) is int:
                    self.answered = request["turn"]

    def _rescale(self, moved: object) -> tuple[float, ...]:
        assert isinstance(self.parameter.kind, Shares)  # callers check this
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
    """Controls of several parameters with keys; `change(key, value)` is called for each change by the user."""

    def __init__(self, change: Callable[[K, Any], None], **traits: object) -> None:
        super().__init__(**traits)
        self._change = change
        self._controls: dict[K, Control] = {}

    def show(self, parameters: Mapping[K, Parameter], value: Callable[[K], object]) -> None:
        """Show the values; the controls are created again if the parameters have changed."""
        if list(parameters.items()) != [(key, control.parameter) for key, control in self._controls.items()]:
            self._controls = {key: Control(parameter) for key, parameter in parameters.items()}
            for key, control in self._controls.items():
                control.on_change(partial(self._change, key))
            self.children = tuple(self._controls.values())
        for key, control in self._controls.items():
            control.show(value(key))


def rescale(
    shares: Sequence[float], index: int, share: float, locked: int | None = None
) -> tuple[float, ...]:
    """Return shares with one of them changed, so that they sum to 1 and the others keep their proportions.

    Parameters
    ----------
    shares : sequence of float
        Current shares, which sum to 1.
    index : int
        Changed share.
    share : float
        Its new value, from 0 to 1.
    locked : int, optional
        A share that must not change.

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
    # Rounding removes floating-point errors, which would accumulate over many changes.
    return tuple(round(value, 12) for value in changed)


def _is_index(value: object, names: Sequence[str]) -> bool:
    return type(value) is int and 0 <= value < len(names)


def _spec(parameter: Parameter) -> dict[str, object]:
    """Return the properties that the browser needs to build the control."""
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
            f"{parameter.name} has no control: it needs a range or choices, or the type bool or str"
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
