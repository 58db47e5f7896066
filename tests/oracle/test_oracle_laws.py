"""The oracle held to the laws of probability, exactly, on small random tables with holes."""

import itertools
import random

import pytest
from oracle.posteriors import (
    Network,
    aode_joint,
    aode_posterior,
    joint,
    member,
    posterior,
    spode_network,
)
from oracle.smoothing import BDeu, Laplace, MEstimate
from oracle.structures import default_superparent, kdb, naive_bayes, prim, tan
from oracle.tables import make_table

SMOOTHINGS = [MEstimate(1), MEstimate(0.5), MEstimate(0), Laplace(1), BDeu(2)]


def random_table(seed, holes=0.2, n=4, t=25):
    rng = random.Random(seed)
    domains = [tuple("uvwx"[: rng.randint(1, 3)]) for _ in range(n)]
    rows = [
        [None if rng.random() < holes else rng.choice(states) for states in domains]
        for _ in range(t)
    ]
    return make_table(rows, [rng.choice("KLM") for _ in range(t)], domains=domains)


def all_rows(table):
    return itertools.product(*table.domains)


def every_network(table, smoothing):
    yield Network(table, naive_bayes(table), smoothing)
    yield spode_network(table, smoothing, default_superparent(table))
    for parents in (tan(table), tan(table, root=2), kdb(table, 1), kdb(table, 2), kdb(table, None)):
        yield Network(table, parents, smoothing)


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_joint_probabilities_sum_to_one(seed, smoothing):
    table = random_table(seed)
    for network in every_network(table, smoothing):
        assert sum(sum(joint(network, row).values()) for row in all_rows(table)) == 1
    total = sum(
        sum(aode_joint(table, smoothing, row, min_count=0).values()) for row in all_rows(table)
    )
    assert total == 1


@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_aode_member_is_the_spode_network(seed, smoothing):
    table = random_table(seed)
    rng = random.Random(seed)
    for row in all_rows(table):
        j = rng.randrange(table.n)
        holed = tuple(x if i == j or rng.random() < 0.7 else None for i, x in enumerate(row))
        network = spode_network(table, smoothing, j)
        members = {y: member(table, smoothing, holed, y, j) for y in table.classes}
        assert joint(network, holed) == members


@pytest.mark.parametrize("seed", range(5))
def test_aode_with_one_attribute_and_no_smoothing_is_naive_bayes(seed):
    table = random_table(seed, holes=0, n=1)
    network = Network(table, naive_bayes(table), MEstimate(0))
    for row in all_rows(table):
        assert aode_posterior(table, MEstimate(0), row) == posterior(network, row)


@pytest.mark.parametrize("seed", range(5))
def test_integer_weights_are_repeated_rows(seed):
    plain = random_table(seed)
    weights = [random.Random(seed + i).randint(0, 3) for i in range(len(plain.rows))]
    weighted = make_table(plain.rows, plain.labels, weights, plain.domains)
    repeated = make_table(
        [row for row, w in zip(plain.rows, weights, strict=True) for _ in range(w)],
        [label for label, w in zip(plain.labels, weights, strict=True) for _ in range(w)],
        domains=plain.domains,
    )
    row = (None, *plain.rows[0][1:])
    for one, other in zip(
        every_network(weighted, MEstimate(1)), every_network(repeated, MEstimate(1)), strict=True
    ):
        assert one.parents == other.parents
        assert joint(one, row) == joint(other, row)


@pytest.mark.parametrize("smoothing", [MEstimate(0), BDeu(3)], ids=repr)
@pytest.mark.parametrize("seed", range(5))
def test_all_roots_of_one_tree_give_the_same_joint_on_complete_data(seed, smoothing):
    table = random_table(seed, holes=0)
    edges = [[0] * table.n for _ in range(table.n)]
    for child, parents in tan(table).items():
        for parent in parents:
            edges[child][parent] = edges[parent][child] = 1
    trees = [Network(table, prim(edges, root), smoothing) for root in range(table.n)]
    for row in all_rows(table):
        assert all(joint(tree, row) == joint(trees[0], row) for tree in trees)
