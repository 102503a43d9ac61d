"""Read course files (TOML); errors name the line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted, unwritable
from sdcwidgets.dashboards import notebook_pages
from sdcwidgets.teaching.course.course import Course, CourseFaults, CourseStep, Opening
from sdcwidgets.teaching.course.goals import goal_on
from sdcwidgets.teaching.lessons.goal import Goal

T = TypeVar("T")

#: Maximum size of a course file in bytes, number of steps, and number of characters in a text.
LONGEST, MOST_STEPS, MOST_TEXT = 200_000, 60, 2_000

#: Maximum length of a state in a shared link.
MOST_STATE = 8_000

#: New lessons of parts that were in another lesson, by lesson and part; older course files name the other lesson.
_MOVED_PARTS = (
    {
        ("01-how-much-does-a-table-give-away", part): "01b-from-entropy-to-risk"
        for part in (
            "From entropy to risk: 1 − H / log K",
            "Property 2: small counts",
            "Property 3: more empty cells",
            "Property 4: between 0 and 1",
            "Without weights: R₁*",
            "Back to the real table",
        )
    }
    | {
        ("02-protect-a-table", part): "02b-choose-a-method"
        for part in (
            "How many published ones are true?",
            "What people see, and what you tell them",
            "Before or after the table is made",
            "The risk–utility map",
            "The best points: the Pareto front",
            "Three limits",
            "The 15 steps, in one sentence",
        )
    }
    | {
        (lesson, "Two formulas of R₂"): "07-what-the-reader-still-does-not-know"
        for lesson in ("02-protect-a-table", "02b-choose-a-method")
    }
    | {
        ("06-intruders-and-suppression", part): "06b-suppress-cells"
        for part in (
            "Suppression: one suppressed cell is not enough",
            "How safe is a suppressed cell?",
            "The cheapest pattern",
            "Insiders",
            "Sub-totals",
            "Adjust instead of suppress",
            "Merge instead of suppress",
            "An intruder who runs the program",
        )
    }
    | {
        ("14-a-table-generator", part): "14b-choose-a-release-policy"
        for part in (
            "Which method? The comparison study",
            "Compare six policies",
            "One generator for everybody",
            "Defend it",
            "Limits of the guarantees",
        )
    }
)

#: Present names of parts by their former names.
_RENAMED_PARTS = {"Build a policy": "Compare six policies"}

#: Keys of a course, and keys of a step.
_COURSE = ("title", "about", "language", "minutes", "step")
_STEP = (
    "title", "minutes", "text", "page", "part", "goal", "solution", "options", "answer", "tolerance", "why", "hint",
    "note", "written",
)  # fmt: skip


def ready() -> tuple[str, ...]:
    """Return the names of the included courses.

    Examples
    --------
    >>> ready()
    ('frequency-tables-and-entropy', 'from-samples-to-servers', 'protecting-census-tables')
    """
    names = (Path(str(entry)).stem for entry in _folder().iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(names))


def read(name: str) -> Course:
    """Return an included course by its name, or a course from a file.

    Raises
    ------
    InputError
        If the course does not exist or is invalid.
    """
    return parse(text_of(name), Path(name).name)


def text_of(name: str) -> str:
    """Return the text of an included course or of a course file."""
    if name in ready():
        return (_folder() / f"{name}.toml").read_text("utf-8")
    file = Path(name)
    try:
        if file.stat().st_size > LONGEST:
            raise InputError(f"{name} has more than {LONGEST:,} bytes, the maximum for a course file.")
        return file.read_bytes().decode()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(
            f"{name} cannot be read: {why}. Name a course file, or one of {', '.join(ready())}."
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text. Save it with the encoding UTF-8.") from None
    except ValueError as error:  # the name contains a NUL character
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name!r} is not a valid file name.") from None


def parse(text: str, name: str = "The course") -> Course:
    r"""Parse the text of a course file.

    Raises
    ------
    InputError
        If the text is invalid. The message lists the faults of the course and of its steps, each with its line.

    Examples
    --------
    >>> course = parse('title = "Short"\nminutes = 5\n[[step]]\ntitle = "Hello"\nminutes = 5')
    >>> course.steps[0].kind
    'talk'
    >>> parse('title = "Short"\nminutes = 5\n[[step]]\ntitle = "Hello"\nminutes = "five"')
    Traceback (most recent call last):
        ...
    sdcwidgets.InputError: The course, line 5: minutes is 'five'; it must be a whole number from 1 to 1000.
    """
    if len(text) > LONGEST:
        raise InputError(f"{name} has more than {LONGEST:,} characters, the maximum for a course file.")
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        where = re.search(r"\(at line (\d+)", str(error))
        why = re.sub(r" \(at .*", "", str(error)) or "the file is nested too deeply"
        # tomllib reports errors at the end of the file without a line number
        line = where[1] if where else text.rstrip().count("\n") + 1
        raise InputError(f"{name}, line {line}: the file is not valid TOML ({why.lower()}).") from None
    return _CourseReader(text, name).course(data)


def headings(page: str) -> tuple[str, ...]:
    """Return the headings of a lesson except its title.

    Examples
    --------
    >>> headings("01-how-much-does-a-table-give-away")[2]
    'A guessing game'
    """
    return tuple(_parts(page))


def text_of_part(page: str, part: str) -> str:
    """Return the text of a part of a lesson, or the whole text if `part` is empty."""
    parts = _parts(page)
    if part and part not in parts:
        raise InputError(f"{page} has no part {quoted(part)}; it has {', '.join(map(quoted, parts))}.")
    return parts[part] if part else " ".join(parts.values())


@cache
def _parts(page: str) -> dict[str, str]:
    (file,) = (entry.file for entry in notebook_pages.lessons() if entry.name == page)
    cells = json.loads(file.read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    parts = re.split(r"^## (.+?)\s*$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _folder() -> Traversable:
    return files("sdcwidgets.teaching.course") / "ready"


class _CourseReader:
    """Converts parsed TOML to a course and locates errors in the text."""

    def __init__(self, text: str, name: str) -> None:
        self._lines, self._name = text.split("\n"), name
        self._step = 0  # number of the current step, from 1; 0 for the course
        self._faults: list[str] = []

    def course(self, data: Mapping[str, object]) -> Course:
        """Return the course; raise InputError with all faults if it is invalid."""
        self._known(data, _COURSE)
        steps = data.get("step", [])
        if not isinstance(steps, list) or not all(isinstance(table, dict) for table in steps):
            raise self._wrong("step", "Each step of a course must begin with the line [[step]].")
        if not 0 < len(steps) <= MOST_STEPS:
            raise self._wrong("step", f"there are {len(steps)} steps; a course must have 1 to {MOST_STEPS}.")
        title = self._collected(lambda: self._text(data, "title", needed=True), "")
        about = self._collected(lambda: self._text(data, "about"), "")
        minutes = self._collected(lambda: self._minutes(data), 0)
        language = self._collected(lambda: self._language(data), "")
        read = []
        for self._step, step in enumerate(steps, 1):  # errors refer to the current step
            read.append(self._read_step(step))
        self._step = 0
        course = None
        # An invalid duration is replaced by 0, which would distort the total.
        if minutes and all(step.minutes for step in read):
            course = self._collected(
                lambda: self._checked(
                    "minutes", lambda: Course(title, minutes, tuple(read), about, language)
                ),
                None,
            )
        if len(self._faults) > 1:
            raise CourseFaults(self._faults)
        if course is None or self._faults:
            raise InputError(self._faults[0])
        return course

    def _collected(self, make: Callable[[], T], default: T) -> T:
        """Return a part of the course; if the part is invalid, keep its error, and return the default."""
        try:
            return make()
        except InputError as error:
            self._faults.append(str(error))
            return default

    def _collect(self, name: str, why: str) -> None:
        """Keep an error of a key."""
        self._faults.append(str(self._wrong(name, why)))

    def _language(self, data: Mapping[str, object]) -> str:
        language = self._text(data, "language") or "en"
        if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", language):
            raise self._wrong(
                "language", f"language is {quoted(language)}; it must be a code such as en, de or pt-BR."
            )
        return language

    def _read_step(self, data: Mapping[str, object]) -> CourseStep:
        """Return a step; keep its errors, and replace invalid parts by defaults."""
        self._known(data, _STEP)
        title = self._collected(lambda: self._text(data, "title", needed=True), "")
        minutes = self._collected(lambda: self._minutes(data), 0)
        page = self._collected(lambda: self._opening(data, "page"), None)
        opening = self._collected(lambda: self._opening_of_part(data, page), page)
        goal = self._goals(data, opening)
        options: tuple[str, ...] = self._collected(lambda: self._options(data), ())
        answer = self._collected(lambda: self._answer(data, options), None)
        if data.get("goal") and "answer" in data:
            self._collect("answer", "one step cannot have both a goal and an answer.")
        if data.get("goal") and "solution" not in data:
            self._collect(
                "goal", "a task needs a solution, which is a link to a state of the page that meets the goal."
            )
        solution = self._collected(lambda: self._solution(data, opening), None)
        tolerance = self._collected(lambda: self._number(data, "tolerance"), None)
        texts = {
            name: self._collected(partial(self._text, data, name), "")
            for name in ("text", "why", "hint", "note")
        }
        return CourseStep(
            title,
            minutes,
            opening=opening,
            goal=goal,
            solution=solution,
            options=options,
            answer=answer,
            tolerance=CourseStep.tolerance if tolerance is None else tolerance,
            **texts,
            written=self._collected(lambda: self._written(data), False),
        )

    def _opening_of_part(self, data: Mapping[str, object], opening: Opening | None) -> Opening | None:
        """Return the page of a step, with its part if it is a lesson."""
        if "part" not in data or self._has_invalid_page(data, opening):
            return opening
        part = self._text(data, "part")
        part = _RENAMED_PARTS.get(part, part)
        if opening is None or not opening.page[:1].isdigit():
            raise self._wrong("part", "only pages that are lessons have parts. Set page to a lesson.")
        opening = replace(opening, page=_MOVED_PARTS.get((opening.page, part), opening.page))
        if part not in headings(opening.page):
            raise self._wrong(
                "part",
                f"{quoted(part)} is not a part of this lesson. Its parts are {listed(headings(opening.page))}.",
            )
        return Opening(opening.page, opening.state, part, opening.tab)

    def _has_invalid_page(self, data: Mapping[str, object], opening: Opening | None) -> bool:
        """Return whether the page is stated but invalid, so that other keys cannot be compared with it."""
        return opening is None and "page" in data

    def _solution(self, data: Mapping[str, object], opening: Opening | None) -> Opening | None:
        solution = self._opening(data, "solution")
        if solution is None or self._has_invalid_page(data, opening):
            return solution
        if opening is None or solution.page != opening.page:
            raise self._wrong("solution", "the solution of a step must be a link to the page of this step.")
        return solution

    def _options(self, data: Mapping[str, object]) -> tuple[str, ...]:
        options = self._texts(data, "options")
        if len(options) == 1:
            raise self._wrong("options", "a question needs at least two answer options.")
        return options

    def _answer(self, data: Mapping[str, object], options: tuple[str, ...]) -> float | None:
        """Return the answer of a step: a number, or the number of an option."""
        answer = self._number(data, "answer")
        if options and (answer is None or answer not in range(1, len(options) + 1)):
            raise self._wrong(
                "answer", f"answer must be the number of the correct option, from 1 to {len(options)}."
            )
        return answer

    def _written(self, data: Mapping[str, object]) -> bool:
        value = data.get("written", False)
        if not isinstance(value, bool):
            raise self._wrong("written", f"written is {value!r}; it must be true or false.")
        others = [name for name in ("page", "goal", "options", "answer") if name in data]
        if value and others:
            raise self._wrong("written", f"a step with a written text cannot have the key {others[0]}.")
        return value

    def _goals(self, data: Mapping[str, object], opening: Opening | None) -> tuple[Goal, ...]:
        """Return the valid goals of a step, and keep the errors of the other goals."""
        texts: tuple[str, ...] = self._collected(lambda: self._texts(data, "goal"), ())
        if texts and opening is None and "page" not in data:
            self._collect("goal", "a step with a task needs a page.")
        read = Goal.parse if opening is None else partial(goal_on, page=opening.page)
        goals = [self._collected(partial(self._checked, "goal", partial(read, text)), None) for text in texts]
        return tuple(goal for goal in goals if goal is not None)

    def _opening(self, data: Mapping[str, object], name: str) -> Opening | None:
        """Return the page and state in a page name or a shared link."""
        address = self._text(data, name, most=MOST_STATE + 500)
        if not address:
            return None
        try:
            parts = urlsplit(address)
            page = parts.path.rpartition("/")[2].removesuffix(".ipynb")
            fields = parse_qs(parts.query, max_num_fields=20)
            state = fields.get("state", [""])[0]
            tab = int(fields.get("tab", ["0"])[0])
        except ValueError:
            page, state, tab = address, "", 0
        known = [entry.name for entry in (*notebook_pages.dashboards(), *notebook_pages.lessons())]
        if page not in known:
            raise self._wrong(name, f"there is no page {quoted(page)}. The pages are {', '.join(known)}.")
        if not re.fullmatch(r"[\w-]*", state, re.ASCII):
            raise self._wrong(
                name, "the link is incomplete or damaged. Copy the link again with the button Share."
            )
        return Opening(page, state, tab=tab)

    def _known(self, data: Mapping[str, object], names: tuple[str, ...]) -> None:
        for name in data:
            if name not in names:
                error = self._wrong(
                    name, f"the key {quoted(name)} is not known. The keys are {', '.join(names)}."
                )
                self._faults.append(str(error))

    def _text(
        self, data: Mapping[str, object], name: str, *, needed: bool = False, most: int = MOST_TEXT
    ) -> str:
        value = data.get(name, "")
        if not isinstance(value, str):
            raise self._wrong(name, f"{name} is {value!r}; the value must be a text in quotes.")
        if len(value) > most:
            raise self._wrong(name, f"{name} has {len(value):,} characters; the maximum is {most:,}.")
        why = unwritable(value)
        if why:
            raise self._wrong(name, f"{name} has a character that cannot be shown ({why}).")
        if needed and not value.strip():
            raise self._wrong(name, f"a {'step' if self._step else 'course'} needs a {name}.")
        return value.strip()

    def _texts(self, data: Mapping[str, object], name: str) -> tuple[str, ...]:
        values = data.get(name, [])
        values = [values] if isinstance(values, str) else values
        if not isinstance(values, list) or len(values) > 8:
            raise self._wrong(name, f'{name} must be at most 8 texts: ["one", "two"].')
        return tuple(self._text({name: value}, name, needed=True, most=300) for value in values)

    def _minutes(self, data: Mapping[str, object]) -> int:
        value = data.get("minutes")
        if type(value) is not int or not 1 <= value <= 1000:
            raise self._wrong("minutes", f"minutes is {value!r}; it must be a whole number from 1 to 1000.")
        return value

    def _number(self, data: Mapping[str, object], name: str) -> float | None:
        value = data.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
            raise self._wrong(name, f"{name} is {value!r}; it must be a number.")
        return float(value)

    def _checked(self, name: str, make: Callable[[], T]) -> T:
        try:
            return make()
        except InputError as error:
            raise self._wrong(name, str(error)) from None

    def _wrong(self, name: str, why: str) -> InputError:
        return InputError(f"{self._name}, line {self._line(name)}: {why}")

    def _line(self, name: str) -> int:
        """Return the line of a key, or else the first line of its step or of the file."""
        start = 0
        if self._step:
            heads = [k for k, line in enumerate(self._lines) if re.match(r"\s*\[\[\s*step\s*\]\]", line)]
            start = next((k for k in heads if self._begins(k)), 0)
        for k in range(start, len(self._lines)):
            line = self._lines[k]
            if k > start and re.match(r"\s*\[", line) and self._count(k) is not None:
                break
            if re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*[=.]", line) and self._count(k) is not None:
                return k + 1
        return start + 1

    def _begins(self, k: int) -> bool:
        return self._count(k) == self._step - 1

    def _count(self, k: int) -> int | None:
        """Return the number of steps before a line, or None inside a multi-line text."""
        with suppress(ValueError):
            return len(tomllib.loads("\n".join(self._lines[:k])).get("step", []))
        return None
