"""What must hold for every classifier on any table: the invariants of the methods page.

Each example is one table and one classifier, fitted a few times for all laws together.
`pytest -m long tests/classifiers/test_laws.py` takes many more of them.
"""

import itertools
from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from every_estimator import OF_BOTH, OF_NUMBERS, OF_STATES, require_distributions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_tables import Table, tables
from mixed_frames import random_frame
from sklearn.base import clone

import bnclass as bc

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
SETTINGS = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
EXAMPLES, MANY = 10, 200  # for each classifier

SMOOTHED = [
    bc.AODE(smoothing=bc.Laplace(0.5)),
    bc.AODE(min_count=0, missing="state"),
    bc.ATAN("mutual-information", smoothing=0),
    bc.TAN(smoothing=bc.BDeu(1.0), missing="impute"),
    bc.KDB(smoothing=0, missing="state"),
    bc.HAODE(smoothing=0, missing="impute"),
]
DRAWN = [
    bc.StructureClassifier("a chain"),
    bc.StructureClassifier("a chain", continuous="gaussian"),
]
MODELS = [*OF_STATES, *OF_BOTH, *OF_NUMBERS, *SMOOTHED, *DRAWN]
for_each_model = pytest.mark.parametrize("model", MODELS, ids=repr)


def tables_for(model, **parameters):
    only_numbers = any(repr(model) == repr(m) for m in OF_NUMBERS)
    return tables(states=not only_numbers, **parameters)


def keeps_numbers(model):
    return isinstance(model, bc.HAODE | bc.GAODE) or model.continuous == "gaussian"


def fitted(model, table, order=None):
    """Return the model fitted to a table, on a chain of its columns if one is to be drawn."""
    model = clone(model)
    if getattr(model, "structure", None) is not None:
        model.set_params(structure=chain(list(table.frame.columns), table.numeric, order))
    return model.fit(table.frame, table.labels, sample_weight=table.weights)


def chain(names, numeric, order=None):
    """Return a class over all columns, and those in a chain, the numbers last."""
    graph = nx.DiGraph()
    graph.add_edges_from(("the class", name) for name in names)
    ordered = sorted(order or names, key=numeric.__contains__)
    graph.add_edges_from(itertools.pairwise(ordered))
    return graph


def check_all_laws(model, table, seed, path):
    rng = np.random.default_rng(seed)
    first = fitted(model, table)
    expected = require_distributions(first, table.asked)
    require_types(first, table)
    require_unseen_is_missing(first, table)
    few = first.encoder_.transform(table.asked.iloc[:3])
    walked = first._model.posterior(few, engine="graph")
    assert walked == pytest.approx(expected[:3], abs=1e-9)
    bc.save(first, path)
    assert (bc.load(path).predict_proba(table.asked) == expected).all()
    # Counts by whole weights, and by quarters, are exact; moments are not.
    exact = not (keeps_numbers(model) and table.numeric)
    sums_exactly = exact and (table.is_whole or (table.weights % 0.25 == 0).all())
    permuted = table.permuted(rng)
    require_equal(fitted(model, permuted).predict_proba(table.asked), expected, sums_exactly)
    if table.weights is not None and table.is_whole:
        repeated = fitted(model, table.repeated()).predict_proba(table.asked)
        require_equal(repeated, expected, exact)
    renamed = table.renamed()
    assert (fitted(model, renamed).predict_proba(renamed.asked) == expected).all()


def require_equal(found, expected, exact):
    assert found == pytest.approx(expected, abs=0 if exact else 1e-9, rel=0)


def require_types(model, table):
    """Assert that columns keep their names and labels their type."""
    names = list(table.frame.columns)
    kept = [n for n in names if table.frame[n][rows_that_count(table)].notna().any()]
    assert list(map(repr, model.schema_.names)) == list(map(repr, kept))
    assert model.schema_.target.name not in names
    predicted = model.predict(table.asked)
    assert predicted.dtype == model.classes_.dtype
    observed = pd.Series(np.asarray(table.labels)[rows_that_count(table)]).unique().tolist()
    assert model.classes_.tolist() == sorted(observed)
    assert set(map(type, predicted.tolist())) <= set(map(type, observed))


def rows_that_count(table):
    return slice(None) if table.weights is None else table.weights > 0


def require_unseen_is_missing(model, table):
    """Assert that states never seen change no answer that missing cells do not."""
    unseen, missing = table.asked.copy(), table.asked.copy()
    for j, name in enumerate(table.asked.columns):
        kinds = set(map(type, table.asked[name].dropna()))
        discrete = name not in table.numeric
        if discrete and kinds <= {str, int} and len(kinds) == 1:
            other = "never seen" if kinds == {str} else 12345
            unseen.isetitem(j, pd.Series(other, unseen.index, dtype=object))
            missing.isetitem(j, pd.Series(None, unseen.index, dtype=object))
    assert (model.predict_proba(unseen) == model.predict_proba(missing)).all()


@for_each_model
@settings(SETTINGS, max_examples=EXAMPLES)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_all_laws(tmp_path_factory, model, data, seed):
    table = data.draw(tables_for(model))
    check_all_laws(model, table, seed, tmp_path_factory.getbasetemp() / "law.json")


@pytest.mark.long
@for_each_model
@settings(SETTINGS, max_examples=MANY)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1))
def test_all_laws_at_length(tmp_path_factory, model, data, seed):
    table = data.draw(tables_for(model))
    check_all_laws(model, table, seed, tmp_path_factory.getbasetemp() / "law.json")


# ---------------------------------------------------------------- sums

WHOLE = [
    *(m for m in OF_STATES if not isinstance(m, bc.AODE | bc.ATAN | bc.KST)),
    bc.KST(members="global"),
    bc.AODE(min_count=0),  # every member serves every row
    bc.AODE(min_count=0, smoothing=bc.BDeu(2.0)),
    bc.TAN(smoothing=0, missing="state"),
    DRAWN[0],
]


@pytest.mark.parametrize("model", WHOLE, ids=repr)
@settings(SETTINGS, max_examples=8)
@given(table=tables(max_columns=5))
def test_joints_sum_to_one_and_without_a_cell_over_its_states(model, table):
    model = fitted(model, table)
    variables = model.schema_.attributes
    codes = list(itertools.product(*(range(v.card) for v in variables)))
    rows = np.array(codes, dtype=np.int32).reshape(len(codes), len(variables))
    joint = np.exp(model._model.log_joint(bc.EncodedTable(variables, rows)))
    assert joint.sum() == pytest.approx(1.0, abs=1e-9)
    if isinstance(model, bc.AODE):  # whose members are not the same without an attribute
        return
    for i in range(len(variables)):
        states = joint.reshape(*(v.card for v in variables), -1)
        summed = states.sum(axis=i).reshape(-1, joint.shape[1])
        without = rows[rows[:, i] == 0]
        without[:, i] = -1
        found = np.exp(model._model.log_joint(bc.EncodedTable(variables, without)))
        assert found == pytest.approx(summed, abs=1e-12)


# ---------------------------------------------------------------- columns

WITHOUT_CHOICE = [
    bc.NaiveBayes(),
    bc.StructureClassifier(),
    *DRAWN,
    bc.AODE(),
    bc.NaiveBayes(continuous="gaussian"),
    bc.HAODE(),
    bc.HAODE(smoothing=0, missing="state"),
    bc.GAODE(),
    bc.GAODE("pooled"),
]


@pytest.mark.parametrize("model", WITHOUT_CHOICE, ids=repr)
@settings(SETTINGS, max_examples=6)
@given(data=st.data())
def test_columns_in_another_order_where_nothing_is_chosen(model, data):
    table = data.draw(tables_for(model))
    order = list(table.frame.columns)
    expected = fitted(model, table, order).predict_proba(table.asked)
    turned = table.turned_round()
    found = fitted(model, turned, order).predict_proba(turned.asked)
    exact = not (keeps_numbers(model) and table.numeric)
    assert found == pytest.approx(expected, abs=1e-12 if exact else 1e-9)


CHOOSING = [
    *(bc.SPODE(continuous=c) for c in ("mdl", "gaussian")),
    *(bc.TAN("x1", continuous=c) for c in ("mdl", "gaussian")),
    *(bc.KDB(continuous=c) for c in ("mdl", "gaussian")),
    *(bc.ATAN(continuous=c) for c in ("mdl", "gaussian")),
    bc.ATAN("mutual-information"),
    bc.KST(members="global"),
    bc.KST(continuous="gaussian"),
]


@pytest.mark.parametrize("model", CHOOSING, ids=repr)
@settings(SETTINGS, max_examples=6)
@given(seed=st.integers(0, 2**32 - 1), holes=st.sampled_from([0.0, 0.1]))
def test_columns_in_another_order_where_nothing_ties(model, seed, holes):
    """Sixty rows of numbers that hang together: measures are equal by design only."""
    kinds = "nnnnn" if isinstance(model, bc.KST) and keeps_numbers(model) else "nsnss"
    frame, labels = random_frame(seed, kinds, t=60, holes=holes)
    expected = clone(model).fit(frame, labels)
    if ties(expected, frame, labels):
        return
    # Of two attributes alone each has the other's correlation: KST's order is a tie.
    asked = frame.dropna() if isinstance(model, bc.KST) else frame
    found = clone(model).fit(frame.iloc[:, ::-1], labels).predict_proba(asked.iloc[:, ::-1])
    assert found == pytest.approx(expected.predict_proba(asked), abs=1e-9)


def ties(model, frame, labels):
    """Return whether two of the measures that decide the structure are equal."""
    table = model.encoder_.fit_transform(frame, labels)
    information = bc.Information(bc.SufficientStatistics.from_table(table))
    pairs = information.given_class[np.triu_indices(len(information.with_class), 1)]
    return any(len(np.unique(m.round(12))) < len(m) for m in (information.with_class, pairs))


# ---------------------------------------------------------------- units


@pytest.mark.parametrize("model", [*OF_STATES, bc.ATAN(continuous="gaussian"), *DRAWN], ids=repr)
@settings(SETTINGS, max_examples=3)
@given(seed=st.integers(0, 2**32 - 1), holes=st.sampled_from([0.0, 0.1]))
def test_units_and_origins_change_no_posterior(model, seed, holes):
    """Those that `test_mixed_invariants.py` has not."""
    frame, labels = random_frame(seed, "nsnns", holes=holes)
    table = Table(frame, labels, None, frame, ("x0", "x2", "x3"))
    expected = fitted(model, table).predict_proba(frame)
    for a, b in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)]:
        other = frame.assign(x2=a * frame["x2"] + b)
        found = fitted(model, replace(table, frame=other)).predict_proba(other)
        assert found == pytest.approx(expected, abs=1e-6)
