"""Bounds of unknowns that occur in exactly two sums, by maximum flows in a network.

Such unknowns are the arcs of a network, and the sums are its nodes. Each cell of a two-way table is an arc
between its row and
its column. To raise a cell by one, one unit flows along its arc and returns on other arcs. The greatest
possible change is
therefore a maximum flow: it is a whole number, and faster to compute than a linear program.

References: Kelly, Golden and Assad 1992; Castro 2007, A shortest-paths heuristic for statistical data protection.
"""

from __future__ import annotations

import numpy as np

from ._arrays import Flags, Floats, Sparse, Whole

__all__ = ["MOST", "Network"]


#: Maximum capacity of an arc: capacities are 32-bit integers, and a residual capacity is the sum of two.
MOST = 2**30 - 1

#: Maximum number of nodes of a small network. For them, the set-up of SciPy's maximum flow takes most of its time.
SMALL = 24


class Network:
    """Network to compute how far each unknown can rise and fall from a solution, given limits of the others.

    Parameters
    ----------
    tails : ndarray of int
        The node that the arc of each unknown leaves; at most one arc joins a pair of nodes.
    heads : ndarray of int
        The node that the arc of each unknown enters.
    """

    def __init__(self, tails: Whole, heads: Whole) -> None:
        from scipy import sparse

        self.tails, self.heads = tails, heads
        self.nodes = int(max(tails.max(initial=-1), heads.max(initial=-1))) + 1
        ends, every = np.full(self.nodes, self.nodes), np.arange(self.nodes)
        rows = np.concatenate([tails, heads, ends, every])
        columns = np.concatenate([heads, tails, every, ends])
        size = (self.nodes + 1,) * 2
        order = sparse.csr_array((np.arange(len(rows)) + 1, (rows, columns)), shape=size)
        order.sort_indices()
        position = np.empty(len(rows), dtype=np.int64)
        position[order.data - 1] = np.arange(len(rows))
        #: Positions in `data` of each arc upwards, each arc downwards and the entrance of each node.
        self._up, self._down, self._entrance, leave = np.split(
            position, np.cumsum([len(tails), len(tails), self.nodes])
        )
        self._reverse = np.empty(len(rows), dtype=np.int64)
        self._reverse[self._up], self._reverse[self._down] = self._down, self._up
        self._reverse[self._entrance], self._reverse[leave] = leave, self._entrance
        self._owner = np.empty(len(rows), dtype=np.int64)
        self._owner[self._up] = self._owner[self._down] = np.arange(len(tails))
        self._graph = sparse.csr_array(
            (
                np.zeros(len(rows), dtype=np.int32),
                order.indices.astype(np.int32),
                order.indptr.astype(np.int32),
            ),
            shape=size,
        )

    @classmethod
    def of(cls, matrix: Sparse) -> Network | None:
        """Return the network of a matrix of sums, or None if the matrix does not describe a network."""
        from scipy import sparse
        from scipy.sparse import csgraph

        columns = matrix.tocsc()
        columns.sum_duplicates()
        if not columns.shape[1] or np.any(np.diff(columns.indptr) != 2) or np.any(abs(columns.data) != 1):
            return None
        ends, signs = columns.indices.reshape(-1, 2), columns.data.reshape(-1, 2)
        # The sign of a sum can be reversed, so that each unknown leaves one node and enters another. Node r
        # is the sum
        # with its sign, node r + rows the sum with the reversed sign; an unknown in two sums links their
        # signs.
        rows = matrix.shape[0]
        same = signs[:, 0] != signs[:, 1]
        plain = np.concatenate([ends[:, 0], ends[:, 0] + rows])
        other = np.concatenate([ends[:, 1] + rows * ~same, ends[:, 1] + rows * same])
        ties = sparse.csr_array((np.ones(len(plain)), (plain, other)), shape=(2 * rows,) * 2)
        _, label = csgraph.connected_components(ties, directed=False)
        if np.any(label[:rows] == label[rows:]):
            return None
        leaves = (signs[:, 0] > 0) == (label[:rows] < label[rows:])[ends[:, 0]]
        tails, heads = np.where(leaves, ends[:, 0], ends[:, 1]), np.where(leaves, ends[:, 1], ends[:, 0])
        pairs = np.minimum(tails, heads) * rows + np.maximum(tails, heads)
        if len(np.unique(pairs)) < len(pairs):
            return None
        return cls(tails.astype(np.int64), heads.astype(np.int64))

    def allow(self, up: Floats, down: Floats) -> None:
        """Set how far each unknown may rise and fall: whole numbers, at most `MOST`."""
        data = self._graph.data
        data[:] = 0
        data[self._up], data[self._down] = np.minimum(up, MOST), np.minimum(down, MOST)

    def open(self, arcs: Whole, up: Floats, down: Floats) -> None:
        """Set how far these unknowns may rise and fall, in addition to those already set."""
        self._graph.data[self._up[arcs]] = np.minimum(up, MOST)
        self._graph.data[self._down[arcs]] = np.minimum(down, MOST)

    def push(self, arc: int, sign: int, limit: float = MOST) -> tuple[float, Floats]:
        """Return how far an unknown can rise (sign 1) or fall (-1) up to a limit, and the changes of all."""
        from scipy.sparse import csgraph

        data, own = self._graph.data, [self._up[arc], self._down[arc]]
        start, end = (self.heads, self.tails) if sign > 0 else (self.tails, self.heads)
        capacities = data[own].copy()
        most = min(int(capacities[0 if sign > 0 else 1]), int(min(limit, MOST)))
        data[own] = 0
        data[self._entrance[start[arc]]] = most
        if self.nodes <= SMALL:
            value, flows = self._small_flow(int(end[arc]))
        else:
            flow = csgraph.maximum_flow(self._graph, self.nodes, int(end[arc]))
            value, flows = int(flow.flow_value), flow.flow.data
        data[self._entrance[start[arc]]] = 0
        data[own] = capacities
        change = flows[self._up].astype(np.float64)
        change[arc] = sign * value
        return float(value), change

    def _small_flow(self, sink: int) -> tuple[int, Whole]:
        """Return the maximum flow to a node and the flow of each arc, as SciPy's algorithm of Dinic finds it."""
        heads, first = self._graph.indices.tolist(), self._graph.indptr.tolist()
        reverse, rest = self._reverse.tolist(), self._graph.data.tolist()
        before, value = np.array(rest), 0
        while True:
            levels = [-1] * (self.nodes + 1)
            levels[self.nodes] = 0
            queue = [self.nodes]
            for node in queue:
                for edge in range(first[node], first[node + 1]):
                    if rest[edge] > 0 and levels[heads[edge]] < 0:
                        levels[heads[edge]] = levels[node] + 1
                        queue.append(heads[edge])
            if levels[sink] < 0:
                return value, before - np.array(rest)
            progress, path, node = first[:-1], list[int](), self.nodes
            while True:
                if node == sink:
                    amount = min(rest[edge] for edge in path)
                    for edge in path:
                        rest[edge] -= amount
                        rest[reverse[edge]] += amount
                    value += amount
                    path, node = [], self.nodes
                elif progress[node] == first[node + 1]:
                    if not path:
                        break
                    # The last arc of the path ends in a node without a way to the sink.
                    node = heads[reverse[path.pop()]]
                    progress[node] += 1
                else:
                    edge = progress[node]
                    if rest[edge] > 0 and levels[heads[edge]] == levels[node] + 1:
                        path.append(edge)
                        node = heads[edge]
                    else:
                        progress[node] += 1

    def way(self, arc: int, sign: int, room: tuple[Flags, Flags], costs: Floats) -> tuple[float, Whole]:
        """Return the cost of the cheapest return path for one unit, and the unknowns on the path.

        Parameters
        ----------
        arc : int
            The unknown that changes.
        sign : int
            1 if the unknown rises, -1 if it falls.
        room : pair of ndarray of bool
            Masks of the other unknowns that can rise and that can fall.
        costs : ndarray
            Cost of changing each unknown, above 0.

        Returns
        -------
        tuple
            (inf, empty array) if there is no path.
        """
        from scipy import sparse
        from scipy.sparse import csgraph

        start, end = (self.heads, self.tails) if sign > 0 else (self.tails, self.heads)
        shape, indices, indptr = self._graph.shape, self._graph.indices, self._graph.indptr
        lengths = np.full(len(indices), np.inf)
        lengths[self._up], lengths[self._down] = (np.where(side, costs, np.inf) for side in room)
        lengths[[self._up[arc], self._down[arc]]] = np.inf
        graph = sparse.csr_array((lengths, indices, indptr), shape=shape)
        far, before = csgraph.dijkstra(graph, indices=int(start[arc]), return_predecessors=True)
        node = int(end[arc])
        if not np.isfinite(far[node]):
            return np.inf, np.empty(0, dtype=np.int64)
        steps = []
        while node != start[arc]:
            last = int(before[node])
            first, stop = indptr[last], indptr[last + 1]
            steps.append(self._owner[first + np.searchsorted(indices[first:stop], node)])
            node = last
        return float(far[end[arc]]), np.asarray(steps, dtype=np.int64)
