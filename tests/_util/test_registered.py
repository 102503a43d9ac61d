"""Own methods and measures: each missing part is named in a sentence, and the registry stays as it was."""

from dataclasses import dataclass

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, InputError, measures, methods, protect
from sdcwidgets.measures.base import measured_values
from sdcwidgets.measures.batch import Batch


def without_dataclass():
    @methods.register
    class Bare(methods.PostTabular):
        def perturb(self, counts, draws, where):
            return counts


def without_method():
    @methods.register
    @dataclass(frozen=True)
    class Empty(methods.PostTabular):
        """Nothing."""


def without_values():
    @measures.register
    @dataclass(frozen=True)
    class Empty(measures.Measure):
        """Nothing."""


def without_default():
    @measures.register
    @dataclass(frozen=True)
    class Limit(measures.Measure):
        limit: int

        def values(self, batch, axis=None):
            return batch.people(axis)


def no_measure():
    @measures.register
    @dataclass(frozen=True)
    class Other:
        limit: int = 3


def function():
    @methods.register
    def perturb(counts):
        return counts


def without_where():
    @methods.register
    @dataclass(frozen=True)
    class Short(methods.PostTabular):
        def perturb(self, counts, draws):
            return counts


def without_axis():
    @measures.register
    @dataclass(frozen=True)
    class Short(measures.Measure):
        def values(self, batch):
            return batch.people(None)


def without_published():
    @methods.register
    @dataclass(frozen=True)
    class Short(methods.PostTabular):
        def perturb(self, counts, draws, where):
            return counts

        def conclusions(self):
            return 0, 1


def described_by(**description):
    def declare():
        class Wrong(measures.Measure):
            def values(self, batch, axis=None):
                return batch.people(axis)

        for name, value in description.items():
            setattr(Wrong, name, value)
        measures.register(dataclass(frozen=True)(Wrong))

    return declare


@pytest.mark.parametrize(
    ("declare", "part"),
    [
        (without_where, r"perturb\(self, counts, draws, where\)"),
        (without_axis, r"values\(self, batch, axis\)"),
        (without_published, r"conclusions\(self, published\)"),
        (described_by(direction="bad"), "direction"),
        (described_by(needs=("past",)), "needs"),
        (described_by(needs="before"), "needs"),
        (described_by(low=2.0), "low"),
        (without_dataclass, r"@dataclass\(frozen=True\)"),
        (without_method, "perturb"),
        (without_values, "values"),
        (without_default, "limit"),
        (no_measure, "Measure"),
        (function, "Method"),
    ],
)
def test_what_is_missing_is_named(declare, part):
    before = methods.available(), measures.available()
    with pytest.raises(InputError, match=part):
        declare()
    assert (methods.available(), measures.available()) == before


@dataclass(frozen=True)
class Lowering(methods.PostTabular):
    """Counts of 3 or more are published as 2 less, and others are not changed."""

    deterministic = True

    def perturb(self, counts, draws, where):
        return np.broadcast_to(np.where(counts > 2, counts - 2, counts), draws.shape)

    def conclusions(self, published):
        return published + 1, published + 2


def test_an_interval_without_the_original_count_is_refused():
    table = FrequencyTable([[1, 5], [7, 9]], {"Area": ["Bath", "Hull"], "Sex": ["m", "f"]})
    with pytest.raises(InputError, match=r"Lowering\.conclusions.* 2 to 3 .*Bath, m.* 1;"):
        protect(table, Lowering())
    with pytest.raises(InputError, match=r"Lowering\.conclusions"):
        Lowering().release(table, 1)
    assert protect(FrequencyTable([5, 7]), Lowering()).intervals().lower.tolist() == [4, 6]


def test_a_method_without_a_transition_matrix_names_what_to_define():
    with pytest.raises(InputError, match=r"replicate\(\).*transition\(\) in Lowering"):
        Lowering().distribution(FrequencyTable([5, 7]))


@pytest.mark.parametrize("value", [-0.5, 1.5])
def test_a_value_out_of_the_range_of_a_measure_is_refused(value):
    @dataclass(frozen=True)
    class Half(measures.Measure):
        def values(self, batch, axis=None):
            return np.full((batch.size, 1 if axis is None else batch.table.shape[axis]), value)

    with pytest.raises(InputError, match=rf"Half\.values returned {value}"):
        measured_values(Half(), Batch(FrequencyTable([5, 7])), None)


def test_a_measure_of_a_table_is_that_of_its_batch():
    measure = measures.get("r1")()
    table = FrequencyTable([[5, 7], [1, 2]])
    with pytest.raises(InputError, match="an int"):
        measure.before(5)
    assert measure.before(table) == measure.values(Batch(table))[0, 0]


@pytest.mark.parametrize("package", [methods, measures])
def test_completion_offers_public_names_only(package):
    assert {"available", "get", "register"} <= set(dir(package))
    assert not {"base", "annotations", "import_modules"} & set(dir(package))
