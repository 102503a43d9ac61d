"""QR codes of join pages: readers need a margin of light modules around them."""

import segno

from sdcwidgets.teaching.course.qr_codes import terminal

ADDRESS = "http://example.org/join"


def test_a_code_in_a_terminal_has_a_light_margin_of_two_modules():
    lines = terminal(ADDRESS).splitlines()
    width, height = segno.make(ADDRESS, error="l").symbol_size(border=0)
    # A line shows two rows of modules; a light module is a full block.
    assert {len(line) for line in lines} == {width + 4}
    assert len(lines) == (height + 4 + 1) // 2
    assert set(lines[0]) == {"█"}
    assert all(line.startswith("██") and line.endswith("██") for line in lines[:-1])
