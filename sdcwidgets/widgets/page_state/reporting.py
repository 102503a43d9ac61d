"""Reports of pages without release limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sdcwidgets._util.seeds import GUESSED
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.script import is_file_name
from sdcwidgets.assessment.verdict import Verdict, judge
from sdcwidgets.methods import Method
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.sources import Example, File, Source, layout_name
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.page_state.table_state import TableState

#: Note on tables whose random numbers depend on a number on the screen.
SMALL_SEED = (
    "For learning only, not for publication: the random seed is a small number, which can be guessed. "
    "Anyone who tries all small seeds can find the original counts."
)


def report_on(
    state: TableState,
    release: Release | None = None,
    method: Method | None = None,
    *,
    verdict: Verdict | None = None,
    seed: int | None = None,
) -> Report:
    """Return the report on the release of a page; without a release, on the original table, which is internal.

    Without a verdict, the report only compares. Magnitude tables have no verdict. If the seed is a small number, a note
    warns that it can be guessed.

    Examples
    --------
    >>> report = report_on(TableState.of_example("religion"))
    >>> report.answer
    'The risk of the original table is 0.2315. Set limits to get a release decision.'
    >>> report.internal, report.true
    (True, [])
    """
    table = state.table
    if verdict is None and state.source.unit == "people":
        verdict = judge(table, release, settings=state.settings)
    if release is not None and seed is not None and seed < GUESSED:
        release = replace(release, notes=(*release.notes, SMALL_SEED))
    return Report(
        Release.of(table) if release is None else release,
        verdict,
        method,
        title_of(state),
        examples.get(state.source.name).source if isinstance(state.source, Example) else "",
        state.source.notes,
        table=table,
        seed=seed,
        as_read=state.source.as_read,
        internal=release is None,
        **_file_of(state.source),
    )


def title_of(state: TableState) -> str:
    """Return the title of a table in its file, or otherwise the name of its source."""
    layout = state.source.as_read
    return layout.above[0] if layout is not None and layout.above else state.title


def _file_of(source: Source) -> dict[str, Any]:
    """Return the name of a file that was opened, and the arguments with which Python reads this file."""
    if not isinstance(source, File):
        return {"file": source.title} if is_file_name(source.title) else {}
    options = source.how.changed() if source.layout is None else {"layout": layout_name(source.name)}
    return {"file": source.name, "read_options": options}
