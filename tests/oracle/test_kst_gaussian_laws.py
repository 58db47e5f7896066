"""The oracle of KST on numbers held to laws, to NumPy, to SciPy and to numerical integration."""

import itertools
import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from oracle.gaussian import clg
from oracle.kst_gaussian import (
    global_log_joint,
    kst_gaussian_global,
    kst_gaussian_local,
    kst_gaussian_log_joint,
    kst_gaussian_posterior,
    local_log_joint,
    narrowest_gap,
)
from oracle.kst_gaussian_measures import (
    gaussian_information,
    global_gaussian_measures,
    known_numbers,
    local_gaussian_information,
    local_gaussian_measures,
    local_term,
    pair_left,
)
from oracle.kst_measures import DEPENDENCES
from oracle.kst_structures import correlation_order
from oracle.mixed import CONTINUOUS, make_mixed_table
from oracle.mixed_posteriors import MixedNetwork, log_joint, naive_bayes_network
from oracle.smoothing import BDeu, Laplace, MEstimate
from oracle.tables import Y
from scipy import stats

SMOOTHING = MEstimate(1)
SEEDS = range(2)
N = 4


def random_rows(seed, holes=0.0, t=24, n=N):
    """Rows of numbers that depend on the class and on one another, otherwise in every class."""
    rng = random.Random(seed)
    rows, labels = [], []
    for _ in range(t):
        label = rng.choice("KLM")
        common, other = rng.gauss("KLM".index(label), 1), rng.gauss(0, 1)
        row = [
            common * rng.choice([0.5, 1]) + (i % 2) * other + rng.gauss(0, 0.3 + i / 3)
            for i in range(n)
        ]
        rows.append([None if rng.random() < holes else round(x, 3) for x in row])
        labels.append(label)
    return rows, labels


def numbers(rows, labels, weights=None):
    return make_mixed_table(rows, labels, weights, domains=[CONTINUOUS] * len(rows[0]))


def random_table(seed, holes=0.0, t=24, n=N):
    return numbers(*random_rows(seed, holes, t, n))


def some_rows(seed, holes=0.3, count=4, n=N):
    rng = random.Random(seed + 100)
    return [
        tuple(None if rng.random() < holes else round(rng.gauss(1, 1.5), 3) for _ in range(n))
        for _ in range(count)
    ]


def every_given(i, j):
    """Return all that can stand right of the bar of a measure of two attributes."""
    others = [p for p in range(N) if p not in (i, j)]
    return [(Y,), *((p, Y) for p in others), *((p,) for p in others)]


def triples():
    """Return every measure there is: two attributes and what is given."""
    return [
        (i, j, given) for i, j in itertools.combinations(range(N), 2) for given in every_given(i, j)
    ]


def blocks(rows, labels, given):
    """Return the rows of every class, or all rows together if the class is not given."""
    columns, labels = np.array(rows, float), np.array(labels)
    return [columns[labels == y] for y in "KLM"] if Y in given else [columns]


# --- measures against other people's ------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_partial_correlations_are_those_of_the_inverse_covariance_matrix(seed):
    rows, labels = random_rows(seed, t=40)
    table = numbers(rows, labels)
    for i, j, given in triples():
        used = [i, j, *(p for p in given if p != Y)]
        expected = 0
        for block in blocks(rows, labels, given):
            inverse = np.linalg.inv(np.cov(block[:, used].T))
            square = inverse[0, 1] ** 2 / (inverse[0, 0] * inverse[1, 1])
            expected -= len(block) / len(rows) * math.log(1 - square) / 2
        assert gaussian_information(table, i, j, given) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_local_terms_are_quotients_of_densities(seed):
    """ln p(i,j|p) / (p(i|p) p(j|p)) = ln p(i,j,p) + ln p(p) - ln p(i,p) - ln p(j,p)."""
    rows, labels = random_rows(seed, t=40)
    table = numbers(rows, labels)

    def log_density(block, row, used):
        if not used:
            return 0.0
        normal = stats.multivariate_normal(
            block[:, used].mean(0), np.cov(block[:, used].T, bias=True)
        )
        return normal.logpdf([row[v] for v in used])

    for row in some_rows(seed, holes=0, count=2):
        for i, j, given in triples():
            p = [v for v in given if v != Y]
            terms = [
                log_density(block, row, [i, j, *p])
                + log_density(block, row, p)
                - log_density(block, row, [i, *p])
                - log_density(block, row, [j, *p])
                for block in blocks(rows, labels, given)
            ]
            expected = math.fsum(terms) * 3 / len(terms)  # K = 3 equal terms without the class
            found = local_gaussian_information(table, row, i, j, given)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_chain_rule(seed):
    """I(X;Z|Y) + I(X;P|Z,Y) = I(X;P|Y) + I(X;Z|P,Y), and the same of the terms of a row."""
    table, row = random_table(seed), some_rows(seed, holes=0)[0]

    def of_all(i, j, given):
        return gaussian_information(table, i, j, given)

    def of_row(i, j, given):
        return local_gaussian_information(table, row, i, j, given)

    for x, z, p in itertools.permutations(range(N), 3):
        for measure in (of_all, of_row):
            one = measure(x, z, (Y,)) + measure(x, p, (z, Y))
            other = measure(x, p, (Y,)) + measure(x, z, (p, Y))
            assert one == pytest.approx(other, rel=1e-12, abs=1e-13)


# --- the local measure and the global one -------------------------------------------------------


def collinear(seed):
    """The fourth column is the first plus twice the third: some correlations are bounded."""
    rows, labels = random_rows(seed)
    return numbers([[a, b, c, a + 2 * c] for a, b, c, _ in rows], labels)


def expected_term(table, i, j, given, at):
    """Integrate the term of a row over its own normal, by the nodes of Gauss and Hermite."""
    left = pair_left(table, i, j, given, at)
    if left is None:
        return 0.0
    nodes, shares = np.polynomial.hermite_e.hermegauss(4)
    rho = math.copysign(math.sqrt(1 - left.unexplained), left.covariance)
    row, total = [None] * N, 0.0
    p = next((v for v in given if v != Y), None)
    corners = itertools.product(zip(nodes, shares, strict=True), repeat=2)
    for (a, share_a), (b, share_b) in corners:
        parent = Fraction(5, 7)  # the term is of residuals: any number will do
        if p is not None:
            row[p] = parent
        z = a, rho * a + math.sqrt(left.unexplained) * b
        for variable, residual, deviation in zip((i, j), left[:2], z, strict=True):
            middle = residual.mean + residual.slope * (parent - residual.parent_mean)
            row[variable] = middle + Fraction(deviation * math.sqrt(residual.variance))
        total += share_a * share_b * float(local_term(table, row, i, j, given, at))
    return total / (2 * math.pi)


@pytest.mark.parametrize("make", [random_table, collinear])
def test_mean_of_the_local_terms_is_the_global_measure(make):
    table = make(0)
    t = len(table.rows)
    bounded = False
    for i, j, given in triples():
        total = 0.0
        for at in [((Y, y),) for y in "KLM"] if Y in given else [()]:
            left = pair_left(table, i, j, given, at)
            if left is not None:
                rest = left.covariance**2 / (left.first.variance * left.second.variance)
                bounded |= 1 - rest < left.unexplained
            share = table.labels.count(at[0][1]) / t if at else 1
            total += share * expected_term(table, i, j, given, at)
        assert total == pytest.approx(gaussian_information(table, i, j, given), rel=1e-9, abs=1e-12)
    assert bounded is (make is collinear)


def test_what_follows_from_the_third_has_nothing_left_to_tell():
    # The fourth column is a line of the first in every class and over all
    rows, labels = random_rows(1)
    table = numbers([[a, b, c, Fraction(a) * 3 - 1] for a, b, c, _ in rows], labels)
    row = some_rows(1, holes=0)[0]
    for i, p in [(0, 3), (3, 0)]:
        for j in (1, 2):
            assert gaussian_information(table, i, j, (Y,)) > 0
            for given in [(p,), (p, Y)]:
                assert gaussian_information(table, i, j, given) == 0
                assert local_gaussian_information(table, row, i, j, given) == 0


# --- structures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_k(seed, dependence):
    table = random_table(seed, holes=0.1)
    for row in some_rows(seed):
        of_all = global_gaussian_measures(table, dependence)
        of_row = local_gaussian_measures(table, row, dependence)
        assert of_row.columns == tuple(i for i, x in enumerate(row) if x is not None)
        for k in (0, 1, 2, 3, 7):
            for measures, parents in [
                (of_all, kst_gaussian_global(table, k, dependence)),
                (of_row, kst_gaussian_local(table, row, k, dependence)),
            ]:
                order = correlation_order(measures)
                assert list(parents) == order
                for position, i in enumerate(order):
                    assert len(parents[i]) == min(k, position)
                    assert set(parents[i]) <= set(order[:position])


def test_rows_and_dependences_differ_in_their_structure():
    table = random_table(0)
    rows = some_rows(0, holes=0, count=12)
    by_dependence = [[kst_gaussian_local(table, row, 1, d) for row in rows] for d in DEPENDENCES]
    assert len({tuple(parents.items()) for parents in by_dependence[0]}) > 5
    assert by_dependence[0] != by_dependence[1]
    # decisions of random numbers are no close ones
    for row in rows:
        assert narrowest_gap(local_gaussian_measures(table, row), 1) > 2**40 * 1e-6


# --- members ------------------------------------------------------------------------------------


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("seed", SEEDS)
def test_without_parents_it_is_gaussian_naive_bayes(seed, holes):
    table = random_table(seed, holes)
    bayes = naive_bayes_network(table, SMOOTHING)
    for row in some_rows(seed):
        expected = [math.exp(log) for log in log_joint(bayes, row).values()]
        for members in ("global", "local", "both"):
            found = kst_gaussian_log_joint(table, SMOOTHING, row, 0, members=members)
            assert [math.exp(log) for log in found.values()] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("seed", SEEDS)
def test_with_all_parents_both_members_are_the_normal_of_every_class(seed):
    rows, labels = random_rows(seed, t=60)
    table = numbers(rows, labels)
    row = some_rows(seed, holes=0)[0]
    prior = Laplace(1)
    expected = [
        stats.multivariate_normal(block.mean(0), np.cov(block.T, bias=True)).logpdf(row)
        + math.log((len(block) + 1) / (60 + 3))
        for block in blocks(rows, labels, (Y,))
    ]
    for member in (global_log_joint, local_log_joint):
        found = [float(log) for log in member(table, prior, row, N - 1).values()]
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_members_are_the_networks_of_their_structures(seed, dependence):
    table = random_table(seed, holes=0.1)
    for row, smoothing in zip(some_rows(seed), [MEstimate(0), BDeu(2), Laplace(3)], strict=False):
        for k in (1, 2):
            network = MixedNetwork(table, kst_gaussian_global(table, k, dependence), smoothing)
            expected = log_joint(network, row)
            assert global_log_joint(table, smoothing, row, k, dependence) == expected
            options = {"dependence": dependence, "members": "global"}
            assert kst_gaussian_log_joint(table, smoothing, row, k, **options) == expected
            network = MixedNetwork(table, kst_gaussian_local(table, row, k, dependence), smoothing)
            expected = log_joint(network, row)
            assert local_log_joint(table, smoothing, row, k, dependence) == expected
            options = {"dependence": dependence, "members": "local"}
            assert kst_gaussian_log_joint(table, smoothing, row, k, **options) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_the_local_member_multiplies_the_densities_of_what_is_there(seed):
    table = random_table(seed, holes=0.1)
    for row in some_rows(seed):
        cells = known_numbers(table, row)
        parents = kst_gaussian_local(table, row, 2)
        found = local_log_joint(table, SMOOTHING, row, 2)
        for y in "KLM":
            expected = math.log((table.labels.count(y) + 1 / 3) / (len(table.rows) + 1))
            for i, above in parents.items():
                factor = clg(table, i, above, ((Y, y),))
                mean = factor.mean([cells[j] for j in above])
                expected += stats.norm.logpdf(row[i], float(mean), math.sqrt(factor.variance))
            assert float(found[y]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_attribute_may_as_well_not_be_there(seed):
    """The local member of a row without its last number is that of the table without it."""
    rows, labels = random_rows(seed, holes=0.1)
    table, smaller = numbers(rows, labels), numbers([row[:-1] for row in rows], labels)
    for row in some_rows(seed, holes=0.1, n=N - 1):
        for k in (1, 2):
            longer = local_log_joint(table, SMOOTHING, (*row, None), k)
            shorter = local_log_joint(smaller, SMOOTHING, row, k)
            assert [*longer.values()] == pytest.approx([*shorter.values()], rel=Decimal("1e-25"))
            assert kst_gaussian_local(table, (*row, None), k) == (
                kst_gaussian_local(smaller, row, k)
            )


# --- units, weights, order ----------------------------------------------------------------------


def answers(table, row, k):
    """Structures and posteriors of all kinds, exact where they are discrete."""
    structures = [kst_gaussian_global(table, k, d) for d in DEPENDENCES]
    structures += [kst_gaussian_local(table, row, k, d) for d in DEPENDENCES]
    posteriors = [
        kst_gaussian_posterior(table, SMOOTHING, row, k, d, "both", (2, 1), average)
        for d in DEPENDENCES
        for average in ("joint", "posterior")
    ]
    return structures, posteriors


UNITS = [(1, 0), (Fraction(10**6, 3), 0), (-2, Fraction(1, 7)), (Fraction(1, 10**5), 10**6)]


@pytest.mark.parametrize("seed", SEEDS)
def test_units_change_no_measure_no_structure_and_no_posterior(seed):
    rows, labels = random_rows(seed, holes=0.1)

    def changed(row):  # exact in fractions
        return [
            None if x is None else Fraction(x) * scale + origin
            for x, (scale, origin) in zip(row, UNITS, strict=True)
        ]

    table, other = numbers(rows, labels), numbers([changed(row) for row in rows], labels)
    for row in some_rows(seed, count=3):
        new = changed(row)
        for i, j, given in triples():
            assert gaussian_information(table, i, j, given) == (
                gaussian_information(other, i, j, given)
            )
            if all(row[v] is not None for v in (i, j, *given) if v != Y):
                assert local_gaussian_information(
                    table, known_numbers(table, row), i, j, given
                ) == (local_gaussian_information(other, known_numbers(other, new), i, j, given))
        for k in (1, 2):
            structures, posteriors = answers(table, row, k)
            new_structures, new_posteriors = answers(other, new, k)
            assert new_structures == structures
            for one, two in zip(posteriors, new_posteriors, strict=True):
                assert two == pytest.approx(one, rel=1e-13, abs=1e-15)


def test_weights_are_repeated_rows():
    rows, labels = random_rows(7, holes=0.1, t=16)
    weights = [random.Random(7 * k).randint(0, 3) for k in range(16)]
    order = [k for k, weight in enumerate(weights) for _ in range(weight)]
    weighted = numbers(rows, labels, weights)
    repeated = numbers([rows[k] for k in order], [labels[k] for k in order])
    for row in some_rows(7):
        assert answers(weighted, row, 2) == answers(repeated, row, 2)


def test_other_places_of_the_columns_change_names_only():
    rows, labels = random_rows(3, holes=0.1)
    places = [2, 0, 3, 1]
    table, other = numbers(rows, labels), numbers([[r[i] for i in places] for r in rows], labels)
    for row in some_rows(3, holes=0.1):
        structures, posteriors = answers(table, row, 2)
        found, new_posteriors = answers(other, [row[i] for i in places], 2)
        named = [
            {places[i]: tuple(sorted(places[j] for j in js)) for i, js in parents.items()}
            for parents in found
        ]
        assert named == structures
        for one, two in zip(posteriors, new_posteriors, strict=True):
            assert two == pytest.approx(one, rel=1e-13)


def test_joints_are_averaged_between_the_members():
    table, row = random_table(4), some_rows(4, holes=0)[0]
    of_all, of_row = (m(table, SMOOTHING, row, 1) for m in (global_log_joint, local_log_joint))
    assert of_all != of_row
    found = kst_gaussian_log_joint(table, SMOOTHING, row, 1, weights=(1, 3))
    for y in "KLM":
        expected = (math.exp(of_all[y]) + 3 * math.exp(of_row[y])) / 4
        assert math.exp(found[y]) == pytest.approx(expected, rel=1e-14)


# --- edge cases by name -------------------------------------------------------------------------


def awkward():
    """Collinear and copied columns, a constant one, holes, a class of one row, one without a."""
    rows = [
        (0.5, 1, 0.5, 7, 1),
        (1.5, 3, 1.5, 7, 2),
        (2.5, 5, 2.5, 7, 4),
        (4, 8, 4, 7, 4),
        (3, 6, 3, 7, None),
        (9, 18, 9, None, 0),
        (None, None, 2, 7, 5),
        (None, 4, 1, 7, 3),
    ]
    return numbers(rows, "aaabbcdd")


AWKWARD_ROWS = [(1, 2, 1, 7, 3), (None, 2, 1, 8, None), (1e6, -1e6, 7, None, 0), (9, 18, 9, 7, 0)]


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("row", AWKWARD_ROWS)
def test_awkward_tables_give_probabilities(row, k):
    table = awkward()
    for posterior in answers(table, row, k)[1]:
        assert all(0 <= p <= 1 for p in posterior)
        assert sum(posterior) == pytest.approx(1, abs=1e-14)


def test_a_class_below_two_rows_tells_nothing_and_has_a_factor_still():
    table = awkward()
    c = ((Y, "c"),)
    assert pair_left(table, 0, 1, (Y,), c) is None
    assert local_term(table, (1, 2, 1, 7, 3), 0, 1, (Y,), c) == 0
    log = local_log_joint(table, SMOOTHING, (1, 2, 1, 7, 3), 2)
    assert all(math.isfinite(x) for x in log.values())


def test_copies_tie_and_the_lower_column_wins():
    rows, labels = random_rows(2)
    table = numbers([[*row[:2], *row[:2]] for row in rows], labels)
    measures = global_gaussian_measures(table)
    assert measures.pair(0, 1) == measures.pair(2, 3) == measures.pair(0, 3)
    order = list(kst_gaussian_global(table, 1))
    assert order.index(0) < order.index(2)
    assert order.index(1) < order.index(3)
    row = (0.3, -1, 0.3, -1)
    order = list(kst_gaussian_local(table, row, 1))
    assert order.index(0) < order.index(2)
    assert order.index(1) < order.index(3)
