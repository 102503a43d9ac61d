"""The ten-minute story: one person in an invented village, and the pages on which she is found and protected."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sdcwidgets.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

__all__ = ["ANNA", "STORY", "VILLAGE", "Chapter", "follow_story", "link"]

#: An invented village. Whoever knows that Anna is 27 finds out what she does.
VILLAGE = FrequencyTable(
    [[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]],
    {"Age": ["15–19", "20–24", "25–29", "30–34"], "Activity": ["Working", "Studying", "Looking for work"]},
)
ANNA = 2

#: What the story asks of a release of the village: T1, T2 and T3. Some settings of a sweep keep them, most do not.
ASKED = (0.2, 0.208, 1.2)


class Chapter(NamedTuple):
    """A step of the story.

    Attributes
    ----------
    title : str
    page : str
        Where it is told; "" for the landing page.
    minutes : int
    told : str
        What it is about, on the landing page.
    task : str
        What to do there, on its own page.
    place : str
        The part of the page where that is done, "" for its beginning.
    """

    title: str
    page: str
    minutes: int
    told: str
    task: str = ""
    place: str = ""


STORY = (
    Chapter("Find her", "", 2, "One row gives her away."),
    Chapter(
        "Measure it",
        "explore",
        3,
        "Which row has most risk? Press its number.",
        "Which row has most risk? It is Anna’s, 25–29. Press the number of its risk to see how it comes about.",
    ),
    Chapter(
        "Protect her",
        "protect",
        3,
        "Try methods until nobody finds her.",
        "Press “Next: judge draw 1”. While Anna’s row, 25–29, still shows where she is, choose another method, such as "
        "Conventional rounding, until the page says that you are done.",
        "protect",
    ),
    Chapter(
        "See what is lost",
        "protect",
        2,
        "Sweep all methods: each dot is a choice.",
        "Press “Sweep all methods” below the map. Each dot is a setting; those in the shaded corner keep T₂ and T₃. "
        "Press one there: the page says what was lost and what is left.",
        "sweep",
    ),
)


@cache
def link(number: int) -> str:
    """Return the way to a step of the story, from 1: a page, opened with the village as it is there."""
    chapter = STORY[number - 1]
    if not chapter.page:
        return "#anna"
    return f"{chapter.page}.ipynb?story={number}&state={quote(_state(number))}"


def _state(number: int) -> str:
    from sdcwidgets import methods
    from sdcwidgets.search import Thresholds
    from sdcwidgets.sources import Given
    from sdcwidgets.studies.base import TableState
    from sdcwidgets.studies.links import encode
    from sdcwidgets.studies.protect import ProtectState

    chapter, source = STORY[number - 1], Given("Anna’s village")
    if chapter.page == "explore":
        return encode(TableState(VILLAGE, source))
    first = methods.get("barnardisation")()
    # In the last step the first try is judged: it is not good enough, and the map shows what else there is.
    judged = chapter is STORY[-1]
    return encode(ProtectState(VILLAGE, source, method=first, thresholds=Thresholds(*ASKED), judged=judged))


def follow_story(page: Page) -> None:
    """Let a page that was opened by the story say what to do there, and lead on and back."""

    def tell(number: object) -> None:
        if type(number) is not int or not 1 < number <= len(STORY):
            return
        chapter, last = STORY[number - 1], number == len(STORY)
        before = STORY[number - 2].title
        ahead = (
            ["The end: bring your own table", "#own"]
            if last
            else [f"Next: {STORY[number].title}", link(number + 1)]
        )
        page.send(
            {
                "type": "story",
                "told": f"Step {number} of {len(STORY)}, {chapter.title}.",
                "task": chapter.task,
                "place": chapter.place,
                "ways": [[f"Back: {before}", link(number - 1)], ahead],
            }
        )

    page.hear("story", lambda message, _: tell(message.get("step")))
