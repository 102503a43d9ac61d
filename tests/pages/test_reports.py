"""Each tool that decides something hands over a report by one button."""

from importlib import import_module

import pytest

from screens import inside
from sdcwidgets.widgets.page import Page

#: What each page's report is about; of these the true table is shown as it is, which only the house may see.
TOOLS = {
    "explore": "confidential-report",
    "cell_key": "report",
    "microdata": "report",
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
    if name == "microdata":
        assert "What was done" in text
    else:
        assert "What is published" in text
        assert ("Confidential" in text) is message["name"].startswith("confidential")
        assert "What a reader may conclude" in text
