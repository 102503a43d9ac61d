"""Published files follow from the release alone: an intruder lists all tables that fit, and reads every byte.

The intruder knows the program. For each table that fits the released values, the intruder writes the same files as the
agency would have written for that table, and drops the table if a file differs. What remains must be as many tables as
fit the released values alone.
"""

import inspect
import io
import itertools
import re
import zipfile
from dataclasses import replace
from html import unescape
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook
from sampling import one_of
from writers import browser_writers, writers

from screens import inside
from sdcwidgets import FrequencyTable, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.publication import (
    BROWSER_WRITERS,
    FIRST_LINE,
    INTERNAL_SETTINGS,
    PUBLISHED_SETTINGS,
    WRITERS,
    Audience,
    check_internal,
    internal_text,
    without_first_line,
)
from sdcwidgets.assessment.report import Alternative, Report, write
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main
from sdcwidgets.cli import protect as command
from sdcwidgets.dashboards.protect.result import compute as protect_compute
from sdcwidgets.dashboards.protect.state import ProtectState
from sdcwidgets.dashboards.suppression.optimiser import chosen
from sdcwidgets.dashboards.suppression.state import SuppressionState
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.tables.io.sources import InMemorySource
from sdcwidgets.tables.release import Release
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.reporting import title_of

ENDINGS = (".csv", ".txt", ".xlsx", ".px", ".json", ".sdmx.csv")

#: At most this many tables that fit are tried, the original among them.
MOST_TABLES = 16


def content_of(path: Path) -> bytes:
    """Return every byte of a file but times of writing; of a workbook those of all its parts."""
    content = path.read_bytes()
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"".join(name.encode() + archive.read(name) for name in archive.namelist())
    return re.sub(rb"\d{4}-\d\d-\d\d(T[\d:]+Z?)?", b"", content)


def report_of(release: Release, original: FrequencyTable, method) -> Report:
    """Return all that the agency has at hand when it writes the files of a release of this table."""
    verdict = judge(original, release, ReleaseLimits("Panel, May 2026", smallest_count=1))
    reasons = {stop.kind: "It is known." for stop in verdict.stops}
    return Report(
        release,
        verdict.accepting(reasons) if reasons else verdict,
        method,
        title="Areas",
        read=[f"The column of totals was left out: {original.counts.sum(axis=1).tolist()}."],
        alternatives=[
            Alternative("this", verdict.residual, verdict.loss, best=True, chosen=True),
            Alternative("other", verdict.before / 2, 1.0),
        ],
        table=original,
        seed=int(original.counts[0, 0]),
        by_hand=int(original.counts[-1, -1]),
    )


#: Ending of the file of each method of a release.
FILE_ENDINGS = {
    "to_csv": ".csv",
    "to_excel": ".xlsx",
    "to_px": ".px",
    "to_json_stat": ".json",
    "to_sdmx_csv": ".csv",
}


def written(report: Report, folder: Path) -> dict[str, bytes]:
    """Return the content of every public file of a release, by how it is written."""
    found = {}
    for ending in ENDINGS:
        for totals in (False, True):
            path = folder / f"out{ending}"
            command._write(report, totals, path)
            found[f"protect -o {ending} {totals}"] = content_of(path)
    write(report, folder / "report.html")
    found["report"] = content_of(folder / "report.html")
    release = report.release
    for name, function in inspect.getmembers(type(release), inspect.isfunction):
        # An .hst file is internal: it tells which suppressed cells have small counts.
        if "path" in inspect.signature(function).parameters and name != "to_hst":
            path = folder / f"out{FILE_ENDINGS[name]}"
            more = {"method": report.method} if "method" in inspect.signature(function).parameters else {}
            function(release, path, **more)
            found[f"Release.{name}"] = content_of(path)
    return found


def fitting(release: Release, original: FrequencyTable) -> list[FrequencyTable]:
    """Return tables of counts that fit all released values, the original first."""
    lower, upper = release.cell_bounds()
    ranges = [range(int(low), int(high) + 1) for low, high in zip(lower.ravel(), upper.ravel(), strict=True)]
    found = [original]
    for cells in itertools.islice(itertools.product(*ranges), 60_000):
        counts = np.reshape(cells, original.shape)
        sums = {(0, 1): counts, (0,): counts.sum(axis=1), (1,): counts.sum(axis=0), (): counts.sum()}
        inside = all(
            np.all((release.lower[kept] <= sums[kept]) & (sums[kept] <= release.upper[kept]))
            for kept in release.values
        )
        if inside and not np.array_equal(counts, original.counts):
            found.append(original.with_counts(counts))
            if len(found) == MOST_TABLES:
                break
    return found


def exact(tables: list[FrequencyTable]) -> int:
    """Return how many cells are the same in all of these tables."""
    counts = np.array([table.counts for table in tables])
    return int((counts == counts[0]).all(axis=0).sum())


def cases():
    """Yield methods and tables of 2 × 2 to 4 × 4."""
    rng = np.random.default_rng(5)
    sizes = ((2, 2), (3, 3), (4, 4))
    for name, settings in (
        ("cell-suppression", {}),
        ("conventional-rounding", {"base": 3}),
        ("controlled-rounding", {"base": 3}),
        ("random-rounding", {"base": 3}),
    ):
        for size in sizes:
            yield methods.get(name)(**settings), FrequencyTable(rng.poisson(4, size))


@pytest.mark.parametrize(("method", "original"), one_of(3, cases()))
def test_an_enumerating_intruder_learns_nothing_from_the_files_around_the_values(method, original, tmp_path):
    release = method.release(original, 2**60 + 1)
    tables = fitting(release, original)
    true = written(report_of(release, original, method), tmp_path)
    for name in true:
        assert FIRST_LINE.encode() not in true[name], name
    left = []
    for table in tables:
        files = written(report_of(release, table, method), tmp_path)
        assert [name for name in true if files[name] != true[name]] == []
        left.append(table)
    assert exact(left) == exact(tables)


@pytest.mark.slow
def test_the_same_intruder_finds_cells_in_the_internal_report():
    """The attack works: in a report that has risk and loss, one or more cells of twelve tables become exact."""
    more = 0
    for method, original in cases():
        release = method.release(original, 2**60 + 1)
        tables = fitting(release, original)
        numbers = [
            tuple(round(number, 4) for number in (one.verdict.residual, one.verdict.loss, one.verdict.before))
            for one in (report_of(release, table, method) for table in tables)
        ]
        left = [table for table, number in zip(tables, numbers, strict=True) if number == numbers[0]]
        more += exact(left) - exact(tables)
        assert f"{numbers[0][0]:.4f}" in html(replace(report_of(release, original, method), internal=True))
    assert more > 10


def own_methods():
    """Return the methods of the project; another package may have registered more."""
    return [name for name in methods.available() if methods.get(name).__module__.startswith("sdcwidgets.")]


def test_each_setting_of_each_method_is_for_publication_or_internal():
    for name in own_methods():
        settings = {setting.name for setting in declared(methods.get(name))}
        public, internal = PUBLISHED_SETTINGS.get(name, set()), INTERNAL_SETTINGS.get(name, set())
        assert public | internal == settings, name
        assert not public & internal, name
    assert {*PUBLISHED_SETTINGS, *INTERNAL_SETTINGS} == {*own_methods()}


def test_no_note_below_a_table_names_an_internal_setting():
    changed = {
        "rate": 0.37,
        "k": 7,
        "width": 11,
        "coalition": 2,
        "pstay": 0.25,
        "monotone": False,
        "effort": 2.0,
    }
    for name in own_methods():
        method = methods.get(name)()
        for setting in INTERNAL_SETTINGS.get(name, ()):
            if setting in changed:
                other = method.changed(setting, changed[setting])
                assert other != method
                assert other.note() == method.note(), (name, setting)
                release = Release.of(FrequencyTable([[3, 4], [5, 6]]))
                assert html(Report(release, method=other)) == html(Report(release, method=method))


def test_an_internal_file_says_so_in_its_name_and_first_line():
    check_internal(None)
    check_internal(Path("internal-report.html"))
    with pytest.raises(Exception, match=r"internal-moves\.csv"):
        check_internal(Path("/internal/moves.csv"))
    table = FrequencyTable([[1, 2], [3, 4]])
    for text in (table.to_csv(), table.to_csv().replace("\n", "\r\n"), "\ufeff" + table.to_csv()):
        marked = internal_text(text.removeprefix("\ufeff"), ".csv")
        assert FrequencyTable.from_csv(marked.encode("utf-8-sig")) == table
        assert without_first_line(marked.encode()) == text.removeprefix("\ufeff").encode()


def source_of(writer):
    module, _, name = writer.partition(":")
    found = import_module(module)
    for part in name.split("."):
        if part and hasattr(found, part):
            found = getattr(found, part)
    return inspect.getsource(found)


def test_every_writer_of_the_project_is_classified():
    assert writers() == {*WRITERS}
    assert browser_writers() == {*BROWSER_WRITERS}


def test_every_internal_writer_names_its_file_so():
    for writer, audience in WRITERS.items():
        audiences = audience if isinstance(audience, tuple) else (audience,)
        assert audiences, writer
        assert (Audience.INTERNAL not in audiences) or "internal" in source_of(writer), writer


def test_each_download_of_a_page_is_internal_in_its_name_or_has_no_internal_line():
    """A file that a page hands over has the word in its name exactly if its first line says so."""
    for name in ("explore", "protect", "suppression", "microdata", "rounding"):
        sent = []
        screen = import_module(f"sdcwidgets.dashboards.{name}").app()
        for actions in inside(screen, Actions):
            actions.send = lambda message, buffers=None, sent=sent: sent.append((message, buffers))
            for place, label in enumerate(actions.labels):
                if re.search("CSV|XLSX|HTML|text|code", label) and place < len(actions._actions):
                    actions._press(place)
        for message, buffers in sent:
            if message.get("type") != "file":
                continue
            content = bytes(buffers[0] if isinstance(buffers[0], bytes) else buffers[0].encode())
            if message["name"].endswith(".xlsx"):
                sheet = load_workbook(io.BytesIO(content)).worksheets[0]
                first = str(sheet["A1"].value)
            else:
                first = content.decode("utf-8-sig").splitlines()[0]
            assert (FIRST_LINE in first) == ("internal" in message["name"]), message["name"]


#: Pages with public files, each with a text of the method and a public setting of it. A file of records has one record
#: per line for programs, so it has no notes.
NOTED_PAGES = {
    "protect": ("Random rounding", "Rounding base b", "Random rounding to base 3"),
    "suppression": ("Cell suppression", "Threshold", "c: confidential."),
    "tables": ("Random rounding", "Rounding base b", "Random rounding to base 3"),
}
WITHOUT_NOTES = {"sdcwidgets.dashboards.microdata.page:_hidden.save"}

THREE_WAY = FrequencyTable(
    np.array([[[9, 2], [14, 30]], [[7, 8], [1, 12]], [[20, 11], [13, 6]]]),
    {"Area": ("a", "b", "c"), "Age": ("x", "y"), "Job": ("k", "l")},
)


def saved_by(name):
    """Return the name and the content of each file that a page hands over, except internal files."""
    module, sent = import_module(f"sdcwidgets.dashboards.{name}"), []
    if name == "tables":
        screen = module.app(TablesState().with_request())
        title = "Age by Citizenship"
    elif name == "suppression":
        state = SuppressionState(THREE_WAY, InMemorySource(), tables=(("Area", "Age"), ("Area", "Job")))
        pattern = chosen(state.sheet, state.request, 2**60 + 1)
        state = replace(state, hidden=tuple((int(row), int(column)) for row, column in np.argwhere(pattern)))
        screen, title = module.app(state), title_of(state)
        screen._page.turn_to(4)
    else:
        screen = module.app()
        title = screen._study.state.title
    for actions in inside(screen, Actions):
        actions.send = lambda message, buffers=None: sent.append((message, buffers))
        for place, label in enumerate(actions.labels):
            if re.search("CSV|XLSX|HTML", label) and place < len(actions._actions):
                actions._press(place)
    (page,) = inside(screen, Page)
    page.send = lambda message, buffers=None: sent.append((message, buffers))
    page._hear(page, {"type": "report"}, [])
    files = {}
    for message, buffers in sent:
        if message.get("type") == "file" and "internal" not in message["name"]:
            files[message["name"]] = buffers[0] if isinstance(buffers[0], bytes) else buffers[0].encode()
    return title, files


def text_of(name, content):
    """Return the texts of a file."""
    if not name.endswith(".xlsx"):
        return unescape(content.decode("utf-8-sig"))
    book = load_workbook(io.BytesIO(content))
    return " ".join(
        str(value) for sheet in book for row in sheet.iter_rows(values_only=True) for value in row
    )


@pytest.mark.parametrize("name", NOTED_PAGES)
def test_every_public_file_of_a_page_names_its_table_its_method_and_the_public_settings(name):
    title, files = saved_by(name)
    endings = sorted(Path(file).suffix for file in files)
    assert endings == sorted([".csv", ".html", ".xlsx", *([".csv"] if name == "suppression" else [])])
    for file, content in files.items():
        text = text_of(file, content)
        assert [one for one in (title, *NOTED_PAGES[name]) if one not in text] == [], file


def test_every_page_with_public_files_is_among_them():
    pages = set()
    for writer, audience in WRITERS.items():
        public = audience is Audience.PUBLIC or (isinstance(audience, tuple) and Audience.PUBLIC in audience)
        if public and writer.startswith("sdcwidgets.dashboards.") and writer not in WITHOUT_NOTES:
            pages.add(writer.split(".")[2])
    assert pages == {*NOTED_PAGES}


def test_the_files_of_a_page_are_read_as_the_same_table():
    _, files = saved_by("protect")
    (content,) = [content for file, content in files.items() if file.endswith(".csv")]
    release = protect_compute(ProtectState.of_example("religion")).release
    assert np.array_equal(FrequencyTable.from_csv(content).counts, release.cells)


def test_whether_a_line_around_the_table_is_copied_does_not_depend_on_the_counts(tmp_path):
    """Persons aged 3 and over: if the line were dropped only where 3 is a count, its presence would say so."""
    kept = []
    for count in (3, 4):
        source, out = tmp_path / "sent.csv", tmp_path / "out.csv"
        source.write_text(f"Persons aged 3 and over\nCensus 2011\n\nArea,a,b\nA,{count},9\nB,8,7\n", "utf-8")
        assert main(["protect", str(source), "--method", "conventional-rounding", "-f", "-o", str(out)]) == 0
        text = out.read_text("utf-8")
        kept.append(("aged 3" in text, "Census 2011" in text))
    assert kept == [(False, True), (False, True)]


def test_a_page_of_counts_of_ones_own_says_that_its_code_pictures_and_links_are_internal():
    for table, own in ((None, False), (FrequencyTable([[5, 3], [2, 9]]), True)):
        screen = import_module("sdcwidgets.dashboards.explore").app(table)
        (page,) = inside(screen, Page)
        sent = []
        page.send = lambda message, buffers=None, sent=sent: sent.append(message)
        page._hear(page, {"type": "code"}, [])
        assert page.internal is own
        assert (FIRST_LINE in sent[0]["text"].splitlines()[0]) is own
        assert {FIRST_LINE in chart.caption for chart in inside(screen, Chart)} == {own}
