"""What frame the tests of significance take, and when two losses are equal."""

import numpy as np
import pandas as pd
import pytest

import bnclass as bc
from bnclass.evaluate.losses import checked_losses, row_ranks, tied_ranks

GOOD = pd.DataFrame({"A": [0.1, 0.2], "B": [0.2, 0.1]}, index=["iris", "wine"])


@pytest.mark.parametrize(
    "test", [bc.average_ranks, bc.friedman_test, bc.nemenyi_test, bc.win_draw_loss]
)
@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([[0.1, 0.2]], "losses is a list, expected a pandas DataFrame"),
        (GOOD[["A"]], "losses has 1 methods, expected at least 2"),
        (GOOD[:0], "losses has 0 data sets, expected at least"),
        (GOOD[["A", "A"]], "the method 'A' more than once"),
        (pd.concat([GOOD, GOOD]), "the data set 'iris' more than once"),
        (GOOD.assign(B=["x", "y"]), "losses of 'B' have the dtype .*, expected numbers"),
        (GOOD.assign(B=[True, False]), "losses of 'B' have the dtype bool"),
        (GOOD.assign(B=[1j, 2j]), "losses of 'B' have the dtype complex128"),
        (GOOD.assign(B=[0.1, np.nan]), r"losses of 'B' on 'wine' are missing \(1 cell in all\)"),
        (GOOD.assign(A=np.nan), r"losses of 'A' on 'iris' are missing \(2 cells in all\)"),
        (GOOD.assign(B=[0.1, -np.inf]), "losses of 'B' on 'wine' are -inf"),
    ],
)
def test_refused_frames(test, losses, message):
    with pytest.raises(bc.DataError, match=message):
        test(losses)


def test_numbers_of_any_type():
    frame = GOOD.assign(A=pd.array([1, 0], dtype="Int64"), B=np.array([0, 1], dtype=np.float32))
    assert checked_losses(frame).dtypes.tolist() == [np.float64, np.float64]
    with pytest.raises(bc.DataError, match="losses of 'A' on 'wine' are missing"):
        checked_losses(frame.assign(A=pd.array([1, None], dtype="Int64")))


def test_names_of_any_type_are_kept():
    frame = pd.DataFrame([[1, 2]], columns=pd.Index([("a", 1), ("b", 2)], tupleize_cols=False))
    assert bc.average_ranks(frame).index.tolist() == [("a", 1), ("b", 2)]


def test_infinite_losses_are_the_worst():
    frame = pd.DataFrame({"A": [np.inf], "B": [3.0], "C": [np.inf]})
    assert row_ranks(frame).to_numpy().tolist() == [[2.5, 1.0, 2.5]]


def test_rounding_makes_no_rank():
    assert 0.1 + 0.2 != 0.3
    frame = pd.DataFrame({"A": [0.1 + 0.2], "B": [0.3], "C": [0.3 + 1e-9]})
    assert row_ranks(frame).to_numpy().tolist() == [[1.5, 1.5, 3.0]]
    assert tied_ranks(np.array([-2.0, 1.0, -2.0]), 0.0).tolist() == [1.5, 3.0, 1.5]
