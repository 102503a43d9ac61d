"""The rounding lab as a page."""

import html
import re
from dataclasses import replace

import ipywidgets
import numpy as np
import pytest
from stating import stating

from screens import ask, button, control, inside
from sdcwidgets.dashboards import rounding
from sdcwidgets.dashboards.rounding.state import METHODS
from sdcwidgets.tables.table import FrequencyTable
from sdcwidgets.widgets.answer import Answer
from sdcwidgets.widgets.board import Board
from sdcwidgets.widgets.chart import Chart
from sdcwidgets.widgets.leading import Lead
from sdcwidgets.widgets.page import Page, Text


@pytest.fixture
def screen():
    return rounding.app()


def boards(screen):
    return {one.title: [[spot["text"] for spot in row] for row in one.spots] for one in inside(screen, Board)}


def press(screen, words):
    row, place = button(screen, words)
    row._press(place)


def ahead(screen):
    (lead,) = inside(screen, Lead)
    lead._hear(lead, {"type": "next"}, [])


def test_the_lead_and_the_line_follow_the_count(screen):
    (lead,), line = inside(screen, Lead), inside(screen, Chart)[0]
    assert "4 to 5 with probability 4/5" in lead.answer
    assert line.summary.endswith(
        "Conventional: 5; Random: 0: 20% or 5: 80%; Semi-controlled: 0: 20% or 5: 80%; Controlled: 0 or 5."
    )
    ask(control(screen, "count"), 10)
    assert lead.answer.startswith("The count 10 is not changed")
    ask(control(screen, "Steps K"), 1)
    assert lead.why.endswith("by up to 5.")
    assert line.summary.endswith("Controlled: 5 or 10 or 15.")


def test_a_rounding_method_is_selected_for_the_original_counts(screen):
    risk = re.compile(r"entropy in bits: 0\.\d")
    assert not [text for text in inside(screen, Text) if risk.search(text.value)]
    for board in ("Random", "Semi-controlled"):
        ask(control(screen, "method"), board.lower())
        assert [text for text in inside(screen, Text) if risk.search(text.value)]
        assert [text for text in inside(screen, Text) if f"Selected: 15, {board}" in text.value]


def test_the_handbooks_tables_are_there(screen):
    shown = boards(screen)
    assert shown["Conventional"] == [
        ["0", "0", "0"],
        ["5", "5", "5 ≠"],
        ["10", "20", "30"],
        ["15", "25", "40"],
    ]
    # The small print of a total that is no sum of its cells is this sum.
    board = next(one for one in inside(screen, Board) if one.title == "Conventional")
    small = [[spot.get("small", "") for spot in line] for line in board.spots]
    assert [text for line in small for text in line if text] == ["10"]
    assert list(shown) == ["Conventional", "Random", "Semi-controlled", "Controlled"]
    before = shown["Random"]
    for _ in range(6):
        ahead(screen)
    assert boards(screen)["Random"] != before
    assert boards(screen)["Conventional"] == shown["Conventional"]


def test_sliders_move_numbers_and_intervals(screen):
    answer = inside(screen, Answer)[0]
    assert answer.value == "11 to 19"
    ask(control(screen, "Steps K"), 1)
    assert answer.value == "6 to 24"
    ask(control(screen, "base"), 3)
    assert answer.value == "10 to 20"
    assert all(
        int(text.rstrip(" ≠")) % 3 == 0 for rows in boards(screen).values() for row in rows for text in row
    )
    press(screen, "handbook example")
    assert answer.value == "6 to 24"


def test_a_pressed_number_is_looked_at(screen):
    answer = inside(screen, Answer)[0]
    board = next(one for one in inside(screen, Board) if one.title == "Conventional")
    board.press(2, 2)
    assert answer.value == "28 to 32"
    assert board.spots[2][2]["pressed"]
    assert board.spots[2][2]["name"] == "Conventional, Area C, Total: 30, original 32"


def test_printed_tables_are_told_only_of_the_handbooks_own_table(screen):
    told = next(box for box in inside(screen, ipywidgets.VBox) if title(box) == stating("SDC handbook"))
    assert told.layout.display is None
    ask(control(screen, "base"), 4)
    assert told.layout.display == "none"


def title(box):
    return (
        getattr(box.children[0], "value", "").removeprefix("<h3>").removesuffix("</h3>")
        if box.children
        else ""
    )


def test_many_columns_stand_below_each_other_with_short_labels():
    few, many = rounding.app(), rounding.app(FrequencyTable([[1] * 12] * 4))
    shown = [
        next(box for box in inside(one, ipywidgets.Box) if "sdc-pair" in box._dom_classes)
        for one in (few, many)
    ]
    # A table takes a third of the card at least, so that two stand side by side where both fit.
    widths = [box.layout.grid_template_columns for box in shown]
    assert ["260px, 34%" in widths[0], "760px, 34%" in widths[1]] == [True, True]
    assert all(board.brief for board in shown[1].children)


def saved_cells(screen):
    """The cells and totals of the table in the report that the page saves."""
    (page,), files = inside(screen, Page), []
    page.send = lambda message, buffers=None: files.append(bytes(buffers[0]).decode())
    page._hear(page, {"type": "report"}, [])
    assert page.problem == ""
    rows = re.findall(r"<tr>.*?</tr>", files[0].partition("<table")[2].partition("</table>")[0], re.DOTALL)
    texts = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    return [
        [html.unescape(re.sub("<[^>]*>", "", text)).replace(",", "").strip() for text in row]
        for row in texts
        if row
    ]


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize("name", METHODS)
def test_the_saved_report_contains_the_table_that_the_page_shows(name, steps):
    table = FrequencyTable(np.random.default_rng(3).poisson(4, (5, 4)))
    screen = rounding.app(table)
    (page,) = inside(screen, Page)
    page._study.put(replace(page._study.state.rounded(steps=steps, base=3), method=name))
    shown = list(boards(screen).values())[METHODS.index(name)]
    assert saved_cells(screen) == [[text.removesuffix(" ≠") for text in row] for row in shown]


def test_the_controlled_rounding_of_the_page_is_chosen_by_its_secret():
    table = FrequencyTable(np.random.default_rng(3).poisson(4, (5, 4)))
    shown = {str(boards(rounding.app(table))["Controlled"]) for _ in range(8)}
    assert len(shown) > 1
