"""What a table is asked for by, and the text of a selection of people, which is never a language of a database."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted


@dataclass(frozen=True)
class Query:
    """What a table is asked for by.

    Parameters
    ----------
    by : sequence of str
        The variables that span the table.
    where : mapping of str to sequence of str
        The people who are counted: for each variable the categories that they may have.
    groups : mapping of str to mapping of str to sequence of str
        For each variable new categories, each made of old ones. A category that is in none stays as it is.

    Raises
    ------
    InputError
        If no variable spans the table, one does twice, or a selection is empty.
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
            raise InputError("A table needs one or more different variables; name them, such as Age, Sex.")
        for name, labels in where.items():
            if not labels:
                raise InputError(f"No category of {quoted(name)} is selected; select at least one.")
        for name in groups:
            if name not in by:
                raise InputError(f"{quoted(name)} is grouped but does not span the table; leave it out.")

    @property
    def key(self) -> tuple[object, ...]:
        """The query as one value that tells it from others; the order of what is selected does not count."""
        where = sorted((name, tuple(sorted(labels))) for name, labels in self.where.items())
        groups = sorted(
            (name, tuple(sorted((new, tuple(sorted(old))) for new, old in parts.items())))
            for name, parts in self.groups.items()
        )
        return self.by, tuple(where), tuple(groups)

    @property
    def words(self) -> str:
        """The query in words."""
        chosen = [f"{name}: {listed(labels)}" for name, labels in self.where.items()]
        return f"{' × '.join(self.by)}, {'; '.join(chosen) if chosen else 'everybody'}"


def selection(text: str) -> dict[str, tuple[str, ...]]:
    """Return the selection that a text stands for: ``Region=Region 1; Age=0-4|5-9``.

    Names and labels that hold one of ``; = |`` stand in double quotes.

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
                f"{quoted(part)} is no selection; write a variable and its categories, such as Age=0-4|5-9."
            )
        chosen[name] = tuple(_unquoted(label) for label in _split(labels[0], "|"))
    return {_unquoted(name): labels for name, labels in chosen.items()}


def names(text: str) -> tuple[str, ...]:
    """Return the names in a text with commas between them; one that holds a comma stands in double quotes.

    >>> names('Age, "Sex, at birth"')
    ('Age', 'Sex, at birth')
    """
    return tuple(_unquoted(part) for part in _split(text, ","))


def levels(text: str) -> dict[str, int]:
    """Return the variables in groups that a text names, each with its level, the first where none is given.

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
    """Return the parts of a text between marks that stand outside of double quotes."""
    parts = re.findall(rf'((?:"(?:[^"]|"")*"|[^{re.escape(mark)}"])+)', text)
    return [part.strip() for part in parts if part.strip()]


def _unquoted(text: str) -> str:
    inside = len(text) > 1 and text.startswith('"') and text.endswith('"')
    return text[1:-1].replace('""', '"') if inside else text
