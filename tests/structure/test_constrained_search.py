"""Learners under constraints against all structures there are."""

import warnings

import numpy as np
import pytest
from builders import attribute_parents, statistics_of, training_tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mixed_frames import random_frame
from oracle import constrained
from wanted import as_constraints, wanted

from bnclass import (
    BnclassWarning,
    Constraints,
    Information,
    KDBLearner,
    SPODELearner,
    StructureError,
    SufficientStatistics,
    TableEncoder,
    TANLearner,
)
from bnclass.scores.information import quantise

MIXED = {
    kinds: SufficientStatistics.from_table(
        TableEncoder(continuous="gaussian").fit_transform(*random_frame(seed, kinds))
    )
    for seed, kinds in enumerate(["nsns", "nnsn", "snss", "nnnn"])
}


def learned(make, want, statistics):
    """Return the attribute parents that a learner finds, or None if it refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BnclassWarning)
        try:
            return attribute_parents(make(as_constraints(want)).learn(statistics))
        except StructureError:
            return None


def weights_of(statistics):
    return quantise(Information(statistics).given_class).tolist()


# ---------------------------------------------------------------- TAN


def check_tan(statistics, want):
    found = learned(lambda c: TANLearner(constraints=c), want, statistics)
    if want.contradictory(limit=1):
        assert found is None
        return
    forest = {child: ps[0] for child, ps in found.items() if ps}
    every, weights = constrained.forests(want), weights_of(statistics)
    assert forest in every
    best = max(constrained.quality(f, weights) for f in every)
    assert constrained.quality(forest, weights) == best


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_tan_is_the_best_of_all_trees(data):
    table = data.draw(training_tables(max_attributes=5))
    check_tan(statistics_of(table), data.draw(wanted(table.n)))


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from(list(MIXED)))
def test_tan_of_numbers_and_states_is_the_best_of_all_trees(data, kinds):
    continuous = tuple(i for i, kind in enumerate(kinds) if kind == "n")
    want = data.draw(wanted(len(kinds), continuous))
    assume(want.root not in continuous or "s" not in kinds)  # refused as a root
    check_tan(MIXED[kinds], want)


@settings(deadline=None, max_examples=60)
@given(training_tables(min_attributes=2, max_attributes=5), st.data())
def test_pairs_forbidden_both_ways_give_the_heaviest_forest_from_the_first_columns(table, data):
    pairs = [(i, j) for j in range(table.n) for i in range(j)]
    gone = data.draw(st.lists(st.sampled_from(pairs), max_size=6))
    want = constrained.Wanted(table.n, forbidden=(*gone, *((v, u) for u, v in gone)))
    statistics = statistics_of(table)
    found = learned(lambda c: TANLearner(constraints=c), want, statistics)
    check_tan(statistics, want)
    # The first column of every tree is its root: below every root are only later columns.
    tree_root = {i: root_above(found, i) for i in found}
    assert all(root <= i for i, root in tree_root.items())


def root_above(parents, i):
    while parents[i]:
        (i,) = parents[i]
    return i


@settings(deadline=None, max_examples=60)
@given(training_tables(max_attributes=5), st.data())
def test_what_the_free_tree_keeps_anyway_changes_nothing(table, data):
    statistics = statistics_of(table)
    free = TANLearner().learn(statistics)
    parents = attribute_parents(free)
    kept = [(ps[0], child) for child, ps in parents.items() if ps]
    arcs = [(u, v) for u in range(table.n) for v in range(table.n) if u != v and (u, v) not in kept]
    forbidden = data.draw(st.lists(st.sampled_from(arcs), max_size=9)) if arcs else []
    required = data.draw(st.lists(st.sampled_from(kept), max_size=3)) if kept else []
    want = constrained.Wanted(table.n, tuple(required), tuple(forbidden), max_parents=1)
    assert TANLearner(constraints=as_constraints(want)).learn(statistics) == free


# ---------------------------------------------------------------- KDB


def check_kdb(statistics, want, k):
    found = learned(lambda c: KDBLearner(k, c), want, statistics)
    if want.contradictory(limit=k):
        assert found is None
        return
    relevance = quantise(Information(statistics).with_class).tolist()
    order = sorted(range(want.n), key=lambda i: (i in want.continuous, -relevance[i]))
    assert found == constrained.kdb(want, order, weights_of(statistics), k)


@settings(deadline=None, max_examples=150)
@given(st.data(), st.sampled_from([0, 1, 2, 3, None]))
def test_kdb_takes_the_best_of_all_sets_of_parents(data, k):
    table = data.draw(training_tables(max_attributes=5))
    check_kdb(statistics_of(table), data.draw(wanted(table.n)), k)


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sampled_from(list(MIXED)), st.sampled_from([1, 2, None]))
def test_kdb_of_numbers_and_states(data, kinds, k):
    continuous = tuple(i for i, kind in enumerate(kinds) if kind == "n")
    check_kdb(MIXED[kinds], data.draw(wanted(len(kinds), continuous)), k)


# ---------------------------------------------------------------- SPODE


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_spode_has_every_arc_from_its_superparent_that_may_be(data):
    table = data.draw(training_tables(max_attributes=5))
    want = data.draw(wanted(table.n))
    found = learned(lambda c: SPODELearner(constraints=c), want, statistics_of(table))
    starts = {u for u, _ in want.required}
    if want.contradictory(limit=1) or len(starts) > 1:
        assert found is None
        return
    relevance = quantise(Information(statistics_of(table)).with_class)
    superparent = starts.pop() if starts else int(np.argmax(relevance))
    none = want.limit(1) == 0
    assert found == {
        i: (superparent,) if want.may_be(superparent, i) and not none else ()
        for i in range(table.n)
    }


# ---------------------------------------------------------------- size


@pytest.mark.parametrize("learner", [TANLearner, KDBLearner])
def test_forty_columns_in_a_strict_order(learner):
    rng = np.random.default_rng(3)
    frame, labels = random_frame(3, "s" * 40, t=60)
    statistics = SufficientStatistics.from_table(TableEncoder().fit_transform(frame, labels))
    order = [f"x{i}" for i in rng.permutation(40)]
    structure = learner(constraints=Constraints(order=order)).learn(statistics)
    place = {name: i for i, name in enumerate(order)}
    arcs = [(u, v) for u, v in structure.arcs if u != structure.class_node]
    assert len(arcs) >= 39
    assert all(place[u] < place[v] for u, v in arcs)
    for u, v in [arc for arc in arcs if learner is TANLearner]:
        measure = statistics_weight(statistics, v)
        best = max(measure[f"x{i}"] for i in range(40) if place[f"x{i}"] < place[v])
        assert measure[u] == best


def statistics_weight(statistics, child):
    names = statistics.schema.names
    row = quantise(Information(statistics).given_class)[names.index(child)]
    return dict(zip(names, row.tolist(), strict=True))
