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
    opening = step.opening
    state = f"&state={opening.state}" if opening.state else ""
    tab = f"&tab={opening.tab}" if opening.state and opening.tab else ""
    part = "#" + opening.part.replace(" ", "-") if opening.part else ""
    return f"{base}voila/render/{opening.page}.ipynb?step={number}{state}{tab}{part}"


def terminal(address: str) -> str:
    """Return an address as a picture of characters."""
    written = StringIO()
    segno.make(address, error="l").terminal(out=written, border=2, compact=True)
    return written.getvalue()
