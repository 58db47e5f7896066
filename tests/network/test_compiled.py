"""The compiled engine held to the graph walk: every model, every kind of row, any threads."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from builders import (
    CLASS,
    every_row,
    naive_bayes_structure,
    random_cpd,
    random_network,
    random_rows,
    statistics_of,
    training_tables,
    variable,
    with_random_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import (
    BayesianNetwork,
    CategoricalCPD,
    EncodedTable,
    FactorError,
    GaussianCPD,
    KDBLearner,
    MEstimate,
    NaiveBayesLearner,
    NetworkEnsemble,
    SPODELearner,
    Structure,
    SuperparentSeen,
    TANLearner,
    Variable,
)
from bnclass.network import compiled

SEEDS = st.integers(0, 2**32)
LEARNERS = {
    "naive Bayes": NaiveBayesLearner(),
    "SPODE": SPODELearner(),
    "TAN": TANLearner(),
    "KDB 1": KDBLearner(1),
    "KDB 2": KDBLearner(2),
    "full": KDBLearner(None),
}


def check(model, table):
    """Hold the compiled numbers to the walk's at 1e-10, -inf included; no NaN anywhere."""
    walked = model.log_joint(table, engine="graph")
    found = model.log_joint(table)
    assert found.shape == walked.shape
    assert found.dtype == np.float64
    assert not np.isnan(found).any()
    impossible = np.isneginf(walked)
    assert np.array_equal(np.isneginf(found), impossible)
    assert found[~impossible] == pytest.approx(walked[~impossible], rel=1e-12, abs=1e-10)


def barren_rows(rng, network, n_rows):
    """Draw rows in which every child of a missing cell is missing too."""
    codes = random_rows(rng, network, n_rows).codes.copy()
    names = list(network.structure.attributes)
    for row in codes:
        for name in network.structure.topological_order:
            if name in names:
                parents = [p for p in network.structure.parents(name) if p in names]
                if any(row[names.index(p)] < 0 for p in parents) or rng.random() < 0.2:
                    row[names.index(name)] = -1
    return EncodedTable(network.attributes, codes)


def spode_networks(rng, n_attributes, zeros=0.0):
    """Return one SPODE with random tables for every attribute, over the same variables."""
    plain = naive_bayes_structure(n_attributes)
    variables = {name: variable(name, int(rng.integers(2, 4))) for name in plain.nodes}
    networks = []
    for j in plain.attributes:
        arcs = [*plain.arcs, *((j, i) for i in plain.attributes if i != j)]
        structure = Structure.from_arcs(plain.nodes, arcs, CLASS, (CLASS, j))
        networks.append(with_random_tables(rng, structure, variables, zeros))
    return networks, with_random_tables(rng, plain, variables)


def gated_ensemble(rng, n_attributes, zeros=0.0):
    """Return an ensemble of SPODEs, some of whose values were seen too seldom."""
    networks, fallback = spode_networks(rng, n_attributes, zeros)
    counts = tuple(rng.integers(0, 3, v.card).astype(float) for v in fallback.attributes)
    rule = SuperparentSeen(1, fallback.structure.attributes, counts)
    weights = rng.random(n_attributes) + 0.1
    return NetworkEnsemble(networks, weights, rule, fallback)


# ---------------------------------------------------------------- networks


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans())
def test_structures_of_any_shape(seed, n_attributes, holes, with_class):
    rng = np.random.default_rng(seed)
    network = random_network(rng, n_attributes, with_class=with_class, zeros=0.2, max_card=4)
    check(network, random_rows(rng, network, 20, holes))
    check(network, every_row(network))


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(1, 5))
def test_rows_whose_missing_cells_have_no_known_child(seed, n_attributes):
    rng = np.random.default_rng(seed)
    network = random_network(rng, n_attributes, zeros=0.2)
    check(network, barren_rows(rng, network, 20))


@settings(max_examples=40, deadline=None)
@given(training_tables(), st.sampled_from(sorted(LEARNERS)), st.sampled_from([0.0, 1.0]), SEEDS)
def test_learned_networks(table, learner, m, seed):
    statistics = statistics_of(table)
    structure = LEARNERS[learner].learn(statistics)
    network = BayesianNetwork.fit(structure, statistics, MEstimate(m))
    check(network, statistics.table)
    check(network, random_rows(np.random.default_rng(seed), network, 15, holes=0.3))


def test_a_class_of_one_state_and_attributes_of_one_state():
    rng = np.random.default_rng(0)
    structure = naive_bayes_structure(3).with_edge("x0", "x1")
    variables = {n: variable(n, 1) for n in structure.nodes}
    network = with_random_tables(rng, structure, variables)
    table = random_rows(rng, network, 5, holes=0.4)
    check(network, table)
    assert network.log_joint(table).tolist() == [[0.0]] * 5


def test_every_class_impossible():
    one, y = variable("x0", 2), variable(CLASS, 2)
    network = BayesianNetwork(
        naive_bayes_structure(1),
        [CategoricalCPD(y, (), [0.25, 0.75]), CategoricalCPD(one, (y,), [[1, 0], [1, 0]])],
    )
    table = EncodedTable((one,), np.array([[1], [0], [-1]], dtype=np.int32))
    check(network, table)
    assert np.isneginf(network.log_joint(table)[0]).all()
    assert network.posterior(table) == pytest.approx(np.tile([0.25, 0.75], (3, 1)), abs=1e-15)


@pytest.mark.parametrize("n_rows", [0, 1, 2, 255, 256, 257, 4095, 4096, 4097, 10_000])
@pytest.mark.parametrize("holes", [0.0, 0.1])
def test_any_number_of_rows(n_rows, holes):
    rng = np.random.default_rng(n_rows)
    network = random_network(np.random.default_rng(5), 4)
    check(network, random_rows(rng, network, n_rows, holes))
    check(gated_ensemble(np.random.default_rng(6), 3), random_rows_of_gated(rng, n_rows, holes))


def random_rows_of_gated(rng, n_rows, holes):
    return random_rows(rng, gated_ensemble(np.random.default_rng(6), 3), n_rows, holes)


def test_rows_in_any_memory_layout():
    rng = np.random.default_rng(1)
    network = random_network(rng, 5)
    table = random_rows(rng, network, 300, holes=0.05)
    expected = network.log_joint(table)
    for codes in (
        np.asfortranarray(table.codes),
        np.repeat(table.codes, 2, axis=0)[::2],
        table.codes.astype(np.int64),
        table.codes.astype(np.int8),
    ):
        assert np.array_equal(network.log_joint(EncodedTable(table.variables, codes)), expected)


def test_many_states_and_many_classes():
    rng = np.random.default_rng(2)
    structure = naive_bayes_structure(3).with_edge("x0", "x1").with_edge("x1", "x2")
    variables = {
        n: variable(n, card) for n, card in zip(structure.nodes, (9, 60, 50, 1), strict=True)
    }
    network = with_random_tables(rng, structure, variables)
    check(network, random_rows(rng, network, 500, holes=0.1))


def test_thousands_of_attributes():
    rng = np.random.default_rng(3)
    structure = naive_bayes_structure(2500)
    network = with_random_tables(rng, structure, {n: variable(n, 2) for n in structure.nodes})
    table = random_rows(rng, network, 20, holes=0.1)
    walked = network.log_joint(table, engine="graph")
    assert network.log_joint(table) == pytest.approx(walked, rel=1e-13)
    assert network.posterior(table).sum(axis=1) == pytest.approx(np.ones(20), abs=1e-12)


class Mirror:
    """A factor of another kind: it follows the protocol by asking a table."""

    def __init__(self, cpd):
        self.cpd = cpd
        self.variable, self.parents, self.n_parameters = cpd.variable, cpd.parents, 0

    def log_prob(self, codes):
        return self.cpd.log_prob(codes)

    def sample(self, codes, rng):
        return self.cpd.sample(codes, rng)

    def describe(self):
        return self.cpd.describe()

    def __repr__(self):
        return f"Mirror({self.variable.name!r})"


def test_the_walk_takes_any_factor_and_the_kernel_tables_only():
    rng = np.random.default_rng(0)
    network = random_network(rng, 3)
    mirrored = BayesianNetwork(network.structure, map(Mirror, network.factors.values()))
    table = random_rows(rng, network, 10, holes=0.3)
    expected = network.log_joint(table, engine="graph")
    assert np.array_equal(mirrored.log_joint(table, engine="graph"), expected)
    with pytest.raises(FactorError, match=r"Mirror\('class'\): the compiled kernel serves tables"):
        mirrored.log_joint(table)


def test_the_walk_of_an_ensemble_leaves_the_kernel_alone():
    rng = np.random.default_rng(1)
    networks, fallback = spode_networks(rng, 2)
    never = SuperparentSeen(5, ("x0", "x1"), [np.zeros(v.card) for v in fallback.attributes])
    mirrored = BayesianNetwork(fallback.structure, map(Mirror, fallback.factors.values()))
    ensemble = NetworkEnsemble(networks, membership=never, fallback=mirrored)
    table = random_rows(rng, ensemble, 10, holes=0.3)
    expected = fallback.log_joint(table, engine="graph")
    assert np.array_equal(ensemble.log_joint(table, engine="graph"), expected)


# ---------------------------------------------------------------- which rows it may serve


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(1, 9), st.sampled_from([0.1, 0.4, 0.8]))
def test_no_row_of_states_is_left_to_the_walk(seed, n_attributes, holes):
    rng = np.random.default_rng(seed)
    network = random_network(rng, n_attributes, zeros=0.1)
    table = random_rows(rng, network, 30, holes)
    check(network, table)
    assert not network._compiled.log_mean(table)[1].any()


def test_parents_of_too_many_configurations_are_left_to_the_walk():
    rng = np.random.default_rng(3)
    names = [f"x{i}" for i in range(15)]
    arcs = [(CLASS, n) for n in names] + [(n, "x14") for n in names[:-1]]
    structure = Structure.from_arcs([CLASS, *names], arcs, CLASS)
    network = with_random_tables(rng, structure, {n: variable(n, 2) for n in structure.nodes})
    codes = np.zeros((2, 15), np.int32)
    codes[0, :14] = -1  # one parent may be summed over; 2^13 configurations of the others
    codes[1, :13] = -1  # 2^12
    table = EncodedTable(network.attributes, codes)
    check(network, table)
    assert network._compiled.log_mean(table)[1].tolist() == [True, False]


def test_a_chain_of_missing_states_by_hand():
    # P(b=1) = Σ_a P(a) P(b=1|a) = ¼·½ + ¾·⅛, then Σ_b P(b) P(c=0|b).
    a, b, c = (variable(n, 2) for n in "abc")
    structure = Structure.from_arcs("abc", [("a", "b"), ("b", "c")])
    network = BayesianNetwork(
        structure,
        [
            CategoricalCPD(a, (), [1 / 4, 3 / 4]),
            CategoricalCPD(b, (a,), [[1 / 2, 1 / 2], [7 / 8, 1 / 8]]),
            CategoricalCPD(c, (b,), [[0.3, 0.7], [0.9, 0.1]]),
        ],
    )
    one = 1 / 8 + 3 / 32
    table = EncodedTable((a, b, c), np.array([[-1, -1, 0]], np.int32))
    found = np.exp(network.log_joint(table)[0, 0])
    assert found == pytest.approx((1 - one) * 0.3 + one * 0.9, abs=1e-15)


# ---------------------------------------------------------------- ensembles


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(1, 4), st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.4]))
def test_gated_ensembles(seed, n_attributes, holes, zeros):
    rng = np.random.default_rng(seed)
    ensemble = gated_ensemble(rng, n_attributes, zeros)
    check(ensemble, random_rows(rng, ensemble, 25, holes))


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 4), st.sampled_from([0.0, 0.3]))
def test_ensembles_of_different_graphs_that_all_serve(seed, n_attributes, holes):
    rng = np.random.default_rng(seed)
    first = random_network(rng, n_attributes, zeros=0.2)
    variables = {name: factor.variable for name, factor in first.factors.items()}
    others = []
    for _ in range(3):
        shape = random_network(rng, n_attributes).structure
        others.append(with_random_tables(rng, shape, variables, zeros=0.2))
    ensemble = NetworkEnsemble([first, *others], rng.random(4) + 0.01)
    check(ensemble, random_rows(rng, ensemble, 20, holes))


def test_an_ensemble_without_a_class():
    rng = np.random.default_rng(4)
    first = random_network(rng, 3, with_class=False)
    variables = {name: factor.variable for name, factor in first.factors.items()}
    shape = random_network(rng, 3, with_class=False).structure
    ensemble = NetworkEnsemble([first, with_random_tables(rng, shape, variables)], [1, 3])
    table = random_rows(rng, ensemble, 20, holes=0.3)
    check(ensemble, table)
    assert ensemble.log_joint(table).shape == (20, 1)


# ---------------------------------------------------------------- threads


@pytest.mark.parametrize("n_threads", [1, 2, 3, 16, None])
def test_any_number_of_threads_gives_the_same_bits(n_threads, monkeypatch):
    rng = np.random.default_rng(7)
    network = random_network(rng, 5)
    ensemble = gated_ensemble(rng, 3)
    tables = [random_rows(rng, model, 20_000, holes=0.02) for model in (network, ensemble)]
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    expected = [m.log_joint(t) for m, t in zip((network, ensemble), tables, strict=True)]
    monkeypatch.setattr(os, "cpu_count", lambda: n_threads)
    for model, table, numbers in zip((network, ensemble), tables, expected, strict=True):
        assert np.array_equal(model.log_joint(table), numbers)


def test_the_size_of_a_block_changes_no_bit(monkeypatch):
    rng = np.random.default_rng(8)
    ensemble = gated_ensemble(rng, 3)
    table = random_rows(rng, ensemble, 1000, holes=0.1)
    expected = ensemble.log_joint(table)
    for rows in (1, 7, 999, 1000, 5000):
        monkeypatch.setattr(compiled, "_ROWS_A_BLOCK", rows)
        assert np.array_equal(ensemble.log_joint(table), expected)


def test_a_row_alone_and_among_others_has_the_same_numbers():
    rng = np.random.default_rng(9)
    ensemble = gated_ensemble(rng, 3, zeros=0.2)
    table = random_rows(rng, ensemble, 300, holes=0.2)
    together = ensemble.log_joint(table)
    for r in range(0, 300, 7):
        assert np.array_equal(ensemble.log_joint(table.rows(slice(r, r + 1)))[0], together[r])


def test_many_threads_may_ask_one_fresh_model_at_once():
    rng = np.random.default_rng(10)
    model, twin = (gated_ensemble(np.random.default_rng(11), 4) for _ in range(2))
    tables = [random_rows(rng, model, n, holes=0.05) for n in (1, 50, 5000, 9000) * 4]
    expected = [twin.log_joint(table) for table in tables]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(model.log_joint, tables))
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


def test_prediction_leaves_the_codes_alone():
    rng = np.random.default_rng(12)
    network = random_network(rng, 4)
    table = random_rows(rng, network, 5000, holes=0.1)
    table.codes.setflags(write=False)
    before = table.codes.copy()
    network.log_joint(table)
    assert np.array_equal(table.codes, before)


def test_results_belong_to_the_caller():
    rng = np.random.default_rng(13)
    network = random_network(rng, 3)
    table = random_rows(rng, network, 4)
    first = network.log_joint(table)
    kept = first.copy()
    first[:] = 0.0
    assert np.array_equal(network.log_joint(table), kept)


def test_factors_shared_by_members_are_compiled_for_each():
    a, y = variable("x0", 2), variable(CLASS, 2)
    rng = np.random.default_rng(14)
    shared = random_cpd(rng, y, ())
    networks = [
        BayesianNetwork(naive_bayes_structure(1), [shared, random_cpd(rng, a, (y,))])
        for _ in range(2)
    ]
    table = EncodedTable((a,), np.array([[0], [1], [-1]], dtype=np.int32))
    ensemble = NetworkEnsemble(networks)
    mean = sum(np.exp(n.log_joint(table)) for n in networks) / 2
    assert np.exp(ensemble.log_joint(table)) == pytest.approx(mean, abs=1e-15)


def test_a_variance_near_the_largest_double():
    x = Variable("x", kind="continuous")
    network = BayesianNetwork(Structure.from_arcs(["x"], []), [GaussianCPD(x, (), 0.0, 1e308)])
    table = EncodedTable((x,), np.zeros((2, 1), np.int32), numbers=np.array([[0.0], [1e100]]))
    found = network.log_joint(table)
    assert found[:, 0] == pytest.approx([-0.5 * (np.log(2 * np.pi) + 308 * np.log(10))] * 2)
    check(network, table)
