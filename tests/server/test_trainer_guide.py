"""The guide of the trainer view is the page on courses of the documentation, without its pictures."""

from pins import ROOT
from sdcwidgets.server.course_session import guide


def test_the_guide_has_the_sections_of_the_documentation_and_no_picture():
    page = (ROOT / "docs" / "teaching.md").read_text("utf-8")
    assert "![" in page
    assert guide().count("<h2") == page.count("\n## ")
    assert "<img" not in guide()
