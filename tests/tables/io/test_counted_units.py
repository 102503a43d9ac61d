"""The counted units are people only if no text of the file describes its contents, or if a text names people."""

import json

import pytest

from sdcwidgets.tables.io.previews import FilePreview
from sdcwidgets.tables.io.proposals import propose_layout
from sdcwidgets.tables.io.reading import read_bytes

ROWS = "Area,North,South\nBath,31,44\nHull,52,61\n"


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (ROWS, "people"),
        (f"Incidents by district\n\n{ROWS}", "units"),
        (f"Population by district\n\n{ROWS}", "people"),
        (f"Farms by district\n\n{ROWS}", "farms"),
        (f"Établissements pour personnes âgées\n\n{ROWS}", "units"),
        ("Area,Sex,Arrivals\nBath,m,31\nBath,f,44\nHull,m,52\nHull,f,61\n", "units"),
        ("Area,Sex,Persons\nBath,m,31\nBath,f,44\nHull,m,52\nHull,f,61\n", "people"),
        ("Area,Sex,n\nBath,m,31\nBath,f,44\nHull,m,52\nHull,f,61\n", "people"),
    ],
)
def test_units_are_neutral_if_texts_describe_something_else(text, counted):
    assert read_bytes("The file", text.encode()).counted == counted
    assert propose_layout(text).reading.counted == counted


def cube(label):
    dimension = {"Area": {"category": {"index": ["A", "B"]}}, "Sex": {"category": {"index": ["m", "f"]}}}
    whole = {"version": "2.0", "class": "dataset", "label": label, "id": ["Area", "Sex"], "size": [2, 2]}
    return json.dumps(whole | {"dimension": dimension, "value": [31, 44, 52, 61]}).encode()


@pytest.mark.parametrize(("label", "counted"), [("Arrivals", "units"), ("Population", "people")])
def test_the_units_of_a_cube_follow_its_texts(label, counted):
    assert read_bytes("The file", cube(label)).counted == counted


def test_a_user_chooses_the_units():
    preview = FilePreview(f"Incidents by district\n\n{ROWS}".encode())
    assert preview.reading.summary.startswith("188 units in")
    preview.change({"name": "counted", "value": "cases"})
    assert preview.reading.summary.startswith("188 cases in")


def test_records_are_people():
    lines = [f"{i},{'ABC'[i % 3]},{'mf'[i % 2]}" for i in range(1, 61)]
    preview = FilePreview("\n".join(["Survey of staff,,", "id,Area,Sex", *lines]).encode())
    preview.change({"name": "by:Area", "value": "yes"})
    assert preview.reading.counted == "people"
