"""Verdicts against an attacker who enumerates every table: `python benchmarks/verdicts.py [VERDICTS]`.

The attacker owes nothing to the project but the published numbers and their stated intervals. For an external intruder
all tables of whole numbers that agree with them are listed. A respondent also knows the own cell of the table, so only
tables with at least one person in it remain. Somebody is disclosed if, in every remaining table, all people of a line
(for a respondent: all others) are in one category, and the same one.

A *false release* is the answer "release" while somebody is disclosed. A *false refusal* is a violation that says of
people what nobody can be certain of. With the reading "shown" that is intended: a number that reads so and is true is a
violation, although nobody can be certain.

Measured 2026-11, 3,000 verdicts (1,096 release): no false release for external intruders (certain in 733 of all
releases), none for single respondents (certain in 941). With the reading "sure", the verdict follows from the release
alone: 787 of 3,460 violations name a line in which nobody is certain for the original counts of the case, but would be
for others that the release allows. Of 159 tables that are refused because no count above 0 is left, nobody is certain
in 90. With the reading "shown", 692 of 1,123 verdicts name first what reads so and is true, although nobody can be
certain of it.
"""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets.assessment.verdict import ReleaseLimits, Verdict, judge
from sdcwidgets.tables.release import Release

VERDICTS, MOST_TABLES = 3_000, 20_000
SHAPES = ((2, 2), (2, 3), (3, 2), (3, 3), (4,), (2, 2, 2))
METHODS = {
    "conventional-rounding": ({"base": 3}, {"base": 2}, {"base": 5}),
    "random-rounding": ({"base": 3}, {"base": 2}),
    "semi-controlled-rounding": ({"base": 3},),
    "controlled-rounding": ({"base": 3},),
    "small-cell-adjustment": ({},),
    "cell-suppression": ({"threshold": 3}, {"threshold": 2}),
    "threshold-suppression": ({"threshold": 3}, {"threshold": 3, "zeros": True}),
    "barnardisation": ({},),
    "cell-key": ({"D": 1, "V": 0.5}, {"D": 2, "V": 1.0}),
    "": ({},),
}

#: What is known of the people of a line, as (axis, category) pairs, and the axis whose category follows.
Disclosed = tuple[tuple[tuple[int, int], ...], int]


def tables_that_fit(release: Release) -> np.ndarray | None:
    """Return all tables of whole numbers that agree with all published numbers; None if there are too many."""
    every = tuple(range(release.ndim))
    total = release.upper.get((), np.inf)
    lows = release.lower.get(every, np.zeros(release.shape))
    highs = np.minimum(release.upper.get(every, np.full(release.shape, np.inf)), total)
    if not np.isfinite(highs).all() or np.prod(highs - lows + 1) > MOST_TABLES:
        return None
    ranges = [np.arange(low, high + 1) for low, high in zip(lows.ravel(), highs.ravel(), strict=True)]
    tables = np.array(list(itertools.product(*ranges))).reshape(-1, *release.shape)
    for kept in release.values:
        sums = tables.sum(axis=tuple(k + 1 for k in every if k not in kept))
        fits = (sums >= release.lower[kept]) & (sums <= release.upper[kept])
        tables = tables[fits.reshape(len(tables), -1).all(axis=1)]
    return tables


def disclosed(
    true: np.ndarray, tables: np.ndarray, own: tuple[int, ...] | None = None
) -> Iterator[Disclosed]:
    """Yield the lines of which somebody is certain, who is in the cell `own` or in no cell of the table."""
    self = np.zeros(true.shape, dtype=int)
    if own is not None:
        self[own] = 1
        tables = tables[(tables >= self).all(axis=tuple(range(1, tables.ndim)))]
    tables, true = tables - self, true - self
    for size in range(true.ndim):
        for known in itertools.combinations(range(true.ndim), size):
            for axis in set(range(true.ndim)) - set(known):
                if true.shape[axis] < 2:
                    continue
                kept = tuple(sorted((*known, axis)))
                gone = tuple(k for k in range(true.ndim) if k not in kept)
                people = np.moveaxis(true.sum(axis=gone), kept.index(axis), -1)
                sums = np.moveaxis(tables.sum(axis=tuple(k + 1 for k in gone)), kept.index(axis) + 1, -1)
                one = (sums > 0).any(axis=0).sum(axis=-1) == 1
                for place in map(tuple, np.argwhere(one & (people.sum(axis=-1) > 0)).tolist()):
                    yield tuple(zip(known, place, strict=True)), axis


def drawn(rng: np.random.Generator) -> tuple[FrequencyTable, Release | None, str] | None:
    """Draw a table and what a method publishes of it; None if the method refuses the table."""
    shape = SHAPES[rng.integers(len(SHAPES))]
    counts = rng.choice([0, 0, 1, 2, 3, 5], shape)
    if not counts.any():
        return None
    axes = [(f"X{k}", [f"{k}{i}" for i in range(size)]) for k, size in enumerate(shape)]
    table = FrequencyTable(counts, axes)
    name = [*METHODS][rng.integers(len(METHODS))]
    chosen = METHODS[name]
    try:
        release = (
            methods.get(name)(**chosen[rng.integers(len(chosen))]).release(table, int(rng.integers(10**6)))
            if name
            else None
        )
    except InputError:
        return None
    return table, release, name or "the table as it is"


def places(true: FrequencyTable, verdict: Verdict, kind: str) -> set[tuple[tuple[int, int], ...]]:
    """Return the lines of the violations of a kind."""
    names = [axis.name for axis in true.axes]
    return {
        tuple((names.index(axis), true.axes[names.index(axis)].position(label)) for axis, label in stop.where)
        for stop in verdict.stops
        if stop.kind == kind
    }


def main(verdicts: int = VERDICTS) -> int:
    rng = np.random.default_rng(1)
    released, refused, false_releases = Counter[str](), Counter[str](), Counter[str]()
    violations, unfounded = Counter[str](), Counter[str]()
    disclosing, unconfirmed = Counter[str](), Counter[str]()
    judged = 0
    while judged < verdicts:
        found = drawn(rng)
        if found is None:
            continue
        true, release, name = found
        public = Release.of(true) if release is None else release
        true = public.regroup(true)
        tables = tables_that_fit(public)
        if tables is None:
            continue
        assert (tables == true.counts).reshape(len(tables), -1).all(axis=1).any()
        reading = ("sure", "shown")[judged % 2]
        judged += 1
        limits = ReleaseLimits(
            "benchmark",
            no_risk_limit="lines only",
            one_cell=1,
            all_but_one=1,
            recalculable=False,
            reading=reading,
        )
        verdict = judge(true, release, limits)
        outside = set(disclosed(true.counts, tables))
        respondents = [
            set(disclosed(true.counts, tables, own)) for own in map(tuple, np.argwhere(true.counts))
        ]
        inside = set().union(*respondents)
        (released if verdict.answer == "release" else refused)[name] += 1
        disclosing["external intruder"] += bool(outside)
        disclosing["single respondent"] += bool(inside)
        if verdict.answer == "release":
            false_releases["external intruder"] += bool(outside)
            false_releases["single respondent"] += bool(inside)
        for kind, truly in (("one-cell", outside), ("all-but-one", inside)):
            lines = {known for known, _ in truly}
            for place in places(true, verdict, kind):
                if reading == "sure" and place not in lines:
                    unconfirmed[name] += 1
                violations[f"{kind}, reading {reading}"] += 1
                unfounded[f"{kind}, reading {reading}"] += place not in lines
        if verdict.answer == "release":
            continue
        # A verdict is counted with its gravest violation.
        gravest = f"whole verdict, first {verdict.stops[0].kind}, reading {reading}"
        violations[gravest] += 1
        unfounded[gravest] += not outside | inside
    print(f"{judged:,} verdicts: {sum(released.values()):,} release, {sum(refused.values()):,} not yet")
    for name in sorted({*released, *refused}):
        print(f"  {name}: {released[name]} release, {refused[name]} not yet")
    print("False releases")
    for who in ("external intruder", "single respondent"):
        print(f"  {who}: {false_releases[who]} (is certain in {disclosing[who]} of all releases)")
    print("False refusals")
    for kind in sorted(violations):
        print(f"  {kind}: {unfounded[kind]} of {violations[kind]}")
    print("Violations not confirmed with the reading sure, by method:", dict(unconfirmed))
    return int(any(false_releases.values()))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
