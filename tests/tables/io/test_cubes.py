"""What offices exchange: PX, JSON-stat, SDMX-CSV, Eurostat's TSV, ODS and HTML come in, and a release goes out."""

import json

import numpy as np
import pytest
from format_files import ods, ods_row
from hypothesis import given, settings
from hypothesis import strategies as st
from refusing import sentence

from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.formats.jsonstat import JsonStat
from sdcwidgets.tables.io.options import Question, ReadOptions
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.release import Release

PX = """CHARSET="ANSI";
AXIS-VERSION="2013";
LANGUAGE="sv";
TITLE="Folkmängd; efter region, "
"kön och år";
STUB="region","kön";
HEADING="år";
VALUES("region")="Västerås","Örebro";
CODES("region")="1980","1880";
VALUES("kön")="män","kvinnor";
TIMEVAL("år")=TLIST(A1,"2021"-"2022");
VALUES("år")="2021","2022";
DATASYMBOL1="c";
DATA=
10 11
12 13
20 21
"." 23;
"""


def test_px_asks_for_a_time_and_reads_it_in_the_old_encoding():
    content = PX.encode("cp1252")
    assert formats.of(content).name == "px"
    with pytest.raises(Question, match=r'^"år" has times .*\\(only: år=2022'.replace("\\\\", "\\")) as asked:
        read_bytes("a.px", content)
    assert [choice.name for choice in asked.value.choices] == ["only", "by"]
    reading = read_bytes("a.px", content, how=ReadOptions(only="år=2022"))
    assert reading.table.counts.tolist() == [[11, 13], [21, 23]]
    assert [axis.labels for axis in reading.table.axes] == [("Västerås", "Örebro"), ("män", "kvinnor")]
    assert reading.notes == ('Only "2022" of "år" was read.',)
    assert {choice.name for choice in reading.choices} == {"only", "by"}
    one = read_bytes("a.px", content, how=ReadOptions(by=("region",), only=("år=2022", "kön=män")))
    assert one.table.counts.tolist() == [11, 21]


def test_px_names_contents_that_are_no_axis():
    content = PX.replace("DATASYMBOL1", 'CONTVARIABLE="innehåll";\nDATASYMBOL1').encode("cp1252")
    reading = read_bytes("a.px", content, how=ReadOptions(only="år=2022"))
    assert reading.table.counts.tolist() == [[11, 13], [21, 23]]


def test_a_gap_of_px_has_its_text_and_another_slice_may_be_read():
    with pytest.raises(Question, match='"c" marks a count that was not published') as asked:
        read_bytes("a.px", PX.encode("cp1252"), how=ReadOptions(only="år=2021"))
    assert [choice.name for choice in asked.value.choices] == ["only", "by"]


JSON_STAT = {
    "version": "2.0",
    "class": "dataset",
    "id": ["geo", "sex", "time", "figure"],
    "size": [2, 2, 2, 1],
    "role": {"time": ["time"], "metric": ["figure"]},
    "dimension": {
        "geo": {"label": "Area", "category": {"index": ["b", "a"], "label": {"a": "North", "b": "South"}}},
        "sex": {"label": "Sex", "category": {"index": {"f": 1, "m": 0}}},
        "time": {"label": "Year", "category": {"index": ["2021", "2022"]}},
        "figure": {"category": {"label": {"n": "Persons"}}},
    },
    "value": [1, 2, 3, 4, 5, 6, 7, None],
    "status": {"7": "c"},
}


@pytest.mark.parametrize("sparse", [False, True])
def test_json_stat_dense_and_sparse(sparse):
    data = dict(JSON_STAT)
    if sparse:
        data["value"] = {str(k): value for k, value in enumerate(JSON_STAT["value"]) if value is not None}
    content = json.dumps(data).encode()
    reading = read_bytes("a.json", content, how=ReadOptions(only="Year=2021"))
    assert reading.table.counts.tolist() == [[1, 3], [5, 7]]
    assert [(axis.name, axis.labels) for axis in reading.table.axes] == [
        ("Area", ("South", "North")),
        ("Sex", ("m", "f")),
    ]
    assert '"c" marks a count that was not published' in sentence(
        read_bytes, "a.json", content, how=ReadOptions(only="Year=2022")
    )


@pytest.mark.parametrize(
    ("head", "start"),
    [
        ("DATAFLOW,SEX,GEO,TIME_PERIOD,OBS_VALUE,OBS_STATUS", "X:Y(1.0)"),
        ("STRUCTURE,STRUCTURE_ID,ACTION,SEX,GEO,TIME_PERIOD,OBS_VALUE,OBS_STATUS", "dataflow,X:Y(1.0),I"),
    ],
)
def test_sdmx_csv_of_both_versions(head, start):
    rows = [
        f"{start},{sex},{geo},{year},{k + 2 * j + 4 * i + 1},A"
        for i, sex in enumerate("MF")
        for j, geo in enumerate("AB")
        for k, year in enumerate((2021, 2022))
    ]
    content = "\n".join([head, *rows]).encode()
    assert formats.of(content).name == "sdmx-csv"
    assert "has times" in sentence(read_bytes, "a.csv", content)
    assert read_bytes("a.csv", content, how=ReadOptions(only="TIME_PERIOD=2022")).table.counts.tolist() == [
        [2, 4],
        [6, 8],
    ]


def test_the_tsv_of_eurostat_with_its_flags():
    rows = b"A,M,AT\t12 p\t14 \nA,M,BE\t15 \t: c\nA,F,AT\t3 \t5 b\nA,F,BE\t7 \t9 \n"
    content = b"freq,sex,geo\\TIME_PERIOD\t2021 \t2022 \n" + rows
    assert formats.of(content).name == "eurostat-tsv"
    reading = read_bytes("a.tsv", content, how=ReadOptions(only="TIME_PERIOD=2021"))
    assert reading.table.counts.tolist() == [[12, 15], [3, 7]]
    assert "Flags next" in reading.notes[-1]
    assert "not published" in sentence(read_bytes, "a.tsv", content, how=ReadOptions(only="TIME_PERIOD=2022"))


def test_an_ods_workbook_and_one_that_grows():
    body = ods_row("Area", "m", "f") + ods_row("A", 1, 2) + ods_row("B", 3, 4)
    blank = '<t:table-cell t:number-columns-repeated="16384"/>'
    blank = f'<t:table-row t:number-rows-repeated="1048000">{blank}</t:table-row>'
    assert formats.of(ods(body)).name == "ods"
    assert read_bytes("a.ods", ods(body + blank)).table.counts.tolist() == [[1, 2], [3, 4]]
    grown = ods_row("x").replace("<t:table-row>", '<t:table-row t:number-rows-repeated="100000000">')
    assert "more than 1,000,000 cells" in sentence(read_bytes, "a.ods", ods(grown))
    assert "the file may be damaged" in sentence(read_bytes, "a.ods", ods("<broken"))


def test_a_page_saved_as_a_workbook():
    page = b"""<html><meta charset="utf-8"><table><tr><th rowspan=2>Area<th></tr></table><table>
    <tr><th>Area</th><th>m</th><th>f</th></tr><tr><td>A &amp; C</td><td>1</td><td>2</td></tr>
    <tr><td>B</td><td>3</td><td>4</td></tr></table></html>"""
    reading = read_bytes("a.xls", page)
    assert reading.table.counts.tolist() == [[1, 2], [3, 4]]
    assert reading.table.rows.labels == ("A & C", "B")
    assert "web page" in sentence(read_bytes, "a.xls", b"<html><title>x</title></html>")


LABELS = st.lists(
    st.text("abcdefgäßжé ,;'&=-", min_size=1, max_size=8).map(lambda text: f"L{text}x"),
    min_size=1,
    max_size=4,
    unique=True,
)


@st.composite
def releases(draw):
    """A release with gaps and margins."""
    sizes = draw(st.lists(LABELS, min_size=1, max_size=3))
    axes = [Axis(f"Axis {k}", tuple(labels)) for k, labels in enumerate(sizes)]
    shape = [len(axis) for axis in axes]
    many = int(np.prod(shape))
    cells = st.one_of(st.integers(0, 10**6).map(float), st.just(float("nan")))
    values = np.array(draw(st.lists(cells, min_size=many, max_size=many))).reshape(shape)
    texts = np.where(np.isnan(values), draw(st.sampled_from(["c", "x", "[low]"])), "")
    every = tuple(range(len(axes)))
    sets, gaps = {every: values}, {every: texts}
    if len(axes) > 1 and draw(st.booleans()):
        total = draw(st.one_of(st.integers(0, 10**7).map(float), st.just(float("nan"))))
        sets[()], gaps[()] = np.array(total), np.array("c" if total != total else "")
    return Release(axes, sets, symbols=gaps)


@pytest.mark.parametrize("write", ["to_px", "to_json_stat", "to_sdmx_csv"])
@settings(max_examples=40, deadline=None)
@given(release=releases())
def test_a_release_comes_back_with_its_gaps_and_their_texts(write, release):
    content = getattr(release, write)().encode()
    kind = formats.of(content)
    head, *rows = kind.opened(content, "it", None).sheet("").rows
    names = [axis.name for axis in release.axes]
    assert head == [*names, "Value"]
    found = {tuple(row[:-1]): row[-1] for row in rows}
    for kept, values in release.values.items():
        for at in np.ndindex(values.shape):
            here = dict(zip(kept, at, strict=True))
            key = tuple(axis.labels[here[k]] if k in here else "Total" for k, axis in enumerate(release.axes))
            value = found[tuple(" ".join(label.split()) if write == "to_px" else label for label in key)]
            if np.isnan(values[at]):
                # SDMX has a code for suppressed values, and no text of an office.
                assert value == ("c" if write == "to_sdmx_csv" else release.symbols[kept][at])
            else:
                assert float(value) == values[at]


@pytest.mark.parametrize("write", ["to_px", "to_json_stat"])
def test_codes_survive_the_round_trip(write):
    table = read_bytes("a.px", PX.encode("cp1252"), how=ReadOptions(only="år=2022")).table
    assert [axis.codes for axis in table.axes] == [("1980", "1880"), ()]
    content = getattr(Release.of(table), write)().encode()
    again = read_bytes("a", content).table
    assert again == table
    assert [axis.codes for axis in again.axes] == [("1980", "1880"), ()]


def test_codes_of_sdmx_tell_suppressed_cells():
    release = Release([Axis("Area", ("A", "B"))], {(0,): [4.0, float("nan")]})
    lines = release.to_sdmx_csv().splitlines()
    assert lines[0].endswith("OBS_VALUE,OBS_STATUS,CONF_STATUS")
    assert [line.rpartition("A,4,")[2] for line in lines[1:2]] == ["A,F"]
    assert lines[2].endswith("B,,Q,C")


@pytest.mark.parametrize("codes", [("1",), ("1", "1"), ("1", "2", "3")])
def test_each_label_has_its_own_code(codes):
    assert "codes" in sentence(Axis, "Area", ("A", "B"), codes=codes)


@pytest.mark.parametrize("write", ["to_px", "to_json_stat", "to_sdmx_csv"])
@settings(max_examples=20, deadline=None)
@given(release=releases())
def test_a_release_without_gaps_is_read_as_its_table(write, release):
    every = release.every
    counts = np.nan_to_num(release.values[every]) + 1
    content = getattr(Release(release.axes, {every: counts}), write)().encode()
    names = tuple(axis.name for axis in release.axes)
    table = (
        read_bytes("it", content, how=ReadOptions(by=names, count="Value", margins="keep")).table
        if counts.size > 1
        else None
    )
    assert table is None or np.array_equal(table.counts, counts)


@pytest.mark.parametrize("write", ["to_px", "to_json_stat", "to_sdmx_csv"])
def test_totals_are_written_unless_they_are_not_wanted(write):
    axis = Axis("Area", ("A", "B"))
    release = Release([axis], {(0,): [4, 5], (): 9})
    cells = Release([axis], {(0,): [4, 5]})
    assert getattr(release, write)() == getattr(release, write)(margins=True)
    assert getattr(release, write)(margins=False) == getattr(cells, write)()


@pytest.mark.parametrize(
    "content", [b'{"value": [1, 2]}', b'{"dimension": {}}', b'Area;"dimension";"value"\nA;1;2\n']
)
def test_a_dataset_of_json_stat_is_an_object_with_dimensions_and_values(content):
    assert not JsonStat.knows(content)
    assert JsonStat.knows(b'\xef\xbb\xbf {"dimension": {"a": {"category": {}}}, "value": []}')


def test_rows_of_ods_have_the_numbers_of_the_workbook():
    content = ods(ods_row() + ods_row("Area", "Men") + ods_row() + ods_row() + ods_row("A", 1))
    book = formats.of(content).opened(content, "it", None)
    rows = [row for row in book.sheet(book.names()[0]).rows]
    assert [len(row) for row in rows] == [0, 2, 0, 0, 2]
