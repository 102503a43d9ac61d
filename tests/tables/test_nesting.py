"""A hierarchy that nobody stated: what it discloses, what is refused, and what confirms or denies it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from sdcwidgets import FrequencyTable, InputError, MagnitudeTable, protect
from sdcwidgets.cli import main
from sdcwidgets.core.nesting import find_sums
from sdcwidgets.methods.cell_suppression import CellSuppression
from sdcwidgets.methods.suppressing import suppressed
from sdcwidgets.tables.nesting import PossibleHierarchy, check_disjoint, detected

#: Labels, counts by sex, and the parts of each label that is a sum.
NESTED = {
    "codes": (
        ["DE", "DE1", "DE11", "DE12", "DE2", "DE21", "DE22"],
        [[61, 70], [33, 38], [1, 20], [32, 18], [28, 32], [13, 30], [15, 2]],
        {0: [1, 4], 1: [2, 3], 4: [5, 6]},
    ),
    "words": (
        ["Employed", "Full-time", "Part-time", "Unemployed", "Inactive"],
        [[33, 38], [31, 20], [2, 18], [7, 9], [20, 12]],
        {0: [1, 2]},
    ),
    "apart": (
        ["Berlin", "East", "Bremen", "Leipzig", "Hamburg", "Halle"],
        [[51, 40], [72, 78], [2, 35], [50, 47], [45, 39], [22, 31]],
        {1: [3, 5]},
    ),
    "total": (["Total", "a", "b", "c"], [[64, 71], [1, 30], [33, 12], [30, 29]], {0: [1, 2, 3]}),
}


def nested(name):
    labels, counts, sums = NESTED[name]
    return FrequencyTable(counts, {"Area": labels, "Sex": ["m", "f"]}), sums


def ranges(release, sums):
    """Return the least and greatest value of each suppressed cell, from what is published and the sums of labels."""
    cells, rows, columns = release.cells, release.marginal("Area"), release.marginal("Sex")
    number = {tuple(at): k for k, at in enumerate(np.argwhere(np.isnan(cells)))}
    equations, values = [], []

    def equation(terms, value):
        line = np.zeros(len(number))
        for at, sign in terms:
            if at in number:
                line[number[at]] += sign
            else:
                value -= sign * cells[at]
        equations.append(line)
        values.append(value)

    for i in range(cells.shape[0]):
        if not np.isnan(rows[i]):
            equation([((i, j), 1) for j in range(cells.shape[1])], rows[i])
    for j in range(cells.shape[1]):
        if not np.isnan(columns[j]):
            equation([((i, j), 1) for i in range(cells.shape[0])], columns[j])
        for total, parts in sums.items():
            equation([((total, j), 1), *(((part, j), -1) for part in parts)], 0)
    found = {}
    for at, k in number.items():
        ends = []
        for sign in (1, -1):
            aim = np.zeros(len(number))
            aim[k] = sign
            ends.append(sign * linprog(aim, A_eq=np.array(equations), b_eq=values, bounds=(0, None)).fun)
        found[at] = ends
    return found


@pytest.mark.parametrize("name", ["codes", "words", "apart"])
def test_the_sums_of_labels_disclose_what_suppression_hides(name):
    """The attack: whoever knows the hierarchy subtracts. So such a table is refused, and nothing is published."""
    table, sums = nested(name)
    release = CellSuppression(non_hierarchical=("Area",)).release(table, 1)
    exact = [at for at, (low, high) in ranges(release, sums).items() if high - low < 1e-6]
    assert any(0 < table.counts[at] < 3 for at in exact)
    with pytest.raises(PossibleHierarchy) as refusal:
        CellSuppression().release(table, 1)
    assert refusal.value.axis == "Area"


@pytest.mark.parametrize("name", ["codes", "words", "apart"])
def test_a_confirmed_hierarchy_leaves_no_small_count_to_compute(name):
    table, sums = nested(name)
    gaps = suppressed(table, hierarchies={"Area": "detected"})
    frame = gaps.to_frame()
    small = frame[(frame["suppressed"] == "primary")]
    assert len(small) > 0
    assert (small["upper"] - small["lower"] >= 2).all()
    labels = NESTED[name][0]
    # Sub-totals are sums of the published table, so that the audit has them.
    assert {labels[total] for total in sums} <= set(gaps.labels[0])
    leaves = [labels[k] for k in range(len(labels)) if k not in sums]
    assert gaps.labels[0][: len(leaves)] == tuple(leaves)


@pytest.mark.parametrize("name", NESTED)
def test_detected_hierarchies_are_the_true_ones(name):
    table, sums = nested(name)
    labels = NESTED[name][0]
    true = dict.fromkeys(labels, "") | {
        labels[part]: labels[total] for total, parts in sums.items() for part in parts
    }
    assert detected(table.counts, table.axes, "Area") == true


def test_every_python_function_refuses_and_is_told_by_the_same_setting():
    table, _ = nested("words")
    for refused in (
        lambda: protect(table, "cell-suppression", seed=3**44),
        lambda: suppressed(table),
        lambda: suppressed(table, tables=[["Area"], ["Sex"]]),
        lambda: CellSuppression().replicate(table, 1, np.random.default_rng(1)),
    ):
        with pytest.raises(PossibleHierarchy):
            refused()
    release = protect(table, "cell-suppression", seed=3**44, non_hierarchical="Area")
    assert np.isnan(release.cells).any()
    assert protect(table, "cell-suppression", seed=3**44, non_hierarchical="rows").cells.shape == (5, 2)
    with pytest.raises(InputError, match="Sexes"):
        protect(table, "cell-suppression", seed=3**44, non_hierarchical="Sexes")


def test_levels_in_a_column_of_their_own():
    """Each code stands in one level: the table holds everybody once per level."""
    labels, counts, _ = NESTED["codes"]
    levels = [len(label) - 2 for label in labels]
    table = np.zeros((3, 7, 2), dtype=int)
    for k, level in enumerate(levels):
        table[level, k] = counts[k]
    axes = {"Level": ["0", "1", "2"], "Area": labels, "Sex": ["m", "f"]}
    with pytest.raises(PossibleHierarchy) as refusal:
        suppressed(FrequencyTable(table, axes))
    assert {refusal.value.axis, refusal.value.level} == {"Area", "Level"}
    names = {"Level": ["0", "1", "2"], "Area": list("abcdefg"), "Sex": ["m", "f"]}
    with pytest.raises(PossibleHierarchy):
        suppressed(FrequencyTable(table, names))
    # Towns in regions are no levels: each person is counted once.
    towns = np.zeros((2, 4, 2), dtype=int)
    towns[0, :2], towns[1, 2:] = [[1, 20], [32, 18]], [[13, 30], [15, 2]]
    regions = {"Region": ["n", "s"], "Town": list("abcd"), "Sex": ["m", "f"]}
    assert suppressed(FrequencyTable(towns, regions)).pattern.suppressed.any()


def test_labels_alone_suffice_where_some_parts_are_missing():
    """DE has people outside of DE1 and DE2, as where small areas are left out; ages 1, 10 and 11 are no hierarchy."""
    counts = [[70, 80], [33, 38], [28, 32]]
    for labels in (
        ["DE", "DE1", "DE2"],
        ["1", "1.1", "1.2"],
        ["All", "  a", "  b"],
        ["All", "of which a", "of whom b"],
    ):
        with pytest.raises(PossibleHierarchy):
            check_disjoint(np.array(counts), FrequencyTable(counts, {"A": labels, "B": "xy"}).axes)
    for labels in (["1", "10", "11"], ["A", "AB", "B"], ["0-4", "5-9", "10-14"], ["2019", "2020", "2021"]):
        check_disjoint(np.array(counts), FrequencyTable(counts, {"A": labels, "B": "xy"}).axes)
    # A "part" with more people than the whole is none.
    check_disjoint(
        np.array([[1, 80], [33, 38]]),
        FrequencyTable([[1, 80], [33, 38]], {"A": ["a", "  b"], "B": "xy"}).axes,
    )


def test_two_classifications_in_one_column_are_refused():
    counts = [[40, 35], [23, 41], [31, 22], [32, 54]]
    table = FrequencyTable(counts, {"Group": ["male", "female", "young", "old"], "Job": "xy"})
    with pytest.raises(PossibleHierarchy):
        suppressed(table)
    with pytest.raises(InputError, match="two classifications"):
        suppressed(table, hierarchies={"Group": "detected"})


@given(st.data())
def test_each_planted_sum_of_large_counts_is_found(data):
    """Wherever the lines stand, and whatever other lines are between them."""
    parts = data.draw(st.integers(2, 4))
    others = data.draw(st.integers(0, 4))
    counts = st.lists(st.integers(20, 5000), min_size=4, max_size=4)
    lines = np.array(data.draw(st.lists(counts, min_size=parts + others, max_size=parts + others)))
    total = lines[:parts].sum(axis=0)
    assume(len(np.unique(lines, axis=0)) == len(lines))
    order = data.draw(st.permutations(range(len(lines) + 1)))
    mixed = np.vstack([lines, total])[order]
    found = find_sums(mixed)
    place = {line: k for k, line in enumerate(order)}
    assert any(
        place[len(lines)] in one.totals and set(one.parts) == {place[k] for k in range(parts)}
        for one in found
    )


@given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=1, max_size=7))
def test_sums_that_are_found_are_sums(lines):
    counts = np.array(lines)
    for one in find_sums(counts):
        assert (counts[list(one.totals)].sum(axis=0) == counts[list(one.parts)].sum(axis=0)).all()
        assert not set(one.totals) & set(one.parts)


def test_amounts_are_refused_too():
    amounts = {"north": 95.4, "a": 41.3, "b": 54.1, "south": 77.7}
    records = [(area, kind, f"{area}{kind}{k}", share * amount)
               for area, amount in amounts.items()
               for kind, parts in (("x", (0.5, 0.2)), ("y", (0.2, 0.1)))
               for k, share in enumerate(parts)]  # fmt: skip
    table = MagnitudeTable.from_records(records, ["Area", "Kind"])
    with pytest.raises(PossibleHierarchy):
        table.suppress("dominance", n=1, k=60)
    assert table.suppress("dominance", n=1, k=60, non_hierarchical=["Area"]).suppressed.any()
    confirmed = table.with_hierarchies({"Area": "detected"})
    assert confirmed.labels[0] == ("a", "b", "south", "north", "Total")
    assert confirmed.full[-1, -1] == pytest.approx(41.3 + 54.1 + 77.7)
    assert confirmed.suppress("dominance", n=1, k=60).suppressed.any()


def test_protect_and_suppress_refuse_until_a_flag_says(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    labels, counts, _ = NESTED["words"]
    rows = "\n".join(f"{label},{m},{f}" for label, (m, f) in zip(labels, counts, strict=True))
    (tmp_path / "work.csv").write_text(f"Area,m,f\n{rows}\n")
    base = ["protect", "work.csv", "--margins", "keep", "--method", "cell-suppression"]
    base += ["--seed", str(3**44), "--force", "-o", "out.csv"]
    assert main(base) == 2
    assert not (tmp_path / "out.csv").exists()
    error = capsys.readouterr().err
    assert "--hierarchy" in error
    assert "--non-hierarchical" in error
    assert main([*base, "--non-hierarchical", "Area"]) == 0
    assert main([*base, "--hierarchy", "Area=detected"]) == 0
    assert "Employed" in (tmp_path / "out.csv").read_text()
    (tmp_path / "parts.csv").write_text(
        "label,parent\nFull-time,Employed\nPart-time,Employed\nEmployed,\nUnemployed,\nInactive,\n"
    )
    by_file = [*base[:-1], "file.csv", "--hierarchy", "Area=parts.csv"]
    assert main(by_file) == 0
    assert (tmp_path / "file.csv").read_text() == (tmp_path / "out.csv").read_text()
    (tmp_path / "firms.csv").write_text(
        "Area,firm,amount\n"
        + "".join(
            f"{area},{area}{k},{amount}\n"
            for area, amounts in {"n": (61, 34), "a": (21, 20), "b": (40, 14), "s": (50, 27)}.items()
            for k, amount in enumerate(amounts)
        )
    )
    firms = ["suppress", "firms.csv", "--by", "Area", "--contributor", "firm", "--amount", "amount",
             "--rule", "dominance", "--n", "1", "--k", "60"]  # fmt: skip
    assert main(firms) == 2
    assert "--non-hierarchical" in capsys.readouterr().err
    assert main([*firms, "--non-hierarchical", "Area"]) == 0
    assert main([*firms, "--hierarchy", "Area=detected"]) == 0
