"""What every source keeps: what it reads can be said again, in a link and in code."""

import json

import pytest

from sdcwidgets import FrequencyTable, InputError, examples
from sdcwidgets.tables.io import sources
from sdcwidgets.tables.io.sources import named
from sdcwidgets.tables.io.sources.base import Code

TABLE = FrequencyTable([[3, 1], [0, 5]], {"Area": ["A", "B"], "Sex": ["m", "f"]})
KINDS = sources.available()


def made(kind):
    """Sources of a kind as a screen makes them, none where no screen does."""
    cls = sources.get(kind)
    if cls.asks == "name":
        return [cls.from_input(name) for name in cls.names()]
    if cls.asks == "file":
        return [cls.from_input(TABLE.to_csv().encode(), "table.csv")]
    return [cls.from_input(TABLE.to_csv())] if cls.asks == "text" else []


def run(code: Code, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {"FrequencyTable": FrequencyTable, "examples": examples}
    assert set(code.imports) <= set(names)
    exec("\n".join(code.lines), names)
    return names["table"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_source_says_what_a_screen_asks_for(kind):
    cls = sources.get(kind)
    assert cls.kind == kind
    assert cls.__doc__
    assert cls.asks in ("", "name", "file", "text")
    assert cls.asks not in ("file", "text") or cls.button
    assert bool(cls.names()) == (cls.asks == "name")


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_finds_the_source_again(kind):
    for source in made(kind):
        light = source.light(source.read())
        state = json.loads(json.dumps(light.to_state()))
        again = sources.from_state(state)
        assert again.title == source.title
        assert json.loads(json.dumps(again.to_state())) == state


@pytest.mark.parametrize("kind", KINDS)
def test_its_code_makes_the_table_also_after_a_change(kind, tmp_path, monkeypatch):
    for source in made(kind):
        reading = source.read()
        table = reading.table
        (tmp_path / "table.csv").write_text(table.to_csv(), "utf-8")
        assert run(source.light(reading).code(table), tmp_path, monkeypatch) == table
        changed = table.with_count((0,) * table.ndim, 7)
        assert run(source.light(reading).code(changed), tmp_path, monkeypatch) == changed


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_line_names_it(kind):
    cls = sources.get(kind)
    if cls.asks == "name":
        for name in cls.names():
            assert named(f"{kind}:{name}") == cls.from_input(name)
    elif not cls.asks:
        with pytest.raises(InputError):
            cls.from_input("nothing")
