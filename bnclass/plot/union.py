"""One layout for two networks, so that a node has the same place in both."""

from collections import Counter
from collections.abc import Hashable, Iterable

import networkx as nx

from bnclass.exceptions import BnclassError
from bnclass.plot.layout import Layout, Point, layered_layout
from bnclass.plot.paths import PORT_PITCH
from bnclass.structure.dag import Arc, Structure

# Where arcs end that run upwards, from the middle of the box, in widths of a box.
FIRST_END, FARTHEST_END = 0.18, 0.44


def nodes_of_both(left: Structure, right: Structure) -> tuple[Hashable, ...]:
    """Return the nodes of two networks: the left one's, then what the right one has besides.

    Parameters
    ----------
    left, right : Structure

    Returns
    -------
    tuple of node

    Raises
    ------
    BnclassError
        If they have no node in common.
    """
    if not set(left.nodes) & set(right.nodes):
        raise BnclassError(
            f"the networks have no node in common, expected nearly the same nodes; "
            f"found {list(left.nodes)!r} and {list(right.nodes)!r}"
        )
    return tuple(dict.fromkeys((*left.nodes, *right.nodes)))


def class_of_both(left: Structure, right: Structure) -> Hashable | None:
    """Return the class of two networks, of which one may have none.

    Parameters
    ----------
    left, right : Structure

    Returns
    -------
    hashable or None

    Raises
    ------
    BnclassError
        If they have different classes.
    """
    found = [s.class_node for s in (left, right) if s.class_node is not None]
    if len(set(found)) > 1:
        raise BnclassError(
            f"the networks have the classes {found[0]!r} and {found[1]!r}, expected the same"
        )
    return found[0] if found else None


def union_layout(left: Structure, right: Structure, row_gap: float) -> Layout:
    """Lay out the nodes and arcs of two networks together.

    Parameters
    ----------
    left, right : Structure
    row_gap : float
        As for `layered_layout`.

    Returns
    -------
    Layout
        Arcs of the left network run downwards; one of the right network that would close a
        cycle with those laid before it runs upwards.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.union import union_layout
    >>> left, right = (Structure.from_arcs("ab", [arc]) for arc in ("ab", "ba"))
    >>> layout = union_layout(left, right, 0.9)
    >>> down, up = layout.routes["a", "b"], layout.routes["b", "a"]
    >>> down[0][1] > down[-1][1], up[0] == down[-1]
    (True, True)
    """
    arcs = tuple(dict.fromkeys((*left.arcs, *right.arcs)))
    graph = _acyclic(nodes_of_both(left, right), arcs)
    upwards = [(u, v) for u, v in arcs if not graph.has_edge(u, v)]
    # One that is turned round between the two goes the same way in both.
    turned = {(v, u) for u, v in upwards if (v, u) not in arcs}
    structure = Structure(graph, class_of_both(left, right))
    layout = layered_layout(structure, row_gap=row_gap, turned=turned)
    routes = {**layout.routes, **_upward_routes(layout, upwards)}
    return Layout(layout.centres, {arc: routes[arc] for arc in arcs})


def _upward_routes(layout: Layout, arcs: Iterable[Arc]) -> dict[Arc, tuple[Point, ...]]:
    """Turn routes round, their ends beside the place from which the other node's arcs leave."""
    routes: dict[Arc, tuple[Point, ...]] = {}
    n_beside: Counter[tuple[Hashable, int]] = Counter()
    for u, v in arcs:
        *way, (x, y) = layout.routes[v, u][::-1]
        side = 1 if way[-1][0] > x else -1
        shift = min(FARTHEST_END, FIRST_END + PORT_PITCH * n_beside[v, side])
        n_beside[v, side] += 1
        routes[u, v] = (*way, (x + side * shift, y))
    return routes


def _acyclic(nodes: Iterable[Hashable], arcs: Iterable[Arc]) -> "nx.DiGraph[Hashable]":
    """Return the graph of some arcs, in order; those that close a cycle are turned round."""
    graph: nx.DiGraph[Hashable] = nx.DiGraph()
    graph.add_nodes_from(nodes)
    for u, v in arcs:
        graph.add_edge(*((v, u) if nx.has_path(graph, v, u) else (u, v)))
    return graph
