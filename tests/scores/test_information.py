"""I(X;Z), I(X;Z|Y): by hand, against the oracle, and the laws that they obey."""

import math

import numpy as np
import pytest
from builders import encoded, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from oracle import measures as oracle
from oracle.tables import make_table

from bnclass.data.table import EncodedTable
from bnclass.exceptions import DataError
from bnclass.scores.information import (
    Information,
    cmi_matrix,
    conditional_mutual_information,
    mutual_information,
    quantise,
)
from bnclass.statistics.sufficient import SufficientStatistics

LN2 = math.log(2)
QUANTUM = 2.0**-40


def counts_of(n_axes, max_side=4):
    """Draw a table of whole counts."""
    shapes = npst.array_shapes(min_dims=n_axes, max_dims=n_axes, max_side=max_side)
    return npst.arrays(np.int64, shapes, elements=st.integers(0, 50))


def entropy(counts):
    """H in nats of counts in any shape."""
    p = np.ravel(counts)[np.ravel(counts) > 0] / np.sum(counts)
    return float(-(p * np.log(p)).sum())


# ---------------------------------------------------------------- by hand


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([[2, 0], [0, 2]], LN2),
        ([[0, 5, 0], [5, 0, 0]], LN2),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], math.log(3)),
        ([[3, 1], [1, 3]], 0.75 * math.log(1.5) - 0.25 * LN2),
        ([[1, 1], [2, 0]], 0.25 * math.log(2 / 3) + 0.25 * LN2 + 0.5 * math.log(4 / 3)),
        ([[2, 4], [3, 6]], 0.0),
        ([[7]], 0.0),
        ([[0, 0], [0, 0]], 0.0),
        ([[0.5, 0], [0, 1.5]], 0.25 * math.log(4) + 0.75 * math.log(4 / 3)),
    ],
)
def test_mutual_information_by_hand(counts, expected):
    assert mutual_information(counts) == pytest.approx(expected, rel=1e-15, abs=0)


def test_conditional_by_hand():
    # Class 0, half of the rows: x tells z. Class 1: it does not.
    assert conditional_mutual_information([[[2, 0], [0, 2]], [[1, 1], [1, 1]]]) == LN2 / 2
    # A class without rows has no say.
    assert conditional_mutual_information([[[2, 0], [0, 2]], [[0, 0], [0, 0]]]) == LN2


def test_exclusive_or_is_seen_only_given_the_class():
    exclusive_or = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    assert conditional_mutual_information(exclusive_or) == LN2
    assert mutual_information(exclusive_or.sum(axis=0)) == 0.0


def test_a_common_cause_is_not_seen_given_the_class():
    common = np.array([[[4, 0], [0, 0]], [[0, 0], [0, 4]]])
    assert conditional_mutual_information(common) == 0.0
    assert mutual_information(common.sum(axis=0)) == LN2


def test_measures_of_attributes_by_hand():
    # a is the class, b is a copy of c, d is constant.
    statistics = statistics_from(["kkll", "uvuv", "uvuv", "----"], "KKLL")
    information = Information(statistics)
    assert information.with_class.tolist() == [LN2, 0.0, 0.0, 0.0]
    expected = np.zeros((4, 4))
    expected[1, 2] = expected[2, 1] = LN2
    assert information.given_class.tolist() == expected.tolist()


def test_each_measure_leaves_out_its_own_missing_rows():
    rows = [("u", "p"), ("v", "q"), ("u", None), (None, "p"), ("v", None)]
    statistics = statistics_of(make_table(rows, ["K", "L", "K", "L", "L"]))
    information = Information(statistics)
    assert information.with_class[0] == pytest.approx(LN2)  # u is K and v is L in four rows
    # p is K, q is L, p is L: ln(3/2), ln(3/2), ln(3/4), each in a third of the rows
    expected = (2 * math.log(3 / 2) + math.log(3 / 4)) / 3
    assert information.with_class[1] == pytest.approx(expected)
    assert information.given_class[0, 1] == 0.0  # both are known once in each class


# ---------------------------------------------------------------- the oracle


@settings(deadline=None)
@given(training_tables())
def test_measures_agree_with_the_oracle(table):
    information = Information(statistics_of(table))
    for i in range(table.n):
        expected = oracle.mutual_information(table, i)
        assert information.with_class[i] == pytest.approx(expected, rel=1e-13, abs=1e-15)
        for j in range(table.n):
            if i != j:
                expected = oracle.conditional_mutual_information(table, i, j)
                assert information.given_class[i, j] == pytest.approx(
                    expected, rel=1e-13, abs=1e-15
                )
    assert np.diagonal(information.given_class).tolist() == [0.0] * table.n


@pytest.mark.parametrize("seed", range(10))
def test_quantised_measures_equal_the_oracles(seed):
    """The oracle sums other terms in another order; as integers they are the same."""
    rng = np.random.default_rng(seed)
    rows = [tuple(rng.choice(["u", "v", "w", None], 5, p=[0.4, 0.3, 0.2, 0.1])) for _ in range(60)]
    table = make_table(rows, rng.choice(["K", "L", "M"], 60).tolist())
    information = Information(statistics_of(table))
    assert quantise(information.with_class).tolist() == oracle.class_scores(table)
    assert quantise(information.given_class).tolist() == oracle.pair_scores(table)


# ---------------------------------------------------------------- quantising


def test_quanta_are_two_to_the_minus_forty():
    measures = np.array([0.0, QUANTUM, 0.4 * QUANTUM, 0.6 * QUANTUM, 1.0])
    quanta = quantise(measures)
    assert quanta.tolist() == [0, 1, 0, 1, 2**40]
    assert quanta.dtype == np.int64


@settings(deadline=None)
@given(counts_of(3))
def test_another_algebra_gives_the_same_quanta(counts):
    """H(X,Y) + H(Z,Y) - H(X,Z,Y) - H(Y); one quantum apart at most, where a half is rounded."""
    if counts.sum() == 0:
        return
    by_entropies = (
        entropy(counts.sum(axis=2))
        + entropy(counts.sum(axis=1))
        - entropy(counts)
        - entropy(counts.sum(axis=(1, 2)))
    )
    ours = conditional_mutual_information(counts)
    assert ours == pytest.approx(by_entropies, abs=1e-13)
    assert abs(int(quantise(np.array(ours))) - int(quantise(np.array(by_entropies)))) <= 1


def test_exact_ties_are_equal_as_integers():
    """b and its renamings tell the same about the class; sums in other orders differ in bits."""
    rng = np.random.default_rng(0)
    y = "".join(rng.choice(list("KLMN"), 300))
    b = "".join(rng.choice(list("uvwxz"), 300))
    renamings = [b.translate(str.maketrans("uvwxz", to)) for to in ("zxwvu", "vuxzw", "wzuvx")]
    information = Information(statistics_from([b, *renamings], y))
    assert len(set(quantise(information.with_class).tolist())) == 1
    others = information.given_class[np.triu_indices(4, 1)]
    assert len(set(quantise(others).tolist())) == 1


# ---------------------------------------------------------------- laws


@settings(deadline=None)
@given(counts_of(3))
def test_information_is_bounded_and_symmetric(counts):
    ours = conditional_mutual_information(counts)
    assert ours >= 0
    assert conditional_mutual_information(counts.swapaxes(1, 2)) == pytest.approx(ours, abs=1e-14)
    if counts.sum():
        given_class = entropy(counts.sum(axis=2)) - entropy(counts.sum(axis=(1, 2)))
        assert ours <= given_class + 1e-13


@settings(deadline=None)
@given(counts_of(3))
def test_chain_rule(counts):
    """I(X; (Z,Y)) = I(X;Y) + I(X;Z|Y)."""
    card_y, card_x, card_z = counts.shape
    joint = counts.transpose(1, 0, 2).reshape(card_x, card_y * card_z)
    total = mutual_information(counts.sum(axis=2)) + conditional_mutual_information(counts)
    assert mutual_information(joint) == pytest.approx(total, abs=1e-13)


@settings(deadline=None)
@given(counts_of(2), st.integers(0, 3), st.integers(0, 3))
def test_a_constant_says_nothing(counts, place, unused):
    """Exactly 0, for one level and for declared levels that never occur."""
    constant = np.zeros((counts.shape[0], 4, counts.shape[1] + unused))
    constant[:, place, : counts.shape[1]] = counts
    assert conditional_mutual_information(constant) == 0.0
    assert conditional_mutual_information(constant.swapaxes(1, 2)) == 0.0
    assert conditional_mutual_information(counts[:, np.newaxis]) == 0.0
    assert mutual_information(counts.sum(axis=0, keepdims=True)) == 0.0


@settings(deadline=None)
@given(training_tables(min_attributes=2), st.data())
def test_constant_columns_say_nothing(table, data):
    n = len(table.rows)
    weights = data.draw(st.lists(st.floats(0.01, 100), min_size=n, max_size=n))
    domains = [("u",), *table.domains[1:]]
    rows = [(None if row[0] is None else "u", *row[1:]) for row in table.rows]
    whole = Information(statistics_of(make_table(rows, table.labels, domains=domains)))
    assert whole.with_class[0] == 0.0
    assert whole.given_class[0].tolist() == [0.0] * table.n
    weighted = Information(statistics_of(make_table(rows, table.labels, weights, domains)))
    assert quantise(weighted.with_class)[0] == 0
    assert quantise(weighted.given_class)[0].tolist() == [0] * table.n


@settings(deadline=None)
@given(counts_of(1), counts_of(1))
def test_independent_counts_say_nothing(x, z):
    assert mutual_information(np.outer(x, z)) == 0.0


def test_rounding_never_makes_it_negative():
    """Independent attributes with fractional weights: Σ is 0 but for rounding, of either sign."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        x, z = rng.random(3), rng.random(4)
        rows = [("uvw"[i], "pqrs"[j]) for i in range(3) for j in range(4)]
        statistics = statistics_of(make_table(rows, ["K"] * 12, np.outer(x, z).ravel().tolist()))
        matrix = cmi_matrix(statistics)
        assert 0 <= matrix[0, 1] < 1e-14
        assert 0 <= conditional_mutual_information(statistics.attribute_pair_counts(0, 1)) < 1e-14


@settings(deadline=None)
@given(counts_of(3))
def test_empty_classes_and_levels_change_nothing(counts):
    padded = np.pad(counts, [(0, 1), (1, 0), (0, 2)])
    expected = conditional_mutual_information(counts)
    assert conditional_mutual_information(padded) == pytest.approx(expected, abs=1e-14)


@settings(deadline=None)
@given(counts_of(3), st.sampled_from([2.0**-30, 4, 3, 1e-9, 1e12]))
def test_only_proportions_matter(counts, factor):
    expected = conditional_mutual_information(counts)
    assert conditional_mutual_information(counts * factor) == pytest.approx(expected, abs=1e-13)


def bits(statistics):
    information = Information(statistics)
    return information.with_class.tobytes(), information.given_class.tobytes()


@settings(deadline=None)
@given(training_tables(), st.data())
def test_weights_rows_and_chunks_change_no_bit(table, data):
    rows, n = encoded(table), len(table.rows)
    weights = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    order = np.array(data.draw(st.permutations(np.repeat(np.arange(n), weights).tolist())))
    weighted = EncodedTable(rows.variables, rows.codes, rows.target, rows.labels, weights * 1.0)
    expected = bits(SufficientStatistics.from_table(weighted))
    assert bits(SufficientStatistics.from_table(rows.rows(order))) == expected
    cut = data.draw(st.integers(0, len(order)))
    first, second = (
        SufficientStatistics.from_table(rows.rows(part)) for part in (order[:cut], order[cut:])
    )
    assert bits(first.merge(second)) == expected


def test_the_layout_in_memory_changes_no_bit():
    rows = [(*"uu",)] * 4 + [("u", "v"), ("u", None), ("u", None), ("v", "u")]
    rows += [(*"uu",)] * 2 + [("u", "v"), ("v", "u")]
    one_pass = statistics_of(make_table(rows, "KKKKKKKKMMMM"))
    other = SufficientStatistics(
        one_pass.schema,
        one_pass.class_counts,
        np.asfortranarray(one_pass.value_counts),
        np.asfortranarray(one_pass.pair_counts),
    )
    assert bits(other) == bits(one_pass)
    counts = np.random.default_rng(0).integers(1, 99, (3, 5, 7))
    expected = conditional_mutual_information(counts)
    assert conditional_mutual_information(np.asfortranarray(counts)) == expected


@settings(deadline=None)
@given(training_tables(min_attributes=2))
def test_the_matrix_is_the_measure_of_every_pair(table):
    statistics = statistics_of(table)
    matrix = cmi_matrix(statistics)
    assert matrix.tolist() == matrix.T.tolist()
    for i in range(table.n):
        for j in range(i):
            pair = conditional_mutual_information(statistics.attribute_pair_counts(i, j))
            assert matrix[i, j] == pytest.approx(pair, abs=1e-14)


# ---------------------------------------------------------------- edges


def test_no_attributes_and_one():
    rows = encoded(make_table([("u",), ("v",)], [0, 1]))
    one = SufficientStatistics.from_table(rows)
    assert cmi_matrix(one).tolist() == [[0.0]]
    none = SufficientStatistics.from_table(
        EncodedTable((), rows.codes[:, :0], rows.target, rows.labels)
    )
    assert cmi_matrix(none).shape == (0, 0)
    assert Information(none).with_class.shape == (0,)


def test_one_class():
    information = Information(statistics_from(["uuvv", "ppqq"], "KKKK"))
    assert information.with_class.tolist() == [0.0, 0.0]
    assert information.given_class[0, 1] == LN2


def test_attributes_never_observed_together():
    rows = [("u", None), ("v", None), (None, "p"), (None, "q")]
    statistics = statistics_of(make_table(rows, [0, 1, 0, 1]))
    assert cmi_matrix(statistics).tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_single_values_have_no_pairs():
    rows = encoded(make_table([("u", "p"), ("v", "q")], [0, 1]))
    information = Information(SufficientStatistics.from_table(rows, order=1))
    assert information.with_class.tolist() == pytest.approx([LN2, LN2])
    with pytest.raises(DataError, match="statistics of single values only, expected pair counts"):
        _ = information.given_class


def test_measures_are_computed_once():
    information = Information(statistics_from(["uv", "pq"], "KL"))
    assert information.with_class is information.with_class
    assert information.given_class is information.given_class


@pytest.mark.parametrize("counts", [[1, 2], 3, [[[1]]]])
def test_counts_of_another_number_of_axes_are_refused(counts):
    with pytest.raises(DataError, match=rf"counts of {np.ndim(counts)} axes, expected 2"):
        mutual_information(counts)


def test_the_conditional_measure_wants_three_axes():
    with pytest.raises(DataError, match="counts of 2 axes, expected 3"):
        conditional_mutual_information([[1, 2], [3, 4]])


@pytest.mark.parametrize("cell", [-1, -1e-9, math.nan, math.inf])
def test_cells_that_are_no_counts_are_refused(cell):
    with pytest.raises(DataError, match="counts with a negative or infinite cell"):
        mutual_information([[1, cell], [2, 3]])
    with pytest.raises(DataError, match="counts with a negative or infinite cell"):
        conditional_mutual_information([[[1, cell], [2, 3]]])
