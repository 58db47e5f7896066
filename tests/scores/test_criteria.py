"""The criteria of maximum correlation and of minimum dependence."""

import itertools

import numpy as np
from builders import statistics_of, training_tables
from hypothesis import given, settings

from bnclass.scores.criteria import maximum_correlation, minimum_dependence
from bnclass.scores.dependence import Dependences

# Measures in units of 2⁻⁴⁰ nats, so that they are whole numbers in comparisons.
PAIRS = np.array([[0, 1, 2, 4], [1, 0, 8, 16], [2, 8, 0, 32], [4, 16, 32, 0]])
TRIPLES = np.zeros((4, 4, 4))
for p, i, j in itertools.permutations(range(4), 3):
    TRIPLES[p, i, j] = 100 * p + i + j
BY_HAND = Dependences((0, 1, 2, 3), PAIRS / 2**40, TRIPLES / 2**40)


def test_maximum_correlation_by_hand():
    found = maximum_correlation(BY_HAND)
    assert found.tolist() == [7, 25, 42, 52]
    assert found.dtype == np.int64


def test_minimum_dependence_by_hand():
    # Of the child 3 among 0, 1, 2. Of 0: (16 + 4) and (32 + 5). Of 1: (4 + 103) and
    # (32 + 105). Of 2: (4 + 203) and (16 + 204).
    found = minimum_dependence(BY_HAND, 3, [0, 1, 2])
    assert found.tolist() == [57, 244, 427]
    assert found.dtype == np.int64


def test_minimum_dependence_given_parents_by_hand():
    # With the parent 0: of 1, l is 2: 32 + 5 + 105; of 2, l is 1: 16 + 4 + 204.
    assert minimum_dependence(BY_HAND, 3, [1, 2], [0]).tolist() == [142, 224]
    assert minimum_dependence(BY_HAND, 3, [2, 1], [0]).tolist() == [224, 142]
    assert minimum_dependence(BY_HAND, 3, [2], [0, 1]).tolist() == [0]


@settings(deadline=None)
@given(training_tables(min_attributes=3, max_attributes=5))
def test_the_criteria_are_their_formulas(table):
    statistics = statistics_of(table)
    n = table.n
    for measured in (
        Dependences.from_statistics(statistics),
        Dependences.of_row(statistics, statistics.table.codes[0], "pairwise"),
    ):
        correlation = maximum_correlation(measured)
        for i in range(n):
            others = [j for j in range(n) if j != i]
            assert correlation[i] == sum(int(measured.pairs[i, j]) for j in others)
            parents, candidates = others[:1], others[1:]
            dependence = minimum_dependence(measured, i, candidates, parents)
            for place, j in enumerate(candidates):
                assert dependence[place] == sum(
                    int(measured.pairs[i, h])
                    + sum(int(measured.triples[p, i, h]) for p in [*parents, j])
                    for h in candidates
                    if h != j
                )
