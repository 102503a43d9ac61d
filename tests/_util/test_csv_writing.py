"""Delimited text: each row of a log is one line."""

import pandas as pd

from sdcwidgets._util.csv_writing import csv_text, lines_of


def test_a_log_has_one_line_per_request_and_none_starts_with_a_formula():
    frame = pd.DataFrame({"request": ["Area\r=1+1", "Sex\n@x\r\n-1", "=2"], "people": [1, 2, 3]})
    lines = csv_text(lines_of(frame, single_lines=True)).splitlines()
    assert len(lines) == 4
    assert not any(line.startswith(("=", "@", "-", "+")) for line in lines)
