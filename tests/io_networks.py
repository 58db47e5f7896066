"""Random networks with odd names, states and numbers, and how what comes back is compared."""

import copy
import itertools
import math

import numpy as np
from hypothesis import strategies as st

from bnclass.data.variables import Variable
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.io.gaussians import GAUSSIAN_ARRAYS
from bnclass.io.json import load, save
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
def structures(draw, nodes, continuous=()):
    """Draw arcs with and without scores on some of the pairs, in a drawn direction.

    No discrete node gets a continuous parent, and the class is discrete.
    """
    direction = sorted(draw(st.permutations(nodes)), key=lambda node: node in continuous)
    discrete = [node for node in nodes if node not in continuous]
    scores = st.none() | st.floats(allow_nan=False)
    pairs = [pair for pair in itertools.combinations(direction, 2) if draw(st.booleans())]
    arcs = {pair: draw(scores) for pair in pairs}
    target = draw(st.none() | st.sampled_from(discrete)) if discrete else None
    plain = Structure.from_arcs(nodes, arcs, target)
    partners = [
        node
        for node in discrete
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


_reals = st.floats(allow_nan=False, allow_infinity=False)
_variances = st.sampled_from([1e-250, 1e-200, 1 / 3, 0.1 + 0.2, 1e300]) | st.floats(1e-9, 1e9)


@st.composite
def gaussians(draw, variable, parents):
    """Draw a Gaussian factor with parameters of any size; some are constants."""
    shape = tuple(p.card for p in parents if not p.is_continuous)
    n_coefficients = len(parents) - len(shape)
    constant = draw(st.booleans())
    intercept = draw(_arrays(_reals, shape))
    variance = draw(_arrays(st.just(0.0) if constant else _variances, shape))
    coefficients = draw(_arrays(st.just(-0.0) if constant else _reals, (*shape, n_coefficients)))
    if n_coefficients or draw(st.booleans()):
        return CLGCPD(variable, parents, intercept, coefficients, variance)
    return GaussianCPD(variable, parents, intercept, variance)


@st.composite
def _arrays(draw, numbers, shape):
    n = math.prod(shape)
    return np.array(draw(st.lists(numbers, min_size=n, max_size=n))).reshape(shape)


@st.composite
def mixed_networks(draw, max_nodes=5, max_states=3):
    """Draw a network with a continuous node at least."""
    nodes = draw(st.lists(names, min_size=1, max_size=max_nodes, unique=True))
    continuous = draw(st.sets(st.sampled_from(nodes), min_size=1))
    structure = draw(structures(nodes, continuous))
    fills = st.none() | st.floats(-1e100, 1e100)
    domain = {
        node: Variable(node, "continuous", fill=draw(fills))
        if node in continuous
        else draw(variables(node, max_states))
        for node in nodes
    }
    factors = []
    for node in nodes:
        parents = tuple(domain[p] for p in structure.parents(node))
        if node in continuous:
            factors.append(draw(gaussians(domain[node], parents)))
        else:
            shape = tuple(v.card for v in (*parents, domain[node]))
            factors.append(CategoricalCPD(domain[node], parents, draw(tables(shape))))
    return BayesianNetwork(structure, factors)


def people():
    """Return a small network of a class, a discrete and two continuous attributes."""
    sex, old = Variable("sex", states=("f", "m")), Variable("old", states=(False, True))
    height = Variable("height", "continuous", fill=171.5)
    weight = Variable("weight", "continuous")
    arcs = {("sex", name): 0.5 for name in ("old", "height", "weight")}
    arcs |= {("old", "weight"): 0.25, ("height", "weight"): 0.125}
    structure = Structure.from_arcs(["sex", "old", "height", "weight"], arcs, "sex")
    slopes = [[[0.6], [0.5]], [[0.7], [0.8]]]
    factors = [
        CategoricalCPD(sex, (), [0.5, 0.5]),
        CategoricalCPD(old, (sex,), [[0.25, 0.75], [0.5, 0.5]]),
        GaussianCPD(height, (sex,), [165, 178], [36, 49]),
        CLGCPD(
            weight, (sex, old, height), [[-40, -45], [-50, -55]], slopes, [[36, 40], [50, 64.5]]
        ),
    ]
    return BayesianNetwork(structure, factors)


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
        "factors": [
            (type(f), *map(np.ndarray.tobytes, _parameters(f))) for f in network.factors.values()
        ],
    }


def _parameters(factor):
    return [getattr(factor, name) for name in GAUSSIAN_ARRAYS.get(type(factor), ("table",))]


def same(network, other):
    """Compare two networks in every detail."""
    return network == other and details(network) == details(other)


def scratched(text, rng):
    """Return a text with one small piece cut out, doubled or overwritten."""
    start = rng.randrange(len(text))
    end = start + rng.randint(1, 30)
    piece = rng.choice(["", text[start:end] * 2, *'{}[]()",:;|<>&/*', "nan", "-1", "null", "//"])
    return text[:start] + piece + text[end:]


def passed_through(model, path):
    """Save, load, and check that saving again makes the same bytes."""
    save(model, path)
    first = path.read_bytes()
    loaded = load(path)
    save(loaded, path)
    assert path.read_bytes() == first
    assert first.isascii()
    return loaded


def assert_same_classifier(loaded, model, X):
    """Compare two fitted classifiers: all that they hold, and their answers to the last bit."""
    assert type(loaded) is type(model)
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()
    has_joint = hasattr(model, "predict_joint_log_proba")
    assert hasattr(loaded, "predict_joint_log_proba") == has_joint
    if has_joint:
        assert (loaded.predict_joint_log_proba(X) == model.predict_joint_log_proba(X)).all()
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.predict(X).dtype == model.predict(X).dtype == loaded.classes_.dtype
    assert sorted(vars(loaded)) == sorted(vars(model).keys() - {"statistics_"})
    assert sorted(vars(loaded.encoder_)) == sorted(vars(model.encoder_))
    for key in ("network_", "ensemble_", "schema_", "n_features_in_", "k_", "missing_counts_"):
        assert getattr(loaded, key, None) == getattr(model, key, None)
    for key in (
        "columns_",
        "means_",
        "schema_",
        "discretizer_",
        "views_",
        "idle_views_",
        "declared_",
    ):
        assert repr(getattr(loaded.encoder_, key)) == repr(getattr(model.encoder_, key))


def with_holes(X, every=5):
    """Return the table with a cell in every so many missing."""
    X = X.copy()
    for j, name in enumerate(X.columns):
        X[name] = X[name].where(np.arange(len(X)) % every != j % every)
    return X


JUNK = [None, True, -1, 1.5, "x", [], {}, [[]], {"type": "tuple", "items": [[]]}, 10**400]


def places(data, place=()):
    """Yield the place of every value inside some JSON."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield (*place, key)
        if isinstance(value, (dict, list)):
            yield from places(value, (*place, key))


def damaged(document, rng):
    """Return some JSON with one value, wherever it stands, taken out or replaced by another."""
    document = copy.deepcopy(document)
    *way, last = rng.choice(list(places(document)))
    target = document
    for key in way:
        target = target[key]
    if rng.random() < 0.3:
        del target[last]
    else:
        target[last] = rng.choice(JUNK)
    return document
