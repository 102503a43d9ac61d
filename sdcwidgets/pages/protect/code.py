"""The Python code that computes what the page shows."""

from __future__ import annotations

from sdcwidgets.as_code import arguments, imports, options, script
from sdcwidgets.pages.protect.state import ProtectState


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
    return script(
        imports(code, "methods"),
        "import numpy as np",
        "",
        *code.lines,
        f"method = methods.get({state.method.name!r})({arguments(state.method)})",
        f"assess(table, method{options(state)}).to_frame()",
        f"method.replicate(table, {state.shown + 1}, np.random.default_rng({state.settings.seed}))[-1]"
        "  # the draw that is shown",
    )
