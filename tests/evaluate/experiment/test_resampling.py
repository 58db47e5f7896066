"""Which rows are tested when."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.evaluate.experiment.resampling import Resampling
from bnclass.exceptions import BnclassError, DataError


@pytest.mark.parametrize(
    ("given_as", "rounds", "folds"),
    [("10x10", 10, 10), ("5x2", 5, 2), ("5×2", 5, 2), ("10x3", 10, 3), ("10", 1, 10), (3, 1, 3)],
)
def test_texts_and_numbers(given_as, rounds, folds):
    assert Resampling.of(given_as) == Resampling(rounds, folds)


def test_a_text_of_it_means_the_same():
    assert Resampling.of(str(Resampling(7, 3))) == Resampling(7, 3)


@pytest.mark.parametrize("bad", ["", "x", "10x", "x10", "2x2x2", "-1x2", " 5x2", "5.0", 2.0, None])
def test_what_is_no_resampling_is_refused(bad):
    with pytest.raises(BnclassError, match=r"resampling is .*expected rounds x folds"):
        Resampling.of(bad)


@pytest.mark.parametrize("bad", ["0x10", "5x1", 1, 0, True])
def test_too_few_rounds_or_folds_are_refused(bad):
    with pytest.raises(BnclassError, match="expected"):
        Resampling.of(bad)


@settings(deadline=None, max_examples=50)
@given(
    codes=st.lists(st.integers(0, 3), min_size=4, max_size=40),
    rounds=st.integers(1, 3),
    folds=st.integers(2, 4),
    seed=st.integers(0, 9),
)
def test_every_row_is_tested_once_a_round_and_classes_are_shared_out(codes, rounds, folds, seed):
    codes = np.array(codes)
    resampling = Resampling(rounds, folds)
    if np.bincount(codes).max() < folds:
        with pytest.raises(DataError, match="expected one with a row for each"):
            resampling.tested_in(codes, seed)
        return
    tested = resampling.tested_in(codes, seed)
    assert tested.shape == (len(codes), rounds)
    for column in tested.T:
        for code in np.unique(codes):
            counts = np.bincount(column[codes == code], minlength=folds)
            assert len(counts) == folds
            assert counts.max() - counts.min() <= 1


def test_more_rounds_begin_alike_and_seeds_differ():
    codes = np.arange(60) % 3
    three, five = (Resampling(n, 5).tested_in(codes, 1) for n in (3, 5))
    np.testing.assert_array_equal(three, five[:, :3])
    assert not np.array_equal(three[:, 0], three[:, 1])
    assert not np.array_equal(three, Resampling(3, 5).tested_in(codes, 2))
