"""The grid in a real browser: what a person does with keys, mouse and clipboard, and what comes back."""

import re
from itertools import permutations

import pytest
from playwright.sync_api import expect

SMALL = """
import ipywidgets, numpy as np
from sdcwidgets import InputError
from sdcwidgets.widgets.grid import Grid

log = ipywidgets.Label("ready")
anew = ipywidgets.Button(description="Anew")
counts = np.array([[181, 0, 1], [138, 2, 4], [130, 0, 22]])
grid = Grid(
    title="Religion by area",
    row_name="Area",
    column_name="Religion",
    rows=("Area 1", "Area 2", "<img src=x onerror=document.title='hit'>"),
    columns=("Christian", "Buddhist", "<b onclick=alert(1)>Hindu</b>"),
    counts=counts,
    reference=counts,
    row_margin={
        "title": "Row risk",
        "values": ["0.463", "0.497", "0.394"],
        "parts": [[0.02, 0.42, 0.02], [0.02, 0.45, 0.03], [0.03, 0.34, 0.02]],
        "part_labels": ["zeros", "unevenness", "small size"],
    },
    column_margin={"title": "Column risk", "values": ["0.015", "0.377", "0.576"]},
    corner={"text": "0.2315", "parts": [0.03, 0.19, 0.01]},
)

def edited(counts):
    if not counts.any():
        raise InputError("Every count would be zero; at least one person must be counted.")
    grid.counts = counts
    log.value = f"edited {counts.tolist()}"

grid.on_edit(edited)
grid.on_undo(lambda: setattr(log, "value", "undo"))
grid.on_redo(lambda: setattr(log, "value", "redo"))
anew.on_click(lambda _: (setattr(grid, "counts", counts), setattr(log, "value", "ready")))
grid.on_explain(lambda kind, index: setattr(log, "value", f"explain {kind} {index}"))
"""

LARGE = """
import numpy as np
from sdcwidgets.widgets.grid import Grid

def large(rows, columns):
    def labels(name, size):
        return tuple(f"{name} {i + 1}" for i in range(size))

    counts = np.random.default_rng(1).poisson(4, (rows, columns))
    margin = {"title": "Row sum", "values": counts.sum(1).tolist()}
    labelled = {"rows": labels("Row", rows), "columns": labels("Column", columns)}
    return Grid(title="Large", counts=counts, row_margin=margin, **labelled)
"""

HEAT = """
import ipywidgets, numpy as np
from sdcwidgets.widgets.grid import Grid

labels = {"rows": tuple("ABCDE"), "columns": tuple("VWXYZ")}
shade = np.linspace(-1, 1, 25).reshape(5, 5)
texts = [[f"{15 * value:+.1f}" for value in row] for row in shade]
counts = np.arange(25).reshape(5, 5)
ipywidgets.VBox([
    Grid(title="One more", texts=texts, shade=shade, best=(0, 0, "lowers the risk most"), **labels),
    Grid(title="After", counts=counts, reference=counts[::-1], editable=False, **labels),
])
"""


@pytest.fixture(scope="module")
def opened(kept_page, notebook):
    page = kept_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(notebook([SMALL, "ipywidgets.VBox([log, anew, grid])"]))
    cell(page, 1, "Christian").wait_for()
    return page


@pytest.fixture
def small(opened):
    """The small grid, as it was at first."""
    opened.keyboard.press("Escape")
    opened.get_by_role("button", name="Anew").click()
    expect(opened.get_by_text("ready", exact=True)).to_be_visible()
    return opened


def cell(page, area, religion):
    return page.get_by_role("textbox", name=f"Area {area}, {religion}")


def expect_marks(field, *marks):
    """Wait until a cell has these marks of its count, in any order, and no other."""
    orders = "|".join(" ".join(order) for order in permutations(marks))
    expect(field.locator("..")).to_have_class(re.compile(f"^({orders})$"))


def copied(page):
    return page.evaluate("navigator.clipboard.readText()")


def test_cells_are_edited_by_keyboard(small):
    page, first = small, cell(small, 1, "Christian")
    first.click()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(cell(page, 2, "Christian")).to_be_focused()
    expect(page.get_by_text("edited [[2, 0, 1], [138, 2, 4], [130, 0, 22]]")).to_be_visible()
    expect_marks(first, "sdc-small", "sdc-down")
    expect(first).to_have_attribute("title", "was 181")

    page.keyboard.type("99")
    page.keyboard.press("Escape")
    expect(cell(page, 2, "Christian")).to_have_value("138")
    page.keyboard.press("ArrowRight")
    expect(cell(page, 2, "Buddhist")).to_be_focused()
    page.keyboard.press("F2")
    page.keyboard.type("0")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 2, "Buddhist")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_text("edited [[2, 0, 1], [138, 20, 4], [130, 0, 22]]")).to_be_visible()
    expect(page.get_by_role("textbox", name=re.compile("Area 2, .*Hindu"))).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name=re.compile("img.*, Christian"))).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+Home")
    expect(first).to_be_focused()
    page.keyboard.press("Control+ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="0.394, Row risk")).to_be_focused()

    # One key undoes and one redoes, but not while a text is being typed.
    page.keyboard.press("Home")
    page.keyboard.press("Control+z")
    expect(page.get_by_text("undo", exact=True)).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(page.get_by_text("redo", exact=True)).to_be_visible()

    # Tab goes through every cell, but after Escape it leaves the table; it comes back to the same cell.
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.querySelector('table').contains(document.activeElement)")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("textbox", name=re.compile("img.*, Christian"))).to_be_focused()


def test_select_all_in_a_cell_selects_the_text_of_this_cell(small):
    page, field = small, cell(small, 1, "Christian")
    field.dblclick()
    page.keyboard.press("Control+a")
    page.keyboard.press("Backspace")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("edited [[7, 0, 1], [138, 2, 4], [130, 0, 22]]")).to_be_visible()
    # Also with the cell only selected, a deletion does not empty the other cells.
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.get_by_text("edited [[7, 0, 1], [9, 2, 4], [130, 0, 22]]")).to_be_visible()
    page.keyboard.press("Control+Shift+ ")
    page.keyboard.press("Control+c")
    assert len(copied(page).splitlines()) == 3


def test_an_invalid_entry_keeps_the_old_count_and_says_why(small):
    page, field = small, cell(small, 2, "Buddhist")
    alert = page.get_by_role("alert")
    field.fill("1.5")
    field.press("Enter")
    expect(alert).to_contain_text("Area 2, Buddhist: 1.5 is not a whole number")
    expect(field).to_have_value("2")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert field.get_attribute("aria-describedby") == alert.get_attribute("id")
    said, at = alert.bounding_box(), field.bounding_box()
    assert 0 <= said["x"] - (at["x"] + at["width"]) < 10
    assert abs(said["y"] - at["y"]) < 5
    page.keyboard.press("Escape")
    expect(alert).to_be_hidden()

    field.fill("two")
    field.press("Enter")
    expect(alert).to_contain_text("two")
    field.fill("7")
    field.press("Enter")
    expect(page.get_by_text("edited [[181, 0, 1], [138, 7, 4], [130, 0, 22]]")).to_be_visible()
    expect(alert).to_be_hidden()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_an_owner_refuses_and_the_old_count_comes_back(small):
    page = small
    cell(page, 1, "Christian").click()
    page.evaluate("navigator.clipboard.writeText('0\\t0\\t0\\n0\\t0\\t0\\n0\\t0\\t0')")
    page.keyboard.press("Control+v")
    expect(page.get_by_role("alert")).to_contain_text("at least one person must be counted")
    expect(cell(page, 1, "Christian")).to_have_value("181")
    expect(cell(page, 1, "Christian")).to_be_focused()


def test_blocks_are_copied_and_pasted_as_a_spreadsheet_does(small):
    page = small
    cell(page, 1, "Christian").click()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.get_by_role("status")).to_have_text("2 by 2 cells selected")
    page.keyboard.press("Control+c")
    assert copied(page) == "181\t0\n138\t2"

    # What Excel puts there ends its lines with CR LF.
    page.evaluate("navigator.clipboard.writeText('5\\t1,234\\r\\nx\\t8\\r\\n')")
    cell(page, 1, "Buddhist").click()
    page.keyboard.press("Control+v")
    expect(page.get_by_text("edited [[181, 5, 1234], [138, 2, 8], [130, 0, 22]]")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("Area 2, Buddhist")
    expect(cell(page, 2, "Buddhist")).to_have_value("2")
    expect(cell(page, 1, "Buddhist")).to_be_focused()

    page.evaluate("navigator.clipboard.writeText('1\\t2\\n3\\t4\\n5\\t6')")
    cell(page, 2, "Christian").click()
    page.keyboard.press("Control+v")
    expect(page.get_by_role("alert")).to_contain_text(
        "From this cell on, the table has only 2 rows and 3 columns."
    )
    expect(cell(page, 2, "Christian")).to_have_value("138")

    # A second click puts the caret into the text.
    third = page.get_by_role("textbox", name="img src=x onerror").first
    third.click()
    third.click()
    page.keyboard.press("End")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("[1307, 0, 22]")).to_be_visible()

    # A cell that is cleared is not a zero.
    cell(page, 1, "Christian").click()
    cell(page, 2, "Christian").click(modifiers=["Shift"])
    page.keyboard.press("Delete")
    expect(page.get_by_role("alert")).to_contain_text("empty")
    expect(cell(page, 1, "Christian")).to_have_value("181")


def test_labels_are_text_and_margins_explain_themselves(small, axe):
    page = small
    table = page.get_by_role("table", name="Religion by area")
    expect(table.get_by_role("rowheader")).to_have_count(4)
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Area", "Christian", "Buddhist", "<b onclick=alert(1)>Hindu</b>", "Row risk"]
    )
    assert page.locator("table img").count() == 0
    assert page.title() != "hit"
    expect_marks(cell(page, 1, "Buddhist"), "sdc-zero")
    expect_marks(cell(page, 2, "Buddhist"), "sdc-small")
    for name, told in [
        ("0.497, Row risk, Area 2", "explain row 1"),
        ("0.377, Column risk, Buddhist", "explain column 1"),
        ("0.2315, Religion by area", "explain table 0"),
    ]:
        page.get_by_role("button", name=name).click()
        expect(page.get_by_text(told)).to_be_visible()
    assert axe(page, ".sdc-grid") == []


def test_fifty_by_fifty_keeps_its_fields_and_its_headers(page, notebook):
    page.goto(notebook([LARGE, "large(50, 50)"]))
    first, last = (page.get_by_role("textbox", name=f"Row {i}, Column {i}", exact=True) for i in (1, 50))
    first.wait_for()
    assert page.locator("table input").count() == 2500
    first.evaluate("field => { field.kept = true; }")
    last.fill("777")
    last.press("Enter")
    expect(last).to_have_value("777")
    for name in ("Column 50", "Row 50", "Row sum"):
        expect(page.get_by_text(name, exact=True)).to_be_in_viewport()
    assert first.evaluate("field => field.kept")

    # The field with the focus is never below the fixed headers.
    last.press("Control+Home")
    expect(first).to_be_focused()
    assert first.evaluate("""field => {
        const box = field.getBoundingClientRect();
        return document.elementFromPoint(box.left + 4, box.top + 4) === field;
    }""")


def test_a_million_cells_are_shown_in_part(page, notebook):
    page.goto(notebook([LARGE, "large(1000, 1000)"]))
    page.get_by_text("Shown: rows 1 to 100 of 1,000 and columns 1 to 60 of 1,000.").wait_for()
    assert page.locator("table input").count() == 6000
    expect(page.get_by_role("button", name="Rows before")).to_be_disabled()
    page.get_by_role("button", name="Rows after").click()
    field = page.get_by_role("textbox", name="Row 101, Column 1", exact=True)
    field.fill("x")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Row 101, Column 1")


def test_colours_can_be_read(new_page, notebook, axe):
    # Half the width is what a zoom of 200 % leaves.
    page = new_page(viewport={"width": 683, "height": 500})
    page.goto(notebook(HEAT))
    best = page.get_by_role("cell", name="-15.0 (lowers the risk most)")
    best.wait_for()
    # JupyterLab says so when its own theme is light; a page without JupyterLab's themes does not.
    page.evaluate("document.body.removeAttribute('data-jp-theme-light')")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page, ".sdc-grid") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("table", name="After").get_by_role("cell", name="20 (was 0)")).to_be_visible()
