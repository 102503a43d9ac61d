"""What every format keeps: it knows its own content and no other's, and nothing that is damaged gets through."""

import pytest
from refusing import outcome

from sdcwidgets import FrequencyTable, formats
from sdcwidgets.formats.reading import read_bytes
from sdcwidgets.release import Release
from sdcwidgets.release.exchange import json_stat, px, sdmx_csv
from sdcwidgets.writing import workbook

TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]})

#: A file of each format that holds the table.
FILES = {
    "csv": TABLE.to_csv().encode(),
    "xlsx": workbook({"table": TABLE.to_frame()}),
    "px": px(Release.of(TABLE), margins=False).encode(),
    "json-stat": json_stat(Release.of(TABLE), margins=False).encode(),
    "sdmx-csv": sdmx_csv(Release.of(TABLE), margins=False).encode(),
}


@pytest.mark.parametrize("name", formats.available())
def test_a_format_says_what_it_is(name):
    kind = formats.get(name)
    assert kind.name == name
    assert kind.title
    assert all(ending.startswith(".") for ending in kind.suffixes)
    assert kind.__doc__


@pytest.mark.parametrize("name", FILES)
def test_a_content_is_known_by_one_format_and_read_as_the_table(name):
    assert formats.of(FILES[name]).name == name
    table = read_bytes("a", FILES[name]).table
    assert table.counts.tolist() == TABLE.counts.tolist()
    assert [axis.labels for axis in table.axes] == [axis.labels for axis in TABLE.axes]


@pytest.mark.parametrize("name", FILES)
def test_what_is_cut_off_is_refused_in_one_sentence_or_read(name):
    content = FILES[name]
    for end in range(0, len(content), max(1, len(content) // 40)):
        said = outcome(read_bytes, "a", content[:end])
        assert not isinstance(said, str) or (said.endswith(".") and "\n" not in said)
