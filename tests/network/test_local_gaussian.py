"""The compiled local member of numbers held to the explicit network of every row."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import constrained
from wanted import as_constraints, as_measures, by_column, wanted

from bnclass import (
    BDeu,
    Constraints,
    DataError,
    Dependences,
    EncodedTable,
    KSTLearner,
    Laplace,
    LocalGaussianMember,
    LocalMember,
    MEstimate,
    StructureError,
    SufficientStatistics,
    TableEncoder,
)
from bnclass.network import local_families
from bnclass.network import local_gaussian_kernels as kernels
from bnclass.scores.local_gaussian import known_numbers

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def statistics_of(numbers, labels, weights=None):
    frame = pd.DataFrame(np.asarray(numbers, float)).add_prefix("x")
    encoder = TableEncoder(continuous="gaussian")
    return SufficientStatistics.from_table(encoder.fit_transform(frame, labels, weights))


def drawn(seed, t, n, holes, few):
    """Draw numbers, coarse ones tie; some columns copy others, and some are constant."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, t)
    numbers = rng.normal(size=(t, n)) @ rng.normal(size=(n, n)) + labels[:, None]
    numbers = numbers.round(0 if few else 3)
    for i in range(1, n):
        kind = rng.integers(0, 8)
        if kind == 0:
            numbers[:, i] = 1 - 2 * numbers[:, i - 1]
        elif kind == 1:
            numbers[:, i] = 4.0
    asked = numbers[rng.integers(0, t, 12)] + rng.choice([0, 0, 1, 100], (12, n))
    for array, share in ((numbers, holes), (asked, 0.2)):
        array[rng.random(array.shape) < share] = np.nan
    return numbers, labels, asked


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    t=st.integers(1, 40),
    n=st.integers(1, 7),
    holes=st.sampled_from([0.0, 0.2]),
    few=st.booleans(),
    k=st.integers(0, 4),
    dependence=st.sampled_from(["class-conditional", "pairwise"]),
    smoothing=st.sampled_from([MEstimate(1.0), MEstimate(0.0), Laplace(2.0), BDeu(3.0)]),
    weighted=st.booleans(),
)
def test_the_loops_give_the_walk_s_structures_and_joints(
    seed, t, n, holes, few, k, dependence, smoothing, weighted
):
    numbers, labels, asked = drawn(seed, t, n, holes, few)
    seen = ~np.isnan(numbers).all(axis=0)
    if not seen.any():
        return
    weights = np.random.default_rng(seed).choice([0.25, 1, 2.5], t) if weighted else None
    statistics = statistics_of(numbers[:, seen], labels, weights)
    member = LocalGaussianMember(statistics, smoothing, k, dependence)
    asked = asked[:, seen]
    found, parents = member.log_joint(asked), structures(member, asked)
    for r, row in enumerate(asked):
        network = member.network_at(row)
        table = statistics.table.rows(slice(0, 1))
        table = type(table).from_frame(
            pd.DataFrame([row], columns=[v.name for v in table.variables]), table.variables
        )
        assert parents[r] == places(network.structure, statistics)
        expected = network.log_joint(table, engine="graph")[0]
        impossible = np.isneginf(expected)
        assert np.array_equal(np.isneginf(found[r]), impossible)
        assert found[r][~impossible] == pytest.approx(expected[~impossible], rel=1e-9, abs=1e-9)


def structures(member, rows):
    """Return every row's parents by the compiled loop, {child: (parents)}."""
    known = known_numbers(member.statistics, rows)
    n = known.shape[1]
    parents = np.empty((len(known), n, min(member.k, n - 1)), np.int32)
    kernels.find_parents(known, 0, len(known), member._rules[1], member._terms, parents)
    return [
        {i: tuple(p for p in of[i].tolist() if p >= 0) for i in range(n) if not np.isnan(row[i])}
        for row, of in zip(known, parents, strict=True)
    ]


def places(structure, statistics):
    place = {name: i for i, name in enumerate(statistics.schema.names)}
    return {
        place[a]: tuple(place[p] for p in structure.parents(a) if p in place)
        for a in structure.attributes
    }


def test_far_from_all_training_rows():
    """Squares of such deviations overflow; structures still come to a decision."""
    rng = np.random.default_rng(1)
    member = LocalGaussianMember(statistics_of(rng.normal(size=(30, 4)), [0, 1, 2] * 10), k=1)
    far = [[1e100, -1e100, 1e100, 0.0], [1e60, 1.0, np.nan, -1e90]]
    assert structures(member, far) == [
        places(KSTLearner(1).learn_at(member.statistics, row), member.statistics) for row in far
    ]
    assert np.isneginf(member.log_joint([[1e100, 0.0, 0.0, 0.0]])[0]).sum() in (0, 3)


def test_whole_numbers_are_numbers():
    member = LocalGaussianMember(statistics_of([[1, 2], [3, 5], [2, 2]], [0, 0, 1]))
    assert np.array_equal(member.log_joint([[1, 2]]), member.log_joint([[1.0, 2.0]]))


def test_constants_have_no_place_in_a_row_s_network():
    member = LocalGaussianMember(statistics_of([[1, 7, 2], [3, 7, 5], [2, 7, 1]], [0, 0, 1]))
    assert member.network_at([1, 7, 2]).structure.attributes == ("x0", "x2")
    assert member.network_at([1, 7, 2]) == member.network_at([1, np.nan, 2])
    found = member.log_joint([[1, 7, 2], [1, 8, 2], [1, np.nan, 2]])
    assert (found == found[0]).all()


def test_a_row_without_numbers_gets_the_prior():
    member = LocalGaussianMember(statistics_of([[1], [3], [2]], [0, 0, 1]), MEstimate(0.0))
    assert np.exp(member.log_joint([[np.nan]])) == pytest.approx(np.array([[2 / 3, 1 / 3]]))
    assert member.log_joint(np.empty((0, 1))).shape == (0, 2)


def test_many_parents_are_told_apart(monkeypatch):
    """Keys of families are compressed before they overflow."""
    rng = np.random.default_rng(2)
    families = rng.integers(-1, 60, (400, 14))
    first, places = local_families._distinct(families, 60)
    assert np.array_equal(families[first][places], families)
    assert len(first) == len(np.unique(families, axis=0))


def test_steps_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=(50, 5))
    member = LocalGaussianMember(statistics_of(numbers, [0, 1] * 25))
    together = member.log_joint(numbers)
    monkeypatch.setattr("bnclass.network.local_gaussian._ROWS_A_STEP", 7)
    assert np.array_equal(LocalGaussianMember(member.statistics).log_joint(numbers), together)


def test_a_member_survives_pickling_and_never_changes():
    statistics = statistics_of([[1, 2], [3, np.nan], [2, 2], [2, 2]], [0, 0, 1, 1])
    member = LocalGaussianMember(statistics, Laplace(2.0), 1, "pairwise")
    before = member.log_joint([[0, 1]])
    again = pickle.loads(pickle.dumps(member))
    assert again == member
    assert "_families" not in again.__dict__
    assert np.array_equal(again.log_joint([[0, 1]]), before)
    with pytest.raises(AttributeError):
        member.k = 3
    assert member != LocalGaussianMember(statistics, Laplace(2.0), 2, "pairwise")
    assert repr(member) == "LocalGaussianMember(k=1, dependence='pairwise')"
    distinct = member.distinct_rows
    assert distinct.row_weights.tolist() == [1, 1, 2]
    assert np.array_equal(distinct.numbers, [[1, 2], [3, np.nan], [2, 2]], equal_nan=True)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([1.0, 2.0], r"rows of shape \(2,\)"),
        ([[1.0]], "expected 2 numbers in each"),
        ([["a", "b"]], "expected 2 numbers in each"),
        ([[np.inf, 0.0]], "'x0': found a number beyond 1e\\+100"),
    ],
)
def test_rows_that_are_none_are_refused(rows, message):
    member = LocalGaussianMember(statistics_of([[1, 2], [3, 5], [2, 2]], [0, 0, 1]))
    with pytest.raises(DataError, match=message):
        member.log_joint(rows)


def test_other_statistics_are_refused():
    discrete = TableEncoder().fit_transform(pd.DataFrame({"a": list("uvu")}), [0, 0, 1])
    with pytest.raises(DataError, match="expected continuous attributes"):
        LocalGaussianMember(SufficientStatistics.from_table(discrete))
    statistics = statistics_of([[1, 2], [3, 5], [2, 2]], [0, 0, 1])
    with pytest.raises(DataError, match="expected discrete attributes"):
        LocalMember(statistics)
    with pytest.raises(DataError, match="expected rows"):
        LocalGaussianMember(statistics.merge(statistics))


def test_families_that_are_not_kept_are_estimated_again(monkeypatch):
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=(50, 5))
    member = LocalGaussianMember(statistics_of(numbers, [0, 1] * 25))
    expected = member.log_joint(numbers)
    monkeypatch.setattr(local_families, "_MOST_KEPT", 1)
    found = [member.log_joint(part) for part in (numbers[:25], numbers[25:])]
    assert np.array_equal(np.concatenate(found), expected)


# ---------------------------------------------------------------- constraints


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 6),
    k=st.integers(0, 3),
    few=st.booleans(),
    data=st.data(),
)
def test_constraints_on_single_rows(seed, n, k, few, data):
    numbers, labels, asked = drawn(seed, 12, n, 0.0, few)
    statistics = statistics_of(numbers, labels)
    want = data.draw(wanted(n))
    if want.contradictory(limit=k):
        with pytest.raises(StructureError):
            LocalGaussianMember(statistics, k=k, constraints=as_constraints(want))
        return
    member = LocalGaussianMember(statistics, k=k, constraints=as_constraints(want))
    for row in asked:
        measures = as_measures(Dependences.of_row(statistics, row))
        assert by_column(member.structure_at(row)) == constrained.kst(want, measures, k)
    rows = known_numbers(statistics, asked)
    walked = member.walk(
        EncodedTable.from_frame(pd.DataFrame(rows).add_prefix("x"), statistics.table.variables)
    )
    assert member.log_joint(asked) == pytest.approx(walked, rel=1e-9, abs=1e-9)
    assert by_column(member.learner.learn(statistics)) == constrained.kst(
        want, as_measures(Dependences.from_statistics(statistics)), k
    )


def test_empty_constraints_change_nothing():
    numbers, labels, asked = drawn(5, 30, 6, 0.0, False)
    statistics = statistics_of(numbers, labels)
    free = LocalGaussianMember(statistics).log_joint(asked)
    for empty in (Constraints(), Constraints(max_parents=9)):
        assert np.array_equal(
            LocalGaussianMember(statistics, constraints=empty).log_joint(asked), free
        )
