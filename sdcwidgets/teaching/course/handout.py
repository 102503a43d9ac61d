"""Printable handout of a course with QR codes, formulas and a glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from sdcwidgets import methods
from sdcwidgets.assessment.report.html import template
from sdcwidgets.teaching.course.addresses import address_of
from sdcwidgets.teaching.course.course import Course, CourseStep, Opening
from sdcwidgets.teaching.course.goals import conditions, meaning
from sdcwidgets.teaching.course.qr_codes import qr
from sdcwidgets.teaching.course.reading import text_of_part
from sdcwidgets.widgets.page_state.links import decode
from sdcwidgets.widgets.texts.glossary import Entry, entries

#: Maximum length of a URL that is printed as a QR code; longer ones have too fine a pattern for paper.
MOST_PRINTED = 700

#: Maximum length of the title of a glossary entry in characters.
MOST_TITLE = 30

#: Pages whose state contains the table of the step.
_WITH_TABLE = ("explore", "protect", "rounding", "cell_key", "sample", "suppression")


def handout(
    course: Course,
    *,
    solutions: bool = False,
    address: str = "",
    results: Mapping[int, Sequence[str]] | None = None,
    participant: str = "",
) -> str:
    """Return the HTML of a handout.

    Parameters
    ----------
    course : Course
    solutions : bool
        Whether to include the answers.
    address : str
        URL of the course server, such as "http://room:8866/"; without it, there are no QR codes.
    results : mapping of int to sequence of str, optional
        Answers and results of one participant as sentences, by step from 0.
    participant : str
        Name of this participant, which is shown with the date of today.

    Returns
    -------
    str

    Examples
    --------
    >>> from sdcwidgets.teaching.course import read
    >>> course = read("frequency-tables-and-entropy")
    >>> text = handout(course)
    >>> text.count("<h2>"), "1.3863" in text, "1.3863" in handout(course, solutions=True), "<script" in text
    (19, False, True, False)
    """
    results = results or {}
    steps = [
        {
            "step": step,
            "results": results.get(number, ()),
            "lines": _table(step.opening) if step.opening else [],
            "link": link,
            "qr": _printed(link),
            "right": step.correct,
            "goals": conditions(step.goal, step.opening.page) if step.opening else [],
            "meaning": _meaning(step),
            # Steps with a question have space for writing.
            "space": number not in results and (step.kind != "talk" or "?" in step.text),
            "solution_link": solution,
            "solution": _printed(solution),
        }
        for number, step, link, solution in (
            (number, step, _link(step, number, address), _solution(step, address) if solutions else "")
            for number, step in enumerate(course.steps)
        )
    ]
    return template("handout.html", "sdcwidgets.teaching.course").render(
        course=course,
        steps=steps,
        solutions=solutions,
        address=address,
        has_results=bool(results),
        participant=participant,
        date=f"{date.today():%d %B %Y}".lstrip("0") if participant else "",
        words=used_words(course),
    )


def used_words(course: Course) -> list[Entry]:
    """Return the glossary entries of the terms in a course, in alphabetical order."""
    text = " ".join(
        f"{step.title} {step.text} {step.hint} {step.why} {_meaning(step)} " for step in course.steps
    )
    lessons = (step.opening for step in course.steps if step.kind == "lesson" and step.opening)
    # Bold words of a lesson are terms, so the markup is removed before matching.
    text += " ".join(text_of_part(lesson.page, lesson.part) for lesson in lessons).replace("**", "")
    known = _known()
    # In lessons, "x₁ to x₄" denotes four numbers and not a term of a risk.
    pattern = re.compile(
        rf"(?<![\w|])(?:{'|'.join(map(re.escape, sorted(known, key=len, reverse=True)))})(?![\w*]| to x)",
        re.I,
    )
    by_folded_word = {word.casefold(): entry for word, entry in known.items()}
    # Exact spelling has priority, because upper-case and lower-case symbols differ in meaning.
    used = {}
    for word in pattern.findall(text):
        entry = known.get(word) or by_folded_word[word.casefold()]
        if len(word) > 2 or word in known:
            used[entry.word] = entry
    return sorted(used.values(), key=lambda entry: entry.word.casefold())


def _known() -> dict[str, Entry]:
    """Return glossary entries and methods by spelling; measures also by their titles."""
    terms = dict(entries())
    for entry in entries().values():
        title, colon, _ = entry.meaning.partition(":")
        if colon and len(title) <= MOST_TITLE:
            terms.setdefault(title, entry)
    for name in methods.available():
        method = methods.get(name)
        meaning = Entry(method.title, (method.__doc__ or "").strip().splitlines()[0])
        short = re.findall(r"\((\w+)\)", method.title)
        terms |= {spelling: meaning for spelling in (method.title, f"{method.title}s", *short)}
    return terms


def _link(step: CourseStep, number: int, address: str) -> str:
    return address_of(step, number, address) if address and step.opening else ""


def _printed(link: str) -> str:
    return qr(link) if 0 < len(link) <= MOST_PRINTED else ""


def _solution(step: CourseStep, address: str) -> str:
    if step.solution is None or not address:
        return ""
    return f"{address}voila/render/{step.solution.page}.ipynb?state={step.solution.state}"


def _meaning(step: CourseStep) -> str:
    return meaning(step.goal, step.opening.page) if step.opening else ""


def _table(opening: Opening) -> Sequence[Sequence[object]]:
    """Return the initial table of a step; empty if there is none or it is too large."""
    if opening.page not in _WITH_TABLE or not opening.state:
        return []
    from sdcwidgets.dashboards.suppression.state import SuppressionState
    from sdcwidgets.widgets.page_state.table_state import TableState

    saved = decode(opening.state)
    if opening.page == "suppression":
        lines = SuppressionState.from_state(saved).published
    else:
        table = TableState.from_state(saved).seen
        names = [axis.name for axis in table.axes]
        lines = [[" by ".join(names), *table.columns.labels]]
        lines += [[label, *row] for label, row in zip(table.rows.labels, table.counts.tolist(), strict=True)]
    return lines if len(lines) <= 26 and len(lines[0]) <= 16 else []
