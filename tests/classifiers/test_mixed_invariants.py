"""What must not change a model of numbers, and models that are the same, for every classifier."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_frames import ANY_KIND, EVERY_MODEL, kinds_for, random_frame, with_holes
from scipy.stats import multivariate_normal
from sklearn.base import clone

import bnclass as bc

for_each_model = pytest.mark.parametrize("model", EVERY_MODEL, ids=repr)
for_models_of_any_kind = pytest.mark.parametrize("model", ANY_KIND, ids=repr)
pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
seeds = st.integers(0, 2**32 - 1)


def posteriors(model, frame, labels, asked, weights=None):
    return model.fit(frame, labels, sample_weight=weights).predict_proba(asked)


# ---------------------------------------------------------------- units


@for_each_model
@settings(max_examples=6, deadline=None)
@given(seed=seeds, holes=st.sampled_from([0.0, 0.1]), spread=st.sampled_from([0.1, 1.0, 30.0]))
def test_units_and_origins_change_no_posterior(model, seed, holes, spread):
    frame, labels = random_frame(seed, kinds_for(model), holes=holes)
    for name in frame.select_dtypes("number"):
        frame[name] *= spread / np.ptp(frame[name].dropna())
    asked = with_holes(frame, seed)
    expected = posteriors(model, frame, labels, asked)
    changes = [(1e-6, 0.0), (1e6, 0.0)]
    if getattr(model, "variance", None) != "hugin":  # whose means are uncentred by definition
        changes.append((1.0, 1e6))
    for a, b in changes:
        other, query = frame.assign(x2=a * frame["x2"] + b), asked.assign(x2=a * asked["x2"] + b)
        assert posteriors(model, other, labels, query) == pytest.approx(expected, abs=1e-6)


@for_each_model
def test_ties_stay_ties_in_any_unit_and_at_any_origin(model):
    """x0 and x1 have the same values in every class, so that nothing tells them apart."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 8, (3, 10)).astype(float)
    again = np.array([rng.permutation(row) for row in values])
    frame = pd.DataFrame({"x0": values.ravel(), "x1": again.ravel()})
    frame["x2"] = frame["x0"] + rng.integers(0, 4, 30)
    frame["x3"] = frame["x1"] + rng.integers(0, 4, 30)
    labels = np.repeat(["k", "l", "m"], 10)
    expected = posteriors(model, frame, labels, frame)
    for a, b in [(1e-6, 0), (1e6, 0), (1, 1e6)]:
        if b and getattr(model, "variance", None) == "hugin":
            continue
        for name in ("x0", "x1"):
            other = frame.assign(**{name: a * frame[name] + b})
            found = posteriors(model, other, labels, other)
            assert found == pytest.approx(expected, abs=1e-6)


# ---------------------------------------------------------------- rows


@for_each_model
@settings(max_examples=10, deadline=None)
@given(seed=seeds, holes=st.sampled_from([0.0, 0.2]))
def test_integer_weights_are_repeated_rows(model, seed, holes):
    frame, labels = random_frame(seed, kinds_for(model), t=25, holes=holes)
    weights = np.random.default_rng(seed).integers(0, 4, len(frame))
    weighted = posteriors(model, frame, labels, frame, weights)
    repeated = frame.loc[frame.index.repeat(weights)]
    found = posteriors(model, repeated, np.repeat(labels, weights), frame)
    assert found == pytest.approx(weighted, abs=1e-9)


@for_each_model
@settings(max_examples=10, deadline=None)
@given(seed=seeds, holes=st.sampled_from([0.0, 0.2]), weighted=st.booleans())
def test_row_order_changes_nothing(model, seed, holes, weighted):
    frame, labels = random_frame(seed, kinds_for(model), t=25, holes=holes)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 2, len(frame)) if weighted else None
    order = rng.permutation(len(frame))
    expected = posteriors(model, frame, labels, frame, weights)
    shuffled = None if weights is None else weights[order]
    found = posteriors(model, frame.iloc[order], labels[order], frame, shuffled)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kinds", ["nsnns", "nnnn"])
@pytest.mark.parametrize("holes", [0.0, 0.2])
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_chunks_merge_to_one_pass(kinds, holes, seed):
    frame, labels = random_frame(seed, kinds, holes=holes)
    table = bc.TableEncoder(continuous="gaussian").fit_transform(frame, labels)
    whole = bc.SufficientStatistics.from_table(table)
    parts = [bc.SufficientStatistics.from_table(table.rows(slice(i, None, 3))) for i in range(3)]
    merged = parts[0].merge(parts[1]).merge(parts[2])
    learners = [bc.NaiveBayesLearner(), bc.SPODELearner(), bc.TANLearner(), bc.KDBLearner(1)]
    if kinds == "nnnn" and not holes:
        learners.append(bc.KDBLearner(None))  # pairs are enough: all rows are complete
    for learner in learners:
        structure = learner.learn(whole)
        assert learner.learn(merged).arcs == structure.arcs
        one, other = (bc.BayesianNetwork.fit(structure, s) for s in (whole, merged))
        assert other.log_joint(table) == pytest.approx(one.log_joint(table), rel=1e-9, abs=1e-9)


@for_models_of_any_kind
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_an_unseen_state_is_a_missing_one(model, seed):
    frame, labels = random_frame(seed, "nsnns", holes=0.1)
    model.fit(frame, labels)
    for name in ("x1", "x4"):
        unseen = frame.assign(**{name: pd.Series("never seen", frame.index, dtype=object)})
        empty = frame.assign(**{name: pd.Series(None, frame.index, dtype=object)})
        assert (model.predict_proba(unseen) == model.predict_proba(empty)).all()


@for_each_model
def test_a_row_is_answered_alike_in_any_company(model):
    """Blocks of rows run in threads, each row by itself must not notice."""
    frame, labels = random_frame(3, kinds_for(model), t=10_000)
    model.fit(frame.iloc[:300], labels[:300])
    frame = with_holes(frame, 3, share=0.01)
    table = model.encoder_.transform(frame)
    together = model._model.log_joint(table)
    for size, rows in ((1, 300), (97, 2_000), (4_097, 10_000)):
        parts = [table.rows(slice(i, min(i + size, rows))) for i in range(0, rows, size)]
        apart = np.concatenate([model._model.log_joint(part) for part in parts])
        assert (apart == together[:rows]).all()
    assert (model.predict_proba(frame.iloc[:1]) == model.predict_proba(frame)[:1]).all()


# ---------------------------------------------------------------- models that are the same


@pytest.mark.parametrize(
    ("mdl", "gaussian"),
    [
        (m(continuous="mdl"), m(continuous="gaussian"))
        for m in (bc.NaiveBayes, bc.SPODE, bc.TAN, bc.KDB, bc.StructureClassifier)
    ],
    ids=repr,
)
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_without_numbers_gaussian_models_are_discrete_ones(mdl, gaussian, seed):
    frame, labels = random_frame(seed, "ssss", holes=0.1)
    expected = posteriors(mdl, frame, labels, frame)
    assert (posteriors(gaussian, frame, labels, frame) == expected).all()
    assert gaussian.network_ == mdl.network_


@settings(max_examples=10, deadline=None)
@given(seed=seeds, min_count=st.sampled_from([0, 1, 4]), smoothing=st.sampled_from([0, 1.0]))
def test_haode_without_numbers_is_aode(seed, min_count, smoothing):
    frame, labels = random_frame(seed, "ssss", holes=0.1)
    haode, aode = (m(min_count, smoothing=smoothing) for m in (bc.HAODE, bc.AODE))
    expected = posteriors(aode, frame, labels, frame)
    assert posteriors(haode, frame, labels, frame) == pytest.approx(expected, abs=1e-12)
    assert haode.ensemble_ == aode.ensemble_


@settings(max_examples=10, deadline=None)
@given(seed=seeds, kinds=st.sampled_from(["nsnns", "nnn", "sss"]))
def test_kdb_without_parents_is_naive_bayes(seed, kinds):
    frame, labels = random_frame(seed, kinds, holes=0.1)
    naive = bc.NaiveBayes(continuous="gaussian")
    expected = posteriors(naive, frame, labels, frame)
    zero = bc.KDB(0, continuous="gaussian")
    assert (posteriors(zero, frame, labels, frame) == expected).all()
    assert posteriors(bc.HAODE(1000), frame, labels, frame) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("variance", ["conditional", "hugin"])
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_gaode_of_one_column_is_naive_bayes(variance, seed):
    frame, labels = random_frame(seed, "n", holes=0.1)
    expected = posteriors(bc.NaiveBayes(continuous="gaussian"), frame, labels, frame)
    found = posteriors(bc.GAODE(variance), frame, labels, frame)
    assert found == pytest.approx(expected, abs=1e-12)


@settings(max_examples=10, deadline=None)
@given(seed=seeds, n=st.integers(1, 5))
def test_the_full_network_is_a_normal_density_in_each_class(seed, n):
    frame, labels = random_frame(seed, "n" * n, t=60)
    model = bc.KDB(None, continuous="gaussian").fit(frame, labels)
    prior = model.network_.factors["class"].table
    asked = with_holes(frame, seed)
    asked.iloc[0] = np.nan
    found = model.predict_joint_log_proba(asked)
    for c, label in enumerate(model.classes_):
        own = frame[labels == label].to_numpy()
        mean, covariance = own.mean(axis=0), np.atleast_2d(np.cov(own.T, bias=True))
        for row, log in zip(asked.to_numpy(), found[:, c], strict=True):
            seen = ~np.isnan(row)
            expected = np.log(prior[c])
            if seen.any():
                at, block = row[seen], covariance[np.ix_(seen, seen)]
                expected += multivariate_normal.logpdf(at, mean[seen], block)
            assert log == pytest.approx(expected, abs=1e-9)


# ---------------------------------------------------------------- the CLG rule


@settings(max_examples=10, deadline=None)
@given(seed=seeds, kinds=st.text("ns", min_size=1, max_size=7))
def test_no_state_depends_on_a_number(seed, kinds):
    frame, labels = random_frame(seed, kinds, holes=0.1)
    models = [m for m in ANY_KIND if not isinstance(m, bc.HAODE)]
    networks = [m.fit(frame, labels).network_ for m in models]
    haode = bc.HAODE().fit(frame, labels).ensemble_
    for network in (*networks, *haode):
        for factor in network.factors.values():
            if not factor.variable.is_continuous:
                assert not any(p.is_continuous for p in factor.parents)
    for number in [f"x{i}" for i, kind in enumerate(kinds) if kind == "n" and "s" in kinds]:
        for model in (bc.TAN(number), bc.SPODE(number)):
            model.set_params(continuous="gaussian")
            with pytest.raises(bc.StructureError, match=f"{number!r}, a continuous attribute"):
                model.fit(frame, labels)


# ---------------------------------------------------------------- estimators


@for_each_model
def test_copies_answer_alike(model):
    frame, labels = random_frame(5, kinds_for(model), holes=0.1)
    expected = posteriors(model, frame, labels, frame)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(frame) == expected).all()
    fresh = clone(model)
    assert not hasattr(fresh, "classes_")
    assert repr(fresh.get_params()) == repr(model.get_params())
    assert (posteriors(fresh, frame, labels, frame) == expected).all()
