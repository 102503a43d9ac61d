"""Order of the categories of a variable without a stated order."""

import pytest

from sdcwidgets.tableserver.tabulate.variable import MISSING, variable_of


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (["10-14", "b", "5-9", "9", "10"], ("5-9", "9", "10", "10-14", "b")),
        (["a10", "a9", "1", "ab"], ("1", "a9", "a10", "ab")),
        ([None, "b", " a "], ("a", "b", MISSING)),
    ],
)
def test_categories_are_sorted_by_numbers_then_letters(values, labels):
    assert variable_of("Age", values, None).labels == labels
