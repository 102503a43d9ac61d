"""Content of the landing page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sdcwidgets._util.extras import install_command
from sdcwidgets.assessment.assessment import Slices, assess
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.dashboards.index.dots import dots, published_counts
from sdcwidgets.dashboards.index.texts import OWN, WELCOME
from sdcwidgets.dashboards.page_heads import DASHBOARDS
from sdcwidgets.dashboards.story import ANNA, PASTE, STORY, VILLAGE, link

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["app", "content"]

#: Number of lessons of a group that are shown before the list is expanded.
TITLES = 5


def content() -> str:
    """Return the landing page as markup.

    Its links are relative, so they work at the root of this project's server and under `/voila/render/` of others.
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
    """Return the steps of the story as list items; each later one opens a tool with the village."""
    return "".join(
        f"<li><a href='{escape(link(number))}'>{chapter.title}</a> <small>{chapter.minutes}&nbsp;min</small></li>"
        for number, chapter in enumerate(STORY, start=1)
    )


def _anna() -> str:
    """Return the card with the first question of the story, with computed numbers."""
    rows = assess(VILLAGE).rows
    assert rows is not None  # the village has two axes
    risk = f"{rows.r1[ANNA]:.3f}"
    heads = "".join(f"<th scope='col'>{escape(label)}</th>" for label in VILLAGE.columns.labels)
    lines = "".join(map(lambda index: _line(rows, index), range(len(VILLAGE.rows))))
    rounded = "".join(map(_rounded_line, range(len(VILLAGE.rows))))
    answers = "".join(
        f"<input type='radio' name='anna' id='anna-{index}' class='{'right' if count else 'wrong'}'>"
        f"<label for='anna-{index}'>{escape(label)}</label>"
        for index, (label, count) in enumerate(
            zip(VILLAGE.columns.labels, VILLAGE.counts[ANNA].tolist(), strict=True)
        )
    )
    return f"""
<div class="card anna" id="anna"><div class="top"><h2>Find Anna</h2><span class="mute">Published table of an invented
village with {VILLAGE.total} people</span></div>
<p class="say">The table has no names. You know one fact: <b>Anna is 27.</b></p>{dots()}
<table><thead><tr><th scope="col">Age</th>{heads}<th scope="col" class="risk">Row risk</th></tr></thead>
<tbody class="original">{lines}</tbody><tbody class="published">{rounded}</tbody></table>
<fieldset class="question"><legend>What does Anna do?</legend>{answers}</fieldset>
<div class="feedback" aria-live="polite"><p class="first mute"><b>Read the row of Anna’s age, and select one answer.</b>
You can try again.<br>Striped = zero. Framed = count of 1 or 2. The column “Row risk” shows the risk after the
correct answer.</p>
<p class="no">No: the count is 0, so nobody aged 25–29 does that. Look at the other counts in her row.</p>
<p class="yes"><span class="for-original"><b>Correct.</b> Only one person is aged 25–29, so this person is Anna. The
disclosure risk of the row is {risk} on a scale from 0 to 1. <span class="parts">The colours are the parts of the risk:
<i></i> zeros, <i></i> unevenness, <i></i> small size.</span></span>
<span class="for-rounded">These counts are rounded, so they do not show what Anna does. The risk {risk} is that of the
original counts.</span><br>
<a class="main-way" href="{escape(link(2))}">Next: measure the risk</a></p></div></div>
"""


def _class_of(count: int) -> str:
    """Return the style class of the cell of a count."""
    if count == 0:
        return "zero"
    return "small" if count < 3 else ""


def _cells(counts: Sequence[int]) -> str:
    return "".join(f"<td class='{_class_of(count)}'>{count}</td>" for count in counts)


def _rounded_line(index: int) -> str:
    """Return a row of the rounded table, which replaces the original row when the dots show rounded counts."""
    counts = published_counts()[index]
    who = " class='who'" if index == ANNA else ""
    label = escape(VILLAGE.rows.labels[index])
    return f"<tr{who}><th scope='row'>{label}</th>{_cells(counts)}<td class='risk mute'>–</td></tr>"


def _line(rows: Slices, index: int) -> str:
    cells = _cells(VILLAGE.counts[index].tolist())
    widths = (60 * rows.terms[index] * (0.1, 0.8, 0.1)).tolist()
    bar = "".join(f"<i style='width:{width:.1f}px'></i>" for width in widths)
    risk = f"<span class='told'><span class='bar'>{bar}</span>{rows.r1[index]:.3f}</span>"
    question_mark = "<span class='asked mute'><span class='bar'></span>?</span>"
    who = " class='who'" if index == ANNA else ""
    label = escape(VILLAGE.rows.labels[index])
    return f"<tr{who}><th scope='row'>{label}</th>{cells}<td class='risk'>{risk}{question_mark}</td></tr>"


def _lessons(lessons: tuple[notebook_pages.NotebookPage, ...]) -> str:
    legs = "".join(_leg(group, entries) for group, entries in notebook_pages.by_group(lessons))
    return f"""<section id="lessons" class="served"><h2>Lessons</h2>
    <p>In each lesson you guess, try it in a live tool, and then read the numbers. You can begin with any lesson.
    <button type="button" id="clear-answers" hidden>Clear my answers</button>
    <span class="mute" role="status" id="cleared"></span></p>
<div class="legs">{legs}</div></section>"""


def _leg(group: str, lessons: Sequence[notebook_pages.NotebookPage]) -> str:
    """Return one group of lessons: some titles, and a list to expand with the others and all descriptions."""
    items = [_lesson(entry) for entry in lessons]
    further = len(items) - TITLES
    more = (
        f"<details><summary>Show descriptions{f' and {further} more' if further > 0 else ''}"
        f"</summary><ol>{''.join(items[TITLES:])}</ol></details>"
    )
    return f"<div class='card leg'><h3>{escape(group)}</h3><ol>{''.join(items[:TITLES])}</ol>{more}</div>"


def _lesson(entry: notebook_pages.NotebookPage) -> str:
    title = escape(entry.title)
    if entry.is_installed:
        title = f"<a href='{escape(entry.notebook)}'>{title}</a>"
    return (
        f"<li><i aria-hidden='true'>{entry.order:g}</i><div>{title}"
        f"<p>{escape(entry.about)}{_install_line(entry)}</p></div><small>{entry.minutes} min</small></li>"
    )


def _install_line(entry: notebook_pages.NotebookPage) -> str:
    """Return the command that installs missing packages of a page, or "" if none is missing."""
    command = f"<code>{escape(install_command(entry.needs))}</code>"
    return (
        ""
        if entry.is_installed
        else (
            f" This page requires Python packages that are not installed. To install the packages, run {command}."
        )
    )


def _tools() -> str:
    groups = "".join(
        f"<div class='tools'><h3>{escape(group)}</h3>{''.join(map(_tool, entries))}</div>"
        for group, entries in notebook_pages.by_group(DASHBOARDS)
    )
    return f"""<section id="tools"><h2>Tools</h2>
    <p>Each tool opens with an example. All numbers and charts follow when you change a count or a setting.
    Select a number to see its computation. <span class="served">Lesson 13 compares the
    <a href="13-the-risk-of-a-file.ipynb">five measures of risk</a>.</span></p>{groups}</section>"""


def _tool(entry: notebook_pages.NotebookPage) -> str:
    own = Path(__file__).parents[1] / entry.name / "picture.svg"
    added = entry.file.with_suffix(".svg")
    picture = next((drawn.read_text("utf-8") for drawn in (own, added) if drawn.is_file()), "")
    text = f"{picture}<span><strong>{escape(entry.title)}</strong>{escape(entry.about)}{_install_line(entry)}</span>"
    if entry.is_installed:
        return f"<a class='card tool' href='{escape(entry.notebook)}'>{text}</a>"
    return f"<div class='card tool missing'>{text}</div>"
