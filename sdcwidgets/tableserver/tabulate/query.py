"""Table requests and their text form, which is never passed to a database."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted


@dataclass(frozen=True)
class Query:
    """Request of a table.

    Parameters
    ----------
    by : sequence of str
        Variables of the table.
    where : mapping of str to sequence of str
        Selected categories of each variable; people of other categories are excluded.
    groups : mapping of str to mapping of str to sequence of str
        New categories of each variable, as sets of old ones. Other categories are unchanged.

    Raises
    ------
    InputError
        If `by` is empty or contains duplicates, or if a selection is empty.
    """

    by: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by = (self.by,) if isinstance(self.by, str) else tuple(self.by)
        where = {name: _texts(labels) for name, labels in self.where.items()}
        groups = {
            name: {new: _texts(old) for new, old in parts.items()} for name, parts in self.groups.items()
        }
        for name, value in (("by", by), ("where", where), ("groups", groups)):
            object.__setattr__(self, name, value)
        if not by or len(set(by)) < len(by):
            raise InputError("A table needs one or more different variables, for example Age, Sex.")
        for name, labels in where.items():
            if not labels:
                raise InputError(f"No category of {quoted(name)} is selected; select at least one.")
        for name in groups:
            if name not in by:
                raise InputError(
                    f"The variable {quoted(name)} is grouped but is not a variable of the "
                    "table. Remove its grouping."
                )

    @property
    def key(self) -> tuple[object, ...]:
        """Canonical value of the query, independent of the order of selections."""
        where = sorted((name, tuple(sorted(labels))) for name, labels in self.where.items())
        groups = sorted(
            (name, tuple(sorted((new, tuple(sorted(old))) for new, old in parts.items())))
            for name, parts in self.groups.items()
        )
        return self.by, tuple(where), tuple(groups)

    @property
    def words(self) -> str:
        """Description of the query."""
        chosen = [f"{name}: {listed(labels)}" for name, labels in self.where.items()]
        return f"{' × '.join(self.by)}, {'; '.join(chosen) if chosen else 'everybody'}"


def selection(text: str) -> dict[str, tuple[str, ...]]:
    """Return the selection in a text: ``Region=Region 1; Age=0-4|5-9``.

    Names and labels that contain one of ``; = |`` must be in double quotes.

    Raises
    ------
    InputError
        If the text is not of this form.

    Examples
    --------
    >>> selection('Region=Region 1; Age=0-4|5-9')
    {'Region': ('Region 1',), 'Age': ('0-4', '5-9')}
    """
    chosen: dict[str, tuple[str, ...]] = {}
    for part in _split(text, ";"):
        name, *labels = _split(part, "=") or [""]
        if len(labels) != 1 or not name or name in chosen:
            raise InputError(
                f"{quoted(part)} is not a selection. Write a variable and its categories, for example Age=0-4|5-9."
            )
        chosen[name] = tuple(_unquoted(label) for label in _split(labels[0], "|"))
    return {_unquoted(name): labels for name, labels in chosen.items()}


def names(text: str) -> tuple[str, ...]:
    """Return the comma-separated names in a text.

    Names that contain a comma must be in double quotes.

    Examples
    --------
    >>> names('Age, "Sex, at birth"')
    ('Age', 'Sex, at birth')
    """
    return tuple(_unquoted(part) for part in _split(text, ","))


def levels(text: str) -> dict[str, int]:
    """Return the variables in a text with their levels of groups; the default is 1.

    Examples
    --------
    >>> levels("Age, Region:2")
    {'Age': 1, 'Region': 2}
    """
    levels = {}
    for part in _split(text, ","):
        name, _, level = part.rpartition(":")
        known = level.isascii() and level.isdecimal() and bool(name)
        levels[_unquoted(name if known else part)] = int(level) if known else 1
    return levels


def _texts(labels: str | Sequence[str]) -> tuple[str, ...]:
    return (labels,) if isinstance(labels, str) else tuple(map(str, labels))


def _split(text: str, mark: str) -> list[str]:
    """Split a text at a mark, except inside double quotes."""
    parts = re.findall(rf'((?:"(?:[^"]|"")*"|[^{re.escape(mark)}"])+)', text)
    return [part.strip() for part in parts if part.strip()]


def _unquoted(text: str) -> str:
    inside = len(text) > 1 and text.startswith('"') and text.endswith('"')
    return text[1:-1].replace('""', '"') if inside else text
