"""The landing page in a real browser: the main button starts the game."""

from playwright.sync_api import expect

from sdcwidgets.dashboards.index.dots import published_counts
from sdcwidgets.dashboards.story import VILLAGE, link


def test_the_main_button_sorts_the_dots_until_one_is_left(served, page, axe):
    page.emulate_media(reduced_motion="reduce")
    page.goto(served)
    dot = page.locator(".anna-dot")
    expect(dot).to_have_css("transition-property", "none")
    before = dot.bounding_box()
    page.locator(".main-way").first.click()
    expect(page.locator("#dots-known")).to_be_checked()
    expect(page.locator(".dots .age-labels")).to_have_css("opacity", "1")
    after = dot.bounding_box()
    assert after["width"] > before["width"]
    # The question of the game has the focus, and the picture is used by keyboard.
    expect(page.locator("input[name=anna]").first).to_be_focused()
    page.locator("#dots-known").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#dots-rounded")).to_be_checked()
    expect(page.locator(".dots .rounded")).to_be_visible()
    expect(page.locator(".dots .known")).to_be_hidden()
    row = page.locator(".anna table").get_by_role("row", name="25–29")
    expect(row).to_have_count(1)
    expect(row.get_by_role("cell").nth(2)).to_have_text("0")
    page.keyboard.press("ArrowLeft")
    expect(row.get_by_role("cell").nth(2)).to_have_text("1")
    page.keyboard.press("ArrowRight")
    assert axe(page, ".anna") == []


def test_the_way_to_the_next_step_is_the_only_filled_button_after_the_answer(served, page):
    page.goto(served)
    start = page.locator(".hero .go .main-way")
    after = page.locator(".feedback .main-way")
    filled = start.evaluate("(link) => getComputedStyle(link).backgroundColor")
    expect(after).to_be_hidden()
    page.locator("label[for=anna-2]").click()
    expect(after).to_be_visible()
    expect(after).to_have_css("background-color", filled)
    expect(start).not_to_have_css("background-color", filled)


def test_the_start_button_marks_the_question_until_it_is_answered(served, page):
    page.goto(served)
    question = page.locator(".question")
    expect(question).to_have_css("outline-style", "none")
    page.locator(".main-way").first.click()
    expect(question).to_have_css("outline-style", "solid")
    expect(question).to_be_in_viewport(ratio=1)
    page.locator("label[for=anna-2]").click()
    expect(question).to_have_css("outline-style", "none")


def test_the_sentence_on_the_correct_answer_describes_the_counts_that_are_shown(served, page):
    page.goto(served)
    page.locator("label[for=anna-2]").click()
    expect(page.locator(".feedback .for-original")).to_be_visible()
    expect(page.locator(".parts")).to_be_visible()
    page.locator("label[for=dots-rounded]").click()
    expect(page.locator(".feedback .for-original")).to_be_hidden()
    expect(page.locator(".feedback .for-rounded")).to_be_visible()
    expect(page.locator(".feedback .main-way")).to_be_visible()


#: Number of visible dots in each quarter of the picture, from left to right.
DOTS_BY_GROUP = """picture => {
    const groups = [0, 0, 0, 0];
    const { left, width } = picture.getBoundingClientRect();
    for (const dot of picture.querySelectorAll(".dot, .anna-dot")) {
        const box = dot.getBoundingClientRect();
        const { fillOpacity } = getComputedStyle(dot);
        if (fillOpacity !== "0") groups[Math.floor(4 * (box.left + box.width / 2 - left) / width)] += 1;
    }
    return groups;
}"""


def test_the_dots_scatter_to_the_rounded_counts(served, page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(served)
    picture = page.locator(".dots svg")
    page.locator("label[for=dots-ages]").click()
    assert picture.evaluate(DOTS_BY_GROUP) == VILLAGE.counts.sum(axis=1).tolist()
    expect(picture.locator(".age-labels")).to_have_css("opacity", "1")
    expect(picture.locator(".rounded-labels")).to_have_css("opacity", "0")
    heights = "dots => new Set(dots.map((dot) => Math.round(dot.getBoundingClientRect().top))).size"
    sorted_heights = picture.locator(".dot").evaluate_all(heights)
    page.locator("label[for=dots-rounded]").click()
    rounded = [sum(row) for row in published_counts()]
    assert picture.evaluate(DOTS_BY_GROUP) == rounded
    expect(picture.locator(".age-labels")).to_have_css("opacity", "0")
    expect(picture.locator(".rounded-labels")).to_have_css("opacity", "1")
    labels = picture.locator(".rounded-labels text").all_text_contents()
    assert labels == [f"{age}: {count}" for age, count in zip(VILLAGE.rows.labels, rounded, strict=True)]
    # The dots are no longer in lines, and rings show the cells in which Anna can be.
    assert picture.locator(".dot").evaluate_all(heights) > sorted_heights
    expect(picture.locator(".possible")).to_have_css("opacity", "1")


def test_a_reload_restores_the_tutorial_and_start_again_clears_it(served, page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(served)
    again = page.get_by_role("button", name="Start again")
    onward = page.get_by_role("link", name="Continue with step")
    expect(again).to_be_hidden()
    expect(onward).to_be_hidden()
    page.locator("label[for=dots-known]").click()
    page.locator("label[for=anna-2]").click()
    page.reload()
    expect(page.locator("#dots-known")).to_be_checked()
    expect(page.locator("#anna-2")).to_be_checked()
    expect(onward).to_have_text("Continue with step 2: Measure the disclosure risk")
    # A later step is the one to continue with.
    page.locator(".story a", has_text="Protect Anna").click()
    bar = page.get_by_role("complementary", name="Tutorial")
    expect(bar).to_contain_text("Step 3 of 4")
    page.goto(served)
    expect(onward).to_have_text("Continue with step 3: Protect Anna")
    filled = page.locator(".hero :is(.main-way, .way-on):visible").evaluate_all(
        "ways => ways.filter((way) => getComputedStyle(way).backgroundColor !== 'rgba(0, 0, 0, 0)').length"
    )
    assert filled == 1
    onward.click()
    expect(bar).to_contain_text("Step 3 of 4")
    page.goto(served)
    again.click()
    expect(page.locator("#dots-everyone")).to_be_checked()
    expect(page.locator("#anna-2")).not_to_be_checked()
    page.reload()
    expect(page.locator("#dots-everyone")).to_be_checked()
    expect(again).to_be_hidden()
    expect(onward).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0
    assert page.evaluate("sessionStorage.length") == 0


def test_a_reload_of_the_summary_shows_the_summary(served, page):
    page.goto(f"{served}voila/render/{link(4)}")
    bar = page.get_by_role("complementary", name="Tutorial")
    bar.get_by_role("button", name="Show the summary of the story").click()
    expect(bar).to_contain_text("This is the end of the story")
    page.reload()
    expect(bar).to_contain_text("This is the end of the story")
    page.goto(served)
    page.get_by_role("link", name="Show the summary of the story").click()
    expect(bar).to_contain_text("This is the end of the story")
    page.goto(served)
    # Answers that are cleared on a shared computer include the tutorial.
    page.get_by_role("button", name="Clear my answers").click()
    page.get_by_role("button", name="Delete answers").click()
    assert page.evaluate("localStorage.length") == 0
