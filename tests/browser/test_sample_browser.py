"""The sample lab in a real browser: draw samples and balls, change the model, and forget the population."""

import re

from playwright.sync_api import expect

from sdcwidgets.dashboards.sample.state import SampleSettings
from shared import label, small_and_dark, tab

NOTEBOOK = "voila/render/sample.ipynb"


def opened(page, served):
    page.goto(f"{served}{NOTEBOOK}")
    page.locator(".sdc-lead-answer", has_text="From this sample").wait_for()
    return page


def test_a_statistician_draws_samples_and_balls_and_forgets_the_population(served, new_page, axe):
    page = opened(new_page(), served)
    expect(page.get_by_text(re.compile("^Sample 18: 245 of the 2,449 people .*10.0%"))).to_be_visible()
    # The cloud grows to a thousand populations of each model, beside the truth.
    cloud = page.get_by_role(
        "img",
        name=re.compile(r"Log-linear model: mean .* 1,000 simulated populations; .* True risk 0\.1733\."),
    )
    expect(cloud).to_be_visible()
    assert axe(page) == []

    # The slider is moved with the keyboard: another sample, another cloud.
    page.get_by_role("slider", name=re.compile("Sampling fraction")).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile("^Sample 18: 269 of the 2,449 people .*11.0%"))).to_be_visible()
    expect(cloud).to_have_count(0)
    fraction = page.get_by_role("spinbutton", name=re.compile("Sampling fraction"))
    fraction.fill("0.3")
    fraction.press("Enter")
    expect(page.get_by_text(re.compile("^Sample 18: 735 of the 2,449 people .*30.0%"))).to_be_visible()
    page.get_by_role("button", name="Draw another sample").click()
    expect(page.get_by_text(re.compile("^Sample 19: .*30.0%"))).to_be_visible()

    # Terms of the model on and off: what they do to the fit and to the risk.
    tab(page, 6)
    fits = page.get_by_role("list", name="Log-linear models with fit and estimated risk")
    expect(fits).to_contain_text("▸ Area + Religion")
    page.get_by_role("combobox", name=label(SampleSettings, "terms")).select_option("Area")
    expect(fits).to_contain_text("▸ Area")
    expect(fits).not_to_contain_text("▸ Area + Religion")
    page.get_by_role("combobox", name=label(SampleSettings, "terms")).select_option("Area + Religion")

    # The urn, ball by ball and ten at a time, with the keyboard.
    tab(page, 5)
    page.get_by_role("button", name="Draw 1", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 ball added")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Draw 10", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Draw 11 was")).to_be_visible()
    expect(
        page.get_by_text(
            re.compile(
                "^The fast urn gives the same results as drawing ball by ball. In 200 populations of each"
            )
        )
    ).to_be_visible()

    # The other door: only the sample is left, and N.
    tab(page, 4)
    page.get_by_role("button", name="Use the table as a sample only").click()
    expect(
        page.get_by_text("The table is a sample of 735 people, 30.0% of a population of 2,449.")
    ).to_be_visible()
    expect(page.get_by_text("The true risk is unknown.").first).to_be_visible()
    people = page.get_by_role("spinbutton", name=label(SampleSettings, "people"))
    people.fill("100")
    people.press("Enter")
    expect(page.get_by_text("N must be at least the sample size")).to_be_visible()
    expect(
        page.get_by_text("The table is a sample of 735 people, 30.0% of a population of 2,449")
    ).to_be_visible()
    people.fill("24490")
    people.press("Enter")
    expect(
        page.get_by_text("The table is a sample of 735 people, 3.0% of a population of 24,490.")
    ).to_be_visible()
    assert axe(page) == []
    assert small_and_dark(page, axe) == []
