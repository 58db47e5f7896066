import random

import igraph
import networkx as nx
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from io_networks import HOSTILE, ODD_NAMES, ODD_STATES, naive_bayes, networks, same, scratched

from bnclass.classifiers.averaged import AODE
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


@pytest.fixture
def path(tmp_path):
    return tmp_path / "network.graphml"


@pytest.fixture
def small():
    return naive_bayes(("n", "y"), a=("u", "v"), b=("p", "q", "r"))


@SETTINGS
@given(network=networks())
def test_round_trip(path, network):
    write_graphml(network, path)
    loaded = read_graphml(path)
    assert same(loaded, network)
    first = path.read_bytes()
    write_graphml(loaded, path)
    assert path.read_bytes() == first


@SETTINGS
@given(network=networks(max_nodes=3))
def test_networkx_and_igraph_read_it(path, network):
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
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe"])
def test_learned_models(path, model, name):
    X, y = load_dataset(name)
    network = model.fit(X, y).network_
    write_graphml(model, path)
    loaded = read_graphml(path)
    assert same(loaded, network)
    assert (loaded.posterior(X) == network.posterior(X)).all()
    graph = nx.read_graphml(path)
    scores = network.arcs()["score"].tolist()
    assert sorted(nx.get_edge_attributes(graph, "score").values()) == sorted(scores)


def test_attributes_that_a_person_reads(path, small):
    write_graphml(small, path)
    graph = nx.read_graphml(path)
    shown = {key: graph.nodes["b"][key] for key in ("label", "kind", "states")}
    assert shown == {"label": "b", "kind": "discrete", "states": '["p", "q", "r"]'}
    assert graph.edges["y", "b"] == {"score": 0.5}
    other = igraph.Graph.Read_GraphML(str(path))
    assert other.vs["label"] == ["y", "a", "b"]
    assert other.es["score"] == [0.5, 0.5]


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
    write_graphml(small, path)
    igraph.Graph.Read_GraphML(str(path)).write_graphml(str(path))
    assert "n0" in path.read_text()
    assert read_graphml(path) == small


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
        ('"format": 1', '"format": 2', "found the format 2, expected 1"),
        ('"class_node": "y"', '"class_node": "z"', "class node 'z' is not in the graph"),
        ('"class_node": "y"', '"class_node": ', "attribute 'bnclass': line 1: Expecting value"),
        ('attr.name="table"', 'attr.name="x"', "node 'y': found no attribute 'table'"),
        ('"name": "b"', '"name": "a"', "found the names ['y', 'a', 'a'], expected each once"),
        ('"name": "b"', '"name": [1]', "node 'b': Variable: node [1]: unhashable type: 'list'"),
        ('"fill": null', '"fill": 7', "node 'y': Variable: node 'y': variable 'y': fill is 7"),
        ('{"parents": ["y"]', '{"parents": ["b"]', "node 'a': "),
        ('{"parents": ["y"]', '{"parents": ["z"]', "node 'a': no variable 'z'"),
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
    write_graphml(small, path)
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
    write_graphml(TAN().fit(*load_dataset("iris")), path)
    text, rng, n_refused = path.read_text(), random.Random(7), 0
    for _ in range(300):
        path.write_text(scratched(text, rng))
        try:
            assert isinstance(read_graphml(path), BayesianNetwork)
        except FileFormatError:
            n_refused += 1
    assert n_refused > 150
