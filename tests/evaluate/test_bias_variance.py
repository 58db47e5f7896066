"""Bias and variance add up to the expected loss."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import evaluation as oracle

import bnclass as bc

FEW = settings(deadline=None, max_examples=40)


@st.composite
def tables(draw):
    """Draw labels and the predictions of some rounds."""
    n, rounds = draw(st.integers(1, 5)), draw(st.integers(1, 7))
    label = st.sampled_from("abc")
    row = st.lists(label, min_size=rounds, max_size=rounds)
    return draw(st.lists(label, min_size=n, max_size=n)), draw(
        st.lists(row, min_size=n, max_size=n)
    )


@FEW
@given(tables())
def test_the_parts_are_the_oracles_and_add_up_exactly(table):
    y, predictions = table
    found = bc.bias_variance(y, predictions)
    bias, variance, loss = oracle.bias_variance(y, predictions)
    assert (found.exact_bias, found.exact_variance) == (bias, variance)
    assert found.exact_bias + found.exact_variance == loss
    assert (found.bias, found.variance, found.expected_loss) == tuple(
        map(float, (bias, variance, loss))
    )


@FEW
@given(tables(), st.randoms())
def test_the_order_of_rows_and_rounds_has_no_say(table, random):
    y, predictions = table
    rows = list(range(len(y)))
    random.shuffle(rows)
    shuffled = [random.sample(predictions[i], len(predictions[i])) for i in rows]
    assert bc.bias_variance([y[i] for i in rows], shuffled) == bc.bias_variance(y, predictions)


def test_by_hand():
    # Of four rounds three say a, one b. Truth a: ½ (1/16 + 1/16) and ½ (1 - 10/16).
    found = bc.bias_variance(["a"], [["a", "a", "a", "b"]])
    assert (found.exact_bias, found.exact_variance) == (Fraction(1, 16), Fraction(3, 16))
    # Truth c: ½ (1 + 9/16 + 1/16) and the same variance; it is always wrong.
    found = bc.bias_variance(["c"], [["a", "a", "a", "b"]])
    assert (found.exact_bias, found.exact_variance) == (Fraction(13, 16), Fraction(3, 16))
    assert found.expected_loss == 1


def test_one_round_has_no_variance():
    found = bc.bias_variance([0, 1, 1, 1], np.array([[0], [1], [0], [0]]))
    assert (found.bias, found.variance, found.expected_loss) == (0.5, 0.0, 0.5)


def test_rounds_are_columns_of_a_frame():
    rounds = pd.DataFrame({1: ["a", "b"], 2: ["b", "b"]}, dtype="category")
    found = bc.bias_variance(pd.Series(["a", "b"]), rounds)
    assert (found.n_rows, found.n_rounds, found.expected_loss) == (2, 2, 0.25)


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        (["a", "b"], "predictions has 1 dimensions, expected 2"),
        (pd.DataFrame(index=[0, 1]), "predictions has no rounds"),
        ([["a"]], "round 0 of the predictions has 1 labels, expected 2"),
        ([["a", "a"], ["b", None]], "round 1 of the predictions has 1 missing labels, .* row 1"),
        ([[0], [1]], "round 0 of the predictions holds number, expected text"),
    ],
)
def test_refused_predictions(predictions, message):
    with pytest.raises(bc.DataError, match=message):
        bc.bias_variance(["a", "b"], predictions)
