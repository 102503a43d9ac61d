"""Groupings and geographies: a file with the parent of each label."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted

#: Maximum number of levels.
MOST_LEVELS = 12


def read_levels(path: Path, labels: Sequence[str]) -> list[dict[str, tuple[str, ...]]]:
    """Return the levels of a variable, finest first, each with the categories of its groups.

    Parameters
    ----------
    path : Path
        CSV in UTF-8 with a label and its parent in each row; a first row "label,parent" is a header. A parent can
        have a parent, too.
    labels : sequence of str
        The categories of the variable; each must have one parent.

    Raises
    ------
    InputError
        If the file cannot be read, a label has two parents or is its own ancestor, a category is missing, or a label
        is neither a category nor a parent.
    """
    parent = _parents(path)
    gone = [label for label in labels if label not in parent]
    if gone:
        raise InputError(f"{path.name} has no parent for {listed(gone[:6])}. Each category needs a parent.")
    known = {*labels, *parent.values()}
    strange = [label for label in parent if label not in known]
    if strange:
        raise InputError(
            f"{path.name}: {listed(strange[:6])} are neither categories of the variable nor parents."
        )
    levels: list[dict[str, tuple[str, ...]]] = []
    above = {label: parent[label] for label in labels}
    while above:
        if len(levels) == MOST_LEVELS:
            raise InputError(
                f"{path.name}: a label is its own ancestor, or there are more than {MOST_LEVELS} levels."
            )
        level: dict[str, list[str]] = {}
        for label, group in above.items():
            level.setdefault(group, []).append(label)
        levels.append({group: tuple(part) for group, part in level.items()})
        above = {label: parent[group] for label, group in above.items() if group in parent}
    return levels


def _parents(path: Path) -> dict[str, str]:
    """Return the parent of each label in a file."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = [
                (number, [cell.strip() for cell in row])
                for number, row in enumerate(csv.reader(file), 1)
                if any(row)
            ]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise InputError(
            f"{path.name} cannot be read. It must be a CSV file with a label and its parent in each row."
        ) from None
    if lines and [cell.lower() for cell in lines[0][1]] == ["label", "parent"]:
        del lines[0]
    parent: dict[str, str] = {}
    for number, row in lines:
        if len(row) != 2 or not all(row):
            raise InputError(f"{path.name}, line {number}: a row must have a label and its parent.")
        if parent.setdefault(row[0], row[1]) != row[1]:
            raise InputError(
                f"{path.name}, line {number}: {quoted(row[0])} already has the parent {quoted(parent[row[0]])}. "
                "Each label must have one parent."
            )
    return parent
