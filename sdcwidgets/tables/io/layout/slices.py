"""One label of an axis in place of all: where labels are times the same people are counted at each, so it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted
from sdcwidgets.tables.axis import Axis
from sdcwidgets.tables.io.layout.sheet import Decisions
from sdcwidgets.tables.io.layout.words import has, words
from sdcwidgets.tables.io.options import Choice, ReadOptions
from sdcwidgets.tables.io.questions import Doubt, doubt

if TYPE_CHECKING:
    from sdcwidgets._util.arrays import Whole


#: What axes without a name are called.
_UNNAMED = re.compile(r"Columns?|(Row|Upper heading)( \d+)?")

#: In place of a label: all labels are kept, or summed over.
ALL = "*"

#: At most so many labels of an axis are offered.
_MOST_LABELS = 200

_YEAR = r"(19|20)\d\d"
_TIME = re.compile(
    rf"{_YEAR}[\s/-]?([QTS]|trim\.?|quarter) ?[1-4]|([QTS]|quarter) ?[1-4][\s/-]?{_YEAR}|[YFJ] ?{_YEAR}"
    rf"|{_YEAR}(M|MM|KW|JJ)\d\d|\d{{1,2}}[./]\d{{1,2}}[./]{_YEAR}"
    rf"|(\d{{1,2}}(\.|er|º|°)? (de )?)({words('month')})\w*\.? (de )?{_YEAR}"
    rf"|{_YEAR}-(0[1-9]|1[0-2])(-\d\d)?|{_YEAR}/\d\d(\d\d)?|({words('month')})\w*\.? {_YEAR}",
    re.IGNORECASE,
)
_PLAIN = re.compile(_YEAR)
_DATED = re.compile(rf"(.*?)[\s_]*(?<!\d)({_YEAR})(?!\d)[\s_]*(.*)")
_CODED = re.compile(r"[PC](\d\d)_(.*)")  # INSEE's P20_POP
_ENDS = re.compile(rf"(.*[^\W\d].*?)[\s_]*{_YEAR}")


def are_times(name: str, labels: Sequence[str]) -> bool:
    """Return whether all labels of an axis are times of counting.

    Plain years are such where the name of the axis says so, or it has none; they may be years of birth.

    Examples
    --------
    >>> are_times("Column", ["2023Q1", "2023Q2"]), are_times("Year", ["2021", "2022"])
    (True, True)
    >>> are_times("Column", ["31.12.2021", "31.12.2022"]), are_times("Column", ["Persons 2021", "Persons 2022"])
    (True, True)
    >>> are_times("Column", ["Men 2021", "Women 2021", "Men 2022"]), are_times("Column", ["P20_POP", "P14_POP"])
    (True, True)
    >>> are_times("Class of", ["2021", "2022"]), are_times("Year of birth", ["1990", "1991"])
    (False, False)
    """
    if len(labels) < 2 or has("birth", name):
        return False
    named = bool(_UNNAMED.fullmatch(name)) or has("time", name.replace("_", " "))
    texts = [label.strip() for label in labels]
    if all(_TIME.fullmatch(label) or (named and _PLAIN.fullmatch(label)) for label in texts):
        return True
    ends = [_ENDS.fullmatch(label) for label in texts]
    before = {end[1].lower() if end else "" for end in ends}
    if len(before) == 1 and before != {""}:
        return not has("birth", before.pop())
    coded = [_CODED.fullmatch(label) for label in texts]
    if all(coded) and len({match[1] for match in coded if match}) > 1:
        return True
    return _are_dated(texts)


def _are_dated(labels: Sequence[str]) -> bool:
    """Return whether labels are the same words with one year or another."""
    dated = [match for match in map(_DATED.fullmatch, labels) if match]
    rests = [f"{match[1]} {match[4]}".strip().lower() for match in dated]
    several = len({match[2] for match in dated}) > 1 and len(set(rests)) < len(labels) == len(rests)
    return several and all(rests) and not any(has("birth", rest) for rest in rests)


def chosen(how: ReadOptions) -> dict[str, str]:
    """Return the label that was chosen of each axis.

    Examples
    --------
    >>> chosen(ReadOptions(only=("Year=2021", "Sex=*")))
    {'Year': '2021', 'Sex': '*'}
    """
    labels = {}
    for choice in how.only:
        name, equals, label = choice.partition("=")
        if not (name.strip() and equals):
            raise InputError(
                f"{quoted(choice)} is not an axis with a category; write the argument only as Year=2021."
            )
        labels[name.strip()] = label.strip()
    return labels


def offered(axes: Iterable[tuple[str, Sequence[str]]], how: ReadOptions) -> Choice:
    """Return the choice of one label, or all, of each axis."""
    options = {
        f"{name}={label}": f"{name}: {'all' if label == ALL else label}"
        for name, labels in axes
        for label in (ALL, *labels[:_MOST_LABELS])
    }
    return Choice("only", options, tuple(option for option in how.only if option in options), several=True)


def time_doubt(
    name: str, labels: Sequence[str], others: Iterable[tuple[str, Sequence[str]]], how: ReadOptions
) -> Doubt:
    """Return what is asked where an axis of times, or of kinds of figures, would be added up."""
    some = f"{listed(labels[:2])}{' ...' * (len(labels) > 2)}"
    choice = offered([(name, labels), *others], how)
    return doubt(
        "time" if are_times(name, labels) else "figures",
        choice,
        axis=quoted(name),
        name=name,
        labels=some,
        last=labels[-1],
    )


def sliced(counts: Whole, axes: Sequence[Axis], how: ReadOptions) -> tuple[Whole, list[Axis], Decisions]:
    """Return the table of the labels that were chosen, and the doubt that an axis has times.

    Examples
    --------
    >>> table, axes, decided = sliced(
    ...     np.array([[3, 4], [5, 6]]),
    ...     [Axis("Area", ("A", "B")), Axis("Column", ("2023Q1", "2023Q2"))],
    ...     ReadOptions(only=("Column=2023Q2",)),
    ... )
    >>> table.tolist(), decided.notes
    ([4, 6], ['Only "2023Q2" of "Column" was read.'])
    """
    only, remaining = chosen(how), list(axes)
    notes, doubts = list[str](), list[Doubt]()
    _check(only, {axis.name: axis.labels for axis in axes})
    offer = [(axis.name, axis.labels) for axis in axes if axis.name in only]
    for axis in axes:
        label = only.get(axis.name)
        if label is None and are_times(axis.name, axis.labels):
            doubts.append(time_doubt(axis.name, axis.labels, offer, how))
        if label in (None, ALL):
            continue
        counts = np.moveaxis(counts, remaining.index(axis), 0)[axis.position(label)]
        remaining.remove(axis)
        notes.append(f"Only {quoted(label)} of {quoted(axis.name)} was read.")
    return counts, remaining, Decisions(notes, [offered(offer, how)] if offer else [], doubts)


def _check(only: Mapping[str, str], axes: Mapping[str, Sequence[str]]) -> None:
    """Refuse an axis or a label that is not there."""
    for name, label in only.items():
        if name not in axes:
            raise InputError(
                f"The argument only names the axis {quoted(name)}, which does not exist. "
                f"The axes are {listed(list(axes))}."
            )
        if label != ALL and label not in axes[name]:
            raise InputError(
                f"The axis {quoted(name)} has no label {quoted(label)}, which the argument only names. Its labels are "
                f"{listed(list(axes[name]))}."
            )
