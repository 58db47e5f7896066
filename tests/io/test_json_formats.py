"""Files of earlier formats are read as what they were."""

import json
import pathlib

import numpy as np
import pandas as pd
import pytest

from bnclass.classifiers.averaged import AODE
from bnclass.classifiers.drawn import StructureClassifier
from bnclass.classifiers.kst import KST
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.graphml import read_graphml, write_graphml
from bnclass.io.json import load, save
from bnclass.io.upgrades import FORMAT, upgraded
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.structure.dag import Structure

FORMAT_1 = pathlib.Path(__file__).parent / "format_1"
PETALS = ["petal length (cm)", "petal width (cm)"]

# ---------------------------------------------------------------- written by hand


def a_variable(name, *states):
    return {
        "type": "Variable",
        "name": name,
        "kind": "discrete",
        "states": list(states),
        "source": None,
        "cuts": None,
        "fill": None,
    }


def a_table(node, parents, table):
    return {"type": "CategoricalCPD", "node": node, "parents": parents, "table": table}


VARIABLES = [a_variable("y", "no", "yes"), a_variable("a", "u", "v")]
MEMBER = {
    "nodes": ["y", "a"],
    "class_node": "y",
    "joint_family": None,
    "arcs": [["y", "a", 0.5]],
    "factors": [a_table("y", [], [[0.25, 0.75]]), a_table("a", ["y"], [[0.5, 0.5], [0.2, 0.8]])],
}
NETWORK = {"type": "BayesianNetwork", "variables": VARIABLES, **MEMBER}
ENSEMBLE = {
    "type": "NetworkEnsemble",
    "variables": VARIABLES,
    "members": [MEMBER, MEMBER],
    "weights": [1.0, 3.0],
    "membership": {
        "type": "SuperparentSeen",
        "min_count": 1,
        "superparents": ["a", "a"],
        "counts": [[5.0, 0.0], [5.0, 7.0]],
    },
    "fallback": MEMBER,
}
ENCODER = {
    "type": "TableEncoder",
    "categorical_features": "from_dtype",
    "continuous": "mdl",
    "missing": "marginalize",
    "columns": ["a"],
    "means": {"type": "dict", "items": []},
    "classes": {"type": "array", "dtype": "|O", "shape": [2], "values": ["no", "yes"]},
    "attributes": VARIABLES[1:],
    "target": VARIABLES[0],
}
PARAMETERS = {
    "categorical_features": "from_dtype",
    "continuous": "mdl",
    "missing": "marginalize",
    "smoothing": 1.0,
}
CLASSIFIER = {
    "type": "NaiveBayes",
    "parameters": PARAMETERS,
    "n_features_in_": 1,
    "feature_names_in_": {"type": "array", "dtype": "|O", "shape": [1], "values": ["a"]},
    "encoder_": ENCODER,
    "network_": NETWORK,
}
AVERAGED = {
    **{key: value for key, value in CLASSIFIER.items() if key != "network_"},
    "type": "AODE",
    "parameters": {**PARAMETERS, "min_count": 1},
    "ensemble_": ENSEMBLE,
}


def expected_network():
    y, a = Variable("y", states=("no", "yes")), Variable("a", states=("u", "v"))
    return BayesianNetwork(
        Structure.from_arcs(["y", "a"], [("y", "a")], "y"),
        [CategoricalCPD(y, (), [0.25, 0.75]), CategoricalCPD(a, (y,), [[0.5, 0.5], [0.2, 0.8]])],
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def loaded(path, model):
    path.write_text(json.dumps({"format": 1, "model": model}))
    return load(path)


def test_a_network_of_format_1(path):
    assert loaded(path, NETWORK) == expected_network()


def test_an_ensemble_of_format_1(path):
    ensemble = loaded(path, ENSEMBLE)
    network = expected_network()
    expected = NetworkEnsemble([network] * 2, [1, 3], ensemble.membership, network)
    assert ensemble == expected
    assert dict(ensemble.resolutions) == {}
    assert (ensemble.average, ensemble.subsumption) == ("joint", None)
    assert [counts.tolist() for counts in ensemble.membership.counts] == [[5, 0], [5, 7]]


@pytest.mark.parametrize("model", [CLASSIFIER, AVERAGED], ids=lambda model: model["type"])
def test_a_classifier_of_format_1(path, model):
    classifier = loaded(path, model)
    assert type(classifier).__name__ == model["type"]
    assert (classifier.encoder_.views, classifier.encoder_.views_) == (None, ())
    rows = pd.DataFrame({"a": ["u", "v", None]})
    by_hand = [[0.125 / 0.275, 0.15 / 0.275], [0.125 / 0.725, 0.6 / 0.725], [0.25, 0.75]]
    assert classifier.predict_proba(rows) == pytest.approx(np.array(by_hand), abs=1e-12)


def test_a_structure_of_format_1(path):
    structure = {"type": "Structure", **{k: MEMBER[k] for k in MEMBER if k != "factors"}}
    assert loaded(path, structure) == expected_network().structure


def test_what_is_saved_again_is_of_the_present_format(path):
    classifier = loaded(path, AVERAGED)
    save(classifier, path)
    document = json.loads(path.read_text())
    assert document["format"] == FORMAT
    assert document == upgraded({"format": 1, "model": AVERAGED}) | {"model": document["model"]}
    again = load(path)
    assert again.ensemble_ == classifier.ensemble_


def test_the_document_itself_stays_as_it_was():
    document = {"format": 1, "model": AVERAGED}
    before = json.dumps(document)
    assert upgraded(document)["model"]["encoder_"]["views_"] == []
    assert json.dumps(document) == before


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (7, "found 7, expected a model"),
        ({"type": []}, "found the type [], expected one of"),
        ({**ENSEMBLE, "weights": [1.0]}, "NetworkEnsemble: found [1.0], expected a list of 2"),
        ({**CLASSIFIER, "encoder_": 7}, "NaiveBayes: encoder_: found 7, expected a value of type"),
        ({**CLASSIFIER, "encoder_": {}}, "NaiveBayes: encoder_: found the type None, expected"),
        ({**CLASSIFIER, "n": 1}, "NaiveBayes: found the key 'n', expected only"),
    ],
)
def test_broken_files_of_format_1(path, model, message):
    with pytest.raises(FileFormatError) as caught:
        loaded(path, model)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_deep_nesting_in_format_1(path):
    nested = '{"type": "AODE", "encoder_": ' * 400 + "0" + "}" * 400
    path.write_text('{"format": 1, "model": ' + nested + "}")
    with pytest.raises(FileFormatError):
        load(path)


# ---------------------------------------------------------------- written by earlier versions

# The posteriors of rows 0, 70 and 77 that the models had when they were written.
WRITTEN = {
    "naive_bayes": (
        NaiveBayes(missing="state"),
        [
            [0.9999122922422488, 4.385387887558655e-05, 4.385387887558655e-05],
            [4.949269982677559e-05, 0.003761445186834942, 0.9961890621133382],
            [0.00019301293186643515, 0.5427523644084153, 0.4570546226597182],
        ],
    ),
    "tan": (
        TAN(),
        [
            [0.9955464349648518, 0.002226782517574118, 0.002226782517574118],
            [0.0024130275912469155, 0.026198585276395077, 0.971388387132358],
            [0.01206147908194914, 0.5238128058446482, 0.4641257150734028],
        ],
    ),
    "kdb": (
        KDB(k=1),
        [
            [0.9955464349648518, 0.002226782517574118, 0.002226782517574118],
            [0.0024325753569539935, 0.019460602855631934, 0.978106821787414],
            [0.012044323109041277, 0.5704191424441947, 0.4175365344467641],
        ],
    ),
    "aode": (
        AODE(),
        [
            [0.9985044646129936, 0.0007477676935032191, 0.0007477676935032191],
            [0.000814326810693597, 0.020939832274978233, 0.9782458409143283],
            [0.004134444251941216, 0.5522672504764455, 0.44359830527161326],
        ],
    ),
    "drawn": (
        StructureClassifier(),
        [
            [0.9955464349648518, 0.002226782517574118, 0.002226782517574118],
            [0.0024130275912469155, 0.026198585276395077, 0.971388387132358],
            [0.01206147908194914, 0.5238128058446482, 0.4641257150734028],
        ],
    ),
}

WRITTEN_IN_2 = {
    "gaode": (
        GAODE(),
        [
            [0.9999999992972717, 7.02728282161403e-10, 1.510885151549641e-18],
            [9.673025823987364e-99, 0.15326096078195603, 0.8467390392180439],
            [5.181319926921435e-104, 0.504474418747134, 0.4955255812528661],
        ],
    ),
    "haode": (
        HAODE(),
        [
            [0.9999999999493894, 5.052532626806741e-11, 8.516070160361917e-14],
            [4.0314488582251e-51, 0.07960727663601955, 0.9203927233639805],
            [4.304854814959683e-45, 0.4041048516256263, 0.5958951483743737],
        ],
    ),
    "kst": (
        KST(k=1),
        [
            [0.9955464349648518, 0.002226782517574118, 0.002226782517574118],
            [0.0024130275912469133, 0.026198585276395066, 0.971388387132358],
            [0.012061479081949137, 0.5238128058446483, 0.46412571507340267],
        ],
    ),
    "tan": (
        TAN(continuous="gaussian"),
        [
            [0.9999999992972717, 7.02728282161403e-10, 1.5108851515496518e-18],
            [9.673025823987365e-99, 0.15326096078195592, 0.846739039218044],
            [5.181319926921434e-104, 0.5044744187471338, 0.4955255812528662],
        ],
    ),
    "aode": (
        AODE(subsumption=5),
        [
            [0.9955849889624725, 0.002207505518763798, 0.002207505518763798],
            [0.0023980815347721804, 0.023980815347721812, 0.973621103117506],
            [0.004134444251941216, 0.5522672504764455, 0.44359830527161326],
        ],
    ),
}


@pytest.mark.filterwarnings("ignore:the file holds training data:bnclass.BnclassWarning")
@pytest.mark.parametrize(
    ("number", "name"), [*((1, name) for name in WRITTEN), *((2, name) for name in WRITTEN_IN_2)]
)
def test_models_that_an_earlier_version_wrote(path, number, name):
    model, posterior = (WRITTEN if number == 1 else WRITTEN_IN_2)[name]
    file = FORMAT_1.with_name(f"format_{number}") / f"{name}.json"
    assert json.loads(file.read_text())["format"] == number
    old = load(file)
    rows = load_dataset("iris")[0][PETALS].iloc[[0, 70, 77]]
    assert old.predict_proba(rows) == pytest.approx(np.array(posterior), abs=1e-12)
    assert type(old) is type(model)
    if name != "drawn":
        assert old.get_params() == model.get_params()
    save(old, path)
    assert (load(path).predict_proba(rows) == old.predict_proba(rows)).all()


def test_a_graph_that_an_earlier_version_wrote(tmp_path):
    file = FORMAT_1 / "tan.graphml"
    assert "&quot;format&quot;: 1" in file.read_text() or '"format": 1' in file.read_text()
    network = read_graphml(file)
    assert network == load(FORMAT_1 / "tan.json").network_
    write_graphml(network, tmp_path / "again.graphml")
    assert read_graphml(tmp_path / "again.graphml") == network


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('attr.name="table"', 'attr.name="x"', "node 'class': found no attribute 'table'"),
        ('"rows"', '"row"', "node 'class': found no 'rows', expected the keys ['parents', 'rows']"),
        ('"parents": []', '"parents": ["z"]', "node 'class': factor of 'class': no variable 'z'"),
    ],
)
def test_broken_graphs_of_format_1(tmp_path, old, new, message):
    path = tmp_path / "broken.graphml"
    text = (FORMAT_1 / "tan.graphml").read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError) as caught:
        read_graphml(path)
    assert str(caught.value).startswith(f"{path}: {message}")
