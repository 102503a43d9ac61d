"""JSON of records, in the shapes in which programming interfaces of offices return it."""

import json

import pytest

from sdcwidgets import InputError
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


@pytest.mark.parametrize(
    "content",
    [
        [{"area": "Bath", "data": [{"year": 2025, "count": 3}]}, {"area": "Hull", "data": []}],
        {"value": [{"area": "Bath", "count": {"m": 3}}, {"area": "Hull", "count": {"m": 4}}]},
    ],
)
def test_records_inside_of_records_are_rejected(content):
    with pytest.raises(InputError, match="records inside"):
        read_bytes("a.json", json.dumps(content).encode())


@pytest.mark.parametrize("content", ["[11,000 agencies; 2025]\nArea,m,f\nBath,31,59\nHull,53,97\n"])
def test_a_text_that_begins_with_a_bracket_is_no_json(content):
    assert read_bytes("a.csv", content.encode()).table.total == 240
