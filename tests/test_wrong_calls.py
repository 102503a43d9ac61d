"""Wrong calls of the public interface end in an InputError with one sentence, never in an error from inside."""

import re

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
from sdcwidgets.assessment.verdict import ReleaseLimits, judge
from sdcwidgets.dashboards import explore
from sdcwidgets.methods import cellkey

TABLE = examples.load("religion")
RELEASE = protect(TABLE, "random-rounding", seed=3**60)
ASSESSMENT = assess(TABLE, "random-rounding", replications=2)
RECORDS = pd.DataFrame({"area": ["a", "b"], "sex": ["m", "f"]})

CALLS = {
    # Values of a wrong type.
    "a list in place of a table": lambda: assess([[1, 2], [3, 4]]),
    "a frame in place of a table": lambda: protect(TABLE.to_frame(), "random-rounding"),
    "a release in place of a table": lambda: assess(RELEASE),
    "a class in place of a method": lambda: assess(TABLE, methods.get("random-rounding")),
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
    # Missing files.
    "a missing table": lambda: FrequencyTable.from_csv("missing.csv"),
    "a missing workbook": lambda: FrequencyTable.from_excel("missing.xlsx"),
    "a missing microdata file": lambda: microdata.risk("missing.csv", ["a"]),
    "a missing p-table": lambda: cellkey.read_p_table("missing.csv"),
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
