"""Workbooks are laid out so that they can be read at once."""

from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from openpyxl import load_workbook

from sdcwidgets import Axis, Release
from sdcwidgets.tables.io.writers.workbook import WIDEST, WIDEST_LABELS, workbook


def test_columns_are_as_wide_as_their_labels_and_header_and_labels_stay_in_sight():
    areas = pd.Index(["Upper Common and the old railway line", "B" * 200], name="Area")
    frame = pd.DataFrame({"Yes": [1, 2], "C" * 100: [3, 4]}, index=areas)
    lines = [["Area", "Sex \\ Age", "young"], ["A", "male", 1], ["A", "female", "c"]]
    book = load_workbook(BytesIO(workbook({"frame": frame, "lines": lines, "empty": []})))
    sheet = book["frame"]
    assert sheet.freeze_panes == "B2"
    widths = [sheet.column_dimensions[letter].width for letter in "ABC"]
    assert widths == [WIDEST_LABELS, 9, WIDEST]
    assert sheet["C1"].alignment.wrap_text
    assert book["lines"].freeze_panes == "C2"
    assert book["lines"].column_dimensions["B"].width == len("Sex \\ Age") + 2


@pytest.mark.parametrize("margins", [[(0, 1), (1,)], [(0,), (1,)], [(0, 1), (0,)], [(0, 1), ()], [(1,), ()]])
def test_lines_of_a_release_have_a_blank_for_each_value_that_is_not_published(margins):
    counts = np.array([[3.0, 1, 7], [12, 7, 5]])
    axes = (Axis("Age", ["young", "old"]), Axis("Area", ["a", "b", "c"]))
    values = {margin: counts.sum(tuple({0, 1} - {*margin})) for margin in margins}
    head, *rest = Release(axes, values).lines()
    assert [len(line) for line in rest] == [len(head)] * len(rest)
    published = sum(
        counts.size if len(margin) == 2 else [2, 3][margin[0]] if margin else 1 for margin in margins
    )
    assert sum(not isinstance(value, str) for line in rest for value in line) == published
