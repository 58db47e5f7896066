"""k-dependence Bayesian classifiers."""

import itertools

import numpy as np
import pytest
from builders import attribute_parents, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import structures

from bnclass import KDBLearner, NaiveBayesLearner, StructureError, TANLearner

# "c" is the class; "a" agrees with it in three rows of four; "b" and "d" know nothing of it
# and, given the class, "d" copies "b".
BY_HAND = statistics_from(["uuvu", "pqpq", "kkll", "pqpq"], "KKLL")


# ---------------------------------------------------------------- the structure


def test_kdb_by_hand():
    # The order by I(X;Y) is c, a, b, d, the last two at 0.
    structure = KDBLearner(k=1).learn(BY_HAND)
    assert attribute_parents(structure) == {2: (), 0: (2,), 1: (0,), 3: (1,)}
    assert structure.joint_family is None
    assert structure.class_node == "class"


def test_ties_between_parents_keep_the_one_earlier_in_the_order():
    # Every attribute is constant, so that all measures are 0 and the columns keep their order.
    structure = KDBLearner(k=2).learn(statistics_from(["aa", "bb", "cc", "dd"], "KL"))
    assert attribute_parents(structure) == {0: (), 1: (0,), 2: (0, 1), 3: (0, 1)}


def test_earlier_means_the_order_by_information_and_not_by_column():
    # x2 comes first; of x0 and x2, equally unrelated to x1, x2 is the earlier.
    structure = KDBLearner(k=1).learn(statistics_from(["cccc", "cccc", "kkll"], "KKLL"))
    assert attribute_parents(structure) == {2: (), 0: (2,), 1: (2,)}


@settings(deadline=None)
@given(training_tables(max_attributes=5), st.sampled_from([0, 1, 2, 3, 4, 9, None]))
def test_kdb_is_the_oracles(table, k):
    structure = KDBLearner(k).learn(statistics_of(table))
    assert attribute_parents(structure) == structures.kdb(table, k)


@settings(deadline=None)
@given(training_tables(max_attributes=5))
def test_the_full_network_joins_every_pair(table):
    statistics = statistics_of(table)
    full = KDBLearner(k=None).learn(statistics)
    for u, v in itertools.combinations(full.nodes, 2):
        assert full.graph.has_edge(u, v) != full.graph.has_edge(v, u)
    for k in (table.n - 1, table.n, table.n + 5):
        assert KDBLearner(k).learn(statistics) == full


@settings(deadline=None)
@given(training_tables(max_attributes=5))
def test_no_attribute_parents_is_naive_bayes(table):
    statistics = statistics_of(table)
    assert KDBLearner(k=0).learn(statistics) == NaiveBayesLearner().learn(statistics)


def test_one_attribute():
    statistics = statistics_from(["uv"], "KL")
    for k in (0, 1, 3, None):
        assert KDBLearner(k).learn(statistics).arcs == (("class", "x0"),)


def test_two_attributes_are_a_tree_whose_root_knows_the_class_best():
    statistics = statistics_from(["uvuv", "uuvv"], "KKLL")
    assert KDBLearner(k=1).learn(statistics) == TANLearner("x1").learn(statistics)


def test_every_arc_carries_its_measure():
    arcs = KDBLearner(k=2).learn(BY_HAND).graph.edges
    assert all("score" in arcs[arc] for arc in arcs)
    assert arcs["class", "x2"]["score"] == pytest.approx(np.log(2), abs=1e-15)
    assert arcs["x1", "x3"]["score"] == pytest.approx(np.log(2), abs=1e-15)
    assert arcs["x2", "x0"]["score"] == 0.0  # x2 is constant within each class


# ---------------------------------------------------------------- k


@pytest.mark.parametrize("k", [-1, 2.5, 2.0, True, False, "2", np.nan, [1], np.float64(1.0)])
def test_k_must_be_a_whole_number_of_at_least_zero(k):
    with pytest.raises(StructureError, match=r"k is .*, expected None or an integer of at least 0"):
        KDBLearner(k)


def test_k_may_be_a_numpy_integer():
    assert KDBLearner(np.int64(1)).learn(BY_HAND) == KDBLearner(1).learn(BY_HAND)
    with pytest.raises(StructureError):
        KDBLearner(np.int64(-1))


def test_the_default_is_two():
    assert KDBLearner() == KDBLearner(k=2)
