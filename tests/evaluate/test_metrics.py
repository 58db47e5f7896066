"""Zero-one loss, RMSE, Brier and log loss."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import evaluation as oracle

import bnclass as bc
from bnclass.evaluate.metrics import with_all_classes

FEW = settings(deadline=None, max_examples=40)

CLASSES = ["a", "b", "c"]


@st.composite
def predictions(draw):
    """Draw labels, predicted labels and posteriors that are fractions."""
    n = draw(st.integers(1, 6))
    labels = st.lists(st.sampled_from(CLASSES), min_size=n, max_size=n)
    shares = st.tuples(*[st.integers(0, 8)] * 3).filter(any)
    rows = draw(st.lists(shares, min_size=n, max_size=n))
    posteriors = [[Fraction(share, sum(row)) for share in row] for row in rows]
    return draw(labels), draw(labels), posteriors


@FEW
@given(predictions())
def test_metrics_are_the_oracles(drawn):
    y, predicted, posteriors = drawn
    floats = [[float(p) for p in row] for row in posteriors]
    found = bc.prediction_metrics(y, predicted, floats, CLASSES)
    brier = float(oracle.brier(y, posteriors, CLASSES))
    log, n_infinite = oracle.log_loss(y, posteriors, CLASSES)
    assert found.n_rows == len(y)
    assert found.zero_one_loss == float(oracle.zero_one(y, predicted))
    assert found.brier_score == pytest.approx(brier, abs=1e-15)
    assert found.rmse == pytest.approx(math.sqrt(brier / 3), abs=1e-15)
    assert found.n_infinite == n_infinite
    assert found.log_loss == pytest.approx(log, abs=1e-15)


@FEW
@given(predictions(), st.permutations([0, 1, 2]))
def test_the_order_of_the_classes_has_no_say(drawn, order):
    y, predicted, posteriors = drawn
    floats = np.array([[float(p) for p in row] for row in posteriors])
    names = [CLASSES[i] for i in order]
    one = bc.prediction_metrics(y, predicted, floats, CLASSES)
    assert bc.prediction_metrics(y, predicted, floats[:, order], names) == one


def test_by_hand():
    # Rows: (0.5, 0.5, 0) for a: 0.25 + 0.25. (0.2, 0.6, 0.2) for c: 0.04 + 0.36 + 0.64.
    posteriors = [[0.5, 0.5, 0.0], [0.2, 0.6, 0.2]]
    y = ["a", "c"]
    assert bc.zero_one_loss(y, ["a", "b"]) == 0.5
    assert bc.brier_score(y, posteriors, CLASSES) == pytest.approx(0.77, abs=1e-15)
    expected = math.sqrt(1.54 / 6)
    assert bc.root_mean_squared_error(y, posteriors, CLASSES) == pytest.approx(expected)
    assert bc.log_loss(y, posteriors, CLASSES).value == pytest.approx(math.log(10) / 2)
    assert bc.log_loss(["c", "c"], posteriors, CLASSES) == bc.LogLoss(math.inf, 1, 2)


def test_a_perfect_prediction_has_no_loss_and_no_minus_sign():
    found = bc.prediction_metrics([1, 0], [1, 0], [[0, 1], [1, 0]], [0, 1])
    assert found == bc.PredictionMetrics(2, 0.0, 0.0, 0.0, 0.0, 0)
    assert math.copysign(1, found.log_loss) == 1


def test_metrics_of_a_model():
    X, y = bc.load_dataset("iris")
    model = bc.NaiveBayes(continuous="gaussian").fit(X, y)
    found = bc.prediction_metrics(y, model.predict(X), model.predict_proba(X), model.classes_)
    assert found.zero_one_loss == pytest.approx(1 - model.score(X, y))
    assert bc.log_loss(y, model.predict_proba(X), model.classes_).to_frame().shape == (1, 3)


def test_labels_of_any_container():
    frame = pd.DataFrame({"y": ["a", "b"]}, index=[5, 9])
    assert bc.zero_one_loss(frame["y"], np.array(["a", "a"])) == 0.5
    assert bc.zero_one_loss(frame["y"].astype("category"), ["a", "b"]) == 0.0


def test_a_class_that_training_rows_lacked():
    wide = with_all_classes([[0.25, 0.75]], ["a", "c"], CLASSES)
    assert bc.log_loss(["b"], wide, CLASSES).n_infinite == 1
    with pytest.raises(bc.DataError, match="the class 'd' is not among all classes"):
        with_all_classes([[1.0]], ["d"], CLASSES)
    with pytest.raises(bc.DataError, match="found the class 'b', expected one of the 2 classes"):
        bc.log_loss(["b"], [[0.25, 0.75]], ["a", "c"])


@pytest.mark.parametrize(
    ("posteriors", "message"),
    [
        ([[0.5, 0.5], [0.5, 0.4]], r"row 1: found \[0.5, 0.4\], expected numbers of at least 0"),
        ([[0.5, 0.5], [1.5, -0.5]], "row 1"),
        ([[0.5, 0.5], [math.nan, 1.0]], "row 1"),
        ([[0.5, 0.5]], "probabilities has 1 rows, expected 2"),
        ([[1.0], [1.0]], r"the shape \(2, 1\), expected .* 2 columns"),
        ([["x", "y"]], "probabilities holds no numbers"),
        ([0.5, 0.5], r"the shape \(2,\)"),
    ],
)
def test_refused_posteriors(posteriors, message):
    with pytest.raises(bc.DataError, match=message):
        bc.brier_score(["a", "b"], posteriors, ["a", "b"])


@pytest.mark.parametrize(
    ("y", "predicted", "message"),
    [
        ([], [], "y has no rows"),
        (["a", None], ["a", "b"], "y has 1 missing labels, the first in row 1"),
        (["a", "b"], ["a", None], "predicted has 1 missing labels, the first in row 1"),
        (["a", "b"], ["a"], "predicted has 1 labels, expected 2"),
        (["a", "b"], [0, 1], "predicted holds number, expected text"),
        (["a", "b"], [["a", "b"]], "predicted: "),
    ],
)
def test_refused_labels(y, predicted, message):
    with pytest.raises(bc.DataError, match=message):
        bc.zero_one_loss(y, predicted)


def test_refused_classes():
    with pytest.raises(bc.DataError, match="expected every class once"):
        bc.brier_score(["a"], [[0.5, 0.5]], ["a", "a"])
