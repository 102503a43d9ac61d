"""Relations of tables: the entries (values that can be published) and the sums among them.

An entry is a cell, a margin or the total. A relation states that one entry is the sum of others. Hierarchies
add relations, and linked tables share entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Flags, Numbers, Sparse, Whole
from .primary import Contributions


@dataclass(frozen=True)
class Tree:
    """Hierarchy of an axis: the parent of each category or total, -1 for the root.

    Raises
    ------
    ValueError
        If there is not exactly one root, a parent does not exist, or a node is its own ancestor.

    Examples
    --------
    Two regions of two areas each, and the country:

    >>> tree = Tree([4, 4, 5, 5, 6, 6, -1])
    >>> tree.leaves.tolist(), tree.groups
    ([0, 1, 2, 3], ((4, (0, 1)), (5, (2, 3)), (6, (4, 5))))
    """

    parents: tuple[int, ...]

    def __init__(self, parents: ArrayLike) -> None:
        numbers = tuple(int(parent) for parent in np.asarray(parents).tolist())
        object.__setattr__(self, "parents", numbers)
        size = len(numbers)
        roots = [node for node, parent in enumerate(numbers) if parent == -1]
        if len(roots) != 1:
            raise ValueError(f"A hierarchy must have exactly one grand total; this one has {len(roots)}.")
        for node, parent in enumerate(numbers):
            if parent != -1 and not 0 <= parent < size:
                raise ValueError(
                    f"Node {node} of the hierarchy has the parent {parent}, which does not exist."
                )
        for node in range(size):
            seen = set()
            while node != -1:
                if node in seen:
                    raise ValueError(f"Node {node} of the hierarchy is its own ancestor.")
                seen.add(node)
                node = numbers[node]

    @classmethod
    def flat(cls, size: int) -> Tree:
        """Return the tree of an axis without a hierarchy: its categories, followed by their total."""
        return cls([size] * size + [-1])

    @property
    def leaves(self) -> Whole:
        """Nodes without children."""
        return np.setdiff1d(np.arange(len(self.parents)), np.asarray(self.parents))

    @property
    def groups(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Each node that is a sum, with its children."""
        parts: dict[int, list[int]] = {}
        for node, parent in enumerate(self.parents):
            if parent != -1:
                parts.setdefault(parent, []).append(node)
        return tuple((parent, tuple(parts[parent])) for parent in sorted(parts))

    def collected(self) -> Numbers:
        """Return a 0/1 matrix, shape (nodes, leaves), of the leaves that each node sums."""
        leaves = self.leaves
        matrix = np.zeros((len(self.parents), len(leaves)), dtype=np.int64)
        for column, node in enumerate(leaves.tolist()):
            while node != -1:
                matrix[node, column] = 1
                node = self.parents[node]
        return matrix


@dataclass(frozen=True, eq=False)
class Relations:
    """Sums among the entries of one or more tables.

    Attributes
    ----------
    matrix : scipy.sparse.csr_array, shape (relations, entries)
        One row per relation, with 1 for each part and -1 for the sum, so that `matrix @ values` is 0.
    tables : tuple of ndarray of int
        For each table, the number of the entry at each position, including totals.
    implied : ndarray of bool, optional
        Mask of redundant relations, which follow from the others.
    """

    matrix: Sparse
    tables: tuple[Whole, ...]
    implied: Flags | None = None

    @property
    def lean(self) -> Relations:
        """Relations without the implied ones: a network if one of two axes is without a hierarchy."""
        if self.implied is None:
            return self
        return Relations(self.matrix[np.flatnonzero(~self.implied)], self.tables)

    @property
    def entries(self) -> int:
        """Number of entries."""
        return int(self.matrix.shape[1])

    def check(self, values: ArrayLike) -> None:
        """Raise ValueError for the first relation whose values are not additive."""
        entries = np.asarray(values, dtype=np.float64).ravel()
        if entries.size != self.entries:
            raise ValueError(
                f"There are {entries.size} values for {self.entries} cells and totals; give one value for each."
            )
        scale = abs(self.matrix) @ np.abs(entries)
        off = np.abs(self.matrix @ entries) > 1e-9 * np.maximum(scale, 1)
        if off.any():
            row = self.matrix[[int(np.argmax(off))]]
            total = int(row.indices[row.data < 0][0])
            parts = float(entries[row.indices[row.data > 0]].sum())
            raise ValueError(
                f"The total at position {total} is {entries[total]:g}, but its parts have the sum {parts:g}; both "
                "must be equal."
            )


def of_trees(trees: Sequence[Tree]) -> Relations:
    """Return the relations of a table with these hierarchies of its axes."""
    shape = _shape(trees)
    return linked([np.arange(int(np.prod(shape))).reshape(shape)], [trees])


def of_shape(shape: Sequence[int]) -> Relations:
    """Return the relations of a table with these sizes and all its margins.

    Entries are numbered as in `with_margins(counts).ravel()`: the total of an axis is its last position.

    Examples
    --------
    >>> relations = of_shape((2, 3))
    >>> relations.matrix.shape, int(relations.tables[0][2, 3])
    ((7, 12), 11)
    """
    return of_trees([Tree.flat(size) for size in shape])


def linked(tables: Sequence[ArrayLike], trees: Sequence[Sequence[Tree]] | None = None) -> Relations:
    """Return the relations of several tables that share entries.

    Parameters
    ----------
    tables : sequence of array_like of int
        Number of the entry at each position of each table, from 0; equal numbers are the same value.
    trees : sequence of sequences of Tree, optional
        Hierarchies of each table; default: the last position of each axis is its total.

    Raises
    ------
    ValueError
        If a number is missing, or a table does not match its hierarchies.

    Examples
    --------
    Two tables with the same rows and the same total:

    >>> linked([[[0, 1, 2], [3, 4, 5], [6, 7, 8]], [[9, 10, 2], [11, 12, 5], [13, 14, 8]]]).matrix.shape
    (11, 15)
    """
    from scipy import sparse

    numbers = tuple(np.asarray(table, dtype=np.int64) for table in tables)
    if trees is None:
        trees = [[Tree.flat(size - 1) for size in table.shape] for table in numbers]
    used = np.unique(np.concatenate([table.ravel() for table in numbers]))
    entries = int(used[-1]) + 1
    if used[0] != 0 or len(used) != entries:
        raise ValueError(
            "The cells and totals of linked tables must be numbered from 0 without missing numbers."
        )
    rows: list[Whole] = []
    implied: set[tuple[int, ...]] = set()
    for table, axes in zip(numbers, trees, strict=True):
        if table.shape != _shape(axes):
            raise ValueError(
                f"A table has the shape {table.shape}, but its hierarchies require {_shape(axes)}; both must be equal."
            )
        for axis, together in _sums(table, axes):
            rows.extend(together)
            if len(numbers) == 1:
                implied.update(_key(together[node].tolist()) for node in _between(axes, axis))
    # Tables that share a margin with two or more axes also share its sums.
    unique = list({_key(row): row for row in (array.tolist() for array in rows)}.values())
    follow = np.array([_key(row) in implied for row in unique])
    sizes = np.array([len(row) for row in unique])
    indices = np.concatenate([np.asarray(row) for row in unique])
    data = np.ones(len(indices))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    data[starts[:-1]] = -1
    matrix = sparse.csr_array((data, indices, starts), shape=(len(unique), entries))
    return Relations(matrix, numbers, follow if follow.any() else None)


def _sums(table: Whole, trees: Sequence[Tree]) -> Iterator[tuple[int, Whole]]:
    """Yield the axis and the entries of each total and its parts, one line per sum."""
    for axis, tree in enumerate(trees):
        moved = np.moveaxis(table, axis, -1)
        for total, parts in tree.groups:
            yield axis, moved[..., [total, *parts]].reshape(-1, len(parts) + 1)


def _shape(trees: Sequence[Tree]) -> tuple[int, ...]:
    return tuple(len(tree.parents) for tree in trees)


def of_tables(trees: Sequence[Tree], tables: Sequence[Sequence[int]]) -> tuple[Whole, Relations]:
    """Return the relations of tables by subsets of the axes, and the numbers of their entries.

    Parameters
    ----------
    trees : sequence of Tree
        Hierarchy of each axis.
    tables : sequence of sequence of int
        Axes of each table; a value in two tables is one entry.

    Examples
    --------
    >>> numbers, relations = of_tables([Tree.flat(2)] * 3, [(0, 1), (1, 2)])
    >>> len(numbers), relations.entries, numbers.tolist()[:3]
    (15, 15, [2, 5, 8])
    """
    shape = _shape(trees)
    every = np.arange(int(np.prod(shape))).reshape(shape)
    views = [every[tuple(slice(None) if k in axes else -1 for k in range(len(shape)))] for axes in tables]
    numbers = np.unique(np.concatenate([view.ravel() for view in views]))
    places = [np.searchsorted(numbers, view) for view in views]
    return numbers, linked(places, [[tree for k, tree in enumerate(trees) if k in axes] for axes in tables])


def is_ring(tables: Sequence[Sequence[int]]) -> bool:
    """Return whether tables form a cycle, so that feasible values may not belong to any joint table.

    Examples
    --------
    >>> is_ring([(0, 1), (1, 2)]), is_ring([(0, 1), (1, 2), (0, 2)])
    (False, True)
    """
    remaining = [set(table) for table in tables]
    while True:
        before = [set(table) for table in remaining]
        for table in remaining:
            table -= {axis for axis in table if sum(axis in other for other in remaining) == 1}
        remaining = [
            table
            for k, table in enumerate(remaining)
            if not any(
                table <= other for j, other in enumerate(remaining) if j != k and (table < other or j > k)
            )
        ]
        if remaining == before or not remaining:
            return len(remaining) > 1


def _key(row: list[int]) -> tuple[int, ...]:
    """Return a key that is equal for the same sum with its parts in any order."""
    return (row[0], *sorted(row[1:]))


def _between(trees: Sequence[Tree], axis: int) -> list[int]:
    """Return the sub-totals of the other axis at which sums along this axis are implied."""
    if len(trees) != 2 or len(trees[axis].groups) > 1:
        return []
    return [node for node, _ in trees[1 - axis].groups if trees[1 - axis].parents[node] != -1]


def with_margins(counts: ArrayLike, trees: Sequence[Tree] | None = None) -> Numbers:
    """Return cells with all margins: the total of each axis last, or each node of its hierarchy.

    Raises
    ------
    ValueError
        If a hierarchy does not have one leaf per category.

    Examples
    --------
    >>> with_margins([[1, 2], [3, 4]]).tolist()
    [[1, 2, 3], [3, 4, 7], [4, 6, 10]]
    """
    array = np.asarray(counts)
    if trees is None:
        trees = [Tree.flat(size) for size in array.shape]
    for axis, tree in enumerate(trees):
        collected = tree.collected()
        if collected.shape[1] != array.shape[axis]:
            raise ValueError(
                f"Axis {axis} has {array.shape[axis]} categories, but its hierarchy has {collected.shape[1]} leaves."
            )
        array = np.moveaxis(np.tensordot(collected, array, axes=(1, axis)), 0, axis)
    return array


def above(contributions: Contributions, shape: Sequence[int], trees: Sequence[Tree]) -> Contributions:
    """Convert contributions to cells into contributions to all entries that include the cells.

    Parameters
    ----------
    contributions : Contributions
        Contributions to positions of a flattened table of this shape.
    shape : sequence of int
        Shape of the table.
    trees : sequence of Tree
        Hierarchies; entries are numbered as in `with_margins(cells, trees).ravel()`.

    Examples
    --------
    >>> above(Contributions(np.array([1]), np.ones(1), np.zeros(1, int)), (2,), [Tree.flat(2)]).entries.tolist()
    [1, 2]
    """
    sizes = tuple(len(tree.parents) for tree in trees)
    at = np.unravel_index(contributions.entries, tuple(shape))
    entries = np.zeros((len(contributions.entries), 1), dtype=np.int64)
    for axis, tree in enumerate(trees):
        matrix = tree.collected()
        # Ancestors of each leaf, padded with -1 to the largest number.
        nodes = np.full((matrix.shape[1], int(matrix.sum(axis=0).max())), -1, dtype=np.int64)
        for leaf in range(matrix.shape[1]):
            ancestors = np.flatnonzero(matrix[:, leaf])
            nodes[leaf, : len(ancestors)] = ancestors
        mine = nodes[at[axis]]
        step = int(np.prod(sizes[axis + 1 :], dtype=int))
        joined = entries[:, :, None] + mine[:, None, :] * step
        joined[(entries[:, :, None] < 0) | (mine[:, None, :] < 0)] = -(2**40)
        entries = joined.reshape(len(entries), entries.shape[1] * mine.shape[1])
    has_entry, copies = entries.ravel() >= 0, entries.shape[1]
    return Contributions(
        entries.ravel()[has_entry],
        np.repeat(contributions.values, copies)[has_entry],
        np.repeat(contributions.holders, copies)[has_entry],
    )
