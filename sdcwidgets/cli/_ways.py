"""Options that answer a question about FILE on the command line, each with the table or question that follows."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sdcwidgets._util.errors import InputError
from sdcwidgets.cli._layouts import accepted, as_proposed

if TYPE_CHECKING:
    from sdcwidgets.tables.io.options import Choice, Question
    from sdcwidgets.tables.io.sources import Source

#: Maximum number of answers that are tried, of values of one option, and of columns to count by.
_MOST_ANSWERS, _MOST_VALUES, _MOST_COLUMNS = 8, 3, 2

#: Maximum number of categories of a column to count by.
_MOST_CATEGORIES = 30


def ways_on(source: Source, choices: Mapping[str, Any], question: Question) -> list[str]:
    """Return the options that answer a question about a small file, each with the table or question that follows."""
    from sdcwidgets.tables.io.proposals import MOST_PROPOSED

    content = getattr(source, "content", b"")
    if len(content) > MOST_PROPOSED:
        return []
    ways = dict[str, str]()
    for answer in itertools.islice(_answers(source, question), _MOST_ANSWERS):
        chosen, outcome = _attempted(source, {**choices, **answer})
        options = {name: value for name, value in chosen.items() if choices.get(name) != value}
        statement = _statement(question)
        if outcome and options and not (statement and outcome.endswith(statement)):
            ways[_flags(options)] = outcome
    width = max(map(len, ways), default=0)
    return [f"  {flags:<{width}}  {outcome}" for flags, outcome in ways.items()]


def _answers(source: Source, question: Question) -> Iterator[dict[str, Any]]:
    """Yield the answers to a question."""
    from sdcwidgets.tables.io.options import ROWS
    from sdcwidgets.tables.io.questions import PERSONS, Doubt

    offered = {choice.name: choice for choice in question.choices}
    about = question.doubt.question if isinstance(question.doubt, Doubt) else ""
    if "by" in offered and about in (*PERSONS, "twice"):
        columns = offered["by"].chosen or _columns_to_count_by(source, list(offered["by"].options))
        counts = list(offered["count"].options) if about in ("rows", "twice") else [ROWS]
        yield from ({"by": tuple(columns), "count": value} for value in counts[:_MOST_VALUES] if columns)
    for name, choice in offered.items():
        if name not in ("by", "count"):
            values = _values(choice, question)[-_MOST_VALUES:]
            yield from ({name: (value,) if choice.several else value} for value in values)


def _values(choice: Choice, question: Question) -> list[str]:
    """Return the values of an option that answer a question, for `only` those of the axis in question."""
    from sdcwidgets.tables.io.questions import Doubt

    axis = question.doubt.facts.get("name", "") if isinstance(question.doubt, Doubt) else ""
    is_only = choice.name == "only" and axis
    begin = f"{axis}=" if is_only else ""
    return [value for value in choice.options if value not in ("", "ask") and value.startswith(begin)]


def _columns_to_count_by(source: Source, names: Sequence[str]) -> list[str]:
    """Return the first columns with few categories that several rows have, by which people are counted for example."""
    from sdcwidgets.tables.io.layout_draft import file_rows, first_layout, labels_in

    columns = list[str]()
    with suppress(InputError):
        content = source.content  # type: ignore[attr-defined]
        layout = first_layout(content)
        most = min(_MOST_CATEGORIES, file_rows(content, layout).total // 2)
        for column in layout.columns:
            labels = labels_in(content, layout, column.number) if column.heading in names else ()
            if 1 < len(labels) <= most:
                columns.append(column.heading)
    return columns[:_MOST_COLUMNS]


def _attempted(source: Source, choices: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Return the options with which a file is read, and its table or the next question; "" after an error.

    People with a missing value are counted in one more category.
    """
    from sdcwidgets.tables.io.layouts import UNKNOWN
    from sdcwidgets.tables.io.options import Question

    try:
        return choices, (as_proposed(source, choices) or source.choose(**choices).read()).summary
    except Question as question:
        if "missing" not in choices and any(choice.name == "missing" for choice in question.choices):
            return _attempted(source, {**choices, "missing": UNKNOWN})
        if "doubts" not in choices:
            statement = _statement(question)
            return choices, f"The next question is: {statement}" if statement else ""
        with suppress(InputError):
            return choices, accepted(source, choices, question).summary
    except InputError:
        pass
    return choices, ""


def _statement(question: Question) -> str:
    """Return the doubt of a question as a sentence, "" if it is an error with choices."""
    from sdcwidgets.tables.io.questions import Doubt

    return question.doubt.statement if isinstance(question.doubt, Doubt) else ""


def _flags(choices: Mapping[str, Any]) -> str:
    """Return options as they are written on the command line.

    Examples
    --------
    >>> _flags({"by": ("Area", "Age group"), "count": "rows"}), _flags({"doubts": "accept"})
    ("--by 'Area,Age group' --count rows", '--yes')
    """
    words = list[str]()
    for name, value in choices.items():
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        if name == "doubts":
            words.append("--yes")
        elif text:
            words += [f"--{name.replace('_', '-')}", shlex.quote(text)]
    return " ".join(words)
