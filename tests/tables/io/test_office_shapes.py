"""Files in the shapes of more than 100 producers, with invented counts; authors who did not know the reader made them.

`office_shapes/truths.json` has the true table of each file, and `office_shapes/outcomes.json` what becomes of the file:
its outcome, and the changes of the preview that lead to the true table. `pytest --renew-snapshots -m "slow or not slow"
tests/tables/io/test_office_shapes.py` writes the outcomes anew.
"""

import json
import statistics
from pathlib import Path

import pytest
from corrected import Outcome, outcome
from sampling import one_of

FOLDER = Path(__file__).parent / "office_shapes"
TRUTHS = json.loads((FOLDER / "truths.json").read_text("utf-8"))
SNAPSHOT = FOLDER / "outcomes.json"
KNOWN = {
    name: Outcome(known, tuple(changes))
    for name, (known, changes) in json.loads(SNAPSHOT.read_text("utf-8")).items()
}

#: Files that are read without a doubt, but not as their true table.
SILENTLY_WRONG: set[str] = set()

#: Maximum share of files that a person does not get right, and median and maximum number of changes of a preview.
REFUSED, MEDIAN_CHANGES, MOST_CHANGES = 0.05, 2, 8

#: Changes are searched again for one in so many files; for the others the recorded changes are tried.
SEARCHED = 16


def outcome_of(name, known=None):
    return outcome(name, (FOLDER / name).read_bytes(), TRUTHS[name], known)


def test_the_files_have_many_producers_languages_and_formats():
    assert len(TRUTHS) >= 120
    assert TRUTHS.keys() == {path.name for path in FOLDER.iterdir()} - {"truths.json", "outcomes.json"}
    assert len({truth["producer"] for truth in TRUTHS.values()}) >= 15
    assert len({truth["language"] for truth in TRUTHS.values()}) >= 8
    assert len({truth["format"] for truth in TRUTHS.values()}) >= 6


def test_few_files_are_refused_and_none_is_silently_wrong():
    assert KNOWN.keys() == TRUTHS.keys()
    names = [known.name for known in KNOWN.values()]
    assert {file for file, known in KNOWN.items() if known.name == "silently wrong"} == SILENTLY_WRONG
    assert "crash" not in names
    assert names.count("refused") <= REFUSED * len(names)
    changes = [len(known.changes) for known in KNOWN.values()]
    assert statistics.median(changes) <= MEDIAN_CHANGES
    assert max(changes) <= MOST_CHANGES


@pytest.mark.parametrize("name", one_of(2, KNOWN))
def test_the_outcome_of_a_file_is_not_worse_than_before(name):
    found = outcome_of(name, KNOWN[name])
    assert found.rank <= KNOWN[name].rank, found


@pytest.mark.slow
def test_outcomes_are_found_again(pytestconfig):
    """Takes more than 10 s of processor time, because changes of the preview are searched for each file."""
    if not pytestconfig.getoption("--renew-snapshots"):
        names = list(TRUTHS)[::SEARCHED]
        assert [name for name in names if outcome_of(name).rank > KNOWN[name].rank] == []
        return
    found = {name: outcome_of(name) for name in TRUTHS}
    lines = [
        f"{json.dumps(name)}: {json.dumps([o.name, o.changes], ensure_ascii=False)}"
        for name, o in found.items()
    ]
    SNAPSHOT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
