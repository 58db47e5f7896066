"""Attributes in rows by depth, and the bends that lead long arcs past the rows between."""

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt

import networkx as nx

from bnclass.structure.dag import Arc, Structure

# A row holds at least this many boxes before a layer is wrapped ...
NARROWEST_LIMIT = 7
# ... and this many times the root of their number, which gives a page about 2:1.
WIDTH_PER_ROOT = 1.3


@dataclass(frozen=True)
class Grid:
    """Items in rows, linked from one row to the next.

    An item is a number: first the attributes in column order, then the bends. All arcs
    of one parent share its bends, so that a line has one origin however far it runs.

    Attributes
    ----------
    nodes : tuple of hashable
        The attribute of each item below ``len(nodes)``.
    rows : list of list of int
        Top to bottom, each left to right.
    above, below : list of list of int
        The items each item is linked to in the row above and the row below.
    bends : dict of arc to tuple of int
        The items an arc passes between its ends; empty between neighbouring rows.
    """

    nodes: tuple[Hashable, ...]
    rows: list[list[int]]
    above: list[list[int]]
    below: list[list[int]]
    bends: dict[Arc, tuple[int, ...]]

    def is_bend(self, item: int) -> bool:
        """Return whether an item is a bend, not a node.

        Parameters
        ----------
        item : int

        Returns
        -------
        bool
        """
        return item >= len(self.nodes)


def attribute_rows(structure: Structure) -> list[list[Hashable]]:
    """Place every attribute in a row below all its attribute parents.

    Parameters
    ----------
    structure : Structure

    Returns
    -------
    list of list of hashable
        Layers by the longest path from a root; a layer too wide for the page takes
        several rows, its leaves first. Leaves stand in column order; what leads on to
        many others stands in the middle, so that the page is filled to both sides.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.grid import attribute_rows
    >>> arcs = [("class", "a"), ("a", "b"), ("b", "c"), ("a", "c")]
    >>> attribute_rows(Structure.from_arcs(["class", "c", "b", "a"], arcs, "class"))
    [['a'], ['b'], ['c']]
    """
    depth, n_below = _depths(structure), _descendants(structure)
    limit = max(NARROWEST_LIMIT, ceil(WIDTH_PER_ROOT * sqrt(len(depth))))
    rows: list[list[Hashable]] = []
    for level in range(1 + max(depth.values(), default=-1)):
        layer = [node for node in structure.attributes if depth[node] == level]
        layer.sort(key=lambda node: n_below[node] > 0)
        rows.extend(_peaked(row, n_below) for row in _wrapped(layer, limit))
    return rows


def build_grid(structure: Structure, turned: Collection[Arc] = ()) -> Grid:
    """Return the rows of a structure, with a bend wherever an arc passes a row.

    Parameters
    ----------
    structure : Structure
    turned : collection of arc, default=()
        Arcs that will be drawn from child to parent: each has bends of its own.

    Returns
    -------
    Grid
        Rows as of `attribute_rows`, bends in their middle.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.grid import build_grid
    >>> grid = build_grid(Structure.from_arcs("abc", [("a", "b"), ("b", "c"), ("a", "c")]))
    >>> grid.rows, grid.bends["a", "c"]
    ([[0], [3, 1], [2]], (3,))
    """
    nodes = structure.attributes
    number = {node: i for i, node in enumerate(nodes)}
    rows = [[number[node] for node in row] for row in attribute_rows(structure)]
    grid = Grid(nodes, rows, [[] for _ in nodes], [[] for _ in nodes], {})
    row_of = {item: r for r, row in enumerate(rows) for item in row}
    shared: dict[tuple[Hashable, int], int] = {}
    for u, v in structure.arcs:
        if structure.class_node not in (u, v) or structure.class_node is None:
            parent, child = number[u], number[v]
            passed = range(row_of[parent] + 1, row_of[child])
            sharing = (u, v) if (u, v) in turned else parent
            grid.bends[u, v] = _lead(grid, parent, child, passed, shared, sharing)
    return grid


def _lead(
    grid: Grid,
    parent: int,
    child: int,
    passed: range,
    shared: dict[tuple[Hashable, int], int],
    sharing: Hashable,
) -> tuple[int, ...]:
    """Link parent to child through one bend in each row passed, made when first needed.

    The arcs of one `sharing` have their bends in common.
    """
    path = []
    last = parent
    for r in passed:
        if (sharing, r) not in shared:
            shared[sharing, r] = len(grid.above)
            grid.above.append([last])
            grid.below.append([])
            grid.below[last].append(shared[sharing, r])
            grid.rows[r].insert(len(grid.rows[r]) // 2, shared[sharing, r])
        last = shared[sharing, r]
        path.append(last)
    grid.below[last].append(child)
    grid.above[child].append(last)
    return tuple(path)


def _depths(structure: Structure) -> dict[Hashable, int]:
    """Length of the longest path of attribute arcs to each attribute."""
    depth: dict[Hashable, int] = {}
    for node in structure.topological_order:
        if node != structure.class_node or structure.class_node is None:
            above = (depth[p] for p in structure.parents(node) if p in depth)
            depth[node] = 1 + max(above, default=-1)
    return depth


def _descendants(structure: Structure) -> dict[Hashable, int]:
    """Count what lies below each attribute."""
    return {node: len(nx.descendants(structure.graph, node)) for node in structure.attributes}


def _peaked(row: list[Hashable], n_below: dict[Hashable, int]) -> list[Hashable]:
    """Order a row: leaves outside, then rising to the middle from both sides."""
    leaves = [node for node in row if not n_below[node]]
    rising = sorted((node for node in row if n_below[node]), key=lambda node: n_below[node])
    half = len(leaves) // 2
    return [*leaves[:half], *rising[::2], *rising[1::2][::-1], *leaves[half:]]


def _wrapped(layer: list[Hashable], limit: int) -> list[list[Hashable]]:
    """Cut a layer into rows of nearly equal length, none longer than the limit."""
    n_rows = ceil(len(layer) / limit)
    cuts = [ceil(i * len(layer) / n_rows) for i in range(n_rows + 1)]
    return [layer[a:b] for a, b in pairwise(cuts)]
