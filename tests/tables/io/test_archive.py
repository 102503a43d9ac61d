"""Zip archives: one table is read, and others are refused in one sentence."""

import gzip
import io
import zipfile

import numpy as np
import pytest
from refusing import outcome

from sdcwidgets import FrequencyTable
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.formats.archive import MOST_UNPACKED, unpacked
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
    assert "c.xlsx" not in said


@pytest.mark.parametrize(
    "files",
    [
        {"table_MetaData__csv": b"Name,Note\nA,x\nB,y\n"},
        {
            "table_notes__csv": b"Title\nTable\n\nCode,Name\n1,A\n2,B\n\nNotes\nNone.\n",
            "LICENCE__md": b"Free.",
        },
        {"table__csv-metadata__json": b'{"url": "table.csv", "columns": [{"name": "a"}, {"name": "b"}]}'},
    ],
    ids=["texts", "blocks", "CSVW"],
)
def test_the_only_file_with_a_column_of_counts_is_read(files):
    assert read_bytes("t.zip", archive(table__csv=TEXT, **files)).table == TABLE


def test_files_of_gzip_are_read(tmp_path):
    for inside in (TEXT, archive(a__csv=TEXT)):
        content = gzip.compress(inside[:9]) + gzip.compress(inside[9:])
        (tmp_path / "table.csv.gz").write_bytes(content)
        assert read_bytes("t.csv.gz", content).table == TABLE
        assert FrequencyTable.from_csv(tmp_path / "table.csv.gz") == TABLE
        assert File.from_input(content, "t.csv.gz").read().table == TABLE
        assert read(content, propose_layout(content).layout).table == TABLE
    assert ".gz" in formats.suffixes()


@pytest.mark.parametrize("end", [3, 15, 25, -3])
def test_a_gzip_file_without_its_end_is_refused(end):
    assert "gzip" in outcome(read_bytes, "t.gz", gzip.compress(TEXT * 20)[:end])


def test_a_gzip_file_that_expands_to_too_much_is_refused(tmp_path):
    content = gzip.compress(bytes(MOST_UNPACKED + 1))
    assert f"{MOST_UNPACKED:,}" in outcome(read_bytes, "t.gz", content)
    (tmp_path / "t.gz").write_bytes(content)
    assert f"{MOST_UNPACKED:,}" in outcome(FrequencyTable.from_csv, tmp_path / "t.gz")


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


@pytest.mark.parametrize(
    "content",
    [
        b"x,1\n" * 25_000,  # more than 200 times its compressed size, but small
        np.random.default_rng(1).bytes(MOST_UNPACKED // 2 + 1).hex().encode(),  # large, but twice its size
    ],
    ids=["small", "large"],
)
def test_a_file_is_refused_only_if_it_is_large_and_many_times_its_size(content):
    assert unpacked(archive(t__csv=content), "t.zip") == content
