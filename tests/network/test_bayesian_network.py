"""`BayesianNetwork`: construction, fitting, log-probabilities, sampling, inspection."""

import copy
import math
import pickle

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from builders import (
    enumerated_joint,
    every_row,
    random_network,
    random_rows,
    statistics_from,
    statistics_of,
    training_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import posteriors, structures
from oracle import smoothing as oracle
from scipy.stats import chisquare

from bnclass import (
    TAN,
    BayesianNetwork,
    BDeu,
    BnclassError,
    CategoricalCPD,
    DataError,
    EncodedTable,
    KDBLearner,
    Laplace,
    MemoryLimitError,
    MEstimate,
    NaiveBayesLearner,
    SPODELearner,
    Structure,
    StructureError,
    TANLearner,
    Variable,
    load_dataset,
)

Y = Variable("class", states=("n", "y"))
A = Variable("a", states=("u", "v"))
B = Variable("b", states=("p", "q", "r"))

P_Y = CategoricalCPD(Y, (), [0.25, 0.75])
P_A = CategoricalCPD(A, (Y,), [[0.5, 0.5], [0.2, 0.8]])
P_B = CategoricalCPD(
    B, (Y, A), [[[0.1, 0.3, 0.6], [0.25, 0.25, 0.5]], [[0.0, 0.5, 0.5], [0.2, 0.4, 0.4]]]
)
ARCS = [("class", "a"), ("class", "b"), ("a", "b")]
STRUCTURE = Structure.from_arcs(["class", "a", "b"], ARCS, "class")

LEARNERS = [
    (NaiveBayesLearner(), structures.naive_bayes),
    (TANLearner(), structures.tan),
    (KDBLearner(1), lambda table: structures.kdb(table, 1)),
    (KDBLearner(None), lambda table: structures.kdb(table, None)),
]
SMOOTHINGS = [
    (MEstimate(1.0), oracle.MEstimate(1)),
    (MEstimate(0.0), oracle.MEstimate(0)),
    (Laplace(0.5), oracle.Laplace(0.5)),
    (BDeu(2.0), oracle.BDeu(2)),
]


def small():
    return BayesianNetwork(STRUCTURE, [P_Y, P_A, P_B])


def rows(a, b, labels=None, weights=None):
    """Return encoded rows of the small network."""
    codes = np.array([a, b], dtype=np.int32).T.reshape(len(a), 2)
    target = None if labels is None else Y
    labels = None if labels is None else np.array(labels, dtype=np.int32)
    weights = None if weights is None else np.array(weights, dtype=np.float64)
    return EncodedTable((A, B), codes, target, labels, weights)


# ---------------------------------------------------------------- construction


def test_a_network_by_hand():
    network = small()
    assert repr(network) == "BayesianNetwork(class_node='class', nodes=3, arcs=3, parameters=11)"
    assert network.n_parameters == 1 + 2 + 8
    assert network.attributes == (A, B)
    assert network.target == Y
    assert network.graph is STRUCTURE.graph
    assert list(network.factors) == ["class", "a", "b"]
    found = np.exp(network.log_joint({"a": ["u", "v"], "b": ["q", "p"]}))
    expected = [[0.25 * 0.5 * 0.3, 0.75 * 0.2 * 0.5], [0.25 * 0.5 * 0.25, 0.75 * 0.8 * 0.2]]
    assert found == pytest.approx(np.array(expected), abs=1e-15)
    posterior = network.posterior({"a": ["u"], "b": ["q"]})
    assert posterior == pytest.approx(np.array([[0.0375, 0.075]]) / 0.1125, abs=1e-15)


def test_factors_may_come_in_any_order_and_from_any_iterable():
    assert BayesianNetwork(STRUCTURE, iter([P_B, P_A, P_Y])) == small()


@pytest.mark.parametrize(
    ("factors", "message"),
    [
        ([P_Y, P_A], "node 'b' has no factor, expected one"),
        ([], "node 'class' has no factor"),
        ([P_Y, P_A, P_B, P_A], "node 'a' has more than one factor, expected one"),
        (
            [P_Y, P_A, P_B, CategoricalCPD(Variable("c", states=(0,)), (), [1.0])],
            "factor of 'c', which is no node of the structure",
        ),
        (
            [P_Y, P_A, CategoricalCPD(B, (A, Y), np.swapaxes(P_B.table, 0, 1))],
            r"node 'b': factor with parents \('a', 'class'\), expected \('class', 'a'\)",
        ),
        (
            [P_Y, CategoricalCPD(A, (), [0.5, 0.5]), P_B],
            r"node 'a': factor with parents \(\), expected \('class',\)",
        ),
        (
            [P_Y, CategoricalCPD(A, (Variable("class", states=("n", "other")),), P_A.table), P_B],
            "node 'a': its parent 'class' differs from the node of that name",
        ),
    ],
)
def test_factors_that_do_not_fit_are_refused(factors, message):
    with pytest.raises(StructureError, match=message):
        BayesianNetwork(STRUCTURE, factors)


def test_a_network_needs_a_node():
    with pytest.raises(StructureError, match="a structure without nodes, expected at least one"):
        BayesianNetwork(Structure(nx.DiGraph()), [])


def test_the_class_alone_is_a_network():
    network = BayesianNetwork(Structure.from_arcs(["class"], [], "class"), [P_Y])
    nothing = EncodedTable((), np.empty((2, 0), dtype=np.int32))
    for engine in ("compiled", "graph"):
        assert network.posterior(nothing, engine=engine) == pytest.approx(
            np.array([[0.25, 0.75], [0.25, 0.75]]), abs=1e-15
        )
    assert list(network.sample(3, 0).columns) == ["class"]


# ---------------------------------------------------------------- fitting


@settings(deadline=None)
@given(training_tables(), st.sampled_from(LEARNERS), st.sampled_from(SMOOTHINGS))
def test_fit_and_joint_are_the_oracles(table, learner, smoothing):
    statistics = statistics_of(table)
    network = BayesianNetwork.fit(learner[0].learn(statistics), statistics, smoothing[0])
    reference = posteriors.Network(table, learner[1](table), smoothing[1])
    found = np.exp(network.log_joint(statistics.table))
    for row, joint in zip(table.rows, found, strict=True):
        expected = [float(p) for p in posteriors.joint(reference, row).values()]
        assert joint == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(training_tables(), st.sampled_from(SMOOTHINGS), st.data())
def test_fit_of_a_joint_family_is_the_oracles(table, smoothing, data):
    j = data.draw(st.integers(0, table.n - 1))
    statistics = statistics_of(table)
    structure = SPODELearner(f"x{j}").learn(statistics)
    network = BayesianNetwork.fit(structure, statistics, smoothing[0])
    reference = posteriors.spode_network(table, smoothing[1], j)
    found = np.exp(network.log_joint(statistics.table))
    for row, joint in zip(table.rows, found, strict=True):
        expected = [float(p) for p in posteriors.joint(reference, row).values()]
        assert joint == pytest.approx(expected, abs=1e-12)
    untagged = Structure.from_arcs(structure.nodes, structure.arcs, "class")
    apart = BayesianNetwork.fit(untagged, statistics, smoothing[0])
    prior = [float(oracle.class_prior(table, smoothing[1], y)) for y in table.classes]
    assert apart.factors["class"].table == pytest.approx(prior, abs=1e-12)


@settings(deadline=None)
@given(training_tables(min_attributes=2, max_attributes=3), st.sampled_from(SMOOTHINGS))
def test_fit_where_the_class_has_parents(table, smoothing):
    # x0 -> class -> x1, and x0 -> x1: no table but the class's knows all rows of x0.
    arcs = [("x0", "class"), ("class", "x1"), ("x0", "x1")]
    names = [f"x{i}" for i in range(table.n)]
    network = BayesianNetwork.fit(
        Structure.from_arcs(["class", *names], arcs, "class"), statistics_of(table), smoothing[0]
    )
    counts = {}
    for row, label in zip(table.rows, table.labels, strict=True):
        if row[0] is not None:
            counts[row[0], label] = counts.get((row[0], label), 0) + 1
    cpd = network.factors["class"]
    k = len(table.classes)
    for code, x in enumerate(table.domains[0]):
        total = sum(counts.get((x, y), 0) for y in table.classes)
        expected = [
            float(smoothing[1].conditional(counts.get((x, y), 0), total, k, len(table.domains[0])))
            for y in table.classes
        ]
        assert cpd.table[code] == pytest.approx(expected, abs=1e-12)


def test_fit_names_a_node_that_was_not_counted():
    structure = Structure.from_arcs(["class", "z"], [("class", "z")], "class")
    with pytest.raises(DataError, match="unknown variable 'z'"):
        BayesianNetwork.fit(structure, statistics_from(["uv"], "KL"))


# ---------------------------------------------------------------- rows of any kind


def test_rows_of_any_kind_give_the_same_numbers():
    network = small()
    expected = network.log_joint(rows([0, 1, -1], [1, 2, 0]))
    columns = {"a": ["u", "v", None], "b": ["q", "r", "p"]}
    frame = pd.DataFrame(columns)
    for data in (
        columns,
        frame,
        frame[["b", "a"]].assign(other=1.5),
        frame.astype("category"),
        pl.DataFrame(columns),
    ):
        assert np.array_equal(network.log_joint(data), expected)


def test_an_array_is_read_by_position():
    x0, x1 = Variable("x0", states=("u", "v")), Variable("x1", states=("p", "q"))
    network = BayesianNetwork(
        Structure.from_arcs(["x0", "x1"], [("x0", "x1")]),
        [CategoricalCPD(x0, (), [0.5, 0.5]), CategoricalCPD(x1, (x0,), [[0.1, 0.9], [0.6, 0.4]])],
    )
    found = network.log_prob(np.array([["u", "q"], ["v", "p"]], dtype=object))
    assert np.exp(found) == pytest.approx([0.45, 0.3], abs=1e-15)


def test_encoded_columns_may_come_in_another_order_and_with_others():
    network = small()
    expected = network.log_joint(rows([0, 1], [1, 2]))
    other = Variable("other", states=(0, 1))
    codes = np.array([[1, 1, 0], [2, 0, 1]], dtype=np.int32)
    assert np.array_equal(network.log_joint(EncodedTable((B, other, A), codes)), expected)


def test_an_unknown_value_counts_as_missing():
    network = small()
    unknown = network.log_joint({"a": ["z", "u"], "b": ["q", "z"]})
    assert np.array_equal(unknown, network.log_joint({"a": [None, "u"], "b": ["q", None]}))


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(DataError, match=r"no column 'b' in the table, found \['a'\]"):
        small().log_joint(pd.DataFrame({"a": ["u"]}))
    with pytest.raises(DataError, match=r"no column 'b' in the table, found \['a'\]"):
        small().log_joint(EncodedTable((A,), np.array([[0]], dtype=np.int32)))


def test_codes_of_other_states_are_refused():
    turned = Variable("a", states=("v", "u"))
    table = EncodedTable((turned, B), np.zeros((1, 2), dtype=np.int32))
    with pytest.raises(DataError, match=r"'a' is encoded under the states \('v', 'u'\), expected"):
        small().log_joint(table)


def test_labels_of_another_class_are_refused():
    other = Variable("class", states=("y", "n"))
    codes = np.zeros((1, 2), dtype=np.int32)
    table = EncodedTable((A, B), codes, other, np.zeros(1, dtype=np.int32))
    with pytest.raises(DataError, match="the table's labels are of Variable"):
        small().log_prob(table)
    assert small().posterior(table).shape == (1, 2)  # asks for no label


def test_an_engine_is_compiled_or_graph():
    with pytest.raises(DataError, match="engine is 'fast', expected 'compiled' or 'graph'"):
        small().log_joint(rows([0], [0]), engine="fast")


# ---------------------------------------------------------------- log-probabilities


def test_log_prob_with_the_class_known_unknown_and_missing():
    network = small()
    joint = np.exp(network.log_joint(rows([0, 0, 0], [1, 1, 1])))
    expected = [joint[0, 0], joint[1, 1], joint[2].sum()]
    assert np.exp(network.log_prob(rows([0] * 3, [1] * 3, [0, 1, -1]))) == pytest.approx(expected)
    columns = {"a": ["u"] * 3, "b": ["q"] * 3, "class": ["n", "y", None]}
    for data in (columns, pd.DataFrame(columns), pl.DataFrame(columns)):
        assert np.exp(network.log_prob(data)) == pytest.approx(expected, abs=1e-15)
    assert np.exp(network.log_prob(rows([0], [1]))) == pytest.approx([joint[0].sum()], abs=1e-15)


def test_log_prob_sums_missing_cells_out():
    found = np.exp(small().log_prob(rows([-1, 0, -1], [1, -1, -1], [0, 1, -1])))
    expected = [0.25 * (0.5 * 0.3 + 0.5 * 0.25), 0.75 * 0.2, 1.0]
    assert found == pytest.approx(expected, abs=1e-15)


def test_log_prob_of_the_impossible():
    assert small().log_prob(rows([0], [0], [1])).tolist() == [-np.inf]


def test_log_prob_without_a_class_node_takes_no_notice_of_labels():
    network = BayesianNetwork(Structure.from_arcs(["a"], []), [CategoricalCPD(A, (), [0.25, 0.75])])
    codes = np.array([[1], [0]], dtype=np.int32)
    table = EncodedTable((A,), codes, Y, np.array([1, -1], dtype=np.int32))
    assert np.exp(network.log_prob(table)) == pytest.approx([0.75, 0.25], abs=1e-15)
    assert network.log_joint(table).shape == (2, 1)
    with pytest.raises(StructureError, match="no class node, expected one for a posterior"):
        network.posterior(table)


def test_log_likelihood_and_bic_by_hand():
    table = rows([0, 1, 1], [1, 0, 2], [0, 1, -1], [2.0, 1.0, 0.5])
    network = small()
    third = 0.25 * 0.5 * 0.5 + 0.75 * 0.8 * 0.4
    expected = 2 * math.log(0.0375) + math.log(0.12) + 0.5 * math.log(third)
    assert network.log_likelihood(table) == pytest.approx(expected, abs=1e-12)
    assert network.bic(table) == pytest.approx(expected - 0.5 * math.log(3.5) * 11, abs=1e-12)


def test_without_rows_there_is_a_likelihood_but_no_bic():
    empty = rows([], [])
    assert small().log_joint(empty).shape == (0, 2)
    assert small().posterior(empty).shape == (0, 2)
    assert small().log_likelihood(empty) == 0.0
    with pytest.raises(DataError, match="a table of no rows has no BIC"):
        small().bic(empty)


def test_the_fitted_network_has_the_largest_likelihood_without_smoothing():
    statistics = statistics_from(["uuvvuvuvvu", "pqpqqqppqp", "kllkkllllk"], "KLKLLKKLKL")
    structure = TANLearner().learn(statistics)
    best = BayesianNetwork.fit(structure, statistics, MEstimate(0.0))
    for smoothing in (MEstimate(1.0), Laplace(1.0), BDeu(5.0)):
        other = BayesianNetwork.fit(structure, statistics, smoothing)
        found = other.log_likelihood(statistics.table)
        assert found < best.log_likelihood(statistics.table)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_all_joint_probabilities_sum_to_one(seed, with_class):
    rng = np.random.default_rng(seed)
    network = random_network(rng, 4, with_class=with_class, zeros=0.2)
    joint = np.exp(network.log_joint(every_row(network)))
    assert joint.sum() == pytest.approx(1, abs=1e-12)


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_posteriors_are_distributions_even_where_every_class_is_impossible(seed):
    rng = np.random.default_rng(seed)
    network = random_network(rng, 3, zeros=0.6)
    table = random_rows(rng, network, 20, holes=0.3)
    posterior = network.posterior(table)
    assert (posterior >= 0).all()
    assert posterior.sum(axis=1) == pytest.approx(np.ones(20), abs=1e-12)
    impossible = np.isneginf(network.log_joint(table)).all(axis=1)
    prior = enumerated_joint(network, [-1, -1, -1])
    for row in posterior[impossible]:
        assert row == pytest.approx(prior, abs=1e-12)


# ---------------------------------------------------------------- sampling


def test_sample_is_reproducible():
    network = small()
    one = network.sample(40, 5)
    pd.testing.assert_frame_equal(one, network.sample(40, 5))
    pd.testing.assert_frame_equal(one, network.sample(40, np.random.default_rng(5)))
    assert not one.equals(network.sample(40, 6))


def test_sample_has_the_declared_states_and_the_class_last():
    frame = small().sample(30, 0)
    assert frame.columns.tolist() == ["a", "b", "class"]
    assert frame["b"].cat.categories.tolist() == ["p", "q", "r"]
    assert frame["class"].cat.categories.tolist() == ["n", "y"]
    assert not frame.isna().any(axis=None)


def test_sample_has_the_right_frequencies():
    frame = small().sample(100_000, 11)
    found, expected = [], []
    joint = np.exp(small().log_joint(every_row(small())))
    for (a, b), row in zip(every_row(small()).codes, joint, strict=True):
        for y, p in enumerate(row):
            hit = (
                (frame["a"] == A.states[a])
                & (frame["b"] == B.states[b])
                & (frame["class"] == Y.states[y])
            )
            found.append(hit.sum())
            expected.append(p * len(frame))
    found, expected = np.array(found), np.array(expected)
    assert found[expected == 0].tolist() == [0]  # P(p | y, u) = 0
    assert chisquare(found[expected > 0], expected[expected > 0]).pvalue > 1e-3


def test_sample_where_children_come_before_their_parents_among_the_columns():
    copy_of_b = CategoricalCPD(A, (B,), [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    network = BayesianNetwork(
        Structure.from_arcs(["a", "b"], [("b", "a")]),
        [copy_of_b, CategoricalCPD(B, (), [0.5, 0.25, 0.25])],
    )
    frame = network.sample(200, 1)
    assert frame.columns.tolist() == ["a", "b"]
    assert ((frame["a"] == "u") == (frame["b"] == "p")).all()


def test_sampled_rows_can_be_read_again():
    model = TAN().fit(*load_dataset("iris"))  # states are bins such as "(2.45, 4.75]"
    frame = model.network_.sample(25, 3)
    assert np.isfinite(model.network_.log_prob(frame)).all()
    codes = [frame[v.name].cat.codes.to_numpy() for v in model.network_.attributes]
    assert np.array_equal(model.network_.encode(frame).codes, np.array(codes).T)


def test_states_of_any_type_come_back_from_sampling():
    number = Variable("number", states=(1, 2))
    truth = Variable("truth", states=(False, True))
    pair = Variable("pair", states=((1, 2), (3, 4)))
    variables = (number, truth, pair)
    network = BayesianNetwork(
        Structure.from_arcs([v.name for v in variables], []),
        [CategoricalCPD(v, (), [0.5, 0.5]) for v in variables],
    )
    frame = network.sample(20, 0)
    for v in variables:
        assert tuple(frame[v.name].cat.categories.tolist()) == v.states


def test_no_rows_are_a_sample_too():
    assert small().sample(0).shape == (0, 3)
    assert small().sample(np.int64(2), 0).shape == (2, 3)


@pytest.mark.parametrize("n", [-1, 2.5, "3", True, None])
def test_the_number_of_rows_must_be_whole_and_not_negative(n):
    with pytest.raises(BnclassError, match="expected a whole number of rows, at least 0"):
        small().sample(n)


# ---------------------------------------------------------------- inspection


def test_arcs_with_and_without_scores():
    structure = Structure.from_arcs(["class", "a", "b"], {ARCS[0]: 0.5, ARCS[1]: 0.0}, "class")
    network = BayesianNetwork(structure.with_edge("a", "b"), [P_Y, P_A, P_B])
    frame = network.arcs()
    assert frame.columns.tolist() == ["from", "to", "score"]
    assert frame["from"].tolist() == ["class", "class", "a"]
    assert frame["to"].tolist() == ["a", "b", "b"]
    assert frame["score"].tolist()[:2] == [0.5, 0.0]
    assert np.isnan(frame["score"][2])
    assert frame["score"].dtype == np.float64


def test_arcs_of_a_network_without_arcs():
    network = BayesianNetwork(Structure.from_arcs(["class"], [], "class"), [P_Y])
    assert network.arcs().shape == (0, 3)
    assert network.arcs()["score"].dtype == np.float64


def test_markov_blanket_and_describe():
    network = small()
    assert network.markov_blanket("class") == {"a", "b"}
    frame = network.describe("a")
    assert frame.loc["y", "v"] == 0.8
    for method in (network.markov_blanket, network.describe):
        with pytest.raises(StructureError, match="no node 'z', expected one of"):
            method("z")


def test_to_networkx_is_an_editable_annotated_copy():
    graph = small().to_networkx()
    assert graph.nodes["b"] == {"kind": "discrete", "states": ("p", "q", "r")}
    assert set(graph.edges) == set(ARCS)
    graph.add_edge("b", "c")
    assert small().graph.number_of_nodes() == 3
    assert dict(small().graph.nodes["b"]) == {}


# ---------------------------------------------------------------- equality and immutability


def test_equality_is_of_structure_and_factors():
    network = small()
    assert network == small()
    assert network != BayesianNetwork(STRUCTURE, [CategoricalCPD(Y, (), [0.75, 0.25]), P_A, P_B])
    free = Structure.from_arcs(["class", "a", "b"], ARCS)
    assert network != BayesianNetwork(free, [P_Y, P_A, P_B])
    assert network != STRUCTURE
    with pytest.raises(TypeError, match="unhashable"):
        hash(network)


@pytest.mark.parametrize("how", ["pickle", "deepcopy", "copy"])
def test_copies_are_equal_and_locked(how):
    network = small()
    expected = network.log_joint(rows([0, 1, -1], [1, 2, 0]))  # compiled before the copy
    other = {
        "pickle": lambda: pickle.loads(pickle.dumps(network)),
        "deepcopy": lambda: copy.deepcopy(network),
        "copy": lambda: copy.copy(network),
    }[how]()
    assert other == network
    assert np.array_equal(other.log_joint(rows([0, 1, -1], [1, 2, 0])), expected)
    assert nx.is_frozen(other.graph)
    for factor in other.factors.values():
        for array in (factor.table, factor.log_table):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0.5
    with pytest.raises(TypeError):
        other.factors["a"] = P_B
    with pytest.raises(AttributeError, match="a BayesianNetwork never changes; cannot set 'struc"):
        other.structure = STRUCTURE


def test_a_pickle_holds_no_compiled_arrays():
    fresh, used = small(), small()
    used.posterior(rows([0], [0]))
    assert len(pickle.dumps(used)) == len(pickle.dumps(fresh))


@pytest.mark.parametrize("seed", ["abc", -1, 1.5, object()])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(DataError, match=r"random_state is .*, expected a seed"):
        small().sample(2, random_state=seed)


@pytest.mark.parametrize("n", [10**12, 10**20])
def test_more_rows_than_memory_are_refused(n):
    with pytest.raises(MemoryLimitError, match=f"{n} rows of 3 nodes would need"):
        small().sample(n)
