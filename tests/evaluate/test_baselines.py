"""Classifiers of scikit-learn in a comparison."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from mixed_frames import random_frame, with_holes
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import bnclass as bc
from bnclass.evaluate.baselines import BASELINES, encoded, needs_encoding
from bnclass.evaluate.vectors import VectorEncoder

CLASSIFIERS = [
    KNeighborsClassifier(1),
    SVC(C=100),
    RandomForestClassifier(10, random_state=0),
    HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5),
    BASELINES["knn"](),
]


@pytest.fixture(autouse=True)
def _one_thread():
    """Keep boosting from spinning on processors that are busy: these tables need no second."""
    with threadpool_limits(1):
        yield


every_classifier = pytest.mark.parametrize(
    "classifier", CLASSIFIERS, ids=lambda c: type(c).__name__
)


def awkward(t=40):
    """Return all kinds of columns, with holes, and labels that the first two tell."""
    rng = np.random.default_rng(1)
    codes = np.arange(t) % 2
    frame = pd.DataFrame(
        {
            "n": codes * 5.0 + rng.normal(size=t),
            "s": np.array(["no", "yes"], dtype=object)[codes],
            "c": pd.Categorical(np.array(["u", "v", "w"])[rng.integers(0, 3, t)]),
            "b": rng.random(t) < 0.5,
            "i": pd.array(rng.integers(0, 9, t), dtype="Int64"),
            "k": [7] * t,
            "o": ["only"] * t,
        }
    )
    frame.loc[::5, ["s", "c", "i"]] = None
    frame.loc[1::7, "n"] = np.nan
    return frame, codes


@every_classifier
@pytest.mark.parametrize(
    "classes",
    [[3, 8], ["no", "yes"], [False, True], [1.0, 2.0]],
    ids=["integers", "text", "bools", "floats"],
)
def test_awkward_columns_and_labels_of_any_kind(classifier, classes):
    frame, codes = awkward()
    labels = np.array(classes)[codes]
    model = encoded(clone(classifier)).fit(frame[:30], labels[:30])
    found = model.predict(frame[30:])
    assert found.dtype == labels.dtype
    assert (found == labels[30:]).mean() >= 0.8


@every_classifier
def test_rows_like_none_before(classifier):
    frame, codes = awkward()
    model = encoded(clone(classifier)).fit(frame, codes)
    strange = frame.head(3).assign(s="other", c="other", n=1e90, b=None, i=None, o=None)
    assert set(model.predict(strange)) <= {0, 1}
    missing = pd.DataFrame([[None] * 7] * 2, columns=frame.columns)
    assert len(set(model.predict(missing))) == 1


@every_classifier
def test_without_any_value(classifier):
    frame = pd.DataFrame({"a": [None] * 9, "n": [np.nan] * 9})
    with pytest.warns(bc.BnclassWarning, match="wholly missing"):
        model = encoded(clone(classifier)).fit(frame, [1, 0, 0] * 3)
    assert len(set(model.predict(frame))) == 1


@every_classifier
def test_tables_of_all_libraries_are_one(classifier):
    frame, labels = random_frame(3, "nsn")
    frame = with_holes(frame.astype({"x1": object}), 3)
    table = pl.from_pandas(frame)
    ours = encoded(clone(classifier)).fit(frame, labels)
    theirs = encoded(clone(classifier)).fit(table, labels)
    assert (ours.predict(frame) == theirs.predict(table)).all()
    numbers, labels = random_frame(3, "nnn", holes=0.1)
    ours = encoded(clone(classifier)).fit(numbers, labels)
    theirs = encoded(clone(classifier)).fit(numbers.to_numpy(), labels)
    assert (ours.predict(numbers) == theirs.predict(numbers.to_numpy())).all()


def test_training_rows_alone_decide():
    frame, codes = awkward()
    first, later = frame[:20], frame[20:]
    alone = encoded(SVC()).fit(first, codes[:20])
    expected = VectorEncoder().fit(first)
    assert (alone["encoder"].transform(later) == expected.transform(later)).all()
    one_by_one = [alone.predict(later[i : i + 1])[0] for i in range(len(later))]
    assert (alone.predict(later) == one_by_one).all()


def test_scikit_learns_tools():
    frame, codes = awkward()
    model = encoded(RandomForestClassifier(5, random_state=3), categorical_features=["k"])
    params = model.get_params(deep=True)
    assert params["classifier__random_state"] == 3
    assert params["encoder__categorical_features"] == ["k"]
    assert clone(model).set_params(classifier__random_state=4)["classifier"].random_state == 4
    assert cross_val_score(model, frame, codes, cv=2).mean() > 0.8
    search = GridSearchCV(encoded(SVC()), {"classifier__C": [1, 10]}, cv=2).fit(frame, codes)
    again = pickle.loads(pickle.dumps(search))
    assert (again.predict(frame) == search.predict(frame)).all()


def test_the_classifier_given_is_held_and_not_fitted():
    classifier = SVC()
    assert encoded(classifier)["classifier"] is classifier
    assert not hasattr(classifier, "classes_")


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        (SVC(), True),
        (BASELINES["knn"](), True),
        (DummyClassifier(), True),
        (GridSearchCV(SVC(), {"C": [1]}), True),
        (VotingClassifier([("a", SVC()), ("b", LogisticRegression())]), True),
        (bc.TAN(), False),
        (encoded(SVC()), False),
        (make_pipeline(StandardScaler(), SVC()), False),
        (GridSearchCV(encoded(SVC()), {"classifier__C": [1]}), False),
        (GridSearchCV(bc.KDB(), {"k": [1, 2]}), False),
        (VotingClassifier([("a", bc.NaiveBayes()), ("b", encoded(SVC()))]), False),
        (BaggingClassifier(encoded(SVC())), False),
        (LinearRegression(), False),
        (VectorEncoder(), False),
        (SVC, False),
        ("svm", False),
        (None, False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_who_needs_encoding(estimator, expected):
    assert needs_encoding(estimator) is expected


@pytest.mark.parametrize("estimator", [LinearRegression(), SVC, "svm", None])
def test_only_classifiers_are_encoded_for(estimator):
    with pytest.raises(bc.BnclassError, match="expected a scikit-learn classifier"):
        encoded(estimator)


@pytest.mark.parametrize("estimator", [bc.TAN(), encoded(SVC())], ids=["ours", "pipeline"])
def test_who_reads_raw_tables_is_refused(estimator):
    with pytest.raises(bc.BnclassError, match="reads raw tables itself"):
        encoded(estimator)


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_by_name(name):
    first, second = BASELINES[name](), BASELINES[name]()
    assert first is not second
    assert needs_encoding(first)
    assert first.get_params().get("random_state") is None
    frame, codes = awkward(60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = encoded(first).fit(frame[:30], codes[:30])
    assert (model.predict(frame[30:]) == codes[30:]).mean() >= 0.8


def test_names_of_the_baselines():
    assert list(BASELINES) == ["gb", "knn", "rf", "svm"]
    with pytest.raises(TypeError):
        BASELINES["lr"] = LogisticRegression
