"""The four policies for missing cells, one column at a time; whole tables in test_encoder."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.data.missing import free_name, mean_of_observed, refuse_missing, states_and_fill
from bnclass.exceptions import DataError


def codes(*values):
    return np.array(values, dtype=np.int32)


# ---------------------------------------------------------------- states and fill


@pytest.mark.parametrize("policy", ["marginalize", "error"])
def test_the_cell_stays_missing(policy):
    assert states_and_fill(policy, ("u", "v"), codes(0, -1), np.ones(2)) == (("u", "v"), None)


def test_state_adds_one_where_a_training_cell_is_missing():
    states = ("u", "v")
    assert states_and_fill("state", states, codes(0, -1), np.ones(2)) == (("u", "v", "missing"), 2)
    assert states_and_fill("state", states, codes(0, 1), np.ones(2)) == (("u", "v"), None)


@pytest.mark.parametrize(
    ("states", "added"),
    [(("missing", "u"), "missing_"), (("missing", "missing_"), "missing__"), ((1, 2), "missing")],
)
def test_the_new_state_has_a_name_of_its_own(states, added):
    assert states_and_fill("state", states, codes(-1), np.ones(1)) == ((*states, added), 2)


def test_impute_takes_the_mode_by_weight():
    weights = np.array([1.0, 1.0, 3.0, 9.0])
    assert states_and_fill("impute", ("u", "v"), codes(0, 0, 1, -1), weights) == (("u", "v"), 1)


def test_impute_takes_the_first_of_states_whose_weights_differ_by_rounding():
    codes = np.array([0, 0, 0, 1], np.int32)
    weights = np.array([0.7, 0.2, 0.1, 1.0])  # the sum of the first three is 1 - 2**-53
    assert states_and_fill("impute", ("u", "v"), codes, weights)[1] == 0


def test_impute_takes_the_first_declared_state_on_ties():
    states = ("u", "v", "unused")
    assert states_and_fill("impute", states, codes(1, 0, -1), np.ones(3)) == (states, 0)


def test_impute_knows_the_fill_of_a_complete_column_too():
    """A cell may be missing, or unknown, only at prediction."""
    assert states_and_fill("impute", ("u", "v"), codes(1, 1, 0), np.ones(3)) == (("u", "v"), 1)


# ---------------------------------------------------------------- the mean


def test_mean_by_hand():
    values = np.array([1.0, math.nan, 4.0, 2.5])
    assert mean_of_observed(values, np.array([2.0, 7.0, 1.0, 2.0])) == 2.2


def test_mean_of_one_number_is_that_number():
    assert mean_of_observed(np.array([0.1]), np.array([0.3])) == 0.1


def test_mean_of_numbers_near_the_largest_does_not_overflow():
    largest = np.finfo(float).max
    assert mean_of_observed(np.full(3, largest), np.ones(3)) == largest
    assert mean_of_observed(np.array([largest, -largest]), np.array([5.0, 5.0])) == 0.0


NUMBERS = st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 1e-12)
ROWS = st.lists(st.tuples(NUMBERS, st.integers(1, 50)), min_size=1, max_size=30)


@settings(deadline=None)
@given(st.lists(st.tuples(NUMBERS, st.integers(1, 2**26 - 1)), min_size=1, max_size=30))
def test_mean_is_the_exact_one_rounded(rows):
    values, weights = np.array(rows, dtype=float).T
    exact = sum(Fraction(v) * w for v, w in rows) / sum(w for _, w in rows)
    assert mean_of_observed(values, weights) == pytest.approx(float(exact), rel=3e-16, abs=1e-300)


@settings(deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_mean_does_not_depend_on_the_row_order(rows, random):
    values, weights = np.array(rows, dtype=float).T
    order = random.sample(range(len(rows)), len(rows))
    assert mean_of_observed(values, weights) == mean_of_observed(values[order], weights[order])


@settings(deadline=None)
@given(ROWS)
def test_whole_weights_are_repeated_rows(rows):
    values, weights = np.array(rows, dtype=float).T
    repeated = np.repeat(values, weights.astype(int))
    assert mean_of_observed(values, weights) == mean_of_observed(repeated, np.ones(len(repeated)))


# ---------------------------------------------------------------- refusal and names


def test_refuse_missing_counts_each_column():
    frame = pd.DataFrame(
        {"a": [1.0, math.nan], "b": ["u", "v"], 2: [None, pd.NA], ("c", 1): [None, True]}
    )
    with pytest.raises(DataError) as caught:
        refuse_missing(frame)
    assert str(caught.value) == (
        "missing cells ('a': 1, 2: 2, ('c', 1): 1), expected none because missing='error'"
    )


def test_refuse_missing_names_whole_number_columns_plainly():
    with pytest.raises(DataError, match=r"missing cells \(7: 1\)"):
        refuse_missing(pd.DataFrame({7: [None, 1.0], 8: [2.0, 3.0]}))


def test_refuse_missing_lets_strings_pass():
    frame = pd.DataFrame({"a": ["nan", "None", "?"]})
    refuse_missing(frame)
    assert frame["a"].tolist() == ["nan", "None", "?"]


def test_free_name():
    assert free_name("class", ("a",)) == "class"
    assert free_name("class", {"class", "class_"}) == "class__"
    assert free_name("class", pd.Index([0, "class"])) == "class_"
