"""`NetworkEnsemble(average="posterior")`: by hand, by enumeration, zeros, refusals."""

import copy
import pickle

import numpy as np
import pytest
from builders import (
    CLASS,
    enumerated_joint,
    every_row,
    naive_bayes_structure,
    random_network,
    random_rows,
    variable,
    with_random_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import (
    BayesianNetwork,
    CategoricalCPD,
    EncodedTable,
    NetworkEnsemble,
    Structure,
    StructureError,
    SuperparentSeen,
)

for_each_engine = pytest.mark.parametrize("engine", ["compiled", "graph"])

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


def averaged(networks, *arguments):
    return NetworkEnsemble(networks, *arguments, average="posterior")


@for_each_engine
def test_the_mean_posterior_by_hand(engine):
    ensemble = averaged([ONE, TWO])
    expected = [
        [(2 / 3 + 0.4) / 2, (1 / 3 + 0.6) / 2],
        [0.4, 0.6],
        [0.0, 1.0],  # impossible in ONE, which is skipped: TWO alone answers
        [0.375, 0.625],
    ]
    found = ensemble.posterior(rows(0, 1, 2, -1), engine=engine)
    assert found == pytest.approx(np.array(expected), abs=1e-15)
    logs = ensemble.log_posterior(rows(0, 1, 2, -1), engine=engine)
    assert np.exp(logs) == pytest.approx(np.array(expected), abs=1e-15)
    assert np.isneginf(logs[2, 0])


@for_each_engine
def test_weights_by_hand(engine):
    found = averaged([ONE, TWO], [3, 1]).posterior(rows(0, 2), engine=engine)
    assert found == pytest.approx(np.array([[0.6, 0.4], [0.0, 1.0]]), abs=1e-15)


@for_each_engine
def test_a_likely_member_has_no_more_say_than_another(engine):
    # State 0 has P(x) = 0.375 in ONE and 0.125 in TWO: the joint's mean leans to ONE.
    of_joints = NetworkEnsemble([ONE, TWO]).posterior(rows(0), engine=engine)
    assert of_joints[0] == pytest.approx([0.6, 0.4], abs=1e-15)
    of_posteriors = averaged([ONE, TWO]).posterior(rows(0), engine=engine)
    assert of_posteriors[0] == pytest.approx([8 / 15, 7 / 15], abs=1e-15)


@for_each_engine
def test_if_all_members_are_skipped_the_answer_is_the_prior(engine):
    expected = [0.5, 0.5]
    assert averaged([ONE, ONE]).posterior(rows(2), engine=engine)[0] == pytest.approx(expected)
    # A member that serves, but is at zero, is no reason to fall back on REST's row.
    rule = SuperparentSeen(1, ("a", "a"), ([1, 1, 1], [1, 1, 0]))
    gated = averaged([ONE, TWO], None, rule, REST)
    assert gated.posterior(rows(2), engine=engine)[0] == pytest.approx([0.125, 0.875], abs=1e-15)


@for_each_engine
def test_rows_that_no_member_serves_are_the_fallbacks(engine):
    rule = SuperparentSeen(1, ("a", "a"), ([1, 1, 0], [1, 0, 0]))
    gated = averaged([ONE, TWO], [3, 1], rule, REST)
    expected = [[0.6, 0.4], [0.4, 0.6], [2 / 9, 7 / 9], [0.125, 0.875]]
    found = gated.posterior(rows(0, 1, 2, -1), engine=engine)
    assert found == pytest.approx(np.array(expected), abs=1e-15)


@for_each_engine
def test_no_members_are_the_fallback(engine):
    alone = NetworkEnsemble([], [], fallback=REST, average="posterior")
    expected = REST.posterior(rows(0, 2, -1))
    assert alone.posterior(rows(0, 2, -1), engine=engine) == pytest.approx(expected, abs=1e-15)


@for_each_engine
def test_no_rows(engine):
    assert averaged([ONE, TWO]).posterior(rows(), engine=engine).shape == (0, 2)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["compiled", "graph"]))
def test_it_is_the_mean_of_enumerated_posteriors(seed, engine):
    rng = np.random.default_rng(seed)
    first = random_network(rng, 3, zeros=0.4)
    variables = {name: factor.variable for name, factor in first.factors.items()}
    second = with_random_tables(rng, random_network(rng, 3).structure, variables, zeros=0.4)
    weights = rng.random(2) + 0.1
    ensemble = averaged([first, second], weights)
    for table in (every_row(ensemble), random_rows(rng, ensemble, 10, holes=0.4)):
        found = ensemble.posterior(table, engine=engine)
        for row, shares in zip(table.codes, found, strict=True):
            joints = [np.array(enumerated_joint(n, row)) for n in ensemble]
            parts = [w * j / j.sum() for w, j in zip(weights, joints, strict=True) if j.any()]
            if parts:
                expected = sum(parts) / sum(parts).sum()
                assert shares == pytest.approx(expected, rel=1e-10, abs=1e-14)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["compiled", "graph"]))
def test_one_member_is_the_network_itself(seed, engine):
    rng = np.random.default_rng(seed)
    alone = random_network(rng, 4)
    table = random_rows(rng, alone, 30, holes=0.3)
    expected = alone.posterior(table, engine=engine)
    assert averaged([alone]).posterior(table, engine=engine) == pytest.approx(expected, abs=1e-12)


@for_each_engine
def test_joints_beyond_double_precision_have_posteriors(engine):
    rng = np.random.default_rng(5)
    structure = naive_bayes_structure(1200)
    variables = {name: variable(name, 2) for name in structure.nodes}
    networks = [with_random_tables(rng, structure, variables) for _ in range(3)]
    table = random_rows(rng, networks[0], 4)
    assert (networks[0].log_joint(table) < -750).all()
    expected = np.mean([n.posterior(table, engine="graph") for n in networks], axis=0)
    found = averaged(networks).posterior(table, engine=engine)
    assert found == pytest.approx(expected, abs=1e-12)


# ---------------------------------------------------------------- what is refused


@for_each_engine
def test_there_is_no_joint(engine):
    with pytest.raises(StructureError, match="an average of posteriors has no joint, expected ave"):
        averaged([ONE, TWO]).log_joint(rows(0), engine=engine)


@pytest.mark.parametrize("average", ["posteriors", None, 0])
def test_the_average_is_of_joints_or_posteriors(average):
    with pytest.raises(StructureError, match=r"average is .*, expected 'joint' or 'posterior'"):
        NetworkEnsemble([ONE], average=average)


def test_members_without_a_class_have_no_posteriors():
    free = random_network(np.random.default_rng(0), 2, with_class=False)
    with pytest.raises(StructureError, match="without a class node have no posteriors to average"):
        averaged([free])


# ---------------------------------------------------------------- as an object


def test_equality_and_repr():
    assert averaged([ONE, TWO]) == averaged([ONE, TWO])
    assert averaged([ONE, TWO]) != NetworkEnsemble([ONE, TWO])
    assert NetworkEnsemble([ONE, TWO], average="joint") == NetworkEnsemble([ONE, TWO])
    assert repr(averaged([ONE, TWO])) == "NetworkEnsemble(members=2, average='posterior')"


@pytest.mark.parametrize(
    "copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy, copy.copy]
)
def test_copies_average_posteriors_too(copied):
    ensemble = averaged([ONE, TWO], [3, 1])
    expected = ensemble.posterior(rows(0, 1, 2, -1))
    other = copied(ensemble)
    assert other == ensemble
    assert (other.posterior(rows(0, 1, 2, -1)) == expected).all()
