"""The mixed oracle held to laws, to SciPy and to numerical integration."""

import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from oracle import measures, structures
from oracle.gaussian import is_constant, resolution
from oracle.gaussian_measures import mixed_class_scores, mixed_pair_scores
from oracle.mixed import CONTINUOUS, continuous_columns, discrete_columns, make_mixed_table, query
from oracle.mixed_ensembles import (
    VARIANCES,
    gaode_log_joint,
    gaode_posterior,
    haode_log_joint,
    haode_member,
    haode_posterior,
    haode_views,
)
from oracle.mixed_posteriors import (
    MixedNetwork,
    log_joint,
    log_of_factors,
    log_of_joint_normal,
    mixed_posterior,
    mixed_spode_network,
    naive_bayes_network,
    naive_bayes_posterior,
)
from oracle.mixed_structures import mixed_full, mixed_kdb, mixed_spode, mixed_tan
from oracle.posteriors import Network, aode_joint, joint
from oracle.smoothing import MEstimate
from oracle.tables import make_table
from scipy import integrate, stats

SMOOTHING = MEstimate(1)
SEEDS = range(3)


def random_rows(seed, kinds, t=30, holes=0.15):
    """Rows of numbers ("n") and states ("s") that depend on the class and on one another."""
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(t):
        label = rng.choice("KLM")
        common = rng.gauss("KLM".index(label), 1)
        row = [
            common + rng.gauss(0, 0.5 + i) if kind == "n" else "uvw"[int(common > rng.random())]
            for i, kind in enumerate(kinds)
        ]
        rows.append([None if rng.random() < holes else x for x in row])
        labels.append(label)
    return rows, labels


def domains_of(kinds):
    return [CONTINUOUS if kind == "n" else ("u", "v", "w") for kind in kinds]


def random_table(seed, kinds, t=30, holes=0.15):
    rows, labels = random_rows(seed, kinds, t, holes)
    return make_mixed_table(rows, labels, domains=domains_of(kinds))


def every_network(table):
    yield naive_bayes_network(table, SMOOTHING)
    yield MixedNetwork(table, mixed_tan(table), SMOOTHING)
    yield MixedNetwork(table, mixed_kdb(table, 1), SMOOTHING)
    yield MixedNetwork(table, mixed_kdb(table, 2), SMOOTHING)
    yield MixedNetwork(table, mixed_full(table), SMOOTHING)
    yield replace(
        mixed_spode_network(table, SMOOTHING, discrete_or_first(table)), without_class={2}
    )


def discrete_or_first(table):
    return (discrete_columns(table) or [0])[0]


def density(network, row):
    return [math.exp(log) for log in log_joint(network, row).values()]


# --- against the discrete oracle ----------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_states_alone_are_the_discrete_oracle(seed):
    rows, labels = random_rows(seed, "ssss")
    mixed = make_mixed_table(rows, labels, domains=domains_of("ssss"))
    table = make_table(rows, labels, domains=domains_of("ssss"))
    assert mixed_class_scores(mixed) == measures.class_scores(table)
    assert mixed_pair_scores(mixed) == measures.pair_scores(table)
    assert mixed_tan(mixed, 2) == structures.tan(table, 2)
    assert mixed_kdb(mixed, 2) == structures.kdb(table, 2)
    parents = mixed_full(mixed)
    assert parents == structures.kdb(table, None)
    for row in rows[:5]:
        exact = joint(Network(table, parents, SMOOTHING), row)
        assert density(MixedNetwork(mixed, parents, SMOOTHING), row) == pytest.approx(
            [float(p) for p in exact.values()], rel=1e-13
        )
        exact = aode_joint(table, SMOOTHING, row)
        assert [math.exp(log) for log in haode_log_joint(mixed, SMOOTHING, row).values()] == (
            pytest.approx([float(p) for p in exact.values()], rel=1e-13)
        )


# --- against scipy ------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [(), (1,), (0, 3)])
@pytest.mark.parametrize("seed", SEEDS)
def test_full_network_on_numbers_is_a_normal_per_class(seed, missing):
    rows, labels = random_rows(seed, "nnnn", t=60, holes=0)
    table = make_mixed_table(rows, labels, domains=domains_of("nnnn"))
    network = MixedNetwork(table, mixed_full(table), SMOOTHING)
    query_row = [None if i in missing else 0.3 * i - 0.2 for i in range(4)]
    seen = [i for i in range(4) if i not in missing]
    for y, log in log_joint(network, query_row).items():
        block = np.array([row for row, label in zip(rows, labels, strict=True) if label == y])
        expected = stats.multivariate_normal.logpdf(
            [query_row[i] for i in seen],
            block.mean(0)[seen],
            np.cov(block.T, bias=True)[np.ix_(seen, seen)],
        )
        assert float(log - network.log_prior(y)) == pytest.approx(expected, abs=1e-10)


def test_gaussian_information_against_correlations_of_numpy():
    rows, labels = random_rows(5, "nn", t=50, holes=0)
    table = make_mixed_table(rows, labels, domains=domains_of("nn"))
    columns, labels = np.array(rows), np.array(labels)
    expected = 0
    for y in "KLM":
        block = columns[labels == y]
        expected -= len(block) / 50 * math.log(1 - np.corrcoef(block.T)[0, 1] ** 2) / 2
    assert mixed_pair_scores(table)[0][1] == pytest.approx(expected * 2**40, rel=1e-10)


# --- laws of probability ------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", ["nsns", "snnn", "nnnn", "ssnn"])
def test_no_state_depends_on_a_number(kinds):
    for seed in SEEDS:
        table = random_table(seed, kinds)
        numbers = set(continuous_columns(table))
        for network in every_network(table):
            assert sorted(network.parents) == [0, 1, 2, 3]
            for i, parents in network.parents.items():
                assert i in numbers or not numbers & set(parents)


@pytest.mark.parametrize("kinds", ["nsns", "nnns"])
@pytest.mark.parametrize("seed", SEEDS)
def test_factors_multiply_to_the_joint_normal(seed, kinds):
    table = random_table(seed, kinds)
    row = query(table, [0.7, "v" if kinds[1] == "s" else -1, 2.5, "u"])
    for network in every_network(table):
        for y in "KLM":
            product = log_of_factors(network, row, y)
            assert float(product) == pytest.approx(
                float(log_of_joint_normal(network, row, y)), abs=1e-18, rel=1e-18
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_observed_leaves_the_prior(seed):
    table = random_table(seed, "nsns")
    for network in every_network(table):
        prior = [math.exp(network.log_prior(y)) for y in table.classes]
        assert density(network, [None] * 4) == pytest.approx(prior, rel=1e-14)


@pytest.mark.parametrize(("gap", "row"), [(0, [None, "u", None]), (2, [None, "v", None])])
def test_densities_integrate_to_the_probability_of_the_states(gap, row):
    # A grid as fine as the smallest standard deviation a floor allows: the sum is the integral.
    table = random_table(2, "nsn", t=16)
    network = MixedNetwork(table, mixed_full(table), SMOOTHING)
    step = resolution(table, gap) / 6
    total = np.zeros(3)
    for k in range(-int(20 / step), int(20 / step)):
        row[gap] = k * step
        total += np.array(density(network, row)) * float(step)
    row[gap] = None
    assert total == pytest.approx(density(network, row), rel=1e-6)


ROWS_WITH_GAPS = [(0, [None, "u", 0.4, -1]), (2, [0.4, None, None, None])]


@pytest.mark.parametrize(("gap", "row"), ROWS_WITH_GAPS)
def test_missing_cells_agree_with_quadrature(gap, row):
    table = random_table(2, "nsnn", t=120, holes=0.05)
    for network in every_network(table):

        def completed(x, network=network):
            filled = [*row]
            filled[gap] = Fraction(float(x))
            return density(network, filled)[1]

        integral, _ = integrate.quad(
            completed, -30, 30, points=[-4, 0, 2, 5], epsabs=1e-9, epsrel=1e-8
        )
        assert density(network, row)[1] == pytest.approx(integral, rel=1e-6)


@pytest.mark.parametrize("variance", VARIANCES)
def test_gaode_with_missing_cells_agrees_with_quadrature(variance):
    table = random_table(1, "nnn")

    def completed(x):
        row = [0.4, Fraction(float(x)), -0.6]
        return math.exp(gaode_log_joint(table, SMOOTHING, row, variance)["K"])

    log = gaode_log_joint(table, SMOOTHING, [0.4, None, -0.6], variance)["K"]
    integral, _ = integrate.quad(completed, -30, 30, points=[-4, 0, 2, 5], epsabs=1e-9, epsrel=1e-8)
    assert math.exp(log) == pytest.approx(integral, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_haode_member_is_the_spode_network_over_the_view(seed):
    table = random_table(seed, "nsns")
    rows = [row for row in table.rows if row[0] is not None][:6]
    for view in haode_views(table, {0: (0.5, 1.5), 2: (1.0,)}):
        j = view.superparent
        network = mixed_spode_network(view.table, SMOOTHING, j)
        for row in rows:
            if row[j] is None:
                continue
            binned = (*row[:j], view.state(row), *row[j + 1 :])
            width = math.prod(resolution(table, i) for i in (0, 2) if i != j and row[i] is not None)
            for y, log in log_joint(network, binned).items():
                member = haode_member(view, SMOOTHING, row, y)
                assert float(member - log) == pytest.approx(math.log(width), abs=1e-14)


# --- units, weights, order ----------------------------------------------------------------------


def every_posterior(table, row):
    """Posteriors of all models that the columns allow."""
    answers = [mixed_posterior(network, row) for network in every_network(table)]
    answers.append(haode_posterior(table, SMOOTHING, row))
    if not discrete_columns(table):
        answers += [gaode_posterior(table, SMOOTHING, row, kind) for kind in VARIANCES]
    return answers


@pytest.mark.parametrize("kinds", ["nsns", "nnnn"])
@pytest.mark.parametrize("seed", SEEDS)
def test_units_change_no_posterior(seed, kinds):
    rows, labels = random_rows(seed, kinds)
    table = make_mixed_table(rows, labels, domains=domains_of(kinds))

    def changed(row):  # exact in fractions; the new unit is no double's neighbour
        return [row[0] and Fraction(row[0]) / 3 * 10**6, *row[1:]]

    scaled = make_mixed_table([changed(r) for r in rows], labels, domains=domains_of(kinds))
    for row in rows[:4]:
        pairs = zip(every_posterior(table, row), every_posterior(scaled, changed(row)), strict=True)
        for plain, other in pairs:
            assert other == pytest.approx(plain, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_new_origin_changes_no_posterior_but_hugin_s(seed):
    rows, labels = random_rows(seed, "nnnn")
    table = make_mixed_table(rows, labels, domains=domains_of("nnnn"))

    def changed(row):
        return [None if row[0] is None else Fraction(row[0]) + 10**6, *row[1:]]

    moved = make_mixed_table([changed(r) for r in rows], labels, domains=domains_of("nnnn"))
    row = [0.3, 1, None, -2]
    plain, other = every_posterior(table, row), every_posterior(moved, changed(row))
    hugin = len(plain) - 3 + list(VARIANCES).index("hugin")
    for place, (a, b) in enumerate(zip(plain, other, strict=True)):
        if place == hugin:  # its mean is not centred, so the origin of a parent matters
            assert b != pytest.approx(a, abs=1e-3)
        else:
            assert b == pytest.approx(a, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("kinds", ["nsns", "nnnn"])
def test_weights_are_repeated_rows(kinds):
    rows, labels = random_rows(7, kinds, t=20)
    weights = [random.Random(7 * k).randint(0, 3) for k in range(20)]
    weighted = make_mixed_table(rows, labels, weights, domains=domains_of(kinds))
    order = [k for k, weight in enumerate(weights) for _ in range(weight)]
    repeated = make_mixed_table(
        [rows[k] for k in order], [labels[k] for k in order], domains=domains_of(kinds)
    )
    assert mixed_pair_scores(weighted) == mixed_pair_scores(repeated)
    for row in rows[:3]:
        pairs = zip(every_posterior(weighted, row), every_posterior(repeated, row), strict=True)
        for one, other in pairs:
            assert one == pytest.approx(other, rel=1e-14)


# --- edge cases by name -------------------------------------------------------------------------


def awkward():
    """A constant column, collinear columns, a class of one row, a cell of one row."""
    rows = [
        (0.5, 1.0, 7, "p", 1),
        (1.5, 3.0, 7, "p", 2),
        (2.5, 5.0, 7, "q", 4),
        (4.0, 8.0, 7, "q", 4),
        (3.0, 6.0, 7, "q", None),
        (9.0, 18.0, None, "p", 0),
    ]
    return make_mixed_table(rows, "aaabbc", domains=[CONTINUOUS] * 3 + [None, CONTINUOUS])


@pytest.mark.parametrize(
    "row", [(1, 2, 7, "p", 3), (None, 2, 8, None, None), (1e6, -1e6, 7, "q", 0)]
)
def test_awkward_tables_give_probabilities(row):
    table = awkward()
    assert is_constant(table, 2)
    for posterior in every_posterior(table, row):
        assert all(0 <= p <= 1 for p in posterior)
        assert sum(posterior) == pytest.approx(1, abs=1e-14)


def test_a_constant_column_changes_no_structure_but_its_own_place():
    table = awkward()
    scores = mixed_pair_scores(table)
    assert mixed_class_scores(table)[2] == 0
    assert {scores[2][i] for i in range(5) if i != 2} == {0}
    without = make_mixed_table(
        [[*row[:2], *row[3:]] for row in table.rows],
        table.labels,
        domains=[CONTINUOUS, CONTINUOUS, None, CONTINUOUS],
    )
    row = (1, 2, 7, "p", 3)
    assert naive_bayes_posterior(table, SMOOTHING, row) == pytest.approx(
        naive_bayes_posterior(without, SMOOTHING, [*row[:2], *row[3:]]), rel=1e-15
    )
    spode = MixedNetwork(table, mixed_spode(table), SMOOTHING, 3)
    other = MixedNetwork(without, mixed_spode(without), SMOOTHING, 2)
    assert mixed_posterior(spode, row) == pytest.approx(
        mixed_posterior(other, [*row[:2], *row[3:]]), rel=1e-15
    )


def test_far_away_numbers_underflow_nothing():
    table = random_table(3, "nnnn")
    for posterior in every_posterior(table, [1e8, -1e8, 1e8, None]):
        assert sum(posterior) == pytest.approx(1, abs=1e-14)
    joint_far = gaode_log_joint(table, SMOOTHING, [1e8] * 4)
    assert all(-(10**25) < log < -(10**9) for log in joint_far.values())
