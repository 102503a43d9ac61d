"""No text format that a spreadsheet opens contains a field or a line that begins with a formula."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, protect

#: First characters that spreadsheets or import dialogues treat as commands.
STARTS = "=+-@|%\t\r"

LABELS = [f"{start}cmd" for start in STARTS] + ["a\r=b", "a\r\n=b", "a\n+b", "a\r|b", "a\n%b", "\r\r=b"]

WRITERS = {
    "table CSV": lambda table: table.to_csv(),
    "release CSV": lambda table: protect(table, "conventional-rounding", base=3).to_csv(),
    "SDMX-CSV": lambda table: protect(table, "conventional-rounding", base=3).to_sdmx_csv(),
}


def formulas(text):
    """Return the fields, and the lines within fields, that begin with a formula."""
    parts = [
        part for row in csv.reader(io.StringIO(text)) for field in row for part in re.split("[\r\n]+", field)
    ]
    return [
        part for part in parts if part.startswith(tuple(STARTS)) and not re.fullmatch(r"[-+]?[\d.]+", part)
    ]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("label", LABELS, ids=repr)
def test_a_label_is_never_a_formula(name, label):
    table = FrequencyTable([[5, 7], [3, 4]], {"Area": [label, "B"], label: ["m", "f"]})
    assert formulas(WRITERS[name](table)) == []


@pytest.mark.parametrize("name", WRITERS)
@given(label=st.text(alphabet=STARTS + "\na1 ", min_size=1, max_size=6))
def test_no_text_of_dangerous_characters_is_a_formula(name, label):
    if not label.strip() or label.strip() == "B":
        return
    table = FrequencyTable([[5, 7], [3, 4]], {"Area": [label, "B"], "Sex": ["m", "f"]})
    assert formulas(WRITERS[name](table)) == []
