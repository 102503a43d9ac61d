"""The ten-minute story: one person in an invented village, and the pages on which she is found and protected."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sdcwidgets.assessment.assessment import assess
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

#: An invented village. Whoever knows that Anna is 27 finds out what she does.
VILLAGE = FrequencyTable(
    [[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]],
    {"Age": ["15–19", "20–24", "25–29", "30–34"], "Activity": ["Working", "Studying", "Looking for work"]},
)
ANNA = 2

#: Where a table of one's own is pasted.
PASTE = "explore.ipynb#paste"


class Chapter(NamedTuple):
    """A step of the story.

    Attributes
    ----------
    title : str
    page : str
        Where it is told; "" for the landing page.
    minutes : int
    task : str
        What to do there, on its own page.
    anchor : str
        The part of the page where that is done, "" for its beginning.
    """

    title: str
    page: str
    minutes: int
    task: str = ""
    anchor: str = ""


STORY = (
    Chapter("Find her", "", 2),
    Chapter(
        "Measure it",
        "explore",
        3,
        "Which row has most risk? It is Anna’s, 25–29. Press the number of its risk to see how it comes about.",
    ),
    Chapter(
        "Protect her",
        "protect",
        3,
        "The village publishes no count of 1 or 2: this limit is set on the page already, with its source. Follow the "
        "blue button until the answer is yes. While Anna’s row, 25–29, still shows where she is, it tries all methods "
        "and takes one that hides her.",
    ),
    Chapter(
        "See what is lost",
        "protect",
        2,
        "The village is rounded to base 3 here, which may be released. Now let the machine try all other settings. "
        "Press “Sweep all methods” below the map. Each dot is a setting, a large one where nothing beats it. "
        "Take one of the three cards, or press a dot, and see in the table what it changes.",
        "sweep",
    ),
)

#: The number of the end, after the last step.
END = len(STORY) + 1


@cache
def link(number: int) -> str:
    """Return the way to a step of the story, from 1: a page, opened with the village as it is there."""
    chapter = STORY[number - 1]
    if not chapter.page:
        return "#anna"
    return f"{chapter.page}.ipynb?story={number}&state={quote(_state(number))}"


def _state(number: int) -> str:
    """Return the state of a step as a link of its page holds it; shared modules import no page."""
    from sdcwidgets.tables.io.sources import InMemorySource
    from sdcwidgets.widgets.studies.base import TableState
    from sdcwidgets.widgets.studies.links import pack

    chapter = STORY[number - 1]
    saved = TableState(VILLAGE, InMemorySource("Anna’s village")).to_state()
    if chapter.page == "protect":
        saved |= {
            # The last step begins with what the one before ended well with, and the map shows what else there is.
            "method": "conventional-rounding" if chapter is STORY[-1] else "barnardisation",
            "parameters": {},
            "shown": 0,
            "limits": {"source": "the village, for this story", "smallest_count": 3},
            "accepted": [],
            "axes_of_map": ["r2", "hellinger"],
        }
    return pack(saved)


def follow_story(page: Page) -> None:
    """Let a page that was opened by the story say what to do there, and lead on and back."""

    def tell(number: object) -> None:
        if type(number) is not int or not 1 < number <= END:
            return
        if number == END:
            page.send(
                {"type": "story", "told": "You did it.", "task": ending(), "place": "", "ways": _onward()}
            )
            return
        chapter = STORY[number - 1]
        # The end is told where the last step was done; it is no page.
        ahead: list[str | int] = (
            ["The end: what you did", END]
            if number == len(STORY)
            else [f"Step {number + 1}: {STORY[number].title}", link(number + 1)]
        )
        page.send(
            {
                "type": "story",
                "told": f"Step {number} of {len(STORY)}, {chapter.title}.",
                "task": chapter.task,
                "place": chapter.anchor,
                "ways": [[f"Back: {STORY[number - 2].title}", link(number - 1)], ahead],
            }
        )

    page.hear("story", lambda message, _: tell(message.get("step")))


def ending() -> str:
    """Return what was found, measured and protected, and what that cost.

    >>> ending().partition(" You measured")[0]
    'You found Anna in a table without names: her row has a risk of 0.967 of 1.'
    """
    measured = assess(VILLAGE)
    assert measured.rows is not None  # the village has two axes
    return (
        f"You found Anna in a table without names: her row has a risk of {measured.rows.r1[ANNA]:.3f} of 1. "
        f"You measured the whole village, {measured.whole.r1[0]:.4f}, and looked for a method that hides her. "
        "Each has its cost, which the map shows: less risk, but counts further from the truth."
    )


def _onward() -> list[list[str]]:
    """Return where one goes after the story."""
    first = notebook_pages.lessons()[0]
    return [[f"Lesson 1: {first.title}", first.notebook, "served"], ["Paste your own table", PASTE]]
