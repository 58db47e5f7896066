"""Networks of sparse tables: the same numbers as dense ones, in memory that grows with the rows."""

import tracemalloc

import numpy as np
import pytest
from builders import (
    CLASS,
    enumerated_joint,
    random_network,
    random_rows,
    statistics_of,
    training_tables,
    variable,
    with_random_tables,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from sparse_networks import always_sparse, densely, many_levels, sparsely

from bnclass import (
    AODE,
    KDB,
    KST,
    BayesianNetwork,
    BDeu,
    CategoricalCPD,
    EncodedTable,
    KDBLearner,
    Laplace,
    MemoryLimitError,
    MEstimate,
    NetworkEnsemble,
    SparseCategoricalCPD,
    Structure,
    SufficientStatistics,
    TableEncoder,
)
from bnclass.data import memory
from bnclass.network import plan
from bnclass.statistics import configurations

SEEDS = st.integers(0, 2**32)
AVERAGES = st.sampled_from(["joint", "posterior"])


def sparse_nodes(network):
    return [n for n, f in network.factors.items() if isinstance(f, SparseCategoricalCPD)]


def check(model, twin, table):
    """Hold both engines of a model to a twin's, bit by bit, but for the kernel's missing states.

    It leaves those of sparse tables to the walk, which sums in another order.
    """
    check_alike(*(m.log_joint(table, engine="graph") for m in (model, twin)), True)
    complete = (table.codes >= 0).all(axis=1)
    check_alike(*(m.log_joint(table) for m in (model, twin)), complete)


def check_alike(ours, theirs, exactly):
    assert np.array_equal(ours[exactly], theirs[exactly])
    possible = ~np.isneginf(theirs)
    assert np.array_equal(~np.isneginf(ours), possible)
    assert ours[possible] == pytest.approx(theirs[possible], rel=1e-12, abs=1e-10)


# ---------------------------------------------------------------- the same numbers


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.integers(1, 5), st.sampled_from([0.0, 0.2, 0.6]), st.booleans())
def test_structures_of_any_shape(seed, n_attributes, holes, with_class):
    rng = np.random.default_rng(seed)
    plain = random_network(rng, n_attributes, with_class=with_class, max_card=4)
    network = sparsely(rng, plain, zeros=0.2)
    check(network, densely(network), random_rows(rng, network, 20, holes))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_missing_cells_are_summed_out(seed):
    rng = np.random.default_rng(seed)
    network = sparsely(rng, random_network(rng, 4, max_card=3, density=0.7))
    table = random_rows(rng, network, 10, holes=0.4)
    found = np.exp(network.log_joint(table))
    expected = [enumerated_joint(network, row) for row in table.codes]
    assert found == pytest.approx(np.array(expected), rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(training_tables(min_attributes=2), SEEDS)
def test_learned_networks(table, seed):
    statistics = statistics_of(table)
    structure = KDBLearner(None).learn(statistics)
    for smoothing in (MEstimate(1.0), MEstimate(0.0), Laplace(0.5), BDeu(2.0)):
        dense = BayesianNetwork.fit(structure, statistics, smoothing)
        with pytest.MonkeyPatch.context() as patch:
            always_sparse(patch)
            sparse = BayesianNetwork.fit(structure, statistics, smoothing)
        for node, factor in sparse.factors.items():
            parents = [p for p in factor.parents if p.name != CLASS]
            is_large = node != CLASS and len(parents) > 1 and factor.dense().table.size > 0
            assert (node in sparse_nodes(sparse)) == is_large
        assert densely(sparse) == dense
        rows = random_rows(np.random.default_rng(seed), dense, 15, holes=0.3)
        check(sparse, dense, rows)
        assert sparse.n_parameters == dense.n_parameters
        bics = [network.bic(statistics.table) for network in (sparse, dense)]
        assert bics[0] == pytest.approx(bics[1], rel=1e-12)
        assert sparse.sample(9, 0).equals(dense.sample(9, 0))


@settings(max_examples=40, deadline=None)
@given(
    SEEDS, st.integers(2, 4), st.sampled_from([0.0, 0.3]), st.sampled_from(["joint", "posterior"])
)
def test_ensembles(seed, n_attributes, holes, average):
    rng = np.random.default_rng(seed)
    plain = random_network(rng, n_attributes, max_card=3)
    variables = {n: f.variable for n, f in plain.factors.items()}
    mixed = [
        sparsely(rng, plain),
        with_random_tables(rng, plain.structure, variables),
        sparsely(rng, plain),
    ]
    ensemble = NetworkEnsemble(mixed, average=average)
    twin = NetworkEnsemble([densely(n) for n in mixed], average=average)
    table = random_rows(rng, plain, 20, holes)
    complete = (table.codes >= 0).all(axis=1)
    for engine, exactly in (("graph", True), ("compiled", complete)):
        check_alike(*(m.log_posterior(table, engine=engine) for m in (ensemble, twin)), exactly)


@pytest.mark.parametrize("n_rows", [0, 1, 255, 256, 257, 4097])
def test_any_number_of_rows(n_rows):
    rng = np.random.default_rng(n_rows)
    network = sparsely(rng, random_network(np.random.default_rng(5), 5, density=0.8))
    check(network, densely(network), random_rows(rng, network, n_rows, holes=0.1))


def test_keys_of_several_levels(monkeypatch):
    monkeypatch.setattr(configurations, "_LARGEST_KEY", 0)
    rng = np.random.default_rng(0)
    network = sparsely(rng, random_network(rng, 5, density=0.9))
    check(network, densely(network), random_rows(rng, network, 300, holes=0.1))


def test_as_many_parents_as_no_integer_can_number():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 20, (60, 25)), rng.integers(0, 2, 60)
    model = KDB(k=None, categorical_features="all").fit(X, y)
    factor = max(model.network_.factors.values(), key=lambda f: len(f.parents))
    assert len(factor._seen.levels) == 2
    table = model.encoder_.transform(model._checked_frame(X))
    walked = model.network_.log_joint(table, engine="graph")
    assert model.network_.log_joint(table) == pytest.approx(walked, rel=1e-13)
    assert (model.predict(X) == y).all()


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
def test_kst_serves_rows_from_sparse_tables(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 5)), rng.integers(0, 2, 60)
    dense = KST(k=3, categorical_features="all").fit(X, y)
    always_sparse(monkeypatch)
    sparse = KST(k=3, categorical_features="all").fit(X, y)
    assert sparse_nodes(sparse.ensemble_[0])
    assert sparse_nodes(sparse.network_at(X[0]))
    assert np.array_equal(sparse.predict_proba(X), dense.predict_proba(X))


# ---------------------------------------------------------------- which one is chosen


def three_columns(n_rows, card):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, card, (n_rows, 3)), np.arange(n_rows) % 2
    X[:card] = np.arange(card)[:, np.newaxis]
    table = TableEncoder(categorical_features="all").fit_transform(X, y)
    return SufficientStatistics.from_table(table)


@pytest.mark.parametrize(
    ("n_rows", "card", "expected"),
    [
        (400, 32, False),  # 2¹⁶ cells
        (400, 33, True),
        (17_000, 32, False),
        (17_000, 33, True),  # 71 874 cells, more than 4 a row
        (18_000, 33, False),  # fewer than 4 a row
    ],
)
def test_a_table_is_sparse_from_a_size_on(n_rows, card, expected):
    statistics = three_columns(n_rows, card)
    y, (a, b, c) = statistics.schema.target, statistics.schema.attributes
    assert plan.is_sparse(a, (y, b, c), statistics) == expected
    assert not plan.is_sparse(a, (y, b), statistics)
    assert not plan.is_sparse(a, (), statistics)


def test_merged_statistics_make_dense_tables():
    statistics = three_columns(400, 33)
    merged = statistics.merge(statistics)
    y, (a, b, c) = merged.schema.target, merged.schema.attributes
    assert not plan.is_sparse(a, (y, b, c), merged)


# ---------------------------------------------------------------- memory


def test_kdb_4_on_30_columns_of_20_levels():
    X, y = many_levels()
    KDB(k=4, categorical_features="all").fit(X[:50], y[:50]).predict_proba(X[:5])  # compiles
    tracemalloc.start()
    model = KDB(k=4, categorical_features="all").fit(X, y)
    posterior = model.predict_proba(X)
    network = model.network_
    frames = [network.describe(node) for node in network.factors]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200 * 2**20  # the dense tables alone would be 1.3 GB, thrice over
    assert posterior.sum(axis=1) == pytest.approx(np.ones(5000), abs=1e-12)
    assert len(sparse_nodes(network)) == 27
    assert max(map(len, frames)) <= 5001


def test_a_missing_parent_of_a_sparse_table_is_summed_out_under_the_evidence():
    X, y = many_levels(n_rows=1000)
    model = KDB(k=4, categorical_features="all").fit(X, y)
    table = model.encoder_.transform(model._checked_frame(X[:3]))
    codes = table.codes.copy()
    order = [n for n in model.network_.structure.topological_order if n != CLASS]
    place = {v.name: i for i, v in enumerate(table.variables)}
    parent = place[order[3]]
    codes[:, parent] = -1
    tracemalloc.start()
    found = model.network_.log_joint(EncodedTable(table.variables, codes))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * 2**20
    summed = np.full(found.shape, -np.inf)
    for state in range(20):
        codes[:, parent] = state
        one = model.network_.log_joint(EncodedTable(table.variables, codes))
        summed = np.logaddexp(summed, one)
    assert found == pytest.approx(summed, rel=1e-12)


def test_too_many_missing_cells_of_sparse_tables_are_refused_before_allocation():
    X, y = many_levels(n_rows=500)
    model = KDB(k=4, categorical_features="all").fit(X, y)
    codes = np.full((1, 30), -1, dtype=np.int32)
    leaves = [n for n in model.network_.structure.nodes if not model.network_.graph.out_degree(n)]
    for v in leaves:
        codes[0, [a.name for a in model.network_.attributes].index(v)] = 0
    tracemalloc.start()
    with pytest.raises(MemoryLimitError, match="summing out the missing cells"):
        model.network_.log_joint(EncodedTable(model.network_.attributes, codes))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50 * 2**20


def test_the_tables_of_a_network_are_counted_together(monkeypatch):
    statistics = three_columns(400, 20)
    structure = KDBLearner(2).learn(statistics)
    limit = 8 * 20_000  # each table alone would fit
    monkeypatch.setattr(memory, "memory_limit", lambda: limit)
    with pytest.raises(
        MemoryLimitError, match=r"the table of 'x\d' with the parents 'class', .* and all others"
    ):
        BayesianNetwork.fit(structure, statistics)


def test_what_is_counted_is_what_is_allocated(monkeypatch):
    """The full network on 16 binary columns, dense, stays under the limit that lets it pass."""
    monkeypatch.setattr(plan, "DENSE_CELLS", 2**20)
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (300, 16)), np.arange(300) % 2
    KDB(k=None, categorical_features="all").fit(X[:, :2], y).predict_proba(X[:2, :2])
    asked = []
    monkeypatch.setattr(plan, "require_memory", lambda n, what: asked.append(n))
    tracemalloc.start()
    KDB(k=None, categorical_features="all").fit(X, y).predict_proba(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * max(asked) + 2**20


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (KDB(k=None), r"a network of 20 attributes with k=None, of 210 arcs"),
        (AODE(), r"networks under each of 20 superparents, of 800 arcs"),
    ],
)
def test_so_many_arcs_are_refused(monkeypatch, model, message):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (40, 20)), np.arange(40) % 2
    monkeypatch.setattr(memory, "memory_limit", lambda: 8 * 20_000)
    with pytest.raises(MemoryLimitError, match=message):
        model.set_params(categorical_features="all").fit(X, y)


def test_a_sparse_table_beside_a_root_class_of_its_own():
    """The class may be a leaf: its own table is then the sparse one."""
    rng = np.random.default_rng(1)
    names = ["x0", "x1", "x2", CLASS]
    structure = Structure.from_arcs(names, [(n, CLASS) for n in names[:3]], CLASS)
    variables = {n: variable(n, 3) for n in names}
    network = sparsely(rng, with_random_tables(rng, structure, variables))
    assert sparse_nodes(network) == [CLASS]
    check(network, densely(network), random_rows(rng, network, 300, holes=0.1))
    assert isinstance(network.factors["x0"], CategoricalCPD)
