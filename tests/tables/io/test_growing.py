"""What looks small and grows is refused, or read, in little memory; nothing fails without a sentence.

How long each takes is measured by `benchmarks/growing.py`.
"""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sdcwidgets import InputError
from sdcwidgets._util.labels import for_spreadsheet, from_spreadsheet
from sdcwidgets.tables.io.formats.workbook import MOST_UNPACKED, MOST_UNPACKED_OWN, Workbook

pytestmark = pytest.mark.slow

#: Megabytes for one file or link.
MOST_MEGABYTES = 300

#: Maximum processor time of one file. Each takes about a second, unless work grows with the square of the columns.
MOST_SECONDS = 30


@pytest.mark.skipif(
    sys.platform == "win32", reason="needs os.fork, and resource to measure the memory of each"
)
def test_what_grows_is_refused_in_one_sentence():
    """Takes 20 s, because more than 600 damaged or growing files are read."""
    script = Path(__file__).with_name("growing.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum(name.startswith("spoilt") for name, *_ in lines) >= 600
    for name, _, seconds, megabytes, said in lines:
        assert seconds < MOST_SECONDS, name
        assert not said.startswith("!!"), (name, said)
        assert "\n" not in said, name
        assert said.endswith(".") or said == "read" or said.startswith("a table of"), (name, said)
        assert len(said) <= (200 if "spoilt" in name else 500), name
        assert megabytes < MOST_MEGABYTES, name
    read = {name for name, *_, said in lines if not said.endswith(".")}
    assert {name for name in read if "spoilt" not in name} == {
        "backslashes",
        "16 axes",
        "SDMX-JSON of 60 dimensions",
        "zip of nested lists",
    }  # tables that stay small
    assert 35 < len(read) < 300  # what is nearly right is not all wrong


@pytest.mark.parametrize(
    "invisible", ["\u200b", "\ufeff", "\u00ad", "\u2060", "\u202e", "\u3164", "\u2800", "\t", " "]
)
def test_a_formula_behind_something_invisible_is_none(invisible):
    for label in (f"{invisible}=1+1", f"{invisible}{invisible}@x", f"'{invisible}-1"):
        safe = for_spreadsheet(label)
        assert safe == f"'{label}"
        assert from_spreadsheet(safe) == label


@pytest.mark.parametrize(("limit", "most"), [(1_000, MOST_UNPACKED), (None, MOST_UNPACKED_OWN)])
def test_a_workbook_that_unpacks_to_more_than_stated_is_refused_before_a_part_is_read(
    limit, most, monkeypatch
):
    content = io.BytesIO()
    block = bytes(10**7)
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
    small = content.getvalue()
    sizes = [zipfile.ZipInfo("xl/worksheets/sheet1.xml"), zipfile.ZipInfo("xl/worksheets/sheet2.xml")]
    for one in sizes:
        one.file_size = most // 2 + len(block)
    read = []
    monkeypatch.setattr(zipfile.ZipFile, "infolist", lambda archive: sizes)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *given, **more: read.append(given))
    with pytest.raises(InputError, match=rf"unpacks to .*; at most {most:,} bytes"):
        Workbook(small, limit).names()
    assert read == []
