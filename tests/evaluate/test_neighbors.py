"""The nearest neighbour and its ties."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import bnclass as bc
from bnclass.evaluate.baselines import encoded
from bnclass.evaluate.neighbors import NearestNeighborClassifier


@parametrize_with_checks([NearestNeighborClassifier()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def test_all_that_are_equally_near_vote():
    rows = [[0.0], [0.0], [0.0], [2.0], [9.0]]
    model = NearestNeighborClassifier().fit(rows, ["b", "b", "a", "a", "a"])
    assert model.predict([[0.1], [1.0], [1.5], [9.0]]).tolist() == ["b", "a", "a", "a"]
    # At 1.0 two of either class are as near; of all rows three fifths are a.
    expected = [[2 + 3 / 25, 2 + 2 / 25], [1 + 3 / 25, 2 + 2 / 25]]
    sums = [[4.2], [3.2]]
    assert model.predict_proba([[1.0], [0.0]]) == pytest.approx(np.divide(expected, sums))


def test_of_equal_votes_and_classes_the_first_wins():
    model = NearestNeighborClassifier().fit([[0.0], [2.0]], [7, 3])
    assert model.predict([[1.0]]).tolist() == [3]


def test_rounding_breaks_no_tie():
    """0.1 + 0.2 differs from 0.3 in its last bit."""
    model = NearestNeighborClassifier().fit([[0.1 + 0.2], [-0.3], [0.3]], ["b", "b", "a"])
    assert model.predict([[0.0]]).tolist() == ["b"]


def test_wekas_rule_by_hand():
    """One step from (red, low) are three rows, of which two are yes; two steps away is one."""
    frame = [["red", "high"], ["blue", "low"], ["green", "low"], ["blue", "high"]]
    labels = ["no", "yes", "yes", "no"]
    model = encoded(NearestNeighborClassifier()).fit(frame, labels)
    assert model.predict([["red", "low"]]).tolist() == ["yes"]
    assert model.predict_proba([["red", "low"]])[0, 1] == pytest.approx(2.125 / 3.25)


def test_ties_decide_tic_tac_toe():
    """The published loss of KNN is 0.0125; whichever neighbour is found first gives about 0.3."""
    X, y = bc.load_dataset("tic-tac-toe")
    test = np.arange(len(X)) % 5 == 0
    losses = []
    for nearest in (NearestNeighborClassifier(), KNeighborsClassifier(1)):
        model = encoded(nearest).fit(X[~test], y[~test])
        losses.append((model.predict(X[test]) != y[test]).mean())
    assert losses[0] < 0.05
    assert losses[1] > 0.2


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_votes_are_those_counted_one_by_one(seed, n_columns, n_classes):
    rng = np.random.default_rng(seed)
    rows, asked = rng.integers(0, 3, (15, n_columns)), rng.integers(0, 4, (8, n_columns))
    labels = rng.integers(0, n_classes, 15)
    classes = np.unique(labels)
    found = NearestNeighborClassifier().fit(rows, labels).predict_proba(asked)
    for row, shares in zip(asked, found, strict=True):
        squares = [sum((row - other) ** 2) for other in rows]
        near = [
            label for square, label in zip(squares, labels, strict=True) if square == min(squares)
        ]
        votes = [near.count(c) + np.count_nonzero(labels == c) / 15**2 for c in classes]
        assert shares == pytest.approx(np.divide(votes, len(near) + 1 / 15))


def test_many_rows_at_one_point():
    grid = np.array(list(itertools.product([0.0, 1.0], repeat=2)) * 700)
    model = NearestNeighborClassifier().fit(grid, grid[:, 0])
    assert model.points_.shape == (4, 2)
    assert (model.predict(grid) == grid[:, 0]).all()
