"""What a report says, from a release and a verdict: plain values, ready for its template.

A report for the public must not say what the release hides. Exact risks and losses follow from the true counts, and
so does that a row which reads as if everyone were in one cell truly is so: the public variant rounds the first and
leaves the places of the second out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets.lines import Line
from sdcwidgets.measures import Batch, Measure
from sdcwidgets.methods import Method
from sdcwidgets.parameters import declared
from sdcwidgets.release import Release
from sdcwidgets.table import FrequencyTable
from sdcwidgets.verdict import KINDS, Verdict

if TYPE_CHECKING:
    from sdcwidgets.release.as_read import AsRead
    from sdcwidgets.verdict import Stop

#: What a reader may conclude is told cell by cell up to so many cells.
MOST_CELLS = 400


#: So many stops of a kind of list are told one by one.
MOST_STOPS = 30

#: So many letters of a table stand side by side on a sheet of A4, and so many of a label in one line.
WIDEST, LABEL = 104, 24


@dataclass(frozen=True)
class Alternative:
    """Another setting that was tried: its name, and the means of its risk and its loss."""

    name: str
    risk: float
    loss: float
    best: bool = False
    chosen: bool = False


@dataclass(frozen=True)
class Report:
    """Everything that a report is made of.

    Attributes
    ----------
    release : Release
    verdict : Verdict, optional
    method : Method, optional
    title, source : str
        What the table is called, and where it comes from.
    read : sequence of str
        What was left out or asked when it was read, in sentences.
    alternatives : sequence of Alternative
    table : FrequencyTable, optional
        The true counts; they are shown in the confidential variant only, which needs them.
    seed : int, optional
        Shown in the confidential variant only.
    as_read : AsRead, optional
        The layout in which the table came, for its workbook.
    by_hand : int
        Which draw was chosen by hand, from 1; 0 where nobody chose.
    confidential : bool
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
    confidential: bool = False

    @property
    def made(self) -> str:
        """The date and the versions, in words."""
        return f"{date.today().isoformat()}, sdcwidgets {version('sdcwidgets')}, numpy {np.__version__}"

    @property
    def answer(self) -> str:
        """The verdict in a sentence; of stops the public variant tells the kind only."""
        verdict = self.verdict
        if verdict is None:
            return "No verdict was given."
        if self.confidential or (verdict.answer == "release" and not verdict.accepted):
            return verdict.sentence if self.confidential else self._rounded(verdict)
        if verdict.answer == "not yet":
            return f"Not yet: {KINDS[verdict.stops[0].kind]}. Not for publication."
        return self._rounded(verdict)

    def _rounded(self, verdict: Verdict) -> str:
        left, before, loss = map(self.number, (verdict.left, verdict.before, verdict.loss))
        if verdict.answer == "compare only":
            return f"No limits were set: risk left {left}, {before} before. Whether that is small enough is not said."
        word = "kept" if verdict.loss_measure.more_is_better else "lost"
        as_it_is = "as it is, " if verdict.as_it_is else ""
        return (
            f"Yes, {as_it_is}by the rule of {verdict.limits.source.strip()}: risk left {left}, {word} {loss}."
        )

    def number(self, value: float) -> str:
        """Return a number that follows from true counts: rounded to two figures for the public."""
        if np.isnan(value):
            return "not defined"
        return f"{value:.4f}" if self.confidential else f"about {float(f'{value:.2g}'):g}"

    @cached_property
    def limits(self) -> list[tuple[str, str]]:
        """The limits that are set, in words."""
        if self.verdict is None:
            return []
        limits = self.verdict.limits
        found = []
        for one in declared(type(limits)):
            value = getattr(limits, one.name)
            if one.name != "source" and value not in (None, ""):
                words = (
                    {True: "yes", False: "no"}.get(value, str(value))
                    if isinstance(value, bool)
                    else str(value)
                )
                found.append((one.label, words if words != "0" else "no limit"))
        return found

    @property
    def settings(self) -> list[tuple[str, str]]:
        """The settings of the method; a secret one is none of them."""
        if self.method is None:
            return []
        return [(one.label, _setting(getattr(self.method, one.name))) for one in declared(type(self.method))]

    def stop(self, stop: Stop) -> str:
        """Return what a stop says: to the public without its place, unless a reader can be sure of it anyway."""
        if self.confidential or (stop.sure and stop.where):
            return (
                f"{stop.words[:1].upper()}{stop.words[1:]}. {stop.why}"
                if self.confidential
                else f"{stop.words}."
            )
        return f"{KINDS[stop.kind].capitalize()}."

    @property
    def stops(self) -> list[tuple[str, list[str]]]:
        """What stands, what was accepted and, in the confidential variant, what is told only, each with its heading."""
        verdict = self.verdict
        if verdict is None:
            return []
        standing = [f"{self.stop(stop)} {stop.remedy}" for stop in verdict.stops]
        accepted = [f"{self.stop(stop)} Reason: {reason}" for stop, reason in verdict.accepted]
        told = [self.stop(stop) for stop in verdict.told if self.confidential]
        first = "What stands against it" if verdict.limits.decides else "What a reader sees"
        more = sum(verdict.more.values()) and self.confidential
        return [
            (first, _first(standing)),
            ("Accepted", _first(accepted)),
            ("Told only: no stop by these limits", _first(told)),
            (
                "In all",
                [f"{number:,}: {KINDS[kind]}." for kind, number in verdict.more.items()] if more else [],
            ),
        ]

    @cached_property
    def lines(self) -> list[list[str]]:
        """The published table as texts, its head first."""
        return [[_cell(value) for value in line] for line in self.release.lines()]

    @staticmethod
    def long(label: str) -> bool:
        """Whether a label takes several lines."""
        return len(label) > LABEL

    @property
    def labels(self) -> int:
        """How many columns of a line are labels."""
        return max(self.release.ndim - 1, 1)

    @cached_property
    def true(self) -> list[list[str]]:
        """The true table as texts, in the confidential variant."""
        if not self.confidential or self.table is None:
            return []
        if self.verdict is not None and self.verdict.as_it_is:
            return []  # they are what is published
        return [[_cell(value) for value in line] for line in Release.of(self.table).lines()]

    def parts(self, lines: Sequence[list[str]]) -> Iterator[list[list[str]]]:
        """Yield a table in parts that are no wider than a sheet of paper, its labels beside each of them."""
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
        """What a reader may conclude, in sentences."""
        lower, upper = self.release.intervals(sharp=False)
        exact = int((lower == upper).sum())
        told = [
            f"Of {lower.size:,} cells a reader knows {exact:,} exactly from all that is published together."
        ]
        wide = (upper - lower)[(lower < upper) & np.isfinite(upper)]
        if wide.size:
            ends = " to ".join(dict.fromkeys(f"{end + 1:,.0f}" for end in (wide.min(), wide.max())))
            told.append(f"Of {wide.size:,} a reader knows a range, of {ends} possible counts.")
        if endless := int(np.isinf(upper).sum()):
            told.append(f"Of {endless:,} a reader knows no upper bound.")
        gaps = sum(int(np.isnan(values).sum()) for values in self.release.values.values())
        if gaps:
            opened = sum(int(flags.sum()) for flags in self.release.open_gaps.values())
            told.append(f"{gaps:,} values are gaps; {opened:,} of them can be computed.")
        return told

    @cached_property
    def formulas(self) -> list[tuple[str, list[str]]]:
        """How risk and loss are defined, and with this table's numbers in the confidential variant."""
        if self.verdict is None:
            return []
        told = []
        for measure in (self.verdict.risk_measure, self.verdict.loss_measure):
            words = [
                f"{measure.title}: {str(type(measure).__doc__).strip().splitlines()[0]} {measure.source}."
            ]
            if self.confidential and self.table is not None:
                batch = Batch.of_release(self.table, self.release)
                words += [_text(line) for line in measure.explain(batch)]
            told.append((_name(measure), words))
        return told

    @property
    def code(self) -> str:
        """Python that makes the release again, where the true counts and the seed are known."""
        seed = str(self.seed) if self.confidential and self.seed is not None else "SEED"
        if self.method is None:
            return "release.report('report.html')"
        given = ", ".join(
            f"{one.name}={getattr(self.method, one.name)!r}" for one in declared(type(self.method))
        )
        lines = [
            "from sdcwidgets import FrequencyTable, methods",
            "from sdcwidgets.verdict import ReleaseLimits, judge",
            "",
        ]
        weighted = self.table is not None and self.table.respondents is not None
        by = tuple(axis.name for axis in self.release.axes)
        how = f"'records.csv', by={by!r}, weight='weight'" if weighted else "'table.csv'"
        lines += [f"table = FrequencyTable.from_csv({how})  # the true counts, which stay in the house"]
        lines += [f"release = methods.get({self.method.name!r})({given}).release(table, {seed})"]
        if self.verdict is not None:
            limits = self.verdict.limits
            set_ = [
                f"{one.name}={getattr(limits, one.name)!r}"
                for one in declared(type(limits))
                if getattr(limits, one.name) != one.default
            ]
            lines.append(f"judge(table, release, ReleaseLimits({', '.join(set_)})).sentence")
        return "\n".join(lines)

    @property
    def dots(self) -> list[dict[str, object]]:
        """The map of the alternatives: each with its place in a picture of 600 by 300."""
        shown = [one for one in self.alternatives if np.isfinite(one.risk) and np.isfinite(one.loss)]
        if len(shown) < 2:
            return []
        risks, losses = ([getattr(one, name) for one in shown] for name in ("risk", "loss"))
        low, high, most = min(risks), max(risks), max(losses) or 1.0
        step = 0.1 if self.confidential else 5  # a place is a number, too
        return [
            {
                "name": one.name,
                "best": one.best,
                "chosen": one.chosen,
                "x": round(60 + round(520 * one.loss / most / step) * step, 1),
                "y": round(20 + round(240 * (high - one.risk) / ((high - low) or 1.0) / step) * step, 1),
            }
            for one in sorted(shown, key=lambda one: (one.chosen, one.best))
        ]

    @property
    def ends(self) -> dict[str, str]:
        """The ends of the map's axes."""
        risks, losses = ([getattr(one, name) for one in self.alternatives] for name in ("risk", "loss"))
        return {"low": f"{min(risks):.2g}", "high": f"{max(risks):.2g}", "most": f"{max(losses):.2g}"}


def _first(sentences: Sequence[str]) -> list[str]:
    """Return the first of these, each once, and how many more there are."""
    told = list(dict.fromkeys(sentences))
    more = len(told) - MOST_STOPS
    return [*told[:MOST_STOPS], *([f"And {more:,} more."] if more > 0 else [])]


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return (
            "; ".join(map(_setting, value))
            if value and isinstance(value[0], tuple)
            else ", ".join(map(str, value))
        )
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,.15g}"


def _text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def _name(measure: Measure) -> str:
    return "Risk left" if measure.direction in ("risk", "protection") else "Information lost"
