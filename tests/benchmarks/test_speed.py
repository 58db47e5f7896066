"""Speed, for people to read: `pytest tests/benchmarks`. Nothing here fails on a slow machine.

Figures per unit of work and ratios to a peer in the same run are in each benchmark's
extra information and are printed at the end.
"""

import subprocess
import sys
import time
from statistics import median

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import bnclass as bc
from bnclass.network import local_tables, plan

LINES = []


def tree_network(n_rows, n_attributes, card, n_classes, seed):
    """Draw rows from a random tree-augmented naive Bayes with Dirichlet(1) tables."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    X = np.empty((n_rows, n_attributes), dtype=np.int64)
    for i in range(n_attributes):
        shape, given = (n_classes,), (y,)
        if i:
            shape, given = (n_classes, card), (y, X[:, rng.integers(0, i)])
        p = rng.dirichlet(np.ones(card), size=shape)[given]
        X[:, i] = np.minimum((rng.random(n_rows)[:, None] > p.cumsum(1)).sum(1), card - 1)
    return X, y


def digits():
    """Return scikit-learn's digits, two grey levels a bin."""
    data = load_digits()
    return np.minimum(data.data // 2, 7).astype(np.int64), data.target


SIZES = {
    "s10k": lambda: tree_network(10_000, 20, 4, 2, 1),
    "s100k": lambda: tree_network(100_000, 20, 4, 2, 2),
    "s20k100": lambda: tree_network(20_000, 100, 4, 3, 3),
    "digits": digits,
}


@pytest.fixture(params=SIZES, scope="module")
def rows(request):
    return request.param, *SIZES[request.param]()


@pytest.fixture(scope="module", autouse=True)
def report():
    yield
    print("\n" + "\n".join(LINES))  # noqa: T201 - the figures are for reading


def note(benchmark, text, **figures):
    benchmark.extra_info.update(figures)
    shown = ", ".join(f"{value:.3g} {unit.replace('_', ' ')}" for unit, value in figures.items())
    LINES.append(f"{text}: {shown}")


def timed(function, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return median(times)


def test_pair_counts(benchmark, rows):
    name, X, y = rows
    table = bc.TableEncoder(categorical_features="all").fit_transform(X, y)
    benchmark(bc.SufficientStatistics.from_table, table)
    pairs = X.shape[1] * (X.shape[1] - 1) / 2
    per_pair = benchmark.stats["median"] / len(X) / pairs * 1e9
    note(benchmark, f"pair counts {name}", ns_a_row_and_pair=per_pair)


@pytest.mark.parametrize("model", [bc.AODE(), bc.AODE(subsumption=True), bc.ATAN()], ids=repr)
def test_averaged_prediction(benchmark, rows, model):
    name, X, y = rows
    model.set_params(categorical_features="all").fit(X, y)
    benchmark(model.predict_proba, X)
    cells = len(X) * X.shape[1] ** 2 * len(model.classes_)
    per_cell = benchmark.stats["median"] / cells * 1e9
    note(benchmark, f"{model!r} predict {name}", ns_a_cell=per_cell)


@pytest.mark.parametrize("model", [bc.NaiveBayes(), bc.TAN(), bc.KDB(), bc.AODE()], ids=repr)
def test_fit_and_predict(benchmark, rows, model):
    name, X, y = rows
    model.set_params(categorical_features="all").fit(X, y).predict_proba(X[:1])

    def run():
        return model.fit(X, y).predict_proba(X)

    benchmark(run)
    peer = CategoricalNB()
    ratio = benchmark.stats["median"] / timed(lambda: peer.fit(X, y).predict_proba(X))
    kind = type(model).__name__
    figures = {"s": benchmark.stats["median"], "times_CategoricalNB": ratio}
    note(benchmark, f"{kind} fit + predict {name}", **figures)


@pytest.mark.parametrize("tables", ["dense", "sparse"])
@pytest.mark.parametrize(("k", "card"), [(2, 20), (4, 20), (4, 4)])
def test_sparse_tables(benchmark, monkeypatch, tables, k, card):
    if (tables, k, card) == ("dense", 4, 20):
        pytest.skip("the dense tables would take gigabytes")
    monkeypatch.setattr(plan, "DENSE_CELLS", 2**40 if tables == "dense" else 0)
    monkeypatch.setattr(plan, "DENSE_CELLS_A_ROW", 0)
    X, y = tree_network(5_000, 30, card, 2, 5)
    model = bc.KDB(k=k, categorical_features="all")
    fit = timed(lambda: model.fit(X, y), 3)
    table = model.encoder_.transform(model._checked_frame(X))
    model.network_.log_joint(table)
    benchmark(model.network_.log_joint, table)
    per_factor = benchmark.stats["median"] / len(X) / X.shape[1] * 1e9
    text = f"{tables} tables, k={k}, {card} levels"
    note(benchmark, text, fit_s=fit, ns_a_row_and_factor=per_factor)


NUMBERS = {"n10k": (10_000, 20, 2), "n100k": (100_000, 20, 2), "n20k100": (20_000, 100, 3)}


@pytest.fixture(params=NUMBERS, scope="module")
def numbers(request):
    n_rows, n_attributes, n_classes = NUMBERS[request.param]
    rng = np.random.default_rng(4)
    y = rng.integers(0, n_classes, n_rows)
    common = rng.normal(size=(n_rows, 1))
    return request.param, rng.normal(size=(n_rows, n_attributes)) + common + y[:, None] / 3, y


@pytest.mark.parametrize("step", ["fit", "predict"])
def test_gaussian_naive_bayes(benchmark, numbers, step):
    name, X, y = numbers
    ours, peer = (m.fit(X, y) for m in (bc.NaiveBayes(continuous="gaussian"), GaussianNB()))
    ours.predict(X[:1])
    runs = {"fit": lambda m: m.fit(X, y), "predict": lambda m: m.predict(X)}
    ratios = [
        timed(lambda: runs[step](ours), 1) / timed(lambda: runs[step](peer), 1) for _ in range(21)
    ]
    benchmark.pedantic(runs[step], args=(ours,), rounds=3)
    note(benchmark, f"Gaussian NB {step} {name}", times_GaussianNB=median(ratios))


@pytest.mark.parametrize("model", [bc.GAODE(), bc.HAODE()], ids=repr)
def test_averages_over_numbers(benchmark, numbers, model):
    name, X, y = numbers
    model.fit(X, y).predict_proba(X[:1])
    benchmark(model.predict_proba, X)
    cells = len(X) * X.shape[1] ** 2 * len(model.classes_)
    kind = type(model).__name__
    note(benchmark, f"{kind} predict {name}", ns_a_cell=benchmark.stats["median"] / cells * 1e9)


@pytest.mark.parametrize("source", ["table", "bit sets"])
@pytest.mark.parametrize("n", [10, 20, 40, 80])
def test_networks_of_rows(benchmark, monkeypatch, n, source):
    if source == "bit sets":
        monkeypatch.setattr(local_tables, "_fits", lambda *_: False)
    X, y = tree_network(10_000, n, 4, 2, 6)
    model = bc.KST(members="local", categorical_features="all").fit(X, y)
    n_rows = {10: 10_000, 20: 10_000, 40: 2_000, 80: 500}[n] // (1 if source == "table" else 10)
    table = model.encoder_.transform(model._checked_frame(X[:n_rows]))
    model.ensemble_.log_joint(table)
    benchmark(model.ensemble_.log_joint, table)
    note(benchmark, f"KST n={n} from {source}", rows_a_s=n_rows / benchmark.stats["median"])


@pytest.mark.parametrize("n", [10, 20, 40])
def test_networks_of_rows_of_numbers(benchmark, n):
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 10_000)
    X = rng.normal(size=(10_000, n)) @ rng.normal(size=(n, n)) + y[:, None] / 2
    model = bc.KST(continuous="gaussian").fit(X, y)
    model.predict_proba(X[:1])
    first = timed(lambda: model.predict_proba(X), 1)  # estimates the densities of all families
    benchmark(model.predict_proba, X)
    figures = {
        "rows_a_s": len(X) / benchmark.stats["median"],
        "rows_a_s_at_first": len(X) / first,
        "ns_a_triple_and_class": benchmark.stats["median"] / (len(X) * n**3 * 2 / 3) * 1e9,
    }
    note(benchmark, f"KST over numbers predict n={n}", **figures)


@pytest.mark.parametrize("order", [1, 2])
def test_moments(benchmark, numbers, order):
    name, X, y = numbers
    table = bc.TableEncoder(continuous="gaussian").fit_transform(X, y)
    benchmark(bc.SufficientStatistics.from_table, table, order)
    per_row = benchmark.stats["median"] / len(X) / X.shape[1] * 1e9
    note(benchmark, f"moments of order {order} {name}", ns_a_number=per_row)


def test_import(benchmark):
    ours = [sys.executable, "-c", "import bnclass"]
    base = [sys.executable, "-c", "import sklearn.base, pandas, networkx"]
    ratios = []
    for _ in range(7):
        one = timed(lambda: subprocess.run(ours, check=True), 1)
        ratios.append(one / timed(lambda: subprocess.run(base, check=True), 1))
    benchmark.pedantic(subprocess.run, args=(ours,), rounds=1)
    note(benchmark, "import bnclass", times_its_dependencies=median(ratios))


CHUNKED = {
    "AODE": (bc.AODE(categorical_features="all"), "s100k"),
    "TAN": (bc.TAN(categorical_features="all"), "s100k"),
    "GAODE": (bc.GAODE(), "n100k"),
    "Gaussian TAN": (bc.TAN(continuous="gaussian"), "n100k"),
}


@pytest.mark.parametrize("name", CHUNKED)
def test_ten_chunks_beside_one_fit(benchmark, name):
    model, size = CHUNKED[name]
    if size in SIZES:
        X, y = SIZES[size]()
    else:
        rng = np.random.default_rng(4)
        y = rng.integers(0, 2, 100_000)
        X = rng.normal(size=(100_000, 20)) + y[:, None] / 3
    one = model.fit(X, y)

    def in_chunks():
        grown = clone(model)
        for i in range(0, len(X), 10_000):
            grown.partial_fit(X[i : i + 10_000], y[i : i + 10_000], classes=[0, 1])
        return grown.predict(X[:1])

    in_chunks()
    ratios = [
        timed(in_chunks, 1) / timed(lambda: one.fit(X, y).predict(X[:1]), 1) for _ in range(7)
    ]
    benchmark.pedantic(in_chunks, rounds=3)
    note(benchmark, f"{name} in ten chunks of 10 000 x 20", times_one_fit=median(ratios))
