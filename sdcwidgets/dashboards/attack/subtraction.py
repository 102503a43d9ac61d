"""The subtraction of the stage: saved ones, places for the next numbers, and the areas that it compares."""

from __future__ import annotations

from html import escape

from sdcwidgets.dashboards.attack import texts
from sdcwidgets.dashboards.attack.result import AttackResult
from sdcwidgets.dashboards.attack.state import AttackState

#: Places of an empty subtraction.
PLACES = ("first number", "second number")

#: The first subtraction of the opening case, 49 − 49: women who work 15 hours or less, by the boundaries of 1991 and of
#: 2001. It excludes one answer, and leaves the other two to the visitor.
FIRST = (5, 11)


def opening() -> AttackState:
    """Return the state in which the page opens: the first subtraction of the first case is saved."""
    return AttackState(combinations=(FIRST,))


def places(result: AttackResult) -> str:
    """Return the HTML of the subtraction: selected numbers with their labels, and empty places.

    All labels are escaped.
    """
    terms = [] if result.line is None else [text for _, text in result.line.terms]
    labels = [_label(result, number) for number in result.state.line]
    filled = [
        f"<span class='sdc-place sdc-filled'><strong>{escape(text)}</strong><small>{escape(label)}</small></span>"
        for text, label in zip(terms, labels, strict=True)
    ]
    empty = [
        f"<span class='sdc-place'><strong>?</strong><small>{name}</small></span>"
        for name in PLACES[len(filled) :]
    ]
    is_complete = result.line is not None and len(terms) > 1
    value = escape(texts.line(result.line).rpartition("= ")[2]) if is_complete and result.line else "?"
    return f"<p class='sdc-places'>{' − '.join([*filled, *empty])} = <strong>{value}</strong></p>"


def saved(result: AttackResult) -> str:
    """Return the HTML of the saved combinations: numbers and signs with their meaning."""
    lines = [
        f"<p><strong>{escape(texts.line(combination))}</strong> {escape(texts.meaning(result, combination))}</p>"
        for combination in result.combinations
    ]
    return "".join(lines)


def _label(result: AttackResult, number: int) -> str:
    """Return the labels of a published number; a saved combination has none."""
    numbers = result.published.numbers
    return ", ".join(numbers[number].labels) if number < len(numbers) else "saved"


def areas(result: AttackResult) -> str:
    """Return the HTML of the two areas of the first case, "" for other cases."""
    if result.state.case != "boundaries":
        return ""
    area, strip = (
        "<span class='sdc-area-kept'>Area A since 2001</span>",
        "<span class='sdc-area-strip'>strip</span>",
    )
    return (
        "<div class='sdc-areas' role='img' aria-label='Area A of 1991 consists of Area A since 2001 and the strip.'>"
        f"<span class='sdc-area-whole'>Area A of 1991</span>{area}{strip}</div>"
    )
