"""`Structure`: a validated, frozen graph that knows which node is the class."""

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any

import networkx as nx

from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError
from bnclass.structure.graph_checks import (
    bare_copy,
    checked_joint_family,
    require_acyclic,
    require_names,
)

Arc = tuple[Hashable, Hashable]


class Structure:
    """A directed acyclic graph over named nodes, one of which may be the class.

    A structure never changes: `with_edge` and `without_edge` return a new one.

    Parameters
    ----------
    graph : networkx.DiGraph
        Copied. The order of its nodes is the order of the columns. Arcs may carry a
        number "score"; other attributes are not taken over.
    class_node : hashable, optional
        ``None`` for a network without a class.
    joint_family : tuple of two nodes, optional
        (class, superparent) if their two tables are estimated together, as in SPODE.

    Attributes
    ----------
    graph : networkx.DiGraph
        Frozen.
    class_node : hashable or None
    joint_family : tuple or None

    Raises
    ------
    StructureError
        If the graph is undirected or has a cycle, a node's name is missing, the class is not
        one of its nodes, or a score is no number.

    Examples
    --------
    >>> import networkx as nx
    >>> from bnclass import Structure
    >>> structure = Structure(nx.DiGraph([("class", "a"), ("class", "b")]), "class")
    >>> structure.with_edge("a", "b").parents("b")
    ('class', 'a')
    """

    graph: "nx.DiGraph[Hashable]"
    class_node: Hashable | None
    joint_family: Arc | None
    _places: dict[Hashable, int]
    _parents: dict[Hashable, tuple[Hashable, ...]]

    def __init__(
        self,
        graph: "nx.DiGraph[Hashable]",
        class_node: Hashable | None = None,
        joint_family: Arc | None = None,
    ) -> None:
        require_acyclic(graph)
        require_names(graph)
        if class_node is not None and class_node not in graph:
            raise StructureError(
                f"class node {class_node!r} is not in the graph, found {list(graph)!r}"
            )
        if joint_family is not None:
            joint_family = checked_joint_family(graph, class_node, joint_family)
        set_once = object.__setattr__
        set_once(self, "graph", nx.freeze(bare_copy(graph)))
        set_once(self, "class_node", class_node)
        set_once(self, "joint_family", joint_family)
        set_once(self, "_places", {node: i for i, node in enumerate(self.graph)})
        set_once(self, "_parents", {node: self._ordered_parents(node) for node in self.graph})

    @classmethod
    def from_arcs(
        cls,
        nodes: Iterable[Hashable],
        arcs: Mapping[Arc, float | None] | Iterable[Arc],
        class_node: Hashable | None = None,
        joint_family: Arc | None = None,
    ) -> "Structure":
        """Build a structure from nodes in column order and arcs.

        Parameters
        ----------
        nodes : iterable of hashable
        arcs : iterable of (from, to), or mapping of (from, to) to score
        class_node, joint_family
            As for the class.

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If a node's name is missing, an arc names a node that is not there, or the arcs
            form a cycle.

        Examples
        --------
        >>> from bnclass import Structure
        >>> Structure.from_arcs(["class", "a"], [("class", "a")], "class")
        Structure(class_node='class', nodes=2, arcs=1)
        """
        nodes = list(nodes)
        require_names(nodes)
        graph: nx.DiGraph[Hashable] = nx.DiGraph()
        graph.add_nodes_from(nodes)
        for u, v in arcs:
            for node in (u, v):
                if node not in graph:
                    raise StructureError(
                        f"arc {u!r} -> {v!r}: no node {node!r}, expected one of {list(graph)!r}"
                    )
            score = arcs[u, v] if isinstance(arcs, Mapping) else None
            graph.add_edge(u, v, **({} if score is None else {"score": score}))
        return cls(graph, class_node, joint_family)

    @classmethod
    def from_graph(
        cls,
        graph: "nx.DiGraph[Hashable]",
        schema: Schema,
        joint_family: Arc | None = None,
    ) -> "Structure":
        """Take over a user's graph, its nodes brought into the order of the columns.

        Parameters
        ----------
        graph : networkx.DiGraph
            Nodes are attributes of the schema and, normally, its class.
        schema : Schema
        joint_family : tuple of two nodes, optional
            As for the class.

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If a node is not in the schema, the graph is not acyclic, or a discrete node has a
            continuous parent.

        Examples
        --------
        >>> import networkx as nx
        >>> from bnclass import Schema, Structure, Variable
        >>> a, b, y = (Variable(n, states=(0, 1)) for n in ("a", "b", "class"))
        >>> graph = nx.DiGraph([("b", "a"), ("class", "b"), ("class", "a")])
        >>> Structure.from_graph(graph, Schema((a, b), y)).nodes
        ('class', 'a', 'b')
        """
        require_acyclic(graph)
        unknown = [node for node in graph if node not in schema]
        if unknown:
            raise StructureError(
                f"nodes {unknown!r} are no columns, expected some of {[v.name for v in schema]!r}"
            )
        ordered: nx.DiGraph[Hashable] = nx.DiGraph()
        ordered.add_nodes_from(v.name for v in schema if v.name in graph)
        ordered.add_edges_from(graph.edges(data=True))
        target = schema.target.name
        structure = cls(ordered, target if target in graph else None, joint_family)
        require_discrete_parents(structure, schema)
        return structure

    @cached_property
    def nodes(self) -> tuple[Hashable, ...]:
        """All nodes, in the order of the columns."""
        return tuple(self.graph)

    @cached_property
    def attributes(self) -> tuple[Hashable, ...]:
        """All nodes but the class, in the order of the columns."""
        return tuple(node for node in self.graph if node != self.class_node)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """All arcs (from, to): by child in node order, then by parent."""
        return tuple((parent, node) for node in self.graph for parent in self.parents(node))

    @cached_property
    def topological_order(self) -> tuple[Hashable, ...]:
        """Nodes with parents before children, in node order where that leaves a choice."""
        return tuple(nx.lexicographical_topological_sort(self.graph, key=self._place))

    def parents(self, node: Hashable) -> tuple[Hashable, ...]:
        """Return the parents of a node: the class first, then in node order.

        Parameters
        ----------
        node : hashable

        Returns
        -------
        tuple

        Raises
        ------
        StructureError
            If there is no such node.
        """
        self._require(node)
        return self._parents[node]

    def family(self, node: Hashable) -> tuple[Hashable, ...]:
        """Return (node, *parents).

        Parameters
        ----------
        node : hashable

        Returns
        -------
        tuple
        """
        return (node, *self.parents(node))

    def markov_blanket(self, node: Hashable) -> set[Hashable]:
        """Return the parents, the children and the children's other parents of a node.

        Parameters
        ----------
        node : hashable

        Returns
        -------
        set
        """
        self._require(node)
        children = set(self.graph.successors(node))
        spouses = {p for child in children for p in self.graph.predecessors(child)}
        return (set(self.graph.predecessors(node)) | children | spouses) - {node}

    def with_ancestors(self, nodes: Iterable[Hashable]) -> set[Hashable]:
        """Return some nodes and all their ancestors.

        Parameters
        ----------
        nodes : iterable of hashable

        Returns
        -------
        set

        Raises
        ------
        StructureError
            If there is no such node.

        Examples
        --------
        >>> from bnclass import Structure
        >>> structure = Structure.from_arcs("abcd", [("a", "b"), ("b", "c"), ("c", "d")])
        >>> sorted(structure.with_ancestors(["c"]))
        ['a', 'b', 'c']
        """
        found = set(nodes)
        pending = list(found)
        while pending:
            above = [p for p in self.parents(pending.pop()) if p not in found]
            found.update(above)
            pending.extend(above)
        return found

    def with_edge(self, u: Hashable, v: Hashable) -> "Structure":
        """Return the structure with one more arc u -> v.

        The tag `joint_family` is kept while it applies: an arc into the class or the
        superparent ends it.

        Parameters
        ----------
        u, v : hashable

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If a node is unknown, the arc is there already, or it would close a cycle.
        """
        self._require(u)
        self._require(v)
        if self.graph.has_edge(u, v):
            raise StructureError(f"arc {u!r} -> {v!r} is in the structure already")
        graph = self.to_networkx()
        graph.add_edge(u, v)
        return self._edited(graph, v)

    def without_edge(self, u: Hashable, v: Hashable) -> "Structure":
        """Return the structure without the arc u -> v.

        Parameters
        ----------
        u, v : hashable

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If there is no such arc.
        """
        if not self.graph.has_edge(u, v):
            raise StructureError(f"no arc {u!r} -> {v!r} in the structure, found {self.arcs!r}")
        graph = self.to_networkx()
        graph.remove_edge(u, v)
        return self._edited(graph, v)

    def _edited(self, graph: "nx.DiGraph[Hashable]", changed: Hashable) -> "Structure":
        kept = self.joint_family if changed not in (self.joint_family or ()) else None
        return Structure(graph, self.class_node, kept)

    def to_networkx(self) -> "nx.DiGraph[Hashable]":
        """Return an editable copy of the graph.

        Returns
        -------
        networkx.DiGraph
        """
        return self.graph.copy()

    def _place(self, node: Hashable) -> int:
        return self._places[node]

    def _ordered_parents(self, node: Hashable) -> tuple[Hashable, ...]:
        found = self.graph.predecessors(node)
        return tuple(sorted(found, key=lambda p: (p != self.class_node, self._place(p))))

    def _require(self, node: Hashable) -> None:
        if node not in self.graph:
            raise StructureError(f"no node {node!r}, expected one of {self.nodes!r}")

    def __eq__(self, other: object) -> bool:
        """Two are equal if nodes, arcs, class and joint family are, whatever the scores."""
        return isinstance(other, Structure) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        arcs = frozenset(self.graph.edges)
        return frozenset(self.graph), arcs, self.class_node, self.joint_family

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Structure never changes; cannot set {name!r}")

    def __repr__(self) -> str:
        n_nodes, n_arcs = self.graph.number_of_nodes(), self.graph.number_of_edges()
        return f"Structure(class_node={self.class_node!r}, nodes={n_nodes}, arcs={n_arcs})"


def require_discrete_parents(structure: Structure, schema: Schema) -> None:
    """Raise if a discrete node has a continuous parent: conditional linear Gaussians have none.

    Parameters
    ----------
    structure : Structure
    schema : Schema

    Raises
    ------
    StructureError
        Naming the arcs.

    Examples
    --------
    >>> from bnclass import Schema, Structure, Variable
    >>> from bnclass.structure.dag import require_discrete_parents
    >>> n, y = Variable("n", "continuous"), Variable("class", states=(0, 1))
    >>> drawn = Structure.from_arcs(["class", "n"], [("class", "n")], "class")
    >>> require_discrete_parents(drawn, Schema((n,), y))
    """
    wrong = [
        f"{u!r} -> {v!r}"
        for u, v in structure.arcs
        if schema[u].is_continuous and not schema[v].is_continuous
    ]
    if wrong:
        raise StructureError(
            f"arcs {', '.join(wrong)}: a discrete node with a continuous parent, expected none; "
            f"turn them round or discretise the parent (continuous='mdl')"
        )
