"""Numbers of releases, measures, attacks and verdicts for a few different tables, compared with recorded ones.

Other tests say why the numbers are right; this one notices any other change, in each method, measure, attack and
rule, and also in tables that few other tests use: almost independent axes, large counts, one axis, three axes, one
case. After an intended change, `pytest --renew-snapshots tests/test_recorded_numbers.py` writes the files anew, and
their differences are read before a commit.
"""

import json
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from recording import differences

from sdcwidgets import FrequencyTable, InputError, assess, attacks, measures, methods, protect
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.measures.settings import Settings

FOLDER = Path(__file__).parent / "recorded_numbers"

SEED = 20_261_129


def table(counts):
    """Return a table with short names and labels."""
    counts = np.asarray(counts)
    axes = {
        f"axis {number}": [f"{'abc'[number]}{index}" for index in range(size)]
        for number, size in enumerate(counts.shape)
    }
    return FrequencyTable(counts, axes)


TABLES = {
    "small counts": lambda: table([[9, 0, 1, 0], [0, 7, 2, 1], [1, 0, 8, 0], [0, 3, 0, 6]]),
    "nearly independent": lambda: table([[101, 99, 100], [98, 102, 100], [100, 100, 101], [99, 101, 99]]),
    "large counts": lambda: table([[123_456, 2_345, 17], [98_765, 1_234, 3], [54_321, 999, 1]]),
    "equal counts": lambda: table([[4, 4], [4, 4], [4, 4]]),
    "one axis": lambda: table([12, 0, 1, 5, 2, 33]),
    "three axes": lambda: table((np.arange(12) * 7 % 11 % 6).reshape(2, 3, 2)),
    "one case": lambda: table([[0, 0], [0, 1]]),
}


def plain(value):
    """Return a value that JSON can hold: arrays as lists, decimals with six digits, undefined numbers as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(f"{value:.6g}") if np.isfinite(value) else None
    return value if value is None else str(value)


def release_of(original, method):
    """Return a release of a table, or the sentence with which the method refuses it."""
    try:
        return protect(original, method, seed=SEED)
    except InputError as error:
        return str(error)


def numbers_of(original, method):
    """Return the published values and the measures of a protected table, over four replicates."""
    release = release_of(original, method)
    if isinstance(release, str):
        return {"refused": release}
    report = assess(original, method, replications=4, seed=SEED, measures="all")
    return {"values": release.values, "measures": report.to_dict()["after"]["table"]}


#: Every kind of limit, with values that some of the tables violate.
LIMITS = ReleaseLimits(
    "Panel, May 2026",
    risk=0.3,
    risk_before=0.2,
    loss=0.5,
    smallest_count=3,
    one_cell=1,
    all_but_one=1,
    small_cells=0.2,
    mean_cell_size=3,
)


def verdict_of(original, method):
    """Return the decision on a release for data users, with the place and the words of each violation."""
    release = release_of(original, method)
    if isinstance(release, str):
        return {"refused": release}
    verdict = judge(original, release, LIMITS, values=(0.25, 0.75))
    parts = {"violations": verdict.stops, "reported": verdict.reported}
    return {
        "decision": [verdict.sentence, verdict.step, verdict.smallest, *verdict.cell_sizes_kept],
        **{name: [list(astuple(stop)) for stop in stops] for name, stops in parts.items()},
        "more": dict(verdict.more),
    }


def findings_of(original, method):
    """Return what each attack finds in a release, or why it does not apply."""
    release = release_of(original, method)
    found = {}
    for name in attacks.available() if not isinstance(release, str) else ():
        try:
            finding = attacks.get(name)(release)
        except InputError as error:
            found[name] = str(error)
        else:
            found[name] = {
                "bounds": [finding.lower, finding.upper, *finding.before],
                "likely": [finding.likely, finding.chance],
                "lines": [line.text for line in finding.lines],
                "notes": finding.notes,
                "score": finding.score(original) if finding.lower.shape == original.shape else None,
            }
    return found


def explanations_of(original):
    """Return the largest value and the explanation of each measure for an original table and a rounded one."""
    counts = original.counts
    batch = measures.Batch(original, ((counts + 2) // 5 * 5)[np.newaxis], np.minimum(counts, 3)[np.newaxis])
    found = {}
    for measure in measures.select(original, Settings(), followed=True):
        per_axis = [measure.values(batch, axis) for axis in batch.axes] if measure.sliced else []
        found[measure.name] = {
            "largest": measure.greatest(original),
            "before": measure.before(original),
            "values": [measure.values(batch), *per_axis],
            "lines": measure.explain(batch),
        }
    return found


def check(found, name, config):
    """Compare numbers with the recorded ones, or record them."""
    file = FOLDER / f"{name.replace(' ', '-')}.json"
    found = plain(found)
    if config.getoption("--renew-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        lines = (f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in found.items())
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        return
    assert list(differences(json.loads(file.read_text("utf-8")), found))[:20] == []


#: What is recorded of each method, by the names of the files.
OF_METHODS = {"methods": numbers_of, "verdicts": verdict_of, "attacks": findings_of}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", OF_METHODS)
def test_methods_verdicts_and_attacks_are_the_recorded_ones(kind, name, pytestconfig):
    original = TABLES[name]()
    found = {method: OF_METHODS[kind](original, method) for method in methods.available()}
    check(found, f"{kind} {name}", pytestconfig)


@pytest.mark.parametrize("name", TABLES)
def test_measures_have_the_recorded_values(name, pytestconfig):
    check(explanations_of(TABLES[name]()), f"measures {name}", pytestconfig)
