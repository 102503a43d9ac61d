"""Compare the numbers of two versions: 200 runs of the command line with fixed seeds.

`python benchmarks/same_numbers.py before.json` runs `assess`, `protect`, `attack`, `suppress`, `keys` and `microdata`
on tables and records drawn from a seed, in one process. It writes exit codes and all results as JSON. After a change
that must not change a number, write a second file and compare:

    python benchmarks/same_numbers.py --compare before.json after.json
    python benchmarks/same_numbers.py --compare before.json after.json --renamed renamed.json

`renamed.json` maps the old name of a key, a column or a value to its new name. In sentences, only the numbers are
compared. The comparison exits with 1 and prints the first differences if any case differs.

The 200 cases take about 9 s. The script imports nothing but `sdcwidgets.cli.main`, so that it runs unchanged before
and after modules are moved. `OPTIONS` names the options that are used, in case one is renamed.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from sdcwidgets.cli import main as command_line

SEED, CASES = 20261124, 200

#: How many of 100 cases each command has.
SHARES = {"assess": 35, "protect": 25, "attack": 15, "suppress": 10, "keys": 5, "microdata": 10}

EXAMPLES = ("religion", "travel", "sex")

#: Methods with settings of theirs, one of which is drawn per case.
METHODS: dict[str, list[list[str]]] = {
    "cell-suppression": [[], ["--threshold", "4"], ["--cost", "cell"]],
    "cell-key": [[], ["--D", "2"], ["--V", "2", "--js", "1"]],
    "threshold-suppression": [[]],
    "barnardisation": [[]],
    "stochastic-perturbation": [[]],
    "record-swapping": [[], ["--rate", "0.3"]],
    "post-randomisation": [[]],
    "redesign": [[]],
    "random-rounding": [[], ["--base", "5"]],
    "conventional-rounding": [[], ["--base", "5"]],
    "semi-controlled-rounding": [[], ["--base", "4"]],
    "small-cell-adjustment": [[]],
    "controlled-rounding": [[], ["--base", "5"]],
    "simple-random-sampling": [[]],
    "stratified-sampling": [[]],
    "targeted-record-swapping": [[], ["--k", "2"]],
}

ATTACKS = ("averaging", "differencing", "linking", "unpicking", "suppression")

#: The options of the command line that are used: name in this script, option.
OPTIONS = {
    "additive": "--additive",
    "amount": "--amount",
    "attack": "--attack",
    "by": "--by",
    "coalition": "--coalition",
    "cost": "--cost",
    "epsilon": "--epsilon",
    "format": "--format",
    "household": "--household",
    "holder": "--contributor",
    "identity": "--identity",
    "k": "--k",
    "keep": "--keep",
    "keys": "--keys",
    "method": "--method",
    "output": "-o",
    "pram": "--pram",
    "recode": "--recode",
    "replications": "--replications",
    "rule": "--rule",
    "rules": "--rules",
    "seed": "--seed",
    "sensitive": "--sensitive",
    "suppress": "--suppress",
    "third": "--third",
    "variant": "--variant",
    "weight": "--weight",
}

NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")


def options(**values: object) -> list[str]:
    """Return options of the command line; True is a switch, and None leaves an option out."""
    parts = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        parts += [OPTIONS[name]] if value is True else [OPTIONS[name], str(value)]
    return parts


def write_rows(path: str, header: list[str], rows: list[list[Any]]) -> None:
    """Write a CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_table(rng: np.random.Generator, path: str) -> None:
    """Write a table of counts with many small ones and some zeros."""
    rows, columns = int(rng.integers(2, 7)), int(rng.integers(2, 6))
    counts = rng.negative_binomial(0.7, 0.05, (rows, columns)) + (rng.random((rows, columns)) < 0.3)
    counts[0, 0] += 5
    write_rows(
        path,
        ["Area", *(f"Group {letter}" for letter in "ABCDEF"[:columns])],
        [[f"Area {name}", *map(int, counts[row])] for row, name in enumerate("NSEWUV"[:rows])],
    )


def write_people(rng: np.random.Generator, path: str) -> None:
    """Write records of people in households."""
    size = int(rng.integers(80, 200))
    rows = [
        [
            number,
            number // 2,
            round(float(rng.uniform(20, 60)), 2),
            str(rng.choice(["North", "South", "East"])),
            int(rng.integers(0, 90)),
            str(rng.choice(["f", "m"])),
            str(rng.choice(["farmer", "clerk", "nurse", "driver", "teacher"])),
            int(rng.integers(0, 50_000)),
        ]
        for number in range(size)
    ]
    write_rows(path, ["id", "household", "weight", "region", "age", "sex", "job", "income"], rows)


def write_contributions(rng: np.random.Generator, path: str) -> None:
    """Write the turnover of firms by area and kind of business."""
    rows, firm = [], 0
    for area in ("north", "south", "east"):
        for kind in ("shops", "hotels", "farms"):
            for _ in range(int(rng.integers(1, 7))):
                firm += 1
                rows.append([area, kind, firm, int(rng.lognormal(4, 1)) + 1])
    write_rows(path, ["Area", "Kind", "firm", "turnover"], rows)


def draw_case(rng: np.random.Generator, command: str) -> tuple[list[str], list[str]]:
    """Write the input of one case into the current folder; return its arguments and the files it writes."""
    seed = int(rng.integers(1, 10_000))
    if command == "suppress":
        write_contributions(rng, "firms.csv")
        rule = str(rng.choice(["dominance", "p-percent", "pq"]))
        extra = options(
            cost=rng.choice(["value", "cell"]), coalition=rng.integers(0, 3), seed=seed, output="public.csv"
        )
        roles = options(by="Area,Kind", holder="firm", amount="turnover", rule=rule)
        return ["suppress", "firms.csv", *roles, *extra], ["public.csv"]
    if command == "keys":
        write_people(rng, "people.csv")
        identity = "id" if rng.random() < 0.5 else None
        return [
            "microdata",
            "keys",
            "people.csv",
            *options(identity=identity, seed=seed, output="keys.csv"),
        ], ["keys.csv"]
    if command == "microdata":
        write_people(rng, "people.csv")
        chosen = options(
            keys="region,age,sex,job",
            weight=rng.choice(["weight", ""]),
            household="household",
            sensitive="income",
            recode=rng.choice(["age=intervals:5", "age=cuts:18,35,65", "age=quantiles:4"]),
            pram="job=0.2" if rng.random() < 0.5 else None,
            suppress=bool(rng.random() < 0.7),
            k=rng.integers(2, 5),
            keep=rng.choice(["fewest", "order"]),
            seed=seed,
            output="safe.csv",
        )
        return ["microdata", "people.csv", *chosen], ["safe.csv"]
    write_table(rng, "table.csv")
    table = f"example:{rng.choice(EXAMPLES)}" if rng.random() < 0.15 else "table.csv"
    method = str(rng.choice(list(METHODS)))
    settings = METHODS[method][int(rng.integers(len(METHODS[method])))]
    chosen = [*options(method=method, seed=seed), *settings]
    if command == "attack":
        attack = rng.choice(ATTACKS)
        return ["attack", table, *options(attack=attack, format="json"), *chosen], []
    if command == "protect":
        additive = bool(rng.random() < 0.2)
        return ["protect", table, *chosen, *options(additive=additive, output="public.csv")], ["public.csv"]
    if rng.random() < 0.2:
        chosen = options(seed=seed)
    more = options(
        format="json",
        replications=rng.integers(5, 40),
        third=rng.choice(["h1", "h2", "h3"]),
        epsilon=round(float(rng.random()), 2),
        variant=rng.choice(["information", "uncertainty"]),
        rules="minimum-frequency" if rng.random() < 0.2 else None,
    )
    return ["assess", table, *chosen, *more], []


def read_result(text: str, suffix: str) -> Any:
    """Return JSON as values, CSV as rows, and any other text as it is."""
    if suffix == ".csv":
        return list(csv.reader(io.StringIO(text)))
    try:
        return json.loads(text)
    except ValueError:
        return text


def run_case(arguments: list[str], files: list[str]) -> dict[str, Any]:
    """Run the command line and return all that it printed and wrote."""
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        status = command_line(arguments)
    found: dict[str, Any] = {
        "arguments": arguments,
        "status": status,
        "stdout": read_result(printed.getvalue(), ""),
        "stderr": errors.getvalue(),
    }
    for name in files:
        path = Path(name)
        found[name] = read_result(path.read_text("utf-8"), path.suffix) if path.exists() else None
    return found


def run_all(cases: int) -> list[dict[str, Any]]:
    """Run all cases, each in an empty folder, with a generator of its own."""
    shares = np.array(list(SHARES.values()))
    commands = np.random.default_rng(SEED).choice(list(SHARES), cases, p=shares / shares.sum())
    found, home = [], os.getcwd()
    for number, command in enumerate(commands):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                found.append(run_case(*draw_case(np.random.default_rng([SEED, number]), str(command))))
            finally:
                os.chdir(home)
    return found


def canonical(value: Any, renamed: dict[str, str]) -> Any:
    """Return a value with new names, and the numbers of each sentence in place of the sentence."""
    if isinstance(value, dict):
        return {renamed.get(key, key): canonical(item, renamed) for key, item in value.items()}
    if isinstance(value, list):
        return [canonical(item, renamed) for item in value]
    if isinstance(value, str):
        if value in renamed:
            return renamed[value]
        return NUMBER.findall(value) if re.search(r"\s", value) else value
    return value


def differences(before: Any, after: Any, place: str = "") -> list[str]:
    """Return where two values differ, and how."""
    if isinstance(before, dict) and isinstance(after, dict):
        missing = [f"{place}/{key}: only in one of them" for key in sorted(before.keys() ^ after.keys())]
        shared = [key for key in before if key in after]
        return missing + [
            line for key in shared for line in differences(before[key], after[key], f"{place}/{key}")
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [line for number, (old, new) in pairs for line in differences(old, new, f"{place}/{number}")]
    if before == after or (before != before and after != after):
        return []
    return [f"{place}: {json.dumps(before)[:120]} -> {json.dumps(after)[:120]}"]


def compare(before: Path, after: Path, renamed: dict[str, str]) -> int:
    """Print how two files differ; return 1 if they do."""
    old, new = (json.loads(path.read_text("utf-8")) for path in (before, after))
    if len(old) != len(new):
        print(f"{before} has {len(old)} cases, {after} has {len(new)}.")
        return 1
    different = 0
    for number, (first, second) in enumerate(zip(old, new, strict=True)):
        first, second = (
            {key: value for key, value in case.items() if key != "arguments"} for case in (first, second)
        )
        found = differences(canonical(first, renamed), canonical(second, {}))
        if found:
            different += 1
            print(f"Case {number}: {' '.join(old[number]['arguments'])}")
            print(*(f"    {line}" for line in found[:5]), sep="\n")
    print(f"{len(old) - different} of {len(old)} cases are equal.")
    return int(different > 0)


def main() -> None:
    """Write a file of results, or compare two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("output", nargs="?", type=Path, help="JSON file for the results")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    parser.add_argument(
        "--renamed", type=Path, help="JSON file with old names as keys and new names as values"
    )
    parser.add_argument("--cases", type=int, default=CASES)
    given = parser.parse_args()
    if given.compare:
        renamed = json.loads(given.renamed.read_text("utf-8")) if given.renamed else {}
        sys.exit(compare(*given.compare, renamed))
    if given.output is None:
        parser.error("name a file for the results, or use --compare")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run_all(given.cases)
    given.output.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")
    statuses = [case["status"] for case in found]
    print(
        f"{len(found)} cases; exit codes "
        + ", ".join(f"{s}: {statuses.count(s)}" for s in sorted(set(statuses)))
    )


if __name__ == "__main__":
    main()
