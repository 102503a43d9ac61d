"""JSON of records, in the shapes in which programming interfaces of offices return it."""

import json

import pytest
from refusing import sentence

from sdcwidgets import InputError
from sdcwidgets.tables.io.options import ReadOptions
from sdcwidgets.tables.io.reading import read_bytes

RECORDS = [
    {"area": area, "sex": sex, "count": count}
    for (area, sex), count in zip(
        [("Bath, city", "m"), ("Bath, city", "f"), ("Hull", "m"), ("Hull", "f")],
        [31, 59, 53, 97],
        strict=True,
    )
]
KEYED = [{"C": "Código", "N": "Região", "S": "Sexo", "V": "Valor"}] + [
    {"C": str(11 + k // 2), "N": record["area"], "S": record["sex"], "V": str(record["count"])}
    for k, record in enumerate(RECORDS)
]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RECORDS),
        json.dumps({"@odata.context": "https://example.org", "value": RECORDS}),
        "\n".join(json.dumps(record) for record in RECORDS),
        json.dumps([["area", "sex", "count"], *map(list, map(dict.values, RECORDS))]),
        json.dumps(RECORDS, indent=2),
    ],
    ids=["list", "object", "lines", "lists", "indented"],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_records_are_rows_of_a_long_table(content, mark):
    table = read_bytes("a.json", mark + content.encode()).table
    assert [axis.labels for axis in table.axes] == [("Bath, city", "Hull"), ("m", "f")]
    assert table.counts.tolist() == [[31, 59], [53, 97]]


def test_names_of_columns_may_be_the_first_record():
    table = read_bytes("a.json", json.dumps(KEYED).encode()).table
    assert [axis.name for axis in table.axes] == ["Região", "Sexo"]
    assert table.counts.tolist() == [[31, 59], [53, 97]]


SERIES = [
    {"Name": f"{area}. {sex}. Persons", "Data": [{"Year": 2025, "Value": value}]}
    for area, sex, value in map(dict.values, RECORDS)
]
BY_SEX = {"Bath, city": {"m": 31, "f": 59}, "Hull": {"m": 53, "f": 97}}
AREAS = [
    {
        "type": "Feature",
        "properties": {"area": area, **counts},
        "geometry": {"type": "Point", "coordinates": [1, 2]},
    }
    for area, counts in BY_SEX.items()
]
LISTS = [list(record.values()) for record in RECORDS]


@pytest.mark.parametrize(
    "content",
    [
        {"success": True, "result": {"fields": [{"id": name} for name in RECORDS[0]], "records": RECORDS}},
        {"meta": {"view": {"columns": [{"id": 1, "name": name} for name in RECORDS[0]]}}, "data": LISTS},
        {"columns": list(RECORDS[0]), "index": [0, 1, 2, 3], "data": LISTS},
        {name: [record[name] for record in RECORDS] for name in RECORDS[0]},
        {name: {str(k): record[name] for k, record in enumerate(RECORDS)} for name in RECORDS[0]},
        {str(k): record for k, record in enumerate(RECORDS)},
        {"value": [{"ID": k, **record} for k, record in enumerate(RECORDS)]},
        {"tables": [{"row": [{"rownum": k, "describes": [record]} for k, record in enumerate(RECORDS)]}]},
        [
            {"page": 1, "total": 4},
            [{**record, "area": {"id": record["area"][:1], "value": record["area"]}} for record in RECORDS],
        ],
        BY_SEX,
        {"type": "FeatureCollection", "features": AREAS},
        {"value": [{"area": area, "count": counts} for area, counts in BY_SEX.items()]},
        [
            {"area": area, "data": [{"sex": sex, "count": n} for sex, n in counts.items()]}
            for area, counts in BY_SEX.items()
        ],
        {area: [{"sex": sex, "count": n} for sex, n in counts.items()] for area, counts in BY_SEX.items()},
    ],
    ids=range(14),
)
def test_records_inside_of_other_values_are_read(content):
    table = read_bytes("a.json", json.dumps(content).encode()).table
    assert [axis.labels for axis in table.axes] == [("Bath, city", "Hull"), ("m", "f")]
    assert table.counts.tolist() == [[31, 59], [53, 97]]


def test_names_of_series_are_several_axes():
    table = read_bytes("a.json", json.dumps(SERIES).encode()).table
    assert {axis.labels for axis in table.axes} >= {("Bath, city", "Hull"), ("m", "f")}
    assert table.total == 240


def test_several_tables_of_a_file_are_sheets():
    content = {"first": RECORDS, "second": [{**record, "year": "2025"} for record in RECORDS[:2]]}
    reading = read_bytes("a.json", json.dumps(content).encode())
    assert reading.table.total == 240
    (choice,) = (choice for choice in reading.choices if choice.name == "sheet")
    assert list(choice.options) == ["first", "second"]
    how = ReadOptions(sheet="second")
    assert read_bytes("a.json", json.dumps(content).encode(), how=how).table.total == 90


@pytest.mark.parametrize(
    "content",
    [
        [{"area": "Bath", "data": [[1, 2], [3, 4]]}, {"area": "Hull", "data": [[1, 2]]}],
        [{"area": "Bath", "a": [{"n": 3}], "b": [{"n": 3}]}, {"area": "Hull", "a": [{"n": 3}], "b": []}],
    ],
)
def test_several_lists_inside_of_records_are_rejected(content):
    with pytest.raises(InputError, match="records inside"):
        read_bytes("a.json", json.dumps(content).encode())


@pytest.mark.parametrize(
    "content",
    [
        b'[{"a": "x", "n": 1}, {"a": "y", "n": 2',
        b'[{"a": "x", "n": 1}, {"a": "y", "a": "z", "n": 2}]',
        b'{"title": "Areas", "areas": ["Bath", "Hull"]}',
        b'[{"a": ' + b"[" * 100_000,
        b'[{"a": "x", "n": ' + b"9" * 5_000 + b'}, {"a": "y", "n": 2}]',
        b"[[" + b"[]," * 3_000_000 + b"[]]]",
        b'{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": null}]}',
    ],
    ids=["cut", "two values", "no numbers", "deep", "a long number", "many lists", "no properties"],
)
def test_json_without_records_is_refused_in_one_sentence(content):
    sentence(read_bytes, "a.json", content)


@pytest.mark.parametrize("content", ["[11,000 agencies; 2025]\nArea,m,f\nBath,31,59\nHull,53,97\n"])
def test_a_text_that_begins_with_a_bracket_is_no_json(content):
    assert read_bytes("a.csv", content.encode()).table.total == 240


def test_keys_on_several_levels_are_labels():
    numbers = {"own": {"old": 31, "new": 45}, "rent": {"old": 59, "new": 26}, "total": 161}
    text = json.dumps({"title": "Dwellings", "data": {"North": numbers, "South": numbers}})
    reading = read_bytes("a.json", text.encode())
    assert [axis.labels for axis in reading.table.axes] == [
        ("North", "South"),
        ("own", "rent"),
        ("old", "new"),
    ]
    assert reading.table.total == 322
    with pytest.raises(InputError):
        read_bytes("a.json", text.replace("161", "162").encode())  # The total is no sum.


def test_records_without_numbers_are_counted():
    records = [{"Case": f"c{k}", "Area": "NS"[k % 2], "Way": "ab"[k % 3 > 0]} for k in range(40)]
    how = ReadOptions(by=("Area", "Way"), count="rows")
    assert read_bytes("a.json", json.dumps(records).encode(), how=how).table.total == 40
    with pytest.raises(InputError):
        read_bytes("a.json", json.dumps(records[:5]).encode(), how=how)
