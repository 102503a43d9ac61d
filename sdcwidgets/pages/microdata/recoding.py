"""Change one variable of a file: intervals, an end put together, groups of categories, and PRAM."""

from __future__ import annotations

from typing import Any

import numpy as np

from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.errors import InputError
from sdcwidgets.labels import quoted
from sdcwidgets.microdata.data import Variable
from sdcwidgets.microdata.roles import NO_ROLE
from sdcwidgets.pages.microdata.risk import FileRisk
from sdcwidgets.pages.microdata.state import FileState, Recode
from sdcwidgets.parameters import Parameter, Range, StochasticMatrix
from sdcwidgets.studies.base import Study
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.live import Part, settings_control
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.ticks import MOST_TICKED, Ticks

HOW = {
    "none": "as it is",
    "intervals": "intervals of equal width",
    "quantiles": "intervals of as many records",
    "cuts": "intervals of my own",
    "top": "the top as one",
    "bottom": "the bottom as one",
    "groups": "categories put together",
}

WHERE = {
    "intervals": "Number of intervals",
    "quantiles": "Number of intervals",
    "cuts": "They begin at",
    "top": "Top begins at",
    "bottom": "Bottom ends at",
}

#: Of at most so many categories probabilities can be typed.
MOST_OF_MATRIX = 8

#: What a recoding begins with: so many intervals, and an end with this share of the records.
INTERVALS, END = 5, 0.05


def recoding(study: Study[FileState, FileRisk]) -> Part[FileRisk]:
    """Return the controls that recode a variable, and the view that follows the study."""
    ticks = Ticks()
    told = Text()
    how = Control(Parameter("how", str, "none", "Recode it", choices=HOW))
    redrawn = Control(
        Parameter(
            "redrawn",
            float,
            0.0,
            "Values drawn anew (PRAM)",
            "With this probability a value is drawn anew from those of the file; its shares stay on average.",
            range=Range(0.0, 1.0, 0.01),
        )
    )
    matrix = Control(
        Parameter(
            "matrix",
            str,
            "",
            "Or by probabilities of your own",
            "A row for each category, what it becomes: commas between numbers, semicolons between rows.",
        )
    )
    within = settings_control(study, "pram_within")
    keys = study.state.keys
    which = Control(_which(study.state.keys, "age" if "age" in keys else keys[-1]))
    where = Control(Parameter("where", int, INTERVALS, WHERE["intervals"], range=Range(2, 50)))
    chosen: dict[str, Any] = {"where": None, "variable": None, "groups": None}

    def name() -> str:
        return str(which.value)

    def look_at(one: str) -> None:
        which.show(one)
        show(study.result)

    def put(recode: Recode | None) -> None:
        study.put(study.state.recoded(name(), recode), gesture="recode")

    def choose(kind: str) -> None:
        one = name()
        put(None if kind in ("none", "groups") else Recode(kind, _start(study.result.original[one], kind)))
        chosen["groups"] = one if kind == "groups" else None
        show(study.result)

    def move(value: int | str) -> None:
        put(Recode(how.value, value))

    def together() -> None:
        study.put(study.state.grouped(name(), ticks.ticked))

    groups = Actions({"Put the ticked together": together, "Take them apart": lambda: put(None)})
    which.on_change(look_at)
    how.on_change(choose)
    where.on_change(move)
    redrawn.on_change(lambda share: study.put(study.state.randomised(name(), share), gesture="pram"))
    matrix.on_change(lambda text: study.put(study.state.randomised(name(), _rows(str(text)))))

    def show(result: FileRisk) -> None:
        state = result.state
        able = _recodable(result)
        parameter = _which(able, name() if name() in able else state.keys[-1])
        which.become(parameter, parameter.default)
        one, recode = name(), dict(state.recodes).get(name())
        kind = recode.how if recode is not None else "groups" if chosen["groups"] == one else "none"
        how.show(kind)
        share = dict(state.pram).get(one, 0.0)
        redrawn.show(share if isinstance(share, float) else 0.0)
        matrix.show(
            "" if isinstance(share, float) else "; ".join(", ".join(f"{p:g}" for p in row) for row in share)
        )
        matrix.layout.display = None if len(result.recoded[one].labels) <= MOST_OF_MATRIX else "none"
        within.layout.display = None if state.pram and result.file.strata else "none"
        if kind in WHERE and recode is not None:
            original = result.original[one]
            if chosen["where"] != (kind, one, original.labels):
                chosen["where"] = (kind, one, original.labels)
                where.become(_where(original, kind), recode.at)
            where.show(recode.at)
        else:
            chosen["where"] = None
        where.layout.display = None if chosen["where"] else "none"
        labels = result.file[one].labels if kind == "groups" else ()
        if chosen["variable"] != one:
            chosen["variable"] = one
            ticks.clear()
        ticks.show(labels)
        groups.layout.display = None if ticks.children else "none"
        told.show(
            f"{one} has {len(labels):,} categories, too many to tick: cut it into intervals, or put an end together."
            if len(labels) > MOST_TICKED
            else ""
        )

    return (which, how, where, told, ticks, groups, redrawn, matrix, within), show


def _rows(text: str) -> float | tuple[tuple[float, ...], ...]:
    """Return the matrix that was typed, 0 where nothing was."""
    try:
        return StochasticMatrix(optional=True).parse(text) or 0.0
    except InputError:
        raise
    except ValueError:
        raise InputError(
            f"The probabilities are {quoted(text)}; give {StochasticMatrix().expected}."
        ) from None


def _recodable(result: FileRisk) -> tuple[str, ...]:
    """Return the keys, and after them the other variables that may be recoded before they are keys."""
    file, keys = result.original, result.state.keys
    others = (
        name
        for name, one in file.variables.items()
        if name not in keys and file.roles.of(name) in (NO_ROLE, "sensitive", "strata") and not one.identifies
    )
    return (*keys, *others)


def _which(keys: tuple[str, ...], start: str) -> Parameter:
    return Parameter("which", str, start, "Variable to change", choices={key: key for key in keys})


def _whole(variable: Variable) -> tuple[int, int]:
    """Return the least and the greatest whole number among the values of a variable."""
    numbers = variable.categories.astype(np.float64)
    low, high = int(np.ceil(numbers[0])), int(np.floor(numbers[-1]))
    if low >= high:
        raise InputError(f"{quoted(variable.name)} has no whole numbers to end at; cut it into intervals.")
    return low, high


def _start(variable: Variable, kind: str) -> int | str:
    """Return where a recoding begins: a small share of the records is in the end that is put together."""
    if kind in ("intervals", "quantiles"):
        return INTERVALS
    if kind == "cuts":
        return ", ".join(f"{at:g}" for at in _quarters(variable))
    if not variable.numeric:
        if len(variable.labels) < 2:
            raise InputError(
                f"{quoted(variable.name)} has one category only, so there is nothing to put together."
            )
        return variable.labels[-2 if kind == "top" else 1]
    low, high = _whole(variable)
    seen = variable.categories[variable.codes[variable.codes != MISSING]].astype(np.float64)
    at = np.quantile(seen, 1 - END if kind == "top" else END)
    return int(np.clip(np.floor(at), low, high))


def _quarters(variable: Variable) -> list[float]:
    """Return the quartiles, to begin with cuts of one's own."""
    if not variable.numeric:
        raise InputError(
            f"{quoted(variable.name)} is not of numbers, so it has no intervals; group its categories."
        )
    seen = variable.categories[variable.codes[variable.codes != MISSING]].astype(np.float64)
    return [float(at) for at in np.unique(np.quantile(seen, [0.25, 0.5, 0.75], method="nearest"))]


def _where(variable: Variable, kind: str) -> Parameter:
    """Return where a recoding begins, in the numbers or the categories of the variable."""
    label = WHERE[kind]
    if kind == "cuts":
        return Parameter("where", str, "", label, "Numbers that rise, between commas.")
    if kind in ("intervals", "quantiles"):
        return Parameter("where", int, INTERVALS, label, range=Range(2, 50))
    if not variable.numeric:
        return Parameter(
            "where", str, variable.labels[0], label, choices={one: one for one in variable.labels}
        )
    low, high = _whole(variable)
    return Parameter("where", int, low, label, range=Range(low, high))
