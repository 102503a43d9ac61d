"""Local suppression, PRAM and loss of a file with names: what is asked for is what comes out, counted by pandas."""

import importlib.util
import secrets
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import InputError
from sdcwidgets.core.microdata.class_sizes import hiding
from sdcwidgets.core.risk.individual import individual_risk
from sdcwidgets.dashboards.microdata.result import draws
from sdcwidgets.dashboards.microdata.state import MicrodataState
from sdcwidgets.microdata import Microdata, population, sample
from sdcwidgets.microdata.loss import table_losses, variable_changes
from sdcwidgets.microdata.protecting import for_release, post_randomised, suppressed, transition_matrix
from sdcwidgets.microdata.recoding import quantiles

KEYS = ["household size", "age", "sex", "citizenship"]


@pytest.fixture(scope="module")
def file():
    return sample(population(20_000), households=400, seed=1)


def alike(truth, published):
    """How many records are as likely to be each person's, whatever the shares."""
    z, x = (frame.to_numpy() for frame in (published, truth))
    return np.array([((z == x[i]) | ((z == -1) & (z[i] == -1))).all(axis=1).sum() for i in range(len(x))])


def coded(file, keys):
    return pd.DataFrame(file.codes(keys), columns=keys)


def test_within_strata_each_is_hidden_by_those_of_the_stratum(file):
    done = suppressed(file, KEYS, 3, strata=["region"])
    keys = [*KEYS, "region"]
    assert alike(coded(file, keys), coded(done.file, keys)).min() >= 3
    assert done.file["region"].missing == 0
    assert sum(done.blanked.values()) > sum(suppressed(file, KEYS, 3).blanked.values())


def test_of_two_keys_known_each_pair_is_hidden_at_less_cost(file):
    done = suppressed(file, KEYS, 3, known=2)
    for pair in combinations(KEYS, 2):
        hidden = hiding(done.file.codes(pair), file.codes(pair))
        assert hidden.alike.min() >= 3 - 1e-9
        assert hidden.right < file.records / 3
    assert sum(done.blanked.values()) < sum(suppressed(file, KEYS, 3).blanked.values())


def test_above_a_threshold_of_risk_only_those_records_lose_values(file):
    codes = coded(file, KEYS)
    f = codes.groupby(KEYS)["sex"].transform("size").to_numpy()
    weight = pd.Series(file.weights).groupby([codes[key] for key in KEYS]).transform("sum").to_numpy()
    risk = individual_risk(f, weight)
    threshold = 0.99 * float(risk.max())
    done = suppressed(file, KEYS, 3, threshold=threshold)
    touched = (coded(done.file, KEYS) == -1).any(axis=1).to_numpy()
    assert touched.any()
    assert (risk[touched] > threshold).all()
    assert alike(codes, coded(done.file, KEYS))[touched].min() >= 3


def test_an_important_key_loses_fewer_values(file):
    plain, kept = suppressed(file, KEYS, 3), suppressed(file, KEYS, 3, ["age"])
    assert kept.blanked["age"] < 0.5 * plain.blanked["age"]
    assert kept.after.alike.min() >= 3


def test_by_alpha_the_file_is_that_of_sdcmicros_rule(file):
    done = suppressed(file, KEYS, 3, alpha=1)
    assert done.matching >= 3
    assert done.after.alike.min() < 2
    assert sum(done.blanked.values()) < 0.3 * sum(suppressed(file, KEYS, 3).blanked.values())


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"importance": ["cats"]}, '"cats" is not a key variable'),
        ({"threshold": 2.0}, "threshold of the risk is 2"),
        ({"known": 9}, "from 1 to 4, not 9"),
        ({"alpha": 1.0, "known": 2}, "out alpha"),
        ({"alpha": 0.0}, "alpha is 0"),
        ({"strata": ["cats"]}, 'no variable "cats"'),
    ],
)
def test_what_cannot_be_asked_for_is_refused(file, how, told):
    with pytest.raises(InputError, match=told):
        suppressed(file, KEYS, 3, **how)


def test_pram_by_a_matrix_of_ones_own_and_within_strata(file):
    sex = file["sex"]
    swapped = post_randomised(sex, matrix=[[0, 1], [1, 0]])
    assert (swapped.codes == 1 - sex.codes).all()
    with pytest.raises(InputError, match=r"has 2 categories, .* 2 rows"):
        transition_matrix(sex, [[1.0]])
    with pytest.raises(InputError, match=r'row of "female" .* adds up to 0.9'):
        transition_matrix(sex, [[1, 0], [0.5, 0.4]])
    apart = post_randomised(file["region"], 1.0, strata=[file["region"]])
    assert (apart.codes == file["region"].codes).all()
    status = post_randomised(file["status"], 1.0, np.random.default_rng(3), strata=[sex])
    before, after = (
        pd.crosstab(sex.codes, one.codes, normalize="index").to_numpy() for one in (file["status"], status)
    )
    assert np.abs(before - after).max() < 0.06
    assert (status.codes != file["status"].codes).mean() > 0.4


def test_what_the_protection_cost_is_counted_by_pandas(file):
    done = suppressed(file, KEYS, 3)
    losses = {loss.names: loss for loss in table_losses(file, done.file, KEYS)}
    assert len(losses) == 4 + 6
    before, after = (coded(one, KEYS).replace(-1, np.nan) for one in (file, done.file))
    loss = losses["age", "sex"]
    F, G = (one.groupby(["age", "sex"]).size() for one in (before, after))
    assert (loss.before, loss.after) == (int(F.sum()), int(G.sum()))
    roots = np.sqrt(F) - np.sqrt(G.reindex(F.index, fill_value=0))
    assert loss.hellinger == pytest.approx(np.sqrt((roots**2).sum() / 2))
    changes = {one.name: one for one in variable_changes(file, file, done.file, KEYS)}
    assert {name: one.blanked for name, one in changes.items()} == done.blanked
    assert all(one.changed == 0 for one in changes.values())


def test_quantiles_hold_about_as_many_records_each():
    income = Microdata.from_frame(
        pd.DataFrame({"x": np.random.default_rng(1).lognormal(10, 1, 5000).round()})
    )["x"]
    counts = np.bincount(quantiles(income, 5).codes)
    assert len(counts) == 5
    assert np.ptp(counts) < 30


def test_estimates_of_the_known_population_are_within_15_percent_over_200_samples():
    for model in ("standard", "pseudo-likelihood"):
        t1, t2, ours1, ours2, _, _ = np.mean(list(draws(MicrodataState().set(model=model), 200)), axis=0)
        assert 8 < t1 < 20
        assert ours1 == pytest.approx(t1, rel=0.15)
        assert ours2 == pytest.approx(t2, rel=0.15)


def test_the_cheapest_suppression_discloses_a_value_and_a_chosen_one_does_not():
    path = Path(__file__).parents[2] / "benchmarks" / "local_suppression.py"
    spec = importlib.util.spec_from_file_location("local_suppression", path)
    attack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(attack)
    codes, sizes, k = attack.small_file(39)
    assert attack.exact_values(codes, sizes, k, None, secrets=6) == (1, 2)
    attacked = (
        attack.exact_values(codes, sizes, k, secret, secrets=12) for secret in range(3**63, 3**63 + 9)
    )
    found, values = next(result for result in attacked if result is not None)
    assert found == 0
    assert values > 0


def test_a_secret_chooses_the_same_suppression_in_any_order_of_records():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({f"v{j}": rng.integers(0, 4, 60).astype(str) for j in range(3)})
    shown = set()
    for secret in range(3**60, 3**60 + 6):
        files = [Microdata.from_frame(one) for one in (frame, frame.iloc[rng.permutation(60)])]
        rngs = [np.random.default_rng(secret) for _ in files]
        drawn = [suppressed(file, list(frame), 3, seed=rng) for file, rng in zip(files, rngs, strict=True)]
        assert min(one.after.alike.min() for one in drawn) >= 3 - 1e-9
        texts = [for_release(one.file).to_csv() for one in drawn]
        assert texts[0] == texts[1]
        shown.add(texts[0])
    assert len(shown) > 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda file, seed: suppressed(file, KEYS, 3, seed=seed).file.to_csv(),
        lambda file, seed: post_randomised(file["status"], 0.5, seed).codes.tolist(),
    ],
)
def test_a_guessable_seed_causes_an_error_or_a_warning(draw, file):
    for seed in (2**64, -1, 1.5, "secret"):
        with pytest.raises(InputError, match="seed"):
            draw(file, seed)
    with pytest.warns(UserWarning, match="guessable") as caught:
        taught = draw(file, 5)
    assert [warning.filename for warning in caught] == [__file__]
    assert taught == draw(file, np.random.default_rng(5))
    secret = secrets.randbits(128)
    assert draw(file, secret) == draw(file, secret)
