"""Attack more kinds of releases: `python benchmarks/further_releases_attack.py [cases] [first] [seconds]`.

The attack is the one of `released_files_attack.py`. The kinds are

* tables that `--additive` adjusts: each value was moved by at most the stated number;
* tables with a hierarchy, and linked tables, under cell suppression;
* tables under the rule `census-cell-key`, named without further options;
* two settings of one table with one secret, both published. The attacker uses both files.

The columns are those of `released_files_attack.py`. "Narrower" compares with the stated interval, and for two settings
with the intersection of both intervals.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from released_files_attack import (
    CASE_SECONDS,
    COLUMNS,
    MOST,
    RULE,
    TRIES,
    Programs,
    Settings,
    Unfinished,
    findings,
    model,
    possible_counts,
    published_numbers,
    random_table,
    stop,
    written,
)

from sdcwidgets import FrequencyTable, methods, protect
from sdcwidgets.cli import main as command
from sdcwidgets.tables.release import Release, made_additive

#: Releases that are adjusted so that they add up.
ADDITIVE: tuple[tuple[str, Settings], ...] = (
    ("random-rounding", {"margins": "own"}),
    ("random-rounding", {"base": 5, "margins": "own"}),
    ("conventional-rounding", {"margins": "own"}),
    ("conventional-rounding", {"base": 5, "margins": "own"}),
    ("cell-key", {"D": 2, "V": 0.8}),
    ("cell-key", {"D": 5, "V": 3.0, "js": 2}),
)

#: Pairs of settings of one table.
PAIRS: tuple[tuple[tuple[str, Settings], tuple[str, Settings]], ...] = (
    (("conventional-rounding", {}), ("conventional-rounding", {"base": 5})),
    (("random-rounding", {}), ("random-rounding", {"base": 5})),
    (("random-rounding", {}), ("random-rounding", {"margins": "own"})),
    (("controlled-rounding", {}), ("controlled-rounding", {"base": 5})),
    (("cell-key", {}), ("cell-key", {"D": 5, "V": 3.0, "js": 2})),
    (("cell-suppression", {}), ("cell-suppression", {"threshold": 5})),
)

KINDS = (
    *(("additive", case) for case in ADDITIVE),
    ("hierarchy", None),
    ("linked tables", None),
    ("census-cell-key", None),
    *(("two settings", pair) for pair in PAIRS),
)


def options_of(method: str, settings: Settings) -> list[str]:
    """Return the options of the command line for a method with its settings."""
    options = ["--method", method]
    for name, value in settings.items():
        options += [f"--{'method-margins' if name == 'margins' else name.replace('_', '-')}", str(value)]
    return options + (["--non-hierarchical", "rows,columns"] if method == "cell-suppression" else [])


def run(options: list[str]) -> int:
    """Return the exit status of the command `protect`."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return command(["protect", *options])


def tables(case: int, method: str) -> list[tuple[np.ndarray, int]]:
    """Return the random tables that are tried in turn, with their secrets."""
    numbers = [5_000_000 + 1000 * case + attempt for attempt in range(TRIES)]
    secrets = [int.from_bytes(np.random.default_rng([number, 7]).bytes(16), "big") for number in numbers]
    drawn = [(random_table(number, method), secret) for number, secret in zip(numbers, secrets, strict=True)]
    return [(counts, secret) for counts, secret in drawn if counts.sum()]


def stated(release: Release, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the stated intervals of the cells."""
    intervals = release.intervals()
    low, high = (intervals[side].to_numpy().reshape(shape) for side in ("lower", "upper"))
    return low, high


def rule_file(folder: Path, case: int, *, smallest: int = 3) -> Path:
    """Write the release rules, which read a published number in one of two ways."""
    path = folder / "rule.toml"
    path.write_text(RULE.format(smallest=smallest, reading=("shown", "sure")[case // len(KINDS) % 2]))
    return path


def additive(case: int, folder: Path, method: str, settings: Settings) -> Counter[str]:
    """Attack a release that was adjusted so that it adds up."""
    smallest = 0 if method == "cell-key" and "js" not in settings else 3
    rule, output = rule_file(folder, case, smallest=smallest), folder / "output.csv"
    for counts, secret in tables(case, method):
        table, options = written(counts, folder)
        output.unlink(missing_ok=True)
        more = ["--additive", "--seed", str(secret), "--rules", str(rule), "-o", str(output)]
        if run([str(folder / "table.csv"), *options, *options_of(method, settings), *more]):
            continue
        text = output.read_text("utf-8")
        protection = methods.get(method)(**settings)
        base = getattr(protection, "base", 1)
        release = made_additive(protect(table, protection, seed=secret), base, protection.conclusions)
        note = re.search(r"moved by (\d+) at most", text)
        most = int(note[1]) if note else 0
        published = published_numbers(text)
        assert np.array_equal(published[:-1, :-1], release.cells)
        programs = adjusted_model(method, settings, published, most, base)
        return findings(programs, counts, *stated(release, counts.shape))
    return Counter(refused=1)


def adjusted_model(method: str, settings: Settings, published: np.ndarray, most: int, base: int) -> Programs:
    """Return what the attacker knows: every value was published by the method, and then moved by at most a number."""

    def sources(value: float) -> list[int]:
        before = range(max(int(value) - most, 0), int(value) + most + 1, base)
        return sorted({count for one in before for count in possible_counts(method, settings, one)})

    cells, rows, columns = published[:-1, :-1], published[:-1, -1], published[-1, :-1]
    return Programs(
        [[sources(value) for value in row] for row in cells],
        [sources(value) for value in rows],
        [sources(value) for value in columns],
        sources(published[-1, -1]),
    )


def census(case: int, folder: Path) -> Counter[str]:
    """Attack a release under the rule that names the cell key method."""
    output = folder / "output.csv"
    for counts, secret in tables(case, "cell-key"):
        table, options = written(counts, folder)
        output.unlink(missing_ok=True)
        more = ["--rules", "census-cell-key", "--seed", str(secret), "-o", str(output)]
        if run([str(folder / "table.csv"), *options, *more]):
            continue
        text = output.read_text("utf-8")
        release = protect(table, "cell-key", seed=secret)
        published = published_numbers(text)
        assert np.array_equal(published[:-1, :-1], release.cells)
        programs = model("cell-key", {}, published, text)
        return findings(programs, counts, *stated(release, counts.shape))
    return Counter(refused=1)


def merge(programs: Programs, other: Programs) -> None:
    """Add the constraints of another program on the same cells."""
    shift = len(programs.upper) - other.unknowns
    programs.upper += other.upper[other.unknowns :]
    programs.is_whole += other.is_whole[other.unknowns :]
    for coefficients, low, high in other.constraints:
        moved = {k if k < other.unknowns else k + shift: value for k, value in coefficients.items()}
        programs.constraints.append((moved, low, high))


def two_settings(
    case: int, folder: Path, pair: tuple[tuple[str, Settings], tuple[str, Settings]]
) -> Counter[str]:
    """Attack two releases of one table together."""
    rule, output = (
        rule_file(folder, case, smallest=0 if pair[0] == ("cell-key", {}) else 3),
        folder / "output.csv",
    )
    for counts, secret in tables(case, pair[0][0]):
        table, options = written(counts, folder)
        texts = []
        for method, settings in pair:
            output.unlink(missing_ok=True)
            more = ["--seed", str(secret), "--rules", str(rule), "-o", str(output)]
            if run([str(folder / "table.csv"), *options, *options_of(method, settings), *more]):
                break
            texts.append(output.read_text("utf-8"))
        if len(texts) < 2:
            continue
        low, high = np.zeros(counts.shape), np.full(counts.shape, np.inf)
        values, programs = [], None
        for (method, settings), text in zip(pair, texts, strict=True):
            more = {"non_hierarchical": ("rows", "columns")} if method == "cell-suppression" else {}
            release = protect(table, method, seed=secret, **settings, **more)
            least, largest = stated(release, counts.shape)
            low, high = np.maximum(low, least), np.minimum(high, largest)
            values.append(published_numbers(text))
            one = model(method, settings, values[-1], text)
            if programs is None:
                programs = one
            else:
                merge(programs, one)
        assert programs is not None
        return findings(programs, counts, low, high)
    return Counter(refused=1)


def suppressed_entries(case: int, folder: Path, kind: str) -> Counter[str]:
    """Attack a table with a hierarchy, or linked tables, under cell suppression."""
    rng = np.random.default_rng([6_000_000, case])
    secret = int.from_bytes(rng.bytes(16), "big")
    output = folder / "output.csv"
    output.unlink(missing_ok=True)
    if kind == "hierarchy":
        shape = int(rng.integers(4, 9)), int(rng.integers(2, 5))
        counts = rng.poisson(rng.choice([2, 4, 6]) * rng.gamma(1.2, 1 / 1.2, shape))
        if not counts.sum(axis=0).all() or not counts.sum(axis=1).all():
            return Counter(refused=1)
        table, options = written(counts, folder)
        above = {
            f"A{i}": ("North", "South", "West")[i * (2 + shape[0] // 7) // shape[0]] for i in range(shape[0])
        }
        lines = ["label,parent", *(f"{label},{parent}" for label, parent in above.items())]
        (folder / "areas.csv").write_text("\n".join(lines) + "\n")
        more = ["--hierarchy", f"Area={folder / 'areas.csv'}", "--non-hierarchical", "columns"]
        release = protect(
            table, "cell-suppression", hierarchies={"Area": above}, seed=secret, non_hierarchical=("Kind",)
        )
    else:
        shape = tuple(int(n) for n in rng.integers(2, 5, 3))
        counts = rng.poisson(rng.choice([1, 2, 3]) * rng.gamma(1.2, 1 / 1.2, shape))
        if any(not counts.sum(axis=tuple({0, 1, 2} - {k})).all() for k in range(3)):
            return Counter(refused=1)
        names = "ABC"
        table = FrequencyTable(
            counts, {name: [f"{name}{i}" for i in range(n)] for name, n in zip(names, shape, strict=True)}
        )
        people = [place for place, count in np.ndenumerate(counts) for _ in range(count)]
        lines = [
            names[0] + ",B,C",
            *(",".join(f"{name}{i}" for name, i in zip(names, place, strict=True)) for place in people),
        ]
        (folder / "table.csv").write_text("\n".join(lines) + "\n")
        options = ["--by", "A,B,C", "--yes"]
        more = ["--tables", "A,B;A,C", "--non-hierarchical", "A,B,C"]
        above = {}
        release = protect(
            table,
            "cell-suppression",
            tables=[["A", "B"], ["A", "C"]],
            seed=secret,
            non_hierarchical=("A", "B", "C"),
        )
    more += ["--method", "cell-suppression", "--seed", str(secret), "-o", str(output)]
    if run([str(folder / "table.csv"), *options, *more]):
        return Counter(refused=1)
    entries = [
        row for row in csv.reader(io.StringIO(output.read_text("utf-8"))) if len(row) == counts.ndim + 1
    ][1:]
    return entries_found(entries, table, above, release)


def entries_found(
    entries: list[list[str]], table: FrequencyTable, above: dict[str, str], release: object
) -> Counter[str]:
    """Return what the attacker finds about suppressed entries, which are sums of unknown counts."""
    counts = table.counts.ravel()
    numbers = np.arange(counts.size).reshape(table.shape)
    programs = Programs([[range(MOST)] * counts.size])
    places = []
    for *labels, value in entries:
        chosen = []
        for axis, label in zip(table.axes, labels, strict=True):
            parts = [k for k, one in enumerate(axis.labels) if label in (one, above.get(one), "Total")]
            chosen.append(parts)
        places.append(numbers[np.ix_(*chosen)].ravel().tolist())
        low, high = (int(value), int(value)) if value.isdecimal() else (1, np.inf)
        programs.constraints.append((dict.fromkeys(places[-1], 1.0), low, high))
    frame = release.intervals()  # type: ignore[attr-defined]
    assert frame.iloc[:, :-3].to_numpy().tolist() == [labels for *labels, _ in entries]
    result = Counter(released=1)
    uppers = []
    for (*_, value), place, lower, upper in zip(entries, places, frame["lower"], frame["upper"], strict=True):
        true = int(counts[place].sum())
        result["stated without the count"] += not lower <= true <= upper
        uppers.append(true)
        if value.isdecimal():
            continue
        result["cells"] += 1
        low, high = programs.extreme(place, 1), programs.extreme(place, -1)
        uppers[-1] = high
        result["exact"] += low == high
        result["narrower"] += low > lower or high < min(upper, MOST - 1)
    # Lines: all entries that differ from a published total on one axis only, and are single categories.
    for at, (*labels, value) in enumerate(entries):
        for k, axis in enumerate(table.axes):
            if labels[k] != "Total" or not value.isdecimal() or value == "0":
                continue
            parts = [
                other
                for other, (*names, _) in enumerate(entries)
                if names[:k] == labels[:k] and names[k + 1 :] == labels[k + 1 :] and names[k] in axis.labels
            ]
            populated = [other for other in parts if uppers[other] >= 1]
            result["outsiders certain"] += bool(parts) and len(populated) == 1 and entries[at][-1] != "1"
    return result


def attacked(case: int, folder: Path) -> Counter[str]:
    """Return what the attacker finds in the files of a case."""
    kind, more = KINDS[case % len(KINDS)]
    if kind == "additive":
        return additive(case, folder, *more)
    if kind == "two settings":
        return two_settings(case, folder, more)
    if kind == "census-cell-key":
        return census(case, folder)
    return suppressed_entries(case, folder, kind)


def title(case: int) -> str:
    """Return the kind of a case, with its method or methods."""
    kind, more = KINDS[case % len(KINDS)]
    if more is None:
        return kind
    pairs = (more,) if kind == "additive" else more
    return f"{kind}: " + " and ".join(
        " ".join([method, *(f"{name} {value}" for name, value in settings.items())])
        for method, settings in pairs
    )


def main() -> None:
    """Attack the cases and print a table per kind."""
    number, first, seconds = (
        kind(text)
        for kind, text in zip(
            (int, int, float), [*sys.argv[1:], *("90", "0", "1800")[len(sys.argv) - 1 :]], strict=True
        )
    )
    signal.signal(signal.SIGPROF, stop)
    end = time.monotonic() + seconds
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for case in range(first, first + number):
            if time.monotonic() > end:
                by_kind[title(case)] += Counter({"not started": 1})
                continue
            signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
            try:
                result = attacked(case, Path(folder))
            except Unfinished:
                result = Counter({"not finished": 1})
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            by_kind[title(case)] += result
            if any(
                result[column] for column in ("exact", "narrower", "stated without the count", "infeasible")
            ):
                print("finding:", case, title(case), dict(result), flush=True)
    print("| kind |", " | ".join(COLUMNS), "|")
    print("| --- |", " | ".join("---:" for _ in COLUMNS), "|")
    for kind, result in [*sorted(by_kind.items()), ("all", sum(by_kind.values(), Counter()))]:
        print(f"| {kind} |", " | ".join(str(result[column]) for column in COLUMNS), "|")


if __name__ == "__main__":
    main()
