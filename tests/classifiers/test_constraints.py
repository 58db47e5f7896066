"""Estimators under constraints."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import bnclass as bc

X, Y = bc.load_dataset("monks-1")
FORBIDDEN = bc.Constraints(forbidden=[("a1", "a2"), ("a2", "a1"), ("a5", "a3")])
REQUIRED = bc.Constraints(required=[("a6", "a1"), ("a6", "a2")])


def between(structure):
    """Return the arcs between attributes."""
    return [(u, v) for u, v in structure.arcs if u != structure.class_node]


@pytest.mark.parametrize("model", [bc.SPODE("a6"), bc.SPODE(), bc.TAN(), bc.KDB(1)], ids=repr)
def test_required_arcs_are_there(model):
    fitted = clone(model).set_params(constraints=REQUIRED).fit(X, Y)
    assert set(REQUIRED.required) <= set(between(fitted.network_.structure))
    assert np.allclose(fitted.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    "model", [bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.KDB(None)], ids=repr
)
def test_forbidden_arcs_are_not(model):
    fitted = clone(model).set_params(constraints=FORBIDDEN).fit(X, Y)
    assert not set(FORBIDDEN.forbidden) & set(fitted.network_.structure.arcs)


def test_forbidden_arcs_are_in_no_network_of_aode():
    model = bc.AODE(constraints=FORBIDDEN).fit(X, Y)
    by_superparent = {
        member.structure.joint_family[1]: between(member.structure) for member in model.ensemble_
    }
    assert list(by_superparent) == list(X.columns)
    assert by_superparent["a5"] == [("a5", name) for name in ("a1", "a2", "a4", "a6")]
    assert len(by_superparent["a3"]) == 5
    rows = model.encoder_.transform(X)
    graph = model.ensemble_.log_joint(rows, engine="graph")
    assert np.allclose(model.predict_joint_log_proba(X), graph, rtol=0, atol=1e-10)


def test_aode_without_any_arc_is_naive_bayes_without_smoothing():
    parameters = {"smoothing": 0, "constraints": bc.Constraints(max_parents=0)}
    aode, naive_bayes = bc.AODE(**parameters).fit(X, Y), bc.NaiveBayes(smoothing=0).fit(X, Y)
    assert np.allclose(aode.predict_proba(X), naive_bayes.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("model", [bc.NaiveBayes(), bc.AODE()], ids=repr)
def test_models_that_cannot_hold_a_required_arc(model):
    with pytest.raises(bc.StructureError, match="required arcs 'a6' -> 'a1'"):
        clone(model).set_params(constraints=REQUIRED).fit(X, Y)


@pytest.mark.parametrize(
    "model", [bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.AODE(), bc.ATAN()], ids=repr
)
def test_empty_constraints_change_no_bit(model):
    expected = clone(model).fit(X, Y).predict_proba(X)
    found = clone(model).set_params(constraints=bc.Constraints()).fit(X, Y).predict_proba(X)
    assert (found == expected).all()


def test_a_clone_has_equal_constraints():
    model = bc.TAN("a1", constraints=FORBIDDEN)
    assert model.get_params()["constraints"] is FORBIDDEN
    assert clone(model).get_params() == model.get_params()
    assert len(cross_val_score(model, X, Y, cv=2)) == 2


def test_the_k_in_effect():
    assert bc.KDB(3, constraints=bc.Constraints(max_parents=1)).fit(X, Y).k_ == 1
    assert bc.KDB(None, constraints=bc.Constraints(max_parents=9)).fit(X, Y).k_ == 5
    assert bc.KDB(3, constraints=bc.Constraints()).fit(X, Y).k_ == 3


def test_the_warning_of_a_forest_names_the_users_line():
    apart = [("a1", name) for name in X.columns[1:]] + [(name, "a1") for name in X.columns[1:]]
    model = bc.TAN(constraints=bc.Constraints(forbidden=apart))
    with pytest.warns(bc.BnclassWarning, match=r"\['a1', 'a2'\] are roots") as caught:
        model.fit(X, Y)
    assert caught[0].filename == __file__
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_no_attribute_parents_at_all_is_no_forest_to_report():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = bc.TAN(constraints=bc.Constraints(max_parents=0)).fit(X, Y)
    assert between(model.network_.structure) == []


def test_integer_names_and_array_columns():
    frame = X.set_axis(range(6), axis=1)
    model = bc.TAN(constraints=bc.Constraints(required=[(5, 0)])).fit(frame, Y)
    assert (5, 0) in model.network_.structure.arcs
    model = bc.TAN(constraints=bc.Constraints(required=[("x5", "x0")])).fit(X.to_numpy(), Y)
    assert ("x5", "x0") in model.network_.structure.arcs


def test_a_column_left_out_as_wholly_missing_can_have_no_arc():
    frame = X.assign(a6=None)
    with (
        pytest.warns(bc.BnclassWarning, match="a6"),
        pytest.raises(bc.StructureError, match="arc 'a6' -> 'a1': no attribute 'a6'"),
    ):
        bc.TAN(constraints=REQUIRED).fit(frame, Y)


def test_two_columns_with_an_arc_the_other_way_than_the_root():
    frame = pd.DataFrame({"a": list("uuvv"), "b": list("uvvv")})
    model = bc.TAN(constraints=bc.Constraints(required=[("b", "a")])).fit(frame, list("klkl"))
    assert between(model.network_.structure) == [("b", "a")]


def test_an_attribute_equal_to_the_class():
    frame = X.assign(copy=Y.astype(str))
    model = bc.TAN(constraints=bc.Constraints(root="copy", required=[("copy", "a1")]))
    structure = model.fit(frame, Y).network_.structure
    assert structure.graph.edges["copy", "a1"]["score"] == 0.0
    assert structure.parents("copy") == (structure.class_node,)


def test_every_tree_of_atan_has_the_required_arcs():
    model = bc.ATAN(constraints=REQUIRED).fit(X, Y)
    assert len(model.ensemble_) > 1
    for member in model.ensemble_:
        assert set(REQUIRED.required) <= set(member.structure.arcs)
