"""Gaps of counts with sub-totals, in linked tables, with entries that stay and costs of one's own.

The intruder is written anew here: linear programs over the cells of all axes, which know nothing of `core.suppression`.
"""

import io
import itertools
import re

import numpy as np
import pytest
from scipy.optimize import linprog

from sdcwidgets import InputError
from sdcwidgets.cli import main
from sdcwidgets.methods import suppressing
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.suppressing import suppressed
from sdcwidgets.tables.table import FrequencyTable

SIDES = {"a0": "north", "a1": "north", "a2": "south", "a3": "south"}


def labelled(counts):
    axes = {
        name: [f"{name.lower()}{i}" for i in range(size)]
        for name, size in zip("ABC", counts.shape, strict=False)
    }
    return FrequencyTable(counts, axes)


def sums_of(table, gaps):
    """Each entry as a row of 0 and 1 over the cells, by its labels and what is below them."""
    below = {"north": ("a0", "a1"), "south": ("a2", "a3")}
    rows = []
    for labels in gaps.to_frame().index:
        parts = [
            [label in ("Total", one) or one in below.get(label, ()) for one in axis.labels]
            for label, axis in zip(labels, table.axes, strict=True)
        ]
        row = np.array(parts[0], dtype=float)
        for part in parts[1:]:
            row = np.multiply.outer(row, np.array(part, dtype=float))
        rows.append(row.ravel())
    return np.array(rows)


def seats_of(cells, coalition):
    """Nobody, everybody by the cell of all axes that they are in, and so many of them together."""
    for size in range(coalition + 1):
        for members in itertools.combinations_with_replacement(np.flatnonzero(cells), size):
            mine = np.bincount(members, minlength=len(cells)).astype(float)
            if (mine <= cells).all():
                yield mine


def attack(table, gaps, least=3, width=2, coalition=1):
    """Nobody, from outside or from cells of all axes, knows a small count to less than this width."""
    sums, cells = sums_of(table, gaps), table.counts.ravel()
    values, hidden = sums @ cells, gaps.to_frame()["suppressed"].to_numpy() != ""
    assert np.array_equal(values, gaps.counts)
    total = sums.sum(axis=1) == sums.shape[1]
    sensitive = np.flatnonzero((values > 0) & (values < least) & ~total)
    assert hidden[sensitive].all()
    assert not hidden[total | (values == 0)].any()
    for seat in seats_of(cells, coalition):
        own = sums @ seat
        known = ~hidden | ((own == values) & (values > 0))
        floors = np.maximum(np.minimum(values, 1), own)
        for target in sensitive[own[sensitive] < values[sensitive]]:
            ends = [
                linprog(sign * sums[target], -sums, -floors, sums[known], values[known], bounds=(0, None))
                for sign in (1, -1)
            ]
            assert all(end.status in (0, 3) for end in ends)
            low, high = (np.inf if end.status == 3 else end.fun for end in ends)
            assert -high - low >= width - 1e-6, (cells.tolist(), seat.tolist(), int(target))


def drawn(seed, shape, scale=12.0):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(rng.gamma(0.8, scale, shape))
    counts[(0,) * len(shape)] = 1
    return rng, labelled(counts)


def tried(table, **how):
    try:
        return suppressed(table, **{"seed": 1, **how})
    except InputError as error:
        if "pattern protects" not in str(error):
            raise
        return None


@pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2))])
def test_sub_totals_hold_for_everyone(part):
    done = 0
    for seed in range(5 * part, 5 * part + 5):
        _, table = drawn(seed, (4, 3))
        gaps = tried(table, hierarchies={"A": SIDES})
        if gaps is not None:
            assert ("north", "Total") in gaps.to_frame().index
            attack(table, gaps)
            done += 1
    assert done > 2


@pytest.mark.slow
@pytest.mark.parametrize("tables", [[("A", "B"), ("A", "C")], [("A", "B"), ("B", "C")], [("A",), ("B", "C")]])
def test_linked_tables_hold_for_everyone_in_them(tables):
    """Who is in one cell of all three axes knows their place in both tables.

    Takes more than 10 s of processor time, because linear programs attack each table from every seat.
    """
    done = 0
    for seed in range(5):
        _, table = drawn(seed, (3, 3, 2), 4.0)
        gaps = tried(table, tables=tables, width=1)
        if gaps is not None:
            attack(table, gaps, width=1)
            done += bool(gaps.pattern.suppressed.any())
            assert not gaps.caution
    assert done > 1


@pytest.mark.slow
@pytest.mark.parametrize("coalition", [2, 3])
def test_linked_tables_hold_for_coalitions(coalition):
    """Takes more than 10 s of processor time, because linear programs attack for every coalition."""
    done = 0
    for seed in range(4):
        _, table = drawn(seed, (2, 3, 2), 5.0)
        gaps = tried(table, tables=[("A", "B"), ("B", "C")], width=1, coalition=coalition)
        if gaps is not None:
            attack(table, gaps, width=1, coalition=coalition)
            done += bool(gaps.pattern.suppressed.any())
    assert done > 1


def test_what_tables_share_is_one_entry():
    _, table = drawn(5, (3, 3, 2), 4.0)
    gaps = suppressed(table, tables=[("A", "B"), ("A", "C")])
    assert gaps.to_frame().index.is_unique
    assert len(gaps.counts) == 4 * 4 + 4 * 3 - 4
    assert "cycle" in suppressed(table, tables=[("A", "B"), ("B", "C"), ("A", "C")]).caution


def test_one_table_is_what_cell_suppression_makes_of_it():
    _, table = drawn(3, (4, 4))
    for choice in ("optimal", "secret"):
        gaps, method = suppressed(table, choice=choice, seed=5), CellSuppression(choice=choice)
        assert np.array_equal(gaps.pattern.suppressed, method.pattern(table, 5).suppressed)


@pytest.mark.slow
def test_what_must_stay_stays_and_what_is_dear_is_spared():
    changed = 0
    for seed in range(5):
        _, table = drawn(seed, (4, 4))
        before = tried(table)
        if before is None or not before.pattern.secondary.any():
            continue
        first = np.flatnonzero(before.pattern.secondary)[0]
        stay = np.zeros((5, 5), dtype=bool)
        stay.ravel()[first] = True
        dear = np.full((5, 5), np.nan)
        dear.ravel()[first] = 1e6
        frozen, spared = tried(table, frozen=stay), suppressed(table, costs=dear, seed=1)
        attack(table, spared)
        if frozen is not None:
            attack(table, frozen)
            assert not frozen.pattern.suppressed[first]
            assert not spared.pattern.suppressed[first]
            changed += 1
        if changed == 2:
            return
    pytest.fail("Fewer than two tables have another pattern.")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"hierarchies": {"X": SIDES}}, '"X" is not an axis of the table'),
        ({"tables": [("A", "X")]}, '"X" is not an axis of the table'),
        (
            {"costs": np.ones((2, 2))},
            "(2, 2)",
        ),
        ({"costs": np.zeros((5, 5))}, "above 0"),
        ({"frozen": np.ones((5, 5))}, "the count is 1, below the threshold"),
        ({"coalition": 4}, "The coalition is 4"),
    ],
)
def test_bad_input_is_one_sentence_here(how, said):
    with pytest.raises(InputError) as error:
        suppressed(drawn(1, (4, 4))[1], **how)
    assert said in str(error.value)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    _, table = drawn(2, (4, 3, 2), 4.0)
    lines = ["A,B,C"]
    for place in np.ndindex(table.shape):
        lines += [",".join(axis.labels[i] for axis, i in zip(table.axes, place, strict=True))] * table.counts[
            place
        ]
    (tmp_path / "people.csv").write_text("\n".join(lines), "utf-8")
    (tmp_path / "areas.hrc").write_text("north\n@a0\n@a1\nsouth\n@a2\n@a3\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def protect(*more, out="out.csv"):
    return main(["protect", "people.csv", "--method", "cell-suppression", "-f", "-o", out, *more])


def test_protect_writes_sub_totals_and_linked_tables(folder, capsys):
    assert protect("--by", "A,B", "--hierarchy", "A=areas.hrc") == 0
    text = (folder / "out.csv").read_text("utf-8")
    assert text.startswith("A,B,count\n")
    assert "north,Total," in text
    assert "each respondent" in capsys.readouterr().err
    assert protect("--by", "A,B,C", "--tables", "A,B;A,C", "--coalition", "0") == 0
    text, told = (folder / "out.csv").read_text("utf-8"), capsys.readouterr().err
    entries, _, notes = text.partition("\n\n")
    assert len(entries.splitlines()) == 1 + 5 * 4 + 5 * 3 - 5
    assert "Cell suppression of counts below 3" in notes
    suppressed, _, primary, secondary = map(int, re.findall(r"\d+", told.partition("\n")[2])[:4])
    assert text.count(",c\n") == suppressed == primary + secondary
    assert "against external" in told or "outsiders only" in told


def test_protect_keeps_what_is_frozen_and_says_what_is_wrong(folder, capsys):
    """A blank and the name of the total are the same."""
    assert protect("--by", "A,B") == 0
    capsys.readouterr()
    assert protect("--by", "A,B", "--hierarchy", "A=areas.hrc", "--width", "1") == 0
    (folder / "stay.csv").write_text("A;B\nnorth;\nsouth;Total\n", "utf-8")
    assert protect("--by", "A,B", "--hierarchy", "A=areas.hrc", "--frozen", "stay.csv", "--width", "1") == 0
    text = (folder / "out.csv").read_text("utf-8")
    assert "north,Total,c" not in text
    (folder / "twice.csv").write_text("A;B\nnorth;\nnorth;Total\n", "utf-8")
    for more, said in (
        (
            ["--hierarchy", "A=areas.hrc", "--frozen", "twice.csv"],
            'Line 3 of "twice.csv" names the same cell as line 2',
        ),
        (["--frozen", "stay.csv"], 'has "north" as "A", which is not one of its categories'),
        (["--tables", "A,X"], '"X" is not an axis of the table'),
        (["--hierarchy", "A=areas.hrc", "--report", "r.html"], "--report has no effect"),
    ):
        capsys.readouterr()
        assert protect("--by", "A,B", *more) == 2
        assert said in capsys.readouterr().err
    assert main(["protect", "people.csv", "--by", "A,B", "--method", "random-rounding", "--tables", "A"]) == 2
    assert "--tables is an option of the method cell-suppression" in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_frozen_or_dear_is_written_judged_and_reported_like_any_table(folder, capsys):
    (folder / "stay.csv").write_text("A,B\na0,Total\na1,Total\n", "utf-8")
    (folder / "dear.csv").write_text("A,B,cost\na0,b0,1000000\n", "utf-8")
    cheapest = ["--width", "1", "--choice", "optimal"]
    assert protect("--by", "A,B", "--frozen", "stay.csv", *cheapest) == 0
    assert "\na0,c," in (folder / "out.csv").read_text("utf-8")
    how = ["--frozen", "stay.csv", "--costs", "dear.csv", "--width", "1", "--report", "r.html"]
    assert protect("--by", "A,B", *how) == 0
    text = (folder / "out.csv").read_text("utf-8")
    rows = {line.split(",")[0]: line.split(",")[1:] for line in text.splitlines()}
    assert "c" not in (rows["a0"][-1], rows["a1"][-1], rows["a0"][0])
    assert sum(row.count("c") for row in rows.values()) > 1
    assert "Cell suppression" in (folder / "r.html").read_text("utf-8")
    assert "each respondent" in capsys.readouterr().err
    for name in ("out.px", "out.json", "out.xlsx"):
        assert (
            main(
                [
                    "protect",
                    "people.csv",
                    "--by",
                    "A,B",
                    "--method",
                    "cell-suppression",
                    "-f",
                    "-o",
                    name,
                    *how,
                ]
            )
            == 0
        )
        assert (folder / name).stat().st_size
    told = protect("--by", "A,B", "--frozen", "stay.csv", "--width", "1", "--rules", "minimum-frequency")
    assert told in (0, 3)


def test_sub_totals_are_written_as_a_workbook(folder):
    import pandas as pd

    asked = ["--by", "A,B", "--hierarchy", "A=areas.hrc", "--width", "1", "--seed", "5"]
    assert protect(*asked, out="out.xlsx") == 0
    assert protect(*asked) == 0
    entries = (folder / "out.csv").read_text("utf-8").partition("\n\n")[0]
    plain = pd.read_csv(io.StringIO(entries), na_values="c")
    sheet = pd.read_excel("out.xlsx", na_values="c", header=2, nrows=len(plain))
    pd.testing.assert_frame_equal(sheet, plain)
    method = pd.read_excel("out.xlsx", sheet_name="Method", header=None).set_index(0)[1]
    assert method[["Method", "Threshold"]].tolist() == ["Cell suppression", "3"]
    assert plain["count"].isna().any()


@pytest.mark.slow
def test_a_pattern_of_several_tables_is_not_one_after_the_other():
    """Each table alone may be safe, and the two together not: the sum that they share gives it away.

    Takes more than 10 s of processor time, because each table is protected in three ways.
    """
    found = 0
    for seed in range(12):
        _, table = drawn(seed, (3, 3, 2), 4.0)
        both = tried(table, tables=[("A", "B"), ("A", "C")], width=1)
        if both is None:
            continue
        alone = [tried(table, tables=[one], width=1) for one in (("A", "B"), ("A", "C"))]
        gaps = set(
            itertools.chain(
                *(one.to_frame().query("suppressed != ''").index for one in alone if one is not None)
            )
        )
        found += gaps != set(both.to_frame().query("suppressed != ''").index)
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("cell", [(0, 1), (1, 0)])
def test_no_choice_by_a_secret_takes_an_expensive_cell_for_a_decoy(cell):
    rng = np.random.default_rng(5)
    table = FrequencyTable(rng.poisson(rng.gamma(1, 8, (3, 3))))
    costs = np.full((4, 4), np.nan)
    costs[cell] = 1e6
    needed = suppressed(table, costs=costs, choice="optimal", audited=False)
    assert needed.pattern.suppressed.any()
    assert not needed.pattern.suppressed.reshape(4, 4)[cell]
    drawn = [suppressed(table, costs=costs, seed=secret, audited=False).pattern for secret in range(10)]
    assert not any(pattern.suppressed.reshape(4, 4)[cell] for pattern in drawn)
    assert len({pattern.suppressed.tobytes() for pattern in drawn}) > 1


def test_the_greatest_number_of_cells_and_sums_is_still_allowed(monkeypatch):
    table = labelled(np.array([[1, 5, 9], [7, 8, 9]]))
    monkeypatch.setattr(suppressing, "MOST_ENTRIES", 12)
    assert suppressed(table, choice="optimal").to_frame()["suppressed"].size == 12
    monkeypatch.setattr(suppressing, "MOST_ENTRIES", 11)
    with pytest.raises(InputError, match="12 cells and sums; at most 11"):
        suppressed(table, choice="optimal")


@pytest.mark.parametrize(
    ("shape", "most", "method"),
    [((7, 7), 99, "heuristic"), ((2, 2, 2), 99, "exact"), ((2, 2, 2), 9, "heuristic")],
)
def test_a_small_table_of_three_axes_gets_its_cheapest_pattern(monkeypatch, shape, most, method):
    asked, find = [], suppressing.find_pattern
    monkeypatch.setattr(suppressing, "EXACT_ENTRIES", most)
    monkeypatch.setattr(
        suppressing, "find_pattern", lambda *args, **how: asked.append(how["method"]) or find(*args, **how)
    )
    suppressed(labelled(np.arange(1, np.prod(shape) + 1).reshape(shape)), seed=1)
    assert set(asked) == {method}
