"""Wins, draws and losses, the sign test and goal differences."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loss_frames import as_frame, exact_losses
from oracle import evaluation as oracle

import bnclass as bc

FEW = settings(deadline=None, max_examples=40)

BY_HAND = pd.DataFrame(
    {"A": [0.10, 0.20, 0.00, 0.19], "B": [0.20, 0.20, 0.10, 0.20], "C": [0.10, 0.30, 0.00, 0.10]},
    index=["d1", "d2", "d3", "d4"],
)


@FEW
@given(exact_losses())
def test_records_are_the_oracles(losses):
    found = bc.win_draw_loss(as_frame(losses))
    for i, a in enumerate(found.wins):
        for j, b in enumerate(found.wins):
            record = oracle.record(losses, i, j)
            assert found.record(a, b) == record
            assert found.losses.at[a, b] == record[2]
            assert found.goal_differences.at[a, b] == record[0] - record[2]
            expected = float(oracle.sign_test(record[0], record[2]))
            assert found.p_values.at[a, b] == pytest.approx(expected)


@FEW
@given(exact_losses(), st.randoms())
def test_laws_of_records(losses, random):
    frame = as_frame(losses)
    found = bc.win_draw_loss(frame)
    assert (found.wins + found.draws + found.losses == len(frame)).all().all()
    assert found.goal_differences.equals(-found.goal_differences.T)
    assert found.draws.equals(found.draws.T)
    rows, columns = list(frame.index), list(frame.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    again = bc.win_draw_loss(frame.loc[rows, columns])
    assert again.wins.equals(found.wins.loc[columns, columns])


def test_by_hand():
    found = bc.win_draw_loss(BY_HAND)
    # 0.19 against 0.20 is 5 % below, not more.
    assert found.record("A", "B") == (2, 2, 0)
    assert found.record("B", "A") == (0, 2, 2)
    assert found.record("A", "C") == (1, 2, 1)
    assert found.record("A", "A") == (0, 4, 0)
    assert found.to_matrix().loc["B"].tolist() == ["0/2/2", "", "1/0/3"]
    assert found.p_values.at["A", "B"] == 0.25
    assert len(found.to_frame()) == 6


@pytest.mark.parametrize("loss", [0.02, 0.1, 0.3, 0.7, 0.9])
def test_the_threshold_is_a_draw_whatever_rounding_does(loss):
    at = float(Fraction(str(loss)) * 95 / 100)
    frame = pd.DataFrame({"A": [at, at - 1e-6], "B": [loss, loss]})
    assert bc.win_draw_loss(frame).record("A", "B") == (1, 1, 0)


def test_margin():
    assert bc.win_draw_loss(BY_HAND, margin=0).record("A", "B") == (3, 1, 0)
    assert bc.win_draw_loss(BY_HAND, margin=0.6).record("A", "B") == (1, 3, 0)
    for margin in (-0.1, 1, np.nan, "5"):
        with pytest.raises(bc.BnclassError, match=r"margin is .*, expected a number of at least 0"):
            bc.win_draw_loss(BY_HAND, margin=margin)


def test_all_equal_is_all_draws():
    found = bc.win_draw_loss(pd.DataFrame({"A": [0.0, 0.1], "B": [0.0, 0.1]}))
    assert found.record("A", "B") == (0, 2, 0)
    assert found.p_values.at["A", "B"] == 1


def test_infinite_losses():
    frame = pd.DataFrame({"A": [np.inf, np.inf], "B": [1.0, np.inf]})
    assert bc.win_draw_loss(frame).record("A", "B") == (0, 1, 1)


def test_negative_losses_are_refused():
    with pytest.raises(bc.DataError, match=r"the loss of 'B' on 1 is -0.1, expected at least 0"):
        bc.win_draw_loss(pd.DataFrame({"A": [0.1, 0.1], "B": [0.1, -0.1]}))


def test_no_such_method():
    with pytest.raises(bc.DataError, match="no method 'D', expected one of 'A', 'B', 'C'"):
        bc.win_draw_loss(BY_HAND).record("A", "D")


@FEW
@given(st.integers(0, 60), st.integers(0, 60))
def test_sign_test_is_the_oracles(wins, losses):
    assert bc.sign_test(wins, losses) == pytest.approx(float(oracle.sign_test(wins, losses)))


def test_sign_test_by_hand():
    assert bc.sign_test(0, 0) == 1
    assert bc.sign_test(0, 5) == 1
    assert bc.sign_test(5, 0) == 1 / 32
    assert bc.sign_test(np.int64(2), np.int64(1)) == 0.5
    for wins in (-1, 1.5, True):
        with pytest.raises(bc.BnclassError, match=r"wins is .*, expected a whole number"):
            bc.sign_test(wins, 1)


def test_goal_difference_curve_by_hand():
    sizes = pd.Series({"d1": 50, "d2": 10, "d3": 10, "d4": 20, "other": 1})
    curve = bc.goal_difference_curve(BY_HAND, "A", "B", sizes)
    assert curve["dataset"].tolist() == ["d2", "d3", "d4", "d1"]
    assert curve["size"].tolist() == [10, 10, 20, 50]
    assert curve["outcome"].tolist() == [0, 1, 0, 1]
    assert curve["goal_difference"].tolist() == [0, 1, 1, 2]
    unsized = bc.goal_difference_curve(BY_HAND, "B", "A")
    assert unsized["goal_difference"].tolist() == [-1, -1, -2, -2]
    assert "size" not in unsized


@FEW
@given(exact_losses())
def test_goal_difference_curve_ends_at_the_goal_difference(losses):
    frame = as_frame(losses)
    curve = bc.goal_difference_curve(frame, "m0", "m1")
    found = bc.win_draw_loss(frame).goal_differences.at["m0", "m1"]
    assert curve["goal_difference"].iloc[-1] == found
    reverse = bc.goal_difference_curve(frame, "m1", "m0")
    assert reverse["outcome"].tolist() == (-curve["outcome"]).tolist()


def test_goal_difference_curve_looks_at_two_methods_only():
    frame = BY_HAND.assign(C=np.nan)
    assert len(bc.goal_difference_curve(frame, "A", "B")) == 4
    with pytest.raises(bc.DataError, match="losses of 'C' on 'd1' are missing"):
        bc.goal_difference_curve(frame, "A", "C")


@pytest.mark.parametrize("size", [None, np.nan, np.inf, "7", -1])
def test_a_data_set_without_a_size(size):
    sizes = {"d1": 5, "d2": size, "d3": 5, "d4": 5}
    with pytest.raises(bc.DataError, match=r"the size of the data set 'd2' is .*, expected its"):
        bc.goal_difference_curve(BY_HAND, "A", "B", sizes)
    del sizes["d2"]
    with pytest.raises(bc.DataError, match="the size of the data set 'd2' is None"):
        bc.goal_difference_curve(BY_HAND, "A", "B", sizes)
