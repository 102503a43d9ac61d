"""Page heads of the dashboards, and the list of all dashboards.

The title and the description of a dashboard are in the metadata of its notebook in `notebooks/`. The landing page and
the page heads read them from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcwidgets._util.arguments import check_flag, check_kind
from sdcwidgets._util.errors import unknown_name
from sdcwidgets.dashboards import notebook_pages

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["DASHBOARDS", "YOURS", "page_for"]

#: Note at the foot of a page that accepts the user's table.
YOURS = (
    "Your table is kept only in this browser tab, and in server memory while the tab is open. "
    "The table leaves them only if you share a link or save a file."
)

DASHBOARDS = notebook_pages.dashboards()


def page_for(name: str, *, led: bool = False) -> Page:
    """Return the head of the page of one dashboard; `led` is passed to `Page`.

    Examples
    --------
    >>> page_for("explore").title
    'Explore'
    """
    from sdcwidgets.dashboards.story import follow_story
    from sdcwidgets.widgets.page import Page

    pages = {dashboard.name: dashboard for dashboard in DASHBOARDS}
    check_kind("name", name, str, "the name of a page")
    check_flag("led", led)
    if name not in pages:
        raise unknown_name("page", name, pages)
    here = pages[name]
    tools = [
        [group, [[entry.title, entry.notebook] for entry in entries]]
        for group, entries in notebook_pages.by_group(tuple(tool for tool in DASHBOARDS if tool.is_installed))
    ]
    lessons = [
        [entry.title, entry.notebook]
        for entry in notebook_pages.lessons()
        if entry.is_installed and entry.name in here.lessons
    ]
    page = Page(title=here.title, about=here.about, links=tools, lessons=lessons, here=here.notebook, led=led)
    follow_story(page)
    return page
