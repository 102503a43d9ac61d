import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from refusing import sentence
from stating import stating

from sdcwidgets import InputError, assess, attacks, methods
from sdcwidgets._util.labels import MOST_PEOPLE
from sdcwidgets.tables.release import Release
from sdcwidgets.tables.table import Axis, FrequencyTable

SEX = FrequencyTable([[161, 141], [105, 94]], {"Area": ["Area 1", "Area 2"], "Sex": ["Male", "Female"]})
CUBE = FrequencyTable(
    np.arange(12).reshape(2, 3, 2), {"Area": ["a", "b"], "Age": ["0", "1", "2"], "Sex": ["m", "f"]}
)

names = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1, max_size=8
).filter(str.strip)


@st.composite
def tables(draw, min_ndim=1, max_ndim=3, labels=names):
    shape = draw(st_numpy.array_shapes(min_dims=min_ndim, max_dims=max_ndim, max_side=4))
    counts = draw(st_numpy.arrays(np.int64, shape, elements=st.integers(0, 10**6)))
    called = draw(st.lists(labels, min_size=len(shape), max_size=len(shape), unique=True))
    axes = [
        (name, draw(st.lists(labels, min_size=n, max_size=n, unique=True)))
        for name, n in zip(called, shape, strict=True)
    ]
    return FrequencyTable(counts, axes)


def test_says_what_it_is():
    assert SEX.shape == (2, 2)
    assert SEX.ndim == 2
    assert SEX.cells == 4
    assert SEX.total == 501
    assert SEX.rows == Axis("Area", ("Area 1", "Area 2"))
    assert list(SEX.columns) == ["Male", "Female"]
    assert SEX.counts.dtype == np.int64
    assert repr(SEX) == "FrequencyTable(Area: 2, Sex: 2; total 501)"


def test_rows_and_columns_are_the_first_and_the_last_axis():
    assert (CUBE.rows.name, CUBE.columns.name) == ("Area", "Sex")
    line = CUBE.marginal("Age")
    assert line.rows is line.columns


def test_never_changes():
    with pytest.raises(ValueError, match="read-only"):
        SEX.counts[0, 0] = 1
    with pytest.raises(AttributeError):
        SEX.counts = np.ones((2, 2))
    given_counts = np.ones((2, 2), dtype=np.int64)
    table = FrequencyTable(given_counts)
    given_counts[0, 0] = 9
    assert table.counts[0, 0] == 1


@pytest.mark.parametrize(
    "axes",
    [
        {"Area": ["1", "2"], "Sex": ["m", "f"]},
        [("Area", ["1", "2"]), ("Sex", ["m", "f"])],
        [Axis("Area", ("1", "2")), ("Sex", np.array(["m", "f"]))],
        {"Area": [1, 2], "Sex": ("m", "f")},
    ],
)
def test_axes_in_every_form(axes):
    table = FrequencyTable([[1, 2], [3, 4]], axes)
    assert table.axes == (Axis("Area", ("1", "2")), Axis("Sex", ("m", "f")))


def test_usual_labels():
    assert FrequencyTable([[1, 2]]).axes == (
        Axis("Row", ("Row 1",)),
        Axis("Column", ("Column 1", "Column 2")),
    )
    assert [axis.name for axis in FrequencyTable([1, 2]).axes] == ["Row"]
    assert [axis.name for axis in FrequencyTable(np.zeros((1, 1, 1, 1), int)).axes] == [
        "Row",
        "Layer 1",
        "Layer 2",
        "Column",
    ]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (-1, "-1 is negative"),
        (2.5, "2.5 is not"),
        (None, "is empty"),
        (pd.NA, "is empty"),
        ("x", '"x" is text'),
        (
            float("nan"),
            "NaN is not",
        ),
        (float("inf"), "infinity is not"),
        (MOST_PEOPLE + 1, "9,007,199,254,740,992"),
        pytest.param(10**5000, "9,007,199,254,740,992", id="huge"),
        pytest.param(-(10**5000), "is negative", id="-huge"),
    ],
)
def test_a_bad_count_is_named(value, reason):
    for bad in ([[1, 2], [3, value]], np.array([[1, 2], [3, value]], dtype=object)):
        with pytest.raises(InputError) as error:
            FrequencyTable(bad, SEX.axes)
        assert str(error.value) == stating('Row "Area 2", column "Female": ', reason)
    with pytest.raises(InputError) as error:
        SEX.with_count((1, 1), value)
    assert str(error.value) == stating('Row "Area 2", column "Female": ', reason)


def test_a_bad_count_in_three_dimensions_is_named_on_each_axis():
    with pytest.raises(InputError, match=r'^Area "b", Age "0", Sex "f": -1 is negative'):
        CUBE.with_count((1, 0, 1), -1)


def test_true_is_no_count():
    with pytest.raises(InputError, match='"True" is text'):
        FrequencyTable([True, False])


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.float32, float, object])
def test_whole_numbers_of_any_type(dtype):
    assert FrequencyTable(np.array([[161, 141], [105, 94]], dtype=dtype), SEX.axes) == SEX


def test_the_largest_total():
    half = MOST_PEOPLE // 2
    assert FrequencyTable([half, half]).total == MOST_PEOPLE
    for counts in ([half, half + 1], [MOST_PEOPLE] * 2000):
        with pytest.raises(InputError, match="sum to more than 9,007,199,254,740,992"):
            FrequencyTable(counts)


@pytest.mark.parametrize(
    ("counts", "axes", "says"),
    [
        ([[1, 2], [3]], None, "different lengths"),
        ([], None, "no counts"),
        (5, None, "no counts"),
        ([[1, 2]], {"A": ["x"], "B": ["y"]}, "labels describe an array of 1 by 1"),
        ([[1, 2]], {"A": ["x"]}, "labels describe an array of 1;"),
        ([[1, 2]], [("A", ["x"]), ("A", ["y", "z"])], "must be different"),
        ([1, 2], {"A": ["x", "x"]}, 'label "x" twice'),
        ([1, 2], {"A": ["x", " "]}, 'Label 2 of axis "A" is blank'),
        ([1, 2], {" ": ["x", "y"]}, "no name"),
        ([1, 2], [Axis("A", ("x", "y")), Axis("B", ("z",))], "labels describe an array of 2 by 1"),
    ],
)
def test_counts_and_axes_that_do_not_fit(counts, axes, says):
    with pytest.raises(InputError, match=says):
        FrequencyTable(counts, axes)


def test_an_axis_needs_labels():
    with pytest.raises(InputError, match="no labels"):
        Axis("A", ())


def test_a_table_of_zeros_is_a_table():
    assert FrequencyTable([[0, 0]]).total == 0


def test_changed_copies():
    changed = SEX.with_count((0, 1), 7)
    assert changed.counts.tolist() == [[161, 7], [105, 94]]
    assert changed.with_counts(SEX.counts) == SEX
    assert SEX.counts[0, 1] == 141


def test_margins():
    assert SEX.marginal("Area").counts.tolist() == [302, 199]
    assert CUBE.marginal("Sex", "Area").counts.tolist() == [[6, 24], [9, 27]]
    for names, said in [
        ((), "or more"),
        (("Sex", "Sex"), "different axes"),
        (("Age?",), 'no axis "Age?"'),
    ]:
        with pytest.raises(InputError) as error:
            CUBE.marginal(*names)
        assert said in str(error.value)


def test_slices():
    assert CUBE.slice(Area="b").counts.tolist() == [[6, 7], [8, 9], [10, 11]]
    assert CUBE.slice({"Age": ["2", "0"]}, Area="a").counts.tolist() == [[4, 5], [0, 1]]
    for chosen, said in [
        ({"Area": "c"}, 'no label "c"'),
        ({"Region": "a"}, 'no axis "Region"'),
        ({"Area": "a", "Age": "0", "Sex": "f"}, "Leave out"),
        ({"Area": []}, "no labels"),
    ]:
        with pytest.raises(InputError, match=said):
            CUBE.slice(chosen)


@settings(max_examples=60)
@given(tables())
def test_a_table_is_a_value(table):
    twin = FrequencyTable(table.counts, table.axes)
    assert twin == table
    assert hash(twin) == hash(table)
    copy = pickle.loads(pickle.dumps(table))
    assert copy == table
    assert not copy.counts.flags.writeable
    first = (0,) * table.ndim
    assert table.with_count(first, int(table.counts[first]) + 1) != table
    assert table != table.counts.tolist()


@settings(max_examples=60)
@given(tables(min_ndim=2))
def test_every_margin_holds_everybody(table):
    for axis in table.axes:
        assert table.marginal(axis.name).total == table.total
        assert sum(table.slice({axis.name: label}).total for label in axis) == table.total
    assert table.marginal(*(axis.name for axis in table.axes)) == table


def reads(table):
    """Whether reading takes the table; it refuses those with nothing to assess."""
    return table.cells > 1 and table.total > 0


@settings(max_examples=60)
@given(tables())
def test_written_csv_reads_back_equal(table):
    if reads(table):
        assert FrequencyTable.from_csv(table.to_csv()) == table


@settings(max_examples=60)
@given(
    tables(labels=st.text("=+-@'\t\r\n \\\"; ,.7xc\ufeff\u200b", min_size=1, max_size=6).filter(str.strip))
)
def test_awkward_labels_survive_csv(table):
    if reads(table):
        assert FrequencyTable.from_csv(table.to_csv()) == table
        assert FrequencyTable.from_csv(table.to_csv().encode()) == table


@settings(max_examples=60)
@example(FrequencyTable([[[1], [1]]], {"A": "A", "B": "AB", "Total": "A"}))
@given(tables(labels=st.sampled_from(["A", "B", "Total", "All", "12", "-", "Count", "sep=;"])))
def test_a_category_that_is_the_sum_of_the_others_survives_csv(table):
    if reads(table):
        assert FrequencyTable.from_csv(table.to_csv()) == table


@settings(max_examples=60)
@given(tables())
def test_a_frame_reads_back_equal(table):
    if reads(table):
        assert FrequencyTable.from_frame(table.to_frame(), totals=False, doubts="accept") == table


def test_no_label_is_a_formula_in_csv():
    labels = ["=1+1", "+1", "-1", "@x", "\tx", "\rx", " =1", "'=1", "x"]
    table = FrequencyTable([range(9), range(9)], {"=a": ["x", "y"], "b": labels})
    header = table.to_csv().split("\n")[0]
    assert header.startswith('''"'=a \\ b","'=1+1","'+1","'-1","'@x","'\tx"''')
    assert FrequencyTable.from_csv(table.to_csv()) == table
    assert '"=1+1"' in table.to_csv(escape=False)


def test_importing_the_table_loads_nothing_heavy():
    code = (
        "import sys, types; package = types.ModuleType('sdcwidgets'); "
        "package.__path__ = [sys.argv[1]]; sys.modules['sdcwidgets'] = package; import sdcwidgets.tables.table; "
        "print({'pandas', 'scipy', 'openpyxl', 'sdcwidgets.tables.io.sources'} & set(sys.modules))"
    )
    import sdcwidgets

    run = [sys.executable, "-c", code, sdcwidgets.__path__[0]]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip() == "set()"


def test_what_has_labels_is_not_taken_for_counts():
    frame = pd.DataFrame({"m": [1, 2], "f": [3, 4]})
    for labelled in (frame, frame["m"]):
        assert "FrequencyTable.from_frame" in sentence(FrequencyTable, labelled)
    assert FrequencyTable(frame, {"x": ["a", "b"], "y": ["m", "f"]}).total == 10


def test_what_is_no_table_is_told_how_to_become_one():
    assert "The table is a DataFrame; use FrequencyTable.from_csv" in sentence(
        assess, pd.DataFrame({"m": [1]})
    )
    assert "The table is a str" in sentence(assess, "table.csv")
    table, method = FrequencyTable([[1, 5], [7, 3]]), methods.get("random-rounding")()
    assert "release, not a FrequencyTable" in sentence(attacks.suppression, table)
    assert "release, not a FrequencyTable" in sentence(attacks.linking, [table])
    assert method.apply(table, 7) == method.apply(table, np.random.default_rng(7))
    assert method.release(table, 7) == method.release(table, np.random.default_rng(7))
    assert "no records" in sentence(FrequencyTable.from_records, pd.DataFrame({"Area": []}), ["Area"])


def test_axes_are_renamed_with_their_respondents():
    table = FrequencyTable([[20, 3], [4, 5]], {"Row": "ab", "Column": "mf"}).with_respondents(
        [[2, 1], [1, 1]]
    )
    named = table.rename({"Row": "Area"}, Column="Sex")
    assert [axis.name for axis in named.axes] == ["Area", "Sex"]
    assert [axis.name for axis in named.respondents.axes] == ["Area", "Sex"]
    assert named.rename(Area="Row", Sex="Column") == table
    assert table.rename(Row="Column", Column="Row").axes[0].name == "Column"  # both at once
    for names in ({"Region": "Area"}, {"Row": "Column"}, {"Row": 3}, {"Row": " "}):
        with pytest.raises(InputError):
            table.rename(names)
    with pytest.raises(InputError, match="list"):
        table.rename(["Area", "Sex"])


def test_totals_of_a_release_have_the_label_of_the_caller(tmp_path):
    release = Release.of(FrequencyTable([[20, 3], [4, 5]], {"Area": "ab", "Sex": "mf"}))
    lines = release.to_csv(total="All").splitlines()
    assert lines[0].split(",")[-1] == lines[-1].split(",")[0] == "All"
    assert lines[-1] == "All,24,8,32"
    release.to_excel(tmp_path / "all.xlsx", total="All")
    assert pd.read_excel(tmp_path / "all.xlsx", header=None).iloc[-1].tolist() == ["All", 24, 8, 32]
