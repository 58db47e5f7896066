"""Sparse tables: by hand, and held to dense tables bit by bit."""

import pickle

import numpy as np
import pytest
from builders import encoded, statistics_of, training_tables, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.tables import make_table
from sparse_networks import random_sparse_cpd

from bnclass import (
    BDeu,
    CategoricalCPD,
    DataError,
    FactorError,
    Laplace,
    MemoryLimitError,
    MEstimate,
    SparseCategoricalCPD,
    SufficientStatistics,
    Variable,
)
from bnclass.data import memory
from bnclass.statistics import sparse_counts

SEEDS = st.integers(0, 2**32)
POLICIES = [MEstimate(1.0), MEstimate(0.0), MEstimate(0.3), Laplace(0.7), BDeu(2.0)]
A, B, C = variable("a", 3), variable("b", 2), variable("c", 2)


def example():
    """P(a | b, c): seen with (1, 0), where s2 has a probability of its own."""
    return SparseCategoricalCPD(A, (B, C), [[1, 0]], [0.25], [[0, 2]], [0.5], 1 / 3)


def grid(cpd):
    """Return the codes of all of a family's cells."""
    axes = (*cpd.parents, cpd.variable)
    return dict(
        zip([v.name for v in axes], np.ix_(*(np.arange(v.card) for v in axes)), strict=True)
    )


# ---------------------------------------------------------------- by hand


def test_what_it_says_by_hand():
    third = [1 / 3] * 3
    assert example().table.tolist() == [[third, third], [[0.25, 0.25, 0.5], third]]
    assert example().n_parameters == 8
    assert example().dense() == CategoricalCPD(A, (B, C), example().table)


def test_counts_by_hand():
    rows = [("u", "p"), ("u", "q"), ("u", "p")]
    domains = [("u", "v"), ("p", "q", "r")]
    statistics = statistics_of(make_table(rows, "KKL", domains=domains))
    x0, x1 = statistics.schema.attributes
    cpd = SparseCategoricalCPD.from_statistics(x1, (statistics.schema.target, x0), statistics)
    assert cpd.configurations.tolist() == [[0, 0], [1, 0]]
    assert cpd.cells.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert cpd.probabilities == pytest.approx([4 / 9, 4 / 9, 4 / 6])  # (1 + 1/3) / (2 + 1), …
    assert cpd.others == pytest.approx([1 / 9, 1 / 6])
    assert cpd.unseen == pytest.approx(1 / 3)


def test_description_has_the_seen_rows_and_one_for_the_others():
    frame = example().describe()
    assert frame.index.tolist() == [("s1", "s0"), ("(unseen)", "(unseen)")]
    assert frame.index.names == ["b", "c"]
    assert frame.columns.tolist() == ["s0", "s1", "s2"]
    assert frame.to_numpy().tolist() == [[0.25, 0.25, 0.5], [1 / 3] * 3]


def test_description_where_all_is_seen():
    cpd = SparseCategoricalCPD(A, (B,), [[0], [1]], [1 / 3, 1 / 3], [], [], 1 / 3)
    assert cpd.describe().index.tolist() == ["s0", "s1"]


def test_a_state_called_unseen():
    odd = Variable("b", states=("(unseen)", ("t", 1)))
    cpd = SparseCategoricalCPD(A, (odd,), [[1]], [1 / 3], [], [], 1 / 3)
    assert cpd.describe().index.tolist() == [("t", 1), "(unseen)_"]


def test_nothing_seen_at_all():
    cpd = SparseCategoricalCPD(A, (B, C), [], [], [], [], 1 / 3)
    assert cpd.table.tolist() == np.full((2, 2, 3), 1 / 3).tolist()
    assert cpd.log_prob(grid(cpd)) == pytest.approx(np.full((2, 2, 3), np.log(1 / 3)))
    assert cpd.describe().index.tolist() == [("(unseen)", "(unseen)")]


def test_configurations_and_cells_in_any_order_are_the_same():
    one = SparseCategoricalCPD(A, (B,), [[0], [1]], [0.1, 0.2], [[0, 1], [1, 0]], [0.8, 0.6], 1 / 3)
    two = SparseCategoricalCPD(A, (B,), [[1], [0]], [0.2, 0.1], [[0, 0], [1, 1]], [0.6, 0.8], 1 / 3)
    assert one == two
    assert one.table.tolist() == [[0.1, 0.8, 0.1], [0.6, 0.2, 0.2]]
    assert one != example()
    assert one != one.dense()


def test_pickled_it_is_the_same_and_locked():
    back = pickle.loads(pickle.dumps(example()))
    assert back == example()
    for array in (back.configurations, back.others, back.cells, back.probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_repr():
    assert repr(example()) == "SparseCategoricalCPD('a' | 'b', 'c')"


# ---------------------------------------------------------------- held to dense tables


@settings(max_examples=150, deadline=None)
@given(training_tables(min_attributes=2), SEEDS, st.sampled_from(POLICIES), st.booleans())
def test_estimates_are_those_of_the_dense_table_to_the_bit(table, seed, policy, weighted):
    rng = np.random.default_rng(seed)
    rows = encoded(table)
    if weighted:
        object.__setattr__(rows, "weights", rng.random(len(rows)) * 3 + 0.1)
    statistics = SufficientStatistics.from_table(rows)
    family = [statistics.schema.target, *statistics.schema.attributes]
    chosen = rng.permutation(len(family))[: rng.integers(2, len(family) + 1)]
    child, *parents = (family[i] for i in chosen)
    parents.sort(key=family.index)
    dense = CategoricalCPD.from_statistics(child, parents, statistics, policy)
    sparse = SparseCategoricalCPD.from_statistics(child, parents, statistics, policy)
    assert np.array_equal(sparse.table, dense.table)
    assert np.array_equal(sparse.log_prob(grid(sparse)), dense.log_table)
    assert np.array_equal(sparse.prob(grid(sparse)), dense.prob(grid(sparse)))
    assert sparse.n_parameters == dense.n_parameters


def test_estimates_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    rows = [tuple("uvwx"[i] for i in rng.integers(0, 4, 3)) for _ in range(60)]
    statistics = statistics_of(make_table(rows, rng.choice(["K", "L"], 60).tolist()))
    y, (a, b, c) = statistics.schema.target, statistics.schema.attributes
    whole = SparseCategoricalCPD.from_statistics(c, (y, a, b), statistics)
    monkeypatch.setattr(sparse_counts, "_CELLS_AT_ONCE", 12)
    assert SparseCategoricalCPD.from_statistics(c, (y, a, b), statistics) == whole


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 4))
def test_random_tables_mean_what_their_dense_ones_do(seed, cards, card):
    rng = np.random.default_rng(seed)
    parents = tuple(variable(f"p{i}", c) for i, c in enumerate(cards))
    cpd = random_sparse_cpd(rng, variable("x", card), parents, zeros=0.3)
    dense = cpd.dense()
    assert np.array_equal(cpd.log_prob(grid(cpd)), dense.log_table)
    assert cpd.n_parameters == dense.n_parameters
    values = {p.name: rng.integers(0, p.card, 50) for p in parents}
    drawn = [f.sample(values, np.random.default_rng(seed)) for f in (cpd, dense)]
    assert np.array_equal(*drawn)


def test_bdeu_with_more_configurations_than_a_float_can_say():
    n = 1100
    variables = [variable(f"x{i}", 2) for i in range(n)]
    rows = [("s0",) * n, ("s1",) * n, ("s0",) * n]
    table = make_table(rows, "KKL", domains=[v.states for v in variables])
    statistics = statistics_of(table)
    target, attributes = statistics.schema.target, statistics.schema.attributes
    cpd = SparseCategoricalCPD.from_statistics(
        attributes[0], (target, *attributes[1:]), statistics, BDeu(1.0)
    )
    assert cpd.probabilities.tolist() == [1.0, 1.0, 1.0]
    assert cpd.unseen == 0.5
    assert cpd.n_parameters == 2**n


# ---------------------------------------------------------------- refusals


def test_a_dense_table_that_would_not_fit_is_refused():
    parents = tuple(variable(f"p{i}", 20) for i in range(12))
    cpd = SparseCategoricalCPD(variable("x", 20), parents, [[0] * 12], [0.05], [], [], 0.05)
    with pytest.raises(MemoryLimitError, match=r"dense table of 'x' with the parents 'p0', .*GiB"):
        cpd.table  # noqa: B018
    assert cpd.describe().shape == (2, 20)


def test_a_description_that_would_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "memory_limit", lambda: 40)
    with pytest.raises(MemoryLimitError, match="seen rows of the table of 'a'"):
        example().describe()


def test_merged_statistics_have_no_rows():
    statistics = statistics_of(make_table([("u", "p", "m"), ("v", "q", "n")], "KL"))
    both = statistics.merge(statistics)
    y, (a, b, c) = both.schema.target, both.schema.attributes
    with pytest.raises(DataError, match="merged statistics hold pairs only"):
        SparseCategoricalCPD.from_statistics(c, (y, a, b), both)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), [], [], [], [], 1 / 3), "without parents"),
        (((A,), [], [], [], [], 1 / 3), "a variable occurs twice"),
        (((Variable("n", "continuous"),), [], [], [], [], 1 / 3), "'n' is continuous"),
        (((B,), [[0], [0]], [1 / 3] * 2, [], [], 1 / 3), "a configuration occurs twice"),
        (((B,), [[0]], [0.25], [[0, 1], [0, 1]], [0.5, 0.5], 1 / 3), "a cell occurs twice"),
        (((B,), [[2]], [1 / 3], [], [], 1 / 3), "configurations is negative or too large"),
        (((B,), [[-1]], [1 / 3], [], [], 1 / 3), "configurations is negative or too large"),
        (((B,), [[0]], [0.25], [[1, 0]], [0.5], 1 / 3), "cells is negative or too large"),
        (((B,), [[0]], [0.25], [[0, 3]], [0.5], 1 / 3), "cells is negative or too large"),
        (((B,), [[0.5]], [1 / 3], [], [], 1 / 3), "expected 1 columns of whole numbers"),
        (((B,), [[0, 0]], [1 / 3], [], [], 1 / 3), "expected 1 columns of whole numbers"),
        (((B,), [[0]], [], [], [], 1 / 3), r"others of shape \(0,\), expected \(1,\)"),
        (((B,), [[0]], [0.25], [[0, 1]], [], 1 / 3), r"probabilities of shape \(0,\)"),
        (((B,), [[0]], [-0.5], [[0, 1]], [2.0], 1 / 3), "negative or not a number"),
        (((B,), [[0]], [np.nan], [], [], 1 / 3), "negative or not a number"),
        (((B,), [[0]], [0.25], [], [], 1 / 3), "misses the sum 1 by 0.25"),
        (((B,), [[0]], [1 / 3], [], [], 0.5), "misses the sum 1 by 0.5"),
        (((B,), [[0]], [1 / 3], [], [], np.nan), "misses the sum 1 by nan"),
    ],
)
def test_what_is_no_table_is_refused(arguments, message):
    with pytest.raises(FactorError, match=message):
        SparseCategoricalCPD(A, *arguments)


@pytest.mark.parametrize("code", [-1, 2])
def test_a_code_of_no_state_is_refused(code):
    values = {"a": np.array([0]), "b": np.array([code]), "c": np.array([0])}
    with pytest.raises(FactorError, match="codes of 'b'"):
        example().log_prob(values)
