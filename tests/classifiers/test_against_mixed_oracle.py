"""Structures, factors and joints over states and numbers against the brute-force oracle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_cases import SMOOTHINGS, Case, cases, drawn_structures
from mixed_checks import POLICIES, compare, compare_network
from oracle import mixed_structures
from oracle.mixed import CONTINUOUS, discrete_columns
from oracle.mixed_ensembles import (
    VARIANCES,
    gaode_log_joint,
    gaode_posterior,
    haode_log_joint,
    haode_posterior,
)
from oracle.structures import naive_bayes

import bnclass as bc

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")

MODELS = {
    "nb": (bc.NaiveBayes, {}, naive_bayes),
    "spode": (bc.SPODE, {}, mixed_structures.mixed_spode),
    "tan": (bc.TAN, {}, mixed_structures.mixed_tan),
    "kdb0": (bc.KDB, {"k": 0}, lambda t: mixed_structures.mixed_kdb(t, 0)),
    "kdb1": (bc.KDB, {"k": 1}, lambda t: mixed_structures.mixed_kdb(t, 1)),
    "kdb2": (bc.KDB, {"k": 2}, lambda t: mixed_structures.mixed_kdb(t, 2)),
    "full": (bc.KDB, {"k": None}, mixed_structures.mixed_full),
}
smoothings = st.sampled_from(SMOOTHINGS)
models = st.sampled_from(list(MODELS))


def check_single(name, case, which, policy="marginalize", tolerance=1e-9):
    estimator, parameters, structure_of = MODELS[name]
    ours, theirs = which
    model = estimator(**parameters, continuous="gaussian", smoothing=ours, missing=policy)
    compare_network(model, case, policy, theirs, structure_of, tolerance=tolerance)


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=25, deadline=None)
@given(case=cases(), which=smoothings)
def test_single_networks(name, case, which):
    check_single(name, case, which)


@pytest.mark.parametrize("policy", ["state", "impute"])
@settings(max_examples=30, deadline=None)
@given(case=cases(max_attributes=4), name=models)
def test_missing_policies(policy, case, name):
    check_single(name, case, SMOOTHINGS[0], policy)


@settings(max_examples=40, deadline=None)
@given(case=cases(max_attributes=4, offset=1e6), name=models)
def test_numbers_around_a_million(case, name):
    """A double near 1e6 has six digits less after the point."""
    check_single(name, case, SMOOTHINGS[0], tolerance=1e-7)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(["tan", "kdb2", "full"]))
def test_collinear_columns(seed, name):
    """Parents whose covariance matrix is singular, asked for rows off the line as well.

    Whole numbers keep singular values at 0 or far from it.
    """
    rng = np.random.default_rng(seed)
    t = int(rng.integers(3, 13))
    base = rng.integers(-4, 5, size=(t, 3))
    mixed = base[:, :2] @ rng.integers(-2, 3, size=(2, 2)) + rng.integers(0, 3, 2)
    numbers = 0.1 * np.hstack([base, mixed])[:, rng.permutation(5)]
    rows = [tuple(row) for row in numbers.tolist()]
    off = [tuple(row) for row in (numbers[:2] + rng.normal(size=(2, 5))).tolist()]
    labels = rng.choice(["x", "y"], t).tolist()
    check_single(name, Case(rows, labels, [1] * t, [CONTINUOUS] * 5, rows[:1] + off), SMOOTHINGS[0])


@settings(max_examples=40, deadline=None)
@given(case=cases(max_attributes=4), data=st.data())
def test_drawn_structures(case, data):
    arcs, pointed_at = data.draw(drawn_structures(case))
    ours, theirs = data.draw(smoothings)
    names = [f"x{i}" for i in range(len(case.domains))]
    edges = [("class", names[i]) for i in pointed_at] + [(names[j], names[i]) for j, i in arcs]
    structure = bc.Structure.from_arcs(["class", *names], edges, "class")
    _, kept = case.table()
    alone = frozenset(place for place, i in enumerate(kept) if i not in pointed_at)
    model = bc.StructureClassifier(structure, continuous="gaussian", smoothing=ours)
    compare_network(model, case, "marginalize", theirs, without_class=alone)


def check_ensemble(model, case, theirs, policy, joint_of, posterior_of, *last):
    table, kept = case.table()
    if table is None:
        return
    table, encode = POLICIES[policy](table)
    model.fit(case.frame, case.labels, sample_weight=case.weights)
    compare(
        model,
        case,
        kept,
        encode,
        lambda row: joint_of(table, theirs, row, *last),
        lambda row: posterior_of(table, theirs, row, *last),
        1e-9,
    )


@pytest.mark.parametrize("variance", VARIANCES)
@settings(max_examples=30, deadline=None)
@given(case=cases("n", max_attributes=4), which=smoothings, policy=st.sampled_from([*POLICIES]))
def test_gaode(variance, case, which, policy):
    ours, theirs = which
    model = bc.GAODE(variance, smoothing=ours, missing=policy)
    check_ensemble(model, case, theirs, policy, gaode_log_joint, gaode_posterior, variance)


MIN_COUNTS = st.sampled_from([0, 1, 2.5, 4, math.inf])


@pytest.mark.parametrize("policy", POLICIES)
@settings(max_examples=30, deadline=None)
@given(case=cases(max_attributes=4), which=smoothings, min_count=MIN_COUNTS)
def test_haode(policy, case, which, min_count):
    ours, theirs = which
    model = bc.HAODE(min_count, smoothing=ours, missing=policy)
    check_ensemble(model, case, theirs, policy, haode_log_joint, haode_posterior, None, min_count)


def any_hole(rows):
    return any(x is None or x != x for row in rows for x in row)


@settings(max_examples=25, deadline=None)
@given(case=cases())
def test_holes_are_refused_where_they_are_to_be(case):
    model = bc.NaiveBayes(continuous="gaussian", missing="error")
    used = [row for row, weight in zip(case.rows, case.weights, strict=True) if weight]
    if not used:
        return
    if any_hole(used):
        with pytest.raises(bc.DataError, match=r"missing cells .*, expected none because"):
            model.fit(case.frame, case.labels, sample_weight=case.weights)
        return
    model.fit(case.frame, case.labels, sample_weight=case.weights)
    table, _ = case.table()
    states = [[row[i] for row in case.queries] for i in discrete_columns(table)]
    if any_hole(case.queries) or any("unknown" in column for column in states):
        with pytest.raises(bc.DataError, match="missing or unknown cells"):
            model.predict_proba(case.asked)
    else:
        assert np.isfinite(model.predict_proba(case.asked)).all()
