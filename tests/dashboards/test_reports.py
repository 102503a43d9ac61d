"""Each tool that decides something hands over a report by one button."""

from importlib import import_module

import pytest

from screens import inside
from sdcwidgets._util.publication import FIRST_LINE
from sdcwidgets.widgets.page import Page

#: What each page's report is about; of these the true table is shown as it is, which only the house may see.
TOOLS = {
    "explore": "internal-report",
    "cell_key": "report",
    "microdata": "internal-report",
    "rounding": "report",
    "sample": "report",
    "suppression": "report",
    "tables": "report",
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_hands_over_its_report(name):
    screen = import_module(f"sdcwidgets.dashboards.{name}").app()
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
        assert "What is published" in text
        assert "What data users can infer" in text
