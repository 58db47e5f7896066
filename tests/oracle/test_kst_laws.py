"""The oracle of KST, ATAN and subsumption resolution held to laws, on small random tables."""

import itertools
import math
import random

import pytest
from oracle.averages import atan_joint, atan_posterior
from oracle.kst_measures import DEPENDENCES, information, local_measures, local_quotient
from oracle.kst_posteriors import kst_joint, kst_posterior
from oracle.kst_structures import correlation_order, kst_global, kst_local
from oracle.measures import conditional_mutual_information, pair_scores
from oracle.posteriors import Network, aode_joint, joint, posterior
from oracle.smoothing import BDeu, Laplace, MEstimate
from oracle.structures import naive_bayes, tan
from oracle.subsumption import aode_sr_joint
from oracle.tables import Y, contingency, make_table

SEEDS = range(5)


def random_table(seed, holes=0.2, n=4, t=40):
    """Attributes of two or three states that depend on the class and on one another."""
    rng = random.Random(seed)
    domains = [tuple("uvw"[: rng.randint(2, 3)]) for _ in range(n)]
    rows, labels = [], []
    for _ in range(t):
        label = rng.choice("KLM")
        first = rng.randrange(2)
        row = [
            states[first] if rng.random() < 0.3 + 0.1 * i + 0.2 * (label == "K") else None
            for i, states in enumerate(domains)
        ]
        row = [rng.choice(s) if x is None else x for x, s in zip(row, domains, strict=True)]
        rows.append([None if rng.random() < holes else x for x in row])
        labels.append(label)
    return make_table(rows, labels, domains=domains)


def some_rows(table, seed, holes=0.3, count=12):
    rng = random.Random(seed)
    return [
        tuple(None if rng.random() < holes else rng.choice(states) for states in table.domains)
        for _ in range(count)
    ]


# --- measures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_local_measures_of_joint_weights_sum_to_the_global_one(seed):
    """With P(x,z,u) in place of 1 and nothing added to the counts, over all value pairs."""
    table = random_table(seed, holes=0)
    t = len(table.rows)
    for i, j, p in itertools.permutations(range(4), 3):
        for given in [(Y,), (p,), (p, Y)]:
            terms = [
                count / t * math.log(local_quotient(table, (i, x), (j, z), pairs(given, u), 0))
                for (x, z, *u), count in contingency(table, (i, j, *given)).items()
            ]
            expected = information(table, i, j, given)
            assert math.fsum(terms) == pytest.approx(expected, abs=1e-14)
            assert expected > 1e-6


def pairs(variables, values):
    return tuple(zip(variables, values, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_general_measure_is_the_special_one(seed):
    table = random_table(seed)
    for i, j in itertools.combinations(range(4), 2):
        expected = conditional_mutual_information(table, i, j)
        assert information(table, i, j, (Y,)) == information(table, j, i, (Y,)) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_chain_rule(seed):
    """I(X;Z|Y) + I(X;P|Z,Y) = I(X;P|Y) + I(X;Z|P,Y)."""
    table = random_table(seed, holes=0)
    for x, z, p in itertools.permutations(range(4), 3):
        one = information(table, x, z, (Y,)) + information(table, x, p, (z, Y))
        other = information(table, x, p, (Y,)) + information(table, x, z, (p, Y))
        assert one == pytest.approx(other, abs=1e-13)


# --- KST ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_of_k(seed, dependence):
    table, smoothing = random_table(seed), MEstimate(1)
    bayes = Network(table, naive_bayes(table), smoothing)
    for row in some_rows(table, seed):
        assert kst_joint(table, smoothing, row, 0, dependence) == joint(bayes, row)
        order = correlation_order(local_measures(table, row, dependence))
        for k in (1, 2, 3, 7):
            parents = kst_local(table, row, k, dependence)
            assert list(parents) == order
            for position, i in enumerate(order):
                assert len(parents[i]) == min(k, position)
                assert set(parents[i]) <= set(order[:position])
                if position <= k:
                    assert set(parents[i]) == set(order[:position])


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_global_member_alone_is_its_network(seed, dependence):
    table = random_table(seed)
    for smoothing, k in itertools.product([MEstimate(0), Laplace(1), BDeu(2)], [1, 2]):
        network = Network(table, kst_global(table, k, dependence), smoothing)
        for row in some_rows(table, seed, count=5):
            options = {"k": k, "dependence": dependence}
            alone = kst_posterior(table, smoothing, row, members="global", **options)
            assert alone == posterior(network, row)
            assert kst_posterior(table, smoothing, row, weights=(7, 0), **options) == alone


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_local_member_alone_is_the_network_of_its_row(seed, dependence):
    table = random_table(seed)
    other = DEPENDENCES[dependence == DEPENDENCES[0]]
    rows = some_rows(table, seed, holes=0.1)
    assert any(kst_local(table, r, 1, dependence) != kst_local(table, r, 1, other) for r in rows)
    for row in rows:
        network = Network(table, kst_local(table, row, 1, dependence), BDeu(2))
        options = {"k": 1, "dependence": dependence}
        assert kst_joint(table, BDeu(2), row, members="local", **options) == joint(network, row)
        assert kst_joint(table, BDeu(2), row, weights=(0, 1), **options) == joint(network, row)


def test_rows_differ_in_their_local_structure():
    table = random_table(0)
    structures = {tuple(kst_local(table, row, 1).items()) for row in some_rows(table, 0, 0, 30)}
    assert len(structures) > 5


@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("seed", SEEDS)
def test_integer_weights_are_repeated_rows(seed, dependence):
    plain = random_table(seed)
    weights = [random.Random(seed + i).randint(0, 3) for i in range(len(plain.rows))]
    weighted = make_table(plain.rows, plain.labels, weights, plain.domains)
    repeated = make_table(
        [row for row, w in zip(plain.rows, weights, strict=True) for _ in range(w)],
        [label for label, w in zip(plain.labels, weights, strict=True) for _ in range(w)],
        domains=plain.domains,
    )
    for row in some_rows(plain, seed, count=4):
        for k in (1, 2):
            one = kst_joint(weighted, MEstimate(1), row, k, dependence)
            assert one == kst_joint(repeated, MEstimate(1), row, k, dependence)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_attribute_may_as_well_not_be_there(seed):
    """The local member of a row without its last value is that of the table without it."""
    table = random_table(seed)
    smaller = make_table([row[:-1] for row in table.rows], table.labels, domains=table.domains[:-1])
    for row in some_rows(smaller, seed, count=6):
        options = {"k": 1, "members": "local"}
        longer = kst_joint(table, BDeu(1), (*row, None), **options)
        assert longer == kst_joint(smaller, BDeu(1), row, **options)


# --- ATAN ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [MEstimate(0), BDeu(3)], ids=repr)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_joint_average_is_tan_without_a_tie_on_complete_data(seed, smoothing):
    table = random_table(seed, holes=0)
    edges = [score for i, row in enumerate(pair_scores(table)) for score in row[:i]]
    assert len(set(edges)) == len(edges)  # else another root may mean another tree
    network = Network(table, tan(table), smoothing)
    for row in [*itertools.product(*table.domains), *some_rows(table, seed)]:
        for weights in ("uniform", "mutual-information"):
            assert atan_joint(table, smoothing, row, weights) == joint(network, row)
        assert atan_posterior(table, smoothing, row) == posterior(network, row)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_average_is_not_tan_with_the_m_estimate(seed):
    table = random_table(seed, holes=0)
    network = Network(table, tan(table), MEstimate(1))
    row = table.rows[0]
    assert atan_posterior(table, MEstimate(1), row) != posterior(network, row)


# --- subsumption --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copied_column_changes_nothing(seed):
    table = random_table(seed, holes=0)
    longer = make_table(
        [(*row, row[0]) for row in table.rows],
        table.labels,
        domains=[*table.domains, table.domains[0]],
    )
    for row in table.rows:
        expected = aode_sr_joint(table, MEstimate(1), row, 1)
        assert aode_sr_joint(longer, MEstimate(1), (*row, row[0]), 1) == expected
        assert aode_joint(longer, MEstimate(1), (*row, row[0])) != expected
