"""Compute the quantities of a page state, for the goals of tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import declared
from sdcwidgets.teaching.course.course import CourseStep, Opening
from sdcwidgets.widgets.page_state.links import decode

if TYPE_CHECKING:
    from sdcwidgets.dashboards.sample.state import SampleState
    from sdcwidgets.methods.base import Method
    from sdcwidgets.widgets.page_state.table_state import TableState

S = TypeVar("S", bound="TableState")
Saved = dict[str, object] | None
Values = dict[str, float]


def quantities(opening: Opening, start: Opening) -> Values:
    """Return the quantities of a page state.

    Parameters
    ----------
    opening : Opening
        The state.
    start : Opening
        The initial state of the task, which defines the table and the settings of measures.

    Raises
    ------
    InputError
        If a link is damaged, or if it contains another table than the task.

    Examples
    --------
    >>> found = quantities(Opening("attack"), Opening("attack"))
    >>> found
    {'found': 0.0, 'right': 0.0, 'points': 100.0}
    """
    measure = _PAGES.get(opening.page)
    if measure is None or opening.page != start.page:
        raise InputError(f"A goal cannot be checked on the page {opening.page}.")
    return {name: float(value) for name, value in measure(*map(_saved, (opening, start))).items()}


def met(step: CourseStep, state: str) -> tuple[bool, Values]:
    """Return whether a shared state meets the goal of a step, and its quantities."""
    if step.opening is None or not step.goal:
        raise InputError("This step has no goal.")
    values = quantities(Opening(step.opening.page, state), step.opening)
    return all(goal.met(values) for goal in step.goal), values


def setting(opening: Opening) -> str:
    """Return the protection method of a state with its settings, or "".

    Examples
    --------
    >>> setting(Opening("attack"))
    ''
    """
    saved = _saved(opening)
    if saved is None:
        return ""
    if opening.page == "protect":
        from sdcwidgets.dashboards.protect.state import ProtectState

        method = ProtectState.from_state(saved).method
        return _turned(method)
    if opening.page == "rounding":
        from sdcwidgets.dashboards.rounding.state import RoundingState
        from sdcwidgets.dashboards.rounding.texts import NAMES

        now = RoundingState.from_state(saved)
        return f"{NAMES[now.method]}, base {now.rounding.base}"
    if opening.page == "cell_key":
        from sdcwidgets.dashboards.cell_key.state import CellKeyState

        return _turned(CellKeyState.from_state(saved).noise)
    if opening.page == "who":
        from sdcwidgets.dashboards.who.state import WhoState

        return f"published ({', '.join(map(str, WhoState.from_state(saved).after))})"
    return ""


def _turned(method: Method) -> str:
    """Return a method with as many settings as fit into 120 characters."""
    settings = [
        f"{field.label} {getattr(method, field.name)}"
        for field in declared(type(method))
        if field.kind is None
    ]
    text = method.title
    for setting in settings:
        if len(text) + len(setting) > 120:
            return f"{text} …"
        text = f"{text}, {setting}"
    return text


def _saved(opening: Opening) -> Saved:
    return decode(opening.state) if opening.state else None


def _both(kind: type[S], saved: Saved, start: Saved, begin: Callable[[], S]) -> tuple[S, S]:
    """Return the state and the initial state; raise InputError if their tables differ."""
    first = begin() if start is None else kind.from_state(start)
    now = first if saved is None else kind.from_state(saved)
    if now.table != first.table:
        raise InputError("This table does not belong to the task. Select “Restart this step”.")
    return now, first


def _explore(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.assessment.assessment import Assessment
    from sdcwidgets.widgets.page_state.table_state import TableState

    first = TableState.of_example("religion") if start is None else TableState.from_state(start)
    now = first if saved is None else TableState.from_state(saved)
    assessment = Assessment.of(now.table, first.settings)
    counts, same = now.table.counts, now.table.counts.shape == first.table.counts.shape
    return {
        "risk": np.max(assessment.whole_slice.r1),
        "highest row": 0.0 if assessment.rows is None else np.max(assessment.rows.r1),
        "people": counts.sum(),
        "zeros": (counts == 0).sum(),
        "ones": (counts == 1).sum(),
        "moved": np.abs(counts - first.table.counts).sum() / 2 if same else np.inf,
    }


def _protect(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.assessment.replications import Run
    from sdcwidgets.dashboards.protect.result import compute, improve
    from sdcwidgets.dashboards.protect.state import ProtectState
    from sdcwidgets.measures import get

    now, first = _both(ProtectState, saved, start, lambda: ProtectState.of_example("religion"))
    # The task determines the limits, and accepted rule violations count as violations.
    # The task determines the measures and the number of replicates, even if other ones are selected on the page.
    settings = replace(first.settings, seed=now.settings.seed)
    names = ("r2", "hellinger")
    now = replace(now, limits=first.limits, risk=names[0], loss=names[1], accepted=(), settings=settings)
    result = compute(now)
    for better in improve(now, result):
        result = better
        if result.index == now.shown and result.checked:
            break
    risk, loss = (get(name).lines(first.table, settings)[0] for name in names)
    # Only these two measures, because a class asks for many checks.
    run = Run(now.table, now.method, settings, measures=(), more=(risk, loss))
    run.draw()
    means = run.result().whole_slice
    return {
        "risk": result.of_shown(risk),
        "loss": result.of_shown(loss),
        "expected risk": means[risk].mean[0],
        "expected loss": means[loss].mean[0],
        "suppressed cells": result.published.suppressed.sum(),
        "violations": len(result.verdict.stops),
    }


def _suppression(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.suppression.result import compute
    from sdcwidgets.dashboards.suppression.state import SuppressionState

    now, first = _both(SuppressionState, saved, start, SuppressionState)
    # The intruder is the one of the task, even if another one is selected on the page.
    result = compute(replace(now, requirements=replace(now.requirements, reader=first.requirements.reader)))
    values = result.values[result.mask]
    return {
        "suppressed cells": result.mask.sum(),
        "recalculable cells": (values <= 1).sum(),
        "possible values": values.min() if values.size else np.inf,
        "initially suppressed cells": len(set(first.hidden) & set(now.hidden)),
        "suppressed people": now.sheet.full[result.mask & now.sheet.leaf].sum(),
    }


def _attack(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.attack.result import compute
    from sdcwidgets.dashboards.attack.state import AttackState

    now, first = _both(AttackState, saved, start, AttackState)
    if (now.case, now.protection) != (first.case, first.protection):
        raise InputError("This case does not belong to the task. Select “Restart this step”.")
    result = compute(now)
    return {"found": result.solved, "right": result.right, "points": result.score}


def _who(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.who.result import compute
    from sdcwidgets.dashboards.who.state import WhoState

    first = WhoState() if start is None else WhoState.from_state(start)
    now = first if saved is None else WhoState.from_state(saved)
    if now.before != first.before:
        raise InputError("These original counts do not belong to the task. Select “Restart this step”.")
    result = compute(now)
    size = result.sizes["closest"]
    return {
        "assignments": 10.0**size.digits if size.exact is None else size.exact,
        "uncertainty": result.left_closest,
        "people": sum(now.after),
        "changed": sum(count != published for count, published in zip(now.before, now.after, strict=True)),
    }


def _rounding(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.rounding.result import compute
    from sdcwidgets.dashboards.rounding.state import RoundingState

    now, _ = _both(RoundingState, saved, start, lambda: RoundingState.of_example("handbook-5-18"))
    rounded = compute(now).chosen
    return {
        "base": now.rounding.base,
        "nonadditive totals": rounded.nonadditive,
        "distance": rounded.distance,
    }


def _cell_key(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.cell_key.result import compute
    from sdcwidgets.dashboards.cell_key.state import CellKeyState

    now, _ = _both(CellKeyState, saved, start, lambda: CellKeyState.of_example("religion"))
    result = compute(now)
    original = result.original.counts
    noise = np.abs(result.release.cells - original)
    return {"noise": noise.max(), "changed": (noise[original > 0] > 0).mean(), "asks": now.asks}


def _sample(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.sample.result import compute
    from sdcwidgets.dashboards.sample.state import SampleState

    now, first = _both(SampleState, saved, start, lambda: SampleState.of_example("religion"))
    result = compute(now)
    is_population = result.truth is not None
    return {
        "expected risk": _mean_risk_of_samples(now, first) if is_population else np.nan,
        "fraction": result.sampled / result.people,
        "sampled": result.sampled,
        "risk": np.nan if result.truth is None else result.truth,
        "uniques": (result.sample.counts == 1).sum(),
    }


def _mean_risk_of_samples(now: SampleState, first: SampleState) -> float:
    """Return the mean residual risk R₂ of 1,000 samples with the design and the sampling fraction of a state."""
    from sdcwidgets.assessment.replications import Run
    from sdcwidgets.measures import get as get_measure
    from sdcwidgets.methods import get as get_method

    settings = replace(first.settings, replications=1_000)
    kind: Any = get_method(now.sampling.design)
    risk = get_measure("r2").lines(now.table, settings)[0]
    run = Run(now.table, kind(fraction=now.sampling.fraction), settings, measures=(), more=(risk,))
    run.draw()
    return float(run.result().whole_slice[risk].mean[0])


def _tables(saved: Saved, start: Saved) -> Values:
    from sdcwidgets.dashboards.tables.result import compute
    from sdcwidgets.dashboards.tables.state import TablesState
    from sdcwidgets.tables.release import Release

    first = TablesState() if start is None else TablesState.from_state(start)
    now = first if saved is None else TablesState.from_state(saved)
    if (now.rules, now.method, now.settings.stage) != (first.rules, first.method, first.settings.stage):
        raise InputError("These rules or this method do not belong to the task. Select “Restart this step”.")
    result = compute(now.set(door="agency"))
    released = sum(isinstance(request.answer, Release) for request in result.server.log)
    return {
        "released": released,
        "refused": len(result.server.log) - released,
        "disclosed groups": sum(group.certain for group in result.learnt),
    }


_PAGES: Mapping[str, Callable[[Saved, Saved], Values]] = {
    "explore": _explore,
    "protect": _protect,
    "suppression": _suppression,
    "attack": _attack,
    "who": _who,
    "rounding": _rounding,
    "cell_key": _cell_key,
    "sample": _sample,
    "tables": _tables,
}
