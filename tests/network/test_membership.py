"""Which members of an ensemble serve which row."""

import copy
import pickle

import numpy as np
import pytest
from builders import encoded, statistics_of, training_tables, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.posteriors import usable_superparents
from oracle.tables import make_table

from bnclass import BnclassError, EncodedTable, SuperparentSeen

A, B = variable("a", 2), variable("b", 3)


def rule(min_count=2):
    return SuperparentSeen(min_count, ("a", "b"), ([5.0, 1.0], [2.0, 0.0, 1.5]))


def rows(*codes):
    return EncodedTable((A, B), np.array(codes, dtype=np.int32).reshape(len(codes), 2))


# ---------------------------------------------------------------- the rule


def test_the_rule_by_hand():
    served = rule().serves(rows([0, 0], [1, 0], [0, 1], [-1, 2], [-1, -1]))
    assert served.dtype == np.bool_
    assert served.tolist() == [
        [True, True],  # 5 and 2 rows
        [False, True],
        [True, False],
        [False, False],  # missing; 1.5 rows
        [False, False],
    ]
    assert [g.tolist() for g in rule().gates] == [[True, False], [True, False, False]]


def test_a_count_equal_to_the_minimum_is_enough():
    assert rule(1.5).serves(rows([1, 2]))[0].tolist() == [False, True]
    assert rule(np.float64(1)).serves(rows([1, 2]))[0].tolist() == [True, True]


def test_a_minimum_of_zero_takes_every_known_value():
    assert rule(0).serves(rows([1, 1], [-1, 1]))[:, :].tolist() == [[True, True], [False, True]]


def test_an_infinite_minimum_takes_none():
    assert not rule(np.inf).serves(rows([0, 0])).any()


def test_columns_are_found_by_name():
    turned = EncodedTable((B, A), np.array([[1, 0]], dtype=np.int32))
    assert rule().serves(turned).tolist() == [[True, False]]


def test_no_rows():
    assert rule().serves(rows()).shape == (0, 2)


@settings(deadline=None)
@given(training_tables(), st.sampled_from([0, 1, 2, 2.5, 5]))
def test_the_rule_from_statistics_is_the_oracles(table, min_count):
    rule = SuperparentSeen.from_statistics(statistics_of(table), min_count)
    assert rule.superparents == tuple(f"x{i}" for i in range(table.n))
    served = rule.serves(encoded(table))
    for row, members in zip(table.rows, served, strict=True):
        assert np.flatnonzero(members).tolist() == usable_superparents(table, row, min_count)


def test_counts_are_weights_of_rows_with_the_value_in_any_class():
    statistics = statistics_of(make_table(list("uuv"), "KLL", [2, 0.5, 1], [("u", "v", "w")]))
    rule = SuperparentSeen.from_statistics(statistics, 1)
    assert rule.counts[0].tolist() == [2.5, 1.0, 0.0]


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("min_count", [-1, np.nan, True, "1", None, 1 + 0j, np.bool_(True)])
def test_the_minimum_must_be_a_number_of_at_least_zero(min_count):
    with pytest.raises(BnclassError, match=r"min_count is .*, expected a number of at least 0"):
        rule(min_count)


def test_every_superparent_needs_its_counts():
    with pytest.raises(BnclassError, match="1 counts for 2 superparents"):
        SuperparentSeen(1, ("a", "b"), ([1.0, 1.0],))


# ---------------------------------------------------------------- equality and immutability


def test_equality():
    assert rule() == rule()
    assert rule() == SuperparentSeen(2.0, ["a", "b"], [np.array([5, 1]), np.array([2, 0, 1.5])])
    assert rule() != rule(1)
    assert rule() != SuperparentSeen(2, ("a", "b"), ([5.0, 2.0], [2.0, 0.0, 1.5]))
    assert rule() != SuperparentSeen(2, ("a", "c"), ([5.0, 1.0], [2.0, 0.0, 1.5]))
    assert rule() != "rule"
    assert repr(rule()) == "SuperparentSeen(min_count=2, members=2)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(rule())


@pytest.mark.parametrize(
    "copied", [lambda r: r, copy.deepcopy, copy.copy, lambda r: pickle.loads(pickle.dumps(r))]
)
def test_counts_are_read_only_and_stay_so(copied):
    other = copied(rule())
    assert other == rule()
    with pytest.raises(ValueError, match="read-only"):
        other.counts[0][0] = 0.0
    with pytest.raises(AttributeError):
        other.min_count = 0


def test_counts_are_a_copy():
    counts = np.array([5.0, 1.0])
    rule = SuperparentSeen(2, ("a",), (counts,))
    counts[0] = 0.0
    assert rule.counts[0].tolist() == [5.0, 1.0]
