"""Rule violations of a release, with position, reason and remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdcwidgets._util.labels import PEOPLE, counted, shortened, singular
from sdcwidgets.assessment.verdict.disclosed_lines import Form, Line, seen
from sdcwidgets.assessment.verdict.limits import ReleaseLimits
from sdcwidgets.assessment.verdict.possible_tables import MOST_CELLS, possible_lines
from sdcwidgets.core.margins import margins
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.release_intervals import certain_bounds, has_keys_of_sums, is_too_large
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sdcwidgets.core.margins import MarginAxes

#: Nouns for weighted counts.
RESPONDENTS = ("respondent", "respondents")

#: Smallest count that is not small in the share of cells with small counts.
LEAST_LARGE = 3

#: Maximum number of counts or suppressed values that are listed.
_MOST_TOLD = 1000

_REMEDIES = {
    "unknown": "Enter these counts, omit a category, or accept this violation with a reason.",
    "empty": "Choose weaker settings of the protection method.",
    "unchecked": "Wait until the check is finished.",
    "one-cell": "Merge the category with another category, or use a method that suppresses or changes zeros.",
    "all-but-one": "Merge the category with another category, or use a method that suppresses or changes "
    "small counts.",
    "linked": "Protect both tables together, or do not publish one of them.",
    "inference": "Use another protection method, or accept this violation with a reason.",
    "recalculable": "Suppress another count in the same row or column, as the method cell-suppression does.",
    "small-count": "Round, suppress or merge counts below the minimum, so that no published values determine them.",
    "small-cells": "Merge categories, or use a method that suppresses or changes small counts.",
    "cell-size": "Merge categories, or remove a variable from the table.",
    "risk": "Choose stronger protection or another method.",
    "loss": "Choose weaker protection or another method.",
    "seed": "Use a new random secret as the seed.",
    "method": "Protect the table with the required method, or state that this method was already applied.",
}


@dataclass(frozen=True)
class Stop:
    """A rule violation of a release.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    name : str
        Unique name within a verdict, for accepting the violation.
    words : str
        Description, as the rest of a sentence.
    why : str
        What can be inferred, as a sentence.
    where : tuple of (axis, label)
        Row, column or cell; empty for the whole table.
    people : int
        Number of people concerned; 0 if it does not refer to a group.
    sure : bool
        Whether a data user can be certain. Otherwise the published table shows it and it is true, or a data user
        would be certain for other original counts that the release allows.
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
        """Measure that would resolve the violation."""
        return _REMEDIES[self.kind]

    def to_dict(self) -> dict[str, object]:
        """Return plain values."""
        values = {key: value for key, value in asdict(self).items() if key != "where"}
        return values | {"where": dict(self.where), "remedy": self.remedy}


def nouns_of(table: FrequencyTable) -> tuple[str, str]:
    """Return the singular and the plural of the noun for the counted units; respondents for weighted counts.

    Examples
    --------
    >>> nouns_of(FrequencyTable([1, 2])), nouns_of(FrequencyTable([1, 2]).with_unit("households"))
    (('person', 'people'), ('household', 'households'))
    """
    return RESPONDENTS if table.respondents is not None else (singular(table.unit), table.unit)


def named(where: Sequence[tuple[str, str]]) -> str:
    """Return a position as text.

    Examples
    --------
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
    """Yield the disclosures of a release by kind, with their total numbers; without a release, of the original table.

    With `closely` false, only the bounds of single cells are used, and an additional violation states that the
    check is incomplete. With the reading "sure", the violations follow from the release alone.
    """
    sure = limits.reading == "sure" and release is not None
    still = release is not None
    noun = nouns_of(true)
    forms: tuple[Form, ...] = ("one-cell", "all-but-one")
    for form in forms:
        learnt = seen(true, release, form, sure_only=sure, closely=closely)
        stops = [_of_line(form, line, noun, still=still) for line in learnt.lines]
        number = learnt.number
        if sure and release is not None and closely and true.respondents is None:
            further = _whatever_the_counts(release, limits, form, stops, noun[1])
            stops, number = stops + further, number + len(further)
        yield stops, number
    if release is not None and closely:
        yield _recalculable_cells(release)
    elif release is not None:
        suppressed = sum(int(np.isnan(array).sum()) for array in release.values.values())
        if suppressed:
            why = "The program still computes whether published values disclose suppressed values."
            yield unchecked(
                "suppressed-cells",
                f"the check of {counted(suppressed, 'suppressed value')} is not finished",
                why,
            )


def _whatever_the_counts(
    release: Release, limits: ReleaseLimits, form: Form, stops: Sequence[Stop], unit: str
) -> list[Stop]:
    """Return further violations, so that all original tables that the release allows have the same violations.

    A method that only moves people may have changed no count, so the published table is also judged as an original one.
    """
    least = limits.people(form)
    if least == 0:
        return []
    if release.is_moved:
        places = [line.known for line in seen(release.table(), None, form).lines]
    elif release.cells.size <= MOST_CELLS and not has_keys_of_sums(release):
        lines = possible_lines(release, least, respondents=form == "all-but-one")
        places = [
            tuple((release.axes[k].name, release.axes[k].labels[at]) for k, at in line.known)
            for line in lines
        ]
    else:
        return []
    stated = {stop.where for stop in stops if stop.people >= least}
    words = f"The release could reveal that all {unit} of {{0}} are in one cell"
    if form == "all-but-one":
        words = f"The release could reveal that all {unit} of {{0}} but one are in one cell"
    why = (
        "With some original counts that agree with this release, somebody would learn a category with certainty. "
        "The verdict must not depend on the original counts."
    )
    return [
        Stop(
            form,
            f"{form}: {named(where)}",
            words.format(named(where)),
            why,
            where,
            sure=False,
        )
        for where in dict.fromkeys(places)
        if where not in stated
    ]


def unknown_counts(number: int, unit: str) -> Iterator[tuple[list[Stop], int]]:
    """Yield the violation that counts of a table are unknown, if there are such counts."""
    if number:
        are = "is" if number == 1 else "are"
        words = f"{counted(number, 'count')} {are} not in the file"
        why = (
            "The release marks these counts, and totals that include such a count, as not available. The risk is "
            f"computed with 0 in their place, and does not include the {unit} of these cells."
        )
        yield [Stop("unknown", "unknown", words, why)], 1


def unchecked(name: str, words: str, why: str) -> tuple[list[Stop], int]:
    """Return the violation that a check is not finished."""
    return [Stop("unchecked", f"unchecked: {name}", words, why)], 1


def _of_line(form: Form, line: Line, noun: tuple[str, str], *, still: bool) -> Stop:
    line_name = named(line.known)
    cell = ", ".join(shortened(label) for _, label in line.learnt)
    everybody = PEOPLE if noun is RESPONDENTS else noun[1]
    content = f"all {everybody}" if form == "one-cell" else f"all but one {noun[0]}"
    words = f"{line_name} shows {content} in one cell"
    if still:
        words = f"{line_name} still shows {content} in one cell"
    who = f"Anyone who knows that a {noun[0]} is in this group also learns the category: {cell}"
    # The number of respondents is not published, so no reader can be certain.
    sure = line.sure and (noun is not RESPONDENTS or form == "one-cell")
    if line.respondent:
        words = f"A {noun[0]} in {named(line.respondent)} can infer that all {everybody} of {line_name} are in one cell"
        who = f"This {noun[0]} knows that their own cell is not empty, and can infer the category of all others: {cell}"
    elif form == "all-but-one":
        who = f"The one {noun[0]} in another cell can infer the category of all others: {cell}"
    why = f"{who} ({counted(line.people, *noun)})."
    if not sure:
        why += " The published table shows this, whether or not a data user can be certain of it."
    return Stop(form, f"{form}: {line_name}", words, why, line.known, line.people, sure)


def _recalculable_cells(release: Release) -> tuple[list[Stop], int]:
    """Return the suppressed values that can be recalculated from published ones."""
    why = "Other published values determine the suppressed count."
    words = "The suppressed count of {0} can be recalculated"
    return _cells(release, release.recalculable, "recalculable", words, why)


def unchecked_sums_of_keys(release: Release, limits: ReleaseLimits) -> Iterator[tuple[list[Stop], int]]:
    """Yield the violation that a verdict with the reading "sure" would depend on the original counts.

    The program does not compute what respondents infer from sums of cell keys, and for large tables not what external
    intruders infer. Then the lines with all people in one cell, or all but one, are those of the original table.
    """
    if limits.reading != "sure" or not has_keys_of_sums(release):
        return
    if limits.all_but_one > 0 or (limits.one_cell > 0 and is_too_large(release)):
        words = "the program cannot compute what data users infer from sums of cell keys"
        why = (
            "The cell key of a total is the sum of the cell keys of its cells. The verdict must not depend on the "
            "original counts, so the answer is the same for all tables. Mix the cell keys with a secret."
        )
        yield [Stop("inference", "inference: sums of cell keys", words, why)], 1


def further_inference(release: Release, *, closely: bool = True) -> Iterator[tuple[list[Stop], int]]:
    """Yield the violation that data users may infer more than the intervals of a release state."""
    why = release.limitation
    has_origins = release.origins is not None and release.origins.possible is not None
    if not why and not closely and (has_origins or has_keys_of_sums(release)):
        yield unchecked(
            "intervals",
            "the check of the published intervals is not finished",
            "The program still computes whether data users can infer narrower intervals.",
        )
    elif not why and has_origins:
        stated = release.cell_bounds()
        closer = certain_bounds(release, stated)
        if not all(np.array_equal(*sides) for sides in zip(stated, closer, strict=True)):
            why = (
                "Some people may lack a partner. Data users who find out how many people moved can infer narrower "
                "intervals."
            )
    if why:
        yield (
            [
                Stop(
                    "inference",
                    "inference",
                    "data users may infer narrower intervals than the published ones",
                    why,
                )
            ],
            1,
        )


def too_small(
    true: FrequencyTable, release: Release, limits: ReleaseLimits, *, closely: bool = True
) -> Iterator[tuple[list[Stop], int]]:
    """Yield the counts below the minimum number of people or respondents that are published or can be computed.

    Without a minimum, weighted counts with one or two respondents are reported.
    """
    if limits.smallest_count <= 1 and true.respondents is None:
        return
    least = limits.smallest_count if limits.smallest_count > 1 else LEAST_LARGE
    words = f"{{0}} has a count of {{1:,.15g}}, below the minimum of {least}"
    behind = known_sizes(release) if true.respondents is None else margins(true.respondents.counts)
    flags = {
        margin: (values > 0) & (behind[margin] > 0) & (behind[margin] < least)
        for margin, values in release.values.items()
    }
    if true.respondents is not None:
        words = f"{{0}} is based on fewer than {least} respondents (number of respondents: {{1:,.15g}})"
    sure = true.respondents is None
    why = "Individuals in small cells can be identified."
    stops, number = _cells(release, flags, "small-count", words, why, sure=sure, values=behind)
    if true.respondents is not None or not release.lower:
        yield stops, number
        return
    counts = _determined(release, least, closely=closely)
    hits = {margin: ~np.isnan(counts[margin]) & ~flags[margin] for margin in flags}
    words = f"{{0}} has an original count of {{1:,.15g}}, below the minimum of {least}, that can be computed"
    why = "The published values and the method determine this count, although the published count is another one."
    computed, further = _cells(release, hits, "small-count", words, why, values=counts)
    yield (stops + computed)[:_MOST_TOLD], number + further


class CellSizes(NamedTuple):
    """Violations of the limits on the sizes of all cells, and sentences on the limits that are kept."""

    stops: tuple[Stop, ...]
    kept: tuple[str, ...]


def cell_sizes(true: FrequencyTable, release: Release, limits: ReleaseLimits) -> CellSizes:
    """Judge the share of cells with small counts, and the mean number of people or respondents per cell.

    Examples
    --------
    >>> table = FrequencyTable([[1, 9], [5, 5]])
    >>> sizes = cell_sizes(table, Release.of(table), ReleaseLimits(small_cells=0.2, mean_cell_size=5))
    >>> sizes.stops[0].words
    'the share of cells with small counts (0.25) is above your limit (0.2)'
    >>> sizes.kept
    ('The mean number of people per cell is 5, and the minimum is 5.',)
    """
    people = true if true.respondents is None else true.respondents
    noun = nouns_of(true)[1]
    cells = tuple(range(true.ndim))
    behind = known_sizes(release)[cells] if true.respondents is None else people.counts
    share = float(((release.cells > 0) & (behind > 0) & (behind < LEAST_LARGE)).mean())
    mean = people.total / true.cells
    stops, kept = list[Stop](), list[str]()
    if limits.small_cells is not None:
        name = "share of cells with small counts"
        if share > limits.small_cells:
            words = f"the {name} ({share:.3g}) is above your limit ({limits.small_cells:.15g})"
            why = (
                f"Counts from 1 to {LEAST_LARGE - 1} are small. Individuals in small cells can be identified."
            )
            stops.append(Stop("small-cells", "small-cells", words, why))
        else:
            kept.append(f"The {name} is {share:.3g}, and the maximum is {limits.small_cells:.15g}.")
    if limits.mean_cell_size is not None:
        name = f"mean number of {noun} per cell"
        if mean < limits.mean_cell_size:
            words = f"the {name} ({mean:.3g}) is below your limit ({limits.mean_cell_size:.15g})"
            why = f"The table has {people.total:,} {noun} in {true.cells:,} cells."
            stops.append(Stop("cell-size", "cell-size", words, why))
        else:
            kept.append(f"The {name} is {mean:.3g}, and the minimum is {limits.mean_cell_size:.15g}.")
    return CellSizes(tuple(stops), tuple(kept))


def _determined(release: Release, least: int, *, closely: bool) -> dict[MarginAxes, NDArray[np.float64]]:
    """Return the changed counts from 1 to below a minimum that published values determine; nan for other values.

    Suppressed counts are not included, because "recalculable" decides about them.
    """
    lower, upper = (margins(side) for side in release.cell_bounds(sharp=closely))
    counts = {}
    for margin, values in release.values.items():
        low = np.maximum(lower[margin], release.lower[margin])
        high = np.minimum(upper[margin], release.upper[margin])
        is_small = (low == high) & (low >= 1) & (low < least) & ~np.isnan(values)
        counts[margin] = np.where(is_small, low, np.nan)
    return counts


def smallest_published(true: FrequencyTable, release: Release) -> str:
    """Return the smallest published count above 0 with its place, as text; "" if no count is above 0.

    Weighted counts have the number of their respondents instead of the count.
    """
    behind = known_sizes(release) if true.respondents is None else margins(true.respondents.counts)
    smallest, place = np.inf, ""
    for margin, values in release.values.items():
        sizes = np.where((values > 0) & (behind[margin] > 0), behind[margin], np.inf)
        if sizes.size and sizes.min() < smallest:
            at = np.unravel_index(int(sizes.argmin()), sizes.shape)
            smallest = float(sizes[at])
            place = named(_labels_of(release, margin, np.array(at)))
    if not place:
        return ""
    return f"{smallest:,.15g} ({place})"


def known_sizes(release: Release) -> Mapping[MarginAxes, NDArray[np.number]]:
    """Return the published values, and the published sizes of strata instead of the values of a sample."""
    if release.fraction == 1:
        return release.values
    return {
        margin: np.where(release.lower[margin] == release.upper[margin], release.lower[margin], values)
        for margin, values in release.values.items()
    }


def _cells(
    release: Release,
    flags: Mapping[MarginAxes, NDArray[np.bool_]],
    kind: str,
    words: str,
    why: str,
    *,
    sure: bool = True,
    values: Mapping[MarginAxes, NDArray[np.number]] | None = None,
) -> tuple[list[Stop], int]:
    """Return a violation per flagged cell, whose words contain its place and its value (default: as published)."""
    values = release.values if values is None else values
    # An axis with one label, such as that of a one-way table in the interface, has the same values as its total.
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
            line = words.format(named(where), values[margin][tuple(at)])
            stops.append(Stop(kind, f"{kind}: {named(where)}", line, why, where, sure=sure))
    return stops, number


def _labels_of(release: Release, margin: MarginAxes, at: NDArray[np.intp]) -> tuple[tuple[str, str], ...]:
    axes = [(release.axes[k], int(i)) for k, i in zip(margin, at, strict=True)]
    return tuple((axis.name, axis.labels[i]) for axis, i in axes if len(axis) > 1 or release.ndim == 1)
