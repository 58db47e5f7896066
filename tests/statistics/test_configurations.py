"""Configurations found by their codes: held to a dictionary."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import DataError
from bnclass.statistics import configurations
from bnclass.statistics.configurations import Configurations

SEEDS = st.integers(0, 2**32)


def check(rng, cards, n_rows):
    rows = np.array([rng.integers(0, card, n_rows) for card in cards])
    found, which = Configurations.of_rows(list(rows), cards)
    distinct = sorted({tuple(row) for row in rows.T.tolist()})
    assert [tuple(c) for c in found.codes.tolist()] == distinct
    assert [distinct[i] for i in which] == [tuple(row) for row in rows.T.tolist()]
    asked = np.array([rng.integers(0, card, 50) for card in cards])
    asked = np.concatenate([asked, rows[:, :50]], axis=1)
    place = {c: i for i, c in enumerate(distinct)}
    assert found.find(list(asked)).tolist() == [place.get(tuple(c), -1) for c in asked.T.tolist()]
    return found


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 40))
def test_small_ones(seed, cards, n_rows):
    found = check(np.random.default_rng(seed), cards, n_rows)
    assert len(found.levels) == 1


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.integers(1, 70), st.sampled_from([2, 20, 2**31 - 1]), st.integers(0, 40))
def test_products_beyond_64_bits(seed, n, card, n_rows):
    check(np.random.default_rng(seed), [card] * n, n_rows)


@settings(max_examples=50, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 4), min_size=2, max_size=7), st.integers(1, 40))
def test_several_levels(seed, cards, n_rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(configurations, "_LARGEST_KEY", 0)
        found = check(np.random.default_rng(seed), cards, n_rows)
    assert len(found.levels) == len(cards)


def test_twenty_columns_of_twenty_levels_take_two_levels():
    found = check(np.random.default_rng(0), [20] * 20, 5000)
    assert [len(level.variables) for level in found.levels] == [14, 6]


def test_codes_are_broadcast_together():
    found = Configurations([[0, 1], [1, 0]], (2, 2))
    places = found.find([np.array([[0], [1]]), np.array([[0, 1]])])
    assert places.tolist() == [[-1, 0], [1, -1]]


def test_none_at_all():
    found = Configurations([], (2, 3))
    assert len(found) == 0
    assert found.codes.shape == (0, 2)
    assert found.find([np.array([0, 1]), np.array([2, 0])]).tolist() == [-1, -1]


def test_codes_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        Configurations([[0]], (2,)).codes[0, 0] = 1


@pytest.mark.parametrize("codes", [[[1], [0]], [[0], [0]]])
def test_out_of_order_or_repeated(codes):
    with pytest.raises(DataError, match="repeated or out of order"):
        Configurations(codes, (2,))


@pytest.mark.parametrize("codes", [[[0, 2]], [[-1, 0]]])
def test_codes_of_no_state(codes):
    with pytest.raises(DataError, match="none of its variable's"):
        Configurations(codes, (2, 2))


@pytest.mark.parametrize("codes", [[[0.5, 0]], [[0]], [0, 1]])
def test_codes_that_are_no_table_of_whole_numbers(codes):
    with pytest.raises(DataError, match="expected 2 columns of whole numbers"):
        Configurations(codes, (2, 2))
