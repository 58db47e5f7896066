"""Values not seen in training, and counts of missing and unknown cells, in every estimator."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import bnclass as bc

MODELS = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(),
    bc.AODE(),
    bc.ATAN(),
    bc.HAODE(),
    bc.KST(k=1),
    bc.StructureClassifier(),
]
each_model = pytest.mark.parametrize("model", MODELS, ids=repr)

X = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": ["p", "q", "q", "p"], "n": [1.0, 2.0, 3.0, 9.0]})
Y = ["no", "yes", "no", "yes"]
NEW = pd.DataFrame({"a": ["z", "x", "z", "w"], "b": ["p", "r", None, "q"], "n": [0.0, 5.0, 1e6, 2]})


@each_model
def test_an_unknown_value_is_refused_by_column_value_and_rows(model):
    model = clone(model).set_params(unknown="error").fit(X, Y)
    message = (
        r"values not seen in training \(column 'a': 'z' in 2 rows, 'w' in 1 row; "
        r"column 'b': 'r' in 1 row\), expected none because unknown='error'"
    )
    for ask in (model.predict, model.predict_proba, model.predict_log_proba):
        with pytest.raises(bc.DataError, match=message):
            ask(NEW)
    holes = X.assign(a=None)  # missing cells are not unknown
    assert model.predict_proba(holes).shape == (4, 2)
    assert model.unknown_counts_ == {}


@each_model
def test_unknown_values_are_told_once_and_counted(model):
    model = clone(model).fit(X, Y)
    with pytest.warns(bc.UnknownValuesWarning) as caught:
        first = model.predict_proba(NEW)
    assert [str(w.message) for w in caught] == [
        "values not seen in training ('a': 3, 'b': 1) count as missing cells"
    ]
    assert caught[0].filename == __file__
    assert model.unknown_counts_ == {"a": 3, "b": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = model.predict_proba(NEW)
        model.predict(X)
    assert (again == first).all()
    assert model.unknown_counts_ == {"a": 6, "b": 2}
    assert clone(model).fit(X, Y).unknown_counts_ == {}
    assert (first == model.predict_proba(NEW.replace({"z": None, "w": None, "r": None}))).all()


def test_a_column_that_comes_to_be_unknown_later_is_told_then():
    model = bc.TAN().fit(X, Y)
    with pytest.warns(bc.UnknownValuesWarning, match=r"\('a': 1\)"):
        model.predict(NEW[:1])
    with pytest.warns(bc.UnknownValuesWarning, match=r"\('b': 1\)"):
        model.predict(NEW)
    assert model.unknown_counts_ == {"a": 4, "b": 1}


@pytest.mark.parametrize("missing", ["state", "impute"])
def test_unknown_values_that_take_the_fill_are_told_from_missing_cells(missing):
    holes = pd.concat([X, X.assign(a=None)])
    model = bc.NaiveBayes(missing=missing).fit(holes, Y * 2)
    assert model.missing_counts_ == {"a": 4}
    with pytest.warns(bc.UnknownValuesWarning, match=r"\('a': 3, 'b': 1\)"):
        model.predict(NEW)
    strict = bc.NaiveBayes(missing=missing, unknown="error").fit(holes, Y * 2)
    strict.predict(holes)
    with pytest.raises(bc.DataError, match="column 'a': 'z' in 2 rows"):
        strict.predict(NEW)


def test_declared_levels_without_rows_are_known():
    levels = pd.CategoricalDtype(["x", "y", "z", "w"])
    model = bc.TAN(unknown="error").fit(X[["a"]].astype(levels), Y)
    assert model.predict(NEW[["a"]]).shape == (4,)
    assert model.predict(NEW[["a"]].astype(levels)).shape == (4,)
    with pytest.raises(bc.DataError, match="column 'a': 'v' in 1 row"):
        model.predict(pd.DataFrame({"a": pd.Categorical(["v", "x"])}))


def test_numbers_are_never_unknown():
    numbers = X[["n"]]
    for model in (bc.TAN(unknown="error"), bc.GAODE(unknown="error"), bc.HAODE(unknown="error")):
        assert model.fit(numbers, Y).predict(NEW[["n"]]).shape == (4,)


def test_many_unknown_values_make_a_short_message():
    frame = pd.DataFrame({f"c{j}": list("uvwxy") for j in range(9)})
    model = bc.NaiveBayes().fit(frame, list("nnnyy"))
    with pytest.warns(bc.UnknownValuesWarning, match=r"'c5': 5, … \(45 in 9 columns\)"):
        model.predict(frame.map(str.upper))
    strict = bc.NaiveBayes(unknown="error").fit(frame[["c0"]], list("nnnyy"))
    with pytest.raises(bc.DataError, match=r"'U' in 1 row, 'V' in 1 row, 'W' in 1 row and 2 oth"):
        strict.predict(frame[["c0"]].map(str.upper))


def test_an_unknown_policy_for_unknown_values_is_refused():
    with pytest.raises(bc.BnclassError, match=r"unknown is 'drop', expected one of \('missing'"):
        bc.TAN(unknown="drop").fit(X, Y)


# ---------------------------------------------------------------- missing training cells

HOLES = X.assign(a=["x", None, "x", "y"], n=[np.nan, 2.0, np.nan, 9.0])
BECOME = {
    "marginalize": "are left out of the counts that need them",
    "state": "have a state of their own, or become the mean of a number",
    "impute": "become the mode or mean of their column",
}


@pytest.mark.parametrize("missing", BECOME)
@each_model
def test_missing_training_cells_are_told_once_and_counted(model, missing):
    with pytest.warns(bc.MissingCellsWarning) as caught:
        model = clone(model).set_params(missing=missing).fit(HOLES, Y)
    told = [w for w in caught if w.category is bc.MissingCellsWarning]
    message = f"missing cells in training ('a': 1, 'n': 2) {BECOME[missing]}"
    assert [str(w.message) for w in told] == [message]
    assert told[0].filename == __file__
    assert model.missing_counts_ == {"a": 1, "n": 2}


def test_complete_rows_are_told_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = bc.AODE().fit(X, Y)
        model.predict(HOLES)  # a hole in a row to predict is nothing to be told
    assert model.missing_counts_ == model.unknown_counts_ == {}


def test_a_wholly_missing_column_has_a_warning_of_its_own():
    with pytest.warns(bc.BnclassWarning) as caught:
        model = bc.TAN().fit(HOLES.assign(gone=np.nan), Y)
    messages = sorted(str(w.message).split("(")[0] for w in caught)
    assert messages == [
        "columns ['gone'] are wholly missing in training and stay out of the model",
        "missing cells in training ",
    ]
    assert model.missing_counts_ == {"a": 1, "n": 2, "gone": 4}


def test_rows_of_weight_zero_have_no_cells():
    with pytest.warns(bc.MissingCellsWarning, match=r"\('n': 2\)"):
        model = bc.TAN().fit(HOLES, Y, sample_weight=[1, 0, 2, 1])
    assert model.missing_counts_ == {"n": 2}


def test_chunks_tell_of_each_column_once():
    model = bc.NaiveBayes(continuous="gaussian")
    with pytest.warns(bc.MissingCellsWarning, match=r"\('n': 1\)"):
        model.partial_fit(HOLES[::3], Y[::3], classes=["no", "yes"])
    with pytest.warns(bc.MissingCellsWarning, match=r"\('a': 1\)"):
        model.partial_fit(HOLES[1:3], Y[1:3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(HOLES, Y)
    assert model.missing_counts_ == {"a": 2, "n": 4}
    with pytest.warns(bc.MissingCellsWarning):
        other = bc.NaiveBayes(continuous="gaussian").fit(HOLES, Y)
    assert model.merge(other).missing_counts_ == {"a": 3, "n": 6}


@pytest.mark.parametrize(("action", "n_told"), [("default", 1), ("always", 9), ("ignore", 0)])
def test_many_folds_and_candidates_tell_the_line_that_asks_once(action, n_told):
    frame, labels = pd.concat([HOLES] * 5 + [X], ignore_index=True), Y * 6
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        for m in (0.5, 1.0, 2.0):
            cross_val_score(bc.NaiveBayes(smoothing=m), frame, labels, cv=3)
    told = [w for w in caught if w.category is bc.MissingCellsWarning]
    assert len(told) == n_told
    assert {w.filename for w in told} <= {__file__}


def test_a_saved_model_keeps_its_counts(tmp_path):
    with pytest.warns(bc.MissingCellsWarning):
        model = bc.TAN(unknown="missing").fit(HOLES, Y)
    with pytest.warns(bc.UnknownValuesWarning):
        model.predict(NEW)
    bc.save(model, tmp_path / "model.json")
    loaded = bc.load(tmp_path / "model.json")
    assert loaded.missing_counts_ == {"a": 1, "n": 2}
    assert loaded.unknown_counts_ == {"a": 3, "b": 1}
    assert loaded.get_params() == model.get_params()
