"""Constraints in JSON files."""

import json

import numpy as np
import pandas as pd
import pytest
from io_networks import assert_same_classifier, passed_through
from sklearn.base import clone

import bnclass as bc

X, Y = bc.load_dataset("monks-1")
FORBIDDEN = bc.Constraints(
    forbidden=[("a1", "a2"), ("a5", "a3")], root="a3", order=["a4", "a1"], max_parents=np.int64(1)
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


@pytest.mark.parametrize(
    "model", [bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.AODE(), bc.ATAN()], ids=repr
)
def test_constraints_are_kept(path, model):
    model = clone(model).set_params(constraints=FORBIDDEN).fit(X, Y)
    loaded = passed_through(model, path)
    assert loaded.constraints == FORBIDDEN
    assert_same_classifier(loaded, model, X)
    again = clone(loaded).fit(X, Y)
    assert (again.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.filterwarnings("ignore:the file holds training data")
@pytest.mark.parametrize("members", ["both", "global", "local"])
def test_constraints_of_kst_are_kept(path, members):
    required = bc.Constraints([("a6", "a1")], [("a1", "a2")], order=["a4", "a3"])
    for constraints in (FORBIDDEN, required, bc.Constraints(), None):
        model = bc.KST(2, members, constraints=constraints).fit(X, Y)
        loaded = passed_through(model, path)
        assert loaded.constraints == constraints
        assert_same_classifier(loaded, model, X)
        if members != "global":
            assert loaded.ensemble_.local == model.ensemble_.local
            assert loaded.network_at(X.iloc[0]) == model.network_at(X.iloc[0])


@pytest.mark.filterwarnings("ignore:the file holds training data")
@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ("none", "constraints is a str, expected Constraints or None"),
        (bc.Constraints([("a9", "a1")]), "constraints, arc 'a9' -> 'a1': no attribute 'a9'"),
        (bc.Constraints([("a2", "a1"), ("a3", "a1"), ("a4", "a1")]), "required arcs 'a2' -> 'a1'"),
    ],
)
def test_broken_constraints_of_a_local_member(path, constraints, message):
    bc.save(bc.KST(constraints=FORBIDDEN).fit(X, Y), path)
    document = json.loads(path.read_text())
    if isinstance(constraints, bc.Constraints):
        arcs = [{"type": "tuple", "items": list(arc)} for arc in constraints.required]
        changed = document["model"]["ensemble_"]["local"]["constraints"]
        changed.update(required={"type": "tuple", "items": arcs}, root=None, order=[], forbidden=[])
        changed.update(max_parents=None)
    else:
        document["model"]["ensemble_"]["local"]["constraints"] = constraints
    path.write_text(json.dumps(document))
    with pytest.raises(bc.FileFormatError) as caught:
        bc.load(path)
    assert message in str(caught.value)
    assert "local" in str(caught.value)


def test_constraints_over_numbers_are_kept(path):
    numbers, species = bc.load_dataset("iris")
    constraints = bc.Constraints(forbidden=[("petal width (cm)", "petal length (cm)")])
    for model in (bc.GAODE(constraints=constraints), bc.HAODE(constraints=constraints)):
        loaded = passed_through(model.fit(numbers, species), path)
        assert loaded.constraints == constraints
        assert_same_classifier(loaded, model, numbers)


def test_what_the_file_holds(path):
    bc.save(bc.TAN(constraints=bc.Constraints(required=[("a6", "a1")])).fit(X, Y), path)
    arc = {"type": "tuple", "items": ["a6", "a1"]}
    assert json.loads(path.read_text())["model"]["parameters"]["constraints"] == {
        "type": "Constraints",
        "required": {"type": "tuple", "items": [arc]},
        "forbidden": {"type": "tuple", "items": []},
        "root": None,
        "order": {"type": "tuple", "items": []},
        "max_parents": None,
    }


def test_names_of_all_kinds(path):
    frame = X.set_axis(pd.Index([0, 7, ("b", 1), 3.5, True, -2], tupleize_cols=False), axis=1)
    constraints = bc.Constraints(required=[(("b", 1), 0)], forbidden=[(True, 7), (3.5, 0)])
    model = bc.KDB(constraints=constraints, categorical_features="all").fit(frame, Y)
    loaded = passed_through(model, path)
    assert repr(loaded.constraints) == repr(constraints)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"max_parents": -1}, "max_parents is -1, expected None or an integer of at least 0"),
        ({"required": 7}, "required is 7, expected a sequence of pairs"),
        ({"order": ["a1", "a1"]}, "order lists 'a1' twice, expected each attribute once"),
        ({"x": 1}, "found the key 'x', expected only"),
    ],
)
def test_broken_constraints(path, changed, message):
    bc.save(bc.TAN(constraints=FORBIDDEN).fit(X, Y), path)
    document = json.loads(path.read_text())
    document["model"]["parameters"]["constraints"].update(changed)
    path.write_text(json.dumps(document))
    with pytest.raises(bc.FileFormatError) as caught:
        bc.load(path)
    assert str(caught.value).startswith(f"{path}: TAN: parameters: Constraints: {message}")
