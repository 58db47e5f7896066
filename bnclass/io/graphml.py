r"""GraphML, which graph libraries and drawing programs read.

Nodes are safe tokens. Readable attributes are "label", "kind" and "states" of nodes and
"score" of arcs; what `read_graphml` needs is JSON text in the attributes "variable" and
"factor" of nodes and "bnclass" of the graph, where nodes are called by their own names. As
JSON writes every unusual character by its number, no name or state can break the XML.
"""

import json
import os
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Hashable
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

import networkx as nx

from bnclass.classifiers.inspect import network_of
from bnclass.data.memory import require_memory
from bnclass.data.textfile import read_text
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError, FileFormatError
from bnclass.factors.base import Factor
from bnclass.io.checks import (
    part,
    require_keys,
    require_mixed_hashes,
    require_type,
    shown,
    whole_file,
)
from bnclass.io.codec import Codec
from bnclass.io.factors import CPD, decode_factor, encode_factor, with_parents_in_order
from bnclass.io.files import write_atomically
from bnclass.io.parts import VARIABLE
from bnclass.io.strictjson import Json, parse_json
from bnclass.io.tokens import safe_tokens
from bnclass.io.values import VALUES
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

FORMAT = 2
"""The format of the JSON texts, by the rule of `bnclass.io.json`.

Format 1 held tables only, as "table" of a node: their "parents" and "rows".
"""

_CODEC = Codec((*VALUES, VARIABLE))


def write_graphml(network: object, path: str | os.PathLike[str]) -> None:
    """Write a network to a GraphML file.

    Parameters
    ----------
    network : BayesianNetwork, or fitted classifier with one network
    path : str or path-like
        An existing file is replaced, all at once.

    Raises
    ------
    BnclassError
        If there is not exactly one network.
    FileFormatError
        If a factor is of no type of this package, a name or a state is of a type that JSON
        cannot hold, or the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc, networkx as nx
    >>> model = bc.NaiveBayes().fit(*bc.load_dataset("monks-1"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "monks.graphml")
    ...     bc.write_graphml(model, path)
    ...     nx.read_graphml(path).nodes["a3"]["states"]
    '["1", "2"]'
    """
    network = network_of(network)
    text = "\n".join(nx.generate_graphml(_annotated(network), prettyprint=True))
    write_atomically(path, text + "\n")


def _annotated(network: BayesianNetwork) -> "nx.DiGraph[str]":
    """Return a graph of its own, with tokens as nodes and all that the file is to hold."""
    tokens = dict(zip(network.factors, safe_tokens(network.factors), strict=True))
    graph: nx.DiGraph[str] = nx.DiGraph(bnclass=_text(_roles(network.structure)))
    for node, factor in network.factors.items():
        graph.add_node(tokens[node], **_attributes(factor))
    for u, v in network.structure.arcs:
        graph.add_edge(tokens[u], tokens[v], **network.graph.edges[u, v])
    return graph


def _text(data: Json) -> str:
    return json.dumps(data, allow_nan=False)


def _roles(structure: Structure) -> Json:
    family = structure.joint_family
    return {
        "format": FORMAT,
        "class_node": _CODEC.encode(structure.class_node),
        "joint_family": None if family is None else _CODEC.encode(list(family)),
    }


def _attributes(factor: Factor) -> dict[str, str]:
    variable = _CODEC.encode(factor.variable)
    return {
        "label": _printable(str(factor.variable.name)),
        "kind": factor.variable.kind,
        "states": _text(variable["states"]),
        "variable": _text(variable),
        "factor": _text(encode_factor(_CODEC, factor)),
    }


def _printable(text: str) -> str:
    """Return a text for display: what XML forbids or nobody sees becomes an escape."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def read_graphml(path: str | os.PathLike[str]) -> BayesianNetwork:
    """Read a network from a GraphML file that `write_graphml` has written.

    Parameters
    ----------
    path : str or path-like
        Another program may have written the file anew, with other names of nodes, other
        attributes besides, or a layout, as long as it kept the attributes.

    Returns
    -------
    BayesianNetwork
        Equal to what was written.

    Raises
    ------
    FileFormatError
        If the file cannot be read or describes no network; the message has file and node.
    MemoryLimitError
        If its text is larger than an eighth of what `set_max_memory` allows, or its elements
        would not fit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc
    >>> model = bc.TAN().fit(*bc.load_dataset("iris"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.graphml")
    ...     bc.write_graphml(model, path)
    ...     bc.read_graphml(path) == model.network_
    True
    """
    text = read_text(path)
    with whole_file(path):
        return _network(_parsed(text))


_CELLS_AN_ELEMENT = 150  # what an element takes while networkx reads it, measured


def _require_harmless(text: str) -> None:
    """Refuse what would keep networkx busy for long: entities, and graphs that are not ours."""
    found: Counter[str] = Counter()

    def count(name: str, _: object) -> None:
        found[name.rpartition(" ")[2]] += 1

    parser = ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = count
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.Parse(text, True)
    require_memory(_CELLS_AN_ELEMENT * found.total(), "the elements of the file")
    if found["data"] < 2 * found["node"]:
        raise FileFormatError(
            f"found {found['data']} data in {found['node']} nodes, expected two in every node"
        )


def _refuse_doctype(*_: object) -> None:
    raise FileFormatError("found a document type, expected none: it could define entities")


def _parsed(text: str) -> Any:
    try:
        _require_harmless(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of attributes without a type, which are text
            graph = nx.parse_graphml(text)
    except (ExpatError, ET.ParseError) as error:
        raise FileFormatError(f"no XML ({error})") from None
    except BnclassError:
        raise
    except (nx.NetworkXException, LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileFormatError(f"no GraphML ({error})") from None
    if type(graph) is not nx.DiGraph:
        raise FileFormatError(f"found a {type(graph).__name__}, expected a directed graph")
    return graph


def _network(graph: "nx.DiGraph[str]") -> BayesianNetwork:
    roles = _json(graph.graph, "bnclass")
    require_keys(roles, ("format", "class_node", "joint_family"))
    number = roles["format"]
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise FileFormatError(f"found the format {shown(number)}, expected 1 to {FORMAT}")
    variables = {node: _variable(node, graph.nodes[node]) for node in graph}
    if number == 1:
        graph = _from_1_to_2(graph, variables)
    structure = _structure(graph, variables, roles)
    by_name = {variable.name: variable for variable in variables.values()}
    factors = [_factor(variables[node], graph.nodes[node], by_name) for node in graph]
    ordered = [with_parents_in_order(f, structure.parents(f.variable.name)) for f in factors]
    return BayesianNetwork(structure, ordered)


def _json(attributes: dict[str, Any], key: str) -> Json:
    if key not in attributes:
        raise FileFormatError(f"found no attribute {key!r}, expected a file of write_graphml")
    with part(f"attribute {key!r}"):
        return parse_json(str(attributes[key]))


def _variable(node: str, attributes: dict[str, Any]) -> Variable:
    with part(f"node {node!r}"):
        variable: Variable = _CODEC.decode_as(Variable, _json(attributes, "variable"))
        return variable


def _structure(graph: "nx.DiGraph[str]", variables: dict[str, Variable], roles: Json) -> Structure:
    names = [variable.name for variable in variables.values()]
    require_mixed_hashes(names)
    if len(set(names)) != len(names):
        raise FileFormatError(f"found the names {shown(names)}, expected each once")
    arcs = {
        (variables[u].name, variables[v].name): data.get("score")
        for u, v, data in graph.edges(data=True)
    }
    family = _CODEC.decode(roles["joint_family"])
    family = None if family is None else tuple(require_type(family, list))
    return Structure.from_arcs(names, arcs, _CODEC.decode(roles["class_node"]), family)


def _from_1_to_2(graph: "nx.DiGraph[str]", variables: dict[str, Variable]) -> "nx.DiGraph[str]":
    """Return a graph of format 2, which has a "factor" for the "table" of every node."""
    upgraded = graph.copy()
    for node, variable in variables.items():
        with part(f"node {variable.name!r}"):
            table = _json(graph.nodes[node], "table")
            require_keys(table, ("parents", "rows"))
        factor = {
            "type": "CategoricalCPD",
            "node": _CODEC.encode(variable.name),
            "parents": table["parents"],
            "table": table["rows"],
        }
        upgraded.nodes[node]["factor"] = _text(factor)
    return upgraded


def _factor(
    variable: Variable, attributes: dict[str, Any], variables: dict[Hashable, Variable]
) -> CPD:
    with part(f"node {variable.name!r}"):
        return decode_factor(_CODEC, variables, _json(attributes, "factor"))
