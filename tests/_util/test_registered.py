"""Own methods and measures: each missing part is named in a sentence, and the registry stays as it was."""

from dataclasses import dataclass

import pytest

from sdcwidgets import InputError, measures, methods


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


@pytest.mark.parametrize(
    ("declare", "part"),
    [
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


@pytest.mark.parametrize("package", [methods, measures])
def test_completion_offers_public_names_only(package):
    assert {"available", "get", "register"} <= set(dir(package))
    assert not {"base", "annotations", "import_modules"} & set(dir(package))
