"""What is handed on can be compared, copied and pickled: releases, assessments, tables."""

import pickle
from copy import deepcopy
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, assess, attacks, core, examples, measures, methods

TABLE = FrequencyTable([[3, 0, 1], [2, 7, 0]], {"Age": "ab", "Job": "xyz"})

THINGS = [TABLE, assess(TABLE), assess(FrequencyTable([4, 0, 2]))]
for name in methods.available():
    assessment = assess(TABLE, methods.get(name)(), replications=3)
    THINGS += [assessment, assessment.after.first]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
@pytest.mark.parametrize("again", [deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_a_copy_is_equal_and_another(thing, again):
    copy = again(thing)
    assert copy is not thing
    assert copy == thing
    assert copy != 3


@pytest.mark.parametrize("name", methods.available())
def test_the_same_question_has_an_equal_answer_and_another_has_not(name):
    method = methods.get(name)()
    one = assess(TABLE, method, replications=5, seed=3)
    assert one == assess(TABLE, method, replications=5, seed=3)
    assert one != assess(TABLE, method, replications=6, seed=3)
    assert one != assess(TABLE, replications=5, seed=3)
    assert one != assess(TABLE.with_count((0, 0), 4), method, replications=5, seed=3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_copy_of_a_release_cannot_be_written_to_either():
    release = methods.get("threshold-suppression")().release(
        examples.load("religion"), np.random.default_rng(1)
    )
    assert np.isnan(release.cells).any()
    copy = pickle.loads(pickle.dumps(release))
    assert copy == release
    with pytest.raises(ValueError, match="read-only"):
        copy.values[0, 1][0, 0] = 1
    with pytest.raises(TypeError):
        copy.values[0, 1] = 1


def test_what_was_computed_meanwhile_changes_nothing_of_what_a_cache_sees():
    """joblib.Memory takes equal pickles for the same question."""
    release, assessed = methods.get("random-rounding")().release(TABLE, 1), assess(TABLE, "random-rounding")
    before = pickle.dumps((release, assessed))
    assert release.cell_bounds() is not None
    assert assessed.rows.r1.size == len(assessed.change_by_one[1])
    assert pickle.dumps((release, assessed)) == before


@pytest.mark.parametrize("package", [core, methods, measures, attacks], ids=lambda package: package.__name__)
def test_what_is_declared_never_changes(package):
    names = [module.name for module in walk_packages(package.__path__, package.__name__ + ".")]
    modules = [import_module(name) for name in names]
    for cls in {value for module in modules for value in vars(module).values() if isinstance(value, type)}:
        if is_dataclass(cls):
            assert cls.__dataclass_params__.frozen, cls
