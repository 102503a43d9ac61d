"""The cell key lab: the way from a record key to a published count, links, and what is refused."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError, examples
from sdcwidgets.dashboards.cell_key.result import compute
from sdcwidgets.dashboards.cell_key.state import CellKeyState
from sdcwidgets.dashboards.cell_key.texts import formula
from sdcwidgets.methods import cellkey
from sdcwidgets.methods.cellkey import handbook_example, to_argus, to_csv
from sdcwidgets.widgets.page_state.links import decode, encode

RELIGION = CellKeyState.of_example("religion")
TABLE = CellKeyState(FrequencyTable([[3, 0, 7], [120, 1, 4]], {"Area": "ab", "Job": "xyz"}))


def test_each_step_of_the_path_is_what_the_p_table_says():
    found = compute(TABLE)
    assert found.cell == (0, 0)
    for step in found.path:
        line = found.p_table[(found.p_table.i == step.line) & (found.p_table.v == step.noise)].iloc[0]
        assert (step.low, step.high) == pytest.approx((line.p_int_lb, line.p_int_ub), abs=1e-9)
        assert step.low <= step.key < step.high
        assert step.published == step.count + step.noise
    counts = TABLE.table.counts
    assert [step.count for step in found.path] == [3, 10, 123, counts.sum()]
    assert [step.published for step in found.path] == [
        found.release.cells[0, 0],
        found.release.marginal("Area")[0],
        found.release.marginal("Job")[0],
        found.release.marginal(),
    ]


def test_the_cell_key_is_the_sum_of_the_record_keys():
    keys = cellkey.record_keys(0, np.arange(3), 1)
    for person in range(3):
        found = compute(CellKeyState(TABLE.table, person=person))
        assert found.record_key == keys[person]
        assert found.path[0].key == round(keys.sum() % 1, 9)
        assert (found.record_key + found.others_key) % 1 == pytest.approx(found.path[0].key, abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(row=st.integers(0, 1), column=st.integers(0, 2), asks=st.integers(1, 30), seed=st.integers(1, 99))
def test_asking_again_gives_the_same(row, column, asks, seed):
    state = CellKeyState(TABLE.table, cell=(row, column), seed=seed)
    once, again = compute(state), compute(CellKeyState(TABLE.table, cell=(row, column), seed=seed, asks=asks))
    assert once.path == again.path
    assert len(again.fresh) == asks
    np.testing.assert_array_equal(once.release.cells, again.release.cells)
    if not TABLE.table.counts[row, column]:
        assert again.path == ()
        assert not again.fresh.any()


def test_one_more_person_changes_the_noise_of_nobody_elses_cell():
    before, after = compute(TABLE), compute(TABLE.edited([[4, 0, 7], [120, 1, 4]]))
    same = np.array([[False, True, True], [True, True, True]])
    np.testing.assert_array_equal(before.release.cells[same], after.release.cells[same])


def test_another_layout_of_the_same_table_gives_each_cell_the_same():
    table = FrequencyTable(
        np.arange(24).reshape(2, 3, 4), {"Area": "ab", "Age": "012", "Job": ("w", "x", "y", "z")}
    )
    whole = compute(CellKeyState(table))
    part = CellKeyState(table, arrangement=whole.state.arrangement.placed("Area", "b"))
    np.testing.assert_array_equal(compute(part).release.cells, whole.release.cells[3:])


def test_totals_apart_are_published_totals_less_the_sums():
    found = compute(RELIGION)
    for names, kept in ((("Area",), (0,)), (("Religion",), (1,)), ((), ())):
        sums = found.release.cells.sum(axis=tuple(k for k in (0, 1) if k not in kept))
        np.testing.assert_array_equal(found.margin_discrepancies[kept], found.release.marginal(*names) - sums)


def test_a_p_table_of_a_file_takes_the_place_of_the_sliders_until_one_moves():
    state = CellKeyState(TABLE.table, p_table_text=to_argus(handbook_example()))
    found = compute(state)
    assert found.p_table.equals(handbook_example())
    assert found.path[0].published in (2, 3, 4)
    assert found.checks["mean"].round(6).tolist() == [0, 0, 0.2, 0]
    assert compute(state.noised(V=2.0)).p_table.v.abs().max() == 3


@pytest.mark.parametrize(
    "state",
    [
        RELIGION,
        RELIGION.noised(D=5, V=3.0, js=2, pstay=0.2, monotone=False),
        CellKeyState(
            TABLE.table, p_table_text=to_csv(handbook_example()), cell=(1, 2), person=3, seed=5, asks=20
        ),
    ],
)
def test_links_bring_back_the_same(state):
    assert CellKeyState.from_state(decode(encode(state))) == state


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: RELIGION.noised(D=5, V=1.0, js=2), "2 or more"),
        (lambda: RELIGION.noised(D=0), "a whole number from 1 to 25"),
        (lambda: compute(CellKeyState(TABLE.table, p_table_text="i,j\n1,2\n")), "no column"),
        (lambda: CellKeyState(TABLE.table, p_table_text="x" * 400_000), "at most 300,000 are allowed"),
        (lambda: CellKeyState(TABLE.table, asks=0), "is 0"),
        (lambda: CellKeyState(TABLE.table, person=-1), "person is -1"),
        (lambda: CellKeyState.from_state(RELIGION.to_state() | {"cell": "xy"}), "damaged"),
    ],
)
def test_bad_states_are_told_in_one_sentence(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


def test_every_example_can_be_followed():
    for name in examples.available():
        found = compute(CellKeyState.of_example(name))
        assert found.path
        assert not found.release.additive


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("cell", [(0, 0), (0, 2), (1, 0), (1, 1)])
def test_the_sum_of_keys_that_is_printed_is_true_to_its_last_digit(cell, seed):
    own, rest, key, _ = (
        piece.text for piece in formula(compute(CellKeyState(TABLE.table, cell=cell, seed=seed)))
    )
    others, total = (Decimal(part.strip(" ;")) for part in rest.removeprefix(" + ").split("="))
    assert Decimal(own) + others == total
    assert total % 1 == Decimal(key.removeprefix("cell key "))
