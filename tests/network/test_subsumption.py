"""Subsumption resolution: the rule, its effect on AODE by loops over the formula, refusals."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from builders import CLASS, encoded, statistics_of, training_tables, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.tables import make_table

from bnclass import (
    AODE,
    BayesianNetwork,
    BnclassError,
    DataError,
    EncodedTable,
    MEstimate,
    NaiveBayesLearner,
    NetworkEnsemble,
    SPODELearner,
    StructureError,
    Subsumption,
    SufficientStatistics,
    SuperparentSeen,
    TableEncoder,
    Variable,
)

A, B = variable("a", 2), variable("b", 3)

# "a" and "b" side by side: a0 a1 b0 b1 b2. b0 implies a0; b2 and a1 imply each other.
COUNTS = ([5.0, 2.0], [3.0, 2.0, 2.0])
PAIRS = np.zeros((5, 5))
PAIRS[2:, :2] = [[3, 0], [2, 0], [0, 2]]


def rule(min_frequency=2):
    return Subsumption(min_frequency, ("a", "b"), COUNTS, PAIRS)


def rows(*codes):
    return EncodedTable((A, B), np.array(codes, dtype=np.int32).reshape(len(codes), 2))


# ---------------------------------------------------------------- the rule


def test_the_rule_by_hand():
    dropped = rule().drops(rows([0, 0], [0, 1], [1, 2], [1, 0], [-1, 0], [0, -1], [-1, -1]))
    assert dropped.dtype == np.bool_
    assert dropped.tolist() == [
        [True, False],  # 3 rows have b0, all of them a0
        [True, False],  # likewise 2 rows with b1
        [False, True],  # equal: the first stays
        [False, False],  # never together
        [False, False],  # what is missing neither drops nor is dropped
        [False, False],
        [False, False],
    ]


def test_a_count_equal_to_the_minimum_is_enough():
    asked = rows([0, 0], [0, 1])
    assert rule(3).drops(asked).tolist() == [[True, False], [False, False]]
    assert rule(2.5).drops(asked).tolist() == [[True, False], [False, False]]
    assert not rule(3.5).drops(asked).any()
    assert not rule(np.inf).drops(asked).any()


def test_dropped_cells_are_missing():
    table = rows([0, 0], [1, 2], [1, 0])
    resolved = rule().resolve(table)
    assert resolved.codes.tolist() == [[-1, 0], [1, -1], [1, 0]]
    assert table.codes.tolist() == [[0, 0], [1, 2], [1, 0]]


def test_other_columns_stay_and_columns_are_found_by_name():
    x = Variable("x", "continuous")
    table = EncodedTable(
        (B, x, A), np.array([[0, 0, 0]], dtype=np.int32), numbers=np.array([[0.5]])
    )
    resolved = rule().resolve(table)
    assert resolved.codes.tolist() == [[0, 0, -1]]
    assert resolved.numbers.tolist() == [[0.5]]


def test_no_rows_and_no_attributes():
    assert rule().drops(rows()).shape == (0, 2)
    nothing = Subsumption(1, (), (), np.zeros((0, 0)))
    assert nothing.drops(rows([0, 0])).shape == (1, 0)
    assert nothing.resolve(rows([0, 0])).codes.tolist() == [[0, 0]]


def test_of_many_equal_columns_the_first_stays():
    table = make_table([("u",) * 20, ("v",) * 20] * 2, "KLKL")
    dropped = Subsumption.from_statistics(statistics_of(table), 2).drops(encoded(table))
    assert dropped.tolist() == [[False] + [True] * 19] * 4


def test_a_constant_is_implied_by_all():
    table = make_table(list(zip("cccc", "uuvv", strict=True)), "KLKL")
    dropped = Subsumption.from_statistics(statistics_of(table), 1).drops(encoded(table))
    assert dropped.tolist() == [[True, False]] * 4


def test_a_state_that_was_never_seen_implies_nothing():
    table = make_table(["uu"], "K", domains=[("u", "v"), ("u", "v")])
    never = EncodedTable(encoded(table).variables, np.array([[1, 0], [1, 1]], dtype=np.int32))
    rule = Subsumption.from_statistics(statistics_of(table), 1e-9)
    assert not rule.drops(never).any()


def test_missing_training_cells_make_no_implication():
    # u of the first is seen twice, but together with p only once.
    table = make_table([("u", "p"), ("u", None), ("v", "p")], "KKL")
    dropped = Subsumption.from_statistics(statistics_of(table), 1).drops(encoded(table))
    assert dropped.tolist() == [[False, False], [False, False], [False, True]]


def frequency(table, values):
    """Return the weight of the rows with all these values, given as {attribute: value}."""
    return sum(
        weight
        for row, weight in zip(table.rows, table.weights, strict=True)
        if all(row[i] == x for i, x in values.items())
    )


def kept_attributes(table, row, least):
    """Return the attributes that stay in a row, by loops over the definition."""
    seen = [i for i, x in enumerate(row) if x is not None]

    def drops(i, j):
        f_i, f_j = frequency(table, {i: row[i]}), frequency(table, {j: row[j]})
        both = frequency(table, {i: row[i], j: row[j]})
        return f_i == both and f_i >= least and (f_j != f_i or i < j)

    return [j for j in seen if not any(drops(i, j) for i in seen if i != j)]


@settings(max_examples=150, deadline=None)
@given(training_tables(max_attributes=5), st.sampled_from([0.5, 1, 2, 3.5]))
def test_the_rule_is_its_definition(table, least):
    asked = list(itertools.product(*((None, *d) for d in table.domains)))[:300]
    variables = encoded(table).variables
    codes = [
        [-1 if x is None else v.states.index(x) for x, v in zip(row, variables, strict=True)]
        for row in asked
    ]
    rule = Subsumption.from_statistics(statistics_of(table), least)
    dropped = rule.drops(EncodedTable(variables, np.array(codes, dtype=np.int32)))
    for row, drop in zip(asked, dropped, strict=True):
        kept = [i for i, x in enumerate(row) if x is not None and not drop[i]]
        assert kept == kept_attributes(table, row, least)


def test_rows_beyond_one_block():
    codes = np.random.default_rng(0).integers(-1, 2, (10_000, 2)).astype(np.int32)
    table = EncodedTable((A, B), codes)
    by_one = np.concatenate([rule().drops(table.rows([r])) for r in range(200)])
    assert (rule().drops(table)[:200] == by_one).all()
    assert (rule().drops(table.rows(slice(9_800, None))) == rule().drops(table)[9_800:]).all()


# ---------------------------------------------------------------- in AODE


def aode(statistics, min_count, subsumption):
    smoothing, naive_bayes = MEstimate(1.0), NaiveBayesLearner().learn(statistics)
    return NetworkEnsemble(
        [
            BayesianNetwork.fit(s, statistics, smoothing)
            for s in SPODELearner().learn_all(statistics)
        ],
        membership=SuperparentSeen.from_statistics(statistics, min_count),
        fallback=BayesianNetwork.fit(naive_bayes, statistics, smoothing),
        subsumption=subsumption,
    )


def joint_over(network, values):
    """Return the product of the factors of some attributes and the class, for every class."""
    product = network.factors[CLASS].table
    for name, code in values.items():
        parents = network.factors[name].parents[1:]
        index = tuple(values[p.name] for p in parents)
        product = product * network.factors[name].table[(slice(None), *index, code)]
    return product


@settings(max_examples=80, deadline=None)
@given(
    training_tables(max_attributes=4),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([0, 1, 3]),
    st.sampled_from(["compiled", "graph"]),
)
def test_aode_is_the_formula_over_the_kept_attributes(table, least, min_count, engine):
    statistics = statistics_of(table)
    rule = Subsumption.from_statistics(statistics, least)
    ensemble, rows = aode(statistics, min_count, rule), encoded(table)
    found = np.exp(ensemble.log_joint(rows, engine=engine))
    for row, codes, joint in zip(table.rows, rows.codes.tolist(), found, strict=True):
        kept = kept_attributes(table, row, least)
        values = {f"x{i}": codes[i] for i in kept}
        usable = [j for j in kept if frequency(table, {j: row[j]}) >= min_count]
        members = [ensemble[j] for j in usable] or [ensemble.fallback]
        expected = np.mean([joint_over(member, values) for member in members], axis=0)
        assert joint == pytest.approx(expected, rel=1e-10, abs=1e-15)


@settings(deadline=None)
@given(training_tables())
def test_a_minimum_beyond_all_rows_changes_nothing(table):
    statistics, rows = statistics_of(table), encoded(table)
    rule = Subsumption.from_statistics(statistics, 1e9)
    plain, resolved = aode(statistics, 1, None), aode(statistics, 1, rule)
    assert (resolved.log_joint(rows) == plain.log_joint(rows)).all()


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("least", [0, -1, np.nan, True, False, "1", None, np.bool_(True)])
def test_the_minimum_must_be_a_positive_number(least):
    with pytest.raises(BnclassError, match=r"min_frequency is .*, expected a positive number"):
        rule(least)


def test_counts_of_other_shapes():
    with pytest.raises(BnclassError, match="2 counts for 1 attributes"):
        Subsumption(1, ("a",), COUNTS, PAIRS)
    with pytest.raises(BnclassError, match=r"pair counts of shape \(4, 4\), expected \(5, 5\)"):
        Subsumption(1, ("a", "b"), COUNTS, np.zeros((4, 4)))


def test_it_needs_pair_counts():
    table = encoded(make_table(["uv", "vu"], "KL"))
    with pytest.raises(DataError, match=r"expected pair counts \(order=2\)"):
        Subsumption.from_statistics(SufficientStatistics.from_table(table, order=1), 1)


@pytest.mark.parametrize(
    "variables", [(A,), (variable("a", 3), B), (B, Variable("a", "continuous"))]
)
def test_an_ensemble_of_other_attributes(variables):
    rng = np.random.default_rng(0)
    codes = np.zeros((3, len(variables)), dtype=np.int32)
    numbers = rng.random((3, sum(v.is_continuous for v in variables)))
    table = EncodedTable(
        variables,
        codes,
        Variable(CLASS, states=(0, 1)),
        np.array([0, 1, 1], np.int32),
        None,
        numbers,
    )
    statistics = SufficientStatistics.from_table(table)
    network = BayesianNetwork.fit(NaiveBayesLearner().learn(statistics), statistics)
    with pytest.raises(StructureError, match=r"subsumption: attribute '.' with counts of shape"):
        NetworkEnsemble([network], subsumption=rule())


# ---------------------------------------------------------------- as an object


def test_equality():
    assert rule() == rule()
    assert rule() == Subsumption(2.0, ["a", "b"], COUNTS, PAIRS.astype(int))
    assert rule() != rule(1)
    assert rule() != Subsumption(2, ("a", "c"), COUNTS, PAIRS)
    assert rule() != Subsumption(2, ("a", "b"), ([5.0, 2.0], [3.0, 2.0, 1.0]), PAIRS)
    assert rule() != Subsumption(2, ("a", "b"), COUNTS, 2 * PAIRS)
    assert rule() != "rule"
    assert repr(rule()) == "Subsumption(min_frequency=2, attributes=2)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(rule())


def test_only_pairs_of_a_later_with_an_earlier_attribute_count():
    assert Subsumption(2, ("a", "b"), COUNTS, PAIRS + np.triu(np.ones((5, 5)))) == rule()


@pytest.mark.parametrize(
    "copied", [lambda r: r, copy.deepcopy, copy.copy, lambda r: pickle.loads(pickle.dumps(r))]
)
def test_counts_are_read_only_and_stay_so(copied):
    original = rule()
    original.drops(rows([0, 0]))
    other = copied(original)
    assert other == original
    for array in (*other.counts, other.pair_counts):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0
    with pytest.raises(AttributeError):
        other.min_frequency = 1
    assert other.drops(rows([0, 0])).tolist() == [[True, False]]


def test_counts_are_a_copy():
    pairs = PAIRS.copy()
    kept = Subsumption(2, ("a", "b"), COUNTS, pairs)
    pairs[...] = 0.0
    assert kept == rule()


def test_ensembles_differ_by_their_rule():
    statistics = statistics_of(make_table(["uu", "vu", "vv"], "KLL"))
    rules = [Subsumption.from_statistics(statistics, least) for least in (1, 2)]
    one, other, none = (aode(statistics, 1, r) for r in (*rules, None))
    assert one == aode(statistics, 1, rules[0])
    assert one != other
    assert one != none
    assert "subsumption=Subsumption(min_frequency=1, attributes=2)" in repr(one)
    asked = {"x0": ["u", "v"], "x1": ["u", "w"]}
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert (again.posterior(asked) == one.posterior(asked)).all()


@pytest.mark.parametrize("weights", list(itertools.permutations([0.1, 0.2, 0.3])))
def test_three_fractional_rows_in_every_order(weights):
    frame = pd.DataFrame({"a": ["u"] * 3 + ["v"], "b": ["p"] * 3 + ["q"]})
    model = AODE(min_count=0.6, subsumption=0.6)
    model.fit(frame, [0, 1, 0, 1], sample_weight=[*weights, 5])
    assert [gate.tolist() for gate in model.ensemble_.membership.gates] == [[True, True]] * 2
    drops = model.ensemble_.subsumption.drops(model.encoder_.transform(frame))
    assert drops.tolist() == [[False, True]] * 4


@pytest.mark.parametrize("heavy", [1e6 + 0.1, 1e12 / 3, 1e20])
def test_a_few_light_rows_among_heavy_ones_reach_their_number(heavy):
    frame = pd.DataFrame({"a": list("uuuv")})
    table = TableEncoder().fit_transform(frame, list("KKKL"), [0.1, 0.1, 0.1, heavy])
    statistics = SufficientStatistics.from_table(table)
    for least, serves in ((0.3, True), (0.3000001, False)):
        rule = SuperparentSeen.from_statistics(statistics, least)
        assert rule.gates[0].tolist() == [serves, True]


def test_fractional_rows_of_many_classes():
    frame = pd.DataFrame({"a": ["u"] * 30, "b": ["p", "q"] * 15})
    weights = np.random.default_rng(0).random(30)
    table = TableEncoder().fit_transform(frame, [i % 10 for i in range(30)], weights)
    rule = Subsumption.from_statistics(SufficientStatistics.from_table(table), 0.1)
    assert rule.drops(table).tolist() == [[True, False]] * 30  # p and q imply u
