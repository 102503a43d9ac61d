"""Files and links that look small and grow: a seeded generator of what a stranger may send.

Run as a script, it reads each file in a process of its own, and all links of a page in a session of that page. It
prints for each the seconds of work, the megabytes that were needed beside what was there before, and what was said.
"""

from __future__ import annotations

import asyncio
import base64
import copy
import gzip
import io
import itertools
import json
import os
import random
import resource
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module

import openpyxl

from sdcwidgets import InputError
from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.tables.io.sources import read_bytes

MEGABYTE = 2**20

#: So many links that are nearly right, of all pages together.
SPOILT = 600


def texts() -> Iterator[tuple[str, bytes]]:
    """Texts of up to 20 MB."""
    yield "lines of two counts", b"11,11\n" * (20 * MEGABYTE // 6)
    yield "newlines", b"\n" * (20 * MEGABYTE)
    yield "carriage returns", b"\r" * (20 * MEGABYTE)
    yield "one line of counts", b"1," * (10 * MEGABYTE)
    yield "one row over many lines", b'"\n",' * (5 * MEGABYTE)
    yield "one cell", b"x" * (20 * MEGABYTE)
    yield "one quoted cell", b'"' + b"\n" * (2 * MEGABYTE)
    yield "a number of 32,000 digits", b"x,a,b\nA," + b"1" * 32_000 + b",2\nB,3,4\n"
    yield "a number of 32,000 digits and a letter", b"x,a,b\nA," + b"1" * 32_000 + b"x,2\nB,3,4\n"
    yield "groups of digits", b"x;a;b\nA;" + b"1,234" * 20_000 + b";2\nB;3;4\n"
    yield "spaces in a number", b"x,a,b\nA,1" + b" " * 100_000 + b"1,2\nB,3,4\n"
    yield "backslashes", b"\\" * 100_000 + b",a,b\nA,1,2\nB,3,4\n"
    yield "separators only", b"," * 1_000_000 + b"\n" + b"," * 1_000_000
    yield "labels of many columns", b"x," + b"a," * 150_000 + b"\n" + b"1," * 150_001
    yield "wide and long", b"x,a,b,c\n" + b"A,m,y,1\n" * 2_000_000
    yield "utf-16 newlines", b"\xff\xfe" + b"\n\0" * (8 * MEGABYTE)
    yield "quotes", b'"' * (10 * MEGABYTE)
    yield "spaces", b" " * 300_000
    yield "lines of spaces", (b" " * 99 + b"\n") * 200_000
    yield "a million people", b"Area,Sex,Age\n" + b"A,m,17\nB,f,80\n" * 500_000
    yield "a million counts", b"Area,Sex,Age,n\n" + b"".join(b"A%d,m,17,5\n" % i for i in range(10**6))
    yield (
        "50,000 columns",
        b"x" + b",a" * 50_000 + b"\n" + b"A" + b",1" * 50_000 + b"\n" + b"B" + b",1" * 50_000,
    )
    drawn = random.Random(1)
    for name, counts in (("labels in many columns", b"People"), ("many dimensions", b"Observation")):
        rows = b"".join(b",".join(drawn.choices([b"a", b"b"], k=20_000)) + b",3\n" for _ in range(20))
        yield name, b"".join(b"c%d," % j for j in range(20_000)) + counts + b"\n" + rows
    intervals = b"x" + b"".join(b",lower,n%d,upper" % j for j in range(1_000))
    yield "many intervals", intervals + b"\n" + b"\n".join(b"A%d" % i + b",5" * 3_000 for i in range(20))


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
CELL = b'<c r="%s" t="n"><v>%d</v></c>'


def workbook(sheet: bytes, strings: bytes = b"", more: dict[str, bytes] | None = None) -> bytes:
    """The bytes of a workbook with this sheet and these shared strings."""
    start = io.BytesIO()
    openpyxl.Workbook().save(start)
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(start) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
    ):
        parts = {name: old.read(name) for name in old.namelist()} | (more or {})
        parts["xl/worksheets/sheet1.xml"] = sheet
        if strings:
            head = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
            parts["xl/sharedStrings.xml"] = head + strings + b"</sst>"
        for name, content in parts.items():
            new.writestr(name, content)
    return stream.getvalue()


def workbooks() -> Iterator[tuple[str, bytes]]:
    """Workbooks of a few kilobytes."""
    cell = CELL % (b"A1", 1)
    for row in (10**6, 10**12):
        last = b'<row r="%d">' % row + CELL % (b"B%d" % row, 2) + b"</row>"
        yield f"row {row}", workbook(SHEET % (b'<row r="1">' + cell + b"</row>" + last))
    yield (
        "column XFD",
        workbook(
            SHEET
            % b"".join(b'<row r="%d">' % i + CELL % (b"XFD%d" % i, 2) + b"</row>" for i in range(1, 4000))
        ),
    )
    small = SHEET % (b'<row r="1">' + cell + b"</row>")
    small = SHEET % (b'<row r="1">' + cell + b"</row>")
    blank = b"".join(b'<row r="%d"><c r="A%d"/><c r="XFD%d"/></row>' % (i, i, i) for i in range(1, 20_001))
    yield "blanks out to column XFD", workbook(SHEET % blank)
    yield "rows of one blank at column XFD", workbook(SHEET % (b'<row><c r="XFD1"/></row>' * 40_000))
    yield "counts at column XFD and blanks", workbook(SHEET % (b'<row><c r="XFD1"><v/></c></row>' * 100_000))
    sized = SHEET.replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')
    yield "a claim of the largest size", workbook(sized % (b'<row><c r="XFD1"/></row>' * 40_000))
    yield "spaces in a cell", workbook(SHEET % (b"<row><c><v>" + b" " * 300_000_000 + b"</v></c></row>"))
    yield "spaces between cells", workbook(SHEET % (b" " * 300_000_000))
    yield "spaces in a tag", workbook(SHEET % (b"<row" + b" " * 300_000_000 + b"/>"))
    yield "one row of blanks", workbook(SHEET % (b"<row>" + b"<c/>" * 1_200_000 + b"</row>"))
    yield "one row of counts", workbook(SHEET % (b"<row>" + b"<c><v>1</v></c>" * 1_200_000 + b"</row>"))
    yield "rows of two counts", workbook(SHEET % (b"<row><c><v>1</v></c><c><v>1</v></c></row>" * 500_000))
    many = [b'<sheet name="s%d" sheetId="%d" r:id="rId1"/>' % (i, i) for i in range(1, 1_002)]
    book = (
        b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r='
        b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>%s</sheets></workbook>'
    )
    for name, row in (("counts", b"<row><c><v>1</v></c><c/></row>"), ("blanks", b"<row><c/></row>")):
        yield (
            f"many sheets of {name}",
            workbook(SHEET % (row * 49_000), more={"xl/workbook.xml": book % b"".join(many[:900])}),
        )
    yield "more sheets than anybody has", workbook(small, more={"xl/workbook.xml": book % b"".join(many)})
    yield "strings of 250 MB", workbook(small, b"<si><t>%s</t></si>" % (b"a" * 10_000) * 25_000)
    yield "empty strings", workbook(small, b"<si/>" * 6_000_000)
    yield "empty rows", workbook(SHEET % (b"<row/>" * 8_000_000))
    yield "empty cells", workbook(SHEET % (b"<row>" + b"<c/>" * 10_000_000 + b"</row>"))
    yield "unknown pieces", workbook(SHEET % (b"<x/>" * 10_000_000))
    yield (
        "a large style sheet",
        workbook(small, more={"xl/styles.xml": b"<a>" + b"<b/>" * 5_000_000 + b"</a>"}),
    )
    yield "deep pieces", workbook(SHEET % (b"<x>" * 1_000_000))
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
        + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
        + b"]>"
    )
    yield "entities", workbook(bomb + SHEET % b'<row r="1"><c t="str"><v>&j;</v></c></row>')


def exchanged() -> Iterator[tuple[str, bytes]]:
    """Files of JSON, gzip, LaTeX and the XML of Excel 2003, of which some are compressed."""
    yield "gzip of 2 GB", compressed(b"\0" * MEGABYTE, 2_000)
    yield "gzip inside of gzip", gzip.compress(compressed(b"\0" * MEGABYTE, 2_000), 1)
    yield "many parts of gzip", gzip.compress(b"") * 400_000
    yield "gzip of 250 MB of nesting", compressed(b"[" * MEGABYTE, 250)
    for name, part in {"lists": b"[", "objects": b'{"a":', "lists in objects": b'{"a":['}.items():
        yield f"JSON of nested {name}", b'{"dataSets":1,"structure":' + part * (19 * MEGABYTE // len(part))
        yield (
            f"JSON of closed {name}",
            b'[{"a":' + part * 500 + b"1" + (b"]" if name == "lists" else b"}") * 501 + b"]",
        )
    yield "JSON of empty lists", b"[[" + b"[]," * (6 * MEGABYTE) + b"[]]]"
    yield "JSON of empty objects", b'[{"a":[' + b"{}," * (6 * MEGABYTE) + b"{}]}]"
    yield "JSON of texts", b'[["a",' + b'"b",' * (5 * MEGABYTE) + b'"c"]]'
    yield "JSON of numbers", b"[[1," + b"1.5," * (4 * MEGABYTE) + b"2]]"
    yield "JSON of a long number", b'[{"a":"x","n":' + b"9" * (10 * MEGABYTE) + b'},{"a":"y","n":1}]'
    yield "JSON of a long exponent", b'[{"a":"x","n":1e' + b"9" * MEGABYTE + b'},{"a":"y","n":1}]'
    yield "JSON of equal keys", b'[{"a":1' + b',"a":1' * (3 * MEGABYTE) + b"}]"
    yield "JSON of many keys", b'[{"a":1' + b"".join(b',"k%d":1' % k for k in range(500_000)) + b"},{}]"
    keys = (b'{"k%d":%d}' % (k, k) for k in range(500_000))
    yield "JSON of records with their own keys", b"[" + b",".join(keys) + b"]"
    yield (
        "JSON of records with keys inside",
        b'[{"a":{"x":1}},' * 1 + b'{"a":{' + b",".join(b'"k%d":1' % k for k in range(500_000)) + b"}}]",
    )
    yield (
        "JSON of many tables",
        b'{"a":{'
        + b",".join(b'"k%d":[{"x":1,"y%d":"a"},{"x":2,"y%d":"b"}]' % (k, k, k) for k in range(300_000))
        + b"}}",
    )
    yield "JSON lines of nesting", b'{"a":\n' + b'{"a":[[[[\n' * 1_500_000
    yield "JSON lines of records", b'{"a":"x","n":1}\n' * 1_200_000
    dimension = b'{"id":"D%d","values":[{"id":"a"},{"id":"b"}]}'
    structure = b'"structure":{"dimensions":{"observation":[' + b",".join(dimension % k for k in range(60))
    cells = b'"dataSets":[{"observations":{"' + b":".join([b"1"] * 60) + b'":[3]}}]'
    yield "SDMX-JSON of 60 dimensions", b"{" + structure + b"]}}," + cells + b"}"
    cells = b",".join(b'"%d:0":[%d]' % (k, k) for k in range(900_000))
    small = b'"structure":{"dimensions":{"observation":[' + dimension % 1 + b"," + dimension % 2 + b"]}}"
    yield "SDMX-JSON of wrong positions", b'{"dataSets":[{"observations":{' + cells + b"}}]," + small + b"}"
    huge = b'{"class":"dataset","id":["a"],"size":[1e999],"dimension":{"a":{"category":{"index":%s}}},"value":[]}'
    yield "JSON-stat of many labels", huge % (b"[" + b'"x",' * 3_000_000 + b'"x"]')
    yield (
        "PX of many values",
        b'TITLE="a";STUB="a";HEADING=;VALUES("a")="b";DATA=' + b"1 " * (9 * MEGABYTE) + b";",
    )
    yield "PX of many keywords", b'TITLE="a";' + b'A("b")="c";' * (MEGABYTE) + b"DATA=1;"
    for name, part in {
        "wide cells": b"\\multicolumn{1000}{c}{a} &",
        "open braces": b"\\multirow{",
        "cells": b"1 &",
        "rows": b"1 \\\\",
        "comments": b"\\%",
        "spaces": b"\\hline   ",
        "environments": b"\\begin{tabular}",
    }.items():
        yield (
            f"LaTeX of {name}",
            b"\\begin{tabular}" + part * (3 * MEGABYTE // len(part)) + b"\\end{tabular}",
        )
    head = b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">'
    for name, part in {
        "elements": b"<Worksheet><Row><Cell>",
        "cells": b'<Cell MergeAcross="9999"/>',
        "rows": b"<Row/>",
    }.items():
        yield f"XML workbook of {name}", head + b"<Worksheet><Row>" + part * (20 * MEGABYTE // len(part))
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    yield (
        "XML workbook of entities",
        head[:21] + bomb + head[21:] + b"<Worksheet><Row><Cell><Data>&b;</Data></Cell>",
    )
    lines = b"a   1   2\n" * (2 * MEGABYTE)
    yield "aligned columns", b"x   m   f\n" + lines
    yield "zip of many tables", zipped({f"{k}.csv": b"a,b\nx,1\ny,2\n" for k in range(5_000)})
    yield "zip of zeros", zipped({"a.csv": b"x,1\n" * (4 * MEGABYTE), "b.csv": b"y,1\n" * (4 * MEGABYTE)})
    yield "zip of nested lists", zipped({"a.json": b"[[" * (8 * MEGABYTE), "b.csv": b"a,b\nx,1\ny,2\n"})


@cache
def compressed(block: bytes, times: int) -> bytes:
    """A gzip file of a repeated block, compressed as fast as can be."""
    stream = zlib.compressobj(1, wbits=31)
    return b"".join([*(stream.compress(block) for _ in range(times)), stream.flush()])


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive of files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return stream.getvalue()


def link(saved: object) -> str:
    """The text of a link that holds these values."""
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(saved).encode(), 9)).decode().rstrip("=")


def raw_link(text: bytes) -> str:
    """The text of a link that holds this text."""
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def nested(shape: list[int]) -> object:
    """A list of lists of ones of this shape."""
    return 1 if not shape else [nested(shape[1:])] * shape[0]


def links() -> Iterator[tuple[str, str]]:
    """Links that grow."""
    axes = [[f"{k}" + "x" * 200, ["a" * 400, "b" * 400]] for k in range(16)]
    yield "16 axes", link({"version": 1, "settings": {}, "axes": axes, "counts": nested([2] * 16)})
    axes = [[f"{k}", ["a"]] for k in range(70)]
    yield "70 axes", link({"version": 1, "settings": {}, "axes": axes, "counts": nested([1] * 70)})
    yield "deep", raw_link(b'{"version":1,"settings":' + b"[" * 100_000 + b"]" * 100_000 + b"}")
    yield (
        "deep counts",
        raw_link(b'{"version":1,"settings":{},"axes":[],"counts":' + b"[" * 900 + b"1" + b"]" * 900 + b"}"),
    )
    yield (
        "a long number",
        raw_link(b'{"version":1,"settings":{},"axes":[["a",["b","c"]]],"counts":[1,' + b"9" * 4000 + b"]}"),
    )
    yield "spaces", raw_link(b" " * 50_000_000)
    yield (
        "one cell",
        link({"version": 1, "settings": {}, "axes": [["a", ["b"]], ["c", ["d"]]], "counts": [[5]]}),
    )
    yield (
        "half a letter",
        raw_link(b'{"version":1,"settings":{},"axes":[["a",["\\ud800","c"]]],"counts":[1,2]}'),
    )
    yield (
        "a control character",
        link({"version": 1, "settings": {}, "axes": [["a", ["\x07", "c"]]], "counts": [1, 2]}),
    )


def spoilt(page: str, size: int, start: dict) -> Iterator[tuple[str, str]]:
    """So many links, each made from that of a page with one to three things wrong in it."""
    rng = random.Random(page)
    for number in range(size):
        saved = json.loads(json.dumps(start))
        for _ in range(rng.randint(1, 3)):
            spoil(saved, rng)
        yield f"spoilt {page} {number}", link(saved)


WRONG = (
    *(
        None,
        True,
        -1,
        0,
        2.5,
        10**30,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\ud800",
        "\0",
        [],
        [1],
        {},
        {"a": 1},
    ),
    *([[]], "a" * 5000, [[1, 2]]),
)


def spoil(saved: object, rng: random.Random) -> None:
    """Put something wrong, or nearly right, into one place of nested lists and dicts."""
    while isinstance(saved, dict | list) and saved:
        places = [key for key in saved if key != "version"] if isinstance(saved, dict) else range(len(saved))
        if not places:
            return
        key = rng.choice(places)
        if rng.random() < 0.2 or not isinstance(saved[key], dict | list) or not saved[key]:
            saved[key] = near(saved[key], rng) if rng.random() < 0.5 else copy.deepcopy(rng.choice(WRONG))
            return
        saved = saved[key]


def near(value: object, rng: random.Random) -> object:
    """Something of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float():
            return rng.choice([value + 1, value - 1, value * 1000, value / 3, -value])
        case str():
            return rng.choice([value + "x", value[1:], value * 100])
        case list():
            return rng.choice([value[1:], value[::-1], value * 2, value * 500])
        case dict() if value:
            kept = rng.sample(list(value), len(value) - 1)
            return {key: value[key] for key in kept}
    return value


def measure(read: Callable[..., str], cases: Iterable[tuple[str, bytes | str]]) -> None:
    """Read all, and print a line of JSON for each."""
    for name, content in cases:
        before, start = peak(), time.process_time()
        try:
            said = read(content)
        except Exception as error:
            said = f"!! {type(error).__name__}: {str(error)[:300]}"
        print(
            json.dumps([name, len(content), time.process_time() - start, peak() - before, said]), flush=True
        )


def apart(name: str, work: Callable[[], None]) -> None:
    """Do something in a process of its own."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(json.dumps([name, 0, 0.0, 0.0, "!! died"]), flush=True)


def peak() -> float:
    """The most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def file(content: bytes) -> str:
    """What is said of a file."""
    try:
        return f"a table of {read_bytes('upload', content).table.total}"
    except InputError as error:
        return str(error)


async def follow(dashboard: str, cases: Callable[[dict], Iterable[tuple[str, str]]]) -> None:
    """Follow links on a page, one after another; `cases` makes them of the one that the page begins with.

    As in a session a loop runs, in which results would get better later.
    """
    page, *_ = import_module(f"sdcwidgets.dashboards.{dashboard}").app().children

    def read(text: str) -> str:
        page._study.reset()
        page._hear(page, {"type": "state", "state": text}, [])
        return page.problem or "read"

    measure(read, cases(page._study.start.to_state()))


def main() -> None:
    """Read everything."""
    file(b"x,a,b\nA,1,2\nB,3,4\n")  # what all share is loaded before
    for case in itertools.chain(texts(), workbooks(), exchanged()):
        apart(case[0], partial(measure, file, [case]))
    for case in links():
        apart(case[0], lambda case=case: asyncio.run(follow("explore", lambda _: [case])))
    for one in DASHBOARDS:
        cases = partial(spoilt, one.name, SPOILT // len(DASHBOARDS) + 1)
        apart(one.name, lambda one=one, cases=cases: asyncio.run(follow(one.name, cases)))


if __name__ == "__main__":
    sys.exit(main())
