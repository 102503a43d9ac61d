"""Wrong calls of the public interface end in an InputError with one sentence, never in an error from inside."""

import re
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd
import pytest

from sdcwidgets import (
    Axis,
    FrequencyTable,
    InputError,
    MagnitudeTable,
    Release,
    assess,
    attacks,
    compare,
    examples,
    measures,
    methods,
    microdata,
    plots,
    protect,
    widgets,
)
from sdcwidgets.assessment.verdict import ReleaseLimits, judge, load
from sdcwidgets.dashboards import explore
from sdcwidgets.methods import cellkey
from sdcwidgets.parameters import Choices, Label

TABLE = examples.load("religion")
RELEASE = protect(TABLE, "random-rounding", seed=3**60)
LINKED = protect(TABLE, "cell-suppression", tables=[["Area"], ["Religion"]], seed=3**60)
ASSESSMENT = assess(TABLE, "random-rounding", replications=2)
RECORDS = pd.DataFrame({"area": ["a", "b"], "sex": ["m", "f"]})


@dataclass(frozen=True)
class Halves(methods.PostTabular):
    """Publishes halves, or counts in a wrong shape."""

    kind: Annotated[str, Choices({"shape": "a", "half": "b", "text": "c", "none": "d"}), Label("Kind")] = (
        "shape"
    )

    def perturb(self, counts, draws, where):
        return {"shape": counts[:2], "half": draws + 0.5, "text": "many", "none": None}[self.kind]


@dataclass(frozen=True)
class Wrong(methods.PostTabular):
    """Bounds in a wrong shape."""

    def perturb(self, counts, draws, where):
        return np.broadcast_to(counts, draws.shape)

    def conclusions(self, published):
        return published[:2], published


@dataclass(frozen=True)
class Cut(methods.tabular.Fixed):
    """Cells in a wrong shape."""

    def cells(self, table):
        return table.counts[:2]


@dataclass(frozen=True)
class Single(measures.Measure):
    """One number in place of one per replicate and slice."""

    unit = "people"

    def values(self, batch, axis=None):
        return 3.0


CALLS = {
    # Values of a wrong type.
    "a list in place of a table": lambda: assess([[1, 2], [3, 4]]),
    "a frame in place of a table": lambda: protect(TABLE.to_frame(), "random-rounding"),
    "a release in place of a table": lambda: assess(RELEASE),
    "a number in place of a method": lambda: protect(TABLE, 3),
    "a number in place of methods": lambda: compare(TABLE, 3),
    "weights as text": lambda: assess(TABLE, weights="high"),
    "weights that are missing": lambda: assess(TABLE, weights=None),
    "a number in place of measures": lambda: assess(TABLE, measures=3),
    "numbers in place of measures": lambda: assess(TABLE, measures=[3]),
    "a setting of a measure that is not complete": lambda: assess(TABLE, of_measures=[("subtraction",)]),
    "a seed as text": lambda: protect(TABLE, "random-rounding", seed="a"),
    "labels that are a number": lambda: Axis("Area", 3),
    "labels that are one text": lambda: Axis("Area", "abc"),
    "a slice by a number": lambda: TABLE.slice(Area=3),
    "columns that are a number": lambda: FrequencyTable.from_records(RECORDS, 3),
    "key variables that are a number": lambda: microdata.risk(RECORDS, 3),
    "a number in place of a file": lambda: microdata.read_microdata(3),
    "a number in place of a frame": lambda: MagnitudeTable.from_frame(3, ["a"], "b", "c"),
    "a number in place of records": lambda: microdata.Microdata.from_frame(3),
    "a number in place of a p-table": lambda: cellkey.noise([1], [0.2], 3),
    "a table in place of an assessment": lambda: plots.terms(TABLE),
    "a limit as text": lambda: plots.risk_utility_map(
        TABLE, ["random-rounding"], max_risk="x", replications=2
    ),
    "a table in place of a release": lambda: judge(TABLE, TABLE),
    "a release with sub-totals in place of a release": lambda: judge(TABLE, LINKED),
    "the sheet of a text": lambda: FrequencyTable.from_excel("table.csv", sheet="x"),
    "a number in place of limits": lambda: judge(TABLE, RELEASE, 3),
    "a number in place of the table of a release": lambda: Release.of(3),
    "a name that is a list": lambda: methods.get(["random-rounding"]),
    "a table in place of releases": lambda: attacks.linking(TABLE),
    "a widget of a number": lambda: widgets.Grid(3),
    # Unknown names.
    "an unknown method": lambda: protect(TABLE, "rounding"),
    "an unknown measure": lambda: assess(TABLE, measures=["magic"]),
    "an unknown setting": lambda: assess(TABLE, "random-rounding", bass=5),
    "an unknown axis": lambda: TABLE.marginal("Region"),
    "an unknown axis of a method": lambda: protect(TABLE, "record-swapping", axis="Region"),
    "an unknown label": lambda: TABLE.slice(Area="Area 99"),
    "an unknown example": lambda: examples.load("nowhere"),
    "an unknown attack": lambda: attacks.get("magic"),
    "an unknown column": lambda: FrequencyTable.from_records(RECORDS, ["town"]),
    "an unknown value of an assessment": lambda: ASSESSMENT.whole["magic"],
    "an unknown measure of rows": lambda: ASSESSMENT.rows["magic"],
    "an unknown setting of a page": lambda: setattr(explore.app(TABLE), "settings", {"eps": 1}),
    "a misspelt argument": lambda: assess(TABLE, epsilom=0.3),
    "an unknown measure of a chart": lambda: plots.risk_utility_map(
        TABLE, ["random-rounding"], loss="hell", replications=2
    ),
    "an unknown attribute of an assessment": lambda: ASSESSMENT.after.whole.frank_bound,
    "an unknown measure before protection": lambda: ASSESSMENT.whole.hellinger,
    "an unknown measure by get": lambda: measures.get("magic"),
    # Values out of range.
    "an epsilon of 3": lambda: assess(TABLE, epsilon=3),
    "two weights": lambda: assess(TABLE, weights=(0.5, 0.5)),
    "a base of 1000": lambda: protect(TABLE, "random-rounding", base=1000),
    "a seed with a pattern": lambda: protect(TABLE, "random-rounding", seed=2**64),
    "a negative seed": lambda: protect(TABLE, "random-rounding", seed=-1),
    "replications below 1": lambda: compare(TABLE, ["random-rounding"], replications=0),
    "a negative count": lambda: FrequencyTable([[-1, 2]]),
    "rows of different lengths": lambda: FrequencyTable([[1], [2, 3]]),
    "a risk limit of 3": lambda: ReleaseLimits("Panel", risk=3),
    "a D of 0": lambda: cellkey.p_table(0, 1),
    "a base as text": lambda: protect(TABLE, "random-rounding", base="5"),
    "a frame in place of microdata": lambda: microdata.suppressed(RECORDS, ["area"], 2),
    "a frame in place of microdata for release": lambda: microdata.for_release(RECORDS),
    "a column in place of a variable": lambda: microdata.post_randomised(RECORDS["area"], 0.1),
    "a column in place of a variable of intervals": lambda: microdata.recoding.intervals(RECORDS["area"], 3),
    "a list in place of groups": lambda: microdata.recoding.group(
        microdata.Microdata.from_frame(RECORDS)["area"], ["a"]
    ),
    "a class size as text": lambda: microdata.suppressed(
        microdata.Microdata.from_frame(RECORDS), ["area"], "2"
    ),
    "a number in place of rules": lambda: load(3),
    "a list in place of an example": lambda: examples.load(["religion"]),
    "one table in place of others": lambda: judge(TABLE, RELEASE, others=RELEASE),
    "a list of accepted violations": lambda: judge(TABLE, RELEASE, accepted=["linked"]),
    "the name of a method in a workbook": lambda: RELEASE.to_excel("x.xlsx", method="random-rounding"),
    "settings of measures that are missing": lambda: assess(TABLE, of_measures=None),
    "an object as a base": lambda: protect(TABLE, "random-rounding", base=object()),
    "a frame as a seed": lambda: protect(TABLE, "random-rounding", seed=RECORDS),
    # Results of own parts.
    "an own method with a wrong shape": lambda: protect(TABLE, Halves()),
    "an own method with halves": lambda: protect(TABLE, Halves(kind="half")),
    "an own method with a text": lambda: assess(TABLE, Halves(kind="text")),
    "an own method without a result": lambda: assess(TABLE, Halves(kind="none")),
    "an own method with wrong bounds": lambda: protect(TABLE, Wrong()),
    "an own fixed method with a wrong shape": lambda: protect(TABLE, Cut()),
    "an own measure with one number": lambda: assess(TABLE, "random-rounding", measures=[Single()]),
    # Missing files.
    "a missing table": lambda: FrequencyTable.from_csv("missing.csv"),
    "a missing workbook": lambda: FrequencyTable.from_excel("missing.xlsx"),
    "a missing microdata file": lambda: microdata.risk("missing.csv", ["a"]),
    "a missing p-table": lambda: cellkey.read_p_table("missing.csv"),
    "a workbook as CSV": lambda: RELEASE.to_excel("table.csv"),
    "CSV as a workbook": lambda: RELEASE.to_csv("table.xlsx"),
    "a table as a workbook": lambda: TABLE.to_csv("table.xlsx"),
    "a folder that is missing": lambda: RELEASE.to_csv("/missing/folder/table.csv"),
    # Steps in the wrong order.
    "a loss before a method": lambda: assess(TABLE, measures=["hellinger"]),
    "residual risk before a method": lambda: plots.residual_risk(assess(TABLE)),
    "settings before a method": lambda: assess(TABLE, base=5),
    "settings of a method that has them": lambda: protect(TABLE, methods.get("random-rounding")(), base=5),
    "an attack without a release": lambda: attacks.linking([]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_ends_in_one_sentence(name):
    with pytest.raises(InputError) as told:
        CALLS[name]()
    text = str(told.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 600
    assert not re.search(r"object at 0x|Traceback|NoneType' object", text)


def test_an_unknown_axis_of_slices_is_named():
    with pytest.raises(InputError, match="Region"):
        ASSESSMENT.slices["Region"]


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: protect(TABLE, "random-roundin"), "random-rounding"),
        (lambda: protect(TABLE, "rounding"), "conventional-rounding"),
        (lambda: compare(TABLE, ["Cell key"]), "cell-key"),
        (lambda: protect(TABLE, "random-rounding", bse=5), "base"),
        (lambda: protect(TABLE, "cell-suppression", hierarchy={"Area": {}}), "hierarchies"),
        (lambda: protect(TABLE, "random-rounding", sed=5), "seed"),
        (lambda: assess(TABLE, "random-rounding", replication=5), "replications"),
        (lambda: assess(TABLE, "random-rounding", measures=["helinger"]), "hellinger"),
        (lambda: plots.risk_utility_map(TABLE, ["random-rounding"], loss="helinger"), "hellinger"),
        (lambda: examples.load("religon"), "religion"),
        (lambda: attacks.get("linkng"), "linking"),
        (lambda: load("minimum"), "minimum-frequency"),
    ],
)
def test_the_nearest_name_is_suggested(call, word):
    with pytest.raises(InputError, match=f"(nearest|such as).* {word}"):
        call()


def test_a_text_in_place_of_a_number_is_in_quotes():
    with pytest.raises(InputError, match='"5"'):
        protect(TABLE, "random-rounding", base="5")


def test_measures_of_the_whole_table_are_attributes():
    assessment = assess(TABLE, "random-rounding", replications=2, measures=["frank_bound", "r2"])
    assert "frank_bound" in dir(assessment.whole)
    assert assessment.whole.frank_bound == assessment.whole["frank_bound"]
    assert not hasattr(assessment.after.whole, "hellinger")
    assert np.isnan(assess(TABLE, "random-rounding", replications=1).after.whole.r2.error)
    assert np.isnan(assess(TABLE, "cell-suppression").after.whole.r2.error)
    assert assess(TABLE, "conventional-rounding").after.whole.r2.error == 0


def test_a_p_table_is_read_from_the_name_of_its_file(tmp_path):
    path = tmp_path / "ptable.csv"
    path.write_text(cellkey.to_csv(cellkey.p_table(3, 1.0)), "utf-8")
    cells = [protect(TABLE, "cell-key", p_table=file, seed=3**60).cells for file in (path, str(path))]
    assert np.array_equal(*cells)
    with pytest.raises(InputError, match="Path"):  # links to pages of a server contain texts
        methods.get("cell-key")(p_table=str(path))
