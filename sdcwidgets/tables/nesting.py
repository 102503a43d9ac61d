"""Detect axes whose categories are sums of other categories of the same axis.

Cell suppression assumes disjoint categories. If a category is the sum of others, a suppressed cell can be
recalculated from this sum. A table with an axis that looks hierarchical is therefore rejected until the
hierarchy is confirmed or denied.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sdcwidgets._util.arrays import Whole
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import and_more, quoted
from sdcwidgets.core.nesting import SURE, LineSum, find_sums
from sdcwidgets.tables.axis import Axis

#: Value that requests the detected hierarchy.
DETECTED = "detected"

#: A code of capitals, digits and separators, with at least one digit or two capitals.
_CODE = re.compile(r"(?=.*\d|[A-Z]{2}|[A-Z]$)[A-Z0-9]+(?:[.\-_/][A-Z0-9]+)*$")

#: Indentation or dashes before a label of a lower level.
_INDENT = re.compile(r"^(?:[\s\u00a0\u2000-\u200a]+|[.·•\u2022\-–—>]+\s+)+")

#: Words that mark a label as a part of the label before it.
_PART = re.compile(r"^\W*(of which|of whom|thereof|including|incl\.|darunter|davon|dont)\b", re.IGNORECASE)

#: Maximum number of decimals in the comparison of amounts; further decimals are rounded.
_DECIMALS = 6


class PossibleHierarchy(InputError):
    """Raised for an axis that looks like an undeclared hierarchy.

    Attributes
    ----------
    axis : str
        Name of the axis.
    level : str
        Name of the axis of hierarchy levels, "" if there is none.
    """

    def __init__(self, axis: str, evidence: str, level: str = "") -> None:
        confirm = f"Sum over the axis {quoted(level)} and confirm" if level else "Confirm"
        super().__init__(
            f"Axis {quoted(axis)} seems to be hierarchical: {evidence}, so suppressed cells could be recalculated. "
            f"{confirm} the hierarchy, or declare {quoted(axis)} as non-hierarchical."
        )
        self.axis, self.level = axis, level

    @property
    def arguments(self) -> str:
        """Arguments of `protect` in Python that confirm or deny the hierarchy."""
        sums = f"sum over the axis {quoted(self.level)} and " if self.level else ""
        return (
            f"To confirm the hierarchy, {sums}pass hierarchies={{{quoted(self.axis)}: {quoted(DETECTED)}}}. If the "
            f"axis has no hierarchy, pass non_hierarchical=({quoted(self.axis)},)."
        )

    def with_arguments(self) -> PossibleHierarchy:
        """Return the error with a message that also names the arguments of `protect`."""
        self.args = (f"{self} {self.arguments}",)
        return self

    @property
    def flags(self) -> str:
        """Command-line options that confirm or deny the hierarchy."""
        sums = f"leave {quoted(self.level)} out of --by and " if self.level else ""
        return (
            f"To confirm the hierarchy, {sums}pass --hierarchy {quoted(f'{self.axis}={DETECTED}')} or a file of the "
            f"hierarchy. If the axis has no hierarchy, pass --non-hierarchical {quoted(self.axis)}."
        )


def check_disjoint(values: ArrayLike, axes: Sequence[Axis], stated: Collection[str] = ()) -> None:
    """Raise PossibleHierarchy if an axis of a table looks hierarchical.

    Parameters
    ----------
    values : array_like, one dimension per axis
        Counts or amounts.
    axes : sequence of Axis
    stated : collection of str
        Axes whose hierarchy is confirmed or denied; they are not examined.

    Raises
    ------
    PossibleHierarchy
        With the name of the axis and the evidence.

    Examples
    --------
    >>> axes = [Axis("Activity", ("Employed", "Full-time", "Part-time", "Other")), Axis("Sex", ("m", "f"))]
    >>> check_disjoint([[33, 38], [31, 20], [2, 18], [27, 21]], axes)
    Traceback (most recent call last):
    sdcwidgets.tables.nesting.PossibleHierarchy: Axis "Activity" seems to be hierarchical: "Employed" is the sum of ...
    """
    counts = _whole(values)
    for position, axis in enumerate(axes):
        if axis.name not in stated:
            evidence = _evidence(_lines(counts, position), axis.labels)
            if evidence:
                raise PossibleHierarchy(axis.name, evidence)
            level, evidence = _of_levels(counts, axes, position, stated)
            if evidence:
                raise PossibleHierarchy(axis.name, evidence, level)


def detected(values: ArrayLike, axes: Sequence[Axis], name: str) -> dict[str, str]:
    """Return the hierarchy of an axis that its sums show.

    Parameters
    ----------
    values : array_like, one dimension per axis
        Counts or amounts.
    axes : sequence of Axis
    name : str
        Name of the axis.

    Returns
    -------
    dict of str to str
        Parent of each label; "" is the grand total.

    Raises
    ------
    InputError
        If no sum is found, or if the sums do not form one hierarchy.

    Examples
    --------
    >>> detected([9, 4, 5, 7], [Axis("Area", ("north", "a", "b", "south"))], "Area")
    Traceback (most recent call last):
    sdcwidgets.InputError: No category of axis "Area" is certain to be the sum of other ...
    >>> detected([900, 413, 487, 723], [Axis("Area", ("north", "a", "b", "south"))], "Area")
    {'north': '', 'a': 'north', 'b': 'north', 'south': ''}
    """
    position = [axis.name for axis in axes].index(name)
    labels = axes[position].labels
    lines = _lines(_whole(values), position)
    sums = find_sums(lines, _children(labels), SURE)
    if not sums:
        raise InputError(
            f"No category of axis {quoted(name)} is certain to be the sum of other categories; give "
            "the hierarchy of the axis as a file."
        )
    if len(sums[-1].totals) > 1:
        raise InputError(
            f"Axis {quoted(name)} contains two classifications: {_sentence(sums[-1], labels)}. "
            "Publish them as separate tables."
        )
    parents = dict.fromkeys(labels, "")
    for line_sum in sums:
        parents |= {labels[part]: labels[line_sum.totals[0]] for part in line_sum.parts}
    return parents


def without_totals(
    values: ArrayLike, axes: Sequence[Axis], hierarchies: Mapping[str, Mapping[str, str]]
) -> tuple[NDArray[np.int64], tuple[Axis, ...]]:
    """Remove the categories with children, which become sub-totals.

    Raises
    ------
    InputError
        If a category is not the sum of its children.

    Examples
    --------
    >>> parents = {"north": "", "a": "north", "b": "north", "south": ""}
    >>> counts, axes = without_totals(np.array([9, 4, 5, 7]), [Axis("Area", tuple(parents))], {"Area": parents})
    >>> counts.tolist(), axes[0].labels
    ([4, 5, 7], ('a', 'b', 'south'))
    """
    values, reduced = _whole(values), []
    for position, axis in enumerate(axes):
        parents = hierarchies.get(axis.name, {})
        above = set(parents.values())
        lines = _lines(values, position)
        for k, label in enumerate(axis.labels):
            parts = [i for i, part in enumerate(axis.labels) if parents.get(part) == label]
            if label in above and not (len(parts) and (lines[k] == lines[parts].sum(axis=0)).all()):
                raise InputError(
                    f"{quoted(label)} of axis {quoted(axis.name)} is not the sum of the categories below it."
                )
        remaining = [k for k, label in enumerate(axis.labels) if label not in above]
        values = np.take(values, remaining, axis=position)
        reduced.append(Axis(axis.name, tuple(axis.labels[k] for k in remaining)))
    return values, tuple(reduced)


def _whole(values: ArrayLike) -> Whole:
    """Return the values as integers, in units of the last decimal place."""
    array = np.asarray(values)
    if array.dtype.kind in "iu":
        return array.astype(np.int64)
    for decimals in range(_DECIMALS + 1):
        scaled = array * 10.0**decimals
        if np.allclose(scaled, np.rint(scaled), rtol=0, atol=1e-6 * 10**decimals):
            break
    most = float(np.abs(scaled).max(initial=1.0))
    counts: Whole = np.rint(scaled * min(1.0, 2.0**40 / most)).astype(np.int64)
    return counts


def _lines(counts: Whole, position: int) -> Whole:
    """Return a row per category of an axis, with a column per combination of the others."""
    lines: Whole = np.moveaxis(counts, position, 0).reshape(counts.shape[position], -1)
    return lines


def _evidence(lines: Whole, labels: Sequence[str]) -> str:
    """Return the evidence that categories nest, "" if there is none."""
    sums = find_sums(lines, _children(labels))
    if sums:
        return _sentence(max(sums, key=lambda line_sum: line_sum.bits), labels)
    for total, parts, sure in _groups_of_labels(labels):
        below = lines[list(parts)].sum(axis=0)
        if sure and below.any() and (lines[total] >= below).all():
            names = and_more([quoted(labels[part]) for part in parts], 3)
            return f"its labels place {names} below {quoted(labels[total])}, which has no smaller count"
    return ""


def _sentence(line_sum: LineSum, labels: Sequence[str]) -> str:
    parts = [quoted(labels[part]) for part in line_sum.parts]
    totals = [quoted(labels[total]) for total in line_sum.totals]
    verb = "is the sum" if len(totals) == 1 else "have the same sum as"
    names = and_more(parts, 3)
    return f"{and_more(totals, 3)} {verb}{' of' if len(totals) == 1 else ''} {names} in every column"


def _of_levels(
    counts: Whole, axes: Sequence[Axis], position: int, stated: Collection[str]
) -> tuple[str, str]:
    """Return the axis that contains the hierarchy levels of an axis, and the evidence."""
    for level, other in enumerate(axes):
        if level == position or other.name in stated:
            continue
        rest = tuple(k for k in range(counts.ndim) if k not in (position, level))
        by_level = (counts.sum(axis=rest) if position < level else counts.sum(axis=rest).T) > 0
        if by_level.sum(axis=1).max() > 1 or by_level.any(axis=0).sum() < 2:
            continue
        summed = counts.sum(axis=level)
        evidence = _evidence(_lines(summed, position - (level < position)), axes[position].labels)
        repeated = _repeats(_lines(counts.sum(axis=position), level - (position < level)), other.labels)
        if evidence or repeated:
            why = f"each category occurs with only one category of {quoted(other.name)}, and {evidence or repeated}"
            return other.name, why
    return "", ""


def _repeats(lines: Whole, labels: Sequence[str]) -> str:
    """Return the evidence that all non-empty categories have the same counts.

    Levels of one hierarchy have this property.
    """
    held = np.flatnonzero(lines.any(axis=1))
    if len(held) < 2 or (lines[held] != lines[held[0]]).any():
        return ""
    bits = 0.5 * np.log2(1 + 2 * np.pi * lines[held[0]].astype(np.float64)).sum()
    names = and_more([quoted(labels[k]) for k in held.tolist()], 3)
    return f"{names} count the same people" if bits > 2 else ""


def _children(labels: Sequence[str]) -> list[tuple[int, list[int]]]:
    """Return labels with their children according to codes, indentation or words."""
    return [(total, list(parts)) for total, parts, _ in _groups_of_labels(labels)]


def _groups_of_labels(labels: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Yield labels with their children, and whether the labels alone are sufficient."""
    yield from _by_code(labels)
    yield from _by_indent(labels)
    first = 0
    for is_part, group in itertools.groupby(range(len(labels)), key=lambda k: bool(_PART.match(labels[k]))):
        members = tuple(group)
        if is_part and members[0] > first:
            yield members[0] - 1, members, True


def _by_code(labels: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Yield codes that are prefixes of others: DE of DE1, and DE1 of DE11."""
    codes = {k: code for k, code in enumerate(map(_code, labels)) if code}
    number = {code: k for k, code in codes.items()}
    if len(number) < len(codes):
        return
    below: dict[int, list[int]] = {}
    for k, code in codes.items():
        above = next(
            (number[code[:end]] for end in range(len(code) - 1, 0, -1) if code[:end] in number), None
        )
        if above is not None:
            below.setdefault(above, []).append(k)
    for total, parts in sorted(below.items()):
        # Numbers such as ages 1, 10 and 11 form a hierarchy only if the counts add up. For codes with letters
        # and digits (DE, DE1) or separators (1, 1.1), the labels are sufficient.
        rests = [codes[part][len(codes[total]) :] for part in parts]
        lettered = any(letter.isalpha() for letter in codes[total]) and any(map(str.isdigit, "".join(rests)))
        separated = all(rest[0] in ".-_/" for rest in rests)
        yield total, tuple(parts), len(parts) > 1 and (lettered or separated)


def _code(label: str) -> str:
    """Return the code at the start of a label, "" if there is none.

    >>> [_code(label) for label in ("DE11 Stuttgart", "01.2", "Age 5", "A", "0-4")]
    ['DE11', '01.2', '', 'A', '0-4']
    """
    words = label.split()
    word = words[0].rstrip(".:)") if words else ""
    return word if _CODE.match(word) else ""


def _by_indent(labels: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], bool]]:
    """Yield labels with their more indented children."""
    depths = [len(match[0]) if match else 0 for match in map(_INDENT.match, labels)]
    if len(set(depths)) < 2:
        return
    below: dict[int, list[int]] = {}
    path: list[int] = []
    for k, depth in enumerate(depths):
        while path and depths[path[-1]] >= depth:
            path.pop()
        if path:
            below.setdefault(path[-1], []).append(k)
        path.append(k)
    for total, parts in below.items():
        yield total, tuple(parts), True
