"""Sub-totals of the rows: of so many neighbours, or as a file tells them."""

from __future__ import annotations

import itertools
from typing import TypeAlias

from sdcwidgets.axis import Axis
from sdcwidgets.core.suppression import Tree
from sdcwidgets.hierarchy import labels_of, tree_of

#: Labels with what they are part of; "" is the total of all.
Parents: TypeAlias = tuple[tuple[str, str], ...]


def grouped(axis: Axis, group: int) -> Parents:
    """Return a hierarchy with a sub-total of each `group` neighbours; none of one, or of all.

    >>> grouped(Axis("Area", ("a", "b", "c")), 2)
    (('a', 'a to b'), ('b', 'a to b'), ('c', ''))
    """
    labels = axis.labels
    parts = [labels[start : start + group] for start in range(0, len(labels), group)]
    if group == 1 or len(parts) == 1:
        return ()
    return tuple((one, f"{part[0]} to {part[-1]}" if len(part) > 1 else "") for part in parts for one in part)


def nodes(axis: Axis, parents: Parents) -> tuple[Tree, tuple[str, ...], list[int]]:
    """Return the hierarchy of an axis, what is called how in it, and the order in which it is shown."""
    if len(axis) == 1:
        return Tree([-1]), axis.labels, [0]
    tree, names = tree_of(axis, dict(parents)), labels_of(axis, dict(parents))
    parts = dict(tree.groups)

    def shown(node: int) -> list[int]:
        below = sorted(map(shown, parts.get(node, ())))
        return [*itertools.chain(*below), node]

    return tree, names, shown(len(names) - 1)
