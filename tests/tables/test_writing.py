"""Workbooks are laid out so that they can be read at once."""

from io import BytesIO

import pandas as pd
from openpyxl import load_workbook

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
