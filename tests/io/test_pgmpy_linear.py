"""Networks of numbers in pgmpy: one a class."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from io_networks import naive_bayes, people
from scipy.stats import multivariate_normal

from bnclass.classifiers.single import KDB, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError, FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.io.pgmpy import to_pgmpy
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

LABELS = ("n", "p", 7)
_reals = st.floats(-3, 3)


@st.composite
def linear_networks(draw):
    """Draw a class, where there is one, over up to four numbers; some do not depend on it."""
    n = draw(st.integers(1, 4))
    target = draw(st.none() | st.just(Variable("class", states=LABELS)))
    numbers = [Variable(("x", i), "continuous") for i in range(n)]
    factors = [] if target is None else [CategoricalCPD(target, (), [0.2, 0.3, 0.5])]
    for i, variable in enumerate(draw(st.permutations(numbers))):
        parents = [v for v in numbers if v in [f.variable for f in factors] and draw(st.booleans())]
        family = [target] if target is not None and draw(st.booleans()) else []
        factors.append(draw(linear(variable, (*family, *parents))))
        assert len(factors) == i + 1 + (target is not None)
    names = [*(["class"] if target else []), *(v.name for v in numbers)]
    arcs = [(p.name, f.variable.name) for f in factors for p in f.parents]
    return BayesianNetwork(Structure.from_arcs(names, arcs, target and "class"), factors)


@st.composite
def linear(draw, variable, parents):
    shape = tuple(v.card for v in parents if not v.is_continuous)
    n = len(parents) - len(shape)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    variance = rng.uniform(0.5, 4, shape)
    return CLGCPD(variable, parents, rng.normal(size=shape), rng.normal(size=(*shape, n)), variance)


def log_density(network, rows, code):
    """Return our own log density of numbers in one class, factor by factor."""
    values = {v.name: rows[:, i] for i, v in enumerate(network.attributes)}
    if network.target is not None:
        values[network.target.name] = np.full(len(rows), code)
    return sum(network.factors[v.name].log_prob(values) for v in network.attributes)


@settings(max_examples=60, deadline=None)
@given(linear_networks(), st.integers(0, 2**32))
def test_the_joint_normal_is_ours(network, seed):
    names = list(network.structure.attributes)
    rows = np.random.default_rng(seed).normal(size=(5, len(names)))
    for code, label in enumerate(LABELS if network.target else [None]):
        exported = to_pgmpy(network, {"class": label} if network.target else {})
        assert exported.check_model()
        assert list(exported.nodes) == names
        mean, covariance = exported.to_joint_gaussian()
        order = [names.index(name) for name in nx.topological_sort(exported)]
        theirs = multivariate_normal(mean, covariance).logpdf(rows[:, order])
        assert np.ravel(theirs) == pytest.approx(log_density(network, rows, code), abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(linear_networks())
def test_numbers_and_arcs_are_the_same(network):
    for code, label in enumerate(LABELS if network.target else [None]):
        exported = to_pgmpy(network, {"class": label} if network.target else {})
        among = [arc for arc in network.structure.arcs if "class" not in arc]
        assert set(exported.edges) == set(among)
        for name in network.structure.attributes:
            ours, theirs = network.factors[name], exported.get_cpds(name)
            u = (code,) if ours.discrete_parents else ()
            assert theirs.evidence == [v.name for v in ours.continuous_parents]
            assert theirs.beta.tolist() == [ours.intercept[u], *ours.coefficients[u]]
            assert theirs.std == np.sqrt(ours.variance[u])
            assert type(theirs.std) is float


def test_log_joint_of_a_network():
    a, b = Variable("a", "continuous"), Variable("b", "continuous")
    y = Variable("y", states=("n", "p"))
    arcs = [("y", "a"), ("y", "b"), ("a", "b")]
    network = BayesianNetwork(
        Structure.from_arcs("yab", arcs, "y"),
        [
            CategoricalCPD(y, (), [0.25, 0.75]),
            GaussianCPD(a, (y,), [1, 2], [4, 9]),
            CLGCPD(b, (y, a), [0.5, -1], [[2], [-3]], [1, 16]),
        ],
    )
    # a ~ N(2, 9), b = -1 - 3a + N(0, 16): mean -7, variance 9 * 9 + 16, covariance -27.
    exported = to_pgmpy(network, given={"y": "p"})
    mean, covariance = exported.to_joint_gaussian()
    assert mean.tolist() == [2, -7]
    assert covariance.tolist() == [[9, -27], [-27, 97]]
    rows = pd.DataFrame({"a": [0.5, 3.0], "b": [-4.0, -11.0], "y": ["p", "p"]})
    theirs = multivariate_normal(mean, covariance).logpdf(rows[["a", "b"]]) + np.log(0.75)
    assert network.log_prob(rows) == pytest.approx(theirs, abs=1e-9)
    total = exported.log_likelihood(rows[["a", "b"]]) + 2 * np.log(0.75)
    assert network.log_likelihood(rows) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("model", [NaiveBayes, TAN, KDB])
def test_learned_models(model):
    X, y = load_dataset("iris")
    model = model(continuous="gaussian").fit(X, y)
    ours = model.predict_joint_log_proba(X)
    for code, label in enumerate(model.classes_):
        exported = to_pgmpy(model, given={"class": label})
        mean, covariance = exported.to_joint_gaussian()
        rows = X[list(nx.topological_sort(exported))]
        theirs = multivariate_normal(mean, covariance).logpdf(rows) + np.log(1 / 3)
        assert theirs == pytest.approx(ours[:, code], rel=1e-4)


def test_a_constant_keeps_its_point():
    y, c = Variable("y", states=("n", "p")), Variable("c", "continuous")
    network = BayesianNetwork(
        Structure.from_arcs("yc", [("y", "c")], "y"),
        [CategoricalCPD(y, (), [0.5, 0.5]), GaussianCPD(c, (y,), [3, 3], [0, 0])],
    )
    cpd = to_pgmpy(network, given={"y": "n"}).get_cpds("c")
    assert (cpd.beta.tolist(), cpd.std) == ([3.0], 0.0)


# ---------------------------------------------------------------- refusals


@pytest.fixture
def numbers():
    """Return a network of a class and one number."""
    y, x = Variable("y", states=("n", 1)), Variable("x", "continuous")
    return BayesianNetwork(
        Structure.from_arcs("yx", [("y", "x")], "y"),
        [CategoricalCPD(y, (), [0.5, 0.5]), GaussianCPD(x, (y,), [0, 1], [1, 1])],
    )


@pytest.mark.parametrize(
    "given", [None, {}, {"z": "n"}, {"y": "n", "x": 0.5}, {"x": 0.5}, "n", [("y", "n")]], ids=repr
)
def test_what_to_write_is_said(numbers, given):
    with pytest.raises(BnclassError) as caught:
        to_pgmpy(numbers, given)
    assert str(caught.value) == (
        f"given is {given!r} for a network with continuous nodes, expected the class and a label; "
        f"write to_pgmpy(network, given={{'y': 'n'}})"
    )


@pytest.mark.parametrize("given", [None, {"y": "n"}], ids=repr)
def test_what_to_write_without_a_class(given):
    x = Variable("x", "continuous")
    network = BayesianNetwork(Structure.from_arcs("x", []), [GaussianCPD(x, (), 0, 1)])
    with pytest.raises(BnclassError, match=r"write to_pgmpy\(network, given=\{\}\)$"):
        to_pgmpy(network, given)


@pytest.mark.parametrize("label", ["m", "1", None, 0])
def test_an_unknown_label_is_named(numbers, label):
    with pytest.raises(BnclassError) as caught:
        to_pgmpy(numbers, given={"y": label})
    assert str(caught.value) == f"class 'y' has no label {label!r}, expected one of ('n', 1)"


@pytest.mark.parametrize("given", [None, {"sex": "f"}, {"sex": "f", "old": True}, {}], ids=repr)
def test_a_discrete_attribute_is_named(given):
    with pytest.raises(FileFormatError, match="attribute 'old' has a CategoricalCPD beside"):
        to_pgmpy(people(), given)


@pytest.mark.parametrize("model", [naive_bayes("ny", a="uv"), TAN()], ids=["network", "model"])
def test_a_class_given_to_a_network_of_tables(model):
    if isinstance(model, TAN):
        model = model.fit(*load_dataset("iris"))
    with pytest.raises(BnclassError) as caught:
        to_pgmpy(model, given={"y": "n"})
    assert str(caught.value) == "given is {'y': 'n'}, but no node is continuous; leave it out"
