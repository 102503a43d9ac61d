"""The risk of table generators as a measure: the same as the formulas of the core; the best setting by it."""

from dataclasses import replace

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, examples, measures, methods
from sdcwidgets.assessment.replications import Run
from sdcwidgets.assessment.search import candidates, pareto_front, sweep
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.core.risk import flexible
from sdcwidgets.measures import Batch
from sdcwidgets.measures.flexible import FlexibleRisk
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tableserver.noise import spread

RELIGION = examples.load("religion")
RISK = FlexibleRisk()


def test_before_protection_it_is_the_formula_and_nothing_changed_leaves_it():
    expected = float(flexible.risk(flexible.terms(RELIGION.counts)))
    assert RISK.before(RELIGION) == pytest.approx(expected)
    assert RISK.values(Batch(RELIGION))[0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("base", [3, 5])
def test_after_rounding_it_is_what_the_matrix_gives_on_average(base):
    method = methods.get("random-rounding")(base=base)
    counts = np.random.default_rng(1).poisson(6, size=(40, 30)) * (
        np.random.default_rng(2).random((40, 30)) < 0.6
    )
    table = FrequencyTable(counts)
    draws = method.replicate(table, 400, np.random.default_rng(3))
    found = RISK.values(Batch(table, draws)).mean()
    known = spread(method, counts)
    expected = np.mean([flexible.risk(flexible.terms_after(counts, G, known)) for G in draws[:40]])
    assert found == pytest.approx(expected, rel=0.03)


def test_its_explanation_ends_with_its_value():
    method = methods.get("random-rounding")()
    batch = Batch(RELIGION, method.replicate(RELIGION, 1, np.random.default_rng(1)))
    lines = ["".join(piece.text for piece in line) for line in RISK.explain(batch)]
    assert lines[-1].endswith(f"= {float(RISK.values(batch)[0, 0]):.4f}")
    assert "up to 6" in lines[3]


def test_the_search_of_fifteen_steps_decides_by_it():
    loss = measures.get("utility")()
    tried = candidates(["random-rounding", "cell-key"], RELIGION)
    found = {
        point.method: point
        for point in sweep(RELIGION, Settings(replications=30), tried, [RISK, loss])
        if point is not None
    }
    risk = np.array([found[one].whole_slice[RISK].mean[0] for one in tried])
    kept = np.array([found[one].whole_slice[loss].mean[0] for one in tried])
    assert (risk < RISK.before(RELIGION)).any()
    front = pareto_front(risk, -kept)
    best = int(np.argmax(np.where(front & (risk < RISK.before(RELIGION)), kept, -1)))
    limits = ReleaseLimits(
        "Panel",
        risk=RISK.before(RELIGION),
        loss=0.5,
        risk_measure=RISK.name,
        loss_measure=loss.name,
        one_cell=0,
    )
    first = found[tried[best]].first
    assert judge(RELIGION, first, limits, values=(risk[best], kept[best])).answer == "release"
    assert judge(RELIGION, first, limits, values=(risk[best], 0.4)).answer == "not yet"
    assert judge(RELIGION, limits=replace(limits, risk_before=0.05)).answer == "not yet"


def test_a_run_of_draws_has_its_column():
    run = Run(RELIGION, methods.get("random-rounding")(), Settings(replications=5), [RISK])
    run.draw_for(10)
    assert "flexible_risk" in run.result().whole_slice.columns()
