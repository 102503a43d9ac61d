"""The distributions of most entropy: their conditions, and that no other solver finds more."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from sdcwidgets.core.ptable import least_variance, noise_distributions


@st.composite
def wanted(draw):
    D = draw(st.integers(1, 12))
    js = draw(st.integers(0, min(D, 4)))
    V = least_variance(js) + draw(st.floats(0.05, D * D / 2))
    pstay = draw(st.none() | st.floats(0.01, 0.9))
    return D, V, js, pstay, draw(st.booleans())


@settings(max_examples=60)
@given(wanted())
def test_every_row_keeps_its_conditions(setting):
    D, V, js, pstay, monotone = setting
    design = noise_distributions(D, V, js, pstay, monotone=monotone)
    assert len(design.p) == (D + 1 if js == 0 else D + js + 2)
    assert design.p.min() >= 0
    assert design.p[~design.allowed].max(initial=0) == 0
    np.testing.assert_allclose(design.p.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(design.p @ design.v, 0, atol=1e-9)
    assert (design.p @ design.v**2 <= V * (1 + 1e-9)).all()
    if pstay is not None:
        stays = design.allowed[:, D]
        assert (design.p[stays, D] >= pstay - 1e-9).all()
    if monotone:
        for there, p in zip(design.allowed[:, : D + 1], design.p[:, : D + 1], strict=True):
            assert (np.diff(p[there]) >= -1e-12).all()
    published = np.arange(len(design.p))[:, np.newaxis] + design.v
    assert not (design.allowed & (published >= 1) & (published <= js)).any()


@pytest.mark.parametrize(
    "setting",
    [
        (3, 0.7, 0, None, True, False),
        (5, 3.0, 2, None, True, False),
        (5, 2.0, 0, 0.5, True, False),
        (6, 20.0, 0, None, True, False),
        (4, 4.5, 3, None, False, False),
        (5, 3.0, 2, 0.3, True, False),
        (4, 2.0, 0, None, True, True),
        (4, 6.0, 0, None, False, False),
    ],
)
# Older versions of the solver step over a bound by rounding, and say so.
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")
def test_no_general_solver_finds_more_entropy(setting):
    D, V, js, pstay, monotone, equality = setting
    design = noise_distributions(D, V, js, pstay, monotone=monotone, equality=equality)
    for row in range(1, len(design.p)):
        places = np.flatnonzero(design.allowed[row])
        v = design.v[places].astype(float)
        rules = [
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p, v=v: p @ v},
            {"type": "eq" if equality else "ineq", "fun": lambda p, v=v: V - p @ v**2},
        ]
        zero = np.flatnonzero(v == 0)
        if pstay is not None and zero.size:
            rules.append({"type": "ineq", "fun": lambda p, k=zero[0]: p[k] - pstay})
        if monotone:
            left = np.flatnonzero(v <= 0)
            rules.append({"type": "ineq", "fun": lambda p, left=left: np.diff(p[left])})
        other = minimize(
            lambda p: np.sum(p * np.log(p)),
            np.full(len(v), 1 / len(v)),
            jac=lambda p: np.log(p) + 1,
            bounds=[(1e-12, 1)] * len(v),
            constraints=rules,
            method="SLSQP",
            options={"maxiter": 2000, "ftol": 1e-15},
        )
        # What it found keeps the conditions, whether or not it is content with its last step.
        fits = max(abs(other.x.sum() - 1), abs(other.x @ v), other.x @ v**2 - V)
        assert fits < 1e-8
        # It finds no more, to 1e-9 of the optimum, and itself comes near.
        assert design.entropy[row] >= -other.fun - 1e-9 - 10 * fits
        assert design.entropy[row] == pytest.approx(-other.fun, abs=1e-6)


def test_the_last_row_is_symmetric_and_of_the_greatest_variance():
    design = noise_distributions(10, 8, 3)
    np.testing.assert_allclose(design.p[-1], design.p[-1][::-1], atol=1e-9)
    assert design.p[-1] @ design.v**2 == pytest.approx(8)


def test_more_variance_than_the_most_entropy_needs_is_not_used():
    design = noise_distributions(3, 50, monotone=False)
    np.testing.assert_allclose(design.p[3], 1 / 7)


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ((5, 1.9, 2), "a variance of 2 or more"),
        ((5, 0), "it must be above 0"),
        ((2, 9, 3), "D must be 3 or more"),
    ],
)
def test_what_is_not_feasible_is_told(setting, sentence):
    with pytest.raises(ValueError, match=sentence):
        noise_distributions(*setting)


def test_a_variance_that_must_be_and_cannot_is_told_with_the_greatest():
    with pytest.raises(ValueError, match=r"count of 1 .* variance 3 .* at most 2\.727"):
        noise_distributions(5, 3, equality=True)


@pytest.mark.parametrize("above", [0, 1e-12, 1e-8, 1e-5, 1e-3])
@pytest.mark.parametrize("js", range(1, 7))
def test_the_rule_of_feasibility_is_sharp(js, above):
    """With the least variance a count that needs it all goes to 0 or to js + 1, and others as they may."""
    V = least_variance(js) * (1 + above)
    design = noise_distributions(js + 2, V, js)
    np.testing.assert_allclose(design.p @ design.v, 0, atol=1e-8)
    assert (design.p @ design.v**2 <= V * (1 + 1e-8)).all()
    hardest = (js + 1) // 2
    np.testing.assert_allclose(
        design.p[hardest, js + 2 - hardest], 1 - hardest / (js + 1), atol=2 * above + 1e-9
    )
    with pytest.raises(ValueError, match="or more"):
        noise_distributions(js + 2, least_variance(js) * (1 - 1e-6), js)
