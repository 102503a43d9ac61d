"""Where the steps of a course are, as text and as QR codes."""

from __future__ import annotations

from io import BytesIO, StringIO

import segno

from sdcwidgets.teaching.course.course import CourseStep


def qr(address: str) -> str:
    """Return an address as a picture of SVG."""
    written = BytesIO()
    segno.make(address, error="m").save(
        written,
        kind="svg",
        xmldecl=False,
        svgns=False,
        border=2,
        scale=4,
        light="#fff",
        title=address,
        omitsize=True,
    )
    return written.getvalue().decode()


def address_of(step: CourseStep, number: int, base: str) -> str:
    """Return the address of a step: a page with its state, or the room itself."""
    if step.opening is None:
        return f"{base}course?step={number}"
    state = f"&state={step.opening.state}" if step.opening.state else ""
    part = "#" + step.opening.part.replace(" ", "-") if step.opening.part else ""
    return f"{base}voila/render/{step.opening.page}.ipynb?step={number}{state}{part}"


def terminal(address: str) -> str:
    """Return an address as a picture of characters."""
    written = StringIO()
    segno.make(address, error="l").terminal(out=written, border=2, compact=True)
    return written.getvalue()
