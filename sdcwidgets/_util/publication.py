"""Rules for published files: which settings they name, and which files are internal.

A file for data users holds four things: the released values, the name of the method, the public settings of the
method, and figures computed from the release alone. A data user who knows the program can list all tables that
fit a release, and drop each table for which the program would have written another figure. Any figure that
follows from the original counts therefore narrows the released intervals, also when it is rounded.

Everything else is internal: residual disclosure risk, information loss, risk before protection, the verdict and its
limits, accepted rule violations, settings that were compared, notes on how the source was read, the replicate that was
selected, seeds and secrets. An internal file has the word "internal" in its name and `FIRST_LINE` as its first line.

Settings meant for publication describe the mechanism: the base of rounding, a threshold, the largest noise of
cell keys. A data user needs them to interpret the values, and the published intervals assume that they are
known. The following settings are not published: seeds and secrets; the rate and the targets of record swapping,
because they disclose how probably a record is original; transition matrices, because an invariant matrix is
computed from the original counts; and settings that only control a solver. Settings of a method that is not
listed here are not published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import Enum
from importlib.metadata import version
from pathlib import PurePath
from typing import TYPE_CHECKING

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.parameters import AxisNames, Parameter, declared

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any

#: Word in the name of each internal file.
INTERNAL = "internal"

#: First line of each internal file. It has no comma, so that it is one cell of a CSV file.
FIRST_LINE = (
    "Internal: this file contains original counts, or figures that follow from original counts. Do "
    "not publish this file."
)

#: Statement on a method in files of a table without protection.
ORIGINAL = "Original counts: no protection method was applied."

#: Public settings of each method.
PUBLISHED_SETTINGS: Mapping[str, frozenset[str]] = {
    "barnardisation": frozenset({"p"}),
    "cell-key": frozenset({"D", "V", "js", "margins", "cell_keys"}),
    "cell-suppression": frozenset({"threshold"}),
    "controlled-rounding": frozenset({"base", "steps", "goal", "group"}),
    "controlled-tabular-adjustment": frozenset({"threshold", "width"}),
    "conventional-rounding": frozenset({"base", "margins"}),
    "post-randomisation": frozenset({"redrawn", "axis", "invariant"}),
    "random-rounding": frozenset({"base", "margins"}),
    "record-swapping": frozenset({"axis", "strata"}),
    "redesign": frozenset({"all_variables", "axis", "smallest", "together", "zeros"}),
    "semi-controlled-rounding": frozenset({"base", "totals"}),
    "simple-random-sampling": frozenset({"fraction"}),
    "small-cell-adjustment": frozenset({"base"}),
    "stochastic-perturbation": frozenset({"residual_base", "invariant"}),
    "stratified-sampling": frozenset({"fraction", "strata", "allocation"}),
    "targeted-record-swapping": frozenset({"axis", "strata"}),
    "threshold-suppression": frozenset({"threshold", "zeros"}),
}

#: Settings of each method that are kept internal. A test checks that each setting is in one of the two lists.
INTERNAL_SETTINGS: Mapping[str, frozenset[str]] = {
    "cell-key": frozenset({"pstay", "monotone", "p_table"}),
    "cell-suppression": frozenset({"width", "cost", "coalition", "choice", "non_hierarchical"}),
    "controlled-rounding": frozenset({"effort", "choice"}),
    "post-randomisation": frozenset({"matrix"}),
    "record-swapping": frozenset({"rate"}),
    "stochastic-perturbation": frozenset({"matrix"}),
    "targeted-record-swapping": frozenset({"rate", "k", "at_risk"}),
}


class Audience(Enum):
    """The readers that a file is made for."""

    #: Data users. The file follows from the release alone.
    PUBLIC = "public"
    #: The agency. The file has an internal name and `FIRST_LINE`.
    INTERNAL = "internal"
    #: The caller of a library function that writes the object it receives.
    CALLER = "caller"
    #: Anyone. The file contains no counts of an agency, for example a course or a p-table.
    ANY = "any"
    #: A program of the agency that reads the file again: stored generators, record keys.
    STORE = "store"


def is_published(method: str, setting: str) -> bool:
    """Return whether a setting of a method may be published.

    Parameters
    ----------
    method : str
        Name of the method.
    setting : str
        Name of the setting.

    Examples
    --------
    >>> is_published("random-rounding", "base"), is_published("record-swapping", "rate")
    (True, False)
    """
    return setting in PUBLISHED_SETTINGS.get(method, ())


def setting_texts(method: Any, *, internal: bool = False, axes: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return labels and values of the public settings of a method.

    Parameters
    ----------
    method : Method
    internal : bool
        Whether to return all settings.
    axes : sequence of str
        Names of the axes of the table, in place of the words "rows" and "columns".

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> [value for _, value in setting_texts(methods.get("threshold-suppression")())]
    ['3', 'no']
    """
    values = [
        (setting, _axis_name(setting, getattr(method, setting.name), axes))
        for setting in declared(type(method))
        if internal or is_published(method.name, setting.name)
    ]
    # An empty tuple is a setting without content, such as groups of categories if the user selected none.
    return [
        (setting.label, _setting_text(setting.choices.get(value, value) if isinstance(value, str) else value))
        for setting, value in values
        if value not in ((), "")
    ]


def _axis_name(setting: Parameter, value: object, axes: Sequence[str]) -> object:
    """Return the value of a setting, with the name of the axis that "rows" or "columns" refers to."""
    if not isinstance(setting.kind, AxisNames) or not axes:
        return value
    ends = {"rows": axes[0], "columns": axes[-1]} | {name: name for name in axes}
    if isinstance(value, tuple):
        return tuple(ends.get(name, name) for name in value)
    return ends.get(str(value), value)


def _setting_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        nested = bool(value) and isinstance(value[0], tuple)
        return "; ".join(map(_setting_text, value)) if nested else ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def creation_text() -> str:
    """Return today's date and the versions of the packages that compute a release."""
    return f"{date.today().isoformat()}, sdcwidgets {version('sdcwidgets')}, numpy {version('numpy')}"


def method_lines(
    method: Any | None, *, is_original: bool = False, axes: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """Return names and texts on a method in a file for data users: its title and its public settings.

    Parameters
    ----------
    method : Method, optional
    is_original : bool
        Whether the file contains original counts, which it then states.
    axes : sequence of str
        Names of the axes of the table, in place of the words "rows" and "columns".

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> method_lines(methods.get("conventional-rounding")(base=5))[:2]
    [('Method', 'Conventional rounding'), ('Rounding base b', '5')]
    """
    if method is None:
        return [("Method", ORIGINAL)] if is_original else []
    return [("Method", method.title), *setting_texts(method, axes=axes)]


def file_notes(title: str, lines: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the notes that text files of a page contain below the notes of the release.

    Workbooks contain the same in their first line and in the sheet on the method.

    Parameters
    ----------
    title : str
        Title of the table.
    lines : sequence of (str, str)
        Lines on the method, as of `method_lines`.

    Examples
    --------
    >>> file_notes("Areas", [("Method", "Rounding"), ("Base", "5")])
    ('Table: Areas', 'Method: Rounding; Base: 5')
    """
    table = f"Table: {title}"
    if not lines:
        return (table,)
    return table, "; ".join(f"{name}: {text}" for name, text in lines)


def internal_name(name: str) -> str:
    """Return the name of an internal file that a page saves.

    Examples
    --------
    >>> internal_name("report.html"), internal_name("internal-report.html")
    ('internal-report.html', 'internal-report.html')
    """
    return name if INTERNAL in name.lower() else f"{INTERNAL}-{name}"


def check_internal(path: str | PathLike[str] | None) -> None:
    """Raise InputError unless the name of an internal file contains "internal".

    Parameters
    ----------
    path : str, path or None
        File name from the user; None for the standard output.

    Raises
    ------
    InputError
        If the name of the file does not contain "internal".
    """
    if path is None or str(path) == "-" or INTERNAL in PurePath(path).name.lower():
        return
    name = PurePath(path).name
    raise InputError(
        f'{name} would contain original counts or figures that follow from them. Put "{INTERNAL}" into its name, '
        f"for example {internal_name(name)}."
    )


def internal_text(text: str, ending: str = ".txt") -> str:
    r"""Return the text of an internal file with its first line.

    Parameters
    ----------
    text : str
        Text of the file.
    ending : str
        Ending of the file name; in .html and .py files the line is a comment.

    Examples
    --------
    >>> internal_text("Area,Count\n", ".csv").splitlines()[1], internal_text("", ".py")[:12]
    ('Area,Count', '# Internal: ')
    """
    line = {".html": f"<!-- {FIRST_LINE} -->", ".py": f"# {FIRST_LINE}"}.get(ending.lower(), FIRST_LINE)
    return f"{line}\n{text}"


def without_first_line(content: bytes) -> bytes:
    """Return the content of a text file without the first line of an internal file."""
    mark, bom = FIRST_LINE.encode(), b"\xef\xbb\xbf"
    start = content.removeprefix(bom)
    if not start.startswith(mark):
        return content
    rest = start[len(mark) :].lstrip(b",;\t ")  # spreadsheets add empty cells to the row
    for end in (b"\r\n", b"\n", b"\r"):
        if rest.startswith(end):
            return rest[len(end) :]
    return content if rest else b""


_PUBLIC, _INTERNAL = Audience.PUBLIC, Audience.INTERNAL
_CALLER, _ANY, _STORE = Audience.CALLER, Audience.ANY, Audience.STORE

#: Audience of the files that each function of the package writes or offers for download. A test finds all such
#: functions in the source code and fails if one is missing here.
WRITERS: Mapping[str, Audience | tuple[Audience, ...]] = {
    "sdcwidgets.cli._generator:_log": _INTERNAL,
    "sdcwidgets.cli._keys:run": _STORE,
    "sdcwidgets.cli._microdata_study:run": _ANY,
    "sdcwidgets.cli._secret:Secret.save": _STORE,
    "sdcwidgets.cli._suppression:put_suppressed": _PUBLIC,
    "sdcwidgets.cli._swap:run": (_PUBLIC, _INTERNAL),
    "sdcwidgets.cli.course:_write": _ANY,
    "sdcwidgets.cli.microdata:run": (_PUBLIC, _INTERNAL),
    "sdcwidgets.cli.protect:_write": _PUBLIC,
    "sdcwidgets.cli.protect:_p_table": _PUBLIC,
    "sdcwidgets.cli.protect:_write_all": _INTERNAL,
    "sdcwidgets.cli.suppress:_write": _PUBLIC,
    "sdcwidgets.cli.tables:_write": _PUBLIC,
    "sdcwidgets._util.csv_writing:csv_text": _CALLER,
    "sdcwidgets._util.files:put": _CALLER,
    "sdcwidgets._util.files:put_too": _CALLER,
    "sdcwidgets.microdata.data:Microdata.to_csv": _CALLER,
    "sdcwidgets.microdata.totter:TotterStudy._claim": _ANY,
    "sdcwidgets.microdata.totter:TotterStudy._write_sizes": _ANY,
    "sdcwidgets.microdata.totter:_Known.describe": _ANY,
    "sdcwidgets.microdata.totter:_append": _ANY,
    "sdcwidgets.dashboards.cell_key.page:_p_table_tab.load_handbook_p_table": _ANY,
    "sdcwidgets.dashboards.cell_key.page:_p_table_tab.save": _ANY,
    "sdcwidgets.dashboards.cell_key.page:_p_table_tab.shuffle": _ANY,
    "sdcwidgets.dashboards.microdata.page:_hidden.save": _PUBLIC,
    "sdcwidgets.dashboards.microdata.page:_hidden.tell": _INTERNAL,
    "sdcwidgets.dashboards.microdata.recoding:recoding": _ANY,
    "sdcwidgets.dashboards.microdata.recoding:recoding.choose": _ANY,
    "sdcwidgets.dashboards.protect.map:RiskMap._csv": _INTERNAL,
    "sdcwidgets.dashboards.protect.map:RiskMap._xlsx": _INTERNAL,
    "sdcwidgets.dashboards.protect.page:_draws.save_moves": _INTERNAL,
    "sdcwidgets.dashboards.protect.release:ReleaseCard._compare": _INTERNAL,
    "sdcwidgets.dashboards.protect.release:ReleaseCard._csv": _PUBLIC,
    "sdcwidgets.dashboards.protect.release:ReleaseCard._xlsx": _PUBLIC,
    "sdcwidgets.dashboards.protect.release:ReleaseCard.save_internal_report": _INTERNAL,
    "sdcwidgets.dashboards.protect.release:ReleaseCard.save_report": _PUBLIC,
    "sdcwidgets.dashboards.suppression.linked_tab:_own.save": _PUBLIC,
    "sdcwidgets.dashboards.suppression.page:_answer.save_csv": _PUBLIC,
    "sdcwidgets.dashboards.suppression.page:_answer.save_xlsx": _PUBLIC,
    "sdcwidgets.dashboards.tables.agency:log_of.export": _INTERNAL,
    "sdcwidgets.dashboards.tables.page:_log.export": _INTERNAL,
    "sdcwidgets.dashboards.tables.page:_published.as_csv": _PUBLIC,
    "sdcwidgets.dashboards.tables.page:_published.as_xlsx": _PUBLIC,
    "sdcwidgets.tables.release:Release.to_excel": _PUBLIC,
    "sdcwidgets.tables.release:Release.to_json_stat": _PUBLIC,
    "sdcwidgets.tables.release:Release.to_px": _PUBLIC,
    # These files distinguish primary from secondary suppressed cells, and primary cells have small counts.
    "sdcwidgets.tables.io.writers.argus:apriori_text": _INTERNAL,
    "sdcwidgets.tables.io.writers.argus:write_status": _INTERNAL,
    "sdcwidgets.tables.release:Release.to_sdmx_csv": _PUBLIC,
    "sdcwidgets.tables.io.writers.exchange:json_stat": _PUBLIC,
    "sdcwidgets.tables.io.writers.exchange:px": _PUBLIC,
    "sdcwidgets.tables.io.writers.exchange:sdmx_csv": _PUBLIC,
    "sdcwidgets.tables.io.writers.text:csv": _PUBLIC,
    "sdcwidgets.tables.linked_release:LinkedRelease.to_csv": _PUBLIC,
    "sdcwidgets.tables.linked_release:LinkedRelease.to_excel": _PUBLIC,
    "sdcwidgets.tables.io.writers.workbook:_book": _PUBLIC,
    "sdcwidgets.assessment.report.html:write": (_PUBLIC, _INTERNAL),
    "sdcwidgets.assessment.report.report:Report.workbook": _PUBLIC,
    "sdcwidgets.teaching.reproduction.sample_study:SampleStudy._write": _ANY,
    "sdcwidgets.server.kernel:_go_first": _ANY,
    "sdcwidgets.server.compressed_files:_packed": _ANY,
    "sdcwidgets.tables.table:FrequencyTable.to_csv": _CALLER,
    "sdcwidgets.tableserver.service:_written": _PUBLIC,
    "sdcwidgets.tableserver.tabulate.tabulator:Tabulator.save": _STORE,
    "sdcwidgets.widgets.actions:Actions.file": _CALLER,
    "sdcwidgets.widgets.page:Page.hand_over.save": (_PUBLIC, _INTERNAL),
    "sdcwidgets.widgets.source:SourceBar.__init__": _INTERNAL,
    "sdcwidgets.widgets.source:SourceBar._save_layout": _ANY,
    "sdcwidgets.tables.io.writers.workbook:workbook": _CALLER,
}

#: Audience of the files of browser modules. Links, pictures, prints and code of a user's table contain its
#: original counts by design, and the page marks them as internal. Modules of the caller save the data that
#: Python sends, or copy selected cells of the screen to the clipboard.
BROWSER_WRITERS: Mapping[str, Audience] = {
    "js/widgets/actions.js": _CALLER,
    "js/widgets/chart.js": _INTERNAL,
    "js/widgets/grid_edits.js": _CALLER,
    "js/widgets/page.js": _INTERNAL,
    "js/widgets/source.js": _INTERNAL,
    "js/widgets/state_file.js": _INTERNAL,
}
