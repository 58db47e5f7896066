"""The graph walk against brute-force enumeration, on graphs of any shape."""

import math

import numpy as np
import pytest
from builders import (
    CLASS,
    enumerated_joint,
    every_row,
    naive_bayes_structure,
    random_cpd,
    random_network,
    random_rows,
    variable,
    with_random_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from bnclass import BayesianNetwork, CategoricalCPD, EncodedTable, MemoryLimitError, Structure
from bnclass.network.joint import log_sum_exp

SEEDS = st.integers(0, 2**32)


def walk(network, table):
    return network.log_joint(table, engine="graph")


def check(network, table):
    """Hold every row to the enumeration of all its completions."""
    found = np.exp(walk(network, table))
    for row, joint in zip(table.codes, found, strict=True):
        assert joint == pytest.approx(enumerated_joint(network, row), rel=1e-10, abs=1e-14)


def table_of(network, *rows):
    codes = np.array(rows, dtype=np.int32).reshape(len(rows), len(network.attributes))
    return EncodedTable(network.attributes, codes)


# ---------------------------------------------------------------- by hand


def collider():
    """Return P(a) P(b) P(c | a, b) with c = a xor b, a 1 in 1 of 4 and b 1 in 1 of 8."""
    a, b, c = (variable(name, 2) for name in "abc")
    xor = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]]
    return BayesianNetwork(
        Structure.from_arcs(["a", "b", "c"], [("a", "c"), ("b", "c")]),
        [
            CategoricalCPD(a, (), [0.75, 0.25]),
            CategoricalCPD(b, (), [0.875, 0.125]),
            CategoricalCPD(c, (a, b), xor),
        ],
    )


def test_missing_parents_are_summed_out_by_hand():
    rows = table_of(collider(), [-1, -1, 1], [0, -1, 1], [1, -1, -1], [-1, -1, -1], [0, 0, 1])
    odd = 0.25 * 0.875 + 0.75 * 0.125
    expected = [odd, 0.75 * 0.125, 0.25, 1.0, 0.0]
    assert np.exp(walk(collider(), rows))[:, 0] == pytest.approx(expected, abs=1e-15)


def test_the_class_as_a_leaf_by_hand():
    # a -> class: P(class) = 0.75 * [0.9, 0.1] + 0.25 * [0.2, 0.8]
    a, y = variable("a", 2), variable(CLASS, 2)
    network = BayesianNetwork(
        Structure.from_arcs([CLASS, "a"], [("a", CLASS)], CLASS),
        [
            CategoricalCPD(a, (), [0.75, 0.25]),
            CategoricalCPD(y, (a,), [[0.9, 0.1], [0.2, 0.8]]),
        ],
    )
    posterior = network.posterior(table_of(network, [0], [1], [-1]), engine="graph")
    expected = np.array([[0.9, 0.1], [0.2, 0.8], [0.725, 0.275]])
    assert posterior == pytest.approx(expected, abs=1e-15)


def test_nothing_known_is_the_class_prior():
    network = random_network(np.random.default_rng(4), 5)
    nothing = table_of(network, [-1] * 5)
    prior = np.exp(walk(network, nothing))
    assert prior.sum() == pytest.approx(1, abs=1e-12)
    assert prior[0] == pytest.approx(enumerated_joint(network, [-1] * 5), abs=1e-12)


# ---------------------------------------------------------------- against enumeration


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 5), st.sampled_from([0.0, 0.3, 0.8]), st.booleans())
def test_any_graph_with_missing_cells(seed, n_attributes, holes, with_class):
    rng = np.random.default_rng(seed)
    network = random_network(rng, n_attributes, with_class=with_class, zeros=0.15)
    check(network, random_rows(rng, network, 8, holes))


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.5, 1.0]))
def test_dense_graphs_of_six_nodes(seed, holes):
    rng = np.random.default_rng(seed)
    network = random_network(rng, 5, density=0.9)
    check(network, random_rows(rng, network, 6, holes))


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_a_class_with_parents_and_children(seed):
    # x0, x1 -> class -> x2, x3 and x1 -> x3: x1 is parent and co-parent at once.
    rng = np.random.default_rng(seed)
    arcs = [("x0", CLASS), ("x1", CLASS), (CLASS, "x2"), (CLASS, "x3"), ("x1", "x3")]
    names = ["x0", "x1", "x2", "x3"]
    structure = Structure.from_arcs([CLASS, *names], arcs, CLASS)
    variables = {n: variable(n, 2 + i % 2) for i, n in enumerate([CLASS, *names])}
    network = with_random_tables(rng, structure, variables, zeros=0.1)
    check(network, random_rows(rng, network, 12, holes=0.4))


@settings(deadline=None)
@given(SEEDS)
def test_complete_rows_sum_to_one(seed):
    network = random_network(np.random.default_rng(seed), 4, zeros=0.2)
    total = np.exp(walk(network, every_row(network))).sum()
    assert total == pytest.approx(1, abs=1e-12)


@settings(deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_a_missing_cell_is_the_sum_over_its_states(seed, place):
    rng = np.random.default_rng(seed)
    network = random_network(rng, 4)
    row = random_rows(rng, network, 1, holes=0.3).codes[0]
    filled = np.tile(row, (network.attributes[place].card, 1))
    filled[:, place] = np.arange(len(filled))
    row[place] = -1
    whole = np.exp(walk(network, table_of(network, row)))[0]
    parts = np.exp(walk(network, EncodedTable(network.attributes, filled)))
    assert whole == pytest.approx(parts.sum(axis=0), rel=1e-10)


@settings(deadline=None)
@given(SEEDS)
def test_every_row_stands_for_itself(seed):
    """Rows share a walk by the nodes to take out; order changes nothing, company but rounding."""
    rng = np.random.default_rng(seed)
    network = random_network(rng, 4, zeros=0.1)
    table = random_rows(rng, network, 30, holes=0.4)
    together = walk(network, table)
    order = rng.permutation(30)
    assert np.array_equal(walk(network, table.rows(order)), together[order])
    for r in range(30):
        alone = walk(network, table.rows(np.array([r])))[0]
        np.testing.assert_allclose(alone, together[r], rtol=1e-12, atol=1e-12)


def test_column_order_of_the_table_changes_nothing():
    rng = np.random.default_rng(0)
    network = random_network(rng, 5)
    table = random_rows(rng, network, 10, holes=0.3)
    turned = EncodedTable(table.variables[::-1], table.codes[:, ::-1])
    assert np.array_equal(walk(network, turned), walk(network, table))


# ---------------------------------------------------------------- odd tables


def test_no_rows_and_no_attributes():
    network = random_network(np.random.default_rng(1), 3)
    assert walk(network, random_rows(np.random.default_rng(1), network, 0)).shape == (0, 3)
    prior = CategoricalCPD(variable(CLASS, 2), (), [0.25, 0.75])
    alone = BayesianNetwork(Structure.from_arcs([CLASS], [], CLASS), [prior])
    found = np.exp(walk(alone, EncodedTable((), np.empty((3, 0), dtype=np.int32))))
    assert found == pytest.approx(np.tile([0.25, 0.75], (3, 1)), abs=1e-15)


def test_more_rows_than_fit_at_once(monkeypatch):
    rng = np.random.default_rng(2)
    network = random_network(rng, 5, density=0.7)
    table = random_rows(rng, network, 50, holes=0.5)
    expected = walk(network, table)
    monkeypatch.setattr("bnclass.network.inference._CELLS_AT_ONCE", 10)
    assert np.array_equal(walk(network, table), expected)


def test_thousands_of_attributes_do_not_underflow():
    n = 3000
    rng = np.random.default_rng(3)
    structure = naive_bayes_structure(n)
    variables = {name: variable(name, 2) for name in structure.nodes}
    network = with_random_tables(rng, structure, variables)
    table = random_rows(rng, network, 3, holes=0.2)
    assert (walk(network, table) < -750).all()  # exp of it is 0
    posterior = network.posterior(table, engine="graph")
    assert posterior.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-12)
    for codes, row in zip(table.codes, posterior, strict=True):
        # The log odds as a correctly rounded sum of the tables' own logs.
        terms = [math.log(p) for p in network.factors[CLASS].table]
        odds = [terms[1], -terms[0]]
        for name, code in zip(structure.attributes, codes, strict=True):
            if code >= 0:
                p = network.factors[name].table[:, code]
                odds += [math.log(p[1]), -math.log(p[0])]
        assert row[1] == pytest.approx(1 / (1 + math.exp(-math.fsum(odds))), abs=1e-10)


def test_a_sum_that_would_not_fit_is_refused_before_it_is_tried(monkeypatch):
    # Twelve missing parents of one child: a table of 2^12 cells and three classes.
    parents = tuple(variable(f"x{i}", 2) for i in range(12))
    child, y = variable("x99", 2), variable(CLASS, 3)
    rng = np.random.default_rng(0)
    network = BayesianNetwork(
        Structure.from_arcs(
            [CLASS, *(p.name for p in parents), "x99"],
            [(CLASS, "x99"), *((p.name, "x99") for p in parents)],
            CLASS,
        ),
        [
            random_cpd(rng, y, ()),
            *(random_cpd(rng, p, ()) for p in parents),
            random_cpd(rng, child, (y, *parents)),
        ],
    )
    hidden = table_of(network, [*[-1] * 12, 1])
    assert np.isfinite(walk(network, hidden)).all()
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 8 * 2**12)
    with pytest.raises(MemoryLimitError, match=r"summing out the missing cells .*'x0'"):
        walk(network, hidden)
    # Missing cells that nothing known hangs on need no sum, however many they are.
    for row in ([*[0] * 12, -1], [-1] * 13):
        assert np.isfinite(walk(network, table_of(network, row))).all()


# ---------------------------------------------------------------- another implementation


def test_variable_elimination_of_pgmpy_gives_the_same_posteriors():
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    rng = np.random.default_rng(8)
    network = random_network(rng, 5, density=0.5)
    model = DiscreteBayesianNetwork(network.graph.edges)
    model.add_nodes_from(network.structure.nodes)
    for name, factor in network.factors.items():
        values = factor.table.reshape(-1, factor.variable.card).T
        model.add_cpds(
            TabularCPD(
                name,
                factor.variable.card,
                values,
                [p.name for p in factor.parents],
                [p.card for p in factor.parents],
            )
        )
    assert model.check_model()
    elimination = VariableElimination(model)
    table = random_rows(rng, network, 6, holes=0.4)
    for row, posterior in zip(table.codes, network.posterior(table, engine="graph"), strict=True):
        pairs = zip(network.structure.attributes, row, strict=True)
        evidence = {name: int(code) for name, code in pairs if code >= 0}
        answer = elimination.query([CLASS], evidence, show_progress=False).values
        assert posterior == pytest.approx(answer, abs=1e-9)


# ---------------------------------------------------------------- log_sum_exp


def test_log_sum_exp_by_hand():
    logs = np.array([[math.log(0.25), math.log(0.5)], [-np.inf, -np.inf], [-np.inf, -2000.0]])
    expected = [math.log(0.75), -np.inf, -2000.0]
    assert log_sum_exp(logs, axis=1) == pytest.approx(expected, abs=1e-15)
    assert log_sum_exp(logs[:0], axis=1).shape == (0,)


@settings(deadline=None)
@given(SEEDS, st.integers(0, 2))
def test_log_sum_exp_is_scipys(seed, axis):
    rng = np.random.default_rng(seed)
    logs = rng.normal(-500, 300, (3, 4, 2))
    logs[rng.random(logs.shape) < 0.3] = -np.inf
    with np.errstate(divide="ignore"):
        expected = logsumexp(logs, axis=axis)
    assert log_sum_exp(logs, axis) == pytest.approx(expected, rel=1e-13)
