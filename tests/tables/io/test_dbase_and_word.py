"""Files of dBase and tables of Word documents."""

import io
import zipfile

import pytest
from format_files import dbase, word

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io.formats.base import most_cells, of
from sdcwidgets.tables.io.formats.dbase import DBase
from sdcwidgets.tables.io.formats.word import WordDocument

PUPILS = [["CLASS", "SEX", "MARKS"], ["9-А", "ж", 4], ["9-Б", "ч", 5], ["9-А", "ч", 3]]


@pytest.mark.parametrize(("language", "encoding"), [(0xC9, "cp1251"), (0x65, "cp866")])
def test_a_dbase_file_states_its_encoding(language, encoding):
    content = dbase(PUPILS, language, encoding)
    assert of(content) is DBase
    assert list(DBase.opened(content, "it", None).sheet().rows) == PUPILS


def test_deleted_records_of_a_dbase_file_are_not_read():
    content = bytearray(dbase(PUPILS))
    start = int.from_bytes(content[8:10], "little")
    content[start : start + 1] = b"*"
    assert list(DBase.opened(bytes(content), "it", None).sheet().rows) == [PUPILS[0], *PUPILS[2:]]


def test_dates_of_a_dbase_file_are_texts_and_memo_fields_are_named():
    content = bytearray(dbase([["BORN", "NOTE", "N"], ["19921123", "12", 3]]))
    content[32 + 11], content[64 + 11] = b"D"[0], b"M"[0]
    sheet = DBase.opened(bytes(content), "it", None).sheet()
    assert list(sheet.rows) == [["BORN", "N"], ["1992-11-23", 3]]
    assert '"NOTE"' in sheet.remarks()[0]


def test_a_truncated_dbase_file_is_rejected():
    with pytest.raises(InputError, match="damaged"):
        DBase.opened(dbase(PUPILS)[:-20], "it", None)


@pytest.mark.parametrize("content", [b"\x03", b"\x03" * 100, b"3;4\n5;6\n" * 20, b"2021,5\n1,2\n" * 20])
def test_other_content_is_no_dbase_file(content):
    assert not DBase.knows(content)


def test_the_table_of_a_word_document_is_read():
    content = word([["Area", "m", "f"], ["Bath", 12, 17], ["Hull", 31, 28]])
    assert of(content) is WordDocument
    assert FrequencyTable.from_csv(content).counts.tolist() == [[12, 17], [31, 28]]


def test_cells_of_a_word_document_that_span_columns_are_followed_by_blanks():
    content = word([["Area", "Sex"], ["", "m", "f"], ["Bath", 12, 17], ["Hull", 31, 28]])
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        xml = archive.read("word/document.xml").decode()
    spanned = xml.replace(
        "<w:tc><w:p><w:r><w:t>Sex", '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>Sex'
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", spanned)
    rows = WordDocument.opened(stream.getvalue(), "it", None).sheet("").rows
    assert next(iter(rows)) == ["Area", "Sex", ""]


def test_a_word_document_without_a_table_is_rejected():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    with pytest.raises(InputError, match="without a table"):
        WordDocument.opened(stream.getvalue(), "it", None)


def test_a_word_document_has_at_most_the_cells_of_a_table_with_its_labels_and_totals():
    limit = 8
    rows = int(most_cells(limit)) // 10
    assert rows * 10 == most_cells(limit)
    largest = word([["1"] * 10] * rows)
    assert len(list(WordDocument.opened(largest, "it", limit).sheet("").rows)) == rows
    with pytest.raises(InputError, match="more than 8 cells"):
        WordDocument.opened(word([["1"] * 10] * (rows + 1)), "it", limit)
