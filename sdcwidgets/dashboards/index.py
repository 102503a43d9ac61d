"""The landing page: a few words and a card for every dashboard."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets.dashboards import DASHBOARDS, Dashboard

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["app", "content"]

WELCOME = """
<h1>Disclosure control of frequency tables</h1>
<p>A published table of counts can give away something about a person in it. Here you can see how, change
a table, turn what can be turned, and watch every number follow. Each visit is your own; nothing is
stored.</p>
"""


def content() -> str:
    """Return the landing page as markup.

    Its links work at the root of the project's own server and under `/voila/render/` of any other, because
    the place they start from is that of the page's address up to its last slash.
    """
    cards = "".join(map(_card, DASHBOARDS))
    style = Path(__file__).with_suffix(".css").read_text("utf-8")
    return f"<style>{style}</style><div class='sdc-index'>{WELCOME}<ul>{cards}</ul></div>"


def app() -> ipywidgets.HTML:
    """Return the landing page as a widget, for servers that show notebooks."""
    import ipywidgets

    page = ipywidgets.HTML(content())
    page.layout.margin = "0"
    page.layout.height = "auto"
    return page


def _card(dashboard: Dashboard) -> str:
    title, about = escape(dashboard.title), escape(dashboard.about)
    return f"<li><a href='{escape(dashboard.notebook)}'><strong>{title}</strong><span>{about}</span></a></li>"
