"""The cell key lab in words."""

import re
from dataclasses import replace

import numpy as np
import pytest
from stating import stating

from screens import named
from sdcwidgets import FrequencyTable
from sdcwidgets.dashboards.cell_key import texts as words
from sdcwidgets.dashboards.cell_key.result import compute
from sdcwidgets.dashboards.cell_key.state import CellKeyState
from sdcwidgets.methods.cellkey import CellKey, handbook_example, to_csv

TABLE = FrequencyTable([[3, 0, 7], [120, 1, 4]], {"Area": "ab", "Job": "xyz"})


def text(line):
    return "".join(piece.text for piece in line)


@pytest.mark.parametrize(
    ("noise", "told"),
    [
        (CellKey(D=3, V=1.0), stating("above 0", "is 1")),
        (CellKey(D=3, V=1.0, js=1), stating("1·(2 − 1) = 1", "is 1", "large enough")),
        (
            CellKey(D=5, V=5.0, js=3),
            stating("from 1 to 3", "count 2", "0", "4"),
        ),
    ],
)
def test_the_rule_has_this_tables_numbers(noise, told):
    assert words.rule(noise) == told


def test_checks_say_what_holds_and_what_does_not():
    readings = {
        one.label: (one.text, text(one.formula)) for one in words.checked(compute(CellKeyState(TABLE)))
    }
    assert named(readings, "Sum of")[0] == "1"
    assert readings["Mean noise"] == ("0", "Σ v·p = 0: unbiased")
    assert readings["Maximum variance"] == ("1", "Σ v²·p ≤ V = 1, in row 1")
    printed = words.checked(compute(CellKeyState(TABLE, p_table_text=to_csv(handbook_example()))))
    readings = {one.label: (one.text, text(one.formula)) for one in printed}
    assert readings["Mean noise"] == ("+0.200 at 2", stating("not 0", "1 row", "biased"))
    assert named(readings, "never published")[0] == "1"


def test_the_formula_is_the_sum_that_it_says():
    found = compute(CellKeyState(TABLE))
    own, others, total, key = map(float, re.findall(r"\d\.\d+", text(words.formula(found))))
    assert own + others == pytest.approx(total, abs=2e-6)
    assert total % 1 == pytest.approx(key, abs=2e-6)


def test_the_sentence_knows_how_many_others_there_are():
    told = [
        words.notice(compute(CellKeyState(TABLE, cell=cell))) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    assert "other 2 people" in told[0]
    assert told[1].startswith("The cell a, y is empty.")
    assert "other 119" in told[2]
    assert "larger counts" in told[2]
    assert "one person" in told[3]


def test_keys_begin_at_zero_and_not_below_it():
    """In the handbook's table the first bound of the row of 3 is 0; as 3.3 − 3 − 0.3 it is less by a rounding."""
    state = CellKeyState(
        FrequencyTable([[3, 4], [9, 5]], {"Area": "ab", "Job": "xy"}), p_table_text=to_csv(handbook_example())
    )
    told = [words.notice(compute(replace(state, seed=seed))) for seed in range(1, 12)]
    assert any("from 0.0000 to 0.3000 have the noise −1" in one for one in told)
    assert not any("-0" in one for one in told)


def test_the_total_that_is_furthest_off_is_named_with_its_numbers():
    found = compute(CellKeyState.of_example("religion"))
    told = words.additivity(found)
    apart = found.margin_discrepancies
    number = sum(np.count_nonzero(value) for value in apart.values())
    assert told == stating(f"{number} of 20 published", "not the")
    most = max(abs(int(value)) for array in apart.values() for value in np.ravel(array))
    shown, sums = re.search(r": ([\d,]+) is published, but the cells sum to ([\d,]+)", told).groups()
    assert abs(int(shown.replace(",", "")) - int(sums.replace(",", ""))) == most


def test_asking_is_told():
    assert words.repeated_answers(compute(CellKeyState(TABLE))).startswith("One request")
    found = compute(CellKeyState(TABLE, asks=20))
    assert f"would be {found.fresh.mean():.2f}" in words.repeated_answers(found)
    assert "returns 0" in words.repeated_answers(compute(CellKeyState(TABLE, cell=(0, 1))))


def test_explanations_have_a_line_a_step_and_code_that_runs():
    state = CellKeyState.of_example("religion")
    found = compute(state)
    assert f"= {found.path[0].published:,}." in text(words.explain(found)[-1])
    assert text(words.explain_check(found)[-1]).startswith("Σ p = 1.000000")
    names = {}
    code = words.as_code(state)
    exec(code, names)
    release = names["cellkey"].release(names["table"], names["keys"], names["p"], secret=None)
    np.testing.assert_array_equal(release.cells, found.release.cells)
    assert release.marginal() == found.release.marginal()
    assert "read_p_table" in words.as_code(CellKeyState(TABLE, p_table_text=to_csv(handbook_example())))


def test_the_caption_names_the_interval_of_the_cell_key():
    table = FrequencyTable([[3, 0], [120, 4]])
    result = compute(CellKeyState(table, cell=(0, 0)))
    assert f"the noise {words.signed(result.path[0].noise)}." in words.intervals_caption(result)
    assert words.intervals_caption(compute(CellKeyState(table, cell=(0, 1)))) == ""
