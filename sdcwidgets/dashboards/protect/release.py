"""Downloads of the page: the table and the report for data users, and the internal report and comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import ipywidgets

from sdcwidgets._util.csv_writing import csv_text
from sdcwidgets._util.parameters import Parameter
from sdcwidgets._util.publication import file_notes, method_lines
from sdcwidgets.assessment.replications import Replications
from sdcwidgets.assessment.report import Alternative, Report
from sdcwidgets.assessment.report.html import html
from sdcwidgets.assessment.search import changes_nothing, pareto_front
from sdcwidgets.dashboards.protect.controls import set_words
from sdcwidgets.dashboards.protect.headline import for_learning
from sdcwidgets.dashboards.protect.result import ProtectResult, ProtectStudy
from sdcwidgets.dashboards.protect.state import with_secret_seed
from sdcwidgets.methods.describing import describe
from sdcwidgets.methods.nested_suppression import NestedSuppression, with_sub_totals
from sdcwidgets.tables.examples import is_published
from sdcwidgets.tables.io.sources import Example
from sdcwidgets.tables.io.writers.text import sheet
from sdcwidgets.tables.io.writers.workbook import below, workbook
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.sums_over_times import as_in_files
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.binding import reveal
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.page import Text, card, heading
from sdcwidgets.widgets.page_state.reporting import SMALL_SEED, layout_for, report_on, title_of

#: Warning after another version of the same table was saved.
OTHER_VERSION = (
    "Another version of this table was saved in this session. Publish one version only, because the difference of two "
    "versions can disclose counts."
)

#: Why the files of an own table cannot be saved yet.
NO_DECISION = (
    "The files for data users cannot be saved before a release decision. Set a limit at the top of the page, or state "
    "here why no limit applies, and who decided this. The internal report contains the reason."
)


class ReleaseCard:
    """Card with all downloads of the page; a rule violation blocks those for data users."""

    def __init__(self, study: ProtectStudy, points: Callable[[], Sequence[Replications]]) -> None:
        self._study, self._points = study, points
        self._words = Text()
        self._warning = Text()
        self._saved: dict[FrequencyTable, list[Release]] = {}  # saved versions of each table
        # Own tables are released by limits, or for a stated reason. Examples are public already.
        self._reason = Control(Parameter("reason", str, "", "Reason for a release without limits"))
        self._source = Control(Parameter("decided", str, "", "Who decided this, and when"))
        self._reason.on_change(partial(set_words, study, "no_risk_limit"))
        self._source.on_change(partial(set_words, study, "source"))
        self._undecided = ipywidgets.VBox([Text(NO_DECISION), self._reason, self._source])
        self._undecided.add_class("sdc-decided")
        self._opened = False  # whether the user opened the downloads of a table for learning
        self._open = Actions({"Show downloads for learning": self._open_downloads})
        self._seed = Actions({"Generate a secret seed": self._draw_seed})
        self._table = Actions({"Save table (XLSX)": self._xlsx, "Save table (CSV)": self._csv})
        self._report = Actions({"Save report for data users (HTML)": self.save_report})
        self._internal = Actions(
            {
                "Save internal report (HTML)": self.save_internal_report,
                "Save internal comparison (XLSX)": self._compare,
            }
        )
        parts = (
            (
                "Table (public)",
                "The table files contain only the published counts.",
                self._words,
                self._warning,
                self._undecided,
                self._seed,
                self._open,
                self._table,
            ),
            (
                "Report for data users (public)",
                "The report contains the published table, the protection method, and what data users can infer.",
                self._report,
            ),
            (
                "Internal files (do not publish)",
                "These files contain the verdict, the limits, the risk, the information "
                "loss, the accepted violations, and the original and published counts. Their names begin with "
                "“internal”.",
                self._internal,
            ),
        )
        boxes = [ipywidgets.VBox([heading(name), Text(words), *rest]) for name, words, *rest in parts]
        boxes[-1].add_class("sdc-internal")
        self.card = card("Release", ipywidgets.Box(boxes)).add_class("sdc-hand")

    def show(self, result: ProtectResult) -> None:
        """Hide the downloads for data users while a violation blocks the release, or behind a warning.

        The warning states that the table is for learning only. A rule may permit such a table.
        """
        verdict = result.deciding
        held = verdict.answer == "not yet"
        warning = "" if held else for_learning(result)
        self._opened = self._opened and bool(warning)
        undecided = verdict.answer == "compare only" and not isinstance(result.state.source, Example)
        reveal(undecided, self._undecided)
        self._reason.show(result.state.limits.no_risk_limit)
        self._source.show(result.state.limits.source)
        held = held or undecided
        warning = "" if undecided else warning
        closed = bool(warning) and verdict.answer == "compare only" and not self._opened
        reveal(not held and not closed, self._table, self._report)
        reveal(closed, self._open)
        reveal(warning, self._warning)
        reveal(warning == SMALL_SEED, self._seed)
        self._warning.show(warning)
        original = (
            "The table files contain the original counts, as shown on the page." if verdict.as_it_is else ""
        )
        state = result.state
        title = "" if is_published(state.title) else title_of(state, result.release)
        as_read = layout_for(state, result.release)
        copied = result.release.copied_text_caution(title=title, as_read=as_read)
        totals = state.source.totals or state.as_read is None
        notes = as_in_files(result.release, state.as_read, totals=totals).notes
        more = [note for note in notes if note not in result.release.notes]
        on_file = "" if state.nested else " ".join(more)
        words = " ".join(filter(None, [original, on_file, copied]))
        words = " ".join(filter(None, [self._other_version(result), words]))
        blocked = "" if undecided else "Downloads are blocked until all rule violations are resolved."
        self._words.show(blocked if held else words)

    def _other_version(self, result: ProtectResult) -> str:
        """Return a warning if another version of the table was saved in this session, "" otherwise."""
        versions = self._saved.get(result.state.table, [])
        return OTHER_VERSION if any(version != result.release for version in versions) else ""

    def _remember(self) -> None:
        result = self._study.result
        versions = self._saved.setdefault(result.state.table, [])
        if result.release not in versions:
            versions.append(result.release)
        self.show(result)

    def _open_downloads(self) -> None:
        self._opened = True
        self.show(self._study.result)

    def _draw_seed(self) -> None:
        self._study.put(with_secret_seed(self._study.state))

    def save(self) -> None:
        """Save the table, the report for data users and the internal report, as the primary button does."""
        self._xlsx()
        self.save_report()
        self.save_internal_report()

    def report(self, *, internal: bool = False) -> Report:
        """Return the report on the table that is shown, for data users or internal."""
        result = self._study.result
        state, verdict = result.state, result.deciding
        if verdict.as_it_is:
            report = report_on(state, result.release, verdict=verdict)
            sums = state.sub_totals if state.nested else ()
            return replace(report, internal=internal, nested_lines=result.lines, sub_totals=sums)
        seed = state.settings.seed if state.method.seeded else None
        report = report_on(
            state, result.release, with_sub_totals(state.method, ()), verdict=verdict, seed=seed
        )
        by_hand, alternatives = state.shown + 1 if state.shown else 0, self._alternatives(result)
        report = replace(report, alternatives=alternatives, by_hand=by_hand, internal=internal)
        hierarchies = state.method.hierarchies if isinstance(state.method, NestedSuppression) else {}
        sums = state.sub_totals if state.nested else ()
        return replace(report, nested_lines=result.lines, hierarchies=hierarchies, sub_totals=sums)

    def _alternatives(self, result: ProtectResult) -> list[Alternative]:
        axes = result.risk_measure, result.loss_measure
        points = [point for point in self._points() if set(axes) <= point.whole_slice.estimates.keys()]
        means = [[float(point.whole_slice[measure].mean[0]) for point in points] for measure in axes]
        worse = ([measure.worse(mean) for mean in some] for measure, some in zip(axes, means, strict=True))
        best = pareto_front(*worse)
        return [
            Alternative(
                describe(point.method),
                risk,
                loss,
                bool(front) and not changes_nothing(point),
                point.method == result.state.method,
            )
            for point, risk, loss, front in zip(points, *means, best, strict=True)
        ]

    def _xlsx(self) -> None:
        self._table.file(f"{self._name}.xlsx", self.report().workbook(), self._study.state.title)
        self._remember()

    @property
    def _name(self) -> str:
        return "table" if self._study.result.deciding.as_it_is else "protected"

    def _csv(self) -> None:
        source = self._study.state.source
        report = self.report()
        release, layout = report.public_release, report.as_read
        axes = [axis.name for axis in release.axes]
        on_method = method_lines(report.method_of_files, is_original=report.is_original, axes=axes)
        has_title = layout is not None and report.title in layout.texts(release)[0]
        about = file_notes(report.title, on_method)
        notes = (*release.notes, *(about[1:] if has_title else about))
        if report.nested_lines:
            lines = list(report.nested_lines)
            if layout is not None:
                text = layout.around(iter(lines), release, notes=notes)
            else:
                text = csv_text([*lines, *below(notes)])
        else:
            text = replace(release, notes=notes).to_csv(margins=source.totals, as_read=report.as_read)
        self._table.file(f"{self._name}.csv", text, self._study.state.title)
        self._remember()

    def save_report(self) -> None:
        """Save the report for data users."""
        self._report.file("report-for-data-users.html", html(self.report()).encode(), self._study.state.title)

    def save_internal_report(self) -> None:
        """Save the internal report, with the verdict and all figures that depend on the original counts."""
        content = html(self.report(internal=True)).encode()
        self._internal.file("internal-report.html", content, self._study.state.title)

    def _compare(self) -> None:
        result, state = self._study.result, self._study.state
        published = result.lines or sheet(result.release, totals=state.source.totals)
        sheets = {"protected": published, "ORIGINAL COUNTS": state.table.to_frame()}
        book = workbook(sheets, result.release.notes, internal=True)
        self._internal.file("internal-comparison.xlsx", book, state.title)
