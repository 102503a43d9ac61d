"""Content of a report on a release: plain values for its template.

The public report follows from the release alone: the table, the method with its public settings, and the
conclusions of a data user. The internal report adds results from the original counts: the verdict with its
limits, rule violations, disclosure risk, information loss, settings that were compared, notes on reading, and
the seed. `sdcwidgets._util.publication` has the reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.arguments import check_kind
from sdcwidgets._util.formula_lines import Line
from sdcwidgets._util.labels import NOT_AVAILABLE, counted
from sdcwidgets._util.parameters import declared
from sdcwidgets._util.publication import ORIGINAL, creation_text, setting_texts
from sdcwidgets.assessment.report.script import script_of
from sdcwidgets.assessment.verdict import KINDS, Verdict
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.methods import Method
from sdcwidgets.tables.examples import is_published
from sdcwidgets.tables.io.writers.nested import nested_label_columns
from sdcwidgets.tables.io.writers.workbook import header_for_readers, release_workbook
from sdcwidgets.tables.release import SUMS_NOTE, Release
from sdcwidgets.tables.removed_axes import with_named_axis
from sdcwidgets.tables.sums_over_times import as_in_files
from sdcwidgets.tables.table import FrequencyTable, table_of

if TYPE_CHECKING:
    from sdcwidgets.assessment.verdict import Stop
    from sdcwidgets.core.margins import MarginAxes
    from sdcwidgets.tables.io.writers.as_read import AsRead
    from sdcwidgets.tables.sub_totals import SubTotals

#: Maximum number of cells for which the report states the narrowest intervals, which need linear programs.
MOST_SHARP = 2_000

#: Maximum number of cells for which conclusions are listed by cell.
MOST_CELLS = 400


#: Maximum number of rule violations listed per heading.
MOST_STOPS = 30

#: Maximum number of characters per line of a table on A4 paper, and of a label per line.
WIDEST, LABEL = 104, 24


@dataclass(frozen=True)
class Alternative:
    """Another setting that was compared, with the means of its risk and information loss."""

    name: str
    risk: float
    loss: float
    best: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class Report:
    """Data of a report.

    Attributes
    ----------
    release : Release
    verdict : Verdict, optional
        Internal.
    method : Method, optional
        The public report shows the settings that are meant for publication.
    title, source : str
        Title of the table, and the source of the data. If the source is the name of a file, such as "table.csv", the
        Python script of the internal report reads this file.
    read : sequence of str
        Notes on how the source was read, in sentences. Internal, because they may contain original counts.
    alternatives : sequence of Alternative
        Internal.
    table : FrequencyTable, optional
        The original counts. The internal report needs them.
    seed : int, optional
        Internal.
    as_read : AsRead, optional
        The layout of the source, for the workbook.
    published_title : str
        Title of the released files, if the internal report has another one.
    file : str
        Name of the file with the original counts, for the Python script. Internal.
    read_options : mapping of str to object
        Arguments of `FrequencyTable.from_csv` with which the file was read, such as ``{"by": ["Area", "Sex"]}``, for
        the Python script. Internal.
    nested_lines : sequence of list
        Header and rows of the published table with its sub-totals, as of `nested_lines`; empty without sub-totals.
    hierarchies : mapping of str to mapping of str to str
        Parent of each label by axis, for the Python script, if cell suppression protects the sub-totals. Internal.
    totals : bool
        Whether the table is published with totals if it does not have the layout of the source.
    sub_totals : sequence of SubTotals
        Sums of the source file by axis, for the Python script, if `nested_lines` is not empty.
    by_hand : int
        Number of the replicate that a person selected, from 1; 0 if nobody selected. Internal.
    internal : bool
        Whether this is the internal report.

    Examples
    --------
    >>> from sdcwidgets import examples, methods, protect
    >>> table, method = examples.load("religion"), methods.get("random-rounding")(base=5)
    >>> report = Report(protect(table, method), method=method, title="Religion by area")
    >>> report.settings[0]
    ('Rounding base b', '5')
    """

    release: Release
    verdict: Verdict | None = None
    method: Method | None = None
    title: str = "Table"
    source: str = ""
    read: Sequence[str] = ()
    alternatives: Sequence[Alternative] = ()
    table: FrequencyTable | None = None
    seed: int | None = None
    as_read: AsRead | None = None
    by_hand: int = 0
    internal: bool = False
    file: str = ""
    read_options: Mapping[str, object] = field(default_factory=dict)
    nested_lines: Sequence[list[str | float]] = ()
    hierarchies: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    totals: bool = True
    sub_totals: Sequence[SubTotals] = ()
    published_title: str = ""

    def __post_init__(self) -> None:
        check_kind("release", self.release, Release, "a Release, such as the result of protect()")
        method = 'a method with its settings, such as methods.get("random-rounding")(base=5)'
        check_kind("method", self.method, (Method, type(None)), method)
        check_kind("verdict", self.verdict, (Verdict, type(None)), "the result of judge()")
        check_kind("title", self.title, str, "a text")
        check_kind("source", self.source, str, "a text")
        check_kind("file", self.file, str, "the name of a file")
        check_kind("read_options", self.read_options, Mapping, "a mapping of arguments to values")
        if self.table is not None:
            table_of(self.table)

    @property
    def created(self) -> str:
        """Date and versions, as text."""
        return creation_text()

    def workbook(self, total: str = "") -> bytes:
        """Return the workbook for data users, also from an internal report; `total` is the label of totals."""
        return release_workbook(
            self.public_release,
            self.title,
            self.source,
            method=self.method_of_files,
            as_read=self.as_read,
            total=total,
            lines=self.nested_lines,
            label_columns=self.labels if self.nested_lines else 0,
            totals=self.totals,
            is_original=self.is_original,
        )

    @cached_property
    def public_release(self) -> Release:
        """The release as its files contain it: without removed variables, and without totals over years.

        A file that had totals over years has them in its release, too.
        """
        if self.nested_lines:
            return self.release
        return as_in_files(self.release, self.as_read, totals=self.totals)

    @property
    def method_of_files(self) -> Method | None:
        """The method with the name of its variable, if the files do not contain this variable."""
        if self.public_release.ndim == self.release.ndim:
            return self.method
        named: Method | None = with_named_axis(self.method, [axis.name for axis in self.release.axes])
        return named

    @property
    def note_on_totals(self) -> str:
        """Statement that totals are sums, for a release whose notes do not state this."""
        is_stated = SUMS_NOTE in self.public_release.notes
        return SUMS_NOTE if self.release.plain and not is_stated else ""

    @cached_property
    def file_texts(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Lines of the file that are published above and below the table, without the title."""
        if self.as_read is None:
            return (), ()
        above, below = self.as_read.texts(self.release)
        return tuple(line for line in above if line != self.title), below

    @property
    def is_original(self) -> bool:
        """Whether the verdict is on the original table, to which no protection method was applied."""
        verdict = self.verdict
        return self.method is None and verdict is not None and verdict.as_it_is and not verdict.asserted

    @property
    def method_statement(self) -> str:
        """Statement that the table was not protected, "" for a table of a method."""
        return ORIGINAL if self.is_original else ""

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings to read before publication; in the public report only those by the published values."""
        if not self.internal:
            return self.release.public_cautions
        title, source = ("" if is_published(text) else text for text in (self.title, self.source))
        return self.release.cautions_on_files(title=title, source=source, as_read=self.as_read)

    @property
    def answer(self) -> str:
        """Verdict in one sentence, for the internal report."""
        return "There is no release decision." if self.verdict is None else self.verdict.sentence

    def number(self, value: float) -> str:
        """Return a number of the internal report as text."""
        return "not defined" if np.isnan(value) else f"{value:.4f}"

    @cached_property
    def limits(self) -> list[tuple[str, str]]:
        """Labels and values of the limits that are set."""
        if self.verdict is None:
            return []
        limits = self.verdict.limits
        rows = []
        for setting in declared(type(limits)):
            value = getattr(limits, setting.name)
            if setting.name != "source" and value not in (None, ""):
                words = (
                    {True: "yes", False: "no"}.get(value, str(value))
                    if isinstance(value, bool)
                    else str(value)
                )
                rows.append((setting.label, words if words != "0" else "no limit"))
        return rows

    @property
    def settings(self) -> list[tuple[str, str]]:
        """Settings of the method; in the public report only those for publication."""
        if self.method is None:
            return []
        axes = [axis.name for axis in self.release.axes]
        return setting_texts(self.method, internal=self.internal, axes=axes)

    @staticmethod
    def stop(stop: Stop) -> str:
        """Return a rule violation as sentences."""
        return f"{stop.words[:1].upper()}{stop.words[1:]}. {stop.why}"

    @property
    def stops(self) -> list[tuple[str, list[str]]]:
        """Rule violations under three headings: blocking, accepted, and reported only; and their total numbers."""
        verdict = self.verdict
        if verdict is None:
            return []
        standing = [f"{self.stop(stop)} {stop.remedy}" for stop in verdict.stops]
        accepted = [f"{self.stop(stop)} Reason: {reason}" for stop, reason in verdict.accepted]
        reported = [self.stop(stop) for stop in verdict.reported]
        first = "Rule violations" if verdict.limits.decides else "Findings"
        return [
            (first, _first(standing)),
            ("Accepted", _first(accepted)),
            ("Findings that do not violate the limits", _first(reported)),
            (
                "Total numbers of findings",
                [f"{number:,}: {KINDS[kind]}." for kind, number in verdict.more.items()],
            ),
        ]

    @cached_property
    def lines(self) -> list[list[str]]:
        """Published table as text, with the header first."""
        if self.nested_lines:
            return [[_cell(value) for value in line] for line in self.nested_lines]
        return _lines_of(self.public_release, totals=self.totals)

    @staticmethod
    def long(label: str) -> bool:
        """Whether a label needs several lines."""
        return len(label) > LABEL

    @property
    def labels(self) -> int:
        """Number of label columns."""
        if self.nested_lines:
            return nested_label_columns(self.release, self.sub_totals)
        return max(self.public_release.ndim - 1, 1)

    @cached_property
    def true(self) -> list[list[str]]:
        """Original table as text, for the internal report."""
        if not self.internal or self.table is None:
            return []
        if self.verdict is not None and self.verdict.as_it_is:
            return []  # The original table is published.
        return _lines_of(Release.of(self.table))

    def parts(self, lines: Sequence[list[str]]) -> Iterator[list[list[str]]]:
        """Yield a table in parts that fit the width of a page, each with the label columns."""
        widths = [
            2
            + max(
                len(word)
                for k, line in enumerate(lines)
                for word in (line[at].split() if not k else [line[at]])
            )
            for at in range(self.labels, len(lines[0]))
        ]
        room = WIDEST - sum(2 + min(LABEL, max(len(line[at]) for line in lines)) for at in range(self.labels))
        start, taken = self.labels, 0
        for at, width in enumerate(widths, start=self.labels):
            if at > start and taken + width > room:
                yield [line[: self.labels] + line[start:at] for line in lines]
                start, taken = at, 0
            taken += width
        yield [line[: self.labels] + line[start:] for line in lines]

    @cached_property
    def conclusions(self) -> list[str]:
        """Conclusions that a data user can draw, as sentences.

        The intervals of a sample depend on the stratum sizes, which a data user may not have, so they are
        internal.
        """
        if self.release.fraction < 1 and not self.internal:
            return [
                "The table counts a sample, so a data user does not know whether a person is in the table. The "
                "sampling fraction determines this uncertainty."
            ]
        is_sharp = self.release.cells.size <= MOST_SHARP
        lower, upper = self.release.cell_bounds(sharp=is_sharp)
        exact = int((lower == upper).sum())
        noun = "weighted estimates" if self.release.respondents else "exact counts"
        sentences = [
            f"From all published values, a data user can infer the {noun} of {exact:,} of {lower.size:,} cells."
        ]
        if self.release.respondents:
            sentences.append("Weighted estimates are not exact counts of people.")
        if self.release.limitation:
            sentences.insert(
                0,
                "The following intervals do not use all properties of the method. A data user may infer more exact "
                "counts and narrower intervals.",
            )
        elif not is_sharp:
            sentences.insert(
                0,
                f"The table has more than {MOST_SHARP:,} cells, so the following intervals are not always the "
                "narrowest ones.",
            )
        wide = (upper - lower)[(lower < upper) & np.isfinite(upper)]
        if wide.size:
            ends = " to ".join(dict.fromkeys(f"{end + 1:,.0f}" for end in (wide.min(), wide.max())))
            sentences.append(
                f"For {counted(wide.size, 'cell')}, a data user can infer an interval with {ends} possible counts."
            )
        endless = int(np.isinf(upper).sum())
        if endless:
            sentences.append(
                f"For {counted(endless, 'cell')}, a data user can infer no upper bound of the count."
            )
        suppressed = self._suppressed_values
        if suppressed:
            sentences.append(suppressed)
        has_all_totals = set(self.public_release.values) <= self.margins_of_file
        # Totals that are sums of published cells give data users no further knowledge.
        if self.release.has_own_totals and not has_all_totals:
            sentences.append(
                "These statements use all totals, also those that the saved table does not contain, because data users "
                "may know them."
            )
        return sentences

    @cached_property
    def margins_of_file(self) -> set[MarginAxes]:
        """Sets of axes whose values the saved table contains: the cells, and the totals that it has."""
        release = self.public_release
        if self.nested_lines or release.every not in release.values:
            return set(release.values)
        if self.as_read is not None and self.as_read.fits(release):
            return self.as_read.margins(release)
        return set(release.values) if self.totals else {release.every}

    @property
    def _suppressed_values(self) -> str:
        """Return a sentence on the suppressed values of the saved table, "" if there are none.

        Unknown counts are not suppressed.
        """
        release = self.release
        masks = {
            margin: np.isnan(values) & (release.symbols[margin] != NOT_AVAILABLE)
            for margin, values in release.values.items()
            if margin in self.margins_of_file
        }
        cells = int(masks.get(release.every, np.zeros(0)).sum())
        totals = sum(int(mask.sum()) for mask in masks.values()) - cells
        if not cells and not totals:
            return ""
        opened = sum(int((release.recalculable[margin] & mask).sum()) for margin, mask in masks.items())
        of_totals = f" and {counted(totals, 'total')}" if totals else ""
        verb = "is" if cells + totals == 1 else "are"
        return (
            f"{cells:,} of {release.cells.size:,} cells{of_totals} {verb} suppressed; {opened:,} of these values can "
            "be recalculated."
        )

    @cached_property
    def formulas(self) -> list[tuple[str, list[str]]]:
        """Definitions of risk and information loss with the values of this table, for the internal report."""
        if self.verdict is None:
            return []
        pairs = []
        for measure in (self.verdict.risk_measure, self.verdict.loss_measure):
            words = [
                f"{measure.title}: {str(type(measure).__doc__).strip().splitlines()[0]} {measure.source}."
            ]
            if self.table is not None:
                batch = Batch.of_release(self.table, self.release)
                words += [_text(line) for line in measure.explain(batch)]
            pairs.append((_name(measure), words))
        return pairs

    @property
    def code(self) -> str:
        """Python script that reproduces the release from the original counts; internal.

        The script contains the name of the file, but not the seed.
        """
        return script_of(self)

    @property
    def dots(self) -> list[dict[str, object]]:
        """Points of the risk-utility map, with positions in a picture of 600 by 300."""
        plotted = [
            alternative
            for alternative in self.alternatives
            if np.isfinite(alternative.risk) and np.isfinite(alternative.loss)
        ]
        if len(plotted) < 2:
            return []
        risks, losses = ([getattr(alternative, name) for alternative in plotted] for name in ("risk", "loss"))
        low, high, most = min(risks), max(risks), max(losses) or 1.0
        step = 0.1
        return [
            {
                "name": alternative.name,
                "best": alternative.best,
                "chosen": alternative.chosen,
                "x": round(60 + round(520 * alternative.loss / most / step) * step, 1),
                "y": round(
                    20 + round(240 * (high - alternative.risk) / ((high - low) or 1.0) / step) * step, 1
                ),
            }
            for alternative in sorted(plotted, key=lambda alternative: (alternative.chosen, alternative.best))
        ]

    @property
    def ends(self) -> dict[str, str]:
        """Tick labels of the map."""
        risks, losses = (
            [getattr(alternative, name) for alternative in self.alternatives] for name in ("risk", "loss")
        )
        return {"low": f"{min(risks):.2g}", "high": f"{max(risks):.2g}", "most": f"{max(losses):.2g}"}


def _first(sentences: Sequence[str]) -> list[str]:
    """Return the first distinct sentences, and the number of further ones."""
    unique = list(dict.fromkeys(sentences))
    more = len(unique) - MOST_STOPS
    if more <= 0:
        return unique
    return [*unique[:MOST_STOPS], f"And {more:,} more."]


def _lines_of(release: Release, *, totals: bool = True) -> list[list[str]]:
    """Return a release as text, with the header first."""
    head, *body = release.lines(totals=totals)
    return [[_cell(value) for value in line] for line in (header_for_readers(release, head), *body)]


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,.15g}"


def _text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def _name(measure: Measure) -> str:
    return "Residual risk" if measure.direction in ("risk", "protection") else "Information loss"
