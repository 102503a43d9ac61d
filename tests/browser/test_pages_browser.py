"""The head of every page and the lessons, as `sdcwidgets serve` shows them."""

import re

import pytest
from playwright.sync_api import expect

from sdcwidgets.dashboards import notebook_pages
from shared import HEARD, begin_again, choose, tab


@pytest.fixture(scope="module")
def tolerated():
    """Return nothing: on its own server the project answers for every message."""
    return ()


@pytest.fixture(scope="module")
def opened(served, kept_page):
    page = kept_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{served}voila/render/explore.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    return page


@pytest.fixture
def explore(opened):
    opened.emulate_media(media="screen")
    opened.set_viewport_size({"width": 1366, "height": 768})
    return begin_again(opened)


def test_title_purpose_and_answer_are_in_the_first_view(explore):
    expect(explore.get_by_role("heading", level=1)).to_contain_text("disclosure risk")
    expect(explore.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(explore.locator(".sdc-big").first).to_be_in_viewport(ratio=0.9)


def test_after_an_act_one_line_says_what_changed_and_buttons_stay_where_they_are(explore):
    tab(explore, 1)
    explore.evaluate("scrollTo(0, 0)")
    share = explore.locator("summary[aria-label=Share]")
    before = share.bounding_box()
    choose(explore, "Share", "Copy link")
    expect(explore.get_by_role("dialog", name="The link works on this computer only")).to_be_visible()
    assert share.bounding_box() == before
    explore.keyboard.press("Escape")
    explore.get_by_role("textbox", name="Area 6, Muslim").fill("14")
    explore.keyboard.press("Enter")
    line = "0.2315 → 0.2275 ▼ unevenness fell (Area 6, Muslim: 0 → 14)"
    expect(explore.locator(".sdc-changed")).to_have_text(line)


def test_a_link_of_this_machine_comes_with_a_file_that_opens_on_any(served, new_page):
    mine, strange = new_page(), new_page()
    for page, name in ((mine, "explore"), (strange, "who")):
        page.goto(f"{served}voila/render/{name}.ipynb")
        page.locator(".sdc-lead").wait_for()
    cell = mine.get_by_role("textbox", name="Area 6, Muslim")
    cell.fill("14")
    cell.press("Enter")
    expect(mine.locator(".sdc-lead-answer")).to_contain_text("0.2275")
    choose(mine, "Share", "Copy link")
    with mine.expect_download() as saved:
        mine.get_by_role("button", name="Save state as file").click()
    assert saved.value.suggested_filename == "internal-explore-state.json"
    begin_again(mine)
    expect(cell).to_have_value("0")
    for page in (mine, strange):
        with page.expect_file_chooser() as asked:
            choose(page, "More", "Open a saved state")
        asked.value.set_files(saved.value.path())
    expect(cell).to_have_value("14")
    expect(
        strange.get_by_text("contains the state of another page. Open it on the page explore.")
    ).to_be_visible()


def test_what_is_saved_or_copied_is_said_once(served, new_page):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{served}voila/render/rounding.ipynb")
    page.locator(".sdc-plot .main-svg").first.wait_for()
    heard = []
    page.evaluate(HEARD)
    for save in (
        lambda: choose(page, "Share", "Report"),
        lambda: page.get_by_role("button", name="Picture").first.click(),
    ):
        with page.expect_download() as saved:
            save()
        heard.append(f"Saved as {saved.value.suggested_filename}")
        page.wait_for_function("count => heard.length >= count", arg=len(heard))
    choose(page, "Share", "Copy link")
    dialog = page.get_by_role("dialog", name="The link works on this computer only")
    expect(dialog.get_by_role("status")).to_have_text("Link copied")  # nothing else is heard while it is open
    with page.expect_download():
        dialog.get_by_role("button", name="Save state as file").click()
    expect(dialog.get_by_role("status")).to_have_text("Saved as rounding-state.json")
    assert page.evaluate("heard") == [*heard, "Link copied", "Saved as rounding-state.json"]


def test_the_colours_are_chosen_and_kept(explore):
    ground = "getComputedStyle(document.querySelector('.sdc-card')).backgroundColor"
    light = explore.evaluate(ground)
    colours = re.compile("^Colour theme: ")
    chosen = explore.locator("button[aria-label^=Colour]")
    choose(explore, "More", colours)
    choose(explore, "More", colours)
    expect(chosen).to_have_attribute("aria-label", "Colour theme: dark. Change theme")
    assert explore.evaluate(ground) != light
    explore.reload()
    expect(chosen).to_have_attribute("aria-label", "Colour theme: dark. Change theme")
    choose(explore, "More", colours)
    expect(chosen).to_have_attribute("aria-label", "Colour theme: system setting. Change theme")
    assert explore.evaluate(ground) == light


def test_every_page_is_one_click_away_and_escape_closes_the_list(explore):
    menu = explore.get_by_text("All tools")
    menu.click()
    links = explore.get_by_role("navigation", name="Dashboards").get_by_role("link")
    assert set(links.all_inner_texts()) == {entry.title for entry in notebook_pages.dashboards()}
    explore.keyboard.press("Escape")
    expect(links.first).to_be_hidden()


#: The letters that are seen in all charts.
LETTERS = """() => [...document.querySelectorAll(".sdc-plot text")]
    .filter((one) => getComputedStyle(one).visibility !== "hidden").map((one) => one.textContent).join(" ")"""


def test_on_paper_every_chart_is_drawn_and_there_are_no_buttons(explore):
    tab(explore, 0)
    explore.wait_for_function(f"({LETTERS})().includes('Area 6')")
    explore.set_viewport_size({"width": 1366, "height": 300})
    # The charts are told that they are out of sight before an observer that comes after theirs.
    explore.evaluate("new Promise((seen) => new IntersectionObserver(seen).observe(document.body))")
    explore.get_by_role("button", name="Paste").click()
    explore.get_by_role("textbox", name="Copied cells").fill("Town\tYes\tNo\nNorth\t5\t7\nSouth\t1\t9")
    explore.get_by_role("button", name="Check this table").click()
    explore.get_by_role("button", name="Use this table").click()
    expect(explore.locator(".sdc-lead-answer")).to_contain_text("South")
    place = explore.evaluate("scrollY")
    # What is out of sight is blank at once, and drawn anew in a moment though nobody scrolls there.
    explore.wait_for_function(f"!({LETTERS})().includes('Area 6')")
    explore.wait_for_function(f"({LETTERS})().includes('South')")
    assert explore.evaluate("scrollY") == place
    explore.evaluate("dispatchEvent(new Event('beforeprint'))")
    explore.emulate_media(media="print")
    charts = explore.locator(".sdc-plot")
    expect(explore.locator(".sdc-plot .main-svg").last).to_be_attached()
    for index in range(charts.count()):
        expect(charts.nth(index).locator(".main-svg").first).to_be_visible()
    buttons = explore.locator(".sdc-page button:visible:not(.sdc-value, .sdc-big, .sdc-word, .sdc-key *)")
    assert buttons.all_inner_texts() == []


def test_a_lesson_leads_to_a_tool_and_the_tool_back(served, page, axe):
    lesson = notebook_pages.lessons()[0]
    page.goto(f"{served}voila/render/{lesson.notebook}")
    page.locator(".sdc-exercise").first.wait_for()
    expect(page.get_by_text("NBVAL")).to_have_count(0)
    expect(page.locator(".sdc-code pre").first).to_be_hidden()
    page.locator("summary").filter(has_text="The code").first.click()
    expect(page.locator(".sdc-code pre").first).to_be_visible()
    # The corner of a table is no head of anything, for who hears the page.
    expect(page.locator(".dataframe thead").first).to_be_attached()
    expect(page.locator(".dataframe th:empty")).to_have_count(0)
    page.get_by_role("link", name="Explore", exact=True).click()
    page.locator("summary[aria-label=More]").click()
    page.get_by_role("link", name=lesson.title).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(lesson.title)


def test_what_follows_a_question_is_shown_once_it_was_tried(served, page):
    page.goto(f"{served}voila/render/{notebook_pages.lessons()[0].notebook}")
    question = page.locator(".sdc-exercise").first
    question.wait_for()
    follows = page.get_by_text("You knew where Anna lives")
    expect(
        question.get_by_text("Answer the question to show the next part, or continue without an answer")
    ).to_be_visible()
    expect(follows).to_be_hidden()
    # Later questions ask about what is not yet read.
    expect(page.locator(".sdc-exercise").nth(1)).to_be_attached()
    expect(page.locator(".sdc-exercise:visible")).to_have_count(1)
    field = question.get_by_role("textbox")
    field.fill("4")
    # JupyterLab takes no key from what carries this, and Enter goes no further than the question.
    expect(field).to_have_attribute("data-lm-suppress-shortcuts", "true")
    page.evaluate(
        "() => { window.keys = []; document.addEventListener('keydown', ({ key }) => keys.push(key)); }"
    )
    field.press("Enter")
    assert page.evaluate("keys") == []
    expect(question.get_by_role("status")).to_contain_text("Not yet")
    expect(follows).to_be_visible()
    expect(page.locator(".sdc-exercise:visible")).to_have_count(2)
    page.get_by_role("button", name="continue without an answer").click()
    expect(page.locator(".sdc-exercise:visible")).to_have_count(3)


def test_long_labels_are_never_cut_until_they_are_the_same(explore, tmp_path):
    places = ["North, east", "North, west", "South", "Upper Common"]
    rows = [f"E0000{1000 + i} Harbour {places[i % 4]} of the old railway line" for i in range(16)]
    columns = ["White: English, Welsh, Scottish, Irish", "White: English, Welsh, Scottish, other", "Mixed"]
    columns += [f"Group {k}" for k in range(4, 13)]
    counts = ["1", "2", "4", *["5"] * 9]  # each column is the smallest somewhere, so none may contain another
    lines = [f'"{row}",{",".join(counts[i % 12 :] + counts[: i % 12])}' for i, row in enumerate(rows)]
    text = "\n".join([",".join(["Area", *(f'"{name}"' for name in columns)]), *lines])
    (tmp_path / "long.csv").write_text(text)
    explore.locator("input[type=file]").first.set_input_files(tmp_path / "long.csv")
    explore.get_by_role("button", name="Use this table").click()
    explore.get_by_role("textbox", name=f"{rows[0]}, Mixed").wait_for()
    for kind, labels in (("tbody th", rows), ("thead th[scope=col]:not(.sdc-corner, .sdc-right)", columns)):
        heads = explore.locator(".sdc-grid").first.locator(kind)
        shown = [heads.nth(index).locator("span").first.inner_text() for index in range(heads.count())]
        assert len(set(shown)) == len(labels)
        assert [
            heads.nth(index).get_attribute("title") or label for index, label in enumerate(labels)
        ] == labels
    # Twelve columns are seen at once: the table is set in small type.
    assert explore.locator(".sdc-grid .sdc-scroll").first.evaluate(
        "node => node.scrollWidth <= node.clientWidth"
    )
    tab(explore, 0)
    # The picture that is saved names its table, below the labels.
    explore.evaluate(
        "() => { Plotly.downloadImage = async (figure) => { globalThis.saved = figure.layout; return 'a.png'; }; }"
    )
    explore.get_by_role("button", name="Picture").first.click()
    saved = explore.evaluate("globalThis.saved")
    caption = saved["annotations"][-1]
    assert caption["text"].startswith("long.csv, 832 people in 192 cells. Weights 0.1/0.8/0.1")
    room = explore.evaluate("document.querySelector('.sdc-plot')._fullLayout._size.b")
    assert -caption["yshift"] >= room > 40
    assert saved["showlegend"]
    assert saved["title"]["text"] == "Weighted terms of the disclosure risk by row or column"


def test_what_a_setting_does_is_said_by_key(explore):
    why = explore.get_by_role("button", name=re.compile("Exponent of table size"))
    words = explore.get_by_text("Exponent that sets how fast the third term decreases")
    expect(words).to_be_hidden()
    why.press("Enter")
    expect(words).to_be_visible()


def test_the_way_out_of_the_grid_is_offered_before_it(explore):
    explore.get_by_role("button", name="Save original counts (CSV)").first.focus()
    explore.keyboard.press("Tab")
    skip = explore.get_by_role("button", name="Skip the table")
    expect(skip.first).to_be_focused()
    explore.keyboard.press("Enter")
    explore.keyboard.press("Tab")
    assert not explore.evaluate("document.activeElement.closest('.sdc-scroll') !== null")


def test_words_and_terms_open_what_they_mean_by_key(explore):
    tab(explore, 1)
    explore.get_by_role("button", name="R₁*", exact=True).press("Enter")
    dialog = explore.get_by_role("dialog", name="R₁*")
    expect(dialog).to_contain_text("Unweighted")
    expect(dialog).to_contain_text("R₁* = √(")
    explore.keyboard.press("Escape")
    explore.get_by_role("button", name="small size 0.0").press("Enter")
    expect(explore.get_by_role("dialog")).to_contain_text("Small size: x₃ = h₂(2,449, 0.5)")
    explore.keyboard.press("Escape")
    choose(explore, "More", "Glossary")
    words = explore.get_by_role("dialog", name="Glossary")
    expect(words.get_by_role("searchbox", name="Search terms")).to_be_focused()
    # Those of this page come first, and one can look for the others.
    listed = words.locator(".sdc-word").all_inner_texts()
    assert listed.index("R₁*") < listed.index("coalition")
    assert listed.index("coalition") < listed.index("GAD")
    field = words.get_by_role("searchbox", name="Search terms")
    field.fill("gad")
    expect(words.get_by_role("button", name="h₃", exact=True)).to_be_hidden()
    expect(words.get_by_role("button", name="GAD", exact=True)).to_be_visible()
    field.fill("")
    for word in ("Weights", "ε", "h₃", "GAD"):
        expect(words.get_by_role("button", name=word, exact=True)).to_be_visible()
    words.get_by_role("button", name="PSD 2014 (5)", exact=True).press("Enter")
    expect(explore.get_by_role("dialog", name="PSD 2014 (5)")).to_contain_text("H(X|Y)")


def test_a_decision_about_a_file_is_shown_once_in_its_preview(explore, tmp_path):
    (tmp_path / "flags.csv").write_text("Area,Men,Women\nBath,31,12 p\nHull,59,61\nYork,20,25\n")
    explore.locator("input[type=file]").first.set_input_files(tmp_path / "flags.csv")
    preview = explore.get_by_role("region", name="How this file is read")
    expect(preview.locator(".sdc-decisions > li")).to_have_count(1)
    bar = explore.locator(".sdc-source").first.locator("xpath=..")
    expect(bar.locator(":scope > .sdc-choices select")).to_have_count(0)
    preview.get_by_role("button", name="Remove flags", exact=True).click()
    expect(preview.get_by_text("No open decisions")).to_be_visible()
    preview.get_by_role("button", name="Use this table").click()
    expect(preview).to_be_hidden()
    explore.get_by_role("button", name="Check how the file was read").click()
    expect(preview).to_be_visible()
    expect(bar.locator(":scope > .sdc-choices select")).to_have_count(0)
    preview.get_by_role("button", name="Cancel").click()
