"""Reports of pages without release limits."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from sdcwidgets._util.labels import and_more
from sdcwidgets._util.seeds import GUESSED
from sdcwidgets.assessment.report import Report
from sdcwidgets.assessment.report.script import is_file_name
from sdcwidgets.assessment.verdict import Verdict, judge
from sdcwidgets.methods import Method
from sdcwidgets.tables import examples
from sdcwidgets.tables.io.sources import Example, File, InMemorySource, Paste, Source
from sdcwidgets.tables.io.writers.as_read import AsRead
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.unnamed import names_for_readers
from sdcwidgets.widgets.page_state.table_state import TableState

#: Title of a table without a file and without a title.
UNNAMED = InMemorySource().title

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
    if release is not None:
        release = release.with_facts_of(table)
    if release is not None and seed is not None and seed < GUESSED and not release.exact:
        release = replace(release, notes=(*release.notes, SMALL_SEED))
    return Report(
        Release.of(table) if release is None else release,
        verdict,
        method,
        title_of(state, release),
        examples.get(state.source.name).source if isinstance(state.source, Example) else "",
        state.source.notes,
        table=table,
        seed=seed,
        as_read=layout_for(state, release),
        totals=state.source.totals or state.source.as_read is None,
        internal=release is None,
        **_file_of(state.source),
    )


def title_of(state: TableState, release: Release | None = None) -> str:
    """Return the title of a table in its file, or of an example, or otherwise a title with the names of the axes.

    The name of a file can contain a count or the name of a person, and it is never the title of a release. A title is
    not repeated if it contains an original count that the release does not show; without a release, none is shown.

    Examples
    --------
    >>> from sdcwidgets.tables.table import FrequencyTable
    >>> from sdcwidgets.tables.io.sources import InMemorySource
    >>> table = FrequencyTable([[1, 2], [3, 4]], {"Area": ["A", "B"], "Sex": ["f", "m"]})
    >>> title_of(TableState(table, InMemorySource("anna.xlsx")))
    'People by Area and Sex'
    """
    source = state.source
    layout = layout_for(state, release)
    title = "" if layout is None else layout.title(release)
    if title:
        return title
    is_titled = not isinstance(source, File | Paste) and not is_file_name(source.title)
    if is_titled and source.title != UNNAMED and not _names_removed_axis(source.title, release):
        return source.title
    return _title_of_axes(state, release)


def layout_for(state: TableState, release: Release | None) -> AsRead | None:
    """Return the layout of the table in its file, with another title if the title names a variable that was removed.

    A title that a user edited stays.
    """
    layout = state.as_read
    if layout is None or not layout.above or layout.above[0] in dict(layout.edits):
        return layout
    if not _names_removed_axis(layout.title(release), release):
        return layout
    return layout.with_text(layout.above[0], _title_of_axes(state, release))


def _names_removed_axis(title: str, release: Release | None) -> bool:
    """Return whether a title has the name of a variable whose categories are all merged."""
    removed = () if release is None else release.removed_axes
    return any(re.search(rf"\b{re.escape(name)}\b", title, re.IGNORECASE) for name in removed)


def _title_of_axes(state: TableState, release: Release | None) -> str:
    """Return a title with the names of the axes, without variables that were removed."""
    removed = () if release is None else release.removed_axes
    names = names_for_readers([axis.name for axis in state.table.axes if axis.name not in removed])
    unit = f"{state.unit[:1].upper()}{state.unit[1:]}"
    return f"{unit} by {and_more(names, 8)}" if names else unit


def _file_of(source: Source) -> dict[str, Any]:
    """Return the name of a file that was opened, and the arguments with which Python reads this file."""
    if isinstance(source, File) or is_file_name(source.title):
        return {"file": source.title, "read_options": source.read_arguments}
    return {}
