"""The same people have the same noise in every table of one secret; `benchmarks/same_noise.py` compares 100 pairs."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from overlapping import of_pairs


@pytest.mark.parametrize("secret", [3**60, None])
def test_ten_pairs_of_overlapping_tables(secret):
    common, differ, noisy = of_pairs(10, 7, (secret, secret))
    assert differ == 0
    assert common > 100
    assert noisy > common / 3


def test_two_secrets_give_different_noise():
    common, differ, _ = of_pairs(5, 7, (3**60, 5**50))
    assert differ > common / 3
