"""SDMX-ML of 2.1 and 3.0 is read as the table it holds; what it does not say is said, and what is no data refused."""

import sys

import pytest
from format_files import FILES, sdmx_ml, sdmx_value
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.tables.io import formats
from sdcwidgets.tables.io.formats import sdmx_ml as module
from sdcwidgets.tables.io.reading import read_bytes
from sdcwidgets.tables.io.sources import ReadOptions

TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
LABELS = st.lists(
    st.text("aäß&<\"'. 1", min_size=1).map(lambda text: f"x{text}x"), min_size=2, max_size=4, unique=True
)
FLAT = "".join(
    f'<Obs Area="{area}" Sex="{sex}" TIME_PERIOD="2021" OBS_VALUE="{count}" OBS_STATUS="A" TITLE="{area}{count}"/>'
    for area, sex, count in (("A", "m", 3), ("A", "f", 1), ("B", "m", 0), ("B", "f", 5))
)
SERIES = "".join(
    f'<Series Area="{area}" Sex="{sex}" UNIT_MULT="0"><Obs TIME_PERIOD="2020" OBS_VALUE="7"/>'
    f'<Obs TIME_PERIOD="2021" OBS_VALUE="{count}"/></Series>'
    for area, sex, count in (("A", "m", 3), ("A", "f", 1), ("B", "m", 0), ("B", "f", 5))
)


@settings(max_examples=20)
@given(st.data())
def test_a_table_of_any_labels_comes_back(data):
    rows, columns = data.draw(LABELS), data.draw(LABELS)
    counts = data.draw(
        st.lists(
            st.lists(st.integers(0, 10**6), min_size=len(columns), max_size=len(columns)),
            min_size=len(rows),
            max_size=len(rows),
        ).filter(lambda lines: any(map(sum, lines)))
    )
    table = FrequencyTable(counts, {"Area": rows, "Kind": columns})
    read = read_bytes(
        "a", FILES["sdmx-ml"](table), how=ReadOptions(by=("Area", "Kind"), margins="keep")
    ).table
    assert read.axes == table.axes
    assert read.counts.tolist() == counts


@pytest.mark.parametrize(
    "content",
    [
        sdmx_ml(FLAT, kind="StructureSpecific"),
        sdmx_ml(FLAT, kind="StructureSpecific", version="3_0"),
        sdmx_ml(SERIES, kind="StructureSpecific", at="TIME_PERIOD"),
    ],
    ids=["flat", "flat of 3.0", "series"],
)
def test_data_of_a_structure_of_their_own_are_read_and_their_dimensions_told(content):
    reading = read_bytes("a", content, how=ReadOptions(only="TIME_PERIOD=2021", by=("Area", "Sex")))
    assert reading.table == TABLE
    assert any("its dimensions" in note for note in reading.notes)


def test_several_data_sets_have_numbers_and_each_is_read():
    first, second = (
        module._plain(sdmx_ml(FLAT, kind="StructureSpecific").replace(b'="3"', number))
        for number in (b'="3"', b'="8"')
    )
    message = module.SdmxMl((first, second))
    assert message.names() == ("Data set 1", "Data set 2")
    cells = [message.sheet(name).rows for name in message.names()]
    assert cells[0] != cells[1]
    with pytest.raises(InputError, match="Data set 3"):
        message.sheet("Data set 3")


def test_of_times_one_is_asked_for():
    content = sdmx_ml(SERIES, kind="StructureSpecific", at="TIME_PERIOD")
    with pytest.raises(InputError, match="the same people may be counted"):
        read_bytes("a", content)


def test_a_value_that_is_not_published_is_named_by_its_status():
    flag = '<g:Value id="OBS_STATUS" value="c"/>'
    values = sdmx_value(3, Area="A", Sex="m") + sdmx_value("NaN", flag, Area="A", Sex="f")
    with pytest.raises(InputError, match='"c" marks a count that was not published'):
        read_bytes("a", sdmx_ml(values))


def test_what_is_counted_in_thousands_is_not_read_as_people():
    flag = '<g:Value id="UNIT_MULT" value="3"/>'
    values = "".join(
        sdmx_value(k, flag, Area=area, Sex=sex) for k, (area, sex) in enumerate(("Am", "Af", "Bm", "Bf"))
    )
    with pytest.raises(InputError, match="UNIT_MULT"):
        read_bytes("a", sdmx_ml(values))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (sdmx_ml(""), "without values"),
        (sdmx_ml("<g:Obs/>"), "may be damaged|without values"),
        (
            sdmx_ml(FLAT, kind="StructureSpecific").replace(b"?>", b'?><!DOCTYPE a [<!ENTITY x "y">]>', 1),
            "entities",
        ),
    ],
)
def test_what_holds_no_data_is_refused(content, sentence):
    assert formats.of(content).name == "sdmx-ml"
    with pytest.raises(InputError, match=sentence):
        read_bytes("a.xml", content)


def test_more_values_than_can_be_read_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(module, "MOST_OBSERVATIONS", 3)
    with pytest.raises(InputError, match="has 4 values; an SDMX-ML file can have at most 3"):
        read_bytes("a.xml", FILES["sdmx-ml"](TABLE))


def test_without_the_extra_one_sentence_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sdmx", None)
    with pytest.raises(InputError) as refused:
        read_bytes("a.xml", FILES["sdmx-ml"](TABLE))
    assert 'pip install "sdcwidgets[sdmx]"' in str(refused.value)


#: A header that names a structure and has no reference to it, as web services send it.
_NAMED = (
    '<m:Structure structureID="S" namespace="urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=IT1:22(1.0)" '
    'dimensionAtObservation="TIME_PERIOD"/>'
)


@pytest.mark.parametrize("structure", ["", _NAMED])
def test_structure_specific_data_without_a_stated_structure_are_read(structure):
    rows = "".join(
        f'<Series sex="{sex}" geo="{geo}"><Obs TIME_PERIOD="2022" OBS_VALUE="{count}" OBS_FLAG="p"/></Series>'
        for sex, geo, count in (("M", "LU", 51), ("M", "MT", 26), ("F", "LU", 58), ("F", "MT", 31))
    )
    uri = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1"
    content = (
        f'<?xml version="1.0"?><m:StructureSpecificData xmlns:m="{uri}/message"><m:Header><m:ID>X</m:ID>{structure}'
        f"</m:Header><m:DataSet>{rows}</m:DataSet></m:StructureSpecificData>"
    )
    table = read_bytes("x.xml", content.encode()).table
    assert [axis.name for axis in table.axes] == ["sex", "geo"]
    assert table.counts.tolist() == [[51, 26], [58, 31]]
