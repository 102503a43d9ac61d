"""What adds up to what: the published values of tables, and the sums among them.

An entry is a value that may be published: a cell, a margin or the total. A relation says that one entry is the
sum of others. Hierarchies and linked tables are nothing else: more relations, and entries that two tables
share.
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
    """The categories of an axis and their totals: a parent for each node, -1 for the root.

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
        numbers = tuple(int(p) for p in np.asarray(parents).tolist())
        object.__setattr__(self, "parents", numbers)
        size = len(numbers)
        roots = [node for node, parent in enumerate(numbers) if parent == -1]
        if len(roots) != 1:
            raise ValueError(f"A hierarchy needs one total above all; this one has {len(roots)}.")
        for node, parent in enumerate(numbers):
            if parent != -1 and not 0 <= parent < size:
                raise ValueError(
                    f"Node {node} of the hierarchy has the parent {parent}, which does not exist."
                )
        for node in range(size):
            seen = set()
            while node != -1:
                if node in seen:
                    raise ValueError(f"Node {node} of the hierarchy is above itself.")
                seen.add(node)
                node = numbers[node]

    @classmethod
    def flat(cls, size: int) -> Tree:
        """Return the tree of an axis without a hierarchy: its categories, and their total last."""
        return cls([size] * size + [-1])

    @property
    def leaves(self) -> Whole:
        """The nodes that no other is below."""
        return np.setdiff1d(np.arange(len(self.parents)), np.asarray(self.parents))

    @property
    def groups(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Each node that is a sum, with the nodes that it is the sum of."""
        parts: dict[int, list[int]] = {}
        for node, parent in enumerate(self.parents):
            if parent != -1:
                parts.setdefault(parent, []).append(node)
        return tuple((parent, tuple(parts[parent])) for parent in sorted(parts))

    def collected(self) -> Numbers:
        """Return a matrix of 0 and 1, (nodes, leaves): which leaves each node is the sum of."""
        leaves = self.leaves
        matrix = np.zeros((len(self.parents), len(leaves)), dtype=np.int64)
        for column, node in enumerate(leaves.tolist()):
            while node != -1:
                matrix[node, column] = 1
                node = self.parents[node]
        return matrix


@dataclass(frozen=True, eq=False)
class Relations:
    """The sums among the entries of one or more tables.

    Attributes
    ----------
    matrix : scipy.sparse.csr_array, shape (relations, entries)
        Each row has a 1 for each part and a -1 for their sum, so that `matrix @ values` is 0.
    tables : tuple of ndarray of int
        For each table, the number of the entry at each place, totals included.
    implied : ndarray of bool, optional
        Relations that follow from the others, without which the same values add up.
    """

    matrix: Sparse
    tables: tuple[Whole, ...]
    implied: Flags | None = None

    @property
    def lean(self) -> Relations:
        """Those that are not implied: a network, if one of two axes has a hierarchy and the other has none."""
        if self.implied is None:
            return self
        return Relations(self.matrix[np.flatnonzero(~self.implied)], self.tables)

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return int(self.matrix.shape[1])

    def check(self, values: ArrayLike) -> None:
        """Raise ValueError at the first relation whose values do not add up."""
        entries = np.asarray(values, dtype=np.float64).ravel()
        if entries.size != self.entries:
            raise ValueError(f"There are {entries.size} values for {self.entries} entries.")
        scale = abs(self.matrix) @ np.abs(entries)
        off = np.abs(self.matrix @ entries) > 1e-9 * np.maximum(scale, 1)
        if off.any():
            row = self.matrix[[int(np.argmax(off))]]
            total = int(row.indices[row.data < 0][0])
            parts = float(entries[row.indices[row.data > 0]].sum())
            raise ValueError(
                f"Entry {total} is {entries[total]:g} and its parts sum to {parts:g}; they must be equal."
            )


def of_trees(trees: Sequence[Tree]) -> Relations:
    """Return the relations of one table whose axes have these hierarchies."""
    shape = _shape(trees)
    return linked([np.arange(int(np.prod(shape))).reshape(shape)], [trees])


def of_shape(shape: Sequence[int]) -> Relations:
    """Return the relations of a table of these sizes and all its margins.

    Entries are numbered as in `with_margins(counts).ravel()`: the total of an axis comes last on it.

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
        The number of the entry at each place of each table, from 0; the same number is the same value.
    trees : sequence of sequences of Tree, optional
        The hierarchies of each table; default: each axis has its total last.

    Raises
    ------
    ValueError
        If a number is left out, or a table does not fit its hierarchies.

    Examples
    --------
    Two tables that share their rows and their total:

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
        raise ValueError("The entries of linked tables must be numbered from 0 without a gap.")
    rows: list[Whole] = []
    implied: set[tuple[int, ...]] = set()
    for table, axes in zip(numbers, trees, strict=True):
        if table.shape != _shape(axes):
            raise ValueError(f"A table of shape {table.shape} does not fit its hierarchies.")
        for axis, together in _sums(table, axes):
            rows.extend(together)
            if len(numbers) == 1:
                implied.update(_key(together[node].tolist()) for node in _between(axes, axis))
    # Tables that share a margin of two or more axes share its sums too.
    unique = list({_key(row): row for row in (r.tolist() for r in rows)}.values())
    follow = np.array([_key(row) in implied for row in unique])
    sizes = np.array([len(row) for row in unique])
    indices = np.concatenate([np.asarray(row) for row in unique])
    data = np.ones(len(indices))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    data[starts[:-1]] = -1
    matrix = sparse.csr_array((data, indices, starts), shape=(len(unique), entries))
    return Relations(matrix, numbers, follow if follow.any() else None)


def _sums(table: Whole, trees: Sequence[Tree]) -> Iterator[tuple[int, Whole]]:
    """Yield along each axis the entries of each total of its tree, in lines: the total, and its parts."""
    for axis, tree in enumerate(trees):
        moved = np.moveaxis(table, axis, -1)
        for total, parts in tree.groups:
            yield axis, moved[..., [total, *parts]].reshape(-1, len(parts) + 1)


def _shape(trees: Sequence[Tree]) -> tuple[int, ...]:
    return tuple(len(tree.parents) for tree in trees)


def of_tables(trees: Sequence[Tree], tables: Sequence[Sequence[int]]) -> tuple[Whole, Relations]:
    """Return the relations of tables by some of the axes each, and the numbers of their entries among all sums.

    Parameters
    ----------
    trees : sequence of Tree
        The hierarchy of each axis.
    tables : sequence of sequence of int
        The axes of each table; what two of them share is one entry.

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
    """Return whether tables go round in a ring: then one table of all axes may not exist to each choice of gaps.

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
    """Return what the same sum is known by, in whatever order its parts stand."""
    return (row[0], *sorted(row[1:]))


def _between(trees: Sequence[Tree], axis: int) -> list[int]:
    """Return the sub-totals of the other axis at which sums along this one follow from those of their parts."""
    if len(trees) != 2 or len(trees[axis].groups) > 1:
        return []
    return [node for node, _ in trees[1 - axis].groups if trees[1 - axis].parents[node] != -1]


def with_margins(counts: ArrayLike, trees: Sequence[Tree] | None = None) -> Numbers:
    """Return cells with all their margins: the sum of each axis last, or each node of its hierarchy.

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
                f"Axis {axis} has {array.shape[axis]} categories and its hierarchy {collected.shape[1]} leaves."
            )
        array = np.moveaxis(np.tensordot(collected, array, axes=(1, axis)), 0, axis)
    return array


def above(contributions: Contributions, shape: Sequence[int], trees: Sequence[Tree]) -> Contributions:
    """Return contributions to cells as contributions to each entry that the cell is counted in.

    Parameters
    ----------
    contributions : Contributions
        To the places of a flattened table of this shape.
    trees : sequence of Tree
        The hierarchies; entries are numbered as in `with_margins(cells, trees).ravel()`.

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
        # As many ancestors as the deepest label has; -1 where a label has fewer.
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
