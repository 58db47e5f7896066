"""`NetworkEnsemble`: averages, weights, membership, fall-back, refusals."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from builders import (
    CLASS,
    encoded,
    enumerated_joint,
    every_row,
    naive_bayes_structure,
    random_network,
    random_rows,
    statistics_of,
    training_tables,
    variable,
    with_random_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import posteriors
from oracle import smoothing as oracle

from bnclass import (
    BayesianNetwork,
    BDeu,
    CategoricalCPD,
    DataError,
    EncodedTable,
    Laplace,
    MEstimate,
    NaiveBayesLearner,
    NetworkEnsemble,
    SPODELearner,
    Structure,
    StructureError,
    SuperparentSeen,
)

ENGINES = ["compiled", "graph"]
SMOOTHINGS = [
    (MEstimate(1.0), oracle.MEstimate(1)),
    (MEstimate(0.0), oracle.MEstimate(0)),
    (Laplace(1.0), oracle.Laplace(1)),
    (BDeu(2.0), oracle.BDeu(2)),
]

A, Y = variable("a", 3), variable(CLASS, 2)


def network(prior, table):
    """Return class -> a, where a has three states."""
    structure = Structure.from_arcs([CLASS, "a"], [(CLASS, "a")], CLASS)
    return BayesianNetwork(
        structure, [CategoricalCPD(Y, (), prior), CategoricalCPD(A, (Y,), table)]
    )


ONE = network([0.5, 0.5], [[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]])
TWO = network([0.25, 0.75], [[0.2, 0.8, 0.0], [0.1, 0.4, 0.5]])
REST = network([0.125, 0.875], [[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]])


def rows(*codes):
    return EncodedTable((A,), np.array(codes, dtype=np.int32).reshape(-1, 1))


def aode(statistics, smoothing, min_count):
    """Return AODE's ensemble."""
    naive_bayes = NaiveBayesLearner().learn(statistics)
    return NetworkEnsemble(
        [
            BayesianNetwork.fit(s, statistics, smoothing)
            for s in SPODELearner().learn_all(statistics)
        ],
        membership=SuperparentSeen.from_statistics(statistics, min_count),
        fallback=BayesianNetwork.fit(naive_bayes, statistics, smoothing),
    )


# ---------------------------------------------------------------- averages


@pytest.mark.parametrize("engine", ENGINES)
def test_the_mean_joint_by_hand(engine):
    found = np.exp(NetworkEnsemble([ONE, TWO]).log_joint(rows(0, 1, 2, -1), engine=engine))
    expected = [
        [(0.25 + 0.05) / 2, (0.125 + 0.075) / 2],
        [(0.25 + 0.2) / 2, (0.375 + 0.3) / 2],
        [0.0, 0.375 / 2],  # the member at zero drops out of the sum, not out of the divisor
        [(0.5 + 0.25) / 2, (0.5 + 0.75) / 2],
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_by_hand(engine):
    found = np.exp(NetworkEnsemble([ONE, TWO], [3, 1]).log_joint(rows(0), engine=engine))
    assert found == pytest.approx(
        np.array([[(3 * 0.25 + 0.05) / 4, (3 * 0.125 + 0.075) / 4]]), abs=1e-15
    )


@settings(deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([1e-6, 0.5, 7.0, 1e6]), st.sampled_from(ENGINES))
def test_only_proportions_of_weights_matter(seed, factor, engine):
    rng = np.random.default_rng(seed)
    weights = rng.random(2) + 0.1
    table = rows(0, 1, -1)
    one = NetworkEnsemble([ONE, TWO], weights).log_joint(table, engine=engine)
    other = NetworkEnsemble([ONE, TWO], factor * weights).log_joint(table, engine=engine)
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_member_is_the_network_itself(engine):
    rng = np.random.default_rng(0)
    alone = random_network(rng, 4, zeros=0.2)
    table = random_rows(rng, alone, 30, holes=0.3)
    found = NetworkEnsemble([alone]).log_joint(table, engine=engine)
    expected = alone.log_joint(table, engine=engine)
    possible = ~np.isneginf(expected)
    assert np.array_equal(~np.isneginf(found), possible)
    assert found[possible] == pytest.approx(expected[possible], abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(ENGINES))
def test_the_joint_is_the_mean_of_enumerations_and_sums_to_one(seed, engine):
    rng = np.random.default_rng(seed)
    first = random_network(rng, 3, zeros=0.2)
    variables = {name: factor.variable for name, factor in first.factors.items()}
    second = with_random_tables(rng, random_network(rng, 3).structure, variables)
    weights = rng.random(2) + 0.1
    ensemble = NetworkEnsemble([first, second], weights)
    for table in (every_row(ensemble), random_rows(rng, ensemble, 10, holes=0.4)):
        found = np.exp(ensemble.log_joint(table, engine=engine))
        for row, joint in zip(table.codes, found, strict=True):
            parts = np.array([enumerated_joint(n, row) for n in ensemble])
            expected = weights @ parts / weights.sum()
            assert joint == pytest.approx(expected, rel=1e-10, abs=1e-14)
    total = np.exp(ensemble.log_joint(every_row(ensemble), engine=engine)).sum()
    assert total == pytest.approx(1, abs=1e-12)


# ---------------------------------------------------------------- membership and fall-back


def gated(counts_one, counts_two, min_count=1):
    """Return ONE and TWO, both gated by attribute a, before REST."""
    rule = SuperparentSeen(min_count, ("a", "a"), (counts_one, counts_two))
    return NetworkEnsemble([ONE, TWO], [3, 1], rule, REST)


@pytest.mark.parametrize("engine", ENGINES)
def test_members_serve_by_the_rule_and_the_fallback_takes_the_rest(engine):
    ensemble = gated([1, 1, 0], [1, 0, 0])
    found = np.exp(ensemble.log_joint(rows(0, 1, 2, -1), engine=engine))
    expected = [
        [(3 * 0.25 + 0.05) / 4, (3 * 0.125 + 0.075) / 4],
        [0.25, 0.375],  # ONE alone: the divisor is its own weight
        [0.0625, 0.21875],  # REST
        [0.125, 0.875],
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_usable_member_at_all_is_the_fallback(engine):
    table = rows(0, 1, 2, -1)
    found = gated([1, 1, 1], [1, 1, 1], min_count=2).log_joint(table, engine=engine)
    assert np.array_equal(found, REST.log_joint(table, engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_serving_member_at_zero_is_no_reason_to_fall_back(engine):
    # State 2 is impossible in ONE, which alone serves it: the prior answers, that is REST's.
    ensemble = gated([1, 1, 1], [0, 0, 0])
    assert np.isneginf(ensemble.log_joint(rows(2), engine=engine)).all()
    posterior = ensemble.posterior(rows(2, 0), engine=engine)
    assert posterior[0] == pytest.approx([0.125, 0.875], abs=1e-15)
    assert posterior[1] == pytest.approx([2 / 3, 1 / 3], abs=1e-15)


@pytest.mark.parametrize("engine", ENGINES)
def test_everything_impossible_is_the_mean_class_prior_without_a_fallback(engine):
    ensemble = NetworkEnsemble([ONE, ONE])
    assert ensemble.posterior(rows(2), engine=engine)[0] == pytest.approx([0.5, 0.5], abs=1e-15)


@settings(max_examples=80, deadline=None)
@given(
    training_tables(),
    st.sampled_from(SMOOTHINGS),
    st.sampled_from([0, 1, 2, 3.5]),
    st.sampled_from(ENGINES),
)
def test_aode_is_the_oracles(table, smoothing, min_count, engine):
    ensemble = aode(statistics_of(table), smoothing[0], min_count)
    codes = encoded(table)
    nothing = np.full((1, table.n), -1, dtype=np.int32)
    queries = [*table.rows, (None,) * table.n]
    asked = EncodedTable(codes.variables, np.concatenate([codes.codes, nothing]))
    joint = np.exp(ensemble.log_joint(asked, engine=engine))
    posterior = ensemble.posterior(asked, engine=engine)
    for row, found, shares in zip(queries, joint, posterior, strict=True):
        expected = posteriors.aode_joint(table, smoothing[1], row, min_count)
        assert found == pytest.approx([float(p) for p in expected.values()], abs=1e-12)
        expected = posteriors.aode_posterior(table, smoothing[1], row, min_count)
        assert shares == pytest.approx(expected, abs=1e-10)


# ---------------------------------------------------------------- rows of any kind


def test_raw_rows_and_unknown_values():
    ensemble = gated([1, 1, 0], [1, 0, 0])
    expected = ensemble.log_joint(rows(0, 2, -1))
    columns = {"a": ["s0", "s2", "never seen"]}
    for data in (columns, pd.DataFrame(columns)):
        assert np.array_equal(ensemble.log_joint(data), expected)


def test_columns_are_found_by_name():
    rng = np.random.default_rng(1)
    ensemble = NetworkEnsemble([random_network(rng, 3)])
    table = random_rows(rng, ensemble, 10, holes=0.2)
    turned = EncodedTable(table.variables[::-1], table.codes[:, ::-1])
    assert np.array_equal(ensemble.log_joint(turned), ensemble.log_joint(table))


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows(engine):
    assert gated([1, 1, 1], [1, 1, 1]).log_joint(rows(), engine=engine).shape == (0, 2)
    assert gated([1, 1, 1], [1, 1, 1]).posterior(rows(), engine=engine).shape == (0, 2)


def test_an_engine_is_compiled_or_graph():
    with pytest.raises(DataError, match="engine is 'fast', expected 'compiled' or 'graph'"):
        NetworkEnsemble([ONE]).log_joint(rows(0), engine="fast")


def test_codes_of_other_states_are_refused():
    other = EncodedTable((variable("a", 2),), np.array([[0]], dtype=np.int32))
    with pytest.raises(DataError, match="'a' is encoded under the states"):
        NetworkEnsemble([ONE]).log_joint(other)


# ---------------------------------------------------------------- what is refused


def test_no_members():
    with pytest.raises(
        StructureError, match="an ensemble of no networks, expected one or a fall-back"
    ):
        NetworkEnsemble([])


def test_members_over_other_variables():
    odd = random_network(np.random.default_rng(0), 1)
    with pytest.raises(StructureError, match="network 1 differs from the first in its columns"):
        NetworkEnsemble([ONE, odd])
    rule = SuperparentSeen(1, ("a",), ([1, 1, 1],))
    with pytest.raises(StructureError, match="network 1 differs from the first in its columns"):
        NetworkEnsemble([ONE], membership=rule, fallback=odd)


@pytest.mark.parametrize(
    "weights",
    [[1], [1, 1, 1], [1, 0], [1, -1], [1, np.nan], [1, np.inf], [[1, 1]], ["a", "b"], [1, [2]], 1],
)
def test_weights_are_one_positive_number_a_member(weights):
    with pytest.raises(StructureError, match=r"weights are .*, expected 2 positive numbers"):
        NetworkEnsemble([ONE, TWO], weights)


def test_a_policy_for_another_number_of_members():
    rule = SuperparentSeen(1, ("a",), ([1, 1, 1],))
    with pytest.raises(StructureError, match="a membership policy for 1 members, expected 2"):
        NetworkEnsemble([ONE, TWO], membership=rule, fallback=REST)


def test_a_policy_without_a_fallback():
    rule = SuperparentSeen(1, ("a",), ([1, 1, 1],))
    with pytest.raises(StructureError, match="a membership policy without a fall-back network"):
        NetworkEnsemble([ONE], membership=rule)


@pytest.mark.parametrize(
    ("superparent", "counts"),
    [("z", [1, 1, 1]), (CLASS, [1, 1]), ("a", [1, 1]), ("a", [1, 1, 1, 1]), ("a", [[1, 1, 1]])],
)
def test_a_policy_that_counts_something_else(superparent, counts):
    rule = SuperparentSeen(1, (superparent,), (counts,))
    with pytest.raises(StructureError, match=f"superparent '{superparent}' with counts of shape"):
        NetworkEnsemble([ONE], membership=rule, fallback=REST)


def test_an_ensemble_without_a_class_has_no_posterior():
    free = random_network(np.random.default_rng(0), 2, with_class=False)
    with pytest.raises(StructureError, match="no class node, expected one for a posterior"):
        NetworkEnsemble([free]).posterior(every_row(free))


# ---------------------------------------------------------------- as a container


def test_it_is_a_sequence_of_networks():
    ensemble = NetworkEnsemble(iter([ONE, TWO]), [3, 1])
    assert len(ensemble) == 2
    assert list(ensemble) == [ONE, TWO]
    assert ensemble[1] is TWO
    assert ensemble.networks == (ONE, TWO)
    assert ensemble.weights.tolist() == [3.0, 1.0]
    assert ensemble.attributes == (A,)
    assert ensemble.target == Y
    assert repr(ensemble) == "NetworkEnsemble(members=2)"
    assert repr(gated([1, 1, 1], [1, 1, 1])) == (
        "NetworkEnsemble(members=2, membership=SuperparentSeen(min_count=1, members=2))"
    )


def test_equality():
    assert NetworkEnsemble([ONE, TWO]) == NetworkEnsemble([ONE, TWO], [1.0, 1.0])
    assert NetworkEnsemble([ONE, TWO]) != NetworkEnsemble([TWO, ONE])
    assert NetworkEnsemble([ONE, TWO]) != NetworkEnsemble([ONE, TWO], [1, 2])
    assert NetworkEnsemble([ONE, TWO]) != NetworkEnsemble([ONE])
    assert gated([1, 1, 1], [1, 0, 0]) == gated([1, 1, 1], [1, 0, 0])
    assert gated([1, 1, 1], [1, 0, 0]) != gated([1, 1, 1], [1, 1, 0])
    assert gated([1, 1, 1], [1, 0, 0]) != NetworkEnsemble([ONE, TWO], [3, 1])
    assert NetworkEnsemble([ONE]) != ONE
    with pytest.raises(TypeError, match="unhashable"):
        hash(NetworkEnsemble([ONE]))


@pytest.mark.parametrize("how", ["itself", "pickle", "deepcopy", "copy"])
def test_copies_are_equal_and_locked(how):
    ensemble = gated([1, 1, 0], [1, 0, 0])
    expected = ensemble.log_joint(rows(0, 1, 2, -1))  # compiled before the copy
    other = {
        "itself": lambda: ensemble,
        "pickle": lambda: pickle.loads(pickle.dumps(ensemble)),
        "deepcopy": lambda: copy.deepcopy(ensemble),
        "copy": lambda: copy.copy(ensemble),
    }[how]()
    assert other == ensemble
    assert np.array_equal(other.log_joint(rows(0, 1, 2, -1)), expected)
    for array in (other.weights, *other.membership.counts, other[0].factors["a"].table):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0
    with pytest.raises(AttributeError, match="a NetworkEnsemble never changes; cannot set 'weig"):
        other.weights = np.ones(2)


def test_weights_are_a_copy():
    weights = np.array([3.0, 1.0])
    ensemble = NetworkEnsemble([ONE, TWO], weights)
    weights[0] = 100.0
    assert ensemble.weights.tolist() == [3.0, 1.0]
    assert weights.flags.writeable


def test_a_pickle_holds_no_compiled_arrays():
    fresh, used = (gated([1, 1, 0], [1, 0, 0]) for _ in range(2))
    used.posterior(rows(0, 2))
    assert len(pickle.dumps(used)) == len(pickle.dumps(fresh))


def test_many_members_do_not_underflow():
    rng = np.random.default_rng(5)
    structure = naive_bayes_structure(1200)
    variables = {name: variable(name, 2) for name in structure.nodes}
    networks = [with_random_tables(rng, structure, variables) for _ in range(3)]
    ensemble = NetworkEnsemble(networks)
    table = random_rows(rng, ensemble, 4)
    parts = np.array([n.log_joint(table, engine="graph") for n in networks])
    assert (parts < -750).all()
    expected = np.logaddexp.reduce(parts, axis=0) - np.log(3)
    for engine in ENGINES:
        found = ensemble.log_joint(table, engine=engine)
        assert found == pytest.approx(expected, rel=1e-13)
        assert ensemble.posterior(table, engine=engine).sum(axis=1) == pytest.approx(np.ones(4))
