"""Values of a wrong type, in each argument of each public function, end in an error that the package raises."""

from __future__ import annotations

import importlib
import inspect
import re
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import traitlets

from sdcwidgets import (
    Axis,
    FrequencyTable,
    InputError,
    MagnitudeTable,
    assess,
    attacks,
    compare,
    measures,
    methods,
    microdata,
    protect,
)
from sdcwidgets.assessment import verdict
from sdcwidgets.measures.settings import Settings
from sdcwidgets.methods import cellkey

#: Packages whose public names are called. Dashboards and widgets are objects of a screen.
PACKAGES = (
    "sdcwidgets",
    "sdcwidgets.assessment",
    "sdcwidgets.assessment.replications",
    "sdcwidgets.assessment.report",
    "sdcwidgets.assessment.search",
    "sdcwidgets.assessment.verdict",
    "sdcwidgets.attacks",
    "sdcwidgets.dashboards",
    "sdcwidgets.measures",
    "sdcwidgets.methods",
    "sdcwidgets.methods.cellkey",
    "sdcwidgets.methods.targeted",
    "sdcwidgets.microdata",
    "sdcwidgets.microdata.recoding",
    "sdcwidgets.parameters",
    "sdcwidgets.plots",
    "sdcwidgets.tables",
    "sdcwidgets.tables.examples",
    "sdcwidgets.tables.io",
    "sdcwidgets.tableserver",
    "sdcwidgets.widgets",
)

TABLE = FrequencyTable([[1, 9, 8], [7, 20, 5]], {"Area": "ab", "Age": "xyz"})
RELEASE = protect(TABLE, "random-rounding", seed=3**60)
SUPPRESSED = protect(TABLE, "cell-suppression", seed=3**60)
LINKED = protect(TABLE, "cell-suppression", tables=[["Area"], ["Age"]], seed=3**60)
METHOD = methods.get("random-rounding")()
RECORDS = pd.DataFrame({"area": list("aabbab"), "sex": list("mfmfmf"), "age": [30, 31, 41, 30, 52, 30]})
FILE = microdata.Microdata.from_frame(RECORDS)
ASSESSMENT = assess(TABLE, METHOD, replications=2)
COMPARISON = compare(TABLE, ["random-rounding", "cell-key"], replications=2)
FINDING = attacks.linking([RELEASE])
FIRMS = pd.DataFrame({"Area": list("aabb"), "firm": [1, 2, 3, 4], "turnover": [5.0, 6.0, 7.0, 8.0]})
MAGNITUDES = MagnitudeTable.from_frame(FIRMS, ["Area"], "firm", "turnover")
P_TABLE = cellkey.p_table(2, 1.0)

#: A valid value for each required argument, by its name, so that one argument at a time is wrong.
VALID: dict[str, Any] = {
    "about": "text",
    "amount": "turnover",
    "assessment": ASSESSMENT,
    "at": 40,
    "axes": (Axis("Area", ("a", "b")),),
    "before": FILE,
    "after": FILE,
    "breaks": 2,
    "cell_keys": [0.2],
    "cells": [0],
    "cls": methods.Method,
    "columns": ["area"],
    "contributor": "firm",
    "counts": [[1, 9], [8, 7]],
    "draws": 5,
    "file": FILE,
    "frame": RECORDS,
    "groups": {"m": ["m"]},
    "hierarchy": ["area"],
    "keys": ["area", "sex"],
    "k": 2,
    "label": "a",
    "labels": ("a", "b"),
    "limits": verdict.ReleaseLimits("Panel", risk=0.2),
    "loss": [0.1, 0.2],
    "measure": "r1",
    "method": METHOD,
    "methods": ["random-rounding"],
    "n_cells": 1,
    "number": 2,
    "p_table": P_TABLE,
    "people": [3],
    "published": [3.0],
    "record_keys": [0.3],
    "records": RECORDS,
    "release": RELEASE,
    "releases": [RELEASE],
    "risk": [0.1, 0.2],
    "risk_variables": ["sex"],
    "rng": 1,
    "secret": 5,
    "seed": 5,
    "settings": Settings(),
    "sums": [2.0],
    "threshold": 0.1,
    "variable": FILE["sex"],
    "D": 2,
    "V": 1.0,
}

#: A random secret of 128 bits.
SECRET = 0x8F3A1C5D9E2B47606B1D0C9FA4E7385

#: Valid values of single functions.
OWN: dict[str, dict[str, Any]] = {
    "keys_of_records": {"secret": SECRET},
    "modify": {"table": P_TABLE, "threshold": 0.01},
    "checks": {"table": P_TABLE},
    "to_argus": {"table": P_TABLE},
    "to_csv": {"table": P_TABLE},
    "mixed_keys": {"keys": [0.1]},
    "noise": {"counts": [1]},
    "table_keys": {"counts": [1]},
    "weighted": {"counts": [1]},
    "release": {"keys": np.full((2, 3), 0.5)},
    "intervals": {"variable": FILE["age"]},
    "quantiles": {"variable": FILE["age"]},
    "top_code": {"variable": FILE["age"]},
    "bottom_code": {"variable": FILE["age"]},
    "most_loss": {"loss": measures.get("hellinger")()},
    "swap": {"hierarchy": ["area"], "risk_variables": ["age"]},
    "get": {"name": "sex"},
    "load": {"name": "sex"},
    "page_for": {"name": "explore"},
}

#: Work that a valid call would do is kept small.
SMALL: dict[str, Any] = {"replications": 2, "persons": 1000, "households": 10, "methods": ["random-rounding"]}

#: Wrong values of each argument, by what they are.
JUNK: dict[str, Any] = {
    "None": None,
    "text": "junk",
    "empty text": "",
    "number": 3,
    "negative": -1,
    "half": 0.5,
    "nan": float("nan"),
    "infinite": float("inf"),
    "huge": 10**30,
    "true": True,
    "bytes": b"junk",
    "list of texts": ["junk", "x"],
    "list of None": [None, None],
    "empty list": [],
    "empty tuple": (),
    "numbers": [1, 2, 3],
    "dictionary": {"junk": 1},
    "dictionary of lists": {"junk": ["x"]},
    "empty frame": pd.DataFrame(),
    "frame": pd.DataFrame({"junk": [1.5, None]}),
    "object array": np.array([[object(), None], ["x", 1]], dtype=object),
    "empty array": np.empty((0, 0)),
    "array of nan": np.full((2, 2), np.nan),
    "object": object(),
    "class": FrequencyTable,
    "function": len,
    "table": TABLE,
    "release": RELEASE,
    "missing file": "/missing/file.csv",
    "folder": "/",
}

#: Objects that an analyst has, whose methods are called, too.
OBJECTS: dict[str, Any] = {
    "Axis": TABLE.axes[0],
    "FrequencyTable": TABLE,
    "Release": RELEASE,
    "LinkedRelease": LINKED,
    "MagnitudeTable": MAGNITUDES,
    "Assessment": ASSESSMENT,
    "Comparison": COMPARISON,
    "Finding": FINDING,
    "Microdata": FILE,
    "Variable": FILE["age"],
}

#: Constructors of values that the package computes; an analyst reads them.
RESULTS = (
    "Assessment",
    "Batch",
    "Comparison",
    "Dashboard",
    "Lookup",
    "Replications",
    "Run",
    "Slices",
    "SourceBar",
    "Verdict",
)

#: Functions without an argument that may be wrong, or that write on the path of an argument.
SKIPPED = ("write", "InputError", "Declared")


def public() -> dict[str, Callable[..., Any]]:
    """Return the public functions, constructors and methods by name."""
    calls: dict[str, Callable[..., Any]] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            item = getattr(module, name)
            own = getattr(item, "__module__", "").startswith("sdcwidgets")
            if not own or name in SKIPPED or not (inspect.isfunction(item) or inspect.isclass(item)):
                continue
            if name not in RESULTS and not issubclass(item if inspect.isclass(item) else int, tuple):
                calls[f"{package}.{name}"] = item
    for name, value in OBJECTS.items():
        for attribute, function in inspect.getmembers(value, callable):
            if not attribute.startswith("_") and not inspect.isclass(function):
                calls[f"{name}().{attribute}"] = function
    return calls


CALLS = public()


def wrong_calls(
    name: str, function: Callable[..., Any]
) -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Yield calls with one wrong argument each, and their descriptions."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return
    valid = {"table": TABLE} | VALID | OWN.get(name.rpartition(".")[2], {})
    named = [item for item in parameters if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)]
    others = [item for item in parameters if item.kind == item.VAR_POSITIONAL]
    for wrong in named:
        base = {
            item.name: valid[item.name]
            for item in named
            if item.default is item.empty and item.name in valid and item is not wrong
        }
        small = {item.name: SMALL[item.name] for item in named if item.name in SMALL and item is not wrong}
        for kind, junk in JUNK.items():
            if wrong.name == "methods" and junk is None:
                continue  # all methods, which takes seconds
            yield f"{wrong.name}={kind}", (), {**base, **small, wrong.name: junk}
    for _ in others:
        for kind, junk in JUNK.items():
            yield f"*{kind}", (junk,), {}
    yield "a wrong name", (), {"junk": 1}


def is_deliberate(error: BaseException) -> bool:
    """Return whether the package raises an error on purpose, or Python rejects the names of the arguments."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    if isinstance(error, InputError):
        return True
    if isinstance(error, TypeError) and re.search(
        r"unexpected keyword argument|required positional argument|required keyword-only|multiple values|abstract",
        str(error),
    ):
        return len(frames) <= 2 or last.filename == __file__
    return False


@pytest.mark.filterwarnings("ignore:.*guessable:UserWarning")
@pytest.mark.parametrize("name", CALLS)
def test_junk_ends_in_an_error_of_the_package(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failures = []
    for kind, args, kwargs in wrong_calls(name, CALLS[name]):
        try:
            CALLS[name](*args, **kwargs)
        except Exception as error:
            if isinstance(error, DeprecationWarning | traitlets.TraitError):
                continue  # of traitlets, which names the trait of a widget
            if not is_deliberate(error):
                last = traceback.extract_tb(error.__traceback__)[-1]
                failures.append(f"{kind}: {type(error).__name__}: {error} ({last.filename}:{last.lineno})")
            else:
                text = str(error)
                if "\n" in text or len(text) > 700:
                    failures.append(f"{kind}: {text[:900]!r}")
    assert not failures, "\n".join(failures)
