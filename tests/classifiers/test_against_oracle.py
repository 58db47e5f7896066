"""Structures and posteriors of every classifier against the brute-force oracle."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import missing as oracle_missing
from oracle import posteriors, structures
from oracle import smoothing as oracle_smoothing
from oracle.tables import make_table, project, without_wholly_missing

import bnclass as bc

SMOOTHINGS = [
    (bc.MEstimate(1.0), oracle_smoothing.MEstimate(1)),
    (bc.MEstimate(0.0), oracle_smoothing.MEstimate(0)),
    (bc.Laplace(1.0), oracle_smoothing.Laplace(1)),
    (bc.BDeu(2.0), oracle_smoothing.BDeu(2)),
]
MODELS = {
    "nb": (bc.NaiveBayes, {}, structures.naive_bayes),
    "tan": (bc.TAN, {}, structures.tan),
    "kdb1": (bc.KDB, {"k": 1}, lambda t: structures.kdb(t, 1)),
    "kdb2": (bc.KDB, {"k": 2}, lambda t: structures.kdb(t, 2)),
    "full": (bc.KDB, {"k": None}, lambda t: structures.kdb(t, None)),
}


@st.composite
def tables(draw, holes=True):
    """Draw training rows, labels, weights, declared domains and query rows."""
    n, t = draw(st.integers(1, 4)), draw(st.integers(3, 14))
    domains = [tuple("abcd"[: draw(st.integers(1, 4))]) for _ in range(n)]
    cells = [st.sampled_from([*d, None] if holes else d) for d in domains]
    rows = draw(st.lists(st.tuples(*cells), min_size=t, max_size=t))
    labels = draw(st.lists(st.sampled_from("xyz"), min_size=t, max_size=t))
    weights = draw(st.lists(st.integers(0, 3), min_size=t, max_size=t))
    query = st.tuples(*(st.sampled_from([*d, None, "unknown"]) for d in domains))
    queries = draw(st.lists(query, min_size=1, max_size=4))
    return rows, labels, weights, domains, queries


def frame_of(rows, domains):
    """Return rows as a frame of category columns with declared levels."""
    columns = zip(*rows, strict=True)
    return pd.DataFrame(
        {
            f"x{i}": pd.Categorical(cells, categories=list(domain))
            for i, (cells, domain) in enumerate(zip(columns, domains, strict=True))
        }
    )


def text_frame(rows):
    """Return query rows as object columns, so that unknown values get through."""
    return pd.DataFrame(
        {f"x{i}": pd.Series(c, dtype=object) for i, c in enumerate(zip(*rows, strict=True))}
    )


def usable(case):
    """Return the oracle's table without wholly missing columns, or None if nothing is left."""
    rows, labels, weights, domains, _ = case
    if not any(weights):
        return None
    table, kept = without_wholly_missing(make_table(rows, labels, weights, domains))
    return (table, kept) if kept else None


def oracle_policy(policy, table):
    """Return the oracle's training table and query encoding under a missing policy."""
    if policy == "state":
        return oracle_missing.with_missing_state(table)
    if policy == "impute":
        return oracle_missing.imputed(table)
    return table, lambda row: row


def check(model, case, posterior_of, policy="marginalize"):
    """Fit, compare posteriors with the oracle's, and return what is needed for more checks."""
    rows, labels, weights, domains, queries = case
    left = usable(case)
    if left is None:
        return
    table, kept = left
    table, encode = oracle_policy(policy, table)
    model.fit(frame_of(rows, domains), labels, sample_weight=weights)
    found = model.predict_proba(text_frame(queries))
    for row, probabilities in zip(queries, found, strict=True):
        expected = posterior_of(table, encode(project(row, kept)))
        assert probabilities == pytest.approx(expected, abs=1e-10)


def attribute_parents(structure):
    """Return attribute parents by place, in column order, as the oracle has them."""
    place = {name: i for i, name in enumerate(structure.attributes)}
    return {place[a]: tuple(place[p] for p in structure.parents(a) if p in place) for a in place}


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@pytest.mark.parametrize("policy", ["marginalize", "state", "impute"])
@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=40, deadline=None)
@given(case=tables(), which=st.sampled_from(SMOOTHINGS))
def test_single_networks(name, policy, case, which):
    estimator, parameters, structure_of = MODELS[name]
    ours, theirs = which
    model = estimator(**parameters, smoothing=ours, missing=policy)

    def posterior_of(table, row):
        return posteriors.posterior(posteriors.Network(table, structure_of(table), theirs), row)

    check(model, case, posterior_of, policy)
    left = usable(case)
    if left is not None:
        table, _ = oracle_policy(policy, left[0])
        assert attribute_parents(model.network_.structure) == structure_of(table)


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@settings(max_examples=60, deadline=None)
@given(case=tables(), which=st.sampled_from(SMOOTHINGS))
def test_spode(case, which):
    ours, theirs = which

    def posterior_of(table, row):
        j = structures.default_superparent(table)
        return posteriors.posterior(posteriors.spode_network(table, theirs, j), row)

    check(bc.SPODE(smoothing=ours), case, posterior_of)


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@pytest.mark.parametrize("policy", ["marginalize", "state", "impute"])
@settings(max_examples=60, deadline=None)
@given(case=tables(), which=st.sampled_from(SMOOTHINGS), min_count=st.integers(0, 3))
def test_aode(policy, case, which, min_count):
    ours, theirs = which

    def posterior_of(table, row):
        return posteriors.aode_posterior(table, theirs, row, min_count=min_count)

    check(bc.AODE(min_count=min_count, smoothing=ours, missing=policy), case, posterior_of, policy)


def data_folder():
    """Return the folder of real data sets, or skip."""
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    return Path(folder)


def real_table(name):
    """Return a real data set as a frame and labels; the class is the last column."""
    frame = bc.read_table(data_folder() / name)
    return frame.iloc[:, :-1], frame.iloc[:, -1]


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize(
    "name", ["contact-lenses", "hayes-roth", "iris", "tae", "vote", "zoo", "lymph", "glass"]
)
def test_real_data(name, holes):
    X, y = real_table(f"{name}.arff")
    rng = np.random.default_rng(7)
    X = X.mask(rng.random(X.shape) < holes)
    table = bc.TableEncoder().fit_transform(X, y)
    rows = [tuple(None if c < 0 else c for c in codes) for codes in table.codes.tolist()]
    domains = [tuple(range(v.card)) for v in table.variables]
    reference = make_table(rows, table.labels.tolist(), None, domains)
    shown = rng.choice(len(rows), size=6, replace=False)
    # Enumerating completions is exponential: rows with many holes belong to the small tables.
    shown = [r for r in shown if rows[r].count(None) <= 4]
    m1 = oracle_smoothing.MEstimate(1)
    for key in ("nb", "tan", "kdb2"):
        estimator, parameters, structure_of = MODELS[key]
        model = estimator(**parameters).fit(X, y)
        parents = structure_of(reference)
        assert attribute_parents(model.network_.structure) == parents
        network = posteriors.Network(reference, parents, m1)
        for r, found in zip(shown, model.predict_proba(X.iloc[shown]), strict=True):
            assert found == pytest.approx(posteriors.posterior(network, rows[r]), abs=1e-10)
    model = bc.AODE().fit(X, y)
    for r, found in zip(shown, model.predict_proba(X.iloc[shown]), strict=True):
        expected = posteriors.aode_posterior(reference, m1, rows[r], min_count=1)
        assert found == pytest.approx(expected, abs=1e-10)


def test_aode_on_contact_lenses_as_weka_prints_it():
    X, y = real_table("contact-lenses.arff")
    model = bc.AODE(smoothing=bc.Laplace(1)).fit(X, y)
    found = dict(zip(model.classes_, model.predict_proba(X.iloc[:1])[0], strict=True))
    assert found["soft"] == pytest.approx(0.13729579697532465, abs=1e-12)
    assert found["hard"] == pytest.approx(0.05971530063485877, abs=1e-12)
    assert found["none"] == pytest.approx(0.8029889023898165, abs=1e-12)
