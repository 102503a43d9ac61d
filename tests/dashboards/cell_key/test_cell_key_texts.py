"""The cell key lab in words."""

import re
from dataclasses import replace

import numpy as np
import pytest

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
        (CellKey(D=3, V=1.0), "every variance V above 0 is possible. The variance V is 1."),
        (CellKey(D=3, V=1.0, js=1), "1·(2 − 1) = 1. The variance V is 1, which is large enough."),
        (
            CellKey(D=5, V=5.0, js=3),
            "No count from 1 to 3 is published, so the count 2 is changed to 0 or to at least 4.",
        ),
    ],
)
def test_the_rule_has_this_tables_numbers(noise, told):
    assert told in words.rule(noise)


def test_checks_say_what_holds_and_what_does_not():
    readings = {
        one.label: (one.text, text(one.formula)) for one in words.checked(compute(CellKeyState(TABLE)))
    }
    assert readings["Sum of the probabilities of each row"][0] == "1"
    assert readings["Mean noise"] == ("0", "Σ v·p = 0: unbiased")
    assert readings["Maximum variance"] == ("1", "Σ v²·p ≤ V = 1, in row 1")
    printed = words.checked(compute(CellKeyState(TABLE, p_table_text=to_csv(handbook_example()))))
    readings = {one.label: (one.text, text(one.formula)) for one in printed}
    assert readings["Mean noise"] == ("+0.200 at 2", "mean noise is not 0 in 1 row: biased")
    assert readings["Counts that are never published"][0] == "1"


def test_the_formula_is_the_sum_that_it_says():
    found = compute(CellKeyState(TABLE))
    own, others, total, key = map(float, re.findall(r"\d\.\d+", text(words.formula(found))))
    assert own + others == pytest.approx(total, abs=2e-6)
    assert total % 1 == pytest.approx(key, abs=2e-6)


def test_the_sentence_knows_how_many_others_there_are():
    told = [
        words.notice(compute(CellKeyState(TABLE, cell=cell))) for cell in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]
    assert "record keys of the other 2 people" in told[0]
    assert told[1].startswith("The cell a, y is empty.")
    assert "record keys of the other 119" in told[2]
    assert "(used for this and all larger counts)" in told[2]
    assert told[3].startswith("The cell has one person")


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
    assert told.startswith(f"{number} of 20 published totals are not the sums of their cells.")
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
