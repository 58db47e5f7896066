"""Fitted models over states and numbers held to the brute-force oracle, number by number."""

import itertools

import numpy as np
import pytest
from builders import attribute_parents
from oracle.gaussian import is_constant, spread
from oracle.gaussian_measures import (
    mixed_class_scores,
    mixed_conditional_mutual_information,
    mixed_mutual_information,
    mixed_pair_scores,
)
from oracle.mixed import is_continuous, mixed_imputed, mixed_with_missing_state
from oracle.mixed_posteriors import MixedNetwork, log_joint, mixed_posterior
from oracle.tables import Y, project

import bnclass as bc

POLICIES = {
    "marginalize": lambda table: (table, lambda row: row),
    "state": mixed_with_missing_state,
    "impute": mixed_imputed,
}


def deviation(found, expected):
    """Return the largest difference of two rows of logs, relative beyond 1."""
    differences = [
        0.0 if a == b else abs(a - b) / max(1.0, abs(b))
        for a, b in zip(map(float, found), map(float, expected), strict=True)
    ]
    return max(differences)


# ---------------------------------------------------------------- joints


def compare(model, case, kept, encode, joint_of, posterior_of, tolerance):
    """Hold joints by both engines, and posteriors, to the oracle's."""
    rows = model.encoder_.transform(case.asked)
    engines = [model._model.log_joint(rows, engine=e) for e in ("compiled", "graph")]
    posteriors = model.predict_proba(case.asked)
    for i, query in enumerate(case.queries):
        row = encode(project(query, kept))
        expected = [float(log) for log in joint_of(row).values()]
        for found in engines:
            assert deviation(found[i], expected) <= tolerance
        # A posterior is no better than the difference of the logs it is made of.
        size = max(1.0, *(abs(log) for log in expected if log > -np.inf), 1.0)
        assert posteriors[i] == pytest.approx(posterior_of(row), abs=tolerance * size)


def compare_network(
    model, case, policy, smoothing, structure_of=None, without_class=frozenset(), tolerance=1e-9
):
    """Hold a single network's structure, factors, joints and posteriors to the oracle's."""
    table, kept = case.table()
    if table is None:
        return
    model.fit(case.frame, case.labels, sample_weight=case.weights)
    table, encode = POLICIES[policy](table)
    if structure_of is not None:
        compare_structure(model, case, table, structure_of, tolerance * 1e-3)
    structure = model.network_.structure
    tag = structure.joint_family
    superparent = None if tag is None else structure.attributes.index(tag[1])
    parents = attribute_parents(structure)
    network = MixedNetwork(table, parents, smoothing, superparent, without_class)
    compare_factors(model.network_, network, tolerance)
    compare(
        model,
        case,
        kept,
        encode,
        lambda row: log_joint(network, row),
        lambda row: mixed_posterior(network, row),
        tolerance,
    )


# ---------------------------------------------------------------- structures


def compare_structure(model, case, table, structure_of, tolerance):
    """Hold measures to the oracle's; the structure too, where no measures nearly tie.

    Two formulas for one measure may round to neighbouring integers, so measures nearer than
    two of them have no order that both must see.
    """
    encoder = bc.TableEncoder(continuous=model.continuous, missing=model.missing)
    rows = encoder.fit_transform(case.frame, case.labels, case.weights)
    information = bc.Information(bc.SufficientStatistics.from_table(rows))
    own = [mixed_mutual_information(table, i) for i in range(table.n)]
    assert information.with_class == pytest.approx(own, abs=tolerance)
    for i, j in itertools.combinations(range(table.n), 2):
        expected = mixed_conditional_mutual_information(table, i, j)
        assert information.given_class[i, j] == pytest.approx(expected, abs=tolerance)
        assert information.given_class[j, i] == information.given_class[i, j]
    if told_apart(mixed_class_scores(table)) and told_apart(scores_of_pairs(table)):
        assert attribute_parents(model.network_.structure) == structure_of(table)


def scores_of_pairs(table):
    scores = mixed_pair_scores(table)
    return [scores[i][j] for i, j in itertools.combinations(range(table.n), 2)]


def told_apart(scores):
    """Return whether all scores are equal or more than two quanta apart."""
    gaps = np.diff(np.sort(np.array(scores, dtype=np.int64)))
    return not ((gaps > 0) & (gaps <= 2)).any()


# ---------------------------------------------------------------- factors


def compare_factors(network, oracle, tolerance):
    """Hold every continuous node's parameters to the oracle's, configuration by configuration."""
    for i, name in enumerate(network.structure.attributes):
        if is_continuous(oracle.table, i):
            factor = network.factors[name]
            for u, given in configurations(network, factor, oracle.table):
                expected = oracle.parameters(oracle.table, i, oracle.numbers(i), given)
                found = factor.intercept[u], factor.coefficients[u], factor.variance[u]
                assert off_by(oracle.table, i, oracle.numbers(i), found, expected) <= tolerance


def configurations(network, factor, table):
    """Yield the place of each configuration of discrete parents, and the oracle's name for it."""
    names = network.structure.attributes
    axes = [
        [(Y, y) for y in table.classes]
        if v.name == network.structure.class_node
        else [(names.index(v.name), state) for state in table.domains[names.index(v.name)]]
        for v in factor.discrete_parents
    ]
    places = itertools.product(*(range(len(axis)) for axis in axes))
    return zip(places, itertools.product(*axes), strict=True)


def off_by(table, i, parents, found, expected):
    """Return how far a configuration's numbers are off, in units of the columns' own spreads."""
    intercept, coefficients, variance = found
    level = abs(float(expected.intercept))
    if is_constant(table, i):
        assert (variance, *coefficients) == (0.0,) * (1 + len(parents))
        return abs(intercept - float(expected.intercept)) / max(1.0, level)
    own = deviation_of(table, i)
    slopes = zip(parents, coefficients, expected.coefficients, strict=True)
    return max(
        abs(intercept - float(expected.intercept)) / (own + level),
        abs(variance / float(expected.variance) - 1),
        *(abs(b - float(c)) * deviation_of(table, j) / own for j, b, c in slopes),
    )


def deviation_of(table, i):
    """Return the standard deviation of a column over all rows, 1 for a constant."""
    return 1.0 if is_constant(table, i) else float(spread(table, i)) ** 0.5
