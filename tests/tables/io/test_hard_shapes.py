"""Files in shapes that were dead ends: each is read at once, or after one answer that the question offers."""

import pytest
from collection.score import answers
from corrected import equals, truths
from hard_shapes import files

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.proposed_questions import read_or_propose
from sdcwidgets.tables.io.reading import read_bytes

FILES = list(files())

#: Shapes that are read without a question.
AT_ONCE = {
    "rows_of_percentages",
    "columns_of_percentages",
    "area_levels_in_pairs_of_columns",
    "hxl_header_rows",
    "ftable_of_r",
    "tibble_of_r",
    "tabulate_of_stata",
    "table_drawn_with_boxes",
    "columns_of_fixed_width",
}


def read(file, **options):
    how = ReadOptions(**options)
    return read_or_propose(
        file.content, None, how, lambda: read_bytes(file.name, file.content, how=how)
    ).table


def is_right(file, table):
    return any(equals(table, truth) for truth in truths(file.description))


def answered(file, error):
    """Return the tables after each answer that a question offers."""
    tables = []
    for option in answers(error):
        try:
            tables.append(read(file, **option))
        except InputError:
            continue
    return tables


@pytest.mark.parametrize("file", [file for file in FILES if file.description["axes"]], ids=str)
def test_a_file_is_read_at_once_or_after_one_answer(file):
    try:
        tables, question = [read(file)], ""
    except InputError as error:
        tables, question = answered(file, error), str(error)
    assert any(is_right(file, table) for table in tables), question
    assert not question or file.shape not in AT_ONCE


@pytest.mark.parametrize("file", FILES, ids=str)
def test_accepting_all_doubts_does_not_lead_to_another_table(file):
    if file.description["axes"] is None:
        with pytest.raises(InputError):
            read(file)
        return
    try:
        table = read(file, doubts="accept")
    except InputError:
        return
    assert is_right(file, table)
