"""How variables, structures and plain graphs look in a JSON file."""

from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import networkx as nx

from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import part, require_mixed_hashes, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.strictjson import Json
from bnclass.structure.dag import Structure

# ---------------------------------------------------------------- variables


def _encode_variable(codec: Codec, variable: Variable) -> dict[str, Json]:
    cuts = variable.cuts
    with part(f"node {variable.name!r}"):
        return {
            "name": codec.encode(variable.name),
            "kind": variable.kind,
            "states": [_encode_state(codec, state) for state in variable.states],
            "source": codec.encode(variable.source),
            "cuts": None if cuts is None else [codec.encode(float(cut)) for cut in cuts],
            "fill": _encode_fill(variable),
        }


def _encode_fill(variable: Variable) -> Json:
    if variable.fill is None:
        return None
    return float(variable.fill) if variable.is_continuous else int(variable.fill)


def _encode_state(codec: Codec, state: Hashable) -> Json:
    with part("state"):
        if state != state:
            raise FileFormatError(f"found {state!r}, expected a value that equals itself")
        return codec.encode(state)


def _decode_variable(codec: Codec, data: dict[str, Json]) -> Variable:
    name = codec.decode(data["name"])
    with part(f"node {name!r}"):
        kind, cuts, fill = data["kind"], codec.decode(data["cuts"]), data["fill"]
        states = codec.decode_as(list, data["states"])
        require_mixed_hashes(states)
        number = float if kind == "continuous" else int
        variable = Variable(
            name,
            require_type(kind, str),
            tuple(states),
            codec.decode(data["source"]),
            None if cuts is None else _checked_cuts(require_type(cuts, list)),
            None if fill is None else require_type(fill, number),
        )
        hash(variable)  # raises where a name or a state is a list
        return variable


def _checked_cuts(cuts: list[Any]) -> tuple[float, ...]:
    for cut in cuts:
        require_type(cut, float)
    if not all(lower < upper for lower, upper in pairwise(cuts)):
        raise FileFormatError(f"found the cuts {cuts!r}, expected them to ascend")
    return tuple(cuts)


VARIABLE = Entry(
    "Variable",
    (Variable,),
    ("name", "kind", "states", "source", "cuts", "fill"),
    _encode_variable,
    _decode_variable,
)

# ---------------------------------------------------------------- structures

STRUCTURE_KEYS = ("nodes", "class_node", "joint_family", "arcs")


def encode_structure(codec: Codec, structure: Structure) -> dict[str, Json]:
    """Return a structure as JSON fields; arcs are [from, to] or [from, to, score].

    Parameters
    ----------
    codec : Codec
    structure : Structure

    Returns
    -------
    dict
        With the keys `STRUCTURE_KEYS`.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.parts import encode_structure
    >>> encode_structure(Codec(()), Structure.from_arcs("ab", {("a", "b"): 0.5}))["arcs"]
    [['a', 'b', 0.5]]
    """
    family = structure.joint_family
    scores = nx.get_edge_attributes(structure.graph, "score")
    arcs = [[*arc, scores[arc]] if arc in scores else [*arc] for arc in structure.arcs]
    return {
        "nodes": codec.encode(list(structure.nodes)),
        "class_node": codec.encode(structure.class_node),
        "joint_family": None if family is None else codec.encode(list(family)),
        "arcs": codec.encode(arcs),
    }


def decode_structure(codec: Codec, data: dict[str, Json]) -> Structure:
    """Return the structure of such fields.

    Parameters
    ----------
    codec : Codec
    data : dict
        Has the keys `STRUCTURE_KEYS`; others are not looked at.

    Returns
    -------
    Structure

    Raises
    ------
    BnclassError
        If they describe none.

    Examples
    --------
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.parts import decode_structure
    >>> fields = {"nodes": ["a"], "class_node": "a", "joint_family": None, "arcs": []}
    >>> decode_structure(Codec(()), fields)
    Structure(class_node='a', nodes=1, arcs=0)
    """
    nodes, family = codec.decode_as(list, data["nodes"]), codec.decode(data["joint_family"])
    require_mixed_hashes(nodes)
    if len(set(nodes)) != len(nodes):
        raise FileFormatError(f"found the nodes {shown(nodes)}, expected each once")
    arcs: dict[Any, float | None] = {}
    found = [_checked_arc(arc) for arc in codec.decode_as(list, data["arcs"])]
    require_mixed_hashes((u, v) for u, v, _ in found)
    for u, v, score in found:
        if (u, v) in arcs:
            raise FileFormatError(f"found the arc {u!r} -> {v!r} twice, expected it once")
        arcs[u, v] = score
    family = None if family is None else tuple(require_type(family, list))
    return Structure.from_arcs(nodes, arcs, codec.decode(data["class_node"]), family)


def _checked_arc(arc: Any) -> tuple[Hashable, Hashable, float | None]:
    items = require_type(arc, list)
    if len(items) not in (2, 3):
        raise FileFormatError(f"found the arc {arc!r}, expected [from, to] or [from, to, score]")
    return items[0], items[1], require_type(items[2], float) if len(items) == 3 else None


STRUCTURE = Entry("Structure", (Structure,), STRUCTURE_KEYS, encode_structure, decode_structure)


def _encode_graph(codec: Codec, graph: "nx.DiGraph[Hashable]") -> dict[str, Json]:
    return {
        "attributes": codec.encode(graph.graph),
        "nodes": codec.encode([list(item) for item in graph.nodes(data=True)]),
        "arcs": codec.encode([list(item) for item in graph.edges(data=True)]),
    }


def _decode_graph(codec: Codec, data: dict[str, Json]) -> "nx.DiGraph[Hashable]":
    graph: nx.DiGraph[Hashable] = nx.DiGraph()
    graph.graph.update(codec.decode_as(dict, data["attributes"]))
    nodes, arcs = (codec.decode_as(list, data[key]) for key in ("nodes", "arcs"))
    require_mixed_hashes(node for node, _ in nodes)
    for node, attributes in nodes:
        graph.add_node(node)
        graph.nodes[node].update(require_type(attributes, dict))
    for u, v, attributes in arcs:
        if u not in graph or v not in graph:
            raise FileFormatError(f"found an arc {u!r} -> {v!r}, but no such nodes")
        graph.add_edge(u, v)
        graph.edges[u, v].update(require_type(attributes, dict))
    return graph


GRAPH = Entry(
    "DiGraph", (nx.DiGraph,), ("attributes", "nodes", "arcs"), _encode_graph, _decode_graph
)
