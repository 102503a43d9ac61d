"""The risk explorer as a person meets it; controls are found by their accessible names."""

import re

import pytest
from playwright.sync_api import expect

from sdcwidgets import assess, examples
from sdcwidgets.dashboards.story import link
from shared import begin_again, choose, tab

RELIGION = examples.load("religion")


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page()
    page.goto(f"{served}voila/render/explore.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    return page


@pytest.fixture
def explorer(opened):
    return begin_again(opened)


def risk(page):
    tab(page, 1)
    return page.get_by_role("button", name=re.compile("^Disclosure risk of the table:"))


def shows(page, table, **settings):
    """Wait until the answer says the risk of this table."""
    expected = f"{assess(table, **settings).whole_slice.r1[0]:.4f}"
    page.wait_for_function(
        "text => document.querySelector('.sdc-lead-answer')?.textContent.includes(text)",
        arg=expected,
    )


def test_a_large_file_is_sent_in_parts_and_previewed_by_some_lines(explorer, tmp_path):
    file = tmp_path / "people.csv"
    row = "North,female\nEast,male\nSouth,female\n"
    file.write_text("region,sex\n" + row * 300_000)
    assert file.stat().st_size > 2 * 4 * 2**20  # two whole parts and the rest
    explorer.get_by_label("File to open").set_input_files(file)
    preview = explorer.get_by_role("region", name="How this file is read")
    for name in ("region", "sex"):
        preview.get_by_role("checkbox", name=name).check()
    expect(preview).to_contain_text("of 900,001 lines")
    preview.get_by_role("button", name="Use this table").click()
    explorer.get_by_text("900,000 people in 6 cells", exact=True).wait_for()


def test_who_was_counted_can_be_counted_by_something_else_also_after_a_refused_file(explorer):
    chooser, alert = explorer.get_by_label("File to open"), explorer.get_by_role("alert").first
    people = b"id,sex,region\n1,m,North\n2,w,East\n3,w,South\n"
    chooser.set_input_files({"name": "people.csv", "mimeType": "text/csv", "buffer": people})
    explorer.get_by_text("The page still shows Religion by output area.").wait_for()
    preview = explorer.get_by_role("region", name="How this file is read")
    use = preview.get_by_role("button", name="Use this table")
    sex, region = (preview.get_by_role("checkbox", name=name) for name in ("sex", "region"))
    sex.check()
    use.click()
    explorer.get_by_text("3 people in 2 cells", exact=True).wait_for()
    assert alert.inner_text() == ""
    chooser.set_input_files({"name": "x.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 x"})
    explorer.get_by_text("The page still shows people.csv.").wait_for()
    check = explorer.get_by_role("button", name="Check how the file was read")
    check.click()
    expect(sex).to_be_checked()
    region.check()
    expect(preview.get_by_role("status")).to_have_text(re.compile("^3 people in 6 cells"))
    use.click()
    explorer.get_by_text("3 people in 6 cells", exact=True).wait_for()
    check.click()
    sex.uncheck()
    expect(preview.get_by_role("status")).to_have_text(re.compile("^3 people in 3 cells"))
    use.click()
    explorer.get_by_text("3 people in 3 cells", exact=True).wait_for()
    chooser.set_input_files({"name": "people.csv", "mimeType": "text/csv", "buffer": people})
    explorer.get_by_role("button", name="Cancel").click()
    expect(preview).to_be_hidden()
    assert alert.inner_text() == ""


def test_people_are_counted_by_keyboard_in_the_preview_alone(explorer, axe):
    chooser = explorer.get_by_label("File to open")
    people = b"id,sex,region\n1,m,North\n2,NA,East\n3,w,South\n"
    chooser.set_input_files({"name": "people.csv", "mimeType": "text/csv", "buffer": people})
    preview = explorer.get_by_role("region", name="How this file is read")
    columns = preview.get_by_role("group", name="Count by")
    expect(columns.get_by_role("checkbox")).to_have_count(3)
    expect(columns).to_have_accessible_description(re.compile("one person"))
    # The question is asked once.
    expect(explorer.get_by_role("checkbox", name="region")).to_have_count(1)
    expect(explorer.get_by_label("Counts in")).to_have_count(0)
    use = preview.get_by_role("button", name="Use this table")
    expect(use).to_have_attribute("aria-disabled", "true")
    for name, cells in (("sex", 3), ("region", 9)):
        box = columns.get_by_role("checkbox", name=name)
        box.press("Space")
        expect(preview.get_by_role("status")).to_have_text(re.compile(f"^3 people in {cells} cells"))
        expect(box).to_be_focused()
        expect(box).to_be_checked()
    assert axe(explorer, ".sdc-preview") == []
    expect(preview.get_by_text(re.compile("^1 open decision|records 1"))).to_have_count(0)
    use.press("Enter")
    expect(preview).to_be_hidden()
    explorer.get_by_text("3 people in 9 cells", exact=True).wait_for()


def test_one_year_of_a_table_with_years_as_columns_is_read(explorer):
    years = b"Region,2021,2022,2023\nAshby,41,52,53\nBurton,44,45,46\n"
    chooser = explorer.get_by_label("File to open")
    chooser.set_input_files({"name": "years.csv", "mimeType": "text/csv", "buffer": years})
    explorer.get_by_role("button", name="Column labels").click()
    explorer.get_by_label("Columns of Column").select_option("2023")
    explorer.get_by_role("button", name="Use this table").click()
    explorer.get_by_text("99 people in 2 cells", exact=True).wait_for()
    assert explorer.get_by_role("alert").first.inner_text() == ""


def test_a_name_of_another_axis_stays_in_its_field_and_escape_closes_the_preview(explorer):
    deaths = b"Meghalt,Men,Women\nA,60,70\nB,50,51\n"
    chooser = explorer.get_by_label("File to open")
    chooser.set_input_files({"name": "deaths.csv", "mimeType": "text/csv", "buffer": deaths})
    preview = explorer.get_by_role("region", name="How this file is read")
    lines, columns = (preview.get_by_label(f"Name of the {axis}") for axis in ("lines", "columns"))
    columns.fill("Nem")
    columns.press("Tab")
    expect(preview.get_by_role("status")).to_contain_text("× Nem (2)")
    lines.fill("Nem")
    lines.press("Tab")
    expect(lines).to_have_accessible_description(re.compile('"Nem".*"Meghalt"'))
    expect(lines).to_have_value("Nem")
    # The text that is being entered stays while an answer of the server arrives.
    columns.fill("Sex")
    expect(columns).to_have_value("Sex")
    columns.press("Enter")
    expect(preview.get_by_role("status")).to_contain_text("Nem (2) × Sex (2)")
    expect(lines).to_have_value("Nem")
    expect(lines).to_have_accessible_description("")
    columns.press("Escape")
    expect(preview).to_be_hidden()
    assert explorer.evaluate("document.activeElement.tagName") in ("BUTTON", "SELECT")


def test_the_blue_button_explains_who_is_easiest_to_find(explorer):
    answer = explorer.locator(".sdc-lead-answer")
    expect(answer).to_have_text(re.compile(r"Area 6 .*0\.546.*0\.2315"))
    explorer.get_by_role("button", name="Next: explain Area 6").click()
    dialog = explorer.get_by_role("dialog", name="Disclosure risk of Area 6")
    expect(dialog.get_by_text("129 of its 219 people are in one cell")).to_be_visible()
    expect(dialog.get_by_role("img", name=re.compile("^zeros 0.056, unevenness 0.4"))).to_be_visible()
    # Words come before formulas.
    expect(dialog.get_by_text("x₁ = |D|/K = 5/9")).to_be_hidden()
    dialog.get_by_text("Formulas").click()
    expect(dialog.get_by_text("x₁ = |D|/K = 5/9")).to_be_visible()


def test_a_count_is_changed_and_everything_follows(explorer):
    shows(explorer, RELIGION)
    tab(explorer, 0)
    field = explorer.get_by_role("textbox", name="Area 6, Other", exact=True)
    field.fill("40")
    field.press("Enter")
    edited = RELIGION.with_count((5, 6), 40)
    shows(explorer, edited)
    area = assess(edited).rows.r1[5]
    explorer.get_by_role("img", name=f"The table's risk is {assess(edited).whole_slice.r1[0]:.4f}").wait_for()
    explorer.get_by_role("button", name=f"{area:.3f}, Row risk, Area 6: explain").wait_for()
    explorer.get_by_role("button", name="Undo").click()
    shows(explorer, RELIGION)
    explorer.get_by_role("button", name="Redo").click()
    shows(explorer, edited)
    choose(explorer, "More", "Reset")
    shows(explorer, RELIGION)


def test_an_invalid_count_keeps_the_old_one_and_says_why(explorer):
    field = explorer.get_by_role("textbox", name="Area 2, Jewish", exact=True)
    field.fill("-3")
    field.press("Enter")
    explorer.get_by_role("alert").filter(has_text="Area 2, Jewish").wait_for()
    assert field.input_value() == "2"
    shows(explorer, RELIGION)


def test_sliders_keep_the_weights_at_one_and_the_keyboard_is_enough(explorer):
    slider = explorer.get_by_role("slider", name="Zeros w₁")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowRight")
    shows(explorer, RELIGION, weights=(0.2, 0.8 * 0.8 / 0.9, 0.8 * 0.1 / 0.9))
    boxes = [explorer.get_by_role("spinbutton", name=re.compile(name)) for name in ("w₁", "w₂", "w₃")]
    assert abs(sum(float(box.input_value()) for box in boxes) - 1) < 2e-4
    # No digit is cut, before an edit or after it.
    field = explorer.get_by_role("textbox", name="Area 6, Other", exact=True)
    field.fill("40")
    field.press("Enter")
    shows(explorer, RELIGION.with_count((5, 6), 40), weights=(0.2, 0.8 * 0.8 / 0.9, 0.8 * 0.1 / 0.9))
    assert [box.input_value() for box in boxes] == ["0.20", "0.7111", "0.0889"]
    assert all(box.evaluate("box => box.scrollWidth <= box.clientWidth") for box in boxes)
    epsilon = explorer.get_by_role("spinbutton", name="Exponent of table size")
    epsilon.fill("7")
    epsilon.press("Enter")
    explorer.get_by_role("alert").filter(has_text="(ε) is 7; it must be a number from 0 to 1.").wait_for()


def test_a_wheel_over_a_focused_number_scrolls_the_page_only(explorer):
    box = explorer.get_by_role("spinbutton", name="Unevenness w₂")
    box.click()
    expect(box).to_be_focused()
    explorer.mouse.wheel(0, 300)
    explorer.wait_for_function("scrollY > 0")
    assert float(box.input_value()) == 0.8
    explorer.mouse.wheel(0, -300)
    explorer.wait_for_function("scrollY === 0")
    assert float(box.input_value()) == 0.8
    shows(explorer, RELIGION)


def test_every_number_opens_its_formula(explorer):
    risk(explorer).click()
    dialog = explorer.get_by_role("dialog", name="Disclosure risk of the table")
    dialog.get_by_text("Formulas").click()
    dialog.get_by_text("x₁ = |D|/K = 25/90 = 0.2778").wait_for()
    explorer.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    explorer.get_by_role("button", name=re.compile("Column risk, Hindu: explain")).click()
    explorer.get_by_role("dialog", name="Disclosure risk of Hindu").wait_for()


def test_a_file_is_opened_and_one_that_is_no_table_is_refused(explorer):
    own = b"Area;Yes;No;Total\nNorth;5;1.200;1.205\nSouth;0;9;9\nTotal;5;1.209;1.214\n"
    chooser = explorer.locator("input[type=file]")
    chooser.set_input_files({"name": "own.csv", "mimeType": "text/csv", "buffer": own})
    explorer.get_by_text("The page still shows Religion by output area.").wait_for()
    explorer.get_by_role("button", name="Use this table").click()
    explorer.get_by_role("textbox", name="South, No", exact=True).wait_for()
    explorer.get_by_text("1,214 people in 4 cells", exact=True).wait_for()
    explorer.get_by_role("status").filter(has_text="Total").wait_for()
    chooser.set_input_files({"name": "x.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 x"})
    explorer.get_by_role("alert").filter(has_text="x.pdf").wait_for()
    explorer.get_by_text("1,214 people in 4 cells", exact=True).wait_for()


def test_a_pasted_label_is_never_markup(explorer):
    explorer.get_by_role("button", name="Paste").click()
    label = "<img src=x onerror='window.acted = true'>"
    explorer.get_by_role("textbox", name="Copied cells").fill(f"Area\t{label}\tb\nx\t1\t2\ny\t3\t4")
    explorer.get_by_role("button", name="Check this table").click()
    explorer.get_by_role("button", name="Use this table").click()
    explorer.get_by_role("columnheader", name=label).first.wait_for()
    explorer.get_by_role("button", name=re.compile("Column risk, <img")).click()
    explorer.get_by_role("dialog").get_by_text("Formulas").wait_for()
    assert explorer.evaluate("window.acted") is None
    assert explorer.locator("img").count() == 0


def test_a_link_brings_back_what_was_on_the_screen(explorer, new_page):
    explorer.get_by_label("Example").select_option("sex")
    shows(explorer, examples.load("sex"))
    field = explorer.get_by_role("textbox", name="Area 1, Male", exact=True)
    field.fill("1")
    field.press("Enter")
    edited = examples.load("sex").with_count((0, 0), 1)
    shows(explorer, edited)
    choose(explorer, "Share", "Copy link")
    explorer.wait_for_url(re.compile("state="))
    other = new_page()
    other.goto(explorer.url)
    shows(other, edited)


def test_the_numbers_of_a_chart_are_a_table_too(explorer):
    tab(explorer, 0)
    explorer.get_by_role("button", name="Show numbers as a table").first.click()
    table = explorer.get_by_role("region", name="Numbers of the chart")
    table.get_by_role("rowheader", name="Area 6").wait_for()
    table.get_by_role("cell", name="0.5460").wait_for()


CODES = b"Area,Code,Men,Women\nA,10115,310,290\nB,10117,75,71\nC,10119,1204,1311\nD,10178,88,75\n"


def test_a_wrong_role_is_corrected_in_the_preview_and_the_table_is_used(explorer, axe):
    chooser = explorer.get_by_label("File to open")
    chooser.set_input_files({"name": "codes.csv", "mimeType": "text/csv", "buffer": CODES})
    preview = explorer.get_by_role("region", name="How this file is read")
    role = preview.get_by_label("Role of column 2 (Code)")
    expect(role).to_have_value("count")
    expect(role).to_have_accessible_description(re.compile("Code"))
    use = preview.get_by_role("button", name="Use this table")
    preview.get_by_label("Role of column 1 (Area)").select_option("count")
    expect(use).to_have_attribute("aria-disabled", "true")
    preview.get_by_label("Role of column 1 (Area)").select_option("label")
    expect(use).to_have_attribute("aria-disabled", "false")
    role.focus()
    explorer.keyboard.type("Code of")
    expect(role).to_have_value("code:1")
    expect(role).to_be_focused()
    expect(preview.get_by_role("status")).to_have_text(re.compile("^3,424 people in 8 cells"))
    assert axe(explorer, ".sdc-preview") == []
    use.press("Enter")
    expect(preview).to_be_hidden()
    explorer.get_by_text("3,424 people in 8 cells", exact=True).wait_for()
    explorer.get_by_role("button", name="Check how the file was read").click()
    expect(role).to_have_value("code:1")
    preview.get_by_role("button", name="Cancel").click()
    expect(preview).to_be_hidden()


def test_all_that_is_asked_of_a_file_is_answered_by_keyboard_above_the_button(explorer, axe):
    chooser = explorer.get_by_label("File to open")
    years = b"Area,2021,2022\nBath,310,-\nHull,590,540\nYork,75,88\n"
    chooser.set_input_files({"name": "years.csv", "mimeType": "text/csv", "buffer": years})
    preview = explorer.get_by_role("region", name="How this file is read")
    decisions = preview.get_by_role("list", name=re.compile("open decision"))
    decisions.get_by_role("button", name="0", exact=True).press("Enter")
    preview.get_by_role("status").filter(has_text="1,603 people").wait_for()
    only = decisions.get_by_role("button", name="only 2021")
    expect(decisions.get_by_role("button", name="all are read")).to_be_focused()
    assert axe(explorer, ".sdc-preview") == []
    only.press("Enter")
    preview.get_by_role("status").filter(has_text="975 people in 3 cells").wait_for()
    use = preview.get_by_role("button", name="Use this table")
    expect(use).to_be_focused()
    use.press("Enter")
    expect(preview).to_be_hidden()


def test_an_axis_is_renamed_by_keyboard_and_open_decisions_are_named_beside_the_button(explorer, axe):
    chooser = explorer.get_by_label("File to open")
    chooser.set_input_files({"name": "codes.csv", "mimeType": "text/csv", "buffer": CODES})
    preview = explorer.get_by_role("region", name="How this file is read")
    use = preview.get_by_role("button", name="Use this table")
    expect(use).to_have_accessible_description(re.compile("1 open decision"))
    preview.get_by_label("Role of column 2 (Code)").select_option("other")
    expect(use).not_to_have_accessible_description(re.compile("open decision"))
    name = preview.get_by_label("Name of the columns")
    expect(name).to_have_value("")
    name.fill("Sex")
    name.press("Enter")
    expect(preview.locator(".sdc-summary")).to_have_text(re.compile("Sex"))
    expect(name).to_be_focused()
    assert axe(explorer, ".sdc-preview") == []
    use.press("Enter")
    expect(preview).to_be_hidden()


def test_a_preview_is_used_by_keyboard_and_each_description_exists(explorer):
    chooser = explorer.get_by_label("File to open")
    chooser.set_input_files({"name": "codes.csv", "mimeType": "text/csv", "buffer": CODES})
    preview = explorer.get_by_role("region", name="How this file is read")
    expect(preview.locator("[aria-live]").filter(has_text="1 open decision")).to_be_visible()
    missing = """() => [...document.querySelectorAll(".sdc-preview [aria-describedby]")]
        .flatMap((one) => one.getAttribute("aria-describedby").split(" "))
        .filter((id) => !document.getElementById(id))"""
    assert explorer.evaluate(missing) == []
    preview.locator(".sdc-decisions button").first.press("Space")
    expect(preview.locator("[aria-live]").filter(has_text="No open decisions")).to_be_visible()
    assert explorer.evaluate(missing) == []
    use = preview.get_by_role("button", name="Use this table")
    use.press("Enter")
    expect(preview).to_be_hidden()
    expect(explorer.get_by_role("button", name="Check how the file was read")).to_be_focused()


def test_a_file_of_people_is_not_answered_in_red(explorer):
    people = b"id,sex,region\n1,m,North\n2,NA,East\n3,w,South\n"
    explorer.get_by_label("File to open").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": people}
    )
    alert = explorer.get_by_role("alert").filter(has_text="people.csv")
    alert.wait_for()
    colours = alert.evaluate(
        "node => [getComputedStyle(node).color, getComputedStyle(node.parentElement).color]"
    )
    assert colours[0] == colours[1]
    preview = explorer.get_by_role("region", name="How this file is read")
    problem = preview.get_by_role("status")
    assert problem.evaluate("node => getComputedStyle(node).color") == colours[1]


def test_the_tutorial_asks_what_the_page_answers_only_after_a_click(served, page):
    page.goto(f"{served}voila/render/{link(2)}")
    parts = ("zeros", "unevenness", "small size")
    task = page.locator(".sdc-story p")
    for part in parts:
        expect(task).to_contain_text(part)
    lead = page.locator(".sdc-lead")
    expect(lead).to_contain_text("25–29 is the row with the highest risk")
    assert not any(part in lead.inner_text().lower() for part in parts)
    page.get_by_role("table", name="Table with disclosure risks").get_by_role("button", name="0.967").click()
    expect(page.get_by_role("dialog")).to_contain_text("comes from unevenness")
