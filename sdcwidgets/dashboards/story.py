"""The tutorial of 15 minutes: a person in an invented village is found and protected."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sdcwidgets.assessment.assessment import assess
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.tables.table import FrequencyTable

if TYPE_CHECKING:
    from sdcwidgets.widgets.page import Page

#: An invented village. Anyone who knows that Anna is 27 learns her activity.
VILLAGE = FrequencyTable(
    [[2, 11, 0], [7, 4, 3], [0, 0, 1], [9, 1, 2]],
    {"Age": ["15–19", "20–24", "25–29", "30–34"], "Activity": ["Working", "Studying", "Looking for work"]},
)
ANNA = 2

#: Link to the place where users paste their own tables.
PASTE = "explore.ipynb#paste"


class Chapter(NamedTuple):
    """A step of the story.

    Attributes
    ----------
    title : str
    page : str
        Page of the step; "" for the landing page.
    minutes : int
    task : str
        Instructions, shown on the page.
    anchor : str
        Part of the page; "" for the top.
    uses_main_button : bool
        Whether the task needs the main button of the page. Otherwise, the button is hidden during the step. After the
        task, the link to the next step is the primary button.
    """

    title: str
    page: str
    minutes: int
    task: str = ""
    anchor: str = ""
    uses_main_button: bool = False


STORY = (
    Chapter("Find Anna", "", 3),
    Chapter(
        "Measure the disclosure risk",
        "explore",
        4,
        "The headline names Anna’s row. Which part adds most to its risk: zeros, unevenness or small size? Select the "
        "risk of her row in the column “Row risk” to see its computation.",
    ),
    Chapter(
        "Protect Anna",
        "protect",
        5,
        "The village publishes no count of 1 or 2. This rule is already set on the page. The page opens with a method "
        "that changes some counts by 1 (Barnardisation). This method does not protect Anna. Select the main button "
        "until the answer is yes. If the button compares all methods, the comparison can take a minute. Then open step "
        "4.",
        uses_main_button=True,
    ),
    Chapter(
        "See the information loss",
        "protect",
        3,
        "The counts of the village are now rounded to multiples of 3, and the table may be released. But rounding "
        "changes counts: information is lost. Select “Compare all methods” below the map, and wait up to a minute. "
        "Each dot is a method with its settings. No other dot has both a lower risk and a smaller loss than a large "
        "dot. Select a large dot, and look at the table: it shows changed counts, or less detail if categories were "
        "merged.",
        "sweep",
    ),
)

#: Number of the end of the story, after the last step.
END = len(STORY) + 1


@cache
def link(number: int) -> str:
    """Return the link to a step of the story, numbered from 1; it opens a page with the state of this step."""
    chapter = STORY[number - 1]
    if not chapter.page:
        return "#anna"
    return f"{chapter.page}.ipynb?story={number}&state={quote(_state(number))}"


def _state(number: int) -> str:
    """Return the packed state of a step as in a link of its page; shared modules must not import pages."""
    from sdcwidgets.tables.io.sources import InMemorySource
    from sdcwidgets.widgets.page_state.links import pack
    from sdcwidgets.widgets.page_state.table_state import TableState

    chapter = STORY[number - 1]
    saved = TableState(VILLAGE, InMemorySource("Anna’s village")).to_state()
    if chapter.page == "protect":
        saved |= {
            # The last step starts with a setting that passes; the map then shows the alternatives.
            "method": "conventional-rounding" if chapter is STORY[-1] else "barnardisation",
            "parameters": {},
            "shown": 0,
            "limits": {"source": "Anna’s village", "smallest_count": 3},
            "accepted": [],
            "axes_of_map": ["r2", "hellinger"],
        }
    return pack(saved)


def follow_story(page: Page) -> None:
    """Let a page that was opened by the story show the task of the step, with links forward and back."""

    def tell(number: object) -> None:
        if type(number) is not int or not 1 < number <= END:
            return
        if number == END:
            page.send(
                {
                    "type": "story",
                    "told": "This is the end of the story.",
                    "task": ending(),
                    "place": "",
                    "ways": _onward(),
                    "main_button": "secondary",
                }
            )
            return
        chapter = STORY[number - 1]
        # The end is shown on the page of the last step.
        ahead: list[str | int] = (
            ["Show the summary of the story", END]
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
                "main_button": "task" if chapter.uses_main_button else "hidden",
            }
        )

    page.hear("story", lambda message, _: tell(message.get("step")))


def ending() -> str:
    """Return a summary of the story: the disclosure, its risk, the protection and the information loss.

    Examples
    --------
    >>> ending().partition(" You measured")[0]
    'You found Anna in a table without names: her row has a disclosure risk of 0.967 on a scale from 0 to 1.'
    """
    measured = assess(VILLAGE)
    assert measured.rows is not None  # the village has two axes
    return (
        f"You found Anna in a table without names: her row has a disclosure risk of {measured.rows.r1[ANNA]:.3f} "
        f"on a scale from 0 to 1. You measured the risk of the whole village, {measured.whole_slice.r1[0]:.4f}, and "
        "looked for a "
        "method that protects her. The map shows the cost of each method: a lower risk, but a greater information loss."
    )


def _onward() -> list[list[str]]:
    """Return the links at the end of the story; the last link is the primary button."""
    first = notebook_pages.lessons()[0]
    return [["Paste your own table", PASTE], [f"Lesson 1: {first.title}", first.notebook, "served"]]
