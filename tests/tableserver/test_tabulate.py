"""Tables from data: one suite for every database behind Ibis, against pandas and plain counting."""

import contextlib
import importlib.util
import itertools
import os
import shutil
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdcwidgets import InputError
from sdcwidgets.tableserver import Rules, hypercube
from sdcwidgets.tableserver.generator import TableGenerator
from sdcwidgets.tableserver.policy import Policy
from sdcwidgets.tableserver.tabulate import KEYS, MISSING, Query, Tabulator, selection


def people(size=500, seed=3):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "Area": rng.choice(["North", "South; east", "10=ten"], size),
            "Age": rng.choice(["0-4", "5-9", "10-14", None], size),
            "Rooms": rng.integers(1, 4, size),
            "Sex": rng.choice(["f", "m"], size, p=[0.9, 0.1]),
            "Key": rng.integers(KEYS, size=size),
        }
    )


@pytest.fixture(scope="session")
def spark(tmp_path_factory, missing):
    """A real Spark in this machine's memory."""
    if importlib.util.find_spec("pyspark") is None:
        missing("The package pyspark is missing; install sdcwidgets[spark].")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing("Java is missing; install Java 17 or newer.")
    import ibis
    import pyspark.sql as pyspark

    folder = tmp_path_factory.mktemp("spark")
    session = (
        pyspark.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", str(folder))
        .getOrCreate()
    )
    yield ibis.pyspark.connect(session)
    session.stop()


#: Spark's bridge to Java leaves sockets and files to the garbage collector.
AT_SPARK = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="session", params=["frame", "parquet", "csv", pytest.param("spark", marks=AT_SPARK)])
def opened(request, tmp_path_factory):
    """Open a frame in one of the ways; numbers of rooms stay numbers, missing ages missing."""

    def way(frame, **options):
        if request.param == "frame":
            return Tabulator.open(frame, **options)
        path = tmp_path_factory.mktemp("data") / f"people.{'csv' if request.param == 'csv' else 'parquet'}"
        if request.param == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.to_parquet(path)
        if request.param == "spark":
            rows = request.getfixturevalue("spark").read_parquet(path)
            return Tabulator.open(rows, **options)
        return Tabulator.open(path, **options)

    return way


@pytest.fixture(scope="session")
def data(opened):
    return opened(people(), key="Key")


def test_counts_and_keys_are_those_of_pandas(data):
    frame = people().assign(Age=lambda frame: frame["Age"].fillna(MISSING))
    found = data.tabulate(Query(["Area", "Age", "Rooms"]))
    assert found.axes[1].labels == ("0-4", "5-9", "10-14", MISSING)
    assert found.axes[2].labels == ("1", "2", "3")
    assert found.table.total == found.people == 500
    for place in itertools.product(*(range(len(axis)) for axis in found.axes)):
        area, age, rooms = (axis.labels[k] for axis, k in zip(found.axes, place, strict=True))
        chosen = frame[(frame["Area"] == area) & (frame["Age"] == age) & (frame["Rooms"] == int(rooms))]
        assert found.table.counts[place] == len(chosen)
        assert found.cell_keys[place] == sum(map(int, chosen["Key"])) % KEYS


def test_a_selection_and_groups(data):
    frame = people()
    query = Query(
        ["Rooms", "Sex"],
        {"Area": ["South; east", "10=ten"], "Age": [MISSING], "Rooms": ["2", "3"]},
        {"Rooms": {"two or three": ["2", "3"]}},
    )
    found = data.tabulate(query)
    chosen = frame[(frame["Area"] != "North") & frame["Age"].isna() & (frame["Rooms"] > 1)]
    assert found.table.axes[0].labels == ("two or three",)
    assert found.table.counts.tolist() == [[(chosen["Sex"] == "f").sum(), (chosen["Sex"] == "m").sum()]]


def test_the_order_of_records_does_not_matter(opened, data):
    shuffled = opened(people().sample(frac=1, random_state=1), key="Key")
    query = Query(["Area", "Sex"])
    np.testing.assert_array_equal(shuffled.tabulate(query).cell_keys, data.tabulate(query).cell_keys)


def test_keys_below_one_are_whole_numbers_too(opened, data):
    frame = people().assign(Key=lambda frame: frame["Key"] / KEYS)
    query = Query(["Area", "Sex"])
    np.testing.assert_array_equal(
        opened(frame, key="Key").tabulate(query).cell_keys, data.tabulate(query).cell_keys
    )


def test_a_hypercube_gives_the_tables_of_its_people(opened):
    cells = hypercube.hypercube(people=3000, seed=4)
    plain = cells.astype({axis.name: str for axis in hypercube.AXES})
    labels = {axis.name: axis.labels for axis in hypercube.AXES}
    found = opened(plain, count="Count", key="Key", labels=labels).tabulate(
        Query(["Age", "Sex"], {"Region": ["Region 2"]})
    )
    expected = cells[cells["Region"] == "Region 2"].groupby(["Age", "Sex"], observed=False)["Count"].sum()
    assert found.axes[0].labels == hypercube.AXES[2].labels
    assert found.table.counts.ravel().tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (lambda: Query(["Area", "Height"]), "no variable 'Height'|no variable .Height."),
        (lambda: Query(["Area"], {"Sex": ["x"]}), "no category"),
        (lambda: Query(["Area"], {"Sex' OR 1=1 --": ["f"]}), "no variable"),
        (lambda: Query(["Area"], {"Sex": ["f' OR '1'='1"]}), "no category"),
        (lambda: Query(["Area"], {"Sex": []}), "least one"),
        (lambda: Query([]), "or more"),
        (lambda: Query(["Area", "Area"]), "different"),
        (lambda: Query(["Area"], groups={"Sex": {"all": ["f", "m"]}}), "variable of"),
        (lambda: Query(["Sex"], groups={"Sex": {"all": ["f"], "both": ["f"]}}), "two groups"),
        (lambda: Query(["Sex"], groups={"Sex": {"all": ["q"]}}), "no category"),
    ],
)
def test_what_is_not_there_is_refused(data, query, sentence):
    with pytest.raises(InputError, match=sentence):
        data.tabulate(query())


def test_a_source_that_went_is_told_and_the_next_question_answered(opened, tmp_path, data):
    path = tmp_path / "gone.parquet"
    people().to_parquet(path)
    going = Tabulator.open(path, key="Key")
    path.unlink()
    with pytest.raises(InputError, match=r"gone\.parquet"):
        going.tabulate(Query(["Area"]))
    assert data.tabulate(Query(["Area"])).people == 500


def test_a_mistake_in_the_program_is_not_taken_for_a_source_that_went(monkeypatch):
    import ibis

    going = Tabulator.open(people(), key="Key")

    def broken(*args, **kwargs):
        raise TypeError("a mistake")

    monkeypatch.setattr(ibis.expr.types.Table, "to_pyarrow", broken)
    with pytest.raises(TypeError, match="a mistake"):
        going.tabulate(Query(["Area"]))


@pytest.mark.parametrize(
    ("change", "options", "sentence"),
    [
        ({"Count": -1}, {"count": "Count"}, "0 or more"),
        ({"Count": "many"}, {"count": "Count"}, "contain numbers"),
        ({"Count": 1.5}, {"count": "Count"}, "whole numbers"),
        ({"Count": np.inf}, {"count": "Count"}, "whole numbers"),
        ({"Key": KEYS}, {"key": "Key"}, "below"),
        ({"Key": 1.0}, {"key": "Key"}, "below 1"),
        ({}, {"count": "Persons"}, "no column"),
    ],
)
def test_wrong_columns_are_refused(change, options, sentence):
    with pytest.raises(InputError, match=sentence):
        Tabulator.open(people(20).assign(**change), **options)


def test_files_of_another_kind_are_refused(tmp_path):
    with pytest.raises(InputError, match="no file"):
        Tabulator.open(tmp_path / "none.parquet")
    (tmp_path / "people.txt").write_text("x")
    with pytest.raises(InputError, match="neither"):
        Tabulator.open(tmp_path / "people.txt")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="be read"):
        Tabulator.open(tmp_path / "broken.parquet")


def test_names_are_no_categories():
    frame = pd.DataFrame({"Name": [f"P{k}" for k in range(1500)]})
    with pytest.raises(InputError, match="1,000 categories"):
        Tabulator.open(frame).tabulate(Query(["Name"]))


def test_data_without_keys_say_so(data):
    found = Tabulator.open(people()).tabulate(Query(["Area"]))
    with pytest.raises(InputError, match="record keys"):
        _ = found.cell_keys


def test_a_huge_table_is_assessed_from_its_populated_cells():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(1000, size=2000) for name in "abc"})
    found = Tabulator.open(frame).tabulate(Query(list("abc")))
    assert found.cells > 10**8
    zeros, unevenness, size = found.terms()
    assert 0.99 < zeros < 1
    assert 0 < unevenness < 1
    assert 0 < size < 1
    with pytest.raises(InputError, match="5,000,000"):
        _ = found.table


words = (
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
    .map(str.strip)
    .filter(bool)
)


def _quoted(text):
    return '"' + text.replace('"', '""') + '"'


@settings(max_examples=200)
@given(st.dictionaries(words, st.lists(words, min_size=1, max_size=3), max_size=3))
def test_a_selection_is_read_as_it_was_written(chosen):
    text = "; ".join(f"{_quoted(name)}={'|'.join(map(_quoted, labels))}" for name, labels in chosen.items())
    assert selection(text) == {name: tuple(labels) for name, labels in chosen.items()}


@pytest.mark.parametrize("text", ["Sex", "Sex=f=m", "=f", "1=1; DROP TABLE records", "Sex=f; Sex=m", "Sex="])
def test_text_that_is_no_selection_is_refused(text):
    with pytest.raises(InputError, match="selection"):
        selection(text)


def test_marks_of_missing_values_are_one_category_and_blanks_make_none():
    frame = pd.DataFrame({"Job": ["b", "a ", "NA", None, "a", "."], "Age": ["9", "-", "41", "5", "", "9 "]})
    data = Tabulator.open(frame.assign(Key=range(6)), key="Key")
    found = data.tabulate(Query(["Job"]))
    assert (list(found.axes[0]), found.counts.tolist()) == (["a", "b", MISSING], [2, 1, 3])
    assert found.cell_keys.tolist() == [1 + 4, 0, 2 + 3 + 5]
    ages = data.tabulate(Query(["Age"], {"Job": ["a", MISSING]}))
    assert (list(ages.axes[0]), ages.table.counts.tolist()) == (["5", "9", "41", MISSING], [1, 1, 1, 2])
    assert data.values("Job")["a "] == 1


def test_categories_that_are_given_need_no_value_in_the_data():
    """Not even the category of missing values, in a column of numbers."""
    frame = pd.DataFrame({"Rooms": pd.array([1, 2, None, 2], dtype="Int64")})
    data = Tabulator.open(frame, labels={"Rooms": ["2", "1", MISSING, "3"]})
    found = data.tabulate(Query(["Rooms"])).table
    assert (list(found.axes[0]), found.counts.tolist()) == (["2", "1", MISSING, "3"], [2, 1, 1, 0])
    few = data.tabulate(Query(["Rooms"], {"Rooms": ["3", "1"]})).table
    assert few.total == 1


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")  # Ibis asks pandas so for SQLite
@pytest.mark.parametrize("database", ["duckdb", "sqlite", pytest.param("spark", marks=AT_SPARK)])
def test_a_generator_asks_a_database_where_it_is(database, tmp_path, request):
    """Its tables are those of a generator of the same records in a file."""
    frame = people()[["Area", "Sex", "Key"]]
    place = tmp_path / "people.db"
    if database == "spark":
        spark = request.getfixturevalue("spark")
        spark.create_view("people_of_generator", spark.create_table("people_as_given", frame, overwrite=True))
        source = "spark://#people_of_generator"
    elif database == "duckdb":
        with contextlib.closing(duckdb.connect(place)) as made:
            made.register("frame", frame)
            made.execute("CREATE TABLE people AS FROM frame")
        source = f"duckdb://{place}#people"
    else:
        with contextlib.closing(sqlite3.connect(place)) as made:
            made.execute("CREATE TABLE people (Area TEXT, Sex TEXT, Key INTEGER)")
            made.executemany("INSERT INTO people VALUES (?, ?, ?)", frame.to_numpy().tolist())
            made.commit()
        source = f"sqlite://{place}#people"
    policy = Policy("public", Rules(people=1, mean=0, small=1, after=1, utility=0))
    there = TableGenerator.init(tmp_path / "there", source, policy, key="Key", in_place=True, secret=7)
    here = TableGenerator.init(tmp_path / "here", frame, policy, key="Key", secret=7)
    for by, where in ((["Area", "Sex"], {}), (["Sex"], {"Area": ["North"]}), (["Area"], {"Sex": ["f"]})):
        where = {name: [there.variable(name).labels[0]] for name in where}
        assert TableGenerator(there.folder).ask(by, where).answer == here.ask(by, where).answer
