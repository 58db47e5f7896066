"""The graph walk over numbers against closed forms and numerical integration."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from builders import CLASS, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_builders import (
    cells_of,
    joint_normal,
    log_mixed_joint,
    mixed_table,
    number,
    random_mixed_network,
    random_mixed_rows,
    with_random_factors,
)
from scipy.integrate import dblquad, quad
from scipy.stats import multivariate_normal, norm

from bnclass import BayesianNetwork, CategoricalCPD, FactorError, MemoryLimitError, Structure
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.network import inference
from bnclass.network.gaussian_walk import Component, components

SEEDS = st.integers(0, 2**32)
NAN = math.nan
X, Y, Z = (number(name) for name in "xyz")


def walk(network, table):
    return inference.log_joint(network.structure, network.factors, table)


def check(network, table):
    """Hold every row to the closed form."""
    found = walk(network, table)
    for cells, joint in zip(cells_of(table), found, strict=True):
        assert joint == pytest.approx(log_mixed_joint(network, cells), rel=1e-10, abs=1e-10)


def all_continuous(arcs, n, seed=0):
    """Return a network without a class over "x00", "x01", … with random factors."""
    names = [f"x{i:02}" for i in range(n)]
    structure = Structure.from_arcs(names, [(names[i], names[j]) for i, j in arcs])
    return with_random_factors(
        np.random.default_rng(seed), structure, {name: number(name) for name in names}
    )


# ---------------------------------------------------------------- by hand


def pair(noise=1.0):
    """Return z -> x with z ~ N(1, 4) and x ~ N(3 + 0.5 z, noise)."""
    return BayesianNetwork(
        Structure.from_arcs(["x", "z"], [("z", "x")]),
        [GaussianCPD(Z, (), 1, 4), CLGCPD(X, (Z,), 3, [0.5], noise)],
    )


def test_a_missing_parent_by_hand():
    # x ~ N(3 + 0.5, 1 + 0.25 * 4)
    found = walk(pair(), mixed_table(pair(), [[4.0, NAN]]))
    assert found == pytest.approx(norm.logpdf(4, 3.5, math.sqrt(2)), abs=1e-14)


def test_a_missing_leaf_drops_out_and_complete_rows_are_products():
    rows = mixed_table(pair(), [[NAN, 2.0], [4.5, 2.0], [NAN, NAN]])
    leaf, complete = norm.logpdf(2, 1, 2), norm.logpdf(2, 1, 2) + norm.logpdf(4.5, 4, 1)
    assert walk(pair(), rows)[:, 0] == pytest.approx([leaf, complete, 0], abs=1e-14)


def test_states_and_numbers_missing_at_once_by_hand():
    # a -> z -> x and a -> x, z and a missing: a mixture of two normals.
    a = variable("a", 2)
    network = BayesianNetwork(
        Structure.from_arcs(["a", "x", "z"], [("a", "z"), ("a", "x"), ("z", "x")]),
        [
            CategoricalCPD(a, (), [0.25, 0.75]),
            GaussianCPD(Z, (a,), [0, 2], [1, 4]),
            CLGCPD(X, (a, Z), [1, -1], [[2], [1]], [1, 2]),
        ],
    )
    found = np.exp(walk(network, mixed_table(network, [[NAN, 0.5, NAN]])))
    expected = 0.25 * norm.pdf(0.5, 1, math.sqrt(5)) + 0.75 * norm.pdf(0.5, 1, math.sqrt(6))
    assert found[0, 0] == pytest.approx(expected, rel=1e-13)


# ---------------------------------------------------------------- numerical integration


def density(network, **cells):
    """Return the product of all factors at one complete row of numbers."""
    values = {name: np.array([x]) for name, x in cells.items()}
    return math.exp(sum(f.log_prob(values)[0] for f in network.factors.values()))


def three(arcs, seed):
    structure = Structure.from_arcs("xyz", arcs)
    variables = {v.name: v for v in (X, Y, Z)}
    return with_random_factors(np.random.default_rng(seed), structure, variables)


GRAPHS_OF_THREE = [
    ["zx", "zy"],
    ["zy", "yx"],
    ["zx", "yx"],
    ["zx", "zy", "yx"],
    ["yx", "xz"],
]


@pytest.mark.parametrize("arcs", GRAPHS_OF_THREE)
@pytest.mark.parametrize("seed", [0, 1])
def test_one_missing_number_against_an_integral(arcs, seed):
    network = three(arcs, seed)
    found = np.exp(walk(network, mixed_table(network, [[0.3, -1.2, NAN]])))[0, 0]
    expected, _ = quad(lambda z: density(network, x=0.3, y=-1.2, z=z), -30, 30, points=[-3, 0, 3])
    assert found == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("arcs", GRAPHS_OF_THREE)
def test_two_missing_numbers_against_an_integral(arcs):
    network = three(arcs, 2)
    found = np.exp(walk(network, mixed_table(network, [[0.3, NAN, NAN]])))[0, 0]
    expected, _ = dblquad(
        lambda z, y: density(network, x=0.3, y=y, z=z), -15, 15, -15, 15, epsabs=1e-9, epsrel=1e-7
    )
    assert found == pytest.approx(expected, rel=1e-5)


# ---------------------------------------------------------------- closed forms


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(1, 7), st.sampled_from([0.2, 0.5, 1.0]), st.data())
def test_numbers_alone_are_a_multivariate_normal(seed, n, dens, data):
    rng = np.random.default_rng(seed)
    network = random_mixed_network(rng, 0, n, with_class=False, density=dens)
    kept = data.draw(st.lists(st.sampled_from(range(n)), unique=True, min_size=1).map(sorted))
    cells = np.full(n, NAN)
    cells[kept] = rng.normal(scale=2, size=len(kept))
    found = walk(network, mixed_table(network, [cells]))
    names, mean, covariance = joint_normal(network, {})
    at = [names.index(f"x{i}") for i in kept]
    expected = multivariate_normal.logpdf(cells[kept], mean[at], covariance[np.ix_(at, at)])
    assert found == pytest.approx(expected, rel=1e-10, abs=1e-10)


@settings(max_examples=150, deadline=None)
@given(
    SEEDS,
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
    st.booleans(),
)
def test_any_mixed_graph_with_missing_cells(seed, n_discrete, n_continuous, holes, with_class):
    rng = np.random.default_rng(seed)
    network = random_mixed_network(
        rng,
        n_discrete,
        n_continuous + (n_discrete == 0),
        with_class=with_class,
        constants=0.2,
        zeros=0.1,
    )
    check(network, random_mixed_rows(rng, network, 6, holes))


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from([0.4, 0.7]))
def test_dense_mixed_graphs(seed, holes):
    rng = np.random.default_rng(seed)
    network = random_mixed_network(rng, 3, 5, density=0.9)
    check(network, random_mixed_rows(rng, network, 6, holes))


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_class_conditional_normals(seed):
    """The class above all numbers, every number above all later ones: one normal a class."""
    rng = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(5)]
    arcs = [(CLASS, n) for n in names] + list(itertools.combinations(names, 2))
    variables = {CLASS: variable(CLASS, 3), **{n: number(n) for n in names}}
    network = with_random_factors(rng, Structure.from_arcs([CLASS, *names], arcs, CLASS), variables)
    table = random_mixed_rows(rng, network, 20, 0.4)
    for cells, joint in zip(cells_of(table), walk(network, table), strict=True):
        known = ~np.isnan(cells)
        for k, prior in enumerate(network.factors[CLASS].table):
            _, mean, covariance = joint_normal(network, {CLASS: k})
            expected = math.log(prior)
            if known.any():
                part = covariance[np.ix_(known, known)]
                expected += multivariate_normal.logpdf(cells[known], mean[known], part)
            assert joint[k] == pytest.approx(expected, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("holes", [0.3, 0.6, 0.9])
def test_long_chains_and_trees(holes):
    rng = np.random.default_rng(6)
    chain = all_continuous([(i, i + 1) for i in range(39)], 40)
    tree = all_continuous([((i - 1) // 2, i) for i in range(1, 40)], 40)
    for network in (chain, tree):
        check(network, random_mixed_rows(rng, network, 10, holes))


# ---------------------------------------------------------------- constants


def with_constant(child_of_missing):
    """Return z -> x beside a constant y, which is a child of z or a parent of x."""
    arcs = [("z", "x"), ("z", "y") if child_of_missing else ("y", "x")]
    y = CLGCPD(Y, (Z,), 5, [0], 0) if child_of_missing else GaussianCPD(Y, (), 5, 0)
    x = CLGCPD(X, (Z,), 3, [0.5], 1) if child_of_missing else CLGCPD(X, (Y, Z), 3, [0, 0.5], 1)
    return BayesianNetwork(Structure.from_arcs("xyz", arcs), [GaussianCPD(Z, (), 1, 4), x, y])


@pytest.mark.parametrize("child_of_missing", [True, False])
@pytest.mark.parametrize("y", [5.0, 7.0, NAN])
@pytest.mark.parametrize("z", [2.0, NAN])
def test_a_constant_has_no_say_whether_known_or_not(child_of_missing, y, z):
    network = with_constant(child_of_missing)
    found = walk(network, mixed_table(network, [[4.0, y, z]]))
    assert found == pytest.approx(walk(pair(), mixed_table(pair(), [[4.0, z]])), abs=1e-14)


def test_a_constant_known_alone():
    network = with_constant(child_of_missing=True)
    assert walk(network, mixed_table(network, [[NAN, 7.0, NAN]])).tolist() == [[0.0]]


# ---------------------------------------------------------------- hard numbers


def test_nearly_noiseless_copies_of_a_missing_number():
    """Two known copies of a missing z; the eigenvalues of their covariance are 2 + e and e."""
    noise = 1e-14
    network = BayesianNetwork(
        Structure.from_arcs("xyz", [("z", "x"), ("z", "y")]),
        [
            GaussianCPD(Z, (), 0, 1),
            CLGCPD(X, (Z,), 0, [1], noise),
            CLGCPD(Y, (Z,), 0, [1], noise),
        ],
    )
    x, y = 0.5, 0.5 + 2.0**-23
    found = walk(network, mixed_table(network, [[x, y, NAN]]))[0, 0]
    squares = (x + y) ** 2 / (2 * (2 + noise)) + (x - y) ** 2 / (2 * noise)
    expected = -0.5 * (squares + math.log(2 + noise) + math.log(noise)) - math.log(2 * math.pi)
    assert found == pytest.approx(expected, rel=1e-6)
    equal = walk(network, mixed_table(network, [[0.5, 0.5, NAN]]))[0, 0]
    expected = -0.5 * (1 / (4 + 2 * noise) + math.log(2 + noise) + math.log(noise))
    assert equal == pytest.approx(expected - math.log(2 * math.pi), rel=1e-12)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_move_every_class_alike(unit):
    """Scale one number, and shift another far from 0: the same posterior."""
    rng = np.random.default_rng(1)
    names = ["x0", "x1", "x2"]
    arcs = [(CLASS, n) for n in names] + [("x0", "x1"), ("x1", "x2")]
    variables = {CLASS: variable(CLASS, 2), **{n: number(n) for n in names}}
    network = with_random_factors(rng, Structure.from_arcs([CLASS, *names], arcs, CLASS), variables)
    y, f0, f1, f2 = (network.factors[n] for n in (CLASS, *names))
    slope = f1.coefficients[:, 0]
    moved = BayesianNetwork(
        network.structure,
        [
            y,
            GaussianCPD(f0.variable, f0.parents, f0.mean + 1e6, f0.variance),
            CLGCPD(
                f1.variable,
                f1.parents,
                (f1.intercept - slope * 1e6) * unit,
                f1.coefficients * unit,
                f1.variance * unit**2,
            ),
            CLGCPD(f2.variable, f2.parents, f2.intercept, f2.coefficients / unit, f2.variance),
        ],
    )
    cells = cells_of(random_mixed_rows(rng, network, 50, 0.4))
    expected = walk(network, mixed_table(network, cells))
    found = walk(moved, mixed_table(moved, cells * [1, unit, 1] + [1e6, 0, 0]))
    jacobian = np.where(np.isnan(cells[:, 1]), 0, math.log(unit))
    assert found + jacobian[:, np.newaxis] == pytest.approx(expected, abs=1e-7)


# ---------------------------------------------------------------- rows and memory


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_every_row_stands_for_itself(seed):
    rng = np.random.default_rng(seed)
    network = random_mixed_network(rng, 2, 4)
    table = random_mixed_rows(rng, network, 30, 0.4)
    together = walk(network, table)
    order = rng.permutation(30)
    assert walk(network, table.rows(order)) == pytest.approx(together[order], rel=1e-12)
    for r in range(0, 30, 5):
        alone = walk(network, table.rows(np.array([r])))[0]
        assert alone == pytest.approx(together[r], rel=1e-12)


def test_more_rows_than_fit_at_once(monkeypatch):
    rng = np.random.default_rng(2)
    network = random_mixed_network(rng, 2, 4, density=0.7)
    table = random_mixed_rows(rng, network, 50, 0.5)
    expected = walk(network, table)
    monkeypatch.setattr("bnclass.network.inference._CELLS_AT_ONCE", 10)
    assert walk(network, table) == pytest.approx(expected, rel=1e-12)


def test_no_rows():
    network = random_mixed_network(np.random.default_rng(1), 1, 2)
    none = random_mixed_rows(np.random.default_rng(1), network, 0)
    assert walk(network, none).shape == (0, network.target.card)


def many_parents(n):
    """Return n roots above one child."""
    return all_continuous([(i, n) for i in range(n)], n + 1)


def test_a_belief_that_would_not_fit_is_refused_before_it_is_tried(monkeypatch):
    network = many_parents(30)
    hidden = mixed_table(network, [[*[NAN] * 30, 1.0]])
    assert np.isfinite(walk(network, hidden)).all()
    monkeypatch.setattr("bnclass.data.memory.memory_limit", lambda: 8 * 30**2 - 1)
    with pytest.raises(MemoryLimitError, match=r"summing out the missing cells .*'x00'"):
        walk(network, hidden)
    # Missing cells that nothing known hangs on need no belief, however many they are.
    for row in ([*[0.0] * 30, NAN], [NAN] * 31):
        assert np.isfinite(walk(network, mixed_table(network, [row]))).all()


# ---------------------------------------------------------------- components


def parts(network, known):
    """Return the components of a network all of whose nodes but some are missing."""
    factors = [network.factors[n] for n in network.structure.topological_order]
    return components(factors, set(network.structure.nodes) - set(known))


def test_components_hang_together_through_missing_numbers_only():
    # 0 -> 1 -> 2 -> 3 -> 4 with 2 known: it ends the first component, and heads the other.
    network = all_continuous([(0, 1), (1, 2), (2, 3), (3, 4)], 5)
    first, second = parts(network, ["x02", "x04"])
    assert set(first.names) == {"x02"}
    assert set(second.names) == {"x02", "x04"}
    assert (first.width, second.width) == (4, 1)


def test_a_known_child_ties_its_missing_parents():
    collider = all_continuous([(0, 2), (1, 2)], 3)
    (both,) = parts(collider, ["x02"])
    assert (both.names, both.width) == (("x02",), 4)
    assert [c.width for c in parts(collider, ["x01", "x02"])] == [1]
    assert parts(collider, ["x00", "x01", "x02"]) == []


def test_beliefs_stay_small_along_chains_stars_and_trees():
    n = 20
    hidden = [f"x{i:02}" for i in range(n)]
    known = [f"x{i:02}" for i in range(n, 2 * n)]
    leaves = [(i, n + i) for i in range(n)]  # every missing node has a known child
    for above, largest in [
        (lambda i: i - 1, 2),
        (lambda i: 0, 2),
        (lambda i: (i - 1) // 2, 6),
    ]:
        network = all_continuous([(above(i), i) for i in range(1, n)] + leaves, 2 * n)
        (component,) = parts(network, known)
        assert set(component.names) == set(known)
        assert not set(component.names) & set(hidden)
        assert component.width <= largest**2


def test_discrete_parents_are_among_the_names():
    y = variable(CLASS, 2)
    factors = [GaussianCPD(Z, (y,), [0, 1], [1, 1]), CLGCPD(X, (Z,), 0, [1], 1)]
    component = Component(factors, {"z"})
    assert component.names == (CLASS, "x")
    values = {CLASS: np.arange(2).reshape(1, 2), "x": np.array([[0.5], [3.0]])}
    expected = norm.logpdf([[0.5], [3.0]], [[0, 1]], math.sqrt(2))
    assert component.log_prob(values) == pytest.approx(expected, abs=1e-14)


class Uniform:
    """A density on [0, 1] that is no linear Gaussian one."""

    variable = Z
    parents = ()
    n_parameters = 0

    def log_prob(self, values):
        return np.where(abs(values["z"] - 0.5) <= 0.5, 0.0, -np.inf)

    def sample(self, values, rng):
        return rng.random(len(values["z"]))

    def describe(self):
        return pd.DataFrame()

    def __repr__(self):
        return "Uniform('z')"


def test_a_density_of_another_kind_is_integrated_by_no_one():
    structure = Structure.from_arcs("xz", [("z", "x")])
    network = BayesianNetwork(structure, [Uniform(), CLGCPD(X, (Z,), 0, [1], 1)])
    found = walk(network, mixed_table(network, [[0.0, 0.5], [NAN, 0.5], [NAN, NAN]]))
    assert found[:, 0] == pytest.approx([norm.logpdf(0, 0.5), 0, 0], abs=1e-14)
    with pytest.raises(FactorError, match=r"Uniform\('z'\): no CLGCPD, expected one to integrate"):
        walk(network, mixed_table(network, [[0.0, NAN]]))
