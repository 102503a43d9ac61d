from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stating import stating

from sdcwidgets import FrequencyTable, InputError, examples, methods
from sdcwidgets._util.parameters import declared

Swapping = methods.get("record-swapping")
TABLES = arrays(np.int64, st.sampled_from([(3, 4), (1, 3), (2, 3, 3)]), elements=st.integers(0, 12))


@settings(max_examples=60, deadline=None)
@given(
    counts=TABLES, rate=st.floats(0, 0.5), axis=st.sampled_from(["rows", "columns"]), seed=st.integers(0, 99)
)
def test_areas_keep_their_people_and_the_rest_of_the_table_its_margin(counts, rate, axis, seed):
    table = FrequencyTable(counts)
    position = 0 if axis == "rows" else counts.ndim - 1
    drawn = Swapping(rate=rate, axis=axis).replicate(table, 6, np.random.default_rng(seed))
    others = tuple(k for k in range(counts.ndim) if k != position)
    assert (drawn.sum(axis=position + 1) == counts.sum(axis=position)).all()
    assert (drawn.sum(axis=tuple(k + 1 for k in others)) == counts.sum(axis=others)).all()


@settings(max_examples=40, deadline=None)
@given(counts=arrays(np.int64, (3, 2, 4), elements=st.integers(0, 9)), seed=st.integers(0, 99))
def test_strata_keep_their_margins(counts, seed):
    table = FrequencyTable(counts, {"Area": list("ABC"), "Sex": list("fm"), "Age": list("1234")})
    drawn = Swapping(rate=0.5, axis="Area", strata=("Sex",)).replicate(table, 6, np.random.default_rng(seed))
    assert (drawn.sum(axis=3) == counts.sum(axis=2)).all()
    assert (drawn.sum(axis=1) == counts.sum(axis=0)).all()
    everything = Swapping(rate=0.5, axis="Area", strata=("Sex", "Age"))
    assert (everything.replicate(table, 3, np.random.default_rng(seed)) == counts).all()


@settings(max_examples=40, deadline=None)
@given(counts=TABLES, seed=st.integers(0, 99))
def test_people_are_followed(counts, seed):
    table = FrequencyTable(counts)
    method = Swapping(rate=0.4)
    drawn, stayed = method.follow(table, 6, np.random.default_rng(seed))
    np.testing.assert_array_equal(drawn, method.replicate(table, 6, np.random.default_rng(seed)))
    assert (stayed <= np.minimum(counts, drawn)).all()
    assert (stayed >= 0).all()
    before, after = method.moves(table, 6, np.random.default_rng(seed))
    assert before.shape == (6, 2 * round(0.2 * table.total))
    left = (before != after).sum(axis=1)
    np.testing.assert_array_equal(left, (counts - stayed).reshape(6, -1).sum(axis=1))
    # Nobody is drawn twice: no cell loses more people than it has.
    for cells in np.where(before != after, before, table.cells):
        assert (np.bincount(cells, minlength=table.cells)[: table.cells] <= counts.ravel()).all()


def test_five_percent_drawn_are_ten_percent_moved():
    before, after = Swapping(rate=0.1).moves(examples.load("religion"), 50, np.random.default_rng(1))
    assert before.shape == (50, 2 * 122)
    assert (before // 9 != after // 9).all()  # everyone's area is another one
    assert (before % 9 == after % 9).all()  # nobody's religion is


def test_partners_come_from_the_other_areas_in_proportion_to_their_people():
    table = FrequencyTable([[600], [300], [100]])
    before, after = Swapping(rate=0.02).moves(table, 4000, np.random.default_rng(2))
    drawn, destination = before[:, :10].ravel(), after[:, :10].ravel()
    np.testing.assert_allclose(np.bincount(drawn) / drawn.size, [0.6, 0.3, 0.1], atol=0.01)
    to = destination[drawn == 2]
    np.testing.assert_allclose(np.bincount(to, minlength=3) / to.size, [2 / 3, 1 / 3, 0], atol=0.03)


def test_a_rate_below_one_pair_is_told():
    table = FrequencyTable([5, 5])
    assert Swapping(rate=0.01).wanted(table) == 0
    assert Swapping(rate=0.01).nobody(table)
    assert Swapping(rate=0.2).nobody(table) == ""


def test_blocks_do_not_show(monkeypatch):
    table = examples.load("travel")
    whole = Swapping().replicate(table, 9, np.random.default_rng(1))
    monkeypatch.setattr("sdcwidgets.methods.tabular.BLOCK", 2 * table.total)
    np.testing.assert_array_equal(Swapping().replicate(table, 9, np.random.default_rng(1)), whole)


def test_one_large_area_swaps_until_the_others_are_used_up():
    table = FrequencyTable([[900, 60], [30, 10]])
    before, after = Swapping(rate=0.5).moves(table, 20, np.random.default_rng(1))
    moved = (before != after).sum(axis=1)
    assert (moved <= 80).all()  # each of the 40 people of the small area has one partner at most
    assert (moved >= 76).all()


def test_tables_that_cannot_be_swapped():
    rng = np.random.default_rng(1)
    assert (Swapping().replicate(FrequencyTable([[0, 0], [0, 0]]), 3, rng) == 0).all()
    table = examples.load("religion")
    with pytest.raises(InputError, match='no axis "Age"'):
        Swapping(axis="Age").apply(table, rng)
    with pytest.raises(InputError, match='Axis "Area" is both'):
        Swapping(strata=("Area",)).apply(table, rng)
    with pytest.raises(InputError, match="200,000,000 people"):
        Swapping().apply(FrequencyTable([200_000_000, 0]), rng)
    with pytest.raises(InputError, match="Swapped axis is"):
        Swapping(axis=("a", "b"))


def test_axes_are_named_in_text_and_rows_and_columns_stand_for_the_first_and_the_last():
    parameters = {parameter.name: parameter for parameter in declared(Swapping)}
    assert parameters["strata"].parse("Sex, Age") == ("Sex", "Age")
    assert parameters["axis"].parse("Area") == "Area"
    table = FrequencyTable([[9, 2], [4, 5]], {"columns": ["A", "B"], "Sex": ["f", "m"]})
    by_name = Swapping(axis="columns").moves(table, 5, np.random.default_rng(1))
    by_place = Swapping(axis="rows").moves(table, 5, np.random.default_rng(1))
    np.testing.assert_array_equal(by_name, by_place)


def test_a_rate_that_cannot_be_reached_is_told():
    table = FrequencyTable([[30, 0, 2], [0, 1, 0]])
    for name in ("record-swapping", "targeted-record-swapping"):
        method = methods.get(name)(rate=0.5)
        _, stayed = method.follow(table, 1, np.random.default_rng(1))
        assert method.private_note(table, stayed[0]) == stating("partners", "2 of the")
        free = FrequencyTable([[30, 9, 20], [20, 10, 9]])
        _, stayed = method.follow(free, 1, np.random.default_rng(1))
        assert method.private_note(free, stayed[0]) == ""
