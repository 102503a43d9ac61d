"""Controls that change one variable: classes, top and bottom coding, merged categories, and PRAM."""

from __future__ import annotations

from functools import partial

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import quoted
from sdcwidgets._util.parameters import Parameter, Range, StochasticMatrix
from sdcwidgets.core.microdata.keys import MISSING
from sdcwidgets.dashboards.microdata.result import MicrodataResult
from sdcwidgets.dashboards.microdata.state import KINDS, MicrodataState, Recode
from sdcwidgets.microdata.data import Variable
from sdcwidgets.microdata.roles import NO_ROLE
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import Part, reveal, settings_control
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.ticks import MOST_TICKED, Ticks

#: Maximum number of categories of a variable with a transition matrix.
MOST_OF_MATRIX = 8

#: Defaults of a recoding: number of classes, and share of the records beyond the boundary of top or bottom coding.
INTERVALS, END = 5, 0.05


def recoding(study: Study[MicrodataState, MicrodataResult]) -> Part[MicrodataResult]:
    """Return the controls that recode a variable, and the function that updates them."""
    ticks, message = Ticks(), Text()
    kinds = {"none": "no recoding"} | {name: kind.title for name, kind in KINDS.items()}
    how = Control(Parameter("how", str, "none", "Recoding", choices=kinds))
    redrawn = Control(
        Parameter(
            "redrawn",
            float,
            0.0,
            "PRAM probability",
            "Probability that a value of the variable is replaced by a random value from the file. The "
            "shares of the values are preserved on average.",
            range=Range(0.0, 1.0, 0.01),
        )
    )
    matrix = Control(
        Parameter(
            "matrix",
            str,
            "",
            "PRAM transition matrix",
            "Probabilities of the new categories: one row per original category, commas between "
            "probabilities, and semicolons between rows.",
        )
    )
    within = settings_control(study, "pram_within")
    keys = study.state.keys
    which = Control(_which(keys, "age" if "age" in keys else keys[-1]))
    where = Control(_number("intervals", INTERVALS, 2, 50))
    #: Variable with merged categories, variable of the visible tick boxes, and the recoding of the control `where`.
    grouping, ticked, requested = "", "", None

    def put(recode: Recode | None) -> None:
        study.put(study.state.recoded(which.value, recode), gesture="recode")

    def look_at(name: str) -> None:
        which.show(name)
        show(study.result)

    def choose(kind: str) -> None:
        nonlocal grouping
        name = which.value
        start = None if kind in ("none", "groups") else _start(study.result.original[name], kind)
        put(None if start is None else Recode(kind, start))
        grouping = name if kind == "groups" else ""
        show(study.result)

    def merge() -> None:
        study.put(study.state.grouped(which.value, ticks.ticked))

    groups = Actions({"Merge selected": merge, "Undo merge": partial(put, None)})
    which.on_change(look_at)
    how.on_change(choose)
    where.on_change(lambda value: put(Recode(how.value, value)))
    redrawn.on_change(lambda share: study.put(study.state.randomised(which.value, share), gesture="pram"))
    matrix.on_change(lambda text: study.put(study.state.randomised(which.value, _rows(text))))

    def show(result: MicrodataResult) -> None:
        nonlocal ticked, requested
        state, able = result.state, _recodable(result)
        name = which.value if which.value in able else state.keys[-1]
        which.become(_which(able, name), name)
        recode, share = dict(state.recodes).get(name), dict(state.pram).get(name, 0.0)
        kind = "none"
        if recode is not None:
            kind = recode.how
        elif grouping == name:
            kind = "groups"
        how.show(kind)
        rows = () if isinstance(share, float) else share
        redrawn.show(share if isinstance(share, float) else 0.0)
        matrix.show("; ".join(", ".join(f"{probability:g}" for probability in row) for row in rows))
        reveal(len(result.recoded[name].labels) <= MOST_OF_MATRIX, matrix)
        reveal(state.pram and result.file.strata, within)
        before, requested = requested, None
        if recode is not None and kind != "groups":
            original = result.original[name]
            requested = kind, name, original.labels
            if before != requested:
                where.become(_where(original, kind), recode.at)
            where.show(recode.at)
        reveal(requested, where)
        labels = result.file[name].labels if kind == "groups" else ()
        if ticked != name:
            ticked = name
            ticks.clear()
        ticks.show(labels)
        reveal(ticks.children, groups)
        message.show(
            f"The variable {name} has too many categories to select ({len(labels):,}). Use classes, or top "
            f"or bottom coding."
            if len(labels) > MOST_TICKED
            else ""
        )

    return (which, how, where, message, ticks, groups, redrawn, matrix, within), show


def _rows(text: str) -> float | tuple[tuple[float, ...], ...]:
    """Return the transition matrix in a text, 0 if the text is empty."""
    try:
        return StochasticMatrix(optional=True).parse(text) or 0.0
    except InputError:
        raise
    except ValueError:
        raise InputError(
            f"The transition matrix is {quoted(text)}; it must be {StochasticMatrix().expected}."
        ) from None


def _recodable(result: MicrodataResult) -> tuple[str, ...]:
    """Return the key variables, followed by other variables that can be recoded."""
    file, keys = result.original, result.state.keys
    others = (
        name
        for name, variable in file.variables.items()
        if name not in keys
        and file.roles.of(name) in (NO_ROLE, "sensitive", "strata")
        and not variable.identifies
    )
    return (*keys, *others)


def _which(keys: tuple[str, ...], start: str) -> Parameter:
    return Parameter("which", str, start, "Variable to recode", choices={key: key for key in keys})


def _whole(variable: Variable) -> tuple[int, int]:
    """Return the smallest and the largest integer in the range of a variable."""
    numbers = variable.categories.astype(np.float64)
    low, high = int(np.ceil(numbers[0])), int(np.floor(numbers[-1]))
    if low >= high:
        raise InputError(
            f"{quoted(variable.name)} has no integers for top or bottom coding. Use classes instead."
        )
    return low, high


def _start(variable: Variable, kind: str) -> int | str:
    """Return the initial setting of a recoding; top and bottom coding affect a small share of the records."""
    if kind in ("intervals", "quantiles"):
        return INTERVALS
    seen = variable.categories[variable.codes[variable.codes != MISSING]]
    if variable.numeric:
        seen = seen.astype(np.float64)
    elif kind == "cuts":
        raise InputError(
            f"{quoted(variable.name)} is not numeric, so it has no classes. Merge its categories instead."
        )
    elif len(variable.labels) < 2:
        raise InputError(f"{quoted(variable.name)} has only one category, so there is nothing to merge.")
    else:
        return variable.labels[-2 if kind == "top" else 1]
    if kind == "cuts":
        quarters = np.unique(np.quantile(seen, [0.25, 0.5, 0.75], method="nearest"))
        return ", ".join(f"{at:g}" for at in quarters.tolist())
    at = np.quantile(seen, 1 - END if kind == "top" else END)
    return int(np.clip(np.floor(at), *_whole(variable)))


def _where(variable: Variable, kind: str) -> Parameter:
    """Return the declaration of the boundary of a recoding, in numbers or categories of the variable."""
    if kind in ("intervals", "quantiles"):
        return _number(kind, INTERVALS, 2, 50)
    label = KINDS[kind].asks
    if kind == "cuts":
        return Parameter(
            "where", str, "", label, "Enter the class boundaries as increasing numbers, separated by commas."
        )
    if variable.numeric:
        low, high = _whole(variable)
        return _number(kind, low, low, high)
    labels = variable.labels
    return Parameter("where", str, labels[0], label, choices=dict(zip(labels, labels, strict=True)))


def _number(kind: str, start: int, low: int, high: int) -> Parameter:
    return Parameter("where", int, start, KINDS[kind].asks, range=Range(low, high))
