"""Widget that runs a simulation study: button, progress bar and results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import ipywidgets

from sdcwidgets.teaching.reproduction.sample_study import Progress, SampleStudy
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.page import Text

if TYPE_CHECKING:
    import pandas as pd


def run_study(study: SampleStudy) -> ipywidgets.VBox:
    """Return a button that continues a study, its progress and its current results.

    A study with a file continues where it stopped, also in another session.

    Examples
    --------
    >>> _, told, shown = run_study(SampleStudy(samples=2, populations=2)).children
    >>> told.value
    '0 of 32 populations are done.'
    """
    status, results = Text(), ipywidgets.HTML()

    def show(progress: Progress) -> None:
        status.show(f"{progress.done:,} of {progress.total:,} populations are done.")
        means = study.result()
        if len(means):
            results.value = _results_text(means).to_html(index=False, border=0)

    def steps() -> Iterator[Progress]:
        yield from study.run(workers=1)

    def start() -> None:
        actions.work(steps(), show, lambda: None, study.remaining_chunks + 1)

    def stop() -> None:
        actions.stop()

    actions = Actions({"Run the simulation study": start, "Stop": stop})
    show(study.progress)
    return ipywidgets.VBox([actions, status, results])


def _results_text(means: pd.DataFrame) -> pd.DataFrame:
    """Return the estimates, the published values, and the standard errors of their differences as text.

    A small study generates only a few populations, so their rows have no standard error.
    """
    texts = means[["population", "fraction", "risk"]].copy()
    for name, column in (("here", "mean"), ("print", "print, mean"), ("error", "its error")):
        texts[name] = means[column].map("{:.4f}".format)
    texts.loc[means["population"] != "Real table", "error"] = "–"
    return texts
