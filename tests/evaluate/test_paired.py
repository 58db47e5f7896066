"""Wilcoxon's test and the 5×2cv F test."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from loss_frames import as_frame, exact_losses
from oracle import evaluation as oracle

import bnclass as bc

FEW = settings(deadline=None, max_examples=40)

# Table 2 of [D]: AUC of C4.5, and of it with a tuned parameter.
DEMSAR = 1 - pd.DataFrame(
    [
        *[(0.763, 0.768), (0.599, 0.591), (0.954, 0.971), (0.628, 0.661), (0.882, 0.888)],
        *[(0.936, 0.931), (0.661, 0.668), (0.583, 0.583), (0.775, 0.838), (1.000, 1.000)],
        *[(0.940, 0.962), (0.619, 0.666), (0.972, 0.981), (0.957, 0.978)],
    ],
    columns=["C4.5", "+m"],
)


def test_the_example_of_demsar():
    found = bc.wilcoxon_test(DEMSAR, "+m", "C4.5")
    assert (found.rank_sum, found.other_rank_sum, found.statistic) == (93, 12, 12)
    assert (found.n_used, found.n_zero, found.note) == (14, 2, "")
    assert found.z == pytest.approx((12 - 52.5) / math.sqrt(14 * 15 * 29 / 24))
    assert found.p_value < 0.05  # its table has 21 as critical, at 0.05


@FEW
@given(exact_losses(max_datasets=8, max_methods=2))
def test_wilcoxon_is_the_oracles(losses):
    found = bc.wilcoxon_test(as_frame(losses), "m0", "m1")
    plus, minus, p_value = oracle.wilcoxon([b - a for a, b in losses])
    assert (found.rank_sum, found.other_rank_sum) == (float(plus), float(minus))
    assert found.statistic == min(plus, minus)
    assert found.p_value == pytest.approx(float(p_value))
    assert found.rank_sum + found.other_rank_sum == found.n_used * (found.n_used + 1) / 2


@FEW
@given(exact_losses(), st.randoms())
def test_order_has_no_say_in_wilcoxon(losses, random):
    frame = as_frame(losses)
    found = bc.wilcoxon_test(frame, "m0", "m1")
    rows = list(frame.index)
    random.shuffle(rows)
    assert bc.wilcoxon_test(frame.loc[rows], "m0", "m1") == found
    reverse = bc.wilcoxon_test(frame, "m1", "m0")
    assert (reverse.rank_sum, reverse.other_rank_sum) == (found.other_rank_sum, found.rank_sum)
    assert reverse.p_value == found.p_value


@pytest.mark.parametrize("n", [1, 2, 5, 13, 30, 50])
def test_wilcoxon_without_ties_is_scipys(n):
    frame = pd.DataFrame({"A": np.random.default_rng(n).random(n), "B": 0.4})
    expected = scipy.stats.wilcoxon(frame["A"] - frame["B"], method="exact")
    found = bc.wilcoxon_test(frame, "A", "B")
    assert found.statistic == expected.statistic
    assert found.p_value == pytest.approx(expected.pvalue)


def test_differences_that_rounding_tells_apart_are_equal():
    frame = pd.DataFrame({"A": [0.5, 0.825, 0.375, 0.5], "B": [0.525, 0.775, 0.325, 0.55]})
    found = bc.wilcoxon_test(frame, "A", "B")
    assert (found.rank_sum, found.other_rank_sum) == (4, 6)  # ranks 1, 3, 3, 3


def test_a_small_p_value_of_many_data_sets():
    frame = pd.DataFrame({"A": 0.0, "B": np.arange(1, 101) / 100})
    assert bc.wilcoxon_test(frame, "A", "B").p_value == pytest.approx(2.0**-99, rel=1e-12)


def test_constant_differences():
    frame = pd.DataFrame({"A": [0.1, 0.2, 0.3, 0.4], "B": [0.2, 0.3, 0.4, 0.5]})
    found = bc.wilcoxon_test(frame, "A", "B")
    assert (found.rank_sum, found.statistic, found.p_value) == (10, 0, 1 / 8)


@pytest.mark.parametrize(("n", "used"), [(1, 0), (2, 2), (5, 4)])
def test_no_difference(n, used):
    frame = pd.DataFrame({"A": [0.1] * n, "B": [0.1] * n})
    found = bc.wilcoxon_test(frame, "A", "B")
    assert (found.n_used, found.n_zero, found.p_value, found.z) == (used, n, 1, 0)
    assert found.rank_sum == found.other_rank_sum == used * (used + 1) / 4
    assert found.note == "there is no difference anywhere"


def test_one_data_set():
    frame = pd.DataFrame({"A": [0.1], "B": [0.2]})
    assert bc.wilcoxon_test(frame, "A", "B").p_value == 1
    with pytest.raises(bc.DataError, match="losses has 0 data sets"):
        bc.wilcoxon_test(frame[:0], "A", "B")


def test_refused_pairs():
    frame = pd.DataFrame({"A": [0.1, np.inf], "B": [0.2, 0.1], "C": [np.nan, 0.1]}, ["u", "v"])
    with pytest.raises(bc.DataError, match="the loss of 'A' on 'v' is inf, expected a finite one"):
        bc.wilcoxon_test(frame, "B", "A")
    with pytest.raises(bc.DataError, match="losses of 'C' on 'u' are missing"):
        bc.wilcoxon_test(frame, "B", "C")
    with pytest.raises(bc.DataError, match="no method 'D', expected one of 'A', 'B', 'C'"):
        bc.wilcoxon_test(frame, "B", "D")
    with pytest.raises(bc.DataError, match="the method 'B' is compared with itself"):
        bc.wilcoxon_test(frame, "B", "B")
    with pytest.raises(bc.DataTypeError, match="losses is a dict"):
        bc.wilcoxon_test({"A": [1], "B": [2]}, "A", "B")


FOLDS = st.lists(
    st.lists(st.builds(Fraction, st.integers(0, 3), st.just(10)), min_size=2, max_size=2),
    min_size=5,
    max_size=5,
)


@FEW
@given(FOLDS, FOLDS)
def test_five_by_two_is_the_oracles(one, two):
    floats = [[[float(loss) for loss in row] for row in table] for table in (one, two)]
    differences = [
        [b - a for a, b in zip(*rows, strict=True)] for rows in zip(one, two, strict=True)
    ]
    found = bc.five_by_two_test(*floats)
    expected = oracle.five_by_two(differences)
    mean = sum(map(sum, differences)) / 10
    assert found.mean_difference == pytest.approx(float(mean), abs=1e-15)
    if expected is not None:
        assert found.statistic == pytest.approx(float(expected))
        assert found.p_value == pytest.approx(scipy.stats.f.sf(float(expected), 10, 5))
        assert found.note == ""
    elif any(map(any, differences)):
        assert (found.statistic, found.p_value) == (math.inf, 0)
    else:
        assert (found.statistic, found.p_value) == (0, 1)
    back = bc.five_by_two_test(*floats[::-1])
    assert (back.statistic, back.mean_difference) == (found.statistic, -found.mean_difference)


def test_five_by_two_by_hand():
    # p is (0.1, 0) in one round and (0.1, 0.1) in four: 0.09 over 2 · 0.005.
    found = bc.five_by_two_test([[0.1, 0.1]] * 5, [[0.2, 0.1], *[[0.2, 0.2]] * 4])
    assert found.statistic == pytest.approx(9)
    assert found.mean_difference == pytest.approx(0.09)


def test_five_by_two_of_long_results():
    results = pd.DataFrame(
        {
            "estimator": ["A"] * 10 + ["B"] * 10,
            "repetition": [0, 0, 1, 1, 2, 2, 3, 3, 4, 4] * 2,
            "fold": [0, 1] * 10,
            "zero_one_loss": [0.1] * 10 + [0.2, 0.1] + [0.2] * 8,
        }
    )
    one, two = (
        part.pivot(index="repetition", columns="fold", values="zero_one_loss")
        for _, part in results.groupby("estimator")
    )
    assert bc.five_by_two_test(one, two).statistic == pytest.approx(9)


def test_degenerate_five_by_two():
    found = bc.five_by_two_test([[0.1, 0.3]] * 5, [[0.2, 0.4]] * 5)
    assert (found.statistic, found.p_value) == (math.inf, 0)
    assert found.note == "the differences are the same in both folds of every round"
    found = bc.five_by_two_test([[0.1, 0.2]] * 5, [[0.1, 0.2]] * 5)
    assert (found.statistic, found.p_value) == (0, 1)
    assert found.note == "there is no difference anywhere"


def test_refused_folds():
    good = [[0.1, 0.2]] * 5
    with pytest.raises(bc.DataError, match=r"other_losses has the shape \(2, 5\), expected 5"):
        bc.five_by_two_test(good, np.transpose(good))
    with pytest.raises(bc.DataTypeError, match="losses holds no numbers"):
        bc.five_by_two_test("x", good)
    with pytest.raises(bc.DataError, match="losses, round 4, fold 1: found nan"):
        bc.five_by_two_test([*good[:4], [0.1, np.nan]], good)
