"""The dashboards: one module each, with `app()`, shown by one notebook each.

This list is the one place that knows them all; the landing page and the head of every page are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["DASHBOARDS", "Dashboard", "page_for"]


@dataclass(frozen=True)
class Dashboard:
    """What the landing page and the head of a page say of a dashboard.

    Attributes
    ----------
    name : str
        Its module here and its notebook.
    title : str
        What the way to it is called.
    about : str
        What one can do there, in one sentence.
    """

    name: str
    title: str
    about: str

    @property
    def notebook(self) -> str:
        """The file that shows it."""
        return f"{self.name}.ipynb"


DASHBOARDS = (
    Dashboard(
        "explore",
        "Explore",
        "See a table and its disclosure risk. Change a count or a weight, and everything follows.",
    ),
    Dashboard(
        "protect",
        "Protect",
        "Choose a protection method, and see the table after it, the risk left and the information lost.",
    ),
    Dashboard(
        "attack",
        "Attack",
        "Be the intruder: combine published numbers until a person is found, then change the protection.",
    ),
    Dashboard(
        "suppression",
        "Suppress",
        "Hide numbers by hand, see what their totals still give away, and compare with the best pattern.",
    ),
    Dashboard(
        "who",
        "Where did everyone go?",
        "Step through every way in which people may have moved, and see what a published table still hides.",
    ),
    Dashboard(
        "sample",
        "Sample lab",
        "Draw samples from a table, and see how sure one can be of the risk when only the sample is known.",
    ),
    Dashboard(
        "divergences",
        "Divergences",
        "Drag two distributions apart and see what each distance says, and which can never pass another.",
    ),
    Dashboard(
        "third_term",
        "Third term",
        "When is a table small? Three functions of its size, and their printed tables recomputed.",
    ),
    Dashboard(
        "microdata",
        "Microdata",
        "Choose what an intruder may know of a file of people, see who becomes unique, and protect the file.",
    ),
    Dashboard(
        "literature",
        "Literature",
        "How others measure disclosure risk: each measure a card with a formula, an example and its limits.",
    ),
    Dashboard(
        "weights",
        "Weights",
        "How much should each part of the risk count? The best weights, on a sphere, need no choice.",
    ),
)


def page_for(name: str) -> Page:
    """Return the head of the page of one dashboard."""
    from sdcwidgets.widgets.page import Page

    here = next(dashboard for dashboard in DASHBOARDS if dashboard.name == name)
    links = [[dashboard.title, dashboard.notebook] for dashboard in DASHBOARDS]
    return Page(title=here.title, links=links, here=here.notebook)
