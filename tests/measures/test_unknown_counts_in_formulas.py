"""Explanations of the risk state how many of the empty cells are unknown counts."""

import numpy as np
import pytest

from sdcwidgets import FrequencyTable, measures
from sdcwidgets.measures.batch import Batch
from sdcwidgets.measures.settings import Settings
from sdcwidgets.tables.release import Release, completed

COUNTS = [[12, 31, 15], [0, 25, 0], [14, 18, 17]]
UNKNOWN = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)


@pytest.mark.parametrize("name", ["r1", "r2"])
def test_unknown_counts_are_named_among_the_empty_cells(name):
    for table in (FrequencyTable(COUNTS), FrequencyTable(COUNTS).with_unknown(UNKNOWN)):
        batch = Batch.of_release(table, completed(Release.of(table), table))
        lines = measures.get(name).lines(table, Settings())[0].explain(batch)
        text = " ".join(piece.text for line in lines for piece in line)
        assert ("1 of these empty cells is an unknown count" in text) == bool(table.unknown_cells)
