"""Attack released files by enumeration: `python benchmarks/released_files_attack.py [cases] [first] [seconds]`.

Each case is a random table of 2 x 2 to 8 x 5, protected by the command line under a rule, with the answer "release".
The attacker has the released table and its notes, and knows the method and its settings. From these alone, integer
programs find the smallest and the largest original count of each cell. The attack was written from the documents,
and uses no code of the verdict. The programs use

* the possible counts behind each cell and each total, and that published values of the same people are equal;
* for plain cell keys, that the key of a total is the fractional part of the sum of the keys of its cells;
* for tables that are counted from records, that each category has people.

For each method the script prints:

* cells whose count is exact for the attacker, although their stated interval is not;
* cells whose bounds are narrower than the stated interval, and stated intervals without the original count;
* lines of the table in which an external intruder, or a respondent, is certain of the category of all (other) people.

A case that needs more than `CASE_SECONDS` of processor time counts as not finished, and cases that do not start within
the seconds (default: 3,600) as not started. What follows from running the program on other tables is measured by
`minimality.py`.
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
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from sdcwidgets import FrequencyTable, InputError, methods, protect
from sdcwidgets.cli import main as command
from sdcwidgets.methods import cellkey
from sdcwidgets.tables.release import Release

Settings = dict[str, object]

#: Cell keys from the record keys of a microdata file.
RECORDS = "cell-key of records"

#: Methods and settings that are attacked in turn.
CASES: tuple[tuple[str, Settings], ...] = (
    ("conventional-rounding", {}),
    ("conventional-rounding", {"base": 5, "margins": "own"}),
    ("random-rounding", {}),
    ("random-rounding", {"base": 5, "margins": "own"}),
    ("controlled-rounding", {}),
    ("controlled-rounding", {"base": 5}),
    ("semi-controlled-rounding", {}),
    ("semi-controlled-rounding", {"totals": "rows"}),
    ("small-cell-adjustment", {}),
    ("cell-suppression", {}),
    ("cell-suppression", {"cost": "cell"}),
    ("cell-suppression", {"threshold": 5}),
    ("cell-key", {"D": 5, "V": 3.0, "js": 2}),
    ("cell-key", {"D": 4, "V": 3.0, "js": 2, "margins": "sums"}),
    ("cell-key", {}),
    ("cell-key", {"D": 2, "V": 0.8}),
    ("cell-key", {"D": 5, "V": 3.0, "js": 2, "cell_keys": "plain"}),
    ("cell-key", {"D": 2, "V": 0.8, "cell_keys": "plain"}),
    ("cell-key", {"cell_keys": "plain", "margins": "sums"}),
    (RECORDS, {"D": 5, "V": 3.0, "js": 2}),
    (RECORDS, {"D": 2, "V": 0.8}),
    (RECORDS, {"D": 3, "V": 1.0, "cell_keys": "plain"}),
    ("conventional-rounding of records", {}),
    ("random-rounding of records", {"margins": "own"}),
    ("stochastic-perturbation", {}),
    ("stochastic-perturbation", {"invariant": True}),
    ("barnardisation", {}),
    ("threshold-suppression", {}),
    ("record-swapping", {"rate": 0.3}),
    ("targeted-record-swapping", {}),
    ("post-randomisation", {}),
    ("simple-random-sampling", {"fraction": 0.9}),
    ("stratified-sampling", {"fraction": 0.9}),
)

SHAPES = ((2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 4), (5, 3), (6, 4), (8, 5), (2, 5))

#: Methods that need larger counts for the answer "release".
LARGE = {name for name, _ in CASES if "sampling" in name or "swapping" in name} | {
    "barnardisation",
    "post-randomisation",
}

#: Largest count that the attacker considers, and the number of tables that are tried until one is released.
MOST, TRIES = 400, 12

#: Maximum number of cells for which all residuals of semi-controlled rounding are counted together.
MOST_TOGETHER = 24

#: Time limit of one integer program, in seconds.
SECONDS = 1.0

#: Processor time of one case, and of the whole run, in seconds.
CASE_SECONDS, RUN_SECONDS = 60.0, 3_600.0

RULE = """[rule]
name = "Panel"
source = "Panel, May 2026"
[limits]
smallest-count = {smallest}
no-risk-limit = "the attack decides"
[stops]
reading = "{reading}"
one-cell = 1
all-but-one = 3
"""


class Unfinished(Exception):
    """A case needs too much processor time."""


class Infeasible(Exception):
    """No table agrees with what is published: the attacker's model is wrong."""


class KeyedCount(NamedTuple):
    """A count behind a published value, with the interval of cell keys that gives its noise."""

    count: int
    low: float
    high: float


class Programs:
    """Original counts as whole unknowns, with the values that each cell and total may have.

    Parameters
    ----------
    cells : list of list of sequence of int
        The possible counts of each cell.
    rows, columns : list of sequence of int, optional
        The possible totals.
    total : sequence of int, optional
    flagged : bool
        Whether each count of a cell has a flag, for `occur`.
    """

    def __init__(
        self,
        cells: list[list[Sequence[int]]],
        rows: list[Sequence[int]] | None = None,
        columns: list[Sequence[int]] | None = None,
        total: Sequence[int] | None = None,
        *,
        flagged: bool = False,
    ) -> None:
        self.shape = len(cells), len(cells[0])
        self.unknowns = self.shape[0] * self.shape[1]
        self.upper = [float(10 * MOST)] * self.unknowns
        self.is_whole = [1] * self.unknowns
        self.constraints: list[tuple[dict[int, float], float, float]] = []
        self.flags: dict[int, list[int]] = defaultdict(list)
        numbers = np.arange(self.unknowns).reshape(self.shape)
        for place, number in np.ndenumerate(numbers):
            self._restrict([int(number)], cells[place[0]][place[1]], flagged=flagged)
        for i, possible in enumerate(rows or []):
            self._restrict(numbers[i].tolist(), possible)
        for j, possible in enumerate(columns or []):
            self._restrict(numbers[:, j].tolist(), possible)
        if total is not None:
            self._restrict(numbers.ravel().tolist(), total)

    def occur(self, counts: list[int]) -> None:
        """Let each of some counts be the count of at least one cell."""
        for count in counts:
            if not self.flags[count]:
                raise Infeasible
            self.constraints.append((dict.fromkeys(self.flags[count], 1.0), 1, np.inf))

    def _restrict(self, numbers: list[int], possible: Sequence[int], *, flagged: bool = False) -> None:
        """Let a sum have one of some values."""
        if not len(possible):
            raise Infeasible
        values = sorted(possible)
        coefficients = dict.fromkeys(numbers, 1.0)
        self.constraints.append((coefficients, values[0], values[-1]))
        if flagged or values[-1] - values[0] + 1 != len(values):
            flags = self._add_unknowns(len(values))
            for flag, value in zip(flags, values, strict=True):
                self.flags[value].append(flag)
            self.constraints.append((dict.fromkeys(flags, 1.0), 1, 1))
            self.constraints.append(
                (coefficients | dict(zip(flags, [-float(v) for v in values], strict=True)), 0, 0)
            )

    def let_differ(self, values: np.ndarray) -> None:
        """Let somebody else be in the line if a cell and its total, or a total and the sum of all, are different.

        Parameters
        ----------
        values : ndarray of float
            Published cells with totals last. Published values of the same people have the same noise.
        """
        numbers = np.arange(self.unknowns).reshape(self.shape)
        for published, cells, axis in ((values, numbers, 1), (values.T, numbers.T, 0)):
            for line, total, places in zip(published[:-1, :-1], published[:-1, -1], cells, strict=True):
                for k in np.flatnonzero(line != total):
                    self.fill(np.delete(places, k).tolist())
            for k in np.flatnonzero(published[:-1, -1] != values[-1, -1]):
                self.fill(np.delete(numbers, k, axis=1 - axis).ravel().tolist())

    def fill(self, numbers: list[int]) -> None:
        """Let some cells have at least one person."""
        self.constraints.append((dict.fromkeys(numbers, 1.0), 1, np.inf))

    def add_keys(self, values: np.ndarray, keys: dict[int, list[KeyedCount]]) -> None:
        """Let the key of each total be the fractional part of the sum of the keys of its cells.

        Parameters
        ----------
        values : ndarray of float
            Published cells with totals last.
        keys : dict of int to list of KeyedCount
            Counts behind each published value, with their intervals of keys.
        """
        numbers = np.arange(self.unknowns).reshape(self.shape)
        cells = {
            int(k): self._key_of([int(k)], keys[int(values[place])]) for place, k in np.ndenumerate(numbers)
        }
        lines = [*zip(numbers, values[:-1, -1], strict=True), *zip(numbers.T, values[-1, :-1], strict=True)]
        for places, value in [*lines, (numbers.ravel(), values[-1, -1])]:
            total = self._key_of(places.tolist(), keys[int(value)])
            (turns,) = self._add_unknowns(1, most=len(places))
            coefficients = dict.fromkeys([cells[k] for k in places.tolist()], 1.0)
            self.constraints.append((coefficients | {total: -1.0, turns: -1.0}, 0, 0))

    def _key_of(self, numbers: list[int], options: list[KeyedCount]) -> int:
        """Return the unknown key of a sum of cells, which has one of some counts."""
        if not options:
            raise Infeasible
        (key,) = self._add_unknowns(1, whole=0)
        flags = self._add_unknowns(len(options))
        self.constraints.append((dict.fromkeys(flags, 1.0), 1, 1))
        counts = dict(zip(flags, (-float(one.count) for one in options), strict=True))
        self.constraints.append((dict.fromkeys(numbers, 1.0) | counts, 0, 0))
        low = dict(zip(flags, (-one.low for one in options), strict=True))
        high = dict(zip(flags, (-one.high for one in options), strict=True))
        self.constraints.append(({key: 1.0} | low, 0, np.inf))
        self.constraints.append(({key: 1.0} | high, -np.inf, 0))
        return key

    def _add_unknowns(self, number: int, *, most: float = 1.0, whole: int = 1) -> range:
        first = len(self.upper)
        self.upper += [most] * number
        self.is_whole += [whole] * number
        return range(first, first + number)

    def extreme(self, numbers: list[int], sense: int, at_least: dict[int, int] | None = None) -> int:
        """Return the smallest (sense 1) or largest (sense -1) sum of some cells."""
        objective = np.zeros(len(self.upper))
        objective[numbers] = sense
        matrix = np.zeros((len(self.constraints), len(self.upper)))
        for row, (coefficients, _, _) in enumerate(self.constraints):
            matrix[row, list(coefficients)] = list(coefficients.values())
        low, high = ([one[k] for one in self.constraints] for k in (1, 2))
        lower = np.zeros(len(self.upper))
        for number, least in (at_least or {}).items():
            lower[number] = least
        solution = milp(
            objective,
            constraints=LinearConstraint(matrix, low, high),
            integrality=np.array(self.is_whole),
            bounds=Bounds(lower, self.upper),
            options={"time_limit": SECONDS},
        )
        if solution.status == 1:
            # The attacker gives up: the bound that is proved so far is valid, and may be wider than the best one.
            if solution.mip_dual_bound is None:
                return 0 if sense == 1 else 10 * MOST * len(numbers)
            return int(np.ceil(solution.mip_dual_bound - 1e-6) * sense)
        if solution.x is None:
            raise Infeasible(solution.message)
        return round(sense * solution.fun)

    def bounds(self, i: int, j: int, at_least: dict[int, int] | None = None) -> tuple[int, int]:
        """Return the smallest and the largest count of a cell."""
        number = [i * self.shape[1] + j]
        return self.extreme(number, 1, at_least), self.extreme(number, -1, at_least)


@lru_cache(maxsize=64)
def _transition(method: str, settings: tuple[tuple[str, object], ...]) -> np.ndarray:
    return np.asarray(methods.get(method)(**dict(settings)).transition(MOST))


def possible_counts(method: str, settings: Settings, published: float) -> list[int]:
    """Return the original counts that the method may publish as this number."""
    matrix = _transition(method, tuple(settings.items()))
    value = int(published)
    return np.flatnonzero(matrix[:, value] > 0).tolist() if value < matrix.shape[1] else []


def keyed_counts(settings: Settings, published: np.ndarray) -> dict[int, list[KeyedCount]]:
    """Return the counts behind each value, with the keys that give the noise, by the published p-table."""
    p_table = methods.get("cell-key")(**settings).noise_table()
    last = int(p_table.i.max())
    result = {}
    for value in map(int, np.unique(published)):
        options = [KeyedCount(0, 0.0, 0.0)] if value == 0 else []
        for i, v, low, high in zip(p_table.i, p_table.v, p_table.p_int_lb, p_table.p_int_ub, strict=True):
            count = value - int(v)
            if count > 0 and min(count, last) == i and high > low:
                options.append(KeyedCount(count, float(low), float(high)))
        result[value] = options
    return result


def around(value: float, base: int) -> range:
    """Return the counts that are less than a base away."""
    return range(max(int(value) - base + 1, 0), int(value) + base)


def model(method: str, settings: Settings, published: np.ndarray, text: str) -> Programs:
    """Return what the attacker knows of the original counts.

    Parameters
    ----------
    method : str
    settings : dict
    published : ndarray of float
        Cells with totals last, nan where suppressed.
    text : str
        The released file.
    """
    if method.endswith(" of records"):
        programs = model(method.removesuffix(" of records"), settings, published, text)
        numbers = np.arange(programs.unknowns).reshape(programs.shape)
        for places in (*numbers, *numbers.T):
            programs.fill(places.tolist())
        return programs
    cells, rows, columns = published[:-1, :-1], published[:-1, -1], published[-1, :-1]
    total = published[-1, -1]
    anything = range(MOST)
    if method in ("record-swapping", "targeted-record-swapping"):
        most = MOST if method != "record-swapping" else round(float(settings["rate"]) / 2 * int(total))
        near_cells = [[range(max(int(n) - most, 0), int(n) + most + 1) for n in row] for row in cells]
        return Programs(near_cells, [[int(n)] for n in rows], [[int(n)] for n in columns])
    if settings.get("invariant"):
        return invariant_model(cells.astype(int))
    if method == "post-randomisation":
        return Programs([[anything] * len(row) for row in cells], [[int(n)] for n in rows])
    if "sampling" in method:
        drawn, everybody = map(int, re.search(r"A sample of (\d+) of (\d+) people", text).groups())
        more = everybody - drawn + 1
        possible = None
        if method == "stratified-sampling":
            sizes = re.findall(r"A\d+: \d+ of (\d+)", text)
            possible = [[int(size)] for size in sizes]
        return Programs(
            [[range(int(n), int(n) + more) for n in row] for row in cells], possible, None, [everybody]
        )
    if method == "controlled-rounding":
        base = int(settings.get("base", 3))

        def near(values: np.ndarray) -> list[Sequence[int]]:
            return [around(value, base) for value in values]

        return Programs([near(row) for row in cells], near(rows), near(columns), around(total, base))
    if method in ("cell-suppression", "threshold-suppression"):
        hidden = (
            range(1, MOST) if method == "cell-suppression" else range(1, int(settings.get("threshold", 3)))
        )

        def known(values: np.ndarray) -> list[Sequence[int]]:
            return [hidden if np.isnan(value) else [int(value)] for value in values]

        return Programs(
            [known(row) for row in cells], known(rows), known(columns), known(np.array([total]))[0]
        )

    def counts(values: np.ndarray) -> list[Sequence[int]]:
        return [possible_counts(method, settings, value) for value in values]

    own = settings.get("margins", "own" if method == "cell-key" else "sums") == "own"
    if not own:
        return Programs([counts(row) for row in cells])
    programs = Programs(
        [counts(row) for row in cells], counts(rows), counts(columns), counts(np.array([total]))[0]
    )
    if method == "cell-key":
        programs.let_differ(published)
        if settings.get("cell_keys") == "plain":
            programs.add_keys(published, keyed_counts(settings, published))
    return programs


def invariant_model(cells: np.ndarray) -> Programs:
    """Return what the attacker knows of invariant perturbation: every published count occurs in the original table."""
    matrix = _transition("stochastic-perturbation", ())

    def sources(count: int) -> list[int]:
        draws = matrix[count] > 0
        return np.flatnonzero(matrix[:, draws].any(axis=1)).tolist()

    programs = Programs([[sources(count) for count in row] for row in cells.tolist()], flagged=True)
    programs.occur(np.unique(cells).tolist())
    return programs


class SemiControlled:
    """Tables that semi-controlled rounding may publish as this one, counted by residuals, one group at a time."""

    def __init__(self, settings: Settings, cells: np.ndarray) -> None:
        self.base = int(settings.get("base", 3))
        self.cells, self.shape = cells.astype(int), cells.shape
        self.by_row = settings.get("totals") == "rows"

    def bounds(self, i: int, j: int, at_least: dict[int, int] | None = None) -> tuple[int, int]:
        """Return the smallest and the largest count of a cell."""
        least = at_least or {}
        group = [(i, k) for k in range(self.shape[1])] if self.by_row else list(np.ndindex(self.shape))
        possible = []
        for count in around(self.cells[i, j], self.base):
            values = []
            for cell in group:
                number = cell[0] * self.shape[1] + cell[1]
                allowed = [count] if cell == (i, j) else list(around(self.cells[cell], self.base))
                values.append((int(self.cells[cell]), [n for n in allowed if n >= least.get(number, 0)]))
            if self._is_possible(values):
                possible.append(count)
        if not possible:
            raise Infeasible
        return min(possible), max(possible)

    def extreme(self, numbers: list[int], sense: int, at_least: dict[int, int] | None = None) -> int:
        """Return a bound of a sum of cells: the sum of their bounds."""
        cells = (divmod(number, self.shape[1]) for number in numbers)
        return sum(self.bounds(i, j, at_least)[0 if sense == 1 else 1] for i, j in cells)

    def _is_possible(self, values: list[tuple[int, list[int]]]) -> bool:
        base = self.base
        start = ((0,) * (base - 1), (0,) * (base - 1))
        states = {start}
        for published, allowed in values:
            after = set()
            for number, raised in states:
                for count in allowed:
                    residual = count % base
                    if residual == 0:
                        if count == published:
                            after.add((number, raised))
                        continue
                    is_raised = published == count - residual + base
                    if is_raised or published == count - residual:
                        one, two = list(number), list(raised)
                        one[residual - 1] += 1
                        two[residual - 1] += is_raised
                        after.add((tuple(one), tuple(two)))
            states = after
        total = sum(published for published, _ in values)
        return any(self._agrees(number, raised, total) for number, raised in states)

    def _agrees(self, number: tuple[int, ...], raised: tuple[int, ...], total: int) -> bool:
        base = self.base
        for residual, (n, up) in enumerate(zip(number, raised, strict=True), 1):
            if not np.floor(n * residual / base + 1e-9) <= up <= np.ceil(n * residual / base - 1e-9):
                return False
        original = total + sum(residual * n for residual, n in enumerate(number, 1)) - base * sum(raised)
        return original >= 0 and original - base < total < original + base


def certain_lines(
    programs: Programs | SemiControlled, true: np.ndarray, bounds: np.ndarray
) -> tuple[int, int]:
    """Return in how many lines an external intruder, and a respondent, is certain of the category of all others."""
    outsiders = respondents = 0
    columns = true.shape[1]
    lines = [[(i, j) for j in range(columns)] for i in range(len(true))]
    lines += [[(i, j) for i in range(len(true))] for j in range(columns)]
    for line in lines:
        people = sum(int(true[cell]) for cell in line)
        numbers = [i * columns + j for i, j in line]
        populated = [cell for cell in line if bounds[cell][1] >= 1]
        if people and len(populated) == 1 and programs.extreme(numbers, 1) >= 1:
            outsiders += 1
        if people < 3:
            continue
        for own in (cell for cell in line if true[cell] >= 1):
            at_least = {own[0] * columns + own[1]: 1}
            others = []
            for cell in line:
                needed = 2 if cell == own else 1
                if bounds[cell][1] >= needed and programs.bounds(*cell, at_least)[1] >= needed:
                    others.append(cell)
                if len(others) > 1:
                    break
            if len(others) == 1 and programs.extreme(numbers, 1, at_least) >= 2:
                respondents += 1
                break
    return outsiders, respondents


def random_table(number: int, method: str) -> np.ndarray:
    """Return a random table of a size that the method can protect."""
    rng = np.random.default_rng(number)
    shape = SHAPES[int(rng.integers(len(SHAPES)))]
    mean = 12 if method in LARGE else rng.choice([2, 3, 5])
    counts = rng.poisson(mean * rng.gamma(1.2, 1 / 1.2, shape))
    return np.where(rng.random(shape) < 0.2, 0, counts + 4) if method in LARGE else counts


def published_numbers(text: str) -> np.ndarray:
    """Return the cells of a released file with their totals, which it may lack."""
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    numbers = [
        [float(value) if re.fullmatch(r"\d+", value) else np.nan for value in row[1:]]
        for row in rows[1:]
        if len(row) == len(rows[0])
    ]
    published = np.array(numbers)
    if rows[0][-1] != "Total":
        published = np.concatenate([published, published.sum(axis=0, keepdims=True)])
        published = np.concatenate([published, published.sum(axis=1, keepdims=True)], axis=1)
    return published


def written(counts: np.ndarray, folder: Path) -> tuple[FrequencyTable, list[str]]:
    """Write a table as a file, and return it with the options for reading."""
    table = FrequencyTable(
        counts,
        {"Area": [f"A{i}" for i in range(len(counts))], "Kind": [f"k{j}" for j in range(counts.shape[1])]},
    )
    lines = [["Area", *table.axes[1]]]
    lines += [[f"A{i}", *row] for i, row in enumerate(counts.tolist())]
    (folder / "table.csv").write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    return table, ["--first-line", "labels", "--margins", "keep"]


def written_records(
    counts: np.ndarray, number: int, folder: Path
) -> tuple[FrequencyTable, list[str], np.ndarray]:
    """Write the people of a table as a file of records with record keys; only categories with people remain."""
    rng = np.random.default_rng([number, 11])
    places = [place for place, count in np.ndenumerate(counts) for _ in range(count)]
    people = [(f"A{i}", f"k{j}") for i, j in rng.permutation(places).tolist()]
    keys = np.round(rng.random(len(people)), 8)
    lines = [f"{area},{kind},{key:.8f}" for (area, kind), key in zip(people, keys.tolist(), strict=True)]
    (folder / "table.csv").write_text("\n".join(["Area,Kind,record key", *lines]) + "\n")
    table = FrequencyTable.from_csv((folder / "table.csv").read_text(), by=["Area", "Kind"], count="rows")
    cells = [
        table.axes[0].position(area) * len(table.axes[1]) + table.axes[1].position(kind)
        for area, kind in people
    ]
    cell_keys = cellkey.cell_keys(keys, np.array(cells), table.cells).reshape(table.shape)
    return table, ["--by", "Area,Kind", "--yes"], cell_keys


class Files(NamedTuple):
    """What the command line released, and what is checked with it."""

    counts: np.ndarray
    text: str
    release: Release


def released(case: int, folder: Path) -> Files | None:
    """Protect tables by the command line until one is released.

    Parameters
    ----------
    case : int
    folder : Path
        Where the files are written.
    """
    full_name, settings = CASES[case % len(CASES)]
    method = full_name.removesuffix(" of records")
    rule, output, report = folder / "rule.toml", folder / "output.csv", folder / "report.html"
    # Small counts are perturbed by cell keys, and published if the p-table allows it.
    smallest = 0 if method == "cell-key" and "js" not in settings else 3
    rule.write_text(RULE.format(smallest=smallest, reading=("shown", "sure")[case // len(CASES) % 2]))
    for attempt in range(TRIES):
        number = 1_000_000 + 1000 * case + attempt
        counts = random_table(number, method)
        output.unlink(missing_ok=True)
        report.unlink(missing_ok=True)
        if counts.sum() == 0:
            continue
        keys = None
        if method != full_name:
            table, options, keys = written_records(counts, number, folder)
            if min(table.shape) < 2:
                continue
        else:
            table, options = written(counts, folder)
        seed = int.from_bytes(np.random.default_rng([number, 7]).bytes(16), "big")
        options += ["--method", method, "--seed", str(seed)]
        for name, value in settings.items():
            options += [f"--{'method-margins' if name == 'margins' else name.replace('_', '-')}", str(value)]
        if method == "cell-suppression":
            options += ["--non-hierarchical", "rows,columns"]
        if full_name == RECORDS:
            options += ["--record-key", "record key"]
        options += ["--rules", str(rule), "-o", str(output), "--report", str(report)]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = command(["protect", str(folder / "table.csv"), *options])
        if status == 0:
            release = stated(full_name, settings, table, keys, seed)
            return Files(table.counts, output.read_text("utf-8"), release)
    return None


def stated(
    method: str, settings: Settings, table: FrequencyTable, keys: np.ndarray | None, seed: int
) -> Release:
    """Return the release of the command line, with its stated intervals."""
    if method == RECORDS:
        assert keys is not None
        mixed = settings.get("cell_keys") != "plain"
        p_table = methods.get("cell-key")(**settings).noise_table()
        return cellkey.release(table, keys, p_table, secret=seed if mixed else None)
    more = {"non_hierarchical": ("rows", "columns")} if method == "cell-suppression" else {}
    return protect(table, method.removesuffix(" of records"), seed=seed, **settings, **more)


def findings(
    programs: Programs | SemiControlled, counts: np.ndarray, low: np.ndarray, high: np.ndarray
) -> Counter[str]:
    """Return what the attacker finds about a table with stated intervals."""
    result = Counter(released=1, cells=counts.size)
    result["stated without the count"] = int(((counts < low) | (counts > high)).sum())
    try:
        bounds = np.empty(counts.shape, dtype=object)
        for cell in np.ndindex(counts.shape):
            bounds[cell] = programs.bounds(*cell)
        outsiders, respondents = certain_lines(programs, counts, bounds)
    except Infeasible:
        return result + Counter(infeasible=1)
    found = np.array([[list(pair) for pair in row] for row in bounds])
    result["exact"] = int(((found[..., 0] == found[..., 1]) & (low != high)).sum())
    narrower = (found[..., 0] > low) | (found[..., 1] < np.minimum(high, MOST - 1))
    result["narrower"] = int(narrower.sum())
    result["outsiders certain"], result["respondents certain"] = outsiders, respondents
    return result


def attacked(case: int, folder: Path) -> Counter[str]:
    """Return what the attacker finds in the files of a case."""
    method, settings = CASES[case % len(CASES)]
    files = released(case, folder)
    if files is None:
        return Counter(refused=1)
    counts, text, release = files
    if method == "semi-controlled-rounding" and "totals" not in settings and counts.size > MOST_TOGETHER:
        return Counter(released=1, skipped=1)
    published = published_numbers(text)
    assert (published[:-1, :-1] == release.cells).sum() == (~np.isnan(release.cells)).sum()
    intervals = release.intervals()
    low, high = (intervals[side].to_numpy().reshape(counts.shape) for side in ("lower", "upper"))
    try:
        if method == "semi-controlled-rounding":
            programs = SemiControlled(settings, published[:-1, :-1])
        else:
            programs = model(method, settings, published, text)
    except Infeasible:
        return Counter(released=1, cells=counts.size, infeasible=1)
    return findings(programs, counts, low, high)


#: What the attacker finds, or what shows that the attacker's model is wrong.
FINDINGS = (
    "exact",
    "narrower",
    "stated without the count",
    "outsiders certain",
    "respondents certain",
    "infeasible",
    "not finished",
)

COLUMNS = (
    "released",
    "refused",
    "cells",
    "exact",
    "narrower",
    "stated without the count",
    "outsiders certain",
    "respondents certain",
    "infeasible",
    "skipped",
    "not finished",
    "not started",
)


def stop(*_: object) -> None:
    """Interrupt a case."""
    raise Unfinished


def attacks(cases: range, seconds: float = RUN_SECONDS) -> Iterator[tuple[str, Counter[str]]]:
    """Yield for each case the method and what the attacker finds."""
    signal.signal(signal.SIGPROF, stop)
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            method = CASES[case % len(CASES)][0]
            if time.monotonic() > end:
                yield method, Counter({"not started": 1})
                continue
            signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
            try:
                yield method, attacked(case, Path(folder))
            except Unfinished:
                yield method, Counter({"not finished": 1})
            except InputError as error:
                print(case, error, file=sys.stderr)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    """Attack the cases and print a table per method."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 230
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else RUN_SECONDS
    by_method: dict[str, Counter[str]] = defaultdict(Counter)
    for k, (method, result) in enumerate(attacks(range(first, first + number), seconds)):
        settings = CASES[(first + k) % len(CASES)][1]
        by_method[method + " with plain keys" * (settings.get("cell_keys") == "plain")] += result
        if any(result[column] for column in FINDINGS):
            print("finding:", first + k, method, settings, dict(result), flush=True)
        if (k + 1) % len(CASES) == 0:
            print(f"{k + 1} cases: {dict(sum(by_method.values(), Counter()))}", flush=True)
    print("| method |", " | ".join(COLUMNS), "|")
    print("| --- |", " | ".join("---:" for _ in COLUMNS), "|")
    for method, result in sorted(by_method.items()):
        print(f"| {method} |", " | ".join(str(result[column]) for column in COLUMNS), "|")


if __name__ == "__main__":
    main()
