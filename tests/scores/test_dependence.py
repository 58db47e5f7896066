"""Dependences of pairs and triples: of all rows, and of one row's values."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from builders import encoded, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.tables import make_table

from bnclass import (
    DataError,
    EncodedTable,
    MemoryLimitError,
    SufficientStatistics,
    TableEncoder,
    conditional_mutual_information,
)
from bnclass.data import memory
from bnclass.scores.dependence import Dependences, checked_row
from bnclass.scores.information import quantise

DEPENDENCES = ["class-conditional", "pairwise"]
BY_HAND = make_table([("u", "p", "k"), ("u", "q", "l"), ("v", "p", "l"), ("v", "q", "k")], "KKLL")


# ---------------------------------------------------------------- by hand


def test_a_local_pair_by_hand():
    # Of u and p: K has both in 2 of 2 rows, L in 0 of 1.
    # K: (3/6) / (3/4)² = 8/9.  L: (1/5) / (1/3)² = 9/5.  Product 8/5.
    statistics = statistics_from(["uuv", "ppq"], "KKL")
    measured = Dependences.of_row(statistics, [0, 0])
    assert measured.given_class[0, 1] == pytest.approx(math.log(8 / 5), abs=1e-15)
    assert measured.given_class[1, 0] == measured.given_class[0, 1]
    assert measured.given_class[0, 0] == 0.0


def test_local_triples_by_hand():
    # All rows have k, so that it leaves the pair as it is; and it tells nothing of its own.
    statistics = statistics_from(["uuv", "ppq", "kkk"], "KKL")
    given_other = Dependences.of_row(statistics, [0, 0, 0]).given_other
    assert given_other[2, 0, 1] == pytest.approx(math.log(8 / 5), abs=1e-15)
    assert given_other[1, 0, 2] == pytest.approx(0.0, abs=1e-15)
    # Without the class: K ln [ (3/7) / (3/5)² ], K = 2.
    pairwise = Dependences.of_row(statistics, [0, 0, 0], "pairwise").given_other
    assert pairwise[2, 0, 1] == pytest.approx(2 * math.log(25 / 21), abs=1e-15)


def test_each_probability_has_its_own_rows():
    # "b" is missing once: F(u) = 2 of 2, F(p) = 1 of 1, F(u,p) = 1 of 1.
    # (2/5) / ((3/4) (2/3)) = 4/5, where two states of each are declared.
    table = TableEncoder().fit_transform(
        pd.DataFrame({"a": ["u", "u", "v"], "b": ["p", None, "q"]}), [0, 0, 1]
    )
    statistics = SufficientStatistics.from_table(table)
    # Class 1 has neither: 1/(1+4) / (1/3)² = 9/5.
    measured = Dependences.of_row(statistics, [0, 0])
    assert measured.given_class[0, 1] == pytest.approx(math.log(4 / 5 * 9 / 5), abs=1e-15)


def test_global_triples_by_hand():
    # The third is whether the first two differ: each pair is independent, and certain given it.
    statistics = statistics_from(["uuvv", "pqpq", "kllk"], "KKKK")
    for dependence in DEPENDENCES:
        measured = Dependences.from_statistics(statistics, dependence)
        assert not measured.given_class.any()
        for p, i, j in itertools.permutations(range(3)):
            assert measured.given_other[p, i, j] == pytest.approx(math.log(2), abs=1e-15)


def test_pairwise_forgets_the_class():
    # Given the class nothing is left; without it "a" and "b" are the same.
    statistics = statistics_from(["uv", "uv", "kk"], "KL")
    apart = Dependences.from_statistics(statistics).given_other
    together = Dependences.from_statistics(statistics, "pairwise").given_other
    assert apart[2, 0, 1] == 0.0
    assert together[2, 0, 1] == pytest.approx(math.log(2), abs=1e-15)


# ---------------------------------------------------------------- against plain loops


def laplace(table, values, given_values, y):
    """P(values | given values, y), attributes named by place; y None stands for all classes."""
    fixed = {**values, **given_values}
    cells = math.prod(len(table.domains[i]) for i in values)

    def weight(where):
        rows = zip(table.rows, table.labels, table.weights, strict=True)
        return sum(w for row, label, w in rows if y in (None, label) and where(row))

    hit = weight(lambda row: all(row[i] == x for i, x in fixed.items()))
    of = weight(
        lambda row: (
            all(row[i] is not None for i in values)
            and all(row[i] == x for i, x in given_values.items())
        )
    )
    return (hit + 1) / (of + cells)


def local(table, row, i, j, given_values, classes):
    return sum(
        math.log(
            laplace(table, {i: row[i], j: row[j]}, given_values, y)
            / laplace(table, {i: row[i]}, given_values, y)
            / laplace(table, {j: row[j]}, given_values, y)
        )
        for y in classes
    )


@settings(deadline=None, max_examples=30)
@given(training_tables(max_attributes=4, max_rows=8), st.data())
def test_local_measures_are_those_of_plain_loops(table, data):
    row = [data.draw(st.sampled_from([*domain, None])) for domain in table.domains]
    codes = [-1 if x is None else d.index(x) for x, d in zip(row, table.domains, strict=True)]
    statistics = statistics_of(table)
    k = len(table.classes)
    for dependence, classes in (("class-conditional", table.classes), ("pairwise", [None] * k)):
        measured = Dependences.of_row(statistics, codes, dependence)
        present = [i for i, x in enumerate(row) if x is not None]
        assert list(measured.attributes) == present
        for a, b in itertools.permutations(range(len(present)), 2):
            i, j = present[a], present[b]
            expected = local(table, row, i, j, {}, table.classes)
            assert measured.given_class[a, b] == pytest.approx(expected, abs=1e-12)
            for c in set(range(len(present))) - {a, b}:
                p = present[c]
                expected = local(table, row, i, j, {p: row[p]}, classes)
                assert measured.given_other[c, a, b] == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(training_tables(min_attributes=3, max_attributes=5))
def test_global_triples_are_the_measures_of_their_tables(table):
    statistics = statistics_of(table)
    names = statistics.schema.names
    apart = Dependences.from_statistics(statistics)
    together = Dependences.from_statistics(statistics, "pairwise")
    for p, i, j in itertools.permutations(range(len(names)), 3):
        f = statistics.counts(names[j], ["class", names[p], names[i]])
        expected = conditional_mutual_information(f.reshape(-1, *f.shape[2:]))
        assert apart.given_other[p, i, j] == pytest.approx(expected, abs=1e-14)
        expected = conditional_mutual_information(f.sum(axis=0))
        assert together.given_other[p, i, j] == pytest.approx(expected, abs=1e-14)
    for measured in (apart, together):
        for i in range(len(names)):
            assert not measured.given_other[i, i].any()
            assert not measured.given_other[:, i, i].any()


# ---------------------------------------------------------------- how local and global go together


@settings(deadline=None, max_examples=25)
@given(training_tables(min_attributes=3, max_attributes=3, holes=False), st.booleans())
def test_local_measures_weighted_by_the_joint_are_the_global_ones(table, conditional):
    # Of one class, and with so many rows that the Laplace estimate changes nothing.
    dependence = DEPENDENCES[not conditional]
    one_class = encoded(table)
    many = EncodedTable(
        one_class.variables,
        one_class.codes,
        one_class.target,
        np.zeros_like(one_class.labels),
        np.full(len(one_class), 2.0**34),
    )
    target = type(many.target)("class", states=("K",))
    statistics = SufficientStatistics.from_table(
        EncodedTable(many.variables, many.codes, target, many.labels, many.weights)
    )
    measured = Dependences.from_statistics(statistics, dependence)
    pairs, triples = np.zeros((3, 3)), np.zeros((3, 3, 3))
    for row in many.codes:
        local_ones = Dependences.of_row(statistics, row, dependence)
        pairs += local_ones.given_class / len(many)
        triples += local_ones.given_other / len(many)
    assert pairs == pytest.approx(measured.given_class, abs=1e-8)
    assert triples == pytest.approx(measured.given_other, abs=1e-8)


@settings(deadline=None, max_examples=25)
@given(training_tables(min_attributes=3, max_attributes=4), st.randoms(use_true_random=False))
def test_neither_rows_nor_columns_in_another_order_change_a_measure(table, random):
    rows = list(range(len(table.rows)))
    random.shuffle(rows)
    columns = list(range(table.n))
    random.shuffle(columns)
    straight = encoded(table)
    turned = EncodedTable(
        tuple(straight.variables[i] for i in columns),
        straight.codes[rows][:, columns],
        straight.target,
        straight.labels[rows],
        straight.weights[rows],
    )
    one, other = map(SufficientStatistics.from_table, (straight, turned))
    row = straight.codes[0]
    for dependence in DEPENDENCES:
        for mine, theirs in (
            [Dependences.from_statistics(s, dependence) for s in (one, other)],
            [
                Dependences.of_row(one, row, dependence),
                Dependences.of_row(other, row[columns], dependence),
            ],
        ):
            assert np.array_equal(mine.pairs[np.ix_(columns, columns)], theirs.pairs)
            assert np.array_equal(mine.triples[np.ix_(columns, columns, columns)], theirs.triples)


def test_whole_weights_are_repeated_rows():
    table = encoded(BY_HAND)
    weights = np.array([3.0, 1.0, 2.0, 5.0])
    again = np.repeat(np.arange(4), weights.astype(int))
    weighted = SufficientStatistics.from_table(
        EncodedTable(table.variables, table.codes, table.target, table.labels, weights)
    )
    repeated = SufficientStatistics.from_table(
        EncodedTable(table.variables, table.codes[again], table.target, table.labels[again])
    )
    for dependence in DEPENDENCES:
        for measure in (
            lambda s, d=dependence: Dependences.from_statistics(s, d),
            lambda s, d=dependence: Dependences.of_row(s, [0, 1, 0], d),
        ):
            assert np.array_equal(measure(weighted).given_class, measure(repeated).given_class)
            assert np.array_equal(measure(weighted).given_other, measure(repeated).given_other)


def test_integers_are_the_quantised_measures():
    measured = Dependences.of_row(statistics_from(["uuv", "ppq", "klk"], "KKL"), [0, 0, 0])
    assert np.array_equal(measured.pairs, quantise(measured.given_class))
    assert np.array_equal(measured.triples, quantise(measured.given_other))


# ---------------------------------------------------------------- small, empty, refused


def test_no_attribute_one_and_two():
    for n in range(3):
        statistics = statistics_from(["uv"] * n, "KL") if n else no_attribute()
        for measured in (
            Dependences.from_statistics(statistics),
            Dependences.of_row(statistics, [0] * n),
        ):
            assert measured.given_class.shape == (n, n)
            assert not measured.given_other.any()


def no_attribute():
    target = encoded(BY_HAND).target
    codes, labels = np.empty((2, 0), np.int32), np.array([0, 1], np.int32)
    return SufficientStatistics.from_table(EncodedTable((), codes, target, labels))


def test_a_row_without_values_measures_nothing():
    measured = Dependences.of_row(statistics_of(BY_HAND), [-1, -1, -1])
    assert measured.attributes == ()
    assert measured.given_other.shape == (0, 0, 0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 0], "expected 3 integer codes"),
        ([[0, 0, 0]], "expected 3 integer codes"),
        ([0.0, 0.0, 0.0], "expected 3 integer codes"),
        ([0, 2, 0], "variable 'x1': found code 2, expected -1 to 1"),
        ([0, -2, 0], "variable 'x1': found code -2, expected -1 to 1"),
    ],
)
def test_rows_that_are_none(row, message):
    statistics = statistics_of(BY_HAND)
    for take in (checked_row, Dependences.of_row):
        with pytest.raises(DataError, match=message):
            take(statistics, row)


def test_dependence_is_one_of_two():
    for measure in (Dependences.from_statistics, lambda s, d: Dependences.of_row(s, [0, 0, 0], d)):
        with pytest.raises(DataError, match="dependence is 'both', expected 'class-conditional'"):
            measure(statistics_of(BY_HAND), "both")


def test_merged_statistics_have_no_triples():
    merged = statistics_of(BY_HAND).merge(statistics_of(BY_HAND))
    for measure in (Dependences.from_statistics, lambda s: Dependences.of_row(s, [0, 0, 0])):
        with pytest.raises(DataError, match="merged statistics hold pairs only"):
            measure(merged)


def test_numbers_as_numbers_are_refused_by_name():
    table = TableEncoder(continuous="gaussian").fit_transform(
        pd.DataFrame({"n": [1.0, 2.0], "a": ["u", "v"]}), [0, 1]
    )
    with pytest.raises(DataError, match=r"columns \['a'\] are discrete and the others numbers"):
        Dependences.from_statistics(SufficientStatistics.from_table(table))


def test_more_triples_than_fit_are_refused(monkeypatch):
    statistics = statistics_of(BY_HAND)
    monkeypatch.setattr(memory, "memory_limit", lambda: 8 * 3**3 - 1)
    with pytest.raises(MemoryLimitError, match="dependences of all triples of 3 attributes"):
        Dependences.from_statistics(statistics)
