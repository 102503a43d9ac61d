"""What all pages share: their head, the list of all dashboards, and the story that leads through some of them.

`sdcwidgets.dashboards.NAME` is the module of a page, with `app()`; it lies in `sdcwidgets/pages/NAME`.

No list names them: a notebook in `notebooks/` says in its metadata what its page is called and what it is for, and
the landing page and the head of every page find it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdcwidgets import notebook_pages

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
        [group, [[one.title, one.notebook] for one in found]]
        for group, found in notebook_pages.by_group(DASHBOARDS)
    ]
    lessons = [[one.title, one.notebook] for one in notebook_pages.lessons() if one.name in here.lessons]
    page = Page(title=here.title, about=here.about, links=tools, lessons=lessons, here=here.notebook, led=led)
    follow_story(page)
    return page
