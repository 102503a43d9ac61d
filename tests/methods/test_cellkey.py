"""Cell keys: the handbook's example, the order of records, the same cell the same noise, files of p-tables."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError, methods
from sdcwidgets._util.parameters import declared
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey import handbook_example, parse_p_table, to_argus, to_csv
from sdcwidgets.methods.cellkey.files import PTable
from sdcwidgets.methods.cellkey.keys import GRID
from sdcwidgets.methods.cellkey.lookup import Lookup

RNG = np.random.default_rng(5)
RECORDS = pd.DataFrame(
    {"Area": RNG.integers(0, 4, 400), "Sex": RNG.integers(0, 2, 400), "Job": RNG.integers(0, 3, 400)}
)
KEYS = RNG.random(400)


def test_tables_5_16_and_5_17_make_four_of_three_men():
    keys = cellkey.cell_keys([0.9, 0.3, 0.6], [0, 0, 0], 1)
    assert keys.tolist() == [0.8]
    for bound in ("lower", "upper"):
        assert cellkey.noise([3], keys, handbook_example(), bound=bound).tolist() == [1]


def test_an_end_of_an_interval_belongs_to_the_side_that_is_asked_for():
    table = handbook_example()
    keys = [0.0, 0.3, 0.7, 0.999999999]
    assert cellkey.noise([3] * 4, keys, table).tolist() == [-1, 0, 1, 1]
    assert cellkey.noise([3] * 4, keys, table, bound="upper").tolist() == [-1, -1, 0, 1]
    assert cellkey.noise([0, 3, 900], [0.9] * 3, table).tolist() == [0, 1, 1]


@given(order=st.permutations(range(60)), seed=st.integers(0, 9))
def test_the_order_of_the_records_does_not_matter(order, seed):
    rng = np.random.default_rng(seed)
    keys, cells = rng.random(60), rng.integers(0, 5, 60)
    here, there = cellkey.cell_keys(keys, cells, 5), cellkey.cell_keys(keys[order], cells[order], 5)
    np.testing.assert_array_equal(here, there)
    assert here.min() >= 0
    assert here.max() < 1


@given(seed=st.integers(0, 99), cell=st.integers(0, 99), people=st.integers(1, 40))
def test_one_more_person_leaves_all_other_keys_as_they_are(seed, cell, people):
    keys = cellkey.record_keys(cell, np.arange(people), seed)
    np.testing.assert_array_equal(cellkey.record_keys(cell, np.arange(people + 1), seed)[:-1], keys)
    assert keys.min() >= 0
    assert keys.max() < 1
    assert (keys == keys.round(9)).all()
    assert keys[0] != cellkey.record_keys(cell, 0, seed + 1)


def test_record_keys_are_uniform_and_one_cells_tell_nothing_of_anothers():
    keys = cellkey.record_keys(np.arange(300)[:, np.newaxis], np.arange(300), seed=3)
    seen = np.histogram(keys, 50, (0, 1))[0]
    # Chi-squared of 49 degrees of freedom: above 85.4 once in a thousand.
    assert np.sum((seen - 1800) ** 2 / 1800) < 85.4
    assert abs(np.corrcoef(keys[1:].ravel(), keys[:-1].ravel())[0, 1]) < 0.012
    assert abs(np.corrcoef(keys[:, 1:].ravel(), keys[:, :-1].ravel())[0, 1]) < 0.012


def table_of(*names):
    """The table of some columns of the records, and the keys of its cells."""
    sizes = [RECORDS[name].max() + 1 for name in names]
    cells = np.ravel_multi_index([RECORDS[name] for name in names], sizes)
    counts = np.bincount(cells, minlength=np.prod(sizes)).reshape(sizes)
    keys = cellkey.cell_keys(KEYS, cells, int(np.prod(sizes))).reshape(sizes)
    axes = [(name, [str(k) for k in range(size)]) for name, size in zip(names, sizes, strict=True)]
    return FrequencyTable(counts, axes), keys


@pytest.mark.parametrize("secret", [None, 0, 5212676479325586])
def test_the_same_cell_has_the_same_noise_in_every_table(secret):
    p = cellkey.p_table(4, 3, 1)
    large = cellkey.release(*table_of("Area", "Sex", "Job"), p, secret=secret)
    small = cellkey.release(*table_of("Sex", "Area"), p, secret=secret)
    np.testing.assert_array_equal(large.marginal("Sex", "Area"), small.cells)
    np.testing.assert_array_equal(large.marginal("Area"), small.marginal("Area"))
    assert large.marginal() == small.marginal()
    assert not large.additive


def test_mixed_keys_are_uniform_and_independent_of_the_keys_that_add_up():
    keys = np.arange(100_000)
    mixed = cellkey.mixed_keys(keys, secret=7)
    # Chi-squared of 49 degrees of freedom: above 85.4 once in a thousand.
    assert np.sum((np.histogram(mixed, 50, (0, 1))[0] - 2000) ** 2 / 2000) < 85.4
    parts = np.random.default_rng(1).integers(0, GRID, (2, 100_000))
    first, second = cellkey.mixed_keys(parts, secret=7)
    total = cellkey.mixed_keys(parts.sum(axis=0) % GRID, secret=7)
    apart = (first + second - total) % 1
    assert np.sum((np.histogram(apart, 50, (0, 1))[0] - 2000) ** 2 / 2000) < 85.4
    assert abs(np.corrcoef(first, total)[0, 1]) < 0.012
    assert (cellkey.mixed_keys(keys, secret=8) != mixed).all()


def test_a_margin_of_people_in_one_cell_has_the_noise_of_the_cell():
    table = FrequencyTable([[4, 0, 0], [0, 0, 9], [2, 1, 0]])
    for seed in range(40):
        for keys in ("mixed", "plain"):
            method = methods.get("cell-key")(D=3, cell_keys=keys)
            release = method.release(table, np.random.default_rng(seed))
            assert release.marginal("Row")[:2].tolist() == [release.cells[0, 0], release.cells[1, 2]]
            assert release.marginal("Column")[1:].tolist() == [release.cells[2, 1], release.cells[1, 2]]
            drawn = method.replicate(table, 5, np.random.default_rng(seed))
            rows = method.published_margin(table, drawn, (0,), np.random.default_rng(seed))
            assert (rows[:, :2] == np.stack([drawn[:, 0, 0], drawn[:, 1, 2]], axis=1)).all()


#: A random secret of 128 bits.
SECRET = 0x8F3A1C5D9E2B47606B1D0C9FA4E7385


@pytest.mark.parametrize("secret", [-1, 2**64, 5.0, "a secret", True])
def test_a_secret_that_is_no_number_or_has_a_pattern_is_refused(secret):
    with pytest.raises(InputError, match="secret"):
        cellkey.release(*table_of("Area"), cellkey.p_table(3, 1), secret=secret)
    with pytest.raises(InputError, match="secret"):
        cellkey.keys_of_records(RECORDS, secret)


def test_a_guessable_secret_has_a_caution():
    release = cellkey.release(*table_of("Area"), cellkey.p_table(3, 1), secret=5)
    assert [caution for caution in release.cautions if "guessable" in caution]
    assert not any("guessable" in note for note in release.notes)
    with pytest.warns(UserWarning, match="guessable"):
        keys = cellkey.keys_of_records(RECORDS, 5)
    release = cellkey.release(*table_of("Area"), cellkey.p_table(3, 1), secret=SECRET)
    assert not [caution for caution in release.cautions if "guessable" in caution]
    assert (cellkey.keys_of_records(RECORDS, SECRET) != keys).any()


@pytest.mark.parametrize("secret", [None, SECRET])
def test_the_footnotes_describe_the_method(secret):
    release = cellkey.release(*table_of("Area", "Sex"), cellkey.p_table(3, 1), secret=secret)
    protected = methods.get("cell-key")(cell_keys="plain" if secret is None else "mixed").release(
        table_of("Area", "Sex")[0], np.random.default_rng(1)
    )
    assert release.notes == protected.notes


@pytest.mark.parametrize("secret", [None, SECRET])
def test_a_release_of_records_is_that_of_their_table_and_keys(secret):
    p = cellkey.p_table(4, 3, 1)
    shuffled = RECORDS.assign(key=KEYS).sample(frac=1, random_state=1)
    expected = cellkey.release(*table_of("Area", "Sex"), p, secret=secret)
    for keys in ("key", shuffled["key"].to_numpy()):
        release = cellkey.release_of_records(shuffled, ["Area", "Sex"], keys, p, secret=secret)
        assert release.axes == expected.axes
        np.testing.assert_array_equal(release.cells, expected.cells)
        np.testing.assert_array_equal(release.marginal("Sex"), expected.marginal("Sex"))
    weights = np.full(len(shuffled), 2.0)
    doubled = cellkey.release_of_records(shuffled, ["Area"], "key", p, secret=secret, weights=weights)
    np.testing.assert_array_equal(doubled.cells, 2 * expected.marginal("Area"))


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": ["Shoe"]},
        {"keys": "shoe"},
        {"keys": [0.5]},
        {"keys": np.full(len(KEYS), 1.5)},
        {"weights": [1.0]},
        {"records": 3},
        {"secret": -1},
    ],
)
def test_a_release_of_records_refuses_wrong_arguments(changes):
    arguments = {"records": RECORDS, "columns": ["Area"], "keys": KEYS, "secret": SECRET} | changes
    with pytest.raises(InputError):
        cellkey.release_of_records(p_table=cellkey.p_table(3, 1), **arguments)


def test_margins_may_be_sums():
    release = cellkey.release(*table_of("Area", "Sex"), cellkey.p_table(4, 3), margins_own=False, secret=None)
    assert release.plain


def test_counts_that_are_left_out_are_never_published_in_margins_either():
    for seed in range(20):
        table = FrequencyTable(np.random.default_rng(seed).integers(0, 4, (4, 5)))
        release = methods.get("cell-key")(D=5, V=4.5, js=3).release(table, np.random.default_rng(seed))
        assert not release.to_frame()["value"].isin([1, 2, 3]).any()


def test_every_noise_is_drawn_as_often_as_the_p_table_says():
    p = cellkey.p_table(3, 1.5, 1)
    keys = (np.arange(200_000) + 0.5) / 200_000
    for i in range(1, int(p.i.max()) + 1):
        row = p[p.i == i]
        drawn = cellkey.noise(np.full(keys.size, i), keys, p)
        seen = [(drawn == v).mean() for v in row.v]
        np.testing.assert_allclose(seen, row.p, atol=1e-5)


def test_what_is_published_for_a_count_tells_from_where_it_may_come():
    release = methods.get("cell-key")(D=2, V=1.2).release(
        FrequencyTable(np.arange(9)), np.random.default_rng(1)
    )
    for value, low, high in zip(release.cells, *release.bounds("Row"), strict=True):
        assert (low, high) == ((0, 2) if value == 0 else (max(value - 2, 1), value + 2))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*guessable:UserWarning")
def test_averaging_over_all_sub_tables_leaves_the_noise_and_sums_of_finer_ones_leave_two_thirds():
    """The count itself is the same in each of 8 tables. Sums of their cells are guesses of their own, with more noise.

    Someone who weighs all of them by their variance, 3 to the number of further axes, has an error of (3 / 4) ** 1.5 of
    what one count has: 0.65 people instead of 1. Of tables without records each count is drawn anew: the mean of 8 has
    0.35.
    """
    rng = np.random.default_rng(1)
    people = rng.integers(0, 3, (300, 4))
    frame, p_table = pd.DataFrame(people, columns=list("abcd")), cellkey.p_table(3, 1)
    sets = [more for size in range(4) for more in itertools.combinations(range(1, 4), size)]
    weights = np.array([3.0 ** -len(more) for more in sets])
    one, best, alone = [], [], []
    for secret in range(60):
        keys = cellkey.keys_of_records(frame, secret)
        counts, guesses, drawn = [], [], []
        for more in sets:
            shape = (3,) * (1 + len(more))
            cells = np.ravel_multi_index(tuple(people[:, [0, *more]].T), shape)
            table = FrequencyTable(np.bincount(cells, minlength=3 ** len(shape)).reshape(shape))
            found = cellkey.release(
                table, cellkey.cell_keys(keys, cells, table.cells).reshape(shape), p_table, secret=secret
            )
            axis = table.axes[0].name
            counts.append(found.marginal(axis) if more else found.cells)
            guesses.append(found.cells.sum(axis=tuple(range(1, len(shape)))))
            other = methods.get("cell-key")(D=3, V=1).release(
                table, np.random.default_rng([secret, len(drawn)])
            )
            drawn.append(other.marginal(axis) if more else other.cells)
        truth = np.bincount(people[:, 0], minlength=3)
        assert all((count == counts[0]).all() for count in counts)
        one.append(np.mean(counts, axis=0) - truth)
        best.append(np.average(guesses, axis=0, weights=weights) - truth)
        alone.append(np.mean(drawn, axis=0) - truth)
    error = [float(np.sqrt(np.mean(np.square(found)))) for found in (one, best, alone)]
    assert error == pytest.approx([1.0, 0.65, 0.354], rel=0.2)


def test_weighted_releases_have_sums_of_weights_and_their_mean():
    table, keys = FrequencyTable([[3, 0], [5, 2]]), np.array([[0.1, 0.0], [0.9, 0.4]])
    weights = np.array([[36.0, 0.0], [7.5, 3.0]])
    plain = cellkey.release(table, keys, cellkey.p_table(3, 2), secret=3)
    found = cellkey.release(table, keys, cellkey.p_table(3, 2), weights=weights, secret=3)
    for names, across in (((), None), (("Row",), 1), (("Column",), 0)):
        sums, people = weights.sum(axis=across), table.counts.sum(axis=across)
        expected = np.rint(plain.marginal(*names) * sums / people)
        np.testing.assert_array_equal(found.marginal(*names), expected)
    assert found.cells[0, 1] == 0
    assert np.isinf(found.bounds().upper)
    added = cellkey.release(table, keys, cellkey.p_table(3, 2), weights=weights, margins_own=False, secret=3)
    assert added.additive


def test_weighted_counts_have_the_mean_weight():
    assert cellkey.weighted([4, 0, 5], [3, 0, 5], [36.0, 0.0, 7.5]).tolist() == [48.0, 0.0, 7.5]


def test_the_columns_are_those_of_the_r_package():
    table = cellkey.p_table(2, 1)
    assert tuple(table.columns) == cellkey.COLUMNS
    assert (table.j == table.i + table.v).all()
    assert table[table.i == 0].to_numpy().tolist() == [[0, 0, 1, 0, 0, 1]]
    np.testing.assert_allclose(table.p_int_ub - table.p_int_lb, table.p, atol=2e-8)
    assert (table.p_int_ub == table.p_int_ub.round(8)).all()
    assert table.groupby("i").p_int_ub.max().eq(1).all()


@settings(max_examples=25)
@given(D=st.integers(1, 8), V=st.floats(0.1, 20), js=st.integers(0, 1))
def test_files_pass_in_and_out_unchanged(D, V, js):
    table = cellkey.p_table(D, V + js, js)
    text = to_csv(table)
    assert to_csv(parse_p_table(text)) == text
    pd.testing.assert_frame_equal(parse_p_table(text), table)
    argus = to_argus(table)
    assert to_argus(parse_p_table(argus)) == argus


#: As `pt_export` of the R package ptable writes it for τ-ARGUS: `format(digits = 8)`, no quotes, semicolons.
FOR_ARGUS = """\
i;j;p;v;p_int_ub
0;0;1.000000000; 0;1.00000000
1;0;0.387868863;-1;0.38786886
1;1;0.306065683; 0;0.69393455
1;2;0.224262028; 1;0.91819657
1;3;0.081803426; 2;1.00000000
"""

#: As `write.csv` of R writes the slot pTable: numbers of lines, names in quotes, a column `type`.
FROM_R = """\
"","i","j","p","v","p_int_lb","p_int_ub","type"
"1",0,0,1,0,0,1,"all"
"2",1,0,0.387868863,-1,0,0.38786886,"all"
"3",1,1,0.306065683,0,0.38786886,0.69393455,"all"
"4",1,2,0.224262028,1,0.69393455,0.91819657,"all"
"5",1,3,0.081803426,2,0.91819657,1,"all"
"""


def test_files_of_the_r_package_are_read_and_written_as_they_are():
    read = parse_p_table(FOR_ARGUS)
    assert to_argus(read) == FOR_ARGUS
    assert read.p_int_lb.tolist() == [0, 0, 0.38786886, 0.69393455, 0.91819657]
    other = parse_p_table(FROM_R)
    assert to_argus(other) == FOR_ARGUS
    pd.testing.assert_frame_equal(other.drop(columns="type"), read)
    pd.testing.assert_frame_equal(parse_p_table(to_csv(other)), other)
    # The format for SAS has the lower bounds, too.
    lines = [line.split(";") for line in FOR_ARGUS.splitlines()]
    lower = ["p_int_lb", *map(str, read.p_int_lb)]
    sas = "\n".join(";".join([*line[:4], low, line[4]]) for line, low in zip(lines, lower, strict=True))
    pd.testing.assert_frame_equal(parse_p_table(sas), read)


def test_a_long_file_for_argus_is_padded_as_r_pads_it():
    table = cellkey.p_table(10, 8, 3)
    text = to_argus(table)
    assert text.splitlines()[1].startswith(" 0; 0;1.0")
    assert len({len(line) for line in text.splitlines()[1:]}) == 1
    again = parse_p_table(text)
    assert to_argus(again) == text
    np.testing.assert_array_equal(again[["i", "j", "v"]], table[["i", "j", "v"]])
    np.testing.assert_allclose(again.p, table.p, rtol=5e-8)
    keys = np.linspace(0, 0.999, 400)
    for count in (1, 5, 40):
        here, there = (cellkey.noise(np.full(400, count), keys, one) for one in (table, again))
        np.testing.assert_array_equal(here, there)


def test_the_last_digit_of_a_probability_is_read():
    text = (
        "i,j,p,v,p_int_lb,p_int_ub\n0,0,1,0,0,1\n"
        "1,0,0.25000000000000006,-1,0,0.25\n1,1,0.5,0,0.25,0.75\n1,2,0.25,1,0.75,1\n"
    )
    assert parse_p_table(text).p.tolist() == [1, 0.25000000000000006, 0.5, 0.25]


def test_a_file_of_r_keeps_its_further_columns():
    text = to_csv(handbook_example().assign(type="all"))
    assert to_csv(parse_p_table(text)) == text
    r = '"","i","j","p","v","p_int_lb","p_int_ub"\n"1",0,0,1,0,0,1\n"2",1,0,0.5,-1,0,0.5\n"3",1,2,0.5,1,0.5,1\n'
    assert parse_p_table(r).v.tolist() == [0, -1, 1]


@pytest.mark.slow
@settings(max_examples=25)
@given(D=st.integers(1, 6), js=st.integers(0, 1), threshold=st.floats(0.05, 1), seed=st.integers(0, 99))
@example(1, 1, 1.0, 0)  # rows of one interval
def test_shuffled_intervals_have_the_same_chances_and_are_read_as_they_stand(D, js, threshold, seed):
    table = cellkey.p_table(D, 1.0 + js, js)
    cut = cellkey.modify(table, threshold, seed)
    assert (cut.p_int_ub - cut.p_int_lb).where(cut.i > 0, 0).max() <= threshold + 1e-8
    assert not (cut[cut.i > 0].groupby("i").p_int_ub.diff() == 0).any() or (cut.p == 0).any()
    before, after = (one.groupby(["i", "v"]).p.sum() for one in (table, cut))
    np.testing.assert_allclose(before, after.reindex(before.index), atol=1e-9)
    for text in (to_csv(cut), to_argus(cut), to_argus(cut, lower=True)):
        pd.testing.assert_frame_equal(parse_p_table(text), cut)
    # Each key has the noise of the interval that it is in; and a p-table's conclusions do not depend on their order.
    counts, keys = np.repeat(np.arange(1, D + 5), 50), np.tile(np.linspace(0, 0.9999, 50), D + 4)
    found = cellkey.noise(counts, keys, cut)
    last = cut.i.max()
    for count, key, noise in zip(counts.tolist(), keys.tolist(), found.tolist(), strict=True):
        row = cut[(cut.i == min(count, last)) & (cut.p_int_lb <= key) & (key < cut.p_int_ub)]
        assert row.v.tolist() == [noise]
    published = np.arange(12)
    for one, other in zip(*(cellkey.Lookup.of(t).conclusions(published) for t in (table, cut)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_probabilities_are_the_lengths_of_the_printed_intervals():
    table = cellkey.p_table(5, 3, 2)
    np.testing.assert_array_equal((table.p_int_ub - table.p_int_lb).round(8), table.p)
    assert (table.p == table.p.round(8)).all()
    lines = to_argus(table, lower=True).splitlines()
    assert lines[0] == "i;j;p;v;p_int_lb;p_int_ub"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.drop(columns="p"), "no column"),
        (lambda t: t.assign(p="x"), "a number"),
        (lambda t: t[t.i != 1], "incomplete"),
        (lambda t: t.assign(p=t.p * 0.9), "sum 0.9; it must be 1"),
        (lambda t: t.assign(v=t.v + 1), "equal j"),
        (lambda t: t.assign(p_int_ub=t.p_int_ub * 0.9), "cumulative sums"),
        (lambda t: t.assign(p_int_lb=t.p_int_lb * 2), "cumulative sums"),
    ],
)
def test_a_damaged_p_table_is_told_in_one_sentence(change, sentence):
    with pytest.raises(InputError, match=sentence):
        parse_p_table(to_csv(change(handbook_example())))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: cellkey.p_table(5, 1, 2), "a variance of 2 or more"),
        (lambda: cellkey.p_table(5, 1, pstay=1), "to below 1"),
        (lambda: cellkey.cell_keys([0.5, 1.0], [0, 0], 1), "record key is 1; it must be"),
        (lambda: cellkey.cell_keys([0.5], [3], 2), "in cell 3"),
        (lambda: cellkey.cell_keys([0.5], [0, 1], 2), "one key and one cell"),
        (lambda: methods.get("cell-key")(D=2, V=1, js=4), "a variance of 6 or more"),
        (lambda: cellkey.noise([3], [1.0], handbook_example()), "cell key is 1; it must be from 0"),
        (lambda: cellkey.noise([3], [-0.1], handbook_example()), "cell key is -0.1"),
        (lambda: cellkey.noise([3], [np.nan], handbook_example()), "cell key is nan"),
        (lambda: cellkey.noise([-1], [0.5], handbook_example()), "count is -1; counts must be whole"),
        (lambda: cellkey.noise([2.5], [0.5], handbook_example()), "count is 2.5"),
        (lambda: cellkey.noise([np.inf], [0.5], handbook_example()), "count is inf"),
        (lambda: cellkey.noise([1, 2, 3], [0.5, 0.1], handbook_example()), "each count needs one key"),
        (lambda: cellkey.modify(handbook_example(), 0, 1), "threshold is 0; it must be above 0"),
    ],
)
def test_bad_input_is_told_in_one_sentence(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


def test_a_record_without_a_value_that_tells_it_apart_is_named():
    for ids, sentence in (
        (["x", None, "z"], "Record 2 has"),
        (["x", "y", "x"], "Record 3 repeats"),
    ):
        with pytest.raises(InputError, match=sentence):
            cellkey.keys_of_records(pd.DataFrame({"id": ids}), SECRET, "id")


def test_the_keys_of_a_cell_are_added_in_parts_of_any_size(monkeypatch):
    rng = np.random.default_rng(1)
    keys, cells = rng.integers(10**9, size=100) / 10**9, rng.integers(4, size=100)
    whole = cellkey.cell_keys(keys, cells, 4)
    for size in (1, 7, 64):
        monkeypatch.setattr("sdcwidgets.methods.cellkey.keys.MOST_ADDED", size)
        assert cellkey.cell_keys(keys, cells, 4).tolist() == whole.tolist()


@given(st.integers(1, 12), st.floats(0, 1, exclude_max=True))
def test_all_keys_of_an_interval_have_one_noise(count, key):
    lookup = Lookup.of(handbook_example())
    counts, keys = np.array([count]), np.array([key])
    low, high = lookup.interval(counts, keys)
    assert low <= key + 1e-9
    assert key <= high + 1e-9
    for share in (0.01, 0.99):
        assert lookup.noise(counts, low + share * (high - low)) == lookup.noise(counts, (low + high) / 2)
    noise = lookup.noise(counts, (low + high) / 2)
    for share in (0.0, 0.5, 1 - 1e-12):
        drawn = lookup.keys_with_noise(counts, noise, np.array([share]), GRID) / GRID
        assert low - 1e-9 <= drawn <= high


@given(st.integers(1, 12), st.floats(0, 1, exclude_max=True), st.integers(0, 9))
def test_drawn_keys_have_their_noise_where_intervals_are_shuffled(count, share, seed):
    lookup = Lookup.of(cellkey.modify(cellkey.p_table(3, 1.0), 0.07, seed))
    counts = np.full(7, count)
    noise = np.arange(-3, 4)
    possible = np.isin(noise, lookup.v[(lookup.row == min(count, 3)) & (lookup.width > 0)])
    drawn = lookup.keys_with_noise(counts, noise, np.full(7, share), GRID) / GRID
    assert lookup.noise(counts, drawn)[possible].tolist() == noise[possible].tolist()


def test_an_own_p_table_gives_the_noise_of_equal_settings(tmp_path):
    table = FrequencyTable([[1, 2, 3], [0, 14, 7]])
    usual = methods.get("cell-key")(D=3, V=1.0)
    own = methods.get("cell-key")(p_table=cellkey.p_table(3, 1.0))
    assert (own.D, own.V, own.js) == (3, 1.0, 0)
    first, second = (method.replicate(table, 50, np.random.default_rng(4)) for method in (usual, own))
    assert first.tolist() == second.tolist()
    (tmp_path / "ptable.csv").write_text(to_csv(cellkey.p_table(3, 1.0)))
    assert methods.get("cell-key")(p_table=tmp_path / "ptable.csv") == own
    assert methods.get("cell-key")(p_table=own.p_table) == own
    pd.testing.assert_frame_equal(cellkey.read_p_table(tmp_path / "ptable.csv"), own.noise_table())
    np.testing.assert_allclose(
        own.transition(20), usual.transition(20)[:, : own.transition(20).shape[1]], atol=1e-8
    )


@pytest.mark.slow
def test_the_handbooks_p_table_never_publishes_ones():
    method = methods.get("cell-key")(p_table=handbook_example())
    assert (method.D, method.js) == (1, 1)
    table = FrequencyTable([[1, 2, 3], [0, 1, 1]])
    for keys in ("mixed", "plain"):
        own = methods.get("cell-key")(p_table=handbook_example(), cell_keys=keys)
        for seed in range(20):
            release = own.release(table, seed)
            assert not (release.cells == 1).any()
            low, high = release.cell_bounds()
            assert ((low <= table.counts) & (table.counts <= high)).all()


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ("ptable.csv", "read_p_table"),
        (3, "frame"),
        (pd.DataFrame({"i": [0]}), "column"),
        ([(0, 1, 1.0)], "count of 0"),
        ([(0, 0, 1.0), (1, -2, 1.0)], "below 0"),
        ([(0, 0, 1.0), (2, 0, 1.0)], "incomplete"),
        ([(0, 0, 1.0), (1, 0, 0.5)], "sum"),
    ],
)
def test_a_wrong_p_table_is_refused_in_a_sentence(wrong, part):
    with pytest.raises(InputError, match=part):
        methods.get("cell-key")(p_table=wrong)


@pytest.mark.parametrize("name", ["missing.csv", "folder", "binary.csv", "other.csv"])
def test_a_file_that_is_no_p_table_is_named(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=name):
        cellkey.read_p_table(tmp_path / name)


@pytest.mark.parametrize(("D", "V"), [(2, 1.0), (5, 2.0), (5, 3.5)])
def test_the_noise_of_a_p_table_is_right_on_average_and_varies_as_asked(D, V):
    found = cellkey.checks(cellkey.p_table(D, V))
    np.testing.assert_allclose(found["total"], 1)
    np.testing.assert_allclose(found["mean"], 0, atol=1e-7)
    assert found["variance"].iloc[-1] == pytest.approx(V)
    biased = cellkey.checks(pd.DataFrame({"i": [0, 0], "v": [0, 3], "p": [0.5, 0.5]}))
    assert biased["variance"].tolist() == [2.25]


@pytest.mark.parametrize("value", [True, "2", None])
@pytest.mark.parametrize("name", ["D", "V", "js"])
def test_a_setting_of_a_p_table_is_a_number(name, value):
    with pytest.raises(InputError, match=f"^{name} is "):
        cellkey.p_table(**{"D": 3, "V": 2, "js": 0, name: value})


def test_a_p_table_is_read_from_its_path_and_none_from_no_text(tmp_path):
    parameter = next(one for one in declared(methods.get("cell-key")) if isinstance(one.kind, PTable))
    path = tmp_path / "table.csv"
    path.write_text(to_csv(cellkey.p_table(1, 0.5)), "utf-8")
    assert parameter.parse(str(path))[-1] == (1, 1, 1.0)
    assert parameter.parse(" ") == ()
