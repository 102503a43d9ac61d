"""What stands against a release: each stop with its place, how grave it is, and what would lift it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.labels import counted, shortened
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.seen import Form, Line, seen
from sdcwidgets.core.margins import margins
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets.core.margins import MarginAxes

#: Who is behind a count, and behind a sum of weights.
PEOPLE, RESPONDENTS = ("person", "people"), ("respondent", "respondents")

#: So many counts or gaps are told one by one.
_MOST_TOLD = 1000

_REMEDIES = {
    "empty": "Take a weaker setting.",
    "unchecked": "Wait until it is.",
    "one-cell": "Merge it with another category, or take a method that hides or changes its zeros.",
    "all-but-one": "Merge it with another category, or take a method that hides or changes its small counts.",
    "linked": "Protect both tables together, or withhold one.",
    "recalculable": "Hide another count beside it; the method cell-suppression does.",
    "small-count": "Round, hide or merge counts below the limit.",
    "risk": "Take a stronger setting or another method.",
    "loss": "Take a weaker setting or another method.",
    "seed": "Draw from a new secret seed.",
    "method": "Protect the table with the required method, or assert that this was done.",
}


@dataclass(frozen=True)
class Stop:
    """One thing that stands against a release.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    name : str
        What it is called where somebody accepts it; no two stops of a verdict have the same one.
    words : str
        What it is, as the rest of a sentence.
    why : str
        What somebody learns by it, in a sentence.
    where : tuple of (axis, label)
        Its row, column or cell; empty where it is the whole table.
    people : int
        How many people it is about; 0 where it is about no people in particular.
    sure : bool
        Whether a reader can be sure of it. Else the published table reads so, and it is true.
    """

    kind: str
    name: str
    words: str
    why: str = ""
    where: tuple[tuple[str, str], ...] = ()
    people: int = 0
    sure: bool = True

    @property
    def remedy(self) -> str:
        """What would lift it."""
        return _REMEDIES[self.kind]

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        values = {key: value for key, value in asdict(self).items() if key != "where"}
        return values | {"where": dict(self.where), "remedy": self.remedy}


def named(where: Sequence[tuple[str, str]]) -> str:
    """Return a place in words.

    >>> named([("Area", "Area 7")]), named([("Age", "25"), ("Sex", "f")]), named([])
    ('Area 7', 'Age 25, Sex f', 'the whole table')
    """
    words = [
        shortened(label if label.lower().startswith(axis.lower()) else f"{axis} {label}")
        for axis, label in where
    ]
    return ", ".join(words) or "the whole table"


def disclosures(
    true: FrequencyTable, release: Release | None, limits: ReleaseLimits, *, closely: bool = True
) -> Iterator[tuple[list[Stop], int]]:
    """Yield what a reader still learns, a list a kind, and how many there are of it; no release: published as it is.

    Not closely, only what bounds of each cell show is looked for, and that the rest is not checked is a stop. A table
    that no move of people changed is the original, whatever the method was: it is judged by what it shows.
    """
    sure = limits.reading == "sure" and not is_original(true, release)
    still = release is not None
    forms: tuple[Form, ...] = ("one-cell", "all-but-one")
    for form in forms:
        learnt = seen(true, release, form, sure_only=sure, closely=closely)
        noun = PEOPLE if true.respondents is None else RESPONDENTS
        yield [_of_line(form, line, noun, still=still) for line in learnt.lines], learnt.number
    if release is not None and closely:
        yield _recalculable_cells(release)
    elif release is not None and (
        gaps := sum(int(np.isnan(array).sum()) for array in release.values.values())
    ):
        why = "Whether what is published beside them gives them away is being computed."
        yield unchecked("suppressed-cells", counted(gaps, "gap is", "gaps are"), why)


def is_original(true: FrequencyTable, release: Release | None) -> bool:
    """Return whether a method that only moves people moved nobody so that a count changed.

    Such a method narrows no cell from above: the protection is the change alone. Rounding and noise narrow each cell,
    and protect a count that happens to stay, too.

    Examples
    --------
    >>> from sdcwidgets import methods
    >>> table = FrequencyTable([[0, 5, 4], [0, 7, 0]])
    >>> swapping = methods.get("record-swapping")
    >>> [is_original(table, swapping(rate=rate).release(table, 1)) for rate in (0.0, 0.5)]
    [True, False]
    """
    if release is None:
        return True
    upper = np.asarray(release.upper.get(tuple(range(release.ndim)), np.inf))
    return bool(np.isinf(upper).all()) and np.array_equal(release.cells, true.counts)


def unchecked(name: str, words: str, why: str) -> tuple[list[Stop], int]:
    """Return the stop of what is not known yet."""
    return [Stop("unchecked", f"unchecked: {name}", f"{words} still being checked", why)], 1


def _of_line(form: Form, line: Line, noun: tuple[str, str], *, still: bool) -> Stop:
    line_name = named(line.known)
    cell = ", ".join(shortened(label) for _, label in line.learnt)
    content, who = {
        "one-cell": ("everyone", f"Who knows that a {noun[0]} is there, knows the rest: {cell}"),
        "all-but-one": (f"everyone but one {noun[0]}", f"That {noun[0]} knows where all others are: {cell}"),
    }[form]
    words = f"{line_name} {'still ' * still}shows {content} in one cell"
    if line.respondent:
        words = f"{line_name} {'still ' * still}shows everyone in one cell to a {noun[0]} in {named(line.respondent)}"
        who = (
            f"That {noun[0]} knows that the own cell is not empty, and can infer where all others are: {cell}"
        )
    why = f"{who} ({counted(line.people, *noun)})."
    # How many respondents there are is not published, so no reader is sure of it.
    sure = line.sure and (noun is PEOPLE or form == "one-cell")
    return Stop(form, f"{form}: {line_name}", words, why, line.known, line.people, sure)


def _recalculable_cells(release: Release) -> tuple[list[Stop], int]:
    """Return the gaps that can be computed from what is published."""
    why = "What is published beside it gives the count."
    return _cells(release, release.recalculable, "recalculable", "is a gap that can be computed", why)


def too_small(true: FrequencyTable, release: Release, limits: ReleaseLimits) -> tuple[list[Stop], int]:
    """Return the published counts from 1 to below the limit; of weights, those of fewer respondents."""
    least, words = limits.smallest_count, f"is below {limits.smallest_count}"
    behind = release.values if true.respondents is None else margins(true.respondents.counts)
    flags = {
        margin: (values > 0) & (behind[margin] > 0) & (behind[margin] < least)
        for margin, values in release.values.items()
    }
    if true.respondents is not None:
        words = f"stands for fewer than {least} respondents"
    sure = true.respondents is None
    return _cells(release, flags, "small-count", words, "So few people can be known one by one.", sure=sure)


def _cells(
    release: Release,
    flags: Mapping[MarginAxes, NDArray[np.bool_]],
    kind: str,
    words: str,
    why: str,
    *,
    sure: bool = True,
) -> tuple[list[Stop], int]:
    # An axis of one label, such as that of a table of one axis on a page, adds nothing: its total is the same number.
    single = [k for k, axis in enumerate(release.axes) if len(axis) == 1]
    flags = {
        margin: hits
        for margin, hits in flags.items()
        if not any(k not in margin and tuple(sorted((*margin, k))) in flags for k in single)
    }
    number = sum(int(hits.sum()) for hits in flags.values())
    stops: list[Stop] = []
    for margin, hits in flags.items():
        for at in np.argwhere(hits)[: _MOST_TOLD - len(stops)]:
            where = _labels_of(release, margin, at)
            value = release.values[margin][tuple(at)]
            count = f", {value:,.15g}," if kind == "small-count" else ""
            line = f"{named(where)}{count} {words}"
            stops.append(Stop(kind, f"{kind}: {named(where)}", line, why, where, sure=sure))
    return stops, number


def _labels_of(release: Release, margin: MarginAxes, at: NDArray[np.intp]) -> tuple[tuple[str, str], ...]:
    axes = [(release.axes[k], int(i)) for k, i in zip(margin, at, strict=True)]
    return tuple((axis.name, axis.labels[i]) for axis, i in axes if len(axis) > 1 or release.ndim == 1)
