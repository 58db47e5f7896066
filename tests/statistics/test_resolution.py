"""Distinct values: by hand, against Python's sets, and the laws that merging obeys."""

import functools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.statistics.resolution import DistinctValues, distinct_values

MOST = 2**16


def distinct(*numbers):
    return DistinctValues.from_numbers(np.array(numbers, dtype=np.float64))


def same(one, other):
    """Compare every field; NaN equals NaN."""
    np.testing.assert_array_equal((one.minimum, one.maximum), (other.minimum, other.maximum))
    assert (one.values is None) == (other.values is None)
    if one.values is not None:
        assert one.values.tobytes() == other.values.tobytes()


columns = st.lists(
    st.one_of(
        st.sampled_from([0.0, -0.0, 1.0, 2.0, np.nan, -np.nan, 1e100, -1e100, 5e-324]),
        st.floats(-1e100, 1e100),
    ),
    max_size=30,
)


# ---------------------------------------------------------------- by hand


def test_by_hand():
    column = distinct(7.0, np.nan, 1.0, 2.5, 1.0, 7.0, -5.0)
    assert column.values.tolist() == [-5.0, 1.0, 2.5, 7.0]
    assert (column.minimum, column.maximum, column.n_distinct) == (-5.0, 7.0, 4)
    assert column.resolution == 4.0  # (7 + 5) / 3
    assert column.floor == (4.0 / 6.0) ** 2
    assert not column.constant


def test_columns_by_hand():
    # More columns than are turned on their side at once.
    numbers = np.arange(3.0)[:, np.newaxis] * np.arange(19.0)
    assert [d.resolution for d in distinct_values(numbers)] == list(range(19))
    assert [d.resolution for d in distinct_values(np.asfortranarray(numbers))] == list(range(19))
    assert distinct_values(np.empty((3, 0))) == ()


# ---------------------------------------------------------------- the oracle


@settings(deadline=None)
@given(columns)
def test_agrees_with_a_set(numbers):
    expected = sorted({x + 0.0 for x in numbers if x == x})
    column = distinct(*numbers)
    assert column.values.tolist() == expected
    assert not np.signbit(column.values[column.values == 0]).any()
    assert column.n_distinct == len(expected)
    assert column.constant == (len(expected) < 2)
    if len(expected) > 1:
        assert column.resolution == (expected[-1] - expected[0]) / (len(expected) - 1)


@pytest.mark.parametrize("scale", [1.0, 2.0**40, 0.01, -(2.0**-1000)])
def test_regular_numbers_are_all_found(scale):
    """Such numbers share most of their bits."""
    numbers = scale * np.random.default_rng(0).permutation(50_000)
    assert distinct(*numbers).values.tolist() == sorted((numbers + 0.0).tolist())


# ---------------------------------------------------------------- the limit


@pytest.fixture(scope="module")
def many():
    return np.random.default_rng(1).permutation(np.arange(-10.0, 2 * MOST))


def test_the_limit_itself_is_kept(many):
    column = DistinctValues.from_numbers(np.repeat(many[:MOST], 2))
    assert column.n_distinct == MOST
    assert column.values.tolist() == sorted(many[:MOST].tolist())
    assert column.resolution == (many[:MOST].max() - many[:MOST].min()) / (MOST - 1)


def test_beyond_the_limit_only_the_range_is_kept(many):
    column = DistinctValues.from_numbers(np.append(many[: MOST + 1], np.nan))
    assert column.values is None
    assert column.n_distinct is None
    assert not column.constant
    low, high = many[: MOST + 1].min(), many[: MOST + 1].max()
    assert (column.minimum, column.maximum) == (low, high)
    assert column.resolution == (high - low) / MOST


def test_the_range_has_no_negative_zero(many):
    numbers = -np.abs(many)
    assert not np.signbit(DistinctValues.from_numbers(numbers).maximum)


def test_merging_passes_the_limit_like_one_pass(many):
    whole = DistinctValues.from_numbers(many)
    low, high = many[:MOST], many[MOST - 5 :]
    parts = [DistinctValues.from_numbers(part) for part in (low, high)]
    assert parts[0].values is not None
    same(parts[0].merge(parts[1]), whole)
    same(parts[1].merge(parts[0]), whole)
    same(parts[0].merge(DistinctValues.from_numbers(low[::2])), parts[0])  # just within
    same(whole.merge(distinct()), whole)
    same(distinct(1e9).merge(whole), DistinctValues.from_numbers(np.append(many, 1e9)))


# ---------------------------------------------------------------- laws


@settings(deadline=None)
@given(st.lists(columns, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_chunks_merge_to_one_pass_in_any_order(chunks, random):
    whole = distinct(*(x for chunk in chunks for x in chunk))
    parts = [distinct(*chunk) for chunk in random.sample(chunks, len(chunks))]
    same(functools.reduce(DistinctValues.merge, parts), whole)


@settings(deadline=None)
@given(columns, st.randoms(use_true_random=False))
def test_row_order_changes_no_bit(numbers, random):
    same(distinct(*random.sample(numbers, len(numbers))), distinct(*numbers))


# ---------------------------------------------------------------- edges


@pytest.mark.parametrize("numbers", [(), (np.nan,), (np.nan, np.nan)])
def test_a_column_without_numbers(numbers):
    column = distinct(*numbers)
    assert column.values.tolist() == []
    assert np.isnan([column.minimum, column.maximum]).all()
    assert (column.n_distinct, column.resolution, column.floor) == (0, 0.0, 0.0)
    assert column.constant
    same(column.merge(distinct(2.0)), distinct(2.0))
    same(column.merge(column), column)


def test_a_constant_column():
    column = distinct(0.0, -0.0, np.nan)
    assert column.values.tolist() == [0.0]
    assert (column.minimum, column.maximum) == (0.0, 0.0)
    assert (column.constant, column.resolution, column.floor) == (True, 0.0, 0.0)


def test_the_widest_column():
    assert distinct(-1e100, 1e100).resolution == 2e100


def test_a_strided_column():
    numbers = np.arange(12.0).reshape(4, 3)
    assert DistinctValues.from_numbers(numbers[::2, 1]).values.tolist() == [1.0, 7.0]
    assert DistinctValues.from_numbers(numbers[::-1, 2]).values.tolist() == [2.0, 5.0, 8.0, 11.0]


# ---------------------------------------------------------------- read-only


@pytest.mark.parametrize("column", [distinct(1, 2), pickle.loads(pickle.dumps(distinct(1, 2)))])
def test_values_cannot_be_changed_from_outside(column):
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 7.0


def test_pickling_keeps_every_bit():
    for column in (distinct(0.1, 0.3), distinct(), DistinctValues(None, 0.5, 2.0)):
        same(pickle.loads(pickle.dumps(column)), column)
