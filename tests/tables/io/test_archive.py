"""Zip archives: one table is read, and others are refused in one sentence."""

import io
import zipfile

import pytest
from refusing import outcome

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.formats.archive import MOST_UNPACKED
from sdcwidgets.tables.io.layout_reader import read
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.io.sources.kinds import File

TEXT = b"Area,m,f\nA,3,1\nB,0,5\n"
TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Column": ["m", "f"]})


def archive(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name.replace("__", "."), content)
    return stream.getvalue()


def test_the_only_table_of_an_archive_is_read(tmp_path):
    content = archive(
        **{"readme__txt": b"Read me.", "data/table__csv": TEXT, "__MACOSX/table__csv": TEXT[:9]}
    )
    path = tmp_path / "table.zip"
    path.write_bytes(content)
    assert read_bytes("t.zip", content).table == TABLE
    assert FrequencyTable.from_csv(path) == FrequencyTable.from_csv(content) == TABLE
    assert File.from_input(content, "t.zip").read().table == TABLE
    assert read(content, propose_layout(path).layout).table == TABLE
    assert ".zip" in formats.suffixes()


def test_several_tables_are_named():
    said = outcome(read_bytes, "t.zip", archive(a__csv=TEXT, b__csv=TEXT, c__xlsx=b""))
    assert "a.csv" in said
    assert "b.csv" in said
    assert "c.xlsx" in said


@pytest.mark.parametrize(
    "content",
    [
        archive(picture__png=b"\x89PNG"),
        archive(**{"[Content_Types]__xml": b"<a/>", "word/document__xml": b"<a/>"}),
        archive(a__csv=TEXT)[:80],
        archive(a__csv=TEXT)[:40] + b"???" + archive(a__csv=TEXT)[43:],
    ],
    ids=[
        "picture",
        "document",
        "cut",
        "damaged",
    ],  # the bytes contain the time, which differs between processes
)
def test_an_archive_without_a_table_is_refused(content):
    said = outcome(read_bytes, "t.zip", content)
    assert said.endswith(".")
    assert "\n" not in said


def test_an_archive_that_unpacks_to_too_much_is_refused():
    content = archive(a__csv=b"x,1\n" * (MOST_UNPACKED // 4 + 1))
    assert len(content) < 100_000
    for reader in (lambda: read_bytes("t.zip", content), lambda: File.from_input(content, "t.zip")):
        assert f"at most {MOST_UNPACKED:,}" in outcome(reader)
