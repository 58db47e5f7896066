"""Tree-augmented naive Bayes."""

import itertools
import math

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from builders import attribute_parents, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import structures
from oracle.measures import conditional_mutual_information

from bnclass import (
    BnclassWarning,
    Constraints,
    DataError,
    EncodedTable,
    StructureError,
    SufficientStatistics,
    TableEncoder,
    TANLearner,
)
from bnclass.structure import tan

# One class. "b" copies "a"; "c" agrees with them in three rows of four; "d" is apart.
CHAIN = statistics_from(["uuvv", "uuvv", "uuuv", "uvuv"], "KKKK")


@st.composite
def weights(draw, max_nodes=6, largest=3):
    """Draw a symmetric matrix of small integers, full of ties and zeros."""
    n = draw(st.integers(1, max_nodes))
    cells = draw(st.lists(st.integers(0, largest), min_size=n * n, max_size=n * n))
    lower = np.tril(np.array(cells, dtype=np.int64).reshape(n, n), -1)
    return lower + lower.T


def matrix(n, edges):
    result = np.zeros((n, n), dtype=np.int64)
    for (i, j), weight in edges.items():
        result[i, j] = result[j, i] = weight
    return result


def spanning_tree(weights, root):
    """Return the tree that all nodes but the root may join at any time."""
    return tan.maximum_spanning_tree(weights, root, np.zeros(len(weights), np.bool_))


# ---------------------------------------------------------------- the tree


def test_a_tree_by_hand():
    # 3 -5- 1 -4- 2 and 0 hangs on 2; the cycle 1-2-3 stays open at its lightest edge.
    edges = {(0, 2): 3, (1, 2): 4, (1, 3): 5, (2, 3): 2, (0, 1): 1}
    assert spanning_tree(matrix(4, edges), 0) == {2: 0, 1: 2, 3: 1}
    assert spanning_tree(matrix(4, edges), 3) == {1: 3, 2: 1, 0: 2}


def test_the_lower_child_joins_first_and_takes_the_lower_parent():
    # All edges weigh the same: 1 joins before 2, and 2 hangs on 0 though 1 is as near.
    assert list(spanning_tree(np.ones((4, 4), np.int64), 0).items()) == [
        (1, 0),
        (2, 0),
        (3, 0),
    ]
    assert list(spanning_tree(np.ones((3, 3), np.int64), 2).items()) == [(0, 2), (1, 0)]


def test_the_lower_parent_wins_even_if_it_joined_later():
    # 2 joins before 1; then 3 is as near to 1 as to 2.
    edges = {(0, 2): 9, (0, 1): 8, (2, 3): 5, (1, 3): 5}
    assert spanning_tree(matrix(4, edges), 0) == {2: 0, 1: 0, 3: 1}


def test_edges_of_weight_zero_are_edges():
    assert spanning_tree(np.zeros((3, 3), np.int64), 1) == {0: 1, 2: 0}


def test_weights_near_the_largest_integer_are_compared_exactly():
    big = 2**62
    tree = spanning_tree(matrix(3, {(0, 1): big, (0, 2): big - 1, (1, 2): big}), 0)
    assert tree == {1: 0, 2: 1}


def test_late_nodes_join_only_once_all_others_have():
    # 1 is nearest to all others, and still joins last, under the nearest of them.
    edges = {(0, 1): 9, (0, 2): 5, (1, 2): 8, (0, 3): 1, (1, 3): 10}
    late = np.array([False, True, False, False])
    tree = tan.maximum_spanning_tree(matrix(4, edges), 0, late)
    assert list(tree.items()) == [(2, 0), (3, 0), (1, 3)]


@pytest.mark.parametrize("n", [0, 1])
def test_no_tree_without_two_nodes(n):
    assert spanning_tree(np.zeros((n, n), np.int64), 0) == {}


@settings(deadline=None)
@given(weights(), st.data())
def test_the_tree_is_the_oracles(matrix, data):
    root = data.draw(st.integers(0, len(matrix) - 1))
    expected = structures.prim(matrix.tolist(), root)
    found = spanning_tree(matrix, root)
    assert {root: (), **{child: (parent,) for child, parent in found.items()}} == expected


@settings(deadline=None)
@given(weights(largest=50), st.data())
def test_no_spanning_tree_is_heavier(matrix, data):
    root = data.draw(st.integers(0, len(matrix) - 1))
    tree = nx.DiGraph()
    tree.add_nodes_from(range(len(matrix)))
    tree.add_edges_from((p, c) for c, p in spanning_tree(matrix, root).items())
    assert nx.is_arborescence(tree)
    assert tree.in_degree(root) == 0
    edges = nx.Graph()
    edges.add_nodes_from(tree)
    edges.add_weighted_edges_from(
        (i, j, int(matrix[i, j])) for i, j in itertools.combinations(tree, 2)
    )
    best = nx.maximum_spanning_tree(edges).size(weight="weight")
    assert sum(int(matrix[arc]) for arc in tree.edges) == best


# ---------------------------------------------------------------- the learner


def test_tan_by_hand():
    structure = TANLearner().learn(CHAIN)
    assert structure.class_node == "class"
    assert structure.joint_family is None
    assert attribute_parents(structure) == {0: (), 1: (0,), 2: (0,), 3: (2,)}
    score = {arc: structure.graph.edges[arc]["score"] for arc in structure.arcs}
    assert score["x0", "x1"] == pytest.approx(math.log(2), abs=1e-15)
    # a and c: 2 rows uu, 1 vu, 1 vv.
    expected = 0.5 * math.log(4 / 3) + 0.25 * math.log(2 / 3) + 0.25 * math.log(2)
    assert score["x0", "x2"] == pytest.approx(expected, abs=1e-15)
    assert score["class", "x3"] == 0.0


def test_zero_weight_edges_stay_and_show_zero():
    structure = TANLearner().learn(statistics_from(["uuvv", "pqpq", "cccc"], "KKKK"))
    assert attribute_parents(structure) == {0: (), 1: (0,), 2: (0,)}
    for arc in (("x0", "x1"), ("x0", "x2")):
        assert structure.graph.edges[arc]["score"] == 0.0


def test_an_attribute_equal_to_the_class_takes_no_part_beyond_its_zero_edge():
    # Given the class, a copy of it is constant; b and c are each other's copies.
    structure = TANLearner().learn(statistics_from(["KKLL", "uvuv", "uvuv"], "KKLL"))
    assert attribute_parents(structure) == {0: (), 1: (0,), 2: (1,)}
    assert structure.graph.edges["x0", "x1"]["score"] == 0.0
    assert structure.graph.edges["class", "x0"]["score"] == pytest.approx(math.log(2))


@settings(deadline=None)
@given(training_tables(max_attributes=5), st.data())
def test_tan_is_the_oracles(table, data):
    root = data.draw(st.sampled_from([None, *range(table.n)]))
    structure = TANLearner(None if root is None else f"x{root}").learn(statistics_of(table))
    assert attribute_parents(structure) == structures.tan(table, root or 0)
    for i, parents in structures.tan(table, root or 0).items():
        for j in parents:
            expected = conditional_mutual_information(table, min(i, j), max(i, j))
            score = structure.graph.edges[f"x{j}", f"x{i}"]["score"]
            assert score == pytest.approx(expected, abs=1e-12)


def test_a_chosen_root_turns_the_tree_round():
    structure = TANLearner("x3").learn(CHAIN)
    assert structure.parents("x3") == ("class",)
    assert attribute_parents(structure) == {0: (2,), 1: (0,), 2: (3,), 3: ()}


def test_a_tree_from_every_root():
    trees = TANLearner("x2").learn_by_root(CHAIN)
    assert list(trees) == ["x0", "x1", "x2", "x3"]
    assert trees == {root: TANLearner(root).learn(CHAIN) for root in trees}
    assert TANLearner().learn_all(CHAIN) == tuple(trees.values())


def test_roots_are_discrete_where_something_is():
    frame = pd.DataFrame({"n": [0.0, 1.0, 3.0], "a": list("uuv"), "b": list("uvv")})
    encoder = TableEncoder(continuous="gaussian")
    statistics = SufficientStatistics.from_table(encoder.fit_transform(frame, list("KLL")))
    assert list(TANLearner().learn_by_root(statistics)) == ["a", "b"]


def test_no_attribute_no_tree():
    nothing = statistics_from(["uv"], "KL").table
    nothing = EncodedTable((), nothing.codes[:, :0], nothing.target, nothing.labels)
    assert TANLearner().learn_all(SufficientStatistics.from_table(nothing)) == ()


def test_roots_that_leave_no_tree_under_the_constraints_are_left_out():
    required = Constraints(required=[("x0", "x1")])
    learned = TANLearner(constraints=required).learn_by_root(CHAIN)
    assert list(learned) == ["x0", "x2", "x3"]
    assert all(("x0", "x1") in tree.arcs for tree in learned.values())
    # Nothing may come before "x0", which so is the root of every tree there is.
    ordered = Constraints(order=["x0", "x1", "x2", "x3"])
    assert list(TANLearner(constraints=ordered).learn_by_root(CHAIN)) == ["x0"]
    rooted = TANLearner(constraints=Constraints(root="x3")).learn_by_root(CHAIN)
    assert rooted == {"x3": TANLearner("x3").learn(CHAIN)}


def test_a_forest_from_every_root_is_reported():
    constraints = Constraints(
        forbidden=[("x3", c) for c in ("x0", "x1", "x2")] + [(c, "x3") for c in ("x0", "x1", "x2")]
    )
    with pytest.warns(BnclassWarning, match=r"leave no single tree: \['x0', 'x3'\]") as caught:
        trees = TANLearner(constraints=constraints).learn_by_root(CHAIN)
    assert len(caught) == 1
    assert list(trees) == ["x0", "x1", "x2", "x3"]


def test_an_integer_column_name_is_a_name_and_no_place():
    frame = pd.DataFrame({2: list("uuvv"), 0: list("uvuv"), 1: list("uuvv")})
    statistics = SufficientStatistics.from_table(TableEncoder().fit_transform(frame, list("KKKL")))
    assert TANLearner(0).learn(statistics).parents(0) == ("class",)
    assert TANLearner().learn(statistics).parents(2) == ("class",)


def test_one_attribute_is_its_own_tree():
    assert TANLearner().learn(statistics_from(["uv"], "KL")).arcs == (("class", "x0"),)


def test_the_class_is_no_root():
    with pytest.raises(StructureError, match="root is 'class', the class; expected an attribute"):
        TANLearner("class").learn(CHAIN)


@pytest.mark.parametrize("root", ["z", 0, ["x0"]])
def test_a_root_that_is_no_column_is_refused(root):
    with pytest.raises(StructureError, match=r"root is .*, expected one of \['x0', 'x1'"):
        TANLearner(root).learn(CHAIN)


def test_tan_needs_pair_counts():
    singles = SufficientStatistics.from_table(CHAIN.table, order=1)
    with pytest.raises(DataError, match=r"expected pair counts \(order=2\)"):
        TANLearner().learn(singles)
