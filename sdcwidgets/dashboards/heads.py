"""The head of every dashboard page, and the list of all dashboards.

No list in the code names the dashboards: the metadata of each notebook in `notebooks/` has its title and its purpose,
and the landing page and the head of every page read them there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcwidgets.dashboards import notebook_pages

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["DASHBOARDS", "YOURS", "page_for"]

#: What stands at the foot of a page that takes a table of one's own.
YOURS = (
    "Your table stays in this tab until you close it, and the server keeps nothing of it once you have left; "
    "only a link or a file that you make carries it further."
)

DASHBOARDS = notebook_pages.dashboards()


def page_for(name: str, *, led: bool = False) -> Page:
    """Return the head of the page of one dashboard; `led` as of `Page`."""
    from sdcwidgets.dashboards.story import follow_story
    from sdcwidgets.widgets.page import Page

    here = next(dashboard for dashboard in DASHBOARDS if dashboard.name == name)
    tools = [
        [group, [[entry.title, entry.notebook] for entry in entries]]
        for group, entries in notebook_pages.by_group(DASHBOARDS)
    ]
    lessons = [
        [entry.title, entry.notebook] for entry in notebook_pages.lessons() if entry.name in here.lessons
    ]
    page = Page(title=here.title, about=here.about, links=tools, lessons=lessons, here=here.notebook, led=led)
    follow_story(page)
    return page
