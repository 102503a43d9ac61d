"""Everything that a page sends to a browser, compared with a recorded file of each page.

The tests of a page say why its numbers are right; this one notices any other change: a number of a formula in a dialog,
the height of a chart, another sentence. After an intended change, `pytest --renew-snapshots
tests/dashboards/test_contents_of_pages.py` writes the files anew, and their differences are read before a commit.
"""

import json
import math
from contextlib import suppress
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
from recording import differences

from screens import ask, inside
from sdcwidgets import FrequencyTable, InputError, dashboards
from sdcwidgets.dashboards.rounding import result
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.controls import Control
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state import recomputation

FOLDER = Path(__file__).parent / "contents"

NAMES = sorted(name for name in dir(dashboards) if name != "index")

#: A user's own table, with a zero, ones, and more rows than columns.
OWN = FrequencyTable([[3, 0], [12, 1], [7, 25]], {"Age": ["young", "middle", "old"], "Sex": ["f", "m"]})

#: A three-way table, of which pages show a slice or a margin.
THREE_WAY = FrequencyTable(
    [[[3, 0], [1, 4]], [[12, 1], [2, 9]], [[7, 25], [0, 6]]],
    {"Age": ["young", "middle", "old"], "Sex": ["f", "m"], "Area": ["North", "South"]},
)

#: Traits of a chart that are compared as one figure, or belong to the version of plotly.js.
OF_FIGURES = {"frame", "arrays", "address", "version", "numbers"}

#: Traits of the head of a page that all pages share; other tests compare them.
OF_ALL = {"about", "lessons", "links", "nth"}

#: Counters of updates, whose number depends on the speed of the machine.
COUNTERS = {"turn", "seen", "opening"}

#: Chart with seconds of computing time.
TIMED = "Optimality gap of controlled rounding"

#: Board whose rounding is selected by a secret.
BY_SECRET = "Controlled"

#: Presses of a number: the parts of a list by index, and those of a table.
EXPLAINED = [
    *[{"index": index} for index in range(8)],
    *[{"kind": kind, "index": index} for kind in ("table", "row", "column", "cell") for index in (0, 1)],
]

#: Pages whose controls are not changed: estimates take seconds, or the solver's version decides between equal patterns.
UNCHANGED = {"microdata", "sample", "suppression"}

#: Properties of the layout of a widget that the package sets.
LAYOUT = ("display", "grid_template_columns", "height", "min_height", "width")

#: Longer lists of numbers are recorded by their length and a few of their numbers.
LONGEST = 12

#: Maximum number of options of a control that are selected.
MOST_OPTIONS = 6


@pytest.fixture(autouse=True)
def patient_solver(monkeypatch):
    """Wait for the solver and for refined results, so that a busy machine shows what a quiet one shows."""
    monkeypatch.setattr(result, "FIRST_RUN", 60.0)
    monkeypatch.setattr(result, "NEXT_RUN", 60.0)
    monkeypatch.setattr(recomputation, "SHOWN_AGAIN", math.inf)
    monkeypatch.setattr(recomputation, "ONE_GESTURE", math.inf)


def plain(value):
    """Return a value as JSON values; arrays and other sequences as lists, bytes as the numbers that a browser reads."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, bytes | memoryview):
        # The bytes of equal numbers differ between machines in their last digits.
        return plain(np.frombuffer(value, "<f8"))
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        items = [plain(item) for item in value]
        is_long = len(items) > LONGEST and all(isinstance(item, int | float) for item in items)
        return abridged(items) if is_long else items
    if isinstance(value, float):
        return float(f"{value:.6g}") if math.isfinite(value) else str(value)
    return value


def abridged(numbers):
    finite = [number for number in numbers if math.isfinite(number)]
    positions = range(0, len(finite), max(1, len(finite) // 5))
    return [
        f"{len(numbers)} numbers",
        float(f"{sum(finite):.6g}"),
        *[finite[position] for position in positions],
    ]


def own_traits(widget):
    """Return the traits of classes of this package that a browser gets, without those that have their default."""
    found = {}
    traits = widget.traits()
    for name in sorted(name for name in traits if traits[name].metadata.get("sync")):
        is_own = traits[name].this_class.__module__.startswith("sdcwidgets.") and not name.startswith("_")
        is_text = isinstance(widget, ipywidgets.HTML) and name == "value"
        if is_own or is_text:
            value = getattr(widget, name)
            if name not in COUNTERS and value not in ("", [], {}, (), False, 0):
                found[name] = value
    return found


def contents(widget):
    """Yield what is shown by a widget and the widgets in it, each as one dict."""
    shown = own_traits(widget)
    if isinstance(widget, Board) and widget.title == BY_SECRET:
        del shown["spots"]
    if isinstance(widget, Page):
        shown = {name: value for name, value in shown.items() if name not in OF_ALL}
    if isinstance(widget, Chart):
        shown = {name: value for name, value in shown.items() if name not in OF_FIGURES}
        if widget._figure is not None and widget.label != TIMED:
            shown["figure"] = widget._figure.func.plain(*widget._figure.args)
            widget._toggle(True)
            shown["numbers"] = widget.numbers
    layout = {name: getattr(widget.layout, name) for name in LAYOUT if getattr(widget.layout, name)}
    if layout:
        shown["layout"] = layout
    if shown:
        yield plain({"widget": type(widget).__name__} | shown)
    for child in getattr(widget, "children", ()):
        yield from contents(child)


def messages(app):
    """Return the dialogs and the code that a page sends when its numbers and its button are pressed."""
    [page] = inside(app, Page)
    sent = []
    page.send = lambda message, *_: sent.append(message)
    for widget in inside(app, Widget):
        if "explain" in widget._handlers:
            for message in EXPLAINED:
                widget._hear(widget, {"type": "explain"} | message, [])
    page._hear(page, {"type": "code"}, [])
    del page.send
    texts = []
    for message in sent:
        if message not in texts:
            texts.append(message)
    return plain(texts)


def screens_of(name):
    """Return the contents of a page as it opens, after its button, after steps of its controls, and of own tables."""
    app = getattr(dashboards, name).app()
    screens = {"first": [*contents(app), *messages(app)]}
    for lead in inside(app, Lead):
        lead._hear(lead, {"type": "next"}, [])
        screens["after the blue button"] = [*contents(app), *messages(app)]
    if name not in UNCHANGED:
        for control in inside(app, Control):
            for value in values(control.spec, control.value):
                ask(control, value)
                screens[f"{control.spec['label']}: {value}"] = [*contents(app)]
        screens["after all controls"] = [*contents(app), *messages(app)]
    for title, table in (("own table", OWN), ("own three-way table", THREE_WAY)):
        with suppress(InputError):  # some pages have a table of their own
            app.table = table
            screens[title] = [*contents(app), *messages(app)]
    return screens


def values(spec, value):
    """Return other values of a control: its options, the other position of a switch, or a step of a number."""
    if spec["kind"] == "choice":
        options = list(spec["options"])
        first = options.index(value) + 1 if value in options else 0
        return [*options[first:], *options[:first]][:MOST_OPTIONS]
    if spec["kind"] == "switch":
        return [not value]
    if spec["kind"] == "number" and value is not None:
        return [value + spec["step"] if value + spec["step"] <= spec["high"] else value - spec["step"]]
    return []


def recorded(screens):
    """Return the text of a file: each part once, and for each screen the indices of its parts."""
    indices = {}
    of_screens = {
        screen: [indices.setdefault(json.dumps(part, ensure_ascii=False), len(indices)) for part in parts]
        for screen, parts in screens.items()
    }
    lines = ",\n".join(f"{json.dumps(screen)}: {json.dumps(parts)}" for screen, parts in of_screens.items())
    return '{"parts": [\n' + ",\n".join(indices) + '\n],\n"screens": {\n' + lines + "\n}}\n"


def read(file):
    """Return the screens of a recorded file."""
    content = json.loads(file.read_text("utf-8"))
    return {
        screen: [content["parts"][index] for index in indices]
        for screen, indices in content["screens"].items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_what_is_recorded(name, pytestconfig):
    found = screens_of(name)
    file = FOLDER / f"{name}.json"
    if pytestconfig.getoption("--renew-snapshots"):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(recorded(found), encoding="utf-8")
        return
    assert list(differences(read(file), found)) == []
