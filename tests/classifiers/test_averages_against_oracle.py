"""ATAN, WATAN and AODE with subsumption resolution against the brute-force oracle."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import averages, structures, subsumption
from oracle import missing as oracle_missing
from oracle import smoothing as oracle_smoothing
from oracle.measures import mutual_information, pair_scores
from oracle.posteriors import Network, joint
from oracle.tables import make_table, project, without_wholly_missing

import bnclass as bc

SMOOTHINGS = [
    (bc.MEstimate(1.0), oracle_smoothing.MEstimate(1)),
    (bc.MEstimate(0.0), oracle_smoothing.MEstimate(0)),
    (bc.MEstimate(2.5), oracle_smoothing.MEstimate(2.5)),
    (bc.Laplace(1.0), oracle_smoothing.Laplace(1)),
    (bc.Laplace(0.0), oracle_smoothing.Laplace(0)),
    (bc.BDeu(2.0), oracle_smoothing.BDeu(2)),
]
SAME_FROM_ALL_ROOTS = [SMOOTHINGS[1], SMOOTHINGS[5]]
WEIGHTS = {
    "whole": st.integers(0, 3),
    "parts": st.sampled_from([0.0, 0.25, 1.0, 2.5]),  # sums are exact
}
ATAN_WEIGHTS = ["uniform", "mutual-information"]
LEAST = 1e-3  # nats: above it one unit of 2⁻⁴⁰ is below 1e-9 of the measure

for_each_policy = pytest.mark.parametrize("policy", ["marginalize", "state", "impute"])
ignore_warnings = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


# ---------------------------------------------------------------- random tables


@st.composite
def tables(draw, min_attributes=1, holes=True, labels="xyz"):
    """Draw training rows, labels, weights, declared domains and query rows.

    Some columns repeat another one but for a few cells, so that values imply each other.
    """
    n, t = draw(st.integers(min_attributes, 4)), draw(st.integers(3, 14))
    domains = [tuple("abcd"[: draw(st.integers(1, 4))]) for _ in range(n)]
    cells = [st.sampled_from([*d, None] if holes else d) for d in domains]
    rows = [list(row) for row in draw(st.lists(st.tuples(*cells), min_size=t, max_size=t))]
    for i in range(1, n):
        if draw(st.booleans()):
            domains[i] = domains[0]
            for row in rows[draw(st.integers(0, 2)) :]:
                row[i] = row[0]
            for row in rows[:2]:
                row[i] = row[i] if row[i] in domains[i] else None if holes else row[0]
    chosen = draw(st.lists(st.sampled_from(labels), min_size=t, max_size=t))
    of_weights = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))]
    weights = draw(st.lists(of_weights, min_size=t, max_size=t))
    query = st.tuples(*(st.sampled_from([*d, None, "unknown"]) for d in domains))
    queries = [*draw(st.lists(query, min_size=1, max_size=4)), *map(tuple, rows[-2:])]
    assume(any(weights))
    return [tuple(row) for row in rows], chosen, weights, domains, queries


def frame_of(rows, domains):
    """Return rows as a frame of category columns with declared levels."""
    return pd.DataFrame(
        {
            f"x{i}": pd.Categorical(cells, categories=list(domain))
            for i, (cells, domain) in enumerate(zip(zip(*rows, strict=True), domains, strict=True))
        }
    )


def text_frame(rows):
    """Return query rows as object columns, so that unknown values get through."""
    return pd.DataFrame(
        {f"x{i}": pd.Series(c, dtype=object) for i, c in enumerate(zip(*rows, strict=True))}
    )


def reference(case, policy):
    """Return the oracle's table under a missing policy, and what turns query rows into its rows."""
    rows, labels, weights, domains, _ = case
    table, kept = without_wholly_missing(make_table(rows, labels, weights, domains))
    assume(kept)
    policies = {"state": oracle_missing.with_missing_state, "impute": oracle_missing.imputed}
    table, encode = policies.get(policy, lambda table: (table, lambda row: row))(table)
    return table, lambda row: encode(project(row, kept))


def fitted(model, case):
    rows, labels, weights, domains, _ = case
    return model.fit(frame_of(rows, domains), labels, sample_weight=weights)


def check(model, queries, expected):
    """Hold the posteriors of both engines to the oracle's."""
    ensemble, frame = model.ensemble_, text_frame(queries)
    rows = model.encoder_.transform(frame)
    for found in (
        model.predict_proba(frame),
        ensemble.posterior(rows, engine="compiled"),
        ensemble.posterior(rows, engine="graph"),
    ):
        assert found == pytest.approx(np.array(expected), abs=1e-9)


def is_tiny(table):
    """Return whether quantising would move the weights of WATAN."""
    measures = [mutual_information(table, i) for i in range(table.n)]
    return any(0 < measure < LEAST for measure in measures)


@ignore_warnings
@pytest.mark.parametrize("weights", ATAN_WEIGHTS)
@for_each_policy
@settings(max_examples=30, deadline=None)
@given(case=tables(), which=st.sampled_from(SMOOTHINGS))
def test_atan(policy, weights, case, which):
    ours, theirs = which
    table, encode = reference(case, policy)
    assume(weights == "uniform" or not is_tiny(table))
    model = fitted(bc.ATAN(weights, smoothing=ours, missing=policy), case)
    expected = [averages.atan_posterior(table, theirs, encode(row), weights) for row in case[-1]]
    check(model, case[-1], expected)
    scores = averages.atan_weights(table, weights)
    assert len(model.ensemble_) == sum(score > 0 for score in scores)


@ignore_warnings
@pytest.mark.parametrize("least", [1, 2, 6])
@for_each_policy
@settings(max_examples=30, deadline=None)
@given(
    case=tables(), which=st.sampled_from(SMOOTHINGS), min_count=st.sampled_from([0, 1, 2, 3.5, 30])
)
def test_aode_with_subsumption(policy, least, case, which, min_count):
    ours, theirs = which
    table, encode = reference(case, policy)
    model = fitted(bc.AODE(min_count, least, smoothing=ours, missing=policy), case)
    asked = [encode(row) for row in case[-1]]
    expected = [
        subsumption.aode_sr_posterior(table, theirs, row, least, min_count) for row in asked
    ]
    check(model, case[-1], expected)
    rule, rows = model.ensemble_.subsumption, model.encoder_.transform(text_frame(case[-1]))
    for row, dropped in zip(asked, rule.drops(rows), strict=True):
        assert set(np.flatnonzero(dropped)) == subsumption.subsumed(table, row, least)


# ---------------------------------------------------------------- invariants


def complete_case(seed):
    """Return random complete rows, so many that hardly two of their measures are equal."""
    rng = np.random.default_rng(seed)
    domains = [tuple("abc"[: rng.integers(2, 4)]) for _ in range(4)]
    labels = [str(y) for y in rng.choice(list("xyz"), 40)]
    rows = [
        tuple(d[(rng.integers(0, 2) * i + ord(y)) % len(d)] for i, d in enumerate(domains))
        if rng.random() < 0.4
        else tuple(str(rng.choice(d)) for d in domains)
        for y in labels
    ]
    queries = [tuple(str(rng.choice([*d, "unknown"])) for d in domains) for _ in range(6)]
    return rows, labels, rng.integers(0, 4, 40).tolist(), domains, queries


@settings(max_examples=30, deadline=None)
@given(
    case=st.builds(complete_case, st.integers(0, 2**32)),
    which=st.sampled_from(SAME_FROM_ALL_ROOTS),
    weights=st.sampled_from(ATAN_WEIGHTS),
)
def test_the_joint_average_of_atan_is_tan_where_no_scores_tie(case, which, weights):
    ours, theirs = which
    table, _ = reference(case, "marginalize")
    scores = [score for i, line in enumerate(pair_scores(table)) for score in line[:i]]
    assume(len(set(scores)) == len(scores))
    atan = fitted(bc.ATAN(weights, smoothing=ours), case)
    rows = atan.encoder_.transform(text_frame(case[-1]))
    averaged = bc.NetworkEnsemble(atan.ensemble_.networks, atan.ensemble_.weights)
    tan = fitted(bc.TAN(smoothing=ours), case)
    network = Network(table, structures.tan(table), theirs)
    expected = [[float(p) for p in joint(network, row).values()] for row in case[-1]]
    for engine in ("compiled", "graph"):
        found = np.exp(averaged.log_joint(rows, engine=engine))
        assert found == pytest.approx(np.array(expected), rel=1e-9, abs=1e-15)
        assert found == pytest.approx(np.exp(tan.network_.log_joint(rows)), rel=1e-9, abs=1e-15)
    alone, posterior = (m.predict_proba(text_frame(case[-1])) for m in (tan, atan))
    assert posterior == pytest.approx(alone, abs=1e-9)


@ignore_warnings
@pytest.mark.parametrize(
    "model",
    [bc.ATAN(), bc.ATAN("mutual-information"), *(bc.AODE(2, least) for least in (1, 2, 6))],
    ids=repr,
)
@settings(max_examples=20, deadline=None)
@given(case=tables(), order=st.randoms(use_true_random=False))
def test_rows_in_another_order_repeated_and_renamed(model, case, order):
    rows, labels, weights, domains, queries = case
    before = fitted(model, case).predict_proba(text_frame(queries))
    places = list(range(len(rows)))
    order.shuffle(places)
    if all(weight == int(weight) for weight in weights):
        places = [r for r in places for _ in range(int(weights[r]))]
        weights = [1] * len(weights)
    turned, of_turned = [rows[r] for r in places], [weights[r] for r in places]
    model.fit(frame_of(turned, domains), [labels[r] for r in places], sample_weight=of_turned)
    assert (model.predict_proba(text_frame(queries)) == before).all()
    names = {f"x{i}": f"the {9 - i}th" for i in range(len(domains))}
    renamed = frame_of(rows, domains).rename(columns=names)
    model.fit(renamed, ["as " + y for y in labels], sample_weight=case[2])
    assert (model.predict_proba(text_frame(queries).rename(columns=names)) == before).all()


# ---------------------------------------------------------------- real data


def real_table(name):
    """Return a real data set as a frame and labels; the class is the last column."""
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    frame = bc.read_table(Path(folder) / f"{name}.arff")
    return frame.iloc[:, :-1], frame.iloc[:, -1]


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("name", ["contact-lenses", "hayes-roth", "iris", "tae", "zoo", "glass"])
def test_real_data(name, holes):
    X, y = real_table(name)
    rng = np.random.default_rng(11)
    X = X.mask(rng.random(X.shape) < holes)
    encoded = bc.TableEncoder().fit_transform(X, y)
    rows = [tuple(None if c < 0 else c for c in codes) for codes in encoded.codes.tolist()]
    domains = [tuple(range(v.card)) for v in encoded.variables]
    table = make_table(rows, encoded.labels.tolist(), None, domains)
    shown = [r for r in rng.choice(len(rows), 8, replace=False) if rows[r].count(None) <= 2]
    asked = X.iloc[shown]
    m1 = oracle_smoothing.MEstimate(1)
    for weights in ATAN_WEIGHTS:
        if weights != "uniform" and is_tiny(table):
            continue
        model = bc.ATAN(weights).fit(X, y)
        expected = [averages.atan_posterior(table, m1, rows[r], weights) for r in shown]
        assert model.predict_proba(asked) == pytest.approx(np.array(expected), abs=1e-9)
    for least, min_count in ((1, 1), (2, 30), (6, 1)):
        model = bc.AODE(min_count, least).fit(X, y)
        expected = [
            subsumption.aode_sr_posterior(table, m1, rows[r], least, min_count) for r in shown
        ]
        assert model.predict_proba(asked) == pytest.approx(np.array(expected), abs=1e-9)
