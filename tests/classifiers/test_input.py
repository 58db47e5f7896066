"""What estimators do with awkward rows, columns and weights."""

import numpy as np
import pandas as pd
import pytest

import bnclass as bc


def test_a_list_of_mixed_rows_keeps_its_types():
    model = bc.NaiveBayes().fit([["a", 1], ["b", float("nan")], ["a", 2]], [0, 1, 1])
    assert model.schema_["x0"].states == ("a", "b")
    assert model.schema_["x1"].cuts == (1.5,)
    assert model.encoder_.transform([["a", None]]).codes.tolist() == [[0, -1]]


def test_a_key_is_warned_of():
    frame = pd.DataFrame({"key": [f"p{i}" for i in range(30)]})
    with pytest.warns(bc.BnclassWarning, match="column 'key' has 30 different values in 30 rows"):
        bc.NaiveBayes().fit(frame, [0, 1] * 15)


@pytest.mark.parametrize("dtype", ["UInt64", "Int64", "uint64", "int64"])
def test_large_whole_numbers_stay_apart(dtype):
    frame = pd.DataFrame({"v": pd.Series([2**53, 2**53 + 1] * 10, dtype=dtype)})
    model = bc.NaiveBayes(categorical_features="all").fit(frame, ["p", "q"] * 10)
    assert model.schema_["v"].states == (2**53, 2**53 + 1)
    assert model.score(frame, ["p", "q"] * 10) == 1.0
    other = frame.astype("UInt64")
    assert model.score(other, ["p", "q"] * 10) == 1.0


@pytest.mark.parametrize("weight", [1e-170, 1e160])
def test_weights_beyond_double_precision_are_refused(weight):
    frame = pd.DataFrame({"a": ["u", "v"]})
    with pytest.raises(bc.DataError, match=r"sample_weight, row 1: found 1e[-+]1[67]0, expected 0"):
        bc.TAN().fit(frame, [0, 1], sample_weight=[1.0, weight])


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@pytest.mark.parametrize(
    "model", [bc.AODE(), bc.AODE(subsumption=1), bc.ATAN(), bc.SPODE(), bc.TAN()], ids=repr
)
def test_a_model_without_columns_is_saved_and_loaded(model, tmp_path):
    frame = pd.DataFrame({"a": [None, None, np.nan]})
    model.fit(frame, ["x", "y", "y"])
    bc.save(model, tmp_path / "m.json")
    same = bc.load(tmp_path / "m.json")
    assert (same.predict_proba(frame) == model.predict_proba(frame)).all()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (bc.TAN(missing=np.array(["state", "error"])), "missing is array"),
        (bc.TAN(unknown=np.array(["missing"])), "unknown is array"),
        (bc.ATAN(np.array(["uniform", "uniform"])), "weights is array"),
        (bc.GAODE(np.array(["pooled", "hugin"])), "variance is array"),
        (bc.KST(dependence=np.array(["pairwise", "pairwise"])), "dependence is array"),
    ],
    ids=["missing", "unknown", "weights", "variance", "dependence"],
)
def test_an_array_is_no_choice(model, message):
    with pytest.raises(bc.BnclassError, match=message):
        model.fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), [0, 1, 1])
