"""Addresses of the steps of a course."""

from __future__ import annotations

from sdcwidgets.teaching.course.course import CourseStep, Opening

#: Query of an address that opens a page without the bar of the course.
WITHOUT_BAR = "trainer-view"


def page_of(step: CourseStep, base: str) -> str:
    """Return the URL of the page of a step without the bar of the course; "" if the step has no page."""
    return f"{base}{_page(step.opening, WITHOUT_BAR)}" if step.opening else ""


def address_of(step: CourseStep, number: int, base: str) -> str:
    """Return the URL of a step: a page with its state, or the join page."""
    if step.opening is None:
        return f"{base}course?step={number}"
    return f"{base}{_page(step.opening, f'step={number}')}"


def _page(opening: Opening, query: str) -> str:
    state = f"&state={opening.state}" if opening.state else ""
    tab = f"&tab={opening.tab}" if opening.state and opening.tab else ""
    part = "#" + opening.part.replace(" ", "-") if opening.part else ""
    return f"voila/render/{opening.page}.ipynb?{query}{state}{tab}{part}"
