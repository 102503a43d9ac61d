"""The order of categories of a long file without rows for empty cells discloses no empty cell."""

import itertools

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import FrequencyTable

FULL = pd.DataFrame({"Area": list("NNSSWW"), "Sex": list("fmfmfm"), "Count": [1, 5, 4, 7, 6, 2]})


def read(rows):
    return FrequencyTable.from_frame(rows, by=("Area", "Sex"), count="Count")


@pytest.mark.parametrize("missing", [rows for k in (1, 2) for rows in itertools.combinations(range(6), k)])
def test_the_order_of_labels_is_the_same_whichever_cells_are_empty(missing):
    rows = FULL.drop(list(missing))
    table = read(rows)
    assert [axis.labels for axis in table.axes] == [
        tuple(sorted(set(rows[name]))) for name in ("Area", "Sex")
    ]
    for area, sex, count in rows.itertuples(index=False):
        assert table.margin("Area", "Sex")[area, sex] == count


def test_a_file_with_all_combinations_keeps_its_order(caplog):
    table = read(FULL.iloc[::-1])
    assert [axis.labels for axis in table.axes] == [("W", "S", "N"), ("m", "f")]
    assert not caplog.records


def test_labels_are_sorted_by_the_numbers_in_them(caplog):
    labels = ["10-14", "5-9", "0-4", "100+"]
    rows = pd.DataFrame({"Age": [*labels, "0-4"], "Sex": [*"mmmm", "f"], "Count": np.arange(1, 6)})
    table = FrequencyTable.from_frame(rows, by=("Age", "Sex"), count="Count")
    assert table.axes[0].labels == ("0-4", "5-9", "10-14", "100+")
    (record,) = caplog.records
    assert "sorted" in record.getMessage()
    assert '"Age"' in record.getMessage()
