"""Addresses of the steps of a course."""

from __future__ import annotations

from sdcwidgets.teaching.course.course import CourseStep


def address_of(step: CourseStep, number: int, base: str) -> str:
    """Return the URL of a step: a page with its state, or the join page."""
    if step.opening is None:
        return f"{base}course?step={number}"
    opening = step.opening
    state = f"&state={opening.state}" if opening.state else ""
    tab = f"&tab={opening.tab}" if opening.state and opening.tab else ""
    part = "#" + opening.part.replace(" ", "-") if opening.part else ""
    return f"{base}voila/render/{opening.page}.ipynb?step={number}{state}{tab}{part}"
