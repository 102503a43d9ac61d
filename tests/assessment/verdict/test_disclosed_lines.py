"""Lines that a release discloses, by what is published in their other cells."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable
from sdcwidgets.assessment.verdict.disclosed_lines import seen
from sdcwidgets.tables.release import Release

TABLE = FrequencyTable([[1, 3, 0], [0, 4, 5]], {"Area": ["A", "B"], "Sex": ["x", "y", "z"]})


@pytest.mark.parametrize(
    ("value", "upper", "is_seen"),
    [
        (0, np.inf, True),  # published as empty
        (1, np.inf, False),
        (2, np.inf, False),
        (np.nan, 0, True),  # suppressed, and known to be empty
        (np.nan, 1, False),
        (np.nan, np.inf, False),
        (2, 0, False),
    ],
)
def test_all_but_one_are_seen_if_the_other_cells_are_published_or_known_as_empty(value, upper, is_seen):
    values, tops = TABLE.counts.astype(float), np.full(TABLE.shape, np.inf)
    values[0, 2], tops[0, 2] = value, upper
    release = Release(TABLE.axes, {(0, 1): values}, upper={(0, 1): tops})
    lines = seen(TABLE, release, "all-but-one", closely=False).lines
    assert [line.known for line in lines] == [(("Area", "A"),)] * is_seen


def test_a_line_that_follows_from_fewer_known_categories_is_not_repeated():
    """All people of A have x, so that those of A and of each age have x, too."""
    names = {"Area": ["A", "B"], "Age": ["young", "old"], "Sex": ["x", "y"]}
    table = FrequencyTable([[[2, 0], [3, 0]], [[4, 5], [6, 1]]], names)
    disclosed = seen(table, None, closely=False)
    assert [(line.known, line.learnt, line.people) for line in disclosed.lines] == [
        ((("Area", "A"),), (("Sex", "x"),), 5),
        ((("Sex", "y"),), (("Area", "B"),), 6),
    ]
    assert disclosed.number == 2
