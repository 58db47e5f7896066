"""Awkward tables of numbers: every classifier answers with probabilities."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from mixed_frames import EVERY_MODEL, kinds_for, random_frame
from sklearn.base import clone

import bnclass as bc

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def plain():
    rng = np.random.default_rng(1)
    labels = np.repeat(["a", "b"], 10)
    numbers = rng.normal(size=(20, 3)) + (labels == "b")[:, np.newaxis]
    return pd.DataFrame(numbers, columns=["p", "q", "r"]), labels


def constant_columns():
    frame, labels = plain()
    return frame.assign(q=7.0, s=-0.0), labels


def constant_in_one_class():
    frame, labels = plain()
    return frame.assign(q=np.where(labels == "a", 3.0, frame["q"])), labels


def class_of_one_row():
    frame, labels = plain()
    return frame, np.where(np.arange(20) == 19, "c", labels)


def every_class_of_one_row():
    frame, _ = plain()
    return frame.iloc[:4], np.array(list("abcd"))


def class_never_seen_with_a_column():
    frame, labels = plain()
    return frame.assign(q=frame["q"].where(labels == "a")), labels


def collinear_columns():
    frame, labels = plain()
    return frame.assign(s=frame["p"] + frame["q"], t=frame["p"] - 3 * frame["q"]), labels


def duplicated_columns():
    frame, labels = plain()
    return frame.assign(s=frame["p"], t=-frame["p"], u=frame["p"] + 1e6), labels


def more_columns_than_rows():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(10, 50)))
    return frame.add_prefix("x"), np.array(list("aabbaabbab"))


def one_row():
    return pd.DataFrame({"p": [1.5], "q": [2.0]}), np.array(["a"])


def two_rows():
    return pd.DataFrame({"p": [1.5, 2.5], "q": [2.0, 2.0]}), np.array(["a", "b"])


def nothing_varies():
    return pd.DataFrame({"p": np.ones(6), "q": np.zeros(6)}), np.array(list("aabbbb"))


def never_in_one_row():
    p = [1.0, 2.0, 4.0, np.nan, np.nan, np.nan]
    return pd.DataFrame({"p": p, "q": p[::-1]}), np.array(list("abaabb"))


def tiny_spreads():
    frame, labels = plain()
    return frame.assign(p=1e-90 * frame["p"], q=1 + 1e-15 * np.arange(20)), labels


def huge_numbers():
    frame, labels = plain()
    return frame.assign(p=1e97 * frame["p"], q=1e-97 * frame["q"]), labels


def extreme_training_outlier():
    frame, labels = plain()
    return frame.assign(p=np.where(np.arange(20) == 0, 1e99, frame["p"])), labels


TABLES = [
    constant_columns,
    constant_in_one_class,
    class_of_one_row,
    every_class_of_one_row,
    class_never_seen_with_a_column,
    collinear_columns,
    duplicated_columns,
    more_columns_than_rows,
    one_row,
    two_rows,
    nothing_varies,
    never_in_one_row,
    tiny_spreads,
    huge_numbers,
    extreme_training_outlier,
]
for_each_model = pytest.mark.parametrize("model", EVERY_MODEL, ids=repr)


def require_probabilities(model, frame):
    """Assert that rows, whole and with holes, far away and empty, get probabilities."""
    few = frame.iloc[::6]  # every pattern of holes is a walk of its own
    holes = few.mask(np.random.default_rng(0).random(few.shape) < 0.4)
    empty = frame.iloc[:1] * np.nan
    far = [frame.iloc[:2] * 0 + sign * x for x in (1e99, 1e20) for sign in (1, -1)]
    for asked in (frame, holes, empty, *far):
        found = model.predict_proba(asked)
        assert np.isfinite(found).all()
        assert (found >= 0).all()
        assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
        assert not np.isnan(model.predict_log_proba(asked)).any()
        assert (model.predict(asked) == model.classes_[found.argmax(axis=1)]).all()


@for_each_model
@pytest.mark.parametrize("table", TABLES)
def test_every_answer_is_a_distribution(table, model):
    frame, labels = table()
    require_probabilities(model.fit(frame, labels), frame)


@for_each_model
@pytest.mark.parametrize("weights", [1e-3, 1e-9, 1e9])
def test_any_scale_of_weights(model, weights):
    frame, labels = plain()
    model.fit(frame, labels, sample_weight=np.full(20, weights))
    require_probabilities(model, frame)


@for_each_model
def test_constant_columns_have_no_say(model):
    frame, labels = random_frame(4, kinds_for(model))
    expected = model.fit(frame, labels).predict_proba(frame)
    frame["x9"] = 3.25
    found = model.fit(frame, labels).predict_proba(frame)
    assert found == pytest.approx(expected, abs=1e-12)
    elsewhere = model.predict_proba(frame.assign(x9=-1e50))
    assert elsewhere == pytest.approx(expected, abs=1e-12)


@for_each_model
def test_where_nothing_varies_the_answer_is_the_class_prior(model):
    frame, labels = nothing_varies()
    found = model.fit(frame, labels).predict_proba(frame.assign(p=5.0))
    assert found == pytest.approx(np.tile([2.5 / 7, 4.5 / 7], (6, 1)), abs=1e-12)


@for_each_model
def test_a_constant_column_with_holes_stays_constant(model):
    """The mean of equal numbers is that number; another one would tell the classes apart."""
    frame, labels = plain()
    model = clone(model).set_params(missing="impute")
    for value, weight in ((0.1, 1.0), (0.003, 0.7), (12.34, 1.0)):
        weights = np.full(20, weight)
        expected = model.fit(frame, labels, sample_weight=weights).predict_proba(frame)
        other = frame.assign(s=np.where(np.arange(20) < 3, value, np.nan))
        found = model.fit(other, labels, sample_weight=weights).predict_proba(other)
        assert found == pytest.approx(expected, abs=1e-9)


def test_whole_numbers_that_are_one_double_are_constant():
    """2⁶² and 2⁶² + 1 are the same number, so that the column has no view to be superparent."""
    frame, labels = plain()
    frame["q"] = np.where(np.arange(20) % 2, 2**62, 2**62 + 1)
    model = bc.HAODE().fit(frame, labels)
    assert [v.source for v in model.encoder_.views_] == ["p", "r"]


@for_each_model
def test_arrays_of_any_layout(model):
    frame, labels = plain()
    numbers = frame.to_numpy()
    expected = model.fit(numbers, labels).predict_proba(numbers)
    locked = numbers.copy()
    locked.setflags(write=False)
    wide = np.repeat(numbers, 2, axis=1)[:, ::2]
    for other in (numbers.astype(">f8"), np.asfortranarray(numbers), wide, locked):
        assert (model.fit(other, labels).predict_proba(other) == expected).all()


@for_each_model
@pytest.mark.parametrize("number", [1e101, -1e300, np.inf])
def test_numbers_beyond_the_range_are_refused_by_name(model, number):
    frame, labels = plain()
    far = frame.assign(q=np.where(np.arange(20) == 3, number, frame["q"]))
    with pytest.raises(bc.DataError, match="column 'q', row 3: found"):
        model.fit(far, labels)
    model.fit(frame, labels)
    with pytest.raises(bc.DataError, match="column 'q', row 3: found"):
        model.predict(far)


@for_each_model
def test_a_spread_beyond_the_range_is_refused_by_name(model):
    frame, labels = plain()
    with pytest.raises(bc.DataError, match="column 'q' spreads over"):
        model.fit(frame.assign(q=1e-105 * frame["q"]), labels)


def test_a_number_apart_from_the_class_says_nothing_however_far_out():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 50)
    frame = pd.DataFrame({"x": rng.normal(size=100), "z": rng.normal(size=100) + labels})
    graph = nx.DiGraph([("class", "z")])
    graph.add_node("x")
    model = bc.StructureClassifier(graph, continuous="gaussian").fit(frame, labels)
    far = pd.DataFrame({"x": [0.0, 999_999_999.0, -1e99, np.nan], "z": 1.5})
    for engine in ("compiled", "graph"):
        found = model.network_.posterior(far, engine=engine)
        assert (found == found[0]).all()
    assert 0.5 < found[0, 1] < 1.0


def test_large_weights_of_large_numbers():
    frame = pd.DataFrame({"x": np.array([1.0, 2, 4, 8, 3, 5, 9, 11])})
    labels = [0] * 4 + [1] * 4
    model = bc.NaiveBayes(smoothing=0, continuous="gaussian")
    expected = model.fit(frame, labels).predict_proba(frame)
    found = model.fit(1e75 * frame, labels, np.full(8, 1e100)).predict_proba(1e75 * frame)
    assert found == pytest.approx(expected, abs=1e-9)


def test_parents_beyond_what_an_array_can_hold():
    rng = np.random.default_rng(0)
    states = pd.DataFrame(rng.integers(0, 2, (20, 70)).astype(str)).add_prefix("s")
    frame = states.assign(x=rng.normal(size=20))
    graph = nx.DiGraph([("class", name) for name in frame])
    graph.add_edges_from((name, "x") for name in states)
    model = bc.StructureClassifier(graph, continuous="gaussian")
    with pytest.raises(
        bc.MemoryLimitError, match="densities of 'x' with the parents 'class', 's0'"
    ):
        model.fit(frame, [0, 1] * 10)
