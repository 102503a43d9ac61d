"""The landing page: a few words and a card for every dashboard."""

from __future__ import annotations

from html import escape

import ipywidgets

from sdcwidgets.dashboards import DASHBOARDS, Dashboard

__all__ = ["app"]

STYLE = """
.sdc-index { --ink: #1b1f24; --mute: #5b6570; --line: #d9dee3; --card: #fff; --accent: #0b5cad;
  max-width: 1080px; margin: 0 auto; padding: 40px 24px; box-sizing: border-box; white-space: normal; color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
@media (prefers-color-scheme: dark) { :root:not(:has([data-jp-theme-light="true"])) .sdc-index {
  --ink: #e6e9ec; --mute: #a3adb7; --line: #3a424b; --card: #1d2228; --accent: #6cb2f5; } }
.sdc-index h1 { font-size: 28px; line-height: 1.2; font-weight: 650; margin: 0 0 8px; }
.sdc-index p { margin: 0 0 24px; max-width: 62ch; color: var(--mute); }
.sdc-index ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 16px; list-style: none; margin: 0; padding: 0; }
.sdc-index li { margin: 0; }
.sdc-index a { display: block; height: 100%; box-sizing: border-box; padding: 16px 18px; text-decoration: none;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.sdc-index a:hover { border-color: var(--accent); text-decoration: none; }
.sdc-index a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.sdc-index strong { display: block; font-size: 17px; font-weight: 600; color: var(--accent); margin-bottom: 4px; }
.sdc-index span { color: var(--mute); }
"""

WELCOME = """
<h1>Disclosure control of frequency tables</h1>
<p>A published table of counts can give away something about a person in it. Here you can see how, change
a table, turn what can be turned, and watch every number follow. Each visit is your own: nothing is stored.</p>
"""


def app() -> ipywidgets.HTML:
    """Return the landing page.

    Its links work at the root of the project's own server and under `/voila/render/` of any other, because
    the place they start from is that of the page's address up to its last slash.
    """
    cards = "".join(map(_card, DASHBOARDS))
    page = ipywidgets.HTML(f"<style>{STYLE}</style><div class='sdc-index'>{WELCOME}<ul>{cards}</ul></div>")
    page.layout.margin = "0"
    page.layout.height = "auto"
    return page


def _card(dashboard: Dashboard) -> str:
    title, about = escape(dashboard.title), escape(dashboard.about)
    return f"<li><a href='{escape(dashboard.notebook)}'><strong>{title}</strong><span>{about}</span></a></li>"
