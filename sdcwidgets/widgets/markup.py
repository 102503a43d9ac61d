"""HTML elements; their content is escaped unless it is an element."""

from __future__ import annotations

from html import escape
from typing import Any


class Html(str):
    """Markup; all other texts are data."""

    __slots__ = ()


def tag(name: str, /, *inside: Any, **attributes: object) -> Html:
    """Return an element without contents and attributes that are None, False or "".

    >>> tag("p", "a < b", tag("br"), None, class_="note", hidden=False)
    '<p class="note">a &lt; b<br></p>'
    """
    names = {key.strip("_").replace("_", "-"): value for key, value in attributes.items()}
    attributes_text = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in names.items()
        if value is not None and value is not False and value != ""
    )
    if name in ("br", "input"):
        return Html(f"<{name}{attributes_text}>")
    content = "".join(part if isinstance(part, Html) else escape(part) for part in inside if part)
    return Html(f"<{name}{attributes_text}>{content}</{name}>")
