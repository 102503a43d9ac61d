"""Attack released files by enumeration: `python benchmarks/released_files_attack.py [cases] [first]`.

Each case is a random table of 2 x 2 to 8 x 5, protected by the command line under a rule, with the answer "release".
The attacker has the released table and its notes, and knows the method and its settings. From these alone, integer
programs find the smallest and the largest original count of each cell. The attack was written from the documents,
and uses no code of the verdict. For each method the script prints:

* cells whose count is exact for the attacker, although their stated interval is not;
* cells whose bounds are narrower than the stated interval, and stated intervals without the original count;
* lines of the table in which an external intruder, or a respondent, is certain of the category of all (other) people.

What follows from running the program on other tables is measured by `minimality.py`.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from sdcwidgets import FrequencyTable, InputError, methods, protect
from sdcwidgets.cli import main as command

Settings = dict[str, object]

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
    ("cell-key", {"D": 5, "V": 3.0, "js": 2, "cell_keys": "plain"}),
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

RULE = """[rule]
name = "Panel"
source = "Panel, May 2026"
[limits]
smallest-count = 3
[stops]
reading = "{reading}"
one-cell = 1
all-but-one = 3
"""


class Infeasible(Exception):
    """No table agrees with what is published: the attacker's model is wrong."""


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
            flags = range(len(self.upper), len(self.upper) + len(values))
            self.upper += [1.0] * len(values)
            for flag, value in zip(flags, values, strict=True):
                self.flags[value].append(flag)
            self.constraints.append((dict.fromkeys(flags, 1.0), 1, 1))
            self.constraints.append(
                (coefficients | dict(zip(flags, [-float(v) for v in values], strict=True)), 0, 0)
            )

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
            integrality=np.ones(len(self.upper)),
            bounds=Bounds(lower, self.upper),
            options={"time_limit": SECONDS},
        )
        if solution.status == 1:
            # The attacker gives up: the bound that is proved so far is valid, and may be wider than the best one.
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
    return Programs(
        [counts(row) for row in cells], counts(rows), counts(columns), counts(np.array([total]))[0]
    )


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


def released(case: int, folder: Path) -> tuple[np.ndarray, str, int] | None:
    """Protect tables by the command line until one is released; return it, the file and the secret.

    Parameters
    ----------
    case : int
    folder : Path
        Where the files are written.

    Returns
    -------
    counts : ndarray of int
    text : str
    seed : int
    """
    method, settings = CASES[case % len(CASES)]
    rule = folder / "rule.toml"
    rule.write_text(RULE.format(reading=("shown", "sure")[case // len(CASES) % 2]))
    table, output, report = folder / "table.csv", folder / "output.csv", folder / "report.html"
    for attempt in range(TRIES):
        number = 1_000_000 + 1000 * case + attempt
        counts = random_table(number, method)
        output.unlink(missing_ok=True)
        report.unlink(missing_ok=True)
        if counts.sum() == 0:
            continue
        lines = [["Area", *(f"k{j}" for j in range(counts.shape[1]))]]
        lines += [[f"A{i}", *row] for i, row in enumerate(counts.tolist())]
        table.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
        seed = int.from_bytes(np.random.default_rng([number, 7]).bytes(16), "big")
        options = ["--first-line", "labels", "--margins", "keep", "--method", method, "--seed", str(seed)]
        for name, value in settings.items():
            options += [f"--{'method-margins' if name == 'margins' else name.replace('_', '-')}", str(value)]
        if method == "cell-suppression":
            options += ["--non-hierarchical", "rows,columns"]
        options += ["--rules", str(rule), "-o", str(output), "--report", str(report)]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = command(["protect", str(table), *options])
        if status == 0:
            return counts, output.read_text("utf-8"), seed
    return None


def attacked(case: int, folder: Path) -> Counter[str]:
    """Return what the attacker finds in the files of a case."""
    method, settings = CASES[case % len(CASES)]
    files = released(case, folder)
    if files is None:
        return Counter(refused=1)
    counts, text, seed = files
    if method == "semi-controlled-rounding" and "totals" not in settings and counts.size > MOST_TOGETHER:
        return Counter(released=1, skipped=1)
    published = published_numbers(text)
    more = {"non_hierarchical": ("rows", "columns")} if method == "cell-suppression" else {}
    table = FrequencyTable(
        counts,
        {"Area": [f"A{i}" for i in range(len(counts))], "Kind": [f"k{j}" for j in range(counts.shape[1])]},
    )
    stated = protect(table, method, seed=seed, **settings, **more).intervals()
    low, high = (np.asarray(side).reshape(counts.shape) for side in (stated.lower, stated.upper))
    result = Counter(released=1, cells=counts.size)
    result["stated without the count"] = int(((counts < low) | (counts > high)).sum())
    try:
        if method == "semi-controlled-rounding":
            programs = SemiControlled(settings, published[:-1, :-1])
        else:
            programs = model(method, settings, published, text)
        bounds = np.empty(counts.shape, dtype=object)
        for cell in np.ndindex(counts.shape):
            bounds[cell] = programs.bounds(*cell)
        outsiders, respondents = certain_lines(programs, counts, bounds)
    except Infeasible:
        return result + Counter(infeasible=1)
    found = np.array([[list(pair) for pair in row] for row in bounds])
    exact = (found[..., 0] == found[..., 1]) & (low != high)
    result["exact"] = int(exact.sum())
    result["narrower"] = int(((found[..., 0] > low) | (found[..., 1] < np.minimum(high, MOST - 1))).sum())
    result["outsiders certain"], result["respondents certain"] = outsiders, respondents
    return result


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
)


def attacks(cases: range) -> Iterator[tuple[str, Counter[str]]]:
    """Yield for each case the method and what the attacker finds."""
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            try:
                yield CASES[case % len(CASES)][0], attacked(case, Path(folder))
            except InputError as error:
                print(case, error, file=sys.stderr)


def main() -> None:
    """Attack the cases and print a table per method."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 230
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    by_method: dict[str, Counter[str]] = defaultdict(Counter)
    for k, (method, result) in enumerate(attacks(range(first, first + number))):
        by_method[method] += result
        if (
            result["exact"]
            or result["narrower"]
            or result["outsiders certain"]
            or result["respondents certain"]
        ):
            print("win:", first + k, method, dict(result), flush=True)
        if (k + 1) % len(CASES) == 0:
            print(f"{k + 1} cases: {dict(sum(by_method.values(), Counter()))}", flush=True)
    print("| method |", " | ".join(COLUMNS), "|")
    print("| --- |", " | ".join("---:" for _ in COLUMNS), "|")
    for method, result in sorted(by_method.items()):
        print(f"| {method} |", " | ".join(str(result[column]) for column in COLUMNS), "|")


if __name__ == "__main__":
    main()
