import random

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from io_networks import (
    HOSTILE,
    ODD_NAMES,
    ODD_STATES,
    mixed_networks,
    naive_bayes,
    networks,
    people,
    same,
    scratched,
)
from sklearn.base import clone

from bnclass.classifiers.averaged import AODE
from bnclass.classifiers.numeric import HAODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError, FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.graphml import read_graphml, write_graphml
from bnclass.io.tokens import safe_tokens
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

SMALLEST = np.finfo(np.float64).tiny


@pytest.fixture
def path(tmp_path):
    return tmp_path / "network.graphml"


@pytest.fixture
def small():
    return naive_bayes(("n", "y"), a=("u", "v"), b=("p", "q", "r"))


@SETTINGS
@given(network=networks() | mixed_networks())
def test_round_trip(path, network):
    write_graphml(network, path)
    loaded = read_graphml(path)
    assert same(loaded, network)
    first = path.read_bytes()
    write_graphml(loaded, path)
    assert path.read_bytes() == first


@SETTINGS
@given(network=networks(max_nodes=3) | mixed_networks(max_nodes=3))
def test_networkx_and_igraph_read_it(path, network):
    scores = network.arcs()["score"].abs()
    assume(not ((scores > 0) & (scores < SMALLEST)).any())  # igraph refuses these
    write_graphml(network, path)
    tokens = list(safe_tokens(network.structure.nodes))
    arcs = {(tokens[i], tokens[j]) for i, j in _places(network.structure)}
    graph = nx.read_graphml(path)
    assert list(graph) == tokens
    assert set(graph.edges) == arcs
    other = igraph.Graph.Read_GraphML(str(path))
    assert other.vs["id"] == tokens
    assert {(other.vs[e.source]["id"], other.vs[e.target]["id"]) for e in other.es} == arcs


def _places(structure):
    return [tuple(map(structure.nodes.index, arc)) for arc in structure.arcs]


@pytest.mark.parametrize("model", [NaiveBayes(), SPODE(), TAN(), KDB()], ids=repr)
@pytest.mark.parametrize("continuous", ["mdl", "gaussian"])
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe"])
def test_learned_models(path, model, name, continuous):
    X, y = load_dataset(name)
    model = clone(model).set_params(continuous=continuous).fit(X, y)
    network = model.network_
    write_graphml(model, path)
    loaded = read_graphml(path)
    assert same(loaded, network)
    assert (loaded.posterior(X) == network.posterior(X)).all()
    graph = nx.read_graphml(path)
    scores = network.arcs()["score"].dropna().tolist()
    assert sorted(nx.get_edge_attributes(graph, "score").values()) == sorted(scores)


def test_a_member_with_a_view(path):
    X, y = load_dataset("iris")
    member = HAODE().fit(X, y).ensemble_[1]
    write_graphml(member, path)
    loaded = read_graphml(path)
    assert same(loaded, member)
    assert (loaded.posterior(X) == member.posterior(X)).all()


def test_attributes_that_a_person_reads(path, small):
    write_graphml(small, path)
    graph = nx.read_graphml(path)
    shown = {key: graph.nodes["b"][key] for key in ("label", "kind", "states")}
    assert shown == {"label": "b", "kind": "discrete", "states": '["p", "q", "r"]'}
    assert graph.edges["y", "b"] == {"score": 0.5}
    other = igraph.Graph.Read_GraphML(str(path))
    assert other.vs["label"] == ["y", "a", "b"]
    assert other.es["score"] == [0.5, 0.5]


def test_nodes_tell_their_kind(path):
    write_graphml(people(), path)
    kinds = ["discrete", "discrete", "continuous", "continuous"]
    assert [kind for _, kind in nx.read_graphml(path).nodes(data="kind")] == kinds
    assert igraph.Graph.Read_GraphML(str(path)).vs["kind"] == kinds
    assert nx.read_graphml(path).nodes["weight"]["states"] == "[]"


@pytest.mark.parametrize("odd", ODD_NAMES + ODD_STATES + HOSTILE, ids=ascii)
def test_odd_names_and_states(path, odd):
    network = naive_bayes((odd, "other"), **{odd: (odd, "x", "y")})
    write_graphml(network, path)
    assert same(read_graphml(path), network)
    label = nx.read_graphml(path).nodes[safe_tokens(["y", odd])[1]]["label"]
    assert label == odd or not odd.isprintable()


def test_the_graph_of_the_network_stays_as_it_was(path, small):
    graph = small.graph
    graph.graph["id"] = "mine"  # networkx takes this away from a graph that it writes
    write_graphml(small, path)
    assert graph.graph == {"id": "mine"}
    assert [dict(data) for _, data in graph.nodes(data=True)] == [{}, {}, {}]


def test_a_file_that_igraph_wrote_anew(path, small):
    for network in (small, people()):
        write_graphml(network, path)
        igraph.Graph.Read_GraphML(str(path)).write_graphml(str(path))
        assert "n0" in path.read_text()
        assert read_graphml(path) == network


def test_nodes_in_another_order_get_their_tables_turned(path):
    network = TAN().fit(*load_dataset("iris")).network_
    write_graphml(network, path)
    graph = nx.read_graphml(path)
    turned = nx.DiGraph(bnclass=graph.graph["bnclass"])
    turned.add_nodes_from(reversed(list(graph.nodes(data=True))))
    turned.add_edges_from(graph.edges(data=True))
    nx.write_graphml(turned, path)
    loaded = read_graphml(path)
    X, _ = load_dataset("iris")
    assert loaded.structure.nodes == network.structure.nodes[::-1]
    assert loaded.posterior(X) == pytest.approx(network.posterior(X), rel=1e-12)


@SETTINGS
@given(network=mixed_networks(), rng=st.randoms())
def test_factors_are_turned_with_their_parents(path, network, rng):
    write_graphml(network, path)
    graph = nx.read_graphml(path)
    nodes = list(graph.nodes(data=True))
    rng.shuffle(nodes)
    turned = nx.DiGraph(bnclass=graph.graph["bnclass"])
    turned.add_nodes_from(nodes)
    turned.add_edges_from(graph.edges(data=True))
    nx.write_graphml(turned, path)
    loaded = read_graphml(path)
    assert set(loaded.structure.nodes) == set(network.structure.nodes)
    for node, factor in network.factors.items():
        found = loaded.factors[node]
        assert {v.name for v in found.parents} == {v.name for v in factor.parents}
        assert labelled(found) == labelled(factor)


def labelled(factor):
    """Return every parameter by what it stands for, whatever the order of the parents."""
    names = [v.name for v in factor.parents if not v.is_continuous]
    if isinstance(factor, CategoricalCPD):
        named = {"table": factor.table}
    else:
        slopes = np.moveaxis(factor.coefficients, -1, 0)
        named = {"intercept": factor.intercept, "variance": factor.variance}
        named |= {
            ("slope", v.name): b for v, b in zip(factor.continuous_parents, slopes, strict=True)
        }
    return {
        (key, frozenset(zip(names, cell, strict=False)), cell[len(names) :]): value
        for key, array in named.items()
        for cell, value in np.ndenumerate(array)
    }


def test_an_ensemble_is_refused(path):
    model = AODE().fit(*load_dataset("monks-1"))
    with pytest.raises(BnclassError, match="several networks"):
        write_graphml(model, path)
    assert not path.exists()


def test_a_state_that_json_cannot_hold_is_named(path):
    day = pd.Timestamp("2020-01-01")
    cpd = CategoricalCPD(Variable("when", states=(day, "x")), (), [0.5, 0.5])
    with pytest.raises(FileFormatError, match=r"node 'when': state: found Timestamp\('2020"):
        write_graphml(BayesianNetwork(Structure.from_arcs(["when"], []), [cpd]), path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[165.0, 178.0]", "[165.0]", "node 'height': factor of 'height': mean: found [165.0], e"),
        ("[36.0, 49.0]", "[-36.0, 49.0]", "node 'height': factor of 'height': GaussianCPD('height"),
        ("[36.0, 49.0]", "[NaN, 49.0]", "node 'height': attribute 'factor': found NaN, expected"),
        ('"fill": 171.5', '"fill": 171', "node 'height': Variable: node 'height': found 171, exp"),
        ('"GaussianCPD"', '"Guess"', "node 'height': found a 'Guess', expected one of ['Cat"),
    ],
)
def test_a_broken_file_of_numbers_is_named_with_its_part(path, old, new, message):
    assert_refused(path, people(), old, new, message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</graphml>", "", "no XML (no element found"),
        ('<graphml xmlns="', '<graphml xmlns="other', "no GraphML ("),
        ('key="d0"', 'key="d9"', "no GraphML (Bad GraphML data: no key d9)"),
        (
            'edgedefault="directed"',
            'edgedefault="undirected"',
            "found a Graph, expected a directed",
        ),
        (
            'attr.name="bnclass"',
            'attr.name="x"',
            "found no attribute 'bnclass', expected a file of",
        ),
        ('"format": 2', '"format": 3', "found the format 3, expected 1 to 2"),
        ('"class_node": "y"', '"class_node": "z"', "class node 'z' is not in the graph"),
        ('"class_node": "y"', '"class_node": ', "attribute 'bnclass': line 1: Expecting value"),
        ('attr.name="factor"', 'attr.name="x"', "node 'y': found no attribute 'factor'"),
        ('"CategoricalCPD"', '"Guess"', "node 'y': found a 'Guess', expected one of ['Cat"),
        ('"name": "b"', '"name": "a"', "found the names ['y', 'a', 'a'], expected each once"),
        ('"name": "b"', '"name": [1]', "node 'b': Variable: node [1]: unhashable type: 'list'"),
        ('"fill": null', '"fill": 7', "node 'y': Variable: node 'y': variable 'y': fill is 7"),
        ('"parents": ["y"]', '"parents": ["b"]', "node 'a': "),
        ('"parents": ["y"]', '"parents": ["z"]', "node 'a': factor of 'a': no variable 'z'"),
        ("[0.3333333333333333, 0.6666666666666666]", "[1.0]", "expected a list of 2 numbers"),
        ("[0.3333333333333333, 0.6666666666666666]", "[0.5, 0.6]", "misses the sum 1 by 0.1"),
        ("[0.3333333333333333, 0.6666666666666666]", "[NaN, 0.6]", "found NaN"),
        ('<edge source="y" target="a">', '<edge source="y" target="y">', "the graph has the cycle"),
        (
            '<edge source="y" target="a">',
            '<edge source="y" target="c">',
            "node 'c': found no attri",
        ),
        ('<edge source="y" target="a">', '<edge source="y" target="b">', "found a MultiDiGraph"),
    ],
)
def test_a_broken_file_is_named_with_its_part(path, small, old, new, message):
    assert_refused(path, small, old, new, message)


def assert_refused(path, network, old, new, message):
    write_graphml(network, path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError) as caught:
        read_graphml(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(path):
    with pytest.raises(FileFormatError, match="no such file"):
        read_graphml(path)


@pytest.mark.filterwarnings("ignore:No key type:UserWarning")
def test_scratched_files_are_refused_or_read(path):
    write_graphml(people(), path)
    text, rng, n_refused = path.read_text(), random.Random(7), 0
    for _ in range(300):
        path.write_text(scratched(text, rng))
        try:
            assert isinstance(read_graphml(path), BayesianNetwork)
        except FileFormatError:
            n_refused += 1
    assert n_refused > 150
