"""What every format keeps: it knows its own content and no other's, and nothing that is damaged gets through."""

import format_files
import pytest
from refusing import outcome

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.reading import read_bytes

TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]})

FILES = {name: write(TABLE) for name, write in format_files.FILES.items()}


def test_there_is_a_file_of_each_format():
    assert set(FILES) == set(formats.available())


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


PAGE = "<table><tr><th>Area</th><th>m</th><th>f</th></tr><tr><td>{}</td><td>5</td><td>7</td></tr>{}</table>"


def test_cells_of_a_web_page_are_texts_as_in_csv():
    """Cells with types may begin with an apostrophe, and their rows may be short."""
    page = PAGE.format("'=A", "<tr><td>B</td><td>3</td><td>4</td></tr>").encode()
    assert read_bytes("a.html", page).table.axes[0].labels == ("=A", "B")
    assert 'Row "B"' in outcome(
        read_bytes, "a.html", PAGE.format("A", "<tr><td>B</td><td>3</td></tr>").encode()
    )
