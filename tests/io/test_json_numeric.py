"""JSON files of the classifiers that keep numbers as numbers."""

import copy
import json
import random

import numpy as np
import pytest
from io_networks import assert_same_classifier, damaged, passed_through, with_holes
from sklearn.base import clone
from sklearn.preprocessing import KBinsDiscretizer

from bnclass.classifiers.drawn import StructureClassifier
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.exceptions import FileFormatError
from bnclass.io.json import load, save

NUMERIC = [
    NaiveBayes(continuous="gaussian"),
    SPODE(continuous="gaussian"),
    TAN(continuous="gaussian"),
    KDB(k=2, continuous="gaussian"),
    KDB(k=None, continuous="gaussian"),
    StructureClassifier(continuous="gaussian"),
    HAODE(),
    HAODE(min_count=30),
    HAODE(discretizer="mdl"),
]
GAODES = [GAODE(variance) for variance in ("conditional", "hugin", "pooled")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def irises(kind):
    """Return iris as it is, with cells missing, or with a constant and two discrete columns."""
    X, y = load_dataset("iris")
    if kind == "with holes":
        X = with_holes(X)
    if kind == "mixed":
        X = with_holes(X.assign(one=1.0, size=np.where(X.iloc[:, 0] > 5.5, "large", "small")))
        X["odd"] = X.index % 2 == 1
    return X, y


@pytest.mark.parametrize("model", NUMERIC + GAODES, ids=repr)
@pytest.mark.parametrize("kind", ["numbers", "with holes", "mixed"])
def test_classifiers(path, model, kind):
    X, y = irises(kind)
    if kind == "mixed" and isinstance(model, GAODE):
        X = X.drop(columns=["size", "odd"])
    model = clone(model).fit(X, y)
    loaded = passed_through(model, path)
    assert_same_classifier(loaded, model, X)
    assert loaded.get_params() == model.get_params()
    again = clone(loaded).fit(X, y)
    assert (again.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize("missing", ["state", "impute", "error"])
@pytest.mark.parametrize("model", [TAN(continuous="gaussian"), GAODE(), HAODE()], ids=repr)
def test_missing_policies(path, model, missing):
    X, y = irises("numbers" if missing == "error" else "with holes")
    model = clone(model).set_params(missing=missing).fit(X, y)
    assert_same_classifier(passed_through(model, path), model, X)


@pytest.mark.parametrize("model", [GAODE(), HAODE()], ids=repr)
def test_constant_columns_only(path, model):
    X, y = np.ones((6, 2)), list("nnnnpp")
    model = clone(model).fit(X, y)
    assert len(model.ensemble_) == 0
    assert_same_classifier(passed_through(model, path), model, X)


# ---------------------------------------------------------------- refusals

BINS = KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf")


def test_a_transformer_as_discretizer_is_named(path):
    model = HAODE(discretizer=BINS).fit(*load_dataset("iris"))
    for changed in (model, copy.copy(model).set_params(discretizer=None)):
        with pytest.raises(FileFormatError) as caught:
            save(changed, path)
        message = str(caught.value)
        assert message.startswith("discretizer is KBinsDiscretizer(")
        assert message.endswith("JSON cannot hold a transformer; expected discretizer=None")
        assert not path.exists()


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.json"
    X, y = irises("mixed")
    texts = {}
    for name, model, columns in [
        ("tan", TAN(continuous="gaussian", missing="impute"), X.columns),
        ("gaode", GAODE(), X.columns[:3]),
        ("haode", HAODE(), X.columns[[0, 3, 5]]),
    ]:
        save(model.fit(X[columns], y), path)
        texts[name] = json.dumps(json.loads(path.read_text())), X[columns]
    return texts


VIEW, SOURCE = '"name": "petal width (cm) (binned)", ', '"source": "petal width (cm)"'


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("gaode", '"variance": "conditional"', '"v": 0', "parameters: found no 'variance', expe"),
        ("gaode", '"type": "GAODE"', '"type": "HAODE"', "HAODE: parameters: found no 'categoric"),
        ("gaode", '"views_": []', '"v": []', "GAODE: encoder_: TableEncoder: found no 'views_'"),
        ("gaode", '"views_": []', '"views_": [1]', "TableEncoder: found 1, expected a value of"),
        ("haode", VIEW, '"name": "p", ', "the encoder and the network differ in their variables"),
        ("haode", SOURCE, '"source": "z"', "TableEncoder: no column 'z', expected one of"),
        ("haode", '"superparents": [', '"superparents": ["z", ', "3 counts for 4 superparents"),
        ("haode", '"discretizer": null, ', "", "parameters: found no 'discretizer', expected"),
        ("haode", '"size"', '"width"', "and the feature names ('sepal length (cm)', 'petal widt"),
    ],
)
def test_broken_parts(path, documents, name, old, new, message):
    text, _ = documents[name]
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(FileFormatError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["tan", "gaode", "haode"])
def test_damaged_files_are_refused_or_give_a_sound_model(path, documents, name):
    text, X = documents[name]
    document, rng, n_refused = json.loads(text), random.Random(7), 0
    for _ in range(150):
        path.write_text(json.dumps(damaged(document, rng)))
        try:
            model = load(path)
        except FileFormatError:
            n_refused += 1
            continue
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert n_refused > 75
