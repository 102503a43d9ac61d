"""A database as a source: it counts, its rows become a table, and no page opens it."""

import json
import sqlite3

import duckdb
import pytest
from stating import stating

from sdcwidgets import FrequencyTable, InputError
from sdcwidgets.cli import main
from sdcwidgets.microdata import read_microdata
from sdcwidgets.tables.io import sources
from sdcwidgets.tables.io.sources import Question, Reading, named
from sdcwidgets.tables.io.sources.database import Database, _open
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.table_state import TableState
from sdcwidgets.widgets.source import SourceBar

TABLE = FrequencyTable([[0, 3], [2, 1]], {"area": ["A", "B"], "sex": ["f", "m"]})


@pytest.fixture(params=["duckdb", "sqlite"])
def place(tmp_path, request):
    path = str(tmp_path / f"census.{request.param}")
    connection = (duckdb if request.param == "duckdb" else sqlite3).connect(path)
    connection.execute('CREATE TABLE people (area VARCHAR, sex VARCHAR, "odd; name" INTEGER)')
    for (i, j), count in {(0, 1): 3, (1, 0): 2, (1, 1): 1}.items():
        for k in range(count):
            connection.execute("INSERT INTO people VALUES (?, ?, ?)", ["AB"[i], "fm"[j], k])
    connection.execute("CREATE VIEW counts AS SELECT area, sex, count(*) AS n FROM people GROUP BY area, sex")
    connection.commit()
    connection.close()
    return path


def test_rows_that_are_people_are_counted(place):
    reading = Database(place, "people").choose(by=("area", "sex")).read()
    assert reading.table == TABLE


def test_a_column_of_counts_is_summed_over_what_is_not_chosen(place):
    assert Database(place, "counts").choose(by=("area", "sex"), count="n").read().table == TABLE
    assert Database(place, "counts").choose(by="area", count="n").read().table.counts.tolist() == [3, 3]


def test_the_command_line_reads_it(place, capsys):
    assert main(["assess", f"database:{place}#people", "--by", "area,sex", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["table"]["people"] == 6


def test_records_are_refused_from_the_first_one_too_many(place):
    assert read_microdata(f"{place}#people", limit=6).file.records == 6
    with pytest.raises(InputError, match="maximum is 5"):
        read_microdata(f"{place}#people", limit=5)


def test_its_code_asks_again(place):
    source = Database(place, "people").choose(by=("area", "sex"))
    code = source.light(Reading(TABLE)).code(TABLE.with_count((0, 0), 5))
    names = {"sources": sources}
    exec("\n".join(code.lines), names)
    assert names["table"] == TABLE.with_count((0, 0), 5)


@pytest.mark.parametrize(
    ("relation", "how", "words"),
    [
        ("persons", {"by": "area"}, 'no table "persons"; it has'),
        ("people", {"by": "region"}, 'no column "region"'),
        ("people", {"by": "area", "count": "sex"}, "contain numbers"),
    ],
)
def test_what_is_not_there_is_told_in_one_sentence(place, relation, how, words):
    with pytest.raises(InputError, match=words):
        Database(place, relation).choose(**how).read()


def test_without_columns_it_asks(place):
    with pytest.raises(Question, match="count by") as asked:
        Database(place, "people").read()
    assert set(asked.value.choices[0].options) == {"area", "sex", "odd; name"}


@pytest.mark.parametrize("what", ["nothing", "nowhere.duckdb#people", "unheard://host/x#people"])
def test_a_database_that_is_not_there_is_told(what):
    with pytest.raises(InputError):
        named(f"database:{what}").choose(by="area").read()


def test_a_password_is_in_no_title_no_state_and_no_code():
    place = "postgres://me:secret@host/census"
    source = Database(place, "people").choose(by="area").light(Reading(TABLE))
    told = f"{source!r} {source.title} {source.to_state()} {source.code(TABLE)}"
    assert "secret" not in told
    assert _open(place) == "postgres://me@host/census"


def test_no_page_and_no_link_opens_one(place):
    state = TableState(TABLE)
    study = Study(state, lambda state: None)
    bar = SourceBar(study)
    assert "database" not in {kind["kind"] for kind in bar.kinds}
    bar._attempt(lambda: bar._open({"kind": "database", "what": f"{place}#people"}, []))
    assert bar.problem == stating("command line")
    assert study.state is state
    linked = sources.from_state({"title": "x", "place": place, "relation": "people", "database": place})
    assert not isinstance(linked, Database)
