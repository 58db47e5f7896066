"""Chunks are as good as one table: `partial_fit` and `merge` held to one `fit`."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import KBinsDiscretizer

import bnclass as bc

DISCRETE = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(k=1),
    bc.KDB(k=3, constraints=bc.Constraints(max_parents=1)),
    bc.AODE(),
    bc.AODE(subsumption=2),
    bc.ATAN(),
    bc.ATAN("mutual-information", smoothing=0),
    bc.TAN(smoothing=bc.BDeu(1.0), missing="state"),
    bc.AODE(missing="state"),
    bc.HAODE(),
    bc.HAODE(missing="state"),
]
CUTS = bc.MDLDiscretizer().fit(pd.DataFrame({"n0": [0.0, 1.0] * 4}), [0, 1] * 4)
NUMERIC = [
    bc.NaiveBayes(continuous="gaussian"),
    bc.SPODE(continuous="gaussian"),
    bc.TAN(continuous="gaussian"),
    bc.KDB(k=1, continuous="gaussian"),
    bc.ATAN(continuous="gaussian"),
    bc.GAODE(),
    bc.GAODE("pooled"),
    bc.HAODE(discretizer=FrozenEstimator(CUTS)),
]
MIXED = [m for m in NUMERIC if not isinstance(m, (bc.GAODE, bc.HAODE))]
CLASSES = ["a", "b", "c"]
ignore_warnings = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def in_chunks(model, frame, labels, ends, weights=None, order=None):
    """Return a clone that has learned the rows between the ends, chunk by chunk."""
    grown, spans = clone(model), list(zip([0, *ends], [*ends, len(labels)], strict=True))
    for begin, end in [spans[i] for i in order or range(len(spans))]:
        own = None if weights is None else weights[begin:end]
        grown.partial_fit(frame[begin:end], labels[begin:end], CLASSES, own)
    return grown


def model_of(estimator):
    return estimator.network_ if hasattr(estimator, "network_") else estimator.ensemble_


def structures(estimator):
    model = model_of(estimator)
    networks = [model] if isinstance(model, bc.BayesianNetwork) else list(model)
    return [network.structure for network in networks]


def same_counts(one, other):
    """Whether two statistics are equal, to the last bit in counts."""
    arrays = ("class_counts", "value_counts", "pair_counts")
    return one.schema == other.schema and all(
        np.array_equal(getattr(one, a), getattr(other, a)) for a in arrays
    )


def assert_close_moments(one, other):
    if one.moments is None:
        assert other.moments is None
        return
    for part in ("singles", "pairs", "cells"):
        ours, theirs = getattr(one.moments, part), getattr(other.moments, part)
        if ours is None:
            assert theirs is None
            continue
        assert ours.n == pytest.approx(theirs.n, abs=1e-9), part
        assert ours.mean == pytest.approx(theirs.mean, rel=1e-9, abs=1e-9), part
        assert ours.scatter == pytest.approx(theirs.scatter, rel=1e-9, abs=1e-9), part
    for ours, theirs in zip(one.distinct, other.distinct, strict=True):
        assert ours.values.tolist() == theirs.values.tolist()


# ---------------------------------------------------------------- laws, random tables

LEVELS = {
    "text": st.sampled_from(["u", "v", "w", "", None]),
    "bool": st.sampled_from([True, False, None]),
    "object": st.sampled_from([1, 2, 3.5, None]),
}


@st.composite
def chunked(draw):
    """Draw discrete rows of which each class has one, whole weights, and chunks in some order."""
    t = draw(st.integers(3, 24))
    frame = {}
    for j in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from([*LEVELS, "category"]))
        cells = draw(st.lists(LEVELS.get(kind, LEVELS["text"]), min_size=t, max_size=t))
        if kind == "category":
            frame[f"c{j}"] = pd.Categorical(cells, categories=["w", "v", "u", "", "unused"])
        else:
            frame[f"c{j}"] = pd.Series(cells, dtype=object)
    labels = draw(st.lists(st.sampled_from(CLASSES), min_size=t - 3, max_size=t - 3))
    weights = draw(st.none() | st.lists(st.integers(0, 3), min_size=t, max_size=t))
    if weights is not None:
        weights[-3:] = [1, 2, 1]
    ends = sorted(draw(st.lists(st.integers(1, t - 1), max_size=4, unique=True)))
    order = draw(st.permutations(range(len(ends) + 1)))
    if weights is not None:  # the first chunk has a row that counts
        first = order[0]
        weights[[0, *ends][first]] = 1
    return pd.DataFrame(frame), np.array([*labels, *CLASSES]), weights, ends, order


@ignore_warnings
@pytest.mark.parametrize("model", DISCRETE, ids=repr)
@settings(max_examples=12, deadline=None)
@given(case=chunked())
def test_chunks_in_any_order_are_one_fit_to_the_bit(model, case):
    frame, labels, weights, ends, order = case
    whole = clone(model).fit(frame, labels, weights)
    grown = in_chunks(model, frame, labels, ends, weights, order)
    assert grown.schema_ == whole.schema_
    assert repr(grown.schema_) == repr(whole.schema_)
    assert grown.missing_counts_ == whole.missing_counts_
    assert same_counts(grown.statistics_, whole.statistics_)
    assert model_of(grown) == model_of(whole)
    assert (grown.predict_proba(frame) == whole.predict_proba(frame)).all()


def random_numbers(rng, t, n_states=3):
    """Draw numbers and states by class, with holes; no two measures tie."""
    labels = np.array(CLASSES)[np.r_[0:3, rng.integers(0, 3, t - 3)]]
    y = np.searchsorted(CLASSES, labels)
    common = rng.normal(size=t)
    columns = {}
    for j in range(4):
        number = rng.normal(size=t) + common * rng.random() + y * rng.random()
        number[rng.random(t) < 0.1] = np.nan
        columns[f"n{j}"] = number
    for j in range(2):
        states = (y + rng.integers(0, n_states, t)) % n_states
        column = pd.Series(np.array(["u", "v", "w"])[states], dtype=object)
        columns[f"s{j}"] = column.mask(rng.random(t) < 0.1)
    return pd.DataFrame(columns)[["n0", "s0", "n1", "n2", "s1", "n3"]], labels


@ignore_warnings
@pytest.mark.parametrize("fractions", [False, True], ids=["ones", "fractions"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("model", NUMERIC, ids=repr)
def test_chunks_of_numbers_are_one_fit_to_rounding(model, seed, fractions):
    rng = np.random.default_rng(seed)
    frame, labels = random_numbers(rng, 120)
    if model not in MIXED:
        frame = frame[["n0", "n1", "n2", "n3"] if isinstance(model, bc.GAODE) else ["n0", "s0"]]
    weights = rng.choice([0.0, 0.25, 1.5, 2.0], 120) if fractions else None
    if fractions:
        weights[:3] = 1.0
    whole = clone(model).fit(frame, labels, weights)
    ends = sorted(rng.choice(np.arange(1, 120), 6, replace=False).tolist())
    grown = in_chunks(model, frame, labels, ends, weights, rng.permutation(7).tolist())
    assert grown.schema_ == whole.schema_
    if fractions:
        counts = grown.statistics_.value_counts
        assert counts == pytest.approx(whole.statistics_.value_counts, abs=1e-9)
    else:
        assert same_counts(grown.statistics_, whole.statistics_)
    assert_close_moments(grown.statistics_, whole.statistics_)
    assert structures(grown) == structures(whole)
    assert grown.predict_proba(frame) == pytest.approx(whole.predict_proba(frame), abs=1e-9)


@ignore_warnings
@pytest.mark.parametrize("model", DISCRETE, ids=repr)
@settings(max_examples=8, deadline=None)
@given(case=chunked())
def test_merged_models_are_one_fit_to_the_bit(model, case):
    frame, labels, _, ends, order = case
    whole = clone(model).fit(frame, labels)
    spans = list(zip([0, *ends], [*ends, len(labels)], strict=True))
    # Each machine has only the classes and the levels of its own rows.
    parts = [clone(model).fit(frame[a:b], labels[a:b]) for a, b in (spans[i] for i in order)]
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    assert repr(merged.schema_) == repr(whole.schema_)
    assert merged.classes_.tolist() == whole.classes_.tolist()
    assert merged.missing_counts_ == whole.missing_counts_
    assert same_counts(merged.statistics_, whole.statistics_)
    assert model_of(merged) == model_of(whole)


@ignore_warnings
@pytest.mark.parametrize("model", NUMERIC, ids=repr)
def test_merged_models_of_numbers_are_one_fit_to_rounding(model):
    frame, labels = random_numbers(np.random.default_rng(7), 90)
    if model not in MIXED:
        frame = frame[["n0", "n1", "n2", "n3"] if isinstance(model, bc.GAODE) else ["n0", "s0"]]
    one, other = (clone(model).fit(frame[i::2], labels[i::2]) for i in (0, 1))
    whole, before = clone(model).fit(frame, labels), one.predict_proba(frame)
    merged = one.merge(other)
    assert_close_moments(merged.statistics_, whole.statistics_)
    assert merged.predict_proba(frame) == pytest.approx(whole.predict_proba(frame), abs=1e-9)
    assert (one.predict_proba(frame) == before).all()  # stays as it was


# ---------------------------------------------------------------- by hand


def test_counts_of_two_chunks_by_hand():
    model = bc.NaiveBayes()
    model.partial_fit([["v"], ["v"], ["x"]], [0, 1, 1], classes=[0, 1])
    model.partial_fit([["u"], ["v"]], [0, 0])
    assert model.schema_["x0"].states == ("u", "v", "x")
    assert model.statistics_.counts("x0", ["class"]).tolist() == [[1, 2, 0], [0, 1, 1]]
    table = model.network_.factors["x0"].table  # (F + 1/3) / (F(y) + 1)
    assert table == pytest.approx(np.array([[4 / 12, 7 / 12, 1 / 12], [1 / 9, 4 / 9, 4 / 9]]))
    assert model.network_.factors["class"].table == pytest.approx([3.5 / 6, 2.5 / 6])


def test_moments_of_two_chunks_by_hand():
    model = bc.NaiveBayes(continuous="gaussian")
    model.partial_fit([[1.0], [3.0]], ["n", "n"], classes=["n", "y"])
    model.partial_fit([[8.0], [5.0]], ["n", "y"])
    moments = model.statistics_.family_moments(["x0"], ["class"])
    assert moments.n.tolist() == [3, 1]
    assert moments.mean.ravel() == pytest.approx([4.0, 5.0])
    assert moments.covariance.ravel() == pytest.approx([26 / 3, 0.0])
    assert model.statistics_.resolution("x0") == pytest.approx(7 / 3)


# ---------------------------------------------------------------- domains

IRIS, SPECIES = bc.load_dataset("iris")
X = pd.DataFrame({"a": ["u", "v", "u", "v", "u", "w"], "b": ["p", "p", "q", "q", "p", "p"]})
Y = np.array(["no", "yes", "no", "yes", "yes", "no"])
ALL = ["no", "yes"]


@pytest.mark.parametrize("model", DISCRETE[:8], ids=repr)
def test_a_level_that_only_the_last_chunk_has(model):
    grown = clone(model).partial_fit(X[:5], Y[:5], ALL)
    before = grown.predict_proba(X[:5])
    assert np.isfinite(before).all()
    grown.partial_fit(X[5:], Y[5:])
    assert model_of(grown) == model_of(clone(model).fit(X, Y))


@pytest.mark.parametrize("model", DISCRETE[:8], ids=repr)
def test_a_chunk_of_one_row(model):
    grown = clone(model)
    for i in range(6):
        grown.partial_fit(X[i : i + 1], Y[i : i + 1], ALL)
        assert np.isfinite(grown.predict_proba(X)).all()
    assert model_of(grown) == model_of(clone(model).fit(X, Y))


@pytest.mark.parametrize("model", [*DISCRETE[:9], *NUMERIC[:5]], ids=repr)
def test_a_first_chunk_of_one_class(model):
    rows = np.argsort(Y, kind="stable")
    frame, labels = X.iloc[rows].reset_index(drop=True), Y[rows]
    grown = clone(model).partial_fit(frame[:3], labels[:3], ALL)
    assert grown.classes_.tolist() == ALL
    assert grown.predict_proba(frame).shape == (6, 2)
    assert np.isfinite(grown.predict_proba(frame)).all()
    grown.partial_fit(frame[3:], labels[3:])
    assert model_of(grown) == model_of(clone(model).fit(frame, labels))


def test_cuts_from_one_class_are_warned_of():
    numbers = np.arange(8.0)[:, np.newaxis]
    with pytest.warns(bc.BnclassWarning, match=r"first rows are all of one class.*\['x0'\]"):
        bc.NaiveBayes().partial_fit(numbers, ["no"] * 8, ALL)


@ignore_warnings
@pytest.mark.parametrize("kind", ["text", "number", "float for text"])
@pytest.mark.parametrize("model", [bc.TAN(continuous="gaussian"), bc.HAODE(), bc.AODE()], ids=repr)
def test_a_column_that_is_wholly_missing_in_the_first_chunk(model, kind):
    first = X[:3].assign(late=np.nan if kind != "text" else None)
    cells = [1.5, 2.0, 4.0] if kind == "number" else ["s", "t", "s"]
    second = X[3:].assign(late=cells)
    for frame in (first, second):
        frame.insert(1, "gone", np.nan)
    grown = clone(model).partial_fit(first, Y[:3], ALL)
    assert grown.schema_.names == ("a", "b")
    grown.partial_fit(second, Y[3:])
    assert grown.schema_.names == ("a", "b", "late")
    assert grown.missing_counts_ == {"gone": 6, "late": 3}
    late = pd.Series([np.nan] * 3 + cells, dtype=float if kind == "number" else object)
    whole = X.assign(late=late)
    whole.insert(1, "gone", np.nan)
    if not hasattr(model, "continuous") or model.continuous == "mdl":
        # A number is cut by the first chunk that has one.
        cuts = {v.column: v.cuts for v in clone(model).fit(second, Y[3:]).encoder_.counted_schema}
        assert {v.column: v.cuts for v in grown.encoder_.counted_schema} == cuts
        assert grown.predict_proba(whole).shape == (6, 2)
    if kind == "number" and model.__class__ is not bc.TAN:
        return
    other = clone(model).fit(whole, Y)
    assert grown.schema_ == other.schema_
    assert grown.predict_proba(whole) == pytest.approx(other.predict_proba(whole), abs=1e-9)


@ignore_warnings
@pytest.mark.parametrize("missing", ["state", "impute"])
@pytest.mark.parametrize("model", MIXED, ids=repr)
def test_what_fills_a_late_column_fills_it_in_the_rows_before(model, missing):
    frame, labels = random_numbers(np.random.default_rng(5), 60)
    late = ["n1", "s1", "n3"]
    frame.loc[:29, late] = np.nan
    frame = frame.astype({"s0": object, "s1": object})
    model = clone(model).set_params(missing=missing)
    grown = in_chunks(model, frame, labels, [30])
    filled = frame.fillna({n: grown.encoder_.means_[n] for n in ("n0", "n1", "n2", "n3")})
    if missing == "impute":
        states = {n: grown.schema_[n].states[grown.schema_[n].fill] for n in ("s0", "s1")}
        filled = filled.fillna(states)
    other = clone(model).fit(filled, labels)
    assert_close_moments(grown.statistics_, other.statistics_)
    for counts in ("value_counts", "pair_counts"):
        ours, theirs = getattr(grown.statistics_, counts), getattr(other.statistics_, counts)
        assert np.array_equal(ours, theirs) or ours is theirs is None
    assert grown.predict_proba(filled) == pytest.approx(other.predict_proba(filled), abs=1e-9)


@ignore_warnings
def test_a_chunk_in_which_a_known_column_is_wholly_missing():
    first, second = X[:3], X[3:].assign(a=None)
    grown = bc.TAN().partial_fit(first, Y[:3], ALL).partial_fit(second, Y[3:])
    whole = pd.concat([first, second])
    assert grown.network_ == bc.TAN().fit(whole, Y).network_


def test_declared_levels_keep_their_order_and_new_ones_follow():
    def chunk(levels, values):
        return pd.DataFrame({"size": pd.Categorical(values, categories=levels)})

    model = bc.NaiveBayes().partial_fit(chunk(["s", "m", "l"], ["l", "s"]), ["no", "yes"], ALL)
    model.partial_fit(chunk(["xl", "m", "a"], ["xl", "m"]), ["no", "yes"])
    assert model.schema_["size"].states == ("s", "m", "l", "xl", "a")
    model.partial_fit(pd.DataFrame({"size": ["k", "b"]}), ["no", "yes"])
    assert model.schema_["size"].states == ("s", "m", "l", "xl", "a", "b", "k")
    counts = model.statistics_.counts("size", ["class"])
    assert counts.tolist() == [[0, 0, 1, 1, 0, 0, 1], [1, 1, 0, 0, 0, 1, 0]]


@ignore_warnings
def test_the_state_for_missing_cells_comes_with_the_first_and_makes_way_for_its_name():
    model = bc.NaiveBayes(missing="state")
    model.partial_fit([["u"], ["v"]], ["no", "yes"], ALL)
    assert model.schema_["x0"].states == ("u", "v")
    model.partial_fit([[None], ["v"]], ["no", "yes"])
    assert model.schema_["x0"].states == ("u", "v", "missing")
    model.partial_fit([["missing"], ["missing"], [None]], ["no", "no", "yes"])
    assert model.schema_["x0"].states == ("missing", "u", "v", "missing_")
    assert model.statistics_.counts("x0", ["class"]).tolist() == [[2, 1, 0, 1], [0, 0, 2, 1]]


@ignore_warnings
def test_what_fills_holes_is_fixed_by_the_first_chunk():
    first = pd.DataFrame({"s": ["u", "v", "v"], "n": [1.0, 2.0, 6.0]})
    second = pd.DataFrame({"s": ["a", "a", "a", None], "n": [50.0, 60.0, 70.0, np.nan]})
    model = bc.NaiveBayes(missing="impute", continuous="gaussian")
    model.partial_fit(first, ["no", "yes", "no"], ALL)
    model.partial_fit(second, ["no", "no", "no", "yes"])
    assert model.schema_["s"].states[model.schema_["s"].fill] == "v"
    assert model.schema_["n"].fill == 3.0
    assert model.statistics_.counts("s", ["class"]).tolist() == [[3, 1, 1], [0, 0, 2]]
    assert model.statistics_.family_moments(["n"], ["class"]).mean[1, 0] == 2.5


@ignore_warnings
def test_a_number_that_is_constant_in_the_first_chunk():
    rng = np.random.default_rng(3)
    numbers = pd.DataFrame({"x": rng.normal(size=40), "c": [2.0] * 20 + [3.0] * 20})
    labels = np.array(["no", "yes"] * 20)
    model = bc.HAODE().partial_fit(numbers[:20], labels[:20], ALL)
    assert [v.source for v in model.encoder_.idle_views_] == ["c"]
    assert len(model.ensemble_) == 1
    model.partial_fit(numbers[20:], labels[20:])
    assert model.encoder_.idle_views_ == ()
    assert [v.states for v in model.encoder_.views_ if v.source == "c"] == [("all",)]
    assert len(model.ensemble_) == 2
    assert np.isfinite(model.predict_proba(numbers)).all()


def test_cuts_are_those_of_the_first_chunk():
    iris, y = bc.load_dataset("iris")
    shuffled = np.random.default_rng(0).permutation(150)
    iris, y = iris.iloc[shuffled], y.iloc[shuffled]
    model = bc.TAN().partial_fit(iris[:75], y[:75], np.unique(y))
    cuts = [v.cuts for v in model.schema_.attributes]
    model.partial_fit(iris[75:], y[75:])
    assert [v.cuts for v in model.schema_.attributes] == cuts
    assert model.statistics_.n_rows == 150
    assert cuts == [v.cuts for v in bc.TAN().fit(iris[:75], y[:75]).schema_.attributes]


def test_given_cuts_make_chunks_one_fit():
    iris, y = bc.load_dataset("iris")
    cuts = bc.MDLDiscretizer().fit(iris, y)
    model = bc.TAN(continuous=FrozenEstimator(cuts))
    grown = clone(model).partial_fit(iris[::3], y[::3], np.unique(y))
    grown.partial_fit(iris[1::3], y[1::3]).partial_fit(iris[2::3], y[2::3])
    assert grown.network_ == clone(model).fit(iris, y).network_
    parts = [clone(model).fit(iris[i::2], y[i::2]) for i in (0, 1)]
    assert parts[0].merge(parts[1]).network_ == grown.network_


def test_a_frozen_transformer_needs_no_weights():
    frozen = FrozenEstimator(KBinsDiscretizer(2, encode="ordinal", strategy="uniform").fit(IRIS))
    model = bc.TAN(continuous=frozen)
    model.fit(IRIS, SPECIES, sample_weight=np.linspace(1, 2, 150))  # warns of nothing
    assert model.encoder_.discretizer_ is frozen


def test_whole_numbers_and_others_are_one_domain():
    model = bc.NaiveBayes(categorical_features="all")
    model.partial_fit(pd.DataFrame({"n": [2, 1]}), ["no", "yes"], ALL)
    model.partial_fit(pd.DataFrame({"n": [1.5, 2.0]}), ["no", "yes"])
    assert repr(model.schema_["n"].states) == "(1.0, 1.5, 2.0)"
    assert model.statistics_.counts("n").tolist() == [1, 1, 2]


# ---------------------------------------------------------------- all or nothing


def fitted(model):
    return clone(model).partial_fit(X[:3], Y[:3], ALL)


REFUSED = {
    "a class outside": (
        X[3:],
        ["no", "maybe", "yes"],
        None,
        None,
        r"row 1: found the class 'maybe'",
    ),
    "labels of another kind": (X[3:], [0, 1, 1], None, None, "y holds number, expected text"),
    "a missing label": (X[3:], ["no", None, "yes"], None, None, "missing labels"),
    "other classes": (X[3:], Y[3:], ["no", "yes", "z"], None, "expected .'no', 'yes'. as before"),
    "other columns": (X[3:].rename(columns={"a": "z"}), Y[3:], None, None, "feature names"),
    "fewer columns": (X[["a"]][3:], Y[3:], None, None, "feature"),
    "another kind of value": (X[3:].assign(b=[1, 2, 3]), Y[3:], None, None, "'b' holds number"),
    "a date": (X[3:].assign(b=pd.Timestamp(0)), Y[3:], None, None, "column 'b' has dtype datetime"),
    "a negative weight": (X[3:], Y[3:], None, [1, -1, 1], "[Nn]egative"),
    "too few labels": (X[3:], Y[4:], None, None, "inconsistent numbers"),
    "no rows": (X[:0], Y[:0], None, None, "minimum of 1"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("model", [bc.AODE(), bc.TAN(continuous="gaussian")], ids=repr)
def test_a_refused_chunk_leaves_the_model_as_it_was(model, case):
    frame, labels, classes, weights, message = REFUSED[case]
    grown = fitted(model)
    before = pickle.dumps(grown)
    with pytest.raises(ValueError, match=message):
        grown.partial_fit(frame, labels, classes, weights)
    assert pickle.dumps(grown) == before
    grown.partial_fit(X[3:], Y[3:])
    assert model_of(grown) == model_of(clone(model).fit(X, Y))


def test_a_refused_first_chunk_leaves_nothing():
    model = bc.TAN()
    with pytest.raises(bc.BnclassError, match="found the class 'yes', expected one of the 1 cl"):
        model.partial_fit(X, Y, ["no"])
    assert vars(model) == vars(bc.TAN())
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(bc.BnclassError, match="classes must be passed on the first call"):
        model.partial_fit(X, Y)


@ignore_warnings
def test_a_late_column_that_the_model_cannot_have_is_refused_with_its_chunk():
    first = pd.DataFrame({"x": [1.0, 2.0, 4.0], "late": None})
    grown = bc.GAODE().partial_fit(first, Y[:3], ALL)
    before = dict(vars(grown))
    with pytest.raises(bc.BnclassError, match=r"'late'.* are discrete, and GAODE takes numbers"):
        grown.partial_fit(first.assign(late=["u", "v", "u"]), Y[3:])
    assert vars(grown) == before  # the very same objects


def test_statistics_of_an_earlier_fit_are_forgotten():
    model = bc.KDB(k=1).fit(X, Y).set_params(k=2).fit(X, Y).set_params(k=1)
    with pytest.raises(bc.BnclassError, match="no statistics_ to add to"):
        model.partial_fit(X, Y)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (5, "classes is 5, expected a sequence of at least one label"),
        ({"no"}, "expected a sequence of at least one label"),
        ("no", "classes is 'no', expected a sequence"),
        ((), r"classes is \(\), expected a sequence of at least one label"),
        ([["no", "yes"]], "expected a sequence of at least one label"),
        (["no", None], "classes has 1 missing labels"),
        (["no", 1], "'classes' mixes"),
    ],
    ids=repr,
)
def test_classes_that_are_none_are_refused_as_such(classes, message):
    with pytest.raises(bc.DataError, match=message):
        bc.NaiveBayes().partial_fit(X, Y, classes)
    with pytest.raises(bc.DataError, match=message):
        fitted(bc.NaiveBayes()).partial_fit(X, Y, classes)


def test_rows_without_labels_are_refused_as_such():
    with pytest.raises(bc.BnclassError, match="NaiveBayes requires y to be passed"):
        bc.NaiveBayes().partial_fit(X, None, ALL)
    with pytest.raises(bc.BnclassError, match="NaiveBayes requires y to be passed"):
        fitted(bc.NaiveBayes()).partial_fit(X, None)


@pytest.mark.parametrize("model", NUMERIC, ids=repr)
def test_numbers_of_all_chunks_that_are_too_close_are_refused(model):
    zeros, tiny = pd.DataFrame({"n0": [0.0, 0.0]}), pd.DataFrame({"n0": [1e-200, 0.0]})
    grown = clone(model).partial_fit(zeros, [0, 1], [0, 1])
    before = pickle.dumps(grown)
    with pytest.raises(bc.DataError, match="column 'n0' spreads over 1e-200 only"):
        grown.partial_fit(tiny, [0, 1])
    assert pickle.dumps(grown) == before
    alone = clone(model).partial_fit(tiny[:1], [0], [0, 1])
    with pytest.raises(bc.DataError, match="column 'n0' spreads over 1e-200 only"):
        grown.merge(alone)


def test_missing_cells_in_a_later_chunk_can_be_refused():
    model = fitted(bc.TAN(missing="error"))
    with pytest.raises(bc.DataError, match=r"missing cells \('a': 3\)"):
        model.partial_fit(X[3:].assign(a=None), Y[3:])
    assert model.statistics_.n_rows == 3


@pytest.mark.parametrize("model", [*DISCRETE[:8], *MIXED], ids=repr)
def test_rows_of_weight_zero_are_as_if_they_were_not_there(model):
    grown = fitted(model)
    before = grown.predict_proba(X)
    strange = pd.DataFrame({"a": ["new"], "b": ["newer"]})
    grown.partial_fit(strange, ["no class"], sample_weight=[0.0])
    assert "new" not in grown.schema_["a"].states
    assert (grown.predict_proba(X) == before).all()
    grown.partial_fit(pd.concat([strange, X[3:]]), ["other", *Y[3:]], sample_weight=[0, 1, 1, 1])
    assert model_of(grown) == model_of(clone(model).fit(X, Y))


def test_a_first_chunk_without_weight_is_refused():
    with pytest.raises(ValueError, match=r"no rows|non-zero number"):  # scikit-learn's words
        bc.TAN().partial_fit(X, Y, ALL, sample_weight=np.zeros(6))


# ---------------------------------------------------------------- conventions


@pytest.mark.parametrize("model", [bc.TAN(), bc.AODE(), bc.GAODE(), bc.HAODE()], ids=repr)
def test_partial_fit_goes_on_from_fit_and_fit_begins_anew(model):
    frame, labels = random_numbers(np.random.default_rng(1), 60)
    numbers = frame[["n0", "n1", "n2"]]
    grown = clone(model).fit(numbers[:30], labels[:30])
    one = grown.partial_fit(numbers[30:], labels[30:]).predict_proba(numbers)
    two = clone(model).partial_fit(numbers[:30], labels[:30], CLASSES)
    assert (two.partial_fit(numbers[30:], labels[30:]).predict_proba(numbers) == one).all()
    again = grown.fit(numbers[:30], labels[:30])
    assert again.statistics_.n_rows == 30
    fresh = clone(model).fit(numbers[:30], labels[:30])
    assert (again.predict_proba(numbers) == fresh.predict_proba(numbers)).all()


def test_the_network_is_learned_when_it_is_asked_for():
    model = fitted(bc.KDB(k=1)).partial_fit(X[3:], Y[3:])
    assert "network_" not in vars(model)
    assert model.k_ == 1
    assert model.network_ is model.network_
    assert not hasattr(bc.KDB(k=1), "network_")
    assert not hasattr(bc.AODE(), "ensemble_")


def test_a_chunk_that_comes_while_the_network_is_learned_is_not_lost(monkeypatch):
    model, learn = fitted(bc.TAN()).partial_fit(X[3:4], Y[3:4]), bc.TAN._learn

    def interrupted(self, *arguments):  # as if by another thread
        monkeypatch.setattr(bc.TAN, "_learn", learn)
        model.partial_fit(X[4:], Y[4:])
        learn(self, *arguments)

    monkeypatch.setattr(bc.TAN, "_learn", interrupted)
    assert model.network_ == bc.TAN().fit(X[:4], Y[:4]).network_
    assert model.statistics_.n_rows == 6
    assert model.network_ == bc.TAN().fit(X, Y).network_


def test_a_pickled_model_goes_on():
    model = pickle.loads(pickle.dumps(fitted(bc.AODE())))
    assert model.partial_fit(X[3:], Y[3:]).ensemble_ == bc.AODE().fit(X, Y).ensemble_


def test_classes_without_rows_are_there():
    model = bc.TAN().partial_fit(X, Y, ["no", "yes", "zero"])
    assert model.classes_.tolist() == ["no", "yes", "zero"]
    assert model.predict_proba(X).shape == (6, 3)
    prior = model.network_.factors["class"].table
    assert prior == pytest.approx(np.array([3 + 1 / 3, 3 + 1 / 3, 1 / 3]) / 7)


@pytest.mark.parametrize("model", [bc.KDB(), bc.KDB(k=None), bc.KST()], ids=repr)
def test_models_of_larger_families_do_not_learn_from_chunks(model):
    assert not hasattr(model, "partial_fit")
    assert not hasattr(model, "merge")
    model.fit(X, Y)
    assert not hasattr(model, "statistics_")


def test_the_refusal_says_which_families():
    with pytest.raises(AttributeError) as caught:
        bc.KDB(k=2).partial_fit(X, Y, ALL)
    assert "KDB(k=2) counts families of three attributes" in str(caught.value.__cause__)


def test_drawn_structures_of_pairs_learn_from_chunks():
    arcs = [("class", "a"), ("class", "b"), ("a", "b")]
    drawn = bc.Structure.from_arcs(["class", "a", "b"], arcs, "class")
    grown = fitted(bc.StructureClassifier(drawn)).partial_fit(X[3:], Y[3:])
    assert grown.network_ == bc.StructureClassifier(drawn).fit(X, Y).network_
    plain = fitted(bc.StructureClassifier(drawn.to_networkx())).partial_fit(X[3:], Y[3:])
    assert plain.network_ == grown.network_
    late = bc.Structure.from_arcs("abcy", [("a", "c"), ("b", "c"), ("y", "c")], "y")
    assert not hasattr(bc.StructureClassifier(late), "partial_fit")
    assert not hasattr(bc.StructureClassifier(late).fit(X.assign(c=X["a"]), Y), "partial_fit")


# ---------------------------------------------------------------- merging


MERGES = {
    "another estimator": (bc.TAN(), bc.AODE(), X, "found a AODE, expected a TAN"),
    "another parameter": (bc.TAN(), bc.TAN(smoothing=2.0), X, "smoothing is 1.0 in one and 2.0"),
    "other columns": (bc.TAN(), bc.TAN(), X.rename(columns={"b": "z"}), "found columns"),
    "another kind": (bc.TAN(), bc.TAN(), X.assign(b=[True] * 6), "column 'b' has states of kind"),
    "another policy": (bc.TAN(), bc.TAN(missing="state"), X, "missing is 'marginalize' in one"),
}


@pytest.mark.parametrize("case", MERGES)
def test_what_cannot_be_merged(case):
    one, other, frame, message = MERGES[case]
    ours, theirs = clone(one).fit(X, Y), clone(other).fit(frame, Y)
    with pytest.raises(bc.BnclassError, match=message):
        ours.merge(theirs)


def test_other_cuts_cannot_be_merged():
    iris, y = bc.load_dataset("iris")
    one, other = bc.TAN().fit(iris[::2], y[::2]), bc.TAN().fit(iris[1::2], y[1::2])
    with pytest.raises(bc.DataError, match=r"column 'sepal length \(cm\)' has cuts"):
        one.merge(other)
    bins = bc.TAN(continuous=KBinsDiscretizer(3, encode="ordinal", strategy="uniform"))
    one, other = clone(bins).fit(iris[::2], y[::2]), clone(bins).fit(iris[1::2], y[1::2])
    with pytest.raises(bc.DataError, match="transformers of numbers were fitted to different"):
        one.merge(other)
    means = [bc.GAODE(missing="impute").fit(iris[i::2], y[i::2]) for i in (0, 1)]
    with pytest.raises(bc.DataError, match=r"column 'sepal.*missing cells that become 5\.8"):
        means[0].merge(means[1])


def test_an_unfitted_model_cannot_be_merged():
    with pytest.raises(NotFittedError):
        bc.TAN().fit(X, Y).merge(bc.TAN())


def test_merging_adds_a_model_to_itself():
    model = bc.AODE().fit(X, Y)
    assert model.merge(model).ensemble_ == bc.AODE().fit(pd.concat([X, X]), [*Y, *Y]).ensemble_


# ---------------------------------------------------------------- files


@ignore_warnings
@pytest.mark.parametrize(
    "model", [bc.TAN(), bc.AODE(missing="state"), bc.HAODE(), bc.GAODE()], ids=repr
)
def test_a_saved_model_goes_on_with_its_statistics(model, tmp_path):
    frame, labels = random_numbers(np.random.default_rng(2), 60)
    frame = frame[["n0", "n1"]] if isinstance(model, bc.GAODE) else frame
    frame = frame.assign(constant=1.0)
    grown = clone(model).partial_fit(frame[:30], labels[:30], CLASSES)
    bc.save(grown, tmp_path / "model.json", statistics=True)
    loaded = bc.load(tmp_path / "model.json")
    assert same_counts(loaded.statistics_, grown.statistics_)
    for m in (loaded, grown):
        m.partial_fit(frame[30:].assign(constant=2.0), labels[30:])
    assert (loaded.predict_proba(frame) == grown.predict_proba(frame)).all()
    assert loaded.missing_counts_ == grown.missing_counts_


def test_a_model_saved_without_statistics_says_so(tmp_path):
    path = tmp_path / "model.json"
    model = fitted(bc.TAN()).partial_fit(X[3:], Y[3:])  # not yet learned
    bc.save(model, path)
    loaded = bc.load(path)
    assert loaded.network_ == model.network_
    with pytest.raises(bc.BnclassError, match=r"no statistics_ to add to.*statistics=True"):
        loaded.partial_fit(X, Y)
    with pytest.raises(bc.BnclassError, match="no statistics_ to add to"):
        model.merge(loaded)
    with pytest.raises(bc.FileFormatError, match="this TAN has no statistics_"):
        bc.save(loaded, path, statistics=True)
    with pytest.raises(bc.FileFormatError, match="this KDB has no statistics_"):
        bc.save(bc.KDB().fit(X, Y), path, statistics=True)


def test_nothing_is_warned_of_in_clean_chunks():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(bc.AODE()).partial_fit(X[3:], Y[3:]).predict(X)
