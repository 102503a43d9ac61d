import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, Release, assess, methods, protect


def test_a_seed_draws_the_same_again_and_none_is_a_secret_of_its_own():
    table = FrequencyTable(np.arange(1, 400).reshape(19, 21))
    method = methods.get("random-rounding")(base=10)
    assert protect(table, method, seed=7).cells.tolist() == method.release(table, 7).cells.tolist()
    assert protect(table, method).cells.tolist() != protect(table, method).cells.tolist()


def test_a_method_has_its_settings_once():
    assert methods.method_of("barnardisation", p=0.5).p == 0.5
    with pytest.raises(InputError, match=r"barnardisation already has settings.* omit p"):
        methods.method_of(methods.get("barnardisation")(), p=0.5)
    with pytest.raises(InputError, match=r"The method is 5; it must be one of .*random-rounding"):
        methods.method_of(5)


def test_a_release_in_place_of_a_method_leads_to_the_function_that_assesses_releases():
    table = FrequencyTable([[3, 1], [0, 5]])
    with pytest.raises(InputError, match="judge"):
        assess(table, Release.of(table))
