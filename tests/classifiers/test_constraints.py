"""Estimators under constraints."""

import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import averages, constrained, kst_measures
from oracle import smoothing as oracle_smoothing
from oracle.posteriors import Network, joint
from oracle.tables import make_table
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


NUMBERS, SPECIES = bc.load_dataset("iris")
NO_LENGTH = bc.Constraints(
    forbidden=[("petal width (cm)", "petal length (cm)"), ("sepal width (cm)", "sepal length (cm)")]
)


@pytest.mark.parametrize("model", [bc.GAODE(), bc.HAODE()], ids=repr)
def test_forbidden_arcs_are_in_no_network_over_numbers(model):
    free = model.fit(NUMBERS, SPECIES)
    expected = [between(member.structure) for member in free.ensemble_]
    bound = clone(model).set_params(constraints=NO_LENGTH).fit(NUMBERS, SPECIES)
    binned = {f"{name} (binned)": name for name in NUMBERS.columns}
    for member, arcs in zip(bound.ensemble_, expected, strict=True):
        kept = [(u, v) for u, v in arcs if (binned.get(u, u), v) not in NO_LENGTH.forbidden]
        assert between(member.structure) == kept
    rows = bound.encoder_.transform(NUMBERS)
    graph = bound.ensemble_.log_joint(rows, engine="graph")
    assert np.allclose(bound.predict_joint_log_proba(NUMBERS), graph, rtol=0, atol=1e-9)
    assert bound.score(NUMBERS, SPECIES) > 0.9


def test_states_and_numbers_under_haode():
    frame = NUMBERS.assign(kind=["a", "b"] * 75)
    model = bc.HAODE(constraints=bc.Constraints(forbidden=[("kind", "petal width (cm)")]))
    by_superparent = {
        member.structure.joint_family[1]: between(member.structure)
        for member in model.fit(frame, SPECIES).ensemble_
    }
    assert len(by_superparent) == 5
    assert by_superparent["kind"] == [("kind", name) for name in NUMBERS.columns[:3]]
    assert len(by_superparent["petal width (cm) (binned)"]) == 4
    refused = bc.HAODE(constraints=bc.Constraints(required=[("petal width (cm)", "kind")]))
    with pytest.raises(bc.StructureError, match="a discrete node with a continuous parent"):
        refused.fit(frame, SPECIES)


@pytest.mark.parametrize("model", [bc.GAODE(), bc.HAODE()], ids=repr)
def test_numbers_with_a_required_arc(model):
    constraints = bc.Constraints(required=[("petal width (cm)", "petal length (cm)")])
    with pytest.raises(bc.StructureError, match="required arcs 'petal width"):
        clone(model).set_params(constraints=constraints).fit(NUMBERS, SPECIES)


@pytest.mark.parametrize("model", [bc.GAODE(), bc.HAODE()], ids=repr)
def test_empty_constraints_change_no_bit_of_numbers(model):
    expected = clone(model).fit(NUMBERS, SPECIES).predict_proba(NUMBERS)
    bound = clone(model).set_params(constraints=bc.Constraints()).fit(NUMBERS, SPECIES)
    assert (bound.predict_proba(NUMBERS) == expected).all()


@pytest.mark.parametrize("model", [bc.NaiveBayes(), bc.AODE()], ids=repr)
def test_models_that_cannot_hold_a_required_arc(model):
    with pytest.raises(bc.StructureError, match="required arcs 'a6' -> 'a1'"):
        clone(model).set_params(constraints=REQUIRED).fit(X, Y)


@pytest.mark.parametrize(
    "model",
    [
        bc.NaiveBayes(),
        bc.SPODE(),
        bc.TAN(),
        bc.KDB(),
        bc.AODE(),
        bc.ATAN(),
        bc.KST(),
        bc.KST(members="local"),
        bc.KST(members="global"),
    ],
    ids=repr,
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


# ---------------------------------------------------------------- KST

OF_KST = bc.Constraints(
    required=[("a6", "a1")], forbidden=[("a5", "a3"), ("a2", "a4")], order=["a3", "a2"]
)
WANTED = constrained.Wanted(6, required=((5, 0),), forbidden=((4, 2), (1, 3)), order=(2, 1))


@pytest.mark.parametrize("average", ["joint", "posterior"])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("dependence", kst_measures.DEPENDENCES)
def test_kst_is_the_oracles(dependence, k, average):
    rng = np.random.default_rng(k)
    frame = X.mask(rng.random(X.shape) < 0.1).iloc[::4]
    labels = Y.iloc[::4]
    model = bc.KST(k, dependence=dependence, average=average, constraints=OF_KST)
    model.fit(frame, labels)
    encoded = model.encoder_.transform(frame)
    rows = [tuple(None if c < 0 else c for c in row) for row in encoded.codes.tolist()]
    domains = [tuple(range(v.card)) for v in encoded.variables]
    codes = model.encoder_.schema_.target.states
    table = make_table(rows, [codes.index(y) for y in labels.tolist()], None, domains)
    smoothing = oracle_smoothing.MEstimate(1)
    of_all = constrained.kst(WANTED, kst_measures.global_measures(table, dependence), k)
    asked = frame.iloc[:6]
    for row, found in zip(rows[:6], model.predict_proba(asked), strict=True):
        of_row = constrained.kst(WANTED, kst_measures.local_measures(table, row, dependence), k)
        members = [
            (1, joint(Network(table, parents, smoothing), row)) for parents in (of_all, of_row)
        ]
        expected = averages.averaged(table, smoothing, members, average)
        assert found == pytest.approx(expected, abs=1e-9)


def test_both_networks_of_kst_keep_them():
    model = bc.KST(constraints=OF_KST).fit(X, Y)
    for structure in (model.ensemble_[0].structure, model.network_at(X.iloc[0]).structure):
        assert ("a6", "a1") in structure.arcs
        assert not set(OF_KST.forbidden) & set(structure.arcs)
        assert ("a2", "a3") not in structure.arcs
    row = {"a1": "1", "a2": "1", "a3": "1", "a4": "1", "a5": "1", "a6": None}
    structure = model.network_at(row).structure
    assert structure.attributes == ("a1", "a2", "a3", "a4", "a5")
    assert ("a5", "a3") not in structure.arcs
    assert pickle.loads(pickle.dumps(model)).ensemble_ == model.ensemble_


@pytest.mark.parametrize("members", ["both", "global", "local"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"required": [("a6", "a1"), ("a5", "a1")]}, "'a6' -> 'a1', 'a5' -> 'a1' give 'a1' 2"),
        ({"forbidden": [("a6", "z")]}, "arc 'a6' -> 'z': no attribute 'z'"),
    ],
)
def test_kst_refuses_before_it_learns(members, given, message):
    model = bc.KST(1, members, constraints=bc.Constraints(**given))
    with pytest.raises(bc.StructureError, match=message):
        model.fit(X, Y)
    assert not hasattr(model, "ensemble_")


def test_kst_of_no_arcs_is_naive_bayes():
    model = bc.KST(constraints=bc.Constraints(max_parents=0)).fit(X, Y)
    assert np.allclose(
        model.predict_proba(X), bc.NaiveBayes().fit(X, Y).predict_proba(X), atol=1e-12
    )


def test_a_strict_order_of_kst():
    order = list(X.columns[::-1])
    model = bc.KST(2, constraints=bc.Constraints(order=order)).fit(X, Y)
    full = [*itertools.combinations(order, 2)]
    for structure in (model.ensemble_[0].structure, model.network_at(X.iloc[7]).structure):
        assert set(between(structure)) <= set(full)
        assert len(between(structure)) == 9


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
def test_what_constraints_say_of_a_column_without_a_value_waits_for_one():
    late = pd.Series([None, None, "x", "z"], dtype=object)
    X, y = pd.DataFrame({"a": list("uvuv"), "b": list("pqqp"), "c": late}), [0, 1, 1, 0]
    rules = bc.Constraints(forbidden=[("a", "c")], required=[("a", "b")], order=["c", "a"])
    first = bc.TAN(constraints=rules).partial_fit(X[:2], y[:2], classes=[0, 1])
    assert ("a", "b") in first.network_.structure.arcs
    whole = bc.TAN(constraints=rules).fit(X, y).network_
    assert first.partial_fit(X[2:], y[2:]).network_ == whole
    with pytest.raises(bc.StructureError, match="no attribute 'd'"):
        bc.TAN(constraints=bc.Constraints(root="d")).fit(X[:2], y[:2])
