"""Each tool that decides something hands over a report by one button."""

import re
from importlib import import_module

import pytest

from screens import inside
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.dashboards.rounding import page as rounding
from sdcwidgets.dashboards.rounding.result import compute
from sdcwidgets.dashboards.rounding.state import RoundingState
from sdcwidgets.dashboards.tables.state import TablesState
from sdcwidgets.widgets.page import Page
from sdcwidgets.widgets.page_state.recomputation import Study
from sdcwidgets.widgets.page_state.reporting import SMALL_SEED

#: What each page's report is about; of these the true table is shown as it is, which only the house may see.
TOOLS = {
    "explore": "internal-report",
    "cell_key": "report",
    "microdata": "internal-report",
    "rounding": "report",
    "sample": "report",
    # The page opens with a suppressed cell that data users can compute.
    "suppression": "internal-report",
    "tables": "report",
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_hands_over_its_report(name):
    dashboard = import_module(f"sdcwidgets.dashboards.{name}")
    # The page Tables opens with a refused request, on which there is no report.
    screen = dashboard.app(TablesState().with_request()) if name == "tables" else dashboard.app()
    (page,) = inside(screen, Page)
    assert page.reports
    sent = []
    page.send = lambda message, buffers=None: sent.append((message, buffers))
    page._hear(page, {"type": "report"}, [])
    assert page.problem == ""
    ((message, (content,)),) = sent
    assert message["name"].startswith(f"{TOOLS[name]}-")
    text = content.decode("utf-8")
    assert "<h1>" in text
    assert "<script" not in text
    internal = message["name"].startswith("internal")
    assert (FIRST_LINE in text.splitlines()[0]) is internal
    assert (FIRST_LINE in text) is internal
    if name == "microdata":
        assert "Key variables: " in text
    else:
        assert "Published table" in text
        assert "What data users can infer" in text


@pytest.mark.parametrize("name", ["cell_key", "sample"])
def test_a_report_of_small_draws_says_that_their_seed_can_be_guessed(name):
    """These pages draw from a small number on the screen: an intruder who tries all numbers removes the protection."""
    made = []
    screen = import_module(f"sdcwidgets.dashboards.{name}").app()
    (page,) = inside(screen, Page)
    page.send = lambda message, buffers=None: made.append(buffers[0].decode("utf-8"))
    page._hear(page, {"type": "report"}, [])
    assert page.problem == ""
    assert SMALL_SEED in made[0]
    assert not re.search(r"[Ss]eed \d", made[0])


@pytest.mark.parametrize(
    ("method", "warned"), [("random", True), ("conventional", False), ("controlled", False)]
)
def test_a_report_of_random_rounding_says_so_too(method, warned):
    study = Study(RoundingState.of_example("handbook-5-18").changed(method=method), compute)
    assert (SMALL_SEED in rounding._report(study).release.notes) is warned
