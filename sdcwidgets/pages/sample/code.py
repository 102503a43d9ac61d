"""The Python code that computes what the page shows."""

from __future__ import annotations

from sdcwidgets.as_code import script
from sdcwidgets.pages.sample.state import SampleState


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
    return script(
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
    )
