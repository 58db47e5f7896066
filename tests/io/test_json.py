import json
import random

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from io_networks import (
    assert_same_classifier,
    damaged,
    details,
    naive_bayes,
    names,
    networks,
    passed_through,
    same,
    structures,
    with_holes,
)
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from bnclass.classifiers.averaged import AODE, ATAN
from bnclass.classifiers.drawn import StructureClassifier
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.json import load, save
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate
from bnclass.structure.dag import Structure

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


CLASSIFIERS = [NaiveBayes(), SPODE(), TAN(), KDB(k=1), KDB(k=None), AODE(), StructureClassifier()]
CLASSIFIERS += [AODE(subsumption=5), ATAN(), ATAN("mutual-information")]


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe", "monks-2"])
def test_classifiers(path, model, name):
    X, y = load_dataset(name)
    X, y = with_holes(X.iloc[::2]), y.iloc[::2]
    model = clone(model).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert loaded.get_params() == model.get_params()


@pytest.mark.parametrize("missing", ["marginalize", "state", "impute", "error"])
def test_missing_policies(path, missing):
    X, y = load_dataset("iris")
    X = X if missing == "error" else with_holes(X)
    model = TAN(missing=missing).fit(X, y)
    assert_same_classifier(passed_through(model, path), model, X)


@pytest.mark.parametrize(
    "parameters",
    [
        {"smoothing": 0},
        {"smoothing": np.float64(0.5)},
        {"smoothing": MEstimate(2.0)},
        {"smoothing": Laplace(0.1)},
        {"smoothing": BDeu(10)},
        {"categorical_features": "all"},
        {"categorical_features": None},
        {"categorical_features": ["petal width (cm)"]},
        {"categorical_features": ("petal width (cm)", 0)},
        {"categorical_features": [True, False, False, False]},
        {"categorical_features": np.array([True, False, False, False])},
        {"categorical_features": np.array(["petal width (cm)", 0], dtype=object)},
        {"k": np.int64(1)},
    ],
    ids=str,
)
def test_parameters(path, parameters):
    X, y = load_dataset("iris")
    model = KDB(**parameters).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert repr(loaded.get_params()) == repr(model.get_params())


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_a_clone_of_a_loaded_classifier_learns_the_same(path, model):
    X, y = load_dataset("tic-tac-toe")
    model = clone(model).fit(X, y)
    again = clone(passed_through(model, path))
    assert not hasattr(again, "classes_")
    assert (again.fit(X, y).predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize("subsumption", [True, 1, 30.5, np.inf, np.float64(2)])
def test_subsumption(path, subsumption):
    X, y = load_dataset("tic-tac-toe")
    X = X.assign(twice=X.iloc[:, 0])
    model = AODE(subsumption=subsumption).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert loaded.ensemble_ == model.ensemble_
    assert repr(loaded.ensemble_) == repr(model.ensemble_)
    assert repr(loaded.get_params()) == repr(model.get_params())


@pytest.mark.parametrize("continuous", ["mdl", "gaussian"])
def test_averages_of_posteriors(path, continuous):
    X, y = load_dataset("iris")
    model = ATAN("mutual-information", continuous=continuous).fit(X, y)
    loaded = passed_through(model, path)
    assert loaded.ensemble_ == model.ensemble_
    assert loaded.ensemble_.average == "posterior"
    assert_same_classifier(loaded, model, X)


@pytest.mark.parametrize("min_count", [0, 30, 30.5, np.inf])
def test_membership(path, min_count):
    X, y = load_dataset("monks-1")
    model = AODE(min_count).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert repr(loaded.ensemble_.membership) == repr(model.ensemble_.membership)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False]),
        np.array([3, -1]),
        np.array([3, 1], dtype=np.int8),
        np.array([3, 1], dtype=np.uint64),
        np.array([3, 1], dtype=">i4"),
        np.array([1.0, 2.0], dtype=np.float32),
        np.array([2.0, 1.0]),
        np.array(["no", "a longer label"]),
        np.array(["no", "é 日本"], dtype=object),
        np.array([True, False], dtype=object),
        np.array([1, 0], dtype=object),
    ],
    ids=repr,
)
def test_types_of_labels(path, labels):
    X = pd.DataFrame({"a": list("uvuv"), "b": list("ppqq")})
    y = labels[[0, 1, 1, 0]]
    model = NaiveBayes().fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert loaded.classes_.dtype == model.classes_.dtype
    assert repr(loaded.classes_) == repr(model.classes_)
    assert set(loaded.predict(X)) <= set(y)


@pytest.mark.parametrize("columns", [[0, 1], ["a b", ""], [0.5, 1.5], [("a", 1), ("b", 2)]])
def test_types_of_column_names(path, columns):
    X = pd.DataFrame({0: [1, 2, 1, 2], 1: [True, True, False, False]})
    X.columns = pd.Index(columns, tupleize_cols=False)
    model = TAN(categorical_features="all").fit(X, ["n", "y", "y", "n"])
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert repr(loaded.schema_) == repr(model.schema_)


def test_columns_of_an_array(path):
    X = np.random.default_rng(0).normal(size=(40, 3))
    model = AODE().fit(X, X[:, 0] > 0)
    assert_same_classifier(passed_through(model, path), model, X)


@pytest.mark.parametrize("as_structure", [True, False])
def test_drawn_structures(path, as_structure):
    X, y = load_dataset("monks-1")
    graph = TAN().fit(X, y).network_.structure.to_networkx()
    graph.graph["author"] = ("me", 1)
    graph.nodes["a1"]["position"] = [0.5, 1]
    graph.edges["class", "a1"]["colour"] = "red"
    drawn = Structure(graph, "class") if as_structure else graph
    model = StructureClassifier(drawn).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert type(loaded.structure) is type(drawn)
    assert list(loaded.structure.graph if as_structure else loaded.structure) == list(graph)
    assert clone(loaded).fit(X, y).network_ == model.network_
    if as_structure:
        assert loaded.structure == drawn
    else:
        assert nx.utils.graphs_equal(loaded.structure, drawn)


@SETTINGS
@given(network=networks())
def test_networks(path, network):
    assert same(passed_through(network, path), network)


@SETTINGS
@given(structure=st.lists(names, min_size=1, max_size=5, unique=True).flatmap(structures))
def test_structures(path, structure):
    loaded = passed_through(structure, path)
    assert loaded == structure
    assert repr(loaded.nodes) == repr(structure.nodes)
    assert repr([(a, loaded.graph.edges[a]) for a in loaded.arcs]) == repr(
        [(a, structure.graph.edges[a]) for a in structure.arcs]
    )


@SETTINGS
@given(
    network=networks(max_nodes=3), weights=st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=3)
)
def test_ensembles(path, network, weights):
    ensemble = NetworkEnsemble([network] * len(weights), weights)
    loaded = passed_through(ensemble, path)
    assert loaded == ensemble
    assert loaded.weights.tolist() == weights
    assert [details(member) for member in loaded] == [details(network)] * len(weights)


def test_members_may_order_their_nodes_differently(path):
    network = naive_bayes("ny", a="uv", b="pq")
    nodes = ["a", "y", "b"]
    other = Structure.from_arcs(nodes, network.structure.arcs, "y")
    ensemble = NetworkEnsemble([network, BayesianNetwork(other, network.factors.values())])
    loaded = passed_through(ensemble, path)
    assert [member.structure.nodes for member in loaded] == [("y", "a", "b"), ("a", "y", "b")]


def test_the_file_is_readable(path):
    save(naive_bayes(("n", "y"), a=("u", "v")), path)
    lines = path.read_text().splitlines()
    assert lines[:5] == [
        "{",
        '  "format": 3,',
        '  "model": {',
        '    "type": "BayesianNetwork",',
        '    "variables": [',
    ]
    assert '      ["y", "a", 0.5]' in lines
    assert "          [0.3333333333333333, 0.6666666666666666]," in lines
    assert max(map(len, lines)) <= 80


def test_gz(tmp_path):
    network = naive_bayes("ny", a="uv")
    assert same(passed_through_gz(network, tmp_path / "model.json.gz"), network)


def passed_through_gz(model, path):
    save(model, path)
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    return load(path)


# ---------------------------------------------------------------- refusals of save


def refusal(model, path):
    path.write_text("old")
    with pytest.raises(FileFormatError) as caught:
        save(model, path)
    assert path.read_text() == "old"
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_an_unfitted_classifier(path, model):
    with pytest.raises(NotFittedError):
        save(clone(model), path)
    assert not path.exists()


def test_a_transformer(path):
    transformer = KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf")
    model = NaiveBayes(continuous=transformer).fit(*load_dataset("iris"))
    message = refusal(model, path)
    assert message.startswith("continuous is KBinsDiscretizer(")
    assert message.endswith("JSON cannot hold a transformer; expected continuous='mdl'")


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (pd.Timestamp("2020-01-01"), "found Timestamp('2020-01-01 00:00:00') of type Timestamp"),
        (b"bytes", "found b'bytes' of type bytes"),
        (frozenset({1}), "found frozenset({1}) of type frozenset"),
        (1j, "found 1j of type complex"),
        ("\ud800", r"found '\ud800', which is no valid Unicode text"),
        (float("nan"), "found nan, expected a value that equals itself"),
        (("a", (b"b",)), "found b'b' of type bytes"),
    ],
)
def test_states_and_names_that_json_cannot_hold(path, state, shown):
    cpd = CategoricalCPD(Variable("when", states=(state, "x")), (), [0.5, 0.5])
    network = BayesianNetwork(Structure.from_arcs(["when"], []), [cpd])
    assert refusal(network, path).startswith(f"node 'when': state: {shown}")
    if state == state:
        cpd = CategoricalCPD(Variable(state, states=("x",)), (), [1.0])
        network = BayesianNetwork(Structure.from_arcs([state], []), [cpd])
        assert refusal(network, path).startswith(f"node {state!r}: {shown}")


def test_a_parameter_that_json_cannot_hold(path):
    X, y = load_dataset("iris")
    model = NaiveBayes(categorical_features=pd.Series([True, False, False, False])).fit(X, y)
    message = refusal(model, path)
    assert message.startswith("parameter 'categorical_features': found 0 True 1 False")
    assert "of type Series, which a file cannot hold; expected None, bool" in message


@pytest.mark.parametrize(
    "model", [None, [1], make_pipeline(NaiveBayes()), Variable("a", states=("x",)), TAN]
)
def test_what_is_no_model(path, model):
    assert "expected a classifier of bnclass, a BayesianNetwork, a Net" in refusal(model, path)


def test_a_subclass_of_a_classifier(path):
    class Mine(NaiveBayes):
        pass

    message = refusal(Mine().fit(*load_dataset("monks-1")), path)
    assert message.startswith("found Mine() of type Mine, which a file cannot hold")


# ---------------------------------------------------------------- broken files


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    X, y = load_dataset("monks-1")
    X = X[["a1", "a2", "a5"]]
    models = {
        "tan": TAN(smoothing=BDeu(2.0)).fit(X, y),
        "aode": AODE().fit(X, y),
        "resolved": AODE(subsumption=1).fit(X, y),
        "kdb": KDB(categorical_features=[0]).fit(X, y),
        "drawn": StructureClassifier(TAN().fit(X, y).network_.structure.to_networkx()).fit(X, y),
        "network": naive_bayes((0, 1), a=("u", ("v", None))),
        "structure": Structure.from_arcs("ab", {("a", "b"): float("inf")}),
    }
    path = tmp_path_factory.mktemp("models") / "model.json"
    texts = {}
    for name, model in models.items():
        save(model, path)
        texts[name] = path.read_text()
    return texts


def failure(path):
    with pytest.raises(FileFormatError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: Expecting value, expected JSON"),
        ("{\n  'a'", "line 2: Expecting property name enclosed in double quotes, expected JSON"),
        ("[]", "found [], expected a value of type dict"),
        ("{}", "found no format number, expected a file written by bnclass.save"),
        ('{"format": 4}', "found the format 4, expected 1 to 3"),
        ('{"format": 0}', "found the format 0, expected 1 to 3"),
        ('{"format": 1.5}', "found the format 1.5, expected 1 to 3"),
        ('{"format": "1"}', "found the format '1', expected 1 to 3"),
        ('{"format": [1]}', "found the format [1], expected 1 to 3"),
        ('{"format": true}', "found the format True, expected 1 to 3"),
        ('{"format": 3}', "found no 'model', expected the keys ['format', 'model']"),
        ('{"format": 3, "model": {}, "x": 0}', "found the key 'x', expected only"),
        ('{"format": 3, "format": 2}', "found the key 'format' twice"),
        ('{"format": 3, "model": 7}', "found 7, expected a model"),
        ('{"format": 3, "model": {}}', "found the type None, expected one of ['tuple', 'float'"),
        ('{"format": 3, "model": {"type": "Forest"}}', "found the type 'Forest', expected one of"),
        ('{"format": 3, "model": {"type": []}}', "found the type [], expected one of"),
        ('{"format": 3, "model": {"type": "TAN"}}', "TAN: found no 'parameters', expected the"),
        ('{"format": 3, "model": {"type": "tuple", "items": []}}', "found (), expected a model"),
        ('{"format": 3, "model": NaN}', "found NaN, expected a finite number"),
        ('{"format": 3, "model": -Infinity}', "found -Infinity, expected a finite number"),
        ('{"format": 3, "model": 1e999}', "found 1e999, expected a number that a double holds"),
        ("[" * 100_000, "found JSON that is nested too deeply"),
        ("1" * 5000, "Exceeds the limit"),
    ],
)
def test_broken_documents(path, text, message):
    path.write_text(text)
    assert failure(path).startswith(message)


def test_deep_nesting_below_the_limit_of_the_parser(path):
    nested = '{"type": "tuple", "items": [' * 300 + "]}" * 300
    path.write_text('{"format": 3, "model": ' + nested + "}")
    assert failure(path)


def test_no_such_file(path):
    with pytest.raises(FileFormatError, match=r"model\.json: no such file"):
        load(path)


def test_a_folder(tmp_path):
    with pytest.raises(FileFormatError, match="cannot be read"):
        load(tmp_path)


def test_bytes_that_are_no_text(path):
    path.write_bytes(b"\x80\x04\x95")
    with pytest.raises(FileFormatError, match="found the byte 0x80, expected UTF-8 text"):
        load(path)


ARC = '["class", "a1", 0.0]'
IN_A_CLASSIFIER = [
    ('"type": "TAN"', '"type": "KDB"', "KDB: found no 'k_', expected the keys"),
    ('"root": null,', "", "TAN: parameters: found no 'root', expected the keys"),
    ('"root": null,', '"root": 0, "r": 0,', "TAN: parameters: found the key 'r'"),
    ('"ess": 2.0', '"ess": -2.0', "TAN: parameters: BDeu: ess is -2.0, expected"),
    ('"ess": 2.0', '"ess": "2"', "TAN: parameters: BDeu: ess is '2', expected"),
    ('"n_features_in_": 3', '"n_features_in_": 4', "TAN: found 3 columns ('a1', 'a2', 'a5')"),
    ('"n_features_in_": 3', '"n_features_in_": "3"', "TAN: found '3', expected a value of"),
    ('"values": ["a1"', '"values": ["a9"', "and the feature names ('a9', 'a2', 'a5')"),
    ('"columns": ["a1"', '"columns": ["a9"', "TAN: encoder_: TableEncoder: no column 'a1'"),
    ('"columns": ["a1"', '"columns": ["a2"', "found the columns ('a2', 'a2', 'a5')"),
    ('"values": ["0", "1"]', '"values": ["0", "2"]', "found the classes ('0', '2'), expected"),
    ('["0", "1"]', '["0"]', "TAN: encoder_: TableEncoder: array: cannot reshape"),
    ('"dtype": "|O"', '"dtype": "<U1"', "array: found values that are not of the dtype '<U1'"),
    ('"dtype": "|O"', '"dtype": "<M8"', "array: found the dtype '<M8', expected bools"),
    ('"dtype": "|O"', '"dtype": 0', "array: found 0, expected a value of type str"),
    ('"continuous": "mdl"', '"continuous": 0', "TableEncoder: continuous is 0, expected"),
    ('"class_node": "class"', '"class_node": "x"', "class node 'x' is not in the graph"),
    ('"class_node": "class"', '"class_node": null', "the encoder and the network differ in"),
    ('"class", "a1", "a2", "a5"', '"class", "x"', "no node 'a1', expected one of ['class', 'x']"),
    (ARC, '["class", "x", 0.0]', "arc 'class' -> 'x': no node 'x'"),
    (ARC, '["a2", "a1", 0.0]', "the graph has the cycle"),
    (ARC, '["a5", "class", 0.5, 0.0]', "found the arc ['a5', 'class', 0.5, "),
    (ARC, '["a1", "a2", 0.0]', "found the arc 'a1' -> 'a2' twice"),
    ('"CategoricalCPD"', '"Guess"', "found a 'Guess', expected one of ['Categ"),
    ('"node": "a1"', '"node": "a9"', "factor of 'a9': no variable 'a9', expected one of"),
    ('"node": "a1"', '"node": "a2"', "network_: BayesianNetwork: node 'a2' has more than one"),
    ('"parents": []', '"parents": ["a1"]', "factor of 'class': found 1 rows, expected 3"),
]

IN_AN_ENSEMBLE = [
    ('"weights": [1.0', '"weights": [0.0', "NetworkEnsemble: weights are [0.0, 1.0, 1.0]"),
    ('"weights": [1.0', '"weights": ["1"', "found ['1', 1.0, 1.0], expected a list of 3 num"),
    ('"min_count": 1', '"min_count": "1"', "SuperparentSeen: min_count is '1', expected"),
    ('"superparents": ["a1"', '"superparents": ["a9"', "superparent 'a9' with counts of shape"),
    ('"superparents": ["a1", ', '"superparents": [', "3 counts for 2 superparents"),
    ('"joint_family": ["class", "a1"]', '"joint_family": 1', "member 0: found 1, expected a"),
    ('"fallback": {', '"fallback": 1, "x": {', "NetworkEnsemble: found the key 'x'"),
    ('"average": "joint"', '"average": "sum"', "NetworkEnsemble: average is 'sum', expected 'jo"),
    (
        '"average": "joint"',
        '"average": 0',
        "NetworkEnsemble: found 0, expected a value of type str",
    ),
    ('"subsumption": null', '"subsumption": 1', "NetworkEnsemble: found 1, expected a value of ty"),
]

IN_A_SUBSUMPTION = [
    ('"min_frequency": 1', '"min_frequency": 0', "Subsumption: min_frequency is 0, expected a pos"),
    ('"attributes": ["a1", "a2"', '"attributes": ["a1"', "3 counts for 2 attributes"),
    ('"attributes": ["a1", "a2"', '"attributes": ["a1", "a9"', "subsumption: attribute 'a9' wi"),
    ("          [],\n", "", "Subsumption: found 7 rows of pair counts, expected 10"),
    ("          [],\n", "          [1.0],\n", "Subsumption: found [1.0], expected a list of 0"),
]

IN_A_NETWORK = [
    ('"states": [0, 1]', '"states": [0, 0]', "node 'y': variable 'y' has repeated states"),
    ('"states": [0, 1]', '"states": [0, [1]]', "node 'y': unhashable type: 'list'"),
    ('"states": [0, 1]', '"states": "01"', "node 'y': found '01', expected a value of type list"),
    ('"name": "y"', '"name": []', "node []: "),
    ('"kind": "discrete"', '"kind": "real"', "node 'y': variable 'y' is of kind 'real'"),
    ('"cuts": null', '"cuts": [0.5, 0.5]', "node 'y': found the cuts [0.5, 0.5], expected them"),
    ('"cuts": null', '"cuts": ["x"]', "node 'y': found 'x', expected a value of type float"),
    ('"fill": null', '"fill": 2', "node 'y': variable 'y': fill is 2, expected a code below 2"),
    ('"fill": null', '"fill": true', "node 'y': found True, expected a value of type int"),
    (
        "[0.3333333333333333, ",
        "[",
        "factor of 'y': found [0.6666666666666666], expected a",
    ),
    ("[0.3333333333333333, ", '["0.3", ', "factor of 'y': found ['0.3', 0.6666666666666666], exp"),
    ("[0.3333333333333333, ", "[true, ", "factor of 'y': found [True, 0.6666666666666666], exp"),
    ("[0.3333333333333333, ", "[-0.3, ", "factor of 'y': CategoricalCPD('y'): found an entry tha"),
    ("[0.3333333333333333, ", "[0.4, ", "factor of 'y': CategoricalCPD('y'): a row of the table"),
    ("[0.3333333333333333, ", "[NaN, ", "found NaN, expected a finite number"),
    ('"joint_family": null', '"joint_family": [1]', "joint family (1,), expected (class, super"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        *(("tan", *case) for case in IN_A_CLASSIFIER),
        *(("aode", *case) for case in IN_AN_ENSEMBLE),
        *(("resolved", *case) for case in IN_A_SUBSUMPTION),
        *(("network", *case) for case in IN_A_NETWORK),
        ("kdb", '"k_": 2', '"k_": "2"', "KDB: k_: found '2', expected a value of type Integral"),
        ("drawn", '"attributes": {"type": "dict"', '"attributes": {"type": "tuple"', "DiGraph: f"),
        ("structure", '"nodes": ["a"', '"nodes": ["b"', "Structure: found the nodes ['b', 'b']"),
        ("structure", '"value": "inf"', '"value": "1"', "Structure: float: found '1', expected"),
    ],
)
def test_broken_parts(path, documents, name, old, new, message):
    assert old in documents[name]
    path.write_text(documents[name].replace(old, new))
    assert message in failure(path)


@pytest.mark.parametrize(
    "name", ["tan", "aode", "resolved", "kdb", "drawn", "network", "structure"]
)
def test_truncated_files(path, documents, name):
    text = documents[name].rstrip()
    for end in range(0, len(text), max(1, len(text) // 60)):
        path.write_text(text[:end])
        assert "expected JSON" in failure(path)


@pytest.mark.parametrize(
    "name", ["tan", "aode", "resolved", "kdb", "drawn", "network", "structure"]
)
def test_damaged_files_are_refused_or_give_a_sound_model(path, documents, name):
    rng = random.Random(7)
    document = json.loads(documents[name])
    X, _ = load_dataset("monks-1")
    n_refused = 0
    for _ in range(150):
        path.write_text(json.dumps(damaged(document, rng)))
        try:
            model = load(path)
        except FileFormatError:
            n_refused += 1
            continue
        if hasattr(model, "predict_proba"):
            posterior = model.predict_proba(X[["a1", "a2", "a5"]])
            assert posterior.sum(axis=1) == pytest.approx(1)
    assert n_refused > 75
