"""A line of totals with one label is the sum of the totals of blocks, which have the same further labels."""

import pytest

from sdcwidgets._util.errors import InputError
from sdcwidgets.tables.io.reading import read_bytes

BLOCKS = """Area,Sex,English,Arabic,Total
Fairfield,Male,6842,13842,20684
,Female,20201,33870,54071
,Total,27043,47712,74755
Liverpool,Male,9023,10592,19615
,Female,23020,23162,46182
,Total,32043,33754,65797
Total,,59086,{},140552
"""


def test_a_total_of_the_totals_of_blocks_is_a_sum():
    table = read_bytes("The file", BLOCKS.format(81466).encode()).table
    assert (table.shape, table.total) == ((2, 2, 2), 140552)


def test_another_line_with_one_label_is_not_a_sum():
    with pytest.raises(InputError, match="not the sum"):
        read_bytes("The file", BLOCKS.format(81467).encode())
