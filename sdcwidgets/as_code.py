"""The Python code that computes what a screen shows, so that a screen can be checked and taken further."""

from __future__ import annotations

from dataclasses import fields

from sdcwidgets.assess import Settings
from sdcwidgets.parameters import declared
from sdcwidgets.sources import Code
from sdcwidgets.studies.base import TableState
from sdcwidgets.studies.protect import ProtectState
from sdcwidgets.studies.sample_state import SampleState

__all__ = ["assess_code", "protect_code", "sample_code"]


def assess_code(state: TableState) -> str:
    """Return the code for the assessment of a state before protection.

    Examples
    --------
    >>> print(assess_code(TableState.of_example("religion")))
    from sdcwidgets import assess, examples
    <BLANKLINE>
    table = examples.load('religion')
    assess(table).to_frame()
    """
    code = state.source.code(state.table)
    return "\n".join([_imports(code), "", *code.lines, f"assess(table{_options(state)}).to_frame()"])


def protect_code(state: ProtectState) -> str:
    """Return the code for the assessment of a state after protection, and for the table that is shown.

    Examples
    --------
    >>> print(protect_code(ProtectState.of_example("religion")))
    from sdcwidgets import assess, examples, methods
    import numpy as np
    <BLANKLINE>
    table = examples.load('religion')
    method = methods.get('random-rounding')(base=3, margins='sums')
    assess(table, method).to_frame()
    method.replicate(table, 1, np.random.default_rng(1))[-1]  # the draw that is shown
    """
    code = state.source.code(state.table)
    parameters = ", ".join(
        f"{one.name}={getattr(state.method, one.name)!r}" for one in declared(type(state.method))
    )
    return "\n".join(
        [
            _imports(code, "methods"),
            "import numpy as np",
            "",
            *code.lines,
            f"method = methods.get({state.method.name!r})({parameters})",
            f"assess(table, method{_options(state)}).to_frame()",
            f"method.replicate(table, {state.shown + 1}, np.random.default_rng({state.settings.seed}))[-1]"
            "  # the draw that is shown",
        ]
    )


def sample_code(state: SampleState) -> str:
    """Return the Python code that computes what the lab shows.

    Examples
    --------
    >>> print(sample_code(SampleState.of_example("religion")).splitlines()[-2])
    populations = draw_populations(f, N, 1000, rng, model='multinomial', margins=margins)
    """
    sampling = state.sampling
    if sampling.known == "sample":
        lines = [f"f, N = table.counts, {sampling.people}"]
    else:
        lines = [
            f"method = methods.get({sampling.design!r})(fraction={sampling.fraction!r})",
            f"f, N = method.apply(table, np.random.default_rng([{sampling.draw}, 0])).counts, table.total",
        ]
    return "\n".join(
        [
            "import numpy as np",
            "from sdcwidgets import FrequencyTable, examples, methods",
            "from sdcwidgets.core.estimate import draw_populations, sample_risk",
            "",
            *state.source.code(state.table).lines,
            *lines,
            f"rng = np.random.default_rng([{sampling.draw}, 1])",
            f"margins = {state.models[sampling.terms]}  # those that the log-linear model keeps",
            f"populations = draw_populations(f, N, 1000, rng, model={sampling.others!r}, margins=margins)",
            f'sample_risk(f, populations, {state.settings.weights}).mean  # and model="urn" for the other cloud',
        ]
    )


def _imports(code: Code, *more: str) -> str:
    return f"from sdcwidgets import {', '.join(sorted(['assess', *code.imports, *more], key=str.swapcase))}"


def _options(state: TableState) -> str:
    """Return the settings that are not at their defaults, as arguments."""
    default = Settings()
    changed = [
        f"{item.name}={getattr(state.settings, item.name)!r}"
        for item in fields(Settings)
        if getattr(state.settings, item.name) != getattr(default, item.name)
    ]
    return "".join(f", {option}" for option in changed)
