"""Underflow, ties and size: thousands of columns, a thousand classes, tiny probabilities."""

from fractions import Fraction

import numpy as np
import pytest

import bnclass as bc

DISCRETE = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(),
    bc.KDB(k=4),
    bc.AODE(),
    bc.AODE(subsumption=1),
    bc.ATAN(),
    bc.ATAN("mutual-information"),
    bc.KST(),
    bc.KST(average="posterior"),
    bc.StructureClassifier(),
]
NUMERIC = [
    bc.NaiveBayes(continuous="gaussian"),
    bc.TAN(continuous="gaussian"),
    bc.KDB(continuous="gaussian"),
    bc.ATAN(continuous="gaussian"),
    bc.GAODE(),
    bc.HAODE(),
]


def check_posterior(posterior):
    assert np.isfinite(posterior).all()
    assert (posterior >= 0).all()
    assert posterior.sum(axis=1) == pytest.approx(np.ones(len(posterior)), abs=1e-12)


def fresh(model, **parameters):
    return type(model)(**{**model.get_params(), "categorical_features": "all", **parameters})


# ---------------------------------------------------------------- underflow


@pytest.mark.parametrize("model", DISCRETE, ids=repr)
@pytest.mark.parametrize("smoothing", [1e-300, 0.0])
def test_probabilities_of_1e_300(model, smoothing):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = np.where(rng.random((40, 12)) < 0.5, y[:, np.newaxis], 0) + rng.integers(0, 2, (40, 12))
    model = fresh(model, smoothing=smoothing).fit(X, y)
    rows = rng.integers(0, 3, (200, 12))
    posterior = model.predict_proba(rows)
    check_posterior(posterior)
    assert (model.predict(rows) == model.classes_[posterior.argmax(axis=1)]).all()
    assert not np.isnan(model.predict_log_proba(rows)).any()


@pytest.mark.parametrize("model", NUMERIC, ids=repr)
def test_numbers_a_thousand_deviations_out(model):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 6)) + y[:, np.newaxis]
    check_posterior(model.fit(X, y).predict_proba(1000 * rng.normal(size=(50, 6))))


def test_class_odds_of_60_columns_in_exact_fractions():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (40, 60)), np.arange(40) % 2
    model = bc.NaiveBayes(categorical_features="all").fit(X, y)
    odds = Fraction(1)
    for column, x in zip(X.T, X[0], strict=True):
        hits = [Fraction(int(((column == x) & (y == c)).sum())) for c in (0, 1)]
        odds *= (hits[1] + Fraction(1, 2)) / (hits[0] + Fraction(1, 2))
    log_proba = model.predict_log_proba(X[:1])[0]
    assert log_proba[1] - log_proba[0] == pytest.approx(float(np.log(float(odds))), rel=1e-12)


# ---------------------------------------------------------------- ties


@pytest.mark.parametrize("model", DISCRETE, ids=repr)
def test_exact_ties_give_the_first_class(model):
    half = np.array([[i >> j & 1 for j in range(3)] for i in range(8)])
    X, y = np.tile(half, (3, 1)), np.repeat(["c", "a", "b"], 8)  # each class has the same rows
    model = fresh(model).fit(X, y)
    posterior = model.predict_proba(half)
    assert (posterior == posterior[:, :1]).all()
    assert (model.predict(half) == "a").all()


# ---------------------------------------------------------------- size


@pytest.mark.parametrize(
    ("model", "n_columns"),
    [
        (bc.NaiveBayes(), 5000),
        (bc.StructureClassifier(), 500),
        (bc.SPODE(), 500),
        (bc.TAN(), 500),
        (bc.KDB(), 500),
        (bc.AODE(), 60),
        (bc.ATAN(), 60),
        (bc.KST(), 40),
    ],
    ids=repr,
)
def test_many_columns_and_few_rows(model, n_columns):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (40, n_columns)), np.arange(40) % 2
    model = fresh(model).fit(X, y)
    check_posterior(model.predict_proba(X))
    holes = X.astype(float)
    holes[:, ::7] = np.nan
    check_posterior(model.predict_proba(holes[:3]))


@pytest.mark.parametrize(
    "model", [bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.AODE(), bc.ATAN()], ids=repr
)
def test_a_thousand_classes(model):
    rng = np.random.default_rng(0)
    y = np.arange(2000) % 1000
    X = np.stack([y % 7, y % 11, y % 13, rng.integers(0, 3, 2000)], axis=1)
    model = fresh(model).fit(X, y)
    check_posterior(model.predict_proba(X[:50]))
    assert len(model.classes_) == 1000


@pytest.mark.long
def test_a_thousand_classes_and_5000_columns():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (2000, 5000)), np.arange(2000) % 1000
    check_posterior(fresh(bc.NaiveBayes()).fit(X, y).predict_proba(X[:50]))


@pytest.mark.parametrize("model", [bc.TAN(), bc.KDB(), bc.AODE(), bc.ATAN(), bc.KST()], ids=repr)
def test_what_grows_with_the_square_of_the_columns_is_refused_with_its_size(model, monkeypatch):
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 2**20)
    X, y = np.tile([[0], [1]], (5, 500)), np.arange(10) % 2
    message = r"counts of all pairs of 1000 values would need 0\.0149 GiB"
    with pytest.raises(bc.MemoryLimitError, match=message):
        fresh(model).fit(X, y)
