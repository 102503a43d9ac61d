"""What a page answers to its buttons, boards and charts, compared with a recorded file.

`test_contents_of_pages.py` records what a page shows at first and after changes of its controls. After an intended
change, `pytest --renew-snapshots tests/dashboards/test_buttons_of_pages.py` writes the files anew, and their
differences are read before a commit.
"""

import re
import secrets
from io import BytesIO

import numpy as np
import openpyxl
import pytest
from recording import differences
from test_contents_of_pages import FOLDER, NAMES, contents, patient_solver, plain, read, recorded

from screens import inside
from sdcwidgets import dashboards
from sdcwidgets.widgets.actions import Actions
from sdcwidgets.widgets.base import Widget
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.grid import Grid
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.offers import Offers
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.links import decode
from sdcwidgets.widgets.steps import Steps

__all__ = ["patient_solver"]

#: Pages whose primary button compares many methods.
LONG = {"protect"}

#: Widgets whose answers depend on a secret, on computing times or on the version of the solver, by their names.
VARIABLE = {
    ("protect", "Compare all methods"),
    ("rounding", "Controlled"),
    ("rounding", "report"),
    ("suppression", "Apply the optimal pattern"),
    ("suppression", "Suppress cells in the same rows"),
}

#: What differs between days and versions.
VARYING = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?|(?:sdcwidgets|numpy) \d[\w.+]*")

#: Tags of HTML, and the style sheet and scripts of a file.
MARKUP = re.compile(r"<(style|script).*?</\1>|<[^>]*>", re.DOTALL)

#: Maximum number of recorded lines of a file.
MOST_LINES = 150


def file_of(message, buffers):
    """Return a sent message, with the first lines of a file and the state of a link."""
    if message.get("type") == "link":
        return message | {"state": decode(message["state"])}
    if message.get("type") != "file":
        return message
    content, kind = bytes(buffers[0]), str(message["name"]).rpartition(".")[2]
    if kind == "xlsx":
        sheets = openpyxl.load_workbook(BytesIO(content)).worksheets
        lines = [repr(row) for sheet in sheets for row in sheet.iter_rows(values_only=True)]
    else:
        text = content.decode("utf-8-sig")
        lines = MARKUP.sub("\n", text).split("\n") if kind == "html" else text.splitlines()
    lines = [VARYING.sub("…", line.strip()) for line in lines if line.strip()]
    return message | {"lines": lines[:MOST_LINES]}


@pytest.fixture(autouse=True)
def no_work(monkeypatch):
    """Let buttons that run a comparison of many methods record its number of steps instead."""

    def work(self, steps, each, done, total, counted=""):
        self.send({"total": total, "counted": counted})

    monkeypatch.setattr(Actions, "work", work)


@pytest.fixture(autouse=True)
def equal_random_numbers(monkeypatch):
    """Draw the same random numbers in each run."""
    generator = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: generator(7 if seed is None else seed))
    monkeypatch.setattr(secrets, "randbelow", lambda limit: limit // 3)
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2**bits // 3)


class Recorder:
    """Screens of a page: after each message to a widget, the parts that changed and the messages of the page."""

    def __init__(self, app):
        self.app = app
        self.screens = {}
        self.sent = []
        self.known = list(contents(app))
        for widget in inside(app, Widget):
            self.listen(widget)

    def listen(self, widget):
        def send(message, buffers=()):
            # The page stores its state in the tab after a short time, which is before or after the next message.
            if message.get("type") != "keep":
                self.sent.append(plain(file_of(message, buffers)))

        widget.send = send

    def tell(self, name, widget, message):
        """Send a message to a widget, and record what changes."""
        self.sent.clear()
        widget._hear(widget, message, [])
        for other in inside(self.app, Widget):
            self.listen(other)
        parts = list(contents(self.app))
        changed = [*(part for part in parts if part not in self.known), *self.sent]
        if changed:
            self.screens[f"{name}, {len(self.screens) + 1}"] = changed
        self.known = parts


def answers(name):
    """Return what a page shows in each tab, and after messages to its buttons, boards, steps, grids and charts."""
    app = getattr(dashboards, name).app()
    recorder = Recorder(app)
    [page] = inside(app, Page)
    for word in page._numbers:
        recorder.tell(f"word {word}", page, {"type": "word", "word": word})
    if name not in LONG:
        [lead] = inside(app, Lead)
        recorder.tell("blue button", lead, {"type": "next"})
    for kind in (Board, Steps, Grid, Chart, Offers, Actions):
        for widget in inside(app, kind):
            title = name_of(widget)
            for message in messages_to(widget):
                is_possible = message["type"] in widget._handlers and widget.layout.display != "none"
                if is_possible and (name, title) not in VARIABLE:
                    recorder.tell(f"{title}: {list(message.values())}", widget, message)
    for kind in ("report", "undo", "undo", "redo", "link", "code", "reset"):
        if (name, kind) not in VARIABLE:
            recorder.tell(kind, page, {"type": kind})
    return recorder.screens


def name_of(widget):
    """Return the first button of a row of buttons, or the title of another widget."""
    if isinstance(widget, Actions):
        return widget.labels[0]
    return getattr(widget, "title", "") or getattr(widget, "label", "") or type(widget).__name__


def messages_to(widget):
    """Return some messages that a browser can send to a widget."""
    if isinstance(widget, Board):
        return [{"type": "press", "row": row, "column": column} for row, column in ((0, 1), (1, 0))]
    if isinstance(widget, Steps):
        return [{"type": "go", "to": place} for place in (1, 2)]
    if isinstance(widget, Grid):
        return [
            {"type": "page", "rows": 1, "columns": 0},
            {"type": "edit", "turn": 1, "cells": [[0, 0, "4"]]},
        ]
    if isinstance(widget, Chart):
        return [{"type": "click", "points": [[trace, 1]]} for trace in (0, 1)]
    if isinstance(widget, Offers):
        return [{"type": "take", "place": 0}]
    return [{"type": "press", "index": index} for index in range(len(widget._actions))]


@pytest.mark.parametrize("name", sorted({*NAMES} - {"sample"}))  # its estimates take seconds for each button
def test_a_page_answers_as_recorded(name, pytestconfig):
    screens = answers(name)
    file = FOLDER / f"{name}-buttons.json"
    if pytestconfig.getoption("--renew-snapshots"):
        file.write_text(recorded(screens), encoding="utf-8")
        return
    assert list(differences(read(file), screens)) == []
