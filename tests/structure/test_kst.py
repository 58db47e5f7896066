"""The k-dependence spanning tree, of all rows and of one."""

import itertools

import numpy as np
import pytest
from builders import attribute_parents, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import DataError, NaiveBayesLearner, StructureError, SufficientStatistics
from bnclass.scores.dependence import Dependences
from bnclass.structure.kst import KSTLearner

# Given the class, "d" copies "b" and knows whether "a" and "c" agree; "a" and "c" are free.
BY_HAND = statistics_from(["uuvvuuvv", "pqqppqqp", "klklklkl", "pqqppqqp"], "KKKKLLLL")
DEPENDENCES = st.sampled_from(["class-conditional", "pairwise"])


def plain(measured, k):
    """Follow the formulas in loops; parents by place among the attributes measured."""
    m = len(measured.attributes)
    pair, triple = measured.pairs.tolist(), measured.triples.tolist()
    order = sorted(range(m), key=lambda i: (-sum(pair[i][j] for j in range(m) if j != i), i))
    parents = {}
    for position, i in enumerate(order):
        rest, chosen = order[:position], []
        while rest and (position <= k or len(chosen) < k):
            if position <= k:
                chosen, rest = rest, []
                break

            def dependence(j, i=i, rest=rest, chosen=chosen):
                others = [h for h in rest if h != j]
                return sum(pair[i][h] + sum(triple[p][i][h] for p in [*chosen, j]) for h in others)

            best = min(rest, key=lambda j: (dependence(j), order.index(j)))
            chosen, rest = [*chosen, best], [h for h in rest if h != best]
        parents[i] = tuple(sorted(chosen))
    return parents


# ---------------------------------------------------------------- global


def test_the_order_and_the_choice_by_hand():
    # Only x1 and x3 share anything: the order is x1, x3, x0, x2. Of x0, at 2, given x1 or x3
    # nothing is left, a tie: x1 is the earlier. Of x2, at 3: I(x2;x0|x1) = I(x2;x0|x3) = ln 2,
    # I(x2;x1|x0) = I(x2;x3|x0) = ln 2, I(x2;x3|x1) = 0. So D is ln 2 for x1 and x3, and
    # 2 ln 2 for x0.
    structure = KSTLearner(k=1).learn(BY_HAND)
    assert attribute_parents(structure) == {1: (), 3: (1,), 0: (1,), 2: (1,)}
    # With x1, of x3 and x0: I(x2;x0|x1) + I(x2;x0|x3) = 2 ln 2 is left by x3, and by x0
    # I(x2;x3|x1) + I(x2;x3|x0) = ln 2.
    structure = KSTLearner(k=2).learn(BY_HAND)
    assert attribute_parents(structure) == {1: (), 3: (1,), 0: (1, 3), 2: (0, 1)}
    assert structure.joint_family is None
    assert structure.class_node == "class"


def test_ties_keep_the_order_of_columns():
    # Every attribute is constant, so that all measures are 0.
    structure = KSTLearner(k=2).learn(statistics_from(["aa", "bb", "cc", "dd"], "KL"))
    assert attribute_parents(structure) == {0: (), 1: (0,), 2: (0, 1), 3: (0, 1)}


def test_the_two_dependences_can_differ():
    # x0 and x1 copy the class, which makes them the same where it is not given.
    rng = np.random.default_rng(0)
    columns = ["".join(rng.choice(list("uv"), 24)) for _ in range(4)]
    statistics = statistics_from(["u" * 12 + "v" * 12] * 2 + columns, "K" * 12 + "L" * 12)
    found = [KSTLearner(1, d).learn(statistics) for d in ("class-conditional", "pairwise")]
    assert found[0] != found[1]


@settings(deadline=None)
@given(training_tables(max_attributes=6), st.integers(0, 6), DEPENDENCES)
def test_the_structure_is_that_of_plain_loops(table, k, dependence):
    statistics = statistics_of(table)
    expected = plain(Dependences.from_statistics(statistics, dependence), k)
    assert attribute_parents(KSTLearner(k, dependence).learn(statistics)) == expected


@settings(deadline=None)
@given(training_tables(max_attributes=5), DEPENDENCES)
def test_no_parents_is_naive_bayes_and_all_of_them_the_full_network(table, dependence):
    statistics = statistics_of(table)
    assert KSTLearner(0, dependence).learn(statistics) == NaiveBayesLearner().learn(statistics)
    full = KSTLearner(table.n - 1, dependence).learn(statistics)
    for u, v in itertools.combinations(full.nodes, 2):
        assert full.graph.has_edge(u, v) != full.graph.has_edge(v, u)
    assert KSTLearner(table.n + 5, dependence).learn(statistics) == full


def test_every_arc_carries_its_measure():
    arcs = KSTLearner(k=1).learn(BY_HAND).graph.edges
    assert arcs["x1", "x3"]["score"] == pytest.approx(np.log(2), abs=1e-15)
    assert arcs["class", "x0"]["score"] == 0.0


# ---------------------------------------------------------------- local


@settings(deadline=None)
@given(training_tables(max_attributes=6), st.integers(0, 4), DEPENDENCES, st.data())
def test_the_local_structure_is_that_of_plain_loops(table, k, dependence, data):
    row = [data.draw(st.integers(-1, len(domain) - 1)) for domain in table.domains]
    statistics = statistics_of(table)
    measured = Dependences.of_row(statistics, row, dependence)
    structure = KSTLearner(k, dependence).learn_at(statistics, row)
    assert attribute_parents(structure) == plain(measured, k)
    present = [f"x{i}" for i, code in enumerate(row) if code >= 0]
    assert structure.nodes == ("class", *present)
    assert all(structure.graph.has_edge("class", name) for name in present)


def test_a_local_arc_carries_the_local_measure():
    # As by hand in test_dependence: ln 8/5.
    structure = KSTLearner(k=1).learn_at(statistics_from(["uuv", "ppq"], "KKL"), [0, 0])
    assert structure.arcs == (("class", "x0"), ("class", "x1"), ("x0", "x1"))
    assert structure.graph.edges["x0", "x1"]["score"] == pytest.approx(np.log(8 / 5), abs=1e-15)
    assert "score" not in structure.graph.edges["class", "x0"]


def test_rows_differ_in_their_structures():
    # "a" and "b" agree where "c" is k, "a" and "d" where it is l.
    statistics = statistics_from(["uvuvuvuv", "uvuvvuuv", "kkkkllll", "uuvvuvuv"], "KKKKKKKK")
    found = {KSTLearner(1).learn_at(statistics, row) for row in itertools.product((0, 1), repeat=4)}
    assert len(found) > 1


def test_a_row_without_values_has_the_class_alone():
    structure = KSTLearner().learn_at(BY_HAND, [-1, -1, -1, -1])
    assert structure.nodes == ("class",)
    assert structure.arcs == ()


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize("k", [-1, 2.5, 2.0, True, False, "2", np.nan, [1], None, np.float64(1.0)])
def test_k_must_be_a_whole_number_of_at_least_zero(k):
    with pytest.raises(StructureError, match=r"k is .*, expected an integer of at least 0"):
        KSTLearner(k)


def test_k_may_be_a_numpy_integer():
    assert KSTLearner(np.int64(1)).learn(BY_HAND) == KSTLearner(1).learn(BY_HAND)


def test_dependence_is_one_of_two():
    with pytest.raises(DataError, match="dependence is 'joint', expected 'class-conditional'"):
        KSTLearner(dependence="joint")


def test_single_values_are_too_little():
    statistics = SufficientStatistics.from_table(BY_HAND.table, order=1)
    with pytest.raises(DataError, match="statistics of single values only"):
        KSTLearner().learn(statistics)
