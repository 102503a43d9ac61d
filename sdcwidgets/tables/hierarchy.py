"""Hierarchies of axes: from parent columns or tau-ARGUS files to trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sdcwidgets._util.arguments import check_texts, wrong
from sdcwidgets._util.errors import InputError
from sdcwidgets._util.labels import listed, quoted, total_label
from sdcwidgets.core.suppression import Tree, is_ring
from sdcwidgets.tables.axis import Axis

#: Warning about linked tables such as A x B, B x C, C x A.
RING = (
    "These linked tables form a cycle. The bounds use all published sums. A data user who also examines which tables "
    "by all axes are possible may narrow an interval further."
)

#: Prefix of a label in a tau-ARGUS file, once for each level below the first.
LEVEL = "@"


def parents_of(lines: Iterable[tuple[int, str, str]], name: str) -> dict[str, str]:
    """Return the parent of each label, from tuples of line number, label and parent.

    The parent "" denotes the grand total.

    Raises
    ------
    InputError
        If a label has two parents.

    Examples
    --------
    >>> parents_of([(2, "a", "north"), (3, "b", "north"), (4, "c", "")], "areas.csv")
    {'a': 'north', 'b': 'north', 'c': ''}
    """
    parent_of: dict[str, str] = {}
    for line, label, parent in lines:
        if parent_of.setdefault(label, parent) != parent:
            raise InputError(
                f"Line {line} of {quoted(name)}: {quoted(label)} has the parents {quoted(parent)} and "
                f"{quoted(parent_of[label])}; a label must have one parent."
            )
    return parent_of


def from_hrc(text: str, name: str = "The hierarchy", lead: str = LEVEL) -> dict[str, str]:
    r"""Return the parent of each label of a tau-ARGUS hierarchy file.

    In such a file, the number of lead strings before a label is its level.

    Parameters
    ----------
    text : str
        Content of the file.
    name : str
        Name of the file in messages.
    lead : str
        Lead string; default: @.

    Returns
    -------
    dict of str to str

    Raises
    ------
    InputError
        If the lead string is blank, a line is more than one level deeper than the line before, or a label occurs
        twice.

    Examples
    --------
    >>> from_hrc("north\n@a\n@b\nc\n")
    {'north': '', 'a': 'north', 'b': 'north', 'c': ''}
    >>> from_hrc("north\n.a\n..b\n", lead=".")
    {'north': '', 'a': 'north', 'b': 'a'}
    """
    if not lead.strip():
        raise InputError(
            "The lead string of a hierarchy is blank; it must have at least one character, such as @."
        )
    parent_of: dict[str, str] = {}
    above: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        label, level = line.strip(), 0
        while label.startswith(lead):
            label, level = label[len(lead) :], level + 1
        label = label.strip()
        if not label:
            continue
        if level > len(above):
            raise InputError(
                f"Line {number} of {quoted(name)}: {quoted(label)} is {level - len(above) + 1} levels below the line "
                "before. A line can be at most one level deeper."
            )
        if label in parent_of:
            raise InputError(f"Line {number} of {quoted(name)}: {quoted(label)} occurs twice.")
        parent_of[label] = above[level - 1] if level else ""
        above[level:] = [label]
    return parent_of


def labels_of(axis: Axis, parents: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels, sub-totals (from the lowest) and total of an axis.

    Examples
    --------
    >>> labels_of(Axis("Area", ("a", "Total")), {})
    ('a', 'Total', 'Total (all)')
    """
    nodes = _nodes(axis, parents)
    # The hierarchy may contain the grand total.
    return nodes if _closed(axis, parents) else (*nodes, total_label(nodes))


def tree_of(axis: Axis, parents: Mapping[str, str]) -> Tree:
    """Return the hierarchy of an axis as a tree.

    The nodes are the labels, then sub-totals from the lowest level, then the grand total. `parents` contains
    the parent of each label and of each parent; "" denotes the grand total.

    Raises
    ------
    InputError
        If a label is missing in the hierarchy, or the hierarchy is inconsistent.

    Examples
    --------
    >>> tree_of(Axis("Area", ("a", "b", "c")), {"a": "north", "b": "north", "c": "south"}).groups
    ((3, (0, 1)), (4, (2,)), (5, (3, 4)))
    """
    if not parents:
        return Tree.flat(len(axis))
    missing = [label for label in axis if label not in parents]
    if missing:
        raise InputError(
            f"Label {quoted(missing[0])} of axis {quoted(axis.name)} is missing in the hierarchy. "
            "Add its parent."
        )
    above = set(parents.values())
    stray = [label for label in parents if label not in axis.labels and label not in above]
    if stray:
        raise InputError(
            f"The hierarchy of {quoted(axis.name)} has {quoted(stray[0])}, which is neither a label nor a parent."
        )
    both = [label for label in axis if label in above]
    if both:
        raise InputError(
            f"{quoted(both[0])} is a label of {quoted(axis.name)} and also a sub-total of its hierarchy. Remove "
            "the sub-total from the table."
        )
    nodes = _nodes(axis, parents)
    number = {label: k for k, label in enumerate(nodes)}
    top = () if _closed(axis, parents) else (-1,)
    root = len(nodes) if top else -1
    try:
        return Tree([*(number.get(parents.get(label, ""), root) for label in nodes), *top])
    except ValueError as error:
        raise InputError(f"The hierarchy of {quoted(axis.name)} is inconsistent: {error}") from None


def _closed(axis: Axis, parents: Mapping[str, str]) -> bool:
    """Return whether the hierarchy has a single root, which is then the grand total."""
    return len([node for node in _nodes(axis, parents) if not parents.get(node)]) == 1 < len(parents)


def _nodes(axis: Axis, parents: Mapping[str, str]) -> tuple[str, ...]:
    """Return the labels of an axis and its sub-totals, from the lowest level."""
    nodes: list[str] = []
    level = list(axis)
    # The depth is at most the number of parents, unless there is a cycle.
    for _ in range(len(parents)):
        level = [parents[label] for label in dict.fromkeys(level) if parents.get(label)]
        # A sub-total that occurs again on a higher level moves to this level.
        nodes = [label for label in nodes if label not in level] + list(dict.fromkeys(level))
    return (*axis, *nodes)


def axes_of(tables: Sequence[Sequence[str]] | None, names: Sequence[str]) -> list[list[int]]:
    """Return the positions of the axes of each table.

    The default is one table with all axes.

    Raises
    ------
    InputError
        If an axis does not exist.

    Examples
    --------
    >>> axes_of([("A", "B"), ("C",)], ["A", "B", "C"]), axes_of(None, ["A", "B"])
    ([[0, 1], [2]], [[0, 1]])
    """
    check_tables(tables)
    named = [names] if tables is None or len(tables) == 0 else tables
    for name in (name for table in named for name in table):
        if name not in names:
            raise InputError(f"{quoted(name)} is not an axis of the table. The axes are {listed(names)}.")
    return [[names.index(name) for name in table] for table in named]


def check_tables(tables: Any) -> None:
    """Raise InputError if the axes of linked tables are not lists of names."""
    if tables is None:
        return
    is_list = isinstance(tables, list | tuple)
    if not is_list or not all(isinstance(part, list | tuple) for part in tables):
        raise wrong(
            "tables", tables, 'a list of tables, each by its axes, such as [["Area", "Age"], ["Area"]]'
        )
    for part in tables:
        check_texts("tables", part)


def caution_of(parts: Sequence[Sequence[int]]) -> str:
    """Return a warning about linked tables with these axes, "" if none is necessary."""
    return RING if is_ring(parts) else ""
