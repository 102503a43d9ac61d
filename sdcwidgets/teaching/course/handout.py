"""A course on paper: HTML that prints to A4, with space to write, QR codes of the steps, formulas and a glossary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sdcwidgets import methods
from sdcwidgets.assessment.report.html import template
from sdcwidgets.teaching.course.addresses import address_of, qr
from sdcwidgets.teaching.course.course import Course, CourseStep, Opening
from sdcwidgets.teaching.course.goals import meaning
from sdcwidgets.teaching.course.reading import text_of_part
from sdcwidgets.widgets.studies.links import decode
from sdcwidgets.widgets.texts.glossary import Entry, entries

#: The longest address that is printed as a QR code; a longer one is too fine to be read from paper.
MOST_PRINTED = 700

#: The longest title of an entry, in characters.
MOST_TITLE = 30

#: On these pages the table of the state is the one that the step is about.
_WITH_TABLE = ("explore", "protect", "rounding", "cell_key", "sample", "suppression")


def handout(course: Course, *, solutions: bool = False, address: str = "") -> str:
    """Return the text of a handout.

    Parameters
    ----------
    course : Course
    solutions : bool
        Whether the answers stand in it.
    address : str
        Where the course is served, such as "http://room:8866/"; without it there are no QR codes.

    Examples
    --------
    >>> from sdcwidgets.teaching.course import read
    >>> course = read("frequency-tables-and-entropy")
    >>> text = handout(course)
    >>> text.count("<h2>"), "1.3863" in text, "1.3863" in handout(course, solutions=True), "<script" in text
    (14, False, True, False)
    """
    steps = [
        {
            "step": step,
            "lines": _table(step.place) if step.place else [],
            "qr": _printed(step, number, address),
            "right": _right(step),
            "meaning": _meaning(step),
            # Where somebody is asked there is space to write.
            "space": step.kind != "talk" or "?" in step.text,
            "solution": _solution(step, address) if solutions else "",
        }
        for number, step in enumerate(course.steps)
    ]
    return template("handout.html", "sdcwidgets.teaching.course").render(
        course=course, steps=steps, solutions=solutions, address=address, words=used_words(course)
    )


def used_words(course: Course) -> list[Entry]:
    """Return the entries of the glossary whose words a course uses, once each, by the alphabet."""
    text = " ".join(
        f"{step.title} {step.text} {step.hint} {step.why} {_meaning(step)} " for step in course.steps
    )
    lessons = (step.place for step in course.steps if step.kind == "lesson" and step.place)
    # What is bold in a lesson is a word that it explains.
    text += " ".join(text_of_part(one.page, one.part) for one in lessons).replace("**", "")
    known = _known()
    # "x₁ to x₄" are four numbers of a lesson, and no term of a risk.
    pattern = re.compile(
        rf"(?<![\w|])(?:{'|'.join(map(re.escape, sorted(known, key=len, reverse=True)))})(?![\w*]| to x)",
        re.I,
    )
    small = {word.casefold(): one for word, one in known.items()}
    # The exact spelling comes first: of symbols, small and large letters are two things.
    found = {word: known.get(word) or small[word.casefold()] for word in pattern.findall(text)}
    once = {one.word: one for word, one in found.items() if len(word) > 2 or word in known}
    return sorted(once.values(), key=lambda one: one.word.casefold())


def _known() -> dict[str, Entry]:
    """Return the glossary by each spelling, measures also by their titles; and the methods, each with what it does."""
    found = dict(entries())
    for one in entries().values():
        title, colon, _ = one.meaning.partition(":")
        if colon and len(title) <= MOST_TITLE:
            found.setdefault(title, one)
    for name in methods.available():
        method = methods.get(name)
        meaning = Entry(method.title, (method.__doc__ or "").strip().splitlines()[0])
        short = re.findall(r"\((\w+)\)", method.title)
        found |= {spelling: meaning for spelling in (method.title, f"{method.title}s", *short)}
    return found


def _printed(step: CourseStep, number: int, address: str) -> str:
    if not address or step.place is None:
        return ""
    found = address_of(step, number, address)
    return qr(found) if len(found) <= MOST_PRINTED else ""


def _solution(step: CourseStep, address: str) -> str:
    if step.solution is None or not address:
        return ""
    found = f"{address}voila/render/{step.solution.page}.ipynb?state={step.solution.state}"
    return qr(found) if len(found) <= MOST_PRINTED else ""


def _meaning(step: CourseStep) -> str:
    return meaning(step.goal, step.place.page) if step.place else ""


def _right(step: CourseStep) -> str:
    if step.answer is None:
        return ""
    return step.options[int(step.answer) - 1] if step.options else f"{step.answer:g}"


def _table(place: Opening) -> Sequence[Sequence[object]]:
    """Return the lines of the table that a step begins with; none if there is none, or it is larger than a page."""
    if place.page not in _WITH_TABLE or not place.state:
        return []
    from sdcwidgets.dashboards.suppression.state import SuppressionState
    from sdcwidgets.widgets.studies.base import TableState

    saved = decode(place.state)
    if place.page == "suppression":
        lines = SuppressionState.from_state(saved).published
    else:
        table = TableState.from_state(saved).seen
        names = [axis.name for axis in table.axes]
        lines = [[" by ".join(names), *table.columns.labels]]
        lines += [[label, *row] for label, row in zip(table.rows.labels, table.counts.tolist(), strict=True)]
    return lines if len(lines) <= 26 and len(lines[0]) <= 16 else []
