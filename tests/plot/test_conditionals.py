"""The density of a continuous node given the class, against three other ways to it."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from builders import CLASS
from plot.mixed_networks import (
    number,
    random_mixed_network,
    regressed_network,
    two_class_network,
)
from scipy.stats import multivariate_normal, norm
from sklearn.datasets import load_iris

from bnclass import BnclassError, CategoricalCPD, Variable
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.plot.conditionals import class_conditionals
from bnclass.plot.mixtures import Mixture
from bnclass.plot.question import Question

Y = Variable(CLASS, states=("n", "p"))
A = Variable("a", states=("u", "v"))
X, Z = number("x"), number("z")


def conditionals(network, node, **given):
    return class_conditionals(Question(network, node, given))


def density_by_joint(network, node, given, x):
    """p(x | y, given) as the quotient of two joints, each summed and integrated exactly."""
    attributes = [v.name for v in network.attributes]
    known = pd.DataFrame({name: [given.get(name)] * len(x) for name in attributes})
    for v in network.attributes:
        known[v.name] = known[v.name].astype(float if v.is_continuous else object)
    both = known.assign(**{node: x})
    return np.exp(network.log_joint(both) - network.log_joint(known))


def test_a_mixture_worked_by_hand():
    network = two_class_network(
        CategoricalCPD(A, (Y,), [[0.25, 0.75], [1.0, 0.0]]),
        GaussianCPD(X, (Y, A), [[0, 4], [1, 9]], [[1, 4], [9, 1]]),
    )
    found = conditionals(network, "x")
    x = np.array([0.0, 2.5])
    expected = 0.25 * norm.pdf(x, 0, 1) + 0.75 * norm.pdf(x, 4, 2)
    np.testing.assert_allclose(found["n"].density(x), expected, rtol=1e-12)
    np.testing.assert_allclose(found["p"].density(x), norm.pdf(x, 1, 3), rtol=1e-12)
    assert len(found["p"].weights) == 1  # the state of probability 0 is no component


def test_a_continuous_parent_is_integrated_out():
    network = two_class_network(
        GaussianCPD(Z, (Y,), [1, 2], [4, 9]),
        CLGCPD(X, (Y, Z), [10, 20], [[0.5], [-1]], [1, 1]),
    )
    found = conditionals(network, "x")
    assert (found["n"].means, found["n"].variances) == ([10.5], [2.0])
    assert (found["p"].means, found["p"].variances) == ([18.0], [10.0])


def test_with_all_parents_given_it_is_the_factor():
    factor = CLGCPD(X, (Y, A, Z), [[0, 1], [2, 3]], [[[1], [2]], [[3], [4]]], [[1, 2], [3, 4]])
    network = two_class_network(
        CategoricalCPD(A, (Y,), [[0.5, 0.5], [1.0, 0.0]]), GaussianCPD(Z, (), 0, 1), factor
    )
    found = conditionals(network, "x", a="v", z=10.0)
    assert [m.means.tolist() for m in found.values()] == [[21.0], [43.0]]
    assert [m.variances.item() for m in found.values()] == pytest.approx([2.0, 4.0])


def test_a_class_that_excludes_what_is_given_has_no_density():
    network = two_class_network(
        CategoricalCPD(A, (Y,), [[0.5, 0.5], [1.0, 0.0]]),
        GaussianCPD(Z, (Y,), [0, 1], [1, 1]),
        CLGCPD(X, (Y, A, Z), np.zeros((2, 2)), np.ones((2, 2, 1)), np.ones((2, 2))),
    )
    found = conditionals(network, "x", a="v")
    assert found["p"] is None
    assert found["n"].means == [0.0]


def test_a_constant_parent_has_no_say():
    network = two_class_network(
        GaussianCPD(Z, (Y,), [3, 3], [0, 0]),
        GaussianCPD(number("w"), (Y,), [0, 1], [1, 1]),
        CLGCPD(X, (Y, Z, number("w")), [0, 0], [[0, 1], [0, 1]], [1, 1]),
    )
    free, known = conditionals(network, "x"), conditionals(network, "x", z=99.0)
    for state in ("n", "p"):
        assert free[state].means == known[state].means
        assert known[state].variances == [2.0]


@pytest.mark.parametrize("seed", range(40))
def test_it_is_the_quotient_of_the_network_s_joints(seed):
    rng = np.random.default_rng(seed)
    network = random_mixed_network(
        rng, 3, 4, with_class=seed % 5 > 0, zeros=0.2 if seed % 3 == 0 else 0.0
    )
    node = f"x{rng.integers(4)}"
    parents = [p for p in network.factors[node].parents if p.name != CLASS]
    given = {
        p.name: float(rng.normal()) if p.is_continuous else p.states[rng.integers(p.card)]
        for p in parents
        if rng.random() < 0.4
    }
    found = class_conditionals(Question(network, node, given))
    x = np.linspace(-15, 15, 7)
    with np.errstate(invalid="ignore"):
        expected = density_by_joint(network, node, given, x)
    for column, mixture in zip(expected.T, found.values(), strict=True):
        if mixture is None or np.isnan(column).any():
            # With all parents given there is a factor, possible or not.
            assert np.isnan(column).all()
        else:
            np.testing.assert_allclose(mixture.density(x), column, rtol=1e-9, atol=1e-14)


def test_the_full_network_of_iris_gives_each_class_its_own_normal_density():
    iris = load_iris(as_frame=True)
    frame = iris.data.assign(species=iris.target_names[iris.target])
    network = regressed_network(frame, "species")
    length, width = "petal length (cm)", "petal width (cm)"
    for node in network.structure.attributes:
        for state, mixture in conditionals(network, node).items():
            column = frame.loc[frame.species == state, node]
            assert mixture.means == pytest.approx([column.mean()], rel=1e-9)
            assert mixture.variances == pytest.approx([column.var(ddof=0)], rel=1e-9)
    given = class_conditionals(Question(network, width, {length: 5.0}))
    x = np.array([1.0, 1.5, 2.0])
    for state, mixture in given.items():
        rows = frame.loc[frame.species == state, [length, width]]
        pair = multivariate_normal(rows.mean(), rows.cov(ddof=0))
        joint = pair.pdf(np.column_stack([np.full(3, 5.0), x]))
        alone = norm.pdf(5.0, rows[length].mean(), rows[length].std(ddof=0))
        np.testing.assert_allclose(mixture.density(x), joint / alone, rtol=1e-7)


def test_too_many_configurations_are_refused_by_name():
    wide = [Variable(f"d{i}", states=tuple(range(40))) for i in range(2)]
    network = two_class_network(
        *(CategoricalCPD(v, (Y,), np.full((2, 40), 1 / 40)) for v in wide),
        GaussianCPD(X, (Y, *wide), np.zeros((2, 40, 40)), np.ones((2, 40, 40))),
    )
    with pytest.raises(BnclassError, match=r"'x'.* 1600 .*\['d0', 'd1'\].*at most 1024.*`given`"):
        conditionals(network, "x")
    assert len(conditionals(network, "x", d0=3)["n"].weights) == 40
    assert len(conditionals(network, "x", d0=3, d1=4)["n"].weights) == 1


@pytest.mark.parametrize("n_components", [1, 3, 300])
@pytest.mark.parametrize("spread", [1e-80, 1e-3, 1.0, 1e80])
def test_a_curve_integrates_to_one_whatever_the_widths_of_its_components(n_components, spread):
    rng = np.random.default_rng(0)
    mixture = Mixture(
        rng.dirichlet(np.ones(n_components)),
        rng.normal(0, 10, n_components) * spread,
        (rng.choice([1e-3, 0.1, 5.0], n_components) * spread) ** 2,
    )
    points, densities = mixture.curve()
    assert np.trapezoid(densities, points) == pytest.approx(1, abs=2e-3)
    assert (np.diff(points) > 0).all()


def test_a_component_of_no_weight_does_not_stretch_the_curve():
    mixture = Mixture(np.array([1 - 1e-9, 1e-9]), np.array([0.0, 1e6]), np.ones(2))
    assert mixture.curve()[0].max() == 4.0


VIEW = Variable("x (binned)", states=("low", "high"), source="x", cuts=(2.5,))


@pytest.mark.parametrize(
    ("given", "code"), [("low", 0), (2.5, 0), (2.6, 1), (np.float32(9), 1), (np.int64(-3), 0)]
)
def test_a_discretised_parent_takes_a_bin_or_a_number_in_it(given, code):
    network = two_class_network(
        CategoricalCPD(VIEW, (), [0.5, 0.5]),
        GaussianCPD(Z, (Y, VIEW), np.zeros((2, 2)), np.ones((2, 2))),
    )
    assert Question(network, "z", {"x (binned)": given}).known == {"x (binned)": code}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": 1}, r"given: 'y' is no parent of 'x', expected some of \['class', 'a', 'z'\]"),
        ({"x": 1}, "given: 'x' is no parent of 'x'"),
        ({"class": "n"}, "given: 'class' is the class, expected other parents of 'x'"),
        ({"a": "w"}, r"given: 'a' is 'w', expected one of \['u', 'v'\]"),
        ({"a": math.nan}, r"given: 'a' is nan, expected one of"),
        ({"z": "u"}, "given: 'z' is 'u', expected a number"),
        ({"z": math.nan}, "given: 'z' is nan, expected a number"),
        ({"z": math.inf}, "given: 'z' is inf, expected a number"),
        ({"z": True}, "given: 'z' is True, expected a number"),
        ({"z": None}, "given: 'z' is None, expected a number"),
    ],
    ids=str,
)
def test_what_cannot_be_given_is_refused_by_name(given, message):
    network = two_class_network(
        CategoricalCPD(A, (Y,), [[0.5, 0.5], [1.0, 0.0]]),
        GaussianCPD(Z, (Y,), [0, 1], [1, 1]),
        CLGCPD(X, (Y, A, Z), np.zeros((2, 2)), np.ones((2, 2, 1)), np.ones((2, 2))),
    )
    with pytest.raises(BnclassError, match=message):
        class_conditionals(Question(network, "x", given))


def test_a_fill_for_missing_cells_is_no_part_of_the_question():
    filled = replace(A, fill=1)
    network = two_class_network(
        CategoricalCPD(filled, (Y,), [[0.5, 0.5], [1.0, 0.0]]),
        GaussianCPD(X, (Y, filled), np.zeros((2, 2)), np.ones((2, 2))),
    )
    with pytest.raises(BnclassError, match="'a' is 'w'"):
        Question(network, "x", {"a": "w"})
