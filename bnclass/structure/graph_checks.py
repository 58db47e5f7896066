"""What a graph must be to become a structure."""

from collections.abc import Hashable, Iterable
from typing import Any

import networkx as nx

from bnclass.data.variables import is_missing_name
from bnclass.exceptions import StructureError


def bare_copy(graph: "nx.DiGraph[Hashable]") -> "nx.DiGraph[Hashable]":
    """Return nodes in order and arcs with their scores, and nothing else.

    Parameters
    ----------
    graph : networkx.DiGraph

    Returns
    -------
    networkx.DiGraph

    Raises
    ------
    StructureError
        If a score is no number.

    Examples
    --------
    >>> import networkx as nx
    >>> from bnclass.structure.graph_checks import bare_copy
    >>> graph = nx.DiGraph([("a", "b", {"score": 1, "colour": "red"})])
    >>> list(bare_copy(graph).edges(data=True))
    [('a', 'b', {'score': 1.0})]
    """
    bare: nx.DiGraph[Hashable] = nx.DiGraph()
    bare.add_nodes_from(graph)
    for u, v, data in graph.edges(data=True):
        bare.add_edge(u, v, **({"score": _number(data["score"], u, v)} if "score" in data else {}))
    return bare


def _number(score: Any, u: Hashable, v: Hashable) -> float:
    try:
        return float(score)
    except (TypeError, ValueError):
        raise StructureError(f"arc {u!r} -> {v!r}: score {score!r}, expected a number") from None


def require_acyclic(graph: "nx.DiGraph[Hashable]") -> None:
    """Raise if a graph is none, or has a cycle.

    Parameters
    ----------
    graph : networkx.DiGraph

    Raises
    ------
    StructureError
        Naming the nodes of a cycle.

    Examples
    --------
    >>> import networkx as nx
    >>> from bnclass.structure.graph_checks import require_acyclic
    >>> require_acyclic(nx.DiGraph(["ab", "bc"]))
    """
    if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
        raise StructureError(f"found a {type(graph).__name__}, expected a networkx.DiGraph")
    if not nx.is_directed_acyclic_graph(graph):
        nodes = _cycle(graph)
        cycle = " -> ".join(map(repr, [*nodes, nodes[0]]))
        raise StructureError(f"the graph has the cycle {cycle}, expected none")


def _cycle(graph: "nx.DiGraph[Hashable]") -> list[Hashable]:
    """Return the nodes of some cycle, in time that grows with the arcs.

    A walk against the arcs from any node of a strong component meets itself in there.
    """
    components = nx.strongly_connected_components(graph)
    inside = next(c for c in components if len(c) > 1 or graph.has_edge(*c, *c))
    node = next(node for node in graph if node in inside)
    walk: dict[Hashable, None] = {}
    while node not in walk:
        walk[node] = None
        node = next(parent for parent in graph.predecessors(node) if parent in inside)
    nodes = list(walk)
    return [node, *reversed(nodes[nodes.index(node) + 1 :])]


def require_names(nodes: Iterable[Hashable]) -> None:
    """Raise if a node has a missing value as its name.

    Parameters
    ----------
    nodes : iterable of hashable

    Raises
    ------
    StructureError

    Examples
    --------
    >>> from bnclass.structure.graph_checks import require_names
    >>> require_names(["a", 1, ("b", 2)])
    """
    for node in nodes:
        if is_missing_name(node):
            raise StructureError(f"found a node {node!r}, expected no missing value as a name")


def checked_joint_family(
    graph: "nx.DiGraph[Hashable]", class_node: Hashable | None, family: tuple[Hashable, Hashable]
) -> tuple[Hashable, Hashable]:
    """Return (class, superparent), known to be estimated together.

    Parameters
    ----------
    graph : networkx.DiGraph
    class_node : hashable or None
    family : pair of hashable

    Returns
    -------
    tuple of (hashable, hashable)

    Raises
    ------
    StructureError
        If they are not the class and an attribute with no other parent.

    Examples
    --------
    >>> import networkx as nx
    >>> from bnclass.structure.graph_checks import checked_joint_family
    >>> checked_joint_family(nx.DiGraph([("class", "a")]), "class", ("class", "a"))
    ('class', 'a')
    """
    if len(family) != 2 or family[0] != class_node or family[1] not in graph:
        raise StructureError(f"joint family {family!r}, expected (class, superparent)")
    target, superparent = family
    if list(graph.predecessors(superparent)) != [target] or graph.in_degree(target):
        raise StructureError(
            f"joint family {family!r}: {superparent!r} must have the class as its only parent, "
            f"and the class none"
        )
    return target, superparent
