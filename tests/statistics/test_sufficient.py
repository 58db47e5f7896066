"""Counts: by hand, against the oracle's F, and the laws that merging and weights obey."""

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
from builders import CLASS, encoded, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.tables import F, Y, make_table

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, MemoryLimitError
from bnclass.statistics.sufficient import SufficientStatistics


def small():
    """Return six rows; a is missing in one of class yes, b in one of class no."""
    rows = [("a", "p"), ("a", "p"), ("a", "q"), ("b", "q"), ("b", None), (None, "p")]
    labels = ["yes", "yes", "no", "no", "no", "yes"]
    return make_table(rows, labels, domains=[("a", "b", "c"), ("p", "q")])


def arrays(statistics):
    """Return all counts as bytes, for comparison bit by bit."""
    parts = (statistics.class_counts, statistics.value_counts, statistics.pair_counts)
    return [None if a is None else a.tobytes() for a in parts]


# ---------------------------------------------------------------- by hand


def test_by_hand():
    statistics = statistics_of(small())  # classes no, yes
    assert statistics.n_rows == 6
    assert statistics.class_counts.tolist() == [3, 3]
    assert statistics.counts("x0", [CLASS]).tolist() == [[1, 2, 0], [2, 0, 0]]
    assert statistics.counts("x1", [CLASS]).tolist() == [[0, 2], [3, 0]]
    assert statistics.counts("x0").tolist() == [3, 2, 0]
    # Over the four rows in which both are observed:
    assert statistics.counts("x1", ["x0"]).tolist() == [[2, 1], [0, 1], [0, 0]]
    assert statistics.counts("x1", [CLASS, "x0"]).tolist() == [
        [[0, 1], [0, 1], [0, 0]],
        [[2, 0], [0, 0], [0, 0]],
    ]


def test_counts_lie_side_by_side():
    statistics = statistics_of(small())
    assert statistics.offsets.tolist() == [0, 3, 5]
    assert statistics.value_counts.tolist() == [[1, 2, 0, 0, 2], [2, 0, 0, 3, 0]]
    assert statistics.attribute_counts(1).tolist() == [[0, 2], [3, 0]]
    assert statistics.earlier_pair_counts(1).tolist() == [
        [[0, 0, 0], [1, 1, 0]],
        [[2, 0, 0], [0] * 3],
    ]
    assert statistics.earlier_pair_counts(0).shape == (2, 3, 0)
    pair = statistics.attribute_pair_counts(0, 1)
    assert pair.shape == (2, 3, 2)
    assert pair.tolist() == statistics.attribute_pair_counts(1, 0).swapaxes(1, 2).tolist()


def test_the_class_can_be_the_child():
    statistics = statistics_of(small())
    assert statistics.counts(CLASS).tolist() == [3, 3]
    assert statistics.counts(CLASS, ["x1"]).tolist() == [[0, 3], [2, 0]]


def test_weights_are_numbers_of_rows():
    table = make_table([("u",), ("v",), ("u",)], [0, 0, 1], weights=[0.5, 2, 0.25])
    assert statistics_of(table).counts("x0", [CLASS]).tolist() == [[0.5, 2.0], [0.25, 0.0]]
    assert statistics_of(table).n_rows == 2.75


# ---------------------------------------------------------------- the oracle


def families(n):
    """Return every family of up to three attributes, in every order, with the class anywhere."""
    for size in range(1, min(n, 3) + 1):
        for attributes in itertools.permutations(range(n), size):
            yield attributes
            for place in range(size + 1):
                yield (*attributes[:place], Y, *attributes[place:])
    yield (Y,)


@settings(deadline=None)
@given(training_tables(max_attributes=3))
def test_every_family_agrees_with_the_oracle(table):
    statistics = statistics_of(table)
    for family in families(table.n):
        names = [CLASS if v == Y else f"x{v}" for v in family]
        counts = statistics.counts(names[-1], names[:-1])
        domains = [table.classes if v == Y else table.domains[v] for v in family]
        assert counts.shape == tuple(map(len, domains))
        for place in np.ndindex(counts.shape):
            values = [domain[i] for domain, i in zip(domains, place, strict=True)]
            assert counts[place] == F(table, *zip(family, values, strict=True))


@settings(deadline=None)
@given(training_tables(), st.data())
def test_fractional_weights_agree_with_exact_fractions(table, data):
    n = len(table.rows)
    weights = data.draw(st.lists(st.floats(0.01, 100), min_size=n, max_size=n))
    table = make_table(table.rows, table.labels, weights, table.domains)
    counts = statistics_of(table).counts("x0", [CLASS])
    for place in np.ndindex(counts.shape):
        exact = F(table, (Y, table.classes[place[0]]), (0, table.domains[0][place[1]]))
        assert counts[place] == pytest.approx(float(Fraction(exact)), rel=1e-12, abs=0)


# ---------------------------------------------------------------- laws


@settings(deadline=None)
@given(training_tables(), st.data())
def test_whole_weights_are_repeated_rows(table, data):
    rows, n = encoded(table), len(table.rows)
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)))
    weighted = EncodedTable(rows.variables, rows.codes, rows.target, rows.labels, weights * 1.0)
    repeated = rows.rows(np.repeat(np.arange(n), weights))
    once, more = map(SufficientStatistics.from_table, (weighted, repeated))
    assert arrays(once) == arrays(more)
    for names in [("x0", CLASS), tuple(v.name for v in rows.variables)]:
        assert (
            once.counts(names[0], names[1:]).tolist() == more.counts(names[0], names[1:]).tolist()
        )


@settings(deadline=None)
@given(training_tables(), st.randoms(use_true_random=False))
def test_row_order_changes_no_bit(table, random):
    rows = encoded(table)
    order = random.sample(range(len(rows)), len(rows))
    shuffled = SufficientStatistics.from_table(rows.rows(np.array(order)))
    assert arrays(shuffled) == arrays(SufficientStatistics.from_table(rows))


@settings(deadline=None)
@given(training_tables(), st.lists(st.integers(0, 15), max_size=3), st.sampled_from([1, 2]))
def test_chunks_merge_to_one_pass(table, cuts, order):
    rows = encoded(table)
    ends = [0, *sorted(min(c, len(rows)) for c in cuts), len(rows)]
    chunks = [
        SufficientStatistics.from_table(rows.rows(slice(a, b)), order)
        for a, b in itertools.pairwise(ends)
    ]
    merged = chunks[0]
    for chunk in chunks[1:]:
        merged = merged.merge(chunk)
    assert arrays(merged) == arrays(SufficientStatistics.from_table(rows, order))
    assert merged.schema == chunks[0].schema


@settings(deadline=None)
@given(training_tables(max_attributes=3), st.randoms(use_true_random=False))
def test_column_order_permutes_the_counts(table, random):
    rows, order = encoded(table), random.sample(range(table.n), table.n)
    variables = tuple(rows.variables[i] for i in order)
    moved = EncodedTable(variables, rows.codes[:, order], rows.target, rows.labels, rows.weights)
    ours, theirs = map(SufficientStatistics.from_table, (rows, moved))
    for a, b in itertools.permutations([v.name for v in variables], 2):
        assert ours.counts(a, [CLASS, b]).tolist() == theirs.counts(a, [CLASS, b]).tolist()


@settings(deadline=None)
@given(training_tables())
def test_single_values_are_the_same_without_pairs(table):
    singles = SufficientStatistics.from_table(encoded(table), order=1)
    assert arrays(singles)[:2] == arrays(statistics_of(table))[:2]
    assert singles.pair_counts is None


@settings(deadline=None)
@given(training_tables(min_attributes=2, max_attributes=2))
def test_pairs_counted_from_rows_are_the_same(table):
    """Without pair counts a family of two attributes is counted from the rows."""
    singles = SufficientStatistics.from_table(encoded(table), order=1)
    expected = statistics_of(table).counts("x1", [CLASS, "x0"])
    assert singles.counts("x1", [CLASS, "x0"]).tolist() == expected.tolist()


# ---------------------------------------------------------------- edges


def test_a_table_without_attributes():
    rows = encoded(small())
    nothing = EncodedTable((), rows.codes[:, :0], rows.target, rows.labels)
    for order in (1, 2):
        statistics = SufficientStatistics.from_table(nothing, order)
        assert statistics.class_counts.tolist() == [3, 3]
        assert statistics.value_counts.shape == (2, 0)
        assert statistics.counts(CLASS).tolist() == [3, 3]


def test_a_table_without_rows():
    statistics = SufficientStatistics.from_table(encoded(small()).rows(slice(0)))
    assert statistics.n_rows == 0
    assert statistics.counts("x1", [CLASS, "x0"]).tolist() == np.zeros((2, 3, 2)).tolist()


def test_a_wholly_missing_attribute_counts_nothing():
    rows = encoded(small())
    codes = rows.codes.copy()
    codes[:, 0] = -1
    statistics = SufficientStatistics.from_table(
        EncodedTable(rows.variables, codes, rows.target, rows.labels)
    )
    assert statistics.counts("x0").tolist() == [0, 0, 0]
    assert statistics.counts("x1", ["x0"]).sum() == 0
    assert statistics.counts("x1").tolist() == [3, 2]


def test_a_table_without_labels_is_refused():
    rows = encoded(small())
    for table in (
        EncodedTable(rows.variables, rows.codes),
        EncodedTable(rows.variables, rows.codes, rows.target),
        EncodedTable(rows.variables, rows.codes, labels=rows.labels),
    ):
        with pytest.raises(DataError, match="a table without labels"):
            SufficientStatistics.from_table(table)


def test_rows_of_unknown_class_are_refused():
    rows = encoded(small())
    labels = rows.labels.copy()
    labels[[2, 4]] = -1
    table = EncodedTable(rows.variables, rows.codes, rows.target, labels)
    with pytest.raises(DataError, match="the class of 2 rows is unknown, row 2 the first"):
        SufficientStatistics.from_table(table)


@pytest.mark.parametrize(
    ("child", "parents"),
    [("x0", ["x0"]), ("x0", ["x1", "x1"]), (CLASS, [CLASS]), ("x0", [CLASS] * 2)],
)
def test_a_variable_named_twice_is_refused(child, parents):
    with pytest.raises(DataError, match=r"a family of .*, expected each variable once"):
        statistics_of(small()).counts(child, parents)


@pytest.mark.parametrize(("child", "parents"), [("x9", []), ("x0", ["x9"]), ("x0", [CLASS, "x9"])])
def test_an_unknown_variable_is_refused(child, parents):
    with pytest.raises(DataError, match="unknown variable 'x9'"):
        statistics_of(small()).counts(child, parents)


def test_pairs_that_were_not_counted_are_refused():
    singles = SufficientStatistics.from_table(encoded(small()), order=1)
    for ask in (
        lambda: singles.earlier_pair_counts(1),
        lambda: singles.attribute_pair_counts(0, 1),
    ):
        with pytest.raises(DataError, match="statistics of single values only"):
            ask()


def test_merged_statistics_have_no_rows():
    table = make_table([("u", "p", "k"), ("v", "q", "l")], [0, 1])
    merged = statistics_of(table).merge(statistics_of(table))
    assert merged.table is None
    assert merged.counts("x1", [CLASS, "x0"]).sum() == 4
    with pytest.raises(DataError, match="merged statistics hold pairs only, expected rows for"):
        merged.counts("x2", [CLASS, "x0", "x1"])


def test_merging_with_single_values_leaves_single_values():
    pairs = statistics_of(small())
    singles = SufficientStatistics.from_table(encoded(small()), order=1)
    for merged in (pairs.merge(singles), singles.merge(pairs)):
        assert merged.pair_counts is None
        assert merged.value_counts.tolist() == (2 * pairs.value_counts).tolist()


def test_other_variables_do_not_merge():
    other = make_table([("a", "p")], ["yes"], domains=[("a", "b"), ("p", "q")])
    with pytest.raises(DataError, match="statistics over different variables cannot be merged"):
        statistics_of(small()).merge(statistics_of(other))


# ---------------------------------------------------------------- read-only


@pytest.mark.parametrize(
    "statistics", [statistics_of(small()), pickle.loads(pickle.dumps(statistics_of(small())))]
)
def test_counts_cannot_be_changed_from_outside(statistics):
    for array in (
        statistics.class_counts,
        statistics.value_counts,
        statistics.pair_counts,
        statistics.counts(CLASS),
        statistics.counts("x0", [CLASS]),
        statistics.counts("x1", [CLASS, "x0"]),
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 7


def test_an_array_that_was_handed_in_stays_writable():
    mine = np.array([3.0, 3.0])
    base = statistics_of(small())
    SufficientStatistics(base.schema, mine, base.value_counts, base.pair_counts)
    mine[0] = 4.0
    assert mine.tolist() == [4.0, 3.0]


def test_pickling_keeps_every_bit():
    statistics = statistics_of(small())
    assert arrays(pickle.loads(pickle.dumps(statistics))) == arrays(statistics)


# ---------------------------------------------------------------- memory


def wide(n_attributes, card):
    variables = tuple(Variable(f"x{i}", states=tuple(range(card))) for i in range(n_attributes))
    codes = np.zeros((2, n_attributes), dtype=np.int32)
    target = Variable(CLASS, states=(0, 1))
    return EncodedTable(variables, codes, target, np.array([0, 1], dtype=np.int32))


def test_pair_counts_beyond_the_limit_are_refused_before_allocation():
    # 2 classes × 10¹² pairs of values × 8 bytes
    with pytest.raises(
        MemoryLimitError, match=r"counts of all pairs of 1000000 values .* 1\.49e\+04"
    ):
        SufficientStatistics.from_table(wide(10, 100_000))
    singles = SufficientStatistics.from_table(wide(10, 100_000), order=1)
    assert singles.value_counts.shape == (2, 1_000_000)


def test_pair_counts_are_held_to_the_limit(monkeypatch):
    table = wide(3, 4)  # 12 values: 2 × 12² cells of 8 bytes
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 2 * 144 * 8)
    assert SufficientStatistics.from_table(table).pair_counts.nbytes == 2 * 144 * 8
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 2 * 144 * 8 - 1)
    with pytest.raises(MemoryLimitError, match="counts of all pairs of 12 values"):
        SufficientStatistics.from_table(table)


def test_a_family_beyond_the_limit_is_refused_with_its_names(monkeypatch):
    statistics = SufficientStatistics.from_table(wide(3, 4))
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 2 * 4**3 * 8 - 1)
    with pytest.raises(MemoryLimitError, match="the table of 'x2' with the parents 'class', 'x0'"):
        statistics.counts("x2", [CLASS, "x0", "x1"])


def test_a_family_beyond_any_integer_is_refused():
    statistics = SufficientStatistics.from_table(wide(60, 10**4), order=1)
    names = [v.name for v in statistics.schema.attributes]
    with pytest.raises(MemoryLimitError, match=r"\(59 in all\) would need [0-9.e+]+ GiB"):
        statistics.counts(names[-1], names[:-1])


def test_a_family_of_more_axes_than_an_array_can_have_is_refused():
    statistics = SufficientStatistics.from_table(wide(64, 1), order=1)
    names = [v.name for v in statistics.schema.attributes]
    assert statistics.counts(names[-2], names[:-2]).ndim == 63
    with pytest.raises(MemoryLimitError, match=r"has 65 axes, expected at most 64"):
        statistics.counts(names[-1], names[:-1])
