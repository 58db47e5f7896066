"""The heaviest directed forest."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import constrained

from bnclass.structure.arborescence import maximum_branching


def every_arc(n):
    return ~np.eye(n, dtype=np.bool_)


def anyone(n):
    return np.ones(n, dtype=np.bool_)


def test_a_cycle_is_opened_where_it_costs_least_by_hand():
    # 1 -> 2 -> 3 -> 1 are the heaviest into each; from 0, entering at 2 loses 10 - 7 = 3,
    # at 1 it loses 9 - 2 = 7, at 3 it loses 8 - 4 = 4.
    weights = np.zeros((4, 4), np.int64)
    for (u, v), w in {(1, 2): 10, (2, 3): 8, (3, 1): 9, (0, 1): 2, (0, 2): 7, (0, 3): 4}.items():
        weights[u, v] = w
    allowed = weights > 0
    assert maximum_branching(weights, allowed, anyone(4)) == {1: 3, 2: 0, 3: 2}


def test_a_cycle_within_a_cycle():
    # 0 <-> 1 weighs most; with it 2 forms the next cycle; only 3 is free of arcs into it.
    weights = np.array([[0, 9, 1, 0], [9, 0, 5, 0], [6, 1, 0, 0], [1, 1, 3, 0]])
    assert maximum_branching(weights, weights > 0, anyone(4)) == {0: 2, 1: 0, 2: 3}


def test_more_arcs_come_before_heavier_ones():
    # 0 -> 1 alone weighs 100, but 1 -> 0 and 2 -> 1 are two arcs.
    weights = np.array([[0, 100, 0], [1, 0, 0], [0, 1, 0]])
    assert maximum_branching(weights, weights > 0, anyone(3)) == {0: 1, 1: 2}


def test_of_equal_arcs_the_lower_parent_and_the_lower_root():
    ones = np.ones((4, 4), np.int64)
    assert maximum_branching(ones, every_arc(4), anyone(4)) == {1: 0, 2: 0, 3: 0}


def test_who_may_be_no_root_gets_a_parent():
    ones = np.ones((3, 3), np.int64)
    free = np.array([False, False, True])
    # 0 and 1 take each other; the cycle is entered at the lower.
    assert maximum_branching(ones, every_arc(3), free) == {0: 2, 1: 0}


@pytest.mark.parametrize("n", [0, 1, 3])
def test_no_arcs_no_parents(n):
    zeros = np.zeros((n, n), np.int64)
    assert maximum_branching(zeros, zeros > 0, anyone(n)) == {}


def test_large_weights_are_added_exactly():
    big = 2**50
    weights = np.array([[0, big, 0], [0, 0, big + 1], [0, big + 1, 0]])
    allowed = weights > 0
    assert maximum_branching(weights, allowed, anyone(3)) == {1: 0, 2: 1}


@st.composite
def problems(draw, max_nodes=5):
    """Draw a symmetric or other matrix with many ties, and arcs that may not be."""
    n = draw(st.integers(1, max_nodes))
    largest = draw(st.sampled_from([1, 3, 60]))
    cells = st.lists(st.integers(0, largest), min_size=n * n, max_size=n * n)
    weights = np.array(draw(cells), np.int64).reshape(n, n)
    if draw(st.booleans()):
        weights = np.tril(weights, -1) + np.tril(weights, -1).T
    arcs = [(u, v) for u in range(n) for v in range(n) if u != v]
    forbidden = draw(st.lists(st.sampled_from(arcs), max_size=8)) if arcs else []
    return weights, constrained.Wanted(n, forbidden=tuple(forbidden))


@settings(deadline=None, max_examples=150)
@given(problems())
def test_no_forest_is_better(problem):
    weights, wanted = problem
    n = wanted.n
    allowed = np.array([[wanted.may_be(u, v) for v in range(n)] for u in range(n)])
    found = maximum_branching(weights, allowed, anyone(n))
    every = constrained.forests(wanted)
    assert found in every
    best = max(constrained.quality(forest, weights.tolist()) for forest in every)
    assert constrained.quality(found, weights.tolist()) == best
    if len(found) == n - 1:
        as_good = [f for f in every if constrained.quality(f, weights.tolist()) == best]
        assert root_of(found, n) == min(root_of(forest, n) for forest in as_good)


def root_of(forest, n):
    return next(i for i in range(n) if i not in forest)


@pytest.mark.parametrize("seed", range(3))
def test_networkx_finds_none_heavier_on_twenty_nodes(seed):
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 50, (20, 20))
    allowed = every_arc(20) & (rng.random((20, 20)) < 0.5)
    found = maximum_branching(weights, allowed, anyone(20))
    graph = nx.DiGraph()
    graph.add_nodes_from(range(20))
    graph.add_weighted_edges_from(
        (u, v, int(weights[u, v])) for u, v in np.argwhere(allowed).tolist()
    )
    expected = nx.maximum_spanning_arborescence(graph).size(weight="weight")
    assert constrained.quality(found, weights.tolist()) == (19, expected)
