"""What a notebook shows of a table, a release, an assessment and a finding: accessible, safe, at most one screen."""

import inspect
import pickle
import re
import subprocess
import sys
from copy import deepcopy
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from traitlets import HasTraits

import sdcwidgets
from sdcwidgets import FrequencyTable, MagnitudeTable, Release, assess, attacks, examples, protect
from sdcwidgets._util.parameters import declared
from sdcwidgets.methods.targeted import swap, swap_file
from sdcwidgets.microdata import Microdata
from sdcwidgets.tables.io.options import Choice, ReadOptions
from sdcwidgets.tables.io.sources import read_csv


class Read(HTMLParser):
    """What a browser makes of HTML: its elements with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data + "\n"

    def count(self, tag: str) -> int:
        return sum(one == tag for one, _ in self.elements)


def things(table):
    release = protect(table, "random-rounding", seed=1)
    hidden = protect(table, "cell-suppression", seed=1)
    return [
        table,
        release,
        hidden,
        assess(table),
        assess(table, "random-rounding", replications=10),
        attacks.get("linking")(release),
    ]


@pytest.fixture(scope="module")
def religion():
    return things(examples.load("religion"))


def test_each_is_a_table_with_caption_and_heads(religion):
    for thing in religion:
        read = Read(thing._repr_html_())
        assert (read.count("table"), read.count("caption")) == (1, 1)
        assert {attrs["scope"] for tag, attrs in read.elements if tag == "th"} == {"col", "row"}
        assert "Area 1" in read.text
        if isinstance(thing, FrequencyTable | Release):
            assert "(" not in thing._repr_html_().partition("</caption>")[0].partition("<caption")[2]
        assert len(repr(thing)) < 300


def test_marks_are_said_in_words(religion):
    table, _, hidden, *_ = religion
    html = table._repr_html_()
    small = int(((table.counts > 0) & (table.counts < 3)).sum())
    assert html.count('title="one or two people"') == small > 0
    assert html.count('title="nobody"') == int((table.counts == 0).sum())
    gaps = sum(int((texts != "").sum()) for texts in hidden.symbols.values())
    assert hidden._repr_html_().count('title="not published"') == gaps > 0


def test_the_risk_stands_in_the_margin(religion):
    table, assessed = religion[0], religion[3]
    read = Read(assessed._repr_html_())
    assert "Risk R₁" in read.text
    for axis in table.axes:
        for risk in assessed.slices[axis.name].r1:
            assert f"{risk:.3f}" in read.text
    assert f"{assessed.whole_slice.r1[0]:.3f}" in read.text


def test_a_large_table_is_no_more_than_a_screen():
    large = FrequencyTable([[3] * 400 for _ in range(500)])
    for thing in things(FrequencyTable([[3] * 40 for _ in range(50)])):
        assert Read(thing._repr_html_()).count("td") <= 27 * 17
    html = large._repr_html_()
    assert len(html) < 30_000
    assert "475 more rows. 385 more columns." in html


@pytest.mark.parametrize(
    ("shape", "totals", "said"),
    [
        ((24, 3), True, []),
        ((25, 3), True, ["Of 26 rows 25 are shown."]),
        ((25, 3), False, []),
        ((26, 3), False, ["Of 26 rows 25 are shown."]),
        ((5, 5, 2), False, []),
        ((5, 5, 2), True, ["Of 36 rows 25 are shown."]),
        ((24,), True, []),
        ((25,), True, ["Of 26 rows 25 are shown."]),
        ((2, 14), True, []),
        ((2, 15), True, ["Of 16 columns 15 are shown."]),
    ],
)
def test_a_release_says_how_many_lines_it_does_not_show(shape, totals, said):
    table = FrequencyTable(np.full(shape, 3))
    every = tuple(range(len(shape)))
    release = Release.of(table) if totals else Release(table.axes, {every: table.counts})
    html = release._repr_html_()
    assert re.findall(r"Of \d+ \w+ \d+ are shown\.", html) == said


@given(st.text(min_size=1).filter(str.strip), st.integers(1, 3))
def test_labels_are_text_whatever_they_are(label, axes):
    try:
        shape = (2,) * axes
        names = [(f"{label}{k}", (label, f"{label}!")) for k in range(axes)]
        table = FrequencyTable(
            [[1, 2], [0, 4]] if axes == 2 else [3, 1] if axes == 1 else [[[1, 2]] * 2] * 2, names
        )
    except sdcwidgets.InputError:
        return
    assert table.shape == shape
    known = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "span"}
    for html in (table._repr_html_(), assess(table)._repr_html_()):
        read = Read(html)
        assert {tag for tag, _ in read.elements} <= known
        assert not any(name.startswith("on") for _, attrs in read.elements for name in attrs)


def test_everything_named_is_there_and_typed():
    assert dir(sdcwidgets) == sorted(sdcwidgets.__all__)
    for name in sdcwidgets.__all__:
        assert getattr(sdcwidgets, name) is not None
    assert {
        "Release",
        "Finding",
        "Method",
        "MagnitudeTable",
        "measures",
        "tableserver",
        "widgets",
        "dashboards",
    } <= set(dir(sdcwidgets))
    with pytest.raises(AttributeError, match="nothing"):
        _ = sdcwidgets.nothing


def test_the_function_stays_when_its_module_is_loaded():
    code = "import sdcwidgets.assessment, sdcwidgets; assert callable(sdcwidgets.assess); sdcwidgets.FrequencyTable"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = 'from sdcwidgets.tables.table import FrequencyTable as T; print(T.from_csv("A,b\\nx,3\\ny,4\\n"))'
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "total 7" in done.stdout


@pytest.mark.parametrize("reader", ["from_csv", "from_frame", "from_excel"])
def test_readers_name_every_choice_there_is(reader):
    parameters = inspect.signature(getattr(FrequencyTable, reader)).parameters
    assert not any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    other = {
        "from_csv": {"sheet"},
        "from_excel": {"sheet", "encoding"},
        "from_frame": {"sheet", "encoding", "decimals"},  # a layout of a file states the unit
    }[reader]
    own = {one.name: one.default for one in declared(ReadOptions) if one.name not in other}
    assert {name: one.default for name, one in parameters.items() if name in own} == own


def test_no_reader_hides_what_it_takes():
    given, others = (inspect.signature(one).parameters for one in (swap_file, swap))
    assert [*given][1:] == [name for name in others if name not in ("records", "household")]


def test_values_are_pickled_and_copied(religion):
    for thing in religion[:4]:
        assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)
        assert repr(deepcopy(thing)) == repr(thing)


PEOPLE = {"Area": list("aabb"), "Job": list("xyxy"), "firm": [1, 2, 3, 4], "amount": [9, 8, 7, 6]}


def test_files_of_people_and_amounts_are_copied_and_pickled():
    frame = pd.DataFrame(PEOPLE)
    file = Microdata.from_frame(frame, sensitive=("Job",))
    amounts = MagnitudeTable.from_frame(frame, ("Area", "Job"), holder="firm", amount="amount")
    for thing in (file, amounts):
        for copy in (deepcopy(thing), pickle.loads(pickle.dumps(thing))):
            assert repr(copy) == repr(thing)
            assert copy.to_frame().equals(thing.to_frame())


def test_what_is_large_is_told_in_a_line():
    large = FrequencyTable(np.full((300, 300), 3))
    rounded = assess(large, "conventional-rounding")
    after = rounded.after
    amounts = MagnitudeTable.from_records([(str(k), "x", k, 1) for k in range(2000)], ("Area", "Job"))
    things = [
        large,
        rounded,
        after,
        after.first,
        after.whole_slice,
        after.slices["Row"],
        rounded.rows,
        amounts,
    ]
    assert max(len(repr(thing)) for thing in things) < 600


def test_risks_by_slice_readings_and_choices_are_tables_too():
    rows = assess(examples.load("religion")).rows
    read = Read(rows._repr_html_())
    assert (read.count("caption"), read.count("tr")) == (1, len(rows) + 1)
    assert all(f"{risk:.3f}" in read.text for risk in rows.r1)
    reading = read_csv("Area,m,f,Total\nA,1,2,3\nB,3,4,7\n")
    assert reading.notes[0] in Read(reading._repr_html_()).text
    choice = Choice("only", {f"Year={k}<": f"Year: {k}" for k in range(40)}, ("Year=3<",))
    read = Read(choice._repr_html_())
    assert "Year=3<\nYear: 3\nchosen" in read.text
    assert "15 more." in read.text
    assert Read(assess(FrequencyTable([[3] * 4 for _ in range(50)])).rows._repr_html_()).count("tr") == 26


def test_what_a_user_calls_names_its_parameters():
    """But for what has the names of a method's or rule's settings, or of a table's axes."""
    rooms = [getattr(sdcwidgets, name) for name in sdcwidgets.__all__]
    found = rooms + [getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())]
    calls = [one for one in found if inspect.isfunction(one)]
    for one in found:
        if inspect.isclass(one) and not issubclass(one, HasTraits):
            calls += [getattr(one, name) for name in vars(one) if not name.startswith("_")]
    anything = {
        one.__qualname__
        for one in calls
        if callable(one)
        and any(given.kind is given.VAR_KEYWORD for given in inspect.signature(one).parameters.values())
    }
    of_others = {
        "assess",
        "compare",  # names the method to which a setting belongs
        "protect",
        "method_of",
        "Measure.of",
        "MagnitudeTable.sensitive",
        "MagnitudeTable.suppress",
    }
    # from_records names the function that has an argument such as by.
    of_axes = {"FrequencyTable.slice", "FrequencyTable.rename", "FrequencyTable.from_records"}
    assert anything == of_others | of_axes
