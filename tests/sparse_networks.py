"""Random sparse tables, and networks of them."""

from math import prod

import numpy as np

from bnclass import BayesianNetwork, SparseCategoricalCPD
from bnclass.network import plan


def random_sparse_cpd(rng, child, parents, zeros=0.0):
    """Draw a sparse table: some configurations, each with some cells; the rest is shared."""
    cards = [p.card for p in parents]
    seen = np.flatnonzero(rng.random(prod(cards)) < 0.6)
    codes = np.stack(np.unravel_index(seen, cards), axis=1).reshape(len(seen), len(cards))
    listed = rng.random((len(seen), child.card)) < 0.5
    weights = rng.random(listed.shape) + 0.01
    weights[listed & (rng.random(listed.shape) < zeros)] = 0.0
    weights[~listed] = 0.5
    weights[weights.sum(axis=1) == 0] = 1.0
    table = weights / weights.sum(axis=1, keepdims=True)
    others = np.where(listed, 0.0, table).max(axis=1, initial=0.0)
    cells = np.argwhere(listed)
    order = rng.permutation(len(cells))
    return SparseCategoricalCPD(
        child, parents, codes, others, cells[order], table[listed][order], 1 / child.card
    )


def sparsely(rng, network, zeros=0.0):
    """Return a network with random sparse tables in place of those with parents."""
    factors = [
        random_sparse_cpd(rng, f.variable, f.parents, zeros) if f.parents else f
        for f in network.factors.values()
    ]
    return BayesianNetwork(network.structure, factors)


def densely(network):
    """Return a network with the dense tables of its sparse ones."""
    factors = [
        f.dense() if isinstance(f, SparseCategoricalCPD) else f for f in network.factors.values()
    ]
    return BayesianNetwork(network.structure, factors)


def always_sparse(monkeypatch):
    """Make every table sparse that is counted from rows."""
    monkeypatch.setattr(plan, "DENSE_CELLS", 0)
    monkeypatch.setattr(plan, "DENSE_CELLS_A_ROW", 0)


def many_levels(n_rows=5000, n_columns=30, card=20, n_classes=2, seed=0):
    """Return the rows of bug case 12: numbers of many levels, and classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, card, (n_rows, n_columns))
    return X, (X[:, 0] + rng.integers(0, 2, n_rows)) % n_classes
