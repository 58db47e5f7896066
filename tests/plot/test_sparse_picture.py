"""The picture of a sparse table is that of its dense one."""

import numpy as np
from builders import random_network
from matplotlib.figure import Figure
from sparse_networks import densely, many_levels, sparsely

from bnclass import KDB, SparseCategoricalCPD, plot_factor


def test_a_small_one():
    rng = np.random.default_rng(3)
    network = sparsely(rng, random_network(rng, 3, density=0.9))
    for node, factor in network.factors.items():
        if isinstance(factor, SparseCategoricalCPD):
            pictures = [
                plot_factor(n, node, ax=Figure().subplots()).image_.get_array()
                for n in (network, densely(network))
            ]
            assert np.array_equal(*pictures)


def test_the_rows_under_given_parents_of_one_that_is_large():
    X, y = many_levels(n_rows=500)
    network = KDB(k=4, categorical_features="all").fit(X, y).network_
    node, factor = list(network.factors.items())[-1]
    assert isinstance(factor, SparseCategoricalCPD)
    seen = factor.configurations[0]
    given = {p.name: p.states[c] for p, c in list(zip(factor.parents, seen, strict=True))[1:]}
    picture = plot_factor(network, node, given=given, ax=Figure().subplots()).image_.get_array()
    values = {p.name: np.array(c) for p, c in zip(factor.parents, seen, strict=True)}
    assert picture.shape == (2, 20)
    row = factor.prob({**values, node: np.arange(20)})
    assert np.array_equal(picture[seen[0]], row)
