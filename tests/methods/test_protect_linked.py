"""`protect` with hierarchies, linked tables, frozen cells and costs gives what the command line gives."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import (
    FrequencyTable,
    InputError,
    LinkedRelease,
    Release,
    assess,
    attacks,
    compare,
    methods,
    protect,
)
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.cli import main

COUNTS = [[1, 9, 8], [7, 20, 5], [6, 5, 30], [9, 8, 7]]
TABLE = FrequencyTable(COUNTS, {"Area": [*"abcd"], "Age": [*"xyz"]})
SIDES = {"a": "north", "b": "north", "c": "south", "d": "south"}
SEED = 3**60 + 1618033989
CUBE = FrequencyTable(
    np.arange(1, 25).reshape(2, 3, 4), {"Area": [*"ab"], "Age": [*"xyz"], "Job": ["j", "k", "l", "m"]}
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("table.csv")
    Path("areas.csv").write_text(
        "Area,Part\n" + "".join(f"{label},{part}\n" for label, part in SIDES.items()), "utf-8"
    )
    Path("stay.csv").write_text("Area,Age\nb,x\n", "utf-8")
    Path("costs.csv").write_text("Area,Age,cost\na,z,1000\n", "utf-8")
    return tmp_path


def on_the_command_line(*options, out="out.csv"):
    arguments = [
        "protect",
        "table.csv",
        "--method",
        "cell-suppression",
        "--seed",
        str(SEED),
        "-o",
        out,
        *options,
    ]
    assert main(arguments) == 0
    return Path(out).read_text("utf-8")


def test_each_option_has_an_argument_with_the_same_result(folder):
    for options, arguments in (
        (["--hierarchy", "Area=areas.csv"], {"hierarchies": {"Area": SIDES}}),
        (["--hierarchy", "Area=areas.csv"], {"hierarchies": {"Area": Path("areas.csv")}}),
        (["--tables", "Area;Age"], {"tables": [["Area"], ["Age"]]}),
        (["--tables", "Area;Age"], {"tables": ["Area", "Age"]}),
        (["--frozen", "stay.csv"], {"frozen": "stay.csv"}),
        (["--frozen", "stay.csv"], {"frozen": [{"Area": "b", "Age": "x"}]}),
        (["--costs", "costs.csv"], {"costs": pd.DataFrame({"Area": ["a"], "Age": ["z"], "cost": [1000]})}),
        (
            ["--costs", "costs.csv"],
            {"costs": pd.Series([1000], pd.MultiIndex.from_tuples([("a", "z")], names=["Area", "Age"]))},
        ),
    ):
        release = protect(TABLE, "cell-suppression", seed=SEED, **arguments)
        assert release.to_csv() == on_the_command_line(*options, "--force"), (options, arguments)


def test_frozen_cells_are_published_and_costly_cells_are_not_suppressed():
    usual = protect(TABLE, "cell-suppression", choice="optimal", seed=SEED)
    row, column = (int(k[1]) for k in np.nonzero(usual.suppressed))
    entry = {"Area": "abcd"[row], "Age": "xyz"[column]}
    stay = np.zeros((5, 4), dtype=bool)
    stay[row, column] = True
    costly = np.where(stay, 1e6, np.nan)
    for arguments in (
        {"frozen": [entry]},
        {"frozen": stay},
        {"costs": [entry | {"cost": 1e6}]},
        {"costs": costly},
    ):
        release = protect(TABLE, "cell-suppression", choice="optimal", seed=SEED, **arguments)
        assert isinstance(release, Release)
        assert not release.suppressed[row, column]
        assert release.suppressed[0, 0]
        assert release.notes == usual.notes


def test_a_linked_release_holds_no_suppressed_count(folder):
    release = protect(TABLE, "cell-suppression", hierarchies={"Area": SIDES}, seed=SEED)
    assert isinstance(release, LinkedRelease)
    assert release.suppressed.any()
    for values in (release.margin("Area", "Age"), release.to_frame()["value"]):
        assert int(values.isna().sum()) == int(release.suppressed.sum())
    intervals = release.intervals()
    cells = intervals[intervals["Area"].isin([*"abcd"]) & intervals["Age"].isin([*"xyz"])]
    counts = TABLE.counts.ravel()
    assert (cells["lower"] <= counts).all()
    assert (counts <= cells["upper"]).all()
    hidden = cells["published"].isna()
    assert (cells["upper"] - cells["lower"])[hidden].min() >= 2
    release.to_excel("out.xlsx", title="Areas")
    text = pd.read_excel("out.xlsx", header=None)
    assert text[0][0] == "Areas"
    assert text[0].isin(release.notes).sum() == len(release.notes)


def test_margins_of_linked_tables_are_those_of_the_table():
    release = protect(CUBE, "cell-suppression", tables=[["Area", "Age"], ["Age", "Job"]], seed=SEED)
    for names in (("Area",), ("Age",), ("Job",), ("Age", "Job"), ("Job", "Age"), ()):
        published = release.margin(*names)
        original = CUBE.margin(*names)
        assert published.index.tolist() == original.index.tolist()
        shown = published.notna()
        assert (published[shown] == original[shown]).all()
    with pytest.raises(InputError, match="Area"):
        release.margin("Area", "Job")


def test_a_new_secret_is_reported_as_a_caution():
    with pytest.warns(UserWarning, match="secret"):
        release = protect(TABLE, "cell-suppression", hierarchies={"Area": SIDES})
    assert "secret" in release.cautions[0]
    ring = [["Area", "Age"], ["Age", "Job"], ["Job", "Area"]]
    assert "cycle" in protect(CUBE, "cell-suppression", tables=ring, seed=SEED).cautions[0]


@pytest.mark.parametrize(
    "hierarchy",
    [
        {"north": ["a", "b"], "south": ("c", "d")},
        pd.DataFrame({"Area": [*"abcd"], "Part": ["north", "north", "south", "south"]}),
        pd.DataFrame(
            {"parent": [*SIDES.values(), None, None], "label": [*SIDES, "north", "south"], "other": 1}
        ),
    ],
)
def test_a_hierarchy_is_also_a_frame_or_the_labels_of_each_parent(hierarchy):
    expected = protect(TABLE, "cell-suppression", hierarchies={"Area": SIDES}, seed=SEED)
    release = protect(TABLE, "cell-suppression", hierarchies={"Area": hierarchy}, seed=SEED)
    assert release == expected


def test_labels_of_parents_have_several_levels():
    levels = {"all": ["north", "c", "d"], "north": ["a", "b"]}
    parents = {"a": "north", "b": "north", "c": "all", "d": "all", "north": "all"}
    releases = [
        protect(TABLE, "cell-suppression", hierarchies={"Area": hierarchy}, seed=SEED)
        for hierarchy in (levels, parents)
    ]
    assert releases[0] == releases[1]


def test_an_axis_that_looks_hierarchical_has_a_message_with_the_arguments_of_protect():
    counts = [[30, 40], [12, 20], [18, 20], [7, 8], [3, 3], [4, 5]]
    table = FrequencyTable(
        counts, {"Area": ["North", "N 1", "N 2", "South", "S 1", "S 2"], "Sex": ["m", "f"]}
    )
    with pytest.raises(InputError) as error:
        protect(table, "cell-suppression", seed=SEED)
    for text in ('hierarchies={"Area": "detected"}', 'non_hierarchical=("Area",)'):
        assert text in str(error.value)
    protect(table, "cell-suppression", hierarchies={"Area": "detected"}, seed=SEED)
    protect(table, "cell-suppression", non_hierarchical=("Area",), seed=SEED)
    # The question about sub-totals of a file names the argument, too.
    with pytest.raises(InputError) as question:
        FrequencyTable.from_csv("Area,m,f\nNorth,30,40\nN 1,12,20\nN 2,18,20\nSouth,7,8\nS 1,3,3\nS 2,4,5\n")
    assert 'hierarchies={"Area": "detected"}' in str(question.value)
    assert 'margins="keep"' in str(question.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hierarchies": {"Area": {"north": ["a", "b"], "south": ["b", "c", "d"]}}}, ["b", "north", "south"]),
        ({"hierarchies": {"Area": {"north": ["a", "b"], "c": "south"}}}, ["Area", "mixes"]),
        ({"hierarchies": {"Area": pd.DataFrame({"label": [*"abcd"]})}}, ["Area", "1 columns", "parent"]),
        ({"method": "random-rounding", "tables": [["Area"]]}, ["tables", "cell-suppression"]),
        ({"hierarchies": {"Region": SIDES}}, ["Region", "Area"]),
        ({"hierarchies": {"Area": {"a": "north"}}}, ["b", "missing"]),
        ({"hierarchies": {"Area": 3}}, ["Area", "int"]),
        ({"hierarchies": ["Area"]}, ["list", "mapping"]),
        ({"hierarchies": {"Area": "none.csv"}}, ["none.csv"]),
        ({"tables": "Area"}, ["Area", "lists"]),
        ({"tables": []}, ["lists"]),
        ({"tables": [["Area", "Sex"]]}, ["Sex", "Area"]),
        ({"tables": [3]}, ["3"]),
        ({"frozen": [{"Area": "a"}]}, ["Age", "Row 1"]),
        ({"frozen": [{"Area": "q", "Age": "x"}]}, ["q", "Area"]),
        ({"frozen": [{"Area": "a", "Age": "x"}]}, ["frozen", "threshold"]),
        ({"frozen": [("a", "x")]}, ["mappings"]),
        ({"frozen": 3}, ["mappings"]),
        ({"frozen": np.zeros((4, 3), dtype=bool)}, ["(4, 3)", "(5, 4)"]),
        ({"costs": [{"Area": "a", "Age": "x"}]}, ["cost"]),
        ({"costs": [{"Area": "a", "Age": "x", "cost": "high"}]}, ["high"]),
        ({"costs": [{"Area": "a", "Age": "x", "cost": float("nan")}]}, ["nan"]),
        ({"costs": [{"Area": "a", "Age": "x", "cost": 0}]}, ["cost", "above 0"]),
        ({"costs": [{"Area": "a", "Age": "x", "cost": 1}] * 2}, ["Row 2", "row 1"]),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(arguments, words):
    with pytest.raises(InputError) as raised:
        protect(TABLE, arguments.pop("method", "cell-suppression"), seed=SEED, **arguments)
    assert [word for word in words if word not in str(raised.value)] == []
    assert str(raised.value).endswith(".")


def test_a_part_of_linked_tables_is_one_table(folder):
    release = protect(
        CUBE, "cell-suppression", tables=[["Area", "Age"], ["Age", "Job"]], threshold=9, seed=SEED
    )
    for names in (("Area", "Age"), ("Age", "Area"), ("Job", "Age"), ("Job",)):
        part = release.part(*names)
        assert part.names == names
        assert part.margin(*names).equals(release.margin(*names))
        assert part.margin().equals(release.margin())
        part.to_csv("part.csv")
        text = Path("part.csv").read_text("utf-8")
        assert text.splitlines()[0] == ",".join([*names, "count"])
        assert all(note in text for note in release.notes)
    assert release.part("Age").suppressed.sum() == release.margin("Age").isna().sum()
    for wrong in ((), ("Area", "Job"), ("Age", "Age"), ("Sex",), (3,)):
        with pytest.raises(InputError):
            release.part(*wrong)


def test_a_linked_release_is_not_judged_or_attacked():
    release = protect(TABLE, "cell-suppression", hierarchies={"Area": SIDES}, seed=SEED)
    for call in (
        lambda: judge(TABLE, release, ReleaseLimits("Panel", risk=0.5)),
        lambda: judge(TABLE, None, ReleaseLimits("Panel", risk=0.5), others=[release]),
        lambda: assess(TABLE, release),
        lambda: attacks.linking(release),
        lambda: compare(TABLE, [release]),
    ):
        with pytest.raises(InputError, match="LinkedRelease"):
            call()


def test_a_method_is_given_by_name_by_class_or_with_its_settings():
    rounding = methods.get("random-rounding")
    expected = protect(TABLE, "random-rounding", base=5, seed=SEED)
    assert protect(TABLE, rounding, base=5, seed=SEED) == expected
    assert protect(TABLE, rounding(base=5), seed=SEED) == expected
    for wrong in (int, dict, 3, None, object()):
        with pytest.raises(InputError):
            protect(TABLE, wrong)
