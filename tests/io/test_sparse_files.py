"""Sparse tables in files: JSON and GraphML hold them, formats of dense tables refuse large ones."""

import json

import numpy as np
import pytest
from builders import random_network
from hypothesis import given, settings
from hypothesis import strategies as st
from sparse_networks import densely, many_levels, sparsely

from bnclass import (
    KDB,
    FileFormatError,
    MemoryLimitError,
    SparseCategoricalCPD,
    load,
    read_bif,
    read_graphml,
    save,
    to_pgmpy,
    write_bif,
    write_graphml,
)
from bnclass.data import memory


@pytest.fixture(scope="module")
def model():
    """Bug case 12."""
    X, y = many_levels(n_rows=500)
    return KDB(k=4, categorical_features="all").fit(X, y)


@pytest.fixture
def small():
    rng = np.random.default_rng(3)
    return sparsely(rng, random_network(rng, 3, density=0.9))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_json_and_graphml_hold_them(tmp_path_factory, seed):
    rng = np.random.default_rng(seed)
    network = sparsely(rng, random_network(rng, 4, density=0.7), zeros=0.3)
    folder = tmp_path_factory.mktemp("files")
    save(network, folder / "a.json")
    write_graphml(network, folder / "a.graphml")
    assert load(folder / "a.json") == network
    assert read_graphml(folder / "a.graphml") == network
    save(load(folder / "a.json"), folder / "b.json")
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


def test_a_model_of_many_levels_comes_back_with_the_same_posteriors(model, tmp_path):
    save(model, tmp_path / "a.json")
    back = load(tmp_path / "a.json")
    X, _ = many_levels(n_rows=500)
    assert back.network_ == model.network_
    assert np.array_equal(back.predict_proba(X), model.predict_proba(X))
    assert (tmp_path / "a.json").stat().st_size < 3e6


@pytest.mark.parametrize("export", [write_bif, to_pgmpy], ids=["BIF", "pgmpy"])
def test_a_dense_export_that_would_not_fit_is_refused(model, tmp_path, monkeypatch, export):
    monkeypatch.setattr(memory, "memory_limit", lambda: 2**30)
    arguments = [tmp_path / "a.bif"] if export is write_bif else []
    message = r"dense tables of 27 nodes .* 'x\d+' with the parents 'class', .* would need 18.6 GiB"
    with pytest.raises(MemoryLimitError, match=message):
        export(model, *arguments)
    assert not list(tmp_path.iterdir())


def test_small_ones_are_exported_as_dense_tables(small, tmp_path):
    write_bif(small, tmp_path / "a.bif")
    assert read_bif(tmp_path / "a.bif") == densely(small)
    exported = {cpd.variable: cpd for cpd in to_pgmpy(small).get_cpds()}
    for node, factor in densely(small).factors.items():
        table = factor.table.reshape(-1, factor.variable.card).T
        assert np.array_equal(exported[node].get_values(), table)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("configurations", [[0, 0]], "configurations: found .*, expected a list of 1 codes"),
        ("configurations", [[True]], "configurations: found .* codes"),
        ("configurations", [[-1]], "configurations: found .* codes"),
        ("configurations", [[10**30]], "configurations: found .* codes"),
        ("configurations", {}, "configurations: found .*, expected a value of type list"),
        ("configurations", [[7]], "negative or too large"),
        ("others", [0.25, 0.25], "others: found .*, expected a list of 1 numbers"),
        ("others", ["a"], "others: found .*, expected a list of 1 numbers"),
        ("cells", [[0, 0, 0]], "cells: found .* 2 codes"),
        ("cells", [[0, 9]], "negative or too large"),
        ("probabilities", [], "probabilities: found .*, expected a list of 1 numbers"),
        ("probabilities", [0.9], "misses the sum 1"),
        ("unseen", None, "unseen: found .*, expected a list of 1 numbers"),
        ("unseen", 0.9, "misses the sum 1"),
        ("parents", [], "expected a list of 0 codes"),
    ],
)
def test_broken_files_are_refused(tmp_path, key, value, message):
    rng = np.random.default_rng(0)
    plain = random_network(rng, 2, with_class=False, density=1.0)
    (root, child) = plain.structure.topological_order
    variable, parent = plain.factors[child].variable, plain.factors[root].variable
    card = variable.card
    cpd = SparseCategoricalCPD(variable, (parent,), [[0]], [0.0], [[0, 0]], [1.0], 1 / card)
    network = type(plain)(plain.structure, [plain.factors[root], cpd])
    save(network, tmp_path / "a.json")
    document = json.loads((tmp_path / "a.json").read_text())
    (factor,) = (f for f in document["model"]["factors"] if f["node"] == child)
    factor[key] = value
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(FileFormatError, match=f"factor of '{child}': .*{message}"):
        load(tmp_path / "a.json")
