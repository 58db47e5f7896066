"""Small inputs that broke other libraries: what is learned, and predictions at size."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from case_tables import numbers, states
from every_estimator import (
    OF_NUMBERS,
    SINGLE,
    for_models_of_numbers,
    require_distributions,
)
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_validate

import bnclass as bc
from bnclass.data import memory

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def table_for(model):
    """Return rows that a model takes, states where it can take them."""
    return numbers() if takes_numbers_only(model) else states()


def takes_numbers_only(model):
    return repr(model) in map(repr, OF_NUMBERS)


# ---------------------------------------------------------------- constants


@pytest.mark.parametrize("model", SINGLE, ids=repr)
@pytest.mark.parametrize("constant", ["k", True], ids=repr)
def test_an_attribute_of_one_level_changes_no_posterior_of_a_single_network(model, constant):
    frame, labels = states()
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    found = clone(model).fit(frame.assign(d=constant), labels)
    assert found.predict_proba(frame.assign(d=constant)) == pytest.approx(expected, abs=1e-12)
    factor = found.network_.factors["d"].table
    assert (factor == 1).all()


@for_models_of_numbers
def test_a_column_of_equal_numbers_changes_no_posterior(model):
    frame, labels = numbers()
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    with_constant = frame.assign(d=3.0)
    model = clone(model).fit(with_constant, labels)
    found = require_distributions(model, with_constant)
    is_a_member = isinstance(model, bc.AODE | bc.ATAN)  # the network under it is one of those
    # A row's own measures can be negative: those of a constant, 0, then come before them.
    is_a_parent = isinstance(model, bc.KST) and model.continuous == "mdl"
    if not is_a_member and not is_a_parent:
        assert found == pytest.approx(expected, abs=1e-12)
    require_distributions(model, with_constant.assign(d=5.0))


def test_a_constant_superparent_of_aode_is_naive_bayes():
    frame, labels = states()
    member = bc.AODE().fit(frame.assign(d="k"), labels).ensemble_[3]
    naive = bc.NaiveBayes().fit(frame, labels).network_
    rows = frame.assign(d="k")
    assert member.posterior(rows) == pytest.approx(naive.posterior(rows), abs=1e-12)


def test_a_constant_tells_exactly_nothing():
    frame, labels = states()
    frame = frame.assign(d="k", e=3.0)
    for continuous in ("mdl", "gaussian"):
        table = bc.TableEncoder(continuous=continuous).fit_transform(frame, labels)
        information = bc.Information(bc.SufficientStatistics.from_table(table))
        assert information.with_class[3:].tolist() == [0.0, 0.0]
        assert (information.given_class[3:] == 0).all()
        assert not np.isnan(information.given_class).any()


@for_models_of_numbers
def test_where_all_is_constant_the_answer_is_the_class_prior(model):
    labels = ["A"] * 4 + ["B"] * 2
    frame = pd.DataFrame({"a": np.full(6, 3.0), "b": np.full(6, -1.0)})
    frames = [frame] if takes_numbers_only(model) else [frame, frame.assign(a="k", b=True)]
    for constant in frames:
        found = clone(model).fit(constant, labels).predict_proba(constant)
        assert found == pytest.approx(np.tile([4.5 / 7, 2.5 / 7], (6, 1)), abs=1e-12)


# ---------------------------------------------------------------- classes of one row


@for_models_of_numbers
def test_a_class_of_one_row(model):
    for make in (states, numbers):
        if make is states and takes_numbers_only(model):
            continue
        frame, _ = make(21)
        y = np.array(["A"] * 20 + ["B"])
        fitted = clone(model).fit(frame, y)
        require_distributions(fitted, frame)
        far = numbers(5, seed=1)[0] * 1e6 if make is numbers else frame.assign(a="x", b="y")
        require_distributions(fitted, far)


def test_the_tables_of_a_class_of_one_row_come_from_smoothing():
    frame = pd.DataFrame({"a": ["u"] * 3 + ["v"]})
    table = bc.NaiveBayes().fit(frame, list("AAAB")).network_.factors["a"].table
    assert table.tolist() == [[3.5 / 4, 0.5 / 4], [0.5 / 2, 1.5 / 2]]


def test_the_variance_of_a_class_of_one_row_is_pooled():
    frame = pd.DataFrame({"a": [1.0, 2.0, 6.0, 9.0]})
    factor = bc.NaiveBayes(continuous="gaussian").fit(frame, list("AAAB")).network_.factors["a"]
    assert factor.mean.tolist() == [3.0, 9.0]
    assert factor.variance[1] == pytest.approx((14 / 3) * 3 / 4)  # within A, over all four rows


@for_models_of_numbers
@pytest.mark.filterwarnings("ignore:The least populated class:UserWarning")
def test_a_fold_without_a_class_predicts_the_others(model):
    frame, _ = table_for(model)
    y = np.array(["A", "C"] * 11 + ["B", "C"])
    scoring = ["accuracy", "neg_log_loss"]
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    for train, test in folds.split(frame, y):
        fitted = clone(model).fit(frame.iloc[train], y[train])
        assert set(fitted.classes_) == set(y[train])
        found = require_distributions(fitted, frame.iloc[test])
        assert found.shape == (len(test), len(set(y[train])))
    accuracy = cross_validate(clone(model), frame, y, cv=folds, scoring=scoring[:1])
    assert not np.isnan(accuracy["test_accuracy"]).any()


# ---------------------------------------------------------------- one class


@for_models_of_numbers
@pytest.mark.parametrize("label", ["a", 7, True], ids=repr)
def test_one_class_only(model, label):
    frame, _ = table_for(model)
    with pytest.warns(bc.BnclassWarning, match="only one class"):
        first = clone(model).fit(frame, [label] * len(frame))
    assert (first.predict_proba(frame) == 1).all()
    assert first.predict(frame).tolist() == [label] * len(frame)
    require_distributions(first, frame.iloc[:3])
    second = clone(model).fit(frame, [label] * len(frame))
    assert second._model == first._model
    for network in [first.network_] if hasattr(first, "network_") else first._model:
        scores = network.arcs()
        assert (scores.loc[scores["from"] == network.target.name, "score"] == 0).all()


# ---------------------------------------------------------------- many levels, many parents


def test_memory_grows_with_the_configurations_seen(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 20, (1000, 30)), np.arange(1000) % 2
    model = bc.KDB(k=4, categorical_features="all")
    clone(model).fit(X[:50], y[:50]).predict_proba(X[:5])  # compiles
    tracemalloc.start()
    try:
        require_distributions(model.fit(X, y), X)
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()
    bc.save(model, tmp_path / "model.json")
    for export in (bc.to_pgmpy, lambda m: bc.write_bif(m, tmp_path / "model.bif")):
        try:
            bc.set_max_memory(100 * 2**20)
            with pytest.raises(bc.BnclassError, match=r"dense tables of 27 nodes .* 18.6 GiB"):
                export(model)
        finally:
            bc.set_max_memory(None)
    assert not (tmp_path / "model.bif").exists()


# ---------------------------------------------------------------- k


@pytest.mark.parametrize("continuous", ["mdl", "gaussian"])
@pytest.mark.parametrize("k", [3, 5, 0])
@pytest.mark.parametrize("n", [3, 2, 1])
def test_k_beyond_the_attributes_is_k_in_effect(continuous, k, n):
    frame, labels = numbers()
    frame = frame.iloc[:, :n]
    model = bc.KDB(k, continuous=continuous).fit(frame, labels)
    assert model.k == k
    assert model.k_ == min(k, n - 1)
    assert clone(model).get_params() == model.get_params()
    equal = bc.KDB(None) if k else bc.NaiveBayes()
    equal = equal.set_params(continuous=continuous).fit(frame, labels)
    assert (model.predict_proba(frame) == equal.predict_proba(frame)).all()


@pytest.mark.parametrize("k", [3, 5, 0])
@pytest.mark.parametrize("n", [3, 1])
@pytest.mark.parametrize("continuous", ["mdl", "gaussian"])
@pytest.mark.parametrize("members", ["both", "global", "local"])
def test_k_of_kst_beyond_the_attributes(continuous, members, k, n):
    frame, labels = numbers()
    frame = frame.iloc[:, :n]
    model = bc.KST(k, members, continuous=continuous).fit(frame, labels)
    assert model.k == k
    other = bc.NaiveBayes() if k == 0 else bc.KST(n - 1, members)
    other = other.set_params(continuous=continuous).fit(frame, labels)
    expected = other.predict_proba(frame)
    assert require_distributions(model, frame) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("model", [bc.KDB(), bc.KST(), bc.KST(continuous="gaussian")], ids=repr)
@pytest.mark.parametrize("k", [-1, 2.5, True, "2", np.nan], ids=repr)
def test_what_is_no_k(model, k):
    with pytest.raises(ValueError, match=r"k is .*, expected"):
        clone(model).set_params(k=k).fit(*numbers())


@for_models_of_numbers
def test_no_attribute_gets_scikit_learns_error(model):
    _, labels = numbers()
    for nothing in (np.empty((24, 0)), pd.DataFrame(index=range(24))):
        with pytest.raises(ValueError, match=r"0 feature\(s\)"):
            clone(model).fit(nothing, labels)


@for_models_of_numbers
def test_one_attribute(model):
    frame, labels = table_for(model)
    frame = frame[["a"]]
    model = clone(model)
    found = require_distributions(model.fit(frame, labels), frame)
    if isinstance(model, bc.HAODE | bc.GAODE):
        return
    continuous = model.get_params()["continuous"]
    naive = bc.NaiveBayes(continuous=continuous, smoothing=0).fit(frame, labels)
    model.set_params(smoothing=0).fit(frame, labels)
    assert model.predict_proba(frame) == pytest.approx(naive.predict_proba(frame), abs=1e-12)
    assert np.isfinite(found).all()


# ---------------------------------------------------------------- copies


@pytest.mark.parametrize("copies", ["same", "renamed"])
def test_subsumption_drops_one_of_two_copies(copies):
    rng = np.random.default_rng(0)
    a, labels = np.repeat(["x", "y"], 120), rng.integers(0, 2, 240)
    frame = pd.DataFrame({"a": a, "c": rng.choice(["u", "v"], 240)})
    twin = frame["a"] if copies == "same" else frame["a"].map({"x": "r", "y": "q"})
    both = frame.assign(b=twin)
    alone = bc.AODE().fit(frame, labels)
    resolved = bc.AODE(subsumption=100).fit(both, labels)
    assert resolved.predict_proba(both) == pytest.approx(alone.predict_proba(frame), abs=1e-12)
    unresolved = bc.AODE(subsumption=121).fit(both, labels).predict_proba(both)
    assert np.abs(unresolved - alone.predict_proba(frame)).max() > 1e-6
    table = resolved.encoder_.transform(both)
    kept = resolved.ensemble_.subsumption.resolve(table).codes >= 0
    assert kept.tolist() == [[True, True, False]] * 240


@for_models_of_numbers
def test_collinear_numbers(model):
    frame, labels = numbers()
    frame = frame[["a", "b"]].assign(c=2 * frame["a"] + 1, d=frame["a"])
    model = clone(model).fit(frame, labels)
    require_distributions(model, frame)
    require_distributions(model, frame + 1e3)
    networks = [model.network_] if hasattr(model, "network_") else list(model._model)
    for network in networks:
        for factor in network.factors.values():
            if isinstance(factor, bc.CLGCPD):
                assert np.isfinite(factor.coefficients).all()
            if factor.variable.is_continuous:
                assert (factor.variance > 0).all()


# ---------------------------------------------------------------- thousands of columns


@pytest.mark.parametrize(
    "model",
    [
        bc.NaiveBayes(continuous="gaussian"),
        *(pytest.param(m, marks=pytest.mark.long) for m in (bc.NaiveBayes(), bc.SPODE(), bc.TAN())),
    ],
    ids=repr,
)
def test_2000_columns(model):
    """`tests/classifiers/test_size.py` has 5000 columns of naive Bayes, and fewer of others."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (40, 2000)), np.arange(40) % 2
    model = clone(model)
    if model.continuous == "mdl":
        model.set_params(categorical_features="all")
    require_distributions(model.fit(X, y), X)
    assert not np.isnan(model.predict_log_proba(X)).any()


def test_odds_of_aode_over_60_columns_in_exact_fractions():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (40, 60)), np.arange(40) % 2
    x, half = X[0], Fraction(1, 2)
    joint = []
    for c in (0, 1):
        members = []
        for j in range(60):
            under = X[(y == c) & (X[:, j] == x[j])]
            member = (len(under) + Fraction(1, 4)) / Fraction(41)
            for i in range(60):
                if i != j:
                    member *= (int((under[:, i] == x[i]).sum()) + half) / (len(under) + 1)
            members.append(member)
        joint.append(sum(members) / 60)
    found = bc.AODE(categorical_features="all").fit(X, y).predict_log_proba(X[:1])[0]
    assert found[1] - found[0] == pytest.approx(
        float(np.log(float(joint[1] / joint[0]))), rel=1e-10
    )


@pytest.mark.parametrize("model", [bc.TAN(), bc.AODE(), bc.KST(), bc.GAODE()], ids=repr)
def test_what_grows_with_the_square_of_the_columns_names_its_size(model, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 300)), np.arange(40) % 2
    monkeypatch.setattr(memory, "memory_limit", lambda: 10_000)
    with pytest.raises(bc.MemoryLimitError, match=r"\d+(\.\d+)? [KMGT]i?B|bytes"):
        clone(model).fit(X, y)
