"""The landing page: a path from one person in a table to lessons, tools and one's own table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets.assessment.assessment import Slices, assess
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.heads import DASHBOARDS
from sdcwidgets.dashboards.index.texts import OWN, WELCOME
from sdcwidgets.dashboards.story import ANNA, PASTE, STORY, VILLAGE, link

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["app", "content"]

#: So many lessons of a course are shown before it is unfolded.
TITLES = 3


def content() -> str:
    """Return the landing page as markup.

    Its links work at the root of the project's own server and under `/voila/render/` of any other, because
    the place they start from is that of the page's address up to its last slash.
    """
    style = (files("sdcwidgets") / "static/widgets/theme.css").read_text("utf-8")
    style += Path(__file__).with_suffix(".css").read_text("utf-8")
    lessons = notebook_pages.lessons()
    body = f"<div class='hero'>{WELCOME.format(story=_story())}{_anna()}</div>"
    body += _lessons(lessons) + _tools() + OWN.format(paste=PASTE)
    return f"<style>{style}</style><div class='sdc-index sdc'>{body}</div>"


def app() -> ipywidgets.HTML:
    """Return the landing page as a widget, for servers that show notebooks."""
    import ipywidgets

    page = ipywidgets.HTML(content())
    page.layout.margin = "0"
    page.layout.height = "auto"
    return page


def _story() -> str:
    """Return the steps of the story; each later one opens a tool with the village in it."""
    return "".join(
        f"<li><a href='{escape(link(number))}'>{chapter.title}</a> <small>{chapter.minutes} min</small></li>"
        for number, chapter in enumerate(STORY, start=1)
    )


def _anna() -> str:
    """Return the question that begins the story; its numbers are computed."""
    rows = assess(VILLAGE).rows
    assert rows is not None  # the village has two axes
    risk = f"{rows.r1[ANNA]:.3f}"
    heads = "".join(f"<th scope='col'>{escape(label)}</th>" for label in VILLAGE.columns.labels)
    lines = "".join(map(lambda index: _line(rows, index), range(len(VILLAGE.rows))))
    answers = "".join(
        f"<input type='radio' name='anna' id='anna-{index}' class='{'right' if count else 'wrong'}'>"
        f"<label for='anna-{index}'>{escape(label)}</label>"
        for index, (label, count) in enumerate(
            zip(VILLAGE.columns.labels, VILLAGE.counts[ANNA].tolist(), strict=True)
        )
    )
    return f"""
<div class="card anna" id="anna"><div class="top"><h2>Find Anna</h2><span class="mute">A published table, invented:
{VILLAGE.total} people in a village</span></div>
<p class="say">No names here. You know one thing: <b>Anna is 27.</b></p>
<table><thead><tr><th scope="col">Age</th>{heads}<th scope="col" class="risk">Row risk</th></tr></thead>
<tbody>{lines}</tbody></table>
<fieldset><legend>What does Anna do?</legend>{answers}</fieldset>
<div class="feedback" aria-live="polite"><p class="first mute">Choose one. A wrong guess costs nothing.<br>
Striped: nobody. Framed: one or two people.</p>
<p class="no">Not this one: nobody aged 25–29 does that, the count is 0. Look along her row.</p>
<p class="yes"><b>Yes.</b> Only one person is 25–29, so it is Anna. The row’s risk is {risk} of 1.
<a href="{escape(link(2))}">Next: measure it</a></p></div></div>
"""


def _line(rows: Slices, index: int) -> str:
    cells = "".join(
        f"<td class='{'zero' if count == 0 else 'small' if count < 3 else ''}'>{count}</td>"
        for count in VILLAGE.counts[index].tolist()
    )
    widths = (60 * rows.terms[index] * (0.1, 0.8, 0.1)).tolist()
    bar = "".join(f"<i style='width:{width:.1f}px'></i>" for width in widths)
    risk = f"<span class='told'><span class='bar'>{bar}</span>{rows.r1[index]:.3f}</span>"
    question_mark = "<span class='asked mute'><span class='bar'></span>?</span>"
    who = " class='who'" if index == ANNA else ""
    label = escape(VILLAGE.rows.labels[index])
    return f"<tr{who}><th scope='row'>{label}</th>{cells}<td class='risk'>{risk}{question_mark}</td></tr>"


def _lessons(lessons: tuple[notebook_pages.NotebookPage, ...]) -> str:
    legs = "".join(_leg(group, entries) for group, entries in notebook_pages.by_group(lessons))
    return f"""<section id="lessons" class="served"><h2>Lessons, one step at a time</h2>
<p>Guess, play, then read the numbers. Begin anywhere.</p><div class="legs">{legs}</div></section>"""


def _leg(group: str, lessons: Sequence[notebook_pages.NotebookPage]) -> str:
    """Return a course: a few titles, and folded what each teaches and all the others."""
    items = [_lesson(entry) for entry in lessons]
    more = (
        f"<details><summary>What they teach{f', and {further} more' if (further := len(items) - TITLES) > 0 else ''}"
        f"</summary><ol>{''.join(items[TITLES:])}</ol></details>"
    )
    return f"<div class='card leg'><h3>{escape(group)}</h3><ol>{''.join(items[:TITLES])}</ol>{more}</div>"


def _lesson(entry: notebook_pages.NotebookPage) -> str:
    link = f"<a href='{escape(entry.notebook)}'>{escape(entry.title)}</a>"
    return (
        f"<li><i aria-hidden='true'>{entry.order:g}</i><div>{link}"
        f"<p>{escape(entry.about)}</p></div><small>{entry.minutes} min</small></li>"
    )


def _tools() -> str:
    groups = "".join(
        f"<div class='tools'><h3>{escape(group)}</h3>{''.join(map(_tool, entries))}</div>"
        for group, entries in notebook_pages.by_group(DASHBOARDS)
    )
    return f"""<section id="tools"><h2>Tools, by what you want to do</h2>
<p>Each tool opens with an example. Change a count or a setting: every number and picture follows, and you can ask each
number how it comes about.</p>{groups}</section>"""


def _tool(entry: notebook_pages.NotebookPage) -> str:
    own = Path(__file__).parents[1] / entry.name / "picture.svg"
    added = entry.file.with_suffix(".svg")
    picture = next((drawn.read_text("utf-8") for drawn in (own, added) if drawn.is_file()), "")
    title, about = escape(entry.title), escape(entry.about)
    return (
        f"<a class='card tool' href='{escape(entry.notebook)}'>{picture}"
        f"<span><strong>{title}</strong>{about}</span></a>"
    )
