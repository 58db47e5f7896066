"""Random networks with odd names, states and numbers, and how two networks are compared."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st

from bnclass.data.variables import Variable
from bnclass.factors.categorical import CategoricalCPD
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

ODD_STATES = [
    "(-inf, 0.5]",
    "1,999",
    "a b",
    "a{b}",
    "c;d",
    "x//y",
    'say "q"',
    "it's",
    "",
    "é",
    "日本",
    "<5",
    ">=5",
    "a|b",
    "0.5",
    "-1",
    "table",
]
"""States that broke other writers."""

ODD_NAMES = ["col one", "x,y", "1", "é", "probability"]
"""Names that broke other writers."""

HOSTILE = [
    "*/ /*",
    "\\",
    "\n",
    "\r\n",
    "\x00\x01\x1f",
    "\x85\u2028",
    "\ufffe",
    "😀",
    " ",
    "}\n",
    "]]>",
    "<!--",
    "&amp;",
    "</node>",
    "// bnclass network",
    "vegetable1",
    "default0.5",
    "Variable",
    "NETWORK",
    "property",
    "type",
    "discrete",
    "a_2",
    "A",
    "a",
    "\u0130",
]

_scalars = st.one_of(
    st.sampled_from(ODD_STATES + ODD_NAMES + HOSTILE),
    st.text(max_size=6),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
)
names = _scalars | st.tuples(_scalars, _scalars)
states = names | st.none()
_weights = st.sampled_from([0.0, 5e-324, 1e-300, 1e-12, 1 / 3, 0.1 + 0.2, 1.0, 7.0])
_numbers = _weights | st.floats(0, 1e6)


@st.composite
def variables(draw, name, max_states=4):
    domain = draw(st.lists(states, min_size=1, max_size=max_states, unique=True))
    cuts = draw(st.none() | st.lists(st.floats(-9, 9), max_size=len(domain) - 1, unique=True))
    return Variable(
        name,
        states=tuple(domain),
        source=draw(st.none() | names),
        cuts=None if cuts is None else tuple(sorted(cuts)),
        fill=draw(st.none() | st.integers(0, len(domain) - 1)),
    )


@st.composite
def tables(draw, shape):
    rows = []
    for _ in range(math.prod(shape[:-1])):
        row = np.array(draw(st.lists(_numbers, min_size=shape[-1], max_size=shape[-1])))
        total = row.sum()
        rows.append(row / total if total > 1e-290 else np.full(shape[-1], 1 / shape[-1]))
    return np.array(rows).reshape(shape)


@st.composite
def structures(draw, nodes):
    """Draw arcs with and without scores on some of the pairs, in a drawn direction."""
    direction = draw(st.permutations(nodes))
    scores = st.none() | st.floats(allow_nan=False)
    pairs = [pair for pair in itertools.combinations(direction, 2) if draw(st.booleans())]
    arcs = {pair: draw(scores) for pair in pairs}
    target = draw(st.none() | st.sampled_from(nodes))
    plain = Structure.from_arcs(nodes, arcs, target)
    partners = [
        node
        for node in nodes
        if target is not None and plain.parents(node) == (target,) and not plain.parents(target)
    ]
    if partners and draw(st.booleans()):
        return Structure.from_arcs(nodes, arcs, target, (target, draw(st.sampled_from(partners))))
    return plain


@st.composite
def networks(draw, max_nodes=5, max_states=4):
    nodes = draw(st.lists(names, min_size=1, max_size=max_nodes, unique=True))
    structure = draw(structures(nodes))
    domain = {node: draw(variables(node, max_states)) for node in nodes}
    cpds = []
    for node in nodes:
        parents = tuple(domain[p] for p in structure.parents(node))
        shape = tuple(v.card for v in (*parents, domain[node]))
        cpds.append(CategoricalCPD(domain[node], parents, draw(tables(shape))))
    return BayesianNetwork(structure, cpds)


def naive_bayes(class_states, **attributes):
    """Return a network of a class and attributes given by their states, with plain tables."""
    target = Variable("y", states=tuple(class_states))
    domain = [Variable(name, states=tuple(values)) for name, values in attributes.items()]
    structure = Structure.from_arcs(
        ["y", *attributes], {("y", name): 0.5 for name in attributes}, "y"
    )
    return BayesianNetwork(structure, [_plain(target), *(_plain(v, target) for v in domain)])


def _plain(variable, *parents):
    shape = tuple(v.card for v in (*parents, variable))
    table = np.arange(1.0, 1 + math.prod(shape)).reshape(shape)
    return CategoricalCPD(variable, parents, table / table.sum(axis=-1, keepdims=True))


def details(network):
    """Return all that a network is, so that even 1, 1.0 and True differ, as do 0.0 and -0.0."""
    structure = network.structure
    return {
        "nodes": repr(structure.nodes),
        "roles": repr((structure.class_node, structure.joint_family)),
        "arcs": repr([(arc, network.graph.edges[arc]) for arc in structure.arcs]),
        "variables": [repr(factor.variable) for factor in network.factors.values()],
        "parents": [repr([p.name for p in f.parents]) for f in network.factors.values()],
        "tables": [f.table.tobytes() for f in network.factors.values()],
    }


def same(network, other):
    """Compare two networks in every detail."""
    return network == other and details(network) == details(other)


def scratched(text, rng):
    """Return a text with one small piece cut out, doubled or overwritten."""
    start = rng.randrange(len(text))
    end = start + rng.randint(1, 30)
    piece = rng.choice(["", text[start:end] * 2, *'{}[]()",:;|<>&/*', "nan", "-1", "null", "//"])
    return text[:start] + piece + text[end:]
